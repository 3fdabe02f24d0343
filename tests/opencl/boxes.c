/* blur_run_box on a device: tiles of a result, each from the part of the image that its region
 * names, are the samples of the whole. Parts lie behind other samples in their objects. A part that
 * lacks a sample is refused. Returns 77 without a device. */
#define CL_TARGET_OPENCL_VERSION 120
#include "blur.h"
#include "blur_box.h"

#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHT = 37, WIDTH = 53, TILE = 16, BEFORE = 5 };

static uint8_t image[HEIGHT * WIDTH], whole[HEIGHT * WIDTH];
static int passed, failed;

struct machine {
    cl_context context;
    cl_command_queue queue;
    struct blur_box_device *device;
};

static void check(int holds, const char *what, const int64_t box[4])
{
    passed += holds;
    failed += !holds;
    if (!holds)
        fprintf(stderr, "FAIL box of y %d .. %d, x %d .. %d: %s\n", (int)box[0], (int)box[1],
                (int)box[2], (int)box[3], what);
}

/* One tile; lacking: samples at the end of each row of the part that the caller does not have. */
static int run_box(const struct machine *m, const int64_t box[4], int lacking, uint8_t *result)
{
    const struct blur_in all = {
        .data = image, .y = HEIGHT, .x = WIDTH, .stride_y = WIDTH, .stride_x = 1};
    int64_t part[4];
    cl_int error;
    if (blur_region_of_in(&all, box, part) != BLUR_OK)
        return -1;
    part[3] -= lacking;
    const int rows = (int)(part[1] - part[0]), columns = (int)(part[3] - part[2]);
    const int height = (int)(box[1] - box[0]), width = (int)(box[3] - box[2]);
    const size_t bytes = BEFORE + (size_t)rows * (size_t)columns;
    cl_mem from = clCreateBuffer(m->context, CL_MEM_READ_ONLY, bytes, NULL, &error);
    cl_mem to = clCreateBuffer(m->context, CL_MEM_READ_WRITE, TILE * TILE, NULL, &error);
    for (int y = 0; y < rows; y++)
        (void)clEnqueueWriteBuffer(m->queue, from, CL_TRUE, BEFORE + (size_t)(y * columns),
                                   (size_t)columns, image + (part[0] + y) * WIDTH + part[2], 0,
                                   NULL, NULL);
    struct blur_in_part in = {{.y = HEIGHT,
                               .x = WIDTH,
                               .stride_y = columns,
                               .stride_x = 1,
                               .memory = from,
                               .first = BEFORE},
                              (int32_t)part[0],
                              (int32_t)part[1],
                              (int32_t)part[2],
                              (int32_t)part[3]};
    const struct blur_out out = {
        .y = height, .x = width, .stride_y = width, .stride_x = 1, .memory = to};
    const size_t needed = blur_run_box_scratch_bytes(&in, &out, box);
    cl_mem scratch =
        needed ? clCreateBuffer(m->context, CL_MEM_READ_WRITE, needed, NULL, &error) : NULL;
    const int status = blur_run_box(m->device, &in, &out, box, scratch, needed, m->queue);
    (void)clEnqueueReadBuffer(m->queue, to, CL_TRUE, 0, (size_t)(height * width), result, 0, NULL,
                              NULL);
    (void)clReleaseMemObject(from);
    (void)clReleaseMemObject(to);
    if (scratch)
        (void)clReleaseMemObject(scratch);
    return status;
}

static void compare(const struct machine *m, const int64_t box[4])
{
    uint8_t result[TILE * TILE];
    const int64_t width = box[3] - box[2];
    int same = run_box(m, box, 0, result) == BLUR_OK;
    for (int64_t y = box[0]; same && y < box[1]; y++)
        same = !memcmp(result + (y - box[0]) * width, whole + y * WIDTH + box[2], (size_t)width);
    check(same, "other samples than those of the whole", box);
    check(run_box(m, box, 1, result) == BLUR_BAD_BOX, "a part without its last column is taken",
          box);
}

/* On the whole image, by the filter itself. */
static int compute_whole(cl_context context, cl_device_id id)
{
    int status;
    const struct blur_in in = {
        .data = image, .y = HEIGHT, .x = WIDTH, .stride_y = WIDTH, .stride_x = 1};
    const struct blur_out out = {
        .data = whole, .y = HEIGHT, .x = WIDTH, .stride_y = WIDTH, .stride_x = 1};
    struct blur_device *device = blur_open(context, id, &status);
    if (device)
        status = blur(device, &in, &out);
    blur_close(device);
    return status;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id id;
    cl_int error;
    int status;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS)
        return 77;
    struct machine m = {.context = clCreateContext(NULL, 1, &id, NULL, NULL, &error)};
    m.queue = clCreateCommandQueue(m.context, id, 0, &error);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        image[i] = (uint8_t)(i * 37 + i / WIDTH * 101 + i * i / 7);
    m.device = blur_box_open(m.context, id, &status);
    if (m.device)
        status = compute_whole(m.context, id);
    if (status != BLUR_OK) {
        fprintf(stderr, "FAIL the filter does not open or run: %s\n", blur_status_text(status));
        return 1;
    }
    for (int y = 0; y < HEIGHT; y += TILE)
        for (int x = 0; x < WIDTH; x += TILE)
            compare(&m, (const int64_t[]){y, y + TILE < HEIGHT ? y + TILE : HEIGHT, x,
                                          x + TILE < WIDTH ? x + TILE : WIDTH});
    blur_box_close(m.device);
    (void)clReleaseCommandQueue(m.queue);
    (void)clReleaseContext(m.context);
    printf("opencl boxes: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
