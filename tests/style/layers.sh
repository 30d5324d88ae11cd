#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The layout shows the architecture: checks that includes follow it (docs/architecture.md) and
# that every source file states the licence. Usage: layers.sh SOURCE-ROOT
set -u
cd "$1" || exit 1
failed=0

# folder: the folders that its files may include
allowed() {
	case $1 in
	memory) echo memory ;;
	cpu) echo cpu memory ;;
	npu) echo npu memory ;;
	devices) echo devices memory ;;
	loader) echo loader memory ;;
	traces) echo traces memory ;;
	sim) echo sim cpu npu devices loader traces memory ;;
	runtime) echo runtime ;;
	esac
}

for folder in memory cpu npu devices loader traces sim runtime; do
	may=" $(allowed $folder) "
	while IFS=: read -r file line text; do
		target=$(sed -n 's/.*#include "\([^/"]*\)\/.*/\1/p' <<<"$text")
		[ -z "$target" ] && continue
		case $may in
		*" $target "*) ;;
		*) echo "$file:$line: $folder/ may not include $target/"; failed=1 ;;
		esac
	done < <(grep -rn '^#include "' "$folder" --include=*.c --include=*.h --include=*.def)
done

while read -r file; do
	head -3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || { echo "$file: no licence line"; failed=1; }
done < <(find memory cpu npu devices loader traces sim runtime tests scripts -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.py' | grep -v /data/)

exit $failed
