/* Windows and doubled samples. `ce`: the waiting token, if there is one, is taken, so everything
 * advances. `flush`: a step without a token, between frames (for columns) or lines (for rows), so
 * that the last places do not wait for the next frame or line. */
#include "emit/launch/verilog/verilog.h"
#include "hardware/special_places.h"

static const char *bits_sized(const struct verilog *v, uint64_t count, int64_t value)
{
    return sized(v->arena, count_bits(count), value);
}

/* Each tap, the last one first: of the window as it is, or what stands for it at special places.
 * tap: the text of one of them; at: that tells whether a special place is here. */
static const char *taps_text(struct verilog *v, const struct process *p, int64_t n, unsigned bits,
                             const struct special_places *places,
                             const char *(*tap)(const struct verilog *v, const struct process *p,
                                                unsigned k, unsigned pixel),
                             const char *(*at)(const struct verilog *v, const struct process *p,
                                               const struct special_places *places, unsigned i))
{
    struct text text = text_create(v->arena);
    const unsigned pixels = p->as.window.pixels, lanes = p->out.lanes / pixels;
    for (unsigned part = p->as.window.taps * pixels; part-- > 0;) {
        const unsigned k = part / pixels, pixel = part % pixels;
        const char *value = tap(v, p, k, pixel);
        for (unsigned i = 0; i < places->count; i++) {
            const int read = window_tap(p, places->item[i] * pixels + pixel, n * pixels, k);
            if (read == (int)k)
                continue;
            struct text outside = text_create(v->arena);
            for (unsigned lane = lanes; read < 0 && lane-- > 0;)
                text_print(&outside, "%s%s",
                           sized(v->arena, bits / p->out.lanes, p->as.window.outside),
                           lane ? ", " : "");
            value = arena_format(
                v->arena, read < 0 ? "(%s ? {%s} : %s)" : "(%s ? %s : %s)", at(v, p, places, i),
                read < 0 ? outside.bytes : tap(v, p, (unsigned)read, pixel), value);
        }
        text_print(&text, "%s%s", value, part ? ",\n        " : "");
    }
    return text.bytes;
}

/* An element of what is read in the bits of what is given, where the outside value needs more. */
static bool widens(const struct verilog *v, const struct process *p)
{
    return element_bits(edge_stream(v, p, 0)) != element_bits(&p->out);
}

/* "{…}": each element of the vector in the bits of the window's elements. */
static const char *widened(const struct verilog *v, const struct process *p, const char *vector)
{
    const struct stream *in = edge_stream(v, p, 0);
    const unsigned from = element_bits(in), to = element_bits(&p->out), count = stream_elements(in);
    if (!widens(v, p))
        return vector;
    struct text text = text_create(v->arena);
    text_print(&text, "{");
    for (unsigned k = count; k-- > 0;) {
        const char *item = count * from == 1
                               ? vector
                               : arena_format(v->arena, "%s[%u +: %u]", vector, k * from, from);
        if (in->interval.least < 0)
            text_print(&text, "{%u{%s[%u]}}, %s", to - from, vector, k * from + from - 1, item);
        else
            text_print(&text, "%u'd0, %s", to - from, item);
        text_print(&text, k ? ", " : "}");
    }
    return text.bytes;
}

/* ---- Up and down the lines ---- */

static unsigned after_of(const struct process *p)
{
    return window_tokens_after(p);
}

/* The token that is taken, as it is for a window: wide enough for what is outside. */
static void print_taken(const struct verilog *v, const struct process *p, unsigned bits)
{
    const struct stream *in = edge_stream(v, p, 0);
    const unsigned plain = token_bits(in);
    const char *data = in->tagged ? arena_format(v->arena, "i0_d[%u:0]", plain - 1) : "i0_d";
    if (widens(v, p)) {
        text_print(v->out, "wire %splain = %s;\n", range_of(v->arena, plain), data);
        data = widened(v, p, "plain");
    }
    text_print(v->out, "wire %staken = %s;\n", range_of(v->arena, bits), data);
}

static const char *column_tap(const struct verilog *v, const struct process *p, unsigned k,
                              unsigned pixel)
{
    (void)pixel; /* there is one */
    const unsigned bits = p->out.lanes * element_bits(&p->out);
    /* the oldest line is on the left, as it leaves first */
    return arena_format(v->arena, "column[%u +: %u]", (p->as.window.taps - 1 - k) * bits, bits);
}

static const char *column_place(const struct verilog *v, const struct process *p,
                                const struct special_places *places, unsigned i)
{
    (void)p;
    return places->count == 1 ? "special" : arena_format(v->arena, "special[%u]", i);
}

/* Whether the line that is centred is one that is given. */
static const char *given_line(const struct verilog *v, const struct process *p, uint64_t lines)
{
    struct text text = text_create(v->arena);
    const unsigned bits = count_bits(lines), stride = p->as.window.stride;
    if (stride > 1)
        text_print(&text, stride == 2 ? " & ~line[0]" : " & line[%u:0] == %s",
                   (unsigned)__builtin_ctz(stride) - 1,
                   sized(v->arena, (unsigned)__builtin_ctz(stride), 0));
    if ((uint64_t)p->out.lines * stride < lines)
        text_print(&text, " & line < %s", sized(v->arena, bits, (int64_t)p->out.lines * stride));
    return text.length ? text.bytes : "";
}

/* One tap: lines are left out, nothing is remembered. */
static void print_thin_column(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    const unsigned x = count_bits(in->tokens), y = count_bits(in->lines);
    struct arena *a = v->arena;
    open_module(v, p, "lines left out");
    print_taken(v, p, token_bits(&p->out));
    text_print(
        v->out,
        "reg %splace;\nreg %sline;\nreg valid;\nreg %sgiven;\n%s"
        "wire ce = ~valid | o_r;\nwire step = ce & i0_v;\nwire at_end = place == %s;\n"
        "wire at_bottom = line == %s;\n"
        "assign i0_r = ce;\nassign o_v = valid;\nassign o_d = {%sgiven};\n"
        "always @(posedge clk) begin\n    if (ce) begin\n        valid <= step%s;\n"
        "        given <= taken;\n%s    end\n    if (rst)\n        valid <= 1'b0;\nend\n",
        range_of(a, x), range_of(a, y), range_of(a, token_bits(&p->out)),
        p->out.tagged ? "reg [1:0] tags;\n" : "", sized(a, x, in->tokens - 1),
        sized(a, y, in->lines - 1), p->out.tagged ? "tags, " : "", given_line(v, p, in->lines),
        p->out.tagged ? arena_format(a, "        tags <= {at_end, place == %s};\n", sized(a, x, 0))
                      : "");
    print_cyclic_counter(v, "place", in->tokens, "step", "at_end");
    print_cyclic_counter(v, "line", in->lines, "step & at_end", "at_bottom");
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}

static void print_column_state(struct verilog *v, const struct process *p, unsigned bits,
                               const struct special_places *places, bool registered)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    const unsigned taps = p->as.window.taps, x = count_bits(in->tokens), y = count_bits(in->lines);
    const unsigned fill = count_bits((uint64_t)after_of(p) * in->tokens + 1);
    struct text *out = v->out;
    text_print(out, "reg %splace; // that is centred\nreg %sline;\n", range_of(a, x),
               range_of(a, y));
    text_print(out,
               "reg %saddress, address_1;\nreg %sfill; // tokens of the next frame\n"
               "reg empty, full; // none of them; as many as stand before a line is centred\n",
               range_of(a, x), range_of(a, fill));
    text_print(out, "reg run; // a frame is being given\nreg past; // its last token is taken\n");
    text_print(out, "reg valid_1, written_1, valid_2;\nreg %sfresh;\n", range_of(a, bits));
    if (places->count)
        text_print(out, "reg %sspecial_1;\n", range_of(a, places->count));
    if (p->out.tagged)
        text_print(out, "reg [1:0] tags_1, tags_2;\n");
    if (registered) {
        text_print(out,
                   "reg %sword_a;\nreg %sfresh_a;\nreg %saddress_a;\nreg valid_a, written_a;\n",
                   range_of(a, (taps - 1) * bits), range_of(a, bits), range_of(a, x));
        if (places->count)
            text_print(out, "reg %sspecial_a;\n", range_of(a, places->count));
        if (p->out.tagged)
            text_print(out, "reg [1:0] tags_a;\n");
    }
    text_print(out, "%sreg %slines [0:%u]; // %u lines side by side\nreg %sword;\nreg %sgiven;\n",
               memory_style[p->as.window.memory], range_of(a, (taps - 1) * bits), in->tokens - 1,
               taps - 1, range_of(a, (taps - 1) * bits), range_of(a, taps * bits));
}

void print_column_module(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    if (p->as.window.taps == 1) {
        print_thin_column(v, p);
        return;
    }
    struct arena *a = v->arena;
    struct text *out = v->out;
    const unsigned bits = p->out.lanes * element_bits(&p->out), taps = p->as.window.taps;
    const unsigned x = count_bits(in->tokens), y = count_bits(in->lines), after = after_of(p);
    const int64_t behind = (int64_t)after * in->tokens;
    const unsigned fill = count_bits((uint64_t)behind + 1);
    const struct special_places places = special_places(p, in->lines);
    const bool registered = p->latency == 3;
    const char *s = registered ? "_a" : "_1";
    open_module(v, p, arena_format(a, "%u lines around each", taps));
    print_taken(v, p, bits);
    print_column_state(v, p, bits, &places, registered);
    text_print(out, "assign o_v = valid_2;\nassign o_d = {%sgiven};\n",
               p->out.tagged ? "tags_2, " : "");
    text_print(
        out,
        "wire ce = ~valid_2 | o_r;\nassign i0_r = ce;\nwire take = ce & i0_v;\n"
        "wire flush = ce & ~i0_v & run & past & empty;\nwire step = take | flush;\n"
        "wire centred = run | (past & full & i0_v);\nwire moves = step & centred;\n"
        "wire at_end = place == %s;\nwire at_bottom = line == %s;\n"
        "wire ends = moves & at_end & line == %s; // what is taken is the last of its frame\n"
        "wire %scolumn = {%s, %s};\n",
        sized(a, x, in->tokens - 1), sized(a, y, in->lines - 1),
        sized(a, y, (int64_t)in->lines - 1 - after), range_of(a, taps * bits),
        registered ? "word_a" : "word", registered ? "fresh_a" : "fresh");
    print_cyclic_counter(v, "place", in->tokens, "moves", "at_end");
    print_cyclic_counter(v, "line", in->lines, "moves & at_end", "at_bottom");
    print_cyclic_counter(v, "address", in->tokens, "step",
                         arena_format(a, "address == %s", sized(a, x, in->tokens - 1)));
    print_counter(v, "fill", fill, "take & past", "ends");
    text_print(out,
               "always @(posedge clk)\n    if (rst | ends) begin\n        empty <= 1'b1;\n"
               "        full <= 1'b%d;\n    end else if (take & past) begin\n"
               "        empty <= 1'b0;\n        full <= %s%s;\n    end\n",
               behind == 0, behind ? "fill == " : "1'b0", behind ? sized(a, fill, behind - 1) : "");
    if (places.count)
        text_print(out, "wire %sspecial = special%s;\n", range_of(a, places.count), s);
    text_print(
        out,
        "always @(posedge clk) begin\n    if (step) begin\n        word <= %slines[address];\n"
        "        address_1 <= address;\n        fresh <= taken;\n    end\n"
        "    if (ce) begin\n        written_1 <= step;\n        valid_1 <= moves%s;\n",
        in->tokens > 1 ? "" /* the place before is this one, and not yet written */
                       : arena_format(a, "written_1 ? column[%u:0] : ", (taps - 1) * bits - 1),
        given_line(v, p, in->lines));
    if (registered)
        text_print(
            out,
            "        word_a <= word;\n        fresh_a <= fresh;\n        address_a <= address_1;\n"
            "        valid_a <= valid_1;\n        written_a <= written_1;\n%s%s",
            places.count ? "        special_a <= special_1;\n" : "",
            p->out.tagged ? "        tags_a <= tags_1;\n" : "");
    text_print(out, "        valid_2 <= valid%s;\n", s);
    if (p->out.tagged)
        text_print(out, "        tags_2 <= tags%s;\n", s);
    text_print(out, "        given <= {%s};\n    end\n",
               taps_text(v, p, in->lines, bits, &places, column_tap, column_place));
    text_print(out, "    if (ce & written%s)\n        lines[address%s] <= column[%u:0];\n", s, s,
               (taps - 1) * bits - 1);
    text_print(out, "    if (moves) begin\n");
    if (p->out.tagged)
        text_print(out, "        tags_1 <= {at_end, place == %s};\n", sized(a, x, 0));
    if (places.count) {
        text_print(out, "        special_1 <= {");
        for (unsigned i = places.count; i-- > 0;)
            text_print(out, "line == %s%s",
                       bits_sized(v, in->lines, places.item[i] * p->as.window.stride),
                       i ? ", " : "};\n");
    }
    text_print(
        out,
        "        run <= ~(at_end & at_bottom);\n        past <= ends | (run & past);\n    end\n"
        "    if (rst) begin\n        past <= 1'b1;\n        run <= 1'b0;\n        valid_1 <= "
        "1'b0;\n"
        "        written_1 <= 1'b0;\n        valid_2 <= 1'b0;\n%s    end\nend\n",
        registered ? "        valid_a <= 1'b0;\n        written_a <= 1'b0;\n" : "");
    v->out->indent -= 4;
    text_print(out, "endmodule\n");
}

/* ---- Along a line ---- */

/* Of the slots, the newest one at the bottom, each a token: taps of samples of lanes. */
static const char *row_tap(const struct verilog *v, const struct process *p, unsigned k,
                           unsigned pixel)
{
    const struct stream *in = edge_stream(v, p, 0);
    const unsigned pixels = p->as.window.pixels;
    const unsigned bits = in->lanes / pixels * element_bits(&p->out);
    const unsigned sample = /* from the oldest on */
        pixel + k + window_tokens_before(p) * pixels - p->as.window.before;
    const unsigned slot = window_tokens_before(p) + window_tokens_after(p) - sample / pixels;
    struct text text = text_create(v->arena);
    for (unsigned tap = in->taps; tap-- > 0;)
        text_print(&text, "%sslots[%u +: %u]%s", in->taps > 1 && tap + 1 == in->taps ? "{" : "",
                   ((slot * in->taps + tap) * pixels + sample % pixels) * bits, bits,
                   tap            ? ", "
                   : in->taps > 1 ? "}"
                                  : "");
    return text.bytes;
}

static const char *row_place(const struct verilog *v, const struct process *p,
                             const struct special_places *places, unsigned i)
{
    const struct special_mark mark = special_mark(p, edge_stream(v, p, 0)->tokens, places->item[i]);
    const char *name = mark.is_first ? "firsts" : "lasts";
    return window_tokens_before(p) + window_tokens_after(p) == 0
               ? name
               : arena_format(v->arena, "%s[%u]", name, mark.slot);
}

/* Counts the tokens that are given: tags of what does not carry those of what it takes. */
static void print_count_given(struct verilog *v, const struct process *p)
{
    const unsigned x = count_bits(p->out.tokens);
    struct arena *a = v->arena;
    text_print(v->out,
               "reg %sgiven_place;\nwire gives = o_v & o_r;\nwire given_end = given_place == %s;\n"
               "wire [1:0] tags = {given_end, given_place == %s};\n",
               range_of(a, x), sized(a, x, p->out.tokens - 1), sized(a, x, 0));
    print_cyclic_counter(v, "given_place", p->out.tokens, "gives", "given_end");
}

/* The place that is centred, as far as it tells whether that is given. */
static void print_row_place(struct verilog *v, const struct process *p, const char *is_there,
                            const char *is_last)
{
    const unsigned stride = p->as.window.stride;
    const uint32_t tokens = edge_stream(v, p, 0)->tokens;
    const bool crops = (uint64_t)p->out.tokens * stride < tokens;
    const unsigned phase = (unsigned)__builtin_ctz(stride);
    const unsigned bits = crops ? count_bits(tokens) : phase;
    struct arena *a = v->arena;
    if (!bits)
        return;
    text_print(v->out,
               "reg %splace; // that is centred\nwire moves = step & %s;\n"
               "wire is_given = ",
               range_of(a, bits), is_there);
    if (stride > 1)
        text_print(v->out, stride == 2 ? "~place[0]" : "place[%u:0] == %s", phase - 1,
                   sized(a, phase, 0));
    if (crops)
        text_print(v->out, "%splace < %s", stride > 1 ? " & " : "",
                   sized(a, bits, (int64_t)p->out.tokens * stride));
    text_print(v->out, ";\n");
    print_counter(v, "place", bits, "moves", arena_format(a, "(moves & %s)", is_last));
}

void print_row_module(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    struct text *out = v->out;
    const unsigned bits = p->out.lanes * element_bits(&p->out);
    const unsigned taps = window_tokens_before(p) + 1 + window_tokens_after(p); /* slots */
    const unsigned after = after_of(p), stride = p->as.window.stride, tag = token_bits(in);
    const struct special_places places = special_places(p, in->tokens);
    const bool counts = stride > 1 || p->out.tokens < in->tokens;
    const char *centre_there = after ? arena_format(a, "there[%u]", after - 1) : "i0_v";
    const char *centre_last =
        after ? arena_format(a, "lasts[%u]", after - 1) : arena_format(a, "i0_d[%u]", tag + 1);
    open_module(v, p, arena_format(a, "%u samples of a line around each", p->as.window.taps));
    print_taken(v, p, bits);
    text_print(
        out,
        "reg %sthere, firsts, lasts; // by slot, 0 the newest: a token; first, last of its line\n"
        "reg ended, valid;\nreg %sslots;\nassign o_v = valid;\n",
        range_of(a, taps), range_of(a, taps * bits));
    if (p->out.tagged)
        print_count_given(v, p);
    text_print(out, "assign o_d = {%s%s};\n", p->out.tagged ? "tags, " : "",
               taps_text(v, p, in->tokens, bits, &places, row_tap, row_place));
    text_print(out,
               "wire ce = ~valid | o_r;\nassign i0_r = ce;\nwire take = ce & i0_v;\n"
               "wire flush = ce & ~i0_v & ended & %s;\nwire step = take | flush;\n",
               after == 0   ? "1'b0"
               : after == 1 ? "there[0]"
                            : arena_format(a, "|there[%u:0]", after - 1));
    print_row_place(v, p, centre_there, centre_last);
    text_print(out, "always @(posedge clk) begin\n    if (step) begin\n");
    if (taps > 1)
        text_print(out,
                   "        slots <= {slots[%u:0], taken};\n        firsts <= {firsts[%u:0], i0_v "
                   "& i0_d[%u]};\n"
                   "        lasts <= {lasts[%u:0], i0_v & i0_d[%u]};\n        there <= "
                   "{there[%u:0], i0_v};\n    "
                   "end\n",
                   (taps - 1) * bits - 1, taps - 2, tag, taps - 2, tag + 1, taps - 2);
    else
        text_print(
            out,
            "        slots <= taken;\n        firsts <= i0_d[%u];\n        lasts <= i0_d[%u];\n"
            "        there <= i0_v;\n    end\n",
            tag, tag + 1);
    text_print(
        out,
        "    if (take)\n        ended <= i0_d[%u];\n    if (ce)\n        valid <= step & %s%s;\n"
        "    if (rst) begin\n        there <= %s;\n        firsts <= %s;\n        lasts <= %s;\n"
        "        ended <= 1'b1;\n        valid <= 1'b0;\n    end\nend\n",
        tag + 1, centre_there, counts ? " & is_given" : "", sized(a, taps, 0), sized(a, taps, 0),
        sized(a, taps, 0));
    v->out->indent -= 4;
    text_print(out, "endmodule\n");
}

/* ---- Twice ---- */

void print_twice_down_module(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    const unsigned bits = token_bits(in), x = count_bits(in->tokens), y = count_bits(p->out.lines);
    const bool even = p->out.lines % 2 == 0;
    open_module(v, p, "each line twice, and the next one");
    print_taken(v, p, bits);
    text_print(
        v->out,
        "reg %splace, place_1;\nreg %sline;\nreg valid_1, valid_2, takes_1, first_1;\n"
        "reg %sfresh, word;\nreg %sgiven;\n%s%sreg %skept [0:%u];\n"
        "wire at_end = place == %s;\nwire at_top = line == %s;\nwire at_bottom = line == %s;\n"
        "wire takes = at_top | (line[0]%s);\n"
        "wire ce = ~valid_2 | o_r;\nwire step = ce & (i0_v | ~takes);\nassign i0_r = ce & takes;\n"
        "assign o_v = valid_2;\nassign o_d = {%sgiven};\n",
        range_of(a, x), range_of(a, y), range_of(a, bits), range_of(a, 2 * bits),
        p->out.tagged ? "reg [1:0] tags_1, tags_2;\n" : "", memory_style[p->as.twice.memory],
        range_of(a, bits), in->tokens - 1, sized(a, x, in->tokens - 1), sized(a, y, 0),
        sized(a, y, p->out.lines - 1), even ? " & ~at_bottom" : "",
        p->out.tagged ? "tags_2, " : "");
    print_cyclic_counter(v, "place", in->tokens, "step", "at_end");
    print_cyclic_counter(v, "line", p->out.lines, "step & at_end", "at_bottom");
    text_print(
        v->out,
        "always @(posedge clk) begin\n    if (step) begin\n        word <= %skept[place];\n"
        "        place_1 <= place;\n        fresh <= taken;\n        takes_1 <= takes;\n"
        "        first_1 <= at_top;\n%s    end\n"
        "    if (ce) begin\n        valid_1 <= step;\n        valid_2 <= valid_1;\n%s"
        "        given <= {takes_1 ? fresh : word, first_1 ? fresh : word};\n    end\n"
        "    if (ce & valid_1 & takes_1)\n        kept[place_1] <= fresh;\n"
        "    if (rst) begin\n        valid_1 <= 1'b0;\n        valid_2 <= 1'b0;\n    end\nend\n",
        in->tokens > 1 ? "" : "valid_1 & takes_1 ? fresh : ", /* as in a window of lines */
        p->out.tagged
            ? arena_format(a, "        tags_1 <= {at_end, place == %s};\n", sized(a, x, 0))
            : "",
        p->out.tagged ? "        tags_2 <= tags_1;\n" : "");
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}

void print_twice_along_module(struct verilog *v, const struct process *p)
{
    const struct stream *in = edge_stream(v, p, 0);
    struct arena *a = v->arena;
    const unsigned bits = token_bits(in), tag = token_bits(in);
    const bool odd = p->out.tokens % 2;
    open_module(v, p, "each sample twice, and the next one");
    print_taken(v, p, bits);
    /* at: 0 the line begins, 1 an odd place, 2 an even one */
    text_print(
        v->out,
        "reg [1:0] at; // 0: the line begins; 1: an odd place; 2: an even one\nreg valid, last;\n"
        "reg %skept;\nreg %sgiven;\nassign o_v = valid;\n",
        range_of(a, bits), range_of(a, 2 * bits));
    if (p->out.tagged)
        print_count_given(v, p);
    text_print(
        v->out,
        "assign o_d = {%sgiven};\n"
        "wire takes = at == 2'd0 | (at == 2'd1 & ~last);\nwire ce = ~valid | o_r;\n"
        "wire step = ce & (i0_v | ~takes);\nassign i0_r = ce & takes;\n"
        "always @(posedge clk) begin\n    if (step) begin\n"
        "        given <= {takes ? taken : kept, at == 2'd0 ? taken : kept};\n"
        "        if (takes) begin\n            kept <= taken;\n            last <= i0_d[%u];\n"
        "        end\n"
        "        at <= %s;\n    end\n"
        "    if (ce)\n        valid <= step;\n"
        "    if (rst) begin\n        at <= 2'd0;\n        valid <= 1'b0;\n    end\nend\n",
        p->out.tagged ? "tags, " : "", tag + 1,
        p->out.tokens == 1 ? "2'd0"
        : odd ? arena_format(a, "at == 2'd0 ? 2'd1 : at == 2'd1 ? 2'd2 : last ? 2'd0 : 2'd1")
              : arena_format(a, "at == 2'd1 ? (last ? 2'd0 : 2'd2) : 2'd1"));
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}
