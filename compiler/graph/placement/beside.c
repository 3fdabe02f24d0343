#include "graph/placement/beside.h"

#include "analysis/cost.h"
#include "analysis/reads.h"
#include "analysis/reductions.h"
#include "expr/affine.h"
#include "graph/placement/choose.h"

#include <math.h>

struct read_search {
    const struct pass_context *context;
    const struct expr *variable;       /* along rows */
    VECTOR(const struct expr *) loads; /* one of each row */
    int64_t rows, most_rows;
    bool beside;
};

/* Terms of the reductions around a read, by variables that the index names: they are written out
 * one by one. MOST_UNROLLED_TERMS + 1: there are too many for that. */
static int64_t terms_of(const struct pass_context *context, unsigned count,
                        const struct span_bound bound[], const struct expr *index)
{
    int64_t terms = 1;
    for (unsigned i = 0; i < count && terms <= MOST_UNROLLED_TERMS; i++) {
        const struct expr *extent = region_sum(context->pool, bound[i].end, bound[i].first, -1);
        if (index && !expr_contains(context->scratch, index, bound[i].variable))
            continue;
        terms *= extent->kind == EXPR_INTEGER && extent->as.integer < MOST_UNROLLED_TERMS
                     ? extent->as.integer
                     : MOST_UNROLLED_TERMS + 1;
    }
    return terms;
}

/* Along rows, of the same place or one at a constant distance; not along another axis. Where memory
 * says which sample is read, these are apart, but a few do no harm. */
static bool is_beside(const struct read_search *search, const struct expr *index, bool along_rows,
                      unsigned count, const struct span_bound bound[])
{
    if (!expr_contains(search->context->scratch, index, search->variable))
        return true;
    if (index->holds & HOLDS_LOAD)
        return count == 0;
    const struct affine form = affine_from(index);
    struct affine rest = affine_without(form, search->variable);
    for (unsigned i = 0; i < count && rest.exact; i++)
        rest = affine_without(rest, bound[i].variable);
    return along_rows && form.exact && rest.count == 0 &&
           affine_coefficient(&form, search->variable) == 1;
}

static bool is_of_same_row(const struct expr *load, const struct expr *other)
{
    bool same = other->as.load.source == load->as.load.source;
    for (unsigned k = 0; k + 1 < load->count && same; k++)
        same = other->operand[k] == load->operand[k];
    return same;
}

static bool is_of_known_row(const struct read_search *search, const struct expr *load)
{
    bool known = false;
    for (size_t i = 0; i < search->loads.count && !known; i++)
        known = is_of_same_row(load, search->loads.item[i]);
    return known;
}

/* How far places that an index takes lie from the variable, from the least to the end; false: not
 * at constant distances. */
static bool distances_of(struct expr_pool *pool, const struct expr *index,
                         const struct expr *variable, unsigned count,
                         const struct span_bound bound[], int64_t *least, int64_t *end)
{
    const struct expr *first_place, *end_place;
    if (!region_of_index(pool, index, count, bound, &first_place, &end_place))
        return false;
    const struct affine low = affine_sum(affine_from(first_place), affine_from(variable), -1);
    const struct affine high = affine_sum(affine_from(end_place), affine_from(variable), -1);
    *least = low.constant;
    *end = high.constant;
    return low.exact && high.exact && !low.count && !high.count;
}

static void search_read(const struct expr *load, unsigned count, const struct span_bound bound[],
                        void *user)
{
    struct read_search *search = user;
    int64_t rows = 1;
    search->beside =
        search->beside && terms_of(search->context, count, bound, NULL) <= MOST_UNROLLED_TERMS;
    for (unsigned k = 0; k < load->count && search->beside; k++) {
        const bool along_rows = k + 1 == load->count;
        search->beside = is_beside(search, load->operand[k], along_rows, count, bound);
        rows *= along_rows ? 1 : terms_of(search->context, count, bound, load->operand[k]);
    }
    if (!is_of_known_row(search, load))
        search->rows += rows;
    VECTOR_PUSH(search->context->scratch, &search->loads, load);
    search->beside = search->beside && search->rows <= search->most_rows;
}

int64_t samples_beside(const struct pass_context *context, const struct stage *stage)
{
    if (stage->rank == 0 || !stage_is_per_sample(stage))
        return 1;
    struct read_search search = {.context = context,
                                 .variable = stage->axis[stage->rank - 1].variable,
                                 .most_rows = choice_value(context, CHOICE_BESIDE_ROWS),
                                 .beside = true};
    reads_visit(context->pool, context->scratch, stage->value, 0, NULL, search_read, &search);
    return search.beside || context->random_schedule
               ? choose_power(context, stage->id.index, CHOICE_BESIDE, 1, CHOICE_MOST)
               : 1;
}

/* ---- What a sample costs ---- */

/* Places along rows that lie apart from the sample's own. */
struct row_read {
    const struct expr *load; /* the first one */
    int64_t rows, least, greatest;
    int64_t apart; /* reads that are not at constant distances */
};

struct row_search {
    const struct pass_context *context;
    const struct expr *variable;
    VECTOR(struct row_read) reads;
};

static struct row_read *row_read_of(struct row_search *search, const struct expr *load)
{
    for (size_t i = 0; i < search->reads.count; i++)
        if (is_of_same_row(load, search->reads.item[i].load))
            return &search->reads.item[i];
    VECTOR_PUSH(search->context->scratch, &search->reads,
                (struct row_read){load, 0, INT64_MAX, INT64_MIN, 0});
    return &search->reads.item[search->reads.count - 1];
}

static void note_row(const struct expr *load, unsigned count, const struct span_bound bound[],
                     void *user)
{
    struct row_search *search = user;
    struct row_read *read = row_read_of(search, load);
    int64_t rows = 1, least, end;
    if (load->count == 0)
        return;
    for (unsigned k = 0; k + 1 < load->count; k++)
        rows *= terms_of(search->context, count, bound, load->operand[k]);
    read->rows = rows > read->rows ? rows : read->rows;
    if (!distances_of(search->context->pool, load->operand[load->count - 1], search->variable,
                      count, bound, &least, &end)) {
        read->apart += terms_of(search->context, count, bound, NULL);
        return;
    }
    read->least = read->least < least ? read->least : least;
    read->greatest = read->greatest > end ? read->greatest : end;
}

double cost_of_sample_beside(const struct pass_context *context, const struct stage *stage,
                             int64_t beside, int64_t load)
{
    enum { WORD = 4 };
    struct row_search search = {.context = context,
                                .variable = stage->axis[stage->rank - 1].variable};
    double words = 0;
    reads_visit(context->pool, context->scratch, stage->value, 0, NULL, note_row, &search);
    for (size_t i = 0; i < search.reads.count; i++) {
        const struct row_read *read = &search.reads.item[i];
        const double bytes = scalar_info[read->load->scalar].bytes;
        const double places =
            read->greatest > read->least ? (double)(read->greatest - read->least + beside - 1) : 0;
        words +=
            (double)read->rows * ceil(places * bytes / WORD) / (double)beside + (double)read->apart;
    }
    return (double)cost_with_loads(context->scratch, stage->value, 0) + (double)load * words;
}

/* ---- Along other axes ---- */

/* Places along the axis that reads of one stage lie apart. */
struct spread {
    const struct expr *load; /* the first one */
    int64_t least, greatest;
};

struct spread_search {
    const struct pass_context *context;
    const struct expr *variable;
    VECTOR(struct spread) spreads;
    int64_t widest, terms; /* terms: all that a sample reads */
};

static struct spread *spread_of(struct spread_search *search, const struct expr *load)
{
    for (size_t i = 0; i < search->spreads.count; i++)
        if (search->spreads.item[i].load->as.load.source == load->as.load.source)
            return &search->spreads.item[i];
    VECTOR_PUSH(search->context->scratch, &search->spreads,
                (struct spread){load, INT64_MAX, INT64_MIN});
    return &search->spreads.item[search->spreads.count - 1];
}

static void note_spread(const struct expr *load, unsigned count, const struct span_bound bound[],
                        void *user)
{
    struct spread_search *search = user;
    struct spread *w = spread_of(search, load);
    const int64_t terms = terms_of(search->context, count, bound, NULL);
    search->terms += terms;
    for (unsigned k = 0; k < load->count; k++) {
        int64_t least, end;
        if (!distances_of(search->context->pool, load->operand[k], search->variable, count, bound,
                          &least, &end))
            continue;
        w->least = w->least < least ? w->least : least;
        w->greatest = w->greatest > end ? w->greatest : end;
        if (w->greatest - w->least > search->widest)
            search->widest = w->greatest - w->least;
    }
}

/* kept: samples at most that a thread keeps. */
static int64_t most_together(const struct pass_context *context, const struct stage *stage,
                             unsigned axis, int64_t beside, int64_t kept)
{
    struct spread_search search = {.context = context, .variable = stage->axis[axis].variable};
    int64_t together = choose(context, stage->id.index, CHOICE_ROWS, 1, CHOICE_MOST);
    reads_visit(context->pool, context->scratch, stage->value, 0, NULL, note_spread, &search);
    if (context->random_schedule)
        return together;
    if (search.widest < choice_value(context, CHOICE_ROWS_WINDOW))
        return 1;
    while (together > 1 &&
           beside * search.terms * (search.widest + together - 1) > kept * search.widest)
        together--;
    return together;
}

int64_t samples_together(const struct pass_context *context, const struct stage *stage,
                         unsigned axis, int64_t beside)
{
    return most_together(context, stage, axis, beside, choice_value(context, CHOICE_BESIDE_KEPT));
}

int64_t samples_together_in_tile(const struct pass_context *context, const struct stage *stage,
                                 unsigned axis, int64_t beside, int64_t extent, int64_t threads)
{
    const int64_t kept = choice_value(context, CHOICE_BESIDE_KEPT_IN_TILE);
    const int64_t most = most_together(context, stage, axis, beside, kept);
    const int64_t load = machine_load_cost(target_machine(context->target));
    const int64_t operations = cost_with_loads(context->scratch, stage->value, 0),
                  all = cost_with_loads(context->scratch, stage->value, load);
    int64_t best = 1, cheapest = INT64_MAX;
    if (context->random_schedule)
        return most;
    for (int64_t rows = 1; rows <= most; rows++) {
        const int64_t parts = (extent + threads * rows - 1) / (threads * rows);
        const int64_t cost = parts * (rows * operations + (all - operations));
        if (cost < cheapest) {
            best = rows;
            cheapest = cost;
        }
    }
    return best;
}
