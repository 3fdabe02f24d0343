/* A program beside itself over real numbers. Images of fixed point are given to it as the numbers
 * that their integers stand for; all else is the same. */
#include "command/compare.h"

#include <math.h>
#include <stdio.h>

/* ---- The program over real numbers ---- */

static const struct graph *graph_over_reals(struct execution *x)
{
    struct command_context *c = x->c;
    const struct diagnostics before = c->session->diagnostics;
    c->fixed_as_real = true;
    const struct graph *graph = command_graph(c, c->modules);
    c->fixed_as_real = false;
    if (graph) { /* the program itself gave all warnings */
        diagnostics_go_back(&c->session->diagnostics, &before);
        graph = results_add_stages(c, graph);
    }
    if (!graph || graph->outputs.count != x->graph->outputs.count) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "--compare: the filter cannot be made over real numbers");
        return NULL;
    }
    return graph;
}

struct execution *compare_open(struct execution *x)
{
    struct execution *real = ARENA_NEW(x->c->session->permanent, struct execution);
    *real = (struct execution){.c = x->c,
                               .graph = graph_over_reals(x),
                               .externals = x->externals,
                               .interprets = x->interprets,
                               .profile = {.arena = x->c->session->permanent},
                               .runs = 1,
                               .threads = x->threads};
    if (!real->graph || !parameters_take(x->c, real->graph, real->parameter) ||
        (!x->interprets && !execute_compile(real)))
        return NULL;
    return real;
}

/* ---- One run ---- */

/* What an integer of the stage stands for, held inside its type as reads of it are. */
static double number_of(const struct stage *stage, struct value v)
{
    int64_t integer = v.integer;
    if (!scalar_is_integer(stage->element) && stage->element != SCALAR_BOOL)
        return (double)value_real(stage->element, v);
    if (!stage->fixed.is)
        return (double)integer;
    if (integer < stage->interval.least)
        integer = stage->interval.least;
    if (integer > stage->interval.greatest)
        integer = stage->interval.greatest;
    return ldexp((double)integer, -stage->fixed.fraction);
}

static bool picture_over_reals(struct execution *x, const struct picture *from, struct picture *to)
{
    const struct flt_image *image = &from->image;
    const char *axis[FLT_MAX_RANK];
    if (!from->stage->fixed.is)
        return true;
    for (int k = 0; k < image->rank; k++)
        axis[k] = image->axis[k];
    if (flt_image_create(&to->image, FLT_F64, image->rank, axis, image->extent) != FLT_OK) {
        session_error(x->c->session, DIAGNOSTIC_E0907, "there is not enough memory");
        return false;
    }
    to->image.has_alpha = image->has_alpha;
    const size_t count = image_samples(image);
    const unsigned bytes = scalar_info[from->stage->element].bytes;
    double *data = to->image.data;
    for (size_t i = 0; i < count; i++)
        data[i] = number_of(
            from->stage, value_read((const char *)image->data + i * bytes, from->stage->element));
    return true;
}

/* Frees what the run before has left. */
static void free_run(struct execution *real)
{
    for (size_t i = 0; i < real->results.count; i++)
        flt_image_destroy(&real->results.item[i].image);
    for (size_t i = 0; i < real->pictures.count; i++)
        if (real->pictures.item[i].is_made)
            flt_image_destroy(&real->pictures.item[i].image);
}

bool compare_run(struct execution *x, struct execution *real)
{
    free_run(real);
    real->pictures = x->pictures;
    real->results = (struct results){.count = x->results.count};
    bool good = true;
    for (size_t i = 0; i < real->pictures.count; i++) {
        const struct picture *from = &x->pictures.item[i];
        struct picture *picture = &real->pictures.item[i];
        picture->stage = graph_input_at(real->graph, from->stage->as.input.position);
        picture->is_made = from->stage->fixed.is;
        if (picture->is_made)
            memset(&picture->image, 0, sizeof picture->image);
        good = good && picture_over_reals(x, from, picture);
    }
    for (size_t i = 0; i < real->results.count; i++) {
        struct result *result = &real->results.item[i];
        result->output = &real->graph->outputs.item[i];
        result->stage = graph_stage(real->graph, result->output->stage);
    }
    return good && execute_slices(real);
}

void compare_close(struct execution *real)
{
    if (!real)
        return;
    free_run(real);
    compile_close(&real->compiled);
}

/* ---- The difference ---- */

/* From the least to the greatest number of a result's type. */
static double peak_of(const struct stage *stage)
{
    const struct interval whole = scalar_info[stage->element].interval;
    if (stage->fixed.is)
        return ldexp((double)stage->interval.greatest - (double)stage->interval.least,
                     -stage->fixed.fraction);
    return scalar_is_integer(stage->element) ? (double)whole.greatest - (double)whole.least : 1;
}

/* What is beyond the ends of a result of fixed point is meant to be an end. */
static double held_inside(const struct stage *stage, double value)
{
    if (!stage->fixed.is)
        return value;
    const double least = ldexp((double)stage->interval.least, -stage->fixed.fraction);
    const double greatest = ldexp((double)stage->interval.greatest, -stage->fixed.fraction);
    return value < least ? least : value > greatest ? greatest : value;
}

struct difference compare_result(const struct execution *x, const struct execution *real, size_t i,
                                 const struct stage *type)
{
    const struct result *a = &x->results.item[i], *b = &real->results.item[i];
    const enum scalar from = (enum scalar)a->image.element, to = (enum scalar)b->image.element;
    const size_t count = image_samples(&a->image);
    struct difference d = {.peak = peak_of(type)};
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        const double is = number_of(
            a->stage, value_read((const char *)a->image.data + k * scalar_info[from].bytes, from));
        const double real_number = held_inside(
            type,
            number_of(b->stage,
                      value_read((const char *)b->image.data + k * scalar_info[to].bytes, to)));
        const double error = isnan(is) && isnan(real_number) ? 0 : fabs(is - real_number);
        sum += error * error;
        if (!(error <= d.largest)) {
            d.largest = isnan(error) ? (double)INFINITY : error;
            d.sample = k;
        }
    }
    d.square = count ? sum / (double)count : 0;
    return d;
}

double difference_decibels(struct difference d)
{
    return d.square == 0 ? (double)INFINITY : 10 * log10(d.peak * d.peak / d.square);
}

/* " at y = 3, x = 7" */
static void print_place(const struct flt_image *image, size_t sample)
{
    int64_t place[FLT_MAX_RANK];
    for (int k = image->rank; k-- > 0;) {
        place[k] = (int64_t)(sample % (size_t)image->extent[k]);
        sample /= (size_t)image->extent[k];
    }
    for (int k = 0; k < image->rank; k++)
        fprintf(stderr, "%s%s = %lld", k ? ", " : " at ", image->axis[k], (long long)place[k]);
}

void compare_print(const struct execution *x, const struct execution *real)
{
    for (size_t i = 0; i < x->results.count; i++) {
        const struct difference d = compare_result(x, real, i, x->results.item[i].stage);
        fprintf(stderr, "%s, against real numbers: ", x->results.item[i].output->name->text);
        if (d.largest == 0) {
            fprintf(stderr, "equal\n");
            continue;
        }
        fprintf(stderr, "PSNR %.2f dB, largest difference %.6g", difference_decibels(d), d.largest);
        print_place(&x->results.item[i].image, d.sample);
        fprintf(stderr, "\n");
    }
}
