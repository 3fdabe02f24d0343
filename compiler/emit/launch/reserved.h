/* Names that emitted code cannot have, by language: reserved.def. */
#ifndef FLTC_EMIT_RESERVED_H
#define FLTC_EMIT_RESERVED_H

#include <stdbool.h>

/* What a name is given to. Each role takes no name that the roles before it cannot have. */
enum name_role {
    ROLE_MEMBER, /* of a structure, or a net of a circuit */
    ROLE_LOCAL,  /* a parameter, a variable of a function */
    ROLE_GLOBAL  /* a function, a table, what else stands outside of functions */
};

/* As sets. CUDA, OPENCL and HLS: what they have beside the words of C. */
enum {
    LANGUAGE_C = 1,
    LANGUAGE_CUDA = 2,
    LANGUAGE_OPENCL = 4,
    LANGUAGE_HLS = 8,
    LANGUAGE_VERILOG = 16
};

bool name_is_reserved(const char *name, enum name_role role, unsigned languages);
/* Whether it is one of the words themselves, not only of a family such as M_*. */
bool name_is_word(const char *name, enum name_role role, unsigned languages);

#endif
