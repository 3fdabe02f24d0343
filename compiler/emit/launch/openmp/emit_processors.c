/* Kernels for several processors in one object, all with the same results:
 *     FLT_KERNEL(blur_out, blur_frame)     blur_out, blur_out_v3, … : the body for each
 *     FLT_PICK(blur_out)                   the one for the processor at hand
 * With -DFLT_MOST_CPU=3 those for better processors than x86-64-v3 are not picked. */
#include "emit/emission.h"

enum given { ALWAYS, MULTI };

static const struct processor {
    int level;
    const char *features;
    enum given given;
} processors[] = {
#define PROCESSOR(level, features, given) {level, features, given},
#include "emit/launch/openmp/processors.def"
#undef PROCESSOR
};
enum { PROCESSORS = sizeof processors / sizeof processors[0], COLUMN = 92 };

static bool is_given(const struct emission *e, const struct processor *p)
{
    return p->given == ALWAYS || e->options->multi;
}

/* A line of a macro that goes on. */
static void print_line(struct emission *e, const char *text)
{
    text_print(e->out, "%-*s \\\n", COLUMN, text);
}

/* What a kernel's function is given, and what it gives its body. */
struct form {
    const char *macro, *parameters, *arguments;
    bool sets_floats; /* as IEEE 754 has them; else the library that calls it has done so */
};
static const struct form launched = {"FLT_KERNEL",
                                     "const struct frame_type *frame, int64_t first, int64_t end",
                                     "frame, first, end", true};
static const struct form windows = {
    "FLT_WINDOWS",
    "const void *frame, const struct flt_apr_window *window, int64_t cells, float *line",
    "(const struct frame_type *)frame, window, cells, line", false};

static void print_kernel(struct emission *e, const struct form *form, int level)
{
    const char *suffix = level ? arena_format(e->arena, "##_v%d", level) : "";
    print_line(e, arena_format(e->arena, "    %sstatic void name%s(%s)",
                               level ? arena_format(e->arena, "FLT_V%d ", level) : "", suffix,
                               form->parameters));
    print_line(e, "    {");
    if (form->sets_floats && e->has_floats)
        print_line(e, "        const struct flt_floats flt_caller = flt_begin_floats();");
    print_line(e, arena_format(e->arena, "        name##_body(%s);", form->arguments));
    if (form->sets_floats && e->has_floats)
        print_line(e, "        flt_end_floats(flt_caller);");
}

/* #define FLT_KERNEL: the body for each processor. */
static void print_macro(struct emission *e, const struct form *form, bool several)
{
    print_line(e, arena_format(e->arena, "#define %s(name, frame_type)", form->macro));
    print_kernel(e, form, 0);
    for (size_t i = 0; i < PROCESSORS && several; i++) {
        if (!is_given(e, &processors[i]))
            continue;
        print_line(e, "    }");
        print_kernel(e, form, processors[i].level);
    }
    text_print(e->out, "    }\n");
}

static void print_question(struct emission *e, const struct processor *p)
{
    text_print(e->out, "    if (FLT_MOST_CPU >= %d", p->level);
    for (const char *from = p->features; *from;) {
        const size_t length = strcspn(from, ",");
        text_print(e->out, " && __builtin_cpu_supports(\"%.*s\")", (int)length, from);
        from += length + (from[length] == ',');
    }
    if (e->has_floats && strstr(p->features, "fma"))
        text_print(e->out, " && !FLT_FUSED_V%d", p->level);
    text_print(e->out, ")\n        return %d;\n", p->level);
}

/* Whether clang fuses products and sums where the processor can do so. */
static void print_fused(struct emission *e)
{
    if (!e->has_floats)
        return;
    text_print(e->out, "#ifdef __clang__\n");
    for (size_t i = 0; i < PROCESSORS; i++)
        if (is_given(e, &processors[i]) && strstr(processors[i].features, "fma"))
            text_print(e->out,
                       "FLT_V%d FLT_ASK_FUSED(flt_is_fused_v%d)\n"
                       "#define FLT_FUSED_V%d flt_is_fused_v%d()\n",
                       processors[i].level, processors[i].level, processors[i].level,
                       processors[i].level);
    text_print(e->out, "#else\n");
    for (size_t i = 0; i < PROCESSORS; i++)
        if (is_given(e, &processors[i]) && strstr(processors[i].features, "fma"))
            text_print(e->out, "#define FLT_FUSED_V%d 0\n", processors[i].level);
    text_print(e->out, "#endif\n");
}

static void print_several(struct emission *e)
{
    for (size_t i = 0; i < PROCESSORS; i++)
        if (is_given(e, &processors[i]))
            text_print(e->out, "#define FLT_V%d __attribute__((target(\"%s\")))\n",
                       processors[i].level, processors[i].features);
    print_macro(e, &launched, true);
    if (has_windows(e))
        print_macro(e, &windows, true);
    text_print(e->out, "#define FLT_PICK(name) \\\n    (");
    for (size_t i = PROCESSORS; i-- > 0;)
        if (is_given(e, &processors[i]))
            text_print(e->out, "frame->cpu == %d ? name##_v%d : ", processors[i].level,
                       processors[i].level);
    text_print(e->out, "name)\n");
    print_fused(e);
    text_print(e->out,
               "/* No better processor than of this level of x86-64 is made use of. */\n"
               "#ifndef FLT_MOST_CPU\n#define FLT_MOST_CPU %d\n#endif\n"
               "static int flt_cpu(void)\n{\n",
               processors[PROCESSORS - 1].level);
    for (size_t i = PROCESSORS; i-- > 0;)
        if (is_given(e, &processors[i]))
            print_question(e, &processors[i]);
    text_print(e->out, "    return 0;\n}\n#define FLT_CPU flt_cpu()\n");
}

void emit_processors(struct emission *e)
{
    text_print(
        e->out,
        "/* FLT_KERNEL compiles a body for the target of the compiler's options, and again for "
        "%s. FLT_PICK takes the one for the processor at hand. */\n"
        "#if defined(__GNUC__) && defined(__x86_64__)%s\n",
        e->options->multi ? "other levels of x86-64" : "processors with fused multiply-add",
        e->options->multi ? "" : " && !defined(__FMA__)");
    print_several(e);
    text_print(e->out, "#else\n");
    print_macro(e, &launched, false);
    if (has_windows(e))
        print_macro(e, &windows, false);
    text_print(e->out,
               "#define FLT_PICK(name) name\n#define FLT_CPU 0\n#endif\n"
               "#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)\n"
               "#define FLT_FAST 1\n#else\n#define FLT_FAST (FLT_CPU >= 3)\n#endif\n");
}
