/* The same on a device, by OpenCL: images in memory of the device, which other work on the queue may
 * make and use. */
#define CL_TARGET_OPENCL_VERSION 120
#include "unsharp_opencl.h"

#include <CL/cl.h>
#include <stdio.h>

enum { HEIGHT = 48, WIDTH = 64 };

/* The first device of the first platform. */
static cl_int open_device(cl_device_id *device, cl_context *context, cl_command_queue *queue)
{
    cl_platform_id platform;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (error == CL_SUCCESS)
        error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL);
    if (error == CL_SUCCESS)
        *context = clCreateContext(NULL, 1, device, NULL, NULL, &error);
    if (error == CL_SUCCESS)
        *queue = clCreateCommandQueue(*context, *device, 0, &error);
    return error;
}

int main(void)
{
    static uint8_t before[HEIGHT][WIDTH], after[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            before[y][x] = (uint8_t)((x / 8 + y / 8) % 2 ? 160 : 96);

    cl_device_id id;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_int error = open_device(&id, &context, &queue);
    cl_mem in_memory = NULL, out_memory = NULL;
    if (error == CL_SUCCESS)
        in_memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof before, NULL, &error);
    if (error == CL_SUCCESS)
        out_memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof after, NULL, &error);
    if (error != CL_SUCCESS) {
        fprintf(stderr, "OpenCL error %d\n", error);
        return 1;
    }

    /* Compiled once, for any number of calls by one thread. */
    int status;
    struct unsharp_device *device = unsharp_open(context, id, &status);
    const struct unsharp_in in = {
        .memory = in_memory, .y = HEIGHT, .x = WIDTH, .stride_y = WIDTH, .stride_x = 1};
    const struct unsharp_out out = {
        .memory = out_memory, .y = HEIGHT, .x = WIDTH, .stride_y = WIDTH, .stride_x = 1};
    error = clEnqueueWriteBuffer(queue, in_memory, CL_FALSE, 0, sizeof before, before, 0, NULL, NULL);
    if (device) /* it needs no scratch memory: unsharp_scratch_bytes(&in, 1.5f, &out) is 0 */
        status = unsharp_run(device, &in, 1.5f, &out, NULL, 0, queue);
    if (error == CL_SUCCESS && status == UNSHARP_OK)
        error = clEnqueueReadBuffer(queue, out_memory, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL);

    unsharp_close(device);
    clReleaseMemObject(in_memory);
    clReleaseMemObject(out_memory);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    if (error != CL_SUCCESS || status != UNSHARP_OK) {
        fprintf(stderr, "OpenCL error %d; unsharp: %s\n", error, unsharp_status_text(status));
        return 1;
    }
    printf("an edge of %d and %d became %d and %d\n", before[4][7], before[4][8], after[4][7],
           after[4][8]);
    return 0;
}
