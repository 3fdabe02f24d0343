#include "graph/placement/beside.h"

#include "analysis/reads.h"
#include "analysis/reductions.h"
#include "expr/affine.h"
#include "graph/placement/choose.h"

enum { MOST_ROWS = 16 }; /* that a sample reads: a thread keeps several samples of each */

struct read_search {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct expr *variable;       /* along rows */
    VECTOR(const struct expr *) loads; /* one of each row */
    int64_t rows;
    bool beside;
};

/* Terms of the reductions around a read, by variables that the index names: they are written out
 * one by one. MOST_UNROLLED_TERMS + 1: there are too many for that. */
static int64_t terms_of(const struct read_search *search, unsigned count,
                        const struct span_bound bound[], const struct expr *index)
{
    int64_t terms = 1;
    for (unsigned i = 0; i < count && terms <= MOST_UNROLLED_TERMS; i++) {
        const struct expr *extent = region_sum(search->pool, bound[i].end, bound[i].first, -1);
        if (index && !expr_contains(search->scratch, index, bound[i].variable))
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
    if (!expr_contains(search->scratch, index, search->variable))
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

static bool is_of_known_row(const struct read_search *search, const struct expr *load)
{
    bool known = false;
    for (size_t i = 0; i < search->loads.count && !known; i++) {
        const struct expr *other = search->loads.item[i];
        known = other->as.load.source == load->as.load.source;
        for (unsigned k = 0; k + 1 < load->count && known; k++)
            known = other->operand[k] == load->operand[k];
    }
    return known;
}

static void search_read(const struct expr *load, unsigned count, const struct span_bound bound[],
                        void *user)
{
    struct read_search *search = user;
    int64_t rows = 1;
    search->beside = search->beside && terms_of(search, count, bound, NULL) <= MOST_UNROLLED_TERMS;
    for (unsigned k = 0; k < load->count && search->beside; k++) {
        const bool along_rows = k + 1 == load->count;
        search->beside = is_beside(search, load->operand[k], along_rows, count, bound);
        rows *= along_rows ? 1 : terms_of(search, count, bound, load->operand[k]);
    }
    if (!is_of_known_row(search, load))
        search->rows += rows;
    VECTOR_PUSH(search->scratch, &search->loads, load);
    search->beside = search->beside && search->rows <= MOST_ROWS;
}

int64_t samples_beside(const struct pass_context *context, const struct stage *stage)
{
    if (stage->rank == 0 || !stage_is_per_sample(stage))
        return 1;
    struct read_search search = {.pool = context->pool,
                                 .scratch = context->scratch,
                                 .variable = stage->axis[stage->rank - 1].variable,
                                 .beside = true};
    reads_visit(context->pool, context->scratch, stage->value, 0, NULL, search_read, &search);
    return search.beside || context->random_schedule
               ? choose_power(context, stage->id.index, CHOICE_BESIDE, 1, CHOICE_MOST)
               : 1;
}
