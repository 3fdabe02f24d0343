/* A graph with one of everything, built in C. */
#ifndef FLTC_TESTS_EXAMPLE_GRAPH_H
#define FLTC_TESTS_EXAMPLE_GRAPH_H

#include "graph/graph.h"
#include "session.h"

static inline const struct symbol *example_name(struct session *session, const char *text)
{
    return symbol_from(&session->symbols, text);
}

static inline const struct expr *example_index(struct session *session, const char *text)
{
    const struct interval interval = {0, INT32_MAX - 1};
    return expr_variable(&session->pool, VARIABLE_INDEX, example_name(session, text), SCALAR_I32,
                         interval);
}

static inline const struct expr *example_extent(struct session *session, const char *text)
{
    const struct interval interval = {1, INT32_MAX};
    return expr_variable(&session->pool, VARIABLE_EXTENT, example_name(session, text), SCALAR_I32,
                         interval);
}

static inline const struct expr *example_plus(struct session *session, const struct expr *a,
                                              int64_t b)
{
    return expr_binary(&session->pool, EXPR_ADD, a, expr_integer(&session->pool, b));
}

/* Axes y and x of the box of the input "in". */
static inline struct stage_axis *example_axes(struct session *session)
{
    static const char *const name[] = {"y", "x"};
    struct stage_axis *axis = ARENA_ARRAY(session->ir, struct stage_axis, 2);
    for (int k = 0; k < 2; k++)
        axis[k] = (struct stage_axis){.name = example_name(session, name[k]),
                                      .variable = example_index(session, name[k]),
                                      .first = expr_integer(&session->pool, 0),
                                      .extent = example_extent(session, k ? "in.x" : "in.y")};
    return axis;
}

static inline struct stage example_input(struct session *session)
{
    return (struct stage){.kind = STAGE_INPUT,
                          .name = example_name(session, "in"),
                          .span = {10, 20},
                          .element = SCALAR_U8,
                          .interval = scalar_info[SCALAR_U8].interval,
                          .rank = 2,
                          .axis = example_axes(session),
                          .as.input = {0}};
}

/* k[dx in 0 .. 2] = {1, 2, 1} / 4 */
static inline struct stage example_constant(struct session *session)
{
    struct stage_axis *axis = ARENA_NEW(session->ir, struct stage_axis);
    *axis = (struct stage_axis){.name = example_name(session, "dx"),
                                .variable = example_index(session, "dx"),
                                .first = expr_integer(&session->pool, 0),
                                .extent = expr_integer(&session->pool, 3)};
    const struct expr **value = ARENA_ARRAY(session->ir, const struct expr *, 3);
    for (int i = 0; i < 3; i++)
        value[i] = expr_real(&session->pool, SCALAR_F32, i == 1 ? 0.5 : 0.25);
    return (struct stage){.kind = STAGE_CONSTANT,
                          .name = example_name(session, "k"),
                          .element = SCALAR_F32,
                          .rank = 1,
                          .axis = axis,
                          .as.constant = {value, 3}};
}

/* blur[y, x] = sum[dx in 0 .. 2](k[dx] * in[y, x + dx]) + sigma, of a box extended by one */
static inline struct stage example_blur(struct session *session, const struct expr *sigma)
{
    struct expr_pool *pool = &session->pool;
    struct stage_axis *axis = example_axes(session);
    axis[1].computed_first = expr_integer(pool, -1);
    axis[1].computed_extent = example_plus(session, axis[1].extent, 2);
    axis[0].computed_first = axis[0].first;
    axis[0].computed_extent = axis[0].extent;
    const struct expr_range range = {example_name(session, "dx"), 0, 3};
    const struct expr *dx =
        expr_variable(pool, VARIABLE_INDEX, range.variable, SCALAR_I32, (struct interval){0, 2});
    const struct border border[] = {
        {.rule = BORDER_NONE},
        {.rule = BORDER_REFLECT, .first = expr_integer(pool, 0), .extent = axis[1].extent}};
    const struct expr *const index[] = {axis[0].variable,
                                        expr_binary(pool, EXPR_ADD, axis[1].variable, dx)};
    const struct expr *in =
        expr_load(pool, 0, SCALAR_U8, scalar_info[SCALAR_U8].interval, 2, index, border);
    const struct expr *const factor[] = {
        expr_load(pool, 1, SCALAR_F32, (struct interval){0, 0}, 1, &dx, NULL),
        expr_convert(pool, CONVERT_EXACT, SCALAR_F32, in)};
    const struct expr *sum = expr_reduce(pool, REDUCTION_SUM, true, false, 1, &range, factor);
    struct stage_binding *binding = ARENA_NEW(session->ir, struct stage_binding);
    *binding = (struct stage_binding){example_name(session, "total"), sum};
    struct schedule *schedule = ARENA_NEW(session->ir, struct schedule);
    struct schedule *next = ARENA_NEW(session->ir, struct schedule);
    static const int64_t tile[] = {64, 1024};
    *schedule =
        (struct schedule){.span = {1, 2}, .rank = 2, .tile = tile, .staged = true, .next = next};
    *next = (struct schedule){.rank = 2, .tile = tile};
    struct stage_details *details = ARENA_NEW(session->ir, struct stage_details);
    details->of[DETAIL_UNROLL] =
        (struct detail){.said = true, .count = 2, .value = {4, 0}, .span = {5, 9}};
    details->of[DETAIL_THREADS].said = true;
    return (struct stage){.kind = STAGE_MAP,
                          .name = example_name(session, "blur"),
                          .is_made = true,
                          .span = {30, 44},
                          .element = SCALAR_F32,
                          .interval = {0, 1},
                          .rank = 2,
                          .axis = axis,
                          .schedule = schedule,
                          .details = details,
                          .value = expr_binary(pool, EXPR_ADD, sum, sigma),
                          .binding = binding,
                          .binding_count = 1};
}

/* out[y, x] = u8(blur[y, x]) */
static inline struct stage example_out(struct session *session)
{
    struct expr_pool *pool = &session->pool;
    struct stage_axis *axis = example_axes(session);
    const struct expr *const index[] = {axis[0].variable, axis[1].variable};
    const struct expr *blur =
        expr_load(pool, 2, SCALAR_F32, (struct interval){0, 0}, 2, index, NULL);
    return (struct stage){.kind = STAGE_MAP,
                          .name = example_name(session, "out"),
                          .element = SCALAR_U8,
                          .interval = scalar_info[SCALAR_U8].interval,
                          .rank = 2,
                          .axis = axis,
                          .value = expr_convert(pool, CONVERT_ROUND, SCALAR_U8, blur)};
}

static inline struct parameter example_parameter(struct session *session)
{
    struct expr_pool *pool = &session->pool;
    const struct symbol *name = example_name(session, "sigma");
    return (struct parameter){.name = name,
                              .span = {3, 9},
                              .scalar = SCALAR_F32,
                              .variable = expr_variable(pool, VARIABLE_PARAMETER, name, SCALAR_F32,
                                                        (struct interval){0, 0}),
                              .initial = expr_real(pool, SCALAR_F32, 2),
                              .least = expr_real(pool, SCALAR_F32, 0.5),
                              .greatest = expr_real(pool, SCALAR_F32, 200),
                              .text = "standard \"deviation\", pixels"};
}

static inline struct graph *example_graph(struct session *session)
{
    struct arena *arena = session->ir;
    struct graph *graph = ARENA_NEW(arena, struct graph);
    graph->name = example_name(session, "example");
    graph->text = "One of everything.";
    VECTOR_PUSH(arena, &graph->parameters, example_parameter(session));
    graph_add_stage(arena, graph, example_input(session));
    graph_add_stage(arena, graph, example_constant(session));
    graph_add_stage(arena, graph, example_blur(session, graph->parameters.item[0].variable));
    const stage_id out = graph_add_stage(arena, graph, example_out(session));
    VECTOR_PUSH(arena, &graph->outputs,
                (struct graph_output){.stage = out, .name = example_name(session, "result")});
    const struct expr *even =
        expr_binary(&session->pool, EXPR_EQUAL,
                    expr_binary(&session->pool, EXPR_REMAINDER, example_extent(session, "in.x"),
                                expr_integer(&session->pool, 2)),
                    expr_integer(&session->pool, 0));
    VECTOR_PUSH(arena, &graph->checks, (struct graph_check){even, "'in.x' is even", {50, 60}});
    return graph;
}

#endif
