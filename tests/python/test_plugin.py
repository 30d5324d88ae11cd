# SPDX-License-Identifier: Apache-2.0
"""The plugin of pytest: machines as fixtures, cycles against a baseline."""
import importlib.metadata
import json
import os

import pytest

RUNNER = os.environ.get("FVPSIM_RUNNER", "")
pytestmark = pytest.mark.skipif(not RUNNER, reason="no runner image: the build has no arm-none-eabi-gcc")
NPU = "ethos-u55-128"

TEST_FILE = '''
def test_it(fvpsim_machine, assert_cycles):
    m = fvpsim_machine(npu="ethos-u55-128")
    m.load({runner!r})
    m.run()
    assert_cycles(m.counts.npu_cycles, tolerance=0.01)
    assert m.end.reason == {reason!r}
'''


def run_plugin(pytester, *arguments):
    installed = importlib.metadata.entry_points(group="pytest11", name="fvpsim")  # of a wheel; pytest loads it by itself
    return pytester.runpytest(*(() if installed else ("-p", "fvpsim.pytest")), *arguments)


def test_the_plugin_keeps_a_baseline_and_shows_the_machine(pytester):
    pytester.makepyfile(TEST_FILE.format(runner=RUNNER, reason="EXIT"))
    run_plugin(pytester).stdout.fnmatch_lines(["*run once with --fvpsim-update*"])
    run_plugin(pytester, "--fvpsim-update").assert_outcomes(passed=1)
    run_plugin(pytester).assert_outcomes(passed=1)
    pytester.makepyfile(TEST_FILE.format(runner=RUNNER, reason="LOCKUP"))
    run_plugin(pytester, "--fvpsim-update").stdout.fnmatch_lines(["*fvp-sim machine 0*", "end: EXIT: *", "*PASS: output equals*"])
    baseline = pytester.path / "fvpsim_cycles.json"
    baseline.write_text(baseline.read_text().replace(": 1", ": "))
    run_plugin(pytester).stdout.fnmatch_lines(["*% of the baseline*"])
    baseline.write_text("{damaged")
    run_plugin(pytester).stdout.fnmatch_lines(["*damaged baseline*--fvpsim-update writes a new one*"])
    pytester.makepyfile(TEST_FILE.format(runner=RUNNER, reason="EXIT"))
    run_plugin(pytester, "--fvpsim-update").assert_outcomes(passed=1)
    run_plugin(pytester).assert_outcomes(passed=1)


def test_tests_of_one_name_in_two_files_have_each_a_baseline(pytester):
    text = "def test_it(assert_cycles):\n    assert_cycles({cycles})\n"
    pytester.makepyfile(test_few=text.format(cycles=10), test_many=text.format(cycles=1000))
    run_plugin(pytester, "--fvpsim-update").assert_outcomes(passed=2)
    pytester.makepyfile(test_few=text.format(cycles=11), test_many=text.format(cycles=1000))
    run_plugin(pytester).assert_outcomes(passed=1, failed=1)


def test_a_machine_that_its_test_closed_is_shown(pytester):
    pytester.makepyfile(f"def test_it(fvpsim_machine):\n    with fvpsim_machine(npu={NPU!r}) as m:\n"
                        f"        m.load({RUNNER!r}).run()\n    assert False\n")
    shown = run_plugin(pytester)
    shown.assert_outcomes(failed=1)
    shown.stdout.fnmatch_lines(["*fvp-sim machine 0*", "end: not known: the machine is closed", "*PASS: output equals*"])


def test_a_baseline_of_nothing_is_exceeded_with_words(pytester):
    text = "import numpy\n\ndef test_it(assert_cycles):\n    assert_cycles(numpy.uint64({cycles}))\n"
    pytester.makepyfile(text.format(cycles=0))
    run_plugin(pytester, "--fvpsim-update").assert_outcomes(passed=1)
    run_plugin(pytester).assert_outcomes(passed=1)
    pytester.makepyfile(text.format(cycles=5))
    run_plugin(pytester).stdout.fnmatch_lines(["*5 cycles, the baseline has none*"])


MANY = '''
import concurrent.futures, multiprocessing, pathlib
from fvpsim import pytest as plugin

def keep(i):
    for k in range(50):
        plugin._store(pathlib.Path({path!r}), f"{{i}}:{{k}}", 1)

def test_all():
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.map(keep, range(4))
'''


def test_processes_store_beside_each_other(pytester):
    path = pytester.path / "fvpsim_cycles.json"
    pytester.makepyfile(MANY.format(path=str(path)))
    run_plugin(pytester).assert_outcomes(passed=1)
    assert len(json.loads(path.read_text())) == 200
