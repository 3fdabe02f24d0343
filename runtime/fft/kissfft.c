/* KissFFT as a table of functions. In place it would take memory in each call: so lines are
 * transformed into scratch memory, and copied back. */
#include "flt/fft_kissfft.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <kiss_fft.h>

typedef char samples_are_of_f32[sizeof(kiss_fft_cpx) == 2 * sizeof(float) ? 1 : -1];

struct kissfft {
    kiss_fft_cfg config;
    size_t bytes; /* of a line */
};

static enum flt_status plan(void **out, int64_t n, int sign, enum flt_real real)
{
    if (real != FLT_REAL_F32 || n < 1 || n > INT_MAX)
        return FLT_UNSUPPORTED;
    struct kissfft *const made = malloc(sizeof *made);
    if (!made)
        return FLT_NO_MEMORY;
    made->bytes = (size_t)n * sizeof(kiss_fft_cpx);
    made->config = kiss_fft_alloc((int)n, sign > 0, NULL, NULL);
    if (!made->config) {
        free(made);
        return FLT_NO_MEMORY;
    }
    *out = made;
    return FLT_OK;
}

static size_t scratch(const void *plan)
{
    return ((const struct kissfft *)plan)->bytes;
}

static void execute(const void *plan, void *line, void *memory)
{
    const struct kissfft *const made = plan;
    kiss_fft(made->config, line, memory);
    memcpy(line, memory, made->bytes);
}

static void destroy(void *plan)
{
    struct kissfft *const made = plan;
    kiss_fft_free(made->config);
    free(made);
}

const struct flt_fft flt_fft_kissfft = {"KissFFT", plan, scratch, execute, destroy};
