/* Reading of expressions. Operands are checked before a node is built, so that no text can make an
 * expression that the builder does not expect. */
#include "expr/expr_read.h"

#include "expr/expr_verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* In one line, and over all; printed lines stay far below the first. */
enum { MOST_NESTED = 200, MOST_DEPTH = 10000 };

struct known { /* a variable, or a numbered line */
    const struct expr *node;
    bool has_load;
};

static const struct expr *read_node(struct expr_reader *reader, unsigned nesting, bool *has_load);

struct expr_reader expr_reader_open(struct session *session, const char *name, const char *text,
                                    size_t length)
{
    return (struct expr_reader){.ir = ir_reader_open(session, name, text, length),
                                .pool = &session->pool};
}

static const struct expr *stand_in(struct expr_reader *reader)
{
    return expr_integer(reader->pool, 0);
}

static struct arena *scratch(struct expr_reader *reader)
{
    return reader->ir.session->scratch;
}

static void remember(struct expr_reader *reader, struct ir_token token, const struct expr *node,
                     bool has_load)
{
    struct known *known = ARENA_NEW(scratch(reader), struct known);
    *known = (struct known){node, has_load};
    hash_map_put_bytes(scratch(reader), &reader->known, token.start, token.length, known);
}

/* ---- Types, variables, sources ---- */

static enum scalar read_scalar(struct expr_reader *reader)
{
    const char *text[SCALAR_COUNT];
    for (unsigned i = 0; i < SCALAR_COUNT; i++)
        text[i] = scalar_info[i].text;
    const unsigned scalar = ir_expect_word(&reader->ir, text, SCALAR_COUNT, "a type");
    return scalar == SCALAR_COUNT ? SCALAR_I32 : (enum scalar)scalar;
}

enum scalar expr_read_type(struct expr_reader *reader, struct interval *interval)
{
    const enum scalar scalar = read_scalar(reader);
    *interval = scalar_info[scalar].interval;
    if (reader->ir.token.kind != IR_INTEGER || scalar_is_float(scalar))
        return scalar;
    const struct ir_token first = reader->ir.token;
    struct interval given = {.least = ir_next(&reader->ir).integer};
    ir_expect(&reader->ir, "..");
    given.greatest = ir_expect_kind(&reader->ir, IR_INTEGER).integer;
    if (reader->ir.failed)
        return scalar;
    if (given.least > given.greatest || !interval_inside(given, *interval))
        ir_fail_at(&reader->ir, first, "%s does not hold %" PRId64 " .. %" PRId64,
                   scalar_info[scalar].text, given.least, given.greatest);
    else
        *interval = given;
    return scalar;
}

void expr_read_variables(struct expr_reader *reader)
{
    struct ir_reader *ir = &reader->ir;
    while (ir_accept(ir, "variable")) {
        const struct ir_token name = ir_expect_kind(ir, IR_NAME);
        ir_expect(ir, ":");
        const unsigned kind =
            ir_expect_word(ir, variable_kind_text, VARIABLE_KIND_COUNT, "a kind of variable");
        struct interval interval;
        const enum scalar scalar = expr_read_type(reader, &interval);
        if (ir->failed)
            return;
        if (hash_map_find_bytes(&reader->known, name.start, name.length))
            ir_fail_at(ir, name, "the variable '%.*s' is declared twice", (int)name.length,
                       name.start);
        else
            remember(
                reader, name,
                expr_variable(reader->pool, (enum variable_kind)kind, name.name, scalar, interval),
                false);
    }
}

const struct expr *expr_read_variable(struct expr_reader *reader, enum variable_kind kind)
{
    const struct ir_token name = reader->ir.token;
    const struct expr *node = expr_read(reader);
    if (!reader->ir.failed && (node->kind != EXPR_VARIABLE || node->as.variable.kind != kind))
        ir_fail_at(&reader->ir, name, "a variable of the kind '%s' is needed here",
                   variable_kind_text[kind]);
    return node;
}

const struct symbol *expr_read_new_source(struct expr_reader *reader, uint32_t *id)
{
    const struct ir_token name = ir_expect_kind(&reader->ir, IR_NAME);
    *id = (uint32_t)reader->sources.count;
    VECTOR_PUSH(scratch(reader), &reader->sources, (struct expr_source){.scalar = SCALAR_I32});
    if (reader->ir.failed)
        return name.name;
    if (hash_map_find_bytes(&reader->ids, name.start, name.length))
        ir_fail_at(&reader->ir, name, "'%.*s' is declared twice", (int)name.length, name.start);
    hash_map_put_bytes(scratch(reader), &reader->ids, name.start, name.length,
                       (void *)(uintptr_t)(*id + 1));
    return name.name;
}

uint32_t expr_read_source(struct expr_reader *reader)
{
    if (reader->ir.token.kind == IR_RAW)
        return (uint32_t)ir_next(&reader->ir).integer;
    const struct ir_token name = ir_expect_kind(&reader->ir, IR_NAME);
    const uintptr_t found =
        reader->ir.failed ? 0
                          : (uintptr_t)hash_map_find_bytes(&reader->ids, name.start, name.length);
    if (!found)
        ir_fail_at(&reader->ir, name, "there is no '%.*s' above this place", (int)name.length,
                   name.start);
    return found ? (uint32_t)(found - 1) : 0;
}

/* ---- Leaves ---- */

static const struct expr *read_real(struct expr_reader *reader)
{
    const struct ir_token token = ir_next(&reader->ir);
    ir_expect(&reader->ir, ":");
    const struct ir_token type = reader->ir.token;
    const enum scalar scalar = read_scalar(reader);
    if (reader->ir.failed || !scalar_is_float(scalar)) {
        ir_fail_at(&reader->ir, type, "a real number is f32, f64 or f16");
        return stand_in(reader);
    }
    const char *digits = arena_text(scratch(reader), token.start, token.length);
    return expr_real(reader->pool, scalar,
                     scalar == SCALAR_F32 ? (double)strtof(digits, NULL) : strtod(digits, NULL));
}

static const struct expr *read_known(struct expr_reader *reader, struct ir_token token,
                                     bool *has_load)
{
    const struct known *known =
        reader->ir.failed ? NULL : hash_map_find_bytes(&reader->known, token.start, token.length);
    if (!known) {
        ir_fail_at(&reader->ir, token, "'%.*s' is not declared", (int)token.length, token.start);
        return stand_in(reader);
    }
    *has_load = *has_load || known->has_load;
    return known->node;
}

/* ---- Operations ---- */

/* The operands of an operation, and the token to which mistakes in it belong. */
struct operands {
    struct ir_token token;
    unsigned nesting;
    bool *has_load;
    VECTOR(const struct expr *) list;
};

static void read_operand(struct expr_reader *reader, struct operands *operands)
{
    VECTOR_PUSH(scratch(reader), &operands->list,
                read_node(reader, operands->nesting + 1, operands->has_load));
}

/* Behind "(" or what comes first in it. */
static void read_operands(struct expr_reader *reader, struct operands *operands)
{
    if (ir_accept(&reader->ir, ")"))
        return;
    do
        read_operand(reader, operands);
    while (ir_accept(&reader->ir, ","));
    ir_expect(&reader->ir, ")");
}

static bool is_good(struct expr_reader *reader, const struct operands *operands,
                    const char *problem)
{
    for (size_t i = 0; i < operands->list.count && !problem; i++)
        if (operands->list.item[i]->depth >= MOST_DEPTH)
            problem = arena_format(scratch(reader),
                                   "this is built of more than %d steps, one in "
                                   "another",
                                   MOST_DEPTH);
    if (problem)
        ir_fail_at(&reader->ir, operands->token, "%s", problem);
    return !reader->ir.failed;
}

static const struct expr *read_function(struct expr_reader *reader, struct operands *operands)
{
    static const char prefix[] = "fast_";
    const size_t prefixed = sizeof prefix - 1;
    struct ir_token name = operands->token;
    const bool fast = name.length > prefixed && memcmp(name.start, prefix, prefixed) == 0;
    if (fast) {
        name.start += prefixed;
        name.length -= prefixed;
    }
    unsigned kind = 0;
    while (kind < EXPR_KIND_COUNT && (expr_info[kind].shape != SHAPE_FUNCTION ||
                                      strlen(expr_info[kind].text) != name.length ||
                                      memcmp(expr_info[kind].text, name.start, name.length) != 0))
        kind++;
    if (kind == EXPR_KIND_COUNT) {
        ir_fail_at(&reader->ir, operands->token, "there is no operation '%.*s'", (int)name.length,
                   name.start);
        return stand_in(reader);
    }
    read_operands(reader, operands);
    const unsigned count = (unsigned)operands->list.count;
    const char *problem = reader->ir.failed
                              ? NULL
                              : expr_check_operation(scratch(reader), (enum expr_kind)kind, count,
                                                     operands->list.item, !reader->widened);
    if (!problem && fast && !reader->ir.failed &&
        !expr_may_be_fast((enum expr_kind)kind, operands->list.item[0]->scalar))
        problem = "sums and products of floats alone can be fast";
    if (!is_good(reader, operands, problem))
        return stand_in(reader);
    reader->pool->fast = fast;
    const struct expr *node =
        expr_operation(reader->pool, (enum expr_kind)kind, count, operands->list.item);
    reader->pool->fast = false;
    return node;
}

static const struct expr *read_convert(struct expr_reader *reader, struct operands *operands)
{
    struct ir_reader *ir = &reader->ir;
    const unsigned mode = ir_expect_word(ir, conversion_text, CONVERSION_COUNT, "a conversion");
    ir_expect(ir, ",");
    const enum scalar scalar = read_scalar(reader);
    ir_expect(ir, ",");
    read_operand(reader, operands);
    ir_expect(ir, ")");
    return is_good(reader, operands, NULL)
               ? expr_convert(reader->pool, (enum conversion)mode, scalar, operands->list.item[0])
               : stand_in(reader);
}

static struct expr_range read_range(struct expr_reader *reader, struct operands *counts)
{
    struct ir_reader *ir = &reader->ir;
    struct expr_range range = {.variable = ir_expect_kind(ir, IR_NAME).name};
    ir_expect(ir, "from");
    range.first = ir_expect_kind(ir, IR_INTEGER).integer;
    ir_expect(ir, "extent");
    range.extent = ir_expect_kind(ir, IR_INTEGER).integer;
    if (ir_accept(ir, "count"))
        read_operand(reader, counts);
    return range;
}

static enum reduction_order read_order(struct ir_reader *ir)
{
    for (unsigned order = 1; order < ORDER_COUNT; order++)
        if (ir_accept(ir, reduction_order_text[order]))
            return (enum reduction_order)order;
    return ORDER_INDEX;
}

static const struct expr *read_reduce(struct expr_reader *reader, struct operands *operands)
{
    struct ir_reader *ir = &reader->ir;
    VECTOR(struct expr_range) ranges = {0};
    struct operands counts = {.token = operands->token,
                              .nesting = operands->nesting,
                              .has_load = operands->has_load};
    struct expr_reduction shape = {
        .operation =
            (enum reduction)ir_expect_word(ir, reduction_text, REDUCTION_COUNT, "a reduction")};
    shape.fused = ir_accept(ir, "fused");
    shape.order = read_order(ir);
    const bool fast = ir_accept(ir, "fast");
    ir_expect(ir, ",");
    ir_expect(ir, "[");
    do
        VECTOR_PUSH(scratch(reader), &ranges, read_range(reader, &counts));
    while (ir_accept(ir, ","));
    ir_expect(ir, "]");
    while (!shape.has_condition && ir_accept(ir, ",")) {
        if (shape.order == ORDER_RUN && ir_accept(ir, "of"))
            break;
        shape.has_condition = ir_accept(ir, "where");
        read_operand(reader, operands);
    }
    shape.counted = counts.list.count > 0;
    for (size_t i = 0; i < counts.list.count; i++)
        VECTOR_PUSH(scratch(reader), &operands->list, counts.list.item[i]);
    if (shape.order == ORDER_RUN) {
        if (shape.has_condition) {
            ir_expect(ir, ",");
            ir_expect(ir, "of");
        }
        read_operand(reader, operands);
    }
    ir_expect(ir, ")");
    shape.rank = (unsigned)ranges.count;
    shape.range = ranges.item;
    const unsigned count = (unsigned)operands->list.count;
    const char *problem = ir->failed
                              ? NULL
                              : expr_check_reduction(scratch(reader), &shape, count,
                                                     operands->list.item, !reader->widened);
    if (!problem && fast && !ir->failed &&
        !expr_may_be_fast(EXPR_REDUCE, operands->list.item[0]->scalar))
        problem = "reductions of floats alone can be fast";
    if (!is_good(reader, operands, problem) || !is_good(reader, &counts, NULL))
        return stand_in(reader);
    reader->pool->fast = fast;
    const struct expr *node = expr_reduce_as(reader->pool, &shape, operands->list.item);
    reader->pool->fast = false;
    return node;
}

static const struct expr *read_external(struct expr_reader *reader, struct operands *operands)
{
    struct ir_reader *ir = &reader->ir;
    struct external function = {.result = read_scalar(reader)};
    function.name = ir_expect_kind(ir, IR_NAME).name;
    ir_expect(ir, "from");
    const char *header = ir_expect_kind(ir, IR_TEXT).text;
    unsigned count = 0;
    for (; ir_accept(ir, ","); count++) {
        const enum scalar parameter = read_scalar(reader);
        if (count < EXPR_MOST_OPERANDS)
            function.parameter[count] = parameter;
        read_operand(reader, operands);
    }
    ir_expect(ir, ")");
    if (ir->failed)
        return stand_in(reader);
    function.header = symbol_from(&ir->session->symbols, header);
    function.count = count;
    const char *problem = expr_check_external(scratch(reader), &function, count,
                                              operands->list.item, !reader->widened);
    return is_good(reader, operands, problem)
               ? expr_external(reader->pool, &function, operands->list.item)
               : stand_in(reader);
}

/* ---- Loads ---- */

static const struct expr *read_border_part(struct expr_reader *reader,
                                           const struct operands *operands, bool may_read)
{
    const struct ir_token token = reader->ir.token;
    bool has_load = false;
    const struct expr *node = read_node(reader, operands->nesting + 1, &has_load);
    if (has_load && !may_read)
        ir_fail_at(&reader->ir, token, "the box of a border rule reads no samples");
    if (node->depth >= MOST_DEPTH)
        ir_fail_at(&reader->ir, token, "this is built of more than %d steps, one in another",
                   MOST_DEPTH);
    return node;
}

static struct border read_border(struct expr_reader *reader, const struct operands *operands)
{
    struct ir_reader *ir = &reader->ir;
    struct border border = {.rule = BORDER_NONE};
    if (ir->token.kind != IR_NAME)
        return border;
    const unsigned rule = ir_expect_word(ir, border_text, BORDER_COUNT, "a border rule");
    border.rule = rule == BORDER_COUNT ? BORDER_NONE : (enum border_rule)rule;
    if (ir_accept(ir, "(")) {
        border.value = read_border_part(reader, operands, true);
        ir_expect(ir, ")");
    }
    if (ir_accept(ir, "from")) {
        border.first = read_border_part(reader, operands, false);
        ir_expect(ir, "extent");
        border.extent = read_border_part(reader, operands, false);
    }
    return border;
}

/* Behind "[". */
static const struct expr *read_load(struct expr_reader *reader, struct operands *operands,
                                    uint32_t source)
{
    struct ir_reader *ir = &reader->ir;
    VECTOR(struct border) borders = {0};
    if (!ir_accept(ir, "]")) {
        do {
            read_operand(reader, operands);
            VECTOR_PUSH(scratch(reader), &borders, read_border(reader, operands));
        } while (ir_accept(ir, ","));
        ir_expect(ir, "]");
    }
    struct expr_source type = {.scalar = SCALAR_I32};
    if (source < reader->sources.count)
        type = reader->sources.item[source];
    if (source >= reader->sources.count || ir_is(ir, ":")) {
        ir_expect(ir, ":");
        type.scalar = expr_read_type(reader, &type.interval);
    }
    *operands->has_load = true;
    return is_good(reader, operands, NULL)
               ? expr_load(reader->pool, source, type.scalar, type.interval,
                           (unsigned)operands->list.count, operands->list.item, borders.item)
               : stand_in(reader);
}

static const struct expr *read_load_of(struct expr_reader *reader, struct operands *operands)
{
    struct ir_reader *ir = &reader->ir;
    const struct ir_token name = operands->token;
    if (name.kind == IR_RAW)
        return read_load(reader, operands, (uint32_t)name.integer);
    const uintptr_t id = (uintptr_t)hash_map_find_bytes(&reader->ids, name.start, name.length);
    if (id == 0)
        ir_fail_at(ir, name, "there is no '%.*s' above this place", (int)name.length, name.start);
    return id ? read_load(reader, operands, (uint32_t)(id - 1)) : stand_in(reader);
}

/* ---- Any expression ---- */

static bool token_is(struct ir_token token, const char *written)
{
    return token.length == strlen(written) && memcmp(token.start, written, token.length) == 0;
}

static const struct expr *read_named(struct expr_reader *reader, unsigned nesting, bool *has_load)
{
    struct ir_reader *ir = &reader->ir;
    struct operands operands = {.token = ir_next(ir), .nesting = nesting, .has_load = has_load};
    const struct ir_token name = operands.token;
    if (ir_accept(ir, "["))
        return read_load_of(reader, &operands);
    if (ir_accept(ir, "("))
        return token_is(name, "convert")    ? read_convert(reader, &operands)
               : token_is(name, "reduce")   ? read_reduce(reader, &operands)
               : token_is(name, "external") ? read_external(reader, &operands)
                                            : read_function(reader, &operands);
    if (token_is(name, "true") || token_is(name, "false"))
        return expr_boolean(reader->pool, token_is(name, "true"));
    return read_known(reader, name, has_load);
}

static const struct expr *read_node(struct expr_reader *reader, unsigned nesting, bool *has_load)
{
    struct ir_reader *ir = &reader->ir;
    if (nesting > MOST_NESTED)
        ir_fail(ir, "more than %d operations stand one in another in this line", MOST_NESTED);
    switch (ir->token.kind) {
    case IR_INTEGER:
        return expr_integer(reader->pool, ir_next(ir).integer);
    case IR_REAL:
        return read_real(reader);
    case IR_NUMBERED:
        return read_known(reader, ir_next(ir), has_load);
    case IR_NAME:
    case IR_RAW:
        return read_named(reader, nesting, has_load);
    case IR_SPAN:
    case IR_TEXT:
    case IR_SIGN:
    case IR_END:
        ir_fail(ir, "an expression is missing here");
        break;
    }
    return stand_in(reader);
}

const struct expr *expr_read(struct expr_reader *reader)
{
    bool has_load = false;
    return read_node(reader, 0, &has_load);
}

void expr_read_shared(struct expr_reader *reader)
{
    while (reader->ir.token.kind == IR_NUMBERED) {
        const struct ir_token token = ir_next(&reader->ir);
        bool has_load = false;
        ir_expect(&reader->ir, "=");
        const struct expr *node = read_node(reader, 0, &has_load);
        if (!reader->ir.failed)
            remember(reader, token, node, has_load);
    }
}
