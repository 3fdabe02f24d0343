/* Lowering of a graph to loops: what its parts know of each other. lower_memory.c: the buffer of
 * each stage. lower_samples.c: one sample of each. passes/lower_to_loops.c: kernels, and the loops
 * around them. */
#ifndef FLTC_LOOP_LOWER_LOWERING_H
#define FLTC_LOOP_LOWER_LOWERING_H

#include "loop/lines/line_nest.h"
#include "loop/lower/particle_layout.h"
#include "loop/lower/tile_boxes.h"
#include "loop_pass.h"

/* Roots of unity, and more, by which lines of a transform are computed. */
struct shared_table {
    enum transform kind;
    enum transform_norm norm;
    enum scalar element;
    const struct expr *extent; /* of the lines */
    buffer_id table;
};

/* Memory of a stage that says where particles are. */
struct structure_memory {
    buffer_id cells, count;  /* a struct flt_apr, and how many particles it has */
    const struct expr *most; /* particles that there can be */
};

/* The window of the stage at hand: reads of its source become reads of this. */
struct window_memory {
    const struct stage *source;
    buffer_id window;
    const struct expr *row, *cell; /* VARIABLE_INDEX: of the cell among those of a call */
};

struct lowering {
    const struct graph *in;
    struct pass_context *context;
    struct program *out;
    buffer_id *buffer;              /* by stage */
    struct tile_group *group;       /* by stage: of a sink, the stages computed in its tiles */
    struct line_group *lines;       /* the same, where the tiles are whole lines */
    const struct line_group **line; /* by stage: the lines that have memory for it; NULL: none */
    const struct stage *stage;      /* at hand */
    struct expr_rewriter naming;    /* extents → their names */
    struct hash_map named;          /* extent → its variable */
    VECTOR(struct shared_table) tables;
    struct statement_items preparing; /* kernels that fill them, before all others */
    struct particle_layout particles;
    buffer_id *packed;                  /* by stage on particles: a sample of each */
    struct structure_memory *structure; /* by stage that is one */
    const struct expr *particle;        /* of the loop at hand: the place in these; NULL: pixels */
    const struct window_memory *around; /* of the stage at hand; NULL: it has no window */
};

/* ---- lower_memory.c ---- */

/* A rule of l->naming: an extent that has a name is called so. */
const struct expr *lowering_name_extent(const struct expr *node, void *user);
/* The lines that have memory for the stage; NULL: none. */
static inline const struct line_group *lowering_lines_of(const struct lowering *l,
                                                         const struct stage *stage)
{
    return l->line[stage->id.index];
}
/* Gives the stage its buffer. */
void lowering_add_buffer(struct lowering *l, const struct stage *stage);
/* By name, if that is worth one: the extent of the stage's box; any value of the call. */
const struct expr *lowering_extent(struct lowering *l, const struct stage *stage, unsigned axis);
const struct expr *lowering_named(struct lowering *l, const struct expr *value,
                                  const struct symbol *name);
/* The parts of joined stages lie in the memory of these. */
void lowering_place_parts(struct lowering *l);
/* The axes of the stage that its buffer has, which may hold lines one place after the other.
 * Returns how many. */
unsigned lowering_place(const struct lowering *l, const struct stage *stage, unsigned axis[]);

/* ---- lower_samples.c ---- */

/* Stages that are computed in one kernel, in order. */
struct lowered {
    const struct buffer **buffer;
    const struct statement **body; /* a sample of each */
};
struct lowered lowering_members(struct lowering *l, size_t count,
                                const struct stage *const stage[]);
/* A sample of the stage: names for parts of its value, then a store to its buffer. */
const struct statement *lowering_sample(struct lowering *l, const struct stage *stage);
/* A value of the stage at hand, which depends on none of its coordinates. */
const struct expr *lowering_value(struct lowering *l, const struct expr *value);
/* To a buffer that is not the stage's own. */
const struct statement *lowering_sample_to(struct lowering *l, const struct stage *stage,
                                           buffer_id to);
/* Of a scatter: one step, the value stored at the target, where the condition holds. */
const struct statement *lowering_step(struct lowering *l, const struct stage *stage);
/* Of a scatter: all steps in index order, with their loops. */
const struct statement *lowering_steps(struct lowering *l, const struct stage *stage);

#endif
