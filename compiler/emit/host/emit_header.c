/* The header of an emitted filter: statuses (emit_statuses.c), image structures, functions. */
#include "emit/emission.h"
#include "emit/host/host.h"

#include <stdlib.h>

static const char *axes_text(struct emission *e, const struct buffer *buffer)
{
    struct text text = text_create(e->arena);
    for (unsigned k = 0; k < buffer->rank; k++)
        text_print(&text, "%s%s", k ? ", " : "", buffer->axis[k].name->text);
    return buffer->rank ? text.bytes : "";
}

/* What integers stand for: ", value = integer / 16". */
static const char *fixed_text(struct emission *e, struct fixed_point fixed)
{
    const int digits = abs(fixed.fraction);
    if (!fixed.is)
        return "";
    return digits == 0   ? ", value = integer"
           : digits < 31 ? arena_format(e->arena, ", value = integer %s %d",
                                        fixed.fraction > 0 ? "/" : "*", 1 << digits)
                         : arena_format(e->arena, ", value = integer %s 2^%d",
                                        fixed.fraction > 0 ? "/" : "*", digits);
}

/* struct unsharp_in: the caller's view of one image. */
static void print_image(struct emission *e, const struct buffer *buffer)
{
    const bool output = buffer->space == SPACE_OUTPUT;
    const char *axes = axes_text(e, buffer);
    text_print(e->out, "/* %s: [%s] of %s%s%s. Strides are in samples and may be negative. */\n",
               buffer->name->text, axes, scalar_info[buffer->scalar].text,
               fixed_text(e, buffer->fixed),
               buffer->scalar == SCALAR_BOOL  ? " (0 or 1)"
               : buffer->scalar == SCALAR_F16 ? " (the bits of IEEE 754's binary16)"
                                              : "");
    text_print(e->out, "struct %s_%s {\n    %s%s *data;\n", e->name, name_of_buffer(e, buffer),
               output ? "" : "const ", scalar_info[buffer->scalar].c_type);
    if (buffer->rank) {
        text_print(e->out, "    int32_t ");
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "%s%s", k ? ", " : "", name_of_extent_field(e, buffer, k));
        text_print(e->out, "; /* extents */\n    ptrdiff_t ");
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "%s%s", k ? ", " : "", name_of_stride_field(e, buffer, k));
        text_print(e->out, ";\n");
    }
    if (e->dialect->host->object)
        text_print(e->out,
                   "    %smemory; /* for %s_run, in place of data: memory of the device, */\n"
                   "    size_t first; /* and the samples of it before the first of the image */\n",
                   e->dialect->host->object, e->name);
    text_print(e->out, "};\n\n");
}

void emit_parameters_text(struct emission *e)
{
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        text_print(e->out, " * %s", name_of_variable(e, p->variable));
        if (p->choice_count)
            text_print(e->out, ", of enum %s_%s", e->name, name_of_variable(e, p->variable));
        text_print(e->out, "%s", fixed_text(e, p->fixed));
        if (p->least && !p->choice_count) {
            text_print(e->out, ", ");
            emit_value(e, &on_host, p->least);
            text_print(e->out, " .. ");
            emit_value(e, &on_host, p->greatest);
        }
        if (p->initial && p->choice_count)
            text_print(e->out, ", default %s_%s_%s", name_upper(e, e->name),
                       name_upper(e, name_of_variable(e, p->variable)),
                       name_upper(e, p->choice[p->initial->as.integer]->text));
        else if (p->initial) {
            text_print(e->out, ", default ");
            emit_value(e, &on_host, p->initial);
        }
        if (p->text)
            text_print(e->out, ": %s", comment_text(e->arena, p->text));
        text_print(e->out, ".\n");
    }
}

/* enum dct_norm { DCT_NORM_ORTHO, DCT_NORM_NONE }; */
static void print_choices(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        const char *name = name_of_variable(e, p->variable);
        for (size_t c = 0; c < p->choice_count; c++) {
            if (c == 0)
                text_print(e->out, "/* Values of %s. */\nenum %s_%s {", name, e->name, name);
            text_print(e->out, "%s %s_%s_%s", c ? "," : "", upper, name_upper(e, name),
                       name_upper(e, p->choice[c]->text));
        }
        if (p->choice_count)
            text_print(e->out, " };\n\n");
    }
}

static void declare_run_by(struct emission *e)
{
    if (!e->dialect->host->takes_tasks)
        return;
    text_print(e->out,
               "/* As %s_run, by threads of the caller, who may cancel it: it then returns "
               "%s_CANCELLED.\n"
               " * tasks: NULL for the filter's own threads.%s */\nint %s_run_by(",
               e->name, name_upper(e, e->name),
               e->prepared
                   ? arena_format(e->arena, " %s: NULL to make the tables anew.", e->prepared)
                   : "",
               e->name);
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    if (e->prepared)
        text_print(e->out, ", const void *%s, size_t %s", e->prepared, e->prepared_bytes);
    text_print(e->out, ",\n    void *scratch, size_t scratch_bytes, int threads, "
                       "const struct flt_tasks *tasks);\n\n");
}

static const char tasks_text[] =
    "/* How a caller runs the work of a call by threads of its own, and cancels it. */\n"
    "#ifndef FLT_TASKS\n#define FLT_TASKS\n"
    "struct flt_tasks {\n"
    "    void *context; /* the first argument of both functions */\n"
    "    /* Calls work(data, n) once for each n from 0 to count - 1, in any order, on any "
    "threads,\n"
    "     * also one after the other; returns when all these calls have returned. count is at "
    "most\n"
    "     * the number of threads. NULL: the filter's own threads do it. */\n"
    "    void (*run)(void *context, void (*work)(void *data, int n), void *data, int count);\n"
    "    /* Not 0: the call begins no further part of a kernel and returns. All threads ask before "
    "each\n"
    "     * part, at the same time. NULL: the call cannot be cancelled. */\n"
    "    int (*cancelled)(void *context);\n"
    "};\n#endif\n\n";

void declare_run_of_threads(struct emission *e)
{
    const bool several = e->program->outputs.count > 1;
    const char *outputs = several ? "outputs" : "output";
    given_print_functions(e);
    text_print(e->out,
               "/* Bytes of scratch memory that %s_run needs with these arguments, where data may "
               "be NULL;\n"
               " * SIZE_MAX if one is wrong. threads: as for %s_run. */\nsize_t %s_scratch_bytes(",
               e->name, e->name, e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ", int threads);\n\n");
    text_print(
        e->out,
        "/* Computes the %s; returns a status. %s\n"
        " * scratch: %s_scratch_bytes(...) or more, aligned to 64 bytes.\n"
        " * threads: 0 or less for as many as OpenMP gives; of more than four for each "
        "processor no more\n"
        " * take part. The result does not depend on it.\n"
        " * Samples are written only if all arguments are right. Outputs must not share memory "
        "with\n"
        " * inputs%s; only equal addresses are detected.\n",
        outputs,
        e->opened ? "Allocates nothing but plans where extents are new."
                  : "Allocates nothing and keeps nothing between calls but\n"
                    " * sleeping threads. Calls may run at the same time.",
        e->name, several ? " or each other" : "");
    emit_parameters_text(e);
    text_print(e->out, " */\nint %s_run(", e->name);
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    text_print(e->out, ", void *scratch, size_t scratch_bytes, int threads);\n\n");
    prepared_print_functions(e);
    declare_run_by(e);
    text_print(e->out, "/* %s, with scratch memory from malloc. */\nint %s(",
               e->prepared ? arena_format(e->arena, "As %s_run", e->name) : "The same", e->name);
    given_print_argument(e, false);
    emit_parameters(e, false, true);
    text_print(e->out, ", int threads);\n");
}

static void print_functions(struct emission *e)
{
    const bool several = e->program->outputs.count > 1;
    const char *outputs = several ? "outputs" : "output";
    text_print(e->out,
               "/* The text of a status. It is static: do not free it. */\nconst char "
               "*%s_status_text(int status);\n\n",
               e->name);
    text_print(e->out,
               "/* Sets the extents and packed strides of the %s; data is left unchanged.\n"
               " * Returns a status. */\nint %s_extents(",
               outputs, e->name);
    emit_extents_parameters(e);
    text_print(e->out, ");\n\n");
    e->dialect->host->declare_run(e);
    if (has_regions(e)) {
        text_print(
            e->out,
            "\n/* Computes which box of an input a box of the output depends on. A box holds two "
            "numbers per\n * axis, in the order of the axes: first, end (exclusive).%s */\n",
            several ? " output_box: the boxes of\n * all outputs, one after another." : "");
        for (size_t i = 0; i < e->program->regions.count; i++) {
            const struct buffer *buffer =
                program_buffer(e->program, e->program->regions.item[i].input);
            text_print(e->out, "int %s_region_of_%s(", e->name, name_of_buffer(e, buffer));
            emit_parameters(e, false, false);
            text_print(e->out, ", const int64_t *output_box, int64_t *input_box);\n");
        }
    }
    if (e->dialect->host->asks_fused)
        text_print(
            e->out,
            "\n/* 1 if fused multiply-adds run in hardware, 0 if the C library computes them "
            "(slowly). */\nint %s_is_fast(void);\n",
            e->name);
    boxes_print_header(e);
    self_check_print_function(e);
    entry_print_header(e);
}

void emit_header(struct emission *e)
{
    const char *guard = arena_format(e->arena, "%s_H", name_upper(e, e->name));
    text_print(e->out, "/* %s%s%s. */\n", e->name, *e->program->text ? ": " : "",
               comment_text(e->arena, e->program->text));
    text_print(e->out, "#ifndef %s\n#define %s\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
               guard, guard);
    text_print(e->out, e->opened ? "#include \"flt/fft.h\"\n\n" : "");
    if (e->options->boxes_of)
        text_print(e->out, "#include \"%s\"\n\n", e->options->boxes_of->header);
    text_print(e->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    print_statuses(e);
    print_choices(e);
    if (e->dialect->host->takes_tasks)
        text_append(e->out, tasks_text, strlen(tasks_text));
    entry_print_types(e);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        print_image(e, program_buffer(e->program, e->program->inputs.item[i]));
    for (size_t i = 0; i < e->program->outputs.count; i++)
        print_image(e, program_buffer(e->program, e->program->outputs.item[i]));
    print_functions(e);
    text_print(e->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
