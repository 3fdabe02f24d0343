/* The functions that compute which samples of an input a box of the output needs. */
#include "emit/emission.h"
#include "emit/host/host.h"
#include "loop/input_region.h"

struct region_print {
    struct emission *e;
    struct expr_uses uses;
    unsigned count;
};

static const struct expr *name_shared(const struct expr *node, void *user)
{
    struct region_print *r = user;
    if (node->count == 0 || (expr_uses_of(&r->uses, node) < 2 && node->depth % 8 != 0))
        return node;
    const struct expr *variable = expr_variable(
        &r->e->session->pool, VARIABLE_LOCAL,
        symbol_format(&r->e->session->symbols, "part.%u", ++r->count), SCALAR_I64, node->interval);
    text_print(r->e->out, "    const int64_t %s = ", name_of_variable(r->e, variable));
    emit_index(r->e, &on_host, node);
    text_print(r->e->out, ";\n");
    return variable;
}

void print_region(struct emission *e, const struct input_region *region)
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
    print_measure_call(e);
    text_print(e->out,
               ";\n    if (status != %s_OK)\n        return status;\n"
               "    if (!output_box || !input_box)\n        return %s_NULL_POINTER;\n",
               name_upper(e, e->name), name_upper(e, e->name));
    begin_body(e, &body);
    struct region_print r = {.e = e, .uses = {.walk = {.scratch = e->arena}}};
    const struct expr *bound[GRAPH_MAX_RANK][2];
    for (unsigned k = 0; k < buffer->rank; k++) {
        input_region_cut(&e->session->pool, e->program, region, k, &bound[k][0], &bound[k][1]);
        expr_uses_count(&r.uses, bound[k][0]);
        expr_uses_count(&r.uses, bound[k][1]);
    }
    struct expr_rewriter rewriter = {
        .pool = &e->session->pool, .rule = name_shared, .context = &r, .scratch = e->arena};
    for (unsigned k = 0; k < buffer->rank; k++) {
        for (int i = 0; i < 2; i++) {
            const struct expr *value = expr_rewrite(&rewriter, bound[k][i]);
            text_print(e->out, "    input_box[%u] = ", 2 * k + (unsigned)i);
            emit_index(e, &on_host, value);
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
