/* Adaptive images, for the files that elaborate them and those that meet them. */
#ifndef FLTC_FRONTEND_PARTICLES_H
#define FLTC_FRONTEND_PARTICLES_H

#include "frontend/elaborator.h"

#include "flt/particles.h"

/* particle_functions.c: to_apr, to_pixels, sample, level, begins, position. */
bool is_particle_function(const char *name);
/* A program may define something else of that name. */
bool may_be_defined(const char *name);
struct image_view elaborate_particle_call(struct elaborator *el, struct instance *instance,
                                          struct scope *scope, const struct ast *call,
                                          const struct symbol *name);
/* elaborate_particles.c. */
/* Notes that the samples of a stage are constant in the cells of a structure. */
void note_on_particles(struct elaborator *el, const struct stage *stage,
                       const struct stage *structure);
/* Notes that a stage of the graph reads adaptive images, or complains of how it does. */
void note_particles(struct elaborator *el, const struct stage *stage);
bool is_adaptive(const struct elaborator *el, stage_id stage);
/* What a repeat carries has its values where it begins with them. */
void carry_particles(struct elaborator *el, stage_id carried, stage_id initial);
/* Whether what it becomes has them there, too, or a message says that it does not. */
bool keeps_particles(struct elaborator *el, const struct stage *carried, const struct stage *next,
                     struct span span);
/* The stage to_particles on whose cells the samples of another one are constant; NULL: there is
 * none. */
const struct stage *structure_of(const struct elaborator *el, const struct stage *stage);

/* Whether the stage reads the image where it has its own place, in the same box. */
bool is_at_own_place(const struct stage *stage, const struct stage *read, const struct expr *load);

/* particle_stages.c: what stages on particles are made of. */
/* The axes of a stage with its box, and its sample at their coordinates. */
struct stage_axis *axes_of_particles(struct elaborator *el, const struct stage *source);
const struct expr *sample_of_particle(struct elaborator *el, const struct stage *source,
                                      const struct stage_axis axis[]);
/* Whether axes of both have the same names. */
bool has_axes_of(const struct stage *a, const struct stage *b);
/* A map of the value over these axes, as many as `like` has. */
struct stage map_of_particles(const struct stage *like, const struct symbol *name, struct span span,
                              const struct stage_axis axis[], const struct expr *value);
/* The samples of a stage on particles as an image of pixels. */
stage_id add_pixels_of(struct elaborator *el, const struct instance *instance,
                       const struct stage *stage, const struct symbol *name, struct span span);

/* elaborate_around.c: a stage that is to be added, which reads and stores f32 where it reads
 * adaptive images around their particles; stages that convert are added before. */
struct stage elaborate_around(struct elaborator *el, const struct instance *instance,
                              struct stage stage);

/* elaborate_adaptive.c: adaptive images of signatures. */
/* Whether the type of an input or result is apr<...>. */
bool names_adaptive(const struct ast *formal);
/* Whether an adaptive image can be of the type, or a message says why not. */
bool may_be_adaptive(struct elaborator *el, struct span span, const struct filter_type *type);
/* Of the filter to compile: its adaptive inputs become values of particles; *position: of the next
 * image of the signature. False after a message. */
bool take_adaptive_inputs(struct elaborator *el, struct instance *instance, uint32_t *position);
/* As the program calls it. */
const char *adaptive_name(const struct elaborator *el, const struct stage *stage);
/* Whether the value of a result or the argument for an input is adaptive where that is; reports it
 * where it is not. */
bool suits_as_adaptive(struct elaborator *el, const struct ast *formal, struct image_view image,
                       struct span span);
/* Results of the filter to compile: each its values, then each structure its levels. */
struct adaptive_outputs { /* structures, and their images of levels: a VECTOR */
    struct adaptive_output {
        const struct stage *structure;
        const struct symbol *name;
    } * item;
    size_t count, capacity;
};
void add_adaptive_output(struct elaborator *el, const struct instance *instance, stage_id result,
                         const struct symbol *name, struct adaptive_outputs *all);
void add_level_outputs(struct elaborator *el, const struct instance *instance,
                       const struct adaptive_outputs *all);

/* particle_pixels.c: of images on the same particles, the first for those of the finest level, the
 * second for the level above …, the last for all that follow. */
struct image_view elaborate_by_level(struct elaborator *el, const struct instance *instance,
                                     size_t count, const struct image_view image[],
                                     const struct symbol *name, struct span span);

/* elaborate_cells.c: convolve(p, k) of an adaptive image. */
struct cell_convolution {
    const struct ast *call, *rule; /* rule: or NULL */
    struct image_view image, kernel;
    const struct symbol *const *along; /* by axis of the kernel: of the image */
    enum flt_apr_coarser coarser;
};
/* coarser = restricted, rescaled or same; images of pixels have no coarser levels. */
bool elaborate_coarser(struct elaborator *el, const struct ast *given,
                       enum flt_apr_coarser *coarser);
struct image_view elaborate_cell_convolution(struct elaborator *el, struct instance *instance,
                                             struct scope *scope, const struct cell_convolution *c,
                                             const struct symbol *name);

#endif
