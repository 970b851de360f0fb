"""Single changes of the numeric rooms, and the integrators and tests that each can affect.

A site is a line of a function's body, or a coefficient of a table. Texts, comments, declarations of
claims, and functions that only free or describe are not changed.
"""
import re

# Files (prefixes of paths; the first match counts), integrators whose certificates reach them, their
# tests.
REACH = [
    ("integrators/outside/cvode", ["cvode"], ["outside"]),
    ("integrators/outside/ida", ["ida"], ["ida", "outside"]),
    ("integrators/outside/dae_form", ["ida", "radau5"], ["ida", "outside", "dae"]),
    ("integrators/outside/radau5", ["radau5"], ["outside", "index_one"]),
    ("integrators/outside/hem5", ["hem5"], ["outside"]),
    ("integrators/outside/outside", ["cvode", "hem5"], ["outside", "ida"]),
    ("integrators/kit/composition", ["composition(scheme=triple-jump)",
                                     "composition(scheme=yoshida6)",
                                     "composition(scheme=kahan-li8)"], ["composition", "flows"]),
    ("integrators/kit/flow_gauss", ["rattle(flow=gauss)", "rattle(flow=midpoint)"], ["flows"]),
    ("integrators/kit/flow", ["rattle(flow=midpoint)", "rattle(flow=composition)",
                              "rattle(flow=symplectic-euler)"], ["flows"]),
    ("integrators/geometric/geometric", ["rattle(flow=midpoint)", "rattle"],
     ["constraint_work", "flows", "coisotropic"]),
    ("integrators/geometric/fibre_solve", ["rattle(flow=midpoint)", "rattle"],
     ["constraint_work", "coisotropic", "flows", "folds"]),
    ("integrators/kit/lobatto", ["spark", "spark(stages=4)"], ["spark"]),
    ("integrators/kit/first_guess", ["rattle(guess=extrapolated)"], ["identities"]),
    ("integrators/kit/runge_kutta", ["projection(symmetric=yes,base=midpoint)",
                                     "baumgarte(base=rk5)", "projection(base=rk8)"],
     ["projection"]),
    ("integrators/kit/gsl_stepper", ["projection-adaptive"], ["projection"]),
    ("integrators/kit/orthogonal", ["projection", "verlet-projected"],
     ["projection", "shake_variants"]),
    ("integrators/kit/reduced", ["projection", "baumgarte"], ["projection"]),
    ("integrators/kit/base", ["composition", "adaptive"], ["composition", "adaptive"]),
    ("integrators/kit/bind", ["rattle", "composition"], ["composition"]),
    ("integrators/symplectic_euler", ["symplectic-euler-rattle", "symplectic-euler-shake"],
     ["constraint_work", "identities", "flows"]),
    ("integrators/shake_variants", ["shake-position-only", "shake-minimal-displacement",
                                    "verlet-projected"], ["constraint_work", "shake_variants"]),
    ("integrators/composition", ["composition"], ["constraint_work", "composition"]),
    ("integrators/projection_adaptive", ["projection-adaptive"], ["projection"]),
    ("integrators/projection", ["projection", "projection(symmetric=yes,base=midpoint)"],
     ["constraint_work", "projection"]),
    ("integrators/spark", ["spark"], ["spark"]),
    ("integrators/adaptive", ["adaptive"], ["adaptive"]),
    ("integrators/baumgarte", ["baumgarte", "baumgarte(alpha=2,beta=3)"],
     ["projection", "index_one"]),
    ("integrators/penalty", ["penalty"], ["constraint_work", "penalty"]),
    ("integrators/variational", ["variational"], ["variational"]),
    ("integrators/generalized_alpha", ["generalized-alpha", "generalized-alpha(form=ggl)"],
     ["later_maps"]),
    ("integrators/gauss_lobatto_spark", ["gauss-lobatto-spark"], ["later_maps"]),
    ("integrators/velocity_impulse", ["velocity-impulse"], ["later_maps"]),
    ("integrators/xpbd", ["xpbd"], ["later_maps"]),
    ("integrators/ggl_variational", ["ggl-variational"], ["later_maps"]),
    ("integrators/symmetric_multistep", ["symmetric-multistep"], ["later_maps"]),
    ("integrators/energy_momentum", ["energy-momentum"], ["later_maps"]),
    ("integrators/kit/normals", ["generalized-alpha", "energy-momentum"], ["later_maps"]),
    ("integrators/shake_rattle", ["rattle", "shake", "shake(momentum=central)"],
     ["constraint_work", "identities", "forced", "flows"]),
    ("integrators/step_halving", ["step-halving"], ["folds"]),
    ("integrators/reversibility_check", ["reversibility-check"], ["reversibility_check", "folds"]),
    ("mechanics/solvers/damped_newton", ["rattle(solver=damped-newton)"], ["solvers", "rods"]),
    ("mechanics/solvers/gauss_seidel", ["rattle(solver=gauss-seidel)"],
     ["solvers", "rods", "forced"]),
    ("mechanics/solvers/linearized", ["rattle(solver=linearized)"], ["solvers", "rods"]),
    ("mechanics/solvers/simplified_newton", ["rattle(solver=simplified-newton)"],
     ["solvers", "rods"]),
    # linear=auto finds distance constraints; the option set of this flow has molecules.
    ("mechanics/solvers/triangles", ["rattle(flow=symplectic-euler)"], ["clusters", "rods"]),
    ("mechanics/solvers/ccma", ["rattle(solver=ccma)"], ["molecular_solvers"]),
    ("mechanics/solvers/ilves", ["rattle(solver=ilves)"], ["molecular_solvers", "rods"]),
    ("mechanics/solvers/lincs", ["rattle(solver=lincs)"], ["molecular_solvers"]),
    ("mechanics/solvers/m_shake", ["rattle(solver=m-shake)"], ["molecular_solvers"]),
    ("mechanics/solvers/settle", ["rattle(solver=settle)"], ["molecular_solvers"]),
    ("mechanics/solvers/(own|program)", ["rattle"], ["program_solver", "rod_solvers"]),
    ("mechanics/solvers/tridiagonal", ["rattle", "rattle(flow=symplectic-euler)"], ["rods"]),
    ("mechanics/solvers/", ["rattle", "shake"], ["solvers", "identities"]),
    ("mechanics/algebra/factorizations/block", ["rattle(linear=block)"], ["solvers", "factor"]),
    ("mechanics/algebra/factorizations/sparse", ["rattle(linear=sparse-ldl)"],
     ["solvers", "factor"]),
    ("mechanics/algebra/factorizations/cholesky", ["rattle(linear=cholesky)"], ["solvers"]),
    ("mechanics/algebra/factorizations/tikhonov", ["rattle(linear=tikhonov)"], ["solvers"]),
    ("mechanics/algebra/factorizations/redundant", ["rattle(linear=qr)", "rattle(linear=svd)"],
     ["redundant", "solvers"]),
    ("mechanics/algebra/factorizations/", ["rattle", "rattle(linear=lu)"], ["solvers", "factor"]),
    ("mechanics/algebra/qr", ["rattle(linear=qr)", "projection"], ["redundant"]),
    ("mechanics/algebra/jacobi", ["rattle(linear=svd)"], ["factor", "redundant", "regularity"]),
    ("mechanics/algebra/gauss", ["rattle(flow=gauss)"], ["gauss"]),
    ("mechanics/algebra/graph", ["rattle(linear=block)", "rattle(linear=sparse-ldl)"],
     ["graph", "factor"]),
    ("mechanics/algebra/", ["rattle", "projection"], ["factor", "solvers"]),
    ("mechanics/system/audit", ["rattle"], ["audit"]),
    ("mechanics/system/fibre", ["rattle(flow=midpoint)", "shake"], ["fibres", "coisotropic"]),
    ("mechanics/system/inertia", ["rattle", "variational"], ["inertia", "interface"]),
    ("mechanics/system/dae", ["ida", "radau5"], ["dae", "ida", "outside"]),
    ("mechanics/system/", ["rattle", "rattle(flow=midpoint)"],
     ["state", "interface", "inertia", "audit"]),
    ("measures/constraint_work", ["rattle"], ["constraint_work"]),
    ("measures/(branch|crossing|impasse|regularity)", ["rattle"], ["regularity", "folds"]),
    ("measures/(constraint|energy|invariants|multiplier|work)", ["rattle", "penalty"],
     ["contract", "constraint_work"]),
    ("measures/(molecules|molecular/)", ["rattle"], ["molecular", "temperatures"]),
    ("measures/identities", ["rattle"], ["try"]),
    ("measures/local_error", ["rattle"], ["local_orders"]),
    ("measures/symmetry", ["rattle", "symmetric-multistep"], ["structure"]),
    ("measures/", ["rattle", "shake-minimal-displacement"], ["structure", "covariance"]),
]

FOLDERS = ["integrators", "integrators/kit", "integrators/outside", "mechanics/solvers",
           "mechanics/solvers/kit", "mechanics/algebra",
           "mechanics/algebra/factorizations", "mechanics/system", "measures"]
TABLES = ["integrators/kit/runge_kutta.def", "integrators/kit/composition_schemes.h",
          "integrators/kit/composition_coefficients.h", "integrators/kit/lobatto.h"]
# Drivers of outside solvers, references, which certificates do not test, and tables of words.
LEFT_ALONE = re.compile(r"outside/(external|engine|line_protocol)|integrators/(exact|reference)\.c"
                        r"|choices\.c|measures/quantity\.c|system/real_text\.c")
IDLE = re.compile(r"(destroy|clear|free|claims|describe|summary|text)\w*\(")


def reach(path):
    """The integrators whose certificates reach a file, and its tests, with those of the file's own name;
    None: not in the numeric rooms."""
    own = re.sub(r".*/|\.\w+$", "", path)
    return next(((row[1], row[2] + [own]) for row in REACH if re.match(row[0], path)), None)


def swap(a, b):
    pairs = {a: b, b: a}
    return lambda match: pairs[match.group()]


def near(match):
    return "%d" % (int(match.group()) + (1 if match.group() in "01" else -1))


def another(match):
    """Another coefficient: 1 % more, or another last digit of a fraction's denominator."""
    text = match.group()
    if text.startswith("R"):
        return "(R(1.01) * %s)" % text
    return re.sub(r"\d(?=\D*\)$)", lambda digit: str((int(digit.group()) + 3) % 10 or 7), text)


# An operator: its name, the pattern that it replaces in a line without texts and comments, the new text.
OPERATORS = [
    ("+ for -", r" [+-]=? (?!=)", lambda m: m.group().translate({43: 45, 45: 43})),
    ("* for /", r"(?<=[\w)\]]) [*/]=? (?=[\w(])", lambda m: m.group().translate({42: 47, 47: 42})),
    ("h for h/2", r"(?<=[\w)\]]) / 2\b(?!\.)|R\(0\.5\) \* ", lambda m: ""),
    ("constant", r"(?<![\w.\[])\d+(?![\w.])", near),
    ("coefficient", r"(?<![\w.])(R\([^()]+\)|[QS]\(-?[1-9]\d*, [^()]+\))",
     another),
    ("< for <=", r" [<>]=? ", lambda m: m.group()[:2] + (" " if "=" in m.group() else "= ")),
    ("index", r"\[[01]\]|\[\w+ [+-] 1\]|(?<=\[)(\w+) \* (\w+) \+ (\w+)(?=\])",
     lambda m: {"[0]": "[1]", "[1]": "[0]"}.get(m.group())
     or ("%s * %s + %s" % m.group(3, 2, 1) if m.group(1) else m.group().split(" ")[0] + "]")),
    ("q0 for q1", r"\b(q0|q1)\b", swap("q0", "q1")),
    ("p0 for p1", r"\b(p0|p1)\b", swap("p0", "p1")),
    ("G0 for G1", r"\bG[01]\b", swap("G0", "G1")),
    ("t0 for t1", r"\bt[01]\b", swap("t0", "t1")),
    ("from for to", r"\b(from|to)(?=->[qp]\b)", swap("from", "to")),
    ("q for p", r"(?<=->)[qp]\b", swap("q", "p")),
    ("sign", r"(?<= = )(?=[\w(][^;={}]*;$)|(?<=, )(?=h[,)])|(?<=, )-(?=\w)", lambda m:
     "-" if m.group() == "" else ""),
    ("and for or", r" (&&|\|\|) ", swap(" && ", " || ")),
    ("dropped", r"(?<=^)\s+[^\s].*;$", lambda m: re.match(r"\s*", m.group()).group() + ";"),
]
OPERATORS = [(name, re.compile(pattern), new) for name, pattern, new in OPERATORS]
DECLARES = re.compile(
    r"\s+(const|struct|static|real|int|bool|size_t|double|return|break|continue|goto)\b")


def masked(text):
    """The text with comments and quoted texts replaced by blanks of the same length."""
    blank = lambda m: re.sub(r"[^\n]", "\0", m.group())
    return re.sub(r'/\*.*?\*/|"(\\.|[^"\\\n])*"|//[^\n]*', blank, text, flags=re.S)


def lines_of(path, text):
    """Numbers and texts of the lines that may change."""
    inside = idle = False
    before = ";"
    for number, line in enumerate(masked(text).split("\n"), 1):
        if line.startswith("{"):
            inside = True
        elif line.startswith("}"):
            inside = idle = False
        elif line[:1].isalpha():
            idle = IDLE.search(line) is not None
        elif line.lstrip().startswith("#"):
            continue
        elif (inside and not idle or path in TABLES) and \
                not re.search(r"SHK_(CLAIM|ORDERS|OPTION)", line):
            yield number, line, before
        if line.strip(" \0"):
            before = line.rstrip(" \0")


def mutants_of(path, text):
    """All changes of a file: the line's number, the operator, the line before and after."""
    lines = text.split("\n")
    for number, line, before in lines_of(path, text):
        whole = lines[number - 1]
        for name, pattern, new in OPERATORS:
            if name == "dropped" and (DECLARES.match(line) or before[-1] not in ";{})"):
                continue
            if path in TABLES and name not in ("coefficient", "constant", "index"):
                continue
            for match in pattern.finditer(line.rstrip("\0 ")):
                after = whole[:match.start()] + new(match) + whole[match.end():]
                if after != whole and "\0" not in match.group():
                    yield number, name, whole, after
