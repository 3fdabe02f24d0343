/* Large convolutions that are fast, taken by transforms, against the sum in its order: along one to
 * three axes, of images of any extents, under all border rules, turned round or not. */
#include "interpret/interpret.h"
#include "pass_manager.h"
#include "target/target.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph_of_text.h"

static uint64_t random_state = 1;

/* Uniform in 0 .. 1. */
static double any_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) * 0x1p-53;
}

static void fill(struct samples *image)
{
    const unsigned bytes = scalar_info[image->scalar].bytes;
    assert_true(samples_allocate(image));
    for (size_t i = 0; i < samples_count(image); i++) {
        const struct value v = scalar_is_float(image->scalar)
                                   ? value_from_real(image->scalar, any_number())
                                   : (struct value){.integer = (int64_t)(256 * any_number())};
        value_write(image->data + i * bytes, image->scalar, v);
    }
}

static unsigned transforms_of(const struct graph *graph)
{
    unsigned count = 0;
    for (size_t i = 0; i < graph->stages.count; i++)
        count += graph->stages.item[i]->kind == STAGE_TRANSFORM;
    return count;
}

static const struct graph *after_pass(struct session *session, const struct graph *graph)
{
    const struct pass_options options = {.stop_after = "transform_windows", .verify_each = true};
    const struct pass_result result = run_passes(session, graph, target_find("c"), &options);
    if (result.problem)
        fail_msg("%s", result.problem);
    return result.graph;
}

static void run(struct session *session, const struct graph *graph, const struct samples *in,
                struct samples *out)
{
    struct interpretation run = {
        .session = session, .transforms_as_emitted = true, .inputs = in, .outputs = out};
    if (!interpret_graph(graph, &run))
        fail_msg("%s", run.problem);
}

/* The greatest difference, in parts of the greatest sample. */
static double difference_of(const struct samples *a, const struct samples *b)
{
    const unsigned bytes = scalar_info[a->scalar].bytes;
    double greatest = 0, difference = 0;
    assert_int_equal(samples_count(a), samples_count(b));
    for (size_t i = 0; i < samples_count(a); i++) {
        const double x = (double)value_real(a->scalar, value_read(a->data + i * bytes, a->scalar));
        const double y = (double)value_real(b->scalar, value_read(b->data + i * bytes, b->scalar));
        greatest = fmax(greatest, fabs(x));
        difference = fmax(difference, fabs(x - y));
    }
    return difference / greatest;
}

static void compare(struct session *session, const char *text, enum scalar scalar, unsigned rank,
                    const int64_t extent[], unsigned transforms)
{
    const struct graph *graph = graph_of(session, text), *after = after_pass(session, graph);
    struct samples in = {.scalar = scalar, .rank = rank}, out[2] = {{0}};
    for (unsigned k = 0; k < rank; k++)
        in.extent[k] = extent[k];
    fill(&in);
    assert_int_equal(transforms_of(after), transforms);
    run(session, graph, &in, &out[0]);
    run(session, after, &in, &out[1]);
    const double most = out[0].scalar == SCALAR_F64 ? 1e-14 : 4e-6;
    if (difference_of(&out[0], &out[1]) > most)
        fail_msg("%g of the greatest sample:\n%s", difference_of(&out[0], &out[1]), text);
    samples_free(&in);
    samples_free(&out[0]);
    samples_free(&out[1]);
}

static void images_of_any_extents(void **state)
{
    static const int64_t extent[][2] = {{1, 1}, {1, 40}, {37, 2}, {24, 31}, {3, 100}};
    static const char *const text =
        "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    k[y in 0 ..< 22, x in 0 ..< 25] : f32 = noise(1, y, x);\n"
        "    out = convolve(in, k) border reflect;\n}\n";
    for (size_t i = 0; i < sizeof extent / sizeof extent[0]; i++)
        compare(*state, text, SCALAR_F32, 2, extent[i], 6);
}

static void all_border_rules(void **state)
{
    static const char *const rule[] = {"zero",        "clamp", "reflect",           "reflect101",
                                       "constant(3)", "wrap",  "(y: wrap, x: zero)"};
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
                 "    k[y in 0 ..< 30, x in 0 ..< 27] : f32 = noise(1, y, x);\n"
                 "    out = convolve(in, k) border %s;\n}\n",
                 rule[i]);
        compare(*state, text, SCALAR_F32, 2, (const int64_t[]){11, 14}, 6);
    }
}

/* Forwards along y, backwards along x, which a written sum may do; moved by constants; the image's
 * axes are others than the kernel's, and it is mapped over a third. */
static void sums_as_written(void **state)
{
    compare(*state,
            "fast filter f(in : image<u8>[x, c, y]) -> out : image<f64>[y, c, x] {\n"
            "    k[v in -9 .. 12, u in 0 ..< 31] : f64 = noise(1, v, u) - 0.3;\n"
            "    out[y, c, x] = 2 + sum[v in -5 .. 12, u in 1 .. 30](\n"
            "        (in[x - u + 4, c, y + v - 2] border clamp) * k[v, u]);\n}\n",
            SCALAR_U8, 3, (const int64_t[]){21, 2, 18}, 6);
}

/* Integers, which are 0 behind the kernel, as none of its own samples is. */
static void kernels_of_integers(void **state)
{
    compare(*state,
            "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
            "    k[y in 0 ..< 23, x in 0 ..< 28] : i32 = -4 - x;\n"
            "    out = convolve(in, k) border clamp;\n}\n",
            SCALAR_F32, 2, (const int64_t[]){30, 17}, 6);
}

static void lines_and_volumes(void **state)
{
    compare(*state,
            "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
            "    k[x in 0 ..< 901] : f32 = noise(1, x);\n"
            "    out = convolve(in, k) border wrap;\n}\n",
            SCALAR_F32, 2, (const int64_t[]){3, 77}, 3);
    compare(*state,
            "fast filter f(in : image<f32>[z, y, x]) -> out : image<f32>[z, y, x] {\n"
            "    k[z in 0 ..< 9, y in 0 ..< 10, x in 0 ..< 11] : f32 = noise(1, z, y, x);\n"
            "    out = convolve(in, k) border clamp;\n}\n",
            SCALAR_F32, 3, (const int64_t[]){5, 6, 7}, 9);
}

/* Boxes that begin elsewhere, or that readers make larger; a convolution in a step, and two in the
 * value of one stage. */
static void boxes_and_steps(void **state)
{
    compare(*state,
            "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
            "    k[y in -11 ..< 13, x in 5 ..< 33] : f32 = noise(1, y, x);\n"
            "    far[y in -3 .. 399, x in 2 ..< in.x + 7] = 2 * in[y - 1, x] border wrap;\n"
            "    s = convolve(far, k) border reflect;\n"
            "    out[y in 0 ..< in.y, x in 0 ..< in.x] = s[y + 3, x - 4] border clamp;\n}\n",
            SCALAR_F32, 2, (const int64_t[]){14, 19}, 6);
    compare(*state,
            "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
            "    k[y in 0 ..< 25, x in 0 ..< 28] : f32 = noise(1, y, x);\n"
            "    s = convolve(in, k) border wrap;\n"
            "    out[y, x] = s[y + 3, x - 4] border extend + s[y, x];\n}\n",
            SCALAR_F32, 2, (const int64_t[]){14, 19}, 6);
    compare(
        *state,
        "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    k[y in 0 ..< 25, x in 0 ..< 28] : f32 = noise(1, y, x) / 350;\n"
        "    out = in;\n"
        "    repeat 3 {\n"
        "        out = sqrt(convolve(out, k) border clamp) * convolve(out, flip(k)) border zero;\n"
        "    }\n}\n",
        SCALAR_F32, 2, (const int64_t[]){14, 19}, 12);
}

/* What is small, or not fast, or separable, or of extents that a caller chooses, stays a sum. */
static void others_stay_sums(void **state)
{
    static const char *const text[] = {
        "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    k[y in 0 ..< 5, x in 0 ..< 5] : f32 = noise(1, y, x);\n"
        "    out = convolve(in, k) border reflect;\n}\n",
        "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    k[y in 0 ..< 31, x in 0 ..< 31] : f32 = noise(1, y, x);\n"
        "    out = convolve(in, k) border reflect;\n}\n",
        "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    border reflect;\n"
        "    out[y, x] = sum[v in -20 .. 20, u in -20 .. 20](in[y + v, x + u]);\n}\n",
        "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
        "    out = convolve(in, in) border reflect;\n}\n",
        "fast filter f(in : image<u8>[y, x]) -> out : image<i64>[y, x] {\n"
        "    k[y in 0 ..< 31, x in 0 ..< 31] : i32 = y * y + x;\n"
        "    out = convolve(in, k) border reflect;\n}\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        compare(*state, text[i], i == 4 ? SCALAR_U8 : SCALAR_F32, 2, (const int64_t[]){9, 8}, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(images_of_any_extents), TEST(all_border_rules),  TEST(sums_as_written),
        TEST(kernels_of_integers),   TEST(lines_and_volumes), TEST(boxes_and_steps),
        TEST(others_stay_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
