"""Results as pandas tables (docs/reference/store.md describes the columns)."""

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
    """Return a table of what the program prints as CSV: see `typed`."""
    return typed(pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False))


def typed(frame: pd.DataFrame, judged: bool = True) -> pd.DataFrame:
    """Convert a table of texts. Columns that contain only numbers become floats. If `judged`, verdicts become
    ordered categories (`frame.verdict.cat.codes` numbers them from 0, and -1 means none), and values that are words
    move to the column `word`."""
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
    """Return a table for notebooks, with coloured verdicts."""
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
    """Return four rows: the ends of the intervals, and the smallest, mean and largest values
    (docs/reference/store.md)."""
    count = values.shape[1]
    if len(ends) != count:  # equal intervals: only the first and the last end are stored
        ends = np.append(ends[0] * np.arange(1, count), ends[1])
    return np.vstack([ends, np.broadcast_to(values, (3, count))])


class Store:
    """A file of results, as pandas tables.

    A *cell* is one run: a method on a problem with a step size or tolerance. Tables are read when they are first
    used, and are then kept in memory. docs/reference/store.md describes the columns. When printed, a store counts
    the verdicts of each method and lists the claims that are not held.

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
        When a table is first used, if the file is not a store.

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
        """0 if all claims are held, 1 if one is falsified, 3 if one is not decided or cells failed.

        Only claims that a measure of the study decides count.
        """
        return self._ask().returncode

    @property
    def held(self) -> bool:
        """True if all claims are held and every cell finished, that is, `status` is 0."""
        return self.status == 0

    @functools.cached_property
    def findings(self) -> pd.DataFrame:
        """A row for each value found, with its half-width `uncertainty`, the `expected` value and the `verdict`."""
        return self._show()

    @functools.cached_property
    def cells(self) -> pd.DataFrame:
        """A row for each cell, with `status`, the time `reached`, `seconds`, and the `reason` for a failure."""
        return self._show("--cells")

    @functools.cached_property
    def numbers(self) -> pd.DataFrame:
        """A row for each number of a cell, identified by its `quantity` (docs/reference/measures.md)."""
        return self._show("--records")

    @functools.cached_property
    def errors(self) -> pd.DataFrame:
        """A row for each error of a `block` (q, p, lambda …) of a cell at a sample time, with the reference's error."""
        return self._show("--errors")

    @functools.cached_property
    def series(self) -> pd.DataFrame:
        """A row for each interval of the series recorded along a run, with the smallest, mean and largest values."""
        return self._show("--series")

    @functools.cached_property
    def work(self) -> pd.DataFrame:
        """A row for each cell, with evaluations by kind, iterations and CPU seconds."""
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
            Values that identify the cell: `problem`, `integrator`, `precision`, `step`, `tolerance` or `until`. If
            several cells match, the newest is used. Cells in quadruple precision are ignored.

        Returns
        -------
        ndarray
            For a block, a row for each sample. For a series, four rows: the ends of the intervals, and the smallest,
            mean and largest values in them.

        Raises
        ------
        KeyError
            If no cell matches. The error lists the names in the store.
        TypeError
            If `cell` contains other names or types.
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
            raise NoSuchName("%s contains no %s of a cell with %s; it contains %s" % (
                self.path, name, ", ".join("%s=%s" % one for one in cell.items()) or "any values", ", ".join(names)))
        matrix = np.frombuffer(row[2], "<f%d" % (row[3] // 8)).reshape(row[:2])
        return series_of(matrix, np.frombuffer(ends[0], "<f8")) if row[6] == "series" else matrix

    def verdicts(self) -> pd.DataFrame:
        """Count the verdicts of each kind for each method.

        Returns
        -------
        pandas.DataFrame
            A row for each method and a column for each verdict.
        """
        judged = self.findings.dropna(subset=["verdict"])
        return pd.crosstab(judged.integrator, judged.verdict)

    def plot(self, quantity: str = "q", axes: Optional[Any] = None) -> Any:
        """Plot errors against step sizes, with a line for each problem, method and precision.

        Parameters
        ----------
        quantity : str, optional
            A block, "q", "p" or "lambda", whose largest error is plotted, or a number of the cells, such as
            "energy-error-max".
        axes : matplotlib.axes.Axes, optional
            Where to plot. By default, a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        KeyError
            If the store does not contain the quantity. The error lists those that it contains.
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
            raise NoSuchName("%s contains no positive values of %r to plot against steps; it contains %s"
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
        """Count the verdicts of each kind for each method, and list those that are not held."""
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
