#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmark programs give the values that QEMU 7.2 gives: check.sh FVP_SIM PROGRAM.elf...
set -eu
sim=$1
shift
status=0
for elf in "$@"; do
	name=$(basename "$elf" .elf)
	expected=$(sed -n "s/^$name //p" "$(dirname "$0")/expected.txt")
	got=$(timeout 600 "$sim" --quiet --elf "$elf")
	[ "$got" = "$expected" ] || { echo "$name: $got, expected $expected"; status=1; }
done
exit $status
