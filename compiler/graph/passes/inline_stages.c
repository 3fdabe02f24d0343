/* inline_stages: graph → graph. Computes a stage where it is read if that is cheaper than storing
 * it.
 *   before: gray[y, x] = 0.5 * in[y, x]   out[y, x] = gray[y, x] + 1      after: out[y, x] = 0.5 * in[y, x] + 1
 * Reads of the stage must have no border rule (drop_border_rules has removed useless ones).
 * Inlining pays if each sample is read once, if few of its samples are read at all (`g[k(in[y, x]),
 * y, x]`), or if it costs next to nothing. It does not pay for an index into bytes (`table[index[y,
 * x]]`), which is better computed in vectors, or for the stored samples of a recurrence with a
 * wider state. If one read needs the stage in memory, all reads use memory. Values are rounded to
 * the type of the stage as before. Stages that the program's schedule places do not move. Stages
 * that are no longer read are dropped. */
#include "graph_pass.h"
#include "graph/placement/choosing_axis.h"
#include "analysis/cost.h"
#include "expr/affine.h"
#include "graph/placement/choose.h"

enum { MOST_COST = 400, MOST_PICKING = 4 };

/* How a stage is read. */
struct use {
    const char *fixed; /* why it stays, whatever it costs; NULL: it need not */
    bool ruled;        /* under a border rule */
    bool repeated;     /* several samples of a reader read the same one */
    bool in_reduce;    /* inside a reduction of a reader */
    bool picking;      /* in the place of a read of bytes, which vectors cannot gather */
    uint32_t repeat;
    int64_t reads; /* different ones, by term of reductions; of complex samples the more of parts */
    int64_t of_part[2];
    int64_t spread; /* its samples for one of a reader, the least of all reads; 0: not read */
};

struct inlining {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    struct use *use;            /* by stage */
    bool *inlined;              /* by stage */
    uint32_t *new_id;           /* by stage: its new id */
    const struct expr **value;  /* by stage: as rewritten */
    const struct stage *source; /* of the read at hand */
    const struct expr *const *index;
};

/* ---- Uses ---- */

struct reading {
    struct inlining *all;
    const struct stage *reader;
    bool counts;     /* false: what forbids a value in place of a read is all that is asked */
    int64_t terms;   /* of reductions around */
    uintptr_t place; /* along the axis by which the reader chooses, from 1; 0: all of them */
    struct hash_map *first; /* load → the first place that reads it */
};

/* The axis of the reader along which its samples read different ones because of this index; its
 * rank: none. */
static unsigned axis_told_apart(const struct stage *reader, const struct expr *index)
{
    const struct scaled_index scaled = affine_index(index);
    unsigned axes = 0, last = reader->rank;
    if (!scaled.numerator.exact || scaled.denominator > 1)
        return reader->rank;
    for (unsigned axis = 0; axis < reader->rank; axis++) {
        if (affine_coefficient(&scaled.numerator, reader->axis[axis].variable) == 0)
            continue;
        axes++;
        last = axis;
    }
    return axes == 1 ? last : reader->rank;
}

/* Whether two samples of the reader may read the same one: its axes are not all told apart by the
 * indices. */
static bool may_repeat(const struct reading *r, const struct expr *load)
{
    bool apart[GRAPH_MAX_RANK + 1] = {false};
    for (unsigned k = 0; k < load->count; k++)
        apart[axis_told_apart(r->reader, load->operand[k])] = true;
    unsigned together = 0;
    for (unsigned axis = 0; axis < r->reader->rank; axis++)
        together += !apart[axis];
    /* A place at a time, or each part of complex samples by a value of its own. */
    return together > (r->place > 0 || stage_imaginary(r->reader) ? 1U : 0U);
}

/* Reads of one part of complex samples compute that one alone. */
static void count_read(struct use *use, const struct stage *read, const struct expr *load,
                       int64_t terms)
{
    const struct expr *part = stage_is_complex(read) ? load->operand[load->count - 1] : NULL;
    const bool picks = part && part->kind == EXPR_INTEGER;
    for (int64_t p = 0; p < 2; p++)
        if (!picks || part->as.integer == p)
            use->of_part[p] += terms;
    use->reads = use->of_part[0] > use->of_part[1] ? use->of_part[0] : use->of_part[1];
}

/* Samples of the stage for each sample of the reader: those along axes of which it picks one,
 * `g[k(in[y, x]), y, x]`. */
static int64_t spread_of(const struct reading *r, const struct stage *read, const struct expr *load)
{
    int64_t spread = 1;
    for (unsigned k = 0; k < load->count; k++) {
        const struct expr *extent = read->axis[k].computed_extent;
        if (extent->kind == EXPR_INTEGER && extent->as.integer < COST_LIMIT / spread &&
            extent->as.integer > 0 &&
            axis_told_apart(r->reader, load->operand[k]) == r->reader->rank)
            spread *= extent->as.integer;
    }
    return spread;
}

/* Whether another place reads the same. */
static bool is_read_elsewhere(const struct reading *r, const struct expr *load)
{
    const uintptr_t first = (uintptr_t)hash_map_find(r->first, load);
    if (!first)
        hash_map_put(r->all->context->scratch, r->first, load, (void *)r->place);
    return first && first != r->place;
}

static void fix(struct use *use, const char *reason)
{
    use->fixed = use->fixed ? use->fixed : reason;
}

static void note_load(struct reading *r, const struct expr *load)
{
    struct use *use = &r->all->use[load->as.load.source];
    if (load->as.load.source == r->reader->id.index)
        return;
    /* What a scatter starts from, not what its steps read. */
    const bool is_start = r->reader->kind == STAGE_SCATTER &&
                          expr_contains(r->all->context->scratch, r->reader->value, load);
    const bool takes_values =
        stage_may_move(r->reader) || r->reader->kind == STAGE_RECURRENCE ||
        r->reader->kind == STAGE_TRANSFORM || is_start ||
        (stage_is_of_particles(r->reader) && r->reader->kind != STAGE_STENCIL_CELLS &&
         !stage_kernel_image(r->reader));
    if (!takes_values)
        fix(use, "it is read by a stage that takes its samples from memory alone");
    if (r->reader->repeat != r->all->in->stages.item[load->as.load.source]->repeat)
        fix(use, "it is read in another step of a repeat");
    use->in_reduce = use->in_reduce || r->terms > 1;
    for (unsigned k = 0; k < load->count; k++)
        use->ruled =
            use->ruled || (load->as.load.border && load->as.load.border[k].rule != BORDER_NONE);
    if (!r->counts)
        return;
    const int64_t spread = spread_of(r, r->all->in->stages.item[load->as.load.source], load);
    count_read(use, r->all->in->stages.item[load->as.load.source], load, r->terms);
    use->spread = use->spread == 0 || spread < use->spread ? spread : use->spread;
    use->repeated =
        use->repeated || may_repeat(r, load) || (r->place > 0 && is_read_elsewhere(r, load));
}

static void note_picking(const struct expr *node, void *user)
{
    struct inlining *n = user;
    if (node->kind == EXPR_LOAD)
        n->use[node->as.load.source].picking = true;
}

static void note_node(const struct expr *node, void *user)
{
    enum { GATHERED = 4 }; /* bytes of samples that vectors can gather */
    struct reading *r = user;
    if (node->kind == EXPR_LOAD) {
        struct expr_walk places = {.scratch = r->all->context->scratch};
        note_load(r, node);
        for (unsigned k = 0; k < node->count && scalar_info[node->scalar].bytes < GATHERED; k++)
            expr_visit(&places, node->operand[k], note_picking, r->all);
    }
    if (node->kind != EXPR_REDUCE)
        return;
    struct reading inside = *r; /* again, by what is inside alone */
    struct expr_walk walk = {.scratch = r->all->context->scratch};
    inside.terms = 1 + expr_reduction_terms(&node->as.reduce);
    for (unsigned i = 0; i < node->count && r->terms == 1; i++)
        expr_visit(&walk, node->operand[i], note_node, &inside);
}

/* What a stage reads that chooses along an axis: each place by itself. */
static void find_uses_by_place(struct inlining *n, const struct stage *reader, unsigned axis)
{
    struct arena *scratch = n->context->scratch;
    struct hash_map first = {0};
    struct reading reading = {
        .all = n, .reader = reader, .counts = true, .terms = 1, .first = &first};
    const int64_t least = reader->axis[axis].computed_first->as.integer;
    for (int64_t i = 0; i < reader->axis[axis].computed_extent->as.integer; i++) {
        struct expr_walk walk = {.scratch = scratch};
        reading.place++;
        expr_visit(&walk, value_at_place(n->context->pool, scratch, reader, axis, least + i),
                   note_node, &reading);
    }
}

static void find_uses(struct inlining *n)
{
    for (size_t i = 0; i < n->in->stages.count; i++) {
        const struct stage *stage = n->in->stages.item[i];
        const unsigned axis = choosing_axis(n->context->scratch, stage);
        /* A choice may leave out a read at each place; it stands in the value all the same. */
        struct reading reading = {
            .all = n, .reader = stage, .counts = axis == stage->rank, .terms = 1};
        stage_nodes(stage, n->context->scratch, note_node, &reading);
        if (axis < stage->rank)
            find_uses_by_place(n, stage, axis);
        if (!stage_may_move(stage) || stage->rank == 0)
            fix(&n->use[i], stage->kind == STAGE_RECURRENCE ? "it is a recurrence"
                            : stage_may_move(stage)         ? "it has one sample only"
                                                    : "it is not computed sample by sample");
        if (stage_follows(stage))
            fix(&n->use[stage->schedule->at.index], "others are computed in its tiles");
        if (stage->kind == STAGE_CARRIED) {
            fix(&n->use[stage->as.carried.initial.index], "a repeat carries it");
            fix(&n->use[stage->as.carried.next.index], "a repeat carries it");
        }
    }
    for (size_t i = 0; i < n->in->outputs.count; i++)
        n->use[n->in->outputs.item[i].stage.index].fixed = "it is a result";
}

/* ---- The choice ---- */

static void note_reduction(const struct expr *node, void *found)
{
    if (node->kind == EXPR_REDUCE)
        *(bool *)found = true;
}

static bool holds_reduction(struct arena *scratch, const struct expr *value)
{
    struct expr_walk walk = {.scratch = scratch};
    bool found = false;
    expr_visit(&walk, value, note_reduction, &found);
    return found;
}

static enum placement wanted(const struct stage *stage)
{
    const struct schedule *schedule = stage->schedule;
    if (!schedule)
        return stage_says_any(stage) ? PLACED_ROOT : PLACED_FREELY;
    return schedule->rank ? PLACED_ROOT : schedule->placement;
}

struct state_search {
    const struct inlining *n;
    enum scalar element;
    bool found;
};

static void search_state(const struct expr *node, void *user)
{
    struct state_search *search = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct stage *source = search->n->in->stages.item[node->as.load.source];
    search->found =
        search->found || (source->kind == STAGE_RECURRENCE && node->count > 1 &&
                          scalar_info[source->element].bytes > scalar_info[search->element].bytes);
}

/* Whether it is a recurrence, as it is stored: the state that is carried is wider, and in memory
 * instead of it. */
static bool stores_state(const struct inlining *n, const struct stage *stage)
{
    struct state_search search = {.n = n, .element = stage->element};
    expr_nodes(n->context->scratch, n->value[stage->id.index], search_state, &search);
    return search.found;
}

/* Why the stage cannot be computed where it is read; NULL: it can. */
static const char *obstacle_of(const struct inlining *n, const struct stage *stage)
{
    const struct use *use = &n->use[stage->id.index];
    /* The variables of its reductions could be those of the reader's. */
    return use->fixed   ? use->fixed
           : use->ruled ? "it is read under a border rule"
           : use->in_reduce && holds_reduction(n->context->scratch, n->value[stage->id.index])
               ? "it holds a reduction and is read in one"
               : NULL;
}

static bool is_worth(const struct inlining *n, const struct stage *stage)
{
    const struct use *use = &n->use[stage->id.index];
    const struct expr *value = n->value[stage->id.index];
    const enum placement placement = wanted(stage);
    if (obstacle_of(n, stage) || placement == PLACED_ROOT || placement == PLACED_AT)
        return false;
    if (placement == PLACED_INLINE)
        return true;
    const int64_t cost = cost_of_value(n->context->scratch, value);
    if (choose_whether(n->context, stage->id.index, CHOICE_STORED, false))
        return false;
    if (n->context->random_schedule)
        return use->reads * cost <= MOST_COST;
    if ((use->picking && cost > MOST_PICKING && n->context->target->has_vectors) ||
        stores_state(n, stage))
        return false;
    const int64_t cheap = choice_value(n->context, CHOICE_INLINE_CHEAP);
    return cost <= MOST_COST && (!use->repeated || cost <= cheap) &&
           ((use->reads - 1) * cost <= cheap || 2 * use->reads <= use->spread);
}

/* ---- The graph ---- */

static const struct expr *set_coordinate(const struct expr *node, void *user)
{
    const struct inlining *n = user;
    for (unsigned k = 0; k < n->source->rank; k++)
        if (node == n->source->axis[k].variable)
            return n->index[k];
    return node;
}

/* What keeps a value from being computed at other coordinates: a reduction of it would capture
 * them, or they leave the interval that operations were chosen for. */
struct obstacle_search {
    const struct stage *stage;
    const struct expr *load; /* the read: its operands are the coordinates */
    struct arena *scratch;
    struct hash_map seen;
    bool found;
};

struct name_search {
    const struct symbol *name;
    bool found;
};

static void search_name(const struct expr *node, void *user)
{
    struct name_search *search = user;
    search->found =
        search->found || (node->kind == EXPR_VARIABLE && node->as.variable.name == search->name);
}

static bool is_named(const struct obstacle_search *o, const struct expr *index,
                     const struct symbol *name)
{
    struct name_search search = {name, false};
    expr_nodes(o->scratch, index, search_name, &search);
    return search.found;
}

static bool is_affine_of_variables(const struct expr *index)
{
    const struct scaled_index scaled = affine_index(index);
    return affine_of_variables(&scaled.numerator);
}

static void search_obstacle(struct obstacle_search *o, const struct expr *node)
{
    if (o->found || hash_map_find(&o->seen, node))
        return;
    hash_map_put(o->scratch, &o->seen, node, (void *)(uintptr_t)node);
    for (unsigned k = 0; k < o->stage->rank; k++)
        o->found = o->found || (node == o->stage->axis[k].variable &&
                                !interval_inside(o->load->operand[k]->interval, node->interval));
    for (unsigned r = 0; node->kind == EXPR_REDUCE && r < node->as.reduce.rank; r++)
        for (unsigned k = 0; k < o->load->count; k++)
            o->found =
                o->found || is_named(o, o->load->operand[k], node->as.reduce.range[r].variable);
    for (unsigned i = 0; i < node->count; i++)
        if (node->kind != EXPR_LOAD || !is_affine_of_variables(node->operand[i]))
            search_obstacle(o, node->operand[i]);
    for (unsigned k = 0; node->kind == EXPR_LOAD && node->as.load.border && k < node->count; k++)
        if (node->as.load.border[k].value)
            search_obstacle(o, node->as.load.border[k].value);
}

/* The value of the stage at these coordinates; NULL: it cannot be computed there. */
static const struct expr *value_at(struct inlining *n, const struct stage *stage,
                                   const struct expr *load)
{
    struct obstacle_search search = {.stage = stage, .load = load, .scratch = n->context->scratch};
    search_obstacle(&search, n->value[stage->id.index]);
    if (search.found)
        return NULL;
    struct inlining here = *n;
    here.source = stage;
    here.index = load->operand;
    struct expr_rewriter rewriter = {.pool = n->context->pool,
                                     .rule = set_coordinate,
                                     .context = &here,
                                     .scratch = n->context->scratch};
    const struct expr *value = expr_rewrite(&rewriter, n->value[stage->id.index]);
    if (value->scalar != stage->element)
        value = expr_convert(n->context->pool, CONVERT_EXACT, stage->element, value);
    return scalar_is_float(value->scalar) || interval_inside(value->interval, stage->interval)
               ? value
               : NULL;
}

static const struct expr *replace_read(const struct expr *node, void *user)
{
    struct inlining *n = user;
    if (node->kind != EXPR_LOAD || !n->inlined[node->as.load.source])
        return node;
    const struct expr *value = value_at(n, n->in->stages.item[node->as.load.source], node);
    if (!value)
        fix(&n->use[node->as.load.source],
            "it is read at places for which its arithmetic is too narrow");
    return value ? value : node;
}

static struct stage rewritten(struct inlining *n, const struct stage *stage)
{
    struct expr_rewriter rewriter = {.pool = n->context->pool,
                                     .rule = replace_read,
                                     .context = n,
                                     .scratch = n->context->scratch};
    return stage_rewrite(n->context->output, stage, &rewriter);
}

/* The stages with values in the place of reads. False: one that was put in a place stays for
 * another read of it. */
static bool put_in_place(struct inlining *n, struct stage stages[])
{
    for (size_t i = 0; i < n->in->stages.count; i++) {
        stages[i] = rewritten(n, n->in->stages.item[i]);
        n->value[i] = stages[i].value;
        n->inlined[i] = is_worth(n, n->in->stages.item[i]);
    }
    bool whole = true;
    for (size_t i = 0; i < n->in->stages.count; i++)
        whole = whole && !(n->inlined[i] && n->use[i].fixed);
    return whole;
}

const struct graph *inline_stages(const struct graph *in, struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const size_t count = in->stages.count + 1;
    struct inlining n = {.in = in,
                         .out = graph_copy_without_stages(context->output, in),
                         .context = context,
                         .use = ARENA_ARRAY(scratch, struct use, count),
                         .inlined = ARENA_ARRAY(scratch, bool, count),
                         .new_id = ARENA_ARRAY(scratch, uint32_t, count),
                         .value = ARENA_ARRAY(scratch, const struct expr *, count)};
    struct stage *stages = ARENA_ARRAY(scratch, struct stage, count);
    find_uses(&n);
    while (!put_in_place(&n, stages)) /* what stays is read by all: each time there is one more */
        ;
    struct renumbering renumbering = {context->pool, n.new_id};
    for (size_t i = 0; i < in->stages.count; i++) {
        n.new_id[i] = (uint32_t)n.out->stages.count; /* a recurrence reads itself */
        if (n.inlined[i]) {
            decline_all(context, in->stages.item[i], "it is computed where it is read");
            continue;
        }
        if (stage_computes(in->stages.item[i]) && wanted(in->stages.item[i]) == PLACED_INLINE)
            decline(context, in->stages.item[i], REMARK_INLINE, "%s",
                    obstacle_of(&n, in->stages.item[i]));
        struct expr_rewriter rewriter = {.pool = context->pool,
                                         .rule = graph_renumber_read,
                                         .context = &renumbering,
                                         .scratch = scratch};
        graph_add_stage(context->output, n.out,
                        stage_rewrite(context->output, &stages[i], &rewriter));
    }
    graph_renumber(context->output, n.out, n.new_id);
    return n.out;
}
