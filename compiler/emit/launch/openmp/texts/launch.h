/* Some threads run a kernel over first ... first + extent - 1. */
struct flt_launched {
    void (*kernel)(const struct NAME_frame *, int64_t, int64_t);
    const struct NAME_frame *frame;
    int64_t first, extent, next;
};

/* Takes part after part. They get smaller, so that threads end at about the same time: of a team
 * of t, 2 t parts are 1 / (4 t) of the extent, 2 t half of that, 2 t half of that again, and 4 t of
 * 1 / (32 t) remain. */
static void NAME_take_parts(void *data, int number)
{
    struct flt_launched *const job = (struct flt_launched *)data;
    struct NAME_frame own = *job->frame;
    const int64_t team = own.team;
    int64_t from = 0;
    own.thread = number;
    while (from < job->extent && !flt_stops(own.call)) {
        const int64_t part = FLT_TAKE(&job->next);
        int64_t to = 0;
        for (int64_t end = 0; end < 2; end++) {
            const int64_t k = part + end;
            const int64_t at = k < 2 * team   ? 8 * k
                               : k < 4 * team ? 8 * team + 4 * k
                               : k < 6 * team ? 16 * team + 2 * k
                                              : 22 * team + k;
            from = to;
            to = at < 32 * team ? job->extent * at / (32 * team) : job->extent;
        }
        if (from < to)
            job->kernel(&own, job->first + from, job->first + to);
    }
}

static void NAME_launch(void (*kernel)(const struct NAME_frame *, int64_t, int64_t),
    const struct NAME_frame *frame, int64_t first, int64_t extent)
{
    struct flt_launched job = {kernel, frame, first, extent, 0};
    if (extent <= 0)
        return;
    if (frame->team == 1 && !frame->call->tasks)
        kernel(frame, first, first + extent);
    else
        flt_share(frame->call, NAME_take_parts, &job,
            extent < frame->team ? (int)extent : frame->team);
}
