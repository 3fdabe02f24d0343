/* split_phases: loop → loop. If even and odd samples are computed in different ways, a loop
 * computes two at a time:
 *   before: loop x { store out[x] = in[x / 2] + in[(x + 1) / 2] }
 *   after:  loop x.half { store out[2 x.half] = in[x.half] + in[x.half]  store out[2 x.half + 1] = in[x.half] + in[x.half + 1] }
 * and likewise for periods of three and four. Then reads are contiguous, where vectors would
 * otherwise have to gather. The samples left at both ends keep the old loop. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "loop/loop_split.h"
#include "loop/rewrite.h"

enum { MOST_PHASES = 4 };

/* Of a loop's body. */
struct phases {
    struct arena *scratch;
    const struct expr *variable;
    int64_t count; /* 0: none so far; negative: of two kinds */
    bool has_loops;
};

/* ---- Which loops ---- */

/* floor(v / q) or v mod q of integers: q, else 0. */
static int64_t constant_divisor(const struct expr *node)
{
    return (node->kind == EXPR_DIVIDE || node->kind == EXPR_REMAINDER) &&
                   scalar_is_integer(node->scalar) && node->operand[1]->kind == EXPR_INTEGER
               ? node->operand[1]->as.integer
               : 0;
}

/* q where the loop's variable does not move the coordinate that is divided by it by whole multiples
 * of q, else 0. */
static int64_t phases_of(const struct expr *node, const struct expr *variable)
{
    const int64_t q = constant_divisor(node);
    if (q < 2 || q > MOST_PHASES)
        return 0;
    const struct affine form = affine_from(node->operand[0]);
    return form.exact && affine_coefficient(&form, variable) % q != 0 ? q : 0;
}

static void note_phases(const struct expr *node, void *user)
{
    struct phases *p = user;
    const int64_t count = phases_of(node, p->variable);
    if (count)
        p->count = p->count == 0 || p->count == count ? count : -1;
}

static void search_expression(const struct expr *root, void *user)
{
    struct phases *p = user;
    expr_nodes(p->scratch, root, note_phases, p);
}

static void search_statement(const struct statement *statement, void *user)
{
    struct phases *p = user;
    p->has_loops = p->has_loops || statement->kind == STATEMENT_LOOP;
    statement_expressions(statement, search_expression, p);
    statement_children(statement, search_statement, p);
}

/* ---- What they become ---- */

/* The loop of which one round computes all phases. */
struct round {
    struct expr_pool *pool;
    const struct expr *variable;
};

/* floor((q k m + rest) / q) = k m + floor(rest / q), k the new variable. */
static const struct expr *take_out(const struct expr *node, void *user)
{
    const struct round *p = user;
    const int64_t q = constant_divisor(node);
    if (q < 1)
        return node;
    const struct affine form = affine_from(node->operand[0]);
    const int64_t coefficient = form.exact ? affine_coefficient(&form, p->variable) : 0;
    if (coefficient == 0 || coefficient % q != 0)
        return node;
    const struct affine rest = affine_without(form, p->variable);
    const struct expr *part =
        expr_binary(p->pool, node->kind, affine_build(p->pool, &rest), node->operand[1]);
    const struct expr *moved =
        expr_binary(p->pool, EXPR_MULTIPLY, expr_integer(p->pool, coefficient / q), p->variable);
    return node->kind == EXPR_DIVIDE ? region_sum(p->pool, moved, part, 1) : part;
}

static const struct statement *split(struct pass_context *context, const struct statement *loop,
                                     int64_t count)
{
    static const char *const part[MOST_PHASES + 1] = {NULL, NULL, "half", "third", "quarter"};
    struct expr_pool *pool = context->pool;
    const struct expr *variable = loop->as.loop.variable, *first = loop->as.loop.first;
    const struct expr *end = region_sum(pool, first, loop->as.loop.extent, 1);
    const struct expr *from =
        region_floor_divide(pool, region_sum(pool, first, expr_integer(pool, count - 1), 1), count);
    const struct expr *to = region_floor_divide(pool, end, count);
    const struct expr *size = expr_integer(pool, count);
    const struct expr *low =
        region_minimum(pool, expr_binary(pool, EXPR_MULTIPLY, size, from), end);
    const struct expr *high = region_maximum(pool, expr_binary(pool, EXPR_MULTIPLY, size, to), low);
    const struct interval all = variable->interval;
    const struct interval interval = {(all.least - count + 1) / count, all.greatest / count};
    struct round p = {
        .pool = pool,
        .variable = expr_variable(pool, VARIABLE_INDEX,
                                  symbol_format(&context->session->symbols, "%s.%s",
                                                variable->as.variable.name->text, part[count]),
                                  variable->scalar, interval)};
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = take_out, .context = &p, .scratch = context->scratch};
    const struct statement *body[MOST_PHASES];
    for (int64_t i = 0; i < count; i++) {
        const struct expr *place = region_sum(
            pool, expr_binary(pool, EXPR_MULTIPLY, size, p.variable), expr_integer(pool, i), 1);
        body[i] = statement_rewrite(context->output,
                                    statement_substitute(context->output, context->scratch, pool,
                                                         loop->as.loop.body, variable, place),
                                    &rewriter);
    }
    struct statement inside = *loop;
    inside.as.loop.variable = p.variable;
    inside.as.loop.first = from;
    inside.as.loop.extent =
        region_maximum(pool, region_sum(pool, to, from, -1), expr_integer(pool, 0));
    inside.as.loop.body = statement_block(context->output, loop->span, (size_t)count, body);
    return loop_with_rest(context, loop, low, high, statement_new(context->output, inside), "rest");
}

struct visit {
    const struct program *program;
    struct pass_context *context;
};

static const struct statement *visit(const struct statement *statement, void *user);

static const struct statement *loop_in_phases(const struct statement *statement, struct visit *v)
{
    struct pass_context *context = v->context;
    struct phases phases = {.scratch = context->scratch, .variable = statement->as.loop.variable};
    search_statement(statement->as.loop.body, &phases);
    if (phases.has_loops)
        return statement_rebuild(context->output, statement, visit, v);
    if (phases.count <= 0)
        return statement;
    const struct statement *result = split(context, statement, phases.count);
    return statement_values_fit(v->program, result) ? result : statement;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct visit *v = user;
    struct pass_context *context = v->context;
    if (statement->kind != STATEMENT_LOOP || statement->as.loop.level != LEVEL_INDEPENDENT)
        return statement_rebuild(context->output, statement, visit, user);
    const struct arena_mark mark = arena_mark(context->scratch);
    const struct statement *loop = loop_in_phases(statement, v);
    arena_release(context->scratch, mark);
    return loop;
}

const struct program *split_phases(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct visit v = {in, context};
    out->body = visit(in->body, &v);
    return out;
}
