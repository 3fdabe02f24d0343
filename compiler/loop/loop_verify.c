/* Checks a loop program: first its tables, then the body statement by statement, with the variables
 * and buffers that are known at each place. */
#include "loop/loop_verify.h"

#include "flt/particles.h"

#include "expr/expr_verify.h"
#include "graph/graph_verify.h"
#include "loop/idioms.h"
#include "loop/scans.h"
#include "loop/cache_bypass.h"

#include <inttypes.h>

/* Where a statement stands. */
struct place {
    const struct statement *kernel; /* or NULL */
    /* Of a kernel: only its grid, block and threads loops, blocks and branches are around. */
    bool at_top;
    bool in_block_loop; /* of a kernel */
    bool divergent;     /* threads of a block may disagree on whether to come here, or how often */
    const struct statement *vector;  /* the vector loop around, or NULL */
    const struct statement *threads; /* the innermost loop over threads around, or NULL */
};

struct verification {
    const struct program *program;
    struct arena *arena;
    unsigned shared_bytes;
    enum lowered lowered;
    struct hash_map known;           /* variables in scope */
    struct hash_map divergent;       /* those that differ between the threads of a block */
    bool *allocated;                 /* by buffer */
    uint64_t kernel_bytes;           /* of the SHARED buffers of the kernel so far */
    const struct statement *spread;  /* the last kernel with a loop over threads */
    const struct statement *threads; /* the last of its loops over threads */
};

static const char *verify_statement(struct verification *v, struct place place,
                                    const struct statement *s);

/* ---- Variables and expressions ---- */

static void set_known(struct verification *v, struct hash_map *map, const struct expr *variable,
                      bool known)
{
    hash_map_put(v->arena, map, variable, known ? (void *)(uintptr_t)variable : NULL);
}

static const char *check_variable(const struct expr *node, void *context)
{
    const struct verification *v = context;
    if (hash_map_find(&v->known, node))
        return NULL;
    return arena_format(v->arena, "the %s variable '%s' is not known here",
                        variable_kind_text[node->as.variable.kind], node->as.variable.name->text);
}

static bool needs_allocation(const struct buffer *buffer)
{
    return buffer->space == SPACE_REGISTER || buffer->space == SPACE_TILE ||
           buffer->space == SPACE_SHARED;
}

static const char *check_access(const struct verification *v, const char *verb, buffer_id id)
{
    if (id.index >= v->program->buffers.count)
        return arena_format(v->arena, "buffer %" PRIu32 " is %s, which is not there", id.index,
                            verb);
    const struct buffer *buffer = program_buffer(v->program, id);
    if (needs_allocation(buffer) && !v->allocated[id.index])
        return arena_format(v->arena, "buffer '%s' is %s where it is not allocated",
                            buffer->name->text, verb);
    return NULL;
}

static const char *check_load(const struct expr *load, void *context)
{
    const struct verification *v = context;
    const buffer_id id = {load->as.load.source};
    const char *problem = check_access(v, "read", id);
    if (problem)
        return problem;
    const struct buffer *buffer = program_buffer(v->program, id);
    if (load->as.load.border && v->lowered >= LOWERED_BORDERS)
        return arena_format(v->arena, "'%s' is read with a border rule after borders are applied",
                            buffer->name->text);
    return expr_check_load(v->arena, load, buffer->name->text, buffer->rank, buffer->scalar,
                           buffer->interval);
}

static const char *in_part(struct arena *arena, const char *what, const char *problem)
{
    return problem ? arena_format(arena, "%s: %s", what, problem) : NULL;
}

static const char *verify_expression(struct verification *v, const char *what,
                                     const struct expr *node, bool with_loads)
{
    const struct expr_rules rules = {v->arena, check_variable, with_loads ? check_load : NULL, v,
                                     false};
    const struct arena_mark mark = arena_mark(v->arena);
    const char *problem = expr_verify(&rules, node);
    if (problem)
        return in_part(v->arena, what, problem);
    arena_release(v->arena, mark);
    if (v->lowered >= LOWERED_REDUCTIONS && node->holds & HOLDS_REDUCE)
        return arena_format(v->arena, "%s: a reduction is left after they became loops", what);
    return NULL;
}

static const char *verify_integer(struct verification *v, const char *what, const struct expr *node,
                                  bool with_loads)
{
    if (!scalar_is_integer(node->scalar))
        return arena_format(v->arena, "%s: %s stands where an integer is needed", what,
                            scalar_info[node->scalar].text);
    return verify_expression(v, what, node, with_loads);
}

/* ---- Tables ---- */

static const char *note_name(struct verification *v, struct hash_map *names, const char *things,
                             const struct symbol *name)
{
    if (hash_map_find(names, name))
        return arena_format(v->arena, "two %s are named '%s'", things, name->text);
    hash_map_put(v->arena, names, name, (void *)(uintptr_t)name);
    return NULL;
}

static bool has_constant_extent(const struct buffer_axis *axis)
{
    return axis->extent->kind == EXPR_INTEGER && axis->extent->as.integer >= 1;
}

static bool has_constant_box(const struct buffer *buffer)
{
    bool constant = true;
    for (unsigned k = 0; k < buffer->rank; k++)
        constant = constant && has_constant_extent(&buffer->axis[k]);
    return constant;
}

/* Of lines, [place, lane], the first axis is as long as these are; of some rows, [row, place], the
 * last one, and there are no more than the image has. */
static bool holds_whole_lines(const struct buffer *buffer)
{
    return buffer->rank == 2;
}

static const char *check_constant(struct verification *v, const struct buffer *buffer,
                                  const char *what)
{
    const struct expr *extent[GRAPH_MAX_RANK];
    size_t count = 1;
    if (!buffer->constant)
        return arena_format(v->arena, "%s has no values", what);
    /* The box alone tells how many values there are. */
    for (unsigned k = 0; k < buffer->rank; k++) {
        extent[k] = buffer->axis[k].extent;
        count *= extent[k]->kind == EXPR_INTEGER ? (size_t)extent[k]->as.integer : 1;
    }
    return graph_verify_constants(v->arena, what, buffer->scalar, buffer->interval, buffer->rank,
                                  extent, buffer->constant, count);
}

static bool is_of_host(const struct buffer *buffer)
{
    return buffer->space == SPACE_FRAME || buffer->space == SPACE_HOST;
}

static bool holds_in_turn(const struct buffer *buffer, unsigned k)
{
    const struct expr *extent = buffer->axis[k].extent;
    const bool slow =
        (buffer->space == SPACE_TILE || buffer->space == SPACE_SCRATCH) && k + 1 < buffer->rank;
    const bool fast = buffer->space == SPACE_REGISTER || buffer->space == SPACE_SHARED;
    return (slow || fast) && extent->kind == EXPR_INTEGER && extent->as.integer >= 1 &&
           (extent->as.integer & (extent->as.integer - 1)) == 0;
}

static const char *check_part(const struct verification *v, const struct buffer *part,
                              const char *what)
{
    if (part->within.index >= v->program->buffers.count)
        return arena_format(v->arena, "%s is within a buffer that is not there", what);
    const struct buffer *whole = program_buffer(v->program, part->within);
    const bool is_cut = buffer_is_cut(v->program, part);
    if ((whole->space != SPACE_SCRATCH && whole->space != SPACE_OUTPUT) ||
        whole->scalar != part->scalar || part->rank == 0 ||
        (part->rank != whole->rank && (!is_cut || part->cut == 0 || part->cut >= part->rank ||
                                       part->axis[part->cut].extent->kind != EXPR_INTEGER)))
        return arena_format(v->arena, "%s cannot lie within '%s'", what, whole->name->text);
    return NULL;
}

static const char *verify_buffer(struct verification *v, size_t index, struct hash_map *names)
{
    const struct buffer *buffer = &v->program->buffers.item[index];
    const char *what = arena_format(v->arena, "buffer '%s'", buffer->name->text);
    if (buffer->id.index != index)
        return arena_format(v->arena, "%s has the id %" PRIu32 ", but is at place %zu", what,
                            buffer->id.index, index);
    if (!scalar_is_float(buffer->scalar) &&
        (buffer->interval.least > buffer->interval.greatest ||
         !interval_inside(buffer->interval, scalar_info[buffer->scalar].interval)))
        return arena_format(v->arena, "%s holds %" PRId64 " .. %" PRId64 ", which is not inside %s",
                            what, buffer->interval.least, buffer->interval.greatest,
                            scalar_info[buffer->scalar].text);
    const char *problem = note_name(v, names, "buffers", buffer->name);
    for (unsigned k = 0; k < buffer->rank && !problem; k++)
        if (buffer->axis[k].circular && !holds_in_turn(buffer, k))
            problem =
                arena_format(v->arena,
                             "%s is circular along axis %u, where its memory is the caller's, or "
                             "not a power of two",
                             what, k);
    /* The box of a local buffer may follow the tile it is in. */
    for (unsigned k = 0; k < buffer->rank && !problem && !needs_allocation(buffer); k++) {
        problem = verify_integer(v, what, buffer->axis[k].first, false);
        if (!problem)
            problem = verify_integer(v, what, buffer->axis[k].extent, false);
    }
    if (!problem && is_of_host(buffer) && !has_constant_box(buffer))
        problem = arena_format(v->arena, "%s is in the space %s, but its extents are not constant",
                               what, space_text[buffer->space]);
    if (!problem && buffer->space == SPACE_CONSTANT)
        problem = check_constant(v, buffer, what);
    if (!problem && buffer->space == SPACE_PART)
        problem = check_part(v, buffer, what);
    return problem;
}

static const char *verify_buffers(struct verification *v)
{
    struct hash_map names = {0};
    const char *problem = NULL;
    for (size_t i = 0; i < v->program->buffers.count && !problem; i++)
        problem = verify_buffer(v, i, &names);
    return problem;
}

/* Each input or output is in the list of the signature, once. */
static const char *verify_signature(struct verification *v, enum buffer_space space, size_t count,
                                    const buffer_id id[])
{
    const char *word = space_text[space];
    bool *listed = ARENA_ARRAY(v->arena, bool, v->program->buffers.count + 1);
    for (size_t i = 0; i < count; i++) {
        if (id[i].index >= v->program->buffers.count)
            return arena_format(v->arena, "%s %zu is buffer %" PRIu32 ", which is not there", word,
                                i, id[i].index);
        const struct buffer *buffer = program_buffer(v->program, id[i]);
        if (buffer->space != space)
            return arena_format(v->arena, "%s %zu is '%s', which is in the space %s", word, i,
                                buffer->name->text, space_text[buffer->space]);
        if (listed[id[i].index])
            return arena_format(v->arena, "'%s' is %s twice", buffer->name->text, word);
        listed[id[i].index] = true;
    }
    for (size_t i = 0; i < v->program->buffers.count; i++)
        if (v->program->buffers.item[i].space == space && !listed[i])
            return arena_format(v->arena, "'%s' is not in the list of %ss",
                                v->program->buffers.item[i].name->text, word);
    return NULL;
}

/* Parameters and extents of inputs; then the values, each of which may use those before. */
static const char *declare_values(struct verification *v)
{
    const struct program *program = v->program;
    for (size_t i = 0; i < program->parameters.count; i++)
        set_known(v, &v->known, program->parameters.item[i].variable, true);
    for (size_t i = 0; i < program->buffers.count; i++) {
        const struct buffer *buffer = &program->buffers.item[i];
        if (buffer->rank > GRAPH_MAX_RANK)
            return arena_format(v->arena, "buffer '%s' has %u axes; %d are possible",
                                buffer->name->text, buffer->rank, GRAPH_MAX_RANK);
        for (unsigned k = 0; buffer->space == SPACE_INPUT && k < buffer->rank; k++) {
            const struct expr *extent = buffer->axis[k].extent;
            if (extent && extent->kind == EXPR_VARIABLE &&
                extent->as.variable.kind == VARIABLE_EXTENT)
                set_known(v, &v->known, extent, true);
        }
    }
    for (size_t i = 0; i < program->values.count; i++) {
        const struct named_value *value = &program->values.item[i];
        const char *what =
            arena_format(v->arena, "value '%s'", value->variable->as.variable.name->text);
        const char *problem = verify_integer(v, what, value->value, false);
        if (problem)
            return problem;
        set_known(v, &v->known, value->variable, true);
    }
    for (size_t i = 0; i < program->skews.count; i++) {
        if (program->skews.item[i].buffer.index >= program->buffers.count)
            return "a skew is of a buffer that is not there";
        set_known(v, &v->known, program->skews.item[i].variable, true);
    }
    return NULL;
}

static const char *verify_checks(struct verification *v)
{
    const char *problem = NULL;
    for (size_t i = 0; i < v->program->checks.count && !problem; i++) {
        const struct graph_check *check = &v->program->checks.item[i];
        const char *what = arena_format(v->arena, "the check \"%s\"", check->text);
        problem = check->condition->scalar == SCALAR_BOOL
                      ? verify_expression(v, what, check->condition, false)
                      : arena_format(v->arena, "%s is not a truth value", what);
    }
    return problem;
}

/* Regions alone may use the region variables. */
static const char *verify_regions(struct verification *v)
{
    const struct program *program = v->program;
    const char *problem = NULL;
    for (size_t i = 0; i < program->region_variables.count; i++)
        set_known(v, &v->known, program->region_variables.item[i], true);
    for (size_t i = 0; i < program->regions.count && !problem; i++) {
        const struct input_region *region = &program->regions.item[i];
        if (region->input.index >= program->buffers.count ||
            program_buffer(program, region->input)->space != SPACE_INPUT)
            return arena_format(v->arena, "region %zu is of no input", i);
        const struct buffer *input = program_buffer(program, region->input);
        const char *what = arena_format(v->arena, "the region of '%s'", input->name->text);
        for (unsigned k = 0; k < input->rank && !problem; k++) {
            problem = verify_integer(v, what, region->first[k], false);
            if (!problem)
                problem = verify_integer(v, what, region->end[k], false);
        }
    }
    for (size_t i = 0; i < program->region_variables.count; i++)
        set_known(v, &v->known, program->region_variables.item[i], false);
    return problem;
}

/* ---- Divergence ---- */

struct divergence {
    const struct verification *v;
    bool found;
};

static void note_divergence(const struct expr *node, void *context)
{
    struct divergence *divergence = context;
    if (node->kind == EXPR_LOAD || hash_map_find(&divergence->v->divergent, node))
        divergence->found = true;
}

/* Whether threads of a block may see different values: it depends on a thread's own coordinate, or
 * on samples. */
static bool is_divergent(const struct verification *v, const struct expr *node)
{
    struct divergence divergence = {v, false};
    const struct arena_mark mark = arena_mark(v->arena);
    expr_nodes(v->arena, node, note_divergence, &divergence);
    arena_release(v->arena, mark);
    return divergence.found;
}

/* ---- Loops ---- */

/* Loops that a launch spreads over its threads. */
static bool is_launch_level(enum parallel_level level)
{
    switch (level) {
    case LEVEL_THREADS:
    case LEVEL_WAVEFRONT:
    case LEVEL_GRID_X:
    case LEVEL_GRID_Y:
    case LEVEL_GRID_Z:
    case LEVEL_BLOCK_X:
    case LEVEL_BLOCK_Y:
        return true;
    case LEVEL_SERIAL:
    case LEVEL_SLIDING:
    case LEVEL_INDEPENDENT:
    case LEVEL_VECTOR:
    case LEVEL_UNROLLED:
    case LEVEL_TURNED:
    case LEVEL_SCANNED:
    case LEVEL_LOOKED_UP:
    case LEVEL_COUNT:
        break;
    }
    return false;
}

static bool is_block_level(enum parallel_level level)
{
    return level == LEVEL_BLOCK_X || level == LEVEL_BLOCK_Y;
}

static const char *check_level(struct verification *v, struct place place,
                               const struct statement *s, const char *what)
{
    const enum parallel_level level = s->as.loop.level;
    if (place.vector)
        return arena_format(v->arena, "the loop over '%s' is a vector loop, but has a loop inside",
                            place.vector->as.loop.variable->as.variable.name->text);
    if (level == LEVEL_UNROLLED &&
        (s->as.loop.first->kind != EXPR_INTEGER || s->as.loop.extent->kind != EXPR_INTEGER))
        return arena_format(v->arena, "%s is unrolled, but its ends are not known", what);
    if (!is_launch_level(level))
        return NULL;
    if (!place.kernel)
        return arena_format(v->arena, "%s is a %s loop outside a kernel", what, level_text[level]);
    if (!place.at_top)
        return arena_format(v->arena,
                            "%s is a %s loop, but not one of the outermost of kernel '%s'", what,
                            level_text[level], place.kernel->as.kernel.name->text);
    if (place.in_block_loop && !is_block_level(level))
        return arena_format(v->arena, "%s is a %s loop inside a block loop", what,
                            level_text[level]);
    if (level == LEVEL_THREADS && v->spread == place.kernel && v->threads != place.threads)
        return arena_format(v->arena, "%s is another loop over threads of kernel '%s'", what,
                            place.kernel->as.kernel.name->text);
    if (level != LEVEL_THREADS)
        return NULL;
    const unsigned holds = s->as.loop.first->holds | s->as.loop.extent->holds;
    if (place.threads && (holds & (HOLDS_INDEX | HOLDS_LOCAL | HOLDS_LOAD)))
        return arena_format(v->arena,
                            "%s depends on coordinates, so threads cannot share it with '%s'", what,
                            place.threads->as.loop.variable->as.variable.name->text);
    v->spread = place.kernel;
    v->threads = s;
    return NULL;
}

/* What a loop promises of its body, which is right in itself. */
static const char *check_promises(const struct verification *v, const struct statement *s,
                                  const char *what)
{
    const enum parallel_level level = s->as.loop.level;
    struct scan scan;
    struct lookup lookup;
    if (level == LEVEL_SCANNED && !scan_of(v->program, v->arena, s, &scan))
        return arena_format(v->arena, "%s is scanned, but is no running sum", what);
    if (level == LEVEL_LOOKED_UP && !lookup_of(v->program, v->arena, s, &lookup))
        return arena_format(v->arena, "%s is looked up, but in no table of bytes", what);
    if (s->as.loop.together &&
        (s->as.loop.level != LEVEL_SERIAL || s->as.loop.extent->kind != EXPR_INTEGER))
        return arena_format(
            v->arena,
            "%s is to be written out, but is not serial or has no known number of iterations",
            what);
    if (s->as.loop.bypassing && !bypass_store_of(v->program, s))
        return arena_format(v->arena, "%s is bypassing caches, but stores no rows of an image",
                            what);
    return NULL;
}

static const char *verify_loop(struct verification *v, struct place place,
                               const struct statement *s)
{
    const struct expr *variable = s->as.loop.variable;
    const enum parallel_level level = s->as.loop.level;
    const char *what =
        arena_format(v->arena, "the loop over '%s'", variable->as.variable.name->text);
    if (!scalar_is_integer(variable->scalar))
        return arena_format(v->arena, "%s counts in %s", what, scalar_info[variable->scalar].text);
    if (hash_map_find(&v->known, variable))
        return arena_format(v->arena, "%s is inside another one over it", what);
    const char *problem = check_level(v, place, s, what);
    if (!problem && s->as.loop.reversed && level != LEVEL_SERIAL)
        problem = arena_format(v->arena, "%s runs backward, but is not serial", what);
    if (!problem)
        problem = verify_integer(v, what, s->as.loop.first, true);
    if (!problem)
        problem = verify_integer(v, what, s->as.loop.extent, true);
    if (problem)
        return problem;
    const bool launch = is_launch_level(level);
    place.at_top = place.at_top && launch;
    place.in_block_loop = place.in_block_loop || is_block_level(level);
    place.vector = level == LEVEL_VECTOR ? s : NULL;
    place.threads = level == LEVEL_THREADS ? s : place.threads;
    const bool bounds = is_divergent(v, s->as.loop.first) || is_divergent(v, s->as.loop.extent);
    place.divergent = place.divergent || bounds;
    set_known(v, &v->known, variable, true);
    set_known(v, &v->divergent, variable, bounds || is_block_level(level));
    problem = verify_statement(v, place, s->as.loop.body);
    set_known(v, &v->known, variable, false);
    set_known(v, &v->divergent, variable, false);
    return problem ? problem : check_promises(v, s, what);
}

/* ---- Other statements ---- */

static const char *verify_if(struct verification *v, struct place place, const struct statement *s)
{
    if (s->as.branch.condition->scalar != SCALAR_BOOL)
        return arena_format(v->arena, "the condition of an if is %s, not a truth value",
                            scalar_info[s->as.branch.condition->scalar].text);
    const char *problem =
        verify_expression(v, "the condition of an if", s->as.branch.condition, true);
    place.divergent = place.divergent || is_divergent(v, s->as.branch.condition);
    if (!problem)
        problem = verify_statement(v, place, s->as.branch.then);
    if (!problem && s->as.branch.otherwise)
        problem = verify_statement(v, place, s->as.branch.otherwise);
    return problem;
}

/* The variable is known until the block ends. */
static const char *verify_let(struct verification *v, const struct statement *s)
{
    const struct expr *variable = s->as.let.variable;
    const char *what = arena_format(v->arena, "let '%s'", variable->as.variable.name->text);
    if (hash_map_find(&v->known, variable))
        return arena_format(v->arena, "%s stands where it is known already", what);
    const char *problem = expr_check_stored(v->arena, s->as.let.value, variable->scalar);
    if (problem)
        return in_part(v->arena, what, problem);
    problem = verify_expression(v, what, s->as.let.value, true);
    set_known(v, &v->divergent, variable, is_divergent(v, s->as.let.value));
    set_known(v, &v->known, variable, true);
    return problem;
}

static bool is_row_of(const struct buffer *buffer)
{
    return buffer->rank && buffer->space != SPACE_PART && !buffer->axis[buffer->rank - 1].circular;
}

/* Several samples in one access, between registers and memory. */
static const char *check_beside(const struct verification *v, const struct statement *s)
{
    const struct buffer *to = program_buffer(v->program, s->as.store.buffer);
    const struct expr *load = s->as.store.value;
    if (load->kind != EXPR_LOAD || load->as.load.border || load->scalar != to->scalar)
        return arena_format(v->arena, "'%s' takes several samples, but of no load of its type",
                            to->name->text);
    const struct buffer *from = &v->program->buffers.item[load->as.load.source];
    if ((to->space == SPACE_REGISTER) == (from->space == SPACE_REGISTER) || !is_row_of(to) ||
        !is_row_of(from) || s->as.store.join)
        return arena_format(v->arena, "several samples go from '%s' to '%s'", from->name->text,
                            to->name->text);
    return s->as.store.beside & (s->as.store.beside - 1)
               ? arena_format(v->arena, "%u samples are in one access", s->as.store.beside)
               : NULL;
}

static const char *verify_store(struct verification *v, const struct statement *s)
{
    const char *problem = check_access(v, "written", s->as.store.buffer);
    if (problem)
        return problem;
    const struct buffer *buffer = program_buffer(v->program, s->as.store.buffer);
    const char *name = buffer->name->text;
    const struct scalar_info *to = &scalar_info[buffer->scalar];
    const struct expr *value = s->as.store.value;
    const char *what = arena_format(v->arena, "the store to '%s'", name);
    if (buffer->space == SPACE_INPUT || buffer->space == SPACE_CONSTANT)
        return arena_format(v->arena, "buffer '%s' is written, but is in the space %s", name,
                            space_text[buffer->space]);
    if (s->as.store.rank != buffer->rank)
        return arena_format(v->arena, "buffer '%s' has %u axes, but is written with %u", name,
                            buffer->rank, s->as.store.rank);
    if (scalar_info[value->scalar].class != to->class ||
        (to->class == CLASS_FLOAT && value->scalar != buffer->scalar))
        return arena_format(v->arena, "buffer '%s' holds %s, but %s is written", name, to->text,
                            scalar_info[value->scalar].text);
    if (s->as.store.join && buffer->scalar != SCALAR_U32 && buffer->scalar != SCALAR_I32)
        return arena_format(v->arena, "%s is atomic, but not of integers of 32 bits", what);
    if (s->as.store.join > JOIN_SUM &&
        !interval_inside(value->interval, scalar_info[buffer->scalar].interval))
        return arena_format(v->arena, "%s joins values that '%s' cannot hold", what, name);
    if (s->as.store.beside)
        problem = check_beside(v, s);
    for (unsigned k = 0; k < buffer->rank && !problem; k++)
        problem = verify_integer(v, what, s->as.store.index[k], true);
    return problem ? problem : verify_expression(v, what, value, true);
}

static const char *verify_prefetch(struct verification *v, const struct statement *s)
{
    const char *problem = check_access(v, "prefetched", s->as.prefetch.buffer);
    if (problem)
        return problem;
    const struct buffer *buffer = program_buffer(v->program, s->as.prefetch.buffer);
    const char *what = arena_format(v->arena, "the prefetch of '%s'", buffer->name->text);
    if (s->as.prefetch.rank != buffer->rank || buffer->rank == 0)
        return arena_format(v->arena, "buffer '%s' has %u axes, but is prefetched with %u",
                            buffer->name->text, buffer->rank, s->as.prefetch.rank);
    for (unsigned k = 0; k < buffer->rank && !problem; k++)
        problem = verify_integer(v, what, s->as.prefetch.index[k], true);
    return problem ? problem : verify_integer(v, what, s->as.prefetch.extent, true);
}

/* Lines of floats side by side, in memory of one thread, and their table, of the same type. */
static const char *verify_transform(struct verification *v, struct place place,
                                    const struct statement *s)
{
    const buffer_id both[2] = {s->as.transform.table, s->as.transform.panel};
    const char *name = transform_info[s->as.transform.kind].name;
    if (!place.kernel)
        return arena_format(v->arena, "%s stands outside a kernel", name);
    for (int i = 0; i < 2; i++) {
        const char *problem = check_access(v, "transformed", both[i]);
        if (problem)
            return problem;
    }
    const struct buffer *table = program_buffer(v->program, both[0]);
    const struct buffer *panel = program_buffer(v->program, both[1]);
    if ((table->scalar != SCALAR_F32 && table->scalar != SCALAR_F64) ||
        table->scalar != panel->scalar)
        return arena_format(v->arena, "%s takes a table and a panel of one type, f32 or f64", name);
    if (table->rank != 1 || table->space != SPACE_SCRATCH)
        return arena_format(v->arena, "buffer '%s' is no table of %s", table->name->text, name);
    if (!s->as.transform.prepares && (panel->rank != 2 || panel->space != SPACE_TILE ||
                                      panel->axis[1].extent->kind != EXPR_INTEGER ||
                                      panel->axis[1].extent->as.integer != 2 * TRANSFORM_LANES))
        return arena_format(v->arena, "buffer '%s' is no panel of lines", panel->name->text);
    return verify_integer(v, name, s->as.transform.extent, true);
}

/* Packed memory, alone in a kernel. */
static const char *verify_particles(struct verification *v, struct place place,
                                    const struct statement *s)
{
    const struct particle_call_info *info = &particle_call_info[s->as.particles.call];
    if (!place.kernel)
        return "particles stand outside a kernel";
    for (unsigned i = 0; i < info->count; i++) {
        const char *problem = check_access(v, "given to particles", s->as.particles.buffer[i]);
        if (problem)
            return problem;
        const struct buffer *buffer = program_buffer(v->program, s->as.particles.buffer[i]);
        const enum scalar wanted = info->buffer[i].scalar;
        if (buffer->space != SPACE_SCRATCH || (wanted != SCALAR_COUNT && buffer->scalar != wanted))
            return arena_format(v->arena, "buffer '%s' is no %s of particles", buffer->name->text,
                                info->buffer[i].name);
    }
    return NULL;
}

static const char *check_shared(struct verification *v, struct place place,
                                const struct buffer *buffer)
{
    const char *name = buffer->name->text;
    if (v->shared_bytes == 0)
        return arena_format(v->arena, "buffer '%s' is shared, but the target has no shared memory",
                            name);
    if (!place.at_top || place.divergent)
        return arena_format(v->arena,
                            "buffer '%s' is shared, but not allocated at the top of "
                            "kernel '%s'",
                            name, place.kernel->as.kernel.name->text);
    uint64_t bytes = scalar_info[buffer->scalar].bytes;
    for (unsigned k = 0; k < buffer->rank; k++) {
        const uint64_t extent = (uint64_t)buffer->axis[k].extent->as.integer;
        bytes = extent > UINT32_MAX || bytes > UINT32_MAX ? UINT32_MAX : bytes * extent;
    }
    v->kernel_bytes += bytes;
    if (v->kernel_bytes > v->shared_bytes)
        return arena_format(v->arena,
                            "kernel '%s' takes %" PRIu64 " bytes of shared memory; there are %u",
                            place.kernel->as.kernel.name->text, v->kernel_bytes, v->shared_bytes);
    return NULL;
}

/* The buffer exists until the block ends. */
static const char *verify_allocate(struct verification *v, struct place place,
                                   const struct statement *s)
{
    const buffer_id id = s->as.allocate.buffer;
    if (id.index >= v->program->buffers.count)
        return arena_format(v->arena, "buffer %" PRIu32 " is allocated, which is not there",
                            id.index);
    const struct buffer *buffer = program_buffer(v->program, id);
    const char *name = buffer->name->text;
    const char *what = arena_format(v->arena, "buffer '%s'", name);
    if (!needs_allocation(buffer))
        return arena_format(v->arena, "%s is allocated, but is in the space %s", what,
                            space_text[buffer->space]);
    if (!place.kernel)
        return arena_format(v->arena, "%s is allocated outside a kernel", what);
    if (v->allocated[id.index])
        return arena_format(v->arena, "%s is allocated where it is already", what);
    const char *problem = NULL;
    for (unsigned k = 0; k < buffer->rank && !problem; k++) {
        problem = verify_integer(v, what, buffer->axis[k].first, true);
        if (!problem)
            problem = verify_integer(v, what, buffer->axis[k].extent, true);
    }
    if (!problem && !has_constant_box(buffer) &&
        !(buffer->space == SPACE_TILE && holds_whole_lines(buffer)))
        problem = arena_format(v->arena, "%s is in the space %s, but its extents are not constant",
                               what, space_text[buffer->space]);
    if (!problem && buffer->space == SPACE_SHARED)
        problem = check_shared(v, place, buffer);
    v->allocated[id.index] = true;
    return problem;
}

static const char *verify_barrier(const struct verification *v, struct place place)
{
    if (!place.kernel)
        return "a barrier stands outside a kernel";
    if (place.divergent)
        return arena_format(v->arena,
                            "a barrier of kernel '%s' stands where threads of a block may differ",
                            place.kernel->as.kernel.name->text);
    return NULL;
}

/* What a kernel reads and stores on one side, the host's or the device's. */
struct side_search {
    const struct verification *v;
    const struct statement *kernel;
    const char *problem;
};

static void note_side(struct side_search *search, uint32_t index, bool stores)
{
    const struct buffer *buffer =
        index < search->v->program->buffers.count ? &search->v->program->buffers.item[index] : NULL;
    const bool on_host = search->kernel->as.kernel.on_host;
    const bool may = !buffer || buffer->space == SPACE_REGISTER ||
                     (on_host ? is_of_host(buffer)
                              : !is_of_host(buffer) || (buffer->space == SPACE_FRAME && !stores));
    if (!may)
        search->problem = arena_format(
            search->v->arena, "kernel '%s', %s the host, %s buffer '%s' of the space %s",
            search->kernel->as.kernel.name->text, on_host ? "on" : "not on",
            stores ? "stores to" : "reads", buffer->name->text, space_text[buffer->space]);
}

static void note_read_side(const struct expr *node, void *user)
{
    if (node->kind == EXPR_LOAD)
        note_side(user, node->as.load.source, false);
}

static void note_stored_side(const struct statement *statement, void *user)
{
    if (statement->kind == STATEMENT_STORE)
        note_side(user, statement->as.store.buffer.index, true);
    statement_children(statement, note_stored_side, user);
}

static const char *check_side(const struct verification *v, const struct statement *kernel)
{
    struct side_search search = {v, kernel, NULL};
    statement_nodes(v->arena, kernel->as.kernel.body, note_read_side, &search);
    note_stored_side(kernel->as.kernel.body, &search);
    return search.problem;
}

/* What a kernel over windows is given is known in it; the call's arrays are packed. */
static const char *check_windows(const struct verification *v, const struct kernel_windows *w)
{
    const buffer_id scratch[] = {w->structure, w->values, w->results, w->room};
    const buffer_id all[] = {w->structure, w->values, w->results, w->room, w->window, w->line};
    int64_t samples = 1;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        const char *problem = check_access(v, "given to windows", all[i]);
        if (problem)
            return problem;
    }
    for (unsigned i = 0; i < sizeof scratch / sizeof *scratch; i++)
        if (program_buffer(v->program, scratch[i])->space != SPACE_SCRATCH)
            return "a kernel over windows has arrays that are not in scratch";
    if (program_buffer(v->program, w->window)->space != SPACE_WINDOW ||
        program_buffer(v->program, w->line)->space != SPACE_LINE)
        return "a kernel over windows has no window or line";
    for (unsigned a = 0; a < FLT_APR_AXES; a++) {
        const bool good = w->first[a] <= 0 && w->first[a] > -FLT_APR_WEIGHTS &&
                          w->extent[a] > -w->first[a] && w->extent[a] <= FLT_APR_WEIGHTS &&
                          w->border[a] >= FLT_APR_REFLECT101 && w->border[a] <= FLT_APR_ZERO;
        samples = good ? samples * w->extent[a] : FLT_APR_WEIGHTS + 1;
        if (samples > FLT_APR_WEIGHTS)
            return "a kernel has windows that cannot be";
    }
    return NULL;
}

static const char *verify_kernel(struct verification *v, struct place place,
                                 const struct statement *s)
{
    if (place.kernel)
        return arena_format(v->arena, "kernel '%s' stands inside kernel '%s'",
                            s->as.kernel.name->text, place.kernel->as.kernel.name->text);
    v->kernel_bytes = 0;
    const struct kernel_windows *w = s->as.kernel.windows;
    const char *problem = w ? check_windows(v, w) : NULL;
    for (int known = 1; known >= 0 && !problem; known--) {
        if (w) {
            set_known(v, &v->known, w->lines, known);
            set_known(v, &v->known, w->cells, known);
        }
        if (known)
            problem =
                verify_statement(v, (struct place){.kernel = s, .at_top = true}, s->as.kernel.body);
    }
    return problem ? problem : check_side(v, s);
}

/* What a statement of a block, or a body that is one, makes known ends with it. */
static void forget(struct verification *v, const struct statement *s)
{
    if (s->kind == STATEMENT_LET) {
        set_known(v, &v->known, s->as.let.variable, false);
        set_known(v, &v->divergent, s->as.let.variable, false);
    } else if (s->kind == STATEMENT_ALLOCATE) {
        v->allocated[s->as.allocate.buffer.index] = false;
    }
}

static const char *verify_one(struct verification *v, struct place place, const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_LOOP:
        return verify_loop(v, place, s);
    case STATEMENT_IF:
        return verify_if(v, place, s);
    case STATEMENT_LET:
        return verify_let(v, s);
    case STATEMENT_STORE:
        return verify_store(v, s);
    case STATEMENT_ALLOCATE:
        return verify_allocate(v, place, s);
    case STATEMENT_BARRIER:
        return verify_barrier(v, place);
    case STATEMENT_KERNEL:
        return verify_kernel(v, place, s);
    case STATEMENT_BLOCK:
        return verify_statement(v, place, s);
    case STATEMENT_PREFETCH:
        return verify_prefetch(v, s);
    case STATEMENT_TRANSFORM:
        return verify_transform(v, place, s);
    case STATEMENT_PARTICLES:
        return verify_particles(v, place, s);
    case STATEMENT_NOTE:
        return NULL;
    case STATEMENT_KIND_COUNT:
        break;
    }
    return "a statement has no kind";
}

/* A statement as a body: a block, or one that stands for itself. */
static const char *verify_statement(struct verification *v, struct place place,
                                    const struct statement *s)
{
    const bool is_block = s->kind == STATEMENT_BLOCK;
    const struct statement *const *item = is_block ? s->as.block.item : &s;
    const size_t count = is_block ? s->as.block.count : 1;
    const char *problem = NULL;
    for (size_t i = 0; i < count && !problem; i++)
        problem = verify_one(v, place, item[i]);
    for (size_t i = 0; i < count && !problem; i++)
        forget(v, item[i]);
    return problem;
}

const char *program_verify(const struct program *program, unsigned shared_bytes,
                           enum lowered lowered, struct arena *arena)
{
    struct verification v = {.program = program,
                             .arena = arena,
                             .shared_bytes = shared_bytes,
                             .lowered = lowered,
                             .allocated = ARENA_ARRAY(arena, bool, program->buffers.count + 1)};
    const char *problem =
        graph_verify_parameters(arena, program->parameters.item, program->parameters.count);
    if (!problem)
        problem = declare_values(&v);
    if (!problem)
        problem = verify_buffers(&v);
    if (!problem)
        problem = verify_signature(&v, SPACE_INPUT, program->inputs.count, program->inputs.item);
    if (!problem)
        problem = verify_signature(&v, SPACE_OUTPUT, program->outputs.count, program->outputs.item);
    if (!problem)
        problem = verify_checks(&v);
    if (!problem)
        problem = verify_regions(&v);
    return problem ? problem : verify_statement(&v, (struct place){0}, program->body);
}
