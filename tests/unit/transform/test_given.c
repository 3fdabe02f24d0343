/* Texts for filters that are opened with a library stand in place of others: of the same names, and
 * declared the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "emit/helper_texts.h"

static const char *text_of(const char *name)
{
    for (const struct helper_text *t = helpers_in_c; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t->text;
    return NULL;
}

/* From the line of the declaration up to the opening brace. */
static void copy_declaration(const char *text, char declaration[200])
{
    const char *from = strstr(text, "static inline");
    assert_non_null(from);
    snprintf(declaration, 200, "%.*s", (int)strcspn(from, "{"), from);
}

static void each_stands_for_another(void **state)
{
    (void)state;
    unsigned replaced = 0;
    for (const struct helper_text *t = given_helpers; t->name; t++) {
        char is[200], must_be[200];
        if (strncmp(t->name, "flt_given", strlen("flt_given")) == 0) {
            assert_null(text_of(t->name));
            continue;
        }
        if (!text_of(t->name))
            fail_msg("%s stands for nothing", t->name);
        copy_declaration(t->text, is);
        copy_declaration(text_of(t->name), must_be);
        assert_string_equal(is, must_be);
        replaced++;
    }
    assert_int_equal(replaced, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_stands_for_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
