/* Adaptive images: p = to_apr(f32(in), error = 0.1, …);  s = sample(in, like = p);
 * q = p * 2 + s + level(p);  t = to_pixels(q). Of images that the filter is given, as what is
 * rounded otherwise may be particles elsewhere. */
#include "program/generator.h"

static const struct ast *setting(struct generator *g, const char *name, double value)
{
    return named_node(&g->s, word(&g->s, name), real_node(&g->s, value));
}

static double one_of(struct generator *g, unsigned count, const double value[])
{
    return value[below(&g->random, count)];
}

static const struct ast *made(struct generator *g, const struct ast *image)
{
    static const double error[] = {0.01, 0.1, 0.5, 3}, lambda[] = {0, 0.5, 1, 3, 5, 40},
                        least[] = {0, 0.5, 2, 10, 100}, psf[] = {1, 2, 3, 4, 5, 7},
                        spacing[] = {0.5, 1, 1, 3};
    const struct syntax *y = &g->s;
    const struct ast *argument[14] = {image};
    unsigned count = 1;
    argument[count++] = setting(g, "error", one_of(g, 4, error));
    if (chance(&g->random, 60))
        argument[count++] = setting(g, "lambda", one_of(g, 6, lambda));
    if (chance(&g->random, 60))
        argument[count++] = setting(g, "sigma_min", one_of(g, 5, least));
    if (chance(&g->random, 30))
        argument[count++] = setting(g, "sigma_ignored", one_of(g, 5, least));
    if (chance(&g->random, 60))
        argument[count++] = setting(g, "gradient_min", one_of(g, 5, least));
    if (chance(&g->random, 20))
        argument[count++] = setting(g, "intensity_min", one_of(g, 5, least));
    if (chance(&g->random, 40))
        argument[count++] = setting(g, "psf", one_of(g, 6, psf));
    if (chance(&g->random, 20))
        argument[count++] = setting(g, "spacing_z", one_of(g, 4, spacing));
    if (chance(&g->random, 20))
        argument[count++] = setting(g, "spacing_y", one_of(g, 4, spacing));
    if (chance(&g->random, 10))
        argument[count++] = named_node(y, word(y, "gradient"), call_node(y, "abs", 1, &image));
    if (chance(&g->random, 10))
        argument[count++] = named_node(
            y, word(y, "scale"),
            binary_node(y, OPERATOR_ADD, call_node(y, "abs", 1, &image), real_node(y, 0.5)));
    if (chance(&g->random, 10))
        argument[count++] = named_node(y, word(y, "mask"),
                                       binary_node(y, OPERATOR_GREATER, image, real_node(y, 0.25)));
    return call_node(&g->s, "to_apr", count, argument);
}

/* kernel[v in 0 ..< 3, u in 0 ..< 2] = (v * 3 + u) % 7 - 2;  convolve(p, kernel, [y, x]) border
 * clamp: along all axes or the last ones. */
static const struct ast *convolved(struct generator *g, struct body *body,
                                   const struct image *image, const struct symbol *p)
{
    static const char *const border[] = {"reflect101", "clamp", "zero"};
    static const char *const coarser[] = {"restricted", "rescaled", "same"};
    const struct syntax *y = &g->s;
    const struct ast *range[MOST_AXES], *along[MOST_AXES], *place = integer_node(y, 0);
    unsigned rank = 0;
    for (unsigned k = chance(&g->random, 60) ? 0 : below(&g->random, image->rank); k < image->rank;
         k++) {
        const struct symbol *name = fresh_name(g, "k");
        const int64_t extent = between(&g->random, 1, image->rank == 1 ? 9 : 5);
        range[rank] = binding_node(
            y, name, range_node(y, integer_node(y, 0), integer_node(y, extent), false));
        along[rank++] = name_node(y, image->axis[k].name);
        place = binary_node(y, OPERATOR_ADD,
                            binary_node(y, OPERATOR_MULTIPLY, place, integer_node(y, 3)),
                            name_node(y, name));
    }
    const struct ast *whole = binary_node(
        y, OPERATOR_SUBTRACT,
        binary_node(y, OPERATOR_REMAINDER, parentheses_node(y, place), integer_node(y, 7)),
        integer_node(y, between(&g->random, 0, 3)));
    const struct ast *value = binary_node(y, OPERATOR_DIVIDE, call_node(y, "f32", 1, &whole),
                                          real_node(y, chance(&g->random, 50) ? 4 : 7));
    const struct symbol *kernel = fresh_name(g, "kernel");
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, rank, range));
    add_statement(g, body, define_node(y, kernel, list_of(y, 1, &bracket), NULL, value));
    const struct ast *argument[4] = {name_node(y, p), name_node(y, kernel),
                                     NODE(.kind = AST_LIST, .as.list = list_of(y, rank, along))};
    unsigned count = 3;
    if (chance(&g->random, 60))
        argument[count++] =
            named_node(y, word(y, "coarser"), name_node(y, word(y, coarser[below(&g->random, 3)])));
    return bordered_node(y, call_node(y, "convolve", count, argument),
                         rule_node(y, border[below(&g->random, 3)], NULL));
}

/* q[y + 1, x - 2] border clamp; place: what is added to the coordinates, or NULL. */
static const struct ast *read_around(struct generator *g, const struct image *image,
                                     const struct symbol *q, const char *rule,
                                     const struct symbol *const place[])
{
    const struct syntax *y = &g->s;
    const struct ast *index[MOST_AXES];
    for (unsigned k = 0; k < image->rank; k++) {
        const struct ast *by = place ? place[k] ? name_node(y, place[k]) : NULL
                                     : integer_node(y, between(&g->random, -2, 2));
        index[k] = name_node(y, image->axis[k].name);
        if (by)
            index[k] = binary_node(y, OPERATOR_ADD, index[k], by);
    }
    return bordered_node(y, index_node(y, name_node(y, q), list_of(y, image->rank, index)),
                         rule_node(y, rule, NULL));
}

/* max[j in -1 .. 1, i in 0 .. 2](q[y + j, x + i] border clamp) */
static const struct ast *reduced_around(struct generator *g, const struct image *image,
                                        const struct symbol *q, const char *rule)
{
    static const char *const reduction[] = {"max", "min", "sum", "median"};
    const struct syntax *y = &g->s;
    const struct symbol *place[MOST_AXES] = {NULL};
    const struct ast *range[MOST_AXES];
    unsigned ranges = 0;
    for (unsigned k = 0; k < image->rank; k++) {
        if (k + 1 < image->rank && chance(&g->random, 30))
            continue;
        const int64_t first = between(&g->random, -2, 1);
        place[k] = fresh_name(g, "j");
        range[ranges++] =
            binding_node(y, place[k],
                         range_node(y, integer_node(y, first),
                                    integer_node(y, first + between(&g->random, 0, 2)), true));
    }
    const struct ast *operation = index_node(
        y, name_node(y, word(y, reduction[below(&g->random, 4)])), list_of(y, ranges, range));
    const struct ast *term = read_around(g, image, q, rule, place);
    return NODE(.kind = AST_CALL, .as.call = {operation, list_of(y, 1, &term)});
}

/* around = i16(q);  d[y, x] = u8(around[y, x + 1] border clamp - around[y - 1, x] border clamp);
 * or a reduction, and of f32, too. */
static const struct symbol *add_stencil(struct generator *g, struct body *body,
                                        const struct image *image, const struct symbol *q)
{
    static const char *const rules[] = {"reflect101", "clamp", "zero"};
    static const char *const types[] = {"f32", "f32", "f32", "f16", "u8", "i16"};
    const struct syntax *y = &g->s;
    const char *rule = rules[below(&g->random, 3)];
    const struct symbol *f = fresh_name(g, "around"), *d = fresh_name(g, "d");
    const struct ast *of = name_node(y, q), *axis[MOST_AXES];
    add_statement(g, body,
                  define_node(y, f, NULL, NULL, call_node(y, types[below(&g->random, 6)], 1, &of)));
    const struct ast *value =
        chance(&g->random, 50)
            ? reduced_around(g, image, f, rule)
            : binary_node(y, chance(&g->random, 70) ? OPERATOR_SUBTRACT : OPERATOR_MULTIPLY,
                          read_around(g, image, f, rule, NULL),
                          read_around(g, image, f, rule, NULL));
    if (chance(&g->random, 40))
        value = binary_node(y, OPERATOR_ADD, parentheses_node(y, value),
                            read_around(g, image, f, rule, NULL));
    value = call_node(y, types[below(&g->random, 6)], 1, &value);
    for (unsigned k = 0; k < image->rank; k++)
        axis[k] = name_node(y, image->axis[k].name);
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, image->rank, axis));
    add_statement(g, body, define_node(y, d, list_of(y, 1, &bracket), NULL, value));
    const struct symbol *next = fresh_name(g, "d");
    of = name_node(y, d);
    add_statement(g, body, define_node(y, next, NULL, NULL, call_node(y, "f32", 1, &of)));
    return next;
}

/* A pointwise value of particles. */
static const struct ast *value_of(struct generator *g, const struct symbol *p,
                                  const struct symbol *q)
{
    static const enum ast_operator operators[] = {OPERATOR_ADD, OPERATOR_SUBTRACT,
                                                  OPERATOR_MULTIPLY};
    const struct syntax *y = &g->s;
    const struct ast *of = name_node(y, chance(&g->random, 50) ? p : q);
    const struct ast *number = chance(&g->random, 30)
                                   ? call_node(y, "level", 1, &of)
                                   : real_node(y, (double)between(&g->random, 1, 9) / 4);
    const struct ast *both[2] = {name_node(y, p),
                                 chance(&g->random, 50) ? name_node(y, q) : number};
    if (chance(&g->random, 30))
        return call_node(y, chance(&g->random, 50) ? "min" : "max", 2, both);
    return binary_node(y, operators[below(&g->random, 3)], both[0], both[1]);
}

static const struct ast *adaptive_type(struct generator *g, const struct image *image,
                                       enum scalar element)
{
    struct image typed = *image;
    typed.element = element;
    struct ast type = *image_type(g, &typed);
    type.as.type.constructor = word(&g->s, "apr");
    return arena_copy(g->s.arena, &type, sizeof type);
}

/* An adaptive image of the signature, on the axes of another one. */
static const struct symbol *add_adaptive_formal(struct generator *g, struct body *body,
                                                const struct image *image)
{
    static const enum scalar element[] = {SCALAR_F32, SCALAR_F32, SCALAR_U8, SCALAR_I16};
    const struct symbol *name = fresh_name(g, "a");
    struct formal formal = {.is_image = true, .image = *image};
    formal.node =
        NODE(.kind = AST_FORMAL,
             .as.formal = {.role = FORMAL_IMAGE,
                           .name = name,
                           .type = adaptive_type(g, image, element[below(&g->random, 4)])});
    VECTOR_PUSH(g->s.arena, &body->filter->formals, formal);
    return name;
}

const struct ast *make_adaptive_result(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    if (!body->adaptive)
        return NULL;
    const struct symbol *out = fresh_name(g, "o");
    const struct ast *value = name_node(y, body->adaptive);
    add_statement(g, body, define_node(y, out, NULL, NULL, call_node(y, "f32", 1, &value)));
    return NODE(.kind = AST_FORMAL,
                .as.formal = {.role = FORMAL_IMAGE,
                              .name = out,
                              .type = adaptive_type(g, &body->adaptive_image, SCALAR_F32)});
}

bool add_particles(struct generator *g, struct body *body)
{
    const struct syntax *y = &g->s;
    if (!body->is_main || body->inputs == 0)
        return false;
    struct image image = body->images.item[below(&g->random, body->inputs)];
    if (image.rank < 1 || image.rank > 3 || image.element == SCALAR_BOOL)
        return false;
    for (unsigned k = 0; k < image.rank; k++)
        if (axis_is_of_channels(image.axis[k].name))
            return false;
    const struct ast *argument = image.name;
    if (image.element != SCALAR_F32)
        argument = call_node(y, "f32", 1, &argument);
    const bool is_given = chance(&g->random, 35);
    const struct symbol *p = is_given ? add_adaptive_formal(g, body, &image) : fresh_name(g, "p");
    const struct symbol *q = p;
    if (!is_given)
        add_statement(g, body, define_node(y, p, NULL, NULL, made(g, argument)));
    if (is_given && chance(&g->random, 20)) /* another one of the same particles */
        q = add_adaptive_formal(g, body, &image);
    if (chance(&g->random, 40)) { /* another value for the same particles */
        const struct ast *values[2] = {
            binary_node(y, OPERATOR_MULTIPLY, argument, real_node(y, 0.5)),
            named_node(y, word(y, "like"), name_node(y, p))};
        q = fresh_name(g, "s");
        add_statement(g, body, define_node(y, q, NULL, NULL, call_node(y, "sample", 2, values)));
    }
    for (unsigned i = below(&g->random, 3); i > 0; i--) {
        if (chance(&g->random, 35)) {
            q = add_stencil(g, body, &image, q);
            continue;
        }
        const struct symbol *next = fresh_name(g, "q");
        const struct ast *value =
            chance(&g->random, 40) ? convolved(g, body, &image, q) : value_of(g, p, q);
        add_statement(g, body, define_node(y, next, NULL, NULL, value));
        q = next;
    }
    if (chance(&g->random, 25)) { /* e = q;  repeat 2 { e = e / 2 + convolve(e, …); } */
        const struct symbol *e = fresh_name(g, "e");
        add_statement(g, body, define_node(y, e, NULL, NULL, name_node(y, q)));
        const struct ast *half =
            binary_node(y, OPERATOR_MULTIPLY, name_node(y, e), real_node(y, 0.5));
        const struct ast *term =
            chance(&g->random, 50) ? convolved(g, body, &image, e) : name_node(y, p);
        if (chance(&g->random, 30)) { /* by way of pixels */
            const struct ast *of = name_node(y, e), *pixels = call_node(y, "to_pixels", 1, &of);
            const struct ast *values[2] = {
                binary_node(y, OPERATOR_MULTIPLY, pixels, real_node(y, 0.75)),
                named_node(y, word(y, "like"), name_node(y, p))};
            term = call_node(y, "sample", 2, values);
        }
        const struct ast *step =
            define_node(y, e, NULL, NULL, binary_node(y, OPERATOR_ADD, half, term));
        add_statement(
            g, body,
            NODE(.kind = AST_REPEAT,
                 .as.repeat = {integer_node(y, between(&g->random, 0, 3)), list_of(y, 1, &step)}));
        q = e;
    }
    body->adaptive = chance(&g->random, 40) ? q : NULL;
    body->adaptive_image = image;
    const struct symbol *name = fresh_name(g, "t");
    const struct ast *back = name_node(y, q);
    add_statement(g, body, define_node(y, name, NULL, NULL, call_node(y, "to_pixels", 1, &back)));
    image.name = name_node(y, name);
    image.element = SCALAR_F32;
    image.interval = scalar_info[SCALAR_F32].interval;
    image.is_line = false;
    for (unsigned k = 0; k < image.rank; k++)
        image.axis[k].can_extend = false;
    keep_image(g, body, image);
    return true;
}
