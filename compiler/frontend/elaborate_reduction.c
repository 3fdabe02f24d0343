/* Reductions over ranges of constants and parameters: one expression with variables of its own.
 * Those whose ranges depend on extents are in elaborate_counted.c. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

static bool is_axis_name(const struct stage_context *context, const struct symbol *name)
{
    for (unsigned i = 0; i < context->axis_count; i++)
        if (context->axis[i].name == name)
            return true;
    return false;
}

bool is_name_of_no_axis(struct elaborator *el, const struct stage_context *context,
                        const struct ast *item)
{
    const struct symbol *name = item->as.binding.name;
    if (!is_axis_name(context, name))
        return true;
    struct diagnostic *d = REPORT(el, E0202, item->as.binding.name_span, name->text);
    NOTE(el, d, "'%s' is an axis of the stage that is being defined", name->text);
    return false;
}

static bool is_reducing(const struct elaborator *el, const struct symbol *name)
{
    for (size_t i = 0; i < el->reducing.count; i++)
        if (el->reducing.item[i] == name)
            return true;
    return false;
}

/* The variable of a reduction; where the filter is mapped over an axis of that name, it is called
 * otherwise in the graph. */
static const struct symbol *reduction_variable(struct elaborator *el,
                                               const struct stage_context *context,
                                               const struct symbol *name)
{
    const struct symbol *variable = name;
    for (unsigned i = 0; i < context->instance->mapped_count; i++)
        if (context->instance->mapped[i] == name)
            variable = symbol_format(&el->session->symbols, "%s_inner", name->text);
    /* Where a function's body is inlined into a reduction over the same name, its arguments hold
     * the variable of that one. */
    for (unsigned k = 2; is_reducing(el, variable); k++)
        variable = symbol_format(&el->session->symbols, "%s_inner%u", name->text, k);
    return variable;
}

const struct symbol *counted_variable(struct elaborator *el, const struct stage_context *context,
                                      const struct symbol *name)
{
    const struct symbol *base = reduction_variable(el, context, name), *variable = base;
    for (size_t i = 0, n = 2; i < context->counted.count; i++)
        if (context->counted.item[i].variable->as.variable.name == variable) {
            variable = symbol_format(&el->session->symbols, "%s_%zu", base->text, n++);
            i = (size_t)-1; /* all again */
        }
    return variable;
}

/* A range that parameters bound is the widest one it can be, with the terms outside excluded: they
 * are added in index order, as language.md wants it. condition: joined to what is there. */
static bool widen_range(struct elaborator *el, const struct expr **first,
                        const struct expr **extent, const struct symbol *variable,
                        const struct expr **condition)
{
    const struct expr *end =
        affine_normal(el->pool, expr_binary(el->pool, EXPR_ADD, *first, *extent));
    const int64_t least = (*first)->interval.least, after = end->interval.greatest;
    const int64_t most = (int64_t)1 << 40;
    if (!expr_is_of_parameters(*first) || !expr_is_of_parameters(*extent) || least < -most ||
        after > most)
        return false;
    const struct interval interval = {least, after > least ? after - 1 : least};
    const struct expr *coordinate =
        expr_variable(el->pool, VARIABLE_INDEX, variable, scalar_width(interval), interval);
    const struct expr *within =
        expr_binary(el->pool, EXPR_AND, expr_binary(el->pool, EXPR_LESS_EQUAL, *first, coordinate),
                    expr_binary(el->pool, EXPR_LESS, coordinate, end));
    *condition = *condition ? expr_binary(el->pool, EXPR_AND, *condition, within) : within;
    VECTOR_PUSH(el->arena, &el->widened,
                (struct affine_bound){coordinate, *first,
                                      sum_normal(el, end, expr_integer(el->pool, 1), -1)});
    *first = expr_integer(el->pool, least);
    *extent = expr_integer(el->pool, after > least ? after - least : 0);
    return true;
}

/* max[z](in[z, y, x]), sum[dy, dx in -1 .. 1](...), median[3, 3](in[y, x]) */
static bool report_no_range(struct elaborator *el, const struct ast *node, enum reduction operation,
                            const struct ast *item)
{
    const struct ast_list *items = node->as.call.callee->as.index.items;
    const struct ast *last = items->item[items->count - 1];
    const struct ast *term = node->as.call.arguments->item[0];
    const char *word = item->kind == AST_NAME ? item->as.name->text : NULL;
    const char *text = reduction_text[operation];
    struct diagnostic *d =
        REPORT(el, E0303, item->span, "a reduction", "ranges in brackets", "an index");
    if (word && last->kind == AST_BINDING)
        HELP(el, d, "each variable has its range: %s in %s", word,
             condition_text(el, last->as.binding.range));
    else if (word && term->kind == AST_INDEX && term->as.index.base->kind == AST_NAME)
        HELP(el, d, "along the whole of an axis write %s in 0 ..< %s.%s", word,
             term->as.index.base->as.name->text, word);
    else
        HELP(el, d, "write %s[dy in -1 .. 1%s](...)", text,
             items->count > 1 ? ", dx in -1 .. 1" : "");
    return false;
}

/* ---- Ranges of too many terms ---- */

struct parameter_search {
    const struct ast_list *formals;
    const struct ast *found; /* a parameter that the range of a reduction names */
};

static void search_parameter(const struct ast *node, void *user)
{
    struct parameter_search *search = user;
    for (size_t i = 0; node->kind == AST_NAME && !search->found && i < search->formals->count;
         i++) {
        const struct ast *formal = search->formals->item[i];
        if (formal->as.formal.name == node->as.name && formal->as.formal.role == FORMAL_PARAM)
            search->found = formal;
    }
    ast_children(node, search_parameter, search);
}

/* param r : i32 = 3 in 0 .. 20 */
static const char *formal_with_range(struct elaborator *el, const struct ast *formal)
{
    enum { USUAL_RADIUS = 20 };
    const struct ast *value = formal->as.formal.value;
    const int64_t given = value && value->kind == AST_INTEGER ? value->as.integer : 0;
    return arena_format(el->session->permanent, "param %s : %s%s%s in 0 .. %lld",
                        formal->as.formal.name->text, condition_text(el, formal->as.formal.type),
                        value ? " = " : "", value ? condition_text(el, value) : "",
                        (long long)(given > USUAL_RADIUS ? 2 * given : USUAL_RADIUS));
}

void report_long_range(struct elaborator *el, const struct instance *instance,
                       const struct ast *item, int64_t terms, int most)
{
    struct parameter_search search = {instance->filter ? instance->filter->as.filter.formals : NULL,
                                      NULL};
    const bool names = search.formals && instance->filter->kind == AST_FILTER;
    if (names)
        search_parameter(item, &search);
    if (!search.found || search.found->as.formal.range) {
        struct diagnostic *d = REPORT(el, E0324, item->span, (long long)terms, most);
        if (search.found)
            HELP(el, d, "give '%s' a lesser range", search.found->as.formal.name->text);
        return;
    }
    struct diagnostic *d = REPORT(el, E0341, search.found->span, search.found->as.formal.name->text,
                                  (long long)terms, most);
    LABEL(el, d, item->span, "this range depends on it");
    HELP(el, d, "give it a range: %s", formal_with_range(el, search.found));
}

static bool declare_reduction_range(struct elaborator *el, struct stage_context *context,
                                    const struct ast *node, enum reduction operation,
                                    const struct ast *item, struct expr_range *range,
                                    const struct expr **condition, bool *may_be_empty)
{
    enum { MOST_TERMS = 1 << 20 };
    if (item->kind != AST_BINDING)
        return report_no_range(el, node, operation, item);
    const struct symbol *name = item->as.binding.name;
    const struct expr *first, *extent;
    if (!elaborate_range(el, context, item->as.binding.range, &first, &extent))
        return false;
    const bool constant = first->kind == EXPR_INTEGER && extent->kind == EXPR_INTEGER;
    *may_be_empty = *may_be_empty || extent->interval.least < 1;
    if (!constant &&
        !widen_range(el, &first, &extent, reduction_variable(el, context, name), condition)) {
        report_not_yet(el, item->as.binding.range->span,
                       "a reduction over a range that depends on a coordinate");
        return false;
    }
    if (extent->as.integer > MOST_TERMS) {
        report_long_range(el, context->instance, item, extent->as.integer, MOST_TERMS);
        return false;
    }
    *range = (struct expr_range){reduction_variable(el, context, name), first->as.integer,
                                 extent->as.integer < 0 ? 0 : extent->as.integer};
    if (!is_name_of_no_axis(el, context, item))
        return false;
    struct entity *entity = scope_declare(el, context->scope, name, item->as.binding.name_span);
    const struct interval interval = {range->first,
                                      range->first + (range->extent > 0 ? range->extent - 1 : 0)};
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(
        expr_variable(el->pool, VARIABLE_INDEX, range->variable, scalar_width(interval), interval));
    return true;
}

/* ---- Reductions inside a reduction over the same name ---- */

struct bound_name {
    const struct symbol *name;
    bool found;
};

static bool binds(const struct expr *node, const struct symbol *name)
{
    for (unsigned i = 0; node->kind == EXPR_REDUCE && i < node->as.reduce.rank; i++)
        if (node->as.reduce.range[i].variable == name)
            return true;
    return false;
}

static void note_bound(const struct expr *node, void *user)
{
    struct bound_name *search = user;
    search->found = search->found || binds(node, search->name);
}

static bool binds_inside(struct elaborator *el, const struct expr *node, const struct symbol *name)
{
    struct bound_name search = {name, false};
    struct expr_walk walk = {.scratch = el->arena};
    if (node)
        expr_visit(&walk, node, note_bound, &search);
    return search.found;
}

struct renaming {
    const struct symbol *name;
    const struct expr *variable, *renamed;
};

static bool renames_inside(const struct expr *node, void *user)
{
    return !binds(node, ((const struct renaming *)user)->name);
}

static const struct expr *rename_variable(const struct expr *node, void *user)
{
    const struct renaming *renaming = user;
    return node == renaming->variable ? renaming->renamed : node;
}

/* Renamed reads are settled like the originals. */
static void rename_reads(struct elaborator *el, struct stage_context *context,
                         struct expr_rewriter *rewriter)
{
    const struct renaming *renaming = rewriter->context;
    const size_t count = context->reads.count;
    for (size_t i = 0; i < count; i++) {
        struct pending_read read = context->reads.item[i];
        read.load = expr_rewrite(rewriter, read.load);
        if (read.load == context->reads.item[i].load)
            continue;
        read.widened =
            arena_copy(el->arena, read.widened, read.widened_count * sizeof *read.widened);
        for (size_t w = 0; w < read.widened_count; w++)
            if (read.widened[w].variable == renaming->variable)
                read.widened[w].variable = renaming->renamed;
        VECTOR_PUSH(el->arena, &context->reads, read);
    }
}

void separate_names(struct elaborator *el, struct stage_context *context, unsigned rank,
                    struct expr_range range[], struct operand *term, const struct expr **condition)
{
    for (unsigned r = 0; r < rank; r++) {
        const struct symbol *old = range[r].variable, *name = old;
        for (unsigned i = 2;
             binds_inside(el, term->expr, name) || binds_inside(el, *condition, name) ||
             (i > 2 && is_axis_name(context, name));
             i++)
            name = symbol_format(&el->session->symbols, "%s_%u", old->text, i);
        if (name == old)
            continue;
        const struct interval interval = {
            range[r].first, range[r].first + (range[r].extent > 0 ? range[r].extent - 1 : 0)};
        const enum scalar lane = scalar_width(interval);
        struct renaming renaming = {old,
                                    expr_variable(el->pool, VARIABLE_INDEX, old, lane, interval),
                                    expr_variable(el->pool, VARIABLE_INDEX, name, lane, interval)};
        struct expr_rewriter rewriter = {.pool = el->pool,
                                         .rule = rename_variable,
                                         .enters = renames_inside,
                                         .context = &renaming,
                                         .scratch = el->arena};
        const struct expr **part[] = {&term->expr, &term->left, &term->right, condition};
        for (unsigned i = 0; i < sizeof part / sizeof part[0]; i++)
            if (*part[i])
                *part[i] = expr_rewrite(&rewriter, *part[i]);
        rename_reads(el, context, &rewriter);
        range[r].variable = name;
    }
}

/* A condition that is known to fail for every term. */
static bool is_never(const struct expr *condition)
{
    return condition && condition->kind == EXPR_INTEGER && condition->as.integer == 0;
}

struct operand elaborate_reduction(struct elaborator *el, struct stage_context *context,
                                   const struct ast *node, enum reduction operation,
                                   const struct ast *other)
{
    const struct ast *index = node->as.call.callee;
    const struct ast_list *items = index->as.index.items;
    if (node->as.call.arguments->count != 1) {
        REPORT(el, E0212, node->span, reduction_text[operation], 1, "value",
               (int)node->as.call.arguments->count);
        return operand_error();
    }
    struct expr_range range[GRAPH_MAX_RANK];
    if (items->count > GRAPH_MAX_RANK) {
        REPORT(el, E0320, index->span, GRAPH_MAX_RANK);
        return operand_error();
    }
    if (has_counted_ranges(el, context, items))
        return elaborate_counted(el, context, node, operation, other);
    struct scope *outer = context->scope;
    context->scope = scope_open(el, outer);
    bool good = true;
    const size_t enclosing = el->reducing.count, widened = el->widened.count;
    const struct expr *within = NULL; /* of ranges that parameters bound */
    bool may_be_empty = false;
    for (size_t i = 0; i < items->count; i++) {
        good = declare_reduction_range(el, context, node, operation, items->item[i], &range[i],
                                       &within, &may_be_empty) &&
               good;
        if (good)
            VECTOR_PUSH(el->arena, &el->reducing, range[i].variable);
    }
    struct operand result = operand_error();
    if (good) {
        struct operand term = elaborate_expr(el, context, node->as.call.arguments->item[0]);
        const struct ast *where = index->as.index.where;
        const struct operand condition =
            where ? elaborate_expr(el, context, where) : operand_error();
        const struct expr *present = condition.expr;
        if (where && (!condition.expr || condition.expr->scalar != SCALAR_BOOL)) {
            if (condition.expr)
                REPORT(el, E0303, where->span, "'where'", "a truth value",
                       operand_type_text(el, condition));
            good = false;
        }
        if (operation == REDUCTION_SUM && term.present && scalar_is_float(term.expr->scalar))
            present =
                present ? expr_binary(el->pool, EXPR_AND, present, term.present) : term.present;
        if (within)
            present = present ? expr_binary(el->pool, EXPR_AND, within, present) : within;
        if (good && term.expr)
            separate_names(el, context, (unsigned)items->count, range, &term, &present);
        const bool can_be_empty = where || within || is_never(present);
        struct selection selection = {operation, node->span, other, (unsigned)items->count,
                                      range,     present,    node};
        if (good)
            result = is_selection(operation)
                         ? elaborate_selection(el, context, &selection, term,
                                               where || may_be_empty || is_never(present))
                         : operand_reduce(el, operation, (unsigned)items->count, range, term,
                                          present, can_be_empty, node->span);
    }
    context->scope = outer;
    el->reducing.count = enclosing;
    el->widened.count = widened;
    return result;
}
