/* Prefetches the reads of a sample's statement that run along the row, some rows ahead. */
#include "loop/lower/prefetch.h"

#include "analysis/reads.h"
#include "expr/affine.h"
#include "loop/rewrite.h"

struct prefetching {
    struct pass_context *context;
    const struct program *program;
    const struct prefetch_range *range;
    struct span span;
    unsigned count, most;
    const struct statement **statement;
    const struct expr **row;   /* by statement: that which is asked for, wherever the image ends */
    const struct buffer *near; /* the last one that is read and not far away; NULL: none */
    bool several;              /* there are others */
    const char *reason; /* why no rows of a buffer far away are asked for; NULL: there is none */
};

static const struct expr *clipped(struct expr_pool *pool, const struct expr *place,
                                  const struct buffer_axis *axis)
{
    const struct expr *last =
        region_sum(pool, region_sum(pool, axis->first, axis->extent, 1), expr_integer(pool, 1), -1);
    return region_maximum(pool, region_minimum(pool, place, last), axis->first);
}

static void note_local(const struct expr *node, void *user)
{
    bool *found = user;
    *found = *found || (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_LOCAL);
}

/* A name of the sample's own, which is not known before the row. */
static bool has_local(struct arena *scratch, const struct expr *index)
{
    struct expr_walk walk = {.scratch = scratch};
    bool found = false;
    expr_visit(&walk, index, note_local, &found);
    return found;
}

/* The index where reductions are at their last terms; NULL: it depends on something else than
 * coordinates. */
static const struct expr *at_last_terms(struct pass_context *context, const struct expr *index,
                                        unsigned count, const struct span_bound bound[])
{
    const struct expr *first, *end;
    if (has_local(context->scratch, index) ||
        !region_of_index(context->pool, index, count, bound, &first, &end))
        return NULL;
    return region_sum(context->pool, end, expr_integer(context->pool, 1), -1);
}

/* p of an index p x + …, where x is the variable; 0: it is of another form. */
static int64_t step_along(const struct expr *index, const struct expr *variable)
{
    const struct scaled_index scaled = affine_index(index);
    return scaled.numerator.exact && scaled.denominator == 1
               ? affine_coefficient(&scaled.numerator, variable)
               : 0;
}

static const struct expr *substituted(const struct prefetching *p, const struct expr *index,
                                      const struct expr *variable, const struct expr *by)
{
    return expr_substitute(p->context->pool, p->context->scratch, index, variable, by);
}

/* The place of the statement that asks for the same rows of the buffer, or rows near by: then they
 * are asked for, further on; p->count: there is none. */
static unsigned asked_for(const struct prefetching *p, const struct expr *load,
                          const struct expr *const index[])
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct statement *s = p->statement[i];
        bool same = s->as.prefetch.buffer.index == load->as.load.source;
        for (unsigned k = 0; k + 2 < load->count; k++)
            same = same && s->as.prefetch.index[k] == index[k];
        if (same)
            return i;
    }
    return p->count;
}

/* Beside a row there is time for one, the one that is read last. */
static bool is_read_later(const struct prefetching *p, unsigned i, const struct expr *row)
{
    if (!p->range->beside || !row || !p->row[i])
        return false;
    const struct affine rows =
        affine_from(expr_binary(p->context->pool, EXPR_SUBTRACT, row, p->row[i]));
    return rows.count == 0 && rows.constant > 0;
}

/* Of whole images: bands stay in caches by themselves. */
static bool lies_far(const struct buffer *buffer)
{
    return (buffer->space == SPACE_INPUT || buffer->space == SPACE_SCRATCH) &&
           !buffer_is_circular(buffer);
}

/* Rows are so few that all are near when one has been read. */
static bool has_few_rows(const struct buffer *buffer)
{
    enum { FEW = 8 };
    const struct expr *rows = buffer->rank > 1 ? buffer->axis[buffer->rank - 2].extent : NULL;
    return rows && rows->kind == EXPR_INTEGER && rows->as.integer <= FEW;
}

/* How many samples from the first one on. */
static const struct expr *wanted(const struct prefetching *p, int64_t step,
                                 const struct buffer_axis *along, const struct expr *first)
{
    struct expr_pool *pool = p->context->pool;
    if (p->range->beside)
        return expr_integer(pool, 1);
    const struct expr *left =
        region_sum(pool, region_sum(pool, along->first, along->extent, 1), first, -1);
    const struct expr *all = expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, step),
                                         region_sum(pool, p->range->end, p->range->first, -1));
    return region_minimum(pool, all, left);
}

/* Where a buffer lies whose rows are not asked for, as in "it reads only 'a', WHERE". */
static const char *place_text(const struct buffer *buffer)
{
    return buffer->space == SPACE_CONSTANT  ? "which is a table"
           : buffer->space == SPACE_OUTPUT  ? "which is a result"
           : buffer->space == SPACE_PART    ? "which is a part of another stage"
           : buffer->space == SPACE_SCRATCH ? "of which a band is kept"
                                            : "which is kept in the tile";
}

/* Why no rows are asked for. */
static const char *reason_of(const struct prefetching *p)
{
    return p->reason    ? p->reason
           : !p->near   ? "it reads no image"
           : p->several ? "it reads neither an input nor an intermediate image in memory"
                        : arena_format(p->context->scratch, "it reads only '%s', %s",
                                       p->near->name->text, place_text(p->near));
}

static void note_load(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct prefetching *p = user;
    struct expr_pool *pool = p->context->pool;
    const struct buffer *buffer = &p->program->buffers.item[load->as.load.source];
    const struct expr *x = p->range->x, *y = p->range->y;
    if (load->count < 1 || !lies_far(buffer)) {
        p->several = p->several || (p->near && p->near != buffer);
        p->near = buffer;
        return;
    }
    if (has_few_rows(buffer)) {
        p->reason = arena_format(p->context->scratch, "'%s' has few rows, which all stay near",
                                 buffer->name->text);
        return;
    }
    /* Rows of an image, or parts of a line. */
    const struct expr *row = load->operand[load->count > 1 ? load->count - 2 : 0];
    const int64_t step = step_along(load->operand[load->count - 1], x);
    p->reason = arena_format(p->context->scratch, "it does not read '%s' row by row, in order",
                             buffer->name->text);
    if (step < 1 || step > (p->range->beside ? 1 : 4) || step_along(row, y) < 1)
        return;
    const struct expr **index = ARENA_ARRAY(p->context->output, const struct expr *, load->count);
    for (unsigned k = 0; k < load->count; k++) {
        index[k] = at_last_terms(p->context, load->operand[k], count, bound);
        if (!index[k] || expr_contains(p->context->scratch, index[k], x) != (k + 1 == load->count))
            return;
    }
    const struct expr *const asked =
        load->count > 1 ? substituted(p, index[load->count - 2], y, p->range->below) : NULL;
    for (unsigned k = 0; k < load->count; k++)
        index[k] = clipped(
            pool, substituted(p, substituted(p, index[k], y, p->range->below), x, p->range->first),
            &buffer->axis[k]);
    const unsigned place = asked_for(p, load, index);
    if (place < p->count ? !is_read_later(p, place, asked) : p->count == p->most)
        return;
    p->row[place] = asked;
    p->statement[place] = STATEMENT_NEW(
        p->context->output, p->span, .kind = STATEMENT_PREFETCH,
        .as.prefetch = {buffer->id, load->count, index,
                        wanted(p, step, &buffer->axis[load->count - 1], index[load->count - 1]),
                        p->range->beside});
    p->count += place == p->count;
}

static void note_expression(const struct expr *root, void *user)
{
    struct prefetching *p = user;
    reads_visit(p->context->pool, p->context->scratch, root, 0, NULL, note_load, p);
}

static void note_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, note_expression, user);
    statement_children(statement, note_statement, user);
}

unsigned prefetch_rows(struct pass_context *context, const struct program *program,
                       const struct prefetch_range *range, const struct statement *body,
                       unsigned most, const struct statement *statement[])
{
    struct prefetching p = {.context = context,
                            .program = program,
                            .range = range,
                            .span = body->span,
                            .most = most,
                            .statement = statement,
                            .row = ARENA_ARRAY(context->scratch, const struct expr *, most + 1)};
    note_statement(body, &p);
    if (range->reason)
        *range->reason = reason_of(&p);
    return p.count;
}
