"""Verdicts do not depend on the units of a problem, and systems at rest falsify no method.

    units.py     TAP, with the program in $SHAKEDOWN and files in the present folder

Units that are powers of two change no bit of a mantissa: analysed values without a unit must then
be the same to the bit, and all verdicts the same. Options with units are scaled, too.
"""

import csv
import io
import os
import subprocess
from decimal import Decimal

PROBLEMS = ["pendulum(angle=0.7,rate=1.1)", "oval", "double-pendulum", "random-mechanism"]
METHODS = [
    "rattle",
    "shake",
    "spark(stages=3)",
    "projection",
    "projection(onto=none)",
    "generalized-alpha",
    "baumgarte(alpha={rate},beta={rate})",
    "penalty(stiffness={stiffness})",
]
# Exponents of the units of length, mass and time, to the base 2; 2³⁰ is about 10⁹.
UNITS = [(30, 0, 0), (0, -30, 0), (0, 0, 30), (-30, 30, -30)]
# Values without a unit.
PLAIN = ("order of ", "local order of ", "error of ", "invariant ", "symmetry", "scd")


def power(exponent: int) -> Decimal:
    return Decimal(2) ** exponent if exponent >= 0 else 1 / Decimal(2) ** -exponent


def text(value: Decimal) -> str:
    return format(value.normalize(), "f")


def analysed(study: str) -> list[dict[str, str]]:
    """Runs a study, and returns the rows of `show --values`."""
    with open("units.yaml", "w", encoding="utf-8") as file:
        file.write(study)
    if os.path.exists("units.db"):
        os.remove("units.db")
    program = os.environ["SHAKEDOWN"]
    subprocess.run(
        [program, "run", "units.yaml", "-o", "units.db", "-j", "1", "-q"],
        capture_output=True,
        check=False,
    )
    shown = subprocess.run(
        [program, "show", "units.db", "--values", "--format", "csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    return list(csv.DictReader(io.StringIO(shown.stdout)))


def resting() -> list[dict[str, str]]:
    """Values of systems in their rest pose."""
    files = ["fixed-cart", "slide-across"]
    problems = [f"'mechanism(file=\"{f}.yaml\")'" for f in files]
    return analysed(
        "study: rest\nruns:\n"
        f"  - problems: [{', '.join(problems)}, 'pendulum(angle=0,rate=0)']\n"
        "    integrators: [rattle, spark(stages=3), projection, generalized-alpha]\n"
        "    steps: {largest: 0.1, halvings: 4}\n    until: 2.6\n"
        "    measures: [constraint, order, error, multiplier, wrench]\n"
    )


def small() -> list[dict[str, str]]:
    """Values of a body of nanometres, whose rows of g have the units m² and 1."""
    return analysed(
        "study: small\nruns:\n"
        "  - problems: ['mechanism(file=\"small-ball.yaml\")']\n"
        "    integrators: [rattle, shake, rattle(linear=svd), rattle(solver=gauss-seidel),"
        " rattle(solver=damped-newton), projection]\n"
        "    steps: {largest: 0.05, halvings: 4}\n    until: 2.6\n"
        "    measures: [constraint, order, error]\n"
    )


def values(length: int, mass: int, time: int) -> list[dict[str, str]]:
    """The values of the study in these units."""
    units = [text(power(e)) for e in (length, mass, time)]
    options = {
        "rate": text(5 / power(time)),
        "stiffness": text(10000 * power(mass) * power(2 * length) / power(2 * time)),
    }
    same = "reorder=no,turn=no,scale=no"
    problems = [
        f"'transformed({p},{same},length={units[0]},mass={units[1]},time={units[2]})'"
        for p in PROBLEMS
    ]
    methods = [f"'{m.format(**options)}'" for m in METHODS]
    return analysed(
        "study: units\nruns:\n"
        f"  - problems: [{', '.join(problems)}]\n"
        f"    integrators: [{', '.join(methods)}]\n"
        f"    steps: {{largest: {text(power(time) / 20)}, halvings: 4}}\n"
        f"    until: {text(power(time) * 33 / 10)}\n"
        "    measures: [constraint, momentum, order, error, multiplier, symmetry]\n"
    )


def method(row: dict[str, str]) -> str:
    return row["integrator"].split("(")[0]


def main() -> None:
    print(f"1..{2 * len(UNITS) + 5}")
    plain = values(0, 0, 0)
    test = 0

    def ok(holds: bool, what: str) -> None:
        nonlocal test
        test += 1
        print(f"{'ok' if holds else 'not ok'} {test} - {what}")

    ok(any(r["verdict"] == "held" for r in plain), "something is held")
    wrong = {
        method(r) + " " + r["quantity"]
        for r in plain
        if r["verdict"] == "falsified" and r["integrator"] != "projection(onto=none)"
    }
    ok(not wrong, f"nothing is falsified: {', '.join(sorted(wrong))}")
    for units in UNITS:
        other = values(*units)
        apart, unlike = [], []
        for a, b in zip(plain, other):
            name = f"{method(a)} {a['quantity']}"
            if a["quantity"] != b["quantity"] or a["verdict"] != b["verdict"]:
                apart.append(name)
            if a["quantity"].startswith(PLAIN) and a["value"] != b["value"]:
                unlike.append(name)
        count = len(plain) == len(other) > 0
        ok(count and not apart, f"the verdicts in units of 2^{units}: {', '.join(apart[:5])}")
        ok(count and not unlike, f"the bits in units of 2^{units}: {', '.join(unlike[:5])}")
    rest = resting()
    still = [r for r in rest if r["quantity"] == "order of p" and "is at rest" in r["reason"]]
    ok(len(still) == 12, f"at rest p decides nothing for {len(still)} of 12")
    wrong = {
        f"{method(r)} {r['quantity']}: {r['reason']}"
        for r in rest
        if r["verdict"] == "falsified"
    }
    ok(len(rest) > 0 and not wrong, f"nothing is falsified at rest: {', '.join(sorted(wrong))}")
    ball = small()
    wrong = {method(r) + " " + r["quantity"] for r in ball if r["verdict"] == "falsified"}
    held = sum(r["quantity"] == "constraint max" and r["verdict"] == "held" for r in ball)
    ok(held == 6 and not wrong, f"rows of unlike units are kept by {held} of 6: {wrong or ''}")


if __name__ == "__main__":
    main()
