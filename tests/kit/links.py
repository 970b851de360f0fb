"""Prints the links in pages of TREE that lead to headings that do not exist.

usage: links.py TREE"""
import glob
import os
import re
import sys


def read(page):
    with open(page, encoding="utf-8") as file:
        return re.sub(r"```.*?```", "", file.read(), flags=re.S)


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", read(page), re.M)}


tree = sys.argv[1]
for page in sorted(glob.glob(os.path.join(tree, "*.md")) + glob.glob(os.path.join(tree, "docs/**/*.md"), recursive=True)):
    for place, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", read(page)):
        target = os.path.join(os.path.dirname(page), place) if place else page
        if os.path.exists(target) and target.endswith(".md") and anchor not in anchors(target):
            print("%s: no heading %s#%s" % (os.path.relpath(page, tree), place, anchor))
