/* The kernels' text in the C file, and the structure of the handle that holds the kernels. */
#include "emit/launch/opencl/opencl.h"

/* ---- The kernels of the program ---- */

static void list_kernel(const struct statement *statement, void *user)
{
    struct kernel_list *list = user;
    if (statement->kind != STATEMENT_KERNEL)
        statement_children(statement, list_kernel, list);
    else if (!statement->as.kernel.on_host)
        VECTOR_PUSH(list->arena, &list->kernels, statement);
}

struct kernel_list kernels_of(struct emission *e)
{
    struct kernel_list list = {.arena = e->arena};
    list_kernel(e->program->body, &list);
    return list;
}

unsigned kernel_number(struct emission *e, const struct statement *kernel)
{
    const struct arena_mark mark = arena_mark(e->arena);
    const struct kernel_list list = kernels_of(e);
    unsigned i = 0;
    while (i < list.kernels.count && list.kernels.item[i] != kernel)
        i++;
    arena_release(e->arena, mark);
    return i;
}

/* ---- The text ---- */

/* What the kernels' C has that OpenCL's has not: printed where it is mentioned. */
static const struct {
    const char *word, *line;
} prologue[] = {
    {"double", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"},
    {"int8_t", "typedef char int8_t;"},
    {"uint8_t", "typedef uchar uint8_t;"},
    {"int16_t", "typedef short int16_t;"},
    {"uint16_t", "typedef ushort uint16_t;"},
    {"int32_t", "typedef int int32_t;"},
    {"uint32_t", "typedef uint uint32_t;"},
    {"int64_t", "typedef long int64_t;"},
    {"uint64_t", "typedef ulong uint64_t;"},
    {"UINT32_C", "#define UINT32_C(v) v##U"},
    {"INT64_C", "#define INT64_C(v) v##L"},
    {"UINT64_C", "#define UINT64_C(v) v##UL"},
    {"INT32_MIN", "#define INT32_MIN INT_MIN"},
    {"INT32_MAX", "#define INT32_MAX INT_MAX"},
    {"UINT32_MAX", "#define UINT32_MAX UINT_MAX"},
    {"INT64_MIN", "#define INT64_MIN LONG_MIN"},
    {"INT64_MAX", "#define INT64_MAX LONG_MAX"},
    {"FLT_RESTRICT", "#define FLT_RESTRICT restrict"},
    /* The device's own has other bits than C's. */
    {"NAN", "#undef NAN\n#define NAN as_float(0x7fc00000U)"},
    /* Other compilers warn where they do it later than they are asked. */
    {"FLT_UNROLL", "#ifdef __NV_CL_C_VERSION\n#define FLT_UNROLL _Pragma(\"unroll\")\n#else\n"
                   "#define FLT_UNROLL\n#endif"},
    {"FLT_UNROLL_8", "#ifdef __NV_CL_C_VERSION\n#define FLT_UNROLL_8 _Pragma(\"unroll 8\")\n#else\n"
                     "#define FLT_UNROLL_8\n#endif"},
    {"fabsf", "#define fabsf fabs"},
    {"floorf", "#define floorf floor"},
    {"ceilf", "#define ceilf ceil"},
    {"rintf", "#define rintf rint"},
    {"truncf", "#define truncf trunc"},
    {"copysignf", "#define copysignf copysign"},
    {"fmaf", "#define fmaf fma"},
    {"sqrtf", "#ifdef FLT_IN_DOUBLE\n#define sqrtf(v) ((float)sqrt((double)(v)))\n#else\n"
              "#define sqrtf sqrt\n#endif"},
};

static struct text program_text(struct emission *e, const struct text *kernels)
{
    struct text body = text_create(e->arena), text = text_create(e->arena);
    struct text *const out = e->out;
    e->out = &body;
    helpers_print(e, e->dialect->helpers);
    if (kernels->length)
        text_append(&body, kernels->bytes, kernels->length);
    e->out = out;
    text_print(&text, "#pragma OPENCL FP_CONTRACT OFF\n");
    for (size_t i = 0; i < sizeof prologue / sizeof prologue[0]; i++)
        if (body.length && text_mentions(body.bytes, prologue[i].word))
            text_print(&text, "%s\n", prologue[i].line);
    text_print(&text, "\n%s", body.length ? body.bytes : "");
    while (text.length > 1 && text.bytes[text.length - 2] == '\n')
        text.bytes[--text.length] = 0;
    return fold_lines(e->arena, text.bytes);
}

/* "line\n" */
static void print_literal(struct emission *e, const char *at, size_t length)
{
    text_print(e->out, "\n    \"");
    for (const char *end = at + length; at < end; at++)
        if (*at == '\n')
            text_print(e->out, "\\n");
        else
            text_print(e->out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    text_print(e->out, "\"");
}

/* Strings as long as C99 takes them, a line of the text in each line. */
static void print_strings(struct emission *e, const char *text)
{
    enum { MOST = 4000 };
    size_t length = 0;
    for (const char *at = text; *at;) {
        const size_t line = strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0);
        if (length + line > MOST) {
            text_print(e->out, ",");
            length = 0;
        }
        length += line;
        print_literal(e, at, line);
        at += line;
    }
}

void embed_program(struct emission *e, const struct text *kernels)
{
    const struct text text = program_text(e, kernels);
    const struct kernel_list list = kernels_of(e);
    text_print(e->out, "/* The kernels, in OpenCL C. */\nstatic const char *const %s_text[] = {",
               e->name);
    print_strings(e, text.length ? text.bytes : "");
    text_print(e->out, "};\n\n");
    if (list.kernels.count) {
        text_print(e->out, "static const char *const %s_names[] = {", e->name);
        for (size_t i = 0; i < list.kernels.count; i++)
            text_print(e->out, "%s\"%s\"", i ? ", " : "", name_of_kernel(e, list.kernels.item[i]));
        text_print(e->out, "};\n");
    }
    text_print(e->out,
               "enum { %s_KERNELS = %zu, %s_USES_DOUBLE = %d };\n\n"
               "struct %s_device {\n    cl_context context;\n    cl_device_id device;\n"
               "    cl_program program;\n    cl_command_queue queue; /* of %s */\n"
               "    cl_kernel kernel[%zu];\n    int is_exact;\n};\n\n",
               name_upper(e, e->name), list.kernels.count, name_upper(e, e->name),
               text_mentions(text.length ? text.bytes : "", "double"), e->name, e->name,
               list.kernels.count ? list.kernels.count : 1);
}
