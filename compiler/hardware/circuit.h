/* What a filter is as hardware: processes that streams join, for images of known extents.
 * CIRCUIT.md tells the textual form and what each process gives. A circuit never changes once
 * built.
 *
 * A stream carries frame after frame; a frame is `lines` lines of `tokens` tokens each, in that
 * order. Each process takes at most one token of each of its edges, and gives at most one, a clock.
 * */
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

/* Up and down the lines, or along a line. */
enum raster { RASTER_LINES, RASTER_TOKENS, RASTER_COUNT };
extern const char *const raster_text[RASTER_COUNT];
/* What values of pipes call the coordinate. */
extern const char *const raster_variable[RASTER_COUNT];

/* A token has elements of one interval: taps × lanes, the lane fastest. */
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

/* What a process takes. */
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
    struct span span;          /* of the stage that it is of */
    unsigned edge_count;
    const struct edge *edge;
    struct stream out; /* of a SINK: what it takes */
    unsigned latency;  /* clocks from what it takes to what it gives; place_registers sets it */
    union {
        struct {               /* and of a sink */
            uint32_t position; /* among the images, or the results, of the filter */
            /* Where samples lie in a packed image: from line to line, from place to place, and by
             * lane from the first one. */
            int64_t stride[RASTER_COUNT];
            const int64_t *lane;
            enum scalar element;
        } source;
        struct {
            /* An expression for each element. Its leaves: loads of one index whose source is an
             * edge, the index being the element; loads whose source is PIPE_TABLES + the number of
             * a table, at an address that is inside; the variables circuit_position; parameters. */
            const struct expr *const *value;
            size_t count;
            /* Nodes with a register behind them: the clock at which the value of node[i] is there
             * is clock[i]; operands have no later one. By id of nodes. NULL before place_registers.
             * */
            const struct expr *const *node;
            const unsigned *clock;
            size_t node_count;
            /* Of a scan: loads whose source is PIPE_STATE are its own results, `taps` of them, 1, 2
             * … lines or tokens before. Where there is none yet they are anything. */
            struct {
                enum raster axis;
                unsigned taps;
                enum memory_kind memory; /* of lines */
            } state;
        } pipe;  /* and scan */
        struct { /* gives `bins` tokens when a frame is over */
            unsigned bins;
            int64_t start; /* of each, in each frame */
            /* Of element 0 of a token: the number that it means; element 1: 0, it does not count;
             * the step is the number afterwards, over the elements of edge 0 and element 0 of
             * PIPE_STATE, the number as it is. */
            const struct expr *step;
            enum memory_kind memory;
        } count;
        struct
        { /* place p of the result: places p * stride - before … of what is read, taps of them */
            enum raster axis;
            unsigned taps, before, stride;
            /* samples of its line that a token has; places and taps above are of these. More than 1
             * along tokens alone, at a stride of 1 */
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
/* Sources of loads in pipes below this one are edges. */
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

/* When tokens come and go, in clocks, for a source that gives one a clock and a sink that always
 * takes. */
struct circuit_times {
    uint64_t first, last; /* results of the first frame; the clock of the first token taken is 0 */
    uint64_t interval;    /* from frame to frame */
};

struct circuit {
    const struct graph *graph;        /* names and types of images, results, parameters */
    VECTOR(struct process) processes; /* one takes what those before it give */
    VECTOR(struct circuit_table) tables;
    struct circuit_times times;
};

/* Whether it computes values of tokens: as.pipe is what it is. */
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
/* Appends a copy, gives it its id and returns that. */
uint32_t circuit_add(struct arena *arena, struct circuit *circuit, struct process process);
/* The same of a process of another circuit, whose edges get new numbers: new_id, by old one. */
uint32_t circuit_add_renumbered(struct arena *arena, struct circuit *circuit,
                                struct process process, const uint32_t new_id[]);
/* The same without processes that no sink needs; sources stay. */
struct circuit *circuit_of_needed(struct arena *arena, const struct circuit *circuit);
/* How many edges take the stream of each process; by id. */
const unsigned *circuit_readers(struct arena *arena, const struct circuit *circuit);
/* In a pipe: the line, or the token of its line, that is computed. */
const struct expr *circuit_position(struct expr_pool *pool, struct symbol_table *symbols,
                                    enum raster axis, uint32_t extent);
/* In a pipe: an element of what an edge brings. */
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
/* Tokens before and behind the one at hand that a window takes in. */
unsigned window_tokens_before(const struct process *window);
unsigned window_tokens_after(const struct process *window);
/* The place that a window reads for tap `tap` at place `place` of n, in places from its first tap
 * on; -1: what is outside. The rules are those that streams may have. */
int window_tap(const struct process *window, int64_t place, int64_t n, unsigned tap);

#endif
