/* Frames with fewer lines than those of a circuit, for simulation: the omitted lines have the same
 * timing as others. */
#ifndef FLTC_HARDWARE_LOW_FRAME_H
#define FLTC_HARDWARE_LOW_FRAME_H

#include "hardware/circuit.h"

struct low_frame {
    int64_t left_out; /* omitted lines per frame of the images, a multiple of `unit` */
    int64_t unit;     /* the period of the circuit's behaviour, in lines */
    const int *level; /* by process: log2 of the image lines that one of its lines stands for */
};

/* Omits as many lines as possible so that each stream keeps some and the phase stays the same. */
struct low_frame low_frame_of(struct arena *arena, const struct circuit *circuit);
/* The number of lines in a frame of the process's stream. */
int64_t low_frame_lines(const struct low_frame *frame, const struct process *process);
#endif
