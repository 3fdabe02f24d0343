/* Which slabs there are: boxes, what of the images each of them reads, and how many bytes that
 * takes. The filter itself tells what a box reads and how much scratch memory it needs. */
#include "command/slab_plan.h"
#include "command/conversion.h"

#include <assert.h>
#include <inttypes.h>

enum { OVERHEAD = 32 << 20 /* bytes of the process itself: code, libraries, buffers of files */ };

/* ---- Calls ---- */

static void fail_status(const struct slabs *slabs, int status)
{
    session_error(slabs->x->c->session, DIAGNOSTIC_E0907, "%s",
                  slabs->x->compiled.filter->status_text(status));
}

/* All that stays the same. */
static void begin_call(const struct slabs *slabs, struct slab_call *call)
{
    const struct execution *x = slabs->x;
    memset(call, 0, sizeof *call);
    for (size_t i = 0; i < MOST_PICTURES + MOST_RESULTS; i++) {
        call->extents[i] = call->extent[i];
        call->strides[i] = call->stride[i];
    }
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        call->parameters[i] = execution_parameter(x, i, call->memory[i]);
    for (size_t i = 0; i < MOST_PICTURES; i++)
        call->parts[i] = call->part[i];
    call->arguments = (struct flt_arguments){.size = sizeof call->arguments,
                                             .data = call->data,
                                             .extents = call->extents,
                                             .strides = call->strides,
                                             .parameters = call->parameters,
                                             .threads = x->threads,
                                             .box = call->box,
                                             .parts = call->parts};
}

/* Where the slab that begins there begins in a result of so many places along the axis. Each place
 * of the result is in one slab; of a short result some slabs have none that is new. */
static int64_t place_in(const struct slabs *slabs, int64_t place, int64_t extent)
{
    return (int64_t)((__int128)place * extent / slabs->places);
}

static void set_box(const struct slabs *slabs, size_t r, int64_t begin, int64_t end,
                    struct slab_call *call)
{
    const struct slab_result *result = &slabs->result[r];
    const unsigned rank = slabs->x->results.item[r].stage->rank;
    call->is_new[r] = result->cut >= 0 || begin == 0;
    for (unsigned k = 0; k < rank; k++) {
        int64_t first = result->first[k], last = result->end[k];
        const int64_t extent = last - first;
        if ((int)k == result->cut) {
            last = first + place_in(slabs, end, extent);
            first += place_in(slabs, begin, extent);
            call->is_new[r] = last > first;
            if (!call->is_new[r] && last == result->end[k])
                first--;
            else if (!call->is_new[r])
                last++;
        }
        call->box_first[r][k] = first;
        call->box_end[r][k] = last;
    }
}

/* The part of a picture for the region that its stage's axes tell. */
static void set_part(const struct slabs *slabs, size_t i, const int64_t region[],
                     struct slab_call *call)
{
    const struct picture *picture = &slabs->x->pictures.item[i];
    struct flt_image *part = &call->input[i];
    ptrdiff_t stride = 1;
    *part = picture->image;
    if (picture->parts)
        part->data = NULL;
    for (int k = 0; k < part->rank; k++) {
        call->first[i][k] = 0;
        call->end[i][k] = picture->image.extent[k];
    }
    if (!picture->parts)
        return;
    for (unsigned k = 0; k < picture->stage->rank; k++) {
        if (picture->place[k] < 0)
            continue;
        call->first[i][picture->place[k]] = (int32_t)region[2 * k];
        call->end[i][picture->place[k]] =
            (int32_t)(region[2 * k + 1] > region[2 * k] ? region[2 * k + 1] : region[2 * k] + 1);
    }
    for (int m = 0; m < slabs->pictures.mapped_count; m++) {
        const int axis = picture_find_axis(part, slabs->pictures.mapped[m].name);
        if (slabs->is_outer[m] && axis >= 0 && !picture_names(picture, axis))
            call->end[i][axis] = 1;
    }
    for (int k = part->rank - 1; k >= 0; k--) {
        part->extent[k] = call->end[i][k] - call->first[i][k];
        part->stride[k] = stride;
        stride *= part->extent[k];
    }
}

/* The extents of the whole images, as the filter sees them. */
static void set_extents(const struct slabs *slabs, struct slab_call *call)
{
    const struct pictures *p = &slabs->x->pictures;
    struct samples input[MOST_PICTURES] = {0};
    pictures_extents(p, input);
    for (size_t i = 0; i < p->count; i++)
        for (unsigned k = 0; k < input[i].rank; k++)
            call->extent[i][k] = (int32_t)input[i].extent[k];
}

struct flt_image slabs_whole_form(const struct slabs *slabs, size_t r)
{
    const struct slab_result *result = &slabs->result[r];
    const struct stage *stage = slabs->x->results.item[r].stage;
    int32_t extent[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        extent[k] = (int32_t)(result->end[k] - result->first[k]);
    struct flt_image form = pictures_result_form(&slabs->x->pictures, stage, extent);
    form.data = slabs->x->results.item[r].image.data;
    return form;
}

bool slab_call_make(const struct slabs *slabs, int64_t begin, int64_t end, struct slab_call *call)
{
    const struct execution *x = slabs->x;
    const size_t inputs = x->pictures.count;
    size_t at = 0;
    begin_call(slabs, call);
    set_extents(slabs, call);
    for (size_t r = 0; r < x->results.count; r++) {
        const struct stage *stage = x->results.item[r].stage;
        int32_t extent[GRAPH_MAX_RANK];
        set_box(slabs, r, begin, end, call);
        for (unsigned k = 0; k < stage->rank; k++) {
            call->box[at++] = call->box_first[r][k];
            call->box[at++] = call->box_end[r][k];
            extent[k] = (int32_t)(call->box_end[r][k] - call->box_first[r][k]);
            call->extent[inputs + r][k] = extent[k];
        }
        call->output[r] = slabs->result[r].is_whole
                              ? slabs_whole_form(slabs, r)
                              : pictures_result_form(&slabs->pictures, stage, extent);
    }
    for (size_t i = 0; i < inputs; i++) {
        int64_t region[2 * GRAPH_MAX_RANK + 1] = {0};
        call->arguments.input = (unsigned)i;
        call->arguments.region = region;
        const int status = x->compiled.filter->call(FLT_REGION, &call->arguments);
        if (status != 0) {
            fail_status(slabs, status);
            return false;
        }
        set_part(slabs, i, region, call);
    }
    return true;
}

/* Places of the mapped axes in what is in memory: that of the outer ones is its only one. */
static void places_within(const struct slabs *slabs, const int32_t at[], bool is_whole,
                          int32_t within[])
{
    for (int m = 0; m < slabs->pictures.mapped_count; m++)
        within[m] = slabs->is_outer[m] && !is_whole ? 0 : at[m];
}

static void aim_input(const struct slabs *slabs, size_t i, const int32_t at[],
                      struct slab_call *call)
{
    const struct pictures *p = &slabs->x->pictures;
    struct picture picture = p->item[i];
    int32_t within[FLT_MAX_RANK], extent[GRAPH_MAX_RANK];
    places_within(slabs, at, !picture.parts, within);
    memcpy(picture.image.stride, call->input[i].stride, sizeof picture.image.stride);
    picture.image.data = call->input[i].data;
    picture_slice(p, &picture, within, &call->data[i], extent, call->stride[i]);
    for (unsigned k = 0; k < picture.stage->rank; k++) {
        const int axis = picture.place[k];
        call->part[i][2 * k] = axis < 0 ? 0 : call->first[i][axis];
        call->part[i][2 * k + 1] = axis < 0                         ? 1
                                   : call->end[i][axis] < extent[k] ? call->end[i][axis]
                                                                    : extent[k];
    }
}

static void aim_output(const struct slabs *slabs, size_t r, const int32_t at[],
                       struct slab_call *call)
{
    const struct execution *x = slabs->x;
    const struct stage *stage = x->results.item[r].stage;
    const size_t number = x->pictures.count + r;
    int32_t within[FLT_MAX_RANK];
    places_within(slabs, at, slabs->result[r].is_whole, within);
    result_slice(&x->pictures, stage, &call->output[r], within, &call->data[number],
                 call->stride[number]);
    for (unsigned k = 0; k < stage->rank && slabs->result[r].is_whole && call->data[number]; k++)
        call->data[number] =
            (char *)call->data[number] + (call->box_first[r][k] - slabs->result[r].first[k]) *
                                             call->stride[number][k] *
                                             (ptrdiff_t)flt_element_bytes(call->output[r].element);
}

void slab_call_aim(const struct slabs *slabs, const int32_t at[], struct slab_call *call)
{
    for (size_t i = 0; i < slabs->x->pictures.count; i++)
        aim_input(slabs, i, at, call);
    for (size_t r = 0; r < slabs->x->results.count; r++)
        aim_output(slabs, r, at, call);
}

bool slab_call_run(const struct slabs *slabs, struct slab_call *call)
{
    call->arguments.scratch = NULL;
    const int status = slabs->x->compiled.filter->call(FLT_RUN_BOX, &call->arguments);
    if (status != 0)
        fail_status(slabs, status);
    return status == 0;
}

/* ---- Memory ---- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Bytes of scratch memory. False after a message. */
static bool find_scratch(const struct slabs *slabs, struct slab_call *call, uint64_t *bytes)
{
    const int32_t at[FLT_MAX_RANK] = {0};
    slab_call_aim(slabs, at, call);
    const int status = slabs->x->compiled.filter->call(FLT_SCRATCH, &call->arguments);
    *bytes = call->arguments.scratch_bytes;
    if (status != 0)
        fail_status(slabs, status);
    return status == 0;
}

/* Of a part and, where its samples are converted, of those as in the file. */
static uint64_t bytes_of_input(const struct picture *picture, const struct flt_image *part)
{
    const uint64_t samples = image_samples(part);
    uint64_t bytes = samples * flt_element_bytes(part->element);
    if (!picture->parts)
        return 0; /* it is counted already */
    if (picture->stored != part->element)
        bytes += samples * flt_element_bytes(picture->stored);
    return sum(bytes, flt_parts_memory(picture->parts));
}

static bool reads_all_of(const struct slabs *slabs, size_t i, const struct slab_call *call)
{
    const struct picture *picture = &slabs->x->pictures.item[i];
    bool all = picture->parts != NULL;
    for (unsigned k = 0; k < picture->stage->rank; k++)
        all = all && (picture->place[k] < 0 ||
                      call->end[i][picture->place[k]] - call->first[i][picture->place[k]] ==
                          picture_extent(picture, picture->place[k]));
    return all;
}

/* All bytes that a slab takes. False after a message. */
static bool find_bytes(struct slabs *slabs, int64_t begin, int64_t end, struct slab_call *call,
                       uint64_t *bytes)
{
    const struct execution *x = slabs->x;
    uint64_t scratch;
    if (!slab_call_make(slabs, begin, end, call))
        return false;
    *bytes = OVERHEAD + slabs->whole;
    for (size_t i = 0; i < x->pictures.count; i++)
        *bytes = sum(*bytes, bytes_of_input(&x->pictures.item[i], &call->input[i]));
    for (size_t r = 0; r < x->results.count; r++)
        if (!slabs->result[r].is_whole)
            *bytes = sum(*bytes, image_samples(&call->output[r]) *
                                     flt_element_bytes(call->output[r].element));
    if (!find_scratch(slabs, call, &scratch))
        return false;
    *bytes = sum(*bytes, scratch);
    return true;
}

/* ---- Slabs ---- */

/* Cuts each result along its axis of that name, else along its first one. */
static void cut_along(struct slabs *slabs, const struct symbol *name)
{
    slabs->places = 1;
    for (size_t r = 0; r < slabs->x->results.count; r++) {
        const struct stage *stage = slabs->x->results.item[r].stage;
        struct slab_result *result = &slabs->result[r];
        result->cut = stage->rank > 0 ? 0 : -1;
        for (unsigned k = 0; k < stage->rank; k++)
            if (stage->axis[k].name == name)
                result->cut = (int)k;
        if (result->cut < 0)
            continue;
        const int64_t extent = result->end[result->cut] - result->first[result->cut];
        slabs->places = extent > slabs->places ? extent : slabs->places;
    }
}

/* The greatest end of a slab that begins there; *end: begin, where no place fits. False after a
 * message. */
static bool find_end(struct slabs *slabs, int64_t begin, struct slab_call *call, int64_t *end)
{
    int64_t low = begin, high = slabs->places + 1,
            tried = slabs->places; /* low fits, high does not */
    while (high - low > 1) {
        uint64_t bytes;
        if (!find_bytes(slabs, begin, tried, call, &bytes))
            return false;
        if (bytes <= slabs->x->memory)
            low = tried;
        else
            high = tried;
        tried = low + (high - low) / 2;
    }
    *end = low;
    return true;
}

/* *fits: whether there are slabs that all fit. False after a message. */
static bool plan_cut(struct slabs *slabs, struct slab_call *call, bool *fits)
{
    struct arena *arena = slabs->x->c->session->permanent;
    VECTOR(int64_t) ends = {0};
    int64_t begin = 0, end = 0;
    do {
        if (!find_end(slabs, begin, call, &end))
            return false;
        *fits = end > begin;
        VECTOR_PUSH(arena, &ends, end);
        begin = end;
    } while (*fits && end < slabs->places);
    slabs->end = ends.item;
    slabs->count = ends.count;
    return true;
}

/* The bytes with which each slab could have one place, where those along the axis do not fit; kept
 * if they are fewer than along the axes before. Of many places, some thousands tell it. False after
 * a message. */
static bool find_needed(struct slabs *slabs, const struct symbol *axis, struct slab_call *call)
{
    enum { MOST_TRIED = 4096 };
    const int64_t apart = slabs->places / MOST_TRIED + 1;
    bool reads_all[MOST_PICTURES] = {false};
    uint64_t needed = 0;
    for (int64_t place = 0; place < slabs->places; place += apart) {
        uint64_t bytes;
        if (!find_bytes(slabs, place, place + 1, call, &bytes))
            return false;
        if (bytes <= needed)
            continue;
        needed = bytes;
        for (size_t i = 0; i < slabs->x->pictures.count; i++)
            reads_all[i] = reads_all_of(slabs, i, call);
    }
    if (needed >= slabs->needed)
        return true;
    slabs->needed = needed;
    slabs->needed_along = axis;
    memcpy(slabs->reads_all, reads_all, sizeof reads_all);
    return true;
}

/* ---- Messages ---- */

/* In units that --memory takes, rounded up. */
static const char *size_text(struct arena *arena, uint64_t bytes)
{
    const int shift = bytes < (uint64_t)1 << 30 ? 10 : 20;
    const uint64_t unit = (uint64_t)1 << shift;
    return arena_format(arena, "%" PRIu64 "%c", bytes / unit + (bytes % unit != 0),
                        shift == 10 ? 'K' : 'M');
}

static void note_whole(const struct slabs *slabs, struct diagnostic *d)
{
    const struct execution *x = slabs->x;
    struct session *session = x->c->session;
    for (size_t i = 0; i < x->pictures.count; i++) {
        const struct picture *picture = &x->pictures.item[i];
        if (!picture->parts)
            diagnostic_note(&session->diagnostics, d,
                            "'%s' is read whole; NPY, PNM, PFM, TIFF and raw files are read by "
                            "place",
                            picture->path);
        else if (slabs->reads_all[i])
            diagnostic_note(&session->diagnostics, d, "it reads all of '%s' for each of them",
                            picture->stage->name->text);
    }
    for (size_t i = 0; i < x->results.savings.count; i++) {
        const struct saving *saving = &x->results.savings.item[i];
        if (!saving->by_place)
            diagnostic_note(&session->diagnostics, d,
                            "'%s' is written whole; NPY, PNM, PFM, TIFF and raw files are written "
                            "by place",
                            saving->word);
    }
}

static bool fail_memory(const struct slabs *slabs)
{
    const struct execution *x = slabs->x;
    struct session *session = x->c->session;
    const char *needed = size_text(session->permanent, slabs->needed);
    struct diagnostic *d = session_error(
        session, DIAGNOSTIC_E0907,
        "'%s' needs %s of memory for one place along %s, but --memory is %s", x->graph->name->text,
        needed, slabs->needed_along->text, x->c->options->memory);
    note_whole(slabs, d);
    COMMAND_HELP(session, d, "write --memory %s", needed);
    return false;
}

bool slabs_plan(struct slabs *slabs)
{
    const struct execution *x = slabs->x;
    struct slab_call *call = ARENA_NEW(x->c->session->permanent, struct slab_call);
    const struct stage *first = NULL;
    bool fits = false;
    for (size_t r = 0; r < x->results.count && !first; r++)
        if (x->results.item[r].stage->rank > 0)
            first = x->results.item[r].stage;
    assert(first && "a program over boxes has a result with an axis");
    slabs->needed = UINT64_MAX;
    for (unsigned k = 0; k < first->rank && !fits; k++) {
        cut_along(slabs, first->axis[k].name);
        if (!plan_cut(slabs, call, &fits) ||
            (!fits && !find_needed(slabs, first->axis[k].name, call)))
            return false;
    }
    return fits || fail_memory(slabs);
}
