#!/bin/sh
# Kinds of figures, from small studies: what is in their data is held against what it must be by
# geometry, by theory, or by the records.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"

if ! gnuplot --version >/dev/null 2>&1; then
  skip "gnuplot is not installed"
  tap_done
fi

# block FILE TEXT: the rows of the block whose head has the text
block() {
  awk -v text="$2" '/^# \[/ { on = index($0, text) > 0; next } /^#/ { next } on && NF' "$1"
}

# holds NAME AWK-PROGRAM FILE...: passes when the program ends with 0
holds() {
  holds_name=$1
  shift
  awk "$@"
  ok_if $? "$holds_name"
}

# draw NAME: runs NAME.yaml and draws its figures into NAME/
draw() {
  "$SHAKEDOWN" run "$1.yaml" -q >"$1.out" 2>&1
  "$SHAKEDOWN" plot "$1.db" -o "$1" --all --type svg >>"$1.out" 2>&1
  ok_if $? "$1: runs and is drawn"
  [ -d "$1" ] || diag "$(cat "$1.out")"
}

# ---- portraits and selection ----
cat >portraits.yaml <<'END'
study: portraits
runs:
  - problems: ["pendulum(angle=2.5)", dimer]
    integrators: [rattle, "rattle(linear=svd)", shake]
    steps: [0.05, 0.025]
    until: 10
    measures: [energy, constraint]
  - problems: [pendulum]
    integrators: [rattle]
    steps: [0.05]
    until: 1000
    times: [250, 600, 800, 900, 950, 1000]
    measures: [energy]
figures:
  - {kind: phase, problems: ["pendulum(angle=2.5)"], integrators: [rattle], step: 0.05}
  - {kind: trajectory, name: second, problems: [dimer], axes: [q4, q6], columns: double}
  - {kind: energy, problems: [dimer], integrators: [shake], step: 0.025}
  - {kind: trajectory, name: coarse, problems: ["pendulum(angle=90deg)"]}
END
draw portraits
is_text "$(cd portraits && ls ./*.svg | tr '\n' ' ')" \
  "./coarse-pendulum-double.svg ./energy-dimer-double.svg ./phase-pendulum-angle-2-5-double.svg ./second-dimer-double.svg " \
  "the figures that are asked for, of what is selected, by the names that are given"
phase=portraits/phase-pendulum-angle-2-5-double
is_text "$(grep -c '^# \[[0-9]*\] pendulum' $phase.dat)" 2 "a bare name selects all options of an integrator"
grep -q 'rattle, step 0.05' $phase.dat && ! grep -q 'step 0.025\|shake' $phase.dat
ok_if $? "of the step that is asked for, and nothing else"
block $phase.dat 'rattle, step' >rows
holds "every point of a portrait is on the pendulum's own curve, p1^2 = 2 (E - y) y^2" \
  'function miss(y,   v) { v = 2 * (-cos(2.5) - y) * y * y - $3 * $3; return v < 0 ? -v : v }
   { n++; y = $2 < 1 && $2 > -1 ? sqrt(1 - $2 * $2) : 0; if (miss(y) > 0.01 && miss(-y) > 0.01) bad++ }
   END { exit !(n == 201 && !bad) }' rows
grep -q 'with lines' $phase.gp
ok_if $? "samples that follow each other closely are joined"
! grep -q 'using 2:3 with lines' portraits/coarse-pendulum-double.gp
ok_if $? "samples far apart are not"
grep -q 'using 2:3 with points' portraits/coarse-pendulum-double.gp
ok_if $? "but are marked"
grep -q 'linestyle 3' portraits/energy-dimer-double.gp && ! grep -q 'linestyle [12]' portraits/energy-dimer-double.gp
ok_if $? "a method that is drawn alone has the style that it has in the study"
grep -q '^# 17.8 cm wide' portraits/second-dimer-double.gp && grep -q '^# 8.6 cm wide' $phase.gp
ok_if $? "double and single column"

# ---- the drift line ----
cat >drift.yaml <<'END'
study: drift
runs:
  - problems: ["pendulum(angle=0.7,rate=1.1)"]
    integrators: [shake, "shake(tolerance=1e-3)", "shake(tolerance=1e-4)", "shake(tolerance=1e-5)", "shake(tolerance=1e-9)"]
    steps: [0.04]
    until: 1000
    measures: [energy]
figures:
  - {kind: energy, integrators: ["shake(tolerance=1e-4)"]}
  - tolerance
END
draw drift
energy=drift/energy-pendulum-double.dat
block $energy 'energy-error' >rows
block $energy 'drift, ' >line
holds "the drift line passes through the mean of the run; its band pinches there and opens to both ends" \
  'FNR == NR { sum += $3; n++; next }
   { t[++m] = $1; line[m] = $2; low[m] = $3; high[m] = $4 }
   END { c = (m + 1) / 2; mean = sum / n; slope = (line[m] - line[1]) / (t[m] - t[1])
     d = line[c] - mean
     exit !(m > 2 && d * d < 1e-4 * mean * mean && high[c] - low[c] < 1e-3 * (high[1] - low[1]) &&
            high[1] > line[1] && line[1] > low[1] && high[m] > low[m] && slope > 1e-6 && slope < 1e-5) }' \
  rows line
tolerance=drift/tolerance-pendulum-double.dat
block $tolerance 'tolerance (0: round-off)' >rows
holds "a slope that is not told from zero is an upper limit, one that is has its size and bar" \
  '{ s = $2 < 0 ? -$2 : $2; told = s > $3; n++
     if (told != ($4 != "NaN") || told == ($7 != "NaN")) bad++
     if (told && !($5 < $4 && $4 < $6)) bad++ } END { exit !(n == 4 && !bad) }' rows
holds "loose solves drift, tight ones do not" \
  '$1 == "1e-09" && $7 < 3e-8 { tight = 1 } $1 == "0.0001" && $4 > 1e-6 { loose = 1 }
   END { exit !(tight && loose) }' rows
grep -q '^# solved to round-off: slope' $tolerance
ok_if $? "what is solved to round-off is a level of its own"

# ---- the paper's figures ----
cat >geometric.yaml <<'END'
study: geometric
runs:
  - problems: ["pendulum(angle=-0.5,rate=1.1)"]
    integrators: [shake, rattle]
    steps: [0.5]
    until: 2
    measures: [constraint]
  - problems: [harmonic-sphere, harmonic-sphere(start=zb), harmonic-sphere(start=zc)]
    integrators: [shake(flow=midpoint), rattle(flow=midpoint)]
    steps: [0.1]
    until: 5
    measures: [energy]
figures:
  - step
  - hopf
  - {kind: fibres, problems: [harmonic-sphere(start=za)], integrators: [shake]}
  - {kind: fibres, name: flat, problems: [harmonic-sphere(start=zb)], integrators: [rattle]}
END
draw geometric
step=geometric/step-pendulum-double.dat
{
  block $step 'positions'
  block $step 'the kick, along'
  block $step 'projection'
  block $step "RATTLE's velocity"
} >rows
holds "kick and projection are along the rod, RATTLE's velocity is across it" \
  'function size(x) { return x < 0 ? -x : x }
   NR == 1 { x0 = $1; y0 = $2 } NR == 2 { x1 = $1; y1 = $2 }
   NR == 3 { a = size($3 * y0 - $4 * x0); n = size($3) + size($4) }
   NR == 4 { b = size($3 * y1 - $4 * x1) }
   NR == 5 { c = size($3 * x1 + $4 * y1); ok = a < 1e-8 && b < 1e-8 && c < 1e-8 && n > 0.1 }
   END { exit !(NR == 5 && ok) }' rows
block $step 'free flight' >rows
holds "the flight is a parabola under unit gravity, from circle to circle" \
  '{ x[NR] = $1; y[NR] = $2 } END { ds = 0.5 / (NR - 1)
     for (i = 2; i < NR; i++) { a = (x[i-1] - 2 * x[i] + x[i+1]) / ds^2; g = (y[i-1] - 2 * y[i] + y[i+1]) / ds^2
       if (a * a > 1e-6 || (g + 1)^2 > 1e-6) exit 1 }
     exit !(NR > 10 && (x[1]^2 + y[1]^2 - 1)^2 < 1e-12 && (x[NR]^2 + y[NR]^2 - 1)^2 < 1e-12) }' rows
block geometric/hopf-double.dat 'harmonic-sphere, shake' >za-shake
block geometric/hopf-double.dat 'harmonic-sphere, rattle' >za
block geometric/hopf-double.dat 'start=zb), rattle' >zb
block geometric/hopf-double.dat 'start=zc), rattle' >zc
holds "SHAKE and RATTLE have the same fibres" \
  'FNR == NR { x[FNR] = $2; y[FNR] = $3; next } { n++; if (($2 - x[FNR])^2 + ($3 - y[FNR])^2 > 1e-16) bad++ }
   END { exit !(n == 51 && !bad) }' za-shake za
holds "the path from z_a is innermost, then z_b, then z_c" \
  'FNR == 1 { f++ } { r = $2^2 + $3^2; if (r > most[f]) most[f] = r }
   END { exit !(f == 3 && most[1] < most[2] && most[2] < most[3]) }' za zb zc
block geometric/flat-harmonic-sphere-start-zb-double.dat "pieces of |H'| = 0, |theta| below 0.06" >rows
holds "at the samples of RATTLE the derivative along the fibre vanishes where it is" \
  '{ k = $1 * 10; d = k - int(k + 0.5); if (d * d < 1e-12 && $2 * $2 < 1e-12) { seen[int(k + 0.5)] = 1 } }
   END { for (i in seen) n++; exit !(n == 51) }' rows
block geometric/fibres-harmonic-sphere-double.dat "pieces of |H'| = 0, |theta| below 0.06" >rows
holds "SHAKE begins on the hidden constraint and stays off it by a hundredth of a turn and more" \
  '{ k = $1 * 10; d = k - int(k + 0.5); if (d * d < 1e-12) { if (k < 0.5) { if ($2 * $2 < 1e-12) start = 1 }
     else if ($2 < 0.005) bad++ } } END { exit !(start && !bad) }' rows

# ---- sizes and claims ----
cat >sizes.yaml <<'END'
study: sizes
runs:
  - problems: [chain]
    integrators: [shake, "shake(iterations=1)"]
    sweep: {links: [4, 8, 16]}
    steps: [0.01, 0.005]
    until: 0.5
    measures: [work, constraint, symmetry]
END
draw sizes
block sizes/scaling-chain-double.dat ', shake: constraints' >rows
holds "a mark for each size, with its number of constraints" \
  '$2 > 0 && $2 < 1e6 { n++; sum += $1 } END { exit !(NR == 3 && n == 3 && sum == 28) }' rows
block sizes/scaling-chain-double.dat 'shake(iterations=1)' >rows
[ ! -s rows ]
ok_if $? "no curve of a method all of whose runs failed"
certificates=sizes/certificates.dat
is_text "$(block $certificates 'integrators: x' | cut -f 3 | tr '\n' ' ')" 'shake shake(iterations=1) ' \
  "a row of the matrix for each integrator"
block $certificates 'held: x' >rows
[ -s rows ] && [ -z "$(block $certificates 'falsified: x')" ]
ok_if $? "claims that held are discs, none was falsified"

# ---- drift of more methods than a linear axis takes ----
cat >drifts.yaml <<'END'
study: drifts
runs:
  - problems: [sprung-pendulum]
    integrators: [rattle, projection, baumgarte, shake-position-only]
    steps: [0.05]
    until: 200
    measures: [energy]
figures: [energy]
END
draw drifts
drifts=drifts/energy-sprung-pendulum-double.dat
block $drifts 'drift, projection' >rows
holds "what drift adds is |slope| t with its band, from one thousandth of the run on" \
  '{ slope = $2 / $1; if (NR == 1) first = slope; d = slope / first - 1; if (d * d > 1e-12) bad++
     if (!($3 > 0 && $3 < $2 && $2 < $4)) bad++; last = $1 }
   END { exit !(NR == 40 && !bad && first > 1.2e-7 && first < 1.3e-7 && last > 195) }' rows
is_text "$(grep -c '^# .* drift, ' $drifts)" 3 "each method has one whose slope is told from zero"
block $drifts 'drift, rattle' >rows
[ ! -s rows ] && grep -q 'no drift told from 0: |slope| < 3\.[0-9] × 10⁻⁷' $drifts
ok_if $? "one that has none has its bound in the key"
grep -qF 'slope (−1.23' $drifts
ok_if $? "and the others their slopes"
tap_done
