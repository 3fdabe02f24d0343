/* Reads and writes at places that values of samples choose. Where few numbers are possible, each of
 * them is tried: the result is chosen among what stands at all these places. */
#ifndef FLTC_INTERPRET_PLACES_H
#define FLTC_INTERPRET_PLACES_H

#include "interpret/tape.h"

/* The sample that a load of such indices gives, by the evaluator's load and box. */
struct value load_chosen(struct evaluator *evaluator, const struct expr *node,
                         const struct value index[]);
/* A store at a place that samples choose, or that they decide about: taken, a truth. Calls store
 * for each place that may be the target, with the truth that it is and that the store is made;
 * there, what is evaluated is what it is then. Where the truth is no more than a term, store may be
 * given a place outside. False: store has returned false. */
bool store_chosen(struct evaluator *evaluator, unsigned rank, const struct value target[],
                  struct value taken,
                  bool (*store)(int64_t index[], struct value taken, void *context), void *context);

#endif
