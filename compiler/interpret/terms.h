/* Terms: what the interpreters compute beside numbers where they are asked to. A term is an
 * expression over the samples of the inputs and the parameters, so two programs whose samples have
 * equal terms give the same bits for all values of these, not for those tried alone. Indices,
 * extents and bounds of loops stay numbers. INTERPRET.md. */
#ifndef FLTC_INTERPRET_TERMS_H
#define FLTC_INTERPRET_TERMS_H

#include "expr/evaluate.h"
#include "support/text.h"

/* Why equal terms say nothing, or not all, about values that were not tried. */
enum uncovered {
    COVERED,
#define UNCOVERED(name, text) UNCOVERED_##name,
#include "interpret/uncovered.def"
#undef UNCOVERED
    UNCOVERED_COUNT
};
extern const char *const uncovered_text[UNCOVERED_COUNT];

struct terms;

/* Terms of one program on images of some extents; in the arena, along with all that they hold: some
 * 300 bytes each. Where there are more than `most`, numbers go on alone. */
enum { USUAL_TERMS = 600000 };
struct terms *terms_create(struct arena *arena, size_t most);
/* One of the same family, to be destroyed by who asks for it. */
struct arena *terms_scratch(const struct terms *terms);
/* A parameter: any number of the type, but integers and truths that depend on parameters alone are
 * those of the number. */
struct value terms_parameter(struct terms *terms, const char *name, enum scalar scalar,
                             struct value number);
/* Its number, by its leaf; NULL: the leaf is a sample. */
const struct value *terms_given(const struct terms *terms, const struct expr *leaf);
/* The sample of an image at a place: any number of the type. */
struct value terms_leaf(struct terms *terms, const char *name, enum scalar scalar, unsigned rank,
                        const int64_t place[], struct value number);
/* Memory of that name that nothing was written to: equal to no other term. */
const struct expr *terms_unwritten(struct terms *terms, const char *name, enum scalar scalar);

/* A read outside of memory, for values of samples that are not those at hand: equal to no other
 * term, and to no other such read. */
const struct expr *terms_unneeded(struct terms *terms, enum scalar scalar);

/* Each takes the number of the result and gives it back with its term. A result of known numbers
 * has none. node: an operation, a conversion or a call; operand: in the order of its own. */
struct value terms_operation(struct terms *terms, const struct expr *node,
                             const struct value operand[], struct value number);
struct value terms_convert(struct terms *terms, enum conversion mode, enum scalar from,
                           enum scalar to, struct value operand, struct value number);
struct value terms_binary(struct terms *terms, enum expr_kind kind, enum scalar scalar,
                          struct value a, struct value b, struct value number);
struct value terms_not(struct terms *terms, struct value truth, struct value number);
struct value terms_fused(struct terms *terms, enum scalar scalar, struct value a, struct value b,
                         struct value c, struct value number);
struct value terms_select(struct terms *terms, enum scalar scalar, struct value condition,
                          struct value a, struct value b, struct value number);
/* The value where it lies within the interval, else the nearer end of that. */
struct value terms_clamp(struct terms *terms, enum scalar scalar, struct value value,
                         struct interval within, struct value number);
/* A function of so many values, of which nothing is known but that equal arguments give equal
 * results: one name, one function. */
struct value terms_function(struct terms *terms, const char *name, enum scalar scalar, size_t count,
                            const struct value argument[], struct value number);

/* Numbers at indices from the first one on. */
struct number_table {
    enum scalar scalar;
    int64_t first;
    uint64_t hash;          /* of the numbers */
    struct interval within; /* where they lie, of integers */
};
/* The number of the table at the index: tables that hold the same are one function. */
struct value terms_table(struct terms *terms, const struct number_table *table, struct value index,
                         struct value number);

/* Whether the value depends on samples, not on parameters alone. */
bool terms_are_of_samples(struct value value);
/* The value where the part of its term is that number. */
struct value terms_where(struct terms *terms, struct value value, const struct expr *part,
                         int64_t number);
/* What follows is computed for that number of the part alone; NULL: for all. */
void terms_assume(struct terms *terms, const struct expr *part, int64_t number);
/* The ends are that number, if the part is the assumed one. */
void terms_narrow_assumed(const struct terms *terms, const struct expr *part, int64_t *least,
                          int64_t *greatest);
/* The index becomes the place that is read under the rule in a box; *inside: whether it was inside
 * before, for rules that give a value. */
void terms_border(struct terms *terms, enum border_rule rule, int64_t first, int64_t extent,
                  struct value *index, struct value *inside);
/* The number by which the program goes: as an index, a bound, a decision. Where it depends on
 * samples, other numbers are not covered; parameters are those tried. */
int64_t terms_choose(struct terms *terms, struct value value);
void terms_uncover(struct terms *terms, enum uncovered why);
/* Particles are placed by the value, where the samples at hand put them. */
void terms_place(struct terms *terms, enum scalar scalar, struct value by);
/* From now on they are placed by values that there have been, or terms do not cover them. */
void terms_keep_placements(struct terms *terms);
/* The first reason since the terms were made; COVERED where there is none. */
enum uncovered terms_uncovered(const struct terms *terms);
/* Terms made so far. */
size_t terms_count(const struct terms *terms);

/* Whether two samples are the same for all values. Known numbers: the same bits, all NaNs counting
 * as equal. */
bool terms_equal(struct terms *terms, enum scalar scalar, struct value a, struct value b);
/* From two terms that differ to the deepest parts of them, at the same place, that do. */
void terms_narrow(struct terms *terms, struct value *a, struct value *b);
/* Looks, so many times, for values of samples at which the two differ; parameters keep theirs.
 * Those that it finds are appended to the text as a sentence, with what the two are then. */
bool terms_differ(const struct terms *terms, enum scalar scalar, struct value a, struct value b,
                  unsigned tries, struct text *text);
/* The sample's term as a text, with … for what stands deep in it. */
void terms_print(struct terms *terms, enum scalar scalar, struct value value, struct text *text);

#endif
