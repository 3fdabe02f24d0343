/* Whole lines of recurrences, kept as they are computed. */
#include "interpret/interpret_lines.h"

struct line_key {
    uint64_t stage;
    int64_t index[GRAPH_MAX_RANK]; /* 0 along the line, and of axes that there are not */
};

struct whole_line {
    int64_t from, to; /* the places from … to - 1 are computed */
    int64_t least;    /* the place of sample[0] */
    struct value *sample;
};

static bool holds(const struct whole_line *line, int64_t place)
{
    return line->from <= place && place < line->to;
}

struct value whole_lines_sample(struct whole_lines *lines, const struct stage *stage, int64_t first,
                                int64_t extent, const int64_t index[],
                                struct value (*compute)(const struct stage *stage,
                                                        const int64_t index[], void *context),
                                void *context)
{
    const unsigned along = stage->as.recurrence.axis;
    const int64_t count = extent + 2 * FAR_OUTSIDE;
    struct line_key key = {.stage = stage->id.index};
    memcpy(key.index, index, stage->rank * sizeof *index);
    key.index[along] = 0;
    struct whole_line *line = hash_map_find_bytes(&lines->known, &key, sizeof key);
    if (!line) {
        const int64_t least = first - FAR_OUTSIDE;
        const int64_t start = stage->as.recurrence.reversed ? least + count : least;
        line = ARENA_NEW(lines->arena, struct whole_line);
        *line = (struct whole_line){start, start, least,
                                    ARENA_ARRAY(lines->arena, struct value, (size_t)count)};
        hash_map_put_bytes(lines->arena, &lines->known, arena_copy(lines->arena, &key, sizeof key),
                           sizeof key, line);
        for (int64_t i = 0; i < count; i++) {
            const bool reversed = stage->as.recurrence.reversed;
            int64_t place[GRAPH_MAX_RANK];
            memcpy(place, index, stage->rank * sizeof *index);
            place[along] = reversed ? line->from - 1 : line->to;
            line->sample[place[along] - least] = compute(stage, place, context);
            line->from -= reversed;
            line->to += !reversed;
        }
    }
    struct value value;
    memset(&value, 0, sizeof value); /* of any type */
    return holds(line, index[along]) ? line->sample[index[along] - line->least] : value;
}
