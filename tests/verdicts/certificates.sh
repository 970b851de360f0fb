#!/bin/sh
# shakedown certify: certificates of methods that come with the program, forms of output, exit
# statuses, figures, and the table in the documents. Other methods: right_methods.sh and
# wrong_methods.sh.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

# certify STATUS ARGUMENT...: into `out`, drawing the same problems each time. Those
# that are asked for again keep what they measure in a store.
certify() {
  want=$1
  shift
  ends "$want" "certify $*: exit status $want" certify -q --seed 1 "$@"
}

# verdicts CLAIM VERDICT: how many rows of `out` (CSV) have them
verdicts() {
  awk -v claim="$1" -v verdict="$2" '
    { line = $0; gsub(/"[^"]*"/, "quoted", line); n = split(line, field, ",") }
    field[2] == claim && field[n] == verdict { count++ }
    END { print count + 0 }' out
}

# at_least LEAST CLAIM VERDICT
at_least() {
  count=$(verdicts "$2" "$3")
  holds "$2: $3 on $count problems, at least $1" [ "$count" -ge "$1" ]
}

# ---- what is right ----
certify 0 rattle --format csv --claim symplectic --claim presymplectic --claim symmetric --claim reversible \
  --claim 'order of q' --claim 'order of lambda-mean' --claim 'keeps constraint' \
  --claim 'keeps hidden constraint' --claim 'keeps momenta' --claim 'energy bounded'
is_text "$(head -n 1 out)" integrator,claim,stated,problem,precision,value,expected,verdict \
  "the header of the CSV"
at_least 4 symplectic held
at_least 4 presymplectic held
grep -q '^rattle,symplectic,yes,zero-angular-momentum,quad,.*,held' out
ok_if $? "with constraints on momenta, of more than one degree of freedom, too"
at_least 5 symmetric held
at_least 4 reversible held
at_least 5 'order of q' held
at_least 5 'order of lambda-mean' held
at_least 5 'keeps constraint' held
at_least 5 'keeps hidden constraint' held
at_least 1 'keeps momenta' held
at_least 4 'energy bounded' held
# one degree of freedom decides no symplecticity
holds "problems of one degree of freedom say that they cannot decide" [ "$(verdicts symplectic undecided)" -ge 2 ]
awk -F, '$2 == "symplectic" && $NF == "held" { sub(/.*,quad,/, ""); if ($1 + 0 > 1e-20) bad = 1 }
  END { exit bad }' out
ok_if $? "defects of the form below 1e-20"

certify 0 shake --format csv --claim presymplectic --claim symplectic --claim symmetric \
  --claim 'fibre identity' --claim 'keeps hidden constraint' --claim 'energy bounded'
at_least 4 presymplectic held
at_least 5 symplectic held
at_least 5 symmetric held
at_least 5 'fibre identity' held
at_least 5 'keeps hidden constraint' held
at_least 4 'energy bounded' held

# ---- what a claim rests on ----
# One claim alone: nothing is run that does not decide it, and nothing else is said.
certify 0 shake --brief --claim symmetric --claim contract --format csv
is_text "$(cut -d, -f2 out | sort -u | tr '\n' ' ')" 'claim contract symmetric ' \
  "--claim examines those named"
at_least 5 symmetric held
at_least 4 contract held
is_text "$("$SHAKEDOWN" certify shake --claim 'backward steps' --claim contract --study |
  sed -n 's/^ *measures: //p' | sort -u | tr '\n' ' ')" '[contract] [symmetry] ' \
  "and runs what they rest on"
certify 0 shake --brief --claim 'stateless' --format csv
at_least 4 stateless held
certify 2 shake --brief --claim nonsense
holds "an unknown claim is named" grep -q '^shakedown: --claim: found "nonsense", expected a claim' err
"$SHAKEDOWN" certify rattle --thorough --study >thorough.yaml
[ "$(grep -c 'problems:' thorough.yaml)" -gt "$(grep -c 'problems:' certificates.yaml 2>/dev/null || echo 30)" ]
ok_if $? "a thorough certificate asks of more problems"

# ---- output ----
kept() {
  certify 0 symplectic-euler-rattle --brief --claim symplectic --claim presymplectic --claim symmetric \
    -o kept.db "$@"
}
kept --format tap
holds "TAP has points" grep -q '^ok 1 - symplectic-euler-rattle: ' out
tail -n 1 out | grep -qx "1\.\.$(grep -c '^ok \|^not ok ' out)"
ok_if $? "and a plan that counts them"
holds "and skips what is undecided, with the reason" grep -q '# SKIP undecided: one degree of freedom' out
cp out first
kept --format tap
holds "again from the store: the same" cmp -s out first
kept --format json
holds "JSON has the claims" grep -q '"claim": *"symmetric"' out
kept
holds "the table ends with a count" grep -q ' held, 0 falsified, ' out
tr '\n' ' ' <out | grep -q ': symplectic, presymplectic on .*: one degree of freedom'
ok_if $? "a reason that several claims have in common is told once"
COLUMNS=60
export COLUMNS
kept
unset COLUMNS
is_text "$(awk 'length($0) > 60 && !/^[a-z -]*:* *[a-z]*  /' out)" '' "and no line of text is longer than the screen"
certify 2 symplectic-euler-rattle --format latex
certify 2 ratle
holds "an unknown name is answered with the nearest" grep -q 'did you mean rattle' err
certify 2 exact
certify 2 ida --claim symmetric
grep -q 'no measure that applies to these methods decides these claims' err
ok_if $? "an adaptive solver has no map of one step, and claims nothing of it"
"$SHAKEDOWN" certify rattle --study >certificates.yaml
"$SHAKEDOWN" run certificates.yaml --dry-run --format csv >cells
ok_if $? "the study of a certificate can be run like any other"
holds "and has its cells" grep -q ',rattle,quad,' cells

# ---- another certificate ----
make_study short "problems: ['pendulum(angle=0.7,rate=1.1)', neumann], integrators: [\$method], until: 1,
  steps: [0.1, 0.05], measures: [constraint], precision: [finest]"
certify 3 rattle --with short.yaml --format csv --claim 'keeps constraint' --claim 'keeps momenta'
is_text "$(sed 's/"[^"]*"/pendulum/' out | tail -n +2 | cut -d, -f2,4,8)" \
  'keeps constraint,pendulum,held
keeps constraint,neumann,held
keeps momenta,,not demonstrated' "--with asks what another file asks, and no more"
certify 2 rattle --with none.yaml
grep -q "there is no study 'none.yaml'" err && [ "$(grep -c . err)" = 1 ]
ok_if $? "a file that is not there is named, once"

# ---- what is drawn ----
"$SHAKEDOWN" certify rattle --study --seed 7 >seven
"$SHAKEDOWN" certify rattle --study --seed 7 >again
"$SHAKEDOWN" certify rattle --study --seed 8 >eight
holds "a seed draws the same problems again" cmp -s seven again
is_text "$(grep -c "random-[a-z]*(.*seed=\|transformed(" seven eight | sort -u | cut -d: -f2 | sort -u | wc -l)" 1 \
  "another seed as many"
grep -o "random-[a-z]*([^ ]*seed=[^ ]*'" seven | sort -u >drawn_of_seven
grep -o "random-[a-z]*([^ ]*seed=[^ ]*'" eight | sort -u >drawn_of_eight
# But for those that every certificate asks, a brief one, which draws nothing, too.
"$SHAKEDOWN" certify rattle --study --brief | grep -o "random-[a-z]*([^ ]*seed=[^ ]*'" >always
is_text "$(comm -12 drawn_of_seven drawn_of_eight | grep -vxFf always)" "" "none of which is the same"
gives 2 "the methods claim nothing, so there is nothing to certify" certify exact
ends 0 "certify without a seed" certify -q symplectic-euler-rattle --format tap --claim symmetric
grep -q '^# some problems are random; use --seed [1-9][0-9]* to repeat them' out
ok_if $? "without one, it is drawn too, and printed"

# ---- what comes with the program ----
missing=
for name in $("$SHAKEDOWN" list integrators --format csv | tail -n +2 | cut -d, -f1); do
  # The exact solution claims nothing; `external` and `engine` are whatever program they are given.
  [ "$name" = exact ] || [ "$name" = external ] || [ "$name" = engine ] ||
    grep -qF "| \`$name\` |" "$SHAKEDOWN_SOURCE/docs/findings/certificates.md" ||
    missing="$missing $name"
done
is_text "$missing" "" "docs/findings/certificates.md has a row for each of them"
is_text "$(grep -c '\*\*[a-z0-9]* (' "$SHAKEDOWN_SOURCE/docs/findings/certificates.md")" 0 \
  "and none of their claims is falsified"
tap_done
