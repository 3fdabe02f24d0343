/* Cures for what other languages and libraries call otherwise. */
#ifndef FLTC_FRONTEND_FOREIGN_H
#define FLTC_FRONTEND_FOREIGN_H

#include "frontend/elaborator.h"

/* Adds what is written here for the name, if anything is known: a function, a filter of the library
 * and its import, a reduction over ranges. call: in which the name stands, with its arguments;
 * NULL: it is a value, as pi. base: the image before the point of in.max(), or NULL. */
bool help_foreign(struct elaborator *el, const struct stage_context *context, struct diagnostic *d,
                  const char *name, const struct ast *call, const struct ast *base);
/* The same of a reduction of a whole image or along some of its axes alone. */
bool help_whole(struct elaborator *el, const struct stage_context *context, struct diagnostic *d,
                const char *name, const struct ast *call, const struct ast *base);
/* The misplaced argument of a reduction that is called as elsewhere: max(in, axis = z),
 * min(in, [y]), sum(in, 0). NULL: there is none. */
const struct ast *axis_argument(const struct stage_context *context, const struct ast *call);
/* A name is not declared, and is one of another language. */
bool help_foreign_value(struct elaborator *el, struct diagnostic *d, const char *name);
bool is_foreign_value(const char *name);

#endif
