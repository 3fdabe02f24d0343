/* Windows and doubled samples. Lines pass through a memory that holds the samples of the last lines
 * for each place; samples of a line pass through registers. After a frame, or a line, a window
 * continues without taking tokens until its last places are given. So nothing waits for the next
 * frame or line, and FIFOs that are deep enough for the circuit are deep enough here. */
#include "emit/launch/hls/dialect.h"
#include "hardware/special_places.h"

/* ---- Taps ---- */

/* How the elements of a sample lie in the tokens that a window sees: `columns` groups of `lanes`,
 * from each to the next `step` elements. One group where a token is one sample. */
struct layout {
    unsigned pixels, columns, lanes, step;
};

static struct layout layout_of(const struct hls *h, const struct process *p)
{
    const struct stream *in = process_edge(h->circuit, p, 0);
    const unsigned pixels = p->as.window.pixels;
    if (pixels == 1)
        return (struct layout){1, 1, p->out.lanes, 0};
    return (struct layout){pixels, in->taps, in->lanes / pixels, in->lanes};
}

/* "seen[12 + t * 4 + l]": an element from `first` on, of lane l of column t. */
static const char *element_at(const struct hls *h, const struct layout *layout, const char *array,
                              unsigned first, unsigned step)
{
    struct text text = text_create(h->arena);
    text_print(&text, "%s[%u", array, first);
    if (layout->columns > 1)
        text_print(&text, " + t * %u", step);
    if (layout->lanes > 1)
        text_print(&text, " + l");
    text_print(&text, "]");
    return text.bytes;
}

/* Tap k of a sample of the token in the middle, among what the window sees, the oldest first. */
static const char *seen_at(const struct hls *h, const struct process *p,
                           const struct layout *layout, unsigned k, unsigned pixel)
{
    const unsigned all = stream_elements(process_edge(h->circuit, p, 0));
    const unsigned sample =
        pixel + k + window_tokens_before(p) * layout->pixels - p->as.window.before;
    return element_at(h, layout, "seen",
                      sample / layout->pixels * all + sample % layout->pixels * layout->lanes,
                      layout->step);
}

/* "centre == 0": where the border rule acts. */
static const char *at_place(const struct hls *h, const struct process *p, int64_t place)
{
    return arena_format(h->arena, "centre == %lld", (long long)(place * p->as.window.stride));
}

/* What tap k is: of the window as it is, or what stands for it at special places, of n. */
static const char *tap_text(const struct hls *h, const struct process *p,
                            const struct layout *layout, unsigned k, unsigned pixel, int64_t n,
                            const struct special_places *places)
{
    const char *value = seen_at(h, p, layout, k, pixel);
    for (unsigned i = places->count; i-- > 0;) {
        const int read =
            window_tap(p, places->item[i] * layout->pixels + pixel, n * layout->pixels, k);
        if (read == (int)k)
            continue;
        const char *instead =
            read >= 0
                ? seen_at(h, p, layout, (unsigned)read, pixel)
                : h->dialect->cast(h->arena, hls_integer(h, p->out.interval),
                                   arena_format(h->arena, "%lld", (long long)p->as.window.outside));
        value = arena_format(h->arena, places->count > 1 ? "%s ? %s\n    : %s" : "%s ? %s : %s",
                             at_place(h, p, places->item[i]), instead, value);
    }
    return value;
}

static void open_element_loop(const struct hls *h, const char *variable, unsigned count)
{
    if (count == 1)
        return;
    text_print(h->out, "for (int %s = 0; %s < %u; %s++) {\n", variable, variable, count, variable);
    h->out->indent += 4;
}

static void close_element_loop(const struct hls *h, unsigned count)
{
    if (count == 1)
        return;
    h->out->indent -= 4;
    text_print(h->out, "}\n");
}

/* Fills and writes the token of the window at `centre`. */
static void print_given(const struct hls *h, const struct process *p, int64_t n)
{
    const struct special_places places = special_places(p, n);
    const struct layout layout = layout_of(h, p);
    if (stream_elements(&p->out) == 1) { /* samples left out */
        hls_write(h, "seen[0]");
        return;
    }
    text_print(h->out, "%s given;\n", hls_token(h, p));
    open_element_loop(h, "t", layout.columns);
    open_element_loop(h, "l", layout.lanes);
    for (unsigned part = 0; part < p->as.window.taps * layout.pixels; part++)
        text_print(
            h->out, "%s = %s;\n",
            element_at(h, &layout, "given.at", part * layout.columns * layout.lanes, layout.lanes),
            tap_text(h, p, &layout, part / layout.pixels, part % layout.pixels, n, &places));
    close_element_loop(h, layout.lanes);
    close_element_loop(h, layout.columns);
    hls_write(h, "given");
}

/* Whether the place at `centre`, of n, is one that is given: "" where each is. */
static const char *is_given(const struct hls *h, const struct process *p, uint64_t n,
                            uint64_t given)
{
    struct text text = text_create(h->arena);
    const unsigned stride = p->as.window.stride;
    if (stride > 1)
        text_print(&text, " && (centre & %u) == 0", stride - 1);
    if (given * stride < n)
        text_print(&text, " && centre < %llu", (unsigned long long)given * stride);
    return text.length ? text.bytes : "";
}

/* ---- Memory ---- */

/* A place is not read again before the write of it is done, as lines that are short beside the
 * clocks of the function are registers. */
void hls_print_memory(const struct hls *h, const struct process *p, enum memory_kind asked,
                      const struct stream *lines, unsigned samples)
{
    const char *memory = lines->tokens < 2 * p->latency ? NULL : hls_memory(asked, lines->tokens);
    text_print(h->out, samples > 1 ? "static %s kept[%u][%u];\n" : "static %s kept[%u];\n",
               hls_integer(h, p->out.interval), lines->tokens, samples);
    if (!memory) {
        text_print(h->out, "#pragma HLS ARRAY_PARTITION variable=kept dim=0 complete\n");
        return;
    }
    if (samples > 1)
        text_print(h->out, "#pragma HLS ARRAY_PARTITION variable=kept dim=2 complete\n");
    text_print(h->out,
               "#pragma HLS BIND_STORAGE variable=kept type=ram_s2p impl=%s\n"
               "#pragma HLS DEPENDENCE variable=kept type=inter dependent=false\n",
               memory);
}

/* ---- Windows ---- */

static unsigned elements_seen(const struct hls *h, const struct process *p)
{
    return (window_tokens_before(p) + 1 + window_tokens_after(p)) *
           stream_elements(process_edge(h->circuit, p, 0));
}

/* Takes a token into the last tap of the window. */
static void print_taken(const struct hls *h, const struct process *p, const char *condition)
{
    const unsigned lanes = p->out.lanes, last = elements_seen(h, p) - lanes;
    const struct process *from = &h->circuit->processes.item[p->edge[0].from];
    if (*condition) {
        text_print(h->out, lanes > 1 ? "if (%s) {\n" : "if (%s)\n", condition);
        h->out->indent += 4;
    }
    if (lanes > 1)
        text_print(h->out,
                   "const %s t0 = %s;\nfor (int l = 0; l < %u; l++)\n    seen[%u + l] = "
                   "t0.at[l];\n",
                   hls_token(h, from), hls_read(h, 0), lanes, last);
    else
        text_print(h->out, "seen[%u] = %s;\n", last, hls_read(h, 0));
    if (*condition) {
        h->out->indent -= 4;
        text_print(h->out, lanes > 1 ? "}\n" : "");
    }
}

/* What the window is, in words: "5 lines around every 2nd one, clamp". */
static const char *about(const struct hls *h, const struct process *p, const char *what)
{
    struct text text = text_create(h->arena);
    const unsigned stride = p->as.window.stride;
    text_print(&text, "%u %s around ", p->as.window.taps, what);
    if (stride == 1)
        text_print(&text, "each one");
    else
        text_print(&text, "every %u%s one", stride, stride == 2 ? "nd" : "th");
    if (p->as.window.rule != BORDER_NONE)
        text_print(&text, ", %s", border_text[p->as.window.rule]);
    return text.bytes;
}

/* The place that is in the middle, and its token where one is given. */
static void print_centre(const struct hls *h, const struct process *p, const char *at, int64_t n,
                         int64_t given)
{
    const unsigned after = window_tokens_after(p);
    const char *which = is_given(h, p, (uint64_t)n, (uint64_t)given);
    const char *condition = after    ? arena_format(h->arena, "centre >= 0%s", which)
                            : *which ? which + strlen(" && ")
                                     : "";
    text_print(h->out, after ? "const int centre = %s - %u;\n" : "const int centre = %s;\n", at,
               after);
    if (*condition) {
        text_print(h->out, "if (%s) {\n", condition);
        h->out->indent += 4;
    }
    print_given(h, p, n);
    if (*condition) {
        h->out->indent -= 4;
        text_print(h->out, "}\n");
    }
}

static void print_column(const struct hls *h, const struct process *p)
{
    const struct stream *in = process_edge(h->circuit, p, 0);
    const unsigned lanes = p->out.lanes, all = elements_seen(h, p);
    const unsigned held = all - lanes, after = window_tokens_after(p);
    const char *type = hls_integer(h, p->out.interval);
    hls_open_process(h, p, about(h, p, "lines"));
    if (held)
        hls_print_memory(h, p, p->as.window.memory, in, held);
    hls_open_loops(h, in->lines + after, in->tokens);
    text_print(h->out, "%s seen[%u];\n#pragma HLS ARRAY_PARTITION variable=seen complete\n", type,
               all);
    if (held)
        text_print(h->out,
                   held > 1 ? "for (int k = 0; k < %u; k++)\n    seen[k] = kept[place][k];\n"
                            : "seen[0] = kept[place];\n",
                   held);
    for (unsigned l = 0; after && l < lanes; l++)
        text_print(h->out, "seen[%u] = 0;\n", held + l);
    print_taken(h, p, after ? arena_format(h->arena, "line < %u", in->lines) : "");
    if (held)
        text_print(h->out,
                   held > 1 ? "for (int k = 0; k < %u; k++)\n    kept[place][k] = seen[k + %u];\n"
                            : "kept[place] = seen[1];\n",
                   held, lanes);
    print_centre(h, p, "line", in->lines, p->out.lines);
    hls_close_loops(h);
}

/* What the window holds of the line before, the border rule replaces. */
static void print_row(const struct hls *h, const struct process *p)
{
    const struct stream *in = process_edge(h->circuit, p, 0);
    const unsigned lanes = p->out.lanes, all = elements_seen(h, p);
    const unsigned held = all - lanes, after = window_tokens_after(p);
    hls_open_process(h, p, about(h, p, "samples of a line"));
    text_print(h->out, "%s seen[%u] = {0};\n#pragma HLS ARRAY_PARTITION variable=seen complete\n",
               hls_integer(h, p->out.interval), all);
    hls_open_loops(h, in->lines, in->tokens + after);
    if (held)
        text_print(h->out, "for (int k = 0; k < %u; k++)\n    seen[k] = seen[k + %u];\n", held,
                   lanes);
    print_taken(h, p, after ? arena_format(h->arena, "place < %u", in->tokens) : "");
    print_centre(h, p, "place", in->tokens, p->out.tokens);
    hls_close_loops(h);
}

void hls_print_window(const struct hls *h, const struct process *window)
{
    if (window->as.window.axis == RASTER_LINES)
        print_column(h, window);
    else
        print_row(h, window);
}

/* ---- Twice ---- */

/* At place i of n along the axis: a token is taken for the first one and for odd ones, unless there
 * is none left. */
static const char *takes(const struct hls *h, const char *i, uint32_t n)
{
    return arena_format(h->arena,
                        n % 2 ? "%s == 0 || %s %% 2 == 1" : "%s == 0 || (%s %% 2 == 1 && %s < %u)",
                        i, i, i, n - 1);
}

/* Tokens of one number. */
static void print_twice_number(const struct hls *h, const struct process *p, const char *kept,
                               const char *at, const char *condition)
{
    text_print(h->out,
               "%s before = %s, fresh = before;\nif (%s)\n    fresh = %s;\n%s = fresh;\n"
               "%s given;\ngiven.at[0] = %s == 0 ? fresh : before;\ngiven.at[1] = fresh;\n",
               hls_integer(h, p->out.interval), kept, condition, hls_read(h, 0), kept,
               hls_token(h, p), at);
    hls_write(h, "given");
}

/* Of several. */
static void print_twice_token(const struct hls *h, const struct process *p, const char *kept,
                              const char *at, const char *condition)
{
    const unsigned lanes = p->out.lanes;
    text_print(
        h->out,
        "%s before[%u], fresh[%u];\n"
        "#pragma HLS ARRAY_PARTITION variable=before complete\n"
        "#pragma HLS ARRAY_PARTITION variable=fresh complete\n"
        "for (int l = 0; l < %u; l++)\n    before[l] = fresh[l] = %s[l];\n"
        "if (%s) {\n    const %s t0 = %s;\n    for (int l = 0; l < %u; l++)\n        "
        "fresh[l] = t0.at[l];\n}\n%s given;\nfor (int l = 0; l < %u; l++) {\n    %s[l] = "
        "fresh[l];\n    given.at[l] = %s == 0 ? fresh[l] : before[l];\n    given.at[%u + l] = "
        "fresh[l];\n}\n",
        hls_integer(h, p->out.interval), lanes, lanes, lanes, kept, condition,
        hls_token(h, &h->circuit->processes.item[p->edge[0].from]), hls_read(h, 0), lanes,
        hls_token(h, p), lanes, kept, at, lanes);
    hls_write(h, "given");
}

void hls_print_twice(const struct hls *h, const struct process *p)
{
    const bool by_lines = p->as.twice.axis == RASTER_LINES;
    const unsigned lanes = p->out.lanes;
    const char *type = hls_integer(h, p->out.interval), *at = by_lines ? "line" : "place";
    const char *condition = takes(h, at, by_lines ? p->out.lines : p->out.tokens);
    const char *kept = by_lines ? "kept[place]" : "kept";
    hls_open_process(h, p,
                     by_lines ? "each line twice, and the next one"
                              : "each sample twice, and the next one");
    if (by_lines)
        hls_print_memory(h, p, p->as.twice.memory, process_edge(h->circuit, p, 0), lanes);
    else if (lanes == 1)
        text_print(h->out, "%s kept = 0;\n", type);
    else
        text_print(h->out,
                   "%s kept[%u] = {0};\n#pragma HLS ARRAY_PARTITION variable=kept complete\n", type,
                   lanes);
    hls_open_loops(h, p->out.lines, p->out.tokens);
    if (lanes == 1)
        print_twice_number(h, p, kept, at, condition);
    else
        print_twice_token(h, p, kept, at, condition);
    hls_close_loops(h);
}
