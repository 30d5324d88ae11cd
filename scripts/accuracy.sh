#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the estimates of cycles against published ones, and writes the tables of docs/evidence/timing-cpu.md and timing-npu.md
# and the rows of sim/accuracy.def:
#
#     scripts/accuracy.sh FVP_SIM WORK SLOTHY MLDSA COREMARK [MLDSA_M55]
#
# FVP_SIM: in its build folder, where the tools of tests/npu/calibration/ are.
# WORK keeps a Python environment, compiled networks and kernels for the next time. The others are checkouts of GitHub
# slothy-optimizer/slothy, pq-code-package/mldsa-native (with mldsa/ntt.c) and eembc/coremark; MLDSA_M55: a folder with assembly
# of mldsa-native's pull requests, as tests/bench/cpu_accuracy.py says; without it their rows are left out. Needs arm-none-eabi-gcc.
set -eu
[ $# -eq 5 ] || [ $# -eq 6 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 64; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
if [ ! -x "$2/python/bin/vela" ]; then
	python3 -m venv "$2/python"
	# The version of the compiler with which the rows were measured.
	"$2/python/bin/pip" install -q ethos-u-vela==5.0.0 ai-edge-litert numpy
fi
"$2/python/bin/python" "$root/tests/npu/timing_accuracy.py" "$1" "$2/networks" --write "$root"
"$2/python/bin/python" "$root/tests/npu/timing_crossvalidate.py" "$(dirname "$1")/tests/npu/timing_record" "$(dirname "$1")/tests/npu/timing_replay" \
	"$2/networks" --write "$root"
"$2/python/bin/python" "$root/tests/bench/cpu_accuracy.py" "$1" "$2/kernels" --slothy "$3" --mldsa "$4" --coremark "$5" \
	${6:+--mldsa-m55 "$6"} --write "$root"
