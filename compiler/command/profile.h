/* What a run takes: the time of each stage, and of what stands around them. */
#ifndef FLTC_COMMAND_PROFILE_H
#define FLTC_COMMAND_PROFILE_H

#include "session.h"

struct profile {
    bool active;
    struct arena *arena;
    VECTOR(struct profile_row {
        const char *name; /* of a stage */
        double seconds;
        double bytes;
        /* the stage whose tiles it is computed in, and whose time it is part of; or NULL */
        const char *within;
    })
    stages; /* in the order of their first run */
    VECTOR(struct profile_particles {
        const char *name; /* of the stage that says where they are */
        double count;
        double pixels;
    })
    particles;
    double reading, compiling, running, writing; /* seconds */
};

double profile_now(void); /* seconds since some moment */
/* Time of a stage, and bytes that it stored; negative: not known. */
void profile_add(struct profile *profile, const char *name, double seconds, double bytes);
/* Particles that a stage has placed; those of its last run count. */
void profile_add_particles(struct profile *profile, const char *name, double count, double pixels);
/* A stage that is computed in tiles of another one. */
void profile_add_within(struct profile *profile, const char *name, const char *within);
/* The table, on standard error. */
void profile_print(const struct profile *profile, const char *filter);

#endif
