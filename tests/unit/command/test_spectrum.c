/* Complex samples as pictures: which axes have frequency 0 in the middle, and what is shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../interpret/graph_of_text.h"
#include "command/spectrum.h"

/* ---- Axes ---- */

/* "yx": the axes of the stage that are centred. */
static const char *centred_of(struct session *session, const struct graph *graph, const char *name)
{
    bool centred[GRAPH_MAX_RANK] = {false};
    struct text text = text_create(session->permanent);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (strcmp(stage->name->text, name) != 0)
            continue;
        spectrum_find_axes(session->scratch, graph, stage, centred);
        for (unsigned k = 0; k < stage->rank; k++)
            text_print(&text, "%s", centred[k] ? stage->axis[k].name->text : "");
        return text.length ? text.bytes : "none";
    }
    return "there is no such stage";
}

static void axes_of_all_frequencies_are_centred(void **state)
{
    struct session *session = *state;
    const struct graph *graph = graph_of(
        session,
        "filter f(in : image<f32>[y, x, c], window : image<f32>[y, x], given : image<c32>[y, x, "
        "c],\n"
        "         psf : image<c32>[y, x])\n"
        "    -> out : image<f32>[y, x]\n"
        "{\n"
        "    g[y, x] = in[y, x, 0] border clamp;\n"
        "    plane[y, x] = c32(g[y, x], window[y, x]);\n"
        "    both = fft(g, [y, x]);\n"
        "    rows = fft(g, [x]);\n"
        "    windowed[y, x] = both[y, x] * window[y, x] * psf[y, x];\n"
        "    colors = fft(in, [y, x]);\n"
        "    half = rfft(g, [y, x]);\n"
        "    half_row = rfft(g, [x]);\n"
        "    left[y, x] = 2 * half[y, x];\n"
        "    back = ifft(both, [y, x]);\n"
        "    back_rows = ifft(both, [x]);\n"
        "    again = fft(back, [y, x]);\n"
        "    few[y in 0 ..< 4, x in 0 ..< 4] = both[y, x] border wrap;\n"
        "    moved[y in 0 ..< g.y, x in 0 ..< g.x] = both[(y + g.y / 2) % g.y, (x + g.x / 2) % "
        "g.x];\n"
        "    seen[y, x, c] = given[y, x, c] * 2;\n"
        "    turned = transpose(rows);\n"
        "    sums[y, x] = both[y, x] + both[y, x + 1] border wrap;\n"
        "    out[y, x] = abs(plane[y, x]) + abs(windowed[y, x]) + abs(left[0, 0]) + "
        "abs(half_row[0, 0]) +\n"
        "        abs(again[y, x]) + abs(back_rows[y, x]) + abs(few[0, 0]) + abs(moved[y, x]) +\n"
        "        abs(seen[y, x, 0] border clamp) + abs(turned[0, 0]) + abs(sums[y, x]) +\n"
        "        abs(colors[y, x, 0] border clamp);\n"
        "}\n");
    static const struct {
        const char *stage, *axes;
    } expected[] = {{"plane", "none"}, {"both", "yx"},     {"rows", "x"},        {"windowed", "yx"},
                    {"colors", "yx"},  {"half", "y"},      {"half_row", "none"}, {"left", "y"},
                    {"back", "none"},  {"back_rows", "y"}, {"again", "yx"},      {"few", "none"},
                    {"moved", "none"}, {"seen", "yx"},     {"turned", "y"},      {"sums", "yx"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *found = centred_of(session, graph, expected[i].stage);
        if (strcmp(found, expected[i].axes) != 0)
            fail_msg("%s: %s, not %s", expected[i].stage, found, expected[i].axes);
    }
}

static void what_a_repeat_carries_is_followed(void **state)
{
    struct session *session = *state;
    const struct graph *graph =
        graph_of(session, "filter f(in : image<f32>[y, x]) -> out : image<c32>[y, x]\n"
                          "{\n"
                          "    s = fft(in, [y, x]);\n"
                          "    repeat 3 { s[y, x] = s[y, x] * 0.5; }\n"
                          "    out[y, x] = s[y, x];\n"
                          "}\n");
    assert_string_equal(centred_of(session, graph, "out"), "yx");
}

/* ---- Pictures ---- */

static struct flt_image complex_of(enum flt_element element, int32_t rows, int32_t columns,
                                   void *samples)
{
    return (struct flt_image){.element = element,
                              .rank = 3,
                              .axis = {"y", "x", FLT_COMPLEX_AXIS},
                              .extent = {rows, columns, 2},
                              .stride = {2 * columns, 2, 1},
                              .data = samples};
}

static void samples_are_logarithms_of_magnitudes(void **state)
{
    (void)state;
    float z[2 * 3 * 2] = {3, 4, 0, 0, -1, 0, 0, -7, 1, 1, 1e-3F, 0};
    const bool nowhere[FLT_MAX_RANK] = {false}, all[FLT_MAX_RANK] = {true, true};
    static const double magnitude[6] = {5, 0, 1, 7, 1.41421356237309505, 1e-3};
    static const int place[6] = {5, 3, 4, 2, 0, 1}; /* rows by 1 of 2, columns by 2 of 3 */
    const struct flt_image image = complex_of(FLT_F32, 2, 3, z);
    struct flt_image picture;
    double white;
    assert_true(spectrum_picture(&image, nowhere, &picture, &white));
    assert_int_equal(picture.rank, 2);
    assert_int_equal(picture.element, FLT_F32);
    assert_true(fabs(white - log(8)) < 1e-12);
    for (int i = 0; i < 6; i++)
        assert_true(fabs((double)((float *)picture.data)[i] - log(1 + magnitude[i]) / log(8)) <
                    1e-7);
    flt_image_destroy(&picture);
    assert_true(spectrum_picture(&image, all, &picture, &white));
    for (int i = 0; i < 6; i++)
        assert_true(fabs((double)((float *)picture.data)[i] -
                         log(1 + magnitude[place[i]]) / log(8)) < 1e-7);
    flt_image_destroy(&picture);
}

static void what_is_not_finite_does_not_dim_the_rest(void **state)
{
    (void)state;
    double z[1 * 4 * 2] = {INFINITY, NAN, 0, NAN, 1, 0, 0, 0};
    const bool nowhere[FLT_MAX_RANK] = {false};
    const struct flt_image image = complex_of(FLT_F64, 1, 4, z);
    struct flt_image picture;
    double white;
    assert_true(spectrum_picture(&image, nowhere, &picture, &white));
    const float *const shown = picture.data;
    assert_true(isinf(shown[0]) && isnan(shown[1]) && shown[2] == 1 && shown[3] == 0);
    flt_image_destroy(&picture);
    memset(z, 0, sizeof z);
    assert_true(spectrum_picture(&image, nowhere, &picture, &white));
    assert_true(white == 0);
    for (int i = 0; i < 4; i++)
        assert_true(((float *)picture.data)[i] == 0);
    flt_image_destroy(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(axes_of_all_frequencies_are_centred, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(what_a_repeat_carries_is_followed, open_session,
                                        close_session),
        cmocka_unit_test(samples_are_logarithms_of_magnitudes),
        cmocka_unit_test(what_is_not_finite_does_not_dim_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
