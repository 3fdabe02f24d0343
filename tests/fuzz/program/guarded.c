/* Images of callers, between pages that cannot be touched. */
#include "program/guarded.h"
#include "program/random.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, UNTOUCHED = 0xa5 };

/* Strides of a packed image whose axes may be in another order in memory, with steps, padding and
 * turned axes. Returns the samples from the first to the last one, and the place of index 0. */
static size_t choose_strides(struct guarded *image, uint64_t *random, size_t *origin)
{
    unsigned order[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < image->rank; k++)
        order[k] = image->rank - 1 - k; /* fastest first */
    if (image->rank > 1 && chance(random, 15)) {
        const unsigned a = below(random, image->rank), b = below(random, image->rank);
        const unsigned kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    ptrdiff_t step = 1;
    size_t last = 0;
    *origin = 0;
    for (unsigned i = 0; i < image->rank; i++) {
        const unsigned k = order[i];
        if (i == 0 && chance(random, 20))
            step = between(random, 2, 3);
        image->stride[k] = step;
        const size_t reach = (size_t)(image->extent[k] - 1) * (size_t)step;
        last += reach;
        if (chance(random, 12)) {
            image->stride[k] = -step;
            *origin += reach;
        }
        if (image->extent[k] == 1 && chance(random, 50)) /* never used */
            image->stride[k] = between(random, -100, 100);
        step = (ptrdiff_t)(last + 1) + (chance(random, 40) ? (ptrdiff_t)between(random, 0, 9) : 0);
    }
    return last + 1;
}

bool guarded_make(struct guarded *image, const struct samples *samples, uint64_t *random)
{
    *image = (struct guarded){.rank = samples->rank, .bytes = scalar_info[samples->scalar].bytes};
    for (unsigned k = 0; k < samples->rank; k++)
        image->extent[k] = (int32_t)samples->extent[k];
    size_t origin;
    const size_t needed = choose_strides(image, random, &origin) * image->bytes;
    image->usable_length = (needed + PAGE - 1) / PAGE * PAGE;
    image->length = image->usable_length + 2 * (size_t)PAGE;
    image->pages =
        mmap(NULL, image->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (image->pages == MAP_FAILED) {
        image->pages = NULL;
        return false;
    }
    image->usable = (unsigned char *)image->pages + PAGE;
    memset(image->usable, UNTOUCHED, image->usable_length);
    mprotect(image->pages, PAGE, PROT_NONE);
    mprotect(image->usable + image->usable_length, PAGE, PROT_NONE);
    const bool at_end = chance(random, 60);
    image->first =
        image->usable + (at_end ? image->usable_length - needed : 0) + origin * image->bytes;
    return true;
}

void guarded_free(struct guarded *image)
{
    if (image->pages)
        munmap(image->pages, image->length);
    image->pages = NULL;
}

/* Calls visit with each sample's place in the image and in the packed samples. */
static void each_sample(const struct guarded *image,
                        void (*visit)(unsigned char *strided, size_t packed, void *context),
                        void *context)
{
    int32_t index[GRAPH_MAX_RANK] = {0};
    for (size_t packed = 0;; packed++) {
        ptrdiff_t at = 0;
        for (unsigned k = 0; k < image->rank; k++)
            at += index[k] * image->stride[k];
        visit(image->first + at * (ptrdiff_t)image->bytes, packed, context);
        unsigned k = image->rank;
        while (k > 0 && ++index[k - 1] == image->extent[k - 1])
            index[--k] = 0;
        if (k == 0)
            return;
    }
}

struct transfer {
    const struct guarded *image;
    unsigned char *packed;
    bool into;
};

static void copy_sample(unsigned char *strided, size_t packed, void *context)
{
    const struct transfer *t = context;
    unsigned char *other = t->packed + packed * t->image->bytes;
    if (t->into)
        memcpy(strided, other, t->image->bytes);
    else {
        memcpy(other, strided, t->image->bytes);
        memset(strided, UNTOUCHED, t->image->bytes);
    }
}

void guarded_fill(struct guarded *image, const struct samples *samples)
{
    struct transfer t = {image, samples->data, true};
    each_sample(image, copy_sample, &t);
    mprotect(image->usable, image->usable_length, PROT_READ);
}

const char *guarded_take(const struct guarded *image, struct samples *samples)
{
    struct transfer t = {image, samples->data, false};
    each_sample(image, copy_sample, &t);
    for (size_t i = 0; i < image->usable_length; i++)
        if (image->usable[i] != UNTOUCHED)
            return "a byte outside the output was written";
    return NULL;
}
