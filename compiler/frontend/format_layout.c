/* pieces → lines. Greedy: a space ends the line if what follows, up to the next space of its group
 * or of one around it, does not fit on the line.
 * After: D. Oppen, Prettyprinting, TOPLAS 1980, with groups and both kinds of blanks as there; what
 * follows is scanned anew at each space, because that stops after one line. */
#include "frontend/format_layout.h"

enum {
    LINE_COLUMNS = 100,
    DEEPEST_INDENT = 60, /* beyond this, lines are not indented further */
    INDENT = 4,
};

struct group {
    unsigned indent;
    bool whole;     /* all of its spaces end lines */
    bool on_a_line; /* none does, nor one of the groups inside */
};

struct printer {
    const struct layout_piece *pieces;
    size_t count;
    struct arena *arena;
    struct text *out;
    VECTOR(struct group) open;
};

void layout_add(struct layout *layout, enum layout_kind kind)
{
    layout_add_text(layout, kind, "", 0);
}

void layout_add_text(struct layout *layout, enum layout_kind kind, const char *text, size_t length)
{
    VECTOR_PUSH(layout->arena, &layout->pieces, (struct layout_piece){kind, text, length});
}

/* Whether the pieces from `first` on, put behind a line's `column` bytes, fit on that line up to
 * where it may end: the next space of the group they are in, or any behind that group. If all of
 * the group is to be on the line, only the latter. Note [Lines that must end]. */
static bool fits(const struct printer *printer, size_t first, size_t column, bool all)
{
    int depth = 0;
    bool is_behind = false, may_end = !all;
    for (size_t i = first; i < printer->count && column <= LINE_COLUMNS; i++) {
        const struct layout_piece *piece = &printer->pieces[i];
        switch (piece->kind) {
        case LAYOUT_TEXT:
            column += piece->length;
            break;
        case LAYOUT_NEWLINE:
        case LAYOUT_COMMENT:
            return may_end;
        case LAYOUT_SPACE:
            if (may_end)
                return true;
            column += piece->length;
            break;
        case LAYOUT_INDENT:
        case LAYOUT_HANG:
        case LAYOUT_WHOLE:
        case LAYOUT_ROWS:
            depth++;
            break;
        case LAYOUT_END:
            if (may_end)
                return true;
            column++;
            depth--;
            break;
        case LAYOUT_CLOSE:
            depth--;
            break;
        }
        is_behind = is_behind || depth < 0;
        may_end = is_behind || (depth == 0 && !all);
    }
    return column <= LINE_COLUMNS;
}

static struct group *innermost(struct printer *printer)
{
    return &printer->open.item[printer->open.count - 1];
}

static void end_line(struct printer *printer)
{
    text_append(printer->out, "\n", 1);
    printer->out->indent = innermost(printer)->indent;
}

static void print_space(struct printer *printer, size_t at)
{
    const struct layout_piece *space = &printer->pieces[at];
    const struct group *group = innermost(printer);
    const size_t column = text_column(printer->out) + space->length;
    if (group->on_a_line || (!group->whole && fits(printer, at + 1, column, false)))
        text_append(printer->out, space->text, space->length);
    else
        end_line(printer);
}

static void open_group(struct printer *printer, size_t at)
{
    const enum layout_kind kind = printer->pieces[at].kind;
    const struct group *around = innermost(printer);
    const size_t column = text_column(printer->out);
    const bool whole = kind == LAYOUT_WHOLE || kind == LAYOUT_ROWS;
    const bool hangs = kind == LAYOUT_HANG || kind == LAYOUT_ROWS;
    const unsigned more = around->indent + INDENT;
    const struct group group = {
        .indent = hangs && column <= DEEPEST_INDENT ? (unsigned)column
                  : more <= DEEPEST_INDENT          ? more
                                                    : DEEPEST_INDENT,
        .whole = whole,
        .on_a_line = around->on_a_line || (whole && fits(printer, at + 1, column, true)),
    };
    VECTOR_PUSH(printer->arena, &printer->open, group);
}

static void end_whole_group(struct printer *printer)
{
    const bool on_a_line = innermost(printer)->on_a_line;
    printer->open.count--;
    if (on_a_line)
        text_append(printer->out, " ", 1);
    else
        end_line(printer);
}

static void print_piece(struct printer *printer, size_t at)
{
    const struct layout_piece *piece = &printer->pieces[at];
    switch (piece->kind) {
    case LAYOUT_TEXT:
    case LAYOUT_COMMENT:
        text_append(printer->out, piece->text, piece->length);
        break;
    case LAYOUT_SPACE:
        print_space(printer, at);
        break;
    case LAYOUT_NEWLINE:
        end_line(printer);
        break;
    case LAYOUT_INDENT:
    case LAYOUT_HANG:
    case LAYOUT_WHOLE:
    case LAYOUT_ROWS:
        open_group(printer, at);
        break;
    case LAYOUT_CLOSE:
        printer->open.count--;
        break;
    case LAYOUT_END:
        end_whole_group(printer);
        break;
    }
}

void layout_print(const struct layout *layout, struct text *out)
{
    const unsigned indent = out->indent;
    struct printer printer = {layout->pieces.item, layout->pieces.count, layout->arena, out, {0}};
    VECTOR_PUSH(printer.arena, &printer.open, (struct group){.indent = indent});
    for (size_t i = 0; i < printer.count; i++)
        print_piece(&printer, i);
    out->indent = indent;
}

/* Note [Lines that must end]
 * A LAYOUT_NEWLINE in an inner group makes what is around it not fit, as a group that is too long
 * does: the formatter writes one where the source has a line end, which may be there because the
 * group was too long when it was last formatted. Formatting again must not change anything. */
