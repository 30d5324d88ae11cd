# SPDX-License-Identifier: Apache-2.0
"""Attention and recurrence."""
from torch import nn

from .draw import data, registry, size

MODULES, module = registry()


@module
def attention(rng):
    heads = int(rng.choice([1, 2, 4]))
    n, c = size(rng, 2, 16), heads * size(rng, 2, 12)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.core = nn.MultiheadAttention(c, heads, batch_first=True)

        def forward(self, x):
            return self.core(x, x, x, need_weights=False)[0]
    return Attention(), (data(rng, [1, n, c]),)


@module
def transformer(rng):
    heads = int(rng.choice([1, 2]))
    n, c = size(rng, 2, 12), heads * size(rng, 4, 16)
    layer = nn.TransformerEncoderLayer(c, heads, 2 * c, 0.0, batch_first=True,
                                       activation=str(rng.choice(["relu", "gelu"])))
    return layer, (data(rng, [1, n, c]),)


def recurrent(rng, kind):
    i, h = size(rng, 2, 16), size(rng, 2, 16)

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.core = kind(i, h, batch_first=True, num_layers=int(rng.integers(1, 3)))

        def forward(self, x):
            return self.core(x)[0]
    return Recurrent(), (data(rng, [1, size(rng, 1, 6), i]),)


@module
def lstm(rng):
    return recurrent(rng, nn.LSTM)


@module
def gru(rng):
    return recurrent(rng, nn.GRU)


@module
def rnn(rng):
    return recurrent(rng, nn.RNN)
