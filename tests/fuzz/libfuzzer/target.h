/* What libFuzzer calls, with bytes that it changes to reach more of the program. */
#ifndef LIBFUZZER_TARGET_H
#define LIBFUZZER_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Of an input that is to be left out of the corpus. */
enum { REFUSED_INPUT = -1 };

/* Ends by abort() where a promise is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
