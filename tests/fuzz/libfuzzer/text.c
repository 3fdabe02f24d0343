/* Source texts by libFuzzer: what mutate_text holds the compiler to, but for time. */
#include "check/text.h"
#include "libfuzzer/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct source source;
    struct text_check check = {.problem = ""};
    bool accepted;
    if (length > LONGEST_TEXT)
        return REFUSED_INPUT;
    source.length = length;
    memcpy(source.at, bytes, length);
    check_text(&check, &source, &accepted);
    if (check.problem[0]) {
        fprintf(stderr, "%s\n", check.problem);
        abort();
    }
    return 0;
}
