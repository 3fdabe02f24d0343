/* C++ with the vendor's streams and integers. Ports are AXI4-Stream with marks. Processes wait for
 * each other, so a simulation with bounded streams detects FIFOs that are too small. */
#include "emit/launch/hls/dialect.h"

static const char *integer(struct arena *arena, struct interval interval)
{
    return arena_format(arena, interval.least < 0 ? "ap_int<%u>" : "ap_uint<%u>",
                        interval_bits(interval));
}

static const char *cast(struct arena *arena, const char *type, const char *value)
{
    return arena_format(arena, "%s(%s)", type, value);
}

static const char *several(struct arena *arena, const char *type, unsigned elements)
{
    return arena_format(arena, "flt_token<%s, %u>", type, elements);
}

/* ---- Streams ---- */

static const char *parameter(struct arena *arena, const char *type, const char *name,
                             const struct stream *stream, bool is_given)
{
    (void)stream;
    (void)is_given;
    return arena_format(arena, "hls::stream<%s> &%s", type, name);
}

static const char *counter(struct arena *arena, const char *name)
{
    (void)arena;
    (void)name;
    return "";
}

static const char *read(struct arena *arena, const char *name)
{
    return arena_format(arena, "%s.read()", name);
}

static const char *write(struct arena *arena, const char *name, const char *value)
{
    return arena_format(arena, "%s.write(%s);", name, value);
}

static const char *variable(struct arena *arena, const char *type, const char *name,
                            const char *between, const struct stream *stream, unsigned depth)
{
    (void)stream;
    return arena_format(arena, "hls::stream<%s, %u> %s(\"%s\");", type, depth, name, between);
}

static const char *call(struct arena *arena, const char *called)
{
    return arena_format(arena, "FLT_PROCESS(%s);", called);
}

/* ---- Ports ---- */

static void print_declaration(const struct hls *h)
{
    hls_print_heading(h);
    text_print(h->out, ";\n");
}

static const char *beat(const struct hls *h, const struct process *p)
{
    return arena_format(h->arena, "ap_axiu<%u, 1, 0, 0>", port_bits(&p->out));
}

static const char *lane_of_beat(const struct hls *h, const struct process *p, unsigned lane)
{
    const unsigned bits = element_bits(&p->out);
    return arena_format(h->arena, "flt_%s<%u>(beat.data.range(%u, %u).to_uint64())",
                        p->out.interval.least < 0 ? "signed" : "unsigned", bits,
                        (lane + 1) * bits - 1, lane * bits);
}

/* A port carries the bits of the type alone. */
static const char *held(struct arena *arena, const char *given, struct interval interval)
{
    (void)arena;
    (void)interval;
    return given;
}

/* A single number is carried with its sign over all bits of the port. */
static void fill_beat(const struct hls *h, const struct process *sink, const struct stream *from)
{
    const unsigned bits = element_bits(&sink->out), all = stream_elements(&sink->out);
    text_print(h->out, "beat.data = 0;\n");
    for (unsigned k = 0; k < all; k++)
        text_print(h->out, "beat.data.range(%u, %u) = (uint64_t)%s;\n",
                   all == 1 ? port_bits(&sink->out) - 1 : (k + 1) * bits - 1, k * bits,
                   hls_lane(h, from, "t0", k));
    text_print(h->out,
               "beat.keep = -1;\nbeat.strb = -1;\nbeat.user = line == 0 && place == 0;\n"
               "beat.last = place == %u;\n",
               sink->out.tokens - 1);
}

/* ---- The bench ---- */

static const char bench_streams[] =
    "\n"
    "// A token of a port: lanes of so many bits, and its marks.\n"
    "template <class BEAT>\n"
    "static void put(hls::stream<BEAT> &to, int lanes, int bits, const long long *token, bool "
    "last, bool user)\n"
    "{\n"
    "    BEAT beat;\n"
    "    beat.data = 0;\n"
    "    for (int l = 0; l < lanes; l++)\n"
    "        beat.data.range((l + 1) * bits - 1, l * bits) = (uint64_t)token[l];\n"
    "    beat.keep = -1;\n"
    "    beat.strb = -1;\n"
    "    beat.last = last;\n"
    "    beat.user = user;\n"
    "    to.write(beat);\n"
    "}\n"
    "template <class BEAT>\n"
    "static int get(hls::stream<BEAT> &from, int lanes, int bits, bool with_sign, long long "
    "*token)\n"
    "{\n"
    "    BEAT beat = from.read();\n"
    "    for (int l = 0; l < lanes; l++) {\n"
    "        const uint64_t part = beat.data.range((l + 1) * bits - 1, l * bits).to_uint64() << "
    "(64 - bits);\n"
    "        token[l] = with_sign ? (long long)part >> (64 - bits) : (long long)(part >> (64 - "
    "bits));\n"
    "    }\n"
    "    return (beat.last ? 1 : 0) | (beat.user ? 2 : 0);\n"
    "}\n";

static const char *bench_stream(struct arena *arena, const char *type, const char *name,
                                const char *label)
{
    return arena_format(arena, "hls::stream<%s> %s{\"%s\"};", type, name, label);
}

static const char *bench_argument(struct arena *arena, const char *name, const struct process *port)
{
    (void)port;
    return arena_format(arena, "s.%s", name);
}

/* ---- Files ---- */

static const char makefile[] =
    "# csim: the design against the C of the filter, its streams as deep as tokens "
    "come.\n"
    "# csim-bounded: the same at the depths that the design gives its streams; FLT_MOST_DEPTH=n in "
    "the\n"
    "# environment: none deeper.\n"
    "# lint: what the compiler says of it. csynth, cosim: Vitis by hls_config.cfg, older ones by\n"
    "# run_hls.tcl.\n"
    "# CPPFLAGS=\"-DFLT_AP -I...\": with the vendor's headers.\n"
    "CXXFLAGS ?= -O1\n"
    "FRAMES ?= 4\n"
    "SEED ?= 1\n"
    "FILES := %s.cpp %s_tb.cpp\n"
    "NEEDS := $(FILES) %s.h %s_params.h flt_stream.h %s_model.o\n"
    "\n"
    "csim: csim_%s\n"
    "\t./csim_%s $(FRAMES) $(SEED)\n"
    "csim-bounded: bounded_%s\n"
    "\t./bounded_%s $(FRAMES) $(SEED)\n"
    "csim_%s: $(NEEDS)\n"
    "\t$(CXX) -std=c++14 $(CXXFLAGS) $(CPPFLAGS) $(FILES) %s_model.o -o $@\n"
    "bounded_%s: $(NEEDS)\n"
    "\t$(CXX) -std=c++14 $(CXXFLAGS) $(CPPFLAGS) -DFLT_BOUNDED $(FILES) %s_model.o -o $@\n"
    "%s_model.o: %s_model.c %s_model.h\n"
    "\t$(CC) -O2 -std=c99 -c %s_model.c -o $@\n"
    "lint:\n"
    "\t$(CXX) -std=c++14 -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-label "
    "-Wno-unused-parameter $(CPPFLAGS) "
    "-fsyntax-only $(FILES)\n";

const struct hls_dialect hls_dialect_cpp = {
    .language = "HLS C++",
    .extension = "cpp",
    .integer = integer,
    .cast = cast,
    .several = several,
    .parameter = parameter,
    .counter = counter,
    .read = read,
    .write = write,
    .variable = variable,
    .call = call,
    .after_calls = "FLT_RUN_PROCESSES\n",
    .linkage = "extern \"C\" ",
    .print_declaration = print_declaration,
    .beat = beat,
    .ports_have_marks = true,
    .about_beats = "// A token of a port: lane k at BITS k of data, in whole bytes.\n",
    .lane_of_beat = lane_of_beat,
    .held = held,
    .fill_beat = fill_beat,
    .about_ports =
        "// Takes a frame of each image and gives one of each result. last: the end of a "
        "line; user: the\n"
        "// first token of a frame. Tokens of images before the one with user are dropped; those "
        "from it\n"
        "// on are counted, and last is not looked at.\n",
    .headers = "#include \"flt_stream.h\"\n",
    .bench_streams = bench_streams,
    .bench_stream = bench_stream,
    .bench_argument = bench_argument,
    .stream_header = hls_stream_header,
    .makefile = makefile,
    .flags = "-DFLT_AP",
};
