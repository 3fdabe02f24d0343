"""What Python, editors and mypy know of a filter as a function: its help, its signature, a stub."""

from __future__ import annotations

import inspect

import numpy as np

from ._interface import Image, Interface, Parameter
from ._parameters import python_name

HEAD = """from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

"""
MORE = {
    "out": "Any",
    "threads": "int",
    "axes": "str | Sequence[str] | None",
    "box": "Sequence[Any] | None",
}


def document_of(facts: Interface) -> str:
    lines = [facts.text + "." if facts.text else "The filter %s." % facts.name, "", "Parameters", "----------"]
    for image in facts.inputs:
        lines += ["%s : ndarray of %s, axes [%s]" % (image.name, image.dtype.name, ", ".join(image.axis_names))]
    for parameter in facts.parameters:
        lines += [str(parameter)] + (["    " + parameter.text] if parameter.text else [])
    lines += ["", "Returns", "-------"]
    lines += ["%s : ndarray of %s, axes [%s]" % (o.name, o.dtype.name, ", ".join(o.axis_names)) for o in facts.outputs]
    return "\n".join(lines)


def signature_of(facts: Interface) -> inspect.Signature:
    """Names that are words of Python get a _."""
    images = [
        inspect.Parameter(python_name(i.name) if i.name.isidentifier() else i.name.replace(".", "_") + "_",
                          inspect.Parameter.POSITIONAL_ONLY)
        for i in facts.inputs
    ]
    parameters = [
        inspect.Parameter(python_name(p.name), inspect.Parameter.KEYWORD_ONLY,
                          default=inspect.Parameter.empty if p.default is None else p.default)
        for p in facts.parameters
    ]
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in (("out", None), ("threads", 0), ("axes", None), ("box", None))]
    return inspect.Signature(images + parameters + more)


def _array(image: Image, varies: bool) -> str:
    return "NDArray[Any]" if varies else "NDArray[np.%s]" % ("bool_" if image.dtype.kind == "b" else np.dtype(image.dtype).name)


def _number(parameter: Parameter) -> str:
    if parameter.choices:
        return "Literal[%s]" % ", ".join(map(repr, parameter.choices))
    is_real = parameter.dtype.kind == "f" or parameter.fraction_bits is not None
    return "bool" if parameter.dtype.kind == "b" else "float" if is_real else "int"


def stub_of(facts: Interface, signature: inspect.Signature, document: str, varies: bool) -> str:
    """A function in the language of .pyi files; varies: its images have type variables."""
    kinds = [_number(p) for p in facts.parameters]
    words = []
    for number, own in enumerate(signature.parameters.values()):
        if own.kind is inspect.Parameter.POSITIONAL_ONLY:
            words.append(own.name + ": ArrayLike")
            continue
        if words and words[-1].endswith(": ArrayLike"):
            words += ["/", "*"]
        kind = MORE[own.name] if own.name in MORE else kinds[number - len(facts.inputs)]
        words.append("%s: %s" % (own.name, kind) + ("" if own.default is own.empty else " = %r" % (own.default,)))
    results = [_array(image, varies) for image in facts.outputs]
    result = results[0] if len(results) == 1 else "tuple[%s]" % ", ".join(results)
    lines = "\n".join("    " + line if line else "" for line in document.splitlines())
    return 'def %s(%s) -> %s:\n    """%s\n    """\n' % (facts.name, ", ".join(words), result, lines.strip().replace("\\", "\\\\").replace('"""', "'''"))
