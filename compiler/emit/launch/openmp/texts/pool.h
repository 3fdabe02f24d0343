#ifdef FLT_POOL
/* The thread pool of this file. Its threads sleep between launches. A launch waits only for threads
 * that have started on its work. It does not wait for threads that the system has not scheduled
 * yet: on a busy machine that could take longer than the launch. Define FLT_OPENMP_TEAMS to use
 * OpenMP's threads instead; they all meet at a barrier at the end of each launch. */
struct flt_job {
    struct flt_job *next;
    void (*work)(void *data, int number);
    void *data;
    int count, active, listed;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, ended;
    struct flt_job *jobs;
    int turn, size, sleeping, waiting, ends, watches, away;
} flt_pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
    NULL, 0, 0, 0, 0, 0, 0, -1};
static struct {
    pthread_t thread;
    long id; /* of the system; 0: the thread has not begun */
    const struct flt_job *job;
} flt_pool_thread[FLT_MOST_THREADS];

#ifdef FLT_CHOOSES
/* pthread_setaffinity_np is missing in some C libraries, Android's among them. */
static void flt_pool_choose(long id, const cpu_set_t *processors)
{
    if (id)
        (void)sched_setaffinity((pid_t)id, sizeof *processors, processors);
}

/* Sets the affinity of the threads so that they avoid the caller's processor, where the system
 * tends to wake them. Otherwise a thread and the caller would share that processor while other work
 * had one to itself. */
static void flt_pool_leave(void)
{
    const int here = sched_getcpu();
    cpu_set_t others;
    if (flt_pool.jobs) /* of another caller, on another processor */
        return;
    if (here == flt_pool.away || here < 0 || here >= CPU_SETSIZE)
        return;
    flt_pool.away = here;
    if (sched_getaffinity(0, sizeof others, &others) != 0)
        return;
    CPU_CLR((size_t)here, &others);
    for (int i = 0; i < flt_pool.size && CPU_COUNT(&others) > 0; i++)
        flt_pool_choose(flt_pool_thread[i].id, &others);
}

/* Called before the caller blocks: pins a thread that still works on the job to the caller's
 * processor, because that thread may be waiting for a processor. */
static void flt_pool_come(const struct flt_job *job)
{
    const int here = sched_getcpu();
    cpu_set_t own;
    int i = 0;
    if (here < 0 || here >= CPU_SETSIZE)
        return;
    CPU_ZERO(&own);
    CPU_SET((size_t)here, &own);
    while (i < flt_pool.size && flt_pool_thread[i].job != job)
        i++;
    if (i < flt_pool.size)
        flt_pool_choose(flt_pool_thread[i].id, &own);
    flt_pool.away = -1;
}

/* The thread has begun: the next launch chooses its processors too. */
static void flt_pool_begin(int number)
{
    flt_pool_thread[number - 1].id = syscall(SYS_gettid);
    flt_pool.away = -1;
}
#else
static void flt_pool_leave(void)
{
}

static void flt_pool_come(const struct flt_job *job)
{
    (void)job;
}

static void flt_pool_begin(int number)
{
    (void)number;
}
#endif

/* Nanoseconds, in integers: the caller may trap floats. 0: the system has no such clock. */
static int64_t flt_now(void)
{
#ifdef CLOCK_MONOTONIC
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0)
        return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
    return 0;
}

/* Spins until *number differs from before, for at most so many nanoseconds: a spinning thread keeps
 * others off its processor. */
static void flt_spin(const int *number, int before, int64_t most)
{
    const int64_t began = flt_now();
    while (began && FLT_LOAD(number) == before && flt_now() - began < most)
        FLT_PAUSE();
}

static void flt_unlist(struct flt_job *job)
{
    struct flt_job **at = &flt_pool.jobs;
    if (!job->listed)
        return;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    job->listed = 0;
}

/* Runs the job on this thread. When work returns, no part of the job is left to start, so the job
 * is unlisted. */
static void flt_pool_take_part(struct flt_job *job, int number)
{
    flt_pool_thread[number - 1].job = job;
    FLT_STORE(&job->active, job->active + 1);
    pthread_mutex_unlock(&flt_pool.lock);
    job->work(job->data, number);
    pthread_mutex_lock(&flt_pool.lock);
    flt_pool_thread[number - 1].job = NULL;
    flt_unlist(job);
    FLT_STORE(&job->active, job->active - 1);
    if (flt_pool.waiting)
        pthread_cond_broadcast(&flt_pool.ended);
}

static void *flt_pool_work(void *own)
{
    const int number = (int)(intptr_t)own;
    pthread_mutex_lock(&flt_pool.lock);
    flt_pool_begin(number);
    while (!flt_pool.ends) {
        const int turn = flt_pool.turn;
        struct flt_job *job = flt_pool.jobs;
        while (job && job->count <= number)
            job = job->next;
        if (job) {
            flt_pool_take_part(job, number);
            continue;
        }
        pthread_mutex_unlock(&flt_pool.lock);
        flt_spin(&flt_pool.turn, turn, 300000);
        pthread_mutex_lock(&flt_pool.lock);
        if (flt_pool.turn == turn && !flt_pool.ends) {
            flt_pool.sleeping++;
            pthread_cond_wait(&flt_pool.wake, &flt_pool.lock);
            flt_pool.sleeping--;
        }
    }
    pthread_mutex_unlock(&flt_pool.lock);
    return NULL;
}

/* A child of fork has none of the threads. */
static void flt_pool_forked(void)
{
    static const pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    flt_pool.lock = lock;
    flt_pool.wake = flt_pool.ended = condition;
    flt_pool.jobs = NULL;
    flt_pool.size = flt_pool.sleeping = flt_pool.waiting = flt_pool.ends = 0;
    memset(flt_pool_thread, 0, sizeof flt_pool_thread);
}

static void flt_pool_turn(void)
{
    FLT_STORE(&flt_pool.turn, (flt_pool.turn + 1) & 0xffff);
    if (flt_pool.sleeping)
        pthread_cond_broadcast(&flt_pool.wake);
}

/* Ends and joins the threads before the program, or the library that contains this file, is
 * unloaded. */
__attribute__((destructor)) static void flt_pool_end(void)
{
    int size;
    pthread_mutex_lock(&flt_pool.lock);
    size = flt_pool.size;
    flt_pool.ends = 1;
    flt_pool_turn();
    pthread_mutex_unlock(&flt_pool.lock);
    for (int i = 0; i < size; i++)
        pthread_join(flt_pool_thread[i].thread, NULL);
    pthread_mutex_lock(&flt_pool.lock);
    flt_pool.size = flt_pool.ends = 0;
    pthread_mutex_unlock(&flt_pool.lock);
}

/* Returns whether a thread has been made. Threads begin with the signal mask of the one that makes
 * them. These take no signals but those that their own instructions cause. */
static int flt_pool_make(int number)
{
    pthread_t *const thread = &flt_pool_thread[number - 1].thread;
    int error;
#ifdef SIG_SETMASK
    sigset_t others, before;
    (void)sigfillset(&others);
    (void)sigdelset(&others, SIGSEGV);
    (void)sigdelset(&others, SIGBUS);
    (void)sigdelset(&others, SIGILL);
    (void)sigdelset(&others, SIGFPE);
    (void)pthread_sigmask(SIG_SETMASK, &others, &before);
#endif
    flt_pool_thread[number - 1].id = 0;
    error = pthread_create(thread, NULL, flt_pool_work, (void *)(intptr_t)number);
#ifdef SIG_SETMASK
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    return error == 0;
}

static void flt_pool_grow(int size)
{
    if (!flt_pool.watches)
        flt_pool.watches = pthread_atfork(NULL, NULL, flt_pool_forked) == 0;
    while (flt_pool.watches && !flt_pool.ends && flt_pool.size < size &&
           flt_pool.size < FLT_MOST_THREADS) {
        if (!flt_pool_make(flt_pool.size + 1))
            return; /* fewer take part */
        flt_pool.size++;
        flt_pool.away = -1;
    }
}

static void flt_pool_run(void (*work)(void *data, int number), void *data, int count)
{
    struct flt_job job = {NULL, work, data, count, 0, 1};
    pthread_mutex_lock(&flt_pool.lock);
    flt_pool_grow(count - 1);
    flt_pool_leave();
    job.next = flt_pool.jobs;
    flt_pool.jobs = &job;
    flt_pool_turn();
    pthread_mutex_unlock(&flt_pool.lock);
    work(data, 0);
    pthread_mutex_lock(&flt_pool.lock);
    flt_unlist(&job);
    while (job.active) {
        const int active = job.active;
        pthread_mutex_unlock(&flt_pool.lock);
        flt_spin(&job.active, active, 100000);
        pthread_mutex_lock(&flt_pool.lock);
        if (job.active == active) {
            flt_pool_come(&job);
            flt_pool.waiting++;
            pthread_cond_wait(&flt_pool.ended, &flt_pool.lock);
            flt_pool.waiting--;
        }
    }
    pthread_mutex_unlock(&flt_pool.lock);
}
#endif

/* Runs work on at most count threads. work returns when no part is left to start, so one thread can
 * do everything. */
static void flt_share(struct flt_call *call, void (*work)(void *data, int number), void *data,
                      int count)
{
    const struct flt_tasks *const tasks = call->tasks;
    if (tasks && tasks->run && count > 1)
        tasks->run(tasks->context, work, data, count);
#ifdef _OPENMP
    else if (count > 1 && !omp_in_parallel()) {
#ifdef FLT_POOL
        flt_pool_run(work, data, count);
#else
#pragma omp parallel for num_threads(count)
        for (int n = 0; n < count; n++)
            work(data, n);
#endif
        return;
    }
#endif
    work(data, 0);
}
