"""Boxes: parts of results, and the parts of images that they depend on."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ._errors import FilterError
from ._formula import value_of
from ._interface import Axis, Image
from ._library import BAD_BOX, Call, Ranges


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an image, which is all of it that is in memory. A call with ``box=`` takes it in the image's place.

    Parameters
    ----------
    samples : array_like
        The part.
    first : sequence of int
        Where it begins in the image: an index for each axis of ``samples``.
    shape : sequence of int
        The extents of the image.
    """

    samples: np.ndarray
    first: Sequence[int]
    shape: Sequence[int]

    @classmethod
    def of(cls, image, region: Sequence[slice]) -> Part:
        """The samples that a region has of an image, such as an array of Zarr or h5py.

        Parameters
        ----------
        image
            What has a shape, and gives an array for slices.
        region : sequence of slice
            A slice for each axis, as ``Filter.region`` gives them.
        """
        bounds = [part.indices(extent) for part, extent in zip(region, image.shape, strict=True)]
        return cls(image[tuple(region)], [first for first, _, _ in bounds], image.shape)


def part_of(image: Image, given) -> Part:
    """The part that a caller gives, checked; a whole image is a part, too."""
    if not isinstance(given, Part):
        samples = np.asarray(given)
        return Part(samples, (0,) * samples.ndim, samples.shape)
    samples, first, shape = np.asarray(given.samples), tuple(map(operator.index, given.first)), tuple(map(operator.index, given.shape))
    if not len(first) == len(shape) == samples.ndim:
        raise ValueError("a part of '%s' has %d axes, but first=%s and shape=%s" % (image.name, samples.ndim, first, shape))
    if any(not 0 <= n <= extent - size for n, extent, size in zip(first, shape, samples.shape)):
        raise ValueError("a part of '%s' of shape %s at %s is not inside of an image of shape %s" % (
            image.name, samples.shape, first, shape))
    return Part(samples, first, shape)


def _begin(output: Image, axis: Axis, names: dict[str, int]) -> int:
    if axis.first is None:
        raise TypeError("'%s' begins along %s where no formula tells; it has no boxes" % (output.name, axis.name))
    return value_of(axis.first, names)


def _slices(ranges: Ranges) -> tuple[slice, ...]:
    return tuple(slice(first, end) for first, end in ranges)


def _text(ranges: Ranges) -> str:
    return "[%s]" % ", ".join("%d:%d" % pair for pair in ranges)


class Boxes:
    """Boxes of the results of one call, which has asked for the extents of the results.

    ``shapes`` are those of the whole results. Boxes are first and end along each axis of each result, in indices from 0.
    """

    def __init__(self, call: Call):
        interface = call.library.interface
        names = {
            "%s.%s" % (image.name, name): extent
            for number, image in enumerate(interface.inputs)
            for name, extent in zip(image.axis_names, call.shape(number))
        }
        names.update({parameter.name: value.item() for parameter, value in zip(interface.parameters, call.values)})
        self._call, self._interface = call, interface
        self.shapes = [call.shape(len(interface.inputs) + number) for number in range(len(interface.outputs))]
        self._begins = [[_begin(output, axis, names) for axis in output.axes] for output in interface.outputs]

    def of(self, box) -> list[list[tuple[int, int]]]:
        """The boxes that a caller gives: one, or of several results a sequence."""
        outputs = self._interface.outputs
        boxes = [box] if len(outputs) == 1 else list(box)
        if len(boxes) != len(outputs) or any(isinstance(one, slice) for one in boxes):
            raise TypeError("box is to be %d boxes, one for each result: %s" % (len(outputs), ", ".join(o.name for o in outputs)))
        return [self._one(output, one, shape) for output, one, shape in zip(outputs, boxes, self.shapes)]

    @staticmethod
    def _one(output: Image, box, shape: tuple[int, ...]) -> list[tuple[int, int]]:
        box = (box,) if isinstance(box, slice) else tuple(box)
        if len(box) != len(shape):
            raise TypeError("a box of '%s' has %d axes, not %d" % (output.name, len(shape), len(box)))
        ranges = []
        for part, extent, axis in zip(box, shape, output.axes):
            if isinstance(part, slice):
                first, end, step = part.indices(extent)
                if step != 1:
                    raise ValueError("a box has no steps: %s along %s" % (part, axis.name))
            else:
                first, end = map(operator.index, part)
            if not 0 <= first < end <= extent:
                raise ValueError("%d .. %d along %s is no part of 0 .. %d" % (first, end, axis.name, extent))
            ranges.append((first, end))
        return ranges

    def ask(self, boxes: Sequence[Ranges]) -> None:
        self._call.ask([[(first + begin, end + begin) for (first, end), begin in zip(box, begins)]
                        for box, begins in zip(boxes, self._begins)])

    def regions(self, boxes: Sequence[Ranges]) -> list[tuple[slice, ...]]:
        """What the boxes depend on of each input."""
        self.ask(boxes)
        return [_slices(self._call.region(number)) for number in range(len(self._interface.inputs))]

    def explained(self, error: FilterError, boxes: Sequence[Ranges], parts: Sequence[Ranges]) -> FilterError:
        """The error, with the part that lacks samples."""
        if error.status == BAD_BOX:
            for image, part, region in zip(self._interface.inputs, parts, self.regions(boxes)):
                needed = [(one.start, one.stop) for one in region]
                if any(end > first and not low <= first < end <= high for (low, high), (first, end) in zip(part, needed)):
                    return FilterError("'%s' is in memory in %s, but the box depends on %s" % (image.name, _text(part), _text(needed)),
                                       error.status)
        return error
