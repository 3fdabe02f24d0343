/* Filters opened with libraries beside those that carry their own transform: every kind, extents
 * with small and large prime factors; and the libraries' tables beside the sum that defines them.
 * LIBRARIES: names of the tables to try. */
#include <math.h>
#include <pthread.h>

#include "given.h"
#include "given_wide.h"
#include "kinds.h"
#include "libraries.h"
#include "wide.h"
#ifdef WITH_FFTW
#include "flt/fft_fftw.h"
#endif
#ifdef WITH_KISSFFT
#include "flt/fft_kissfft.h"
#endif

static const struct flt_fft *const tables[] = {
#ifdef WITH_FFTW
    &flt_fft_fftw,
#endif
#ifdef WITH_KISSFFT
    &flt_fft_kissfft,
#endif
    NULL};

enum { RESULTS = 7, MOST = 128 * 130 };

/* ---- Lines ---- */

static double number_at(const void *line, int64_t i, enum flt_real real)
{
    return real == FLT_REAL_F64 ? ((const double *)line)[i] : (double)((const float *)line)[i];
}

static void try_line(const struct flt_fft *fft, int64_t n, int sign, enum flt_real real)
{
    const double turn = 6.283185307179586476925, bound = real == FLT_REAL_F64 ? 0x1p-29 : 1;
    void *plan = NULL, *line = aligned_alloc(64, (size_t)n * 64), *before = malloc((size_t)n * 64);
    uint64_t state = (uint64_t)n;
    if (real == FLT_REAL_F64 && fft->plan(&plan, n, sign, real) == FLT_UNSUPPORTED) {
        free(line);
        free(before);
        return;
    }
    if (real == FLT_REAL_F32)
        expect(fft->plan(&plan, n, sign, real) == FLT_OK, "a plan", fft->name);
    for (int64_t i = 0; i < 2 * n; i++)
        if (real == FLT_REAL_F64)
            ((double *)line)[i] = noise(&state);
        else
            ((float *)line)[i] = (float)noise(&state);
    memcpy(before, line, (size_t)n * 64);
    expect(fft->scratch(plan) <= 8 * (size_t)n * (real == FLT_REAL_F64 ? 16 : 8),
           "no more memory than 8 lines", fft->name);
    void *scratch = aligned_alloc(64, (fft->scratch(plan) + 64) / 64 * 64);
    fft->execute(plan, line, scratch);
    fft->destroy(plan);
    double error = 0, energy = 0;
    for (int64_t k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int64_t i = 0; i < n; i++) {
            const double c = cos(turn * (double)(i * k % n) / (double)n);
            const double s = sign * sin(turn * (double)(i * k % n) / (double)n);
            const double x = number_at(before, 2 * i, real), y = number_at(before, 2 * i + 1, real);
            re += x * c - y * s;
            im += x * s + y * c;
        }
        error += pow(re - number_at(line, 2 * k, real), 2) +
                 pow(im - number_at(line, 2 * k + 1, real), 2);
        energy += re * re + im * im;
    }
    /* The sum above is of f64, too. */
    expect(sqrt(error / energy) <= 5e-8 * bound * (2 + log2((double)n)) + 1e-16 * (double)n,
           "a line as its definition", fft->name);
    free(scratch);
    free(line);
    free(before);
}

/* ---- Filters ---- */

struct call {
    float in[MOST], out[RESULTS][2 * MOST];
    struct given_in image;
    struct given_a result[RESULTS - 1]; /* all real ones are alike */
    struct given_s complex;
    int32_t y, x;
};

static struct call *new_call(int32_t y, int32_t x)
{
    struct call *c = (struct call *)calloc(1, sizeof *c);
    uint64_t state = (uint64_t)(y * 1000 + x);
    if (!c)
        abort();
    for (int i = 0; i < y * x; i++)
        c->in[i] = (float)noise(&state);
    c->y = y;
    c->x = x;
    return c;
}

/* The results of the filter kinds, all of its images alike but for s. */
#define IMAGES(name, c)                                                                            \
    const struct name##_in in = {(c)->in, (c)->y, (c)->x, (c)->x, 1};                              \
    const struct name##_a a = {(c)->out[0], (c)->y, (c)->x, (c)->x, 1};                            \
    const struct name##_b b = {(c)->out[1], (c)->y, (c)->x, (c)->x, 1};                            \
    const struct name##_c d3 = {(c)->out[2], (c)->y, (c)->x, (c)->x, 1};                           \
    const struct name##_d d = {(c)->out[3], (c)->y, (c)->x, (c)->x, 1};                            \
    const struct name##_e e = {(c)->out[4], (c)->y, (c)->x, (c)->x, 1};                            \
    const struct name##_s s = {(c)->out[5], (c)->y, (c)->x, 2, (ptrdiff_t)2 * (c)->x, 2, 1};       \
    const struct name##_r r = {(c)->out[6], (c)->y, (c)->x, (c)->x, 1};

static int run_own(struct call *c)
{
    IMAGES(kinds, c)
    return kinds(&in, &a, &b, &d3, &d, &e, &s, &r, 1);
}

static int run_given(struct given_opened *opened, struct call *c, int threads)
{
    IMAGES(given, c)
    return given(opened, &in, &a, &b, &d3, &d, &e, &s, &r, threads);
}

static int has_large_factor(int64_t n)
{
    for (int p = 2; p < 14; p++)
        while (n % p == 0)
            n /= p;
    return n > 1;
}

static double distance(const float *is, const float *must_be, size_t count)
{
    double error = 0, energy = 0;
    for (size_t i = 0; i < count; i++) {
        error += pow((double)is[i] - (double)must_be[i], 2);
        energy += pow((double)must_be[i], 2);
    }
    return sqrt(error / energy);
}

/* The bound of LANGUAGE.md holds for both sides. */
static double bound_of(int result, int32_t y, int32_t x)
{
    static const struct {
        int times, transforms;
    } kind[RESULTS] = {{2, 1}, {1, 1}, {1, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 2}};
    const int32_t extent[2] = {y, x};
    double n = 1;
    int large = 0;
    for (int k = 0; k < 2; k++) {
        n *= kind[result].times * (double)extent[k];
        large |= has_large_factor(extent[k]) ||
                 (result == 0 && (has_large_factor(y - 1) || has_large_factor(x + 1)));
    }
    return 2 * 5e-8 * (2 + log2(n)) * (large ? 2 : 1) * kind[result].transforms;
}

static double worst; /* of all distances, over their bounds */

static void try_filter(const struct flt_fft *fft, struct given_opened *opened, int32_t y, int32_t x)
{
    static const char *const name[RESULTS] = {"types 1", "types 2", "types 3",       "types 4",
                                              "idxst",   "fft",     "rfft and irfft"};
    struct call *own = new_call(y, x), *one = new_call(y, x), *three = new_call(y, x);
    expect(run_own(own) == KINDS_OK, "its own transform", "a filter");
    expect(run_given(opened, one, 1) == GIVEN_OK, "one thread", fft->name);
    expect(run_given(opened, three, 3) == GIVEN_OK, "three threads", fft->name);
    expect(memcmp(one->out, three->out, sizeof one->out) == 0, "the same bits", fft->name);
    for (int i = 0; i < RESULTS; i++) {
        const size_t count = (size_t)y * (size_t)x * (i == 5 ? 2 : 1);
        const double share = distance(one->out[i], own->out[i], count) / bound_of(i, y, x);
        worst = share > worst ? share : worst;
        expect(share <= 1, name[i], fft->name);
    }
    free(own);
    free(one);
    free(three);
}

static void try_wide(const struct flt_fft *fft)
{
    enum { Z = 2, Y = 45, X = 3, ALL = Z * Y * X };
    double in[ALL], own[ALL], given[ALL];
    uint64_t state = 1;
    for (int i = 0; i < ALL; i++)
        in[i] = noise(&state);
    memset(given, 0x5a, sizeof given);
    memcpy(own, given, sizeof own);
    struct given_wide_opened *opened;
    const struct wide_in wide_in = {in, Z, Y, X, Y * X, X, 1};
    const struct wide_out wide_out = {own, Z, Y, X, Y * X, X, 1};
    const struct given_wide_in given_in = {in, Z, Y, X, Y * X, X, 1};
    const struct given_wide_out given_out = {given, Z, Y, X, Y * X, X, 1};
    expect(given_wide_open(fft, &opened) == GIVEN_WIDE_OK, "opening", fft->name);
    const int status = given_wide(opened, &given_in, 2, &given_out, 1);
    if (strcmp(fft->name, "KissFFT") == 0) {
        expect(status == GIVEN_WIDE_NO_PLAN, "no plan of f64", fft->name);
        expect(memcmp(own, given, sizeof own) == 0, "outputs are left alone", fft->name);
    } else {
        double error = 0, energy = 0;
        expect(status == GIVEN_WIDE_OK, "f64", fft->name);
        expect(wide(&wide_in, 2, &wide_out, 1) == WIDE_OK, "f64", "a filter");
        for (int i = 0; i < ALL; i++) {
            error += pow(own[i] - given[i], 2);
            energy += pow(own[i], 2);
        }
        expect(sqrt(error / energy) <= 2 * 5e-8 * 0x1p-29 * (2 + log2(Y)), "f64", fft->name);
    }
    given_wide_close(opened);
}

/* ---- Threads of the caller's ---- */

struct work {
    const struct flt_fft *fft;
    int first, good;
};

/* Plans and destroys while others do. */
static void *open_often(void *argument)
{
    struct work *work = (struct work *)argument;
    for (int i = 0; i < 12; i++) {
        struct given_opened *opened = NULL;
        struct call *c = new_call(2 + (work->first * 7 + i * 5) % 40, 3 + (work->first + i) % 50);
        struct call *alone = new_call(c->y, c->x);
        work->good += given_open(work->fft, &opened) == GIVEN_OK &&
                      run_given(opened, c, 1) == GIVEN_OK && run_own(alone) == KINDS_OK &&
                      distance(c->out[5], alone->out[5], 2 * (size_t)(c->y * c->x)) <= 1e-5;
        given_close(opened);
        free(c);
        free(alone);
    }
    return NULL;
}

static void try_threads(const struct flt_fft *fft)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    struct work work[THREADS];
    for (int i = 0; i < THREADS; i++) {
        work[i] = (struct work){fft, i, 0};
        if (pthread_create(&thread[i], NULL, open_often, &work[i]))
            abort();
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        expect(work[i].good == 12, "several threads plan at once", fft->name);
    }
}

int main(void)
{
    static const int32_t extents[][2] = {{2, 2},   {5, 7},    {16, 64},  {37, 40},  {101, 30},
                                         {33, 48}, {17, 128}, {2, 1009}, {128, 130}};
    for (const struct flt_fft *const *fft = tables; *fft; fft++) {
        struct given_opened *opened;
        for (int64_t n = 1; n < 50; n++)
            for (int sign = -1; sign < 2; sign += 2) {
                try_line(*fft, n, sign, FLT_REAL_F32);
                try_line(*fft, n, sign, FLT_REAL_F64);
            }
        try_line(*fft, 1009, -1, FLT_REAL_F32);
        try_line(*fft, 1024, -1, FLT_REAL_F32);
        expect(given_open(*fft, &opened) == GIVEN_OK, "opening", (*fft)->name);
        worst = 0;
        for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++)
            try_filter(*fft, opened, extents[i][0], extents[i][1]);
        given_close(opened);
        printf("%s: at most %.2f of the bound from the filter's own transform\n", (*fft)->name,
               worst);
        try_wide(*fft);
        try_threads(*fft);
    }
    return report("libraries");
}
