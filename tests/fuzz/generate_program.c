/* Random programs through the whole compiler, compared with the oracle to the bit:
 *   seed → syntax tree → text → syntax tree → graph → every pass → C → machine code;
 * and again as kernels of blocks of threads, which the simulator (tests/simulator) runs.
 * A program that fails is made smaller and kept in tests/fuzz/regressions, with the data it failed
 * on in its first line. Exit status: 0 all agree, 1 not, 2 the test could not run, 3 wrong
 * usage. */
#include "program/batch.h"
#include "program/generate.h"
#include "program/kept.h"
#include "program/shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct options {
    uint64_t seed, count;
    const char *compiler, *regressions, *keep;
    bool keep_going, print, shrink;
    enum favourite favourite;
};

struct totals {
    unsigned programs, refused, found, trials, schedules, schedules_refused, fused, segmented;
    struct batch_times times;
};

static int usage(FILE *out, int status)
{
    fprintf(out, "usage: generate_program [--seed S] [--count N] [--compiler auto|none|NAME]\n"
                 "                        [--keep-going] [--no-shrink] [--keep FOLDER] [--print]\n"
                 "                        [--transforms] [--fixed-point] [--particles]\n"
                 "       generate_program --regressions FOLDER [--compiler NAME]\n"
                 "--print: the programs themselves. --keep: where failing programs go\n"
                 "(tests/fuzz/regressions). --transforms, --fixed-point, --particles: at least\n"
                 "one in each.\n"
                 "compilers:");
    for (const struct toolchain *t = toolchain_list; t->name; t++)
        fprintf(out, " %s", t->name);
    fprintf(out, "\n");
    return status;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.seed = 1,
                          .count = 100,
                          .compiler = "auto",
                          .keep = "tests/fuzz/regressions",
                          .shrink = true};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--keep-going") == 0)
            o->keep_going = true;
        else if (strcmp(argv[i], "--no-shrink") == 0)
            o->shrink = false;
        else if (strcmp(argv[i], "--print") == 0)
            o->print = true;
        else if (strcmp(argv[i], "--transforms") == 0)
            o->favourite = FAVOURS_TRANSFORMS;
        else if (strcmp(argv[i], "--fixed-point") == 0)
            o->favourite = FAVOURS_FIXED_POINT;
        else if (strcmp(argv[i], "--particles") == 0)
            o->favourite = FAVOURS_PARTICLES;
        else if (!value)
            return false;
        else if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            o->count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--compiler") == 0)
            o->compiler = argv[++i];
        else if (strcmp(argv[i], "--regressions") == 0)
            o->regressions = argv[++i];
        else if (strcmp(argv[i], "--keep") == 0)
            o->keep = argv[++i];
        else
            return false;
    }
    return strcmp(o->compiler, "auto") == 0 || strcmp(o->compiler, "none") == 0 ||
           toolchain_find(o->compiler);
}

enum { MOST_TOOLCHAINS = 16 };

/* Those that are installed; their number. */
static unsigned find_toolchains(const struct toolchain *there[MOST_TOOLCHAINS])
{
    unsigned count = 0;
    for (const struct toolchain *t = toolchain_list; t->name && count < MOST_TOOLCHAINS; t++)
        if (!t->kernels && toolchain_exists(t))
            there[count++] = t;
    return count;
}

/* auto: one after the other, batch by batch. */
static const struct toolchain *choose_toolchain(const char *name, uint64_t number)
{
    const struct toolchain *there[MOST_TOOLCHAINS];
    if (strcmp(name, "auto") != 0)
        return toolchain_find(name); /* NULL: none */
    const unsigned count = find_toolchains(there);
    return count ? there[number % count] : NULL;
}

/* The programs of a batch: fewer than fit where all compilers would not have their turn. */
static uint64_t batch_size(uint64_t programs)
{
    const struct toolchain *there[MOST_TOOLCHAINS];
    const unsigned turns = find_toolchains(there);
    const uint64_t each = turns ? (programs + turns - 1) / turns : programs;
    return each < BATCH_MOST ? each : BATCH_MOST;
}

static void print_programs(const struct options *o)
{
    for (uint64_t i = 0; i < o->count; i++) {
        struct session *session = session_create(NULL);
        char suffix[24];
        snprintf(suffix, sizeof suffix, "%llu", (unsigned long long)(o->seed + i));
        const struct module *module = generate_module(session, o->seed + i, o->favourite, suffix);
        printf("%s\n", module_text(session->permanent, module));
        session_destroy(session);
    }
}

/* ---- Findings ---- */

static void report(const char *what, const struct finding *finding)
{
    printf("%s: %s%s%s\n%s\n", what, finding_text[finding->kind], *finding->detail ? ": " : "",
           finding->detail, finding->text);
    fflush(stdout);
}

/* // <what failed>; data <seed>, y = 3, x = 5; compiler <name> */
static void keep_program(const struct options *o, const struct batch_program *p,
                         const struct toolchain *toolchain, const struct finding *finding)
{
    struct arena *arena = arena_create();
    const char *path =
        arena_format(arena, "%s/seed_%llu.flt", o->keep, (unsigned long long)p->seed);
    FILE *file = fopen(path, "wb");
    if (file) {
        fprintf(file, "// %s%s%s; data %llu", finding_text[finding->kind],
                *finding->detail ? ": " : "", finding->detail,
                (unsigned long long)p->sampling.seed);
        for (unsigned i = 0; i < p->sampling.axis_count; i++)
            fprintf(file, ", %s = %lld", p->sampling.axis[i].name,
                    (long long)p->sampling.axis[i].extent);
        fprintf(file, "; compiler %s\n%s", toolchain ? toolchain->name : "none",
                module_text(arena, p->module));
        fclose(file);
        printf("kept as %s\n", path);
    }
    arena_destroy(arena);
}

static void shrink_and_keep(const struct options *o, const struct batch_program *program,
                            const struct toolchain *toolchain, const struct finding *finding)
{
    struct session *session = session_create(NULL);
    struct batch_program smaller = *program;
    shrink_program(session, &smaller, toolchain, finding);
    keep_program(o, &smaller, toolchain, finding);
    session_destroy(session);
}

static void add_result(struct totals *totals, const struct batch_result *result)
{
    totals->programs++;
    totals->trials += result->trials;
    totals->schedules += result->schedules;
    totals->schedules_refused += result->schedules_refused;
    totals->fused += result->fused;
    totals->segmented += result->segmented;
}

/* False: stop. */
static bool take_results(const struct options *o, unsigned count,
                         const struct batch_program program[], const struct toolchain *toolchain,
                         const struct batch_result result[], struct totals *totals)
{
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        const struct finding *finding = &result[i].finding;
        char what[32];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)program[i].seed);
        add_result(totals, &result[i]);
        totals->refused += finding->kind == FOUND_REFUSAL;
        if (finding->kind == FOUND_NOTHING)
            continue;
        report(what, finding);
        if (finding->kind == FOUND_REFUSAL)
            continue;
        totals->found++;
        good = false;
        if (o->shrink)
            shrink_and_keep(o, &program[i], toolchain, finding);
    }
    return good || o->keep_going;
}

static void run_seeds(const struct options *o, struct totals *totals)
{
    static struct batch_program program[BATCH_MOST];
    static struct batch_result result[BATCH_MOST];
    const uint64_t size = batch_size(o->count);
    for (uint64_t first = 0; first < o->count; first += size) {
        unsigned count = 0;
        for (; count < size && first + count < o->count; count++) {
            const uint64_t seed = o->seed + first + count;
            program[count] = (struct batch_program){
                .seed = seed, .favourite = o->favourite, .sampling = {.seed = seed}};
            snprintf(program[count].suffix, sizeof program[count].suffix, "%llu",
                     (unsigned long long)seed);
        }
        memset(result, 0, sizeof result);
        const struct toolchain *toolchain =
            choose_toolchain(o->compiler, (o->seed + first) / size);
        batch_run(count, program, toolchain, result, &totals->times);
        if (!take_results(o, count, program, toolchain, result, totals))
            return;
    }
}

/* ---- Programs that were kept ---- */

/* The data a kept program failed on, in its first line. */
static void read_sampling(const char *line, struct sampling *sampling, char compiler[16])
{
    const char *at = strstr(line, "; data ");
    if (!at)
        return;
    char *end;
    sampling->seed = strtoull(at + 7, &end, 10);
    int length;
    while (sampling->axis_count < 8) {
        struct sampling_axis *axis = &sampling->axis[sampling->axis_count];
        long long extent;
        if (sscanf(end, ", %15[a-z] = %lld%n", axis->name, &extent, &length) != 2)
            break;
        axis->extent = extent;
        sampling->axis_count++;
        end += length;
    }
    sscanf(end, "; compiler %15s", compiler);
}

static const char *read_text(struct arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct text text = text_create(arena);
    char chunk[4096];
    size_t got;
    while (file && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        text_append(&text, chunk, got);
    if (file)
        fclose(file);
    return text.length ? text.bytes : NULL;
}

/* Those that the language refuses since begin with "// refused". */
static bool is_as_kept(const struct batch_program *program, const struct finding *finding)
{
    const bool refused = strncmp(program->text, "// refused", 10) == 0;
    return finding->kind == (refused ? FOUND_REFUSAL : FOUND_NOTHING);
}

/* Each with the compiler it failed with, all at once. */
static void run_kept(const struct options *o, struct totals *totals)
{
    enum { MOST = 4096 };
    static const char *path[MOST];
    struct arena *arena = arena_create();
    const unsigned count = kept_programs(arena, o->regressions, path, MOST);
    for (const struct toolchain *t = toolchain_list;; t++) {
        static struct batch_program program[BATCH_MOST];
        static struct batch_result result[BATCH_MOST];
        static const char *name[BATCH_MOST];
        unsigned n = 0;
        for (unsigned i = 0; i <= count; i++) {
            if (n == BATCH_MOST || (i == count && n > 0)) {
                memset(result, 0, sizeof result);
                const bool has = t->name && toolchain_exists(t);
                batch_run(n, program, has ? t : NULL, result, &totals->times);
                for (unsigned k = 0; k < n; k++) {
                    add_result(totals, &result[k]);
                    if (is_as_kept(&program[k], &result[k].finding))
                        continue;
                    totals->found++;
                    report(name[k], &result[k].finding);
                }
                n = 0;
            }
            if (i == count)
                break;
            struct sampling sampling = {.seed = 1};
            char compiler[16] = "none";
            const char *text = read_text(arena, path[i]);
            if (!text)
                continue;
            read_sampling(text, &sampling, compiler);
            if (strcmp(o->compiler, "auto") != 0)
                snprintf(compiler, sizeof compiler, "%s", o->compiler);
            if (strcmp(compiler, t->name ? t->name : "none") != 0)
                continue;
            program[n] = (struct batch_program){.text = text, .sampling = sampling};
            snprintf(program[n].suffix, sizeof program[n].suffix, "kept%u", i);
            name[n++] = path[i];
        }
        if (!t->name)
            break;
    }
    arena_destroy(arena);
}

/* Whether more than a tenth is refused, beyond three standard deviations of chance. */
static bool is_much_refused(unsigned refused, unsigned programs)
{
    double beyond = 10.0 * refused - programs;
    return beyond > 0 && beyond * beyond > 81.0 * programs;
}

int main(int argc, char **argv)
{
    struct options o;
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    if (!read_options(argc, argv, &o))
        return usage(stderr, 3);
    if (o.print) {
        print_programs(&o);
        return 0;
    }
    struct totals totals = {0};
    if (o.regressions)
        run_kept(&o, &totals);
    else
        run_seeds(&o, &totals);
    printf("%u programs, %u refused, %u failed, %u runs; %u schedules, %u of them refused; "
           "seconds: %.1f checking, %.1f compiling, "
           "%.1f running\n",
           totals.programs, totals.refused, totals.found, totals.trials, totals.schedules,
           totals.schedules_refused, totals.times.check, totals.times.compile, totals.times.run);
    printf("kernels: %u with stages in tiles of blocks, %u with lines in segments\n", totals.fused,
           totals.segmented);
    if (!o.regressions && is_much_refused(totals.refused, totals.programs)) {
        printf("more than a tenth is refused: the generator no longer knows the language\n");
        return 1;
    }
    if (o.favourite != FAVOURS_PARTICLES && totals.programs >= BATCH_MOST &&
        (!totals.fused || !totals.segmented)) {
        printf("no kernel has stages in tiles of its blocks, or lines in segments: nothing tests "
               "these\n");
        return 1;
    }
    printf("programs: %u passed, %u failed\n", totals.programs - totals.refused - totals.found,
           totals.found);
    return totals.found ? 1 : 0;
}
