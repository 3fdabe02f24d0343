"""Filters over Dask arrays: lazy results, a task for each of their chunks.

A task takes the part of each input that its chunk depends on, as the filter's own `region` tells it, and computes the chunk from
that: the samples of the whole, whatever the chunks. Where all chunks depend on all of an axis, by the nature of the filter, that
axis must be one chunk, as otherwise each task would take the whole.
"""

from __future__ import annotations

import bisect
import itertools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from ._arrays import Mapping
from ._boxes import Boxes, Part
from ._interface import Image, Interface
from ._library import Call, Ranges

if TYPE_CHECKING:
    from ._filter import Filter

_LONG = 1024  # the longest chunk along an axis that no input has


# ---- Tasks ----


@dataclass(frozen=True, eq=False)
class _Work:
    """What all tasks of a call share."""

    filter: Filter
    axes: tuple[str, ...] | None
    threads: int
    arguments: dict
    shapes: list[tuple[int, ...]]  # of the inputs
    dtypes: list[np.dtype]
    has_boxes: bool


@dataclass(frozen=True, eq=False)
class _Task:
    """Called with the pieces of each input, computes a chunk of each result that is wanted: an array, or a tuple of several."""

    work: _Work
    parts: list[Ranges]  # by input: first and end along each axis of its array
    places: list[list[tuple[slice, ...]]]  # by input, by piece: where it goes in the part
    boxes: list[Ranges]  # by result
    wanted: list[int]

    def __call__(self, *pieces: list):
        work = self.work
        images: list = [_joined(*of_input) for of_input in zip(self.parts, self.places, pieces, work.dtypes)]
        more = dict(work.arguments, axes=work.axes, threads=work.threads)
        if work.has_boxes:
            images = [Part(image, [first for first, _ in part], shape) for image, part, shape in zip(images, self.parts, work.shapes)]
            more["box"] = self.boxes if len(self.boxes) > 1 else self.boxes[0]
        found = work.filter(*images, **more)
        found = found if isinstance(found, tuple) else (found,)
        return found[self.wanted[0]] if len(self.wanted) == 1 else tuple(found[number] for number in self.wanted)


@dataclass(frozen=True, eq=False)
class _Cut:
    """A copy of a piece of a chunk, so that the chunk does not stay in memory, or travel to another process, for its border."""

    inside: tuple[slice, ...]

    def __call__(self, chunk):
        return np.array(chunk[self.inside], order="C")


def _joined(part: Ranges, places: list[tuple[slice, ...]], pieces: list, dtype: np.dtype) -> np.ndarray:
    """The part; there are no pieces where it is empty."""
    if len(pieces) == 1:
        return np.asarray(pieces[0])
    joined = np.empty([end - first for first, end in part], dtype)
    for place, piece in zip(places, pieces):
        joined[place] = piece
    return joined


# ---- Chunks ----


def _starts(chunks: Sequence[int]) -> list[int]:
    return list(itertools.accumulate(chunks, initial=0))


def _chunks_along(name: str, extent: int, arrays: list, mapping: Mapping) -> tuple[int, ...]:
    """Those of the first input that has this axis and extent; else in proportion to those of the first that has the axis.

    A chunk of a result is not empty: there is no such box.
    """
    having = [tuple(n for n in array.chunks[names.index(name)] if n) for array, names in zip(arrays, mapping.names) if name in names]
    for chunks in having:
        if sum(chunks) == extent:
            return chunks
    model = having[0] if having else (1,) * -(-extent // _LONG)
    ends = [start * extent // sum(model) for start in _starts(model)]
    return tuple(end - first for first, end in zip(ends, ends[1:]) if end > first)


class _Group:
    """Results that have the same axes and are cut into as many chunks along each: one task computes one chunk of each."""

    def __init__(self, names: tuple[str, ...]):
        self.names = names
        self.numbers: list[int] = []  # of the results
        self.chunks: list[tuple[tuple[int, ...], ...]] = []  # by result, by axis

    def add(self, number: int, chunks: tuple[tuple[int, ...], ...]) -> None:
        self.numbers.append(number)
        self.chunks.append(chunks)

    def blocks(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*[range(len(chunks)) for chunks in self.chunks[0]]))

    def ranges(self, result: int, block: tuple[int, ...]) -> dict[str, tuple[int, int]]:
        """First and end of a chunk of this one of the results, by the name of the axis."""
        chunks_of = zip(self.names, self.chunks[result], block)
        return {name: (sum(chunks[:k]), sum(chunks[: k + 1])) for name, chunks, k in chunks_of}


def _groups(outputs: tuple[Image, ...], shapes: list[tuple[int, ...]], arrays: list, mapping: Mapping) -> list[_Group]:
    groups: dict[tuple, _Group] = {}
    for number, (output, shape) in enumerate(zip(outputs, shapes)):
        names = mapping.order(output)
        extents = {**mapping.extents, **dict(zip(output.axis_names, shape))}
        chunks = tuple(_chunks_along(name, extents[name], arrays, mapping) for name in names)
        groups.setdefault((names, tuple(map(len, chunks))), _Group(names)).add(number, chunks)
    return list(groups.values())


def _boxes_of(block: tuple[int, ...], group: _Group, outputs: tuple[Image, ...], shapes: list[tuple[int, ...]]) -> list[Ranges]:
    """Of the group's results their chunks; of each other one, as a box is not empty, one sample, as near as there is one."""
    own = {number: group.ranges(k, block) for k, number in enumerate(group.numbers)}
    extents = {name: sum(chunks) for name, chunks in zip(group.names, group.chunks[0])}
    boxes: list[Ranges] = []
    for number, (output, shape) in enumerate(zip(outputs, shapes)):
        if number in own:
            boxes.append([own[number][name] for name in output.axis_names])
            continue
        first = own[group.numbers[0]]
        near = [first[name][0] * extent // extents[name] if name in first else 0 for name, extent in zip(output.axis_names, shape)]
        boxes.append([(at, at + 1) for at in near])
    return boxes


# ---- Refusals ----


def _chunks_text(array, names: tuple[str, ...], axes: list[int]) -> str:
    return " and ".join("%d chunks along %s" % (array.numblocks[k], names[k]) for k in axes)


def _rechunk_text(axes: list[int]) -> str:
    return "x = x.rechunk({%s})" % ", ".join("%d: -1" % k for k in axes)


def _check_whole(interface: Interface, number: int, array, names: tuple[str, ...], parts: list[Ranges]) -> None:
    """Refuses an input of which each task needs all along an axis that is cut. A wide window is no reason: it is so in this image."""
    image = interface.inputs[number]
    windows = [axis["axis"] for axis in interface.json["reads"][number]["axes"] if axis["reads"] == "box"]
    cut = [k for k, name in enumerate(names) if name in image.axis_names and name not in windows and array.numblocks[k] > 1
           and all(part[k] == (0, array.shape[k]) for part in parts)]
    if cut:
        raise ValueError("each chunk of the results of '%s' depends on all of '%s', which has %s; make them one: %s" % (
            interface.name, image.name, _chunks_text(array, names, cut), _rechunk_text(cut)))


def _check_one_chunk(why: str, image: Image, array, names: tuple[str, ...]) -> None:
    """Refuses an input in chunks of a filter that has no boxes."""
    cut = [k for k, name in enumerate(names) if name in image.axis_names and array.numblocks[k] > 1]
    if cut:
        raise ValueError("%s, and '%s' has %s; compute it in memory: f(x.compute()), or make them one: %s" % (
            why, image.name, _chunks_text(array, names, cut), _rechunk_text(cut)))


def _lazy(image: Image, given):
    if isinstance(given, Part):
        raise TypeError("'%s' is a part of an image; beside lazy arrays give all of it" % image.name)
    array = given if isinstance(given, da.Array) else da.from_array(np.asarray(given), chunks=-1)
    if any(n != n for n in array.shape):
        raise ValueError("'%s' has chunks of unknown extents; write x.compute_chunk_sizes()" % image.name)
    return array


def _cut_alike(arrays: list, mapping: Mapping) -> list:
    """Along axes that the filter does not name, all inputs have the chunks of the first that has them."""
    for name in mapping.more:
        chunks = _chunks_along(name, mapping.extents[name], arrays, mapping)
        arrays = [array.rechunk({names.index(name): chunks}) if name in names else array for array, names in zip(arrays, mapping.names)]
    return arrays


# ---- Graphs ----


def _pieces(array, part: Ranges) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...], tuple[slice, ...]]]:
    """Of each chunk that has samples of the part: its number along each axis, what of it is in the part, and where."""
    along = []
    for chunks, (first, end) in zip(array.chunks, part):
        starts = _starts(chunks)
        some = range(bisect.bisect_right(starts, first) - 1, bisect.bisect_left(starts, end))
        along.append([(k, max(first, starts[k]), min(end, starts[k + 1]), starts[k], first) for k in some if chunks[k]])
    for chosen in itertools.product(*along):
        yield (
            tuple(k for k, *_ in chosen),
            tuple(slice(low - start, high - start) for _, low, high, start, _ in chosen),
            tuple(slice(low - first, high - first) for _, low, high, _, first in chosen),
        )


def _entries(name: str, task: _Task, block: tuple[int, ...], arrays: list) -> dict:
    """The task's entry in the graph, and those of the pieces that it takes."""
    entries: dict = {}
    keys: list[list[tuple]] = []
    for number, (array, part) in enumerate(zip(arrays, task.parts)):
        keys.append([])
        task.places.append([])
        for chunk, inside, place in _pieces(array, part):
            key: tuple = (array.name, *chunk)
            if any(one != slice(0, chunks[k]) for one, chunks, k in zip(inside, array.chunks, chunk)):
                ends = [n for one in inside for n in (one.start, one.stop)]
                key, whole = ("piece-" + name, number, *chunk, *ends), key
                entries[key] = (_Cut(inside), whole)
            keys[-1].append(key)
            task.places[-1].append(place)
    entries[(name, *block)] = (task, *keys)
    return entries


def _task(work: _Work, group: _Group, block: tuple[int, ...], boxes: Boxes | None, shapes: list, arrays: list, mapping: Mapping) -> _Task:
    """Without boxes it takes all of each input along the filter's axes."""
    of = _boxes_of(block, group, mapping.interface.outputs, shapes)
    regions = boxes.regions(of) if boxes else [()] * len(arrays)
    mapped = group.ranges(0, block)
    parts: list[Ranges] = []
    for image, array, names, region in zip(mapping.interface.inputs, arrays, mapping.names, regions):
        known = {name: (0, extent) for name, extent in zip(names, array.shape)}
        known.update({name: mapped[name] for name in mapping.more if name in names})
        known.update({name: (one.start, one.stop) for name, one in zip(image.axis_names, region)})
        parts.append([known[name] for name in names])
    return _Task(work, parts, [], of, group.numbers)


def _arrays_of(graph: HighLevelGraph, group: _Group, name: str, outputs: tuple[Image, ...], names: list[str]) -> Iterator[da.Array]:
    """The group's results, where the entries of `name` are tuples unless there is one result."""
    for k, number in enumerate(group.numbers):
        own = names[number]
        if own != name:
            entries: dict = {(own, *block): (operator.itemgetter(k), (name, *block)) for block in group.blocks()}
            graph = HighLevelGraph({**graph.layers, own: entries}, {**graph.dependencies, own: {name}})
        dtype = outputs[number].dtype
        yield da.Array(graph, own, group.chunks[k], dtype=dtype, meta=np.empty((0,) * len(group.names), dtype))


def apply(f: Filter, images: list, *, out, threads: int, axes, box, **arguments):
    """The lazy results of a call with a lazy image: one, or a tuple.

    Raises
    ------
    ValueError
        An input is in several chunks along an axis that each chunk of a result needs whole; the text has the cure.
    """
    if out is not None:
        raise TypeError("lazy results have no out=; write dask.array.store(f(x), out)")
    if box is not None:
        raise TypeError("lazy results have no box=; cut them: f(x)[0:64, 10:74]")
    arrays = [_lazy(image, given) for image, given in zip(f.interface.inputs, images)]
    mapping = Mapping(f.interface, arrays, axes)
    arrays = _cut_alike(arrays, mapping)
    shapes = [mapping.split(number, array.shape) for number, array in enumerate(arrays)]
    call = f._called(arrays, shapes, dict(arguments))
    boxes = _boxes(f, call, arrays, mapping)
    shapes_of_arrays, dtypes = [array.shape for array in arrays], [array.dtype for array in arrays]
    work = _Work(f, mapping.axes, operator.index(threads) or 1, arguments, shapes_of_arrays, dtypes, boxes is not None)
    return _results(work, call, boxes, arrays, mapping)


def _boxes(f: Filter, call: Call, arrays: list, mapping: Mapping) -> Boxes | None:
    """None: it has none, and needs none. Compiled now, so that tasks find it compiled."""
    try:
        f._program.library_for(arrays, boxes=True)
        return Boxes(call)
    except TypeError as why:
        for image, array, names in zip(f.interface.inputs, arrays, mapping.names):
            _check_one_chunk(str(why), image, array, names)
        return None


def _results(work: _Work, call: Call, boxes: Boxes | None, arrays: list, mapping: Mapping):
    interface = call.library.interface
    outputs = interface.outputs
    shapes = [call.shape(len(arrays) + number) for number in range(len(outputs))]
    token = tokenize(work.filter, work.axes, work.arguments, [array.name for array in arrays])
    of_result = ["-".join([interface.name] + [output.name] * (len(outputs) > 1) + [token]) for output in outputs]
    results: dict[int, da.Array] = {}
    for group in _groups(outputs, shapes, arrays, mapping):
        name = of_result[group.numbers[0]] if len(group.numbers) == 1 else "-".join([interface.name, str(group.numbers[0]), token])
        tasks = {block: _task(work, group, block, boxes, shapes, arrays, mapping) for block in group.blocks()}
        for number, (array, names) in enumerate(zip(arrays, mapping.names) if boxes else ()):
            _check_whole(interface, number, array, names, [task.parts[number] for task in tasks.values()])
        entries: dict = {}
        for block, task in tasks.items():
            entries.update(_entries(name, task, block, arrays))
        graph = HighLevelGraph.from_collections(name, entries, dependencies=arrays)
        results.update(zip(group.numbers, _arrays_of(graph, group, name, outputs, of_result)))
    return results[0] if len(results) == 1 else tuple(results[number] for number in range(len(results)))
