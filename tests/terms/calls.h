/* What emitted text that computes terms (terms.hpp, C++) asks of the program that runs it
 * (prove_text.c, C): the memory that has terms, and the making of terms. */
#ifndef FLTC_TESTS_TERMS_CALLS_H
#define FLTC_TESTS_TERMS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct expr;

/* The types of C that samples and indices have. */
enum cpp_type {
    CPP_BOOL,
    CPP_I8,
    CPP_U8,
    CPP_I16,
    CPP_U16,
    CPP_I32,
    CPP_U32,
    CPP_I64,
    CPP_U64,
    CPP_F32,
    CPP_F64
};

/* A number as C has computed it, and its term; NULL: the number is known. */
struct cpp_value {
    union {
        int64_t integer;
        float f32;
        double f64;
    };
    const struct expr *term;
};

enum cpp_operation {
    CPP_ADD,
    CPP_SUBTRACT,
    CPP_MULTIPLY,
    CPP_DIVIDE, /* of integers as C rounds: toward zero */
    CPP_REMAINDER,
    CPP_AND,
    CPP_OR,
    CPP_XOR,
    CPP_SHIFT_LEFT,
    CPP_SHIFT_RIGHT,
    CPP_EQUAL,
    CPP_NOT_EQUAL,
    CPP_LESS,
    CPP_LESS_EQUAL
};

/* All memory that text writes: its stack, what it has from malloc, the images. Each byte has a word
 * of shadow: NULL for a byte of a known number, the term at the first byte of a value that has one,
 * and one of the marks below. */
struct cpp_memory {
    char *base;
    size_t size;
    const struct expr **shadow;
};
extern struct cpp_memory cpp_memory;
#define CPP_REST ((const struct expr *)1)      /* a further byte of a value that has a term */
#define CPP_UNWRITTEN ((const struct expr *)2) /* nothing was stored there */

/* A term that equals no other: of bytes that were never written, or that hold another type. */
const struct expr *cpp_unwritten(enum cpp_type type);
const struct expr *cpp_punned(enum cpp_type type);

/* Each gives the term of the number, which C has computed. NULL: the number is known whatever the
 * samples are. type: of the operands, after C's conversions. */
const struct expr *cpp_binary(enum cpp_operation operation, enum cpp_type type, struct cpp_value a,
                              struct cpp_value b, struct cpp_value number);
const struct expr *cpp_negate(enum cpp_type type, struct cpp_value a, struct cpp_value number);
const struct expr *cpp_convert(enum cpp_type from, enum cpp_type to, struct cpp_value a,
                               struct cpp_value number);
/* type: of the two that are chosen among. */
const struct expr *cpp_choose(enum cpp_type type, struct cpp_value condition, struct cpp_value a,
                              struct cpp_value b, struct cpp_value number);
/* Of truth values. */
const struct expr *cpp_not(struct cpp_value a, struct cpp_value number);
const struct expr *cpp_both(struct cpp_value a, struct cpp_value b, struct cpp_value number);
const struct expr *cpp_either(struct cpp_value a, struct cpp_value b, struct cpp_value number);

/* A function of the language by its name in expr.def ("fma", "exp"), of operands of one type, which
 * is the result's too; that of "order" is CPP_I64, that of "noise" CPP_F32. */
struct cpp_value cpp_function(const char *name, enum cpp_type type, unsigned count,
                              const struct cpp_value operand[]);
/* A conversion to an integer that rounds or saturates: "round", "trunc" or "saturate". */
struct cpp_value cpp_fit(const char *how, enum cpp_type from, enum cpp_type to, struct cpp_value a);
/* Halves are bits of 16. */
struct cpp_value cpp_half_to_float(struct cpp_value half);
struct cpp_value cpp_half_of_double(struct cpp_value real);

/* The lines of a panel, by the table: flt_NAME_lines_f32 and flt_NAME_lines_f64. Of n samples
 * each. */
void cpp_transform(const char *name, enum cpp_type type, int norm, int64_t n, const void *table,
                   void *panel);

/* The text goes on as if the term had the number that it has in this run. */
void cpp_assume(const struct expr *term);

void *cpp_malloc(size_t bytes);
void *cpp_aligned_alloc(size_t alignment, size_t bytes);
void *cpp_calloc(size_t count, size_t bytes);
void cpp_free(void *memory);
void *cpp_memcpy(void *to, const void *from, size_t bytes);
void *cpp_memset(void *to, int value, size_t bytes);
/* Memory of the block of threads that runs, for each place in the text: not written before. */
void *cpp_shared(int place, size_t bytes);
/* From how many bytes on images bypass the caches. */
uint64_t cpp_stream_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
