/* fltc explain: what a message means, or what a filter computes, stage by stage. */
#include "command/command.h"
#include "command/choices.h"
#include "expr/infix.h"
#include "command/kernels.h"
#include "command/sizes.h"
#include "analysis/cost.h"
#include "graph/placement/convolutions.h"
#include "graph/placement/traffic.h"
#include "graph/placement/windows.h"
#include "loop/known_extents.h"

#include <ctype.h>
#include <math.h>

/* Pages of diagnostics/explain/, embedded. */
struct explain_page {
    const char *code, *text;
};
extern const struct explain_page explain_pages[]; /* ends with a NULL code */

static bool is_code(const char *word)
{
    if (!word[0] || !strchr("EWR", toupper((unsigned char)word[0])) || strlen(word) != 5)
        return false;
    for (int i = 1; i < 5; i++)
        if (!isdigit((unsigned char)word[i]))
            return false;
    return true;
}

/* Examples are indented instead of fenced. */
static void print_page(const char *text)
{
    bool example = false;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        const int length = (int)strcspn(line, "\n");
        if (strncmp(line, "```", 3) == 0)
            example = !example;
        else
            printf("%s%.*s\n", example && length ? "    " : "", length, line);
    }
}

static enum exit_status explain_code(struct command_context *c, const char *word)
{
    for (const struct explain_page *page = explain_pages; page->code; page++)
        if (page->code[0] == toupper((unsigned char)word[0]) &&
            strcmp(page->code + 1, word + 1) == 0) {
            print_page(page->text);
            return EXIT_DONE;
        }
    session_error(c->session, DIAGNOSTIC_E0903, "no message has the code '%s'", word);
    return EXIT_WRONG_INPUT;
}

static void count_read(const struct expr *node, void *user)
{
    *(unsigned *)user += node->kind == EXPR_LOAD;
}

/* A complex transform of n samples takes some 5 n log2 n operations, and two real lines one. */
static void explain_transform(struct command_context *c, const struct stage *stage)
{
    const struct transform_info *info = &transform_info[stage->as.transform.kind];
    const struct stage_axis *axis = &stage->axis[stage->as.transform.axis];
    const double work = (info->is_complex ? 5 : 2.5) * info->times;
    struct text extent = text_create(c->session->scratch);
    infix_print(axis->extent, &extent);
    printf("  %-24s %s along %s, norm %s, %d lines at a time\n", "", info->name, axis->name->text,
           transform_norm_text[stage->as.transform.norm],
           transform_together(stage->as.transform.kind));
    if (axis->extent->kind == EXPR_INTEGER) {
        const int64_t n = axis->extent->as.integer;
        const double length = (double)(info->times * n + info->more);
        printf(
            "  %-24s operations about %.0f a sample; a table of %lld numbers, a panel of %lld for "
            "each thread\n",
            "", work * log2(length > 2 ? length : 2),
            (long long)transform_table(stage->as.transform.kind, n),
            (long long)(2 * TRANSFORM_LANES * transform_places(stage->as.transform.kind, n)));
        return;
    }
    printf(
        "  %-24s operations about %g log2(%s%s) a sample, 4 times as many where that has a prime "
        "factor above 13\n",
        "", work, info->times == 2 ? "2 " : "", extent.bytes);
    printf("  %-24s a table of about %d %s numbers, a panel of %d %s for each thread\n", "",
           3 * info->times, extent.bytes, 2 * TRANSFORM_LANES * (1 + info->times), extent.bytes);
}

/* Of a convolution on particles, on the finest level: a product and a sum a weight. */
static int64_t operations_of(const struct stage *stage)
{
    return stage->kind == STAGE_CONVOLVE_CELLS && !stage_kernel_image(stage)
               ? 2 * (int64_t)(stage->binding_count - CONVOLVE_WEIGHT)
               : 0;
}

static void explain_stage(struct command_context *c, const struct stage *stage)
{
    struct text box = text_create(c->session->scratch);
    for (unsigned k = 0; k < stage->rank; k++) {
        text_print(&box, "%s%s: ", k ? ", " : "", stage->axis[k].name->text);
        infix_print(stage->axis[k].extent, &box);
    }
    printf("  %-24s %-9s %-5s [%s]\n", stage->name->text, stage_info[stage->kind].text,
           scalar_info[stage->element].text, box.length ? box.bytes : "");
    if (!stage_has_loops(stage))
        return;
    if (stage->kind == STAGE_TRANSFORM)
        explain_transform(c, stage);
    unsigned reads = 0;
    expr_nodes(c->session->scratch, stage->value, count_read, &reads);
    printf("  %-24s a %s: reads %u, operations about %lld, bytes %u\n", "",
           stage_is_of_particles(stage) ? "particle" : "sample", reads,
           (long long)(cost_of_value(c->session->scratch, stage->value) + operations_of(stage)),
           scalar_info[stage->element].bytes);
}

/* Where its samples are when they are read. */
static void explain_schedule(struct command_context *c, const struct pass_result *made,
                             const struct stage_readers *readers, const struct stage *stage)
{
    const struct graph *graph = made->graph;
    const char *reason = remark_reason(&made->remarks, stage->name, REMARK_PLACE);
    const struct schedule *schedule = stage->schedule;
    if (!schedule)
        return;
    if (stage_is_at(stage))
        printf("  %-24s in %s of %s\n", "", stage_is_in_panels(stage) ? "panels" : "tiles",
               graph_stage(graph, schedule->at)->name->text);
    else if (stage_is_with_segments(graph, stage))
        printf("  %-24s with each block of %s, in a cache\n", "",
               graph_stage(graph, schedule->at)->name->text);
    else if (stage_is_in_bands(stage))
        printf("  %-24s in bands of %s, which stay in a cache\n", "",
               graph_stage(graph, schedule->at)->name->text);
    else if (stage_is_behind(stage))
        printf("  %-24s with each tile of %s, of what that has just computed\n", "",
               graph_stage(graph, schedule->at)->name->text);
    else if (stage_is_segmented(stage))
        printf("  %-24s in blocks that lie side by side, each from the state that those before it "
               "leave\n",
               "");
    else
        printf("  %-24s in memory%s%s\n", "", reason ? ": " : "", reason ? reason : "");
    const struct detail *versions = stage_says(stage, DETAIL_VERSIONS);
    for (size_t i = 0; versions && i < versions->version_count; i++)
        printf("  %-24s in code of its own where %s\n", "", versions->version[i].text);
    const char *tile = command_tile_text(c, stage);
    if (*tile)
        printf("  %-24s in tiles of its own %s\n", "", tile);
    bool is_long = false;
    for (unsigned k = 0; k < stage->rank; k++)
        is_long = is_long || !axis_is_short(&stage->axis[k]);
    const bool is_of_parts = stage->kind == STAGE_JOINED && !stage_is_segmented(stage);
    if (stage_is_at(stage) || !is_long || is_of_parts)
        return;
    const struct traffic traffic =
        traffic_of(graph, readers, &c->session->pool, c->session->scratch, stage);
    printf("  %-24s a sample: %s%.1f bytes read from memory, %.1f written\n", "",
           traffic.known ? "" : "about ", traffic.read, traffic.written);
}

/* What all kernels read and write for each result. */
static void explain_traffic(struct command_context *c, const struct graph *graph,
                            const struct stage_readers *readers)
{
    const struct kernel_traffic *kernels =
        traffic_of_kernels(graph, readers, &c->session->pool, c->session->scratch);
    for (size_t i = 0; i < graph->outputs.count; i++) {
        const struct stage *result = graph_stage(graph, graph->outputs.item[i].stage);
        bool told;
        const struct traffic all = traffic_of_all(graph, kernels, result, &told);
        if (told)
            printf("For a sample of '%s' all kernels together read %s%.1f bytes from memory and "
                   "write %.1f: %.2f of its samples.\n",
                   graph->outputs.item[i].name->text, all.known ? "" : "about ", all.read,
                   all.written, (all.read + all.written) / scalar_info[result->element].bytes);
    }
}

/* ---- Convolutions ---- */

struct convolution_search {
    struct command_context *c;
    const struct graph *graph;
    const struct stage *stage;
};

/* Whether a sum over a window is taken by transforms, and why; nothing of small ones. */
static void explain_convolution(const struct expr *node, void *user)
{
    enum { WORTH_WORDS = 8 };
    struct convolution_search *search = user;
    struct arena *scratch = search->c->session->scratch;
    struct window window;
    struct convolution found;
    if (!window_problem(scratch, search->graph, search->stage, node, &window) ||
        !convolution_find(scratch, search->graph, search->stage, node, &found))
        return;
    const bool is_large = convolution_is_large(&found);
    if (!is_large && (!node->fast || found.worth_taps > (double)(WORTH_WORDS * found.taps)))
        return;
    printf("A sum of '%s' has %lld terms a sample; transforms take as long as some %.0f. %s.\n",
           search->stage->name->text, (long long)found.taps, found.worth_taps,
           !is_large ? "It is taken as it is"
           : !node->fast
               ? "It is taken in the order written; were it fast, transforms would take it"
               : "Transforms take it");
}

static void explain_convolutions_of(const struct expr *root, void *user)
{
    struct convolution_search *search = user;
    expr_nodes(search->c->session->scratch, root, explain_convolution, search);
}

static void explain_convolutions(struct command_context *c, const struct graph *graph)
{
    for (size_t i = 0; i < graph->stages.count; i++) {
        struct convolution_search search = {c, graph, graph->stages.item[i]};
        if (stage_may_move(search.stage))
            stage_expressions(search.stage, explain_convolutions_of, &search);
    }
}

/* ---- Numbers of fixed point ---- */

/* Bits that the integers of the interval need. */
static int bits_of(struct interval interval)
{
    const uint64_t most = interval.least < 0 ? (uint64_t)~interval.least : 0;
    const uint64_t size = interval.greatest > 0 ? (uint64_t)interval.greatest : 0;
    int bits = interval.least < 0;
    for (uint64_t rest = most | size; rest; rest /= 2)
        bits++;
    return bits ? bits : 1;
}

/* "sharp    -16 .. 15.9375, 9 bits in steps of 2^-4, error at most 0.09375; may saturate" */
static void explain_fixed_stage(const struct stage *stage)
{
    const int fraction = stage->fixed.fraction;
    const struct quantisation *q = &stage->quantisation;
    printf("  %-24s %.9g .. %.9g, %d bits in steps of 2^%d, ", stage->name->text,
           ldexp((double)stage->interval.least, -fraction),
           ldexp((double)stage->interval.greatest, -fraction), bits_of(stage->interval), -fraction);
    if (isinf(q->error))
        printf("error not bounded");
    else
        printf(q->error > 0 ? "error at most %.3g" : "exact", q->error);
    printf("%s\n", q->saturates ? "; may saturate or wrap" : "");
}

/* Of the program as written: passes keep samples, but not all stages. */
static void explain_fixed(const struct graph *graph)
{
    bool any = false;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (!stage->fixed.is)
            continue;
        if (!any)
            printf("Fixed point, against the same program over real numbers where nothing "
                   "saturates:\n");
        any = true;
        explain_fixed_stage(stage);
    }
}

/* ---- How it runs ---- */

/* Machine code is that of the extents of --size. Threads are counted as the program has them, whose
 * extents are expected ones: what is inside of images is known of names, not of numbers. */
static void explain_execution(struct command_context *c, const struct pass_result *made,
                              const struct sized *sized)
{
    printf("Stages are computed one after another, each whole, except those in tiles or panels of "
           "another one: as far as these need them.\n");
    if (command_target(c)->execution == EXECUTION_GRID) {
        printf("Kernels, in the order of their launches. Tiles of others are in the memory that a "
               "block of threads shares.\n");
        const struct program *program = made->program;
        const struct program *compiled =
            sized->all ? program_with_extents(c->session->ir, c->session->scratch,
                                              &c->session->pool, program, sized->all)
                       : program;
        const struct machine_code code = machine_code_of(c->session, compiled, command_target(c));
        if (code.kernels.count)
            printf("Machine code is that of %s, with coordinates of 32 bits.\n",
                   target_machine(command_target(c))->architecture);
        kernels_print(c->session->scratch, program, command_target(c), &code,
                      expected_extents(made->graph, &c->session->pool));
    } else {
        printf("Threads share the outermost loops of each, unless it is serial. ");
    }
    printf("Images held between stages: %zu at most at one time.\n", made->program->slots.count);
}

static enum exit_status explain_file(struct command_context *c)
{
    enum exit_status status;
    const struct graph *graph = command_graph_of_file(c, &status);
    if (!graph)
        return status;
    if (!command_settings_are_known(c, graph))
        return EXIT_USAGE;
    struct sized sized = {NULL, graph};
    if (c->options->size && !graph_sized(c, graph, command_target(c), &sized))
        return EXIT_USAGE;
    graph = sized.graph;
    const struct pass_result result = command_passes(c, graph);
    if (!result.graph)
        return command_finish(c);
    printf("%s: %zu stages in the program, %zu after simplification\n", graph->name->text,
           graph->stages.count, result.graph->stages.count);
    const struct stage_readers *readers = graph_readers(result.graph, c->session->scratch);
    for (size_t i = 0; i < result.graph->stages.count; i++) {
        explain_stage(c, result.graph->stages.item[i]);
        explain_schedule(c, &result, readers, result.graph->stages.item[i]);
    }
    explain_execution(c, &result, &sized);
    explain_traffic(c, result.graph, readers);
    explain_convolutions(c, graph);
    explain_fixed(graph);
    for (size_t i = 0; i < graph->checks.count; i++)
        printf("Checked on entry: %s.\n", graph->checks.item[i].text);
    for (size_t i = 0; i < graph->estimates.count; i++)
        printf("Expected: %s = %lld.\n", graph->estimates.item[i].variable->as.variable.name->text,
               (long long)graph->estimates.item[i].value);
    return EXIT_DONE;
}

static enum exit_status explain_choices(struct command_context *c)
{
    if (!command_target_exists(c))
        return EXIT_USAGE;
    choices_print(command_target(c));
    return EXIT_DONE;
}

enum exit_status command_explain(struct command_context *c)
{
    if (c->options->arguments.count == 0) {
        COMMAND_HELP(
            c->session,
            session_error(c->session, DIAGNOSTIC_E0903, "'fltc explain' needs a code or a file"),
            "write fltc explain E0304, or fltc explain blur.flt");
        return EXIT_USAGE;
    }
    const char *word = c->options->arguments.item[0];
    if (strcmp(word, "choices") == 0)
        return explain_choices(c);
    if (strcmp(word, "machines") == 0)
        machines_print();
    else
        return is_code(word) ? explain_code(c, word) : explain_file(c);
    return EXIT_DONE;
}
