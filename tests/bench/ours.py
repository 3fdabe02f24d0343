"""Emitted C as a function on arrays, compiled as its first line says, for the machine at hand."""

import ctypes
import os
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../library"))
import program  # noqa: E402

BUILD = os.environ["BUILD"]
WORK = os.path.join(BUILD, "bench")
COMPILE = ["cc", "-std=c99", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]


def tuned(path, image, threads, seconds):
    """The path of the same filter with the fastest schedule that was found in that time."""
    base = os.path.join(WORK, os.path.basename(path)[:-len(".flt")] + "_tuned")
    np.save(base + ".npy", image)
    command = [os.path.join(BUILD, "fltc"), "tune", path, base + ".npy", "--seconds", str(seconds)]
    schedule = subprocess.run(command + ["--threads", str(threads)], check=True, stdout=subprocess.PIPE).stdout
    with open(path, "rb") as source, open(base + ".flt", "wb") as file:
        file.write(source.read() + schedule)
    os.remove(base + ".npy")
    return base + ".flt"


def emit(path, *options, suffix=""):
    """The path of the emitted C without its ending. What is loaded in one run needs names apart: suffix."""
    base = os.path.join(WORK, os.path.basename(path)[:-len(".flt")] + suffix)
    subprocess.run([os.path.join(BUILD, "fltc"), "emit", *options, path, "-o", base + ".c"], check=True)
    return base


class Tasks(ctypes.Structure):
    """struct flt_tasks."""
    _fields_ = [("context", ctypes.c_void_p), ("run", ctypes.c_void_p), ("cancelled", ctypes.c_void_p)]


def tasks_of_a_caller():
    """Tasks that the pool of pool.c runs."""
    path = os.path.join(WORK, "pool.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pool.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", path, "-lpthread"], check=True)
    return Tasks(None, ctypes.cast(ctypes.CDLL(path).pool_run, ctypes.c_void_p), None)


def compiled(path, images, threads, options=(), suffix="", tasks=None, **scalars):
    """(run, results): run() computes the results, arrays, from the images, in the order of the signature. options: of
    fltc emit. run.whole() takes its scratch memory from malloc, each time anew.
    tasks: what the threads of a caller do."""
    base = emit(path, *options, suffix=suffix)
    with open(base + ".c") as file:
        # Bsymbolic: code that programs take may stand in this library, too.
        libraries = ["-Wl,-Bsymbolic", os.path.join(BUILD, "libfltparticles.a")] if "flt_apr_" in file.read() else []
    subprocess.run(COMPILE + [base + ".c", "-o", base + ".so", *libraries, "-lm"], check=True)
    library = ctypes.CDLL(base + ".so")
    with open(base + ".h") as file:
        header = file.read()
    name = re.search(r"^int (\w+)_run\(", header, re.M).group(1)
    structs, images = program.structs_of(header), list(images)
    outputs = [a[2] for a in program.arguments_of(header, name + "_extents")
               if a[0] == "struct" and not a[1].startswith("const ")]
    given, made, kept = [], {}, []
    for kind, ctype, argument in program.arguments_of(header, name):
        if kind == "scalar":
            given.append(program.CTYPES.get(ctype, ctypes.c_int32)(scalars.pop(argument)))
            continue
        struct = structs[program.struct_name(ctype)]
        image = struct() if argument in outputs else program.filled(struct, images.pop(0))
        if argument in outputs:
            made[argument] = image
        kept.append(image)
        given.append(ctypes.byref(image))
    status = getattr(library, name + "_extents")(*given)
    results = [program.allocated(made[o]) for o in outputs]
    # Scratch memory is the caller's, as in a product: it is there before.
    function, bytes_of_scratch = getattr(library, name + "_run"), getattr(library, name + "_scratch_bytes")
    bytes_of_scratch.restype = ctypes.c_size_t
    size = bytes_of_scratch(*given, ctypes.c_int(threads))
    scratch = np.zeros(size + 64, dtype=np.uint8)
    at = ctypes.c_void_p(-(-scratch.ctypes.data // 64) * 64)

    if tasks:
        function = getattr(library, name + "_run_by")
        given_tasks = [ctypes.byref(tasks)]
    else:
        given_tasks = []

    def run():
        assert function(*given, at, ctypes.c_size_t(size), ctypes.c_int(threads), *given_tasks) == 0

    def whole():
        assert getattr(library, name)(*given, ctypes.c_int(threads)) == 0

    assert status == 0
    run.whole = whole
    run.kept = kept, results, library, scratch
    return run, results


def limits():
    """What the machine can do (limits.c): copy and stream bytes, arithmetic without memory."""
    made = os.path.join(WORK, "limits.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "limits.c")
    subprocess.run(COMPILE + [source, "-o", made], check=True)
    library = ctypes.CDLL(made)
    for name in ("copy", "stream"):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    library.arithmetic.argtypes = [ctypes.c_int64, ctypes.c_int]
    return library
