"""User-defined problems, as classes that are written with sympy and compiled for all precisions."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import numbers
import os
import pathlib
import re
import subprocess
import tempfile
import types
from typing import Any, Callable, ClassVar, Dict, List, Optional, Sequence, Tuple, Type, Union

import numpy as np

from ._library import Failure, Path, digits, find_program, whole


C_WORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "mass real".split())


class Model:
    """A problem of your own: derive a class with H, g and a start, written as sympy expressions.

    All derivatives are derived from these. The problem is compiled as a C plug-in for all precisions, and is as fast
    as one that is built in. `diagnose` checks it, and `Problem`, `solve`, `run` and `certify` accept the class. This
    requires sympy and a C compiler. Use sympy's functions, such as `sympy.sin`, not numpy's.

    Attributes
    ----------
    n : int
        Number of coordinates.
    parameters : dict
        Parameters with their defaults. In H, g, Q and start they are symbols, such as `self.stiffness`. Write
        defaults as texts, such as "0.3", to keep all digits in quadruple precision.
    time_scale : number or str
        A typical period divided by 2 pi, or the shortest relevant time.
    horizon : number or str
        The time at which studies measure errors by default. Choose it before chaos sets in, and not at a symmetric
        point.
    name : str
        The name in studies and tables. By default it is derived from the class: my-problem for MyProblem.
    summary : str
        A short description. By default, the first line of the docstring.
    Q : function (self, q, p) or (self, q, p, t), optional
        Returns n generalized forces: p' = -H_q + Q - G^T lambda.

    Raises
    ------
    ValueError, TypeError
        If a class that is used is not a valid problem. The error names the class and the member.
    Failure
        If the plug-in cannot be compiled, or another problem already has the name.

    Examples
    --------
    >>> class Bead(shakedown.Model):
    ...     'A bead on the curve y = x^4, held by a spring.'
    ...     n = 2
    ...     parameters = {"stiffness": 2, "rate": "0.3"}
    ...     def H(self, q, p):
    ...         return (p[0]**2 + p[1]**2) / 2 + q[1] + self.stiffness * q[0]**2 / 2
    ...     def g(self, q):
    ...         return [q[1] - q[0]**4]
    ...     def start(self):
    ...         return [1, 1], [self.rate, 4 * self.rate]
    >>> bead = shakedown.Problem(Bead, rate=0.5)
    >>> print(bead.G([1, 1]), bead.start()[1])
    [[-4.  1.]] [0.5 2. ]
    """

    name: ClassVar[str]
    n: ClassVar[int]
    parameters: ClassVar[Dict[str, Any]] = {}
    time_scale: ClassVar[Any] = 1
    horizon: ClassVar[Any] = "10.7"
    summary: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", cls.__name__).lower()
        if not cls.summary:
            cls.summary = (inspect.getdoc(cls) or cls.name).split("\n")[0]

    def H(self, q: Sequence[Any], p: Sequence[Any]) -> Any:
        """Return the Hamiltonian. If it depends on time, take `t` as well: `H(self, q, p, t)`.

        Parameters
        ----------
        q, p : list of n symbols
            Coordinates and momenta.

        Returns
        -------
        sympy expression
        """
        raise NotImplementedError(self.name + " has no H")

    def g(self, q: Sequence[Any]) -> Sequence[Any]:
        """Return the constraints. If they depend on time or on momenta, take `t` or `p` as well.

        Parameters
        ----------
        q : list of n symbols
            Coordinates.

        Returns
        -------
        list of m sympy expressions
        """
        raise NotImplementedError(self.name + " has no g")

    #: Generalized forces without a potential, `Q(self, q, p)` or with t.
    Q: ClassVar[Optional[Callable[..., Sequence[Any]]]] = None

    def start(self) -> Tuple[Sequence[Any], Sequence[Any]]:
        """Return a start at time 0 that satisfies g = 0 and G H_p = 0 exactly.

        Returns
        -------
        q, p : lists of n numbers or expressions in the parameters
        """
        raise NotImplementedError(self.name + " has no start")

    @classmethod
    def source(cls) -> str:
        """Return the C source of the plug-in.

        Returns
        -------
        str
        """
        return _Writer(cls).text()

    @classmethod
    def build(cls, folder: Path = ".") -> str:
        """Compile a plug-in, NAME.so, which `shakedown --plugin` and `Problem` accept.

        Parameters
        ----------
        folder : str or path, optional
            Where to write it. By default, the working directory.

        Returns
        -------
        str
            Its path.

        Raises
        ------
        Failure
            If it does not compile. The error contains the compiler's messages.
        """
        file = pathlib.Path(folder, cls.name + ".c")
        file.write_text(cls.source(), encoding="utf-8")
        made = str(file.with_suffix(".so"))
        ended = subprocess.run([find_program(), "plugin", "build", str(file), "-o", made],
                               capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            said = (ended.stderr or ended.stdout).strip()
            raise Failure(said[len("shakedown: "):] if said.startswith("shakedown: ") else said)
        return made


def models_in(module: types.ModuleType) -> List[Type[Model]]:
    """Return the problems that a module defines."""
    return [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Model)
            and one.__module__ == module.__name__]


_built: Dict[str, str] = {}
_folders: List[Any] = []


def plugin_of(model: Type[Model]) -> str:
    """Return the compiled plug-in of a model, which is created once and removed at the end of the process."""
    key = hashlib.sha256(model.source().encode()).hexdigest()
    if key not in _built:
        _folders.append(tempfile.TemporaryDirectory(prefix="shakedown-"))
        _built[key] = model.build(_folders[-1].name)
    return _built[key]


#: Values that a specification contains unchanged: numbers with units, specifications, texts in quotes.
VALUE = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*[A-Za-z]*|[a-z][a-z0-9-]*\s*(\(.*\))?|".*"', re.DOTALL)


def named(problem: Any, parameters: Optional[Dict[str, Any]] = None
          ) -> Tuple[str, List[str]]:
    """Return the specification of a problem, and the plug-ins that it needs."""
    if isinstance(problem, str):
        return specified(problem, parameters), []
    if isinstance(problem, type) and issubclass(problem, Model) and problem is not Model:
        return specified(problem.name, parameters), [plugin_of(problem)]
    opened = getattr(problem, "_source", None)  # set if it is a Problem
    if opened:
        return specified(opened[0], parameters), opened[1]
    raise TypeError("a problem must be a text, such as \"pendulum(angle=0.7)\", a subclass of Model, or a Problem; "
                    "found %r" % (problem,))


def specified(name: str, options: Optional[Dict[str, Any]]) -> str:
    """Add options to a specification: floats with all their digits, and texts in quotes unless they are names,
    numbers or specifications."""
    def text(key: str, value: Any) -> str:
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, (bool, np.bool_)):
            return "yes" if value else "no"
        if isinstance(value, numbers.Number):
            return digits(value)
        if not isinstance(value, (str, os.PathLike)):
            raise TypeError("parameter %s: found %r, expected a number, a text, a path, True or False" % (key, value))
        if isinstance(value, str) and VALUE.fullmatch(value):
            return value
        return '"%s"' % re.sub(r'(["\\])', r"\\\1", os.fspath(value))
    if not options:
        return name
    words = ",".join("%s=%s" % (key, text(key, value)) for key, value in options.items())
    if not name.endswith(")"):
        return "%s(%s)" % (name, words)
    return name[:-1] + ("," if name[-2] != "(" else "") + words + ")"


class _Writer:
    """Writes a model as C source."""

    def __init__(self, model: Type[Model]):
        self.model = model
        self.sympy: Any = importlib.import_module("sympy")  # imported late, because it is slow; untyped
        sympy = self.sympy
        self.n = whole("%s: n, the number of coordinates" % model.name, getattr(model, "n", None))
        if not isinstance(model.parameters, dict):
            raise TypeError("%s: parameters: found %r, expected a dictionary of names and defaults"
                            % (model.name, model.parameters))
        self.q, self.p, self.v = (
            [sympy.Symbol("%s[%d]" % (letter, i), real=True) for i in range(self.n)]
            for letter in "qpv")
        self.w = [sympy.Symbol("w[%d]" % i, real=True) for i in range(2 * self.n)]
        self.t = sympy.Symbol("t", real=True)
        made, self.symbols = model(), {*self.q, *self.p, self.t}
        for parameter in model.parameters:
            self.check_name(parameter)
            symbol = sympy.Symbol("s->" + parameter, real=True)
            self.symbols.add(symbol)
            setattr(made, parameter, symbol)
        self.H = self.exact("H", self.asked(made.H))
        self.g = self.several("g", self.asked(made.g))
        self.Q = self.several("Q", self.asked(made.Q)) if made.Q is not None else []
        if self.Q and len(self.Q) != self.n:
            raise ValueError("%s: Q has %d forces, expected %d" % (model.name, len(self.Q), self.n))
        self.momenta = any(one.has(*self.p) for one in self.g)
        self.rheonomic = any(one.has(self.t) for one in self.g)
        if self.momenta and self.rheonomic:
            raise ValueError("%s: constraints depend on momenta or on time, not on both" % model.name)
        halves = [self.several("start", half) for half in made.start()]
        if [len(half) for half in halves] != [self.n, self.n]:
            raise ValueError("%s: the start has %s numbers, expected twice %d" % (
                model.name, [len(half) for half in halves], self.n))
        self.start = halves[0] + halves[1]
        self.hessian_pp = self.derivatives([sympy.diff(self.H, one) for one in self.p], self.p)
        self.mass = self.find_mass()
        if self.mass is not None:
            self.V = sympy.expand(sympy.simplify(self.H - sum(
                a * a / (2 * m) for a, m in zip(self.p, self.mass))))

    def check_name(self, parameter: str) -> None:
        """Refuse names that C or the class already uses."""
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", parameter) or parameter in C_WORDS:
            raise ValueError("%s: the parameter %r is not a valid name in C" % (self.model.name, parameter))
        if hasattr(Model, parameter) or parameter in ("n", "name") or callable(
                getattr(self.model, parameter, None)):
            raise ValueError("%s: the parameter %r has the name of a member of the model"
                             % (self.model.name, parameter))

    def asked(self, function: Callable[..., Any]) -> Any:
        """Call a function with the symbols that its arguments name."""
        names = list(inspect.signature(function).parameters)
        if not {"q", "p", "t"}.issuperset(names):
            raise TypeError("%s: %s has the arguments %s, expected some of q, p, t"
                            % (self.model.name, function.__name__, ", ".join(names)))
        return function(**{name: getattr(self, name) for name in names})

    def several(self, name: str, expressions: Any) -> List[Any]:
        """Return a list of expressions, each made exact."""
        if not hasattr(expressions, "__iter__") or isinstance(expressions, str):
            raise TypeError("%s: %s: found %r, expected a list of expressions"
                            % (self.model.name, name, expressions))
        return [self.exact(name, one) for one in expressions]

    def exact(self, name: str, expression: Any) -> Any:
        """Return an expression in which each decimal is replaced by the exact fraction that it represents."""
        sympy = self.sympy
        made = sympy.sympify(expression)
        if not isinstance(made, sympy.Expr):
            raise TypeError("%s: %s: found %r, expected a sympy expression" % (self.model.name, name, expression))
        strange = made.free_symbols - self.symbols
        if strange:
            raise ValueError("%s: %s contains %s, which is not a coordinate, momentum, time or parameter"
                             % (self.model.name, name, ", ".join(sorted(map(str, strange)))))
        return made.xreplace({one: sympy.Rational(str(one)) for one in made.atoms(sympy.Float)})

    def derivatives(self, expressions: Sequence[Any], by: Sequence[Any]) -> List[List[Any]]:
        return [[self.sympy.diff(one, x) for x in by] for one in expressions]

    def find_mass(self) -> Optional[List[Any]]:
        """Return the diagonal of M if H is p^T M^-1 p / 2 + V(q) with constant diagonal M, and None otherwise."""
        sympy = self.sympy
        inverse = [[sympy.simplify(x) for x in row] for row in self.hessian_pp]
        mixed = self.derivatives([sympy.diff(self.H, x) for x in self.p], self.q)
        if any(sympy.simplify(x) != 0 for row in mixed for x in row):
            return None
        state = {*self.q, *self.p, self.t}
        for i, row in enumerate(inverse):
            if any(x != 0 for j, x in enumerate(row) if j != i) or row[i] == 0 \
                    or row[i].free_symbols & state:
                return None
        return [1 / row[i] for i, row in enumerate(inverse)]

    # ---- expressions ----

    def printed(self, expression: Any) -> str:
        """Return an expression in C with the precision of the compilation."""
        sympy = self.sympy
        if expression.is_Integer:
            return "((real)%s)" % expression
        if expression.is_Rational:
            return "((real)%d / (real)%d)" % (expression.p, expression.q)
        if expression is sympy.pi:
            return "REAL_PI"
        if expression.is_Symbol:
            return str(expression.name)
        if expression.is_Add or expression.is_Mul:
            return "(%s)" % (" + " if expression.is_Add else " * ").join(
                self.printed(one) for one in expression.args)
        if expression.is_Pow:
            return self.power(*expression.args)
        known = {"sin": "real_sin", "cos": "real_cos", "tan": "real_tan", "asin": "real_asin",
                 "acos": "real_acos", "atan2": "real_atan2", "exp": "real_exp", "log": "real_log",
                 "Abs": "real_fabs"}
        function = known.get(type(expression).__name__)
        if type(expression).__name__ == "sign":
            argument = self.printed(expression.args[0])
            return "((real)((%s > 0) - (%s < 0)))" % (argument, argument)
        if type(expression).__name__ == "DiracDelta":  # comes from |x|'' and is zero unless x is 0
            return "((real)0)"
        if function is None:
            raise ValueError("%s: %s cannot be expressed in C" % (self.model.name, expression))
        return "%s(%s)" % (function, ", ".join(self.printed(one) for one in expression.args))

    def power(self, base: Any, exponent: Any) -> str:
        most = 8
        if exponent.is_negative:
            return "(1 / %s)" % self.printed(base ** -exponent)
        if exponent == self.sympy.Rational(1, 2):
            return "real_sqrt(%s)" % self.printed(base)
        if base is self.sympy.E:
            return "real_exp(%s)" % self.printed(exponent)
        if exponent.is_Integer and exponent <= most:
            return "(%s)" % " * ".join([self.printed(base)] * int(exponent))
        return "real_pow(%s, %s)" % (self.printed(base), self.printed(exponent))

    def lines(self, to: str, expressions: Sequence[Any]) -> List[str]:
        """Return assignments in C. Subexpressions that several of them share are computed once."""
        shared, reduced = self.sympy.cse(
            list(expressions), symbols=self.sympy.numbered_symbols("c_", real=True))
        return ["  const real %s = %s;" % (name, self.printed(one)) for name, one in shared] + \
               ["  %s[%d] = %s;" % (to, i, self.printed(one)) for i, one in enumerate(reduced)]

    def function(self, name: str, arguments: str, **answers: Sequence[Any]) -> str:
        """Return a C function that writes each of its `answers` to the argument of that name."""
        given = [one for one in arguments.split(", ") if one]
        blocks = [["  {", *self.lines(to, each), "  }"] for to, each in answers.items()]
        return "\n".join(["static int %s(%s)" % (name, ", ".join(
                              ["const void *context", *("real *" + to for to in answers), *given])),
                          "{", "  const struct parameters *s = context;", "  (void)s;",
                          *("  (void)%s;" % one.split()[-1].strip("*") for one in given),
                          *sum(blocks, []), "  return 0;", "}", ""])

    # ---- the file ----

    def parts(self) -> Dict[str, str]:
        """Return the functions of the system, keyed by the members of struct shk_system."""
        diff, at = self.sympy.diff, "real t, const real *q"
        both = at + ", const real *p"
        state: List[Any] = self.q + self.p
        first: List[Any] = [diff(self.H, x) for x in state]
        parts = self.momentum_parts(both) if self.momenta else self.constraint_parts(at)
        if self.Q:
            parts["force"] = self.function("force", both, out=self.Q)
            parts["force_gradients"] = self.function(
                "force_gradients", both, Q_q=sum(self.derivatives(self.Q, self.q), []),
                Q_p=sum(self.derivatives(self.Q, self.p), []))
        if self.mass is not None:
            parts["potential"] = self.function("potential", at, out=[self.V])
            parts["gradient"] = self.function("gradient", at, out=[diff(self.V, x) for x in self.q])
        else:
            for name, expressions in (("hamiltonian", [self.H]),
                                      ("hamiltonian_q", first[:len(self.q)]),
                                      ("hamiltonian_p", first[len(self.q):])):
                parts[name] = self.function(name, both, out=expressions)
        if self.mass is None or self.Q or self.momenta:
            parts["hessian"] = self.function("hessian", both,
                                             out=sum(self.derivatives(first, state), []))
        return parts

    def constraint_parts(self, at: str) -> Dict[str, str]:
        """Return the functions for constraints g(q,t)."""
        way, by = self.v + [self.sympy.Integer(1)], self.q + [self.t]
        once = [sum(x * a for x, a in zip(row, way)) for row in self.derivatives(self.g, by)]
        twice = [sum(x * a for x, a in zip(row, way)) for row in self.derivatives(once, by)]
        parts = {
            "constraint": self.function("constraint", at, out=self.g),
            "jacobian": self.function("jacobian", at, out=sum(self.derivatives(self.g, self.q), [])),
            "curvature": self.function("curvature", at + ", const real *v", out=twice)}
        if self.rheonomic:
            parts["constraint_rate"] = self.function(
                "constraint_rate", at, out=[self.sympy.diff(one, self.t) for one in self.g])
        return parts

    def momentum_parts(self, both: str) -> Dict[str, str]:
        """Return the functions for constraints g(q,p)."""
        state: List[Any] = self.q + self.p
        along = [sum(x * a for x, a in zip(row, self.w)) for row in self.derivatives(self.g, state)]
        return {
            "constraint_qp": self.function("constraint_qp", both, out=self.g),
            "constraint_gradients": self.function(
                "constraint_gradients", both, g_q=sum(self.derivatives(self.g, self.q), []),
                g_p=sum(self.derivatives(self.g, self.p), [])),
            "constraint_second": self.function("constraint_second", both + ", const real *w",
                                               out=sum(self.derivatives(along, state), []))}

    def features(self) -> str:
        """Return the features of the system, as enum shk_feature."""
        return " | ".join(word for word, has in (
            ("SHK_GENERAL_HAMILTONIAN", self.mass is None), ("SHK_RHEONOMIC", self.rheonomic),
            ("SHK_FORCES", self.Q), ("SHK_MOMENTUM_CONSTRAINT", self.momenta)) if has) or "0"

    def undecidable(self) -> str:
        """Return the properties of an integrator that the problem cannot decide (enum shk_undecidable), as far as
        the expressions show them."""
        diff, zero = self.sympy.diff, self.sympy.Integer(0)
        found = []
        if all(diff(one, x, y) == zero for one in self.g for x in self.q for y in self.q):
            found.append("SHK_LINEAR_CONSTRAINTS")
        if self.mass is not None:
            if all(diff(self.V, x) == zero for x in self.q):
                found.append("SHK_FREE_MOTION")
            if all(diff(self.V, x, y) == zero for x in self.q for y in self.q):
                found.append("SHK_LINEAR_POTENTIAL")
        said = [self.H, *self.Q]
        back = [one.subs({x: -x for x in self.p}, simultaneous=True) for one in said]
        if any(self.sympy.simplify(x - y) != zero for x, y in zip(said, back)) \
                or any(one.has(self.t) for one in said + self.g):
            found.append("SHK_NO_REVERSAL")
        if self.n - len(self.g) == 1:
            found.append("SHK_ONE_DEGREE_OF_FREEDOM")
        return " | ".join(found) or "0"

    def text(self) -> str:
        model, parts, n = self.model, self.parts(), self.n
        said = "H = %s,  g = %s" % (self.H, self.g) + (",  Q = %s" % self.Q if self.Q else "")
        quoted = ['"%s"' % str(one).replace("\\", "\\\\").replace('"', '\\"') for one in (
            model.summary, said)]
        equations = quoted[1].replace("s->", "")
        options = ["    SHK_REAL(parameters, %s, \"%s\", \"%s\", \"%s\")," % (
            name, name, value, name) for name, value in model.parameters.items()]
        mass = self.lines("s->mass", self.mass) if self.mass is not None else []
        return "\n".join([
            "/* %s: made of a class in Python. */" % model.name,
            "#include <shakedown/plugin.h>", "",
            "struct parameters {", "  real mass[%d];" % n,
            *("  real %s;" % name for name in model.parameters), "};", "",
            *parts.values(),
            self.function("start", "", q=self.start[:n], p=self.start[n:]),
            "static struct shk_status set_up(struct shk_instance *instance, void *context)", "{",
            "  struct parameters *s = context;", "  (void)s;", *mass,
            *(["  instance->system.mass = s->mass;"] if mass else []),
            *("  instance->%s = %s;" % (name, self.printed(self.number(name)))
              for name in ("time_scale", "horizon")),
            "  instance->undecidable = %s;" % self.undecidable(),
            "  instance->start = start;", "  return shk_ok();", "}", "",
            "static const struct shk_option options[] = {", *options, "    {0}};", "",
            "static const struct shk_system own_system = {", "    .n = %d," % n,
            "    .m = %d," % len(self.g),
            "    .features = %s," % self.features(),
            *("    .%s = %s," % (name, name) for name in parts), "};", "",
            "static const struct shk_problem problem = {", "    .struct_size = sizeof problem,",
            "    .info = {.name = \"%s\", .summary = %s, .equations = %s," % (
                model.name, quoted[0], equations),
            "             .citation = \"a class in Python\", .units = \"\", .coordinates = \"\",",
            "             .options = options},",
            "    SHK_CONTEXT(parameters), .system = &own_system, .set_up = set_up};", "",
            "SHK_PROVIDE(%s, .problems = SHK_PROBLEMS(&problem));" % model.name.replace("-", "_"),
            ""])

    def number(self, name: str) -> Any:
        """Return a time of the model. Raises ValueError unless it is a positive number."""
        value = found = getattr(self.model, name)
        try:
            found = self.exact(name, self.sympy.Rational(value) if isinstance(value, str) else value)
        except TypeError:
            pass
        if not getattr(found, "is_positive", False):
            raise ValueError("%s: %s: found %r, expected a positive number" % (self.model.name, name, value))
        return found
