/* What a kernel uses: buffers that it reads and stores, and values of the host. */
#include "emit/emission.h"
#include "loop/shared_loops.h"

struct walk {
    struct kernel_uses uses;
    struct emission *e;
    struct hash_map seen; /* buffers, variables */
    struct expr_walk walk;
    bool threads; /* a loop over them is around */
};

static void use_variable(const struct expr *node, void *user);

static void use_buffer(struct walk *u, uint32_t id)
{
    const struct buffer *buffer = &u->e->program->buffers.item[id];
    if (hash_map_find(&u->seen, buffer))
        return;
    hash_map_put(u->e->arena, &u->seen, buffer, (void *)(uintptr_t)buffer);
    VECTOR_PUSH(u->e->arena, &u->uses.buffers, buffer);
    const bool is_tile = buffer->space == SPACE_TILE, is_lines = buffer_holds_lines(buffer);
    u->uses.lines = u->uses.lines || (is_tile && is_lines);
    u->uses.tiles = u->uses.tiles || (is_tile && !is_lines);
    for (unsigned k = 0; k < buffer->rank; k++)
        expr_visit(&u->walk, buffer->axis[k].first, use_variable, u);
}

static void use_variable(const struct expr *node, void *user)
{
    struct walk *u = user;
    if (node->kind == EXPR_LOAD)
        use_buffer(u, node->as.load.source);
    if (node->kind != EXPR_VARIABLE ||
        (node->as.variable.kind != VARIABLE_EXTENT &&
         node->as.variable.kind != VARIABLE_PARAMETER && !name_is_of_host(u->e, node)))
        return;
    if (!hash_map_find(&u->seen, node)) {
        hash_map_put(u->e->arena, &u->seen, node, (void *)(uintptr_t)node);
        VECTOR_PUSH(u->e->arena, &u->uses.variables, node);
    }
}

static void use_expression(const struct expr *node, void *user)
{
    struct walk *u = user;
    expr_visit(&u->walk, node, use_variable, u);
}

static void use_particles(const struct statement *statement, struct walk *u)
{
    const struct particle_call_info *info = &particle_call_info[statement->as.particles.call];
    for (unsigned i = 0; i < info->count; i++) {
        const buffer_id id = statement->as.particles.buffer[i];
        const struct buffer *buffer = program_buffer(u->e->program, id);
        use_buffer(u, id.index);
        hash_map_put(u->e->arena, &u->uses.whole, buffer, (void *)(uintptr_t)buffer);
        const bool told =
            (i == 0 && info->box != BOX_UNTOLD) || info->buffer[i].size == SIZE_OF_ALL;
        for (unsigned k = 0; k < buffer->rank && told; k++)
            use_expression(buffer->axis[k].extent, u);
        if (info->buffer[i].is_stored)
            hash_map_put(u->e->arena, &u->uses.stored, buffer, (void *)(uintptr_t)buffer);
    }
}

static void use_statement(const struct statement *statement, void *user)
{
    struct walk *u = user;
    /* The number of launches is the host's business. */
    const bool threads = threads_share(statement);
    const bool launched =
        statement->kind == STATEMENT_LOOP && u->e->dialect->launch_index[statement->as.loop.level];
    if (threads && (u->threads || threads_loop_in(statement->as.loop.body)))
        use_expression(statement->as.loop.first, u);
    if (threads && u->threads)
        use_expression(statement->as.loop.extent, u);
    if (launched)
        use_expression(statement->as.loop.first, u);
    else if (!threads)
        statement_expressions(statement, use_expression, u);
    u->threads = u->threads || threads;
    u->uses.exchanges =
        u->uses.exchanges || statement->kind == STATEMENT_BARRIER ||
        (statement->kind == STATEMENT_STORE && statement->as.store.join != JOIN_NONE);
    if (statement->kind == STATEMENT_PREFETCH)
        use_buffer(u, statement->as.prefetch.buffer.index);
    if (statement->kind == STATEMENT_TRANSFORM) {
        const struct buffer *table = program_buffer(u->e->program, statement->as.transform.table);
        use_buffer(u, table->id.index);
        if (statement->as.transform.prepares)
            hash_map_put(u->e->arena, &u->uses.stored, table, (void *)(uintptr_t)table);
    }
    if (statement->kind == STATEMENT_PARTICLES)
        use_particles(statement, u);
    if (statement->kind == STATEMENT_STORE) {
        use_buffer(u, statement->as.store.buffer.index);
        const struct buffer *buffer = program_buffer(u->e->program, statement->as.store.buffer);
        hash_map_put(u->e->arena, &u->uses.stored, buffer, (void *)(uintptr_t)buffer);
    }
    statement_children(statement, use_statement, u);
}

struct kernel_uses kernel_uses_of(struct emission *e, const struct statement *body)
{
    struct walk u = {.e = e, .walk = {.scratch = e->arena}};
    use_statement(body, &u);
    return u.uses;
}

bool kernel_stores(const struct kernel_uses *uses, const struct buffer *buffer)
{
    return hash_map_find(&uses->stored, buffer) != NULL;
}

const char *type_in_frame(const struct expr *variable)
{
    return variable->as.variable.kind == VARIABLE_PARAMETER ? scalar_info[variable->scalar].c_type
                                                            : "int64_t";
}

/* Whether both may lie in the same memory. */
static bool share_memory(const struct emission *e, const struct buffer *a, const struct buffer *b)
{
    const struct buffer *of_a = program_buffer(e->program, buffer_memory(a));
    const struct buffer *of_b = program_buffer(e->program, buffer_memory(b));
    return of_a == of_b || (of_a->space == SPACE_SCRATCH && of_b->space == SPACE_SCRATCH &&
                            of_a->slot != NO_SLOT && of_a->slot == of_b->slot);
}

const char *restriction(const struct emission *e, const struct kernel_uses *uses,
                        const struct buffer *buffer)
{
    const bool grid = e->target->execution == EXECUTION_GRID;
    bool stored = !uses || (uses->exchanges && kernel_stores(uses, buffer));
    for (size_t i = 0; uses && i < uses->buffers.count; i++) {
        const struct buffer *other = uses->buffers.item[i];
        stored = stored || (other != buffer && share_memory(e, buffer, other) &&
                            (kernel_stores(uses, other) || kernel_stores(uses, buffer)));
    }
    return grid && stored ? "" : "FLT_RESTRICT ";
}
