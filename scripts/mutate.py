#!/usr/bin/env python3
"""Makes random faults in the numeric folders, one at a time, and reports which of them are detected.

usage: mutate.py --log LOG [--seconds N] [--count N] [--seed N] [--only TEXT] [--asked EXTENT]
                 [--build DIR]
       mutate.py --log LOG --change FILE BEFORE AFTER [--change …]
       mutate.py --log LOG --again --asked EXTENT [--seconds N] [--only TEXT] [--build DIR]
       mutate.py --page LOG

Each mutant is made in a copy of the tree and its build folder (which must be up to date). It goes
through these stages until one kills it: compilation; a comparison of the object code; a certificate of
few problems, of each integrator that the file belongs to; `certify --brief`, which continues from these
records; `certify`; the tests of the file. --asked is how far certificates go: few, brief (the default)
or whole; with few, slow tests are left out. The log is CSV, one row per mutant; its column `asked` says
how far its certificates went. The same seed and log continue where they ended; --seconds is processor
time; --only selects files by a part of their path. --change makes the given mutant: BEFORE occurs once
in FILE. --again runs the remaining certificates, up to --asked, for mutants of the log that passed the
earlier ones, those with other records first. --page prints docs/findings/mutation.md from its log; the
reason of a survivor is written by hand into the last column of the log.
"""
import argparse
import contextlib
import csv
import glob
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True # leaves the tree unchanged
from mutation_page import page
from mutation_sites import FOLDERS, LEFT_ALONE, TABLES, mutants_of, reach

COLUMNS = ["seed", "number", "file", "line", "operator", "before", "after", "fate", "by",
           "asked", "records", "seconds", "revision", "why"] # why: written by hand, for survivors
SHORT = 3 # number of problems of the short certificate, the first ones of certificates
# Verdicts of a certificate, and the fate of a mutant that has them when the original has not.
KILLING = {"falsified": "falsified", "not demonstrated": "not demonstrated", "failed": "failure",
           "not run": "failure"}
LIMIT = 1200 # seconds of wall-clock time for a certificate, also on a busy machine
# Seconds of processor time for a process of each: many times that of the longest.
FEW_LIMIT, CERTIFICATE_LIMIT, QUICK_LIMIT, SLOW_LIMIT = 20, 200, 20, 100
EXTENTS = {"few": None, "brief": ["--brief"], "whole": []} # of certificates, by growing cost


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limited(seconds):
    """Limits the processor time of the process that calls it, and of each of its children."""
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def run(command, limit, processor=None, **where):
    """Exit status and output of a command; the status is None if it exceeds the limit."""
    if processor:
        where["preexec_fn"] = limited(processor)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True, **where) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def copied(source, build, folder):
    """Copies the tree and its build folder with the same relative path; programs of tests are not
    copied, so that each is linked when it is needed."""
    top = os.path.commonpath([source, build])
    to = [os.path.join(folder, os.path.relpath(path, top)) for path in (source, build)]

    def of_source(path, names):
        return [n for n in names if n == ".git" or n == "__pycache__"
                or os.path.exists(os.path.join(path, n, "build.ninja"))]

    def of_build(path, names):
        inside = os.path.relpath(path, build).split(os.sep)[0]
        return [n for n in names if inside in ("tests", "benchmarks") and "." not in n
                and os.path.isfile(os.path.join(path, n)) or n == "meson-logs"]

    shutil.copytree(source, to[0], ignore=of_source, symlinks=True, dirs_exist_ok=True)
    shutil.copytree(build, to[1], ignore=of_build, symlinks=True, dirs_exist_ok=True)
    return to


def is_quick(test):
    return any("quick" in suite for suite in test["suite"])


class Trial:
    """The copy, and the results of the program without a mutant."""

    def __init__(self, source, build, folder):
        self.build, self.folder = build, folder
        self.tree, self.made = copied(source, build, folder)
        self.program = os.path.join(self.made, "shakedown")
        self.plain = os.path.join(self.made, "plain")
        self.known, self.shorts, self.sound = {}, {}, {}
        if "no work to do" not in run(["ninja", "-n", "build.ninja"], 60, cwd=self.made)[1]:
            sys.exit("bring the build folder up to date first: ninja -C " + build)
        self.make("shakedown", limit=3600, must=True)
        shutil.copy2(self.program, self.plain)
        text = run(["meson", "introspect", "--tests", build], 60)[1]
        self.tests = {test["name"]: test for test in json.loads(text)}
        self.dependencies = self.read_dependencies()

    def make(self, *targets, limit=600, must=False):
        status, output = run(["ninja", "-j1", *targets], limit, cwd=self.made)
        if must and status != 0:
            sys.exit("the tree as it is does not build:\n" + output[-2000:])
        return status == 0

    def read_dependencies(self):
        """For each file of the tree, the numeric objects that are made from it."""
        found, target = {}, ""
        for line in run(["ninja", "-t", "deps"], 60, cwd=self.made)[1].split("\n"):
            if line[:1] not in (" ", ""):
                target = line.split(":")[0]
            elif line and target.startswith(("libnumerics", "libswept")):
                path = os.path.normpath(os.path.join(self.made, line.strip()))
                found.setdefault(os.path.relpath(path, self.tree), []).append(target)
        return found

    def write(self, path, text):
        with open(os.path.join(self.tree, path), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.tree, path), encoding="utf-8") as file:
            return file.read()

    def code(self, objects):
        """The objects without debugging information."""
        plain = os.path.join(self.folder, "plain.o")
        codes = []
        for name in objects:
            run(["objcopy", "-g", os.path.join(self.made, name), plain], 60)
            with open(plain, "rb") as file:
                codes.append(file.read())
        return codes

    def short_study(self, integrator):
        """The study of a certificate with its first problems and, last, the problems that exercise the
        code of its options, without the long runs; and single steps on all problems."""
        study = os.path.join(self.folder, "short.yaml")
        _, text = run([self.plain, "certify", "--study", "--brief", integrator], 60)
        head, *runs = re.split(r"(?m)^(?=  - problems:)", text)
        problems = [re.search(r"- '(.*)'", part).group(1) for part in runs]
        owed = max(i for i, part in enumerate(runs) if "valid-states" in part)
        chosen = list(dict.fromkeys(problems))[:SHORT] + problems[owed + 1:]
        with open(study, "w", encoding="utf-8") as file:
            file.write(head.replace("study: certificates", "study: short"))
            file.writelines(part for part, problem in zip(runs, problems)
                            if problem in chosen and "measures: [energy]" not in part
                            or "symmetry" in part)
        return study

    def forget(self):
        """Removes the results of the last mutant."""
        for path in glob.glob(os.path.join(self.folder, "*.db*")):
            os.remove(path)

    def store(self, integrator):
        """Store of the records of the mutant's certificates, by integrator."""
        return os.path.join(self.folder, integrator + ".db")

    def short(self, program, integrator, store):
        """Claims of yes that the short certificate falsifies, the contents of its records, and
        whether any cell finished; None if it takes too long."""
        status, output = run([program, "run", self.short_study(integrator), "-q", "-j", "1",
                              "--format", "csv", "-o", store], LIMIT / 3, FEW_LIMIT)
        if status is None:
            return None
        table = [line for line in output.split("\n") if line.count(",") > 7]
        rows = [row for row in csv.DictReader(table) if row["verdict"] == "falsified"
                and not row["expected"].startswith("at least")]
        dump = os.path.join(self.tree, "scripts", "dump_records.py")
        _, records = run([sys.executable, dump, store], 60)
        return ({(row["integrator"], row["quantity"], row["problem"]) for row in rows}, records,
                anything_finished(store))

    def short_unchanged(self, integrator):
        if integrator not in self.shorts:
            store = os.path.join(self.folder, "unchanged.db")
            self.shorts[integrator] = self.short(self.plain, integrator, store)
            for path in glob.glob(store + "*"):
                os.remove(path)
        return self.shorts[integrator]

    def certificate(self, program, integrator, asked, store=None):
        """Exit status, and the verdict of each row; the status is None if it takes too long."""
        path = os.path.join(self.folder, "certificate.csv")
        keep = ["-o", store] if store else []
        with open(path, "w", encoding="utf-8") as file:
            process = subprocess.Popen(
                [program, "certify", *EXTENTS[asked], "-q", "-j", "1", "--seed", "1", "--format",
                 "csv", *keep, integrator],
                stdout=file, stderr=subprocess.DEVNULL, start_new_session=True,
                preexec_fn=limited(CERTIFICATE_LIMIT))
            try:
                status = process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = {tuple(row.get(key) for key in ("integrator", "claim", "problem", "precision")):
                    row["verdict"] for row in csv.DictReader(file)}
        return status, rows

    def unchanged(self, integrator, asked):
        """The certificate of the program without a mutant, made once."""
        if (integrator, asked) not in self.known:
            self.known[integrator, asked] = self.certificate(self.plain, integrator, asked)[1]
        return self.known[integrator, asked]

    def fails(self, name):
        test = self.tests[name]
        there = lambda text: text.replace(self.build, self.made)
        if os.path.exists(os.path.join(self.made, "tests", name + ".p")):
            if not self.make("tests/" + name):
                return True
        where = {key: there(value) for key, value in test["env"].items()}
        limit = QUICK_LIMIT if is_quick(test) else SLOW_LIMIT
        status, output = run([there(word) for word in test["cmd"]], LIMIT, limit, cwd=self.folder,
                             env={**os.environ, **where})
        return status != 0 or any(line.startswith("not ok") and "# TODO" not in line
                                  for line in output.split("\n"))


def anything_finished(store):
    """True if a cell of the integrators finished; a program that ends at once leaves no tables."""
    with contextlib.closing(sqlite3.connect(store)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'cells'").fetchone():
            return False
        return db.execute("SELECT 1 FROM cells WHERE cell LIKE 'run %' AND status = 'ok' AND "
                          "integrator NOT IN ('reference', 'exact') LIMIT 1").fetchone() is not None


def named(rows):
    """Names of claims, the ones of most rows first."""
    counts = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    return "; ".join(sorted(counts, key=lambda name: (-counts[name], name))[:4])


def sentence(trial, integrator, asked):
    """Fate of a mutant and its cause, from its certificate and that of the original program, which
    is made only if it is needed; None: the certificate does not detect the mutant."""
    status, rows = trial.certificate(trial.program, integrator, asked, trial.store(integrator))
    if status is None:
        return "failure", "certify takes too long"
    if status not in (0, 1, 3):
        return "failure", "certify ends with %d" % status
    wrong = {verdict: {key for key, said in rows.items() if said == verdict}
             for verdict in KILLING}
    if not any(wrong.values()):
        return None, ""
    without = trial.unchanged(integrator, asked)
    for verdict, fate in KILLING.items():
        new = [key for key in wrong[verdict] if without.get(key) != verdict]
        if new:
            return fate, named(new)
    return None, ""


def tests_of(trial, names, asked):
    """Test programs, those without a precision and in double first: they are fastest."""
    both = [name + ending for ending in ("", "-64", "-128") for name in names]
    there = [name for name in both if name in trial.tests]
    slow = [name for name in there if not is_quick(trial.tests[name])]
    return [name for name in there if name not in slow] + (slow if asked != "few" else [])


def shortly(trial, integrators):
    """Fate and cause on few problems, or None, and whether their records are the same."""
    same = True
    for name in integrators:
        wrong_without, records_without, _ = trial.short_unchanged(name)
        answer = trial.short(trial.program, name, trial.store(name))
        if answer is None:
            return "failure", "certify takes too long", "other"
        wrong, records, finished = answer
        same = same and records == records_without
        if wrong - wrong_without:
            return "falsified", named(wrong - wrong_without), "other"
        if not finished:
            return "failure", "nothing finishes", "other"
    return None, "", "same" if same else "other"


def certified(trial, integrators, asked):
    """The fate of a mutant in the certificates, and its cause; a falsified claim of one takes
    precedence over failures of another."""
    fates = [(None, "")]
    for name in integrators:
        fates.append(sentence(trial, name, asked))
        if fates[-1][0] == "falsified":
            break
    order = [*KILLING.values(), None]
    return min(fates, key=lambda one: order.index(one[0]))


def examined(trial, integrators, after, asked):
    """Results of the certificates after one extent up to another."""
    said = {"fate": None, "by": "", "asked": after}
    names = list(EXTENTS)
    for extent in names[names.index(after) + 1 if after else 0:names.index(asked) + 1]:
        if said["fate"]:
            break
        said["asked"] = extent
        if extent == "few":
            said["fate"], said["by"], said["records"] = shortly(trial, integrators)
        else:
            said["fate"], said["by"] = certified(trial, integrators, extent)
    return said


def tested(trial, path, text, changed, tests, asked):
    for name in tests_of(trial, tests, asked):
        if trial.fails(name):
            trial.write(path, text)
            if name not in trial.sound:
                trial.sound[name] = not trial.fails(name)
            trial.write(path, changed)
            if trial.sound[name]:
                return "test", name
    return "survives", ""


def built(trial, path, changed):
    """Builds the mutant; returns its fate and cause if there is no program to test."""
    objects = trial.dependencies.get(path, [])
    trial.make(*objects, must=True)
    before = trial.code(objects)
    trial.write(path, changed)
    if not trial.make(*objects):
        return "does not compile", ""
    if trial.code(objects) == before:
        return "same object code", ""
    return (None, "") if trial.make("shakedown") else ("does not compile", "the program")


def judged(trial, row, text, changed, asked):
    """The row of the log for a mutant after certificates up to `asked`, with its earlier results."""
    trial.forget()
    integrators, tests = reach(row["file"])
    fate, by = built(trial, row["file"], changed)
    if fate:
        return {"fate": fate, "by": by}
    said = examined(trial, integrators, row["asked"], asked)
    if not said["fate"]:
        said["fate"], said["by"] = (row["fate"], row["by"]) if row["fate"] == "test" \
            else tested(trial, row["file"], text, changed, tests, asked)
    return said


def drawn(trial, seed, only):
    """An endless sequence of mutants: a file, an operator, a place."""
    files = [path for folder in FOLDERS for path in glob.glob(folder + "/*.c", root_dir=trial.tree)]
    found = {}
    for path in sorted(files) + TABLES:
        if only in path and path in trial.dependencies and not LEFT_ALONE.search(path) \
                and reach(path):
            found[path] = list(mutants_of(path, trial.read(path)))
    found = {path: all_of for path, all_of in found.items() if all_of}
    number = 0
    while found:
        number += 1
        draw = random.Random("%s:%d" % (seed, number))
        path = draw.choices(list(found), [math.sqrt(len(all_of)) for all_of in found.values()])[0]
        operator = draw.choice(sorted({mutant[1] for mutant in found[path]}))
        yield number, path, draw.choice([m for m in found[path] if m[1] == operator])


def named_changes(trial, changes):
    for number, (path, before, after) in enumerate(changes, 1):
        text = trial.read(path)
        if text.count(before) != 1:
            sys.exit("%s: %d times: %s" % (path, text.count(before), before))
        at = text.index(before)
        line = text.count("\n", 0, at)
        whole = text.split("\n")[line]
        yield number, path, (line + 1, "named", whole, whole.replace(before, after))


def log_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def explore(options, source, folder):
    trial = Trial(source, os.path.abspath(options.build), folder)
    revision = run([os.path.join(source, "scripts", "revision.sh")], 60)[1].strip()
    earlier = log_rows(options.log)
    seed = options.seed + (" " + options.only if options.only else "")
    done = {int(row["number"]) for row in earlier if row["seed"] == seed}
    places = {(row["file"], row["before"], row["after"]) for row in earlier}
    began, count = spent(), 0
    mutants = named_changes(trial, options.change) if options.change else \
        drawn(trial, options.seed, options.only)
    with open(options.log, "a", encoding="utf-8", newline="") as file:
        log = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if not earlier:
            log.writeheader()
        for number, path, (line, operator, before, after) in mutants:
            place = (path, before.strip(), after.strip())
            if number in done or place in places:
                continue
            if count >= options.count or spent() - began >= options.seconds:
                break
            places.add(place)
            count += 1
            row = dict.fromkeys(COLUMNS, "") | {
                "seed": seed, "number": number, "file": path, "line": line, "operator": operator,
                "before": before.strip(), "after": after.strip(), "revision": revision,
                "seconds": 0}
            tried(trial, row, after, options.asked)
            log.writerow(row)
            file.flush()


def tried(trial, row, after, asked):
    """Makes the mutant of a row of the log and fills in its results."""
    text, start = trial.read(row["file"]), spent()
    lines = text.split("\n")
    lines[int(row["line"]) - 1] = after
    try:
        row.update(judged(trial, row, text, "\n".join(lines), asked))
    finally:
        trial.write(row["file"], text)
    row["seconds"] = "%.1f" % (float(row["seconds"]) + spent() - start)
    print("%s %s:%s %s: %s%s" % (row["number"], row["file"], row["line"], row["operator"],
                                 row["fate"], row["by"] and " (%s)" % row["by"]), flush=True)


def again(options, source, folder):
    """Rows of the log with a line that still exists, survivors first."""
    trial = Trial(source, os.path.abspath(options.build), folder)
    names, rows, began = ["", *EXTENTS], log_rows(options.log), spent()
    order = ["survives", "test"]
    for row in sorted((row for row in rows if row["fate"] in order and options.only in row["file"]),
                      key=lambda row: (row["records"] == "same", order.index(row["fate"]))):
        if spent() - began >= options.seconds:
            break
        lines = trial.read(row["file"]).split("\n")
        at = int(row["line"]) - 1
        if names.index(row["asked"]) >= names.index(options.asked) or at >= len(lines) or \
                lines[at].strip() != row["before"]:
            continue
        tried(trial, row, row["after"], options.asked)
        with open(options.log + ".new", "w", encoding="utf-8", newline="") as file:
            log = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            log.writeheader()
            log.writerows(rows)
        os.replace(options.log + ".new", options.log)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log")
    parser.add_argument("--page", metavar="LOG")
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--build", default="build")
    parser.add_argument("--asked", choices=EXTENTS, default="brief")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--change", nargs=3, action="append", metavar=("FILE", "BEFORE", "AFTER"))
    options = parser.parse_args()
    if options.page:
        print(page(log_rows(options.page)), end="")
        return
    if not options.log:
        parser.error("--log or --page")
    # A signal ends the script through its clean-up.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory(prefix="mutate.") as folder:
        os.environ["TMPDIR"] = folder # for temporary files of killed programs
        (again if options.again else explore)(options, source, folder)


main()
