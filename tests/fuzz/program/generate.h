/* Seed → a random program that the language accepts, as a syntax tree without places in a
 * source. */
#ifndef FLTC_FUZZ_GENERATE_H
#define FLTC_FUZZ_GENERATE_H

#include "frontend/ast.h"
#include "session.h"

/* What each program has, besides all that a seed may give it. */
enum favourite { FAVOURS_NOTHING, FAVOURS_TRANSFORMS, FAVOURS_FIXED_POINT, FAVOURS_PARTICLES };

/* The module's last filter is the one to compile; it is named fuzz<suffix>. Lives in
 * session->permanent. */
const struct module *generate_module(struct session *session, uint64_t seed,
                                     enum favourite favourite, const char *suffix);

#endif
