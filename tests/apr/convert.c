/* convert save FOLDER: .apr files of several shapes and elements, and beside each what is in it:
 * NAME.end and NAME.x, rows of particles, NAME.value. convert load FILE...: of each file a line,
 * the sum of its values and the number of its particles, or what is wrong with it. */
#include "../unit/particles_file/files.h"

static bool write_raw(const char *folder, const char *name, const char *ending, const void *bytes,
                      size_t length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *stream = fopen(path, "wb");
    const bool good = stream && fwrite(bytes, 1, length, stream) == length;
    return (!stream || fclose(stream) == 0) && good;
}

static bool save_shape(const char *folder, int s)
{
    const enum flt_element element = file_elements[s % FILE_ELEMENTS];
    const int64_t *n = volume_shapes[s];
    struct volume v = volume_of_balls(n[0], n[1], n[2], (uint64_t)s);
    struct flt_apr *apr = apr_of(&v);
    struct listed l = listed_of(apr, 1, 2);
    void *value = values_for(apr, element);
    char path[4096], name[32];
    snprintf(name, sizeof name, "%d_%s", s, flt_element_name(element));
    snprintf(path, sizeof path, "%s/%s.apr", folder, name);
    const bool good =
        save_one(path, apr, element, value, NULL) == FLT_OK &&
        write_raw(folder, name, "end", l.end, l.rows.rows * sizeof *l.end) &&
        write_raw(folder, name, "x", l.x, l.rows.particles * sizeof *l.x) &&
        write_raw(folder, name, "value", value, l.rows.particles * flt_element_bytes(element));
    free(value);
    free_listed(&l);
    flt_apr_destroy(apr);
    free(v.pixel);
    return good;
}

static void load(const char *path)
{
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    if (flt_apr_load(path, NULL, NULL, 1, &file, &detail) != FLT_OK) {
        printf("%s\n", detail.text);
        return;
    }
    double sum = 0;
    const size_t bytes = file.apr->particles.count * flt_element_bytes(file.element);
    for (size_t i = 0; i < bytes; i++)
        sum += ((const unsigned char *)file.value)[i];
    printf("%.0f of %llu\n", sum, (unsigned long long)file.apr->particles.count);
    flt_apr_file_destroy(&file);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "save") == 0) {
        for (int s = 0; s < VOLUME_SHAPES; s++)
            if (!save_shape(argv[2], s))
                return 1;
        return 0;
    }
    if (argc < 3 || strcmp(argv[1], "load") != 0)
        return 3;
    for (int i = 2; i < argc; i++)
        load(argv[i]);
    return 0;
}
