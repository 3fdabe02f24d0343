/* Random schedules for tests: any legal schedule, whatever its cost. */
#ifndef FLTC_GRAPH_PLACEMENT_RANDOM_CHOICE_H
#define FLTC_GRAPH_PLACEMENT_RANDOM_CHOICE_H

#include <stdint.h>

/* The decisions. Do not change the numbers, so that a seed keeps its meaning. */
enum random_purpose {
    RANDOM_APART = 0,    /* whether a stage is computed by itself: not in tiles, or not in lines */
    RANDOM_LINES = 1,    /* how many lines lie beside each other */
    RANDOM_NO_GROUP = 2, /* whether a group of lines is left to tiles */
    RANDOM_NO_BANDS = 3, /* whether rows stay out of bands */
    RANDOM_BAND = 4,     /* places of a band */
    RANDOM_SEGMENT_LINES = 5,  /* how many lines of segments lie beside each other */
    RANDOM_SEGMENT_MAP = 6,    /* whether a map ends a chain */
    RANDOM_SEGMENT_SIZE = 7,   /* samples of a segment */
    RANDOM_FEW_LINES = 8,      /* how many lines count as few */
    RANDOM_SLIDING = 9,        /* whether a tile slides; whether a chain takes one sweep of two */
    RANDOM_SEGMENT_AXIS = 10,  /* the axis whose lines are cut into segments */
    RANDOM_SEGMENT_RANGE = 11, /* whether segments are short or long */
    RANDOM_SMALL =
        12, /* whether small stages run on one thread; whether rows are computed with segments */
    RANDOM_SEGMENT_ROWS = 13, /* how many rows are computed at a time with a segment */
    RANDOM_BEHIND = 14,       /* whether tails are computed behind tiles of others */
    RANDOM_TRANSFORM = 15,    /* whether transforms take a convolution */
    RANDOM_GRID_TILE = 16,    /* threads of a block along its axes: this and the next one */
    RANDOM_ROWS = 18,         /* samples of a thread */
    RANDOM_INLINE = 100,      /* whether a stage is computed where it is read */
};

/* A pseudo-random number that depends on the seed, the stage and the purpose. */
static inline uint64_t random_choice(uint64_t seed, uint32_t stage, enum random_purpose purpose)
{
    uint64_t v =
        seed + 0x9e3779b97f4a7c15u * (stage + 1u) + 0xd1b54a32d192ed03u * (uint64_t)purpose;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    return v ^ (v >> 31);
}

#endif
