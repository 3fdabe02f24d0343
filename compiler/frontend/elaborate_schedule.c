/* Schedules: directives of the program become part of the stages they name:
 *     schedule blur for c { tile out by (y: 32, x: 512);  compute rows at out;  inline gray; }
 * A target takes the blocks that name it; the compiler completes them. What cannot be done is found
 * out when the passes have run (graph/placement/schedule_check.h). */
#include "frontend/scheduling.h"
#include "graph/recurrence/line_reach.h"

static bool is_for_blocks(const struct scheduling *s)
{
    return s->target->execution == EXECUTION_GRID;
}

/* ---- Words ---- */

bool directive_word(const struct scheduling *s, size_t i, const char *text)
{
    return i < s->words->count && s->words->item[i]->kind == AST_NAME &&
           strcmp(s->words->item[i]->as.name->text, text) == 0;
}

struct stage *directive_stage(struct scheduling *s, size_t i)
{
    const struct ast *word = s->words->item[i];
    struct elaborator *el = s->el;
    for (size_t k = 0; k < el->graph->stages.count; k++) {
        const struct stage *stage = el->graph->stages.item[k];
        if (stage->name != word->as.name || !stage_computes(stage))
            continue;
        struct stage *changed = arena_copy(el->arena, stage, sizeof *stage);
        el->graph->stages.item[k] = changed;
        return changed;
    }
    REPORT(el, E0603, word->span, word->as.name->text);
    return NULL;
}

/* The stage's schedule, to be filled in; NULL after a message: it has one. */
static struct schedule *schedule_of(struct scheduling *s, struct stage *stage)
{
    struct elaborator *el = s->el;
    if (stage->schedule) {
        struct diagnostic *d = REPORT(el, E0606, s->directive->span, stage->name->text);
        LABEL(el, d, stage->schedule->span, "this one");
        HELP(el, d, "leave one of them out");
        return NULL;
    }
    struct schedule *schedule = ARENA_NEW(el->arena, struct schedule);
    schedule->span = s->directive->span;
    stage->schedule = schedule;
    return schedule;
}

/* ---- Directives ---- */

unsigned directive_axis(struct scheduling *s, const struct stage *stage, const struct symbol *name,
                        struct span span)
{
    unsigned k = 0;
    while (k < stage->rank && stage->axis[k].name != name)
        k++;
    if (k == stage->rank)
        REPORT(s->el, E0306, span, stage->name->text, name->text);
    return k;
}

static bool take_extent(struct scheduling *s, const struct stage *stage, const struct ast *pair,
                        int64_t tile[])
{
    enum { MOST = 1 << 16 };
    const unsigned k = directive_axis(s, stage, pair->as.named.name, pair->span);
    if (k == stage->rank)
        return false;
    tile[k] = pair->as.named.value->as.integer;
    if (tile[k] >= 1 && tile[k] <= MOST)
        return true;
    REPORT(s->el, E0604, pair->span, (int)MOST, (long long)tile[k]);
    return false;
}

/* 1 + the axis along which the tile slides; 0 after a message. */
static unsigned take_sliding(struct scheduling *s, const struct stage *stage, const int64_t tile[],
                             const struct ast *word)
{
    const unsigned k = directive_axis(s, stage, word->as.name, word->span);
    if (k == stage->rank)
        return 0;
    if (tile[k] && k + 1 < stage->rank)
        return k + 1;
    REPORT(s->el, E0605, word->span, stage->name->text,
           arena_format(s->el->arena, "in tiles that slide along '%s'", word->as.name->text),
           tile[k] ? "that is its fastest axis" : "its tiles do not cut that axis");
    return 0;
}

/* Lines along the fastest axis lie one behind the other: there are no bands of them, but blocks. */
static bool cuts_rows(const struct stage *stage, unsigned along, const int64_t tile[])
{
    return along + 1 == stage->rank && tile[along] > 0;
}

/* What a tile of lines may not be along axis i; NULL: it is right. */
static const char *reason_against_lines(struct arena *arena, const struct stage *stage,
                                        unsigned along, unsigned lanes, unsigned i, bool segmented,
                                        const int64_t tile[])
{
    const int64_t extent = tile[i];
    if (segmented && i == along)
        return extent ? NULL : "it must tell how long they are";
    if (segmented) /* of lanes it is how many lines there may be */
        return i != lanes && i != along && extent
                   ? "blocks of a line lie side by side, other lines apart"
                   : NULL;
    if (stage->rank == 1)
        return arena_format(arena, "it has one line; blocks of that: (%s: 4096) along %s",
                            stage->axis[0].name->text, stage->axis[0].name->text);
    if (i == along && extent && (stage->rank != 2 || along != 0))
        return "its tiles cut them, and bands are there for images of two axes, along the slower "
               "one";
    if (i == along)
        return (extent & (extent - 1)) ? "a band is a power of two of samples" : NULL;
    if (i == lanes)
        return extent ? NULL
                      : arena_format(arena, "its tiles must tell how many, by '%s'",
                                     stage->axis[i].name->text);
    return extent > 1 ? arena_format(arena, "they lie side by side along '%s' alone",
                                     stage->axis[lanes].name->text)
                      : NULL;
}

/* 1 + the axis of the lines that the tile takes whole, or cuts in blocks; 0 after a message. */
static unsigned take_along(struct scheduling *s, const struct stage *stage, int64_t tile[],
                           const struct ast *word, bool segmented, bool in_bands)
{
    const unsigned k = directive_axis(s, stage, word->as.name, word->span);
    if (k == stage->rank)
        return 0;
    const unsigned lanes = stage->rank > 1 ? line_lanes(stage, k) : k;
    for (unsigned i = 0; i < stage->rank; i++) {
        const char *reason =
            reason_against_lines(s->el->arena, stage, k, lanes, i,
                                 segmented || (!in_bands && cuts_rows(stage, k, tile)), tile);
        if (!reason)
            continue;
        REPORT(s->el, E0605, word->span, stage->name->text,
               arena_format(s->el->arena,
                            segmented ? "in blocks along '%s'" : "in lines along '%s'",
                            word->as.name->text),
               reason);
        return 0;
    }
    for (unsigned i = 0; i < stage->rank; i++)
        tile[i] = i == k || i == lanes ? tile[i] : 1;
    return 1 + k;
}

/* The later stage that word i names, which this one is to be computed with; NULL after a
 * message. */
static const struct stage *sink_of(struct scheduling *s, const struct stage *stage, size_t i,
                                   bool bands)
{
    struct elaborator *el = s->el;
    const struct stage *sink = directive_stage(s, i);
    if (!sink || sink->id.index > stage->id.index)
        return sink;
    REPORT(el, E0605, s->directive->span, stage->name->text,
           schedule_place_text(el->arena, bands, sink), "it is computed after it");
    return NULL;
}

/* What a block reads, its threads copy together: each has one sample. */
static bool fits_block(struct scheduling *s, const struct stage *stage, const int64_t tile[])
{
    int64_t threads = 1;
    for (unsigned k = 0; k < stage->rank && threads <= s->target->block_threads; k++)
        threads *= tile[k] ? tile[k] : 1;
    if (threads <= s->target->block_threads)
        return true;
    REPORT(s->el, E0605, s->directive->span, stage->name->text, "in such tiles, staged",
           arena_format(s->el->arena, "a block of %s has %u threads at most, one for each sample",
                        s->target->name, s->target->block_threads));
    return false;
}

/* tile STAGE by (AXIS: N, ...); also: along AXIS; blocked AXIS; on cores: sliding AXIS; along AXIS
 * at STAGE; of blocks of threads: staged. */
static bool take_tile(struct scheduling *s)
{
    const size_t more = s->words->count < 4 ? 0 : s->words->count - 4;
    const bool staged = is_for_blocks(s) && more == 1 && directive_word(s, 4, "staged");
    const bool in_bands = !is_for_blocks(s) && more == 4 && directive_word(s, 4, "along") &&
                          directive_word(s, 6, "at") && s->words->item[7]->kind == AST_NAME;
    const bool with_axis = (more == 2 || in_bands) && s->words->item[5]->kind == AST_NAME;
    const bool sliding = with_axis && !is_for_blocks(s) && directive_word(s, 4, "sliding");
    const bool segmented = with_axis && !in_bands && directive_word(s, 4, "blocked");
    const bool along = segmented || (with_axis && directive_word(s, 4, "along"));
    if (s->words->count < 4 || (more && !staged && !sliding && !along) ||
        s->words->item[1]->kind != AST_NAME || !directive_word(s, 2, "by") ||
        s->words->item[3]->kind != AST_LIST || !directive_has_counts(s->words->item[3]))
        return false;
    struct stage *stage = directive_stage(s, 1);
    const struct stage *sink = stage && in_bands ? sink_of(s, stage, 7, true) : NULL;
    if (!stage || (in_bands && !sink))
        return true;
    int64_t *tile = ARENA_ARRAY(s->el->arena, int64_t, stage->rank + 1);
    const struct ast_list *pairs = s->words->item[3]->as.list;
    for (size_t i = 0; i < pairs->count; i++)
        if (!take_extent(s, stage, pairs->item[i], tile))
            return true;
    const unsigned axis = sliding ? take_sliding(s, stage, tile, s->words->item[5])
                          : along
                              ? take_along(s, stage, tile, s->words->item[5], segmented, in_bands)
                              : 0;
    const bool fits = (!with_axis || axis) && (!staged || fits_block(s, stage, tile));
    struct schedule *schedule = fits ? schedule_of(s, stage) : NULL;
    if (!schedule)
        return true;
    schedule->rank = stage->rank;
    if (sliding)
        schedule->as.tiles = (struct schedule_tiles){true, axis - 1};
    if (along) {
        schedule->kind = SCHEDULE_LINES;
        schedule->as.lines.axis = axis - 1;
        schedule->as.lines.segmented = segmented || (!in_bands && cuts_rows(stage, axis - 1, tile));
    }
    schedule->tile = tile;
    if (sink) {
        schedule->placement = PLACED_AT;
        schedule->at = sink->id;
    }
    schedule->staged = staged;
    return true;
}

/* compute STAGE at OTHER; or: at root; */
static bool take_compute(struct scheduling *s)
{
    if (s->words->count != 4 || s->words->item[1]->kind != AST_NAME ||
        !directive_word(s, 2, "at") || s->words->item[3]->kind != AST_NAME)
        return false;
    const bool root = directive_word(s, 3, "root");
    struct stage *stage = directive_stage(s, 1);
    const struct stage *sink = root || !stage ? NULL : sink_of(s, stage, 3, false);
    if (!stage || (!root && !sink))
        return true;
    struct schedule *schedule = schedule_of(s, stage);
    if (!schedule)
        return true;
    schedule->placement = root ? PLACED_ROOT : PLACED_AT;
    if (sink)
        schedule->at = sink->id;
    return true;
}

/* inline STAGE; */
static bool take_inline(struct scheduling *s)
{
    if (s->words->count != 2 || s->words->item[1]->kind != AST_NAME)
        return false;
    struct stage *stage = directive_stage(s, 1);
    struct schedule *schedule = stage ? schedule_of(s, stage) : NULL;
    if (schedule)
        schedule->placement = PLACED_INLINE;
    return true;
}

/* pixels 4; */
static bool take_setting(struct scheduling *s)
{
    static const struct {
        const char *word;
        int64_t least, greatest;
    } setting[] = {
#define CIRCUIT_SETTING(word, least, greatest, form) {#word, least, greatest},
#include "graph/circuit_settings.def"
#undef CIRCUIT_SETTING
    };
    const struct ast *number = s->words->count == 2 ? s->words->item[1] : NULL;
    if (!number || number->kind != AST_INTEGER)
        return false;
    for (unsigned i = 0; i < CIRCUIT_SETTING_COUNT; i++) {
        if (!directive_word(s, 0, setting[i].word))
            continue;
        const int64_t value = number->as.integer;
        if (value < setting[i].least || value > setting[i].greatest)
            REPORT(s->el, E0614, number->span, (long long)setting[i].least,
                   (long long)setting[i].greatest, (long long)value);
        VECTOR_PUSH(s->el->arena, &s->el->graph->settings,
                    (struct graph_setting){(enum circuit_setting)i, value});
    }
    return true;
}

static const struct {
    const char *word, *form[3];         /* by execution */
    bool (*take)(struct scheduling *s); /* NULL: it says a detail */
    struct detail_directive detail;
} directives[] = {
#define DIRECTIVE(word, tiles, blocks)                                                             \
    {#word, {tiles, blocks, NULL}, take_##word, {DETAIL_COUNT, NO_VALUES, 0}},
#define DETAIL_DIRECTIVE(word, detail, arguments, value, tiles, blocks)                            \
    {#word, {tiles, blocks, NULL}, NULL, {DETAIL_##detail, arguments, value}},
#include "frontend/directives.def"
#undef DETAIL_DIRECTIVE
#undef DIRECTIVE
#define CIRCUIT_SETTING(word, least, greatest, form)                                               \
    {#word, {NULL, NULL, form}, take_setting, {DETAIL_COUNT, NO_VALUES, 0}},
#include "graph/circuit_settings.def"
#undef CIRCUIT_SETTING
    {NULL, {NULL, NULL, NULL}, NULL, {DETAIL_COUNT, NO_VALUES, 0}},
};

static void take_directive(struct scheduling *s)
{
    struct elaborator *el = s->el;
    const struct ast *first = s->words->item[0];
    for (size_t i = 0; directives[i].word; i++) {
        const char *form = directives[i].form[s->target->execution];
        if (!form || !directive_word(s, 0, directives[i].word))
            continue;
        const bool has_condition = s->directive->as.directive.where != NULL;
        if (has_condition != (directives[i].detail.arguments == WHERE_HOLDS) ||
            (directives[i].take ? !directives[i].take(s) : !take_detail(s, &directives[i].detail)))
            HELP(el, REPORT(el, E0609, s->directive->span, directives[i].word), "write: %s", form);
        return;
    }
    struct diagnostic *d =
        REPORT(el, E0602, first->span, first->kind == AST_NAME ? first->as.name->text : "this",
               s->target->name);
    for (size_t i = 0; directives[i].word; i++)
        if (directives[i].form[s->target->execution])
            HELP(el, d, "there is: %s", directives[i].form[s->target->execution]);
}

/* Why a stage cannot be computed with that one; NULL: so far nothing. */
static const char *reason_against_sink(struct arena *arena, const struct stage *stage,
                                       const struct stage *sink)
{
    if (stage_is_in_bands(stage) ? stage_follows(sink) : stage_is_at(sink))
        return "that is computed in tiles of another stage itself";
    if (sink->schedule && sink->schedule->placement == PLACED_INLINE)
        return "that is computed where it is read, and has no tiles";
    if (!stage_is_in_bands(stage))
        return NULL;
    if (stage_is_segmented(sink) && (sink->rank != 2 || !schedule_runs_along(sink->schedule, 0)))
        return "that takes rows with its blocks only where it is an image of two axes, in blocks "
               "along the slower one";
    if (!stage_has_bands(sink) && !stage_is_segmented(sink))
        return arena_format(
            arena,
            "that has none: write 'tile %s by (...) along' one axis, with a part of "
            "that axis, too, as in (y: 64, x: 512) along y",
            sink->name->text);
    return schedule_runs_along(sink->schedule, stage->schedule->as.lines.axis)
               ? arena_format(arena, "lines of both run along '%s'",
                              sink->axis[sink->schedule->as.lines.axis].name->text)
               : NULL;
}

/* A stage with others in its tiles is in no tiles itself, and has some. */
static void check_sinks(struct elaborator *el)
{
    for (size_t i = 0; i < el->graph->stages.count; i++) {
        const struct stage *stage = el->graph->stages.item[i];
        if (!stage_follows(stage))
            continue;
        const struct stage *sink = graph_stage(el->graph, stage->schedule->at);
        const char *problem = reason_against_sink(el->arena, stage, sink);
        if (problem)
            REPORT(el, E0605, stage->schedule->span, stage->name->text,
                   schedule_place_text(el->arena, stage_is_in_bands(stage), sink), problem);
    }
}

void elaborate_schedules(struct elaborator *el, struct instance *instance)
{
    const char *target = el->options->target ? el->options->target : "c";
    const struct module *module = el->modules->list.item[0].module;
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind != AST_SCHEDULE ||
            item->as.schedule.filter != instance->filter->as.filter.name)
            continue;
        const char *named = item->as.schedule.target->text;
        struct scheduling s = {.el = el, .instance = instance, .target = target_find(named)};
        if (!s.target) {
            report_not_yet(el, item->span, arena_format(el->arena, "a schedule for %s", named));
            continue;
        }
        if (strcmp(named, target) != 0)
            continue;
        for (size_t d = 0; d < item->as.schedule.directives->count; d++) {
            s.directive = item->as.schedule.directives->item[d];
            s.words = s.directive->as.directive.words;
            take_directive(&s);
        }
    }
    if (el->session->diagnostics.error_count == 0) /* else what is missing may be a message's */
        check_sinks(el);
}
