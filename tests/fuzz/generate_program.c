/* Random programs through the whole compiler, compared with the oracle to the bit. See --help. */
#include "program/batch.h"
#include "program/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct options {
    uint64_t seed, count;
    const char *compiler, *regressions;
    bool keep_going, print;
};

static int usage(FILE *out)
{
    fprintf(out,
            "usage: generate_program [--seed S] [--count N] [--compiler auto|none|NAME] [--keep-going]\n"
            "                        [--print] [--regressions FOLDER]\n"
            "compilers:");
    for (const struct toolchain *t = toolchain_list; t->name; t++)
        fprintf(out, " %s", t->name);
    fprintf(out, "\n");
    return 3;
}

struct totals {
    unsigned programs, refused, found, trials;
    struct batch_times times;
};

static void report(const struct batch_program *p, const struct finding *finding)
{
    printf("seed %llu: %s%s%s\n%s\n", (unsigned long long)p->seed, finding_text[finding->kind],
           *finding->detail ? ": " : "", finding->detail, finding->text);
    fflush(stdout);
}

static const struct toolchain *choose_toolchain(const char *name, uint64_t seed)
{
    if (strcmp(name, "none") == 0)
        return NULL;
    if (strcmp(name, "auto") != 0)
        return toolchain_find(name);
    unsigned count = 0;
    while (toolchain_list[count].name)
        count++;
    return &toolchain_list[seed / BATCH_MOST % count];
}

static void print_programs(const struct options *o)
{
    for (uint64_t i = 0; i < o->count; i++) {
        struct session *session = session_create();
        char suffix[24];
        snprintf(suffix, sizeof suffix, "%llu", (unsigned long long)(o->seed + i));
        printf("%s\n", module_text(session->permanent,
                                   generate_module(session, o->seed + i, suffix)));
        session_destroy(session);
    }
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1, .count = 100, .compiler = "auto"};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--keep-going") == 0)
            o.keep_going = true;
        else if (strcmp(argv[i], "--print") == 0)
            o.print = true;
        else if (!value)
            return usage(stderr);
        else if (strcmp(argv[i], "--seed") == 0)
            o.seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            o.count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--compiler") == 0)
            o.compiler = argv[++i];
        else
            return usage(stderr);
    }
    if (o.print) {
        print_programs(&o);
        return 0;
    }
    struct totals totals = {0};
    for (uint64_t first = o.seed; first < o.seed + o.count; first += BATCH_MOST) {
        static struct batch_program program[BATCH_MOST];
        static struct batch_result result[BATCH_MOST];
        unsigned count = 0;
        while (count < BATCH_MOST && first + count < o.seed + o.count) {
            const uint64_t seed = first + count;
            program[count] = (struct batch_program){.seed = seed, .sampling = {.seed = seed}};
            snprintf(program[count].suffix, sizeof program[count].suffix, "%llu",
                     (unsigned long long)seed);
            count++;
        }
        memset(result, 0, sizeof result);
        batch_run(count, program, choose_toolchain(o.compiler, first), result, &totals.times);
        for (unsigned i = 0; i < count; i++) {
            totals.programs++;
            totals.trials += result[i].trials;
            if (result[i].finding.kind == FOUND_NOTHING)
                continue;
            report(&program[i], &result[i].finding);
            if (result[i].finding.kind == FOUND_REFUSAL)
                totals.refused++;
            else
                totals.found++;
        }
    }
    printf("%u programs, %u refused, %u found, %u trials; seconds: %.1f checking, %.1f compiling, "
           "%.1f running\n",
           totals.programs, totals.refused, totals.found, totals.trials, totals.times.check,
           totals.times.compile, totals.times.run);
    return totals.found ? 1 : 0;
}
