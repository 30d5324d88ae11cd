#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's Inspector reads the dump of our runner: operators, delegate, NPU, cycles, and tensors.

  inspector.py CACHE BUILD        (Python and packages as suite.py)"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "../../runtime/models/ds_cnn_ethos-u55-128.bpte")
READ = """
from executorch.devtools import Inspector
from executorch.devtools.inspector import TimeScale
inspector = Inspector(etdump_path="etdump.bin", debug_buffer_path="debug_buffer.bin",
                      source_time_scale=TimeScale.CYCLES, target_time_scale=TimeScale.CYCLES)
for block in inspector.event_blocks:
    for e in block.events:
        print("EVENT", block.name, e.name, int(e.perf_data.raw[0]) if e.perf_data else None,
              [list(t.shape) for t in e.debug_data or []])
"""
# block, event, whether it has a tensor
EXPECTED = [("Default", "Method::init"), ("Default", "Program::load_method"),
            ("Execute", "native_call_quantize_per_tensor.out"), ("Execute", "OPERATOR_CALL"), ("Execute", "NPU"),
            ("Execute", "DELEGATE_CALL"), ("Execute", "native_call_dequantize_per_tensor.out"), ("Execute", "OPERATOR_CALL"),
            ("Execute", "Method::execute")]


def main():
    from suite import Suite
    cache, build = (os.path.abspath(path) for path in sys.argv[1:3])
    os.makedirs(cache, exist_ok=True)
    python, _ = Suite(cache, build, "arm").python()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(MODEL, os.path.join(folder, "p.bpte"))
        subprocess.run([os.path.join(build, "fvp-sim"), "--quiet", "--elf",
                        os.path.join(build, "runtime", "semihosting-runner-corstone-300_etdump.elf"), "--semihosting-dir", folder,
                        "--semihosting-cmdline", "executor_runner -m p.bpte -o out"], check=True, cwd=folder)
        done = subprocess.run([python, "-c", READ], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    events = [line.split(" ", 4)[1:] for line in done.stdout.splitlines() if line.startswith("EVENT ")]
    print("\n".join(map(" ".join, events)))
    assert [tuple(e[:2]) for e in events] == EXPECTED, "other events"
    cycles = {e[1]: int(e[2]) for e in events}
    assert 0 < cycles["NPU"] < cycles["DELEGATE_CALL"] < cycles["Method::execute"], "cycles that make no sense"
    assert events[2][3] == "[[1, 1, 49, 10]]" and events[6][3] == "[[1, 12]]", "tensors of another shape"


if __name__ == "__main__":
    main()
