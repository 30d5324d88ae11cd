#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lists.sh PROFILE FUSED IT [PROGRAM OTHER]: the tool reads the lists of the engine and writes them unchanged when nothing
# is added; with programs: what is added to the list of one stands behind it, and nothing is added twice.
set -eu
profile=$1 fused=$2 it=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cp "$fused" "$tmp/fused"
cp "$it" "$tmp/it"
"$profile" --add 100 10 1 "$tmp/fused" "$tmp/it"
cmp "$fused" "$tmp/fused"
cmp "$it" "$tmp/it"
echo 'F2(0, mov_ri, 2, no_such_operation, 2, 0) /* 1.00 % */' >> "$tmp/fused"
if "$profile" --add 0 0 1 "$tmp/fused" "$tmp/it" 2> "$tmp/err"; then
	echo "an unknown operation was taken"
	exit 1
fi
grep -q 'fused:[0-9]*: not a row' "$tmp/err"
[ $# -gt 3 ] || exit 0

"$profile" 20 4 60000 "$tmp/fused" "$tmp/it" "$4" > /dev/null
cp "$tmp/fused" "$tmp/first"
"$profile" --add 40 4 60000 "$tmp/fused" "$tmp/it" "$5" > /dev/null
lines=$(wc -l < "$tmp/first")
head -n "$lines" "$tmp/fused" | cmp - "$tmp/first"
[ "$(wc -l < "$tmp/fused")" -gt "$lines" ] || { echo "nothing was added"; exit 1; }
cp "$tmp/fused" "$tmp/second"
"$profile" --add 40 4 60000 "$tmp/fused" "$tmp/it" "$5" > /dev/null
cmp "$tmp/second" "$tmp/fused"
