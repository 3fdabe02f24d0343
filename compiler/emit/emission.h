/* What the files of emit/ share. */
#ifndef FLTC_EMIT_EMISSION_H
#define FLTC_EMIT_EMISSION_H

#include "emit/dialect.h"
#include "emit/emit.h"

/* The staging row of a loop that bypasses caches: samples wait here until the row goes to
 * memory. */
struct row {
    const struct buffer *buffer; /* NULL: there are none */
    const char *element;         /* the sample at hand */
};

/* Helpers in use. */
struct helper_set {
    struct hash_map known; /* name → marker */
    VECTOR(const char *) list;
    bool spelled; /* in the words of the dialect */
};

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
    /* Where the caller gives a library for transforms: the name of the opened filter; else NULL. */
    const char *opened;
    /* Where tables may be kept by the caller: the name of the object that holds them, and of its
     * size; else NULL. */
    const char *prepared, *prepared_bytes;
    bool *bypassing;               /* by buffer: a loop stores to it past the caches */
    struct row row;                /* that the loop at hand stores to */
    struct statement_items beside; /* prefetches beside the bypassing loops of the block at hand */
    const struct expr *lane;   /* the variable of the vector loop at hand; NULL: there is none */
    struct hash_map scattered; /* local variables in it that are not the lane's own number, moved */
    const char *threads_from, *threads_to; /* what the loop over threads at hand runs over */
    bool in_threads;                       /* another one is around it */
    bool packed;   /* the fastest axes of the caller's images have stride 1 here */
    bool in_bands; /* the kernel at hand is launched in a loop whose variable it names */
    bool uses_fused;
    bool is_large; /* the kernel at hand: gcc 12 fails on narrow lanes in large ones, which spill */
    uint64_t tile_at;    /* of the kernel at hand: bytes of tiles so far */
    uint64_t tile_bytes; /* the most that a kernel needs */
};

/* names.c: identifiers that are legal in C and C++, readable, unique. */
const char *name_identifier(struct emission *e, const char *wanted);
/* The same for something with a pointer of its own; asked again, the same answer. */
const char *name_of(struct emission *e, const void *key, const char *wanted);
/* In the kernel at hand; forgotten by name_forget_locals. */
const char *name_of_local(struct emission *e, const void *key, const char *wanted);
/* Of nothing else: not even where the same statement is printed again. */
const char *name_new_local(struct emission *e, const char *wanted);
void name_forget_locals(struct emission *e);
const char *name_upper(struct emission *e, const char *name);
/* The dialect's own words are taken. */
void name_reserve_words(struct emission *e);
/* Whether emitted functions use it for something of their own. */
bool name_is_own(const char *name);
/* Of a loop around kernels that these name: it is in the frame. */
bool name_is_of_host(const struct emission *e, const struct expr *variable);
/* Names of what is in the frame. */
const char *name_of_buffer(struct emission *e, const struct buffer *buffer);
const char *name_of_stride(struct emission *e, const struct buffer *buffer, unsigned axis);
/* Of what has this name and is an object of a device: the place in it. */
const char *name_of_first(struct emission *e, const char *name);
/* Of lines, in the frame: memory of all threads, and how much of it is one thread's. */
const char *name_of_lines(struct emission *e, const struct buffer *buffer);
const char *name_of_line_bytes(struct emission *e, const struct buffer *buffer);
/* Whether the frame has a pointer to it: it is memory of a whole call. */
bool buffer_is_in_frame(const struct buffer *buffer);
/* Whether its extents are known when it is emitted, but for the slowest of lines. */
bool buffer_is_fixed(const struct buffer *buffer);
/* Whether it is memory of a tile as long as the lines are, which is known when the filter runs. */
bool buffer_holds_lines(const struct buffer *buffer);
/* Rows of images, one behind the other: they have a stride. */
bool buffer_holds_rows(const struct buffer *buffer);
/* Whether the frame tells how far one sample along the axis is from the next. */
bool buffer_has_stride(const struct emission *e, const struct buffer *buffer, unsigned axis);
const char *name_of_variable(struct emission *e, const struct expr *variable);
const char *name_of_kernel(struct emission *e, const struct statement *kernel);
/* Fields of the caller's image structures: the extent of an axis, its stride. */
const char *name_of_extent_field(struct emission *e, const struct buffer *buffer, unsigned axis);
const char *name_of_stride_field(struct emission *e, const struct buffer *buffer, unsigned axis);

/* types.c: the C types that expressions are computed in. */
/* Whether it is printed as one thing, whose text has a type of its own; and that type. */
bool type_is_own(const struct expr *node);
enum scalar type_of_text(const struct expr *node);
/* The width that an operation on integers needs: its own and its operands' intervals fit, and in C
 * a shift goes by less than the bits there are. */
enum scalar type_of_width(const struct expr *node);
/* The narrowest type that holds the operands of an operation on samples, and its result if that is
 * an integer: 32 lanes do more than 8. SCALAR_COUNT: none of 8 or 16 bits does. */
enum scalar type_narrow(const struct emission *e, const struct expr *node);
/* The type that min and max are computed in, where it is narrower than the width; else
 * SCALAR_COUNT. */
enum scalar type_of_extremum(const struct emission *e, const struct expr *node, enum scalar width);
/* The type that C gives to the text of emit_value, apart from promotion to int. */
enum scalar type_of_value(const struct emission *e, const struct expr *node);
/* That of a local variable that holds the value. */
const char *type_of_local(const struct expr *node);
/* Whether the value changes from sample to sample by more than what is read. */
bool type_names_coordinates(const struct expr *node);

/* emit_expressions.c */
/* A value as a C expression of the scalar's own C type (or one that converts to it unchanged). */
void emit_value(struct emission *e, const struct expr *node);
/* A condition behind which, or in front of which, && stands. */
void emit_conjunct(struct emission *e, const struct expr *condition);
/* An integer computed in 64 bits: indices, extents, bounds. */
void emit_index(struct emission *e, const struct expr *node);
/* The same beside `<` or `>`: a choice stands in parentheses. */
void emit_bound(struct emission *e, const struct expr *node);
/* The complex samples as which a line of the extent is transformed. */
void emit_transformed(struct emission *e, enum transform kind, const struct expr *extent);
/* Samples from one place along the axis to the next. */
void emit_stride(struct emission *e, const struct buffer *buffer, unsigned axis);
/* buffer[address] */
void emit_element(struct emission *e, const struct buffer *buffer,
                  const struct expr *const index[]);
void emit_real(struct emission *e, enum scalar scalar, double value);

/* emit_places.c */
/* Whether lanes lie anywhere at such indices, not one behind the other; in a vector loop alone. */
bool place_is_scattered(const struct emission *e, const struct expr *index);
/* The local variable is such a one, if its value is. */
void place_note_local(struct emission *e, const struct expr *variable, const struct expr *value);
/* Whether lanes lie anywhere in memory so small that their places are computed in 32 bits, of which
 * more fit a vector. */
bool place_fits_32_bits(const struct emission *e, const struct buffer *buffer,
                        const struct expr *const index[]);

/* helpers.c: small functions that emitted files carry, each once and only if used. */
const char *helper_use(struct emission *e, const char *name);
/* spell: in the words of the dialect; else in C. */
void helpers_print(struct emission *e, bool spell);
/* The same of a function of the dialect's arithmetic. */
const char *arithmetic_use(struct emission *e, const char *name);
/* spell_helpers.c: their text in the words of a dialect that has a word for functions. */
struct text spell_helpers(struct emission *e, const char *text);

/* externals.c: C functions that the program calls. First the names are kept free, then uses are
 * noted, at last the headers are printed. */
void externals_reserve(struct emission *e);
/* What the function is called by. */
const char *external_use(struct emission *e, const struct external *function);
void externals_print(struct emission *e);

/* kernel_uses.c: what a kernel takes from memory and from the host, in the order of first use. */
struct kernel_uses {
    VECTOR(const struct buffer *) buffers;
    VECTOR(const struct expr *) variables; /* extents, parameters, those of loops around kernels */
    struct hash_map stored;                /* by buffer */
    struct hash_map whole;                 /* by buffer: something takes it as it lies */
    bool tiles, lines; /* some of the buffers are in the memory that a thread has for these */
};
struct kernel_uses kernel_uses_of(struct emission *e, const struct statement *body);
bool kernel_stores(const struct kernel_uses *uses, const struct buffer *buffer);
const char *type_in_frame(const struct expr *variable);
/* "FLT_RESTRICT " where nothing else stores what is read through the buffer's pointer: other
 * threads of a grid may, of what the kernel stores, and of memory that threads have for themselves
 * (uses: NULL). */
const char *restriction(const struct emission *e, const struct kernel_uses *uses,
                        const struct buffer *buffer);

/* emit_statements.c */
/* An array that a function of flt/particles.h is given, as arguments. frame: what stands before its
 * name. */
void emit_particle_buffer(struct emission *e, const char *frame, const struct particle_buffer *info,
                          const struct buffer *buffer);
void emit_statement(struct emission *e, const struct statement *statement);
/* const double value_1 = ...; */
void emit_let(struct emission *e, const struct expr *variable, const struct expr *value);
void emit_kernels(struct emission *e);
void emit_kernel(struct emission *e, const struct statement *kernel);
/* How many samples it has, of constant extents. */
int64_t buffer_samples(const struct buffer *buffer);
/* The part of a loop behind its heading, and first + extent. */
void emit_body(struct emission *e, const struct statement *loop);
void emit_end(struct emission *e, const struct expr *first, const struct expr *extent);
/* emit_threads.c: loops over threads. */
/* The iterations that a launch spreads over threads, those of loops in one another in one row:
 * first NULL where there are none. */
struct threads_range {
    const struct expr *first, *extent;
};
struct threads_range threads_range_of(struct emission *e, const struct statement *kernel);
/* The outermost loop over threads in the statement; NULL: there is none. */
const struct statement *threads_loop_in(const struct statement *statement);
/* The loop, its variable being called so. */
void emit_threads_loop(struct emission *e, const struct statement *loop, const char *variable);

/* "in_y_first + flt_first": a place of the range as a coordinate of the loop. */
void threads_print_place(struct emission *e, const struct expr *first, const char *place);
/* Whether threads share the loop: its parts independent of each other, or one after the other. */
bool threads_share(const struct statement *statement);

/* emit_wavefront.c */
/* The kernel that is all of a loop around kernels, and whose parts go through its iterations; NULL:
 * there is none. */
const struct statement *wavefront_in(const struct statement *loop);
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

/* emit_processors.c: the macros that kernels are defined and picked by. */
void emit_processors(struct emission *e);

/* emit_team.c: what stands around kernels that are loops over threads. */
void emit_file_of_threads(struct emission *e);
void emit_memory_of_threads(struct emission *e, const char *kernels, const char *host);
void emit_teams(struct emission *e, const char *host);
extern const struct host_dialect host_of_threads;

/* emit_header.c, emit_run.c: the functions that run kernels, by a number of threads. */
void declare_run_of_threads(struct emission *e);
void define_run_of_threads(struct emission *e);

/* emit_cache_bypass.c: stores past the caches. */
enum {
    BYPASS_PART = 512
}; /* bytes at a time: so few that they leave while the next are computed */
/* Finds the buffers that loops store to past the caches. */
void find_bypasses(struct emission *e);
bool buffer_bypasses(const struct emission *e, const struct buffer *buffer);
bool kernel_bypasses(const struct statement *kernel);
/* In the frame: whether the image is so large that stores to it go past the caches. */
const char *name_of_bypass(struct emission *e, const struct buffer *buffer);
/* A loop that is bypassing: in vector lanes, sample by sample, or turned. */
void emit_bypassing_loop(struct emission *e, const struct statement *loop);

/* emit_lookups.c: bytes out of a table. */
struct lookup {
    const struct buffer *to;
    const struct expr *const *to_index;
    const struct expr *table, *from; /* loads: table[from] */
};
bool lookup_of(struct emission *e, const struct statement *loop, struct lookup *lookup);
/* The call up to the count, where the variable is `first` and the results go to the row, if there
 * is one. */
void emit_lookup(struct emission *e, const struct lookup *lookup, const struct expr *variable,
                 const struct expr *first, const char *row);

/* The address of the buffer's sample at these indices, `by` in place of the node in them. */
void emit_address(struct emission *e, const struct buffer *buffer, const struct expr *const index[],
                  const struct expr *node, const struct expr *by);

/* emit_scans.c: running sums. False: passes have made something else of the loop. */
bool emit_scan(struct emission *e, const struct statement *loop);

/* emit_header.c, emit_host.c */
void emit_header(struct emission *e);
void emit_parameters(struct emission *e, bool named, bool with_output);
/* What they are, in lines of a comment. */
void emit_parameters_text(struct emission *e);
/* Of the function that sets the output's extents. */
void emit_extents_parameters(struct emission *e);
/* Finds the variables of loops around kernels that these name. */
void find_host_variables(struct emission *e);
void emit_frame(struct emission *e);
void emit_host(struct emission *e);
void emit_generic_entry(struct emission *e);
/* "unsharp.flt:7", or "" */
const char *emit_place(struct emission *e, struct span span);

/* emit_prepared.c: finds the statements that fill tables, and whether callers may keep these. */
void prepared_find(struct emission *e);

/* emit_given.c: transforms by a library that the caller gives. */
void given_find(struct emission *e);
/* Fills what a table begins with; it is printed behind what fills the rest. */
void given_print_table(struct emission *e, const struct statement *transform, const char *table);

/* fold_text.c: texts of C. */
/* The user's words, harmless inside a comment, and as a string literal with its quotes. */
const char *comment_text(struct arena *arena, const char *words);
const char *string_literal(struct arena *arena, const char *words);
/* The C text in lines of at most 100 columns where that is possible. */
struct text fold_lines(struct arena *arena, const char *text);

#endif
