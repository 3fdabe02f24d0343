/* The functions around the kernels: checking of arguments, scratch memory, launches, regions. */
#include "emit/emission.h"

static const struct buffer *buffer_of(const struct emission *e, buffer_id id)
{
    return program_buffer(e->program, id);
}

static bool is_in_frame(const struct buffer *buffer)
{
    return buffer->space == SPACE_INPUT || buffer->space == SPACE_OUTPUT ||
           buffer->space == SPACE_SCRATCH;
}

/* What all kernels of one call share. */
void emit_frame(struct emission *e)
{
    text_print(e->out, "/* What all kernels of one call share. Strides are in samples; the last axis has "
                       "stride 1. */\nstruct %s_frame {\n    int threads, fast;\n",
               e->name);
    e->out->indent = 4;
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (!is_in_frame(buffer))
            continue;
        text_print(e->out, "%s%s *%s;\n", buffer->space == SPACE_INPUT ? "const " : "",
                   scalar_info[buffer->scalar].c_type, name_of_buffer(e, buffer));
        for (unsigned k = 0; k + 1 < buffer->rank; k++)
            text_print(e->out, "ptrdiff_t %s;\n", name_of_stride(e, buffer, k));
        for (unsigned k = 0; buffer->space == SPACE_INPUT && k < buffer->rank; k++)
            text_print(e->out, "int64_t %s;\n", name_of_variable(e, buffer->axis[k].extent));
    }
    for (size_t i = 0; i < e->program->values.count; i++)
        text_print(e->out, "int64_t %s;\n",
                   name_of_variable(e, e->program->values.item[i].variable));
    for (size_t i = 0; i < e->program->parameters.count; i++) {
        const struct parameter *p = &e->program->parameters.item[i];
        text_print(e->out, "%s %s;\n", scalar_info[p->scalar].c_type,
                   name_of_variable(e, p->variable));
    }
    e->out->indent = 0;
    text_print(e->out, "};\n\n");
}

/* ---- Statuses ---- */

static void print_status_text(struct emission *e)
{
    static const char *const text[] = {
        "done",
        "a pointer that is needed is NULL",
        "an extent is less than 1, or an image has more than 2^40 samples",
        "the output's extents are not those of the result",
        "a parameter is out of its range",
        "the scratch memory is too small or not aligned to 64 bytes",
        "an output is the same memory as an input",
        "there is not enough memory",
    };
    text_print(e->out, "const char *%s_status_text(int status)\n{\n    switch (status) {\n", e->name);
    size_t i = 0;
    for (; i < sizeof text / sizeof text[0]; i++)
        text_print(e->out, "    case %zu:\n        return \"%s\";\n", i, text[i]);
    for (size_t c = 0; c < e->program->checks.count; c++) {
        text_print(e->out, "    case %zu:\n        return %s;\n", i + c,
                   string_literal(e->arena, e->program->checks.item[c].text));
    }
    text_print(e->out, "    default:\n        return \"unknown status\";\n    }\n}\n\n");
}

/* ---- Checking and extents ---- */

static void print_parameter_check(struct emission *e, const struct parameter *p)
{
    const char *name = name_of_variable(e, p->variable);
    if (p->scalar == SCALAR_BOOL) {
        text_print(e->out, "    if (%s > 1)\n        return %s_BAD_PARAMETER;\n", name,
                   name_upper(e, e->name));
    } else if (p->least) {
        const bool lowest = scalar_is_integer(p->scalar) &&
                            p->least->as.integer == scalar_info[p->scalar].interval.least;
        const bool highest = scalar_is_integer(p->scalar) &&
                             p->greatest->as.integer == scalar_info[p->scalar].interval.greatest;
        if (!lowest || !highest) {
            text_print(e->out, "    if (!(");
            if (!lowest) {
                text_print(e->out, "%s >= ", name);
                emit_value(e, p->least);
            }
            text_print(e->out, lowest || highest ? "" : " && ");
            if (!highest) {
                text_print(e->out, "%s <= ", name);
                emit_value(e, p->greatest);
            }
            text_print(e->out, "))\n        return %s_BAD_PARAMETER;\n", name_upper(e, e->name));
        }
    }
    text_print(e->out, "    frame->%s = %s;\n", name, name);
}

/* Expressions of the host read extents and values by name: begin_body, what prints them, end_body,
 * which first declares from the frame what they mention. */
struct body {
    struct text *around;
    struct text text;
};

static void begin_body(struct emission *e, struct body *body)
{
    body->around = e->out;
    body->text = text_create(e->arena);
    e->out = &body->text;
}

static void print_frame_name(struct emission *e, const struct body *body,
                             const struct expr *variable)
{
    const char *name = name_of_variable(e, variable);
    if (body->text.length && text_mentions(body->text.bytes, name))
        text_print(e->out, "    const int64_t %s = frame->%s;\n", name, name);
}

/* `frame`, where the body mentions what is declared from it. */
static void print_frame_pointer(struct emission *e, const struct body *body)
{
    bool used = false;
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->inputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            used = used || text_mentions(body->text.bytes,
                                         name_of_variable(e, buffer->axis[k].extent));
    }
    for (size_t i = 0; i < e->program->values.count; i++)
        used = used || text_mentions(body->text.bytes,
                                     name_of_variable(e, e->program->values.item[i].variable));
    if (used)
        text_print(body->around, "    const struct %s_frame *const frame = &all;\n", e->name);
}

static void end_body(struct emission *e, struct body *body, bool with_values)
{
    e->out = body->around;
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->inputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            print_frame_name(e, body, buffer->axis[k].extent);
    }
    for (size_t i = 0; with_values && i < e->program->values.count; i++)
        print_frame_name(e, body, e->program->values.item[i].variable);
    if (body->text.length)
        text_append(e->out, body->text.bytes, body->text.length);
}

/* In parentheses unless it is a name or a number. */
static void print_operand(struct emission *e, const struct expr *node)
{
    const bool plain = node->kind == EXPR_VARIABLE ||
                       (node->kind == EXPR_INTEGER && node->as.integer >= 0);
    text_print(e->out, plain ? "" : "(");
    emit_index(e, node);
    text_print(e->out, plain ? "" : ")");
}

static void print_values(struct emission *e)
{
    for (size_t i = 0; i < e->program->values.count; i++) {
        const struct named_value *value = &e->program->values.item[i];
        const char *name = name_of_variable(e, value->variable);
        text_print(e->out, "    const int64_t %s = ", name);
        emit_index(e, value->value);
        text_print(e->out, ";\n    frame->%s = %s;\n", name, name);
    }
}

/* A result can have no samples, or more along an axis than int32_t tells. */
static void print_result_check(struct emission *e, const struct buffer *buffer)
{
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *extent = buffer->axis[k].extent;
        const bool low = extent->interval.least < 1, high = extent->interval.greatest > INT32_MAX;
        if (!low && !high)
            continue;
        text_print(e->out, "    if (");
        if (low) {
            emit_index(e, extent);
            text_print(e->out, " < 1%s", high ? " || " : "");
        }
        if (high) {
            emit_index(e, extent);
            text_print(e->out, " > INT32_MAX");
        }
        text_print(e->out, ")\n        return %s_BAD_EXTENT;\n", name_upper(e, e->name));
    }
}

/* Everything about the inputs and parameters is checked, and extents follow. */
static void print_prepare(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "/* Checks inputs and parameters; sets extents. */\n"
                       "static int %s_prepare(struct %s_frame *frame",
               e->name, e->name);
    if (e->program->inputs.count + e->program->parameters.count)
        text_print(e->out, ", ");
    if (e->program->inputs.count + e->program->parameters.count)
        emit_parameters(e, false, false);
    text_print(e->out, ")\n{\n");
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->inputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        text_print(e->out, "    if (!%s)\n        return %s_NULL_POINTER;\n", name, upper);
        if (buffer->rank) {
            text_print(e->out, "    if (");
            for (unsigned k = 0; k < buffer->rank; k++)
                text_print(e->out, "%s%s->%s < 1", k ? " || " : "", name,
                           name_of_extent_field(e, buffer, k));
            text_print(e->out, ")\n        return %s_BAD_EXTENT;\n", upper);
            text_print(e->out, "    if ((double)%s->%s", name, name_of_extent_field(e, buffer, 0));
            for (unsigned k = 1; k < buffer->rank; k++)
                text_print(e->out, " * %s->%s", name, name_of_extent_field(e, buffer, k));
            text_print(e->out, " > 1099511627776.0)\n        return %s_BAD_EXTENT;\n", upper);
        }
        for (unsigned k = 0; k < buffer->rank; k++) {
            const char *extent = name_of_variable(e, buffer->axis[k].extent);
            text_print(e->out, "    const int64_t %s = %s->%s;\n    frame->%s = %s;\n", extent, name,
                       name_of_extent_field(e, buffer, k), extent, extent);
        }
    }
    for (size_t i = 0; i < e->program->parameters.count; i++)
        print_parameter_check(e, &e->program->parameters.item[i]);
    for (size_t i = 0; i < e->program->checks.count; i++) {
        text_print(e->out, "    if (!(");
        emit_value(e, e->program->checks.item[i].condition);
        text_print(e->out, "))\n        return %s_CHECK_%zu;\n", upper, i + 1);
    }
    print_values(e);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        print_result_check(e, buffer_of(e, e->program->outputs.item[i]));
    if (!e->program->inputs.count && !e->program->parameters.count && !e->program->values.count)
        text_print(e->out, "    (void)frame;\n");
    text_print(e->out, "    return %s_OK;\n}\n\n", upper);
}

static void print_prepare_call(struct emission *e)
{
    text_print(e->out, "%s_prepare(&all", e->name);
    if (e->program->inputs.count + e->program->parameters.count) {
        text_print(e->out, ", ");
        emit_parameters(e, true, false);
    }
    text_print(e->out, ")");
}

static void print_extents(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    struct body body;
    text_print(e->out, "int %s_extents(", e->name);
    emit_extents_parameters(e);
    text_print(e->out, ")\n{\n    struct %s_frame all;\n    const int status = ", e->name);
    print_prepare_call(e);
    text_print(e->out, ";\n    if (status != %s_OK)\n        return status;\n", upper);
    begin_body(e, &body);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->outputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        text_print(e->out, "    if (!%s)\n        return %s_NULL_POINTER;\n", name, upper);
        for (unsigned k = 0; k < buffer->rank; k++) {
            text_print(e->out, "    %s->%s = (int32_t)", name, name_of_extent_field(e, buffer, k));
            print_operand(e, buffer->axis[k].extent);
            text_print(e->out, ";\n");
        }
        for (unsigned k = buffer->rank; k-- > 0;) {
            text_print(e->out, "    %s->%s = ", name, name_of_stride_field(e, buffer, k));
            if (k + 1 == buffer->rank)
                text_print(e->out, "1;\n");
            else
                text_print(e->out, "%s->%s * %s->%s;\n", name, name_of_stride_field(e, buffer, k + 1),
                           name, name_of_extent_field(e, buffer, k + 1));
        }
    }
    text_print(&body.text, "    return %s_OK;\n}\n\n", upper);
    print_frame_pointer(e, &body);
    end_body(e, &body, true);
}

/* ---- Scratch memory ---- */

/* A caller's image whose last axis is not contiguous is worked on as a packed copy. */
static void print_needs_copy(struct emission *e, const struct buffer *buffer)
{
    text_print(e->out, "%s->%s != 1 && %s->%s > 1", name_of_buffer(e, buffer),
               name_of_stride_field(e, buffer, buffer->rank - 1), name_of_buffer(e, buffer),
               name_of_extent_field(e, buffer, buffer->rank - 1));
}

/* Moves `at` behind the buffer's samples, packed. */
static void print_room(struct emission *e, const struct buffer *buffer, const char *indent)
{
    text_print(e->out, "%sat = flt_behind(at, ", indent);
    for (unsigned k = 0; k < buffer->rank; k++)
        text_print(e->out, "flt_times(");
    text_print(e->out, "%u", scalar_info[buffer->scalar].bytes);
    for (unsigned k = 0; k < buffer->rank; k++) {
        text_print(e->out, ", ");
        emit_index(e, buffer->axis[k].extent);
        text_print(e->out, ")");
    }
    text_print(e->out, ");\n");
}

/* The buffers one after another in memory; with memory NULL it only measures. */
static void print_places(struct emission *e)
{
    for (size_t s = 0; s < e->program->slots.count; s++) {
        for (size_t i = 0; i < e->program->buffers.count; i++) {
            const struct buffer *buffer = &e->program->buffers.item[i];
            if (buffer->space == SPACE_SCRATCH && buffer->slot == s)
                text_print(e->out, "    if (memory)\n        frame->%s = (%s *)(void *)(memory + at);\n",
                           name_of_buffer(e, buffer), scalar_info[buffer->scalar].c_type);
        }
        print_room(e, buffer_of(e, e->program->slots.item[s]), "    ");
    }
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (buffer->space != SPACE_SCRATCH)
            continue;
        for (unsigned k = 0; k + 1 < buffer->rank; k++) {
            text_print(e->out, "    frame->%s = (ptrdiff_t)%s", name_of_stride(e, buffer, k),
                       k + 2 < buffer->rank ? "(" : "");
            for (unsigned inner = k + 1; inner < buffer->rank; inner++) {
                text_print(e->out, inner > k + 1 ? " * " : "");
                print_operand(e, buffer->axis[inner].extent);
            }
            text_print(e->out, k + 2 < buffer->rank ? ");\n" : ";\n");
        }
    }
    for (size_t i = 0; i < e->program->inputs.count + e->program->outputs.count; i++) {
        const bool output = i >= e->program->inputs.count;
        const struct buffer *buffer =
            buffer_of(e, output ? e->program->outputs.item[i - e->program->inputs.count]
                                : e->program->inputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        text_print(e->out, "    frame->%s = %s->data;\n", name, name);
        for (unsigned k = 0; k + 1 < buffer->rank; k++)
            text_print(e->out, "    frame->%s = %s->%s;\n", name_of_stride(e, buffer, k), name,
                       name_of_stride_field(e, buffer, k));
        if (buffer->rank == 0)
            continue;
        text_print(e->out, "    if (");
        print_needs_copy(e, buffer);
        text_print(e->out, ") { /* a packed copy */\n        if (memory)\n            frame->%s = (%s *)(void *)(memory + at);\n",
                   name, scalar_info[buffer->scalar].c_type);
        for (unsigned k = buffer->rank; k-- > 1;) {
            text_print(e->out, "        frame->%s = ", name_of_stride(e, buffer, k - 1));
            if (k + 1 == buffer->rank)
                text_print(e->out, "%s->%s;\n", name, name_of_extent_field(e, buffer, k));
            else
                text_print(e->out, "frame->%s * %s->%s;\n", name_of_stride(e, buffer, k), name,
                           name_of_extent_field(e, buffer, k));
        }
        print_room(e, buffer, "        ");
        text_print(e->out, "    }\n");
    }
}

static void print_layout(struct emission *e)
{
    struct body body;
    begin_body(e, &body);
    print_places(e);
    e->out = body.around;
    const char *const places = body.text.length ? body.text.bytes : "";
    if (text_mentions(places, "flt_times"))
        text_print(e->out,
                   "/* Sizes in bytes; 2^62 stands for all that is more. */\n"
                   "static uint64_t flt_times(uint64_t bytes, int64_t extent)\n{\n"
                   "    const uint64_t most = (uint64_t)1 << 62;\n"
                   "    return bytes > most / (uint64_t)extent ? most : bytes * (uint64_t)extent;\n}\n\n");
    if (text_mentions(places, "flt_behind"))
        text_print(e->out,
                   "/* The next multiple of 64 behind so many bytes. */\n"
                   "static uint64_t flt_behind(uint64_t at, uint64_t bytes)\n{\n"
                   "    const uint64_t most = (uint64_t)1 << 62;\n"
                   "    if (at > most - 64 || bytes > most - 64 - at)\n        return most;\n"
                   "    return (at + bytes + 63) / 64 * 64;\n}\n\n");
    text_print(e->out,
               "/* Gives each buffer its place in memory; where memory is NULL, only measures. */\n"
               "static uint64_t %s_layout(struct %s_frame *frame, char *memory",
               e->name, e->name);
    if (e->program->inputs.count)
        text_print(e->out, ", ");
    for (size_t i = 0; i < e->program->inputs.count + e->program->outputs.count; i++) {
        const bool output = i >= e->program->inputs.count;
        const char *name = name_of_buffer(
            e, buffer_of(e, output ? e->program->outputs.item[i - e->program->inputs.count]
                                   : e->program->inputs.item[i]));
        text_print(e->out, "%sconst struct %s_%s *%s",
                   i || !e->program->inputs.count ? ", " : "", e->name, name, name);
    }
    text_print(e->out, ")\n{\n    uint64_t at = 0;\n");
    if (!text_mentions(places, "memory"))
        text_print(e->out, "    (void)memory;\n");
    end_body(e, &body, true);
    text_print(e->out, "    return at;\n}\n\n");
}

static void print_layout_call(struct emission *e, const char *memory)
{
    text_print(e->out, "%s_layout(&all, %s", e->name, memory);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        text_print(e->out, ", %s", name_of_buffer(e, buffer_of(e, e->program->inputs.item[i])));
    for (size_t i = 0; i < e->program->outputs.count; i++)
        text_print(e->out, ", %s", name_of_buffer(e, buffer_of(e, e->program->outputs.item[i])));
    text_print(e->out, ")");
}

/* The output that the caller gives is the one the filter makes, and not an input. */
static void print_check_output(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "/* Checks everything; sets all of the frame but the scratch memory. */\n"
                       "static int %s_check(struct %s_frame *frame, ",
               e->name, e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ", int threads)\n{\n    struct %s_frame all;\n    int status;\n", e->name);
    for (size_t i = 0; i < e->program->inputs.count; i++) {
        const char *name = name_of_buffer(e, buffer_of(e, e->program->inputs.item[i]));
        text_print(e->out, "    if (!%s || !%s->data)\n        return %s_NULL_POINTER;\n", name, name,
                   upper);
    }
    text_print(e->out, "    memset(&all, 0, sizeof all);\n    status = ");
    print_prepare_call(e);
    text_print(e->out, ";\n    if (status != %s_OK)\n        return status;\n    *frame = all;\n", upper);
    struct body body;
    begin_body(e, &body);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->outputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        text_print(e->out, "    if (!%s || !%s->data)\n        return %s_NULL_POINTER;\n", name, name,
                   upper);
        for (unsigned k = 0; k < buffer->rank; k++) {
            text_print(e->out, "    if (%s->%s != ", name, name_of_extent_field(e, buffer, k));
            emit_index(e, buffer->axis[k].extent);
            text_print(e->out, ")\n        return %s_BAD_OUTPUT;\n", upper);
        }
        for (size_t k = 0; k < e->program->inputs.count; k++)
            text_print(e->out, "    if ((const void *)%s->data == (const void *)%s->data)\n"
                               "        return %s_OVERLAP;\n",
                       name, name_of_buffer(e, buffer_of(e, e->program->inputs.item[k])), upper);
    }
    end_body(e, &body, true);
    text_print(e->out, "    frame->threads = flt_threads(threads);\n    frame->fast = %s_is_fast();\n"
                       "    return %s_OK;\n}\n\n",
               e->name, upper);
}

static void print_scratch_bytes(struct emission *e)
{
    text_print(e->out, "size_t %s_scratch_bytes(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ", int threads)\n{\n    struct %s_frame all;\n    if (%s_check(&all, ", e->name,
               e->name);
    emit_parameters(e, true, true);
    text_print(e->out, ", threads) != %s_OK)\n        return 0;\n    {\n        const uint64_t bytes = ",
               name_upper(e, e->name));
    print_layout_call(e, "NULL");
    text_print(e->out, ";\n        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;\n    }\n}\n\n");
}

/* ---- Running ---- */

static void print_copy_loops(struct emission *e, const struct buffer *buffer)
{
    const char *name = name_of_buffer(e, buffer);
    const bool output = buffer->space == SPACE_OUTPUT;
    text_print(e->out, "    if (");
    print_needs_copy(e, buffer);
    text_print(e->out, ") {\n        %s%s *FLT_RESTRICT const packed = (%s%s *)(uintptr_t)all.%s;\n",
               output ? "const " : "", scalar_info[buffer->scalar].c_type, output ? "const " : "",
               scalar_info[buffer->scalar].c_type, name);
    e->out->indent = 8;
    for (unsigned k = 0; k < buffer->rank; k++) {
        text_print(e->out, "for (int64_t i%u = 0; i%u < %s->%s; i%u++)\n", k, k, name,
                   name_of_extent_field(e, buffer, k), k);
        e->out->indent += 4;
    }
    struct text packed = text_create(e->arena), strided = text_create(e->arena);
    for (unsigned k = 0; k < buffer->rank; k++) {
        if (k + 1 < buffer->rank)
            text_print(&packed, "i%u * all.%s + ", k, name_of_stride(e, buffer, k));
        else
            text_print(&packed, "i%u", k);
        text_print(&strided, "%si%u * %s->%s", k ? " + " : "", k, name,
                   name_of_stride_field(e, buffer, k));
    }
    if (output)
        text_print(e->out, "%s->data[%s] = packed[%s];\n", name, strided.bytes, packed.bytes);
    else
        text_print(e->out, "packed[%s] = %s->data[%s];\n", packed.bytes, name, strided.bytes);
    e->out->indent = 0;
    text_print(e->out, "    }\n");
}

static void print_launches(struct emission *e)
{
    const struct statement *body = e->program->body;
    text_print(e->out, "static void %s_kernels(const struct %s_frame *frame)\n{\n", e->name, e->name);
    name_forget_locals(e);
    struct body text;
    begin_body(e, &text);
    e->out->indent = 4;
    const size_t count = body->kind == STATEMENT_BLOCK ? body->as.block.count : 1;
    for (size_t i = 0; i < count; i++) {
        const struct statement *kernel =
            body->kind == STATEMENT_BLOCK ? body->as.block.item[i] : body;
        e->dialect->launch(e, kernel, name_of_kernel(e, kernel));
    }
    e->out->indent = 0;
    end_body(e, &text, true);
    text_print(e->out, "}\n\n");
}

static void print_run(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "int %s_run(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ", void *scratch, size_t scratch_bytes, int threads)\n{\n    struct %s_frame all;\n"
                       "    const int status = %s_check(&all, ",
               e->name, e->name);
    emit_parameters(e, true, true);
    text_print(e->out, ", threads);\n    if (status != %s_OK)\n        return status;\n    {\n"
                       "        const uint64_t bytes = ",
               upper);
    print_layout_call(e, "NULL");
    text_print(e->out, ";\n        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch %% 64)\n"
                       "            return %s_BAD_SCRATCH;\n    }\n    (void)",
               upper);
    print_layout_call(e, "(char *)scratch");
    text_print(e->out, ";\n");
    for (size_t i = 0; i < e->program->inputs.count; i++)
        if (buffer_of(e, e->program->inputs.item[i])->rank)
            print_copy_loops(e, buffer_of(e, e->program->inputs.item[i]));
    text_print(e->out, "    %s_kernels(&all);\n", e->name);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        if (buffer_of(e, e->program->outputs.item[i])->rank)
            print_copy_loops(e, buffer_of(e, e->program->outputs.item[i]));
    text_print(e->out, "    return %s_OK;\n}\n\n", upper);
}

static void print_allocating(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "int %s(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out, ", int threads)\n{\n    struct %s_frame all;\n    int status = %s_check(&all, ",
               e->name, e->name);
    emit_parameters(e, true, true);
    text_print(e->out, ", threads);\n    char *block;\n    uint64_t bytes;\n"
                       "    if (status != %s_OK)\n        return status;\n    bytes = ",
               upper);
    print_layout_call(e, "NULL");
    text_print(e->out,
               ";\n    if (bytes > SIZE_MAX - 64)\n        return %s_NO_MEMORY;\n"
               "    block = (char *)malloc((size_t)bytes + 64);\n"
               "    if (!block)\n        return %s_NO_MEMORY;\n    status = %s_run(",
               upper, upper, e->name);
    emit_parameters(e, true, true);
    text_print(e->out, ", block + (64 - (uintptr_t)block %% 64), (size_t)bytes, threads);\n"
                       "    free(block);\n    return status;\n}\n\n");
}

/* ---- Regions ---- */

struct region_print {
    struct emission *e;
    struct hash_map uses, named;
    unsigned count;
};

static void count_uses(const struct expr *node, void *user)
{
    struct region_print *r = user;
    for (unsigned i = 0; i < node->count; i++) {
        const uintptr_t uses = (uintptr_t)hash_map_find(&r->uses, node->operand[i]);
        hash_map_put(r->e->arena, &r->uses, node->operand[i], (void *)(uses + 1));
    }
}

static const struct expr *name_shared(const struct expr *node, void *user)
{
    struct region_print *r = user;
    if (node->count == 0 || ((uintptr_t)hash_map_find(&r->uses, node) < 2 && node->depth % 8 != 0))
        return node;
    const struct expr *variable = expr_variable(
        &r->e->session->pool, VARIABLE_LOCAL,
        symbol_format(&r->e->session->symbols, "part.%u", ++r->count), SCALAR_I64, node->interval);
    text_print(r->e->out, "    const int64_t %s = ", name_of_variable(r->e, variable));
    emit_index(r->e, node);
    text_print(r->e->out, ";\n");
    return variable;
}

static void print_region(struct emission *e, const struct input_region *region)
{
    const struct buffer *buffer = buffer_of(e, region->input);
    name_forget_locals(e);
    text_print(e->out, "int %s_region_of_%s(", e->name, name_of_buffer(e, buffer));
    emit_parameters(e, false, false);
    struct body body;
    text_print(e->out,
               ", const int64_t *output_box, int64_t *input_box)\n{\n    struct %s_frame all;\n"
               "    const int status = ",
               e->name);
    print_prepare_call(e);
    text_print(e->out, ";\n    if (status != %s_OK)\n        return status;\n"
                       "    if (!output_box || !input_box)\n        return %s_NULL_POINTER;\n",
               name_upper(e, e->name), name_upper(e, e->name));
    begin_body(e, &body);
    struct region_print r = {.e = e};
    struct expr_walk walk = {.scratch = e->arena};
    for (unsigned k = 0; k < buffer->rank; k++) {
        expr_visit(&walk, region->first[k], count_uses, &r);
        expr_visit(&walk, region->end[k], count_uses, &r);
    }
    struct expr_rewriter rewriter = {.pool = &e->session->pool,
                                     .rule = name_shared,
                                     .context = &r,
                                     .scratch = e->arena};
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *end[2] = {region->first[k], region->end[k]};
        for (int i = 0; i < 2; i++) {
            const struct expr *value = expr_rewrite(&rewriter, end[i]);
            text_print(e->out, "    input_box[%u] = ", 2 * k + (unsigned)i);
            emit_index(e, value);
            text_print(e->out, ";\n");
        }
    }
    text_print(e->out, "    return %s_OK;\n}\n\n", name_upper(e, e->name));
    print_frame_pointer(e, &body);
    struct text *const text = body.around;
    for (size_t i = 0; i < e->program->region_variables.count; i++) {
        const char *name = name_of_variable(e, e->program->region_variables.item[i]);
        if (text_mentions(body.text.bytes, name))
            text_print(text, "    const int64_t %s = output_box[%zu];\n", name, i);
    }
    end_body(e, &body, false);
}

void emit_host(struct emission *e)
{
    print_launches(e);
    print_status_text(e);
    print_prepare(e);
    print_extents(e);
    print_layout(e);
    print_check_output(e);
    print_scratch_bytes(e);
    print_run(e);
    print_allocating(e);
    for (size_t i = 0; e->program->region_variables.count && i < e->program->regions.count; i++)
        print_region(e, &e->program->regions.item[i]);
}

/* ---- One entry for all filters ---- */

/* int flt_generic_run(int what, void *const *data, int32_t *const *extents,
 *                     const ptrdiff_t *const *strides, const void *const *parameters, int threads)
 * Images and parameters in the order of the signature, the output last. what 0: set the output's
 * extents; 1: run. */
void emit_generic_entry(struct emission *e)
{
    text_print(e->out,
               "/* Called by the command that compiled this file. */\n"
               "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
               "int flt_generic_run%s(int what, void *const *data, int32_t *const *extents,\n"
               "                    const ptrdiff_t *const *strides, const void *const *parameters, "
               "int threads);\n"
               "const char *flt_generic_text%s(int status);\n"
               "#ifdef __cplusplus\n}\n#endif\n"
               "const char *flt_generic_text%s(int status)\n{\n    return %s_status_text(status);\n}\n"
               "int flt_generic_run%s(int what, void *const *data, int32_t *const *extents,\n"
               "                    const ptrdiff_t *const *strides, const void *const *parameters, "
               "int threads)\n{\n",
               e->options->entry_suffix, e->options->entry_suffix, e->options->entry_suffix, e->name,
               e->options->entry_suffix);
    const size_t inputs = e->program->inputs.count, outputs = e->program->outputs.count;
    for (size_t i = 0; i < inputs + outputs; i++) {
        const bool output = i >= inputs;
        const struct buffer *buffer = buffer_of(e, output ? e->program->outputs.item[i - inputs]
                                                          : e->program->inputs.item[i]);
        text_print(e->out, "    %sstruct %s_%s image_%zu = {(%s%s *)data[%zu]", output ? "" : "const ",
                   e->name, name_of_buffer(e, buffer), i, output ? "" : "const ",
                   scalar_info[buffer->scalar].c_type, i);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", extents[%zu][%u]", i, k);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, ", strides[%zu][%u]", i, k);
        text_print(e->out, "};\n");
    }
    struct text arguments = text_create(e->arena);
    for (size_t i = 0; i < inputs; i++)
        text_print(&arguments, "%s&image_%zu", i ? ", " : "", i);
    for (size_t i = 0; i < e->program->parameters.count; i++)
        text_print(&arguments, "%s*(const %s *)parameters[%zu]", i || inputs ? ", " : "",
                   scalar_info[e->program->parameters.item[i].scalar].c_type, i);
    const char *comma = arguments.length ? ", " : "";
    const char *given = arguments.length ? arguments.bytes : "";
    text_print(e->out, "    (void)parameters;\n    if (what == 0) {\n        const int status = %s_extents(%s%s", e->name,
               given, comma);
    for (size_t i = 0; i < outputs; i++)
        text_print(e->out, "%s&image_%zu", i ? ", " : "", inputs + i);
    text_print(e->out, ");\n");
    for (size_t i = 0; i < outputs; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->outputs.item[i]);
        for (unsigned k = 0; k < buffer->rank; k++)
            text_print(e->out, "        extents[%zu][%u] = image_%zu.%s;\n", inputs + i, k, inputs + i,
                       name_of_extent_field(e, buffer, k));
    }
    text_print(e->out, "        return status;\n    }\n    return %s(%s%s", e->name, given, comma);
    for (size_t i = 0; i < outputs; i++)
        text_print(e->out, "%s&image_%zu", i ? ", " : "", inputs + i);
    text_print(e->out, ", threads);\n}\n");
}
