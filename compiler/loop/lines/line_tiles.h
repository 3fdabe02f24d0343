/* Lines that are computed with each tile of others, their host, behind them: of what that has just
 * computed. They run along the same axis, so that the lines of the tile are theirs, too; or across
 * columns, along the fastest axis, which a tile holds one segment of:
 *     loop y.blocks { loop x.block { host's columns: kept[y, x] …  store out.blocks[y.blocks, y, x]
 *                                    lines: let up.tails.x.tile = out.blocks.x.tile …  loop y reversed { loop x { … kept[y, x] } }
 *                                    lines across: if x.block < … { loop y.part { loop x serial { loop y { … } } } } } } */
#ifndef FLTC_LOOP_LINES_LINE_TILES_H
#define FLTC_LOOP_LINES_LINE_TILES_H

#include "loop/lines/line_places.h"

/* Whether the host's tile cuts the lines' own lanes, those of lines across it, along that axis;
 * their first, and their end. */
bool line_tile_cuts(const struct lines *l, unsigned k);
const struct expr *line_tile_first(const struct lines *l);
const struct expr *line_tile_end(const struct lines *l);
/* What a coordinate along an axis of lines of a tile is more than the host's. */
const struct expr *line_tile_shift(const struct lines *l, unsigned k);
/* Makes the lines at hand those of the tile. */
void line_tile_take_lanes(const struct lines *l, struct tile_code *code);
/* A sample of a stage of the tile at hand: coordinates that lines do not run along, or lie side by
 * side on, are those of it. */
const struct statement *line_tile_body(const struct lines *l, const struct statement *body);
/* The same, of the sweep at hand, whose reads of the tile say where in it they are. */
const struct statement *line_tile_reads(const struct lines *l, const struct statement *body);
/* What is computed of the lines in a tile, in each: there may be more than the lines have
 * segments. */
const struct statement *line_tile_nest(const struct lines *l, const struct statement *nest);

#endif
