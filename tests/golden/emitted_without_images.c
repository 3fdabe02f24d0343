/* ramp. Needs the C library alone: cc -O3 -fopenmp ramp.c -lm */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* threads choose their processors */
#endif
#include "ramp.h"

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
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#if defined(__i386__) || defined(__x86_64__)
#error "compile this file for arithmetic without excess precision: -msse2 -mfpmath=sse"
#else
#error "compile this file for arithmetic without excess precision: -fexcess-precision=fast"
#endif
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
#define flt_constants_are_double ramp_flt_constants_are_double
#define flt_floats ramp_flt_floats
#define flt_begin_floats ramp_flt_begin_floats
#define flt_end_floats ramp_flt_end_floats
#define flt_is_fused ramp_flt_is_fused
#define flt_is_split ramp_flt_is_split
#define flt_is_finite ramp_flt_is_finite
#define flt_is_fused_v3 ramp_flt_is_fused_v3
#define flt_cpu ramp_flt_cpu
#define flt_shift_is_arithmetic ramp_flt_shift_is_arithmetic
#define flt_first ramp_flt_first
#define flt_end ramp_flt_end
#define flt_threads ramp_flt_threads
#define flt_team_of ramp_flt_team_of
#define flt_call ramp_flt_call
#define flt_stops ramp_flt_stops
#define flt_hold ramp_flt_hold
#define flt_release ramp_flt_release
#define flt_job ramp_flt_job
#define flt_pool ramp_flt_pool
#define flt_pool_thread ramp_flt_pool_thread
#define flt_pool_choose ramp_flt_pool_choose
#define flt_pool_leave ramp_flt_pool_leave
#define flt_pool_come ramp_flt_pool_come
#define flt_pool_begin ramp_flt_pool_begin
#define flt_now ramp_flt_now
#define flt_spin ramp_flt_spin
#define flt_unlist ramp_flt_unlist
#define flt_pool_take_part ramp_flt_pool_take_part
#define flt_pool_work ramp_flt_pool_work
#define flt_pool_forked ramp_flt_pool_forked
#define flt_pool_turn ramp_flt_pool_turn
#define flt_pool_end ramp_flt_pool_end
#define flt_pool_make ramp_flt_pool_make
#define flt_pool_grow ramp_flt_pool_grow
#define flt_pool_run ramp_flt_pool_run
#define flt_share ramp_flt_share
#define flt_launched ramp_flt_launched
#define flt_times ramp_flt_times
#define flt_behind ramp_flt_behind

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

/* Fails with -fsingle-precision-constant. */
typedef char flt_constants_are_double[sizeof 1.0 == sizeof(double) ? 1 : -1];

/* ---- How the processor computes floats ---- */

/* A caller may have set its thread to flush subnormal numbers to zero, to round in another
 * direction, or to trap; linking a program with -ffast-math does the first. The first function sets
 * what IEEE 754 defines and returns the caller's settings; the second one sets these again. Setting
 * takes longer than asking: SSE is left alone where nothing but its flags, the lowest six bits,
 * differs. */
#if defined(__SSE__) || defined(_M_X64)
#define FLT_SSE 0x1f80
#define FLT_SSE_DIFFERS(of) (((of) & ~0x3fu) != FLT_SSE)
#endif
#if defined(__GNUC__) && defined(__SSE__)
struct flt_floats {
    unsigned sse;
#ifdef __i386__
    unsigned short x87; /* converts integers */
#endif
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    caller.sse = __builtin_ia32_stmxcsr();
    if (FLT_SSE_DIFFERS(caller.sse))
        __builtin_ia32_ldmxcsr(FLT_SSE);
#ifdef __i386__
    {
        const unsigned short nearest = 0x37f;
        __asm__ volatile("fnstcw %0" : "=m"(caller.x87));
        __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(nearest));
    }
#endif
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    if (FLT_SSE_DIFFERS(caller.sse))
        __builtin_ia32_ldmxcsr(caller.sse);
#ifdef __i386__
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(caller.x87));
#endif
}
#elif defined(_M_X64)
#include <xmmintrin.h>
struct flt_floats {
    unsigned sse;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    caller.sse = _mm_getcsr();
    if (FLT_SSE_DIFFERS(caller.sse))
        _mm_setcsr(FLT_SSE);
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    if (FLT_SSE_DIFFERS(caller.sse))
        _mm_setcsr(caller.sse);
}
#elif defined(__GNUC__) && (defined(__aarch64__) || defined(__ARM_FP))
struct flt_floats {
    uintptr_t control;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    const uintptr_t nearest = 0;
    struct flt_floats caller;
#ifdef __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(caller.control) : : "memory");
    __asm__ volatile("msr fpcr, %0" : : "r"(nearest) : "memory");
#else
    __asm__ volatile("vmrs %0, fpscr" : "=r"(caller.control) : : "memory");
    __asm__ volatile("vmsr fpscr, %0" : : "r"(nearest) : "memory");
#endif
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
#ifdef __aarch64__
    __asm__ volatile("msr fpcr, %0" : : "r"(caller.control) : "memory");
#else
    __asm__ volatile("vmsr fpscr, %0" : : "r"(caller.control) : "memory");
#endif
}
#else
#include <fenv.h>
struct flt_floats {
    fenv_t environment;
};

FLT_INLINE struct flt_floats flt_begin_floats(void)
{
    struct flt_floats caller;
    (void)fegetenv(&caller.environment);
    (void)fesetenv(FE_DFL_ENV);
    return caller;
}

FLT_INLINE void flt_end_floats(struct flt_floats caller)
{
    (void)fesetenv(&caller.environment);
}
#endif

/* clang fuses products and sums in spite of the pragma above if it is called with
 * -ffp-contract=fast, or with -ffast-math and options that take part of that back. */
#ifdef __clang__
#define FLT_ASK_FUSED(name)                                         \
    static __attribute__((noinline)) int name(void)                 \
    {                                                               \
        static const volatile double factor = 134217729;            \
        const struct flt_floats caller = flt_begin_floats();        \
        volatile double rest = factor * factor - 18014398777917440; \
        flt_end_floats(caller);                                     \
        return rest > 0;                                            \
    }
#if defined(__FMA__) || defined(__FMA4__) || !(defined(__x86_64__) || defined(__i386__))
FLT_ASK_FUSED(flt_is_fused)
#define FLT_FUSED flt_is_fused()
#else
/* Other processors of x86 have nothing to fuse with, but with these options clang replaces fma by
 * a product and a sum there. */
static __attribute__((noinline)) int flt_is_split(void)
{
    static const volatile double factor = 134217729;
    const struct flt_floats caller = flt_begin_floats();
    volatile double rest = fma(factor, factor, -18014398777917440);
    flt_end_floats(caller);
    return !(rest > 0);
}
#define FLT_FUSED flt_is_split()
#endif
/* With -ffinite-math-only, or half of it, clang takes calls and choices for finite, in spite of the
 * pragma above. */
static __attribute__((noinline)) int flt_is_finite(void)
{
    static const volatile double zero = 0;
    const struct flt_floats caller = flt_begin_floats();
    const double nan = zero < 1 ? zero / zero : 0, infinite = zero < 1 ? 1 / zero : 0;
    const int differs = nan == nan || infinite < 1.7976931348623157e308;
    flt_end_floats(caller);
    return differs;
}
#define FLT_LOOSE (FLT_FUSED || flt_is_finite())
#else
#define FLT_LOOSE 0
#endif

/* FLT_KERNEL compiles a body for the target of the compiler's options, and again for processors
 * with fused multiply-add. FLT_PICK takes the one for the processor at hand. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__FMA__)
#define FLT_V3 __attribute__((target("avx2,fma,bmi,bmi2")))
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        const struct flt_floats flt_caller = flt_begin_floats();                             \
        name##_body(frame, first, end);                                                      \
        flt_end_floats(flt_caller);                                                          \
    }                                                                                        \
    FLT_V3 static void name##_v3(const struct frame_type *frame, int64_t first, int64_t end) \
    {                                                                                        \
        const struct flt_floats flt_caller = flt_begin_floats();                             \
        name##_body(frame, first, end);                                                      \
        flt_end_floats(flt_caller);                                                          \
    }
#define FLT_PICK(name) \
    (frame->cpu == 3 ? name##_v3 : name)
#ifdef __clang__
FLT_V3 FLT_ASK_FUSED(flt_is_fused_v3)
#define FLT_FUSED_V3 flt_is_fused_v3()
#else
#define FLT_FUSED_V3 0
#endif
/* No better processor than of this level of x86-64 is made use of. */
#ifndef FLT_MOST_CPU
#define FLT_MOST_CPU 4
#endif
static int flt_cpu(void)
{
    if (FLT_MOST_CPU >= 3 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && !FLT_FUSED_V3)
        return 3;
    return 0;
}
#define FLT_CPU flt_cpu()
#else
#define FLT_KERNEL(name, frame_type)                                                         \
    static void name(const struct frame_type *frame, int64_t first, int64_t end)             \
    {                                                                                        \
        const struct flt_floats flt_caller = flt_begin_floats();                             \
        name##_body(frame, first, end);                                                      \
        flt_end_floats(flt_caller);                                                          \
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

/* What all kernels of one call share. Strides are in samples; the last axis has stride 1. */
struct ramp_frame {
    int threads, team, thread, cpu;
    struct flt_call *call;
    float *out;
};

/* out: emitted_without_images.flt:6 */
FLT_INLINE void ramp_out_body(const struct ramp_frame *frame, int64_t flt_first, int64_t flt_end)
{
    float *FLT_RESTRICT const out = frame->out;
    for (int64_t x_block = flt_first; x_block < flt_end; x_block++) {
        FLT_SIMD
        for (int64_t x = 8192 * x_block; x < 256; x++)
            out[x] = (float)(int32_t)x / 255.0f;
    }
}
FLT_KERNEL(ramp_out, ramp_frame)

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
    void (*kernel)(const struct ramp_frame *, int64_t, int64_t);
    const struct ramp_frame *frame;
    int64_t first, extent, next;
};

/* Takes part after part. They get smaller, so that threads end at about the same time: of a team
 * of t, 2 t parts are 1 / (4 t) of the extent, 2 t half of that, 2 t half of that again, and 4 t of
 * 1 / (32 t) remain. */
static void ramp_take_parts(void *data, int number)
{
    struct flt_launched *const job = (struct flt_launched *)data;
    struct ramp_frame own = *job->frame;
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

static void ramp_launch(void (*kernel)(const struct ramp_frame *, int64_t, int64_t),
    const struct ramp_frame *frame, int64_t first, int64_t extent)
{
    struct flt_launched job = {kernel, frame, first, extent, 0};
    if (extent <= 0)
        return;
    if (frame->team == 1 && !frame->call->tasks)
        kernel(frame, first, first + extent);
    else
        flt_share(frame->call, ramp_take_parts, &job,
            extent < frame->team ? (int)extent : frame->team);
}

int ramp_is_fast(void)
{
    return FLT_FAST;
}

static void ramp_kernels(const struct ramp_frame *frame)
{
    ramp_launch(FLT_PICK(ramp_out), frame, 0, 1);
}

const char *ramp_status_text(int status)
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
    case 11:
        return "compile without -ffp-contract=fast, -ffinite-math-only and -ffast-math: results would change";
    default:
        return "unknown status";
    }
}

/* Checks inputs and parameters; sets extents. */
static int ramp_measure(struct ramp_frame *frame)
{
    if (FLT_LOOSE)
        return RAMP_BAD_OPTIONS;
    (void)frame;
    return RAMP_OK;
}

int ramp_extents(struct ramp_out *out)
{
    struct ramp_frame all;
    const int status = ramp_measure(&all);
    if (status != RAMP_OK)
        return status;
    if (!out)
        return RAMP_NULL_POINTER;
    out->x = (int32_t)256;
    out->stride_x = 1;
    return RAMP_OK;
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
static uint64_t ramp_layout(struct ramp_frame *frame, char *memory, const struct ramp_out *out)
{
    uint64_t at = 0;
    frame->out = out->data;
    if (out->stride_x != 1 && out->x > 1) { /* a packed copy */
        if (memory)
            frame->out = (float *)(void *)(memory + at);
        at = flt_behind(at, flt_times(4, 256));
    }
    return at;
}

/* Checks all but memory of images; sets all of the frame but the scratch memory. */
static int ramp_check_shapes(struct ramp_frame *frame, const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    int status;
    memset(&all, 0, sizeof all);
    status = ramp_measure(&all);
    if (status != RAMP_OK)
        return status;
    *frame = all;
    if (!out)
        return RAMP_NULL_POINTER;
    if (out->x != 256)
        return RAMP_BAD_OUTPUT;
    frame->threads = flt_threads(threads);
    frame->team = flt_team_of(frame->threads);
    frame->cpu = FLT_CPU;
    return RAMP_OK;
}

/* Checks everything; sets all of the frame but the scratch memory. */
static int ramp_check(struct ramp_frame *frame, const struct ramp_out *out, int threads)
{
    if (!out || !out->data)
        return RAMP_NULL_POINTER;
    const int status = ramp_check_shapes(frame, out, threads);
    if (status != RAMP_OK)
        return status;
    return RAMP_OK;
}

size_t ramp_scratch_bytes(const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    if (ramp_check_shapes(&all, out, threads) != RAMP_OK)
        return SIZE_MAX;
    {
        const uint64_t bytes = ramp_layout(&all, NULL, out);
        return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
    }
}

int ramp_run_by(const struct ramp_out *out, void *scratch, size_t scratch_bytes, int threads,
    const struct flt_tasks *tasks)
{
    struct ramp_frame all;
    const int status = ramp_check(&all, out, threads);
    if (status != RAMP_OK)
        return status;
    {
        const uint64_t bytes = ramp_layout(&all, NULL, out);
        if (bytes > scratch_bytes || (bytes && !scratch) || (uintptr_t)scratch % 64)
            return RAMP_BAD_SCRATCH;
    }
    (void)ramp_layout(&all, (char *)scratch, out);
    struct flt_call call = {tasks, 0};
    all.call = &call;
    {
        const int flt_held = flt_hold();
        ramp_kernels(&all);
        flt_release(flt_held);
    }
    if (call.stopped)
        return RAMP_CANCELLED;
    if (out->stride_x != 1 && out->x > 1) {
        const float *FLT_RESTRICT const packed = (const float *)(uintptr_t)all.out;
        for (int64_t i0 = 0; i0 < out->x; i0++)
            out->data[i0 * out->stride_x] = packed[i0];
    }
    return RAMP_OK;
}

int ramp_run(const struct ramp_out *out, void *scratch, size_t scratch_bytes, int threads)
{
    return ramp_run_by(out, scratch, scratch_bytes, threads, NULL);
}

int ramp(const struct ramp_out *out, int threads)
{
    struct ramp_frame all;
    int status = ramp_check(&all, out, threads);
    char *block;
    uint64_t bytes;
    int flt_held;
    if (status != RAMP_OK)
        return status;
    bytes = ramp_layout(&all, NULL, out);
    if (bytes > SIZE_MAX - 64)
        return RAMP_NO_MEMORY;
    flt_held = flt_hold();
    status = RAMP_NO_MEMORY;
    block = (char *)malloc((size_t)bytes + 64);
    if (block)
        status = ramp_run(out, block + (64 - (uintptr_t)block % 64), (size_t)bytes, threads);
    free(block);
    flt_release(flt_held);
    return status;
}

#undef flt_constants_are_double
#undef flt_floats
#undef flt_begin_floats
#undef flt_end_floats
#undef flt_is_fused
#undef flt_is_split
#undef flt_is_finite
#undef flt_is_fused_v3
#undef flt_cpu
#undef flt_shift_is_arithmetic
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
#undef FLT_SSE
#undef FLT_SSE_DIFFERS
#undef FLT_ASK_FUSED
#undef FLT_FUSED
#undef FLT_LOOSE
#undef FLT_V3
#undef FLT_KERNEL
#undef FLT_PICK
#undef FLT_FUSED_V3
#undef FLT_CPU
#undef FLT_FAST
#undef FLT_SIMD
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
/* ramp. */
#ifndef RAMP_H
#define RAMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number means the same in all filters and versions of fltc. */
enum ramp_status {
    RAMP_OK = 0, /* done */
    RAMP_NULL_POINTER = 1, /* a pointer that is needed is NULL */
    RAMP_BAD_EXTENT = 2, /* an extent is less than 1, or an image has more than 2^40 samples */
    RAMP_BAD_OUTPUT = 3, /* the output's extents are not those of the result */
    RAMP_BAD_PARAMETER = 4, /* a parameter is out of its range */
    RAMP_BAD_SCRATCH = 5, /* the scratch memory is too small or not aligned to 64 bytes */
    RAMP_OVERLAP = 6, /* an output is the same memory as an input */
    RAMP_NO_MEMORY = 7, /* there is not enough memory */
    RAMP_CANCELLED = 10, /* the caller has cancelled the call; outputs hold anything */
    RAMP_BAD_OPTIONS = 11,
        /* compile without -ffp-contract=fast, -ffinite-math-only and -ffast-math: results would
         * change */
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

/* out: [x] of f32. Strides are in samples and may be negative. */
struct ramp_out {
    float *data;
    int32_t x; /* extents */
    ptrdiff_t stride_x;
};

/* The text of a status. It is static: do not free it. */
const char *ramp_status_text(int status);

/* Sets the extents and packed strides of the output; data is left unchanged.
 * Returns a status. */
int ramp_extents(struct ramp_out *out);

/* Bytes of scratch memory that ramp_run needs with these arguments, where data may be NULL;
 * SIZE_MAX if one is wrong. threads: as for ramp_run. */
size_t ramp_scratch_bytes(const struct ramp_out *out, int threads);

/* Computes the output; returns a status. Allocates nothing and keeps nothing between calls but
 * sleeping threads. Calls may run at the same time.
 * scratch: ramp_scratch_bytes(...) or more, aligned to 64 bytes.
 * threads: 0 or less for as many as OpenMP gives; of more than four for each processor no more
 * take part. The result does not depend on it.
 * Samples are written only if all arguments are right. Outputs must not share memory with
 * inputs; only equal addresses are detected.
 */
int ramp_run(const struct ramp_out *out, void *scratch, size_t scratch_bytes, int threads);

/* As ramp_run, by threads of the caller, who may cancel it: it then returns RAMP_CANCELLED.
 * tasks: NULL for the filter's own threads. */
int ramp_run_by(const struct ramp_out *out,
    void *scratch, size_t scratch_bytes, int threads, const struct flt_tasks *tasks);

/* The same, with scratch memory from malloc. */
int ramp(const struct ramp_out *out, int threads);

/* 1 if fused multiply-adds run in hardware, 0 if the C library computes them (slowly). */
int ramp_is_fast(void);

#ifdef __cplusplus
}
#endif

#endif
