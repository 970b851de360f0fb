#!/bin/sh
# Wrong methods whose faults show on few systems (tests/bad/bad_examinee.c): the default certificate
# falsifies each, and not the same methods without the fault. Slow, since each takes a whole
# certificate; the others are in wrong_methods.sh.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/certified.sh"

# Each line: the fault, the base, and a claim that must be falsified.
cat >rare <<'END'
rows-64 rattle local order of p
coordinates-100 rattle local order of p
double rattle double as quad
wall rattle order of q
near rattle order of q
slow rattle order of q
time-stands rattle order of q
time-stands composition order of q
time-single rattle order of lambda-mean
time-single composition order of q
time-steps rattle order of q
time-steps composition order of p
half rattle order of q
long rattle order of q
strong rattle order of q
END
# shellcheck disable=SC2046
certified 1 "bad-examinee with faults that few systems show" --seed 11 --claim 'order of q' \
  --claim 'order of p' --claim 'order of lambda-mean' --claim 'double as quad' \
  --claim 'local order of p' --plugin "$SHAKEDOWN_BAD_EXAMINEE" \
  $(sed 's/\([^ ]*\) \([^ ]*\).*/bad-examinee(fault=\1,base=\2)/; s/,base=rattle//' rare)
while read -r fault base claim; do
  name="bad-examinee(fault=$fault)"
  [ "$base" = rattle ] || name="\"bad-examinee(fault=$fault,base=$base)\""
  at_least 1 "$name,$claim" falsified
done <rare
certified 1 "double in place of quad" --seed 11 --claim 'order of q' \
  --plugin "$SHAKEDOWN_BAD_EXAMINEE" bad-in-double 'bad-in-double(fault=time-stands)' \
  'bad-in-double(fault=equal)' 'bad-in-double(fault=wall)'
is_text "$(rows bad-in-double falsified)" 0 "bad-in-double: the control"
at_least 20 'bad-in-double,order of q' held
for fault in time-stands equal wall; do
  at_least 1 "bad-in-double(fault=$fault),order of q" falsified
done
euler='bad-examinee(fault=joined,base=rattle(flow=symplectic-euler),back=rattle(flow=symplectic-euler-adjoint))'
certified 1 "a method and its adjoint joined at h = 0" --brief --claim symmetric "$euler" \
  --plugin "$SHAKEDOWN_BAD_EXAMINEE"
at_least 1 "\"$euler\",symmetric" falsified
holds "... although each step there and back leads back" [ "$(grep -c ',symmetric,yes,.*,held$' out)" -ge 10 ]
certified 1 "tolerances that are not followed everywhere" --seed 11 --claim tolerance \
  --plugin "$SHAKEDOWN_BAD_TOLERANCE" bad-tolerance 'bad-tolerance(fault=floor)' \
  'bad-tolerance(fault=decades)' 'bad-tolerance(fault=short)'
is_text "$(rows bad-tolerance falsified)" 0 "bad-tolerance: the control"
at_least 30 bad-tolerance,tolerance held
for fault in floor decades short; do
  at_least 5 "bad-tolerance(fault=$fault),tolerance" falsified
done
# Verdicts beside the table of all methods; option_sets.sh compares two more.
python3 "$SHAKEDOWN_SOURCE/tests/verdicts/verdicts.py" "$SHAKEDOWN_SOURCE/tests/data/verdicts.csv" \
  rattle 'composition(base=variational)' 'composition(scheme=yoshida6)' 'spark(stages=4)' >verdicts
ok_if $? "verdicts are those of the table"
grep -v '^ok ' verdicts | sed 's/^not ok/# not/' | grep '^#'
tap_done
