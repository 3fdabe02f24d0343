/* Random filters that are linear in their image, most of them fast: sums, mixtures, windows under
 * constant kernels. What is rounded otherwise stays near the oracle's results there, whatever the
 * order. */
#include "program/operators.h"

enum { MOST_STAGES = 4, MOST_KERNELS = 2, MOST_HALF = 3 };

struct mixing {
    struct generator *g;
    const struct symbol *source[1 + MOST_STAGES]; /* the image, then stages */
    unsigned sources;
    enum scalar element; /* of the image */
    const struct symbol *parameter;
    struct kernel {
        const struct symbol *name;
        int64_t half[2];
    } kernel[MOST_KERNELS];
    unsigned kernels;
    struct ast_list *statements;
};

static const struct ast *mixture(struct mixing *m, int depth);

static const struct ast *binary(struct mixing *m, enum ast_operator o, const struct ast *a,
                                const struct ast *b)
{
    return binary_node(&m->g->s, o, parentheses_node(&m->g->s, a), parentheses_node(&m->g->s, b));
}

/* ---- Reads ---- */

static const struct ast *moved(struct mixing *m, const char *axis, const struct ast *by)
{
    return binary_node(&m->g->s, OPERATOR_ADD, name_node(&m->g->s, word(&m->g->s, axis)), by);
}

static const struct ast *read_at(struct mixing *m, unsigned source, const struct ast *dy,
                                 const struct ast *dx)
{
    const struct syntax *y = &m->g->s;
    const struct ast *index[] = {moved(m, "y", dy), moved(m, "x", dx)};
    return index_node(y, name_node(y, m->source[source]), list_of(y, 2, index));
}

static const struct ast *as_float(struct mixing *m, unsigned source, const struct ast *read)
{
    const bool is_float = source > 0 || scalar_is_float(m->element);
    return is_float ? read : call_node(&m->g->s, "f32", 1, &read);
}

static const struct ast *tap(struct mixing *m)
{
    struct generator *g = m->g;
    const unsigned source = below(&g->random, m->sources);
    const struct ast *dy = integer_node(&g->s, between(&g->random, -2, 2));
    const struct ast *dx = integer_node(&g->s, between(&g->random, -2, 2));
    return as_float(m, source, read_at(m, source, dy, dx));
}

/* sum[dy in -1 .. 1, dx in -2 .. 2](k[dy, dx] * in[y + dy, x + dx]), or without the kernel. */
static const struct ast *window(struct mixing *m)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    const struct kernel *kernel =
        m->kernels && chance(&g->random, 80) ? &m->kernel[below(&g->random, m->kernels)] : NULL;
    const unsigned source = below(&g->random, m->sources);
    const struct symbol *name[] = {fresh_name(g, "d"), fresh_name(g, "d")};
    const struct ast *at[2], *range[2];
    for (unsigned r = 0; r < 2; r++) {
        const int64_t half = kernel ? kernel->half[r] : between(&g->random, 1, MOST_HALF);
        at[r] = name_node(y, name[r]);
        range[r] = binding_node(y, name[r],
                                range_node(y, integer_node(y, -half), integer_node(y, half), true));
    }
    const struct ast *term = as_float(m, source, read_at(m, source, at[0], at[1]));
    if (kernel) {
        const struct ast *weight = index_node(y, name_node(y, kernel->name), list_of(y, 2, at));
        term = chance(&g->random, 50) ? binary_node(y, OPERATOR_MULTIPLY, weight, term)
                                      : binary_node(y, OPERATOR_MULTIPLY, term, weight);
    }
    const struct ast *sum = index_node(
        y, name_node(y, word(y, "sum")),
        chance(&g->random, 50) ? list_of(y, 2, range)
                               : list_of(y, 2, (const struct ast *[]){range[1], range[0]}));
    return NODE(.kind = AST_CALL, .as.call = {sum, list_of(y, 1, &term)});
}

/* ---- Arithmetic ---- */

static const struct ast *factor(struct mixing *m)
{
    struct generator *g = m->g;
    return chance(&g->random, 30) ? name_node(&g->s, m->parameter)
                                  : real_node(&g->s, (double)between(&g->random, -40, 40) / 16);
}

static const struct ast *complement(struct mixing *m, const struct ast *t)
{
    return binary(m, OPERATOR_SUBTRACT, integer_node(&m->g->s, 1), t);
}

static const struct ast *blend(struct mixing *m, int depth)
{
    struct generator *g = m->g;
    const struct ast *t = factor(m), *rest = complement(m, t);
    const bool swaps = chance(&g->random, 50);
    const struct ast *a = mixture(m, depth - 1), *b = mixture(m, depth - 1);
    const struct ast *first = chance(&g->random, 50) ? binary(m, OPERATOR_MULTIPLY, t, a)
                                                     : binary(m, OPERATOR_MULTIPLY, a, t);
    const struct ast *second = chance(&g->random, 50) ? binary(m, OPERATOR_MULTIPLY, rest, b)
                                                      : binary(m, OPERATOR_MULTIPLY, b, rest);
    return binary(m, OPERATOR_ADD, swaps ? second : first, swaps ? first : second);
}

static const struct ast *block(struct mixing *m, int depth)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    const struct symbol *name = fresh_name(g, "v");
    const struct ast *let =
        NODE(.kind = AST_LET, .as.let = {.name = name, .value = mixture(m, depth - 1)});
    const struct ast *value =
        binary(m, OPERATOR_ADD, mixture(m, depth - 1),
               chance(&g->random, 50) ? binary(m, OPERATOR_MULTIPLY, factor(m), name_node(y, name))
                                      : name_node(y, name));
    return NODE(.kind = AST_BLOCK, .as.block = {list_of(y, 1, &let), value});
}

static const struct ast *mixture(struct mixing *m, int depth)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    if (depth <= 0)
        return chance(&g->random, 10) ? window(m) : tap(m);
    switch (below(&g->random, 12)) {
    case 0:
    case 1:
        return binary(m, OPERATOR_ADD, mixture(m, depth - 1), mixture(m, depth - 1));
    case 2:
    case 3:
        return binary(m, OPERATOR_SUBTRACT, mixture(m, depth - 1), mixture(m, depth - 1));
    case 4:
    case 5:
        return binary(m, OPERATOR_MULTIPLY, factor(m), mixture(m, depth - 1));
    case 6:
        return binary(m, OPERATOR_MULTIPLY, mixture(m, depth - 1), factor(m));
    case 7:
    case 8:
        return blend(m, depth);
    case 9:
        return block(m, depth);
    case 10:
        return chance(&g->random, 50)
                   ? fast_node(y, mixture(m, depth - 1))
                   : unary_node(y, OPERATOR_NEGATE, parentheses_node(y, mixture(m, depth - 1)));
    default:
        return chance(&g->random, 60) ? window(m) : tap(m);
    }
}

/* ---- The filter ---- */

static const struct ast *axis_ranges(struct mixing *m, const struct kernel *kernel)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    const struct ast *range[2];
    for (unsigned r = 0; r < 2; r++)
        range[r] = binding_node(y, fresh_name(g, "j"),
                                range_node(y, integer_node(y, -kernel->half[r]),
                                           integer_node(y, kernel->half[r]), true));
    return NODE(.kind = AST_LIST, .as.list = list_of(y, 2, range));
}

/* A column times a row, now and then but for one value. */
static void add_kernel(struct mixing *m)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    struct kernel *kernel = &m->kernel[m->kernels++];
    int64_t factors[2][2 * MOST_HALF + 1];
    kernel->name = fresh_name(g, "k");
    for (unsigned r = 0; r < 2; r++) {
        kernel->half[r] = between(&g->random, 1, MOST_HALF);
        for (int64_t i = 0; i <= 2 * kernel->half[r]; i++)
            factors[r][i] = between(&g->random, -2, 6);
    }
    const double unit = chance(&g->random, 50) ? 1.0 / 16 : chance(&g->random, 50) ? 0.1 : 1;
    const int64_t spoilt = chance(&g->random, 20) ? between(&g->random, 0, 8) : -1;
    struct ast_list *values = ast_list(y->arena);
    for (int64_t i = 0, n = 0; i <= 2 * kernel->half[0]; i++)
        for (int64_t k = 0; k <= 2 * kernel->half[1]; k++, n++) {
            const int64_t value = factors[0][i] * factors[1][k] + (n == spoilt);
            ast_list_add(y->arena, values,
                         unit == 1 ? integer_node(y, value) : real_node(y, unit * (double)value));
        }
    const struct ast *array =
        NODE(.kind = AST_ARRAY, .as.array = {values, (size_t)(2 * kernel->half[0] + 1)});
    const struct ast *ranges = axis_ranges(m, kernel);
    ast_list_add(
        y->arena, m->statements,
        NODE(.kind = AST_CONSTANT,
             .as.constant = {.name = kernel->name, .domain = ranges->as.list, .value = array}));
}

static void add_mixture(struct mixing *m, const struct symbol *name)
{
    struct generator *g = m->g;
    const struct syntax *y = &g->s;
    const struct ast *axis[] = {name_node(y, word(y, "y")), name_node(y, word(y, "x"))};
    const struct ast *bracket = NODE(.kind = AST_LIST, .as.list = list_of(y, 2, axis));
    const struct ast *sum = mixture(m, 4);
    const struct ast *value = call_node(y, "f32", 1, &sum);
    ast_list_add(y->arena, m->statements,
                 define_node(y, name, list_of(y, 1, &bracket), NULL, value));
}

static const struct ast *formal(struct mixing *m, const struct symbol *name, enum scalar element)
{
    struct generator *g = m->g;
    const struct image image = {
        .rank = 2,
        .element = element,
        .axis = {{word(&g->s, "y"), NULL, false}, {word(&g->s, "x"), NULL, false}}};
    return NODE(.kind = AST_FORMAL,
                .as.formal = {.role = FORMAL_IMAGE, .name = name, .type = image_type(g, &image)});
}

const struct ast *make_mixture(struct generator *g, const struct symbol *name)
{
    static const enum scalar elements[] = {SCALAR_F32, SCALAR_U8, SCALAR_I16};
    static const char *const rules[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
    const struct syntax *y = &g->s;
    struct mixing m = {.g = g, .sources = 1, .statements = ast_list(y->arena)};
    m.source[0] = fresh_name(g, "in");
    m.element = elements[below(&g->random, 3)];
    m.parameter = fresh_name(g, "t");
    const struct ast *image = formal(&m, m.source[0], m.element);
    const struct ast *parameter =
        NODE(.kind = AST_FORMAL,
             .as.formal = {.role = FORMAL_PARAM,
                           .name = m.parameter,
                           .type = scalar_type_node(y, SCALAR_F32),
                           .value = real_node(y, 0.25),
                           .range = range_node(y, integer_node(y, -2), integer_node(y, 3), true)});
    ast_list_add(
        y->arena, m.statements,
        NODE(.kind = AST_DEFAULT_BORDER,
             .as.default_border = {.rule = rule_node(y, rules[below(&g->random, 5)], NULL)}));
    for (unsigned i = below(&g->random, MOST_KERNELS + 1); i > 0; i--)
        add_kernel(&m);
    for (unsigned i = below(&g->random, MOST_STAGES + 1); i > 0; i--) {
        const struct symbol *stage = fresh_name(g, "s");
        add_mixture(&m, stage);
        m.source[m.sources++] = stage;
    }
    const struct symbol *out = fresh_name(g, "o");
    add_mixture(&m, out);
    const struct ast *result = formal(&m, out, SCALAR_F32);
    const struct ast *formals[] = {image, parameter};
    return NODE(.kind = AST_FILTER, .as.filter = {.name = name,
                                                  .formals = list_of(y, 2, formals),
                                                  .results = list_of(y, 1, &result),
                                                  .body = m.statements,
                                                  .fast = chance(&g->random, 85)});
}
