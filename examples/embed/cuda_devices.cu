/* Pictures shared among all devices of the machine: each device has a stream and memory of its own,
 * and takes every second picture, or third, while the others are at work. */
#include "unsharp_cuda.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { HEIGHT = 48, WIDTH = 64, PICTURES = 4, MOST_DEVICES = 8 };

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(1);
}

static void check(int status)
{
    if (status == UNSHARP_OK)
        return;
    fprintf(stderr, "unsharp: %s\n", unsharp_status_text(status));
    exit(1);
}

struct device {
    cudaStream_t stream;
    void *memory[2], *scratch; /* images before and after */
};

static struct device open_device(int number, size_t scratch_bytes)
{
    struct device device = {NULL, {NULL, NULL}, NULL};
    check(cudaSetDevice(number)); /* streams and memory are of the device that is current */
    check(cudaStreamCreate(&device.stream));
    for (int i = 0; i < 2; i++)
        check(cudaMalloc(&device.memory[i], HEIGHT * WIDTH));
    if (scratch_bytes)
        check(cudaMalloc(&device.scratch, scratch_bytes));
    return device;
}

static void close_device(int number, struct device *device)
{
    check(cudaSetDevice(number));
    check(cudaStreamDestroy(device->stream));
    for (int i = 0; i < 2; i++)
        check(cudaFree(device->memory[i]));
    check(cudaFree(device->scratch));
}

int main(void)
{
    /* Pinned, so that copies of one device run beside the kernels of another one. */
    uint8_t *pictures;
    struct device device[MOST_DEVICES];
    struct unsharp_in in = {NULL, HEIGHT, WIDTH, WIDTH, 1};
    struct unsharp_out out = {NULL, HEIGHT, WIDTH, WIDTH, 1};
    const size_t bytes = HEIGHT * WIDTH, scratch = unsharp_scratch_bytes(&in, 1.5f, &out);
    int devices;
    check(cudaGetDeviceCount(&devices));
    devices = devices < MOST_DEVICES ? devices : MOST_DEVICES;
    check(cudaMallocHost((void **)&pictures, PICTURES * bytes));
    for (int k = 0; k < devices; k++)
        device[k] = open_device(k, scratch);

    for (int p = 0; p < PICTURES; p++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                pictures[p * bytes + y * WIDTH + x] =
                    (uint8_t)((x / 8 + y / 8) % 2 ? 160 : 96 + 16 * p);

    for (int p = 0; p < PICTURES; p++) { /* nothing here waits */
        const struct device *own = &device[p % devices];
        uint8_t *picture = pictures + p * bytes;
        in.data = (const uint8_t *)own->memory[0];
        out.data = (uint8_t *)own->memory[1];
        check(cudaSetDevice(p % devices));
        check(cudaMemcpyAsync(own->memory[0], picture, bytes, cudaMemcpyHostToDevice, own->stream));
        check(unsharp_run(&in, 1.5f, &out, own->scratch, scratch, own->stream));
        check(cudaMemcpyAsync(picture, own->memory[1], bytes, cudaMemcpyDeviceToHost, own->stream));
    }
    for (int k = 0; k < devices; k++) {
        check(cudaSetDevice(k));
        check(cudaStreamSynchronize(device[k].stream));
    }
    for (int p = 0; p < PICTURES; p++)
        printf("picture %d: the edge became %d and %d\n", p, pictures[p * bytes + 4 * WIDTH + 7],
               pictures[p * bytes + 4 * WIDTH + 8]);
    for (int k = 0; k < devices; k++)
        close_device(k, &device[k]);
    check(cudaFreeHost(pictures));
    return 0;
}
