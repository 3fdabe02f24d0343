/* The syntax tree of one module, as written: parentheses, comments and spans are kept, nothing is
 * resolved. Immutable once built. Kinds are rows of ast.def. */
#ifndef FLTC_FRONTEND_AST_H
#define FLTC_FRONTEND_AST_H

#include "source/span.h"
#include "support/symbol.h"
#include "support/vector.h"

#include <stdbool.h>
#include <stdint.h>

enum ast_kind {
#define AST(kind, field, what) AST_##kind,
#include "frontend/ast.def"
#undef AST
    AST_KIND_COUNT
};

enum ast_operator {
#define UNARY_OPERATOR(name, spelling) OPERATOR_##name,
#define OPERATOR(name, spelling, precedence) OPERATOR_##name,
#include "operators.def"
#undef OPERATOR
};

struct ast_operator_info {
    const char *spelling;
    int precedence; /* 0 for unary operators */
};
extern const struct ast_operator_info ast_operator_info[];

struct ast;
struct ast_list {
    const struct ast **item;
    size_t count, capacity;
};

/* How a definition combines with what is there: =, +=, min=, max=. */
enum ast_assignment { ASSIGN_SET, ASSIGN_ADD, ASSIGN_MIN, ASSIGN_MAX };
enum ast_formal_role { FORMAL_IMAGE, FORMAL_PARAM, FORMAL_CONST };
enum ast_conversion_mode { CONVERSION_TRUNCATE, CONVERSION_WRAP, CONVERSION_FIXED };

/* Deeper nesting than this is refused by the parser: later stages walk the tree by recursion. */
enum { AST_MAX_DEPTH = 1000 };

struct ast {
    enum ast_kind kind;
    uint32_t depth; /* 1 + that of the deepest child */
    struct span span;
    union {
        struct { /* import std.blur;  import "mine.flt"; */
            const struct symbol *path;
            bool from_library;
        } import;
        struct { /* fast filter name(formals) -> results { body } */
            const struct symbol *name;
            struct span name_span;
            const struct ast_list *formals, *results, *body;
            bool fast;
        } filter;
        struct { /* fn name(formals) -> result = value; */
            const struct symbol *name;
            struct span name_span;
            const struct ast_list *formals;
            const struct ast *result, *value;
        } function;
        struct { /* extern fn name(types) -> result from "header"; */
            const struct symbol *name, *header;
            const struct ast_list *types;
            const struct ast *result;
        } external;
        struct { /* schedule filter for target { directives } */
            const struct symbol *filter, *target;
            const struct ast_list *directives;
        } schedule;
        struct { /* tile out by (y: 64, x: 1024); words and values as written */
            const struct ast_list *words;
            const struct ast *where; /* may be NULL */
        } directive;
        struct { /* role name : type = value in range "text" */
            enum ast_formal_role role;
            const struct symbol *name;
            struct span name_span;
            const struct ast *type, *value, *range; /* each may be NULL */
            const struct symbol *text;              /* NULL or the help text */
            const struct ast *each;                 /* NULL or the BINDING of an array of images */
        } formal;
        struct { /* image<element>[axes]; a scalar has constructor NULL */
            const struct symbol *constructor; /* image, apr, wrap, fixed …, or NULL */
            const struct symbol *element;     /* a scalar's or a type variable's name */
            const struct ast_list *arguments; /* of wrap< > and fixed< >; the types of a tuple */
            const struct ast_list *names;     /* axes, or the values of an enumeration */
            const struct ast *inner;          /* element type of image and apr */
            bool bounded;                     /* T : integer | real */
        } type;
        struct { /* const name[domain] : type = value; */
            const struct symbol *name;
            struct span name_span;
            const struct ast_list *domain; /* NULL for a scalar */
            const struct ast *type, *value;
        } constant;
        struct {
            const struct symbol *name;
            struct span name_span;
            const struct ast_list *domain;
            const struct ast *value;
        } table;
        struct {
            const struct symbol
                *image; /* `border in reflect;` of reads of one image; NULL: of all */
            struct span image_span;
            const struct ast *rule;
        } default_border;
        struct {
            const struct ast *condition;
            const struct symbol *text; /* or NULL */
        } require;
        struct {
            const struct ast *what, *value;
        } estimate;
        struct { /* name[brackets]… : type = value over axes drop; value NULL: a declaration */
            const struct symbol *name;
            struct span name_span;
            const struct ast_list *brackets; /* each a LIST */
            const struct ast *type, *value;
            enum ast_assignment assignment;
            const struct ast_list *over; /* NULL or NAMEs and BINDINGs */
            bool drop;
        } define;
        struct {
            const struct ast *binding;
            const struct ast_list *body;
        } loop;
        struct {
            const struct ast *count;
            const struct ast_list *body;
        } repeat;
        struct {
            const struct ast_list *body;
            const struct symbol *text; /* what it shows, or NULL */
        } example;
        const struct symbol *name;
        int64_t integer;
        double real;
        bool boolean;
        struct {
            enum ast_operator operator_;
            const struct ast *operand;
        } unary;
        struct {
            enum ast_operator operator_;
            const struct ast *left, *right;
        } binary;
        const struct ast *inner;
        struct {
            const struct ast *callee; /* NAME, or INDEX of a NAME for a reduction */
            const struct ast_list *arguments;
        } call;
        struct { /* base[items where condition]; items are expressions, BINDINGs or NAMEDs */
            const struct ast *base;
            const struct ast_list *items;
            const struct ast *where;
        } index;
        struct {
            const struct ast *base;
            const struct symbol *name;
        } field;
        struct { /* trunc<u8>(e)  wrap<u8>(e)  fixed<8, 4>(e) */
            enum ast_conversion_mode mode;
            const struct ast *type, *operand;
        } conversion;
        struct {
            const struct ast *operand, *rule;
        } bordered;
        struct { /* argmin[…](…) else other */
            const struct ast *value, *other;
        } otherwise;
        struct { /* { let a = …; value } */
            const struct ast_list *lets;
            const struct ast *value;
        } block;
        const struct ast_list *list;
        struct { /* {1, 2; 3, 4}: items row by row */
            const struct ast_list *items;
            size_t rows;
        } array;
        struct { /* name = value in a call, name: value in an index or rule */
            const struct symbol *name;
            const struct ast *value;
        } named;
        struct { /* first .. last, or first ..< last */
            const struct ast *first, *last;
            bool includes_last;
        } range;
        struct { /* name in range */
            const struct symbol *name;
            struct span name_span;
            const struct ast *range;
        } binding;
        struct { /* let name = value;  let (a, b) = value; */
            const struct symbol *name;
            struct span name_span;
            const struct ast *value;
            const struct ast_list *names; /* of the parts of a tuple, or NULL */
        } let;
        struct { /* reflect   constant(v)   (x: wrap, y: clamp): name NULL */
            const struct symbol *name;
            const struct ast_list *arguments; /* values, or NAMED rules */
        } rule;
    } as;
};

struct module {
    const struct source_file *file;
    const struct ast_list *items;
    VECTOR(struct span) comments; /* in order of position */
    bool from_library;
};

#endif
