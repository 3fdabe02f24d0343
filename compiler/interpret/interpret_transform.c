/* The lines of a transform, as many at a time as a panel holds; in the definition one by one. */
#include "interpret/interpret_transform.h"

#include <stdlib.h>

struct lines {
    struct evaluator *evaluator;
    const struct stage *stage;
    struct samples *samples;
    struct tape *tape[2]; /* of the parts */
    unsigned parts, axes, along, lanes;
    int64_t index[GRAPH_MAX_RANK]; /* of the first of the lines at hand */
    int64_t length;
    long double *line;   /* by definition: what is transformed, then the result */
    void *panel, *table; /* as emitted: numbers of the stage's type */
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

static void copy_lines(struct lines *lines, int64_t count, bool back)
{
    const enum scalar element = lines->stage->element;
    int64_t index[GRAPH_MAX_RANK];
    for (int64_t n = 0; n < lines->length; n++)
        for (int64_t line = 0; line < count; line++)
            for (unsigned p = 0; p < lines->parts; p++) {
                place_of(lines, line, n, p, index);
                void *number = number_at(lines, n, line + p * TRANSFORM_LANES);
                if (back)
                    samples_write(lines->samples, index, value_read(number, element));
                else
                    value_write(number, element, sample_at(lines, index, p));
            }
}

static void transform_panel(struct lines *lines, int64_t count, size_t bytes)
{
    const enum transform kind = lines->stage->as.transform.kind;
    const enum transform_norm norm = lines->stage->as.transform.norm;
    memset(lines->panel, 0, bytes); /* lines that are not there are 0 */
    copy_lines(lines, count, false);
    if (lines->stage->element == SCALAR_F32)
        transform_lines_f32(kind, norm, lines->length, lines->table, lines->panel);
    else
        transform_lines_f64(kind, norm, lines->length, lines->table, lines->panel);
    copy_lines(lines, count, true);
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
    return good ? NULL : "there is not enough memory";
}
