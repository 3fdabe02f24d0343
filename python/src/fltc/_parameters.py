"""Values of parameters: numbers in memory, or errors that say what does not suit."""

from __future__ import annotations

import difflib
import keyword
import operator

import numpy as np

from ._interface import Interface, Parameter


def near(name: str, names) -> str:
    found = difflib.get_close_matches(name, list(names), 1)
    return "; did you mean '%s'?" % found[0] if found else ""


def _choice(parameter: Parameter, value) -> int:
    if value not in parameter.choices:
        raise ValueError("%s=%r is none of %s%s" % (parameter.name, value, ", ".join(parameter.choices),
                                                    near(str(value), parameter.choices)))
    return parameter.choices.index(value)


def number_of(parameter: Parameter, value):
    """The number that stands for the value."""
    if parameter.choices:
        return _choice(parameter, value)
    if parameter.dtype.kind == "b":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError("%s=%r is neither True nor False" % (parameter.name, value))
        return bool(value)
    is_real = parameter.dtype.kind == "f" or parameter.fraction_bits is not None
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = float(value) if is_real else operator.index(value)
    except TypeError:
        kind = "a number" if is_real else "an integer"
        raise TypeError("%s takes %s, not %r" % (parameter.name, kind, value)) from None
    least, greatest = parameter.least, parameter.greatest
    if least is not None and greatest is not None and not least <= number <= greatest:
        raise ValueError("%s=%r is outside of %s .. %s" % (parameter.name, value, least, greatest))
    if parameter.fraction_bits is not None:
        number = round(number * 2**parameter.fraction_bits)
    if parameter.dtype.kind == "f" and abs(number) != float("inf") and abs(number) > np.finfo(parameter.dtype).max:
        raise ValueError("%s=%r does not fit its type, %s" % (parameter.name, value, parameter.type))
    if parameter.dtype.kind in "iu" and not np.iinfo(parameter.dtype).min <= number <= np.iinfo(parameter.dtype).max:
        raise ValueError("%s=%r does not fit its type, %s" % (parameter.name, value, parameter.type))
    return number


def python_name(name: str) -> str:
    """Words of Python, and arguments of every call, get a _."""
    return name + "_" if keyword.iskeyword(name) or name in ("out", "threads", "axes", "box") else name


def refuse_unknown(interface: Interface, given: dict) -> None:
    if given:
        name = next(iter(given))
        names = [python_name(p.name) for p in interface.parameters] + [image.name for image in interface.inputs]
        raise TypeError("'%s' has no parameter '%s'%s" % (interface.name, name, near(name, names)))


def taken_of(interface: Interface, given: dict) -> list:
    """The value of each parameter, in the order of the signature, as the caller wrote it, or its default; takes them."""
    values = []
    for parameter in interface.parameters:
        values.append(given.pop(python_name(parameter.name), parameter.default))
        if values[-1] is None:
            raise TypeError("'%s' needs %s" % (interface.name, parameter))
    return values


def values_of(interface: Interface, given: dict) -> list[np.ndarray]:
    """The same as numbers, each in memory of its own."""
    taken = taken_of(interface, given)
    return [np.array(number_of(p, value), p.dtype) for p, value in zip(interface.parameters, taken)]


def option_of(name: str, value) -> str:
    """The option of fltc that sets it."""
    value = value.item() if isinstance(value, np.generic) else value
    return "--param=%s=%s" % (name, str(value).lower() if isinstance(value, bool) else value)
