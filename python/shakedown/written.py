"""Equations (equations.py) written as a file of Python and as LaTeX."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Sequence, Tuple

from .equations import System, sy

FUNCTIONS = ("cos", "log", "pi", "sin", "sqrt")


def _python(expression: Any) -> str:
    return str(sy.pycode(expression, fully_qualified_modules=False))


def _listed(values: Sequence[Any]) -> str:
    return "[%s]" % ", ".join(_python(one) for one in values)


def _slope(expression: Any, by: Any) -> Any:
    """The derivative; quicker than sympy's where few terms of a sum have the symbol."""
    return sy.Add(*(sy.diff(term, by) for term in sy.Add.make_args(expression)
                    if by in term.free_symbols))


def _function(name: str, arguments: str, says: str, answer: Any, columns: int = 0) -> List[str]:
    """A function that returns a number, a list, or with `columns` a list of rows."""
    flat = answer if isinstance(answer, list) else [answer]
    shared, reduced = sy.cse(flat, symbols=sy.numbered_symbols("c_"))
    if not isinstance(answer, list):
        found = [_python(reduced[0])]
    elif columns:
        rows = [reduced[i:i + columns] for i in range(0, len(reduced), columns)]
        found = ["[%s]" % ",\n            ".join(_listed(row) for row in rows)]
    else:
        found = [_listed(reduced)]
    return ["", "", "def %s(%s):" % (name, arguments), '    """%s"""' % says,
            *("    %s = %s" % (word, _python(one)) for word, one in shared),
            "    return " + found[0]]


def python_file(system: System, heading: str, values: Dict[str, str], initial_time: str,
                start: Tuple[Sequence[str], Sequence[str]]) -> str:
    """Functions of lists that return numbers and lists, in a file that needs nothing else."""
    q, p, t, n, m = system.q, system.p, system.t, len(system.q), len(system.g)
    v = [sy.Symbol("v[%d]" % i) for i in range(n)]

    def by(expressions: Sequence[Any], names: Sequence[Any]) -> List[Any]:
        return [_slope(one, name) for one in expressions for name in names]
    at = "q, p, t=initial_time"
    body = _function("H", at, "The Hamiltonian.", system.H)
    body += _function("H_q", at, "Its gradient in q, without forces.", by([system.H], q))
    body += _function("H_p", at, "Its gradient in p, the velocity.", by([system.H], p))
    if system.Q:
        body += _function("Q", at, "Generalized forces.", system.Q)
    if system.momenta:
        body += _function("g", at, "The constraints.", system.g)
        body += _function("g_q", at, "Their derivatives in q.", by(system.g, q), n)
        body += _function("g_p", at, "Their derivatives in p.", by(system.g, p), n)
    else:
        at = "q, t=initial_time"
        body += _function("g", at, "The constraints.", system.g)
        body += _function("G", at, "Their Jacobian, a row for each.", by(system.g, q), n)
        rates = by(system.g, [t])
        body += _function("g_t", at, "Their derivative in time.", rates)
        along = [sum(_slope(one, x) * a for x, a in zip(q + [t], v + [1])) for one in system.g]
        twice = [sum(_slope(one, x) * a for x, a in zip(q + [t], v + [1])) for one in along]
        body += _function("curvature", "q, v, t=initial_time",
                          "g_qq[v,v] + 2 g_qt v + g_tt.", twice)
    text = "\n".join([
        "n, m = %d, %d  # coordinates, constraints" % (n, m),
        *("%s = %s" % (one, values[str(one)]) for one in system.parameters),
        "initial_time = " + initial_time,
        "start = ([%s],\n         [%s])  # q, p" % tuple(", ".join(x) for x in start), *body, ""])
    needed = [word for word in FUNCTIONS if re.search(r"\b%s\b" % word, text)]
    return "\n".join(['"""%s"""' % heading,
                      *(["from math import " + ", ".join(needed)] if needed else []), "", text])


def _terms(name: str, expression: Any, names: Dict[Any, str]) -> List[str]:
    """A line of an equation for as many terms as are short enough together."""
    most = 110
    lines, line = [], name + " ={}& "
    for i, term in enumerate(expression.as_ordered_terms()):
        text = str(sy.latex(term, symbol_names=names, mul_symbol=r"\,"))
        text = text if i == 0 or text.startswith("-") else "+ " + text
        if i and len(line) + len(text) > most:
            lines.append(line)
            line = r"{}& {} "
        line += text + " "
    return lines + [line]


def latex_file(system: System, heading: str) -> str:
    """An environment `align*` of H, g and Q, to be included where amsmath is loaded."""
    names = {one: r"\mathrm{%s}" % str(one).replace("_", r"\_") for one in system.parameters}
    for letter, state in (("q", system.q), ("p", system.p)):
        names.update({one: "%s_{%d}" % (letter, i + 1) for i, one in enumerate(state)})
    lines = _terms("H", system.H, names)
    for i, one in enumerate(system.g):
        lines += _terms("0 = g_{%d}" % (i + 1), one, names)
    for i, one in enumerate(system.Q):
        lines += _terms("Q_{%d}" % (i + 1), one, names)
    return "\n".join(["% " + line for line in heading.splitlines() if line]
                     + [r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}", ""])
