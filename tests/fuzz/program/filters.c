/* Random filters: a signature, constants, stages, a result; and the module of them. */
#include "program/generator.h"

const char *const axis_pool[AXIS_POOL] = {"y", "x", "z", "c", "t"};

/* Legal in the language, and words of C, C++, their libraries, or the emitted code. */
static const char *const awkward_name[] = {
    "int",    "double", "register", "restrict", "inline",  "class",  "new",     "template",
    "this",   "frame",  "threads",  "status",   "scratch", "data",   "main",    "abort",
    "printf", "fma",    "NULL",     "INFINITY", "memset",  "bytes",  "errno",   "linux",
    "unix",   "I",      "y0",       "j1",       "index",   "signed", "extern_", "asm",
    "auto",   "typeof", "bool_",    "stdin",    "M_PI",    "kernel", "first",   "end"};
enum { AWKWARD_COUNT = sizeof awkward_name / sizeof awkward_name[0] };

const struct symbol *fresh_name(struct generator *g, const char *stem)
{
    const unsigned n = below(&g->random, AWKWARD_COUNT);
    if (chance(&g->random, 6) && n < 32 && !(g->awkward >> n & 1)) {
        g->awkward |= 1u << n;
        return word(&g->s, awkward_name[n]);
    }
    return symbol_format(g->s.symbols, "%s%u", stem, ++g->names);
}

static unsigned pool_index(const struct symbol *name)
{
    unsigned i = 0;
    while (i < AXIS_POOL && strcmp(axis_pool[i], name->text) != 0)
        i++;
    return i;
}

void note_axis(struct body *body, const struct symbol *name)
{
    const unsigned i = pool_index(name);
    if (i < AXIS_POOL)
        body->filter->axis_names |= 1u << i;
}

void add_statement(struct generator *g, struct body *body, const struct ast *node)
{
    ast_list_add(g->s.arena, body->statements, node);
}
static void add_statement_of_any_kind(struct generator *g, struct body *body)
{
    const unsigned kind = below(&g->random, 100);
    if (kind < 12 && add_lifted(g, body))
        return;
    if (kind < 32 && add_call(g, body))
        return;
    if (kind < 38) {
        add_levels(g, body);
        return;
    }
    if (kind < 43) {
        add_loop(g, body);
        return;
    }
    if (kind < 46 && add_library_call(g, body))
        return;
    if (kind < 54 && add_other_axes(g, body))
        return;
    if (kind >= 86 && kind < 92 && add_planes(g, body))
        return;
    if (kind >= 81 && kind < 86 && add_extension(g, body))
        return;
    if (kind >= 79 && kind < 81 &&
        (chance(&g->random, 30) ? add_convolution(g, body) : add_transform(g, body)))
        return;
    if (kind < 57) {
        add_nested_array(g, body);
        return;
    }
    if (kind >= 92) {
        if (kind < 95)
            add_scatter(g, body);
        else if (kind < 97)
            add_table(g, body);
        else
            add_repeat(g, body);
        return;
    }
    if (kind < 70 &&
        (kind < 61   ? add_recurrence(g, body)
         : kind < 63 ? add_passes(g, body)
         : kind < 66 ? (chance(&g->random, 25) && add_crossing(g, body)) || add_line_chain(g, body)
                     : add_integer_chain(g, body)))
        return;
    if (kind >= 70 && kind < 72) {
        add_complex(g, body);
        return;
    }
    keep_image(g, body, add_stage(g, body, fresh_name(g, "s")));
}

/* The result: a stage, or images named as they are. */
static struct image add_result(struct generator *g, struct body *body, const struct symbol *name)
{
    struct image image;
    struct typed value;
    const unsigned kind = below(&g->random, 100);
    if (kind < 8 && make_lifted(g, body, &image, &value)) {
        add_statement(g, body, define_node(&g->s, name, NULL, NULL, value.ast));
        return image;
    }
    if (kind < 14 && generate_call(g, body, &image) && image.rank > 0) {
        add_statement(g, body, define_node(&g->s, name, NULL, NULL, image.name));
        return image;
    }
    const unsigned as_it_is = g->favourite == FAVOURS_TRANSFORMS ? 50 : 17;
    if (kind < as_it_is && body->is_main) {
        image = body->images.item[body->images.count - 1];
        if (image.rank > 0) {
            add_statement(g, body, define_node(&g->s, name, NULL, NULL, image.name));
            return image;
        }
    }
    const bool is_line = body->images.item[body->images.count - 1].is_line;
    if (kind >= 17 && kind < (is_line ? 57 : 24) && body->is_main &&
        add_rounded(g, body, name, &image))
        return image;
    struct made_stage made = make_stage(g, body, !body->is_main || chance(&g->random, 90), NULL);
    const enum scalar element = declared_element(g, made.value);
    made.value = fit(g, made.value, element);
    const struct ast *bracket = made.axes ? NODE(.kind = AST_LIST, .as.list = made.axes) : NULL;
    add_statement(
        g, body,
        define_node(&g->s, name, list_of(&g->s, bracket != NULL, &bracket), NULL, made.value.ast));
    model_image(g, &made, element);
    return made.image;
}

/* One result and its place in the signature. */
static const struct ast *make_result(struct generator *g, struct body *body, unsigned number)
{
    const struct syntax *y = &g->s;
    const struct symbol *out =
        number == 0 && chance(&g->random, 80) ? word(y, "out") : fresh_name(g, "o");
    const struct ast *fixed = body->is_main && body->is_fixed && chance(&g->random, 60)
                                  ? make_fixed_result(g, body, out)
                                  : NULL;
    if (fixed)
        return fixed;
    struct image result = add_result(g, body, out);
    result.name = name_node(y, out);
    body->filter->result[number] = result;
    if (number + 1 < body->filter->result_count) /* the next ones may read it */
        keep_image(g, body, result);
    const struct ast *type = result.rank > 0 || chance(&g->random, 50)
                                 ? image_type(g, &result)
                                 : scalar_type_node(y, result.element);
    return NODE(.kind = AST_FORMAL, .as.formal = {.role = FORMAL_IMAGE, .name = out, .type = type});
}

/* More often than not something that reads it follows. */
static void add_favourite(struct generator *g, struct body *body)
{
    enum { TRIES = 20 };
    for (unsigned i = g->favourite == FAVOURS_PARTICLES ? 1 + below(&g->random, 2) : 0; i > 0; i--)
        if (add_particles(g, body) && chance(&g->random, 60))
            keep_image(g, body, add_stage(g, body, fresh_name(g, "s")));
    if (g->favourite != FAVOURS_TRANSFORMS)
        return;
    for (unsigned i = 0; i < TRIES && !add_transform(g, body); i++)
        continue;
    if (chance(&g->random, 30))
        add_transform(g, body);
    if (chance(&g->random, 20))
        add_convolution(g, body);
    if (chance(&g->random, 60))
        keep_image(g, body, add_stage(g, body, fresh_name(g, "s")));
}

static const struct ast *make_filter(struct generator *g, const struct symbol *name, bool is_main)
{
    const struct syntax *y = &g->s;
    struct filter_model *model = ARENA_NEW(y->arena, struct filter_model);
    struct body body = {.filter = model, .is_main = is_main};
    body.statements = ast_list(y->arena);
    g->awkward = 0;
    model->name = name;
    for (size_t i = 0; i < g->constants.count; i++)
        VECTOR_PUSH(y->arena, &body.scalars, g->constants.item[i]);
    const unsigned pool = 2 + (chance(&g->random, 35) ? below(&g->random, AXIS_POOL - 1) : 0);
    const unsigned shape = below(&g->random, 100);
    const unsigned images = shape < 55 ? 1 : shape < 85 ? 2 : 3;
    for (unsigned i = 0; i < images; i++)
        add_image_formal(g, &body, pool);
    body.inputs = (unsigned)body.images.count;
    for (unsigned i = below(&g->random, 3); i > 0; i--)
        add_scalar_formal(g, &body);
    body.is_fixed = is_main && (g->favourite == FAVOURS_FIXED_POINT || chance(&g->random, 20));
    for (unsigned i = body.is_fixed ? below(&g->random, 3) : 0; i > 0; i--)
        add_fixed_image_formal(g, &body);
    for (unsigned i = body.is_fixed ? below(&g->random, 3) : 0; i > 0; i--)
        add_fixed_scalar_formal(g, &body);
    choose_default_rule(g, &body);
    for (unsigned i = below(&g->random, 3); i > 0; i--)
        add_constant_array(g, &body);
    if (chance(&g->random, 20))
        add_constant(g, &body);
    if (chance(&g->random, 10))
        add_requirement(g, &body);
    for (unsigned i = below(&g->random, is_main ? 5 : 3); i > 0; i--)
        add_statement_of_any_kind(g, &body);
    for (unsigned i = body.is_fixed ? 1 + below(&g->random, 4) : 0; i > 0; i--)
        add_fixed_point(g, &body);
    if (is_main)
        add_favourite(g, &body);
    const struct ast *results[MOST_RESULTS + 1];
    model->result_count = chance(&g->random, 80) ? 1 : 1 + below(&g->random, MOST_RESULTS);
    for (unsigned i = 0; i < model->result_count; i++)
        results[i] = make_result(g, &body, i);
    const struct ast *adaptive = make_adaptive_result(g, &body);
    unsigned result_count = model->result_count;
    if (adaptive)
        results[result_count++] = adaptive;
    struct ast_list *formals = ast_list(y->arena);
    for (size_t i = 0; i < model->formals.count; i++)
        ast_list_add(y->arena, formals, model->formals.item[i].node);
    if (!is_main)
        VECTOR_PUSH(y->arena, &g->filters, model);
    return NODE(.kind = AST_FILTER, .as.filter = {.name = name,
                                                  .formals = formals,
                                                  .results = list_of(y, result_count, results),
                                                  .body = body.statements,
                                                  .fast = chance(&g->random, 12)});
}

const struct module *generate_module(struct session *session, uint64_t seed,
                                     enum favourite favourite, const char *suffix)
{
    struct generator g = {.session = session,
                          .s = {session->permanent, &session->symbols},
                          .random = seed,
                          .favourite = favourite};
    struct ast_list *filters = ast_list(g.s.arena), *items = ast_list(g.s.arena);
    if (chance(&g.random, 25))
        declare_externals(&g, filters);
    for (unsigned i = chance(&g.random, 25) ? 1 + below(&g.random, 2) : 0; i > 0; i--)
        ast_list_add(g.s.arena, filters, make_constant(&g, i));
    for (unsigned i = chance(&g.random, 35) ? 1 + below(&g.random, 2) : 0; i > 0; i--)
        ast_list_add(g.s.arena, filters, make_function(&g, i));
    const unsigned shape = below(&g.random, 100);
    const unsigned helpers = shape < 55 ? 0 : shape < 85 ? 1 : 2;
    for (unsigned i = 0; i < helpers; i++)
        ast_list_add(g.s.arena, filters,
                     make_filter(&g, symbol_format(g.s.symbols, "helper%u", i), false));
    const struct symbol *name = symbol_format(g.s.symbols, "fuzz%s", suffix);
    ast_list_add(g.s.arena, filters,
                 favourite == FAVOURS_NOTHING && chance(&g.random, 8)
                     ? make_mixture(&g, name)
                     : make_filter(&g, name, true));
    if (g.imports_pyramid)
        ast_list_add(g.s.arena, items,
                     AST_NEW(g.s.arena, ((struct span){0, 0}), .kind = AST_IMPORT,
                             .as.import = {word(&g.s, "std.pyramid"), true}));
    for (size_t i = 0; i < filters->count; i++)
        ast_list_add(g.s.arena, items, filters->item[i]);
    struct module *module = ARENA_NEW(g.s.arena, struct module);
    module->items = items;
    return module;
}
