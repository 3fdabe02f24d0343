/* Kernels whose steps depend on the one before, and on the same one in the iteration before of the
 * loop around. Threads take iterations of that in turn, and follow one another from part to part of
 * the steps:
 *   for (int64_t flt_step = 0; flt_step < flt_steps; flt_step++)
 *       for (int64_t flt_part = 0; flt_part < flt_parts; flt_part++) {
 *           struct f_frame flt_own = *frame;
 *           flt_own.band = flt_step;
 *           … wait for the part of the step before …
 *           f_out(&flt_own, …);
 *           … the next step may go on … }
 * Threads that take columns of all bands instead write beside each other in each row: what one
 * fetches ahead, the other one has. */
#include "emit/emission.h"

/* Of a step for each thread: those behind do not wait long, and stores past the caches seldom
 * end. */
enum { PARTS = 2 };

const struct statement *wavefront_in(const struct statement *loop)
{
    const struct statement *kernel = loop->as.loop.body;
    while (kernel->kind == STATEMENT_BLOCK && kernel->as.block.count == 1)
        kernel = kernel->as.block.item[0];
    const struct statement *threads =
        kernel->kind == STATEMENT_KERNEL ? threads_loop_in(kernel) : NULL;
    return threads && threads->as.loop.level == LEVEL_WAVEFRONT ? kernel : NULL;
}

static void print_pragma(struct emission *e, const char *pragma)
{
    text_print(e->out, "#if FLT_WAVEFRONTS\n#pragma omp %s\n#endif\n", pragma);
}

void emit_wavefront(struct emission *e, const struct statement *loop,
                    const struct statement *kernel, const char *name)
{
    const struct threads_range range = threads_range_of(e, kernel);
    const char *band = name_of_variable(e, loop->as.loop.variable);
    text_print(e->out, "{\n");
    e->out->indent += 4;
    text_print(e->out, "const int64_t flt_extent = ");
    emit_index(e, range.extent);
    text_print(e->out, ", flt_steps = ");
    emit_index(e, loop->as.loop.extent);
    text_print(
        e->out,
        ", flt_most = flt_cores(frame->threads);\n"
        "const int64_t flt_wide = flt_extent < flt_most ? flt_extent : flt_most;\n"
        "const int64_t flt_team = flt_steps < flt_wide ? flt_steps : flt_wide;\n"
        "const int64_t flt_parts = flt_extent < %d * flt_team ? flt_extent : %d * flt_team;\n",
        PARTS, PARTS);
    print_pragma(e, "parallel for ordered(2) schedule(static, 1) num_threads((int)flt_team) "
                    "if (flt_team > 1)");
    text_print(e->out, "for (int64_t flt_step = 0; flt_step < flt_steps; flt_step++)\n"
                       "    for (int64_t flt_part = 0; flt_part < flt_parts; flt_part++) {\n");
    e->out->indent += 8;
    text_print(e->out, "struct %s_frame flt_own = *frame;\n", e->name);
    if (name_is_of_host(e, loop->as.loop.variable))
        text_print(e->out, "flt_own.%s = %sflt_step;\n", band,
                   loop->as.loop.reversed ? "flt_steps - 1 - " : "");
    print_pragma(e, "ordered depend(sink : flt_step - 1, flt_part)");
    text_print(e->out, "FLT_PICK(%s)(&flt_own, ", name);
    for (int i = 0; i < 2; i++) {
        threads_print_place(e, range.first,
                            i ? "flt_extent * (flt_part + 1) / flt_parts"
                              : "flt_extent * flt_part / flt_parts");
        text_print(e->out, i ? ");\n" : ", ");
    }
    print_pragma(e, "ordered depend(source)");
    e->out->indent -= 8;
    text_print(e->out, "    }\n");
    e->out->indent -= 4;
    text_print(e->out, "}\n");
}
