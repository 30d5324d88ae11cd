# SPDX-License-Identifier: Apache-2.0
"""Results of sweeps in one SQLite file. A point is found again by the hash of all that it depends on."""
from __future__ import annotations

import dataclasses
import json
import os
import sqlite3
from types import TracebackType
from typing import Any, Iterator, Mapping, NoReturn

from . import checks
from .errors import UsageError
from .plan import Point

VERSION = 1
_TABLE = """CREATE TABLE IF NOT EXISTS result (
  key TEXT PRIMARY KEY, point TEXT NOT NULL, cycles INTEGER, error TEXT, numbers TEXT NOT NULL, host_seconds REAL NOT NULL)"""


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of one point: cycles, or the reason why there are none."""

    point: Point
    cycles: int | None
    error: str | None
    numbers: Mapping[str, float]  #: "sram_kib", "flash_kib", "dram_kib", "bytes" moved on all ports, "macs", ...
    host_seconds: float           #: that it took; says nothing about the simulated machine


class Results:
    """An open file of results; a context manager."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = checks.path("results", path)
        try:
            self._db = sqlite3.connect(self.path)
            found = self._db.execute("PRAGMA user_version").fetchone()[0]
            tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if tables and found != VERSION:
                raise UsageError(f"{self.path}: results of version {found}; this package writes version {VERSION}: "
                                 "name another file")
            self._db.execute(_TABLE)
            self._db.execute(f"PRAGMA user_version = {VERSION}")
            self._db.commit()
        except sqlite3.Error as e:
            raise UsageError(f"{self.path}: not a file of results, or it cannot be written: {e}") from e

    def __reduce__(self) -> NoReturn:
        raise UsageError(f"{self.path}: an open file of results cannot be copied or pickled: open it once more")

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._db.close()

    def _rows(self, text: str, *values: str) -> list[tuple[Any, ...]]:
        """All rows at once: whoever stops in the middle leaves nothing open."""
        try:
            return self._db.execute(text, values).fetchall()
        except sqlite3.Error as e:  # it is closed, belongs to another thread, or is damaged
            raise UsageError(f"{self.path}: cannot be read: {e}") from e

    def keys(self) -> set[str]:
        """Of all points that have a result or a reason."""
        return {row[0] for row in self._rows("SELECT key FROM result")}

    def add(self, key: str, r: Result) -> None:
        """Keeps one result on disk at once; the first of a key stays."""
        checks.text("key", key)
        checks.several("result", [r], Result)
        try:
            with self._db:
                self._db.execute("INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?, ?, ?)",
                                 (key, json.dumps(dataclasses.asdict(r.point)), r.cycles, r.error,
                                  json.dumps(dict(r.numbers), sort_keys=True), r.host_seconds))
        except sqlite3.Error as e:
            raise UsageError(f"{self.path}: cannot be written: {e}; what was there is kept") from e

    def get(self, key: str, point: Point) -> Result | None:
        """The result of a point by its key, under the names that the point has now."""
        rows = self._rows("SELECT cycles, error, numbers, host_seconds FROM result WHERE key = ?", checks.text("key", key))
        return Result(point, rows[0][0], rows[0][1], json.loads(rows[0][2]), rows[0][3]) if rows else None

    def forget_failures(self) -> None:
        """Makes points that failed due again."""
        try:
            with self._db:
                self._db.execute("DELETE FROM result WHERE error IS NOT NULL")
        except sqlite3.Error as e:
            raise UsageError(f"{self.path}: cannot be written: {e}") from e

    def __iter__(self) -> Iterator[Result]:
        rows = self._rows("SELECT point, cycles, error, numbers, host_seconds FROM result ORDER BY point")
        for point, cycles, error, numbers, seconds in rows:
            fields = json.loads(point)
            fields["options"] = tuple(fields["options"])
            yield Result(Point(**fields), cycles, error, json.loads(numbers), seconds)
