"""The interface of a filter, as fltc emit --interface writes it in JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

_DTYPES = {"bool": "?", "f16": "f2", "f32": "f4", "f64": "f8", "c32": "c8", "c64": "c16"}
_DTYPES.update({kind + str(bits): kind + str(bits // 8) for kind in "iu" for bits in (8, 16, 32, 64)})


@dataclass(frozen=True)
class Axis:
    """An axis of an image.

    ``extent`` is a formula of what is known before the call, or None; of results also ``first``, the coordinate of the first
    sample.
    """

    name: str
    first: str | None = None
    extent: str | None = None


@dataclass(frozen=True)
class Image:
    """An input or a result: its name, the type of its samples in the language and in NumPy, its axes, the slowest first.

    ``fraction_bits``: of fixed point, a value is the integer divided by 2 to this power; else None.
    """

    name: str
    type: str
    dtype: np.dtype
    axes: tuple[Axis, ...]
    fraction_bits: int | None = None

    @property
    def axis_names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes)

    def __str__(self) -> str:
        return "%s : image<%s>[%s]" % (self.name, self.type, ", ".join(self.axis_names))


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default, None where it must be given, its range, None where it has no bound, its choices and its help.

    Of fixed point all numbers are values, not the integers that stand for them.
    """

    name: str
    type: str
    dtype: np.dtype
    default: object
    least: float | int | None
    greatest: float | int | None
    choices: tuple[str, ...]
    text: str
    fraction_bits: int | None = None

    def __str__(self) -> str:
        takes = "{%s}" % ", ".join(self.choices) if self.choices else self.type
        bounds = "" if self.choices or self.least is None else " in %s .. %s" % (self.least, self.greatest)
        default = "" if self.default is None else " = %s" % (self.default,)
        return self.name + " : " + takes + default + bounds


@dataclass(frozen=True)
class Interface:
    """What there is to know of a filter. ``json`` is the whole, described by ``doc/interface.schema.json``."""

    name: str
    text: str
    inputs: tuple[Image, ...]
    parameters: tuple[Parameter, ...]
    outputs: tuple[Image, ...]
    statuses: dict[int, str]
    json: dict


def _image(facts: dict) -> Image:
    axes = tuple(Axis(a["name"], a.get("first"), a.get("extent")) for a in facts["axes"])
    kind = facts["type"]
    if axes and axes[-1].name == "re.im":  # the two parts of complex samples
        kind, axes = {"f32": "c32", "f64": "c64"}[kind], axes[:-1]
    return Image(facts["name"], kind, np.dtype(_DTYPES[kind]), axes, facts.get("fraction_bits"))


def _parameter(facts: dict) -> Parameter:
    bits, choices = facts.get("fraction_bits"), tuple(facts.get("choices", ()))

    def value(number):
        return number if bits is None or number is None else number / 2**bits

    default = value(facts["default"])
    return Parameter(
        facts["name"],
        facts["type"],
        np.dtype(_DTYPES[facts["type"]]),
        choices[default] if choices and default is not None else default,
        value(facts["least"]),
        value(facts["greatest"]),
        choices,
        facts["text"],
        bits,
    )


def read_interface(text: str) -> Interface:
    """The interface of a text in JSON."""
    facts = json.loads(text)
    return Interface(
        facts["filter"],
        facts["text"],
        tuple(map(_image, facts["inputs"])),
        tuple(map(_parameter, facts["parameters"])),
        tuple(map(_image, facts["outputs"])),
        {status["value"]: status["text"] for status in facts["statuses"]},
        facts,
    )
