/* Arrays of particles: what they hold is what arrays of pixels hold, to the bit. */
#include "dense.h"
#include "volumes.h"

#include "../../share.h"

/* settings_of_balls as flt_apr_place takes them. */
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
    p.room = given_of(bytes_of(v.extent, FLT_APR_ROOM_BYTES));
    p.apr = (struct flt_apr *)(void *)p.memory.at;
    p.level = malloc(p.samples);
    memcpy(lost, v.pixel, p.samples * sizeof *lost);
    flt_apr_place(v.extent, lost, setting, p.apr, p.memory.bytes, p.room.at, p.room.bytes, threads);
    memcpy(lost, v.pixel, p.samples * sizeof *lost);
    dense_levels(v.extent, lost, setting, p.level, p.room.at, p.room.bytes, threads);
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
    for (int i = 0; i < share_of(60); i++) {
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
    for (int i = 0; i < share_of(60); i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        float *value = malloc(p.particles * sizeof *value);
        flt_apr_cell_means(p.apr, p.v.pixel, value, p.room.at, p.room.bytes, thread_counts[i % 3]);
        float *pixel = spread_of(&p, value);
        dense_means(p.v.extent, p.v.pixel, p.level, p.room.at, p.room.bytes, 2);
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
    dense_convolve(p->v.extent, want, p->level, kernel, form, p->room.at, p->room.bytes, 2);
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
    for (int i = 0; i < share_of(150); i++) {
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

/* What is even stays so where the weights are one together, to rounding, at borders that repeat. */
static void even_images_stay_even(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++)
        for (int32_t border = FLT_APR_REFLECT101; border <= FLT_APR_CLAMP; border++) {
            const int64_t *n = volume_shapes[s];
            struct packed p = packed_of(volume_of_balls(n[0], n[1], n[2], (uint64_t)s + 90), 2);
            const int32_t form[] = {2, 3, 5, border, border, border, FLT_APR_RESTRICTED};
            float kernel[30], *value = malloc(2 * p.particles * sizeof *value);
            for (int i = 0; i < 30; i++)
                kernel[i] = (float)(i % 7 + 1) / 115;
            for (size_t i = 0; i < p.particles; i++)
                value[i] = 3;
            flt_apr_cell_convolve(p.apr, value, value + p.particles, kernel, form, p.room.at,
                                  p.room.bytes, 2);
            for (size_t i = 0; i < p.particles; i++)
                assert_true(fabsf(value[p.particles + i] - 3) < 2e-6f * 3);
            free(value);
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

/* Rows so long that they are done in parts. */
static void long_rows_are_done_in_parts(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 2000}, {3, 18, 1291}, {17, 2, 641}, {1, 33, 700}};
    static const int32_t forms[][3] = {{3, 3, 3}, {1, 1, 19}, {2, 5, 13}, {1, 1, 200}, {19, 1, 1}};
    uint64_t random = 5;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const int64_t *n = shapes[s];
        struct packed p = packed_of(volume_of_balls(n[0], n[1], n[2], s + 7), 2);
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            int32_t form[7];
            memcpy(form, forms[f], sizeof forms[f]);
            for (int a = 0; a < 3; a++)
                form[3 + a] = (int32_t)(volume_random(&random) % 3);
            form[6] = (int32_t)(f % 3);
            expect_convolution(&p, form, &random, thread_counts[f % 3]);
        }
        packed_free(&p);
    }
}

/* Nodes from pixels of the level below, written down once more. */
static float reduced(enum flt_apr_node kind, const float v[8])
{
    float r = v[0];
    if (kind == FLT_APR_MEAN)
        return 0.125f * (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]);
    for (int k = 1; k < 8; k++)
        r = kind == FLT_APR_LEAST ? (v[k] < r ? v[k] : r) : (v[k] > r ? v[k] : r);
    return r;
}

static void expect_nodes(const struct packed *p, enum flt_apr_node kind, const float *value,
                         const float *node)
{
    for (int coarser = 1; coarser <= p->apr->levels; coarser++) {
        const int l = p->apr->levels - coarser;
        const int32_t *n = p->apr->extent[l + 1], *m = p->apr->extent[l];
        const int64_t first[3] = {0}, of_n[3] = {n[0], n[1], n[2]};
        float *below = malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof *below);
        flt_apr_spread_box(p->apr, value, node, sizeof *value, coarser - 1, first, of_n, below, 2);
        for (int64_t r = 0; r < (int64_t)m[0] * m[1]; r++)
            for (uint64_t i = p->apr->nodes.row[l][r]; i < p->apr->nodes.row[l][r + 1]; i++)
                for (uint32_t k = 0; k < p->apr->nodes.run[i].count; k++) {
                    const int64_t x = (int64_t)p->apr->nodes.run[i].first + k;
                    float v[8];
                    for (int q = 0; q < 8; q++) {
                        const int64_t c[3] = {2 * (r / m[1]) + q / 4, 2 * (r % m[1]) + q / 2 % 2,
                                              2 * x + q % 2};
                        int64_t at = 0;
                        for (int a = 0; a < 3; a++)
                            at = at * n[a] + (c[a] < n[a] ? c[a] : n[a] - 1);
                        v[q] = below[at];
                    }
                    const float want = reduced(kind, v);
                    expect_same(&node[p->apr->nodes.run[i].at + k], &want, sizeof want);
                }
        free(below);
    }
}

static void nodes_are_of_cells_below(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int i = 0; i < share_of(60); i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        float *value = malloc(p.particles * sizeof *value),
              *node = malloc((p.apr->nodes.count + 1) * sizeof *node);
        for (int kind = FLT_APR_MEAN; kind <= FLT_APR_GREATEST; kind++) {
            for (size_t k = 0; k < p.particles; k++)
                value[k] = i % 4 ? any_value(&random) : -0.f;
            flt_apr_cell_nodes(p.apr, value, (enum flt_apr_node)kind, node, thread_counts[i % 3]);
            expect_nodes(&p, (enum flt_apr_node)kind, value, node);
        }
        free(value);
        free(node);
        packed_free(&p);
    }
}

/* Any part of pixels, at any level, of values of any width. */
static void expect_box(const struct packed *p, size_t each, int coarser, uint64_t *random,
                       int threads)
{
    const struct flt_apr *apr = p->apr;
    const int32_t *n = apr->extent[apr->levels - coarser];
    int64_t first[3], extent[3], samples = 1;
    for (int a = 0; a < 3; a++) {
        first[a] = (int64_t)(volume_random(random) % (uint64_t)n[a]);
        extent[a] = 1 + (int64_t)(volume_random(random) % (uint64_t)(n[a] - first[a]));
        samples *= extent[a];
    }
    unsigned char *value = malloc(p->particles * each), *node = malloc(apr->nodes.count * each + 1);
    for (size_t i = 0; i < p->particles * each; i++)
        value[i] = (unsigned char)volume_random(random);
    for (size_t i = 0; i < apr->nodes.count * each; i++)
        node[i] = (unsigned char)volume_random(random);
    struct given out = given_of((size_t)samples * each);
    flt_apr_spread_box(apr, value, coarser ? node : NULL, each, coarser, first, extent, out.at,
                       threads);
    for (int k = 0; k < 2; k++) {
        const struct flt_apr_cells *cells = k ? &apr->nodes : &apr->particles;
        for (int l = k ? apr->levels - coarser : cells->least; l <= apr->levels - coarser; l++) {
            const int32_t *e = apr->extent[l];
            const int shift = apr->levels - coarser - l;
            if (l > cells->greatest)
                continue;
            for (int64_t i = 0; i < samples; i++) {
                const int64_t z = (first[0] + i / (extent[1] * extent[2])) >> shift,
                              y = (first[1] + i / extent[2] % extent[1]) >> shift,
                              x = (first[2] + i % extent[2]) >> shift, r = z * e[1] + y;
                for (uint64_t q = cells->row[l][r]; q < cells->row[l][r + 1]; q++) {
                    const struct flt_apr_run *run = &cells->run[q];
                    if (x >= run->first && x < (int64_t)run->first + run->count)
                        expect_same(out.at + (size_t)i * each,
                                    (k ? node : value) +
                                        (run->at + (uint64_t)(x - run->first)) * each,
                                    each);
                }
            }
        }
    }
    give_back(&out);
    free(value);
    free(node);
}

static void boxes_have_values_of_particles(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int i = 0; i < share_of(80); i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        for (size_t each = 1; each <= 8; each *= 2)
            for (int coarser = 0; coarser <= 2 && coarser <= p.apr->levels; coarser++)
                expect_box(&p, each, coarser, &random, thread_counts[i % 3]);
        packed_free(&p);
    }
}

static void particles_know_their_cells(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (int i = 0; i < share_of(40); i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        const struct flt_apr_cells *cells = &p.apr->particles;
        int32_t *place[3];
        uint8_t *level = malloc(p.particles);
        uint64_t at = 0;
        for (int a = 0; a < 3; a++)
            place[a] = malloc(p.particles * sizeof *place[a]);
        flt_apr_cell_levels(p.apr, level, thread_counts[i % 3]);
        flt_apr_cell_places(p.apr, place[0], place[1], place[2], thread_counts[i % 3]);
        for (int l = cells->least; l <= cells->greatest; l++) {
            const int32_t *e = p.apr->extent[l];
            for (int64_t r = 0; r < (int64_t)e[0] * e[1]; r++)
                for (uint64_t q = cells->row[l][r]; q < cells->row[l][r + 1]; q++)
                    for (uint32_t k = 0; k < cells->run[q].count; k++, at++) {
                        assert_int_equal(level[at], l);
                        assert_int_equal(place[0][at], r / e[1]);
                        assert_int_equal(place[1][at], r % e[1]);
                        assert_int_equal(place[2][at], cells->run[q].first + k);
                    }
        }
        assert_int_equal(at, p.particles);
        flt_apr_cell_places(p.apr, NULL, NULL, place[0], 1);
        expect_same(place[0], place[2], p.particles * sizeof *place[0]);
        for (int a = 0; a < 3; a++)
            free(place[a]);
        free(level);
        packed_free(&p);
    }
}

/* ---- Functions of one's own ---- */

/* The greatest of a window, and what the function was told. */
struct seen {
    int levels;
};

static void greatest_of_window(const void *context, const struct flt_apr_window *w, int64_t count,
                               float *out)
{
    const struct seen *seen = context;
    assert_true(count > 0 && count % FLT_APR_LANES == 0 && (uintptr_t)out % 64 == 0);
    assert_true(w->lines == 1 || w->lines == 2);
    assert_int_equal(w->level + w->shift, seen->levels);
    for (int k = 0; k < w->lines; k++)
        for (int64_t q = 0; q < count; q++) {
            float most = -INFINITY;
            for (int i = 0; i < w->extent[0]; i++)
                for (int j = 0; j < w->extent[1]; j++)
                    for (int m = 0; m < w->extent[2]; m++) {
                        const float v = w->row[i * w->pitch + j + k][w->x + w->first[2] + m + q];
                        most = v > most ? v : most;
                    }
            out[k * w->out_pitch + q] = most;
        }
}

static float greatest_around(const struct packed *p, const float *grid, const int32_t n[3],
                             const struct flt_apr_windows *w, const struct flt_apr_reach *reach,
                             const int64_t c[3])
{
    float most = -INFINITY;
    (void)p;
    for (int i = 0; i < reach->extent[0] * reach->extent[1] * reach->extent[2]; i++) {
        const int64_t d[3] = {i / (reach->extent[1] * reach->extent[2]),
                              i / reach->extent[2] % reach->extent[1], i % reach->extent[2]};
        int64_t at = 0;
        bool outside = false;
        for (int a = 0; a < 3; a++) {
            int64_t x = c[a] + reach->first[a] + d[a];
            while (x < 0 || x >= n[a]) {
                outside = outside || w->border[a] == FLT_APR_ZERO;
                x = w->border[a] != FLT_APR_REFLECT101 || n[a] == 1 ? (x < 0 ? 0 : n[a] - 1)
                    : x < 0                                         ? -x
                                                                    : 2 * ((int64_t)n[a] - 1) - x;
            }
            at = at * n[a] + x;
        }
        const float v = outside ? 0 : grid[at];
        most = v > most ? v : most;
    }
    return most;
}

/* Windows that do not begin at the middle, and others for each of three levels. */
static void functions_see_their_windows(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int i = 0; i < share_of(60); i++) {
        struct packed p = packed_of(any_volume(&random), 2);
        struct flt_apr_reach reach[3];
        struct flt_apr_windows w = {.reach = reach, .reaches = 1 + i % 3};
        const struct seen seen = {p.apr->levels};
        float *value = malloc(p.particles * sizeof *value),
              *out = malloc(p.particles * sizeof *out),
              *node = malloc((p.apr->nodes.count + 1) * sizeof *node);
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++) {
                reach[k].extent[a] = 1 + (int32_t)(volume_random(&random) % 6);
                reach[k].first[a] =
                    2 - (int32_t)(volume_random(&random) % (uint64_t)(reach[k].extent[a] + 4));
                w.border[a] = (int32_t)(volume_random(&random) % 3);
            }
        for (size_t k = 0; k < p.particles; k++)
            value[k] = any_value(&random);
        flt_apr_cell_nodes(p.apr, value, FLT_APR_GREATEST, node, 1);
        w.node = node;
        flt_apr_cells_each(p.apr, value, out, &w, greatest_of_window, &seen, p.room.at,
                           p.room.bytes, thread_counts[i / 3 % 3]);
        for (int l = p.apr->particles.least; l <= p.apr->levels; l++) {
            const int32_t *n = p.apr->extent[l];
            const int shift = p.apr->levels - l;
            const int64_t first[3] = {0}, extent[3] = {n[0], n[1], n[2]};
            float *grid = malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof *grid);
            flt_apr_spread_box(p.apr, value, node, sizeof *value, shift, first, extent, grid, 1);
            for (int64_t r = 0; r < extent[0] * extent[1]; r++)
                for (uint64_t q = p.apr->particles.row[l][r]; q < p.apr->particles.row[l][r + 1];
                     q++)
                    for (uint32_t k = 0; k < p.apr->particles.run[q].count; k++) {
                        const int64_t c[3] = {r / n[1], r % n[1],
                                              (int64_t)p.apr->particles.run[q].first + k};
                        const float want = greatest_around(
                            &p, grid, n, &w, &reach[shift < w.reaches ? shift : w.reaches - 1], c);
                        assert_true(out[p.apr->particles.run[q].at + k] == want);
                    }
            free(grid);
        }
        free(value);
        free(out);
        free(node);
        packed_free(&p);
    }
}

/* ---- Memory ---- */

/* What a pool takes for a block. */
static uint64_t block(uint64_t bytes)
{
    return (bytes + 2 * 64 + 63) / 64 * 64;
}

/* The most that a structure of these extents may take: in each row as many runs as fit in, which at
 * the finest level are of pairs. */
static uint64_t most_bytes(const int64_t pixels[3])
{
    int64_t n[3] = {pixels[0], pixels[1], pixels[2]}, longest = 1;
    uint64_t bytes = block(sizeof(struct flt_apr)), runs = 1, node_runs = 1;
    uint64_t tiles[3] = {1, 1, 1};
    static const int64_t shapes[3][2] = {{16, 16}, {64, 8}, {8, 64}};
    int levels = 1;
    for (int a = 0; a < 3; a++)
        longest = n[a] > longest ? n[a] : longest;
    while ((int64_t)1 << levels < longest)
        levels++;
    for (int l = levels; l >= 0; l--) {
        const uint64_t rows = (uint64_t)(n[0] * n[1]), in_row = (uint64_t)(n[2] + 1) / 2;
        if (l > 0) {
            bytes += block(8 * (rows + 1));
            runs += rows * (l == levels ? (in_row + 1) / 2 : in_row);
            for (int s = 0; s < 3; s++)
                tiles[s] +=
                    (uint64_t)(((n[0] - 1) / shapes[s][0] + 1) * ((n[1] - 1) / shapes[s][1] + 1));
        }
        if (l < levels) {
            bytes += block(8 * (rows + 1));
            node_runs += rows * in_row;
        }
        for (int a = 0; a < 3; a++)
            n[a] = (n[a] + 1) / 2;
    }
    bytes +=
        block(runs * sizeof(struct flt_apr_run)) + block(node_runs * sizeof(struct flt_apr_run));
    for (int s = 0; s < 3; s++)
        bytes += block(tiles[s] * 20);
    return bytes;
}

static void structures_fit_their_memory(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int i = 0; i < 200000; i++) {
        int64_t n[3];
        for (int a = 0; a < 3; a++) {
            const uint64_t bits = volume_random(&random) % (i % 2 ? 13 : 6);
            n[a] = 1 + (int64_t)(volume_random(&random) % ((uint64_t)1 << bits));
        }
        assert_true(most_bytes(n) <= bytes_of(n, FLT_APR_STRUCTURE_BYTES));
    }
}

/* Of thin images, whose lines are long, with as many threads as there may be. */
static void threads_fit_the_room(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 20000}, {1, 20000, 1}, {20000, 1, 1},
                                        {2, 1, 9000},  {128, 129, 1}, {1, 2, 8193}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const int64_t *n = shapes[s];
        struct packed p = packed_of(volume_of_balls(n[0], n[1], n[2], s), 100);
        struct flt_apr *apr = apr_of(&p.v);
        assert_true(p.particles > 0);
        same_cells(p.apr, apr);
        flt_apr_destroy(apr);
        packed_free(&p);
    }
}

/* Too little memory: nothing is written behind it, and the structure has no particles. */
static void too_little_memory_makes_no_structure(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int i = 0; i < share_of(40); i++) {
        struct volume v = volume_of_balls(9, 21, 30, 3);
        struct given room = given_of(bytes_of(v.extent, FLT_APR_ROOM_BYTES) / (i % 2 ? 1 : 8)),
                     memory = given_of(volume_random(&random) % 20000);
        struct flt_apr *apr = (struct flt_apr *)(void *)memory.at;
        flt_apr_place(v.extent, v.pixel, setting, apr, memory.bytes, room.at, room.bytes, 2);
        if (memory.bytes >= sizeof *apr)
            assert_true(apr->particles.count == 0 || apr->tiles[0] > 0);
        give_back(&room);
        give_back(&memory);
        free(v.pixel);
    }
}

/* Enough for several threads everywhere. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    const int64_t n[3] = {41, 56, 60};
    uint64_t random = 10;
    for (int i = 0; i < 3; i++) {
        struct packed one = packed_of(volume_of_balls(n[0], n[1], n[2], 77), 1),
                      p = packed_of(volume_of_balls(n[0], n[1], n[2], 77), thread_counts[i]);
        float *value = malloc(p.particles * sizeof *value), *pixel[2];
        static const int32_t form[] = {5, 4, 3, 0, 1, 2, FLT_APR_RESTRICTED};
        same_cells(one.apr, p.apr);
        for (int k = 0; k < 2; k++) {
            struct packed *of = k ? &p : &one;
            flt_apr_cell_means(of->apr, of->v.pixel, value, of->room.at, of->room.bytes,
                               k ? thread_counts[i] : 1);
            pixel[k] = malloc(p.samples * sizeof *pixel[k]);
            flt_apr_spread(of->apr, value, sizeof *value, pixel[k], k ? thread_counts[i] : 1);
        }
        expect_same(pixel[0], pixel[1], p.samples * sizeof *pixel[0]);
        expect_convolution(&p, form, &random, thread_counts[i]);
        free(pixel[0]);
        free(pixel[1]);
        free(value);
        packed_free(&one);
        packed_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_are_those_of_create),
        cmocka_unit_test(means_are_those_of_pixels),
        cmocka_unit_test(convolutions_are_those_of_pixels),
        cmocka_unit_test(even_images_stay_even),
        cmocka_unit_test(large_kernels_fit_the_room),
        cmocka_unit_test(long_rows_are_done_in_parts),
        cmocka_unit_test(nodes_are_of_cells_below),
        cmocka_unit_test(boxes_have_values_of_particles),
        cmocka_unit_test(particles_know_their_cells),
        cmocka_unit_test(functions_see_their_windows),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(structures_fit_their_memory),
        cmocka_unit_test(threads_fit_the_room),
        cmocka_unit_test(too_little_memory_makes_no_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
