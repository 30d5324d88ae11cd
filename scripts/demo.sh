#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first five minutes: installs what is missing, builds simulator and runner images, runs one.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
[ -d build ] || meson setup build >/dev/null
meson compile -C build >/dev/null
for npu in ethos-u55-128 ethos-u65-256; do
	printf '\n$ build/fvp-sim --elf build/runtime/runner-corstone-300-%s.elf --npu %s\n' "$npu" "$npu"
	build/fvp-sim --elf "build/runtime/runner-corstone-300-$npu.elf" --npu "$npu"
done
