/* Loops over threads: a kernel gets a range of the iterations that a launch is cut into, those of
 * loops in one another in one row:
 *   for (int64_t c = flt_first / in_y; c * in_y < flt_end; c++) {
 *       const int64_t y_from = flt_max_i64(flt_first - c * in_y, 0);
 *       const int64_t y_to = flt_min_i64(flt_end - c * in_y, in_y);
 *       for (int64_t y = y_from; y < y_to; y++) */
#include "emit/emission.h"
#include "loop/shared_loops.h"

/* Of how many iterations of the loops over threads inside one of this loop consists. */
static const struct expr *count_inside(struct emission *e, const struct statement *loop)
{
    struct expr_pool *pool = &e->session->pool;
    const struct expr *count = expr_integer(pool, 1);
    for (loop = threads_loop_in(loop->as.loop.body); loop;
         loop = threads_loop_in(loop->as.loop.body))
        count = expr_binary(pool, EXPR_MULTIPLY, count, loop->as.loop.extent);
    return count;
}

struct threads_range threads_range_of(struct emission *e, const struct statement *kernel)
{
    struct expr_pool *pool = &e->session->pool;
    const struct statement *loop = threads_loop_in(kernel);
    if (!loop)
        return (struct threads_range){NULL, NULL};
    if (!threads_loop_in(loop->as.loop.body))
        return (struct threads_range){loop->as.loop.first, loop->as.loop.extent};
    return (struct threads_range){
        expr_integer(pool, 0),
        expr_binary(pool, EXPR_MULTIPLY, loop->as.loop.extent, count_inside(e, loop))};
}

static bool is_zero(const struct expr *first)
{
    return first->kind == EXPR_INTEGER && first->as.integer == 0;
}

/* "in_y_first + flt_first": a position in the range as a coordinate of the loop. */
static void threads_print_place(struct emission *e, const struct kernel_state *here,
                                const struct expr *first, const char *place)
{
    if (!is_zero(first)) {
        emit_index(e, here, first);
        text_print(e->out, " + ");
    }
    text_print(e->out, "%s", place);
}

/* "c * in_y": iterations inside that come before the one at hand. */
static void print_before(struct emission *e, const struct kernel_state *here,
                         const struct expr *first, const char *variable, const char *count)
{
    if (is_zero(first)) {
        text_print(e->out, "%s * %s", variable, count);
        return;
    }
    text_print(e->out, "(%s - (", variable);
    emit_index(e, here, first);
    text_print(e->out, ")) * %s", count);
}

/* The name of how many iterations are inside one of the loop, declared where it has none yet. */
static const char *print_count(struct emission *e, const struct kernel_state *here,
                               const struct statement *loop, const struct statement *inner)
{
    const struct expr *count = count_inside(e, loop);
    if (count->kind == EXPR_VARIABLE)
        return name_of_variable(e, count);
    const char *name = name_of_local(
        e, &inner->as.loop.extent,
        arena_format(e->arena, "%s_count", inner->as.loop.variable->as.variable.name->text));
    text_print(e->out, "const int64_t %s = ", name);
    emit_index(e, here, count);
    text_print(e->out, ";\n");
    return name;
}

/* A loop with another one over threads in it. */
static void print_outer_loop(struct emission *e, const struct kernel_state *here,
                             const struct statement *loop, const struct statement *inner,
                             const char *variable)
{
    const char *const from = here->threads_from, *const to = here->threads_to;
    const char *name = inner->as.loop.variable->as.variable.name->text;
    const struct expr *first = loop->as.loop.first;
    const char *count = print_count(e, here, loop, inner);
    text_print(e->out, "for (int64_t %s = ", variable);
    threads_print_place(e, here, first, arena_format(e->arena, "%s / %s; ", from, count));
    print_before(e, here, first, variable, count);
    text_print(e->out, " < %s; %s++) {\n", to, variable);
    e->out->indent += 4;
    struct kernel_state inside = *here;
    inside.threads_from = name_new_local(e, arena_format(e->arena, "%s_from", name));
    inside.threads_to = name_new_local(e, arena_format(e->arena, "%s_to", name));
    inside.in_threads = true;
    text_print(e->out, "const int64_t %s = %s(%s - ", inside.threads_from,
               helper_use(e, "flt_max_i64"), from);
    print_before(e, here, first, variable, count);
    text_print(e->out, ", 0);\nconst int64_t %s = %s(%s - ", inside.threads_to,
               helper_use(e, "flt_min_i64"), to);
    print_before(e, here, first, variable, count);
    text_print(e->out, ", %s);\n", count);
    emit_statement(e, &inside, loop->as.loop.body);
    e->out->indent -= 4;
    text_print(e->out, "}\n");
}

void emit_threads_loop(struct emission *e, const struct kernel_state *here,
                       const struct statement *loop)
{
    const char *variable =
        name_of_local(e, loop->as.loop.variable, loop->as.loop.variable->as.variable.name->text);
    const struct statement *inner = threads_loop_in(loop->as.loop.body);
    if (inner) {
        print_outer_loop(e, here, loop, inner, variable);
        return;
    }
    /* The range of a launch is of the loop's own coordinates where it is the only one. */
    const struct expr *first =
        here->in_threads ? loop->as.loop.first : expr_integer(&e->session->pool, 0);
    text_print(e->out, "for (int64_t %s = ", variable);
    threads_print_place(e, here, first, here->threads_from);
    text_print(e->out, "; %s < ", variable);
    threads_print_place(e, here, first, here->threads_to);
    text_print(e->out, "; %s++)", variable);
    emit_body(e, here, loop);
}
