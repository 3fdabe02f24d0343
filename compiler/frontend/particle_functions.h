/* What the files of functions on adaptive images share. */
#ifndef FLTC_FRONTEND_PARTICLE_FUNCTIONS_H
#define FLTC_FRONTEND_PARTICLE_FUNCTIONS_H

#include "frontend/particles.h"

/* A call, and what it is given. */
struct particle_request {
    struct elaborator *el;
    const struct ast *node;
    const struct particle_function *function;
    struct image_view image; /* the first argument; then the result */
    const struct expr *setting[PARTICLE_SETTINGS];
    struct image_view guide[PARTICLE_GUIDES]; /* of to_apr() */
    const struct stage *like;                 /* of sample(): an adaptive image */
    const struct ast *coarser; /* of to_pixels(): levels below the finest; NULL: none */
    const struct ast *nodes;   /* what stands for finer particles there; NULL: their mean */
    const struct symbol *axis; /* of position() */
};

struct particle_function {
    const char *name, *usage;
    bool may_be_defined; /* as something else, by a program */
    /* an argument behind the image; NULL: there is none */
    bool (*read)(struct particle_request *r, struct stage_context *context,
                 const struct ast *given);
    /* false after a message */
    bool (*add)(struct particle_request *r, const struct instance *instance,
                const struct symbol *name);
};

/* E0303 on an argument of the call. */
struct diagnostic *report_particle_argument(const struct particle_request *r, struct span span,
                                            const char *takes, const char *given);
/* The structure of the first argument; NULL after a message that it is no adaptive image. */
const struct stage *adaptive_argument(const struct particle_request *r);

/* particle_pixels.c: pixels of particles. */
bool read_pixels_argument(struct particle_request *r, struct stage_context *context,
                          const struct ast *given);
bool add_particle_pixels(struct particle_request *r, const struct instance *instance,
                         const struct symbol *name);
bool add_begins(struct particle_request *r, const struct instance *instance,
                const struct symbol *name);
bool read_position_argument(struct particle_request *r, struct stage_context *context,
                            const struct ast *given);
bool add_position(struct particle_request *r, const struct instance *instance,
                  const struct symbol *name);

#endif
