/* Images that are tables: small ones that stages read at places that are data, or numbers. They do
 * not stream; who uses the circuit writes them between frames. */
#ifndef FLTC_HARDWARE_WRITTEN_TABLES_H
#define FLTC_HARDWARE_WRITTEN_TABLES_H

#include "hardware/shape.h"

/* Samples of the largest one. */
enum { MOST_TABLE_SAMPLES = 65536 };

/* Whether an image, whose lines and places would be those axes, is a table: no index along one of
 * them follows the coordinates of the stage that reads it, which has no axis of that name. So
 * `lut[in[y, x]]` and `weight[2]`; but a picture that is warped stays one. */
bool image_is_table(struct arena *scratch, const struct graph *graph, const struct stage *image,
                    const unsigned axis[RASTER_COUNT]);

#endif
