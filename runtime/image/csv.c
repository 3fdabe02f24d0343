/* Tables of numbers as text: a line for each row, commas between its numbers. A single number and
 * an array of one axis have one number a line. Read as f64, whatever the numbers are: the axes of a
 * single column are x, of others y, x. Source: RFC 4180, without quotes and names of columns. */
#include "image/codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/numbers.h"

/* ---- Loading ---- */

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* What numbers are made of, nan and inf too. */
static bool is_of_numbers(unsigned char c)
{
    return c && (strchr("0123456789+-.eE,\n", c) || strchr("naifNAIF", c) || is_blank(c));
}

/* Whether the first line, as far as it is there, consists of numbers. */
bool flt_is_csv(const struct file_bytes *file)
{
    enum { LOOKED_AT = 4096 };
    size_t at = 0, digits = 0;
    double odd;
    while (at < file->length && is_blank(file->bytes[at]))
        at++;
    if (file->length - at >= 3 && flt_odd_real_of((const char *)file->bytes + at, 3, &odd))
        digits++;
    for (; at < file->length && at < LOOKED_AT && file->bytes[at] != '\n'; at++) {
        if (!is_of_numbers(file->bytes[at]))
            return false;
        digits += file->bytes[at] >= '0' && file->bytes[at] <= '9';
    }
    return digits > 0;
}

bool flt_measure_csv(const struct file_bytes *file, bool is_all, size_t *length)
{
    *length = file->length;
    return is_all;
}

struct table {
    const struct file_bytes *file;
    size_t at;
    uint64_t rows, columns;
};

static enum flt_status damaged(const struct table *table, const char *what,
                               struct flt_detail *detail)
{
    return flt_fail(FLT_CORRUPT, detail, "%s %s in line %llu", flt_short_name(table->file->name),
                    what, (unsigned long long)table->rows + 1);
}

/* Of the text, which is between two commas; blanks around it are skipped. */
static bool take_number(const char *text, size_t length, double *value)
{
    while (length > 0 && is_blank((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && is_blank((unsigned char)text[length - 1]))
        length--;
    return flt_real_of(text, length, value) || flt_odd_real_of(text, length, value);
}

/* One line; out: where its numbers go, or NULL. */
static enum flt_status take_line(struct table *table, double *out, struct flt_detail *detail)
{
    const char *const bytes = (const char *)table->file->bytes;
    const char *const line = bytes + table->at, *const end = bytes + table->file->length;
    const char *const stop = memchr(line, '\n', (size_t)(end - line));
    const char *at = line, *const last = stop ? stop : end;
    uint64_t count = 0;
    do {
        const char *const comma = memchr(at, ',', (size_t)(last - at));
        const char *const next = comma ? comma : last;
        double value;
        if (!take_number(at, (size_t)(next - at), &value))
            return damaged(table, "has no number where one should be", detail);
        if (out)
            out[count] = value;
        count++;
        at = next + 1;
    } while (at <= last);
    if (table->rows > 0 && count != table->columns)
        return damaged(table, "has another number of columns", detail);
    table->columns = count;
    table->rows++;
    table->at = (size_t)(last - bytes) + (stop != NULL);
    return FLT_OK;
}

static bool is_at_end(const struct table *table)
{
    size_t at = table->at;
    while (at < table->file->length &&
           (is_blank(table->file->bytes[at]) || table->file->bytes[at] == '\n'))
        at++;
    return at == table->file->length;
}

enum flt_status flt_load_csv(const struct file_bytes *file, struct flt_image *image,
                             struct flt_detail *detail)
{
    struct table table = {.file = file};
    enum flt_status status = FLT_OK;
    while (status == FLT_OK && !is_at_end(&table))
        status = take_line(&table, NULL, detail);
    if (status != FLT_OK)
        return status;
    const uint64_t extent[2] = {table.rows, table.columns};
    status = flt_check_extents(file->name, 2, extent, detail);
    if (status != FLT_OK)
        return status;
    const bool is_column = table.columns == 1;
    status =
        flt_image_create(image, FLT_F64, is_column ? 1 : 2,
                         is_column ? (const char *const[]){"x"} : (const char *const[]){"y", "x"},
                         (const int32_t[]){(int32_t)table.rows, (int32_t)table.columns});
    if (status != FLT_OK)
        return status;
    image->has_plain_axes = true;
    table = (struct table){.file = file};
    while (status == FLT_OK && !is_at_end(&table))
        status = take_line(&table, (double *)image->data + table.rows * extent[1], detail);
    return status;
}

/* ---- Saving ---- */

static int print_sample(enum flt_element element, const void *sample, FILE *out)
{
    char text[FLT_REAL_TEXT];
    switch (element) {
    case FLT_BOOL:
    case FLT_U8:
        return fprintf(out, "%u", *(const uint8_t *)sample);
    case FLT_I8:
        return fprintf(out, "%d", *(const int8_t *)sample);
    case FLT_U16:
        return fprintf(out, "%u", *(const uint16_t *)sample);
    case FLT_I16:
        return fprintf(out, "%d", *(const int16_t *)sample);
    case FLT_U32:
        return fprintf(out, "%lu", (unsigned long)*(const uint32_t *)sample);
    case FLT_I32:
        return fprintf(out, "%ld", (long)*(const int32_t *)sample);
    case FLT_I64:
        return fprintf(out, "%lld", (long long)*(const int64_t *)sample);
    case FLT_F16:
        flt_print_float(flt_float_of_half(*(const uint16_t *)sample), text);
        break;
    case FLT_F32:
        flt_print_float(*(const float *)sample, text);
        break;
    case FLT_F64:
        flt_print_real(*(const double *)sample, text);
        break;
    }
    return fputs(text, out);
}

enum flt_status flt_save_csv(const struct flt_image *image, const struct file_out *out,
                             struct flt_detail *detail)
{
    const int rank = image->rank;
    if (rank > 2)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold an image of %d axes, only of 2: save it as .npy",
                        flt_short_name(out->name), rank);
    const int32_t rows = rank > 0 ? image->extent[0] : 1, columns = rank > 1 ? image->extent[1] : 1;
    const size_t size = flt_element_bytes(image->element);
    const ptrdiff_t down = rank > 0 ? image->stride[0] : 0,
                    across = rank > 1 ? image->stride[1] : 0;
    bool good = true;
    for (int32_t y = 0; good && y < rows; y++)
        for (int32_t x = 0; good && x < columns; x++) {
            const void *const sample =
                (const char *)image->data + (y * down + x * across) * (ptrdiff_t)size;
            good = print_sample(image->element, sample, out->stream) >= 0 &&
                   putc(x + 1 < columns ? ',' : '\n', out->stream) != EOF;
        }
    return good ? FLT_OK : FLT_CANNOT_WRITE;
}
