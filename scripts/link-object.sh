#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes one object of the given ones and what they need of the archives, in which only the public names can be seen.
# Usage: link-object.sh OBJCOPY COMPILER... -- OUTPUT OBJECTS AND ARCHIVES
set -euo pipefail

objcopy=$1 compiler=()
shift
while [ "$1" != -- ]; do
	compiler+=("$1")
	shift
done
output=$2
shift 2

"${compiler[@]}" -r -nostdlib -o "$output" -Wl,--start-group "$@" -Wl,--end-group
"$objcopy" --wildcard --keep-global-symbol='fvpsim_*' "$output"
