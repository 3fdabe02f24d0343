/* Images that are tables: small images that stages read at indices that are data or constants. They
 * do not stream; the user of the circuit writes them between frames. */
#ifndef FLTC_HARDWARE_WRITTEN_TABLES_H
#define FLTC_HARDWARE_WRITTEN_TABLES_H

#include "hardware/shape.h"

/* Samples of the largest one. */
enum { MOST_TABLE_SAMPLES = 65536 };

/* Whether an image is a table. axis: the axes that would be its lines and places. No index along
 * these axes depends on coordinates of the reading stage, which has no axes with their names. So
 * `lut[in[y, x]]` and `weight[2]` are tables, but a picture that is warped is not. */
bool image_is_table(struct arena *scratch, const struct graph *graph, const struct stage *image,
                    const unsigned axis[RASTER_COUNT]);

#endif
