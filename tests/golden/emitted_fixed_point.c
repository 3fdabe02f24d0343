/* fixed_point. Needs the C library alone: cc -O3 -fopenmp fixed_point.c -lm */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* threads choose their processors */
#endif
#include "fixed_point.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The arithmetic below is exact as written: no contraction but where fma stands, no reassociation.
 * */
#ifdef __FAST_MATH__
#error "compile this file without -ffast-math: its results would change"
#endif
#ifdef _M_FP_FAST
#error "compile this file without /fp:fast: its results would change"
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma clang diagnostic ignored "-Wpass-failed" /* a loop that is not worth vectors */
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-math-errno")
#pragma GCC optimize("no-unsafe-math-optimizations", "no-associative-math")
#pragma GCC optimize("no-reciprocal-math", "no-finite-math-only", "signed-zeros")
/* Behind no-unsafe-math-optimizations, which sets it back. */
#pragma GCC optimize("no-trapping-math")
/* gcc 12 takes (double)(float)v, of two doubles side by side, for v. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
/* Other filters may stand in the same translation unit. */
#define flt_cpu fixed_point_flt_cpu
#define flt_shift_is_arithmetic fixed_point_flt_shift_is_arithmetic
#define flt_max_i64 fixed_point_flt_max_i64
#define flt_min_i16 fixed_point_flt_min_i16
#define flt_min_i64 fixed_point_flt_min_i64
#define flt_min_u16 fixed_point_flt_min_u16
#define flt_stream_end fixed_point_flt_stream_end
#define flt_stream_part fixed_point_flt_stream_part
#define flt_stream_row fixed_point_flt_stream_row
#define flt_first fixed_point_flt_first
#define flt_end fixed_point_flt_end
#define flt_threads fixed_point_flt_threads
#define flt_team_of fixed_point_flt_team_of
#define flt_call fixed_point_flt_call
#define flt_stops fixed_point_flt_stops
#define flt_hold fixed_point_flt_hold
#define flt_release fixed_point_flt_release
#define flt_job fixed_point_flt_job
#define flt_pool fixed_point_flt_pool
#define flt_pool_thread fixed_point_flt_pool_thread
#define flt_pool_choose fixed_point_flt_pool_choose
#define flt_pool_leave fixed_point_flt_pool_leave
#define flt_pool_come fixed_point_flt_pool_come
#define flt_pool_begin fixed_point_flt_pool_begin
#define flt_now fixed_point_flt_now
#define flt_spin fixed_point_flt_spin
#define flt_unlist fixed_point_flt_unlist
#define flt_pool_take_part fixed_point_flt_pool_take_part
#define flt_pool_work fixed_point_flt_pool_work
#define flt_pool_forked fixed_point_flt_pool_forked
#define flt_pool_turn fixed_point_flt_pool_turn
#define flt_pool_end fixed_point_flt_pool_end
#define flt_pool_make fixed_point_flt_pool_make
#define flt_pool_grow fixed_point_flt_pool_grow
#define flt_pool_run fixed_point_flt_pool_run
#define flt_share fixed_point_flt_share
#define flt_launched fixed_point_flt_launched
#define flt_times fixed_point_flt_times
#define flt_behind fixed_point_flt_behind

#if defined(__GNUC__)
#define FLT_RESTRICT __restrict__
#define FLT_INLINE static inline __attribute__((always_inline))
#define FLT_APART __attribute__((noinline))
/* Square roots leave errno alone, so that loops with them may become vectors. */
__attribute__((const)) float sqrtf(float);
__attribute__((const)) double sqrt(double);
#else
#define FLT_RESTRICT
#define FLT_INLINE static inline
#define FLT_APART
#endif

/* FLT_KERNEL compiles a body for the target of the compiler's options, and again for processors
 * with fused multiply-add. FLT_PICK takes the one for the processor at hand. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__FMA__)
#define FLT_V3 __attribute__((target("avx2,fma,bmi,bmi2")))
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }                                                                                        \
    FLT_V3 static void name##_v3(const struct frame_type *frame, int64_t first, int64_t end) \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }
#define FLT_PICK(name) \
    (frame->cpu == 3 ? name##_v3 : name)
/* No better processor than of this level of x86-64 is made use of. */
#ifndef FLT_MOST_CPU
#define FLT_MOST_CPU 4
#endif
static int flt_cpu(void)
{
    if (FLT_MOST_CPU >= 3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
        return 3;
    return 0;
}
#define FLT_CPU flt_cpu()
#else
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        name##_body(frame, first, end);                                                      \
    }
#define FLT_PICK(name) name
#define FLT_CPU 0
#endif
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(FP_FAST_FMA)
#define FLT_FAST 1
#else
#define FLT_FAST (FLT_CPU >= 3)
#endif
#ifdef _OPENMP
#define FLT_SIMD _Pragma("omp simd")
#else
#define FLT_SIMD
#endif

/* Floor division by powers of two is written as a shift. */
typedef char flt_shift_is_arithmetic[(-1 >> 1) == -1 ? 1 : -1];

static inline int64_t flt_max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int16_t flt_min_i16(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

static inline int64_t flt_min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline uint16_t flt_min_u16(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

/* Other threads see what was copied before. */
static inline void flt_stream_end(void)
{
#if defined(__SSE2__) && defined(__GNUC__)
    __builtin_ia32_sfence();
#endif
}

/* How many samples are stored past the caches at a time: up to the end of a line of these.
 * All, where none are. */
static inline int64_t flt_stream_part(const void *to, int64_t bytes, int streams)
{
    return streams ? (512 - (int64_t)((uintptr_t)to & 63)) / bytes : INT64_C(1) << 62;
}

/* Copies samples past the caches. */
#if defined(__AVX512F__)
#define FLT_LANES_BYTES 64
#define FLT_STREAM_LANES __builtin_ia32_movntdq512
#elif defined(__AVX__)
#define FLT_LANES_BYTES 32
#define FLT_STREAM_LANES __builtin_ia32_movntdq256
#else
#define FLT_LANES_BYTES 16
#define FLT_STREAM_LANES __builtin_ia32_movntdq
#endif
#if defined(__clang__)
#undef FLT_STREAM_LANES
#define FLT_STREAM_LANES(to, value) __builtin_nontemporal_store(value, to)
#endif
static inline void flt_stream_row(void *to, const void *from, int64_t bytes)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
#if defined(__SSE2__) && defined(__GNUC__)
    typedef long long lanes __attribute__((vector_size(FLT_LANES_BYTES), may_alias));
    typedef long long anywhere
        __attribute__((vector_size(FLT_LANES_BYTES), may_alias, aligned(1)));
    const int64_t before = (int64_t)(-(uintptr_t)t & 63);
    const int64_t lead = before < bytes ? before : bytes;
    memcpy(t, f, (size_t)lead);
    for (t += lead, f += lead, bytes -= lead; bytes >= 64; t += 64, f += 64, bytes -= 64)
        for (size_t i = 0; i < 64; i += sizeof(lanes)) {
            const lanes v = *(const anywhere *)(f + i);
            FLT_STREAM_LANES((lanes *)(void *)(t + i), v);
        }
#endif
    memcpy(t, f, (size_t)bytes);
}

/* Images of so many bytes do not stay in a cache: stores to them go past it. */
#ifndef FLT_STREAM_BYTES
#define FLT_STREAM_BYTES (UINT64_C(3) << 23)
#endif

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct fixed_point_frame {
    int threads, team, thread, cpu;
    struct flt_call *call;
    const uint16_t *in;
    int64_t in_x;
    int16_t *out;
    int out_streams; /* stores to it go past the caches */
    uint8_t gain;
};

/* out: emitted_fixed_point.flt:5 */
FLT_INLINE void fixed_point_out_body(const struct fixed_point_frame *frame, int64_t flt_first,
    int64_t flt_end)
{
    const uint16_t *FLT_RESTRICT const in = frame->in;
    int16_t *FLT_RESTRICT const out = frame->out;
    const int64_t in_x = frame->in_x;
    const uint8_t gain = frame->gain;
    for (int64_t x_block = flt_first; x_block < flt_end; x_block++) {
        for (int64_t x_from = 8192 * x_block,
            x_to; x_from < 8192 * x_block + flt_min_i64(8192, in_x - x_block * 8192); x_from =
            x_to) {
            x_to = flt_min_i64(x_from + flt_stream_part(&out[x_from], 2, frame->out_streams),
                8192 * x_block + flt_min_i64(8192, in_x - x_block * 8192));
            int16_t out_row_part[256];
            int16_t *FLT_RESTRICT const out_row = frame->out_streams ? out_row_part : &out[x_from];
            FLT_SIMD
            for (int64_t x = x_from; x < x_to; x++)
                out_row[x
                    - x_from] = (int16_t)flt_min_i16((int16_t)((gain * flt_min_u16(in[x], 4095)
                    - 16384) >> 9), 1023);
            if (frame->out_streams)
                flt_stream_row(&out[x_from], out_row, 2 * (x_to - x_from));
        }
    }
    flt_stream_end();
}
FLT_KERNEL(fixed_point_out, fixed_point_frame)

/* ---- Threads ---- */

#if defined(_OPENMP) && defined(__GNUC__) && !defined(FLT_OPENMP_TEAMS)
#if defined(__unix__) || defined(__APPLE__)
#define FLT_POOL 1
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#endif
#endif
/* Other threads may end the calling one. */
#if (defined(FLT_POOL) || defined(__linux__) || defined(__APPLE__)) && !defined(__ANDROID__)
#define FLT_CANCELS 1
#include <pthread.h>
#endif
/* Where the C library declares what chooses the processors of a thread. */
#if defined(FLT_POOL) && defined(__linux__) && defined(CPU_COUNT) && defined(__has_include)
#if __has_include(<asm/unistd.h>)
#define FLT_CHOOSES 1
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif
#ifdef __GNUC__
#define FLT_ATOMICS 1
#define FLT_LOAD(from) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#define FLT_STORE(to, value) __atomic_store_n(to, value, __ATOMIC_RELEASE)
#define FLT_TAKE(counter) __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)
#define FLT_CLAIM(flag) (!__atomic_exchange_n(flag, 1, __ATOMIC_RELAXED))
#else /* a call is of one thread */
#define FLT_ATOMICS 0
#define FLT_LOAD(from) (*(from))
#define FLT_STORE(to, value) (*(to) = (value))
#define FLT_TAKE(counter) ((*(counter))++)
#define FLT_CLAIM(flag) (!(*(flag))++)
#endif
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define FLT_PAUSE() __builtin_ia32_pause()
#else
#define FLT_PAUSE() ((void)0)
#endif

/* For how many threads there is scratch memory. */
#ifndef FLT_MOST_THREADS
#define FLT_MOST_THREADS 256
#endif
static int flt_threads(int threads)
{
#ifdef _OPENMP
    const int cores = omp_get_num_procs();
    const int most = cores > FLT_MOST_THREADS ? cores : FLT_MOST_THREADS;
    const int wanted = threads > 0 ? threads : omp_get_max_threads();
#else
    const int most = FLT_MOST_THREADS;
    const int wanted = threads > 0 ? threads : 1;
#endif
    return !FLT_ATOMICS ? 1 : wanted < most ? wanted : most;
}

/* How many of them take part in a call: more than a few for each processor do not make it faster,
 * and OpenMP ends the process where the system gives it fewer than it asks for. */
static int flt_team_of(int threads)
{
#ifdef _OPENMP
    const int most = 4 * omp_get_num_procs();
    return threads < most ? threads : most;
#else
    return threads;
#endif
}

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

/* Some threads run a kernel over first ... first + extent - 1. */
struct flt_launched {
    void (*kernel)(const struct fixed_point_frame *, int64_t, int64_t);
    const struct fixed_point_frame *frame;
    int64_t first, extent, next;
};

/* Takes part after part. They get smaller, so that threads end at about the same time: of a team
 * of t, 2 t parts are 1 / (4 t) of the extent, 2 t half of that, 2 t half of that again, and 4 t of
 * 1 / (32 t) remain. */
static void fixed_point_take_parts(void *data, int number)
{
    struct flt_launched *const job = (struct flt_launched *)data;
    struct fixed_point_frame own = *job->frame;
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

static void fixed_point_launch(void (*kernel)(const struct fixed_point_frame *, int64_t, int64_t),
    const struct fixed_point_frame *frame, int64_t first, int64_t extent)
{
    struct flt_launched job = {kernel, frame, first, extent, 0};
    if (extent <= 0)
        return;
    if (frame->team == 1 && !frame->call->tasks)
        kernel(frame, first, first + extent);
    else
        flt_share(frame->call, fixed_point_take_parts, &job,
            extent < frame->team ? (int)extent : frame->team);
}

int fixed_point_is_fast(void)
{
    return FLT_FAST;
}

static void fixed_point_kernels(const struct fixed_point_frame *frame)
{
    const int64_t in_x = frame->in_x;
    fixed_point_launch(FLT_PICK(fixed_point_out), frame, 0, (in_x + 8191) / 8192);
}

const char *fixed_point_status_text(int status)
{
    switch (status) {
    case 0:
        return "done";
    case 1:
        return "a pointer that is needed is NULL";
    case 2:
        return "an extent is less than 1, or an image has more than 2^40 samples";
    case 3:
        return "the output's extents are not those of the result";
    case 4:
        return "a parameter is out of its range";
    case 5:
        return "the scratch memory is too small or not aligned to 64 bytes";
    case 6:
        return "an output is the same memory as an input";
    case 7:
        return "there is not enough memory";
    case 10:
        return "the caller has cancelled the call; outputs hold anything";
    default:
        return "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static int fixed_point_measure(struct fixed_point_frame *frame, const struct fixed_point_in *in,
    uint8_t gain)
{
    if (!in)
        return FIXED_POINT_NULL_POINTER;
    if (in->x < 1)
        return FIXED_POINT_BAD_EXTENT;
    if ((double)in->x > 1099511627776.0)
        return FIXED_POINT_BAD_EXTENT;
    const int64_t in_x = in->x;
    frame->in_x = in_x;
    frame->gain = gain;
    return FIXED_POINT_OK;
}

int fixed_point_extents(const struct fixed_point_in *in, uint8_t gain, struct fixed_point_out *out)
{
    struct fixed_point_frame all;
    const int status = fixed_point_measure(&all, in, gain);
    if (status != FIXED_POINT_OK)
        return status;
    const struct fixed_point_frame *const frame = &all;
    const int64_t in_x = frame->in_x;
    if (!out)
        return FIXED_POINT_NULL_POINTER;
    out->x = (int32_t)in_x;
    out->stride_x = 1;
    return FIXED_POINT_OK;
}

/* Sizes in bytes; 2^62 stands for all that is more. */
static uint64_t flt_times(uint64_t bytes, int64_t extent)
{
    const uint64_t most = (uint64_t)1 << 62;
    return extent > 0 && bytes > most / (uint64_t)extent ? most
                                                         : bytes * (uint64_t)extent;
}

/* The next multiple of 64 behind so many bytes. */
static uint64_t flt_behind(uint64_t at, uint64_t bytes)
{
    const uint64_t most = (uint64_t)1 << 62;
    if (at > most - 64 || bytes > most - 64 - at)
        return most;
    return (at + bytes + 63) / 64 * 64;
}

/* Gives each buffer its place in memory; where memory is NULL, only measures. */
static uint64_t fixed_point_layout(struct fixed_point_frame *frame, char *memory,
    const struct fixed_point_in *in, const struct fixed_point_out *out)
{
    uint64_t at = 0;
    const int64_t in_x = frame->in_x;
    frame->out_streams = flt_times(2, in_x) >= FLT_STREAM_BYTES;
    frame->in = in->data;
    if (in->stride_x != 1 && in->x > 1) { /* a packed copy */
        if (memory)
            frame->in = (uint16_t *)(void *)(memory + at);
        at = flt_behind(at, flt_times(2, in_x));
    }
    frame->out = out->data;
    if (out->stride_x != 1 && out->x > 1) { /* a packed copy */
        if (memory)
            frame->out = (int16_t *)(void *)(memory + at);
        at = flt_behind(at, flt_times(2, in_x));
    }
    return at;
}

/* Checks all but memory of images; sets all of the frame but the scratch memory. */
static int fixed_point_check_shapes(struct fixed_point_frame *frame,
    const struct fixed_point_in *in, uint8_t gain, const struct fixed_point_out *out, int threads)
{
    struct fixed_point_frame all;
    int status;
    if (!in)
        return FIXED_POINT_NULL_POINTER;
    memset(&all, 0, sizeof all);
    status = fixed_point_measure(&all, in, gain);
    if (status != FIXED_POINT_OK)
        return status;
    *frame = all;
    const int64_t in_x = frame->in_x;
    if (!out)
        return FIXED_POINT_NULL_POINTER;
    if (out->x != in_x)
        return FIXED_POINT_BAD_OUTPUT;
    frame->threads = flt_threads(threads);
    frame->team = flt_team_of(frame->threads);
    frame->cpu = FLT_CPU;
    return FIXED_POINT_OK;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int fixed_point_check(struct fixed_point_frame *frame, const struct fixed_point_in *in,
    uint8_t gain, const struct fixed_point_out *out, int threads)
{
    if (!in || !in->data)
        return FIXED_POINT_NULL_POINTER;
    if (!out || !out->data)
        return FIXED_POINT_NULL_POINTER;
    const int status = fixed_point_check_shapes(frame, in, gain, out, threads);
    if (status != FIXED_POINT_OK)
        return status;
    if ((const void *)out->data == (const void *)in->data)
        return FIXED_POINT_OVERLAP;
    return FIXED_POINT_OK;
}

size_t fixed_point_scratch_bytes(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out, int threads)
{
    struct fixed_point_frame all;
    if (fixed_point_check_shapes(&all, in, gain, out, threads) != FIXED_POINT_OK)
        return SIZE_MAX;
    {
        const uint64_t bytes = fixed_point_layout(&all, NULL, in, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int fixed_point_run_by(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out, void *scratch, size_t scratch_bytes, int threads,
    const struct flt_tasks *tasks)
{
    struct fixed_point_frame all;
    const int status = fixed_point_check(&all, in, gain, out, threads);
    if (status != FIXED_POINT_OK)
        return status;
    {
        const uint64_t bytes = fixed_point_layout(&all, NULL, in, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return FIXED_POINT_BAD_SCRATCH;
    }
    (void)fixed_point_layout(&all, (char *)scratch, in, out);
    struct flt_call call = {tasks, 0};
    all.call = &call;
    if (in->stride_x != 1 && in->x > 1) {
        uint16_t *FLT_RESTRICT const packed = (uint16_t *)(uintptr_t)all.in;
        for (int64_t i0 = 0; i0 < in->x; i0++)
            packed[i0] = in->data[i0 * in->stride_x];
    }
    {
        const int flt_held = flt_hold();
        fixed_point_kernels(&all);
        flt_release(flt_held);
    }
    if (call.stopped)
        return FIXED_POINT_CANCELLED;
    if (out->stride_x != 1 && out->x > 1) {
        const int16_t *FLT_RESTRICT const packed = (const int16_t *)(uintptr_t)all.out;
        for (int64_t i0 = 0; i0 < out->x; i0++)
            out->data[i0 * out->stride_x] = packed[i0];
    }
    return FIXED_POINT_OK;
}

int fixed_point_run(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out, void *scratch, size_t scratch_bytes, int threads)
{
    return fixed_point_run_by(in, gain, out, scratch, scratch_bytes, threads, NULL);
}

int fixed_point(const struct fixed_point_in *in, uint8_t gain, const struct fixed_point_out *out,
    int threads)
{
    struct fixed_point_frame all;
    int status = fixed_point_check(&all, in, gain, out, threads);
    char *block;
    uint64_t bytes;
    int flt_held;
    if (status != FIXED_POINT_OK)
        return status;
    bytes = fixed_point_layout(&all, NULL, in, out);
    if (bytes > SIZE_MAX - 64)
        return FIXED_POINT_NO_MEMORY;
    flt_held = flt_hold();
    status = FIXED_POINT_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (block)
        status = fixed_point_run(in, gain, out, block + (64 - (uintptr_t)block % 64), (size_t)bytes,
            threads);
    free(block);
    flt_release(flt_held);
    return status;
}

int fixed_point_region_of_in(const struct fixed_point_in *in, uint8_t gain,
    const int64_t *output_box, int64_t *input_box)
{
    struct fixed_point_frame all;
    const int status = fixed_point_measure(&all, in, gain);
    if (status != FIXED_POINT_OK)
        return status;
    if (!output_box || !input_box)
        return FIXED_POINT_NULL_POINTER;
    const struct fixed_point_frame *const frame = &all;
    const int64_t out_x_first = output_box[0];
    const int64_t out_x_end = output_box[1];
    const int64_t in_x = frame->in_x;
    input_box[0] = flt_min_i64(flt_max_i64(out_x_first, 0), in_x - 1);
    input_box[1] = flt_max_i64(flt_min_i64(out_x_end, in_x), 1);
    return FIXED_POINT_OK;
}

#undef flt_cpu
#undef flt_shift_is_arithmetic
#undef flt_max_i64
#undef flt_min_i16
#undef flt_min_i64
#undef flt_min_u16
#undef flt_stream_end
#undef flt_stream_part
#undef flt_stream_row
#undef flt_first
#undef flt_end
#undef flt_threads
#undef flt_team_of
#undef flt_call
#undef flt_stops
#undef flt_hold
#undef flt_release
#undef flt_job
#undef flt_pool
#undef flt_pool_thread
#undef flt_pool_choose
#undef flt_pool_leave
#undef flt_pool_come
#undef flt_pool_begin
#undef flt_now
#undef flt_spin
#undef flt_unlist
#undef flt_pool_take_part
#undef flt_pool_work
#undef flt_pool_forked
#undef flt_pool_turn
#undef flt_pool_end
#undef flt_pool_make
#undef flt_pool_grow
#undef flt_pool_run
#undef flt_share
#undef flt_launched
#undef flt_times
#undef flt_behind
#undef FLT_RESTRICT
#undef FLT_INLINE
#undef FLT_APART
#undef FLT_V3
#undef FLT_KERNEL
#undef FLT_PICK
#undef FLT_CPU
#undef FLT_FAST
#undef FLT_SIMD
#undef FLT_LANES_BYTES
#undef FLT_STREAM_LANES
#undef FLT_POOL
#undef FLT_CANCELS
#undef FLT_CHOOSES
#undef FLT_ATOMICS
#undef FLT_LOAD
#undef FLT_STORE
#undef FLT_TAKE
#undef FLT_CLAIM
#undef FLT_PAUSE

#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#pragma float_control(pop)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
/* fixed_point. */
#ifndef FIXED_POINT_H
#define FIXED_POINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number means the same in all filters and versions of fltc. */
enum fixed_point_status {
    FIXED_POINT_OK = 0, /* done */
    FIXED_POINT_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    FIXED_POINT_BAD_EXTENT = 2,
        /* an extent is less than 1, or an image has more than 2^40 samples */
    FIXED_POINT_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    FIXED_POINT_BAD_PARAMETER = 4, /* a parameter is out of its range */
    FIXED_POINT_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    FIXED_POINT_OVERLAP = 6, /* an output is the same memory as an input */
    FIXED_POINT_NO_MEMORY = 7, /* there is not enough memory */
    FIXED_POINT_CANCELLED = 10, /* the caller has cancelled the call; outputs hold anything */
};

/* How a caller runs the work of a call by threads of its own, and cancels it. */
#ifndef FLT_TASKS
#define FLT_TASKS
struct flt_tasks {
    void *context; /* the first argument of both functions */
    /* Calls work(data, n) once for each n from 0 to count - 1, in any order, on any threads,
     * also one after the other; returns when all these calls have returned. count is at most
     * the number of threads. NULL: the filter's own threads do it. */
    void (*run)(void *context, void (*work)(void *data, int n), void *data, int count);
    /* Not 0: the call begins no further part of a kernel and returns. All threads ask before each
     * part, at the same time. NULL: the call cannot be cancelled. */
    int (*cancelled)(void *context);
};
#endif

/* in: [x] of u16, value = integer / 256. Strides are in samples and may be negative. */
struct fixed_point_in {
    const uint16_t *data;
    int32_t x; /* extents */
    ptrdiff_t stride_x;
};

/* out: [x] of i16, value = integer / 32. Strides are in samples and may be negative. */
struct fixed_point_out {
    int16_t *data;
    int32_t x; /* extents */
    ptrdiff_t stride_x;
};

/* The text of a status. It is static: do not free it. */
const char *fixed_point_status_text(int status);

/* Sets the extents and packed strides of the output; data is left unchanged.
 * Returns a status. */
int fixed_point_extents(const struct fixed_point_in *in, uint8_t gain, struct fixed_point_out *out);

/* Bytes of scratch memory that fixed_point_run needs with these arguments, where data may be NULL;
 * SIZE_MAX if one is wrong. threads: as for fixed_point_run. */
size_t fixed_point_scratch_bytes(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls but
 * sleeping threads. Calls may run at the same time.
 * scratch: fixed_point_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 or less for as many as OpenMP gives; of more than four for each processor no more
 * take part. The result does not depend on it.
 * Samples are written only if all arguments are right. Outputs must not share memory with
 * inputs; only equal addresses are detected.
 * gain, value = integer / 64, default 80.
 */
int fixed_point_run(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out, void *scratch, size_t scratch_bytes, int threads);

/* As fixed_point_run, by threads of the caller, who may cancel it: it then returns
 * FIXED_POINT_CANCELLED.
 * tasks: NULL for the filter's own threads. */
int fixed_point_run_by(const struct fixed_point_in *in, uint8_t gain,
    const struct fixed_point_out *out,
    void *scratch, size_t scratch_bytes, int threads, const struct flt_tasks *tasks);

/* The same, with scratch memory from malloc. */
int fixed_point(const struct fixed_point_in *in, uint8_t gain, const struct fixed_point_out *out,
    int threads);

/* Computes which box of an input a box of the output depends on. A box holds two numbers per
 * axis, in the order of the axes: first, end (exclusive). */
int fixed_point_region_of_in(const struct fixed_point_in *in, uint8_t gain,
    const int64_t *output_box, int64_t *input_box);

/* 1 if fused multiply-adds run in hardware, 0 if the C library computes them (slowly). */
int fixed_point_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
