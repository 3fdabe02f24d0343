/* C99 without the vendor's headers. A stream is an array with the tokens of a frame in order, which
 * synthesis turns into a FIFO. Integers have the widths of C types. Ports have no marks. A
 * simulation runs the functions one after another, so it cannot detect FIFOs that are too small. */
#include "emit/launch/hls/dialect.h"

static unsigned stored_bits(struct interval interval)
{
    unsigned bits = 8;
    while (bits < interval_bits(interval))
        bits *= 2;
    return bits;
}

static const char *integer(struct arena *arena, struct interval interval)
{
    const unsigned bits = stored_bits(interval);
    return arena_format(arena, interval.least < 0 ? "int%u_t" : "uint%u_t", bits);
}

static const char *cast(struct arena *arena, const char *type, const char *value)
{
    return arena_format(arena, "(%s)(%s)", type, value);
}

static const char *several(struct arena *arena, const char *type, unsigned elements)
{
    return arena_format(arena, "struct {\n    %s at[%u];\n}", type, elements);
}

/* ---- Streams ---- */

static uint64_t tokens_of(const struct stream *stream)
{
    return (uint64_t)stream->lines * stream->tokens;
}

static const char *parameter(struct arena *arena, const char *type, const char *name,
                             const struct stream *stream, bool is_given)
{
    return arena_format(arena, "%s%s %s[%llu]", is_given ? "" : "const ", type, name,
                        (unsigned long long)tokens_of(stream));
}

static const char *counter(struct arena *arena, const char *name)
{
    return arena_format(arena, "size_t next_%s = 0;\n", name);
}

static const char *read(struct arena *arena, const char *name)
{
    return arena_format(arena, "%s[next_%s++]", name, name);
}

static const char *write(struct arena *arena, const char *name, const char *value)
{
    return arena_format(arena, "%s[next_%s++] = %s;", name, name, value);
}

static const char *variable(struct arena *arena, const char *type, const char *name,
                            const char *between, const struct stream *stream, unsigned depth)
{
    (void)depth;
    return arena_format(arena, "FLT_STREAM %s %s[%llu]; // %s", type, name,
                        (unsigned long long)tokens_of(stream), between);
}

static const char *call(struct arena *arena, const char *called)
{
    return arena_format(arena, "%s;", called);
}

/* ---- Ports ---- */

static void print_declaration(const struct hls *h)
{
    text_print(h->out, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
    hls_print_heading(h);
    text_print(h->out, ";\n");
}

static const char *beat(const struct hls *h, const struct process *p)
{
    const char *type = integer(h->arena, p->out.interval);
    const unsigned elements = stream_elements(&p->out);
    return elements > 1 ? several(h->arena, type, elements) : type;
}

static const char *lane_of_beat(const struct hls *h, const struct process *p, unsigned lane)
{
    return hls_lane(h, &p->out, "beat", lane);
}

/* An array may hold any number of its C type. */
static const char *held(struct arena *arena, const char *given, struct interval interval)
{
    const char *value = given;
    if (interval_bits(interval) == stored_bits(interval))
        return given;
    value = arena_format(arena, "%s > %s ? %s : %s", given, hls_constant(arena, interval.greatest),
                         hls_constant(arena, interval.greatest), value);
    if (interval.least < 0)
        value = arena_format(arena, "%s < %s ? %s : %s", given, hls_constant(arena, interval.least),
                             hls_constant(arena, interval.least), value);
    return cast(arena, integer(arena, interval), value);
}

static void fill_beat(const struct hls *h, const struct process *sink, const struct stream *from)
{
    for (unsigned k = 0; k < stream_elements(&sink->out); k++)
        text_print(h->out, "%s = %s;\n", hls_lane(h, &sink->out, "beat", k),
                   hls_lane(h, from, "t0", k));
}

/* ---- The bench ---- */

static const char bench_streams[] =
    "\n"
    "// The tokens of a port, frame after frame.\n"
    "template <class TOKEN> struct channel {\n"
    "    std::vector<TOKEN> tokens;\n"
    "    size_t next = 0;\n"
    "    TOKEN *frame(size_t count) // that the function takes\n"
    "    {\n"
    "        next += count;\n"
    "        return &tokens[next - count];\n"
    "    }\n"
    "    TOKEN *room(size_t count) // that it fills\n"
    "    {\n"
    "        tokens.resize(tokens.size() + count);\n"
    "        return &tokens[tokens.size() - count];\n"
    "    }\n"
    "    bool empty() const { return next == tokens.size(); }\n"
    "};\n"
    "template <class TOKEN> static auto lane(TOKEN &token, int l) -> decltype((token.at[l]))\n"
    "{\n"
    "    return token.at[l];\n"
    "}\n"
    "template <class TOKEN>\n"
    "static typename std::enable_if<std::is_arithmetic<TOKEN>::value, TOKEN &>::type lane(TOKEN "
    "&token, int)\n"
    "{\n"
    "    return token;\n"
    "}\n"
    "template <class TOKEN>\n"
    "static void put(channel<TOKEN> &to, int lanes, int, const long long *token, bool, bool)\n"
    "{\n"
    "    TOKEN *next = to.room(1);\n"
    "    for (int l = 0; l < lanes; l++)\n"
    "        lane(*next, l) = token[l];\n"
    "}\n"
    "template <class TOKEN>\n"
    "static int get(channel<TOKEN> &from, int lanes, int, bool, long long *token)\n"
    "{\n"
    "    TOKEN *next = from.frame(1);\n"
    "    for (int l = 0; l < lanes; l++)\n"
    "        token[l] = lane(*next, l);\n"
    "    return NO_MARKS;\n"
    "}\n";

static const char *bench_stream(struct arena *arena, const char *type, const char *name,
                                const char *label)
{
    return arena_format(arena, "channel<%s> %s; // %s", type, name, label);
}

static const char *bench_argument(struct arena *arena, const char *name, const struct process *port)
{
    return arena_format(arena, "s.%s.%s(%llu)", name,
                        port->kind == PROCESS_SOURCE ? "frame" : "room",
                        (unsigned long long)tokens_of(&port->out));
}

/* ---- Files ---- */

static const char headers[] =
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
    "// Tokens of a frame between two functions: a FIFO as hardware, too much for a stack as C.\n"
    "#ifdef __SYNTHESIS__\n#define FLT_STREAM\n#else\n#define FLT_STREAM static\n#endif\n";

static const char makefile[] =
    "# csim: the design against the C of the filter. lint: what the compiler says of it.\n"
    "# csynth, cosim: Vitis by hls_config.cfg, older ones by run_hls.tcl.\n"
    "CFLAGS ?= -O1\n"
    "CXXFLAGS ?= -O1\n"
    "FRAMES ?= 4\n"
    "SEED ?= 1\n"
    "WARNINGS := -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-label -Wno-unused-parameter\n"
    "\n"
    "csim: csim_%s\n"
    "\t./csim_%s $(FRAMES) $(SEED)\n"
    "csim_%s: %s.c %s_tb.cpp %s.h %s_params.h %s_model.o\n"
    "\t$(CC) -std=c99 $(CFLAGS) $(CPPFLAGS) -c %s.c -o %s.o\n"
    "\t$(CXX) -std=c++14 $(CXXFLAGS) $(CPPFLAGS) %s_tb.cpp %s.o %s_model.o -o $@\n"
    "%s_model.o: %s_model.c %s_model.h\n"
    "\t$(CC) -O2 -std=c99 -c %s_model.c -o $@\n"
    "lint:\n"
    "\t$(CC) -std=c99 $(WARNINGS) $(CPPFLAGS) -fsyntax-only %s.c\n"
    "\t$(CXX) -std=c++14 $(WARNINGS) $(CPPFLAGS) -fsyntax-only %s_tb.cpp\n";

const struct hls_dialect hls_dialect_c = {
    .language = "C for HLS",
    .extension = "c",
    .integer = integer,
    .cast = cast,
    .several = several,
    .parameter = parameter,
    .counter = counter,
    .read = read,
    .write = write,
    .variable = variable,
    .call = call,
    .after_calls = "",
    .linkage = "",
    .print_declaration = print_declaration,
    .beat = beat,
    .about_beats = "// A token of a port.\n",
    .lane_of_beat = lane_of_beat,
    .held = held,
    .fill_beat = fill_beat,
    .about_ports = "// Takes a frame of each image and gives one of each result: arrays of tokens, "
                   "line after line.\n",
    .headers = headers,
    .bench_streams = bench_streams,
    .bench_stream = bench_stream,
    .bench_argument = bench_argument,
    .makefile = makefile,
    .flags = "-Wno-unknown-pragmas",
};
