/* What the files that draw programs of streams share: a model of the program that is being written,
 * with the extents of the size that it is run at, and intervals that are no narrower than the
 * compiler's. */
#ifndef FLTC_FUZZ_DRAWING_H
#define FLTC_FUZZ_DRAWING_H

#include "program/random.h"
#include "stream/draw.h"
#include "support/text.h"
#include "support/vector.h"

#include <stdlib.h>

enum along { ALONG_Y, ALONG_X, ALONGS };
static const char *const along_name[ALONGS] = {"y", "x"};

struct drawn { /* an integer expression, in parentheses where it needs any */
    const char *text;
    int64_t least, greatest;
};

struct image {
    const char *name;  /* of an array: "a1[%s]" */
    bool has[ALONGS];  /* axes */
    int first[ALONGS]; /* its box, at the size at hand */
    int count[ALONGS];
    const char *extent[ALONGS]; /* count, as the program says it */
    unsigned lanes;             /* samples along c, or members of an array; 0: neither */
    bool is_array, lanes_first; /* a[k][y, x]; [c, y, x] */
    bool is_truth;
    int64_t least, greatest;
    bool is_read;
};

struct table { /* t[v in 0 .. last] */
    const char *name;
    int last;
    int64_t least, greatest;
};

enum rule { RULE_ZERO, RULE_CONSTANT, RULE_CLAMP, RULE_REFLECT, RULE_REFLECT101, RULE_WRAP, RULES };

struct drawer {
    struct arena *arena;
    uint64_t random;
    struct text body; /* statements */
    VECTOR(struct image) images;
    VECTOR(struct table) tables;
    VECTOR(struct drawn) parameters;
    VECTOR(const char *) truths; /* parameters */
    bool is_line;                /* no axis y */
    bool recurs;                 /* it is little else than recurrences */
    bool has_default;            /* a rule for all reads of the filter */
    enum rule rule;
    int64_t outside; /* of constant */
    unsigned names;
    unsigned imports; /* bit set */
    unsigned awkward; /* bit set: names that were given out */
};

/* How a stage reads an image along an axis. */
enum step { STEP_SAME, STEP_DOWN, STEP_UP };
struct source {
    size_t image;
    enum step step[ALONGS];
    int stride[ALONGS]; /* of STEP_DOWN */
};

enum { MOST_SOURCES = 4, MOST_LOCALS = 3 };
struct scope {
    struct drawer *d;
    bool has[ALONGS];
    int first[ALONGS], count[ALONGS];
    const char *extent[ALONGS];
    unsigned lanes;
    struct source source[MOST_SOURCES];
    unsigned sources;
    int reach;                /* most offset of a read */
    const char *over[ALONGS]; /* a variable of a reduction, or NULL */
    int over_least[ALONGS], over_greatest[ALONGS];
    struct drawn local[MOST_LOCALS];
    unsigned locals;
};

#define FORMAT(d, ...) arena_format((d)->arena, __VA_ARGS__)
static inline bool draw_chance(struct drawer *d, unsigned percent)
{
    return chance(&d->random, percent);
}
static inline unsigned draw_below(struct drawer *d, unsigned count)
{
    return below(&d->random, count);
}
static inline int draw_between(struct drawer *d, int least, int greatest)
{
    return (int)between(&d->random, least, greatest);
}

/* draw_values.c */
struct drawn draw_value(struct scope *s, int depth);
const char *draw_truth(struct scope *s, int depth);
/* A read of the source that stands at this place. */
struct drawn draw_read(struct scope *s, unsigned source);
/* Brought into an interval that streams well. */
struct drawn draw_narrowed(struct drawer *d, struct drawn value);
/* Converted to u8, i8, u16 or i16, *type. */
struct drawn draw_converted(struct drawer *d, struct drawn value, const char **type);
struct drawn draw_number(struct drawer *d, int64_t least, int64_t greatest);

/* draw_reads.c */
const char *draw_rule(struct drawer *d, enum rule rule, int64_t outside);
enum rule draw_any_rule(struct drawer *d);
/* Of constant(v), of a type that any image has. */
int64_t draw_outside(struct drawer *d);

/* draw_stages.c */
const char *fresh_stage(struct drawer *d, const char *stem);
/* An image to read, the last ones and such as nothing reads first. */
size_t choose_image(struct drawer *d);
/* A stage's scope, whose first source is the image, at its own places; others join where they can.
 */
struct scope scope_like(struct drawer *d, size_t image);
/* The image that the scope's stage is, without name and values. */
struct image scope_image(const struct scope *s, bool lanes_first);
/* "[y in 0 ..< in.y, x]": ranges of the box, written where they have to be. */
const char *scope_brackets(struct scope *s, const struct image *image);
/* An expression that reads the first source. */
struct drawn draw_stage_value(struct scope *s, int depth);
void draw_stage(struct drawer *d);
void draw_array(struct drawer *d);
/* Whether the stage has lanes, and where their axis stands. */
void choose_lanes(struct scope *s, bool *lanes_first);
/* What was drawn may be read from here on. */
void remember_image(struct drawer *d, struct image image);
void draw_table(struct drawer *d);
/* Of a filter's results, one: its type in the signature. */
const char *draw_result(struct drawer *d, const char *name);

/* draw_recurrences.c: one or two stages that read themselves. */
void draw_recurrence(struct drawer *d);

/* draw_calls.c; false: nothing was added. */
bool draw_call(struct drawer *d);
/* The imports that the calls need. */
void print_imports(const struct drawer *d, struct text *out);

#endif
