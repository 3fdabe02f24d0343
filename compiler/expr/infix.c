#include "expr/infix.h"

static const char *const sign[EXPR_KIND_COUNT] = {
    [EXPR_ADD] = " + ",    [EXPR_SUBTRACT] = " - ", [EXPR_MULTIPLY] = " * ",
    [EXPR_DIVIDE] = " / ", [EXPR_LESS] = " < ",     [EXPR_LESS_EQUAL] = " <= ",
    [EXPR_EQUAL] = " == ", [EXPR_AND] = " and ",    [EXPR_OR] = " or ",
};

static bool is_arithmetic(const struct expr *e)
{
    return e->kind == EXPR_ADD || e->kind == EXPR_SUBTRACT || e->kind == EXPR_MULTIPLY ||
           e->kind == EXPR_DIVIDE;
}

static void print_part(const struct expr *e, struct text *out)
{
    const bool brackets = is_arithmetic(e);
    text_print(out, brackets ? "(" : "");
    infix_print(e, out);
    text_print(out, brackets ? ")" : "");
}

void infix_print(const struct expr *e, struct text *out)
{
    if (e->kind == EXPR_INTEGER) {
        text_print(out, "%lld", (long long)e->as.integer);
    } else if (e->kind == EXPR_VARIABLE) {
        text_print(out, "%s", e->as.variable.name->text);
    } else if (e->count == 2 && sign[e->kind]) {
        void (*const print)(const struct expr *, struct text *) =
            is_arithmetic(e) ? print_part : infix_print;
        print(e->operand[0], out);
        text_print(out, "%s", sign[e->kind]);
        print(e->operand[1], out);
    } else if (e->count == 2 && (e->kind == EXPR_MINIMUM || e->kind == EXPR_MAXIMUM)) {
        text_print(out, e->kind == EXPR_MINIMUM ? "min(" : "max(");
        infix_print(e->operand[0], out);
        text_print(out, ", ");
        infix_print(e->operand[1], out);
        text_print(out, ")");
    } else {
        text_print(out, "…");
    }
}
