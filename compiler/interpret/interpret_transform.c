/* The lines of a transform, as many at a time as a panel holds; in the definition one by one. */
#include "interpret/interpret_transform.h"

#include <stdio.h>
#include <stdlib.h>

struct lines {
    struct evaluator *evaluator;
    const struct stage *stage;
    struct samples *samples;
    struct tape *tape[2]; /* of the parts */
    unsigned parts, axes, along, lanes;
    int64_t index[GRAPH_MAX_RANK]; /* of the first of the lines at hand */
    int64_t length;
    long double *line;        /* by definition: what is transformed, then the result */
    void *panel, *table;      /* as emitted: numbers of the stage's type */
    const struct expr **term; /* of the panel; NULL: numbers alone are computed */
};

static struct value sample_at(struct lines *lines, const int64_t index[], unsigned part)
{
    for (unsigned k = 0; k < lines->stage->rank; k++)
        evaluator_set(lines->evaluator, lines->stage->axis[k].variable,
                      (struct value){.integer = index[k]});
    return tape_run(lines->evaluator, lines->tape[part]);
}

/* Place n of a line beside the first one. */
static void place_of(const struct lines *lines, int64_t line, int64_t n, unsigned part,
                     int64_t index[])
{
    memcpy(index, lines->index, sizeof lines->index);
    index[lines->along] += n;
    if (lines->lanes < lines->axes)
        index[lines->lanes] += line;
    if (lines->parts == 2)
        index[lines->axes] = part;
}

/* ---- By definition ---- */

static void define_line(struct lines *lines, int64_t line)
{
    const enum scalar element = lines->stage->element;
    long double *const from = lines->line, *const to = from + 2 * lines->length;
    int64_t index[GRAPH_MAX_RANK];
    for (int64_t n = 0; n < lines->length; n++)
        for (unsigned p = 0; p < lines->parts; p++) {
            place_of(lines, line, n, p, index);
            from[n * lines->parts + p] =
                (long double)value_real(element, sample_at(lines, index, p));
        }
    transform_define(lines->stage->as.transform.kind, lines->stage->as.transform.norm,
                     lines->length, from, to);
    for (int64_t k = 0; k < lines->length; k++)
        for (unsigned p = 0; p < lines->parts; p++) {
            place_of(lines, line, k, p, index);
            samples_write(lines->samples, index,
                          value_from_real(element, to[k * lines->parts + p]));
        }
}

/* ---- As emitted ---- */

static void *number_at(const struct lines *lines, int64_t place, int64_t number)
{
    return (unsigned char *)lines->panel + (size_t)(place * 2 * TRANSFORM_LANES + number) *
                                               scalar_info[lines->stage->element].bytes;
}

static void prepare(const struct lines *lines)
{
    const enum transform kind = lines->stage->as.transform.kind;
    const enum transform_norm norm = lines->stage->as.transform.norm;
    if (lines->stage->element == SCALAR_F32)
        transform_prepare_f32(kind, norm, lines->length, lines->table);
    else
        transform_prepare_f64(kind, norm, lines->length, lines->table);
}

static const struct expr **term_at(const struct lines *lines, int64_t place, int64_t number)
{
    return &lines->term[place * 2 * TRANSFORM_LANES + number];
}

static void copy_lines(struct lines *lines, int64_t count, bool back)
{
    const enum scalar element = lines->stage->element;
    int64_t index[GRAPH_MAX_RANK];
    for (int64_t n = 0; n < lines->length; n++)
        for (int64_t line = 0; line < count; line++)
            for (unsigned p = 0; p < lines->parts; p++) {
                place_of(lines, line, n, p, index);
                void *number = number_at(lines, n, line + p * TRANSFORM_LANES);
                struct value value =
                    back ? value_read(number, element) : sample_at(lines, index, p);
                const struct expr **term =
                    lines->term ? term_at(lines, n, line + p * TRANSFORM_LANES) : &value.term;
                if (back) {
                    value.term = *term;
                    samples_write(lines->samples, index, value);
                } else {
                    *term = value.term;
                    value_write(number, element, value);
                }
            }
}

static void transform_panel(struct lines *lines, int64_t count, size_t bytes)
{
    const enum transform kind = lines->stage->as.transform.kind;
    const enum transform_norm norm = lines->stage->as.transform.norm;
    const enum scalar element = lines->stage->element;
    memset(lines->panel, 0, bytes); /* lines that are not there are 0 */
    if (lines->term)
        memset(lines->term, 0, bytes / scalar_info[element].bytes * sizeof *lines->term);
    copy_lines(lines, count, false);
    struct value *before =
        lines->term ? panel_values(element, lines->length, lines->panel, lines->term) : NULL;
    if (element == SCALAR_F32)
        transform_lines_f32(kind, norm, lines->length, lines->table, lines->panel);
    else
        transform_lines_f64(kind, norm, lines->length, lines->table, lines->panel);
    if (before)
        panel_transformed(lines->evaluator->terms, kind, norm, element, lines->length, before,
                          lines->panel, lines->term);
    free(before);
    copy_lines(lines, count, true);
}

/* ---- Terms ---- */

enum { NUMBERS = 2 * TRANSFORM_LANES }; /* of a place */

struct value *panel_values(enum scalar scalar, int64_t n, const void *panel,
                           const struct expr *const term[])
{
    const unsigned char *number = panel;
    struct value *value = malloc((size_t)n * NUMBERS * sizeof *value);
    for (int64_t i = 0; value && i < n * NUMBERS; i++) {
        value[i] = value_read(number + (size_t)i * scalar_info[scalar].bytes, scalar);
        value[i].term = term[i];
    }
    return value;
}

void panel_transformed(struct terms *terms, enum transform kind, enum transform_norm norm,
                       enum scalar scalar, int64_t n, const struct value before[],
                       const void *panel, const struct expr *term[])
{
    const int lines = transform_together(kind), parts = NUMBERS / lines;
    struct value *line = calloc((size_t)(n * parts), sizeof *line);
    if (!line)
        terms_uncover(terms, UNCOVERED_SIZE);
    for (int l = 0; line && l < lines; l++) {
        bool is_known = true;
        for (int64_t i = 0; i < n * parts; i++) {
            line[i] = before[i / parts * NUMBERS + l + i % parts * TRANSFORM_LANES];
            is_known = is_known && !line[i].term;
        }
        const struct value all = terms_function(terms, "line", scalar,
                                                is_known ? 0 : (size_t)(n * parts), line, line[0]);
        for (int64_t i = 0; i < n * parts; i++) {
            const int64_t at = i / parts * NUMBERS + l + i % parts * TRANSFORM_LANES;
            const unsigned char *number =
                (const unsigned char *)panel + (size_t)at * scalar_info[scalar].bytes;
            char name[80];
            snprintf(name, sizeof name, "%s_%s_%lld_of_%lld", transform_info[kind].name,
                     transform_norm_text[norm], (long long)i, (long long)(n * parts));
            term[at] =
                is_known
                    ? NULL
                    : terms_function(terms, name, scalar, 1, &all, value_read(number, scalar)).term;
        }
    }
    free(line);
}

/* ---- All lines ---- */

/* The next lines; false: there are none. */
static bool go_on(struct lines *lines, int64_t together)
{
    const struct samples *samples = lines->samples;
    for (unsigned k = lines->axes; k-- > 0;) {
        if (k == lines->along)
            continue;
        lines->index[k] += k == lines->lanes ? together : 1;
        if (lines->index[k] < samples->first[k] + samples->extent[k])
            return true;
        lines->index[k] = samples->first[k];
    }
    return false;
}

/* How many lines there are side by side from the ones at hand on, of those that stand in one
 * panel. */
static int64_t lines_together(const struct lines *lines, int64_t most)
{
    if (lines->lanes == lines->axes)
        return 1;
    const struct samples *samples = lines->samples;
    const int64_t left =
        samples->first[lines->lanes] + samples->extent[lines->lanes] - lines->index[lines->lanes];
    return left < most ? left : most;
}

const char *interpret_transform(struct evaluator *evaluator, const struct stage *stage,
                                bool as_emitted, struct samples *samples)
{
    const struct expr *imaginary = stage->as.transform.imaginary;
    const enum transform kind = stage->as.transform.kind;
    const int64_t most = transform_together(kind);
    const bool defines = !as_emitted || stage->element == SCALAR_EXTENDED;
    const size_t number = scalar_info[stage->element].bytes;
    struct lines lines = {.evaluator = evaluator,
                          .stage = stage,
                          .samples = samples,
                          .parts = imaginary ? 2 : 1,
                          .axes = stage->rank - (imaginary != NULL),
                          .along = stage->as.transform.axis,
                          .lanes = transform_lanes(stage)};
    lines.length = samples->extent[lines.along];
    lines.tape[0] = tape_compile(evaluator, stage->value);
    lines.tape[1] = imaginary ? tape_compile(evaluator, imaginary) : NULL;
    memcpy(lines.index, samples->first, sizeof lines.index);
    const size_t bytes =
        (size_t)transform_places(kind, lines.length) * 2 * TRANSFORM_LANES * number;
    lines.line = defines ? calloc((size_t)lines.length * 4, sizeof *lines.line) : NULL;
    lines.panel = defines ? NULL : malloc(bytes);
    lines.table = defines ? NULL : calloc((size_t)transform_table(kind, lines.length), number);
    lines.term = defines || !evaluator->terms ? NULL : calloc(bytes / number, sizeof *lines.term);
    const bool good = defines ? lines.line != NULL : lines.panel && lines.table;
    if (good && !defines)
        prepare(&lines);
    for (bool more = good; more; more = go_on(&lines, most)) {
        const int64_t count = lines_together(&lines, most);
        if (!defines)
            transform_panel(&lines, count, bytes);
        for (int64_t line = 0; line < count && defines; line++)
            define_line(&lines, line);
    }
    free(lines.line);
    free(lines.panel);
    free(lines.table);
    free(lines.term);
    return good ? NULL : "there is not enough memory";
}
