/* Constructors called by the grammar's actions: one call per action. */
#ifndef FLTC_FRONTEND_AST_BUILD_H
#define FLTC_FRONTEND_AST_BUILD_H

#include "frontend/ast.h"
#include "support/arena.h"

struct ast_list *ast_list(struct arena *arena);
struct ast_list *ast_list_add(struct arena *arena, struct ast_list *list, const struct ast *node);

/* A copy of the node in the arena, its depth computed. Written in the grammar as
 *     AST_NEW(arena, @$, .kind = AST_NAME, .as.name = $1) */
const struct ast *ast_node(struct arena *arena, struct ast node);
#define AST_NEW(arena, where, ...) ast_node((arena), (struct ast){.span = (where), __VA_ARGS__})

/* Calls visit for each child of the node, NULLs left out. */
void ast_children(const struct ast *node, void (*visit)(const struct ast *child, void *context),
                  void *context);
/* Of a filter or function, which calls name; NULL: it is something else. */
const struct symbol *ast_called_name(const struct ast *item);
/* "an operator", for messages. */
const char *ast_kind_text(enum ast_kind kind);

#endif
