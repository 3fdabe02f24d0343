#include "support/sha256.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 64, WORDS = 16 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void extend(uint32_t word[ROUNDS], const unsigned char block[SHA256_BLOCK])
{
    for (unsigned i = 0; i < WORDS; i++)
        word[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                  (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = WORDS; i < ROUNDS; i++) {
        const uint32_t far = word[i - 15], near = word[i - 2];
        word[i] = word[i - 16] + word[i - 7] + (turned(far, 7) ^ turned(far, 18) ^ far >> 3) +
                  (turned(near, 17) ^ turned(near, 19) ^ near >> 10);
    }
}

static void take_block(struct sha256 *hash, const unsigned char block[SHA256_BLOCK])
{
    uint32_t word[ROUNDS], s[8];
    extend(word, block);
    memcpy(s, hash->state, sizeof s);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                               choice + constant[i] + word[i];
        const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (unsigned i = 0; i < 8; i++)
        hash->state[i] += s[i];
}

void sha256_begin(struct sha256 *hash)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->length = 0;
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    while (length > 0) {
        const size_t waiting = hash->length % SHA256_BLOCK, room = SHA256_BLOCK - waiting;
        const size_t taken = length < room ? length : room;
        memcpy(hash->block + waiting, at, taken);
        hash->length += taken;
        at += taken;
        length -= taken;
        if (taken == room)
            take_block(hash, hash->block);
    }
}

void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    const uint64_t bits = 8 * hash->length;
    const size_t waiting = hash->length % SHA256_BLOCK;
    const size_t end = SHA256_BLOCK - sizeof bits; /* of the padding in its block */
    sha256_add(hash, padding, waiting < end ? end - waiting : SHA256_BLOCK + end - waiting);
    unsigned char length[sizeof bits];
    for (unsigned i = 0; i < sizeof length; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(hash, length, sizeof length);
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

const char *sha256_digits(struct sha256 *hash, char digits[SHA256_DIGITS + 1])
{
    unsigned char digest[SHA256_BYTES];
    sha256_end(hash, digest);
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        snprintf(digits + (size_t)2 * i, 3, "%02x", digest[i]);
    return digits;
}
