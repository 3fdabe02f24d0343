/* fltc run and fltc interpret: a filter on image files, slice by slice over the axes it does not name.
 * Both differ only in what executes a slice. */
#include "command/command.h"
#include "command/compile.h"
#include "command/pictures.h"
#include "command/progress.h"
#include "diagnostics/suggest.h"
#include "interpret/interpret.h"

#include <stdlib.h>

struct execution {
    struct command_context *c;
    const struct graph *graph;
    struct pictures pictures;
    union value parameter[64];
    struct compiled compiled; /* of run */
    bool interprets, is_fault;
    size_t result_count;
    struct result {
        const struct graph_output *output;
        const struct stage *stage;
        const char *path;       /* NULL: it is not saved */
        struct flt_image image; /* made at the first slice */
    } result[MOST_PICTURES];
    struct progress progress;
    int64_t slice, slices;
    int threads;
};

/* ---- Parameters ---- */

static bool report_unknown(const struct execution *x, const char *name)
{
    struct suggestion near = {0};
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        suggest_consider(&near, name, x->graph->parameters.item[i].name->text);
    struct session *session = x->c->session;
    struct diagnostic *d = command_error(session, DIAGNOSTIC_E0906, "'%s' has no parameter '%s'",
                                         x->graph->name->text, name);
    struct text list = text_create(session->permanent);
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        text_print(&list, "%s--%s", i ? " " : "", x->graph->parameters.item[i].name->text);
    if (near.best)
        COMMAND_HELP(session, d, "write --%s", near.best);
    else
        diagnostic_note(&session->diagnostics, d, list.length ? "it has %s" : "it has none%s",
                        list.length ? list.bytes : "");
    return false;
}

static const char *number(struct arena *arena, const struct expr *e)
{
    struct text text = text_create(arena);
    if (scalar_is_float(e->scalar))
        text_real(&text, e->as.real, e->scalar == SCALAR_F32 ? 32 : 64);
    else
        text_print(&text, "%lld", (long long)e->as.integer);
    return text.bytes;
}

static bool report_value(const struct execution *x, const struct parameter *p, const char *given)
{
    struct arena *arena = x->c->session->permanent;
    const char *kind = scalar_is_float(p->scalar) ? "a number" : "an integer";
    struct text names = text_create(arena);
    for (size_t i = 0; i < p->choice_count; i++)
        text_print(&names, "%s%s",
                   i == 0                    ? ""
                   : i + 1 < p->choice_count ? ", "
                                             : " or ",
                   p->choice[i]->text);
    if (p->choice_count)
        command_error(x->c->session, DIAGNOSTIC_E0906, "--%s takes %s, not '%s'", p->name->text,
                      names.bytes, given);
    else if (p->scalar == SCALAR_BOOL)
        command_error(x->c->session, DIAGNOSTIC_E0906, "--%s takes true or false, not '%s'",
                      p->name->text, given);
    else if (p->least)
        command_error(x->c->session, DIAGNOSTIC_E0906, "--%s takes %s from %s to %s, not '%s'",
                      p->name->text, kind, number(arena, p->least), number(arena, p->greatest),
                      given);
    else
        command_error(x->c->session, DIAGNOSTIC_E0906, "--%s takes %s that %s holds, not '%s'",
                      p->name->text, kind, scalar_info[p->scalar].text, given);
    return false;
}

static bool take_parameters(struct execution *x)
{
    if (x->graph->parameters.count > sizeof x->parameter / sizeof x->parameter[0]) {
        command_error(x->c->session, DIAGNOSTIC_E0906,
                      "a filter run on files takes at most 64 parameters");
        return false;
    }
    for (size_t i = 0; i < x->graph->parameters.count; i++) {
        const struct parameter *p = &x->graph->parameters.item[i];
        bool given = false;
        if (p->initial)
            x->parameter[i] = evaluate_constant(p->initial);
        for (size_t s = 0; s < x->c->options->settings.count; s++) {
            struct setting *setting = &x->c->options->settings.item[s];
            if (strcmp(setting->name, p->name->text) != 0)
                continue;
            setting->used = given = true;
            if (!parse_value(setting->value, p, &x->parameter[i]))
                return report_value(x, p, setting->value);
        }
        if (!given && !p->initial) {
            struct diagnostic *d = command_error(x->c->session, DIAGNOSTIC_E0906,
                                                 "the parameter '%s' of '%s' has no default",
                                                 p->name->text, x->graph->name->text);
            COMMAND_HELP(x->c->session, d, "give it: --%s VALUE", p->name->text);
            return false;
        }
    }
    for (size_t s = 0; s < x->c->options->settings.count; s++)
        if (!x->c->options->settings.item[s].used)
            return report_unknown(x, x->c->options->settings.item[s].name);
    return true;
}

/* ---- One slice, compiled ---- */

/* A parameter in its own C type, for flt_generic_run. */
static const void *parameter_memory(struct execution *x, size_t i, unsigned char memory[8])
{
    value_write(memory, x->graph->parameters.item[i].scalar, x->parameter[i]);
    return memory;
}

/* The image of a result, at the first slice. */
static bool make_result(struct execution *x, struct result *result, const int32_t extent[])
{
    return result->image.data ||
           pictures_result(x->c->session, &x->pictures, result->stage, extent, &result->image);
}

static bool run_compiled(struct execution *x, const int32_t at[])
{
    void *data[2 * MOST_PICTURES] = {NULL};
    int32_t extent[2 * MOST_PICTURES][GRAPH_MAX_RANK], *extents[2 * MOST_PICTURES];
    ptrdiff_t stride[2 * MOST_PICTURES][GRAPH_MAX_RANK];
    const ptrdiff_t *strides[2 * MOST_PICTURES];
    unsigned char memory[64][8];
    const void *parameters[64 + 1];
    const size_t inputs = x->pictures.count;
    memset(stride, 0, sizeof stride);
    memset(extent, 0, sizeof extent);
    for (size_t i = 0; i < inputs + x->result_count; i++) {
        extents[i] = extent[i];
        strides[i] = stride[i];
    }
    for (size_t i = 0; i < inputs; i++)
        picture_slice(&x->pictures, &x->pictures.item[i], at, &data[i], extent[i], stride[i]);
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        parameters[i] = parameter_memory(x, i, memory[i]);
    int status = x->compiled.run(0, data, extents, strides, parameters, x->threads);
    for (size_t i = 0; status == 0 && i < x->result_count; i++) {
        struct result *result = &x->result[i];
        if (!make_result(x, result, extent[inputs + i]))
            return false;
        result_slice(&x->pictures, result->stage, &result->image, at, &data[inputs + i],
                     stride[inputs + i]);
    }
    if (status == 0)
        status = x->compiled.run(1, data, extents, strides, parameters, x->threads);
    if (status != 0)
        command_error(x->c->session, DIAGNOSTIC_E0907, "%s", x->compiled.text(status));
    return status == 0;
}

/* ---- One slice, interpreted ---- */

static bool gather(const struct execution *x, const struct picture *picture, const int32_t at[],
                   struct samples *samples)
{
    void *data;
    int32_t extent[GRAPH_MAX_RANK];
    ptrdiff_t stride[GRAPH_MAX_RANK];
    picture_slice(&x->pictures, picture, at, &data, extent, stride);
    *samples = (struct samples){.scalar = picture->stage->element, .rank = picture->stage->rank};
    for (unsigned k = 0; k < samples->rank; k++)
        samples->extent[k] = extent[k];
    if (!samples_allocate(samples))
        return false;
    const size_t count = samples_count(samples);
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (unsigned k = samples->rank; k-- > 0;) {
            offset += (ptrdiff_t)(rest % (size_t)extent[k]) * stride[k];
            rest /= (size_t)extent[k];
        }
        memcpy(samples->data + i * bytes, (char *)data + offset * (ptrdiff_t)bytes, bytes);
    }
    return true;
}

static void scatter(const struct execution *x, const struct result *result,
                    const struct samples *samples, const int32_t at[])
{
    void *data;
    ptrdiff_t stride[GRAPH_MAX_RANK];
    result_slice(&x->pictures, result->stage, &result->image, at, &data, stride);
    const size_t count = samples_count(samples);
    const enum scalar to = (enum scalar)result->image.element;
    const unsigned bytes = scalar_info[samples->scalar].bytes, to_bytes = scalar_info[to].bytes;
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (unsigned k = samples->rank; k-- > 0;) {
            offset += (ptrdiff_t)(rest % (size_t)samples->extent[k]) * stride[k];
            rest /= (size_t)samples->extent[k];
        }
        const union value value = value_read(samples->data + i * bytes, samples->scalar);
        value_write((char *)data + offset * (ptrdiff_t)to_bytes, to,
                    evaluate_convert(CONVERT_EXACT, samples->scalar, to, value));
    }
}

static bool show_progress(double done, void *context)
{
    struct execution *x = context;
    progress_set(&x->progress, ((double)x->slice + done) / (double)x->slices);
    return true;
}

static bool run_interpreted(struct execution *x, const int32_t at[])
{
    struct samples input[MOST_PICTURES] = {0}, output[MOST_PICTURES] = {0};
    struct interpretation run = {.session = x->c->session,
                                 .inputs = input,
                                 .parameters = x->parameter,
                                 .outputs = output,
                                 .progress = show_progress,
                                 .progress_context = x};
    bool good = true;
    for (size_t i = 0; good && i < x->pictures.count; i++)
        good = gather(x, &x->pictures.item[i], at, &input[i]);
    if (!good)
        command_error(x->c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    if (good && !interpret_graph(x->graph, &run)) {
        command_error(x->c->session, DIAGNOSTIC_E0907, "%s", run.problem);
        good = false;
    }
    for (size_t i = 0; i < x->result_count; i++) {
        int32_t extent[GRAPH_MAX_RANK] = {0};
        for (unsigned k = 0; k < output[i].rank; k++)
            extent[k] = (int32_t)output[i].extent[k];
        good = good && make_result(x, &x->result[i], extent);
        if (good)
            scatter(x, &x->result[i], &output[i], at);
        samples_free(&output[i]);
    }
    for (size_t i = 0; i < x->pictures.count; i++)
        samples_free(&input[i]);
    return good;
}

/* ---- All slices ---- */

static bool run_slices(struct execution *x)
{
    int32_t at[FLT_MAX_RANK] = {0};
    x->slices = 1;
    for (int m = 0; m < x->pictures.mapped_count; m++)
        x->slices *= x->pictures.mapped[m].extent;
    for (x->slice = 0; x->slice < x->slices; x->slice++) {
        if (x->slices > 1)
            progress_set(&x->progress, (double)x->slice / (double)x->slices);
        if (!(x->interprets ? run_interpreted(x, at) : run_compiled(x, at)))
            return false;
        for (int m = x->pictures.mapped_count; m-- > 0;) {
            if (++at[m] < x->pictures.mapped[m].extent)
                break;
            at[m] = 0;
        }
    }
    return true;
}

/* A result of one channel is saved without the axis. */
static void drop_single_channel(struct flt_image *image)
{
    const int last = image->rank - 1;
    if (last >= 1 && image->extent[last] == 1 && strcmp(image->axis[last], "c") == 0)
        image->rank--;
}

static bool save(struct execution *x, struct result *result)
{
    struct flt_detail detail;
    if (!result->path)
        return true;
    if (!pictures_add_alpha(x->c->session, &x->pictures, &result->image))
        return false;
    drop_single_channel(&result->image);
    if (flt_image_save(result->path, &result->image, &detail) == FLT_OK)
        return true;
    command_error(x->c->session, DIAGNOSTIC_E0904, "%s", detail.text);
    return false;
}

static bool save_all(struct execution *x)
{
    bool good = true;
    for (size_t i = 0; good && i < x->result_count; i++)
        good = save(x, &x->result[i]);
    return good;
}

static void free_results(struct execution *x)
{
    for (size_t i = 0; i < x->result_count; i++)
        flt_image_destroy(&x->result[i].image);
}

/* The result that a word "gx=a.png" names, or NULL. */
static struct result *named_result(struct execution *x, const char *word)
{
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; word[length] && i < x->result_count; i++) {
        const struct symbol *name = x->result[i].output->name;
        if (name->length == length && strncmp(name->text, word, length) == 0)
            return &x->result[i];
    }
    return NULL;
}

/* Files for the results: by name, or in order. Those without one are not saved. */
static bool choose_results(struct execution *x)
{
    const struct graph *graph = x->graph;
    struct session *session = x->c->session;
    size_t next = 0;
    x->result_count = graph->outputs.count;
    if (x->result_count > MOST_PICTURES) {
        command_error(session, DIAGNOSTIC_E0905,
                      "a filter run on files has at most %d results, but '%s' has %zu",
                      MOST_PICTURES, graph->name->text, x->result_count);
        return false;
    }
    for (size_t i = 0; i < x->result_count; i++)
        x->result[i] = (struct result){.output = &graph->outputs.item[i],
                                       .stage = graph_stage(graph, graph->outputs.item[i].stage)};
    for (size_t i = 0; i < x->c->options->outputs.count; i++) {
        const char *word = x->c->options->outputs.item[i];
        struct result *result = named_result(x, word);
        const char *path = result ? word + result->output->name->length + 1 : word;
        while (!result && next < x->result_count && x->result[next].path)
            next++;
        const bool is_name = word[strcspn(word, "=/")] == '=';
        if (!result && !is_name && next < x->result_count)
            result = &x->result[next];
        if (!result || result->path) {
            struct diagnostic *d = command_error(
                session, DIAGNOSTIC_E0903, "'%s' has no result for '%s'", graph->name->text, word);
            struct text names = text_create(session->permanent);
            for (size_t k = 0; k < x->result_count; k++)
                text_print(&names, "%s%s", k ? ", " : "", x->result[k].output->name->text);
            diagnostic_note(&session->diagnostics, d, "its results are: %s", names.bytes);
            return false;
        }
        result->path = path;
    }
    return true;
}

static bool compile(struct execution *x)
{
    const struct pass_options options = {.verify_each = x->c->options->verify_each != NULL};
    const struct target *target = target_find("c");
    const struct pass_result result = run_passes(x->c->session, x->graph, target, &options);
    if (result.problem) {
        report_fault(result.problem);
        x->is_fault = true;
        return false;
    }
    const struct emit_options emit = {.stem = "filter", .entry_suffix = ""};
    const struct emitted emitted = emit_program(x->c->session, result.program, target, &emit);
    x->compiled = compile_filter(x->c->session, &emitted, emit.stem, !x->c->options->no_cache);
    if (!x->compiled.problem)
        return true;
    struct session *session = x->c->session;
    struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_W0902,
                                             (struct span){0, 0}, x->compiled.problem);
    const char *log = x->compiled.log ? x->compiled.log : "";
    for (int line = 0; *log && line < 10;
         line++, log += strcspn(log, "\n") + (strchr(log, '\n') != NULL))
        diagnostic_note(&session->diagnostics, d, "%.*s", (int)strcspn(log, "\n"), log);
    if (!x->compiled.log || !*x->compiled.log)
        COMMAND_HELP(session, d, "install gcc or clang, or name one: CC=gcc");
    command_finish(x->c); /* before the long run */
    x->interprets = true;
    return true;
}

/* --precision: the graph over other numbers. False after a message. */
static bool choose_precision(struct execution *x)
{
    static const struct {
        const char *name;
        enum scalar scalar;
    } precisions[] = {{"double", SCALAR_F64}, {"extended", SCALAR_EXTENDED}};
    const char *given = x->c->options->precision;
    struct session *session = x->c->session;
    for (size_t i = 0; given && i < sizeof precisions / sizeof precisions[0]; i++)
        if (strcmp(given, precisions[i].name) == 0) {
            x->graph = widen_graph(session->ir, &session->pool, x->graph, precisions[i].scalar);
            given = NULL;
        }
    if (given)
        command_error(session, DIAGNOSTIC_E0903, "--precision takes double or extended, not '%s'",
                      given);
    return !given;
}

static bool check_output(struct command_context *c)
{
    if (!c->options->output) {
        COMMAND_HELP(
            c->session,
            command_error(c->session, DIAGNOSTIC_E0903, "it is not said where the result goes"),
            "write -o FILE");
        return false;
    }
    const char *wrong = NULL;
    for (size_t i = 0; i < c->options->outputs.count && !wrong; i++)
        if (!flt_image_format_known(c->options->outputs.item[i], NULL))
            wrong = c->options->outputs.item[i];
    if (!wrong)
        return true;
    COMMAND_HELP(c->session,
                 command_error(c->session, DIAGNOSTIC_E0903,
                               "the ending of '%s' names no image format", wrong),
                 "endings are %s", flt_image_endings());
    return false;
}

static enum exit_status run_on_files(struct command_context *c, bool interprets)
{
    struct execution x;
    if (c->options->arguments.count > 0 && !check_output(c))
        return EXIT_USAGE;
    const struct module_set *modules = command_load(c);
    if (!modules && c->options->arguments.count == 0)
        return EXIT_USAGE;
    x = (struct execution){.c = c, .interprets = interprets};
    x.graph = modules ? command_graph(c, modules) : NULL;
    const enum exit_status status = command_finish(c);
    if (!x.graph)
        return status == EXIT_DONE ? EXIT_WRONG_INPUT : status;
    if (!choose_precision(&x))
        return EXIT_USAGE;
    if (c->options->threads) {
        char *end;
        x.threads = (int)strtol(c->options->threads, &end, 10);
        if (*end || end == c->options->threads || x.threads < 0) {
            command_error(c->session, DIAGNOSTIC_E0903, "--threads takes a number, not '%s'",
                          c->options->threads);
            return EXIT_USAGE;
        }
    }
    if (!take_parameters(&x) || !pictures_choose(c, x.graph, &x.pictures) || !choose_results(&x))
        return EXIT_USAGE;
    if (!options_want_json(c->options))
        progress_start(&x.progress, x.graph->name->text, c->options->progress != NULL);
    const bool good =
        pictures_load(c, &x.pictures) && (x.interprets || compile(&x)) && run_slices(&x);
    progress_end(&x.progress);
    const bool saved = good && save_all(&x);
    free_results(&x);
    pictures_free(c, &x.pictures);
    compile_close(&x.compiled);
    return saved ? EXIT_DONE : x.is_fault ? EXIT_FAULT : EXIT_WRONG_INPUT;
}

enum exit_status command_run(struct command_context *c)
{
    return run_on_files(c, false);
}

enum exit_status command_interpret(struct command_context *c)
{
    return run_on_files(c, true);
}
