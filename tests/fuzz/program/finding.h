/* What is wrong with a program. */
#ifndef FLTC_FUZZ_FINDING_H
#define FLTC_FUZZ_FINDING_H

enum finding_kind {
    FOUND_NOTHING,
    FOUND_REFUSAL,    /* a message of the compiler; detail: its code */
    FOUND_SOURCE,     /* format → parse → format is not the same */
    FOUND_FAULT,      /* a verifier's complaint */
    FOUND_IR_TEXT,    /* print → read → print is not the same; detail: the pass before */
    FOUND_DIFFERENCE, /* of interpreters; detail: the pass before */
    FOUND_COMPILE,    /* the C compiler's complaint; detail: its name */
    FOUND_RESULT,     /* of emitted code; detail: the compiler */
    FOUND_SCHEDULE,   /* a schedule that is neither refused nor kept; detail: why */
    FOUND_CRASH,      /* of the compiler or the emitted code; detail: which */
};
extern const char *const finding_text[];

struct finding {
    enum finding_kind kind;
    char detail[32];
    char text[1200];
};

/* Unless there is one. */
void finding_set(struct finding *finding, enum finding_kind kind, const char *detail,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A child's standard error goes to a file of the folder; what it said there, and how it died, is
 * the finding, unless there is one. detail: what it was about. */
void finding_catch_words(const char *folder);
void finding_set_crash(struct finding *finding, const char *detail, int status, const char *folder);

#endif
