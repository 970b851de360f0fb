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


def _partial(expression: Any, by: Any) -> Any:
    """The derivative; sympy's own simplifies on its way, which takes most of its time."""
    arguments = expression.args
    if not arguments:
        return sy.Integer(expression == by)
    slopes = [_partial(one, by) for one in arguments]
    if expression.is_Add:
        return sy.Add(*slopes)
    found = []
    for i, one in enumerate(slopes):
        if one == 0:
            continue
        if expression.is_Mul:
            found.append(sy.Mul(one, *arguments[:i], *arguments[i + 1:]))
        elif expression.is_Pow and i == 0:
            found.append(one * arguments[1] * arguments[0]**(arguments[1] - 1))
        else:
            found.append(one * expression.fdiff(i + 1))
    return sy.Add(*found)


class _Functions:
    """Derivatives, and functions in Python, where symbols may stand for expressions."""

    def __init__(self, lets: Dict[Any, Any]):
        self.lets = lets
        self.symbols: Dict[Any, List[Any]] = {}  # of terms
        self.partials: Dict[Tuple[Any, Any], Any] = {}
        self.inner: Dict[Tuple[Any, Any], Any] = {}  # derivatives of the expressions

    def slope(self, expression: Any, by: Any) -> Any:
        """The derivative; those of terms are kept, as the same occur in many equations."""
        found = []
        for term in sy.Add.make_args(expression):
            if term not in self.symbols:
                self.symbols[term] = sorted(term.free_symbols, key=str)
            for one in self.symbols[term]:
                if one in self.lets and (one, by) not in self.inner:
                    self.inner[one, by] = self.slope(self.lets[one], by)
                inner = sy.Integer(1) if one == by else self.inner.get((one, by), 0)
                if inner == 0:
                    continue
                if (term, one) not in self.partials:
                    self.partials[term, one] = _partial(term, one)
                found.append(self.partials[term, one] * inner)
        return sy.Add(*found)

    def needed(self, expressions: Sequence[Any]) -> List[Tuple[Any, Any]]:
        """The symbols in expressions, and in theirs, with what they stand for."""
        found = sy.Tuple(*expressions).free_symbols
        for symbol in reversed(list(self.lets)):
            if symbol in found:
                found = found | self.lets[symbol].free_symbols
        return [one for one in self.lets.items() if one[0] in found]

    def function(self, name: str, arguments: str, says: str, answer: Any, columns: int = 0,
                 first: Sequence[str] = ()) -> List[str]:
        """A function that returns a number, a list, or with `columns` a list of rows; its first lines."""
        flat = answer if isinstance(answer, list) else [answer]
        shared, reduced = sy.cse(flat, symbols=sy.numbered_symbols("c_"))
        if not isinstance(answer, list):
            found = [_python(reduced[0])]
        elif columns:
            rows = [reduced[i:i + columns] for i in range(0, len(reduced), columns)]
            found = ["[%s]" % ",\n            ".join(_listed(row) for row in rows)]
        else:
            found = [_listed(reduced)]
        return ["", "", "def %s(%s):" % (name, arguments), '    """%s"""' % says, *first,
                *("    %s = %s" % (word, _python(one)) for word, one in self.needed(flat) + shared),
                "    return " + found[0]]


VELOCITY = '''

def velocity(q, p):
    """M(q)^-1 p, by elimination: M is positive definite."""
    rows, v = M(q), list(p)
    for i in range(n):
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [x - factor * y for x, y in zip(rows[j], rows[i])]
            v[j] -= factor * v[i]
    for i in reversed(range(n)):
        v[i] = (v[i] - sum(rows[i][j] * v[j] for j in range(i + 1, n))) / rows[i][i]
    return v'''


def python_file(system: System, heading: str, values: Dict[str, str], initial_time: str,
                start: Tuple[Sequence[str], Sequence[str]]) -> str:
    """Functions of lists that return numbers and lists, in a file that needs nothing else."""
    q, p, v, t, n, m = system.q, system.p, system.v, system.t, len(system.q), len(system.g)
    file = _Functions(system.lets)

    def by(expressions: Sequence[Any], names: Sequence[Any]) -> List[Any]:
        return [file.slope(one, name) for one in expressions for name in names]
    at = "q, p, t=initial_time"
    first, body, of_q, of_p = [], [], by([system.H], q), by([system.H], p)
    if system.M:  # H_q at constant p is -L_q at constant velocity, of the Lagrangian L
        first, of_q, of_p = ["    v = velocity(q, p)"], by([2 * system.V - system.H], q), v
        body = file.function("M", "q", "The mass matrix.", sum(system.M, []), n) + [VELOCITY]
    body += file.function("H", at, "The Hamiltonian.", system.H, first=first)
    body += file.function("H_q", at, "Its gradient in q, without forces.", of_q, first=first)
    body += file.function("H_p", at, "Its gradient in p, the velocity.", of_p, first=first)
    if system.Q:
        body += file.function("Q", at, "Generalized forces.", system.Q,
                              first=first if sy.Tuple(*system.Q).has(*v) else [])
    if system.momenta:
        body += file.function("g", at, "The constraints.", system.g)
        body += file.function("g_q", at, "Their derivatives in q.", by(system.g, q), n)
        body += file.function("g_p", at, "Their derivatives in p.", by(system.g, p), n)
    else:
        at = "q, t=initial_time"
        body += file.function("g", at, "The constraints.", system.g)
        body += file.function("G", at, "Their Jacobian, a row for each.", by(system.g, q), n)
        rates = by(system.g, [t])
        body += file.function("g_t", at, "Their derivative in time.", rates)
        along = [sum(file.slope(one, x) * a for x, a in zip(q + [t], v + [1])) for one in system.g]
        twice = [sum(file.slope(one, x) * a for x, a in zip(q + [t], v + [1])) for one in along]
        body += file.function("curvature", "q, v, t=initial_time",
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
    for letter, state in (("q", system.q), ("p", system.p), ("v", system.v)):
        names.update({one: "%s_{%d}" % (letter, i + 1) for i, one in enumerate(state)})
    lines = _terms("H", system.H, names)
    if system.M:
        lines = [r"H ={}& \tfrac{1}{2}\,p^{\mathsf{T}} M^{-1} p + V,\quad v = M^{-1} p",
                 *_terms("V", system.V, names)]
        for i, row in enumerate(system.M):
            for j, one in enumerate(row[i:], i + 1):
                lines += _terms("M_{%d%d}%s" % (i + 1, j, " = M_{%d%d}" % (j, i + 1) if j > i + 1 else ""),
                                one, names) if one != 0 else []
    for word, one in system.lets.items():
        lines += _terms(str(sy.latex(word)), one, names)
    for i, one in enumerate(system.g):
        lines += _terms("0 = g_{%d}" % (i + 1), one, names)
    for i, one in enumerate(system.Q):
        lines += _terms("Q_{%d}" % (i + 1), one, names)
    numbers = ["%s = %s" % (names[sy.Symbol(name)], re.sub("e(-?)(.*)", r"\\cdot 10^{\1\2}", number))
               for name, number in system.constants.items() if sy.Symbol(name) in names]
    lines += [r"{}& " + r",\quad ".join(numbers[i:i + 5]) for i in range(0, len(numbers), 5)]
    comments = heading.splitlines() + (["Entries of M that are not here are 0."] if system.M else [])
    return "\n".join(["% " + line for line in comments if line]
                     + [r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}", ""])
