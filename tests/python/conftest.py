# SPDX-License-Identifier: Apache-2.0
import os

import pytest

from fvpsim import Machine

pytest_plugins = ["pytester"]


@pytest.fixture
def machine():
    """With the demonstration runner, which FVPSIM_RUNNER names."""
    with Machine(board="corstone-300", npu="ethos-u55-128") as made:
        made.load(os.environ["FVPSIM_RUNNER"])
        yield made
