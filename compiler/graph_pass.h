/* Passes over graphs, and what every pass gets besides its input. A pass returns its output, never
 * edits its input, never prints, never calls another pass. */
#ifndef FLTC_GRAPH_PASS_H
#define FLTC_GRAPH_PASS_H

#include "graph/remarks.h"
#include "session.h"
#include "target/target.h"

struct choices;
struct pass_context {
    struct session *session;
    struct arena *output;  /* the result lives here */
    struct arena *scratch; /* released after the pass */
    struct expr_pool *pool;
    const struct target *target;
    uint64_t random_schedule;      /* 0: the cheapest; else any that is legal, by this seed */
    const struct choices *choices; /* that are pinned, of graph/placement/choose.h; NULL: none */
    struct remarks remarks;        /* in the session's permanent arena */
};

/* Notes why the pass does not obey a detail of the stage's schedule, if that gives it, or does not
 * place the stage as a schedule may ask (enum remark_subject). The first reason counts; none does
 * where a pass obeys. */
void decline(struct pass_context *context, const struct stage *stage, unsigned subject,
             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same of a stage that is known by its name alone; the reason is a constant. */
void decline_named(struct pass_context *context, const struct symbol *stage, struct span span,
                   unsigned subject, const char *reason);
/* The same of all that a schedule may ask of the stage. */
void decline_all(struct pass_context *context, const struct stage *stage, const char *reason);

#define PASS_GRAPH_GRAPH(name)                                                                     \
    const struct graph *name(const struct graph *in, struct pass_context *context);
#include "passes.def"

#endif
