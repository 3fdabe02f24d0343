/* What tiles need of other stages, derived from reads. */
#include "graph/placement/tiles.h"
#include "analysis/reads.h"
#include "expr/affine.h"
#include "graph/placement/choose.h"
#include "graph/placement/choosing_axis.h"
#include "graph/recurrence/feedback.h"
#include "graph/recurrence/recurrence.h"

enum {
    FARTHEST = 1 << 12, /* reads further away than that are not worth a tile */
    MOST_WHOLE = 256    /* the longest axis that each tile takes whole */
};

struct tile_needs tile_needs_of_sink(const struct stage *sink)
{
    struct tile_needs needs = {.any = true, .sink = sink};
    for (unsigned k = 0; k < sink->rank; k++)
        needs.axis[k] = (struct tile_need){k, 1, 1, 0, 0, false};
    return needs;
}

int64_t tile_extent(const struct tile_need *need, const int64_t tile[])
{
    if (need->axis == NO_AXIS)
        return need->high - need->low + 1;
    const int64_t steps = need->numerator * (tile[need->axis] - 1);
    return (steps + need->denominator - 1) / need->denominator + need->high - need->low + 1;
}

unsigned tile_shared_axis(const struct stage *sink, const bool tiled[])
{
    unsigned found = NO_AXIS, count = 0;
    for (unsigned k = sink->rank; k-- > 0 && count < 2;)
        if (tiled[k] && !axis_is_short(&sink->axis[k])) {
            found = k;
            count++;
        }
    return found;
}

int64_t tile_threads(const struct pass_context *context, unsigned cut, unsigned i, bool recurs)
{
    static const enum choice along[] = {CHOICE_BLOCK_LINE, CHOICE_BLOCK_LINE_OF_LINES};
    static const enum choice across[] = {CHOICE_BLOCK_Y, CHOICE_BLOCK_Y_OF_LINES};
    const int64_t x = choice_value(context, cut > 1 ? CHOICE_BLOCK_X : along[recurs]);
    const int64_t y = cut > 1 ? choice_value(context, across[recurs]) : 1;
    const int64_t most = context->target->block_threads, fits = x < most ? x : most;
    return i == 0 ? fits : y < most / fits ? y : most / fits;
}

bool tile_has_channels(const struct stage *stage, const bool cut[], unsigned axis)
{
    const struct expr *extent = stage->axis[axis].computed_extent;
    bool others = false;
    for (unsigned k = 0; k + 1 < stage->rank; k++)
        others = others || cut[k];
    return others && cut[axis] && axis + 1 == stage->rank &&
           (extent->kind == EXPR_INTEGER ? extent->as.integer <= TILE_CHANNELS
                                         : axis_is_of_channels(stage->axis[axis].name));
}

double tile_bytes_for(const struct pass_context *context, bool recurs)
{
    const double percent = recurs ? (double)choice_value(context, CHOICE_LINES_BYTES) : 100;
    return percent / 100 * target_fast_bytes(context->target);
}

int64_t tile_row_in_block(int64_t extent, int64_t beside, bool along_rows)
{
    return along_rows ? extent | 1 : (extent + beside - 1) / beside * beside;
}

bool tile_is_on_rows(const struct stage *stage)
{
    return stage->kind == STAGE_RECURRENCE && stage->as.recurrence.axis + 1 == stage->rank;
}

struct own_search {
    const struct stage *reader, *source;
    bool own; /* reads of the source are at the reader's own coordinates, without a rule */
};

static void search_other(const struct expr *node, void *user)
{
    struct own_search *search = user;
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < node->count &&
                         node->as.load.source == search->source->id.index;
         k++)
        search->own = search->own && node->operand[k] == search->reader->axis[k].variable &&
                      (!node->as.load.border || node->as.load.border[k].rule == BORDER_NONE);
}

static bool reads_own(struct arena *scratch, const struct stage *reader, const struct stage *source)
{
    struct own_search search = {reader, source, reader->rank == source->rank};
    if (search.own)
        stage_nodes(reader, scratch, search_other, &search);
    return search.own;
}

bool tile_takes_over(struct arena *scratch, const struct stage *stage, const struct stage *reader,
                     const struct stage *source)
{
    return stage->element == source->element && stage->interval.least == source->interval.least &&
           stage->interval.greatest == source->interval.greatest &&
           reads_own(scratch, reader, source);
}

static void search_other_source(const struct expr *node, void *user)
{
    struct own_search *search = user;
    search->own = search->own && node->kind != EXPR_REDUCE &&
                  (node->kind != EXPR_LOAD || node->as.load.source == search->source->id.index);
}

bool tile_follows_recurrence(struct arena *scratch, const struct stage *stage,
                             const struct stage *recurrence)
{
    struct own_search search = {stage, recurrence, true};
    if (recurrence->kind != STAGE_RECURRENCE || recurrence->as.recurrence.of_tile == 0 ||
        stage->kind != STAGE_MAP || stage->rank != recurrence->rank || !stage_is_at(stage))
        return false;
    for (unsigned k = 0; k < stage->rank; k++)
        search.own = search.own && stage->axis[k].variable == recurrence->axis[k].variable;
    stage_nodes(stage, scratch, search_other_source, &search);
    return search.own && reads_own(scratch, stage, recurrence);
}

bool tile_takes_over_in_blocks(const struct stage *reader, const struct stage *source)
{
    return reader->kind == STAGE_RECURRENCE || source->kind == STAGE_RECURRENCE;
}

unsigned tile_follows(const struct stage *stage, const struct tile_needs *needs, unsigned sink_axis)
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (needs->axis[k].axis == sink_axis)
            return k;
    return NO_AXIS;
}

bool tile_can_slide(const struct stage *stage, const struct tile_needs *needs, unsigned sink_axis)
{
    unsigned following = 0;
    for (unsigned k = 0; k < stage->rank; k++)
        following += needs->axis[k].axis == sink_axis;
    if (needs->memory)
        return false;
    return following == 0 || (following == 1 && needs->axis[stage->rank - 1].axis != sink_axis);
}

int64_t tile_rows(const struct tile_need *need)
{
    static const int64_t one[GRAPH_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t wanted = tile_extent(need, one);
    int64_t rows = 1;
    while (rows < wanted)
        rows *= 2;
    return rows;
}

/* How a reader's index runs along one axis of the source: floor((p v + s) / q), v the reader's
 * coordinate along `axis`, s in least … greatest. */
struct reach {
    unsigned axis; /* of the reader; NO_AXIS: none */
    int64_t p, q;
    int64_t least, greatest;
};

struct following {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct stage *reader, *source;
    const struct tile_needs *reader_needs;
    const char *problem;
    bool whole[GRAPH_MAX_RANK];
    bool any, ruled[GRAPH_MAX_RANK], mirrored[GRAPH_MAX_RANK];
    struct reach reach[GRAPH_MAX_RANK];
};

static bool add_term(struct reach *reach, int64_t coefficient, const struct span_bound *bound)
{
    if (bound->first->kind != EXPR_INTEGER || bound->end->kind != EXPR_INTEGER)
        return false;
    const int64_t first = bound->first->as.integer, last = bound->end->as.integer - 1;
    if (first < -FARTHEST || last > FARTHEST || coefficient < -FARTHEST || coefficient > FARTHEST)
        return false;
    reach->least += coefficient * (coefficient > 0 ? first : last);
    reach->greatest += coefficient * (coefficient > 0 ? last : first);
    return true;
}

static unsigned axis_of(const struct stage *stage, const struct expr *variable)
{
    unsigned k = 0;
    while (k < stage->rank && stage->axis[k].variable != variable)
        k++;
    return k < stage->rank ? k : NO_AXIS;
}

static const struct span_bound *bound_of(const struct expr *variable, unsigned count,
                                         const struct span_bound bound[])
{
    for (unsigned b = 0; b < count; b++)
        if (bound[b].variable == variable)
            return &bound[b];
    return NULL;
}

/* Whether each tile has all places of the reader along the axis. */
static bool has_whole(const struct following *f, unsigned axis)
{
    const struct schedule *schedule = f->reader->schedule;
    return f->reader_needs->axis[axis].whole || (f->reader == f->reader_needs->sink && schedule &&
                                                 schedule->tile && schedule->tile[axis] == 0);
}

/* Whether the coordinate is one of few, all of which the reader has in a tile, beside another one:
 * a place in a segment, beside the segment's number. *range: all of them. */
static bool is_place_beside(const struct following *f, const struct affine *form, unsigned axis,
                            struct span_bound *range)
{
    bool beside = false;
    for (unsigned i = 0; i < form->count; i++) {
        const unsigned other = axis_of(f->reader, form->term[i].atom);
        beside = beside || (other != NO_AXIS && other != axis && !has_whole(f, other));
    }
    const struct stage_axis *own = &f->reader->axis[axis];
    *range = (struct span_bound){own->variable, own->computed_first,
                                 region_sum(f->pool, own->computed_first, own->computed_extent, 1)};
    return beside && has_whole(f, axis);
}

static const char *reach_of_index(const struct following *f, const struct expr *index,
                                  unsigned count, const struct span_bound bound[],
                                  struct reach *reach)
{
    const struct scaled_index scaled = affine_index(index);
    const struct affine *form = &scaled.numerator;
    *reach = (struct reach){NO_AXIS, 0, scaled.denominator, 0, 0};
    if (!form->exact || scaled.denominator > FARTHEST)
        return "the index of the read is not known at compile time";
    if (form->constant < -FARTHEST || form->constant > FARTHEST)
        return "it is read too far away";
    reach->least = reach->greatest = form->constant;
    for (unsigned i = 0; i < form->count; i++) {
        const int64_t coefficient = form->term[i].coefficient;
        const struct expr *atom = form->term[i].atom;
        const unsigned axis = axis_of(f->reader, atom);
        const struct span_bound *range = bound_of(atom, count, bound);
        struct span_bound places;
        if (axis != NO_AXIS && is_place_beside(f, form, axis, &places) &&
            add_term(reach, coefficient, &places))
            continue;
        if (axis != NO_AXIS && (reach->axis != NO_AXIS || coefficient < 0))
            return "it is read in another order than it is computed in";
        if (axis != NO_AXIS) {
            reach->axis = axis;
            reach->p = coefficient;
        } else if (!range || !add_term(reach, coefficient, range)) {
            return "where it is read depends on more than coordinates and constants";
        }
    }
    if (reach->p > FARTHEST || reach->least < -FARTHEST || reach->greatest > FARTHEST)
        return "it is read too far away";
    return NULL;
}

/* The whole of an axis, if that is not long. */
static bool take_whole(const struct stage *source, unsigned k, struct tile_need *need)
{
    const struct expr *first = source->axis[k].computed_first;
    const struct expr *extent = source->axis[k].computed_extent;
    if (first->kind != EXPR_INTEGER || extent->kind != EXPR_INTEGER || extent->as.integer < 1 ||
        extent->as.integer > MOST_WHOLE || first->as.integer < -FARTHEST ||
        first->as.integer > FARTHEST)
        return false;
    *need = (struct tile_need){
        NO_AXIS, 0, 1, first->as.integer, first->as.integer + extent->as.integer - 1, true};
    return true;
}

/* What one index of a read reaches, with what others do. */
static const char *follow_index(struct following *f, const struct expr *load, unsigned k,
                                unsigned count, const struct span_bound bound[])
{
    const enum border_rule rule = load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
    struct reach reach, *all = &f->reach[k];
    struct tile_need whole;
    if (f->whole[k])
        return NULL;
    const char *problem = reach_of_index(f, load->operand[k], count, bound, &reach);
    if (rule == BORDER_WRAP)
        problem = "the opposite side of it is read under the rule wrap";
    if (!problem && f->any && (reach.axis != all->axis || reach.p != all->p || reach.q != all->q))
        problem = "it is read at two scales";
    f->whole[k] = problem && take_whole(f->source, k, &whole);
    if (problem)
        return f->whole[k] ? NULL : problem;
    if (f->any) {
        reach.least = reach.least < all->least ? reach.least : all->least;
        reach.greatest = reach.greatest > all->greatest ? reach.greatest : all->greatest;
    }
    *all = reach;
    f->ruled[k] = f->ruled[k] || (rule != BORDER_NONE && rule != BORDER_EXTEND);
    f->mirrored[k] = f->mirrored[k] || rule == BORDER_REFLECT || rule == BORDER_REFLECT101;
    return NULL;
}

static void follow_read(const struct expr *load, unsigned count, const struct span_bound bound[],
                        void *user)
{
    struct following *f = user;
    if (load->as.load.source != f->source->id.index || f->problem)
        return;
    for (unsigned k = 0; k < load->count && !f->problem; k++)
        f->problem = follow_index(f, load, k, count, bound);
    f->any = true;
}

/* Whether floor(p v / q) is inside the source for all coordinates of a stage: then rules lead back
 * to samples near those that are inside. */
static bool middle_stays_inside(const struct following *f, unsigned k, const struct stage *reader,
                                const struct reach *reach)
{
    const struct stage_axis *of = &f->source->axis[k], *by = &reader->axis[reach->axis];
    const struct expr *last =
        region_sum(f->pool, region_sum(f->pool, by->computed_first, by->computed_extent, 1),
                   expr_integer(f->pool, 1), -1);
    const struct affine_bound bound = {by->variable, by->computed_first, last};
    const struct expr *times =
        expr_binary(f->pool, EXPR_MULTIPLY, expr_integer(f->pool, reach->p), by->variable);
    const struct expr *middle =
        reach->q == 1 ? times
                      : expr_binary(f->pool, EXPR_DIVIDE, times, expr_integer(f->pool, reach->q));
    return region_stays_inside(f->pool, middle, of->first, of->extent, 1, &bound);
}

/* The range includes what rules lead to. */
static const char *widen(const struct following *f, unsigned k, struct reach *reach)
{
    if (!f->ruled[k])
        return NULL;
    if (reach->axis == NO_AXIS || !middle_stays_inside(f, k, f->reader, reach))
        return "border rules may lead to places that are far away";
    reach->least = reach->least < 0 ? reach->least : 0;
    reach->greatest = reach->greatest > 0 ? reach->greatest : 0;
    if (f->mirrored[k]) {
        const int64_t far = -reach->least > reach->greatest ? -reach->least : reach->greatest;
        reach->least = -far;
        reach->greatest = far;
    }
    return NULL;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/* floor((p v + s) / q) of v = floor(n t / d) + low … high. */
static struct tile_need compose(const struct reach *reach, const struct tile_need *reader)
{
    if (reach->axis == NO_AXIS || reader->axis == NO_AXIS) {
        const int64_t low = reach->axis == NO_AXIS ? 0 : reach->p * reader->low;
        const int64_t high = reach->axis == NO_AXIS ? 0 : reach->p * reader->high;
        return (struct tile_need){.axis = NO_AXIS,
                                  .denominator = 1,
                                  .low = floor_divide(low + reach->least, reach->q),
                                  .high = floor_divide(high + reach->greatest, reach->q)};
    }
    const int64_t rounding = reader->denominator > 1 ? reach->p - 1 : 0;
    const int64_t least = reach->p * reader->low - rounding + reach->least;
    const int64_t greatest = reach->p * reader->high + reach->greatest;
    const int64_t numerator = reach->p * reader->numerator;
    const int64_t denominator = reach->q * reader->denominator;
    const int64_t common = greatest_divisor(numerator, denominator);
    return (struct tile_need){.axis = reader->axis,
                              .numerator = numerator / common,
                              .denominator = denominator / common,
                              .low = floor_divide(least, reach->q),
                              .high = floor_divide(greatest, reach->q) + (reach->q > 1)};
}

static const char *join(struct tile_need *all, const struct tile_need *more, bool any)
{
    if (any && (all->axis != more->axis || all->numerator != more->numerator ||
                all->denominator != more->denominator))
        return "it is read at two scales";
    const struct tile_need old = *all;
    *all = *more;
    if (any) {
        all->low = old.low < more->low ? old.low : more->low;
        all->high = old.high > more->high ? old.high : more->high;
    }
    return all->low < -FARTHEST || all->high > FARTHEST ? "it is read too far away" : NULL;
}

/* Whether floor(n t / d) is inside the source for all coordinates of the sink. */
static bool tile_stays_inside(const struct following *f, unsigned k, const struct stage *sink,
                              const struct tile_need *need)
{
    const struct reach scaled = {need->axis, need->numerator, need->denominator, 0, 0};
    return need->axis != NO_AXIS && middle_stays_inside(f, k, sink, &scaled);
}

/* As `widen`, of a reader that is outside of the source itself, but not farther than it is from the
 * sink's samples. */
static void widen_need(const struct following *f, unsigned k, struct tile_need *need)
{
    const int64_t far = -need->low > need->high ? -need->low : need->high;
    need->low = f->mirrored[k] ? -far : need->low < 0 ? need->low : 0;
    need->high = f->mirrored[k] ? far : need->high > 0 ? need->high : 0;
}

/* Notes which samples of a recurrence of a tile are read: where it begins, and how many. */
static void note_samples_read(const struct following *f, unsigned k, struct tile_needs *needs)
{
    const struct stage *source = f->source;
    const struct reach *reach = &f->reach[k];
    const int64_t part = source->kind == STAGE_RECURRENCE ? source->as.recurrence.of_tile : 0;
    if (part == 0 || source->as.recurrence.axis != k)
        return;
    if (!needs->followed && tile_follows_recurrence(f->scratch, f->reader, source)) {
        needs->followed = true;
        return;
    }
    const int64_t places = reach->greatest - reach->least + 1;
    if (reach->least % part != 0)
        needs->begin = part;
    if (reach->least % part != 0 && reach->greatest % part == part - 1)
        needs->last = places > needs->last ? places : needs->last;
    else
        needs->others = true;
}

struct lag_search {
    const struct stage *stage;
    int64_t most;
};

static void note_lag(const struct expr *node, void *user)
{
    struct lag_search *search = user;
    const unsigned axis = search->stage->as.recurrence.axis;
    if (node->kind != EXPR_LOAD || node->as.load.source != search->stage->id.index)
        return;
    const struct interval offset =
        recurrence_offset(node->operand[axis], search->stage->axis[axis].variable);
    search->most = -offset.least > search->most ? -offset.least : search->most;
}

int64_t tile_places_kept(struct arena *scratch, const struct stage *stage,
                         const struct tile_needs *needs, bool follower)
{
    struct lag_search search = {stage, 0};
    int64_t places = 1;
    if (needs->others || needs->followed != follower || (!follower && needs->last == 0) ||
        needs->axis[stage->as.recurrence.axis].whole)
        return 0;
    stage_nodes(stage, scratch, note_lag, &search);
    while (places < needs->last || places <= search.most)
        places *= 2;
    return places;
}

/* Along an axis whose reads could be followed. */
static const char *add_followed(struct following *f, unsigned k,
                                const struct tile_needs *reader_needs, struct tile_needs *needs)
{
    const struct tile_need none = {.axis = NO_AXIS, .denominator = 1};
    const unsigned axis = f->reach[k].axis;
    const struct tile_need *of = axis == NO_AXIS ? &none : &reader_needs->axis[axis];
    struct tile_need more = compose(&f->reach[k], of);
    note_samples_read(f, k, needs);
    const char *problem = widen(f, k, &f->reach[k]);
    if (problem && tile_stays_inside(f, k, reader_needs->sink, &more))
        widen_need(f, k, &more);
    else if (problem)
        return problem;
    else
        more = compose(&f->reach[k], of);
    return join(&needs->axis[k], &more, needs->any);
}

const char *tile_needs_add(struct expr_pool *pool, struct arena *scratch,
                           const struct stage *reader, const struct tile_needs *reader_needs,
                           const struct stage *source, struct tile_needs *needs)
{
    struct following f = {pool, scratch, .reader = reader, .source = source,
                          .reader_needs = reader_needs};
    reads_visit(pool, scratch, reader->value, 0, NULL, follow_read, &f);
    const char *problem = f.problem;
    for (unsigned k = 0; k < source->rank && !problem && f.any; k++) {
        struct tile_need whole;
        problem = f.whole[k] || (needs->any && needs->axis[k].whole)
                      ? "it is read at two scales"
                      : add_followed(&f, k, reader_needs, needs);
        if (problem && take_whole(source, k, &whole)) {
            needs->axis[k] = whole;
            problem = NULL;
        }
    }
    needs->any = needs->any || f.any;
    needs->sink = reader_needs->sink;
    return problem;
}

const char *tile_needs_recur(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage *stage,
                             struct tile_needs *needs)
{
    if (stage->kind != STAGE_RECURRENCE)
        return NULL;
    const unsigned axis = stage->as.recurrence.axis;
    struct tile_need *along = &needs->axis[axis];
    if (stage->as.recurrence.of_tile) { /* it begins with the tile, or with its own short line */
        struct tile_need whole;
        if (stage->axis[axis].computed_extent->kind == EXPR_INTEGER &&
            take_whole(stage, axis, &whole)) {
            *along = whole;
        } else if (needs->begin) {
            along->low = floor_divide(along->low, needs->begin) * needs->begin;
        }
        return NULL;
    }
    needs->memory = recurrence_memory(graph, pool, scratch, stage);
    if (needs->memory == 0)
        return "samples far before count in it";
    if (stage->as.recurrence.reversed)
        along->high += along->whole ? 0 : needs->memory;
    else
        along->low -= along->whole ? 0 : needs->memory;
    return NULL;
}

/* ---- Loops that stages share ---- */

struct sharing {
    const struct stage *reader, *stage;
    unsigned axes; /* the first ones: all reads so far are at the reader's own coordinates there */
};

static void note_own_coordinates(const struct expr *node, void *user)
{
    struct sharing *s = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != s->stage->id.index)
        return;
    unsigned k = 0;
    while (k < s->axes && node->operand[k] == s->reader->axis[k].variable &&
           (!node->as.load.border || node->as.load.border[k].rule == BORDER_NONE))
        k++;
    s->axes = k;
}

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The first axes along which the two are needed at the same places, whatever the tile. */
static unsigned equal_axes(const struct stage *stage, const struct tile_needs *a,
                           const struct stage *reader, const struct tile_needs *b)
{
    unsigned k = 0;
    while (k + 1 < stage->rank && k + 1 < reader->rank && a->axis[k].axis == NO_AXIS &&
           b->axis[k].axis == NO_AXIS && a->axis[k].low == b->axis[k].low &&
           a->axis[k].high == b->axis[k].high)
        k++;
    return k;
}

void tile_needs_share(struct arena *scratch, size_t count, const struct stage *const reader[],
                      const struct tile_needs *const reader_needs[], const struct stage *stage,
                      struct tile_needs *needs)
{
    const struct stage *root = NULL;
    unsigned inner = 0;
    struct sharing s = {.stage = stage, .axes = choosing_axis(scratch, stage)};
    for (size_t i = 0; i < count; i++) {
        const struct tile_needs *own = reader_needs[i];
        if (own->memory)
            return;
        const struct stage *other = own->shared ? own->root : reader[i];
        if (root && root != other)
            return;
        root = other;
        inner = own->shared ? own->shared : own->inner;
        s.reader = reader[i];
        s.axes = lesser(s.axes, lesser(choosing_axis(scratch, reader[i]),
                                       equal_axes(stage, needs, reader[i], own)));
        stage_nodes(reader[i], scratch, note_own_coordinates, &s);
    }
    if (s.axes == 0 || s.axes < inner || needs->memory)
        return;
    needs->shared = inner ? inner : s.axes;
    needs->root = root;
}
