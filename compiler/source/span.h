/* A byte range in the source map, end excluded; {0, 0} is "nowhere". */
#ifndef FLTC_SOURCE_SPAN_H
#define FLTC_SOURCE_SPAN_H

#include <stdint.h>

struct span {
    uint32_t start, end;
};

#endif
