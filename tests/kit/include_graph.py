#!/usr/bin/env python3
"""The graph of the sources: their #include lines and, in a build, their calls.

usage: include_graph.py ROOT [BUILD [EXCEPTIONS]]

Prints one line for each of these:
  up       a file includes from a room after its own in the list, or uses a symbol defined there
  outside  an integrator or a problem includes more than <shakedown/...> and its own kit; SHAKE and RATTLE have geometric/ too
  circle   folders, or files (a source and its header are one), that include one another
  street   a folder with more sources than can be read as one room
Lines of the file EXCEPTIONS are known; a line there that no longer occurs is printed as `mended`.
"""
import collections
import json
import os
import re
import subprocess
import sys

# A room may include from the rooms before it.
ROOMS = """include foundation mechanics/binding mechanics/outside mechanics/algebra mechanics/system
mechanics/solvers mechanics/diagnosis integrators problems measures engine results/pack results/record
results/store results/export harness/study harness/plan harness/run harness/references harness/analysis
harness/check plots/canvas plots/motion plots/kinds plots/report plots client cli/shared cli/commands cli""".split()
TOP = ["include", "foundation", "mechanics", "integrators", "problems", "measures", "engine",
       "results", "harness", "plots", "client", "cli"]
# Folders with one file for each method, problem, measure, figure kind, command: lists, not rooms.
LISTS = ("integrators", "problems", "measures", "plots/kinds", "cli/commands")
MOST = 26


def folder_of(path):
    """The folder of a file. The interface counts as one: its headers include their parts, and these tables."""
    return "include" if path.startswith("include/") else os.path.dirname(path)


def room(path):
    """The index of the room that a path belongs to."""
    best = max((r for r in ROOMS if path.startswith(r + "/")), key=len, default=None)
    return ROOMS.index(best) if best else None


def sources(root):
    for top in TOP:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if re.search(r"\.(c|h|def)$", name):
                    yield os.path.relpath(os.path.join(folder, name), root)


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as text:
        for line in text:
            found = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<(shakedown/[^>]+)>)', line)
            if found:
                yield found.group(1) or "include/" + found.group(2)


def calls_up(root, build):
    """Uses of symbols that a later room defines: a header may declare what it does not define."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as text:
        paths = {c["output"]: os.path.relpath(os.path.join(c["directory"], c["file"]), root)
                 for c in json.load(text)}
    objects = [o for o, path in paths.items()
               if room(path) is not None and os.path.exists(os.path.join(build, o))]
    listing = subprocess.run(["nm", "-A"] + objects, cwd=build, check=True, capture_output=True,
                             text=True).stdout
    symbols = [(paths[line.split(":")[0]], *line.split()[-2:]) for line in listing.splitlines()]
    defined = {name: path for path, kind, name in symbols if kind in "BDRT"}
    return sorted({"up %s: %s of %s" % (path, name, defined[name]) for path, kind, name in symbols
                   if kind == "U" and name in defined and room(defined[name]) > room(path)})


def method_or_problem(path):
    """True for the file of a method or a problem, not for those that they share or that run programs."""
    return re.match(r"integrators/([a-z_0-9]+\.c)$|problems/(?!kit/|outside/)[a-z-]+/[a-z_0-9]+\.c$", path)


def unit(path):
    return os.path.splitext(path)[0]


def circles(edges):
    """Strongly connected sets of more than one member (Tarjan)."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in sorted(edges[v]):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = set()
            while True:
                w = stack.pop()
                on.discard(w)
                part.add(w)
                if w == v:
                    break
            if len(part) > 1:
                found.append(sorted(part))

    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def main():
    root = sys.argv[1]
    files, folders = sorted(sources(root)), collections.Counter()
    edges, units = collections.defaultdict(set), collections.defaultdict(set)
    lines = []
    for path in files:
        folder = folder_of(path)
        folders[folder] += path.endswith((".c", ".h"))
        edges[folder]
        for target in includes(root, path):
            here, there = room(path), room(target)
            if there is None:
                continue  # made by the build
            if there > here:
                lines.append("up %s: %s" % (path, target))
            if unit(target) != unit(path):
                units[unit(path)].add(unit(target))
                units[unit(target)]
            if folder_of(target) != folder:
                edges[folder].add(folder_of(target))
            if method_or_problem(path):
                top = path.split("/")[0]
                if not target.startswith(("include/", top + "/kit/", "integrators/geometric/")):
                    lines.append("outside %s: %s" % (path, target))
    for graph in (edges, units):
        lines += ["circle " + " ".join(part) for part in circles(graph)]
    lines += ["street %s" % f for f, n in sorted(folders.items())
              if n > MOST and not f.startswith(LISTS)]
    if len(sys.argv) > 2:
        lines += calls_up(root, sys.argv[2])
    known = []
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as text:
            known = [line.strip() for line in text if line.strip() and not line.startswith("#")]
    for line in lines:
        if line not in known:
            print(line)
    for line in known:
        if line not in lines:
            print("mended (take it from the exceptions):", line)


main()
