#!/bin/sh
# Wrong variants of the methods of multibody codes and game engines, and of high order: each fault is
# found by a claim of the method, and the method without a fault is not.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
. "$SHAKEDOWN_SOURCE/tests/kit/certified.sh"

# wrong PLUGIN METHOD: reads lines "OPTIONS: CLAIM, …", claims that are falsified with these options.
wrong() {
  plugin=$1 method=$2
  sed 's/\(.*\): *\(.*\)/\1|\2/' >faults
  set -- "$method"
  while IFS='|' read -r fault claims; do
    set -- "$@" "$method($fault)"
    printf '%s\n' "$claims" | tr ',' '\n' | sed 's/^ *//; /^$/d' >claims
    while read -r claim; do
      set -- "$@" --claim "$claim"
    done <claims
  done <faults
  certified 1 "$method with its faults" --brief --plugin "$plugin" "$@"
  is_text "$(rows "$method" falsified) $(rows "$method" failed)" "0 0" "$method: the control"
  while IFS='|' read -r fault claims; do
    name="$method($fault)"
    case $fault in
    *,*) name="\"$name\"" ;;
    esac
    printf '%s\n' "$claims" | tr ',' '\n' | sed 's/^ *//; /^$/d' >claims
    while read -r claim; do
      at_least 1 "$name,$claim" falsified
    done <claims
  done <faults
}

wrong "$SHAKEDOWN_BAD_GENERALIZED_ALPHA" bad-generalized-alpha <<'END'
fault=static: stateless
fault=forgets: order of q
fault=gamma: order of p, order of mu
fault=old-forces: order of q, order of p
form=ggl,fault=projects: order of mu
END
wrong "$SHAKEDOWN_BAD_ENERGY_MOMENTUM" bad-energy-momentum <<'END'
fault=gradient: keeps energy
fault=normals: keeps energy
fault=old: order of p, symmetric
fault=old-forces: order of q, order of p
fault=late: order of q, order of p
fault=still: order of q
END
wrong "$SHAKEDOWN_BAD_VELOCITY_IMPULSE" bad-velocity-impulse <<'END'
fault=sign: order of q
fault=explicit: keeps momenta
fault=unforced: order of q
END
wrong "$SHAKEDOWN_BAD_XPBD" bad-xpbd <<'END'
fault=kept: order of p
substeps=2,fault=whole: order of q
fault=scaled: order of lambda
fault=unforced: order of q
END
wrong "$SHAKEDOWN_BAD_GAUSS_LOBATTO_SPARK" bad-gauss-lobatto-spark <<'END'
fault=weight: symmetric, symplectic
fault=force: symmetric, symplectic
fault=conjugate: symplectic
END
wrong "$SHAKEDOWN_BAD_GGL_VARIATIONAL" bad-ggl-variational <<'END'
fault=later: order of q, symmetric
fault=sooner: symmetric
fault=straight: symplectic off constraints
form=nodes,fault=straight: presymplectic
END
wrong "$SHAKEDOWN_BAD_SYMMETRIC_MULTISTEP" bad-symmetric-multistep <<'END'
fault=weight: order of q, symmetric
fault=once: order of q
order=8,fault=root:
END
at_least 4 '"bad-symmetric-multistep(order=8,fault=root)",finishes' failed
tap_done
