/* Code points of UTF-8 text, and how many columns they take. */
#ifndef FLTC_SUPPORT_UTF8_H
#define FLTC_SUPPORT_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD }; /* stands for what is not UTF-8 */

/* The code point at text[0] and the bytes it takes; length ≥ 1. What is not well-formed (overlong,
 * surrogate, above 10FFFF, cut short) gives UTF8_REPLACEMENT and takes one byte. */
uint32_t utf8_decode(const char *text, size_t length, size_t *bytes);

/* Columns on a terminal: 0 for combining marks, 2 for wide East Asian characters and emoji, else
 * 1. By the blocks of Unicode 15, not by each character's own property. */
unsigned utf8_columns(uint32_t code_point);

#endif
