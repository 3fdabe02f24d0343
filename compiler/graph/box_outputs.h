/* A filter over parts of its images: it computes a box of each result from parts of the inputs. */
#ifndef FLTC_GRAPH_BOX_OUTPUTS_H
#define FLTC_GRAPH_BOX_OUTPUTS_H

#include "graph/graph.h"
#include "session.h"

/* The graph whose inputs are parts of those of the given one, and whose results are boxes of its
 * results, where it has these samples: extents of the parts are those of the images that a caller
 * passes; behind the parameters of the filter it has more, integers, in this order:
 *   "in.y", the extent of the whole image, for each axis of each input, unless its extent is fixed
 *   "in.first_y", the place of the part's first sample in it, for the same axes
 *   "out.first_y" and "out.extent_y", the box, for each axis of each result.
 * More checks stand behind those of the filter: boxes are inside of results, parts of images.
 * NULL: *problem is why there is none. The pass narrow_regions makes use of it. */
const struct graph *graph_box_outputs(struct session *session, const struct graph *in,
                                      const char **problem);

#endif
