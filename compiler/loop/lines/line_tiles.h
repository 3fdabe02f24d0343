/* Lines computed behind each tile of their host, from what that tile has just computed. They run
 * along the host's lines; or across them, along the fastest axis, of which a tile holds one
 * segment:
 *     loop y.blocks { loop x.block { host's columns: kept[y, x] …  store out.blocks[y.blocks, y, x]
 *                                    lines: let up.tails.x.tile = out.blocks.x.tile …  loop y reversed { loop x { … kept[y, x] } }
 *                                    lines across: if x.block < … { loop y.part { loop x serial { loop y { … } } } } } } */
#ifndef FLTC_LOOP_LINES_LINE_TILES_H
#define FLTC_LOOP_LINES_LINE_TILES_H

#include "loop/lines/line_places.h"

/* Whether the host's tile cuts the lanes of lines across it along axis k; the first lane, and the
 * end. */
bool line_tile_cuts(const struct lines *l, unsigned k);
const struct expr *line_tile_first(const struct lines *l);
const struct expr *line_tile_end(const struct lines *l);
/* The difference between a coordinate of the lines along axis k and the host's. */
const struct expr *line_tile_shift(const struct lines *l, unsigned k);
/* Sets the range of lines at hand to those of the tile. */
void line_tile_take_lanes(const struct lines *l, struct tile_code *code);
/* A sample of a stage at the tile's own coordinates, along axes that are neither along the lines
 * nor across them. */
const struct statement *line_tile_body(const struct lines *l, const struct statement *body);
/* The same, for the sweep at hand: reads of the tile name places within it. */
const struct statement *line_tile_reads(const struct lines *l, const struct statement *body);
/* The nest, under a condition: there may be more tiles than segments. */
const struct statement *line_tile_nest(const struct lines *l, const struct statement *nest);

#endif
