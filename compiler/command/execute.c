/* A filter on loaded pictures, slice by slice over the axes it does not name: compiled, or
 * interpreted.
 */
#include "command/execute.h"
#include "command/particles.h"
#include "command/calibrate.h"
#include "command/externals.h"

/* ---- One slice, compiled ---- */

const void *execution_parameter(const struct execution *x, size_t i, unsigned char memory[8])
{
    value_write(memory, x->graph->parameters.item[i].scalar, x->parameter[i]);
    return memory;
}

/* The image of a result, at the first slice. */
static bool make_result(struct execution *x, struct result *result, const int32_t extent[])
{
    return result->image.data ||
           pictures_result(x->c->session, &x->pictures, result->stage, extent, &result->image);
}

/* The times of the kernels, added to those of the stages that they are named after. */
static void profile_kernels(struct execution *x)
{
    const size_t count = x->graph->stages.count;
    struct samples input[MOST_PICTURES] = {0};
    const struct interpretation run = {
        .session = x->c->session, .inputs = input, .parameters = x->parameter};
    double *bytes = ARENA_ARRAY(x->c->session->permanent, double, count + 1);
    struct samples *box = ARENA_ARRAY(x->c->session->permanent, struct samples, count + 1);
    pictures_extents(&x->pictures, input);
    interpret_boxes(x->graph, &run, box);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (double)samples_count(&box[i]) * scalar_info[box[i].scalar].bytes;
    particles_profile(&x->profile, x->graph, x->scheduled, &x->emitted, x->compiled.counts, bytes);
    for (size_t i = 0; i < x->emitted.kernels.count; i++) {
        double stored = -1;
        for (size_t s = 0; s < count; s++)
            if (strcmp(x->graph->stages.item[s]->name->text, x->emitted.kernels.item[i]) == 0)
                stored = bytes[s];
        profile_add(&x->profile, x->emitted.kernels.item[i], x->compiled.seconds[i], stored);
        x->compiled.seconds[i] = 0;
    }
    for (size_t s = 0; s < x->scheduled->stages.count; s++) {
        const struct stage *stage = x->scheduled->stages.item[s];
        if (stage_is_at(stage) || stage_is_behind(stage) ||
            stage_is_with_segments(x->scheduled, stage))
            profile_add_within(&x->profile, stage->name->text,
                               graph_stage(x->scheduled, stage->schedule->at)->name->text);
    }
}

static bool run_compiled(struct execution *x, const int32_t at[])
{
    void *data[MOST_PICTURES + MOST_RESULTS] = {NULL};
    int32_t extent[MOST_PICTURES + MOST_RESULTS][GRAPH_MAX_RANK],
        *extents[MOST_PICTURES + MOST_RESULTS];
    ptrdiff_t stride[MOST_PICTURES + MOST_RESULTS][GRAPH_MAX_RANK];
    const ptrdiff_t *strides[MOST_PICTURES + MOST_RESULTS];
    unsigned char memory[MOST_PARAMETERS][8];
    const void *parameters[MOST_PARAMETERS + 1];
    const size_t inputs = x->pictures.count;
    memset(stride, 0, sizeof stride);
    memset(extent, 0, sizeof extent);
    for (size_t i = 0; i < inputs + x->results.count; i++) {
        extents[i] = extent[i];
        strides[i] = stride[i];
    }
    for (size_t i = 0; i < inputs; i++)
        picture_slice(&x->pictures, &x->pictures.item[i], at, &data[i], extent[i], stride[i]);
    for (size_t i = 0; i < x->graph->parameters.count; i++)
        parameters[i] = execution_parameter(x, i, memory[i]);
    struct flt_arguments arguments = {.size = sizeof arguments,
                                      .data = data,
                                      .extents = extents,
                                      .strides = strides,
                                      .parameters = parameters,
                                      .threads = x->threads};
    int status = x->compiled.filter->call(FLT_EXTENTS, &arguments);
    for (size_t i = 0; status == 0 && i < x->results.count; i++) {
        struct result *result = &x->results.item[i];
        if (!make_result(x, result, extent[inputs + i]))
            return false;
        result_slice(&x->pictures, result->stage, &result->image, at, &data[inputs + i],
                     stride[inputs + i]);
    }
    if (status == 0)
        status = x->compiled.filter->call(FLT_RUN, &arguments);
    if (status == 0 && x->profile.active && x->compiled.seconds)
        profile_kernels(x);
    if (status != 0)
        session_error(x->c->session, DIAGNOSTIC_E0907, "%s",
                      x->compiled.filter->status_text(status));
    return status == 0;
}

/* ---- Entry ---- */

static void report_problem(const struct execution *x, const struct interpretation *run)
{
    struct session *session = x->c->session;
    struct diagnostic *d = session_error(session, DIAGNOSTIC_E0907, "%s", run->problem);
    if (run->values[0])
        diagnostic_note(&session->diagnostics, d, "%s", run->values);
}

bool execute_entry(struct execution *x)
{
    struct samples input[MOST_PICTURES] = {0};
    struct interpretation run = {
        .session = x->c->session, .inputs = input, .parameters = x->parameter};
    pictures_extents(&x->pictures, input);
    if (interpret_entry(x->graph, &run))
        return true;
    report_problem(x, &run);
    return false;
}

/* ---- One slice, interpreted ---- */

static bool gather(const struct execution *x, const struct picture *picture, const int32_t at[],
                   struct samples *samples)
{
    void *data;
    int32_t extent[GRAPH_MAX_RANK];
    ptrdiff_t stride[GRAPH_MAX_RANK];
    picture_slice(&x->pictures, picture, at, &data, extent, stride);
    *samples = (struct samples){.scalar = picture->stage->element, .rank = picture->stage->rank};
    for (unsigned k = 0; k < samples->rank; k++)
        samples->extent[k] = extent[k];
    if (!samples_allocate(samples))
        return false;
    const size_t count = samples_count(samples);
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (unsigned k = samples->rank; k-- > 0;) {
            offset += (ptrdiff_t)(rest % (size_t)extent[k]) * stride[k];
            rest /= (size_t)extent[k];
        }
        memcpy(samples->data + i * bytes, (char *)data + offset * (ptrdiff_t)bytes, bytes);
    }
    return true;
}

static void scatter(const struct execution *x, const struct result *result,
                    const struct samples *samples, const int32_t at[])
{
    void *data;
    ptrdiff_t stride[GRAPH_MAX_RANK];
    result_slice(&x->pictures, result->stage, &result->image, at, &data, stride);
    const size_t count = samples_count(samples);
    const enum scalar to = (enum scalar)result->image.element;
    const unsigned bytes = scalar_info[samples->scalar].bytes, to_bytes = scalar_info[to].bytes;
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (unsigned k = samples->rank; k-- > 0;) {
            offset += (ptrdiff_t)(rest % (size_t)samples->extent[k]) * stride[k];
            rest /= (size_t)samples->extent[k];
        }
        const struct value value = value_read(samples->data + i * bytes, samples->scalar);
        value_write((char *)data + offset * (ptrdiff_t)to_bytes, to,
                    evaluate_convert(CONVERT_EXACT, samples->scalar, to, value));
    }
}

void execution_progress(struct execution *x, double done)
{
    const double of_run = ((double)x->slice + done) / (double)x->slices;
    const double before = x->run < x->runs ? (double)x->run : 0; /* how many follow, nobody knows */
    progress_set(&x->progress, (before + of_run) / (double)x->runs);
}

static bool show_progress(double done, void *context)
{
    struct execution *x = context;
    execution_progress(x, done);
    return true;
}

static void profile_stage(const struct stage *stage, const struct samples *samples, void *context)
{
    struct execution *x = context;
    const double now = profile_now();
    profile_add(&x->profile, stage->name->text, now - x->stage_start,
                (double)samples_count(samples) * scalar_info[samples->scalar].bytes);
    x->stage_start = now;
}

static bool run_interpreted(struct execution *x, const int32_t at[])
{
    struct samples input[MOST_PICTURES] = {0}, output[MOST_RESULTS] = {0};
    struct interpretation run = {.session = x->c->session,
                                 .inputs = input,
                                 .parameters = x->parameter,
                                 .outputs = output,
                                 .progress = show_progress,
                                 .stage_done = x->profile.active ? profile_stage : NULL,
                                 .externals = &x->externals,
                                 .context = x};
    bool good = true;
    for (size_t i = 0; good && i < x->pictures.count; i++)
        good = gather(x, &x->pictures.item[i], at, &input[i]);
    if (!good)
        session_error(x->c->session, DIAGNOSTIC_E0907, "there is not enough memory");
    x->stage_start = profile_now();
    if (good && !interpret_graph(x->graph, &run)) {
        report_problem(x, &run);
        good = false;
    }
    for (size_t i = 0; i < x->results.count; i++) {
        int32_t extent[GRAPH_MAX_RANK] = {0};
        for (unsigned k = 0; k < output[i].rank; k++)
            extent[k] = (int32_t)output[i].extent[k];
        good = good && make_result(x, &x->results.item[i], extent);
        if (good)
            scatter(x, &x->results.item[i], &output[i], at);
        samples_free(&output[i]);
    }
    for (size_t i = 0; i < x->pictures.count; i++)
        samples_free(&input[i]);
    return good;
}

/* ---- All slices ---- */

bool execute_slices(struct execution *x)
{
    int32_t at[FLT_MAX_RANK] = {0};
    x->slices = 1;
    for (int m = 0; m < x->pictures.mapped_count; m++)
        x->slices *= x->pictures.mapped[m].extent;
    for (x->slice = 0; x->slice < x->slices; x->slice++) {
        if (x->slices > 1 || x->runs > 1)
            execution_progress(x, 0);
        if (!(x->interprets ? run_interpreted(x, at) : run_compiled(x, at)))
            return false;
        for (int m = x->pictures.mapped_count; m-- > 0;) {
            if (++at[m] < x->pictures.mapped[m].extent)
                break;
            at[m] = 0;
        }
    }
    return true;
}

/* ---- Compiling ---- */

bool execute_compile(struct execution *x)
{
    const struct pass_options options = {.verify_each = x->c->options->verify_each != NULL,
                                         .choices = x->c->choices};
    const struct target *target = target_calibrated(x->c, command_target(x->c));
    if (!program_particles_suit(x->c->session, x->graph, target))
        return false;
    const struct pass_result result = run_passes(x->c->session, x->graph, target, &options);
    if (result.problem) {
        report_fault(result.problem);
        x->is_fault = true;
        return false;
    }
    x->scheduled = result.graph;
    /* A stage that is saved is a result now, whatever the schedule says. */
    if (x->c->options->saves.count == 0 && !command_schedule_is_kept(x->c, x->graph, &result))
        return false;
    const struct emit_options emit = {.stem = "fltc_filter",
                                      .entry = true,
                                      .profiles = x->profile.active,
                                      .boxes = x->memory > 0};
    x->emitted = emit_program(x->c->session, result.program, target, &emit);
    if (x->memory > 0 &&
        !command_add_boxes(x->c, x->graph, target, &emit, "leave out --memory", &x->emitted)) {
        x->is_fault = x->c->is_fault;
        return false;
    }
    const struct compile_options how = externals_compile_options(x->c, target);
    x->compiled = compile_filter(x->c->session, &x->emitted, &how);
    if (!x->compiled.problem)
        return true;
    if (externals_report(x->c, &x->compiled))
        return false;
    struct session *session = x->c->session;
    if (!target->compiler->may_be_missing || x->memory > 0) { /* only programs have boxes */
        compile_note_log(session,
                         session_error(session, DIAGNOSTIC_E0907, "%s", x->compiled.problem),
                         &x->compiled);
        return false;
    }
    struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_W0902,
                                             (struct span){0, 0}, x->compiled.problem);
    compile_note_log(session, d, &x->compiled);
    command_finish(x->c); /* before the long run */
    x->interprets = true;
    return true;
}
