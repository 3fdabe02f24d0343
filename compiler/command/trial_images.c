#include "command/trial_images.h"

#include <float.h>
#include <math.h>

enum trial_axis trial_axis_of(size_t count, const struct stage *const image[],
                              const struct symbol *axis)
{
    for (size_t i = 0; i < count; i++) {
        unsigned end = image[i]->rank; /* of rows and columns */
        if (end > 2 && strcmp(image[i]->axis[end - 1].name->text, "c") == 0)
            end--;
        for (unsigned k = 0; k < image[i]->rank; k++)
            if (image[i]->axis[k].name == axis)
                return k + 1 == end && end == 1 ? TRIAL_LINE
                       : k + 1 == end           ? TRIAL_COLUMNS
                       : k + 2 == end           ? TRIAL_ROWS
                                                : TRIAL_OTHER;
    }
    return TRIAL_OTHER;
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t random_next(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One of many values that are not a number, of both signs, quiet: bits that f32 keeps, too. */
static double random_nan(uint64_t *seed)
{
    const uint64_t payload = (random_next(seed) & 0x3fffff) << 29, sign = random_next(seed) << 63;
    const uint64_t bits =
        UINT64_C(0x7ff8000000000000) | sign | (random_next(seed) % 2 ? payload : 0);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The ends of the types of floats; of the narrower ones some are infinite. */
static double random_end(uint64_t *seed)
{
    static const double end[] = {FLT_MAX, FLT_MIN, 0x1p-149,  65504,
                                 0x1p-24, DBL_MAX, 0x1p-1074, 1e38};
    const double value = end[random_next(seed) % (sizeof end / sizeof end[0])];
    return random_next(seed) % 2 ? value : -value;
}

static double random_real(uint64_t *seed)
{
    const double unit = (double)(random_next(seed) >> 11) * 0x1p-53;
    switch (random_next(seed) % 20) {
    case 0:
        return 0.0;
    case 1:
        return -0.0;
    case 2:
        return random_nan(seed);
    case 3:
        return random_next(seed) % 2 ? (double)INFINITY : (double)-INFINITY;
    case 4:
        return unit * 0x1p-140; /* a denormal f32 */
    case 5:
        return (unit - 0.5) * 1e30;
    case 6:
        return floor(unit * 512) - 256;
    case 7:
        return floor(unit * 512) / 2 - 128;
    case 8:
        return random_end(seed);
    default:
        return unit * 2 - 0.5;
    }
}

/* Memory of a caller may hold any byte; all but 0 are true. */
static int64_t random_truth(uint64_t random)
{
    const bool is_true = random & 1, is_one = (random >> 1) % 4 != 0;
    return !is_true ? 0 : is_one ? 1 : 1 + (int64_t)((random >> 8) % 255);
}

void random_samples(uint64_t *seed, struct samples *samples)
{
    const size_t count = samples_count(samples);
    const struct scalar_info *info = &scalar_info[samples->scalar];
    for (size_t i = 0; i < count; i++) {
        struct value v = {.integer = 0};
        if (scalar_is_float(samples->scalar))
            v = value_from_real(samples->scalar, (long double)random_real(seed));
        else if (samples->scalar == SCALAR_BOOL)
            v.integer = random_truth(random_next(seed));
        else if (random_next(seed) % 8 == 0)
            v.integer = random_next(seed) % 2 ? info->interval.least : info->interval.greatest;
        else if (samples->scalar == SCALAR_I64)
            v.integer = (int64_t)random_next(seed) >> (random_next(seed) % 64);
        else
            v.integer = info->interval.least +
                        (int64_t)(random_next(seed) % ((uint64_t)info->interval.greatest -
                                                       (uint64_t)info->interval.least + 1));
        value_write(samples->data + i * info->bytes, samples->scalar, v);
    }
}

/* ---- Levels of particles ---- */

/* The cell of a level that holds the sample has, or is given, that level. */
static int64_t cell_of(const struct samples *samples, size_t at, unsigned shift)
{
    int64_t cell = 0, side = 1;
    for (unsigned k = samples->rank; k-- > 0;) {
        const int64_t cells = ((samples->extent[k] - 1) >> shift) + 1;
        cell += (((int64_t)at % samples->extent[k]) >> shift) * side;
        at /= (size_t)samples->extent[k];
        side *= cells;
    }
    return cell;
}

/* Levels of particles: of cells of one level, or of some of them and of smaller ones; now and then
 * of none. */
static void random_levels(uint64_t *seed, struct samples *samples)
{
    const size_t count = samples_count(samples);
    unsigned levels = 1;
    for (unsigned k = 0; k < samples->rank; k++)
        while (((int64_t)1 << levels) < samples->extent[k])
            levels++;
    const unsigned level = 1 + (unsigned)(random_next(seed) % levels), shift = levels - level;
    const uint64_t finer = shift > 0 ? random_next(seed) % 4 : 0; /* cells of 4 */
    const uint64_t salt = random_next(seed);
    for (size_t i = 0; i < count; i++) {
        uint64_t cell = salt + (uint64_t)cell_of(samples, i, shift);
        samples->data[i] = (unsigned char)(level + (random_next(&cell) % 4 < finer));
    }
    if (random_next(seed) % 8 == 0) /* of nobody's particles */
        samples->data[random_next(seed) % count] ^= 1;
}

void random_input(uint64_t *seed, const struct stage *input, struct samples *samples)
{
    if (input->as.input.levels == input->name)
        random_levels(seed, samples);
    else
        random_samples(seed, samples);
}

struct value random_parameter(uint64_t *seed, const struct parameter *p)
{
    struct value v = {.integer = 0};
    const double unit = (double)(random_next(seed) >> 11) * 0x1p-53;
    if (p->scalar == SCALAR_BOOL) {
        v.integer = (int64_t)(random_next(seed) & 1);
    } else if (scalar_is_float(p->scalar)) {
        const double least = p->least ? p->least->as.real : -4;
        const double greatest = p->greatest ? p->greatest->as.real : 4;
        const double value = least + unit * (greatest - least);
        v = value_from_real(p->scalar, (long double)value);
    } else {
        const struct interval range =
            p->least ? (struct interval){p->least->as.integer, p->greatest->as.integer}
                     : (struct interval){0, 100};
        v.integer = range.least + (int64_t)(random_next(seed) %
                                            ((uint64_t)range.greatest - (uint64_t)range.least + 1));
    }
    return v;
}

const char *samples_difference(struct arena *arena, const struct samples *a,
                               const struct samples *b)
{
    if (a->scalar != b->scalar || a->rank != b->rank)
        return "results of different types";
    for (unsigned k = 0; k < a->rank; k++)
        if (a->extent[k] != b->extent[k] || a->first[k] != b->first[k])
            return arena_format(arena, "boxes differ along axis %u", k);
    const size_t count = samples_count(a);
    const unsigned bytes = scalar_info[a->scalar].bytes;
    for (size_t i = 0; i < count; i++) {
        const struct value x = value_read(a->data + i * bytes, a->scalar);
        const struct value y = value_read(b->data + i * bytes, b->scalar);
        if (value_equal(a->scalar, x, y))
            continue;
        if (scalar_is_float(a->scalar))
            return arena_format(arena, "sample %zu of %zu is %a, expected %a", i, count,
                                (double)value_real(a->scalar, y), (double)value_real(a->scalar, x));
        return arena_format(arena, "sample %zu of %zu is %lld, expected %lld", i, count,
                            (long long)y.integer, (long long)x.integer);
    }
    return NULL;
}
