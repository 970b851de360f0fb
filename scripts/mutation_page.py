"""docs/findings/mutation.md, from a log of mutate.py."""
import os

FATES = [("does not compile", "does not compile"),
         ("same object code", "the same object code"),
         ("falsified", "`certify` falsifies a claim"),
         ("not shown", "`certify` upholds a claim nowhere"),
         ("failure", "`certify` ends in failures, a crash or not at all"),
         ("test", "passes `certify`, a test fails"),
         ("survives", "survives")]
NO_MUTANT = ("does not compile", "same object code")
INTRODUCTION = """# Who notices a wrong method

Made by `scripts/mutate.py --page docs/findings/mutation.csv` from the log of what was run. The script changes
the methods, the multiplier solvers and the linear algebra at random, one place at a time, in a copy
of the tree: + for −, * for /, h for h/2, a constant by one, a coefficient, < for ≤, indices, one end
of a step for the other, q for p, a sign, a statement left out. What compiles to other code is put to
a certificate of few problems, of the integrators that the file belongs to one after the other, then to
`certify --brief` or `certify`, and if these find nothing to the file's tests. How far certificates went
is in the log, and below: where they stopped at few problems, the whole might have seen more. A mutant
counts as killed by a claim only if `certify` falsifies what it does not falsify in the program as it
is; failures, crashes and courses without end are counted on their own.

`scripts/mutate.py --log LOG --seconds 3600` goes on with a log for an hour of processor time. Whether a
survivor is a fault that nobody sees or no fault at all is judged by hand, in the log's last column.
"""

LEARNT = """
## What survivors led to

Tests that are there since: the work of impulses where g depends on t, and of slides along fibres; the
residuals that SHAKE and a penalty's spring leave, which are known; the least residual at which damped
Newton ends where there is no solution; `reversal-check` in other units, and where the way back ends
elsewhere; the nondegeneracy of a general H; starts beside a sphere whose radius is not 1; the work of a
plain projection. Each kills the mutant that asked for it.

What is left has few kinds. Bounds of round-off that end iterations, matrices of Newton's iteration and
first guesses change how soon a solve ends, not where. Entries beyond an array of a workspace lie in the
next one, without a guard zone: the compiled tests under Valgrind see some of them. Counts of iterations
are asked of few solvers. What holds where allocation fails is not tried here.
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
    claims = number["falsified"] + number["not shown"]
    idle = sum(row["fate"] == "survives" and row["why"].startswith("equivalent") for row in rows)
    yield "## What was measured\n"
    yield "%d changes were made, in %.0f minutes of processor time.%s\n" % (
        len(rows), sum(float(row["seconds"]) for row in rows) / 60,
        " That is too few for rates to mean much." if len(rows) < 100 else "")
    yield "| fate | changes | of them asked no more than few problems | and briefly |"
    yield "| --- | --- | --- | --- |"
    asked = lambda fate, extent: sum(row["fate"] == fate and row["asked"] == extent for row in rows)
    yield from ("| %s | %d | %d | %d |" % (words, number[fate], asked(fate, "few"),
                                           asked(fate, "brief")) for fate, words in FATES)
    yield "\nOf those that compile to other code `certify` kills %s by claims, %s in all; " \
        "%s survive the tests too, of which %d are equivalent by what is said below.\n" % (
            rate(claims, made), rate(claims + number["failure"], made),
            rate(number["survives"], made), idle)
    methods = [row for row in rows if row["file"].startswith("integrators/")]
    fates = [row["fate"] for row in methods
             if row["fate"] not in NO_MUTANT and not row["why"].startswith("equivalent")]
    claims = fates.count("falsified") + fates.count("not shown")
    yield "Of those in methods (rooms `integrators`), equivalent ones left out, it kills %s by claims.\n" % (
        rate(claims, len(fates)))
    yield from by("room", rows, lambda row: os.path.dirname(row["file"]))
    yield from by("operator", rows, lambda row: row["operator"])


def by(title, rows, kind):
    yield "| %s | to other code | by claims | by failures | by tests | survive |" % title
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in sorted({kind(row) for row in rows}):
        fates = [row["fate"] for row in rows if kind(row) == name and row["fate"] not in NO_MUTANT]
        if fates:
            yield "| %s | %d | %d | %d | %d | %d |" % (
                name, len(fates), fates.count("falsified") + fates.count("not shown"),
                fates.count("failure"), fates.count("test"), fates.count("survives"))
    yield ""


def places(rows, fate, title, last):
    some = [row for row in rows if row["fate"] == fate]
    if some:
        yield "\n## %s\n" % title
        yield "| where | before | after | %s |\n| --- | --- | --- | --- |" % last
        for row in some:
            yield "| `%s`, line %s | %s | %s | %s |" % (
                row["file"], row["line"], code(row["before"]), code(row["after"]),
                cell(row["why" if fate == "survives" else "by"]
                     or "not looked at; " + row["records"] + " records"))


def page(rows):
    return "\n".join([INTRODUCTION, *counts(rows),
                      *places(rows, "survives", "Survivors", "why"),
                      LEARNT,
                      *places(rows, "test", "What tests notice and certificates do not",
                              "test")]) + "\n"
