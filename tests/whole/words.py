"""Prints what words.sh looks for: words that have a plainer one, comments that begin with a clause instead of a
noun or a verb, and links to headings that do not exist.

usage: words.py TREE"""
import glob
import os
import re
import sys

ROOMS = ["include", "foundation", "mechanics", "integrators", "problems", "measures", "engine", "results",
         "harness", "plots", "cli", "client"]
PLAINER = re.compile(
    r"\b(nobody|whoever|strangers?|so many (times|cells|steps)|goes on plainly|look(s|ed)? on|examinees?|disguised?|"
    r"honest failures|good states|same map again|conduct|spoken|landed|reversal-check|step-reduction|(?-i:permutable)|steps back)\b", re.I)
# Old names are read, and said to be old.
OLD = re.compile(r'\bold\b|\{"[a-z -]+", "[a-z -]+"\}', re.I)
CLAUSE = re.compile(r"(What|Whether|Of|Where|Which|Whoever|Who|Behind|How)\b")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.S)


def files(tree):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(tree, room)):
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith((".c", ".h", ".def", ".hpp", ".gp")))
    yield from pages(tree)


def pages(tree):
    named = [os.path.join(tree, name) for name in ("README.md", "CONTRIBUTING.md", "docs/README.md")]
    found = named + sorted(glob.glob(os.path.join(tree, "docs/*/*.md")))
    return [page for page in found if os.path.exists(page) and not page.endswith("findings/mutation.md")]


def anchors(page):
    """Headings as their links are written."""
    text = re.sub(r"```.*?```", "", open(page).read(), flags=re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main(tree):
    for path in files(tree):
        text = open(path).read()
        for number, line in enumerate(text.split("\n"), 1):
            word = PLAINER.search(line)
            if word and not OLD.search(line):
                print("%s:%d: %s" % (os.path.relpath(path, tree), number, word.group()))
        for token in TOKEN.finditer(text) if not path.endswith((".md", ".gp")) else ():
            words = re.sub(r"^[/* ]+", "", token.group())
            if token.group()[0] == "/" and CLAUSE.match(words):
                print("%s:%d: a comment begins with %s" % (
                    os.path.relpath(path, tree), text.count("\n", 0, token.start()) + 1, words.split()[0]))
    for page in pages(tree):
        text = re.sub(r"```.*?```", "", open(page).read(), flags=re.S)
        for place, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", text):
            target = os.path.join(os.path.dirname(page), place) if place else page
            if os.path.exists(target) and target.endswith(".md") and anchor not in anchors(target):
                print("%s: no heading %s#%s" % (os.path.relpath(page, tree), place, anchor))


main(sys.argv[1])
