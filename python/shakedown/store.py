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


#: The columns that identify a cell.
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


def series_of(values: Any, ends: Any) -> Any:
    """Four rows: the ends of the intervals, and the least, mean and largest values (docs/reference/store.md)."""
    count = values.shape[1]
    if len(ends) != count:  # equal intervals: only the first end and the last are stored
        ends = np.append(ends[0] * np.arange(1, count), ends[1])
    return np.vstack([ends, np.broadcast_to(values, (3, count))])


class Store:
    """A file of results, with tables of pandas.

    A *cell* is one run: a method on a problem at a step or tolerance. Tables are read when they are first used, and
    are then kept. docs/reference/store.md describes the columns. Printed, a store counts the verdicts of each method
    and lists those that are not held.

    Parameters
    ----------
    path : str or path
        The file.

    Attributes
    ----------
    path : str
        The file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        By its tables, if the file is not a store.

    Examples
    --------
    >>> store = shakedown.run({"study": "mine", "runs": [{
    ...     "problems": ["sprung-pendulum"], "integrators": ["rattle"],
    ...     "steps": {"largest": 0.1, "halvings": 4}, "until": 1, "measures": ["order"]}]}, progress=False)
    >>> found = store.findings.set_index("quantity")
    >>> print("%.2f" % found.value["order of q"], found.verdict["order of q"])
    2.00 held
    >>> store.blob("q", integrator="rattle", step=0.1).shape[1]
    2
    """

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
        """0 if all claims are held; 1 if one is falsified; 3 if one is not decided, or cells failed.

        Only claims count that a measure of the study decides.
        """
        return self._ask().returncode

    @property
    def held(self) -> bool:
        """True if all claims are held and every cell finished: `status` is 0."""
        return self.status == 0

    @functools.cached_property
    def findings(self) -> pd.DataFrame:
        """A row for each value found: its half-width `uncertainty`, what was `expected`, and the `verdict`."""
        return self._show()

    @functools.cached_property
    def cells(self) -> pd.DataFrame:
        """A row for each cell: `status`, the time `reached`, `seconds`, and the `reason` of a failure."""
        return self._show("--cells")

    @functools.cached_property
    def numbers(self) -> pd.DataFrame:
        """A row for each number of a cell, by its `quantity` (docs/reference/measures.md)."""
        return self._show("--records")

    @functools.cached_property
    def errors(self) -> pd.DataFrame:
        """A row for each error of a `block` (q, p, lambda …) of a cell at a sample time, with that of the reference."""
        return self._show("--errors")

    @functools.cached_property
    def series(self) -> pd.DataFrame:
        """A row for each interval of what was recorded along a run: the least, mean and largest value."""
        return self._show("--series")

    @functools.cached_property
    def work(self) -> pd.DataFrame:
        """A row for each cell: evaluations by kind, iterations and CPU seconds."""
        numbers = self.numbers
        counted = numbers[numbers.quantity.str.startswith("work-")
                          | (numbers.quantity == "cpu-seconds")]
        index = ["study", "problem", "integrator", "precision", "step", "tolerance", "until"]
        wide = counted.groupby(index + ["quantity"], dropna=False, sort=False).value.first()
        wide = wide.unstack("quantity")
        return wide.rename(columns=lambda name: name.replace("work-", "")).reset_index()

    def blob(self, name: str, **cell: Union[str, float]) -> Any:
        """Return the recorded states or a series of one cell.

        Parameters
        ----------
        name : str
            A block, such as "q", or a series, such as "energy-error".
        **cell
            What tells the cell from others: `problem`, `integrator`, `precision`, `step`, `tolerance` or `until`. If
            several cells match, the newest is taken. Cells in quadruple precision are left out.

        Returns
        -------
        ndarray
            Of a block, a row for each sample. Of a series, four rows: the ends of the intervals, and the least, mean
            and largest values in them.

        Raises
        ------
        KeyError
            If no cell matches. The error lists the names that the store has.
        TypeError
            If `cell` has other names or types.
        """
        if not CELL.issuperset(cell):
            raise TypeError("a cell has %s" % ", ".join(sorted(CELL)))
        where = "".join(" AND %s = ?" % ("CAST(%s AS REAL)" % key if key in NUMBERS else key)
                        for key in cell)
        values = [number(key, value) if key in NUMBERS else str(value) for key, value in cell.items()]
        with contextlib.closing(sqlite3.connect(self.path)) as base:
            row = base.execute("SELECT rows, columns, data, bits, blobs.id, blobs.cell, kind FROM blobs "
                               "JOIN cells ON cells.id = blobs.cell WHERE name = ? AND bits IN (32, 64)" + where +
                               " ORDER BY cells.id DESC, blobs.id", (str(name), *values)).fetchone()
            ends = row and base.execute("SELECT data FROM blobs WHERE kind = 'ends' AND cell = ? AND id < ? "
                                        "ORDER BY id DESC", (row[5], row[4])).fetchone()
            names = [one for one, in base.execute("SELECT DISTINCT name FROM blobs WHERE kind <> 'ends' ORDER BY name")]
        if row is None:
            raise NoSuchName("%s has no %s of a cell with %s; it has %s" % (
                self.path, name, ", ".join("%s=%s" % one for one in cell.items()) or "any values", ", ".join(names)))
        matrix = np.frombuffer(row[2], "<f%d" % (row[3] // 8)).reshape(row[:2])
        return series_of(matrix, np.frombuffer(ends[0], "<f8")) if row[6] == "series" else matrix

    def verdicts(self) -> pd.DataFrame:
        """Count the verdicts of each kind that each method has.

        Returns
        -------
        pandas.DataFrame
            A row for each method, a column for each verdict.
        """
        judged = self.findings.dropna(subset=["verdict"])
        return pd.crosstab(judged.integrator, judged.verdict)

    def plot(self, quantity: str = "q", axes: Optional[Any] = None) -> Any:
        """Draw errors against steps, a line for each problem, method and precision.

        Parameters
        ----------
        quantity : str, optional
            A block, "q", "p" or "lambda", whose largest error is drawn; or a number of the cells, "energy-error-max".
        axes : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        KeyError
            If the store has no such quantity. The error lists those that it has.
        """
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
    """Open the store in a file that `run` has written.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Store

    Raises
    ------
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> shakedown.read("none.db")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] there is no store: 'none.db'
    """
    return Store(path)
