# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest for suite.py: takes a share of the tests, leaves out those that have a result, and writes each
test's result as a line of JSON. The tests themselves stay as they are.

Environment: SUITE_RESULTS (file to append to), SUITE_DONE (file with a test's name per line), SUITE_SHARE ("0/2"),
SUITE_SECONDS (begin no test after so many), SUITE_LIST (write all names there and run nothing), SUITE_ONLY (file with
the names to run)."""
import json
import os
import subprocess
import time
import zlib

import pytest

STARTED = time.time()
real_run = subprocess.run
runs = []  # exit statuses of the simulator in the test that is running


def run(command, *arguments, **options):
    """subprocess.run, which the suite calls, with a note of the runs of a simulator (not of --version)."""
    is_simulator = isinstance(command, list) and command and "FVP_Corstone" in str(command[0]) and "-a" in command
    if is_simulator:
        runs.append(None)
    try:
        done = real_run(command, *arguments, **options)
    except subprocess.CalledProcessError as error:
        if is_simulator:
            runs[-1] = error.returncode
        raise
    if is_simulator:
        runs[-1] = done.returncode
    return done


subprocess.run = run


def read_names(variable):
    path = os.environ.get(variable)
    if not path or not os.path.exists(path):
        return None
    with open(path) as f:
        return set(f.read().splitlines())


def spread(items):
    """One test of each file, then a second one of each, ...: a run that is cut short has seen all files. The order of
    the files' tests is drawn by their names."""
    files = {}
    for item in sorted(items, key=lambda i: zlib.crc32(i.nodeid.encode())):
        files.setdefault(item.location[0], []).append(item)
    return [tests[i] for i in range(max(map(len, files.values()), default=0)) for tests in files.values() if i < len(tests)]


@pytest.hookimpl(trylast=True)  # behind -k
def pytest_collection_modifyitems(session, config, items):
    listing = os.environ.get("SUITE_LIST")
    if listing:
        with open(listing, "w") as f:
            f.writelines(item.nodeid + "\n" for item in spread(items))
        items[:] = []
        return
    done, only = read_names("SUITE_DONE") or set(), read_names("SUITE_ONLY")
    share, shares = map(int, os.environ.get("SUITE_SHARE", "0/1").split("/"))
    wanted = [i for i in spread(items) if only is None or i.nodeid in only]
    items[:] = [i for n, i in enumerate(wanted) if n % shares == share and i.nodeid not in done]


def pytest_runtest_logstart(nodeid, location):
    runs.clear()


def pytest_runtest_setup(item):
    limit = os.environ.get("SUITE_SECONDS")
    if limit and time.time() - STARTED > float(limit):
        item.session.shouldstop = "the time is over"


def reason_of(report):
    """The line that says why."""
    if getattr(report, "wasxfail", None):
        text = report.wasxfail
    elif report.skipped and isinstance(report.longrepr, tuple):
        text = report.longrepr[2]
    elif report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        text = crash.message if crash else str(report.longrepr)
    else:
        return ""
    return text[:2000]


def write(report, outcome):
    with open(os.environ["SUITE_RESULTS"], "a") as f:
        f.write(json.dumps({"test": report.nodeid, "outcome": outcome, "reason": reason_of(report), "runs": list(runs),
                            "seconds": round(report.duration, 2)}) + "\n")


def pytest_runtest_logreport(report):
    expected = hasattr(report, "wasxfail")
    if report.when == "setup" and not report.passed:
        write(report, ("xfailed" if expected else "skipped") if report.skipped else "error")
    elif report.when == "call":
        write(report, "xfailed" if expected and report.skipped else "xpassed" if expected else report.outcome)
