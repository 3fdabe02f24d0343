#include "program/regions.h"
#include "program/random.h"

#include "command/trial_images.h"

enum { MOST_IMAGES = 2 * TRIAL_IMAGES };

struct box {
    int64_t bound[2 * GRAPH_MAX_RANK]; /* first, end by axis, from the first sample on */
};

struct region_call {
    int (*call)(int what, struct flt_arguments *arguments);
    const struct program *program;
    unsigned inputs, images;
    struct samples image[MOST_IMAGES]; /* packed */
    int32_t extent[MOST_IMAGES][GRAPH_MAX_RANK], *extents[MOST_IMAGES];
    ptrdiff_t stride[MOST_IMAGES][GRAPH_MAX_RANK];
    const ptrdiff_t *strides[MOST_IMAGES];
    void *data[MOST_IMAGES];
    unsigned char value[TRIAL_PARAMETERS][8];
    const void *parameters[TRIAL_PARAMETERS];
    struct flt_arguments arguments;
};

/* A copy, or without samples an image to write to; false without memory. */
static bool set_image(struct region_call *c, unsigned i, const struct samples *from, bool copies)
{
    struct samples *image = &c->image[i];
    ptrdiff_t step = 1;
    *image = *from;
    if (!samples_allocate(image))
        return false;
    if (copies)
        memcpy(image->data, from->data, samples_count(from) * scalar_info[from->scalar].bytes);
    for (unsigned k = from->rank; k-- > 0;) {
        c->extent[i][k] = (int32_t)from->extent[k];
        c->stride[i][k] = step;
        step *= (ptrdiff_t)from->extent[k];
    }
    c->extents[i] = c->extent[i];
    c->strides[i] = c->stride[i];
    c->data[i] = image->data;
    return true;
}

static bool begin(struct region_call *c, const struct graph *graph, const struct trial *trial)
{
    bool good = true;
    c->inputs = trial->input_count;
    for (; good && c->images < trial->input_count + trial->output_count; c->images++)
        good = c->images < c->inputs
                   ? set_image(c, c->images, &trial->input[c->images], true)
                   : set_image(c, c->images, &trial->expected[c->images - c->inputs], false);
    for (size_t i = 0; i < graph->parameters.count && i < TRIAL_PARAMETERS; i++) {
        value_write(c->value[i], graph->parameters.item[i].scalar, trial->parameter[i]);
        c->parameters[i] = c->value[i];
    }
    c->arguments = (struct flt_arguments){.size = sizeof c->arguments,
                                          .data = c->data,
                                          .extents = c->extents,
                                          .strides = c->strides,
                                          .parameters = c->parameters,
                                          .threads = 1};
    return good;
}

static void end(struct region_call *c)
{
    for (unsigned i = 0; i < c->images; i++)
        samples_free(&c->image[i]);
}

/* At a border, of one sample, or any. */
static void choose_axis(uint64_t *random, int64_t extent, int64_t bound[2])
{
    const int64_t least[3] = {0, extent - 1, between(random, 0, extent - 1)};
    bound[0] = least[below(random, 3)];
    const int64_t end[3] = {bound[0] + 1, extent, between(random, bound[0] + 1, extent)};
    bound[1] = end[below(random, 3)];
}

static struct box random_box(const struct samples *result, uint64_t *random)
{
    struct box box = {{0}};
    for (unsigned k = 0; k < result->rank; k++)
        choose_axis(random, result->extent[k], &box.bound[2 * k]);
    return box;
}

static bool next_index(const struct samples *s, int64_t index[])
{
    unsigned k = s->rank;
    while (k > 0 && ++index[k - 1] == s->extent[k - 1])
        index[--k] = 0;
    return k > 0;
}

static bool is_inside(const struct samples *s, const int64_t index[], const int64_t box[])
{
    bool inside = true;
    for (unsigned k = 0; k < s->rank; k++)
        inside = inside && index[k] >= box[2 * k] && index[k] < box[2 * k + 1];
    return inside;
}

/* Outside of the box samples become those of another image of the same extents. */
static void take_outside(struct samples *s, const struct samples *other, const int64_t box[])
{
    const unsigned bytes = scalar_info[s->scalar].bytes;
    int64_t index[GRAPH_MAX_RANK] = {0};
    size_t at = 0;
    do {
        if (!is_inside(s, index, box))
            memcpy(s->data + at, other->data + at, bytes);
        at += bytes;
    } while (next_index(s, index));
}

/* NULL, or what is wrong. */
static const char *change_input(struct region_call *c, unsigned i, const int64_t boxes[],
                                uint64_t *random)
{
    int64_t region[2 * GRAPH_MAX_RANK];
    struct samples other = c->image[i];
    c->arguments.input = i;
    c->arguments.box = boxes;
    c->arguments.region = region;
    if (c->call(FLT_REGION, &c->arguments))
        return "FLT_REGION is refused";
    for (unsigned k = 0; k < other.rank; k++)
        if (region[2 * k] < 0 || region[2 * k + 1] > other.extent[k])
            return "a region is outside of its input";
    if (!samples_allocate(&other))
        return "there is no memory for the test";
    random_samples(random, &other);
    take_outside(&c->image[i], &other, region);
    samples_free(&other);
    return NULL;
}

/* Only the box counts: outside of it what is expected is taken. */
static const char *compare_boxes(struct region_call *c, const struct program_check *check,
                                 const struct trial *trial, const struct box box[])
{
    const char *problem = NULL;
    for (unsigned i = 0; i < trial->output_count && !problem; i++) {
        struct samples *result = &c->image[c->inputs + i];
        take_outside(result, &trial->expected[i], box[i].bound);
        problem = samples_difference(check->session->permanent, &trial->expected[i], result);
    }
    return problem;
}

/* Coordinates of results begin where these do; false: that is not known here. */
static bool place_boxes(const struct program *program, const struct trial *trial,
                        const struct box box[], int64_t boxes[])
{
    size_t at = 0;
    for (unsigned i = 0; i < trial->output_count; i++) {
        const struct buffer *output = program_buffer(program, program->outputs.item[i]);
        for (unsigned k = 0; k < output->rank; k++)
            for (int side = 0; side < 2; side++) {
                if (output->axis[k].first->kind != EXPR_INTEGER)
                    return false;
                boxes[at++] =
                    output->axis[k].first->as.integer + box[i].bound[2 * k + (unsigned)side];
            }
    }
    return true;
}

/* The boxes alone, from parts that hold no more than the regions: the samples around are those of
 * other images. */
static const char *run_boxes(struct region_call *c, const struct program_check *check,
                             const struct trial *trial, const struct box box[],
                             const int64_t boxes[])
{
    static int64_t region[TRIAL_IMAGES][2 * GRAPH_MAX_RANK];
    const int64_t *parts[TRIAL_IMAGES];
    for (unsigned i = 0; i < c->inputs; i++) {
        struct samples *image = &c->image[i];
        ptrdiff_t first = 0;
        c->arguments.input = i;
        c->arguments.box = boxes;
        c->arguments.region = region[i];
        parts[i] = region[i];
        if (c->call(FLT_REGION, &c->arguments))
            return "FLT_REGION is refused";
        for (unsigned k = 0; k < image->rank; k++)
            first += (ptrdiff_t)region[i][2 * k] * c->stride[i][k];
        c->data[i] = image->data + first * (ptrdiff_t)scalar_info[image->scalar].bytes;
    }
    for (unsigned i = 0; i < trial->output_count; i++) {
        struct samples *image = &c->image[c->inputs + i];
        ptrdiff_t first = 0;
        for (unsigned k = 0; k < image->rank; k++) {
            first += (ptrdiff_t)box[i].bound[2 * k] * c->stride[c->inputs + i][k];
            c->extent[c->inputs + i][k] = (int32_t)(box[i].bound[2 * k + 1] - box[i].bound[2 * k]);
        }
        memset(image->data, 0xa5, samples_count(image) * scalar_info[image->scalar].bytes);
        c->data[c->inputs + i] = image->data + first * (ptrdiff_t)scalar_info[image->scalar].bytes;
    }
    c->arguments.parts = parts;
    const int status = c->call(FLT_RUN_BOX, &c->arguments);
    if (status)
        return arena_format(check->session->permanent, "FLT_RUN_BOX: status %d", status);
    return compare_boxes(c, check, trial, box);
}

const char *regions_check(int (*call)(int what, struct flt_arguments *arguments),
                          const struct program_check *check, const struct trial *trial,
                          uint64_t *random)
{
    static struct region_call c;
    int64_t boxes[2 * GRAPH_MAX_RANK * TRIAL_IMAGES];
    struct box box[TRIAL_IMAGES];
    const struct program *program = check->program;
    const char *problem = NULL;
    c = (struct region_call){.call = call, .program = program};
    for (unsigned i = 0; i < trial->output_count; i++)
        box[i] = random_box(&trial->expected[i], random);
    if (!program->region_variables.count || program->regions.count != trial->input_count ||
        !place_boxes(program, trial, box, boxes))
        return NULL;
    if (!begin(&c, check->graph, trial))
        problem = "there is no memory for the test";
    for (unsigned i = 0; i < c.inputs && !problem; i++)
        problem = change_input(&c, i, boxes, random);
    if (!problem && call(FLT_RUN, &c.arguments))
        problem = "a run is refused";
    if (!problem) {
        problem = compare_boxes(&c, check, trial, box);
        if (problem)
            problem = arena_format(check->session->permanent,
                                   "a box depends on samples outside of its region: %s", problem);
    }
    if (!problem && check->boxed) {
        problem = run_boxes(&c, check, trial, box, boxes);
        if (problem)
            problem = arena_format(check->session->permanent, "NAME_run_box: %s", problem);
    }
    end(&c);
    return problem;
}
