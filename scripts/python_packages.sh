#!/bin/sh
# Installs the packages of tests/requirements.txt into the virtual environment build/python, which also sees the
# system's packages. Tests that need them are skipped without it.
set -eu
cd "$(dirname "$0")/.."
python=/usr/bin/python3
[ -x "$python" ] || python=python3
[ -x build/python/bin/pip ] || "$python" -m venv --system-site-packages build/python
build/python/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
