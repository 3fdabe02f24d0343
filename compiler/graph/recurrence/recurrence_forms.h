/* The forms that schedules ask for, for linear recurrences with constant coefficients. The pass
 * realise_recurrences makes their stages. */
#ifndef FLTC_GRAPH_RECURRENCE_RECURRENCE_FORMS_H
#define FLTC_GRAPH_RECURRENCE_RECURRENCE_FORMS_H

#include "graph/readers.h"
#include "graph/recurrence/sections.h"
#include "graph_pass.h"

/* The filter's input u is the input of the first folded stage. */
struct recurrence_form {
    const struct stage *stage; /* the stage that it replaces */
    const struct stage *first; /* that reads what enters */
    const struct expr *enters; /* NULL: nothing */
    const struct expr *load;   /* a read of itself */
    struct linear_filter filter;
    /* direct: the filters as written in the program, last one first; the stages of all but the
     * last */
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
    struct recurrence_form **form; /* by stage: its new form; NULL: it stays */
    bool *folded;                  /* by stage: folded into another one */
    bool *obeyed;                  /* by stage: its directive was obeyed */
};

struct recurrence_forms recurrence_forms_of(const struct graph *in, struct pass_context *context);

#endif
