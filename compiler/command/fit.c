/* The search for formats. I: what the interval of a stage needs, but no more than is written. F:
 * the least one that all declarations can have in common, then declaration by declaration less,
 * as long as the program stays as exact as is asked for on the images. Each candidate is
 * elaborated anew. */
#include "command/fit.h"
#include "frontend/ast_build.h"
#include "frontend/fixed.h"

#include <math.h>

enum { MOST_FRACTION = 30, MOST_INTERPRETED = 1 << 17 };

/* ---- What may change ---- */

static bool is_number(const struct ast *argument)
{
    return argument->kind == AST_INTEGER;
}

static void add_declaration(struct fit *fit, const struct ast *type, const struct symbol *name)
{
    if (!type || !is_fixed_type(type))
        return;
    const struct ast_list *arguments = type->as.type.arguments;
    if (arguments->count < 2 || !is_number(arguments->item[0]) || !is_number(arguments->item[1]))
        return;
    VECTOR_PUSH(fit->x->c->session->permanent, &fit->declarations,
                (struct fit_declaration){.type = type,
                                         .name = name,
                                         .whole = (int)arguments->item[0]->as.integer,
                                         .fraction = (int)arguments->item[1]->as.integer});
}

static void collect(const struct ast *node, void *user)
{
    if (node->kind == AST_DEFINE)
        add_declaration(user, node->as.define.type, node->as.define.name);
    if (node->kind == AST_CONSTANT)
        add_declaration(user, node->as.constant.type, node->as.constant.name);
    if (node->kind != AST_EXAMPLE)
        ast_children(node, collect, user);
}

static void collect_declarations(struct fit *fit)
{
    struct command_context *c = fit->x->c;
    const struct ast_list *items = c->modules->list.item[0].module->items;
    for (size_t i = 0; i < items->count; i++)
        collect(items->item[i], fit);
    struct fixed_format *format =
        ARENA_ARRAY(c->session->permanent, struct fixed_format, fit->declarations.count + 1);
    for (size_t i = 0; i < fit->declarations.count; i++) {
        struct fit_declaration *d = &fit->declarations.item[i];
        d->proposed = &format[i];
        *d->proposed = (struct fixed_format){d->type, d->whole, d->fraction};
    }
    c->formats = format;
    c->format_count = fit->declarations.count;
}

/* ---- Candidates ---- */

/* The program with the formats as they are proposed now; NULL: it is refused. */
static const struct graph *candidate(struct fit *fit)
{
    struct session *session = fit->x->c->session;
    const struct diagnostics before = session->diagnostics;
    const struct graph *graph = command_graph(fit->x->c, fit->x->c->modules);
    diagnostics_go_back(&session->diagnostics, &before);
    return graph && graph->outputs.count == fit->x->graph->outputs.count ? graph : NULL;
}

static void free_results(struct execution *x)
{
    for (size_t i = 0; i < x->results.count; i++)
        flt_image_destroy(&x->results.item[i].image);
}

/* Of the worst result; minus infinity where the program does not run. */
static double decibels_of(const struct fit *fit, const struct execution *x)
{
    double worst = (double)INFINITY;
    for (size_t i = 0; i < x->results.count; i++)
        worst = fmin(worst, difference_decibels(
                                compare_result(x, fit->real, i, fit->x->results.item[i].stage)));
    return worst;
}

static double measure(struct fit *fit)
{
    struct execution run = *fit->x;
    run.graph = candidate(fit);
    if (!run.graph)
        return (double)-INFINITY;
    memset(&run.compiled, 0, sizeof run.compiled);
    run.results = (struct results){.count = fit->x->results.count};
    for (size_t i = 0; i < run.results.count; i++) {
        run.results.item[i].output = &run.graph->outputs.item[i];
        run.results.item[i].stage = graph_stage(run.graph, run.graph->outputs.item[i].stage);
    }
    const bool ran = (run.interprets || execute_compile(&run)) && execute_slices(&run);
    const double decibels = ran ? decibels_of(fit, &run) : (double)-INFINITY;
    free_results(&run);
    compile_close(&run.compiled);
    return decibels;
}

/* ---- I ---- */

/* Bits before the point, the sign among them, of numbers of the interval. */
static int whole_for(const struct stage *stage)
{
    const int fraction = stage->fixed.fraction;
    const double least = ldexp((double)stage->interval.least, -fraction);
    const double end = ldexp((double)stage->interval.greatest + 1, -fraction);
    int bits = -MOST_FRACTION;
    while (bits < FIXED_MOST_BITS && (end > ldexp(1, bits) || least < -ldexp(1, bits)))
        bits++;
    return bits + (least < 0);
}

/* Stages of the filter itself that do not read themselves: as many bits as they need of those that
 * they have. */
static void choose_wholes(struct fit *fit)
{
    const struct graph *graph = fit->x->graph;
    for (size_t i = 0; i < fit->declarations.count; i++) {
        struct fit_declaration *d = &fit->declarations.item[i];
        const struct stage *stage = graph_stage_named(graph, d->name);
        if (!stage || stage->kind != STAGE_MAP || !stage->fixed.is ||
            stage->fixed.fraction != d->fraction)
            continue;
        const bool has_sign = strcmp(d->type->as.type.constructor->text, "fixed") == 0;
        const int needed = whole_for(stage) + (has_sign && stage->interval.least >= 0);
        if (needed < d->whole)
            d->proposed->whole = needed;
    }
}

/* ---- F ---- */

static void set_fraction(struct fit_declaration *d, int fraction)
{
    const int least = 1 - d->proposed->whole, most = FIXED_MOST_BITS - d->proposed->whole;
    d->proposed->fraction = fraction < least ? least : fraction > most ? most : fraction;
}

/* The least one for all. */
static bool find_uniform(struct fit *fit)
{
    fit->uniform = (double)-INFINITY;
    for (int fraction = 0; fraction <= MOST_FRACTION; fraction++) {
        for (size_t i = 0; i < fit->declarations.count; i++)
            set_fraction(&fit->declarations.item[i], fraction);
        fit->reached = measure(fit);
        fit->uniform = fmax(fit->uniform, fit->reached);
        if (fit->reached >= fit->wanted)
            return true;
    }
    return false;
}

/* Less for each by itself, those first that are declared first. */
static void lower_each(struct fit *fit)
{
    for (size_t i = 0; i < fit->declarations.count; i++) {
        struct fit_declaration *d = &fit->declarations.item[i];
        for (;;) {
            const int before = d->proposed->fraction;
            set_fraction(d, before - 1);
            const double decibels =
                d->proposed->fraction < before ? measure(fit) : (double)-INFINITY;
            if (decibels < fit->wanted) {
                d->proposed->fraction = before;
                break;
            }
            fit->reached = decibels;
        }
    }
}

/* ---- The search ---- */

static bool run_as_written(struct fit *fit)
{
    struct execution *x = fit->x;
    size_t samples = 0;
    for (size_t i = 0; i < x->pictures.count; i++)
        samples += image_samples(&x->pictures.item[i].image);
    x->interprets = samples <= MOST_INTERPRETED;
    for (size_t i = 0; i < x->results.count; i++) {
        x->results.item[i].output = &x->graph->outputs.item[i];
        x->results.item[i].stage = graph_stage(x->graph, x->graph->outputs.item[i].stage);
    }
    if (!(x->interprets || execute_compile(x)) || !execute_slices(x))
        return false;
    fit->real = compare_open(x);
    if (!fit->real || !compare_run(x, fit->real))
        return false;
    fit->written = decibels_of(fit, x);
    return true;
}

bool fit_search(struct fit *fit)
{
    struct command_context *c = fit->x->c;
    collect_declarations(fit);
    if (fit->declarations.count == 0) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903,
                                   "the file declares no stage or constant of fixed point"),
                     "declare what may change: mean[y, x] : fixed<9, 8> = ...;");
        return false;
    }
    if (!run_as_written(fit))
        return false;
    choose_wholes(fit);
    if (find_uniform(fit)) {
        lower_each(fit);
        return true;
    }
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0907,
                      "no formats reach %.9g dB; with %d digits behind the point it is %.4g",
                      fit->wanted, MOST_FRACTION, fit->uniform);
    COMMAND_HELP(c->session, d,
                 "what saturates, images and parameters of the signature are as written; "
                 "ask for less: --psnr 40");
    return false;
}
