#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kernel_random.sh HOST-PROGRAM FVP-SIM IMAGE: both print the same lines, and enough of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" >"$folder/host"
"$2" --quiet --elf "$3" >"$folder/target"
[ "$(wc -l <"$folder/host")" -ge 1000 ]
if grep -v ' [0-9a-f]\{8\}$' "$folder/host"; then
	echo "a call was refused"
	exit 1
fi
diff "$folder/host" "$folder/target" >"$folder/difference" || sed 20q "$folder/difference"
cmp "$folder/host" "$folder/target"
