/* Rules of loop programs that edits of a text break: parts, idioms, transforms, particles. */
#include "loop/loop_text.h"
#include "loop/loop_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../edits.h"
#include "../session_fixture.h"

#define AXIS(name, extent) " axis " name " from 0 extent " extent
#define SQUARE "{" AXIS("y", "64") AXIS("x", "64")
#define LINE "{" AXIS("x", "64") "}\n"

static const char example[] =
    "program kinds\n"
    "variable p : parameter f32\n"
    "variable v : extent i32 0 .. 15\n"
    "variable rows : local i32 1 .. 2\n"
    "variable cells : local i32 1 .. 64\n"
    "variable y : index i32 0 .. 63\n"
    "variable x : index i32 1 .. 63\n"
    "variable f : index f32\n"
    "parameter p = p : f32\n"
    "buffer in : input u8 " SQUARE "}\n"
    "buffer wide : scratch f32 " SQUARE "}\n"
    "buffer part : part f32 " SQUARE " within 1 }\n"
    "buffer cut : part f32 " SQUARE AXIS(
        "i",
        "8") " within 1 cut 1 }\n"
             "buffer ring : tile f32 { axis y from 0 extent 4 circular" AXIS(
                 "x",
                 "64") "}\n"
                       "buffer curve : scratch u8 {" AXIS(
                           "v",
                           "256") "}\n"
                                  "buffer terms : scratch u32 " LINE
                                  "buffer sums : scratch u32 " LINE
                                  "buffer table : scratch f32 " LINE
                                  "buffer panel : tile f32 {" AXIS("y", "64") AXIS(
                                      "x",
                                      "32") "}\n"
                                            "buffer structure : scratch u8 " LINE
                                            "buffer room : scratch u8 " LINE
                                            "buffer values : scratch f32 " LINE
                                            "buffer window : window f32 {" AXIS("z", "1")
                                                AXIS("y", "1") AXIS(
                                                    "x",
                                                    "3") "}\n"
                                                         "buffer line : line f32 {" AXIS("y", "1")
                                                             AXIS(
                                                                 "x",
                                                                 "64") "}\n"
                                                                       "buffer out : output "
                                                                       "u8 " SQUARE "}\n"
                                                                       "buffer near : register u8 "
                                                                       "{" AXIS(
                                                                           "x",
                                                                           "4") "}\n"
                                                                                "skew v of out\n"
                                                                                "input in\n"
                                                                                "output out\n"
                                                                                "body {\n"
                                                                                "    kernel a {\n"
                                                                                "        loop y "
                                                                                "from 0 "
                                                                                "extent 64 serial "
                                                                                "{\n"
                                                                                "            loop "
                                                                                "x from 1 "
                                                                                "extent 63 "
                                                                                "looked_up { "
                                                                                "store out[y, x] = "
                                                                                "curve[in[y, x]] "
                                                                                "}\n"
                                                                                "        }\n"
                                                                                "        loop x "
                                                                                "from 1 "
                                                                                "extent 63 scanned "
                                                                                "{\n"
                                                                                "            store "
                                                                                "sums[x] "
                                                                                "= convert(wrap, "
                                                                                "u32, "
                                                                                "add(sums[subtract("
                                                                                "x, 1)], "
                                                                                "terms[x]))\n"
                                                                                "        }\n"
                                                                                "        loop x "
                                                                                "from 1 "
                                                                                "extent 63 serial "
                                                                                "reversed "
                                                                                "{ store atomic "
                                                                                "minimum "
                                                                                "terms[x] = x }\n"
                                                                                "        prefetch "
                                                                                "wide[0, "
                                                                                "0] extent 64\n"
                                                                                "        allocate "
                                                                                "near\n"
                                                                                "        store "
                                                                                "beside 4 near[0] "
                                                                                "= in[0, 4]\n"
                                                                                "        allocate "
                                                                                "panel\n"
                                                                                "        transform "
                                                                                "dct2 "
                                                                                "none extent 64 "
                                                                                "table "
                                                                                "table panel "
                                                                                "panel\n"
                                                                                "    }\n"
                                                                                "    kernel b "
                                                                                "alone {\n"
                                                                                "        particles "
                                                                                "means "
                                                                                "structure "
                                                                                "structure "
                                                                                "pixels wide "
                                                                                "values values "
                                                                                "room room\n"
                                                                                "    }\n"
                                                                                "    kernel c "
                                                                                "windows rows "
                                                                                "cells structure "
                                                                                "structure "
                                                                                "values values "
                                                                                "results "
                                                                                "table room room\n"
                                                                                "        window "
                                                                                "window "
                                                                                "line line 0 1 0 0 "
                                                                                "1 0 -1 "
                                                                                "3 1 { store "
                                                                                "line[0, 0] = "
                                                                                "window[0, 0, 0] "
                                                                                "}\n"
                                                                                "}\n";

static const char *verify(struct session *session, const char *text)
{
    const struct program *program = program_read(session, "test.loop", text, strlen(text));
    if (!program)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    return program_verify(program, 0, LOWERED_STAGES, session->scratch);
}

static void each_kind_keeps_its_rules(void **state)
{
    static const struct edit edits[] = {
        {"kinds", "kinds", NULL},
        {"loop x from 1 extent 63 serial", "loop f from 1 extent 63 serial",
         "the loop over 'f' counts in f32"},
        {"within 1 }", "within 99 }", "buffer 'part' is within a buffer that is not there"},
        {"within 1 }", "within 0 }", "buffer 'part' cannot lie within 'in'"},
        {"within 1 cut 1", "within 1 cut 3", "buffer 'cut' cannot lie within 'wide'"},
        {"within 1 cut 1", "within 1", "buffer 'cut' cannot lie within 'wide'"},
        {"extent 4 circular", "extent 5 circular",
         "buffer 'ring' is circular along axis 0, where its memory is the caller's, or not a power "
         "of two"},
        {"skew v of out", "skew v of #99", "a skew is of a buffer that is not there"},
        {"scanned {", "scanned together {",
         "the loop over 'x' is to be written out, but is not serial or has no known number of "
         "iterations"},
        {"serial reversed", "vector reversed",
         "the loop over 'x' runs backward, but is not serial"},
        {"curve[in[y, x]]", "in[y, x]", "the loop over 'x' is looked up, but in no table of bytes"},
        {"curve[in[y, x]]", "#99[in[y, x]]:u8",
         "the store to 'out': buffer 99 is read, which is not there"},
        {"store out[y, x] = curve", "store #99[y, x] = curve",
         "buffer 99 is written, which is not there"},
        {"sums[subtract(x, 1)]", "#99[subtract(x, 1)]:u32",
         "the store to 'sums': buffer 99 is read, which is not there"},
        {"add(sums", "subtract(sums", "the loop over 'x' is scanned, but is no running sum"},
        {"store sums[x]", "store #99[x]", "buffer 99 is written, which is not there"},
        {"terms[x] = x", "out[y, x] = x",
         "the store to 'out' is atomic, but not of integers of 32 bits"},
        {"terms[x] = x", "terms[x] = subtract(x, 9)",
         "the store to 'terms' joins values that 'terms' cannot hold"},
        {"wide[0, 0] extent", "wide[0] extent",
         "buffer 'wide' has 2 axes, but is prefetched with 1"},
        {"wide[0, 0] extent", "wide[0, p] extent",
         "the prefetch of 'wide': f32 stands where an integer is needed"},
        {"wide[0, 0] extent", "#99[0, 0] extent", "buffer 99 is prefetched, which is not there"},
        {"near[0] = in[0, 4]", "near[0] = add(in[0, 4], 1)",
         "'near' takes several samples, but of no load of its type"},
        {"beside 4", "beside 3", "3 samples are in one access"},
        {"4 near[0] = in[0, 4]", "4 out[0, 0] = in[0, 4]", "several samples go from 'in' to 'out'"},
        {"table table", "table terms", "dct2 takes a table and a panel of one type, f32 or f64"},
        {"table table", "table wide", "buffer 'wide' is no table of dct2"},
        {"table table", "table #99", "buffer 99 is transformed, which is not there"},
        {"panel panel", "panel values", "buffer 'values' is no panel of lines"},
        {"kernel b alone {", "block {", "particles stand outside a kernel"},
        {"pixels wide", "pixels part", "buffer 'part' is no pixels of particles"},
        {"pixels wide", "pixels #99", "buffer 99 is given to particles, which is not there"},
        {"values values results", "values line results",
         "a kernel over windows has arrays that are not in scratch"},
        {"values values results", "values #99 results",
         "buffer 99 is given to windows, which is not there"},
        {"line line", "line table", "a kernel over windows has no window or line"},
        {"-1 3 1", "-1 3 3", "a kernel has windows that cannot be"},
        {"-1 3 1", "-1 4097 1", "a kernel has windows that cannot be"},
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
