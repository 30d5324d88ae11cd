# SPDX-License-Identifier: Apache-2.0
"""fvp-sim for Python: machines and networks on a simulated Ethos-U, estimates, reports, gates and sweeps."""
from .errors import CompileError, DifferenceError, Error, RegisterError, ReportError, SimulationError, UsageError
from .estimate import Estimate, estimate
from .machine import Counts, End, Machine, Snapshot, Stop
from .npu import Network, Npu, Profile, accelerators
from .plan import Point, points
from .results import Result, Results
from .runs import Operation, Run, read
from .sweep import pareto, run_point, sweep
from .tensors import Tensor

__all__ = ["CompileError", "Counts", "DifferenceError", "End", "Error", "Estimate", "Machine", "Network", "Npu", "Operation", "Point",
           "Profile", "RegisterError", "ReportError", "Result", "Results", "Run", "SimulationError", "Snapshot", "Stop", "Tensor",
           "UsageError", "accelerators", "estimate", "pareto", "points", "read", "run_point", "sweep"]
