# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep as one page: cycles against SRAM, the front marked."""
from __future__ import annotations

from typing import Sequence

from . import checks
from .errors import UsageError
from .results import Result
from .sweep import pareto


def page(results: Sequence[Result]) -> str:
    """A self-contained HTML page."""
    try:
        import plotly.graph_objects as go  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as e:
        raise UsageError("the plot needs the package plotly: pip install 'fvp-sim[report]'") from e
    results = checks.several("results", results, Result)
    figure = go.Figure()
    able = [r for r in results if r.cycles is not None and "sram_kib" in r.numbers]
    for accelerator in dict.fromkeys(r.point.accelerator for r in able):
        shown = [r for r in able if r.point.accelerator == accelerator]
        figure.add_scatter(x=[r.numbers["sram_kib"] for r in shown], y=[r.cycles for r in shown], mode="markers",
                           name=accelerator,
                           text=[f"{r.point.title} {r.point.memory_mode or ''} {' '.join(r.point.options)}"
                                 for r in shown])
    front = pareto(able)
    for model, method in dict.fromkeys((r.point.model, r.point.method) for r in front):
        line = sorted((r for r in front if (r.point.model, r.point.method) == (model, method)), key=lambda r: r.numbers["sram_kib"])
        figure.add_scatter(x=[r.numbers["sram_kib"] for r in line], y=[r.cycles for r in line], mode="lines",
                           name=f"{line[0].point.title}: not beaten", line={"shape": "hv"})
    figure.update_layout(xaxis_title="SRAM, KiB", yaxis_title="NPU cycles (estimates)", title="fvp-sim sweep")
    return str(figure.to_html(include_plotlyjs=True))
