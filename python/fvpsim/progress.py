# SPDX-License-Identifier: Apache-2.0
"""Progress of long work on a terminal, drawn by tqdm where it is installed."""
from __future__ import annotations

import os
import sys
import threading
from typing import Any

from .results import Result

#: Seconds between two looks of a bar whose time goes on while nothing else is known.
TICK = 0.5


def _bar(wanted: bool | None, **settings: Any) -> Any:
    """A bar of tqdm; None where there is none, or nobody wants one. `wanted` None: as standard error is a terminal."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        return None
    return tqdm(dynamic_ncols=True, file=sys.stderr, **settings)


class Stages:
    """A context manager for work of a few stages, none of which says how far it is: their names and the time."""

    def __init__(self, title: str, count: int, wanted: bool | None = None) -> None:
        self._bar = _bar(wanted, total=count, desc=title, bar_format="{desc}: {n_fmt} of {total_fmt} [{elapsed}] {postfix}", leave=False)
        self._ended = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)
        self._begun = 0

    def __enter__(self) -> "Stages":
        if self._bar is not None:
            self._ticker.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._ended.set()
            self._ticker.join()
            self._bar.close()

    def _tick(self) -> None:
        while not self._ended.wait(TICK):
            self._bar.refresh()

    def begin(self, name: str) -> None:
        """The next stage; those before it are done."""
        if self._bar is not None:
            self._bar.n, self._begun = self._begun, self._begun + 1
            self._bar.set_postfix_str(name)


class SweepBar:
    """For `sweep(progress=...)`: points done, the latest of them, and the time that is left."""

    def __init__(self, wanted: bool | None = None) -> None:
        self._bar = _bar(wanted, unit="point")

    def __call__(self, done: int, total: int, latest: Result | None) -> None:
        if self._bar is None:
            return
        self._bar.total, self._bar.n = total, done
        if latest:
            name = latest.point.title
            self._bar.set_postfix_str(f"{name} {latest.point.accelerator} {latest.error or latest.cycles}"[:60], refresh=False)
        self._bar.refresh()
        if done == total:
            self._bar.close()
