/* What the files of the elaboration share. */
#ifndef FLTC_FRONTEND_ELABORATOR_H
#define FLTC_FRONTEND_ELABORATOR_H

#include "graph/recurrence/recurrence.h"
#include "diagnostics/suggest.h"
#include "expr/affine.h"
#include "frontend/elaborate.h"
#include "frontend/fixed.h"

/* The value of a scalar expression. expr is NULL after an error, which silences what depends on
 * it. */
struct operand {
    const struct expr *expr;
    bool untyped; /* a real constant without a declared type: meets f32 as f32, f64 as f64 */
    bool half;    /* an f32 read as f16, made by f16(...), or chosen of such: it is stored as f16 */
    struct fixed_point fixed; /* whether expr, an integer, is a number of fixed point */
    /* Where the integer surely is, though its expression does not tell: of a sum with weights. */
    bool is_known;
    struct interval known;
    /* A float product written here: its factors, for contraction. */
    const struct expr *left, *right;
    bool negated;
    /* Of an element of a constant array, and of products with such: false where the element is 0,
     * so that the term is absent from a sum. NULL: always there. */
    const struct expr *present;
    /* A tuple: its parts, expr being NULL. Only elaborate_loose gives these two. */
    const struct operand *part;
    size_t part_count;
    const struct ast *enumeration; /* TYPE whose name the value is, or NULL */
    /* Of a complex number, whose real part is expr; NULL: it is real. Both have one type. */
    const struct expr *imaginary;
    struct span span; /* where the program writes it; {0, 0}: nowhere */
};

/* An image as a filter's body sees it: positional axes. The stage may have more axes, over which
 * the body is mapped. */
struct image_view {
    stage_id stage;
    unsigned rank;
    const struct symbol *axis[GRAPH_MAX_RANK];
    bool untyped;            /* an array of real constants without a declared type */
    bool undeclared;         /* an array of constants without one */
    bool valid;              /* false: an error was reported */
    bool empty;              /* the target of a scatter that has nothing in it */
    bool wraps;              /* it is declared as wrap<u32> or the like */
    struct fixed_type fixed; /* it is declared as this */
};

/* What a stage is declared to hold. SCALAR_COUNT: it is not declared. */
struct element_type {
    enum scalar scalar;
    bool wraps;    /* wrap<u32>: what is stored is taken modulo 2^32 */
    bool converts; /* an integer is converted, as what goes round is at each step */
    bool complex;  /* c32, c64: two of them */
    /* Then scalar is what holds its integers; f64 where fixed-point types are real. */
    struct fixed_type fixed;
};

/* What a name stands for. */
enum entity_kind { ENTITY_IMAGE, ENTITY_LEVELS, ENTITY_RESULTS, ENTITY_VALUE, ENTITY_ERROR };
enum entity_carried { ENTITY_FIXED, ENTITY_CARRIED, ENTITY_RENEWED };
struct entity {
    enum entity_kind kind;
    enum entity_carried carried; /* by a repeat: to be defined in each step; defined in this one */
    bool may_be_hidden;          /* a constant of another module: the name may be declared anew */
    bool in_pieces;              /* of LEVELS: its members are defined one by one in this body */
    struct span span;
    union {
        struct image_view image;
        struct levels *levels;
        const struct results *results;
        struct operand value;
    } as;
};

struct levels {                /* g[0], g[1] …: an array of images, or of such arrays */
    const struct symbol *name; /* of stages: "detail_0" */
    const char *called;        /* by the program: "detail[0]" */
    struct span span;
    VECTOR(struct level {
        int64_t index;
        struct entity value; /* IMAGE, LEVELS, RESULTS or ERROR; its span: of the definition */
    })
    member;
    bool broken; /* a definition of a member failed: nothing more is reported about members */
};

struct results { /* of the call of a filter that has several */
    const struct ast *filter;
    const struct entity *item; /* in the order of its signature */
};

struct scope {
    struct scope *outer;
    struct hash_map names; /* symbol → struct entity */
};

struct border_default {
    const struct ast *rule; /* RULE */
    struct instance *where; /* whose names its values use */
    bool used;
};

struct mapped_axis {
    const struct symbol *name;
    const struct expr *variable;
};

/* One filter body over actual arguments. */
struct instance {
    const struct ast *filter;
    size_t module;
    struct instance *caller;
    const struct symbol *prefix; /* of stage names; NULL at the top */
    struct scope *scope;
    struct border_default *border;      /* of its own `border` statement; NULL: none */
    struct border_default *call_border; /* written behind the call; NULL: none */
    struct hash_map image_border; /* symbol → struct border_default, of `border in reflect;` */
    /* Axes of the arguments that the signature does not name, and one argument's axes in order,
     * which tells where mapped axes stand. */
    unsigned mapped_count, pattern_count;
    const struct symbol *mapped[GRAPH_MAX_RANK], *pattern[GRAPH_MAX_RANK];
    VECTOR(struct bound_type {
        const struct symbol *name;
        struct element_type type;
    })
    types;                   /* of its type variables */
    struct example *example; /* whose body it is, or NULL */
    struct entity *result;   /* by place in the signature; the span is {0, 0} until it is defined */
};

struct stage_context_axis {
    const struct symbol *name;
    const struct expr *variable;
    const struct expr *first, *extent; /* written by the program, or NULL */
    bool agreed; /* the reads at the coordinate gave the box: all their images have it */
    struct span span;
};

/* A read whose rule and box are settled when the stage's box is known. */
struct pending_read {
    const struct expr *load;
    struct span span;
    const struct symbol *image;           /* as the program calls it */
    bool has_rule[GRAPH_MAX_RANK];        /* by axis of the stage that is read */
    struct border_default *default_taken; /* whose rule it is, or NULL */
    const struct ast *item[GRAPH_MAX_RANK]; /* the index along each axis, where one is written */
    /* Variables of reductions around it whose ranges parameters bound, where a term is present. */
    size_t widened_count;
    struct affine_bound *widened;
};

/* A read of the stage that is being defined. Until its axes are known it stands in the value as a
 * load from SELF_SOURCE over the named axes. */
enum { SELF_SOURCE = UINT32_MAX - 1 };
struct self_read {
    const struct expr *load;
    struct span span;
    struct { /* by named axis */
        struct border border;
        bool given; /* behind the read, or `border s zero;` for this stage: an initial state */
        struct border_default *default_taken;
    } axis[GRAPH_MAX_RANK];
};

/* A stage under construction. */
struct stage_context {
    struct instance *instance;
    const struct symbol *name;
    struct span span;
    struct scope *scope;
    unsigned axis_count, mapped_count;
    struct stage_context_axis axis[GRAPH_MAX_RANK], mapped[GRAPH_MAX_RANK];
    const struct ast_list *over; /* behind `over`, of a scatter; else NULL */
    bool lifted;           /* images without indices are read at the stage's own axes */
    bool scalar_only;      /* no image may be read: extents, bounds, arguments */
    struct hash_map lifts; /* syntax tree → struct image_view of an image without indices */
    VECTOR(struct pending_read) reads;
    VECTOR(struct affine_bound) counted; /* variables of counted ranges */
    VECTOR(struct stage_binding) bindings;
    struct element_type self_element; /* what reads of the stage itself give */
    VECTOR(struct self_read) self_reads;
    uint64_t uses_of_intervals_before; /* the pool's count when the context was opened */
};

/* How far a stage's coordinate goes where readers extend the stage; of the definition of that name
 * there. */
struct reach {
    const struct symbol *axis;
    struct span span;
    struct interval interval;
    struct reach *next; /* of the name */
};
struct reaches {
    struct hash_map by_stage; /* full name → struct reach */
};
/* A definition, and the stages first … end - 1 that it made. */
struct definition_made {
    const struct symbol *name; /* full_stage_name */
    struct span span;
    uint32_t first, end;
    bool uses_intervals; /* of its coordinates: expr_pool.uses_of_intervals */
};

/* What requirements say of an extent or parameter. */
struct requirement {
    const char *text; /* NULL: none */
    struct span span;
};
struct fact {
    const struct symbol *name;
    struct interval interval;
    struct requirement least; /* which says the least value */
    struct requirement greatest;
};
struct facts {
    VECTOR(struct fact) list;
};

struct elaborator {
    struct session *session;
    struct arena *arena;
    struct expr_pool *pool;
    const struct module_set *modules;
    const struct elaborate_options *options;
    struct graph *graph;
    struct hash_map stage_names; /* symbol → how many stages wanted it */
    struct scope **module_scope; /* by module; NULL where it was not needed yet */
    const struct facts *known;   /* from the last time */
    struct facts learned;
    bool learns;             /* more than was known */
    struct reaches *reaches; /* known from the times before; what is learned is added */
    bool reaches_more;       /* something was */
    VECTOR(struct definition_made) definitions;
    const struct symbol *defining;        /* the stage whose value is being elaborated */
    unsigned calls;                       /* of filters and functions, one inside another */
    struct span called;                   /* the outermost of them; {0, 0}: none */
    uint32_t nested;                      /* depth of the trees around them and in what they call */
    uint32_t repeat;                      /* whose steps are being elaborated; 0: none */
    uint64_t work;                        /* done so far, calls and loops written out */
    bool exhausted;                       /* more work than a filter may take */
    VECTOR(const struct ast *) functions; /* being inlined, outermost first */
    unsigned values_named;                /* how often the program has written a name, or in.y */
    unsigned extents_varying;             /* those of them that are no constants */
    const struct ast *convolving;         /* the call whose sum is being elaborated; NULL: none */
    bool members_lack;                    /* members that a wrong range was to define, reported */
    bool divides_named;                   /* the operands of the operator at hand name some */
    VECTOR(const struct symbol *) reducing; /* variables of the reductions being elaborated */
    VECTOR(struct affine_bound) widened;    /* those of them that widen_range has widened */
    struct hash_map inside;    /* loads that stay inside the image in their stage's box alone */
    struct hash_map roundings; /* expression → how it was rounded; of fixed_error.c */
    struct hash_map particles; /* stage → its structure; of elaborate_particles.c */
    struct hash_map converted; /* stage → the image whose samples it converts; elaborate_around.c */
    struct hash_map externals; /* declaration → struct external, of no parameters if it is wrong */
};

#define REPORT(el, code, span, ...)                                                                \
    diagnostic_report(&(el)->session->diagnostics, DIAGNOSTIC_##code, (span), ##__VA_ARGS__)
#define NOTE(el, d, ...) diagnostic_note(&(el)->session->diagnostics, (d), __VA_ARGS__)
#define HELP(el, d, ...) diagnostic_help(&(el)->session->diagnostics, (d), __VA_ARGS__)
#define LABEL(el, d, span, ...)                                                                    \
    diagnostic_label(&(el)->session->diagnostics, (d), (span), __VA_ARGS__)

/* scope.c */
struct entity *scope_find(const struct scope *scope, const struct symbol *name);
/* Reports a second declaration of the name; returns the entity to fill. */
struct entity *scope_declare(struct elaborator *el, struct scope *scope, const struct symbol *name,
                             struct span span);
struct scope *scope_open(struct elaborator *el, struct scope *outer);
/* The filter, function … of that name visible in the module, or NULL. */
const struct ast *find_item(const struct elaborator *el, size_t module, const struct symbol *name,
                            size_t *owner);
/* Filters and functions that the module sees. */
void suggest_items(const struct elaborator *el, size_t module, struct suggestion *near,
                   const char *wanted);
/* The DEFINE of the name in the filter's body; NULL: there is none. */
const struct ast *definition_of(const struct instance *instance, const struct symbol *name);
/* After a message about the name: no other one follows in this body, and a definition of it further
 * down counts. */
void silence_name(struct elaborator *el, const struct instance *instance,
                  const struct symbol *name);
/* Tells what is nearest: a stage further down, a circle of stages, a recurrence, a similar name.
 * use: the read or field whose base the name is, or NULL. */
void report_undeclared(struct elaborator *el, const struct instance *instance,
                       const struct scope *scope, const struct symbol *name, struct span span,
                       const struct ast *use);
void report_not_yet(struct elaborator *el, struct span span, const char *what);

/* elaborate_module.c: the constants that all of a module see. */
struct scope *module_scope(struct elaborator *el, size_t module);
/* A body that is no filter's: of the module itself, of an example. */
struct instance *module_instance(struct elaborator *el, size_t module, struct scope *scope,
                                 const struct ast_list *body);

/* elaborate_example.c: a requirement of an example. */
void elaborate_example_require(struct elaborator *el, struct instance *instance,
                               struct scope *scope, const struct ast *node);

/* elaborate_require.c */
void elaborate_require(struct elaborator *el, struct instance *instance, struct scope *scope,
                       const struct ast *node);
void elaborate_estimate(struct elaborator *el, struct instance *instance, struct scope *scope,
                        const struct ast *node);
/* A truth value of extents, parameters and constants; NULL after a message. what: whose it is. */
const struct expr *elaborate_condition(struct elaborator *el, struct instance *instance,
                                       struct scope *scope, const struct ast *node,
                                       const char *what);
/* As it is written; NULL: that is not known. */
const char *condition_text(struct elaborator *el, const struct ast *node);
/* The part of the interval of an extent or parameter that requirements leave. */
struct interval known_interval(const struct elaborator *el, const struct symbol *name,
                               struct interval interval);
/* Whether requirements say more than was known when this elaboration began. */
bool learned_more(const struct elaborator *el);
/* Checks on entry what is known of the variable. */
void check_fact(struct elaborator *el, const struct expr *variable);

/* elaborate_reach.c */
/* Whether readers extend the context's stage along the axis, and what its coordinate then can
 * be. */
bool known_reach(struct elaborator *el, const struct stage_context *context,
                 const struct symbol *axis, struct interval *interval);
/* The coordinate of an axis of the context's stage: the interval, and what readers reach beyond. */
const struct expr *coordinate_variable(struct elaborator *el, const struct stage_context *context,
                                       const struct symbol *axis, struct interval interval);
/* Stages first … are those that the context's definition has made. */
void note_definition(struct elaborator *el, const struct stage_context *context, size_t first);
/* Whether readers reach further than was known: then all is to be elaborated once more. The graph
 * is whole. */
bool learn_reaches(struct elaborator *el);
/* Errors from place `first` of the list on came with what readers reach: a note tells that. el: of
 * the time before. */
void tell_reaches(struct elaborator *el, size_t first);

/* elaborate_type.c */
/* f32 for float, u8 for uint8_t; NULL: the name is no type elsewhere either. */
const char *type_of_other_languages(const char *name);
struct filter_type {
    bool is_image;
    bool adaptive; /* apr<f32>[z, y, x] */
    enum scalar scalar;
    bool wraps; /* image<wrap<u32>> */
    unsigned rank;
    const struct symbol *axis[GRAPH_MAX_RANK];
    bool complex;
    struct fixed_type fixed;
};
/* The type of an image, parameter or result; false after an error. */
bool elaborate_type(struct elaborator *el, const struct instance *instance, const struct ast *type,
                    struct filter_type *out);
/* The element type a type node names; SCALAR_COUNT after an error. */
enum scalar elaborate_scalar_type(struct elaborator *el, const struct instance *instance,
                                  const struct ast *type);
/* What samples are of: also wrap<u32>, c32. Its scalar is SCALAR_COUNT after an error. */
struct element_type elaborate_element_type(struct elaborator *el, const struct instance *instance,
                                           const struct ast *type);
/* The name of a type that the language has, but not this compiler. */
bool is_later_type(const char *name);
/* "y, x" */
const char *axes_text(struct elaborator *el, const struct symbol *const axis[], unsigned rank);
const char *stage_axes_text(struct elaborator *el, const struct stage *stage);

/* elaborate_generic.c: type variables. */
/* Whether a name may be one: T, T2. */
bool is_type_variable(const struct symbol *name);
/* What the variable stands for in the instance; its scalar is SCALAR_COUNT: nothing yet. */
struct element_type bound_type(const struct instance *instance, const struct symbol *name);
/* A type's name, or that of a variable that is bound; else of SCALAR_COUNT. */
struct element_type type_by_name(const struct instance *instance, const struct symbol *name);
/* T stands for the type from here on; reports a type that the bounds exclude. formal: an image of
 * it. */
bool bind_type(struct elaborator *el, struct instance *instance, const struct ast *formal,
               struct element_type type, struct span span);
/* The variables of the filter that is compiled: from the options. False after an error. */
bool bind_type_settings(struct elaborator *el, struct instance *instance);

/* elaborate_define.c: statements. */
void elaborate_body(struct elaborator *el, struct instance *instance);
/* The place of a result of that name in the signature, or -1. */
int find_result(const struct ast *filter, const struct symbol *name);

/* elaborate_levels.c: arrays of images. */
struct levels *new_levels(struct elaborator *el, const struct symbol *name, const char *called,
                          struct span span);
/* "g_0": the stage of a member. */
const struct symbol *member_name(struct elaborator *el, const struct symbol *array, int64_t index);
/* NULL: there is none. */
const struct level *find_level(const struct levels *levels, int64_t index);
/* first and extent of `each l in 0 ..< n` of a signature; false after an error. */
bool each_range(struct elaborator *el, struct instance *instance, const struct ast *formal,
                int64_t *first, int64_t *extent);
/* The array with each image replaced; `change` gives an image that is not valid after an error. */
struct entity change_levels(struct elaborator *el, const struct levels *levels,
                            struct image_view (*change)(struct image_view image,
                                                        const struct symbol *name, void *context),
                            void *context);
/* Whether the array has all members of the range and no others, else reports it. */
bool check_members(struct elaborator *el, const struct levels *levels, int64_t first,
                   int64_t extent, const char *what, struct span span, struct span declared);
/* name[places]…[axes] = value; */
bool defines_array(struct elaborator *el, const struct instance *instance,
                   const struct scope *scope, const struct ast *define);
void define_array(struct elaborator *el, struct instance *instance, struct scope *scope,
                  const struct ast *define);
/* What one name or member is defined as, in elaborate_define.c. axes: in brackets, or NULL. */
struct entity define_value(struct elaborator *el, struct instance *instance, struct scope *scope,
                           const struct ast *define, const struct ast_list *axes,
                           const struct symbol *name);
/* The name with the value of a range. */
struct scope *bind_constant(struct elaborator *el, struct scope *outer, const struct ast *binding,
                            int64_t value);
void elaborate_statements(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast_list *body);
/* first and extent of a range that must be known now; false after an error. */
bool constant_range(struct elaborator *el, struct instance *instance, struct scope *scope,
                    const struct ast *binding, int64_t *first, int64_t *extent);

/* elaborate_constant.c */
/* An array of constants without a declared type, in the one where it is given. */
struct image_view constant_under_type(struct elaborator *el, const struct instance *instance,
                                      struct image_view image, struct element_type type,
                                      struct span span);
void define_constant(struct elaborator *el, struct instance *instance, struct scope *scope,
                     const struct ast *node);

/* elaborate_signature.c: type, default and range of a parameter or constant; false after an
 * error. */
bool elaborate_formal(struct elaborator *el, struct instance *instance, const struct ast *formal,
                      struct parameter *out, struct element_type *type);
struct interval parameter_interval(const struct parameter *parameter);
/* Whether a constant is outside a range, either end of which may be NULL. */
bool is_outside(const struct expr *value, const struct expr *least, const struct expr *greatest);
const char *number_text(struct elaborator *el, const struct expr *e, struct fixed_point fixed);
/* The name of the formal stands for the value from here on. */
void declare_value(struct elaborator *el, struct instance *instance, const struct ast *formal,
                   const struct expr *value, struct fixed_point fixed);

/* elaborate_call.c */
/* Before and after the elaboration of the body that is called. False after a message: calls, or
 * what stands around them in the source, are nested too deep for stages that walk them by
 * recursion. */
bool enter_call(struct elaborator *el, const struct ast *called, struct span span);
void leave_call(struct elaborator *el, const struct ast *called);
/* What the call stands for: an image, an array, several results; ERROR after an error. */
struct entity elaborate_call(struct elaborator *el, struct stage_context *context,
                             const struct ast *call, const struct ast *rule,
                             const struct symbol *result_name);

/* elaborate_schedule.c: attaches the schedules for the target to the graph's stages. */
void elaborate_schedules(struct elaborator *el, struct instance *instance);

/* elaborate_image.c */
/* What a name, a member of an array, a result or a call stands for; VALUE: none of those. */
struct entity elaborate_entity(struct elaborator *el, struct instance *instance,
                               struct scope *scope, const struct ast *node,
                               const struct symbol *name);
/* The same without making any stage: its kind alone. */
enum entity_kind entity_kind_of(const struct elaborator *el, const struct instance *instance,
                                const struct scope *scope, const struct ast *node);
/* "an image", for messages. */
const char *entity_text(enum entity_kind kind);
/* An image-valued expression: a name, a level, a call, or arithmetic on such (a new stage). */
struct image_view elaborate_image(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct ast *value,
                                  const struct symbol *name);
/* The same inside a stage's expression; each node of the tree makes its stages once. */
struct image_view context_image(struct elaborator *el, struct stage_context *context,
                                const struct ast *node);
bool is_image_valued(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *value);
/* A name, a member of an array, or a call: not arithmetic. */
bool is_direct_image(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *node);

/* Functions of images that make images, and their calls: those of the next two files. */
bool is_image_function(const char *name);
bool is_image_call(const struct elaborator *el, const struct instance *instance,
                   const struct ast *node);

/* elaborate_axes.c: transpose, rename, flip, stack. */
bool is_axes_function(const char *name);
struct image_view elaborate_axes_call(struct elaborator *el, struct instance *instance,
                                      struct scope *scope, const struct ast *call,
                                      const struct symbol *name);

/* elaborate_transform.c: fft, dct and their like. */
bool is_transform_function(const char *name);
/* elaborate_convolve.c: convolve(in, k) border rule; rule may be NULL. */
bool is_convolve(const char *name);
struct image_view elaborate_convolve_call(struct elaborator *el, struct instance *instance,
                                          struct scope *scope, const struct ast *call,
                                          const struct ast *rule, const struct symbol *name);
struct image_view elaborate_transform_call(struct elaborator *el, struct instance *instance,
                                           struct scope *scope, const struct ast *call,
                                           const struct symbol *name);

/* elaborate_enumeration.c */
bool is_enumeration(const struct ast *type);
/* The names that a type lists: "ortho or none". */
const char *alternatives_text(struct elaborator *el, const struct ast *type);
/* Reports a name that is listed twice. */
bool check_enumeration(struct elaborator *el, const struct ast *type);
/* A name of the enumeration, or a value of the same type; reports anything else. */
struct operand enumeration_value(struct elaborator *el, struct stage_context *context,
                                 const struct ast *type, const struct ast *node);
/* norm == ortho; false: no side is of an enumeration. */
bool elaborate_name_comparison(struct elaborator *el, struct stage_context *context,
                               const struct ast *node, struct operand *result);

/* elaborate_choice.c: members of arrays by an index that is no constant. */
bool is_choice(const struct elaborator *el, const struct stage_context *context,
               const struct ast *node);
/* The read base[items], base being a choice; items NULL: its members are numbers. */
struct operand elaborate_choice(struct elaborator *el, struct stage_context *context,
                                const struct ast *base, const struct ast *node,
                                const struct ast_list *items, const struct ast *rule);

/* complex.c */
struct stage_axis complex_axis(struct elaborator *el);
/* The type of the parts of c32 and c64; SCALAR_COUNT of other names. */
enum scalar complex_part(const char *name);
const char *complex_text(enum scalar part);
struct operand complex_binary(struct elaborator *el, enum ast_operator o, struct operand a,
                              struct operand b, struct span span);
struct operand complex_unary(struct elaborator *el, enum ast_operator o, struct operand a,
                             struct span span);
struct operand complex_select(struct elaborator *el, struct operand condition, struct operand a,
                              struct operand b, struct span span);
/* As operand_store; a real number gets the imaginary part 0. */
struct operand complex_store(struct elaborator *el, enum scalar part, struct operand a,
                             struct span span);
/* c32 c64 re im conj arg, and abs. */
bool is_complex_function(const char *name);
struct operand complex_function(struct elaborator *el, const char *name, size_t count,
                                const struct operand v[], struct span span);

/* elaborate_fixed_type.c */
/* Whether the type of an image of the signature has the constant as its I or F. */
bool is_width_of_image(const struct ast *filter, const struct symbol *name);
/* It, or a type of SCALAR_COUNT after an error. */
struct element_type elaborate_fixed_type(struct elaborator *el, const struct instance *instance,
                                         const struct ast *type);
struct interval fixed_interval(struct fixed_type type);
struct element_type fixed_element(const struct elaborator *el, struct fixed_type type);
/* The smallest type that holds such integers. */
struct fixed_type fixed_holding(struct interval interval, int fraction);
/* The numbers that are stored: of a type of fixed point, or as they are. */
struct fixed_point fixed_stored(const struct elaborator *el, struct fixed_type type);
/* "fixed<8, 4, floor>"; other types: their own name. */
const char *element_type_text(struct elaborator *el, struct element_type type);
/* What the stage is declared to hold: by the view of it, or as it is stored. */
struct element_type stored_type(struct elaborator *el, const struct stage *stage,
                                const struct image_view *view);
/* Whether the stage's samples are stored as those of the type. */
bool is_stored_as(const struct elaborator *el, const struct stage *stage, struct element_type type);
/* "2^-4" */
const char *fixed_step_text(struct elaborator *el, int fraction);
/* The integers that a type of integers stores. */
struct interval element_interval(struct element_type type);

/* fixed.c: arithmetic of numbers of fixed point. Where one operand is a typed float, both are made
 * floats before. */
struct operand fixed_from(const struct expr *expr, int fraction);
/* An operation of their integers, or a complaint that it leaves 64 bits. */
struct operand fixed_operation(struct elaborator *el, enum expr_kind kind, unsigned count,
                               const struct expr *const operand[], int fraction, struct span span);
/* Integers, real constants and numbers of fixed point, of which one is: in one fraction. */
bool fixed_meet(struct elaborator *el, struct operand *a, struct operand *b, struct span span);
struct operand fixed_product(struct elaborator *el, struct operand a, struct operand b,
                             struct span span);
struct operand fixed_quotient(struct elaborator *el, enum expr_kind kind, struct operand a,
                              struct operand b, struct span span);
/* a << n, a >> n: exactly, n being a constant. */
struct operand fixed_shift(struct elaborator *el, enum expr_kind kind, struct operand a,
                           struct operand n, struct span span);
/* floor, ceil, round, trunc */
struct operand fixed_whole(struct elaborator *el, enum expr_kind kind, struct operand a,
                           struct span span);
/* Integer times 2^-fraction, rounded once. */
struct operand fixed_to_float(struct elaborator *el, enum scalar scalar, struct operand a);
/* To a type of integers, the mode being CONVERT_ROUND or CONVERT_TRUNCATE; saturates. */
struct operand fixed_to_integer(struct elaborator *el, enum conversion mode, enum scalar scalar,
                                struct operand a);

/* fixed_convert.c: anything under the modes of the type. */
struct operand fixed_convert(struct elaborator *el, struct fixed_type type, struct operand a,
                             struct span span);
/* The same where nothing is written: floats are refused. */
struct operand fixed_store(struct elaborator *el, struct fixed_type type, struct operand a,
                           struct span span);
/* A constant in steps of 2^-fraction, rounded as the type says, which has to lie inside the ends.
 * what: of the type, for the message. */
struct operand fixed_constant(struct elaborator *el, struct fixed_type type, struct interval ends,
                              struct operand a, struct span span);
/* Digits that go are rounded; no end is looked at. */
const struct expr *fixed_round(struct elaborator *el, enum fixed_rounding rounding,
                               const struct expr *integer, int digits);
/* Times 2^digits; what would not fit the ends, and 64 bits, is the nearest end. */
const struct expr *fixed_scale_up(struct elaborator *el, const struct expr *integer, int digits,
                                  struct interval ends);

/* fixed_weights.c: sums of which the terms have weights, sum[d](k[d] * term). */
struct
    weights { /* of the terms that there are: of those above 0, and of the magnitudes of others */
    double above, below;
    const struct expr *of; /* the other factor */
};
/* Whether the operands of a sum are an element of a constant array at each place of the ranges, and
 * another factor. */
bool fixed_weights_of(const struct elaborator *el, const struct expr_reduction *shape,
                      const struct expr *term, struct weights *weights);
/* What the sum can be; false: not known. */
bool fixed_weighted_interval(const struct weights *weights, struct interval *interval);

/* fixed_error.c: what rounding costs. */
/* A constant that errs by so many of its units; a quotient, which is rounded down. */
void fixed_note_constant(struct elaborator *el, const struct expr *made, double error);
void fixed_note_quotient(struct elaborator *el, const struct expr *made);
/* a as a whole number, which is taken of real numbers too. */
void fixed_note_whole(struct elaborator *el, const struct expr *made, struct operand a);
/* a as a float, where that is a constant. */
void fixed_note_float(struct elaborator *el, const struct expr *made, struct operand a);
/* What an operation is folded to, which does not show what it was made of. */
void fixed_note_folded(struct elaborator *el, const struct expr *made,
                       const struct expr *operation);
/* a, converted under the type. */
void fixed_note_rounding(struct elaborator *el, const struct expr *made, struct operand a,
                         struct fixed_type type, bool saturates);
/* Of a stage's value, whose reads are still as it was elaborated. recurs: the stage reads itself,
 * or samples of its own are changed again and again. */
struct quantisation fixed_quantisation(struct elaborator *el, const struct expr *value,
                                       struct fixed_point fixed, bool recurs);

/* elaborate_box.c */
/* A condition that is checked when the filter is called; each once. */
void add_entry_check(struct elaborator *el, const struct expr *condition, struct span span,
                     const char *text);
/* Whether two stages have one box along axis k of both: proved, refuted, or checked on entry. */
bool same_box(struct elaborator *el, const struct stage *a, const struct stage *b, unsigned k,
              struct span span);
/* first and extent of the axis, by what is written or by the reads; false after an error. */
bool settle_axis(struct elaborator *el, const struct stage_context *context,
                 struct stage_context_axis *axis);
/* An extent that may be 0 or less, or more than an axis has, is checked on entry. */
bool check_extent(struct elaborator *el, const struct stage_context *context,
                  const struct stage_context_axis *axis);
/* Whether an index is the coordinate plus what does not depend on other coordinates. */
bool implies_box(const struct stage_context *context, const struct scaled_index *index,
                 const struct expr *variable);
const struct expr *sum_normal(struct elaborator *el, const struct expr *a, const struct expr *b,
                              int64_t factor_of_b);

/* elaborate_stage.c */
struct stage_context stage_context_open(struct elaborator *el, struct instance *instance,
                                        struct scope *scope, const struct symbol *name,
                                        struct span span);
/* name[axes] = value: a new stage. */
struct image_view elaborate_stage(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct symbol *name, struct span span,
                                  const struct ast_list *axes, const struct ast *value,
                                  struct element_type declared);
/* name = arithmetic on whole images: a new stage over the union of their axes. */
struct image_view elaborate_lifted(struct elaborator *el, struct instance *instance,
                                   struct scope *scope, const struct symbol *name,
                                   const struct ast *value, struct element_type declared);
/* One axis on the left side or of `over`: a name, or a name with its range. */
bool declare_axis(struct elaborator *el, struct stage_context *context, const struct ast *item);
/* Whether a box starts below 0, which its coordinates were not taken to do. Then *again is the
 * context as it was at the start, with coordinates that do, in a scope of its own: all is
 * elaborated once more. */
bool starts_below_zero(struct elaborator *el, const struct stage_context *start,
                       struct stage_context *context, struct stage_context *again);
/* The boxes of all axes, from what is written or read. */
bool settle_boxes(struct elaborator *el, struct stage_context *context);
/* The coordinates of the context and the variables of counted ranges with their bounds; returns how
 * many. bound: MOST_CONTEXT_BOUNDS; what is beyond them is known by its interval alone. */
enum { MOST_CONTEXT_BOUNDS = 6 * GRAPH_MAX_RANK };
/* elaborate_inside.c: whether all reads that became the load stay inside the box along axis k, by
 * what is checked on entry and by the ranges of reductions that parameters bound; what a read gives
 * where no term is present, counts for nothing. */
bool read_stays_inside(struct elaborator *el, const struct stage_context *context,
                       const struct expr *load, unsigned k, const struct stage_axis *box,
                       unsigned count, const struct affine_bound bound[]);
/* Adds to the message which bound of the read could not be shown. */
void note_missing_bound(struct elaborator *el, struct diagnostic *d,
                        const struct pending_read *read, unsigned k, const struct stage_axis *box,
                        unsigned count, const struct affine_bound bound[]);
unsigned context_bounds(struct elaborator *el, const struct stage_context *context,
                        struct affine_bound bound[]);
/* The values with each read of the context under its rule, or proved to stay inside. */
bool settle_reads(struct elaborator *el, struct stage_context *context, size_t count,
                  const struct expr *value[]);
/* All axes of the stage: where the mapped ones stand among the named ones, as in the argument that
 * brought them. Returns how many. */
unsigned order_axes(const struct stage_context *context,
                    struct stage_context_axis ordered[2 * GRAPH_MAX_RANK]);
/* The stage of a context whose value is known: its box, the rules of its reads, its place in the
 * graph. */
struct image_view elaborate_finish(struct elaborator *el, struct stage_context *context,
                                   struct operand value, struct element_type declared,
                                   struct span value_span);
/* Gives it a name that no other stage has. */
stage_id elaborate_add_stage(struct elaborator *el, const struct instance *instance,
                             struct stage stage);
/* The same of one that makes pixels of an adaptive image. */
stage_id elaborate_add_pixels(struct elaborator *el, const struct instance *instance,
                              struct stage stage);
/* The same samples in a stage of their own with that element type. */
struct image_view elaborate_copy(struct elaborator *el, struct instance *instance,
                                 struct image_view image, const struct symbol *name,
                                 struct element_type element, struct span span);
/* A name for a stage that no other stage has. */
void take_stage_name(struct elaborator *el, const struct symbol *name);
/* "smooth.up", by the calls around. */
const struct symbol *full_stage_name(struct elaborator *el, const struct instance *instance,
                                     const struct symbol *name);
const struct symbol *unique_stage_name(struct elaborator *el, const struct instance *instance,
                                       const struct symbol *name);

/* float_uses.c */
/* Adds the expression to options.float_uses if its value is made of floats. */
void note_float_use(struct elaborator *el, const struct stage_context *context,
                    const struct ast *node, const struct expr *value);

/* elaborate_scatter.c */
/* hist[b in 0 .. 255] : u32;  the target of a scatter, with nothing in it yet. */
struct image_view elaborate_declaration(struct elaborator *el, struct instance *instance,
                                        struct scope *scope, const struct ast *define,
                                        struct element_type declared);
/* hist[in[y, x]] += 1 over y, x;  what the name stands for from here on. */
void elaborate_scatter(struct elaborator *el, struct instance *instance, struct scope *scope,
                       const struct ast *define);

/* elaborate_repeat.c */
void elaborate_repeat(struct elaborator *el, struct instance *instance, struct scope *scope,
                      const struct ast *node);

/* elaborate_recurrence.c */
/* name[y - 1, x] in the definition of name. */
struct operand elaborate_self_read(struct elaborator *el, struct stage_context *context,
                                   const struct ast *node, const struct ast *rule);
/* What a stage that reads itself stores of the value: it is converted at each step. */
struct operand recurrence_store(struct elaborator *el, struct element_type element,
                                struct operand value, struct span span);
/* Whether the value has floats in it apart from its own samples, whose type was a guess. */
bool recurrence_is_real(struct elaborator *el, const struct expr *value);
/* The stage, all but its kind known: its value still reads SELF_SOURCE. False after an error. */
bool elaborate_recurrence(struct elaborator *el, struct stage_context *context,
                          const struct stage *stage, stage_id *id);

/* elaborate_unbounded.c: a unbounded recurrence, along a named axis. Checks that it can be posed
 * so, that its poles are inside the unit circle, and makes what it reads part of the line. form:
 * NULL where it is not linear. False after an error. */
bool elaborate_unbounded(struct elaborator *el, struct stage_context *context, unsigned along,
                         struct linear_form *form);
/* The unbounded recurrence along the axis that the stage is, or rounds; NULL: it is none. */
const struct stage *unbounded_stage(const struct graph *graph, const struct stage *stage,
                                    const struct symbol *axis);

/* elaborate_expr.c */
/* A name that is taken by a function or a reduction. */
bool is_reserved_function(const char *name);
bool is_reserved_reduction(const char *name);
/* Work to be done: of an expression's node, of a statement, whose stage goes through all passes.
 * False where the filter is too large; the first time that is reported. */
enum { NODE_WORK = 1, STATEMENT_WORK = 100 };
bool elaborate_work(struct elaborator *el, struct span span, unsigned amount);
/* Of an array, or several results, where a number is needed. */
struct operand report_whole(struct elaborator *el, struct span span, const char *name,
                            const struct entity *entity);
/* Of a range without a member. */
struct diagnostic *report_empty_range(struct elaborator *el, struct span span);
struct operand elaborate_expr(struct elaborator *el, struct stage_context *context,
                              const struct ast *node);
/* The same where it may be complex. */
struct operand elaborate_number(struct elaborator *el, struct stage_context *context,
                                const struct ast *node);
/* The same where the value may also be a tuple, or of an enumeration. */
struct operand elaborate_loose(struct elaborator *el, struct stage_context *context,
                               const struct ast *node);
/* first and extent of a range of integers, both in normal form; false after an error. */
bool elaborate_range(struct elaborator *el, struct stage_context *context, const struct ast *range,
                     const struct expr **first, const struct expr **extent);
/* A constant integer; false after an error. */
bool elaborate_constant_integer(struct elaborator *el, struct stage_context *context,
                                const struct ast *node, int64_t *value);

/* elaborate_type.c: a type that is computed in. f16 is reported; where T stands for it, it is f32.
 * what: "a parameter". */
struct element_type elaborate_number_type(struct elaborator *el, const struct instance *instance,
                                          const struct ast *type, const char *what);

/* elaborate_external.c: functions from C. */
/* Compares the declarations of the module with their headers. */
void elaborate_externals(struct elaborator *el, size_t module);
/* owner: the module of the declaration. */
struct operand elaborate_external_call(struct elaborator *el, struct stage_context *context,
                                       const struct ast *node, const struct ast *declaration,
                                       size_t owner);

/* elaborate_reduction.c: sum[dy in -1 .. 1](term) and its like. node: the call. other: what stands
 * behind `else`, or NULL. */
struct operand elaborate_reduction(struct elaborator *el, struct stage_context *context,
                                   const struct ast *node, enum reduction operation,
                                   const struct ast *other);
/* A let may hold a reduction whose variable has the name of the one around it: the outer one gets
 * another name, so that no loop stands inside another over the same variable. */
void separate_names(struct elaborator *el, struct stage_context *context, unsigned rank,
                    struct expr_range range[], struct operand *term, const struct expr **condition);
/* False, and reported, where the range's variable is called as an axis of the stage. */
bool is_name_of_no_axis(struct elaborator *el, const struct stage_context *context,
                        const struct ast *item);
/* A name for the variable of a counted range that no other one of the stage has. */
const struct symbol *counted_variable(struct elaborator *el, const struct stage_context *context,
                                      const struct symbol *name);

/* elaborate_selection.c: argmin, argmax, median. */
struct selection {
    enum reduction operation;
    struct span span;
    const struct ast *other; /* behind `else`, or NULL */
    unsigned rank;
    struct expr_range *range;
    const struct expr *present; /* or NULL: all terms are there */
    const struct ast *call; /* of which it is made, or NULL */
};
bool is_selection(enum reduction operation);
struct operand elaborate_selection(struct elaborator *el, struct stage_context *context,
                                   struct selection *s, struct operand term, bool can_be_empty);
/* False, with an error, where there may be no term and no `else`. */
bool check_selection(struct elaborator *el, const struct selection *s, bool can_be_empty);
/* What terms are compared by: an integer. */
struct operand selection_key(struct elaborator *el, struct operand term, struct span span);
/* The coordinates of a term by its number: a number, or a tuple. */
struct operand selection_place(struct elaborator *el, unsigned rank,
                               const struct expr *const first[], const struct expr *const extent[],
                               const struct expr *number);
/* The value, or what `else` tells where `any` does not hold. */
struct operand selection_or(struct elaborator *el, struct stage_context *context,
                            const struct selection *s, struct operand value,
                            const struct expr *any);

/* elaborate_function.c: a call of `called`, a function of the module `owner`. */
struct operand elaborate_own_function(struct elaborator *el, struct stage_context *context,
                                      const struct ast *node, const struct ast *called,
                                      size_t owner);

/* elaborate_counted.c: a reduction whose ranges depend on extents. */
struct operand elaborate_counted(struct elaborator *el, struct stage_context *context,
                                 const struct ast *node, enum reduction operation,
                                 const struct ast *other);
/* A range, or the call of a reduction, of more terms than there may be. If the range depends on a
 * parameter without a range, the message points there. */
void report_long_range(struct elaborator *el, const struct instance *instance,
                       const struct ast *item, int64_t terms, int most);
/* Whether a range of the reduction depends on an extent. */
bool has_counted_ranges(struct elaborator *el, struct stage_context *context,
                        const struct ast_list *items);

/* elaborate_read.c */
/* The coordinate of an axis of the context's stage, or of one that the filter is mapped over, which
 * the stage gets with its first read. NULL: reported. */
const struct expr *mapped_variable(struct elaborator *el, struct stage_context *context,
                                   const struct stage_axis *axis);
struct operand elaborate_read(struct elaborator *el, struct stage_context *context,
                              const struct image_view *image, const struct symbol *name,
                              const struct ast *node, const struct ast_list *items,
                              const struct ast *rule);
/* A read of an image without indices, at the stage's own axes. */
struct operand elaborate_lifted_read(struct elaborator *el, struct stage_context *context,
                                     const struct image_view *image, const struct ast *node);
/* A read without a rule at the given coordinates, by position of the image's axes. */
struct operand elaborate_read_at(struct elaborator *el, struct stage_context *context,
                                 const struct image_view *image, const struct expr *const index[],
                                 struct span span);
/* The same at the axes of the stage that have the names of the image's. */
struct operand elaborate_read_by_name(struct elaborator *el, struct stage_context *context,
                                      const struct image_view *image, struct span span);
/* One index of a read of the image, along the axis; false after an error. name: as the program
 * calls it. */
bool elaborate_index(struct elaborator *el, struct stage_context *context,
                     const struct image_view *image, const struct symbol *name,
                     const struct symbol *axis, const struct ast *item, struct span read_span,
                     const struct expr **index);
/* The nearest rule for reads of the image: the read's, the image's, the filter's, the call's,
 * the caller's. taken: where it stands, unless it is the read's. */
const struct ast *nearest_rule(struct instance *instance, const struct ast *own,
                               const struct symbol *image, const struct symbol *axis,
                               struct border_default **taken);
/* False after an error. rule: RULE with a name. */
/* The rule of that name, as LANGUAGE.md calls it first; NULL: the name is none. */
const char *border_named(const char *name);
bool elaborate_border(struct elaborator *el, struct stage_context *context, const struct ast *rule,
                      const struct stage *source, struct border *border);

/* Whether what is elaborated from now on is `fast`; returns what held before. */
bool elaborate_fast(struct elaborator *el, bool fast);
/* integer_warnings.c: of an integer that becomes a float by itself: it may be too large for the
 * float (W0301), or is a quotient that was rounded down (W0305). span: where the operand has
 * none. */
void warn_of_integer(struct elaborator *el, struct operand a, enum scalar scalar, struct span span);
/* operand.c: typing and contraction. */
struct operand operand_from(const struct expr *expr);
struct operand operand_error(void);
/* A sample, in the type that is computed in: an f16 becomes an f32. */
struct operand operand_sample(struct elaborator *el, const struct expr *sample);
/* The same, or another value of the stage's type, as a number of fixed point where it is one. */
struct operand operand_of_stage(struct elaborator *el, const struct stage *stage,
                                const struct expr *sample);
/* An integer as such, not a number of fixed point. */
bool operand_is_integer(struct operand a);
/* An operation of integers, or a complaint that it leaves 64 bits. */
struct operand operand_integers(struct elaborator *el, enum expr_kind kind, unsigned count,
                                const struct expr *const operand[], struct span span);
struct operand operand_binary(struct elaborator *el, enum ast_operator operator_, struct operand a,
                              struct operand b, struct span span);
struct operand operand_unary(struct elaborator *el, enum ast_operator operator_, struct operand a,
                             struct span span);
/* noise(seed, place …): integers make an f32. */
struct operand operand_noise(struct elaborator *el, unsigned count, const struct operand operand[],
                             struct span span);
/* An operation on numbers of one type, after promotion: min, max, floor … */
struct operand operand_function(struct elaborator *el, enum expr_kind kind, unsigned count,
                                struct operand *operand, struct span span);
/* u8(e), trunc<u8>(e), wrap<u8>(e) */
struct operand operand_convert(struct elaborator *el, enum conversion mode, enum scalar scalar,
                               struct operand a, struct span span);
/* The value stored where the type is declared: integers must fit, integers and untyped reals become
 * floats. */
struct operand operand_store(struct elaborator *el, enum scalar scalar, struct operand a,
                             struct span span);
/* The same where the type may be of fixed point, which converts under its modes. */
struct operand operand_store_as(struct elaborator *el, struct element_type type, struct operand a,
                                struct span span);
/* Of a constant, which has to fit a type of fixed point whatever its modes. */
struct operand operand_constant_as(struct elaborator *el, struct element_type type,
                                   struct operand a, struct span span);
/* Gives both the type they meet in; false after an error. */
bool operand_promote(struct elaborator *el, struct operand *a, struct operand *b, struct span span);
const char *operand_type_text(struct elaborator *el, struct operand a);
struct operand operand_select(struct elaborator *el, struct operand condition, struct operand a,
                              struct operand b, struct span span);
struct operand operand_reduce(struct elaborator *el, enum reduction operation, unsigned rank,
                              const struct expr_range *range, struct operand term,
                              const struct expr *condition, bool can_be_empty, struct span span);
/* The same over counted ranges; counts: one a range. */
struct operand operand_reduce_counted(struct elaborator *el, const struct expr_reduction *shape,
                                      const struct expr *const counts[], struct operand term,
                                      const struct expr *condition, bool can_be_empty,
                                      struct span span);

#endif
