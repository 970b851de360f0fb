#!/usr/bin/env python3
"""Prints what a formatter has broken in comments.

usage: broken_comments.py FILE...

An indented line, an equation or an entry of a list, that is filled to the margin and goes on in a
line that is not indented was one line before, and what follows it was lines of its own.
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
