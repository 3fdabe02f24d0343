/* What circuits refuse: of each reason a filter, and what is said of it. */
#include "hardware/lower.h"
#include "hardware/pixels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "circuit_of_text.h"

struct asked {
    struct session *session;
    unsigned pixels;
    const char *said;
};

static bool accepts(const struct graph *graph, void *user)
{
    struct asked *asked = user;
    struct session *session = asked->session;
    struct refusal refusal;
    const struct circuit *circuit = circuit_from_graph(session, graph, &refusal);
    if (circuit && pixels_suit(session->permanent, circuit, asked->pixels, &refusal))
        return true;
    asked->said = arena_format(session->permanent, "%s: %s; %s",
                               refusal.stage ? refusal.stage->name->text : graph->name->text,
                               refusal.why, refusal.cure);
    return false;
}

#define IN "filter f(in : image<u8>[y, x]) -> out : image<"
#define FILTER(body) IN "u8>[y, x] { border clamp; " body " }"
#define OF_N(rest)                                                                                 \
    "filter f(in : image<u8>[y, x], param n : i32 = 3 in 1 .. 9999) -> out : image<" rest
#define WIDE(body) IN "i64>[y, x] { border clamp; " body " }"
#define COUNT(body) IN "u32>[b] { " body " }"
#define OF_CHANNELS(body)                                                                          \
    "filter f(in : image<u8>[y, x, c]) -> out : image<u32>[y, x, c] { border clamp; " body " }"

static const struct {
    const char *text, *sizes;
    unsigned pixels;
    const char *sentence;
} refused[] = {
    /* axes */
    {"filter f(in : image<u8>[y, x]) -> out : image<u8>[v, u] { out[v, u] = in[v, u] ^ in[u, v]; }",
     "y=9,x=9", 1,
     "out: its axes are not lines and places of what it reads: 'u' is read at another axis than "
     "'y'; "
     "read neighbours: in[y + 1, x - 2], in[2 * y, x], in[y / 2, x]"},
    {FILTER("a[x] = in[4, x]; out[y, x] = in[y, x] ^ a[x];"), "y=9,x=9", 1,
     "out: its axes are not lines and places of what it reads: 'a' has one line; "
     "read neighbours: in[y + 1, x - 2], in[2 * y, x], in[y / 2, x]"},
    {OF_CHANNELS("out[y, x, c] = in[y, x, c];"), "y=9,x=9,c=257", 1,
     "in: it has more than 256 samples at each place, and 256 at most can stream side by side; "
     "shrink its short axes"},
    {IN "i64>[k] { out[k in 0 ..< 1] = sum[y in 0 ..< in.y - 9, x in 0 ..< in.x](in[y, x]); }",
     "y=9,x=9", 1,
     "out.sum: a frame of it would have no sample; "
     "make the image larger"},
    /* reductions */
    {FILTER("out[y, x] = u8(sum[v in 0 .. 64, u in 0 .. 64](in[y + v, x + u] ^ (v * u)));"),
     "y=99,x=99", 1,
     "out: a reduction in it has 4225 terms, more than 4096; "
     "bound its ranges by constants, and let it have fewer terms"},
    {FILTER("out[y, x] = median[dy in -5 .. 5, dx in -5 .. 5](in[y + dy, x + dx]);"), "y=99,x=99",
     1,
     "out: a reduction in it takes the median of 121, more than 81; "
     "bound its ranges by constants, and let it have fewer terms"},
    {FILTER("out[y, x] = median[dx in -1 .. 1 where in[y, x + dx] > 0](in[y, x + dx]) else 0;"),
     "y=9,x=9", 1,
     "out: a reduction in it takes the median of terms of which some may be missing; "
     "bound its ranges by constants, and let it have fewer terms"},
    {IN "i64>[y] { out[y] = sum[x in 0 ..< in.x](in[y, x]); }", "y=9,x=9", 1,
     "out.sum: a reduction in it has a number of terms that depends on a parameter or an extent; "
     "bound its ranges by constants, and let it have fewer terms"},
    {OF_N("i64>[k] { border clamp; out[k in 0 ..< 1] = sum[y in 0 ..< n, x in 0 ..< in.x](in[y, "
          "x]); }"),
     "y=9,x=9", 1,
     "out.sum: a reduction in it has a number of terms that depends on a parameter; "
     "bound its ranges by constants, and let it have fewer terms"},
    {IN "i64>[j] { a[0][j in 0 ..< 1] = i64(0); for k in 1 ..< 258 { a[k][j in 0 ..< 1] = a[k - "
        "1][j] | max[y in 0 ..< in.y, x in 0 ..< in.x](in[y, x] + k); } out = a[257]; }",
     "y=9,x=9", 1,
     "a_257.max: a reduction in it is one of more than 256 over whole frames; "
     "bound its ranges by constants, and let it have fewer terms"},
    /* operations */
    {OF_N("i32>[y, x] { out[y, x] = in[y, x] % n; }"), "y=9,x=9", 1,
     "out: it divides by a value that is not constant; "
     "multiply by a reciprocal from a table of constants: table r[v in 1 .. 255] = 65536 / v; and "
     "then (a * r[b]) >> 16"},
    {WIDE("out[y, x] = in[y, x] % -3;"), "y=9,x=9", 1,
     "out: it takes the remainder by a negative number; "
     "take it by a positive one"},
    {WIDE("out[y, x] = (in[y, x] << 54) / 7;"), "y=9,x=9", 1,
     "out: a quotient in it needs a product of more than 63 bits; "
     "divide smaller numbers, or by a power of two"},
    {FILTER("table t[v in 0 ..< 200] = u8(v / 2); out[y, x] = t[in[y, x]] border reflect;"),
     "y=9,x=9", 1,
     "out: it reads the table 't' at a place that may be outside; "
     "clamp the place, or read under border clamp"},
    /* counts */
    {COUNT("out[b in 0 ..< 9] : u32 = b; out[clamp(in[y, x], 0, 8)] += 1 over y, x;"), "y=9,x=9", 1,
     "out_2: it does not start from one constant number; "
     "start from one, and add what else there is in a second stage"},
    {COUNT("out[b in 0 ..< 9] : u32; out[clamp(in[y, x], 0, 8)] max= 4294967295 over y, x;"),
     "y=9,x=9", 1,
     "out: its steps store one number, whatever is there; "
     "let what is there count, as += 1 does"},
    {COUNT("out[b in 0 ..< in.y] : u32; out[y] += in[y, x] over y, x;"), "y=9,x=9", 1,
     "out: it counts separately for each place of an axis; "
     "count over the whole image"},
    {COUNT("out[b in 0 ..< 65537] : u32; out[in[y, x]] += 1 over y, x;"), "y=900,x=900", 1,
     "out: it counts into 65537 numbers, and a circuit into 65536 at most; "
     "count into fewer"},
    {"filter f(in : image<u8>[y, x, c]) -> out : image<u32>[b] { out[b in 0 ..< 256] : u32; "
     "out[in[y, x, c]] += 1 over y, x, c; }",
     "y=99,x=99,c=3", 1,
     "out: it counts several channels of each place; "
     "count in one filter for each channel"},
    /* recurrences */
    {OF_CHANNELS("out[y, x, c] = max(in[y, x, c], out[y, x, c - 1] border zero);"), "y=9,x=9,c=3",
     1,
     "out: it reads itself along an axis of channels; "
     "read it at the same place of lines before, own[y - 1, x], or before on the line, own[y, x - "
     "1], starting from a number"},
    {OF_N(
         "u8>[y, x] { out[y, x] = max(in[y, x], out[y - 1, x] border constant(clamp(n, 0, 9))); }"),
     "y=9,x=9", 1,
     "out: it reads itself from an initial state that is not a number; "
     "read it at the same place of lines before, own[y - 1, x], or before on the line, own[y, x - "
     "1], starting from a number"},
    {FILTER("out[y, x] = max(in[y, x], out[y - 9, x] border zero);"), "y=9,x=9", 1,
     "out: it reads itself farther away than the image is large; "
     "make the image larger"},
    {FILTER("out[y, x] = max(in[y, x], out[y - 1, x] border zero);"), "y=9,x=3", 1,
     "out: it reads itself on lines of fewer than 13 places; "
     "make the image larger"},
    /* several samples a clock */
    {FILTER("out[y, x] = max(in[y, x], out[y, x - 1] border zero);"), "y=8,x=8", 2,
     "f: 2 samples a clock are asked for, and 'out' goes on from one sample to the next; "
     "take one sample a clock, or lines whose length they divide"},
    {COUNT("out[b in 0 ..< 4] : u32; out[min(in[y, x], 3)] += 1 over y, x;"), "y=8,x=8", 2,
     "f: 2 samples a clock are asked for, and 'out' counts sample by sample; "
     "take one sample a clock, or lines whose length they divide"},
    {FILTER("out[y in 0 ..< 2 * in.y, x in 0 ..< 2 * in.x] = in[y / 2, x / 2];"), "y=8,x=8", 2,
     "f: 2 samples a clock are asked for, and 'in.twice_down' gives samples twice; "
     "take one sample a clock, or lines whose length they divide"},
    {FILTER("out[y, x in 0 ..< in.x / 2] = in[y, 2 * x];"), "y=8,x=8", 2,
     "f: 2 samples a clock are asked for, and 'in.window' leaves samples of a line out; "
     "take one sample a clock, or lines whose length they divide"},
    {IN "u8>[y, x] { out[y, x in 1 ..< in.x - 1] = max(in[y, x - 1], in[y, x + 1]); }", "y=8,x=8",
     2,
     "f: 2 samples a clock are asked for, and 'in.window' leaves the ends of lines out; "
     "take one sample a clock, or lines whose length they divide"},
    /* kinds */
    {"filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] { out = dct(in, [x], type = 2, "
     "norm = none); }",
     "y=8,x=8", 1,
     "out: a transform needs whole lines; "
     "filter with windows: sums over neighbours"},
    {"filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] { out = to_pixels(to_apr(in)); }",
     "y=8,x=8", 1,
     "to_apr.level: particles need the whole image; "
     "filter its pixels"},
    {OF_N("u8>[y, x] { border clamp; a = in; repeat n { a[y, x] = max(a[y, x - 1], a[y, x]); } out "
          "= a; }"),
     "y=8,x=8", 1,
     "a: it is repeated more than 64 times, or a number of times that depends on a parameter; "
     "use for k in 0 ..< n with a constant n"},
    {"filter f(in : image<u8>[y, x]) -> (out : image<u8>[y, x], n : image<u8>[k]) { out = in; n[k "
     "in 0 ..< 3] = u8(k); }",
     "y=8,x=8", 1,
     "n: it reads no image, so nothing says when its samples come; "
     "let it read an image that has a sample for each of its own"},
};

static void each_reason_has_a_filter(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct session *session = session_create(NULL);
        struct asked asked = {session, refused[i].pixels, "it streams"};
        const struct pass_options options = {.accepts = accepts, .accepts_context = &asked};
        run_passes(session, sized_graph(session, refused[i].text, refused[i].sizes),
                   target_find("verilog"), &options);
        if (strcmp(asked.said, refused[i].sentence) != 0) {
            print_error("%s\n  %s\nnot:\n  %s\n", refused[i].text, asked.said, refused[i].sentence);
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
