/* Values from pixels and back, and of nodes: against pyramids of whole images. */
#include "volumes.h"

/* Level l of the pyramid: means of 2 x 2 x 2, ends repeated. */
static float *pyramid_level(const struct volume *v, const struct flt_apr *apr, int level)
{
    float *at = malloc(volume_samples(v) * sizeof *at);
    memcpy(at, v->pixel, volume_samples(v) * sizeof *at);
    for (int l = apr->levels; l > level; l--) {
        const int32_t *n = apr->extent[l], *m = apr->extent[l - 1];
        float *next = malloc((size_t)m[0] * (size_t)m[1] * (size_t)m[2] * sizeof *next);
        for (int64_t i = 0; i < (int64_t)m[0] * m[1] * m[2]; i++) {
            double sum = 0;
            for (int k = 0; k < 8; k++) {
                const int64_t z = 2 * (i / ((int64_t)m[1] * m[2])) + k / 4,
                              y = 2 * (i / m[2] % m[1]) + k / 2 % 2, x = 2 * (i % m[2]) + k % 2;
                const int64_t zz = z < n[0] ? z : n[0] - 1, yy = y < n[1] ? y : n[1] - 1,
                              xx = x < n[2] ? x : n[2] - 1;
                sum += (double)at[(zz * n[1] + yy) * n[2] + xx];
            }
            next[i] = (float)(sum / 8);
        }
        free(at);
        at = next;
    }
    return at;
}

static void expect_near(const struct flt_apr *apr, const struct flt_apr_cells *cells,
                        const struct volume *v, const float *value)
{
    for (int l = cells->least; l <= cells->greatest; l++) {
        const int32_t *e = apr->extent[l];
        float *want = pyramid_level(v, apr, l);
        for (int64_t r = 0; r < (int64_t)e[0] * e[1]; r++)
            for (uint64_t i = cells->row[l][r]; i < cells->row[l][r + 1]; i++)
                for (uint32_t k = 0; k < cells->run[i].count; k++) {
                    const float w = want[r * e[2] + cells->run[i].first + k];
                    assert_true(fabsf(value[cells->run[i].at + k] - w) <= 1e-5f * fabsf(w));
                }
        free(want);
    }
}

static void particles_and_nodes_are_means(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++) {
        struct volume v = volume_of_balls(volume_shapes[s][0], volume_shapes[s][1],
                                          volume_shapes[s][2], (uint64_t)s + 20);
        struct flt_apr *apr = apr_of(&v);
        float *value = malloc((apr->particles.count + 1) * sizeof *value),
              *node = malloc((apr->nodes.count + 1) * sizeof *node);
        assert_int_equal(flt_apr_sample(apr, v.pixel, value, 2), FLT_OK);
        assert_int_equal(flt_apr_node_means(apr, value, node, 2), FLT_OK);
        expect_near(apr, &apr->particles, &v, value);
        expect_near(apr, &apr->nodes, &v, node);
        free(value);
        free(node);
        flt_apr_destroy(apr);
        free(v.pixel);
    }
}

/* Each pixel has its particle's value; at a coarser level, that of the pyramid where it is finer.
 * */
static void pixels_have_values_of_particles(void **state)
{
    (void)state;
    for (int s = 0; s < VOLUME_SHAPES; s++) {
        struct volume v = volume_of_balls(volume_shapes[s][0], volume_shapes[s][1],
                                          volume_shapes[s][2], (uint64_t)s + 40);
        struct flt_apr *apr = apr_of(&v);
        const int32_t *n = apr->extent[apr->levels];
        uint8_t *level = levels_of_pixels(apr);
        float *value = malloc((apr->particles.count + 1) * sizeof *value),
              *node = malloc((apr->nodes.count + 1) * sizeof *node),
              *pixel = malloc(volume_samples(&v) * sizeof *pixel);
        assert_int_equal(flt_apr_sample(apr, v.pixel, value, 1), FLT_OK);
        assert_int_equal(flt_apr_node_means(apr, value, node, 1), FLT_OK);
        for (int coarser = 0; coarser < 3 && coarser < apr->levels; coarser++) {
            const int32_t *e = apr->extent[apr->levels - coarser];
            flt_apr_to_pixels(apr, value, node, coarser, pixel, 2);
            for (int l = 0; l <= apr->levels; l++) {
                float *want = pyramid_level(&v, apr, l);
                const int32_t *m = apr->extent[l];
                for (int64_t i = 0; i < (int64_t)e[0] * e[1] * e[2]; i++) {
                    const int64_t z = i / ((int64_t)e[1] * e[2]), y = i / e[2] % e[1], x = i % e[2];
                    const int own =
                        level[((z << coarser) * n[1] + (y << coarser)) * n[2] + (x << coarser)];
                    const int shift = apr->levels - coarser - l;
                    if (shift < 0 ||
                        l != (own < apr->levels - coarser ? own : apr->levels - coarser))
                        continue;
                    const float w =
                        want[((z >> shift) * m[1] + (y >> shift)) * m[2] + (x >> shift)];
                    assert_true(fabsf(pixel[i] - w) <= 1e-5f * fabsf(w));
                }
                free(want);
            }
        }
        free(level);
        free(value);
        free(node);
        free(pixel);
        flt_apr_destroy(apr);
        free(v.pixel);
    }
}

static void constants_stay(void **state)
{
    (void)state;
    struct volume v = volume_of_balls(17, 23, 29, 60);
    struct flt_apr *apr = apr_of(&v);
    float *value = malloc(apr->particles.count * sizeof *value),
          *node = malloc(apr->nodes.count * sizeof *node);
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] = 77;
    assert_int_equal(flt_apr_sample(apr, v.pixel, value, 2), FLT_OK);
    assert_int_equal(flt_apr_node_means(apr, value, node, 2), FLT_OK);
    for (uint64_t i = 0; i < apr->particles.count; i++)
        assert_true(value[i] == 77);
    for (uint64_t i = 0; i < apr->nodes.count; i++)
        assert_true(node[i] == 77);
    free(value);
    free(node);
    flt_apr_destroy(apr);
    free(v.pixel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_and_nodes_are_means),
        cmocka_unit_test(pixels_have_values_of_particles),
        cmocka_unit_test(constants_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
