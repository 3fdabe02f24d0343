/* The library as a program of its own sees it: flt/compiler.h and nothing else of fltc.
 *   libfltc compile FILE FOLDER TARGET FLAGS [SETTING...]   writes what comes of it, or its messages
 *   libfltc test                                             the rest */
#include "flt/compiler.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Memory that ends ---- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

static __thread bool is_counted;
static __thread long taken, live, most = -1; /* of this thread; most: -1: without end */

static bool is_there(void)
{
    if (!is_counted)
        return true;
    taken++;
    if (most >= 0 && taken > most)
        return false;
    live++;
    return true;
}

void *malloc(size_t bytes)
{
    return is_there() ? __libc_malloc(bytes) : NULL;
}

void *calloc(size_t count, size_t bytes)
{
    return is_there() ? __libc_calloc(count, bytes) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    *memory = is_there() ? __libc_memalign(alignment, bytes) : NULL;
    return *memory ? 0 : ENOMEM;
}

void free(void *memory)
{
    live -= is_counted && memory;
    __libc_free(memory);
}

/* ---- Requests ---- */

static const char shared_text[] = "fn doubled(v : f32) -> f32 = 2 * v;\n";
static const char main_text[] =
    "import \"parts/shared.flt\";\n"
    "// Twice the samples.\n"
    "filter twice(in : image<f32>[y, x], const radius : i32 = 1 in 1 .. 3, param gain : f32 = 1 in "
    "0 .. 9)\n"
    "    -> out : image<f32>[y, x]\n"
    "{\n"
    "    border clamp;\n"
    "    const k[i in 0 .. 3] : f32 = {1, 0.5, 0.25, 0.125};\n"
    "    blur[y, x] = sum[i in -radius .. radius](k[abs(i)] * in[y, x + i]);\n"
    "    out[y, x] = gain * doubled(blur[y, x]);\n"
    "}\n";

/* The only other file there is. */
static const char *text_of(void *context, const char *path, size_t *length)
{
    int *asked = context;
    ++*asked;
    if (strcmp(path, "folder/parts/shared.flt") != 0)
        return NULL;
    *length = strlen(shared_text);
    return shared_text;
}

static int asked;

static struct flt_request request_of(const char *text)
{
    return (struct flt_request){.size = sizeof(struct flt_request),
                                .path = "folder/main.flt",
                                .text = text,
                                .length = strlen(text),
                                .text_of = text_of,
                                .context = &asked};
}

static void expect_refusal(const struct flt_request *request, const char *words)
{
    struct flt_compilation made = flt_compile(request);
    assert_int_equal(made.status, FLT_REFUSED);
    assert_int_equal(made.file_count, 0);
    if (!strstr(made.message_text, words) || !strstr(made.messages, "\"severity\""))
        fail_msg("'%s' is not in\n%s\n%s", words, made.message_text, made.messages);
    flt_compilation_free(&made);
}

static void imports_come_by_the_callback(void **state)
{
    (void)state;
    const struct flt_request request = request_of(main_text);
    asked = 0;
    struct flt_compilation made = flt_compile(&request);
    assert_string_equal(made.message_text, "");
    assert_string_equal(made.messages, "");
    assert_int_equal(made.status, FLT_COMPILED);
    assert_int_equal(asked, 1);
    assert_int_equal(made.file_count, 2);
    assert_string_equal(made.file[0].name, "twice.c");
    assert_string_equal(made.file[1].name, "twice.h");
    assert_int_equal(strlen(made.file[0].text), made.file[0].length);
    assert_non_null(strstr(made.file[1].text, "Twice the samples"));
    flt_compilation_free(&made);
    expect_refusal(&(struct flt_request){.size = sizeof request,
                                         .path = "main.flt",
                                         .text = main_text,
                                         .length = strlen(main_text),
                                         .text_of = text_of,
                                         .context = &asked},
                   "parts/shared.flt");
}

static void requests_are_obeyed(void **state)
{
    (void)state;
    static const char *const settings[] = {"radius=3", "gain=2", NULL};
    struct flt_request request = request_of(main_text);
    request.settings = settings;
    request.stem = "other";
    request.target = "cuda";
    request.flags = FLT_WITH_INTERFACE | FLT_WITH_BOXES;
    struct flt_compilation made = flt_compile(&request);
    assert_string_equal(made.message_text, "");
    assert_int_equal(made.file_count, 5);
    assert_string_equal(made.file[0].name, "other.cu");
    assert_null(strstr(made.file[1].text, "float gain"));
    assert_non_null(strstr(made.file[2].text, "\"interface\""));
    flt_compilation_free(&made);
    /* of an earlier version, where a request ended before its types */
    static const char *const wrong[] = {"no type", NULL};
    request = request_of("filter same(in : image<u8>[x]) -> out : image<u8>[x] { out = in; }\n");
    request.types = wrong;
    request.size = offsetof(struct flt_request, types);
    made = flt_compile(&request);
    assert_string_equal(made.message_text, "");
    assert_int_equal(made.status, FLT_COMPILED);
    flt_compilation_free(&made);
}

static void wrong_requests_are_explained(void **state)
{
    (void)state;
    static const char *const setting[] = {"sigma=3", NULL}, *const type[] = {"T=u8", NULL};
    struct flt_request request = request_of(main_text);
    request.settings = setting;
    expect_refusal(&request, "'twice' has no parameter or constant 'sigma'");
    request = request_of(main_text);
    request.types = type;
    expect_refusal(&request, "'twice' has no type variable 'T'");
    request = request_of(main_text);
    request.target = "fortran";
    expect_refusal(&request, "fortran");
    request.target = "verilog";
    expect_refusal(&request, "fltc emit --target verilog");
    request.target = "cuda";
    request.machine = "abacus";
    expect_refusal(&request, "no machine of target 'cuda' is called 'abacus'");
    request = request_of(main_text);
    request.filter = "thrice";
    expect_refusal(&request, "thrice");
    request = request_of(main_text);
    request.stem = "a/b";
    expect_refusal(&request, "a/b.h");
    expect_refusal(&(struct flt_request){.size = sizeof request}, "neither a path nor a text");
    request =
        request_of("filter f(in : image<f32>[x]) -> out : image<f32>[x] { out[x] = in[x - 1]; }\n");
    expect_refusal(&request, "folder/main.flt:1:");
    request = request_of("");
    expect_refusal(&request, "no filter");
}

static void functions_of_c_need_trust(void **state)
{
    (void)state;
    struct flt_request request = request_of(
        "extern fn gain(f32) -> f32 from \"gain.h\";\n"
        "filter f(in : image<f32>[x]) -> out : image<f32>[x] { out[x] = gain(in[x]); }\n");
    expect_refusal(&request, "'gain' is a function of C");
    request.flags = FLT_TRUSTS_DECLARATIONS;
    struct flt_compilation made = flt_compile(&request);
    assert_string_equal(made.message_text, "");
    assert_int_equal(made.status, FLT_COMPILED);
    assert_non_null(strstr(made.file[0].text, "#include \"gain.h\""));
    flt_compilation_free(&made);
}

/* ---- Threads and memory ---- */

enum { THREADS = 4, CALLS = 8 };

static void *compile_often(void *expected)
{
    struct flt_request request = request_of(main_text);
    int of_thread = 0;
    request.context = &of_thread;
    size_t good = 0;
    for (int i = 0; i < CALLS; i++) {
        struct flt_compilation made = flt_compile(&request);
        good += made.status == FLT_COMPILED && strcmp(made.file[0].text, expected) == 0;
        flt_compilation_free(&made);
    }
    return (void *)(uintptr_t)good;
}

static void threads_do_not_meet(void **state)
{
    (void)state;
    const struct flt_request request = request_of(main_text);
    struct flt_compilation made = flt_compile(&request);
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(
            pthread_create(&thread[t], NULL, compile_often, (void *)(uintptr_t)made.file[0].text),
            0);
    for (int t = 0; t < THREADS; t++) {
        void *good;
        pthread_join(thread[t], &good);
        assert_int_equal((uintptr_t)good, CALLS);
    }
    flt_compilation_free(&made);
}

/* Each allocation of a call fails in turn: nothing is lost, and the next call is as before. */
static void memory_may_end_anywhere(void **state)
{
    (void)state;
    const struct flt_request request = request_of(main_text);
    int ended = 0;
    for (long n = 0; ended == 0; n++) {
        is_counted = true;
        taken = live = 0;
        most = n;
        struct flt_compilation made = flt_compile(&request);
        const int status = made.status;
        flt_compilation_free(&made);
        is_counted = false;
        if (live != 0)
            fail_msg("%ld of the first %ld blocks are lost, status %d", live, n, status);
        assert_true(status == FLT_NO_MEMORY || status == FLT_COMPILED);
        ended = status == FLT_COMPILED;
        assert_true(n < 100000);
    }
    most = -1;
}

/* ---- The command ---- */

static bool write_to(const char *folder, const char *name, const char *text, size_t length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;
    return file && fclose(file) == 0 && good;
}

static int compile_file(char **word)
{
    const struct flt_request request = {.size = sizeof request,
                                        .path = word[0],
                                        .target = word[2],
                                        .flags = (unsigned)atoi(word[3]),
                                        .settings = (const char *const *)word + 4};
    struct flt_compilation made = flt_compile(&request);
    bool good = write_to(word[1], "messages.json", made.messages, strlen(made.messages)) &&
                write_to(word[1], "messages.txt", made.message_text, strlen(made.message_text));
    for (size_t i = 0; i < made.file_count; i++)
        good = good && write_to(word[1], made.file[i].name, made.file[i].text, made.file[i].length);
    const int status = made.status;
    flt_compilation_free(&made);
    return good ? status : 9;
}

int main(int count, char **word)
{
    if (count > 5 && strcmp(word[1], "compile") == 0)
        return compile_file(word + 2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(imports_come_by_the_callback), cmocka_unit_test(requests_are_obeyed),
        cmocka_unit_test(wrong_requests_are_explained), cmocka_unit_test(functions_of_c_need_trust),
        cmocka_unit_test(threads_do_not_meet),          cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
