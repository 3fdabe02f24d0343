"""Programs in the filter language that are called like functions.

Program(...) writes a program around one expression, for instance

    import std.gradient;
    filter tried(in : image<f32>[y, x]) -> out : image<f32>[y, x] { border nearest; out = sobel_x(in); }

compile_all() emits every program as C and compiles it, two at a time; what was compiled before lies in
BUILD/tests/library under the hash of its C. Then program(a, b, sigma=2) runs it on arrays.
"""

import ctypes
import hashlib
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np

BUILD = os.environ["BUILD"]
WORK = os.path.join(BUILD, "tests", "library")
# Most of the time is the C compiler's, and every level gives the same bits.
COMPILE = ["cc", "-std=c99", "-O1" if os.environ.get("FULL") else "-O0", "-ffp-contract=off", "-shared", "-fPIC"]

NUMBERS = {
    "uint8_t": np.uint8, "int8_t": np.int8, "uint16_t": np.uint16,
    "int16_t": np.int16, "uint32_t": np.uint32, "int32_t": np.int32, "int64_t": np.int64,
    "float": np.float32, "double": np.float64,
}
CTYPES = {"float": ctypes.c_float, "double": ctypes.c_double, "int64_t": ctypes.c_int64}

programs = []  # all that were written, in order


class Refused(Exception):
    """fltc refused a program: its messages."""


class Program:
    """inputs: the signature without its parentheses. result: the type of out, or what stands behind `->`
    in parentheses. body: an expression, or statements that define the results. schedule: directives. before: the text
    of a file whose filters the body calls."""

    def __init__(self, modules, inputs, result, body, border=None, schedule="", before=""):
        imports = "".join(f"import std.{m};\n" for m in modules.split()) + before
        results = f"out : {result}" if not result.startswith("(") else result
        if not body.rstrip().endswith(";"):
            body = f"out = {body};"
        rule = f"border {border}; " if border else ""
        self.text = f"{imports}filter tried({inputs}) -> {results}\n{{\n    {rule}{body}\n}}\n"
        if schedule:
            self.text += f"schedule tried for c {{ {schedule} }}\n"
        self.library = None
        programs.append(self)

    def emit(self):
        """The C and its header, or an exception with fltc's messages."""
        name = hashlib.sha1(self.text.encode()).hexdigest()[:16]
        source = os.path.join(WORK, name + ".flt")
        with open(source, "w") as file:
            file.write(self.text)
        base = os.path.join(WORK, name)
        done = subprocess.run([os.path.join(BUILD, "fltc"), "emit", source, "-o", base + ".c"],
                              capture_output=True, text=True)
        if done.returncode:
            raise Refused(done.stderr.replace(source, self.text.split("out = ")[-1].split(";")[0]))
        return base

    def compile(self):
        base = self.emit()
        with open(base + ".c") as file:
            code = file.read()
        with open(base + ".h") as file:
            header = file.read()
        libraries, linked = [], b""
        if "flt_apr_" in code:
            libraries = [os.path.join(BUILD, "libfltparticles.a"), "-Wl,-Bsymbolic", "-fopenmp"]
            with open(libraries[0], "rb") as file:
                linked = file.read()
        made = os.path.join(WORK, hashlib.sha1((code + header + " ".join(COMPILE)).encode() + linked).hexdigest() + ".so")
        if not os.path.exists(made):
            subprocess.run(COMPILE + [base + ".c", "-o", made + ".part", *libraries, "-lm"], check=True)
            os.replace(made + ".part", made)
        self.library = ctypes.CDLL(made)
        self.structs = structs_of(header)
        self.arguments = arguments_of(header, "tried")
        self.results = [a for a in arguments_of(header, "tried_extents")
                        if a[0] == "struct" and not a[1].startswith("const ")]

    def __call__(self, *images, threads=1, **scalars):
        """images: in the order of the signature. Returns the result, or a tuple of several."""
        images, given, outputs = list(images), [], {}
        result_names = [name for _, _, name in self.results]
        for kind, ctype, name in self.arguments:
            if kind == "struct" and name in result_names:
                outputs[name] = self.structs[struct_name(ctype)]()
                given.append(ctypes.byref(outputs[name]))
            elif kind == "struct":
                given.append(ctypes.byref(filled(self.structs[struct_name(ctype)], images.pop(0))))
            else:
                given.append(CTYPES.get(ctype, ctypes.c_int32)(scalars.pop(name)))
        assert not images and not scalars, f"arguments that the filter does not take\n{self.text}"
        self.checked(self.library.tried_extents(*given))
        made = [allocated(outputs[name]) for name in result_names]
        self.checked(self.library.tried(*given, ctypes.c_int(threads)))
        return made[0] if len(made) == 1 else tuple(made)

    def checked(self, status):
        if status:
            self.library.tried_status_text.restype = ctypes.c_char_p
            raise RuntimeError(f"{self.library.tried_status_text(status).decode()}\n{self.text}")


def struct_name(ctype):
    return ctype.replace("const ", "").replace("struct ", "")


def structs_of(header):
    """Every image structure of a header as a class, with the type of its samples."""
    found = {}
    for name, number, axes in re.findall(r"struct (\w+) \{\n\s*(?:const )?(\w+) \*data;\n(?:\s*int32_t ([\w, ]+);)?",
                                         header):
        axes = [a.strip() for a in axes.split(",")] if axes else []
        fields = [("data", ctypes.c_void_p)] + [(a, ctypes.c_int32) for a in axes]
        fields += [("stride_" + a, ctypes.c_ssize_t) for a in axes]
        found[name] = type(name, (ctypes.Structure,), {"_fields_": fields, "number": NUMBERS[number], "axes": axes})
    return found


def arguments_of(header, function):
    """('struct', type, name) or ('scalar', type, name) for each argument but the number of threads."""
    written = re.search(rf"^int {function}\(([^)]*)\);", header, re.M).group(1)
    found = []
    for argument in re.sub(r"\s+", " ", written).split(", "):
        ctype, name = re.match(r"(.*?) \*?(\w+)$", argument).groups()
        if name != "threads":
            found.append(("struct" if "struct" in ctype else "scalar", ctype, name))
    return found


def filled(structure, array):
    array = array.view(np.uint8) if array.dtype == bool else array  # as emitted code stores truth values
    assert array.dtype == structure.number, f"{array.dtype} where {structure.number} is taken"
    assert array.ndim == len(structure.axes), f"{array.shape} where {structure.axes} is taken"
    image = structure(array.ctypes.data)
    for axis, extent, stride in zip(structure.axes, array.shape, array.strides):
        setattr(image, axis, extent)
        setattr(image, "stride_" + axis, stride // array.itemsize)
    image.kept = array
    return image


def allocated(image):
    array = np.zeros([getattr(image, a) for a in image.axes], image.number)
    image.data = array.ctypes.data
    return array


def compile_all():
    """Compiles all programs; those that fltc refuses are returned as (program, message)."""
    os.makedirs(WORK, exist_ok=True)
    alike = {}
    for program in programs:
        alike.setdefault(program.text, []).append(program)

    def attempt(same):
        try:
            same[0].compile()
        except Refused as refused:
            return [(program, str(refused)) for program in same]
        for other in same[1:]:
            vars(other).update(vars(same[0]))
        return []

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(attempt, alike.values()), [])
