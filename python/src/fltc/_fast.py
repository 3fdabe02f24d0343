"""The fast path of a call, in C (_call.c), for filters that it suits; where it was not compiled, calls take the slow path alone."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING

import numpy as np

from ._interface import Image, Parameter
from ._parameters import number_of, python_name

if TYPE_CHECKING:
    from ._library import Library
    from ._program import Loaded, Program

try:
    from ._call import Fast
except ImportError:

    class Fast:  # type: ignore[no-redef]
        """Calls of a filter, all by ``_call``."""

        def __call__(self, *images, **arguments):
            return self._call(*images, **arguments)

        def _prepare(self, *facts) -> bool:
            return False

        def _replace(self, address: int, owner) -> None:
            pass


class Calls(Fast):
    """Calls that go over to another library of the same filter."""

    def _take(self, library: Library) -> None:
        self._replace(_address(library), library)


def _image(image: Image) -> tuple:
    return image.dtype.char, len(image.axes), image.dtype.itemsize, image.dtype


def _parameter(parameter: Parameter) -> tuple:
    """Choices and fixed point are converted by the slow path alone, all but their defaults."""
    least, greatest = parameter.least, parameter.greatest
    default = None if parameter.default is None else number_of(parameter, parameter.default)
    if parameter.choices or parameter.fraction_bits is not None:
        bounds: tuple = (1, 0)
    elif parameter.dtype.kind == "b":
        bounds = (0, 1)
    elif parameter.dtype.kind == "f":
        # what rounds to infinity is refused by the slow path
        most = float(np.finfo(parameter.dtype).max)
        bounds = (-most if least is None else least, most if greatest is None else greatest)
    else:
        limits = np.iinfo(parameter.dtype)
        bounds = (max(limits.min, -math.inf if least is None else least), min(limits.max, math.inf if greatest is None else greatest))
    return python_name(parameter.name), parameter.dtype.char, default, float(bounds[0]), float(bounds[1])


def _address(library: Library) -> int:
    return ctypes.cast(library.emitted.call, ctypes.c_void_p).value or 0


def prepare(filter: Fast, program: Program | Loaded) -> bool:  # pylint: disable=redefined-builtin
    """Whether calls of the filter try the fast path first."""
    facts = program.interface
    if program.variables or not facts.outputs or any(image.dtype.kind == "c" for image in facts.inputs + facts.outputs):
        return False
    library = program.library_for([])
    program.listen(filter)
    return filter._prepare(
        _address(library),
        library,
        np.empty,
        tuple(map(_image, facts.inputs)),
        tuple(map(_image, facts.outputs)),
        tuple(map(_parameter, facts.parameters)),
    )
