"""Shrinks a random system while a claim still fails on it:

    python3 -m shakedown.shrink METHOD 'random-mechanism(bodies=2,seed=7)' --claim 'order of q' -o small

The program removes bodies or particles, joints, rods, springs and optional values, rounds numbers to one digit, and
removes runs and steps, as long as the claim still fails and does not fail for RATTLE (`--control`). It writes two
files to the folder: system.yaml, which `mechanism` or `particles` reads, and study.yaml, which measures the claim on
it. Then it prints the command that runs the study. Instead of a random system, you can give a file of your own. The
program needs PyYAML.
"""
import argparse
import csv
import pathlib
import re
import shlex
import subprocess
import sys
from typing import Any, Dict, Iterator, List, Optional

import yaml

from ._library import Failure, find_program

System = Dict[str, Any]
HEAD = "study: shrunk\npurpose: a claim that fails on a small system\nruns:\n"
LISTS = re.compile(r"^    (steps|tolerances|times): \[(.*)\]$", re.MULTILINE)


def parse(text: str) -> System:
    try:
        system = yaml.safe_load(text)
    except yaml.YAMLError as reason:
        raise Failure("no YAML: %s" % " ".join(str(reason).split())) from None
    if not isinstance(system, dict):
        raise Failure("found no keys, expected a file for `mechanism` or `particles`")
    return {key: value or [] for key, value in system.items()}


def flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=sys.maxsize)
    return text.partition("\n")[0]


def text_of(system: System) -> str:
    """Returns the text of a file, with one item per line."""
    lines = []
    for key, value in system.items():
        if value and isinstance(value, list) and isinstance(value[0], dict):
            lines += [key + ":"] + ["  - " + flow(item) for item in value]
        elif value != []:
            lines.append("%s: %s" % (key, flow(value)))
    return "\n".join(lines) + "\n"


def rounded(value: Any, digits: int) -> Any:
    if isinstance(value, dict):
        return {key: rounded(each, digits) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each, digits) for each in value]
    if isinstance(value, (str, bool)):
        return value
    number = float("%.*g" % (digits, value))
    return int(number) if number.is_integer() else number


def without(system: System, key: str, at: int) -> System:
    """Returns the system without an item, and without anything that refers to its name."""
    name = system[key][at].get("name", "")
    refers = re.compile(r"\b%s\b" % re.escape(name)) if name and key in ("bodies", "particles", "fixed") else None
    smaller = {}
    for other, value in system.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            smaller[other] = [item for i, item in enumerate(value) if (other, i) != (key, at) and not (
                refers and other != key and refers.search(flow(item.get("between", ""))))]
        else:
            smaller[other] = value
    return smaller


def changed(system: System, key: str, at: int, item: Any) -> System:
    return {**system, key: system[key][:at] + [item] + system[key][at + 1:]}


def smaller_ones(system: System) -> Iterator[System]:
    """Yields smaller systems, the largest reductions first."""
    lists = [key for key, value in system.items() if value and isinstance(value, list) and isinstance(value[0], dict)]
    for key in lists:
        for at in reversed(range(len(system[key]))):
            yield without(system, key, at)
    for key in system:
        if key not in lists:
            yield {other: value for other, value in system.items() if other != key}
    for key in lists:
        for at, item in enumerate(system[key]):
            for name in item:
                yield changed(system, key, at, {other: value for other, value in item.items() if other != name})
    for digits in (1, 2):
        yield rounded(system, digits)
        for key in lists:
            for at, item in enumerate(system[key]):
                for name in item:
                    yield changed(system, key, at, {**item, name: rounded(item[name], digits)})


class Shrinker:
    def __init__(self, method: str, claim: str, control: str, folder: pathlib.Path, options: List[str]):
        self.method, self.claim, self.control, self.folder, self.options = method, claim, control, folder, options

    def call(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([find_program(), *words], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, check=False)

    def read(self, *words: str) -> str:
        done = self.call(*words)
        if done.returncode != 0:
            raise Failure(done.stderr.strip())
        return done.stdout

    def runs_on(self, problem: str) -> List[str]:
        """Returns the runs of the certificate that decide the claim on this problem."""
        study = self.read("certify", self.method, "--study", "--brief", "--claim", self.claim, "--problem", problem,
                          *self.options)
        name = problem.partition("(")[0]
        runs = ["  - problems:" + run for run in study.split("  - problems:")[1:] if "'%s(" % name in run]
        return [re.sub(r"    integrators:\n      - .*", "    integrators: [$method]", run) for run in runs]

    def write(self, system: System, runs: List[str]) -> None:
        spec = "particles(file=\"system.yaml\",project=yes)" if "particles" in system else "mechanism(file=\"system.yaml\")"
        (self.folder / "system.yaml").write_text(text_of(system))
        (self.folder / "study.yaml").write_text(HEAD + "".join(
            re.sub(r"(- problems:\n      - ).*", r"\1" + "'%s'" % spec, run) for run in runs))

    def falls(self, system: System, runs: List[str]) -> bool:
        self.write(system, runs)
        methods = [self.method] + [self.control] * bool(self.control)
        done = self.call("certify", *methods, "--with", "study.yaml", "--claim", self.claim, "--format", "csv", "-q",
                         *self.options)
        fell = {row["integrator"] == self.control for row in csv.DictReader(done.stdout.splitlines())
                if row["verdict"] in ("falsified", "failed")}
        return fell == {False}

    def fewer_runs(self, system: System, runs: List[str]) -> List[str]:
        return next(([run] for run in runs if len(runs) > 1 and self.falls(system, [run])), runs)

    def fewer_steps(self, system: System, runs: List[str]) -> List[str]:
        """Keeps only the last time, and as few of the first steps or tolerances as still show the failure."""
        for count in range(1, 1 + max(len(values_of(found)) for run in runs for found in LISTS.finditer(run))):
            shorter = [LISTS.sub(lambda found: "    %s: [%s]" % (found.group(1), ", ".join(
                values_of(found)[-1:] if found.group(1) == "times" else values_of(found)[:count])), run) for run in runs]
            if self.falls(system, shorter):
                return shorter
        return runs

    def shrink(self, system: System, runs: List[str]) -> System:
        tried = {text_of(system)}
        found: Optional[System] = system
        while found:
            system, found = found, None
            for smaller in smaller_ones(system):
                text = text_of(smaller)
                if text not in tried and len(text) < len(text_of(system)) and self.falls(smaller, runs):
                    found = smaller
                    break
                tried.add(text)
        return system


def values_of(found: "re.Match[str]") -> List[str]:
    return found.group(2).split(", ")


def counts(system: System, runs: List[str]) -> str:
    parts = ["%s %d" % (key, len(value)) for key, value in system.items()
             if value and isinstance(value, list) and isinstance(value[0], dict)]
    steps = sum(len(values_of(found)) for run in runs for found in LISTS.finditer(run)
                if found.group(1) != "times")
    return ", ".join(parts + ["steps %d" % steps])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m shakedown.shrink", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("method")
    parser.add_argument("problem", help="random-mechanism(…) or random-system(…), or a system file")
    parser.add_argument("--claim", required=True, help="the claim that fails on it, as `certify` names it")
    parser.add_argument("--control", default="rattle", help="a method for which it must not fail; '' for none")
    parser.add_argument("--plugin", action="append", default=[])
    parser.add_argument("--allow-external", action="store_true")
    parser.add_argument("-o", "--output", default="shrunk", help="folder for system.yaml and study.yaml")
    given = parser.parse_args()
    folder = pathlib.Path(given.output)
    folder.mkdir(parents=True, exist_ok=True)
    plugins = [str(pathlib.Path(name).resolve()) for name in given.plugin]
    options = [word for name in plugins for word in ("--plugin", name)] + ["--allow-external"] * given.allow_external
    shrinker = Shrinker(given.method, given.claim, given.control, folder, options)
    try:
        if given.problem.endswith(".yaml"):
            system = parse(pathlib.Path(given.problem).read_text())
        else:
            system = parse(shrinker.read("describe", given.problem, "--yaml"))
        problem = given.problem
        if problem.endswith(".yaml"):
            shrinker.write(system, [])
            problem = "%s(file=\"system.yaml\")" % ("particles" if "particles" in system else "mechanism")
        runs = shrinker.runs_on(problem)
        if not shrinker.falls(system, runs):
            raise Failure("'%s' of %s does not fail on %s when it is read from a "
                          "file" % (given.claim, given.method, given.problem))
        before = counts(system, runs)
        runs = shrinker.fewer_steps(system, shrinker.fewer_runs(system, runs))
        system = shrinker.shrink(system, runs)
        runs = shrinker.fewer_steps(system, runs)
        shrinker.write(system, runs)
    except (Failure, OSError) as reason:
        print("shrink: %s" % reason, file=sys.stderr)
        return 1
    words = ["shakedown", "certify", given.method, "--with", "study.yaml", "--claim", given.claim, *options]
    print("from %s\nto %s\ntry next:\n  cd %s && %s" % (before, counts(system, runs), shlex.quote(given.output),
                                                       " ".join(map(shlex.quote, words))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
