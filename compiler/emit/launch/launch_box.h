/* The numbers of blocks and threads with which a kernel is launched. */
#ifndef FLTC_EMIT_LAUNCH_LAUNCH_BOX_H
#define FLTC_EMIT_LAUNCH_LAUNCH_BOX_H

#include "emit/emission.h"

/* The extents of a kernel's loops, by level; NULL: it has none of that level. */
struct launch_box {
    const struct expr *extent[LEVEL_COUNT];
};
struct launch_box launch_box_of(const struct statement *kernel);

/* Of a block. */
int64_t launch_box_threads(const struct launch_box *box);

/* ", grid x, grid y, grid z, block x, block y", 1 where there is no loop. */
void emit_launch_box(struct emission *e, const struct statement *kernel);

#endif
