"""Filters over xarray's arrays: axes are the dimensions of these names; coordinates stay with axes that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from ._arrays import Mapping

if TYPE_CHECKING:
    from ._filter import Filter


def _ordered(image: xr.DataArray, names: tuple[str, ...], axes: tuple) -> xr.DataArray:
    """With the filter's axes alone in the filter's order, else in that of the call."""
    lacking = [name for name in names if name not in image.dims]
    if lacking:
        raise TypeError("the array has no dimension %s but %s; write .rename({...: '%s'})" % (
            lacking[0], ", ".join(map(str, image.dims)), lacking[0]))
    return image.transpose(*(axes if set(image.dims) == set(axes) else names))


def _check_coordinates(images: list[xr.DataArray]) -> None:
    """Samples of one index are those of one place."""
    seen: dict = {}
    for image in images:
        for name, index in image.indexes.items():
            before = seen.setdefault((name, len(index)), index)
            if not before.equals(index):
                raise ValueError("images have other coordinates along %s; write xarray.align(a, b), or .drop_vars('%s')" % (name, name))


def _coordinates(images: list[xr.DataArray], extents: dict) -> dict:
    """Those of axes that a result has with the same extents, the first image's first."""
    found: dict = {}
    for image in reversed(images):
        found.update({name: one for name, one in image.coords.items() if all(extents.get(d) == image.sizes[d] for d in one.dims)})
    return found


def apply(f: Filter, images: list, *, out, threads: int, axes, box, **arguments):
    """The results, as arrays of xarray: lazy ones where an image is.

    The dimensions of the first array that has most of them are the axes of the call: the filter is applied for each place along
    those that it does not name. A result has them in the same order, that array's attributes, and all coordinates of axes whose
    extents it has.
    """
    if out is not None or axes is not None or box is not None:
        raise TypeError("out=, axes= and box= are for arrays without names; give image.data")
    given = [image for image in images if isinstance(image, xr.DataArray)]
    _check_coordinates(given)
    model = max(given, key=lambda image: image.ndim)
    order = tuple(map(str, model.dims))
    arrays = [_ordered(image, facts.axis_names, order).data if isinstance(image, xr.DataArray) else np.asarray(image)
              for image, facts in zip(images, f.interface.inputs)]
    found = f(*arrays, threads=threads, axes=order, **arguments)
    results = found if isinstance(found, tuple) else (found,)
    mapping = Mapping(f.interface, arrays, order)
    named = []
    for output, result in zip(f.interface.outputs, results):
        names = mapping.order(output)
        coordinates = _coordinates(given, dict(zip(names, result.shape)))
        name = model.name if len(results) == 1 else output.name
        named.append(xr.DataArray(result, coordinates, names, name, model.attrs))
    return named[0] if len(named) == 1 else tuple(named)
