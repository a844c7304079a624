"""Arithmetic over the metrics of a run, and of the run that it is compared with: data, never executed."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_CALLS: Mapping[str, Callable[..., float]] = {"min": min, "max": max}
_LONGEST = 500
# What stands in brackets may have dots and dashes, as `time_to_byte[newcomer.1500000]`.
_GROUP = re.compile(r"\[([A-Za-z][\w.-]*)\]")
REFERENCE = "reference."


class ExpressionError(ValueError):
    """An expression that is none, with what is allowed."""


class Expression:
    """An expression such as `1 - goodput[rival] / reference.goodput[rival]`.

    It has `+ - * /`, `min` and `max`, parentheses, numbers and metrics. A metric after `reference.` is that
    of the same network in which the judged controller is replaced by the rival.
    """

    def __init__(self, text: str) -> None:
        """Parse a text; raises ExpressionError."""
        try:
            # Only a short text is parsed: Python's parser recurses as deep as parentheses do.
            tree = ast.parse(_GROUP.sub(r"['\1']", text) if len(text) <= _LONGEST else "(", mode="eval").body
        except (SyntaxError, ValueError):
            raise ExpressionError(
                f"{text[:60]!r} is no expression; e.g. goodput[judged] / goodput[rival]"
            ) from None
        self.metrics: set[str] = set()
        self._value = self._read(tree)

    def __call__(self, metrics: Mapping[str, float]) -> float | None:
        """Return the value; None where a metric is absent, or a divisor 0."""
        try:
            return self._value(metrics)
        except (KeyError, ZeroDivisionError):
            return None

    def _read(self, node: ast.expr) -> Callable[[Mapping[str, float]], float]:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return lambda _: float(number)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self._read(operand)
                return lambda metrics: -inner(metrics)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                one, other, apply = self._read(left), self._read(right), _OPERATORS[type(op)]
                return lambda metrics: apply(one(metrics), other(metrics))
            case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name in _CALLS:
                parts, call = [self._read(arg) for arg in args], _CALLS[name]
                return lambda metrics: call([part(metrics) for part in parts])
        name = _name(node)
        self.metrics.add(name)
        return lambda metrics: metrics[name]


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="reference"), attr=name):
            return REFERENCE + name
        case ast.Subscript(
            value=(ast.Name() | ast.Attribute()) as value, slice=ast.Constant(value=str(group))
        ):
            return f"{_name(value)}[{group}]"
    allowed = "numbers, metrics, reference.METRIC, + - * /, min(), max()"
    raise ExpressionError(f"{ast.unparse(node)[:60]!r} is not allowed in an expression; {allowed}")


def bare(name: str) -> str:
    """Return the name of a metric without `reference.` and its group."""
    found: Any = name.removeprefix(REFERENCE).partition("[")[0]
    return str(found)
