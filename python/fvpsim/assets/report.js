// SPDX-License-Identifier: Apache-2.0
// Draws the runs that the page carries as JSON. No network, no state outside the page.
"use strict";
(() => {
  const runs = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  const layout = (extra) => {
    const style = getComputedStyle(document.documentElement);
    const front = style.getPropertyValue("--front").trim(), line = style.getPropertyValue("--line").trim();
    const axis = { gridcolor: line, zerolinecolor: line, automargin: true };
    return { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: front },
      margin: { l: 60, r: 20, t: 20, b: 60 }, hovermode: "closest", ...extra,
      xaxis: { ...axis, ...extra.xaxis }, yaxis: { ...axis, ...extra.yaxis } };
  };

  const draw = (id, traces, extra, nothing) => {
    const place = at(id);
    place.classList.toggle("empty", traces.length === 0);
    if (traces.length === 0) {
      Plotly.purge(place);
      place.textContent = nothing;
      return;
    }
    if (place.textContent === nothing) place.textContent = "";
    Plotly.react(place, traces, layout(extra), { responsive: true, displaylogo: false, displayModeBar: false });
  };

  const keys = (operations, of) => [...new Set(operations.flatMap((o) => Object.keys(of(o))))];

  const name = (text) => (text.length > 28 ? text.slice(0, 27) + "\u2026" : text);

  const bars = (operations, of, unit) => keys(operations, of).map((key) => ({
    type: "bar", name: key.replaceAll("_", " "), x: operations.map((o) => name(o.label)), y: operations.map((o) => of(o)[key] || 0),
    customdata: operations.map((o) => o.label + "<br>" + o.shape),
    hovertemplate: "%{customdata}<br>" + key.replaceAll("_", " ") + ": %{y} " + unit + "<extra></extra>" }));

  const noOperations = "The report has no operations: write it with --layers (a machine: with --report-jobs).";

  const layers = (run) => draw("layers", bars(run.operations, (o) => o.causes, "cycles"),
    { barmode: "stack", yaxis: { title: { text: "cycles" } } }, noOperations);

  const ports = (run) => draw("ports", bars(run.operations, (o) => o.ports, "bytes"),
    { barmode: "stack", yaxis: { title: { text: "bytes" } } }, noOperations);

  const roofline = (run) => {
    const shown = run.operations.filter((o) => o.macs && o.bytes && o.cycles);
    const traces = [];
    if (shown.length) {
      const x = shown.map((o) => o.macs / o.bytes);
      traces.push({ type: "scatter", mode: "markers", name: "operations", x, y: shown.map((o) => o.macs / o.cycles),
        text: shown.map((o) => o.label + "<br>" + o.shape + "<br>bound by " + o.bound), marker: { size: 10 },
        hovertemplate: "%{text}<br>%{x:.1f} products a byte<br>%{y:.1f} products a cycle<extra></extra>" });
      if (run.hardware) {
        const { macs, bytes } = run.hardware, knee = macs / bytes;
        const from = Math.min(...x, knee) / 2, to = Math.max(...x, knee) * 2;
        traces.push({ type: "scatter", mode: "lines", name: "ports and multipliers", x: [from, knee, to],
          y: [from * bytes, macs, macs], hoverinfo: "skip" });
      }
    }
    draw("roofline", traces, { xaxis: { type: "log", title: { text: "products a byte moved" } },
      yaxis: { type: "log", title: { text: "products a cycle" } } }, "No operation multiplies.");
  };

  // One line of the timeline: bars from..from + length with a text each.
  const lane = (title, items) => ({ type: "bar", orientation: "h", name: title, y: items.map(() => title),
    base: items.map((i) => i.from), x: items.map((i) => i.length),
    customdata: items.map((i) => [i.text, i.from, i.from + i.length]), textposition: "none",
    hovertemplate: "%{customdata[0]}<br>%{customdata[1]} to %{customdata[2]}<extra></extra>" });

  const timeline = (run) => {
    const kinds = [...new Set(run.operations.map((o) => o.kind))].reverse();
    const traces = kinds.map((kind) => lane(kind, run.operations.filter((o) => o.kind === kind).map((o) => (
      { from: o.began + o.start, length: Math.max(o.finish - o.start, 0), text: o.label + " " + o.shape }))));
    if (run.jobs.length) traces.push(lane("NPU", run.jobs.map((j, i) => ({ from: j.began, length: j.cycles, text: "job " + i }))));
    if (run.cpu_cycles) traces.push(lane("processor", [{ from: 0, length: run.cpu_cycles, text: "program" }]));
    draw("timeline", traces, { barmode: "overlay", showlegend: false, xaxis: { title: { text: "cycle" } } }, noOperations);
  };

  // In the order of the command stream: each operation for the cycles by which it moved the job's end.
  const memory = (run) => {
    const ops = run.operations, at = [];
    let end = 0;
    ops.forEach((o, i) => {
      at.push(i && o.began === ops[i - 1].began ? end : o.began);
      end = at[i] + o.cycles;
    });
    const traces = Object.entries(run.memory).map(([region, bytes]) => ({
      type: "scatter", mode: "lines", line: { shape: "hv", width: 1 }, stackgroup: "memory", name: region,
      x: [...at, end], y: [...bytes, bytes.at(-1)], customdata: [...ops.map((o) => o.label), "end"], hovertemplate: "%{customdata}<br>%{y} bytes in use<extra></extra>" }));
    draw("memory", traces, { showlegend: true, xaxis: { title: { text: "cycle" } }, yaxis: { title: { text: "bytes" } } },
      run.operations.length ? "The report does not say what the operations read and write." : noOperations);
  };

  const SHOWN = 20; // functions in the plot; the table has all

  const functions = (run) => {
    const shown = run.functions.slice(0, SHOWN).reverse();
    const traces = keys(shown, (f) => f.causes).map((cause) => ({
      type: "bar", orientation: "h", name: cause, y: shown.map((f) => name(f.name)), x: shown.map((f) => f.causes[cause] || 0),
      customdata: shown.map((f) => f.name), hovertemplate: "%{customdata}<br>" + cause + ": %{x} cycles<extra></extra>" }));
    draw("functions", traces, { barmode: "stack", xaxis: { title: { text: "cycles" } } },
      "No profile was given: write one with --profile json=FILE and name it behind the run's report.");
    at("function-table").textContent = "";
    if (run.functions.length)
      table(at("function-table"), ["function", "calls", "cycles", "with callees", "instructions"],
        run.functions.map((f) => [f.name, f.calls, f.cycles, f.whole, f.instructions]));
  };

  const list = (place, texts) => place.replaceChildren(...texts.map((text) => {
    const li = document.createElement("li");
    li.textContent = text;
    return li;
  }));

  const columns = [["label", "operation"], ["shape", "shape"], ["cycles", "cycles"], ["macs", "products"],
    ["use", "use of multipliers"], ["bytes", "bytes"], ["bound", "bound by"]];

  const cell = (value) => {
    const td = document.createElement("td");
    td.textContent = typeof value === "number" ? value.toLocaleString("en") : value;
    td.classList.toggle("number", typeof value === "number");
    return td;
  };

  const table = (place, head, rows) => {
    place.textContent = "";
    const top = place.createTHead().insertRow(), body = place.createTBody();
    const fill = () => body.replaceChildren(...rows.map((row) => {
      const tr = document.createElement("tr");
      tr.append(...row.map(cell));
      return tr;
    }));
    head.forEach((name, i) => {
      const th = document.createElement("th"), button = document.createElement("button");
      button.textContent = name;
      th.classList.toggle("number", rows.length > 0 && typeof rows[0][i] === "number");
      button.onclick = () => {
        const down = th.getAttribute("aria-sort") !== "descending";
        for (const other of top.cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        rows.sort((a, b) => (a[i] < b[i] ? -1 : a[i] > b[i] ? 1 : 0) * (down ? -1 : 1));
        fill();
      };
      th.append(button);
      top.append(th);
    });
    fill();
  };

  const show = (run) => {
    at("title").textContent = run.title + ": " + (run.cpu_cycles || run.npu_cycles).toLocaleString("en") + " cycles";
    list(at("findings"), run.findings);
    list(at("messages"), run.messages);
    layers(run);
    roofline(run);
    timeline(run);
    memory(run);
    ports(run);
    document.querySelector(".processor").hidden = !run.cpu_cycles;
    functions(run);
    table(at("operations"), columns.map((c) => c[1]), run.operations.map((o) => columns.map((c) => o[c[0]])));
    table(at("events"), ["counter", "value"], Object.entries(run.events));
    at("repeat").hidden = !run.command;
    at("command").textContent = run.command;
  };

  const chooser = at("run");
  runs.forEach((run, i) => chooser.append(new Option(run.title + " (" + run.source + ")", i)));
  at("chooser").hidden = runs.length < 2;
  chooser.onchange = () => show(runs[chooser.value]);
  dark.addEventListener("change", () => show(runs[chooser.value]));
  show(runs[0]);
})();
