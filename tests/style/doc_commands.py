#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command lines of README.md and docs/, but for docs/evidence/, which tells what was done. A test runs each of them, or it is named here
with the reason why none does.

  doc_commands.py SOURCE-ROOT          prints command lines that are neither; exit status 1 then
  doc_commands.py SOURCE-ROOT TEST     prints the command lines that TEST is to run, in the order of the documents

Command lines are those of blocks of code, and in the text what stands in backquotes, begins with a program and has no place-holders in capitals.
A test that runs some takes them from here, so what is added to a document is run without a change of the test."""
import pathlib
import re
import sys

PROGRAM = (r"(?:fvp-sim|FVP_\w+(?:-\w+)*|gdb-multiarch|meson|ninja|python3?|pip|npm|cc|gcc|clang|cp|mkdir|cd|mlia|vela|callgrind_annotate|genhtml|docker|git|curl"
           r"|(?:\./|scripts/|tests/|runtime/|build/)[\w./-]+)")
COMMAND = re.compile(rf"(?!fvp-sim npu: )(?:\w+=\S+ )*{PROGRAM}(?: .*|$)")
FORM = re.compile(r"(?<![\w.=-])[A-Z]+(?:[@.]\w+)?(?![\w=(])")
# Blocks that are no command lines, by how they begin: Python, C, rows of our tables, drawings, output of the program, JSON, TOML.
OTHER = re.compile(r"import |with |for |def |[\w, ]+ = |#define |[A-Z]+\(|\w+(?:\.\w+)? +--[\w/.*]+-?->|\s|(?:fvp-sim(?: npu)?|make-runner): |\{")

# Documents, what the command line begins with, the test that runs it; the first row that fits holds.
RUN = (
    (r"docs/guide/debugging\.md|README\.md", r"gdb-multiarch ", "gdb document"),
    (r"docs/guide/debugging\.md", r"fvp-sim ", "gdb document"),
    (r"docs/guide/python\.md", r"fvp-sim (?:npu --|--elf )", "python package"),
    (r"docs/guide/ci\.md", r"fvp-sim npu .*--report new\.json", "python package"),
    (r"docs/guide/.*", r"python -m fvpsim ", "python package"),
    (r"docs/guide/library\.md", r"meson |cc ", "api document"),
    (r"docs/guide/runtime\.md|README\.md", r"runtime/make-runner |build/fvp-sim ", "readme"),
    (r".*", r"(?:fvp-sim(?: npu)?|FVP_\S+) -|fvp-sim trace convert \S", "documents"),
    (r"docs/guide/traces-and-profiles\.md", r"callgrind_annotate", "documents"),
    (r"README\.md", r"meson install", "api document"),
)

# The same of those that no test runs, with the reason.
NOT_RUN = (
    (r".*", r"fvp-sim (?:npu|trace|trace convert)$", "the name of a command, no command line"),
    (r"docs/guide/.*", r"fvp-sim (?:npu )?--(?:record|replay|report)$", "the name of an option, no command line"),
    (r"README\.md", r"scripts/demo\.sh|scripts/install-deps\.sh build", "installs packages and builds in the source folder; what it runs then is run by the test readme"),
    (r".*", r"scripts/test\.sh", "runs all tests, this one, too"),
    (r".*", r"meson setup build", "every configuration of scripts/test.sh begins with it"),
    (r".*", r"(?:FVP_SIM_EXECUTORCH_PYTHON=\S+ )?meson test ", "runs tests, this one, too"),
    (r".*", r"pip install |scripts/build-wheel\.sh", "needs a package index; tests/python/wheel.sh does it in the suite slow"),
    (r"docs/guide/from-an-fvp\.md", r"mkdir |cp ", "lays the folder of the next row; tests/golden/run_mlia.py has one"),
    (r".*", r"mlia ", "needs a package index; tests/golden/run_mlia.py does it in the suite slow"),
    (r"docs/guide/traces-and-profiles\.md", r"genhtml ", "lcov is not among the packages that tests need; tests/cli/traces.py reads the file"),
    (r"docs/guide/traces-and-profiles\.md", r"tests/bench/traces\.py", "a measurement of minutes"),
    (r"docs/guide/debugging\.md", r"\(gdb\) ", "lines of a session; tests/gdb has the same for a tensor of its network"),
    (r"docs/design/.*", r"tests/npu/\w+\.py build/fvp-sim$", "needs a package index; in the suite slow"),
    (r"docs/(?:design|reference)/.*", r"build/tests/\S+/print_\w+ > ", "the tests docs-devices and docs-npu compare its output with the document"),
    (r"docs/design/tests\.md", r"scripts/test-aarch64\.sh all", "half an hour; scripts/test.sh runs the fast part"),
    (r"docs/design/how-to-add-an-instruction\.md", r"CUT_STENCILS_TELL=1 ninja ", "builds everything; every build cuts the code, only without telling"),
    (r"docs/design/how-to-add-an-instruction\.md", r"cd build/tests/differential|\./(?:differential|list_rows) ",
     "minutes; the suite differential runs the programs with fewer instructions"),
    (r"docs/reference/kernels\.md", r"tests/runtime/kernel_list\.py --write", "writes into the sources; a test runs it without --write"),
    (r"docs/reference/kernels\.md", r"ninja -C build runtime-host", "scripts/test.sh builds it"),
)


def blocks(text):
    """Blocks of code: lists of (line's number, text). Fenced ones with a language other than a shell's are left out."""
    block, fence, after_blank = [], None, True
    for number, line in enumerate([*text.splitlines(), ""], 1):
        mark = re.match(r"```(\w*)", line)
        if mark and fence is None:
            fence, block = mark[1], []
        elif mark:
            if fence in ("", "sh", "bash", "console"):
                yield block
            fence, block = None, []
        elif fence is not None:
            block.append((number, line))
        elif line.startswith("    ") and (after_blank or block):
            block.append((number, line[4:]))
        elif block and line.strip():
            yield block
            block = []
        after_blank = not line.strip()
    if block:
        yield block


def joined(block):
    """The block's lines, those that a backslash continues as one."""
    start, text = 0, ""
    for number, line in block:
        start = start if text else number
        text += line.lstrip() if text else line
        if text.endswith("\\"):
            text = text[:-1]
            continue
        yield start, text.split("  # ")[0].rstrip()
        text = ""


def of_block(block):
    """Command lines of a block; what follows `$ ` where there are such lines, what a workflow's steps run, or all lines. None: not known what it is."""
    lines = [x for x in joined(block) if x[1]]
    first = lines[0][1]
    marked = [(n, line[2:]) for n, line in lines if line.startswith("$ ")]
    steps = [(n, m[1]) for n, line in lines if (m := re.fullmatch(rf"\s*- (?:run: )?({COMMAND.pattern})", line))]
    session = [(n, line) for n, line in lines if line.startswith("(gdb) ")]
    if marked or steps or session:
        return marked or steps or session
    commands = [(n, line) for n, line in lines if COMMAND.fullmatch(line)]
    if len(commands) == len(lines) or (commands and first != commands[0][1] and OTHER.match(first) and not first[0].isspace()):
        return commands
    return [] if OTHER.match(first) else None


def of_document(path):
    """Line numbers and command lines; the reason instead of a command line where a block is not understood."""
    text = path.read_text()
    found = []
    for block in blocks(text):
        commands = of_block(block)
        found += [(block[0][0], None)] if commands is None else commands
    inside = {n for block in blocks(text) for n, _ in block}
    for number, line in enumerate(text.splitlines(), 1):
        if number not in inside:
            found += [(number, m) for m in re.findall(r"`([^`]+)`", line) if " " in m and COMMAND.fullmatch(m) and not FORM.search(m) and "..." not in m]
    return sorted(found, key=lambda x: x[0])


def documents(root):
    for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        if "evidence" not in path.relative_to(root).parts:
            yield path.relative_to(root).as_posix(), path


def row_of(rows, document, command):
    return next((row for row in rows if re.fullmatch(row[0], document) and re.match(row[1], command)), None)


def commands_of(root, test):
    """Documents and command lines that the test is to run."""
    return [(name, command) for name, path in documents(root) for _, command in of_document(path)
            if command and not row_of(NOT_RUN, name, command) and (row_of(RUN, name, command) or ("",) * 3)[2] == test]


def check(root):
    used, wrong = set(), []
    for name, path in documents(root):
        for number, command in of_document(path):
            row = command and (row_of(NOT_RUN, name, command) or row_of(RUN, name, command))
            used.add(row)
            if not command:
                wrong.append(f"{name}:{number}: neither command lines nor what OTHER has")
            elif not row:
                wrong.append(f"{name}:{number}: no test runs it, and NOT_RUN does not say why: {command}")
    return wrong + [f"no document has such a command line: {row[0]}: {row[1]}" for row in (*RUN, *NOT_RUN) if row not in used]


def main():
    root = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2:
        print("\n".join(command for _, command in commands_of(root, sys.argv[2])))
        return 0
    wrong = check(root)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
