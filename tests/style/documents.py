#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that the documents name exist: targets of links, and paths in backquotes that begin with one of our folders
(or, of a program, its source).

  documents.py SOURCE-ROOT

A path may hold * and end in a slash; NAME stands for any. Prints what is missing; exit status 1 then."""
import pathlib
import re
import sys

FOLDERS = "memory|cpu|npu|devices|loader|traces|sim|runtime|tests|scripts|docs"
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
QUOTED = re.compile(rf"`((?:{FOLDERS})/[\w./*-]*)`")


def missing(root, document):
    text = document.read_text()
    for target in LINK.findall(text):
        if not (document.parent / target).exists():
            yield target
    for path in QUOTED.findall(text):
        pattern = path.rstrip("/.").replace("NAME", "*")
        if not any(root.glob(pattern)) and not (root / (pattern + ".c")).exists():
            yield path


def main():
    root = pathlib.Path(sys.argv[1])
    count = 0
    for document in [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "tests").rglob("*.md"))]:
        for path in missing(root, document):
            print(f"{document.relative_to(root)}: {path} does not exist")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
