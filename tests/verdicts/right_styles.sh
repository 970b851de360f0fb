#!/bin/sh
# Right methods in the styles in which people write them (tests/right): nothing that they claim falls,
# and their orders are decided. Some of them, broken in one place each, fall. If one of the first kind
# fails, find out first whether the method or the judge is wrong.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
cp "$SHAKEDOWN_SOURCE"/tests/right/*.py "$SHAKEDOWN_SOURCE"/tests/right/*.pl \
  "$SHAKEDOWN_SOURCE/tests/right/right.yaml" .
export PYTHONPATH="$SHAKEDOWN_SOURCE/python" PYTHONDONTWRITEBYTECODE=1

# asked METHOD OPTION...: a row for each claim and problem is in `out`
asked() {
  shakedown certify -q "$@" --with right.yaml --seed 7 --format csv >out 2>err </dev/null
}

# right CLAIM METHOD OPTION...: nothing falls or fails, and the claim, with what is stated, is held on
# some problem
right() {
  claim=$1
  shift
  asked "$@"
  is_text "$(grep -e ',falsified$' -e ',failed$' out)" "" "$1: nothing falls"
  grep -q ",$claim,.*,held\$" out
  ok_if $? "... and $claim is held" || diag "$(cat out err)"
}

# wrong CLAIM METHOD OPTION...: that claim falls
wrong() {
  claim=$1
  shift
  asked "$@"
  grep -q ",$claim,.*,falsified\$" out
  ok_if $? "$1: $claim falls" || diag "$(cat out err)"
}

second='order of q,2'
fourth='order of q,4'
right 'order of q,1' plain-symplectic-euler --plugin "$SHAKEDOWN_PLAIN_SYMPLECTIC_EULER"
right "$second" verlet-positions --plugin "$SHAKEDOWN_VERLET_POSITIONS"
right "$second" row-scaled --plugin "$SHAKEDOWN_ROW_SCALED"
right "$second" eliminated --plugin "$SHAKEDOWN_ELIMINATED"
right "$second" chains-only --plugin "$SHAKEDOWN_CHAINS_ONLY"
holds "... which refuses what it is not for" grep -q '^chains-only,applies,no,"*random-system(.*,refused$' out
right 'tolerance,required' bogacki-shampine --plugin "$SHAKEDOWN_BOGACKI_SHAMPINE"
ends 0 "what all methods must do, of one with step control and one with memory" certify -q bogacki-shampine \
  verlet-positions --plugin "$SHAKEDOWN_BOGACKI_SHAMPINE" --plugin "$SHAKEDOWN_VERLET_POSITIONS" --with try --seed 7 \
  --claim contract --claim smooth --claim stateless
right 'keeps constraint,yes' step-doubling --plugin "$SHAKEDOWN_STEP_DOUBLING"
# An attempt in which a function fails may be taken again, but not for ever.
ends 0 "... whose attempts may fail" certify -q step-doubling --plugin "$SHAKEDOWN_STEP_DOUBLING" --brief \
  --seed 7 --claim contract
ends 1 "... but not the last" certify -q 'step-doubling(careless=yes)' --plugin "$SHAKEDOWN_STEP_DOUBLING" \
  --brief --seed 7 --claim contract
has 'a function in a step fails, and the step returns ok' "... for that reason"
right "$fourth" projected-kutta --plugin "$SHAKEDOWN_PROJECTED_KUTTA"
ends 0 "... and absurd steps condemn nothing" certify -q projected-kutta --plugin "$SHAKEDOWN_PROJECTED_KUTTA" \
  --brief --seed 7 --claim 'valid states'
right "$second" 'rattle(solver=cg-rods)' --plugin "$SHAKEDOWN_CG_RODS"
right "$second" 'rattle(solver=program("python3 symmetric_sweeps.py"))' --allow-external
right "$fourth" 'external("perl index_one.pl")' --allow-external

# A NaN that a program was given may be in its next request, as its language writes it. That is an
# error of the request, not the end of the program.
cat >drift.pl <<'P'
$| = 1;
my $word = shift;
sub hear { exit 0 unless defined(my $line = <STDIN>); split ' ', $line }
sub put { print join(' ', map { /nan/i ? $word : $_ } @_), "\n" }
sub ask {
    put(@_);
    my ($answer, @values) = hear();
    die "not-finite\n" if $answer ne 'values';
    @values
}
sub step {
    my ($n, $m, $t, $h, @z) = @_;
    my @mass = ask('mass');
    my @force = ask('H_q', $t, @z[0 .. 2 * $n - 1]);
    my @p = map { $z[$n + $_] - $h * $force[$_] } 0 .. $n - 1;
    my @v = ask('H_p', $t, @z[0 .. $n - 1], map { sprintf '%.17g', $_ } @p);
    ((map { sprintf '%.17g', $_ } (map { $z[$_] + $h * $v[$_] } 0 .. $n - 1), @p), (0) x (2 * $m))
}
hear();
put('shakedown-integrator 1 name=drift version=1 precision=double keeps-constraint=no');
my (undef, $n, $m) = hear();
put('ready');
while (my (undef, @numbers) = hear()) {
    my @done = eval { step($n, $m, @numbers) };
    put($@ ? ('fail', $@ =~ s/\n//r) : ('done', @done));
}
P
for word in nan NaN -nan Infinity; do
  ends 0 "a program that passes on a NaN as $word" certify -q "external(\"perl drift.pl $word\")" \
    --allow-external --claim contract --brief --seed 7
done

python_with numpy
export SHAKEDOWN_PYTHON="$python"
for class in half-step gauss-seidel bond-length nanometres vectorized cached-threads augmented \
  midpoint-lagrangian; do
  right "$second" $class --plugin "./$(echo $class | tr - _).py"
done
right "$fourth" null-space --plugin ./null_space.py
right "$fourth" suzuki-rattle --plugin ./suzuki_rattle.py

# A class is loaded once for what it offers and once for all questions, not for each.
{
  echo 'import sys; print("loaded", file=sys.stderr)'
  cat "$SHAKEDOWN_SOURCE/tests/right/half_step.py"
} >loaded.py
shakedown try loaded.py -j 1 >out 2>err
is_text "$(grep -c '^loaded' err)" 2 "try loads a class twice"

# broken FILE OLD NEW: a class with the one text in place of the other, in place of the file
broken() {
  cp "$SHAKEDOWN_SOURCE/tests/right/$1" .
  holds "$1 has '$2'" grep -qF -e "$2" "$1"
  "$python" - "$@" <<'P'
import sys
name, old, new = sys.argv[1:]
with open(name) as file:
    text = file.read()
with open(name, 'w') as file:
    file.write(text.replace(old, new))
P
}

broken vectorized.py 'np.subtract.at(half, stack.points, move / h)' 'pass'
wrong 'order of p' vectorized --plugin ./vectorized.py
broken nanometres.py 'bonds @ old.T), off)[:, None] * old' 'bonds @ bonds.T), off)[:, None] * bonds'
wrong 'order of q' nanometres --plugin ./nanometres.py
broken cached_threads.py '        self.each(velocities)' ''
wrong 'keeps hidden constraint' cached-threads --plugin ./cached_threads.py
broken null_space.py 'full = np.linalg.qr((G / root)' 'full = np.linalg.qr(G'
wrong 'order of q' null-space --plugin ./null_space.py
broken index_one.pl 'return (project($t + $h, @sum)' 'return (@sum'
wrong 'keeps constraint' 'external("perl index_one.pl")' --allow-external
broken midpoint_lagrangian.py 'G, G1 = f.G(middle, t=t + h / 2)' 'G, G1 = f.G(q0, t=t)'
wrong 'symmetric' midpoint-lagrangian --plugin ./midpoint_lagrangian.py
tap_done
