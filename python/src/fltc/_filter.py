"""Filters as functions of NumPy arrays."""

from __future__ import annotations

import inspect
import operator
import os

import numpy as np

from ._arrays import Mapping, check_out, ready
from ._build import replace
from ._formula import value_of
from ._interface import Interface
from ._library import EXTENTS, REGION, RUN, Call, Library
from ._parameters import near, number_of, python_name, refuse_unknown, values_of
from ._program import Loaded, Program


class Filter:
    """A compiled filter: a function of arrays, images by position and parameters by name.

    ``interface`` describes it. Made by ``fltc.filter`` and ``fltc.load``.
    """

    def __init__(self, program: Program | Loaded, origin: tuple):
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
        mapping = Mapping(self.interface, arrays, axes)
        library = self._program.library_for(mapping.inputs)
        interface = library.interface
        values = values_of(interface, arguments)
        refuse_unknown(interface, arguments)
        inputs = [ready(image, array) for image, array in zip(interface.inputs, mapping.inputs)]
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
                results.append(check_out(output, given, whole, inputs + results))
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
        values = values_of(interface, arguments)
        refuse_unknown(interface, arguments)
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
        if isinstance(self._program, Loaded):
            raise TypeError("'%s' was loaded; fix its program" % self.interface.name)
        known = {parameter.name: parameter for parameter in self.interface.parameters}
        for name, value in values.items():
            if name not in known:
                raise TypeError("'%s' has no parameter '%s'%s" % (self.interface.name, name, near(name, known)))
            number_of(known[name], value)
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
        return (load if isinstance(self._program, Loaded) else _made, self._origin)


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
        inspect.Parameter(python_name(p.name), inspect.Parameter.KEYWORD_ONLY,
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
    program = Program("-" if is_text else source, source if is_text else None, options, list(with_files))
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
    return Filter(Loaded(Library(path)), (path,))
