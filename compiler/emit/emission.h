/* What the files of emit/ share. */
#ifndef FLTC_EMIT_EMISSION_H
#define FLTC_EMIT_EMISSION_H

#include "emit/dialect.h"
#include "emit/emit.h"
#include "emit/kernel/index_types.h"

/* The staging row of a loop that bypasses caches. It holds samples until the row is copied to
 * memory. */
struct row {
    const struct buffer *buffer; /* NULL: there are none */
    const char *element;         /* the sample at hand */
};

/* Helpers in use. */
struct helper_set {
    struct hash_map known; /* name → marker */
    VECTOR(const char *) list;
};

/* Local variables of vector loops that are not the lane's number plus an offset. */
struct scattered {
    struct hash_map locals; /* of a block */
    const struct scattered *around;
};

/* Where in a kernel a statement or an expression stands. What stands inside gets a copy with a
 * field changed. */
/* How many blocks of threads run a piece of code. What few run is kept short: written out, it would
 * cost all of them registers. */
enum visits {
    VISITS_OFTEN,
    VISITS_OF_SOME, /* those of images whose rows begin anywhere: outer loops stay loops */
    VISITS_OF_FEW,  /* those at borders: all loops stay loops */
};

struct kernel_state {
    struct row row;                /* that the loop around stores to */
    struct statement_items beside; /* prefetches beside the bypassing loops that follow */
    const struct expr *lane;       /* the variable of the vector loop around; NULL: there is none */
    const struct scattered *scattered;
    const char *threads_from, *threads_to; /* the range of the loop over threads */
    bool in_threads;                       /* another one is around it */
    bool packed; /* the fastest axes of the caller's images have stride 1 here */
    enum visits visits;
    bool is_large;        /* narrow lanes are avoided, since gcc 12 spills them in large kernels */
    uint64_t *tile_bytes; /* of tiles printed so far */
    struct index_types *index; /* what has the type of coordinates; NULL: nothing */
    bool whole; /* the operation at hand needs 64 bits, whatever the type of coordinates is */
};
/* Of what stands in no kernel. */
extern const struct kernel_state on_host;

struct emission {
    struct session *session;
    struct arena *arena;
    const struct program *program;
    const struct target *target;
    const struct dialect *dialect;
    const struct emit_options *options;
    const char *name;             /* the filter's, as an identifier */
    struct text *out;             /* what is being printed */
    struct hash_map identifiers;  /* symbol → text, of what the frame holds */
    struct hash_map taken;        /* symbol of an identifier in use at the top → marker */
    struct hash_map locals;       /* expr or buffer name → text, in the kernel at hand */
    struct hash_map taken_locals; /* symbol → marker, in the kernel at hand */
    struct helper_set helpers;
    struct external_list externals;   /* called */
    VECTOR(const char *) kernels;     /* launched, by the program's names */
    VECTOR(const struct expr *) host; /* variables of loops around kernels that these name */
    VECTOR(const struct statement *) transforms; /* that fill tables */
    /* If the caller supplies a library for transforms: the name of the opened filter; else NULL. */
    const char *opened;
    /* If the caller may keep tables: the names of the object that holds them and of its size; else
     * NULL. */
    const char *prepared, *prepared_bytes;
    const struct statement **allocates; /* by buffer: the kernel that does; NULL until asked for */
    bool *bypassing;                    /* by buffer: a loop stores to it bypassing the caches */
    uint64_t tile_bytes; /* of tiles of a thread: the most that a kernel printed so far needs */
    bool uses_fused;
    /* find_floats: the program computes floats; the host does before it starts a kernel. */
    bool has_floats, host_has_floats;
    size_t unit_at; /* where the source's own definitions begin, behind all includes */
};

/* names.c: identifiers that are legal in C and C++, readable and unique. */
const char *name_identifier(struct emission *e, const char *wanted);
/* The identifier for a pointer; the same pointer always gets the same identifier. */
const char *name_of(struct emission *e, const void *key, const char *wanted);
/* Within the current kernel; name_forget_locals forgets it. */
const char *name_of_local(struct emission *e, const void *key, const char *wanted);
/* Of nothing else: not even where the same statement is printed again. */
const char *name_new_local(struct emission *e, const char *wanted);
void name_forget_locals(struct emission *e);
const char *name_upper(struct emission *e, const char *name);
/* Whether emitted functions use the name themselves. */
bool name_is_own(const char *name);
/* Whether it is the variable of a loop around kernels that use it: it is in the frame. */
bool name_is_of_host(const struct emission *e, const struct expr *variable);
/* Names of what is in the frame. */
const char *name_of_buffer(struct emission *e, const struct buffer *buffer);
const char *name_of_stride(struct emission *e, const struct buffer *buffer, unsigned axis);
/* The offset in the device object with this name. */
const char *name_of_first(struct emission *e, const char *name);
/* For lines, in the frame: the memory of all threads, and the bytes of one thread. */
const char *name_of_lines(struct emission *e, const struct buffer *buffer);
const char *name_of_line_bytes(struct emission *e, const struct buffer *buffer);
/* Whether the frame has a pointer to it: it is memory of a whole call. */
bool buffer_is_in_frame(const struct buffer *buffer);
/* Whether its extents are known when the code is emitted, except the slowest one of lines. */
bool buffer_is_fixed(const struct buffer *buffer);
/* Whether it is tile memory whose length is that of the lines, known at run time. */
bool buffer_holds_lines(const struct buffer *buffer);
/* Whether it holds rows of images, which have a stride. */
bool buffer_holds_rows(const struct buffer *buffer);
/* Whether the frame contains the stride along the axis. */
bool buffer_has_stride(const struct emission *e, const struct buffer *buffer, unsigned axis);
const char *name_of_variable(struct emission *e, const struct expr *variable);
const char *name_of_kernel(struct emission *e, const struct statement *kernel);
/* Fields of the caller's image structures: the extent of an axis, its stride. */
const char *name_of_extent_field(struct emission *e, const struct buffer *buffer, unsigned axis);
const char *name_of_stride_field(struct emission *e, const struct buffer *buffer, unsigned axis);

/* types.c: the C types that expressions are computed in. */
/* Whether the node is printed as a unit whose text has its own C type; that type. */
bool type_is_own(const struct expr *node);
enum scalar type_of_text(const struct expr *node);
/* The width of an operation on integers: the intervals of the result and the operands fit, and
 * shift counts are less than the width. */
enum scalar type_of_width(const struct expr *node);
/* The narrowest type, for more lanes per vector, that holds the operands of an operation on samples
 * and its result if that is an integer. SCALAR_COUNT: no type of 8 or 16 bits does. */
enum scalar type_narrow(const struct kernel_state *here, const struct expr *node);
/* The type in which min and max are computed if it is narrower than the width; else
 * SCALAR_COUNT. */
enum scalar type_of_extremum(const struct kernel_state *here, const struct expr *node,
                             enum scalar width);
/* The type that C gives to the text of emit_value, apart from promotion to int. */
enum scalar type_of_value(const struct kernel_state *here, const struct expr *node);
/* The C type of a local variable that holds the value. */
const char *type_of_local(const struct expr *node);
/* Whether the value depends on coordinates, not only on samples. */
bool type_names_coordinates(const struct expr *node);

/* index_types.c: the same of a name or coordinate in a kernel whose coordinates have a type of
 * their own. */
const char *type_of_name(const struct emission *e, const struct kernel_state *here,
                         const struct expr *variable);

/* emit_expressions.c */
/* A value as a C expression of the scalar's own C type (or one that converts to it unchanged). */
void emit_value(struct emission *e, const struct kernel_state *here, const struct expr *node);
/* A condition that is an operand of &&. */
void emit_conjunct(struct emission *e, const struct kernel_state *here,
                   const struct expr *condition);
/* An integer computed in 64 bits: indices, extents, bounds. */
void emit_index(struct emission *e, const struct kernel_state *here, const struct expr *node);
/* The same as an operand of `<` or `>`: a conditional gets parentheses. */
void emit_bound(struct emission *e, const struct kernel_state *here, const struct expr *node);
/* The number of complex samples of the transform that computes a line of that extent. */
void emit_transformed(struct emission *e, const struct kernel_state *here, enum transform kind,
                      const struct expr *extent);
/* The stride along the axis, in samples. */
void emit_stride(struct emission *e, const struct buffer *buffer, unsigned axis);
/* buffer[address] */
void emit_element(struct emission *e, const struct kernel_state *here, const struct buffer *buffer,
                  const struct expr *const index[]);

/* emit_places.c */
/* Whether lanes at such an index are scattered, not contiguous; only in a vector loop. */
bool place_is_scattered(const struct kernel_state *here, const struct expr *index);
/* Whether lanes are scattered in memory that is small enough for 32-bit offsets, of which more fit
 * a vector. */
bool place_fits_32_bits(const struct kernel_state *here, const struct buffer *buffer,
                        const struct expr *const index[]);

/* helpers.c: small functions in emitted files, each printed once and only if used. */
const char *helper_use(struct emission *e, const char *name);
/* texts: in C, or those of the dialect. */
void helpers_print(struct emission *e, const struct helper_text texts[]);
/* The same for a function of the dialect's arithmetic. */
const char *arithmetic_use(struct emission *e, const char *name);

/* externals.c: C functions that the program calls. First reserve their names, then note uses,
 * finally print the headers. */
void externals_reserve(struct emission *e);
/* Notes a use and returns the name of the function in C. */
const char *external_use(struct emission *e, const struct external *function);
void externals_print(struct emission *e);

/* kernel_uses.c: what a kernel uses of memory and of the host, in the order of first use. */
struct kernel_uses {
    VECTOR(const struct buffer *) buffers;
    VECTOR(const struct expr *) variables; /* extents, parameters, those of loops around kernels */
    struct hash_map stored;                /* by buffer */
    struct hash_map whole;                 /* by buffer: something uses it as a whole */
    bool tiles, lines; /* some of the buffers are in the memory that a thread has for these */
    bool exchanges;    /* threads read or change what others store: barriers, atomic stores */
};
struct kernel_uses kernel_uses_of(struct emission *e, const struct statement *body);
bool kernel_stores(const struct kernel_uses *uses, const struct buffer *buffer);
const char *type_in_frame(const struct expr *variable);
/* "FLT_RESTRICT " if nothing else stores what is read through the buffer's pointer, else "": on a
 * grid another pointer to the same memory, or other threads. uses: NULL for memory that each thread
 * has for itself. */
const char *restriction(const struct emission *e, const struct kernel_uses *uses,
                        const struct buffer *buffer);

/* emit_statements.c */
/* An array argument of a function of flt/particles.h. frame: the text before its name. */
void emit_particle_buffer(struct emission *e, const struct kernel_state *here, const char *frame,
                          const struct particle_buffer *info, const struct buffer *buffer);
void emit_statement(struct emission *e, const struct kernel_state *here,
                    const struct statement *statement);
/* const double value_1 = ...; */
void emit_let(struct emission *e, const struct kernel_state *here, const struct expr *variable,
              const struct expr *value);
void emit_kernels(struct emission *e);
void emit_kernel(struct emission *e, const struct statement *kernel);
/* The number of samples of a buffer with constant extents. */
int64_t buffer_samples(const struct buffer *buffer);
/* for (int64_t variable = ...; ...; ...); the body behind it; the expression first + extent. */
void emit_heading(struct emission *e, const struct kernel_state *here, const struct statement *loop,
                  const char *variable);
void emit_body(struct emission *e, const struct kernel_state *here, const struct statement *loop);
void emit_end(struct emission *e, const struct kernel_state *here, const struct expr *first,
              const struct expr *extent);
/* emit_threads.c: loops over threads. */
/* The iterations that a launch spreads over threads, with nested loops flattened; first: NULL if
 * there are none. */
struct threads_range {
    const struct expr *first, *extent;
};
struct threads_range threads_range_of(struct emission *e, const struct statement *kernel);
void emit_threads_loop(struct emission *e, const struct kernel_state *here,
                       const struct statement *loop);

/* emit_wavefront.c */
/* The loop and the launches of the kernel. */
void emit_wavefront(struct emission *e, const struct statement *loop,
                    const struct statement *kernel, const char *name);

/* emit_windows.c: kernels over windows, functions that flt_apr_cells_each calls. */
bool has_windows(const struct emission *e);
/* What flt/particles.h declares for them. */
void emit_windows_declarations(struct emission *e);
void emit_open_windows(struct emission *e, const char *name);
/* The call. */
void emit_windows(struct emission *e, const struct kernel_windows *windows, const char *name);

/* emit_processors.c: the macros that define kernels and choose among them. */
void emit_processors(struct emission *e);

/* emit_team.c: what surrounds kernels that are loops over threads. */
void emit_file_of_threads(struct emission *e);
void emit_memory_of_threads(struct emission *e, const char *kernels, const char *host);
void emit_teams(struct emission *e, const char *host);
extern const struct host_dialect host_of_threads;
const char *no_kernels_parameter(struct emission *e);

/* emit_header.c, emit_run.c: the functions that run kernels with a number of threads. */
void declare_run_of_threads(struct emission *e);
void define_run_of_threads(struct emission *e);

/* bypass.c: non-temporal stores. */
enum {
    BYPASS_PART = 512
}; /* bytes per part: small, so that one part is written while the next is computed */
/* Finds the buffers that loops store to bypassing the caches. */
void find_bypasses(struct emission *e);
bool buffer_bypasses(const struct emission *e, const struct buffer *buffer);
bool kernel_bypasses(const struct statement *kernel);
/* The name, in the frame, of the flag whether the image is large enough to bypass the caches. */
const char *name_of_bypass(struct emission *e, const struct buffer *buffer);
/* emit_cache_bypass.c: a bypassing loop, in vector lanes or sample by sample. */
void emit_bypassing_loop(struct emission *e, const struct kernel_state *here,
                         const struct statement *loop);

/* emit_idioms.c: whether the loop's level says that a function computes it; prints the call. */
bool emit_idiom(struct emission *e, const struct kernel_state *here, const struct statement *loop);
/* The call for a looked-up loop up to the count, where the variable is `first` and the results go
 * to the row, if there is one. */
void emit_lookup(struct emission *e, const struct kernel_state *here, const struct statement *loop,
                 const struct expr *first, const char *row);

/* host/parts.c: parameters of functions; those of the function that sets the output's extents. */
void emit_parameters(struct emission *e, bool named, bool with_output);
void emit_extents_parameters(struct emission *e);
/* emit_header.c, emit_run.c */
void emit_header(struct emission *e);
/* What parameters are, in lines of a comment. */
void emit_parameters_text(struct emission *e);
/* Finds the variables of loops around kernels that these name. */
void find_host_variables(struct emission *e);
void emit_frame(struct emission *e);
void emit_host(struct emission *e);
/* emit_interface.c: the interface in JSON. has_origin: with the program that it comes from, which
 * files have in their first lines. */
const char *interface_text(struct emission *e, bool has_origin);

/* find_floats.c: sets e->has_floats and e->host_has_floats. */
void find_floats(struct emission *e);

/* emit_prepared.c: finds the statements that fill tables, and whether callers may keep these. */
void prepared_find(struct emission *e);

/* emit_given.c: transforms by a library that the caller gives. */
void given_find(struct emission *e);

/* fold_text.c: texts of C. */
/* The user's words, harmless inside a comment, and as a string literal with its quotes. */
const char *comment_text(struct arena *arena, const char *words);
const char *string_literal(struct arena *arena, const char *words);
/* The C text in lines of at most 100 columns where that is possible. */
struct text fold_lines(struct arena *arena, const char *text);

#endif
