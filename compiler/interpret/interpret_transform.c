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
};

static union value sample_at(struct lines *lines, const int64_t index[], unsigned part)
{
    for (unsigned k = 0; k < lines->stage->rank; k++)
        evaluator_set(lines->evaluator, lines->stage->axis[k].variable,
                      (union value){.integer = index[k]});
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

static void define_line(struct lines *lines, int64_t line, long double from[], long double to[])
{
    const enum scalar element = lines->stage->element;
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

static bool define_lines(struct lines *lines, int64_t count)
{
    long double *from = calloc((size_t)lines->length * 4, sizeof *from);
    for (int64_t line = 0; line < count && from; line++)
        define_line(lines, line, from, from + 2 * lines->length);
    free(from);
    return from != NULL;
}

/* ---- As emitted ---- */

/* Numbers of a panel, of either type. */
struct panel {
    enum scalar scalar;
    unsigned char *number;
};

static void *number_at(const struct panel *panel, int64_t place, int64_t number)
{
    return panel->number +
           (size_t)(place * 2 * TRANSFORM_LANES + number) * scalar_info[panel->scalar].bytes;
}

static void transform_panel(const struct lines *lines, const struct panel *panel, void *table)
{
    const enum transform kind = lines->stage->as.transform.kind;
    const enum transform_norm norm = lines->stage->as.transform.norm;
    if (panel->scalar == SCALAR_F32) {
        transform_prepare_f32(kind, norm, lines->length, table);
        transform_lines_f32(kind, norm, lines->length, table, (float *)(void *)panel->number);
    } else {
        transform_prepare_f64(kind, norm, lines->length, table);
        transform_lines_f64(kind, norm, lines->length, table, (double *)(void *)panel->number);
    }
}

static void copy_lines(struct lines *lines, int64_t count, const struct panel *panel, bool back)
{
    int64_t index[GRAPH_MAX_RANK];
    for (int64_t n = 0; n < lines->length; n++)
        for (int64_t line = 0; line < count; line++)
            for (unsigned p = 0; p < lines->parts; p++) {
                place_of(lines, line, n, p, index);
                void *number = number_at(panel, n, line + p * TRANSFORM_LANES);
                if (back)
                    samples_write(lines->samples, index, value_read(number, panel->scalar));
                else
                    value_write(number, panel->scalar, sample_at(lines, index, p));
            }
}

static bool emitted_lines(struct lines *lines, int64_t count)
{
    const struct stage *stage = lines->stage;
    const enum transform kind = stage->as.transform.kind;
    const size_t bytes = scalar_info[stage->element].bytes;
    const size_t places = (size_t)transform_places(kind, lines->length);
    struct panel panel = {stage->element, calloc(places * 2 * TRANSFORM_LANES, bytes)};
    void *table = calloc((size_t)transform_table(kind, lines->length) + 1, bytes);
    const bool good = panel.number && table;
    if (good) {
        copy_lines(lines, count, &panel, false);
        transform_panel(lines, &panel, table);
        copy_lines(lines, count, &panel, true);
    }
    free(panel.number);
    free(table);
    return good;
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

const char *interpret_transform(struct evaluator *evaluator, const struct stage *stage,
                                bool as_emitted, struct samples *samples)
{
    const struct expr *imaginary = stage->as.transform.imaginary;
    const int64_t together = TRANSFORM_LANES * (imaginary ? 1 : 2);
    struct lines lines = {.evaluator = evaluator,
                          .stage = stage,
                          .samples = samples,
                          .parts = imaginary ? 2 : 1,
                          .along = stage->as.transform.axis};
    lines.axes = stage->rank - (imaginary != NULL);
    lines.lanes = transform_lanes(stage);
    lines.length = samples->extent[lines.along];
    lines.tape[0] = tape_compile(evaluator, stage->value);
    lines.tape[1] = imaginary ? tape_compile(evaluator, imaginary) : NULL;
    memcpy(lines.index, samples->first, sizeof lines.index);
    bool good = true;
    do {
        int64_t count = 1;
        if (lines.lanes < lines.axes) {
            const int64_t left = samples->first[lines.lanes] + samples->extent[lines.lanes] -
                                 lines.index[lines.lanes];
            count = left < together ? left : together;
        }
        good = as_emitted && stage->element != SCALAR_EXTENDED ? emitted_lines(&lines, count)
                                                               : define_lines(&lines, count);
    } while (good && go_on(&lines, together));
    return good ? NULL : "there is not enough memory";
}
