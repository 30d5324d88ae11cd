# SPDX-License-Identifier: Apache-2.0
"""The report page: what it says, and that a real browser draws it."""
import html
import importlib
import json
import pathlib
import re
import shutil
import subprocess

import pytest

from fvpsim import programs, read
from fvpsim.__main__ import main

report = importlib.import_module("fvpsim.report")
MODELS = pathlib.Path(__file__).parents[2] / "runtime" / "models"


@pytest.fixture(scope="module")
def run_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "run.json"
    subprocess.run([programs.program(), "npu", "--accelerator", "ethos-u55-128", "--model",
                    str(MODELS / "classifier_ethos-u55-128.tflite"), "--input", "zeros", "--layers", "--report", str(path)],
                   check=True, capture_output=True)
    return path


def test_findings_name_the_slowest_and_the_causes(run_file):
    run = read(run_file)
    said = report.findings(run)
    slowest = max(run.operations, key=lambda op: op.cycles)
    assert slowest.label in said[0] and "By cause: " in said[1]
    assert sum(op.cycles for op in run.operations) <= run.npu_cycles


def test_a_script_in_a_name_stays_text():
    assert "</script" not in report._script({"name": "</script><script>alert(1)</script>"})


def test_the_page_stands_alone(run_file, tmp_path):
    pytest.importorskip("plotly", reason="Plotly is not installed")
    page = tmp_path / "page.html"
    assert main(["report", str(run_file), "-o", str(page)]) == 0
    text = page.read_text()
    assert not re.search(r'<(script|link|img)[^>]*(src|href)=', text)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
    assert data[0]["npu_cycles"] == read(run_file).npu_cycles


#: Looks at the drawn page and says what it saw, as JSON in the page.
PROBE = """<script>setTimeout(() => {
  const colour = (e, key) => getComputedStyle(e)[key].match(/[\\d.]+/g).slice(0, 3).map(Number);
  const cycles = () => [...document.querySelectorAll("#operations tbody tr")].map((r) => Number(r.cells[2].textContent.replaceAll(",", "")));
  const button = [...document.querySelectorAll("#operations th button")].find((b) => b.textContent === "cycles");
  button.click();
  const down = cycles();
  button.click();
  Plotly.Fx.hover("layers", [{ curveNumber: 0, pointNumber: 0 }]);
  const probe = document.createElement("pre");
  probe.id = "probe";
  probe.textContent = JSON.stringify({ down, up: cycles(), hover: document.querySelector("#layers .hoverlayer").textContent,
    back: colour(document.body, "backgroundColor"), front: colour(document.body, "color"),
    tick: colour(document.querySelector("#layers .xtick text"), "fill"),
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    outside: [...document.querySelectorAll(".plot svg")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length });
  document.body.append(probe);
}, 1000)</script>"""


@pytest.fixture
def browse(run_file, tmp_path):
    """Shows the page of a run in a browser with more options; what it says and the page as it is drawn."""
    pytest.importorskip("plotly", reason="Plotly is not installed")
    browser = shutil.which("chromium")
    if not browser:
        pytest.skip("chromium is not installed")
    page = tmp_path / "page.html"
    assert main(["report", str(run_file), str(run_file), "-o", str(page)]) == 0
    page.write_text(page.read_text().replace("</body>", PROBE + "</body>"))

    def run(*options):
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                               "--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path}/profile",
                               "--enable-logging=stderr", "--virtual-time-budget=10000", *options, page.as_uri()],
                              capture_output=True, text=True, timeout=120)
        assert "CONSOLE" not in done.stderr, done.stderr
        return done.stdout
    return run


def seen(dom):
    return json.loads(html.unescape(re.search(r'<pre id="probe">(.*?)</pre>', dom)[1]))


def test_a_browser_draws_it_without_errors(browse):
    dom = browse("--dump-dom")
    for plot in ("layers", "roofline", "timeline", "ports"):
        assert re.search(rf'id="{plot}"[^>]*>\s*<div class="plot-container', dom), plot
    assert dom.count('class="point') > 20 and "<td" in dom


def test_the_table_sorts_and_the_plots_answer_to_the_pointer(browse, run_file):
    said = seen(browse("--dump-dom"))
    cycles = sorted(op.cycles for op in read(run_file).operations)
    assert said["up"] == cycles and said["down"] == cycles[::-1]
    assert re.search(r"\d+ cycles", said["hover"])


@pytest.mark.parametrize("scheme, dark", [(0, True), (1, False)])
def test_light_and_dark(browse, scheme, dark):
    said = seen(browse("--dump-dom", f"--blink-settings=preferredColorScheme={scheme}"))
    assert (sum(said["back"]) < 200) == dark
    for text in ("front", "tick"):
        assert (sum(said[text]) > 500) == dark, f"{text} can be read"


def test_a_narrow_window_has_nothing_outside(browse):
    said = seen(browse("--dump-dom", "--window-size=500,900"))
    assert said["beyond"] <= 0 and said["outside"] == 0


def test_it_prints(browse, tmp_path):
    browse(f"--print-to-pdf={tmp_path / 'page.pdf'}")
    pdf = (tmp_path / "page.pdf").read_bytes()
    assert pdf.startswith(b"%PDF") and len(pdf) > 20000 and pdf.count(b"/Type /Page") > 1


def test_files_that_cannot_be_written(run_file, capsys):
    pytest.importorskip("plotly", reason="Plotly is not installed")
    for place, reason in (("/dev/full", "No space left"), ("/nothing/there.html", "No such file")):
        assert main(["report", str(run_file), "-o", place]) == 2
        said = capsys.readouterr().err
        assert reason in said and place in said and said.count("\n") == 1
