# SPDX-License-Identifier: Apache-2.0
"""From a model to estimated cycles in one call."""
from __future__ import annotations

import dataclasses
import os
import tempfile
from typing import Mapping, Sequence

from . import checks, vela
from .progress import Stages
from .programs import run_network
from .runs import Run


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Cycles of one inference, and what the compiler said."""

    model: str
    accelerator: str
    run: Run                       #: cycles, operations, events
    vela: Mapping[str, float]      #: the compiler's summary; empty when the model was compiled before

    @property
    def cycles(self) -> int:
        """Of the NPU, for one inference: an estimate (docs: what to trust)."""
        return self.run.npu_cycles


def _memory_system(accelerator: str, memory: str | None, memory_mode: str | None, system_config: str | None, config: str | None,
                   compiled: bool) -> list[str]:
    """Options of `fvp-sim npu`: the memory that the network was, or would have been, compiled for."""
    default = vela.SYSTEMS[vela.family_of(accelerator)]
    if config:
        named = ["--config", config, "--system-config", system_config or default[0], "--memory-mode", memory_mode or default[1]]
        return named + (["--memory", memory] if memory else [])
    memory = memory or system_config or (None if compiled else default[0])
    return (["--memory", memory] if memory else []) + (["--memory-mode", memory_mode] if memory_mode else [])


def estimate(model: str | os.PathLike[str], accelerator: str, *, memory: str | None = None, memory_mode: str | None = None,
             system_config: str | None = None, config: str | os.PathLike[str] | None = None, method: str | None = None,
             options: Sequence[str] = (), progress: bool | None = None) -> Estimate:
    """Compiles a `.tflite` where that has not been done, runs one inference on zeros, returns cycles by operation.

    `memory` is a memory system of the simulator (`fvp-sim npu --help`); without it the one that goes with
    `system_config`. `config` is a `vela.ini`: the memory of its section `system_config` counts for the compiler and for the
    cycles. `method` is of a `.pte` with several ("forward", else the first, without it). `options` are Vela's. `progress`: whether a bar on standard error tells the stage (by tqdm, where it is
    installed); None: where that is a terminal."""
    path, options = checks.path("model", model), vela.listed(options)
    config = checks.path("config", config) if config is not None else None
    named = {"memory": memory, "memory_mode": memory_mode, "system_config": system_config, "method": method}
    for name, given in named.items():
        if given is not None:
            checks.text(name, given)
    compiled = vela.is_compiled(path)
    with tempfile.TemporaryDirectory() as folder, Stages(os.path.basename(path), 1 if compiled else 2, progress) as stages:
        summary: Mapping[str, float] = {}
        file = path
        if not compiled:
            stages.begin(f"Vela compiles for {accelerator}")
            file, summary = vela.compile_model(path, accelerator, folder, config=config, system_config=system_config,
                                               memory_mode=memory_mode, options=options)
        stages.begin(f"one inference on {accelerator}")
        how = _memory_system(accelerator, memory, memory_mode, system_config, config, compiled)
        run = run_network(file, accelerator, how + (["--method", method] if method is not None else []))
    return Estimate(path, accelerator, dataclasses.replace(run, source=path), summary)
