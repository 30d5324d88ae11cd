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

  const bars = (operations, of, unit) => keys(operations, of).map((key) => ({
    type: "bar", name: key.replaceAll("_", " "), x: operations.map((o) => o.label), y: operations.map((o) => of(o)[key] || 0),
    customdata: operations.map((o) => o.shape),
    hovertemplate: "%{x}<br>%{customdata}<br>" + key.replaceAll("_", " ") + ": %{y} " + unit + "<extra></extra>" }));

  const noOperations = "The report has no operations: write it with --layers.";

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

  const timeline = (run) => {
    const kinds = [...new Set(run.operations.map((o) => o.kind))];
    const traces = kinds.map((kind) => {
      const shown = run.operations.filter((o) => o.kind === kind);
      return { type: "bar", orientation: "h", name: kind, y: shown.map(() => kind), base: shown.map((o) => o.start),
        x: shown.map((o) => Math.max(o.finish - o.start, 0)),
        text: shown.map((o) => o.label + " " + o.shape), textposition: "none",
        hovertemplate: "%{text}<br>%{base} to %{x}<extra></extra>" };
    });
    draw("timeline", traces, { barmode: "overlay", showlegend: false, xaxis: { title: { text: "cycle of the job" } } }, noOperations);
  };

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
    at("findings").replaceChildren(...run.findings.map((text) => {
      const li = document.createElement("li");
      li.textContent = text;
      return li;
    }));
    layers(run);
    roofline(run);
    timeline(run);
    ports(run);
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
