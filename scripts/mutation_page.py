"""Writes docs/findings/mutation.md from a log of mutate.py."""
import os

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FATES = [("does not compile", "does not compile"),
         ("same object code", "the same object code"),
         ("falsified", "`certify` falsifies a claim"),
         ("not demonstrated", "`certify` finds a claim that holds nowhere"),
         ("failure", "`certify` fails, crashes or does not end"),
         ("test", "passes `certify`, a test fails"),
         ("survives", "survives")]
NO_MUTANT = ("does not compile", "same object code")
INTRODUCTION = """# Mutation: detection of random faults

See which random faults (mutants) in methods, multiplier solvers and linear algebra are detected by
certificates, and which by tests. To try more mutants for an hour of processor time, and to write
this page from the log:

```text
python3 scripts/mutate.py --log docs/findings/mutation.csv --seconds 3600
python3 scripts/mutate.py --page docs/findings/mutation.csv > docs/findings/mutation.md
```

## Method

`scripts/mutate.py` changes one place at random in a copy of the tree: + to −, * to /, h to h/2, a
constant by one, a coefficient, < to ≤, an index, one end of a step to the other, q to p, a sign, or
a statement removed. A mutant whose object code differs goes through these stages until one of them
kills it:

1. a certificate of few problems, of each integrator to which the file belongs;
2. `certify --brief` or `certify`;
3. the tests of the file.

A claim kills a mutant only if `certify` falsifies it for the mutant and not for the unchanged
program. Failures, crashes and runs that do not end are counted separately. The log states how far
certificates went: where they stopped at few problems, a full one might have killed more mutants.
Survivors are judged by hand, in the last column of the log; one that changes no result is
*equivalent*.
"""

LEARNT = """
## What the survivors show

Survivors led to tests of: the work of impulses for g that depends on t, and of flows along fibres;
the known residuals of SHAKE and of a penalty's spring; the least residual at which damped Newton
stops where there is no solution; `reversibility-check` in other units, and where the way back ends
elsewhere; the nondegeneracy of a general H; starts beside a sphere whose radius is not 1; the work
of a plain projection. Each kills its mutant.

The remaining survivors are of few kinds. Bounds of round-off that end iterations, matrices of
Newton's iteration and initial guesses change when a solve ends, not where. An entry beyond an array
of a workspace lies in the next array, without a guard zone; the compiled tests under Valgrind
detect some of these. Few solvers have tests of their counts of iterations. Failures of allocation
are not tried.
"""


def cell(text):
    return text.replace("|", "\\|")


def code(text):
    return "`%s`" % cell(text)


def rate(part, whole):
    return "%d of %d (%d %%)" % (part, whole, round(100 * part / max(1, whole)))


def counts(rows):
    number = {fate: sum(row["fate"] == fate for row in rows) for fate, _ in FATES}
    made = len(rows) - sum(number[fate] for fate in NO_MUTANT)
    claims = number["falsified"] + number["not demonstrated"]
    idle = sum(row["fate"] == "survives" and row["why"].startswith("equivalent") for row in rows)
    yield "## Results\n"
    yield "%d changes, in %.0f minutes of processor time.%s\n" % (
        len(rows), sum(float(row["seconds"]) for row in rows) / 60,
        " That is too few for rates to mean much." if len(rows) < 100 else "")
    yield "| outcome | changes | certificates of few problems only | `--brief` only |"
    yield "| --- | --- | --- | --- |"
    asked = lambda fate, extent: sum(row["fate"] == fate and row["asked"] == extent for row in rows)
    yield from ("| %s | %d | %d | %d |" % (words, number[fate], asked(fate, "few"),
                                           asked(fate, "brief")) for fate, words in FATES)
    yield "\nOf the mutants with other object code `certify` kills %s by claims, %s in all. %s survive the tests too; " \
        "%d of these are equivalent." % (
            rate(claims, made), rate(claims + number["failure"], made),
            rate(number["survives"], made), idle)
    methods = [row for row in rows if row["file"].startswith("integrators/")]
    fates = [row["fate"] for row in methods
             if row["fate"] not in NO_MUTANT and not row["why"].startswith("equivalent")]
    claims = fates.count("falsified") + fates.count("not demonstrated")
    yield "Of those in methods (`integrators/`), without equivalent ones, it kills %s by claims.\n" % (
        rate(claims, len(fates)))
    yield from by("folder", rows, lambda row: os.path.dirname(row["file"]))
    yield from by("operator", rows, lambda row: row["operator"])


def by(title, rows, kind):
    yield "| %s | mutants | killed by claims | by failures | by tests | survive |" % title
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in sorted({kind(row) for row in rows}):
        fates = [row["fate"] for row in rows if kind(row) == name and row["fate"] not in NO_MUTANT]
        if fates:
            yield "| %s | %d | %d | %d | %d | %d |" % (
                name, len(fates), fates.count("falsified") + fates.count("not demonstrated"),
                fates.count("failure"), fates.count("test"), fates.count("survives"))
    yield ""


def survivors(rows):
    """Survivors that are not equivalent, in files that are in the tree."""
    yield "## Survivors\n"
    yield "Survivors that are not equivalent, in files of the present tree. All others, and the mutants that tests kill, are in"
    yield "`docs/findings/mutation.csv`.\n"
    yield "| place | before | after | reason |\n| --- | --- | --- | --- |"
    for row in rows:
        if row["fate"] == "survives" and not row["why"].startswith("equivalent") and \
                os.path.exists(os.path.join(TOP, row["file"])):
            yield "| `%s`, line %s | %s | %s | %s |" % (
                row["file"], row["line"], code(row["before"]), code(row["after"]),
                cell(row["why"] or "not judged; " + row["records"] + " records"))


def page(rows):
    return "\n".join([INTRODUCTION, *counts(rows), *survivors(rows)]) + "\n" + LEARNT
