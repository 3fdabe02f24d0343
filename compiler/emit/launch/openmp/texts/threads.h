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
