/* One program through everything but the C compiler: formatter and parser, oracle, both
 * interpreters after each pass, the textual forms of graphs and loop programs; for cores and for
 * blocks of threads. */
#ifndef FLTC_FUZZ_CHECK_H
#define FLTC_FUZZ_CHECK_H

#include "frontend/ast.h"
#include "interpret/interpret.h"
#include "session.h"
#include "program/finding.h"

/* What programs are run on. Two axes of a name have the same extent. */
struct sampling {
    uint64_t seed;
    unsigned axis_count;
    struct sampling_axis {
        char name[16];
        int64_t extent;
    } axis[8]; /* extents that are not to be chosen by the seed */
};

enum { TRIALS = 3, TRIAL_IMAGES = 16, TRIAL_PARAMETERS = 16 };

struct trial {
    unsigned input_count;
    struct samples input[TRIAL_IMAGES];
    struct value parameter[TRIAL_PARAMETERS];
    unsigned output_count;
    struct samples oracle[TRIAL_IMAGES];
    /* of the program at hand: realisations of recurrences round */
    struct samples expected[TRIAL_IMAGES];
    struct samples of_kernels[TRIAL_IMAGES]; /* what is expected of the kernels */
    bool accepted;                           /* by the checks on entry */
    char problem[256];
};

struct program_check {
    struct session *session;
    struct finding finding;
    const struct graph *graph;
    const struct program *program; /* after all passes */
    const struct program *kernels; /* of blocks of threads, for the simulator */
    const struct program *boxed;   /* the program over boxes of every third one; else NULL */
    const char *symbol;            /* what the names of emitted functions begin with */
    struct trial trial[TRIALS];
    unsigned schedules, schedules_refused; /* tried behind the program */
    bool fused, segmented;                 /* the kernels: what their passes have come to do */
};

/* A text, or (text NULL) a module whose formatted text must be that of the tree it parses to. The
 * session lives until check_end. */
void check_program(struct program_check *check, const char *text, const struct module *module,
                   const struct sampling *sampling);
void check_end(struct program_check *check);
/* A run on the trial's inputs. */
struct interpretation trial_run(struct session *session, const struct trial *trial,
                                struct samples outputs[]);
/* From here on what the oracle gives is expected. */
void check_expect_oracle(struct program_check *check);
/* A trial's results by the graph or the program, compared with what is expected, or, after a pass
 * that may round, with the oracle's by a bound; then they are expected. session: of the graph or
 * program. */
void check_trial(struct program_check *check, struct session *session, const char *pass,
                 struct trial *trial, const struct graph *graph, const struct program *program);
/* What a program is run as; others may be called by nothing. */
const struct ast *last_filter(const struct module *module);
/* The module as source text, in the arena. */
const char *module_text(struct arena *arena, const struct module *module);

#endif
