/* Schedules: directives of the program become part of the stages they name. So far there is one,
 *     schedule blur for simulator { tile out by (y: 8, x: 32) staged; }
 * for targets that run blocks of threads; schedules for the C target are refused. */
#include "frontend/elaborator.h"

static const struct stage *find_stage(const struct graph *graph, const struct symbol *name)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->name == name && stage_computes(graph->stages.item[i]))
            return graph->stages.item[i];
    return NULL;
}

static bool is_word(const struct ast *node, const char *text)
{
    return node->kind == AST_NAME && strcmp(node->as.name->text, text) == 0;
}

static void take_tile(struct elaborator *el, const struct ast *directive, const char *target)
{
    enum { MOST_SAMPLES = 1024 };
    const struct ast_list *words = directive->as.directive.words;
    const bool staged = words->count == 5 && is_word(words->item[4], "staged");
    if ((words->count != 4 && !staged) || words->item[1]->kind != AST_NAME ||
        !is_word(words->item[2], "by") || words->item[3]->kind != AST_LIST) {
        struct diagnostic *d = REPORT(el, E0602, directive->span, "tile", target);
        HELP(el, d, "write: tile out by (y: 8, x: 32) staged;");
        return;
    }
    const struct stage *stage = find_stage(el->graph, words->item[1]->as.name);
    if (!stage) {
        REPORT(el, E0603, words->item[1]->span, words->item[1]->as.name->text);
        return;
    }
    int64_t *tile = ARENA_ARRAY(el->arena, int64_t, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank; k++)
        tile[k] = 1;
    const struct ast_list *pairs = words->item[3]->as.list;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct ast *pair = pairs->item[i];
        unsigned k = 0;
        while (k < stage->rank && stage->axis[k].name != pair->as.named.name)
            k++;
        if (k == stage->rank) {
            REPORT(el, E0306, pair->span, stage->name->text, pair->as.named.name->text);
            return;
        }
        tile[k] = pair->as.named.value->as.integer;
        if (tile[k] < 1 || tile[k] > MOST_SAMPLES) {
            REPORT(el, E0604, pair->span, MOST_SAMPLES, (long long)tile[k]);
            return;
        }
    }
    struct schedule *schedule = ARENA_NEW(el->arena, struct schedule);
    *schedule = (struct schedule){
        .span = directive->span, .rank = stage->rank, .tile = tile, .staged = staged};
    struct stage *changed = arena_copy(el->arena, stage, sizeof *stage);
    changed->schedule = schedule;
    el->graph->stages.item[stage->id.index] = changed;
}

void elaborate_schedules(struct elaborator *el, const struct ast *filter)
{
    const char *target = el->options->target ? el->options->target : "c";
    const struct module *module = el->modules->list.item[0].module;
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind != AST_SCHEDULE || item->as.schedule.filter != filter->as.filter.name)
            continue;
        if (strcmp(item->as.schedule.target->text, "simulator") != 0) {
            report_not_yet(
                el, item->span,
                arena_format(el->arena, "a schedule for %s", item->as.schedule.target->text));
            continue;
        }
        if (strcmp(item->as.schedule.target->text, target) != 0)
            continue;
        for (size_t d = 0; d < item->as.schedule.directives->count; d++) {
            const struct ast *directive = item->as.schedule.directives->item[d];
            const struct ast *first = directive->as.directive.words->item[0];
            if (is_word(first, "tile"))
                take_tile(el, directive, target);
            else
                HELP(el,
                     REPORT(el, E0602, first->span,
                            first->kind == AST_NAME ? first->as.name->text : "this", target),
                     "there is one so far: tile out by (y: 8, x: 32) staged;");
        }
    }
}
