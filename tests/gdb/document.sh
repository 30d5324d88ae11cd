#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# document.sh FVP_SIM GUEST.elf SOURCE-ROOT: commands of the documents that run gdb, or have to do with it, work.
set -eu
program=$(realpath "$1") guest=$(realpath "$2") root=$(realpath "$3")
folder=$(mktemp -d)
servers=
trap '[ -z "$servers" ] || kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/bin"
ln -s "$program" "$folder/bin/fvp-sim"
PATH=$folder/bin:$PATH
cd "$folder"
cp "$guest" program.elf
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
count=0
while IFS= read -r command <&3; do
	count=$((count + 1))
	case $command in
	*'--gdb 3333'*)
		eval "${command/3333/$port} &" > served 2>&1 < /dev/null
		servers="$servers $!"
		;;
	gdb-multiarch*)
		command=${command/:3333/:$port}
		command=${command/gdb-multiarch/gdb-multiarch -nx -batch}
		eval "${command% program.elf} -ex continue program.elf" > printed 2>&1 < /dev/null || { cat printed; exit 1; }
		grep -q 'exited normally' printed || { echo "$command:"; cat printed; exit 1; }
		;;
	*)
		eval "$command" > printed 2>&1 < /dev/null || { echo "$command:"; cat printed; exit 1; }
		;;
	esac
done 3< <("$root/tests/style/doc_commands.py" "$root" 'gdb document')
[ "$count" -ge 10 ]
