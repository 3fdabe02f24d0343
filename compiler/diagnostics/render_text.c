/* Messages as text: a headline, the source line with the place underlined, each label the same
 * way, then notes and helps. Source is shown from the source map, in columns of a terminal: tabs
 * expanded, wide characters counted twice, and whatever is not text, or would change how the
 * terminal shows the rest, replaced. */
#include "diagnostics/diagnostic.h"
#include "diagnostics/render.h"
#include "support/utf8.h"

#include <stdio.h>
#include <string.h>

enum {
    TAB = 4,          /* columns from one tab stop to the next */
    WIDEST = 160,     /* columns of source shown; a longer line is cut */
    BEFORE_PLACE = 60 /* columns shown before the place in a line that is cut there */
};

struct renderer {
    const struct source_map *sources;
    struct text *out;
    bool color;
    int digits;                     /* of the largest line number of the message */
    const struct source_file *file; /* of the source shown last */
    uint32_t line;                  /* shown last; 0 where it was cut or there was none */
};

static const char *const BOLD = "\033[1m";
static const char *const BLUE = "\033[1;34m";
static const char *const GREEN = "\033[1;32m";
static const char *const SEVERITY_COLOR[] = {
    [SEVERITY_ERROR] = "\033[1;31m",
    [SEVERITY_WARNING] = "\033[1;35m",
    [SEVERITY_REMARK] = "\033[1;36m",
};

static void begin_color(const struct renderer *to, const char *color)
{
    if (to->color)
        text_print(to->out, "%s", color);
}

static void end_color(const struct renderer *to)
{
    if (to->color)
        text_print(to->out, "\033[0m");
}

/* --- Characters and columns --- */

struct glyph {
    const char *bytes;
    size_t length; /* in the source */
    unsigned columns;
    enum { GLYPH_AS_IS, GLYPH_TAB, GLYPH_REPLACED } kind;
};

/* Control characters, and those that reorder the text after them. */
static bool acts_on_terminal(uint32_t code_point)
{
    return code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F) ||
           (code_point >= 0x200E && code_point <= 0x200F) ||
           (code_point >= 0x2028 && code_point <= 0x202E) ||
           (code_point >= 0x2066 && code_point <= 0x2069);
}

/* column: where the character will stand; a tab's width depends on it. */
static struct glyph glyph_at(const char *text, size_t length, size_t column)
{
    struct glyph glyph = {.bytes = text};
    const uint32_t code_point = utf8_decode(text, length, &glyph.length);
    if (code_point == '\t') {
        glyph.kind = GLYPH_TAB;
        glyph.columns = TAB - (unsigned)(column % TAB);
    } else if (code_point == UTF8_REPLACEMENT || acts_on_terminal(code_point)) {
        glyph.kind = GLYPH_REPLACED;
        glyph.columns = 1;
    } else {
        glyph.columns = utf8_columns(code_point);
    }
    return glyph;
}

static void append_spaces(struct text *out, size_t count)
{
    text_print(out, "%*s", (int)count, "");
}

static void append_glyph(struct text *out, struct glyph glyph)
{
    switch (glyph.kind) {
    case GLYPH_AS_IS:
        text_append(out, glyph.bytes, glyph.length);
        break;
    case GLYPH_TAB:
        append_spaces(out, glyph.columns);
        break;
    case GLYPH_REPLACED:
        text_print(out, "\uFFFD");
        break;
    }
}

/* Texts hold names from the source, so they are shown as carefully as the source is. */
static void append_shown(struct text *out, const char *text)
{
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const struct glyph glyph = glyph_at(text + at, length - at, 0);
        append_glyph(out, glyph);
        at += glyph.length;
    }
}

/* --- Lines --- */

struct line {
    const char *text;
    size_t length; /* without white space at the end */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct line line_of(struct source_place place)
{
    const struct source_file *file = place.file;
    const uint32_t start = file->line[place.line - 1];
    const uint32_t end = place.line < file->line_count ? file->line[place.line] : file->length;
    struct line line = {.text = file->text + start, .length = end - start};
    while (line.length > 0 && is_blank(line.text[line.length - 1]))
        line.length--;
    return line;
}

/* The column of the byte, 0-based; of the line's end for a byte after it. */
static size_t column_of(struct line line, size_t byte)
{
    size_t column = 0;
    for (size_t at = 0; at < byte && at < line.length;) {
        const struct glyph glyph = glyph_at(line.text + at, line.length - at, column);
        column += glyph.columns;
        at += glyph.length;
    }
    return column;
}

struct columns {
    size_t from, to; /* `to` excluded */
};

/* The part of a line that is shown, so that the place is in it. */
static struct columns window_around(struct columns place, size_t line_columns)
{
    if (line_columns <= WIDEST)
        return (struct columns){0, line_columns};
    if (place.to < WIDEST || place.from < BEFORE_PLACE)
        return (struct columns){0, WIDEST};
    const size_t last = line_columns - WIDEST;
    const size_t from = place.from - BEFORE_PLACE < last ? place.from - BEFORE_PLACE : last;
    return (struct columns){from, from + WIDEST};
}

/* A cut takes one column for its "…". Half of a wide character is a space. */
static void append_window(struct text *out, struct line line, struct columns window)
{
    const bool cut_left = window.from > 0, cut_right = window.to < column_of(line, line.length);
    const struct columns inside = {window.from + cut_left, window.to - cut_right};
    if (cut_left)
        text_print(out, "…");
    size_t column = 0;
    for (size_t at = 0; at < line.length && column <= inside.to;) {
        const struct glyph glyph = glyph_at(line.text + at, line.length - at, column);
        const size_t end = column + glyph.columns;
        const size_t shown_from = column > inside.from ? column : inside.from;
        const size_t shown_to = end < inside.to ? end : inside.to;
        if (column >= inside.from && end <= inside.to)
            append_glyph(out, glyph);
        else if (shown_from < shown_to)
            append_spaces(out, shown_to - shown_from);
        column = end;
        at += glyph.length;
    }
    if (cut_right)
        text_print(out, "…");
}

/* --- Places --- */

/* Where a span is shown. One at the end of a file is shown after the last character there that can
 * be seen, not on an empty line. */
static struct source_place shown_place(const struct source_map *sources, struct span span)
{
    const struct source_file *file = source_map_file(sources, span.start);
    if (!file || span.start < file->start + file->length)
        return source_map_place(sources, span.start);
    uint32_t at = file->length;
    while (at > 0 && is_blank(file->text[at - 1]))
        at--;
    return source_map_place(sources, file->start + at);
}

/* The columns to underline: at least one, and none on the lines after the first. */
static struct columns columns_of(struct source_place place, struct line line, struct span span)
{
    const uint32_t line_start = place.file->start + place.file->line[place.line - 1];
    const size_t from = column_of(line, place.column - 1);
    const size_t to = span.end > line_start ? column_of(line, span.end - line_start) : 0;
    return (struct columns){from, to > from ? to : from + 1};
}

static void print_place(const struct renderer *to, struct source_place place)
{
    begin_color(to, BOLD);
    append_shown(to->out, place.file->name);
    text_print(to->out, ":%u:%u:", (unsigned)place.line, (unsigned)place.column);
    end_color(to);
}

static void print_source_line(const struct renderer *to, uint32_t number, struct line line,
                              struct columns window)
{
    text_print(to->out, "  %*u |%s", to->digits, (unsigned)number, line.length ? " " : "");
    append_window(to->out, line, window);
    text_print(to->out, "\n");
}

/* How a place is underlined. */
struct mark {
    const char *color;
    char first, rest;
    const char *note; /* after the underline; NULL for none */
};

static void print_underline(const struct renderer *to, size_t indent, size_t length,
                            struct mark mark)
{
    text_print(to->out, "%*s| %*s", to->digits + 3, "", (int)indent, "");
    begin_color(to, mark.color);
    for (size_t i = 0; i < length; i++)
        text_append(to->out, i ? &mark.rest : &mark.first, 1);
    if (mark.note)
        text_print(to->out, " note:");
    end_color(to);
    if (mark.note) {
        text_print(to->out, " ");
        append_shown(to->out, mark.note);
    }
    text_print(to->out, "\n");
}

/* The line of the span, unless it has just been shown whole, and the underline. */
static void print_excerpt(struct renderer *to, struct span span, struct mark mark)
{
    const struct source_place place = shown_place(to->sources, span);
    const struct line line = line_of(place);
    const struct columns underlined = columns_of(place, line, span);
    const size_t line_columns = column_of(line, line.length);
    const struct columns window = window_around(underlined, line_columns);
    if (place.file != to->file) {
        print_place(to, place);
        text_print(to->out, "\n");
    }
    if (place.file != to->file || place.line != to->line)
        print_source_line(to, place.line, line, window);
    to->file = place.file;
    to->line = line_columns <= WIDEST ? place.line : 0;
    const size_t last = window.to > underlined.from ? window.to : underlined.from + 1;
    const size_t end = underlined.to < last ? underlined.to : last;
    print_underline(to, underlined.from - window.from, end - underlined.from, mark);
}

/* --- Messages --- */

static void print_headline(struct renderer *to, const struct diagnostic *diagnostic)
{
    const struct source_place place = shown_place(to->sources, diagnostic->span);
    if (place.file)
        print_place(to, place);
    else
        text_print(to->out, "fltc:");
    text_print(to->out, " ");
    begin_color(to, SEVERITY_COLOR[diagnostic->severity]);
    text_print(to->out, "%s[%s]:", severity_word[diagnostic->severity],
               diagnostic_info[diagnostic->code].code);
    end_color(to);
    text_print(to->out, " ");
    begin_color(to, BOLD);
    append_shown(to->out, diagnostic->text);
    end_color(to);
    text_print(to->out, "\n");
    to->file = place.file;
    to->line = 0;
}

/* A line below the source: "note" or "help". */
static void print_remark(const struct renderer *to, const char *color, const char *word,
                         const char *text)
{
    append_spaces(to->out, (size_t)to->digits + 3);
    begin_color(to, color);
    text_print(to->out, "%s:", word);
    end_color(to);
    text_print(to->out, " ");
    append_shown(to->out, text);
    text_print(to->out, "\n");
}

static int digits_of_lines(const struct renderer *to, const struct diagnostic *diagnostic)
{
    uint32_t largest = shown_place(to->sources, diagnostic->span).line;
    for (size_t i = 0; i < diagnostic->labels.count; i++) {
        const uint32_t line = shown_place(to->sources, diagnostic->labels.item[i].span).line;
        largest = line > largest ? line : largest;
    }
    return snprintf(NULL, 0, "%u", (unsigned)largest);
}

static void print_diagnostic(struct renderer *to, const struct diagnostic *diagnostic)
{
    to->digits = digits_of_lines(to, diagnostic);
    print_headline(to, diagnostic);
    if (to->file)
        print_excerpt(to, diagnostic->span,
                      (struct mark){SEVERITY_COLOR[diagnostic->severity], '^', '~', NULL});
    for (size_t i = 0; i < diagnostic->labels.count; i++) {
        const struct diagnostic_label *label = &diagnostic->labels.item[i];
        if (source_map_file(to->sources, label->span.start))
            print_excerpt(to, label->span, (struct mark){BLUE, '-', '-', label->text});
        else
            print_remark(to, BLUE, "note", label->text);
    }
    for (size_t i = 0; i < diagnostic->notes.count; i++)
        print_remark(to, BLUE, "note", diagnostic->notes.item[i]);
    for (size_t i = 0; i < diagnostic->helps.count; i++)
        print_remark(to, GREEN, "help", diagnostic->helps.item[i].text);
}

void diagnostics_render_text(const struct diagnostics *diagnostics, struct text *out, bool color)
{
    const struct diagnostics_shown shown = diagnostics_shown(diagnostics, out->arena);
    struct renderer to = {.sources = diagnostics->sources, .out = out, .color = color};
    for (size_t i = 0; i < shown.count; i++)
        print_diagnostic(&to, shown.item[i]);
    if (shown.errors_left_out)
        text_print(out, "… and %u more error%s\n", shown.errors_left_out,
                   shown.errors_left_out == 1 ? "" : "s");
}
