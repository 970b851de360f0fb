#!/usr/bin/env python3
"""Prints a page that lists every function in the plug-in headers with the first sentence of its comment.

The build writes it to build/docs/helpers.md: `ninja -C build docs`.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "shakedown"
PIECE = re.compile(r"^/\*(.*?)\*/|/\*.*?\*/|^(#define SHK_[A-Z_]+)\(|^(?!#|typedef|\s)[^;{}()]*?\b(shk_[a-z0-9_]+)\(([^;{]*?\))",
                   re.S | re.M)
INTRODUCTION = """# Functions and macros for plug-ins

Find the function that a plug-in in C needs. For example, `shk_bind_manifold(&m, binding)` when a method is bound, then
`shk_manifold_project(m, to->q, to->p, from->t + h)` at the end of a step, put its states onto the constraints.

The purpose is the first sentence of the comment in `<shakedown/…>`. An empty cell has the same purpose as the row above
it.
"""


def words(comment):
    """Returns a comment as a single line."""
    return " ".join(re.sub(r"^\s*\*", " ", comment, flags=re.M).split())


def sentence(text):
    """Returns the first sentence, escaped for a table cell."""
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
    header = "plugin.h" if path.parent.name == "parts" else path.name
    lines = ["## " + title, "", f"`<shakedown/{header}>`", "", "| name | purpose |",
             "| --- | --- |"]
    return "\n".join(lines + [f"| `{name}` | {what} |" for name, what in rows]) + "\n"


sys.stdout.reconfigure(encoding="utf-8")
print("\n".join([INTRODUCTION] + [text for text in map(section, sorted(HEADERS.rglob("*.h"))) if text]), end="")
