/* The terms of emitted text that runs: what calls.h asks for, and what became of it. */
#ifndef FLTC_TESTS_TERMS_MAKE_TERMS_H
#define FLTC_TESTS_TERMS_MAKE_TERMS_H

#include "calls.h"
#include "interpret/terms.h"

/* Terms are made among these from now on. */
void make_terms_among(struct terms *terms);

/* What kept the terms of a run from saying all that the text does. */
struct terms_notes {
    unsigned assumed; /* numbers that an index or a condition took of samples */
    const struct expr *first_assumed;
    unsigned opaque;        /* operations that have no term */
    const char *why_opaque; /* of the first one */
    unsigned unwritten;     /* values that were read and never stored */
    unsigned punned;        /* that were stored as another type */
};
extern struct terms_notes terms_notes;

enum scalar cpp_scalar(enum cpp_type type);

#endif
