#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scripts.sh ROOT: shell scripts by shellcheck and Python files by pyflakes, as far as the tools are there: what is not run
# in every test may call what is not there. Skipped where there is neither tool.
set -u
cd "$1" || exit 1
status=0 checked=0

if command -v shellcheck > /dev/null; then
	checked=1
	find .ci/run scripts tests -name '*.sh' -o -path .ci/run | sort | xargs shellcheck --severity=style || status=1
fi
for flakes in pyflakes3 pyflakes; do
	if command -v $flakes > /dev/null; then
		checked=1
		# An import that is there for what it does is marked "noqa", as for other checkers.
		findings=$(find tests runtime -name '*.py' | sort | xargs $flakes 2>&1)
		while IFS=: read -r file line rest; do
			[ -z "$line" ] || sed -n "${line}p" "$file" | grep -q noqa || { echo "$file:$line:$rest"; status=1; }
		done <<-END
		$findings
		END
		break
	fi
done
[ $checked = 1 ] || exit 77
exit $status
