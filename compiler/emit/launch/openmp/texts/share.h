/* Some threads run a kernel over first ... first + extent - 1, and each takes the same part of
 * further kernels if it can, so that what goes on in it stays near. */
struct flt_shared {
    void (*kernel)(const struct NAME_frame *, int64_t, int64_t);
    const struct NAME_frame *frame;
    int64_t first, extent;
    int parts;
    char taken[FLT_MOST_THREADS];
};

static void NAME_take_own(void *data, int number)
{
    struct flt_shared *const job = (struct flt_shared *)data;
    struct NAME_frame own = *job->frame;
    own.thread = number;
    for (int i = 0; i < job->parts && !flt_stops(own.call); i++) {
        const int64_t part = (number + i) % job->parts;
        if (FLT_CLAIM(&job->taken[part]))
            job->kernel(&own, job->first + job->extent * part / job->parts,
                job->first + job->extent * (part + 1) / job->parts);
    }
}

static void NAME_share(void (*kernel)(const struct NAME_frame *, int64_t, int64_t),
    const struct NAME_frame *frame, int64_t first, int64_t extent)
{
    struct flt_shared job = {kernel, frame, first, extent, frame->team, {0}};
    if (job.parts > FLT_MOST_THREADS)
        job.parts = FLT_MOST_THREADS;
    if (extent < job.parts)
        job.parts = (int)extent;
    if (extent > 0)
        flt_share(frame->call, NAME_take_own, &job, job.parts);
}
