#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# snapshot.sh FVP_SIM GUEST.elf: a state saved on the way, at a cycle or a function, goes on to the same end.
set -eu
program=$1 guest=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" --elf "$guest" --report "$folder/straight.json" > "$folder/straight.txt"
for place in 1000 60000 deep; do
	"$program" --elf "$guest" --save-at "$place=$folder/state" --report "$folder/saved.json" > "$folder/saved.txt"
	"$program" --elf "$guest" --restore "$folder/state" --report "$folder/restored.json" > "$folder/restored.txt"
	cmp "$folder/straight.json" "$folder/saved.json"
	cmp "$folder/straight.json" "$folder/restored.json"
	cmp "$folder/straight.txt" "$folder/saved.txt"
done
expect() { # status words, then the options
	status=$1 words=$2
	shift 2
	got=0
	"$program" --elf "$guest" "$@" > /dev/null 2> "$folder/error" || got=$?
	if [ "$got" != "$status" ] || ! grep -q "$words" "$folder/error"; then
		echo "$* gives $got:"
		cat "$folder/error"
		exit 1
	fi
}
expect 73 'ended before it came to 99999999' --save-at "99999999=$folder/never"
expect 64 "has a function 'nowhere'" --save-at "nowhere=$folder/never"
expect 64 'give CYCLE=FILE' --save-at 100
expect 66 'restore' --restore "$folder/no-such-file"
expect 65 'restore' --restore "$guest"
