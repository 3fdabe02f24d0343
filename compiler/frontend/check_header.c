/* Reads a header by libclang, which is loaded when the first function of C is met: a compiler that
 * is linked against it would start in a tenth of a second. What is used of it is declared here as
 * in clang-c/Index.h, whose binary interface has been the same since version 3. */
#include "frontend/check_header.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- libclang ---- */

struct clang_string {
    const void *data;
    unsigned flags;
};
struct clang_cursor {
    int kind, extra;
    const void *data[3];
};
struct clang_type {
    int kind;
    void *data[2];
};
struct clang_place {
    const void *data[2];
    unsigned offset;
};
typedef unsigned clang_visitor(struct clang_cursor cursor, struct clang_cursor parent, void *user);

/* Of the enumerations of Index.h. */
enum { CURSOR_FUNCTION = 8, VISIT_BREAK = 0, VISIT_CONTINUE = 1, SEVERITY_OF_ERRORS = 3 };
enum { PRINT_PLACE = 1, PRINT_COLUMN = 2 };

#define CLANG_FUNCTIONS(F)                                                                         \
    F(void *, createIndex, (int, int))                                                             \
    F(void, disposeIndex, (void *))                                                                \
    F(void *, parseTranslationUnit,                                                                \
      (void *, const char *, const char *const *, int, void *, unsigned, unsigned))                \
    F(void, disposeTranslationUnit, (void *))                                                      \
    F(unsigned, getNumDiagnostics, (void *))                                                       \
    F(void *, getDiagnostic, (void *, unsigned))                                                   \
    F(void, disposeDiagnostic, (void *))                                                           \
    F(int, getDiagnosticSeverity, (void *))                                                        \
    F(struct clang_string, formatDiagnostic, (void *, unsigned))                                   \
    F(const char *, getCString, (struct clang_string))                                             \
    F(void, disposeString, (struct clang_string))                                                  \
    F(struct clang_cursor, getTranslationUnitCursor, (void *))                                     \
    F(unsigned, visitChildren, (struct clang_cursor, clang_visitor *, void *))                     \
    F(struct clang_string, getCursorSpelling, (struct clang_cursor))                               \
    F(struct clang_place, getCursorLocation, (struct clang_cursor))                                \
    F(void, getExpansionLocation,                                                                  \
      (struct clang_place, void **, unsigned *, unsigned *, unsigned *))                           \
    F(struct clang_string, getFileName, (void *))                                                  \
    F(struct clang_type, getCursorType, (struct clang_cursor))                                     \
    F(struct clang_type, getResultType, (struct clang_type))                                       \
    F(int, getNumArgTypes, (struct clang_type))                                                    \
    F(struct clang_type, getArgType, (struct clang_type, unsigned))                                \
    F(unsigned, isFunctionTypeVariadic, (struct clang_type))                                       \
    F(struct clang_type, getCanonicalType, (struct clang_type))                                    \
    F(struct clang_string, getTypeSpelling, (struct clang_type))                                   \
    F(long long, Type_getSizeOf, (struct clang_type))

struct clang {
#define MEMBER(result, name, parameters) result(*name) parameters;
    CLANG_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* It stays loaded: its threads do not survive being unloaded. */
static void *open_library(void)
{
    static const char *const names[] = {
        "libclang-14.so.1",  "libclang-14.so.13", "libclang-15.so.1",
        "libclang-15.so.15", "libclang-16.so.1",  "libclang-16.so.16",
        "libclang.so.1",     "libclang.so.13",    "libclang.so"};
    const char *given = getenv("FLTC_LIBCLANG");
    if (given && *given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool load_clang(struct clang *clang)
{
    void *library = open_library(), *symbol;
    bool complete = library != NULL;
#define LOAD(result, name, parameters)                                                             \
    symbol = complete ? dlsym(library, "clang_" #name) : NULL;                                     \
    memcpy(&clang->name, &symbol, sizeof symbol);                                                  \
    complete = symbol != NULL;
    CLANG_FUNCTIONS(LOAD)
#undef LOAD
    return complete;
}

/* ---- What is declared ---- */

struct reading {
    const struct clang *clang;
    struct arena *arena;
    const char *wanted;
    bool found;
    struct clang_cursor cursor; /* of the function's first declaration */
};

static const char *take_string(const struct reading *r, struct clang_string string)
{
    const char *text = r->clang->getCString(string);
    const char *copy = text ? arena_text(r->arena, text, strlen(text)) : "";
    r->clang->disposeString(string);
    return copy;
}

/* The type of the language that is this type of C; SCALAR_COUNT where none is. */
static enum scalar scalar_of(const struct clang *clang, struct clang_type type)
{
    static const struct {
        int first, last; /* kinds of clang's: CXType_Char_S … CXType_LongLong and their like */
        enum scalar_class class;
        bool has_sign;
    } kinds[] = {{3, 3, CLASS_BOOL, false},
                 {4, 11, CLASS_INTEGER, false},
                 {13, 19, CLASS_INTEGER, true},
                 {21, 22, CLASS_FLOAT, false}};
    const struct clang_type plain = clang->getCanonicalType(type);
    const long long bytes = clang->Type_getSizeOf(plain);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int s = 0; s < SCALAR_F16; s++) {
            const struct scalar_info *info = &scalar_info[s];
            const bool sign = info->class == CLASS_INTEGER && info->interval.least < 0;
            if (plain.kind >= kinds[k].first && plain.kind <= kinds[k].last &&
                info->class == kinds[k].class && info->bytes == bytes && sign == kinds[k].has_sign)
                return (enum scalar)s;
        }
    return SCALAR_COUNT;
}

static unsigned look_for_function(struct clang_cursor cursor, struct clang_cursor parent,
                                  void *user)
{
    struct reading *r = user;
    (void)parent;
    if (cursor.kind != CURSOR_FUNCTION ||
        strcmp(take_string(r, r->clang->getCursorSpelling(cursor)), r->wanted) != 0)
        return VISIT_CONTINUE;
    r->cursor = cursor;
    r->found = true;
    return VISIT_BREAK;
}

/* The declaration in the language's types; its count is 0 where it has none. */
static struct external declared_as(const struct reading *r, const struct external *function)
{
    const struct clang_type type = r->clang->getCursorType(r->cursor);
    const int count = r->clang->getNumArgTypes(type);
    struct external declared = {.name = function->name,
                                .header = function->header,
                                .result = scalar_of(r->clang, r->clang->getResultType(type))};
    bool known = declared.result != SCALAR_COUNT && count > 0 && count <= EXPR_MOST_OPERANDS &&
                 !r->clang->isFunctionTypeVariadic(type);
    for (int i = 0; known && i < count; i++) {
        declared.parameter[i] = scalar_of(r->clang, r->clang->getArgType(type, (unsigned)i));
        known = declared.parameter[i] != SCALAR_COUNT;
    }
    declared.count = known ? (unsigned)count : 0;
    return declared;
}

/* "gain.h:3: float gain(float, int)" */
static const char *declaration_text(const struct reading *r)
{
    const struct clang *clang = r->clang;
    const struct clang_type type = clang->getCursorType(r->cursor);
    void *file;
    unsigned line, column, offset;
    clang->getExpansionLocation(clang->getCursorLocation(r->cursor), &file, &line, &column,
                                &offset);
    struct text text = text_create(r->arena);
    text_print(&text, "%s:%u: %s %s(", take_string(r, clang->getFileName(file)), line,
               take_string(r, clang->getTypeSpelling(clang->getResultType(type))), r->wanted);
    for (int i = 0; i < clang->getNumArgTypes(type); i++)
        text_print(&text, "%s%s", i ? ", " : "",
                   take_string(r, clang->getTypeSpelling(clang->getArgType(type, (unsigned)i))));
    text_print(&text, clang->isFunctionTypeVariadic(type) ? ", ...)" : ")");
    return text.bytes;
}

/* NULL: it compiles. */
static const char *first_error(const struct reading *r, void *unit)
{
    const char *error = NULL;
    for (unsigned i = 0; i < r->clang->getNumDiagnostics(unit) && !error; i++) {
        void *diagnostic = r->clang->getDiagnostic(unit, i);
        if (r->clang->getDiagnosticSeverity(diagnostic) >= SEVERITY_OF_ERRORS)
            error =
                take_string(r, r->clang->formatDiagnostic(diagnostic, PRINT_PLACE | PRINT_COLUMN));
        r->clang->disposeDiagnostic(diagnostic);
    }
    return error;
}

static struct header_answer answer(struct reading *r, void *unit, const struct external *function)
{
    if (!unit)
        return (struct header_answer){HEADER_DOES_NOT_COMPILE, "it cannot be read", {0}};
    const char *error = first_error(r, unit);
    if (error)
        return (struct header_answer){HEADER_DOES_NOT_COMPILE, error, {0}};
    r->clang->visitChildren(r->clang->getTranslationUnitCursor(unit), look_for_function, r);
    if (!r->found)
        return (struct header_answer){HEADER_LACKS_FUNCTION, "", {0}};
    const struct external declared = declared_as(r, function);
    return (struct header_answer){external_equal(&declared, function) ? HEADER_AGREES
                                                                      : HEADER_DIFFERS,
                                  declaration_text(r), declared};
}

static struct header_answer read_header(struct session *session, const char *path,
                                        const struct external *function)
{
    struct clang clang;
    if (!load_clang(&clang))
        return (struct header_answer){HEADER_NO_CLANG, "", {0}};
    struct arena *arena = session->permanent;
    struct reading r = {.clang = &clang, .arena = arena, .wanted = function->name->text};
    const size_t folders = session->headers.folders.count;
    const char **words = ARENA_ARRAY(arena, const char *, folders + 2);
    int count = 0;
    words[count++] = "-xc";
    words[count++] = "-std=gnu17";
    for (size_t i = 0; i < folders; i++)
        words[count++] = arena_format(arena, "-I%s", session->headers.folders.item[i]);
    void *index = clang.createIndex(0, 0);
    void *unit = clang.parseTranslationUnit(index, path, words, count, NULL, 0, 0);
    return answer(&r, unit, function);
}

/* ---- In a process of its own ---- */

/* A header may be a stranger's: one that expands without end, or includes a device, ends the
 * process that reads it. */
enum { MOST_SECONDS = 10, MOST_SECONDS_OF_ALL = 60, MOST_BYTES = 1 << 30 };

static void limit_self(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    const rlim_t bytes = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE)) + MOST_BYTES;
#ifndef __SANITIZE_ADDRESS__ /* whose shadow memory is beyond any limit */
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
#endif
    (void)bytes;
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void write_all(int to, const void *bytes, size_t length)
{
    for (ssize_t put; length && (put = write(to, bytes, length)) > 0; length -= (size_t)put)
        bytes = (const char *)bytes + put;
}

/* The answer without its pointers, then its text. */
_Noreturn static void answer_and_end(struct session *session, const char *path,
                                     const struct external *function, int to)
{
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDERR_FILENO); /* clang tells of its own end */
    limit_self();
    const struct header_answer found = read_header(session, path, function);
    write_all(to, &found, sizeof found);
    write_all(to, found.text, strlen(found.text));
    _exit(0);
}

/* All that comes until the other end is closed, or the time is over. */
static void collect(int from, struct text *text)
{
    const time_t end = time(NULL) + MOST_SECONDS + 1;
    char chunk[4096];
    for (ssize_t got = 1; got > 0 && time(NULL) < end;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, 1000) > 0 && (got = read(from, chunk, sizeof chunk)) > 0)
            text_append(text, chunk, (size_t)got);
    }
}

static struct header_answer too_much(struct session *session)
{
    session->headers.exhausted = true;
    return (struct header_answer){HEADER_DOES_NOT_COMPILE,
                                  arena_format(session->permanent,
                                               "reading it was given up: it takes more than %d "
                                               "seconds or %d MiB of memory",
                                               MOST_SECONDS, MOST_BYTES >> 20),
                                  {0}};
}

struct header_answer header_check(struct session *session, const char *path,
                                  const struct external *function)
{
    struct header_answer found;
    struct text text = text_create(session->permanent);
    int ends[2];
    if (session->headers.exhausted || session->headers.seconds > MOST_SECONDS_OF_ALL)
        return too_much(session);
    if (pipe(ends) != 0)
        return (struct header_answer){HEADER_DOES_NOT_COMPILE, strerror(errno), {0}};
    const pid_t child = fork();
    if (child == 0)
        answer_and_end(session, path, function, ends[1]);
    close(ends[1]);
    const time_t start = time(NULL);
    if (child > 0)
        collect(ends[0], &text);
    session->headers.seconds += time(NULL) - start;
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (text.length < sizeof found)
        return too_much(session);
    memcpy(&found, text.bytes, sizeof found);
    found.text =
        arena_text(session->permanent, text.bytes + sizeof found, text.length - sizeof found);
    found.declared.name = function->name;
    found.declared.header = function->header;
    return found;
}

/* ---- Where it is ---- */
