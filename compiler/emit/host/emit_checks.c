/* Checks of what the caller gives: inputs, parameters, outputs. */
#include "emit/emission.h"
#include "emit/host/host.h"

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
                emit_value(e, &on_host, p->least);
            }
            text_print(e->out, lowest || highest ? "" : " && ");
            if (!highest) {
                text_print(e->out, "%s <= ", name);
                emit_value(e, &on_host, p->greatest);
            }
            text_print(e->out, "))\n        return %s_BAD_PARAMETER;\n", name_upper(e, e->name));
        }
    }
    text_print(e->out, "    frame->%s = %s;\n", name, name);
}

static void print_values(struct emission *e)
{
    for (size_t i = 0; i < e->program->values.count; i++) {
        const struct named_value *value = &e->program->values.item[i];
        const char *name = name_of_variable(e, value->variable);
        text_print(e->out, "    const int64_t %s = ", name);
        emit_index(e, &on_host, value->value);
        text_print(e->out, ";\n    frame->%s = %s;\n", name, name);
    }
}

/* A result can have no samples, or more along an axis than int32_t tells. */
static void print_result_check(struct emission *e, const struct buffer *buffer)
{
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *extent = buffer->axis[k].extent;
        const bool low = extent->interval.least<1, high = extent->interval.greatest> INT32_MAX;
        if (!low && !high)
            continue;
        text_print(e->out, "    if (");
        if (low) {
            emit_index(e, &on_host, extent);
            text_print(e->out, " < 1%s", high ? " || " : "");
        }
        if (high) {
            emit_index(e, &on_host, extent);
            text_print(e->out, " > INT32_MAX");
        }
        text_print(e->out, ")\n        return %s_BAD_EXTENT;\n", name_upper(e, e->name));
    }
}

/* ---- Conditions ---- */

/* What conditions compute more than once is computed before the first of them: the coefficients of
 * a recurrence are, many times. */
struct shared_parts {
    struct emission *e;
    struct hash_map uses; /* node → number of uses */
    struct expr_rewriter rewriter;
    unsigned count;
};

static void count_operands(const struct expr *node, void *user)
{
    struct shared_parts *parts = user;
    for (unsigned i = 0; i < node->count; i++) {
        const uintptr_t uses = (uintptr_t)hash_map_find(&parts->uses, node->operand[i]);
        hash_map_put(parts->e->arena, &parts->uses, node->operand[i], (void *)(uses + 1));
    }
}

static const struct expr *name_part(const struct expr *node, void *user)
{
    enum { WORTH_DEPTH = 3 };
    struct shared_parts *parts = user;
    const struct expr *original = parts->rewriter.original;
    if (original->depth < WORTH_DEPTH || (uintptr_t)hash_map_find(&parts->uses, original) < 2)
        return node;
    struct emission *e = parts->e;
    const struct expr *variable =
        expr_variable(&e->session->pool, VARIABLE_LOCAL,
                      symbol_format(&e->session->symbols, "part.%u", ++parts->count), node->scalar,
                      node->interval);
    text_print(e->out, "    ");
    emit_let(e, &on_host, variable, node);
    return variable;
}

static void print_conditions(struct emission *e)
{
    name_forget_locals(e);
    struct shared_parts parts = {.e = e};
    struct expr_walk walk = {.scratch = e->arena};
    parts.rewriter = (struct expr_rewriter){
        .pool = &e->session->pool, .rule = name_part, .context = &parts, .scratch = e->arena};
    for (size_t i = 0; i < e->program->checks.count; i++)
        expr_visit(&walk, e->program->checks.item[i].condition, count_operands, &parts);
    for (size_t i = 0; i < e->program->checks.count; i++) {
        const struct expr *condition =
            expr_rewrite(&parts.rewriter, e->program->checks.item[i].condition);
        text_print(e->out, "    if (!(");
        emit_value(e, &on_host, condition);
        text_print(e->out, "))\n        return %s_CHECK_%zu;\n", name_upper(e, e->name), i + 1);
    }
}

static void print_measure_head(struct emission *e, const char *begin, const char *function)
{
    text_print(e->out, "%sint %s_%s(struct %s_frame *frame", begin, e->name, function, e->name);
    if (e->program->inputs.count + e->program->parameters.count) {
        text_print(e->out, ", ");
        emit_parameters(e, false, false);
    }
    text_print(e->out, ")\n{\n");
}

/* A function of its own: its arithmetic stays between the calls that set how the processor
 * computes. */
static void print_measure_floats(struct emission *e)
{
    print_measure_head(e, "static ", "measure");
    text_print(e->out, "    const struct flt_floats flt_caller = flt_begin_floats();\n"
                       "    const int status = ");
    print_call_of(e, "measure_exactly", "frame");
    text_print(e->out, ";\n    flt_end_floats(flt_caller);\n    return status;\n}\n\n");
}

/* Of an input: it is checked where it is known. */
static void print_extent(struct emission *e, const struct buffer *buffer, unsigned axis)
{
    const struct expr *extent = buffer->axis[axis].extent;
    const char *given = arena_format(e->arena, "%s->%s", name_of_buffer(e, buffer),
                                     name_of_extent_field(e, buffer, axis));
    if (extent->kind == EXPR_INTEGER) {
        text_print(e->out, "    if (%s != %lld)\n        return %s_OTHER_EXTENT;\n", given,
                   (long long)extent->as.integer, name_upper(e, e->name));
        return;
    }
    const char *name = name_of_variable(e, extent);
    text_print(e->out, "    const int64_t %s = %s;\n    frame->%s = %s;\n", name, given, name,
               name);
}

/* Everything about the inputs and parameters is checked, and extents follow. */
void print_measure(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    text_print(e->out, "/* Checks inputs and parameters; sets extents. */\n");
    print_measure_head(e, e->host_has_floats ? "static FLT_APART " : "static ",
                       e->host_has_floats ? "measure_exactly" : "measure");
    if (host_asks_fused(e))
        text_print(e->out, "    if (FLT_LOOSE)\n        return %s_BAD_OPTIONS;\n", upper);
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
        for (unsigned k = 0; k < buffer->rank; k++)
            print_extent(e, buffer, k);
    }
    for (size_t i = 0; i < e->program->parameters.count; i++)
        print_parameter_check(e, &e->program->parameters.item[i]);
    print_conditions(e);
    print_values(e);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        print_result_check(e, buffer_of(e, e->program->outputs.item[i]));
    if (!e->program->inputs.count && !e->program->parameters.count && !e->program->values.count)
        text_print(e->out, "    (void)frame;\n");
    text_print(e->out, "    return %s_OK;\n}\n\n", upper);
    if (e->host_has_floats)
        print_measure_floats(e);
}

void print_extents(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    struct body body;
    text_print(e->out, "int %s_extents(", e->name);
    emit_extents_parameters(e);
    text_print(e->out, ")\n{\n    struct %s_frame all;\n    const int status = ", e->name);
    print_measure_call(e);
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
        print_packed_strides(e, buffer, arena_format(e->arena, "%s->", name));
    }
    text_print(&body.text, "    return %s_OK;\n}\n\n", upper);
    print_frame_pointer(e, &body);
    end_body(e, &body, true);
}

/* What is compared: addresses, or objects of a device and places in them. */
static void print_same(struct emission *e, const char *name, const char *other, bool on_device)
{
    if (on_device)
        text_print(e->out, "    if (%s->memory == %s->memory && %s->first == %s->first)\n", name,
                   other, name, other);
    else
        text_print(e->out, "    if ((const void *)%s->data == (const void *)%s->data)\n", name,
                   other);
    text_print(e->out, "        return %s_OVERLAP;\n", name_upper(e, e->name));
}

static void print_null_check(struct emission *e, const char *name, const char *member)
{
    text_print(e->out, "    if (!%s%s%s%s%s)\n        return %s_NULL_POINTER;\n", name,
               member ? " || !" : "", member ? name : "", member ? "->" : "", member ? member : "",
               name_upper(e, e->name));
}

static void open_check(struct emission *e, const char *comment, const char *function)
{
    text_print(e->out, "/* %s */\nstatic int %s_%s(struct %s_frame *frame, ", comment, e->name,
               function, e->name);
    emit_parameters(e, false, true);
    text_print(e->out, "%s)\n{\n", e->dialect->host->parameter);
}

/* Extents of the outputs that the caller gives are those that the filter makes. */
static void print_check_of_shapes(struct emission *e)
{
    const char *upper = name_upper(e, e->name);
    open_check(e, "Checks all but memory of images; sets all of the frame but the scratch memory.",
               "check_shapes");
    text_print(e->out, "    struct %s_frame all;\n    int status;\n", e->name);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        print_null_check(e, name_of_buffer(e, buffer_of(e, e->program->inputs.item[i])), NULL);
    text_print(e->out, "    memset(&all, 0, sizeof all);\n    status = ");
    print_measure_call(e);
    text_print(e->out, ";\n    if (status != %s_OK)\n        return status;\n    *frame = all;\n",
               upper);
    struct body body;
    begin_body(e, &body);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const struct buffer *buffer = buffer_of(e, e->program->outputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        print_null_check(e, name, NULL);
        for (unsigned k = 0; k < buffer->rank; k++) {
            text_print(e->out, "    if (%s->%s != ", name, name_of_extent_field(e, buffer, k));
            emit_index(e, &on_host, buffer->axis[k].extent);
            text_print(e->out, ")\n        return %s_BAD_OUTPUT;\n", upper);
        }
    }
    end_body(e, &body, true);
    text_print(e->out, "%s    return %s_OK;\n}\n\n", e->dialect->host->set_frame, upper);
}

/* No output is an input, or another output. */
static void print_check(struct emission *e, const char *function, bool on_device)
{
    const char *upper = name_upper(e, e->name), *member = on_device ? "memory" : "data";
    open_check(e, "Checks everything; sets all of the frame but the scratch memory.", function);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        print_null_check(e, name_of_buffer(e, buffer_of(e, e->program->inputs.item[i])), member);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const char *name = name_of_buffer(e, buffer_of(e, e->program->outputs.item[i]));
        print_null_check(e, name, member);
    }
    text_print(e->out, "    const int status = %s_check_shapes(frame, ", e->name);
    emit_parameters(e, true, true);
    text_print(e->out, "%s);\n    if (status != %s_OK)\n        return status;\n",
               e->dialect->host->argument, upper);
    for (size_t i = 0; i < e->program->outputs.count; i++) {
        const char *name = name_of_buffer(e, buffer_of(e, e->program->outputs.item[i]));
        for (size_t k = 0; k < e->program->inputs.count; k++)
            print_same(e, name, name_of_buffer(e, buffer_of(e, e->program->inputs.item[k])),
                       on_device);
        for (size_t k = 0; k < i; k++)
            print_same(e, name, name_of_buffer(e, buffer_of(e, e->program->outputs.item[k])),
                       on_device);
    }
    text_print(e->out, "    return %s_OK;\n}\n\n", upper);
}

void print_checks(struct emission *e)
{
    print_check_of_shapes(e);
    print_check(e, "check", false);
    if (e->dialect->host->object)
        print_check(e, "check_objects", true);
}
