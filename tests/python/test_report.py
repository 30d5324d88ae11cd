# SPDX-License-Identifier: Apache-2.0
"""The report page: what it says, and that a real browser draws it."""
import html
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from fvpsim import ReportError, memory, programs, read, runs
from fvpsim.__main__ import main

report = importlib.import_module("fvpsim.report")
RUNNER = os.environ.get("FVPSIM_RUNNER", "")
MODELS = pathlib.Path(__file__).parents[2] / "runtime" / "models"


@pytest.fixture(scope="module")
def run_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "run.json"
    subprocess.run([programs.program(), "npu", "--accelerator", "ethos-u55-128", "--model",
                    str(MODELS / "classifier_ethos-u55-128.tflite"), "--input", "zeros", "--layers", "--report", str(path)],
                   check=True, capture_output=True)
    return path


@pytest.fixture(scope="module")
def machine_files(tmp_path_factory):
    """Report and profile of a whole machine."""
    if not RUNNER:
        pytest.skip("no runner image: the build has no arm-none-eabi-gcc")
    folder = tmp_path_factory.mktemp("machine")
    files = [str(folder / name) for name in ("run.json", "profile.json")]
    subprocess.run([programs.program(), "--elf", RUNNER, "--npu", "ethos-u55-128", "--report", files[0], "--report-jobs",
                    "--profile", f"json={files[1]}"], check=True, capture_output=True)
    return files


def test_causes_are_those_of_the_simulator(run_file):
    run = read(run_file)
    total = dict.fromkeys(run.raw["causes"], 0)
    for op in run.operations:
        assert sum(op.causes.values()) == op.cycles
        for cause, n in op.causes.items():
            total["latency" if cause == runs.WAITING else cause] += n
    assert total == run.raw["causes"]


def ranges(*starts_and_ends, region=1):
    return tuple(runs.Range(region, a, b - a) for a, b in starts_and_ends)


def operation(reads=(), writes=(), began=0):
    return runs.Operation(index=0, kind="conv", name="", offset=0, began=began, shape="", cycles=1, start=0, finish=1, macs=0,
                          utilisation=0.0, bound="mac", port_bytes={}, causes={}, reads=reads, writes=writes)


@pytest.mark.parametrize("operations, wanted", [
    ([], {}),
    ([operation(ranges((0, 8)))], {}),  # constants only
    ([operation(ranges((0, 8)), ranges((8, 12))), operation(ranges((8, 12)), ranges((0, 2)))], {1: [12, 6]}),
    ([operation((), ranges((0, 8))), operation(), operation(ranges((0, 4)))], {1: [8, 8, 8]}),  # half of it is an output
    ([operation((), ranges((0, 4))), operation((), ranges((8, 12))), operation(ranges((0, 4), (8, 12)), ranges((0, 4)))], {1: [4, 8, 8]}),
    ([operation(ranges((0, 8)), ranges((0, 8)))], {1: [8]}),  # in place
    ([operation((), ranges((0, 8))), operation((), ranges((0, 8))), operation(ranges((0, 8)))], {1: [8, 8, 8]}),  # in two parts
    ([operation(), operation(ranges((0, 4)), ranges((4, 8)))], {1: [4, 8]}),  # an input
    ([operation(ranges((0, 4)), ranges((4, 8))), operation(ranges((0, 2)), ranges((20, 23)), began=9)], {1: [8, 5]}),
])
def test_memory_in_use(operations, wanted):
    assert memory.in_use(operations) == wanted


def test_memory_of_the_demonstration_network(run_file):
    """By hand: the image and the first weights; the first result besides; and at the end what goes in and comes out."""
    used, = memory.in_use(read(run_file).operations).values()
    assert used[0] == 24 * 24 * 3 + 752 and used[1] == used[0] + 12 * 12 * 16 and used[-1] == 16 + 10


def test_a_profile_belongs_to_a_machines_run(run_file, machine_files):
    one, = runs.read_all(machine_files)
    assert sum(f.cycles for f in one.functions) == one.cpu_cycles and one.functions[0].name in " ".join(report.findings(one))
    assert [job.cycles for job in one.jobs] == [one.npu_cycles] and 0 < one.jobs[0].began < one.cpu_cycles - one.npu_cycles
    assert len(read(run_file).operations) == len(one.operations)
    for wrong in ([machine_files[1]], [run_file, machine_files[1]]):
        with pytest.raises(ReportError, match="a profile belongs to a machine's run"):
            runs.read_all(wrong)
    with pytest.raises(ReportError, match="a report of the run is needed"):
        read(machine_files[1])


def test_messages_say_how_it_ended(machine_files, tmp_path):
    good = read(machine_files[0])
    assert good.messages[0].startswith("End: the program exited (exit status 0) at 0x")
    raw = json.loads(pathlib.Path(machine_files[0]).read_text())
    raw["end"].update(fault={"cause": "DACCVIOL", "pc": 16, "place": "poke+0x2"}, backtrace=[{"pc": 16, "place": "poke+0x2"}, {"pc": 32, "place": ""}])
    raw["npu"].update(message="bus error", operations_left_out=7)
    said = runs.parse("x", json.dumps(raw)).messages
    assert said[1:6] == ["Fault: DACCVIOL at 0x00000010 poke+0x2.", "in poke+0x2", "called from 0x20", "NPU: bus error",
                         "The report leaves out 0 jobs of the NPU, and 7 operations."]
    assert "messages" not in raw
    raw.update(messages=[{"kind": "guest", "id": "NPU001", "text": "job 3: bus error"}], messages_left_out=2)
    said = runs.parse("x", json.dumps(raw)).messages
    assert said[4:6] == ["guest: job 3: bus error [NPU001]", "The report leaves out 2 messages."] and "NPU: bus error" not in said


def test_an_estimate_can_be_repeated(run_file, tmp_path):
    written = tmp_path / "e.json"
    assert main(["estimate", str(MODELS / "classifier_ethos-u55-128.tflite"), "ethos-u55-128", "--report", str(written)]) == 0
    assert read(written).operations == read(run_file).operations
    assert read(written).command == f"python -m fvpsim estimate {MODELS / 'classifier_ethos-u55-128.tflite'} ethos-u55-128"
    assert report._data(read(written))["command"] == read(written).command


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
  const hover = (id) => {
    Plotly.Fx.hover(id, [{ curveNumber: 0, pointNumber: 0 }]);
    return document.querySelector("#" + id + " .hoverlayer").textContent;
  };
  const probe = document.createElement("pre");
  probe.id = "probe";
  probe.textContent = JSON.stringify({ down, up: cycles(), hover: ["layers", "roofline", "timeline", "memory", "ports", "functions"].map(hover),
    messages: document.querySelectorAll("#messages li").length, functions: document.querySelectorAll("#function-table tbody tr").length,
    back: colour(document.body, "backgroundColor"), front: colour(document.body, "color"),
    tick: colour(document.querySelector("#layers .xtick text"), "fill"),
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    outside: [...document.querySelectorAll(".plot svg")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length });
  document.body.append(probe);
}, 1000)</script>"""


@pytest.fixture
def browse(run_file, machine_files, tmp_path):
    """Shows the page of a run in a browser with more options; what it says and the page as it is drawn."""
    pytest.importorskip("plotly", reason="Plotly is not installed")
    browser = shutil.which("chromium")
    if not browser:
        pytest.skip("chromium is not installed")
    page = tmp_path / "page.html"
    assert main(["report", *machine_files, str(run_file), "-o", str(page)]) == 0
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
    for plot in ("layers", "roofline", "timeline", "memory", "ports", "functions"):
        assert re.search(rf'id="{plot}"[^>]*>\s*<div class="plot-container', dom), plot
    assert re.search(r'<path class="js-fill"[^>]* d="M', dom), "memory in use is filled"
    assert dom.count('class="point') > 20 and "<td" in dom


def test_the_table_sorts_and_the_plots_answer_to_the_pointer(browse, machine_files):
    said = seen(browse("--dump-dom"))
    run, = runs.read_all(machine_files)
    cycles = sorted(op.cycles for op in run.operations)
    assert said["up"] == cycles and said["down"] == cycles[::-1]
    for text, wanted in zip(said["hover"], (r"\d cycles", "products a cycle", r"\d+ to \d+", "bytes in use", r"\d bytes", r"\d cycles"), strict=True):
        assert re.search(wanted, text), text
    assert said["messages"] == len(run.messages) and said["functions"] == len(run.functions)


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
