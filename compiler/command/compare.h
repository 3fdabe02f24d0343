/* --compare: a program beside itself over real numbers, its fixed-point types being f64. */
#ifndef FLTC_COMMAND_COMPARE_H
#define FLTC_COMMAND_COMPARE_H

#include "command/conversion.h"
#include "command/execute.h"

/* How far a result is from the one over real numbers, which is held inside the ends of its type. */
struct difference {
    double peak;    /* span of the type, of floats 1 */
    double square;  /* mean of squares */
    double largest; /* infinite: where one alone is a number */
    size_t sample;  /* where that is, in the order of the image */
};

/* The same program over real numbers, on the same files; NULL after a message. */
struct execution *compare_open(struct execution *x);
/* Runs it on the pictures of the run that x has just made, whose results are still there. False
 * after a message. */
bool compare_run(struct execution *x, struct execution *real);
void compare_close(struct execution *real);
/* Of the result of that number, after compare_run. type: the stage whose interval tells its ends
 * and its peak. */
struct difference compare_result(const struct execution *x, const struct execution *real, size_t i,
                                 const struct stage *type);
/* 10 log10(peak^2 / square), infinite where they are equal. */
double difference_decibels(struct difference d);
/* A line for each result, on standard error. */
void compare_print(const struct execution *x, const struct execution *real);

#endif
