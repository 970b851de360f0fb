#!/bin/sh
# When a method is called symplectic: a yes needs two problems with constraints that are not quadratic,
# two or more degrees of freedom and unequal masses, unless the method refuses all of these.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE/tests/bad/extrapolated.c" "$SHAKEDOWN_SOURCE/tests/right/dense.h" .
rods="'chain(links=2,dimension=3,ratio=3,spring=2,start=random)', neumann"

# asks NAME PROBLEMS: a study with symplecticity on these problems for $method
asks() {
  make_study "$1" "problems: [$2], integrators: [\$method], steps: [0.1, 0.05, 0.025, 0.0125], until: 0.1,
    precision: finest, measures: [symplecticity, presymplecticity]"
}
asks rods "$rods"
asks equal "$rods, oval, oval(points=2)"
asks one "$rods, oval(ratio=3), oval(points=2)"
asks two "$rods, oval(ratio=3), 'oval(points=2,ratio=1.5)'"

# ---- a method that is symplectic on quadratic constraints alone, and claims to be ----
ends 0 "build the method" plugin build extrapolated.c
ends 1 "try" try ./extrapolated.so --budget 100
says '^  not symplectic, not presymplectic, symmetric,' "... does not call it symplectic"
says '^falsified extrapolated: symplectic .* on oval(' "... its claim falls"
ends 3 "on quadratic constraints nothing falls" certify extrapolated --with rods.yaml -q \
  --plugin ./extrapolated.so --claim symplectic
says '^extrapolated  *symplectic  *undecided  *2 undecided' "... and nothing is held"
says 'a claim of yes needs 2 problems .*; it held on 0$' "... with the reason"
ends 1 "on others it falls" certify extrapolated --with two.yaml -q --plugin ./extrapolated.so \
  --claim symplectic

# ---- right ones ----
while read -r method study status held; do
  ends "$status" "$method, $study" certify "$method" --with "$study.yaml" -q --format csv \
    --claim symplectic --claim presymplectic
  is_text "$(grep -c ',held$' out)" "$held" "... rows that are held: those of a \"no\" in any case"
done <<'END'
rattle rods 3 0
rattle equal 3 0
rattle one 3 0
rattle two 0 8
shake rods 3 2
shake equal 3 4
shake one 3 4
shake two 0 8
END
ends 3 "one such problem" certify shake --with one.yaml -q --claim presymplectic
says 'shake: presymplectic$' "... leaves the claim open"
says '; it held on 1$' "... with the reason"

# ---- a solver for rods, which refuses all others ----
cp "$SHAKEDOWN_SOURCE/examples/plugins/rod_newton.c" .
ends 0 "build the solver" plugin build rod_newton.c
for study in 'two 0' 'rods 3'; do
  ends "${study#* }" "a solver for rods, ${study% *}" certify 'rattle(solver=rod-newton)' \
    --with "${study% *}.yaml" -q --plugin ./rod_newton.so --claim symplectic
done
shakedown try ./rod_newton.so --budget 100 >out 2>err
says '^  symplectic, presymplectic, symmetric,' "... which try calls symplectic"

# ---- a study's own findings ----
sed 's/[$]method/rattle/' rods.yaml >own.yaml
ends 0 "a finding is about its problem alone" run own.yaml -o own.db -q
says '4 held, 0 falsified, 0 undecided' "... and stays held"
tap_done
