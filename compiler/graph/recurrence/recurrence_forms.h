/* The forms that the program wants of linear recurrences with constant coefficients. For the pass
 * realise_recurrences, which makes their stages. */
#ifndef FLTC_GRAPH_RECURRENCE_RECURRENCE_FORMS_H
#define FLTC_GRAPH_RECURRENCE_RECURRENCE_FORMS_H

#include "graph/readers.h"
#include "graph/recurrence/sections.h"
#include "graph_pass.h"

/* u of the filter is what enters the first stage that was folded. */
struct recurrence_form {
    const struct stage *stage; /* whose place it takes */
    const struct stage *first; /* that reads what enters */
    const struct expr *enters; /* NULL: nothing */
    const struct expr *load;   /* a read of itself */
    struct linear_filter filter;
    /* direct: the filters as they stand in the program, the last one first, and the stages of those
     * before it */
    VECTOR(struct linear_filter) written;
    VECTOR(uint32_t) folded;
    enum realisation wanted;
    size_t count;
    struct linear_filter section[SECTIONS_MOST];
    uint32_t made[SECTIONS_MOST]; /* in parallel: their stages */
};

struct recurrence_forms {
    const struct graph *in;
    struct pass_context *context;
    const struct stage_readers *readers;
    struct recurrence_form **form; /* by stage: that it takes; NULL: it stays */
    bool *folded;                  /* by stage: into another one */
    bool *obeyed;                  /* by stage: what it says of a form */
};

struct recurrence_forms recurrence_forms_of(const struct graph *in, struct pass_context *context);

#endif
