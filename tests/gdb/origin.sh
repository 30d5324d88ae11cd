#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# origin.sh FVP_SIM GUEST.elf BAD_STREAM.elf: an end that is not the program's own tells of the NPU's last operations, asleep as well, on
# every engine; of a bad command stream once which command it was, and where.
set -eu
program=$1 guest=$2 bad=$3
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

for engine in tail switch step; do
	"$program" --elf "$bad" --engine $engine --report "$folder/bad-$engine.json" > "$folder/out" 2> "$folder/bad-$engine" || [ $? = 82 ]
	cmp "$folder/bad-tail" "$folder/bad-$engine"
	cmp "$folder/bad-tail.json" "$folder/bad-$engine.json"
done
said() { # lines, each with the pattern
	grep -c "$2" "$folder/bad-tail" > "$folder/count" || true
	grep -qx "$1" "$folder/count" || { echo "not $1 lines with $2:"; cat "$folder/bad-tail"; exit 1; }
}
said 1 'guest: NPU command at offset 0x38: read of DMA source at 0x4f001000..0x4f00100f (region 0): not memory'
said 1 'the last NPU job failed: command at offset 0x38: read of DMA source'
said 1 '#0  0x[0-9a-f]* in run_job+'
said 1 '#1  0x[0-9a-f]* in invoke+'
said 1 'invoke+.* in run_job+0x0 .*(call)'
said 1 'job 0, operation 0, at 0x20: dma 16 bytes 0x31001000 -> 0x31001100'
said 1 'job 0, operation 1, at 0x2c: dma 16 bytes 0x31001000 -> 0x31001200'
python3 - "$folder/bad-tail.json" << 'END'
import json
import sys

report = json.load(open(sys.argv[1]))
end = report['end']
assert [o['offset'] for o in end['npu_operations']] == [0x20, 0x2c], end['npu_operations']
assert [f['place'].split('+')[0] for f in end['backtrace'][:3]] == ['run_job', 'invoke', 'ending'], end['backtrace']
assert end['branches'][-1]['to_place'].startswith('run_job'), end['branches'][-1]
END
