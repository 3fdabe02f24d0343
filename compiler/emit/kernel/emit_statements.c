/* Statements and kernels as C. A kernel is a function over the frame; its prologue takes from the
 * frame what the body uses. */
#include "emit/emission.h"
#include "expr/affine.h"
#include "loop/shared_loops.h"

const struct kernel_state on_host = {0};

/* ---- What a kernel takes ---- */

/* From the frame, by name. */
static void print_prologue(struct emission *e, const struct kernel_state *here,
                           const struct kernel_uses *uses)
{
    /* A place that is counted from where a launch begins needs no first coordinate. */
    const bool may_be_unused = e->dialect->launch_index[LEVEL_GRID_X] != NULL;
    bool any = uses->variables.count > 0 || uses->tiles || uses->lines;
    if (uses->tiles)
        text_print(e->out, "char *const flt_tiles = frame->tiles + (size_t)%s * FLT_TILE_BYTES;\n",
                   e->dialect->thread);
    for (size_t i = 0; i < uses->buffers.count; i++) {
        const struct buffer *buffer = uses->buffers.item[i];
        const bool in_frame = buffer_is_in_frame(buffer);
        const char *name = name_of_buffer(e, buffer);
        any = any || in_frame;
        if (in_frame)
            text_print(e->out, "%s%s *%sconst %s = frame->%s;\n",
                       kernel_stores(uses, buffer) ? "" : "const ",
                       scalar_info[buffer->scalar].c_type, restriction(e, uses, buffer), name,
                       name);
        if (buffer->space == SPACE_FRAME || buffer->space == SPACE_HOST)
            text_print(e->out, "%s%s *const %s = %s%s;\n",
                       kernel_stores(uses, buffer) ? "" : "const ",
                       scalar_info[buffer->scalar].c_type, name,
                       buffer->space == SPACE_FRAME ? "frame->" : "host->", name);
        any = any || buffer->space == SPACE_FRAME;
        const bool is_indexed = !hash_map_find(&uses->whole, buffer);
        for (unsigned k = 0; is_indexed && k < buffer->rank && buffer_has_stride(e, buffer, k);
             k++) {
            const char *stride = name_of_stride(e, buffer, k);
            if (here->index)
                text_print(e->out, "const %s %s = (%s)frame->%s;\n", e->dialect->index_type, stride,
                           e->dialect->index_type, stride);
            else
                text_print(e->out, "const ptrdiff_t %s = frame->%s;\n", stride, stride);
        }
    }
    for (size_t i = 0; i < uses->variables.count; i++) {
        const struct expr *v = uses->variables.item[i];
        const char *name = name_of_variable(e, v);
        if (index_fits(here->index, v) && v->as.variable.kind == VARIABLE_EXTENT)
            text_print(e->out, "const %s %s = (%s)frame->%s;\n", e->dialect->index_type, name,
                       e->dialect->index_type, name);
        else
            text_print(e->out, "const %s %s = frame->%s;\n", type_in_frame(v), name, name);
        if (may_be_unused)
            text_print(e->out, "(void)%s;\n", name);
    }
    if (!any)
        text_print(e->out, "(void)frame;\n");
}

/* ---- Statements ---- */

static bool is_accumulator(const struct buffer *buffer)
{
    return buffer->space == SPACE_REGISTER && buffer->rank == 0;
}

static void print_type(struct emission *e, const struct buffer *buffer)
{
    const bool truth = is_accumulator(buffer) && buffer->scalar == SCALAR_BOOL;
    text_print(e->out, "%s ", truth ? "int" : scalar_info[buffer->scalar].c_type);
}

/* In the thread's own part of the scratch memory; rows of tiles in a line apart, so that they do
 * not fall on the same places of a cache. */
static void print_tile(struct emission *e, const struct kernel_state *here,
                       const struct buffer *buffer, uint64_t count)
{
    const char *type = scalar_info[buffer->scalar].c_type;
    const char *const space = e->dialect->memory;
    text_print(e->out, "%s%s *%sconst %s = (%s%s *)(%svoid *)(flt_tiles + %llu);\n", space, type,
               restriction(e, NULL, buffer), name_of_buffer(e, buffer), space, type, space,
               (unsigned long long)*here->tile_bytes);
    *here->tile_bytes +=
        (count * scalar_info[buffer->scalar].bytes + 2 * CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* Of whole lines: in memory of their own. */
static void print_memory_of_lines(struct emission *e, const struct buffer *buffer)
{
    const char *type = scalar_info[buffer->scalar].c_type;
    const char *const space = e->dialect->memory, *const frame = e->dialect->frame;
    text_print(e->out, "%s%s *%sconst %s = (%s%s *)(%svoid *)(%s%s + (size_t)%s * %s%s);\n", space,
               type, restriction(e, NULL, buffer), name_of_buffer(e, buffer), space, type, space,
               frame, name_of_lines(e, buffer), e->dialect->thread, frame,
               name_of_line_bytes(e, buffer));
}

int64_t buffer_samples(const struct buffer *buffer)
{
    int64_t count = 1;
    for (unsigned k = 0; k < buffer->rank; k++)
        count *= buffer->axis[k].extent->as.integer;
    return count;
}

/* What the threads of a block share, at the top: no language takes it anywhere else. */
static void print_shared(const struct statement *statement, void *user)
{
    struct emission *e = user;
    if (statement->kind == STATEMENT_ALLOCATE) {
        const struct buffer *buffer = program_buffer(e->program, statement->as.allocate.buffer);
        if (buffer->space == SPACE_SHARED)
            text_print(e->out, "%s%s %s[%lld]%s;\n", e->dialect->shared,
                       scalar_info[buffer->scalar].c_type, name_of_buffer(e, buffer),
                       (long long)buffer_samples(buffer), e->dialect->shared_behind);
    }
    statement_children(statement, print_shared, e);
}

static void print_allocate(struct emission *e, const struct kernel_state *here,
                           const struct buffer *buffer)
{
    if (buffer_holds_lines(buffer)) {
        print_memory_of_lines(e, buffer);
        return;
    }
    const int64_t count = buffer_samples(buffer);
    if (buffer->space == SPACE_TILE) {
        print_tile(e, here, buffer, (uint64_t)count);
        return;
    }
    if (buffer->space == SPACE_SHARED) /* it stands at the top of the kernel */
        return;
    print_type(e, buffer);
    text_print(e->out, "%s", name_of_buffer(e, buffer));
    if (buffer->rank)
        text_print(e->out, "[%lld]", (long long)count);
    text_print(e->out, ";\n");
}

static void print_joining_store(struct emission *e, const struct kernel_state *here,
                                const struct statement *store)
{
    const struct buffer *buffer = program_buffer(e->program, store->as.store.buffer);
    text_print(e->out, "%s(&", e->dialect->join[store->as.store.join]);
    emit_element(e, here, buffer, store->as.store.index);
    text_print(e->out, ", (%s)(", scalar_info[buffer->scalar].c_type);
    emit_value(e, here, store->as.store.value);
    text_print(e->out, "));\n");
}

/* Several samples in one access. */
static void print_stores_beside(struct emission *e, const struct kernel_state *here,
                                const struct statement *store)
{
    const struct expr *load = store->as.store.value;
    const struct buffer *to = program_buffer(e->program, store->as.store.buffer);
    const struct buffer *from = &e->program->buffers.item[load->as.load.source];
    const struct buffer *memory = to->space == SPACE_REGISTER ? from : to;
    const struct access_words words =
        e->dialect->access_of(e, store->as.store.beside, memory, memory == from);
    text_print(e->out, "%s", words.before);
    emit_element(e, here, memory, memory == from ? load->operand : store->as.store.index);
    text_print(e->out, "%s", words.between);
    emit_element(e, here, memory == from ? to : from,
                 memory == from ? store->as.store.index : load->operand);
    text_print(e->out, "%s\n", words.after);
}

static void print_store(struct emission *e, const struct kernel_state *here,
                        const struct statement *store)
{
    const struct buffer *buffer = program_buffer(e->program, store->as.store.buffer);
    if (store->as.store.beside) {
        print_stores_beside(e, here, store);
        return;
    }
    if (store->as.store.join) {
        print_joining_store(e, here, store);
        return;
    }
    const struct expr *value = store->as.store.value;
    emit_element(e, here, buffer, store->as.store.index);
    text_print(e->out, " = ");
    /* A truth value is stored as 0 or 1. */
    const bool truth = buffer->scalar == SCALAR_BOOL && !is_accumulator(buffer);
    const bool narrow = scalar_is_integer(buffer->scalar) && value->kind != EXPR_INTEGER &&
                        !interval_inside(scalar_info[type_of_value(here, value)].interval,
                                         scalar_info[buffer->scalar].interval);
    if (truth || narrow) {
        text_print(e->out, "(%s)(", scalar_info[buffer->scalar].c_type);
        emit_value(e, here, value);
        text_print(e->out, ")");
    } else {
        emit_value(e, here, value);
    }
    text_print(e->out, ";\n");
}

static void print_prefetch(struct emission *e, const struct kernel_state *here,
                           const struct statement *s)
{
    const struct buffer *buffer = program_buffer(e->program, s->as.prefetch.buffer);
    text_print(e->out, "%s(&", helper_use(e, "flt_prefetch_row"));
    emit_element(e, here, buffer, s->as.prefetch.index);
    text_print(e->out, ", ");
    const unsigned bytes = scalar_info[buffer->scalar].bytes;
    emit_index(e, here,
               expr_binary(&e->session->pool, EXPR_MULTIPLY, expr_integer(&e->session->pool, bytes),
                           s->as.prefetch.extent));
    text_print(e->out, ");\n");
}

/* Fills what a table begins with, which a library that the caller gives reads. */
static void print_given_table(struct emission *e, const struct statement *transform,
                              const char *table)
{
    size_t i = 0;
    while (e->transforms.item[i] != transform)
        i++;
    const struct buffer *buffer = program_buffer(e->program, transform->as.transform.table);
    text_print(
        e->out, "%s(frame->%s->fft, frame->%s->line[%zu].plan, %s);\n",
        helper_use(e, arena_format(e->arena, "flt_given_%s", scalar_info[buffer->scalar].text)),
        e->opened, e->opened, i, table);
}

/* The text of helpers tells the rest. */
static void print_transform(struct emission *e, const struct kernel_state *here,
                            const struct statement *s)
{
    const struct buffer *table = program_buffer(e->program, s->as.transform.table);
    const struct transform_info *info = &transform_info[s->as.transform.kind];
    const bool prepares = s->as.transform.prepares;
    const char *scalar = scalar_info[table->scalar].text;
    const char *name = arena_format(e->arena, "flt_%s_%s_%s", prepares ? info->table : info->name,
                                    prepares ? "table" : "lines", scalar);
    text_print(e->out, "%s(%d, ", helper_use(e, name), (int)s->as.transform.norm);
    if (prepares)
        emit_transformed(e, here, s->as.transform.kind, s->as.transform.extent);
    else
        emit_index(e, here, s->as.transform.extent);
    text_print(e->out, ", %s", name_of_buffer(e, table));
    if (!prepares)
        text_print(e->out, ", %s",
                   name_of_buffer(e, program_buffer(e->program, s->as.transform.panel)));
    text_print(e->out, ");\n");
    if (prepares && e->opened)
        print_given_table(e, s, name_of_buffer(e, table));
}

/* Of three axes; those that the image does not have begin at 0, and have an extent of 1. */
static void print_box(struct emission *e, const struct kernel_state *here, const char *name,
                      const struct buffer *pixels)
{
    enum { AXES = 3 };
    const bool extents = strcmp(name, "extent") == 0;
    text_print(e->out, "const int64_t %s[%d] = {", name, AXES);
    for (unsigned k = 0; k < AXES; k++) {
        const int axis = (int)k - (AXES - (int)pixels->rank);
        text_print(e->out, k ? ", " : "");
        if (axis < 0)
            text_print(e->out, extents ? "1" : "0");
        else
            emit_index(e, here, extents ? pixels->axis[axis].extent : pixels->axis[axis].first);
    }
    text_print(e->out, "};\n");
}

void emit_particle_buffer(struct emission *e, const struct kernel_state *here, const char *frame,
                          const struct particle_buffer *info, const struct buffer *buffer)
{
    const char *name = arena_format(e->arena, "%s%s", frame, name_of_buffer(e, buffer));
    if (info->is_structure)
        text_print(e->out, "(%sstruct flt_apr *)(%svoid *)%s", info->is_stored ? "" : "const ",
                   info->is_stored ? "" : "const ", name);
    else
        text_print(e->out, "%s", name);
    if (info->size == SIZE_OF_EACH)
        text_print(e->out, ", %u", scalar_info[buffer->scalar].bytes);
    for (unsigned k = 0; k < buffer->rank && info->size == SIZE_OF_ALL; k++) {
        text_print(e->out, k ? " * (size_t)(" : ", (size_t)(");
        emit_index(e, here, buffer->axis[k].extent);
        text_print(e->out, ")");
    }
}

static const char *const particle_boxes[] = {
    [BOX_UNTOLD] = "", [BOX_EXTENTS] = "extent, ", [BOX_WHOLE] = "first, extent, "};

static void print_particles(struct emission *e, const struct kernel_state *here,
                            const struct statement *s)
{
    const struct particle_call_info *info = &particle_call_info[s->as.particles.call];
    const struct buffer *first = program_buffer(e->program, s->as.particles.buffer[0]);
    if (info->box != BOX_UNTOLD) {
        text_print(e->out, "{\n");
        e->out->indent += 4;
        if (info->box == BOX_WHOLE)
            print_box(e, here, "first", first);
        print_box(e, here, "extent", first);
    }
    text_print(e->out, "%s(%s", info->function, particle_boxes[info->box]);
    for (unsigned i = 0; i < info->count; i++) {
        text_print(e->out, i ? ", " : "");
        emit_particle_buffer(e, here, "", &info->buffer[i],
                             program_buffer(e->program, s->as.particles.buffer[i]));
    }
    text_print(e->out, "%s);\n", info->takes_threads ? ", frame->threads" : "");
    if (info->box != BOX_UNTOLD) {
        e->out->indent -= 4;
        text_print(e->out, "}\n");
    }
}

static void print_block(struct emission *e, const struct kernel_state *here,
                        const struct statement *body)
{
    e->out->indent += 4;
    emit_statement(e, here, body);
    e->out->indent -= 4;
}

static bool is_single(const struct statement *statement)
{
    return statement->kind == STATEMENT_STORE;
}

void emit_body(struct emission *e, const struct kernel_state *here, const struct statement *loop)
{
    const struct statement *body = loop->as.loop.body;
    struct kernel_state inside = *here;
    if (loop->as.loop.level == LEVEL_VECTOR)
        inside.lane = loop->as.loop.variable;
    text_print(e->out, is_single(body) ? "\n" : " {\n");
    print_block(e, &inside, body);
    if (!is_single(body))
        text_print(e->out, "}\n");
}

void emit_end(struct emission *e, const struct kernel_state *here, const struct expr *first,
              const struct expr *extent)
{
    emit_bound(
        e, here,
        affine_normal(&e->session->pool, expr_binary(&e->session->pool, EXPR_ADD, first, extent)));
}

void emit_heading(struct emission *e, const struct kernel_state *here, const struct statement *loop,
                  const char *variable)
{
    text_print(e->out, "for (%s %s = ", type_of_name(e, here, loop->as.loop.variable), variable);
    if (loop->as.loop.reversed) {
        emit_end(e, here, loop->as.loop.first, loop->as.loop.extent);
        text_print(e->out, "; %s-- > ", variable);
        emit_bound(e, here, loop->as.loop.first);
        text_print(e->out, ";)");
    } else {
        emit_index(e, here, loop->as.loop.first);
        text_print(e->out, "; %s < ", variable);
        emit_end(e, here, loop->as.loop.first, loop->as.loop.extent);
        text_print(e->out, "; %s++)", variable);
    }
}

static bool is_launched(const struct emission *e, const struct statement *statement)
{
    return statement->kind == STATEMENT_LOOP &&
           e->dialect->launch_index[statement->as.loop.level] != NULL;
}

/* The body runs once for each index of the launch: in braces of its own only where other statements
 * stand beside it. */
static void print_launched(struct emission *e, const struct kernel_state *here,
                           const struct statement *loop)
{
    const struct expr *variable = loop->as.loop.variable, *first = loop->as.loop.first;
    const char *type = type_of_name(e, here, variable);
    const char *index = e->dialect->launch_index[loop->as.loop.level];
    const bool from_first = first->kind != EXPR_INTEGER || first->as.integer != 0;
    const bool casts = strcmp(type, "int64_t") != 0, is_sum = from_first || strchr(index, '+');
    text_print(e->out, "const %s %s = ", type,
               name_of_local(e, variable, variable->as.variable.name->text));
    if (casts)
        text_print(e->out, is_sum ? "(%s)(" : "(%s)", type);
    if (from_first) {
        emit_index(e, here, first);
        text_print(e->out, " + ");
    }
    text_print(e->out, casts && is_sum ? "%s);\n" : "%s;\n", index);
    if (is_launched(e, loop->as.loop.body))
        print_launched(e, here, loop->as.loop.body);
    else
        emit_statement(e, here, loop->as.loop.body);
}

struct register_search {
    const struct emission *e;
    struct hash_map own; /* registers of one iteration */
    unsigned stores;     /* to others */
    unsigned loads;      /* from memory, to those of an iteration */
    bool beside;         /* some of several samples in one access */
    bool near;           /* a load from memory that is near already */
};

static void search_near_load(const struct expr *node, void *user)
{
    struct register_search *search = user;
    search->near = search->near ||
                   (node->kind == EXPR_LOAD &&
                    search->e->program->buffers.item[node->as.load.source].space == SPACE_SHARED);
}

static void search_registers(const struct statement *statement, void *user)
{
    struct register_search *search = user;
    const struct program *program = search->e->program;
    if (statement->kind == STATEMENT_ALLOCATE)
        hash_map_put(search->e->arena, &search->own,
                     program_buffer(program, statement->as.allocate.buffer), search);
    if (statement->kind == STATEMENT_STORE && statement->as.store.rank == 1) {
        const struct buffer *buffer = program_buffer(program, statement->as.store.buffer);
        const bool own = hash_map_find(&search->own, buffer) != NULL;
        search->stores += buffer->space == SPACE_REGISTER && !own;
        search->loads += own && statement->as.store.value->kind == EXPR_LOAD;
        search->beside = search->beside || (statement->as.store.beside && own);
    }
    statement_children(statement, search_registers, search);
}

/* The line before a loop that keeps samples from one place to the next: all of it is unrolled where
 * it goes over few places, so that indices of registers are constants; else some places at a time,
 * so that a thread loads samples of several from memory while it waits, unless it keeps many. NULL:
 * there is none. */
static const char *unrolled(const struct emission *e, const struct statement *loop)
{
    enum { FEW = 64, FEW_STORES = 4, LOADS_AT_ONCE = 16 };
    const struct expr *extent = loop->as.loop.extent;
    const bool known = extent->kind == EXPR_INTEGER;
    struct register_search search = {.e = e};
    if (e->dialect->unrolled && loop->as.loop.level == LEVEL_SERIAL &&
        (!known || extent->as.integer <= FEW))
        search_registers(loop->as.loop.body, &search);
    if (search.stores && !known)
        statement_nodes(e->arena, loop->as.loop.body, search_near_load, &search);
    if (!search.stores && search.beside && e->dialect->unrolled_by)
        return arena_format(e->arena, e->dialect->unrolled_by,
                            search.loads < LOADS_AT_ONCE ? LOADS_AT_ONCE / search.loads : 1);
    return !search.stores                              ? NULL
           : known                                     ? e->dialect->unrolled
           : search.near || search.stores > FEW_STORES ? NULL
                                                       : e->dialect->partly_unrolled;
}

/* The body of the kernel runs for each index of the launch. */
static void print_launched_block(struct emission *e, const struct kernel_state *here,
                                 const struct statement *loop)
{
    text_print(e->out, "{\n");
    e->out->indent += 4;
    print_launched(e, here, loop);
    e->out->indent -= 4;
    text_print(e->out, "}\n");
}

static void search_loop(const struct statement *statement, void *user)
{
    *(bool *)user = *(bool *)user || statement->kind == STATEMENT_LOOP;
    statement_children(statement, search_loop, user);
}

static bool holds_loop(const struct statement *body)
{
    bool found = false;
    search_loop(body, &found);
    return found;
}

/* Whether code that few blocks come to is kept short. */
static bool stays_loop(const struct kernel_state *here, const struct statement *loop)
{
    return loop->as.loop.level == LEVEL_SERIAL &&
           (here->visits == VISITS_OF_FEW ||
            (here->visits == VISITS_OF_SOME && holds_loop(loop->as.loop.body)));
}

static void print_plain_loop(struct emission *e, const struct kernel_state *here,
                             const struct statement *loop)
{
    const char *const pragma = e->dialect->loop_pragma[loop->as.loop.level];
    const char *variable =
        name_of_local(e, loop->as.loop.variable, loop->as.loop.variable->as.variable.name->text);
    if (pragma)
        text_print(e->out, "%s\n", pragma);
    const bool together = loop->as.loop.together && here->visits == VISITS_OFTEN;
    const char *times = together ? e->dialect->unrolled : unrolled(e, loop);
    if (!times && stays_loop(here, loop))
        times = e->dialect->not_unrolled;
    if (times)
        text_print(e->out, "%s\n", times);
    emit_heading(e, here, loop, variable);
    emit_body(e, here, loop);
}

static void print_loop(struct emission *e, const struct kernel_state *here,
                       const struct statement *loop)
{
    if (loop->as.loop.bypassing && loop->as.loop.level != LEVEL_TURNED)
        e->dialect->print_bypassing_loop(e, here, loop);
    else if (is_launched(e, loop))
        print_launched_block(e, here, loop);
    else if (threads_share(loop))
        e->dialect->print_shared_loop(e, here, loop);
    else if (!emit_idiom(e, here, loop))
        print_plain_loop(e, here, loop);
}

void emit_let(struct emission *e, const struct kernel_state *here, const struct expr *variable,
              const struct expr *value)
{
    const char *type = type_of_name(e, here, variable);
    text_print(e->out, "const %s %s = ", type,
               name_of_local(e, variable, variable->as.variable.name->text));
    const bool narrow = strcmp(type, "int32_t") == 0 && type_of_value(here, value) == SCALAR_I64;
    text_print(e->out, narrow ? "(int32_t)(" : "");
    if (strcmp(type, "int64_t") == 0 || type == e->dialect->index_type)
        emit_index(e, here, value);
    else
        emit_value(e, here, value);
    text_print(e->out, narrow ? ");\n" : ";\n");
}

/* Whether the second gives a first value to what the first declares. */
static bool initialises(struct emission *e, const struct statement *first,
                        const struct statement *second)
{
    return first->kind == STATEMENT_ALLOCATE && second->kind == STATEMENT_STORE &&
           is_accumulator(program_buffer(e->program, first->as.allocate.buffer)) &&
           first->as.allocate.buffer.index == second->as.store.buffer.index;
}

/* sum = sum, of a term that is 0 when unrolled. */
static bool does_nothing(struct emission *e, const struct statement *statement)
{
    if (statement->kind != STATEMENT_STORE ||
        !is_accumulator(program_buffer(e->program, statement->as.store.buffer)))
        return false;
    const struct expr *value = statement->as.store.value;
    while (value->kind == EXPR_CONVERT && value->as.convert == CONVERT_EXACT)
        value = value->operand[0];
    return value->kind == EXPR_LOAD && value->as.load.source == statement->as.store.buffer.index;
}

static void print_items(struct emission *e, const struct kernel_state *here,
                        const struct statement *block)
{
    const size_t count = block->as.block.count;
    struct scattered own = {.around = here->scattered};
    struct kernel_state inside = *here;
    inside.scattered = &own;
    for (size_t i = 0; i < count; i++) {
        const struct statement *item = block->as.block.item[i];
        if (does_nothing(e, item))
            continue;
        if (i + 1 < count && initialises(e, item, block->as.block.item[i + 1])) {
            print_type(e, program_buffer(e->program, item->as.allocate.buffer));
            continue; /* the store that follows goes on */
        }
        /* What is declared in a block inside is forgotten behind it. */
        const bool nested = item->kind == STATEMENT_BLOCK && i + 1 < count;
        text_print(e->out, nested ? "{\n" : "");
        e->out->indent += nested ? 4 : 0;
        emit_statement(e, &inside, item);
        e->out->indent -= nested ? 4 : 0;
        text_print(e->out, nested ? "}\n" : "");
        if (item->kind == STATEMENT_PREFETCH && item->as.prefetch.beside)
            VECTOR_PUSH(e->arena, &inside.beside, item);
        if (item->kind == STATEMENT_LET && place_is_scattered(&inside, item->as.let.value))
            hash_map_put(e->arena, &own.locals, item->as.let.variable, e);
    }
}

struct access_search {
    const struct program *program;
    const struct buffer *buffer;
    unsigned bytes; /* of its widest access */
};

static void search_accesses(const struct statement *statement, void *user)
{
    struct access_search *search = user;
    if (statement->kind == STATEMENT_STORE && statement->as.store.beside) {
        const bool uses = statement->as.store.buffer.index == search->buffer->id.index ||
                          statement->as.store.value->as.load.source == search->buffer->id.index;
        const unsigned bytes =
            statement->as.store.beside * scalar_info[search->buffer->scalar].bytes;
        search->bytes = uses && bytes > search->bytes ? bytes : search->bytes;
    }
    if (statement->kind != STATEMENT_IF || !statement->as.branch.packed)
        statement_children(statement, search_accesses, search);
}

/* "(((uintptr_t)in | (uintptr_t)in_stride_y * sizeof *in) & 3) == 0": rows of the image begin where
 * accesses of several samples do. false: there are none. */
static bool print_beginning(struct emission *e, const char *and, const struct buffer *buffer,
                            const struct statement *body)
{
    struct access_search search = {e->program, buffer, 0};
    const char *name = name_of_buffer(e, buffer);
    search_accesses(body, &search);
    if (search.bytes == 0)
        return false;
    text_print(e->out, "%s(((uintptr_t)%s", and, name);
    for (unsigned k = 0; k + 1 < buffer->rank; k++) {
        text_print(e->out, " | (uintptr_t)");
        emit_stride(e, buffer, k);
        text_print(e->out, " * sizeof *%s", name);
    }
    text_print(e->out, ") & %u) == 0", search.bytes - 1);
    return true;
}

/* "in_stride_x == 1", of each image that the body names. Returns what the next condition follows:
 * "" or " && ". */
static const char *print_packed(struct emission *e, const struct kernel_state *here,
                                const struct statement *body)
{
    const struct kernel_uses uses = kernel_uses_of(e, body);
    const char *and = "";
    for (size_t i = 0; i < uses.buffers.count; i++) {
        const struct buffer *buffer = uses.buffers.item[i];
        if (!here->packed && buffer->rank && buffer_has_stride(e, buffer, buffer->rank - 1)) {
            text_print(e->out, "%s%s == 1", and, name_of_stride(e, buffer, buffer->rank - 1));
            and = " && ";
        }
        if (buffer_is_in_memory(buffer) && print_beginning(e, and, buffer, body))
            and = " && ";
    }
    return and;
}

static void print_branches(struct emission *e, const struct kernel_state *here,
                           const struct statement *statement)
{
    const struct statement *otherwise = statement->as.branch.otherwise;
    struct kernel_state inside = *here;
    inside.packed = here->packed || statement->as.branch.packed;
    text_print(e->out, "if (");
    if (statement->as.branch.packed) {
        const struct expr *condition = statement->as.branch.condition;
        const char *and = print_packed(e, here, statement->as.branch.then);
        if (condition->kind != EXPR_INTEGER || !*and) {
            text_print(e->out, "%s", and);
            emit_conjunct(e, here, condition);
        }
    } else {
        emit_value(e, here, statement->as.branch.condition);
    }
    text_print(e->out, ") {\n");
    print_block(e, &inside, statement->as.branch.then);
    if (otherwise) {
        inside = *here;
        if (statement->as.branch.packed)
            inside.visits = here->packed ? VISITS_OF_SOME : VISITS_OF_FEW;
        text_print(e->out, "} else {\n");
        print_block(e, &inside, otherwise);
    }
    text_print(e->out, "}\n");
}

void emit_statement(struct emission *e, const struct kernel_state *here,
                    const struct statement *statement)
{
    switch (statement->kind) {
    case STATEMENT_BLOCK:
        print_items(e, here, statement);
        break;
    case STATEMENT_LOOP:
        print_loop(e, here, statement);
        break;
    case STATEMENT_IF:
        print_branches(e, here, statement);
        break;
    case STATEMENT_LET:
        emit_let(e, here, statement->as.let.variable, statement->as.let.value);
        break;
    case STATEMENT_STORE:
        print_store(e, here, statement);
        break;
    case STATEMENT_ALLOCATE:
        print_allocate(e, here, program_buffer(e->program, statement->as.allocate.buffer));
        break;
    case STATEMENT_BARRIER:
        text_print(e->out, "%s\n", e->dialect->barrier);
        break;
    case STATEMENT_NOTE:
        text_print(e->out, "/* %s */\n", statement->as.note.text);
        break;
    case STATEMENT_PREFETCH:
        if (!statement->as.prefetch.beside)
            print_prefetch(e, here, statement);
        break;
    case STATEMENT_TRANSFORM:
        print_transform(e, here, statement);
        break;
    case STATEMENT_PARTICLES:
        print_particles(e, here, statement);
        break;
    case STATEMENT_KERNEL:
    case STATEMENT_KIND_COUNT:
        break;
    }
}

/* ---- Kernels ---- */

/* "unsharp.flt:7", or "" */
static const char *emit_place(struct emission *e, struct span span)
{
    const struct source_place place = source_map_place(&e->session->sources, span.start);
    if (!place.file || span.end == 0)
        return "";
    const char *slash = strrchr(place.file->name, '/');
    return arena_format(e->arena, "%s:%u", slash ? slash + 1 : place.file->name, place.line);
}

static void emit_constant(struct emission *e, const struct buffer *buffer)
{
    const int64_t count = buffer_samples(buffer);
    text_print(e->out, "%s %s %s[%lld] = {", e->dialect->table, scalar_info[buffer->scalar].c_type,
               name_of_buffer(e, buffer), (long long)count);
    for (int64_t i = 0; i < count; i++) {
        text_print(e->out, i == 0 ? "" : i % 8 ? ", " : ",\n    ");
        emit_value(e, &on_host, buffer->constant[i]);
    }
    text_print(e->out, "};\n\n");
}

struct size {
    struct expr_walk walk;
    unsigned nodes;
};

static void count_node(const struct expr *node, void *user)
{
    (void)node;
    ((struct size *)user)->nodes++;
}

static void count_expression(const struct expr *root, void *user)
{
    struct size *size = user;
    expr_visit(&size->walk, root, count_node, size);
}

static void count_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, count_expression, user);
    statement_children(statement, count_statement, user);
}

static bool is_large(struct emission *e, const struct statement *body)
{
    enum { MOST_NODES = 2000 };
    const struct arena_mark mark = arena_mark(e->arena);
    struct size size = {.walk = {.scratch = e->arena}};
    count_statement(body, &size);
    arena_release(e->arena, mark);
    return size.nodes > MOST_NODES;
}

void emit_kernel(struct emission *e, const struct statement *kernel)
{
    name_forget_locals(e);
    const char *name = name_of_kernel(e, kernel);
    const char *place = emit_place(e, kernel->span);
    text_print(e->out, "/* %s%s%s */\n", kernel->as.kernel.name->text, *place ? ": " : "", place);
    const struct kernel_uses uses = kernel_uses_of(e, kernel->as.kernel.body);
    uint64_t tile_bytes = 0;
    const struct kernel_state here = {
        .index = e->dialect->index_type ? index_types_of(e, kernel->as.kernel.body) : NULL,
        .threads_from = "flt_first",
        .threads_to = "flt_end",
        .visits = kernel->as.kernel.small ? VISITS_OF_FEW : VISITS_OFTEN,
        .is_large = is_large(e, kernel->as.kernel.body),
        .tile_bytes = &tile_bytes};
    e->dialect->open_kernel(e, kernel, name);
    e->out->indent += 4;
    if (*e->dialect->frame)
        print_prologue(e, &here, &uses);
    if (kernel->as.kernel.windows)
        text_print(e->out, "const int64_t %s = flt_window->lines, %s = flt_cells;\n",
                   name_of_variable(e, kernel->as.kernel.windows->lines),
                   name_of_variable(e, kernel->as.kernel.windows->cells));
    print_shared(kernel->as.kernel.body, e);
    if (is_launched(e, kernel->as.kernel.body))
        print_launched(e, &here, kernel->as.kernel.body);
    else
        emit_statement(e, &here, kernel->as.kernel.body);
    if (kernel_bypasses(kernel))
        text_print(e->out, "%s();\n", helper_use(e, "flt_stream_end"));
    e->tile_bytes = tile_bytes > e->tile_bytes ? tile_bytes : e->tile_bytes;
    e->out->indent -= 4;
    text_print(e->out, "}\n");
    if (e->dialect->close_kernel)
        e->dialect->close_kernel(e, kernel, name);
    text_print(e->out, "\n");
}

/* In the order of launches; those of a repeat stand in a loop. */
static void emit_kernels_of(const struct statement *statement, void *user)
{
    if (statement->kind != STATEMENT_KERNEL)
        statement_children(statement, emit_kernels_of, user);
    else if (!statement->as.kernel.on_host)
        emit_kernel(user, statement);
}

void emit_kernels(struct emission *e)
{
    const struct statement *body = e->program->body;
    const struct kernel_uses uses = kernel_uses_of(e, body);
    for (size_t i = 0; i < uses.buffers.count; i++)
        if (uses.buffers.item[i]->space == SPACE_CONSTANT)
            emit_constant(e, uses.buffers.item[i]);
    if (e->dialect->print_before_embedded)
        e->dialect->print_before_embedded(e);
    emit_kernels_of(body, e);
}
