#!/bin/sh
# A program built without quadruple precision reports so where quad is requested, and works in
# double where that is enough.
. "$SHAKEDOWN_SOURCE/tests/kit/program.sh"
reason='this program was built without quad precision'

gives 0 "$reason" --version
gives 0 "quick.yaml:22:25: $reason" list studies
gives 2 "--precision: $reason" simulate pendulum rattle --step 0.1 --until 1 --precision quad
gives 2 "there is no precision 'half'" simulate pendulum rattle --step 0.1 --until 1 --precision half
gives 2 "$reason" certify rattle --brief
gives 2 "$reason" reference pendulum --times 1
gives 0 'found in quadruple precision only' diagnose harmonic-sphere

# study PROBLEM: written to study.yaml
study() {
  cat >study.yaml <<END
study: study
runs:
  - problems: [$1]
    integrators: [rattle]
    steps: {largest: 0.1, halvings: 4}
    until: 1
END
}
study double-pendulum
gives 2 "so a reference is needed, which is computed in quad precision: $reason" run study.yaml --quiet
study pendulum
gives 0 '' run study.yaml --quiet
echo '    precision: [double, quad]' >>study.yaml
gives 2 "study.yaml:7:25: $reason" run study.yaml --quiet

ends 0 "a plug-in begins" plugin new integrator mine
ends 0 "and is built" plugin build mine.c
is_text "$(nm --defined-only --dynamic mine.so | grep -o 'shk_plugin_f.*' | sort | tr '\n' ' ')" \
  'shk_plugin_f32 shk_plugin_f64 ' \
  "in the precisions that there are"
gives 0 ' in double' plugin check mine.so --quick
gives 2 "$reason" plugin check mine.so
tap_done
