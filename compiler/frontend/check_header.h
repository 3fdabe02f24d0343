/* C headers: where one is, and whether it declares a function as the program does. */
#ifndef FLTC_FRONTEND_CHECK_HEADER_H
#define FLTC_FRONTEND_CHECK_HEADER_H

#include "expr/expr.h"
#include "session.h"

enum header_verdict {
    HEADER_AGREES,
    HEADER_DOES_NOT_COMPILE, /* text: the compiler's first error, with its place */
    HEADER_LACKS_FUNCTION,
    HEADER_DIFFERS,  /* text: the declaration, with its place */
    HEADER_NO_CLANG, /* there is no libclang to read it with */
};

struct header_answer {
    enum header_verdict verdict;
    const char *text;
    /* DIFFERS: what the program would declare; its count is 0 where it cannot. */
    struct external declared;
};

/* The header's path: beside the module, else in the folders of --include. NULL: it is not there. */
const char *header_find(struct session *session, const char *module, const char *header);
/* path: as header_find gives it. By libclang, which is loaded here and nowhere else, in a process
 * of its own: a header that takes more than 10 seconds or 1 GiB does not compile, and no further
 * one is read, as after a minute in all. Nothing of it is run. */
struct header_answer header_check(struct session *session, const char *path,
                                  const struct external *function);

#endif
