#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel for aarch64: built with the cross compiler, installed by pip as for such a machine, its program and, with Debian's
# Python for arm64, its package run under qemu-user; reports and outputs are those of this host's build. SKIP (77) where tools or
# arm64 packages are missing. Needs the package index. Usage: wheel_aarch64.sh SOURCE-ROOT CACHE RUNNER-IMAGE PROGRAM LIBRARY
set -euo pipefail
root=$(realpath "$1") cache=$2 image=$(realpath "$3") program=$(realpath "$4") library=$(realpath "$5")
models=$root/runtime/models
for tool in qemu-aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-strip; do
	command -v $tool >/dev/null || { echo "SKIP: there is no $tool"; exit 77; }
done
rm -rf "$cache/dist" "$cache/site"
mkdir -p "$cache"
cd "$cache"
# Nothing that the simulator is linked with: that is in the wheel.
"$root/scripts/aarch64/sysroot.sh" python libc6 python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libexpat1 libsqlite3-0 zlib1g libffi8 \
	libgcc-s1 libstdc++6 || { echo "SKIP: apt has no Python for arm64"; exit 77; }
"$root/scripts/build-wheel.sh" dist aarch64
wheel=$(echo dist/*.whl)
name=$(basename "$wheel")
for page in guide/python evidence/hosts; do
	grep -qF "$name" "$root/docs/$page.md" || { echo "docs/$page.md does not have the wheel's name $name"; exit 1; }
done
[ "$(stat -c %s "$wheel")" -lt 15000000 ] || { echo "the wheel has 15 MB or more"; exit 1; }

python3 -m venv venv
venv/bin/pip -q install --target site --only-binary=:all: --python-version 3.11 --implementation cp --platform manylinux_2_34_aarch64 \
	--platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 "$wheel"
emulated=(qemu-aarch64 -L "$PWD/python")

"${emulated[@]}" site/fvpsim/bin/fvp-sim --elf "$image" --report there.json >there.out
"$program" --elf "$image" --report here.json >here.out
cmp here.out there.out
cmp here.json there.json

cat >lines.py <<END
import fvpsim
import numpy as np
image = np.fromfile("$models/classifier_input.bin", np.int8).reshape(1, 24, 24, 3)
npu = fvpsim.Npu("ethos-u55-128")
outputs, profile = npu.run("$models/classifier_ethos-u55-128.tflite", image)
print([o.tolist() for o in outputs], profile.cycles, profile.operations)
with fvpsim.Machine(board="corstone-300", npu="ethos-u55-128") as m:
    m.load("$image")
    print(m.run(), m.console(), m.counts)
END
PYTHONPATH=site "${emulated[@]}" python/usr/bin/python3.11 lines.py >there.txt
PYTHONPATH=$root/python FVPSIM_LIBRARY=$library /usr/bin/python3 lines.py >here.txt
cmp here.txt there.txt
[ -s here.txt ]
echo "$name: $(stat -c %s "$wheel") bytes; program and package as on this host"
