/* Proves programs right for all values of their samples: behind the passes, under the cheapest
 * schedule, a random one, and as kernels of blocks of threads, each sample of a result is the same
 * term as in the graph that the program means. INTERPRET.md says what equal terms show.
 *
 * prove FILE[:FILTER]…        the filters of files; FILE alone: its last one
 * prove --random SEED COUNT   random programs
 * prove --list FILE…          FILE:FILTER of each filter of the files
 *
 * Two lines for each program: before it is tried "tried", its name, its stages, and those of them
 * that are neither a recurrence of floats nor a transform; then the same behind what was found. The
 * exit status is 1 where one is refuted. */
#include "command/interpret_each.h"
#include "frontend/elaborate.h"
#include "frontend/load_modules.h"
#include "pass_manager.h"
#include "../externals/table.h"
#include "program/check.h"
#include "program/generate.h"

#include <stdio.h>
#include <stdlib.h>

enum found { PROVED, PROVED_SINCE, UNTRIED, REFUTED, REFUSED, FOUND_COUNT };
static const char *const found_text[FOUND_COUNT] = {"proved", "proved since rounding", "no images",
                                                    "REFUTED", "refused"};

struct verdict {
    enum found found;
    enum uncovered uncovered;
    const char *problem, *detail;
};

/* The passes that a graph goes through. Equal terms at the end show that none has changed any, but
 * for those that may round: terms are compared before and after these, and at the end. */
enum { MOST_PASSES = 256 };
struct course {
    struct session *session;
    size_t passes;
    bool rounds[MOST_PASSES];
    struct interpret_each *each;
    size_t at;
};

static bool note_pass(const char *pass, const struct graph *graph, const struct program *program,
                      void *context)
{
    struct course *course = context;
    (void)program;
    if (course->passes < MOST_PASSES)
        course->rounds[course->passes++] = pass_may_round(pass, graph, course->session->scratch);
    return true;
}

static bool compare_some(const char *pass, const struct graph *graph, const struct program *program,
                         void *context)
{
    struct course *course = context;
    const size_t i = course->at++;
    const bool is_last = i + 1 >= course->passes;
    return is_last || course->rounds[i] || course->rounds[i + 1]
               ? interpret_each_after(pass, graph, program, course->each)
               : true;
}

/* What the passes of one target make of the graph. random: a seed, or 0. whole: terms are compared
 * after each pass. */
static struct verdict prove_passes(struct session *session, const struct graph *graph,
                                   const char *target, uint64_t random, bool whole)
{
    struct verdict verdict = {.found = PROVED};
    struct interpret_each each;
    struct course course = {.session = session, .each = &each};
    struct pass_options options = {
        .random_schedule = random, .after = note_pass, .after_context = &course};
    run_passes(session, graph, target_find(target), &options);
    interpret_each_start(&each, session, graph, &test_functions, true);
    options.after = whole ? interpret_each_after : compare_some;
    options.after_context = whole ? (void *)&each : &course;
    const struct pass_result result = run_passes(session, graph, target_find(target), &options);
    verdict.uncovered = interpret_each_uncovered(&each);
    verdict.problem = each.problem ? each.problem : result.problem;
    verdict.found = verdict.problem      ? REFUTED
                    : each.compared == 0 ? UNTRIED
                    : each.rounds        ? PROVED_SINCE
                                         : PROVED;
    verdict.detail = verdict.problem ? verdict.problem : each.open;
    interpret_each_end(&each);
    return verdict;
}

/* Where terms differ at the end, small steps may still be equal, and tell which pass it was. */
static struct verdict prove_target(struct session *session, const struct graph *graph,
                                   const char *target, uint64_t random)
{
    const struct verdict verdict = prove_passes(session, graph, target, random, false);
    return verdict.detail ? prove_passes(session, graph, target, random, true) : verdict;
}

static const struct graph *build(struct session *session, const struct module_set *modules,
                                 const struct ast *filter, const char *target)
{
    const struct elaborate_options options = {.target = target};
    return modules && filter ? elaborate_filter(session, modules, filter, &options) : NULL;
}

static bool is_summable(const struct stage *stage)
{
    return stage->kind != STAGE_TRANSFORM &&
           (stage->kind != STAGE_RECURRENCE || !scalar_is_float(stage->element));
}

static void tell(const char *found, const char *name, const struct graph *graph)
{
    unsigned stages = 0, others = 0;
    for (size_t i = 0; graph && i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        stages += stage_computes(stage);
        others += stage_computes(stage) && is_summable(stage);
    }
    printf("%s\t%s\t%u\t%u\n", found, name, stages, others);
    fflush(stdout);
}

static void tell_verdict(const char *name, const struct graph *graph, const struct verdict *v)
{
    const bool is_covered = v->uncovered == COVERED || v->found == REFUSED || v->found == REFUTED;
    tell(is_covered ? found_text[v->found] : uncovered_text[v->uncovered], name, graph);
    if (v->detail)
        printf("    %s\n", v->detail);
    fflush(stdout);
}

/* True unless it is refuted. */
static bool prove(const char *name, struct session *session, const struct module_set *modules,
                  const struct ast *filter, uint64_t seed)
{
    static const struct {
        const char *target;
        bool random;
    } way[] = {{"c", false}, {"c", true}, {"simulator", false}};
    struct verdict worst = {.found = REFUSED};
    const struct graph *graph = build(session, modules, filter, "c");
    tell("tried", name, graph);
    for (size_t i = 0; graph && i < sizeof way / sizeof *way; i++) {
        const bool of_cores = strcmp(way[i].target, "c") == 0;
        const struct graph *asked =
            of_cores ? graph : build(session, modules, filter, way[i].target);
        if (!asked || (!of_cores && graph_has_structure(asked)))
            continue;
        const struct verdict verdict =
            prove_target(session, asked, way[i].target, way[i].random ? seed + 1 : 0);
        const struct verdict before = worst;
        if (i == 0 || verdict.found > worst.found)
            worst = verdict;
        if (before.uncovered != COVERED || verdict.uncovered != COVERED)
            worst.uncovered = before.uncovered != COVERED ? before.uncovered : verdict.uncovered;
        if (!worst.detail)
            worst.detail = before.detail ? before.detail : verdict.detail;
    }
    tell_verdict(name, graph, &worst);
    return worst.found != REFUTED;
}

static bool prove_file(const char *argument)
{
    struct session *session = session_create(NULL);
    const char *colon = strrchr(argument, ':');
    const char *path =
        colon ? arena_text(session->permanent, argument, (size_t)(colon - argument)) : argument;
    const struct module_set *modules = load_modules(session, path);
    const struct ast *filter = NULL;
    for (size_t i = 0; modules && i < modules->list.item[0].module->items->count; i++) {
        const struct ast *item = modules->list.item[0].module->items->item[i];
        if (item->kind == AST_FILTER &&
            (!colon || strcmp(item->as.filter.name->text, colon + 1) == 0))
            filter = item;
    }
    const bool good = prove(argument, session, modules, filter, 1);
    session_destroy(session);
    return good;
}

static bool prove_random(uint64_t seed)
{
    struct session *session = session_create(NULL), *drawn = session_create(NULL);
    char name[32];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    const char *text =
        module_text(drawn->permanent, generate_module(drawn, seed, FAVOURS_NOTHING, ""));
    const struct module_set *modules = load_modules_text(session, "fuzz.flt", text, strlen(text));
    const bool is_right = modules && !session->diagnostics.error_count;
    const bool good = prove(name, session, is_right ? modules : NULL,
                            is_right ? last_filter(modules->list.item[0].module) : NULL, seed);
    session_destroy(drawn);
    session_destroy(session);
    return good;
}

static void list_filters(const char *path)
{
    struct session *session = session_create(NULL);
    const struct module_set *modules = load_modules(session, path);
    for (size_t i = 0; modules && i < modules->list.item[0].module->items->count; i++) {
        const struct ast *item = modules->list.item[0].module->items->item[i];
        if (item->kind == AST_FILTER)
            printf("%s:%s\n", path, item->as.filter.name->text);
    }
    session_destroy(session);
}

int main(int argc, char **argv)
{
    bool good = argc > 1;
    const bool is_random = argc == 4 && strcmp(argv[1], "--random") == 0;
    const bool lists = argc > 1 && strcmp(argv[1], "--list") == 0;
    for (uint64_t i = 0; is_random && i < strtoull(argv[3], NULL, 10); i++)
        good = prove_random(strtoull(argv[2], NULL, 10) + i) && good;
    for (int i = 1 + lists; i < argc && !is_random; i++) {
        if (lists)
            list_filters(argv[i]);
        else
            good = prove_file(argv[i]) && good;
    }
    return good ? 0 : 1;
}
