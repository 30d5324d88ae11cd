#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel as a user has it: built, installed into a new environment with all extras, and tested there, with the types
# checked, a browser where there is one, and MLIA on its programs. Needs the package index. Usage: wheel.sh SOURCE-ROOT CACHE RUNNER-IMAGE
set -euo pipefail
root=$1 cache=$2 runner=$3
mkdir -p "$cache"
rm -rf "$cache/dist" "$cache/venv"
"$root/scripts/build-wheel.sh" "$cache/dist"
wheel=$(echo "$cache"/dist/*.whl)
name=$(basename "$wheel")
for page in ci python; do
	grep -qF "$name" "$root/docs/guide/$page.md" || { echo "docs/guide/$page.md does not have the wheel's name $name"; exit 1; }
done
[ "$(stat -c %s "$wheel")" -lt 15000000 ] || { echo "the wheel has 15 MB or more"; exit 1; }
python3 -m venv "$cache/venv"
PATH=$cache/venv/bin:$PATH
pip -q install "${wheel}[report,compile,cluster,progress]" pytest mypy types-tqdm nbclient nbformat ipykernel pandas \
	ai-edge-litert==1.2.0
unset PYTHONPATH FVPSIM_PROGRAM FVPSIM_LIBRARY
cd "$cache"
fvp-sim --version
FVP_Corstone_SSE-300_Ethos-U55 --version >/dev/null
mypy --strict -p fvpsim
python -m fvpsim fvps "$cache/fvps"
mlia() { python "$root/tests/golden/run_mlia.py" "$cache/packages" "$cache/fvps" "$@" cnn.tflite >mlia.log || { cat mlia.log; exit 1; }; }
mlia corstone-300 ethos-u55-128
mlia corstone-320 ethos-u85-256
FVPSIM_RUNNER=$runner python -m pytest -q -rs -p no:cacheprovider "$root/tests/python"
