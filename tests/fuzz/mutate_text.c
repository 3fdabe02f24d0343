/* Damaged source texts into the whole compiler, in this process.
 *     mutate_text SEED COUNT [--first N] [--accepted FOLDER] [FILE...]   COUNT mutants of the files
 *     mutate_text --regressions FOLDER                       every .flt file there, as it is
 * Without files: the examples, the standard library, and the programs of the tests. Built with
 * SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'.
 * Promised of any text: no crash, no leak, no fault of fltc found by its own verifiers, less than a
 * second. Of an accepted text: its formatted form is accepted and formats to itself.
 * A child does the work; what it is at lies in memory shared with the parent, which writes a text
 * that broke a promise to tests/fuzz/regressions/text_<N>.flt and goes on with the next.
 * A mutant depends on the seed and its number alone. */
#include "check/text.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SEEDS = 512, MOST_TOKENS = 1 << 14, HANG_SECONDS = 20 };

#if defined(__SANITIZE_ADDRESS__)
#define SLOW_SECONDS 4.0 /* the sanitizers take a factor of about four */
#else
#define SLOW_SECONDS 1.0
#endif

/* What the child tells the parent. */
struct shared {
    struct source text; /* what it is at */
    uint64_t number;    /* of the mutant */
    struct text_check check;
    double slowest; /* seconds of processor time */
    uint64_t slowest_number, accepted;
};

struct seeds {
    size_t count;
    const char *name[MOST_SEEDS];
    struct source *text[MOST_SEEDS];
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t below(uint64_t *random, size_t bound)
{
    return bound ? (size_t)(random_next(random) % bound) : 0;
}

/* ---- Mutation ---- */

struct piece {
    size_t start, length;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Words, numbers, texts in quotes, signs; spaces and comments belong to none. */
static size_t tokens(const struct source *s, struct piece token[])
{
    size_t count = 0;
    for (size_t i = 0; i < s->length && count < MOST_TOKENS;) {
        const size_t start = i;
        if (isspace((unsigned char)s->at[i])) {
            i++;
            continue;
        }
        if (s->at[i] == '/' && i + 1 < s->length && s->at[i + 1] == '/') {
            while (i < s->length && s->at[i] != '\n')
                i++;
            continue;
        }
        if (is_word(s->at[i])) {
            while (i < s->length && is_word(s->at[i]))
                i++;
        } else if (s->at[i] == '"') {
            for (i++; i < s->length && s->at[i] != '"' && s->at[i] != '\n';)
                i++;
            i += i < s->length;
        } else {
            i++;
        }
        token[count++] = (struct piece){start, i - start};
    }
    return count;
}

static void replace(struct source *s, struct piece old, const char *by, size_t length)
{
    if (s->length - old.length + length > LONGEST_TEXT)
        return;
    memmove(s->at + old.start + length, s->at + old.start + old.length,
            s->length - old.start - old.length);
    memcpy(s->at + old.start, by, length);
    s->length = s->length - old.length + length;
}

static void replace_text(struct source *s, struct piece old, const char *by)
{
    replace(s, old, by, strlen(by));
}

struct mutator {
    uint64_t random;
    const struct seeds *seeds;
    struct piece token[MOST_TOKENS], other[MOST_TOKENS];
    struct source made;
};

static void change_byte(struct mutator *m, struct source *s)
{
    static const char telling[] = "\0\x7f\x80\xff\xc3\n\t \"'{}[]()<>;:,.|&^!=+-*/%#@_09aZ";
    if (s->length)
        s->at[below(&m->random, s->length)] = telling[below(&m->random, sizeof telling - 1)];
}

static void cut(struct mutator *m, struct source *s)
{
    if (below(&m->random, 4) == 0)
        s->length = below(&m->random, s->length + 1);
}

/* One or a few neighbouring tokens. */
static struct piece some_tokens(struct mutator *m, const struct source *s, struct piece token[])
{
    const size_t count = tokens(s, token);
    if (!count)
        return (struct piece){0, 0};
    const size_t first = below(&m->random, count);
    size_t last = first + (below(&m->random, 3) ? 0 : below(&m->random, 12));
    last = last < count ? last : count - 1;
    return (struct piece){token[first].start,
                          token[last].start + token[last].length - token[first].start};
}

static void delete_tokens(struct mutator *m, struct source *s)
{
    replace(s, some_tokens(m, s, m->token), "", 0);
}

static void copy_tokens(struct mutator *m, struct source *s, const struct source *from)
{
    const struct piece what = some_tokens(m, from, m->other);
    struct piece where = some_tokens(m, s, m->token);
    if (below(&m->random, 2))
        where.length = 0;
    if (what.length + 2 > LONGEST_TEXT)
        return;
    char *text = m->made.at;
    text[0] = ' ';
    memcpy(text + 1, from->at + what.start, what.length);
    text[what.length + 1] = ' ';
    replace(s, where, text, what.length + 2);
}

static void duplicate_tokens(struct mutator *m, struct source *s)
{
    copy_tokens(m, s, s);
}

static void splice(struct mutator *m, struct source *s)
{
    copy_tokens(m, s, m->seeds->text[below(&m->random, m->seeds->count)]);
}

static void swap_tokens(struct mutator *m, struct source *s)
{
    const size_t count = tokens(s, m->token);
    if (count < 2)
        return;
    size_t i = below(&m->random, count), j = below(&m->random, count);
    if (i > j) {
        const size_t t = i;
        i = j;
        j = t;
    }
    if (i == j)
        return;
    char a[256], b[256];
    const struct piece x = m->token[i], y = m->token[j];
    if (x.length > sizeof a || y.length > sizeof b)
        return;
    memcpy(a, s->at + x.start, x.length);
    memcpy(b, s->at + y.start, y.length);
    replace(s, y, a, x.length);
    replace(s, x, b, y.length);
}

static void change_number(struct mutator *m, struct source *s)
{
    static const char *const number[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "-1",
                                         "7",
                                         "8",
                                         "9",
                                         "15",
                                         "16",
                                         "17",
                                         "31",
                                         "32",
                                         "63",
                                         "64",
                                         "65",
                                         "100",
                                         "127",
                                         "128",
                                         "255",
                                         "256",
                                         "1000",
                                         "4095",
                                         "4096",
                                         "32767",
                                         "65535",
                                         "65536",
                                         "1048576",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "1099511627776",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "(-9223372036854775807 - 1)",
                                         "0x7fffffffffffffff",
                                         "0x10",
                                         "0.0",
                                         "-0.0",
                                         "0.5",
                                         "1e-45",
                                         "1e-310",
                                         "1.5",
                                         "3.4e38",
                                         "1e39",
                                         "1.7e308",
                                         "1e400",
                                         "16777217",
                                         "1e10",
                                         "(0.0 / 0.0)",
                                         "(1 / 0)",
                                         "(1.0 / 0)",
                                         "99999999999999999999999999"};
    const size_t count = tokens(s, m->token);
    for (size_t tries = 0; tries < 50 && count; tries++) {
        const struct piece at = m->token[below(&m->random, count)];
        if (!isdigit((unsigned char)s->at[at.start]))
            continue;
        replace_text(s, at, number[below(&m->random, sizeof number / sizeof number[0])]);
        return;
    }
}

static void insert_word(struct mutator *m, struct source *s)
{
    static const char *const word[] = {
#define KEYWORD(token, text) text,
#include "keywords.def"
#undef KEYWORD
        "u8",
        "i8",
        "u16",
        "i16",
        "u32",
        "i32",
        "i64",
        "f16",
        "f32",
        "f64",
        "bool",
        "c32",
        "wrap<u8>",
        "fixed<4, 4>",
        "ufixed<0, 8, floor, wrap>",
        "nearest_up",
        "refuse",
        "image<f32>[y, x]",
        "image<u8>[z, y, x, c]",
        "image<i64>[]",
        "sum[i in 0 .. 3](",
        "min[i in 0 ..< 9](",
        "max[y, x](",
        "product[i in -1 .. 1](",
        "argmin[i in 0 .. 4](",
        "median[i in 0 .. 4](",
        "count[i in 0 .. 4](",
        "any[i in 0 .. 4](",
        "select(",
        "clamp(",
        "abs(",
        "sqrt(",
        "exp(",
        "floor(",
        "trunc<u8>(",
        "trunc<i64>(",
        "wrap<u32>(",
        "u8(",
        "i64(",
        "f32(",
        "stack([",
        "border reflect",
        "border (x: wrap, y: zero)",
        "border extend",
        "border valid",
        "border constant(3)",
        "in.y",
        "in.x",
        "in",
        "out",
        "y",
        "x",
        "[y, x]",
        "[y + 1, x - 1]",
        "[2 * y, x / 2]",
        "[y][x]",
        "[l - 1]",
        "..",
        "..<",
        "->",
        "+=",
        "min=",
        "||",
        "&&",
        "==",
        "<<",
        ">>",
        "<",
        ">",
        "?",
        ":",
        ";",
        ",",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "!",
        "=",
        ".",
        "\"text\"",
        "\"*/\"",
        "\"\\\"",
        "over",
        "import std.pyramid;",
        "let a = 1;",
        "for k in 0 .. 9 {",
        "where",
        "else",
        "require in.y > 2 \"why\";",
        "filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x] {",
        "fn g(a : T) -> T = a;",
        "const n = 3;",
        "param p : f32 = 1 in 0 .. 2 \"p\""};
    char text[256];
    const int length =
        snprintf(text, sizeof text, " %s ", word[below(&m->random, sizeof word / sizeof word[0])]);
    struct piece where = some_tokens(m, s, m->token);
    if (below(&m->random, 3))
        where.length = 0;
    replace(s, where, text, (size_t)length);
}

/* A word becomes another word of the same text: types and names that nearly fit. */
static void exchange_word(struct mutator *m, struct source *s)
{
    const size_t count = tokens(s, m->token);
    char text[128];
    for (size_t tries = 0; tries < 50 && count; tries++) {
        const struct piece from = m->token[below(&m->random, count)];
        const struct piece to = m->token[below(&m->random, count)];
        if (!isalpha((unsigned char)s->at[from.start]) ||
            !isalpha((unsigned char)s->at[to.start]) || from.length > sizeof text)
            continue;
        memcpy(text, s->at + from.start, from.length);
        replace(s, to, text, from.length);
        return;
    }
}

static void nest(struct mutator *m, struct source *s)
{
    static const char *const pair[][2] = {{"(", ")"},
                                          {"-", ""},
                                          {"!", ""},
                                          {"abs(", ")"},
                                          {"{ let a = 1; ", " }"},
                                          {"[", "]"},
                                          {"1 + (", ")"},
                                          {"select(true, ", ", 2)"},
                                          {"sum[i in 0 .. 1](", ")"},
                                          {"", "[0]"},
                                          {"u8(", ")"},
                                          {"", " + 1"},
                                          {"", " * 2"},
                                          {"in[y, ", "]"},
                                          {"", ".x"},
                                          {"max(1, ", ")"}};
    static const size_t depth[] = {1, 2, 5, 20, 100, 300, 1000, 5000};
    const size_t p = below(&m->random, sizeof pair / sizeof pair[0]);
    const size_t many = depth[below(&m->random, sizeof depth / sizeof depth[0])];
    const struct piece at = some_tokens(m, s, m->token);
    const size_t open = strlen(pair[p][0]), shut = strlen(pair[p][1]);
    const size_t length = many * (open + shut) + at.length;
    if (length > LONGEST_TEXT)
        return;
    char *to = m->made.at;
    for (size_t i = 0; i < many; i++, to += open)
        memcpy(to, pair[p][0], open);
    memcpy(to, s->at + at.start, at.length);
    to += at.length;
    for (size_t i = 0; i < many; i++, to += shut)
        memcpy(to, pair[p][1], shut);
    replace(s, at, m->made.at, length);
}

/* All places of one name, so that the program may stay right. */
static void lengthen_name(struct mutator *m, struct source *s)
{
    const size_t count = tokens(s, m->token);
    if (!count)
        return;
    const struct piece chosen = m->token[below(&m->random, count)];
    if (!isalpha((unsigned char)s->at[chosen.start]) || chosen.length > 64)
        return;
    char name[64];
    memcpy(name, s->at + chosen.start, chosen.length);
    const size_t more = below(&m->random, 2) ? 1000 : 1 + below(&m->random, 60);
    char *text = m->made.at;
    memcpy(text, name, chosen.length);
    memset(text + chosen.length, below(&m->random, 2) ? 'q' : '_', more);
    for (size_t i = count; i-- > 0;)
        if (m->token[i].length == chosen.length &&
            memcmp(s->at + m->token[i].start, name, chosen.length) == 0)
            replace(s, m->token[i], text, chosen.length + more);
}

/* A statement many times over. */
static void repeat_line(struct mutator *m, struct source *s)
{
    if (!s->length)
        return;
    size_t start = below(&m->random, s->length), end = start;
    while (start > 0 && s->at[start - 1] != '\n')
        start--;
    while (end < s->length && s->at[end++] != '\n')
        continue;
    const size_t length = end - start, many = below(&m->random, 4) ? 2 : 60;
    if (!length || length * many > LONGEST_TEXT / 2)
        return;
    char *text = m->made.at;
    for (size_t i = 0; i < many; i++)
        memcpy(text + i * length, s->at + start, length);
    replace(s, (struct piece){start, 0}, text, length * many);
}

static void mutate(struct mutator *m, struct source *s)
{
    static void (*const mutation[])(struct mutator *, struct source *) = {
        change_byte,   cut,           delete_tokens, duplicate_tokens, swap_tokens, splice,
        change_number, change_number, change_number, insert_word,      insert_word, exchange_word,
        exchange_word, nest,          lengthen_name, repeat_line};
    for (size_t left = 1 + below(&m->random, below(&m->random, 2) ? 2 : 6); left > 0; left--)
        mutation[below(&m->random, sizeof mutation / sizeof mutation[0])](m, s);
}

/* ---- What is promised ---- */

/* Tries the shared text; its problem is "" where all promises hold. True where it is accepted. What
 * was slow is tried again: others on the machine take time from it. */
static bool try_text(struct shared *shared)
{
    enum { TRIES = 3 };
    struct text_check *check = &shared->check;
    bool accepted;
    check->problem[0] = 0;
    double most = check_text(check, &shared->text, &accepted);
    shared->accepted += accepted;
    for (int again = 1; again < TRIES && most > SLOW_SECONDS && !check->problem[0]; again++)
        most = fmin(most, check_text(check, &shared->text, &accepted));
    if (most > shared->slowest) {
        shared->slowest = most;
        shared->slowest_number = shared->number;
    }
    if (most > SLOW_SECONDS && !check->problem[0])
        snprintf(check->problem, sizeof check->problem, "%.2f s of processor time", most);
    return accepted;
}

/* ---- Parent and child ---- */

static void write_file(const char *path, const struct source *s)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "mutate_text: cannot write %s\n", path);
        return;
    }
    fwrite(s->at, 1, s->length, file);
    fclose(file);
}

static void keep(const struct shared *shared, const char *problem)
{
    enum { MOST_KEPT = 100 };
    char path[128];
    for (int n = 1; n < MOST_KEPT; n++) {
        snprintf(path, sizeof path, "tests/fuzz/regressions/text_%d.flt", n);
        if (access(path, F_OK) == 0)
            continue;
        write_file(path, &shared->text);
        fprintf(stderr, "mutate_text: mutant %llu: %s; kept as %s\n",
                (unsigned long long)shared->number, problem, path);
        return;
    }
    fprintf(stderr, "mutate_text: mutant %llu: %s; not kept\n", (unsigned long long)shared->number,
            problem);
}

static bool read_source(const char *path, struct source *s)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    s->length = fread(s->at, 1, LONGEST_TEXT, file);
    fclose(file);
    return true;
}

static void limit_time(void)
{
    const struct rlimit limit = {HANG_SECONDS, HANG_SECONDS + 1};
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    struct rlimit moved = limit;
    moved.rlim_cur += (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec;
    moved.rlim_max = RLIM_INFINITY;
    setrlimit(RLIMIT_CPU, &moved);
}

struct work {
    uint64_t seed, first, end;
    const struct seeds *seeds;
    const char *accepted_folder; /* or NULL */
};

/* One mutant, or the seed itself where the texts are to be tried as they are (seed 0). */
static void make(const struct work *work, uint64_t number, struct mutator *m, struct source *s)
{
    if (work->seed == 0) {
        *s = *work->seeds->text[number];
        return;
    }
    m->random = work->seed * 0x2545f4914f6cdd1du + number;
    *s = *work->seeds->text[below(&m->random, work->seeds->count)];
    mutate(m, s);
}

/* The child's part: until the end, or until a promise is broken. */
static int work_from(struct shared *shared, const struct work *work, uint64_t first)
{
    struct mutator *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->seeds = work->seeds;
    for (shared->number = first; shared->number < work->end; shared->number++) {
        make(work, shared->number, m, &shared->text);
        limit_time();
        const bool accepted = try_text(shared);
        if (accepted && work->accepted_folder) {
            char path[512];
            snprintf(path, sizeof path, "%s/mutant_%llu.flt", work->accepted_folder,
                     (unsigned long long)shared->number);
            write_file(path, &shared->text);
        }
        if (shared->check.problem[0])
            break;
    }
    free(m);
    return shared->check.problem[0] ? 9 : 0;
}

/* How many promises were broken. */
static size_t run(const struct work *work)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    size_t failed = 0;
    for (uint64_t next = work->first; next < work->end; next = shared->number + 1) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            exit(work_from(shared, work, next));
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            abort();
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        char problem[600];
        if (WIFSIGNALED(status))
            snprintf(problem, sizeof problem, "signal %d (%s)", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        else
            snprintf(problem, sizeof problem, "%s",
                     shared->check.problem[0] ? shared->check.problem : "the sanitizer complained");
        failed++;
        if (work->seed == 0)
            fprintf(stderr, "mutate_text: %s: %s\n", work->seeds->name[shared->number], problem);
        else
            keep(shared, problem);
    }
    printf("%llu texts: %llu parsed, %llu accepted, %llu filters emitted; slowest %.3f s (number "
           "%llu), largest %.1f MB\n",
           (unsigned long long)(work->end - work->first), (unsigned long long)shared->check.parsed,
           (unsigned long long)shared->accepted, (unsigned long long)shared->check.emitted,
           shared->slowest, (unsigned long long)shared->slowest_number,
           (double)shared->check.largest / 1e6);
    munmap(shared, sizeof *shared);
    return failed;
}

static void add_seeds(struct seeds *seeds, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && seeds->count < MOST_SEEDS; i++) {
            struct source *s = malloc(sizeof *s);
            char *name = strdup(found.gl_pathv[i]);
            if (!s || !name)
                abort();
            if (!read_source(name, s))
                fprintf(stderr, "mutate_text: cannot read %s\n", name);
            seeds->name[seeds->count] = name;
            seeds->text[seeds->count++] = s;
        }
    globfree(&found);
}

int main(int argc, char **argv)
{
    static struct seeds seeds;
    struct work work = {.seeds = &seeds};
    char pattern[512];
    if (argc == 3 && strcmp(argv[1], "--regressions") == 0) {
        snprintf(pattern, sizeof pattern, "%s/*.flt", argv[2]);
        add_seeds(&seeds, pattern);
        work.end = seeds.count;
    } else if (argc >= 3) {
        static const char *const usual[] = {"examples/*/*.flt",        "stdlib/*.flt",
                                            "tests/emit/*.flt",        "tests/golden/*.flt",
                                            "tests/diagnostics/*.flt", "tests/diagnostics/*/*.flt"};
        work.seed = strtoull(argv[1], NULL, 10) * 2 + 1;
        work.end = strtoull(argv[2], NULL, 10);
        int next = 3;
        if (next + 1 < argc && strcmp(argv[next], "--first") == 0) {
            work.first = strtoull(argv[next + 1], NULL, 10);
            work.end += work.first;
            next += 2;
        }
        if (next + 1 < argc && strcmp(argv[next], "--accepted") == 0) {
            work.accepted_folder = argv[next + 1];
            next += 2;
        }
        for (int i = next; i < argc; i++)
            add_seeds(&seeds, argv[i]);
        for (size_t i = 0; next >= argc && i < sizeof usual / sizeof usual[0]; i++)
            add_seeds(&seeds, usual[i]);
    } else {
        fprintf(stderr, "usage: mutate_text SEED COUNT [--first N] [--accepted FOLDER] [FILE...]\n"
                        "       mutate_text --regressions FOLDER\n");
        return 3;
    }
    if (!seeds.count && work.seed) {
        fprintf(stderr, "mutate_text: there are no texts to mutate\n");
        return 3;
    }
    const size_t failed = run(&work);
    printf("%llu passed, %zu failed\n", (unsigned long long)(work.end - work.first) - failed,
           failed);
    for (size_t i = 0; i < seeds.count; i++) {
        free((void *)(uintptr_t)seeds.name[i]);
        free(seeds.text[i]);
    }
    return failed ? 1 : 0;
}
