# SPDX-License-Identifier: Apache-2.0
"""The gate: what it finds, what it says, how it ends."""
import json
from xml.etree import ElementTree

import pytest

from fvpsim import ReportError, UsageError, compare, read
from fvpsim.__main__ import main


def operation(**changes):
    return {"kind": "conv", "offset": 4, "shape": "8x8x8 -> 8x8x8", "cycles": 100, "start": 0, "finish": 100, "macs": 4096,
            "utilisation_permille": 500, "bound": "mac", "port0_read_bytes": 512, "port0_written_bytes": 512,
            "port1_read_bytes": 64, "port1_written_bytes": 0, **changes}


def report(tmp_path, name, operations, **changes):
    data = {"schema": "fvp-sim-npu-report", "version": 1, "accelerator": "ethos-u55-128", "end": "stop", "message": "",
            "jobs": 1, "cycles": sum(o["cycles"] for o in operations), "events": {"AXI0_RD_DATA_BEAT_RECEIVED": 64},
            "operations": operations, **changes}
    path = tmp_path / name
    path.write_text(json.dumps(data))
    return str(path)


def test_equal_runs_pass(tmp_path, capsys):
    path = report(tmp_path, "a.json", [operation()])
    assert main(["compare", path, path]) == 0
    assert "ok: nothing grew" in capsys.readouterr().out


def test_growth_above_the_limit_fails_and_names_the_layer_and_what_changed(tmp_path, capsys):
    base = report(tmp_path, "a.json", [operation(), operation(kind="add")])
    new = report(tmp_path, "b.json", [operation(), operation(kind="add", cycles=103, bound="port0", port0_read_bytes=1024)])
    assert main(["compare", base, new, "--max-regression", "2%"]) == 0
    assert main(["compare", base, new, "--max-regression", "1%"]) == 1
    assert main(["compare", base, new, "--max-regression", "2%", "--per-layer"]) == 1
    out = capsys.readouterr().out
    assert "1 add" in out and "bound by mac -> port0" in out and "port0 read bytes 512 -> 1024" in out


def test_operations_that_came_and_went_are_shown(tmp_path):
    base = read(report(tmp_path, "a.json", [operation(), operation(kind="dma", cycles=7)]))
    new = read(report(tmp_path, "b.json", [operation(kind="add"), operation()]))
    result = compare.compare(base, new)
    assert {(c.base, c.new) for c in result.operations} == {(None, 100), (7, None)}


def test_junit_counts_failures_and_markdown_is_a_table(tmp_path):
    base = report(tmp_path, "a.json", [operation()])
    new = report(tmp_path, "b.json", [operation(cycles=200)])
    junit, markdown = tmp_path / "j.xml", tmp_path / "m.md"
    assert main(["compare", base, new, "--junit", str(junit), "--markdown", str(markdown)]) == 1
    suite = ElementTree.parse(junit).getroot()
    assert suite.get("failures") == "1" and len(suite.findall("testcase/failure")) == 1
    assert "| NPU cycles | 100 | 200 | +100.00 % |" in markdown.read_text()


def test_a_file_on_standard_output_is_alone_there(tmp_path, capsys):
    base, new = report(tmp_path, "a.json", [operation()]), report(tmp_path, "b.json", [operation(cycles=200)])
    assert main(["compare", base, new, "--junit", "-"]) == 1
    both = capsys.readouterr()
    assert ElementTree.fromstring(both.out).get("failures") == "1" and "NPU cycles" in both.err
    assert main(["compare", base, new, "--junit", "-", "--markdown", "-"]) == 2
    both = capsys.readouterr()
    assert both.out == "" and both.err == "fvpsim: standard output takes one file: name another for the rest\n"


@pytest.mark.parametrize("text", ["", "x", "-1%", "nan", "inf"])
def test_bad_limits(text):
    with pytest.raises(UsageError, match="expected a percentage"):
        compare.parse_limit(text)


def test_runs_of_two_accelerators_are_not_compared(tmp_path, capsys):
    base = report(tmp_path, "a.json", [operation()])
    new = report(tmp_path, "b.json", [operation()], accelerator="ethos-u85-256")
    assert main(["compare", base, new]) == 2
    assert "compare runs of one accelerator" in capsys.readouterr().err


def test_runs_that_ended_otherwise_or_have_no_operations_are_not_judged(tmp_path, capsys):
    base = report(tmp_path, "a.json", [operation()])
    cut = report(tmp_path, "b.json", [operation(cycles=1)], end="error")
    bare = report(tmp_path, "c.json", [], cycles=100)
    assert main(["compare", base, cut]) == 2
    assert "ended otherwise" in capsys.readouterr().err
    assert main(["compare", cut, cut]) == 0 and main(["compare", base, bare]) == 0
    assert main(["compare", base, bare, "--per-layer"]) == 2
    assert "c.json has no operations to judge" in capsys.readouterr().err


@pytest.mark.parametrize("text, reason", [("{", "not JSON"), ("[]", "no JSON object"), ("{}", "neither"),
                                          ('{"schema": "fvp-sim-npu-report", "version": 9}', "version 9"),
                                          ('{"schema": "fvp-sim-npu-report", "version": 1}', "damaged"),
                                          ('{"schema": "fvp-sim-npu-report", "version": 1, "accelerator": "a", "end": "stop", '
                                           '"jobs": 1, "cycles": 1, "events": {"CYCLE": []}}', "damaged"),
                                          ('{"schema": "fvp-sim-npu-report", "version": 1, "jobs": 1e999}', "damaged"),
                                          ('{"schema": "fvp-sim-npu-report", "version": NaN}', "NaN is no number"),
                                          ("[" * 100000, "damaged"),
                                          ('{"schema": "fvp-sim-npu-report", "version": "\\uD800"}', "damaged.*surrogates"),
                                          ('{"schema": 7, "board": "x", "cpu": {}}', "schema 7")])
def test_reports_that_are_none(tmp_path, text, reason):
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(ReportError, match=reason):
        read(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ReportError, match="cannot be read"):
        read(tmp_path / "none.json")
