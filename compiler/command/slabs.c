/* Slab by slab: parts of the images are read, the filter is called, and boxes of the results are
 * written to their places in files that appear when all is done. */
#include "command/slabs.h"
#include "command/adaptive_files.h"
#include "command/alpha.h"
#include "command/conversion.h"
#include "command/slab_plan.h"
#include "command/stack_files.h"

bool slabs_suit(const struct execution *x)
{
    const struct options *o = x->c->options;
    struct session *session = x->c->session;
    const char *other = o->profile ? "--profile" : o->compare ? "--compare" : NULL;
    if (other) {
        COMMAND_HELP(
            session,
            session_error(session, DIAGNOSTIC_E0903, "--memory and %s exclude each other", other),
            "leave out one of the two");
        return false;
    }
    const struct target *target = command_target(x->c);
    if (target->runs_on_host)
        return true;
    COMMAND_HELP(session,
                 session_error(session, DIAGNOSTIC_E0903, "target '%s' has no use for --memory",
                               target->name),
                 "leave it out: slabs are computed on the host");
    return false;
}

/* ---- What is computed ---- */

/* The boxes of the results. */
static void set_boxes(struct slabs *slabs)
{
    struct execution *x = slabs->x;
    struct samples input[MOST_PICTURES] = {0},
                   *box = ARENA_ARRAY(x->c->session->permanent, struct samples,
                                      x->graph->stages.count + 1);
    const struct interpretation run = {
        .session = x->c->session, .inputs = input, .parameters = x->parameter};
    pictures_extents(&x->pictures, input);
    interpret_boxes(x->graph, &run, box);
    for (size_t r = 0; r < x->results.count; r++) {
        const struct samples *of = &box[x->results.item[r].stage->id.index];
        for (unsigned k = 0; k < of->rank; k++) {
            slabs->result[r].first[k] = of->first[k];
            slabs->result[r].end[k] = of->first[k] + of->extent[k];
        }
    }
}

/* Leaves what --crop does of the box of a result. */
static void crop_box(struct slabs *slabs, size_t r)
{
    const struct stage *stage = slabs->x->results.item[r].stage;
    const int32_t *crop = slabs->x->results.crop;
    struct slab_result *result = &slabs->result[r];
    for (unsigned k = 0; k < stage->rank; k++) {
        const int x = strcmp(stage->axis[k].name->text, "x") == 0;
        if (!x && strcmp(stage->axis[k].name->text, "y") != 0)
            continue;
        result->first[k] += crop[x];
        result->end[k] = result->first[k] + crop[2 + x];
    }
}

/* An axis is outer if no picture has it behind an axis that the filter names. */
static void set_outer(struct slabs *slabs)
{
    const struct pictures *p = &slabs->x->pictures;
    slabs->pictures = *p;
    for (int m = 0; m < p->mapped_count; m++) {
        slabs->is_outer[m] = true;
        for (size_t i = 0; i < p->count; i++) {
            const int axis = picture_find_axis(&p->item[i].image, p->mapped[m].name);
            for (int k = 0; k < axis; k++)
                if (picture_names(&p->item[i], k))
                    slabs->is_outer[m] = false;
        }
        if (slabs->is_outer[m])
            slabs->pictures.mapped[m].extent = 1;
    }
}

/* ---- What is whole ---- */

static bool has_axis(const struct stage *stage, const char *name)
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (strcmp(stage->axis[k].name->text, name) == 0)
            return true;
    return false;
}

/* Whether the saving can be written part by part. */
static bool is_by_place(const struct slabs *slabs, const struct saving *saving, const char *target)
{
    const struct results *results = &slabs->x->results;
    const struct pictures *pictures = &slabs->x->pictures;
    const struct stage *stage = results->item[saving->result].stage;
    bool good = stage->rank > 0 && !saving->along && !adaptive_is_file(target) &&
                flt_parts_can_create(target, &results->options);
    if (stage_is_complex(stage))
        good = good && flt_image_complex_form(target, &results->options) == FLT_COMPLEX_KEPT;
    if (results->crops) /* along axes of the stage, not of slices */
        good = good && has_axis(stage, "y") && has_axis(stage, "x");
    for (size_t i = 0; i < pictures->count; i++) /* whose alpha is added to whole results */
        good = good && !pictures->item[i].keeps_alpha;
    return good;
}

/* A result is in memory whole if one of its files is written so. False after a message. */
static bool choose_files(struct slabs *slabs)
{
    struct execution *x = slabs->x;
    struct results *results = &x->results;
    struct slab_file *item =
        ARENA_ARRAY(x->c->session->permanent, struct slab_file, results->savings.count + 1);
    for (size_t r = 0; r < results->count; r++)
        slabs->result[r].is_whole = results->item[r].stage->rank == 0;
    for (size_t i = 0; i < results->savings.count; i++) {
        const struct saving *saving = &results->savings.item[i];
        item[i] = (struct slab_file){
            .saving = saving,
            .target = results_target(x->c, &x->pictures, x->run, saving, results)};
        if (!item[i].target)
            return false;
        if (!is_by_place(slabs, saving, item[i].target))
            slabs->result[saving->result].is_whole = true;
    }
    slabs->file = item;
    for (size_t i = 0; i < results->savings.count; i++) {
        struct saving *saving = &results->savings.item[i];
        saving->by_place = !slabs->result[saving->result].is_whole;
        if (saving->by_place)
            item[slabs->file_count++] = item[i];
    }
    return true;
}

static uint64_t bytes_of(const struct flt_image *image)
{
    return (uint64_t)image_samples(image) * flt_element_bytes(image->element);
}

/* Counts the images that are in memory all the time: of files that are read whole, and results. */
static void count_whole(struct slabs *slabs)
{
    const struct execution *x = slabs->x;
    for (size_t i = 0; i < x->pictures.count; i++)
        if (!x->pictures.item[i].parts)
            slabs->whole += bytes_of(&x->pictures.item[i].image);
    for (size_t r = 0; r < x->results.count; r++) {
        const struct flt_image form = slabs_whole_form(slabs, r);
        if (slabs->result[r].is_whole)
            slabs->whole += bytes_of(&form);
    }
}

static bool make_whole(struct slabs *slabs)
{
    struct execution *x = slabs->x;
    for (size_t r = 0; r < x->results.count; r++) {
        const struct slab_result *box = &slabs->result[r];
        struct result *result = &x->results.item[r];
        int32_t extent[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < result->stage->rank; k++)
            extent[k] = (int32_t)(box->end[k] - box->first[k]);
        if (box->is_whole &&
            !pictures_result(x->c->session, &x->pictures, result->stage, extent, &result->image))
            return false;
    }
    return true;
}

/* ---- Files ---- */

/* The image as the file holds it: metadata, axes, what --crop leaves. The caller frees it. False
 * after a message. */
static bool form_in_file(struct slabs *slabs, struct slab_file *file, struct flt_image *form)
{
    struct execution *x = slabs->x;
    const struct result *result = &x->results.item[file->saving->result];
    const bool takes_alpha = flt_image_takes_alpha(file->target, &x->results.options);
    *form = slabs_whole_form(slabs, file->saving->result);
    if (!file->saving->is_stage && !alpha_add(x->c, &x->pictures, takes_alpha, form))
        return false;
    for (size_t i = 0; i < x->pictures.count && !flt_image_is_complex(form); i++)
        flt_image_keep(form, &x->pictures.item[i].image);
    file->single = results_single_channel(form);
    if (file->single >= 0)
        *form = stack_part(form, file->single, 0);
    return !x->results.crops || results_crop(x->c, &x->results, result->output->name->text, form);
}

static bool create_file(struct slabs *slabs, struct slab_file *file)
{
    struct command_context *c = slabs->x->c;
    const struct results *results = &slabs->x->results;
    struct flt_image form;
    struct flt_detail detail;
    bool good = form_in_file(slabs, file, &form);
    if (good) {
        results_make_folders(file->saving, file->target);
        const enum flt_status status =
            flt_parts_create(file->target, &form, &results->options, &file->out, &detail);
        good = status == FLT_OK;
        if (!good)
            results_fail(c, file->saving, &results->item[file->saving->result], &form, status,
                         &detail);
    }
    flt_image_destroy(&form);
    return good && command_remark(c->session, DIAGNOSTIC_W0906, &detail);
}

/* All of them, and what is computed for them. False after a message. */
static bool create_files(struct slabs *slabs)
{
    for (size_t i = 0; i < slabs->file_count; i++)
        if (!create_file(slabs, &slabs->file[i]))
            return false;
    for (size_t r = 0; r < slabs->x->results.count && slabs->x->results.crops; r++)
        for (size_t i = 0; i < slabs->file_count; i++)
            if (slabs->file[i].saving->result == r) {
                crop_box(slabs, r);
                break;
            }
    return true;
}

static bool fail_file(struct slabs *slabs, const struct flt_detail *detail)
{
    session_error(slabs->x->c->session, DIAGNOSTIC_E0904, "%s", detail->text);
    return false;
}

/* Puts them into their places, or removes them. */
static bool end_files(struct slabs *slabs, bool good)
{
    struct command_context *c = slabs->x->c;
    struct flt_detail detail;
    for (size_t i = 0; i < slabs->file_count; i++) {
        struct slab_file *file = &slabs->file[i];
        if (!good)
            flt_parts_discard(file->out);
        else if (flt_parts_finish(file->out, &detail) == FLT_OK)
            VECTOR_PUSH(c->session->permanent, &c->saved, file->target);
        else
            good = fail_file(slabs, &detail);
    }
    return good;
}

/* The box of the slab, at that place of the outer axes. */
static bool write_box(struct slabs *slabs, const struct slab_file *file, const int32_t at[],
                      const struct slab_call *call)
{
    const struct execution *x = slabs->x;
    const size_t r = file->saving->result;
    struct flt_image box = call->output[r];
    struct flt_detail detail;
    int axis[FLT_MAX_RANK];
    int32_t first[FLT_MAX_RANK];
    const int rank = result_axes(&x->pictures, x->results.item[r].stage, axis);
    for (int k = 0; k < rank; k++)
        first[k] = axis[k] >= 0
                       ? (int32_t)(call->box_first[r][axis[k]] - slabs->result[r].first[axis[k]])
                   : slabs->is_outer[-1 - axis[k]] ? at[-1 - axis[k]]
                                                   : 0;
    if (file->single >= 0) {
        box = stack_part(&box, file->single, 0);
        for (int k = file->single; k < box.rank; k++)
            first[k] = first[k + 1];
    }
    return flt_parts_write(file->out, first, &box, &detail) == FLT_OK || fail_file(slabs, &detail);
}

/* ---- Slabs ---- */

/* The next place of the axes that are outer, or that are not; false: that was the last one. */
static bool step(const struct slabs *slabs, bool outer, int32_t at[])
{
    const struct pictures *p = &slabs->x->pictures;
    for (int m = p->mapped_count; m-- > 0;) {
        if (slabs->is_outer[m] != outer)
            continue;
        if (++at[m] < p->mapped[m].extent)
            return true;
        at[m] = 0;
    }
    return false;
}

static bool read_part(struct slabs *slabs, size_t i, const int32_t at[], struct slab_call *call)
{
    const struct picture *picture = &slabs->x->pictures.item[i];
    int32_t first[FLT_MAX_RANK], end[FLT_MAX_RANK];
    if (!picture->parts)
        return true;
    memcpy(first, call->first[i], sizeof first);
    memcpy(end, call->end[i], sizeof end);
    for (int m = 0; m < slabs->x->pictures.mapped_count; m++) {
        const int axis = picture_find_axis(&picture->image, slabs->x->pictures.mapped[m].name);
        if (!slabs->is_outer[m] || axis < 0 || picture_names(picture, axis))
            continue;
        first[axis] = at[m];
        end[axis] = at[m] + 1;
    }
    return picture_read(slabs->x->c, picture, first, end, &call->input[i]);
}

static bool make_box(struct slabs *slabs, size_t r, struct slab_call *call)
{
    const struct execution *x = slabs->x;
    if (slabs->result[r].is_whole)
        return true;
    return pictures_result(x->c->session, &slabs->pictures, x->results.item[r].stage,
                           call->extent[x->pictures.count + r], &call->output[r]);
}

static void free_slab(const struct slabs *slabs, struct slab_call *call)
{
    for (size_t i = 0; i < slabs->x->pictures.count; i++)
        if (slabs->x->pictures.item[i].parts)
            flt_image_destroy(&call->input[i]);
    for (size_t r = 0; r < slabs->x->results.count; r++)
        if (!slabs->result[r].is_whole)
            flt_image_destroy(&call->output[r]);
}

/* at: of the outer axes; the others go from 0 to their ends, and are 0 again. */
static bool run_slab(struct slabs *slabs, size_t slab, int32_t at[], struct slab_call *call)
{
    const struct execution *x = slabs->x;
    bool good = slab_call_make(slabs, slab > 0 ? slabs->end[slab - 1] : 0, slabs->end[slab], call);
    for (size_t i = 0; i < x->pictures.count && good; i++)
        good = read_part(slabs, i, at, call);
    for (size_t r = 0; r < x->results.count && good; r++)
        good = make_box(slabs, r, call);
    bool more = good;
    while (more && good) {
        slab_call_aim(slabs, at, call);
        good = slab_call_run(slabs, call);
        more = step(slabs, false, at);
    }
    for (size_t i = 0; i < slabs->file_count && good; i++)
        if (call->is_new[slabs->file[i].saving->result])
            good = write_box(slabs, &slabs->file[i], at, call);
    free_slab(slabs, call);
    return good;
}

static bool run_slabs(struct slabs *slabs)
{
    struct execution *x = slabs->x;
    struct slab_call *call = ARENA_NEW(x->c->session->permanent, struct slab_call);
    int32_t at[FLT_MAX_RANK] = {0};
    x->slice = 0;
    x->slices = (int64_t)slabs->count;
    for (int m = 0; m < x->pictures.mapped_count; m++)
        x->slices *= slabs->is_outer[m] ? x->pictures.mapped[m].extent : 1;
    do {
        for (size_t slab = 0; slab < slabs->count; slab++, x->slice++) {
            execution_progress(x, 0);
            if (!run_slab(slabs, slab, at, call))
                return false;
        }
    } while (step(slabs, true, at));
    return true;
}

bool slabs_run(struct execution *x)
{
    struct slabs *slabs = ARENA_NEW(x->c->session->permanent, struct slabs);
    *slabs = (struct slabs){.x = x};
    set_boxes(slabs);
    set_outer(slabs);
    if (!choose_files(slabs))
        return false;
    count_whole(slabs);
    bool good = create_files(slabs) && slabs_plan(slabs) && make_whole(slabs) && run_slabs(slabs);
    return end_files(slabs, good);
}
