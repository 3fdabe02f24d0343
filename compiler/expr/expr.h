/* Scalar expressions, shared by graph and loop IR. Immutable and hash-consed: equal expressions are
 * the same pointer, so they carry no place in the source. Each integer expression carries the
 * interval of its values; its scalar is the width it is computed in (i32 or i64), except that
 * loads, variables, conversions and calls of C functions have the type of what they read or
 * make. */
#ifndef FLTC_EXPR_EXPR_H
#define FLTC_EXPR_EXPR_H

#include "expr/scalar.h"
#include "support/arena.h"
#include "support/symbol.h"
#include "support/vector.h"

enum expr_kind {
#define EXPR(kind, text, operands, shape) EXPR_##kind,
#include "expr/expr.def"
#undef EXPR
    EXPR_KIND_COUNT
};
/* Operands of a node of shape FUNCTION, at most: those of a noise. */
enum { EXPR_MOST_OPERANDS = 9 };
/* A label of all that elementary.def lists. */
#define EXPR_ANY_ELEMENTARY EXPR_EXP... EXPR_HYPERBOLIC_TANGENT
static inline bool expr_is_elementary(enum expr_kind kind)
{
    return kind >= EXPR_EXP && kind <= EXPR_HYPERBOLIC_TANGENT;
}
enum expr_shape { SHAPE_LEAF, SHAPE_FUNCTION, SHAPE_SPECIAL };
struct expr_info {
    const char *text;
    int operands; /* -1: any number */
    enum expr_shape shape;
};
extern const struct expr_info expr_info[EXPR_KIND_COUNT];

enum variable_kind {
    VARIABLE_INDEX,     /* coordinate of an axis, or of a reduction */
    VARIABLE_EXTENT,    /* "in.y": samples of an image along an axis */
    VARIABLE_PARAMETER, /* of the filter */
    VARIABLE_LOCAL,     /* defined by a let of the loop IR */
    VARIABLE_KIND_COUNT
};
extern const char *const variable_kind_text[VARIABLE_KIND_COUNT];

enum conversion {
    /* the value is known to fit; an integer meeting a float rounds to nearest even */
    CONVERT_EXACT,
    CONVERT_ROUND,    /* to nearest even, saturating, NaN gives 0 */
    CONVERT_TRUNCATE, /* toward zero, saturating, NaN gives 0 */
    CONVERT_WRAP,     /* modulo 2^bits */
    CONVERSION_COUNT
};
extern const char *const conversion_text[CONVERSION_COUNT];

enum border_rule {
#define BORDER(name, text) BORDER_##name,
#include "expr/borders.def"
#undef BORDER
    BORDER_COUNT
};
extern const char *const border_text[BORDER_COUNT];

enum reduction {
#define REDUCTION(name, text) REDUCTION_##name,
#include "expr/reductions.def"
#undef REDUCTION
    REDUCTION_COUNT
};
extern const char *const reduction_text[REDUCTION_COUNT];

/* The rule of one read along one axis. The rule sees the box first … first + extent - 1. */
struct border {
    enum border_rule rule;
    const struct expr *value; /* of CONSTANT, in the element type of what is read; may read */
    const struct expr *first, *extent; /* NULL where the rule is NONE */
};

struct expr_range { /* of a reduction variable: least … least + extent - 1, extent ≥ 0 */
    const struct symbol *variable;
    int64_t first, extent;
};

/* In which order the terms are combined; LANGUAGE.md tells them. */
enum reduction_order {
#define REDUCTION_ORDER(name, text) ORDER_##name,
#include "expr/reduction_orders.def"
#undef REDUCTION_ORDER
    ORDER_COUNT
};
extern const char *const reduction_order_text[ORDER_COUNT];
/* Of ORDER_RUN and ORDER_TREE: terms of a run, and accumulators that its terms go to in turn. */
enum { REDUCTION_RUN = 4096, REDUCTION_LANES = 16 };
/* Terms of counted ranges: a call with more is refused on entry. */
#define MOST_COUNTED_TERMS ((int64_t)1 << 40)
enum { REDUCTION_MOST_OPERANDS = 12 };

/* Operands, in this order: the term (or its first factor, where fused: terms are products); the
 * second factor, if fused; the condition that excludes terms, if has_condition; the number of
 * values of each range, if counted, which is at most the range's extent; the number of the run, if
 * order is RUN. */
struct expr_reduction {
    enum reduction operation;
    enum reduction_order order;
    bool fused, has_condition, counted;
    unsigned rank;
    const struct expr_range *range; /* slowest first */
};

/* extern fn gain(f32, i32) -> f32 from "gain.h": a pure function of C. */
struct external {
    const struct symbol *name, *header;
    enum scalar result;
    unsigned count; /* of parameters: 1 … EXPR_MOST_OPERANDS */
    enum scalar parameter[EXPR_MOST_OPERANDS];
};

/* What stands in an expression. Of a load's indices reductions alone count, of border values
 * nothing. */
enum {
    HOLDS_LOAD = 1,
    HOLDS_REDUCE = 2,
    HOLDS_CALL = 4, /* of an elementary function or one of C */
    HOLDS_INDEX = 8,
    HOLDS_EXTENT = 16,
    HOLDS_PARAMETER = 32,
    HOLDS_LOCAL = 64,
    HOLDS_EXTERNAL = 128 /* a call of a function of C; HOLDS_CALL as well */
};

struct expr {
    enum expr_kind kind;
    enum scalar scalar;
    struct interval interval; /* of integers; 0 .. 1 of bool; unused of floats */
    uint32_t id;              /* order of creation: operands have smaller ones */
    uint32_t newest;          /* 1 + the id of the last made variable in it; 0: there is none */
    uint32_t depth;           /* 1 + that of the deepest operand */
    uint32_t size;            /* nodes, each as often as it is used: of the text; saturates */
    unsigned holds;           /* HOLDS_… */
    bool fast;                /* see expr_may_be_fast */
    unsigned count;           /* operands */
    const struct expr *const *operand;
    union {
        int64_t integer; /* and bool: 0 or 1 */
        double real;     /* exactly representable in the scalar */
        struct {
            enum variable_kind kind;
            const struct symbol *name;
        } variable;
        struct {             /* operands are the indices, one an axis, absolute coordinates */
            uint32_t source; /* stage or buffer */
            const struct border *border; /* one an axis; NULL: all NONE */
        } load;
        enum conversion convert;
        const struct external *external; /* operands are its arguments, of the parameters' types */
        struct expr_reduction reduce;
    } as;
};

struct expr_pool {
    struct arena *arena;
    bool fast; /* operations made now are so, where they may be; set and reset by who makes them */
    /* Counts operations made of coordinates that other intervals of these might have made
     * otherwise: folds, conversions, all but sums and multiples. Where it stays the same, the
     * intervals were of no account. */
    uint64_t uses_of_intervals;
    const struct expr **slot; /* open addressing */
    size_t count, capacity;
};

/* Leaves. Integers of interval {v, v}. A real is rounded to its scalar. */
const struct expr *expr_integer(struct expr_pool *pool, int64_t value);
const struct expr *expr_boolean(struct expr_pool *pool, bool value);
const struct expr *expr_real(struct expr_pool *pool, enum scalar scalar, double value);
const struct expr *expr_variable(struct expr_pool *pool, enum variable_kind kind,
                                 const struct symbol *name, enum scalar scalar,
                                 struct interval interval);
/* border: rank entries or NULL; copied. interval: of the source's elements. */
const struct expr *expr_load(struct expr_pool *pool, uint32_t source, enum scalar scalar,
                             struct interval interval, unsigned rank,
                             const struct expr *const index[], const struct border border[]);
const struct expr *expr_convert(struct expr_pool *pool, enum conversion mode, enum scalar scalar,
                                const struct expr *operand);
/* Any kind of shape FUNCTION. Operands of one class; floats of one type. The result's interval and
 * width are derived; constants are folded and identities that keep every bit are applied. */
const struct expr *expr_operation(struct expr_pool *pool, enum expr_kind kind, unsigned count,
                                  const struct expr *const operand[]);
const struct expr *expr_reduce(struct expr_pool *pool, enum reduction operation, bool fused,
                               bool has_condition, unsigned rank, const struct expr_range range[],
                               const struct expr *const operand[]);
/* The same of any shape. */
const struct expr *expr_reduce_as(struct expr_pool *pool, const struct expr_reduction *shape,
                                  const struct expr *const operand[]);
/* What joins two partial results: add, multiply, ... Of argmin, argmax and median: nothing does. */
enum expr_kind expr_reduction_join(enum reduction operation);
/* Whether the result depends on the order of its terms: sums and products of floats round. */
bool expr_reduction_is_ordered(enum reduction operation, enum scalar term);
/* The operands by what they are. The condition: NULL where there is none. The count of a range's
 * values: an integer where it is not counted. */
const struct expr *expr_reduce_condition(const struct expr *reduce);
const struct expr *expr_reduce_count(struct expr_pool *pool, const struct expr *reduce, unsigned k);
unsigned expr_reduction_operands(const struct expr_reduction *shape);
/* Whether a node of that kind and type can be `fast`: arithmetic of floats that may be contracted,
 * and taken in another order, with its neighbours that are fast too. */
bool expr_may_be_fast(enum expr_kind kind, enum scalar scalar);
/* A call of a C function: never folded, its value any of the result's type. The function is
 * copied. */
const struct expr *expr_external(struct expr_pool *pool, const struct external *function,
                                 const struct expr *const operand[]);
bool external_equal(const struct external *a, const struct external *b);
/* The C functions that any expression of the pool calls, in the order of their names; each once. */
struct external_list {
    const struct external **item;
    size_t count, capacity;
};
struct external_list expr_externals(const struct expr_pool *pool, struct arena *arena);
/* Where operand i of such an operation of integers must lie. */
struct interval expr_domain(enum expr_kind kind, unsigned i);
/* The same node over other operands (and, for loads, another source and border). */
const struct expr *expr_with_operands(struct expr_pool *pool, const struct expr *node,
                                      const struct expr *const operand[]);

/* Shorthands. */
const struct expr *expr_unary(struct expr_pool *pool, enum expr_kind kind, const struct expr *a);
const struct expr *expr_binary(struct expr_pool *pool, enum expr_kind kind, const struct expr *a,
                               const struct expr *b);
const struct expr *expr_select(struct expr_pool *pool, const struct expr *condition,
                               const struct expr *a, const struct expr *b);

/* The interval an operation has over operands of given intervals; false where it leaves 64 bits, to
 * which the interval is then cut. */
bool expr_interval(enum expr_kind kind, unsigned count, const struct interval operand[],
                   struct interval *result);
/* The same of a reduction over so many terms of an interval. A product, and a sum over counted
 * ranges, takes 1 to `terms` of them. */
bool expr_reduction_interval(const struct expr_reduction *shape, int64_t terms,
                             struct interval term, struct interval *result);
/* Terms of a reduction; saturates at 2^62. */
int64_t expr_range_terms(unsigned rank, const struct expr_range range[]);
/* How many terms it has at most, and usually: of counted ranges that is a guess. */
int64_t expr_reduction_terms(const struct expr_reduction *shape);
int64_t expr_reduction_usual_terms(const struct expr_reduction *shape);
/* The value a REDUCE node starts from: what language.md gives for no terms at all (floats: sums
 * start at -0, min at NaN, which is the greatest). Integer min and max that always have a term
 * start from the end of the term's own interval. */
const struct expr *expr_reduction_start(struct expr_pool *pool, const struct expr *reduce);

bool expr_is_constant(const struct expr *node);
/* Of parameters and constants: the same number throughout a call. */
bool expr_is_of_parameters(const struct expr *node);

/* A rewriting of expressions: rule returns the replacement of a node whose operands are rewritten
 * already (or the node). Each distinct node is visited once, so sharing costs nothing. */
struct expr_rewriter {
    struct expr_pool *pool;
    /* May be NULL: what is `done` before is replaced alone. */
    const struct expr *(*rule)(const struct expr *node, void *context);
    /* May be NULL; a node for which it is false is left as it is, operands too. */
    bool (*enters)(const struct expr *node, void *context);
    void *context;
    struct arena *scratch;
    struct hash_map done;
    const struct expr *original; /* for the rule: the node before its operands were rewritten */
};
const struct expr *expr_rewrite(struct expr_rewriter *rewriter, const struct expr *node);

/* A rule: one node becomes another one. */
struct expr_substitution {
    const struct expr *node, *by;
};
const struct expr *expr_substituted(const struct expr *node, void *substitution);
/* The root with the node replaced. */
const struct expr *expr_substitute(struct expr_pool *pool, struct arena *scratch,
                                   const struct expr *root, const struct expr *node,
                                   const struct expr *by);

/* The root with each node that the map has replaced by what it has for it. */
const struct expr *expr_replace(struct expr_pool *pool, struct arena *scratch,
                                const struct expr *root, const struct hash_map *by);

/* Calls visit, if it is not NULL, once for each distinct node below and at the roots, operands
 * first. */
struct expr_walk {
    struct arena *scratch;
    struct hash_map seen;
};
void expr_visit(struct expr_walk *walk, const struct expr *root,
                void (*visit)(const struct expr *node, void *context), void *context);
/* The same of one root. Takes no more of scratch than visit does. */
void expr_nodes(struct arena *scratch, const struct expr *root,
                void (*visit)(const struct expr *node, void *context), void *context);
/* How often nodes are used: by how many distinct nodes below the roots that were counted. */
struct expr_uses {
    struct expr_walk walk;
    struct hash_map count;
};
void expr_uses_count(struct expr_uses *uses, const struct expr *root);
void expr_uses_add(struct expr_uses *uses, const struct expr *node, unsigned more);
unsigned expr_uses_of(const struct expr_uses *uses, const struct expr *node);
/* Whether the node is the root or stands below it, in indices too. */
bool expr_contains(struct arena *scratch, const struct expr *root, const struct expr *node);

#endif
