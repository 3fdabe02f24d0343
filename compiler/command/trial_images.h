/* Images and parameters to try programs on, the same in every run. */
#ifndef FLTC_COMMAND_TRIAL_IMAGES_H
#define FLTC_COMMAND_TRIAL_IMAGES_H

#include "interpret/interpret.h"

/* What an axis is of the first of the images that has it: of a picture, rows and columns are the
 * last two axes but those of colours, which are named c. */
enum trial_axis { TRIAL_ROWS, TRIAL_COLUMNS, TRIAL_LINE, TRIAL_OTHER };
enum trial_axis trial_axis_of(size_t count, const struct stage *const image[],
                              const struct symbol *axis);

/* Random samples of an element type: small integers, floats of many magnitudes, now and then
 * special values. */
void random_samples(uint64_t *seed, struct samples *samples);
/* Samples for an image of the signature. */
void random_input(uint64_t *seed, const struct stage *input, struct samples *samples);
/* A random value inside the parameter's range. */
struct value random_parameter(uint64_t *seed, const struct parameter *parameter);
uint64_t random_next(uint64_t *seed);
/* Where the two differ, as a sentence; NULL where all bits agree. */
const char *samples_difference(struct arena *arena, const struct samples *a,
                               const struct samples *b);

#endif
