#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that break off, do not listen, come in twos or send damage: clients.py FVP_SIM GUEST.elf FILES.elf ENDLESS.elf. The machine stays
as it was: the report at the end is that of a run without a debugger. With FILES.elf: calls of File-I/O that are broken off."""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from client import LIMIT, Client, expect, next_client

PROGRAM, GUEST, FILES, ENDLESS = (os.path.abspath(a) for a in sys.argv[1:5])
PACKET_MAX = 0x4000
SOON = 60  # seconds
TIMES_UNREAD = 4000  # answers that nobody takes: more than any socket holds


@contextlib.contextmanager
def server(guest, *options):
    """A simulator that waits for a debugger in a folder of its own; its path, and the process."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([PROGRAM, '--quiet', '--elf', guest, '--gdb', './gdb', '--gdb-wait', '--report', 'report', *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=folder)
        try:
            while not os.path.exists(os.path.join(folder, 'gdb')):
                if process.poll() is not None:
                    sys.exit(f'the simulator does not serve {guest}: it ends with {process.returncode}')
                time.sleep(0.02)
            yield os.path.join(folder, 'gdb'), process
        finally:
            process.kill()
            process.communicate()


def report(path):
    with open(os.path.join(os.path.dirname(path), 'report')) as f:
        return json.load(f)


def plain_report():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'report')
        subprocess.run([PROGRAM, '--quiet', '--elf', GUEST, '--report', path], check=True, timeout=LIMIT, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return report(path)


def to_the_end(client, process, path, wanted):
    """The run ends as one without a debugger."""
    client.packet(b'vCont;c')
    while not (client.reply() or b'W00').startswith(b'W00'):
        pass
    client.socket.close()
    if process.wait(LIMIT) != 0 or report(path) != wanted:
        sys.exit(f'another end: {process.returncode}')


def packet(data):
    return b'$' + data + b'#%02x' % (sum(data) & 255)


def extended():
    """The connection outlives the run until the client goes: how it ended is said again, nothing else is there."""
    for leave in (lambda c: c.socket.shutdown(socket.SHUT_WR), lambda c: expect(c.ask(b'D'), b'OK$', 'detach behind the end'), lambda c: c.packet(b'k')):
        with server(GUEST) as (path, process):
            client = next_client(path)
            expect(client.ask(b'!'), b'OK$', 'extended mode')
            client.packet(b'vCont;c')
            while not (client.reply() or b'W00').startswith(b'W00'):
                pass
            for asked, wanted in ((b'?', b'W00$'), (b'g', b'$'), (b'vCont;c', b'$'), (b'?', b'W00$')):
                expect(client.ask(asked), wanted, f'{asked} behind the end')
            leave(client)
            with contextlib.suppress(ConnectionError):
                while client.reply() is not None:
                    pass
            if process.wait(LIMIT) != 0:
                sys.exit(f'extended mode: {process.returncode}')


def damage(client):
    """What is refused is refused with '-', and what comes then is served."""
    registers = client.ask(b'g')
    client.send(b'$g#00')
    for bad in (b'$' + b'x' * (PACKET_MAX + 1) + b'#00', b'$' + b'x' * 100000 + b'#00', b'$g#zz', b'$g#6'):
        client.send(bad)
    client.send(packet(b'g'))
    if client.ask(b'g') != registers:
        sys.exit('other registers after damage')
    client.packet(b'm10000000,' + b'0' * (PACKET_MAX - 11) + b'4')
    expect(client.reply(), rb'E16$', 'a packet that is just not too long')


def acknowledged(path):
    client = next_client(path)
    for bytes_sent, wanted in ((packet(b'!'), b'+'), (b'$!#00', b'-'), (b'$' + b'y' * (PACKET_MAX + 1) + b'#00', b'-')):
        client.send(bytes_sent)
        got = client.acknowledgement()
        if got != wanted:
            sys.exit(f'{bytes_sent[:20]} is acknowledged with {got}')
        if wanted == b'+':
            client.reply()
    client.socket.close()


def run_lengths(client):
    """Zeros are sent with a count, and the counts are no characters with a meaning of their own."""
    client.packet(b'm31000000,100')
    data = b''
    while not re.search(rb'\$[^#]*#..', data):
        data += client.socket.recv(1)
    if b'0*' not in data or re.search(rb'\*[#$+-]', data) or len(data) > 60:
        sys.exit(f'zeros are sent as {data}')
    client.send(b'+')
    for size in (1, 2, 3, 4, 6, 7, 8, 48, 49, 50, 98, 99, 100, 2000):
        if client.ask(b'm31000000,%x' % size) != b'00' * size:
            sys.exit(f'{size} bytes of zeros')


def two_at_once(path):
    first = next_client(path)
    second = Client(path)
    second.send(packet(b'qSupported'))
    expect(second.reply(), rb'E\.the machine has a debugger already', 'a second client')
    if second.reply() is not None:
        sys.exit('a second client is served')
    expect(first.ask(b'pf'), rb'[0-9a-f]{8}$', 'the first client while the second one was there')
    first.socket.close()


def silent(path):
    """One that says nothing more keeps the place until it goes."""
    first = next_client(path)
    second = Client(path)
    expect(second.reply(), rb'E\.', 'a second client, the first one silent')
    first.socket.close()


def deaf(path):
    """One that takes no answers is hung up on."""
    client = next_client(path)
    with contextlib.suppress(OSError):
        for _ in range(TIMES_UNREAD):
            client.send(packet(b'm10000000,400'))
    return client


def breaks_off(path, data):
    client = next_client(path)
    client.send(data)
    client.socket.close()


def gives_way(client, process, path):
    """The client goes and the next one comes and asks before the simulator has seen either."""
    time.sleep(0.05)  # it has read what was sent, and waits
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    client.socket.close()
    after = Client(path)
    after.packet(b'?')
    process.send_signal(signal.SIGCONT)
    return after


def replaced(path, process, data):
    """One that breaks off leaves nothing to the one that takes its place."""
    first = next_client(path)
    first.send(data)
    after = gives_way(first, process, path)
    after.socket.settimeout(SOON)
    expect(after.reply(), rb'T02|E\.', f'the client after {data}')
    after.socket.close()


def breaks_off_loading(path):
    """In the middle of the third packet of a load; the bytes are those that are there."""
    client = next_client(path)
    code = bytes.fromhex(client.ask(b'm10000000,300').decode())
    escaped = re.sub(rb'[#$}*]', lambda m: b'}' + bytes([m.group(0)[0] ^ 0x20]), code)
    whole = packet(b'X10000000,300:' + escaped)
    client.send(whole)
    expect(client.reply(), rb'OK', 'load')
    client.send(whole + whole[:len(whole) // 2])
    client.socket.close()


def clients():
    wanted = plain_report()
    with server(GUEST) as (path, process):
        first = next_client(path)
        damage(first)
        run_lengths(first)
        first.socket.close()
        acknowledged(path)
        two_at_once(path)
        silent(path)
        deaf(path).socket.close()
        for data in (b'', b'$', b'$g', b'$g#', b'$g#6', b'+++', b'\x03', b'$X10000000,4:a}', b'$vCont;s#'):
            breaks_off(path, data)
            replaced(path, process, data)
        breaks_off_loading(path)
        breaks_off(path, packet(b'Z0,10000000,2') + packet(b'Z2,30000000,4'))
        to_the_end(next_client(path), process, path, wanted)


def asked(path):
    """A client that has let the program go, up to its first call: a file is to be opened."""
    client = next_client(path)
    client.packet(b'vCont;c')
    expect(client.reply(), rb'Fopen,f0000000/6,602,1b6$', 'the first call')
    expect(client.ask(b'mf0000000,6'), b'f.txt\0'.hex().encode() + b'$', 'the name')
    return client


def opened(path):
    """The same, up to the write behind it."""
    client = asked(path)
    expect(client.ask(b'F5'), rb'Fwrite,5,f0000000,a$', 'the second call')
    return client


def ended(process, status, printed):
    out, _ = process.communicate(timeout=LIMIT)
    if process.returncode != status or (out.decode() != printed):
        sys.exit(f'the run ends with {process.returncode}: {out}')


OWN_TEXT = 'handle\ntext\nc\n'


def calls():
    options = [FILES, '--gdb-semihosting']
    with server(*options) as (path, process):  # Ctrl-C in place of an answer, then an error
        client = opened(path)
        expect(client.ask(b'F-1,4,C'), rb'T02', 'Ctrl-C in place of an answer')
        expect(client.ask(b'vCont;c'), rb'Ffstat,5,f0000000$', 'the third call')
        client.packet(b'F-1,9')
        while not (client.reply() or b'').startswith(b'W02'):
            pass
        ended(process, 2, '')
    with server(*options) as (path, process):  # Ctrl-C while the answer is awaited
        client = opened(path)
        client.send(b'\x03')
        expect(client.ask(b'Fa'), rb'T02', 'Ctrl-C before the answer')
        client.packet(b'D')
        ended(process, 2, '')  # the file has gone with gdb: FLEN fails
    with server(*options) as (path, process):  # packets that do not belong there
        client = opened(path)
        for other in (b'g', b'vCont;c', b'Z0,10000000,2', b'qSupported', b'bs', b'?', b'M10000000,1:00', b'Xf0000000,4:abcd', b'Xf0020000,1:a',
                      b'mf000ffff,2', b'mffffffff,1'):
            client.ask(other)
        expect(client.ask(b'mf0000000,a'), b'abcd456789'.hex().encode() + b'$', 'what is to be written')
        expect(client.ask(b'M10000000,1:00'), rb'E', 'the program is not changed meanwhile')
        second = Client(path)
        expect(second.reply(), rb'E\.', 'a second client during a call')
        expect(client.ask(b'Fa'), rb'Ffstat', 'the third call')
        client.packet(b'Fzz')
        while not (client.reply() or b'').startswith(b'W02'):
            pass
        ended(process, 2, '')
    with server(*options) as (path, process):  # more read than there was room for
        client = opened(path)
        expect(client.ask(b'Fa'), rb'Ffstat', 'the third call')
        stat = bytes(8) + (0o100644).to_bytes(4, 'big') + bytes(16) + (10).to_bytes(8, 'big') + bytes(28)
        expect(client.ask(b'Mf0000000,40:' + stat.hex().encode()), rb'OK', 'the state of the file')
        for answer, wanted in ((b'F0', rb'Fisatty,5$'), (b'F0', rb'Flseek,5,3,0$'), (b'F3', rb'Fread,5,f0000000,4$')):
            expect(client.ask(answer), wanted, 'the next call')
        client.packet(b'F5')
        while not (client.reply() or b'').startswith(b'W05'):
            pass
        ended(process, 5, '')
    for leave in (lambda c: c.socket.close(), lambda c: c.ask(b'D')):
        with server(*options) as (path, process):  # nobody opens it: the simulator does, and all is its own from there
            leave(asked(path))
            ended(process, 0, OWN_TEXT)
        with server(*options) as (path, process):  # gone in a write to a file that gdb had open
            leave(opened(path))
            ended(process, 2, '')
    with server(*options) as (path, process):  # another one is there at once, but is not the one that was asked
        after = gives_way(asked(path), process, path)
        ended(process, 0, OWN_TEXT)
        after.socket.close()
    with server(*options) as (path, process):
        opened(path).packet(b'k')
        if process.wait(LIMIT) == 0:
            sys.exit('a run that was killed ends well')
    with server(*options, '--timelimit', '1') as (path, process):  # a limit ends the waiting
        client = opened(path)
        if process.wait(LIMIT) != 124:
            sys.exit(f'a limit of time during a call ends with {process.returncode}')


def replayed():
    """A record is asked, not the debugger; what is printed goes to the debugger."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, '--quiet', '--elf', FILES, '--record', 'record'], check=True, cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
        process = subprocess.Popen([PROGRAM, '--quiet', '--replay', 'record', '--gdb', './gdb', '--gdb-wait', '--gdb-semihosting'],
                                   cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            client = next_client(os.path.join(folder, 'gdb'))
            reply, printed = client.ask(b'vCont;c'), b''
            while reply and reply.startswith(b'F'):
                call = re.match(rb'Fwrite,1,f0000000,([0-9a-f]+)$', reply)
                if not call:
                    sys.exit(f'a replay asks for {reply}')
                printed += bytes.fromhex(client.ask(b'mf0000000,' + call.group(1)).decode())
                reply = client.ask(b'F' + call.group(1))
            if printed != OWN_TEXT.encode():
                sys.exit(f'a replay prints {printed}')
            client.socket.close()
            ended(process, 0, '')
        finally:
            process.kill()


def any_port():
    """A port that the system chose is told, also to those who want no notes: nobody can know it else."""
    process = subprocess.Popen([PROGRAM, '--quiet', '--elf', GUEST, '--gdb', '0', '--gdb-wait'], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        silence = threading.Timer(SOON, process.kill)
        silence.start()
        told = process.stderr.readline()
        silence.cancel()
        found = re.search(r'target remote 127.0.0.1:(\d+)$', told.strip())
        if not found:
            sys.exit(f'no port is told: {told}')
        socket.create_connection(('127.0.0.1', int(found.group(1))), timeout=LIMIT).close()
    finally:
        process.kill()
        process.communicate()


class Piped(Client):
    """Speaks to a simulator on its standard streams, as one that gdb has started."""

    def __init__(self):
        self.socket, theirs = socket.socketpair()
        self.process = subprocess.Popen([PROGRAM, '--quiet', '--elf', ENDLESS, '--gdb', '-', '--gdb-wait'], stdin=theirs, stdout=theirs,
                                        stderr=subprocess.DEVNULL)
        theirs.close()
        self.socket.settimeout(LIMIT)


def alone():
    """Nobody comes behind the debugger that has started the simulator: when that is gone the run ends, whatever the program does."""
    for last in (b'', b'vCont;c', b'vKill;1', b'k'):
        client = Piped()
        try:
            expect(client.ask(b'qAttached'), b'0$', 'who has started the program')
            if last:
                client.packet(last)
                time.sleep(0.1)
            client.socket.close()
            if client.process.wait(SOON) != 130:
                sys.exit(f'behind {last} a run whose debugger is gone ends with {client.process.returncode}')
        finally:
            client.process.kill()
    with server(GUEST) as (path, _):
        expect(next_client(path).ask(b'qAttached'), b'1$', 'at a socket')


clients()
any_port()
alone()
extended()
calls()
replayed()
