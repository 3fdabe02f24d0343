/* Mistakes that a program is likely to have where its constructs are in order one by one. Each
 * function reports with the cure. */
#ifndef FLTC_FRONTEND_MISTAKES_H
#define FLTC_FRONTEND_MISTAKES_H

#include "frontend/elaborator.h"

/* sum[d in -1 .. 1], of which the term is missing; node: the INDEX. False: it is no such thing. */
bool report_missing_term(struct elaborator *el, const struct stage_context *context,
                         const struct ast *node);

/* `for y in 0 ..< in.y { out[y, x] = in[y, x]; }`: a loop whose variable is the coordinate of a
 * stage that is defined in it. False: the loop is something else, and nothing is reported. */
bool report_loop_over_samples(struct elaborator *el, const struct instance *instance,
                              struct scope *scope, const struct ast *loop);

/* Whether an end of the range, a RANGE, is made of extents such as in.y. */
bool range_has_extent(const struct ast *range);

/* The rule of a BORDERED node that stands behind no read and no call of a filter. The reads from
 * `first_read` on were made by what it stands behind. */
void report_rule_of_no_read(struct elaborator *el, const struct stage_context *context,
                            const struct ast *node, size_t first_read);

/* kernel_warning.c: of a call that is repeated along an axis of an image and of a kernel. */
void warn_of_mapped_kernel(struct elaborator *el, const struct instance *instance,
                           const struct ast *call);

#endif
