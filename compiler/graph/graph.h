/* What a filter computes: stages on finite boxes, in dependence order. GRAPH.md tells the textual
 * form and the mathematics of each stage kind. A graph never changes once built. */
#ifndef FLTC_GRAPH_GRAPH_H
#define FLTC_GRAPH_GRAPH_H

#include "expr/expr.h"
#include "graph/schedule.h"
#include "source/span.h"
#include "support/symbol.h"
#include "support/vector.h"
#include "transform/transform.h"

/* Of a stage to_particles, in the order of its bindings. */
enum particle_setting {
#define PARTICLE_SETTING(name, usual, least, greatest) PARTICLE_SETTING_##name,
#include "graph/particle_settings.def"
#undef PARTICLE_SETTING
    PARTICLE_SETTINGS
};
/* Images of pixels that may guide where particles are: behind the settings of a stage to_particles,
 * a binding for each, all or none. One that is not given is the constant false. */
enum particle_guide { GUIDE_GRADIENT, GUIDE_SCALE, GUIDE_MASK, PARTICLE_GUIDES };
/* Bindings of a stage convolve_cells: the arguments of flt_apr_cell_convolve, and the weights. */
enum convolve_binding {
    CONVOLVE_LEVEL,
    CONVOLVE_EXTENT,                       /* of the kernel, along three axes */
    CONVOLVE_BORDER = CONVOLVE_EXTENT + 3, /* along these */
    CONVOLVE_COARSER = CONVOLVE_BORDER + 3,
    CONVOLVE_WEIGHT
};
/* Samples of a stage to_particles. */
extern const struct interval particle_levels;

enum stage_kind {
#define STAGE(kind, text, computes, reads, order) STAGE_##kind,
#include "graph/graph_stages.def"
#undef STAGE
    STAGE_KIND_COUNT
};
/* What graph_stages.def says of a kind. */
enum stage_computes {
    COMPUTES_NOTHING,
    COMPUTES_SAMPLES,
    COMPUTES_LINES,
    COMPUTES_STEPS,
    COMPUTES_PARTS,
    COMPUTES_ALL
};
enum stage_reads { READS_NOTHING, READS_BY_EXPRESSION, READS_WHOLE_AXES };
enum stage_order { ORDER_NONE, ORDER_ANY, ORDER_AHEAD, ORDER_ALONG, ORDER_IN_STEPS };
struct stage_info {
    const char *text;
    enum stage_computes computes;
    enum stage_reads reads;
    enum stage_order order;
};
extern const struct stage_info stage_info[STAGE_KIND_COUNT];

enum { GRAPH_MAX_RANK = 8, GRAPH_MOST_FRACTION = 100 };

/* One axis of a stage: the box that language.md gives it, first … first + extent - 1, and the box
 * that must be computed, which is larger where a reader extends the stage (infer_regions; NULL
 * before). */
struct stage_axis {
    const struct symbol *name;
    const struct expr *variable; /* the coordinate: VARIABLE_INDEX */
    const struct expr *first, *extent;
    const struct expr *computed_first, *computed_extent;
};

enum stage_detail {
#define DETAIL(name, text, where) DETAIL_##name,
#include "graph/details.def"
#undef DETAIL
    DETAIL_COUNT
};
enum realisation { REALISED_DIRECT, REALISED_CASCADE, REALISED_PARALLEL };
enum transform_form {
    FORM_QUADRUPLE,
    FORM_MIRRORED,
    FORM_PADDED,
    FORM_REORDERED,
    FORM_THREE_STAGES
};
struct detail_info {
    const char *text, *where;
};
extern const struct detail_info detail_info[DETAIL_COUNT];

/* What holds on entry: besides extents of 1 or more and parameter ranges; or where a version of a
 * stage is computed. */
struct graph_check {
    const struct expr *condition; /* bool, of parameters and extents */
    const char *text;             /* "'a' and 'b' differ in extent along y" */
    struct span span;
};

/* THREADS: the axes whose loops are spread, outermost first; none: the stage is computed by one
 * thread. ORDER: all axes, slowest first. LANES: the axis in vector lanes; none: none is. UNROLL:
 * by axis, samples at a time or 0. PREFETCH: rows ahead, 0: nothing is asked for. STREAM, WINDOW:
 * whether. PARTS: how many. CARRY: bits of a float. FORM: enum realisation. METHOD: enum
 * transform_form. VERSIONS: none; its conditions, the first that holds counts. A pass that obeys
 * takes it away; loops tell the program. */
struct detail {
    bool said;
    unsigned count;
    int64_t value[GRAPH_MAX_RANK];
    size_t version_count;
    const struct graph_check *version;
    struct span span;
};
struct stage_details {
    struct detail of[DETAIL_COUNT];
};

/* How far samples may be from those of the same program over real numbers, its fixed-point types
 * without ends and steps. What passes change is not counted. */
struct quantisation {
    double error;   /* where nothing saturates; infinite: it is not bounded */
    bool saturates; /* it may, here or in what is read */
};

struct stage_binding { /* a name the program gives a part of the value */
    const struct symbol *name;
    const struct expr *value;
};

struct stage {
    enum stage_kind kind;
    stage_id id;
    const struct symbol *name; /* the user's, unique in the graph: "smooth.up", "g_1" */
    struct span span;          /* of the definition */
    bool is_made;              /* by a pass: schedules cannot name it, so none is at it */
    enum scalar element;
    struct interval interval; /* of integer samples; those of an input are held inside */
    struct fixed_point fixed;
    struct quantisation quantisation;
    unsigned rank;
    const struct stage_axis *axis; /* slowest first */
    uint32_t repeat; /* that it belongs to: 1 + its place in the graph's repeats; 0: none */
    /* Of kinds that compute (stage_computes): the sample at the axis variables. Reads are LOADs in
     * it, pointwise, stencil, gather and resampling alike. */
    const struct expr *value;
    const struct stage_binding *binding;
    size_t binding_count;
    union {
        struct {
            uint32_t position;           /* among the filter's images */
            const struct symbol *levels; /* as of a graph_output */
        } input;
        struct { /* rows of constants: INTEGER or REAL expressions of type element */
            const struct expr *const *value;
            size_t count;
        } constant;
        struct { /* the value reads the stage itself, earlier along one axis */
            unsigned axis;
            bool reversed; /* earlier: at larger coordinates */
            /* posed on the whole line: what lies outside is implied by the inputs */
            bool unbounded;
            /* A tile computes it from where its part of the line begins, by the rules, which know
             * the states there (segment_overlap.c): places of such a part; 0: no tile does. */
            int64_t of_tile;
            bool narrow; /* the state, in f64, of what the program stores in f32 */
        } recurrence;
        struct { /* the value is what it starts from; then its steps are taken, in index order */
            const struct stage *steps; /* see stage_target */
        } scatter;
        struct { /* lines along the axis; the value is the sample of a line to transform */
            enum transform kind;
            enum transform_norm norm;
            unsigned axis;
            /* of complex samples, whose real parts are the value; NULL: they are real. The stage's
             * last axis is then that of the parts, on which neither depends */
            const struct expr *imaginary;
        } transform;
        struct { /* a name that a repeat carries: its samples before the step at hand */
            stage_id initial, next;
        } carried;
    } as;
    const struct schedule *schedule;     /* NULL: the compiler's own choice */
    const struct stage_details *details; /* of its schedule; NULL: none */
};

static inline bool stage_computes(const struct stage *stage)
{
    return stage_info[stage->kind].computes != COMPUTES_NOTHING;
}
/* Each sample is computed by itself, of what its expressions load. */
static inline bool stage_is_per_sample(const struct stage *stage)
{
    return stage_info[stage->kind].computes == COMPUTES_SAMPLES &&
           stage_info[stage->kind].reads == READS_BY_EXPRESSION &&
           stage_info[stage->kind].order != ORDER_ALONG;
}
/* Each sample is computed by itself, wherever and as often as suits its readers. */
static inline bool stage_may_move(const struct stage *stage)
{
    return stage_is_per_sample(stage) && stage_info[stage->kind].order == ORDER_ANY;
}
/* Each sample is the value at its place. */
static inline bool stage_is_its_value(const struct stage *stage)
{
    return stage_info[stage->kind].computes == COMPUTES_SAMPLES ||
           stage_info[stage->kind].computes == COMPUTES_PARTS;
}
/* Loops compute it; others of its kind are made of parts, which loops compute. */
static inline bool stage_has_loops(const struct stage *stage)
{
    return stage_computes(stage) && stage_info[stage->kind].computes != COMPUTES_PARTS;
}
/* Each sample depends on what is read at all places of the axis. */
static inline bool stage_reads_whole(const struct stage *stage, unsigned axis)
{
    return stage_info[stage->kind].reads == READS_WHOLE_AXES &&
           (stage->kind != STAGE_TRANSFORM || stage->as.transform.axis == axis);
}
/* What runtime/particles computes, as flt/particles.h says. */
static inline bool stage_is_of_particles(const struct stage *stage)
{
    return stage->kind == STAGE_TO_PARTICLES || stage->kind == STAGE_GIVEN_LEVELS ||
           stage->kind == STAGE_CELL_MEANS || stage->kind == STAGE_GIVEN_VALUES ||
           stage->kind == STAGE_CONVOLVE_CELLS || stage->kind == STAGE_STENCIL_CELLS;
}
/* Where particles are: the level of each sample's. */
static inline bool stage_is_structure(const struct stage *stage)
{
    return stage->kind == STAGE_TO_PARTICLES || stage->kind == STAGE_GIVEN_LEVELS;
}
/* Of a stage convolve_cells: the weights are an image, whose extents are not known; its first
 * sample is the only binding of weights. NULL: they are bindings. */
const struct expr *stage_kernel_image(const struct stage *stage);
/* Its bindings say what it computes; those of others are names for readers of printed graphs. */
static inline bool stage_needs_bindings(const struct stage *stage)
{
    return stage->kind == STAGE_SCATTER || stage_is_of_particles(stage);
}
/* It can be computed beyond its box, as far as its kind tells. */
static inline bool stage_may_extend(const struct stage *stage)
{
    return stage_computes(stage) && stage_info[stage->kind].reads == READS_BY_EXPRESSION;
}

/* The last axis of complex samples is that of their two parts. */
#define COMPLEX_AXIS "re.im"
bool axis_is_of_parts(const struct symbol *name);
bool stage_is_complex(const struct stage *stage);

/* Of the samples that a stage transforms; NULL: they are real, or it transforms none. */
static inline const struct expr *stage_imaginary(const struct stage *stage)
{
    return stage->kind == STAGE_TRANSFORM ? stage->as.transform.imaginary : NULL;
}

/* Of a transform: its axes without that of the parts of complex samples. */
static inline unsigned stage_transformed_axes(const struct stage *stage)
{
    return stage->rank - (stage_imaginary(stage) != NULL);
}

/* NULL: the schedule does not give it. */
static inline const struct detail *stage_says(const struct stage *stage, enum stage_detail detail)
{
    return stage->details && stage->details->of[detail].said ? &stage->details->of[detail] : NULL;
}
static inline bool stage_says_any(const struct stage *stage)
{
    bool says = false;
    for (unsigned d = 0; d < DETAIL_COUNT; d++)
        says = says || stage_says(stage, (enum stage_detail)d);
    return says;
}
/* Whether the schedule gives a detail that only a loop nest of the stage's own can obey. */
static inline bool stage_says_loops(const struct stage *stage)
{
    const struct detail *threads = stage_says(stage, DETAIL_THREADS);
    return (threads && threads->count) || stage_says(stage, DETAIL_ORDER) ||
           stage_says(stage, DETAIL_LANES) || stage_says(stage, DETAIL_UNROLL) ||
           stage_says(stage, DETAIL_PREFETCH);
}
/* Whether the schedule gives a detail that only a stage with a kernel of its own can obey. */
static inline bool stage_says_apart(const struct stage *stage)
{
    return stage_says(stage, DETAIL_THREADS) || stage_says(stage, DETAIL_STREAM) ||
           stage_says(stage, DETAIL_VERSIONS);
}
/* The details without that one. */
const struct stage_details *
details_without(struct arena *arena, const struct stage_details *details, enum stage_detail detail);

/* The steps of a scatter are a stage without samples of its own: its axes are those that the
 * scatter is mapped over, by the same variables, and those of `over`. Its bindings are the target's
 * coordinates, one for each axis of the scatter; one more, if there is one, is a condition without
 * which nothing is done. Its value is stored at the target; it reads the scatter there. */
static inline const struct expr *stage_target(const struct stage *steps, unsigned k)
{
    return steps->binding[k].value;
}
static inline const struct expr *stage_condition(const struct stage *scatter)
{
    const struct stage *steps = scatter->as.scatter.steps;
    return steps->binding_count > scatter->rank ? steps->binding[scatter->rank].value : NULL;
}
/* The axis of a scatter that is mapped over this axis of its steps; GRAPH_MAX_RANK: none is. */
unsigned scatter_axis_mapped(const struct stage *scatter, const struct stage_axis *step_axis);

/* The stage with each expression of its value, its bindings and its steps replaced. Boxes stay. */
struct stage stage_rewrite(struct arena *arena, const struct stage *stage,
                           struct expr_rewriter *rewriter);
/* The same, and the boxes. */
struct stage stage_rewrite_with_box(struct arena *arena, const struct stage *stage,
                                    struct expr_rewriter *rewriter);
/* Calls visit for each of them. */
void stage_expressions(const struct stage *stage,
                       void (*visit)(const struct expr *node, void *context), void *context);
/* Calls visit once for each distinct node of all of them. */
void stage_nodes(const struct stage *stage, struct arena *scratch,
                 void (*visit)(const struct expr *node, void *context), void *context);
/* Whether the node stands in one of its expressions. */
bool stage_contains(const struct stage *stage, struct arena *scratch, const struct expr *node);

/* Channels are called c: such an axis is short where its extent is not known. */
bool axis_is_of_channels(const struct symbol *name);
/* Whether the coordinates in the value are the stage's, or bound by reductions in it. */
bool stage_is_closed(const struct stage *stage, const struct expr *value, struct arena *scratch);
/* By axis: whether samples of a recurrence depend on others along it; of other kinds none do. */
void stage_own_reads(const struct stage *stage, struct arena *scratch, bool along[GRAPH_MAX_RANK]);
/* Whether `reader` reads the other one. */
bool stage_reads(const struct stage *reader, const struct stage *stage, struct arena *scratch);

/* A few samples, and a constant number of them. */
enum { AXIS_SHORT = 64 };
bool axis_is_short(const struct stage_axis *axis);

/* The axis along which lines of a transform lie side by side, those that are transformed together:
 * the fastest other one that is not short, else the fastest other one. The axis of parts, or the
 * rank: there is none. Which lines these are tells the last bits, so no pass changes it. */
unsigned transform_lanes(const struct stage *stage);

/* A run-time scalar of the filter. Numbers are doubles for floats, integers otherwise. */
struct parameter {
    const struct symbol *name;
    struct span span;
    enum scalar scalar;
    struct fixed_point fixed;            /* then initial, least and greatest are such integers */
    const struct expr *variable;         /* VARIABLE_PARAMETER */
    const struct expr *initial;          /* constant or NULL: must be given */
    const struct expr *least, *greatest; /* constants or NULL */
    const struct symbol *const *choice;  /* of an enumeration: the names of 0, 1 …; else NULL */
    size_t choice_count;
    const char *text; /* help, or NULL */
};

/* Its stages stand together, the carried ones first. They are computed `count` times; after each
 * step every carried stage takes the samples of its `next`. */
struct graph_repeat {
    const struct expr *count; /* an integer of parameters, extents, constants; none below 1 */
    uint32_t outer;           /* the repeat around, as of a stage */
    struct span span;
};

struct graph_estimate {          /* of the program, for schedules */
    const struct expr *variable; /* EXTENT or PARAMETER */
    int64_t value;
};

/* What the schedule of a circuit says of it as a whole. */
enum circuit_setting {
#define CIRCUIT_SETTING(word, least, greatest, form) CIRCUIT_SETTING_##word,
#include "graph/circuit_settings.def"
#undef CIRCUIT_SETTING
    CIRCUIT_SETTING_COUNT
};
extern const char *const circuit_setting_text[CIRCUIT_SETTING_COUNT];
struct graph_setting {
    enum circuit_setting setting;
    int64_t value;
};

struct graph_output {
    stage_id stage;
    const struct symbol *name;
    /* of an adaptive image: the image of the signature that has its particles' levels, which is
     * itself where it is that; NULL: it is one of pixels */
    const struct symbol *levels;
};

struct graph {
    const struct symbol *name;
    const char *text; /* first words about it, or "" */
    VECTOR(struct parameter) parameters;
    VECTOR(struct stage *) stages; /* a stage reads only stages before it */
    VECTOR(struct graph_check) checks;
    VECTOR(struct graph_repeat) repeats;
    VECTOR(struct graph_estimate) estimates;
    VECTOR(struct graph_setting) settings; /* the last one of a kind counts */
    VECTOR(struct graph_output) outputs;
    /* graph_box_outputs has made it: stages compute no more than their readers need. */
    bool is_boxed;
    bool is_left_to_callers; /* some reads lack a border rule: it can be checked, not compiled */
};

/* Whether it has a stage that says where particles are. */
bool graph_has_structure(const struct graph *graph);

/* Whether the repeat is `outer` or inside it; everything is inside 0. */
bool repeat_is_inside(const struct graph *graph, uint32_t repeat, uint32_t outer);
/* The repeat directly inside `outer` that holds `repeat`, which is inside but not `outer`
 * itself. */
uint32_t repeat_directly_inside(const struct graph *graph, uint32_t repeat, uint32_t outer);

/* A copy whose lists may be appended to; stages are shared. */
struct graph *graph_copy(struct arena *arena, const struct graph *graph);
/* The same without stages; outputs still name those of the original. */
struct graph *graph_copy_without_stages(struct arena *arena, const struct graph *graph);
/* By stage: it is an input, or an output depends on it. Names of parts that its value does not use
 * need nothing. */
const bool *graph_needed(struct arena *arena, const struct graph *graph);
/* The graph of those stages alone. */
const struct graph *graph_of_needed(struct arena *arena, struct expr_pool *pool,
                                    const struct graph *graph);
/* After stages were added anew: what outputs and carried stages name by its new number. new_id: by
 * old one. */
void graph_renumber(struct arena *arena, struct graph *graph, const uint32_t new_id[]);
/* A rule of rewriting; context: uint32_t new_id[], by old number of a stage. Reads name the new
 * one. */
struct renumbering {
    struct expr_pool *pool;
    const uint32_t *new_id;
};
const struct expr *graph_renumber_read(const struct expr *node, void *renumbering);
/* An extent or parameter as far as it is known: a number, or what the program estimates; 0: not
 * known. */
int64_t graph_expected(const struct graph *graph, const struct expr *value);
/* Whether any arithmetic in it is fast. */
bool graph_is_fast(const struct graph *graph, struct arena *scratch);
/* The sample of a constant stage that a load reads; NULL where its place is not known, or
 * outside. */
const struct expr *stage_constant_at(const struct stage *stage, const struct expr *load);
/* Appends a copy of the stage and gives it its id. */
stage_id graph_add_stage(struct arena *arena, struct graph *graph, struct stage stage);
/* Whether the stage is a member: computed in the tiles of another one. */
static inline bool stage_is_at(const struct stage *stage)
{
    return stage->schedule && stage->schedule->placement == PLACED_AT &&
           !schedule_has_lines(stage->schedule);
}
/* Whether the stage is a member of that sink's tiles. */
static inline bool stage_is_in_tiles_of(const struct stage *stage, const struct stage *sink)
{
    return stage_is_at(stage) && stage->schedule->at.index == sink->id.index;
}
/* Whether it has lines of its own that are computed band by band, or segment by segment, of another
 * stage's lines. */
static inline bool stage_is_in_bands(const struct stage *stage)
{
    return schedule_has_lines(stage->schedule) && stage->schedule->placement == PLACED_AT;
}
/* Whether its lines are computed behind each tile of another stage, from what that has just
 * stored. */
static inline bool stage_is_behind(const struct stage *stage)
{
    return stage->schedule && stage->schedule->placement == PLACED_BEHIND;
}
/* Whether it is computed with another stage: in its tiles or bands, or behind them. */
static inline bool stage_follows(const struct stage *stage)
{
    return stage->schedule && placement_names_stage(stage->schedule->placement);
}
/* Whether it is computed in the panels of a later transform of the same lines. */
static inline bool stage_is_in_panels(const struct stage *stage)
{
    return stage->kind == STAGE_TRANSFORM && stage_is_at(stage);
}
/* Whether its lines are cut into bands, so that others can be computed with each band. */
static inline bool stage_has_bands(const struct stage *stage)
{
    return schedule_has_bands(stage->schedule);
}
/* Whether its lines are cut into segments. */
static inline bool stage_is_segmented(const struct stage *stage)
{
    return schedule_is_segmented(stage->schedule);
}
/* Whether it is computed with each segment of such lines, in their kernel. */
static inline bool stage_is_with_segments(const struct graph *graph, const struct stage *stage)
{
    return stage_is_in_bands(stage) &&
           schedule_has_segment_lines(graph->stages.item[stage->schedule->at.index]->schedule);
}
/* Whether both compute the same coordinates along the axis. */
static inline bool stage_has_places_of(const struct stage *stage, const struct stage *other,
                                       unsigned axis)
{
    return stage->axis[axis].computed_first == other->axis[axis].computed_first &&
           stage->axis[axis].computed_extent == other->axis[axis].computed_extent;
}
/* Of a stage that has values of particles: that which says of each sample the particle's level. */
const struct stage *stage_of_levels(const struct graph *graph, const struct stage *stage);
/* Whether a repeat carries its samples to the next step. */
bool stage_is_carried(const struct graph *graph, const struct stage *stage);
/* Whether others are computed in its tiles. */
bool stage_has_others(const struct graph *graph, const struct stage *stage);
/* Whether it is a result, what a repeat carries, or has others in its tiles. */
bool stage_is_kept(const struct graph *graph, const struct stage *stage);
/* What the stage is computed with, as programs call it. */
const struct stage *stage_sink(const struct graph *graph, const struct stage *stage,
                               struct arena *scratch);
/* The stage in whose memory the samples of this one lie; NULL: it has its own. */
const struct stage *stage_joined_to(const struct graph *graph, const struct stage *part,
                                    struct arena *scratch);
/* The stage with which another one is computed, in words: "in bands of 'out'". bands: the other
 * stage has its own lines. */
const char *schedule_place_text(struct arena *arena, bool bands, const struct stage *sink);
static inline const struct stage *graph_stage(const struct graph *graph, stage_id id)
{
    return graph->stages.item[id.index];
}
/* What is said; otherwise `usual`. */
int64_t graph_setting(const struct graph *graph, enum circuit_setting setting, int64_t usual);
/* NULL: there is none of that name. */
/* The input at that position of the signature; NULL: there is none. */
const struct stage *graph_input_at(const struct graph *graph, size_t position);
const struct stage *graph_stage_named(const struct graph *graph, const struct symbol *name);
/* The result that the stage is; NULL: it is none. */
const struct graph_output *graph_output_of(const struct graph *graph, stage_id stage);
/* Whether the schedule gives it for any stage. */
bool graph_says(const struct graph *graph, enum stage_detail detail);

#endif
