/* Wrong arguments of emitted functions: each gives its status, and not a sample of the result is
 * written. */
#include "faulty.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 5, WIDTH = 7, SCRATCH = 1 << 14 };

/* All arguments of a call; right ones, of which a test changes one. */
struct call {
    uint8_t in_data[HEIGHT * WIDTH];
    float other_data[HEIGHT * WIDTH], out_data[2 * HEIGHT * WIDTH];
    struct faulty_in in, *in_pointer;
    struct faulty_other other, *other_pointer;
    struct faulty_out out, *out_pointer;
    float amount;
    int32_t steps;
    double offset;
    uint8_t on;
    char *scratch;
    size_t scratch_bytes;
};

static unsigned passed, failed;

static struct call *good_call(void)
{
    struct call *c = (struct call *)calloc(1, sizeof *c);
    char *block = (char *)aligned_alloc(64, SCRATCH);
    if (!c || !block)
        abort();
    const struct faulty_in in = {c->in_data, HEIGHT, WIDTH, WIDTH, 1};
    const struct faulty_other other = {c->other_data, HEIGHT, WIDTH, WIDTH, 1};
    const struct faulty_out out = {c->out_data, 2 * HEIGHT, WIDTH, WIDTH, 1};
    c->in = in;
    c->other = other;
    c->out = out;
    c->in_pointer = &c->in;
    c->other_pointer = &c->other;
    c->out_pointer = &c->out;
    c->amount = 1;
    c->offset = 1;
    c->on = 1;
    c->scratch = block;
    c->scratch_bytes = SCRATCH;
    memset(c->out_data, 0xa5, sizeof c->out_data);
    return c;
}

static int written(const struct call *c)
{
    unsigned char gap[sizeof c->out_data];
    memset(gap, 0xa5, sizeof gap);
    return memcmp(gap, c->out_data, sizeof gap) != 0;
}

static void expect(const char *what, const char *function, int expected, int status)
{
    if (status == expected) {
        passed++;
        return;
    }
    failed++;
    fprintf(stderr, "FAIL %s: %s gives %d (%s), not %d (%s)\n", what, function, status,
            faulty_status_text(status), expected, faulty_status_text(expected));
}

/* Which functions the argument matters to: scratch memory does not depend on that of images. */
enum reach { ALL, NOT_EXTENTS, MEMORY, RUN_ONLY };

static void try_call(const char *what, struct call *c, int expected, enum reach reach)
{
    char *const block = c->scratch;
    const int run = faulty_run(c->in_pointer, c->other_pointer, c->amount, c->steps, c->offset,
                               c->on, c->out_pointer, c->scratch, c->scratch_bytes, 1);
    expect(what, "faulty_run", expected, run);
    if ((expected != FAULTY_OK) == written(c)) {
        failed++;
        fprintf(stderr, "FAIL %s: the result was %s\n", what, expected ? "written" : "not written");
    }
    if (reach != RUN_ONLY) {
        memset(c->out_data, 0xa5, sizeof c->out_data);
        expect(what, "faulty", expected,
               faulty(c->in_pointer, c->other_pointer, c->amount, c->steps, c->offset, c->on,
                      c->out_pointer, 1));
        const size_t bytes = faulty_scratch_bytes(c->in_pointer, c->other_pointer, c->amount,
                                                  c->steps, c->offset, c->on, c->out_pointer, 1);
        expect(what, "faulty_scratch_bytes", expected != FAULTY_OK && reach != MEMORY,
               bytes == SIZE_MAX);
        if (expected != FAULTY_OK && written(c)) {
            failed++;
            fprintf(stderr, "FAIL %s: the result was written\n", what);
        }
    }
    if (reach == ALL) {
        struct faulty_out made = {0};
        expect(what, "faulty_extents", expected,
               faulty_extents(c->in_pointer, c->other_pointer, c->amount, c->steps, c->offset,
                              c->on, c->out_pointer ? &made : NULL));
        if (expected == FAULTY_OK)
            expect(what, "extents", 2 * HEIGHT * 1000 + WIDTH, made.y * 1000 + made.x);
    }
    free((void *)((uintptr_t)block / 64 * 64));
    free(c);
}

#define TRY(expected, reach, change)                                                               \
    do {                                                                                           \
        struct call *c = good_call();                                                              \
        change;                                                                                    \
        try_call(#change, c, FAULTY_##expected, reach);                                            \
    } while (0)

int main(void)
{
    TRY(OK, ALL, (void)c);
    TRY(NULL_POINTER, ALL, c->in_pointer = NULL);
    TRY(NULL_POINTER, ALL, c->other_pointer = NULL);
    TRY(NULL_POINTER, ALL, c->out_pointer = NULL);
    TRY(NULL_POINTER, MEMORY, c->in.data = NULL);
    TRY(NULL_POINTER, MEMORY, c->other.data = NULL);
    TRY(NULL_POINTER, MEMORY, c->out.data = NULL);

    TRY(BAD_EXTENT, ALL, c->in.y = 0);
    TRY(BAD_EXTENT, ALL, c->in.x = -1);
    TRY(BAD_EXTENT, ALL, c->in.x = INT32_MIN);
    TRY(BAD_EXTENT, ALL, c->other.y = 0);
    TRY(BAD_EXTENT, ALL, c->in.y = c->in.x = INT32_MAX);
    TRY(BAD_EXTENT, ALL, (c->in.y = c->other.y = INT32_MAX, c->in.x = c->other.x = 1 << 10));
    TRY(CHECK_1, ALL, c->in.x = c->other.x = 1);
    TRY(BAD_OUTPUT, NOT_EXTENTS, c->out.y = HEIGHT);
    TRY(BAD_OUTPUT, NOT_EXTENTS, c->out.x = WIDTH - 1);
    TRY(BAD_OUTPUT, NOT_EXTENTS, c->out.x = 0);
    TRY(BAD_OUTPUT, NOT_EXTENTS, c->out.y = -2 * HEIGHT);

    TRY(BAD_PARAMETER, ALL, c->amount = NAN);
    TRY(BAD_PARAMETER, ALL, c->amount = INFINITY);
    TRY(BAD_PARAMETER, ALL, c->amount = -0.001f);
    TRY(BAD_PARAMETER, ALL, c->amount = 8.001f);
    TRY(OK, ALL, c->amount = 8);
    TRY(OK, ALL, c->amount = -0.0f);
    TRY(BAD_PARAMETER, ALL, c->steps = -4);
    TRY(BAD_PARAMETER, ALL, c->steps = INT32_MAX);
    TRY(BAD_PARAMETER, ALL, c->on = 2);
    TRY(OK, ALL, c->offset = NAN);

    TRY(OVERLAP, MEMORY, c->out.data = c->other_data);
    TRY(OVERLAP, MEMORY, c->in.data = (const uint8_t *)c->out_data);
    TRY(BAD_SCRATCH, RUN_ONLY, c->scratch_bytes = 0);
    TRY(BAD_SCRATCH, RUN_ONLY, c->scratch_bytes = HEIGHT * WIDTH * sizeof(float));
    TRY(BAD_SCRATCH, RUN_ONLY, c->scratch += 1);
    TRY(BAD_SCRATCH, RUN_ONLY, c->scratch += 32);
    TRY(BAD_SCRATCH, RUN_ONLY, (free(c->scratch), c->scratch = NULL));
    /* The smallest scratch memory that is enough; a stride makes it more. */
    TRY(OK, RUN_ONLY, c->scratch_bytes = 192);
    TRY(BAD_SCRATCH, RUN_ONLY, c->scratch_bytes = 191);
    TRY(BAD_SCRATCH, RUN_ONLY, (c->scratch_bytes = 192, c->in.stride_x = 2));

    expect("text", "of no status", 1, strcmp(faulty_status_text(99), "unknown status") == 0);
    expect("text", "of the check", 1,
           strcmp(faulty_status_text(FAULTY_CHECK_1), "at least two columns") == 0);
    printf("faults: %u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
