/* Trials of a filter in one file, for a machine that has a device but not the compiler: what
 * tests/emit/same_bytes writes where KEEP is set, and device.cu reads.
 *
 * Numbers are int64_t of the machine's order:
 *   KEPT_MAGIC, inputs, outputs, parameters, trials
 *   of each image, inputs first: rank, bytes of a sample, enum kept_kind; of each axis enum kept_axis
 *   of each parameter 8 bytes: its usual value, for timings
 *   of each trial: whether the filter accepts it; of each input its extents, its samples; of each
 *   parameter 8 bytes; where it is accepted of each output its extents, its samples
 * Samples are packed; the begin of each is a multiple of 8 bytes behind that of the file. */
#ifndef KEPT_TRIALS_H
#define KEPT_TRIALS_H

#include <stdint.h>

#define KEPT_MAGIC INT64_C(0x31746c66) /* "flt1" */

enum kept_kind { KEPT_INTEGER, KEPT_HALF, KEPT_SINGLE, KEPT_DOUBLE };
/* What extent an input's axis has in a timing: that of rows, that of columns, few. */
enum kept_axis { KEPT_Y, KEPT_X, KEPT_FEW };

#endif
