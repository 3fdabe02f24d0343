/* Small pieces that several files of this folder print. */
#include "emit/emission.h"
#include "emit/host/host.h"

const char *stride_in_frame(const struct emission *e)
{
    return e->dialect->host->object ? "int64_t" : "ptrdiff_t";
}

const char *size_in_frame(const struct emission *e)
{
    return e->dialect->host->object ? "uint64_t" : "size_t";
}

void begin_body(struct emission *e, struct body *body)
{
    body->around = e->out;
    body->text = text_create(e->arena);
    e->out = &body->text;
}

static void print_frame_name(struct emission *e, const struct body *body,
                             const struct expr *variable)
{
    const char *name = name_of_variable(e, variable);
    const char *type = variable->as.variable.kind == VARIABLE_EXTENT
                           ? "int64_t"
                           : scalar_info[variable->scalar].c_type;
    if (body->text.length && text_mentions(body->text.bytes, name))
        text_print(e->out, "    const %s %s = frame->%s;\n", type, name, name);
}

void print_frame_pointer(struct emission *e, const struct body *body)
{
    bool used = false;
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->inputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            used = used ||
                   (buffer->axis[k].extent->kind == EXPR_VARIABLE &&
                    text_mentions(body->text.bytes, name_of_variable(e, buffer->axis[k].extent)));
    }
    for (size_t i = 0; i < e->program->values.count; i++)
        used = used || text_mentions(body->text.bytes,
                                     name_of_variable(e, e->program->values.item[i].variable));
    if (used)
        text_print(body->around, "    const struct %s_frame *const frame = &all;\n", e->name);
}

void print_frame_parameters(struct emission *e, const struct body *body)
{
    e->out = body->around;
    for (size_t i = 0; i < e->program->parameters.count; i++)
        print_frame_name(e, body, e->program->parameters.item[i].variable);
}

void print_frame_skews(struct emission *e, const struct body *body)
{
    e->out = body->around;
    for (size_t i = 0; i < e->program->skews.count; i++)
        print_frame_name(e, body, e->program->skews.item[i].variable);
}

void end_body(struct emission *e, struct body *body, bool with_values)
{
    e->out = body->around;
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->inputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            if (buffer->axis[k].extent->kind == EXPR_VARIABLE)
                print_frame_name(e, body, buffer->axis[k].extent);
    }
    for (size_t i = 0; with_values && i < e->program->values.count; i++)
        print_frame_name(e, body, e->program->values.item[i].variable);
    if (body->text.length)
        text_append(e->out, body->text.bytes, body->text.length);
}

static void separate(struct emission *e, bool *first)
{
    text_print(e->out, *first ? "" : ", ");
    *first = false;
}

static void print_images(struct emission *e, const buffer_id *image, size_t count, bool named,
                         bool *first)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = name_of_buffer(e, buffer_of(e, image[i]));
        separate(e, first);
        if (named)
            text_print(e->out, "%s", name);
        else
            text_print(e->out, "const struct %s_%s *%s", e->name, name, name);
    }
}

void emit_parameters(struct emission *e, bool named, bool with_output)
{
    bool first = true;
    print_images(e, e->program->inputs.item, e->program->inputs.count, named, &first);
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        separate(e, &first);
        text_print(e->out, "%s%s%s", named ? "" : scalar_info[p->scalar].c_type, named ? "" : " ",
                   name_of_variable(e, p->variable));
    }
    if (with_output)
        print_images(e, e->program->outputs.item, e->program->outputs.count, named, &first);
    if (first && !named)
        text_print(e->out, "void");
}

void emit_extents_parameters(struct emission *e)
{
    const bool any = e->program->inputs.count + e->program->parameters.count > 0;
    if (any)
        emit_parameters(e, false, false);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const char *name = name_of_buffer(e, buffer_of(e, e->program->outputs.item[i]));
        text_print(e->out, "%sstruct %s_%s *%s", any || i ? ", " : "", e->name, name, name);
    }
}

void print_operand(struct emission *e, const struct expr *node)
{
    const bool plain =
        node->kind == EXPR_VARIABLE || (node->kind == EXPR_INTEGER && node->as.integer >= 0);
    text_print(e->out, plain ? "" : "(");
    emit_index(e, &on_host, node);
    text_print(e->out, plain ? "" : ")");
}

void print_call_of(struct emission *e, const char *function, const char *frame)
{
    text_print(e->out, "%s_%s(%s", e->name, function, frame);
    if (e->program->inputs.count + e->program->parameters.count) {
        text_print(e->out, ", ");
        emit_parameters(e, true, false);
    }
    text_print(e->out, ")");
}

void print_measure_call(struct emission *e)
{
    print_call_of(e, "measure", "&all");
}

void print_row(struct emission *e, const struct buffer *buffer)
{
    const struct expr *extent = buffer->axis[buffer->rank - 1].extent;
    const bool is_made = buffer->space == SPACE_SCRATCH || buffer_holds_rows(buffer);
    if (!is_made || buffer->rank < 2 || extent->kind == EXPR_INTEGER) {
        emit_index(e, &on_host, extent);
        return;
    }
    text_print(e->out, "flt_row(");
    emit_index(e, &on_host, extent);
    text_print(e->out, ", %u)", scalar_info[buffer->scalar].bytes);
}

void print_bytes(struct emission *e, const struct buffer *buffer)
{
    for (unsigned k = 0; k < buffer->rank; k++)
        text_print(e->out, "flt_times(");
    text_print(e->out, "%u", scalar_info[buffer->scalar].bytes);
    for (unsigned k = 0; k < buffer->rank; k++) {
        text_print(e->out, ", ");
        if (k + 1 < buffer->rank)
            emit_index(e, &on_host, buffer->axis[k].extent);
        else
            print_row(e, buffer);
        text_print(e->out, ")");
    }
}

void print_room(struct emission *e, const struct buffer *buffer, const char *from)
{
    text_print(e->out, "flt_behind(%s, ", from);
    print_bytes(e, buffer);
    text_print(e->out, ");\n");
}

size_t image_count(const struct emission *e)
{
    return e->program->inputs.count + e->program->outputs.count;
}

const struct buffer *image_of(const struct emission *e, size_t i)
{
    const size_t inputs = e->program->inputs.count;
    return buffer_of(e, i < inputs ? e->program->inputs.item[i]
                                   : e->program->outputs.item[i - inputs]);
}

void print_packed_strides(struct emission *e, const struct buffer *image, const char *owner)
{
    for (unsigned k = image->rank; k-- > 0;) {
        text_print(e->out, "    %s%s = ", owner, name_of_stride_field(e, image, k));
        if (k + 1 == image->rank)
            text_print(e->out, "1;\n");
        else
            text_print(e->out, "%s%s * %s%s;\n", owner, name_of_stride_field(e, image, k + 1),
                       owner, name_of_extent_field(e, image, k + 1));
    }
}

static void look_for_particles(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_PARTICLES;
    statement_children(statement, look_for_particles, found);
}

bool makes_particles(const struct emission *e)
{
    bool found = false;
    look_for_particles(e->program->body, &found);
    return found;
}
