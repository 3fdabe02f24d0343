#include "loop/particle_calls.h"

#define GIVEN(name, parameter, scalar)                                                             \
    {                                                                                              \
        name, parameter, SCALAR_##scalar, false, SIZE_UNTOLD, false                                \
    }
#define MADE(name, parameter, scalar)                                                              \
    {                                                                                              \
        name, parameter, SCALAR_##scalar, true, SIZE_UNTOLD, false                                 \
    }
#define SIZED(name, parameter)                                                                     \
    {                                                                                              \
        name, parameter, SCALAR_COUNT, false, SIZE_OF_EACH, false                                  \
    }
#define ANY_MADE(name, parameter)                                                                  \
    {                                                                                              \
        name, parameter, SCALAR_COUNT, true, SIZE_UNTOLD, false                                    \
    }
#define STRUCTURE                                                                                  \
    {                                                                                              \
        "structure", "const struct flt_apr *apr", SCALAR_U8, false, SIZE_UNTOLD, true              \
    }
#define NEW_STRUCTURE                                                                              \
    {                                                                                              \
        "structure", "struct flt_apr *apr", SCALAR_U8, true, SIZE_OF_ALL, true                     \
    }
#define ROOM                                                                                       \
    {                                                                                              \
        "room", "void *room", SCALAR_U8, true, SIZE_OF_ALL, false                                  \
    }

const struct particle_call_info particle_call_info[PARTICLE_CALLS] = {
#define PARTICLE_CALL(name, text, function, extents, threads, count, ...)                          \
    [PARTICLES_##name] = {text, function, extents, threads, count, {__VA_ARGS__}},
#include "loop/particle_calls.def"
#undef PARTICLE_CALL
};
