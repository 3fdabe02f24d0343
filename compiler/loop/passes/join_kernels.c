/* join_kernels: loop → loop. A launch takes longer than many a small kernel. Kernels that follow
 * each other become one,
 *   where a thread needs of the others only what it has itself computed:
 *     before: kernel carry { grid_x { block_x { store carry[j, x] } } }
 *             kernel back { grid_x { block_x { store back[j, x] = carry[j, x] } } }
 *     after:  kernel carry { grid_x { block_x { store carry[j, x]  store back[j, x] = carry[j, x] } } }
 *   or where one block has all their threads:
 *     before: kernel hist { grid_x 8 { block_x 32 { store hist[b] } } }   kernel upto alone { store upto[b] }
 *     after:  kernel hist { block_x 256 { store hist[b]  barrier  if (t < 1) { store upto[b] } } }
 * Host kernels between them run ahead of them. */
#include "expr/affine.h"
#include "graph/placement/choose.h"
#include "loop/rewrite.h"
#include "loop_pass.h"

enum { MOST_LOOPS = 5 }; /* of a launch: of its grid and its blocks */

/* A load or a store of memory that outlives a kernel. */
struct access {
    uint32_t buffer;
    bool stores;
    unsigned rank;
    const struct expr *const *index; /* written out: without names of values */
};

struct member {
    const struct statement *kernel;
    const struct statement *loop[MOST_LOOPS];  /* of the launch, outermost first */
    const struct expr *coordinate[MOST_LOOPS]; /* of the loops, as the body calls them */
    unsigned loops;
    const struct statement *body; /* of a thread */
    bool plain;                   /* no barrier, no shared memory, no atomic store */
    bool bounded;                 /* neither threads nor steps depend on images */
    int64_t threads;              /* of the launch */
    int64_t steps;                /* of all loops of a thread */
    VECTOR(struct access) accesses;
};

struct joining {
    struct pass_context *context;
    const struct program *in;
    uint32_t kernels;              /* seen so far */
    VECTOR(struct member) members; /* that become one kernel */
    bool by_threads, by_block;     /* the ways in which they may */
    struct statement_items out;
};

/* ---- What a kernel does ---- */

struct search {
    struct joining *j;
    struct member *member;
    struct hash_map value; /* by name */
    struct expr_walk walk; /* of the statement at hand */
    int64_t around;        /* steps of the loops around it */
};

static const struct expr *written_out(const struct search *search, const struct expr *node)
{
    const struct pass_context *context = search->j->context;
    return expr_replace(context->pool, context->scratch, node, &search->value);
}

static void note_access(struct search *search, uint32_t buffer, unsigned rank,
                        const struct expr *const index[], bool stores)
{
    struct arena *scratch = search->j->context->scratch;
    const enum buffer_space space = search->j->in->buffers.item[buffer].space;
    if (space == SPACE_REGISTER || space == SPACE_CONSTANT)
        return;
    const struct expr **own = ARENA_ARRAY(scratch, const struct expr *, rank + 1);
    for (unsigned k = 0; k < rank; k++)
        own[k] = written_out(search, index[k]);
    search->member->plain = search->member->plain && space != SPACE_SHARED;
    VECTOR_PUSH(scratch, &search->member->accesses, (struct access){buffer, stores, rank, own});
}

static void note_load(const struct expr *node, void *user)
{
    if (node->kind == EXPR_LOAD)
        note_access(user, node->as.load.source, node->count, node->operand, false);
}

static void note_loads(const struct expr *root, void *user)
{
    struct search *search = user;
    expr_visit(&search->walk, root, note_load, search);
}

static bool is_of_launch(const struct statement *statement)
{
    const enum parallel_level level = statement->as.loop.level;
    return statement->kind == STATEMENT_LOOP &&
           (level == LEVEL_GRID_X || level == LEVEL_GRID_Y || level == LEVEL_GRID_Z ||
            level == LEVEL_BLOCK_X || level == LEVEL_BLOCK_Y);
}

static void note_loop(struct search *search, const struct statement *loop)
{
    const struct expr *extent = loop->as.loop.extent;
    const int64_t most = choice_value(search->j->context, CHOICE_LAUNCH_STEPS);
    if (extent->kind != EXPR_INTEGER || extent->as.integer > most)
        search->member->bounded = false;
    if (!search->member->bounded)
        return;
    search->around *= extent->as.integer;
    search->member->steps += search->around;
    search->member->bounded = search->member->steps <= most;
}

static void note_statement(const struct statement *statement, void *user)
{
    struct search *search = user;
    const int64_t around = search->around;
    search->walk = (struct expr_walk){.scratch = search->j->context->scratch};
    statement_expressions(statement, note_loads, search);
    switch ((int)statement->kind) {
    case STATEMENT_LET:
        hash_map_put(search->j->context->scratch, &search->value, statement->as.let.variable,
                     (void *)(uintptr_t)written_out(search, statement->as.let.value));
        break;
    case STATEMENT_STORE:
        note_access(search, statement->as.store.buffer.index, statement->as.store.rank,
                    statement->as.store.index, true);
        search->member->plain = search->member->plain && statement->as.store.join == JOIN_NONE;
        break;
    case STATEMENT_LOOP: /* names stand between the loops of some launches */
        search->member->plain = search->member->plain && !is_of_launch(statement);
        note_loop(search, statement);
        break;
    case STATEMENT_BLOCK:
    case STATEMENT_IF:
    case STATEMENT_ALLOCATE:
    case STATEMENT_NOTE:
        break;
    default:
        search->member->plain = false;
    }
    statement_children(statement, note_statement, search);
    search->around = around;
}

static const struct statement *renamed(struct joining *j, const struct statement *body,
                                       const struct expr *from, const struct expr *to)
{
    return from == to ? body
                      : statement_substitute(j->context->output, j->context->scratch,
                                             j->context->pool, body, from, to);
}

/* Whether the loops do the same, so that one may take the place of the other. */
static bool loops_are_equal(const struct statement *a, const struct statement *b)
{
    return a->as.loop.level == b->as.loop.level && a->as.loop.first == b->as.loop.first &&
           a->as.loop.extent == b->as.loop.extent;
}

/* Along one axis, coordinates are called as in the first kernel where their loops are equal. */
static struct member member_of(struct joining *j, const struct statement *kernel)
{
    const struct member *first = j->members.count ? &j->members.item[0] : NULL;
    struct member m = {.kernel = kernel, .plain = true, .bounded = true, .threads = 1};
    m.body = kernel->as.kernel.body;
    while (is_of_launch(m.body) && m.loops < MOST_LOOPS) {
        const struct statement *loop = m.loop[m.loops] = m.body;
        const struct expr *extent = loop->as.loop.extent;
        const bool known = m.bounded && extent->kind == EXPR_INTEGER &&
                           extent->as.integer <= (int64_t)j->context->target->block_threads;
        m.bounded = known;
        m.threads = known ? m.threads * extent->as.integer : 0;
        m.body = loop->as.loop.body;
        m.coordinate[m.loops++] = loop->as.loop.variable;
    }
    for (unsigned k = 0; k < m.loops && first && m.loops == 2 && first->loops == 2; k++)
        if (loops_are_equal(first->loop[k], m.loop[k])) {
            m.body = renamed(j, m.body, m.coordinate[k], first->coordinate[k]);
            m.coordinate[k] = first->coordinate[k];
        }
    m.bounded = m.bounded && m.threads <= (int64_t)j->context->target->block_threads;
    struct search search = {.j = j, .member = &m, .around = 1};
    note_statement(m.body, &search);
    m.plain = m.plain && !kernel->as.kernel.windows;
    return m;
}

/* ---- By threads ---- */

/* Whether the index is another one for each thread: block x threads of a block + thread + what is
 * the same for all. */
static bool tells_threads(const struct expr *index, const struct statement *block,
                          const struct statement *thread)
{
    struct affine form = affine_from(index);
    const struct expr *count = thread->as.loop.extent;
    if (!form.exact || count->kind != EXPR_INTEGER ||
        affine_coefficient(&form, thread->as.loop.variable) != 1 ||
        affine_coefficient(&form, block->as.loop.variable) != count->as.integer)
        return false;
    form = affine_without(affine_without(form, thread->as.loop.variable), block->as.loop.variable);
    for (unsigned t = 0; t < form.count; t++) {
        const struct expr *atom = form.term[t].atom;
        if (atom->kind != EXPR_VARIABLE || atom->as.variable.kind == VARIABLE_INDEX ||
            atom->as.variable.kind == VARIABLE_LOCAL)
            return false;
    }
    return true;
}

static bool are_equal(const struct expr *a, const struct expr *b)
{
    const struct affine rest = affine_sum(affine_from(a), affine_from(b), -1);
    return rest.exact && rest.count == 0 && rest.constant == 0;
}

static uint32_t memory_of(const struct joining *j, const struct access *access)
{
    return buffer_memory(&j->in->buffers.item[access->buffer]).index;
}

/* Whether the accesses meet only where the same thread makes both. */
static bool meet_in_thread(const struct joining *j, const struct access *a, const struct access *b)
{
    const struct member *of = &j->members.item[0];
    if (a->buffer != b->buffer || of->loops != 2 ||
        buffer_is_circular(&j->in->buffers.item[a->buffer]))
        return false;
    for (unsigned k = 0; k < a->rank; k++)
        if (are_equal(a->index[k], b->index[k]) &&
            tells_threads(a->index[k], of->loop[0], of->loop[1]))
            return true;
    return false;
}

/* Whether the kernel may go on in the threads of another one: of one thread, or of a grid and
 * blocks along one axis. */
static bool goes_on_in_threads(const struct joining *j, const struct member *before,
                               const struct member *m)
{
    if (before->loops != m->loops || (m->loops != 0 && m->loops != 2))
        return false;
    for (unsigned i = 0; i < m->loops; i++)
        if (!loops_are_equal(before->loop[i], m->loop[i]))
            return false;
    if (m->loops == 2 &&
        (m->loop[0]->as.loop.level != LEVEL_GRID_X || m->loop[1]->as.loop.level != LEVEL_BLOCK_X))
        return false;
    for (size_t a = 0; a < before->accesses.count && m->loops; a++)
        for (size_t b = 0; b < m->accesses.count; b++) {
            const struct access *one = &before->accesses.item[a], *other = &m->accesses.item[b];
            if ((one->stores || other->stores) && memory_of(j, one) == memory_of(j, other) &&
                !meet_in_thread(j, one, other))
                return false;
        }
    return true;
}

/* ---- What becomes of them ---- */

/* The work of a member; that of others than the first begins with its name. */
static const struct statement *work_of(struct joining *j, size_t i, const struct statement *body)
{
    const struct statement *kernel = j->members.item[i].kernel;
    struct statement_items items = {0};
    if (i > 0)
        VECTOR_PUSH(j->context->scratch, &items,
                    STATEMENT_NEW(j->context->output, kernel->span, .kind = STATEMENT_NOTE,
                                  .as.note.text = kernel->as.kernel.name->text));
    const struct statement_list list = statement_items_of(&body);
    for (size_t k = 0; k < list.count; k++)
        VECTOR_PUSH(j->context->scratch, &items, list.item[k]);
    return STATEMENT_NEW(
        j->context->output, kernel->span, .kind = STATEMENT_BLOCK,
        .as.block = {arena_copy(j->context->output, items.item, items.count * sizeof *items.item),
                     items.count});
}

static const struct statement *kernel_of(struct joining *j, const struct statement *body)
{
    struct statement kernel = *j->members.item[0].kernel;
    kernel.as.kernel.alone = j->by_threads && kernel.as.kernel.alone;
    kernel.as.kernel.body = body;
    return statement_new(j->context->output, kernel);
}

static const struct statement *joined_by_threads(struct joining *j)
{
    const struct member *first = &j->members.item[0];
    struct statement_items items = {0};
    for (size_t i = 0; i < j->members.count; i++)
        VECTOR_PUSH(j->context->scratch, &items, work_of(j, i, j->members.item[i].body));
    const struct statement *body =
        statement_block(j->context->output, first->kernel->span, items.count, items.item);
    for (unsigned i = first->loops; i-- > 0;) {
        struct statement loop = *first->loop[i];
        loop.as.loop.body = body;
        body = statement_new(j->context->output, loop);
    }
    return kernel_of(j, body);
}

/* 32 * (t / 32) + (t - 32 * (t / 32)) is t. */
static const struct expr *regrouped(const struct expr *node, void *user)
{
    struct expr_pool *pool = user;
    if (node->kind != EXPR_ADD || !scalar_is_integer(node->scalar))
        return node;
    const struct expr *normal = affine_normal(pool, node);
    return normal->kind == EXPR_VARIABLE ? normal : node;
}

/* The work of the threads of a launch, as that of the first threads of a block. */
static const struct statement *in_threads(struct joining *j, size_t i, const struct expr *thread,
                                          int64_t threads)
{
    struct expr_pool *pool = j->context->pool;
    const struct member *m = &j->members.item[i];
    const struct statement *body = m->body;
    const struct expr *rest = thread; /* in the loops that are not seen yet, the innermost first */
    for (unsigned k = m->loops; k-- > 0;) {
        const struct expr *extent = m->loop[k]->as.loop.extent;
        const struct expr *outer = expr_binary(pool, EXPR_DIVIDE, rest, extent);
        const struct expr *own =
            expr_binary(pool, EXPR_SUBTRACT, rest, expr_binary(pool, EXPR_MULTIPLY, extent, outer));
        if (k == 0)
            own = rest;
        own = expr_binary(pool, EXPR_ADD, m->loop[k]->as.loop.first, own);
        body = renamed(j, body, m->coordinate[k], own);
        rest = outer;
    }
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = regrouped, .context = pool, .scratch = j->context->scratch};
    body = statement_rewrite(j->context->output, body, &rewriter);
    if (m->threads < threads)
        body = STATEMENT_NEW(j->context->output, body->span, .kind = STATEMENT_IF,
                             .as.branch = {.condition = expr_binary(pool, EXPR_LESS, thread,
                                                                    expr_integer(pool, m->threads)),
                                           .then = body});
    return work_of(j, i, body);
}

static const struct statement *joined_by_block(struct joining *j)
{
    struct pass_context *context = j->context;
    const struct span span = j->members.item[0].kernel->span;
    struct statement_items items = {0};
    int64_t threads = 1;
    for (size_t i = 0; i < j->members.count; i++)
        threads = j->members.item[i].threads > threads ? j->members.item[i].threads : threads;
    const struct expr *thread =
        expr_variable(context->pool, VARIABLE_INDEX,
                      symbol_format(&context->session->symbols, "%s.thread",
                                    j->members.item[0].kernel->as.kernel.name->text),
                      SCALAR_I32, (struct interval){0, threads - 1});
    for (size_t i = 0; i < j->members.count; i++) {
        if (i > 0)
            VECTOR_PUSH(context->scratch, &items,
                        STATEMENT_NEW(context->output, span, .kind = STATEMENT_BARRIER));
        VECTOR_PUSH(context->scratch, &items, in_threads(j, i, thread, threads));
    }
    const struct statement *body = statement_block(context->output, span, items.count, items.item);
    return kernel_of(j, STATEMENT_NEW(context->output, span, .kind = STATEMENT_LOOP,
                                      .as.loop = {.variable = thread,
                                                  .first = expr_integer(context->pool, 0),
                                                  .extent = expr_integer(context->pool, threads),
                                                  .level = LEVEL_BLOCK_X,
                                                  .body = body}));
}

static void end_kernel(struct joining *j)
{
    if (j->members.count)
        VECTOR_PUSH(j->context->scratch, &j->out,
                    j->members.count == 1 ? j->members.item[0].kernel
                    : j->by_threads       ? joined_by_threads(j)
                                          : joined_by_block(j));
    j->members.count = 0;
}

/* ---- ---- */

static void add_kernel(struct joining *j, const struct statement *kernel)
{
    const bool apart = choose_whether(j->context, j->kernels++, CHOICE_LAUNCHES_APART, false);
    struct member m = member_of(j, kernel);
    bool by_threads = m.plain && !apart, by_block = m.plain && m.bounded && !apart;
    for (size_t i = 0; i < j->members.count && (by_threads || by_block); i++) {
        const struct member *before = &j->members.item[i];
        const bool alike = before->kernel->as.kernel.small == kernel->as.kernel.small &&
                           before->kernel->as.kernel.staged == kernel->as.kernel.staged &&
                           before->plain;
        by_threads = by_threads && alike && j->by_threads && goes_on_in_threads(j, before, &m);
        by_block = by_block && alike && j->by_block;
    }
    if (j->members.count && !by_threads && !by_block) {
        end_kernel(j);
        m = member_of(j, kernel);
    }
    const bool begins = j->members.count == 0;
    j->by_threads = begins || by_threads;
    j->by_block = begins ? m.bounded : by_block;
    VECTOR_PUSH(j->context->scratch, &j->members, m);
}

static const struct statement *joined(const struct statement *statement, void *user);

/* The kernels of a list; what else is in it ends a kernel. */
static const struct statement *joined_list(const struct joining *of,
                                           const struct statement *statement)
{
    struct joining j = {.context = of->context, .in = of->in, .kernels = of->kernels};
    const struct statement_list list = statement_items_of(&statement);
    for (size_t i = 0; i < list.count; i++) {
        const struct statement *item = list.item[i];
        if (item->kind == STATEMENT_KERNEL && item->as.kernel.on_host) {
            VECTOR_PUSH(j.context->scratch, &j.out, item);
        } else if (item->kind == STATEMENT_KERNEL) {
            add_kernel(&j, item);
        } else {
            end_kernel(&j);
            VECTOR_PUSH(j.context->scratch, &j.out, joined(item, &j));
        }
    }
    end_kernel(&j);
    return statement_block(j.context->output, statement->span, j.out.count, j.out.item);
}

static const struct statement *joined(const struct statement *statement, void *user)
{
    const struct joining *j = user;
    return statement->kind == STATEMENT_BLOCK ? joined_list(j, statement)
           : statement->kind == STATEMENT_KERNEL
               ? statement
               : statement_rebuild(j->context->output, statement, joined, user);
}

const struct program *join_kernels(const struct program *in, struct pass_context *context)
{
    const struct joining j = {.context = context, .in = in};
    struct program *out = program_copy(context->output, in);
    out->body = joined(in->body, (void *)(uintptr_t)&j);
    return out;
}
