/* Delays of operations. */
#ifndef FLTC_HARDWARE_DELAY_H
#define FLTC_HARDWARE_DELAY_H

#include "hardware/circuit.h"

enum {
    DELAY_OF_ADDER = 10, /* the unit is a tenth of it */
    MOST_LOOP_DELAY = 6 * DELAY_OF_ADDER
};

/* The delay from operands to result; 0 for loads and products of two values, which take clocks. */
unsigned operation_delay(const struct expr *node);
/* Whether it is a product of two non-constant values, with registers before and after it. */
bool is_product(const struct expr *node);
/* The longest path through values from a scan's own results. 0: none reads any. More than
 * MOST_LOOP_DELAY if tables or products are on such a path. */
unsigned loop_delay(struct arena *scratch, const struct expr *const value[], size_t count);

#endif
