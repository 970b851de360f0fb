#!/usr/bin/env python3
"""Makes docs/engines-compared.md, on standard output: docs/engines.py [PROGRAM [FOLDER]]

Builds the adapters of examples/engines whose engine is installed in FOLDER (a temporary one), runs them and
our own methods on the same systems, compares state by state, and has their claims measured. Exit status 1 if
an engine that agreed when this was written is off."""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SYSTEMS = [("pendulum", "0.05", "5"), ("double-pendulum", "0.02", "2"), ("hanging-chain", "0.02", "2"),
           ("dimers", "0.005", "2"), ("tethered-water", "0.002", "0.4"), ("rounded-water", "0.002", "0.4")]
# What comes of lengths in single precision, and of an iteration that is given up: least and largest difference.
KNOWN = {("openmm", "tethered-water"): (1e-9, 1e-5), ("openmm", "hanging-chain"): (1e-9, 1e-5)}
# The adapter and its words, what it is in the engine, ours, and the digits in which both agree at least.
ENGINES = [("lammps", "shake", "LAMMPS, `fix shake`", "shake(momentum=central)", 12),
           ("lammps", "rattle", "LAMMPS, `fix rattle`", "rattle", 12),
           ("openmm", "verlet", "OpenMM, `VerletIntegrator`", "shake(momentum=central)", 10),
           ("openmm", "velocity-verlet", "OpenMM, velocity Verlet", "rattle", 10)]
LIBRARIES = {"lammps": ["-I/usr/include/lammps", "-llammps"], "openmm": ["-lOpenMM"]}


def say(*words):
    print(*words, file=sys.stderr)


def build(folder):
    """The names of the adapters that could be built."""
    built = []
    for name, flags in LIBRARIES.items():
        source = os.path.join(TOP, "examples/engines", name + ".cpp")
        done = subprocess.run(["c++", "-O2", "-o", os.path.join(folder, name), source, *flags],
                              capture_output=True, text=True)
        if done.returncode == 0:
            built.append(name)
        else:
            say(f"{name} is left out:", done.stderr.splitlines()[0])
    return built


def particles(system):
    return f'particles(file="systems/{system}.yaml")'


def simulate(program, folder, system, integrator, step, until):
    """Rows of t, q and p, and the largest |g|; or the reason why not."""
    done = subprocess.run([program, "simulate", particles(system), integrator, "--allow-external", "--step", step,
                           "--until", until, "--every", "1"], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1]
    head, *rows = list(csv.reader(done.stdout.splitlines()))
    state = [i for i, name in enumerate(head) if re.fullmatch(r"[qp]\d+", name)]
    values = [[float(row[i]) for i in state] for row in rows]
    return values, max(float(row[head.index("constraint")]) for row in rows)


def engine(adapter, words, tolerance=None):
    more = f",tolerance={tolerance}" if tolerance else ""
    return f'engine(command="./{adapter} {words}"{more})'


def differences(program, folder, found):
    """A table of the largest differences of q and p; whether all are small."""
    right = True
    print("| engine | ours |", " | ".join(f"`{s}`" for s, _, _ in SYSTEMS), "|")
    print("| --- " * (2 + len(SYSTEMS)) + "|")
    for adapter, words, name, ours, digits in found:
        cells = []
        for system, step, until in SYSTEMS:
            theirs, why = simulate(program, folder, system, engine(adapter, words), step, until)
            if theirs is None:
                say(system, name, why)
                cells.append("refused" if "program" in why else "failed")
                right = right and cells[-1] == "refused"
                continue
            own = simulate(program, folder, system, ours, step, until)[0]
            worst = max(abs(a - b) for x, y in zip(theirs, own) for a, b in zip(x, y))
            least, most = KNOWN.get((adapter, system), (0, 10.0 ** -digits))
            right = right and least <= worst <= most and len(own) == len(theirs) > 50
            cells.append(f"{worst:.0e}")
        print(f"| {name} | `{ours}` |", " | ".join(cells), "|", flush=True)
    return right


def tolerances(program, folder, found, system, step, until):
    asked = ["1e-3", "1e-6", "1e-9", "1e-12"]
    print("| engine |", " | ".join(asked), "| 0 |")
    print("| --- " * (2 + len(asked)) + "|")
    for adapter, words, name, _, _ in found:
        cells = []
        for tolerance in [*asked, None]:
            rows, worst = simulate(program, folder, system, engine(adapter, words, tolerance), step, until)
            cells.append(f"{worst:.0e}" if rows else "refused" if "program" in worst else "failed")
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


def shown_as(row):
    if not row["quantity"].startswith("order"):
        return f"{float(row['value']):.0e} {row['verdict']}"
    return f"{float(row['value']):.3f} ± {float(row['uncertainty']):.0e} {row['verdict']}"


def verdicts(program, folder, found):
    """A table of what is claimed, measured; whether nothing is falsified."""
    with open(os.path.join(folder, "engines.yaml"), "w") as study:
        study.write("study: engines\nruns:\n  - problems: ['" + particles("double-pendulum") + "']\n    integrators:\n")
        for adapter, words, *_ in found:
            study.write(f"      - '{engine(adapter, words)}'\n")
        study.write("    steps: {largest: 0.06, halvings: 4}\n    until: 1.2\n"
                    "    measures: [order, constraint]\n")
    run = [program, "run", "engines.yaml", "--allow-external", "--quiet"]
    status = subprocess.run(run, cwd=folder, capture_output=True).returncode
    shown = subprocess.run([program, "show", "engines.db", "--values", "--format", "csv", "--allow-external"],
                           cwd=folder, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(shown.splitlines()))
    quantities = [q for q in dict.fromkeys(row["quantity"] for row in rows)
                  if any(row["quantity"] == q and row["verdict"] for row in rows)]
    print("| engine |", " | ".join(quantities), "|")
    print("| --- " * (1 + len(quantities)) + "|")
    for adapter, words, name, _, _ in found:
        own = {row["quantity"]: row for row in rows if f"./{adapter} {words}\"" in row["integrator"]}
        cells = [shown_as(own[q]) if q in own else "" for q in quantities]
        print(f"| {name} |", " | ".join(cells), "|")
    return status == 0


def version(folder, adapter):
    done = subprocess.run([os.path.join(folder, adapter)], input="hello 1 double 17\n", capture_output=True, text=True)
    return re.search(r"version=(\S+)", done.stdout).group(1)


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(TOP, "build/shakedown"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else temporary
        shutil.copytree(os.path.join(TOP, "studies/systems"), os.path.join(folder, "systems"), dirs_exist_ok=True)
        built = build(folder)
        found = [e for e in ENGINES if e[0] in built]
        print(HEAD.format(versions=", ".join(f"`{name}` {version(folder, name)}" for name in built)))
        right = differences(program, folder, found)
        for system, step, until in SYSTEMS[2:5:2]:
            print(TOLERANCES if system == "hanging-chain" else "\nThe same of `tethered-water`:\n")
            tolerances(program, folder, found, system, step, until)
        print(VERDICTS)
        right = verdicts(program, folder, found) and right
    sys.exit(0 if right and found else 1)


HEAD = """# Engines compared

Made by `docs/engines.py`, which `./bootstrap.sh engines` runs; how to run one of them is in [engines](engines.md).
Versions: {versions}.

## Step by step

The largest difference of a coordinate or momentum after any step between an engine and our method, on the systems
of `studies/systems/`, at the tightest tolerance of either. *Refused*: LAMMPS takes clusters of four atoms at most.
"""
TOLERANCES = """
- Each is what it is named after, RATTLE or SHAKE, to round-off, the fixed point being a particle of mass 1e30.
- **OpenMM's SETTLE has the lengths of rods in single precision**, on the platform Reference too: rods of 0.1 and
  0.1633 nm are kept at 0.10000000149 and 0.16329932213, which is |g| = 9.7e-10 whatever the tolerance. With
  lengths that are numbers of single precision, `rounded-water`, nothing is lost.
- **OpenMM's CCMA stops after 150 iterations and says nothing.** Five rods that swing freely are beyond them at
  tight tolerances: |g| is 1.2e-8 where 1e-12 was asked.
- Debian's OpenMM has no platform CPU: `openmm verlet CPU` fails with that reason.

## The tolerance, and what is left of the rods

The largest |g| = ½ |r² - l²| of `hanging-chain`, over 100 steps of 0.02, where the engine is told this tolerance
(0: 1e-14), with rods of length 1:
"""
VERDICTS = """
## What is claimed

On `double-pendulum`, steps 0.06 and four halvings, to 1.2, in double precision. The claims are those of the
engines' documentation: second order, and rods as long as they should be.
"""

main()
