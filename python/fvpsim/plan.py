# SPDX-License-Identifier: Apache-2.0
"""Plans of sweeps: the product of models, accelerators, memory systems and compiler options."""
from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import os
import sys
from typing import Any, Mapping, Sequence

from . import checks
from .errors import UsageError
from .hardware import ACCELERATORS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KEYS = {"models", "accelerators", "memories", "system_configs", "memory_modes", "options", "config", "methods"}


@dataclasses.dataclass(frozen=True)
class Point:
    """One simulation of a sweep. None: the default."""

    model: str
    accelerator: str
    memory: str | None = None         #: memory system of the simulator
    system_config: str | None = None  #: of vela.ini
    memory_mode: str | None = None    #: of vela.ini
    options: tuple[str, ...] = ()     #: of Vela
    config: str | None = None         #: vela.ini
    method: str | None = None         #: of a .pte with several

    def __post_init__(self) -> None:
        """A point of wrong types would end a whole sweep, in another process."""
        def kept(name: str, value: object) -> None:
            object.__setattr__(self, name, value)
        kept("model", checks.path("model", self.model))
        kept("config", self.config if self.config is None else checks.path("config", self.config))
        kept("options", tuple(checks.several("options", self.options, str)))
        checks.text("accelerator", self.accelerator)
        for name in ("memory", "system_config", "memory_mode", "method"):
            if getattr(self, name) is not None:
                checks.text(name, getattr(self, name))

    @property
    def title(self) -> str:
        """Of the network: the file's name, and the method's where one was named."""
        return os.path.basename(self.model) + (f" {self.method}" if self.method else "")

    def key(self, versions: str) -> str:
        """What the result depends on: contents of the files, everything else by value, versions of the programs."""
        digest = hashlib.sha256(versions.encode())
        for path in (self.model, self.config):
            digest.update(_content(path) if path else b"-")
        rest = dataclasses.asdict(dataclasses.replace(self, model="", config=None))
        if self.method is None:  # as of a time without methods: what was computed then is still found
            del rest["method"]
        digest.update(json.dumps(rest, sort_keys=True).encode())
        return digest.hexdigest()


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as f:
            return hashlib.sha256(f.read()).digest()
    except OSError as e:
        raise UsageError(f"{path}: cannot be read: {e.strerror}") from e


def points(models: Sequence[str], accelerators: Sequence[str], memories: Sequence[str | None] = (None,),
           system_configs: Sequence[str | None] = (None,), memory_modes: Sequence[str | None] = (None,),
           options: Sequence[Sequence[str]] = ((),), config: str | os.PathLike[str] | None = None,
           methods: Sequence[str | None] = (None,)) -> list[Point]:
    """Every combination, each once, in a fixed order."""
    given = {"models": models, "accelerators": accelerators, "memories": memories, "system_configs": system_configs,
             "memory_modes": memory_modes, "options": options, "methods": methods}
    lists: dict[str, list[Any]] = {name: checks.several(name, values, object) for name, values in given.items()}
    if not lists["models"] or not lists["accelerators"]:
        raise UsageError("a sweep needs at least one model and one accelerator")
    for name in checks.several("accelerators", lists["accelerators"], str):
        if name not in ACCELERATORS:
            raise UsageError(f"{name}: no accelerator of that name; there are {', '.join(ACCELERATORS)}")
    file = None if config is None else checks.path("config", config)
    made = [Point(m, a, memory, s, mode, o, file, method)
            for m, a, memory, s, mode, o, method in itertools.product(*lists.values())]
    return list(dict.fromkeys(made))


def _texts(key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"plan: {key} = {value!r}: expected a list of texts")
    return value


def _named(data: Mapping[str, Any], key: str) -> list[str | None]:
    """Where nothing is named the default."""
    return [None if item == "default" else item for item in _texts(key, data.get(key, ["default"]))]


def _options(data: Mapping[str, Any]) -> list[list[str]]:
    value = data.get("options", [[]])
    if not isinstance(value, list):
        raise UsageError(f"plan: options = {value!r}: expected a list of lists of texts")
    return [_texts("options: one", item) for item in value]


def read(path: str | os.PathLike[str]) -> list[Point]:
    """The points of a `plan.toml`. Files in it are relative to its folder."""
    path = checks.path("plan", path)
    try:
        with open(path, "rb") as f:
            data = tomllib.load(f)
    except OSError as e:
        raise UsageError(f"{path}: cannot be read: {e.strerror}") from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise UsageError(f"{path}: not TOML: {e}") from e
    unknown = set(data) - KEYS
    if unknown:
        raise UsageError(f"{path}: unknown key {sorted(unknown)[0]}; there are {', '.join(sorted(KEYS))}")
    folder = os.path.dirname(os.path.abspath(path))
    config = data.get("config")
    if not isinstance(config, (str, type(None))):
        raise UsageError(f"plan: config = {config!r}: expected the name of a file")
    return points([os.path.join(folder, m) for m in _texts("models", data.get("models", []))],
                  _texts("accelerators", data.get("accelerators", [])), _named(data, "memories"), _named(data, "system_configs"),
                  _named(data, "memory_modes"), _options(data), os.path.join(folder, config) if config else None,
                  _named(data, "methods"))
