# SPDX-License-Identifier: Apache-2.0
"""Reads the trace with everything on one time axis, without its schema."""
from trace_check import check


def fields(data):
    """Protobuf's wire format: number and value of each field."""
    def varint(at):
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at
    at = 0
    while at < len(data):
        key, at = varint(at)
        value, at = varint(at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def nest(path, track, slices):
    """Perfetto reads the begins and ends of a track by their times: an end is that of the slice begun last."""
    ends = []
    for name, begin, end in sorted(slices, key=lambda s: (s[1], -s[2])):
        while ends and ends[-1] <= begin:
            ends.pop()
        check(not ends or end <= ends[-1], f"{path}: {track}: {name} from {begin} to {end} ends behind the slice around it, {ends}")
        ends.append(end)


def perfetto(path):
    """Tracks with their slices (name, start, end) and values of counters; numbers as in Perfetto's protos/perfetto/trace/. Tracks of one
    name are one, as they are shown."""
    tracks, slices, values, names, stack, by_number = {}, {}, {}, {}, {}, {}
    for _, packet in fields(open(path, "rb").read()):
        packet = dict(fields(packet))
        for number, entry in fields(packet.get(12, b"")):
            entry = dict(fields(entry))
            names[entry[1]] = entry[2].decode()
        if 60 in packet:
            track = dict(fields(packet[60]))
            tracks[track[1]] = track.get(2, b"").decode()
        if 11 not in packet:
            continue
        event = dict(fields(packet[11]))
        track, time = tracks[event[11]], packet[8]
        if event[9] == 1:
            stack.setdefault(track, []).append((names[event[10]], time))
        elif event[9] == 2:
            name, begin = stack[track].pop()
            check(begin <= time, f"{path}: {name} ends before it begins")
            slices.setdefault(track, []).append((name, begin, time))
            by_number.setdefault(event[11], []).append((name, begin, time))
        elif event[9] == 4:
            values.setdefault(track, []).append((time, event[30]))
    check(not any(stack.values()), f"{path}: slices that do not end: {stack}")
    for number, found in by_number.items():
        nest(path, tracks[number], found)
    for track, found in values.items():
        times = [time for time, _ in found]
        check(times == sorted(times), f"{path}: the values of {track} are not in the order of their times")
    return slices, values
