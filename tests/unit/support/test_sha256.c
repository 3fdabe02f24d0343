/* SHA-256: the examples of FIPS 180-4 and of NIST's, texts around the length of a block, parts. */
#include "support/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void finish(struct sha256 *hash, char text[2 * SHA256_BYTES + 1])
{
    unsigned char digest[SHA256_BYTES];
    sha256_end(hash, digest);
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static void expect(const char *message, const char *wanted)
{
    char text[2 * SHA256_BYTES + 1];
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, message, strlen(message));
    finish(&hash, text);
    assert_string_equal(text, wanted);
}

static void known_digests(void **state)
{
    (void)state;
    expect("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_million_letters(void **state)
{
    (void)state;
    char letters[1000], text[2 * SHA256_BYTES + 1];
    struct sha256 hash;
    memset(letters, 'a', sizeof letters);
    sha256_begin(&hash);
    for (int i = 0; i < 1000; i++)
        sha256_add(&hash, letters, sizeof letters);
    finish(&hash, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* However a text is cut, also at and around the end of a block and of its padding. */
static void parts_are_the_same_as_all(void **state)
{
    (void)state;
    unsigned char bytes[200];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(7 * i + 1);
    for (size_t length = 0; length <= sizeof bytes; length++)
        for (size_t cut = 0; cut <= length; cut += 13) {
            unsigned char whole[SHA256_BYTES], parts[SHA256_BYTES];
            struct sha256 hash;
            sha256_begin(&hash);
            sha256_add(&hash, bytes, length);
            sha256_end(&hash, whole);
            sha256_begin(&hash);
            sha256_add(&hash, bytes, cut);
            sha256_add(&hash, NULL, 0);
            sha256_add(&hash, bytes + cut, length - cut);
            sha256_end(&hash, parts);
            assert_memory_equal(whole, parts, sizeof whole);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(parts_are_the_same_as_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
