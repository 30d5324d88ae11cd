#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# equal_traces.sh FVP_SIM FOLDER: compact traces of every firmware image of the folder have the same text, whatever engine writes them (the
# fast one leaves out what can be executed again), and it is that of a trace as text; for one cycle an instruction and for the
# processor's own timing.
set -eu
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
images=0
for elf in "$2"/*-corstone-3?0.elf; do
	name=${elf%.elf}
	for timing in ipc1 m55; do
		for trace in tail-tarmac step-fvpt tail-fvpt; do
			status=0
			"$program" --elf "$elf" --board "corstone-${name##*-}" --engine ${trace%-*} --cpu-timing $timing --cyclelimit 300000 \
				--semihosting-dir "$folder" --trace ${trace#*-}="$folder/$trace" > "$folder/text" 2>&1 < /dev/null || status=$?
			[ $status -le 124 ] || { cat "$folder/text"; exit 1; }
		done
		for trace in step-fvpt tail-fvpt; do
			"$program" trace convert "$folder/$trace" tarmac="$folder/converted"
			cmp "$folder/tail-tarmac" "$folder/converted" || { echo "$elf, $timing, $trace"; exit 1; }
		done
	done
	images=$((images + 1))
done
echo "$images images"
[ $images -ge 20 ]
