"""Verdicts of certificates beside a table of them.

    verdicts.py TABLE [METHOD...]    TAP: do `certify --brief --seed 1` and the table agree?
    verdicts.py TABLE --write        prints the table anew, for the methods that it has

The table has a row for each method and claim: the value claimed and the verdict on all problems;
where revision 7d9bf6e7 had another verdict, that one and the rule that made the difference. The
program is named by $SHAKEDOWN. Without METHOD, all methods of the table: seven minutes.
"""

import csv
import os
import subprocess
import sys

FIELDS = ["method", "claim", "stated", "verdict", "before", "why"]
# The verdict on all problems is the first of these that one of them has.
RANKS = ["falsified", "failed", "not demonstrated", "held", "undecided", "refused", "none", ""]


def certificate(method: str) -> dict[str, tuple[str, str]]:
    """Returns the value stated and the verdict of each claim."""
    command = [os.environ["SHAKEDOWN"], "certify", "--brief", "-q", "--seed", "1"]
    output = subprocess.run(
        [*command, "--format", "csv", method], capture_output=True, text=True, check=False
    ).stdout
    found: dict[str, tuple[str, str]] = {}
    for row in csv.DictReader(output.splitlines()):
        before = found.get(row["claim"], ("", ""))[1]
        verdict = min(before, row["verdict"], key=RANKS.index)
        found[row["claim"]] = (row["stated"], verdict)
    return found


def compare(rows: list[dict[str, str]], methods: list[str]) -> bool:
    """Prints a point for each method; false if one differs."""
    passed = True
    for number, method in enumerate(methods, 1):
        table = {r["claim"]: (r["stated"], r["verdict"]) for r in rows if r["method"] == method}
        found = certificate(method)
        same = bool(table) and found == table
        passed = passed and same
        print(f"{'' if same else 'not '}ok {number} - {method}: {len(table)} claims as in the table")
        for claim in sorted(set(found.items()) ^ set(table.items())):
            print(f"# {claim[0]}: {claim[1]}, {'found' if claim in found.items() else 'expected'}")
    print(f"1..{len(methods)}")
    return passed


def write(rows: list[dict[str, str]], methods: list[str]) -> None:
    """Prints the table with the verdicts of the program; the columns after them stay."""
    kept = {(r["method"], r["claim"]): r for r in rows}
    table = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    table.writeheader()
    for method in methods:
        for claim, (stated, verdict) in certificate(method).items():
            old = kept.get((method, claim), {"before": "", "why": ""})
            table.writerow(
                {"method": method, "claim": claim, "stated": stated, "verdict": verdict}
                | {name: old[name] for name in ("before", "why")}
            )


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    methods = list(dict.fromkeys(r["method"] for r in rows))
    if sys.argv[2:] == ["--write"]:
        write(rows, methods)
        return 0
    return 0 if compare(rows, sys.argv[2:] or methods) else 1


if __name__ == "__main__":
    sys.exit(main())
