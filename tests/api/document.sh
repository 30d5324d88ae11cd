#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documents' way from an installation to a program of one's own, with the example of the guide.
# Usage: document.sh SOURCE-ROOT BUILD-ROOT RUNNER-IMAGE
set -euo pipefail
root=$(realpath "$1") build=$(realpath "$2") runner=$(realpath "$3")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$out"
cp "$root/docs/guide/examples/run.c" program.c
count=0
while IFS= read -r command; do
	case $command in
	'meson install'*) command="DESTDIR=$out/root ${command/-C build/-C $build --no-rebuild}" ;;
	cc*)
		packages=$(dirname "$(find "$out/root" -name fvpsim.pc)")
		export PKG_CONFIG_PATH=$packages PKG_CONFIG_SYSROOT_DIR=$out/root
		;;
	esac
	eval "$command" > log 2>&1 < /dev/null || { echo "$command:"; cat log; exit 1; }
	count=$((count + 1))
done < <("$root/tests/style/doc_commands.py" "$root" 'api document')
[ "$count" -ge 3 ]
LD_LIBRARY_PATH=$(dirname "$packages") ./program corstone-300 "$runner" | grep -q 'the program exited, status 0'
