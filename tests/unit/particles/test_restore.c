/* Structures from lists of rows: what was listed comes back, and what is no structure is
 * refused. */
#include "listed.h"

static enum flt_status restore(struct flt_apr **apr, const int64_t extent[], const struct listed *l,
                               struct flt_detail *detail)
{
    return flt_apr_restore(apr, extent, &l->rows, NULL, 2, detail);
}

/* Functions of all particles find the same in both: tiles, levels, what is behind the last run. */
static void assert_same_results(const struct flt_apr *a, const struct flt_apr *b,
                                const struct volume *v)
{
    enum { TAPS = 27 };
    const int32_t form[7] = {3, 3, 3, FLT_APR_CLAMP, FLT_APR_CLAMP, FLT_APR_CLAMP, 0};
    const size_t count = a->particles.count,
                 pixels = (size_t)(v->extent[0] * v->extent[1] * v->extent[2]);
    const size_t bytes =
        (size_t)((v->extent[0] / 2 + 13) * (v->extent[1] / 2 + 13) * (v->extent[2] / 2 + 13)) *
        FLT_APR_ROOM_BYTES;
    float kernel[TAPS], *value = calloc(count, sizeof *value), *result[2];
    uint8_t *level = calloc(count, 1), *spread[2];
    void *room = aligned_alloc(64, (bytes + 63) / 64 * 64);
    for (int i = 0; i < TAPS; i++)
        kernel[i] = (float)(i % 5) - 1;
    assert_int_equal(flt_apr_sample(a, v->pixel, value, 2), FLT_OK);
    for (int i = 0; i < 2; i++) {
        const struct flt_apr *apr = i ? b : a;
        result[i] = calloc(count, sizeof **result);
        spread[i] = calloc(pixels, 1);
        flt_apr_cell_convolve(apr, value, result[i], kernel, form, room, bytes, 2);
        flt_apr_cell_levels(apr, level, 2);
        flt_apr_spread(apr, level, 1, spread[i], 2);
    }
    assert_memory_equal(result[0], result[1], count * sizeof **result);
    assert_memory_equal(spread[0], spread[1], pixels);
    for (int i = 0; i < 2; i++) {
        free(result[i]);
        free(spread[i]);
    }
    free(room);
    free(level);
    free(value);
}

static void what_was_listed_comes_back(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++)
        for (int bytes = 2; bytes <= 4; bytes += 2) {
            const int64_t *n = volume_shapes[s];
            struct volume v = volume_of_balls(n[0], n[1], n[2], (uint64_t)s + 20);
            struct flt_apr *apr = apr_of(&v), *back = NULL;
            struct listed l = listed_of(apr, 1, bytes);
            assert_int_equal(restore(&back, v.extent, &l, NULL), FLT_OK);
            assert_same_structure(apr, back);
            assert_same_results(apr, back, &v);
            flt_apr_destroy(back);
            flt_apr_destroy(apr);
            free_listed(&l);
            free(v.pixel);
        }
}

/* Levels without particles need not be listed. */
static void coarse_levels_may_be_left_out(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(33, 40, 37, 1);
    struct flt_apr *apr = apr_of(&v), *back = NULL;
    int least = 1;
    while (apr->particles.row[least][rows_of_level(apr, least)] == 0)
        least++;
    assert_true(least > 1);
    struct listed l = listed_of(apr, least, 2);
    assert_int_equal(restore(&back, v.extent, &l, NULL), FLT_OK);
    assert_same_structure(apr, back);
    flt_apr_destroy(back);
    l.rows.least--;
    assert_int_equal(restore(&back, v.extent, &l, NULL), FLT_BAD_ARGUMENT);
    assert_null(back);
    flt_apr_destroy(apr);
    free_listed(&l);
    free(v.pixel);
}

/* ---- What is refused ---- */

static void drop_last(struct listed *l)
{
    l->rows.particles--;
}
static void add_one(struct listed *l)
{
    l->rows.particles++;
}
static void no_particles(struct listed *l)
{
    l->rows.particles = 0;
}
static void more_than_pixels(struct listed *l)
{
    l->rows.particles = l->end[l->rows.rows - 1] = 33 * 40 * 37 + 1;
}
static void drop_row(struct listed *l)
{
    l->rows.rows--;
}
static void add_row(struct listed *l)
{
    l->rows.rows++;
}
static void level_0(struct listed *l)
{
    l->rows.least = 0;
}
static void level_9(struct listed *l)
{
    l->rows.least = 9;
}
static void three_bytes(struct listed *l)
{
    l->rows.bytes = 3;
}
static void no_ends(struct listed *l)
{
    l->rows.end = NULL;
}
static void no_places(struct listed *l)
{
    l->rows.x = NULL;
}
static void row_ends_too_soon(struct listed *l)
{
    l->end[l->rows.rows / 2] = 0;
}
static void row_ends_too_late(struct listed *l)
{
    l->end[l->rows.rows / 2] = l->rows.particles + 1;
}
static void row_ends_far(struct listed *l)
{
    l->end[3] = UINT64_MAX;
}
static void one_of_next_row(struct listed *l)
{
    l->end[l->rows.rows / 2]++;
}
static void twice_the_same(struct listed *l)
{
    l->x[l->rows.particles - 1] = l->x[l->rows.particles - 2];
}
static void descending(struct listed *l)
{
    l->x[l->rows.particles - 2] = (uint16_t)(l->x[l->rows.particles - 1] + 1);
}
static void outside(struct listed *l)
{
    l->x[l->rows.particles - 1] = 37;
}
static void far_outside(struct listed *l)
{
    l->x[0] = UINT16_MAX;
}
/* An odd place of the finest level, whose pair is not there. */
static void moved(struct listed *l)
{
    uint64_t i = l->rows.particles - 1;
    while (i > 0 && (l->x[i] != l->x[i - 1] + 1 || l->x[i] >= 36 || l->x[i] == 0))
        i--;
    l->x[i]++;
}
/* The first particle, of a coarse level, goes to the end of the row before it. */
static void left_out(struct listed *l)
{
    memmove(l->x, l->x + 1, (l->rows.particles - 1) * sizeof *l->x);
    for (uint64_t r = 0; r < l->rows.rows; r++)
        l->end[r] -= l->end[r] > 0;
    l->rows.particles--;
}
/* Every cell of level 1 in addition. */
static void overlapping(struct listed *l)
{
    uint16_t *x = malloc((l->rows.particles + 8) * sizeof *x);
    for (int i = 0; i < 8; i++)
        x[i] = (uint16_t)(i % 2);
    memcpy(x + 8, l->x, l->rows.particles * sizeof *x);
    for (uint64_t r = 0; r < l->rows.rows; r++)
        l->end[r] += r < 4 ? 2 * (r + 1) : 8;
    free(l->x);
    l->rows.x = l->x = x;
    l->rows.particles += 8;
}

static const struct {
    const char *says;
    void (*damage)(struct listed *);
} refusals[] = {{"the last row ends behind particle", drop_last},
                {"the last row ends behind particle", add_one},
                {"there are 0 particles", no_particles},
                {"particles for 48840 pixels", more_than_pixels},
                {"rows, but levels 1 to 6 have", drop_row},
                {"rows, but levels 1 to 6 have", add_row},
                {"level 0 is none of the image's, 1 to 6", level_0},
                {"level 9 is none of the image's", level_9},
                {"have 3 bytes, not 2 or 4", three_bytes},
                {"an argument is NULL", no_ends},
                {"an argument is NULL", no_places},
                {"ends before it begins, or behind", row_ends_too_soon},
                {"ends before it begins, or behind", row_ends_too_late},
                {"ends before it begins, or behind", row_ends_far},
                {"row ", one_of_next_row},
                {"outside of the image or not in ascending order", twice_the_same},
                {"outside of the image or not in ascending order", descending},
                {"outside of the image or not in ascending order", outside},
                {"outside of the image or not in ascending order", far_outside},
                {"cells overlap, or some of the image lies in none", moved},
                {"cells overlap, or some of the image lies in none", left_out},
                {"cells overlap, or some of the image lies in none", overlapping}};

static void wrong_rows_are_refused(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(33, 40, 37, 2);
    struct flt_apr *apr = apr_of(&v);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct listed l = listed_of(apr, 1, 2);
        struct flt_apr *back = apr;
        struct flt_detail detail = {""};
        refusals[i].damage(&l);
        assert_int_equal(restore(&back, v.extent, &l, &detail), FLT_BAD_ARGUMENT);
        assert_null(back);
        if (!strstr(detail.text, refusals[i].says))
            print_error("%zu: %s\n", i, detail.text);
        assert_non_null(strstr(detail.text, refusals[i].says));
        free_listed(&l);
    }
    flt_apr_destroy(apr);
    free(v.pixel);
}

static void wrong_extents_are_refused(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(9, 9, 9, 3);
    struct flt_apr *apr = apr_of(&v), *back = NULL;
    struct listed l = listed_of(apr, 1, 2);
    const int64_t none[] = {9, 0, 9}, huge[] = {1, 1, (int64_t)1 << 31},
                  many[] = {1 << 20, 1 << 20, 2}, other[] = {9, 9, 10}, turned[] = {9, 10, 8};
    assert_int_equal(restore(&back, none, &l, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(restore(&back, huge, &l, NULL), FLT_TOO_LARGE);
    assert_int_equal(restore(&back, many, &l, NULL), FLT_TOO_LARGE);
    assert_int_equal(restore(&back, other, &l, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(restore(&back, turned, &l, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(restore(NULL, v.extent, &l, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_restore(&back, NULL, &l.rows, NULL, 1, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_restore(&back, v.extent, NULL, NULL, 1, NULL), FLT_BAD_ARGUMENT);
    assert_null(back);
    free_listed(&l);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* A row of 16 pixels: cells of level 1, of which the second consists of pixels. Where they
 * become finer a level at a time all is right. */
static void steep_cells_are_refused(void **state)
{
    (void)state;
    uint16_t x[] = {0, 8, 9, 10, 11, 12, 13, 14, 15};
    uint64_t end[] = {1, 1, 1, 9};
    const int64_t extent[] = {1, 1, 16};
    const struct flt_apr_rows rows = {1, 4, end, 9, 2, x};
    struct flt_apr *apr = NULL;
    struct flt_detail detail = {""};
    assert_int_equal(flt_apr_restore(&apr, extent, &rows, NULL, 1, &detail), FLT_BAD_ARGUMENT);
    assert_non_null(strstr(detail.text, "finer by more than a level"));
    uint16_t right[] = {0, 2, 6, 14, 15};
    uint64_t ends[] = {1, 2, 3, 5};
    const struct flt_apr_rows even = {1, 4, ends, 5, 2, right};
    assert_int_equal(flt_apr_restore(&apr, extent, &even, NULL, 1, &detail), FLT_OK);
    assert_int_equal(apr->nodes.count, 4);
    flt_apr_destroy(apr);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(20, 21, 22, 12);
    struct flt_apr *apr = apr_of(&v);
    struct listed l = listed_of(apr, 1, 2);
    for (long fails_at = 0;; fails_at++) {
        struct counted c = {.until_failure = fails_at};
        const struct flt_allocator allocator = {take_counted, give_back_counted, &c};
        struct flt_apr *back = apr;
        const enum flt_status status =
            flt_apr_restore(&back, v.extent, &l.rows, &allocator, 2, NULL);
        if (status == FLT_OK) {
            assert_true(fails_at > 10);
            flt_apr_destroy(back);
            assert_int_equal(c.outstanding, 0);
            break;
        }
        assert_int_equal(status, FLT_NO_MEMORY);
        assert_null(back);
        assert_int_equal(c.outstanding, 0);
    }
    free_listed(&l);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* Any list of rows, of a few particles moved at random, is refused or has what structures have. */
static void random_rows_do_no_harm(void **state)
{
    (void)state;
    uint64_t random = 1;
    struct volume v = volume_of_balls(9, 12, 10, 4);
    struct flt_apr *apr = apr_of(&v);
    for (int i = 0; i < 5000; i++) {
        struct listed l = listed_of(apr, 1, 2);
        for (uint64_t k = volume_random(&random) % 3; k > 0; k--)
            l.x[volume_random(&random) % l.rows.particles] =
                (uint16_t)(volume_random(&random) % 11);
        for (uint64_t k = volume_random(&random) % 3; k > 0; k--)
            l.end[volume_random(&random) % l.rows.rows] =
                volume_random(&random) % (l.rows.particles + 2);
        struct flt_apr *back = NULL;
        if (restore(&back, v.extent, &l, NULL) == FLT_OK)
            free(levels_of_pixels(back));
        flt_apr_destroy(back);
        free_listed(&l);
    }
    flt_apr_destroy(apr);
    free(v.pixel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_listed_comes_back),
        cmocka_unit_test(coarse_levels_may_be_left_out),
        cmocka_unit_test(wrong_rows_are_refused),
        cmocka_unit_test(wrong_extents_are_refused),
        cmocka_unit_test(steep_cells_are_refused),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(random_rows_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
