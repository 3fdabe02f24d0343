/* Choosing and saving of results. */
#include "command/results.h"
#include "command/adaptive_files.h"
#include "command/alpha.h"
#include "command/along.h"
#include "command/output.h"
#include "command/print_numbers.h"
#include "command/spectrum.h"
#include "command/stack_files.h"
#include "command/sources.h"
#include "diagnostics/suggest.h"
#include "support/hash_map.h"

#include "replace.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Stages to save ---- */

/* As stages are called in a graph: g[2] is g_2. */
static const char *stage_name(struct arena *arena, const char *word, size_t length)
{
    char *name = arena_text(arena, word, length);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (word[i] != ']')
            name[kept++] = word[i] == '[' ? '_' : word[i];
    name[kept] = 0;
    return name;
}

static const struct stage *find_stage(struct command_context *c, const struct graph *graph,
                                      const char *name)
{
    struct suggestion near = {0};
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (strcmp(stage->name->text, name) == 0 && stage_computes(stage))
            return stage;
        if (stage_computes(stage))
            suggest_consider(&near, name, stage->name->text);
    }
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0903, "'%s' has no stage '%s' that it computes",
                      graph->name->text, name);
    if (near.best)
        COMMAND_HELP(c->session, d, "write --save %s=FILE", near.best);
    else
        COMMAND_HELP(c->session, d, "fltc explain %s lists its stages",
                     c->options->arguments.item[0]);
    return NULL;
}

const struct graph *results_add_stages(struct command_context *c, const struct graph *graph)
{
    struct arena *arena = c->session->permanent;
    struct graph *out = graph_copy(arena, graph);
    for (size_t i = 0; i < c->options->saves.count; i++) {
        const char *word = c->options->saves.item[i];
        const size_t length = strcspn(word, "=");
        const struct stage *stage = find_stage(c, graph, stage_name(arena, word, length));
        if (!stage)
            return NULL;
        if (!graph_output_of(out, stage->id))
            VECTOR_PUSH(arena, &out->outputs, (struct graph_output){stage->id, stage->name, NULL});
    }
    return out;
}

/* ---- Choosing ---- */

/* The result whose name stands before the word's =, or -1. */
static int named_result(const struct results *results, const char *word)
{
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; word[length] && i < results->count; i++) {
        const struct symbol *name = results->item[i].output->name;
        if (name->length == length && strncmp(name->text, word, length) == 0)
            return (int)i;
    }
    return -1;
}

static bool is_saved(const struct results *results, size_t result)
{
    for (size_t i = 0; i < results->savings.count; i++)
        if (results->savings.item[i].result == result)
            return true;
    return false;
}

static bool fail_no_result(struct command_context *c, const struct graph *graph, const char *word,
                           size_t declared)
{
    struct text names = text_create(c->session->permanent);
    for (size_t i = 0; i < declared; i++)
        text_print(&names, "%s%s", i ? ", " : "", graph->outputs.item[i].name->text);
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903,
                                         "'%s' has no result for '%s'", graph->name->text, word);
    diagnostic_note(&c->session->diagnostics, d, "its results are: %s", names.bytes);
    return false;
}

static bool fail_second_file(struct command_context *c, const char *name)
{
    session_error(c->session, DIAGNOSTIC_E0903, "two files are given for the result '%s'", name);
    return false;
}

/* -o: by name, or in order. Those without one are not saved. declared: results of the signature. */
static bool choose_files(struct command_context *c, const struct graph *graph, size_t declared,
                         struct results *results)
{
    size_t next = 0;
    for (size_t i = 0; i < c->options->results.count; i++) {
        const char *word = c->options->results.item[i];
        const int named = named_result(results, word);
        const bool is_name = word[strcspn(word, "=/")] == '=';
        while (named < 0 && next < declared && is_saved(results, next))
            next++;
        const size_t result = named >= 0 ? (size_t)named : next;
        if (named >= 0 && is_saved(results, result))
            return fail_second_file(c, results->item[result].output->name->text);
        if (result >= declared || (named < 0 && is_name) || is_saved(results, result))
            return fail_no_result(c, graph, word, declared);
        const char *path = named >= 0 ? strchr(word, '=') + 1 : word;
        VECTOR_PUSH(c->session->permanent, &results->savings,
                    (struct saving){.result = result, .word = path});
    }
    return true;
}

static void choose_stages(struct command_context *c, const struct graph *graph,
                          struct results *results)
{
    struct arena *arena = c->session->permanent;
    for (size_t i = 0; i < c->options->saves.count; i++) {
        const char *word = c->options->saves.item[i];
        const size_t length = strcspn(word, "=");
        const char *name = stage_name(arena, word, length);
        for (size_t k = 0; k < results->count; k++)
            if (strcmp(graph_stage(graph, results->item[k].output->stage)->name->text, name) == 0) {
                VECTOR_PUSH(
                    arena, &results->savings,
                    (struct saving){.result = k, .word = word + length + 1, .is_stage = true});
                break;
            }
    }
}

/* An image may be replaced by what is made of it, but not before the last run has read it. */
static bool spares_later_inputs(struct command_context *c, const struct image_files files[],
                                size_t inputs, size_t runs, const struct results *results)
{
    struct arena *arena = c->session->permanent;
    struct hash_map last = {0}; /* identity → 1 + the last run that reads it */
    for (size_t run = 0; run < runs; run++)
        for (size_t i = 0; i < inputs; i++) {
            const char *identity = output_identity(arena, files_of_run(&files[i], run));
            hash_map_put_bytes(arena, &last, identity, strlen(identity) + 1,
                               (void *)(uintptr_t)(run + 1));
        }
    for (size_t i = 0; i < results->savings.count; i++)
        for (size_t run = 0; run < runs && !results->savings.item[i].along; run++) {
            const char *path = results->savings.item[i].target[run];
            const char *identity = output_identity(arena, path);
            const size_t read =
                (uintptr_t)hash_map_find_bytes(&last, identity, strlen(identity) + 1);
            if (read <= run + 1 || output_is_direct(path))
                continue;
            struct diagnostic *d = session_error(
                c->session, DIAGNOSTIC_E0903, "run %zu would overwrite '%s', which run %zu reads",
                run + 1, path, read);
            COMMAND_HELP(c->session, d, "write the results into another folder: -o folder/");
            return false;
        }
    return true;
}

/* Files of adaptive images have adaptive results. */
static bool check_adaptive(struct command_context *c, const struct saving *saving,
                           const struct result *result)
{
    if (!adaptive_is_file(saving->word) || (result->output->levels && !saving->is_stage))
        return true;
    const char *name = result->output->name->text;
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0903,
        "'%s' is for an adaptive image, but '%s' is an image of pixels", saving->word, name);
    if (!saving->is_stage)
        COMMAND_HELP(c->session, d, "declare it apr<...>, and write %s = to_apr(...)", name);
    return false;
}

/* Whether pictures can stand there one behind the other. */
static bool is_chain(const struct results *results, const char *word)
{
    return strcmp(word, "-") == 0 && flt_image_can_follow(&results->options);
}

/* Names for all runs, none of them twice. */
static bool choose_targets(struct command_context *c, const struct image_files files[],
                           size_t inputs, size_t runs, struct results *results)
{
    struct arena *arena = c->session->permanent;
    const struct image_files *sequence = inputs > 0 ? &files[0] : NULL;
    for (size_t i = 0; i < inputs; i++)
        if (files[i].path.count == runs && sequence->path.count != runs)
            sequence = &files[i];
    struct word_list all = {0};
    results->runs = runs;
    for (size_t i = 0; i < results->savings.count; i++) {
        struct saving *saving = &results->savings.item[i];
        along_take(arena, saving);
        if (saving->along && !along_choose(c, files, inputs, runs, saving))
            return false;
        if (saving->along)
            continue;
        const bool is_standard = is_chain(results, saving->word);
        if (runs > 1 && !files_differ_by_run(saving->word) && !is_standard) {
            struct diagnostic *d = session_error(
                c->session, DIAGNOSTIC_E0903, "%zu files are given for '%s', but '%s' is one file",
                runs, sequence->name, saving->word);
            COMMAND_HELP(c->session, d,
                         "write a folder, or a name for each: out_%%04d.png, out_%%s.png");
            return false;
        }
        const char **target = ARENA_ARRAY(arena, const char *, runs);
        for (size_t run = 0; run < runs; run++) {
            target[run] =
                files_target(c, saving->word, sequence ? files_of_run(sequence, run) : NULL, run);
            if (run == 0 || !is_standard)
                VECTOR_PUSH(arena, &all, target[run]);
        }
        saving->target = target;
    }
    for (size_t i = 0; i < all.count; i++)
        if (!sources_are_spared(c, all.item[i]))
            return false;
    return output_check_distinct(c->session, all.count, all.item) &&
           (runs == 1 || spares_later_inputs(c, files, inputs, runs, results));
}

/* --crop Y,X,HEIGHT,WIDTH */
static bool choose_crop(struct command_context *c, struct results *results)
{
    const char *at = c->options->crop;
    results->crops = at != NULL;
    for (int i = 0; at && i < 4; i++) {
        char *end;
        const long value = strtol(at, &end, 10);
        const bool good = end != at && *end == (i < 3 ? ',' : 0) && value >= i / 2 &&
                          value <= INT32_MAX && at[0] != ' ' && at[0] != '+';
        if (!good) {
            session_error(
                c->session, DIAGNOSTIC_E0903,
                "--crop takes the first row and column, a height and a width, 0,0,100,200,"
                " not '%s'",
                c->options->crop);
            return false;
        }
        results->crop[i] = (int32_t)value;
        at = end + 1;
    }
    return true;
}

static bool takes_more_runs(const struct results *results, const struct saving *saving)
{
    return !saving->along && (is_chain(results, saving->word) || files_is_numbered(saving->word));
}

const char *results_of_one_run(struct command_context *c, const struct results *results)
{
    for (size_t i = 0; i < results->savings.count; i++) {
        const struct saving *saving = &results->savings.item[i];
        if (takes_more_runs(results, saving))
            continue;
        return arena_format(c->session->permanent,
                            saving->along || files_differ_by_run(saving->word)
                                ? "'%s' makes one name for each file"
                                : "'%s' is one file",
                            saving->word);
    }
    return NULL;
}

bool results_go_somewhere(struct command_context *c, const struct results *results)
{
    if (results->savings.count > 0)
        return true;
    for (size_t i = 0; i < results->declared; i++)
        if (result_is_number(&results->item[i]))
            return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903, "the result has no file to go to"),
                 "write -o FILE");
    return false;
}

bool results_choose(struct command_context *c, const struct graph *graph,
                    const struct image_files files[], size_t inputs, size_t runs,
                    struct results *results)
{
    const size_t declared = results->count;
    if (graph->outputs.count > MOST_RESULTS) {
        session_error(c->session, DIAGNOSTIC_E0905,
                      "a filter run on files has at most %d results, but '%s' has %zu",
                      MOST_RESULTS, graph->name->text, graph->outputs.count);
        return false;
    }
    results->count = graph->outputs.count;
    results->declared = declared;
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->item[i];
        *result = (struct result){.output = &graph->outputs.item[i],
                                  .stage = graph_stage(graph, graph->outputs.item[i].stage)};
        spectrum_find_axes(c->session->permanent, graph, result->stage, result->centred);
    }
    if (!choose_files(c, graph, declared, results))
        return false;
    choose_stages(c, graph, results);
    for (size_t i = 0; i < results->savings.count; i++)
        if (!check_adaptive(c, &results->savings.item[i],
                            &results->item[results->savings.item[i].result]))
            return false;
    return files_save_options(c, &results->options) && choose_crop(c, results) &&
           choose_targets(c, files, inputs, runs, results);
}

/* ---- Before anything is computed ---- */

/* Whether the file can be written, as far as that is known before there is anything to write. */
static bool can_be_written(struct command_context *c, const struct saving *saving,
                           const char *target)
{
    const size_t length = strlen(saving->word);
    const bool makes_folders = length && saving->word[length - 1] == '/';
    const char *reason = NULL;
    struct flt_replacement r;
    if (output_is_direct(target))
        return true;
    if (flt_replace_begin(target, &r)) {
        flt_replace_discard(&r);
    } else if (errno == ENOENT && makes_folders) {
        const int error = output_folder_error(c->session->permanent, target);
        reason = error ? strerror(error) : NULL;
    } else {
        reason = r.reason ? r.reason : strerror(errno);
    }
    if (reason)
        session_error(c->session, DIAGNOSTIC_E0904, "cannot write %s: %s", target, reason);
    return !reason;
}

/* Whether the format can hold the result's samples at all. */
static bool can_hold_samples(struct command_context *c, const struct results *results,
                             const struct saving *saving, const char *target)
{
    const struct result *result = &results->item[saving->result];
    struct flt_detail detail;
    if (stage_is_complex(result->stage) || (result->output->levels && adaptive_is_file(target)) ||
        flt_image_can_save(target, (enum flt_element)result->stage->element, &results->options,
                           &detail) != FLT_UNSUPPORTED)
        return true;
    session_error(c->session, DIAGNOSTIC_E0904, "%s", detail.text);
    return false;
}

bool results_check_files(struct command_context *c, const struct results *results, size_t runs)
{
    for (size_t i = 0; i < results->savings.count; i++)
        for (size_t run = 0; run < runs; run++) {
            const struct saving *saving = &results->savings.item[i];
            const char *target = saving->along ? along_first_name(c, saving) : saving->target[run];
            if (!can_be_written(c, saving, target) ||
                (run == 0 && !can_hold_samples(c, results, saving, target)))
                return false;
        }
    return true;
}

/* ---- Saving ---- */

int results_single_channel(const struct flt_image *image)
{
    const int last = image->rank - 1 - flt_image_is_complex(image);
    const bool is_single =
        last >= 1 && image->extent[last] == 1 && strcmp(image->axis[last], "c") == 0;
    return is_single ? last : -1;
}

/* Whether the axis of the image has the sample at 0 in the middle of a picture. */
static bool is_centred(const struct result *result, const char *axis)
{
    for (unsigned k = 0; k < result->stage->rank; k++)
        if (strcmp(result->stage->axis[k].name->text, axis) == 0)
            return result->centred[k];
    return false;
}

/* What is shown in the file: in the message, that of the first run. */
static void tell_shown(struct command_context *c, size_t run, const char *target, double white,
                       const char *axes, struct results *results)
{
    struct diagnostics *diagnostics = &c->session->diagnostics;
    if (!results->shown) {
        results->shown = diagnostic_report(diagnostics, DIAGNOSTIC_W0904, (struct span){0, 0});
        COMMAND_HELP(c->session, results->shown,
                     "write a .tif or .npy file for the samples themselves");
    }
    if (run == 0)
        diagnostic_note(diagnostics, results->shown, "'%s': 0 is black, %.4g is white%s%s",
                        strcmp(target, "-") == 0 ? "standard output" : target, white,
                        *axes ? "; frequency 0 is in the middle along " : "", axes);
}

/* Complex samples as a picture, which the caller frees. False after a message. */
static bool show_complex(struct command_context *c, size_t run, const char *target,
                         const struct flt_image *image, const struct result *result,
                         struct results *results, struct flt_image *picture)
{
    bool centred[FLT_MAX_RANK] = {false};
    double white;
    struct text axes = text_create(c->session->permanent);
    for (int k = 0; k < image->rank - 1; k++) {
        centred[k] = is_centred(result, image->axis[k]);
        if (centred[k])
            text_print(&axes, "%s%s", axes.length ? ", " : "", image->axis[k]);
    }
    if (!spectrum_picture(image, centred, picture, &white)) {
        session_error(c->session, DIAGNOSTIC_E0907, "there is not enough memory");
        return false;
    }
    tell_shown(c, run, target, white, axes.length ? axes.bytes : "", results);
    return results->shown->severity != SEVERITY_ERROR;
}

bool results_crop(struct command_context *c, const struct results *results, const char *name,
                  struct flt_image *view)
{
    const int axis[2] = {picture_find_axis(view, "y"), picture_find_axis(view, "x")};
    if (axis[0] < 0 || axis[1] < 0) {
        session_error(c->session, DIAGNOSTIC_E0907, "'%s' has no axes y and x to crop", name);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const int32_t first = results->crop[i], extent = results->crop[2 + i];
        if (first > view->extent[axis[i]] - extent) {
            session_error(c->session, DIAGNOSTIC_E0907,
                          "--crop %s goes beyond '%s', which has %d rows and %d columns",
                          c->options->crop, name, view->extent[axis[0]], view->extent[axis[1]]);
            return false;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (view->data)
            view->data = (char *)view->data + results->crop[i] * view->stride[axis[i]] *
                                                  (ptrdiff_t)flt_element_bytes(view->element);
        view->extent[axis[i]] = results->crop[2 + i];
    }
    return true;
}

/* What a format of pictures lacks is an axis often, of which each place could be a file. */
static void explain_axes(struct command_context *c, struct diagnostic *message,
                         const struct saving *saving, const struct flt_image *view)
{
    for (int k = 0; !saving->along && k < view->rank; k++)
        if (strcmp(view->axis[k], "t") == 0 || strcmp(view->axis[k], "z") == 0) {
            COMMAND_HELP(c->session, message,
                         "or save a file for each place along %s: -o %s:out_%%04d.png",
                         view->axis[k], view->axis[k]);
            return;
        }
}

void results_make_folders(const struct saving *saving, const char *target)
{
    const size_t length = strlen(saving->word);
    if (length > 0 && saving->word[length - 1] == '/')
        output_make_folders(target, 0777); /* where that fails, saving tells why */
}

void results_fail(struct command_context *c, const struct saving *saving,
                  const struct result *result, const struct flt_image *view, enum flt_status status,
                  const struct flt_detail *detail)
{
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0904, "%s", detail->text);
    if (status == FLT_UNSUPPORTED && result_is_number(result))
        COMMAND_HELP(c->session, d, "or leave out its -o: a number is printed");
    if (status == FLT_UNSUPPORTED && strstr(detail->text, "its axes must be"))
        explain_axes(c, d, saving, view);
}

static bool save_view(struct command_context *c, const struct saving *saving, const char *target,
                      const struct result *result, const struct results *results,
                      struct flt_image view)
{
    struct flt_detail detail;
    if (results->crops && !results_crop(c, results, result->output->name->text, &view))
        return false;
    results_make_folders(saving, target);
    const enum flt_status status = flt_image_save_as(target, &view, &results->options, &detail);
    if (status != FLT_OK) {
        results_fail(c, saving, result, &view, status, &detail);
        return false;
    }
    VECTOR_PUSH(c->session->permanent, &c->saved, target);
    return command_remark(c->session, DIAGNOSTIC_W0906, &detail);
}

/* All of the view, or a file for each place along an axis. */
static bool save_views(struct command_context *c, const char *target, const struct saving *saving,
                       const struct result *result, const struct results *results,
                       const struct flt_image *view)
{
    if (!saving->along)
        return save_view(c, saving, target, result, results, *view);
    const int axis = picture_find_axis(view, saving->along);
    if (axis < 0) {
        struct text axes = text_create(c->session->permanent);
        for (int k = 0; k < view->rank; k++)
            text_print(&axes, "%s%s", k ? ", " : "", view->axis[k]);
        session_error(c->session, DIAGNOSTIC_E0905,
                      "'%s' has axes [%s], so it cannot be a file for each place along %s",
                      result->output->name->text, view->rank ? axes.bytes : "", saving->along);
        return false;
    }
    const int32_t count = view->extent[axis];
    const char **names = along_names(c, saving, (size_t)count);
    bool good = names != NULL;
    for (int32_t i = 0; good && i < count; i++)
        good = save_view(c, saving, names[i], result, results, stack_part(view, axis, i));
    return good;
}

/* The levels of an adaptive result: of its own, or of an image that the filter is given. */
static const struct flt_image *levels_of(const struct pictures *pictures,
                                         const struct results *results, const struct result *result)
{
    const struct symbol *name = result->output->levels;
    for (size_t i = 0; i < results->count; i++)
        if (results->item[i].output->name == name)
            return &results->item[i].image;
    for (size_t i = 0; i < pictures->count; i++)
        if (pictures->item[i].stage->name == name)
            return &pictures->item[i].image;
    return NULL;
}

/* Where the result of a further picture in a file goes; NULL after a message. */
static const char *further_target(struct command_context *c, const struct pictures *pictures,
                                  const struct saving *saving, size_t run)
{
    const char *target = files_target(c, saving->word, NULL, run);
    struct arena *arena = c->session->scratch;
    for (size_t i = 0; i < pictures->count && !output_is_direct(target); i++)
        if (strcmp(output_identity(arena, pictures->item[i].path),
                   output_identity(arena, target)) == 0) {
            session_error(c->session, DIAGNOSTIC_E0903,
                          "run %zu would overwrite '%s', which it reads", run + 1, target);
            return NULL;
        }
    return sources_are_spared(c, target) ? target : NULL;
}

const char *results_target(struct command_context *c, const struct pictures *pictures, size_t run,
                           const struct saving *saving, const struct results *results)
{
    return saving->along         ? saving->word
           : run < results->runs ? saving->target[run]
                                 : further_target(c, pictures, saving, run);
}

static bool save(struct command_context *c, const struct pictures *pictures, size_t run,
                 const struct saving *saving, struct results *results)
{
    struct result *result = &results->item[saving->result];
    const char *target = results_target(c, pictures, run, saving, results);
    if (!target)
        return false;
    if (result->output->levels && adaptive_is_file(target)) {
        VECTOR_PUSH(c->session->permanent, &c->saved, target);
        return adaptive_save(c, target, &result->image, levels_of(pictures, results, result));
    }
    const bool takes_alpha = flt_image_takes_alpha(target, &results->options);
    if (!saving->is_stage && !alpha_add(c, pictures, takes_alpha, &result->image))
        return false;
    /* Frequencies are no places. */
    for (size_t i = 0; i < pictures->count && !flt_image_is_complex(&result->image); i++)
        flt_image_keep(&result->image, &pictures->item[i].image);
    struct flt_image view = result->image, picture = {.data = NULL};
    const int single = results_single_channel(&view);
    if (single >= 0)
        view = stack_part(&view, single, 0);
    if (!flt_image_is_complex(&view) ||
        flt_image_complex_form(target, &results->options) != FLT_COMPLEX_SHOWN)
        return save_views(c, target, saving, result, results, &view);
    const bool good = show_complex(c, run, target, &view, result, results, &picture) &&
                      save_views(c, target, saving, result, results, &picture);
    flt_image_destroy(&picture);
    return good;
}

/* A number to standard output is one for a person if that is a terminal. */
static bool is_shown(const struct results *results, const struct saving *saving)
{
    return strcmp(saving->word, "-") == 0 && !results->options.format && !saving->along &&
           result_is_number(&results->item[saving->result]) && isatty(STDOUT_FILENO);
}

/* Numbers without a file, and those for a person. Of a sequence, each tells its file. */
static bool print_numbers(struct command_context *c, const struct pictures *pictures,
                          const struct results *results)
{
    const char *file = results->runs > 1 && pictures->count > 0 ? pictures->item[0].path : NULL;
    bool good = true, is_taken = false;
    for (size_t i = 0; i < pictures->count && file; i++)
        if (pictures->item[i].file + pictures->item[i].number > 0)
            file = pictures->item[i].path;
    for (size_t i = 0; i < results->savings.count; i++)
        is_taken |= strcmp(results->savings.item[i].word, "-") == 0 &&
                    !is_shown(results, &results->savings.item[i]);
    for (size_t i = 0; good && i < results->declared; i++) {
        bool printed = result_is_number(&results->item[i]);
        for (size_t s = 0; s < results->savings.count; s++)
            if (results->savings.item[s].result == i && !results->savings.item[s].is_stage)
                printed = printed && is_shown(results, &results->savings.item[s]);
        if (printed && !(is_taken && options_want_json(c->options)))
            good = print_number(c, &results->item[i], file, is_taken);
    }
    return good;
}

bool results_save(struct command_context *c, const struct pictures *pictures, size_t run,
                  struct results *results)
{
    bool good = print_numbers(c, pictures, results);
    for (int stages = 1; stages >= 0; stages--) /* results last: they may get alpha */
        for (size_t i = 0; good && i < results->savings.count; i++)
            if (results->savings.item[i].is_stage == (stages == 1) &&
                !results->savings.item[i].by_place && !is_shown(results, &results->savings.item[i]))
                good = save(c, pictures, run, &results->savings.item[i], results);
    results_free(results);
    return good;
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        flt_image_destroy(&results->item[i].image);
}
