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
LATER = ("40",) # seeds of the second round
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
3. the tests of the file: those of its own name, and those that a table names for it.

A claim kills a mutant only if `certify` falsifies it for the mutant and not for the unchanged
program. Failures, crashes and runs that do not end are counted separately. The log states how far
certificates went: where they stopped at few problems, a full one might have killed more mutants.
Survivors are judged by hand, in the last column of the log; one that changes no result is
*equivalent*.

The log has two rounds of random mutants. In the first, most certificates stopped at few problems;
in the second, all went on to `certify --brief`. Tests of a file's own name were not asked then.
"""

AGAIN = """Of the 38 mutants that claims killed in the first round, 23 have their line in the present tree.
`certify --brief` kills 22 of them at the time of the second round, 18 by claims and 4 by failures or by
more than five minutes; the last is in the reading of numbers from text, which certificates do without.
"""

LEARNT = """
## What the survivors show

Survivors led to tests of: the work of impulses for g that depends on t, and of flows along fibres;
the known residuals of SHAKE and of a penalty's spring; the least residual at which damped Newton
stops where there is no solution; `reversibility-check` in other units, and where the way back ends
elsewhere; the nondegeneracy of a general H and of a mass matrix that depends on q; starts beside a
sphere whose radius is not 1; the work of a plain projection, its tolerance, and projections and
implicit stages in lengths of 1e-9 and 1e6; a general H that depends on time, through a singular
configuration; LU of many full rows; floors and controls of structure; times of series; solvers that
return positions only; what a system with constraints on momenta lacks. Each kills its mutant.

Others fell where certificates or tests that were not asked had long covered them: option sets such
as `shake(momentum=central)`, causes that `try` names, solvers in other programs. The table of
`scripts/mutation_sites.py` names them now.

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


def is_idle(row):
    return row["fate"] == "survives" and row["why"].startswith("equivalent")


def is_found(row):
    return row["fate"] == "survives" and row["why"].startswith("killed since")


def by_claims(fates):
    return fates.count("falsified") + fates.count("not demonstrated")


def rates(name, rows):
    """The rates of a round, in sentences."""
    made = [row for row in rows if row["fate"] not in NO_MUTANT]
    fates = [row["fate"] for row in made]
    methods = [row["fate"] for row in made
               if row["file"].startswith("integrators/") and not is_idle(row)]
    yield "%s: of the mutants with other object code `certify` kills %s by claims, %s in all. Of " \
        "those in methods (`integrators/`), without equivalent ones, it kills %s by claims. " \
        "%s survive the tests too; %d of these are equivalent, and %d killed since.\n" % (
            name, rate(by_claims(fates), len(made)),
            rate(by_claims(fates) + fates.count("failure"), len(made)),
            rate(by_claims(methods), len(methods)), rate(fates.count("survives"), len(made)),
            sum(is_idle(row) for row in rows), sum(is_found(row) for row in rows))


def counts(rows):
    rounds = [("First round", [row for row in rows if row["seed"] not in LATER]),
              ("Second round", [row for row in rows if row["seed"] in LATER])]
    yield "## Results\n"
    yield "%d changes, in %.0f minutes of processor time.%s\n" % (
        len(rows), sum(float(row["seconds"]) for row in rows) / 60,
        " That is too few for rates to mean much." if len(rows) < 100 else "")
    yield "| outcome | first round | ... few problems only | second round |"
    yield "| --- | --- | --- | --- |"
    for fate, words in FATES:
        first, second = ([row for row in part if row["fate"] == fate] for _, part in rounds)
        yield "| %s | %d | %d | %d |" % (
            words, len(first), sum(row["asked"] == "few" for row in first), len(second))
    yield ""
    for name, part in rounds:
        yield from rates(name, part)
    yield AGAIN
    yield from by("folder", rows, lambda row: os.path.dirname(row["file"]))
    yield from by("operator", rows, lambda row: row["operator"])


def by(title, rows, kind):
    yield "| %s | mutants | killed by claims | by failures | by tests | survive |" % title
    yield "| --- | --- | --- | --- | --- | --- |"
    for name in sorted({kind(row) for row in rows}):
        fates = [row["fate"] for row in rows if kind(row) == name and row["fate"] not in NO_MUTANT]
        if fates:
            yield "| %s | %d | %d | %d | %d | %d |" % (
                name, len(fates), by_claims(fates), fates.count("failure"), fates.count("test"),
                fates.count("survives"))
    yield ""


def survivors(rows):
    """Survivors that are not equivalent and not killed since, in files that are in the tree."""
    yield "## Survivors\n"
    yield "Survivors that are not equivalent and that nothing kills yet, in files of the present"
    yield "tree; where several have one reason, the change of the first. All others, with the reason"
    yield "or what kills them now, are in `docs/findings/mutation.csv`.\n"
    yield "| place | before | after | reason |\n| --- | --- | --- | --- |"
    left = {}
    for row in rows:
        if row["fate"] == "survives" and not is_idle(row) and not is_found(row) and \
                os.path.exists(os.path.join(TOP, row["file"])):
            why = row["why"] or "not judged; " + row["records"] + " records"
            left.setdefault(why, []).append(row)
    for why, alike in left.items(): # one row for a reason: the first change stands for all
        places = "; ".join("`%s`, line %s" % (row["file"], row["line"]) for row in alike)
        yield "| %s | %s | %s | %s |" % (
            places, code(alike[0]["before"]), code(alike[0]["after"]), cell(why))


def page(rows):
    return "\n".join([INTRODUCTION, *counts(rows), *survivors(rows)]) + "\n" + LEARNT
