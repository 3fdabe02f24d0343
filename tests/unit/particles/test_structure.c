/* What holds of every structure, and what it is made of. */
#include "volumes.h"

static void cells_tile_the_image(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++) {
        struct volume v = volume_of_balls(volume_shapes[s][0], volume_shapes[s][1],
                                          volume_shapes[s][2], (uint64_t)s);
        struct flt_apr *apr = apr_of(&v);
        free(levels_of_pixels(apr));
        flt_apr_destroy(apr);
        free(v.pixel);
    }
}

/* Also at corners. */
static void neighbours_differ_by_a_level(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++) {
        const int64_t *n = volume_shapes[s];
        struct volume v = volume_of_balls(n[0], n[1], n[2], (uint64_t)s + 100);
        struct flt_apr *apr = apr_of(&v);
        uint8_t *level = levels_of_pixels(apr);
        for (int64_t i = 0; i < n[0] * n[1] * n[2]; i++)
            for (int k = 0; k < 27; k++) {
                const int64_t z = i / (n[1] * n[2]) + k / 9 - 1,
                              y = i / n[2] % n[1] + k / 3 % 3 - 1, x = i % n[2] + k % 3 - 1;
                if (z < 0 || z >= n[0] || y < 0 || y >= n[1] || x < 0 || x >= n[2])
                    continue;
                const int other = level[(z * n[1] + y) * n[2] + x];
                assert_true(abs(other - level[i]) <= 1);
            }
        free(level);
        flt_apr_destroy(apr);
        free(v.pixel);
    }
}

/* Where particles are as fine as pixels, rows 2 y and 2 y + 1 of planes 2 z and 2 z + 1 have the
 * same ones, in pairs. */
static void finest_rows_are_alike(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(32, 40, 48, 5);
    struct flt_apr *apr = apr_of(&v);
    const uint64_t *row = apr->particles.row[apr->levels];
    for (int64_t z = 0; z < 32; z++)
        for (int64_t y = 0; y < 40; y++) {
            const uint64_t *own = row + z * 40 + y, *first = row + z / 2 * 2 * 40 + y / 2 * 2;
            assert_int_equal(own[1] - own[0], first[1] - first[0]);
            for (uint64_t i = 0; i < own[1] - own[0]; i++) {
                const struct flt_apr_run *a = &apr->particles.run[own[0] + i],
                                         *b = &apr->particles.run[first[0] + i];
                assert_int_equal(a->first, b->first);
                assert_int_equal(a->count, b->count);
                assert_int_equal(a->first % 2 + a->count % 2, 0);
            }
        }
    flt_apr_destroy(apr);
    free(v.pixel);
}

static void runs_are_in_order(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(33, 29, 41, 6);
    struct flt_apr *apr = apr_of(&v);
    const struct flt_apr_cells *all[] = {&apr->particles, &apr->nodes};
    for (int k = 0; k < 2; k++) {
        uint64_t cells = 0, runs = 0;
        for (int l = all[k]->least; l <= all[k]->greatest; l++) {
            const int64_t rows = (int64_t)apr->extent[l][0] * apr->extent[l][1];
            for (int64_t r = 0; r < rows; r++) {
                assert_int_equal(all[k]->row[l][r], runs);
                for (uint32_t end = 0; runs < all[k]->row[l][r + 1]; runs++) {
                    const struct flt_apr_run *run = &all[k]->run[runs];
                    assert_true(end == 0 || run->first > end);
                    assert_int_equal(run->at, cells);
                    cells += run->count;
                    end = run->first + run->count;
                }
            }
        }
        assert_int_equal(cells, all[k]->count);
    }
    /* each node has eight cells below, but at odd ends */
    assert_true(apr->nodes.count >= (apr->particles.count - 1) / 7);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* Interior nodes are the cells above particles, each once. */
static void nodes_are_above_particles(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(20, 33, 27, 7);
    struct flt_apr *apr = apr_of(&v);
    uint8_t *level = levels_of_pixels(apr);
    const int32_t *n = apr->extent[apr->levels];
    for (int l = 0; l < apr->levels; l++) {
        const int32_t *e = apr->extent[l];
        const int shift = apr->levels - l;
        for (int64_t c = 0; c < (int64_t)e[0] * e[1] * e[2]; c++) {
            const int64_t z = c / ((int64_t)e[1] * e[2]), y = c / e[2] % e[1], x = c % e[2];
            bool is_node = false, listed = false;
            for (int64_t k = z << shift; k < (z + 1) << shift && k < n[0]; k++)
                for (int64_t j = y << shift; j < (y + 1) << shift && j < n[1]; j++)
                    for (int64_t i = x << shift; i < (x + 1) << shift && i < n[2]; i++)
                        is_node = is_node || level[(k * n[1] + j) * n[2] + i] > l;
            const uint64_t *row = apr->nodes.row[l] + z * e[1] + y;
            for (uint64_t i = row[0]; i < row[1]; i++)
                listed = listed || (x >= apr->nodes.run[i].first &&
                                    x < apr->nodes.run[i].first + apr->nodes.run[i].count);
            assert_int_equal(listed, is_node);
        }
    }
    free(level);
    flt_apr_destroy(apr);
    free(v.pixel);
}

static bool same_cells(const struct flt_apr_cells *a, const struct flt_apr_cells *b, uint64_t runs)
{
    return a->count == b->count && memcmp(a->run, b->run, runs * sizeof *a->run) == 0;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(37, 45, 50, 8);
    struct flt_apr *one = NULL, *three = NULL;
    assert_int_equal(flt_apr_create(&one, v.pixel, v.extent, &settings_of_balls, NULL, 1), FLT_OK);
    assert_int_equal(flt_apr_create(&three, v.pixel, v.extent, &settings_of_balls, NULL, 3),
                     FLT_OK);
    const int32_t *e = one->extent[one->levels];
    const uint64_t runs = one->particles.row[one->levels][(int64_t)e[0] * e[1]];
    assert_true(same_cells(&one->particles, &three->particles, runs));
    assert_int_equal(one->nodes.count, three->nodes.count);
    flt_apr_destroy(one);
    flt_apr_destroy(three);
    free(v.pixel);
}

/* An image without signal has as few particles as can be; a needle makes what is around it fine. */
static void particles_are_where_there_is_signal(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(40, 40, 40, 9);
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] = 100;
    struct flt_apr *flat = apr_of(&v);
    assert_int_equal(flat->particles.count, 27); /* level 2 */
    for (int k = 0; k < 4; k++)
        v.pixel[(20 * 40 + 20) * 40 + 20 + k] = 20000;
    struct flt_apr *needle = apr_of(&v);
    uint8_t *level = levels_of_pixels(needle);
    assert_int_equal(level[(20 * 40 + 20) * 40 + 21], needle->levels);
    assert_true(level[0] < needle->levels);
    free(level);
    flt_apr_destroy(flat);
    flt_apr_destroy(needle);
    free(v.pixel);
}

static void no_number_is_fine(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(20, 20, 20, 10);
    v.pixel[(10 * 20 + 10) * 20 + 10] = NAN;
    struct flt_apr *apr = apr_of(&v);
    uint8_t *level = levels_of_pixels(apr);
    assert_int_equal(level[(10 * 20 + 10) * 20 + 10], apr->levels);
    free(level);
    flt_apr_destroy(apr);
    free(v.pixel);
}

static void split_boundaries_are_finer(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(40, 40, 40, 11);
    struct flt_apr_settings finer = settings_of_balls;
    struct flt_apr *usual = apr_of(&v), *split = NULL;
    finer.splits_boundary = true;
    assert_int_equal(flt_apr_create(&split, v.pixel, v.extent, &finer, NULL, 2), FLT_OK);
    assert_true(split->particles.count > usual->particles.count);
    free(levels_of_pixels(split));
    flt_apr_destroy(usual);
    flt_apr_destroy(split);
    free(v.pixel);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    const float pixel[8] = {0};
    const int64_t right[] = {2, 2, 2}, none[] = {2, 0, 2}, huge[] = {1, 1, (int64_t)1 << 31},
                  many[] = {1 << 20, 1 << 20, 2};
    struct flt_apr_settings bad = flt_apr_usual_settings;
    struct flt_apr *apr = NULL;
    assert_int_equal(flt_apr_create(NULL, pixel, right, NULL, NULL, 1), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_create(&apr, pixel, none, NULL, NULL, 1), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_create(&apr, pixel, huge, NULL, NULL, 1), FLT_TOO_LARGE);
    assert_int_equal(flt_apr_create(&apr, pixel, many, NULL, NULL, 1), FLT_TOO_LARGE);
    bad.error = 0;
    assert_int_equal(flt_apr_create(&apr, pixel, right, &bad, NULL, 1), FLT_BAD_ARGUMENT);
    bad = flt_apr_usual_settings;
    bad.spacing[1] = NAN;
    assert_int_equal(flt_apr_create(&apr, pixel, right, &bad, NULL, 1), FLT_BAD_ARGUMENT);
    assert_null(apr);
}

/* ---- Memory that fails ---- */

struct counted {
    long until_failure, outstanding;
};

static void *take_counted(void *user, size_t bytes)
{
    struct counted *c = user;
    if (c->until_failure-- == 0)
        return NULL;
    c->outstanding++;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_back_counted(void *user, void *memory)
{
    struct counted *c = user;
    c->outstanding--;
    free(memory);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(20, 21, 22, 12);
    for (long fails_at = 0;; fails_at++) {
        struct counted c = {.until_failure = fails_at};
        const struct flt_allocator allocator = {take_counted, give_back_counted, &c};
        struct flt_apr *apr = NULL;
        const enum flt_status status =
            flt_apr_create(&apr, v.pixel, v.extent, &settings_of_balls, &allocator, 2);
        if (status == FLT_OK) {
            assert_true(fails_at > 10);
            flt_apr_destroy(apr);
            assert_int_equal(c.outstanding, 0);
            break;
        }
        assert_int_equal(status, FLT_NO_MEMORY);
        assert_null(apr);
        assert_int_equal(c.outstanding, 0);
    }
    free(v.pixel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_tile_the_image),
        cmocka_unit_test(neighbours_differ_by_a_level),
        cmocka_unit_test(finest_rows_are_alike),
        cmocka_unit_test(runs_are_in_order),
        cmocka_unit_test(nodes_are_above_particles),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(particles_are_where_there_is_signal),
        cmocka_unit_test(no_number_is_fine),
        cmocka_unit_test(split_boundaries_are_finer),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
