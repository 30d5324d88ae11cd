#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# trace.sh FVP_SIM GUEST.elf: a compact trace under gdb, which sets registers and goes back, has the text of a trace as text: what it leaves out
# (cpu/again.h) begins anew where the debugger interferes.
set -eux # the output is shown when the test fails
program=$(realpath "$1") guest=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for kind in fvpt tarmac; do
	cat > session <<-END
		set confirm off
		target remote | $program --elf $guest --quiet --gdb - --gdb-wait
		monitor trace on $kind=run.$kind
		stepi 20
		monitor run-to 400
		maintenance flush register-cache
		set \$r12 = 0x1234
		set \$s3 = 1.5
		stepi 3
		reverse-stepi
		reverse-stepi
		stepi 5
		monitor run-to 200
		maintenance flush register-cache
		monitor run-to 700
		monitor trace off
		kill
	END
	timeout 60 gdb-multiarch -nx -batch -x session "$guest" > log 2>&1 || { cat log; exit 1; }
done
"$program" trace convert run.fvpt tarmac=run.converted
[ "$(grep -c ' I[TS] ' run.tarmac)" -gt 900 ]
cmp run.tarmac run.converted
