#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# origin.sh FVP_SIM GUEST.elf: an end that is not the program's own tells of the NPU's last operations, asleep as well, on every engine.
set -eu
program=$1 guest=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for engine in tail switch step; do
	"$program" --elf "$guest" --cyclelimit 110000 --engine $engine --report "$folder/$engine.json" > "$folder/out" 2> "$folder/$engine" || [ $? = 124 ]
	cmp "$folder/tail" "$folder/$engine"
	cmp "$folder/tail.json" "$folder/$engine.json"
done
grep -q '#0  0x[0-9a-f]* in sleep_once+' "$folder/tail"
grep -q '#1  0x[0-9a-f]* in main+' "$folder/tail"
grep -q 'main+.* in sleep_once+0x0 .*(call)' "$folder/tail"
grep -c 'operation 0, at 0x20: dma 16 bytes 0x31000200 -> 0x31000300' "$folder/tail" > "$folder/count"
grep -qx 3 "$folder/count"
python3 - "$folder/tail.json" << 'END'
import json
import sys

end = json.load(open(sys.argv[1]))['end']
assert [o['offset'] for o in end['npu_operations']] == [0x20] * 3, end['npu_operations']
assert len(end['branches']) == 32 and end['branches'][-1]['kind'] == 'call', end['branches'][-1]
assert end['backtrace'][0]['place'].startswith('sleep_once'), end['backtrace']
END
