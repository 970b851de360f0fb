#!/bin/sh
# A machine of the other byte order: a record written here is read on an emulated s390x to the same
# numbers, and written there to the same bytes.
. "$SHAKEDOWN_SOURCE/tests/kit/scratch.sh"
if ! command -v s390x-linux-gnu-gcc >cross || ! command -v qemu-s390x >>cross; then
  skip_without gcc-s390x-linux-gnu "there is no compiler for s390x, or no qemu-s390x"
  tap_done
fi
# Of these libraries the headers are enough.
mkdir include
for library in libxxhash sqlite3; do
  cp "$(pkg-config --variable=includedir $library)"/${library#lib}.h include
done
sources='foundation/index foundation/memory foundation/message foundation/nearest foundation/status foundation/utf8 foundation/specifications/cell
  results/record/frame results/record/record results/record/record_bytes results/record/stream
  tests/files/byte_order'
# build COMPILER OUTPUT
build() {
  files=
  for one in $sources; do
    files="$files $SHAKEDOWN_SOURCE/$one.c"
  done
  # shellcheck disable=SC2086 # one word a file
  $1 -std=gnu17 -O1 -D_GNU_SOURCE -DXXH_INLINE_ALL -DSHAKEDOWN_WITHOUT_NAMES -I"$SHAKEDOWN_SOURCE" \
    -I"$SHAKEDOWN_SOURCE/include" -Iinclude $files -lm -static -o "$2" 2>errors
  ok_if $? "$2: $(grep -m 1 error errors)"
}
build cc little
build s390x-linux-gnu-gcc big
./little >from-little
qemu-s390x ./big >from-big
holds "both write the same $(wc -c <from-little) bytes" cmp from-little from-big
./little from-little >right
qemu-s390x ./big from-little >numbers
is_text "$(cat numbers)" "$(cat right)" "and read the same numbers"
is_text "$(grep -c 'quad 0.1' numbers) $(grep -c 'blobs read' numbers)" "2 1" "from a message and from blobs"
tap_done
