/* Printing of expressions: first counts how often each operation of a piece is used, then prints
 * each once. Text and time are linear in the number of distinct operations. */
#include "expr/expr_print.h"

#include <inttypes.h>
#include <stdlib.h>

/* A deeper operation gets a line of its own, which keeps lines short and the reader's stack small.
 */
enum { MOST_NESTED = 12 };

struct expr_use {
    const struct expr *node;
    unsigned count;  /* of the places that use it */
    unsigned height; /* of its text, in nested operations; 0: has a line of its own */
    unsigned number; /* of its line; 0: none */
};

struct expr_printer expr_printer_open(struct text *text, const struct expr_source source[],
                                      size_t source_count)
{
    return (struct expr_printer){
        .text = text, .source = source, .source_count = source_count, .names.arena = text->arena};
}

static unsigned count_uses(struct expr_printer *printer, const struct expr *node)
{
    if (!node || node->count == 0)
        return 0;
    struct expr_use *use = hash_map_find(&printer->uses, node);
    if (use) {
        use->count++;
        return use->height;
    }
    use = ARENA_NEW(printer->text->arena, struct expr_use);
    *use = (struct expr_use){.node = node, .count = 1};
    hash_map_put(printer->text->arena, &printer->uses, node, use);
    unsigned deepest = 0;
    const struct border *border = node->kind == EXPR_LOAD ? node->as.load.border : NULL;
    for (unsigned i = 0; i < node->count; i++) {
        const struct border none = {0}, *rule = border ? &border[i] : &none;
        const struct expr *const part[4] = {node->operand[i], rule->value, rule->first,
                                            rule->extent};
        for (int k = 0; k < 4; k++) {
            const unsigned height = count_uses(printer, part[k]);
            deepest = height > deepest ? height : deepest;
        }
    }
    use->height = deepest == MOST_NESTED ? 0 : deepest + 1;
    VECTOR_PUSH(printer->text->arena, &printer->order, use);
    return use->height;
}

void expr_print_type(struct text *text, enum scalar scalar, struct interval interval)
{
    const struct interval whole = scalar_info[scalar].interval;
    text_print(text, "%s", scalar_info[scalar].text);
    if (!scalar_is_float(scalar) &&
        (interval.least != whole.least || interval.greatest != whole.greatest))
        text_print(text, " %" PRId64 " .. %" PRId64, interval.least, interval.greatest);
}

static void print_variable(struct expr_printer *printer, const struct expr *node)
{
    const char *spelling = hash_map_find(&printer->spelling, node);
    if (!spelling) {
        spelling = ir_spell(&printer->names, node->as.variable.name);
        hash_map_put(printer->text->arena, &printer->spelling, node, (char *)(uintptr_t)spelling);
        VECTOR_PUSH(printer->text->arena, &printer->variables, node);
    }
    text_print(printer->text, "%s", spelling);
}

static void print_operands(struct expr_printer *printer, const struct expr *node)
{
    for (unsigned i = 0; i < node->count; i++) {
        text_print(printer->text, "%s", i ? ", " : "");
        expr_print(printer, node->operand[i]);
    }
}

static void print_border(struct expr_printer *printer, const struct border *border)
{
    if (border->rule == BORDER_NONE)
        return;
    text_print(printer->text, " %s", border_text[border->rule]);
    if (border->value) {
        text_print(printer->text, "(");
        expr_print(printer, border->value);
        text_print(printer->text, ")");
    }
    if (border->first || border->extent) {
        text_print(printer->text, " from ");
        expr_print(printer, border->first);
        text_print(printer->text, " extent ");
        expr_print(printer, border->extent);
    }
}

static bool same_type(const struct expr *load, const struct expr_source *source)
{
    return load->scalar == source->scalar &&
           (scalar_is_float(load->scalar) ||
            (load->interval.least == source->interval.least &&
             load->interval.greatest == source->interval.greatest));
}

static void print_load(struct expr_printer *printer, const struct expr *node)
{
    struct text *text = printer->text;
    const uint32_t id = node->as.load.source;
    const bool known = id < printer->source_count;
    if (known)
        text_print(text, "%s[", printer->source[id].text);
    else
        text_print(text, "#%u[", id);
    for (unsigned i = 0; i < node->count; i++) {
        text_print(text, "%s", i ? ", " : "");
        expr_print(printer, node->operand[i]);
        if (node->as.load.border)
            print_border(printer, &node->as.load.border[i]);
    }
    text_print(text, "]");
    if (!known || !same_type(node, &printer->source[id])) {
        text_print(text, ":");
        expr_print_type(text, node->scalar, node->interval);
    }
}

static void print_reduce(struct expr_printer *printer, const struct expr *node)
{
    struct text *text = printer->text;
    const struct expr_reduction *shape = &node->as.reduce;
    const unsigned condition = 1 + (unsigned)shape->fused;
    const unsigned counts = condition + (unsigned)shape->has_condition;
    text_print(text, "reduce(%s%s%s%s%s, [", reduction_text[shape->operation],
               shape->fused ? " fused" : "", shape->order == ORDER_INDEX ? "" : " ",
               reduction_order_text[shape->order], node->fast ? " fast" : "");
    for (unsigned i = 0; i < shape->rank; i++) {
        const struct expr_range *range = &shape->range[i];
        text_print(text, "%s", i ? ", " : "");
        ir_print_name(text, range->variable);
        text_print(text, " from %" PRId64 " extent %" PRId64, range->first, range->extent);
        if (shape->counted) {
            text_print(text, " count ");
            expr_print(printer, node->operand[counts + i]);
        }
    }
    text_print(text, "]");
    for (unsigned i = 0; i < counts; i++) {
        text_print(text, i == condition ? ", where " : ", ");
        expr_print(printer, node->operand[i]);
    }
    if (shape->order == ORDER_RUN) {
        text_print(text, ", of ");
        expr_print(printer, node->operand[node->count - 1]);
    }
    text_print(text, ")");
}

static void print_external(struct expr_printer *printer, const struct expr *node)
{
    struct text *text = printer->text;
    const struct external *function = node->as.external;
    text_print(text, "external(%s ", scalar_info[function->result].text);
    ir_print_name(text, function->name);
    text_print(text, " from ");
    ir_print_text(text, function->header->text);
    for (unsigned i = 0; i < node->count; i++) {
        text_print(text, ", %s ", scalar_info[function->parameter[i]].text);
        expr_print(printer, node->operand[i]);
    }
    text_print(text, ")");
}

static void print_node(struct expr_printer *printer, const struct expr *node)
{
    struct text *text = printer->text;
    switch (expr_info[node->kind].shape) {
    case SHAPE_LEAF:
        if (node->kind == EXPR_VARIABLE) {
            print_variable(printer, node);
        } else if (node->kind == EXPR_REAL) {
            text_real(text, node->as.real, node->scalar == SCALAR_F32 ? 32 : 64);
            text_print(text, ":%s", scalar_info[node->scalar].text);
        } else if (node->scalar == SCALAR_BOOL) {
            text_print(text, node->as.integer ? "true" : "false");
        } else {
            text_print(text, "%" PRId64, node->as.integer);
        }
        break;
    case SHAPE_FUNCTION:
        text_print(text, "%s%s(", node->fast ? "fast_" : "", expr_info[node->kind].text);
        print_operands(printer, node);
        text_print(text, ")");
        break;
    case SHAPE_SPECIAL:
        if (node->kind == EXPR_LOAD) {
            print_load(printer, node);
        } else if (node->kind == EXPR_REDUCE) {
            print_reduce(printer, node);
        } else if (node->kind == EXPR_EXTERNAL) {
            print_external(printer, node);
        } else {
            text_print(text, "convert(%s, %s, ", conversion_text[node->as.convert],
                       scalar_info[node->scalar].text);
            print_operands(printer, node);
            text_print(text, ")");
        }
        break;
    }
}

void expr_print(struct expr_printer *printer, const struct expr *node)
{
    if (!node) {
        text_print(printer->text, "none");
        return;
    }
    const struct expr_use *use = hash_map_find(&printer->uses, node);
    if (use && use->number)
        text_print(printer->text, "%%%u", use->number);
    else
        print_node(printer, node);
}

void expr_print_shared(struct expr_printer *printer, size_t count, const struct expr *const root[])
{
    printer->uses = (struct hash_map){0};
    printer->order.count = 0;
    for (size_t i = 0; i < count; i++)
        count_uses(printer, root[i]);
    unsigned number = 0;
    for (size_t i = 0; i < printer->order.count; i++) {
        struct expr_use *use = printer->order.item[i];
        if (use->count == 1 && use->height > 0)
            continue;
        text_print(printer->text, "%%%u = ", number + 1);
        print_node(printer, use->node);
        text_print(printer->text, "\n");
        use->number = ++number;
    }
}

static int by_id(const void *a, const void *b)
{
    const struct expr *const *one = a, *const *other = b;
    return ((*one)->id > (*other)->id) - ((*one)->id < (*other)->id);
}

void expr_print_variables(const struct expr_printer *printer, struct text *text)
{
    const struct expr **variable =
        ARENA_ARRAY(text->arena, const struct expr *, printer->variables.count + 1);
    for (size_t i = 0; i < printer->variables.count; i++)
        variable[i] = printer->variables.item[i];
    qsort(variable, printer->variables.count, sizeof *variable, by_id);
    for (size_t i = 0; i < printer->variables.count; i++) {
        const struct expr *node = variable[i];
        text_print(text, "variable %s : %s ", (const char *)hash_map_find(&printer->spelling, node),
                   variable_kind_text[node->as.variable.kind]);
        expr_print_type(text, node->scalar, node->interval);
        text_print(text, "\n");
    }
}
