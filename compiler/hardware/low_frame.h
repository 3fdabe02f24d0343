/* Frames that are lower than those of a circuit, and otherwise the same: all clocks of the lines in
 * between are alike. */
#ifndef FLTC_HARDWARE_LOW_FRAME_H
#define FLTC_HARDWARE_LOW_FRAME_H

#include "hardware/circuit.h"

struct low_frame {
    int64_t left_out; /* lines of a frame of the images, a multiple of `unit` */
    int64_t unit;     /* lines in which what circulates is alike */
    const int *level; /* by process: a line stands for so many of an image, as a power of two */
};

/* As many lines as leave each stream some, and all the same rest. */
struct low_frame low_frame_of(struct arena *arena, const struct circuit *circuit);
/* Lines of what the process gives. */
int64_t low_frame_lines(const struct low_frame *frame, const struct process *process);
#endif
