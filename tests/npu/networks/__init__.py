# SPDX-License-Identifier: Apache-2.0
"""Random networks, one function per operator family: FAMILIES[name](rng, builder) adds the operators and
returns (inputs, outputs). Shapes, strides, paddings, scales and zero points are drawn from the generator given,
so that a seed reproduces a network."""
from . import (activation, convolution, elementwise, extremes, graphs, matrix, movement, rare_shapes, rare_windows,
               recurrent, reduction)

FAMILIES = {f.__name__: f for module in (convolution, matrix, reduction, elementwise, activation, movement, recurrent,
                                         graphs, extremes, rare_windows, rare_shapes) for f in module.FAMILIES}
ONLY_U85 = {"reduce_bool", "compare", "logical", "select", "cast", "reverse", "gather", "gather_batch", "scatter_nd",
            "looked_up", "compared"}
NOT_U85 = {"bias32"}  # Vela 5.2.0 packs its scales of 31 bits as those of 15


def accelerators_of(family, accelerators):
    """Those that can run a family."""
    return [a for a in accelerators if family not in (NOT_U85 if "u85" in a else ONLY_U85)]
