/* The arguments of a kernel: memory objects with offsets, strides, extents, parameters. */
#include "emit/launch/opencl/opencl.h"

static void add(struct emission *e, struct arguments *to, const char *type, const char *name)
{
    VECTOR_PUSH(e->arena, &to->list, (struct argument){type, name, NULL, NULL});
}

static void add_memory(struct emission *e, struct arguments *to, bool is_stored,
                       const char *restriction, const char *type, const char *name)
{
    const char *of =
        arena_format(e->arena, "__global %s%s *%s", is_stored ? "" : "const ", type, restriction);
    const char *first = name_of_first(e, name);
    VECTOR_PUSH(e->arena, &to->list, (struct argument){of, name, first, NULL});
    add(e, to, "const int64_t ", first);
}

static const char *structure_of_values(struct emission *e, const struct buffer *buffer)
{
    return name_of(e, (const char *)buffer->axis + 4,
                   arena_format(e->arena, "%s_%s_values", e->name, buffer->name->text));
}

void print_structures_of_values(struct emission *e)
{
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (buffer->space == SPACE_FRAME)
            text_print(e->out, "struct %s {\n    %s at[%lld];\n};\n\n",
                       structure_of_values(e, buffer), scalar_info[buffer->scalar].c_type,
                       (long long)buffer_samples(buffer));
    }
}

struct arguments arguments_of(struct emission *e, const struct statement *kernel)
{
    const struct kernel_uses uses = kernel_uses_of(e, kernel->as.kernel.body);
    struct arguments arguments = {{0}};
    for (size_t i = 0; i < uses.buffers.count; i++) {
        const struct buffer *buffer = uses.buffers.item[i];
        if (buffer_is_in_frame(buffer))
            add_memory(e, &arguments, kernel_stores(&uses, buffer), restriction(e, &uses, buffer),
                       scalar_info[buffer->scalar].c_type, name_of_buffer(e, buffer));
        if (buffer->space == SPACE_FRAME) {
            const char *name = name_of_buffer(e, buffer);
            VECTOR_PUSH(e->arena, &arguments.list,
                        (struct argument){arena_format(e->arena, "const struct %s ",
                                                       structure_of_values(e, buffer)),
                                          name, NULL, scalar_info[buffer->scalar].c_type});
        }
        if (buffer_holds_lines(buffer)) {
            add_memory(e, &arguments, true, "", "char", name_of_lines(e, buffer));
            add(e, &arguments, "const uint64_t ", name_of_line_bytes(e, buffer));
        }
        for (unsigned k = 0; k < buffer->rank && buffer_has_stride(e, buffer, k); k++)
            add(e, &arguments, "const int64_t ", name_of_stride(e, buffer, k));
    }
    for (size_t i = 0; i < uses.variables.count; i++)
        add(e, &arguments,
            arena_format(e->arena, "const %s ", type_in_frame(uses.variables.item[i])),
            name_of_variable(e, uses.variables.item[i]));
    return arguments;
}
