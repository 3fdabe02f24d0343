/* Formatting: exact texts, and for every program here that formatting again changes nothing, that
 * the tree stays the same and that no comment is lost. Trees are compared as texts (dump). */
#include "frontend/ast_build.h"
#include "frontend/format.h"
#include "frontend/parse.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    struct source_map sources;
    struct diagnostics diagnostics;
    struct symbol_table symbols;
};

static int set_up(void **state)
{
    struct arena *arena = arena_create();
    struct fixture *fixture = ARENA_NEW(arena, struct fixture);
    fixture->arena = fixture->sources.arena = arena;
    fixture->diagnostics.arena = fixture->symbols.arena = arena;
    fixture->diagnostics.sources = &fixture->sources;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    const struct fixture *fixture = *state;
    arena_destroy(fixture->arena);
    return 0;
}

static const struct module *parse(struct fixture *fixture, const char *text)
{
    const struct source_file *file =
        source_map_add(&fixture->sources, "test.flt", text, strlen(text));
    const struct module *module =
        parse_file(file, fixture->arena, &fixture->symbols, &fixture->diagnostics);
    if (fixture->diagnostics.error_count) {
        struct text out = text_create(fixture->arena);
        diagnostics_render_text(&fixture->diagnostics, &out, false);
        fail_msg("%s\n%s", out.bytes, text);
    }
    return module;
}

static const char *format(struct fixture *fixture, const struct module *module)
{
    struct text out = text_create(fixture->arena);
    format_module(module, &out);
    return out.bytes;
}

struct dumper {
    struct text *out;
    bool parentheses; /* AST_PARENTHESES are shown */
};

static void dump_symbol(struct text *out, const struct symbol *symbol)
{
    text_print(out, " %s", symbol ? symbol->text : "-");
}

static void dump_count(struct text *out, const struct ast_list *list)
{
    text_print(out, " %zd", list ? (ssize_t)list->count : -1);
}

static void dump_presence(struct text *out, const struct ast *child)
{
    text_print(out, child ? " +" : " -");
}

/* All of a node but its children. */
static void dump_own(struct text *out, const struct ast *node)
{
    switch (node->kind) {
    case AST_IMPORT:
        text_print(out, " %d %s", node->as.import.from_library, node->as.import.path->text);
        break;
    case AST_FILTER:
        dump_symbol(out, node->as.filter.name);
        dump_count(out, node->as.filter.formals);
        dump_count(out, node->as.filter.results);
        text_print(out, " %d", node->as.filter.fast);
        break;
    case AST_FUNCTION:
        dump_symbol(out, node->as.function.name);
        break;
    case AST_EXTERN:
        dump_symbol(out, node->as.external.name);
        dump_symbol(out, node->as.external.header);
        break;
    case AST_SCHEDULE:
        dump_symbol(out, node->as.schedule.filter);
        dump_symbol(out, node->as.schedule.target);
        break;
    case AST_FORMAL:
        text_print(out, " %d", (int)node->as.formal.role);
        dump_symbol(out, node->as.formal.name);
        dump_symbol(out, node->as.formal.text);
        dump_presence(out, node->as.formal.type);
        dump_presence(out, node->as.formal.value);
        dump_presence(out, node->as.formal.range);
        break;
    case AST_TYPE:
        dump_symbol(out, node->as.type.constructor);
        dump_symbol(out, node->as.type.element);
        dump_count(out, node->as.type.arguments);
        dump_count(out, node->as.type.names);
        text_print(out, " %d", node->as.type.bounded);
        break;
    case AST_CONSTANT:
        dump_symbol(out, node->as.constant.name);
        dump_count(out, node->as.constant.domain);
        dump_presence(out, node->as.constant.type);
        break;
    case AST_TABLE:
        dump_symbol(out, node->as.table.name);
        dump_count(out, node->as.table.domain);
        break;
    case AST_REQUIRE:
        dump_symbol(out, node->as.require.text);
        break;
    case AST_DEFINE:
        dump_symbol(out, node->as.define.name);
        dump_count(out, node->as.define.brackets);
        dump_count(out, node->as.define.over);
        dump_presence(out, node->as.define.type);
        dump_presence(out, node->as.define.value);
        text_print(out, " %d %d", (int)node->as.define.assignment, node->as.define.drop);
        break;
    case AST_NAME:
        dump_symbol(out, node->as.name);
        break;
    case AST_INTEGER:
        text_print(out, " %" PRId64, node->as.integer);
        break;
    case AST_REAL:
        text_print(out, " %a", node->as.real);
        break;
    case AST_BOOLEAN:
        text_print(out, " %d", node->as.boolean);
        break;
    case AST_UNARY:
        text_print(out, " %s", ast_operator_info[node->as.unary.operator_].spelling);
        break;
    case AST_BINARY:
        text_print(out, " %s", ast_operator_info[node->as.binary.operator_].spelling);
        break;
    case AST_INDEX:
        dump_presence(out, node->as.index.where);
        break;
    case AST_FIELD:
        dump_symbol(out, node->as.field.name);
        break;
    case AST_CONVERSION:
        text_print(out, " %d", (int)node->as.conversion.mode);
        break;
    case AST_ARRAY:
        text_print(out, " %zu", node->as.array.rows);
        break;
    case AST_NAMED:
        dump_symbol(out, node->as.named.name);
        break;
    case AST_RANGE:
        text_print(out, " %d", node->as.range.includes_last);
        break;
    case AST_BINDING:
        dump_symbol(out, node->as.binding.name);
        break;
    case AST_LET:
        dump_symbol(out, node->as.let.name);
        break;
    case AST_RULE:
        dump_symbol(out, node->as.rule.name);
        break;
    case AST_DIRECTIVE:
    case AST_DEFAULT_BORDER:
    case AST_ESTIMATE:
    case AST_FOR:
    case AST_REPEAT:
    case AST_EXAMPLE:
    case AST_FAST:
    case AST_PARENTHESES:
    case AST_CALL:
    case AST_BORDERED:
    case AST_ELSE:
    case AST_BLOCK:
    case AST_LIST:
    case AST_TUPLE:
    case AST_ERROR:
    case AST_KIND_COUNT:
        break;
    }
}

static void dump_node(const struct ast *node, void *context)
{
    struct dumper *dumper = context;
    if (node->kind == AST_PARENTHESES && !dumper->parentheses) {
        dump_node(node->as.inner, dumper);
        return;
    }
    text_print(dumper->out, "(%d", (int)node->kind);
    dump_own(dumper->out, node);
    dumper->out->indent += 1;
    text_print(dumper->out, "\n");
    ast_children(node, dump_node, dumper);
    dumper->out->indent -= 1;
    text_print(dumper->out, ")");
}

static const char *dump(struct fixture *fixture, const struct module *module, bool parentheses)
{
    struct text out = text_create(fixture->arena);
    struct dumper dumper = {&out, parentheses};
    for (size_t i = 0; i < module->items->count; i++)
        dump_node(module->items->item[i], &dumper);
    return out.bytes;
}

/* All comments in a row, without what stands before, between and behind them. */
static const char *comments_of(struct fixture *fixture, const struct module *module)
{
    struct text out = text_create(fixture->arena);
    for (size_t i = 0; i < module->comments.count; i++) {
        const struct span comment = module->comments.item[i];
        const char *text = module->file->text + (comment.start - module->file->start);
        size_t length = comment.end - comment.start;
        while (text[length - 1] == ' ' || text[length - 1] == '\r')
            length--;
        text_print(&out, "%.*s\n", (int)length, text);
    }
    return out.bytes;
}

static void assert_is_tidy(const char *text)
{
    assert_null(strstr(text, " \n"));
    assert_null(strstr(text, "\n\n\n"));
    assert_null(strstr(text, "{\n\n"));
    assert_null(strstr(text, "\n\n}"));
    const size_t length = strlen(text);
    assert_true(length == 0 || text[length - 1] == '\n');
}

/* Returns the formatted text. */
static const char *check(struct fixture *fixture, const char *text)
{
    const struct module *module = parse(fixture, text);
    const char *once = format(fixture, module);
    const struct module *again = parse(fixture, once);
    assert_string_equal(format(fixture, again), once);
    assert_string_equal(dump(fixture, again, true), dump(fixture, module, true));
    assert_string_equal(comments_of(fixture, again), comments_of(fixture, module));
    assert_is_tidy(once);

    struct module without_source = *module;
    without_source.file = NULL;
    const struct module *reread = parse(fixture, format(fixture, &without_source));
    assert_string_equal(dump(fixture, reread, true), dump(fixture, module, true));
    return once;
}

static void assert_formatted(void **state, const char *text, const char *expected)
{
    assert_string_equal(check(*state, text), expected);
}

static void assert_unchanged(void **state, const char *text)
{
    assert_formatted(state, text, text);
}

/* statement, in the body of a filter. */
static void assert_statement(void **state, const char *statement, const char *expected)
{
    static const char frame[] = "filter f() -> out : u8\n{\n%s}\n";
    struct fixture *fixture = *state;
    assert_formatted(state, arena_format(fixture->arena, frame, statement),
                     arena_format(fixture->arena, frame, expected));
}

static void test_unsharp(void **state)
{
    assert_formatted(
        state,
        "// Sharpen: add back what a Gaussian took away.\n"
        "import std.recursive;\n"
        "\n"
        "filter unsharp(in : image<u8>[y, x], param sigma : f32 = 2 in 0.5 .. 200, param amount : "
        "f32 = 1 in 0 .. 8)\n"
        "    -> out : image<u8>[y, x]\n"
        "{\n"
        "    smooth = recursive_gaussian(f32(in), sigma) border reflect;\n"
        "    out[y, x] = u8(in[y, x] + amount * (in[y, x] - smooth[y, x]));\n"
        "}\n",
        "// Sharpen: add back what a Gaussian took away.\n"
        "import std.recursive;\n"
        "\n"
        "filter unsharp(in : image<u8>[y, x], param sigma : f32 = 2 in 0.5 .. 200,\n"
        "               param amount : f32 = 1 in 0 .. 8)\n"
        "    -> out : image<u8>[y, x]\n"
        "{\n"
        "    smooth = recursive_gaussian(f32(in), sigma) border reflect;\n"
        "    out[y, x] = u8(in[y, x] + amount * (in[y, x] - smooth[y, x]));\n"
        "}\n");
}

static void test_bspline(void **state)
{
    assert_formatted(
        state,
        "// Coefficients whose cubic B-spline passes through the pixels.\n"
        "filter bspline3_coefficients(in : image<f32>[y, x]) -> out : image<f32>[y, x]\n"
        "{\n"
        "    const a = sqrt(3) - 2;\n"
        "    border reflect101;\n"
        "    down [y, x] = 6 * in[y, x]    + a * down[y - 1, x];\n"
        "    up   [y, x] = -a * down[y, x] + a * up[y + 1, x];\n"
        "    right[y, x] = 6 * up[y, x]    + a * right[y, x - 1];\n"
        "    out  [y, x] = -a * right[y, x] + a * out[y, x + 1];\n"
        "}\n",
        "// Coefficients whose cubic B-spline passes through the pixels.\n"
        "filter bspline3_coefficients(in : image<f32>[y, x]) -> out : image<f32>[y, x]\n"
        "{\n"
        "    const a = sqrt(3) - 2;\n"
        "    border reflect101;\n"
        "    down[y, x] = 6 * in[y, x] + a * down[y - 1, x];\n"
        "    up[y, x] = -a * down[y, x] + a * up[y + 1, x];\n"
        "    right[y, x] = 6 * up[y, x] + a * right[y, x - 1];\n"
        "    out[y, x] = -a * right[y, x] + a * out[y, x + 1];\n"
        "}\n");
}

static void test_local_laplacian(void **state)
{
    assert_formatted(
        state,
        "// Local Laplacian filter in sampled form (Aubry et al. 2014). in: 0 .. 1.\n"
        "import std.pyramid;\n"
        "import std.local_laplacian;\n"
        "\n"
        "filter local_laplacian(in : image<f32>[y, x], param alpha : f32 = 0.5 in 0 .. 4, param "
        "beta : f32 = 1 in 0 .. 4,\n"
        "                       param sigma : f32 = 0.2 in 0.01 .. 1) -> out : image<f32>[y, x]\n"
        "{\n"
        "    const levels = 8;  const samples = 8;\n"
        "    guide = gaussian_pyramid(in, levels);\n"
        "    for k in 0 ..< samples {\n"
        "        remapped[k][y, x] = remap(in[y, x], k / (samples - 1.0), alpha, beta, sigma);\n"
        "        detail[k] = laplacian_pyramid(remapped[k], levels);\n"
        "    }\n"
        "    blend[l in 0 ..< levels - 1][y, x] = {\n"
        "        let p = clamp(guide[l][y, x] * (samples - 1), 0, samples - 1);\n"
        "        let k = clamp(trunc<i32>(p), 0, samples - 2);\n"
        "        mix(detail[k][l][y, x], detail[k + 1][l][y, x], p - k)\n"
        "    };\n"
        "    blend[levels - 1] = guide[levels - 1];\n"
        "    out = collapse(blend);\n"
        "}\n",
        "// Local Laplacian filter in sampled form (Aubry et al. 2014). in: 0 .. 1.\n"
        "import std.pyramid;\n"
        "import std.local_laplacian;\n"
        "\n"
        "filter local_laplacian(in : image<f32>[y, x], param alpha : f32 = 0.5 in 0 .. 4,\n"
        "                       param beta : f32 = 1 in 0 .. 4, param sigma : f32 = 0.2 in 0.01 .. "
        "1)\n"
        "    -> out : image<f32>[y, x]\n"
        "{\n"
        "    const levels = 8;\n"
        "    const samples = 8;\n"
        "    guide = gaussian_pyramid(in, levels);\n"
        "    for k in 0 ..< samples {\n"
        "        remapped[k][y, x] = remap(in[y, x], k / (samples - 1.0), alpha, beta, sigma);\n"
        "        detail[k] = laplacian_pyramid(remapped[k], levels);\n"
        "    }\n"
        "    blend[l in 0 ..< levels - 1][y, x] = {\n"
        "        let p = clamp(guide[l][y, x] * (samples - 1), 0, samples - 1);\n"
        "        let k = clamp(trunc<i32>(p), 0, samples - 2);\n"
        "        mix(detail[k][l][y, x], detail[k + 1][l][y, x], p - k)\n"
        "    };\n"
        "    blend[levels - 1] = guide[levels - 1];\n"
        "    out = collapse(blend);\n"
        "}\n");
}

static void test_dct_denoise(void **state)
{
    assert_formatted(
        state,
        "filter dct_denoise(in : image<f32>[y, x], param threshold : f32 = 0.1 in 0 .. 1000) -> "
        "out : image<f32>[y, x]\n"
        "{\n"
        "    spectrum = dct(in, [y, x], type = 2, norm = ortho);\n"
        "    kept[y, x] = select(abs(spectrum[y, x]) >= threshold, spectrum[y, x], 0);\n"
        "    out = dct(kept, [y, x], type = 3, norm = ortho);\n"
        "}\n",
        "filter dct_denoise(in : image<f32>[y, x], param threshold : f32 = 0.1 in 0 .. 1000)\n"
        "    -> out : image<f32>[y, x]\n"
        "{\n"
        "    spectrum = dct(in, [y, x], type = 2, norm = ortho);\n"
        "    kept[y, x] = select(abs(spectrum[y, x]) >= threshold, spectrum[y, x], 0);\n"
        "    out = dct(kept, [y, x], type = 3, norm = ortho);\n"
        "}\n");
}

static void test_deconvolve(void **state)
{
    assert_formatted(
        state,
        "filter deconvolve(in : image<u16>[z, y, x], psf : image<f32>[z, y, x], param steps : i32 "
        "= 20 in 1 .. 1000)\n"
        "    -> out : image<f32>[z, y, x]\n"
        "{\n"
        "    border reflect101;\n"
        "    observed = to_apr(f32(in), error = 0.1);\n"
        "    latent = observed;\n"
        "    repeat steps {\n"
        "        ratio  = observed / max(convolve(latent, psf), 1e-6);\n"
        "        latent = latent * convolve(ratio, flip(psf));\n"
        "    }\n"
        "    out = to_pixels(latent);\n"
        "}\n",
        "filter deconvolve(in : image<u16>[z, y, x], psf : image<f32>[z, y, x],\n"
        "                  param steps : i32 = 20 in 1 .. 1000)\n"
        "    -> out : image<f32>[z, y, x]\n"
        "{\n"
        "    border reflect101;\n"
        "    observed = to_apr(f32(in), error = 0.1);\n"
        "    latent = observed;\n"
        "    repeat steps {\n"
        "        ratio = observed / max(convolve(latent, psf), 1e-6);\n"
        "        latent = latent * convolve(ratio, flip(psf));\n"
        "    }\n"
        "    out = to_pixels(latent);\n"
        "}\n");
}

static void test_schedules_on_one_line_stay_there(void **state)
{
    assert_unchanged(state, "// Checked (illegal is an error).\n"
                            "schedule unsharp for c { tile out by (y: 64, x: 1024); parallel y; "
                            "vectorize x; overlap smooth; }\n"
                            "schedule unsharp for cuda {\n"
                            "    tile out by (y: 8, x: 32);\n"
                            "\n"
                            "    block y 2; // why\n"
                            "}\n"
                            "schedule unsharp for hls {}\n");
    assert_formatted(state,
                     "schedule unsharp for c { tile out by (y: 64, x: 1024); parallel y; vectorize "
                     "x; overlap smooth; a 1; }\n",
                     "schedule unsharp for c {\n"
                     "    tile out by (y: 64, x: 1024);\n"
                     "    parallel y;\n"
                     "    vectorize x;\n"
                     "    overlap smooth;\n"
                     "    a 1;\n"
                     "}\n");
}

static const char every_construct[] =
    "import std.blur;import \"mine.flt\";\n"
    "const tau = 6.283185307179586;\n"
    "const k[dy in -1 .. 1, dx in -1 .. 1] : f32 = {1, 2, 1; 2, 4, 2; 1, 2, 1} / 16.0 * 2;\n"
    "const scaled[i in 0 ..< 2] = {1, 2} * tau + 1;\n"
    "fn mix(a : T, b : T, t : T) -> T = a + t * (b - a);\n"
    "fn twice(a : T) -> T = {let b = a; b + b};\n"
    "extern fn gain(f32, i32) -> f32 from \"gain.h\";\n"
    "extern fn nothing() -> f32 from \"gain.h\";\n"
    "fast filter all(in : image<T : integer | real>[y, x], rows : image<wrap<u8>>[y],\n"
    "    q : image<fixed<4, 12>>[y, x], r : image<a<i32, b<c<4>>>>[y], s : wrap<fixed<1, 2>>,\n"
    "    param sigma : f32 = 2 in 0.5 ..< 200 \"standard deviation\",\n"
    "    param norm : {ortho, none} = ortho, const levels : i32 = 0x08 in 1 .. 10 \"n\",\n"
    "    const other, pyramid : image<f32>[y, x] each l in 0 ..< levels, z : image<bool>[])\n"
    "-> (gx : image<f32>[y, x], gy : apr<f32>[z, y, x]) {\n"
    "    border (x: wrap, y: constant(2 + 1), z: reflect);\n"
    "    border wrap;\n"
    "    border in clamp;\n"
    "    border in (x: wrap, y: clamp);\n"
    "    table t[i in 0 .. 255] = exp2(-i / 8.0) + .5 + 1e10 + 1E-3;\n"
    "    table u = 3;\n"
    "    require in.y >= 3 && !(in.x == 2) || false \"too small\";\n"
    "    estimate in.y = 4000;\n"
    "    hist[b in 0 .. 255] : u32;\n"
    "    hist[in[y, x]] += 1 over y, x in 0 .. 3 drop;\n"
    "    low : f32 min= in[y, x] over y; high max= 3;\n"
    "    a = in[y, x + 1] border (x: clamp, y: constant(0)) + in[y: 1, x: -2] border wrap;\n"
    "    a[] = f(in, error = 0.1).gx[y, x] border constant(1)[0](2)(3);\n"
    "    b = sum[dy in -1 .. 1, dx in -1 .. 1 where dy != dx](k[dy, dx] * in[y + dy, x + dx]);\n"
    "    b = argmin[i in 0 .. 3](a[i]) else -1 + 2 * (median[j in 0 .. 1](c[j]) else a[0]);\n"
    "    c = (a, b, c);  d = [a, b]; e = trunc<i32>(a) + wrap<u8>(b) + trunc(c);\n"
    "    e = trunc<fixed<1, 2>>(d) - wrap<fixed<1, 2>>(d);\n"
    "    w = a * b / c % d << 2 >> 1 & 3 ^ 4 | 5 < 6 == true && 1 || -+!a;\n"
    "    w = a <= b != (c > d) || a - (b - c) - ((d)) + fast(a - (b)) * 2;\n"
    "    g[0] = in; g[l in 1 ..< levels][y, x] : f32 = down(g[l - 1]);\n"
    "    for k in 0 ..< 8 { h[k] = { let p = 1; let q = p + 2; p * q } + 1; }\n"
    "    repeat levels + 1 { }\n"
    "    example { gx = all(3); require gx == 1 \"x\"; }\n"
    "}\n"
    "schedule all for c { tile out by (y: 64, x: 1024); parallel y 2; }\n";

static void test_every_construct(void **state)
{
    check(*state, every_construct);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* The text with comments and line ends instead of some of its spaces. */
static const char *scattered(struct fixture *fixture, const char *text, uint32_t *seed)
{
    struct text out = text_create(fixture->arena);
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        const uint32_t random = *text == ' ' && !quoted ? next_random(seed) % 64 : 64;
        if (random == 0)
            text_print(&out, "\n\n// comment %u\n", *seed);
        else if (random == 1)
            text_print(&out, " // comment %u\n", *seed);
        else if (random == 2)
            text_append(&out, "\n\n\n", 3);
        else
            text_append(&out, random == 3 ? "\n" : text, 1);
    }
    return out.bytes;
}

static void test_comments_anywhere(void **state)
{
    enum { TEXTS = 200 };
    struct fixture *fixture = *state;
    uint32_t seed = 1;
    for (int i = 0; i < TEXTS; i++)
        check(fixture, scattered(fixture, every_construct, &seed));
}

static void count_kinds(const struct ast *node, void *context)
{
    size_t *count = context;
    count[node->kind]++;
    ast_children(node, count_kinds, count);
}

static void test_every_construct_has_every_kind(void **state)
{
    size_t count[AST_KIND_COUNT] = {0};
    const struct module *module = parse(*state, every_construct);
    for (size_t i = 0; i < module->items->count; i++)
        count_kinds(module->items->item[i], count);
    for (int kind = 0; kind < AST_KIND_COUNT; kind++)
        assert_true(count[kind] || kind == AST_ERROR);
}

static void test_nothing(void **state)
{
    assert_formatted(state, "", "");
    assert_formatted(state, "\n \n", "");
    assert_formatted(state, " // alone  \r\n", "// alone\n");
}

static void test_comments_stay_where_they_are(void **state)
{
    assert_unchanged(state, "// About the file.\n"
                            "\n"
                            "// About the import.\n"
                            "import std.blur; // trailing\n"
                            "\n"
                            "// About the filter.\n"
                            "filter f() -> out : u8\n"
                            "{ // here it begins\n"
                            "    // first\n"
                            "    a = 1; // one\n"
                            "    // second\n"
                            "\n"
                            "    // third\n"
                            "    for k in 0 ..< 8 {\n"
                            "        // only this\n"
                            "    } // end of for\n"
                            "    h[k] = { // why\n"
                            "        // inside\n"
                            "        let p = 1; // one\n"
                            "\n"
                            "        // two\n"
                            "        let q = p + 2;\n"
                            "        // the value\n"
                            "        p * q // on its line\n"
                            "        // last\n"
                            "    }; // after\n"
                            "    // at the end\n"
                            "} // of f\n"
                            "// of the file\n");
}

static void test_comments_inside_a_statement_go_before_it(void **state)
{
    assert_statement(state,
                     "  a = f(1, // one\n"
                     "        // two\n"
                     "\n"
                     "        2); // three\n"
                     "  for k // four\n"
                     "  in 0 .. 1 { b = 1; }\n",
                     "    // one\n"
                     "    // two\n"
                     "    a = f(1, 2); // three\n"
                     "    // four\n"
                     "    for k in 0 .. 1 {\n"
                     "        b = 1;\n"
                     "    }\n");
    assert_formatted(state,
                     "const a = 1;\n"
                     "filter f(in : u8, // what comes in\n"
                     "         param b : u8) // how\n"
                     "    -> out : u8 // what comes out {\n"
                     "{ out = in; }\n",
                     "const a = 1;\n"
                     "\n"
                     "// what comes in\n"
                     "// how\n"
                     "// what comes out {\n"
                     "filter f(in : u8, param b : u8) -> out : u8\n"
                     "{\n"
                     "    out = in;\n"
                     "}\n");
}

static void test_comments_behind_a_block_keep_their_order(void **state)
{
    assert_statement(state,
                     "    a = { // one\n"
                     "      let b = 1; b } // two\n"
                     "      + 1; // three\n",
                     "    a = { // one\n"
                     "            let b = 1;\n"
                     "            b\n"
                     "        } + 1;\n"
                     "    // two\n"
                     "    // three\n");
}

static void test_blank_lines(void **state)
{
    assert_formatted(state,
                     "\n\nimport a;\n\n\n\nimport b;\nconst c = 1;\n"
                     "filter f() -> out : u8 {\n\n a = 1;\n\n\n b = 2; c = 3;\n\n}\n"
                     "// g\nfilter g() -> out : u8 { }\nconst d = 1;\nconst e = 1;\n\n",
                     "import a;\n"
                     "\n"
                     "import b;\n"
                     "const c = 1;\n"
                     "\n"
                     "filter f() -> out : u8\n"
                     "{\n"
                     "    a = 1;\n"
                     "\n"
                     "    b = 2;\n"
                     "    c = 3;\n"
                     "}\n"
                     "\n"
                     "// g\n"
                     "filter g() -> out : u8\n"
                     "{}\n"
                     "\n"
                     "const d = 1;\n"
                     "const e = 1;\n");
}

static void test_long_expressions_break_before_operators(void **state)
{
    assert_statement(
        state,
        "much = in[y, x] * (kernel[0, 0] + kernel[0, 1]) + in[y, x] * (kernel[1, 0] + kernel[1, "
        "1]) - in[y, x] + select(in[y, x] > 100, another_function(in[y - 1, x], in[y, x - 1]), 0);",
        "    much = in[y, x] * (kernel[0, 0] + kernel[0, 1]) + in[y, x] * (kernel[1, 0] + "
        "kernel[1, "
        "1])\n"
        "        - in[y, x] + select(in[y, x] > 100, another_function(in[y - 1, x], in[y, x - 1]), "
        "0);\n");
    assert_statement(
        state,
        "out[y, x] = u8(a_rather_long_name[y, x] + amount * (in[y, x] - smooth[y, x]) + offset + "
        "another_offset[y, x], 17);",
        "    out[y, x] = u8(a_rather_long_name[y, x] + amount * (in[y, x] - smooth[y, x]) + "
        "offset\n"
        "                       + another_offset[y, x], 17);\n");
}

static void test_long_functions_break_behind_the_sign(void **state)
{
    assert_formatted(
        state,
        "fn longer(first_argument : T, second : T) -> T = first_argument * second + first_argument "
        "* first_argument;",
        "fn longer(first_argument : T, second : T) -> T =\n"
        "    first_argument * second + first_argument * first_argument;\n");
}

static void test_arrays_keep_their_rows(void **state)
{
    assert_unchanged(state, "const k[y in -1 .. 1, x in -1 .. 1] = {1, 2, 1;  2, 4, 2;  1, 2, 1} / "
                            "16.0;\n"
                            "const k[y in -1 .. 1, x in -1 .. 1] = {1, 2, 1;\n"
                            "                                       2, 4, 2;\n"
                            "                                       1, 2, 1} / 16.0;\n");
    assert_formatted(state, "const k = {1,2;3\n,4;\n5,6};",
                     "const k = {1, 2;\n"
                     "           3, 4;\n"
                     "           5, 6};\n");
}

static void test_rows_of_different_length_are_kept(void **state)
{
    struct fixture *fixture = *state;
    const struct module *module =
        parse(fixture, "const k = {1; 2, 3 // it's here; or there\n; 4};");
    assert_string_equal(format(fixture, module), "// it's here; or there\n"
                                                 "const k = {1;\n"
                                                 "           2, 3;\n"
                                                 "           4};\n");
}

static void test_numbers_are_kept_as_written(void **state)
{
    assert_statement(state, "a = 0xFF + 007 + 1e0 + .50 + 1E-6;",
                     "    a = 0xFF + 007 + 1e0 + .50 + 1E-6;\n");
}

/* Trees without source. */

static const struct ast *name_node(struct fixture *fixture, const char *name)
{
    return AST_NEW(fixture->arena, ((struct span){0, 0}), .kind = AST_NAME,
                   .as.name = symbol_from(&fixture->symbols, name));
}

static const struct ast *binary_node(struct fixture *fixture, enum ast_operator operator_,
                                     const struct ast *left, const struct ast *right)
{
    return AST_NEW(fixture->arena, ((struct span){0, 0}), .kind = AST_BINARY,
                   .as.binary = {operator_, left, right});
}

static const struct ast *unary_node(struct fixture *fixture, enum ast_operator operator_,
                                    const struct ast *operand)
{
    return AST_NEW(fixture->arena, ((struct span){0, 0}), .kind = AST_UNARY,
                   .as.unary = {operator_, operand});
}

static const struct ast *integer_node(struct fixture *fixture, int64_t value)
{
    return AST_NEW(fixture->arena, ((struct span){0, 0}), .kind = AST_INTEGER, .as.integer = value);
}

static struct module *module_of(struct fixture *fixture, const struct ast *value)
{
    struct module *module = ARENA_NEW(fixture->arena, struct module);
    const struct ast *constant =
        AST_NEW(fixture->arena, ((struct span){0, 0}), .kind = AST_CONSTANT,
                .as.constant = {.name = symbol_from(&fixture->symbols, "c"), .value = value});
    module->items = ast_list_add(fixture->arena, ast_list(fixture->arena), constant);
    return module;
}

static void assert_printed(void **state, const struct ast *value, const char *expected)
{
    struct fixture *fixture = *state;
    assert_string_equal(format(fixture, module_of(fixture, value)),
                        arena_format(fixture->arena, "const c = %s;\n", expected));
}

static void test_parentheses_are_added_where_needed(void **state)
{
    struct fixture *f = *state;
    const struct ast *a = name_node(f, "a"), *b = name_node(f, "b"), *c = name_node(f, "c");
    const struct ast *sum = binary_node(f, OPERATOR_ADD, a, b);
    const struct ast *less = binary_node(f, OPERATOR_LESS, a, b);
    assert_printed(state, binary_node(f, OPERATOR_SUBTRACT, sum, c), "a + b - c");
    assert_printed(state, binary_node(f, OPERATOR_SUBTRACT, c, sum), "c - (a + b)");
    assert_printed(state, binary_node(f, OPERATOR_MULTIPLY, sum, c), "(a + b) * c");
    assert_printed(state, binary_node(f, OPERATOR_LESS, less, c), "(a < b) < c");
    assert_printed(state, binary_node(f, OPERATOR_EQUAL, less, c), "a < b == c");
    assert_printed(state, unary_node(f, OPERATOR_NEGATE, sum), "-(a + b)");
    assert_printed(state, binary_node(f, OPERATOR_ADD, a, unary_node(f, OPERATOR_NEGATE, b)),
                   "a + -b");
    assert_printed(state,
                   AST_NEW(f->arena, ((struct span){0, 0}), .kind = AST_FIELD,
                           .as.field = {unary_node(f, OPERATOR_NEGATE, a), c->as.name}),
                   "(-a).c");
}

static void test_numbers_without_source(void **state)
{
    struct fixture *f = *state;
    const struct ast *minus = integer_node(f, -3);
    assert_printed(state, binary_node(f, OPERATOR_SUBTRACT, minus, minus), "-3 - -3");
    assert_printed(state, integer_node(f, INT64_MIN), "(-9223372036854775807 - 1)");
    const struct ast *tenth =
        AST_NEW(f->arena, ((struct span){0, 0}), .kind = AST_REAL, .as.real = 0.1);
    assert_printed(state, tenth, "0.1");
}

static void test_rules_do_not_take_the_parentheses_of_a_call(void **state)
{
    struct fixture *f = *state;
    struct span nowhere = {0, 0};
    const struct ast *rule =
        AST_NEW(f->arena, nowhere, .kind = AST_RULE,
                .as.rule = {symbol_from(&f->symbols, "clamp"), ast_list(f->arena)});
    const struct ast *bordered =
        AST_NEW(f->arena, nowhere, .kind = AST_BORDERED, .as.bordered = {name_node(f, "a"), rule});
    struct ast_list *arguments = ast_list_add(f->arena, ast_list(f->arena), name_node(f, "b"));
    assert_printed(state,
                   AST_NEW(f->arena, nowhere, .kind = AST_CALL, .as.call = {bordered, arguments}),
                   "(a border clamp)(b)");
}

/* A tree from a sequence of pseudo-random numbers. */
static const struct ast *random_tree(struct fixture *f, uint32_t *seed, int depth)
{
    const struct span nowhere = {0, 0};
    const uint32_t random = next_random(seed);
    if (depth == 0)
        return random % 2 ? name_node(f, "some_name") : integer_node(f, random % 100);
    const struct ast *left = random_tree(f, seed, depth - 1);
    switch (random % 8) {
    case 0:
        return unary_node(f, random / 8 % 3 ? OPERATOR_NEGATE : OPERATOR_NOT, left);
    case 1: {
        struct ast_list *items = ast_list_add(f->arena, ast_list(f->arena), left);
        ast_list_add(f->arena, items, random_tree(f, seed, depth - 1));
        return AST_NEW(f->arena, nowhere, .kind = AST_INDEX,
                       .as.index = {random_tree(f, seed, depth - 1), items, NULL});
    }
    case 2: {
        struct ast_list *items = ast_list_add(f->arena, ast_list(f->arena), left);
        return AST_NEW(f->arena, nowhere, .kind = AST_CALL,
                       .as.call = {random_tree(f, seed, depth - 1), items});
    }
    case 3: {
        const struct ast *let =
            AST_NEW(f->arena, nowhere, .kind = AST_LET,
                    .as.let = {.name = symbol_from(&f->symbols, "t"), .value = left});
        return AST_NEW(f->arena, nowhere, .kind = AST_BLOCK,
                       .as.block = {ast_list_add(f->arena, ast_list(f->arena), let),
                                    random_tree(f, seed, depth - 1)});
    }
    default: {
        const uint32_t count = OPERATOR_REMAINDER - OPERATOR_OR + 1;
        return binary_node(f, OPERATOR_OR + random / 8 % count, left,
                           random_tree(f, seed, depth - 1));
    }
    }
}

static void test_random_trees_are_read_back(void **state)
{
    enum { TREES = 2000, DEEPEST = 7 };
    struct fixture *fixture = *state;
    uint32_t seed = 1;
    for (int i = 0; i < TREES; i++) {
        const struct arena_mark mark = arena_mark(fixture->arena);
        const struct source_map sources = fixture->sources;
        const struct symbol_table symbols = fixture->symbols;
        const struct module *module =
            module_of(fixture, random_tree(fixture, &seed, 1 + i % DEEPEST));
        const char *text = format(fixture, module);
        const struct module *again = parse(fixture, text);
        assert_string_equal(dump(fixture, again, false), dump(fixture, module, false));
        assert_string_equal(format(fixture, again), text);
        fixture->sources = sources;
        fixture->symbols = symbols;
        arena_release(fixture->arena, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unsharp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bspline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_local_laplacian, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dct_denoise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deconvolve, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_schedules_on_one_line_stay_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_construct, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_construct_has_every_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments_anywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments_stay_where_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments_inside_a_statement_go_before_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_comments_behind_a_block_keep_their_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_blank_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_expressions_break_before_operators, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_long_functions_break_behind_the_sign, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_arrays_keep_their_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rows_of_different_length_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_are_kept_as_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parentheses_are_added_where_needed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_without_source, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rules_do_not_take_the_parentheses_of_a_call, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_random_trees_are_read_back, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
