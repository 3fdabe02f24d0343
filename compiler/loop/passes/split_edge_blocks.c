/* split_edge_blocks: loop → loop. Duplicates the code of a block of threads: one version for blocks
 * whose threads are all inside the box and whose reads are all inside the images, one for the
 * others.
 *   before: grid x.block { block x.thread { if (32 x.block + x.thread < n) { out[x] = in[x - 1 clamp] … } } }
 *   after:  grid x.block { block x.thread {
 *               if packed (1 <= 32 x.block && 32 x.block + 33 <= n) { out[x] = in[x - 1] … }
 *               else { if (32 x.block + x.thread < n) { out[x] = in[x - 1 clamp] … } } } }
 * The condition is the same for all threads of a block. Barriers are placed between such branches,
 * not inside them, which compilers handle more reliably. A rule stays if the index is a gather, and
 * a condition stays if no block satisfies it: the last part of a tile is never full. If no rule can
 * be dropped, nothing is split. */
#include "loop_pass.h"
#include "analysis/inside.h"
#include "analysis/reads.h"
#include "expr/affine.h"
#include "loop/rewrite.h"

struct block_split {
    struct pass_context *context;
    VECTOR(struct let_name) around;   /* names outside of the threads: the same for a block */
    VECTOR(struct let_name) inside;   /* names that a thread gives */
    VECTOR(struct span_bound) bounds; /* of threads and of loops in them */
    VECTOR(struct affine) required;   /* each is 0 at least */
    struct hash_map kept;             /* loads that keep their rules, and conditions that stay */
    bool drops;                       /* a rule of some load */
};

static struct expr_pool *pool_of(const struct block_split *s)
{
    return s->context->pool;
}

/* ---- What is the same for all threads ---- */

static const struct expr *with_values(const struct block_split *s, const struct expr *node,
                                      size_t count, const struct let_name name[])
{
    return names_replaced(pool_of(s), s->context->scratch, node, count, name);
}

static bool is_of_block(const struct block_split *s, const struct expr *node)
{
    if (node->holds & (HOLDS_LOAD | HOLDS_REDUCE | HOLDS_CALL))
        return false;
    bool same = true;
    for (size_t i = 0; i < s->bounds.count && same; i++)
        same = !expr_contains(s->context->scratch, node, s->bounds.item[i].variable);
    return same;
}

static void note_index(const struct expr *node, void *user)
{
    *(bool *)user =
        *(bool *)user || (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX);
}

/* ---- Requirements ---- */

static bool same_terms(const struct affine *a, const struct affine *b)
{
    const struct affine difference = affine_sum(*a, *b, -1);
    return difference.exact && difference.count == 0;
}

static void require(struct block_split *s, const struct affine *form)
{
    for (size_t i = 0; i < s->required.count; i++)
        if (same_terms(&s->required.item[i], form)) {
            struct affine *known = &s->required.item[i];
            known->constant = form->constant < known->constant ? form->constant : known->constant;
            return;
        }
    VECTOR_PUSH(s->context->scratch, &s->required, *form);
}

/* Whether a <= b does not hold there. */
static bool fails_inside(struct arena *scratch, const struct expr *a, const struct expr *b)
{
    const struct inside_value least = inside_value_of(scratch, a),
                              most = inside_value_of(scratch, b);
    return least.known && most.known && least.value > most.value;
}

/* Whether a <= b may hold for a block, and does far inside; then it is required, but where it
 * always holds. */
static bool require_at_most(struct block_split *s, const struct expr *a, const struct expr *b)
{
    if (a->kind == EXPR_MAXIMUM)
        return require_at_most(s, a->operand[0], b) && require_at_most(s, a->operand[1], b);
    if (b->kind == EXPR_MINIMUM)
        return require_at_most(s, a, b->operand[0]) && require_at_most(s, a, b->operand[1]);
    const struct affine form = affine_sum(affine_from(b), affine_from(a), -1);
    if (!form.exact || !is_of_block(s, a) || !is_of_block(s, b))
        return false;
    if (affine_is_nonnegative(form, 0, NULL))
        return true;
    const struct expr *least = with_values(s, a, s->around.count, s->around.item);
    const struct expr *greatest = with_values(s, b, s->around.count, s->around.item);
    const struct expr *past = region_sum(pool_of(s), greatest, expr_integer(pool_of(s), 1), 1);
    if (affine_at_most(past, least) || fails_inside(s->context->scratch, least, greatest))
        return false;
    if (!affine_at_most(least, greatest))
        require(s, &form);
    return true;
}

/* Whether a loop is over what the block has of a line. */
static bool is_of_tile(const struct block_split *s, const struct span_bound *bound)
{
    bool found = false;
    const struct expr *first = with_values(s, bound->first, s->around.count, s->around.item);
    expr_nodes(s->context->scratch, first, note_index, &found);
    return found && is_of_block(s, bound->first) && is_of_block(s, bound->end);
}

/* The values of an index for all threads of a block. Of a loop over a line, which is as long as
 * that happens to be, some place is near an end: then they are not known. */
static bool range_of(const struct block_split *s, const struct expr *index, unsigned count,
                     const struct span_bound bound[], const struct expr **first,
                     const struct expr **end)
{
    const struct expr *whole = with_values(s, index, s->inside.count, s->inside.item);
    bool known = true;
    for (unsigned i = 0; i < count && known; i++)
        known = region_sum(pool_of(s), bound[i].end, bound[i].first, -1)->kind == EXPR_INTEGER ||
                !expr_contains(s->context->scratch, whole, bound[i].variable) ||
                is_of_tile(s, &bound[i]);
    return known && region_of_index(pool_of(s), whole, count, bound, first, end);
}

/* ---- Reads ---- */

static bool has_rule(const struct border *border)
{
    return border->rule != BORDER_NONE && border->rule != BORDER_EXTEND;
}

static void note_load(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct block_split *s = user;
    bool any = false, all = true;
    for (unsigned k = 0; load->as.load.border && k < load->count && all; k++) {
        const struct border *border = &load->as.load.border[k];
        const struct expr *first, *end;
        if (!has_rule(border))
            continue;
        any = true;
        all = range_of(s, load->operand[k], count, bound, &first, &end) &&
              require_at_most(s, border->first, first) &&
              require_at_most(s, end, region_sum(pool_of(s), border->first, border->extent, 1));
    }
    if (!all)
        hash_map_put(s->context->scratch, &s->kept, load, (void *)(uintptr_t)load);
    s->drops = s->drops || (any && all);
}

static void note_expression(const struct expr *node, void *user)
{
    struct block_split *s = user;
    reads_visit(pool_of(s), s->context->scratch, node, (unsigned)s->bounds.count, s->bounds.item,
                note_load, s);
}

/* ---- Conditions ---- */

/* A condition that all threads of some block fulfil is required. */
static void note_condition(struct block_split *s, const struct expr *condition)
{
    if (condition->kind == EXPR_AND) {
        note_condition(s, condition->operand[0]);
        note_condition(s, condition->operand[1]);
        return;
    }
    const unsigned count = (unsigned)s->bounds.count;
    const struct expr *one = expr_integer(pool_of(s), 1), *first, *end, *least, *past;
    const bool strict = condition->kind == EXPR_LESS;
    if (!(strict || condition->kind == EXPR_LESS_EQUAL) ||
        !scalar_is_integer(condition->operand[0]->scalar) ||
        !range_of(s, condition->operand[0], count, s->bounds.item, &first, &end) ||
        !range_of(s, condition->operand[1], count, s->bounds.item, &least, &past) ||
        !require_at_most(s, strict ? end : region_sum(pool_of(s), end, one, -1), least))
        hash_map_put(s->context->scratch, &s->kept, condition, (void *)(uintptr_t)condition);
}

/* What is left of it; NULL: nothing. */
static const struct expr *rest_of_condition(const struct block_split *s,
                                            const struct expr *condition)
{
    if (condition->kind != EXPR_AND)
        return hash_map_find(&s->kept, condition) ? condition : NULL;
    const struct expr *a = rest_of_condition(s, condition->operand[0]);
    const struct expr *b = rest_of_condition(s, condition->operand[1]);
    if (a == condition->operand[0] && b == condition->operand[1])
        return condition;
    return a && b ? expr_binary(pool_of(s), EXPR_AND, a, b) : a ? a : b;
}

static bool is_of_threads(const struct statement *statement)
{
    return statement->kind == STATEMENT_IF && !statement->as.branch.otherwise;
}

/* ---- Both bodies ---- */

static void note_statement(const struct statement *statement, void *user)
{
    struct block_split *s = user;
    const bool loops = statement->kind == STATEMENT_LOOP;
    statement_expressions(statement, note_expression, s);
    if (is_of_threads(statement))
        note_condition(s, statement->as.branch.condition);
    if (statement->kind == STATEMENT_LET)
        VECTOR_PUSH(s->context->scratch, &s->inside,
                    (struct let_name){statement->as.let.variable, statement->as.let.value});
    if (loops)
        VECTOR_PUSH(s->context->scratch, &s->bounds,
                    (struct span_bound){statement->as.loop.variable, statement->as.loop.first,
                                        region_sum(pool_of(s), statement->as.loop.first,
                                                   statement->as.loop.extent, 1)});
    const size_t known = s->inside.count;
    statement_children(statement, note_statement, s);
    if (statement->kind == STATEMENT_BLOCK)
        s->inside.count = known;
    s->bounds.count -= loops;
}

static const struct expr *drop_rules(const struct expr *node, void *user)
{
    const struct block_split *s = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        border[k] =
            has_rule(&node->as.load.border[k]) ? (struct border){0} : node->as.load.border[k];
    return expr_load(pool_of(s), node->as.load.source, node->scalar, node->interval, node->count,
                     node->operand, border);
}

static bool is_not_kept(const struct expr *node, void *user)
{
    const struct block_split *s = user;
    return !hash_map_find(&s->kept, node);
}

static const struct statement *drop_conditions(const struct statement *statement, void *user)
{
    struct block_split *s = user;
    struct arena *output = s->context->output;
    if (!is_of_threads(statement))
        return statement_rebuild(output, statement, drop_conditions, s);
    struct statement branch = *statement;
    branch.as.branch.condition = rest_of_condition(s, statement->as.branch.condition);
    branch.as.branch.then = drop_conditions(statement->as.branch.then, s);
    if (branch.as.branch.condition == statement->as.branch.condition &&
        branch.as.branch.then == statement->as.branch.then)
        return statement;
    return branch.as.branch.condition ? statement_new(output, branch) : branch.as.branch.then;
}

static const struct statement *inner_body(struct block_split *s, const struct statement *body)
{
    struct expr_rewriter rewriter = {.pool = pool_of(s),
                                     .rule = drop_rules,
                                     .enters = is_not_kept,
                                     .context = s,
                                     .scratch = s->context->scratch};
    return drop_conditions(statement_rewrite(s->context->output, body, &rewriter), s);
}

/* 0 <= form, each term on the side where its factor is positive. */
static const struct expr *condition_of(const struct block_split *s, const struct affine *form)
{
    struct affine side[2] = {{.exact = true}, {.exact = true}};
    side[form->constant > 0].constant = form->constant > 0 ? form->constant : -form->constant;
    for (unsigned i = 0; i < form->count; i++) {
        const int64_t c = form->term[i].coefficient;
        struct affine *to = &side[c > 0];
        to->term[to->count].atom = form->term[i].atom;
        to->term[to->count++].coefficient = c > 0 ? c : -c;
    }
    return expr_binary(pool_of(s), EXPR_LESS_EQUAL, affine_build(pool_of(s), &side[0]),
                       affine_build(pool_of(s), &side[1]));
}

static const struct expr *whole_condition(const struct block_split *s)
{
    const struct expr *condition = expr_boolean(pool_of(s), true);
    for (size_t i = 0; i < s->required.count; i++) {
        const struct expr *next = condition_of(s, &s->required.item[i]);
        condition = i ? expr_binary(pool_of(s), EXPR_AND, condition, next) : next;
    }
    return condition;
}

/* Adds what stands between two barriers. */
static void split_part(struct block_split *s, const struct expr *inside,
                       const struct statement_list part, struct statement_items *items)
{
    struct arena *output = s->context->output;
    if (part.count == 0)
        return;
    const struct statement *outer =
        statement_block(output, part.item[0]->span, part.count, part.item);
    const struct statement *inner = inner_body(s, outer);
    VECTOR_PUSH(s->context->scratch, items,
                inner == outer ? outer
                               : STATEMENT_NEW(output, outer->span, .kind = STATEMENT_IF,
                                               .as.branch = {inside, inner, outer, true}));
}

static bool stands_apart(const struct statement *statement)
{
    return statement->kind == STATEMENT_BARRIER || statement->kind == STATEMENT_LET ||
           statement->kind == STATEMENT_ALLOCATE;
}

/* The parts of a body, with what all of them share between them. */
static const struct statement *split_parts(struct block_split *s, const struct expr *inside,
                                           const struct statement *body,
                                           struct statement_items *items)
{
    const struct statement_list all = statement_items_of(&body);
    size_t begin = 0;
    for (size_t i = 0; i <= all.count; i++) {
        if (i < all.count && !stands_apart(all.item[i]))
            continue;
        split_part(s, inside, (struct statement_list){all.item + begin, i - begin}, items);
        if (i < all.count)
            VECTOR_PUSH(s->context->scratch, items, all.item[i]);
        begin = i + 1;
    }
    return statement_block(s->context->output, body->span, items->count, items->item);
}

/* The body of the threads, whose loops are known. */
static const struct statement *split(struct block_split *s, const struct statement *body)
{
    struct pass_context *context = s->context;
    struct statement_items items = {0};
    note_statement(body, s);
    if (!s->drops)
        return body;
    const struct expr *condition = whole_condition(s);
    const struct statement_list all = statement_items_of(&body);
    bool several = false;
    for (size_t i = 0; i < all.count; i++)
        several = several || all.item[i]->kind == STATEMENT_BARRIER;
    if (!several)
        return split_parts(s, condition, body, &items);
    const struct expr *inside = expr_variable(
        context->pool, VARIABLE_LOCAL, symbol_from(&context->session->symbols, "block.inside"),
        SCALAR_BOOL, (struct interval){0, 1});
    VECTOR_PUSH(context->scratch, &items,
                STATEMENT_NEW(context->output, body->span, .kind = STATEMENT_LET,
                              .as.let = {inside, condition}));
    return split_parts(s, inside, body, &items);
}

/* ---- Kernels ---- */

static bool is_of_block_loops(const struct statement *statement)
{
    return statement->kind == STATEMENT_LOOP &&
           (statement->as.loop.level == LEVEL_BLOCK_X || statement->as.loop.level == LEVEL_BLOCK_Y);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct block_split *s = user;
    struct arena *scratch = s->context->scratch;
    if (statement->kind == STATEMENT_LET)
        VECTOR_PUSH(scratch, &s->around,
                    (struct let_name){statement->as.let.variable, statement->as.let.value});
    if (!is_of_block_loops(statement))
        return statement_rebuild(s->context->output, statement, visit, s);
    VECTOR_PUSH(scratch, &s->bounds,
                (struct span_bound){statement->as.loop.variable, statement->as.loop.first,
                                    region_sum(pool_of(s), statement->as.loop.first,
                                               statement->as.loop.extent, 1)});
    struct statement loop = *statement;
    const struct statement *body = loop.as.loop.body;
    loop.as.loop.body = is_of_block_loops(body) ? visit(body, s) : split(s, body);
    return loop.as.loop.body == body ? statement : statement_new(s->context->output, loop);
}

static const struct statement *visit_kernels(const struct statement *statement, void *user)
{
    struct pass_context *context = user;
    struct block_split s = {.context = context};
    if (statement->kind != STATEMENT_KERNEL)
        return statement_rebuild(context->output, statement, visit_kernels, context);
    return statement->as.kernel.small ? statement
                                      : statement_rebuild(context->output, statement, visit, &s);
}

const struct program *split_edge_blocks(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    out->body = visit_kernels(in->body, context);
    return out;
}
