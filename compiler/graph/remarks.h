/* Why passes did not do what a schedule asks of a stage, or might ask. */
#ifndef FLTC_GRAPH_REMARKS_H
#define FLTC_GRAPH_REMARKS_H

#include "graph/graph.h"

/* What a remark is about: a detail, by its enum stage_detail, or one of these. */
enum remark_subject {
    REMARK_INLINE = DETAIL_COUNT, /* computed where it is read */
    REMARK_SEGMENTS,              /* in segments */
    REMARK_LINES,                 /* in lines, or in bands */
    REMARK_TILES,                 /* in tiles of its own */
    REMARK_SLIDING,               /* in tiles that slide */
    REMARK_PLACE,                 /* with another stage */
    REMARK_SUBJECTS
};

struct remark {
    const struct symbol *stage;
    unsigned subject;
    struct span span;   /* of the directive, or of the stage */
    const char *reason; /* "it reads only 'a', which is kept in the tile" */
};

struct remarks {
    VECTOR(struct remark) items;
};

/* The first reason that a pass gave; NULL: none did. */
const char *remark_reason(const struct remarks *remarks, const struct symbol *stage,
                          unsigned subject);

#endif
