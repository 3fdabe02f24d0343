/* Random programs that can stream, as circuits:
 *   seed → text, size → graph → every pass → Verilog → Icarus Verilog
 * against the oracle, sample by sample and clock by clock, with streams that wait at random.
 * A program that fails is made smaller and kept in tests/fuzz/circuits; its first line tells what
 * failed, on which size and data. Exit status: 0 all agree, 1 not, 2 the test could not run, 3
 * wrong usage. */
#include "program/kept.h"
#include "program/shrink.h"
#include "stream/check_circuit.h"
#include "stream/draw.h"
#include "frontend/load_modules.h"

#include <stdio.h>
#include <stdlib.h>

struct options {
    uint64_t seed, count;
    unsigned verilator; /* every so many programs; 0: none */
    const char *regressions, *keep, *fltc;
    bool keep_going, print, shrink, simulates, says_refusals;
};

struct totals {
    unsigned programs, refused_by_language, refused, streams, found, by_verilator, fifos, filled;
};

static int usage(FILE *out, int status)
{
    fprintf(out,
            "usage: generate_circuit [--seed S] [--count N] [--compiler none] [--verilator K]\n"
            "                        [--keep-going] [--no-shrink] [--keep FOLDER] [--print]\n"
            "                        [--refusals] [--fltc PATH]\n"
            "       generate_circuit --regressions FOLDER\n"
            "--compiler none: nothing is simulated. --verilator: every Kth that streams, too.\n"
            "--refusals: why programs are refused. --fltc: of --verilator, if not beside this.\n");
    return status;
}

static bool read_switch(const char *word, struct options *o)
{
    if (strcmp(word, "--keep-going") == 0)
        o->keep_going = true;
    else if (strcmp(word, "--no-shrink") == 0)
        o->shrink = false;
    else if (strcmp(word, "--print") == 0)
        o->print = true;
    else if (strcmp(word, "--refusals") == 0)
        o->says_refusals = true;
    else
        return false;
    return true;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (read_switch(argv[i], o))
            continue;
        if (!value)
            return false;
        if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            o->count = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--verilator") == 0)
            o->verilator = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--compiler") == 0 && strcmp(value, "none") == 0)
            o->simulates = false;
        else if (strcmp(argv[i], "--regressions") == 0)
            o->regressions = value;
        else if (strcmp(argv[i], "--keep") == 0)
            o->keep = value;
        else if (strcmp(argv[i], "--fltc") == 0)
            o->fltc = value;
        else
            return false;
        i++;
    }
    return true;
}

/* build/tests/fuzz/generate_circuit → build/fltc */
static const char *fltc_beside(struct arena *arena, const char *own)
{
    char path[4096];
    const char *slash = strrchr(own, '/');
    const char *there =
        arena_format(arena, "%.*s/../../fltc", slash ? (int)(slash - own) : 1, slash ? own : ".");
    return realpath(there, path) ? arena_text(arena, path, strlen(path)) : NULL;
}

/* ---- Findings ---- */

static void report(const char *what, const struct circuit_program *p, const struct finding *f)
{
    printf("%s, size %s: %s%s%s\n%s\n", what, p->size, finding_text[f->kind],
           *f->detail ? ": " : "", f->detail, f->text);
    fflush(stdout);
}

static void keep_program(const struct options *o, const struct circuit_program *p, const char *text,
                         uint64_t number, const struct finding *f)
{
    struct arena *arena = arena_create();
    const char *path = arena_format(arena, "%s/seed_%llu.flt", o->keep, (unsigned long long)number);
    FILE *file = fopen(path, "wb");
    if (file) {
        fprintf(file, "// %s%s%s; data %llu; size %s\n%s", finding_text[f->kind],
                *f->detail ? ": " : "", f->detail, (unsigned long long)p->seed, p->size, text);
        fclose(file);
        printf("kept as %s\n", path);
    }
    arena_destroy(arena);
}

struct attempt {
    struct circuit_program program;
    const struct circuit_options *options;
    const struct finding *finding;
    unsigned left;
};

static bool fails_alike(struct attempt *a)
{
    struct circuit_result result;
    if (a->left == 0)
        return false;
    a->left--;
    circuit_check(&a->program, a->options, &result);
    return result.finding.kind == a->finding->kind &&
           strcmp(result.finding.detail, a->finding->detail) == 0;
}

static bool module_fails(const struct module *module, void *context)
{
    struct attempt *a = context;
    const struct circuit_program before = a->program;
    a->program.module = module;
    a->program.text = NULL;
    const bool fails = fails_alike(a);
    a->program = before;
    return fails;
}

/* Of "in.y=9,in.x=7", the extents one by one. */
static void shrink_size(struct attempt *a)
{
    static const unsigned smaller[] = {1, 2, 3, 4, 5, 7};
    for (size_t at = 0; a->program.size[at]; at++) {
        if (a->program.size[at] != '=')
            continue;
        const char *rest = a->program.size + at + 1;
        const unsigned now = (unsigned)strtoul(rest, NULL, 10);
        rest += strcspn(rest, ",");
        for (size_t i = 0; i < sizeof smaller / sizeof *smaller && smaller[i] < now; i++) {
            const struct circuit_program before = a->program;
            snprintf(a->program.size, MOST_SIZE, "%.*s=%u%s", (int)at, before.size, smaller[i],
                     before.size + (rest - a->program.size));
            if (fails_alike(a))
                break;
            a->program = before;
        }
    }
}

static void shrink_and_keep(const struct options *o, const struct circuit_program *program,
                            const struct circuit_options *how, uint64_t number,
                            const struct finding *finding)
{
    struct session *session = session_create(NULL);
    const struct syntax s = {session->permanent, &session->symbols};
    struct attempt a = {*program, how, finding, how->fltc ? 60 : 600};
    const struct module_set *modules =
        load_modules_text(session, "fuzz.flt", program->text, strlen(program->text));
    if (modules && !session->diagnostics.error_count) {
        shrink_size(&a);
        a.program.module = shrink_module(&s, modules->list.item[0].module, module_fails, &a);
        a.program.text = module_text(session->permanent, a.program.module);
        shrink_size(&a);
    }
    keep_program(o, &a.program, a.program.text, number, finding);
    session_destroy(session);
}

/* ---- Programs ---- */

static void add_result(struct totals *t, const struct circuit_result *r)
{
    t->programs++;
    t->streams += r->streams;
    t->fifos += r->fifos;
    t->filled += r->filled;
    if (r->finding.kind == FOUND_REFUSAL && strncmp(r->finding.detail, "E06", 3) == 0)
        t->refused++;
    else if (r->finding.kind == FOUND_REFUSAL)
        t->refused_by_language++;
    else
        t->found += r->finding.kind != FOUND_NOTHING;
}

/* False: stop. */
static bool run_seed(const struct options *o, uint64_t seed, struct totals *totals)
{
    struct arena *arena = arena_create();
    struct circuit_program program = {.seed = seed};
    struct circuit_result result;
    program.text = draw_program(arena, seed, program.size);
    const bool takes_long =
        o->verilator && o->fltc && o->simulates && totals->streams % o->verilator == 0;
    const struct circuit_options how = {o->simulates, takes_long ? o->fltc : NULL};
    circuit_check(&program, &how, &result);
    add_result(totals, &result);
    totals->by_verilator += takes_long && result.streams;
    const char *what = arena_format(arena, "seed %llu", (unsigned long long)seed);
    const bool is_refused = result.finding.kind == FOUND_REFUSAL;
    const bool good = result.finding.kind == FOUND_NOTHING || is_refused;
    if (!good || (is_refused && (o->says_refusals || strncmp(result.finding.detail, "E06", 3))))
        report(what, &program, &result.finding);
    if (!good && o->shrink)
        shrink_and_keep(o, &program, &how, seed, &result.finding);
    arena_destroy(arena);
    return good || o->keep_going;
}

static void print_programs(const struct options *o)
{
    for (uint64_t i = 0; i < o->count; i++) {
        struct arena *arena = arena_create();
        char size[MOST_SIZE];
        const char *text = draw_program(arena, o->seed + i, size);
        printf("// seed %llu, size %s\n%s\n", (unsigned long long)(o->seed + i), size, text);
        arena_destroy(arena);
    }
}

/* ---- Programs that were kept ---- */

/* A kept program's size and data stand in its first line. False: it is none. */
static bool read_kept(struct arena *arena, const char *path, struct circuit_program *program)
{
    size_t length;
    const char *problem;
    program->text = read_whole_file(arena, path, &length, &problem);
    const char *data = program->text ? strstr(program->text, "; data ") : NULL;
    const char *size = data ? strstr(data, "; size ") : NULL;
    if (!size)
        return false;
    program->seed = strtoull(data + strlen("; data "), NULL, 10);
    size += strlen("; size ");
    snprintf(program->size, MOST_SIZE, "%.*s", (int)strcspn(size, "\n"), size);
    return true;
}

/* Those that are refused since begin with "// refused". */
static void run_kept(const struct options *o, struct totals *totals)
{
    enum { MOST = 1024 };
    struct arena *arena = arena_create();
    const char *path[MOST];
    const unsigned count = kept_programs(arena, o->regressions, path, MOST);
    for (unsigned i = 0; i < count; i++) {
        struct circuit_program program = {0};
        struct circuit_result result;
        if (!read_kept(arena, path[i], &program))
            continue;
        const bool by_verilator =
            strstr(program.text, ": verilator;") || strstr(program.text, ": lint;");
        const struct circuit_options how = {true, by_verilator ? o->fltc : NULL};
        circuit_check(&program, &how, &result);
        const bool is_refused = result.finding.kind == FOUND_REFUSAL;
        const bool is_right = strncmp(program.text, "// refused", 10) == 0
                                  ? is_refused
                                  : result.finding.kind == FOUND_NOTHING;
        add_result(totals, &result);
        totals->found += is_refused && !is_right;
        if (!is_right)
            report(path[i], &program, &result.finding);
    }
    arena_destroy(arena);
}

int main(int argc, char **argv)
{
    struct options o = {
        .seed = 1, .count = 100, .keep = "tests/fuzz/circuits", .shrink = true, .simulates = true};
    struct arena *arena = arena_create();
    o.fltc = fltc_beside(arena, argv[0]);
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    if (!read_options(argc, argv, &o))
        return usage(stderr, 3);
    if (o.print) {
        print_programs(&o);
        return 0;
    }
    if (o.simulates && system("command -v iverilog > /dev/null") != 0) {
        printf("SKIPPED circuits: there is no iverilog\n");
        return 0;
    }
    struct totals t = {0};
    if (o.regressions)
        run_kept(&o, &t);
    for (uint64_t i = 0; !o.regressions && i < o.count; i++)
        if (!run_seed(&o, o.seed + i, &t))
            break;
    arena_destroy(arena);
    printf("%u programs, %u of them cannot stream, %u refused by the language; %u streamed, %u of "
           "them in Verilator; of %u FIFOs %u were full; %u failed\n",
           t.programs, t.refused, t.refused_by_language, t.streams, t.by_verilator, t.fifos,
           t.filled, t.found);
    if (!o.regressions && t.programs >= 50 && 2 * t.streams < t.programs) {
        printf("fewer than half stream: the generator no longer knows what can\n");
        return 1;
    }
    printf("circuits: %u passed, %u failed\n",
           o.regressions ? t.programs - t.found : t.streams - t.found, t.found);
    return t.found ? 1 : 0;
}
