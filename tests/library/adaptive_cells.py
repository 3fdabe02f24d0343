"""What the language says of adaptive images, slowly: levels of pixels, the grid of each level, convolutions on the cells.

An image is an array [z, y, x] of f64 that has at each pixel the value of its particle, and one of the particles' levels."""

import numpy as np


def finest(shape):
    """The level of pixels: how many halvings leave one cell; 1 of a single pixel."""
    return max(int(max(shape) - 1).bit_length(), 1)


def halved(a):
    """Means of cells of two by two by two; at an odd end the last sample counts twice."""
    for axis, n in enumerate(a.shape):
        if n > 1:
            a = np.pad(a, [(0, n % 2 if axis == b else 0) for b in range(3)], mode="edge")
            a = np.stack([np.take(a, np.arange(first, a.shape[axis], 2), axis) for first in (0, 1)]).mean(0)
    return a


def spread(a, times, shape):
    """Each sample on 2^times pixels along each axis, as far as there are."""
    for axis, n in enumerate(shape):
        a = np.take(a, np.arange(n) >> times, axis)
    return a


def random_levels(shape, seed, share=0.4):
    """Levels of cells: those that touch differ by at most one."""
    random = np.random.default_rng(seed)
    last = finest(shape)
    level = np.full(shape, 1)
    for l in range(1, last):
        grid = [-(-n >> (last - l)) for n in shape]
        split = spread(random.random(grid) < share ** (1 / (1 + l % 2)), last - l, shape)
        level[split & (level == l)] = l + 1
    while True:
        before = level.copy()
        around = np.pad(level, 1, mode="edge")
        for step in np.ndindex(3, 3, 3):
            level = np.maximum(level, around[tuple(slice(s, s + n) for s, n in zip(step, shape))] - 1)
        for l in range(last - 1, 0, -1):  # where a cell of l holds what is finer, all of it is
            finer = level > l
            for axis, n in enumerate(shape):
                starts = np.arange(0, n, 1 << (last - l))
                finer = np.repeat(np.logical_or.reduceat(finer, starts, axis), 1 << (last - l), axis).take(np.arange(n), axis)
            level = np.where(finer & (level <= l), l + 1, level)
        if (level == before).all():
            return level.astype(np.uint8)


def first_pixels(value, level):
    """The value at the first pixel of each cell on all of it."""
    last = finest(value.shape)
    shift = last - level.astype(int)
    places = [np.arange(n).reshape([-1 if a == b else 1 for b in range(3)]) for a, n in enumerate(value.shape)]
    return value[tuple(p >> shift << shift for p in places)]


def places(n, first, count, mode):
    """Which samples of n a window of count meets that begins at first + i, for each i; -1: none."""
    at = np.arange(n)[:, None] + first + np.arange(count)
    if mode == "nearest" or (mode == "mirror" and n == 1):
        return np.clip(at, 0, n - 1)
    if mode == "mirror":
        at = at % (2 * (n - 1))
        return np.where(at < n, at, 2 * (n - 1) - at)
    return np.where((at >= 0) & (at < n), at, -1)


def meeting(n, shift):
    """Of a kernel of n weights on cells of 2^shift pixels: the first cell that is met, and by cell and weight the share of the
    cell's pixels for which the weight meets it."""
    side = 1 << shift
    met = [[(pixel + n // 2 - v) // side for v in range(n)] for pixel in range(side)]
    first = min(min(row) for row in met)
    share = np.zeros((max(max(row) for row in met) - first + 1, n))
    for row in met:
        for v, cell in enumerate(row):
            share[cell - first, v] += 1 / side
    return first, share


def convolve(value, level, kernel, mode, coarser="restricted"):
    """kernel: an array of three axes, turned round as the language says."""
    kernel = np.asarray(kernel, np.float32).astype(np.float64)
    last = finest(value.shape)
    out = np.zeros(value.shape)
    grid = value.astype(np.float64)
    for l in range(last, -1, -1):
        shift = last - l
        if (level == l).any():
            reach = shift if coarser == "restricted" else 0
            own, firsts = kernel, []
            for axis, n in enumerate(kernel.shape):
                first, share = meeting(n, reach)
                firsts.append(first)
                own = np.moveaxis(np.tensordot(share, own, (1, axis)), 0, axis)
            result = np.zeros(grid.shape)
            at = [places(n, f, k, mode) for n, f, k in zip(grid.shape, firsts, own.shape)]
            for place in np.ndindex(own.shape):
                index = [a[:, p] for a, p in zip(at, place)]
                inside = np.ix_(*[(i >= 0).astype(float) for i in index])
                result += own[place] * grid[np.ix_(*[np.maximum(i, 0) for i in index])] * inside[0] * inside[1] * inside[2]
            result *= 0.5 ** shift if coarser == "rescaled" else 1
            out = np.where(level == l, spread(result, shift, value.shape), out)
        grid = halved(grid)
    return out


def along(line, axis):
    """A kernel of one axis."""
    return np.asarray(line).reshape([-1 if a == axis else 1 for a in range(3)])
