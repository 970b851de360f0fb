"""Certificates: the verdicts on a method's claims."""

from __future__ import annotations

import os
from typing import Any, Dict, List
from xml.etree import ElementTree

import pandas as pd

from ._library import CLAIMS, NoSuchName, Path
from .claims import named
from .store import VERDICTS, table_html

WORST_FIRST = ["falsified", "failed", "not demonstrated", "undecided", "held", "refused"]
#: The verdict on a claim is the first of these verdicts that any problem gives. A claim is therefore held if it is
#: held
#: on one problem and neither falsified nor failed on any.
DECIDING = ["falsified", "failed", "held", "not demonstrated", "undecided", "refused"]
BAD = WORST_FIRST[:2]
PROPOSED = "could be claimed"


def _names(problems: List[str]) -> str:
    shown = ", ".join(problems[:2])
    return shown + ", and %d more" % (len(problems) - 2) if len(problems) > 2 else shown


class Certificate:
    """The verdicts on a method's claims, as `certify` and `try_out` return them.

    When printed, it shows a row for each claim, and the reasons why claims are not held.

    Parameters
    ----------
    table : pandas.DataFrame
        The rows that the program prints.
    status : int
        The exit status of the program.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each claim and problem, with `verdict`, `value`, `word`, `expected` and `reason`.
    status : int
        0 if every claim was decided and is held, 1 if a claim is falsified, 3 if one is not decided.
    remarks : list of str
        What `try_out` measured, as a summary.
    causes : list of str
        Likely causes of claims that fail, if `try_out` knows them.

    Examples
    --------
    >>> found = shakedown.try_out("rattle")
    >>> claims = found.claims.set_index("claim")
    >>> claims.stated["order of q"], claims.verdict["order of q"]
    ('2', 'held')
    """

    def __init__(self, table: Any, status: int):
        judged = table.verdict.isin(VERDICTS)
        self.table = table[judged].reset_index(drop=True)
        self.table["verdict"] = pd.Categorical(self.table.verdict, VERDICTS, ordered=True)
        self.status = status
        self.remarks = list(table[table.claim == "is"].reason)
        self.causes = list(table[table.claim == "likely cause"].reason)
        self._proposed = table[table.verdict == PROPOSED]

    @property
    def held(self) -> bool:
        """True if every claim was decided and is held."""
        return self.status == 0

    @property
    def claims(self) -> Any:
        """A pandas.DataFrame with a row for each claim.

        `stated` is what the method claims. `verdict` combines the verdicts of all problems, and the columns named
        after verdicts count the problems. `required` marks the requirements on every method.
        """
        rows = []
        for (claim, stated), each in self.table.groupby(["claim", "stated"], sort=False):
            counts = each.verdict.value_counts()
            verdict = next((word for word in DECIDING if counts.get(word, 0)), None)
            rows.append([claim, stated, verdict] + [int(counts[word]) for word in VERDICTS])
        frame = pd.DataFrame(rows, columns=["claim", "stated", "verdict", *VERDICTS])
        return frame[frame.verdict.notna()].reset_index(drop=True)

    def reasons(self, claim: str = "") -> List[str]:
        """Return a sentence for each reason why a claim is not held, the worst first.

        Parameters
        ----------
        claim : str, optional
            One claim, named as in the table ("order of q") or as an attribute ("order_q"). By default, all claims.

        Returns
        -------
        list of str

        Raises
        ------
        KeyError
            If the certificate does not contain this claim.
        """
        rows = self.table[(self.table.verdict != "held") & (self.table.reason != "")]
        if claim and named(claim) not in set(self.table.claim.map(named)):
            raise NoSuchName("the certificate does not contain the claim %r; it contains %s"
                             % (claim, ", ".join(self.table.claim.unique())))
        found: Dict[str, List[List[str]]] = {word: [] for word in WORST_FIRST}
        for (name, verdict), each in rows.groupby(["claim", "verdict"], sort=False, observed=True):
            if not claim or named(claim) == named(name):
                found[verdict].append([name, *each.reason.unique()[:1], _names(list(each.problem))])
        return ["%s %s: %s%s" % (verdict, name, reason, " (on %s)" % where if where else "")
                for verdict in WORST_FIRST for name, reason, where in found[verdict]]

    def as_claims(self) -> str:
        """Return the claims that are held, and others that could be made, as lines for the class.

        Returns
        -------
        str
        """
        held = self.claims[(self.claims.verdict == "held") & (self.claims.stated != "required")]
        pairs = [*zip(held.claim, held.stated),
                 *zip(self._proposed.claim, self._proposed.stated)]
        values = {"yes": "True", "no": "False"}
        return "".join("%s = %s\n" % (named(claim), values.get(stated) or int(stated))
                       for claim, stated in dict(pairs).items() if named(claim) in CLAIMS)

    def to_junit(self, path: Path) -> None:
        """Write a JUnit XML file with a test for each claim. A test is skipped if no problem decides the claim.

        Parameters
        ----------
        path : str or path
            The file.
        """
        claims = self.claims
        bad, mute = claims.verdict.isin(BAD), ~claims.verdict.isin([*BAD, "held"])
        method = next(iter(self.table.integrator), "method")
        top = ElementTree.Element("testsuites")
        suite = ElementTree.SubElement(
            top, "testsuite", name="shakedown", tests=str(len(claims)), errors="0",
            failures=str(int(bad.sum())), skipped=str(int(mute.sum())))
        for claim, stated, verdict in zip(claims.claim, claims.stated, claims.verdict):
            case = ElementTree.SubElement(suite, "testcase", name="%s: %s" % (claim, stated),
                                          classname="shakedown.%s" % method)
            if verdict != "held":
                said = "\n".join(self.reasons(claim)) or verdict
                word = "failure" if verdict in BAD else "skipped"
                one = ElementTree.SubElement(case, word, message=said.split("\n")[0])
                if verdict in BAD:
                    one.text = "\n".join([said, *self.causes])
        ElementTree.ElementTree(top).write(os.fspath(path), "utf-8", xml_declaration=True)

    def __repr__(self) -> str:
        claims = self.claims
        shown = claims.drop(columns=[word for word in VERDICTS if not claims[word].any()])
        proposed = self.as_claims() if len(self._proposed) else ""
        return "\n".join([
            *self.remarks, str(shown.to_string(index=False)), *self.reasons(),
            *("likely cause: " + cause for cause in self.causes),
            *(["it could claim", proposed.rstrip()] if proposed else [])])

    def _repr_html_(self) -> str:
        return table_html(self.claims)
