/* C functions that programs of tests call: pure, of no undefined behaviour. Rows of
 * functions.def. */
#ifndef FLTC_TESTS_FUNCTIONS_H
#define FLTC_TESTS_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Rounds twice, unless a compiler contracts it. */
static inline float c_gain(float v, int32_t n)
{
    return v * 0.7f + (float)n;
}
static inline double c_mix(double a, bool b, int64_t c)
{
    return b ? a * 0.1 + (double)c : -a;
}
static inline bool c_above(float a, double b)
{
    return (double)a > b;
}
static inline int32_t c_fold(int32_t a, uint16_t b)
{
    return (int32_t)(((uint32_t)a ^ (uint32_t)b * 2654435761u) >> 1);
}
static inline uint32_t c_hash(uint32_t a, int8_t b)
{
    return a * 747796405u + (uint32_t)(b + 128);
}
static inline uint8_t c_mean(uint8_t a, uint8_t b)
{
    return (uint8_t)((a + b + 1) / 2);
}
static inline int16_t c_least(int16_t a, int16_t b, bool other)
{
    return (a < b) != other ? a : b;
}
static inline int64_t c_half(int64_t a)
{
    return a / 2;
}

#endif
