/* Every rule of loop programs, broken once: mostly by changing one place of the example's text. */
#include "loop/loop_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"
#include "example_program.h"

enum { SHARED_BYTES = 48 << 10 };

static const struct program *read(struct session *session, const char *text)
{
    const struct program *program = program_read(session, "test.loop", text, strlen(text));
    if (!program)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    return program;
}

static void expect_sentence(struct session *session, const struct program *program,
                            unsigned shared_bytes, enum lowered lowered, const char *sentence)
{
    const char *problem = program_verify(program, shared_bytes, lowered, session->scratch);
    if (!sentence && problem)
        fail_msg("%s", problem);
    if (sentence) {
        assert_non_null(problem);
        assert_string_equal(problem, sentence);
    }
}

/* The example, with the first such words replaced. */
static const struct program *changed(struct session *session, const char *words,
                                     const char *replacement)
{
    const char *at = strstr(example_program, words);
    assert_non_null(at);
    struct text text = text_create(session->scratch);
    text_append(&text, example_program, (size_t)(at - example_program));
    text_append(&text, replacement, strlen(replacement));
    text_append(&text, at + strlen(words), strlen(at + strlen(words)));
    return read(session, text.bytes);
}

static void expect_change(struct session *session, const char *words, const char *replacement,
                          const char *sentence)
{
    expect_sentence(session, changed(session, words, replacement), SHARED_BYTES, LOWERED_STAGES,
                    sentence);
}

/* The body in place of the example's. */
static void expect_body(struct session *session, const char *body, const char *sentence)
{
    const size_t head = (size_t)(strstr(example_program, "body {") - example_program);
    const char *text =
        arena_format(session->scratch, "%.*sbody {\n%s\n}\n", (int)head, example_program, body);
    expect_sentence(session, read(session, text), SHARED_BYTES, LOWERED_STAGES, sentence);
}

static void the_example_is_right(void **state)
{
    expect_change(*state, "program", "program", NULL);
}

/* ---- Tables ---- */

static void names_are_unique(void **state)
{
    struct session *session = *state;
    struct program *program = program_copy(session->ir, read(session, example_program));
    program->buffers.item[2].name = program->buffers.item[0].name;
    expect_sentence(session, program, 0, LOWERED_STAGES, "two buffers are named 'in'");
    VECTOR_PUSH(session->ir, &program->parameters, program->parameters.item[0]);
    expect_sentence(session, program, 0, LOWERED_STAGES, "two parameters are named 'sigma'");
}

static void buffers_are_right(void **state)
{
    struct session *session = *state;
    expect_change(session, "buffer blur :", "buffer blur #7 :",
                  "buffer 'blur' has the id 7, but is at place 2");
    expect_change(session, "from 0 extent in.y", "from y extent in.y",
                  "buffer 'in': the index variable 'y' is not known here");
    expect_change(session, "from 0 extent in.y", "from 0.0:f32 extent in.y",
                  "buffer 'in': f32 stands where an integer is needed");
    expect_change(session, "blur : scratch f32 {\n    axis y from 0 extent in.y",
                  "blur : scratch f32 {\n    axis y from 0 extent in[0, 0]",
                  "buffer 'blur': samples are read where only parameters and extents are known");
    struct program *program = program_copy(session->ir, read(session, example_program));
    program->buffers.item[0].interval.greatest = 256;
    expect_sentence(session, program, 0, LOWERED_STAGES,
                    "buffer 'in' holds 0 .. 256, which is not inside u8");
    program->buffers.item[0].rank = 9;
    expect_sentence(session, program, 0, LOWERED_STAGES, "buffer 'in' has 9 axes; 8 are possible");
}

static void constants_are_right(void **state)
{
    struct session *session = *state;
    expect_change(session, "0.5:f32", "1",
                  "buffer 'k': a value of type i32 stands where f32 is needed");
    expect_change(session, "0.5:f32", "sigma", "buffer 'k' has a value that is not constant");
    expect_change(session, "    values { 0.25:f32, 0.5:f32, 0.25:f32 }\n", "",
                  "buffer 'k' has no values");
    struct program *program = program_copy(session->ir, read(session, example_program));
    const struct buffer_axis axis = {program->buffers.item[0].axis[0].name,
                                     expr_integer(&session->pool, 0),
                                     program->buffers.item[0].axis[0].extent, false};
    program->buffers.item[1].axis = &axis;
    expect_sentence(session, program, 0, LOWERED_STAGES,
                    "buffer 'k' is constant, but its box is not");
}

static void the_signature_is_complete(void **state)
{
    struct session *session = *state;
    expect_change(session, "\ninput in", "", "'in' is not in the list of inputs");
    expect_change(session, "\ninput in", "\ninput in input in", "'in' is input twice");
    expect_change(session, "\ninput in", "\ninput k",
                  "input 0 is 'k', which is in the space constant");
    expect_change(session, "\noutput out", "\noutput in",
                  "output 0 is 'in', which is in the space input");
    expect_change(session, "\noutput out", "\noutput #9",
                  "output 0 is buffer 9, which is not there");
}

static void values_use_those_before(void **state)
{
    struct session *session = *state;
    expect_change(session, "divide(in.y, 2)", "divide(half.y, 2)",
                  "value 'half.y': the extent variable 'half.y' is not known here");
    expect_change(session, "divide(in.y, 2)", "0.5:f32",
                  "value 'half.y': f32 stands where an integer is needed");
}

static void checks_are_truth_values(void **state)
{
    struct session *session = *state;
    expect_change(session, "less_equal(in.x, in.y)", "in.x",
                  "the check \"'in' is not wide\" is not a truth value");
    expect_change(session, "less_equal(in.x, in.y)", "less_equal(in.x, y)",
                  "the check \"'in' is not wide\": the index variable 'y' is not known here");
}

static void regions_are_of_inputs(void **state)
{
    struct session *session = *state;
    expect_change(session, "region in (", "region out (", "region 0 is of no input");
    expect_change(session, "max(subtract(out.y.first, 1), 0)", "y",
                  "the region of 'in': the index variable 'y' is not known here");
    /* Their variables are known to regions alone. */
    expect_body(session, "store out[out.y.first, 0] = 0",
                "the store to 'out': the local variable 'out.y.first' is not known here");
}

/* ---- Scopes ---- */

static void variables_are_in_scope(void **state)
{
    struct session *session = *state;
    expect_change(session, "let t = add(sum[], sigma)", "let t = add(sum[], t)",
                  "let 't': the local variable 't' is not known here");
    expect_body(session, "store out[0, x] = 0",
                "the store to 'out': the index variable 'x' is not known here");
    expect_body(session, "loop x from x extent 3 serial { }",
                "the loop over 'x': the index variable 'x' is not known here");
    expect_body(session, "loop x from 0 extent 3 serial { }\nstore out[0, x] = 0",
                "the store to 'out': the index variable 'x' is not known here");
    expect_body(session, "if less(x, 3) { }",
                "the condition of an if: the index variable 'x' is not known here");
    expect_body(session, "if true { let t = sigma } store out[0, 0] = convert(round, u8, t)",
                "the store to 'out': the local variable 't' is not known here");
    expect_body(session, "block { let t = sigma store out[0, 0] = convert(round, u8, t) }", NULL);
}

static void variables_are_defined_once(void **state)
{
    struct session *session = *state;
    expect_body(session, "loop x from 0 extent 3 serial { loop x from 0 extent 3 serial { } }",
                "the loop over 'x' is inside another one over it");
    expect_body(session, "let t = sigma let t = sigma", "let 't' stands where it is known already");
    expect_body(session, "loop x from 0 extent 3 serial reversed bypassing { store out[0, x] = 0 }",
                "the loop over 'x' is bypassing caches, but stores no rows of an image");
    expect_body(session, "loop x from 0 extent 3 vector bypassing { store out[x, 0] = 0 }",
                "the loop over 'x' is bypassing caches, but stores no rows of an image");
    expect_body(session, "loop x from 0 extent 3 vector bypassing { store out[0, x] = 0 }", NULL);
}

static void lets_hold_their_value(void **state)
{
    expect_body(*state, "let t = 1", "let 't': a value of type i32 stands where f32 is needed");
}

static void buffers_are_allocated(void **state)
{
    struct session *session = *state;
    expect_change(session, "allocate sum", "", "buffer 'sum' is written where it is not allocated");
    expect_body(session, "kernel f { store out[0, 0] = convert(round, u8, sum[]) }",
                "the store to 'out': buffer 'sum' is read where it is not allocated");
    expect_body(session, "kernel f { block { allocate sum } store sum[] = 0.0:f32 }",
                "buffer 'sum' is written where it is not allocated");
    expect_body(session, "kernel f { block { allocate sum } block { allocate sum } }", NULL);
    expect_body(session, "kernel f { allocate sum allocate sum }",
                "buffer 'sum' is allocated where it is already");
    expect_body(session, "allocate sum", "buffer 'sum' is allocated outside a kernel");
    expect_body(session, "kernel f { allocate blur }",
                "buffer 'blur' is allocated, but is in the space scratch");
    expect_body(session, "kernel f { allocate #9 }", "buffer 9 is allocated, which is not there");
    expect_change(session, "extent 8\n", "extent in.y\n",
                  "buffer 'tile' is in the space shared, but its extents are not constant");
    expect_body(session, "kernel f { allocate tile }",
                "buffer 'tile': the index variable 'by' is not known here");
}

/* ---- Loads and stores ---- */

static void loads_agree_with_their_buffer(void **state)
{
    struct session *session = *state;
    expect_change(session, "blur[%1, %2]", "blur[%1]",
                  "the store to 'tile': 'blur' has 2 axes, but is read with 1");
    expect_change(session, "= blur[%1, %2]", "= convert(exact, f32, blur[%1, %2]:f64)",
                  "the store to 'tile': 'blur' holds f32, but is read as f64");
    expect_change(session, "= blur[%1, %2]", "= convert(exact, f32, in[%1, %2]:u8 0 .. 9)",
                  "the store to 'tile': 'in' holds 0 .. 255, but is read as 0 .. 9");
    expect_change(session, "= blur[%1, %2]", "= #9[%1, %2]:f32",
                  "the store to 'tile': buffer 9 is read, which is not there");
    expect_change(session, "k[i]", "k[sigma]",
                  "the store to 'sum': an index of 'k' is f32, not an integer");
}

static void borders_are_gone_once_applied(void **state)
{
    struct session *session = *state;
    const struct program *program = read(session, example_program);
    expect_sentence(session, program, SHARED_BYTES, LOWERED_BORDERS,
                    "the store to 'blur': 'in' is read with a border rule after borders are "
                    "applied");
    program = changed(session, " clamp from 0 extent in.x", "");
    expect_sentence(session, program, SHARED_BYTES, LOWERED_BORDERS, NULL);
    expect_change(session, "clamp from 0 extent in.x", "zero",
                  "the store to 'blur': the border rule zero of 'in' has no value");
}

static void reductions_are_gone_once_lowered(void **state)
{
    struct session *session = *state;
    const char *count = "reduce(count, [i from 0 extent 3], less(i, 1))";
    const char *body = arena_format(session->scratch, "body {\n    store out[0, %s] = 0\n", count);
    const size_t head = (size_t)(strstr(example_program, "body {") - example_program);
    const char *text =
        arena_format(session->scratch, "%.*s%s}\n", (int)head, example_program, body);
    expect_sentence(session, read(session, text), SHARED_BYTES, LOWERED_BORDERS, NULL);
    expect_sentence(session, read(session, text), SHARED_BYTES, LOWERED_REDUCTIONS,
                    "the store to 'out': a reduction is left after they became loops");
}

static void stores_agree_with_their_buffer(void **state)
{
    struct session *session = *state;
    expect_body(session, "store in[0, 0] = 0", "buffer 'in' is written, but is in the space input");
    expect_body(session, "store k[0] = 0.0:f32",
                "buffer 'k' is written, but is in the space constant");
    expect_body(session, "store out[0] = 0", "buffer 'out' has 2 axes, but is written with 1");
    expect_body(session, "store out[0, 0] = 0.0:f32", "buffer 'out' holds u8, but f32 is written");
    expect_body(session, "store blur[0, 0] = 0.0:f64",
                "buffer 'blur' holds f32, but f64 is written");
    expect_body(session, "store out[0, 0] = true", "buffer 'out' holds u8, but bool is written");
    expect_body(session, "store out[0, 0.0:f32] = 0",
                "the store to 'out': f32 stands where an integer is needed");
    expect_body(session, "store #9[0] = 0", "buffer 9 is written, which is not there");
    expect_body(session, "store out[0, 0] = in.x", NULL); /* in a lane that holds it */
}

static void conditions_are_truth_values(void **state)
{
    expect_body(*state, "if 1 { }", "the condition of an if is i32, not a truth value");
}

static void bounds_are_integers(void **state)
{
    struct session *session = *state;
    expect_body(session, "loop x from 0.0:f32 extent 3 serial { }",
                "the loop over 'x': f32 stands where an integer is needed");
    expect_body(session, "loop x from 0 extent sigma serial { }",
                "the loop over 'x': f32 stands where an integer is needed");
}

static void operands_agree(void **state)
{
    struct session *session = *state;
    struct program *program = program_copy(session->ir, read(session, example_program));
    const struct expr *p = program->parameters.item[0].variable,
                      *zero = expr_integer(&session->pool, 0);
    const struct expr *const index[] = {zero, zero};
    const struct statement store = {
        .kind = STATEMENT_STORE,
        .as.store = {program->outputs.item[0], 2, index,
                     expr_convert(&session->pool, CONVERT_ROUND, SCALAR_U8,
                                  expr_binary(&session->pool, EXPR_ADD, p, zero))}};
    program->body = &store;
    expect_sentence(session, program, 0, LOWERED_BORDERS,
                    "the store to 'out': 'add' takes operands of one type, not f32 and i32");
}

static void statements_have_a_kind(void **state)
{
    struct session *session = *state;
    struct program *program = program_copy(session->ir, read(session, example_program));
    const struct statement none = {.kind = STATEMENT_KIND_COUNT};
    program->body = &none;
    expect_sentence(session, program, 0, LOWERED_BORDERS, "a statement has no kind");
}

/* ---- Kernels ---- */

static void kernels_are_not_nested(void **state)
{
    expect_body(*state, "kernel f { kernel g { } }", "kernel 'g' stands inside kernel 'f'");
}

static void launch_loops_are_the_outermost_of_a_kernel(void **state)
{
    struct session *session = *state;
    expect_body(session, "loop x from 0 extent 3 threads { }",
                "the loop over 'x' is a threads loop outside a kernel");
    expect_body(session, "loop x from 0 extent 3 grid_x { }",
                "the loop over 'x' is a grid_x loop outside a kernel");
    expect_body(session, "loop x from 0 extent 3 block_y { }",
                "the loop over 'x' is a block_y loop outside a kernel");
    expect_body(session,
                "kernel f { loop y from 0 extent 3 serial { loop x from 0 extent 3 grid_x { } } }",
                "the loop over 'x' is a grid_x loop, but not one of the outermost of kernel 'f'");
    expect_body(
        session,
        "kernel f { loop y from 0 extent 3 unrolled { loop x from 0 extent 3 block_x { } } }",
        "the loop over 'x' is a block_x loop, but not one of the outermost of kernel 'f'");
    expect_body(session,
                "kernel f { loop y from 0 extent 3 block_y { loop x from 0 extent 3 grid_x { } } }",
                "the loop over 'x' is a grid_x loop inside a block loop");
    expect_body(session,
                "kernel f { loop y from 0 extent 3 threads { loop x from 0 extent 3 vector { } } }",
                NULL);
}

static void threads_share_loops_in_one_another(void **state)
{
    struct session *session = *state;
    expect_body(
        session,
        "kernel f { loop y from 0 extent 3 threads { loop x from 0 extent 3 threads { } } }", NULL);
    expect_body(
        session,
        "kernel f { loop y from 0 extent 3 threads { } loop x from 0 extent 3 threads { } }",
        "the loop over 'x' is another loop over threads of kernel 'f'");
    expect_body(session,
                "kernel f { loop y from 0 extent 3 threads { loop x from 0 extent 3 threads { } "
                "loop x from 0 extent 2 threads { } } }",
                "the loop over 'x' is another loop over threads of kernel 'f'");
    expect_body(
        session,
        "kernel f { loop y from 0 extent 3 threads { loop x from 0 extent y threads { } } }",
        "the loop over 'x' depends on coordinates, so threads cannot share it with 'y'");
}

static void vector_loops_are_innermost(void **state)
{
    expect_body(*state,
                "loop y from 0 extent 3 vector { if true { loop x from 0 extent 3 serial { } } }",
                "the loop over 'y' is a vector loop, but has a loop inside");
}

static void unrolled_loops_have_known_ends(void **state)
{
    expect_body(*state, "loop y from 0 extent 3 serial { loop x from 0 extent y unrolled { } }",
                "the loop over 'x' is unrolled, but its ends are not known");
}

/* The body of a kernel within both its block loops, with the shared tile around. */
static void expect_in_block(struct session *session, const char *text, const char *sentence)
{
    expect_body(
        session,
        arena_format(session->scratch,
                     "kernel f { loop by from 0 extent 9 grid_y { loop bx from 0 extent 9 "
                     "grid_x { allocate tile loop ty from 0 extent 8 block_y { loop tx from "
                     "0 extent 32 block_x { %s } } } } }",
                     text),
        sentence);
}

static void barriers_stand_where_all_threads_come(void **state)
{
    struct session *session = *state;
    static const char wrong[] =
        "a barrier of kernel 'f' stands where threads of a block may differ";
    expect_in_block(session, "barrier", NULL);
    expect_in_block(session, "if less(bx, in.x) { barrier }", NULL);
    expect_in_block(session, "loop x from bx extent in.x serial { barrier }", NULL);
    expect_in_block(session, "if less(tx, 3) { barrier }", wrong);
    expect_in_block(session, "if less(tx, 3) { } else { barrier }", wrong);
    expect_in_block(session, "if less(0.0:f32, blur[by, bx]) { barrier }", wrong);
    expect_in_block(session, "loop x from ty extent 3 serial { barrier }", wrong);
    expect_in_block(session, "loop x from 0 extent ty serial { barrier }", wrong);
    expect_in_block(session, "loop x from 0 extent in[0, 0] serial { barrier }", wrong);
    expect_in_block(session, "if less(tx, 3) { loop x from 0 extent 3 serial { barrier } }", wrong);
    expect_body(session, "barrier", "a barrier stands outside a kernel");
}

static void expect_of_host(struct session *session, const char *body, const char *sentence)
{
    const char *text = arena_format(session->scratch,
                                    "program p\nvariable y : index i32 0 .. 3\nbuffer in : input "
                                    "f32 {\n axis y from 0 extent 4\n}\n"
                                    "buffer gain : frame f32 {\n axis y from 0 extent 4\n}\n"
                                    "buffer part : host f32 {\n axis y from 0 extent 4\n}\n"
                                    "buffer out : output f32 {\n axis y from 0 extent 4\n}\n"
                                    "input in\noutput out\nbody { %s }\n",
                                    body);
    expect_sentence(session, read(session, text), SHARED_BYTES, LOWERED_STAGES, sentence);
}

/* Kernels of the host store what others are handed; neither reads what is not on its side. */
static void kernels_keep_to_their_side(void **state)
{
    struct session *session = *state;
    expect_of_host(session,
                   "kernel a on_host { store part[0] = 1.0:f32 } "
                   "kernel b on_host { store gain[0] = part[0] } "
                   "kernel c { store out[0] = add(gain[0], in[0]) }",
                   NULL);
    expect_of_host(session, "kernel a on_host { store gain[0] = in[0] }",
                   "kernel 'a', on the host, reads buffer 'in' of the space input");
    expect_of_host(session, "kernel a on_host { store out[0] = 1.0:f32 }",
                   "kernel 'a', on the host, stores to buffer 'out' of the space output");
    expect_of_host(session, "kernel a { store out[0] = part[0] }",
                   "kernel 'a', not on the host, reads buffer 'part' of the space host");
    expect_of_host(session, "kernel a { store gain[0] = 1.0:f32 }",
                   "kernel 'a', not on the host, stores to buffer 'gain' of the space frame");
}

/* A value carries its divergence along. */
static void lets_of_thread_coordinates_differ(void **state)
{
    struct session *session = *state;
    expect_in_block(session, "let t = convert(exact, f32, tx) if less(t, sigma) { barrier }",
                    "a barrier of kernel 'f' stands where threads of a block may differ");
    expect_in_block(session, "let t = convert(exact, f32, bx) if less(t, sigma) { barrier }", NULL);
    expect_in_block(session,
                    "loop x from tx extent 3 serial { } "
                    "loop x from 0 extent 3 serial { if less(x, 1) { barrier } }",
                    NULL);
}

static void shared_buffers_are_allocated_at_the_top(void **state)
{
    struct session *session = *state;
    static const char wrong[] =
        "buffer 'tile' is shared, but not allocated at the top of kernel 'f'";
    const char *const around[] = {"loop x from 0 extent 3 serial", "if less(tx, 3)"};
    for (int i = 0; i < 2; i++)
        expect_body(session,
                    arena_format(session->scratch,
                                 "kernel f { loop by from 0 extent 9 grid_y { loop bx from 0 "
                                 "extent 9 grid_x { loop tx from 0 extent 9 block_x { %s { "
                                 "allocate tile } } } } }",
                                 around[i]),
                    wrong);
}

static void shared_memory_is_limited(void **state)
{
    struct session *session = *state;
    const struct program *program = read(session, example_program);
    expect_sentence(session, program, 1024, LOWERED_STAGES, NULL);
    expect_sentence(session, program, 1023, LOWERED_STAGES,
                    "kernel 'smooth' takes 1024 bytes of shared memory; there are 1023");
    expect_sentence(session, program, 0, LOWERED_STAGES,
                    "buffer 'tile' is shared, but the target has no shared memory");
    expect_change(session, "extent 8\n", "extent 9223372036854775807\n",
                  "kernel 'smooth' takes 137438953440 bytes of shared memory; there are 49152");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(the_example_is_right),
        TEST(names_are_unique),
        TEST(buffers_are_right),
        TEST(constants_are_right),
        TEST(the_signature_is_complete),
        TEST(values_use_those_before),
        TEST(checks_are_truth_values),
        TEST(regions_are_of_inputs),
        TEST(variables_are_in_scope),
        TEST(variables_are_defined_once),
        TEST(lets_hold_their_value),
        TEST(buffers_are_allocated),
        TEST(loads_agree_with_their_buffer),
        TEST(borders_are_gone_once_applied),
        TEST(reductions_are_gone_once_lowered),
        TEST(stores_agree_with_their_buffer),
        TEST(conditions_are_truth_values),
        TEST(bounds_are_integers),
        TEST(operands_agree),
        TEST(statements_have_a_kind),
        TEST(kernels_are_not_nested),
        TEST(launch_loops_are_the_outermost_of_a_kernel),
        TEST(threads_share_loops_in_one_another),
        TEST(vector_loops_are_innermost),
        TEST(unrolled_loops_have_known_ends),
        TEST(barriers_stand_where_all_threads_come),
        TEST(kernels_keep_to_their_side),
        TEST(lets_of_thread_coordinates_differ),
        TEST(shared_buffers_are_allocated_at_the_top),
        TEST(shared_memory_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
