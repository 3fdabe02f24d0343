/* Where the border rule of a window acts. */
#ifndef FLTC_HARDWARE_SPECIAL_PLACES_H
#define FLTC_HARDWARE_SPECIAL_PLACES_H

#include "hardware/circuit.h"

/* The first and last places, of those that are given. */
struct special_places {
    int64_t item[512];
    unsigned count;
};

/* Of a window that reads n places along its axis. */
struct special_places special_places(const struct process *window, int64_t n);
/* For a window along a line: the slot (0 is the newest token) whose mark, first or last of its
 * line, says whether the special place is at the centre. */
struct special_mark {
    bool is_first; /* else the last */
    unsigned slot;
};
struct special_mark special_mark(const struct process *window, int64_t n, int64_t place);

#endif
