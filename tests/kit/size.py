#!/usr/bin/env python3
"""Prints the rooms that exceed docs/size.csv, and their lines and functions that are too long.

usage: size.py TREE [KNOWN]

Lines and characters are those of code: no blanks, no comments, no indentation. A room is as large as
its lines, or as its characters at 36 a line, whichever is more: dense lines do not help. KNOWN names
files in which a line or a function is still too long.
"""
import csv
import os
import re
import sys

CHARACTERS, COLUMNS, FUNCTION = 36, 100, 60
KINDS = (".c", ".h", ".def", ".hpp", ".in", ".gp", ".js", ".inc")
# Strings are matched too, so that a comment mark in a string is ignored.
TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)
BODY = re.compile(r"^\{\n(.*?)^\}", re.S | re.M)


def code(text):
    """The lines that are neither blank nor comment, without indentation."""
    bare = TOKEN.sub(lambda m: "\n" * m[0].count("\n") if m[0][0] == "/" else m[0], text)
    return [line.strip() for line in bare.split("\n") if line.strip()]


def too_long(text):
    """Line number and length of lines and functions that are too long."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS:
            yield f"{number}: {len(line)} columns, at most {COLUMNS}"
    for body in BODY.finditer(text):
        if body[1].count("\n") > FUNCTION:
            number, lines = text.count("\n", 0, body.start()) + 1, body[1].count("\n")
            yield f"{number}: a function of {lines} lines, at most {FUNCTION}"


def check(tree, room, ceiling, known):
    lines = characters = 0
    for folder, _, names in sorted(os.walk(os.path.join(tree, room))):
        for name in sorted(name for name in names if name.endswith(KINDS)):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            lines += len(code(text))
            characters += sum(map(len, code(text)))
            place = os.path.relpath(path, tree)
            if place not in known:
                for what in too_long(text):
                    print(f"{place}:{what}")
    size = max(lines, -(-characters // CHARACTERS))
    if not 0 < size <= ceiling:
        print(f"{room}: {lines} lines, {characters} characters: at most {ceiling} lines, "
              f"{ceiling * CHARACTERS} characters")


known = open(sys.argv[2], encoding="utf-8").read().split("\n") if len(sys.argv) > 2 else []
with open(os.path.join(sys.argv[1], "docs", "size.csv"), encoding="utf-8", newline="") as rows:
    for row in csv.DictReader(rows):
        check(sys.argv[1], row["room"], int(row["ceiling"]), known)
