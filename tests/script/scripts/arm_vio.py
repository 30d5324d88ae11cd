# SPDX-License-Identifier: Apache-2.0
"""Signals and values."""
signals = 0x0F
values = {}


def init():
    pass


def rdSignal(mask):
    return signals & mask


def wrSignal(mask, signal):
    global signals
    signals = signals & ~mask | signal & mask


def rdValue(index):
    return values.get(index, -index)


def wrValue(index, value):
    values[index] = value * 2
