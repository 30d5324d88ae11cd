#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The reports of one program under all engines are the same bytes.
# Usage: engines.sh PROGRAM ELF FOLDER [OPTION...]
set -u
program=$1 elf=$2 folder=$3
shift 3
for engine in tail switch step; do
	"$program" --elf "$elf" --engine $engine --report "$folder/$engine.json" "$@" >"$folder/$engine.txt" 2>&1
	echo "status $?" >>"$folder/$engine.txt"
done
cmp "$folder/tail.json" "$folder/switch.json" && cmp "$folder/tail.json" "$folder/step.json" &&
	cmp "$folder/tail.txt" "$folder/switch.txt" && cmp "$folder/tail.txt" "$folder/step.txt"
