"""Formulas of the interface: integers, names such as in.y, + - * /, min and max."""

from __future__ import annotations

import ast
import operator
import unicodedata

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv}


def _value(node: ast.AST, names: dict[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, names)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return {"min": min, "max": max}[node.func.id](*[_value(argument, names) for argument in node.args])
    if isinstance(node, ast.Name):
        return names[node.id]
    raise ValueError("that is no formula of an interface")


def value_of(formula: str, names: dict[str, int]) -> int:
    """The number; KeyError where a name is not known. / is floor division."""
    plain = {}
    for number, name in enumerate(sorted(names, key=len, reverse=True)):
        # Names are no Python: in.y, and in is a keyword.
        # No name of the language has such a letter.
        formula = formula.replace(name, "µ%d" % number) if "." in name else formula
        plain[unicodedata.normalize("NFKC", "µ%d" % number) if "." in name else name] = names[name]
    return _value(ast.parse(formula, mode="eval").body, plain)
