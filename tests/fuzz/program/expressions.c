/* Random scalar expressions. The model follows the language's rules of mixing and intervals, so
 * that what is generated is accepted. An expression makes at most one random choice, and parts are
 * made from left to right: C leaves the order of arguments open, and a seed means one program. */
#include "program/operators.h"

static struct typed number(struct generator *g, struct stage_scope *s, int depth);
static struct typed truth(struct generator *g, struct stage_scope *s, int depth);

/* ---- Bits, contraction ---- */

/* Bits of integers that are not negative; shifts by 0 to 63. */
static struct typed bits(struct generator *g, struct stage_scope *s, int depth)
{
    static const enum ast_operator bit[] = {OPERATOR_BIT_AND, OPERATOR_BIT_OR, OPERATOR_BIT_XOR};
    struct typed a = generate_integer(g, s, depth - 1), b;
    if (chance(&g->random, 50)) {
        b = generate_integer(g, s, depth - 1);
        struct typed *const end[2] = {&a, &b};
        for (int i = 0; i < 2; i++)
            if (end[i]->interval.least < 0)
                *end[i] = chance(&g->random, 50) ? cut(g, CONVERSION_WRAP, SCALAR_U16, *end[i])
                                                 : either(g, "max", *end[i], typed_integer(g, 0));
        return combine(g, bit[below(&g->random, 3)], a, b);
    }
    if (chance(&g->random, 70)) {
        b = typed_integer(g, between(&g->random, 0, 9));
    } else {
        b = generate_integer(g, s, depth - 1);
        b = clamped(g, b, typed_integer(g, 0), typed_integer(g, between(&g->random, 1, 63)));
    }
    const bool left = chance(&g->random, 40);
    struct interval result;
    if (left && !integer_interval(EXPR_SHIFT_LEFT, a, b, &result)) {
        a = narrow(g, a);
        if (!integer_interval(EXPR_SHIFT_LEFT, a, b, &result))
            b = typed_integer(g, between(&g->random, 0, 9));
    }
    return combine(g, left ? OPERATOR_SHIFT_LEFT : OPERATOR_SHIFT_RIGHT, a, b);
}

/* Sums with products in all the places that decide on contraction. */
static struct typed contraction(struct generator *g, struct stage_scope *s, int depth)
{
    const struct syntax *y = &g->s;
    struct typed a = number(g, s, depth - 2), b = number(g, s, depth - 2);
    if (a.class == CLASS_INTEGER && b.class == CLASS_INTEGER && chance(&g->random, 80))
        a = as_class(g, a, CLASS_FLOAT);
    struct typed product = combine(g, OPERATOR_MULTIPLY, a, b);
    if (chance(&g->random, 35))
        product.ast =
            chance(&g->random, 20) ? fast_node(y, product.ast) : parentheses_node(y, product.ast);
    if (chance(&g->random, 30))
        product = negative(g, product);
    struct typed rest;
    if (chance(&g->random, 35)) {
        rest = number(g, s, depth - 2);
        rest = combine(g, OPERATOR_MULTIPLY, rest, number(g, s, depth - 2));
        if (chance(&g->random, 30))
            rest.ast = parentheses_node(y, rest.ast);
    } else {
        rest = number(g, s, depth - 1);
    }
    const enum ast_operator o = chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT;
    struct typed sum =
        chance(&g->random, 50) ? combine(g, o, product, rest) : combine(g, o, rest, product);
    if (chance(&g->random, 7))
        sum.ast = fast_node(y, sum.ast);
    return sum;
}

/* ---- Reductions ---- */

static bool name_is_free(const struct stage_scope *s, const struct symbol *name)
{
    for (size_t i = 0; i < s->locals.count; i++)
        if (s->locals.item[i].ast->kind == AST_NAME && s->locals.item[i].ast->as.name == name)
            return false;
    for (unsigned i = 0; i < s->ranges; i++)
        if (s->range[i].ast->as.name == name)
            return false;
    return find_axis(s, name) < 0;
}

/* Now and then the name of an axis that the stage does not have: the filter may be mapped over
 * it. */
static const struct symbol *reduction_name(struct generator *g, const struct stage_scope *s)
{
    const struct symbol *name = word(&g->s, axis_pool[below(&g->random, AXIS_POOL)]);
    return chance(&g->random, 20) && !s->is_lifted && name_is_free(s, name) ? name
                                                                            : fresh_name(g, "d");
}

const struct ast *moving_end(struct generator *g, const struct stage_scope *s, int64_t first,
                             int64_t last)
{
    for (size_t i = 0; i < s->body->scalars.count; i++) {
        const struct typed *scalar = &s->body->scalars.item[i];
        if (scalar->class == CLASS_INTEGER && !scalar->constant)
            return clamped(g, *scalar, typed_integer(g, first), typed_integer(g, last)).ast;
    }
    return NULL;
}

/* Stages of the tree know the box of the stage around if it is written. */
static bool box_is_written(const struct stage_scope *s)
{
    for (unsigned i = 0; i < s->rank; i++)
        if (!s->axis[i].written)
            return false;
    return true;
}

/* Where a range over an axis ends: min(end * times, most). */
struct range_end {
    int64_t times, most;
};

/* Several runs of 4,096 terms for most images; a few terms, fewer for some images; the axis. */
static struct range_end draw_range_end(struct generator *g, const struct stage_scope *s)
{
    const bool is_outermost = s->rank == 0 && s->ranges == 0;
    if (is_outermost && chance(&g->random, 50))
        return (struct range_end){1500, MOST_OF_LONG};
    return chance(&g->random, 30) ? (struct range_end){1, between(&g->random, 3, 9)}
                                  : (struct range_end){1, INT32_MAX};
}

static const struct ast *end_of_range(struct generator *g, struct range_end e,
                                      const struct ast *extent)
{
    const struct syntax *y = &g->s;
    if (e.most == INT32_MAX)
        return extent;
    const struct ast *argument[2] = {
        e.times == 1 ? extent
                     : NODE(.kind = AST_BINARY,
                            .as.binary = {OPERATOR_MULTIPLY, extent, integer_node(y, e.times)}),
        integer_node(y, e.most)};
    return NODE(.kind = AST_CALL,
                .as.call = {name_node(y, word(y, "min")), list_of(y, 2, argument)});
}

/* A range over an axis of an image, as long as the image is, or longer; false where there is
 * none. */
static bool open_long_range(struct generator *g, struct stage_scope *s, const struct ast **binding)
{
    const struct syntax *y = &g->s;
    const size_t images = s->body->images.count;
    const struct image *image =
        images ? &s->body->images.item[below(&g->random, (unsigned)images)] : NULL;
    if (!image || image->rank == 0)
        return false;
    const struct image_axis *axis = &image->axis[below(&g->random, image->rank)];
    const struct ast *end = NODE(.kind = AST_FIELD, .as.field = {image->name, axis->name});
    const struct symbol *name = reduction_name(g, s);
    const struct range_end e = draw_range_end(g, s);
    const int64_t first = e.times > 1 || chance(&g->random, 70) ? 0 : between(&g->random, -2, 2);
    *binding = binding_node(y, name,
                            range_node(y, integer_node(y, first), end_of_range(g, e, end), false));
    s->depends |= image->depends;
    s->range[s->ranges++] = (struct typed){
        .ast = name_node(y, name), .class = CLASS_INTEGER, .interval = {first, e.most - 1}};
    return true;
}

/* One or two of them; returns how many. */
static unsigned open_long_ranges(struct generator *g, struct stage_scope *s,
                                 const struct ast *binding[])
{
    if (!open_long_range(g, s, &binding[0]))
        return 0;
    const bool again = s->range[s->ranges - 1].interval.greatest > MOST_OF_LONG &&
                       s->ranges < MOST_RANGES && chance(&g->random, 40);
    return again && open_long_range(g, s, &binding[1]) ? 2 : 1;
}

/* Ranges in brackets; the variables are in scope afterwards. Returns their terms. */
static int64_t open_ranges(struct generator *g, struct stage_scope *s, const struct ast *binding[],
                           unsigned *count)
{
    const struct syntax *y = &g->s;
    const unsigned shape = below(&g->random, 100);
    *count = shape < 57 ? 1 : shape < 97 ? 2 : 3;
    int64_t terms = 1;
    for (unsigned i = 0; i < *count; i++) {
        const int64_t room = MOST_TERMS / (s->terms * terms);
        int64_t extent = chance(&g->random, 3) ? 0 : between(&g->random, 1, 5);
        if (chance(&g->random, 4) && room >= 70 && s->budget > 4)
            extent = between(&g->random, 60, room < 90 ? room : 90);
        if (extent > room)
            extent = room;
        const int64_t first = chance(&g->random, 70) ? -(extent / 2) : between(&g->random, -3, 3);
        const bool includes = chance(&g->random, 70) && extent > 0;
        const struct symbol *name = reduction_name(g, s);
        const struct ast *from = integer_node(y, first);
        const struct ast *to = integer_node(y, first + extent - includes);
        /* Long ranges become loops from one end to the other; some of them are empty. */
        const unsigned moves = extent >= 60 ? 60 : 15;
        const struct ast *moving = includes && chance(&g->random, moves)
                                       ? moving_end(g, s, first, first + extent - 1)
                                       : NULL;
        to = moving ? moving : to;
        if (moving && chance(&g->random, 30))
            from = moving_end(g, s, first, first + extent + 1);
        binding[i] = binding_node(y, name, range_node(y, from, to, includes));
        s->range[s->ranges++] =
            (struct typed){.ast = name_node(y, name),
                           .class = CLASS_INTEGER,
                           .interval = {first, first + (extent > 0 ? extent - 1 : 0)}};
        terms *= extent > 0 ? extent : 1;
    }
    return terms;
}

/* Two ranges of constants, for a window along the two fastest axes: a read in it takes both. */
static int64_t open_window(struct generator *g, struct stage_scope *s, const struct ast *binding[])
{
    const struct syntax *y = &g->s;
    int64_t terms = 1;
    s->window = s->ranges + 1;
    for (unsigned i = 0; i < 2; i++) {
        const int64_t extent = between(&g->random, 3, 4), first = between(&g->random, -3, 1);
        const struct symbol *name = reduction_name(g, s);
        binding[i] = binding_node(
            y, name, range_node(y, integer_node(y, first), integer_node(y, first + extent), false));
        s->range[s->ranges++] = (struct typed){.ast = name_node(y, name),
                                               .class = CLASS_INTEGER,
                                               .interval = {first, first + extent - 1}};
        terms *= extent;
    }
    return terms;
}

static const char *const reduction_name_of[] = {"sum", "product", "min",  "max",
                                                "any", "all",     "count"};

static struct typed reduction(struct generator *g, struct stage_scope *s, int depth,
                              enum reduction operation)
{
    const struct syntax *y = &g->s;
    const struct ast *binding[3];
    unsigned count;
    const unsigned outer_ranges = s->ranges;
    const int64_t outer_terms = s->terms;
    const bool may_be_long = s->ranges < MOST_RANGES - 1 && s->terms <= MOST_TERMS &&
                             !s->is_valid && !s->self && box_is_written(s) &&
                             chance(&g->random, s->ranges == 0 ? 60 : 20);
    const unsigned long_ranges = may_be_long ? open_long_ranges(g, s, binding) : 0;
    const bool is_long = long_ranges > 0;
    const bool is_window = !is_long && s->rank >= 2 && s->ranges == 0 && s->terms == 1 &&
                           operation != REDUCTION_PRODUCT && operation < REDUCTION_ANY &&
                           chance(&g->random, 20);
    count = is_long ? long_ranges : is_window ? 2 : 1;
    const int64_t terms = is_long     ? MOST_COUNTED_TERMS
                          : is_window ? open_window(g, s, binding)
                                      : open_ranges(g, s, binding, &count);
    s->terms *= terms;
    if (s->terms > 60)
        s->budget = s->budget > 6 ? 6 : s->budget;
    struct typed term;
    if (operation >= REDUCTION_ANY)
        term = truth(g, s, depth - 1);
    else if ((!is_window && chance(&g->random, 35)) || !generate_read(g, s, depth - 1, &term))
        term = number(g, s, depth - 1);
    else if (!is_window && chance(&g->random, 60) && term.class != CLASS_BOOL)
        term = combine(g, OPERATOR_MULTIPLY, number(g, s, depth - 2), term);
    if (operation < REDUCTION_ANY && term.class == CLASS_BOOL)
        term = as_class(g, term, CLASS_INTEGER);
    if (operation == REDUCTION_PRODUCT && term.class == CLASS_INTEGER)
        term = chance(&g->random, 50) ? as_class(g, term, CLASS_FLOAT)
                                      : combine(g, OPERATOR_REMAINDER, term, typed_integer(g, 2));
    const struct expr_reduction shape = {.operation = operation, .counted = is_long};
    struct interval interval = {0, 0};
    if (operation < REDUCTION_ANY && term.class == CLASS_INTEGER &&
        !expr_reduction_interval(&shape, terms + 1, term.interval, &interval)) {
        term = narrow(g, term);
        if (!expr_reduction_interval(&shape, terms + 1, term.interval, &interval)) {
            term = as_class(g, term, CLASS_FLOAT);
            interval = (struct interval){0, 0};
        }
    }
    const struct ast *where = NULL;
    s->window = 0;
    if (!is_window && chance(&g->random, 25))
        where = truth(g, s, depth - 2).ast;
    s->ranges = outer_ranges;
    s->terms = outer_terms;
    const struct ast *callee =
        NODE(.kind = AST_INDEX, .as.index = {name_node(y, word(y, reduction_name_of[operation])),
                                             list_of(y, count, binding), where});
    struct typed result = as_computed(term);
    result.ast = NODE(.kind = AST_CALL, .as.call = {callee, list_of(y, 1, &term.ast)});
    if (operation == REDUCTION_TALLY) {
        result.class = CLASS_INTEGER;
        interval = (struct interval){0, terms + 1};
    }
    /* The ends of a type where a minimum may have no term; which type, folding may change. */
    if ((operation == REDUCTION_MINIMUM || operation == REDUCTION_MAXIMUM) &&
        result.class == CLASS_INTEGER) {
        const struct interval usual = {INT32_MIN, UINT32_MAX};
        interval =
            hull(hull(interval, term.interval),
                 interval_inside(term.interval, usual) ? usual : scalar_info[SCALAR_I64].interval);
    }
    result.interval = interval;
    result.constant = result.untyped = false;
    return result;
}

/* ---- Leaves ---- */

static struct typed real_constant(struct generator *g)
{
    static const double telling[] = {
        0.0, 0.5, 1.0, 2.0, 0.1, 0.3333333333333333, 1.5, 3.0, 16.0, 255.0, 1e6, 1e-3, 1e30, 1e-40};
    const double value = chance(&g->random, 70)
                             ? telling[below(&g->random, sizeof telling / sizeof telling[0])]
                             : (double)below(&g->random, 4000) / 1000;
    struct typed result = typed_float(real_node(&g->s, value), SCALAR_F64);
    result.untyped = result.constant = true;
    if (chance(&g->random, 25))
        result.ast = unary_node(&g->s, OPERATOR_NEGATE, result.ast);
    return result;
}

static struct typed integer_constant(struct generator *g)
{
    static const int64_t telling[] = {0, 1, 2, 3, 4, 7, 8, 16, 100, 255, 256, 1000, 65535, 100000};
    int64_t value = chance(&g->random, 30)
                        ? telling[below(&g->random, sizeof telling / sizeof telling[0])]
                        : below(&g->random, 6);
    return typed_integer(g, chance(&g->random, 20) ? -value : value);
}

static bool coordinate(struct generator *g, struct stage_scope *s, struct typed *result)
{
    if (s->rank == 0 || s->is_lifted || s->scalar_only)
        return false;
    struct stage_axis_model *axis = &s->axis[below(&g->random, s->rank)];
    axis->as_value = true;
    *result = (struct typed){.ast = name_node(&g->s, axis->name),
                             .class = CLASS_INTEGER,
                             .interval = axis->grid->coordinate};
    return true;
}

static bool extent(struct generator *g, struct stage_scope *s, struct typed *result)
{
    if (s->body->images.count == 0)
        return false;
    const struct image *image =
        &s->body->images.item[below(&g->random, (unsigned)s->body->images.count)];
    if (image->rank == 0)
        return false;
    const struct image_axis *axis = &image->axis[below(&g->random, image->rank)];
    *result = (struct typed){.ast = field_node(&g->s, image->name, axis->name),
                             .class = CLASS_INTEGER,
                             .interval = {INT32_MIN, INT32_MAX}};
    if (axis->grid->starts_at_zero && axis->grid->coordinate.least == 0)
        result->interval.least = 1;
    if (s->depends == 0 && !s->scalar_only)
        s->depends |= image->depends;
    return true;
}

static struct typed leaf(struct generator *g, struct stage_scope *s)
{
    struct typed result;
    if (s->self && chance(&g->random, 20)) {
        result = self_read(g, s);
        return result.class == CLASS_BOOL ? as_class(g, result, CLASS_INTEGER) : result;
    }
    switch (below(&g->random, 12)) {
    case 0:
        if (coordinate(g, s, &result))
            return result;
        break;
    case 1:
        if (extent(g, s, &result))
            return result;
        break;
    case 2:
    case 3:
        if (s->body->scalars.count) {
            result = s->body->scalars.item[below(&g->random, (unsigned)s->body->scalars.count)];
            if (result.class != CLASS_BOOL)
                return result;
        }
        break;
    case 4:
        if (s->locals.count) {
            result = s->locals.item[below(&g->random, (unsigned)s->locals.count)];
            if (result.class != CLASS_BOOL)
                return result;
        }
        break;
    case 5:
        if (s->ranges)
            return s->range[below(&g->random, s->ranges)];
        break;
    case 6:
        return integer_constant(g);
    case 7:
        return real_constant(g);
    }
    /* What was read must be used: a read can be all that tells a stage's box. */
    if (!s->scalar_only && generate_read(g, s, 0, &result))
        return result.class == CLASS_BOOL ? as_class(g, result, CLASS_INTEGER) : result;
    return chance(&g->random, 60) ? integer_constant(g) : real_constant(g);
}

/* ---- Numbers ---- */

static struct typed function_of_one(struct generator *g, struct typed a)
{
    static const char *const rounding[] = {"floor", "ceil", "round", "trunc"};
    switch (below(&g->random, 5)) {
    case 0:
        return negative(g, a);
    case 1:
        return a.class == CLASS_INTEGER && chance(&g->random, 10) ? fast_length(g, a)
                                                                  : absolute(g, a);
    case 2:
        return square_root(g, a);
    case 3:
        a.untyped = a.untyped && a.constant;
        return call1(g, rounding[below(&g->random, 4)], a);
    default:
        a.ast = chance(&g->random, 50) ? unary_node(&g->s, OPERATOR_PLUS, a.ast)
                                       : parentheses_node(&g->s, a.ast);
        return a;
    }
}

static const struct {
    const char *name;
    unsigned arguments;
} elementary[] = {
#define ELEMENTARY(kind, name, arguments) {#name, arguments},
#include "elementary/elementary.def"
#undef ELEMENTARY
};
enum { ELEMENTARIES = sizeof elementary / sizeof elementary[0] };

static struct typed elementary_function(struct generator *g, struct stage_scope *s, int depth)
{
    struct typed argument[2] = {{0}};
    const unsigned which = below(&g->random, ELEMENTARIES);
    for (unsigned i = 0; i < elementary[which].arguments; i++)
        argument[i] = number(g, s, depth - 1);
    return real_function(g, elementary[which].name, elementary[which].arguments, argument);
}

/* A seed and a place of up to 8 integers, mostly few. */
static struct typed noise(struct generator *g, struct stage_scope *s, int depth)
{
    const struct ast *argument[9];
    unsigned count = 1 + below(&g->random, 4);
    if (chance(&g->random, 20))
        count += below(&g->random, 6);
    for (unsigned i = 0; i < count; i++)
        argument[i] = generate_integer(g, s, i < 3 ? depth - 2 : 0).ast;
    return typed_float(call_node(&g->s, "noise", count, argument), SCALAR_F32);
}

static struct typed conversion(struct generator *g, struct typed a)
{
    switch (below(&g->random, 6)) {
    case 0:
        return convert(g, SCALAR_F32, a);
    case 1:
        return convert(g, SCALAR_F64, a);
    case 5:
        return convert(g, SCALAR_F16, a);
    case 2:
        return convert(g, any_integer(g), a);
    case 3:
        if (a.class == CLASS_INTEGER)
            return cut(g, CONVERSION_WRAP, any_integer(g), a);
        break;
    }
    return cut(g, CONVERSION_TRUNCATE, any_integer(g), a);
}

/* The value with itself: written out, a ladder of such steps doubles with each. */
static struct typed step(struct generator *g, struct typed a)
{
    const struct typed b = typed_integer(g, between(&g->random, 1, 9));
    if (a.class == CLASS_INTEGER) {
        struct typed sum = combine(g, OPERATOR_ADD, a, combine(g, OPERATOR_MULTIPLY, a, b));
        return cut(g, CONVERSION_WRAP, SCALAR_U16, sum);
    }
    switch (below(&g->random, 3)) {
    case 0:
        return combine(g, OPERATOR_SUBTRACT, combine(g, OPERATOR_MULTIPLY, a, b), a);
    case 1:
        return combine(g, OPERATOR_DIVIDE, a, combine(g, OPERATOR_ADD, absolute(g, a), b));
    default:
        return chosen(g, typed_truth(binary_node(&g->s, OPERATOR_LESS, a.ast, b.ast)), a,
                      combine(g, OPERATOR_DIVIDE, a, b));
    }
}

/* { let v1 = …; let v2 = v1 … v1; let v3 = v2 … v2; … } */
static struct typed ladder(struct generator *g, struct stage_scope *s, int depth)
{
    const struct syntax *y = &g->s;
    struct ast_list *lets = ast_list(y->arena);
    struct typed value = number(g, s, depth - 1);
    if (value.class == CLASS_INTEGER && chance(&g->random, 50))
        value = as_class(g, value, CLASS_FLOAT);
    for (int64_t i = between(&g->random, 24, 36); i > 0; i--) {
        const struct symbol *name = fresh_name(g, "v");
        if (value.class == CLASS_INTEGER)
            value = cut(g, CONVERSION_WRAP, SCALAR_U16, value);
        ast_list_add(y->arena, lets,
                     NODE(.kind = AST_LET, .as.let = {.name = name, .value = value.ast}));
        value.ast = name_node(y, name);
        value = step(g, as_computed(value));
    }
    value.ast = NODE(.kind = AST_BLOCK, .as.block = {lets, value.ast});
    return value;
}

static struct typed block(struct generator *g, struct stage_scope *s, int depth)
{
    if (chance(&g->random, 6))
        return ladder(g, s, depth);
    const struct syntax *y = &g->s;
    const size_t outer = s->locals.count;
    const unsigned count = 1 + below(&g->random, 3);
    struct ast_list *lets = ast_list(y->arena);
    for (unsigned i = 0; i < count; i++) {
        struct typed value =
            chance(&g->random, 85) ? number(g, s, depth - 1) : truth(g, s, depth - 1);
        const struct symbol *name = fresh_name(g, "v");
        ast_list_add(y->arena, lets,
                     NODE(.kind = AST_LET, .as.let = {.name = name, .value = value.ast}));
        value.ast = name_node(y, name);
        value = as_computed(value);
        VECTOR_PUSH(y->arena, &s->locals, value);
    }
    struct typed result = number(g, s, depth - 1);
    if (chance(&g->random, 70)) { /* the lets are used */
        struct typed last = s->locals.item[s->locals.count - 1];
        result = last.class == CLASS_BOOL
                     ? chosen(g, last, result, number(g, s, depth - 2))
                     : combine(g, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_MULTIPLY, last,
                               result);
    }
    s->locals.count = outer;
    result.ast = NODE(.kind = AST_BLOCK, .as.block = {lets, result.ast});
    return result;
}

static struct typed arithmetic(struct generator *g, struct stage_scope *s, int depth)
{
    static const enum ast_operator common[] = {OPERATOR_ADD, OPERATOR_SUBTRACT, OPERATOR_MULTIPLY};
    struct typed a = number(g, s, depth - 1), b = number(g, s, depth - 1);
    if (chance(&g->random, 80))
        return combine(g, common[below(&g->random, 3)], a, b);
    if (a.class == CLASS_INTEGER && b.class == CLASS_INTEGER && chance(&g->random, 40))
        return combine(g, OPERATOR_REMAINDER, a, b);
    return combine(g, OPERATOR_DIVIDE, a, b);
}

static struct typed number(struct generator *g, struct stage_scope *s, int depth)
{
    if (depth <= 0 || --s->budget <= 0)
        return leaf(g, s);
    const unsigned kind = below(&g->random, 100);
    if (kind < 30)
        return arithmetic(g, s, depth);
    if (kind < 40)
        return contraction(g, s, depth);
    if (kind < 48) {
        struct typed a = number(g, s, depth - 1);
        if (chance(&g->random, 50)) {
            struct typed low = number(g, s, depth - 2), high = number(g, s, depth - 2);
            return clamped(g, a, low, high);
        }
        const struct typed b = number(g, s, depth - 1);
        return either(g, any_extremum(g), a, b);
    }
    if (kind < 55)
        return function_of_one(g, number(g, s, depth - 1));
    if (kind < 62)
        return conversion(g, number(g, s, depth - 1));
    if (kind < 68) {
        struct typed condition = truth(g, s, depth - 1), a = number(g, s, depth - 1);
        return chosen(g, condition, a, number(g, s, depth - 1));
    }
    if (kind < 73)
        return bits(g, s, depth);
    if (kind < 77 && !s->is_lifted)
        return block(g, s, depth);
    if (kind < 88 && !s->scalar_only && !s->is_lifted && s->ranges + 3 <= MOST_RANGES)
        return reduction(g, s, depth, (enum reduction)below(&g->random, 4));
    if (kind < 90 && !s->scalar_only && !s->is_lifted && s->ranges + 3 <= MOST_RANGES)
        return reduction(g, s, depth, REDUCTION_TALLY);
    if (kind < 92 && !s->scalar_only && !s->is_lifted && s->ranges + 2 <= MOST_RANGES &&
        s->terms <= 40)
        return generate_pick(g, s, depth);
    if (kind < 95)
        return elementary_function(g, s, depth);
    if (kind < 97 && (!g->externals.count || chance(&g->random, 30)))
        return noise(g, s, depth);
    if (g->externals.count && chance(&g->random, 40)) {
        const struct typed result = call_external(g, s, depth);
        return result.class == CLASS_BOOL ? as_class(g, result, CLASS_INTEGER) : result;
    }
    if (kind < 99 && g->functions.count && !s->is_lifted) {
        const struct typed a = number(g, s, depth - 1);
        return call_function(g, a, number(g, s, depth - 1));
    }
    return leaf(g, s);
}

struct typed generate_number(struct generator *g, struct stage_scope *s, int depth)
{
    return number(g, s, depth);
}

struct typed generate_integer(struct generator *g, struct stage_scope *s, int depth)
{
    return as_class(g, number(g, s, depth), CLASS_INTEGER);
}

/* ---- Truth values ---- */

static struct typed truth_leaf(struct generator *g, struct stage_scope *s)
{
    struct typed result;
    if (s->self && chance(&g->random, 20))
        return as_class(g, self_read(g, s), CLASS_BOOL);
    for (int i = 0; i < 3; i++) {
        if (chance(&g->random, 40) && s->body->scalars.count) {
            result = s->body->scalars.item[below(&g->random, (unsigned)s->body->scalars.count)];
            if (result.class == CLASS_BOOL)
                return result;
        }
        if (!s->scalar_only && generate_read(g, s, 0, &result))
            return as_class(g, result, CLASS_BOOL);
    }
    if (chance(&g->random, 20))
        return typed_truth(boolean_node(&g->s, chance(&g->random, 50)));
    return as_class(g, leaf(g, s), CLASS_BOOL);
}

static struct typed truth(struct generator *g, struct stage_scope *s, int depth)
{
    static const enum ast_operator compare[] = {OPERATOR_LESS,       OPERATOR_GREATER,
                                                OPERATOR_LESS_EQUAL, OPERATOR_GREATER_EQUAL,
                                                OPERATOR_EQUAL,      OPERATOR_NOT_EQUAL};
    const struct syntax *y = &g->s;
    if (depth <= 0 || --s->budget <= 0)
        return truth_leaf(g, s);
    const unsigned kind = below(&g->random, 100);
    if (kind < 55) {
        struct typed a = number(g, s, depth - 1), b = number(g, s, depth - 1);
        return typed_truth(binary_node(y, compare[below(&g->random, 6)], a.ast, b.ast));
    }
    if (kind < 70) {
        struct typed a = truth(g, s, depth - 1), b = truth(g, s, depth - 1);
        return typed_truth(
            binary_node(y, chance(&g->random, 50) ? OPERATOR_AND : OPERATOR_OR, a.ast, b.ast));
    }
    if (kind < 77)
        return typed_truth(unary_node(y, OPERATOR_NOT, truth(g, s, depth - 1).ast));
    if (kind < 82) {
        struct typed a = truth(g, s, depth - 1), b = truth(g, s, depth - 1);
        return typed_truth(binary_node(
            y, chance(&g->random, 50) ? OPERATOR_EQUAL : OPERATOR_NOT_EQUAL, a.ast, b.ast));
    }
    if (kind < 86) {
        struct typed condition = truth(g, s, depth - 1), a = truth(g, s, depth - 1);
        return chosen(g, condition, a, truth(g, s, depth - 1));
    }
    if (kind < 93 && !s->scalar_only && !s->is_lifted && s->ranges + 3 <= MOST_RANGES)
        return reduction(g, s, depth, chance(&g->random, 50) ? REDUCTION_ANY : REDUCTION_ALL);
    if (kind < 96 && g->externals.count)
        return as_class(g, call_external(g, s, depth), CLASS_BOOL);
    return truth_leaf(g, s);
}

struct typed generate_truth(struct generator *g, struct stage_scope *s, int depth)
{
    return truth(g, s, depth);
}
