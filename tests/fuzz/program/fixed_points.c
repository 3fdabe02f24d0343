/* Random numbers of fixed point: types with any modes, images and parameters of them, expressions
 * in which they meet integers, constants and floats, stages that convert at each step. The model of
 * a number is how many bits its integer has, so that nothing leaves 64 of them. */
#include "program/operators.h"

#include <math.h>

enum { MOST_BITS = 44, MOST_DEPTH = 3 };

struct fixed_format {
    bool has_sign;
    int bits, fraction;
    const char *rounding, *overflow; /* NULL: as it is */
};

/* |integer| < 2^bits, times 2^-fraction. */
struct number {
    const struct ast *ast;
    int bits, fraction;
    bool is_integer; /* without being of fixed point */
};

/* What an expression may read. */
struct fixed_scope {
    struct body *body;
    const struct image *lead; /* whose axes the stage has */
    bool is_plain;            /* reads at the coordinates alone */
};

/* ---- Types ---- */

static struct fixed_format any_format(struct generator *g, int most)
{
    static const char *const rounding[] = {NULL, "nearest_even", "nearest_up", "floor",
                                           "toward_zero"};
    static const char *const overflow[] = {NULL, "saturate", "wrap"};
    struct fixed_format f = {.has_sign = chance(&g->random, 60)};
    static const int usual[] = {8, 16, 12, 9, 7, 24, 32};
    f.bits =
        chance(&g->random, 60) ? usual[below(&g->random, 7)] : (int)between(&g->random, 1, most);
    f.bits = f.bits > most ? most : f.bits;
    f.fraction = (int)(chance(&g->random, 80) ? between(&g->random, 0, f.bits)
                                              : between(&g->random, -4, f.bits + 4));
    f.rounding = rounding[below(&g->random, 5)];
    f.overflow = overflow[below(&g->random, 3)];
    return f;
}

static const struct ast *mode_node(struct generator *g, const char *mode)
{
    return NODE(.kind = AST_TYPE, .as.type = {.element = word(&g->s, mode)});
}

static const struct ast *width_node(struct generator *g, int width)
{
    return NODE(.kind = AST_INTEGER, .as.integer = width);
}

static const struct ast *format_node(struct generator *g, const struct fixed_format *f)
{
    const struct ast *argument[4] = {width_node(g, f->bits - f->fraction),
                                     width_node(g, f->fraction)};
    unsigned count = 2;
    if (f->overflow && chance(&g->random, 50))
        argument[count++] = mode_node(g, f->overflow);
    if (f->rounding)
        argument[count++] = mode_node(g, f->rounding);
    if (f->overflow && (count == 2 || argument[2]->as.type.element != word(&g->s, f->overflow)))
        argument[count++] = mode_node(g, f->overflow);
    return NODE(.kind = AST_TYPE,
                .as.type = {.constructor = word(&g->s, f->has_sign ? "fixed" : "ufixed"),
                            .arguments = list_of(&g->s, count, argument)});
}

static struct number number_of(const struct fixed_format *f, const struct ast *ast)
{
    return (struct number){ast, f->bits, f->fraction, false};
}

static struct number converted(struct generator *g, const struct fixed_format *f,
                               const struct ast *ast)
{
    return number_of(f, NODE(.kind = AST_CONVERSION,
                             .as.conversion = {CONVERSION_FIXED, format_node(g, f), ast}));
}

/* Few enough bits for the arithmetic to come. */
static struct number narrowed(struct generator *g, struct number a, int most)
{
    const struct fixed_format f = any_format(g, most < 24 ? most : 24);
    return a.bits > most ? converted(g, &f, a.ast) : a;
}

/* ---- Leaves ---- */

static const struct ast *at_place(struct generator *g, const struct fixed_scope *s,
                                  const struct image *image, unsigned along,
                                  const struct ast *further)
{
    static const char *const rule[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        index[k] = name_node(y, image->axis[k].name);
        if (!further && !s->is_plain && chance(&g->random, 25))
            index[k] =
                binary_node(y, OPERATOR_ADD, index[k], integer_node(y, between(&g->random, 0, 2)));
    }
    if (further)
        index[along] = binary_node(y, OPERATOR_ADD, index[along], further);
    const struct ast *read = index_node(y, image->name, list_of(y, image->rank, index));
    if (s->is_plain && !further)
        return read;
    return bordered_node(y, read,
                         image->element == SCALAR_BOOL || chance(&g->random, 85)
                             ? rule_node(y, rule[below(&g->random, 5)], NULL)
                             : rule_node(y, "constant", integer_node(y, 0)));
}

static bool has_axes_of(const struct image *image, const struct image *lead)
{
    bool same = image->rank == lead->rank;
    for (unsigned k = 0; same && k < image->rank; k++)
        same =
            image->axis[k].name == lead->axis[k].name && image->axis[k].grid == lead->axis[k].grid;
    return same;
}

static struct number read_fixed(struct generator *g, const struct fixed_scope *s,
                                const struct fixed_image *image, unsigned along,
                                const struct ast *further)
{
    return (struct number){at_place(g, s, &image->image, along, further), image->bits,
                           image->fraction, false};
}

/* An integer, or a float that is converted. */
static struct number read_other(struct generator *g, const struct fixed_scope *s,
                                const struct image *image, unsigned along,
                                const struct ast *further)
{
    const struct ast *read = at_place(g, s, image, along, further);
    const struct fixed_format f = any_format(g, 20);
    if (image->element == SCALAR_BOOL) {
        const struct ast *const three[3] = {read, integer_node(&g->s, 1), integer_node(&g->s, 0)};
        return (struct number){call_node(&g->s, "select", 3, three), 1, 0, true};
    }
    if (scalar_info[image->element].bytes <= 2 && scalar_is_integer(image->element))
        return (struct number){read, 8 * (int)scalar_info[image->element].bytes, 0, true};
    return converted(g, &f, read);
}

static struct number read_any(struct generator *g, const struct fixed_scope *s, unsigned along,
                              const struct ast *further)
{
    for (int i = 0; i < 4 && s->body->fixed_images.count; i++) {
        const struct fixed_image *image =
            &s->body->fixed_images.item[below(&g->random, (unsigned)s->body->fixed_images.count)];
        if (has_axes_of(&image->image, s->lead))
            return read_fixed(g, s, image, along, further);
    }
    for (int i = 0; i < 4; i++) {
        const struct image *image =
            &s->body->images.item[below(&g->random, (unsigned)s->body->images.count)];
        if (has_axes_of(image, s->lead) && !image->is_line)
            return read_other(g, s, image, along, further);
    }
    return (struct number){integer_node(&g->s, 3), 2, 0, true};
}

static struct number leaf(struct generator *g, const struct fixed_scope *s)
{
    const unsigned kind = below(&g->random, 100);
    if (kind < 12 && s->body->fixed_scalars.count) {
        const struct fixed_image *p =
            &s->body->fixed_scalars.item[below(&g->random, (unsigned)s->body->fixed_scalars.count)];
        return (struct number){p->image.name, p->bits, p->fraction, false};
    }
    if (kind < 24)
        return (struct number){integer_node(&g->s, between(&g->random, -9, 20)), 5, 0, true};
    if (kind < 30) {
        const struct fixed_format f = any_format(g, 12);
        return converted(g, &f, real_node(&g->s, (double)below(&g->random, 60) / 7));
    }
    return read_any(g, s, 0, NULL);
}

/* ---- Operators ---- */

static struct number expression(struct generator *g, const struct fixed_scope *s, int depth);

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

/* Bits of either where both have the steps of the finer one. */
static int aligned_bits(struct number a, struct number b)
{
    const int fraction = most_of(a.fraction, b.fraction);
    return most_of(a.bits + fraction - a.fraction, b.bits + fraction - b.fraction);
}

/* Both, so that their sum has few bits. */
static void align(struct generator *g, struct number *a, struct number *b)
{
    static const struct fixed_format plain = {true, 16, 6, NULL, NULL};
    if (aligned_bits(*a, *b) <= MOST_BITS)
        return;
    *a = converted(g, &plain, a->ast);
    *b = converted(g, &plain, b->ast);
}

static struct number both(struct number a, struct number b, const struct ast *ast, int more)
{
    return (struct number){ast, aligned_bits(a, b) + more, most_of(a.fraction, b.fraction),
                           a.is_integer && b.is_integer};
}

/* A real constant beside what is of fixed point already. */
static struct number with_constant(struct generator *g, struct number a)
{
    const struct syntax *y = &g->s;
    const bool is_short = chance(&g->random, 60);
    const int64_t n = between(&g->random, 1, 30);
    const struct ast *constant = real_node(y, is_short ? (double)n / 16 : (double)n / 10);
    struct number b = {constant, 6, is_short ? 4 : a.fraction, false};
    if (!is_short) /* below 4, in steps of a */
        b.bits = most_of(a.fraction + 3, 1);
    a = narrowed(g, a, 30);
    if (!is_short) {
        b.fraction = a.fraction;
        b.bits = most_of(a.fraction + 3, 1);
    }
    if (chance(&g->random, 60))
        return (struct number){binary_node(y, OPERATOR_MULTIPLY, b.ast, a.ast), a.bits + b.bits,
                               a.fraction + b.fraction, false};
    return both(
        a, b,
        binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT, a.ast, b.ast), 1);
}

static struct number product(struct generator *g, struct number a, struct number b)
{
    a = narrowed(g, a, 22);
    b = narrowed(g, b, 22);
    return (struct number){binary_node(&g->s, OPERATOR_MULTIPLY, a.ast, b.ast), a.bits + b.bits,
                           a.fraction + b.fraction, a.is_integer && b.is_integer};
}

static struct number quotient(struct generator *g, struct number a, struct number b)
{
    const struct syntax *y = &g->s;
    a = narrowed(g, a, 20);
    b = narrowed(g, b, 20);
    if (chance(&g->random, 30)) { /* by a power of two */
        const int n = (int)between(&g->random, 0, 5);
        b = (struct number){integer_node(y, (int64_t)1 << n), n + 1, 0, true};
    }
    const int most = most_of(a.fraction, b.fraction);
    const int digits = most - a.fraction + b.fraction;
    if (digits > 34 || digits < -34)
        return a;
    if (chance(&g->random, 30) && aligned_bits(a, b) <= MOST_BITS)
        return both(a, b, binary_node(y, OPERATOR_REMAINDER, a.ast, b.ast), 0);
    return (struct number){binary_node(y, OPERATOR_DIVIDE, a.ast, b.ast),
                           a.bits + most_of(digits, 0) + 1, most + 6, a.is_integer && b.is_integer};
}

static struct number compared(struct generator *g, const struct fixed_scope *s, struct number a,
                              struct number b, int depth)
{
    static const enum ast_operator comparison[] = {OPERATOR_LESS, OPERATOR_LESS_EQUAL,
                                                   OPERATOR_EQUAL, OPERATOR_NOT_EQUAL};
    const struct syntax *y = &g->s;
    struct number c = expression(g, s, depth), d = leaf(g, s);
    align(g, &c, &d);
    const struct ast *const three[3] = {
        binary_node(y, comparison[below(&g->random, 4)], c.ast, d.ast), a.ast, b.ast};
    return both(a, b, call_node(y, "select", 3, three), 0);
}

static struct number two(struct generator *g, const struct fixed_scope *s, int depth)
{
    const struct syntax *y = &g->s;
    struct number a = expression(g, s, depth), b = expression(g, s, depth);
    const unsigned kind = below(&g->random, 100);
    if (kind < 20)
        return product(g, a, b);
    if (kind < 32)
        return quotient(g, a, b);
    if (kind < 44 && !a.is_integer)
        return with_constant(g, a);
    align(g, &a, &b);
    if (kind < 55)
        return compared(g, s, a, b, depth - 1);
    if (kind < 66) {
        const struct ast *const pair[2] = {a.ast, b.ast};
        return both(a, b, call_node(y, any_extremum(g), 2, pair), 0);
    }
    return both(a, b, binary_node(y, kind < 85 ? OPERATOR_ADD : OPERATOR_SUBTRACT, a.ast, b.ast),
                1);
}

static struct number one(struct generator *g, const struct fixed_scope *s, int depth)
{
    static const char *const whole[] = {"floor", "ceil", "round", "trunc"};
    const struct syntax *y = &g->s;
    struct number a = expression(g, s, depth);
    switch (below(&g->random, 6)) {
    case 0:
        return (struct number){unary_node(y, OPERATOR_NEGATE, a.ast), a.bits + 1, a.fraction,
                               a.is_integer};
    case 1:
        return (struct number){call_node(y, "abs", 1, &a.ast), a.bits + 1, a.fraction,
                               a.is_integer};
    case 2:
        return (struct number){call_node(y, whole[below(&g->random, 4)], 1, &a.ast),
                               most_of(a.bits - a.fraction, 1) + 1, 0, a.is_integer};
    case 3:
        if (!a.is_integer && a.fraction < 40 && a.fraction > -20) {
            const int n = (int)between(&g->random, 0, 4);
            const bool left = chance(&g->random, 50);
            return (struct number){binary_node(y, left ? OPERATOR_SHIFT_LEFT : OPERATOR_SHIFT_RIGHT,
                                               parentheses_node(y, a.ast), integer_node(y, n)),
                                   a.bits, a.fraction + (left ? -n : n), false};
        }
        break;
    default: {
        const struct fixed_format f = any_format(g, chance(&g->random, 85) ? 24 : 63);
        if (chance(&g->random, 20))
            a.ast = call_node(y, chance(&g->random, 50) ? "f32" : "f64", 1, &a.ast);
        return converted(g, &f, a.ast);
    }
    }
    return a;
}

/* const k[i in -1 .. 1] : fixed<…> = {…}; of which this is the element at the place. */
static struct number weight(struct generator *g, const struct fixed_scope *s, int64_t first,
                            int64_t last, const struct ast *place)
{
    const struct syntax *y = &g->s;
    const struct symbol *name = fresh_name(g, "k");
    struct fixed_format f = any_format(g, 12);
    const int64_t end = ((int64_t)1 << (f.bits - f.has_sign)) - 1;
    struct ast_list *items = ast_list(y->arena);
    for (int64_t i = first; i <= last; i++) {
        const int64_t n = between(&g->random, f.has_sign ? -end : 0, end);
        const double value = ldexp((double)n, -f.fraction);
        ast_list_add(y->arena, items,
                     value < 0 ? unary_node(y, OPERATOR_NEGATE, real_node(y, -value))
                               : real_node(y, value));
    }
    const struct ast *domain = binding_node(
        y, fresh_name(g, "j"), range_node(y, integer_node(y, first), integer_node(y, last), true));
    add_statement(g, s->body,
                  NODE(.kind = AST_CONSTANT,
                       .as.constant = {.name = name,
                                       .domain = list_of(y, 1, &domain),
                                       .type = format_node(g, &f),
                                       .value = NODE(.kind = AST_ARRAY, .as.array = {items, 1})}));
    return number_of(&f, index_node(y, name_node(y, name), list_of(y, 1, &place)));
}

/* sum[d in -1 .. 1](…), with the variable in the index of a read. */
static struct number reduced(struct generator *g, const struct fixed_scope *s)
{
    static const char *const name[] = {"sum", "min", "max", "median"};
    const struct syntax *y = &g->s;
    const struct symbol *d = fresh_name(g, "d");
    const int64_t first = between(&g->random, -2, 0), last = between(&g->random, 0, 2);
    const unsigned kind = below(&g->random, 5);
    struct number a = read_any(g, s, below(&g->random, s->lead->rank), name_node(y, d));
    if (kind < 4 && chance(&g->random, 40))
        a = product(g, weight(g, s, first, last, name_node(y, d)), a);
    else if (kind < 4 && chance(&g->random, 40))
        a = product(g, a, leaf(g, s));
    const struct ast *range =
        binding_node(y, d, range_node(y, integer_node(y, first), integer_node(y, last), true));
    const struct ast *callee = index_node(
        y, name_node(y, word(y, kind < 4 ? name[kind] : "argmax")), list_of(y, 1, &range));
    a.ast = NODE(.kind = AST_CALL, .as.call = {callee, list_of(y, 1, &a.ast)});
    a.bits += kind == 0 ? 3 : 0;
    return kind < 4 ? a : (struct number){a.ast, 2, 0, true};
}

static struct number expression(struct generator *g, const struct fixed_scope *s, int depth)
{
    struct number a;
    if (depth <= 0)
        a = leaf(g, s);
    else if (chance(&g->random, 12) && !s->is_plain)
        a = reduced(g, s);
    else
        a = chance(&g->random, 70) ? two(g, s, depth - 1) : one(g, s, depth - 1);
    a = narrowed(g, a, MOST_BITS);
    if (most_of(a.fraction, -a.fraction) > 30) {
        const struct fixed_format f = any_format(g, 24);
        a = converted(g, &f, a.ast);
    }
    a.ast = parentheses_node(&g->s, a.ast);
    return a;
}

/* Of fixed point for sure, and with a read of the lead, which tells the box. */
static struct number value_of_stage(struct generator *g, const struct fixed_scope *s)
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < s->lead->rank; k++)
        index[k] = name_node(y, s->lead->axis[k].name);
    const struct ast *read = index_node(y, s->lead->name, list_of(y, s->lead->rank, index));
    const struct fixed_format f = any_format(g, 16);
    if (s->lead->element == SCALAR_BOOL) {
        const struct ast *const three[3] = {read, integer_node(y, 1), integer_node(y, 0)};
        read = call_node(y, "select", 3, three);
    }
    struct number first = converted(g, &f, read);
    struct number rest = expression(g, s, (int)between(&g->random, 0, MOST_DEPTH));
    align(g, &first, &rest);
    return both(first, rest, binary_node(y, OPERATOR_ADD, first.ast, rest.ast), 1);
}

/* ---- Statements ---- */

static void keep_fixed(struct generator *g, struct body *body, const struct image *lead,
                       const struct symbol *name, struct number value)
{
    struct fixed_image made = {.image = *lead, .bits = value.bits, .fraction = value.fraction};
    made.image.name = name_node(&g->s, name);
    made.image.is_line = false;
    made.image.element = SCALAR_I32; /* no truth value */
    close_axes(&made.image);
    VECTOR_PUSH(g->s.arena, &body->fixed_images, made);
}

static struct fixed_scope open_scope(struct generator *g, struct body *body)
{
    const struct image *lead = lead_image(g, body);
    if (body->fixed_images.count && chance(&g->random, 60))
        lead =
            &body->fixed_images.item[below(&g->random, (unsigned)body->fixed_images.count)].image;
    return (struct fixed_scope){.body = body, .lead = arena_copy(g->s.arena, lead, sizeof *lead)};
}

static void add_fixed_stage(struct generator *g, const struct fixed_scope *s)
{
    const struct symbol *name = fresh_name(g, "q");
    struct number value = value_of_stage(g, s);
    const struct fixed_format f = any_format(g, chance(&g->random, 90) ? 32 : 63);
    const bool declares = chance(&g->random, 75);
    add_statement(g, s->body,
                  define_node(&g->s, name, image_brackets(g, s->lead),
                              declares ? format_node(g, &f) : NULL, value.ast));
    keep_fixed(g, s->body, s->lead, name, declares ? number_of(&f, NULL) : value);
}

/* A stage of integers or floats, which the other statements may read. */
static void add_plain_stage(struct generator *g, const struct fixed_scope *s)
{
    static const enum scalar element[] = {SCALAR_U8, SCALAR_I16, SCALAR_F32, SCALAR_F64,
                                          SCALAR_F16};
    struct image made = *s->lead;
    const struct symbol *name = fresh_name(g, "s");
    made.element = element[below(&g->random, 5)];
    made.interval = scalar_info[made.element].interval;
    made.name = name_node(&g->s, name);
    made.is_line = false;
    close_axes(&made);
    struct number value = value_of_stage(g, s);
    const bool cuts = scalar_is_integer(made.element) && chance(&g->random, 30);
    value.ast = cuts ? conversion_node(&g->s, CONVERSION_TRUNCATE, made.element, value.ast)
                     : call_node(&g->s, scalar_info[made.element].text, 1, &value.ast);
    add_statement(g, s->body,
                  define_node(&g->s, name, image_brackets(g, s->lead), NULL, value.ast));
    keep_image(g, s->body, made);
}

/* r[x] : fixed<…> = … + 0.75 * r[x - 1] border zero */
static void add_fixed_recurrence(struct generator *g, const struct fixed_scope *s)
{
    const struct syntax *y = &g->s;
    const struct symbol *name = fresh_name(g, "r");
    const struct fixed_format f = any_format(g, 24);
    const unsigned along = below(&g->random, s->lead->rank);
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < s->lead->rank; k++)
        index[k] = name_node(y, s->lead->axis[k].name);
    index[along] = binary_node(y, chance(&g->random, 60) ? OPERATOR_SUBTRACT : OPERATOR_ADD,
                               index[along], integer_node(y, between(&g->random, 1, 2)));
    const struct ast *before = index_node(y, name_node(y, name), list_of(y, s->lead->rank, index));
    before = bordered_node(y, before,
                           chance(&g->random, 60) ? rule_node(y, "zero", NULL)
                                                  : rule_node(y, "constant", integer_node(y, 0)));
    struct number value = value_of_stage(g, s), own = number_of(&f, before);
    if (chance(&g->random, 70))
        own = with_constant(g, own);
    align(g, &value, &own);
    add_statement(g, s->body,
                  define_node(y, name, image_brackets(g, s->lead), format_node(g, &f),
                              binary_node(y, OPERATOR_ADD, value.ast, own.ast)));
    keep_fixed(g, s->body, s->lead, name, number_of(&f, NULL));
}

/* h[b in 0 .. 5] : fixed<…>; h[clamp(u8(…), 0, 5)] += … over y, x; */
static void add_fixed_scatter(struct generator *g, const struct fixed_scope *s)
{
    static const enum ast_assignment assignment[] = {ASSIGN_ADD, ASSIGN_ADD, ASSIGN_MIN,
                                                     ASSIGN_MAX};
    const struct syntax *y = &g->s;
    const struct symbol *name = fresh_name(g, "h"), *axis = fresh_name(g, "b");
    const struct fixed_format f = any_format(g, 32);
    const struct ast *box =
        binding_node(y, axis, range_node(y, integer_node(y, 0), integer_node(y, 5), true));
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, 1, &box));
    const struct number value = value_of_stage(g, s);
    const struct number place = expression(g, s, 1);
    const struct ast *const inside[3] = {call_node(y, "u8", 1, &place.ast), integer_node(y, 0),
                                         integer_node(y, 5)};
    const struct ast *index = call_node(y, "clamp", 3, inside);
    const struct ast *target = NODE(.kind = AST_LIST, .as.list = list_of(y, 1, &index));
    add_statement(g, s->body,
                  define_node(y, name, list_of(y, 1, &bracket), format_node(g, &f), NULL));
    add_statement(g, s->body,
                  NODE(.kind = AST_DEFINE,
                       .as.define = {.name = name,
                                     .brackets = list_of(y, 1, &target),
                                     .value = value.ast,
                                     .assignment = assignment[below(&g->random, 4)],
                                     .over = image_brackets(g, s->lead)->item[0]->as.list}));
    struct image made = {.rank = 1,
                         .depends = s->lead->depends,
                         .axis = {{axis, new_grid(g, true, (struct interval){0, 5}), false}}};
    keep_fixed(g, s->body, &made, name, number_of(&f, NULL));
}

/* w[y, x] : fixed<…> = …, or w = e, all of an image, often an input. Its axes are the lead then. */
static const struct symbol *add_carried(struct generator *g, struct fixed_scope *s)
{
    const struct symbol *name = fresh_name(g, "w");
    if (s->body->fixed_images.count == 0 || chance(&g->random, 50)) {
        const struct fixed_format f = any_format(g, 24);
        add_statement(g, s->body,
                      define_node(&g->s, name, image_brackets(g, s->lead), format_node(g, &f),
                                  value_of_stage(g, s).ast));
        keep_fixed(g, s->body, s->lead, name, number_of(&f, NULL));
        return name;
    }
    const struct fixed_image whole =
        s->body->fixed_images.item[chance(&g->random, 60)
                                       ? 0
                                       : below(&g->random, (unsigned)s->body->fixed_images.count)];
    s->lead = arena_copy(g->s.arena, &whole.image, sizeof whole.image);
    add_statement(g, s->body, define_node(&g->s, name, NULL, NULL, whole.image.name));
    keep_fixed(g, s->body, s->lead, name, (struct number){NULL, whole.bits, whole.fraction, false});
    return name;
}

/* What the name is after a step: a stage, or all of an image of the same type and axes. */
static const struct ast *carried_step(struct generator *g, const struct fixed_scope *s,
                                      const struct symbol *name, const struct ast *same)
{
    if (same && chance(&g->random, 35))
        return define_node(&g->s, name, NULL, NULL, same);
    return define_node(&g->s, name, image_brackets(g, s->lead), NULL, value_of_stage(g, s).ast);
}

static const struct ast *step_count(struct generator *g, const struct body *body)
{
    const struct stage_scope s = {.body = (struct body *)(uintptr_t)body};
    const struct ast *moving = chance(&g->random, 30) ? moving_end(g, &s, 0, 3) : NULL;
    return moving ? moving : integer_node(&g->s, between(&g->random, 0, 3));
}

/* repeat n { w[y, x] = …; }; or of two names, the second of which begins as all of the first. */
static void add_fixed_repeat(struct generator *g, struct fixed_scope *s)
{
    const struct syntax *y = &g->s;
    const struct symbol *name[2] = {add_carried(g, s), NULL};
    const struct fixed_image first = s->body->fixed_images.item[s->body->fixed_images.count - 1];
    const unsigned names = chance(&g->random, 30) ? 2 : 1;
    if (names == 2) {
        name[1] = fresh_name(g, "w");
        add_statement(g, s->body, define_node(y, name[1], NULL, NULL, first.image.name));
        keep_fixed(g, s->body, s->lead, name[1],
                   (struct number){NULL, first.bits, first.fraction, false});
    }
    const struct ast *step[2];
    for (unsigned i = 0; i < names; i++) {
        const struct ast *same = names == 2 ? name_node(y, name[1 - i]) : s->lead->name;
        step[i] = carried_step(g, s, name[i], same);
    }
    add_statement(
        g, s->body,
        NODE(.kind = AST_REPEAT, .as.repeat = {step_count(g, s->body), list_of(y, names, step)}));
}

void add_fixed_point(struct generator *g, struct body *body)
{
    struct fixed_scope s = open_scope(g, body);
    if (s.lead->rank == 0 || !body->is_main)
        return;
    const unsigned kind = below(&g->random, 100);
    if (kind < 45)
        add_fixed_stage(g, &s);
    else if (kind < 65)
        add_plain_stage(g, &s);
    else if (kind < 75)
        add_fixed_recurrence(g, &s);
    else if (kind < 83)
        add_fixed_scatter(g, &s);
    else
        add_fixed_repeat(g, &s);
}

/* ---- Signatures ---- */

static struct formal fixed_formal(struct generator *g, enum ast_formal_role role,
                                  const struct symbol *name, const struct ast *type)
{
    return (struct formal){
        .is_image = role == FORMAL_IMAGE,
        .node = NODE(.kind = AST_FORMAL, .as.formal = {.role = role, .name = name, .type = type})};
}

/* image<fixed<8, 4>>[y, x], with the axes of the image. */
static const struct ast *fixed_image_type(struct generator *g, const struct image *image,
                                          const struct fixed_format *f)
{
    const struct ast *element = format_node(g, f), *axis[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++)
        axis[k] = name_node(&g->s, image->axis[k].name);
    return NODE(.kind = AST_TYPE, .as.type = {.constructor = word(&g->s, "image"),
                                              .inner = element,
                                              .arguments = list_of(&g->s, 1, &element),
                                              .names = list_of(&g->s, image->rank, axis)});
}

void add_fixed_image_formal(struct generator *g, struct body *body)
{
    const struct image *like = &body->images.item[0];
    const struct symbol *name = fresh_name(g, "e");
    const struct fixed_format f = any_format(g, chance(&g->random, 90) ? 32 : 63);
    if (like->rank == 0)
        return;
    VECTOR_PUSH(g->s.arena, &body->filter->formals,
                fixed_formal(g, FORMAL_IMAGE, name, fixed_image_type(g, like, &f)));
    keep_fixed(g, body, like, name, number_of(&f, NULL));
}

/* param p : fixed<4, 8> = 0.7 in 0 .. 1.5; its range is inside the type, more or less. */
void add_fixed_scalar_formal(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const struct fixed_format f = any_format(g, 20);
    const struct symbol *name = fresh_name(g, "p");
    const bool is_constant = chance(&g->random, 30);
    const double end = ldexp((double)(((int64_t)1 << (f.bits - f.has_sign)) - 1), -f.fraction);
    const double greatest = fmin((double)between(&g->random, 1, 20) / 8, end);
    struct ast node =
        *fixed_formal(g, is_constant ? FORMAL_CONST : FORMAL_PARAM, name, format_node(g, &f)).node;
    if (chance(&g->random, 60))
        node.as.formal.range = range_node(y, integer_node(y, 0), real_node(y, greatest), true);
    if (is_constant || chance(&g->random, 60))
        node.as.formal.value = real_node(y, f.fraction < 0 ? 0 : greatest / 2);
    struct formal formal = {.node = arena_copy(y->arena, &node, sizeof node)};
    VECTOR_PUSH(y->arena, &body->filter->formals, formal);
    struct fixed_image scalar = {.bits = f.bits, .fraction = f.fraction};
    scalar.image.name = name_node(y, name);
    VECTOR_PUSH(y->arena, &body->fixed_scalars, scalar);
}

const struct ast *make_fixed_result(struct generator *g, struct body *body,
                                    const struct symbol *name)
{
    const struct fixed_scope s = open_scope(g, body);
    const struct fixed_format f = any_format(g, chance(&g->random, 90) ? 32 : 63);
    if (s.lead->rank == 0)
        return NULL;
    const struct number value = value_of_stage(g, &s);
    add_statement(g, body, define_node(&g->s, name, image_brackets(g, s.lead), NULL, value.ast));
    return NODE(.kind = AST_FORMAL, .as.formal = {.role = FORMAL_IMAGE,
                                                  .name = name,
                                                  .type = fixed_image_type(g, s.lead, &f)});
}
