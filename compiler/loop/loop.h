/* How a filter is computed: loops, stores and kernels over buffers. LOOP.md describes the textual
 * form. Statements are immutable; a pass returns the same pointer for a part that it does not
 * change. Coordinates are absolute: an index of a load or store is that of the image, not of the
 * buffer's memory, whose first sample is at the buffer's `first`. */
#ifndef FLTC_LOOP_LOOP_H
#define FLTC_LOOP_LOOP_H

#include "expr/expr.h"
#include "graph/graph.h"
#include "loop/particle_calls.h"

enum statement_kind {
#define STATEMENT(kind, text) STATEMENT_##kind,
#include "loop/loop_statements.def"
#undef STATEMENT
    STATEMENT_KIND_COUNT
};
extern const char *const statement_text[STATEMENT_KIND_COUNT];

enum parallel_level {
#define LEVEL(name, text) LEVEL_##name,
#include "loop/loop_levels.def"
#undef LEVEL
    LEVEL_COUNT
};
extern const char *const level_text[LEVEL_COUNT];

/* How an atomic store combines its value with the stored one. Other threads may do so at the same
 * time. Values have the buffer's type; sums are modulo 2^32. */
enum join { JOIN_NONE, JOIN_SUM, JOIN_MINIMUM, JOIN_MAXIMUM, JOIN_COUNT };
extern const char *const join_text[JOIN_COUNT];

enum buffer_space {
#define SPACE(name, text) SPACE_##name,
#include "loop/loop_spaces.def"
#undef SPACE
    SPACE_COUNT
};
extern const char *const space_text[SPACE_COUNT];

typedef struct {
    uint32_t index;
} buffer_id;

struct buffer_axis {
    const struct symbol *name;
    const struct expr *first, *extent; /* of the memory */
    bool circular;                     /* c is at (c - first) mod extent, a constant power of two */
};

enum bypass_choice { BYPASS_IF_LARGE, BYPASS_ALWAYS, BYPASS_NEVER };

struct buffer {
    buffer_id id;
    const struct symbol *name;
    struct span span;
    enum scalar scalar;
    struct interval interval;
    struct fixed_point fixed; /* of images of the signature */
    enum buffer_space space;
    unsigned rank;
    const struct buffer_axis *axis;     /* slowest first */
    const struct expr *const *constant; /* of SPACE_CONSTANT: its values, packed */
    enum bypass_choice bypass;          /* whether stores bypass the caches */
    const struct symbol *stage;         /* the stage whose samples it holds; NULL: none */
    uint32_t slot; /* of SPACE_SCRATCH after plan_memory: buffers of one slot share memory */
    /* of SPACE_PART: the buffer in whose memory its samples lie, at the same coordinates, or [..,
     * j, i, ..] at [.., extent of i * j + i, ..] */
    buffer_id within;
    unsigned cut; /* the axis of i, if there is one axis more */
};
enum { NO_SLOT = UINT32_MAX };

/* A detail of a stage's schedule that the loops obey. */
struct obeyed {
    const struct symbol *stage;
    enum stage_detail detail;
};

/* A kernel over windows is a function that flt_apr_cells_each (flt/particles.h) calls: for some
 * cells of one row or two it computes `line` [row, cell] from `window` [z, y + row, x + cell],
 * where z, y, x are from first to first + extent - 1. */
struct kernel_windows {
    buffer_id structure, values, results, room; /* of the call, in scratch */
    buffer_id window, line;
    const struct expr *lines, *cells;       /* VARIABLE_LOCAL: rows and cells of a call */
    int64_t first[3], extent[3], border[3]; /* z, y, x; enum flt_apr_border */
};

struct statement;
struct statement_list {
    const struct statement *const *item;
    size_t count;
};

struct statement_items { /* a VECTOR */
    const struct statement **item;
    size_t count, capacity;
};

struct statement {
    enum statement_kind kind;
    struct span span;
    union {
        struct statement_list block;
        struct { /* variable from first, extent times (none where extent <= 0) */
            const struct expr *variable; /* VARIABLE_INDEX */
            const struct expr *first, *extent;
            enum parallel_level level;
            const struct statement *body;
            bool reversed; /* SERIAL: the last iteration first */
            /* VECTOR, SERIAL, TURNED: its stores bypass the caches if the image is large */
            bool bypassing;
            int64_t by; /* INDEPENDENT: iterations at a time (block_registers); 0: one */
            /* SERIAL: its few iterations read much of the same, and are written out */
            bool together;
        } loop;
        struct {
            const struct expr *condition;
            const struct statement *then, *otherwise; /* otherwise may be NULL */
            /* it also requires that the caller's images have stride 1 along their fastest axes, and
             * that rows begin where stores of several samples beside each other need it; `then` may
             * rely on that */
            bool packed;
        } branch;
        struct {                         /* defined in the statements after it in the same block */
            const struct expr *variable; /* VARIABLE_LOCAL */
            const struct expr *value;
        } let;
        struct {
            buffer_id buffer;
            unsigned rank;
            const struct expr *const *index;
            const struct expr *value; /* of the buffer's scalar, or a lane that holds it */
            enum join join;
            /* 0: one sample; else so many from here along the fastest axis, a power of two, in one
             * access: `value` is the load of the first. One of the two buffers is REGISTER; the
             * sample of the other is at a multiple of the count in its row. */
            unsigned beside;
        } store;
        struct { /* REGISTER and SHARED buffers exist within the block they are allocated in */
            buffer_id buffer;
        } allocate;
        struct { /* one launch: GRID, BLOCK and THREADS loops are outermost in its body */
            const struct symbol *name;
            const struct statement *body;
            bool staged;  /* stage_tiles copies what a block reads to shared memory */
            bool alone;   /* one thread runs it */
            bool on_host; /* the host runs it before it launches the kernels after it */
            bool small;   /* of images of a few places along some axis: no code for others */
            const struct kernel_windows *windows; /* NULL: an ordinary kernel */
        } kernel;
        struct
        /* a hint: `extent` samples from here along the fastest axis will be read soon */
        {
            buffer_id buffer;
            unsigned rank;
            const struct expr *const *index;
            const struct expr *extent;
            /* in parts, together with the parts of the bypassing loop that follows in its block */
            bool beside;
        } prefetch;
        /* Transforms the lines of a panel [place, number] in place, with the table for the kind,
         * norm and extent; or fills that table if there is no panel. transform/transform.h
         * describes the layout. */
        struct {
            enum transform kind;
            enum transform_norm norm;
            bool prepares;
            buffer_id table, panel; /* panel: the table if it prepares */
            const struct expr *extent;
        } transform;
        struct { /* a comment for readers of the emitted code */
            const char *text;
        } note;
        struct { /* a call of flt/particles.h; buffers in the order of particle_call_info */
            enum particle_call call;
            buffer_id buffer[MOST_PARTICLE_BUFFERS];
        } particles;
    } as;
};

struct named_value {             /* computed once per call: extents of stages */
    const struct expr *variable; /* VARIABLE_EXTENT */
    const struct expr *value;
};

/* The distance in samples from the start of a cache line to the first sample of a buffer, 0 ..
 * CACHE_LINE / bytes - 1. Results do not depend on it. */
struct cache_skew {
    const struct expr *variable; /* VARIABLE_EXTENT */
    buffer_id buffer;
};
enum { CACHE_LINE = 64 };

/* What the results read of an input along an axis. */
enum input_reach {
    REACH_PART, /* first … end - 1, as far as the image has them */
    /* The same; places outside of the image stand for some inside of it, near the border. */
    REACH_MIRRORED,
    REACH_WHOLE,
    REACH_NOTHING,
    REACH_COUNT
};
extern const char *const input_reach_text[REACH_COUNT];

/* Which samples of an input a box of the output depends on, as expressions in region_variables. */
struct input_region {
    buffer_id input;
    /* By axis. first and end are bounds before they are cut to the image. */
    const struct expr *const *first, *const *end;
    const enum input_reach *reach;
};

struct program {
    const struct symbol *name;
    const char *text;
    VECTOR(struct parameter) parameters;
    VECTOR(struct buffer) buffers;
    VECTOR(struct named_value) values; /* in order: a value may use earlier ones */
    VECTOR(struct cache_skew) skews;
    VECTOR(struct graph_check) checks;
    VECTOR(struct obeyed) obeyed;
    VECTOR(buffer_id) inputs, outputs; /* in the order of the signature */
    VECTOR(struct input_region) regions;
    /* "out.y.first" and "out.y.end" of each output, by axis: VARIABLE_LOCAL. */
    VECTOR(const struct expr *) region_variables;
    /* Memory of the scratch buffers, after plan_memory: a slot is as large as the buffer named. */
    VECTOR(buffer_id) slots;
    const struct statement *body;
};

struct program *program_copy(struct arena *arena, const struct program *program);
/* Notes that the program obeys this detail of the stage's schedule. */
void program_obey(struct arena *arena, struct program *program, const struct stage *stage,
                  enum stage_detail detail);
buffer_id program_add_buffer(struct arena *arena, struct program *program, struct buffer buffer);
/* "out.strip", or "out.strip_2" if a buffer has that name already. */
const struct symbol *program_buffer_name(const struct program *program,
                                         struct symbol_table *symbols, const struct symbol *of,
                                         const char *part);
static inline const struct buffer *program_buffer(const struct program *program, buffer_id id)
{
    return &program->buffers.item[id.index];
}

/* The buffer whose memory holds its samples. */
static inline buffer_id buffer_memory(const struct buffer *buffer)
{
    return buffer->space == SPACE_PART ? buffer->within : buffer->id;
}

/* Whether all threads see it: an image of the caller's, or in scratch memory. */
static inline bool buffer_is_in_memory(const struct buffer *buffer)
{
    return buffer->space == SPACE_INPUT || buffer->space == SPACE_OUTPUT ||
           buffer->space == SPACE_SCRATCH;
}

/* Whether the part has one axis more. */
static inline bool buffer_is_cut(const struct program *program, const struct buffer *part)
{
    return part->rank == program_buffer(program, part->within)->rank + 1;
}

/* Whether an axis is circular: only some of its places are in memory at a time. */
bool buffer_is_circular(const struct buffer *buffer);

/* Build statements. A block of one statement is that statement. Nested blocks are flattened, unless
 * that would extend the scope of a LET or ALLOCATE. */
const struct statement *statement_new(struct arena *arena, struct statement statement);
const struct statement *statement_block(struct arena *arena, struct span span, size_t count,
                                        const struct statement *const item[]);
#define STATEMENT_NEW(arena, where, ...)                                                           \
    statement_new((arena), (struct statement){.span = (where), __VA_ARGS__})

/* The statement with each child replaced by rewrite(child); the same pointer if none changes. */
const struct statement *
statement_rebuild(struct arena *arena, const struct statement *statement,
                  const struct statement *(*rewrite)(const struct statement *child, void *context),
                  void *context);
/* The statement with each of its own expressions (not those of its children) replaced. */
const struct statement *
statement_rewrite_expressions(struct arena *arena, const struct statement *statement,
                              const struct expr *(*rewrite)(const struct expr *node, void *context),
                              void *context);
/* The statements of a body: those of a block, or the statement itself. */
static inline struct statement_list statement_items_of(const struct statement *const *body)
{
    return (*body)->kind == STATEMENT_BLOCK ? (*body)->as.block : (struct statement_list){body, 1};
}

/* The term that a store combines with its old value (1 in h[i] = h[i] + 1), and the operation.
 * NULL: it is not such a store. */
const struct expr *store_joined(const struct statement *store, enum join *join);

/* Calls visit for each of the statement's own expressions, or for each child. */
void statement_expressions(const struct statement *statement,
                           void (*visit)(const struct expr *node, void *context), void *context);
void statement_children(const struct statement *statement,
                        void (*visit)(const struct statement *child, void *context), void *context);
/* Calls visit once for each distinct node in the statement and those below it, operands first. */
void statement_nodes(struct arena *scratch, const struct statement *statement,
                     void (*visit)(const struct expr *node, void *context), void *context);

#endif
