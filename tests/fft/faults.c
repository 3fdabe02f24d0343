/* A filter opened with a table of the test's own, which counts calls, fails when it is told, and
 * asks for memory: plans are made once for each length, none is left, failures are statuses and
 * leave outputs alone, and the filter can be used again. */
#include <math.h>

#include "given_wide.h"
#include "libraries.h"
#include "wide.h"

enum { MOST = 2 * 40 * 3 };

static struct {
    int plans, alive, executed, destroyed;
    int fails_at; /* the plan, from 1; 0: none does */
    enum flt_status status;
    size_t scratch_lines, more; /* what is asked for, in lines and bytes */
    int unaligned;
} seen;

struct fake {
    int64_t n;
    int sign;
};

static enum flt_status fake_plan(void **plan, int64_t n, int sign, enum flt_real real)
{
    if (real != FLT_REAL_F64)
        abort();
    if (++seen.plans == seen.fails_at)
        return seen.status;
    struct fake *made = (struct fake *)malloc(sizeof *made);
    if (!made)
        return FLT_NO_MEMORY;
    made->n = n;
    made->sign = sign;
    *plan = made;
    seen.alive++;
    return FLT_OK;
}

static size_t fake_scratch(const void *plan)
{
    return (size_t)((const struct fake *)plan)->n * 16 * seen.scratch_lines + seen.more;
}

/* By the definition, in memory of its own; all scratch memory is written to. */
static void fake_execute(const void *plan, void *line, void *scratch)
{
    const struct fake *const fake = (const struct fake *)plan;
    const double turn = 6.283185307179586476925 * fake->sign;
    double *const x = (double *)line, y[2 * 64];
    seen.unaligned += (uintptr_t)line % 64 != 0 || (uintptr_t)scratch % 64 != 0;
    memset(scratch, 0xff, fake_scratch(plan));
    for (int64_t k = 0; k < fake->n; k++) {
        y[2 * k] = y[2 * k + 1] = 0;
        for (int64_t i = 0; i < fake->n; i++) {
            const double angle = turn * (double)(i * k % fake->n) / (double)fake->n;
            y[2 * k] += x[2 * i] * cos(angle) - x[2 * i + 1] * sin(angle);
            y[2 * k + 1] += x[2 * i] * sin(angle) + x[2 * i + 1] * cos(angle);
        }
    }
    memcpy(line, y, (size_t)fake->n * 16);
    seen.executed++;
}

static void fake_destroy(void *plan)
{
    free(plan);
    seen.alive--;
    seen.destroyed++;
}

static const struct flt_fft table = {"a table of the test's own", fake_plan, fake_scratch,
                                     fake_execute, fake_destroy};

/* ---- Memory that fails ---- */

static int until_failure = -1;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return until_failure >= 0 && until_failure-- == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return until_failure >= 0 && until_failure-- == 0 ? NULL : __real_calloc(count, size);
}

/* ---- Calls ---- */

static double in[MOST], out[MOST], own[MOST];

static int call(struct given_wide_opened *opened, int32_t y)
{
    const struct given_wide_in images = {in, 2, y, 3, (ptrdiff_t)3 * y, 3, 1};
    const struct given_wide_out result = {out, 2, y, 3, (ptrdiff_t)3 * y, 3, 1};
    memset(out, 0x5a, sizeof out);
    return given_wide(opened, &images, 2, &result, 1);
}

static int is_untouched(void)
{
    for (size_t i = 0; i < sizeof out; i++)
        if (((unsigned char *)out)[i] != 0x5a)
            return 0;
    return 1;
}

static int is_right(int32_t y)
{
    const struct wide_in images = {in, 2, y, 3, (ptrdiff_t)3 * y, 3, 1};
    const struct wide_out result = {own, 2, y, 3, (ptrdiff_t)3 * y, 3, 1};
    int right = wide(&images, 2, &result, 1) == WIDE_OK;
    for (int i = 0; i < 2 * y * 3; i++)
        right = right && fabs(own[i] - out[i]) < 1e-12;
    return right;
}

static void calls_are_counted(void)
{
    struct given_wide_opened *opened;
    expect(given_wide_open(&table, &opened) == GIVEN_WIDE_OK, "opening", table.name);
    expect(seen.plans == 0, "no plan before extents are known", table.name);
    expect(call(opened, 9) == GIVEN_WIDE_OK && is_right(9), "a call", table.name);
    expect(seen.plans == 1 && seen.executed > 0, "a plan for each transform", table.name);
    expect(call(opened, 9) == GIVEN_WIDE_OK && seen.plans == 1, "it is kept", table.name);
    expect(call(opened, 40) == GIVEN_WIDE_OK && is_right(40), "other extents", table.name);
    expect(seen.plans == 2 && seen.destroyed == 1 && seen.alive == 1, "another plan", table.name);
    expect(call(opened, 1) == GIVEN_WIDE_OK && is_right(1), "lines of a sample", table.name);
    expect(seen.unaligned == 0, "lines are aligned to 64 bytes", table.name);
    given_wide_close(opened);
    expect(seen.alive == 0, "no plan is left", table.name);
    given_wide_close(NULL);
}

static void all_promised_memory_is_there(void)
{
    struct given_wide_opened *opened;
    given_wide_open(&table, &opened);
    for (int32_t y = 1; y < 12; y++) {
        seen.scratch_lines = 8;
        expect(call(opened, y) == GIVEN_WIDE_OK && is_right(y), "8 lines of memory", table.name);
    }
    seen.more = 1;
    expect(call(opened, 12) == GIVEN_WIDE_NO_PLAN && is_untouched(), "more of it", table.name);
    expect(seen.alive == 0, "a plan that is refused is destroyed", table.name);
    seen.more = seen.scratch_lines = 0;
    expect(call(opened, 12) == GIVEN_WIDE_OK && is_right(12), "a call after that", table.name);
    given_wide_close(opened);
}

static void failures_are_statuses(void)
{
    static const struct {
        enum flt_status plan;
        int status;
    } failures[] = {{FLT_NO_MEMORY, GIVEN_WIDE_NO_MEMORY},
                    {FLT_UNSUPPORTED, GIVEN_WIDE_NO_PLAN},
                    {FLT_TOO_LARGE, GIVEN_WIDE_NO_PLAN}};
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        struct given_wide_opened *opened;
        given_wide_open(&table, &opened);
        expect(call(opened, 5) == GIVEN_WIDE_OK, "a call before", table.name);
        seen.fails_at = seen.plans + 1;
        seen.status = failures[i].plan;
        expect(call(opened, 6) == failures[i].status && is_untouched(), "no plan", table.name);
        expect(seen.alive == 0, "the one before is gone", table.name);
        seen.fails_at = 0;
        expect(call(opened, 6) == GIVEN_WIDE_OK && is_right(6), "a call after that", table.name);
        given_wide_close(opened);
        expect(seen.alive == 0, "no plan is left", table.name);
    }
}

static void memory_may_fail(void)
{
    struct given_wide_opened *opened = (struct given_wide_opened *)(void *)&seen;
    until_failure = 0;
    expect(given_wide_open(&table, &opened) == GIVEN_WIDE_NO_MEMORY && !opened, "opening",
           table.name);
    until_failure = -1;
    given_wide_open(&table, &opened);
    for (int site = 0; site < 2; site++) {
        until_failure = site;
        expect(call(opened, 7) == GIVEN_WIDE_NO_MEMORY && is_untouched(), "a call", table.name);
        expect(until_failure == -1, "each site of it", table.name);
    }
    expect(call(opened, 7) == GIVEN_WIDE_OK && is_right(7), "a call after that", table.name);
    given_wide_close(opened);
}

static void arguments_may_be_wrong(void)
{
    struct given_wide_opened *opened;
    struct flt_fft half = table;
    half.execute = NULL;
    expect(given_wide_open(NULL, &opened) == GIVEN_WIDE_NULL_POINTER && !opened, "no table",
           table.name);
    expect(given_wide_open(&half, &opened) == GIVEN_WIDE_NULL_POINTER && !opened, "half a table",
           table.name);
    expect(given_wide_open(&table, NULL) == GIVEN_WIDE_NULL_POINTER, "nowhere", table.name);
    expect(call(NULL, 5) == GIVEN_WIDE_NULL_POINTER && is_untouched(), "not open", table.name);
    expect(strstr(given_wide_status_text(GIVEN_WIDE_NO_PLAN), "no plan") != NULL, "words",
           table.name);
}

int main(void)
{
    uint64_t state = 3;
    for (int i = 0; i < MOST; i++)
        in[i] = noise(&state);
    calls_are_counted();
    all_promised_memory_is_there();
    failures_are_statuses();
    memory_may_fail();
    arguments_may_be_wrong();
    return report("a library that is given");
}
