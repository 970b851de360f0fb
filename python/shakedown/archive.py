"""Writes references and equations as files that need no program.

usage: python3 -m shakedown.archive -o DIR [--published FOLDER] [NAME...]

Of all problems that have a reference or equations, or of those named: references as CSV with digits
and units, parameters and start as JSON with its schema, equations as LaTeX and as functions in Python,
metadata for a deposit, and checksums. The same version writes the same bytes. FOLDER has references as
`shakedown reference --recompute --write` makes them; without it they are those that come with the
program. It takes numpy, pandas and sympy. docs/findings/references.md has the rest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, List, Optional, Tuple, Union

try:
    import pandas as pd

    from ._library import Failure, find_program, version
    from .problem import Problem
    from .trajectory import problems
except ImportError as lack:
    if __name__ != "__main__":
        raise
    print("shakedown: archive: it takes numpy, pandas, sympy and libshakedown: %s" % lack,
          file=sys.stderr)
    sys.exit(2)

FORMAT = 1
YEAR = "2026"  # of this version, set by scripts/release.sh
COLUMNS = ["t", "component", "value", "digits", "unit"]

#: Units of t, q, p and lambda where they are not of one kind or have one: a unit for all, or for each.
UNITS: Dict[str, Tuple[str, Any, Any, Any]] = {
    "alkane": ("ps", "nm", "u nm/ps", "u/ps^2"),
    "water": ("ps", "nm", "u nm/ps", "u/ps^2"),
    "andrews": ("s", "rad", "kg m^2/s", "N"),
    "slider-crank": ("s", ["rad", "rad"] + 5 * ["m"], 2 * ["kg m^2/s"] + 5 * ["kg m/s"],
                     ["N", "N", "N m"]),
}

README = """# Reference solutions of constrained mechanical systems

Solutions of {count} problems with the digits that are agreed, and the equations of {equations}, written by
`python3 -m shakedown.archive` of version {version}. Nothing here needs that program.

| file | what it is |
| --- | --- |
| `references/NAME.csv` | the solution: columns {columns} |
| `problems/NAME.json` | parameters, start with all digits, how the reference was computed, what else agrees; schema: `schema.json` |
| `problems/NAME.py` | H, g and their derivatives as functions in Python, of lists, with `math` alone |
| `problems/NAME.tex` | H and g in LaTeX (amsmath) |
| `archive.json` | what is here |
| `datacite.json` | metadata (DataCite 4); an identifier comes with a deposit |
| `COMMANDS.md` | what computes each file anew |
| `SHA256SUMS` | `sha256sum -c SHA256SUMS` |

The equations of motion are

    q' = H_p      p' = -H_q + Q - G^T lambda      0 = g(q,t),     G = g_q

or, where g depends on p, q' = H_p + g_p^T lambda and p' = -H_q - g_q^T lambda.

`value` has the digits of quadruple precision; of these as many as `digits` says are agreed, relative to the
largest component of q, of p or of lambda at that time. They hold at the parameters and the start of
`problems/NAME.json`. `t` is the time, which begins at `initial_time`. A unit of 1 is none: parameters are
pure numbers there, in any consistent units.

Equations are written from the literature, apart from the program's own functions, and agree with them. {without}

Numbers and equations may be used by anyone for anything: see LICENSE.
"""

LICENSE = """The numbers and equations in this archive are dedicated to the public domain under
CC0 1.0 Universal.

SPDX-License-Identifier: CC0-1.0
https://creativecommons.org/publicdomain/zero/1.0/legalcode
"""

DECIMAL = {"type": "string", "pattern": "^-?[0-9.]+([eE][-+]?[0-9]+)?$"}
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}


def _object(**members: Any) -> Dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": members,
            "required": [name for name, one in members.items() if not one.get("default", False)]}


def _list(items: Any) -> Dict[str, Any]:
    return {"type": "array", "items": items}


SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "A problem, and its reference",
    **_object(
        format={"const": FORMAT}, name=TEXT, specification=TEXT, summary=TEXT, equations=TEXT,
        coordinates=TEXT, units=TEXT, source=TEXT,
        parameters=_list(_object(name=TEXT, value=TEXT, meaning=TEXT)),
        n=COUNT, m=COUNT, features=_list(TEXT), initial_time=DECIMAL, horizon={"type": "number"},
        start=_object(q=_list(DECIMAL), p=_list(DECIMAL)),
        evaluated={"type": "boolean", "description": "whether there are NAME.py and NAME.tex"},
        reference={"description": "null: there is none", "oneOf": [{"type": "null"}, _object(
            file=TEXT, method=TEXT, times=_list(DECIMAL), least_digits=COUNT,
            checks=_list(_object(method=TEXT, q=COUNT, p=COUNT, **{"lambda": COUNT})))]}),
}


def _csv(rows: List[Any]) -> str:
    return "\n".join(",".join(row) for row in [COLUMNS] + rows) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def read_published(folder: Union[str, "os.PathLike[str]"]) -> Dict[str, Dict[str, Any]]:
    """The references of a folder by the specification of their problem: method, checks, rows. Those of
    problems that are read from files are left out: the archive needs no other files."""
    found = {}
    for file in sorted(pathlib.Path(folder).glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        said = dict(re.findall(r'^(problem|method): "(.*)"$', text, re.M))
        checks = re.findall(r'^  - {method: "(.*)", q: (\d+), p: (\d+), lambda: (\d+)}$', text, re.M)
        rows = re.findall(r"^  - {t: (\S+), component: (\w+), value: (\S+), digits: (\d+)}$", text,
                          re.M)
        if not {"problem", "method"} <= set(said) or len(rows) != text.count("component:"):
            raise Failure("%s is no reference as `shakedown reference --write` makes it" % file)
        if "(file=" in said["problem"]:
            continue
        found[said["problem"]] = {
            "file": file.stem, "method": said["method"], "rows": rows,
            "checks": [{"method": one, "q": int(q), "p": int(p), "lambda": int(multipliers)}
                       for one, q, p, multipliers in checks]}
    if not found:
        raise Failure("%s has no references" % folder)
    return found


def described(specification: str) -> Tuple[Dict[str, str], List[Dict[str, str]]]:
    """What `shakedown describe` says in words, and the parameters: name, kind, value, meaning."""
    ended = subprocess.run([find_program(), "describe", specification, "--format", "json"],
                           capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise Failure(ended.stderr.strip())
    rows = json.loads(ended.stdout)
    words = {row["section"]: row["value"] for row in reversed(rows) if not row["name"]}
    words["summary"] = rows[0]["value"]
    given = dict(re.findall(r"([\w-]+)=([^,()]+)", specification))
    parameters = []
    for row in rows:
        if row["section"] != "options" or re.search("[=(]", row["name"]):
            continue
        rules, _, meaning = row["value"].partition("\n")
        default = re.search("default ([^,]*)", rules)
        parameters.append({"name": row["name"], "kind": rules.split(",")[0], "meaning": meaning,
                           "value": given.get(row["name"], default[1] if default else "")})
    return words, parameters


def _number(text: str) -> str:
    """A parameter in Python."""
    return "%s * pi / 180" % text[:-3] if text.endswith("deg") else text


class _Archive:
    def __init__(self, folder: str, published: str):
        self.folder = pathlib.Path(folder)
        self.published = read_published(published)
        self.files: List[str] = []
        self.without: List[str] = []

    def write(self, name: str, text: str) -> None:
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        self.files.append(name)

    def problem(self, specification: str, reference: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        """The files of a problem; its record."""
        kind = specification.split("(")[0]
        name = reference["file"] if reference else kind
        problem, fine = (Problem(specification, one) for one in ("double", "quad"))
        words, parameters = described(specification)
        start = [str(one) for one in fine.digits("start")]
        record: Dict[str, Any] = {
            "format": FORMAT, "name": name, "specification": specification,
            "summary": words["summary"], "equations": words.get("equations", ""),
            "coordinates": words.get("coordinates", ""), "units": words.get("units", ""),
            "source": words.get("source", ""),
            "parameters": [{key: one[key] for key in ("name", "value", "meaning")}
                           for one in parameters],
            "n": problem.n, "m": problem.m, "features": list(problem.features),
            "initial_time": "%g" % problem.initial_time, "horizon": problem.horizon,
            "start": {"q": start[:problem.n], "p": start[problem.n:]}, "evaluated": False,
            "reference": None}
        record["evaluated"] = self.equations(record, parameters, kind)
        if reference:
            record["reference"] = self.reference(name, kind, reference)
        self.write("problems/%s.json" % name, _json(record))
        return record

    def reference(self, name: str, kind: str, reference: Dict[str, Any]) -> Dict[str, Any]:
        units = UNITS.get(kind, ("1", "1", "1", "1"))

        def unit(component: str) -> str:
            letter, index = re.findall(r"([a-z]+)(\d+)", component)[0]
            of = units[("q", "p", "lambda").index(letter) + 1]
            return str(of if isinstance(of, str) else of[int(index) - 1])
        file = "references/%s.csv" % name
        self.write(file, _csv([[t, component, value, digits, unit(component)]
                               for t, component, value, digits in reference["rows"]]))
        return {"file": file, "method": reference["method"], "checks": reference["checks"],
                "times": list(dict.fromkeys(row[0] for row in reference["rows"])),
                "least_digits": min(int(row[3]) for row in reference["rows"])}

    def equations(self, record: Dict[str, Any], parameters: List[Dict[str, str]], kind: str) -> bool:
        from . import equations, written
        if not equations.known(kind):
            self.without.append(record["name"])
            return False
        system = equations.system(kind, record["n"], {
            one["name"]: None if one["kind"] in ("number", "angle") else one["value"]
            for one in parameters})
        q, p = ([repr(float(x)) for x in record["start"][letter]] for letter in "qp")
        values = {one["name"].replace("-", "_"): _number(one["value"]) for one in parameters}
        values.update(system.constants)
        for (whose, parameter), level in equations.LEVELS.items():
            if whose == kind and float(values[parameter]) == 0:
                values[parameter] = str(level(list(map(float, q)), list(map(float, p))))
        heading = "%s: %s\n\n%s\n\n%s\n\nWritten by shakedown.archive %s." % (
            record["specification"], record["summary"], record["equations"], record["coordinates"],
            version())
        self.write("problems/%s.py" % record["name"],
                   written.python_file(system, heading, values, record["initial_time"], (q, p)))
        self.write("problems/%s.tex" % record["name"], written.latex_file(system, heading))
        return True

    def about(self, records: List[Dict[str, Any]], asked: List[str]) -> None:
        """What the archive is as a whole."""
        count = sum(1 for one in records if one["reference"])
        evaluated = sum(1 for one in records if one["evaluated"])
        without = "Without files of equations are: %s." % ", ".join(self.without) \
            if self.without else "All problems have them."
        self.write("README.md", README.format(
            count=count, equations=evaluated, version=version(), without=without,
            columns=", ".join("`%s`" % one for one in COLUMNS)))
        self.write("LICENSE", LICENSE)
        self.write("schema.json", _json(SCHEMA))
        self.write("datacite.json", _json(metadata()))
        self.write("COMMANDS.md", "# What computes these files\n\n    python3 -m shakedown.archive -o DIR%s\n\n"
                   "writes all of them, from references that these have computed:\n\n%s" % (
                       "".join(" " + one for one in asked), "".join(
                           '    shakedown reference "%s" --recompute --write %s.yaml\n'
                           % (one["specification"], one["name"])
                           for one in records if one["reference"])))
        self.write("archive.json", _json({
            "format": FORMAT, "version": version(), "problems": [one["name"] for one in records],
            "references": [one["name"] for one in records if one["reference"]],
            "without_equations": self.without}))
        sums = ["%s  %s\n" % (hashlib.sha256((self.folder / one).read_bytes()).hexdigest(), one)
                for one in sorted(self.files)]
        self.write("SHA256SUMS", "".join(sums))


def metadata() -> Dict[str, Any]:
    """As DataCite has it, but for an identifier, which a deposit gives."""
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceType": "Reference solutions", "resourceTypeGeneral": "Dataset"},
        "titles": [{"title": "Reference solutions of constrained mechanical systems"}],
        "creators": [{"name": "The Shakedown authors", "nameType": "Organizational"}],
        "publisher": "The Shakedown authors", "publicationYear": YEAR, "version": version(),
        "language": "en", "formats": ["text/csv", "application/json", "text/x-python",
                                      "application/x-tex"],
        "subjects": [{"subject": one} for one in (
            "geometric numerical integration", "differential-algebraic equations",
            "constrained mechanical systems", "benchmarks")],
        "rightsList": [{"rights": "CC0 1.0 Universal", "rightsIdentifier": "CC0-1.0",
                        "rightsUri": "https://creativecommons.org/publicdomain/zero/1.0/"}],
        "descriptions": [{"descriptionType": "Abstract", "description":
                          "States and multipliers of constrained mechanical systems at generic times, "
                          "to as many digits as independent computations in quadruple precision agree "
                          "on, with the systems' equations."}]}


def archive(folder: str, published: str, names: Optional[List[str]] = None) -> None:
    """Writes the archive of all problems that have a reference or equations, or of those named,
    into a folder that is empty or not there yet."""
    from . import equations
    if os.path.isdir(folder) and os.listdir(folder):
        raise Failure("%s is not empty: an archive wants a folder of its own" % folder)
    made = _Archive(folder, published)
    offered = {one["file"]: specification for specification, one in made.published.items()}
    offered.update({name: name for name in problems() if equations.known(name)})
    for name in names or []:
        if name not in offered:
            raise Failure("there is neither a reference nor an equation of '%s'; there are: %s"
                          % (name, ", ".join(sorted(offered))))
    records = [made.problem(offered[name], made.published.get(offered[name]))
               for name in sorted(set(names or offered))]
    made.about(records, names or [])


def references(folder: Union[str, "os.PathLike[str]"]) -> pd.DataFrame:
    """The references of an archive (`python3 -m shakedown.archive -o DIR`): columns problem, t, component,
    value, digits, unit and text, which is the value with all of its digits."""
    index = json.loads(pathlib.Path(folder, "archive.json").read_text(encoding="utf-8"))
    if index["format"] != FORMAT:
        raise Failure("%s has format %s, not %d" % (folder, index["format"], FORMAT))
    frames = []
    for name in index["references"]:
        frame = pd.read_csv(pathlib.Path(folder, "references", name + ".csv"), 
                            dtype={"value": str, "unit": str})
        frame.insert(0, "problem", name)
        frames.append(frame)
    whole = pd.concat(frames, ignore_index=True)
    whole["text"] = whole.value
    whole["value"] = whole.value.astype(float)
    return whole


def published_folder() -> str:
    """The references that come with the program: installed beside it, or in its source tree."""
    program, package = pathlib.Path(find_program()).resolve(), pathlib.Path(__file__).resolve()
    for place in (program.parents[1] / "share" / "shakedown" / "published",
                  program.parents[1] / "results" / "published",
                  package.parents[2] / "results" / "published"):
        if place.is_dir():
            return str(place)
    raise Failure("the references that come with %s are not found: --published names their folder"
                  % program)


def main() -> int:
    reader = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("-o", "--output", required=True, metavar="DIR")
    reader.add_argument("--published", metavar="FOLDER")
    reader.add_argument("names", nargs="*", metavar="NAME")
    given = reader.parse_args()
    try:
        archive(given.output, given.published or published_folder(), given.names)
    except ImportError as fault:
        print("shakedown: archive: it takes numpy, pandas and sympy: %s" % fault, file=sys.stderr)
        return 2
    except (Failure, OSError) as fault:
        print("shakedown: archive: %s" % fault, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
