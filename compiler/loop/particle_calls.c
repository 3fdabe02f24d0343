#include "loop/particle_calls.h"

#define ROOM                                                                                       \
    {                                                                                              \
        "room", "void *room", SCALAR_U8, true                                                      \
    }

const struct particle_call_info particle_call_info[PARTICLE_CALLS] = {
    [PARTICLES_LEVELS] = {"levels",
                          "flt_apr_levels",
                          4,
                          {{"pixels", "float *pixel", SCALAR_F32, true},
                           {"settings", "const float setting[]", SCALAR_F32, false},
                           {"levels", "uint8_t *level", SCALAR_U8, true},
                           ROOM}},
    [PARTICLES_GIVEN_LEVELS] = {"given_levels",
                                "flt_apr_given_levels",
                                2,
                                {{"levels", "uint8_t *level", SCALAR_U8, true}, ROOM}},
    [PARTICLES_MEANS] = {"means",
                         "flt_apr_means",
                         3,
                         {{"pixels", "float *pixel", SCALAR_F32, true},
                          {"levels", "const uint8_t *level", SCALAR_U8, false},
                          ROOM}},
    [PARTICLES_GIVEN_VALUES] = {"given_values",
                                "flt_apr_given_values",
                                3,
                                {{"pixels", "void *pixel, size_t each", SCALAR_COUNT, true},
                                 {"levels", "const uint8_t *level", SCALAR_U8, false},
                                 ROOM}},
    [PARTICLES_CONVOLVE] = {"convolve",
                            "flt_apr_convolve",
                            5,
                            {{"values", "float *value", SCALAR_F32, true},
                             {"levels", "const uint8_t *level", SCALAR_U8, false},
                             {"kernel", "const float kernel[]", SCALAR_F32, false},
                             {"form", "const int32_t form[]", SCALAR_I32, false},
                             ROOM}},
};
