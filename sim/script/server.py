# SPDX-License-Identifier: Apache-2.0
"""Imports a script of the virtual interfaces and calls its functions for the simulator, which keeps this text and starts
python3 with it: python3 -B -c TEXT FOLDER MODULE FUNCTION...

Descriptor 0 is the way to the simulator and back. A call is five words: number of the function, how many numbers it is
called with, two numbers, how many bytes follow, which are its first argument. An answer is three: its kind, a number, how many
bytes follow: data, or text that tells what is wrong. sim/script/child.h has the kinds."""
import sys

if sys.path[:1] == [""]:  # files of the working directory are not what we import
    del sys.path[0]

import importlib
import operator
import os
import select
import struct
import threading
import time
import traceback

NOTHING, NUMBER, BYTES, OTHER, FAILED = range(5)
SECONDS_TO_END = 4


def one_line(text):
    return " ".join(text.split())[:400].encode()


def convert(value):
    if value is None:
        return NOTHING, 0, b""
    try:
        number = operator.index(value)
    except TypeError:
        try:
            return BYTES, 0, memoryview(value).tobytes()
        except TypeError:
            return OTHER, 0, one_line(f"a value of type {type(value).__name__}")
    if -(2**31) <= number < 2**32:
        return NUMBER, number & 0xFFFFFFFF, b""
    return OTHER, 0, one_line(f"a number of {number.bit_length()} bits")


def place(error, folder):
    """Where it was raised: the last line in the script's folder, else the last one."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename[:1] != "<"]
    own = [f for f in frames if f.filename.startswith(folder)] or frames
    return f"{own[-1].filename}, line {own[-1].lineno}, in {own[-1].name}" if own else folder


def explain(error, folder):
    text = getattr(error, "msg", None) if isinstance(error, SyntaxError) else str(error)
    return one_line(f"{place(error, folder)}: {type(error).__name__}{': ' if text else ''}{text}")


def end_with_simulator(descriptor):
    """A script that is at work when the simulator ends gets some time, and no more."""
    end = select.poll()
    end.register(descriptor, 0)
    end.poll()
    time.sleep(SECONDS_TO_END)
    os._exit(1)


class Server:
    def __init__(self):
        port = os.dup(0)  # not handed on to programs that the script starts
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self.port, self.reader = port, os.fdopen(port, "rb")
        threading.Thread(target=end_with_simulator, args=(port,), daemon=True).start()

    def answer(self, kind, number, data):
        try:
            for rest in memoryview(struct.pack("=III", kind, number, len(data))), memoryview(data):
                while rest:
                    rest = rest[os.write(self.port, rest):]
        except OSError:  # it has ended: so do we, when the next call does not come
            pass

    def read(self, size):
        try:
            return self.reader.read(size)
        except OSError:  # likewise
            return b""

    def serve(self, folder, functions):
        while True:
            head = self.read(20)
            if len(head) < 20:
                return
            function, count, first, second, size = struct.unpack("=IIIII", head)
            data = [bytearray(self.read(size))] if size else []
            try:
                answer = convert(functions[function](*data, *(first, second)[:count]))
            except BaseException as error:  # its exit, too, is one
                answer = FAILED, 0, explain(error, folder)
            self.answer(*answer)


def main():
    folder, name, names = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    sys.argv = [os.path.join(folder, name + ".py")]
    sys.path.insert(0, folder)
    sys.stdout.reconfigure(line_buffering=True)
    server = Server()
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        server.answer(FAILED, 0, explain(error, folder))
        return
    functions = [getattr(module, n, None) for n in names]
    server.answer(NUMBER, sum(1 << i for i, f in enumerate(functions) if callable(f)), b"")
    server.serve(folder, functions)


main()
