"""What is refused of the samples in tests/data/molecules: each change of its table `refused` (file, what sed
changes, pattern of the message); and mutants, cut, doubled, joined and changed at random (seeded), are read,
with numbers alone in what is written, or refused with their file: nothing else is raised."""

import math
import os
import random
import re
import subprocess
import sys
import tempfile

import yaml

root = os.environ["SHAKEDOWN_SOURCE"]
sys.path.insert(0, os.path.join(root, "python"))
sys.dont_write_bytecode = True
from shakedown import molecules  # noqa: E402

SAMPLES = os.path.join(root, "tests", "data", "molecules")
SPECIAL = "\0\n\t \"'\\[](){},:;=-+.0123456789eE|#&*!%@`~<>/\x7f\xc3\xff"
draw = random.Random(int(os.environ.get("SHAKEDOWN_TEST_SEED", "1")))
samples = {name: open(os.path.join(SAMPLES, name), encoding="latin-1", newline="").read()
           for name in os.listdir(SAMPLES) if "." in name}


def system_of(folder, changed, text):
    """The system that the samples make, this one of them with this text."""
    for name, sample in samples.items():
        with open(os.path.join(folder, name), "w", encoding="latin-1", newline="") as file:
            file.write(text if name == changed else sample)
    of = {"water.top": "water.gro", "water.gro": "water.gro", "molecule.pdb": "molecule.pdb"}.get(
        changed, "molecule.gro")
    if changed.endswith(".data"):
        shake = "b 1 a 1" if changed == "water.data" else None
        return molecules.read_lammps(os.path.join(folder, changed), "h-bonds", 3, "geometric", shake)
    return molecules.read_gromacs(os.path.join(folder, of.split(".")[0] + ".top"),
                                  os.path.join(folder, of), "h-angles", [], [])


def check_table(folder):
    with open(os.path.join(SAMPLES, "refused"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("|") for line in file]
    for name, change, said in rows:
        text = subprocess.run(["sed", change, os.path.join(SAMPLES, name)], check=True,
                              capture_output=True, encoding="latin-1").stdout
        try:
            system_of(folder, name, text)
            found = "nothing"
        except molecules.Refused as fault:
            found = str(fault)
        if not re.match(re.escape(folder + os.sep) + said, found):
            sys.exit("%s %s: found %s, expected %s" % (name, change, found, said))
    print("%d changes are refused" % len(rows))


def mutant(text):
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        end = min(len(text), at + draw.choice((1, 3, 40)))
        other = draw.choice(list(samples.values()))
        text = draw.choice((text[:at] + text[end:], text[:end] + text[at:],
                            text[:at] + draw.choice(SPECIAL) + text[end:],
                            text[:at] + other[draw.randrange(len(other)):]))
    return text


def numbers(value):
    if isinstance(value, dict):
        return [x for one in value.values() for x in numbers(one)]
    if isinstance(value, list):
        return [x for one in value for x in numbers(one)]
    return [value] if isinstance(value, (int, float)) else []


def check_mutants(folder, count):
    read = 0
    for _ in range(count):
        changed = draw.choice(list(samples))
        try:
            system = system_of(folder, changed, mutant(samples[changed]))
        except molecules.Refused as fault:
            assert folder in str(fault), fault
            continue
        made = yaml.safe_load(system.yaml("a mutant"))
        assert system.summary()
        assert made["particles"] and all(map(math.isfinite, numbers(made)))
        read += 1
    assert count / 50 < read < count / 2, read
    print("%d of %d mutants are read, the others refused" % (read, count))


with tempfile.TemporaryDirectory() as folder:
    check_table(folder)
    check_mutants(folder, 600)
