"""Digits that published solutions have in common with ours, and what independent runs say of the rest.

    python3 -m shakedown.literature [NAME…]

prints a line for each group of numbers in results/published/literature, or in the named files there:
the digits printed, those that agree with ours, those that are wrong, and those certain of ours, each
of the worst number. A digit is wrong where a number differs from ours by more than one unit of its
last place. The verdict is about ours: held where independent runs agree with ours only, falsified
where one agrees with the literature, undecided where none is accurate enough. A run counts only if
it differs from the next coarser run of its own by less than a third of the difference in question.
"""

from __future__ import annotations

import csv
import pathlib
import re
import subprocess
import sys
from decimal import Decimal, getcontext
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._library import Failure, find_program
from .problem import Problem

getcontext().prec = 40  # of texts that the library reads
GROUPS = ("positions", "velocities", "multipliers", "energy")
MOST = 34  #: digits of quad
COMPOSED = ("composition(scheme=kahan-li8)", ("double", "quad"))
ADAPTIVE = ("double",)
#: Independent runs of a problem: a method, its precisions, and two settings, the coarser one first.
RUNS: Dict[str, List[Tuple[str, Tuple[str, ...], str, Tuple[str, str]]]] = {
    "andrews": [(one, ADAPTIVE, "tolerance", ("1e-10", "1e-12")) for one in ("radau5", "hem5")],
    "slider-crank": [(one, ADAPTIVE, "tolerance", ("1e-10", "1e-12")) for one in ("radau5", "hem5")],
    "car-axis": [(*COMPOSED, "step", ("0.002", "0.001"))] + [
        (one, ADAPTIVE, "tolerance", ("1e-10", "1e-12")) for one in ("radau5", "hem5", "ida")],
    "sundials-slider-crank": [(*COMPOSED, "step", ("0.02", "0.01"))] + [
        (one, ADAPTIVE, "tolerance", ("1e-8", "1e-10")) for one in ("radau5", "ida")],
    "pendulum": [("composition(scheme=sofroniou-spaletta10)", COMPOSED[1], "step", ("0.02", "0.01"))] + [
        (one, ADAPTIVE, "tolerance", ("1e-10", "1e-12")) for one in ("radau5", "ida")]}
Vector = List[Decimal]


class Published(NamedTuple):
    """A file of the literature; the texts of a group as they were printed, "skip" among them."""

    name: str
    problem: str
    time: str
    groups: Dict[str, List[str]]
    factors: Vector


class State(NamedTuple):
    groups: Dict[str, Vector]
    violations: Tuple[Decimal, Decimal]  #: of g and of its rate


def size(numbers: Vector) -> Decimal:
    return max(abs(number) for number in numbers)


def apart(a: Vector, b: Vector) -> Decimal:
    return size([x - y for x, y in zip(a, b)])


def common(off: Decimal, whole: Decimal) -> int:
    """Digits of a number of that size that a difference leaves."""
    return MOST if off <= whole * Decimal(10)**-MOST else max(0, -(off / whole).adjusted() - 1)


def read(file: pathlib.Path) -> Published:
    said = dict(re.findall(r"^([a-z-]+): (\[[^]]*\]|.*)$", file.read_text(encoding="utf-8"), re.M))
    lists = {key: re.findall(r"[^\s,[\]]+", value) for key, value in said.items()}
    multipliers = len(lists.get("multipliers", []))
    factors = [Decimal(one) for one in lists.get("multiplier-factors", ["1"] * multipliers)]
    if not {"source", "problem", "time"} <= set(said) or len(factors) != multipliers:
        raise Failure("%s has no source, problem or time, or %d factors for %d multipliers"
                      % (file, len(factors), multipliers))
    return Published(file.stem, said["problem"], said["time"],
                     {group: lists[group] for group in GROUPS if group in lists}, factors)


def evaluated(problem: Problem, q: Vector, p: Vector, t: str) -> State:
    ask = problem.digits
    values = (q, ask("H_p", q, p, t), ask("lambda", q, p, t), ask("H", q, p, t))
    return State(dict(zip(GROUPS, values)),
                 (size(ask("g", q, (), t)), size(ask("hidden", q, p, t))))


def state(problem: Problem, printed: Published, method: str, precision: str, by: str,
          setting: str) -> Optional[State]:
    """The state of a run at the time; None: it did not reach it."""
    steps = round(Decimal(printed.time) / Decimal(setting)) if by == "step" else 1
    command = [find_program(), "simulate", printed.problem, method, "--precision", precision, "--until",
               printed.time, "--every", str(steps), "--step", setting if by == "step" else printed.time]
    command += ["--tolerance", setting] if by == "tolerance" else []
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        return None
    last = [Decimal(one) for one in list(csv.reader(ended.stdout.splitlines()))[-1]]
    n = problem.n
    return evaluated(problem, last[1:n + 1], last[n + 1:2 * n + 1],
                     str(Decimal(str(problem.initial_time)) + Decimal(printed.time)))


def witnesses(problem: Problem, printed: Published) -> Iterator[Tuple[str, State, State]]:
    """The finer and the coarser run of each method in each precision."""
    for method, precisions, by, settings in RUNS.get(printed.problem.split("(")[0], []):
        for precision in precisions:
            coarse, fine = (state(problem, printed, method, precision, by, one) for one in settings)
            if coarse and fine:
                yield "%s (%s)" % (method, precision), fine, coarse


class Row(NamedTuple):
    printed: int
    agreed: int
    wrong: int
    certain: int
    worst: int    #: index of the number with most wrong digits; -1: none
    off: Decimal  #: its distance from ours


def compare(texts: List[str], theirs: Vector, units: Vector, ours: Vector, other: Vector) -> Row:
    """A group: the counts of its worst number."""
    row = Row(0, MOST, 0, MOST, -1, Decimal(0))
    for i, text in enumerate(texts):
        if text == "skip":
            continue
        digits = len(re.sub(r"^[-+0.]+|\.|[eE].*", "", text))
        off, doubt = abs(theirs[i] - ours[i]), abs(other[i] - ours[i])
        certain = common(doubt, abs(ours[i]) if doubt > size(ours) * Decimal(10)**-MOST else size(ours))
        wrong = 0 if off <= units[i] else min(digits, 1 + (off / units[i]).adjusted())
        agreed = digits - wrong
        if wrong > 0 and not doubt < off / 10:  # ours are not certain enough
            wrong, agreed = 0, min(digits, certain)
        if wrong > row.wrong:
            row = row._replace(wrong=wrong, worst=i, off=off)
        row = row._replace(printed=max(row.printed, digits), agreed=min(row.agreed, agreed),
                           certain=min(row.certain, certain))
    return row


def verdict(row: Row, group: str, ours: State, theirs: Vector,
            runs: List[Tuple[str, State, State]]) -> str:
    near, said = row.off / 3, {"ours": 0, "theirs": 0}
    for _, fine, coarse in runs:
        x, y = fine.groups[group][row.worst], coarse.groups[group][row.worst]
        if row.worst >= 0 and abs(x - y) < near:
            said["ours"] += abs(x - ours.groups[group][row.worst]) < near
            said["theirs"] += abs(x - theirs[row.worst]) < near
    if said["theirs"]:
        return "falsified"
    return "undecided" if not runs or row.wrong and not said["ours"] else "held"


def as_printed(problem: Problem, printed: Published, numbers: Dict[str, Vector], t: str) -> Optional[State]:
    """What the problem's functions say at a state that is printed whole."""
    if any("skip" in printed.groups.get(group, ["skip"]) for group in GROUPS[:2]):
        return None
    q, v = numbers["positions"], numbers["velocities"]
    n = problem.n
    M = problem.digits("M", q, (), t)
    return evaluated(problem, q, [sum((M[n * i + j] * v[j] for j in range(n)), Decimal(0))
                                  for i in range(n)], t)


def report(printed: Published) -> Iterator[str]:
    """The lines of a file; none of Fekete points, whose 1000 time units in quad take too long."""
    if printed.problem.split("(")[0] not in RUNS:
        return
    problem = Problem(printed.problem, "quad")
    t = str(Decimal(str(problem.initial_time)) + Decimal(printed.time))
    ours, other = (state(problem, printed, "reference", "quad", "tolerance", one)
                   for one in ("1e-32", "1e-31"))
    if not ours or not other:
        raise Failure("%s: the reference did not reach t = %s" % (printed.name, printed.time))
    factors = {"multipliers": printed.factors}
    numbers = {}
    for group, texts in printed.groups.items():
        if len(texts) != len(ours.groups[group]):
            raise Failure("%s: found %d %s, expected %d"
                          % (printed.name, len(texts), group, len(ours.groups[group])))
        numbers[group] = [Decimal(0 if one == "skip" else one) * factor for one, factor in
                          zip(texts, factors.get(group, [Decimal(1)] * len(texts)))]
    runs = list(witnesses(problem, printed))
    whole = as_printed(problem, printed, numbers, t)
    for group, texts in printed.groups.items():
        units = [Decimal(10).scaleb(int(Decimal(0 if one == "skip" else one).as_tuple().exponent) - 1) * abs(factor)
                 for one, factor in zip(texts, factors.get(group, [Decimal(1)] * len(texts)))]
        row = compare(texts, numbers[group], units, ours.groups[group], other.groups[group])
        yield "%s,%s,%d,%d,%d,%d,%s" % (printed.name, group, row.printed, row.agreed, row.wrong,
                                        row.certain, verdict(row, group, ours, numbers[group], runs))
        for name, fine, _ in runs:
            with_us, with_them = (common(apart(fine.groups[group], one), size(one))
                                  for one in (ours.groups[group], numbers[group]))
            yield "#   %s agrees with us to %d digits, with the literature to %d" % (name, with_us, with_them)
    if whole:
        yield "# as printed max|g| = %.1e and max|G v + g_t| = %.1e, ours %.1e and %.1e" % (
            *whole.violations, *ours.violations)


def published_folder() -> pathlib.Path:
    """The literature that comes with the program: installed beside it, or in its source tree."""
    program, package = pathlib.Path(find_program()).resolve(), pathlib.Path(__file__).resolve()
    for place in (program.parents[1] / "share" / "shakedown" / "published",
                  program.parents[1] / "results" / "published",
                  package.parents[2] / "results" / "published"):
        if place.is_dir():
            return place / "literature"
    raise Failure("the literature that comes with %s is not found" % program)


def main(names: List[str]) -> int:
    folder = published_folder()
    files = [folder / (name + ".yaml") for name in names] or sorted(folder.glob("*.yaml"))
    print("literature,group,printed,agreed,wrong,certain,verdict")
    for file in files:
        for line in report(read(file)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Failure, OSError) as failure:
        sys.exit("python3 -m shakedown.literature: %s" % failure)
