/* Filters that transform lines by a library of the caller, a struct flt_fft. The filter is opened
 * with the library and keeps a plan for each transform of the program. A new plan is made when a
 * call has other extents than the call before. The tables that kernels read contain the library and
 * the plan (transform/given/). */
#include "emit/emission.h"
#include "emit/host/host.h"

void given_find(struct emission *e)
{
    if (!e->options->gives_fft)
        return;
    static const char *const part[] = {"open", "close", "plan", "opened"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part[i]));
    e->opened = name_identifier(e, "opened");
}

void given_print_types(struct emission *e)
{
    if (e->opened)
        text_print(
            e->out,
            "/* The library, and its plan for the lines of each transform, of n samples; 0: "
            "there is none. */\nstruct %s_opened {\n    const struct flt_fft *fft;\n"
            "    struct {\n        void *plan;\n        int64_t n;\n    } line[%zu];\n};\n\n",
            e->name, e->transforms.count);
}

void given_print_field(struct emission *e)
{
    if (e->opened)
        text_print(e->out, "struct %s_opened *%s;\n", e->name, e->opened);
}

void given_print_argument(struct emission *e, bool named)
{
    if (e->opened && named)
        text_print(e->out, "%s, ", e->opened);
    else if (e->opened)
        text_print(e->out, "struct %s_opened *%s, ", e->name, e->opened);
}

/* ---- The header ---- */

void given_print_functions(struct emission *e)
{
    const char *name = e->name;
    if (!e->opened)
        return;
    text_print(
        e->out,
        "/* A filter opened with an FFT library. It keeps the plans of the library from call to\n"
        " * call; results do not depend on earlier calls. One thread at a time may use it; "
        "several\n"
        " * may be open at once. */\n"
        "struct %s_opened;\n\n"
        "/* Opens the filter; returns a status. *%s is NULL unless the status is %s_OK.\n"
        " * fft: must remain valid until the filter is closed. */\n"
        "int %s_open(const struct flt_fft *fft, struct %s_opened **%s);\n\n"
        "/* Destroys the plans. The argument may be NULL. */\nvoid %s_close(struct %s_opened "
        "*%s);\n\n",
        name, e->opened, name_upper(e, name), name, name, e->opened, name, name, e->opened);
}

/* ---- Functions of the host ---- */

static void print_open(struct emission *e)
{
    const char *name = e->name, *upper = name_upper(e, e->name);
    text_print(e->out,
               "int %s_open(const struct flt_fft *fft, struct %s_opened **%s)\n{\n"
               "    struct %s_opened *made;\n    if (!%s)\n        return %s_NULL_POINTER;\n"
               "    *%s = NULL;\n"
               "    if (!fft || !fft->plan || !fft->scratch || !fft->execute || !fft->destroy)\n"
               "        return %s_NULL_POINTER;\n"
               "    made = (struct %s_opened *)calloc(1, sizeof *made);\n    if (!made)\n"
               "        return %s_NO_MEMORY;\n    made->fft = fft;\n    *%s = made;\n"
               "    return %s_OK;\n}\n\n",
               name, name, e->opened, name, e->opened, upper, e->opened, upper, name, upper,
               e->opened, upper);
    text_print(e->out,
               "void %s_close(struct %s_opened *%s)\n{\n    if (!%s)\n        return;\n"
               "    for (int i = 0; i < %zu; i++)\n        if (%s->line[i].n)\n"
               "            %s->fft->destroy(%s->line[i].plan);\n    free(%s);\n}\n\n",
               name, name, e->opened, e->opened, e->transforms.count, e->opened, e->opened,
               e->opened, e->opened);
}

/* A table of the transforms: their lengths, or the types of their numbers. */
static void print_lengths(struct emission *e)
{
    text_print(e->out, "    const int64_t length[] = {");
    for (size_t i = 0; i < e->transforms.count; i++) {
        const struct statement *s = e->transforms.item[i];
        text_print(e->out, i ? ", " : "");
        emit_transformed(e, &on_host, s->as.transform.kind, s->as.transform.extent);
    }
    text_print(e->out, "};\n    static const enum flt_real real[] = {");
    for (size_t i = 0; i < e->transforms.count; i++) {
        const buffer_id table = e->transforms.item[i]->as.transform.table;
        text_print(e->out, "%sFLT_REAL_%s", i ? ", " : "",
                   program_buffer(e->program, table)->scalar == SCALAR_F64 ? "F64" : "F32");
    }
    text_print(e->out, "};\n");
}

static void print_plan(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    struct body body;
    text_print(e->out,
               "/* Plans for the lines of this call. A plan for lines of another length goes. */\n"
               "static int %s_plan(struct %s_opened *%s, const struct %s_frame *frame)\n{\n",
               e->name, e->name, e->opened, e->name);
    begin_body(e, &body);
    print_lengths(e);
    text_print(
        e->out,
        "    const struct flt_fft *const fft = %s->fft;\n"
        "    for (int i = 0; i < %zu; i++) {\n"
        "        const uint64_t most = 8 * (real[i] == FLT_REAL_F64 ? 16 : 8); /* of a sample */\n"
        "        void *plan = NULL;\n        enum flt_status status;\n"
        "        if (%s->line[i].n == length[i])\n            continue;\n"
        "        if (%s->line[i].n)\n            fft->destroy(%s->line[i].plan);\n"
        "        %s->line[i].n = 0;\n"
        "        status = fft->plan(&plan, length[i], -1, real[i]);\n"
        "        if (status != FLT_OK)\n"
        "            return status == FLT_NO_MEMORY ? %s_NO_MEMORY : %s_NO_PLAN;\n"
        "        if (fft->scratch(plan) > most * (uint64_t)length[i]) {\n"
        "            fft->destroy(plan);\n            return %s_NO_PLAN;\n        }\n"
        "        %s->line[i].plan = plan;\n        %s->line[i].n = length[i];\n    }\n"
        "    return %s_OK;\n}\n\n",
        e->opened, e->transforms.count, e->opened, e->opened, e->opened, e->opened, upper, upper,
        upper, e->opened, e->opened, upper);
    print_frame_parameters(e, &body);
    end_body(e, &body, true);
}

void given_print_host(struct emission *e)
{
    if (!e->opened)
        return;
    print_open(e);
    print_plan(e);
}

/* Before anything is written. */
void given_print_planning(struct emission *e)
{
    if (e->opened)
        text_print(
            e->out,
            "    {\n        const int flt_held = flt_hold();\n"
            "        const int flt_planned = %s_plan(%s, &all);\n        flt_release(flt_held);\n"
            "        if (flt_planned != %s_OK)\n            return flt_planned;\n    }\n"
            "    all.%s = %s;\n",
            e->name, e->opened, name_upper(e, e->name), e->opened, e->opened);
}

void given_print_check(struct emission *e)
{
    if (e->opened)
        text_print(e->out, "    if (!%s)\n        return %s_NULL_POINTER;\n", e->opened,
                   name_upper(e, e->name));
}
