// In place of an OpenCL driver: a device whose memory is that of the host, and whose kernels, C++ of
// the same file (rewrite.py), are run by the simulator. Of the functions there are those that emitted
// files call; their values are as the standard has them, and none fails.
#ifndef FLTC_TESTS_TERMS_OPENCL_HPP
#define FLTC_TESTS_TERMS_OPENCL_HPP

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "../simulator/simulator.h"

enum { TERMS_MOST_ARGUMENTS = 64 };

struct _cl_mem {
    char *memory;
};

// What clSetKernelArg has taken, each in memory that has terms.
struct terms_arguments {
    void *at[TERMS_MOST_ARGUMENTS];
};

struct terms_kernel {
    const char *name;
    void (*run)(const void *arguments);
};
// The kernels of the file, by rewrite.py.
static const terms_kernel *terms_find_kernel(const char *name);

struct _cl_kernel {
    const terms_kernel *kernel;
    terms_arguments arguments;
};

namespace terms
{

// An argument: memory of an object, or a value.
template <class P> P argument(const void *at)
{
    if constexpr (std::is_pointer_v<P>) {
        const cl_mem object = *(const cl_mem *)at;
        return object ? (P)object->memory : nullptr;
    } else {
        return *(const P *)at;
    }
}

template <class... P, size_t... I>
void call_kernel(void (*kernel)(P...), const terms_arguments *given, std::index_sequence<I...>)
{
    kernel(argument<std::remove_const_t<P>>(given->at[I])...);
}

template <class... P> void call_kernel(void (*kernel)(P...), const void *given)
{
    call_kernel(kernel, (const terms_arguments *)given, std::index_sequence_for<P...>());
}

// The bits of a value as another type.
template <class To, class From> value<To> bits_as(const From &from)
{
    const value<plain_of<From>> bits = from;
    value<To> to;
    cpp_memcpy(&to, &bits, sizeof to);
    return to;
}

// Samples beside each other, in one access.
template <class T> void access(const T *from, T *to, plain_int count)
{
    for (plain_int i = 0; i < count; i++)
        to[i] = from[i];
}

} // namespace terms

// ---- The functions of OpenCL C ----

#define get_group_id(axis) ((long)sim_grid(axis))
#define get_num_groups(axis) ((long)sim_blocks(axis))
#define get_local_id(axis) ((long)sim_thread(axis))
#define barrier(fence) sim_barrier()
#define atomic_add atomicAdd
#define atomic_min atomicMin
#define atomic_max atomicMax
#define as_uint(v) terms::bits_as<unsigned>(v)
#define as_float(v) terms::bits_as<terms::plain_float>(v)
#define as_ulong(v) terms::bits_as<unsigned long>(v)
#define as_double(v) terms::bits_as<terms::plain_double>(v)
#define __global
#define __constant static const
#define __kernel static
#define FLT_RESTRICT __restrict__
#define FLT_UNROLL
#define FLT_UNROLL_8

// ---- The functions of the host ----

#define clGetPlatformIDs(most, platform, count) (*(platform) = NULL, *(count) = 1, CL_SUCCESS)
#define clGetDeviceIDs(platform, type, most, device, count)                                        \
    (*(device) = (cl_device_id)cpp_calloc(1, 1), CL_SUCCESS)
#define clGetDeviceInfo terms_device_info
#define clCreateContext(properties, count, device, notify, user, error)                            \
    terms_object<cl_context>(error)
#define clRetainContext(context) CL_SUCCESS
#define clReleaseContext terms_release
#define clCreateProgramWithSource(context, count, texts, lengths, error)                           \
    terms_object<cl_program>(error)
#define clCreateProgramWithBinary(context, count, device, lengths, binaries, statuses, error)      \
    terms_object<cl_program>(error)
#define clBuildProgram(program, count, device, options, notify, user) CL_SUCCESS
#define clGetProgramInfo(program, what, bytes, value, size) CL_INVALID_VALUE
#define clReleaseProgram terms_release
#define clCreateCommandQueue(context, device, properties, error)                                   \
    terms_object<cl_command_queue>(error)
#define clReleaseCommandQueue terms_release
#define clFinish(queue) CL_SUCCESS
#define clCreateKernel terms_create_kernel
#define clReleaseKernel terms_release_kernel
#define clSetKernelArg terms_set_argument
#define clEnqueueNDRangeKernel terms_launch
#define clCreateBuffer(context, flags, bytes, memory, error) terms_create_buffer(bytes, error)
#define clReleaseMemObject terms_release_buffer
#define clEnqueueWriteBuffer(queue, object, waits, first, bytes, from, events, list, event)        \
    (cpp_memcpy((object)->memory + (first), from, bytes), CL_SUCCESS)
#define clEnqueueReadBuffer(queue, object, waits, first, bytes, to, events, list, event)           \
    (cpp_memcpy(to, (object)->memory + (first), bytes), CL_SUCCESS)

// Rows of a plane, packed in the object.
#define clEnqueueWriteBufferRect(queue, object, waits, first, from_first, box, row, slice, pitch,  \
                                 plane, from, events, list, event)                                 \
    terms_copy_rows((object)->memory, (box)[0], (const char *)(from), pitch, box)
#define clEnqueueReadBufferRect(queue, object, waits, first, to_first, box, row, slice, pitch,     \
                                plane, to, events, list, event)                                    \
    terms_copy_rows((char *)(to), pitch, (object)->memory, (box)[0], box)

static cl_int terms_copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                              const size_t box[])
{
    for (size_t y = 0; y < box[1]; y++)
        cpp_memcpy(to + y * to_pitch, from + y * from_pitch, box[0]);
    return CL_SUCCESS;
}

template <class T> static T terms_object(cl_int *error)
{
    *error = CL_SUCCESS;
    return (T)cpp_calloc(1, 1);
}

template <class T> static cl_int terms_release(T object)
{
    cpp_free(object);
    return CL_SUCCESS;
}

// All floats are rounded as IEEE 754 has it.
static cl_int terms_device_info(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                                size_t *size)
{
    const cl_device_fp_config exact = CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    (void)device;
    (void)size;
    if (what != CL_DEVICE_SINGLE_FP_CONFIG && what != CL_DEVICE_DOUBLE_FP_CONFIG)
        return CL_INVALID_VALUE;
    __builtin_memcpy(value, &exact, bytes);
    return CL_SUCCESS;
}

static cl_kernel terms_create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel made = (cl_kernel)cpp_calloc(1, sizeof *made);
    (void)program;
    made->kernel = terms_find_kernel(name);
    *error = made->kernel ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    return made;
}

static cl_int terms_release_kernel(cl_kernel kernel)
{
    for (void *at : kernel->arguments.at)
        cpp_free(at);
    return terms_release(kernel);
}

static cl_int terms_set_argument(cl_kernel kernel, cl_uint number, size_t bytes, const void *value)
{
    if (number >= TERMS_MOST_ARGUMENTS)
        return CL_INVALID_ARG_INDEX;
    cpp_free(kernel->arguments.at[number]);
    kernel->arguments.at[number] = cpp_malloc(bytes);
    cpp_memcpy(kernel->arguments.at[number], value, bytes);
    return CL_SUCCESS;
}

static cl_int terms_launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                           const size_t *first, const size_t *grid, const size_t *block,
                           cl_uint events, const cl_event *list, cl_event *event)
{
    (void)queue;
    (void)rank;
    (void)first;
    (void)events;
    (void)list;
    (void)event;
    sim_launch(kernel->kernel->run, &kernel->arguments, (int64_t)(grid[0] / block[0]),
               (int64_t)(grid[1] / block[1]), (int64_t)(grid[2] / block[2]), (int64_t)block[0],
               (int64_t)block[1]);
    return CL_SUCCESS;
}

static cl_mem terms_create_buffer(size_t bytes, cl_int *error)
{
    cl_mem made = (cl_mem)cpp_calloc(1, sizeof *made);
    made->memory = (char *)cpp_malloc(bytes);
    *error = CL_SUCCESS;
    return made;
}

static cl_int terms_release_buffer(cl_mem object)
{
    cpp_free(object->memory);
    return terms_release(object);
}

#endif
