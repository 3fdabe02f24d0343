/* Directives of schedules: what the files that take them share. */
#ifndef FLTC_FRONTEND_SCHEDULING_H
#define FLTC_FRONTEND_SCHEDULING_H

#include "frontend/elaborator.h"
#include "target/target.h"

struct scheduling {
    struct elaborator *el;
    struct instance *instance;
    const struct target *target;
    const struct ast *directive;
    const struct ast_list *words;
};

/* elaborate_schedule.c */
/* Whether word i is this one. */
bool directive_word(const struct scheduling *s, size_t i, const char *text);
/* The stage that word i names, to be changed; NULL after a message. */
struct stage *directive_stage(struct scheduling *s, size_t i);
/* The axis of the stage that a word at the span names; the rank after a message. */
unsigned directive_axis(struct scheduling *s, const struct stage *stage, const struct symbol *name,
                        struct span span);

/* elaborate_details.c */
/* How the values of a directive are written behind the stage's name. */
enum detail_arguments {
    NO_VALUES,  /* ; */
    ALONG_AXIS, /* along y; */
    ALONG_AXES, /* along y;  along (c, y); */
    BY_AXES,    /* by (c, y, x); */
    BY_COUNTS,  /* by (y: 4); */
    BY_NUMBER,  /* by 16; */
    AS_TYPE,    /* as f64; */
    AS_FORM,    /* as cascade; */
    AS_METHOD,  /* as mirrored; */
    WHERE_HOLDS /* where radius == 2; several times */
};
struct detail_directive {
    enum stage_detail detail;
    enum detail_arguments arguments;
    int64_t value; /* of NO_VALUES, where the detail is a truth value */
};
/* False: the directive has another form; nothing was reported. */
bool take_detail(struct scheduling *s, const struct detail_directive *row);
/* elaborate_versions.c: the condition of the directive, behind those that are there. False after a
 * message. */
bool take_version(struct scheduling *s, const struct stage *stage, struct detail *detail);
/* Whether a list is one of (y: 32, x: 512). */
bool directive_has_counts(const struct ast *list);

#endif
