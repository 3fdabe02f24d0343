/* Filters along one axis: strips of lines, by functions for this processor. Rows, whose samples lie
 * one behind the other, are turned, filtered, and turned back. */
#include "particles/lines.h"

typedef float lanes __attribute__((vector_size(64)));
typedef float lanes_anywhere __attribute__((vector_size(64), aligned(4), may_alias));

#define BODY "particles/lines_body.h"
#include "particles/for_processors.h"

/* Fewer than 16 lines, in a room of 16. */
static void do_few(const struct lines_filter *f, float *at, int64_t by, int64_t n, int64_t count,
                   float *room)
{
    float *own = room + 16 * n;
    memset(own, 0, (size_t)(16 * n) * sizeof *own);
    for (int64_t k = 0; k < n; k++)
        memcpy(own + 16 * k, at + k * by, (size_t)count * sizeof *own);
    FOR_THIS_PROCESSOR(strip)(f, own, 16, n, 16, room);
    for (int64_t k = 0; k < n; k++)
        memcpy(at + k * by, own + 16 * k, (size_t)count * sizeof *own);
}

void filter_columns(const struct lines_filter *f, float *first, int64_t n, int64_t stride,
                    int64_t count, float *room)
{
    for (int64_t some; count > 0; first += some, count -= some) {
        some = count >= STRIP ? STRIP : least_of(count, 16);
        if (some < 16)
            do_few(f, first, stride, n, some, room);
        else
            FOR_THIS_PROCESSOR(strip)(f, first, stride, n, some, room);
    }
}

/* ---- Rows ---- */

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t four_places __attribute__((vector_size(16)));

#ifdef __clang__
#define SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (four_places){i, j, k, l})
#endif

/* A square of 4 x 4. */
static inline void turn_four(const float *from, int64_t from_by, float *to, int64_t to_by)
{
    const four a = *(const four_anywhere *)from, b = *(const four_anywhere *)(from + from_by),
               c = *(const four_anywhere *)(from + 2 * from_by),
               d = *(const four_anywhere *)(from + 3 * from_by);
    const four ab = SHUFFLE(a, b, 0, 4, 1, 5), cd = SHUFFLE(c, d, 0, 4, 1, 5),
               ab2 = SHUFFLE(a, b, 2, 6, 3, 7), cd2 = SHUFFLE(c, d, 2, 6, 3, 7);
    *(four_anywhere *)to = SHUFFLE(ab, cd, 0, 1, 4, 5);
    *(four_anywhere *)(to + to_by) = SHUFFLE(ab, cd, 2, 3, 6, 7);
    *(four_anywhere *)(to + 2 * to_by) = SHUFFLE(ab2, cd2, 0, 1, 4, 5);
    *(four_anywhere *)(to + 3 * to_by) = SHUFFLE(ab2, cd2, 2, 3, 6, 7);
}

/* to[i * to_by + r] = from[r * from_by + i], for r < rows, i < n: lines of caches are filled one
 * after the other. */
static void turn(const float *from, int64_t from_by, int64_t rows, int64_t n, float *to,
                 int64_t to_by)
{
    const int64_t whole_rows = rows / 4 * 4, whole = n / 4 * 4;
    for (int64_t i = 0; i < whole; i += 4)
        for (int64_t r = 0; r < whole_rows; r += 4)
            turn_four(from + r * from_by + i, from_by, to + i * to_by + r, to_by);
    for (int64_t i = whole; i < n; i++)
        for (int64_t r = 0; r < whole_rows; r++)
            to[i * to_by + r] = from[r * from_by + i];
    for (int64_t r = whole_rows; r < rows; r++)
        for (int64_t i = 0; i < n; i++)
            to[i * to_by + r] = from[r * from_by + i];
}

void filter_rows(const struct lines_filter *f, float *row, int64_t count, int64_t n, float *room)
{
    for (int64_t some; count > 0; row += some * n, count -= some) {
        some = count >= STRIP / 2 ? STRIP / 2 : least_of(count, 16);
        const int64_t wide = some == STRIP / 2 ? STRIP / 2 : 16;
        if (some < 16)
            memset(room, 0, (size_t)(16 * n) * sizeof *room);
        turn(row, n, some, n, room, wide);
        FOR_THIS_PROCESSOR(strip)(f, room, wide, n, wide, room + wide * n);
        turn(room, wide, n, some, row, n);
    }
}
