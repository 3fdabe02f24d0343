/* What the text of a program adds to the interface of a filter. */
#ifndef FLTC_DRIVER_INTERFACE_H
#define FLTC_DRIVER_INTERFACE_H

#include "driver/origin.h"

/* filter: NULL, of a .graph or .loop file, whose text has no constants and no type variables. */
struct interface_given interface_given(struct session *session, const struct module_set *modules,
                                       const struct ast *filter, const struct origin *origin);

/* The graph with the first paragraph of the comment above the filter as its text. */
const struct graph *interface_described(struct session *session, const struct module_set *modules,
                                        const struct ast *filter, const struct graph *graph);

#endif
