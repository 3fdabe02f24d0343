/* In place of the CUDA runtime's own header: emitted CUDA is compiled by a C++ compiler, and its
 * kernels run by the simulator, in memory of the host. Of the runtime there is what emitted files
 * mention. A call can be made to fail: sim_fail_at. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

#define __global__
#define __host__
#define __device__
#define __grid_constant__
#define __launch_bounds__(threads)
#define __shared__ static
#define __syncthreads sim_barrier

struct cuda_place {
    unsigned x, y, z;
};

static inline struct cuda_place cuda_block_index(void)
{
    const struct cuda_place place = {(unsigned)sim_grid(0), (unsigned)sim_grid(1),
                                     (unsigned)sim_grid(2)};
    return place;
}

static inline struct cuda_place cuda_thread_index(void)
{
    const struct cuda_place place = {(unsigned)sim_thread(0), (unsigned)sim_thread(1), 0};
    return place;
}

static inline struct cuda_place cuda_grid_size(void)
{
    const struct cuda_place size = {(unsigned)sim_blocks(0), (unsigned)sim_blocks(1),
                                    (unsigned)sim_blocks(2)};
    return size;
}

#define gridDim cuda_grid_size()
#define blockIdx cuda_block_index()
#define threadIdx cuda_thread_index()

#define ATOMIC(name, joined)                                                                       \
    template <class T> static inline T name(T *at, T value)                                        \
    {                                                                                              \
        T before = __atomic_load_n(at, __ATOMIC_RELAXED);                                          \
        while (!__atomic_compare_exchange_n(at, &before, (T)(joined), false, __ATOMIC_RELAXED,     \
                                            __ATOMIC_RELAXED))                                     \
            ;                                                                                      \
        return before;                                                                             \
    }
ATOMIC(atomicAdd, before + value)
ATOMIC(atomicMin, before < value ? before : value)
ATOMIC(atomicMax, before < value ? value : before)
#undef ATOMIC

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned along_x, unsigned along_y = 1, unsigned along_z = 1)
        : x(along_x), y(along_y), z(along_z)
    {
    }
};

/* ---- The runtime: its numbers of errors ---- */

typedef enum {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorLaunchFailure = 719,
} cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

static inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorLaunchFailure ? "unspecified launch failure" : "an error";
}

/* What a call gives. */
static inline cudaError_t cuda_call(void)
{
    return (cudaError_t)sim_next_failure();
}

struct cudaPointerAttributes {
    void *devicePointer;
};

static inline cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *found,
                                                   const void *memory)
{
    found->devicePointer = memory == sim_host_memory ? NULL : (void *)(uintptr_t)memory;
    return cudaSuccess;
}

static inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const cudaError_t error = cuda_call();
    *memory = error == cudaSuccess ? aligned_alloc(64, (bytes + 63) / 64 * 64) : NULL;
    return error != cudaSuccess ? error : *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const cudaError_t error = cuda_call();
    (void)kind;
    if (error == cudaSuccess && bytes)
        memcpy(to, from, bytes);
    return error;
}

static inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind kind)
{
    const cudaError_t error = cuda_call();
    (void)kind;
    for (size_t y = 0; error == cudaSuccess && y < height; y++)
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width);
    return error;
}

/* Two devices, of which one is current. A stream is of the device that it was made on. */
enum { CUDA_DEVICES = 2 };
inline int cuda_device;
struct CUstream_st {
    int device;
};
typedef struct CUstream_st *cudaStream_t;

static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = CUDA_DEVICES;
    return cudaSuccess;
}

static inline cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= CUDA_DEVICES)
        return cudaErrorInvalidDevice;
    cuda_device = device;
    return cudaSuccess;
}

static inline bool cuda_is_elsewhere(cudaStream_t stream)
{
    return stream && stream->device != cuda_device;
}

/* What a stream does: at once, or whenever the graph is launched that is being captured. */
struct cuda_step {
    cuda_step *next;
    cuda_step() : next(NULL) {}
    virtual void run() const = 0;
    virtual ~cuda_step() {}
};

struct cuda_graph {
    cuda_step *first, **last;
    cuda_graph() : first(NULL), last(&first) {}
};
inline cuda_graph *cuda_capturing;

static inline void cuda_do(cuda_step *step)
{
    if (cuda_capturing) {
        *cuda_capturing->last = step;
        cuda_capturing->last = &step->next;
        return;
    }
    step->run();
    delete step;
}

/* A launch of a kernel over a frame. */
template <typename Frame> struct cuda_launch : cuda_step {
    void (*kernel)(Frame);
    Frame frame;
    dim3 grid, block;
    cuda_launch(void (*k)(Frame), const Frame &f, dim3 g, dim3 b)
        : kernel(k), frame(f), grid(g), block(b)
    {
    }
    static void thread(const void *argument)
    {
        const cuda_launch *const launch = (const cuda_launch *)argument;
        launch->kernel(launch->frame);
    }
    void run() const override
    {
        sim_launch(thread, this, grid.x, grid.y, grid.z, block.x, block.y);
    }
};

/* Launches that a device would not take fail here, too. */
template <typename Frame>
cudaError_t cudaLaunchKernel(void (*kernel)(Frame), dim3 grid, dim3 block, void **arguments,
                             size_t shared, struct CUstream_st *stream)
{
    const cudaError_t error = cuda_call();
    (void)shared;
    if (error != cudaSuccess)
        return error;
    if (!grid.x || !grid.y || !grid.z || grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535 ||
        !block.x || !block.y || block.z != 1 || block.x * block.y > 1024)
        return cudaErrorInvalidConfiguration;
    if (cuda_is_elsewhere(stream))
        return cudaErrorInvalidResourceHandle;
    cuda_do(new cuda_launch<Frame>(kernel, *(const Frame *)arguments[0], grid, block));
    return cudaSuccess;
}

/* ---- What programs call beside that: kernels have run when their launch returns, so that there is
 * nothing to wait for ---- */

typedef struct CUevent_st *cudaEvent_t;
typedef cuda_graph *cudaGraph_t, *cudaGraphExec_t;
enum { cudaMemcpyDeviceToDevice = 3, cudaStreamNonBlocking = 1, cudaStreamCaptureModeGlobal = 0 };

#define CUDA_NOTHING(call)                                                                         \
    static inline cudaError_t call                                                                 \
    {                                                                                              \
        return cudaSuccess;                                                                        \
    }
CUDA_NOTHING(cudaDeviceSynchronize(void))
CUDA_NOTHING(cudaStreamSynchronize(cudaStream_t))
CUDA_NOTHING(cudaEventCreate(cudaEvent_t *))
CUDA_NOTHING(cudaEventRecord(cudaEvent_t, cudaStream_t = NULL))
CUDA_NOTHING(cudaEventDestroy(cudaEvent_t))
CUDA_NOTHING(cudaEventSynchronize(cudaEvent_t))

static inline cudaError_t cudaStreamBeginCapture(cudaStream_t, int)
{
    cuda_capturing = new cuda_graph;
    return cudaSuccess;
}

static inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph)
{
    *graph = cuda_capturing;
    cuda_capturing = NULL;
    return cudaSuccess;
}

/* The executable graph is the graph, which goes with it. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                               unsigned long long)
{
    *made = graph;
    return cudaSuccess;
}

static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t)
{
    for (const cuda_step *step = graph->first; step; step = step->next)
        step->run();
    return cudaSuccess;
}

static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
    while (graph && graph->first) {
        cuda_step *const step = graph->first;
        graph->first = step->next;
        delete step;
    }
    delete graph;
    return cudaSuccess;
}

static inline cudaError_t cudaGraphDestroy(cudaGraph_t)
{
    return cudaSuccess;
}

static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new CUstream_st{cuda_device};
    return cudaSuccess;
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return cudaSuccess;
}

static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 1;
    return cudaSuccess;
}

static inline cudaError_t cudaMalloc(char **memory, size_t bytes)
{
    return cudaMalloc((void **)memory, bytes);
}

static inline cudaError_t cudaMemset(void *memory, int byte, size_t bytes)
{
    memset(memory, byte, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

/* Rows of an image. */
struct cuda_copy : cuda_step {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, height;
    void run() const override
    {
        for (size_t y = 0; y < height; y++)
            memcpy(to + y * to_pitch, from + y * from_pitch, width);
    }
};

static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                            size_t from_pitch, size_t width, size_t height, int,
                                            cudaStream_t)
{
    cuda_copy *const copy = new cuda_copy;
    copy->to = (char *)to;
    copy->from = (const char *)from;
    copy->to_pitch = to_pitch;
    copy->from_pitch = from_pitch;
    copy->width = width;
    copy->height = height;
    cuda_do(copy);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind,
                                          cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

static inline cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return cudaMalloc(memory, bytes);
}

static inline cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

static inline cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width,
                                          size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(memory, *pitch * height);
}

#endif
