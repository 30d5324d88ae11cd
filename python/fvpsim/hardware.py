# SPDX-License-Identifier: Apache-2.0
"""Facts of the accelerators that plots need: products a cycle and the widths of their ports.

Source: technical reference manuals of Ethos-U55, U65 and U85 (names of the configurations, port widths)."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Hardware:
    """One accelerator configuration."""

    macs: int              #: multiplications of int8 a cycle
    bytes_per_cycle: int   #: of all its AXI ports in one direction


#: Ports of U85 to SRAM and to external memory together, 16 bytes each; U55 has two of 8, U65 two of 16.
_U85_PORTS = {128: 3, 256: 3, 512: 3, 1024: 4, 2048: 6}

ACCELERATORS = {
    **{f"ethos-u55-{macs}": Hardware(macs, 16) for macs in (32, 64, 128, 256)},
    **{f"ethos-u65-{macs}": Hardware(macs, 32) for macs in (256, 512)},
    **{f"ethos-u85-{macs}": Hardware(macs, 16 * ports) for macs, ports in _U85_PORTS.items()},
}


def hardware_of(accelerator: str) -> Hardware | None:
    """The configuration of that name; None when there is none."""
    return ACCELERATORS.get(accelerator)
