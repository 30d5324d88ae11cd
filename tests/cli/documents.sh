#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documents show commands that work (those that tests/style/doc_commands.py has for this test) and options that exist; the user guide names every
# option; docs/reference/formats.md names every key of the reports. Usage: documents.sh PROGRAM GUESTS SOURCE-ROOT
set -euo pipefail
program=$(realpath "$1") guests=$(realpath "$2") root=$(realpath "$3")
guide=$root/docs/guide/user-guide.md from_fvp=$root/docs/guide/from-an-fvp.md
fvp=FVP_Corstone_SSE-300_Ethos-U55
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

wrong() {
	echo "$*"
	failed=1
}

# A folder in which the files of the documents' commands exist: programs for fvp-sim exit by semihosting with
# 42, programs for an FVP by end-of-transmission.
prepare() {
	mkdir "$folder/bin"
	cp "$program" "$folder/bin/fvp-sim"
	ln -s fvp-sim "$folder/bin/$fvp"
	PATH=$folder/bin:$PATH
	cd "$folder"
	for name in program.elf runner.elf; do cp "$guests/exit.elf" $name; done
	for name in program.axf runner.axf mlek.axf; do cp "$guests/eot.elf" $name; done
	for name in model_vela.tflite classifier_ethos-u55-128.tflite; do
		cp "$root/runtime/models/classifier_ethos-u55-128.tflite" $name
	done
	cp -r "$root/tests/script/scripts" vsi
	for name in in.bin classifier_input.bin; do cp "$root/runtime/models/classifier_input.bin" $name; done
}

run_commands() {
	local command status count=0
	while IFS= read -r command; do
		status=0
		command -v "${command%% *}" >printed || { echo "not here: $command"; continue; } # valgrind's programs
		# shellcheck disable=SC2086
		timeout 300 $command >printed 2>errors </dev/null || status=$?
		[ "$status" = 0 ] || [ "$status" = 42 ] || { wrong "status $status: $command"; cat errors; }
		count=$((count + 1))
	done < <("$root/tests/style/doc_commands.py" "$root" documents)
	[ "$count" -ge 20 ] || wrong "$count commands were found"
}

# Options of a help text: what its rows begin with.
options() {
	sed -nE 's/^ {2,}(-[A-Za-z] )?(--[a-z0-9-]+)( .*|$)/\2/p'
}

compare_options() {
	local option
	{ fvp-sim --help; fvp-sim npu --help; } | options | sort -u >ours
	{ cat ours; $fvp --help | options; } | sort -u >known
	# what belongs to other programs' commands stands in lines that begin with their names
	grep -hvE '^(pip|mlia|cp|mkdir) ' "$guide" "$from_fvp" | grep -oE '(^|[ `(])--[a-z][a-z0-9-]+' | grep -oE -- '--.*' | sort -u >named
	while read -r option; do wrong "the guide names $option, which no program has"; done < <(comm -13 known named)
	while read -r option; do wrong "docs/guide/user-guide.md does not name $option"; done < <(comm -23 ours named)
}

# Keys of a report in lower case; those of events are names of hardware.
compare_keys() {
	local key
	while read -r key; do
		grep -qE "\`([a-z]+\.)?$key\`" "$root/docs/reference/formats.md" || wrong "docs/reference/formats.md does not name the key $key of a report"
	done < <(grep -oE '"[a-z][a-z0-9_]*": ' "$1" | tr -d '": ' | sort -u)
}

prepare
run_commands
compare_options
fvp-sim --elf "$guests/fault.elf" --report cpu.json --dump x@0x10000000,4 >printed 2>&1 || [ $? = 80 ]
compare_keys cpu.json
fvp-sim npu --accelerator ethos-u55-128 --model model_vela.tflite --input in.bin --layers --report npu.json >printed
compare_keys npu.json
exit $failed
