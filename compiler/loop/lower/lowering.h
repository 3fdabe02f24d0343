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

/* Memory of a structure, the stage that says where particles are. */
struct structure_memory {
    buffer_id cells, count;  /* a struct flt_apr; its number of particles */
    const struct expr *most; /* the greatest possible number of particles */
};

/* The window of the current stage: reads of its source become reads of the window. */
struct window_memory {
    const struct stage *source;
    buffer_id window;
    const struct expr *row, *cell; /* VARIABLE_INDEX: of the cell among those of a call */
};

/* Where kernels are right that fold coordinates once (fold_once.h): such boxes are so wide. */
struct fold_box {
    const struct expr *extent;
    int64_t least;
};
struct folds {
    bool allowed;
    struct hash_map reach; /* read → int64_t by axis: how far outside it is */
    VECTOR(struct fold_box) boxes;
    struct expr_rewriter equal; /* extents */
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
    const struct expr *particle;        /* the index in these arrays in the current loop; NULL:
                                         * pixels */
    const struct window_memory *around; /* of the current stage; NULL: it has no window */
    struct folds folds;                 /* of the kernels at hand */
};

/* ---- lower_memory.c ---- */

/* A rule of l->naming: replaces an extent by its name, if it has one. */
const struct expr *lowering_name_extent(const struct expr *node, void *user);
/* The lines that have memory for the stage; NULL: none. */
static inline const struct line_group *lowering_lines_of(const struct lowering *l,
                                                         const struct stage *stage)
{
    return l->line[stage->id.index];
}
/* Gives the stage its buffer. */
void lowering_add_buffer(struct lowering *l, const struct stage *stage);
/* A value of the call, by name if that is worthwhile: the extent of the stage's box; any value. */
const struct expr *lowering_extent(struct lowering *l, const struct stage *stage, unsigned axis);
const struct expr *lowering_named(struct lowering *l, const struct expr *value,
                                  const struct symbol *name);
/* Places the parts of joined stages in the memory of these stages. */
void lowering_place_parts(struct lowering *l);
/* Stores the axes of the stage that its buffer has and returns their number. A buffer of lines may
 * hold one place at a time. */
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
/* A value of the current stage that does not depend on its coordinates. */
const struct expr *lowering_value(struct lowering *l, const struct expr *value);
/* The same, but stores to another buffer. */
const struct statement *lowering_sample_to(struct lowering *l, const struct stage *stage,
                                           buffer_id to);
/* One step of a scatter: stores the value at the target if the condition holds. */
const struct statement *lowering_step(struct lowering *l, const struct stage *stage);
/* The body for all steps of a scatter: threads share the axes that are on_grid, GRID_MOST_AXES at
 * most; of the others each takes all. */
const struct statement *lowering_steps_on_grid(struct lowering *l, const struct stage *stage,
                                               const bool on_grid[], const struct statement *body);
/* All steps of a scatter in index order, with their loops. */
const struct statement *lowering_steps(struct lowering *l, const struct stage *stage);

#endif
