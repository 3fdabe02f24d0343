/* Which samples of the inputs a box of the output needs: the regions of a program. */
#ifndef FLTC_LOOP_LOWER_INPUT_REGIONS_H
#define FLTC_LOOP_LOWER_INPUT_REGIONS_H

#include "loop_pass.h"

/* Adds the region of each input, and the variables of the output's box, to the program. buffer: by
 * stage. Adds nothing unless there is exactly one output. */
void input_regions_add(const struct graph *in, const buffer_id buffer[], struct program *out,
                       struct pass_context *context);

#endif
