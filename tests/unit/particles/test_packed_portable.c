/* As test_packed.c, by what runs on every processor. */
#include "particles/internal.h"

enum processor processor_kind(void)
{
    return PROCESSOR_ANY;
}

#include "test_packed.c"
