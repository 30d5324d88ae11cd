# SPDX-License-Identifier: Apache-2.0
"""What the user gave, looked at where it comes in: a wrong type is told in a sentence, before C, numpy or a file gets it."""
from __future__ import annotations

import numbers
import operator
import os
from typing import Any, Iterable, TypeVar, Union

import numpy as np

from .errors import UsageError

T = TypeVar("T")

Path = Union[str, "os.PathLike[str]"]

#: Letters of a value that a message shows.
SHOWN = 60


def shown(value: Any) -> str:
    """A value as a message names it: what `repr` says, not pages of it."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  a class of the user's
        text = f"<{type(value).__name__}>"
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def whole(what: str, value: Any) -> int:
    """Python's own integer for any whole number, those of numpy included."""
    try:
        return operator.index(value)
    except TypeError:
        raise UsageError(f"{what}: {shown(value)} is no whole number") from None


def text(what: str, value: Any) -> str:
    """A text that a program or C takes, and nothing that could become one."""
    if not isinstance(value, str):
        raise UsageError(f"{what}: {shown(value)} is no text")
    try:
        os.fsencode(value)
    except UnicodeEncodeError as e:
        raise UsageError(f"{what}: {shown(value)} cannot be written as UTF-8: {e.reason}") from None
    if "\0" in value:
        raise UsageError(f"{what}: {shown(value)} has a NUL, which no name, path or text for the simulator may have")
    return value


def path(what: str, value: Any) -> str:
    """The name of a file. A number would be taken for a file that is open already."""
    try:
        return text(what, os.fsdecode(value))
    except TypeError:
        raise UsageError(f"{what}: {shown(value)} is no name of a file") from None


def setting(name: str, value: object) -> str:
    """A parameter's value as the command line has it."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, os.PathLike):
        return path(name, value)
    if not isinstance(value, (str, numbers.Real)):
        raise UsageError(f"{name}: {shown(value)} is neither a text nor a number")
    return str(value)


def several(what: str, values: Any, kind: type[T]) -> list[T]:
    """The elements of a list, or of what else can be gone through; all of one type."""
    if isinstance(values, (str, bytes, os.PathLike)) or not isinstance(values, Iterable):
        raise UsageError(f"{what} = {shown(values)}: give a list, [{shown(values)}]")
    try:
        found = list(values)
    except TypeError as e:  # an array without dimensions
        raise UsageError(f"{what} = {shown(values)}: give a list: {e}") from None
    for one in found:
        if kind is str:
            text(what, one)
        elif not isinstance(one, kind):
            raise UsageError(f"{what}: {shown(one)} is no {kind.__name__}")
    return found
