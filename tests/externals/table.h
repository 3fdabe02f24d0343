/* The functions of functions.h for the oracle. */
#ifndef FLTC_TESTS_EXTERNALS_TABLE_H
#define FLTC_TESTS_EXTERNALS_TABLE_H

#include "functions.h"
#include "interpret/tape.h"

#define FUNCTION(name, result, member, count, types, arguments)                                    \
    static void call_##name(const struct value a[], struct value *r)                               \
    {                                                                                              \
        r->member = name arguments;                                                                \
    }
#include "functions.def"
#undef FUNCTION

static const struct external_function test_function[] = {
#define FUNCTION(name, result, member, count, types, arguments) {#name, call_##name},
#include "functions.def"
#undef FUNCTION
};
static const struct external_functions test_functions = {
    test_function, sizeof test_function / sizeof test_function[0]};

#endif
