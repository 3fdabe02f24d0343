"""Shared libraries of filters: flt/filter.h by ctypes. Calls release Python's lock."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

import numpy as np

try:
    from ._call import run
except ImportError:
    run = None  # type: ignore[assignment]
from ._errors import FilterError
from ._interface import Interface, read_interface

EXTENTS, RUN, REGION, RUN_BOX = 0, 1, 3, 5
BAD_BOX = 15
Ranges = Sequence[tuple[int, int]]  # first and end along each axis of an image


class _Arguments(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("extents", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
        ("strides", ctypes.POINTER(ctypes.POINTER(ctypes.c_ssize_t))),
        ("parameters", ctypes.POINTER(ctypes.c_void_p)),
        ("scratch", ctypes.c_void_p),
        ("scratch_bytes", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("tasks", ctypes.c_void_p),
        ("input", ctypes.c_uint),
        ("box", ctypes.POINTER(ctypes.c_int64)),
        ("region", ctypes.POINTER(ctypes.c_int64)),
        ("stream", ctypes.c_void_p),
        ("opened", ctypes.c_void_p),
        ("prepared", ctypes.c_void_p),
        ("prepared_bytes", ctypes.c_size_t),
        ("parts", ctypes.POINTER(ctypes.POINTER(ctypes.c_int64))),
    ]


class _Filter(ctypes.Structure):
    _fields_ = [
        ("json", ctypes.c_char_p),
        ("call", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(_Arguments))),
        ("status_text", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)),
    ]


def _pointers(kind, rows: list):
    """An array of pointers to arrays."""
    pointer = ctypes.POINTER(kind)
    return (pointer * len(rows))(*[ctypes.cast(row, pointer) for row in rows])


class Call:
    """The arguments of one call: images, given by their arrays or, where those are not there yet, by their shapes."""

    def __init__(self, library: Library, shapes: list[tuple[int, ...]], values: list[np.ndarray], threads: int):
        interface = library.interface
        self._images = interface.inputs + interface.outputs
        # Complex samples have one axis more in C, that of their two parts.
        ranks = [len(image.axes) + (image.dtype.kind == "c") for image in self._images]
        self.library, self.values = library, values  # they live as long as the call
        self._data = (ctypes.c_void_p * len(ranks))()
        self._extents = [(ctypes.c_int32 * max(rank, 1))() for rank in ranks]
        self._strides = [(ctypes.c_ssize_t * max(rank, 1))() for rank in ranks]
        self._ranks = ranks
        for number, shape in enumerate(shapes):
            self._extents[number][: ranks[number]] = self._with_parts(number, shape, 2)
        self.arguments = _Arguments(
            size=ctypes.sizeof(_Arguments),
            data=self._data,
            extents=_pointers(ctypes.c_int32, self._extents),
            strides=_pointers(ctypes.c_ssize_t, self._strides),
            parameters=(ctypes.c_void_p * max(1, len(values)))(*[value.ctypes.data for value in values]),
            threads=threads,
        )

    def place(self, number: int, array: np.ndarray) -> None:
        """The samples of image `number` are those of the array, in place; its extents are known."""
        size = array.itemsize // 2 if array.dtype.kind == "c" else array.itemsize
        self._data[number] = array.ctypes.data
        self._strides[number][: self._ranks[number]] = self._with_parts(number, tuple(step // size for step in array.strides), 1)

    def ask(self, boxes: Sequence[Ranges]) -> None:
        """Of each result the box, in its coordinates, is what the next call is about."""
        first_result = len(self._images) - len(boxes)
        bounds = [n for number, box in enumerate(boxes, first_result) for n in self._bounds(number, box)]
        self.arguments.box = (ctypes.c_int64 * max(1, len(bounds)))(*bounds)

    def hold(self, parts: Sequence[Ranges]) -> None:
        """The part of each input that is in memory, for RUN_BOX. The results get the extents of their boxes."""
        rows = [(ctypes.c_int64 * max(1, 2 * self._ranks[number]))(*self._bounds(number, part)) for number, part in enumerate(parts)]
        self.arguments.parts = _pointers(ctypes.c_int64, rows)
        at = 0
        for number in range(len(parts), len(self._images)):
            for k in range(self._ranks[number]):
                self._extents[number][k] = self.arguments.box[at + 1] - self.arguments.box[at]
                at += 2

    def region(self, number: int) -> list[tuple[int, int]]:
        """What the boxes depend on of input `number`."""
        ends = (ctypes.c_int64 * (2 * self._ranks[number] + 1))()
        self.arguments.input, self.arguments.region = number, ends
        self.do(REGION)
        return [(ends[2 * k], ends[2 * k + 1]) for k in range(len(self._images[number].axes))]

    def _bounds(self, number: int, ranges: Ranges) -> list[int]:
        return [n for pair in self._with_parts(number, ranges, (0, 2)) for n in pair]

    def _with_parts(self, number: int, values: Sequence, last) -> list:
        return list(values) + ([last] if self._images[number].dtype.kind == "c" else [])

    def shape(self, number: int) -> tuple[int, ...]:
        return tuple(self._extents[number][: len(self._images[number].axes)])

    def do(self, what: int) -> None:
        """Raises FilterError where the filter refuses, and KeyboardInterrupt where Ctrl-C ends a long call."""
        status = self.library.call(what, self.arguments)
        if status:
            raise FilterError(self.library.emitted.status_text(status).decode(), status)


class Library:
    """A filter in a shared library. It stays loaded: its threads sleep in it."""

    def __init__(self, path: str):
        self.path = os.path.abspath(path)
        try:
            self._handle = ctypes.CDLL(self.path)
            self.emitted = _Filter.in_dll(self._handle, "flt_filter")
        except (OSError, ValueError) as error:
            raise ValueError("'%s' is no filter: %s" % (path, error)) from error
        if not self.emitted.json:
            raise ValueError("'%s' was emitted without --interface" % path)
        self.interface: Interface = read_interface(self.emitted.json.decode())

    def call(self, what: int, arguments: _Arguments) -> int:
        """The status."""
        if run is not None and what in (RUN, RUN_BOX):
            return run(ctypes.cast(self.emitted.call, ctypes.c_void_p).value or 0, what, ctypes.addressof(arguments))
        return self.emitted.call(what, arguments)
