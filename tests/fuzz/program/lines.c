/* Random chains of linear unbounded recurrences: causal and anticausal, that read an image under
 * one rule and each other, and a stencil that reads the last of them outside its box. */
#include "program/operators.h"

#include <math.h>

enum { MOST_ORDER = 5, MOST_CHAIN = 4 };

struct line_chain {
    struct body *body;
    const struct image *image; /* that is extended */
    unsigned along;
    const struct ast *rule; /* behind each read of the image; NULL: another one is taken */
    unsigned depends;
    bool returns; /* slow, of f32, one way and back; nothing else reads what is on its way */
    unsigned count;
    struct image made[MOST_CHAIN];
};

/* ---- Coefficients ---- */

/* a of s(n) = … + a1 s(n - 1) + a2 s(n - 2) + …, poles at random in the circle, now and then close
 * to it. */
static unsigned choose_feedback(struct generator *g, bool slow, double a[MOST_ORDER + 1])
{
    double polynomial[MOST_ORDER + 3] = {1};
    const unsigned order = 1 + (chance(&g->random, 50) ? 0 : below(&g->random, MOST_ORDER));
    if (slow) {
        a[1] = 0.8 + (double)below(&g->random, 190) / 1000;
        return 1;
    }
    unsigned got = 0;
    while (got < order) {
        const unsigned widest =
            chance(&g->random, 40) ? 500 : 900; /* what soon forgets joins tiles */
        const double radius =
            chance(&g->random, 5) ? 0.998 : (double)below(&g->random, widest) / 1000;
        const bool pair = order - got > 1 && chance(&g->random, 50);
        const double angle = (double)below(&g->random, 3142) / 1000;
        const double sum = pair                     ? 2 * radius * cos(angle)
                           : chance(&g->random, 50) ? radius
                                                    : -radius;
        got += pair ? 2 : 1;
        for (unsigned i = got; i > 0; i--)
            polynomial[i] +=
                (pair && i > 1 ? radius * radius * polynomial[i - 2] : 0) - sum * polynomial[i - 1];
    }
    for (unsigned lag = 1; lag <= order; lag++)
        a[lag] = -polynomial[lag];
    if (order > 2 && chance(&g->random, 20)) { /* with gaps: the sum is below 1 */
        const unsigned gap = 1 + below(&g->random, order - 1);
        for (unsigned lag = 1; lag <= order; lag++)
            a[lag] = lag == gap ? 0.3 : lag == order ? -0.6 : 0;
    }
    return order;
}

/* A parameter that is a coefficient; some ranges hold values that are refused when it runs. */
static const struct ast *coefficient_parameter(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    const enum scalar scalar = chance(&g->random, 50) ? SCALAR_F32 : SCALAR_F64;
    struct formal formal = {.value = {.class = CLASS_FLOAT, .scalar = scalar}, .has_default = true};
    const bool wide = chance(&g->random, 15);
    const struct symbol *name = fresh_name(g, "p");
    const struct ast *most = wide ? integer_node(y, 1) : real_node(y, 0.9375);
    formal.range = (struct interval){0, wide ? 1 : 0};
    formal.value.ast = name_node(y, name);
    formal.node = NODE(.kind = AST_FORMAL,
                       .as.formal = {.role = FORMAL_PARAM,
                                     .name = name,
                                     .type = scalar_type_node(y, scalar),
                                     .value = real_node(y, 0.5),
                                     .range = range_node(y, integer_node(y, 0), most, true)});
    VECTOR_PUSH(y->arena, &body->filter->formals, formal);
    return formal.value.ast;
}

static const struct ast *feedback(struct generator *g, struct line_chain *c,
                                  const struct image *own, bool reversed, const struct ast *sum)
{
    const struct syntax *y = &g->s;
    double a[MOST_ORDER + 1];
    unsigned order = choose_feedback(g, c->returns, a);
    const struct ast *parameter =
        !c->returns && chance(&g->random, 20) ? coefficient_parameter(g, c->body) : NULL;
    if (parameter)
        order = 1;
    for (unsigned lag = 1; lag <= order; lag++) {
        const struct ast *index[MOST_AXES];
        if (a[lag] == 0 && !parameter)
            continue;
        for (unsigned k = 0; k < own->rank; k++)
            index[k] = name_node(y, own->axis[k].name);
        index[c->along] = binary_node(y, reversed ? OPERATOR_ADD : OPERATOR_SUBTRACT,
                                      index[c->along], integer_node(y, lag));
        const struct ast *factor = parameter ? parameter : real_node(y, fabs(a[lag]));
        const struct ast *term = binary_node(
            y, OPERATOR_MULTIPLY, factor, index_node(y, own->name, list_of(y, own->rank, index)));
        sum =
            binary_node(y, !parameter && a[lag] < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, sum, term);
    }
    return sum;
}

/* ---- What it reads ---- */

/* The image near the coordinates; its rule gives what is outside along all axes. */
static struct typed image_tap(struct generator *g, struct line_chain *c)
{
    const struct syntax *y = &g->s;
    const struct image *image = c->image;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        const int64_t offset =
            chance(&g->random, k == c->along ? 40 : 15) ? between(&g->random, -3, 3) : 0;
        const struct ast *at = name_node(y, image->axis[k].name);
        index[k] = offset ? binary_node(y, offset < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, at,
                                        integer_node(y, offset < 0 ? -offset : offset))
                          : at;
    }
    const struct ast *read = index_node(y, image->name, list_of(y, image->rank, index));
    struct typed value = {.ast = c->rule ? bordered_node(y, read, c->rule) : read,
                          .class = scalar_info[image->element].class,
                          .scalar = image->element,
                          .interval = hull(image->interval, (struct interval){-100, 100})};
    if (value.class == CLASS_BOOL)
        value = as_class(g, value, CLASS_INTEGER);
    if (chance(&g->random, 12))
        value = absolute(g, value);
    return as_class(g, value, CLASS_FLOAT);
}

static struct typed chain_tap(struct generator *g, const struct line_chain *c)
{
    const struct syntax *y = &g->s;
    const struct image *from =
        &c->made[chance(&g->random, 70) ? c->count - 1 : below(&g->random, c->count)];
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < from->rank; k++)
        index[k] = name_node(y, from->axis[k].name);
    if (chance(&g->random, 40))
        index[c->along] = binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT,
                                      index[c->along], integer_node(y, between(&g->random, 1, 4)));
    return typed_float(index_node(y, from->name, list_of(y, from->rank, index)), from->element);
}

static struct typed scaled_tap(struct generator *g, struct typed tap)
{
    if (chance(&g->random, 50))
        return tap;
    const struct typed factor = {.ast = real_node(&g->s, (double)between(&g->random, 1, 30) / 16),
                                 .class = CLASS_FLOAT,
                                 .scalar = SCALAR_F64,
                                 .untyped = true};
    return combine(g, OPERATOR_MULTIPLY, factor, tap);
}

/* ---- The stages ---- */

const struct ast_list *image_brackets(struct generator *g, const struct image *image)
{
    const struct ast *axis[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++)
        axis[k] = name_node(&g->s, image->axis[k].name);
    const struct ast *bracket =
        NODE(.kind = AST_LIST, .as.list = list_of(&g->s, image->rank, axis));
    return list_of(&g->s, 1, &bracket);
}

static void add_line(struct generator *g, struct line_chain *c)
{
    const bool reversed = c->returns ? c->count % 2
                          : c->count ? chance(&g->random, 60)
                                     : chance(&g->random, 30);
    struct image own = *c->image;
    own.name = name_node(&g->s, fresh_name(g, "s"));
    own.depends = c->depends;
    own.is_line = false;
    close_axes(&own);
    struct typed sum = {0};
    for (unsigned taps = 1 + below(&g->random, 3), i = 0; i < taps; i++) {
        struct typed tap =
            c->count && (c->returns || chance(&g->random, 80)) ? chain_tap(g, c) : image_tap(g, c);
        tap = scaled_tap(g, tap);
        sum = i ? combine(g, OPERATOR_ADD, sum, tap) : tap;
    }
    const struct ast *value = feedback(g, c, &own, reversed, sum.ast);
    own.element = !c->returns && chance(&g->random, 25) ? SCALAR_F64 : SCALAR_F32;
    own.interval = scalar_info[own.element].interval;
    add_statement(g, c->body,
                  define_node(&g->s, own.name->as.name, image_brackets(g, &own),
                              scalar_type_node(&g->s, own.element), value));
    own.is_line = true;
    c->made[c->count++] = own;
    if (!c->returns || c->count % 2 == 0)
        keep_image(g, c->body, own);
}

/* Differences of the last line with samples before and behind it, which are its own. */
static void add_stencil(struct generator *g, struct line_chain *c)
{
    struct image own = c->made[c->count - 1];
    const struct typed a = scaled_tap(g, chain_tap(g, c));
    const struct typed value = combine(g, OPERATOR_SUBTRACT, a, chain_tap(g, c));
    own.name = name_node(&g->s, fresh_name(g, "s"));
    own.element = value.scalar;
    own.is_line = false;
    add_statement(g, c->body,
                  define_node(&g->s, own.name->as.name, image_brackets(g, &own), NULL, value.ast));
    keep_image(g, c->body, own);
}

/* ---- What shares lines with recurrences ---- */

/* The last stage of the chain at its own place, or beside it along the line where it has no order
 * itself. */
static const struct ast *piece_read(struct generator *g, const struct line_chain *c, bool recurs)
{
    const struct syntax *y = &g->s;
    const struct image *from = &c->made[c->count - 1];
    const struct ast *index[MOST_AXES];
    const int64_t offset = recurs || chance(&g->random, 40) ? 0 : between(&g->random, -3, 3);
    for (unsigned k = 0; k < from->rank; k++)
        index[k] = name_node(y, from->axis[k].name);
    if (offset)
        index[c->along] =
            binary_node(y, offset < 0 ? OPERATOR_SUBTRACT : OPERATOR_ADD, index[c->along],
                        integer_node(y, offset < 0 ? -offset : offset));
    const struct ast *read = index_node(y, from->name, list_of(y, from->rank, index));
    return offset ? bordered_node(y, read, rule_node(y, "extend", NULL)) : read;
}

static const struct ast *own_read(struct generator *g, const struct line_chain *c,
                                  const struct image *own)
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < own->rank; k++)
        index[k] = name_node(y, own->axis[k].name);
    index[c->along] = binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT,
                                  index[c->along], integer_node(y, between(&g->random, 1, 2)));
    const struct ast *read = index_node(y, own->name, list_of(y, own->rank, index));
    return bordered_node(y, read, rule_node(y, "zero", NULL));
}

/* exp(a) - exp(b) of the stage before, so that none is computed where it is read; or 0.5 a + 0.5 of
 * itself. */
static void add_piece(struct generator *g, struct line_chain *c, bool *recurs)
{
    const struct syntax *y = &g->s;
    struct image own = *c->image;
    own.name = name_node(y, fresh_name(g, "s"));
    own.element = SCALAR_F32;
    own.interval = scalar_info[SCALAR_F32].interval;
    own.depends = c->depends;
    own.is_line = false;
    close_axes(&own);
    const struct ast *a, *b;
    if (c->count == 0) {
        a = image_tap(g, c).ast;
        b = image_tap(g, c).ast;
    } else {
        a = piece_read(g, c, *recurs);
        b = piece_read(g, c, *recurs);
    }
    *recurs = c->count > 0 && chance(&g->random, 50);
    const struct ast *value =
        *recurs ? binary_node(
                      y, OPERATOR_ADD, binary_node(y, OPERATOR_MULTIPLY, real_node(y, 0.5), a),
                      binary_node(y, OPERATOR_MULTIPLY, real_node(y, 0.5), own_read(g, c, &own)))
                : binary_node(
                      y, OPERATOR_SUBTRACT,
                      call_node(y, "exp", 1, (const struct ast *[]){call_node(y, "sin", 1, &a)}),
                      call_node(y, "cos", 1, &b));
    add_statement(g, c->body,
                  define_node(y, own.name->as.name, image_brackets(g, &own),
                              scalar_type_node(y, own.element), value));
    c->made[c->count++] = own;
}

static void add_pieces(struct generator *g, struct line_chain *c)
{
    bool recurs = false;
    for (unsigned i = 0; i < MOST_CHAIN; i++)
        add_piece(g, c, &recurs);
    keep_image(g, c->body, c->made[c->count - 1]);
}

/* The last line, then lines along another axis. */
static void add_other_lines(struct generator *g, const struct line_chain *c)
{
    const struct image image = c->made[c->count - 1];
    struct interval outside = {0, 0};
    struct line_chain other = {.body = c->body, .image = &image, .depends = c->depends};
    other.along = (c->along + 1 + below(&g->random, image.rank - 1)) % image.rank;
    other.rule = generate_rule(g, &image, &outside);
    for (unsigned i = 1 + below(&g->random, 3); i > 0; i--)
        add_line(g, &other);
}

bool add_line_chain(struct generator *g, struct body *body)
{
    struct line_chain c = {.body = body, .image = lead_image(g, body)};
    if (c.image->rank == 0)
        return false;
    const struct image image = *c.image; /* images are added meanwhile */
    c.image = &image;
    c.depends = image.depends;
    c.along = below(&g->random, image.rank);
    const bool covered = default_covers(body, &image);
    if (!covered && !body->is_main && !body->default_rule && image.element != SCALAR_BOOL &&
        chance(&g->random, 50)) {
        body->filter->needs_rule = body->filter->takes_rule = true;
    } else if (!covered || chance(&g->random, 40)) {
        struct interval outside = {0, 0};
        c.rule = generate_rule(g, &image, &outside);
    }
    if (covered && !c.rule && chance(&g->random, 30)) {
        add_pieces(g, &c);
        return true;
    }
    c.returns = image.rank > 1 && chance(&g->random, 30);
    for (unsigned i = c.returns ? 2 : 1 + below(&g->random, MOST_CHAIN); i > 0; i--)
        add_line(g, &c);
    if (c.returns)
        return true;
    if (chance(&g->random, 40))
        add_stencil(g, &c);
    if (image.rank > 1 && chance(&g->random, 40))
        add_other_lines(g, &c);
    return true;
}

/* ---- Integers that wrap, and what is limited ---- */

/* A line of the image, the first along other axes. */
static struct image line_of(const struct image *image, unsigned along)
{
    struct image line = *image;
    line.rank = 1;
    line.axis[0] = image->axis[along];
    return line;
}

/* The image, so far back along the axis. */
static const struct ast *place_of(struct generator *g, const struct image *of,
                                  const struct symbol *along, bool is_line, int64_t back)
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < of->rank; k++)
        index[k] = is_line && of->axis[k].name != along ? integer_node(y, 0)
                                                        : name_node(y, of->axis[k].name);
    for (unsigned k = 0; k < of->rank && back; k++)
        if (of->axis[k].name == along)
            index[k] = binary_node(y, OPERATOR_SUBTRACT, index[k], integer_node(y, back));
    return index_node(y, of->name, list_of(y, of->rank, index));
}

/* The same, a constant outside where that is somewhere else. */
static const struct ast *tap_of(struct generator *g, const struct image *of,
                                const struct symbol *along, bool is_line, int64_t back)
{
    const struct syntax *y = &g->s;
    const struct ast *read = place_of(g, of, along, is_line, back);
    if (back || is_line)
        read = bordered_node(y, read,
                             is_line && of->rank > 1
                                 ? rule_node(y, "clamp", NULL)
                                 : rule_node(y, "constant", integer_node(y, below(&g->random, 3))));
    return read;
}

static const struct ast *integer_tap(struct generator *g, const struct image *of,
                                     const struct symbol *along, bool is_line, int64_t back)
{
    return binary_node(&g->s, OPERATOR_MULTIPLY,
                       integer_node(&g->s, (int64_t)below(&g->random, 9) - 4),
                       tap_of(g, of, along, is_line, back));
}

/* Steps of one recurrence after another. */
struct steps {
    const struct image *from, *own;
    const struct symbol *along;
    bool is_line;
    int64_t forward; /* 1: from the first sample to the last */
};

/* wrap<u8>(3 * from[x] - 2 * own[x - 1] …) */
static const struct ast *wrapping_step(struct generator *g, const struct steps *s)
{
    const struct syntax *y = &g->s;
    const struct ast *value = integer_tap(g, s->from, s->along, s->is_line, 0);
    for (int64_t lag = 1 + below(&g->random, 3); lag > 0; lag--)
        value = binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT, value,
                            integer_tap(g, chance(&g->random, 75) ? s->own : s->from, s->along,
                                        s->is_line, s->forward * lag));
    return conversion_node(y, CONVERSION_WRAP, s->own->element, value);
}

/* own[x - 1], which begins with a constant, or with what is summed. */
static const struct ast *sum_before(struct generator *g, const struct steps *s)
{
    const struct syntax *y = &g->s;
    if (s->is_line || chance(&g->random, 70))
        return tap_of(g, s->own, s->along, s->is_line, s->forward);
    const struct ast *first = conversion_node(y, CONVERSION_WRAP, s->own->element,
                                              tap_of(g, s->from, s->along, false, 0));
    return bordered_node(y, place_of(g, s->own, s->along, false, s->forward),
                         rule_node(y, "state", first));
}

static const struct ast *sum_converted(struct generator *g, const struct steps *s,
                                       const struct ast *value)
{
    return conversion_node(&g->s, chance(&g->random, 80) ? CONVERSION_WRAP : CONVERSION_TRUNCATE,
                           s->own->element, value);
}

/* wrap<u32>(3 * from[x] + own[x - 1] - from[x - 2] …): a running sum, or one that ends at limits;
 * the sample before, or what it is limited to, may have a name */
static const struct ast *summing_step(struct generator *g, const struct steps *s)
{
    const struct syntax *y = &g->s;
    const struct ast *value = sum_before(g, s), *let = NULL;
    if (chance(&g->random, 25)) {
        const struct symbol *name = fresh_name(g, "v");
        const struct ast *const both[2] = {value, integer_node(y, below(&g->random, 9))};
        if (chance(&g->random, 30))
            value = call_node(y, "max", 2, both);
        let = NODE(.kind = AST_LET, .as.let = {.name = name, .value = value});
        value = name_node(y, name);
    }
    for (unsigned i = 1 + below(&g->random, 3); i > 0; i--) {
        const struct ast *term =
            integer_tap(g, s->from, s->along, s->is_line, s->forward * below(&g->random, 3));
        const bool behind = chance(&g->random, 60);
        value = binary_node(y, behind && chance(&g->random, 40) ? OPERATOR_SUBTRACT : OPERATOR_ADD,
                            behind ? value : term, behind ? term : value);
        if (i > 1 && chance(&g->random, 25))
            value = sum_converted(g, s, value);
    }
    value = sum_converted(g, s, value);
    return let ? NODE(.kind = AST_BLOCK, .as.block = {list_of(y, 1, &let), value}) : value;
}

/* max(2 * from[x], own[x - 1] + from[x]) … */
static const struct ast *limited_step(struct generator *g, const struct steps *s)
{
    const struct syntax *y = &g->s;
    const bool is_float = scalar_is_float(s->own->element);
    const struct ast *value = tap_of(g, s->own, s->along, s->is_line, s->forward);
    if (!is_float && chance(&g->random, 60))
        value = binary_node(y, chance(&g->random, 50) ? OPERATOR_ADD : OPERATOR_SUBTRACT, value,
                            integer_tap(g, s->from, s->along, s->is_line, 0));
    for (unsigned i = 1 + chance(&g->random, 30); i > 0; i--) {
        const struct ast *limit = is_float ? tap_of(g, s->from, s->along, s->is_line, 0)
                                           : integer_tap(g, s->from, s->along, s->is_line, 0);
        const bool second = chance(&g->random, 80);
        const struct ast *const both[2] = {second ? limit : value, second ? value : limit};
        value = call_node(y, chance(&g->random, 50) ? "max" : "min", 2, both);
    }
    return value;
}

bool add_integer_chain(struct generator *g, struct body *body)
{
    static const enum scalar element[] = {SCALAR_U8,  SCALAR_I16, SCALAR_U16, SCALAR_U32,
                                          SCALAR_I32, SCALAR_U32, SCALAR_I32};
    const struct syntax *y = &g->s;
    const struct image *lead = lead_image(g, body);
    const bool is_float = lead->element == SCALAR_F32 || lead->element == SCALAR_F64;
    if (lead->rank == 0 || lead->element == SCALAR_BOOL || lead->element == SCALAR_I64 ||
        (!is_float && !scalar_is_integer(lead->element)))
        return false;
    struct image from = *lead, own;
    const unsigned axis = below(&g->random, from.rank);
    struct steps steps = {.from = &from,
                          .own = &own,
                          .along = from.axis[axis].name,
                          .forward = chance(&g->random, 70) ? 1 : -1,
                          .is_line = chance(&g->random, 55)}; /* such are cut into segments */
    const bool both = !steps.is_line && from.rank > 1 && chance(&g->random, 70);
    const unsigned columns = 1 + below(&g->random, 2); /* behind the rows */
    if (both)
        steps.along = from.axis[from.rank - 1].name;
    for (unsigned i = (both ? 1 + columns : 1) + below(&g->random, both ? 2 : 3); i > 0; i--) {
        own = steps.is_line && from.rank > 1 ? line_of(&from, axis) : from;
        if (both && i == columns)
            steps.along = from.axis[0].name;
        own.name = name_node(y, fresh_name(g, "s"));
        own.element = is_float ? from.element
                               : element[below(&g->random, sizeof element / sizeof element[0])];
        own.interval = scalar_info[own.element].interval;
        own.is_line = false;
        close_axes(&own);
        add_statement(g, body,
                      define_node(y, own.name->as.name, image_brackets(g, &own),
                                  scalar_type_node(y, own.element),
                                  is_float || chance(&g->random, both ? 10 : 40)
                                      ? limited_step(g, &steps)
                                  : chance(&g->random, 40) ? summing_step(g, &steps)
                                                           : wrapping_step(g, &steps)));
        if (i == 1 ||
            chance(&g->random, both ? 10 : 50)) /* what nothing else reads shares segments */
            keep_image(g, body, own);
        from = own;
        steps.forward = chance(&g->random, 40) ? -steps.forward : steps.forward;
    }
    return true;
}

bool add_rounded(struct generator *g, struct body *body, const struct symbol *name,
                 struct image *image)
{
    static const enum scalar element[] = {SCALAR_U8, SCALAR_I16, SCALAR_I32};
    const struct syntax *y = &g->s;
    const struct image from = body->images.item[body->images.count - 1];
    const struct ast *index[MOST_AXES];
    if (!scalar_is_float(from.element) || from.rank == 0)
        return false;
    *image = from;
    image->name = name_node(y, name);
    image->element = element[below(&g->random, 3)];
    image->interval = scalar_info[image->element].interval;
    image->is_line = false;
    close_axes(image);
    for (unsigned k = 0; k < from.rank; k++)
        index[k] = name_node(y, from.axis[k].name);
    const struct ast *sample = index_node(y, from.name, list_of(y, from.rank, index));
    add_statement(g, body,
                  define_node(y, name, image_brackets(g, image), NULL,
                              call_node(y, scalar_info[image->element].text, 1, &sample)));
    return true;
}
