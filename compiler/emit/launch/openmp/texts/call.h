/* What the threads of one call share. */
struct flt_call {
    const struct flt_tasks *tasks;
    int stopped;
};

/* Whether the caller wants the call to end. */
static int flt_stops(struct flt_call *call)
{
    const struct flt_tasks *const tasks = call->tasks;
    if (!tasks || !tasks->cancelled)
        return 0;
    if (!FLT_LOAD(&call->stopped) && tasks->cancelled(tasks->context))
        FLT_STORE(&call->stopped, 1);
    return FLT_LOAD(&call->stopped);
}

/* A thread that pthread_cancel ended here would leave a job on its stack that other threads work
 * on, and memory that nothing frees. It ends behind flt_release. */
#ifdef FLT_CANCELS
static int flt_hold(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static void flt_release(int before)
{
    (void)pthread_setcancelstate(before, &before);
}
#else
static int flt_hold(void)
{
    return 0;
}

static void flt_release(int before)
{
    (void)before;
}
#endif
