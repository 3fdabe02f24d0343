/* Small functions in emitted files. A helper is identified by its name; its text is made from a
 * pattern, so that one row serves all element types. */
#include "emit/emission.h"
#include "elementary/elementary.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert(BYPASS_PART == 512, "flt_stream_part says so");

/* In blocks of so many rows and columns, where the compiler has them; the rest sample by sample. */
#define TRANSPOSE(name, size)                                                                      \
    "static inline void " name                                                                     \
    "($T *FLT_RESTRICT to, ptrdiff_t to_stride, const $T *FLT_RESTRICT "                           \
    "from,\n    ptrdiff_t from_stride, int rows, int columns)\n{\n"                                \
    "#if defined(__clang__) || __GNUC__ >= 12\n"                                                   \
    "    const int high = rows / " size " * " size ", wide = columns / " size " * " size ";\n"     \
    "    for (int y = 0; y < high; y += " size ") {\n"                                             \
    "        for (int x = 0; x < wide; x += " size ")\n"                                           \
    "            $N_block(to + x * to_stride + y, to_stride, from + y * from_stride + x, "         \
    "from_stride);\n"                                                                              \
    "        for (int x = wide; x < columns; x++)\n"                                               \
    "            for (int i = y; i < y + " size "; i++)\n"                                         \
    "                to[x * to_stride + i] = from[i * from_stride + x];\n    }\n"                  \
    "#else\n    const int high = 0;\n#endif\n"                                                     \
    "    for (int y = high; y < rows; y++)\n        for (int x = 0; x < columns; x++)\n"           \
    "            to[x * to_stride + y] = from[y * from_stride + x];\n}\n"

/* The transform of a panel, compiled once for each level of processor, whatever the kernels are
 * that call it. */
/* clang-format off */
#define LINES(name)                                                                                \
    LINES_OF("", "$N_base", name)                                                                  \
    "#ifdef FLT_V3\n" LINES_OF("FLT_V3 ", "$N_v3", name) "#endif\n"                                \
    "#ifdef FLT_V4\n" LINES_OF("FLT_V4 ", "$N_v4", name) "#endif\n"                                \
    "static inline void $N(int norm, int64_t n, const $T *table, $T *panel)\n{\n"                  \
    LINES_AT("4") LINES_AT("3")                                                                    \
    "    $N_base(norm, n, table, panel);\n}\n"
#define LINES_OF(level, function, name)                                                            \
    level "static void " function "(int norm, int64_t n, const $T *table, $T *panel)\n{\n"         \
    "    flt_" name "_$S(norm, n, table, panel);\n}\n"
#define LINES_AT(level)                                                                            \
    "#ifdef FLT_V" level "\n    if (FLT_CPU >= " level ") {\n"                                     \
    "        $N_v" level "(norm, n, table, panel);\n        return;\n    }\n#endif\n"
/* clang-format on */

/* $T the C type, $S its suffix ("f32"), $N the name. Rows whose type does not matter have type
 * NULL. */
static const struct {
    const char *pattern;
    const char *types; /* suffixes it exists for */
    const char *text;
} helper[] = {
#define TRANSFORM(kind, name, samples, inverse, times, more, table)                                \
    {#name "_lines", "f32 f64", LINES(#name)},
#include "transform/transforms.def"
#undef TRANSFORM
    {"min", "u8 i8 u16 i16 i32 i64 f32 f64",
     "static inline $T $N($T a, $T b)\n{\n    return a < b ? a : b;\n}\n"},
    {"max", "u8 i8 u16 i16 i32 i64 f32 f64",
     "static inline $T $N($T a, $T b)\n{\n    return a > b ? a : b;\n}\n"},
    {"abs", "i32 i64", "static inline $T $N($T a)\n{\n    return a < 0 ? -a : a;\n}\n"},
    /* gcc 12 takes 0.0f - (float)i for -(float)i, which is -0 where i is 0. */
    {"keep", "f32 f64",
     "/* v, apart from the 0 it is added to. */\nstatic inline $T $N($T v)\n{\n    return v;\n}\n"},
    /* gcc 12 makes -fma(-a, b, c) a single operation, whose 0 has the other sign. */
    {"negate", "f32",
     "/* -v, apart from the fused operation that gave v. */\n"
     "static inline $T $N($T v)\n{\n"
     "    return flt_from_bits_f32(flt_bits_f32(v) ^ UINT32_C(1) << 31);\n}\n"},
    {"negate", "f64",
     "/* -v, apart from the fused operation that gave v. */\n"
     "static inline $T $N($T v)\n{\n"
     "    return flt_from_bits(flt_bits(v) ^ UINT64_C(1) << 63);\n}\n"},
    {"floor_divide", "i32 i64",
     "/* Toward minus infinity; by zero: 0. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    if (b == 0)\n        return 0;\n"
     "    return ($T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));\n}\n"},
    {"floor_remainder", "i32 i64",
     "/* The sign of b; by zero: 0. Coordinates near a border need no division. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    if (a >= 0 && a < b)\n        return a;\n"
     "    if (a < 0 && b > 0 && a >= -b)\n        return a + b;\n"
     "    if (b == 0 || b == -1)\n        return 0;\n"
     "    return ($T)(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));\n}\n"},
    {"shift_left", "i32",
     "static inline $T $N($T a, $T b)\n{\n"
     "    return ($T)((uint32_t)a << b);\n}\n"},
    {"shift_left", "i64",
     "static inline $T $N($T a, $T b)\n{\n"
     "    return ($T)((uint64_t)a << b);\n}\n"},
    {"prefetch", "row",
     "/* A row that is wanted soon; those of a tile do not follow one another in memory. */\n"
     "static inline void $N(const void *from, int64_t bytes)\n{\n"
     "#if defined(__GNUC__)\n"
     "    for (int64_t i = 0; i < bytes; i += 64)\n"
     "        __builtin_prefetch((const char *)from + i);\n"
     "#else\n    (void)from;\n    (void)bytes;\n#endif\n}\n"},
    /* Blocks of 8 x 8 and 4 x 4 in registers. Each step takes apart what two rows hold in turn. */
    {"transpose", "f32 u32 i32",
     "/* to[x * to_stride + y] = from[y * from_stride + x] */\n"
     "#if defined(__clang__) || __GNUC__ >= 12\n"
     "#define FLT_SHUFFLE __builtin_shufflevector\n"
     "typedef $T $N_8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
     "static inline void $N_block($T *to, ptrdiff_t to_stride, const $T *from, ptrdiff_t "
     "from_stride)\n"
     "{\n"
     "    $N_8 r[8], t[8];\n"
     "    for (int i = 0; i < 8; i++)\n        r[i] = *(const $N_8 *)(from + i * from_stride);\n"
     "    for (int i = 0; i < 8; i += 2) {\n"
     "        t[i] = FLT_SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);\n"
     "        t[i + 1] = FLT_SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);\n    }\n"
     "    for (int i = 0; i < 8; i += 4) {\n"
     "        r[i] = FLT_SHUFFLE(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);\n"
     "        r[i + 1] = FLT_SHUFFLE(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);\n"
     "        r[i + 2] = FLT_SHUFFLE(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);\n"
     "        r[i + 3] = FLT_SHUFFLE(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);\n    }\n"
     "    for (int i = 0; i < 4; i++) {\n"
     "        *($N_8 *)(to + i * to_stride) =\n"
     "            FLT_SHUFFLE(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);\n"
     "        *($N_8 *)(to + (i + 4) * to_stride) =\n"
     "            FLT_SHUFFLE(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);\n    }\n}\n"
     "#endif\n" TRANSPOSE(
         "$N_rest",
         "8") "#if defined(__AVX512F__) && (defined(__clang__) || __GNUC__ >= 12)\n"
              "/* 16 by 16, in whole lines of the cache. */\n"
              "typedef $T $N_16 __attribute__((vector_size(64), aligned(4), may_alias));\n"
              "static inline __attribute__((always_inline)) void $N_lines($T *to, ptrdiff_t "
              "to_stride,\n    const $T *from, ptrdiff_t from_stride)\n{\n"
              "    $N_16 r[16], t[16];\n"
              "    for (int i = 0; i < 16; i++)\n"
              "        r[i] = *(const $N_16 *)(from + i * from_stride);\n"
              "    for (int i = 0; i < 16; i += 2) {\n"
              "        t[i] = FLT_SHUFFLE(r[i], r[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, "
              "25, 12, 28,\n            13, 29);\n"
              "        t[i + 1] = FLT_SHUFFLE(r[i], r[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, "
              "11, 27,\n            14, 30, 15, 31);\n    }\n"
              "    for (int i = 0; i < 16; i += 4)\n        for (int k = 0; k < 2; k++) {\n"
              "            r[i + 2 * k] = FLT_SHUFFLE(t[i + k], t[i + k + 2], 0, 1, 16, 17, 4, 5, "
              "20, 21, 8, 9,\n                24, 25, 12, 13, 28, 29);\n"
              "            r[i + 2 * k + 1] = FLT_SHUFFLE(t[i + k], t[i + k + 2], 2, 3, 18, 19, 6, "
              "7, 22, 23,\n                10, 11, 26, 27, 14, 15, 30, 31);\n        }\n"
              "    for (int i = 0; i < 4; i++)\n        for (int k = 0; k < 16; k += 8) {\n"
              "            t[k + i] = FLT_SHUFFLE(r[k + i], r[k + i + 4], 0, 1, 2, 3, 16, 17, 18, "
              "19, 8, 9, 10,\n                11, 24, 25, 26, 27);\n"
              "            t[k + i + 4] = FLT_SHUFFLE(r[k + i], r[k + i + 4], 4, 5, 6, 7, 20, 21, "
              "22, 23, 12,\n                13, 14, 15, 28, 29, 30, 31);\n        }\n"
              "    for (int i = 0; i < 8; i++) {\n"
              "        *($N_16 *)(to + i * to_stride) = FLT_SHUFFLE(t[i], t[i + 8], 0, 1, 2, 3, 4, "
              "5, 6, 7,\n            16, 17, 18, 19, 20, 21, 22, 23);\n"
              "        *($N_16 *)(to + (i + 8) * to_stride) = FLT_SHUFFLE(t[i], t[i + 8], 8, 9, "
              "10, 11, 12,\n            13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);\n    }\n}\n"
              "#endif\n"
              "static inline void $N($T *FLT_RESTRICT to, ptrdiff_t to_stride, const $T "
              "*FLT_RESTRICT from,\n    ptrdiff_t from_stride, int rows, int columns)\n{\n"
              "    int high = 0, wide = 0;\n"
              "#if defined(__AVX512F__) && (defined(__clang__) || __GNUC__ >= 12)\n"
              "    high = rows / 16 * 16;\n    wide = columns / 16 * 16;\n"
              "    for (int y = 0; y < high; y += 16)\n        for (int x = 0; x < wide; x += "
              "16)\n            $N_lines(to + x * to_stride + y, to_stride, from + y * from_stride "
              "+ "
              "x,\n                from_stride);\n"
              "    if (high == rows && wide == columns)\n        return;\n"
              "#endif\n"
              "    $N_rest(to + wide * to_stride, to_stride, from + wide, from_stride, high, "
              "columns - wide);\n"
              "    $N_rest(to + high, to_stride, from + high * from_stride, from_stride, rows - "
              "high,\n        columns);\n}\n"},
    {"transpose", "f64 i64",
     "/* to[x * to_stride + y] = from[y * from_stride + x] */\n"
     "#if defined(__clang__) || __GNUC__ >= 12\n"
     "#define FLT_SHUFFLE __builtin_shufflevector\n"
     "typedef $T $N_4 __attribute__((vector_size(32), aligned(8), may_alias));\n"
     "static inline void $N_block($T *to, ptrdiff_t to_stride, const $T *from, ptrdiff_t "
     "from_stride)\n"
     "{\n"
     "    $N_4 r[4], t[4];\n"
     "    for (int i = 0; i < 4; i++)\n        r[i] = *(const $N_4 *)(from + i * from_stride);\n"
     "    for (int i = 0; i < 4; i += 2) {\n"
     "        t[i] = FLT_SHUFFLE(r[i], r[i + 1], 0, 4, 2, 6);\n"
     "        t[i + 1] = FLT_SHUFFLE(r[i], r[i + 1], 1, 5, 3, 7);\n    }\n"
     "    for (int i = 0; i < 2; i++) {\n"
     "        *($N_4 *)(to + i * to_stride) = FLT_SHUFFLE(t[i], t[i + 2], 0, 1, 4, 5);\n"
     "        *($N_4 *)(to + (i + 2) * to_stride) = FLT_SHUFFLE(t[i], t[i + 2], 2, 3, 6, 7);\n    "
     "}\n}\n"
     "#endif\n" TRANSPOSE("$N", "4")},
    /* Each step adds what was summed 1, 2 and 4 samples back. */
    {"running_sum", "u32 i32",
     "/* to[i] = to[i - 1] + from[i], modulo 2^32. */\n"
     "#if defined(__clang__) || __GNUC__ >= 12\n"
     "typedef uint32_t $N_8 __attribute__((vector_size(32), aligned(4), may_alias));\n"
     "#endif\n"
     "FLT_INLINE void $N($T *FLT_RESTRICT to, const $T *FLT_RESTRICT from, int64_t count)\n"
     "{\n"
     "    uint32_t sum = (uint32_t)to[-1];\n"
     "    int64_t i = 0;\n"
     "#if defined(__clang__) || __GNUC__ >= 12\n"
     "    const $N_8 none = {0};\n"
     "    $N_8 before = none + sum;\n"
     "    for (; i + 8 <= count; i += 8) {\n"
     "        $N_8 v = *(const $N_8 *)(from + i);\n"
     "        v += __builtin_shufflevector(none, v, 0, 8, 9, 10, 11, 12, 13, 14);\n"
     "        v += __builtin_shufflevector(none, v, 0, 1, 8, 9, 10, 11, 12, 13);\n"
     "        v += __builtin_shufflevector(none, v, 0, 1, 2, 3, 8, 9, 10, 11);\n"
     "        *($N_8 *)(to + i) = v + before;\n"
     "        before += __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);\n"
     "    }\n"
     "    sum = before[0];\n"
     "#endif\n"
     "    for (; i < count; i++) {\n"
     "        sum += (uint32_t)from[i];\n"
     "        to[i] = ($T)sum;\n"
     "    }\n"
     "}\n"},
    {"lookup", "u8",
     "/* to[i] = table[from[i]], of 256 entries. */\n"
     "#if defined(__AVX512VBMI__) && defined(__GNUC__)\n#include <immintrin.h>\n#endif\n"
     "static inline void $N($T *FLT_RESTRICT to, const $T *from, const $T *table, int64_t count)\n"
     "{\n    int64_t i = 0;\n"
     "#if defined(__AVX512VBMI__) && defined(__GNUC__)\n"
     "    const __m512i t0 = _mm512_loadu_si512(table), t1 = _mm512_loadu_si512(table + 64);\n"
     "    const __m512i t2 = _mm512_loadu_si512(table + 128), t3 = _mm512_loadu_si512(table + "
     "192);\n"
     "    for (; i + 64 <= count; i += 64) {\n"
     "        const __m512i at = _mm512_loadu_si512(from + i);\n"
     "        const __m512i low = _mm512_permutex2var_epi8(t0, at, t1);\n"
     "        const __m512i high = _mm512_permutex2var_epi8(t2, at, t3);\n"
     "        _mm512_storeu_si512(to + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, "
     "high));\n"
     "    }\n"
     "#endif\n"
     "    for (; i + 4 <= count; i += 4) {\n"
     "        const $T a = table[from[i]], b = table[from[i + 1]];\n"
     "        const $T c = table[from[i + 2]], d = table[from[i + 3]];\n"
     "        to[i] = a;\n        to[i + 1] = b;\n        to[i + 2] = c;\n        to[i + 3] = d;\n"
     "    }\n"
     "    for (; i < count; i++)\n        to[i] = table[from[i]];\n}\n"},
    {"saturating_sum", "u32",
     "/* At most the greatest value. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    const $T sum = a + b;\n    return sum < a ? UINT32_MAX : sum;\n}\n"},
    /* Lines of the cache that are written whole need not be read before. */
    {"stream", "row",
     "/* Copies samples past the caches. */\n"
     "#if defined(__AVX512F__)\n#define FLT_LANES_BYTES 64\n"
     "#define FLT_STREAM_LANES __builtin_ia32_movntdq512\n"
     "#elif defined(__AVX__)\n#define FLT_LANES_BYTES 32\n"
     "#define FLT_STREAM_LANES __builtin_ia32_movntdq256\n"
     "#else\n#define FLT_LANES_BYTES 16\n#define FLT_STREAM_LANES __builtin_ia32_movntdq\n"
     "#endif\n"
     "#if defined(__clang__)\n#undef FLT_STREAM_LANES\n"
     "#define FLT_STREAM_LANES(to, value) __builtin_nontemporal_store(value, to)\n#endif\n"
     "static inline void $N(void *to, const void *from, int64_t bytes)\n{\n"
     "    char *t = (char *)to;\n    const char *f = (const char *)from;\n"
     "#if defined(__SSE2__) && defined(__GNUC__)\n"
     "    typedef long long lanes __attribute__((vector_size(FLT_LANES_BYTES), may_alias));\n"
     "    typedef long long anywhere\n"
     "        __attribute__((vector_size(FLT_LANES_BYTES), may_alias, aligned(1)));\n"
     "    const int64_t before = (int64_t)(-(uintptr_t)t & 63);\n"
     "    const int64_t lead = before < bytes ? before : bytes;\n"
     "    memcpy(t, f, (size_t)lead);\n"
     "    for (t += lead, f += lead, bytes -= lead; bytes >= 64; t += 64, f += 64, bytes -= 64)\n"
     "        for (size_t i = 0; i < 64; i += sizeof(lanes)) {\n"
     "            const lanes v = *(const anywhere *)(f + i);\n"
     "            FLT_STREAM_LANES((lanes *)(void *)(t + i), v);\n        }\n"
     "#endif\n"
     "    memcpy(t, f, (size_t)bytes);\n}\n"},
    {"stream", "part",
     "/* How many samples are stored past the caches at a time: up to the end of a line of these.\n"
     " * All, where none are. */\n"
     "static inline int64_t $N(const void *to, int64_t bytes, int streams)\n{\n"
     "    return streams ? (512 - (int64_t)((uintptr_t)to & 63)) / bytes : INT64_C(1) << 62;\n}\n"},
    {"stream", "end",
     "/* Other threads see what was copied before. */\n"
     "static inline void $N(void)\n{\n"
     "#if defined(__SSE2__) && defined(__GNUC__)\n    __builtin_ia32_sfence();\n#endif\n}\n"},
    {"turn", "f32 u32 i32 f64 i64 u8 i8 u16 i16 f16 bool",
     "/* to[x * to_stride + y] = from[y * from_stride + x], past the caches where the image is "
     "large. */\n"
     "#if defined(__GNUC__)\n#define FLT_ON_LINES __attribute__((aligned(64)))\n#else\n"
     "#define FLT_ON_LINES\n#endif\n"
     "static inline void $N($T *FLT_RESTRICT to, ptrdiff_t to_stride, const $T *FLT_RESTRICT "
     "from,\n    ptrdiff_t from_stride, int rows, int columns, int streams)\n{\n"
     "    enum { WIDE = 16, HIGH = 64 };\n    $T part[WIDE * HIGH] FLT_ON_LINES;\n"
     "    if (!streams) {\n"
     "        flt_transpose_$S(to, to_stride, from, from_stride, rows, columns);\n"
     "        return;\n    }\n"
     "    for (int x = 0; x < columns; x += WIDE)\n"
     "        for (int y = 0; y < rows; y += HIGH) {\n"
     "            const int wide = columns - x < WIDE ? columns - x : WIDE;\n"
     "            const int high = rows - y < HIGH ? rows - y : HIGH;\n"
     "            flt_transpose_$S(part, HIGH, from + y * from_stride + x, from_stride, high, "
     "wide);\n"
     "            for (int i = 0; i < wide; i++)\n"
     "                flt_stream_row(to + (x + i) * to_stride + y, part + HIGH * i,\n"
     "                               high * (int64_t)sizeof *part);\n"
     "        }\n}\n"},
    {"transpose", "u8 i8 u16 i16 f16 bool",
     "/* to[x * to_stride + y] = from[y * from_stride + x] */\n"
     "static inline void $N($T *FLT_RESTRICT to, ptrdiff_t to_stride, const $T *FLT_RESTRICT "
     "from,\n"
     "    ptrdiff_t from_stride, int rows, int columns)\n{\n"
     "    for (int y = 0; y < rows; y++)\n        for (int x = 0; x < columns; x++)\n"
     "            to[x * to_stride + y] = from[y * from_stride + x];\n}\n"},
    /* The order -inf < ... < -0 < +0 < ... < inf < NaN, by choices and bits alone: gcc makes no
     * vectors of branches. Only zeros are equal and differ in bits. */
    {"lesser", "f32",
     "/* The lesser in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    const $T least = a < b ? a : b;\n"
     "    const $T ordered = flt_from_bits_f32(flt_bits_f32(least) | (a == b ? flt_bits_f32(a) : "
     "0));\n"
     "    return b != b ? a : ordered;\n}\n"},
    {"lesser", "f64",
     "/* The lesser in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    const $T least = a < b ? a : b;\n"
     "    const $T ordered = flt_from_bits(flt_bits(least) | (a == b ? flt_bits(a) : 0));\n"
     "    return b != b ? a : ordered;\n}\n"},
    {"order", "f32",
     "/* The place of v in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline int64_t $N($T v)\n{\n"
     "    const uint32_t bits = flt_bits_f32(v);\n"
     "    const int64_t size = bits & INT32_MAX;\n"
     "    return size > 0x7f800000 ? 0x7f800001 : bits >> 31 ? -size - 1 : size;\n}\n"},
    {"order", "f64",
     "/* The place of v in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline int64_t $N($T v)\n{\n"
     "    const uint64_t bits = flt_bits(v);\n"
     "    const int64_t size = (int64_t)(bits & INT64_MAX), infinity = "
     "INT64_C(0x7ff0000000000000);\n"
     "    return size > infinity ? infinity + 1 : bits >> 63 ? -size - 1 : size;\n}\n"},
    {"greater", "f32",
     "/* The greater in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    const $T greatest = a > b ? a : b;\n"
     "    const $T ordered =\n"
     "        flt_from_bits_f32(flt_bits_f32(greatest) & (a == b ? flt_bits_f32(a) : "
     "UINT32_MAX));\n"
     "    return a != a ? a : ordered;\n}\n"},
    {"greater", "f64",
     "/* The greater in the order -inf < ... < -0 < +0 < ... < inf < NaN. */\n"
     "static inline $T $N($T a, $T b)\n{\n"
     "    const $T greatest = a > b ? a : b;\n"
     "    const $T ordered =\n"
     "        flt_from_bits(flt_bits(greatest) & (a == b ? flt_bits(a) : ~UINT64_C(0)));\n"
     "    return a != a ? a : ordered;\n}\n"},
};

static const char *c_type(const char *suffix)
{
    const enum scalar scalar = scalar_from_text(suffix);
    return scalar == SCALAR_COUNT ? "" : scalar_info[scalar].c_type;
}

/* Narrow types: the value is limited first, so that the conversion is a plain one. The rounded
 * value is never -0: without trapping math gcc takes it itself for the integer made of it and
 * turned back into a float. */
static void print_narrow_conversion(struct emission *e, const char *name, enum scalar to,
                                    enum scalar from, const char *rounding)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *letter = from == SCALAR_F32 ? "f" : "";
    const char *type = scalar_info[from].c_type;
    text_print(e->out, "static inline %s %s(%s v)\n{\n", t->c_type, name, type);
    if (t->interval.least == 0)
        text_print(e->out, "    v = v > 0 ? v : 0; /* NaN too */\n");
    else
        text_print(e->out, "    v = v == v ? v : 0;\n    v = v > %lld.0%s ? v : %lld.0%s;\n",
                   (long long)t->interval.least, letter, (long long)t->interval.least, letter);
    text_print(e->out, "    v = v < %lld.0%s ? v : %lld.0%s;\n    return (%s)",
               (long long)t->interval.greatest, letter, (long long)t->interval.greatest, letter,
               t->c_type);
    text_print(e->out,
               t->interval.least == 0 ? "%s%s(v);\n}\n" : "(%s%s(v) + 0); /* not -0 */\n}\n",
               rounding, letter);
}

/* Wide types, whose greatest value is no float: compared with the power of two above it. */
static void print_wide_conversion(struct emission *e, const char *name, enum scalar to,
                                  enum scalar from, const char *rounding)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *letter = from == SCALAR_F32 ? "f" : "";
    const char *upper = to == SCALAR_U32   ? "4294967296.0"
                        : to == SCALAR_I32 ? "2147483648.0"
                                           : "9223372036854775808.0";
    const char *least = to == SCALAR_U32 ? "0" : to == SCALAR_I32 ? "INT32_MIN" : "INT64_MIN";
    const char *most = to == SCALAR_U32   ? "UINT32_MAX"
                       : to == SCALAR_I32 ? "INT32_MAX"
                                          : "INT64_MAX";
    text_print(e->out, "static inline %s %s(%s v)\n{\n", t->c_type, name, scalar_info[from].c_type);
    text_print(e->out, "    if (v != v)\n        return 0;\n    v = %s%s(v)%s\n", rounding, letter,
               to == SCALAR_U32 ? ";" : " + 0; /* not -0 */");
    text_print(e->out, "    if (v >= %s%s)\n        return %s;\n", upper, letter, most);
    if (to == SCALAR_U32)
        text_print(e->out, "    return v > 0 ? (uint32_t)v : 0;\n}\n");
    else
        text_print(e->out, "    return v < -%s%s ? %s : (%s)v;\n}\n", upper, letter, least,
                   t->c_type);
}

static void print_saturation(struct emission *e, const char *name, enum scalar to, enum scalar from)
{
    const struct scalar_info *t = &scalar_info[to];
    const char *type = scalar_info[from].c_type;
    text_print(e->out, "static inline %s %s(%s v)\n{\n", t->c_type, name, type);
    const struct interval lane = scalar_info[from].interval;
    if (t->interval.least > lane.least)
        text_print(
            e->out, "    if (v < %lld%s)\n        return %lld%s;\n",
            (long long)t->interval.least + (to == SCALAR_I32), to == SCALAR_I32 ? " - 1" : "",
            (long long)t->interval.least + (to == SCALAR_I32), to == SCALAR_I32 ? " - 1" : "");
    if (t->interval.greatest < lane.greatest)
        text_print(e->out,
                   to == SCALAR_U32 ? "    if (v > INT64_C(%lld))\n        return %lldU;\n"
                                    : "    if (v > %lld)\n        return %lld;\n",
                   (long long)t->interval.greatest, (long long)t->interval.greatest);
    text_print(e->out, "    return (%s)v;\n}\n", t->c_type);
}

/* flt_u8_round_f32, flt_i16_trunc_f64, flt_u8_saturate_i32 */
static bool print_conversion(struct emission *e, const char *name)
{
    char to_text[8], how[16], from_text[8];
    if (sscanf(name, "flt_%7[a-z0-9]_%15[a-z]_%7[a-z0-9]", to_text, how, from_text) != 3)
        return false;
    const enum scalar to = scalar_from_text(to_text), from = scalar_from_text(from_text);
    if (to == SCALAR_COUNT || from == SCALAR_COUNT)
        return false;
    if (strcmp(how, "saturate") == 0)
        print_saturation(e, name, to, from);
    else if (scalar_info[to].bytes < 4)
        print_narrow_conversion(e, name, to, from, strcmp(how, "round") == 0 ? "rint" : "trunc");
    else
        print_wide_conversion(e, name, to, from, strcmp(how, "round") == 0 ? "rint" : "trunc");
    return true;
}

static const struct elementary_text *text_in(const struct elementary_text texts[], const char *name)
{
    for (const struct elementary_text *t = texts; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static const struct elementary_text *elementary_find(const struct emission *e, const char *name)
{
    const struct elementary_text *given = e->opened ? text_in(given_texts, name) : NULL;
    return given ? given : text_in(elementary_texts, name);
}

static void print_elementary(struct emission *e, const struct elementary_text *text);

static void print_mentioned(struct emission *e, const struct elementary_text *text,
                            const struct elementary_text texts[])
{
    for (const struct elementary_text *t = texts; t->name; t++)
        if (strcmp(t->name, text->name) != 0 && text_mentions(text->text, t->name))
            print_elementary(e, elementary_find(e, t->name));
}

/* As the dialect defines it, if it has a definition of its own. */
static const char *definition(const struct emission *e, const struct elementary_text *text)
{
    const struct arithmetic_text *d = e->helpers.spelled ? e->dialect->definitions : NULL;
    for (; d && d->name; d++)
        if (strcmp(d->name, text->name) == 0)
            return d->text;
    return text->text;
}

/* What the text mentions stands before it. */
static void print_behind_mentioned(struct emission *e, const struct elementary_text *text)
{
    print_mentioned(e, text, elementary_texts);
    if (e->opened)
        print_mentioned(e, text, given_texts);
    text_print(e->out, "%s", definition(e, text));
}

static void print_elementary(struct emission *e, const struct elementary_text *text)
{
    if (hash_map_find(&e->helpers.known, text))
        return;
    hash_map_put(e->arena, &e->helpers.known, text, (void *)(uintptr_t)text);
    print_behind_mentioned(e, text);
    text_print(e->out, "\n");
}

static void print_pattern(struct emission *e, const char *pattern, const char *name,
                          const char *suffix)
{
    struct text text = text_create(e->arena);
    for (const char *c = pattern; *c; c++) {
        if (c[0] != '$') {
            text_append(&text, c, 1);
            continue;
        }
        c++;
        text_print(&text, "%s", *c == 'T' ? c_type(suffix) : *c == 'N' ? name : suffix);
    }
    print_behind_mentioned(e, &(const struct elementary_text){name, text.bytes});
}

static void print_helper(struct emission *e, const char *name)
{
    if (print_conversion(e, name))
        return;
    const char *suffix = strrchr(name, '_') + 1;
    const size_t stem = (size_t)(suffix - 1 - name) - strlen("flt_");
    for (size_t i = 0; i < sizeof helper / sizeof helper[0]; i++)
        if (strlen(helper[i].pattern) == stem &&
            strncmp(helper[i].pattern, name + strlen("flt_"), stem) == 0 &&
            strstr(helper[i].types, suffix))
            print_pattern(e, helper[i].text, name, suffix);
}

const char *helper_use(struct emission *e, const char *name)
{
    const struct symbol *symbol = symbol_from(&e->session->symbols, name);
    if (!hash_map_find(&e->helpers.known, symbol)) {
        hash_map_put(e->arena, &e->helpers.known, symbol, (void *)(uintptr_t)symbol);
        VECTOR_PUSH(e->arena, &e->helpers.list, symbol->text);
    }
    return symbol->text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_helpers(struct emission *e)
{
    if (e->helpers.list.count)
        qsort(e->helpers.list.item, e->helpers.list.count, sizeof *e->helpers.list.item, by_name);
    for (size_t i = 0; i < e->helpers.list.count; i++) {
        const char *name = e->helpers.list.item[i];
        const struct elementary_text *elementary = elementary_find(e, name);
        if (elementary) {
            print_elementary(e, elementary);
        } else {
            print_helper(e, name);
            text_print(e->out, "\n");
        }
    }
}

const char *arithmetic_use(struct emission *e, const char *name)
{
    const struct symbol *symbol = symbol_from(&e->session->symbols, name);
    hash_map_put(e->arena, &e->helpers.known, symbol, (void *)(uintptr_t)symbol);
    return name;
}

void helpers_print(struct emission *e, bool spell)
{
    struct text *const out = e->out;
    struct text plain = text_create(e->arena);
    e->helpers.spelled = spell;
    if (!spell) {
        print_helpers(e);
        return;
    }
    e->out = &plain;
    print_helpers(e);
    e->out = out;
    const struct text spelled = spell_helpers(e, plain.length ? plain.bytes : "");
    for (const struct arithmetic_text *a = e->dialect->arithmetic; a && a->name; a++)
        if (hash_map_find(&e->helpers.known, symbol_from(&e->session->symbols, a->name)))
            text_print(out, "%s\n", a->text);
    text_append(out, spelled.bytes, spelled.length);
}
