#!/bin/sh
# Temperatures at h = 0: the least-squares line in h² through the records, weighted by their
# standard errors, with Student's half-width; none from two steps; heavier hydrogens leave the mass
# of the molecule unchanged.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
make_study warm "problems: ['water-box(molecules=8,cutoff=0.3)'], integrators: [rattle], steps: [0.004,
  0.002, 0.001, 0.0005], until: 2, measures: [temperatures]" \
  "problems: ['water-box(molecules=8,cutoff=0.3,hydrogen=3.024)'], integrators: [rattle], steps: [0.002,
  0.001], until: 2, measures: [temperatures]"
ends 0 "temperatures of a small box" run warm.yaml -q -o warm.db
"$SHAKEDOWN" show warm.db --records --format csv >records.csv
"$SHAKEDOWN" show warm.db --format csv >found.csv
cat >fit.py <<'P'
import csv
import math

def rows(name):
    with open(name) as text:
        return list(csv.DictReader(text))

records, found = rows("records.csv"), rows("found.csv")
STUDENT = 4.302652729696142  # of two degrees of freedom, 95 %

def fitted(points):
    """T(0) and its half-width from (h, T, error)."""
    w = [1 / e ** 2 for _, _, e in points]
    x = [h * h for h, _, _ in points]
    y = [t for _, t, _ in points]
    total = sum(w)
    mx, my = (sum(a * b for a, b in zip(w, v)) / total for v in (x, y))
    sxx = sum(a * (b - mx) ** 2 for a, b in zip(w, x))
    slope = sum(a * (b - mx) * c for a, b, c in zip(w, x, y)) / sxx
    limit = my - slope * mx
    chi = sum(a * (c - limit - slope * b) ** 2 for a, b, c in zip(w, x, y))
    return limit, STUDENT * math.sqrt((1 / total + mx * mx / sxx) * max(1, chi / 2))

def series(scalar):
    of = {}
    for r in records:
        if "hydrogen" not in r["problem"] and r["quantity"] in (scalar, scalar + "-error"):
            of.setdefault(float(r["step"]), {})[r["quantity"]] = float(r["value"])
    return {h: (v[scalar], v[scalar + "-error"]) for h, v in of.items()}

wrong, wanted = [], {}
for name in ("translation", "rotation", "atoms-1.008", "rotation-half"):
    points = [(h, *v) for h, v in series("temperature-" + name).items()]
    if len(points) != 4:
        wrong.append(name)
    else:
        wanted[name] = fitted(points)
up, down = series("temperature-rotation"), series("temperature-translation")
wanted["rotation over translation"] = fitted([
    (h, up[h][0] / down[h][0],
     up[h][0] / down[h][0] * math.hypot(up[h][1] / up[h][0], down[h][1] / down[h][0]))
    for h in up])
for name, (limit, half) in wanted.items():
    match = [r for r in found if r["quantity"] == "temperature at h = 0, " + name]
    if len(match) != 1 or abs(float(match[0]["value"]) - limit) > 1e-9 * abs(limit) or \
            abs(float(match[0]["uncertainty"]) / half - 1) > 0.06:
        wrong.append((name, limit, half, match))
print(*wrong)
P
is_text "$(python3 fit.py)" "" "T(0) and half-widths are those of the records"
grep 'hydrogen' found.csv | grep -c 'at h = 0' >count
is_text "$(cat count)" 0 "two steps give no limit"
is_text "$("$SHAKEDOWN" describe 'water(hydrogen=3.024)' | grep -c 'invariant  *momentum')" 3 "repartitioned water is a problem"
"$SHAKEDOWN" simulate 'water(hydrogen=3.024,temperature=0)' rattle --step 0.001 --until 0.002 >out 2>&1
ok_if $? "... that moves"
gives 2 'at most 9' simulate 'water(hydrogen=9.1)' rattle --step 0.001 --until 0.002
tap_done
