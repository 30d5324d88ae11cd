# SPDX-License-Identifier: Apache-2.0
"""Random networks, one function per operator family: FAMILIES[name](rng, builder) adds the operators and
returns (inputs, outputs). Shapes, strides, paddings, scales and zero points are drawn from the generator given,
so that a seed reproduces a network."""
from . import activation, convolution, elementwise, extremes, graphs, matrix, movement, recurrent, reduction

FAMILIES = {f.__name__: f for module in (convolution, matrix, reduction, elementwise, activation, movement, recurrent,
                                         graphs, extremes) for f in module.FAMILIES}
ONLY_U85 = {"reduce_bool", "compare", "logical", "select", "cast", "reverse", "gather", "gather_batch", "scatter_nd"}


def accelerators_of(family, accelerators):
    """Those that can run a family."""
    return [a for a in accelerators if family not in ONLY_U85 or "u85" in a]
