#!/bin/sh
# Draws the figures in the documentation again, all from studies that come with the program. Run this after you
# change figures; it takes about half an hour. PNGs require pdftoppm (Debian package poppler-utils).
#   scripts/figures.sh [PROGRAM] [FIGURE…]     PROGRAM defaults to build/shakedown
# If you name figures (as in docs/figures), only their studies are run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1-$here/../build/shakedown}
[ $# -eq 0 ] || shift
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
"$program" --version >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=" $* "

# draw STUDY FIGURE TYPE: draws the default selection, or, if the figure is not in it, all figures
draw() {
  "$program" plot "$work/$1.db" -o "$work/$1" --type "$3"
  [ -e "$work/$1/$2.$3" ] || "$program" plot "$work/$1.db" -o "$work/$1" --all --type "$3"
}

# figure NAME.TYPE STUDY DRAWN: copies the figure DRAWN of a study to its name in the documentation
figure() {
  case $wanted in
  '  ') ;;
  *" $1 "*) wanted=$(printf '%s' "$wanted" | sed "s/ $1 / /") ;;
  *) return 0 ;;
  esac
  if [ ! -e "$work/$2.db" ]; then
    # In some studies, failed cells are results, so exit status 3 is accepted like 0 and 1.
    code=0
    "$program" run "$2" -o "$work/$2.db" --quiet || code=$?
    [ $code -eq 0 ] || [ $code -eq 1 ] || [ $code -eq 3 ]
  fi
  case $1 in
  *.png) # 150 dots per inch are enough for a page on a screen
    draw "$2" "$3" pdf
    pdftoppm -r 150 -png -singlefile "$work/$2/$3.pdf" "$here/../docs/figures/${1%.png}"
    ;;
  *)
    draw "$2" "$3" svg
    cp "$work/$2/$3.svg" "$here/../docs/figures/$1"
    ;;
  esac
}

figure order.svg quick 2-order-sprung-pendulum
figure mmvw-1.png figures-mmvw-2014 figure-1-pendulum-double
figure mmvw-4.png figures-mmvw-2014 figure-4-harmonic-sphere-double
figure mmvw-5a.png figures-mmvw-2014 figure-5a-harmonic-sphere-double
figure mmvw-5b.png figures-mmvw-2014 figure-5b-harmonic-sphere-double
figure mmvw-6.png figures-mmvw-2014 figure-6-harmonic-sphere-double
figure drift-versus-tolerance.png drift-versus-tolerance tolerance-pendulum-double
figure round-off-single.svg single-precision round-off-pendulum-single
figure round-off-mix.svg single-precision round-off-pendulum-double
figure step-gain.svg step-gain order-water-q
figure quaternions.svg quaternions energy-lagrange-top-start-general-form-quaternion-until-200-double
figure which-tolerance-water.svg which-tolerance tolerance-water-box-double
figure which-tolerance-hexadecane.svg which-tolerance tolerance-alkane-carbons-16-angles-harmonic-double
figure work-precision.svg work-precision-families work-precision-chain-double
figure work-precision-andrews.svg work-precision-testset work-precision-andrews-double
figure work-precision-car-axis.svg work-precision-testset work-precision-car-axis-double

case $wanted in
'  ' | *' conditioning.svg '*)
  wanted=$(printf '%s' "$wanted" | sed 's/ conditioning.svg / /')
  "$program" run conditioning -o "$work/conditioning.db" --quiet
  "$here/conditioning.py" "$work/conditioning.db" "$here/../docs/figures/conditioning.svg" >/dev/null
  ;;
esac

if [ -n "$(printf '%s' "$wanted" | tr -d ' ')" ]; then
  printf 'figures.sh: no such figure:%s\n' "$wanted" >&2
  exit 2
fi
