/* The textual form of loop programs: what is printed, that it reads back as it was, and what cannot
 * be read. */
#include "loop/loop_text.h"

#include "loop/loop_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"
#include "example_program.h"

static const char *print(struct session *session, const struct program *program)
{
    struct text text = text_create(session->scratch);
    program_print(program, &text);
    return text.bytes;
}

static const struct program *read(struct session *session, const char *text)
{
    return program_read(session, "test.loop", text, strlen(text));
}

static void the_example_reads_back(void **state)
{
    struct session *session = *state;
    const struct program *program = read(session, example_program);
    assert_non_null(program);
    assert_string_equal(print(session, program), example_program);
    const char *problem = program_verify(program, 48 << 10, LOWERED_STAGES, session->scratch);
    assert_null(problem);
}

static void expect_same_statement(const struct statement *a, const struct statement *b);

static void expect_same_child(const struct statement *child, void *context)
{
    const struct statement *const **next = context;
    expect_same_statement(child, *(*next)++);
}

static void count_child(const struct statement *child, void *context)
{
    (void)child;
    ++*(size_t *)context;
}

static void keep_child(const struct statement *child, void *context)
{
    const struct statement ***next = context;
    *(*next)++ = child;
}

static void keep_expression(const struct expr *node, void *context)
{
    const struct expr ***next = context;
    *(*next)++ = node;
}

/* Kind, span, expressions and children. */
static void expect_same_statement(const struct statement *a, const struct statement *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->span.start, b->span.start);
    assert_int_equal(a->span.end, b->span.end);
    if (a->kind == STATEMENT_KERNEL)
        assert_int_equal(a->as.kernel.staged, b->as.kernel.staged);
    if (a->kind == STATEMENT_IF)
        assert_int_equal(a->as.branch.packed, b->as.branch.packed);
    const struct expr *of_a[16] = {NULL}, *of_b[16] = {NULL}, **next = of_a;
    statement_expressions(a, keep_expression, &next);
    next = of_b;
    statement_expressions(b, keep_expression, &next);
    assert_memory_equal(of_a, of_b, sizeof of_a);
    size_t count_a = 0, count_b = 0;
    statement_children(a, count_child, &count_a);
    statement_children(b, count_child, &count_b);
    assert_int_equal(count_a, count_b);
    const struct statement *child[64], **end = child;
    assert_true(count_b < 64);
    statement_children(b, keep_child, &end);
    const struct statement *const *const_child = child;
    statement_children(a, expect_same_child, &const_child);
}

static void reads_the_same_nodes(void **state)
{
    struct session *session = *state;
    const struct program *a = read(session, example_program), *b = read(session, example_program);
    expect_same_statement(a->body, b->body);
    assert_ptr_equal(a->values.item[0].value, b->values.item[0].value);
    assert_ptr_equal(a->regions.item[0].end[0], b->regions.item[0].end[0]);
    assert_ptr_equal(a->region_variables.item[1], b->region_variables.item[1]);
    for (size_t i = 0; i < a->buffers.count; i++) {
        const struct buffer *of_a = &a->buffers.item[i], *of_b = &b->buffers.item[i];
        assert_ptr_equal(of_a->name, of_b->name);
        assert_int_equal(of_a->id.index, i);
        assert_int_equal(of_b->space, of_a->space);
        assert_int_equal(of_a->slot, i == 2 ? 0 : NO_SLOT);
        for (unsigned k = 0; k < of_a->rank; k++)
            assert_memory_equal(&of_a->axis[k], &of_b->axis[k], sizeof of_a->axis[k]);
    }
}

/* ---- Blocks, built in C ---- */

static const struct statement *note(struct session *session, const char *text)
{
    return STATEMENT_NEW(session->ir, ((struct span){0, 0}), .kind = STATEMENT_NOTE,
                         .as.note = {text});
}

static const struct statement *block(struct session *session, struct span span, size_t count,
                                     const struct statement *const item[])
{
    const struct statement_list list = {arena_copy(session->ir, item, count * sizeof *item), count};
    return STATEMENT_NEW(session->ir, span, .kind = STATEMENT_BLOCK, .as.block = list);
}

/* The body after a round trip; its text as expected. */
static void expect_body(struct session *session, const struct statement *body, const char *text)
{
    struct program program = {.name = symbol_from(&session->symbols, "p"), .body = body};
    const char *printed = print(session, &program);
    assert_string_equal(printed, arena_format(session->scratch, "program p\n\n\nbody%s\n", text));
    const struct program *again = read(session, printed);
    assert_non_null(again);
    expect_same_statement(body, again->body);
    assert_string_equal(print(session, again), printed);
}

static void blocks_keep_their_shape(void **state)
{
    struct session *session = *state;
    const struct span none = {0, 0}, span = {3, 4};
    const struct statement *a = note(session, "a"), *b = note(session, "b");
    const struct statement *const ab[] = {a, b};
    const struct statement *two = block(session, span, 2, ab);
    const struct statement *one = block(session, none, 1, ab);
    const struct statement *const nested[] = {two, one};
    expect_body(session, a, " {\n    note \"a\"\n}");
    expect_body(session, block(session, none, 0, ab), " {\n}");
    expect_body(session, two, " {\n    note \"a\"\n    note \"b\"\n} @3-4");
    expect_body(session, one, " {\n    block {\n        note \"a\"\n    }\n}");
    expect_body(session, block(session, none, 1, nested),
                " {\n    block {\n        block @3-4 {\n            note \"a\"\n            note "
                "\"b\"\n        }\n    }\n}");
    expect_body(session, block(session, none, 2, nested),
                " {\n    block @3-4 {\n        note \"a\"\n        note \"b\"\n    }\n    block "
                "{\n        note \"a\"\n    }\n}");
}

static void branches_may_lack_an_else(void **state)
{
    struct session *session = *state;
    const struct statement *a = note(session, "a"), *const none[] = {NULL};
    struct statement branch = {.kind = STATEMENT_IF,
                               .as.branch = {expr_boolean(&session->pool, true), a, NULL}};
    expect_body(session, &branch, " {\n    if true {\n        note \"a\"\n    }\n}");
    branch.as.branch.otherwise = block(session, (struct span){0, 0}, 0, none);
    expect_body(session, &branch, " {\n    if true {\n        note \"a\"\n    } else {\n    }\n}");
    branch.as.branch.packed = true;
    expect_body(session, &branch,
                " {\n    if packed true {\n        note \"a\"\n    } else {\n    }\n}");
}

static void every_level_and_space(void **state)
{
    struct session *session = *state;
    for (unsigned i = 0; i < LEVEL_COUNT; i++) {
        const char *text = arena_format(session->scratch,
                                        "program p\nvariable x : index i32\n\n\nbody {\n"
                                        "    loop x from 0 extent 1 %s {\n    }\n}\n",
                                        level_text[i]);
        assert_string_equal(print(session, read(session, text)), text);
    }
    for (unsigned i = 0; i < SPACE_COUNT; i++) {
        const char *text = arena_format(
            session->scratch, "program p\n\nbuffer b : %s i8 0 .. 9 {\n%s}\n\n\nbody {\n}\n",
            space_text[i],
            i == SPACE_CONSTANT ? "    values { 7 }\n"
            : i == SPACE_PART   ? "    within 0\n"
                                : "");
        assert_string_equal(print(session, read(session, text)), text);
    }
}

static void prints_broken_programs(void **state)
{
    struct session *session = *state;
    const struct program *good = read(session, example_program);
    struct program *program = program_copy(session->ir, good);
    program->buffers.item[1].name = program->buffers.item[0].name;
    program->buffers.item[2].id.index = 9;
    struct statement barrier = {.kind = STATEMENT_BARRIER};
    struct statement store = {.kind = STATEMENT_STORE, .as.store = {.buffer = {99}}};
    const struct statement *const item[] = {&barrier, &store};
    program->body = block(session, (struct span){0, 0}, 2, item);
    const char *text = print(session, program);
    assert_non_null(strstr(text, "buffer in'2 : constant"));
    assert_non_null(strstr(text, "buffer blur #9 : scratch"));
    assert_non_null(strstr(text, "body {\n    barrier\n    store #99[] = none\n}\n"));
}

/* The block ```loop of the document, which is found from the top of the repository. */
static void the_example_of_the_document_is_right(void **state)
{
    struct session *session = *state;
    static char document[1 << 16];
    FILE *file = fopen("compiler/loop/LOOP.md", "rb");
    if (!file)
        skip();
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    const char *start = strstr(document, "```loop\n") + strlen("```loop\n");
    const char *text = arena_text(session->scratch, start, (size_t)(strstr(start, "```") - start));
    const char *printed = print(session, read(session, text));
    assert_null(program_verify(read(session, text), 0, LOWERED_STAGES, session->scratch));
    assert_string_equal(print(session, read(session, printed)), printed);
}

/* ---- Mistakes ---- */

/* One word of the example is replaced. */
static void expect_mistake(struct session *session, const char *word, const char *replacement,
                           const char *message, const char *place)
{
    const char *at = strstr(example_program, word);
    assert_non_null(at);
    struct text text = text_create(session->scratch);
    text_append(&text, example_program, (size_t)(at - example_program));
    text_append(&text, replacement, strlen(replacement));
    text_append(&text, at + strlen(word), strlen(at + strlen(word)));
    session->diagnostics.list.count = 0;
    assert_null(read(session, text.bytes));
    assert_int_equal(session->diagnostics.list.count, 1);
    const struct diagnostic *d = session->diagnostics.list.item[0];
    assert_string_equal(d->text, message);
    const struct source_file *file = source_map_file(&session->sources, d->span.start);
    assert_int_equal(strncmp(file->text + (d->span.start - file->start), place, strlen(place)), 0);
}

static void mistakes(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "program", "graph", "expected 'program', not 'graph'", "graph");
    expect_mistake(session, ": input", ": global", "expected a space, not 'global'", "global");
    expect_mistake(session, "slot 0", "slot -1", "a slot is not negative, and below 2^32 - 1",
                   "-1");
    expect_mistake(session, "extent 3\n", "extent 4\n", "there are 3 values in a box of 4 samples",
                   "values");
    expect_mistake(session, "extent 3\n", "extent in.x\n",
                   "there are 3 values in a box of 0 samples", "values");
    expect_mistake(session, "value half.y", "value y",
                   "a variable of the kind 'extent' is needed here", "y = divide");
    expect_mistake(session, "output out", "output image", "there is no 'image' above this place",
                   "image");
    expect_mistake(session, ", 0 .. in.x)", ")", "this buffer has 2 axes, but its region 1",
                   "in (max");
    expect_mistake(session, "body", "bodies", "expected 'body', not 'bodies'", "bodies");
    expect_mistake(session, "serial", "parallel", "expected a level, not 'parallel'", "parallel");
    expect_mistake(session, "loop x", "loop in.x", "a variable of the kind 'index' is needed here",
                   "in.x from");
    expect_mistake(session, "let t", "let x", "a variable of the kind 'local' is needed here",
                   "x = add(sum");
    expect_mistake(session, "barrier", "barriers", "expected a statement, not 'barriers'",
                   "barriers");
    expect_mistake(session, "store tile[%1, %2]", "store tile[0,0,0,0,0,0,0,0,0]",
                   "a buffer has at most 8 axes", "tile[0");
}

static void deep_texts_do_not_crash(void **state)
{
    struct session *session = *state;
    struct text text = text_create(session->scratch);
    text_print(&text, "program p body {\n");
    for (int i = 0; i < 100000; i++)
        text_print(&text, "if true {");
    assert_null(read(session, text.bytes));
    assert_int_equal(session->diagnostics.list.count, 1);
    assert_string_equal(session->diagnostics.list.item[0]->text,
                        "more than 500 statements stand one in another");
}

static void broken_texts_do_not_crash(void **state)
{
    struct session *session = *state;
    static const char bytes[] = " 0123456789.-@#%'`\"()[]{},:=xyinaebluro";
    uint32_t random = 7;
    for (size_t i = 0; i < 6000; i++) {
        char changed[sizeof example_program];
        memcpy(changed, example_program, sizeof changed);
        size_t length = sizeof changed - 1;
        if (i < length / 2)
            length = 2 * i;
        for (int k = 0; i >= sizeof changed / 2 && k < 2; k++) {
            random = random * 1664525 + 1013904223;
            changed[(random >> 8) % length] = bytes[(random >> 3) % (sizeof bytes - 1)];
        }
        session->diagnostics.list.count = 0;
        const struct program *program = program_read(session, "test.loop", changed, length);
        assert_int_equal(session->diagnostics.list.count, program ? 0 : 1);
        if (!program)
            continue;
        const char *text = print(session, program);
        const struct program *again = read(session, text);
        if (again) /* a box may read a later buffer, which has no name yet */
            assert_string_equal(print(session, again), text);
        program_verify(program, 1000, LOWERED_STAGES, session->scratch);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(the_example_reads_back),
        TEST(reads_the_same_nodes),
        TEST(blocks_keep_their_shape),
        TEST(branches_may_lack_an_else),
        TEST(every_level_and_space),
        TEST(prints_broken_programs),
        TEST(the_example_of_the_document_is_right),
        TEST(mistakes),
        TEST(deep_texts_do_not_crash),
        TEST(broken_texts_do_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
