/* A target with the facts of the machine at hand. */
#ifndef FLTC_COMMAND_CALIBRATE_H
#define FLTC_COMMAND_CALIBRATE_H

#include "command/command.h"
#include "target/target.h"

/* How much fast memory a core has, and what a byte of memory costs, are measured once for a
 * processor, in a tenth of a second, and kept in the cache; where there is no cache, or --no-cache
 * is given, the target is as it was. It decides about tiles. */
const struct target *target_calibrated(struct command_context *c, const struct target *target);

#endif
