/* Short builders of syntax trees without places. Lists take their nodes in order. */
#ifndef FLTC_FUZZ_SYNTAX_H
#define FLTC_FUZZ_SYNTAX_H

#include "frontend/ast_build.h"
#include "expr/scalar.h"

struct syntax {
    struct arena *arena;
    struct symbol_table *symbols;
};

const struct symbol *word(const struct syntax *s, const char *text);
const struct ast_list *list_of(const struct syntax *s, unsigned count,
                               const struct ast *const node[]);

const struct ast *name_node(const struct syntax *s, const struct symbol *name);
/* A negative number is a minus before a number, as the grammar has it. */
const struct ast *integer_node(const struct syntax *s, int64_t value);
const struct ast *real_node(const struct syntax *s, double value);
const struct ast *boolean_node(const struct syntax *s, bool value);
const struct ast *unary_node(const struct syntax *s, enum ast_operator o, const struct ast *a);
const struct ast *binary_node(const struct syntax *s, enum ast_operator o, const struct ast *a,
                              const struct ast *b);
const struct ast *parentheses_node(const struct syntax *s, const struct ast *a);
const struct ast *fast_node(const struct syntax *s, const struct ast *a);
const struct ast *call_node(const struct syntax *s, const char *function, unsigned count,
                            const struct ast *const argument[]);
const struct ast *index_node(const struct syntax *s, const struct ast *base,
                             const struct ast_list *items);
const struct ast *field_node(const struct syntax *s, const struct ast *base,
                             const struct symbol *name);
const struct ast *scalar_type_node(const struct syntax *s, enum scalar scalar);
const struct ast *conversion_node(const struct syntax *s, enum ast_conversion_mode mode,
                                  enum scalar scalar, const struct ast *a);
const struct ast *range_node(const struct syntax *s, const struct ast *first,
                             const struct ast *last, bool includes_last);
const struct ast *binding_node(const struct syntax *s, const struct symbol *name,
                               const struct ast *range);
/* A rule by its name; value NULL for those without. */
const struct ast *rule_node(const struct syntax *s, const char *name, const struct ast *value);
const struct ast *bordered_node(const struct syntax *s, const struct ast *a,
                                const struct ast *rule);
const struct ast *named_node(const struct syntax *s, const struct symbol *name,
                             const struct ast *value);
/* name[axes] : type = value;  axes and type may be NULL. */
const struct ast *define_node(const struct syntax *s, const struct symbol *name,
                              const struct ast_list *brackets, const struct ast *type,
                              const struct ast *value);

#endif
