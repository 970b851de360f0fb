"""Results as tables of pandas (docs/reference/store.md has what the columns are)."""

from __future__ import annotations

import contextlib
import errno
import functools
import html
import io
import os
import sqlite3
import subprocess
from typing import Any, List, Optional, Union

import numpy as np
import pandas as pd

from ._library import NoSuchName, Path, find_program, number, trouble

#: Verdicts, in the order of their numbers in a store (1, 2, …).
VERDICTS = ["held", "falsified", "undecided", "refused", "failed", "not demonstrated"]
COLOURS = {"held": "#1a7f37", "falsified": "#cf222e", "undecided": "#9a6700"}


def frame_of(text: str) -> pd.DataFrame:
    """A table of what the program prints as CSV: see `typed`."""
    return typed(pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False))


def typed(frame: pd.DataFrame, judged: bool = True) -> pd.DataFrame:
    """A table of texts with numbers as floats where all of a column are, verdicts, if `judged`, as
    ordered words (`frame.verdict.cat.codes` numbers them, from 0, -1: none), a value that is a word
    in the column `word`."""
    for name in frame.columns:
        numbers = pd.to_numeric(frame[name], errors="coerce")
        given = frame[name] != ""
        if name == "value":
            frame.insert(frame.columns.get_loc(name) + 1, "word",
                         frame[name].where(numbers.isna() & given, ""))
            frame[name] = numbers
        elif name == "verdict" and judged:
            frame[name] = pd.Categorical(frame[name].where(given), VERDICTS, ordered=True)
        elif given.any() and not (numbers.isna() & given).any() or name in NUMBERS:
            frame[name] = numbers
    return frame


NUMBERS = {"step", "tolerance", "until", "uncertainty", "expected_value", "expected_band", "error",
           "reference_error", "time", "reached", "seconds", "least", "mean", "largest"}


#: What tells cells from each other.
CELL = {"problem", "integrator", "precision", "step", "tolerance", "until"}


def table_html(frame: pd.DataFrame) -> str:
    """A table for notebooks, with verdicts in colour."""
    def verdict(word: Any) -> str:
        if not isinstance(word, str):
            return ""
        return '<b style="color:%s">%s</b>' % (COLOURS.get(word, "#57606a"), word)

    def cell(value: Any) -> str:
        if isinstance(value, float):
            return "" if value != value else "%.6g" % value
        return html.escape(str(value))
    return str(frame.to_html(index=False, escape=False, formatters={
        name: verdict if name == "verdict" else cell for name in frame.columns}))


class Store:
    """A store of results, read when it is asked: each table is one of pandas."""

    def __init__(self, path: Path):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise FileNotFoundError(errno.ENOENT, "there is no store", self.path)

    def _ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        ended = subprocess.run([find_program(), "show", self.path, *words, "--format", "csv"],
                               capture_output=True, text=True, check=False)
        if ended.returncode not in (0, 1, 3) or not ended.stdout:
            raise trouble(ended.returncode, ended.stderr)
        return ended

    def _show(self, *words: str) -> pd.DataFrame:
        return frame_of(self._ask(*words).stdout)

    @functools.cached_property
    def status(self) -> int:
        """0: all claims are held; 1: one is falsified; 3: one is not decided, or cells failed."""
        return self._ask().returncode

    @property
    def held(self) -> bool:
        """True if all claims are held and every cell finished."""
        return self.status == 0

    @functools.cached_property
    def findings(self) -> pd.DataFrame:
        """What was found, with half-width (`uncertainty`), what was expected, and the verdict."""
        return self._show()

    @functools.cached_property
    def cells(self) -> pd.DataFrame:
        """What became of each cell, and why."""
        return self._show("--cells")

    @functools.cached_property
    def numbers(self) -> pd.DataFrame:
        """Each number of each cell, under its name in docs/reference/measures.md."""
        return self._show("--records")

    @functools.cached_property
    def errors(self) -> pd.DataFrame:
        """The error of q, p and the multipliers at each sample time of each cell."""
        return self._show("--errors")

    @functools.cached_property
    def series(self) -> pd.DataFrame:
        """What was recorded along the runs: the least, mean and largest of each interval."""
        return self._show("--series")

    @functools.cached_property
    def work(self) -> pd.DataFrame:
        """Evaluations and iterations of each cell, and its CPU seconds: a column each."""
        numbers = self.numbers
        counted = numbers[numbers.quantity.str.startswith("work-")
                          | (numbers.quantity == "cpu-seconds")]
        index = ["study", "problem", "integrator", "precision", "step", "tolerance", "until"]
        wide = counted.groupby(index + ["quantity"], dropna=False, sort=False).value.first()
        wide = wide.unstack("quantity")
        return wide.rename(columns=lambda name: name.replace("work-", "")).reset_index()

    def blob(self, name: str, **cell: Union[str, float]) -> Any:
        """The states of a block (`"q"`), a row for each sample, or a series: the ends of its intervals, then
        the least, mean and largest values in them. Of the newest cell that has these words and numbers,
        `blob("q", integrator="rattle", step=0.1)`, in single or double precision."""
        if not CELL.issuperset(cell):
            raise TypeError("a cell has %s" % ", ".join(sorted(CELL)))
        where = "".join(" AND %s = ?" % ("CAST(%s AS REAL)" % key if key in NUMBERS else key)
                        for key in cell)
        values = [number(key, value) if key in NUMBERS else str(value) for key, value in cell.items()]
        with contextlib.closing(sqlite3.connect(self.path)) as base:
            row = base.execute("SELECT rows, columns, data, bits FROM blobs JOIN cells ON cells.id = blobs.cell "
                               "WHERE name = ? AND bits IN (32, 64)" + where +
                               " ORDER BY cells.id DESC, blobs.id", (str(name), *values)).fetchone()
            names = [one for one, in base.execute("SELECT DISTINCT name FROM blobs ORDER BY name")]
        if row is None:
            raise NoSuchName("%s has no %s of a cell with %s; it has %s" % (
                self.path, name, ", ".join("%s=%s" % one for one in cell.items()) or "any values", ", ".join(names)))
        return np.frombuffer(row[2], "<f%d" % (row[3] // 8)).reshape(row[:2])

    def verdicts(self) -> pd.DataFrame:
        """How many verdicts of each kind each method has."""
        judged = self.findings.dropna(subset=["verdict"])
        return pd.crosstab(judged.integrator, judged.verdict)

    def plot(self, quantity: str = "q", axes: Optional[Any] = None) -> Any:
        """The largest error of a block ("q", "p", "lambda", …) against the step, a line for each
        problem and method; or a number of the cells ("energy-error-max"). Returns matplotlib's
        axes. Figures for papers are `shakedown plot`'s."""
        import matplotlib.pyplot as plt
        axes = axes if axes is not None else plt.subplots()[1]
        if quantity in set(self.errors.block):
            table = self.errors[self.errors.block == quantity].rename(columns={"error": "shown"})
        else:
            table = self.numbers[self.numbers.quantity == quantity].rename(
                columns={"value": "shown"})
        table = table[table.step.notna() & (table.shown > 0)]
        if table.empty:
            known = [*self.errors.block.unique(), *self.numbers.quantity.unique()]
            raise NoSuchName("%s has no numbers above 0 of %r to draw against steps; it has %s"
                             % (self.path, quantity, ", ".join(map(str, known))))
        for names, lines in table.groupby(["problem", "integrator", "precision"]):
            largest = lines.groupby("step").shown.max()
            axes.loglog(largest.index, largest.to_numpy(), "o-", label=", ".join(names))
        axes.set(xlabel="step", ylabel=quantity)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return "Store(%r)" % self.path

    def __str__(self) -> str:
        """How many verdicts of each kind each method has, and those that are not held."""
        judged = self.findings.dropna(subset=["verdict"])
        if judged.empty:
            return "%s: no verdicts" % self.path
        counts = self.verdicts().to_string()
        open_ones = judged[judged.verdict != "held"]
        lines = ["%s: %s of %s on %s (%s)" % (row.verdict, row.quantity, row.integrator, row.problem, row.precision)
                 for row in open_ones.itertuples()]
        return "\n".join([self.path, counts, *lines])

    def _repr_html_(self) -> str:
        columns: List[str] = ["problem", "integrator", "precision", "quantity", "value", "word",
                              "uncertainty", "expected", "verdict"]
        return table_html(self.findings.dropna(subset=["verdict"])[columns])


def read(path: Path) -> Store:
    """The store in a file that `run` has written."""
    return Store(path)
