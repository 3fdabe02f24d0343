/* Text in C files: makes foreign words safe in comments and strings, and folds long lines. */
#include "emit/emission.h"

const char *comment_text(struct arena *arena, const char *words)
{
    struct text out = text_create(arena);
    for (const char *c = words; *c; c++) {
        const char last = out.length ? out.bytes[out.length - 1] : 0;
        /* No end of the comment, no comment in it, no trigraph, no line joined to the next. */
        if ((last == '*' && *c == '/') || (last == '/' && *c == '*') || (last == '?' && *c == '?'))
            text_append(&out, " ", 1);
        const char put = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c == '\\' ? '|' : *c;
        text_append(&out, &put, 1);
    }
    return out.length ? out.bytes : "";
}

const char *string_literal(struct arena *arena, const char *words)
{
    struct text out = text_create(arena);
    text_append(&out, "\"", 1);
    for (const char *c = words; *c; c++) {
        if (*c == '\n')
            text_print(&out, "\\n");
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            text_print(&out, "\\%03o", (unsigned)*c);
        else
            text_print(&out, strchr("\"\\?", *c) ? "\\%c" : "%c", *c);
    }
    text_append(&out, "\"", 1);
    return out.bytes;
}

enum { WIDTH = 100, DEEPEST = 60 };

/* Where C may go on in another line, the best first. */
static const char *const break_before[] = {", ", " = ", " ? ", " : ", " || ", " && ", " + ", " - "};
enum { BREAKS = sizeof break_before / sizeof break_before[0] };

/* Bytes of the first part of a line: up to the last of the least nested, best places; beyond the
 * width the first one, if there is none before; 0 where there is none at all. */
static size_t break_code(const char *line, size_t length, size_t indent)
{
    size_t best = 0, depth = 1, best_rank = SIZE_MAX, last_resort = 0;
    bool quoted = false;
    for (size_t i = indent + 1; i < length && (i < WIDTH || !(best || last_resort)); i++) {
        const char last = line[i - 1];
        if (last == '"' && line[i - 2] != '\\')
            quoted = !quoted;
        if (quoted)
            continue;
        if (line[i] == ' ' && strncmp(line + i, " /*", 3) == 0)
            return i;
        depth += last == '(' || last == '[' || last == '{';
        depth -= last == ')' || last == ']' || last == '}';
        size_t k = line[i] == ' ' || line[i] == ',' ? 0 : BREAKS; /* what any of them begins with */
        while (k < BREAKS && strncmp(line + i, break_before[k], strlen(break_before[k])) != 0)
            k++;
        const bool behind = k < 2; /* the sign stays in the first line */
        const bool helps = k != 1 || length - i + indent + 2 <= WIDTH;
        if (k < BREAKS && helps && depth * BREAKS + k <= best_rank) {
            best = i + (behind ? strlen(break_before[k]) - 1 : 0);
            best_rank = depth * BREAKS + k;
        }
        if (k == 1 && !helps)
            last_resort = i + strlen(break_before[k]) - 1;
    }
    return best ? best : last_resort;
}

static size_t break_comment(const char *line, size_t length, size_t indent)
{
    size_t best = 0;
    for (size_t i = indent + 4; i < length && i <= WIDTH; i++)
        if (line[i] == ' ')
            best = i;
    return best;
}

/* Lines that end at their end: of the preprocessor, with a comment of C++, joined to the next. */
static bool is_fixed(const char *line, size_t length)
{
    return line[strspn(line, " ")] == '#' || line[length - 1] == '\\' || strstr(line, "// ");
}

/* Of a text that may be changed, with a byte in front of it: what stands before the rest of a line
 * takes the place of what was folded away, which is as long but for a byte. So a line is folded
 * in time and memory in proportion to it. */
static void fold_line(struct text *out, char *line, size_t length)
{
    size_t own = strspn(line, " ");
    own = own < DEEPEST ? own : DEEPEST;
    const bool fixed = length <= WIDTH || is_fixed(line, length);
    while (!fixed && length > WIDTH) {
        const size_t indent = strspn(line, " ");
        const char *start = line + indent;
        const bool opens = strncmp(start, "/*", 2) == 0,
                   comment = opens || strncmp(start, "* ", 2) == 0;
        const size_t at =
            comment ? break_comment(line, length, indent) : break_code(line, length, indent);
        if (at <= indent + 1 || at >= length)
            break;
        text_append(out, line, at);
        text_append(out, "\n", 1);
        const size_t front = comment ? indent + opens + 2 : own + 4;
        line += at + 1;
        line -= front;
        length += front - (at + 1);
        memset(line, ' ', front);
        if (comment)
            line[front - 2] = '*';
    }
    text_append(out, line, length);
}

struct text fold_lines(struct arena *arena, const char *text)
{
    const size_t length = strlen(text);
    struct text out = text_create(arena);
    char *at = memcpy((char *)arena_allocate(arena, length + 2) + 1, text, length);
    for (const char *const end = at + length; at < end; at++) {
        const size_t line = strcspn(at, "\n");
        const bool is_ended = at[line] != 0;
        at[line] = 0;
        fold_line(&out, at, line);
        if (is_ended)
            text_append(&out, "\n", 1);
        at += line;
    }
    return out;
}
