/* text → loop program. */
#include "loop/loop_text.h"

#include "graph/graph_text.h"

/* Statements one in another. */
enum { MOST_NESTED = 500 };

struct program_reader {
    struct expr_reader expr;
    struct arena *arena;
    struct program *program;
};

static const struct statement *read_statement(struct program_reader *reader, unsigned nesting);

/* ---- Buffers ---- */

static void read_axes(struct program_reader *reader, struct buffer *buffer)
{
    struct ir_reader *ir = &reader->expr.ir;
    VECTOR(struct buffer_axis) axes = {0};
    expr_read_shared(&reader->expr);
    while (ir_accept(ir, "axis")) {
        struct buffer_axis axis = {.name = ir_expect_kind(ir, IR_NAME).name};
        ir_expect(ir, "from");
        axis.first = expr_read(&reader->expr);
        ir_expect(ir, "extent");
        axis.extent = expr_read(&reader->expr);
        axis.circular = ir_accept(ir, "circular");
        VECTOR_PUSH(reader->arena, &axes, axis);
        expr_read_shared(&reader->expr);
    }
    buffer->rank = (unsigned)axes.count;
    /* Its address tells buffers apart in emitted text, so there is one without axes, too. */
    buffer->axis = axes.count ? axes.item : ARENA_NEW(reader->arena, struct buffer_axis);
}

static uint32_t read_slot(struct ir_reader *ir)
{
    if (!ir_accept(ir, "slot"))
        return NO_SLOT;
    const struct ir_token token = ir->token;
    const int64_t slot = ir_expect_kind(ir, IR_INTEGER).integer;
    if (slot < 0 || slot >= NO_SLOT)
        ir_fail_at(ir, token, "a slot is not negative, and below 2^32 - 1");
    return (uint32_t)slot;
}

/* The values must be as many as the box has samples: nothing else tells how many there are. */
static void read_constants(struct program_reader *reader, struct buffer *buffer)
{
    struct ir_reader *ir = &reader->expr.ir;
    const struct ir_token token = ir->token;
    if (!ir_accept(ir, "values"))
        return;
    size_t count, samples = 1;
    const struct expr *const *value = graph_read_constants(&reader->expr, &count);
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *extent = buffer->axis[k].extent;
        const bool good = extent->kind == EXPR_INTEGER && extent->as.integer >= 0 &&
                          extent->as.integer <= INT32_MAX && samples <= INT32_MAX;
        samples = good ? samples * (size_t)extent->as.integer : 0;
    }
    if (samples != count || count == 0)
        ir_fail_at(ir, token, "there are %zu values in a box of %zu samples", count, samples);
    buffer->constant = value;
}

/* Behind "buffer". */
static void read_buffer(struct program_reader *reader)
{
    struct ir_reader *ir = &reader->expr.ir;
    uint32_t place;
    struct buffer buffer = {.name = expr_read_new_source(&reader->expr, &place)};
    buffer.id.index = ir->token.kind == IR_RAW ? (uint32_t)ir_next(ir).integer : place;
    ir_expect(ir, ":");
    const unsigned space = ir_expect_word(ir, space_text, SPACE_COUNT, "a space");
    buffer.space = space < SPACE_COUNT ? (enum buffer_space)space : SPACE_SCRATCH;
    buffer.scalar = expr_read_type(&reader->expr, &buffer.interval);
    buffer.fixed = graph_read_fixed(&reader->expr);
    buffer.span = ir_read_span(ir);
    reader->expr.sources.item[place].scalar = buffer.scalar;
    reader->expr.sources.item[place].interval = buffer.interval;
    ir_expect(ir, "{");
    read_axes(reader, &buffer);
    if (buffer.space == SPACE_PART) {
        ir_expect(ir, "within");
        buffer.within.index = (uint32_t)ir_expect_kind(ir, IR_INTEGER).integer;
        if (ir_accept(ir, "cut"))
            buffer.cut = (unsigned)ir_expect_kind(ir, IR_INTEGER).integer;
    }
    if (ir_accept(ir, "bypass")) {
        buffer.bypass = ir_accept(ir, "always") ? BYPASS_ALWAYS : BYPASS_NEVER;
        if (buffer.bypass == BYPASS_NEVER)
            ir_expect(ir, "never");
    }
    buffer.slot = read_slot(ir);
    read_constants(reader, &buffer);
    ir_expect(ir, "}");
    VECTOR_PUSH(reader->arena, &reader->program->buffers, buffer);
}

static buffer_id read_buffer_name(struct program_reader *reader)
{
    return (buffer_id){expr_read_source(&reader->expr)};
}

/* ---- Values, regions ---- */

static void read_value(struct program_reader *reader)
{
    struct named_value value = {.variable = expr_read_variable(&reader->expr, VARIABLE_EXTENT)};
    ir_expect(&reader->expr.ir, "=");
    value.value = expr_read(&reader->expr);
    VECTOR_PUSH(reader->arena, &reader->program->values, value);
}

static void read_skew(struct program_reader *reader)
{
    struct cache_skew skew = {.variable = expr_read_variable(&reader->expr, VARIABLE_EXTENT)};
    ir_expect(&reader->expr.ir, "of");
    skew.buffer = read_buffer_name(reader);
    VECTOR_PUSH(reader->arena, &reader->program->skews, skew);
}

static void read_region_variables(struct program_reader *reader)
{
    do
        VECTOR_PUSH(reader->arena, &reader->program->region_variables,
                    expr_read_variable(&reader->expr, VARIABLE_LOCAL));
    while (ir_accept(&reader->expr.ir, ","));
}

static enum input_reach read_reach(struct ir_reader *ir)
{
    for (int reach = REACH_PART + 1; reach < REACH_COUNT; reach++)
        if (ir_accept(ir, input_reach_text[reach]))
            return (enum input_reach)reach;
    return REACH_PART;
}

static void read_region(struct program_reader *reader)
{
    struct ir_reader *ir = &reader->expr.ir;
    VECTOR(const struct expr *) first = {0}, end = {0};
    VECTOR(enum input_reach) reach = {0};
    const struct ir_token name = ir->token;
    const buffer_id input = read_buffer_name(reader);
    ir_expect(ir, "(");
    if (!ir_is(ir, ")")) {
        do {
            VECTOR_PUSH(reader->arena, &first, expr_read(&reader->expr));
            ir_expect(ir, "..");
            VECTOR_PUSH(reader->arena, &end, expr_read(&reader->expr));
            VECTOR_PUSH(reader->arena, &reach, read_reach(ir));
        } while (ir_accept(ir, ","));
    }
    ir_expect(ir, ")");
    const struct program *program = reader->program;
    const size_t rank =
        input.index < program->buffers.count ? program->buffers.item[input.index].rank : 0;
    if (first.count != rank)
        ir_fail_at(ir, name, "this buffer has %zu axes, but its region %zu", rank, first.count);
    VECTOR_PUSH(reader->arena, &reader->program->regions,
                (struct input_region){input, first.item, end.item, reach.item});
}

/* ---- Statements ---- */

/* Statements up to a closing brace, which stays. */
static struct statement_list read_items(struct program_reader *reader, unsigned nesting)
{
    VECTOR(const struct statement *) items = {0};
    struct ir_reader *ir = &reader->expr.ir;
    if (nesting > MOST_NESTED)
        ir_fail(ir, "more than %d statements stand one in another", MOST_NESTED);
    while (!ir_is(ir, "}") && !ir->failed)
        VECTOR_PUSH(reader->arena, &items, read_statement(reader, nesting + 1));
    return (struct statement_list){items.item, items.count};
}

/* In braces: one statement stands for itself, else they are a block. */
static const struct statement *read_body(struct program_reader *reader, unsigned nesting)
{
    struct ir_reader *ir = &reader->expr.ir;
    ir_expect(ir, "{");
    const struct statement_list items = read_items(reader, nesting);
    ir_expect(ir, "}");
    if (items.count == 1)
        return items.item[0];
    const struct span span = ir_read_span(ir);
    return STATEMENT_NEW(reader->arena, span, .kind = STATEMENT_BLOCK, .as.block = items);
}

static void read_loop(struct program_reader *reader, struct statement *s, unsigned nesting)
{
    struct ir_reader *ir = &reader->expr.ir;
    s->as.loop.variable = expr_read_variable(&reader->expr, VARIABLE_INDEX);
    ir_expect(ir, "from");
    s->as.loop.first = expr_read(&reader->expr);
    ir_expect(ir, "extent");
    s->as.loop.extent = expr_read(&reader->expr);
    const unsigned level = ir_expect_word(ir, level_text, LEVEL_COUNT, "a level");
    s->as.loop.level = level < LEVEL_COUNT ? (enum parallel_level)level : LEVEL_SERIAL;
    s->as.loop.reversed = ir_accept(ir, "reversed");
    s->as.loop.bypassing = ir_accept(ir, "bypassing");
    s->as.loop.together = ir_accept(ir, "together");
    if (ir_accept(ir, "by"))
        s->as.loop.by = ir_expect_kind(ir, IR_INTEGER).integer;
    s->as.loop.body = read_body(reader, nesting);
}

/* B[…] */
static unsigned read_place(struct program_reader *reader, buffer_id *buffer,
                           const struct expr *const **indices)
{
    struct ir_reader *ir = &reader->expr.ir;
    VECTOR(const struct expr *) index = {0};
    const struct ir_token name = ir->token;
    *buffer = read_buffer_name(reader);
    ir_expect(ir, "[");
    if (!ir_is(ir, "]")) {
        do
            VECTOR_PUSH(reader->arena, &index, expr_read(&reader->expr));
        while (ir_accept(ir, ","));
    }
    ir_expect(ir, "]");
    if (index.count > GRAPH_MAX_RANK)
        ir_fail_at(ir, name, "a buffer has at most %d axes", GRAPH_MAX_RANK);
    *indices = index.item;
    return (unsigned)index.count;
}

static void read_store(struct program_reader *reader, struct statement *s)
{
    if (ir_accept(&reader->expr.ir, "atomic"))
        s->as.store.join = ir_expect_word(&reader->expr.ir, join_text, JOIN_COUNT, "a join");
    if (ir_accept(&reader->expr.ir, "beside"))
        s->as.store.beside = (unsigned)ir_expect_kind(&reader->expr.ir, IR_INTEGER).integer;
    s->as.store.rank = read_place(reader, &s->as.store.buffer, &s->as.store.index);
    ir_expect(&reader->expr.ir, "=");
    s->as.store.value = expr_read(&reader->expr);
}

static void read_prefetch(struct program_reader *reader, struct statement *s)
{
    s->as.prefetch.beside = ir_accept(&reader->expr.ir, "beside");
    s->as.prefetch.rank = read_place(reader, &s->as.prefetch.buffer, &s->as.prefetch.index);
    ir_expect(&reader->expr.ir, "extent");
    s->as.prefetch.extent = expr_read(&reader->expr);
}

static void read_transform(struct program_reader *reader, struct statement *s)
{
    struct ir_reader *ir = &reader->expr.ir;
    graph_read_transform(ir, &s->as.transform.kind, &s->as.transform.norm);
    ir_expect(ir, "extent");
    s->as.transform.extent = expr_read(&reader->expr);
    ir_expect(ir, "table");
    s->as.transform.table = s->as.transform.panel = read_buffer_name(reader);
    s->as.transform.prepares = !ir_accept(ir, "panel");
    if (!s->as.transform.prepares)
        s->as.transform.panel = read_buffer_name(reader);
}

static void read_particles(struct program_reader *reader, struct statement *s)
{
    struct ir_reader *ir = &reader->expr.ir;
    unsigned call = 0;
    while (call + 1 < PARTICLE_CALLS && !ir_accept(ir, particle_call_info[call].text))
        call++;
    if (call + 1 == PARTICLE_CALLS)
        ir_expect(ir, particle_call_info[call].text);
    s->as.particles.call = (enum particle_call)call;
    for (unsigned i = 0; i < particle_call_info[call].count; i++) {
        ir_expect(ir, particle_call_info[call].buffer[i].name);
        s->as.particles.buffer[i] = read_buffer_name(reader);
    }
}

static const struct kernel_windows *read_windows(struct program_reader *reader)
{
    static const char *const word[] = {"structure", "values", "results", "room", "window", "line"};
    struct ir_reader *ir = &reader->expr.ir;
    struct kernel_windows *w = ARENA_NEW(reader->arena, struct kernel_windows);
    buffer_id *const buffer[] = {&w->structure, &w->values, &w->results,
                                 &w->room,      &w->window, &w->line};
    w->lines = expr_read_variable(&reader->expr, VARIABLE_LOCAL);
    w->cells = expr_read_variable(&reader->expr, VARIABLE_LOCAL);
    for (unsigned i = 0; i < sizeof word / sizeof *word; i++) {
        ir_expect(ir, word[i]);
        *buffer[i] = read_buffer_name(reader);
    }
    for (unsigned a = 0; a < 3; a++) {
        w->first[a] = ir_expect_kind(ir, IR_INTEGER).integer;
        w->extent[a] = ir_expect_kind(ir, IR_INTEGER).integer;
        w->border[a] = ir_expect_kind(ir, IR_INTEGER).integer;
    }
    return w;
}

static void read_fields(struct program_reader *reader, struct statement *s, unsigned nesting)
{
    struct ir_reader *ir = &reader->expr.ir;
    switch (s->kind) {
    case STATEMENT_BLOCK:
        ir_expect(ir, "{");
        s->as.block = read_items(reader, nesting);
        ir_expect(ir, "}");
        break;
    case STATEMENT_LOOP:
        read_loop(reader, s, nesting);
        break;
    case STATEMENT_IF:
        s->as.branch.packed = ir_accept(ir, "packed");
        s->as.branch.condition = expr_read(&reader->expr);
        s->as.branch.then = read_body(reader, nesting);
        if (ir_accept(ir, "else"))
            s->as.branch.otherwise = read_body(reader, nesting);
        break;
    case STATEMENT_LET:
        s->as.let.variable = expr_read_variable(&reader->expr, VARIABLE_LOCAL);
        ir_expect(ir, "=");
        s->as.let.value = expr_read(&reader->expr);
        break;
    case STATEMENT_STORE:
        read_store(reader, s);
        break;
    case STATEMENT_ALLOCATE:
        s->as.allocate.buffer = read_buffer_name(reader);
        break;
    case STATEMENT_KERNEL:
        s->as.kernel.name = ir_expect_kind(ir, IR_NAME).name;
        s->as.kernel.staged = ir_accept(ir, "staged");
        s->as.kernel.alone = ir_accept(ir, "alone");
        s->as.kernel.on_host = ir_accept(ir, "on_host");
        s->as.kernel.small = ir_accept(ir, "small");
        s->as.kernel.windows = ir_accept(ir, "windows") ? read_windows(reader) : NULL;
        s->as.kernel.body = read_body(reader, nesting);
        break;
    case STATEMENT_PREFETCH:
        read_prefetch(reader, s);
        break;
    case STATEMENT_TRANSFORM:
        read_transform(reader, s);
        break;
    case STATEMENT_PARTICLES:
        read_particles(reader, s);
        break;
    case STATEMENT_NOTE:
        s->as.note.text = ir_expect_kind(ir, IR_TEXT).text;
        break;
    case STATEMENT_BARRIER:
    case STATEMENT_KIND_COUNT:
        break;
    }
}

static enum statement_kind read_kind(struct ir_reader *ir)
{
    const unsigned kind = ir_expect_word(ir, statement_text, STATEMENT_KIND_COUNT, "a statement");
    return kind < STATEMENT_KIND_COUNT ? (enum statement_kind)kind : STATEMENT_BARRIER;
}

static const struct statement *read_statement(struct program_reader *reader, unsigned nesting)
{
    struct ir_reader *ir = &reader->expr.ir;
    expr_read_shared(&reader->expr);
    struct statement s = {.kind = read_kind(ir)};
    s.span = ir_read_span(ir);
    read_fields(reader, &s, nesting);
    return statement_new(reader->arena, s);
}

/* ---- The program ---- */

/* A list of parts that begin with one word, each with its shared lines in front. */
static bool read_next(struct program_reader *reader, const char *word)
{
    expr_read_shared(&reader->expr);
    return ir_accept(&reader->expr.ir, word);
}

/* The parts in the order they are printed in. */
static void read_parts(struct program_reader *reader)
{
    struct program *program = reader->program;
    struct arena *arena = reader->arena;
    expr_read_variables(&reader->expr);
    while (read_next(reader, "parameter"))
        VECTOR_PUSH(arena, &program->parameters, graph_read_parameter(&reader->expr));
    while (read_next(reader, "buffer"))
        read_buffer(reader);
    while (read_next(reader, "value"))
        read_value(reader);
    while (read_next(reader, "skew"))
        read_skew(reader);
    while (read_next(reader, "check"))
        VECTOR_PUSH(arena, &program->checks, graph_read_check(&reader->expr));
    while (read_next(reader, "input"))
        VECTOR_PUSH(arena, &program->inputs, read_buffer_name(reader));
    while (read_next(reader, "output"))
        VECTOR_PUSH(arena, &program->outputs, read_buffer_name(reader));
    if (read_next(reader, "region_variables"))
        read_region_variables(reader);
    while (read_next(reader, "region"))
        read_region(reader);
    ir_expect(&reader->expr.ir, "body");
    program->body = read_body(reader, 0);
    ir_expect_kind(&reader->expr.ir, IR_END);
}

const struct program *program_read(struct session *session, const char *name, const char *text,
                                   size_t length)
{
    struct program_reader reader = {.expr = expr_reader_open(session, name, text, length),
                                    .arena = session->ir,
                                    .program = ARENA_NEW(session->ir, struct program)};
    reader.expr.widened = true;
    struct ir_reader *ir = &reader.expr.ir;
    ir_expect(ir, "program");
    reader.program->name = ir_expect_kind(ir, IR_NAME).name;
    reader.program->text = ir_read_text(ir);
    if (!reader.program->text)
        reader.program->text = "";
    read_parts(&reader);
    return ir->failed ? NULL : reader.program;
}
