/* SHA-256 of FIPS 180-4. */
#ifndef FLTC_SUPPORT_SHA256_H
#define FLTC_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_DIGITS = 64, SHA256_BLOCK = 64 };

struct sha256 {
    uint32_t state[8];
    uint64_t length;                   /* bytes taken so far */
    unsigned char block[SHA256_BLOCK]; /* the first length % SHA256_BLOCK of them are waiting */
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t length);
/* The digest of all that was added; the hash cannot be added to afterwards. */
void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES]);
/* The same in hexadecimal digits, which are returned. */
const char *sha256_digits(struct sha256 *hash, char digits[SHA256_DIGITS + 1]);

#endif
