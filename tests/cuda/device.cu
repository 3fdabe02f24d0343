/* device check FILE            runs a filter on the trials of the file: images of the host, then of the
 *                              device in several layouts, then as a graph; ends with "N passed, N failed"
 * device time FILE ROWS COLUMNS   milliseconds of a run on images of the device of these extents, and of
 *                              a copy of as many bytes as it reads and writes
 * Linked with one emitted filter. kept_trials.h tells of the file. */
#include "flt/filter.h"
#include "kept_trials.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

extern "C" const struct flt_filter flt_filter;

enum { MOST_IMAGES = 32, MOST_RANK = 8, MOST_PARAMETERS = 32, GAP = 0xa5 };

static int passed, failed;

static void stop(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

/* What the device's runtime says must be well, or nothing more is found out. */
static void need(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        printf("FAIL %s: %s\n", what, cudaGetErrorString(error));
        printf("%d passed, %d failed\n", passed, failed + 1);
        exit(1);
    }
}

/* ---- The file ---- */

struct image {
    int64_t rank, bytes, kind, axis[MOST_RANK];
};

struct kept {
    std::vector<char> text;
    size_t at;
    int64_t inputs, outputs, parameters, trials;
    struct image image[MOST_IMAGES];
    const char *usual[MOST_PARAMETERS];
};

struct trial {
    int64_t valid;
    int32_t extent[MOST_IMAGES][MOST_RANK];
    const char *samples[MOST_IMAGES]; /* given, then expected */
    const void *parameter[MOST_PARAMETERS];
};

static const char *take(struct kept *kept, size_t bytes)
{
    const char *at = kept->text.data() + kept->at;
    kept->at += (bytes + 7) / 8 * 8;
    if (kept->at > kept->text.size())
        stop("the file of trials is too short");
    return at;
}

static int64_t take_number(struct kept *kept)
{
    int64_t number;
    memcpy(&number, take(kept, sizeof number), sizeof number);
    return number;
}

static void read_kept(struct kept *kept, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        stop("the file of trials is not there");
    fseek(file, 0, SEEK_END);
    kept->text.resize((size_t)ftell(file));
    rewind(file);
    if (fread(kept->text.data(), 1, kept->text.size(), file) != kept->text.size())
        stop("the file of trials cannot be read");
    fclose(file);
    kept->at = 0;
    if (take_number(kept) != KEPT_MAGIC)
        stop("that is no file of trials");
    kept->inputs = take_number(kept);
    kept->outputs = take_number(kept);
    kept->parameters = take_number(kept);
    kept->trials = take_number(kept);
    for (int64_t i = 0; i < kept->inputs + kept->outputs; i++) {
        struct image *image = &kept->image[i];
        image->rank = take_number(kept);
        image->bytes = take_number(kept);
        image->kind = take_number(kept);
        for (int64_t k = 0; k < image->rank; k++)
            image->axis[k] = take_number(kept);
    }
    for (int64_t i = 0; i < kept->parameters; i++)
        kept->usual[i] = take(kept, 8);
}

static size_t count_of(const struct image *image, const int32_t extent[])
{
    size_t count = 1;
    for (int64_t k = 0; k < image->rank; k++)
        count *= (size_t)extent[k];
    return count;
}

static void take_image(struct kept *kept, struct trial *trial, int64_t i)
{
    const struct image *image = &kept->image[i];
    for (int64_t k = 0; k < image->rank; k++)
        trial->extent[i][k] = (int32_t)take_number(kept);
    trial->samples[i] = take(kept, count_of(image, trial->extent[i]) * (size_t)image->bytes);
}

static void read_trial(struct kept *kept, struct trial *trial)
{
    memset(trial, 0, sizeof *trial);
    trial->valid = take_number(kept);
    for (int64_t i = 0; i < kept->inputs; i++)
        take_image(kept, trial, i);
    for (int64_t i = 0; i < kept->parameters; i++)
        trial->parameter[i] = take(kept, 8);
    for (int64_t i = 0; trial->valid && i < kept->outputs; i++)
        take_image(kept, trial, kept->inputs + i);
}

/* ---- Images in memory ---- */

enum layout { PACKED, PADDED, SPREAD, BACKWARD, LAYOUTS };

struct placed {
    ptrdiff_t stride[MOST_RANK];
    size_t bytes, first; /* of all; before the sample at 0, 0 … */
    std::vector<char> host;
    char *device;
};

static void place(struct placed *p, const struct image *image, const int32_t extent[],
                  enum layout layout)
{
    ptrdiff_t stride = layout == SPREAD ? 2 : 1, lowest = 0, highest = 0;
    for (int64_t k = image->rank; k-- > 0;) {
        p->stride[k] = layout == BACKWARD ? -stride : stride;
        stride *= extent[k];
        stride += layout == PADDED && k + 1 == image->rank ? 3 : 0;
        const ptrdiff_t reach = p->stride[k] * (extent[k] - 1);
        lowest += std::min<ptrdiff_t>(reach, 0);
        highest += std::max<ptrdiff_t>(reach, 0);
    }
    p->bytes = (size_t)((highest - lowest + 1) * image->bytes);
    p->first = (size_t)(-lowest * image->bytes);
    p->host.assign(p->bytes, (char)GAP);
}

static bool next_index(const struct image *image, const int32_t extent[], int32_t index[])
{
    for (int64_t k = image->rank; k-- > 0;) {
        if (++index[k] < extent[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static char *sample_at(struct placed *p, const struct image *image, const int32_t index[])
{
    ptrdiff_t at = 0;
    for (int64_t k = 0; k < image->rank; k++)
        at += p->stride[k] * index[k];
    return p->host.data() + p->first + at * image->bytes;
}

static bool is_nan(const char *sample, int64_t kind)
{
    uint16_t half;
    float single;
    double wide;
    switch (kind) {
    case KEPT_HALF:
        memcpy(&half, sample, sizeof half);
        return (half & 0x7fff) > 0x7c00;
    case KEPT_SINGLE:
        memcpy(&single, sample, sizeof single);
        return single != single;
    case KEPT_DOUBLE:
        memcpy(&wide, sample, sizeof wide);
        return wide != wide;
    }
    return false;
}

/* Copies the samples in, or compares them and takes them out: then only gaps are left. */
static void copy_in(struct placed *p, const struct image *image, const int32_t extent[],
                    const char *samples)
{
    int32_t index[MOST_RANK] = {0};
    do {
        memcpy(sample_at(p, image, index), samples, (size_t)image->bytes);
        samples += image->bytes;
    } while (next_index(image, extent, index));
}

static const char *compare(struct placed *p, const struct image *image, const int32_t extent[],
                           const char *expected)
{
    static char words[128];
    int32_t index[MOST_RANK] = {0};
    size_t number = 0, wrong = 0, first = 0;
    do {
        char *const sample = sample_at(p, image, index);
        const bool same = memcmp(sample, expected, (size_t)image->bytes) == 0 ||
                          (is_nan(sample, image->kind) && is_nan(expected, image->kind));
        first = !same && !wrong ? number : first;
        wrong += !same;
        memset(sample, GAP, (size_t)image->bytes);
        expected += image->bytes;
        number++;
    } while (next_index(image, extent, index));
    if (wrong) {
        snprintf(words, sizeof words, "%zu of %zu samples differ, the first is %zu", wrong, number,
                 first);
        return words;
    }
    for (char byte : p->host)
        if (byte != (char)GAP)
            return "written between the samples";
    return NULL;
}

/* ---- Calls ---- */

struct call {
    void *data[MOST_IMAGES];
    int32_t *extents[MOST_IMAGES];
    const ptrdiff_t *strides[MOST_IMAGES];
    struct placed placed[MOST_IMAGES];
};

static void make_call(const struct kept *kept, struct trial *trial, enum layout layout,
                      struct call *call)
{
    for (int64_t i = 0; i < kept->inputs + kept->outputs; i++) {
        struct placed *p = &call->placed[i];
        place(p, &kept->image[i], trial->extent[i], layout);
        if (i < kept->inputs)
            copy_in(p, &kept->image[i], trial->extent[i], trial->samples[i]);
        call->data[i] = p->host.data() + p->first;
        call->extents[i] = trial->extent[i];
        call->strides[i] = p->stride;
    }
}

static void report(const char *how, int64_t number, enum layout layout, const char *problem)
{
    passed += problem == NULL;
    failed += problem != NULL;
    if (problem)
        printf("FAIL trial %lld, layout %d, %s: %s\n", (long long)number, (int)layout, how,
               problem);
}

static const char *compare_outputs(const struct kept *kept, struct trial *trial, struct call *call)
{
    const char *problem = NULL;
    for (int64_t i = kept->inputs; i < kept->inputs + kept->outputs && !problem; i++)
        problem = compare(&call->placed[i], &kept->image[i], trial->extent[i], trial->samples[i]);
    return problem;
}

static struct flt_arguments arguments_of(struct call *call, const void *const parameters[])
{
    struct flt_arguments arguments = {};
    arguments.size = sizeof arguments;
    arguments.data = call->data;
    arguments.extents = call->extents;
    arguments.strides = call->strides;
    arguments.parameters = parameters;
    return arguments;
}

static int call_filter(int what, struct call *call, const void *const parameters[])
{
    struct flt_arguments arguments = arguments_of(call, parameters);
    return flt_filter.call(what, &arguments);
}

static size_t scratch_of(struct call *call, const void *const parameters[])
{
    struct flt_arguments arguments = arguments_of(call, parameters);
    (void)flt_filter.call(FLT_SCRATCH, &arguments);
    return arguments.scratch_bytes;
}

static int launch_filter(struct call *call, const void *const parameters[], void *scratch,
                         size_t bytes, cudaStream_t stream)
{
    struct flt_arguments arguments = arguments_of(call, parameters);
    arguments.scratch = scratch;
    arguments.scratch_bytes = bytes;
    arguments.stream = stream;
    return flt_filter.call(FLT_LAUNCH, &arguments);
}

static const char *status_problem(int status)
{
    static char words[256];
    snprintf(words, sizeof words, "status %d: %s", status, flt_filter.status_text(status));
    return status ? words : NULL;
}

static const char *run_on_host_images(const struct kept *kept, struct trial *trial,
                                      enum layout layout)
{
    static struct call call;
    make_call(kept, trial, layout, &call);
    const char *problem = status_problem(call_filter(FLT_RUN, &call, trial->parameter));
    return problem ? problem : compare_outputs(kept, trial, &call);
}

/* as_graph: captured, and launched from the graph. */
static const char *run_on_device(const struct kept *kept, struct trial *trial, enum layout layout,
                                 bool as_graph)
{
    static struct call call;
    char *scratch;
    size_t bytes = 0;
    cudaStream_t stream;
    make_call(kept, trial, layout, &call);
    const int64_t images = kept->inputs + kept->outputs;
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    for (int64_t i = 0; i < images; i++) {
        struct placed *p = &call.placed[i];
        need(cudaMalloc((void **)&p->device, p->bytes), "cudaMalloc");
        need(cudaMemcpy(p->device, p->host.data(), p->bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        call.data[i] = p->device + p->first;
    }
    bytes = scratch_of(&call, trial->parameter);
    need(cudaMalloc((void **)&scratch, bytes + 64), "cudaMalloc");
    need(cudaMemset(scratch, GAP, bytes + 64), "cudaMemset");
    need(cudaDeviceSynchronize(), "before the run");
    if (as_graph)
        need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin of a capture");
    const char *problem =
        status_problem(launch_filter(&call, trial->parameter, scratch, bytes, stream));
    if (as_graph) {
        cudaGraph_t graph;
        cudaGraphExec_t executable;
        need(cudaStreamEndCapture(stream, &graph), "end of a capture");
        need(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
        need(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
        need(cudaStreamSynchronize(stream), "run of a graph");
        need(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
        need(cudaGraphDestroy(graph), "cudaGraphDestroy");
    }
    need(cudaStreamSynchronize(stream), "run");
    for (int64_t i = 0; i < images; i++) {
        struct placed *p = &call.placed[i];
        need(cudaMemcpy(p->host.data(), p->device, p->bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
        need(cudaFree(p->device), "cudaFree");
    }
    need(cudaFree(scratch), "cudaFree");
    need(cudaStreamDestroy(stream), "cudaStreamDestroy");
    return problem ? problem : compare_outputs(kept, trial, &call);
}

/* What the filter refuses stays refused. */
static const char *run_refused(const struct kept *kept, struct trial *trial)
{
    static char byte[8];
    static int32_t none[MOST_RANK];
    static struct call call;
    for (int64_t i = 0; i < kept->inputs; i++) {
        struct placed *p = &call.placed[i];
        place(p, &kept->image[i], trial->extent[i], PACKED);
        call.data[i] = p->host.data();
        call.extents[i] = trial->extent[i];
        call.strides[i] = p->stride;
    }
    for (int64_t i = kept->inputs; i < kept->inputs + kept->outputs; i++) {
        call.data[i] = byte;
        call.extents[i] = none;
        call.strides[i] = call.placed[0].stride;
    }
    return call_filter(FLT_EXTENTS, &call, trial->parameter)
               ? NULL
               : "accepted what the interpreter refuses";
}

static double now(void)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/* Where a run takes long, images are packed alone. */
static int check(struct kept *kept)
{
    const double long_run = 0.3;
    for (int64_t t = 0; t < kept->trials; t++) {
        static struct trial trial;
        read_trial(kept, &trial);
        if (!trial.valid) {
            report("extents", t, PACKED, run_refused(kept, &trial));
            continue;
        }
        bool is_long = false;
        for (int l = 0; l < LAYOUTS && !is_long; l++) {
            const enum layout layout = (enum layout)l;
            report("images of the host", t, layout, run_on_host_images(kept, &trial, layout));
            const double start = now();
            report("images of the device", t, layout, run_on_device(kept, &trial, layout, false));
            is_long = now() - start > long_run;
        }
        if (!is_long)
            report("a graph", t, PACKED, run_on_device(kept, &trial, PACKED, true));
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/* ---- Timing ---- */

static void fill(std::vector<char> *samples, const struct image *image)
{
    uint64_t random = 88172645463325252u;
    for (size_t i = 0; i < samples->size(); i += (size_t)image->bytes) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const float single = (float)(random >> 40) * 0x1p-24f;
        const double wide = (double)single;
        const uint64_t whole = image->kind == KEPT_HALF ? (random >> 40) % 0x3c00 : random >> 40;
        const void *from = image->kind == KEPT_SINGLE   ? (const void *)&single
                           : image->kind == KEPT_DOUBLE ? (const void *)&wide
                                                        : (const void *)&whole;
        memcpy(samples->data() + i, from, (size_t)std::min<int64_t>(image->bytes, 8));
    }
}

/* The median, in milliseconds, of runs that take a second together, or of 3. */
template <typename Run> static double median_of(Run run)
{
    cudaEvent_t begin, end;
    std::vector<float> times;
    float all = 0;
    need(cudaEventCreate(&begin), "cudaEventCreate");
    need(cudaEventCreate(&end), "cudaEventCreate");
    run();
    while (times.size() < 3 || (all < 500 && times.size() < 200)) {
        float time = 0;
        need(cudaEventRecord(begin), "cudaEventRecord");
        run();
        need(cudaEventRecord(end), "cudaEventRecord");
        need(cudaEventSynchronize(end), "run");
        need(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
        times.push_back(time);
        all += time;
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* The median of a run captured once and launched as a graph: a run allocates nothing, and waits for
 * nothing. False: it cannot be captured. start: puts it on a stream. */
template <typename Start> static bool time_graph(Start start, double *milliseconds)
{
    cudaStream_t stream;
    cudaGraph_t graph = {};
    cudaGraphExec_t launched = {};
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    const int status = start(stream);
    const bool captured = cudaStreamEndCapture(stream, &graph) == cudaSuccess && status == 0 &&
                          cudaGraphInstantiate(&launched, graph, 0) == cudaSuccess;
    if (captured) {
        *milliseconds =
            median_of([&] { need(cudaGraphLaunch(launched, NULL), "cudaGraphLaunch"); });
        need(cudaGraphExecDestroy(launched), "cudaGraphExecDestroy");
        need(cudaGraphDestroy(graph), "cudaGraphDestroy");
    }
    need(cudaStreamDestroy(stream), "cudaStreamDestroy");
    return captured;
}

static int time_filter(struct kept *kept, int32_t rows, int32_t columns)
{
    static struct trial trial;
    static struct call call;
    const int64_t images = kept->inputs + kept->outputs;
    const void *parameters[MOST_PARAMETERS] = {NULL};
    size_t moved = 0, bytes = 0;
    char *scratch, *from, *to;
    for (int64_t i = 0; i < kept->parameters; i++)
        parameters[i] = kept->usual[i];
    static char none[8];
    for (int64_t i = 0; i < images; i++) {
        const struct image *image = &kept->image[i];
        for (int64_t k = 0; k < image->rank && i < kept->inputs; k++)
            trial.extent[i][k] = image->axis[k] == KEPT_Y   ? rows
                                 : image->axis[k] == KEPT_X ? columns
                                                            : 3;
        call.data[i] = none;
        call.extents[i] = trial.extent[i];
        call.strides[i] = call.placed[i].stride;
    }
    const int status = call_filter(FLT_EXTENTS, &call, parameters);
    if (status) {
        printf("%s\n", status_problem(status));
        return 1;
    }
    for (int64_t i = 0; i < images; i++) {
        struct placed *p = &call.placed[i];
        place(p, &kept->image[i], trial.extent[i], PACKED);
        fill(&p->host, &kept->image[i]);
        need(cudaMalloc((void **)&p->device, p->bytes), "cudaMalloc");
        need(cudaMemcpy(p->device, p->host.data(), p->bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
        call.data[i] = p->device;
        moved += p->bytes;
    }
    bytes = scratch_of(&call, parameters);
    need(cudaMalloc((void **)&scratch, bytes + 64), "cudaMalloc");
    need(cudaMalloc((void **)&from, moved / 2 + 1), "cudaMalloc");
    need(cudaMalloc((void **)&to, moved / 2 + 1), "cudaMalloc");
    int last = 0;
    const double own =
        median_of([&] { last = launch_filter(&call, parameters, scratch, bytes, NULL); });
    if (last) {
        printf("%s\n", status_problem(last));
        return 1;
    }
    const double copy = median_of([&] {
        need(cudaMemcpyAsync(to, from, moved / 2, cudaMemcpyDeviceToDevice, NULL), "copy");
    });
    double captured = 0;
    if (!time_graph(
            [&](cudaStream_t stream) {
                return launch_filter(&call, parameters, scratch, bytes, stream);
            },
            &captured)) {
        printf("the run cannot be captured as a graph\n");
        return 1;
    }
    printf("%5d x %5d: %9.3f ms, %9.3f as a graph, %7.1f GB/s of images; a copy of them %7.3f ms; "
           "%6.1f times; scratch %.1f MB\n",
           rows, columns, own, captured, (double)moved / own * 1e-6, copy, own / copy,
           (double)bytes * 1e-6);
    return 0;
}

int main(int count, char **words)
{
    static struct kept kept;
    if (count >= 3)
        read_kept(&kept, words[2]);
    if (count == 3 && strcmp(words[1], "check") == 0)
        return check(&kept);
    if (count == 5 && strcmp(words[1], "time") == 0)
        return time_filter(&kept, atoi(words[3]), atoi(words[4]));
    fprintf(stderr, "usage: device check FILE | device time FILE ROWS COLUMNS\n");
    return 3;
}
