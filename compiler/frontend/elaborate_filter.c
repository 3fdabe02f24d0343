/* The filter to compile: which one it is, its inputs, its graph. */
#include "frontend/elaborator.h"
#include "frontend/float_uses.h"
#include "frontend/particles.h"
#include "frontend/ast_build.h"
#include "diagnostics/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- The filter to compile ---- */

/* The last axis of complex samples, of extent 2, which is checked. */
static struct stage_axis input_parts(struct elaborator *el, const struct symbol *name,
                                     struct span span)
{
    struct stage_axis axis = complex_axis(el);
    const struct expr *two = axis.extent;
    axis.extent =
        expr_variable(el->pool, VARIABLE_EXTENT,
                      symbol_format(&el->session->symbols, "%s.%s", name->text, COMPLEX_AXIS),
                      SCALAR_I32, (struct interval){2, 2});
    VECTOR_PUSH(el->arena, &el->graph->checks,
                (struct graph_check){
                    expr_binary(el->pool, EXPR_EQUAL, axis.extent, two),
                    arena_format(el->arena, "the samples of '%s' have no two parts", name->text),
                    span});
    return axis;
}

static struct image_view add_input(struct elaborator *el, const struct symbol *name,
                                   const struct filter_type *type, struct span span,
                                   uint32_t position)
{
    const unsigned rank = type->rank + type->complex;
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, rank + 1);
    struct image_view view = {.rank = type->rank, .valid = true, .fixed = type->fixed};
    const struct element_type element = {.scalar = type->scalar, .fixed = type->fixed};
    for (unsigned i = 0; i < type->rank; i++) {
        const struct interval coordinate = {0, INT32_MAX - 1}, extent = {1, INT32_MAX};
        const struct symbol *extent_name =
            symbol_format(&el->session->symbols, "%s.%s", name->text, type->axis[i]->text);
        view.axis[i] = type->axis[i];
        axis[i] = (struct stage_axis){
            .name = type->axis[i],
            .variable =
                expr_variable(el->pool, VARIABLE_INDEX, type->axis[i], SCALAR_I32, coordinate),
            .first = expr_integer(el->pool, 0),
            .extent = expr_variable(el->pool, VARIABLE_EXTENT, extent_name, SCALAR_I32,
                                    known_interval(el, extent_name, extent))};
        check_fact(el, axis[i].extent);
    }
    if (type->complex)
        axis[type->rank] = input_parts(el, name, span);
    take_stage_name(el, name);
    view.stage = graph_add_stage(el->arena, el->graph,
                                 (struct stage){.kind = STAGE_INPUT,
                                                .name = name,
                                                .span = span,
                                                .element = type->scalar,
                                                .interval = element_interval(element),
                                                .fixed = fixed_stored(el, type->fixed),
                                                .rank = rank,
                                                .axis = axis,
                                                .as.input = {position}});
    return view;
}

/* The images pyramid_0, pyramid_1 … */
static struct levels *add_inputs(struct elaborator *el, struct instance *instance,
                                 const struct ast *formal, const struct filter_type *type,
                                 uint32_t *position)
{
    const struct symbol *name = formal->as.formal.name;
    struct levels *levels = new_levels(el, name, name->text, formal->span);
    int64_t first, extent;
    if (!each_range(el, instance, formal, &first, &extent))
        return NULL;
    for (int64_t i = first; i < first + extent; i++) {
        const struct entity image = {
            .kind = ENTITY_IMAGE,
            .span = formal->span,
            .as.image = add_input(el, member_name(el, name, i), type, formal->span, (*position)++)};
        VECTOR_PUSH(el->arena, &levels->member, (struct level){i, image});
    }
    return levels;
}

static void bind_input(struct elaborator *el, struct instance *instance, const struct ast *formal,
                       uint32_t *position)
{
    struct filter_type type;
    const struct symbol *name = formal->as.formal.name;
    struct entity *entity = scope_declare(el, instance->scope, name, formal->as.formal.name_span);
    if (!elaborate_type(el, instance, formal->as.formal.type, &type))
        return;
    if (!type.is_image) {
        struct diagnostic *d = REPORT(el, E0303, formal->span, "a filter",
                                      "images and param values", "a number without param");
        HELP(el, d, "write param %s : %s", name->text, scalar_info[type.scalar].text);
        return;
    }
    if (!formal->as.formal.each) {
        entity->kind = ENTITY_IMAGE;
        entity->as.image = add_input(el, name, &type, formal->span, (*position)++);
        return;
    }
    entity->as.levels = add_inputs(el, instance, formal, &type, position);
    entity->kind = entity->as.levels ? ENTITY_LEVELS : ENTITY_ERROR;
}

static void bind_parameter(struct elaborator *el, struct instance *instance,
                           const struct ast *formal)
{
    struct parameter p;
    struct element_type type;
    if (!elaborate_formal(el, instance, formal, &p, &type)) {
        scope_declare(el, instance->scope, formal->as.formal.name, formal->as.formal.name_span);
        return;
    }
    p.variable = expr_variable(el->pool, VARIABLE_PARAMETER, p.name, p.scalar,
                               known_interval(el, p.name, parameter_interval(&p)));
    if (p.fixed.is) /* what is given is rounded */
        fixed_note_constant(el, p.variable, 0.5);
    check_fact(el, p.variable);
    VECTOR_PUSH(el->arena, &el->graph->parameters, p);
    declare_value(el, instance, formal, p.variable, p.fixed);
}

/* Whether the constant tells how many members an array of the signature has. */
static bool ends_array(const struct ast_list *formals, const struct symbol *name)
{
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *each = formals->item[i]->as.formal.each;
        const struct ast *last = each ? each->as.binding.range->as.range.last : NULL;
        if (last && last->kind == AST_NAME && last->as.name == name)
            return true;
    }
    return false;
}

/* A length to check a filter with that leaves it to its callers. */
static const struct expr *likely_length(struct elaborator *el, const struct parameter *p)
{
    int64_t length = 3;
    if (p->least && length < p->least->as.integer)
        length = p->least->as.integer;
    if (p->greatest && length > p->greatest->as.integer)
        length = p->greatest->as.integer;
    return expr_integer(el->pool, length);
}

static void report_no_value(struct elaborator *el, const struct ast *formal, const char *takes,
                            const char *given)
{
    struct diagnostic *d = REPORT(el, E0218, formal->span, takes);
    NOTE(el, d, "'%s' is given", given);
}

/* The value of an enumeration that is set from outside. */
static const struct expr *choice_by_name(struct elaborator *el, const struct ast *formal,
                                         const struct parameter *p, const char *name)
{
    for (size_t i = 0; i < p->choice_count; i++)
        if (strcmp(p->choice[i]->text, name) == 0)
            return expr_integer(el->pool, (int64_t)i);
    report_no_value(el, formal, alternatives_text(el, formal->as.formal.type), name);
    return NULL;
}

/* A number that is set from outside; of fixed point the nearest one. */
static const struct expr *number_by_text(struct elaborator *el, const struct parameter *p,
                                         const char *text, char **end)
{
    if (p->scalar == SCALAR_BOOL) {
        const bool is_true = strcmp(text, "true") == 0, is_false = strcmp(text, "false") == 0;
        *end = (char *)(uintptr_t)(text + (is_true || is_false ? strlen(text) : 0));
        return expr_boolean(el->pool, is_true);
    }
    if (scalar_is_float(p->scalar))
        return expr_real(el->pool, p->scalar, strtod(text, end));
    if (!p->fixed.is)
        return expr_integer(el->pool, strtoll(text, end, 10));
    const double scaled = rint(ldexp(strtod(text, end), p->fixed.fraction));
    const double most = 0x1p62;
    const bool fits = scaled >= -most && scaled <= most;
    errno = fits ? errno : ERANGE;
    return expr_integer(el->pool, fits ? (int64_t)scaled : 0);
}

static void bind_constant_formal(struct elaborator *el, struct instance *instance,
                                 const struct ast *formal)
{
    struct parameter p;
    struct element_type type;
    const struct expr *value = NULL;
    if (elaborate_formal(el, instance, formal, &p, &type)) {
        bool is_given = false;
        value = p.initial;
        for (size_t i = 0; i < el->options->setting_count; i++) {
            const struct constant_setting *setting = &el->options->settings[i];
            if (strcmp(setting->name, p.name->text) != 0)
                continue;
            char *end;
            errno = 0;
            is_given = true;
            if (p.choice_count) {
                value = choice_by_name(el, formal, &p, setting->value);
                continue;
            }
            value = number_by_text(el, &p, setting->value, &end);
            const bool is_number = !*end && !errno && end != setting->value;
            if (is_number && !(p.least && is_outside(value, p.least, p.greatest)))
                continue;
            if (p.least)
                REPORT(el, E0309, formal->span, setting->value, p.name->text,
                       number_text(el, p.least, p.fixed), number_text(el, p.greatest, p.fixed));
            else
                report_no_value(el, formal,
                                p.scalar == SCALAR_BOOL
                                    ? "true or false"
                                    : arena_format(el->arena, "a number of type %s",
                                                   element_type_text(el, type)),
                                setting->value);
            value = NULL;
        }
        if (!p.initial && !value && el->options->default_types &&
            (ends_array(instance->filter->as.filter.formals, p.name) ||
             ends_array(instance->filter->as.filter.results, p.name)))
            value = likely_length(el, &p);
        else if (!p.initial && !value && !is_given)
            REPORT(el, E0214, formal->span, p.name->text, instance->filter->as.filter.name->text);
    }
    declare_value(el, instance, formal, value, p.fixed);
}

/* An image, or the members of an array: out_0, out_1 … */
static void add_outputs(struct elaborator *el, const struct instance *instance,
                        const struct ast *formal, const struct entity *result,
                        const struct symbol *name, struct adaptive_outputs *adaptive)
{
    const bool is_image = result->kind == ENTITY_IMAGE;
    if (is_image && names_adaptive(formal)) {
        add_adaptive_output(el, instance, result->as.image.stage, name, adaptive);
        return;
    }
    if (is_image && is_adaptive(el, result->as.image.stage)) {
        struct diagnostic *d = REPORT(el, E0338, result->span, name->text);
        HELP(el, d, "write %s = to_pixels(...), or declare it apr<...>", name->text);
    }
    if (is_image)
        VECTOR_PUSH(el->arena, &el->graph->outputs,
                    (struct graph_output){result->as.image.stage, name, NULL});
    for (size_t i = 0; result->kind == ENTITY_LEVELS && i < result->as.levels->member.count; i++) {
        const struct level *member = &result->as.levels->member.item[i];
        add_outputs(el, instance, formal, &member->value, member_name(el, name, member->index),
                    adaptive);
    }
}

static void add_results(struct elaborator *el, const struct instance *instance)
{
    const struct ast_list *results = instance->filter->as.filter.results;
    struct adaptive_outputs adaptive = {0};
    for (size_t i = 0; i < results->count; i++)
        add_outputs(el, instance, results->item[i], &instance->result[i],
                    results->item[i]->as.formal.name, &adaptive);
    add_level_outputs(el, instance, &adaptive);
}

/* Whether a result is there, with all its members. It is, where no error was reported: else an
 * error was forgotten. */
static bool is_whole_result(const struct entity *result)
{
    for (size_t i = 0; result->kind == ENTITY_LEVELS && i < result->as.levels->member.count; i++)
        if (!is_whole_result(&result->as.levels->member.item[i].value))
            return false;
    return result->kind == ENTITY_LEVELS ||
           (result->kind == ENTITY_IMAGE && result->as.image.valid);
}

/* Whether it has a value when the filter is compiled: a constant, or a parameter that is set from
 * outside. */
static bool is_constant(const struct elaborator *el, const struct ast *formal)
{
    bool is_set = false;
    for (size_t i = 0; i < el->options->setting_count; i++)
        is_set = is_set || strcmp(el->options->settings[i].name, formal->as.formal.name->text) == 0;
    return formal->as.formal.role == FORMAL_CONST ||
           (formal->as.formal.role == FORMAL_PARAM && is_set);
}

/* One elaboration, with what is known from the one before it. */
static const struct graph *elaborate_once(struct elaborator *elaborator, const struct ast *filter)
{
    struct elaborator el = *elaborator;
    struct session *session = el.session;
    struct instance *instance = ARENA_NEW(session->ir, struct instance);
    const unsigned errors = session->diagnostics.error_count;
    el.graph = ARENA_NEW(session->ir, struct graph);
    instance->filter = filter;
    instance->scope = scope_open(&el, module_scope(&el, 0));
    el.graph->name = filter->as.filter.name;
    el.graph->text = "";
    elaborate_externals(&el, 0);
    if (!bind_type_settings(&el, instance))
        return NULL;
    uint32_t position = 0;
    for (int images = 0; images < 2; images++) /* constants first: they tell how long arrays are */
        for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
            const struct ast *formal = filter->as.filter.formals->item[i];
            const bool constant = is_constant(&el, formal);
            if (!images && constant)
                bind_constant_formal(&el, instance, formal);
            else if (images && formal->as.formal.role == FORMAL_IMAGE)
                bind_input(&el, instance, formal, &position);
            else if (images && !constant)
                bind_parameter(&el, instance, formal);
        }
    if (!take_adaptive_inputs(&el, instance, &position))
        return NULL;
    elaborate_fast(&el, el.options->fast);
    elaborate_body(&el, instance);
    elaborate_fast(&el, false);
    bool whole = session->diagnostics.error_count == errors;
    for (size_t i = 0; i < filter->as.filter.results->count && whole; i++)
        whole = is_whole_result(&instance->result[i]);
    if (whole)
        add_results(&el, instance);
    if (session->diagnostics.error_count == errors) /* else stages that it names may be missing */
        elaborate_schedules(&el, instance);
    whole = whole && session->diagnostics.error_count == errors;
    elaborator->learned = el.learned;
    elaborator->learns = learned_more(&el);
    elaborator->definitions.item = el.definitions.item;
    elaborator->definitions.count = el.definitions.count;
    elaborator->reaches_more = whole && learn_reaches(&el);
    return whole ? el.graph : NULL;
}

const struct graph *elaborate_filter(struct session *session, const struct module_set *modules,
                                     const struct ast *filter,
                                     const struct elaborate_options *options)
{
    enum { MOST_TIMES = 4 }; /* of facts; what readers reach is known after a time for each stage */
    struct facts known = {0};
    struct reaches reaches = {0};
    const struct graph *graph = NULL;
    const struct diagnostics before = session->diagnostics;
    struct elaborator last = {.session = session, .reaches = &reaches};
    for (int i = 1;; i++) {
        struct elaborator el = {.session = session,
                                .arena = session->ir,
                                .pool = &session->pool,
                                .modules = modules,
                                .options = options,
                                .nested = filter->depth,
                                .known = &known,
                                .reaches = &reaches};
        if (options->float_uses)
            options->float_uses->list.count = 0;
        graph = elaborate_once(&el, filter);
        if (!graph)
            tell_reaches(&last, before.list.count);
        if (!el.reaches_more && (!el.learns || i >= MOST_TIMES))
            return graph;
        known = el.learned;
        last = el;
        diagnostics_go_back(&session->diagnostics, &before);
    }
}

/* ---- Which filter ---- */

struct call_search {
    const struct symbol *name;
    bool found;
};

static void search_call(const struct ast *node, void *user)
{
    struct call_search *search = user;
    if (node->kind == AST_CALL && node->as.call.callee->kind == AST_NAME &&
        node->as.call.callee->as.name == search->name)
        search->found = true;
    if (!search->found)
        ast_children(node, search_call, search);
}

static bool calls(const struct ast *item, const struct symbol *name)
{
    struct call_search search = {name, false};
    search_call(item, &search);
    return search.found;
}

/* Who calls a name: an item of the module, or the module's list where several do. */
struct callers {
    struct arena *arena;
    const struct module *module;
    const struct ast *item;                /* at hand */
    struct hash_map of_items, of_examples; /* name → who */
};

static void note_call(const struct ast *node, void *user)
{
    struct callers *callers = user;
    ast_children(node, note_call, callers);
    if (node->kind != AST_CALL || node->as.call.callee->kind != AST_NAME)
        return;
    struct hash_map *map =
        callers->item->kind == AST_EXAMPLE ? &callers->of_examples : &callers->of_items;
    const struct symbol *name = node->as.call.callee->as.name;
    const void *const before = hash_map_find(map, name);
    const void *const who =
        !before || before == callers->item ? (const void *)callers->item : callers->module->items;
    hash_map_put(callers->arena, map, name, (void *)(uintptr_t)who);
}

static struct callers callers_in(struct arena *arena, const struct module *module)
{
    struct callers callers = {.arena = arena, .module = module};
    for (size_t i = 0; i < module->items->count; i++) {
        callers.item = module->items->item[i];
        note_call(callers.item, &callers);
    }
    return callers;
}

/* By another filter, function or constant. */
static bool is_called(const struct callers *callers, const struct ast *filter)
{
    const void *const who = hash_map_find(&callers->of_items, filter->as.filter.name);
    return who && who != filter;
}

/* "dir/sharpen.flt" → is the filter named "sharpen"? */
static bool named_as_file(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const size_t length = strcspn(base, ".");
    return strlen(name) == length && strncmp(base, name, length) == 0;
}

struct choice {
    const struct ast *filter; /* NULL: none, or several that could be meant */
    unsigned count;           /* of filters that no other calls */
    struct text names;        /* theirs */
    struct suggestion near;   /* to a name that no filter has */
};

static struct choice choose(struct session *session, const struct module *module, const char *name)
{
    struct choice choice = {.names = text_create(session->permanent)};
    const struct callers callers = callers_in(session->scratch, module);
    const struct ast *top = NULL, *as_file = NULL;
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind != AST_FILTER)
            continue;
        const char *own = item->as.filter.name->text;
        if (name && strcmp(name, own) == 0) {
            choice.filter = item;
            return choice;
        }
        if (name)
            suggest_consider(&choice.near, name, own);
        if (named_as_file(module->file->name, own))
            as_file = item;
        if (is_called(&callers, item))
            continue;
        text_print(&choice.names, "%s%s", choice.count++ ? ", " : "", own);
        top = item;
    }
    if (!name)
        choice.filter = choice.count == 1 ? top : as_file;
    return choice;
}

/* A schedule for a filter that is not there would never be taken. */
static void check_schedule_names(struct session *session, const struct module *module)
{
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *schedule = module->items->item[i];
        if (schedule->kind != AST_SCHEDULE)
            continue;
        const char *wanted = schedule->as.schedule.filter->text;
        bool found = false;
        struct suggestion near = {0};
        for (size_t k = 0; k < module->items->count; k++) {
            const struct ast *item = module->items->item[k];
            if (item->kind != AST_FILTER)
                continue;
            found = found || item->as.filter.name == schedule->as.schedule.filter;
            suggest_consider(&near, wanted, item->as.filter.name->text);
        }
        if (found)
            continue;
        struct diagnostic *d = diagnostic_report(
            &session->diagnostics, DIAGNOSTIC_E0503, schedule->span, module->file->name,
            arena_format(session->permanent, " named '%s'", wanted));
        if (near.best)
            diagnostic_help(&session->diagnostics, d, "write '%s'", near.best);
    }
}

const struct ast *elaborate_choose(struct session *session, const struct module_set *modules,
                                   const char *name)
{
    const struct module *module = modules->list.item[0].module;
    const struct choice choice = choose(session, module, name);
    check_schedule_names(session, module);
    if (choice.filter)
        return choice.filter;
    struct diagnostic *d;
    if (name || choice.count == 0) {
        d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0503, (struct span){0, 0},
                              module->file->name,
                              name ? arena_format(session->permanent, " named '%s'", name) : "");
        if (choice.near.best)
            diagnostic_help(&session->diagnostics, d, "write --filter %s", choice.near.best);
        else if (choice.count == 0)
            diagnostic_help(&session->diagnostics, d,
                            "a filter is written filter name(in : image<f32>[y, x]) -> out : "
                            "image<f32>[y, x] { ... }");
        else
            diagnostic_note(&session->diagnostics, d, "it has %s", choice.names.bytes);
        return NULL;
    }
    d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0502, (struct span){0, 0},
                          module->file->name, choice.names.bytes);
    diagnostic_help(&session->diagnostics, d, "choose one with --filter NAME");
    return NULL;
}

static bool is_generic(const struct ast *filter)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++)
        if (element_variable(filter->as.filter.formals->item[i]))
            return true;
    return false;
}

/* Whether the file itself shows that others call the filter, with rules of theirs. */
static bool has_callers(const struct callers *callers, const struct ast *filter)
{
    return is_called(callers, filter) ||
           hash_map_find(&callers->of_examples, filter->as.filter.name);
}

/* Whether a constant of the signature must be given by the caller. */
static bool takes_constant(const struct ast *filter)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
        const struct ast *formal = filter->as.filter.formals->item[i];
        if (formal->as.formal.role == FORMAL_CONST && !formal->as.formal.value &&
            !ends_array(filter->as.filter.formals, formal->as.formal.name) &&
            !ends_array(filter->as.filter.results, formal->as.formal.name))
            return true;
    }
    return false;
}

/* Whether one of the diagnostics behind the first so many says that a filter is too large. */
static bool is_too_large(const struct diagnostics *diagnostics, size_t count)
{
    for (size_t i = count; i < diagnostics->list.count; i++)
        if (diagnostics->list.item[i]->code == DIAGNOSTIC_E0410)
            return true;
    return false;
}

bool elaborate_all(struct session *session, const struct module_set *modules,
                   void (*visit)(const struct graph *graph, void *context), void *context)
{
    const struct module *module = modules->list.item[0].module;
    const struct ast *chosen = choose(session, module, NULL).filter;
    const struct callers callers = callers_in(session->scratch, module);
    check_schedule_names(session, module);
    VECTOR(const struct symbol *) too_large = {0}; /* filters that call such a one are too */
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind == AST_EXAMPLE)
            elaborate_example(session, modules, item);
        if (item->kind != AST_FILTER)
            continue;
        const bool callable = item != chosen && has_callers(&callers, item);
        if (callable && takes_constant(item))
            continue;      /* the calls in this file try it, with values that mean something */
        bool skip = false; /* writing it out takes long, and says the same again */
        for (size_t k = 0; k < too_large.count && !skip; k++)
            skip = calls(item, too_large.item[k]);
        if (skip) {
            VECTOR_PUSH(session->scratch, &too_large, item->as.filter.name);
            continue;
        }
        const size_t told = session->diagnostics.list.count;
        struct elaborate_options options = {.callable = callable, .default_types = true};
        bool good = true;
        for (int types = 0; good && types <= is_generic(item); types++) {
            options.integers_first = types;
            const struct graph *graph = elaborate_filter(session, modules, item, &options);
            if (!graph && !session->diagnostics.error_count)
                return false;
            good = graph != NULL;
            if (good && visit && !graph->is_left_to_callers)
                visit(graph, context);
        }
        if (is_too_large(&session->diagnostics, told))
            VECTOR_PUSH(session->scratch, &too_large, item->as.filter.name);
    }
    return true;
}
