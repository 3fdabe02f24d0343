/* Kernels that the host runs. They are functions of the frame, whose arrays are passed to kernels
 * of the device, and of a structure with values that only the host uses:
 *   static void blur_gain(struct blur_frame *frame, struct blur_host *host) { … } */
#include "emit/emission.h"
#include "emit/host/host.h"

bool has_values_of(const struct emission *e, enum buffer_space space)
{
    bool found = false;
    for (size_t i = 0; i < e->program->buffers.count; i++)
        found = found || e->program->buffers.item[i].space == space;
    return found;
}

void print_values_of(struct emission *e, enum buffer_space space)
{
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (buffer->space == space)
            text_print(e->out, "%s %s[%lld];\n", scalar_info[buffer->scalar].c_type,
                       name_of_buffer(e, buffer), (long long)buffer_samples(buffer));
    }
}

static const char *structure_of(struct emission *e)
{
    return name_of(e, "host", arena_format(e->arena, "%s_host", e->name));
}

static bool uses_host(struct emission *e, const struct statement *kernel)
{
    const struct kernel_uses uses = kernel_uses_of(e, kernel->as.kernel.body);
    bool found = false;
    for (size_t i = 0; i < uses.buffers.count; i++)
        found = found || uses.buffers.item[i]->space == SPACE_HOST;
    return found;
}

static void look_for_host_kernels(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || (statement->kind == STATEMENT_KERNEL && statement->as.kernel.on_host);
    statement_children(statement, look_for_host_kernels, found);
}

bool host_computes_floats(const struct emission *e)
{
    bool found = e->host_has_floats;
    look_for_host_kernels(e->program->body, &found);
    return found && e->has_floats;
}

static void open_kernel(struct emission *e, const struct statement *kernel, const char *name)
{
    text_print(e->out, "static FLT_APART void %s(struct %s_frame *frame", name, e->name);
    if (uses_host(e, kernel))
        text_print(e->out, ", struct %s *host", structure_of(e));
    text_print(e->out, ")\n{\n");
}

static void print_kernels(const struct statement *statement, void *user)
{
    struct emission *e = user;
    if (statement->kind != STATEMENT_KERNEL)
        statement_children(statement, print_kernels, e);
    else if (statement->as.kernel.on_host)
        emit_kernel(e, statement);
}

void print_host_kernels(struct emission *e)
{
    const struct dialect *const around = e->dialect;
    struct dialect plain = *around;
    const char *const none[SCALAR_COUNT] = {NULL}, *const no_index[LEVEL_COUNT] = {NULL};
    plain.unrolled = NULL;
    plain.index_type = NULL;
    plain.memory = "";
    plain.frame = "frame->";
    memcpy(plain.product, none, sizeof none);
    memcpy(plain.quotient, none, sizeof none);
    memcpy(plain.launch_index, no_index, sizeof no_index);
    plain.open_kernel = open_kernel;
    plain.close_kernel = NULL;
    if (has_values_of(e, SPACE_HOST)) {
        text_print(e->out, "/* What the host computes for itself. */\nstruct %s {\n",
                   structure_of(e));
        e->out->indent = 4;
        print_values_of(e, SPACE_HOST);
        e->out->indent = 0;
        text_print(e->out, "};\n\n");
    }
    e->dialect = &plain;
    print_kernels(e->program->body, e);
    e->dialect = around;
}

void print_host_memory(struct emission *e)
{
    if (has_values_of(e, SPACE_HOST))
        text_print(e->out, "    struct %s host;\n", structure_of(e));
}

void print_host_call(struct emission *e, const struct statement *kernel)
{
    const char *const begin = e->has_floats ? "{\n    const struct flt_floats flt_caller = "
                                              "flt_begin_floats();\n    "
                                            : "",
                      *const end = e->has_floats ? "    flt_end_floats(flt_caller);\n}\n" : "";
    text_print(e->out, "%s%s(frame%s);\n%s", begin, name_of_kernel(e, kernel),
               uses_host(e, kernel) ? ", &host" : "", end);
}
