"""Image filters, written as mathematics, compiled for NumPy arrays.

    import fltc
    unsharp = fltc.filter("unsharp.flt")
    sharp = unsharp(image, amount=3)

``filter`` compiles a filter, ``load`` takes one that ``Filter.save`` has written, which needs neither fltc nor a C compiler.
"""

from ._boxes import Part
from ._errors import CompileError, FilterError
from ._filter import Filter, filter, load
from ._interface import Axis, Image, Interface, Parameter


def load_ipython_extension(shell) -> None:
    """%load_ext fltc: cells that begin with %%flt are programs."""
    from ._ipython import register  # pylint: disable=import-outside-toplevel

    register(shell)


__all__ = ["Axis", "CompileError", "Filter", "FilterError", "Image", "Interface", "Parameter", "Part", "filter", "load"]
