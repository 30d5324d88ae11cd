# SPDX-License-Identifier: Apache-2.0
"""Random PyTorch modules for the ExecuTorch corpus: MODULES[name](rng) returns (module, example inputs). So that a seed
reproduces them, sizes come from the generator given and weights from torch's own."""
from . import architectures, blocks, elementwise, movement, sequences, torchvision_networks, weights, windows

# drawn unless others are named: torchvision's networks take long
USUAL = {name: m for part in (weights, elementwise, windows, movement, sequences, architectures, blocks)
         for name, m in part.MODULES.items()}
MODULES = {**USUAL, **torchvision_networks.MODULES}
