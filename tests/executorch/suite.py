#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's own test suites for Arm, unchanged, on the simulator with this project's runners.

  suite.py CACHE BUILD run [--suite arm|cortex_m] [--jobs N] [--minutes N] [--only FILE] [--keyword EXPRESSION]
  suite.py CACHE BUILD again REASON    forgets the results of failed tests whose reason holds the text
  suite.py CACHE BUILD report          prints the counts as Markdown

CACHE gets a virtual environment with ExecuTorch (or FVP_SIM_EXECUTORCH_PYTHON names a Python that has it) and the results, a
line of JSON per test. A run that was ended goes on where it stopped. --only names a file of test names, one per line.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
from wheel import locked, pip, skip  # noqa: E402

PACKAGES = ("torch==2.13.0", "executorch[ethos-u]==1.4.1", "pytest==9.2.0", "tosa-tools==2026.5.0")
SUITES = {"arm": ("executorch.backends.arm.test", "u55 or u65 or u85"),
          "cortex_m": ("executorch.backends.cortex_m.test", "")}
UNEXPECTED = "[XPASS(strict)]"  # how pytest reports a failure when a test passes that must fail; else the outcome is "xpassed"
NO_RUNNER = "Did not find"  # what the suite says when it has no simulator or no runner


class Suite:
    def __init__(self, cache, build, name, keyword=None):
        self.cache, self.build = os.path.abspath(cache), os.path.abspath(build)
        self.name, (self.module, default) = name, SUITES[name]
        self.keyword = default if keyword is None else keyword
        self.results = os.path.join(self.cache, name + ".jsonl")

    def python(self, minutes=None):
        """A Python with the packages; makes the virtual environment when there is none, in so many minutes."""
        given = os.environ.get("FVP_SIM_EXECUTORCH_PYTHON")
        tools = os.path.join(self.cache, "venv")
        python = given or os.path.join(tools, "bin", "python")
        with locked(self.cache):
            if not given and not os.path.exists(os.path.join(tools, "bin", "vela")):
                pip(tools, "install", *PACKAGES, minutes=minutes)
        probe = subprocess.run([python, "-c", f"import pytest, {self.module} as t; print(list(t.__path__)[0])"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.cache)
        if probe.returncode:
            skip(f"{python} lacks ExecuTorch's suite: {probe.stderr.strip().splitlines()[-1]}")
        return python, probe.stdout.strip().splitlines()[-1]

    def read(self):
        """The last result of each test."""
        results = {}
        if os.path.exists(self.results):
            with open(self.results) as f:
                for line in f:
                    one = json.loads(line)
                    results[one["test"]] = one
        return results

    def write(self, results):
        with open(self.results + ".new", "w") as f:
            f.writelines(json.dumps(one) + "\n" for one in results)
        os.replace(self.results + ".new", self.results)

    def process(self, python, folder, files, **environment):
        """A pytest over files of the suite in the background; its output goes to a file."""
        work = os.path.join(self.cache, "work-" + environment.get("SUITE_SHARE", "list").replace("/", "-"))
        os.makedirs(os.path.join(work, "tmp"), exist_ok=True)
        line = [python, "-m", "pytest", "-q", "-p", "recorder", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder,
                "-W", "ignore", "--continue-on-collection-errors", "--tb=short", "--show-capture=no", *(["-k", self.keyword] if self.keyword else []),
                *(os.path.join(folder, name) for name in files)]
        full = dict(os.environ, PYTHONPATH=HERE, OMP_NUM_THREADS="1", TMPDIR=os.path.join(work, "tmp"),
                    EXECUTORCH_ROOT=os.path.join(self.build, "runtime", "executorch"),
                    PATH=os.pathsep.join([self.build, os.path.dirname(python), os.environ["PATH"]]), **environment)
        log = open(os.path.join(work, "log"), "a")
        return subprocess.Popen(["nice", "-n", "10", *line], env=full, cwd=work, stdout=log, stderr=subprocess.STDOUT)

    def listed(self, python, folder):
        """Names of all tests of the suite that the keyword takes."""
        path = os.path.join(self.cache, self.name + ".list")
        if not os.path.exists(path):
            self.process(python, folder, [""], SUITE_LIST=path).wait()
        with open(path) as f:
            return f.read().splitlines()

    def run(self, jobs, minutes, only):
        python, folder = self.python(minutes)
        if only:
            with open(only) as f:
                wanted = f.read().splitlines()
        else:
            wanted = self.listed(python, folder)
        files = sorted({name.split("::")[0] for name in wanted})
        done = os.path.join(self.cache, self.name + ".done")
        for attempt in range(3):  # a test that ends pytest itself must not end the run
            results = self.read()
            with open(done, "w") as f:
                f.writelines(name + "\n" for name in results)
            if all(name in results for name in wanted):
                break
            more = {"SUITE_ONLY": os.path.abspath(only)} if only else {}
            if minutes:
                more["SUITE_SECONDS"] = str(60 * minutes)
            running = [self.process(python, folder, files, SUITE_SHARE=f"{i}/{jobs}", SUITE_RESULTS=self.results, SUITE_DONE=done,
                                    **more) for i in range(jobs)]
            for process in running:
                process.wait()
            if minutes:
                break
        results = self.read()
        bad = [results[name] for name in wanted if name in results and results[name]["outcome"] in ("failed", "error")]
        for one in bad:
            print(f"{one['test']}: {one['reason'].splitlines()[0] if one['reason'] else one['outcome']}")
        ran = sum(name in results for name in wanted)
        print(f"{ran} of {len(wanted)} tests ran, {len(bad)} failed")
        return 1 if bad or (ran < len(wanted) and not minutes) else 0

    def again(self, reason):
        self.write(one for one in self.read().values()
                   if one["outcome"] not in ("failed", "error") or reason not in one["reason"])

    def report(self):
        results = self.read()
        path = os.path.join(self.cache, self.name + ".list")
        names = open(path).read().splitlines() if os.path.exists(path) else list(results)
        print(table(names, results))


def column_of(one):
    """Where a result is counted. What never reached a simulator proves nothing about it, whatever its colour."""
    if one is None:
        return "not run"
    outcome = one["outcome"]
    if NO_RUNNER in one["reason"]:
        return "no runner"
    if outcome == "xpassed" or one["reason"].startswith(UNEXPECTED):
        return "unexpected pass"
    if outcome in ("failed", "error", "skipped"):
        return "skipped" if outcome == "skipped" else "failed"
    kind = "expected failure" if outcome == "xfailed" else "passed"
    return kind if one["runs"] else kind + ", no run"


COLUMNS = ("passed", "failed", "unexpected pass", "expected failure", "passed, no run", "expected failure, no run", "no runner", "skipped",
           "not run")


def table(names, results):
    files = collections.defaultdict(collections.Counter)
    for name in names:
        files[name.split("::")[0]][column_of(results.get(name))] += 1
    total = sum(files.values(), collections.Counter())
    lines = ["| File | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name, counts in [("all", total), *sorted(files.items())]:
        lines.append(f"| {name} | " + " | ".join(str(counts[c] or "") for c in COLUMNS) + " |")
    for kind in ("failed", "unexpected pass"):
        reasons = collections.Counter(re.sub(r"\d+", "N", (one["reason"] or "?").splitlines()[0])[:160]
                                      for one in results.values() if column_of(one) == kind)
        if reasons:
            lines += ["", f"| {kind.capitalize()} | Reason |", "|---|---|", *(f"| {n} | {text} |" for text, n in reasons.most_common())]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cache")
    parser.add_argument("build")
    parser.add_argument("action", choices=("run", "again", "report"))
    parser.add_argument("reason", nargs="?", default="")
    parser.add_argument("--suite", choices=SUITES, default="arm")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only")
    parser.add_argument("--keyword")
    a = parser.parse_args()
    os.makedirs(a.cache, exist_ok=True)
    suite = Suite(a.cache, a.build, a.suite, a.keyword)
    if a.action == "run":
        return suite.run(a.jobs, a.minutes, a.only)
    return suite.again(a.reason) if a.action == "again" else suite.report()


if __name__ == "__main__":
    sys.exit(main())
