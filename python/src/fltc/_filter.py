"""Filters as functions of NumPy arrays."""

from __future__ import annotations

import importlib
import operator
import os
import sys
import threading

import numpy as np

from ._arrays import Mapping, check_out, check_type, ready
from ._boxes import Boxes, Part, part_of
from ._build import replace
from ._errors import FilterError
from ._fast import Calls, prepare
from ._interface import Interface
from ._library import EXTENTS, RUN, RUN_BOX, Call, Library
from ._parameters import near, number_of, option_of, refuse_unknown, taken_of, values_of
from ._program import Loaded, Program
from ._signature import HEAD, document_of, signature_of, stub_of


class Filter(Calls):
    """A compiled filter: a function of arrays, images by position and parameters by name.

    ``interface`` describes it. Made by ``fltc.filter`` and ``fltc.load``. A call computes the results, or a part of them:

    Parameters
    ----------
    *images : array_like, or fltc.Part, dask.array.Array, xarray.DataArray
        The inputs in the order of the signature. Their types are those of the interface: nothing is converted. Any strides.
    out : ndarray or tuple of ndarray, optional
        Where the results go; of another memory than the inputs. With ``box`` it has the box's shape.
    threads : int
        As many at most; 0: as many as there are processors, of a chunk of Dask 1. The result does not depend on it.
    axes : str or sequence of str, optional
        Names of the axes of images, such as "yxc": the filter is applied for each place along those that it does not name.
    box : sequence of slice or of (first, end), optional
        The part of the result to compute, one for each axis that the filter names, in indices from 0; of several results a
        sequence of such. Its samples are those of the whole. What it depends on is all that is read of the images, so that
        a ``Part`` may stand for each.
    **arguments
        Parameters.

    Returns
    -------
    ndarray or tuple of ndarray
        One array, or as many as the filter has results. Lazy ones, where an image is: a task for each chunk of the results.

    Raises
    ------
    TypeError
        Arguments do not suit the filter, or it has no boxes.
    ValueError
        A parameter is out of its range, a box or a part is not inside of its image, chunks are too small for the filter.
    FilterError
        The filter refuses the extents; a part lacks samples; there is no memory.
    """

    def __init__(self, program: Program | Loaded, origin: tuple):
        self._program, self._origin = program, origin
        self.interface: Interface = program.interface
        self.__name__ = self.interface.name
        self.__doc__ = document_of(self.interface)
        self.__signature__ = signature_of(self.interface)
        prepare(self, program)

    def _call(self, *images, out=None, threads: int = 0, axes=None, box=None, **arguments):
        """A call, where its arguments are to be converted or explained."""
        given = self._given(images, arguments)
        elsewhere = _elsewhere(given)
        if elsewhere:
            return elsewhere.apply(self, given, out=out, threads=threads, axes=axes, box=box, **arguments)
        for image, one in zip(self.interface.inputs, given):
            if isinstance(one, Part) and box is None:
                raise TypeError("'%s' is a part of an image; say of which part of the result: box=" % image.name)
        parts = [part_of(image, one) for image, one in zip(self.interface.inputs, given)]
        arrays = [part.samples for part in parts]
        mapping = Mapping(self.interface, arrays, axes)
        shapes = [mapping.split(number, part.shape) for number, part in enumerate(parts)]
        call = self._called(arrays, shapes, arguments, max(0, min(operator.index(threads), 2**16)), box is not None)
        interface = call.library.interface
        inputs = [ready(mapping.planes(number, array)) for number, array in enumerate(arrays)]
        if box is None:
            extents = [call.shape(len(inputs) + number) for number in range(len(interface.outputs))]
            results = self._results(interface, mapping, extents, inputs, out)
            _fill(call, RUN, mapping, inputs, results)
        else:
            boxes = Boxes(call)
            wanted = boxes.of(box)
            results = self._results(interface, mapping, [tuple(end - first for first, end in one) for one in wanted], inputs, out)
            held = [[(first, first + size) for first, size in zip(mapping.split(n, part.first), mapping.split(n, part.samples.shape))]
                    for n, part in enumerate(parts)]
            boxes.ask(wanted)
            call.hold(held)
            try:
                _fill(call, RUN_BOX, mapping, inputs, results)
            except FilterError as error:
                raise boxes.explained(error, wanted, held) from None
        return results[0] if len(results) == 1 else tuple(results)

    def _given(self, images: tuple, arguments: dict) -> list:
        """The inputs, some of which may be given by name."""
        given = list(images)
        inputs = self.interface.inputs
        for image in inputs[len(given) :]:
            if image.name in arguments:
                given.append(arguments.pop(image.name))
        if len(given) != len(inputs):
            raise TypeError("'%s' takes %d images, not %d: %s" % (
                self.interface.name, len(inputs), len(given), ", ".join(map(str, inputs))))
        return given

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
                results.append(check_out(output, given, whole, inputs + results))
        return results

    def region(self, *shapes, box, **arguments) -> list[tuple[slice, ...]]:
        """Which samples of each input a part of the results depends on.

        Parameters
        ----------
        *shapes : tuple of int, or what has a shape
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
        arrays = [shape if hasattr(shape, "dtype") else np.empty(0, i.dtype) for shape, i in zip(shapes, self.interface.inputs)]
        if len(shapes) != len(self.interface.inputs):
            raise TypeError("'%s' takes %d images, not %d" % (self.interface.name, len(self.interface.inputs), len(shapes)))
        extents = [tuple(getattr(shape, "shape", shape)) for shape in shapes]
        for image, one in zip(self.interface.inputs, extents):
            if len(one) != len(image.axes) or not all(0 < n < 2**31 for n in one):
                raise ValueError("%s is no shape of %s" % (one, image))
        call = self._called(arrays, extents, arguments)
        if "region" not in call.library.interface.json["calls"]:
            raise TypeError("'%s' has results of no axes: they depend on all samples" % self.interface.name)
        boxes = Boxes(call)
        return boxes.regions(boxes.of(box))

    def _called(self, arrays: list, shapes: list[tuple[int, ...]], arguments: dict, threads: int = 1, boxes: bool = False) -> Call:
        """A call for images of the types of the arrays and of these shapes, which knows the extents of its results.

        Takes the parameters from the arguments, and refuses others.
        """
        library = self._program.library_for(arrays, boxes)
        for image, array, shape in zip(library.interface.inputs, arrays, shapes):
            check_type(image, array, shape)
        values = values_of(library.interface, arguments)
        refuse_unknown(library.interface, arguments)
        call = Call(library, shapes, values, threads)
        call.do(EXTENTS)
        return call

    def interpret(self, *images, **arguments):
        """The results by the definition of the language, slowly: what calls must agree with, bit by bit.

        Parameters
        ----------
        *images : array_like
            The inputs, as of a call.
        **arguments
            Parameters.

        Returns
        -------
        ndarray or tuple of ndarray
        """
        if isinstance(self._program, Loaded):
            raise TypeError("'%s' was loaded; interpret its program" % self.interface.name)
        arrays = [np.asarray(image) for image in self._given(images, arguments)]
        interface = self._program.library_for(arrays).interface
        for image, array in zip(interface.inputs, arrays):
            check_type(image, array, array.shape)
        values = taken_of(interface, arguments)
        refuse_unknown(interface, arguments)
        options = []
        for parameter, value in zip(interface.parameters, values):
            number_of(parameter, value)  # refuses what does not suit
            options.append(option_of(parameter.name, value))
        found = self._program.interpret(options, {i.name: a for i, a in zip(interface.inputs, arrays)}, [o.name for o in interface.outputs])
        return found[0] if len(found) == 1 else tuple(found)

    def fix(self, **values) -> Filter:
        """The filter compiled for values of some parameters, which it then does not take; often faster.

        Returns
        -------
        Filter
        """
        if isinstance(self._program, Loaded):
            raise TypeError("'%s' was loaded; fix its program" % self.interface.name)
        known = {parameter.name: parameter for parameter in self.interface.parameters}
        for name, value in values.items():
            if name not in known:
                raise TypeError("'%s' has no parameter '%s'%s" % (self.interface.name, name, near(name, known)))
            number_of(known[name], value)
        source, name, with_files, constants = self._origin
        return _made(source, name, with_files, {**constants, **values})

    def stub(self) -> str:
        """The filter as a function of a .pyi file, for editors and mypy: types, defaults, help. Several may stand in one file.

        Returns
        -------
        str
            With the imports that it needs.
        """
        return HEAD + stub_of(self.interface, self.__signature__, self.__doc__ or "", bool(self._program.variables))

    def wait(self) -> None:
        """Waits until the fastest code of the filter runs; calls do not need it.

        A filter runs as soon as a C compiler has made something of it. It goes on with more effort beside the calls, which then take
        what it has made; the results are the same.
        """
        self._program.wait()

    def save(self, path: str, boxes: bool = False) -> None:
        """Writes the compiled filter, which ``fltc.load`` takes on a machine of the same kind, without fltc and a C compiler.

        Parameters
        ----------
        path : str or path
            The file.
        boxes : bool
            Whether the loaded filter is to compute parts of its results, as chunks of Dask are.
        """
        if self._program.variables:
            raise TypeError("'%s' has type variables; write its types into the program" % self.interface.name)
        with open(self._program.path(boxes), "rb") as file:
            replace(os.fspath(path), file.read())

    def __repr__(self) -> str:
        facts = self.interface
        lines = ["<fltc filter %s(%s) -> %s>" % (facts.name, ", ".join(map(str, facts.inputs)),
                                                  ", ".join(map(str, facts.outputs)))]
        lines += ["    %s%s" % (parameter, ": " + parameter.text if parameter.text else "") for parameter in facts.parameters]
        return "\n".join(lines)

    def __reduce__(self):
        if isinstance(self._program, Loaded):
            return load, tuple(map(os.path.abspath, self._origin))
        source, name, with_files, constants = self._origin
        source = source if _is_text(source) else os.path.abspath(source)
        origin = (source, name, tuple(map(os.path.abspath, with_files)), constants)
        return _again, (origin, self.interface.json["hash"])

    def __dask_tokenize__(self):
        return type(self).__name__, self._origin, self.interface.json["hash"]


def _elsewhere(images: list):
    """What computes images that are not in memory as arrays; packages that nobody has imported are not."""
    for package, kind, module in (("xarray", "DataArray", "_xarray"), ("dask.array", "Array", "_dask")):
        kinds = getattr(sys.modules.get(package), kind, ())
        if any(isinstance(image, kinds) for image in images):
            return importlib.import_module("." + module, __package__)
    return None


def _fill(call: Call, what: int, mapping: Mapping, inputs: list[np.ndarray], results: list[np.ndarray]) -> None:
    """One call for each place along the axes that the filter does not name."""
    outputs = mapping.interface.outputs
    for place in mapping.places():
        for number, (image, array) in enumerate(zip(mapping.interface.inputs, inputs)):
            call.place(number, array[place + (...,)] if array.ndim > len(image.axes) else array)
        for number, (output, array) in enumerate(zip(outputs, results), len(inputs)):
            order = mapping.order(output)
            split = array.transpose([order.index(name) for name in mapping.more + output.axis_names])
            call.place(number, split[place + (...,)])
        call.do(what)


def _is_text(source: str) -> bool:
    return "\n" in source or source.lstrip().startswith("filter ")


def _made(source: str, name: str | None, with_files: tuple[str, ...], constants: dict) -> Filter:
    is_text = _is_text(source)
    options = ["--filter=" + name] if name else []
    options += [option_of(constant, value) for constant, value in constants.items()]
    program = Program("-" if is_text else source, source if is_text else None, options, list(with_files))
    return Filter(program, (source, name, tuple(with_files), constants))


_UNPICKLED: dict[tuple[str, str], Filter] = {}
_UNPICKLING = threading.Lock()


def _again(origin: tuple, program: str) -> Filter:
    """The filter that was pickled: compiled once in each process, however many tasks bring it; never another program."""
    with _UNPICKLING:
        key = (repr(origin), program)
        if key not in _UNPICKLED:
            made = _made(*origin)
            if made.interface.json["hash"] != program:
                raise ValueError("'%s' was pickled from another program than %s is here" % (made.interface.name, origin[0]))
            _UNPICKLED[key] = made
        return _UNPICKLED[key]


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
    return Filter(Loaded(Library(path)), (path,))
