/* mutate_particles SEED COUNT [FILE...]: loads COUNT damaged .apr files of each kind, made in
 * memory from small ones, in both layouts, compressed and not; or of each FILE. To be built with
 * sanitizers: they find the faults; this program checks what load promises, that pixels can be
 * made of what it returns, memory and time. Prints how many of each kind still loaded. Exit
 * status: 1 if a promise was broken, 3 for wrong usage; a file that takes long ends it by SIGPROF.
 * With KEEP=FOLDER in the environment each file is written there before it is loaded.
 * mutate_particles --write FOLDER: the valid files, there. */
#include "../unit/particles_file/files.h"
#include "../unit/particles_file/edit.h"
#include "check/files.h"
#include "check/measure.h"
#include "flt/image.h"

#include <sys/time.h>

/* xorshift64*: Marsaglia 2003, Vigna 2016. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d;
}

/* 0 .. count - 1 */
static size_t below(size_t count, uint64_t *state)
{
    return (size_t)((next_random(state) >> 33) % count);
}

struct bytes {
    unsigned char *at;
    size_t length;
};

static struct bytes copy_of(const struct bytes *file)
{
    struct bytes copy = {malloc(file->length + 1), file->length};
    memcpy(copy.at, file->at, file->length);
    return copy;
}

/* ---- Valid files ---- */

static struct flt_apr *apr_for(int64_t z, int64_t y, int64_t x)
{
    struct volume v = volume_of_balls(z, y, x, 11);
    struct flt_apr *apr = NULL;
    if (flt_apr_create(&apr, v.pixel, v.extent, &settings_of_balls, NULL, 1) != FLT_OK)
        abort();
    free(v.pixel);
    return apr;
}

static struct bytes saved(const struct flt_apr *apr, enum flt_element element)
{
    char name[] = "/tmp/flt-mutate-XXXXXX";
    const int handle = mkstemp(name);
    void *value = values_for(apr, element);
    struct bytes file;
    if (handle < 0 || save_one(name, apr, element, value, NULL) != FLT_OK)
        abort();
    file.at = bytes_of(name, &file.length);
    close(handle);
    unlink(name);
    free(value);
    return file;
}

enum layout { ROWS, PLAIN_ROWS, CHUNKS, MAPS, OLD_MAPS };

static struct bytes make(int64_t z, int64_t y, int64_t x, enum flt_element element,
                         enum layout layout)
{
    struct flt_apr *apr = apr_for(z, y, x);
    struct bytes file = saved(apr, element);
    if (layout != ROWS) {
        void *value = values_for(apr, element);
        struct listed l = listed_of(apr, 1, 2);
        const hid_t id = edit_open(file.at, file.length);
        free(file.at);
        if (layout == PLAIN_ROWS) {
            memmove(l.end + 1, l.end, l.rows.rows * sizeof *l.end);
            l.end[0] = 0;
            edit_data(id, "xz_end_vec", H5T_STD_U64LE, l.rows.rows + 1, l.end);
            edit_data(id, "y_vec", H5T_STD_U16LE, l.rows.particles, l.x);
            edit_data(id, "particles", H5T_STD_U16LE, l.rows.particles, value);
        } else if (layout == CHUNKS) {
            const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(list, 1, &(hsize_t){3});
            edit_data_as(id, "particles", H5T_STD_U16BE, 1, &(hsize_t){l.rows.particles}, list,
                         value);
            edit_data_as(id, "y_vec", H5T_STD_U16LE, 1, &(hsize_t){l.rows.particles}, list, l.x);
            H5Pclose(list);
        } else
            edit_to_maps(id, apr);
        if (layout == OLD_MAPS)
            H5Adelete_by_name(id, EDIT_CHANNEL, "lzxy_order", H5P_DEFAULT);
        file.at = edit_close(id, &file.length);
        free_listed(&l);
        free(value);
    }
    flt_apr_destroy(apr);
    return file;
}

static struct bytes make_line(void)
{
    return make(1, 1, 50, FLT_F32, ROWS);
}
static struct bytes make_picture(void)
{
    return make(1, 19, 30, FLT_U8, ROWS);
}
static struct bytes make_volume(void)
{
    return make(9, 12, 11, FLT_U16, ROWS);
}
static struct bytes make_plain(void)
{
    return make(9, 12, 11, FLT_U16, PLAIN_ROWS);
}
static struct bytes make_chunks(void)
{
    return make(9, 12, 11, FLT_U16, CHUNKS);
}
static struct bytes make_maps(void)
{
    return make(9, 12, 11, FLT_I64, MAPS);
}
static struct bytes make_old_maps(void)
{
    return make(9, 11, 12, FLT_F64, OLD_MAPS);
}

static const struct kind {
    const char *name;
    struct bytes (*make)(void);
} kinds[] = {{"line", make_line},
             {"picture", make_picture},
             {"volume", make_volume},
             {"volume, not packed", make_plain},
             {"many chunks", make_chunks},
             {"maps", make_maps},
             {"maps, older order", make_old_maps}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- Damage ---- */

static void change_bit(struct bytes *file, uint64_t *random)
{
    file->at[below(file->length, random)] ^= (unsigned char)(1 << below(8, random));
}

static void change_byte(struct bytes *file, uint64_t *random)
{
    static const unsigned char telling[] = {0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff};
    file->at[below(file->length, random)] = telling[below(sizeof telling, random)];
}

/* Bytes that a length, a count or an offset may stand in, 2, 4 or 8 of them. */
static void claim(struct bytes *file, uint64_t *random)
{
    static const uint64_t claims[] = {0,       1,          65535,      65536,      0x7fffffff,
                                      1 << 20, 0x80000000, 0xffffffff, 1ull << 40, UINT64_MAX};
    const uint64_t value = claims[below(sizeof claims / sizeof claims[0], random)];
    const size_t bytes = (size_t)2 << below(3, random);
    if (file->length >= bytes)
        memcpy(file->at + below(file->length - bytes + 1, random), &value, bytes);
}

static void cut(struct bytes *file, uint64_t *random)
{
    file->length = 1 + below(file->length, random);
}

static void copy_part(struct bytes *file, uint64_t *random)
{
    const size_t length = 1 + below(file->length < 16 ? file->length : 16, random);
    const size_t from = below(file->length - length + 1, random);
    const size_t to = below(file->length - length + 1, random);
    memmove(file->at + to, file->at + from, length);
}

/* Bytes that are not 0, which tell something. */
static void change_content(struct bytes *file, uint64_t *random)
{
    for (int tries = 0; tries < 50; tries++) {
        const size_t at = below(file->length, random);
        if (file->at[at] != 0) {
            file->at[at] = (unsigned char)(file->at[at] + (below(2, random) ? 1 : -1));
            return;
        }
    }
}

static void mutate(struct bytes *file, uint64_t *random)
{
    static void (*const mutations[])(struct bytes *, uint64_t *) = {
        change_bit, change_byte, change_content, change_content, copy_part, claim};
    if (below(20, random) == 0)
        cut(file, random);
    for (size_t left = 1 + below(4, random); left > 0; left--)
        mutations[below(sizeof mutations / sizeof mutations[0], random)](file, random);
}

enum { MOST_SECONDS = 20 };

/* Whether what load promises holds. */
static bool try_load(const struct bytes *file, size_t *loads)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = MOST_SECONDS}, NULL);
    const bool kept = check_particles(file->at, file->length, loads);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    return kept;
}

/* For a closer look. */
static void keep_file(const struct bytes *file)
{
    const char *folder = getenv("KEEP");
    char path[4096];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/last.apr", folder);
    write_bytes(path, file->at, file->length);
}

static bool try_kind(const char *name, const struct bytes *valid, size_t count, uint64_t *random)
{
    size_t loads = 0;
    bool kept = try_load(valid, &loads);
    if (loads != 1) {
        fprintf(stderr, "mutate_particles: %s: the undamaged file does not load\n", name);
        return false;
    }
    for (size_t i = 0; i < count && kept; i++) {
        struct bytes file = copy_of(valid);
        mutate(&file, random);
        keep_file(&file);
        kept = try_load(&file, &loads);
        free(file.at);
    }
    printf("%-20s %zu of %zu loaded\n", name, loads - 1, count);
    return kept;
}

/* The undamaged file of each kind, in the folder. False: it cannot be written. */
static bool write_kinds(const char *folder)
{
    bool is_written = true;
    for (size_t i = 0; i < KINDS; i++) {
        struct bytes file = kinds[i].make();
        char path[4096];
        snprintf(path, sizeof path, "%s/%zu", folder, i);
        is_written &= write_bytes(path, file.at, file.length);
        free(file.at);
    }
    return is_written;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: mutate_particles SEED COUNT [FILE...]\n"
                        "       mutate_particles --write FOLDER\n");
        return 3;
    }
    if (strcmp(argv[1], "--write") == 0)
        return write_kinds(argv[2]) ? 0 : 1;
    uint64_t random = strtoull(argv[1], NULL, 10) * 2 + 1;
    const size_t count = strtoull(argv[2], NULL, 10);
    const size_t own = argc == 3 ? KINDS : 0, all = own + (size_t)(argc - 3);
    size_t passed = 0;
    for (size_t i = 0; i < own; i++) {
        struct bytes valid = kinds[i].make();
        passed += try_kind(kinds[i].name, &valid, count, &random);
        free(valid.at);
    }
    for (int i = 3; i < argc; i++) {
        struct bytes valid;
        valid.at = bytes_of(argv[i], &valid.length);
        const char *slash = strrchr(argv[i], '/');
        passed += try_kind(slash ? slash + 1 : argv[i], &valid, count, &random);
        free(valid.at);
    }
    printf("kinds of adaptive images: %zu passed, %zu failed\n", passed, all - passed);
    return passed == all ? 0 : 1;
}
