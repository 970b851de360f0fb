#!/usr/bin/env python3
"""Counts how many models in Python packages python3 -m shakedown.mjcf converts (docs/guides/mechanisms.md):

    scripts/mjcf_coverage.py [FOLDER | PACKAGE]… [--reasons]

The Python interpreter must provide mujoco and the packages, which default to those in PACKAGES; `pip install --no-deps`
is sufficient for their models. For each package, the script prints how many models there are, how many of them MuJoCo
compiles, and how many of those have joints. It then prints how many of the models with joints are converted and agree
with MuJoCo (`--verify`) within a minute, first without changes and then with the `--without` options that they need.
"""
import argparse
import concurrent.futures
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import List, Tuple

PACKAGES = {"gymnasium": "gymnasium==1.4.0", "dm_control": "dm-control==1.0.50", "robosuite": "robosuite==1.5.2",
            "gymnasium_robotics": "gymnasium-robotics==1.4.2", "pybullet_data": "pybullet==3.2.7"}
COMPILES = "import mujoco, sys; sys.exit(0 if mujoco.MjModel.from_xml_path(sys.argv[1]).njnt else 'nothing moves')"
SECONDS = 60
ROOT = Path(__file__).resolve().parent.parent


def models(folder: Path) -> List[Path]:
    """Returns complete MJCF files and all URDF files, except a thousand random ones with impossible inertias."""
    found = [path for path in sorted(folder.rglob("*")) if path.suffix in (".xml", ".urdf")
             and "random_urdfs" not in path.parts]
    return [path for path in found if path.suffix == ".urdf" or
            re.search(r"<mujoco[\s>]", path.read_text(errors="replace"))]


def run(*words: str) -> str:
    """Runs a command. Returns "" on success, or else the reason why it failed."""
    try:
        done = subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS,
                              env=dict(os.environ, OPENBLAS_NUM_THREADS="1", PYTHONPATH=str(ROOT / "python"),
                                       SHAKEDOWN=str(ROOT / "build/shakedown")), text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return "takes more than %d s" % SECONDS
    return "" if done.returncode == 0 else done.stderr.strip() or "status %d" % done.returncode


def reason(said: str) -> str:
    """Returns the lines that name what cannot be left out, or else the last line."""
    lines = [line for line in said.splitlines() if "cannot be left out" in line or ": MuJoCo" in line]
    return " ".join(lines or said.splitlines()[-1:])


def tried(path: Path) -> Tuple[Path, str, str, str]:
    """Returns the file and why it could not be compiled, converted as is, or converted with all `--without`s."""
    broken = run("-c", COMPILES, str(path))
    if broken:
        return path, broken, "", ""
    convert = ["-m", "shakedown.mjcf", str(path), "-o", os.devnull, "--verify"]
    stands = run(*convert)
    options = sorted(set(re.findall(r"--without (\w+) leaves", stands)))
    return path, "", stands, run(*convert, "--without", ",".join(options)) if options else stands


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", default=list(PACKAGES))
    parser.add_argument("--reasons", action="store_true", help="also print why models fail")
    given = parser.parse_args()
    print("| package | files | compiled | with joints | as the file stands | with `--without` |\n" + "| --- " * 6 + "|")
    failures: List[str] = []
    for place in given.places:
        spec = None if os.path.isdir(place) else importlib.util.find_spec(place)
        if not os.path.isdir(place) and not (spec and spec.origin):
            sys.exit("found no folder or package %s: %s -m pip install --no-deps %s" % (
                place, sys.executable, PACKAGES.get(place, place)))
        package, _, version = PACKAGES.get(place, "").partition("==")
        if package and importlib.metadata.version(package) != version:
            print("%s is of version %s, not %s" % (package, importlib.metadata.version(package), version), file=sys.stderr)
        folder = Path(place if not spec or not spec.origin else spec.origin)
        folder = folder.parent if spec else folder
        files = models(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(tried, files))
        good = [each for each in results if not each[1]]
        compiled = sum(each[1] in ("", "nothing moves") for each in results)
        print("| %s | %d | %d | %d | %d | %d |" % (place, len(files), compiled, len(good), sum(not each[2] for each in good),
                                                   sum(not each[3] for each in good)), flush=True)
        failures += ["%s: %s" % (each[0].relative_to(folder), reason(each[3])) for each in good if each[3]]
        failures += ["%s: MuJoCo: %s" % (each[0].relative_to(folder), reason(each[1]))
                     for each in results if each[1] not in ("", "nothing moves")]
    if given.reasons:
        print("\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
