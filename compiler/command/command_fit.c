/* fltc fit: formats of fixed point are tried on images; declarations that change are printed. */
#include "command/fit.h"
#include "command/trial_images.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double DECIBELS = 50; /* without --psnr */

/* False after a message. */
static bool choose_decibels(struct command_context *c, double *decibels)
{
    const char *given = c->options->psnr;
    char *end;
    *decibels = given ? strtod(given, &end) : DECIBELS;
    if (!given || (!*end && end != given && *decibels > 0 && *decibels < 400))
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "--psnr takes decibels, not '%s'", given);
    return false;
}

/* ---- Without images ---- */

/* Waves of several lengths, an edge, and noise: 0 .. 1. */
static double test_sample(const int32_t at[], int rank, uint64_t *seed)
{
    double value = 0.5;
    for (int k = 0; k < rank; k++)
        value += 0.2 * sin(0.03 * (k + 1) * at[k] * at[k]);
    value += rank > 0 && at[rank - 1] % 40 > 20 ? 0.15 : -0.15;
    value += 0.1 * ((double)(random_next(seed) >> 11) * 0x1p-53 - 0.5);
    return fmin(fmax(value, 0), 1);
}

static struct value value_at(const struct stage *stage, double part)
{
    if (scalar_is_float(stage->element))
        return value_from_real(stage->element, (long double)part);
    const double least = (double)stage->interval.least, greatest = (double)stage->interval.greatest;
    return (struct value){.integer = (int64_t)(least + floor(part * (greatest - least)))};
}

/* An image for each of the signature. */
static bool make_picture(struct picture *picture)
{
    enum { LONG = 64, SHORT = 3 };
    const struct stage *stage = picture->stage;
    const int rank = (int)stage->rank;
    const char *axis[FLT_MAX_RANK];
    int32_t extent[FLT_MAX_RANK], at[FLT_MAX_RANK] = {0};
    uint64_t seed = 1;
    for (int k = 0; k < rank; k++) {
        const struct stage_axis *a = &stage->axis[k];
        axis[k] = a->name->text;
        extent[k] = a->extent->interval.least == a->extent->interval.greatest
                        ? (int32_t)a->extent->interval.least
                    : axis_is_of_channels(a->name) ? SHORT
                                                   : LONG;
        picture->place[k] = k;
    }
    if (flt_image_create(&picture->image, (enum flt_element)stage->element, rank, axis, extent) !=
        FLT_OK)
        return false;
    const unsigned bytes = scalar_info[stage->element].bytes;
    for (size_t i = 0; i < image_samples(&picture->image); i++) {
        value_write((char *)picture->image.data + i * bytes, stage->element,
                    value_at(stage, test_sample(at, rank, &seed)));
        for (int k = rank; k-- > 0;) {
            if (++at[k] < extent[k])
                break;
            at[k] = 0;
        }
    }
    return true;
}

/* The program on images that are made here; NULL after a message. */
static struct execution *open_without_images(struct command_context *c, enum exit_status *status)
{
    const struct graph *graph = command_graph_of_file(c, status);
    if (!graph)
        return NULL;
    struct execution *x = ARENA_NEW(c->session->permanent, struct execution);
    *x = (struct execution){.c = c, .graph = graph, .runs = 1};
    x->profile.arena = c->session->permanent;
    x->results.count = graph->outputs.count;
    *status = EXIT_WRONG_INPUT;
    pictures_prepare(graph, &x->pictures);
    bool good = parameters_take(c, graph, x->parameter);
    for (size_t i = 0; good && i < x->pictures.count; i++) {
        good = make_picture(&x->pictures.item[i]);
        if (!good)
            session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    }
    return good ? x : NULL;
}

static struct execution *open_with_images(struct command_context *c, enum exit_status *status)
{
    struct execution *x = execution_open(c, true, status);
    if (!x)
        return NULL;
    if (x->runs > 1) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "'fltc fit' takes one image for each of the filter's, not a sequence");
        return NULL;
    }
    *status = EXIT_WRONG_INPUT;
    const bool loaded = pictures_load(c, x->graph, x->parameter, x->files, &x->pictures) &&
                        pictures_are_alone(c, &x->pictures, "'fltc fit' takes one", NULL);
    return loaded ? x : NULL;
}

/* ---- What is found ---- */

static bool is_changed(const struct fit_declaration *d)
{
    return d->proposed->whole != d->whole || d->proposed->fraction != d->fraction;
}

/* blur.flt:7:     mean[y, x] : ufixed<0, 9> = …, its line as it would be. */
static void print_line(const struct command_context *c, const struct fit_declaration *d)
{
    const struct ast_list *arguments = d->type->as.type.arguments;
    const struct span first = arguments->item[0]->span, second = arguments->item[1]->span;
    const struct source_place place = source_map_place(&c->session->sources, d->type->span.start);
    const char *text = place.file->text, *start = text + place.file->line[place.line - 1];
    const uint32_t from = place.file->start;
    const char *rest = text + (second.end - from);
    printf("%s:%u: %.*s%d%.*s%d%.*s\n", place.file->name, (unsigned)place.line,
           (int)(text + (first.start - from) - start), start, d->proposed->whole,
           (int)(second.start - first.end), text + (first.end - from), d->proposed->fraction,
           (int)strcspn(rest, "\n"), rest);
}

static void print_found(const struct fit *fit)
{
    int before = 0, after = 0;
    bool any = false;
    for (size_t i = 0; i < fit->declarations.count; i++) {
        const struct fit_declaration *d = &fit->declarations.item[i];
        before += d->whole + d->fraction;
        after += d->proposed->whole + d->proposed->fraction;
        any = any || is_changed(d);
        if (is_changed(d))
            print_line(fit->x->c, d);
    }
    fprintf(stderr, "%s: %.2f dB with %d bits in all, %.2f dB with %d as written%s\n",
            fit->x->graph->name->text, fit->reached, after, fit->written, before,
            any ? "" : "; nothing changes");
}

enum exit_status command_fit(struct command_context *c)
{
    enum exit_status status = EXIT_USAGE;
    struct fit fit = {NULL};
    if (!choose_decibels(c, &fit.wanted))
        return status;
    fit.x = c->options->arguments.count > 1 ? open_with_images(c, &status)
                                            : open_without_images(c, &status);
    if (!fit.x)
        return status;
    const bool found = fit_search(&fit);
    if (found)
        print_found(&fit);
    compare_close(fit.real);
    execution_close(fit.x);
    return found ? EXIT_DONE : EXIT_WRONG_INPUT;
}
