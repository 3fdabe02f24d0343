#include "loop/lines/grid_rows.h"

#include "analysis/regions.h"
#include "expr/affine.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

enum { MOST_SOURCES = 4 };

/* What is read of an image at place p of segment s of a row: at places * s + begin + p, where
 * least <= p < end. */
struct source {
    buffer_id image;
    const struct expr *const *index; /* along other axes */
    const struct border *border;     /* of all axes; NULL: there is no rule */
    unsigned rank;
    int64_t places;
    const struct expr *begin;
    int64_t least, end;
    bool in_any_case; /* some read is under no condition: it is where the rules allow it */
    bool in_place;    /* each segment is read at the places that it stores, before it does */
    buffer_id memory;
};

/* Where the search for reads is. */
struct search {
    const struct expr *along; /* the variable of the loop over places; NULL: no such loop */
    const struct expr *from;  /* where it begins */
    int64_t extent;
    bool conditional;
};

struct rows {
    struct lines *l;
    struct grid_axis *axis; /* the segments', then the rows' */
    unsigned count;         /* of axes */
    const struct buffer *stored;
    int64_t places; /* of a segment that is stored; 0: that is stored as it is */
    buffer_id memory;
    unsigned sources;
    struct source source[MOST_SOURCES];
    struct hash_map copied; /* read in shared memory: load → its source */
    struct source nowhere;  /* of reads that some loop has at no known places */
    struct search at;
    struct hash_map seen; /* below the root: node → whether it is only under conditions */
};

static const struct expr *number(const struct rows *r, int64_t value)
{
    return expr_integer(lines_pool(r->l), value);
}

static int64_t threads_along(const struct rows *r, unsigned i)
{
    return i < r->count && i < 2 ? r->axis[i].tile : 1;
}

/* ---- What is read ---- */

static const struct expr *segment_variable(const struct rows *r)
{
    return r->l->group->sink->axis[r->l->group->along - 1].variable;
}

/* Whether an index along another axis is the same for all places of a line. */
static bool is_of_line(const struct rows *r, const struct expr *index)
{
    const struct stage *sink = r->l->group->sink;
    bool own = index->kind == EXPR_INTEGER;
    for (unsigned k = 0; k + 1 < r->l->group->along; k++)
        own = own || index == sink->axis[k].variable;
    return own;
}

static void note_other(const struct expr *node, void *user)
{
    const bool varies = node->kind == EXPR_LOAD ||
                        (node->kind == EXPR_VARIABLE && node->as.variable.kind != VARIABLE_EXTENT);
    *(bool *)user = *(bool *)user || varies;
}

static bool is_of_extents(const struct rows *r, const struct affine *form)
{
    bool varies = false;
    struct expr_walk walk = {.scratch = r->l->context->scratch};
    for (unsigned i = 0; i < form->count; i++)
        expr_visit(&walk, form->term[i].atom, note_other, &varies);
    return !varies;
}

/* Whether each rule leads back into the image, or gives a number, which is of the image's interval
 * where it has one. */
static bool has_plain_rules(const struct expr *load)
{
    bool plain = true;
    for (unsigned k = 0; load->as.load.border && k < load->count; k++) {
        const struct expr *value = load->as.load.border[k].value;
        plain = plain && (!value || (value->count == 0 && scalar_is_float(load->scalar)));
    }
    return plain;
}

static struct border border_of(const struct source *source, unsigned axis)
{
    return source->border ? source->border[axis] : (struct border){.rule = BORDER_NONE};
}

/* Whether blocks copy segments of so many places. */
static bool copies(const struct rows *r, int64_t places)
{
    return places >= choice_value(r->l->context, CHOICE_COPY_FEWEST) &&
           places <= choice_value(r->l->context, CHOICE_COPY_MOST);
}

/* The read as a source by itself; false: it is none. */
static bool source_of(const struct rows *r, const struct expr *load, struct source *source)
{
    const struct buffer *image = &r->l->program->buffers.item[load->as.load.source];
    if (!r->at.along || load->count == 0 || !has_plain_rules(load) ||
        (image->space != SPACE_INPUT && image->space != SPACE_SCRATCH &&
         image->space != SPACE_OUTPUT))
        return false;
    struct affine form = affine_from(load->operand[load->count - 1]);
    const int64_t places = form.exact ? affine_coefficient(&form, segment_variable(r)) : 0;
    if (!copies(r, places) || affine_coefficient(&form, r->at.along) != 1)
        return false;
    form = affine_without(affine_without(form, segment_variable(r)), r->at.along);
    form = affine_sum(form, affine_from(r->at.from), 1);
    const int64_t offset = form.constant;
    form.constant = 0;
    bool of_line = form.exact && is_of_extents(r, &form);
    for (unsigned k = 0; k + 1 < load->count; k++)
        of_line = of_line && is_of_line(r, load->operand[k]);
    *source = (struct source){.image = image->id,
                              .index = load->operand,
                              .border = load->as.load.border,
                              .rank = load->count,
                              .places = places,
                              .begin = affine_build(lines_pool(r->l), &form),
                              .least = offset,
                              .end = r->at.extent + offset};
    return of_line;
}

static bool reads_the_same(const struct source *a, const struct source *b)
{
    bool same = a->image.index == b->image.index && a->places == b->places &&
                a->begin == b->begin && a->rank == b->rank;
    for (unsigned k = 0; same && k < a->rank; k++) {
        const struct border own = border_of(a, k), other = border_of(b, k);
        same =
            (k + 1 == a->rank || a->index[k] == b->index[k]) && own.rule == other.rule &&
            (own.rule == BORDER_NONE ||
             (own.first == other.first && own.extent == other.extent && own.value == other.value));
    }
    return same;
}

static void note_load(struct rows *r, const struct expr *load, bool conditional)
{
    struct arena *scratch = r->l->context->scratch;
    struct source own;
    unsigned i = 0;
    const bool known = source_of(r, load, &own);
    own.in_any_case = !conditional;
    while (known && i < r->sources && !reads_the_same(&r->source[i], &own))
        i++;
    if (!known || i == MOST_SOURCES || hash_map_find(&r->copied, load) == &r->nowhere) {
        hash_map_put(scratch, &r->copied, load, &r->nowhere);
        return;
    }
    struct source *source = &r->source[i];
    if (i == r->sources) {
        *source = own;
        r->sources++;
    }
    source->least = own.least < source->least ? own.least : source->least;
    source->end = own.end > source->end ? own.end : source->end;
    source->in_any_case = source->in_any_case || own.in_any_case;
    hash_map_put(scratch, &r->copied, load, source);
}

/* Reads below the node; those in the cases of a choice are under a condition. */
static void search_expression(struct rows *r, const struct expr *node, bool conditional)
{
    static const bool under[2] = {true, false};
    const bool *seen = hash_map_find(&r->seen, node);
    if (seen && (conditional || !*seen))
        return;
    hash_map_put(r->l->context->scratch, &r->seen, node, (void *)(uintptr_t)&under[!conditional]);
    if (node->kind == EXPR_LOAD)
        note_load(r, node, conditional);
    const bool chooses =
        node->kind == EXPR_SELECT || node->kind == EXPR_AND || node->kind == EXPR_OR;
    for (unsigned i = 0; i < node->count; i++)
        search_expression(r, node->operand[i], conditional || (chooses && i > 0));
}

static void search_root(const struct expr *node, void *user)
{
    struct rows *r = user;
    r->seen = (struct hash_map){0};
    search_expression(r, node, r->at.conditional);
}

static void search_statement(const struct statement *statement, void *user)
{
    struct rows *r = user;
    const struct search before = r->at;
    if (statement->kind == STATEMENT_LOOP) {
        const struct expr *extent = statement->as.loop.extent;
        const bool known = extent->kind == EXPR_INTEGER;
        r->at.along = known ? statement->as.loop.variable : NULL;
        r->at.from = statement->as.loop.first;
        r->at.extent = known ? extent->as.integer : 0;
    }
    statement_expressions(statement, search_root, r);
    r->at.conditional = r->at.conditional || statement->kind == STATEMENT_IF;
    statement_children(statement, search_statement, r);
    r->at = before;
}

/* ---- Memory ---- */

/* Segments that the memory has room for: places beyond a segment are those of the next one. */
static int64_t segments_of(const struct rows *r, const struct source *source)
{
    const int64_t beyond = source->end - source->least - source->places;
    return threads_along(r, 0) + (beyond > 0 ? (beyond + source->places - 1) / source->places : 0);
}

static int64_t bytes_of_row(const struct rows *r)
{
    int64_t bytes = r->places ? threads_along(r, 0) * (r->places + 1) *
                                    (int64_t)scalar_info[r->stored->scalar].bytes
                              : 0;
    for (unsigned i = 0; i < r->sources; i++) {
        const struct source *source = &r->source[i];
        const struct buffer *image = program_buffer(r->l->program, source->image);
        if (source->places && !source->in_place)
            bytes += segments_of(r, source) * (source->places + 1) *
                     (int64_t)scalar_info[image->scalar].bytes;
    }
    return bytes;
}

static buffer_id add_memory(const struct rows *r, struct buffer of, int64_t segments,
                            int64_t places)
{
    struct pass_context *context = r->l->context;
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, 3);
    const struct symbol *name = symbol_from(&context->session->symbols, "place");
    const int64_t extent[3] = {threads_along(r, 1), segments, places + 1};
    for (unsigned k = 0; k < 3; k++)
        axis[k] = (struct buffer_axis){name, number(r, 0), number(r, extent[k]), false};
    of.name = program_buffer_name(r->l->program, &context->session->symbols, of.name, "rows");
    of.space = SPACE_SHARED;
    of.rank = 3;
    of.axis = axis;
    of.slot = NO_SLOT;
    return program_add_buffer(context->output, r->l->program, of);
}

/* [row, segment, place] */
static const struct expr *const *place_of(const struct rows *r, const struct expr *segment,
                                          const struct expr *place)
{
    struct pass_context *context = r->l->context;
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, 3);
    index[0] = r->count > 1 ? grid_cut_of(context, &r->axis[1]).thread : number(r, 0);
    index[1] = segment;
    index[2] = place;
    return index;
}

/* ---- The work of a thread, in that memory ---- */

static const struct expr *load_of_rows(const struct expr *node, void *user)
{
    const struct rows *r = user;
    struct expr_pool *pool = lines_pool(r->l);
    const struct source *source = node->kind == EXPR_LOAD ? hash_map_find(&r->copied, node) : NULL;
    if (!source || source == &r->nowhere || source->places == 0)
        return node;
    const struct expr *thread = grid_cut_of(r->l->context, &r->axis[0]).thread;
    const struct expr *begin = region_sum(
        pool, region_sum(pool, source->begin, number(r, source->least), 1),
        expr_binary(pool, EXPR_MULTIPLY, number(r, source->places), segment_variable(r)), 1);
    const struct expr *place = region_sum(pool, node->operand[node->count - 1], begin, -1);
    const bool beyond = source->end - source->least > source->places;
    const struct expr *size = number(r, source->places);
    const struct expr *const *index =
        beyond ? place_of(r,
                          expr_binary(pool, EXPR_ADD, thread,
                                      expr_binary(pool, EXPR_DIVIDE, place, size)),
                          expr_binary(pool, EXPR_REMAINDER, place, size))
               : place_of(r, thread, place);
    return expr_load(pool, source->memory.index, node->scalar, node->interval, 3, index, NULL);
}

static const struct statement *store_in_rows(const struct statement *statement, void *user)
{
    const struct rows *r = user;
    struct pass_context *context = r->l->context;
    const unsigned along = r->l->group->along;
    if (statement->kind != STATEMENT_STORE ||
        statement->as.store.buffer.index != r->stored->id.index)
        return statement_rebuild(context->output, statement, store_in_rows, user);
    struct statement store = *statement;
    store.as.store.buffer = r->memory;
    store.as.store.rank = 3;
    store.as.store.index = place_of(r, grid_cut_of(context, &r->axis[0]).thread,
                                    region_sum(lines_pool(r->l), statement->as.store.index[along],
                                               r->stored->axis[along].first, -1));
    return statement_new(context->output, store);
}

/* ---- Copies ---- */

/* Places of a row of the block, in the order of memory. */
struct copy {
    struct grid_parts all;
    const struct expr *segment, *place; /* of it */
};

static struct copy copy_of(const struct rows *r, int64_t segments, int64_t places)
{
    struct pass_context *context = r->l->context;
    struct expr_pool *pool = context->pool;
    struct copy copy = {.all = grid_parts_of(context, &r->axis[0], segments * places)};
    copy.segment = expr_binary(pool, EXPR_DIVIDE, copy.all.place, number(r, places));
    copy.place = expr_binary(pool, EXPR_REMAINDER, copy.all.place, number(r, places));
    return copy;
}

static const struct expr *both(const struct rows *r, const struct expr *a, const struct expr *b)
{
    return a ? expr_binary(lines_pool(r->l), EXPR_AND, a, b) : b;
}

/* Stores it where the condition holds; NULL: everywhere. */
static const struct statement *copy_loop(const struct rows *r, const struct copy *copy,
                                         const struct expr *inside, buffer_id to, unsigned rank,
                                         const struct expr *const index[],
                                         const struct expr *sample)
{
    struct arena *output = r->l->context->output;
    const struct span span = r->l->group->sink->span;
    const struct statement *store = STATEMENT_NEW(output, span, .kind = STATEMENT_STORE,
                                                  .as.store = {to, rank, index, sample, false});
    const struct statement *body = inside ? STATEMENT_NEW(output, span, .kind = STATEMENT_IF,
                                                          .as.branch = {inside, store, NULL, false})
                                          : store;
    return STATEMENT_NEW(output, span, .kind = STATEMENT_LOOP,
                         .as.loop = {copy->all.part, number(r, 0), number(r, copy->all.count),
                                     LEVEL_SERIAL, body, false, false, 0});
}

/* The row of the thread, counted from 0, is one. NULL: there is one row. */
static const struct expr *is_row(const struct rows *r)
{
    return r->count > 1
               ? expr_binary(lines_pool(r->l), EXPR_LESS,
                             grid_cut_of(r->l->context, &r->axis[1]).offset, r->axis[1].extent)
               : NULL;
}

static const struct expr *row_of(const struct rows *r)
{
    return region_sum(lines_pool(r->l), r->axis[1].first,
                      grid_cut_of(r->l->context, &r->axis[1]).offset, 1);
}

/* Segment s of the block, counted from the first one of all. */
static const struct expr *segment_at(const struct rows *r, const struct expr *s)
{
    struct expr_pool *pool = lines_pool(r->l);
    const struct grid_cut segments = grid_cut_of(r->l->context, &r->axis[0]);
    return region_sum(
        pool, expr_binary(pool, EXPR_MULTIPLY, number(r, r->axis[0].tile), segments.block), s, 1);
}

static const struct statement *read_rows(const struct rows *r, const struct source *source)
{
    struct pass_context *context = r->l->context;
    struct expr_pool *pool = context->pool;
    const struct stage *sink = r->l->group->sink;
    const struct buffer *image = program_buffer(r->l->program, source->image);
    const int64_t segments = source->in_place ? threads_along(r, 0) : segments_of(r, source);
    const struct copy copy = copy_of(r, segments, source->places);
    const struct buffer_axis *fastest = &image->axis[source->rank - 1];
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, source->rank);
    const struct expr *begin = region_sum(pool, source->begin, number(r, source->least), 1);
    const struct expr *at =
        region_sum(pool, begin,
                   expr_binary(pool, EXPR_MULTIPLY, number(r, source->places),
                               region_sum(pool, r->axis[0].first, segment_at(r, number(r, 0)), 1)),
                   1);
    at = region_sum(pool, at, copy.all.place, 1);
    for (unsigned k = 0; k + 1 < source->rank; k++)
        index[k] = r->count > 1 && source->index[k] == sink->axis[r->l->group->along - 2].variable
                       ? row_of(r)
                       : source->index[k];
    index[source->rank - 1] = at;
    const struct expr *inside = is_row(r);
    if (copy.all.count * r->axis[0].tile != segments * source->places)
        inside = both(
            r, inside,
            expr_binary(pool, EXPR_LESS, copy.all.place, number(r, segments * source->places)));
    if (border_of(source, source->rank - 1).rule == BORDER_NONE) {
        inside = both(r, inside, expr_binary(pool, EXPR_LESS_EQUAL, fastest->first, at));
        inside = both(
            r, inside,
            expr_binary(pool, EXPR_LESS, at, region_sum(pool, fastest->first, fastest->extent, 1)));
    }
    return copy_loop(r, &copy, inside, source->memory, 3, place_of(r, copy.segment, copy.place),
                     expr_load(pool, image->id.index, image->scalar, image->interval, source->rank,
                               index, source->border));
}

static const struct statement *store_rows(const struct rows *r)
{
    struct pass_context *context = r->l->context;
    struct expr_pool *pool = context->pool;
    const struct stage *sink = r->l->group->sink;
    const unsigned along = r->l->group->along;
    const struct copy copy = copy_of(r, threads_along(r, 0), r->places);
    const struct expr *segment = segment_at(r, copy.segment);
    const struct expr *inside =
        both(r, is_row(r), expr_binary(pool, EXPR_LESS, segment, r->axis[0].extent));
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, sink->rank);
    for (unsigned k = 0; k < sink->rank; k++)
        index[k] = sink->axis[k].variable;
    index[along] = region_sum(pool, r->stored->axis[along].first, copy.place, 1);
    index[along - 1] = region_sum(pool, r->axis[0].first, segment, 1);
    if (r->count > 1)
        index[along - 2] = row_of(r);
    const struct buffer *rows = program_buffer(r->l->program, r->memory);
    return copy_loop(r, &copy, inside, r->stored->id, sink->rank, index,
                     expr_load(pool, rows->id.index, rows->scalar, rows->interval, 3,
                               place_of(r, copy.segment, copy.place), NULL));
}

/* ---- All ---- */

/* Whether the last stage is stored by the block: it reads none of its own samples. */
static bool stores_rows(const struct rows *r)
{
    const struct stage *sink = r->l->group->sink;
    const struct expr *extent = r->stored->axis[r->l->group->along].extent;
    return extent->kind == EXPR_INTEGER && copies(r, extent->as.integer) &&
           !stage_reads(sink, sink, r->l->context->scratch);
}

/* Whether all rows of the nest are inside the image along its other axes. */
static bool is_inside(const struct rows *r, const struct source *source)
{
    const struct stage *sink = r->l->group->sink;
    const struct buffer *image = program_buffer(r->l->program, source->image);
    bool inside = true;
    for (unsigned k = 0; k + 1 < source->rank; k++) {
        unsigned own = 0;
        while (own < sink->rank && source->index[k] != sink->axis[own].variable)
            own++;
        inside =
            inside && (border_of(source, k).rule != BORDER_NONE ||
                       (own < sink->rank && r->stored->axis[own].first == image->axis[k].first &&
                        r->stored->axis[own].extent == image->axis[k].extent));
    }
    return inside;
}

/* Drops sources of which it is not known that they are inside; finds those that segments may store
 * in the place of. */
static void settle_sources(struct rows *r, bool is_read)
{
    const struct expr *first = r->stored->axis[r->l->group->along].first;
    const int64_t sector = choice_value(r->l->context, CHOICE_COPY_BYTES);
    bool any = is_read || !r->places;
    for (unsigned i = 0; i < r->sources; i++) {
        struct source *source = &r->source[i];
        const struct buffer *image = program_buffer(r->l->program, source->image);
        if (!(source->in_any_case || is_inside(r, source)) ||
            source->end - source->least > 2 * source->places ||
            source->places * (int64_t)scalar_info[image->scalar].bytes <= sector)
            source->places = 0;
        source->in_place =
            !any && source->places == r->places && source->end - source->least == source->places &&
            first == region_sum(lines_pool(r->l), source->begin, number(r, source->least), 1) &&
            image->scalar == r->stored->scalar &&
            (scalar_is_float(image->scalar) ||
             (interval_inside(image->interval, r->stored->interval) &&
              interval_inside(r->stored->interval, image->interval)));
        any = any || source->in_place;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < r->sources; i++)
        kept += r->source[i].places > 0;
    if (kept == 0)
        r->sources = 0;
}

/* As many rows as fit. False: none does. */
static bool settle_rows(struct rows *r)
{
    const int64_t row = bytes_of_row(r);
    const int64_t most = row ? target_fast_bytes(r->l->context->target) / row : 0;
    if (most && r->count > 1 && r->axis[1].tile > most)
        r->axis[1].tile = most > 1 ? most / 2 * 2 : most;
    return most > 0;
}

const struct statement *grid_add_rows(struct lines *l, struct grid_axis axis[], unsigned count,
                                      const struct buffer *stored, bool is_read,
                                      const struct statement *work, struct grid_shared *shared)
{
    struct pass_context *context = l->context;
    struct rows r = {.l = l, .axis = axis, .count = count, .stored = stored};
    shared->count = 0;
    if (l->group->along + 1 != l->group->sink->rank || count == 0 ||
        count + 1 < l->group->sink->rank)
        return work;
    r.places = stores_rows(&r) ? stored->axis[l->group->along].extent->as.integer : 0;
    search_statement(work, &r);
    settle_sources(&r, is_read);
    if (!settle_rows(&r)) {
        r.sources = 0;
        if (!settle_rows(&r))
            return work;
    }
    buffer_id *memory = ARENA_ARRAY(context->scratch, buffer_id, MOST_SOURCES + 1);
    struct statement_items ahead = {0};
    if (r.places)
        memory[shared->count++] = r.memory =
            add_memory(&r, *stored, threads_along(&r, 0), r.places);
    for (unsigned i = 0; i < r.sources; i++) {
        struct source *source = &r.source[i];
        if (source->places == 0)
            continue;
        source->memory = r.memory;
        if (!source->in_place)
            memory[shared->count++] = source->memory =
                add_memory(&r, *program_buffer(l->program, source->image), segments_of(&r, source),
                           source->places);
        VECTOR_PUSH(context->scratch, &ahead, read_rows(&r, source));
    }
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = load_of_rows, .context = &r, .scratch = context->scratch};
    if (ahead.count) {
        shared->ahead = statement_block(context->output, work->span, ahead.count, ahead.item);
        work = statement_rewrite(context->output, work, &rewriter);
    }
    if (r.places) {
        shared->behind = store_rows(&r);
        work = store_in_rows(work, &r);
    }
    shared->buffer = memory;
    return work;
}
