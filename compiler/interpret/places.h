/* Reads and writes at places that values of samples choose. Where few numbers are possible, each of
 * them is tried: the result is chosen among what stands at all these places. */
#ifndef FLTC_INTERPRET_PLACES_H
#define FLTC_INTERPRET_PLACES_H

#include "interpret/tape.h"

/* What decides about an index: the deepest part of it that the rest follows from, and that has few
 * values. */
struct chooser {
    const struct expr *part;
    int64_t least, greatest;
};

/* False: indices do not depend on samples; or what they depend on has too many values, so that they
 * are taken as they are, which covers no others. */
bool find_chooser(struct terms *terms, unsigned rank, const struct value index[],
                  struct chooser *chooser);
/* The indices where the chooser has that value. Whether these are their numbers now. */
bool chosen_places(struct terms *terms, const struct chooser *chooser, int64_t value, unsigned rank,
                   const struct value index[], struct value chosen[]);
/* Chooser = value, a truth. */
struct value chooser_is(struct terms *terms, const struct chooser *chooser, int64_t value,
                        bool is_now);

/* The sample that a load of such indices gives, by the evaluator's load and box. */
struct value load_chosen(struct evaluator *evaluator, const struct expr *node,
                         const struct value index[]);

#endif
