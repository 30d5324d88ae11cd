# SPDX-License-Identifier: Apache-2.0
"""Unidirectional LSTM, fully integer: int8 or int16 activations, int16 cell state."""
import numpy as np

from .draw import chance, dtype_of, size

GATES = 4  # input, forget, cell, output


def lstm(rng, b):
    batch, steps = size(rng, 1, 3), size(rng, 1, 8)
    inputs, units = size(rng, 1, 24), size(rng, 2 if batch == 1 else 1, 24)  # of a state of one element Vela 5.2.0 dies
    major = chance(rng, 0.3)
    order = [steps, batch] if major else [batch, steps]
    dtype = dtype_of(rng)
    x = b.tensor(order + [inputs], dtype, float(np.float32(rng.uniform(0.5, 1.5) / (128 if dtype == "int8" else 32768))),
                 int(rng.integers(-20, 20)) if dtype == "int8" else 0)

    def matrix(depth):
        scale = float(np.float32(rng.uniform(0.5, 1.5) / 128))
        return b.tensor([units, depth], "int8", scale, 0, np.clip(rng.normal(0, 40, (units, depth)), -127, 127).round())

    of_input, of_state = [matrix(inputs) for _ in range(GATES)], [matrix(units) for _ in range(GATES)]
    hidden = (1 / 128 if dtype == "int8" else 1 / 32768, 0)
    state = b.tensor([batch, units], dtype, *hidden, variable=True)
    cell = b.tensor([batch, units], "int16", 2.0 ** -int(rng.choice([11, 11, 12])), 0, variable=True)
    bias = [b.tensor([units], "int32" if dtype == "int8" else "int64", float(np.float32(b.info[w][2] * b.info[x][2])), 0,
                     rng.integers(-3000, 3000, units)) for w in of_input]
    y = b.tensor(order + [units], dtype, *hidden)
    gates = [b.tensor([0], "int16", 2.0 ** -12, 0) for _ in range(GATES)] + [b.tensor([0], dtype, *hidden)]
    b.op("UNIDIRECTIONAL_SEQUENCE_LSTM",
         [x] + of_input + of_state + [-1] * 3 + bias + [-1] * 2 + [state, cell] + [-1] * 4, [y],
         "UnidirectionalSequenceLSTMOptions", 4, intermediates=gates, fusedActivationFunction=4,
         cellClip=float(rng.choice([0, 10])), projClip=0.0, timeMajor=major)
    return [x], [y]


FAMILIES = (lstm,)
