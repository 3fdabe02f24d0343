/* Which integers of a kernel fit 32 bits where images are not huge: those that do in the intervals
 * that follow where each extent is 2^28 at most. The host asks for that, and for strides with which
 * places in images fit, too; it chooses between two instances of a kernel, in one of which
 * coordinates, and what is computed of them, have 32 bits. */
#include "emit/emission.h"

enum { MOST_ROUNDS = 8 }; /* in which ranges settle; else nothing has 32 bits */

static bool is_integer(const struct expr *node)
{
    return scalar_is_integer(node->scalar) && node->scalar != SCALAR_BOOL;
}

/* Functions whose results have 64 bits in any case, and shifts, whose types are those of one
 * side. */
static bool is_of_one_type(const struct expr *node)
{
    switch ((int)node->kind) {
    case EXPR_ORDER:
    case EXPR_FAST_LENGTH:
    case EXPR_DIVISOR:
    case EXPR_TRANSFORM_PLACES:
    case EXPR_TRANSFORM_TABLE:
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
    case EXPR_NOISE:
        return true;
    default:
        return false;
    }
}

/* A rule: the node, with operands in narrower intervals. */
static const struct expr *narrower(const struct expr *node, void *user)
{
    struct index_types *types = user;
    const struct expr *original = types->rewriter.original;
    const struct expr *known = hash_map_find(&types->variable, original);
    if (known)
        node = known;
    if (!is_integer(original))
        return node;
    bool fits = !is_of_one_type(original) &&
                interval_inside(node->interval, scalar_info[SCALAR_I32].interval);
    for (unsigned i = 0; i < original->count && fits && original->kind != EXPR_LOAD; i++)
        fits = !is_integer(original->operand[i]) ||
               hash_map_find(&types->fits, original->operand[i]) != NULL;
    if (fits)
        hash_map_put(types->arena, &types->fits, original, (void *)(uintptr_t)original);
    return node;
}

static struct interval interval_of(struct index_types *types, const struct expr *node)
{
    return expr_rewrite(&types->rewriter, node)->interval;
}

/* Two scopes may have the same name, of different values: it has the range of all. */
static void note_variable(struct index_types *types, const struct expr *variable,
                          struct interval interval)
{
    const struct expr *known = hash_map_find(&types->variable, variable);
    if (known)
        interval = interval_hull(known->interval, interval);
    if (known && interval.least == known->interval.least &&
        interval.greatest == known->interval.greatest)
        return;
    const struct expr *twin = expr_variable(types->rewriter.pool, variable->as.variable.kind,
                                            variable->as.variable.name, variable->scalar, interval);
    hash_map_put(types->arena, &types->variable, variable, (void *)(uintptr_t)twin);
    types->rewriter.done = (struct hash_map){0};
    types->fits = (struct hash_map){0};
    types->changed = true;
}

static struct interval both(struct interval a, struct interval b)
{
    const struct interval in_both = {a.least > b.least ? a.least : b.least,
                                     a.greatest < b.greatest ? a.greatest : b.greatest};
    return in_both.least <= in_both.greatest ? in_both : a;
}

/* Extents are no larger than the host asks for, or than what they are computed from allows. */
static void note_extents(struct index_types *types, const struct program *program)
{
    const struct interval most = {-INDEX_MOST_EXTENT, INDEX_MOST_EXTENT};
    for (size_t i = 0; i < program->inputs.count; i++) {
        const struct buffer *input = program_buffer(program, program->inputs.item[i]);
        for (unsigned k = 0; k < input->rank; k++)
            if (input->axis[k].extent->kind == EXPR_VARIABLE)
                note_variable(types, input->axis[k].extent,
                              both(input->axis[k].extent->interval, most));
    }
    for (size_t i = 0; i < program->values.count; i++) {
        const struct named_value *value = &program->values.item[i];
        const struct interval own = both(value->variable->interval, most);
        note_variable(types, value->variable, both(own, interval_of(types, value->value)));
    }
}

/* A loop goes over so many coordinates; a name of 64 bits has those of its value, which in threads
 * outside of a box may be outside of the name's. */
static void note_statement(const struct statement *statement, void *user)
{
    struct index_types *types = user;
    if (statement->kind == STATEMENT_LOOP) {
        const struct expr *variable = statement->as.loop.variable;
        const struct interval first = interval_of(types, statement->as.loop.first);
        const struct interval extent = interval_of(types, statement->as.loop.extent);
        const int64_t more = extent.greatest > 1 ? extent.greatest - 1 : 0;
        if (first.greatest <= INT64_MAX - more)
            note_variable(
                types, variable,
                both(variable->interval, (struct interval){first.least, first.greatest + more}));
    }
    if (statement->kind == STATEMENT_LET && is_integer(statement->as.let.value) &&
        strcmp(type_of_local(statement->as.let.variable), "int64_t") == 0)
        note_variable(types, statement->as.let.variable,
                      index_fits(types, statement->as.let.value)
                          ? interval_of(types, statement->as.let.value)
                          : scalar_info[SCALAR_I64].interval);
    statement_children(statement, note_statement, types);
}

struct index_types *index_types_of(struct emission *e, const struct statement *kernel)
{
    struct index_types *types = ARENA_NEW(e->arena, struct index_types);
    types->arena = e->arena;
    types->rewriter = (struct expr_rewriter){
        .pool = &e->session->pool, .rule = narrower, .context = types, .scratch = e->arena};
    note_extents(types, e->program);
    types->changed = true;
    for (unsigned round = 0; round < MOST_ROUNDS && types->changed; round++) {
        types->changed = false;
        note_statement(kernel, types);
    }
    types->gives_up = types->changed;
    return types;
}

bool index_fits(struct index_types *types, const struct expr *node)
{
    if (!types || types->gives_up)
        return false;
    (void)interval_of(types, node);
    return hash_map_find(&types->fits, node) != NULL;
}

const char *type_of_name(const struct emission *e, const struct kernel_state *here,
                         const struct expr *variable)
{
    const bool is_coordinate = variable->as.variable.kind == VARIABLE_INDEX ||
                               variable->as.variable.kind == VARIABLE_EXTENT;
    const char *type = is_coordinate ? "int64_t" : type_of_local(variable);
    return strcmp(type, "int64_t") == 0 && index_fits(here->index, variable)
               ? e->dialect->index_type
               : type;
}
