/* Lines computed behind those of a block of threads, of what the block has just computed. Lines
 * along the host's are of the same thread. Lines across them, along the fastest axis, of which the
 * block holds a segment in each of its segments, read that in shared memory:
 *     allocate kept[y.blocks.thread, y, x.thread] shared
 *     if (…) { … store kept …  store out.blocks[y.blocks, y, x] = … }   barrier
 *     if (x.block < … && …) { loop row.part { if (row < 32) { let y = 32 y.blocks + row  … kept[.., row, x - 32 x.block] … } } }
 * */
#ifndef FLTC_LOOP_LINES_GRID_BEHIND_H
#define FLTC_LOOP_LINES_GRID_BEHIND_H

#include "loop/lines/line_places.h"
#include "loop/lower/grid_nest.h"

/* What is computed behind: groups, with the buffers and one sample of each of their stages. */
struct grid_behind {
    const struct line_group *group;
    const struct buffer *const *buffer;
    const struct statement *const *body;
};
struct grid_all_behind {
    VECTOR(struct grid_behind) items;
};

/* Of a member that lines across read: its memory, [segments of the block, places, lanes]. */
void grid_memory_across(struct pass_context *context, const struct line_group *group,
                        const struct stage *member, struct buffer_axis axis[3]);
/* Segments that a block has where lines across read what they compute, so that this fits. */
int64_t grid_segments_across(const struct pass_context *context, const struct line_group *group);

/* The work of a thread with the lines along its own. axis: of the host's nest, its lanes and its
 * segments first. */
const struct statement *grid_add_beside(const struct lines *host, const struct grid_axis axis[],
                                        const struct grid_all_behind *behind,
                                        const struct statement *work);
/* What the threads of a block do behind the barrier, where lines across are computed; *shared gets
 * the memory that they read. */
void grid_add_across(const struct lines *host, const struct grid_axis axis[],
                     const struct grid_all_behind *behind, struct grid_shared *shared);

#endif
