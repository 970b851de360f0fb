#!/usr/bin/env python3
"""Prints the tables in docs/findings/engines-compared.md: scripts/engines.py [PROGRAM [FOLDER]]

Builds the adapters in examples/engines whose engines are installed, using the commands in their first lines. The
adapters are built in FOLDER, which defaults to a temporary folder. The script then runs them and our own methods on
the same systems, compares the states one by one, measures properties that the engines claim and others that they do
not, and draws docs/figures/engines-*.svg. The exit status is 1 if an engine that agreed when this script was written
no longer does."""
import argparse
import csv
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # write no bytecode into the source tree
from engines_list import (BODIES, CHAINS, ENGINES, FAILING, FALSIFIED, KNOWN, LONG, MEASURED, MECHANISMS, SYSTEMS,
                          TOLERANCES)
from engines_list import program as engine_program

PROJECT = ",project=yes"  # because starts have only 17 digits but references use quadruple precision
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def say(*words):
    print(*words, file=sys.stderr)


def table(title, head, rows):
    print(f"\n{title}\n")
    print("|", " | ".join(head), "|")
    print("| --- " * len(head) + "|")
    for row in rows:
        print("|", " | ".join(row), "|", flush=True)


def particles(system, more=""):
    return f'particles(file="systems/{system}.yaml"{more})'


def mechanism(name):
    return f'mechanism(file="mechanisms/{name}.yaml")'


class Comparison:
    def __init__(self, program, folder):
        self.program, self.folder, self.right = program, folder, True
        for kind in ("systems", "mechanisms"):
            shutil.copytree(os.path.join(TOP, "studies", kind), os.path.join(folder, kind), dirs_exist_ok=True)
        for name, text in [*CHAINS.items(), *((name, text) for name, (_, text) in FAILING.items())]:
            with open(os.path.join(folder, "systems", name + ".yaml"), "w") as file:
                file.write(text)
        built = [name for name in dict.fromkeys(e.adapter for e in ENGINES) if self.build(name)]
        self.engines = [e for e in ENGINES if e.adapter in built]
        self.versions = ", ".join(f"`{name}` {self.version(name)}" for name in built)

    def build(self, name):
        """Builds the adapter with the command in its first lines. Returns True on success."""
        for file in glob.glob(os.path.join(TOP, "examples/engines", "*")):
            shutil.copy(file, self.folder)
        if name == "gromacs":
            return shutil.which("gmx_d") is not None or say("gromacs is left out: no gmx_d")
        with open(os.path.join(self.folder, name + ".cpp")) as source:
            command = re.search(r"^//\s+(g\+\+ .*)$", source.read(), re.MULTILINE).group(1)
        done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=self.folder)
        return done.returncode == 0 or say(f"{name} is left out:", done.stderr.splitlines()[0])

    def version(self, adapter):
        done = subprocess.run(engine_program(adapter).split(), input="hello 1 double 17\n", capture_output=True,
                              text=True, cwd=self.folder)
        return re.search(r"version=(\S+)", done.stdout).group(1)

    def call(self, *words):
        return subprocess.run([self.program, *words, "--allow-external"], capture_output=True, text=True,
                              cwd=self.folder)

    def simulate(self, problem, integrator, step, until):
        """Returns rows of q and p, the largest |g| and, if the run stops, the message and "refused" or "failed"."""
        done = self.call("simulate", problem, integrator, "--step", step, "--until", until, "--every", "1")
        head, *rows = list(csv.reader(done.stdout.splitlines())) or [[]]
        state = [i for i, name in enumerate(head) if re.fullmatch(r"[qp]\d+", name)]
        values = [[float(row[i]) for i in state] for row in rows]
        worst = max((float(row[head.index("constraint")]) for row in rows), default=None)
        why = done.stderr.strip().splitlines()[-1] if done.returncode else ""
        return values, worst, why, "refused" if done.returncode == 2 else "failed" if why else ""

    def differences(self):
        """Yields the largest differences in q and p for engines whose step should equal that of one of our methods."""
        for e in self.engines:
            if not e.ours:
                continue
            cells = []
            for system, step, until in SYSTEMS:
                theirs, _, why, ended = self.simulate(particles(system), e.integrator(), step, until)
                same = not e.on or system in e.on
                if ended:
                    cells.append(ended)
                    if ended == "failed" and same and (e.adapter, e.words, system) not in KNOWN:
                        say(system, e.name, why)
                        self.right = False
                    continue
                own = self.simulate(particles(system), e.ours, step, until)[0]
                worst = max(abs(a - b) for x, y in zip(theirs, own) for a, b in zip(x, y))
                least, most = KNOWN.get((e.adapter, e.words, system), (0, 10.0 ** -e.digits))
                if same and (not least <= worst <= most or not len(own) == len(theirs) > 50):
                    say(system, e.name, "is off:", worst)
                    self.right = False
                cells.append(f"{worst:.0e}" if same else f"*{worst:.0e}*")
            yield [e.name, f"`{e.ours}`", *cells]

    def tolerances(self, system, step, until):
        for e in self.engines:
            cells = []
            for tolerance in TOLERANCES:
                _, worst, _, ended = self.simulate(particles(system), e.integrator(tolerance), step, until)
                cells.append(ended or f"{worst:.0e}")
            if set(cells) != {"refused"}:
                yield [e.name, *cells]

    def failing(self, system, step, until):
        for e in self.engines:
            rows, worst, why, ended = self.simulate(particles(system), e.integrator(), step, until)
            said = re.sub(r"^shakedown: |the external program: ", "", why)
            if ended != "refused":
                yield [e.name, f"{worst:.0e}" if rows else "", said]

    def study(self):
        """Runs the study and returns its findings. An unexpected falsified claim sets self.right to False."""
        with open(os.path.join(self.folder, "engines.yaml"), "w") as study:
            study.write("study: engines\nruns:\n")
            for system, largest, until, step, long in MEASURED:
                integrators = "".join(f"      - '{i}'\n" for i in [*(e.integrator() for e in self.engines), "rattle"])
                head = f"  - problems: ['{particles(system, PROJECT)}']\n    integrators:\n{integrators}"
                study.write(f"{head}    steps: {{largest: {largest}, halvings: 4}}\n    until: {until}\n"
                            "    measures: [order, constraint, work-precision, symmetry, reversibility]\n"
                            f"{head}    steps: [{step}]\n    until: {long}\n    measures: [energy]\n")
            study.write("figures: [work-precision]\n")
        self.call("run", "engines.yaml", "--quiet")
        shown = self.call("show", "engines.db", "--values", "--format", "csv").stdout
        rows = list(csv.DictReader(shown.splitlines()))
        for row in rows:
            row["quantity"] = re.sub(r" \(until .*", "", row["quantity"])
            expected = any(problem in row["problem"] and engine in row["integrator"] for engine, problem in FALSIFIED)
            if row["verdict"] == "falsified" and not expected:
                say(row)
                self.right = False
        return rows

    def multipliers(self, problem, integrator, step, until, *more):
        """Returns the last multipliers of a run: the method's or, with --lambda-state, those of the exact motion."""
        done = self.call("simulate", problem, integrator, "--step", step, "--until", until, "--every", "1", *more)
        row = (list(csv.DictReader(done.stdout.splitlines())) or [{}])[-1]
        kind = "lambda-state" if more else "lambda"
        return [float(value) for name, value in row.items() if re.fullmatch(kind + r"\d+", name)]

    def largest(self, name, integrator, step, until):
        _, worst, why, ended = self.simulate(mechanism(name), integrator, step, until)
        return ended if worst is None else f"{worst:.0e}{', then stops' if why else ''}"

    def mechanisms(self):
        """Yields one row of findings for each engine that supports mechanisms, and one for our own method."""
        own = "rattle(linear=svd)"
        every = [(e.name, e.integrator()) for e in self.engines if e.adapter in BODIES] + [(f"ours, `{own}`", own)]
        with open(os.path.join(self.folder, "bodies.yaml"), "w") as study:
            study.write("study: bodies\nruns:\n")
            for name, largest, until in MECHANISMS:
                integrators = "".join(f"      - '{i}'\n" for _, i in every)
                study.write(f"  - problems: ['{mechanism(name)}']\n    integrators:\n{integrators}"
                            f"    steps: {{largest: {largest}, halvings: 4}}\n    until: {until}\n    measures: [order]\n")
        self.call("run", "bodies.yaml", "--quiet")
        rows = list(csv.DictReader(self.call("show", "bodies.db", "--values", "--format", "csv").stdout.splitlines()))
        exact = self.multipliers(mechanism("slider-crank"), own, "0.0005", "0.2", "--lambda-state")
        joints = slice(18, None)  # the joint constraints follow the constraints of three bodies
        for title, integrator in every:
            orders = [value_of([r for r in rows if r["problem"] == mechanism(name) and
                                r["integrator"] == integrator.replace('engine(command="', 'engine("')], "order of q")
                      for name, _, _ in MECHANISMS]
            theirs = self.multipliers(mechanism("slider-crank"), integrator, "0.001", "0.2")
            off = max((abs(a - b) for a, b in zip(theirs[joints], exact[joints])), default=0)
            yield [title, *(re.sub(" [a-z]+$", "", text) for text in orders),
                   f"{off / max(map(abs, exact[joints])):.0e}" if any(theirs) else "",
                   *(self.largest(name, integrator, "0.005", until) for name, until in LONG)]

    def figures(self):
        self.call("plot", "engines.db", "-o", "figures", "--type", "svg")
        for file in glob.glob(os.path.join(self.folder, "figures", "work-precision*.svg")):
            system = re.search("|".join(s for s, *_ in MEASURED), file)
            if system:
                shutil.copy(file, os.path.join(TOP, "docs/figures", f"engines-{system.group()}.svg"))


def value_of(rows, quantity):
    """Formats a measured value with its uncertainty and verdict."""
    row = next((r for r in rows if r["quantity"] == quantity and r["value"]), None)
    if not row or not re.match(r"[-0-9]", row["value"]):
        return ""
    value = float(row["value"])
    if quantity.startswith("order"):
        text = f"{value:.3f} ± {float(row['uncertainty'] or 0):.0e}"
    else:
        text = f"{value:.0e}" + (f" ± {float(row['uncertainty']):.0e}" if row["uncertainty"] else "")
    return f"{text} {row['verdict']}".strip()


QUANTITIES = {"order of q": "order of q", "order of p": "order of p", "constraint max": "\\|g\\|", "hidden max": "\\|G v\\|",
              "reversibility": "reversibility", "energy slope": "slope of the energy",
              "cpu-seconds at error 1e-4": "seconds at error 1e-4"}


def measured(engines, rows, system):
    for name, integrator in [*((e.name, e.integrator()) for e in engines), ("ours, `rattle`", "rattle")]:
        own = [r for r in rows if r["problem"] == particles(system, PROJECT) and
               r["integrator"] == integrator.replace('engine(command="', 'engine("')]
        values = [value_of(own, quantity) for quantity in QUANTITIES]
        if any(values):
            yield [name, *values]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=os.path.abspath, default=os.path.join(TOP, "build/shakedown"))
    parser.add_argument("folder", nargs="?", type=os.path.abspath, help="for the studies and stores (default: a temporary one)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        c = Comparison(arguments.program, arguments.folder or temporary)
        print("Versions:", c.versions)
        table("Step by step", ["engine", "should be", *(f"`{s}`" for s, _, _ in SYSTEMS)], c.differences())
        rows = c.study()
        for system, largest, until, step, long in MEASURED:
            table(f"The results on `{system}` use a step size of {largest}, halved four times, up to t = {until}; "
                  f"the energies use a step size of {step} up to t = {long}:",
                  ["engine", *QUANTITIES.values()], measured(c.engines, rows, system))
        for system, step, until in [("hanging-chain", "0.02", "2"), ("tethered-water", "0.002", "0.2")]:
            table(f"Each run on `{system}` takes 100 steps of {step}:", ["engine", *(t or "0" for t in TOLERANCES)],
                  c.tolerances(system, step, until))
        for name, (title, _) in FAILING.items():
            table(title, ["engine", "\\|g\\|", "message"], c.failing(name, "0.01", "3"))
        table("Mechanisms", ["engine", *(f"order on `{name}`" for name, _, _ in MECHANISMS), "reactions", "loop",
                             "redundant", "through alignment"], c.mechanisms())
        c.figures()
    sys.exit(0 if c.right and c.engines else 1)


main()
