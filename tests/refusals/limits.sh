#!/bin/sh
# Limits of the system that are too low are reported by one sentence at the start; soft limits are
# raised. Output of a cell in a store is cut at the length that a cell can have printed.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
make_study st 'problems: [pendulum], integrators: [rattle], steps: [0.1], until: 1, measures: [energy]'
shakedown() {
  (
    # shellcheck disable=SC2086,SC3045 # the words of an option; dash and bash have these
    ulimit $limit && exec "$SHAKEDOWN" "$@"
  )
}
for limit in '-n 20' '-n 64' '-n 200' '-n 599' '-s 64' '-s 256'; do
  gives 2 'is too low: at least' run st.yaml
  is_text "$(wc -l <err)" 1 "in one sentence: $(cat err)"
done
for limit in '-n 600' '-Sn 64' '-s 512' '-Ss 64'; do
  rm -f st.db
  gives 0 '' run st.yaml --quiet
done
limit=-c
python3 - <<'P'
import sqlite3
base = sqlite3.connect("st.db")
base.execute("UPDATE cells SET output=?", ("\u00fc" * 30000000,))
base.commit()
P
gives 2 'row 1 of its cells is damaged' report st.db -o page
holds "more output than any cell has makes no report" [ ! -e page/index.html ]
tap_done
