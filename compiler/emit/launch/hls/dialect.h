/* The differences between designs for high-level synthesis in C++ with the vendor's types and in C
 * with arrays. All other text is the same. */
#ifndef FLTC_EMIT_HLS_DIALECT_H
#define FLTC_EMIT_HLS_DIALECT_H

#include "emit/launch/hls/hls.h"

struct hls_dialect {
    const char *language, *extension; /* "HLS C++", "cpp" */

    /* Types: of numbers; of a token of several elements. */
    const char *(*integer)(struct arena *arena, struct interval interval);
    const char *(*cast)(struct arena *arena, const char *type, const char *value);
    const char *(*several)(struct arena *arena, const char *type, unsigned elements);

    /* Streams of tokens of a type. A function has a parameter for each stream that it reads or
     * writes, and a counter for it. */
    const char *(*parameter)(struct arena *arena, const char *type, const char *name,
                             const struct stream *stream, bool is_given);
    const char *(*counter)(struct arena *arena, const char *name); /* lines, or "" */
    const char *(*read)(struct arena *arena, const char *name);
    const char *(*write)(struct arena *arena, const char *name, const char *value);
    /* The stream between two functions. between: a comment that names them. */
    const char *(*variable)(struct arena *arena, const char *type, const char *name,
                            const char *between, const struct stream *stream, unsigned depth);
    const char *(*call)(struct arena *arena, const char *called);
    const char *after_calls;
    const char *linkage;                            /* of the function of the filter */
    void (*print_declaration)(const struct hls *h); /* of that */

    /* Ports: the type of a beat; a lane of the `beat` that was read; `beat` made from the token t0
     * of a stream. */
    const char *(*beat)(const struct hls *h, const struct process *port);
    const char *about_beats;
    bool ports_have_marks; /* beat.user, of the first token of a frame, and beat.last, of a line */
    const char *(*lane_of_beat)(const struct hls *h, const struct process *source, unsigned lane);
    /* A number that the caller gives, clamped to the interval of its type where a port can carry
     * others. */
    const char *(*held)(struct arena *arena, const char *given, struct interval interval);
    void (*fill_beat)(const struct hls *h, const struct process *sink, const struct stream *from);
    const char *about_ports;

    /* The test bench: put(), get(), and its streams for the ports. */
    const char *bench_streams;
    const char *(*bench_stream)(struct arena *arena, const char *type, const char *name,
                                const char *label);
    const char *(*bench_argument)(struct arena *arena, const char *name,
                                  const struct process *port);

    /* Files. */
    const char *headers;       /* what types need */
    const char *stream_header; /* the text of flt_stream.h, or NULL */
    const char *makefile;      /* %s: what names of files begin with */
    const char *flags;         /* for the vendor's compiler */
};
extern const struct hls_dialect hls_dialect_cpp, hls_dialect_c;

#endif
