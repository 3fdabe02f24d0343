/* Texts of small functions in emitted files. The build makes tables (tools/helper_texts.c) out of
 * elementary/texts, transform/texts, transform/given and the rows of emit/kernel/helpers.def. */
#ifndef FLTC_EMIT_HELPER_TEXTS_H
#define FLTC_EMIT_HELPER_TEXTS_H

struct helper_text {
    const char *name; /* "flt_exp_f32" */
    const char *text; /* the definition, with the comment before it */
    const char *const *mentions; /* names of helpers that stand before it; end with NULL, or NULL */
};
/* In no order; they end with a NULL name. Those in other languages: emit/launch/spellings.def. */
extern const struct helper_text helpers_in_c[];
/* Of transform/given/, which stand for others of their names where the caller of a filter gives it
 * a library for its transforms. */
extern const struct helper_text given_helpers[];

#endif
