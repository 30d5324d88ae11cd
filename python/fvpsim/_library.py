# SPDX-License-Identifier: Apache-2.0
"""The C library behind the package: its declarations come from its own header."""
from __future__ import annotations

import functools
import os
import re
from typing import Any, Callable

from .checks import shown, whole
from .errors import DifferenceError, Error, SimulationError, UsageError

#: Interface version of the header that this package was written for.
INTERFACE = 1

_HERE = os.path.dirname(__file__)
_NAMES = ("libfvpsim.so", "libfvpsim.so.0", "libfvpsim.dylib")


def _first(*paths: str) -> str:
    for path in paths:
        if path and os.path.exists(path):
            return path
    raise UsageError("libfvpsim is not installed: pip install fvp-sim, or set FVPSIM_LIBRARY to the built library")


def _declarations() -> str:
    """The header without what only a preprocessor understands."""
    path = _first(os.path.join(_HERE, "fvpsim.h"), os.path.join(_HERE, "..", "..", "include", "fvpsim.h"))
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)
    text = re.sub(r'#ifdef __cplusplus\n.*?#endif', "", text, flags=re.DOTALL)
    numbers = re.findall(r"^#define (\w+) (\d+)\s*$", text, re.MULTILINE)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    for name, value in numbers:
        text = re.sub(rf"\b{name}\b", value, text)
    return text


class Library:
    """The loaded library and its types."""

    def __init__(self) -> None:
        import cffi  # type: ignore[import-untyped, unused-ignore]
        self.ffi: Any = cffi.FFI()
        self.ffi.cdef(_declarations())
        path = _first(os.environ.get("FVPSIM_LIBRARY", ""), *(os.path.join(_HERE, name) for name in _NAMES))
        try:
            self.lib: Any = self.ffi.dlopen(path)
        except OSError as e:
            raise UsageError(f"{path}: cannot be loaded: {e}") from e
        self._text_type = self.ffi.typeof("const char *")
        found = self.lib.fvpsim_interface()
        if found != INTERFACE:
            raise UsageError(f"{path}: interface version {found}; this package needs {INTERFACE}: install both from one release")

    def text(self, pointer: Any) -> str:
        """A C string; "" for NULL."""
        if pointer == self.ffi.NULL:
            return ""
        return str(self.ffi.string(pointer).decode("utf-8", "replace"))

    def names(self, function: Callable[[int], Any]) -> list[str]:
        """All texts that a function gives for 0, 1, ... up to NULL."""
        out: list[str] = []
        while (pointer := function(len(out))) != self.ffi.NULL:
            out.append(self.text(pointer))
        return out

    def written_files(self, config: Any) -> set[str]:
        """Names of the files that a machine of this configuration writes for its serial ports."""
        written, files = self.ffi.new("bool *"), list[tuple[str, bool]]()
        while (name := self.lib.fvpsim_config_file(config, len(files), written)) != self.ffi.NULL:
            files.append((self.text(name), bool(written[0])))
        return {name for name, is_written in files if is_written}

    def sized(self, kind: str) -> Any:
        """A zeroed structure whose member `size` is set."""
        made = self.ffi.new(f"struct {kind} *")
        made.size = self.ffi.sizeof(f"struct {kind}")
        return made

    def exception(self, error: Any) -> Error:
        """The error that the library described, as an exception."""
        text = self.text(error.text) or self.text(self.lib.fvpsim_kind_name(error.kind))
        if error.kind in (self.lib.FVPSIM_NPU, self.lib.FVPSIM_INTERNAL):
            return SimulationError(text)
        if error.kind == self.lib.FVPSIM_DIFFERS:
            return DifferenceError(text)
        return UsageError(text)

    def c_text(self, text: str | bytes | os.PathLike[str]) -> bytes:
        """A text for the library. To C a NUL is a text's end: what stands behind one would be lost."""
        try:
            data = os.fsencode(text)
        except TypeError:
            raise UsageError(f"{shown(text)}: neither a text nor the name of a file") from None
        except UnicodeEncodeError as e:
            raise UsageError(f"{shown(text)}: cannot be written as UTF-8: {e.reason}") from None
        if b"\0" in data:
            raise UsageError(f"{shown(text)}: has a NUL, which no name, path or text for the simulator may have")
        return data

    def _argument(self, value: Any, kind: Any) -> Any:
        if kind is self._text_type and not isinstance(value, self.ffi.CData):
            return self.c_text(value)
        return whole("an address or a number", value) if kind.kind == "primitive" else value

    def _answer(self, name: str, arguments: tuple[Any, ...], error: Any) -> Any:
        function = getattr(self.lib, name)
        kinds = self.ffi.typeof(function).args
        given = [self._argument(one, kind) for one, kind in zip(arguments, kinds)]
        try:
            return function(*given, error)
        except OverflowError as e:
            raise UsageError(f"an address or a number is negative or too large: {e}") from None

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function that returns a kind of error and takes `error` last."""
        error = self.ffi.new("struct fvpsim_error *")
        if self._answer(name, arguments, error) != self.lib.FVPSIM_OK:
            raise self.exception(error)

    def make(self, name: str, *arguments: Any) -> Any:
        """Calls a function that returns a handle and takes `error` last."""
        error = self.ffi.new("struct fvpsim_error *")
        made = self._answer(name, arguments, error)
        if made == self.ffi.NULL:
            raise self.exception(error)
        return made


@functools.cache
def library() -> Library:
    """The one library of the process, loaded at the first use."""
    return Library()
