/* The fast path of a call: arrays of the right types and ranks, numbers in their ranges. All else is left
 * to Filter._call in Python, which converts or explains: nothing here makes a message. One file for all
 * filters, for the stable interface of Python 3.11 and later. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "flt/filter.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

enum { MOST_IMAGES = 8, MOST_AXES = 8, MOST_PARAMETERS = 16 };
enum { MOST_KEPT = 64 << 20 }; /* bytes of scratch memory that a filter keeps between calls */

typedef int call_of_filter(int what, struct flt_arguments *arguments);

struct image_fact {
    char format; /* of the buffer protocol: 'f' */
    int rank;
    Py_ssize_t bytes; /* of a sample */
};

union value {
    double f64;
    float f32;
    int64_t i64;
    int32_t i32;
    int16_t i16;
    int8_t i8;
};

struct parameter_fact {
    PyObject *name;
    char format; /* 'd' 'f' 'q' … of its type in C; '?': a truth value */
    bool has_default;
    union value standard;
    double least, greatest;
};

struct fast {
    PyObject base;
    call_of_filter *call; /* NULL: the slow path is the only one */
    PyObject *owner;      /* keeps the library */
    PyObject *empty;      /* numpy.empty */
    int inputs, images, parameters;
    struct image_fact image[MOST_IMAGES];
    PyObject *dtype[MOST_IMAGES]; /* of results */
    void *scratch;                /* NULL: there is none, or a call has it */
    size_t scratch_bytes;
    struct parameter_fact parameter[MOST_PARAMETERS];
};

/* What a call holds on to. */
struct calling {
    struct fast *fast;
    Py_buffer view[MOST_IMAGES];
    int views; /* that are to be released */
    PyObject *result[MOST_IMAGES];
    int32_t extent[MOST_IMAGES][MOST_AXES];
    ptrdiff_t stride[MOST_IMAGES][MOST_AXES];
    union value value[MOST_PARAMETERS];
    int threads;
    bool is_interrupted;
    PyObject *out;
};

static PyObject *word_call, *word_out, *word_threads;

/* ---- Long calls ---- */

#ifndef FLT_TASKS
#define FLT_TASKS
struct flt_tasks { /* as in the header of each filter */
    void *context;
    void (*run)(void *context, void (*work)(void *data, int n), void *data, int count);
    int (*cancelled)(void *context);
};
#endif

/* A call without Python's lock, whose thread asks for signals now and then. */
struct watch {
    PyThreadState *saved;
    pthread_t caller;
    int64_t next; /* when it asks again, in ns */
    int stopped;  /* an exception is set */
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Ctrl-C: the handler of Python runs in its main thread, when that asks. */
static int is_interrupted(void *context)
{
    struct watch *watch = context;
    const int64_t time = pthread_equal(watch->caller, pthread_self()) ? now() : 0;
    if (time > watch->next) {
        PyEval_RestoreThread(watch->saved);
        if (PyErr_CheckSignals() != 0)
            __atomic_store_n(&watch->stopped, 1, __ATOMIC_RELAXED);
        watch->saved = PyEval_SaveThread();
        watch->next = now() + 20000000;
    }
    return __atomic_load_n(&watch->stopped, __ATOMIC_RELAXED);
}

/* The status; -1: a signal ended the call, and its exception is set. Scratch memory that is missing is
 * taken, and given back through `arguments`. */
static int run_watched(call_of_filter *call, int what, struct flt_arguments *arguments)
{
    struct watch watch = {.caller = pthread_self(), .next = now() + 20000000};
    const struct flt_tasks tasks = {.context = &watch, .cancelled = is_interrupted};
    arguments->tasks = &tasks;
    watch.saved = PyEval_SaveThread();
    const size_t had = arguments->scratch_bytes;
    int status = call(what, arguments);
    if (status != 0 && arguments->scratch_bytes > had) {
        free(arguments->scratch);
        const size_t bytes = (arguments->scratch_bytes + 63) / 64 * 64;
        arguments->scratch = aligned_alloc(64, bytes);
        arguments->scratch_bytes = arguments->scratch ? bytes : 0;
        if (arguments->scratch)
            status = call(what, arguments);
    }
    PyEval_RestoreThread(watch.saved);
    arguments->tasks = NULL;
    return watch.stopped ? -1 : status;
}

/* ---- Arrays ---- */

/* One letter, in the machine's own order; l is as q on the machines that there are filters for. */
static char format_of(const char *format)
{
    if (*format == '<' || *format == '=' || *format == '@')
        format++;
    if (!*format || format[1])
        return 0;
    return *format == 'l' && sizeof(long) == 8   ? 'q'
           : *format == 'L' && sizeof(long) == 8 ? 'Q'
           : *format == 'l'                      ? 'i'
           : *format == 'L'                      ? 'I'
                                                 : *format;
}

/* Whether the object's memory is that of the image, in place; the view is released with the others. */
static bool view_image(struct calling *c, int number, PyObject *object, int flags)
{
    const struct image_fact *fact = &c->fast->image[number];
    Py_buffer *view = &c->view[number];
    if (PyObject_GetBuffer(object, view, flags) != 0) {
        PyErr_Clear();
        return false;
    }
    c->views = number + 1;
    bool good = view->ndim == fact->rank && view->itemsize == fact->bytes && view->format &&
                format_of(view->format) == fact->format &&
                (uintptr_t)view->buf % (uintptr_t)fact->bytes == 0;
    for (int k = 0; good && k < fact->rank; k++) {
        good = view->shape[k] > 0 && view->shape[k] <= INT32_MAX &&
               view->strides[k] % fact->bytes == 0;
        c->extent[number][k] = (int32_t)view->shape[k];
        c->stride[number][k] = view->strides[k] / fact->bytes;
    }
    return good;
}

/* First and last byte. */
static void bounds_of(const Py_buffer *view, uintptr_t *first, uintptr_t *last)
{
    *first = *last = (uintptr_t)view->buf;
    for (int k = 0; k < view->ndim; k++) {
        const Py_ssize_t reach = (view->shape[k] - 1) * view->strides[k];
        *(reach < 0 ? first : last) += (uintptr_t)reach;
    }
    *last += (uintptr_t)view->itemsize - 1;
}

/* A result in the caller's memory: packed, and apart from all inputs. What overlaps in a way that needs
 * a look at strides is left to the slow path. */
static bool view_out(struct calling *c, int number)
{
    const struct fast *fast = c->fast;
    const Py_buffer *view = &c->view[number];
    int32_t wanted[MOST_AXES];
    memcpy(wanted, c->extent[number], sizeof wanted);
    if (!view_image(c, number, c->out, PyBUF_RECORDS))
        return false;
    ptrdiff_t packed = 1;
    bool good = true;
    for (int k = fast->image[number].rank; k-- > 0;) {
        good = good && c->extent[number][k] == wanted[k] && c->stride[number][k] == packed;
        packed *= wanted[k];
    }
    uintptr_t own_first, own_last, first, last;
    bounds_of(view, &own_first, &own_last);
    for (int i = 0; good && i < fast->inputs; i++) {
        bounds_of(&c->view[i], &first, &last);
        good = own_last < first || last < own_first;
    }
    return good;
}

static bool make_result(struct calling *c, int number)
{
    const struct fast *fast = c->fast;
    const int rank = fast->image[number].rank;
    PyObject *shape = PyTuple_New(rank);
    for (int k = 0; shape && k < rank; k++)
        PyTuple_SetItem(shape, k, PyLong_FromLong(c->extent[number][k]));
    PyObject *made =
        shape ? PyObject_CallFunctionObjArgs(fast->empty, shape, fast->dtype[number], NULL) : NULL;
    Py_XDECREF(shape);
    c->result[number] = made;
    if (!made)
        PyErr_Clear();
    return made && view_image(c, number, made, PyBUF_RECORDS);
}

/* ---- Numbers ---- */

static bool store(union value *value, char format, double real, long long integer)
{
    switch (format) {
    case 'd':
        value->f64 = real;
        return true;
    case 'f':
        value->f32 = (float)real;
        return true;
    case 'q':
    case 'Q':
        value->i64 = integer;
        return true;
    case 'i':
    case 'I':
        value->i32 = (int32_t)integer;
        return true;
    case 'h':
    case 'H':
        value->i16 = (int16_t)integer;
        return true;
    case 'b':
    case 'B':
    case '?':
        value->i8 = (int8_t)integer;
        return true;
    default:
        return false;
    }
}

/* The object as a value in that range; false: the slow path decides. */
static bool take_value(const struct parameter_fact *fact, PyObject *object, double least,
                       double greatest, union value *value)
{
    const bool is_real = fact->format == 'd' || fact->format == 'f';
    double real = 0;
    long long integer = 0;
    if (fact->format == '?') {
        if (!PyBool_Check(object))
            return false;
        integer = object == Py_True;
    } else if (PyFloat_Check(object) && is_real) {
        real = PyFloat_AsDouble(object);
    } else if (PyLong_CheckExact(object)) {
        int overflow;
        integer = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow || integer > 1LL << 52 || integer < -(1LL << 52))
            return false;
        real = (double)integer;
    } else {
        return false;
    }
    const double compared = is_real ? real : (double)integer;
    return compared >= least && compared <= greatest && store(value, fact->format, real, integer);
}

/* Keywords; false: there is one that only the slow path knows. */
static bool take_words(struct calling *c, PyObject *words)
{
    const struct fast *fast = c->fast;
    bool given[MOST_PARAMETERS] = {false};
    Py_ssize_t at = 0;
    PyObject *name, *object;
    while (words && PyDict_Next(words, &at, &name, &object)) {
        int p = 0;
        while (p < fast->parameters && fast->parameter[p].name != name &&
               PyUnicode_Compare(fast->parameter[p].name, name) != 0)
            p++;
        if (p < fast->parameters) {
            const struct parameter_fact *fact = &fast->parameter[p];
            if (!take_value(fact, object, fact->least, fact->greatest, &c->value[p]))
                return false;
            given[p] = true;
        } else if (PyUnicode_Compare(name, word_out) == 0) {
            c->out = object == Py_None ? NULL : object;
        } else if (PyUnicode_Compare(name, word_threads) == 0 && PyLong_CheckExact(object)) {
            int overflow;
            const long long threads = PyLong_AsLongLongAndOverflow(object, &overflow);
            if (overflow || threads < 0 || threads > 1 << 16)
                return false;
            c->threads = (int)threads;
        } else {
            return false;
        }
    }
    for (int p = 0; p < fast->parameters; p++) {
        if (!given[p] && !fast->parameter[p].has_default)
            return false;
        if (!given[p])
            c->value[p] = fast->parameter[p].standard;
    }
    return true;
}

/* ---- A call ---- */

/* What the last call has left; under Python's lock, so that two calls do not take it. */
static void take_scratch(struct fast *fast, struct flt_arguments *arguments)
{
    arguments->scratch = fast->scratch;
    arguments->scratch_bytes = fast->scratch ? fast->scratch_bytes : 0;
    fast->scratch = NULL;
}

static void keep_scratch(struct fast *fast, const struct flt_arguments *arguments)
{
    if (fast->scratch || arguments->scratch_bytes > MOST_KEPT) {
        free(arguments->scratch);
        return;
    }
    fast->scratch = arguments->scratch;
    fast->scratch_bytes = arguments->scratch_bytes;
}

static bool run(struct calling *c, PyObject *images, PyObject *words)
{
    const struct fast *fast = c->fast;
    void *data[MOST_IMAGES] = {NULL};
    int32_t *extents[MOST_IMAGES];
    const ptrdiff_t *strides[MOST_IMAGES];
    const void *parameters[MOST_PARAMETERS];
    if (!take_words(c, words) || (c->out && fast->images != fast->inputs + 1))
        return false;
    for (int i = 0; i < fast->inputs; i++)
        if (!view_image(c, i, PyTuple_GetItem(images, i), PyBUF_RECORDS_RO))
            return false;
    for (int i = 0; i < fast->images; i++) {
        extents[i] = c->extent[i];
        strides[i] = c->stride[i];
    }
    for (int p = 0; p < fast->parameters; p++)
        parameters[p] = &c->value[p];
    struct flt_arguments arguments = {.size = sizeof arguments,
                                      .data = data,
                                      .extents = extents,
                                      .strides = strides,
                                      .parameters = parameters,
                                      .threads = c->threads};
    if (fast->call(FLT_EXTENTS, &arguments) != 0)
        return false;
    for (int i = fast->inputs; i < fast->images; i++)
        if (c->out ? !view_out(c, i) : !make_result(c, i))
            return false;
    for (int i = 0; i < fast->images; i++)
        data[i] = c->view[i].buf;
    take_scratch(c->fast, &arguments);
    const int status = run_watched(fast->call, FLT_RUN, &arguments);
    keep_scratch(c->fast, &arguments);
    c->is_interrupted = status < 0;
    return status == 0;
}

/* The result, or a tuple of them; takes them from the call. */
static PyObject *results_of(struct calling *c)
{
    const struct fast *fast = c->fast;
    const int count = fast->images - fast->inputs;
    if (c->out) {
        Py_INCREF(c->out);
        return c->out;
    }
    if (count == 1) {
        PyObject *result = c->result[fast->inputs];
        c->result[fast->inputs] = NULL;
        return result;
    }
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyTuple_SetItem(tuple, i, c->result[fast->inputs + i]);
        c->result[fast->inputs + i] = NULL;
    }
    return tuple;
}

static PyObject *take_slow_path(PyObject *self, PyObject *images, PyObject *words)
{
    PyObject *method = PyObject_GetAttr(self, word_call);
    PyObject *result = method ? PyObject_Call(method, images, words) : NULL;
    Py_XDECREF(method);
    return result;
}

static PyObject *fast_call(PyObject *self, PyObject *images, PyObject *words)
{
    struct fast *fast = (struct fast *)self;
    if (!fast->call || PyTuple_Size(images) != fast->inputs)
        return take_slow_path(self, images, words);
    struct calling c;
    c.fast = fast;
    c.views = c.threads = 0;
    c.is_interrupted = false;
    c.out = NULL;
    memset(c.result, 0, sizeof c.result);
    const bool ran = run(&c, images, words);
    PyObject *result = ran ? results_of(&c) : NULL;
    for (int i = 0; i < c.views; i++)
        PyBuffer_Release(&c.view[i]);
    for (int i = fast->inputs; i < fast->images; i++)
        Py_XDECREF(c.result[i]);
    return ran || c.is_interrupted ? result : take_slow_path(self, images, words);
}

/* ---- Facts ---- */

static char letter_of(PyObject *text)
{
    Py_ssize_t length = 0;
    const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
    return bytes && length == 1 ? format_of(bytes) : 0;
}

static bool take_image(struct fast *fast, PyObject *fact)
{
    const int i = fast->images;
    PyObject *format;
    if (i == MOST_IMAGES || !PyArg_ParseTuple(fact, "OinO", &format, &fast->image[i].rank,
                                              &fast->image[i].bytes, &fast->dtype[i]))
        return false;
    Py_INCREF(fast->dtype[i]);
    fast->images++;
    fast->image[i].format = letter_of(format);
    return fast->image[i].format && fast->image[i].rank <= MOST_AXES && fast->image[i].bytes > 0;
}

static bool take_parameter(struct fast *fast, PyObject *fact)
{
    const int p = fast->parameters;
    if (p == MOST_PARAMETERS)
        return false;
    struct parameter_fact *own = &fast->parameter[p];
    PyObject *format, *standard;
    if (!PyArg_ParseTuple(fact, "UOOdd", &own->name, &format, &standard, &own->least,
                          &own->greatest))
        return false;
    Py_INCREF(own->name);
    fast->parameters++;
    own->format = letter_of(format);
    own->has_default = standard != Py_None;
    return own->format &&
           (!own->has_default || take_value(own, standard, -INFINITY, INFINITY, &own->standard));
}

/* _prepare(address, owner, empty, inputs, results, parameters): facts of a filter that the fast path suits,
 * each image (format, rank, bytes, dtype), each parameter (name, format, default or None, least, greatest),
 * whose values take the slow path where least > greatest. Returns whether it is taken. */
static PyObject *prepare(PyObject *self, PyObject *arguments)
{
    struct fast *fast = (struct fast *)self;
    unsigned long long address;
    PyObject *owner, *empty, *inputs, *results, *parameters;
    if (!PyArg_ParseTuple(arguments, "KOOO!O!O!", &address, &owner, &empty, &PyTuple_Type, &inputs,
                          &PyTuple_Type, &results, &PyTuple_Type, &parameters))
        return NULL;
    if (fast->owner) {
        PyErr_SetString(PyExc_RuntimeError, "it is prepared");
        return NULL;
    }
    Py_INCREF(owner);
    Py_INCREF(empty);
    fast->owner = owner;
    fast->empty = empty;
    bool good = true;
    for (Py_ssize_t i = 0; good && i < PyTuple_Size(inputs); i++)
        good = take_image(fast, PyTuple_GetItem(inputs, i));
    fast->inputs = fast->images;
    for (Py_ssize_t i = 0; good && i < PyTuple_Size(results); i++)
        good = take_image(fast, PyTuple_GetItem(results, i));
    for (Py_ssize_t i = 0; good && i < PyTuple_Size(parameters); i++)
        good = take_parameter(fast, PyTuple_GetItem(parameters, i));
    if (PyErr_Occurred())
        return NULL;
    if (good)
        memcpy(&fast->call, &(void *){(void *)(uintptr_t)address}, sizeof fast->call);
    return PyBool_FromLong(good);
}

/* _replace(address, owner): the same filter in another library, for calls that begin from now on. Both stay
 * loaded. */
static PyObject *replace(PyObject *self, PyObject *arguments)
{
    struct fast *fast = (struct fast *)self;
    unsigned long long address;
    PyObject *owner;
    if (!PyArg_ParseTuple(arguments, "KO", &address, &owner))
        return NULL;
    if (fast->call) {
        PyObject *before = fast->owner;
        Py_INCREF(owner);
        fast->owner = owner;
        memcpy(&fast->call, &(void *){(void *)(uintptr_t)address}, sizeof fast->call);
        Py_XDECREF(before);
    }
    Py_RETURN_NONE;
}

static void fast_free(PyObject *self)
{
    struct fast *fast = (struct fast *)self;
    PyTypeObject *type = Py_TYPE(self);
    free(fast->scratch);
    Py_XDECREF(fast->owner);
    Py_XDECREF(fast->empty);
    for (int i = 0; i < fast->images; i++)
        Py_XDECREF(fast->dtype[i]);
    for (int p = 0; p < fast->parameters; p++)
        Py_XDECREF(fast->parameter[p].name);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {{"_prepare", prepare, METH_VARARGS, NULL},
                                {"_replace", replace, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_call, (void *)fast_call},
                              {Py_tp_dealloc, (void *)fast_free},
                              {Py_tp_methods, methods},
                              {0, NULL}};
static PyType_Spec spec = {.name = "fltc._call.Fast",
                           .basicsize = sizeof(struct fast),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                           .slots = slots};

/* run(address, what, arguments): a call of the slow path, FLT_RUN or FLT_RUN_BOX, whose arguments lie at that
 * address. Returns the status. */
static PyObject *run_of_slow_path(PyObject *self, PyObject *given)
{
    unsigned long long address, arguments;
    int what;
    call_of_filter *call;
    (void)self;
    if (!PyArg_ParseTuple(given, "KiK", &address, &what, &arguments))
        return NULL;
    memcpy(&call, &(void *){(void *)(uintptr_t)address}, sizeof call);
    struct flt_arguments own = *(struct flt_arguments *)(uintptr_t)arguments;
    const int status = run_watched(call, what, &own);
    free(own.scratch);
    return status < 0 ? NULL : PyLong_FromLong(status);
}

static PyMethodDef functions[] = {{"run", run_of_slow_path, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "fltc._call", .m_size = -1,
                             .m_methods = functions};

PyMODINIT_FUNC PyInit__call(void)
{
    PyObject *made = PyModule_Create(&module);
    PyObject *type = PyType_FromSpec(&spec);
    word_call = PyUnicode_InternFromString("_call");
    word_out = PyUnicode_InternFromString("out");
    word_threads = PyUnicode_InternFromString("threads");
    if (!made || !type || !word_call || !word_out || !word_threads ||
        PyModule_AddObjectRef(made, "Fast", type) != 0) {
        Py_XDECREF(made);
        made = NULL;
    }
    Py_XDECREF(type);
    return made;
}
