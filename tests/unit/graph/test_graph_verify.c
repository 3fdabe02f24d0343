/* Every rule of graphs, broken once. */
#include "graph/graph_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "example_graph.h"

enum { IN, K, BLUR, OUT }; /* stages of the example */

struct broken {
    struct session *session;
    struct expr_pool *pool;
    struct graph *graph;
    struct stage *in, *k, *blur, *out;
    struct stage_axis *out_axis;
};

static int open_graph(void **state)
{
    struct session *session = session_create(NULL);
    struct broken *b = ARENA_NEW(session->ir, struct broken);
    b->session = session;
    b->pool = &session->pool;
    b->graph = example_graph(session);
    b->in = b->graph->stages.item[IN];
    b->k = b->graph->stages.item[K];
    b->blur = b->graph->stages.item[BLUR];
    b->out = b->graph->stages.item[OUT];
    b->out_axis = example_axes(session);
    b->out->axis = b->out_axis;
    *state = b;
    return 0;
}

static int close_graph(void **state)
{
    struct broken *b = *state;
    session_destroy(b->session);
    return 0;
}

static void expect_sentence(struct broken *b, const char *sentence)
{
    const char *problem = graph_verify(b->graph, b->session->scratch, true);
    if (!sentence && problem)
        fail_msg("%s", problem);
    if (sentence) {
        assert_non_null(problem);
        assert_string_equal(problem, sentence);
    }
}

/* The value of out, which holds u8, becomes the node. */
static void expect_of_value(struct broken *b, const struct expr *node, const char *sentence)
{
    b->out->element = node->scalar;
    b->out->interval = node->interval;
    b->out->value = node;
    expect_sentence(b, sentence);
}

static const struct expr *load_of(struct broken *b, uint32_t source, unsigned rank,
                                  const struct border border[])
{
    const struct expr *const index[] = {b->out_axis[0].variable, b->out_axis[1].variable};
    const struct stage *stage = b->graph->stages.item[source];
    return expr_load(b->pool, source, stage->element, stage->interval, rank, index, border);
}

static void the_example_is_right(void **state)
{
    expect_sentence(*state, NULL);
}

static void ids_are_in_order(void **state)
{
    struct broken *b = *state;
    b->blur->id.index = 7;
    expect_sentence(b, "stage 'blur' has the id 7, but is at place 2");
}

static void names_are_unique(void **state)
{
    struct broken *b = *state;
    b->out->name = b->blur->name;
    expect_sentence(b, "two stages are named 'blur'");
}

static void outputs_have_different_names(void **state)
{
    struct broken *b = *state;
    VECTOR_PUSH(b->session->ir, &b->graph->outputs, b->graph->outputs.item[0]);
    expect_sentence(b, "two outputs are named 'result'");
}

static void parameters_have_different_names(void **state)
{
    struct broken *b = *state;
    VECTOR_PUSH(b->session->ir, &b->graph->parameters, b->graph->parameters.item[0]);
    expect_sentence(b, "two parameters are named 'sigma'");
}

static void outputs_are_there(void **state)
{
    struct broken *b = *state;
    b->graph->outputs.item[0].stage.index = 4;
    expect_sentence(b, "output 'result' is stage 4, which is not there");
    b->graph->outputs.count = 0;
    expect_sentence(b, "the graph has no output");
}

static void stages_have_a_kind(void **state)
{
    struct broken *b = *state;
    b->out->kind = STAGE_KIND_COUNT;
    expect_sentence(b, "stage 'out' has no kind");
}

static void transforms_are_of_floats_along_an_axis(void **state)
{
    struct broken *b = *state;
    b->out->kind = STAGE_TRANSFORM;
    b->out->as.transform.kind = TRANSFORM_DCT2;
    b->out->as.transform.norm = NORM_NONE;
    b->out->as.transform.axis = 0;
    b->out->as.transform.imaginary = NULL;
    expect_sentence(b, "stage 'out' transforms what are no floats");
    b->out->element = SCALAR_F32;
    b->out->as.transform.kind = TRANSFORM_FFT;
    expect_sentence(b, "stage 'out' has samples that fft does not take");
    b->out->as.transform.kind = TRANSFORM_DCT2;
    b->out->as.transform.axis = b->out->rank;
    expect_sentence(b, "stage 'out' has no axis to transform");
}

static void reads_are_of_stages_before(void **state)
{
    struct broken *b = *state;
    expect_of_value(b, load_of(b, OUT, 2, NULL),
                    "stage 'out' reads stage 3, which is not before it");
    b->out->value = expr_load(b->pool, 7, SCALAR_U8, b->out->interval, 0, NULL, NULL);
    expect_sentence(b, "stage 'out' reads stage 7, which is not before it");
}

static void bindings_are_checked_too(void **state)
{
    struct broken *b = *state;
    const struct stage_binding binding = {b->out->name, load_of(b, OUT, 2, NULL)};
    b->out->binding = &binding;
    b->out->binding_count = 1;
    expect_sentence(b, "stage 'out' reads stage 3, which is not before it");
}

static void reads_have_the_rank_of_the_stage(void **state)
{
    struct broken *b = *state;
    expect_of_value(b, load_of(b, IN, 1, NULL), "stage 'out': 'in' has 2 axes, but is read with 1");
}

static void reads_have_the_type_of_the_stage(void **state)
{
    struct broken *b = *state;
    const struct expr *const index[] = {b->out_axis[0].variable, b->out_axis[1].variable};
    expect_of_value(b, expr_load(b->pool, IN, SCALAR_U16, b->in->interval, 2, index, NULL),
                    "stage 'out': 'in' holds u8, but is read as u16");
    expect_of_value(b, expr_load(b->pool, IN, SCALAR_U8, (struct interval){0, 9}, 2, index, NULL),
                    "stage 'out': 'in' holds 0 .. 255, but is read as 0 .. 9");
}

static void indices_are_integers(void **state)
{
    struct broken *b = *state;
    const struct expr *const index[] = {b->out_axis[0].variable,
                                        b->graph->parameters.item[0].variable};
    expect_of_value(b, expr_load(b->pool, IN, SCALAR_U8, b->in->interval, 2, index, NULL),
                    "stage 'out': an index of 'in' is f32, not an integer");
}

static void expect_border(struct broken *b, struct border border, const char *sentence)
{
    const struct border both[] = {{.rule = BORDER_CLAMP}, border};
    expect_of_value(b, load_of(b, IN, 2, both), sentence);
}

static void borders_have_their_parts(void **state)
{
    struct broken *b = *state;
    const struct expr *zero = expr_integer(b->pool, 0), *real = expr_real(b->pool, SCALAR_F32, 0);
    expect_border(b, (struct border){.rule = BORDER_ZERO, .value = zero}, NULL);
    expect_border(b, (struct border){.rule = BORDER_ZERO},
                  "stage 'out': the border rule zero of 'in' has no value");
    expect_border(b, (struct border){.rule = BORDER_WRAP, .value = zero},
                  "stage 'out': the border rule wrap of 'in' has a value");
    expect_border(b, (struct border){.rule = BORDER_WRAP, .first = zero},
                  "stage 'out': the border rule wrap of 'in' has half a box");
    expect_border(b, (struct border){.rule = BORDER_NONE, .first = zero, .extent = zero},
                  "stage 'out': the border rule inside of 'in' has a box");
    expect_border(b, (struct border){.rule = BORDER_WRAP, .first = real, .extent = zero},
                  "stage 'out': the box of the border of 'in' is not of integers");
}

static void border_values_have_the_type_of_the_stage(void **state)
{
    struct broken *b = *state;
    expect_border(
        b, (struct border){.rule = BORDER_CONSTANT, .value = expr_real(b->pool, SCALAR_F32, 0)},
        "stage 'out': outside 'in', a value of type f32 stands where u8 is needed");
    expect_border(b, (struct border){.rule = BORDER_CONSTANT, .value = expr_integer(b->pool, 256)},
                  "stage 'out': outside 'in', a value of 256 .. 256 stands where u8 is needed");
    b->in->interval = (struct interval){0, 100};
    expect_border(b, (struct border){.rule = BORDER_CONSTANT, .value = expr_integer(b->pool, 101)},
                  "stage 'out': outside 'in' there is 101 .. 101, but it is read as 0 .. 100");
}

static void border_boxes_read_nothing(void **state)
{
    struct broken *b = *state;
    const struct expr *one = expr_integer(b->pool, 1);
    expect_border(
        b, (struct border){.rule = BORDER_CLAMP, .first = load_of(b, IN, 2, NULL), .extent = one},
        "stage 'out': samples are read where only parameters and extents are known");
}

static void recurrences_read_themselves_earlier(void **state)
{
    struct broken *b = *state;
    const struct expr *one = expr_integer(b->pool, 1), *y = b->out_axis[0].variable;
    const struct expr *index[] = {expr_binary(b->pool, EXPR_SUBTRACT, y, one),
                                  b->out_axis[1].variable};
    const struct border zero[2] = {{.rule = BORDER_ZERO, .value = expr_integer(b->pool, 0)}};
    b->out->kind = STAGE_RECURRENCE;
    b->out->as.recurrence.axis = 0;
    b->out->value = expr_load(b->pool, OUT, b->out->element, b->out->interval, 2, index, zero);
    expect_sentence(b, NULL);
    b->out->as.recurrence.reversed = true;
    expect_sentence(b, "stage 'out' reads itself where it is not computed yet");
    b->out->as.recurrence.axis = 1;
    expect_sentence(b, "stage 'out' reads itself where it is not computed yet");
    b->out->as.recurrence.of_tile = -64;
    expect_sentence(b, "stage 'out' begins with parts of fewer places than none");
    b->out->as.recurrence.axis = 2;
    expect_sentence(b, "stage 'out' has no axis to run along");
}

static void variables_are_the_stage_s_axes(void **state)
{
    struct broken *b = *state;
    const struct expr *const index[] = {example_index(b->session, "z"), b->out_axis[1].variable};
    const struct expr *node = expr_load(b->pool, IN, SCALAR_U8, b->in->interval, 2, index, NULL);
    expect_of_value(b, node, "stage 'out': the index variable 'z' is not known here");
    /* Of the same name, but another interval. */
    const struct expr *x = expr_variable(b->pool, VARIABLE_INDEX, b->out_axis[1].name, SCALAR_I32,
                                         (struct interval){0, 9});
    expect_of_value(b, x, "stage 'out': the index variable 'x' is not known here");
    expect_of_value(b, b->out_axis[1].variable, NULL);
}

static void extents_are_of_inputs(void **state)
{
    struct broken *b = *state;
    expect_of_value(b, example_extent(b->session, "in.z"),
                    "stage 'out': the extent variable 'in.z' is not known here");
    expect_of_value(b, example_extent(b->session, "in.x"), NULL);
}

static void parameters_are_declared(void **state)
{
    struct broken *b = *state;
    b->graph->parameters.count = 0;
    expect_sentence(b, "stage 'blur': the parameter variable 'sigma' is not known here");
}

static void locals_are_of_loop_programs(void **state)
{
    struct broken *b = *state;
    expect_of_value(b,
                    expr_variable(b->pool, VARIABLE_LOCAL, b->out->name, SCALAR_U8,
                                  scalar_info[SCALAR_U8].interval),
                    "stage 'out': the local variable 'out' is not known here");
}

static const struct expr *sum_of(struct broken *b, int64_t extent, const struct expr *term)
{
    const struct expr_range range = {example_name(b->session, "i"), 0, extent};
    return expr_reduce(b->pool, REDUCTION_SUM, false, false, 1, &range, &term);
}

static void reductions_bind_their_variables(void **state)
{
    struct broken *b = *state;
    const struct expr *i = expr_variable(b->pool, VARIABLE_INDEX, example_name(b->session, "i"),
                                         SCALAR_I32, (struct interval){0, 4});
    expect_of_value(b, sum_of(b, 5, i), NULL);
    expect_of_value(b, sum_of(b, 6, i),
                    "stage 'out': 'i' is used as 0 .. 4, which its reduction does not keep to");
    /* Inside it is known, outside not. */
    expect_of_value(b, expr_binary(b->pool, EXPR_ADD, sum_of(b, 5, i), i),
                    "stage 'out': the index variable 'i' is not known here");
}

static void values_have_the_element_type(void **state)
{
    struct broken *b = *state;
    b->out->value = expr_real(b->pool, SCALAR_F32, 0);
    expect_sentence(b, "stage 'out' holds u8, but its value is f32");
    b->out->value = b->out_axis[0].variable;
    expect_sentence(b, "stage 'out' holds u8, but its value is i32");
    b->out->value = expr_integer(b->pool, 256);
    expect_sentence(b, "stage 'out' holds u8, but its value is i32");
    b->out->value = expr_integer(b->pool, 255); /* a constant of the lane */
    expect_sentence(b, NULL);
    b->out->interval.greatest = 9;
    expect_sentence(b, "stage 'out' holds 0 .. 9, but its value is 255 .. 255");
}

static void intervals_are_inside_the_element(void **state)
{
    struct broken *b = *state;
    b->out->interval.greatest = 256;
    expect_sentence(b, "stage 'out' holds 0 .. 256, which is not inside u8");
    b->out->interval = (struct interval){5, 4};
    expect_sentence(b, "stage 'out' holds 5 .. 4, which is not inside u8");
}

static void boxes_are_of_known_integers(void **state)
{
    struct broken *b = *state;
    struct stage_axis *x = &b->out_axis[1];
    x->first = expr_real(b->pool, SCALAR_F32, 0);
    expect_sentence(b, "the box of stage 'out' along 'x' is not of integers");
    x->first = b->out_axis[0].variable;
    expect_sentence(b, "stage 'out': the index variable 'y' is not known here");
    x->first = load_of(b, IN, 2, NULL);
    expect_sentence(b, "stage 'out': samples are read where only parameters and extents are known");
    x->first = NULL;
    expect_sentence(b, "stage 'out' has half a box along 'x'");
    x->first = x->computed_first = expr_integer(b->pool, 0);
    expect_sentence(b, "stage 'out' has half a box along 'x'");
}

static void axes_have_names_and_coordinates(void **state)
{
    struct broken *b = *state;
    b->out_axis[1].variable = example_extent(b->session, "in.x");
    expect_sentence(b, "stage 'out' has no coordinate along 'x'");
    b->out_axis[1].name = b->out_axis[0].name;
    expect_sentence(b, "stage 'out' has two axes 'y'");
    b->out->rank = 9;
    expect_sentence(b, "stage 'out' has 9 axes; 8 are possible");
}

/* Built without the checks of the reader. */
static void operands_agree(void **state)
{
    struct broken *b = *state;
    const struct expr *x = b->out_axis[1].variable, *p = b->graph->parameters.item[0].variable;
    const struct expr *const three[] = {x, x, x};
    expect_of_value(b, expr_binary(b->pool, EXPR_ADD, p, x),
                    "stage 'out': 'add' takes operands of one type, not f32 and i32");
    expect_of_value(b, expr_binary(b->pool, EXPR_AND, x, x),
                    "stage 'out': 'and' takes truth values, "
                    "not i32");
    expect_of_value(b, expr_select(b->pool, x, p, expr_real(b->pool, SCALAR_F32, 0)),
                    "stage 'out': the condition of 'select' is a truth value, not i32");
    struct expr fma = {.kind = EXPR_FUSED, .scalar = SCALAR_I32, .count = 3, .operand = three};
    expect_of_value(b, &fma, "stage 'out': 'fma' takes floats, not i32");
    struct expr add = {.kind = EXPR_ADD, .scalar = SCALAR_I32, .count = 3, .operand = three};
    expect_of_value(b, &add, "stage 'out': 'add' takes 2 operands, not 3");
    struct expr reduction = {.kind = EXPR_REDUCE,
                             .scalar = SCALAR_I32,
                             .count = 1,
                             .operand = three,
                             .as.reduce = {REDUCTION_SUM, false, false, 0, NULL}};
    expect_of_value(b, &reduction, "stage 'out': a reduction has at least one range");
    const struct external gain = {.name = example_name(b->session, "gain"),
                                  .header = example_name(b->session, "gain.h"),
                                  .result = SCALAR_F32,
                                  .count = 1,
                                  .parameter = {SCALAR_F64}};
    expect_of_value(b, expr_external(b->pool, &gain, &p),
                    "stage 'out': a value of type f32 stands where f64 is needed");
}

static void constants_fill_their_box(void **state)
{
    struct broken *b = *state;
    struct stage_axis axis = b->k->axis[0];
    b->k->axis = &axis;
    b->k->as.constant.count = 2;
    expect_sentence(b, "stage 'k' has 3 samples, but 2 values");
    axis.extent = example_extent(b->session, "in.x");
    expect_sentence(b, "stage 'k' is constant, but its box is not");
}

static void constants_are_of_the_element_type(void **state)
{
    struct broken *b = *state;
    const struct expr *value[3] = {expr_real(b->pool, SCALAR_F32, 1), expr_integer(b->pool, 1),
                                   b->graph->parameters.item[0].variable};
    b->k->as.constant.value = value;
    expect_sentence(b, "stage 'k': a value of type i32 stands where f32 is needed");
    value[1] = value[2];
    expect_sentence(b, "stage 'k' has a value that is not constant");
    b->k->element = SCALAR_I8;
    b->k->interval = (struct interval){0, 1};
    value[0] = value[1] = value[2] = expr_integer(b->pool, 2);
    expect_sentence(b, "stage 'k' holds 0 .. 1, but also 2");
}

static void inputs_have_positions_of_their_own(void **state)
{
    struct broken *b = *state;
    struct stage second = *b->in;
    second.name = example_name(b->session, "second");
    graph_add_stage(b->session->ir, b->graph, second);
    expect_sentence(b, "stage 'second' is input 0, as is 'in'");
}

static void parameters_are_right(void **state)
{
    struct broken *b = *state;
    struct parameter *p = &b->graph->parameters.item[0];
    p->initial = expr_integer(b->pool, 2);
    expect_sentence(b, "parameter 'sigma': a value of type i32 stands where f32 is needed");
    p->least = p->initial = p->variable;
    expect_sentence(b, "a bound or default of parameter 'sigma' is not constant");
    p->scalar = SCALAR_F64;
    expect_sentence(b, "parameter 'sigma' has no variable of its type");
}

static void checks_are_of_parameters_and_extents(void **state)
{
    struct broken *b = *state;
    struct graph_check *check = &b->graph->checks.item[0];
    const struct expr *x = b->out_axis[1].variable;
    check->condition = expr_binary(b->pool, EXPR_LESS, x, expr_integer(b->pool, 5));
    expect_sentence(b, "the check \"'in.x' is even\": the index variable 'x' is not known here");
    check->condition = x;
    expect_sentence(b, "the check \"'in.x' is even\" is not a truth value");
}

static void tiles_have_the_stage_s_rank(void **state)
{
    struct broken *b = *state;
    static const int64_t tile[] = {8, -1};
    struct schedule schedule = {.rank = 1, .tile = tile};
    b->out->schedule = &schedule;
    expect_sentence(b, "stage 'out' has 2 axes, but is cut into tiles of 1");
    schedule.rank = 2;
    expect_sentence(b, "stage 'out' is cut into tiles of -1 samples");
}

static void tiles_slide_along_an_axis_that_they_cut(void **state)
{
    struct broken *b = *state;
    static const int64_t tile[] = {8, 8}, rows[] = {0, 8};
    struct schedule schedule = {.rank = 2, .tile = tile, .as.tiles = {true, 0}};
    b->out->schedule = &schedule;
    expect_sentence(b, NULL);
    schedule.as.tiles.axis = 1;
    expect_sentence(b, "stage 'out' slides along axis 1, which is the fastest or is not cut");
    schedule.as.tiles.axis = UINT32_MAX;
    expect_sentence(b,
                    "stage 'out' slides along axis 4294967295, which is the fastest or is not cut");
    schedule.as.tiles.axis = 0;
    schedule.tile = rows;
    expect_sentence(b, "stage 'out' slides along axis 0, which is the fastest or is not cut");
}

static void lines_have_axes_of_the_stage(void **state)
{
    struct broken *b = *state;
    static const int64_t columns[] = {0, 8};
    struct schedule schedule = {.rank = 2, .tile = columns, .kind = SCHEDULE_LINES};
    b->out->schedule = &schedule;
    expect_sentence(b, NULL);
    schedule.as.lines.axis = 2;
    expect_sentence(b, "stage 'out' takes whole lines along axis 2, which is not there");
    schedule.as.lines = (struct schedule_lines){.has_lanes = true, .lanes = 0};
    expect_sentence(b, "lines of stage 'out' cannot lie side by side along axis 0");
    schedule.as.lines.lanes = UINT32_MAX;
    expect_sentence(b, "lines of stage 'out' cannot lie side by side along axis 4294967295");
    schedule.as.lines = (struct schedule_lines){.segmented = true};
    expect_sentence(b, "stage 'out' is in blocks of no samples");
}

/* Behind columns there are columns, and rows where a third axis counts blocks; not behind what
 * comes later, or has no lines. */
static void lines_are_behind_those_of_earlier_stages(void **state)
{
    struct broken *b = *state;
    static const int64_t columns[] = {0, 8}, rows[] = {8, 0};
    struct schedule host = {
        .placement = PLACED_ROOT, .rank = 2, .tile = columns, .kind = SCHEDULE_LINES};
    struct schedule behind = host;
    b->blur->schedule = &host;
    b->out->schedule = &behind;
    behind.placement = PLACED_BEHIND;
    behind.at.index = BLUR;
    expect_sentence(b, NULL);
    behind.tile = rows;
    behind.as.lines.axis = 1;
    expect_sentence(b, "stage 'out' is computed behind stage 2, which is not an earlier one with "
                       "lines that go with its own");
    behind.tile = columns;
    behind.as.lines.axis = 0;
    behind.at.index = OUT;
    expect_sentence(b, "stage 'out' is computed behind stage 3, which is not an earlier one with "
                       "lines that go with its own");
    behind.at.index = BLUR;
    host.kind = SCHEDULE_TILES;
    host.tile = rows;
    expect_sentence(b, "stage 'out' is computed behind stage 2, which is not an earlier one with "
                       "lines that go with its own");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_graph, close_graph)
    const struct CMUnitTest tests[] = {
        TEST(the_example_is_right),
        TEST(ids_are_in_order),
        TEST(names_are_unique),
        TEST(outputs_have_different_names),
        TEST(parameters_have_different_names),
        TEST(outputs_are_there),
        TEST(stages_have_a_kind),
        TEST(transforms_are_of_floats_along_an_axis),
        TEST(reads_are_of_stages_before),
        TEST(bindings_are_checked_too),
        TEST(reads_have_the_rank_of_the_stage),
        TEST(reads_have_the_type_of_the_stage),
        TEST(indices_are_integers),
        TEST(borders_have_their_parts),
        TEST(border_values_have_the_type_of_the_stage),
        TEST(border_boxes_read_nothing),
        TEST(recurrences_read_themselves_earlier),
        TEST(variables_are_the_stage_s_axes),
        TEST(extents_are_of_inputs),
        TEST(parameters_are_declared),
        TEST(locals_are_of_loop_programs),
        TEST(reductions_bind_their_variables),
        TEST(values_have_the_element_type),
        TEST(intervals_are_inside_the_element),
        TEST(boxes_are_of_known_integers),
        TEST(axes_have_names_and_coordinates),
        TEST(operands_agree),
        TEST(constants_fill_their_box),
        TEST(constants_are_of_the_element_type),
        TEST(inputs_have_positions_of_their_own),
        TEST(parameters_are_right),
        TEST(checks_are_of_parameters_and_extents),
        TEST(tiles_have_the_stage_s_rank),
        TEST(tiles_slide_along_an_axis_that_they_cut),
        TEST(lines_have_axes_of_the_stage),
        TEST(lines_are_behind_those_of_earlier_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
