/* FFTW 3 as a table of functions. Only its execute functions may run in several threads at once:
 * all others are called under a lock, the one thing here that changes and is shared. Lines all have
 * the alignment of those that plans are made with, so that FFTW may use vectors. */
#include "flt/fft_fftw.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include <fftw3.h>

enum { ALIGNMENT = 64 };

struct fftw {
    enum flt_real real;
    union {
        fftwf_plan f32;
        fftw_plan f64;
    } as;
};

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* memory: a line, which is not touched. False: FFTW has no such plan. */
static bool make(struct fftw *made, int64_t n, int sign, void *memory)
{
    const fftw_iodim64 line = {.n = n, .is = 1, .os = 1};
    const fftwf_iodim64 line_f32 = {.n = n, .is = 1, .os = 1};
    const int direction = sign < 0 ? FFTW_FORWARD : FFTW_BACKWARD;
    if (made->real == FLT_REAL_F64) {
        made->as.f64 =
            fftw_plan_guru64_dft(1, &line, 0, NULL, memory, memory, direction, FFTW_ESTIMATE);
        return made->as.f64;
    }
    made->as.f32 =
        fftwf_plan_guru64_dft(1, &line_f32, 0, NULL, memory, memory, direction, FFTW_ESTIMATE);
    return made->as.f32;
}

static enum flt_status plan(void **out, int64_t n, int sign, enum flt_real real)
{
    const size_t sample = real == FLT_REAL_F64 ? sizeof(fftw_complex) : sizeof(fftwf_complex);
    if (n < 1 || (uint64_t)n > (SIZE_MAX - ALIGNMENT) / sample)
        return FLT_UNSUPPORTED;
    struct fftw *const made = malloc(sizeof *made);
    const size_t bytes = ((size_t)n * sample + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *const memory = aligned_alloc(ALIGNMENT, bytes);
    enum flt_status status = FLT_NO_MEMORY;
    if (made && memory) {
        made->real = real;
        pthread_mutex_lock(&planner);
        status = make(made, n, sign, memory) ? FLT_OK : FLT_UNSUPPORTED;
        pthread_mutex_unlock(&planner);
    }
    free(memory);
    if (status == FLT_OK)
        *out = made;
    else
        free(made);
    return status;
}

static size_t scratch(const void *plan)
{
    (void)plan;
    return 0;
}

static void execute(const void *plan, void *line, void *memory)
{
    const struct fftw *const made = plan;
    (void)memory;
    if (made->real == FLT_REAL_F64)
        fftw_execute_dft(made->as.f64, line, line);
    else
        fftwf_execute_dft(made->as.f32, line, line);
}

static void destroy(void *plan)
{
    struct fftw *const made = plan;
    pthread_mutex_lock(&planner);
    if (made->real == FLT_REAL_F64)
        fftw_destroy_plan(made->as.f64);
    else
        fftwf_destroy_plan(made->as.f32);
    pthread_mutex_unlock(&planner);
    free(made);
}

const struct flt_fft flt_fft_fftw = {"FFTW", plan, scratch, execute, destroy};
