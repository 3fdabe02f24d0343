/* Rules of graphs that edits of a text break: kinds of stages, particles, schedules. */
#include "graph/graph_text.h"
#include "graph/graph_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../edits.h"
#include "../session_fixture.h"

#define Y " axis y = y from 0 extent 8"
#define X " axis x = x from 0 extent 8"
#define LEVEL " binding level = levels[y, x]"
#define F(name) " binding " name " = 1.0:f32"

static const char example[] =
    "graph kinds\n"
    "variable p : parameter f32\n"
    "variable n : parameter i32 1 .. 9\n"
    "variable y : index i32 0 .. 7\n"
    "variable x : index i32 0 .. 7\n"
    "variable b : index i32 0 .. 7\n"
    "variable part : index i32 0 .. 1\n"
    "variable q : index f32\n"
    "variable d : index i32 0 .. 2\n"
    "parameter p = p : f32\n"
    "parameter n = n : i32 1 .. 9\n"
    "repeat 1 : n inside 0\n"
    "repeat 2 : n inside 1\n"
    "stage in : input f32 {" Y X " position 0 }\n"
    "stage bytes : input u8 1 .. 31 {" Y X " position 1 }\n"
    "stage cube : input f32 { axis z = d from 0 extent 3" Y X " position 2 }\n"
    "stage held : carried f32 {" Y X " repeat 1 initial 0 next 4 }\n"
    "stage step : map f32 {" Y X " repeat 1 value add(held[y, x], p) }\n"
    "stage counts : scatter i32 0 .. 9 { axis b = b from 0 extent 8\n"
    "    value 0 steps {" Y X " binding b = x binding present = less(p, in[y, x])\n"
    "        value min(add(counts[x], 1), 9) } }\n"
    "stage joined : joined f32 {" Y X " value step[y, x] }\n"
    "stage waves : transform f32 {" Y X " axis c = part from 0 extent 2\n"
    "    fft none along x value in[y, x] imaginary step[y, x] }\n"
    "stage levels : to_particles u8 1 .. 31 {" Y X F("error") F("lambda") F("sigma_min")
        F("sigma_ignored") F("gradient_min") F("intensity_min") F("psf") F("spacing_z")
            F("spacing_y")
                F("spacing_x") " value in[y, x] }\n"
                               "stage given : given_levels u8 1 .. 31 {" Y X
                               " value bytes[y, x] }\n"
                               "stage means : cell_means f32 {" Y X LEVEL " value in[y, x] }\n"
                               "stage stencil : stencil_cells f32 {" Y X LEVEL
                               " value in[y, add(x, 1) clamp] }\n"
                               "stage convolved : convolve_cells f32 {" Y X LEVEL
                               " binding extent = 1 binding extent = 1\n"
                               "    binding extent = 2 binding border = 0 binding border = 1 "
                               "binding border = 2\n"
                               "    binding coarser = 0" F("weight")
                                   F("weight") " value in[y, x] }\n"
                                               "stage shape : convolve_cells f32 {" Y X LEVEL
                                               " binding extent = n binding extent = n\n"
                                               "    binding extent = n binding border = 0 binding "
                                               "border = 1 binding border = 2\n"
                                               "    binding coarser = 0 binding weight = cube[0, "
                                               "0, 0] value in[y, x] }\n"
                                               "stage tiled : map f32 {" Y X
                                               " value in[y, x] schedule at 15 tile(4, 8) }\n"
                                               "stage lines : map f32 {" Y X
                                               " value tiled[y, x] schedule root tile(4, 8) }\n"
                                               "check less(0, n) \"there are steps\"\n"
                                               "estimate n = 4\n"
                                               "output out = joined\n";

static const char *verify(struct session *session, const char *text)
{
    const struct graph *graph = graph_read(session, "test.graph", text, strlen(text));
    if (!graph)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    return graph_verify(graph, session->scratch, true);
}

static void each_kind_keeps_its_rules(void **state)
{
    static const struct edit edits[] = {
        {"kinds", "kinds", NULL},
        {"add(held[y, x], p)", "reduce(sum, [q from 0 extent 1], q)",
         "stage 'step': 'q' is an index, but of type f32"},
        {"add(counts[x], 1)", "add(counts[y], 1)",
         "stage 'counts' reads itself elsewhere than it writes"},
        {"repeat 1 initial", "initial", "stage 'held' is carried by no repeat"},
        {"initial 0", "initial 4", "stage 'held' begins with a stage that is not before it"},
        {"next 4", "next 99", "stage 'held' takes stage 99, which is not there"},
        {"next 4", "next 5", "stage 'held' takes 'counts', which has other samples"},
        {"initial 0", "initial 2", "stage 'held' takes 'cube', which has other samples"},
        {"repeat 1 value", "repeat 3 value", "stage 'step' is in repeat 3, which is not there"},
        {"n inside 0", "p inside 0", "repeat 1 has no count, or is inside a later one"},
        {"n inside 1", "n inside 2", "repeat 2 has no count, or is inside a later one"},
        {"n inside 1", "y inside 1", "a repeat: the index variable 'y' is not known here"},
        {"estimate n", "estimate y", "an estimate: the index variable 'y' is not known here"},
        {"binding b = x", "binding b = x binding b = x",
         "stage 'counts' has steps of more parts than targets and a condition"},
        {"binding b = x binding present = less(p, in[y, x])", "",
         "stage 'counts' has steps without a target"},
        {"binding b = x", "binding b = p", "a target of stage 'counts' is not an integer"},
        {"less(p, in[y, x])", "x", "the condition of stage 'counts' is not a truth value"},
        {"value step[y, x]", "value in[y, x]", "stage 'joined' cannot hold the samples of 'in'"},
        {"joined f32 {" Y X " value step[y, x]", "joined f32 { value p",
         "a joined stage has no axis"},
        {"imaginary step[y, x]", "imaginary 0.0:f64", "stage 'waves' has parts of two types"},
        {"imaginary step[y, x]", "", "stage 'waves' has samples that fft does not take"},
        {"part from 0 extent 2", "part from 0 extent 1",
         "stage 'waves' has no axis for the parts of its samples"},
        {"value in[y, x] imaginary", "value select(less(part, 1), p, in[y, x]) imaginary",
         "stage 'waves' has samples that depend on the part"},
        {"to_particles u8 1 .. 31 {" Y X, "to_particles u8 1 .. 31 {",
         "stage 'levels' has particles on other than 1 to 3 axes"},
        {F("spacing_x") " value in[y, x]", F("spacing_x") " value bytes[y, x]",
         "stage 'levels' makes particles of values that are not f32"},
        {"to_particles u8 1 .. 31", "to_particles u8",
         "stage 'levels' holds no levels of particles"},
        {"given_levels u8 1 .. 31", "given_levels u8",
         "stage 'given' holds no levels of particles"},
        {F("psf"), "", "stage 'levels' has 9 settings of particles, not 10"},
        {F("psf"), " binding psf = 1", "stage 'levels' has a setting that is no f32"},
        {"cell_means f32", "cell_means f64",
         "stage 'means' has values of particles that are no f32"},
        {"cell_means f32 {" Y X LEVEL, "cell_means f32 {" Y X LEVEL LEVEL,
         "stage 'means' has more bindings than the level"},
        {"cell_means f32 {" Y X LEVEL, "cell_means f32 {" Y X " binding level = levels[x, y]",
         "stage 'means' does not read the levels of its own places"},
        {"cell_means f32 {" Y X LEVEL, "cell_means f32 {" Y X " binding level = #99[x, y]:u8",
         "stage 'means' reads stage 99, which is not before it"},
        {"add(x, 1) clamp", "multiply(x, 2) clamp",
         "stage 'stencil' has no window over one adaptive image"},
        {"in[y, add(x, 1) clamp]", "#99[y, add(x, 1) clamp]:f32",
         "stage 'stencil' reads stage 99, which is not before it"},
        {"binding extent = 2", "binding extent = 0", "stage 'convolved' has no kernel"},
        {"binding extent = 2", "binding extent = 4097", "stage 'convolved' has no kernel"},
        {"binding extent = 1 binding extent = 1", "binding extent = 64 binding extent = 64",
         "stage 'convolved' has a kernel of more than 4096 weights"},
        {"binding extent = 2", "binding extent = 3", "stage 'convolved' has 10 bindings, not 11"},
        {F("weight"), " binding weight = 1", "stage 'convolved' has a weight that is no f32"},
        {"cube[0, 0, 0]", "in[0, 0]", "stage 'shape' has weights that are no image"},
        {"root tile(4, 8)", "root tile(3, 8) along 0",
         "stage 'lines' takes lines along axis 0 in bands of 3"},
        {"at 15 tile(4, 8)", "at 15 tile(0, 8) along 0",
         "stage 'tiled' is in bands of stage 15, which has none across its lines"},
        {"schedule at 15", "schedule at 13",
         "stage 'tiled' is computed at stage 13, which is not a later one with tiles of its own"},
    };
    expect_edits(*state, example, sizeof edits / sizeof *edits, edits, verify);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_kind_keeps_its_rules, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
