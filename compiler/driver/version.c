/* The version, which the build takes from the file VERSION. */
#include "driver/driver.h"

const char *version_text(void)
{
    return FLTC_VERSION;
}
