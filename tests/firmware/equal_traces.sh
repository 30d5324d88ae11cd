#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal_traces.sh FVP_SIM FOLDER: compact traces of every firmware image of the folder are the same bytes whatever engine writes them, for
# one cycle an instruction and for the processor's own timing.
set -eu
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
images=0
for elf in "$2"/*-corstone-3?0.elf; do
	name=${elf%.elf}
	for timing in ipc1 m55; do
		for engine in step tail; do
			status=0
			"$program" --elf "$elf" --board "corstone-${name##*-}" --engine $engine --cpu-timing $timing --cyclelimit 300000 \
				--semihosting-dir "$folder" --trace fvpt="$folder/$engine" > "$folder/text" 2>&1 < /dev/null || status=$?
			[ $status -le 124 ] || { cat "$folder/text"; exit 1; }
		done
		cmp "$folder/step" "$folder/tail" || { echo "$elf, $timing"; exit 1; }
	done
	images=$((images + 1))
done
echo "$images images"
[ $images -ge 20 ]
