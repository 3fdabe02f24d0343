/* Texts in JSON: members and elements in the order of the calls. */
#ifndef FLTC_SUPPORT_JSON_H
#define FLTC_SUPPORT_JSON_H

#include "support/text.h"

#include <stdint.h>

struct json {
    struct text *out;
    /* Objects and arrays that stand no deeper have a line for each of their parts. */
    unsigned lines;
    unsigned depth;
    bool any; /* the one at hand has a part already */
};

/* In quotes. What is no UTF-8 becomes the replacement character. */
void json_string(struct text *out, const char *text);

/* key: of a member of an object; NULL: an element of an array, or the whole. */
void json_open(struct json *json, const char *key, char bracket);          /* '{' or '[' */
void json_close(struct json *json, char bracket);                          /* '}' or ']' */
void json_add_text(struct json *json, const char *key, const char *value); /* NULL: null */
void json_add_integer(struct json *json, const char *key, int64_t value);
void json_add_truth(struct json *json, const char *key, bool value);
/* A value that is JSON already. */
void json_add(struct json *json, const char *key, const char *value);

#endif
