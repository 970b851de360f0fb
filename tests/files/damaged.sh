#!/bin/sh
# A damaged record: every command that reads the store refuses it with its row, and `run` replaces
# it.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"

make_study st 'problems: [pendulum], integrators: [rattle, shake], steps: {largest: 0.1, halvings: 3},
  until: 2, measures: [order, energy]' 'figures: [order, energy]'
ends 0 "an undisturbed run" run st.yaml -o whole.db --quiet
# rows STORE: what makes records equal
rows() {
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
for row in base.execute("SELECT key, status, reached, (SELECT group_concat(hash) FROM blobs WHERE cell = cells.id), "
                        "(SELECT group_concat(name || value) FROM scalars WHERE cell = cells.id AND "
                        "name <> \"cpu-seconds\") FROM cells ORDER BY key"):
    print(*row)' "$1"
}
rows whole.db >want
holds "it has nine records" [ "$(wc -l <want)" -eq 9 ]
for change in 'DELETE FROM scalars WHERE cell = 3' 'UPDATE scalars SET value = 1 WHERE cell = 3' \
  'DELETE FROM blobs WHERE cell = 3' 'UPDATE blobs SET data = zeroblob(length(data)) WHERE cell = 3' \
  'UPDATE blobs SET data = zeroblob(0) WHERE cell = 3' 'UPDATE cells SET n = 9 WHERE id = 3' \
  'UPDATE cells SET cell_hash = 7 WHERE id = 3' 'UPDATE cells SET provenance = 99 WHERE id = 3' \
  'UPDATE cells SET provenance = NULL WHERE id = 3'; do
  cp whole.db st.db
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute(sys.argv[2])
base.commit()' st.db "$change"
  for command in 'show st.db' 'show st.db --cells' 'show st.db --records' 'show st.db --errors' \
    'show st.db --series' 'plot st.db -o figures' 'report st.db -o page' 'compare st.db whole.db' \
    'merge st.db -o other.db' 'merge whole.db -o st.db'; do
    # shellcheck disable=SC2086
    "$SHAKEDOWN" $command >both 2>&1 </dev/null
    is_text "$?, $(grep -c 'row 3 of its cells is damaged' both)" "2, 1" "$change: $command"
  done
  ends 0 "run makes it anew" run st.yaml -o st.db
  says "^1 damaged record removed from the store before the run" "and says so"
  rows st.db >got
  holds "to the same bits" cmp -s want got
  ends 0 "then it is shown" show st.db
done

# What else cannot be as it was written.
for change in 'DELETE FROM scalars WHERE cell = 3 AND position = 1' 'UPDATE cells SET reached = 1 WHERE id = 3' \
  'UPDATE cells SET ending = 77 WHERE id = 3' "UPDATE cells SET status = 'splendid' WHERE id = 3" \
  "UPDATE cells SET reason = 'none' WHERE id = 3" "UPDATE cells SET output = 'said' WHERE id = 3" \
  "UPDATE cells SET times = '0' WHERE id = 3" 'UPDATE cells SET hash = hash + 1 WHERE id = 3' \
  "DELETE FROM blobs WHERE kind = 'state' AND cell = 3" \
  'UPDATE blobs SET columns = 1000000000 WHERE cell = 3' 'UPDATE blobs SET first = -1 WHERE cell = 3' \
  "UPDATE blobs SET kind = 'none' WHERE cell = 3"; do
  cp whole.db st.db
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("PRAGMA foreign_keys=OFF")
base.execute(sys.argv[2])
base.commit()' st.db "$change"
  gives 2 'row 3 of its cells is damaged' show st.db
  ends 0 "run after $change" run st.yaml -o st.db
  rows st.db >got
  holds "... to the same bits" cmp -s want got
done
cp whole.db st.db
dd if=/dev/urandom of=st.db bs=4096 seek=1 count=$(($(wc -c <st.db) / 4096 - 1)) conv=notrunc 2>err
gives 2 damaged show st.db

# Rows without their record or study: the numbers of deleted records are given again.
for change in 'DELETE FROM cells WHERE id = 9' 'DELETE FROM cells' \
  'DELETE FROM provenance; DELETE FROM cells WHERE id = 3' \
  'UPDATE cells SET id = 9223372036854775807 WHERE id = 9' \
  'DELETE FROM studies' 'UPDATE blobs SET cell = 10 WHERE cell = 9'; do
  cp whole.db st.db
  python3 -c '
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.executescript(sys.argv[2])
base.commit()' st.db "$change"
  ends 0 "$change: run" run st.yaml -o st.db
  rows st.db >got
  holds "... to the same bits" cmp -s want got
done
tap_done
