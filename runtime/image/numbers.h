/* Decimals in texts of files, whatever the locale. Internal to runtime/image. */
#ifndef FLT_NUMBERS_H
#define FLT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text, of length bytes, as a count from 0 to 2^31 - 1. false: it is none. */
bool flt_count_of(const char *text, size_t length, uint32_t *count);

/* The whole text as a real number. false: it is none, or not finite. */
bool flt_real_of(const char *text, size_t length, double *value);

enum { FLT_REAL_TEXT = 32 };

/* nan, inf or -inf, in any case of letters. false: it is none. */
bool flt_odd_real_of(const char *text, size_t length, double *value);

/* The shortest decimal that reads back as the same value; nan, inf or -inf where it is not finite.
 * A float is shorter than the double of its value. */
void flt_print_real(double value, char text[FLT_REAL_TEXT]);
void flt_print_float(float value, char text[FLT_REAL_TEXT]);

/* The fraction nearest to value with both parts below 2^32; false: value is not above 0, or no such
 * fraction is within 1e-9 of it, relatively. */
bool flt_fraction_of(double value, uint32_t *numerator, uint32_t *denominator);

#endif
