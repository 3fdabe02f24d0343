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
