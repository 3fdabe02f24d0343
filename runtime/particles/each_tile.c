/* Tiles, for each kind of processor. */
#include "particles/each.h"

#define BODY "particles/each_body.h"
#include "particles/for_processors.h"

do_tile *tile_function(void)
{
    return FOR_THIS_PROCESSOR(tile);
}
