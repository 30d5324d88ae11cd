#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program that uses scripts, with good and with bad ones.

usage: run.py BUILD SCRIPTS ELF-300 ELF-310 ELF-320 ELF-FLOOD"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

build, scripts = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
elf = dict(zip(("corstone-300", "corstone-310", "corstone-320"), (pathlib.Path(path).resolve() for path in sys.argv[3:6])))
flood = pathlib.Path(sys.argv[6]).resolve()
program = build / "fvp-sim"
names = {"corstone-300": "FVP_Corstone_SSE-300_Ethos-U55", "corstone-310": "FVP_Corstone_SSE-310", "corstone-320": "FVP_Corstone_SSE-320"}
printed = """hello
signals in 000000af
value 000009a4
value fffffffd
register 00000041
register fffffffe
overflows 0000000a
index 00000002
runs on 00000000
"""
sent = bytes((block * 37 + i * 11) & 0xFF for block in range(10) for i in range(64))
failures = 0


def check(name, good, *shown):
    global failures
    if not good:
        failures += 1
        print("FAIL", name, *shown, sep="\n")


def run(folder, *words, timeout=60, **more):
    return subprocess.run(list(map(str, words)), cwd=folder, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, **more)


def is_good(name, folder, done, out=printed, file=True):
    made = folder / "sent"
    check(name, done.returncode == 7 and done.stdout == out and (not file or made.read_bytes() == sent), done.returncode, done.stdout, done.stderr)
    made.unlink(missing_ok=True)


def good_scripts(folder):
    for board, image in elf.items():
        done = run(folder, program, "--board", board, "--elf", image, "--scripts", scripts)
        is_good(board, folder, done)
        check("what scripts print", all(t in done.stderr for t in ("arm_vsi0 is imported", "a program of the script", "a block of 64")), done.stderr)
        part = "mps4_board" if board.endswith("320") else "mps3_board"
        core = "mps4_board.subsystem.cpu0" if board.endswith("320") else "cpu0"
        done = run(folder, build / names[board], "-q", "-a", image, "-C", f"{part}.v_path={scripts}/", "-C", f"{part}.uart0.out_file=-",
                   "-C", f"{core}.semihosting-enable=1")
        done.stdout = done.stdout.replace("\nInfo: /OSCI/SystemC: Simulation stopped by user.\n", "")
        is_good(names[board], folder, done)
        done = run(folder, build / names[board], "-q", "-V", scripts, "-a", image, "-C", f"{part}.uart0.out_file=-", "-C", f"{core}.semihosting-enable=1")
        done.stdout = done.stdout.replace("\nInfo: /OSCI/SystemC: Simulation stopped by user.\n", "")
        is_good(names[board] + " -V", folder, done)


def same_again(folder):
    """The same answers: the same bytes, cycles, report, whatever the engine."""
    reports = []
    for engine in "tail", "switch", "step", "tail":
        done = run(folder, program, "--elf", elf["corstone-300"], "--scripts", scripts, "--engine", engine, "--report", "report.json")
        is_good(engine, folder, done)
        report = json.loads((folder / "report.json").read_text())
        reports.append((report["end"], report["cpu"]["cycles"], report["cpu"]["instructions"]))
    check("the same each time", all(r == reports[0] for r in reports), *reports)


def record(folder):
    copy = folder / "copy"
    shutil.copytree(scripts, copy)
    is_good("record", folder, run(folder, program, "--elf", elf["corstone-300"], "--scripts", copy, "--record", "record"))
    shutil.rmtree(copy)
    done = run(folder, program, "--replay", "record")
    check("replay", done.returncode == 7 and done.stdout == printed and "a block" not in done.stderr and not (folder / "sent").exists(), done)


def states(folder):
    words = [program, "--elf", elf["corstone-300"], "--scripts", scripts]
    is_good("save before a call", folder, run(folder, *words, "--save-at", "ending=state"))
    is_good("restore", folder, run(folder, *words, "--restore", "state"), printed.replace("hello\n", ""))
    done = run(folder, *words, "--save-at", "30000=later")
    check("save behind a call", done.returncode == 64 and "arm_vsi0.py has been called, and what it holds cannot be saved" in done.stderr, done)


def back_and_on(folder):
    """Under a debugger, back to before all calls and on again: the scripts are not called twice for it."""
    if not shutil.which("gdb-multiarch"):
        print("SKIP: no gdb-multiarch")
        return
    image = elf["corstone-300"]
    served = f"{program} --elf {image} --scripts {scripts} --uart0 printed --gdb -"
    done = run(folder, "gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off", "-ex", f"target remote | {served} 2>errors", "-ex", "break leave",
               "-ex", "break ending", "-ex", "continue", "-ex", "continue", "-ex", "reverse-continue", "-ex", "print came", "-ex", "continue",
               "-ex", "print came", "-ex", "kill", image)
    errors = (folder / "errors").read_text()
    check("back and on", "$1 = 0" in done.stdout and "$2 = 10" in done.stdout and errors.count("a block of 64") == 10, done.stdout, done.stderr, errors)
    check("back and on: sent once", (folder / "sent").read_bytes() == sent and (folder / "printed").read_text() == printed, (folder / "printed").read_text())


def edited(folder, name, text, replaced=None):
    """A folder with the scripts of which one has another text, or a part of it."""
    to = folder / "edited"
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(scripts, to)
    path = to / name
    path.write_text(path.read_text().replace(replaced, text) if replaced else text)
    return to


# name, script, its text or what replaces a part of it, that part, exit status, what standard error has, has the program run?
BAD = (
    ("syntax", "arm_vsi0.py", "def init(:\n", None, 65, "arm_vsi0.py, line 1: SyntaxError: ", False),
    ("import", "arm_vsi0.py", "import no_such_module\n", None, 65, "arm_vsi0.py, line 1, in <module>: ModuleNotFoundError: No module named 'no_such", False),
    ("exit at import", "arm_vio.py", "import sys\nsys.exit(3)\n", None, 65, "arm_vio.py, line 2, in <module>: SystemExit: 3", False),
    ("death at import", "arm_vio.py", "import os\nos._exit(3)\n", None, 65, "arm_vio.py: cannot be imported: its python3 ended with status 3", False),
    ("init", "arm_vio.py", "    raise OSError('no\\ncamera')", "    pass", 65, "arm_vio.py, line 8, in init: OSError: no camera; correct", False),
    ("raises", "arm_vsi0.py", "    return regs[index + 1]", "    return -2 if index == 63 else regs[index]", 65,
     "VSI0: FOLDER/arm_vsi0.py, line 51, in rdRegs: IndexError: list index out of range; correct the script [VSI003]", True),
    ("raises elsewhere", "arm_vsi0.py", "    import json; return json.loads('{')", "    return -2 if index == 63 else regs[index]", 65,
     "arm_vsi0.py, line 51, in rdRegs: JSONDecodeError: ", True),
    ("exit", "arm_vsi1.py", "    import sys; sys.exit()", "    assert isinstance(data, bytearray) and len(data) == size", 65,
     "arm_vsi1.py, line 7, in wrDataDMA: SystemExit; correct", True),
    ("death", "arm_vsi1.py", "    import os; os.abort()", "    assert isinstance(data, bytearray) and len(data) == size", 65,
     "arm_vsi1.py: wrDataDMA(data, 640) has no answer: its python3 was ended by signal 6; correct", True),
    ("closes all", "arm_vio.py", "    import os; os.closerange(0, 100)", "    return signals & mask", 65, "arm_vio.py: rdSignal(255) has no answer: its python3", True),
    ("too few bytes", "arm_vsi0.py", "    return b'abc'", "    print(\"a block of\", size)", 65,
     "arm_vsi0.py: rdDataDMA(64) gives 3 bytes, not 64; correct", True),
    ("too many bytes", "arm_vsi0.py", "    return bytes(10_000_000)", "    print(\"a block of\", size)", 65,
     "arm_vsi0.py: rdDataDMA(64) gives 10000000 bytes, not 64; correct", True),
    ("no bytes", "arm_vsi0.py", "    return", "    print(\"a block of\", size)", 65, "arm_vsi0.py: rdDataDMA(64) gives None, not bytes; correct", True),
    ("number for bytes", "arm_vsi0.py", "    return 7", "    print(\"a block of\", size)", 65, "rdDataDMA(64) gives a number, not bytes; correct", True),
    ("text for bytes", "arm_vsi0.py", "    return 'text'", "    print(\"a block of\", size)", 65, "rdDataDMA(64) gives a value of type str, not bytes", True),
    ("no number", "arm_vio.py", "    return", "    return signals & mask", 65, "arm_vio.py: rdSignal(255) gives None, not a number; correct", True),
    ("bytes for a number", "arm_vio.py", "    return b'1'", "    return signals & mask", 65, "rdSignal(255) gives bytes, not a number; correct", True),
    ("fraction", "arm_vio.py", "    return 0.5", "    return signals & mask", 65, "rdSignal(255) gives a value of type float, not a number of 32 bits", True),
    ("large number", "arm_vio.py", "    return 1 << 99999", "    return signals & mask", 65, "rdSignal(255) gives a number of 100000 bits, not a number of", True),
    ("written number", "arm_vsi0.py", "    return 1 << 32", "    irq = value\n    return value", 65, "wrIRQ(1) gives a number of 33 bits, not a number of", True),
    ("not a function", "arm_vio.py", "rdSignal = 5\n\n\ndef other(mask):", "def rdSignal(mask):", 7, "", True),
)


def bad_scripts(folder):
    for name, script, text, part, status, message, ran in BAD:
        to = edited(folder, script, text, part)
        done = run(folder, program, "--elf", elf["corstone-300"], "--scripts", to)
        lines = [line for line in done.stderr.splitlines() if message.replace("FOLDER", str(to)) in line]
        check(name, done.returncode == status and lines and ran == done.stdout.startswith("hello"), done.returncode, done.stdout, done.stderr)
        check(name + ": one line, no traceback", "Traceback" not in done.stderr and (status == 7 or len(lines) == 1), done.stderr)


def record_of_a_failure(folder):
    to = edited(folder, "arm_vsi0.py", "    return b'abc'", "    print(\"a block of\", size)")
    done = run(folder, program, "--elf", elf["corstone-300"], "--scripts", to, "--record", "failed")
    again = run(folder, program, "--replay", "failed")
    check("replay of a failure", done.returncode == again.returncode == 65 and done.stdout == again.stdout and "otherwise" not in again.stderr, done, again)


def missing(folder):
    words = [program, "--elf", elf["corstone-300"], "--scripts"]
    done = run(folder, *words, folder / "none")
    check("no folder", done.returncode == 66 and "--scripts, v_path): " in done.stderr and "No such file" in done.stderr, done)
    done = run(folder, *words, elf["corstone-300"])
    check("a file", done.returncode == 66 and "is no folder" in done.stderr, done)
    (folder / "empty").mkdir()
    done = run(folder, *words, folder / "empty")
    check("no scripts", done.returncode == 7 and "[VSI004]" in done.stderr and "DMA moves nothing" in done.stderr, done)
    done = run(folder, *words, scripts, env={"PATH": str(folder / "none")})
    check("no python3", done.returncode == 66 and "; install Python 3, or put it into PATH" in done.stderr, done)


def children_of(folder):
    """Process ids of python3 that work there."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (path / "cwd").resolve() == folder.resolve() and b"arm_vs" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found


def endless(folder):
    """A script that does not answer: limits and signals end the run, and the script with it."""
    to = edited(folder, "arm_vsi0.py", "    while True: pass", "    print(\"a block of\", size)")
    words = [program, "--elf", elf["corstone-300"], "--scripts", to]
    began = time.monotonic()
    done = run(folder, *words, "--timelimit", "1")
    check("limit", done.returncode == 124 and time.monotonic() - began < 10, done)
    check("no script is left", not children_of(folder), children_of(folder))
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
        with subprocess.Popen(list(map(str, words)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
            while not children_of(folder):
                time.sleep(0.1)
            time.sleep(1.5)  # it is asked for bytes by now
            p.send_signal(number)
            p.wait(20)
        until = time.monotonic() + 15
        while children_of(folder) and time.monotonic() < until:
            time.sleep(0.1)
        check(f"signal {number}", p.returncode == (-9 if number == signal.SIGKILL else 130) and not children_of(folder), p.returncode, children_of(folder))


def endless_beginning(folder):
    for name, limit, text in ("its import", "0.5", "while True: pass\n"), ("init()", "4", "import time\n\n\ndef init():\n    time.sleep(99)\n"):
        (folder / "arm_vsi5.py").write_text(text)
        done = run(folder, program, "--elf", elf["corstone-300"], "--scripts", folder, "--timelimit", limit)
        check(name, done.returncode == 66 and f"arm_vsi5.py: {name} has not ended within the time limit" in done.stderr, done)
    check("no script is left", not children_of(folder), children_of(folder))


def working_directory(folder):
    """Files there are not taken for Python's own."""
    for name in "struct", "traceback", "select", "arm_vio":
        (folder / f"{name}.py").write_text("raise SystemExit('not to be imported')\n")
    is_good("working directory", folder, run(folder, program, "--elf", elf["corstone-300"], "--scripts", scripts))


def memory(folder):
    """What scripts send is not kept for ever."""
    (folder / "arm_vsi0.py").write_text("blocks = 0\n\n\ndef rdDataDMA(size):\n    global blocks\n    blocks += 1\n    return bytes([blocks]) * size\n")
    with open(folder / "out", "w") as out, subprocess.Popen([program, "--elf", flood, "--scripts", folder], stdout=out, stderr=out) as p:
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    checked = b"__asan_init" in program.read_bytes()  # which keeps memory itself
    check("memory", p.returncode == 250 and (checked or used.ru_maxrss < 150_000), p.returncode, used.ru_maxrss, (folder / "out").read_text())


def main():
    for test in good_scripts, same_again, record, states, back_and_on, bad_scripts, record_of_a_failure, missing, endless, endless_beginning, working_directory, memory:
        with tempfile.TemporaryDirectory() as folder:
            test(pathlib.Path(folder))
    print(f"{failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
