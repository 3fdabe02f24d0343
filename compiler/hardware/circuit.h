/* A filter as hardware: processes connected by streams, for images of known extents. CIRCUIT.md
 * describes the textual form and what each process computes. A circuit is immutable.
 *
 * A stream carries frame after frame. A frame has `lines` lines of `tokens` tokens, in that order.
 * In each clock, a process takes at most one token from each of its edges and gives at most one. */
#ifndef FLTC_HARDWARE_CIRCUIT_H
#define FLTC_HARDWARE_CIRCUIT_H

#include "expr/expr.h"
#include "graph/graph.h"
#include "source/span.h"
#include "support/symbol.h"
#include "support/vector.h"

enum process_kind {
#define PROCESS(kind, text) PROCESS_##kind,
#include "hardware/processes.def"
#undef PROCESS
    PROCESS_KIND_COUNT
};
extern const char *const process_text[PROCESS_KIND_COUNT];

/* The direction across lines, or along a line. */
enum raster { RASTER_LINES, RASTER_TOKENS, RASTER_COUNT };
extern const char *const raster_text[RASTER_COUNT];
/* The name of the coordinate in values of pipes. */
extern const char *const raster_variable[RASTER_COUNT];

/* A token has taps × lanes elements of one interval, the lane fastest. */
struct stream {
    uint32_t lines, tokens; /* of a frame */
    unsigned taps, lanes;
    struct interval interval;
    bool tagged; /* two more bits: first and last of its line */
};

enum edge_kind { EDGE_WIRE, EDGE_SLICE, EDGE_FIFO, EDGE_KIND_COUNT };
extern const char *const edge_text[EDGE_KIND_COUNT];
enum memory_kind { MEMORY_REGISTERS, MEMORY_LUT, MEMORY_BLOCK, MEMORY_KIND_COUNT };
extern const char *const memory_text[MEMORY_KIND_COUNT];

/* A stream that a process takes. */
struct edge {
    uint32_t from; /* the process whose stream it is */
    enum edge_kind kind;
    uint32_t depth; /* of a FIFO, in tokens, its output register included */
    enum memory_kind memory;
};

struct process {
    enum process_kind kind;
    uint32_t id;
    const struct symbol *name; /* unique in the circuit */
    struct span span;          /* of its stage */
    unsigned edge_count;
    const struct edge *edge;
    struct stream out; /* of a SINK: the stream that it takes */
    unsigned latency;  /* clocks from input to output; place_registers sets it */
    union {
        struct {               /* and of a sink */
            uint32_t position; /* among the images, or the results, of the filter */
            /* The layout of samples in a packed image: stride from line to line and from place to
             * place; offset by lane. */
            int64_t stride[RASTER_COUNT];
            const int64_t *lane;
            enum scalar element;
        } source;
        struct {
            /* An expression for each element. Its leaves are loads with one index, whose source is
             * an edge and whose index is the element; loads whose source is PIPE_TABLES + the
             * number of a table, at an address inside it; the variables circuit_position; and
             * parameters. */
            const struct expr *const *value;
            size_t count;
            /* Nodes with a register after them, sorted by id: the value of node[i] is available at
             * clock[i], and its operands not later. NULL before place_registers. */
            const struct expr *const *node;
            const unsigned *clock;
            size_t node_count;
            /* Of a scan: loads whose source is PIPE_STATE are its own results, 1 … `taps` lines or
             * tokens before. Before the first result they are arbitrary. */
            struct {
                enum raster axis;
                unsigned taps;
                enum memory_kind memory; /* of lines */
            } state;
        } pipe;  /* and scan */
        struct { /* gives `bins` tokens when a frame is over */
            unsigned bins;
            int64_t start; /* of each, in each frame */
            /* Element 0 of a token is the index of a number; if element 1 is 0, the token does not
             * count. step: the new number, an expression of the elements of edge 0 and of element 0
             * of PIPE_STATE, the old number. */
            const struct expr *step;
            enum memory_kind memory;
        } count;
        struct
        { /* place p of the result: places p * stride - before … of what is read, taps of them */
            enum raster axis;
            unsigned taps, before, stride;
            /* samples of a line per token; places and taps above count these samples. More than 1
             * only along tokens and with stride 1 */
            unsigned pixels;
            enum border_rule rule;
            int64_t outside;         /* of CONSTANT */
            enum memory_kind memory; /* of lines */
        } window;
        struct
        { /* place p of the result: places p / 2 and (p + 1) / 2, the last one for those beyond */
            enum raster axis;
            enum memory_kind memory;
        } twice;
    } as;
};
/* In pipes, sources of loads below PIPE_STATE are edges. */
enum { PIPE_STATE = 255, PIPE_TABLES };

struct circuit_table {
    const struct symbol *name;
    struct interval interval;
    size_t count;
    const int64_t *value; /* NULL: written between frames, */
    uint32_t position;    /* image `position` of the filter, packed */
};
static inline bool table_is_written(const struct circuit_table *table)
{
    return table->value == NULL;
}

/* Timing in clocks, if sources give one token per clock and sinks always take one. */
struct circuit_times {
    uint64_t first, last; /* of results of the first frame; the first token is taken at clock 0 */
    uint64_t interval;    /* from frame to frame */
};

struct circuit {
    const struct graph *graph;        /* names and types of images, results, parameters */
    VECTOR(struct process) processes; /* in order: a process takes streams of earlier ones */
    VECTOR(struct circuit_table) tables;
    struct circuit_times times;
};

/* Of a scheduled circuit: false if it deadlocks, for then it has no times. */
static inline bool circuit_moves(const struct circuit *circuit)
{
    return circuit->times.interval != 0;
}

/* Whether it computes values of tokens, so that as.pipe is valid. */
static inline bool process_computes(const struct process *process)
{
    return process->kind == PROCESS_PIPE || process->kind == PROCESS_SCAN;
}
/* Bits that hold all integers of the interval; two's complement where some are negative. */
unsigned interval_bits(struct interval interval);
/* Elements and bits of a token, tags included. */
static inline unsigned stream_elements(const struct stream *stream)
{
    return stream->taps * stream->lanes;
}
unsigned stream_bits(const struct stream *stream);

struct circuit *circuit_copy(struct arena *arena, const struct circuit *circuit);
/* The same without processes. */
struct circuit *circuit_copy_without_processes(struct arena *arena, const struct circuit *circuit);
/* Appends a copy and returns its new id. */
uint32_t circuit_add(struct arena *arena, struct circuit *circuit, struct process process);
/* The same for a process of another circuit; new_id renumbers its edges. */
uint32_t circuit_add_renumbered(struct arena *arena, struct circuit *circuit,
                                struct process process, const uint32_t new_id[]);
/* The circuit without processes that no sink needs; sources stay. */
struct circuit *circuit_of_needed(struct arena *arena, const struct circuit *circuit);
/* The number of edges that take the stream of each process, by id. */
const unsigned *circuit_readers(struct arena *arena, const struct circuit *circuit);
/* In a pipe: the number of the current line, or of the current token in its line. */
const struct expr *circuit_position(struct expr_pool *pool, struct symbol_table *symbols,
                                    enum raster axis, uint32_t extent);
/* In a pipe: an element of the stream of an edge. */
const struct expr *circuit_element(struct expr_pool *pool, unsigned edge, unsigned element,
                                   struct interval interval);
/* In a pipe: a sample of a table. */
const struct expr *circuit_sample(struct expr_pool *pool, const struct circuit *circuit,
                                  uint32_t table, const struct expr *address);
static inline bool expr_is_element(const struct expr *node)
{
    return node->kind == EXPR_LOAD && node->as.load.source < PIPE_STATE;
}
static inline bool expr_is_state(const struct expr *node)
{
    return node->kind == EXPR_LOAD && node->as.load.source == PIPE_STATE;
}
static inline bool expr_is_sample(const struct expr *node)
{
    return node->kind == EXPR_LOAD && node->as.load.source >= PIPE_TABLES;
}
/* The number of tokens before and after the current one that a window covers. */
unsigned window_tokens_before(const struct process *window);
unsigned window_tokens_after(const struct process *window);
/* The place that a window reads for tap `tap` at place `place` of n, counted from its first tap;
 * -1: the value outside. Handles the border rules that streams may have. */
int window_tap(const struct process *window, int64_t place, int64_t n, unsigned tap);

#endif
