"""An archive as its reader has it: schema, sums, digits; the equations against the functions in C."""

import ast
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import types

import mpmath
import numpy as np
import pytest
import shakedown

ARCHIVE = pathlib.Path(os.environ["ARCHIVE"])
INDEX = json.loads((ARCHIVE / "archive.json").read_text())
EVALUATED = [name for name in INDEX["problems"] if name not in INDEX["without_equations"]]


def record_of(name):
    return json.loads((ARCHIVE / "problems" / (name + ".json")).read_text())


def module_of(name):
    spec = importlib.util.spec_from_file_location(
        name.replace("-", "_"), ARCHIVE / "problems" / (name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_whole():
    """All references that come with the program but those of mechanisms from files, equations of all problems
    but one, and sums of all files."""
    published = {file.stem for file in pathlib.Path(os.environ["PUBLISHED"]).glob("*.yaml")
                 if not file.stem.startswith("mechanism-")}
    assert set(INDEX["references"]) == published and INDEX["without_equations"] == ["jay"]
    sums = dict(reversed(line.split("  ")) for line in
                (ARCHIVE / "SHA256SUMS").read_text().splitlines())
    files = {str(one.relative_to(ARCHIVE)) for one in ARCHIVE.rglob("*")
             if one.is_file() and one.suffix != ".pyc"} - {"SHA256SUMS"}
    assert set(sums) == files
    for name, said in sums.items():
        assert hashlib.sha256((ARCHIVE / name).read_bytes()).hexdigest() == said


def test_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ARCHIVE / "schema.json").read_text())
    for name in INDEX["problems"]:
        record = record_of(name)
        jsonschema.validate(record, schema)
        del record["start"]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(record, schema)


def test_metadata():
    """What DataCite asks for, but for the identifier that a deposit gives."""
    said = json.loads((ARCHIVE / "datacite.json").read_text())
    for field in ("types", "titles", "creators", "publisher", "publicationYear", "schemaVersion"):
        assert said[field]
    assert said["version"] == shakedown.version() == INDEX["version"]
    assert re.fullmatch("20[0-9]{2}", said["publicationYear"])


def test_references():
    """The table has each value with its digits; those of exact solutions are right to these."""
    table = shakedown.references(ARCHIVE)
    assert set(table.problem) == set(INDEX["references"]) and (table.digits >= 15).mean() > 0.9
    assert list(table.columns) == ["problem", "t", "component", "value", "digits", "unit", "text"]
    for name in ("pendulum", "spherical-pendulum", "manufactured"):
        rows = table[table.problem == name]
        problem = shakedown.Problem(name)
        known = np.concatenate(problem.solution(rows.t.iloc[0]))
        assert np.abs(rows.value.to_numpy() - known).max() < 1e-13 and len(rows) == len(known)


def test_units():
    """Of problems that are in units, each number has its own."""
    table = shakedown.references(ARCHIVE)
    for name in INDEX["references"]:
        pure = re.search("dimensionless", record_of(name)["units"]) is not None
        assert (table[table.problem == name].unit == "1").all() == pure
    crank = table[table.problem == "slider-crank"].set_index("component").unit
    assert list(crank[["q1", "q3", "p2", "p3", "lambda1", "lambda3"]]) == \
        ["rad", "m", "kg m^2/s", "kg m/s", "N", "N m"]


class Finer(ast.NodeTransformer):
    """Numbers as they are written, not as the doubles next to them."""

    def __init__(self, text):
        self.text = text

    def visit_Constant(self, node):
        if not isinstance(node.value, float):
            return node
        return self.fine(ast.Constant(ast.get_source_segment(self.text, node)))

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            node.left = self.fine(node.left)
        return node

    def fine(self, argument):
        return ast.Call(ast.Name("mpf", ast.Load()), [argument], [])


def finer(name):
    """The module in as many bits as quadruple precision has."""
    mpmath.mp.prec = 113
    text = (ARCHIVE / "problems" / (name + ".py")).read_text().replace("from math ", "from mpmath ")
    module = types.SimpleNamespace(mpf=mpmath.mpf)
    exec(compile(ast.fix_missing_locations(Finer(text).visit(ast.parse(text))), name, "exec"), vars(module))
    return module


def changed(record, modules, random):
    """The problem with other parameters, in C and in the modules."""
    given = []
    for parameter in record["parameters"]:
        word = parameter["name"].replace("-", "_")
        value = getattr(modules[0], word, None)
        if not isinstance(value, (int, float)):
            continue
        value = str(round(value * random.uniform(0.9, 1.1) or random.uniform(0.2, 0.6), 4))
        setattr(modules[0], word, float(value))
        setattr(modules[1], word, mpmath.mpf(value))
        given.append("%s=%s" % (parameter["name"], value))
    kind, _, options = re.sub(r"\)$", "", record["specification"]).partition("(")
    names = [one.partition("=")[0] for one in given]
    kept = [one for one in re.findall(r"(?:[^,()]|\([^()]*\))+", options) if one.partition("=")[0] not in names]
    return shakedown.Problem("%s(%s)" % (kind, ",".join(kept + given)), "quad")


@pytest.mark.parametrize("name", EVALUATED)
def test_equations(name):
    """To 1e-15 of the largest number of an answer, or of one: at the parameters of the file and at
    others, near the start, at times of order one. That is in quadruple precision; what states far from
    any motion lose to rounding is less than 1e-14."""
    record, random = record_of(name), np.random.default_rng(7)
    problem = shakedown.Problem(record["specification"], "quad")
    modules, (q0, p0) = (module_of(name), finer(name)), problem.start()
    assert np.abs(np.subtract(modules[0].start, (q0, p0))).max() < 1e-15 * max(1, np.abs(p0).max())
    for other in (False, True, True):
        if other:
            problem = changed(record, modules, random)
        for _ in range(5):
            q, p = problem.start()
            q = q + random.uniform(-0.2, 0.2, problem.n)
            p = p + random.uniform(-0.5, 0.5, problem.n)
            t = problem.initial_time + random.uniform(0, 2)
            compare(problem, modules[0], q, p, t, float, 1e-14)
            compare(problem, modules[1], q, p, t, mpmath.mpf, 1e-15)


def compare(problem, module, q, p, t, number, within):
    def mine(word, *arguments):
        asked = [[number(x) for x in one] if np.ndim(one) else number(one) for one in arguments]
        return np.array(getattr(module, word)(*asked), dtype=float)

    def same(mine, theirs):
        assert np.shape(mine) == np.shape(theirs)
        assert np.abs(np.subtract(mine, theirs)).max() <= within * max(1, np.abs(theirs).max())
    forces = mine("Q", q, p, t) if hasattr(module, "Q") else np.zeros(problem.n)
    same(mine("H", q, p, t), problem.H(q, p, t))
    same(mine("H_q", q, p, t) - forces, problem.H_q(q, p, t))
    same(mine("H_p", q, p, t), problem.H_p(q, p, t))
    if hasattr(module, "M"):
        same(mine("M", q), problem.M(q))
    if "forces" in problem.features:
        same(forces, problem.Q(q, p, t))
    if "momentum-constraint" in problem.features:
        same(mine("g", q, p, t), problem.g_qp(q, p, t))
        g_q, g_p = problem.gradients(q, p, t)
        same(mine("g_q", q, p, t), g_q)
        same(mine("g_p", q, p, t), g_p)
        return
    if problem.m == 0:
        return
    same(mine("g", q, t), problem.g(q, t))
    same(mine("G", q, t), problem.G(q, t))
    v = problem.H_p(q, p, t)
    same(mine("curvature", q, v, t), problem.curvature(q, v, t))
    rheonomic = "rheonomic" in problem.features
    same(mine("g_t", q, t), problem.g_t(q, t) if rheonomic else np.zeros(problem.m))
