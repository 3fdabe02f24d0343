/* Kernels whose steps depend on the one before, and on the same one in the iteration before of the
 * loop around: threads take iterations of that in turn, and follow one another from part to part of
 * the steps (texts/wave.h). Threads that take columns of all bands instead write beside each other
 * in each row: what one fetches ahead, the other one has. */
#include "emit/emission.h"

void emit_wavefront(struct emission *e, const struct statement *loop,
                    const struct statement *kernel, const char *name)
{
    const struct threads_range range = threads_range_of(e, kernel);
    text_print(e->out, "%s_wavefront(FLT_PICK(%s), frame, ", e->name, name);
    emit_index(e, &on_host, range.first);
    text_print(e->out, ", ");
    emit_index(e, &on_host, range.extent);
    text_print(e->out, ", ");
    emit_index(e, &on_host, loop->as.loop.extent);
    if (name_is_of_host(e, loop->as.loop.variable))
        text_print(e->out, ", offsetof(struct %s_frame, %s)", e->name,
                   name_of_variable(e, loop->as.loop.variable));
    else
        text_print(e->out, ", 0");
    text_print(e->out, ", %d);\n", loop->as.loop.reversed);
}
