/* Complex samples in formats of pictures, which hold none: the logarithms of their magnitudes. */
#ifndef FLTC_COMMAND_SPECTRUM_H
#define FLTC_COMMAND_SPECTRUM_H

#include "flt/image.h"
#include "graph/graph.h"

/* centred: by axis of a stage of complex samples, whether a picture has the sample at 0 of it in
 * the middle. So it has where the axis has all frequencies of a line: a transform has made them, or
 * the graph does not tell, as of a complex image that is given. It has not where nothing was
 * transformed, or transformed back, where rfft or the program left frequencies out, or moved
 * them. */
void spectrum_find_axes(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                        bool centred[GRAPH_MAX_RANK]);

/* log(1 + |z|) of each sample z of a complex image, divided by the greatest one that is finite, in
 * f32: 0 .. 1, an infinite sample is infinite, and a NaN stays one. centred: by axis of the image;
 * there sample k goes to (k + N / 2) mod N. *greatest: what 1 stands for; 0: there is no other
 * sample. False: there is not enough memory. */
bool spectrum_picture(const struct flt_image *image, const bool centred[FLT_MAX_RANK],
                      struct flt_image *picture, double *greatest);

#endif
