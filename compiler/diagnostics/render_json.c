/* Messages as JSON, one object a line, for editors; nothing else is written. The first span is the
 * primary one, the others are labels; a message about no place has none. Lines and columns count
 * from 1, columns and `byte` in bytes, `byte` from 0 at the start of the file. Version 1. */
#include "diagnostics/diagnostic.h"
#include "diagnostics/render.h"
#include "support/json.h"

#include <string.h>

static void append_place(struct text *out, const char *key, struct source_place place)
{
    text_print(out, "\"%s\":{\"line\":%u,\"column\":%u,\"byte\":%u}", key, (unsigned)place.line,
               (unsigned)place.column,
               (unsigned)(place.file->line[place.line - 1] + place.column - 1));
}

/* The end of the span, kept within the file of its start. */
static struct source_place end_place(const struct source_map *sources, struct span span)
{
    const struct source_file *file = source_map_file(sources, span.start);
    const uint32_t last = file->start + file->length;
    const uint32_t end = span.end < span.start ? span.start : span.end;
    return source_map_place(sources, end < last ? end : last);
}

/* The keys of a span, without the braces. */
static void append_span(struct text *out, const struct source_map *sources, struct span span)
{
    const struct source_place start = source_map_place(sources, span.start);
    text_print(out, "\"file\":");
    json_string(out, start.file->name);
    text_print(out, ",");
    append_place(out, "start", start);
    text_print(out, ",");
    append_place(out, "end", end_place(sources, span));
}

static void append_spans(struct text *out, const struct source_map *sources,
                         const struct diagnostic *diagnostic)
{
    const char *comma = "";
    if (source_map_file(sources, diagnostic->span.start)) {
        text_print(out, "{");
        append_span(out, sources, diagnostic->span);
        text_print(out, ",\"label\":null,\"primary\":true}");
        comma = ",";
    }
    for (size_t i = 0; i < diagnostic->labels.count; i++) {
        const struct diagnostic_label *label = &diagnostic->labels.item[i];
        if (!source_map_file(sources, label->span.start))
            continue;
        text_print(out, "%s{", comma);
        append_span(out, sources, label->span);
        text_print(out, ",\"label\":");
        json_string(out, label->text);
        text_print(out, ",\"primary\":false}");
        comma = ",";
    }
}

/* A label without a place is a note, as in the text form. */
static void append_notes(struct text *out, const struct source_map *sources,
                         const struct diagnostic *diagnostic)
{
    const char *comma = "";
    for (size_t i = 0; i < diagnostic->labels.count; i++) {
        if (source_map_file(sources, diagnostic->labels.item[i].span.start))
            continue;
        text_print(out, "%s", comma);
        json_string(out, diagnostic->labels.item[i].text);
        comma = ",";
    }
    for (size_t i = 0; i < diagnostic->notes.count; i++) {
        text_print(out, "%s", comma);
        json_string(out, diagnostic->notes.item[i]);
        comma = ",";
    }
}

static void append_fix(struct text *out, const struct source_map *sources,
                       const struct diagnostic_fix *fix)
{
    if (!fix->replacement || !source_map_file(sources, fix->span.start)) {
        text_print(out, "null");
        return;
    }
    text_print(out, "{\"span\":{");
    append_span(out, sources, fix->span);
    text_print(out, "},\"replacement\":");
    json_string(out, fix->replacement);
    text_print(out, ",\"safe\":%s}", fix->safe ? "true" : "false");
}

static void append_helps(struct text *out, const struct source_map *sources,
                         const struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostic->helps.count; i++) {
        text_print(out, "%s{\"message\":", i ? "," : "");
        json_string(out, diagnostic->helps.item[i].text);
        text_print(out, ",\"fix\":");
        append_fix(out, sources, &diagnostic->helps.item[i].fix);
        text_print(out, "}");
    }
}

void diagnostics_render_json(const struct diagnostics *diagnostics, struct text *out)
{
    const struct source_map *sources = diagnostics->sources;
    const struct diagnostics_shown shown = diagnostics_shown(diagnostics, out->arena);
    for (size_t i = 0; i < shown.count; i++) {
        const struct diagnostic *diagnostic = shown.item[i];
        text_print(out, "{\"version\":1,\"code\":\"%s\",\"severity\":\"%s\",\"message\":",
                   diagnostic_info[diagnostic->code].code, severity_word[diagnostic->severity]);
        json_string(out, diagnostic->text);
        text_print(out, ",\"spans\":[");
        append_spans(out, sources, diagnostic);
        text_print(out, "],\"notes\":[");
        append_notes(out, sources, diagnostic);
        text_print(out, "],\"helps\":[");
        append_helps(out, sources, diagnostic);
        text_print(out, "]}\n");
    }
}
