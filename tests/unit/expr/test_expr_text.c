/* The textual form of expressions: printed and read back, the same nodes; what cannot be read. */
#include "expr/expr_read.h"
#include "expr/expr_verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"

static const struct expr_source source[] = {
    {"in", SCALAR_U8, {0, UINT8_MAX}},
    {"smooth.up", SCALAR_F32, {0, 0}},
};
enum { SOURCES = 2 };

static const struct symbol *name(struct session *session, const char *text)
{
    return symbol_from(&session->symbols, text);
}

static const struct expr *index_variable(struct session *session, const char *text, int64_t least,
                                         int64_t greatest)
{
    const struct interval interval = {least, greatest};
    return expr_variable(&session->pool, VARIABLE_INDEX, name(session, text),
                         scalar_width(interval), interval);
}

/* The table, the shared lines, and "= " with each root. */
static const char *print(struct session *session, size_t count, const struct expr *const root[])
{
    struct text body = text_create(session->scratch), text = text_create(session->scratch);
    struct expr_printer printer = expr_printer_open(&body, source, SOURCES);
    expr_print_shared(&printer, count, root);
    for (size_t i = 0; i < count; i++) {
        text_print(&body, "= ");
        expr_print(&printer, root[i]);
        text_print(&body, "\n");
    }
    expr_print_variables(&printer, &text);
    text_append(&text, body.bytes, body.length);
    return text.bytes;
}

static struct expr_reader open_reader(struct session *session, const char *text)
{
    struct expr_reader reader = expr_reader_open(session, "test", text, strlen(text));
    for (uint32_t i = 0; i < SOURCES; i++) {
        VECTOR_PUSH(session->scratch, &reader.sources, source[i]);
        hash_map_put_bytes(session->scratch, &reader.ids, source[i].text, strlen(source[i].text),
                           (void *)(uintptr_t)(i + 1));
    }
    return reader;
}

static size_t read(struct session *session, const char *text, const struct expr *root[])
{
    struct expr_reader reader = open_reader(session, text);
    size_t count = 0;
    expr_read_variables(&reader);
    expr_read_shared(&reader);
    while (ir_accept(&reader.ir, "="))
        root[count++] = expr_read(&reader);
    ir_expect_kind(&reader.ir, IR_END);
    return count;
}

/* Prints the roots, expects the text (unless it is NULL), and reads it back. */
static void expect_round_trip(struct session *session, size_t count,
                              const struct expr *const root[], const char *expected)
{
    const struct expr *again[16];
    const char *text = print(session, count, root);
    if (expected)
        assert_string_equal(text, expected);
    assert_int_equal(read(session, text, again), count);
    assert_int_equal(session->diagnostics.error_count, 0);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(root[i], again[i]);
    assert_string_equal(print(session, count, again), text);
}

static void expect_one(struct session *session, const struct expr *root, const char *expected)
{
    expect_round_trip(session, 1, &root, expected);
}

/* Reads "= text", which is wrong, with x and p declared; the place is that of the word. */
static void expect_mistake(struct session *session, const char *text, const char *place,
                           const char *message)
{
    const char *all = arena_format(session->scratch,
                                   "variable x : index i32 0 .. 9\n"
                                   "variable p : parameter f32\n= %s\n",
                                   text);
    const struct expr *root[16];
    session->diagnostics.list.count = 0;
    read(session, all, root);
    assert_int_equal(session->diagnostics.list.count, 1);
    const struct diagnostic *d = session->diagnostics.list.item[0];
    assert_string_equal(d->text, message);
    const struct source_file *file = source_map_file(&session->sources, d->span.start);
    const size_t offset = d->span.start - file->start;
    assert_int_equal(offset,
                     place ? (size_t)(strstr(strstr(all, "= "), place) - all) : strlen(all));
}

/* ---- Round trips ---- */

static void integers_and_truth_values(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *const root[] = {
        expr_integer(pool, 0),         expr_integer(pool, -7),   expr_integer(pool, INT64_MIN),
        expr_integer(pool, INT64_MAX), expr_boolean(pool, true), expr_boolean(pool, false),
        expr_integer(pool, 1),
    };
    expect_round_trip(session, 7, root,
                      "= 0\n= -7\n= -9223372036854775808\n= 9223372036854775807\n= true\n= false\n"
                      "= 1\n");
}

static void reals_keep_every_bit(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *const root[] = {
        expr_real(pool, SCALAR_F32, 0.1),
        expr_real(pool, SCALAR_F64, 0.1),
        expr_real(pool, SCALAR_F32, -0.0),
        expr_real(pool, SCALAR_F64, (double)NAN),
        expr_real(pool, SCALAR_F32, (double)INFINITY),
        expr_real(pool, SCALAR_F64, (double)-INFINITY),
        expr_real(pool, SCALAR_F32, 1.401298464324817e-45),
        expr_real(pool, SCALAR_F64, 5e-324),
        expr_real(pool, SCALAR_F64, 1.7976931348623157e308),
        expr_real(pool, SCALAR_F32, 16777216),
    };
    expect_round_trip(session, 10, root,
                      "= 0.1:f32\n= 0.1:f64\n= -0.0:f32\n= nan:f64\n= inf:f32\n= -inf:f64\n"
                      "= 1e-45:f32\n= 5e-324:f64\n= 1.7976931348623157e+308:f64\n"
                      "= 16777216.0:f32\n");
    /* 7.038531e-26 is a float whose decimal is rounded twice, and wrongly, when read as double. */
    expect_one(session, expr_real(pool, SCALAR_F32, (double)7.038531e-26f), "= 7.038531e-26:f32\n");
}

static void random_floats(void **state)
{
    struct session *session = *state;
    uint64_t bits = 12345;
    for (int i = 0; i < 2000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double real;
        float single;
        const uint32_t half = (uint32_t)(bits >> 32);
        memcpy(&real, &bits, sizeof real);
        memcpy(&single, &half, sizeof single);
        expect_one(session, expr_real(&session->pool, SCALAR_F64, real), NULL);
        expect_one(session, expr_real(&session->pool, SCALAR_F32, (double)single), NULL);
    }
}

static void variables_of_one_name(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct interval any = {0, 9}, large = {0, (int64_t)1 << 40};
    const struct expr *const root[] = {
        index_variable(session, "x", 0, 99),
        index_variable(session, "x", -1, 99),
        expr_variable(pool, VARIABLE_PARAMETER, name(session, "x"), SCALAR_F32, any),
        expr_variable(pool, VARIABLE_EXTENT, name(session, "in.y"), SCALAR_I64, large),
        expr_variable(pool, VARIABLE_LOCAL, name(session, "nan"), SCALAR_BOOL,
                      (struct interval){0, 1}),
        expr_variable(pool, VARIABLE_LOCAL, name(session, "a `b`\\\n\x01é"), SCALAR_U8,
                      scalar_info[SCALAR_U8].interval),
        expr_variable(pool, VARIABLE_LOCAL, name(session, "x'2"), SCALAR_I64,
                      scalar_info[SCALAR_I64].interval),
    };
    expect_round_trip(session, 7, root,
                      "variable x : index i32 0 .. 99\n"
                      "variable x'2 : index i32 -1 .. 99\n"
                      "variable x'3 : parameter f32\n"
                      "variable in.y : extent i64 0 .. 1099511627776\n"
                      "variable `nan` : local bool\n"
                      "variable `a \\`b\\`\\\\\\n\\x01é` : local u8\n"
                      "variable `x'2` : local i64\n"
                      "= x\n= x'2\n= x'3\n= in.y\n= `nan`\n= `a \\`b\\`\\\\\\n\\x01é`\n= `x'2`\n");
}

/* Every kind of shape FUNCTION, over operands that none of the identities applies to. */
static void every_function(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *integer[3], *real[3], *truth[3];
    static const char *const letter[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        const struct symbol *symbol = name(session, letter[i]);
        integer[i] = index_variable(session, letter[i], 0, 9);
        real[i] =
            expr_variable(pool, VARIABLE_PARAMETER, symbol, SCALAR_F32, (struct interval){0, 0});
        truth[i] =
            expr_variable(pool, VARIABLE_LOCAL, symbol, SCALAR_BOOL, (struct interval){0, 1});
    }
    unsigned functions = 0;
    for (unsigned kind = 0; kind < EXPR_KIND_COUNT; kind++) {
        if (expr_info[kind].shape != SHAPE_FUNCTION)
            continue;
        const struct expr *const mixed[] = {truth[0], real[1], real[2]};
        const struct expr *const *const operand[] = {integer, real, truth, mixed};
        const int operands = expr_info[kind].operands;
        const unsigned count = operands < 0 ? 3 : (unsigned)operands;
        unsigned built = 0;
        for (int i = 0; i < 4; i++) {
            if (expr_check_operation(session->scratch, (enum expr_kind)kind, count, operand[i],
                                     true))
                continue;
            const struct expr *node = expr_operation(pool, (enum expr_kind)kind, count, operand[i]);
            expect_one(session, node, NULL);
            built++;
        }
        assert_true(built > 0);
        functions++;
    }
    assert_true(functions > 25);
}

static void conversions(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = expr_variable(pool, VARIABLE_PARAMETER, name(session, "p"), SCALAR_F32,
                                         (struct interval){0, 0});
    const struct expr *const root[] = {
        expr_convert(pool, CONVERT_ROUND, SCALAR_U8, p),
        expr_convert(pool, CONVERT_TRUNCATE, SCALAR_I64, p),
        expr_convert(pool, CONVERT_EXACT, SCALAR_F64, p),
        expr_convert(pool, CONVERT_WRAP, SCALAR_I8, index_variable(session, "x", 0, 999)),
    };
    expect_round_trip(session, 4, root,
                      "variable p : parameter f32\n"
                      "variable x : index i32 0 .. 999\n"
                      "= convert(round, u8, p)\n= convert(truncate, i64, p)\n"
                      "= convert(exact, f64, p)\n= convert(wrap, i8, x)\n");
}

static void loads(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *y = index_variable(session, "y", 0, 9);
    const struct expr *x = index_variable(session, "x", 0, 9);
    const struct expr *extent = expr_variable(pool, VARIABLE_EXTENT, name(session, "in.x"),
                                              SCALAR_I32, (struct interval){1, 100});
    const struct expr *const index[] = {y, expr_binary(pool, EXPR_ADD, x, expr_integer(pool, 1))};
    const struct border border[] = {{.rule = BORDER_CLAMP},
                                    {.rule = BORDER_ZERO,
                                     .value = expr_integer(pool, 0),
                                     .first = expr_integer(pool, 0),
                                     .extent = extent}};
    const struct border inside[] = {{.rule = BORDER_NONE}, {.rule = BORDER_WRAP}};
    const struct interval u8 = scalar_info[SCALAR_U8].interval, f32 = {0, 1};
    const struct expr *const root[] = {
        expr_load(pool, 0, SCALAR_U8, u8, 2, index, NULL),
        expr_load(pool, 0, SCALAR_U8, u8, 2, index, border),
        expr_load(pool, 0, SCALAR_U8, u8, 2, index, inside),
        expr_load(pool, 0, SCALAR_U8, (struct interval){0, 9}, 2, index, NULL),
        expr_load(pool, 1, SCALAR_F32, f32, 1, index, NULL),
        expr_load(pool, 1, SCALAR_F64, f32, 0, NULL, NULL),
        expr_load(pool, 77, SCALAR_I32, (struct interval){-5, 5}, 1, index, NULL),
    };
    expect_round_trip(session, 7, root,
                      "variable y : index i32 0 .. 9\n"
                      "variable x : index i32 0 .. 9\n"
                      "variable in.x : extent i32 1 .. 100\n"
                      "%1 = add(x, 1)\n"
                      "= in[y, %1]\n"
                      "= in[y clamp, %1 zero(0) from 0 extent in.x]\n"
                      "= in[y, %1 wrap]\n"
                      "= in[y, %1]:u8 0 .. 9\n"
                      "= smooth.up[y]\n"
                      "= smooth.up[]:f64\n"
                      "= #77[y]:i32 -5 .. 5\n");
}

static void every_border_rule(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *x = index_variable(session, "x", 0, 9);
    for (unsigned rule = BORDER_NONE + 1; rule < BORDER_COUNT; rule++) {
        const struct border border = {.rule = (enum border_rule)rule};
        expect_one(session, expr_load(pool, 1, SCALAR_F32, (struct interval){0, 0}, 1, &x, &border),
                   arena_format(session->scratch,
                                "variable x : index i32 0 .. 9\n= smooth.up[x %s]\n",
                                border_text[rule]));
    }
}

static void borders_that_differ_only_between_their_fields_are_equal(void **state)
{
    struct session *session = *state;
    const struct expr *x = index_variable(session, "x", 0, 9), *load[2];
    for (int i = 0; i < 2; i++) {
        struct border border;
        memset(&border, i ? 0xff : 0, sizeof border);
        border.rule = BORDER_CLAMP;
        border.value = border.first = border.extent = NULL;
        load[i] = expr_load(&session->pool, 0, SCALAR_U8, source[0].interval, 1, &x, &border);
    }
    assert_ptr_equal(load[0], load[1]);
}

static void reductions(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr_range range[] = {{name(session, "dy"), -1, 3}, {name(session, "dx"), 0, 2}};
    const struct expr *dy = index_variable(session, "dy", -1, 1);
    const struct expr *p = expr_variable(pool, VARIABLE_PARAMETER, name(session, "p"), SCALAR_F32,
                                         (struct interval){0, 0});
    const struct expr *condition = expr_binary(pool, EXPR_LESS, dy, expr_integer(pool, 1));
    const struct expr *const fused[] = {p, expr_convert(pool, CONVERT_EXACT, SCALAR_F32, dy),
                                        condition};
    const struct expr *const plain[] = {dy, condition};
    const struct expr *const root[] = {
        expr_reduce(pool, REDUCTION_SUM, true, true, 2, range, fused),
        expr_reduce(pool, REDUCTION_MAXIMUM, false, true, 1, range, plain),
        expr_reduce(pool, REDUCTION_TALLY, false, false, 1, range, &condition),
        expr_reduce(pool, REDUCTION_MEDIAN, false, false, 1, range, &dy),
    };
    expect_round_trip(session, 4, root,
                      "variable dy : index i32 -1 .. 1\n"
                      "variable p : parameter f32\n"
                      "%1 = less(dy, 1)\n"
                      "= reduce(sum fused, [dy from -1 extent 3, dx from 0 extent 2], p, "
                      "convert(exact, f32, dy), where %1)\n"
                      "= reduce(max, [dy from -1 extent 3], dy, where %1)\n"
                      "= reduce(count, [dy from -1 extent 3], %1)\n"
                      "= reduce(median, [dy from -1 extent 3], dy)\n");
}

static void every_reduction(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr_range range = {name(session, "k"), 0, 4};
    const struct expr *k = index_variable(session, "k", 0, 3);
    const struct expr *less = expr_binary(pool, EXPR_LESS, k, expr_integer(pool, 2));
    for (unsigned operation = 0; operation < REDUCTION_COUNT; operation++) {
        const struct expr_reduction shape = {
            .operation = (enum reduction)operation, .rank = 1, .range = &range};
        const struct expr *term =
            expr_check_reduction(session->scratch, &shape, 1, &k, true) ? less : k;
        expect_one(session,
                   expr_reduce(pool, (enum reduction)operation, false, false, 1, &range, &term),
                   NULL);
    }
}

/* Counted ranges, in every order, with and without what may stand beside them. */
static void counted_reductions(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr_range range[2] = {{name(session, "j"), 0, 100}, {name(session, "k"), 0, 4}};
    const struct expr *k = index_variable(session, "k", 0, 3);
    const struct expr *real = expr_convert(pool, CONVERT_EXACT, SCALAR_F32, k);
    const struct expr *less = expr_binary(pool, EXPR_LESS, k, expr_integer(pool, 2));
    const struct expr *count = expr_variable(pool, VARIABLE_PARAMETER, name(session, "n"),
                                             SCALAR_I32, (struct interval){0, 4});
    for (unsigned order = 0; order < ORDER_COUNT; order++)
        for (unsigned with = 0; with < 4; with++) {
            const struct expr_reduction shape = {.operation = REDUCTION_SUM,
                                                 .order = (enum reduction_order)order,
                                                 .fused = with & 1,
                                                 .has_condition = with & 2,
                                                 .counted = true,
                                                 .rank = 2,
                                                 .range = range};
            const struct expr *operand[REDUCTION_MOST_OPERANDS] = {real};
            unsigned operands = 1;
            if (shape.fused)
                operand[operands++] = real;
            if (shape.has_condition)
                operand[operands++] = less;
            operand[operands++] = count;
            operand[operands++] = expr_integer(pool, 3);
            if (order == ORDER_RUN)
                operand[operands++] = k;
            const struct expr *reduce = expr_reduce_as(pool, &shape, operand);
            assert_int_equal(reduce->count, operands);
            assert_ptr_equal(expr_reduce_count(pool, reduce, 0), count);
            assert_ptr_equal(expr_reduce_condition(reduce), shape.has_condition ? less : NULL);
            expect_one(session, reduce, NULL);
        }
}

/* ---- C functions ---- */

static struct external gain(struct session *session)
{
    return (struct external){.name = name(session, "gain"),
                             .header = name(session, "my \"gain\".h"),
                             .result = SCALAR_U8,
                             .count = 2,
                             .parameter = {SCALAR_F32, SCALAR_I32}};
}

static void calls_of_c_functions(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = expr_variable(pool, VARIABLE_PARAMETER, name(session, "p"), SCALAR_F32,
                                         (struct interval){0, 0});
    const struct expr *const operand[] = {p, expr_integer(pool, 3)};
    struct external function = gain(session);
    function.header = name(session, "sub folder/gain.h");
    const struct expr *call = expr_external(pool, &function, operand);
    assert_int_equal(call->scalar, SCALAR_U8);
    assert_int_equal(call->interval.greatest, UINT8_MAX);
    expect_one(session, call,
               "variable p : parameter f32\n"
               "= external(u8 gain from \"sub folder/gain.h\", f32 p, i32 3)\n");
    expect_one(session, expr_binary(pool, EXPR_ADD, call, call), NULL);
}

/* A call is shared with one that is the same in name, header and types. */
static void calls_are_told_apart(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *const operand[] = {expr_real(pool, SCALAR_F32, 1), expr_integer(pool, 3)};
    struct external function = gain(session);
    const struct expr *call = expr_external(pool, &function, operand);
    const struct external same = gain(session);
    assert_ptr_equal(call, expr_external(pool, &same, operand));
    function.name = name(session, "other");
    assert_ptr_not_equal(call, expr_external(pool, &function, operand));
    function = gain(session);
    function.header = name(session, "other.h");
    assert_ptr_not_equal(call, expr_external(pool, &function, operand));
    function = gain(session);
    function.parameter[1] = SCALAR_I64;
    assert_ptr_not_equal(call, expr_external(pool, &function, operand));
    const struct external_list known = expr_externals(pool, session->scratch);
    assert_int_equal(known.count, 4);
    assert_string_equal(known.item[3]->name->text, "other");
}

static void mistakes_in_calls(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "external(f32 gain \"gain.h\", f32 p)", "\"gain.h\"",
                   "expected 'from', not '\"gain.h\"'");
    expect_mistake(session, "external(f32 gain from \"gain.h\", f32 x)", "external",
                   "a value of type i32 stands where f32 is needed");
    expect_mistake(session, "external(f32 gain from \"gain.h\", i8 300)", "external",
                   "a value of 300 .. 300 stands where i8 is needed");
    expect_mistake(session, "external(f32 gain from \"gain.h\", f16 p)", "external",
                   "'gain' cannot take f16");
    expect_mistake(session, "external(f16 gain from \"gain.h\", f32 p)", "external",
                   "'gain' cannot give f16");
    expect_mistake(session, "external(f32 gain from \"gain.h\")", "external",
                   "'gain' takes 1 to 9 arguments, not 0");
    expect_mistake(session, "external(f32 `a b` from \"gain.h\", f32 p)", "external",
                   "'a b' is no name of a C function");
    expect_mistake(session, "external(f32 gain from \"a\\\"b\", f32 p)", "external",
                   "the header of 'gain' has no name that C can include");
}

/* ---- Sharing and depth ---- */

static void what_is_fast_stays_so(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = expr_variable(pool, VARIABLE_PARAMETER, name(session, "p"), SCALAR_F32,
                                         (struct interval){0, 0});
    const struct expr_range range = {name(session, "k"), 0, 3};
    const struct expr *strict = expr_binary(pool, EXPR_ADD, p, p);
    pool->fast = true;
    const struct expr *sum = expr_binary(pool, EXPR_ADD, p, p);
    const struct expr *least = expr_binary(pool, EXPR_MINIMUM, sum, p);
    const struct expr *all = expr_reduce(pool, REDUCTION_SUM, false, false, 1, &range, &sum);
    pool->fast = false;
    assert_true(sum->fast && all->fast && !least->fast && !strict->fast && sum != strict);
    assert_true(expr_with_operands(pool, sum, (const struct expr *[]){p, strict})->fast);
    assert_false(expr_with_operands(pool, strict, (const struct expr *[]){p, sum})->fast);
    assert_false(pool->fast);
    const struct expr *const root[] = {strict, least, all};
    expect_round_trip(session, 3, root,
                      "variable p : parameter f32\n%1 = fast_add(p, p)\n"
                      "= add(p, p)\n= min(%1, p)\n= reduce(sum fast, [k from 0 extent 3], %1)\n");
}

static void mistakes_in_what_is_fast(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "fast_min(p, p)", "fast_min",
                   "sums and products of floats alone can be fast");
    expect_mistake(session, "fast_add(x, x)", "fast_add",
                   "sums and products of floats alone can be fast");
    expect_mistake(session, "fast_wrong(p)", "fast_wrong", "there is no operation 'wrong'");
    expect_mistake(session, "reduce(sum fast, [k from 0 extent 3], x)", "reduce",
                   "reductions of floats alone can be fast");
    expect_mistake(session, "fast_add(", NULL, "an expression is missing here");
    assert_false(session->pool.fast);
}

static void sharing_stays_linear(void **state)
{
    struct session *session = *state;
    const struct expr *node = expr_variable(&session->pool, VARIABLE_PARAMETER, name(session, "p"),
                                            SCALAR_F64, (struct interval){0, 0});
    for (int i = 0; i < 1000; i++)
        node = expr_binary(&session->pool, EXPR_ADD, node, node);
    expect_one(session, node, NULL);
    assert_true(strlen(print(session, 1, &node)) < 30000);
}

static void depth_is_broken_into_lines(void **state)
{
    struct session *session = *state;
    const struct expr *node = expr_variable(&session->pool, VARIABLE_PARAMETER, name(session, "p"),
                                            SCALAR_F64, (struct interval){0, 0});
    for (int i = 0; i < 5000; i++)
        node = expr_unary(&session->pool, i % 2 ? EXPR_FLOOR : EXPR_SQUARE_ROOT, node);
    expect_one(session, node, NULL);
    size_t longest = 0;
    for (const char *at = print(session, 1, &node); *at; at += strcspn(at, "\n") + 1)
        longest = strcspn(at, "\n") > longest ? strcspn(at, "\n") : longest;
    assert_true(longest < 100);
}

static void roots_share_lines(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *x = index_variable(session, "x", 0, 9);
    const struct expr *twice = expr_binary(pool, EXPR_MULTIPLY, x, expr_integer(pool, 2));
    const struct expr *const root[] = {twice, expr_binary(pool, EXPR_ADD, twice, x), x};
    expect_round_trip(session, 3, root,
                      "variable x : index i32 0 .. 9\n"
                      "%1 = multiply(x, 2)\n= %1\n= add(%1, x)\n= x\n");
}

static void a_missing_expression_is_shown(void **state)
{
    struct session *session = *state;
    const struct expr *const root[] = {NULL};
    assert_string_equal(print(session, 1, root), "= none\n");
}

static void comments_and_line_ends_mean_nothing(void **state)
{
    struct session *session = *state;
    const struct expr *root[16];
    assert_int_equal(read(session,
                          "// a comment\nvariable x :\n\tindex i32 0..9 // another\n"
                          "= add(x,\r\n  -1) // the end",
                          root),
                     1);
    assert_string_equal(print(session, 1, root), "variable x : index i32 0 .. 9\n= add(x, -1)\n");
}

/* ---- Mistakes ---- */

static void mistakes_in_words(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "", NULL, "an expression is missing here");
    expect_mistake(session, "add(x, 1", NULL, "expected ')', but the text ends here");
    expect_mistake(session, "x x", "x\n", "expected the end of the text, not 'x'");
    expect_mistake(session, "z", "z", "'z' is not declared");
    expect_mistake(session, "x'2", "x'2", "'x'2' is not declared");
    expect_mistake(session, "%1", "%1", "'%1' is not declared");
    expect_mistake(session, "none", "none", "'none' is not declared");
    expect_mistake(session, "ad(x, 1)", "ad", "there is no operation 'ad'");
    expect_mistake(session, "load(x, 1)", "load", "there is no operation 'load'");
    expect_mistake(session, "out[x]", "out", "there is no 'out' above this place");
    expect_mistake(session, "#9[x]", NULL, "expected ':', but the text ends here");
    expect_mistake(session, "!", "!", "this is not a word of the text of graphs and loop programs");
    expect_mistake(session, "9223372036854775808", "9223372036854775808",
                   "this is not a word of the text of graphs and loop programs");
    expect_mistake(session, "`x", "`x",
                   "this is not a word of the text of graphs and loop programs");
    expect_mistake(session, "0.5", NULL, "expected ':', but the text ends here");
    expect_mistake(session, "0.5:u8", "u8", "a real number is f32, f64 or f16");
    expect_mistake(session, "0.5:f8", "f8", "expected a type, not 'f8'");
    expect_mistake(session, "in[x]:u8 0 .. 256", "0 ..", "u8 does not hold 0 .. 256");
    expect_mistake(session, "in[x]:u8 9 .. 0", "9 ..", "u8 does not hold 9 .. 0");
    expect_mistake(session, "in[x mirror]", "mirror", "expected a border rule, not 'mirror'");
    expect_mistake(session, "in[x zero(0) from in[x] extent 2]", "in[x] ",
                   "the box of a border rule reads no samples");
    expect_mistake(session, "convert(up, u8, x)", "up", "expected a conversion, not 'up'");
    expect_mistake(session, "reduce(mean, [k from 0 extent 2], x)", "mean",
                   "expected a reduction, not 'mean'");
}

static void mistakes_in_types(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "add(x)", "add", "'add' takes 2 operands, not 1");
    expect_mistake(session, "add()", "add", "'add' takes 2 operands, not 0");
    expect_mistake(session, "add(x, p)", "add",
                   "'add' takes operands of one type, not i32 and f32");
    expect_mistake(session, "add(p, 1.0:f64)", "add",
                   "'add' takes operands of one type, not f32 and f64");
    expect_mistake(session, "add(true, true)", "add", "'add' takes numbers, not bool");
    expect_mistake(session, "and(x, true)", "and", "'and' takes truth values, not i32");
    expect_mistake(session, "sqrt(x)", "sqrt", "'sqrt' takes floats, not i32");
    expect_mistake(session, "fma(x, x, x)", "fma", "'fma' takes floats, not i32");
    expect_mistake(session, "remainder(p, p)", "remainder", "'remainder' takes integers, not f32");
    expect_mistake(session, "select(x, p, p)", "select",
                   "the condition of 'select' is a truth value, not i32");
    expect_mistake(session, "select(true, x, p)", "select",
                   "'select' takes operands of one type, not i32 and f32");
    expect_mistake(session, "bit_and(x, -1)", "bit_and",
                   "'bit_and' takes what is not negative, not -1 .. -1");
    expect_mistake(session, "shift_left(1, 64)", "shift_left",
                   "'shift_left' goes by 0 to 63 places, not by 64 .. 64");
    expect_mistake(session, "shift_left(1, 63)", "shift_left",
                   "the result of 'shift_left' leaves 64 bits");
    expect_mistake(session, "add(x, 9223372036854775807)", "add",
                   "the result of 'add' leaves 64 bits");
    expect_mistake(session, "divide(-9223372036854775808, -1)", "divide",
                   "the result of 'divide' leaves 64 bits");
    expect_mistake(session, "reduce(sum, [k from 0 extent 0], x)", "reduce",
                   "the range of 'k' has 0 values from 0");
    expect_mistake(session, "reduce(sum, [k from 9223372036854775807 extent 2], x)", "reduce",
                   "the range of 'k' has 2 values from 9223372036854775807");
    expect_mistake(session, "reduce(sum, [k from 0 extent 2, k from 0 extent 3], x)", "reduce",
                   "'k' is the variable of two ranges");
    expect_mistake(session, "reduce(sum, [k from 0 extent 2])", "reduce",
                   "this 'sum' takes 1 operands, not 0");
    expect_mistake(session, "reduce(sum fused, [k from 0 extent 2], x, x)", "reduce",
                   "'sum' takes floats, not i32");
    expect_mistake(session, "reduce(max fused, [k from 0 extent 2], p, p)", "reduce",
                   "only a sum is fused, not 'max'");
    expect_mistake(session, "reduce(any, [k from 0 extent 2], x)", "reduce",
                   "'any' takes truth values, not i32");
    expect_mistake(session, "reduce(sum, [k from 0 extent 2], x, where x)", "reduce",
                   "the condition of 'sum' is a truth value, not i32");
    expect_mistake(session, "noise()", "noise", "'noise' takes 1 to 9 operands, not 0");
    expect_mistake(session, "reduce(max, [k from 0 extent 3 count -1], x)", "reduce",
                   "the count of 'k' is not within 0 .. 3");
    expect_mistake(session, "reduce(sum run, [k from 0 extent 3 count 2], p, of -1)", "reduce",
                   "the number of a run of 'sum' is below 0");
    expect_mistake(session, "reduce(sum, [k from 0 extent 4], 9000000000000000000)", "reduce",
                   "the result of 'sum' leaves 64 bits");
}

static void mistakes_in_the_table(void **state)
{
    struct session *session = *state;
    static const char *const text[][2] = {
        {"variable x : index i32\nvariable x : index i64\n", "the variable 'x' is declared twice"},
        {"variable x : coordinate i32\n", "expected a kind of variable, not 'coordinate'"},
        {"variable x : index i32 0 .. 4294967296\n", "i32 does not hold 0 .. 4294967296"},
        {"variable 3 : index i32\n", "expected a name, not '3'"},
        {"= 1\n", "the texts of this compilation are longer than 2^31 bytes"},
    };
    const size_t count = sizeof text / sizeof *text;
    for (size_t i = 0; i < count; i++) {
        const struct expr *root[16];
        session->diagnostics.list.count = 0;
        if (i + 1 == count)
            source_map_reserve(&session->sources, UINT32_C(1) << 31);
        read(session, text[i][0], root);
        assert_int_equal(session->diagnostics.list.count, 1);
        assert_string_equal(session->diagnostics.list.item[0]->text, text[i][1]);
    }
}

static const char *repeat(struct session *session, const char *open, const char *middle,
                          const char *close, int count)
{
    struct text text = text_create(session->scratch);
    for (int i = 0; i < count; i++)
        text_append(&text, open, strlen(open));
    text_append(&text, middle, strlen(middle));
    for (int i = 0; i < count; i++)
        text_append(&text, close, strlen(close));
    return text.bytes;
}

static void deep_texts_do_not_crash(void **state)
{
    struct session *session = *state;
    const struct expr *root[16];
    read(session,
         arena_format(session->scratch, "= %s", repeat(session, "sqrt(", "2.0:f64", ")", 100000)),
         root);
    assert_int_equal(session->diagnostics.list.count, 1);
    assert_string_equal(session->diagnostics.list.item[0]->text,
                        "more than 200 operations stand one in another in this line");
    struct text lines = text_create(session->scratch);
    text_print(&lines, "variable p : parameter f32\n%%0 = p\n");
    for (int i = 0; i < 20000; i++)
        text_print(&lines, "%%%d = sqrt(%%%d)\n", i + 1, i);
    text_print(&lines, "= %%20000\n");
    session->diagnostics.list.count = 0;
    read(session, lines.bytes, root);
    assert_int_equal(session->diagnostics.list.count, 1);
    assert_string_equal(session->diagnostics.list.item[0]->text,
                        "this is built of more than 10000 steps, one in another");
}

/* Texts with a few bytes changed: at most one message, and no crash. */
static void changed_texts_do_not_crash(void **state)
{
    struct session *session = *state;
    static const char text[] =
        "variable x : index i32 0 .. 9\nvariable p : parameter f32\n%1 = add(x, 1)\n"
        "= in[%1 zero(0) from 0 extent 3, x clamp]:u8 0 .. 9\n= fma(p, 0.5:f32, -inf:f32)\n"
        "= reduce(sum fused, [k from 0 extent 3], p, convert(exact, f32, x), where less(x, 3))\n"
        "= shift_left(bit_and(x, 3), 2)\n= divide(remainder(-9, x), 2)\n";
    static const char bytes[] = " 0123456789.-@#%'`\"()[]{},:=xpadlin";
    uint32_t random = 1;
    for (int i = 0; i < 5000; i++) {
        char changed[sizeof text];
        memcpy(changed, text, sizeof text);
        for (int k = 0; k < 3; k++) {
            random = random * 1664525 + 1013904223;
            changed[(random >> 8) % (sizeof text - 1)] = bytes[(random >> 3) % (sizeof bytes - 1)];
        }
        const struct expr *root[256];
        session->diagnostics.list.count = 0;
        read(session, changed, root);
        assert_true(session->diagnostics.list.count <= 1);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(integers_and_truth_values),
        TEST(reals_keep_every_bit),
        TEST(random_floats),
        TEST(variables_of_one_name),
        TEST(every_function),
        TEST(conversions),
        TEST(loads),
        TEST(every_border_rule),
        TEST(borders_that_differ_only_between_their_fields_are_equal),
        TEST(reductions),
        TEST(every_reduction),
        TEST(counted_reductions),
        TEST(what_is_fast_stays_so),
        TEST(mistakes_in_what_is_fast),
        TEST(calls_of_c_functions),
        TEST(calls_are_told_apart),
        TEST(mistakes_in_calls),
        TEST(sharing_stays_linear),
        TEST(depth_is_broken_into_lines),
        TEST(roots_share_lines),
        TEST(a_missing_expression_is_shown),
        TEST(comments_and_line_ends_mean_nothing),
        TEST(mistakes_in_words),
        TEST(mistakes_in_types),
        TEST(mistakes_in_the_table),
        TEST(deep_texts_do_not_crash),
        TEST(changed_texts_do_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
