#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes an input that fails smaller: minimise.py INPUT OUTPUT COMMAND...

COMMAND gets the path of a candidate as its last argument and fails (not 0) on those that still do harm. Pieces are left
out, the large ones first, then bytes are set to 0; at most some thousand candidates are tried."""
import subprocess
import sys

MOST = 3000


class Search:
    def __init__(self, command, path):
        self.command, self.path, self.tried = command, path, 0

    def fails(self, data):
        if self.tried >= MOST:
            return False
        self.tried += 1
        with open(self.path, "wb") as f:
            f.write(data)
        try:
            done = subprocess.run([*self.command, self.path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def without_pieces(self, data):
        size = len(data) // 2
        while size:
            at = 0
            while at < len(data):
                shorter = data[:at] + data[at + size:]
                if shorter and self.fails(shorter):
                    data = shorter
                else:
                    at += size
            size //= 2
        return data

    def with_zeros(self, data):
        for at in range(len(data)):
            zeroed = data[:at] + b"\0" + data[at + 1:]
            if data[at] and self.fails(zeroed):
                data = zeroed
        return data


def main():
    source, target, *command = sys.argv[1:]
    with open(source, "rb") as f:
        data = f.read()
    search = Search(command, target)
    if not search.fails(data):
        sys.exit(f"{source}: the command does not fail")
    data = search.with_zeros(search.without_pieces(data))
    with open(target, "wb") as f:
        f.write(data)
    print(f"{source}: {len(data)} bytes after {search.tried} tries")


main()
