/* photo IN OUT AMOUNT: sharpens a picture file, grey or of several channels, with the emitted filter and
 * the library of image files that is installed with fltc. */
#include "unsharp.h"

#include <flt/image.h>

#include <stdio.h>
#include <stdlib.h>

/* The filter is of [y, x]: each channel is a picture of its own in the same memory. */
static int sharpen(const struct flt_image *before, struct flt_image *after, float amount)
{
    const int channels = before->rank == 3 ? before->extent[2] : 1;
    const ptrdiff_t row = before->stride[0], column = before->stride[1];
    for (int c = 0; c < channels; c++) {
        const struct unsharp_in in = {(const uint8_t *)before->data + c, before->extent[0],
                                      before->extent[1], row, column};
        const struct unsharp_out out = {(uint8_t *)after->data + c, before->extent[0],
                                        before->extent[1], row, column};
        const int status = unsharp(&in, amount, &out, 0);
        if (status != UNSHARP_OK) {
            fprintf(stderr, "photo: %s\n", unsharp_status_text(status));
            return 1;
        }
    }
    return 0;
}

int main(int count, char **words)
{
    if (count != 4) {
        fprintf(stderr, "photo IN OUT AMOUNT\n");
        return 1;
    }
    struct flt_image before, after = {0};
    struct flt_detail detail = {""};
    if (flt_image_load(words[1], &before, &detail) != FLT_OK) {
        fprintf(stderr, "photo: %s\n", detail.text);
        return 1;
    }
    const char *axis[FLT_MAX_RANK];
    for (int k = 0; k < before.rank; k++)
        axis[k] = before.axis[k];
    int failed = 1;
    if (before.element != FLT_U8 || before.rank < 2 || before.rank > 3)
        fprintf(stderr, "photo: %s is no picture of 8 bits\n", words[1]);
    else if (flt_image_create(&after, FLT_U8, before.rank, axis, before.extent) != FLT_OK)
        fprintf(stderr, "photo: there is not enough memory\n");
    else if (sharpen(&before, &after, strtof(words[3], NULL)) == 0)
        failed = flt_image_save(words[2], &after, &detail) != FLT_OK;
    if (failed && *detail.text)
        fprintf(stderr, "photo: %s\n", detail.text);
    flt_image_destroy(&before);
    flt_image_destroy(&after);
    return failed;
}
