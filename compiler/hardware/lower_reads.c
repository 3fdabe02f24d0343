/* Reads that are no windows: of lanes, of tables, of stages that are computed where they are read.
 * */
#include "hardware/lowering.h"
#include "expr/borders.h"

/* ---- Lanes ---- */

/* The coordinates along axes of lanes of lane `lane`, as a substitution. */
size_t lane_places(struct lowering *l, unsigned lane, struct expr_substitution by[])
{
    const struct shape *shape = l->own;
    size_t count = 0;
    for (unsigned k = l->stage->rank; k-- > 0;) {
        if (!shape_has_lane(shape, k))
            continue;
        const struct stage_axis *axis = &l->stage->axis[k];
        const unsigned extent = (unsigned)axis->computed_extent->as.integer;
        by[count++] = (struct expr_substitution){
            axis->variable,
            expr_integer(l->values.pool, axis->computed_first->as.integer + lane % extent)};
        lane /= extent;
    }
    return count;
}

/* The lane that a load reads, whose indices along axes of lanes are numbers. */
unsigned lane_of(const struct lowering *l, const struct expr *load)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    const struct shape *shape = &l->shape[source->id.index];
    int64_t lane = 0;
    for (unsigned k = 0; k < source->rank; k++)
        if (shape_has_lane(shape, k))
            lane = lane * source->axis[k].computed_extent->as.integer +
                   (load->operand[k]->as.integer - source->axis[k].computed_first->as.integer);
    return (unsigned)lane;
}

/* ---- Reads that are no windows ---- */

struct border border_of(const struct expr *load, unsigned k)
{
    return load->as.load.border ? load->as.load.border[k]
                                : (struct border){BORDER_NONE, NULL, NULL, NULL};
}

static const struct expr *load_at(struct lowering *l, const struct expr *load, unsigned k,
                                  const struct expr *index)
{
    const struct expr *operand[GRAPH_MAX_RANK];
    memcpy(operand, load->operand, load->count * sizeof *operand);
    operand[k] = index;
    return expr_with_operands(l->values.pool, load, operand);
}

/* Whether the stage reads streams at its own places alone. */
struct pointwise {
    const struct lowering *l;
    const struct stage *stage;
    bool holds;
};

static void look_for_windows(const struct expr *node, void *user)
{
    struct pointwise *p = user;
    if (node->kind != EXPR_LOAD || !p->l->shape[node->as.load.source].streams)
        return;
    const struct shape *own = &p->l->shape[p->stage->id.index];
    const struct shape *source = &p->l->shape[node->as.load.source];
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        p->holds = p->holds && own->extent[r] == source->extent[r] &&
                   own->first[r] == source->first[r] &&
                   (own->axis[r] == NO_AXIS) == (source->axis[r] == NO_AXIS) &&
                   (own->axis[r] == NO_AXIS ||
                    node->operand[source->axis[r]] == p->stage->axis[own->axis[r]].variable);
}

static bool is_pointwise(struct lowering *l, const struct stage *stage)
{
    struct pointwise p = {l, stage, stage->kind == STAGE_MAP};
    if (p.holds)
        stage_nodes(stage, l->values.scratch, look_for_windows, &p);
    return p.holds;
}

/* Whether the load reads at the places of the stage at hand. */
static bool reads_own_place(struct lowering *l, const struct expr *load)
{
    struct pointwise p = {l, l->stage, true};
    look_for_windows(load, &p);
    return p.holds;
}

/* The value of the stage that is read, at the places where it is read. */
static const struct expr *inlined(struct lowering *l, const struct expr *load)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    struct expr_substitution by[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < source->rank; k++) {
        const struct expr *index = load->operand[k];
        if (shape_has_lane(&l->shape[source->id.index], k))
            index = value_clamped(&l->values, index, border_of(load, k).rule,
                                  source->axis[k].computed_first->as.integer,
                                  source->axis[k].computed_extent->as.integer);
        if (!index) {
            refuse_stage(l, REFUSED_TABLE, source->name->text, NULL);
            return load;
        }
        by[k] = (struct expr_substitution){source->axis[k].variable, index};
    }
    return lowering_normal(l, value_substituted(&l->values, source->value, source->rank, by));
}

static const struct expr *constant_outside(struct lowering *l, const struct expr *load, unsigned k)
{
    const struct border border = border_of(load, k);
    return border.rule == BORDER_CONSTANT ? border.value
           : border.rule == BORDER_ZERO   ? expr_integer(l->values.pool, 0)
                                          : NULL;
}

/* What is outside of the axis, which has a constant there: where it is so of a slower axis, too,
 * that one's counts. */
static const struct expr *value_outside(struct lowering *l, const struct expr *load, unsigned k)
{
    struct expr_pool *pool = l->values.pool;
    const struct stage *source = lowering_stage(l, load->as.load.source);
    const struct expr *value = constant_outside(l, load, k);
    if (!value)
        value = expr_integer(pool, 0);
    for (unsigned j = k; j-- > 0;) {
        const struct expr *slower = constant_outside(l, load, j);
        const int64_t first = source->axis[j].computed_first->as.integer;
        const int64_t last = first + source->axis[j].computed_extent->as.integer - 1;
        if (!slower || slower == value)
            continue;
        const struct expr *inside = expr_binary(
            pool, EXPR_AND,
            expr_binary(pool, EXPR_LESS_EQUAL, expr_integer(pool, first), load->operand[j]),
            expr_binary(pool, EXPR_LESS_EQUAL, load->operand[j], expr_integer(pool, last)));
        value = expr_select(pool, inside, value, slower);
    }
    return value;
}

/* The load where its index along an axis of lanes is a number that is inside, or what stands for
 * it. */
static const struct expr *at_known_lane(struct lowering *l, const struct expr *load, unsigned k)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    const struct border border = border_of(load, k);
    bool outside = false;
    const int64_t index = load->operand[k]->as.integer;
    const int64_t first = source->axis[k].computed_first->as.integer;
    const int64_t extent = source->axis[k].computed_extent->as.integer;
    if (index >= first && index < first + extent)
        return load;
    const int64_t place = border_coordinate(border.rule, index, first, extent, &outside);
    if (!outside)
        return load_at(l, load, k, expr_integer(l->values.pool, place));
    return value_outside(l, load, k);
}

/* Of lanes that data choose: all are there, and one is taken. */
static const struct expr *picked_lane(struct lowering *l, const struct expr *load, unsigned k)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    if (is_pointwise(l, source) && reads_own_place(l, load))
        return inlined(l, load);
    const int64_t first = source->axis[k].computed_first->as.integer;
    const int64_t extent = source->axis[k].computed_extent->as.integer;
    const struct expr *index =
        value_clamped(&l->values, load->operand[k], border_of(load, k).rule, first, extent);
    if (!index) {
        refuse_stage(l, REFUSED_TABLE, source->name->text, NULL);
        return load;
    }
    const struct expr **choice =
        ARENA_ARRAY(l->values.scratch, const struct expr *, (size_t)extent);
    for (int64_t i = 0; i < extent; i++)
        choice[i] =
            lowering_normal(l, load_at(l, load, k, expr_integer(l->values.pool, first + i)));
    return value_picked(&l->values, index, first, (size_t)extent, choice);
}

static const struct expr *normal_load(struct lowering *l, const struct expr *load)
{
    const struct stage *source = lowering_stage(l, load->as.load.source);
    const struct shape *shape = &l->shape[source->id.index];
    if (source->kind == STAGE_CONSTANT) {
        const struct expr *known = stage_constant_at(source, load);
        return known ? known : load;
    }
    if (!shape->streams && source->kind == STAGE_INPUT)
        return load;
    if (!shape->streams && source->kind == STAGE_MAP)
        return inlined(l, load);
    if (source->id.index == l->stage->id.index)
        return load;
    if (!shape->streams) {
        refuse_stage(l, REFUSED_WHOLE, source->name->text, NULL);
        return load;
    }
    for (unsigned k = 0; k < source->rank; k++) {
        if (!shape_has_lane(shape, k))
            continue;
        if (load->operand[k]->kind != EXPR_INTEGER)
            return picked_lane(l, load, k);
        load = at_known_lane(l, load, k);
        if (load->kind != EXPR_LOAD)
            return load;
    }
    return load;
}

static const struct expr *normal_node(const struct expr *node, void *user)
{
    struct lowering *l = user;
    return node->kind == EXPR_LOAD && !l->values.refusal->refused ? normal_load(l, node) : node;
}

/* Without reductions, and with loads of lanes that are known, of stages that stream, and of tables.
 * */
const struct expr *lowering_normal(struct lowering *l, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = l->values.pool, .rule = normal_node, .context = l, .scratch = l->values.scratch};
    value = value_expanded(&l->values, value);
    if (l->values.refusal->refused)
        return value;
    return expr_rewrite(&rewriter, value);
}
