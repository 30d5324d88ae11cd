# SPDX-License-Identifier: Apache-2.0
"""The notebooks of the guide: they run from top to bottom, and say what their text says."""
import pathlib
import re

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
for needed in ("ipykernel", "pandas", "plotly", "ethosu.vela"):
    pytest.importorskip(needed, reason=f"{needed} is not installed")

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "notebooks"

#: What each must print.
SAYS = {
    "pytorch_to_cycles": r"ethos-u85-2048 +\d+ ",
    "why_is_this_layer_slow": r"\d+ conv \(49x10x1 -> 25x5x\d+\) takes \d+% of the cycles, is bound by mac[\s\S]*report\.html written",
    "find_the_wrong_layer": r"DIFFERENT[\s\S]*\(conv\) is wrong in output channels \[0\]",
    "twice_the_bandwidth": r"gain by doubling[\s\S]*bound by +before +after +saved",
    "compiler_versions": r"--- 4\.2\.0 -> 5\.0\.0[\s\S]*49x5x2[\s\S]*FAIL: NPU cycles grew[\s\S]*ok: nothing grew[\s\S]*all versions give the same outputs",
}


def printed(notebook):
    out = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            out.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "\n".join(out)


def test_each_has_an_expectation():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_runs(name):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert not printed(notebook), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(FOLDER)}})
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as e:
        if re.search(r"Network is unreachable|name resolution|NewConnectionError", str(e)):
            pytest.skip("the package index cannot be reached")
        raise
    assert re.search(SAYS[name], printed(notebook)), printed(notebook)
