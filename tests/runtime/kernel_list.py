#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The list of operators in docs/reference/kernels.md, made of kernels.def.

  kernel_list.py KERNELS.DEF DOCUMENT           does the document agree? exit status 1 when not
  kernel_list.py KERNELS.DEF DOCUMENT --write   makes it agree
"""
import re
import sys

BEGIN, END = "<!-- operators -->\n", "<!-- end of operators -->\n"


def table(definition):
    """A row per group: the comment above it, then its operators by name with all their overloads."""
    rows = ["| What, where in `runtime/kernels` | Operators |", "|---|---|"]
    for block in definition.split("\n\n")[1:]:
        title = re.match(r"/\* (.*?) \*/", block).group(1)
        names = {}
        for name in re.findall(r'^K\("([^"]+)"', block, re.M):
            base, _, overload = name.partition(".")
            names.setdefault(base, {})[overload or "(no overload)"] = None  # once: rows differ by the version of ExecuTorch
        rows.append(f"| {title} | " + ", ".join(f"`{n}` {' '.join(o)}" for n, o in names.items()) + " |")
    return "\n".join(rows) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        new = table(f.read())
    with open(sys.argv[2], encoding="utf-8") as f:
        document = f.read()
    before, rest = document.split(BEGIN)
    old, after = rest.split(END)
    if "--write" in sys.argv:
        with open(sys.argv[2], "w", encoding="utf-8") as f:
            f.write(before + BEGIN + new + END + after)
        return 0
    if old != new:
        print("docs/reference/kernels.md does not list what kernels.def has: run kernel_list.py --write")
    return old != new


if __name__ == "__main__":
    sys.exit(main())
