/* Files of adaptive images by libFuzzer. */
#include "check/files.h"
#include "libfuzzer/target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t loaded = 0;
    if (!check_particles(bytes, length, &loaded))
        abort();
    return 0;
}
