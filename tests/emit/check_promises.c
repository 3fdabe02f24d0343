/* What an emitted file promises, read off its syntax tree by libclang.
 *     check_promises FILE.c [FUNCTION]   FUNCTION: the one that may allocate; without it: as the file
 *     check_promises --self-test         each bad snippet must be flagged, the good one not
 * Promised: memory is taken in one function only; nothing is printed, ended or asserted; no
 * variable outlives a call unless it is const; only what the header declares is visible outside,
 * and all of it is defined; an OpenMP pragma stands on a loop; no array of run-time length,
 * recursion or goto; functions of elsewhere are those of a short list. */
#include <clang-c/Index.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 4096, NAME_BYTES = 128 };

struct function {
    char name[NAME_BYTES];
    bool in_header, defined, is_static;
};

struct call {
    unsigned caller, callee;
};

struct check {
    const char *file, *allocating;
    unsigned problems;
    bool quiet;
    struct function function[MOST_FUNCTIONS];
    unsigned function_count;
    struct call *call;
    size_t call_count, call_capacity;
    unsigned current; /* the function whose body is visited */
    bool in_function;
};

static void problem(struct check *check, CXCursor at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void problem(struct check *check, CXCursor at, const char *format, ...)
{
    check->problems++;
    if (check->quiet)
        return;
    unsigned line = 0;
    clang_getExpansionLocation(clang_getCursorLocation(at), NULL, &line, NULL, NULL);
    fprintf(stderr, "%s:%u: ", check->file, line);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static void take_text(CXString from, char to[NAME_BYTES])
{
    const char *text = clang_getCString(from);
    snprintf(to, NAME_BYTES, "%s", text ? text : "");
    clang_disposeString(from);
}

static unsigned function_named(struct check *check, const char *name)
{
    unsigned i = 0;
    while (i < check->function_count && strcmp(check->function[i].name, name) != 0)
        i++;
    if (i == check->function_count) {
        if (i == MOST_FUNCTIONS)
            abort();
        snprintf(check->function[check->function_count++].name, NAME_BYTES, "%s", name);
    }
    return i;
}

static bool is_listed(const char *const list[], const char *name)
{
    for (size_t i = 0; list[i]; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* ---- Calls ---- */

static const char *const allocation[] = {
    "malloc", "calloc", "realloc",          "free", "aligned_alloc", "posix_memalign",
    "strdup", "alloca", "__builtin_alloca", NULL};
static const char *const elsewhere[] = {
    "flt_apr_place", "flt_apr_place_given", "flt_apr_place_guided", "flt_apr_cell_count",
    "flt_apr_cell_levels", "flt_apr_cell_means", "flt_apr_cell_gather", "flt_apr_cell_convolve",
    "flt_apr_cells_each", "flt_apr_spread_part", "memset", "memcpy", "memcmp", "__builtin_memset",
    "omp_get_max_threads", "omp_get_num_procs", "omp_get_thread_num", "clock_gettime",
    "omp_in_parallel", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait",
    "pthread_cond_broadcast", "pthread_create", "pthread_join", "pthread_atfork", "sched_yield",
    "sched_getcpu", "sched_getaffinity", "sched_setaffinity", "__sched_cpucount", "syscall",
    "pthread_setcancelstate", "pthread_sigmask", "sigfillset", "sigdelset", "fegetenv", "fesetenv",
    "__builtin_ia32_stmxcsr", "__builtin_ia32_ldmxcsr",
    "__atomic_load_n", "__atomic_store_n", "__atomic_fetch_add", "__atomic_exchange_n",
    "__builtin_ia32_pause", "__builtin_cpu_supports", "__builtin_cpu_init", "__builtin_prefetch",
    "__builtin_nontemporal_store", "__builtin_ia32_movntdq", "__builtin_ia32_sfence", "fma", "fmaf",
    "sqrt", "sqrtf", "floor", "floorf", "ceil", "ceilf", "rint", "rintf", "trunc", "truncf", "fabs",
    "copysign", "fabsf",
    /* what signbit, NAN and INFINITY are made of */
    "__builtin_signbit", "__builtin_signbitf", "__builtin_signbitl", "__builtin_nanf",
    "__builtin_nan", "__builtin_inff", "__builtin_inf", NULL};

static void note_call(struct check *check, CXCursor cursor)
{
    char name[NAME_BYTES];
    take_text(clang_getCursorSpelling(clang_getCursorReferenced(cursor)), name);
    if (!name[0] || clang_getCursorKind(clang_getCursorReferenced(cursor)) != CXCursor_FunctionDecl)
        return; /* through a pointer: a kernel that was chosen, noted where it is named */
    if (is_listed(allocation, name)) {
        if (!check->in_function || !check->allocating ||
            strcmp(check->function[check->current].name, check->allocating) != 0)
            problem(check, cursor, "'%s' is called outside the function that may allocate", name);
        return;
    }
    if (is_listed(elsewhere, name))
        return;
    if (clang_Cursor_isNull(clang_getCursorDefinition(clang_getCursorReferenced(cursor))))
        problem(check, cursor, "'%s' is not of this file, nor on the list of what may be called",
                name);
}

/* A name of a function, called or not: an edge of the graph in which circles are looked for. */
static void note_reference(struct check *check, CXCursor cursor)
{
    const CXCursor to = clang_getCursorReferenced(cursor);
    char name[NAME_BYTES];
    if (clang_getCursorKind(to) != CXCursor_FunctionDecl || !check->in_function)
        return;
    take_text(clang_getCursorSpelling(to), name);
    if (check->call_count == check->call_capacity) {
        check->call_capacity = check->call_capacity ? 2 * check->call_capacity : 64;
        check->call = realloc(check->call, check->call_capacity * sizeof *check->call);
        if (!check->call)
            abort();
    }
    check->call[check->call_count++] = (struct call){check->current, function_named(check, name)};
}

/* ---- Declarations ---- */

/* An array is const where its elements are. */
static bool is_constant(CXType type)
{
    while (type.kind == CXType_ConstantArray)
        type = clang_getArrayElementType(type);
    return clang_isConstQualifiedType(type);
}

static void check_variable(struct check *check, CXCursor cursor)
{
    const CXType type = clang_getCursorType(cursor);
    char name[NAME_BYTES];
    take_text(clang_getCursorSpelling(cursor), name);
    const bool lasts = !check->in_function ||
                       clang_Cursor_getStorageClass(cursor) == CX_SC_Static ||
                       clang_Cursor_getStorageClass(cursor) == CX_SC_Extern;
    /* A name of the file's own has the filter's in front. */
    const char *const own = strstr(name, "flt_") ? strstr(name, "flt_") : name;
    const bool of_threads = strcmp(own, "flt_pool") == 0 || strcmp(own, "flt_pool_thread") == 0;
    if (lasts && !is_constant(type) && !of_threads)
        problem(check, cursor, "'%s' outlives a call and is not const", name);
    if (!check->in_function && clang_getCursorLinkage(cursor) == CXLinkage_External)
        problem(check, cursor, "the variable '%s' is visible outside", name);
    if (type.kind == CXType_VariableArray)
        problem(check, cursor, "the length of '%s' is known only at run time", name);
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct check *check = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CallExpr:
        note_call(check, cursor);
        break;
    case CXCursor_DeclRefExpr:
        note_reference(check, cursor);
        break;
    case CXCursor_VarDecl:
        check_variable(check, cursor);
        break;
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        problem(check, cursor, "goto");
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        problem(check, cursor, "assembler");
        break;
    default:
        break;
    }
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct check *check = data;
    (void)parent;
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    if (!file || clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    const bool in_file = clang_Location_isFromMainFile(clang_getCursorLocation(cursor));
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl) {
        check_variable(check, cursor);
        return CXChildVisit_Continue;
    }
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
        return clang_getCursorKind(cursor) == CXCursor_LinkageSpec ? CXChildVisit_Recurse
                                                                   : CXChildVisit_Continue;
    char name[NAME_BYTES];
    take_text(clang_getCursorSpelling(cursor), name);
    const unsigned id = function_named(check, name);
    struct function *f = &check->function[id];
    f->in_header = f->in_header || !in_file;
    f->is_static = f->is_static || clang_getCursorLinkage(cursor) == CXLinkage_Internal;
    if (clang_isCursorDefinition(cursor)) {
        f->defined = true;
        check->current = id;
        check->in_function = true;
        clang_visitChildren(cursor, visit_body, check);
        check->in_function = false;
    }
    return CXChildVisit_Continue;
}

/* ---- The file as a whole ---- */

static bool reaches(const struct check *check, unsigned from, unsigned to, bool seen[])
{
    if (seen[from])
        return false;
    seen[from] = true;
    for (size_t i = 0; i < check->call_count; i++)
        if (check->call[i].caller == from &&
            (check->call[i].callee == to || reaches(check, check->call[i].callee, to, seen)))
            return true;
    return false;
}

static void check_functions(struct check *check, CXCursor whole)
{
    for (unsigned i = 0; i < check->function_count; i++) {
        const struct function *f = &check->function[i];
        static bool seen[MOST_FUNCTIONS];
        memset(seen, 0, sizeof seen);
        if (f->in_header && !f->defined)
            problem(check, whole, "'%s' is declared in the header, but nowhere defined", f->name);
        if (f->defined && !f->is_static && !f->in_header)
            problem(check, whole, "'%s' is visible outside, but not in the header", f->name);
        if (f->defined && reaches(check, i, i, seen))
            problem(check, whole, "'%s' can call itself", f->name);
    }
}

/* "pragma omp", and "_Pragma" with an omp text or a macro that is one, stand before `for`. libclang
 * gives no cursor to a pragma that it does not carry out, so the text is looked at. */
static const char *next_code(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\n");
        if (*at == '#') /* another directive, of conditional compilation */
            at += strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0 && strstr(at, "*/"))
            at = strstr(at, "*/") + 2;
        else
            return at;
    }
}

static void check_pragmas(struct check *check, CXCursor whole, const char *text)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *start = at + strspn(at, " \t");
        const bool omp = strncmp(start, "#pragma omp", 11) == 0 ||
                         strncmp(start, "_Pragma(\"omp", 12) == 0 ||
                         strncmp(start, "FLT_SIMD", 8) == 0;
        if (omp && strncmp(next_code(start + strcspn(start, "\n")), "for (", 5) != 0)
            problem(check, whole, "an OpenMP pragma does not stand on a loop: %.40s", start);
    }
}

static unsigned check_text(struct check *check, const char *text, size_t length, bool in_memory)
{
    static const char *const arguments[] = {"-std=c99", "-fopenmp", "-isystem",
                                            "/usr/lib/llvm-14/lib/clang/14.0.6/include"};
    CXIndex index = clang_createIndex(0, 0);
    struct CXUnsavedFile file = {check->file, text, (unsigned long)length};
    CXTranslationUnit unit = clang_parseTranslationUnit(
        index, check->file, arguments, sizeof arguments / sizeof arguments[0],
        in_memory ? &file : NULL, in_memory ? 1 : 0, CXTranslationUnit_None);
    if (!unit) {
        fprintf(stderr, "%s: cannot be parsed\n", check->file);
        return 1;
    }
    const CXCursor whole = clang_getTranslationUnitCursor(unit);
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        char message[NAME_BYTES];
        take_text(clang_getDiagnosticSpelling(diagnostic), message);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            problem(check, whole, "%s", message);
        clang_disposeDiagnostic(diagnostic);
    }
    clang_visitChildren(whole, visit_top, check);
    check_functions(check, whole);
    check_pragmas(check, whole, text);
    clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    free(check->call);
    return check->problems;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(*length + 1, 1);
    if (text)
        *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

/* ---- It can fail ---- */

static const struct {
    const char *name, *text;
} bad[] = {
    {"allocates elsewhere", "#include <stdlib.h>\nstatic void *f(void) { return malloc(3); }\n"
                            "static void *(*g)(void) = f;\n"},
    {"frees elsewhere", "#include <stdlib.h>\nstatic inline void f(void *p) { free(p); }\n"},
    {"prints", "#include <stdio.h>\nstatic inline void f(void) { puts(\"x\"); }\n"},
    {"prints to a file",
     "#include <stdio.h>\nstatic inline void f(void) { fprintf(stderr, \"x\"); }\n"},
    {"aborts", "#include <stdlib.h>\nstatic inline void f(void) { abort(); }\n"},
    {"exits", "#include <stdlib.h>\nstatic inline void f(void) { exit(1); }\n"},
    {"asserts", "#include <assert.h>\nstatic inline void f(int a) { assert(a); }\n"},
    {"calls what nobody knows", "void g(void);\nstatic inline void f(void) { g(); }\n"},
    {"calls an inexact function",
     "#include <math.h>\nstatic inline double f(double a) { return exp(a); }\n"},
    {"keeps a variable", "static int kept;\nstatic inline int f(void) { return kept++; }\n"},
    {"keeps a local variable", "static inline int f(void) { static int kept; return kept++; }\n"},
    {"keeps an array", "static float kept[3] = {1, 2, 3};\n"
                       "static inline float f(int i) { return kept[i]; }\n"},
    {"shows a variable", "const int shown = 3;\n"},
    {"shows a function", "int shown(void) { return 3; }\n"},
    {"has an array of run-time length",
     "static inline int f(int n) { int a[n]; a[0] = 1; return a[0]; }\n"},
    {"recurs",
     "static int f(int n) { return n ? f(n - 1) : 0; }\nstatic int (*const g)(int) = f;\n"},
    {"recurs by way of another", "static int g(int n);\nstatic int f(int n) { return g(n); }\n"
                                 "static int g(int n) { return n ? f(n - 1) : 0; }\n"},
    {"jumps", "static inline int f(int n) { if (n) goto end; n = 1; end: return n; }\n"},
    {"has a pragma on a block", "static inline void f(int *a)\n{\n#pragma omp parallel\n    {\n"
                                "        a[0] = 1;\n    }\n}\n"},
    {"has a pragma on a statement",
     "static inline void f(int *a)\n{\n#pragma omp atomic\n    a[0]++;\n}\n"},
    {"has a pragma behind which a statement slipped in",
     "static inline void f(int *a)\n{\n    FLT_SIMD\n    a[0] = 1;\n}\n"},
    {"is not C", "static int f(void) { return 3 }\n"},
};

static const char good[] =
    "#include <math.h>\n#include <string.h>\n#include <stdlib.h>\n#define FLT_SIMD\n"
    "static const float table[2] = {1, 2};\n"
    "static inline float f(const float *a, int n)\n{\n    float sum = 0;\n"
    "#ifdef _OPENMP\n#pragma omp simd\n#endif\n    for (int i = 0; i < n; i++)\n"
    "        sum = fmaf(a[i], table[i & 1], sum);\n"
    "    FLT_SIMD\n    for (int i = 0; i < n; i++)\n        sum += sqrtf(a[i]);\n    return "
    "sum;\n}\n"
    "static inline void *take(void)\n{\n    return malloc(3);\n}\n";

static int self_test(void)
{
    unsigned passed = 0, failed = 0;
    const size_t count = sizeof bad / sizeof bad[0];
    for (size_t i = 0; i <= count; i++) {
        struct check *check = calloc(1, sizeof *check);
        if (!check)
            abort();
        check->file = "snippet.c";
        check->quiet = i < count;
        check->allocating = i < count ? "nobody" : "take";
        const char *text = i < count ? bad[i].text : good;
        const bool flagged = check_text(check, text, strlen(text), true) > 0;
        if (flagged == (i < count)) {
            passed++;
        } else {
            failed++;
            fprintf(stderr, "check_promises: %s\n",
                    i < count ? bad[i].name : "the good snippet is flagged");
        }
        free(check);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--self-test") == 0)
        return self_test();
    if (argc < 2 || argc > 3) {
        fprintf(stderr,
                "usage: check_promises FILE.c [FUNCTION]\n       check_promises --self-test\n");
        return 3;
    }
    struct check *check = calloc(1, sizeof *check);
    size_t length;
    char *text = read_file(argv[1], &length);
    if (!check || !text) {
        fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 3;
    }
    char stem[NAME_BYTES];
    const char *slash = strrchr(argv[1], '/');
    snprintf(stem, sizeof stem, "%s", slash ? slash + 1 : argv[1]);
    stem[strcspn(stem, ".")] = 0;
    check->file = argv[1];
    check->allocating = argc == 3 ? argv[2] : stem;
    const unsigned problems = check_text(check, text, length, false);
    free(text);
    free(check);
    return problems ? 1 : 0;
}
