/* Files of pictures by libFuzzer: each alone, and as a chain of pictures. */
#include "check/files.h"
#include "libfuzzer/target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t loaded = 0;
    if (!check_image(bytes, length, &loaded) || !check_chain(bytes, length))
        abort();
    return 0;
}
