# SPDX-License-Identifier: Apache-2.0
"""The life of a machine: from when the library makes it to when it is freed."""
from __future__ import annotations

import os
from typing import Any, NoReturn, TypeVar

from ._calls import Calls
from ._library import Library
from .errors import UsageError

T = TypeVar("T", bound="Owned")


class Owned:
    """A part of Machine. A machine belongs to the process that made it: the memory of its guest is shared with forked ones, and
    what one of these does would happen to the first machine as well."""

    _lib: Library
    _handle: Any
    _calls: Calls

    def _own(self, handle: Any) -> None:
        raw = self._lib.lib
        self._handle, self._process = handle, os.getpid()
        self._calls = Calls(lambda: raw.fvpsim_stop(handle), lambda: raw.fvpsim_forget_stop(handle))

    def close(self) -> None:
        """Frees the machine, ending a run that is under way on any thread; what it told stays readable."""
        handle, self._handle = self._handle, None  # first: no thread begins anything with it now
        if handle is None or self._process != os.getpid():  # its files are the other process's to complete
            return
        try:
            self._calls.end()
        except BaseException:
            self._handle = handle
            raise
        self._lib.lib.fvpsim_machine_free(handle)

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise UsageError("a machine cannot be copied or pickled: fork() makes a twin of it, snapshot() keeps its state")

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def _open(self) -> Any:
        if self._handle is None:
            raise UsageError("the machine is closed")
        if self._process != os.getpid():
            raise UsageError(f"the machine belongs to process {self._process} that made it: make one like it here, and restore a snapshot")
        return self._handle

    def _call(self, name: str, *arguments: Any) -> None:
        self._calls.ready()
        self._lib.call(name, self._open(), *arguments)
