/* Kernels over windows: functions that flt_apr_cells_each of libfltparticles calls for some cells
 * of a row or two.
 *     FLT_INLINE void f_d_body(const struct f_frame *frame, const struct flt_apr_window *flt_window,
 *         int64_t flt_cells, float *flt_line) { … }
 *     FLT_WINDOWS(f_d, f_frame)
 *     … flt_apr_cells_each(…, &windows, FLT_PICK(f_d), frame, …); */
#include "emit/emission.h"

static void look_for_windows(const struct statement *statement, void *user)
{
    bool *found = user;
    *found =
        *found || (statement->kind == STATEMENT_KERNEL && statement->as.kernel.windows != NULL);
    statement_children(statement, look_for_windows, found);
}

bool has_windows(const struct emission *e)
{
    bool found = false;
    look_for_windows(e->program->body, &found);
    return found;
}

static const char declarations[] =
    "#ifndef FLT_APR_WINDOWS\n"
    "#define FLT_APR_WINDOWS\n"
    "struct flt_apr_window {\n"
    "    const float *const *row;\n"
    "    int64_t pitch, z, y, x;\n"
    "    int lines;\n"
    "    int64_t out_pitch;\n"
    "    int level, shift;\n"
    "    int32_t first[3], extent[3];\n"
    "};\n"
    "typedef void flt_apr_line(const void *context, const struct flt_apr_window *window,\n"
    "    int64_t count, float *out);\n"
    "struct flt_apr_reach {\n"
    "    int32_t first[3], extent[3];\n"
    "};\n"
    "struct flt_apr_windows {\n"
    "    const struct flt_apr_reach *reach;\n"
    "    int reaches;\n"
    "    int32_t border[3];\n"
    "    const float *node;\n"
    "};\n"
    "void flt_apr_cells_each(const struct flt_apr *apr, const float *value, float *out,\n"
    "    const struct flt_apr_windows *windows, flt_apr_line *line, const void *context,\n"
    "    void *room, size_t bytes, int threads);\n"
    "#endif\n";

void emit_windows_declarations(struct emission *e)
{
    text_append(e->out, declarations, strlen(declarations));
}

void emit_open_windows(struct emission *e, const char *name)
{
    text_print(e->out,
               "FLT_INLINE void %s_body(const struct %s_frame *frame, const struct flt_apr_window "
               "*flt_window,\n    int64_t flt_cells, float *FLT_RESTRICT flt_line)\n{\n",
               name, e->name);
}

static void print_numbers(struct emission *e, const int64_t number[3])
{
    text_print(e->out, "{%lld, %lld, %lld}", (long long)number[0], (long long)number[1],
               (long long)number[2]);
}

void emit_windows(struct emission *e, const struct kernel_windows *windows, const char *name)
{
    static const struct particle_buffer structure = {.is_structure = true}, array = {.name = ""},
                                        room = {.size = SIZE_OF_ALL};
    const struct {
        const struct particle_buffer *info;
        buffer_id buffer;
    } given[] = {{&structure, windows->structure},
                 {&array, windows->values},
                 {&array, windows->results},
                 {&room, windows->room}};
    text_print(e->out, "if (!flt_stops(frame->call)) {\n    const struct flt_apr_reach reach = {");
    print_numbers(e, windows->first);
    text_print(e->out, ", ");
    print_numbers(e, windows->extent);
    text_print(e->out, "};\n    const struct flt_apr_windows windows = {&reach, 1, ");
    print_numbers(e, windows->border);
    text_print(e->out, ", NULL};\n    flt_apr_cells_each(");
    for (unsigned i = 0; i < 4; i++) {
        if (i == 3)
            text_print(e->out, "&windows, FLT_PICK(%s), frame, ", name);
        emit_particle_buffer(e, &on_host, "frame->", given[i].info,
                             program_buffer(e->program, given[i].buffer));
        text_print(e->out, ", ");
    }
    text_print(e->out, "frame->threads);\n}\n");
}
