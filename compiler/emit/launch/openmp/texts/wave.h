/* The steps of a wavefront: each part of one waits for the same part of the step before. Threads
 * take steps in turn. */
struct flt_wave {
    void (*kernel)(const struct NAME_frame *, int64_t, int64_t);
    const struct NAME_frame *frame;
    int64_t first, extent, steps, parts, next;
    size_t band;
    int reversed;
    int64_t done[FLT_MOST_THREADS + 1];
};

static void NAME_take_steps(void *data, int number)
{
    struct flt_wave *const wave = (struct flt_wave *)data;
    struct NAME_frame own = *wave->frame;
    const int64_t parts = wave->parts, slots = FLT_MOST_THREADS + 1;
    own.thread = number;
    for (int64_t step = FLT_TAKE(&wave->next); step < wave->steps; step = FLT_TAKE(&wave->next)) {
        if (wave->band)
            *(int64_t *)(void *)((char *)&own + wave->band) =
                wave->reversed ? wave->steps - 1 - step : step;
        for (int64_t part = 0; part < parts; part++) {
            const int64_t needed = (step - 1) * parts + part + 1;
            int64_t *const before = &wave->done[(step + slots - 1) % slots];
            for (int spins = 0; step && FLT_LOAD(before) < needed; spins++) {
                if (flt_stops(own.call))
                    return;
                FLT_PAUSE();
#ifdef FLT_POOL
                if (spins > 1000)
                    sched_yield();
#endif
            }
            if (flt_stops(own.call))
                return;
            wave->kernel(&own, wave->first + wave->extent * part / parts,
                wave->first + wave->extent * (part + 1) / parts);
            FLT_STORE(&wave->done[step % slots], step * parts + part + 1);
        }
    }
}

/* band: where the frame holds the step, 0 for nowhere. */
static void NAME_wavefront(void (*kernel)(const struct NAME_frame *, int64_t, int64_t),
    const struct NAME_frame *frame, int64_t first, int64_t extent, int64_t steps, size_t band,
    int reversed)
{
    struct flt_wave wave = {kernel, frame, first, extent, steps, 0, 0, band, reversed, {0}};
    int64_t team = frame->team < FLT_MOST_THREADS ? frame->team : FLT_MOST_THREADS;
#ifdef _OPENMP
    if (team > omp_get_num_procs())
        team = omp_get_num_procs(); /* threads that wait keep no others from running */
#endif
    team = extent < team ? extent : team;
    team = steps < team ? steps : team;
    wave.parts = extent < 2 * team ? extent : 2 * team;
    if (team > 0)
        flt_share(frame->call, NAME_take_steps, &wave, (int)team);
}
