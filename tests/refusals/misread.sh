#!/bin/sh
# Methods that misread M(q), H(q,p), forces, time or constraints on momenta are falsified on systems
# that have these (tests/data/misread.yaml), and certificates contain such systems, larger than the
# smallest.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

ends 1 "what is misread is falsified" run "$SHAKEDOWN_SOURCE/tests/data/misread.yaml" -q -o misread.db \
  --plugin "$SHAKEDOWN_BAD_SYSTEM"
"$SHAKEDOWN" show misread.db --plugin "$SHAKEDOWN_BAD_SYSTEM" --format csv >findings.csv

# said INTEGRATOR VERDICT: of how many findings
said() {
  grep -c "[,\"]$1,quad,.*,$2," findings.csv
}

is_text "$(said bad-system falsified)" 0 "nothing of the control is"
holds "of which orders and symmetry are held" [ "$(said bad-system held)" -ge 25 ]
for fault in mass-old mass-level momentum-old position-old undamped force-old level-rate from-zero \
  old-gradient long-fibre forward; do
  holds "bad-system(fault=$fault)" [ "$(said "bad-system(fault=$fault)" falsified)" -ge 1 ]
done

for pair in driven-pendulum,rotating-hoop manufactured,sundials-slider-crank \
  'slider-crank(driven=no),slider-crank' charged-pendulum,index-one; do
  ends 0 "product($pair) is what it claims" diagnose "product($pair)"
done

"$SHAKEDOWN" certify rattle --study --seed 3 >study.yaml
for asked in 'product(slider-crank' 'product(charged-pendulum' 'product(manufactured' 'product(driven-pendulum' \
  'sways=yes' 'harmonic-sphere' 'random-mechanism' 'size=huge' 'away=' 'mass1=1e5'; do
  holds "a certificate asks of $asked" grep -qF "$asked" study.yaml
done
tap_done
