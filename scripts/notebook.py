#!/usr/bin/env python3
"""Converts docs/guides/in-python.md to a notebook that contains its text and examples in order."""
import argparse
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/guides/in-python.md"


def cells(page):
    """Yields alternating text and code cells. A code block that begins with a file name writes that file."""
    number = 0
    for piece in re.split(r"^(```python\n.*?^```\n)", page, flags=re.S | re.M):
        code = re.match(r"```python\n(# ([a-z_]+\.py)\n)?(.*)```\n$", piece, flags=re.S)
        if not code and not piece.strip():
            continue
        number += 1
        common = {"id": "cell-%d" % number, "metadata": {}}
        if not code:
            # Links on the page are relative to its folder.
            text = re.sub(r"\]\((?!http)(\.\./)?([^)#]*)",
                          lambda m: "](../../docs/" + ("" if m[1] else "guides/") + m[2], piece.strip())
            yield dict(common, cell_type="markdown", source=text.splitlines(True))
        else:
            text = ("%%writefile " + code[2] + "\n" if code[1] else "") + code[3].rstrip()
            yield dict(common, cell_type="code", execution_count=None, outputs=[],
                       source=text.splitlines(True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", metavar="FILE.ipynb", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if the notebook would change")
    arguments = parser.parse_args()
    target = arguments.target
    notebook = {
        "cells": list(cells(PAGE.read_text(encoding="utf-8"))),
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python",
                                    "name": "python3"}},
        "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    if arguments.check:
        sys.exit(not target.exists() or target.read_text(encoding="utf-8") != text)
    target.write_text(text, encoding="utf-8")


main()
