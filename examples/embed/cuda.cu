/* The same on a device, by CUDA: images in memory of the device, on a stream of the program's. */
#include "unsharp_cuda.h"

#include <cstdio>
#include <cuda_runtime.h>

enum { HEIGHT = 48, WIDTH = 64 };

int main(void)
{
    static uint8_t before[HEIGHT][WIDTH], after[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            before[y][x] = (uint8_t)((x / 8 + y / 8) % 2 ? 160 : 96);

    uint8_t *memory = NULL; /* the image, then the result */
    cudaError_t error = cudaMalloc((void **)&memory, 2 * sizeof before);
    if (error == cudaSuccess)
        error = cudaMemcpy(memory, before, sizeof before, cudaMemcpyHostToDevice);
    const struct unsharp_in in = {memory, HEIGHT, WIDTH, WIDTH, 1};
    const struct unsharp_out out = {memory + sizeof before, HEIGHT, WIDTH, WIDTH, 1};
    int status = UNSHARP_OK;
    if (error == cudaSuccess) /* it needs no scratch memory: unsharp_scratch_bytes(&in, 1.5f, &out) is 0 */
        status = unsharp_run(&in, 1.5f, &out, NULL, 0, NULL);
    if (error == cudaSuccess && status == UNSHARP_OK) /* waits for the kernels */
        error = cudaMemcpy(after, out.data, sizeof after, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    if (error != cudaSuccess || status != UNSHARP_OK) {
        fprintf(stderr, "CUDA: %s; unsharp: %s\n", cudaGetErrorString(error),
                unsharp_status_text(status));
        return 1;
    }
    printf("an edge of %d and %d became %d and %d\n", before[4][7], before[4][8], after[4][7],
           after[4][8]);
    return 0;
}
