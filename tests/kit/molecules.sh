# Samples of molecules in the current folder, and tests of python3 -m shakedown.molecules on them.
# Source it after program.sh.
# shellcheck shell=sh
cp "$SHAKEDOWN_SOURCE"/tests/data/molecules/*.* .
chmod u+w ./*.*

# of_style STYLE FIRST SECOND: molecule.data with dihedrals of this style
of_style() {
  sed "s|# opls|# $1|;s/^1 1.3 -0.05 0.2 0.1\$/1 $2/;s/^2 0.5 0.7 0 0\$/2 $3/" molecule.data
}
of_style multi/harmonic '1.3 -0.05 0.2 0.1 0.7' '0.5 0.7 0 0 -0.2' >powers.data
of_style harmonic '1.3 -1 2' '0.5 1 3' >signs.data
of_style charmm '1.3 2 180 0' '0.5 3 45 0' >phases.data

# molecules FILE...: a test whose Python has packages sets `python`
python=${python-python3 -S}
molecules() {
  # shellcheck disable=SC2086 # a word each
  PYTHONPATH=$SHAKEDOWN_SOURCE/python${PYTHONPATH+:$PYTHONPATH} $python -B -m shakedown.molecules "$@"
}

# made FILE...: the result is written, to `made.yaml` and to `out`, its summary to `err`
made() {
  molecules "$@" >made.yaml 2>err
  ok_if $? "$* is read" || diag "$(head -n 5 err)"
  cp made.yaml out
}

# refuses PATTERN FILE...: status 2, one line that matches, and nothing written
refuses() {
  pattern=$1
  shift
  molecules "$@" >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$pattern" err
  ok_if $? "refused: $pattern" || diag "$(head -n 3 err)"
}

# energy: the energy of made.yaml at its start
energy() {
  shakedown simulate 'particles(file="made.yaml")' rattle --step 1e-6 --until 1e-6 |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") at = i } NR == 2 { print $at }'
}

# near A B WITHIN NAME
near() {
  awk -v a="$1" -v b="$2" -v w="$3" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d < w && -d < w) }'
  ok_if $? "$4: $1 here, $2 there"
}

# certified FILE: every claim of RATTLE is held on the file alone, and wrong variants of it are falsified there
certified() {
  problem="particles(file=\"$1\",project=yes)"
  # A molecule is chaotic: whether its energy is bounded may be left undecided at one of the steps.
  shakedown certify rattle --with system --quiet --problem "$problem" >out 2>err
  case $? in 0 | 3) grep -q ' held, 0 falsified, .* 0 refused, 0 failed$' out &&
    ! grep '^undecided ' out | grep -qv 'rattle: energy bounded ' ;; *) false ;; esac
  ok_if $? "rattle on $1 is certified" || diag "$(tail -n 12 out err)"
  for fault in gradient-old coefficient direction-new no-projection; do
    ends 1 "bad-rattle(fault=$fault) on $1" certify "bad-rattle(fault=$fault)" --plugin "$SHAKEDOWN_BAD_RATTLE" \
      --with system --quiet --problem "$problem"
    says "^falsified bad-rattle.* on particles(file=.$1.,project=yes)" "... is falsified by what it does there"
  done
}
