/* Pictures of a film, one after another: rows with a pitch, scratch memory of the program's own, a
 * stream, and a graph that is captured once and launched for each picture. */
#include "unsharp_cuda.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

enum { HEIGHT = 48, WIDTH = 64, PICTURES = 3 };

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

int main(void)
{
    static uint8_t before[HEIGHT][WIDTH], after[HEIGHT][WIDTH];
    struct unsharp_in in = {NULL, HEIGHT, WIDTH, 0, 1};
    struct unsharp_out out = {NULL, HEIGHT, WIDTH, 0, 1};
    void *memory[2], *scratch = NULL;
    size_t pitch[2];
    for (int i = 0; i < 2; i++)
        check(cudaMallocPitch(&memory[i], &pitch[i], sizeof before[0], HEIGHT));
    in.stride_y = (ptrdiff_t)(pitch[0] / sizeof before[0][0]);
    out.stride_y = (ptrdiff_t)(pitch[1] / sizeof after[0][0]);

    /* How much scratch memory depends on extents and strides: it may be asked for ahead of images. */
    const size_t bytes = unsharp_scratch_bytes(&in, 1.5f, &out);
    if (bytes)
        check(cudaMalloc(&scratch, bytes));
    in.data = (const uint8_t *)memory[0];
    out.data = (uint8_t *)memory[1];

    /* NAME_run only starts kernels on the stream, so that a capture takes them, and the copies around. */
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t all;
    check(cudaStreamCreate(&stream));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaMemcpy2DAsync(memory[0], pitch[0], before, sizeof before[0], sizeof before[0], HEIGHT,
                            cudaMemcpyHostToDevice, stream));
    check(unsharp_run(&in, 1.5f, &out, scratch, bytes, stream));
    check(cudaMemcpy2DAsync(after, sizeof after[0], memory[1], pitch[1], sizeof after[0], HEIGHT,
                            cudaMemcpyDeviceToHost, stream));
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&all, graph, 0));

    for (int picture = 0; picture < PICTURES; picture++) {
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                before[y][x] = (uint8_t)((x / 8 + y / 8) % 2 ? 160 : 96 + 16 * picture);
        check(cudaGraphLaunch(all, stream));
        check(cudaStreamSynchronize(stream));
        printf("an edge of %d and %d became %d and %d\n", before[4][7], before[4][8], after[4][7],
               after[4][8]);
    }
    check(cudaGraphExecDestroy(all));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    for (int i = 0; i < 2; i++)
        check(cudaFree(memory[i]));
    check(cudaFree(scratch));
    return 0;
}
