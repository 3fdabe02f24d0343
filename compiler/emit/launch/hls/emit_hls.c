#include "emit/emission.h"
#include "emit/launch/hls/dialect.h"

#include <ctype.h>

static void print_function(const struct hls *h, const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
        hls_print_source(h, p);
        return;
    case PROCESS_SINK:
        hls_print_sink(h, p);
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        hls_print_pipe(h, p);
        return;
    case PROCESS_COUNT:
        hls_print_count(h, p);
        return;
    case PROCESS_WINDOW:
        hls_print_window(h, p);
        return;
    case PROCESS_TWICE:
        hls_print_twice(h, p);
        return;
    case PROCESS_KIND_COUNT:
        return;
    }
}

/* ---- Files ---- */

static void print_token_types(const struct hls *h)
{
    text_print(h->out, "\n// What streams carry.\n");
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        const char *type = hls_integer(h, p->out.interval);
        const unsigned elements = stream_elements(&p->out);
        if (p->kind == PROCESS_SINK)
            continue;
        text_print(h->out, "typedef %s %s; // %lld .. %lld\n",
                   elements > 1 ? h->dialect->several(h->arena, type, elements) : type,
                   hls_token(h, p), (long long)p->out.interval.least,
                   (long long)p->out.interval.greatest);
    }
}

static void print_functions(const struct hls *h)
{
    text_print(h->out,
               "// %s: a circuit that takes a sample a clock, as %s.\n"
               "// A process is a function that takes a frame a call; streams join them.\n"
               "#include \"%s.h\"\n",
               h->stem, h->dialect->language, h->stem);
    print_token_types(h);
    hls_print_tables(h);
    hls_print_table_copies(h);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        print_function(h, &h->circuit->processes.item[i]);
        if (h->readers[i] > 1)
            hls_print_split(h, &h->circuit->processes.item[i]);
    }
    hls_print_top(h);
}

/* "LAPLACE" */
static bool is_port(const struct process *p)
{
    return p->kind == PROCESS_SOURCE || p->kind == PROCESS_SINK;
}

static const char *in_capitals(struct arena *arena, const char *word)
{
    char *text = arena_text(arena, word, strlen(word));
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

/* What the constants of a port are named after. Ports whose names differ in case alone keep their
 * letters. */
static const char *name_of_constants(const struct hls *h, const struct process *port)
{
    const char *const name = port_name(h->circuit, port, h->name);
    const char *const capitals = in_capitals(h->arena, name);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (p != port && is_port(p) &&
            strcmp(capitals, in_capitals(h->arena, port_name(h->circuit, p, h->name))) == 0)
            return name;
    }
    return capitals;
}

static void print_header(const struct hls *h)
{
    const char *guard = in_capitals(h->arena, h->top);
    text_print(h->out,
               "// The function of %s.\n#ifndef %s_H\n#define %s_H\n\n"
               "#include \"%s_params.h\"\n\n"
               "%s",
               h->stem, guard, guard, h->stem, h->dialect->about_ports);
    h->dialect->print_declaration(h);
    text_print(h->out, "\n#endif\n");
}

/* Extents, widths and clocks as constants, and the types of ports. */
static void print_params(const struct hls *h)
{
    const char *capitals = in_capitals(h->arena, h->top);
    text_print(h->out,
               "// Sizes and types of %s.\n#ifndef %s_PARAMS_H\n#define %s_PARAMS_H"
               "\n\n%s\nenum {\n",
               h->stem, capitals, capitals, h->dialect->headers);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (!is_port(p))
            continue;
        const char *name = arena_format(h->arena, "%s_%s", capitals, name_of_constants(h, p));
        text_print(h->out,
                   "    %s_LINES = %u,\n    %s_PLACES = %u,\n    %s_LANES = %u,\n    %s_BITS = %u, "
                   "// of a sample\n",
                   name, p->out.lines, name, p->out.tokens, name, stream_elements(&p->out), name,
                   element_bits(&p->out));
    }
    text_print(h->out, "};\n\n%s", h->dialect->about_beats);
    for (size_t i = 0; i < h->circuit->processes.count; i++) {
        const struct process *p = &h->circuit->processes.item[i];
        if (is_port(p))
            text_print(h->out, "typedef %s %s;\n", h->dialect->beat(h, p), hls_beat(h, p));
    }
    text_print(h->out, "\n#endif\n");
}

/* What stands for %s, %t, %e, %f, %c and %p in texts of files; NULL: no such mark. */
static const char *filling(const struct hls *h, const char *mark)
{
    const struct {
        char letter;
        const char *by;
    } known[] = {
        {'s', h->stem},           {'t', h->top},    {'e', h->dialect->extension},
        {'f', h->dialect->flags}, {'c', h->period}, {'p', h->part}};
    for (size_t i = 0; mark[0] == '%' && i < sizeof known / sizeof *known; i++)
        if (mark[1] == known[i].letter)
            return known[i].by;
    return NULL;
}

static void print_filled(const struct hls *h, const char *form)
{
    while (*form) {
        const char *by = filling(h, form);
        const size_t plain = by ? 0 : 1 + strcspn(form + 1, "%");
        text_append(h->out, by ? by : form, by ? strlen(by) : plain);
        form += by ? 2 : plain;
    }
}

static void print_makefile(const struct hls *h)
{
    print_filled(h, h->dialect->makefile);
    print_filled(h, hls_vendor_makefile);
}

static void print_tcl(const struct hls *h)
{
    print_filled(h, hls_tcl);
}

static void print_config(const struct hls *h)
{
    print_filled(h, hls_config);
}

static void print_stream_header(const struct hls *h)
{
    text_append(h->out, h->dialect->stream_header, strlen(h->dialect->stream_header));
}

static const char *top_name(struct arena *arena, const char *stem)
{
    const char *name = name_in_c(arena, stem, ROLE_GLOBAL);
    return name_is_reserved(name, ROLE_GLOBAL, LANGUAGE_HLS) ? arena_format(arena, "%s_1", name)
                                                             : name;
}

static struct emitted emit(struct session *session, const struct circuit *circuit, const char *stem,
                           const struct target *target, const struct hls_dialect *dialect)
{
    struct arena *arena = session->ir;
    struct emitted emitted = {0};
    struct hls h = {.arena = arena,
                    .dialect = dialect,
                    .circuit = circuit,
                    .stem = stem,
                    .top = top_name(arena, stem),
                    .period = circuit_period(arena, target),
                    .part = target->circuit.part,
                    .name = process_names(arena, circuit, 0), /* each stands behind a word */
                    .readers = circuit_readers(arena, circuit)};
    const struct {
        const char *name;
        void (*print)(const struct hls *h);
    } file[] = {{arena_format(arena, "%s.%s", stem, dialect->extension), print_functions},
                {arena_format(arena, "%s.h", stem), print_header},
                {arena_format(arena, "%s_params.h", stem), print_params},
                {arena_format(arena, "%s_tb.cpp", stem), hls_print_bench},
                {"flt_stream.h", print_stream_header},
                {"run_hls.tcl", print_tcl},
                {"hls_config.cfg", print_config},
                {"Makefile", print_makefile}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        struct text out = text_create(arena);
        if (file[i].print == print_stream_header && !dialect->stream_header)
            continue;
        h.out = &out;
        file[i].print(&h);
        if (file[i].print == print_functions || strstr(file[i].name, ".cpp") ||
            strstr(file[i].name, ".h"))
            out = fold_lines(arena, out.bytes);
        VECTOR_PUSH(arena, &emitted.files,
                    (struct emitted_file){file[i].name, out.bytes, out.length});
    }
    return emitted;
}

static struct emitted emit_cpp(struct session *session, const struct circuit *circuit,
                               const char *stem, const struct target *target)
{
    return emit(session, circuit, stem, target, &hls_dialect_cpp);
}

static struct emitted emit_c(struct session *session, const struct circuit *circuit,
                             const char *stem, const struct target *target)
{
    return emit(session, circuit, stem, target, &hls_dialect_c);
}

const struct circuit_language language_hls = {".cpp", emit_cpp, NULL},
                              language_hls_c = {".c", emit_c, NULL};
