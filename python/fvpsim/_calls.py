# SPDX-License-Identifier: Apache-2.0
"""Long calls of the library that Ctrl-C can end.

Python's handlers of signals run in the main thread between two of its instructions, never within a call of C. So the main thread
gives such a call to another thread and waits. What a handler raises comes anywhere, also while an exception of before is
dealt with, and then nobody waits for the call any more. That is why a handle remembers its call: whoever uses the handle
next ends what was left behind first. No handler is replaced, whatever it does."""
from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import queue
import threading
import time
from typing import Any, Callable, TypeVar, cast

from .errors import UsageError

T = TypeVar("T")

#: Seconds after which a wait looks for signals. One that comes just before the wait begins, or on another thread, does not end it.
LOOK = 0.1

#: What a second user of a handle is told.
UNDER_WAY = "a run is under way: another thread or the handler of a signal may stop it, and do no more with what runs"


class _Call:
    """One call and what became of it. It is made once, however often it is submitted."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._function: Callable[[], object] | None = function
        self._lock = threading.Lock()
        self._result: object = None
        self._failure: BaseException | None = None
        self._woken: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._made = self._ended = False
        self.left = False  #: nobody waits for it any more

    def make(self) -> None:
        """In a worker: no handler of a signal interrupts this."""
        with self._lock:
            function, self._function = self._function, None
            if function and not self.left:
                self._made = True
                try:
                    self._result = function()
                except BaseException as e:  # noqa: BLE001  raised again in the thread that asked
                    self._failure = e

    def end(self) -> None:
        """In a worker: who waits goes on."""
        self._ended = True
        self._woken.put(None)

    def wait(self) -> None:
        """For the end. An interrupted wait can be done again; threading.Event could keep its lock then, and nobody would end."""
        while not self._ended:
            with contextlib.suppress(queue.Empty):
                self._woken.get(timeout=LOOK)

    def result(self) -> object:
        """What it returned; raises what it raised."""
        if self._failure:
            raise self._failure
        if not self._made:
            raise UsageError("the handler of a signal closed what was to run, before it ran")
        return self._result


class _Worker:
    """A thread for the main thread's calls. It stays: making one takes longer than a small network, and Python drops a
    KeyboardInterrupt that comes while it forgets an ended thread. The process ends without waiting for it. threading.Thread
    would wait for its start with locks that an exception from a handler leaves in disorder."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[_Call] = queue.SimpleQueue()
        _made.append(None)
        _thread.start_new_thread(self._work, ())

    def _work(self) -> None:
        _begun.append(None)
        while True:
            call = self.calls.get()
            call.make()
            _idle.append(self)
            call.end()
            del call  # it holds the handle


#: Workers without a call. More than one where a signal's handler makes calls while another waits.
_idle: list[_Worker] = []
#: An entry for each worker that was asked for, and for each whose thread has begun.
_made: list[None] = []
_begun: list[None] = []


def _forget_all() -> None:
    """In a child process: threads are not copied."""
    for one in _idle, _made, _begun:
        one.clear()


def _await_begun() -> None:
    """Before the interpreter ends: a thread that has not begun by then uses what was freed, and the process dies (Python 3.11).
    Not for ever: one whose making was interrupted never begins."""
    end = time.monotonic() + 5
    while len(_begun) < len(_made) and time.monotonic() < end:
        time.sleep(1e-3)


os.register_at_fork(after_in_child=_forget_all)
atexit.register(_await_begun)


def _submit(call: _Call) -> None:
    worker = _idle.pop() if _idle else _Worker()
    worker.calls.put(call)


class Calls:
    """The long calls of one handle, one at a time. `stop` makes the call that is under way end soon; `forget` takes back a
    stop that came too late for it."""

    def __init__(self, stop: Callable[[], Any], forget: Callable[[], Any]) -> None:
        self._stop, self._forget = stop, forget
        self._call: _Call | None = None
        self._apart = threading.Lock()  #: held by a call of a thread that is not the main one

    def run(self, function: Callable[[], T]) -> T:
        """The result of `function`, which runs without the interpreter's lock. What a signal's handler raises in the main
        thread ends the call first."""
        self.ready()
        if threading.current_thread() is not threading.main_thread():
            if not self._apart.acquire(blocking=False):
                raise UsageError(UNDER_WAY)
            try:
                return function()
            finally:
                self._apart.release()
        if self._apart.locked():
            raise UsageError(UNDER_WAY)
        call = self._call = _Call(function)
        try:
            _submit(call)
            call.wait()
        except BaseException:
            call.left = True
            self._settle()
            raise
        self._call = None
        return cast(T, call.result())

    def ready(self) -> None:
        """Before the handle is used: ends a call that was left behind; raises where one is under way."""
        self._settle()
        if self._call:
            raise UsageError(UNDER_WAY)

    def end(self) -> None:
        """Ends the call that is under way or was left behind, if there is one, on whatever thread."""
        if self._call:
            self._call.left = True
        self._settle()
        while self._apart.locked():
            self._stop()
            time.sleep(1e-3)

    def _settle(self) -> None:
        """Ends a call that was left behind. May itself be interrupted at any place and is done again then."""
        call = self._call
        if call is None or not call.left:
            return
        self._stop()
        _submit(call)  # where it was never given to a worker this one finds it left; else it waits for the first
        call.wait()
        self._forget()
        self._call = None
