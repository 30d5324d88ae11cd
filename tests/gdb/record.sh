#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# record.sh FVP_SIM GUESTS-OF-CLI GUEST.elf: a recorded run comes again without what it read, also under gdb; damaged records are refused.
set -eux # the output is shown when the test fails
program=$(realpath "$1") guests=$(realpath "$2") guest=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/guest" "$folder/empty"
printf text > "$folder/text"
ln -s "$folder/text" "$folder/guest/link"
cd "$folder/empty"

# All operations of semihosting, console included.
"$program" --elf "$guests/semihosting.elf" --semihosting-dir ../guest --semihosting-cmdline "a b" --record ../all --report ../1.json \
	> ../1.txt 2> ../1.err < /dev/null
rm -r ../guest
"$program" --replay ../all --report ../2.json > ../2.txt 2> ../2.err < /dev/null
cmp ../1.json ../2.json
cmp ../1.txt ../2.txt
[ -z "$(ls)" ] # it writes no files

# Input of a serial port, under an FVP's name.
mkdir ../bin
cp "$program" ../bin/FVP_Corstone_SSE-300_Ethos-U55
printf xyz > ../in
../bin/FVP_Corstone_SSE-300_Ethos-U55 "$guests/echo.elf" -C mps3_board.uart0.in_file=../in -C mps3_board.uart0.out_file=- \
	-C mps3_board.uart0.shutdown_on_eot=1 --quiet --record ../serial > ../3.txt
rm ../in
"$program" --replay ../serial > ../4.txt
grep -q 'echo: xyz' ../4.txt
for engine in switch step; do
	"$program" --replay ../serial --engine $engine > ../5.txt
	cmp ../4.txt ../5.txt
done

# An end that the host has made comes at the same cycle, one before the first cycle too.
course() { # without the branches, which a limit of the host does not wait for
	grep -E '"(reason|pc|place|cycles|instructions)":' "$1"
}
for seconds in 0.2 0.000001; do
	"$program" --elf "$guests/count.elf" --timelimit $seconds --record ../limit --report ../6.json > ../6.txt 2> ../6.err || [ $? = 124 ]
	"$program" --replay ../limit --report ../7.json > ../7.txt 2> ../7.err || [ $? = 124 ]
	[ "$(course ../6.json | wc -l)" -ge 5 ]
	course ../6.json > ../6.course
	course ../7.json | cmp ../6.course -
done

# Under gdb, forwards and back.
"$program" --elf "$guest" --record ../gdb --report ../8.json > ../8.txt
cat > ../script << 'END'
set pagination off
set confirm off
break write_shared
continue
continue
reverse-continue
print shared
delete
continue
END
gdb-multiarch -nx -batch -ex "target remote | $program --quiet --replay ../gdb --report ../9.json --gdb - --gdb-wait" -x ../script "$guest" \
	> ../9.txt 2>&1
grep -q '^.1 = 0' ../9.txt
grep -q 'exited normally' ../9.txt
[ "$(grep -c 'round$' ../9.txt)" = 3 ]
cmp ../8.json ../9.json

# A program that a debugger makes ask for something else has left its record.
cat > ../script << 'END'
set confirm off
find /h1 main, +400, (short)0xbeab
tbreak *$_
continue
set $r0 = 7
continue
END
gdb-multiarch -nx -batch -ex "target remote | $program --replay ../gdb --gdb - --gdb-wait" -x ../script "$guest" > ../10.txt 2>&1
grep -q 'has left its record: the program calls the host by semihosting' ../10.txt
grep -q 'exited with code 0102' ../10.txt

expect() { # status words, then the options
	status=$1 words=$2
	shift 2
	got=0
	"$program" "$@" > ../out 2> ../error < /dev/null || got=$?
	if [ "$got" != "$status" ] || [ "$(wc -l < ../error)" != 1 ] || ! grep -q -- "$words" ../error; then
		echo "$* gives $got:"
		cat ../error
		exit 1
	fi
}
# What a record holds depends on the place of the build; a byte of it is damaged only when it was another one before.
other=X
[ "$(dd if=../all bs=1 skip=500 count=1 status=none | od -An -c | tr -d ' ')" != X ] || other=Y
cp ../all ../damaged
printf %s "$other" | dd of=../damaged bs=1 seek=500 conv=notrunc status=none
head -c 300 ../all > ../cut
cp ../all ../old
printf '\177' | dd of=../old bs=1 seek=16 conv=notrunc status=none
expect 65 'is damaged or truncated' --replay ../damaged
expect 65 'is damaged or truncated' --replay ../cut
expect 64 'another version' --replay ../old
expect 65 'is no record of a run' --replay "$guest"
expect 66 'No such file' --replay ../nowhere
expect 64 'was recorded on corstone-300, not on corstone-320' --replay ../all --board corstone-320
expect 64 'leave out --elf' --replay ../all --elf "$guest"
expect 64 'does not go with --gdb' --elf "$guest" --record ../x --gdb -
expect 64 'do not go with --restore' --elf "$guest" --record ../x --restore ../y
expect 73 '/dev/full: cannot be written' --elf "$guests/eot.elf" --eot on --record /dev/full
expect 73 'No such file' --elf "$guests/eot.elf" --eot on --record ../nowhere/x

