#!/bin/sh
# The cost of a large study: wall time and processor time, in seconds, and peak memory of a process,
# for each command on it; and the overhead of a cell. One line NAME=VALUE per value.
#
# usage: large.sh BUILD_FOLDER [CELLS [JOBS]]      (100000 cells, 2 workers)
#
# Needs python3, and about 12 kB per cell in TMPDIR (or /tmp). Takes ten minutes for 100000 cells;
# the numbers are meaningful only if nothing else runs.
set -eu
build=$(cd "${1:?usage: large.sh BUILD_FOLDER [CELLS [JOBS]]}" && pwd)
cells=${2:-100000}
jobs=${3:-2}
here=$(mktemp -d "${TMPDIR:-/tmp}/shakedown-large-XXXXXX")
trap 'rm -rf "$here"' EXIT
cd "$here"

# NAME COMMAND…: prints NAME-seconds, NAME-processor-seconds, NAME-megabytes and NAME-exit.
cat >measure.py <<'P'
import resource, subprocess, sys, time
began = time.time()
with open("out", "w") as out, open("err", "w") as err:
    code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=out, stderr=err).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
name = sys.argv[1]
print(f"{name}-seconds={time.time() - began:.2f}")
print(f"{name}-processor-seconds={used.ru_utime + used.ru_stime:.2f}")
print(f"{name}-megabytes={used.ru_maxrss / 1024:.0f}")
print(f"{name}-exit={code}", flush=True)
P
measure() { python3 measure.py "$@"; }

# Each problem has eight cells and a reference.
awk -v n=$((cells / 9)) 'BEGIN {
  print "study: large\nruns:\n  - problems:"
  for (i = 0; i < n; i++) printf "      - pendulum(angle=%.5f)\n", 0.1 + 1e-5 * i
  print "    integrators: [rattle, shake]\n    steps: {largest: 0.1, halvings: 3}"
  print "    until: 0.8\n    measures: [order, error, energy, constraint]"
}' >large.yaml

shakedown=$build/shakedown
echo "cells=$((cells / 9 * 9))"
measure plan "$shakedown" run large.yaml --dry-run --format csv
measure run "$shakedown" run large.yaml -o large.db -j "$jobs" --quiet | tee measured
echo "store-megabytes=$(($(wc -c <large.db) / 1048576))"
# Planning, running and storing a cell beyond its own integration, ms of processor time.
spent=$(sed -n 's/^run-processor-seconds=//p' measured)
python3 -c "import sqlite3; d = sqlite3.connect('large.db'); cells, own = d.execute( \
\"SELECT COUNT(*), SUM(value) FROM scalars WHERE name = 'cpu-seconds'\").fetchone(); \
print('overhead=%.3f' % (1e3 * ($spent - own) / cells))"
measure resume "$shakedown" run large.yaml -o large.db -j "$jobs"
measure resume-quiet "$shakedown" run large.yaml -o large.db -j "$jobs" --quiet
measure show "$shakedown" show large.db
python3 -c "import sqlite3; d = sqlite3.connect('large.db'); d.execute('PRAGMA foreign_keys=ON'); \
d.execute('UPDATE studies SET basis = NULL'); d.commit()"
measure analyse "$shakedown" run large.yaml -o large.db -j "$jobs" --quiet
measure export-values "$shakedown" show large.db --format csv
measure export-records "$shakedown" show large.db --records --format csv
measure baseline "$shakedown" baseline large.yaml -o large.txt --store large.db
measure check "$shakedown" check large.yaml --baseline large.txt --store large.db
cp large.db other.db
measure compare "$shakedown" compare large.db other.db
rm other.db
measure merge "$shakedown" merge large.db -o merged.db
rm merged.db
measure plot "$shakedown" plot large.db -o figures --type svg
measure report "$shakedown" report large.db -o report
echo "report-bytes=$(wc -c <report/index.html)"
rm -rf large.db figures report
