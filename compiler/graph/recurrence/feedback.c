#include "graph/recurrence/feedback.h"

#include "graph/recurrence/line_reach.h"
#include "graph/recurrence/recurrence.h"

#include <math.h>

static bool is_self(const struct expr *load, void *user)
{
    const struct stage *stage = user;
    return load->as.load.source == stage->id.index;
}

bool feedback_of(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                 const struct stage *stage, struct feedback *feedback)
{
    struct linear_form form;
    *feedback = (struct feedback){.order = 0};
    if (stage->kind != STAGE_RECURRENCE || !scalar_is_float(stage->element) ||
        stage->as.recurrence.unbounded ||
        !line_reach_of(scratch, stage, stage, stage->as.recurrence.axis).beside ||
        !linear_form_of(graph, pool, scratch, stage->value, is_self, (void *)(uintptr_t)stage,
                        &form))
        return false;
    const unsigned along = stage->as.recurrence.axis;
    for (size_t i = 0; i < form.terms.count; i++) {
        const struct linear_term *term = &form.terms.item[i];
        const struct interval offset =
            recurrence_offset(term->load->operand[along], stage->axis[along].variable);
        const int64_t lag = offset.least < 0 ? -offset.least : offset.least;
        if (offset.least != offset.greatest || lag < 1 || lag > FEEDBACK_MOST_ORDER ||
            term->coefficient->kind != EXPR_REAL)
            return false;
        feedback->a[lag] += term->coefficient->as.real;
        feedback->order = lag > feedback->order ? lag : feedback->order;
    }
    return true;
}

/* The next sample without input; state[lag]: those before. */
static double step(const struct feedback *feedback, double state[])
{
    double next = 0;
    for (int64_t lag = feedback->order; lag > 0; lag--) {
        next += feedback->a[lag] * state[lag];
        if (lag < feedback->order)
            state[lag + 1] = state[lag];
    }
    state[1] = next;
    return next;
}

int64_t feedback_memory(const struct feedback *feedback, double part, int64_t most)
{
    int64_t memory = 1;
    for (int64_t start = 1; start <= feedback->order; start++) { /* each sample before alone */
        double state[FEEDBACK_MOST_ORDER + 1], greatest;
        int64_t n = 0;
        for (int64_t lag = 1; lag <= feedback->order; lag++)
            state[lag] = lag == start;
        do {
            step(feedback, state);
            greatest = 0;
            for (int64_t lag = 1; lag <= feedback->order; lag++)
                greatest = fabs(state[lag]) > greatest ? fabs(state[lag]) : greatest;
        } while (!(greatest <= part) && ++n < most); /* NaN is not rest */
        if (n >= most)
            return 0;
        memory = n + 1 > memory ? n + 1 : memory;
    }
    return memory;
}

double feedback_amplification(const struct feedback *feedback)
{
    enum { MOST = 1 << 12 };
    double state[FEEDBACK_MOST_ORDER + 1] = {0}, sum = 1, last = 0;
    state[1] = 1;
    for (int n = 0; n < MOST && feedback->order; n++) {
        const double next = fabs(step(feedback, state));
        sum += next;
        last = next > 0x1p-24 ? n : last;
    }
    return last < MOST - 2 * FEEDBACK_MOST_ORDER && isfinite(sum) ? sum : INFINITY;
}

double feedback_growth(const struct feedback *feedback, int64_t samples)
{
    double sum[FEEDBACK_MOST_ORDER + 1] = {0}, greatest = 0;
    for (int64_t start = 1; start <= feedback->order; start++) {
        double state[FEEDBACK_MOST_ORDER + 1] = {0};
        state[start] = 1;
        for (int64_t n = 0; n < samples; n++)
            step(feedback, state);
        for (int64_t lag = 1; lag <= feedback->order; lag++)
            sum[lag] += fabs(state[lag]);
    }
    for (int64_t lag = 1; lag <= feedback->order; lag++)
        greatest = fmax(greatest, sum[lag]);
    return greatest;
}

int64_t recurrence_memory(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                          const struct stage *stage)
{
    enum { MOST = 64 };
    struct feedback feedback;
    if (!feedback_of(graph, pool, scratch, stage, &feedback))
        return 0;
    const bool is_wide = stage->element == SCALAR_F64 && !stage->as.recurrence.narrow;
    const double half_ulp = is_wide ? 0x1p-54 : 0x1p-25;
    return feedback_memory(&feedback, half_ulp / (double)(feedback.order + 1), MOST);
}
