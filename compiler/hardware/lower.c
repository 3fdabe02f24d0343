/* Each stage becomes a pipe whose tokens have the stage's lanes. */
#include "hardware/lowering.h"

#include <assert.h>

const struct stage *lowering_stage(const struct lowering *l, uint32_t id)
{
    const size_t count = l->graph->stages.count;
    return id < count ? l->graph->stages.item[id] : l->made.item[id - count];
}

void refuse_stage(struct lowering *l, enum refusal_reason reason, const char *a, const char *b)
{
    refuse(l->values.arena, l->values.refusal, reason, l->stage, a, b);
}

const char *lowering_number(struct lowering *l, int64_t value)
{
    return arena_format(l->values.arena, "%lld", (long long)value);
}

static struct circuit_table written_table(const struct stage *image)
{
    size_t count = 1;
    for (unsigned k = 0; k < image->rank; k++)
        count *= (size_t)image->axis[k].computed_extent->as.integer;
    return (struct circuit_table){image->name, image->interval, count, NULL,
                                  image->as.input.position};
}

static struct circuit_table constant_table(struct lowering *l, const struct stage *stage)
{
    int64_t *value = ARENA_ARRAY(l->values.arena, int64_t, stage->as.constant.count + 1);
    struct interval interval = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < stage->as.constant.count; i++) {
        const struct expr *v = stage->as.constant.value[i];
        value[i] = v->as.integer;
        interval = interval_hull(interval, (struct interval){value[i], value[i]});
    }
    return (struct circuit_table){stage->name, interval, stage->as.constant.count, value, 0};
}

/* The table of a constant stage, or of an image that is one; made at the first read. */
static uint32_t table_of(struct lowering *l, const struct stage *stage)
{
    if (l->table[stage->id.index] != NOT_GIVEN)
        return l->table[stage->id.index];
    const struct circuit_table table =
        stage->kind == STAGE_INPUT ? written_table(stage) : constant_table(l, stage);
    l->table[stage->id.index] = (uint32_t)l->circuit->tables.count;
    VECTOR_PUSH(l->values.arena, &l->circuit->tables, table);
    return l->table[stage->id.index];
}

static const struct expr *sample_of(struct lowering *l, const struct expr *load)
{
    const struct stage *stage = lowering_stage(l, load->as.load.source);
    const struct expr *address = expr_integer(l->values.pool, 0);
    if (scalar_is_float(stage->element)) {
        refuse_stage(l, REFUSED_FLOAT, scalar_info[stage->element].text, NULL);
        return load;
    }
    for (unsigned k = 0; k < stage->rank; k++) {
        const int64_t first = stage->axis[k].computed_first->as.integer;
        const int64_t extent = stage->axis[k].computed_extent->as.integer;
        const struct expr *index =
            value_clamped(&l->values, load->operand[k], border_of(load, k).rule, first, extent);
        if (!index) {
            refuse_stage(l, REFUSED_TABLE, stage->name->text, NULL);
            return load;
        }
        struct expr_pool *pool = l->values.pool;
        address = expr_binary(pool, EXPR_ADD,
                              expr_binary(pool, EXPR_MULTIPLY, address, expr_integer(pool, extent)),
                              expr_binary(pool, EXPR_SUBTRACT, index, expr_integer(pool, first)));
    }
    return circuit_sample(l->values.pool, l->circuit, table_of(l, stage), address);
}

struct leaves {
    struct lowering *l;
    struct expr_rewriter rewriter;
};

static const struct expr *leaf(const struct expr *node, void *user)
{
    struct leaves *leaves = user;
    struct lowering *l = leaves->l;
    const struct shape *own = l->own;
    if (l->values.refusal->refused)
        return node;
    if (node->kind == EXPR_LOAD && node->as.load.source == l->stage->id.index)
        return lowering_own_result(l, leaves->rewriter.original);
    if (node->kind == EXPR_LOAD) /* places of streams are those that the program gave */
        return l->shape[node->as.load.source].streams
                   ? lowering_element(l, leaves->rewriter.original)
                   : sample_of(l, node);
    for (unsigned r = 0; node->kind == EXPR_VARIABLE && r < RASTER_COUNT; r++)
        if (own->axis[r] != NO_AXIS && node == l->stage->axis[own->axis[r]].variable)
            return expr_binary(l->values.pool, EXPR_ADD,
                               circuit_position(l->values.pool, &l->session->symbols,
                                                (enum raster)r, own->extent[r]),
                               expr_integer(l->values.pool, own->first[r]));
    return node;
}

/* Ranges become those of the elements, so that conversions may turn out to do nothing. */
static const struct expr *settled(struct lowering *l, const struct expr *value)
{
    struct leaves leaves = {.l = l};
    leaves.rewriter = (struct expr_rewriter){
        .pool = l->values.pool, .rule = leaf, .context = &leaves, .scratch = l->values.scratch};
    return value_expanded(&l->values, expr_rewrite(&leaves.rewriter, value));
}

static struct stream stream_of(const struct lowering *l, unsigned lanes, struct interval interval)
{
    const struct shape *shape = l->own;
    return (struct stream){
        shape->extent[RASTER_LINES], shape->extent[RASTER_TOKENS], 1, lanes, interval, false};
}

/* What is read, as edges, and values over their elements. */
static struct interval settle_values(struct lowering *l, unsigned lanes,
                                     const struct expr *const given[], const struct expr *value[])
{
    struct expr_walk walk = {.scratch = l->values.scratch};
    struct interval interval = {INT64_MAX, INT64_MIN};
    memset(&l->groups, 0, sizeof l->groups);
    memset(&l->edges, 0, sizeof l->edges);
    l->state_taps = 0;
    for (unsigned lane = 0; lane < lanes && !l->values.refusal->refused; lane++) {
        value[lane] = lowering_normal(l, given[lane]);
        if (!l->values.refusal->refused)
            expr_visit(&walk, value[lane], lowering_collect, l);
    }
    if (!l->values.refusal->refused)
        lowering_add_edges(l);
    for (unsigned lane = 0; lane < lanes && !l->values.refusal->refused; lane++) {
        value[lane] = settled(l, value[lane]);
        const bool truth = value[lane]->scalar == SCALAR_BOOL;
        interval = interval_hull(interval, truth ? (struct interval){0, 1} : value[lane]->interval);
    }
    return interval;
}

uint32_t lowering_pipe(struct lowering *l, const char *name, unsigned lanes,
                       const struct expr *const given[])
{
    const struct expr **value = ARENA_ARRAY(l->values.arena, const struct expr *, lanes + 1);
    const struct interval interval = settle_values(l, lanes, given, value);
    if (!l->values.refusal->refused && l->edges.count == 0)
        refuse_stage(l, REFUSED_NO_IMAGE, NULL, NULL);
    if (l->values.refusal->refused)
        return NOT_GIVEN;
    struct process pipe = {.kind = PROCESS_PIPE,
                           .edge_count = (unsigned)l->edges.count,
                           .edge = l->edges.item,
                           .out = stream_of(l, lanes, interval)};
    pipe.as.pipe.value = value;
    pipe.as.pipe.count = lanes;
    if (l->state_taps)
        lowering_make_scan(l, &pipe);
    return l->values.refusal->refused ? NOT_GIVEN : lowering_add(l, name, pipe);
}

static void lower_map(struct lowering *l)
{
    const unsigned lanes = l->own->lanes;
    const struct expr **value = ARENA_ARRAY(l->values.scratch, const struct expr *, lanes + 1);
    const bool of_frames =
        l->own->axis[RASTER_LINES] == NO_AXIS && l->own->axis[RASTER_TOKENS] == NO_AXIS;
    for (unsigned lane = 0; lane < lanes && !l->values.refusal->refused; lane++) {
        struct expr_substitution by[GRAPH_MAX_RANK];
        const size_t count = lane_places(l, lane, by);
        value[lane] = value_substituted(&l->values, l->stage->value, count, by);
        if (of_frames)
            value[lane] = lowering_whole_frames(l, value[lane]);
    }
    if (!l->values.refusal->refused)
        l->given[l->stage->id.index] = lowering_pipe(l, l->stage->name->text, lanes, value);
}

/* Where the samples of the stage at hand lie, were it packed. */
static void lay_out(struct lowering *l, struct process *port)
{
    const struct shape *shape = l->own;
    int64_t stride[GRAPH_MAX_RANK], packed = 1;
    int64_t *lane = ARENA_ARRAY(l->values.arena, int64_t, shape->lanes + 1);
    for (unsigned k = l->stage->rank; k-- > 0;) {
        stride[k] = packed;
        packed *= l->stage->axis[k].computed_extent->as.integer;
    }
    for (unsigned i = 0; i < shape->lanes; i++) {
        unsigned rest = i;
        for (unsigned k = l->stage->rank; k-- > 0;) {
            const unsigned extent = (unsigned)l->stage->axis[k].computed_extent->as.integer;
            if (!shape_has_lane(shape, k))
                continue;
            lane[i] += rest % extent * stride[k];
            rest /= extent;
        }
    }
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        port->as.source.stride[r] = shape->axis[r] == NO_AXIS ? 0 : stride[shape->axis[r]];
    port->as.source.lane = lane;
    port->as.source.element = l->stage->element;
}

static void lower_input(struct lowering *l)
{
    if (scalar_is_float(l->stage->element)) {
        refuse_stage(l, REFUSED_FLOAT, scalar_info[l->stage->element].text, NULL);
        return;
    }
    if (!l->own->streams) { /* a table, also one that nothing reads */
        table_of(l, l->stage);
        return;
    }
    struct process source = {.kind = PROCESS_SOURCE,
                             .out = stream_of(l, l->own->lanes, l->stage->interval)};
    source.as.source.position = l->stage->as.input.position;
    lay_out(l, &source);
    l->given[l->stage->id.index] = lowering_add(l, l->stage->name->text, source);
}

static void lower_stage(struct lowering *l)
{
    switch (l->stage->kind) {
    case STAGE_INPUT:
        lower_input(l);
        return;
    case STAGE_MAP:
    case STAGE_TABLE:
    case STAGE_RECURRENCE:
        if (l->own->streams)
            lower_map(l);
        return;
    case STAGE_CONSTANT:
        return;
    case STAGE_SCATTER:
        lower_scatter(l);
        return;
    case STAGE_TRANSFORM:
    case STAGE_TO_PARTICLES:
    case STAGE_CELL_MEANS:
    case STAGE_CONVOLVE_CELLS:
    case STAGE_STENCIL_CELLS:
    case STAGE_GIVEN_LEVELS:
    case STAGE_GIVEN_VALUES:
    case STAGE_CARRIED:
    case STAGE_JOINED: /* of segments, which circuits have not */
    case STAGE_KIND_COUNT:
        assert(!"a kind that a process computes");
    }
}

/* The kind counts more than what its samples are: of a transform of floats, that it is one. */
static void refuse_kinds(struct lowering *l)
{
    static const char particles[] = "particles need the whole image",
                      pixels[] = "filter its pixels";
    static const struct {
        const char *why, *cure;
    } refused[STAGE_KIND_COUNT] = {
        [STAGE_TRANSFORM] = {"a transform needs whole lines",
                             "filter with windows: sums over neighbours"},
        [STAGE_TO_PARTICLES] = {particles, pixels},
        [STAGE_CELL_MEANS] = {particles, pixels},
        [STAGE_CONVOLVE_CELLS] = {particles, pixels},
        [STAGE_STENCIL_CELLS] = {particles, pixels},
        [STAGE_GIVEN_LEVELS] = {particles, pixels},
        [STAGE_GIVEN_VALUES] = {particles, pixels},
        [STAGE_CARRIED] =
            {"it is repeated more than 64 times, or a number of times that depends on "
             "a parameter",
             "use for k in 0 ..< n with a constant n"},
    };
    for (size_t i = 0; i < l->graph->stages.count; i++) {
        l->stage = l->graph->stages.item[i];
        if (refused[l->stage->kind].why)
            refuse_stage(l, REFUSED_KIND, refused[l->stage->kind].why,
                         refused[l->stage->kind].cure);
    }
}

static void lower_results(struct lowering *l)
{
    for (size_t i = 0; i < l->graph->outputs.count && !l->values.refusal->refused; i++) {
        const struct graph_output *output = &l->graph->outputs.item[i];
        l->stage = lowering_stage(l, output->stage.index);
        l->own = &l->shape[output->stage.index];
        const uint32_t from = l->given[output->stage.index];
        if (!l->own->streams) {
            refuse_stage(l, REFUSED_NO_IMAGE, NULL, NULL);
            return;
        }
        assert(from != NOT_GIVEN && "a stage that streams");
        const struct edge edge = {.from = from};
        struct process sink = {.kind = PROCESS_SINK,
                               .edge_count = 1,
                               .edge = &edge,
                               .out = l->circuit->processes.item[from].out};
        sink.as.source.position = (uint32_t)i;
        lay_out(l, &sink);
        lowering_add(l, arena_format(l->values.arena, "%s.out", output->name->text), sink);
    }
}

const struct circuit *circuit_from_graph(struct session *session, const struct graph *graph,
                                         struct refusal *refusal)
{
    enum { MORE = 256 }; /* that are made */
    const size_t count = graph->stages.count;
    struct lowering l = {.session = session, .graph = graph};
    *refusal = (struct refusal){0};
    l.values = (struct values){session->ir, session->scratch, &session->pool, refusal, NULL};
    refuse_kinds(&l);
    l.shape = shapes_of(session->ir, session->scratch, graph, MORE, refusal);
    l.circuit = ARENA_NEW(session->ir, struct circuit);
    l.circuit->graph = graph;
    l.given = ARENA_ARRAY(session->scratch, uint32_t, count + MORE);
    l.table = ARENA_ARRAY(session->scratch, uint32_t, count + MORE);
    for (size_t i = 0; i < count + MORE; i++)
        l.given[i] = l.table[i] = NOT_GIVEN;
    for (size_t i = 0; i < count && !refusal->refused; i++) {
        l.stage = l.values.stage = graph->stages.item[i];
        l.own = &l.shape[i];
        lower_stage(&l);
    }
    if (!refusal->refused)
        lower_results(&l);
    return refusal->refused ? NULL : circuit_of_needed(session->ir, l.circuit);
}
