/* Compiler options loosen floats: -ffast-math, and each of the options that it consists of. Pragmas
 * undo them in this file alone. -ffast-math itself is refused: it also changes headers of the C
 * library. */
#include "emit/launch/exact.h"

/* In build/launch_texts.c. */
extern const char launch_text_floats[];

static const char fast_math[] =
    "/* The arithmetic below is exact as written: no contraction but where fma stands, no "
    "reassociation. */\n"
    "#ifdef __FAST_MATH__\n"
    "#error \"compile this file without -ffast-math: its results would change\"\n"
    "#endif\n"
    "#ifdef _M_FP_FAST\n"
    "#error \"compile this file without /fp:fast: its results would change\"\n"
    "#endif\n";

/* Of floats alone. */
static const char excess[] =
    "#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16\n"
    "#if defined(__i386__) || defined(__x86_64__)\n"
    "#error \"compile this file for arithmetic without excess precision: -msse2 -mfpmath=sse\"\n"
    "#else\n"
    "#error \"compile this file for arithmetic without excess precision: "
    "-fexcess-precision=fast\"\n"
    "#endif\n"
    "#endif\n";

/* The pragmas that clang carries out depend on its version and its target. */
static const char begin[] =
    "#if defined(__clang__)\n"
    "#pragma clang diagnostic push\n"
    "#pragma clang diagnostic ignored \"-Wunknown-pragmas\"\n"
    "#pragma clang diagnostic ignored \"-Wignored-pragmas\"\n"
    "#pragma clang diagnostic ignored \"-Wpass-failed\" /* a loop that is not worth vectors */\n"
    "#pragma float_control(push)\n"
    "#pragma float_control(precise, on)\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#elif defined(__GNUC__)\n"
    "#pragma GCC push_options\n"
    "#pragma GCC optimize(\"fp-contract=off\", \"no-math-errno\")\n"
    "#pragma GCC optimize(\"no-unsafe-math-optimizations\", \"no-associative-math\")\n"
    "#pragma GCC optimize(\"no-reciprocal-math\", \"no-finite-math-only\", \"signed-zeros\")\n"
    "/* Behind no-unsafe-math-optimizations, which sets it back. */\n"
    "#pragma GCC optimize(\"no-trapping-math\")\n"
    "/* gcc 12 takes (double)(float)v, of two doubles side by side, for v. */\n"
    "#pragma GCC optimize(\"no-tree-slp-vectorize\")\n"
    "#endif\n";

static const char end[] = "#if defined(__clang__)\n"
                          "#pragma STDC FP_CONTRACT DEFAULT\n"
                          "#pragma float_control(pop)\n"
                          "#pragma clang diagnostic pop\n"
                          "#elif defined(__GNUC__)\n"
                          "#pragma GCC pop_options\n"
                          "#endif\n";

void exact_print_begin(struct emission *e)
{
    text_print(e->out, "%s%s%s", fast_math, e->has_floats ? excess : "", begin);
}

void exact_print_floats(struct emission *e)
{
    if (e->has_floats)
        text_print(e->out, "%s\n", launch_text_floats);
}

void exact_print_end(struct emission *e)
{
    text_print(e->out, "\n%s", end);
}
