#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every function that a header of the product declares (and another file defines) has a comment: behind it, or above
it in its paragraph.

  headers.py SOURCE-ROOT

A paragraph ends with an empty line outside of braces, so one comment may introduce a type and its functions, or a
few functions of one kind. Prints what lacks one; exit status 1 then."""
import pathlib
import re
import sys

FOLDERS = ("include", "memory", "cpu", "npu", "devices", "loader", "traces", "sim", "runtime")
FUNCTION = re.compile(r"^(?!typedef|struct \w+ \{|enum|static const|extern const|#)[\w \t*]+?\b(\w+)\([^)]")


def is_bare(lines):
    """Whether the statement at the head of the lines is a declaration, not a body, without a comment behind it."""
    last = next(line for line in lines if re.search("[;{]", line))
    return re.search("[;{]", last)[0] == ";" and "/*" not in last


def undocumented(path):
    """(line number, name) of each function without a comment."""
    depth, introduced, in_comment, in_macro = 0, False, False, False
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if depth == 0 and not in_macro and not in_comment:
            if not line.strip():
                introduced = False
            elif line.startswith("/*"):
                introduced = True
            elif (match := FUNCTION.match(line)) and not introduced and is_bare(lines[number - 1:]):
                yield number, match[1]
        in_comment = line.rfind("/*") > line.rfind("*/") or (in_comment and "*/" not in line)
        in_macro = line.endswith("\\")
        code = re.sub(r"/\*.*?\*/", "", line)
        if not in_macro and not in_comment:
            depth = max(0, depth + code.count("{") - code.count("}"))


def main():
    root = pathlib.Path(sys.argv[1])
    count = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.h")):
            for number, name in undocumented(path):
                print(f"{path.relative_to(root)}:{number}: {name} has no comment")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
