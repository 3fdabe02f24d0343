/* Element types, and the intervals of integers. */
#ifndef FLTC_EXPR_SCALAR_H
#define FLTC_EXPR_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scalar {
#define SCALAR(name, text, c, bytes, class, least, greatest) SCALAR_##name,
#include "expr/scalar.def"
#undef SCALAR
    SCALAR_COUNT,
    SCALAR_OF_PROGRAMS = SCALAR_EXTENDED /* types that programs have are before it */
};
enum scalar_class { CLASS_BOOL, CLASS_INTEGER, CLASS_FLOAT };

/* The values an integer expression can take, both ends included. */
struct interval {
    int64_t least, greatest;
};

/* How integers stand for numbers of fixed point: a number is its integer times 2^-fraction. */
struct fixed_point {
    bool is; /* false: they stand for themselves */
    int fraction;
};

struct scalar_info {
    const char *text;   /* in programs: "u8" */
    const char *c_type; /* "uint8_t" */
    unsigned bytes;
    enum scalar_class class;
    struct interval interval; /* of integers and bool */
};
extern const struct scalar_info scalar_info[SCALAR_COUNT];

static inline bool scalar_is_float(enum scalar scalar)
{
    return scalar_info[scalar].class == CLASS_FLOAT;
}
static inline bool scalar_is_integer(enum scalar scalar)
{
    return scalar_info[scalar].class == CLASS_INTEGER;
}
static inline struct interval interval_hull(struct interval a, struct interval b)
{
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.greatest > b.greatest ? a.greatest : b.greatest};
}
static inline bool interval_inside(struct interval inner, struct interval outer)
{
    return outer.least <= inner.least && inner.greatest <= outer.greatest;
}

/* SCALAR_COUNT where no type has the name. */
enum scalar scalar_from_text(const char *text);
/* The smallest of u8 i8 u16 i16 u32 i32 i64 that holds the interval. */
enum scalar scalar_holding(struct interval interval);
/* The type integers of the interval are computed in: i32 or i64. */
enum scalar scalar_width(struct interval interval);

#endif
