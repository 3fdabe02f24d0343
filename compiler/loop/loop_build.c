/* Building and rebuilding of loop programs. */
#include "loop/loop.h"

const char *const statement_text[STATEMENT_KIND_COUNT] = {
#define STATEMENT(kind, text) [STATEMENT_##kind] = text,
#include "loop/loop_statements.def"
#undef STATEMENT
};
const char *const join_text[JOIN_COUNT] = {"none", "sum", "minimum", "maximum"};

const char *const level_text[LEVEL_COUNT] = {
#define LEVEL(name, text) [LEVEL_##name] = text,
#include "loop/loop_levels.def"
#undef LEVEL
};
const char *const space_text[SPACE_COUNT] = {
#define SPACE(name, text) [SPACE_##name] = text,
#include "loop/loop_spaces.def"
#undef SPACE
};

struct program *program_copy(struct arena *arena, const struct program *program)
{
    struct program *copy = arena_copy(arena, program, sizeof *program);
    /* No room to spare: the first append makes a new array, and the original stays as it is. */
    copy->parameters.capacity = copy->parameters.count;
    copy->values.capacity = copy->values.count;
    copy->skews.capacity = copy->skews.count;
    copy->checks.capacity = copy->checks.count;
    copy->obeyed.capacity = copy->obeyed.count;
    copy->inputs.capacity = copy->inputs.count;
    copy->outputs.capacity = copy->outputs.count;
    copy->regions.capacity = copy->regions.count;
    copy->region_variables.capacity = copy->region_variables.count;
    copy->slots.capacity = copy->slots.count;
    copy->buffers.capacity = copy->buffers.count;
    if (copy->buffers.count)
        copy->buffers.item = arena_copy(arena, program->buffers.item,
                                        program->buffers.count * sizeof *program->buffers.item);
    return copy;
}

void program_obey(struct arena *arena, struct program *program, const struct stage *stage,
                  enum stage_detail detail)
{
    VECTOR_PUSH(arena, &program->obeyed, (struct obeyed){stage->name, detail});
}

buffer_id program_add_buffer(struct arena *arena, struct program *program, struct buffer buffer)
{
    buffer.id.index = (uint32_t)program->buffers.count;
    VECTOR_PUSH(arena, &program->buffers, buffer);
    return buffer.id;
}

static bool is_taken(const struct program *program, const struct symbol *name)
{
    bool taken = false;
    for (size_t i = 0; i < program->buffers.count; i++)
        taken = taken || program->buffers.item[i].name == name;
    return taken;
}

const struct symbol *program_buffer_name(const struct program *program,
                                         struct symbol_table *symbols, const struct symbol *of,
                                         const char *part)
{
    const struct symbol *name = symbol_format(symbols, "%s.%s", of->text, part);
    for (unsigned i = 2; is_taken(program, name); i++)
        name = symbol_format(symbols, "%s.%s_%u", of->text, part, i);
    return name;
}

const struct statement *statement_new(struct arena *arena, struct statement statement)
{
    return arena_copy(arena, &statement, sizeof statement);
}

static bool opens_scope(const struct statement *block)
{
    for (size_t i = 0; i < block->as.block.count; i++) {
        const enum statement_kind kind = block->as.block.item[i]->kind;
        if (kind == STATEMENT_LET || kind == STATEMENT_ALLOCATE)
            return true;
    }
    return false;
}

const struct statement *statement_block(struct arena *arena, struct span span, size_t count,
                                        const struct statement *const item[])
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total +=
            item[i]->kind == STATEMENT_BLOCK && !opens_scope(item[i]) ? item[i]->as.block.count : 1;
    if (count == 1 && (total == 1 || item[0]->kind == STATEMENT_BLOCK))
        return item[0];
    const struct statement **flat = ARENA_ARRAY(arena, const struct statement *, total + 1);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (item[i]->kind != STATEMENT_BLOCK || opens_scope(item[i])) {
            flat[at++] = item[i];
            continue;
        }
        for (size_t k = 0; k < item[i]->as.block.count; k++)
            flat[at++] = item[i]->as.block.item[k];
    }
    return STATEMENT_NEW(arena, span, .kind = STATEMENT_BLOCK, .as.block = {flat, total});
}

const struct expr *store_joined(const struct statement *store, enum join *join)
{
    const struct expr *value = store->as.store.value;
    while (value->kind == EXPR_CONVERT)
        value = value->operand[0];
    *join = value->kind == EXPR_ADD               ? JOIN_SUM
            : value->kind == EXPR_ORDERED_MINIMUM ? JOIN_MINIMUM
            : value->kind == EXPR_ORDERED_MAXIMUM ? JOIN_MAXIMUM
                                                  : JOIN_NONE;
    if (*join == JOIN_NONE)
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *load = value->operand[i];
        bool same = load->kind == EXPR_LOAD && !load->as.load.border &&
                    load->as.load.source == store->as.store.buffer.index;
        for (unsigned k = 0; k < store->as.store.rank && same; k++)
            same = load->operand[k] == store->as.store.index[k];
        if (same)
            return value->operand[1 - i];
    }
    return NULL;
}

/* Where the children of a statement are: at most two, or the items of a block. */
static unsigned child_slots(struct statement *s, const struct statement **slot[2])
{
    switch (s->kind) {
    case STATEMENT_LOOP:
        slot[0] = &s->as.loop.body;
        return 1;
    case STATEMENT_IF:
        slot[0] = &s->as.branch.then;
        slot[1] = &s->as.branch.otherwise;
        return s->as.branch.otherwise ? 2 : 1;
    case STATEMENT_KERNEL:
        slot[0] = &s->as.kernel.body;
        return 1;
    case STATEMENT_BLOCK:
    case STATEMENT_LET:
    case STATEMENT_STORE:
    case STATEMENT_ALLOCATE:
    case STATEMENT_BARRIER:
    case STATEMENT_NOTE:
    case STATEMENT_PREFETCH:
    case STATEMENT_TRANSFORM:
    case STATEMENT_PARTICLES:
    case STATEMENT_KIND_COUNT:
        break;
    }
    return 0;
}

const struct statement *
statement_rebuild(struct arena *arena, const struct statement *statement,
                  const struct statement *(*rewrite)(const struct statement *child, void *context),
                  void *context)
{
    bool changed = false;
    if (statement->kind == STATEMENT_BLOCK) {
        const size_t count = statement->as.block.count;
        const struct statement **item = ARENA_ARRAY(arena, const struct statement *, count + 1);
        for (size_t i = 0; i < count; i++) {
            item[i] = rewrite(statement->as.block.item[i], context);
            changed = changed || item[i] != statement->as.block.item[i];
        }
        return changed ? statement_block(arena, statement->span, count, item) : statement;
    }
    struct statement copy = *statement;
    const struct statement **slot[2];
    const unsigned count = child_slots(&copy, slot);
    for (unsigned i = 0; i < count; i++) {
        const struct statement *child = rewrite(*slot[i], context);
        changed = changed || child != *slot[i];
        *slot[i] = child;
    }
    return changed ? statement_new(arena, copy) : statement;
}

/* Where a statement's own expressions are; the indices of stores and prefetches are apart. */
static unsigned expression_slots(struct statement *s, const struct expr **slot[3])
{
    switch (s->kind) {
    case STATEMENT_LOOP:
        slot[0] = &s->as.loop.first;
        slot[1] = &s->as.loop.extent;
        return 2;
    case STATEMENT_IF:
        slot[0] = &s->as.branch.condition;
        return 1;
    case STATEMENT_LET:
        slot[0] = &s->as.let.value;
        return 1;
    case STATEMENT_STORE:
        slot[0] = &s->as.store.value;
        return 1;
    case STATEMENT_PREFETCH:
        slot[0] = &s->as.prefetch.extent;
        return 1;
    case STATEMENT_TRANSFORM:
        slot[0] = &s->as.transform.extent;
        return 1;
    case STATEMENT_BLOCK:
    case STATEMENT_ALLOCATE:
    case STATEMENT_BARRIER:
    case STATEMENT_KERNEL:
    case STATEMENT_NOTE:
    case STATEMENT_PARTICLES:
    case STATEMENT_KIND_COUNT:
        break;
    }
    return 0;
}

/* Those indices; NULL: it has none. */
static const struct expr *const **index_slot(struct statement *s, unsigned *rank)
{
    *rank = s->kind == STATEMENT_STORE      ? s->as.store.rank
            : s->kind == STATEMENT_PREFETCH ? s->as.prefetch.rank
                                            : 0;
    return s->kind == STATEMENT_STORE      ? &s->as.store.index
           : s->kind == STATEMENT_PREFETCH ? &s->as.prefetch.index
                                           : NULL;
}

const struct statement *
statement_rewrite_expressions(struct arena *arena, const struct statement *statement,
                              const struct expr *(*rewrite)(const struct expr *node, void *context),
                              void *context)
{
    struct statement copy = *statement;
    const struct expr **slot[3];
    const unsigned count = expression_slots(&copy, slot);
    bool changed = false;
    for (unsigned i = 0; i < count; i++) {
        const struct expr *node = rewrite(*slot[i], context);
        changed = changed || node != *slot[i];
        *slot[i] = node;
    }
    unsigned rank;
    const struct expr *const **indices = index_slot(&copy, &rank);
    if (indices) {
        const struct expr **index = ARENA_ARRAY(arena, const struct expr *, rank + 1);
        for (unsigned i = 0; i < rank; i++) {
            index[i] = rewrite((*indices)[i], context);
            changed = changed || index[i] != (*indices)[i];
        }
        *indices = index;
    }
    return changed ? statement_new(arena, copy) : statement;
}

void statement_expressions(const struct statement *statement,
                           void (*visit)(const struct expr *node, void *context), void *context)
{
    struct statement copy = *statement;
    const struct expr **slot[3];
    const unsigned count = expression_slots(&copy, slot);
    for (unsigned i = 0; i < count; i++)
        visit(*slot[i], context);
    unsigned rank;
    const struct expr *const **indices = index_slot(&copy, &rank);
    for (unsigned i = 0; i < rank; i++)
        visit((*indices)[i], context);
}

void statement_children(const struct statement *statement,
                        void (*visit)(const struct statement *child, void *context), void *context)
{
    if (statement->kind == STATEMENT_BLOCK)
        for (size_t i = 0; i < statement->as.block.count; i++)
            visit(statement->as.block.item[i], context);
    struct statement copy = *statement;
    const struct statement **slot[2];
    const unsigned count = child_slots(&copy, slot);
    for (unsigned i = 0; i < count; i++)
        visit(*slot[i], context);
}

struct node_visit {
    struct expr_walk walk;
    void (*visit)(const struct expr *node, void *context);
    void *context;
};

static void visit_expression(const struct expr *root, void *user)
{
    struct node_visit *v = user;
    expr_visit(&v->walk, root, v->visit, v->context);
}

static void visit_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, visit_expression, user);
    statement_children(statement, visit_statement, user);
}

void statement_nodes(struct arena *scratch, const struct statement *statement,
                     void (*visit)(const struct expr *node, void *context), void *context)
{
    struct arena *aside = arena_aside(scratch);
    const struct arena_mark mark = arena_mark(aside);
    struct node_visit v = {{.scratch = aside}, visit, context};
    visit_statement(statement, &v);
    arena_release(aside, mark);
}

bool buffer_is_circular(const struct buffer *buffer)
{
    bool circular = false;
    for (unsigned k = 0; k < buffer->rank; k++)
        circular = circular || buffer->axis[k].circular;
    return circular;
}
