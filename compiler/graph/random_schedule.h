/* Schedules at random, for tests: what is legal is tried, not what is cheap. */
#ifndef FLTC_GRAPH_RANDOM_SCHEDULE_H
#define FLTC_GRAPH_RANDOM_SCHEDULE_H

#include <stdint.h>

/* A number that depends on the seed, the stage and what it is for. */
static inline uint64_t random_choice(uint64_t seed, uint32_t stage, uint64_t purpose)
{
    uint64_t v = seed + 0x9e3779b97f4a7c15u * (stage + 1u) + 0xd1b54a32d192ed03u * purpose;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    return v ^ (v >> 31);
}

#endif
