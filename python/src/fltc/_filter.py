"""Filters as functions of NumPy arrays."""

from __future__ import annotations

import difflib
import inspect
import keyword
import operator
import os
import re
import tempfile

import numpy as np

from ._build import build, emit, replace
from ._errors import CompileError
from ._formula import value_of
from ._interface import Image, Interface, Parameter, read_interface
from ._library import EXTENTS, REGION, RUN, Call, Library


_TOO_HARD = getattr(np, "exceptions", np).TooHardError


class _Program:
    """A program and how it is compiled: once for the types of its type variables, of which there may be none."""

    def __init__(self, source: str, text: str | None, options: list[str], with_files: list[str]):
        self.source, self.text, self.options, self.with_files = source, text, options, with_files
        self._libraries: dict[tuple, Library] = {}
        self._varying: list[set[int]] = []  # by type variable: the inputs whose type it is
        self.variables: dict[str, list[str]] = {}  # and the types that it may be
        try:
            self.interface = self.library(()).interface
        except CompileError as error:
            if not _wanted_type(error):
                raise
            self.interface = self._learn(error)

    def _emit(self, types: dict[str, str]) -> Interface:
        with tempfile.TemporaryDirectory(prefix="fltc_") as folder:
            options = self.options + ["--type=%s=%s" % item for item in types.items()]
            stem = emit(self.source, self.text, options, folder)
            with open(os.path.join(folder, stem + ".json"), encoding="utf-8") as file:
                return read_interface(file.read())

    def _learn(self, error: CompileError) -> Interface:
        """Which inputs have a type variable: those whose type changes with it."""
        types: dict[str, str] = {}
        interface = None
        while interface is None:
            try:
                interface = self._emit(types)
            except CompileError as next_error:
                wanted = _wanted_type(next_error)
                if not wanted or wanted[0] in types:
                    raise
                types[wanted[0]] = wanted[1]
        self.variables = interface.json["types"]
        for name, allowed in self.variables.items():
            other = self._emit({**types, name: next((t for t in allowed if t != types[name]), types[name])})
            changed = {i for i, pair in enumerate(zip(interface.inputs, other.inputs)) if pair[0].type != pair[1].type}
            self._varying.append(changed or set(range(len(interface.inputs))))
        return interface

    def library_for(self, arrays: list[np.ndarray]) -> Library:
        """That for the types of the inputs."""
        types = []
        for (name, allowed), inputs in zip(self.variables.items(), self._varying):
            given = _type_of(arrays[min(inputs)].dtype)
            if given not in allowed:
                image = self.interface.inputs[min(inputs)].name
                raise TypeError(
                    "'%s' has samples of type %s; %s, its type, may be %s"
                    % (image, arrays[min(inputs)].dtype, name, ", ".join(allowed))
                )
            types.append((name, given))
        return self.library(tuple(types))

    def library(self, types: tuple) -> Library:
        if types not in self._libraries:
            options = self.options + ["--type=%s=%s" % item for item in types]
            self._libraries[types] = Library(build(self.source, self.text, options, self.with_files))
        return self._libraries[types]


class _Loaded:
    """A library in the place of a program."""

    variables: dict[str, list[str]] = {}

    def __init__(self, library: Library):
        self.interface = library.interface
        self._library = library

    def library_for(self, arrays: list[np.ndarray]) -> Library:
        return self._library

    def library(self, types: tuple) -> Library:
        return self._library


def _wanted_type(error: CompileError) -> tuple[str, str] | None:
    """The type variable that has no type, and one that it may have."""
    first = error.diagnostics[0] if error.diagnostics else {}
    helps = " ".join(entry["message"] for entry in first.get("helps", []))
    found = re.search(r"--type (\w+)=(\w+)", helps) if first.get("code") == "E0326" else None
    return (found.group(1), found.group(2)) if found else None


def _type_of(dtype: np.dtype) -> str:
    """f32 of float32, in the words of the language."""
    kind = {"f": "f", "u": "u", "i": "i", "c": "c"}.get(dtype.kind)
    return "bool" if dtype.kind == "b" else (kind or "?") + str(8 * dtype.itemsize // (2 if kind == "c" else 1))


def _near(name: str, names) -> str:
    found = difflib.get_close_matches(name, list(names), 1)
    return "; did you mean '%s'?" % found[0] if found else ""


# ---- Parameters ----


def _choice(parameter: Parameter, value) -> int:
    if value not in parameter.choices:
        raise ValueError("%s=%r is none of %s%s" % (parameter.name, value, ", ".join(parameter.choices),
                                                    _near(str(value), parameter.choices)))
    return parameter.choices.index(value)


def _number(parameter: Parameter, value):
    """The number that stands for the value."""
    if parameter.choices:
        return _choice(parameter, value)
    if parameter.dtype.kind == "b":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError("%s=%r is neither True nor False" % (parameter.name, value))
        return bool(value)
    is_real = parameter.dtype.kind == "f" or parameter.fraction_bits is not None
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = float(value) if is_real else operator.index(value)
    except TypeError:
        kind = "a number" if is_real else "an integer"
        raise TypeError("%s takes %s, not %r" % (parameter.name, kind, value)) from None
    least, greatest = parameter.least, parameter.greatest
    if least is not None and greatest is not None and not least <= number <= greatest:
        raise ValueError("%s=%r is outside of %s .. %s" % (parameter.name, value, least, greatest))
    if parameter.fraction_bits is not None:
        number = round(number * 2**parameter.fraction_bits)
    if parameter.dtype.kind == "f" and abs(number) != float("inf") and abs(number) > np.finfo(parameter.dtype).max:
        raise ValueError("%s=%r does not fit its type, %s" % (parameter.name, value, parameter.type))
    if parameter.dtype.kind in "iu" and not np.iinfo(parameter.dtype).min <= number <= np.iinfo(parameter.dtype).max:
        raise ValueError("%s=%r does not fit its type, %s" % (parameter.name, value, parameter.type))
    return number


def _python_name(name: str) -> str:
    """Words of Python, and arguments of every call, get a _."""
    return name + "_" if keyword.iskeyword(name) or name in ("out", "threads", "axes", "box") else name


def _unknown(interface: Interface, given: dict) -> None:
    if given:
        name = next(iter(given))
        names = [_python_name(p.name) for p in interface.parameters] + [image.name for image in interface.inputs]
        raise TypeError("'%s' has no parameter '%s'%s" % (interface.name, name, _near(name, names)))


def _values(interface: Interface, given: dict) -> list[np.ndarray]:
    """In the order of the signature, each in memory of its own."""
    values = []
    for parameter in interface.parameters:
        value = given.pop(_python_name(parameter.name), parameter.default)
        if value is None:
            raise TypeError("'%s' needs %s" % (interface.name, parameter))
        values.append(np.array(_number(parameter, value), parameter.dtype))
    return values


# ---- Images ----


def _wrong_rank(image: Image, array: np.ndarray, axes) -> str:
    text = "'%s' has %d axes, but the filter takes %s" % (image.name, array.ndim, image)
    if axes is not None:
        lacking = [name for name in image.axis_names if name not in axes]
        text += "; axes=%r names %d" % ("".join(axes), len(axes))
        text += " and lacks %s" % ", ".join(lacking) if lacking else ""
    elif array.ndim > len(image.axes):
        more = "c" * (array.ndim - len(image.axes)) if array.ndim == len(image.axes) + 1 else "..."
        text += '; name them, and it is applied to each plane: axes="%s%s"' % ("".join(image.axis_names), more)
    return text


class _Mapping:
    """A call for each place along the axes that the filter does not name."""

    def __init__(self, interface: Interface, arrays: list[np.ndarray], axes):
        self.interface = interface
        self.axes = tuple(axes) if axes is not None else None
        if self.axes and len(set(self.axes)) < len(self.axes):
            raise ValueError("axes=%r names an axis twice" % "".join(self.axes))
        self.more: tuple[str, ...] = ()
        self.extents: dict[str, int] = {}
        self.inputs = [self._split(image, array) for image, array in zip(interface.inputs, arrays)]

    def _split(self, image: Image, array: np.ndarray) -> np.ndarray:
        """The array with the axes of the filter last; others, if there are any, before them."""
        own = image.axis_names
        if array.ndim == len(own) and (self.axes is None or set(own) != set(self.axes)):
            return array
        if self.axes is None or array.ndim != len(self.axes) or not set(own) <= set(self.axes):
            raise TypeError(_wrong_rank(image, array, self.axes))
        more = tuple(name for name in self.axes if name not in own)
        for name in more:
            extent = array.shape[self.axes.index(name)]
            if self.extents.setdefault(name, extent) != extent:
                raise ValueError("images differ in extent along %s: %d and %d" % (name, self.extents[name], extent))
        self.more = more or self.more
        return array.transpose([self.axes.index(name) for name in more + own])

    def order(self, output: Image) -> tuple[str, ...]:
        """The axes of a result as the caller has it."""
        names = self.more + output.axis_names
        if len(set(names)) < len(names):
            raise ValueError("'%s' has an axis that the filter is mapped over: %s" % (output, ", ".join(self.more)))
        if self.axes is not None and set(names) == set(self.axes):
            return self.axes
        return output.axis_names + self.more

    def places(self):
        return np.ndindex(*[self.extents[name] for name in self.more])


def _ready(image: Image, array: np.ndarray) -> np.ndarray:
    """The array, or a copy where its memory is none that C can read."""
    if array.dtype != image.dtype:
        raise TypeError(
            "'%s' has samples of type %s, but the filter takes %s; write .astype(np.%s)"
            % (image.name, array.dtype, image, image.dtype.name)
        )
    if max(array.shape, default=0) >= 2**31:
        raise ValueError("'%s' has an axis of 2^31 samples or more" % image.name)
    steps = [step % array.itemsize for step in array.strides]
    return array if array.flags.aligned and not any(steps) else np.array(array, order="C")


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=10**5)  # type: ignore[arg-type]
    except _TOO_HARD:
        return True


def _overlaps_itself(array: np.ndarray) -> bool:
    """Whether it may: each step is to be wider than all that finer ones reach."""
    reach = array.itemsize
    for step, extent in sorted((abs(step), n) for step, n in zip(array.strides, array.shape) if n > 1):
        if step < reach:
            return True
        reach += step * (extent - 1)
    return False


def _check_out(output: Image, array, shape: tuple[int, ...], inputs: list[np.ndarray]) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.dtype != output.dtype or array.shape != shape:
        given = "%s%s" % (array.dtype, array.shape) if isinstance(array, np.ndarray) else type(array).__name__
        raise TypeError("out for '%s' is to be an array %s%s, not %s" % (output.name, output.dtype, shape, given))
    if not array.flags.writeable:
        raise ValueError("out for '%s' is read-only" % output.name)
    if not array.flags.aligned or any(step % array.itemsize for step in array.strides):
        raise ValueError("out for '%s' has strides that are no multiples of its samples" % output.name)
    if _overlaps_itself(array):
        raise ValueError("out for '%s' has samples that share memory" % output.name)
    if any(_overlap(array, other) for other in inputs):
        raise ValueError("out for '%s' shares memory with an input; the filter reads that while it writes" % output.name)
    return array


# ---- Filters ----


class Filter:
    """A compiled filter: a function of arrays, images by position and parameters by name.

    ``interface`` describes it. Made by ``fltc.filter`` and ``fltc.load``.
    """

    def __init__(self, program: _Program | _Loaded, origin: tuple):
        self._program, self._origin = program, origin
        self.interface: Interface = program.interface
        self.__name__ = self.interface.name
        self.__doc__ = _document(self.interface)
        self.__signature__ = _signature(self.interface)

    def __call__(self, *images, out=None, threads: int = 0, axes=None, **arguments):
        """Computes the results.

        Parameters
        ----------
        *images : array_like
            The inputs in the order of the signature. Their types are those of the interface: nothing is converted. Any strides.
        out : ndarray or tuple of ndarray, optional
            Where the results go; of another memory than the inputs.
        threads : int
            As many at most; 0: as many as there are processors. The result does not depend on it.
        axes : str or sequence of str, optional
            Names of the axes of images, such as "yxc": the filter is applied for each place along those that it does not name.
        **arguments
            Parameters.

        Returns
        -------
        ndarray or tuple of ndarray
            One array, or as many as the filter has results.
        """
        arrays = self._arrays(images, arguments)
        mapping = _Mapping(self.interface, arrays, axes)
        library = self._program.library_for(mapping.inputs)
        interface = library.interface
        values = _values(interface, arguments)
        _unknown(interface, arguments)
        inputs = [_ready(image, array) for image, array in zip(interface.inputs, mapping.inputs)]
        planes = [array.shape[array.ndim - len(image.axes) :] for image, array in zip(interface.inputs, inputs)]
        call = Call(library, planes, values, max(0, min(operator.index(threads), 2**16)))
        call.do(EXTENTS)
        count = len(inputs)
        shapes = [call.shape(count + i) for i in range(len(interface.outputs))]
        results = self._results(interface, mapping, shapes, inputs, out)
        for place in mapping.places():
            for number, (image, array) in enumerate(zip(interface.inputs, inputs)):
                call.place(number, array[place + (...,)] if array.ndim > len(image.axes) else array)
            for number, (output, array) in enumerate(zip(interface.outputs, results)):
                order = mapping.order(output)
                split = array.transpose([order.index(name) for name in mapping.more + output.axis_names])
                call.place(count + number, split[place + (...,)])
            call.do(RUN)
        return results[0] if len(results) == 1 else tuple(results)

    def _arrays(self, images: tuple, arguments: dict) -> list[np.ndarray]:
        given = list(images)
        inputs = self.interface.inputs
        for image in inputs[len(given) :]:
            if image.name in arguments:
                given.append(arguments.pop(image.name))
        if len(given) != len(inputs):
            raise TypeError("'%s' takes %d images, not %d: %s" % (
                self.interface.name, len(inputs), len(given), ", ".join(map(str, inputs))))
        return [np.asarray(image) for image in given]

    @staticmethod
    def _results(interface, mapping, shapes, inputs, out) -> list[np.ndarray]:
        outs = [None] * len(shapes) if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        if len(outs) != len(shapes):
            raise TypeError("out is to be %d arrays, not %d" % (len(shapes), len(outs)))
        results = []
        for output, shape, given in zip(interface.outputs, shapes, outs):
            extents = {**dict(zip(output.axis_names, shape)), **mapping.extents}
            whole = tuple(extents[name] for name in mapping.order(output))
            if given is None:
                results.append(np.empty(whole, output.dtype))
            else:
                results.append(_check_out(output, given, whole, inputs + results))
        return results

    def region(self, *shapes, box, **arguments) -> list[tuple[slice, ...]]:
        """Which samples of each input a part of the results depends on.

        Parameters
        ----------
        *shapes : tuple of int, or ndarray
            The extents of the inputs.
        box : sequence of slice or of (first, end)
            A part of the result, one for each axis, in indices from 0; of several results a sequence of such.
        **arguments
            Parameters.

        Returns
        -------
        list of tuple of slice
            One for each input: ``image[region[0]]`` is what is read of the first one. A filter may read less.
        """
        library = self._program.library_for([np.empty(0, i.dtype) for i in self.interface.inputs])
        interface = library.interface
        if len(shapes) != len(interface.inputs):
            raise TypeError("'%s' takes %d images, not %d" % (interface.name, len(interface.inputs), len(shapes)))
        if "region" not in interface.json["calls"]:
            raise TypeError("'%s' has results of no axes: they depend on all samples" % interface.name)
        extents = [tuple(getattr(shape, "shape", shape)) for shape in shapes]
        for image, shape in zip(interface.inputs, extents):
            if len(shape) != len(image.axes) or not all(0 < n < 2**31 for n in shape):
                raise ValueError("%s is no shape of %s" % (shape, image))
        values = _values(interface, arguments)
        _unknown(interface, arguments)
        call = Call(library, extents, values, 1)
        call.do(EXTENTS)
        boxes = [box] if len(interface.outputs) == 1 else list(box)
        bounds = self._bounds(interface, call, extents, boxes, values)
        regions = []
        call.arguments.box = (call.arguments.box._type_ * len(bounds))(*bounds)
        for number, shape in enumerate(extents):
            ends = (call.arguments.box._type_ * (2 * len(shape) + 2))()
            call.arguments.input, call.arguments.region = number, ends
            call.do(REGION)
            regions.append(tuple(slice(ends[2 * k], ends[2 * k + 1]) for k in range(len(shape))))
        return regions

    @staticmethod
    def _bounds(interface, call, shapes, boxes, values) -> list[int]:
        names = {
            "%s.%s" % (image.name, name): extent
            for image, shape in zip(interface.inputs, shapes)
            for name, extent in zip(image.axis_names, shape)
        }
        names.update({parameter.name: value.item() for parameter, value in zip(interface.parameters, values)})
        bounds = []
        for number, (output, box) in enumerate(zip(interface.outputs, boxes, strict=True)):
            shape = call.shape(len(shapes) + number)
            if len(box) != len(shape):
                raise TypeError("a box of '%s' has %d axes, not %d" % (output.name, len(shape), len(box)))
            for part, extent, axis in zip(box, shape, output.axes):
                first, end = part.indices(extent)[:2] if isinstance(part, slice) else map(operator.index, part)
                if not 0 <= first < end <= extent:
                    raise ValueError("%d .. %d along %s is no part of 0 .. %d" % (first, end, axis.name, extent))
                begin = value_of(axis.first, names) if axis.first is not None else 0
                bounds += [begin + first, begin + end]
        return bounds

    def fix(self, **values) -> Filter:
        """The filter compiled for values of some parameters, which it then does not take; often faster.

        Returns
        -------
        Filter
        """
        if isinstance(self._program, _Loaded):
            raise TypeError("'%s' was loaded; fix its program" % self.interface.name)
        known = {parameter.name: parameter for parameter in self.interface.parameters}
        for name, value in values.items():
            if name not in known:
                raise TypeError("'%s' has no parameter '%s'%s" % (self.interface.name, name, _near(name, known)))
            _number(known[name], value)
        source, name, with_files, constants = self._origin
        return _made(source, name, with_files, {**constants, **values})

    def save(self, path: str) -> None:
        """Writes the compiled filter, which ``fltc.load`` takes on a machine of the same kind, without fltc and a C compiler."""
        if self._program.variables:
            raise TypeError("'%s' has type variables; write its types into the program" % self.interface.name)
        with open(self._program.library(()).path, "rb") as file:
            replace(os.fspath(path), file.read())

    def __repr__(self) -> str:
        facts = self.interface
        lines = ["<fltc filter %s(%s) -> %s>" % (facts.name, ", ".join(map(str, facts.inputs)),
                                                  ", ".join(map(str, facts.outputs)))]
        lines += ["    %s%s" % (parameter, ": " + parameter.text if parameter.text else "") for parameter in facts.parameters]
        return "\n".join(lines)

    def __reduce__(self):
        return (load if isinstance(self._program, _Loaded) else _made, self._origin)


def _document(facts: Interface) -> str:
    lines = [facts.text + "." if facts.text else "The filter %s." % facts.name, "", "Parameters", "----------"]
    for image in facts.inputs:
        lines += ["%s : ndarray of %s, axes [%s]" % (image.name, image.dtype.name, ", ".join(image.axis_names))]
    for parameter in facts.parameters:
        lines += [str(parameter)] + (["    " + parameter.text] if parameter.text else [])
    lines += ["", "Returns", "-------"]
    lines += ["%s : ndarray of %s, axes [%s]" % (o.name, o.dtype.name, ", ".join(o.axis_names)) for o in facts.outputs]
    return "\n".join(lines)


def _signature(facts: Interface) -> inspect.Signature:
    """Names that are words of Python get a _."""
    images = [
        inspect.Parameter(i.name if i.name.isidentifier() and i.name != "in" else i.name.replace(".", "_") + "_",
                          inspect.Parameter.POSITIONAL_ONLY)
        for i in facts.inputs
    ]
    parameters = [
        inspect.Parameter(_python_name(p.name), inspect.Parameter.KEYWORD_ONLY,
                          default=inspect.Parameter.empty if p.default is None else p.default)
        for p in facts.parameters
    ]
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in (("out", None), ("threads", 0), ("axes", None))]
    return inspect.Signature(images + parameters + more)


def _made(source: str, name: str | None, with_files: tuple[str, ...], constants: dict) -> Filter:
    is_text = "\n" in source or source.lstrip().startswith("filter ")
    options = ["--filter=" + name] if name else []
    for constant, value in constants.items():
        value = value.item() if isinstance(value, np.generic) else value
        options.append("--param=%s=%s" % (constant, str(value).lower() if isinstance(value, bool) else value))
    program = _Program("-" if is_text else source, source if is_text else None, options, list(with_files))
    return Filter(program, (source, name, tuple(with_files), constants))


def filter(source, name: str | None = None, *, with_files=(), **constants) -> Filter:  # pylint: disable=redefined-builtin
    """Compiles a filter.

    Parameters
    ----------
    source : str or path
        A file, or the text of a program.
    name : str, optional
        The filter, if the program has several.
    with_files : sequence of str
        Files that define C functions which the program calls: .c, .o or .a.
    **constants
        Values of constants of the signature, and of parameters, which become constants.

    Returns
    -------
    Filter

    Raises
    ------
    CompileError
        The program is refused; Python shows its place.
    """
    return _made(os.fspath(source), name, tuple(map(os.fspath, with_files)), constants)


def load(path) -> Filter:
    """A filter that ``Filter.save`` has written, or a shared library of a file from ``fltc emit --interface``.

    Its code runs with your rights: load what you trust.

    Raises
    ------
    ValueError
        The file is no such library.
    """
    path = os.fspath(path)
    return Filter(_Loaded(Library(path)), (path,))
