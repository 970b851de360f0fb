#!/usr/bin/env python3
"""Prints places where a formatter has broken comments.

usage: broken_comments.py FILE...

An indented line, such as an equation or an entry of a list, that is filled to the margin and
continues in a line without indentation was one line before the formatter broke it.
"""
import re
import sys

MARGIN = 100

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as text:
        before = ""
        for number, line in enumerate(text.read().split("\n"), 1):
            goes_on = re.match(r" *\* ([^\s*/]\S*)", line)
            if goes_on and re.match(r" *(?:/\*|\*)   +\S", before):
                if len(before) + 1 + len(goes_on.group(1)) > MARGIN:
                    print(f"{path}:{number}: {line.strip()}")
            before = line
