/* What fails on the way: each call of the runtime in turn, with several errors, and wrong arguments. The status is
 * the right one, no sample of a result is written, no memory is kept. Run on the CPU, by the
 * simulator (tests/simulator/cuda_runtime.h). */
#include "several_arguments.h"

#include <cuda_runtime.h>
#include <sys/mman.h>

static int run_on_host_images(struct arguments *a)
{
    return several(&a->in, &a->other, 2, &a->out, &a->total);
}

static int run_on_device(struct arguments *a, void *scratch, size_t bytes)
{
    return several_run(&a->in, &a->other, 2, &a->out, &a->total, scratch, bytes, NULL);
}

static size_t scratch_bytes(struct arguments *a)
{
    return several_scratch_bytes(&a->in, &a->other, 2, &a->out, &a->total);
}

static const struct {
    cudaError_t error;
    int status;
} errors[] = {
    {cudaErrorMemoryAllocation, SEVERAL_NO_DEVICE_MEMORY},
    {cudaErrorNoDevice, SEVERAL_NO_DEVICE},
    {cudaErrorInsufficientDriver, SEVERAL_NO_DEVICE},
    {cudaErrorStubLibrary, SEVERAL_NO_DEVICE},
    {cudaErrorInvalidConfiguration, SEVERAL_DEVICE + cudaErrorInvalidConfiguration},
    {cudaErrorLaunchFailure, SEVERAL_DEVICE + cudaErrorLaunchFailure},
};
enum { ERRORS = sizeof errors / sizeof errors[0] };

/* Each call of the runtime fails in turn; their number, those of launches alone. */
static void fail_each(int calls, int launches, void *scratch, size_t bytes)
{
    static struct arguments a;
    for (int e = 0; e < ERRORS; e++) {
        for (int n = 1; n <= calls; n++) {
            set_right(&a);
            sim_fail_at(n, errors[e].error);
            const int status = run_on_host_images(&a);
            expect(status == errors[e].status && !is_written(&a), "call of the runtime", n, status);
        }
        for (int n = 1; n <= launches; n++) {
            set_right(&a);
            sim_fail_at(n, errors[e].error);
            const int status = run_on_device(&a, scratch, bytes);
            expect(status == errors[e].status && sim_calls() == n, "launch", n, status);
        }
    }
    sim_fail_at(0, 0);
    const char *words = several_status_text(SEVERAL_DEVICE + cudaErrorLaunchFailure);
    expect(strcmp(words, cudaGetErrorString(cudaErrorLaunchFailure)) == 0, words, 0, 0);
    expect(strcmp(several_status_text(77), "unknown status") == 0, "words of", 77, 77);
}

static void give_wrong_arguments(char *scratch, size_t bytes)
{
    static struct arguments a;
    static const struct {
        int status;
        void (*spoil)(struct arguments *);
    } wrong[] = {
        {SEVERAL_NULL_POINTER, [](struct arguments *b) { b->in.data = NULL; }},
        {SEVERAL_NULL_POINTER, [](struct arguments *b) { b->total.data = NULL; }},
        {SEVERAL_BAD_EXTENT, [](struct arguments *b) { b->in.x = 0; }},
        {SEVERAL_BAD_OUTPUT, [](struct arguments *b) { b->out.y++; }},
        {SEVERAL_OVERLAP, [](struct arguments *b) { b->out.data = b->in_samples; }},
    };
    sim_fail_at(0, 0);
    for (const auto &w : wrong) {
        set_right(&a);
        w.spoil(&a);
        int status = run_on_host_images(&a);
        expect(status == w.status && !is_written(&a), "images of the host: status", w.status,
               status);
        status = run_on_device(&a, scratch, bytes);
        expect(status == w.status && !is_written(&a), "images of the device: status", w.status,
               status);
        const bool of_memory = w.status == SEVERAL_NULL_POINTER || w.status == SEVERAL_OVERLAP;
        expect(scratch_bytes(&a) == (of_memory ? bytes : SIZE_MAX), "scratch memory for status",
               w.status, 0);
    }
    set_right(&a);
    const struct {
        char *scratch;
        size_t bytes;
    } bad[] = {{NULL, bytes}, {scratch, bytes - 1}, {scratch + 4, bytes}};
    for (int i = 0; i < 3; i++) {
        const int status = run_on_device(&a, bad[i].scratch, bad[i].bytes);
        expect(status == SEVERAL_BAD_SCRATCH && !is_written(&a), "bad scratch memory", i, status);
    }
    expect(sim_calls() == 0, "calls of the runtime with wrong arguments:", sim_calls(), 0);
}

/* Compiled with -DFLT_DEBUG, NAME_run names what is no memory of the device. */
static void give_memory_of_the_host(char *scratch, size_t bytes)
{
    static struct arguments a;
    set_right(&a);
    const struct {
        const void *memory;
        const char *words;
    } rows[] = {{a.in.data, "in.data is no memory of a device"},
                {a.other.data, "other.data is no memory of a device"},
                {a.out.data, "out.data is no memory of a device"},
                {a.total.data, "total.data is no memory of a device"},
                {scratch, "scratch is no memory of a device"}};
    for (int i = 0; i < 5; i++) {
        sim_host_memory = rows[i].memory;
        const int status = run_on_device(&a, scratch, bytes);
        expect(status == SEVERAL_ELSEWHERE + i && !is_written(&a), "memory of the host", i, status);
        expect(strcmp(several_status_text(status), rows[i].words) == 0, several_status_text(status),
               i, status);
    }
    sim_host_memory = NULL;
}

/* 32 bits do not count the places of an image whose rows lie far apart. */
static void run_rows_far_apart(const struct arguments *near, void *scratch, size_t bytes)
{
    enum { APART = 1 << 27 };
    static struct arguments a;
    const size_t size = (size_t)HEIGHT * APART;
    void *const rows = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    expect(rows != MAP_FAILED, "memory for rows that lie apart", APART, 0);
    if (rows == MAP_FAILED)
        return;
    set_right(&a);
    for (int y = 0; y < HEIGHT; y++)
        memcpy((uint8_t *)rows + (size_t)y * APART, a.other_samples + y * WIDTH, WIDTH);
    a.other.data = (const uint8_t *)rows;
    a.other.stride_y = APART;
    const int status = run_on_device(&a, scratch, bytes);
    expect(status == 0 && memcmp(a.out_samples, near->out_samples, sizeof a.out_samples) == 0,
           "rows that lie apart:", APART, status);
    munmap(rows, size);
}

int main(void)
{
    static struct arguments on_host, on_device;
    set_right(&on_host);
    set_right(&on_device);
    const size_t bytes = scratch_bytes(&on_device);
    char *const scratch = (char *)aligned_alloc(64, (bytes + 127) / 64 * 64);
    sim_fail_at(0, 0);
    int status = run_on_host_images(&on_host);
    const int calls = sim_calls();
    expect(status == 0 && is_written(&on_host), "images of the host", 0, status);
    sim_fail_at(0, 0);
    status = run_on_device(&on_device, scratch, bytes);
    const int launches = sim_calls();
    expect(status == 0 &&
               memcmp(on_host.out_samples, on_device.out_samples, sizeof on_host.out_samples) == 0,
           "images of the device", 0, status);
    /* One allocation and a copy of each image more; NAME_run calls nothing but launches. */
    expect(launches >= 3 && calls == launches + 5, "calls beside launches:", calls - launches, 0);
    fail_each(calls, launches, scratch, bytes);
    give_wrong_arguments(scratch, bytes);
    give_memory_of_the_host(scratch, bytes);
    run_rows_far_apart(&on_device, scratch, bytes);
    free(scratch);
    printf("cuda faults: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
