# SPDX-License-Identifier: Apache-2.0
"""A client that speaks gdb's remote protocol byte by byte."""
import contextlib
import re
import socket
import sys
import time

LIMIT = 400
#: What a debugger that knows Arm says of itself.
DEBUGGER = b'qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386,arm'


class Client:
    """Speaks the protocol byte by byte."""

    def __init__(self, path):
        deadline = time.time() + LIMIT
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.time() > deadline:
                    raise
                time.sleep(0.02)
        self.socket.settimeout(LIMIT)

    def acknowledgement(self):
        """The next byte: + or -."""
        return self.socket.recv(1)

    def send(self, data):
        self.socket.sendall(data)

    def packet(self, data):
        self.send(b'$' + data + b'#%02x' % (sum(data) & 255))

    def reply(self):
        """The next packet, run lengths undone; None: the connection has ended."""
        data = b''
        while not re.search(rb'\$[^#]*#..', data):
            more = self.socket.recv(1)
            if not more:
                return None
            data += more
        text = re.search(rb'\$([^#]*)#', data).group(1)
        with contextlib.suppress(OSError):  # it may be the last one
            self.send(b'+')
        return re.sub(rb'(.)\*(.)', lambda m: m.group(1) * (m.group(2)[0] - 28), text, flags=re.S)

    def ask(self, data):
        self.packet(data)
        return self.reply()


def next_client(path):
    """A client that is served: for a moment the one before may still be there."""
    deadline = time.time() + LIMIT
    while True:
        client = Client(path)
        try:
            if not (client.ask(b'?') or b'E.').startswith(b'E.'):
                return client
        except ConnectionError:
            pass
        if time.time() > deadline:
            sys.exit('a later client is not served')
        time.sleep(0.05)


def expect(got, wanted, what):
    if not re.match(wanted, got if got is not None else b'nothing'):
        sys.exit(f'{what}: {got}')
