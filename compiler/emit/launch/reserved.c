#include "emit/launch/reserved.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum scope { EVERYWHERE = ROLE_MEMBER, INSIDE = ROLE_LOCAL, OUTSIDE = ROLE_GLOBAL };

static const struct {
    enum scope scope;
    unsigned language;
    const char *words;
} row[] = {
#define RESERVED(scope, language, words) {scope, LANGUAGE_##language, words},
#include "emit/launch/reserved.def"
#undef RESERVED
};

/* A word of the table, which a blank or the end is behind. */
static bool is_same(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* M_* for M_PI, not for M_x nor M_. */
static bool is_of_family(const char *word, size_t length, const char *name)
{
    const bool begins = word[length - 1] == '*' && strncmp(word, name, length - 1) == 0;
    const unsigned char next = begins ? (unsigned char)name[length - 1] : 0;
    return isupper(next) || isdigit(next);
}

static bool is_among(const char *words, const char *name, bool families)
{
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (is_same(at, length, name) || (families && is_of_family(at, length, name)))
            return true;
        at += length;
    }
    return false;
}

static bool is_taken(const char *name, enum name_role role, unsigned languages, bool families)
{
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if ((languages & row[i].language) && (unsigned)row[i].scope <= (unsigned)role &&
            is_among(row[i].words, name, families))
            return true;
    return false;
}

bool name_is_reserved(const char *name, enum name_role role, unsigned languages)
{
    return is_taken(name, role, languages, true);
}

bool name_is_word(const char *name, enum name_role role, unsigned languages)
{
    return is_taken(name, role, languages, false);
}
