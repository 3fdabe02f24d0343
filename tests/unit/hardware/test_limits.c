/* The limits of what circuits take: programs just inside of them, and such as are refused just
 * beyond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "circuit_of_text.h"
#include "hardware/lower.h"
#include "hardware/pixels.h"

struct asked {
    struct session *session;
    unsigned pixels;
    struct refusal refusal;
};

static bool look(const struct graph *graph, void *context)
{
    struct asked *asked = context;
    const struct circuit *circuit = circuit_from_graph(asked->session, graph, &asked->refusal);
    assert_true(!circuit == asked->refusal.refused);
    return circuit &&
           pixels_suit(asked->session->permanent, circuit, asked->pixels, &asked->refusal);
}

#define FILTER(in, out, body)                                                                      \
    "filter f(in : image<" in ">[y, x]) -> out : image<" out ">[y, x] { " body " }"
#define OUT(value) FILTER("u8", "i32", "out[y, x] = " value ";")
#define BOX(value) FILTER("u8", "i32", "out[y in 0 .. 3, x in 0 .. 3] = " value ";")
#define LONG(value) FILTER("i64", "i64", "out[y, x] = " value ";")

struct candidate {
    const char *text, *sizes; /* NULL: y=12,x=16 */
    unsigned pixels;
};

/* why: NULL: it is accepted. */
static const struct {
    enum refusal_reason reason;
    const char *why;
    struct candidate program;
} rows[] = {
    {0, NULL, {OUT("in[y, x]"), NULL, 1}},
    {REFUSED_FLOAT,
     "it holds f32, and hardware is made of integers",
     {FILTER("f32", "u8", "out[y, x] = u8(in[y, x]);"), NULL, 1}},
    {REFUSED_FLOAT,
     "it holds f32, and hardware is made of integers",
     {OUT("i32(sqrt(in[y, x]))"), NULL, 1}},
    {REFUSED_FLOAT,
     "it holds f32, and hardware is made of integers",
     {FILTER("u8", "i32", "table k[v in 0 .. 255] = 0.5 * v; out[y, x] = i32(k[in[y, x]]);"), NULL,
      1}},
    {REFUSED_KIND,
     "a transform needs whole lines",
     {FILTER("f32", "f32", "out = dct(in, [y, x], type = 2, norm = ortho);"), NULL, 1}},
    {REFUSED_KIND,
     "it is repeated more than 64 times, or a number of times that depends on a parameter",
     {"filter f(in : image<u8>[y, x], param n : i32 = 3 in 0 .. 9) -> out : image<u8>[y, x] { w = "
      "in; repeat n { w[y, x] = w[y, x - 1] border clamp; } out = w; }",
      NULL, 1}},
    {REFUSED_KIND,
     "its steps store one number, whatever is there",
     {"filter f(in : image<u8>[y, x]) -> h : image<u8>[b] { h[b in 0 .. 7] : u8; h[in[y, x] / 32] "
      "max= 255 over y, x; }",
      NULL, 1}},
    {REFUSED_KIND,
     "it does not start from one constant number",
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 7] : u32 = b; h[in[y, x] "
      "/ 32] += 1 over y, x; }",
      NULL, 1}},
    {REFUSED_KIND,
     "it counts several channels of each place",
     {"filter f(in : image<u8>[y, x, c]) -> h : image<u32>[b] { h[b in 0 .. 7] : u32; h[in[y, x, "
      "c] / 32] += 1 over y, x, c; }",
      "y=12,x=16,c=3", 1}},
    {REFUSED_PIXELS,
     "2 samples a clock are asked for, and 'h' counts sample by sample",
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 7] : u32; h[in[y, x] / "
      "32] += 1 over y, x; }",
      NULL, 2}},
    {REFUSED_AXES,
     "it has z besides lines and places",
     {"filter f(in : image<u8>[z, y, x]) -> out : image<u8>[z, y, x] { out[z, y, x] = in[z, y, x]; "
      "}",
      "z=20,y=20,x=20", 1}},
    {REFUSED_AXES,
     "it has z besides lines and places",
     {"filter f(in : image<u8>[z, y, x]) -> out : image<u8>[z, y, x] { out[z, y, x] = in[z, y, x]; "
      "}",
      "z=17,y=20,x=20", 1}},
    {0,
     NULL,
     {"filter f(in : image<u8>[z, y, x]) -> out : image<u8>[z, y, x] { out[z, y, x] = in[z, y, x]; "
      "}",
      "z=16,y=20,x=20", 1}},
    {REFUSED_RASTER,
     "its axes are not lines and places of what it reads: 'b' is read at another axis than 'y'",
     {"filter f(in : image<u8>[y, x]) -> out : image<i32>[a, b] { out[a in 0 .. 3, b in 0 .. 3] = "
      "(in[a, b] border clamp) + (in[b, a] border clamp); }",
      "y=12,x=12", 1}},
    {REFUSED_RASTER,
     "its axes are not lines and places of what it reads: 'b' has one line",
     {"filter f(in : image<u8>[y, x], b : image<u8>[x]) -> out : image<i32>[y, x] { out[y, x] = "
      "in[y, x] + b[x]; }",
      "in.y=12,in.x=5000,b.x=5000", 1}},
    {REFUSED_GATHER,
     "it reads 'in' at places that are no neighbours",
     {BOX("in[y + x, x] border clamp"), NULL, 1}},
    {0, NULL, {BOX("in[y, 3] border clamp"), NULL, 1}},
    {REFUSED_GATHER,
     "it reads 'in' at places that are no neighbours",
     {BOX("in[11 - y, x] border clamp"), NULL, 1}},
    {REFUSED_GATHER,
     "it reads 'in' at places that are no neighbours",
     {OUT("in[y, in[y, x]] border clamp"), NULL, 1}},
    {REFUSED_GATHER,
     "it reads 'in' at places that are no neighbours",
     {BOX("in[(3 * y) / 2, x] border clamp"), NULL, 1}},
    {REFUSED_GATHER,
     "it reads 'in' at places that are no neighbours",
     {BOX("in[y / 3, x] border clamp"), NULL, 1}},
    {REFUSED_STRIDE,
     "it takes every sample of 'in' at a distance of 3, which is no power of two",
     {BOX("in[3 * y, x] border clamp"), NULL, 1}},
    {REFUSED_STRIDE,
     "it takes every sample of 'in' at a distance of 6, which is no power of two",
     {BOX("in[y, 6 * x] border clamp"), "y=12,x=48", 1}},
    {0, NULL, {BOX("in[2 * y, x] border clamp"), NULL, 1}},
    {REFUSED_UP,
     "it reads 'in' between samples at another place than y / 2 and (y + 1) / 2",
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y, x] = in[y / 2 - 1, x] border clamp;"), NULL, 1}},
    {REFUSED_UP,
     "it reads 'in' between samples at another place than y / 2 and (y + 1) / 2",
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y, x] = in[(y + 2) / 2, x] border clamp;"), NULL,
      1}},
    {REFUSED_UP,
     "it reads 'in' between samples at another place than y / 2 and (y + 1) / 2",
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y, x] = in[(y + 1) / 2, x] border zero;"), NULL,
      1}},
    {REFUSED_UP,
     "it reads 'in' between samples at another place than y / 2 and (y + 1) / 2",
     {FILTER("u8", "u8", "out[y in 0 .. 2 * in.y, x] = in[y / 2, x] border clamp;"), NULL, 1}},
    {REFUSED_UP,
     "it reads 'in' between samples at another place than y / 2 and (y + 1) / 2",
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y - 2, x] = in[y / 2, x] border clamp;"), NULL, 1}},
    {0,
     NULL,
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y - 1, x] = in[y / 2, x] border clamp;"), NULL, 1}},
    {0,
     NULL,
     {FILTER("u8", "u8", "out[y in 0 ..< 2 * in.y, x] = in[(y + 1) / 2, x] border clamp;"), NULL,
      1}},
    {REFUSED_BORDER,
     "the rule wrap of 'in' needs what comes at another end of the frame",
     {OUT("in[y - 1, x] border wrap"), NULL, 1}},
    {REFUSED_BORDER,
     "the rule constant of 'in' needs what comes at another end of the frame",
     {"filter f(in : image<u8>[y, x], param v : u8 = 3) -> out : image<u8>[y, x] { out[y, x] = "
      "in[y - 1, x] border constant(v); }",
      NULL, 1}},
    {0, NULL, {OUT("in[y - 1, x] border constant(7)"), NULL, 1}},
    {REFUSED_SMALL,
     "13 taps around each sample need more than the 12 lines that 'in' has",
     {OUT("in[y - 12, x] border clamp"), NULL, 1}},
    {REFUSED_SMALL,
     "17 taps around each sample need more than the 16 tokens that 'in' has",
     {OUT("in[y, x + 16] border clamp"), NULL, 1}},
    {0, NULL, {OUT("in[y - 11, x] border clamp"), NULL, 1}},
    {0, NULL, {OUT("in[y, x + 15] border clamp"), NULL, 1}},
    {REFUSED_LARGER,
     "it is larger than 'in', which it reads",
     {FILTER("u8", "u8", "out[y in 0 .. in.y, x] = in[y - 1, x] border zero;"), NULL, 1}},
    {REFUSED_LANES,
     "it has more than 256 samples at each place, and 256 at most can stream side by side",
     {"filter f(in : image<u8>[y, x, c]) -> out : image<u8>[y, x, c] { out[y, x, c] = in[y, x, c]; "
      "}",
      "y=12,x=16,c=257", 1}},
    {0,
     NULL,
     {"filter f(in : image<u8>[y, x, c]) -> out : image<u8>[y, x, c] { out[y, x, c] = in[y, x, c]; "
      "}",
      "y=12,x=16,c=256", 1}},
    {REFUSED_SIZE,
     "a frame of it would have no sample",
     {FILTER("u8", "u8", "out[y in 0 ..< in.y - 12, x] = in[y, x];"), NULL, 1}},
    {0, NULL, {FILTER("u8", "u8", "out[y in 0 ..< in.y - 11, x] = in[y, x];"), NULL, 1}},
    {REFUSED_EXTENT,
     "its extent along y depends on the parameter 'n'",
     {"filter f(in : image<u8>[y, x], param n : i32 = 3 in 1 .. 9) -> out : image<u8>[y, x] { "
      "out[y in 0 ..< n, x] = in[y, x] border clamp; }",
      NULL, 1}},
    {REFUSED_EXTENT,
     "its extent along y depends on the parameter 'n'",
     {"filter f(in : image<u8>[y, x], param n : i32 = 3 in 1 .. 9) -> out : image<u8>[y, x] { "
      "out[y in n .. 9, x] = in[y, x] border clamp; }",
      NULL, 1}},
    {REFUSED_COUNTS,
     "it counts into 2 axes, and a circuit into one",
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[i, k] { h[i in 0 .. 3, k in 0 .. 3] : u32; "
      "h[in[y, x] / 64, in[y, x] % 4] += 1 over y, x; }",
      NULL, 1}},
    {REFUSED_NO_IMAGE,
     "it reads no image, so nothing says when its samples come",
     {FILTER("u8", "i32", "out[y in 0 ..< 9, x in 0 ..< 9] = y + x;"), NULL, 1}},
    {REFUSED_NO_IMAGE,
     "it reads no image, so nothing says when its samples come",
     {"filter f(in : image<u8>[y, x]) -> (out : image<u8>[y, x], o : image<i32>[b]) { out = in; "
      "o[b in 0 ..< 9] = b; }",
      NULL, 1}},
    {REFUSED_REDUCTION,
     "a reduction in it has 4160 terms, more than 4096",
     {OUT("sum[i in 0 .. 63, k in 0 .. 64](in[y, x])"), NULL, 1}},
    {0, NULL, {OUT("sum[i in 0 .. 63, k in 0 .. 63](in[y, x])"), NULL, 1}},
    {REFUSED_REDUCTION,
     "a reduction in it takes the median of 82, more than 81",
     {OUT("median[i in 0 .. 1, k in 0 .. 40](in[y, x] + k + i)"), NULL, 1}},
    {0, NULL, {OUT("median[i in 0 .. 8, k in 0 .. 8](in[y, x] + k + i)"), NULL, 1}},
    {REFUSED_REDUCTION,
     "a reduction in it takes the median of terms of which some may be missing",
     {OUT("median[i in 0 .. 8 where in[y, x] >= i](in[y, x] + i) else 0"), NULL, 1}},
    {0, NULL, {OUT("sum[i in 0 .. 8 where in[y, x] > i](in[y, x] + i)"), NULL, 1}},
    {0, NULL, {OUT("min[i in 0 .. 8 where in[y, x] >= i](in[y, x] + i)"), NULL, 1}},
    {0, NULL, {OUT("count[i in 0 .. 8](in[y, x] > i)"), NULL, 1}},
    {REFUSED_DIVISOR,
     "it divides by a value that is not constant",
     {OUT("in[y, x] % (in[y, x] + 1)"), NULL, 1}},
    {REFUSED_REMAINDER,
     "it takes the remainder by a negative number",
     {OUT("in[y, x] % (0 - 3)"), NULL, 1}},
    {REFUSED_DIVISOR,
     "it divides by a value that is not constant",
     {OUT("in[y, x] / (in[y, x] + 1)"), NULL, 1}},
    {REFUSED_WIDE,
     "a quotient in it needs a product of more than 63 bits",
     {LONG("in[y, x] / 3"), NULL, 1}},
    {REFUSED_WIDE,
     "a quotient in it needs a product of more than 63 bits",
     {LONG("in[y, x] / -3"), NULL, 1}},
    {REFUSED_WIDE,
     "a quotient in it needs a product of more than 63 bits",
     {LONG("max(in[y, x], 0) / 3"), NULL, 1}},
    {REFUSED_WIDE,
     "a quotient in it needs a product of more than 63 bits",
     {LONG("max(in[y, x], -9223372036854775807) / 3"), NULL, 1}},
    {REFUSED_TABLE,
     "it reads the table 'k' at a place that may be outside",
     {FILTER("u8", "u8", "table k[i in 0 .. 9] = u8(i); out[y, x] = k[in[y, x]] border wrap;"),
      NULL, 1}},
    {REFUSED_TABLE,
     "it reads the table 'in' at a place that may be outside",
     {"filter f(in : image<u8>[y, x, c]) -> out : image<u8>[y, x] { out[y, x] = in[y, x, in[y, x, "
      "0]] border wrap; }",
      "y=12,x=16,c=3", 1}},
    {REFUSED_TABLE,
     "it reads the table 'm' at a place that may be outside",
     {"filter f(in : image<u8>[y, x, c]) -> out : image<u8>[y, x] { m[y, x, c] = in[y, x, c] / 2; "
      "out[y, x] = m[y, x, in[y, x, 0]] border wrap; }",
      "y=12,x=16,c=3", 1}},
    {REFUSED_SELF,
     "it reads itself from the end of the frame on",
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y + 1, x] border zero)) / 2;"), NULL,
      1}},
    {REFUSED_SELF,
     "it reads itself at places that are not straight before",
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y - 1, x + 1] border zero)) / 2;"),
      NULL, 1}},
    {REFUSED_SELF,
     "it reads itself from an initial state that is not a number",
     {"filter f(in : image<u8>[y, x], param n : i32 = 3 in 0 .. 9) -> out : image<i32>[y, x] { "
      "out[y, x] : i32 = (in[y, x] + (out[y - 1, x] border constant(n))) / 2; }",
      NULL, 1}},
    {REFUSED_SELF_SMALL,
     "it reads itself farther away than the image is large",
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y - 12, x] border zero)) / 2;"), NULL,
      1}},
    {0,
     NULL,
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y - 11, x] border zero)) / 2;"), NULL,
      1}},
    {REFUSED_SELF,
     "it reads itself along an axis of channels",
     {"filter f(in : image<u8>[y, x, c]) -> out : image<i32>[y, x, c] { out[y, x, c] : i32 = "
      "(in[y, x, c] + (out[y, x, c - 1] border zero)) / 2; }",
      "y=12,x=16,c=3", 1}},
    {REFUSED_SELF_SMALL,
     "it reads itself on lines of fewer than 15 places",
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y - 1, x] border zero)) / 2;"),
      "y=12,x=4", 1}},
    {REFUSED_LOOP,
     "its next sample along the line takes 7 additions, one behind the other, in one clock",
     {FILTER("u8", "u16", "out[y, x] : u16 = (in[y, x] * (out[y, x - 1] border zero)) >> 8;"), NULL,
      1}},
    {REFUSED_FRAME,
     "it counts into 185 numbers, and a frame of 192 samples is over before these are given",
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 184] : u32; h[min(in[y, "
      "x], 9)] += 1 over y, x; }",
      NULL, 1}},
    {0,
     NULL,
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 183] : u32; h[min(in[y, "
      "x], 9)] += 1 over y, x; }",
      NULL, 1}},
    {REFUSED_BINS,
     "it counts into 65537 numbers, and a circuit into 65536 at most",
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 65536] : u32; h[in[y, x]] "
      "+= 1 over y, x; }",
      "y=1000,x=1000", 1}},
    {0,
     NULL,
     {"filter f(in : image<u8>[y, x]) -> h : image<u32>[b] { h[b in 0 .. 65535] : u32; h[in[y, x]] "
      "+= 1 over y, x; }",
      "y=1000,x=1000", 1}},
    {REFUSED_PIXELS,
     "3 samples a clock are asked for, and 'in' has lines of 16 samples",
     {OUT("in[y, x]"), NULL, 3}},
    {0, NULL, {OUT("in[y, x]"), NULL, 4}},
    {REFUSED_PIXELS,
     "2 samples a clock are asked for, and 'out' goes on from one sample to the next",
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y, x - 1] border zero)) / 2;"), NULL,
      2}},
    {0,
     NULL,
     {FILTER("u8", "i32", "out[y, x] : i32 = (in[y, x] + (out[y - 1, x] border zero)) / 2;"),
      "y=12,x=64", 2}},
    {REFUSED_PIXELS,
     "2 samples a clock are asked for, and 'in.twice_along' gives samples twice",
     {FILTER("u8", "u8", "out[y, x in 0 ..< 2 * in.x] = in[y, x / 2] border clamp;"), NULL, 2}},
    {REFUSED_PIXELS,
     "2 samples a clock are asked for, and 'in.column.window' leaves samples of a line out",
     {BOX("in[y, 2 * x] border clamp"), NULL, 2}},
    {0, NULL, {FILTER("u8", "u8", "out[y in 0 .. 3, x] = in[2 * y, x] border clamp;"), NULL, 2}},
    {REFUSED_PIXELS,
     "2 samples a clock are asked for, and 'in.window' leaves the ends of lines out",
     {FILTER("u8", "u8", "out[y, x in 2 ..< in.x] = in[y, x - 1];"), NULL, 2}},
    {REFUSED_WHOLE,
     "it reads 'most.max', which is known only after the frame has passed",
     {FILTER("u8", "u8",
             "most = max[y in 0 ..< in.y, x in 0 ..< in.x](in[y, x]); out[y, x] = u8(most - in[y, "
             "x]);"),
      NULL, 1}},
    {REFUSED_RASTER,
     "its axes are not lines and places of what it reads: 'h' has one line",
     {"filter f(in : image<u8>[y, x]) -> out : image<u32>[y, x] { h[b in 0 .. 7] : u32; h[in[y, x] "
      "/ 32] += 1 over y, x; out[y in 0 .. 11, x in 0 .. 15] = max(h[3], in[y, x] border clamp); }",
      NULL, 1}},
    {REFUSED_GATHER,
     "it reads 'h' at places that are no neighbours",
     {"filter f(in : image<u8>[y, x]) -> out : image<u32>[b] { h[b in 0 .. 7] : u32; h[in[y, x] / "
      "32] += 1 over y, x; out[b in 0 .. 3] = h[7 - b]; }",
      NULL, 1}},
    {REFUSED_FLOAT,
     "it holds f32, and hardware is made of integers",
     {FILTER("u8", "u8", "w = 0.5 * in; out = u8(w);"), NULL, 1}},
    {0, NULL, {OUT("in[y, x] / -3"), NULL, 1}},
    {0, NULL, {OUT("in[y, x] % 3 - in[y, x] / 7"), NULL, 1}},
    {0, NULL, {LONG("clamp(in[y, x], -1000, 1000) / 3"), NULL, 1}},
    {REFUSED_LOOP,
     "its next sample along the line takes 14 additions, one behind the other, in one clock",
     {FILTER("u8", "i32",
             "out[y, x] : i32 = min(in[y, x] + (out[y, x - 1] border zero), 255) / 3;"),
      NULL, 1}},
    {REFUSED_KIND,
     "it is repeated more than 64 times, or a number of times that depends on a parameter",
     {"filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x] { w = in; repeat 65 { w[y, x] = "
      "w[y, x - 1] border clamp; } out = w; }",
      NULL, 1}},
    {0,
     NULL,
     {"filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x] { w = in; repeat 64 { w[y, x] = "
      "w[y, x - 1] border clamp; } out = w; }",
      NULL, 1}},
};

/* What the program is refused for, in the session's memory. */
static struct refusal refusal_of(struct session *session, const struct candidate *program)
{
    const char *sizes = program->sizes ? program->sizes : "y=12,x=16";
    struct asked asked = {.session = session, .pixels = program->pixels};
    const struct pass_options options = {.verify_each = true,
                                         .accepts = look,
                                         .accepts_context = &asked,
                                         .stop_after = "lower_to_circuit"};
    const struct pass_result result = run_passes(
        session, sized_graph(session, program->text, sizes), target_find("verilog"), &options);
    if (result.problem)
        fail_msg("%s: %s", program->text, result.problem);
    assert_true(!result.circuit == asked.refusal.refused);
    return asked.refusal;
}

static void each_reason_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *session;
        open_session(&session);
        const struct refusal refusal = refusal_of(session, &rows[i].program);
        if (refusal.refused != (rows[i].why != NULL))
            fail_msg("%s: %s", rows[i].program.text, refusal.refused ? refusal.why : "accepted");
        if (rows[i].why)
            assert_string_equal(refusal.why, rows[i].why);
        assert_int_equal(refusal.reason, rows[i].reason);
        close_session(&session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reason_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
