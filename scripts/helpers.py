#!/usr/bin/env python3
"""Writes docs/reference/helpers.md: every function in the headers for plug-ins, with its comment.

    scripts/helpers.py [--check]

With --check nothing is written; the exit status is 1 if the page would change.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "shakedown"
PAGE = ROOT / "docs" / "reference" / "helpers.md"
PIECE = re.compile(r"^/\*(.*?)\*/|/\*.*?\*/|^(#define SHK_[A-Z_]+)\(|^(?!#|typedef|\s)[^;{}()]*?\b(shk_[a-z0-9_]+)\(([^;{]*?\))",
                   re.S | re.M)
INTRODUCTION = """# Functions and macros for plug-ins

Find the function that a plug-in in C needs. For example, `shk_bind_manifold(&m, binding)` when a method is bound, then
`shk_manifold_project(m, to->q, to->p, from->t + h)` at the end of a step, put its states onto the constraints.

The purpose is the first sentence of the comment in `<shakedown/…>`. An empty cell has the same purpose as the row above
it. Whole plug-ins: [an integrator](../guides/writing-an-integrator.md), [a
problem](../guides/writing-a-problem.md). This page is written by `scripts/helpers.py`.
"""


def words(comment):
    """A comment on one line."""
    return " ".join(re.sub(r"^\s*\*", " ", comment, flags=re.M).split())


def sentence(text):
    """The first sentence, for a cell of a table."""
    found = re.match(r"(.*?[a-zA-Z0-9)\]>|ᵀ'\"])\.(?:\s|$)", text)
    return (found.group(1) if found else text).replace("|", "\\|").rstrip(":")


def section(path):
    text = path.read_text(encoding="utf-8")
    comment, title, rows, seen = "", "", [], set()
    for match in PIECE.finditer(text):
        if match.group(1) is not None:
            comment = words(match.group(1))
            if not title:
                title, comment = sentence(comment), ""
        elif match.group(2) or match.group(3):
            name = match.group(3) or match.group(2).removeprefix("#define ")
            if name not in seen and not name.endswith("_"):
                rows.append((name, sentence(comment)))
                comment = ""
            seen.add(name)
    if not rows:
        return ""
    lines = [f"## `<shakedown/{path.name}>`", "", title + ".", "", "| name | purpose |",
             "| --- | --- |"]
    return "\n".join(lines + [f"| `{name}` | {what} |" for name, what in rows]) + "\n"


def main():
    page = "\n".join([INTRODUCTION] + [text for text in map(section, sorted(HEADERS.glob("*.h"))) if text])
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("helpers.md is out of date: run scripts/helpers.py")
        return 1
    return 0


sys.exit(main())
