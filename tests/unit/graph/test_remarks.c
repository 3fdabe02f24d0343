/* Why passes decline what a schedule asks, or might ask: of each reason a filter. */
#include "pass_manager.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../interpret/graph_of_text.h"

#define FILTER(body)                                                                               \
    "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] { border clamp; " body " } "
#define DOUBLES(body)                                                                              \
    "filter f(in : image<f64>[y, x]) -> out : image<f64>[y, x] { border clamp; " body " } "
#define OF_LINE(body)                                                                              \
    "filter f(in : image<f32>[x]) -> out : image<f32>[x] { border clamp; " body " } "
#define TWO(body)                                                                                  \
    "filter f(in : image<f32>[y, x]) -> (out : image<f32>[y, x], b : image<f32>[y, x]) "           \
    "{ border clamp; " body " } "
#define OF_BINS(body)                                                                              \
    "filter f(in : image<u8>[y, x]) -> out : image<u32>[b] { out[b in 0 .. 255] : u32; " body " }" \
    " "
#define C(directives) "schedule f for c { " directives " }"
#define CUDA(directives) "schedule f for cuda { " directives " }"
/* Recurrences along rows, and along columns of these. */
#define ROWS "a[y, x] = in[y, x] + 0.5 * a[y, x - 1] border zero; "
#define COLUMNS(of) "out[y, x] = " of "[y, x] + 0.5 * out[y - 1, x] border zero; "
#define ROOT "a[y, x] = sqrt(in[y, x]); "
#define AROUND(of) "out[y, x] = " of "[y - 1, x] + " of "[y + 1, x]; "

static const struct {
    const char *target, *text, *remark;
} remarked[] = {
    /* tiles */
    {"c",
     FILTER("a[y, x] = in[y, x] + 0.5 * a[y, x - 1]; " AROUND("a"))
         C("tile out by (y: 32, x: 512) sliding y; compute a.state at out;"),
     "out: 'a.state' is a recurrence, which tiles begin anew"},
    {"c", FILTER(ROOT "b[y, x] = a[y, x - 1] + a[y, x + 1]; out = dct(b, [x], norm = none);"),
     "a: 'out' reads it and is not computed sample by sample"},
    {"c", TWO(ROOT AROUND("a") "b[y, x] = a[y - 1, x] * a[y + 1, x];"),
     "a: 'b' reads it, and is not computed in tiles with it"},
    {"c", FILTER("a = in; repeat 3 { a[y, x] = a[y, x - 1] + a[y - 1, x]; } out = a;"),
     "a_2: a repeat carries it"},
    {"cuda",
     FILTER("a[y, x] = in[y, x] + a[y, x - 1] border zero; out[y, x] = a[y, x] + out[y - 1, x] "
            "border zero;"),
     "out.tails: it begins its tiles from states"},
    {"c",
     FILTER("a[y, x] = exp(in[y, x]) * exp(in[y - 1, x]) / exp(in[y + 1, x]); out[y, x] = a[y - "
            "99, x] + a[y + 99, x] + a[y, x - 99] + a[y, x + 99];"),
     "a: computing the overlap of tiles would cost more than memory"},
    {"c",
     FILTER("k[i in 0 .. 255] = sqrt(f32(i) * in[0, 0]); out[y, x] = k[clamp(trunc<i32>(in[y, x]), "
            "0, 255)];"),
     "k: each tile would compute the same"},
    {"c", FILTER("p = to_apr(in); q[y, x] = 2 * p[y, x]; out = to_pixels(q);"),
     "p.level: it says where particles are"},
    {"c", FILTER("p = to_apr(in); q[y, x] = 2 * p[y, x]; out = to_pixels(q);"),
     "p: it has one sample of each particle"},
    {"c", FILTER("a = sqrt(in[0, 0]); out[y, x] = a * in[y, x];"), "a: it has one sample only"},
    {"cuda", FILTER(ROOT AROUND("a")) CUDA("tile out by (y: 8, x: 32) staged;"),
     "a: 'out' reads it and has tiles that are staged"},
    {"c",
     FILTER(ROOT "b = in; repeat 3 { b[y, x] = b[y, x] + a[y - 1, x] + a[y + 1, x]; } out = b;"),
     "a: it is read in another step of a repeat"},
    {"c", FILTER("a[x] = sqrt(in[0, x]); out[y, x] = in[y, x] + a[x - 1] + a[x + 1];"),
     "a: it is small, and all tiles need it"},
    {"c",
     FILTER(ROOT "out[y, x] = a[y - 99, x] + a[y + 99, x];")
         C("tile out by (y: 64, x: 65536) sliding y; compute a at out;"),
     "out: its rows would not fit fast memory"},
    {"c", FILTER(ROOT AROUND("a")) C("stream a;"), "a: its schedule gives it loops of its own"},
    {"c", FILTER(ROOT AROUND("a")) C("compute a at root;"), "a: its schedule wants it there"},
    {"c", FILTER(ROOT "out[y, x] = a[y - 2000, x] + a[y + 2000, x];"),
     "a: its tiles would not fit fast memory"},
    {"cuda", FILTER(ROOT "out[y, x] = a[y - 99, x - 99] + a[y + 99, x + 99];"),
     "a: its tiles would take too much of the memory of a block"},
    {"c",
     FILTER("s[0] = in; for k in 1 .. 60 { s[k][y, x] = sqrt(s[k - 1][y, x - 1] + s[k - 1][y, x + "
            "1]); } out[y, x] = s[60][y, x - 1] + s[60][y, x + 1];")
         C("tile out by (y: 512, x: 512); compute s_1 at out;"),
     "s_13: there are too many stages already"},
    {"c",
     FILTER("a[y, x] = in[y, x] + 0.5 * a[y, x - 1]; b[y, x] = a[y - 1, x] + a[y + 1, x]; " AROUND(
         "b")) C("tile out by (y: 32, x: 512) sliding y; compute b at out;"),
     "a.state: tiles begin it anew, and so do not slide"},
    {"c", OF_LINE("out[x] = in[x] + 0.5 * out[x - 1];") C("tile out by (x: 64) along x;"),
     "out.state.rest: what reads it has no name in schedules"},
    /* lines */
    {"c",
     FILTER(ROWS "b[y, x] = 2 * a[y, x]; " COLUMNS("b"))
         C("tile out by (x: 128) along y; compute b at out;"),
     "b: it ends lines along another axis"},
    {"c",
     FILTER(ROOT COLUMNS("a"))
         C("tile a by (y: 16) along x at out; tile out by (y: 64, x: 512) along y;"),
     "a: it ends no lines of its own across them"},
    {"c",
     TWO("b[y, x] = in[y, x] + b[y, x - 1] border zero; " COLUMNS("b"))
         C("tile b by (y: 16) along x at out; tile out by (y: 64, x: 512) along y;"),
     "b: it is a result, or a repeat carries it"},
    {"c",
     TWO("b[y, x] = sqrt(in[y, x]); " COLUMNS("b"))
         C("tile out by (x: 128) along y; compute b at out;"),
     "b: it is a result, or others are computed in its tiles, or a repeat carries it"},
    {"c",
     FILTER(ROOT "out[y, x] = a[y, x + 1] + out[y - 1, x] border zero;")
         C("tile out by (x: 128) along y; compute a at out;"),
     "a: it is read on other lines, or outside of them"},
    {"c",
     FILTER(ROOT COLUMNS("a"))
         C("tile out by (x: 128) along y; compute a at out; unroll a by (y: 2);"),
     "a: its schedule gives details of loops, and lines have other ones"},
    {"c", FILTER("out[y, x] = in[y, x] + out[y - 1, x] border zero;") C("unroll out by (y: 2);"),
     "out: its schedule gives details of loops, and lines have others"},
    {"c", FILTER(ROOT COLUMNS("a")) C("tile out by (y: 32, x: 128) sliding y; compute a at out;"),
     "out: others are computed in its tiles"},
    {"c",
     FILTER("s[0] = in; for k in 1 .. 40 { s[k][y, x] = sqrt(s[k - 1][y - 1, x] + s[k - 1][y, x]); "
            "} " COLUMNS("s[40]")) C("tile out by (x: 128) along y; compute s_1 at out;"),
     "s_1: there are too many stages already"},
    {"c", OF_LINE("out[x] = in[x] + out[x - 1] border zero;"), "out: it has one axis"},
    {"cuda",
     FILTER("a[y, x] = in[y, x] + a[y - 1, x] border zero; out[y, x] = a[y, x] + out[y + 1, x] "
            "border zero;") CUDA("tile out by (x: 32) along y;"),
     "out: a thread cannot hold a line of it in registers"},
    {"cuda", FILTER("out[y, x] = in[y, x] + 0.5 * out[y, x - 1];"),
     "out.state: blocks of threads hold it in tiles"},
    {"cuda", FILTER(ROWS COLUMNS("a")) CUDA("tile out by (y: 64) blocked y;"),
     "out: blocks of threads hold it in tiles"},
    {"c", FILTER("out[y, x] = in[y, x] + out[y, x - 1] border zero;"),
     "out.state: it is computed in the lines of what reads it"},
    {"c", FILTER("a[y, x] = in[y, x] + 0.5 * a[y - 1, x]; " AROUND("a")), "a: it is left to tiles"},
    {"c", FILTER(ROWS COLUMNS("a")) C("tile out by (y: 64) blocked y;"),
     "out: it is a recurrence along another axis"},
    {"c", FILTER(ROWS "out[y, x] = 2 * a[y, x];") C("tile a.state by (x: 64);"),
     "a.state: rows of a recurrence end in a stage that reads it, not in itself"},
    {"c", FILTER(ROWS COLUMNS("a")) C("tile out by (y: 64) blocked y;"),
     "out.carry: schedules could not name it"},
    {"c", FILTER("a[y, x] = in[y, x] + a[y, x - 1] border zero; " AROUND("a")),
     "a: it is computed line by line"},
    {"c",
     FILTER("s[y, x] = sqrt(in[y, x]); r[q in 1 ..< 4][y, x] = product[d in 1 ..< 1](max[e in 1 .. "
            "1](s[y, x])); out[y, x] = r[clamp(i32({ let v = s[y, 1] <= 1; select(v, y, r[1][y, "
            "x]) }), 1, 3)][y, x];"),
     "s: what has a name alone is not computed"},
    /* transforms */
    {"c",
     TWO("a = dct(in, [x], norm = none); out = dct(a, [x], type = 3, norm = none); b = dst(a, [x], "
         "norm = none);"),
     "a: it has several readers, or none"},
    {"c", FILTER("a = dct(in, [x], norm = none); out[y, x] = 2 * a[y - 1, x];"),
     "a: the stage that reads it is no transform"},
    {"c", FILTER("a = dct(in, [x], norm = none); out = dct(a, [x], type = 3, norm = none);"),
     "a: its panels end in 'out'"},
    {"c",
     FILTER("a = dct(in, [x], norm = none); out = dct(a, [x], type = 3, norm = none);")
         C("compute a at root;"),
     "a: its schedule wants it by itself"},
    {"c",
     FILTER("a = dct(in, [x], norm = none); b = dct(in, [x], norm = none); out = dct(a * b, [x], "
            "type = 3, norm = none);"),
     "a: another transform goes on in that panel"},
    {"c",
     FILTER("a = dct(in, [x], norm = none); b = in; repeat 3 { c = dct(a, [x], type = 3, norm = "
            "none); b[y, x] = b[y, x] + c[y, x]; } out = b;"),
     "a: it is read in another repeat"},
    /* inlining */
    {"c",
     "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] { a[y, x in 0 ..< in.x - 4] = "
     "max[d in 0 .. 4](in[y, x + d]); out[y, x in 0 ..< in.x - 8] = max[e in 0 .. 4](a[y, x + e]); "
     "}" C("inline a;"),
     "a: it holds a reduction and is read in one"},
    {"c", OF_BINS("a[y, x] = 2 * in[y, x]; out[u8(a[y, x])] += 1 over y, x;") C("inline a;"),
     "a: it is read by a stage that takes its samples from memory alone"},
    {"c", FILTER("a = dct(in, [x], norm = none); out[y, x] = 2 * a[y, x];") C("inline a;"),
     "a: it is not computed sample by sample"},
    {"c", FILTER(ROOT "b = in; repeat 3 { b[y, x] = b[y, x] + a[y, x]; } out = b;") C("inline a;"),
     "a: it is read in another step of a repeat"},
    {"c",
     "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, d] { a[y, x in 0 ..< in.x - 4] = "
     "max[d in 0 .. 4](in[y, x + d]); out[y, d in 0 ..< in.x - 4] = 2 * a[y, d]; }" C("inline a;"),
     "a: it is read at places for which its arithmetic is too narrow"},
    /* recurrences */
    {"c",
     FILTER("out[y, x] = in[y, x] + 0.5 * out[y - 1, x] border zero;")
         C("carry out as f32; carry out.state as f64;"),
     "out: its schedule wants f64"},
    {"c",
     "filter f(in : image<i32>[x]) -> out : image<wrap<i32>>[x] { out[x] : wrap<i32> = in[x] + "
     "out[x - 1] border zero; }" C("realise out as cascade;"),
     "out: it is no recurrence of floats"},
    {"c",
     OF_LINE("a[x] = in[x] + 1.5 * a[x - 1] border zero - 0.75 * a[x - 2] border zero + 0.125 * "
             "a[x - 3] border zero; out[x] = 2 * a[x];")
         C("realise a as cascade; realise a.state as parallel;"),
     "a.state: its recurrence has another form already"},
    {"c",
     OF_LINE("a[x] = 0.5 * in[x] + 0.5 * a[x - 1]; out[x] = 0.5 * a[x] + 0.5 * out[x + 1];")
         C("carry a as f32; carry out as f64;"),
     "a: what reads its state wants more digits"},
    /* scatters */
    {"c", OF_BINS("out[in[y, x]] += 1 over y in 0 ..< in.y - 9, x;") C("split out by 4;"),
     "out: the axis to cut may be empty"},
    {"c",
     "filter f(in : image<f32>[y, x]) -> out : image<f32>[b] { out[b in 0 .. 7] : f32; out[y % 8] "
     "+= in[y, x] over y, x; }" C("split out by 4;"),
     "out: its steps do not add or compare integers, in any order"},
    {"c",
     "filter f(in : image<u8>[x]) -> out : image<u32>[x] { border clamp; out[x in 0 .. 99] : u32; "
     "out[x] += in[x] over x in 0 .. 99; }" C("split out by 4;"),
     "out: its steps have no long axis that its targets do not share"},
    /* segments */
    {"c",
     FILTER(ROOT COLUMNS("a"))
         C("tile out by (y: 64) blocked y; tile a by (y: 16) along x at out;"),
     "a: no recurrence along its rows is among it"},
    {"c",
     FILTER("a[y, x] = in[y, x] + 0.5 * a[y - 1, x] border zero; " COLUMNS("a"))
         C("tile out by (y: 64) blocked y; tile a by (y: 16) along x at out;"),
     "a: it has no rows by themselves"},
    {"c", FILTER(ROOT AROUND("a")) C("tile out by (y: 64) blocked y;"),
     "out: the filter has no recurrence"},
    {"c",
     FILTER(ROOT COLUMNS("a"))
         C("tile out by (y: 64) blocked y; tile a by (y: 16) along x at out;"),
     "a: 'out' has no place for it in its blocks"},
    /* loops */
    {"c",
     "filter f(in : image<f32>[y, x]) -> out : image<c32>[y, x] { z = fft(in, [x], norm = none); "
     "out = z * z; }" C("reorder out by (x, y);"),
     "out: its samples are complex, and the loop over both parts has no name"},
    {"c", FILTER("out[y, x] = sqrt(in[y, x]);") C("reorder out by (x);"),
     "out: the order has to name all its axes"},
    {"c",
     "filter f(in : image<f32>[z, y, x]) -> out : image<f32>[z, y, x] { out[z, y, x] = sqrt(in[z, "
     "y, x]); }" C("reorder out by (y, z, x); parallel out along z;"),
     "out: threads share its outermost loops, and its order begins with 'y'"},
    {"c",
     "filter f(in : image<f32>[z, y, x]) -> out : image<f32>[z, y, x] { out[z, y, x] = sqrt(in[z, "
     "y, x]); }" C("parallel out along (z, y); unroll out by (z: 2);"),
     "out: threads share that loop together with the next one inside it"},
    {"c", DOUBLES("out[y, x] = in[y, x] + out[y - 1, x] border zero;") C("parallel out along y;"),
     "out: it is a recurrence, and threads share the loop along 'x'"},
    {"cuda", FILTER(AROUND("in")) CUDA("tile out by (y: 8, x: 32) staged; unroll out by (y: 4);"),
     "out: its tiles are staged"},
    {"cuda", OF_LINE("out[x] = in[x - 1] + in[x + 1];") CUDA("unroll out by (x: 4);"),
     "out: threads share one axis of it"},
    {"cuda", FILTER(AROUND("in")) CUDA("unroll out by (x: 4);"),
     "out: a thread has several samples along 'y' alone"},
    {"c",
     FILTER(ROOT AROUND("a"))
         C("tile out by (y: 32, x: 512); compute a at out; reorder a by (x, y); prefetch a by 2;"),
     "a: its innermost loops do not follow rows"},
    {"c",
     FILTER("a[y, k in 0 .. 99] = sqrt(in[y, k]); out[y, x] = in[y, x] + sum[k in 0 .. 99](a[y - "
            "1, k] + a[y + 1, k]);") C("tile out by (y: 32); compute a at out; prefetch a by 2;"),
     "a: its tiles hold whole rows, which lie one behind the other"},
    {"c",
     FILTER(ROOT "out[y, x] = a[y - 1, x] + a[y + 1, x];")
         C("tile out by (y: 32, x: 65536); compute a at out; prefetch a by 2;"),
     "a: the rows of its tile are so long that the processor foresees them"},
    {"c",
     FILTER(
         "a[k in 0 .. 3, y, x] = sqrt(in[y, x] + f32(k)); b[k in 0 .. 3, y, x] = sqrt(a[k, y, x - "
         "1] + a[k, y, x + 1]); out[y, x] = sum[k in 0 .. 3](b[k, y - 1, x] + b[k, y + 1, x]);")
         C("tile out by (y: 32, x: 512); compute a at out; compute b at out; unroll b by (y: 2);"),
     "b: it shares loops with other stages of its tile"},
    {"c",
     FILTER("a[k in 0 .. 3, y, x] = sqrt(in[y, x] + f32(k)); out[y, x] = sum[k in 0 .. 3](a[k, y - "
            "1, x] + a[k, y + 1, x]);")
         C("tile out by (y: 32, x: 512); compute a at out; prefetch a by 2;"),
     "a: its tile takes the same rows several times"},
    {"c",
     "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x, k] { border clamp; a[y, x] = "
     "sqrt(in[y, x]); out[y, x, k in 0 .. 3] = f32(k) + a[y - 1, x] + a[y + 1, x]; }" C(
         "tile out by (y: 32, x: 512); compute a at out; parallel out along k;"),
     "out: its tiles do not cut 'k'"},
    /* kernels */
    {"c",
     OF_LINE("out[x] = in[x] + out[x - 1] border zero;")
         C("tile out by (x: 64) along x; parallel out along x;"),
     "out: it is computed in blocks"},
    {"c", FILTER("p = to_apr(in); out = to_pixels(p);") C("unroll p by (y: 2);"),
     "p: it is computed particle by particle"},
    {"c", FILTER("out = dct(in, [x], norm = none);") C("parallel out along y;"),
     "out: it is a transform"},
    {"c", OF_BINS("out[in[y, x]] += 1 over y, x;") C("vectorize out along b; split out by 1;"),
     "out: it is a scatter, whose steps have an order"},
    {"c",
     FILTER(ROWS "out[y, x] = 2 * a[y, x];")
         C("tile out by (y: 16) along x; specialise out where in.x == 640;"),
     "out: it is computed in whole lines"},
    {"c", OF_LINE("out[x] = sqrt(in[x]);") C("reorder out by (x);"),
     "out: it has fewer than two axes"},
    {"c",
     FILTER(ROOT AROUND("a"))
         C("tile out by (y: 32, x: 512); compute a at out; parallel out along x;"),
     "out: other stages are computed in its tiles"},
    {"c",
     "filter f(in : image<f32>[a, b, c, d, e, g, y, x]) -> out : image<f32>[a, b, c, d, e, g, y, "
     "x] { out[a, b, c, d, e, g, y, x] = in[a, b, c, d, e, g, y, x] + out[a, b, c, d, e, g, y - 1, "
     "x] border zero; }" C("tile out by (y: 64) blocked y;"),
     "out: it has too many axes"},
};

static bool is_said(const struct remarks *remarks, const char *remark, struct text *all)
{
    bool found = false;
    for (size_t i = 0; i < remarks->items.count; i++) {
        const struct remark *r = &remarks->items.item[i];
        const size_t start = all->length;
        text_print(all, "  %s: %s\n", r->stage->text, r->reason);
        found = found || (strncmp(all->bytes + start + 2, remark, strlen(remark)) == 0 &&
                          all->bytes[start + 2 + strlen(remark)] == '\n');
    }
    return found;
}

static void each_reason_has_a_filter(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof remarked / sizeof *remarked; i++) {
        struct session *session = session_create(NULL);
        const struct pass_options options = {.verify_each = true};
        const struct graph *graph = graph_for(session, remarked[i].text, remarked[i].target);
        const struct pass_result result =
            run_passes(session, graph, target_find(remarked[i].target), &options);
        struct text all = text_create(session->permanent);
        if (!is_said(&result.remarks, remarked[i].remark, &all)) {
            print_error("%s\nsays not, but\n  %s\n%s", remarked[i].text, remarked[i].remark,
                        all.bytes);
            wrong++;
        }
        session_destroy(session);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_reason_has_a_filter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
