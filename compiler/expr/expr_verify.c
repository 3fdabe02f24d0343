/* Checks expressions node by node. Each distinct node is visited once in each reduction it stands
 * in, as what it may name depends on that. */
#include "expr/expr_verify.h"

#include <inttypes.h>

/* ---- Operands ---- */

/* What an operation takes: the classes of its operands, which all have one type. */
enum { TAKES_BOOL = 1, TAKES_INTEGER = 2, TAKES_FLOAT = 4 };

static unsigned taken_classes(enum expr_kind kind)
{
    switch (kind) {
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MINIMUM:
    case EXPR_ORDERED_MAXIMUM:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
        return TAKES_INTEGER | TAKES_FLOAT;
    case EXPR_REMAINDER:
    case EXPR_BIT_AND:
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
    case EXPR_NOISE:
    case EXPR_TRANSFORM_PLACES:
    case EXPR_TRANSFORM_TABLE:
    case EXPR_FAST_LENGTH:
    case EXPR_DIVISOR:
        return TAKES_INTEGER;
    case EXPR_SQUARE_ROOT:
    case EXPR_FUSED:
    case EXPR_ORDER:
    case EXPR_ANY_ELEMENTARY:
        return TAKES_FLOAT;
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR:
        return TAKES_BOOL;
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
    case EXPR_SELECT:
        return TAKES_BOOL | TAKES_INTEGER | TAKES_FLOAT;
    case EXPR_INTEGER:
    case EXPR_REAL:
    case EXPR_VARIABLE:
    case EXPR_LOAD:
    case EXPR_REDUCE:
    case EXPR_CONVERT:
    case EXPR_EXTERNAL:
    case EXPR_KIND_COUNT:
        break;
    }
    return 0;
}

static unsigned class_of(const struct expr *node)
{
    return 1u << scalar_info[node->scalar].class;
}

static const char *class_text(unsigned classes)
{
    static const char *const text[] = {
        [TAKES_BOOL] = "truth values",
        [TAKES_INTEGER] = "integers",
        [TAKES_FLOAT] = "floats",
        [TAKES_INTEGER | TAKES_FLOAT] = "numbers",
        [TAKES_BOOL | TAKES_INTEGER | TAKES_FLOAT] = "values",
    };
    return text[classes];
}

static const char *type_text(const struct expr *node)
{
    return scalar_info[node->scalar].text;
}

/* Both integers, both truth values, or floats of one type. */
static bool same_type(const struct expr *a, const struct expr *b)
{
    return class_of(a) == class_of(b) && (class_of(a) != TAKES_FLOAT || a->scalar == b->scalar);
}

static const char *check_types(struct arena *arena, const char *name, unsigned classes,
                               unsigned count, const struct expr *const operand[])
{
    for (unsigned i = 0; i < count; i++)
        if (!(class_of(operand[i]) & classes))
            return arena_format(arena, "'%s' takes %s, not %s", name, class_text(classes),
                                type_text(operand[i]));
    for (unsigned i = 1; i < count; i++)
        if (!same_type(operand[0], operand[i]))
            return arena_format(arena, "'%s' takes operands of one type, not %s and %s", name,
                                type_text(operand[0]), type_text(operand[i]));
    return NULL;
}

/* Bit operations take what is not negative, shifts go by 0 to 63 places. */
static const char *check_intervals(struct arena *arena, enum expr_kind kind, unsigned count,
                                   const struct expr *const operand[])
{
    for (unsigned i = 0; i < count; i++) {
        const struct interval domain = expr_domain(kind, i), own = operand[i]->interval;
        if (scalar_is_integer(operand[i]->scalar) && !interval_inside(own, domain))
            return arena_format(arena,
                                domain.greatest == INT64_MAX
                                    ? "'%s' takes what is not negative, not %" PRId64 " .. %" PRId64
                                    : "'%s' goes by 0 to 63 places, not by %" PRId64 " .. %" PRId64,
                                expr_info[kind].text, own.least, own.greatest);
    }
    return NULL;
}

const char *expr_check_operation(struct arena *arena, enum expr_kind kind, unsigned count,
                                 const struct expr *const operand[], bool exact)
{
    const char *name = expr_info[kind].text;
    if (expr_info[kind].operands >= 0 && count != (unsigned)expr_info[kind].operands)
        return arena_format(arena, "'%s' takes %d operands, not %u", name, expr_info[kind].operands,
                            count);
    if (count == 0 || count > EXPR_MOST_OPERANDS)
        return arena_format(arena, "'%s' takes 1 to %d operands, not %u", name, EXPR_MOST_OPERANDS,
                            count);
    const unsigned first = kind == EXPR_SELECT;
    if (first && operand[0]->scalar != SCALAR_BOOL)
        return arena_format(arena, "the condition of '%s' is a truth value, not %s", name,
                            type_text(operand[0]));
    const char *problem =
        check_types(arena, name, taken_classes(kind), count - first, operand + first);
    if (problem || class_of(operand[first]) != TAKES_INTEGER)
        return problem;
    if (kind == EXPR_NOISE)
        return NULL;
    problem = check_intervals(arena, kind, count, operand);
    struct interval *interval = ARENA_ARRAY(arena, struct interval, count + 1), result;
    for (unsigned i = 0; i < count; i++)
        interval[i] = operand[i]->interval;
    if (!problem && exact && !expr_interval(kind, count, interval, &result))
        problem = arena_format(arena, "the result of '%s' leaves 64 bits", name);
    return problem;
}

static const char *check_ranges(struct arena *arena, unsigned rank, const struct expr_range range[])
{
    if (rank == 0)
        return "a reduction has at least one range";
    for (unsigned i = 0; i < rank; i++) {
        if (range[i].extent < 1 || range[i].first > INT64_MAX - range[i].extent)
            return arena_format(arena, "the range of '%s' has %" PRId64 " values from %" PRId64,
                                range[i].variable->text, range[i].extent, range[i].first);
        for (unsigned k = 0; k < i; k++)
            if (range[i].variable == range[k].variable)
                return arena_format(arena, "'%s' is the variable of two ranges",
                                    range[i].variable->text);
    }
    return NULL;
}

static unsigned reduced_classes(enum reduction operation)
{
    return operation == REDUCTION_ANY || operation == REDUCTION_ALL || operation == REDUCTION_TALLY
               ? TAKES_BOOL
               : TAKES_INTEGER | TAKES_FLOAT;
}

static const char *check_counts(struct arena *arena, const struct expr_reduction *shape,
                                const struct expr *const count[])
{
    for (unsigned k = 0; k < shape->rank; k++) {
        const struct expr_range *range = &shape->range[k];
        if (class_of(count[k]) != TAKES_INTEGER || count[k]->interval.least < 0 ||
            count[k]->interval.greatest > range->extent)
            return arena_format(arena, "the count of '%s' is not within 0 .. %" PRId64,
                                range->variable->text, range->extent);
    }
    return NULL;
}

const char *expr_check_reduction(struct arena *arena, const struct expr_reduction *shape,
                                 unsigned count, const struct expr *const operand[], bool exact)
{
    const char *name = reduction_text[shape->operation];
    const char *problem = check_ranges(arena, shape->rank, shape->range);
    const unsigned terms = 1 + shape->fused, counts = terms + shape->has_condition;
    if (problem)
        return problem;
    if (count != expr_reduction_operands(shape))
        return arena_format(arena, "this '%s' takes %u operands, not %u", name,
                            expr_reduction_operands(shape), count);
    if (shape->fused && shape->operation != REDUCTION_SUM)
        return arena_format(arena, "only a sum is fused, not '%s'", name);
    if (shape->has_condition && operand[terms]->scalar != SCALAR_BOOL)
        return arena_format(arena, "the condition of '%s' is a truth value, not %s", name,
                            type_text(operand[terms]));
    if (shape->counted)
        problem = check_counts(arena, shape, operand + counts);
    if (!problem && shape->order == ORDER_RUN &&
        (class_of(operand[count - 1]) != TAKES_INTEGER || operand[count - 1]->interval.least < 0))
        problem = arena_format(arena, "the number of a run of '%s' is below 0", name);
    if (!problem)
        problem =
            check_types(arena, name, shape->fused ? TAKES_FLOAT : reduced_classes(shape->operation),
                        terms, operand);
    struct interval result;
    if (!problem && exact && class_of(operand[0]) == TAKES_INTEGER &&
        !expr_reduction_interval(shape, expr_reduction_terms(shape),
                                 operand[0]->interval, &result))
        problem = arena_format(arena, "the result of '%s' leaves 64 bits", name);
    return problem;
}

const char *expr_check_stored(struct arena *arena, const struct expr *value, enum scalar scalar)
{
    const struct scalar_info *to = &scalar_info[scalar];
    if (scalar_info[value->scalar].class != to->class ||
        (to->class == CLASS_FLOAT && value->scalar != scalar))
        return arena_format(arena, "a value of type %s stands where %s is needed", type_text(value),
                            to->text);
    if (to->class == CLASS_INTEGER && !interval_inside(value->interval, to->interval))
        return arena_format(arena,
                            "a value of %" PRId64 " .. %" PRId64 " stands where %s is needed",
                            value->interval.least, value->interval.greatest, to->text);
    return NULL;
}

/* ---- Calls of C functions ---- */

/* Whether C takes it as a name. */
static bool external_name_is_sound(const char *name)
{
    const size_t length =
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length > 0 && !name[length] && !(name[0] >= '0' && name[0] <= '9');
}

bool external_header_is_sound(const char *header)
{
    for (const char *c = header; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == 0x7f)
            return false;
    return *header;
}

static bool is_external_type(enum scalar scalar)
{
    return scalar < SCALAR_OF_PROGRAMS && scalar != SCALAR_F16;
}

static const char *check_external_argument(struct arena *arena, const struct external *function,
                                           const struct expr *argument, enum scalar parameter,
                                           bool exact)
{
    const struct scalar_info *to = &scalar_info[parameter];
    const bool same = to->class == CLASS_FLOAT ? argument->scalar == parameter
                                               : scalar_info[argument->scalar].class == to->class;
    if (!is_external_type(parameter))
        return arena_format(arena, "'%s' cannot take %s", function->name->text, to->text);
    if (!same || exact)
        return expr_check_stored(arena, argument, parameter);
    return NULL;
}

const char *expr_check_external(struct arena *arena, const struct external *function,
                                unsigned count, const struct expr *const operand[], bool exact)
{
    const char *name = function->name->text;
    if (!external_name_is_sound(name))
        return arena_format(arena, "'%s' is no name of a C function", name);
    if (!external_header_is_sound(function->header->text))
        return arena_format(arena, "the header of '%s' has no name that C can include", name);
    if (!is_external_type(function->result))
        return arena_format(arena, "'%s' cannot give %s", name, scalar_info[function->result].text);
    if (function->count != count || count == 0 || count > EXPR_MOST_OPERANDS)
        return arena_format(arena, "'%s' takes 1 to %d arguments, not %u", name, EXPR_MOST_OPERANDS,
                            count);
    const char *problem = NULL;
    for (unsigned i = 0; i < count && !problem; i++)
        problem =
            check_external_argument(arena, function, operand[i], function->parameter[i], exact);
    return problem;
}

/* ---- Loads ---- */

static const char *check_border(struct arena *arena, const struct expr *load, const char *name,
                                const struct border *border)
{
    const char *rule = border_text[border->rule];
    const bool filled = border->rule == BORDER_ZERO || border->rule == BORDER_CONSTANT;
    if (filled != (border->value != NULL))
        return arena_format(arena, "the border rule %s of '%s' has %s value", rule, name,
                            filled ? "no" : "a");
    if (!border->first != !border->extent || (border->rule == BORDER_NONE && border->first))
        return arena_format(arena, "the border rule %s of '%s' has %s box", rule, name,
                            border->rule == BORDER_NONE ? "a" : "half a");
    if (border->first &&
        (!scalar_is_integer(border->first->scalar) || !scalar_is_integer(border->extent->scalar)))
        return arena_format(arena, "the box of the border of '%s' is not of integers", name);
    const char *problem = filled ? expr_check_stored(arena, border->value, load->scalar) : NULL;
    if (problem)
        return arena_format(arena, "outside '%s', %s", name, problem);
    if (filled && scalar_is_integer(load->scalar) &&
        !interval_inside(border->value->interval, load->interval))
        return arena_format(arena,
                            "outside '%s' there is %" PRId64 " .. %" PRId64
                            ", but it is read as %" PRId64 " .. %" PRId64,
                            name, border->value->interval.least, border->value->interval.greatest,
                            load->interval.least, load->interval.greatest);
    return NULL;
}

const char *expr_check_load(struct arena *arena, const struct expr *load, const char *name,
                            unsigned rank, enum scalar scalar, struct interval interval)
{
    if (load->count != rank)
        return arena_format(arena, "'%s' has %u axes, but is read with %u", name, rank,
                            load->count);
    if (load->scalar != scalar)
        return arena_format(arena, "'%s' holds %s, but is read as %s", name,
                            scalar_info[scalar].text, type_text(load));
    if (scalar_is_integer(scalar) && !interval_inside(interval, load->interval))
        return arena_format(
            arena, "'%s' holds %" PRId64 " .. %" PRId64 ", but is read as %" PRId64 " .. %" PRId64,
            name, interval.least, interval.greatest, load->interval.least, load->interval.greatest);
    const char *problem = NULL;
    for (unsigned i = 0; i < load->count && !problem; i++) {
        if (!scalar_is_integer(load->operand[i]->scalar))
            return arena_format(arena, "an index of '%s' is %s, not an integer", name,
                                type_text(load->operand[i]));
        if (load->as.load.border)
            problem = check_border(arena, load, name, &load->as.load.border[i]);
    }
    return problem;
}

/* ---- The walk ---- */

/* At the top, within one reduction, or in the box of a border. A node that is right outside a
 * reduction is right inside, where more names are known. */
struct scope {
    const struct scope *outer;
    const struct expr *reduction; /* or NULL */
    struct hash_map seen;
    bool has_loads; /* false: in a box, where none may be */
};

static const char *verify_node(const struct expr_rules *rules, struct scope *scope,
                               const struct expr *node);

/* 1: bound by an enclosing reduction and within its range; 0: not bound; -1: bound, but outside. */
static int is_bound(const struct scope *scope, const struct expr *variable)
{
    for (; scope; scope = scope->outer)
        for (unsigned i = 0; scope->reduction && i < scope->reduction->as.reduce.rank; i++) {
            const struct expr_range *range = &scope->reduction->as.reduce.range[i];
            const struct interval values = {range->first, range->first + range->extent - 1};
            if (range->variable == variable->as.variable.name)
                return interval_inside(values, variable->interval) ? 1 : -1;
        }
    return 0;
}

static const char *verify_variable(const struct expr_rules *rules, const struct scope *scope,
                                   const struct expr *node)
{
    const int bound = node->as.variable.kind == VARIABLE_INDEX ? is_bound(scope, node) : 0;
    if (bound == 0)
        return rules->variable(node, rules->context);
    if (bound < 0)
        return arena_format(
            rules->arena,
            "'%s' is used as %" PRId64 " .. %" PRId64 ", which its reduction does not keep to",
            node->as.variable.name->text, node->interval.least, node->interval.greatest);
    return scalar_is_integer(node->scalar)
               ? NULL
               : arena_format(rules->arena, "'%s' is an index, but of type %s",
                              node->as.variable.name->text, type_text(node));
}

static const char *verify_operands(const struct expr_rules *rules, struct scope *scope,
                                   const struct expr *node)
{
    const char *problem = NULL;
    for (unsigned i = 0; i < node->count && !problem; i++)
        problem = verify_node(rules, scope, node->operand[i]);
    return problem;
}

static const char *verify_load(const struct expr_rules *rules, struct scope *scope,
                               const struct expr *node)
{
    if (!rules->load || !scope->has_loads)
        return "samples are read where only parameters and extents are known";
    const char *problem = verify_operands(rules, scope, node);
    if (!problem)
        problem = rules->load(node, rules->context);
    struct scope box = {.outer = scope, .has_loads = false};
    for (unsigned i = 0; node->as.load.border && i < node->count && !problem; i++) {
        const struct border *rule = &node->as.load.border[i];
        if (rule->value)
            problem = verify_node(rules, scope, rule->value);
        if (!problem && rule->first)
            problem = verify_node(rules, &box, rule->first);
        if (!problem && rule->extent)
            problem = verify_node(rules, &box, rule->extent);
    }
    return problem;
}

static const char *verify_reduction(const struct expr_rules *rules, struct scope *scope,
                                    const struct expr *node)
{
    const char *problem = expr_check_reduction(rules->arena, &node->as.reduce, node->count,
                                               node->operand, rules->exact);
    if (problem)
        return problem;
    struct scope inner = {.outer = scope, .reduction = node, .has_loads = scope->has_loads};
    return verify_operands(rules, &inner, node);
}

static const char *verify_node(const struct expr_rules *rules, struct scope *scope,
                               const struct expr *node)
{
    for (const struct scope *at = scope; at; at = at->has_loads ? at->outer : NULL)
        if (hash_map_find(&at->seen, node))
            return NULL;
    hash_map_put(rules->arena, &scope->seen, node, (void *)(uintptr_t)node);
    if (node->kind == EXPR_VARIABLE)
        return verify_variable(rules, scope, node);
    if (node->kind == EXPR_REDUCE)
        return verify_reduction(rules, scope, node);
    if (node->kind == EXPR_LOAD)
        return verify_load(rules, scope, node);
    const char *problem = verify_operands(rules, scope, node);
    if (!problem && expr_info[node->kind].shape == SHAPE_FUNCTION)
        problem = expr_check_operation(rules->arena, node->kind, node->count, node->operand,
                                       rules->exact);
    if (!problem && node->kind == EXPR_EXTERNAL)
        problem = expr_check_external(rules->arena, node->as.external, node->count, node->operand,
                                      rules->exact);
    return problem;
}

const char *expr_verify(const struct expr_rules *rules, const struct expr *root)
{
    struct scope top = {.has_loads = true};
    return verify_node(rules, &top, root);
}
