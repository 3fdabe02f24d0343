/* The textual form of loop programs, described in LOOP.md. Printing what was read gives the same
 * text. */
#ifndef FLTC_LOOP_LOOP_TEXT_H
#define FLTC_LOOP_LOOP_TEXT_H

#include "loop/loop.h"
#include "session.h"

void program_print(const struct program *program, struct text *text);
/* NULL after a mistake, which is reported at its place (E0120). The program is in session->ir and
 * session->pool; it is as the text says, and still to be verified. */
const struct program *program_read(struct session *session, const char *name, const char *text,
                                   size_t length);

#endif
