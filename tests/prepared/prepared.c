/* Objects with tables of transforms: the same bytes with one and without; what is refused, and that
 * nothing beyond its bytes is read; no call takes memory; threads share one. */
#include "other.h"
#include "tabled.h"
#include "twin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 * 64 };

static unsigned passed, failed;

static void expect(const char *what, int holds)
{
    if (holds) {
        passed++;
        return;
    }
    failed++;
    fprintf(stderr, "FAIL %s\n", what);
}

/* ---- Memory ---- */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
static int allocations;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

/* As many bytes and not one more, aligned. */
static char *memory_of(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes ? bytes : 1) != 0)
        abort();
    return (char *)memory;
}

/* ---- Calls ---- */

struct results {
    float out[MOST];
    double wide[MOST];
};

struct call {
    float data[MOST];
    struct tabled_in in;
    int more;
    struct results results;
    struct tabled_out out;
    struct tabled_wide wide;
    char *scratch;
    size_t scratch_bytes;
};

static struct call *call_of(int y, int x, int more, unsigned seed)
{
    struct call *c = (struct call *)calloc(1, sizeof *c);
    if (!c)
        abort();
    const struct tabled_in in = {c->data, y, x, x, 1};
    const struct tabled_out out = {c->results.out, y, x, x, 1};
    const struct tabled_wide wide = {c->results.wide, y, x, x, 1};
    for (int i = 0; i < y * x; i++)
        c->data[i] = (float)((seed = seed * 1103515245u + 12345u) >> 16 & 1023);
    c->in = in;
    c->more = more;
    c->out = out;
    c->wide = wide;
    memset(&c->results, 0xa5, sizeof c->results);
    c->scratch_bytes = tabled_scratch_bytes(&c->in, more, &c->out, &c->wide, 2);
    c->scratch = memory_of(c->scratch_bytes);
    return c;
}

static void forget(struct call *c)
{
    free(c->scratch);
    free(c);
}

static int run(struct call *c)
{
    return tabled_run(&c->in, c->more, &c->out, &c->wide, c->scratch, c->scratch_bytes, 2);
}

static int run_prepared(struct call *c, const void *prepared, size_t bytes)
{
    return tabled_run_prepared(&c->in, c->more, &c->out, &c->wide, prepared, bytes, c->scratch,
                               c->scratch_bytes, 2);
}

static char *object_of(const struct call *c, size_t *bytes)
{
    *bytes = tabled_prepared_bytes(&c->in, c->more);
    char *object = memory_of(*bytes);
    expect("prepare", tabled_prepare(&c->in, c->more, object, *bytes) == TABLED_OK);
    return object;
}

/* ---- The same bytes ---- */

static void same_bytes(int y, int x, int more)
{
    struct call *plain = call_of(y, x, more, 7), *other = call_of(y, x, more, 7);
    size_t bytes;
    char *object = object_of(other, &bytes), *copy = memory_of(bytes);
    memcpy(copy, object, bytes);
    expect("a plain run", run(plain) == TABLED_OK);
    for (int time = 0; time < 2; time++) {
        memset(other->scratch, 0xff, other->scratch_bytes); /* no table is there */
        memset(&other->results, 0xa5, sizeof other->results);
        allocations = 0;
        expect("a run by tables", run_prepared(other, time ? copy : object, bytes) == TABLED_OK);
        expect("takes no memory", allocations == 0);
        expect("gives the same bytes",
               memcmp(&plain->results, &other->results, sizeof plain->results) == 0);
    }
    expect("the object is only read", memcmp(copy, object, bytes) == 0);
    free(copy);
    free(object);
    forget(plain);
    forget(other);
}

/* ---- What is refused ---- */

static void refused(const char *what, struct call *c, const void *object, size_t bytes, int status)
{
    struct results *gap = (struct results *)malloc(sizeof *gap);
    if (!gap)
        abort();
    memset(&c->results, 0xa5, sizeof c->results);
    memset(gap, 0xa5, sizeof *gap);
    expect(what, run_prepared(c, object, bytes) == status);
    expect("nothing is written", memcmp(gap, &c->results, sizeof *gap) == 0);
    free(gap);
}

static void objects_of_others(void)
{
    struct call *c = call_of(12, 17, 0, 1), *turned = call_of(17, 12, 0, 1);
    struct call *longer = call_of(12, 17, 3, 1), *small = call_of(2, 2, 0, 1);
    size_t bytes, bytes_turned, bytes_longer, bytes_small;
    char *object = object_of(c, &bytes), *of_turned = object_of(turned, &bytes_turned);
    char *of_longer = object_of(longer, &bytes_longer), *of_small = object_of(small, &bytes_small);
    refused("axes the other way round", c, of_turned, bytes_turned, TABLED_BAD_PREPARED);
    refused("a parameter that makes lines longer", c, of_longer, bytes_longer, TABLED_BAD_PREPARED);
    refused("lines that are longer now", longer, object, bytes, TABLED_BAD_PREPARED);
    refused("a small image's", c, of_small, bytes_small, TABLED_BAD_PREPARED);
    refused("a small image's that is said to be larger", small, object, 64, TABLED_BAD_PREPARED);
    refused("none", c, NULL, bytes, TABLED_NULL_POINTER);
    for (size_t less = 1; less <= bytes; less = less * 2 + 1) {
        char *cut = memory_of(bytes - less); /* no byte behind these may be read */
        memcpy(cut, object, bytes - less);
        refused("an object that is cut off", c, cut, bytes - less, TABLED_BAD_PREPARED);
        free(cut);
    }
    char *moved = memory_of(bytes + 64), *blank = memory_of(bytes);
    memcpy(moved + 4, object, bytes);
    refused("not aligned", c, moved + 4, bytes, TABLED_BAD_PREPARED);
    memset(blank, 0, bytes);
    refused("zeros", c, blank, bytes, TABLED_BAD_PREPARED);
    memset(blank, 0xff, bytes);
    refused("ones", c, blank, bytes, TABLED_BAD_PREPARED);
    c->scratch_bytes -= 1;
    refused("scratch memory still counts", c, object, bytes, TABLED_BAD_SCRATCH);
    c->scratch_bytes += 1;
    expect("after all that it runs", run_prepared(c, object, bytes) == TABLED_OK);
    free(moved);
    free(blank);
    free(object);
    free(of_turned);
    free(of_longer);
    free(of_small);
    forget(c);
    forget(turned);
    forget(longer);
    forget(small);
}

/* Of two filters that transform alike, each takes its own. */
static void other_filters(void)
{
    enum { Y = 5, X = 6, SCRATCH = 1 << 16 };
    static float data[Y * X], head[Y * X], tail[Y * X];
    const struct other_prepared in = {data, Y, X, X, 1};
    const struct other_length length = {data, Y, X, X, 1};
    const struct other_head out = {head, Y, X, X, 1};
    const struct other_prepared_bytes more = {tail, Y, X, X, 1};
    const struct twin_prepared twin_in = {data, Y, X, X, 1};
    const struct twin_length twin_length = {data, Y, X, X, 1};
    const size_t bytes = other_prepared_bytes(&in, &length);
    char *const object = memory_of(bytes), *const of_twin = memory_of(bytes);
    char *const scratch = memory_of(SCRATCH);
    expect("as many bytes", twin_prepared_bytes(&twin_in, &twin_length) == bytes);
    expect("prepare", other_prepare(&in, &length, object, bytes) == OTHER_OK);
    expect("of the twin", twin_prepare(&twin_in, &twin_length, of_twin, bytes) == TWIN_OK);
    expect("the twin's object", other_run_prepared(&in, &length, &out, &more, of_twin, bytes,
                                                   scratch, SCRATCH, 1) == OTHER_BAD_PREPARED);
    expect("its own", other_run_prepared(&in, &length, &out, &more, object, bytes, scratch, SCRATCH,
                                         1) == OTHER_OK);
    free(object);
    free(of_twin);
    free(scratch);
}

static void wrong_arguments(void)
{
    struct call *c = call_of(6, 10, 2, 1);
    const size_t bytes = tabled_prepared_bytes(&c->in, 2);
    char *memory = memory_of(bytes + 64);
    struct tabled_in empty = c->in;
    empty.y = 0;
    memset(memory, 0xa5, bytes + 64);
    expect("bytes of no image", tabled_prepared_bytes(NULL, 2) == SIZE_MAX);
    expect("bytes of no samples", tabled_prepared_bytes(&empty, 2) == SIZE_MAX);
    expect("bytes out of range", tabled_prepared_bytes(&c->in, 100) == SIZE_MAX);
    expect("no image", tabled_prepare(NULL, 2, memory, bytes) == TABLED_NULL_POINTER);
    expect("no memory", tabled_prepare(&c->in, 2, NULL, bytes) == TABLED_NULL_POINTER);
    expect("no samples", tabled_prepare(&empty, 2, memory, bytes) == TABLED_BAD_EXTENT);
    expect("out of range", tabled_prepare(&c->in, -1, memory, bytes) == TABLED_BAD_PARAMETER);
    expect("too small", tabled_prepare(&c->in, 2, memory, bytes - 1) == TABLED_BAD_PREPARED);
    expect("unaligned", tabled_prepare(&c->in, 2, memory + 8, bytes) == TABLED_BAD_PREPARED);
    for (size_t i = 0; i < bytes + 64; i++)
        if ((unsigned char)memory[i] != 0xa5)
            expect("nothing is written", 0);
    c->in.data = NULL; /* extents count alone */
    expect("without samples", tabled_prepare(&c->in, 2, memory, bytes) == TABLED_OK);
    expect("the status has words", strcmp(tabled_status_text(TABLED_BAD_PREPARED),
                                          tabled_status_text(TABLED_BAD_SCRATCH)) != 0);
    free(memory);
    forget(c);
}

/* ---- Threads ---- */

struct shared {
    const char *object;
    size_t bytes;
    int wrong;
};

static void *run_often(void *argument)
{
    struct shared *shared = (struct shared *)argument;
    struct call *plain = call_of(21, 33, 1, 3), *c = call_of(21, 33, 1, 3);
    shared->wrong += run(plain) != TABLED_OK;
    for (int i = 0; i < 20; i++) {
        memset(&c->results, 0, sizeof c->results);
        shared->wrong += run_prepared(c, shared->object, shared->bytes) != TABLED_OK ||
                         memcmp(c->results.out, plain->results.out, 21 * 33 * 4) != 0;
    }
    forget(plain);
    forget(c);
    return NULL;
}

static void threads_share(void)
{
    struct call *c = call_of(21, 33, 1, 3);
    size_t bytes;
    char *object = object_of(c, &bytes);
    struct shared shared[2] = {{object, bytes, 0}, {object, bytes, 0}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, run_often, &shared[i]) != 0)
            abort();
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    expect("two threads share an object", shared[0].wrong + shared[1].wrong == 0);
    free(object);
    forget(c);
}

int main(void)
{
    same_bytes(5, 7, 0);
    same_bytes(17, 19, 4);
    same_bytes(32, 48, 1);
    same_bytes(1, 1, 0);
    objects_of_others();
    other_filters();
    wrong_arguments();
    threads_share();
    printf("prepared: %u passed, %u failed\n", passed, failed);
    return failed != 0;
}
