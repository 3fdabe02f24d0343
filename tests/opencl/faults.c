/* What fails on the way: each call of OpenCL in turn, and of malloc, with several errors; wrong
 * arguments; binaries. The status is the right one, no sample of a result is written, nothing is
 * kept: what was created is released. The calls are wrapped when this is linked (run.sh), and go on
 * to a driver. */
#define CL_TARGET_OPENCL_VERSION 120
#include "../cuda/several_arguments.h"

#include <CL/cl.h>
#include <stdlib.h>

/* ---- Calls that fail ---- */

static int calls, fails_at; /* 0: none does */
static cl_int error_given;
static int objects; /* created and not released */

static int fails(void)
{
    return ++calls == fails_at;
}

static void fail_at(int n, cl_int error)
{
    calls = 0;
    fails_at = n;
    error_given = error;
}

/* Of functions that return an error. */
#define WRAP(name, parameters, arguments)                                                          \
    cl_int __real_##name parameters;                                                               \
    cl_int __wrap_##name parameters;                                                               \
    cl_int __wrap_##name parameters                                                                \
    {                                                                                              \
        return fails() ? error_given : __real_##name arguments;                                    \
    }
WRAP(clGetPlatformIDs, (cl_uint a, cl_platform_id *b, cl_uint *c), (a, b, c))
WRAP(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e),
     (a, b, c, d, e))
WRAP(clBuildProgram,
     (cl_program a, cl_uint b, const cl_device_id *c, const char *d,
      void(CL_CALLBACK *e)(cl_program, void *), void *f),
     (a, b, c, d, e, f))
WRAP(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d))
WRAP(clEnqueueNDRangeKernel,
     (cl_command_queue a, cl_kernel b, cl_uint c, const size_t *d, const size_t *e, const size_t *f,
      cl_uint g, const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
WRAP(clEnqueueWriteBuffer,
     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void *f, cl_uint g,
      const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))
WRAP(clEnqueueReadBuffer,
     (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void *f, cl_uint g,
      const cl_event *h, cl_event *i),
     (a, b, c, d, e, f, g, h, i))

/* Of functions that create. */
#define WRAP_CREATE(type, name, parameters, arguments, error)                                      \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (fails()) {                                                                             \
            *error = error_given;                                                                  \
            return NULL;                                                                           \
        }                                                                                          \
        type made = __real_##name arguments;                                                       \
        objects += made != NULL;                                                                   \
        return made;                                                                               \
    }
WRAP_CREATE(cl_context, clCreateContext,
            (const cl_context_properties *a, cl_uint b, const cl_device_id *c,
             void(CL_CALLBACK *d)(const char *, const void *, size_t, void *), void *e, cl_int *f),
            (a, b, c, d, e, f), f)
WRAP_CREATE(cl_program, clCreateProgramWithSource,
            (cl_context a, cl_uint b, const char **c, const size_t *d, cl_int *e), (a, b, c, d, e),
            e)
WRAP_CREATE(cl_program, clCreateProgramWithBinary,
            (cl_context a, cl_uint b, const cl_device_id *c, const size_t *d,
             const unsigned char **e, cl_int *f, cl_int *g),
            (a, b, c, d, e, f, g), g)
WRAP_CREATE(cl_kernel, clCreateKernel, (cl_program a, const char *b, cl_int *c), (a, b, c), c)
WRAP_CREATE(cl_command_queue, clCreateCommandQueue,
            (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int *d), (a, b, c, d),
            d)
WRAP_CREATE(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *e),
            (a, b, c, d, e), e)

#define WRAP_RELEASE(type, name)                                                                   \
    cl_int __real_##name(type a);                                                                  \
    cl_int __wrap_##name(type a);                                                                  \
    cl_int __wrap_##name(type a)                                                                   \
    {                                                                                              \
        objects--;                                                                                 \
        return __real_##name(a);                                                                   \
    }
WRAP_RELEASE(cl_context, clReleaseContext)
WRAP_RELEASE(cl_program, clReleaseProgram)
WRAP_RELEASE(cl_kernel, clReleaseKernel)
WRAP_RELEASE(cl_command_queue, clReleaseCommandQueue)
WRAP_RELEASE(cl_mem, clReleaseMemObject)

cl_int __real_clRetainContext(cl_context a);
cl_int __wrap_clRetainContext(cl_context a);
cl_int __wrap_clRetainContext(cl_context a)
{
    objects++;
    return __real_clRetainContext(a);
}

/* Memory of the host: the filter's own. */
static int blocks, allocations, no_memory_at;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void __real_free(void *memory);
void __wrap_free(void *memory);
void *__wrap_malloc(size_t bytes)
{
    void *memory = ++allocations == no_memory_at ? NULL : __real_malloc(bytes);
    blocks += memory != NULL;
    return memory;
}
void *__wrap_calloc(size_t count, size_t bytes)
{
    void *memory = ++allocations == no_memory_at ? NULL : __real_calloc(count, bytes);
    blocks += memory != NULL;
    return memory;
}
void __wrap_free(void *memory)
{
    blocks -= memory != NULL;
    __real_free(memory);
}

/* ---- Runs ---- */

static int run_on_host_images(struct several_device *device, struct arguments *a)
{
    return several(device, &a->in, &a->other, 2, &a->out, &a->total);
}

static const struct {
    cl_int error;
    int status;
} errors[] = {
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, SEVERAL_NO_DEVICE_MEMORY},
    {CL_OUT_OF_RESOURCES, SEVERAL_NO_DEVICE_MEMORY},
    {CL_OUT_OF_HOST_MEMORY, SEVERAL_NO_MEMORY},
    {CL_DEVICE_NOT_FOUND, SEVERAL_NO_DEVICE},
    {CL_BUILD_PROGRAM_FAILURE, SEVERAL_NO_PROGRAM},
    {CL_INVALID_WORK_GROUP_SIZE, SEVERAL_DEVICE - CL_INVALID_WORK_GROUP_SIZE},
};
enum { ERRORS = sizeof errors / sizeof errors[0] };

static void fail_each_call(struct several_device *device)
{
    static struct arguments a;
    int status = -1;
    fail_at(0, 0);
    several_close(several_open(NULL, NULL, &status));
    const int of_open = calls;
    set_right(&a);
    fail_at(0, 0);
    expect(run_on_host_images(device, &a) == 0 && is_written(&a), "a run", 0, 0);
    const int of_run = calls, made = objects;
    for (int e = 0; e < ERRORS; e++) {
        for (int n = 1; n <= of_open; n++) {
            fail_at(n, errors[e].error);
            struct several_device *none = several_open(NULL, NULL, &status);
            expect(!none && status == errors[e].status && objects == made, "call of open", n,
                   status);
            several_close(none);
        }
        for (int n = 1; n <= of_run; n++) {
            set_right(&a);
            fail_at(n, errors[e].error);
            status = run_on_host_images(device, &a);
            expect(status == errors[e].status && !is_written(&a) && objects == made,
                   "call of a run", n, status);
        }
    }
    fail_at(0, 0);
    set_right(&a);
    expect(run_on_host_images(device, &a) == 0 && is_written(&a), "a run after those that failed",
           0, 0);
    expect(of_open > 8 && of_run > 12, "calls in all", of_open + of_run, 0);
}

static void fail_each_allocation(struct several_device *device)
{
    static struct arguments a;
    int status = 0;
    set_right(&a);
    allocations = 0;
    no_memory_at = 1;
    expect(!several_open(NULL, NULL, &status) && status == SEVERAL_NO_MEMORY, "memory of open", 1,
           status);
    allocations = 0;
    status = run_on_host_images(device, &a);
    expect(status == SEVERAL_NO_MEMORY && !is_written(&a), "memory of a run", 1, status);
    no_memory_at = 0;
}

/* ---- Memory of the device ---- */

struct on_device {
    cl_context context;
    cl_command_queue queue;
    cl_mem samples, scratch; /* all images in one object */
    size_t scratch_bytes;
};

enum {
    FIRST_IN = 3,
    FIRST_OTHER = 8192,
    FIRST_OUT = 1024,
    FIRST_TOTAL = 4000,
    OBJECT_BYTES = 65536
};

static void place(struct arguments *a, cl_mem object)
{
    a->in.memory = a->other.memory = a->out.memory = a->total.memory = object;
    a->in.first = FIRST_IN;
    a->other.first = FIRST_OTHER * 4; /* samples of a byte */
    a->out.first = FIRST_OUT;
    a->total.first = FIRST_TOTAL;
}

static int run_on_device(struct several_device *device, struct arguments *a, struct on_device *d)
{
    return several_run(device, &a->in, &a->other, 2, &a->out, &a->total, d->scratch,
                       d->scratch_bytes, d->queue);
}

/* The same results as of images of the host, and not a call beside launches. */
static void run_in_place(struct several_device *device, struct on_device *d)
{
    static struct arguments a, b;
    set_right(&a);
    set_right(&b);
    expect(run_on_host_images(device, &b) == 0, "images of the host", 0, 0);
    place(&a, d->samples);
    d->scratch_bytes = several_scratch_bytes(&a.in, &a.other, 2, &a.out, &a.total);
    cl_int error;
    d->scratch = clCreateBuffer(d->context, CL_MEM_READ_WRITE, d->scratch_bytes, NULL, &error);
    error |= clEnqueueWriteBuffer(d->queue, d->samples, CL_TRUE, 4 * FIRST_IN, sizeof a.in_samples,
                                  a.in_samples, 0, NULL, NULL);
    error |= clEnqueueWriteBuffer(d->queue, d->samples, CL_TRUE, 4 * FIRST_OTHER,
                                  sizeof a.other_samples, a.other_samples, 0, NULL, NULL);
    const int status = run_on_device(device, &a, d);
    error |= clEnqueueReadBuffer(d->queue, d->samples, CL_TRUE, 4 * FIRST_OUT, sizeof a.out_samples,
                                 a.out_samples, 0, NULL, NULL);
    error |= clEnqueueReadBuffer(d->queue, d->samples, CL_TRUE, 4 * FIRST_TOTAL, 4, a.total_sample,
                                 0, NULL, NULL);
    expect(error == 0 && status == 0 &&
               memcmp(a.out_samples, b.out_samples, sizeof a.out_samples) == 0 &&
               memcmp(a.total_sample, b.total_sample, sizeof a.total_sample) == 0,
           "images of the device", error, status);
}

static void spoil_in(struct arguments *a)
{
    a->in.data = NULL, a->in.memory = NULL;
}
static void spoil_total(struct arguments *a)
{
    a->total.data = NULL, a->total.memory = NULL;
}
static void spoil_extent(struct arguments *a)
{
    a->in.x = 0;
}
static void spoil_output(struct arguments *a)
{
    a->out.y++;
}
static void spoil_place(struct arguments *a)
{
    a->out.data = a->in_samples, a->out.first = FIRST_IN;
}

static void give_wrong_arguments(struct several_device *device, struct on_device *d)
{
    static struct arguments a;
    static const struct {
        int status;
        void (*spoil)(struct arguments *);
    } wrong[] = {
        {SEVERAL_NULL_POINTER, spoil_in},   {SEVERAL_NULL_POINTER, spoil_total},
        {SEVERAL_BAD_EXTENT, spoil_extent}, {SEVERAL_BAD_OUTPUT, spoil_output},
        {SEVERAL_OVERLAP, spoil_place},
    };
    fail_at(0, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_right(&a);
        place(&a, d->samples);
        wrong[i].spoil(&a);
        int status = run_on_host_images(device, &a);
        expect(status == wrong[i].status && !is_written(&a), "images of the host: status",
               wrong[i].status, status);
        status = run_on_device(device, &a, d);
        expect(status == wrong[i].status, "images of the device: status", wrong[i].status, status);
        const int of_memory =
            wrong[i].status == SEVERAL_NULL_POINTER || wrong[i].status == SEVERAL_OVERLAP;
        expect(several_scratch_bytes(&a.in, &a.other, 2, &a.out, &a.total) ==
                   (of_memory ? d->scratch_bytes : SIZE_MAX),
               "scratch memory for status", wrong[i].status, 0);
    }
    set_right(&a);
    place(&a, d->samples);
    struct on_device bad = *d;
    bad.scratch_bytes--;
    expect(run_on_device(device, &a, &bad) == SEVERAL_BAD_SCRATCH, "scratch memory that is small",
           0, 0);
    bad = *d;
    bad.scratch = NULL;
    expect(run_on_device(device, &a, &bad) == SEVERAL_BAD_SCRATCH, "no scratch memory", 0, 0);
    bad = *d;
    bad.queue = NULL;
    expect(run_on_device(device, &a, &bad) == SEVERAL_NULL_POINTER, "no queue", 0, 0);
    expect(run_on_device(NULL, &a, d) == SEVERAL_NULL_POINTER, "no handle", 0, 0);
    expect(run_on_host_images(NULL, &a) == SEVERAL_NULL_POINTER, "no handle, images of the host", 0,
           0);
    expect(calls == 0, "calls with wrong arguments:", calls, 0);
    expect(strstr(several_status_text(SEVERAL_DEVICE - CL_INVALID_WORK_GROUP_SIZE), "-54") !=
                   NULL &&
               strcmp(several_status_text(77), "unknown status") == 0,
           "words of a status", 77, 77);
}

/* ---- Binaries ---- */

static void keep_binary(struct several_device *device, struct on_device *d)
{
    static struct arguments a, b;
    size_t bytes = 0;
    int status = several_binary(device, NULL, &bytes);
    expect(status == 0 && bytes > 0, "size of a binary", (int)bytes, status);
    unsigned char *binary = malloc(bytes);
    size_t small = bytes - 1;
    expect(several_binary(device, binary, &small) == SEVERAL_NO_MEMORY && small == bytes,
           "memory for a binary that is small", 0, 0);
    expect(several_binary(device, binary, &bytes) == 0, "a binary", 0, 0);
    struct several_device *kept = several_open_binary(d->context, NULL, binary, bytes, &status);
    expect(!kept && status == SEVERAL_NULL_POINTER, "a context without a device", 0, status);
    kept = several_open_binary(NULL, NULL, binary, bytes, &status);
    expect(kept && status == 0, "a handle of a binary", 0, status);
    set_right(&a);
    set_right(&b);
    status = kept ? run_on_host_images(kept, &a) : -1;
    expect(status == 0 && run_on_host_images(device, &b) == 0 &&
               memcmp(a.out_samples, b.out_samples, sizeof a.out_samples) == 0,
           "a run of a binary", 0, status);
    several_close(kept);
    expect(!several_open_binary(NULL, NULL, NULL, 0, &status) && status == SEVERAL_NULL_POINTER,
           "no binary", 0, status);
    expect(!several_open_binary(NULL, NULL, "nothing", 8, &status) && status != 0,
           "what is no binary", 0, status);
    free(binary);
}

int main(void)
{
    int status = -1;
    struct several_device *device = several_open(NULL, NULL, &status);
    if (!device) {
        printf("SKIP opencl: %s\n", several_status_text(status));
        return 77;
    }
    expect(several_is_exact(device) == 1 && several_is_exact(NULL) == 0, "is_exact", 0, 0);
    cl_platform_id platform;
    cl_device_id id;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    error |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL);
    /* One of the caller's own. */
    struct on_device d = {0};
    d.context = clCreateContext(NULL, 1, &id, NULL, NULL, &error);
    d.queue = clCreateCommandQueue(d.context, id, 0, &error);
    d.samples = clCreateBuffer(d.context, CL_MEM_READ_WRITE, OBJECT_BYTES, NULL, &error);
    struct several_device *own = several_open(d.context, id, &status);
    expect(own && status == 0 && error == 0, "a handle in the caller's context", error, status);
    run_in_place(own, &d);
    give_wrong_arguments(own, &d);
    several_close(own);
    clReleaseMemObject(d.samples);
    clReleaseMemObject(d.scratch);
    clReleaseCommandQueue(d.queue);
    fail_each_call(device);
    fail_each_allocation(device);
    keep_binary(device, &d);
    several_close(device);
    several_close(NULL);
    clReleaseContext(d.context);
    expect(objects == 0, "objects kept:", objects, 0);
    expect(blocks == 0, "memory kept:", blocks, 0);
    printf("opencl faults: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
