/* Shared by the printers of HLS C++ and C. A process is a function that reads the streams in0, in1,
 * … and writes the stream out, one frame of tokens per call. A token is a number, or an flt_token
 * of several numbers. Streams have no tags; functions count tokens. */
#ifndef FLTC_EMIT_HLS_H
#define FLTC_EMIT_HLS_H

#include "emit/circuit_language.h"
#include "emit/launch/circuit_parts.h"

struct hls_dialect;

struct hls {
    struct arena *arena;
    const struct hls_dialect *dialect;
    const struct circuit *circuit;
    struct text *out;
    const char *stem;        /* what the names of files begin with */
    const char *top;         /* the same as an identifier: the function of the filter */
    const char *period;      /* of the clock, in ns */
    const char *part;        /* of the vendor */
    const char *const *name; /* by process: an identifier */
    const unsigned *readers; /* by process */
};

/* Before the body of a loop. */
#define HLS_PIPELINE                                                                               \
    "#ifndef __BAMBU__\n"                                                                          \
    "#pragma HLS PIPELINE II=1 style=flp\n"                                                        \
    "#endif\n"

/* "ap_int<9>", "int16_t"; of a node "bool" too. */
const char *hls_integer(const struct hls *h, struct interval interval);
const char *hls_type(const struct hls *h, const struct expr *node);
/* "in_token": the type of what a process gives. */
const char *hls_token(const struct hls *h, const struct process *p);
/* "blur_in_beat": what a port carries. */
const char *hls_beat(const struct hls *h, const struct process *p);
/* "-5", "4294967296LL". */
const char *hls_constant(struct arena *arena, int64_t value);
/* "t0.at[2]": lane k of a token. */
const char *hls_lane(const struct hls *h, const struct stream *stream, const char *token,
                     unsigned k);
/* The next token of stream in0, in1, …; the statement that gives the next one of `out`. */
const char *hls_read(const struct hls *h, unsigned edge);
void hls_write(const struct hls *h, const char *value);
/* "const int16_t table_2[256]": a table that is written, as a parameter called `name`. */
const char *hls_table_parameter(const struct hls *h, uint32_t table, const char *name);
/* The parameters that a pipe takes, of its nodes: ends with NULL. */
const struct expr **hls_parameters(const struct hls *h, const struct process *pipe);
/* The memory for this number of words, for lines and tables: "bram" or "lutram"; NULL for
 * registers. */
const char *hls_memory(enum memory_kind asked, uint64_t words);

/* Prints `kept`: for each place of a line, `samples` samples of the process's result, each in a
 * memory that is read and written once per clock. */
void hls_print_memory(const struct hls *h, const struct process *p, enum memory_kind asked,
                      const struct stream *lines, unsigned samples);

/* A function. Begin it with a name and a comment, add streams and parameters one by one, then open
 * it. */
struct hls_function {
    const struct hls *h;
    const char *about, *name;
    struct text parameters, counters;
};
struct hls_function hls_begin_function(const struct hls *h, const char *about, const char *name);
void hls_add_parameter(struct hls_function *f, const char *parameter);
void hls_add_stream(struct hls_function *f, const char *type, const char *name,
                    const struct stream *stream, bool is_given);
void hls_open_function(const struct hls_function *f);
/* Opens the function of a process, with two loops over lines and places around its body. what: more
 * for the comment, or "". */
void hls_open_process(const struct hls *h, const struct process *p, const char *what);
void hls_open_loops(const struct hls *h, uint32_t lines, uint32_t places);
void hls_close_loops(const struct hls *h);
/* Of a pipe or a scan. */
void hls_print_pipe(const struct hls *h, const struct process *pipe);
void hls_print_count(const struct hls *h, const struct process *count);
void hls_print_window(const struct hls *h, const struct process *window);
void hls_print_twice(const struct hls *h, const struct process *twice);
void hls_print_source(const struct hls *h, const struct process *source);
void hls_print_sink(const struct hls *h, const struct process *sink);
void hls_print_split(const struct hls *h, const struct process *p);

/* tables.c: constant ones; copies of written ones that several processes read. */
void hls_print_tables(const struct hls *h);
void hls_print_table_copies(const struct hls *h);
/* In the function of the filter: the interfaces and copies of written tables; the arguments of a
 * process that reads some, each visited as a string. */
void hls_print_table_interfaces(const struct hls *h);
void hls_print_table_calls(const struct hls *h);
void hls_visit_table_arguments(const struct hls *h, const struct process *p,
                               void (*visit)(struct text *arguments, const char *argument),
                               struct text *arguments);

/* The function of the filter: its heading without the end; the whole function. */
void hls_print_heading(const struct hls *h);
void hls_print_top(const struct hls *h);

/* Files beside the functions. */
void hls_print_bench(const struct hls *h);
extern const char hls_stream_header[];
/* Texts with placeholders: %s is the stem of file names, %t the function of the filter, %e the
 * ending of its file, %f flags, %c the period of the clock in ns, %p the part. */
extern const char hls_vendor_makefile[], hls_tcl[], hls_config[];

#endif
