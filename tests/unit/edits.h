/* Tests of verifiers: a text that is right, and edits of it, each of which breaks one rule. */
#ifndef FLTC_TESTS_EDITS_H
#define FLTC_TESTS_EDITS_H

#include "session.h"
#include "support/text.h"

struct edit {
    const char *words, *replacement; /* of the first such words */
    const char *sentence;            /* what the verifier says then */
};

static inline const char *edited(struct session *session, const char *text, const char *words,
                                 const char *replacement)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("the text has no '%s'", words);
    return arena_format(session->scratch, "%.*s%s%s", (int)(at - text), text, replacement,
                        at + strlen(words));
}

/* verify: reads the text; what its verifier says of it, or NULL. */
static inline void expect_edits(struct session *session, const char *text, size_t count,
                                const struct edit edit[],
                                const char *(*verify)(struct session *session, const char *text))
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const struct edit *e = &edit[i];
        const char *said = verify(session, edited(session, text, e->words, e->replacement));
        const char *wanted = e->sentence ? e->sentence : "it is right";
        said = said ? said : "it is right";
        if (strcmp(said, wanted) != 0) {
            print_error("'%s' for '%s':\n  %s\nnot:\n  %s\n", e->replacement, e->words, said,
                        wanted);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

#endif
