/* Scratch memory: the offset of each buffer, and the size needed. */
#include "emit/emission.h"
#include "emit/host/host.h"
#include "emit/launch/launch_box.h"
#include "expr/affine.h"

/* A caller's image whose last axis is not contiguous is worked on as a packed copy. */
void print_needs_copy(struct emission *e, const struct buffer *buffer)
{
    text_print(e->out, "%s->%s != 1 && %s->%s > 1", name_of_buffer(e, buffer),
               name_of_stride_field(e, buffer, buffer->rank - 1), name_of_buffer(e, buffer),
               name_of_extent_field(e, buffer, buffer->rank - 1));
}

static void print_bypasses(struct emission *e)
{
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (!buffer_bypasses(e, buffer))
            continue;
        text_print(e->out, "    frame->%s = ", name_of_bypass(e, buffer));
        if (buffer->bypass == BYPASS_ALWAYS) {
            text_print(e->out, "1;\n");
            continue;
        }
        print_bytes(e, buffer);
        text_print(e->out, " >= FLT_STREAM_BYTES;\n");
    }
}

/* From one sample along the axis to the next. */
static void print_stride(struct emission *e, const struct buffer *buffer, unsigned k)
{
    text_print(e->out, "    frame->%s = (%s)%s", name_of_stride(e, buffer, k), stride_in_frame(e),
               k + 2 < buffer->rank ? "(" : "");
    for (unsigned inner = k + 1; inner < buffer->rank; inner++) {
        text_print(e->out, inner > k + 1 ? " * " : "");
        if (inner + 1 < buffer->rank)
            print_operand(e, buffer->axis[inner].extent);
        else
            print_row(e, buffer);
    }
    text_print(e->out, k + 2 < buffer->rank ? ");\n" : ";\n");
}

/* Places it at `at`, unless memory is only measured. type: of its samples; NULL: bytes. */
static void print_place(struct emission *e, const char *name, const char *type, unsigned bytes)
{
    if (e->dialect->host->object)
        text_print(e->out, "    frame->%s = memory;\n    frame->%s = (int64_t)(at / %u);\n", name,
                   name_of_first(e, name), bytes);
    else if (!type)
        text_print(e->out, "    if (memory)\n        frame->%s = memory + at;\n", name);
    else
        text_print(e->out, "    if (memory)\n        frame->%s = (%s *)(void *)(memory + at);\n",
                   name, type);
}

struct search {
    const struct statement **allocates; /* by buffer: the kernel that does */
    const struct statement *kernel;     /* at hand */
};

static void find_kernel(const struct statement *statement, void *user)
{
    struct search *search = user;
    if (statement->kind == STATEMENT_KERNEL)
        search->kernel = statement;
    if (statement->kind == STATEMENT_ALLOCATE)
        search->allocates[statement->as.allocate.buffer.index] = search->kernel;
    statement_children(statement, find_kernel, search);
}

static const struct statement *kernel_that_allocates(struct emission *e,
                                                     const struct buffer *buffer)
{
    if (!e->allocates) {
        e->allocates =
            ARENA_ARRAY(e->arena, const struct statement *, e->program->buffers.count + 1);
        find_kernel(e->program->body, &(struct search){e->allocates, NULL});
    }
    return e->allocates[buffer->id.index];
}

/* `lines` times the parts that run at once. */
static void print_lines_of_parts(struct emission *e, const struct buffer *buffer)
{
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z};
    const char *const threads = e->dialect->host->threads;
    if (threads) {
        text_print(e->out, "        at = flt_behind(at, flt_times(lines, %s));\n", threads);
        return;
    }
    const struct statement *kernel = kernel_that_allocates(e, buffer);
    const struct launch_box box = kernel ? launch_box_of(kernel) : (struct launch_box){0};
    text_print(e->out, "        uint64_t all = lines;\n");
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++) {
        if (!box.extent[level[i]])
            continue;
        text_print(e->out, "        all = flt_times(all, ");
        emit_index(e, &on_host, box.extent[level[i]]);
        text_print(e->out, ");\n");
    }
    text_print(e->out, "        at = flt_behind(at, all);\n");
}

/* As much for each thread. */
static void print_places_of_lines(struct emission *e, const struct buffer *buffer)
{
    const char *lines = name_of_lines(e, buffer), *bytes = name_of_line_bytes(e, buffer);
    text_print(e->out, "    {\n        const uint64_t lines = ");
    print_room(e, buffer, "64");
    text_print(e->out, "        frame->%s = (%s)lines;\n", bytes, size_in_frame(e));
    e->out->indent += 4;
    print_place(e, lines, NULL, 1);
    e->out->indent -= 4;
    print_lines_of_parts(e, buffer);
    text_print(e->out, "    }\n");
    for (unsigned k = 0; k + 1 < buffer->rank && buffer_holds_rows(buffer); k++)
        print_stride(e, buffer, k);
}

/* From the first sample along the axis to that of a part of the buffer. */
static void print_distance(struct emission *e, const struct buffer *whole, unsigned k,
                           const struct buffer_axis *part)
{
    struct expr_pool *pool = &e->session->pool;
    const struct expr *distance =
        affine_normal(pool, expr_binary(pool, EXPR_SUBTRACT, part->first, whole->axis[k].first));
    if (distance->kind == EXPR_INTEGER && distance->as.integer == 0)
        return;
    text_print(e->out, " + (");
    emit_index(e, &on_host, distance);
    const bool strides = buffer_has_stride(e, whole, k);
    text_print(e->out, strides ? ") * frame->%s" : ")", strides ? name_of_stride(e, whole, k) : "");
}

/* Of buffers within others. */
static void print_parts(struct emission *e)
{
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *part = &e->program->buffers.item[i];
        if (part->space != SPACE_PART)
            continue;
        const struct buffer *whole = buffer_of(e, part->within);
        const bool is_cut = buffer_is_cut(e->program, part);
        const struct buffer_axis *cut = &part->axis[part->cut];
        const char *own_name = name_of_buffer(e, part), *of = name_of_buffer(e, whole);
        if (e->dialect->host->object)
            text_print(e->out, "    frame->%s = frame->%s;\n    frame->%s = frame->%s", own_name,
                       of, name_of_first(e, own_name), name_of_first(e, of));
        else
            text_print(e->out, "    if (memory)\n        frame->%s = frame->%s", own_name, of);
        for (unsigned k = 0; k < whole->rank; k++)
            print_distance(e, whole, k, &part->axis[is_cut && k + 1 >= part->cut ? k + 1 : k]);
        text_print(e->out, ";\n");
        for (unsigned k = 0; k < part->rank && buffer_has_stride(e, part, k); k++) {
            text_print(e->out, "    frame->%s = ", name_of_stride(e, part, k));
            const unsigned own = is_cut && k >= part->cut ? k - 1 : k; /* of the whole */
            if (is_cut && k + 1 == part->cut)
                emit_index(e, &on_host, cut->extent);
            if (buffer_has_stride(e, whole, own))
                text_print(e->out, "%sframe->%s", is_cut && k + 1 == part->cut ? " * " : "",
                           name_of_stride(e, whole, own));
            text_print(e->out, ";\n");
        }
    }
}

static void print_skews(struct emission *e)
{
    for (size_t i = 0; i < e->program->skews.count; i++) {
        const struct cache_skew *skew = &e->program->skews.item[i];
        const struct buffer *buffer = buffer_of(e, skew->buffer);
        text_print(e->out,
                   "    frame->%s = memory ? (int64_t)((uintptr_t)frame->%s %% %d / %u) : 0;\n",
                   name_of_variable(e, skew->variable), name_of_buffer(e, buffer), CACHE_LINE,
                   scalar_info[buffer->scalar].bytes);
    }
}

/* The buffers one after another in memory; with memory NULL it only measures. */
static void print_places(struct emission *e)
{
    for (size_t s = 0; s < e->program->slots.count; s++) {
        for (size_t i = 0; i < e->program->buffers.count; i++) {
            const struct buffer *buffer = &e->program->buffers.item[i];
            if (buffer->space == SPACE_SCRATCH && buffer->slot == s)
                print_place(e, name_of_buffer(e, buffer), scalar_info[buffer->scalar].c_type,
                            scalar_info[buffer->scalar].bytes);
        }
        text_print(e->out, "    at = ");
        print_room(e, buffer_of(e, e->program->slots.item[s]), "at");
    }
    for (size_t i = 0; i < e->program->buffers.count; i++) {
        const struct buffer *buffer = &e->program->buffers.item[i];
        if (buffer->space != SPACE_SCRATCH)
            continue;
        for (unsigned k = 0; k + 1 < buffer->rank; k++)
            print_stride(e, buffer, k);
    }
    for (size_t i = 0; i < e->program->buffers.count; i++)
        if (buffer_holds_lines(&e->program->buffers.item[i]))
            print_places_of_lines(e, &e->program->buffers.item[i]);
    print_bypasses(e);
    if (e->tile_bytes)
        text_print(e->out, "    if (memory)\n        frame->tiles = memory + at;\n"
                           "    at = flt_behind(at, flt_times(FLT_TILE_BYTES, frame->threads));\n");
    for (size_t i = 0; i < e->program->inputs.count + e->program->outputs.count; i++) {
        const bool output = i >= e->program->inputs.count;
        const struct buffer *buffer =
            buffer_of(e, output ? e->program->outputs.item[i - e->program->inputs.count]
                                : e->program->inputs.item[i]);
        const char *name = name_of_buffer(e, buffer);
        if (e->dialect->host->object)
            text_print(e->out, "    frame->%s = %s->memory;\n    frame->%s = (int64_t)%s->first;\n",
                       name, name, name_of_first(e, name), name);
        else
            text_print(e->out, "    frame->%s = %s->data;\n", name, name);
        for (unsigned k = 0; k < buffer->rank && buffer_has_stride(e, buffer, k); k++)
            text_print(e->out, "    frame->%s = %s->%s;\n", name_of_stride(e, buffer, k), name,
                       name_of_stride_field(e, buffer, k));
        if (buffer->rank == 0 || e->dialect->host->takes_strides)
            continue;
        text_print(e->out, "    if (");
        print_needs_copy(e, buffer);
        text_print(e->out,
                   ") { /* a packed copy */\n        if (memory)\n            frame->%s = (%s "
                   "*)(void *)(memory + at);\n",
                   name, scalar_info[buffer->scalar].c_type);
        for (unsigned k = buffer->rank; k-- > 1;) {
            text_print(e->out, "        frame->%s = ", name_of_stride(e, buffer, k - 1));
            if (k + 1 == buffer->rank)
                text_print(e->out, "%s->%s;\n", name, name_of_extent_field(e, buffer, k));
            else
                text_print(e->out, "frame->%s * %s->%s;\n", name_of_stride(e, buffer, k), name,
                           name_of_extent_field(e, buffer, k));
        }
        text_print(e->out, "        at = ");
        print_room(e, buffer, "at");
        text_print(e->out, "    }\n");
    }
    print_parts(e);
    print_skews(e);
}

/* Whether an image of the caller's has more than one sample. */
static bool has_axes(const struct emission *e)
{
    bool any = false;
    for (size_t i = 0; i < e->program->inputs.count; i++)
        any = any || buffer_of(e, e->program->inputs.item[i])->rank;
    for (size_t i = 0; i < e->program->outputs.count; i++)
        any = any || buffer_of(e, e->program->outputs.item[i])->rank;
    return any;
}

void print_layout(struct emission *e)
{
    struct body body;
    begin_body(e, &body);
    print_places(e);
    e->out = body.around;
    const char *const places = body.text.length ? body.text.bytes : "";
    if (text_mentions(places, "flt_row"))
        text_print(e->out,
                   "/* Samples from one row to the next: lines of cache, and rows that are read "
                   "together not "
                   "at the same\n * place of a page, where they would drive each other out. */\n"
                   "static int64_t flt_row(int64_t samples, int bytes)\n{\n"
                   "    const int64_t line = 64, page = 4096, apart = 5 * line;\n"
                   "    int64_t row = (samples * bytes + line - 1) / line * line;\n"
                   "    if (samples * bytes < page / 2)\n        return samples;\n"
                   "    if (row %% page < apart || row %% page > page - apart)\n"
                   "        row += (apart - row %% page + page) %% page;\n"
                   "    return row / bytes;\n}\n\n");
    const bool copies = e->dialect->host->copies_images;
    if ((copies && has_axes(e)) || text_mentions(places, "flt_times"))
        text_print(e->out, "/* Sizes in bytes; 2^62 stands for all that is more. */\n"
                           "static uint64_t flt_times(uint64_t bytes, int64_t extent)\n{\n"
                           "    const uint64_t most = (uint64_t)1 << 62;\n"
                           "    return extent > 0 && bytes > most / (uint64_t)extent ? most\n"
                           "                                                         : bytes * "
                           "(uint64_t)extent;\n}\n\n");
    if (copies || text_mentions(places, "flt_behind"))
        text_print(e->out,
                   "/* The next multiple of 64 behind so many bytes. */\n"
                   "static uint64_t flt_behind(uint64_t at, uint64_t bytes)\n{\n"
                   "    const uint64_t most = (uint64_t)1 << 62;\n"
                   "    if (at > most - 64 || bytes > most - 64 - at)\n        return most;\n"
                   "    return (at + bytes + 63) / 64 * 64;\n}\n\n");
    text_print(e->out,
               "/* Gives each buffer its place in memory; where memory is NULL, only measures. */\n"
               "static uint64_t %s_layout(struct %s_frame *frame, %smemory",
               e->name, e->name, e->dialect->host->object ? e->dialect->host->object : "char *");
    if (e->program->inputs.count)
        text_print(e->out, ", ");
    for (size_t i = 0; i < e->program->inputs.count + e->program->outputs.count; i++) {
        const bool output = i >= e->program->inputs.count;
        const char *name = name_of_buffer(
            e, buffer_of(e, output ? e->program->outputs.item[i - e->program->inputs.count]
                                   : e->program->inputs.item[i]));
        text_print(e->out, "%sconst struct %s_%s *%s", i || !e->program->inputs.count ? ", " : "",
                   e->name, name, name);
    }
    text_print(e->out, ")\n{\n    uint64_t at = 0;\n");
    if (!text_mentions(places, "memory"))
        text_print(e->out, "    (void)memory;\n");
    print_frame_parameters(e, &body);
    end_body(e, &body, true);
    text_print(e->out, "    return at;\n}\n\n");
}

void print_layout_call(struct emission *e, const char *memory)
{
    text_print(e->out, "%s_layout(&all, %s", e->name, memory);
    for (size_t i = 0; i < e->program->inputs.count; i++)
        text_print(e->out, ", %s", name_of_buffer(e, buffer_of(e, e->program->inputs.item[i])));
    for (size_t i = 0; i < e->program->outputs.count; i++)
        text_print(e->out, ", %s", name_of_buffer(e, buffer_of(e, e->program->outputs.item[i])));
    text_print(e->out, ")");
}

void print_scratch_bytes(struct emission *e)
{
    text_print(e->out, "size_t %s_scratch_bytes(", e->name);
    emit_parameters(e, false, true);
    text_print(e->out, "%s)\n{\n    struct %s_frame all;\n    if (%s_check_shapes(&all, ",
               e->dialect->host->parameter, e->name, e->name);
    emit_parameters(e, true, true);
    text_print(e->out,
               "%s) != %s_OK)\n        return SIZE_MAX;\n    {\n        const uint64_t bytes = ",
               e->dialect->host->argument, name_upper(e, e->name));
    print_layout_call(e, "NULL");
    text_print(e->out,
               ";\n        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;\n    }\n}\n\n");
}
