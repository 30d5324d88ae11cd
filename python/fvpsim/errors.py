# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions. Each carries one sentence: what, where, why, what to do."""


class Error(Exception):
    """Anything that this package reports."""


class UsageError(Error, ValueError):
    """A name, a shape, a type or a file that does not fit."""


class RegisterError(UsageError, KeyError):
    """No register has that name: a KeyError, too, so that `in` and `get` work as with any mapping."""

    __str__ = Exception.__str__  # KeyError's is in quotes


class ReportError(Error):
    """A report that cannot be read, is not one, or has another version."""


class DifferenceError(Error):
    """A tensor differs from the folder to compare with, or a replay from its record."""


class CompileError(Error):
    """Vela did not compile the model."""


class SimulationError(Error):
    """The simulator ended a run before its result was there."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status  #: exit status as the program would give it (docs/reference/exit-codes.md)
