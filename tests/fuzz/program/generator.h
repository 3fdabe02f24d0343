/* What the files of the generator share: its model of a program that is being written, which is
 * coarse where that is safe (an interval may be wider than the compiler's). */
#ifndef FLTC_FUZZ_GENERATOR_H
#define FLTC_FUZZ_GENERATOR_H

#include "program/generate.h"
#include "program/random.h"
#include "program/syntax.h"

enum { MOST_RESULTS = 3, MOST_AXES = 5, MOST_RANGES = 8, MOST_TERMS = 400, MOST_OF_LONG = 9000 };

/* Boxes along an axis: equal if and only if the same grid and so the same pointer. */
struct grid {
    bool starts_at_zero;
    struct interval coordinate;
};

struct image_axis {
    const struct symbol *name;
    const struct grid *grid;
    bool can_extend; /* the stage can be computed further out along it */
};

struct image {
    const struct ast *name; /* NAME, or INDEX of a member of an array of images */
    enum scalar element;
    struct interval interval;
    unsigned rank;
    struct image_axis axis[MOST_AXES];
    bool is_line;     /* a unbounded recurrence: there it goes on by itself */
    unsigned depends; /* bit set: the filter's images it is made of */
};

/* Of fixed point: |integer| < 2^bits, times 2^-fraction. A number has no axes. */
struct fixed_image {
    struct image image; /* whose element and interval say nothing */
    int bits, fraction;
};

struct constant_array {
    const struct symbol *name;
    unsigned rank;
    int64_t first[2], extent[2];
    enum scalar element;
    bool untyped;
    struct interval interval;
};

/* An expression with what the language says of its type. */
struct typed {
    const struct ast *ast;
    enum scalar_class class;
    enum scalar scalar; /* of CLASS_FLOAT: F32 or F64 */
    struct interval interval;
    bool untyped;  /* a real constant without a declared type */
    bool constant; /* known when the program is compiled */
};

struct formal {
    const struct ast *node;
    bool is_image;
    struct image image;
    struct typed value;             /* of parameters and constants */
    const struct ast_list *choices; /* of an enumeration, or NULL */
    struct interval range;          /* that the argument must be in */
    bool has_default;
};

struct filter_model {
    const struct symbol *name;
    VECTOR(struct formal) formals;
    unsigned result_count;
    struct image result[MOST_RESULTS]; /* named by the signature */
    bool needs_rule;                   /* a read has none here */
    bool takes_rule;                   /* and surely takes that of a call */
    unsigned axis_names;               /* bit set over the pool of axis names */
};

/* A filter's body so far. */
struct body {
    struct filter_model *filter;
    struct ast_list *statements;
    VECTOR(struct image) images;
    unsigned inputs; /* of these, the first: images of the signature */
    VECTOR(struct constant_array) arrays;
    VECTOR(struct typed) scalars;
    VECTOR(struct fixed_image) fixed_images, fixed_scalars;
    const struct ast *default_rule; /* RULE or NULL */
    bool default_is_constant;       /* constant(v), a number */
    bool is_main;
    bool is_fixed;                 /* it has numbers of fixed point */
    const struct symbol *adaptive; /* of the root, a result besides; NULL: none */
    struct image adaptive_image;   /* its axes */
};

struct stage_axis_model {
    const struct symbol *name;
    const struct grid *grid;
    bool written;     /* its range is on the left side */
    bool simple_read; /* an image is read there at the coordinate plus a constant */
    bool as_value;    /* the coordinate is used as a number */
    bool bare;        /* a read along it has no rule */
};

/* A stage that reads itself: recurrences.c. */
struct self_model;

/* A stage's expression so far. */
struct stage_scope {
    struct body *body;
    unsigned rank;
    struct stage_axis_model axis[MOST_AXES];
    unsigned window;  /* of a window: 1 + the range along the slowest axis but one; 0: none */
    bool is_lifted;   /* images are named without indices */
    bool scalar_only; /* no image may be read */
    bool is_valid;    /* reads are at coordinates plus constants, under the rule valid */
    VECTOR(struct typed) locals; /* lets and reduction variables */
    unsigned ranges;             /* reduction variables among the locals: range[] */
    struct typed range[MOST_RANGES];
    int64_t terms; /* of the reductions around */
    int budget;    /* of nodes */
    unsigned depends;
    struct self_model *self; /* NULL: it must not read itself */
    unsigned lifted_rank;    /* union of the axes of the images named */
    struct image_axis lifted_axis[MOST_AXES];
};

struct function_model { /* of two f32 */
    const struct symbol *name;
    unsigned results;
};

struct generator {
    struct session *session;
    struct syntax s;
    uint64_t random;
    VECTOR(struct filter_model *) filters;
    VECTOR(struct function_model *) functions;
    VECTOR(struct typed) constants; /* outside of filters */
    VECTOR(unsigned) externals;     /* C functions that are declared: externals.c */
    struct body *body;
    unsigned names;   /* given out */
    unsigned awkward; /* bit set: names that were given out */
    bool imports_pyramid;
    enum favourite favourite;
};

#define NODE(...) AST_NEW(g->s.arena, ((struct span){0, 0}), __VA_ARGS__)
#define AXIS_POOL 5
extern const char *const axis_pool[AXIS_POOL];

const struct symbol *fresh_name(struct generator *g, const char *stem);

/* expressions.c */
struct typed generate_number(struct generator *g, struct stage_scope *s, int depth);
struct typed generate_truth(struct generator *g, struct stage_scope *s, int depth);
struct typed generate_integer(struct generator *g, struct stage_scope *s, int depth);

/* operators.c */
struct typed typed_integer(struct generator *g, int64_t value);
/* The value brought to the class: comparison, conversion, select. */
struct typed as_class(struct generator *g, struct typed a, enum scalar_class class);
/* + - * / … of numbers, operands narrowed where the result would leave 64 bits. */
struct typed combine(struct generator *g, enum ast_operator o, struct typed a, struct typed b);
/* Converted so that a stage of the element type can store it. */
struct typed fit(struct generator *g, struct typed a, enum scalar element);
struct typed narrow(struct generator *g, struct typed a);
struct interval hull(struct interval a, struct interval b);

/* reads.c */
/* A border rule for reads of the image; outside grows by what it gives. */
const struct ast *generate_rule(struct generator *g, const struct image *image,
                                struct interval *outside);
/* A read of an image or constant array; false where the scope has none. */
bool generate_read(struct generator *g, struct stage_scope *s, int depth, struct typed *result);
/* Whether the filter's default rule is one for all axes of the image. */
bool default_covers(const struct body *body, const struct image *image);
/* A read of the image at the coordinates themselves. */
struct typed plain_read(struct generator *g, struct stage_scope *s, const struct image *image);
int find_axis(const struct stage_scope *s, const struct symbol *name);

/* calls.c */
/* A call of a filter made before, as an image; false where none fits. */
bool generate_call(struct generator *g, struct body *body, struct image *result);
void use_lifted(struct stage_scope *s, const struct image *image);
bool can_lift(const struct stage_scope *s, const struct image *image);

/* stages.c */
struct made_stage {
    struct stage_scope scope;
    const struct ast_list *axes; /* NULL: none */
    struct typed value;
    struct image image; /* without its name */
};

/* An image of the filter, with axes; none has any: the first one. */
const struct image *lead_image(struct generator *g, const struct body *body);
/* The axes of a new stage, as they stand in its brackets; those of an image, most of them. */
void open_stage(struct generator *g, struct stage_scope *s, const struct ast *item[]);
/* It cannot be computed further out. */
void close_axes(struct image *image);
const struct grid *new_grid(struct generator *g, bool starts_at_zero, struct interval at);
/* The type a stage without a declared one has; a type it may be declared with. */
enum scalar natural_element(struct typed value);
enum scalar declared_element(struct generator *g, struct typed value);
/* Reads that give each axis its box, where the expression has none. False: no image can. */
bool give_boxes(struct generator *g, struct stage_scope *s, struct typed *value);
/* Axes and value of a stage, not yet a statement. local: a name in scope, or NULL. A result has
 * axes. */
struct made_stage make_stage(struct generator *g, struct body *body, bool is_result,
                             const struct typed *local);
void model_image(struct generator *g, struct made_stage *made, enum scalar element);
/* The same with a statement; the image is still to be kept. */
struct image add_stage(struct generator *g, struct body *body, const struct symbol *name);
/* An expression of images without indices; false where it names none. */
bool make_lifted(struct generator *g, struct body *body, struct image *image, struct typed *value);
void keep_image(struct generator *g, struct body *body, struct image image);
/* False: nothing was added. */
bool add_lifted(struct generator *g, struct body *body);
bool add_call(struct generator *g, struct body *body);

/* arrays.c */
void add_levels(struct generator *g, struct body *body);
void add_loop(struct generator *g, struct body *body);
bool add_library_call(struct generator *g, struct body *body);

/* A range's end that a parameter moves, between first and last; NULL where there is no
 * parameter. */
const struct ast *moving_end(struct generator *g, const struct stage_scope *s, int64_t first,
                             int64_t last);
/* picks.c */
struct typed generate_pick(struct generator *g, struct stage_scope *s, int depth);
/* scatters.c */
void add_scatter(struct generator *g, struct body *body);
void add_table(struct generator *g, struct body *body);
/* repeats.c */
void add_repeat(struct generator *g, struct body *body);

/* recurrences.c */
struct typed self_read(struct generator *g, struct stage_scope *s);
/* False: nothing was added. */
bool add_recurrence(struct generator *g, struct body *body);
/* unbounded.c; false: nothing was added. */
/* An image's axes, as they stand in the brackets of a stage over the same. */
const struct ast_list *image_brackets(struct generator *g, const struct image *image);
bool add_line_chain(struct generator *g, struct body *body);
/* Integers of what comes before, modulo 2^bits, or integers and floats up to limits. */
bool add_integer_chain(struct generator *g, struct body *body);
/* crossings.c: recurrences along rows of an image, and along their columns; false: nothing was
 * added. */
bool add_crossing(struct generator *g, struct body *body);
/* The last image, of floats, rounded to integers: a result. */
bool add_rounded(struct generator *g, struct body *body, const struct symbol *name,
                 struct image *image);

/* passes.c; false: nothing was added. */
bool add_passes(struct generator *g, struct body *body);

/* wholes.c; false: nothing was added. */
bool add_other_axes(struct generator *g, struct body *body);
void add_nested_array(struct generator *g, struct body *body);
/* particles.c: to_apr and to_pixels of an image that the filter is given. */
bool add_particles(struct generator *g, struct body *body);
/* A result of what the particles have; NULL: there is none. */
const struct ast *make_adaptive_result(struct generator *g, struct body *body);
bool add_transform(struct generator *g, struct body *body);
bool add_convolution(struct generator *g, struct body *body);
void add_complex(struct generator *g, struct body *body);

/* planes.c; false: nothing was added. */
bool add_planes(struct generator *g, struct body *body);

/* extensions.c; false: nothing was added. */
bool add_extension(struct generator *g, struct body *body);

/* fixed_points.c; of the main filter alone. */
void add_fixed_point(struct generator *g, struct body *body);
void add_fixed_image_formal(struct generator *g, struct body *body);
void add_fixed_scalar_formal(struct generator *g, struct body *body);
/* A result of the signature, and its stage; NULL: nothing was added. */
const struct ast *make_fixed_result(struct generator *g, struct body *body,
                                    const struct symbol *name);

/* functions.c */
const struct ast *make_function(struct generator *g, unsigned number);
const struct ast *make_constant(struct generator *g, unsigned number);
struct typed call_function(struct generator *g, struct typed a, struct typed b);

/* externals.c */
void declare_externals(struct generator *g, struct ast_list *items);
/* Of one that is declared; of any class. */
struct typed call_external(struct generator *g, struct stage_scope *s, int depth);

/* signatures.c */
const struct ast *image_type(struct generator *g, const struct image *image);
/* Its axes are of the first `pool` names. */
void add_image_formal(struct generator *g, struct body *body, unsigned pool);
void add_scalar_formal(struct generator *g, struct body *body);
void add_constant_array(struct generator *g, struct body *body);
void add_constant(struct generator *g, struct body *body);
void add_requirement(struct generator *g, struct body *body);
void choose_default_rule(struct generator *g, struct body *body);

/* mixtures.c */
const struct ast *make_mixture(struct generator *g, const struct symbol *name);
/* filters.c */
void note_axis(struct body *body, const struct symbol *name);
void add_statement(struct generator *g, struct body *body, const struct ast *node);

#endif
