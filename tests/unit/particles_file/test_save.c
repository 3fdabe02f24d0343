/* Saving where memory is missing, by several threads at once, and of as many arrays as there may
 * be. */
#include "files.h"

#include <hdf5.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Particles of nearly all pixels, with values that hardly get shorter. */
static struct flt_apr *apr_of_noise(int64_t y, int64_t x)
{
    struct volume v = volume_of_balls(1, y, x, 1);
    uint64_t random = 5;
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] += (float)(volume_random(&random) % 4 * 3000);
    struct flt_apr *apr = apr_of(&v);
    free(v.pixel);
    return apr;
}

/* ---- Memory ---- */

/* Each allocation of its own fails in turn, with files that grow many times. */
static void each_allocation_may_fail(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct flt_apr *apr = apr_of_noise(90, 200), *other = apr_of_noise(1, 30);
    void *value = values_for(apr, FLT_F64), *label = values_for(apr, FLT_U8);
    const struct flt_apr_values values[] = {{"light", FLT_F64, value}, {"label", FLT_U8, label}};
    const struct flt_apr_channel channel[] = {{"t1", other, NULL, values, 1},
                                              {"t", apr, NULL, values, 2}};
    for (long fails_at = 0;; fails_at++) {
        struct counted c = {.until_failure = fails_at};
        const struct flt_allocator allocator = {take_counted, give_back_counted, &c};
        struct flt_detail detail = {""};
        const enum flt_status status = flt_apr_save(path, channel, 2, &allocator, &detail);
        assert_int_equal(c.outstanding, 0);
        if (status == FLT_OK) {
            assert_true(fails_at > 30);
            break;
        }
        assert_int_equal(status, FLT_NO_MEMORY);
        assert_non_null(strstr(detail.text, "not enough memory"));
        assert_int_equal(files_in(state), 0);
    }
    assert_int_equal(files_in(state), 1);
    free(value);
    free(label);
    flt_apr_destroy(apr);
    flt_apr_destroy(other);
}

#ifdef __SANITIZE_ADDRESS__
static void all_memory_may_end(void **state)
{
    (void)state; /* the sanitizer ends the process where it has none */
    skip();
}
#else
static size_t used_bytes(void)
{
    long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(stream, "%ld", &pages), 1);
    fclose(stream);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* All memory of the process is in use but for so many bytes. */
static void leave_bytes(size_t bytes)
{
    void *reserve = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const struct rlimit limit = {used_bytes(), RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    for (size_t n = (size_t)1 << 26; n >= 16; n /= 2)
        for (void *volatile block = malloc(n); block; block = malloc(n))
            continue;
    munmap(reserve, bytes);
}

/* Loads the one file, or else saves the other, in a process of its own; returns its status, or -1
 * where it crashed. */
static int try_in(size_t bytes, const char *loaded, const char *saved, const struct flt_apr *apr,
                  const void *value)
{
    const pid_t child = fork();
    if (child == 0) {
        struct flt_apr_file file;
        leave_bytes(bytes);
        _exit(loaded ? (int)flt_apr_load(loaded, NULL, NULL, 1, &file, NULL)
                     : (int)save_one(saved, apr, FLT_U16, value, NULL));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Blosc, too, finds none: a status, or the same file. */
static void all_memory_may_end(void **state)
{
    enum { STEP = 150000, STEPS = 60 };
    const char *whole = in_folder(state, "whole.apr"), *path = in_folder(state, "a.apr");
    struct flt_apr *apr = apr_of_noise(300, 700);
    void *value = values_for(apr, FLT_U16);
    size_t length, later;
    int saved = 0, loaded = 0;
    assert_int_equal(save_one(whole, apr, FLT_U16, value, NULL), FLT_OK);
    unsigned char *bytes = bytes_of(whole, &length);
    for (int i = 1; i <= STEPS; i++) {
        int status = try_in((size_t)i * STEP, whole, NULL, apr, value);
        assert_true(status == FLT_OK || status == FLT_NO_MEMORY);
        loaded += status == FLT_OK;
        status = try_in((size_t)i * STEP, NULL, path, apr, value);
        assert_true(status == FLT_OK || status == FLT_NO_MEMORY || status == FLT_CANNOT_WRITE);
        assert_int_equal(files_in(state), status == FLT_OK ? 2 : 1);
        if (status != FLT_OK)
            continue;
        unsigned char *again = bytes_of(path, &later);
        assert_int_equal(length, later);
        assert_memory_equal(bytes, again, length);
        free(again);
        unlink(path);
        saved++;
    }
    assert_true(0 < saved && saved < STEPS && 0 < loaded && loaded < STEPS);
    free(bytes);
    free(value);
    flt_apr_destroy(apr);
}
#endif

/* ---- Threads ---- */

struct task {
    char path[4096];
    const struct flt_apr *apr;
    const void *value;
    enum flt_status status;
};

static void *save_often(void *user)
{
    struct task *task = user;
    for (int i = 0; i < 20 && task->status == FLT_OK; i++)
        task->status = save_one(task->path, task->apr, FLT_U16, task->value, NULL);
    return NULL;
}

static void threads_may_save(void **state)
{
    enum { THREADS = 4 };
    struct flt_apr *apr = apr_of_noise(20, 30);
    void *value = values_for(apr, FLT_U16);
    struct task task[THREADS];
    pthread_t thread[THREADS];
    size_t length[2];
    for (int i = 0; i < THREADS; i++) {
        task[i] = (struct task){.apr = apr, .value = value, .status = FLT_OK};
        const char name[] = {(char)('a' + i), 0};
        snprintf(task[i].path, sizeof task[i].path, "%s", in_folder(state, name));
        assert_int_equal(pthread_create(&thread[i], NULL, save_often, &task[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    unsigned char *first = bytes_of(task[0].path, &length[0]);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(task[i].status, FLT_OK);
        unsigned char *bytes = bytes_of(task[i].path, &length[1]);
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(first, bytes, length[0]);
        free(bytes);
    }
    free(first);
    free(value);
    flt_apr_destroy(apr);
}

/* ---- Limits ---- */

/* As many channels, and arrays of one, as there may be; HDF5's library finds each. */
static void as_many_as_there_may_be(void **state)
{
    enum { MOST = 1000 };
    const char *path = in_folder(state, "a.apr");
    struct flt_apr *apr = apr_of_noise(1, 3);
    void *value = values_for(apr, FLT_U8);
    static char name[MOST][16];
    static struct flt_apr_values values[MOST];
    static struct flt_apr_channel channel[MOST];
    for (int i = 0; i < MOST; i++) {
        snprintf(name[i], sizeof name[i], "%d", 7 * i);
        values[i] = (struct flt_apr_values){name[i], FLT_U8, value};
        channel[i] = (struct flt_apr_channel){name[i], apr, NULL, values, i == 0 ? MOST : 1};
    }
    assert_int_equal(flt_apr_save(path, channel, MOST, NULL, NULL), FLT_OK);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t root = H5Gopen2(file, "ParticleRepr", H5P_DEFAULT);
    const hid_t first = H5Gopen2(root, "0", H5P_DEFAULT);
    H5G_info_t info;
    assert_true(H5Gget_info(root, &info) >= 0 && info.nlinks == MOST);
    assert_true(H5Gget_info(first, &info) >= 0 && info.nlinks == MOST + 2);
    for (int i = 0; i < MOST; i++) {
        const hid_t group = H5Gopen2(root, name[i], H5P_DEFAULT);
        const hid_t data = H5Dopen2(first, name[i], H5P_DEFAULT);
        assert_true(group >= 0 && data >= 0);
        H5Dclose(data);
        H5Gclose(group);
    }
    H5Gclose(first);
    H5Gclose(root);
    H5Fclose(file);
    struct flt_apr_file loaded;
    assert_loads(path, &(struct flt_apr_choice){name[MOST - 1], 0, NULL}, &loaded);
    assert_same_values(&loaded, FLT_U8, value);
    flt_apr_file_destroy(&loaded);
    free(value);
    flt_apr_destroy(apr);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(each_allocation_may_fail),
        IN_FOLDER(all_memory_may_end),
        IN_FOLDER(threads_may_save),
        IN_FOLDER(as_many_as_there_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
