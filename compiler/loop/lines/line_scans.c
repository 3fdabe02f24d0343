/* If a sweep over rows carries only running sums, each part of a row is summed in place, without
 * transposition:
 *   loop y serial {
 *       loop x { store rows.terms[x] = in[y, x] }
 *       store rows.sums[x.from - 1] = rows.state[x.from - 1, y]
 *       loop x scanned { store rows.sums[x] = rows.sums[x - 1] + rows.terms[x] }
 *       store rows.state[x.to - 1, y] = rows.sums[x.to - 1]
 *       loop x { store rows[y, x] = rows.sums[x] } }
 * The lines' memory keeps only the last sample, with which the next part begins. If lines across
 * read the rows place by place, they read rows.sums[x], and the last loop is omitted. Floats are
 * transposed instead: their sums are carried in f64, and computing these as a tree took just as
 * long. */
#include "loop/lines/line_scans.h"

#include "analysis/regions.h"
#include "graph/recurrence/recurrence.h"
#include "graph/recurrence/wrapping_form.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"
#include "loop/scans.h"

#include <string.h>

/* ---- Sums ---- */

static size_t member_read(const struct lines *l, const struct expr *node)
{
    const size_t count = l->group->count;
    size_t m = 0;
    while (m < count && (node->kind != EXPR_LOAD || l->buffer[m]->id.index != node->as.load.source))
        m++;
    return m;
}

struct own_search {
    const struct lines *l;
    size_t member;
    const struct expr *own;
    bool fits;
};

/* Members are read at the place at hand, themselves at the one before. */
static void note_load(const struct expr *node, void *user)
{
    struct own_search *search = user;
    const struct lines *l = search->l;
    const size_t m = member_read(l, node);
    if (m == l->group->count)
        return;
    const struct interval offset = recurrence_offset(node->operand[0], l->variable);
    const int64_t wanted = m == search->member ? -1 : 0;
    search->fits = search->fits && node->operand[1] == l->lane && offset.least == wanted &&
                   offset.greatest == wanted;
    if (m != search->member)
        search->fits = search->fits && !node->as.load.border;
    else if (search->own)
        search->fits = false; /* twice */
    else
        search->own = node;
}

static const struct statement *store_of(const struct statement *body)
{
    const struct statement_list items = statement_items_of(&body);
    return items.item[items.count - 1];
}

/* What a member reads of itself; false: it, or what it reads of others, is no running sum. */
static bool find_own(const struct lines *l, size_t member, const struct expr **own)
{
    struct own_search search = {l, member, NULL, true};
    statement_nodes(l->context->scratch, l->body[member], note_load, &search);
    *own = search.own;
    const bool recurs = l->group->stage[member]->kind == STAGE_RECURRENCE;
    return search.fits && store_of(l->body[member])->kind == STATEMENT_STORE &&
           recurs == (search.own != NULL);
}

/* A member's value, names put in; NULL: it takes more than these. */
static const struct expr *value_of(const struct lines *l, size_t member)
{
    const struct statement_list items = statement_items_of(&l->body[member]);
    const struct expr *value = items.item[items.count - 1]->as.store.value;
    for (size_t i = items.count - 1; i-- > 0 && value;)
        value = items.item[i]->kind == STATEMENT_LET
                    ? expr_substitute(lines_pool(l), l->context->scratch, value,
                                      items.item[i]->as.let.variable, items.item[i]->as.let.value)
                    : NULL;
    return value;
}

static bool is_same(const struct expr *load, void *own)
{
    return load == own;
}

/* What a member that is a running sum adds to the sample before: its value, were that 0. NULL: it
 * is no such sum. */
static const struct expr *terms_of(const struct lines *l, size_t member, const struct expr *own)
{
    const struct expr *value = value_of(l, member);
    const enum scalar scalar = l->buffer[member]->scalar;
    struct wrapping_form form;
    const bool sums = value && scan_takes(scalar) && own->scalar == scalar &&
                      wrapping_form_of(l->context->scratch, value, scalar, is_same,
                                       (void *)(uintptr_t)own, &form) &&
                      form.terms.count == 1 && form.terms.item[0].coefficient == 1;
    return sums ? expr_substitute(lines_pool(l), l->context->scratch, value, own,
                                  expr_integer(lines_pool(l), 0))
                : NULL;
}

static bool is_scanned(const struct lines *l, size_t member)
{
    const struct stage *stage = l->group->stage[member];
    const bool is_sink = member + 1 == l->group->count;
    const struct expr *own;
    return !stage->details && (is_sink || l->group->place[member].rows > 0) &&
           lines_first(l, stage, l->group->along) == l->first &&
           lines_end(l, stage, l->group->along) == l->end && find_own(l, member, &own) &&
           (!own || (!is_sink && terms_of(l, member, own)));
}

/* Such as of channels: what is done once for each row would take most of the time. */
static bool has_short_lines(const struct lines *l)
{
    enum { FEW = 64 };
    const struct stage_axis *along = &l->group->sink->axis[l->group->along];
    return along->computed_extent->interval.greatest < FEW || strcmp(along->name->text, "c") == 0;
}

bool line_scans(const struct lines *l, size_t begin, size_t end)
{
    bool recurs = false;
    bool scans = begin == 0 && end == l->group->count && !l->reversed && !l->group->tile &&
                 !has_short_lines(l);
    for (size_t m = begin; m < end && scans; m++) {
        scans = is_scanned(l, m);
        recurs = recurs || l->group->stage[m]->kind == STAGE_RECURRENCE;
    }
    return scans && recurs;
}

/* ---- Parts of a row ---- */

struct row {
    struct lines *l;
    int64_t most;               /* places */
    const struct buffer **part; /* by member: its samples in the row at hand */
    struct statement_items items;
};

/* Memory of a part of a row, and of so many places before, a line of cache where there are any. */
static const struct buffer *add_part(struct row *r, const struct buffer *of, const char *part,
                                     int64_t before)
{
    struct lines *l = r->l;
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    struct buffer_axis *axis = ARENA_NEW(context->output, struct buffer_axis);
    *axis = (struct buffer_axis){l->group->sink->axis[l->group->along].name,
                                 region_sum(pool, l->from, expr_integer(pool, before), -1),
                                 expr_integer(pool, r->most + before), false};
    const struct buffer *added =
        lines_add_memory(l, part,
                         (struct buffer){.name = of->name,
                                         .span = of->span,
                                         .scalar = of->scalar,
                                         .interval = scalar_info[of->scalar].interval,
                                         .rank = 1,
                                         .axis = axis});
    lines_allocate(l, &r->items, added);
    return added;
}

static const struct expr *sample_of(const struct lines *l, const struct buffer *part,
                                    const struct expr *x)
{
    return expr_load(lines_pool(l), part->id.index, part->scalar, part->interval, 1, &x, NULL);
}

static void add_loop(struct row *r, enum parallel_level level, const struct statement *body)
{
    struct lines *l = r->l;
    VECTOR_PUSH(l->context->scratch, &r->items,
                lines_loop(l, level, l->variable, l->from, l->to, body, false));
}

/* What is read of the row's members lies in its parts. */
static const struct expr *in_parts(const struct expr *node, void *user)
{
    struct row *r = user;
    const size_t m = member_read(r->l, node);
    return m < r->l->group->count && r->part[m] ? sample_of(r->l, r->part[m], r->l->variable)
                                                : node;
}

/* The body of a member with another store at its end. */
static const struct statement *storing(struct row *r, const struct statement *body,
                                       const struct statement *store)
{
    struct lines *l = r->l;
    struct expr_rewriter rewriter = {
        .pool = lines_pool(l), .rule = in_parts, .context = r, .scratch = l->context->scratch};
    const struct statement_list all = statement_items_of(&body);
    const struct statement **item =
        arena_copy(l->context->scratch, all.item, all.count * sizeof *item);
    item[all.count - 1] = store;
    return statement_rewrite(l->context->output,
                             statement_block(l->context->output, body->span, all.count, item),
                             &rewriter);
}

/* The sum at the place at hand, of that before and the term. */
static const struct statement *sum_of(const struct lines *l, const struct buffer *sums,
                                      const struct expr *term)
{
    struct expr_pool *pool = lines_pool(l);
    const struct expr *before = region_sum(pool, l->variable, expr_integer(pool, 1), -1);
    const struct expr *sum = expr_binary(pool, EXPR_ADD, sample_of(l, sums, before), term);
    return lines_store(l, sums->id, 1, &l->variable,
                       expr_convert(pool, CONVERT_WRAP, sums->scalar, sum));
}

/* The terms as they lie in memory: the row's own, or computed before. */
static const struct expr *add_terms(struct row *r, size_t member, const struct expr *own,
                                    const struct buffer *sums)
{
    struct lines *l = r->l;
    const struct expr *value =
        expr_convert(lines_pool(l), CONVERT_WRAP, sums->scalar, terms_of(l, member, own));
    const struct statement loop = {
        .kind = STATEMENT_LOOP,
        .as.loop = {.variable = l->variable, .body = sum_of(l, sums, value)}};
    struct scan scan;
    if (member_read(l, value) == l->group->count &&
        scan_of(l->program, l->context->scratch, &loop, &scan))
        return value;
    const struct buffer *terms = add_part(r, l->buffer[member], "terms", 0);
    const struct statement *store = lines_store(l, terms->id, 1, &l->variable, value);
    add_loop(r, LEVEL_INDEPENDENT, storing(r, store, store));
    return sample_of(l, terms, l->variable);
}

/* The sample before the part: of the lines' memory, or what the line begins with, which may read
 * the row's members. */
static const struct expr *sample_before(struct row *r, const struct expr *own)
{
    struct lines *l = r->l;
    struct expr_rewriter rewriter = {
        .pool = lines_pool(l), .rule = in_parts, .context = r, .scratch = l->context->scratch};
    return expr_substitute(lines_pool(l), l->context->scratch, expr_rewrite(&rewriter, own),
                           l->variable, l->from);
}

static void add_sums(struct row *r, size_t member, const struct expr *own)
{
    struct lines *l = r->l;
    struct expr_pool *pool = lines_pool(l);
    const struct buffer *memory = l->buffer[member];
    const struct buffer *sums =
        add_part(r, memory, "sums", CACHE_LINE / scalar_info[memory->scalar].bytes);
    const struct expr *term = add_terms(r, member, own, sums);
    const struct expr *before = region_sum(pool, l->from, expr_integer(pool, 1), -1);
    const struct expr *last = region_sum(pool, l->to, expr_integer(pool, 1), -1);
    const struct expr *const kept[2] = {last, l->lane};
    VECTOR_PUSH(l->context->scratch, &r->items,
                lines_store(l, sums->id, 1, &before, sample_before(r, own)));
    add_loop(r, LEVEL_SCANNED, sum_of(l, sums, term));
    VECTOR_PUSH(l->context->scratch, &r->items,
                lines_store(l, memory->id, 2, kept, sample_of(l, sums, last)));
    r->part[member] = sums;
}

/* The member whose sample at the same place the value is; the count: it is none. */
static size_t member_copied(const struct lines *l, size_t member)
{
    const struct statement *body = l->body[member];
    const size_t m =
        body->kind == STATEMENT_STORE ? member_read(l, body->as.store.value) : l->group->count;
    return m < l->group->count && l->buffer[m]->scalar == l->buffer[member]->scalar
               ? m
               : l->group->count;
}

/* in_memory: the member is stored where it lies, and in no part. */
static void add_member(struct row *r, size_t member, bool in_memory)
{
    struct lines *l = r->l;
    const size_t copied = in_memory ? l->group->count : member_copied(l, member);
    const struct statement *store = store_of(l->body[member]);
    const struct expr *own;
    (void)find_own(l, member, &own);
    if (own) {
        add_sums(r, member, own);
        return;
    }
    if (copied < l->group->count) {
        r->part[member] = r->part[copied];
        return;
    }
    if (!in_memory) {
        r->part[member] = add_part(r, l->buffer[member], "part", 0);
        store = lines_store(l, r->part[member]->id, 1, &l->variable, store->as.store.value);
    }
    add_loop(r, LEVEL_INDEPENDENT, storing(r, l->body[member], store));
}

/* Asks for what the next part of the row reads. */
static void add_prefetches(struct row *r)
{
    enum { MOST = 4 };
    struct lines *l = r->l;
    const struct expr *size = expr_integer(lines_pool(l), r->most);
    const struct prefetch_range range = {.x = l->variable,
                                         .y = l->lane,
                                         .below = l->lane,
                                         .first = l->to,
                                         .end = region_sum(lines_pool(l), l->to, size, 1)};
    const struct statement *item[MOST];
    for (size_t m = 0; m < l->group->count; m++) {
        const unsigned count =
            prefetch_rows(l->context, l->program, &range, l->body[m], MOST, item);
        for (unsigned i = 0; i < count; i++)
            VECTOR_PUSH(l->context->scratch, &r->items, item[i]);
    }
}

/* All members; the sink in memory, or in a part. */
static struct row row_of(struct lines *l, int64_t most, bool in_memory)
{
    struct row r = {.l = l,
                    .most = most,
                    .part =
                        ARENA_ARRAY(l->context->scratch, const struct buffer *, l->group->count)};
    add_prefetches(&r);
    for (size_t m = 0; m < l->group->count; m++)
        add_member(&r, m, in_memory && m + 1 == l->group->count);
    return r;
}

const struct statement *line_scan(struct lines *l, int64_t most)
{
    const struct row r = row_of(l, most, true);
    return lines_over_lanes(
        l, LEVEL_SERIAL,
        statement_block(l->context->output, l->group->sink->span, r.items.count, r.items.item));
}

const struct buffer *line_scan_part(struct lines *l, int64_t most, struct statement_items *items)
{
    const struct row r = row_of(l, most, false);
    for (size_t i = 0; i < r.items.count; i++)
        VECTOR_PUSH(l->context->scratch, items, r.items.item[i]);
    return r.part[l->group->count - 1];
}
