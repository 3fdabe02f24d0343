/* Loop program → a header and a source file. The body is printed first, so that what it uses is
 * known when the top of the file is written. */
#include "emit/emission.h"

static void reserve_functions(struct emission *e)
{
    static const char *const part[] = {
        "status",  "status_text", "extents", "scratch_bytes", "run",    "is_fast", "frame",
        "kernels", "measure",     "layout",  "check",         "launch", "share"};
    e->name = name_identifier(e, e->program->name->text);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        name_identifier(e, arena_format(e->arena, "%s_%s", e->name, part[i]));
    for (size_t i = 0; i < e->program->inputs.count; i++)
        name_identifier(
            e, arena_format(e->arena, "%s_region_of_%s", e->name,
                            program_buffer(e->program, e->program->inputs.item[i])->name->text));
}

/* Names of the signature first, so that they are as in the program. */
static void reserve_signature(struct emission *e)
{
    for (size_t i = 0; i < e->program->inputs.count; i++)
        name_of_buffer(e, program_buffer(e->program, e->program->inputs.item[i]));
    for (size_t i = 0; i < e->program->parameters.count; i++)
        name_of_variable(e, e->program->parameters.item[i].variable);
    for (size_t i = 0; i < e->program->outputs.count; i++)
        name_of_buffer(e, program_buffer(e->program, e->program->outputs.item[i]));
}

/* Scratch memory is by the first of these, so it must not change with the processors that a thread
 * of the caller may use: only where there are more than FLT_MOST_THREADS does it follow them. */
static const char launch_text[] =
    "/* For how many threads there is scratch memory. */\n"
    "#ifndef FLT_MOST_THREADS\n#define FLT_MOST_THREADS 256\n#endif\n"
    "static int flt_threads(int threads)\n{\n"
    "#ifdef _OPENMP\n"
    "    const int cores = omp_get_num_procs();\n"
    "    const int most = cores > FLT_MOST_THREADS ? cores : FLT_MOST_THREADS;\n"
    "    const int wanted = threads > 0 ? threads : omp_get_max_threads();\n"
    "    return wanted < most ? wanted : most;\n"
    "#else\n"
    "    (void)threads;\n    return 1;\n"
    "#endif\n}\n\n"
    "/* How many of them are started: more than a few for each processor do not make it faster, "
    "and\n"
    " * OpenMP ends the process where the system gives it fewer than it asks for. */\n"
    "static int flt_team_of(int threads)\n{\n"
    "#ifdef _OPENMP\n"
    "    const int most = 4 * omp_get_num_procs();\n"
    "    return threads < most ? threads : most;\n"
    "#else\n"
    "    return threads;\n"
    "#endif\n}\n\n";

static const char simd_text[] = "#ifdef _OPENMP\n"
                                "#define FLT_SIMD _Pragma(\"omp simd\")\n"
                                "#else\n"
                                "#define FLT_SIMD\n"
                                "#endif\n\n";

static const char tiles_text[] = "/* Memory for the tiles that a thread works on. */\n"
                                 "#define FLT_TILE_BYTES %llu\n\n";

static const char bypass_text[] =
    "/* Images of so many bytes do not stay in a cache: stores to them go past it. */\n"
    "#ifndef FLT_STREAM_BYTES\n#define FLT_STREAM_BYTES (UINT64_C(3) << 23)\n#endif\n\n";

static const char thread_text[] =
    "/* The number of the thread among those of a launch. */\n"
    "static int flt_thread(void)\n{\n#ifdef _OPENMP\n    return omp_get_thread_num();\n#else\n"
    "    return 0;\n#endif\n}\n\n";

/* Threads that wait for others must not keep these from running. */
static const char cores_text[] =
    "/* The steps of a wavefront wait for each other: it takes doacross loops, and no more threads "
    "than\n"
    " * run at once. */\n"
    "#if defined(_OPENMP) && _OPENMP >= 201511\n#define FLT_WAVEFRONTS 1\n"
    "#else\n#define FLT_WAVEFRONTS 0\n#endif\n"
    "static int64_t flt_cores(int threads)\n{\n#if FLT_WAVEFRONTS\n"
    "    const int cores = omp_get_num_procs();\n"
    "    return threads < cores ? threads : cores;\n#else\n    (void)threads;\n    return 1;\n"
    "#endif\n}\n\n";

/* NAME_launch or NAME_share, if it is called. */
static void print_launcher(struct emission *e, const char *host, const char *name,
                           const char *comment, const char *most, const char *schedule)
{
    if (!text_mentions(host, arena_format(e->arena, "%s_%s", e->name, name)))
        return;
    text_print(e->out,
               "/* %s */\n"
               "FLT_INLINE void %s_%s(void (*kernel)(const struct %s_frame *, int64_t, int64_t),\n"
               "    const struct %s_frame *frame, int64_t first, int64_t extent)\n{\n"
               "    const int64_t most = %s;\n"
               "    const int64_t parts = extent < most ? extent : most;\n"
               "#ifdef _OPENMP\n"
               "#pragma omp parallel for schedule(%s) num_threads(frame->team) if (parts > 1)\n"
               "#endif\n"
               "    for (int64_t part = 0; part < parts; part++)\n"
               "        kernel(frame, first + extent * part / parts, first + extent * (part + 1) / "
               "parts);\n"
               "}\n\n",
               comment, e->name, name, e->name, e->name, most, schedule);
}

static void print_source(struct emission *e)
{
    struct text kernels = text_create(e->arena), host = text_create(e->arena);
    struct text frame = text_create(e->arena);
    struct text *out = e->out;
    find_bypasses(e);
    find_host_variables(e);
    e->out = &frame;
    emit_frame(e);
    e->out = &kernels;
    emit_kernels(e);
    e->out = &host;
    emit_host(e);
    if (e->options->entry_suffix)
        emit_generic_entry(e);
    e->out = out;

    text_print(out,
               "/* %s%s%s. Written by fltc; needs the C library %s: cc -O3 -fopenmp %s.c -lm */\n",
               e->name, *e->program->text ? ": " : "", comment_text(e->arena, e->program->text),
               e->externals.count ? "and the functions of the headers below"
               : e->opened        ? "and flt/fft.h"
                                  : "alone",
               comment_text(e->arena, e->options->stem));
    text_print(out,
               "#include \"%s.h\"\n\n#include <float.h>\n#include <math.h>\n#include <stdlib.h>\n"
               "#include <string.h>\n#ifdef _OPENMP\n#include <omp.h>\n#endif\n\n",
               e->options->stem);
    text_print(out, "%s\n", e->dialect->prologue);
    externals_print(e);
    emit_processors(e);
    text_append(out, simd_text, strlen(simd_text));
    text_print(out, "/* Floor division by powers of two is written as a shift. */\n"
                    "typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];\n\n");
    helpers_print(e);
    if (e->tile_bytes)
        text_print(out, tiles_text, (unsigned long long)e->tile_bytes);
    if (text_mentions(host.bytes, "FLT_STREAM_BYTES"))
        text_append(out, bypass_text, strlen(bypass_text));
    if (text_mentions(kernels.bytes, "flt_thread"))
        text_append(out, thread_text, strlen(thread_text));
    text_append(out, frame.bytes, frame.length);
    text_append(out, kernels.bytes, kernels.length);
    text_append(out, launch_text, strlen(launch_text));
    if (text_mentions(host.bytes, "flt_cores"))
        text_append(out, cores_text, strlen(cores_text));
    print_launcher(e, host.bytes, "launch",
                   "Runs a kernel over first ... first + extent - 1, in parts.",
                   "8 * (int64_t)frame->team", "dynamic");
    print_launcher(
        e, host.bytes, "share",
        "The same, where a thread takes the same part of a kernel each time, so that what"
        " goes on in it stays near.",
        "frame->team", "static");
    if (e->options->profiles)
        text_print(out,
                   "#include <time.h>\ndouble flt_generic_seconds%s[%zu];\n\n"
                   "static double flt_seconds(void)\n{\n    struct timespec now;\n"
                   "    timespec_get(&now, TIME_UTC);\n"
                   "    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;\n}\n\n",
                   e->options->entry_suffix, e->kernels.count + 1);
    text_print(out, "int %s_is_fast(void)\n{\n    return FLT_FAST;\n}\n\n", e->name);
    text_append(out, host.bytes, host.length);
    while (out->length > 1 && out->bytes[out->length - 2] == '\n')
        out->bytes[--out->length] = 0;
}

struct emitted emit_program(struct session *session, const struct program *program,
                            const struct target *target, const struct emit_options *options)
{
    struct arena *scratch = session->scratch, *lasting = session->ir;
    const struct arena_mark mark = arena_mark(scratch);
    struct emission e = {.session = session,
                         .arena = scratch,
                         .program = program,
                         .target = target,
                         .dialect = target->dialect,
                         .options = options};
    struct text source = text_create(scratch), header = text_create(scratch);
    externals_reserve(&e);
    reserve_functions(&e);
    given_find(&e); /* before images: structures are called after both */
    reserve_signature(&e);
    prepared_find(&e);
    e.out = &source;
    print_source(&e);
    e.out = &header;
    emit_header(&e);
    struct emitted emitted = {0};
    for (size_t i = 0; i < e.kernels.count; i++)
        VECTOR_PUSH(lasting, &emitted.kernels, e.kernels.item[i]);
    static const char *const ending[] = {".c", ".h"};
    const struct text *const text[] = {&source, &header};
    for (int i = 0; i < 2; i++) {
        struct emitted_file file = {.name =
                                        arena_format(lasting, "%s%s", options->stem, ending[i])};
        const struct text folded = fold_lines(scratch, text[i]->bytes);
        file.text = arena_text(lasting, folded.bytes, folded.length);
        file.length = folded.length;
        VECTOR_PUSH(lasting, &emitted.files, file);
    }
    arena_release(scratch, mark);
    return emitted;
}
