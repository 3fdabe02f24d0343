/* How long operations take. */
#ifndef FLTC_HARDWARE_DELAY_H
#define FLTC_HARDWARE_DELAY_H

#include "hardware/circuit.h"

enum {
    DELAY_OF_ADDER = 10, /* the unit is a tenth of it */
    MOST_LOOP_DELAY = 6 * DELAY_OF_ADDER
};

/* From operands to result. Of loads and products of two values, which take clocks: 0. */
unsigned operation_delay(const struct expr *node);
/* A product of values neither of which is a number: registers stand before and behind it. */
bool is_product(const struct expr *node);
/* The longest way through values from a scan's own results. 0: none of them reads any. Of tables
 * and products on such a way: more than MOST_LOOP_DELAY. */
unsigned loop_delay(struct arena *scratch, const struct expr *const value[], size_t count);

#endif
