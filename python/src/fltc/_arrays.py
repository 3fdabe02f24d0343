"""Arrays as images: their axes by name, memory that C can read, and results in the memory of callers."""

from __future__ import annotations

import numpy as np

from ._interface import Image, Interface

_TOO_HARD = getattr(np, "exceptions", np).TooHardError


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


class Mapping:
    """A call for each place along the axes that the filter does not name.

    ``names`` are the axes of each array, ``more`` those that the filter does not name, and ``extents`` theirs.
    """

    def __init__(self, interface: Interface, arrays: list, axes):
        self.interface = interface
        self.axes = tuple(axes) if axes is not None else None
        if self.axes and len(set(self.axes)) < len(self.axes):
            raise ValueError("axes=%r names an axis twice" % "".join(self.axes))
        self.more: tuple[str, ...] = ()
        self.extents: dict[str, int] = {}
        self.names = [self._names(image, array) for image, array in zip(interface.inputs, arrays)]

    def _names(self, image: Image, array) -> tuple[str, ...]:
        own = image.axis_names
        if array.ndim == len(own) and (self.axes is None or set(own) != set(self.axes)):
            return own
        if self.axes is None or array.ndim != len(self.axes) or not set(own) <= set(self.axes):
            raise TypeError(_wrong_rank(image, array, self.axes))
        more = tuple(name for name in self.axes if name not in own)
        for name in more:
            extent = array.shape[self.axes.index(name)]
            if self.extents.setdefault(name, extent) != extent:
                raise ValueError("images differ in extent along %s: %d and %d" % (name, self.extents[name], extent))
        self.more = more or self.more
        return self.axes

    def split(self, number: int, values) -> tuple:
        """Of an input: what is given for each axis of its array, for the axes of the filter."""
        names = self.names[number]
        return tuple(values[names.index(name)] for name in self.interface.inputs[number].axis_names)

    def planes(self, number: int, array: np.ndarray) -> np.ndarray:
        """The array with the axes of the filter last; others, if there are any, before them."""
        names, own = self.names[number], self.interface.inputs[number].axis_names
        more = self.more if len(names) > len(own) else ()
        return array.transpose([names.index(name) for name in more + own])

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


def check_type(image: Image, array, shape: tuple[int, ...]) -> None:
    """Of an image of this shape, of which the array may be a part."""
    if array.dtype != image.dtype:
        raise TypeError(
            "'%s' has samples of type %s, but the filter takes %s; write .astype(np.%s)"
            % (image.name, array.dtype, image, image.dtype.name)
        )
    if max(shape, default=0) >= 2**31:
        raise ValueError("'%s' has an axis of 2^31 samples or more" % image.name)


def ready(array: np.ndarray) -> np.ndarray:
    """The array, or a copy where its memory is none that C can read."""
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


def check_out(output: Image, array, shape: tuple[int, ...], inputs: list[np.ndarray]) -> np.ndarray:
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
