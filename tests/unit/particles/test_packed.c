/* Arrays of particles: what they hold is what arrays of pixels hold, to the bit. */
#include "volumes.h"

#include <sys/types.h>

/* settings_of_balls as flt_apr_levels takes them. */
static const float setting[] = {0.1f, 3, 100, 50, 15, 0, 2, 1, 1, 1};

static size_t bytes_of(const int64_t n[], size_t each)
{
    return each * (size_t)((n[0] / 2 + 13) * (n[1] / 2 + 13) * (n[2] / 2 + 13));
}

/* Memory of exactly so many bytes on a boundary of 64, and a canary behind them. */
enum { CANARY = 0xA5, CANARY_BYTES = 256 };
struct given {
    size_t bytes;
    unsigned char *at;
};

static struct given given_of(size_t bytes)
{
    struct given g = {bytes, aligned_alloc(64, (bytes + CANARY_BYTES + 63) / 64 * 64)};
    memset(g.at, 0x5A, bytes);
    memset(g.at + bytes, CANARY, CANARY_BYTES);
    return g;
}

static void give_back(struct given *g)
{
    for (int i = 0; i < CANARY_BYTES; i++)
        assert_int_equal(g->at[g->bytes + (size_t)i], CANARY);
    free(g->at);
}

/* A structure in given memory, its pixels' levels, and room. */
struct packed {
    struct volume v;
    struct given memory, room;
    struct flt_apr *apr;
    uint8_t *level;
    size_t samples, particles;
};

static struct packed packed_of(struct volume v, int threads)
{
    struct packed p = {.v = v, .samples = volume_samples(&v)};
    float *lost = malloc(p.samples * sizeof *lost);
    p.memory = given_of(bytes_of(v.extent, FLT_APR_STRUCTURE_BYTES));
    p.room = given_of(bytes_of(v.extent, FLT_APR_DENSE_BYTES));
    p.apr = (struct flt_apr *)(void *)p.memory.at;
    p.level = malloc(p.samples);
    memcpy(lost, v.pixel, p.samples * sizeof *lost);
    flt_apr_place(v.extent, lost, setting, p.apr, p.memory.bytes, p.room.at, p.room.bytes, threads);
    memcpy(lost, v.pixel, p.samples * sizeof *lost);
    flt_apr_levels(v.extent, lost, setting, p.level, p.room.at, p.room.bytes, threads);
    free(lost);
    p.particles = p.apr->particles.count;
    return p;
}

static void packed_free(struct packed *p)
{
    give_back(&p->memory);
    give_back(&p->room);
    free(p->level);
    free(p->v.pixel);
}

static void expect_same(const void *a, const void *b, size_t bytes)
{
    assert_memory_equal(a, b, bytes);
}

/* Any volume of 1 to 40 samples an axis; some are thin. */
static struct volume any_volume(uint64_t *state)
{
    int64_t n[3];
    const uint64_t thin = volume_random(state) % 8;
    for (int a = 0; a < 3; a++)
        n[a] = thin >> a & 1 ? 1 + (int64_t)(volume_random(state) % 3)
                             : 1 + (int64_t)(volume_random(state) % 40);
    struct volume v = volume_of_balls(n[0], n[1], n[2], volume_random(state));
    return v;
}

static const int thread_counts[] = {1, 2, 5};

static void same_cells(const struct flt_apr *a, const struct flt_apr *b)
{
    const struct flt_apr_cells *of_a[] = {&a->particles, &a->nodes},
                               *of_b[] = {&b->particles, &b->nodes};
    assert_int_equal(a->levels, b->levels);
    expect_same(a->extent, b->extent, sizeof a->extent[0] * (size_t)(a->levels + 1));
    for (int k = 0; k < 2; k++) {
        uint64_t runs = 0;
        assert_int_equal(of_a[k]->count, of_b[k]->count);
        for (int l = of_a[k]->least; l <= of_a[k]->greatest; l++) {
            const size_t rows = (size_t)a->extent[l][0] * (size_t)a->extent[l][1];
            expect_same(of_a[k]->row[l], of_b[k]->row[l], (rows + 1) * sizeof(uint64_t));
            runs = of_a[k]->row[l][rows];
        }
        expect_same(of_a[k]->run, of_b[k]->run, runs * sizeof(struct flt_apr_run));
    }
}

static void structures_are_those_of_create(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 60; i++) {
        struct packed p = packed_of(any_volume(&random), thread_counts[i % 3]);
        struct flt_apr *apr = apr_of(&p.v);
        uint8_t *level = levels_of_pixels(p.apr);
        same_cells(p.apr, apr);
        expect_same(level, p.level, p.samples);
        free(level);
        flt_apr_destroy(apr);
        packed_free(&p);
    }
}

/* What particles have, at their pixels. */
static float *spread_of(const struct packed *p, const float *value)
{
    float *pixel = malloc(p->samples * sizeof *pixel);
    flt_apr_spread(p->apr, value, sizeof *value, pixel, 2);
    return pixel;
}

static void means_are_those_of_pixels(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 60; i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        float *value = malloc(p.particles * sizeof *value);
        flt_apr_cell_means(p.apr, p.v.pixel, value, p.room.at, p.room.bytes, thread_counts[i % 3]);
        float *pixel = spread_of(&p, value);
        flt_apr_means(p.v.extent, p.v.pixel, p.level, p.room.at, p.room.bytes, 2);
        expect_same(pixel, p.v.pixel, p.samples * sizeof *pixel);
        free(pixel);
        free(value);
        packed_free(&p);
    }
}

/* Any values: negative ones, zeros of both signs. */
static float any_value(uint64_t *state)
{
    const uint64_t r = volume_random(state);
    return r % 16 == 0 ? 0.f : r % 16 == 1 ? -0.f : ((float)(r % 20011) - 10000) / 77;
}

static void expect_convolution(struct packed *p, const int32_t form[], uint64_t *random,
                               int threads)
{
    const size_t weights = (size_t)form[0] * (size_t)form[1] * (size_t)form[2];
    float *kernel = malloc(weights * sizeof *kernel), *value = malloc(p->particles * sizeof *value),
          *out = malloc(p->particles * sizeof *out);
    for (size_t i = 0; i < weights; i++)
        kernel[i] = any_value(random);
    for (size_t i = 0; i < p->particles; i++)
        value[i] = any_value(random);
    flt_apr_cell_convolve(p->apr, value, out, kernel, form, p->room.at, p->room.bytes, threads);
    float *want = spread_of(p, value), *pixel = spread_of(p, out);
    flt_apr_convolve(p->v.extent, want, p->level, kernel, form, p->room.at, p->room.bytes, 2);
    expect_same(pixel, want, p->samples * sizeof *pixel);
    free(kernel);
    free(value);
    free(out);
    free(want);
    free(pixel);
}

static void convolutions_are_those_of_pixels(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 150; i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        for (int k = 0; k < 3; k++) {
            int32_t form[7];
            const bool cubic = volume_random(&random) % 2;
            for (int a = 0; a < 3; a++) {
                form[a] = 1 + (int32_t)(volume_random(&random) % 13);
                form[3 + a] = (int32_t)(volume_random(&random) % 3);
            }
            if (cubic)
                form[0] = form[1] = form[2];
            form[6] = (int32_t)(volume_random(&random) % 3);
            expect_convolution(&p, form, &random, thread_counts[(i + k) % 3]);
        }
        packed_free(&p);
    }
}

/* Kernels of as many weights as there may be, and of images of hardly any samples. */
static void large_kernels_fit_the_room(void **state)
{
    (void)state;
    static const int32_t forms[][3] = {{4096, 1, 1}, {1, 4096, 1}, {1, 1, 4096}, {64, 64, 1},
                                       {64, 1, 64},  {1, 64, 64},  {16, 16, 16}, {19, 1, 1},
                                       {1, 19, 1},   {1, 1, 19},   {2, 2, 1024}};
    static const int64_t shapes[][3] = {{1, 1, 1},  {2, 2, 2},  {1, 1, 16}, {1, 16, 1},
                                        {16, 1, 1}, {5, 6, 7},  {12, 1, 9}, {1, 20, 3},
                                        {1, 1, 31}, {31, 1, 1}, {11, 10, 9}};
    uint64_t random = 4;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const int64_t *n = shapes[s];
        struct packed p = packed_of(volume_of_balls(n[0], n[1], n[2], s), 2);
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            int32_t form[7];
            memcpy(form, forms[f], sizeof forms[f]);
            for (int a = 0; a < 3; a++)
                form[3 + a] = (int32_t)(volume_random(&random) % 3);
            form[6] = (int32_t)(volume_random(&random) % 3);
            if (form[6] == FLT_APR_RESTRICTED && volume_samples(&p.v) > 1000)
                form[6] = FLT_APR_RESCALED; /* the slow one */
            expect_convolution(&p, form, &random, thread_counts[f % 3]);
        }
        packed_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_are_those_of_create),
        cmocka_unit_test(means_are_those_of_pixels),
        cmocka_unit_test(convolutions_are_those_of_pixels),
        cmocka_unit_test(large_kernels_fit_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
