#!/bin/sh
# Installs the packages in tests/requirements.txt into the virtual environment build/python, which can also use
# the system's packages. Without this environment, tests that need the packages are skipped.
set -eu
cd "$(dirname "$0")/.."
python=/usr/bin/python3
[ -x "$python" ] || python=python3
[ -x build/python/bin/pip ] || "$python" -m venv --system-site-packages build/python
build/python/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
