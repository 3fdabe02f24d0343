/* fltc test: the examples of a file or a module of the library, by the definition and compiled.
 * Both must meet each requirement, and agree to the bit. */
#include "command/command.h"
#include "command/externals.h"
#include "command/trial_images.h"
#include "interpret/interpret.h"

#include <math.h>

struct trial {
    struct command_context *c;
    const struct example *example;
    struct samples *expected, *computed; /* by result */
    size_t count;
};

/* ---- What does not hold ---- */

/* "y = 1, x = 2", of the sample of that number; "" of a single number. */
static const char *place_text(struct arena *arena, const struct graph *graph, size_t output,
                              const struct samples *samples, size_t sample)
{
    const struct stage *stage = graph_stage(graph, graph->outputs.item[output].stage);
    const char *text = "";
    for (unsigned k = samples->rank; k-- > 0;) {
        const size_t extent = (size_t)samples->extent[k];
        text = arena_format(arena, "%s = %lld%s%s", stage->axis[k].name->text,
                            (long long)(samples->first[k] + (int64_t)(sample % extent)),
                            *text ? ", " : "", text);
        sample /= extent;
    }
    return text;
}

/* The sample of one side of a comparison where the condition has its sample; the side may have
 * fewer axes. */
static const char *side_text(struct arena *arena, const struct trial *t,
                             const struct samples results[], int side, int condition, size_t sample)
{
    const struct graph *graph = t->example->graph;
    const struct stage *from = graph_stage(graph, graph->outputs.item[condition].stage);
    const struct stage *stage = graph_stage(graph, graph->outputs.item[side].stage);
    int64_t at[GRAPH_MAX_RANK] = {0};
    for (unsigned k = results[condition].rank; k-- > 0;) {
        const size_t extent = (size_t)results[condition].extent[k];
        for (unsigned i = 0; i < stage->rank; i++)
            if (stage->axis[i].name == from->axis[k].name)
                at[i] = results[condition].first[k] + (int64_t)(sample % extent);
        sample /= extent;
    }
    const struct value value = samples_read(&results[side], at);
    struct text text = text_create(arena);
    if (stage->fixed.is)
        text_real(&text, ldexp((double)value.integer, -stage->fixed.fraction), 64);
    else if (scalar_is_float(stage->element))
        text_real(&text, (double)value_real(stage->element, value),
                  stage->element == SCALAR_F64 ? 64 : 32);
    else
        text_print(&text, "%lld", (long long)value.integer);
    return text.bytes;
}

static bool check_requirement(const struct trial *t, const struct example_requirement *r,
                              const struct samples results[], const char *how)
{
    const struct samples *condition = &results[r->condition];
    const size_t count = samples_count(condition);
    size_t bad = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        if (!condition->data[i]) {
            bad++;
            first = i;
        }
    if (!bad)
        return true;
    struct diagnostics *diagnostics = &t->c->session->diagnostics;
    struct arena *arena = t->c->session->permanent;
    struct diagnostic *d = diagnostic_report(diagnostics, DIAGNOSTIC_E0506, r->node->span, how);
    const char *place =
        place_text(arena, t->example->graph, (size_t)r->condition, condition, first);
    if (r->left >= 0 && r->right >= 0)
        diagnostic_note(diagnostics, d, "%s%sleft is %s, right is %s", place, *place ? ": " : "",
                        side_text(arena, t, results, r->left, r->condition, first),
                        side_text(arena, t, results, r->right, r->condition, first));
    if (count > 1)
        diagnostic_note(diagnostics, d, "it fails at %zu of %zu samples, first at %s", bad, count,
                        place);
    return false;
}

static bool check_requirements(const struct trial *t, const struct samples results[],
                               const char *how)
{
    bool good = true;
    for (size_t i = 0; i < t->example->requirements.count; i++)
        good = check_requirement(t, &t->example->requirements.item[i], results, how) && good;
    return good;
}

/* ---- Both ways ---- */

static bool fail(const struct trial *t, const struct ast *node, const char *problem)
{
    struct diagnostics *diagnostics = &t->c->session->diagnostics;
    diagnostic_note(diagnostics, diagnostic_report(diagnostics, DIAGNOSTIC_E0507, node->span), "%s",
                    problem);
    return false;
}

static bool transforms(const struct graph *graph)
{
    bool found = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        found = found || graph->stages.item[i]->kind == STAGE_TRANSFORM;
    return found;
}

static bool run_by_definition(const struct trial *t, const struct ast *node)
{
    struct external_functions externals;
    if (!externals_load(t->c, &externals))
        return false;
    struct interpretation run = {
        .session = t->c->session, .outputs = t->expected, .externals = &externals};
    if (!interpret_graph(t->example->graph, &run))
        return fail(t, node, run.problem);
    if (!check_requirements(t, t->expected, "by its definition"))
        return false;
    if (!transforms(t->example->graph))
        return true;
    for (size_t i = 0; i < t->count; i++)
        samples_free(&t->expected[i]);
    run.transforms_as_emitted = true; /* to the bit, as what is compiled */
    return interpret_graph(t->example->graph, &run) || fail(t, node, run.problem);
}

static bool call_compiled(const struct trial *t, const struct compiled *compiled,
                          const struct ast *node)
{
    struct arena *arena = t->c->session->permanent;
    void **data = ARENA_ARRAY(arena, void *, t->count + 1);
    int32_t **extents = ARENA_ARRAY(arena, int32_t *, t->count + 1);
    const ptrdiff_t **strides = ARENA_ARRAY(arena, const ptrdiff_t *, t->count + 1);
    for (size_t i = 0; i < t->count; i++) {
        struct samples *samples = &t->computed[i];
        ptrdiff_t *stride = ARENA_ARRAY(arena, ptrdiff_t, GRAPH_MAX_RANK), step = 1;
        *samples = t->expected[i];
        if (!samples_allocate(samples))
            return fail(t, node, "there is not enough memory");
        extents[i] = ARENA_ARRAY(arena, int32_t, GRAPH_MAX_RANK);
        for (unsigned k = samples->rank; k-- > 0;) {
            extents[i][k] = (int32_t)samples->extent[k];
            stride[k] = step;
            step *= (ptrdiff_t)samples->extent[k];
        }
        data[i] = samples->data;
        strides[i] = stride;
    }
    const void *const none[1] = {NULL};
    struct flt_arguments arguments = {.size = sizeof arguments,
                                      .data = data,
                                      .extents = extents,
                                      .strides = strides,
                                      .parameters = none};
    const int status = compiled->filter->call(FLT_RUN, &arguments);
    return status == 0 || fail(t, node, compiled->filter->status_text(status));
}

static bool run_compiled(const struct trial *t, const struct ast *node, bool *is_fault)
{
    struct session *session = t->c->session;
    const struct pass_options options = {.verify_each = true};
    const struct target *target = command_target(t->c);
    const struct pass_result result = run_passes(session, t->example->graph, target, &options);
    *is_fault = result.problem != NULL;
    if (result.problem) {
        report_fault(result.problem);
        return false;
    }
    const struct emit_options emit = {.stem = "fltc_filter", .entry = true};
    const struct emitted emitted = emit_program(session, result.program, target, &emit);
    const struct compile_options how = externals_compile_options(t->c, target);
    struct compiled compiled = compile_filter(session, &emitted, &how);
    if (compiled.problem)
        return fail(t, node, compiled.problem);
    bool good = call_compiled(t, &compiled, node) &&
                check_requirements(t, t->computed, "by the compiled filter");
    for (size_t i = 0; good && !result.rounds && i < t->count; i++) {
        const char *difference =
            samples_difference(session->permanent, &t->expected[i], &t->computed[i]);
        good = !difference || fail(t, node, difference);
    }
    compile_close(&compiled);
    return good;
}

static bool test_example(struct command_context *c, const struct module_set *modules,
                         const struct ast *node, size_t *requirements, bool *is_fault)
{
    struct trial t = {.c = c, .example = elaborate_example(c->session, modules, node)};
    if (!t.example)
        return false;
    *requirements += t.example->requirements.count;
    t.count = t.example->graph->outputs.count;
    t.expected = ARENA_ARRAY(c->session->permanent, struct samples, t.count);
    t.computed = ARENA_ARRAY(c->session->permanent, struct samples, t.count);
    const bool good = run_by_definition(&t, node) && run_compiled(&t, node, is_fault);
    for (size_t i = 0; i < t.count; i++) {
        samples_free(&t.expected[i]);
        samples_free(&t.computed[i]);
    }
    return good;
}

enum exit_status command_test(struct command_context *c)
{
    const struct module_set *modules = command_load_any(c);
    size_t examples = 0, failed = 0, requirements = 0;
    bool is_fault = false;
    if (!modules && c->options->arguments.count == 0)
        return EXIT_USAGE;
    const bool loaded = modules && !c->session->diagnostics.error_count;
    const struct ast_list *items = loaded ? modules->list.item[0].module->items : NULL;
    for (size_t i = 0; items && i < items->count && !is_fault; i++) {
        if (items->item[i]->kind != AST_EXAMPLE)
            continue;
        examples++;
        failed += !test_example(c, modules, items->item[i], &requirements, &is_fault);
    }
    if (loaded && examples == 0)
        session_error(c->session, DIAGNOSTIC_E0903, "'%s' has no examples",
                      modules->list.item[0].name);
    const enum exit_status status = command_finish(c);
    if (examples)
        printf("%s: %zu example%s, %zu requirements, %zu failed\n", modules->list.item[0].name,
               examples, examples == 1 ? "" : "s", requirements, failed);
    return is_fault ? EXIT_FAULT : failed ? EXIT_WRONG_INPUT : status;
}
