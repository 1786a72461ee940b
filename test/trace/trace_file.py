"""Reads a trace as Perfetto's viewer does: packets of a protobuf message, as far as Vicino writes them.

`Trace.of(file)` has the events of each thread in order, with the names, arguments and arrows put in; spans have
their ends. `faults()` says what a viewer would stumble over.
"""

from dataclasses import dataclass, field

# Fields of Perfetto's messages, by message; schema_test.py compares them with Perfetto's own classes.
PACKET = {"clock_snapshot": 6, "timestamp": 8, "trusted_packet_sequence_id": 10, "track_event": 11, "interned_data": 12,
          "sequence_flags": 13, "timestamp_clock_id": 58, "trace_packet_defaults": 59, "track_descriptor": 60}
EVENT = {"category_iids": 3, "debug_annotations": 4, "type": 9, "name_iid": 10, "track_uuid": 11, "counter_value": 30,
         "flow_ids": 47, "terminating_flow_ids": 48}
TRACK = {"uuid": 1, "name": 2, "process": 3, "parent_uuid": 5, "counter": 8, "child_ordering": 11, "sibling_order_rank": 12}
INTERNED = {"event_categories": 1, "event_names": 2, "debug_annotation_names": 3,
            "debug_annotation_string_values": 29, "function_names": 5, "frames": 6, "build_ids": 16, "mapping_paths": 17,
            "mappings": 19}
FRAME = {"iid": 1, "function_name_id": 2, "mapping_id": 3, "rel_pc": 4}
MAPPING = {"iid": 1, "build_id": 2, "path_string_ids": 7}
ANNOTATION = {"name_iid": 1, "uint_value": 3, "string_value_iid": 17}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
CLEARED, NEEDS_NAMES = 1, 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message: (number, value), where a value is a number or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif kind == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            if len(value) < length:
                raise ValueError("the message is cut off")
        else:
            raise ValueError(f"a field of kind {kind}")
        yield tag >> 3, value


def message(data, names):
    """A dictionary of lists; a field without a name here is an error."""
    known = {number: name for name, number in names.items()}
    found = {}
    for number, value in fields(data):
        found.setdefault(known[number], []).append(value)
    return found


@dataclass
class Span:
    name: str
    category: str
    begin: int
    arguments: dict
    thread: int
    depth: int
    end: int = None
    arrows_out: list = field(default_factory=list)
    arrows_in: list = field(default_factory=list)


@dataclass
class Thread:
    track: int
    spans: list = field(default_factory=list)     # by their beginnings
    instants: list = field(default_factory=list)  # spans without a length
    events: int = 0


class Trace:
    def __init__(self, data):
        self.tracks, self.threads, self.counters, self._faults = {}, {}, {}, []
        self._sequences = {}
        self.places = {}  # by their names: file, build-id and address
        for number, packet in fields(data):
            assert number == 1, f"not a packet: field {number}"
            self._packet(message(packet, PACKET))
        for sequence in self._sequences.values():
            self._faults += [f"{span.name} does not end" for span in sequence["open"]]

    @staticmethod
    def of(file):
        return Trace(file.read_bytes())

    def faults(self):
        return self._faults

    def in_category(self, category):
        return [span for thread in self.threads.values() for span in thread.spans if span.category == category]

    def spans(self, name):
        return [span for thread in self.threads.values() for span in thread.spans
                if span.name == name or span.name.startswith(name + " ")]

    def instants(self, name):
        return [span for thread in self.threads.values() for span in thread.instants
                if span.name == name or span.name.startswith(name + " ")]

    def _packet(self, packet):
        if "track_descriptor" in packet:
            track = message(packet["track_descriptor"][0], TRACK)
            name = track["name"][0].decode() if "name" in track else ""
            self.tracks[track["uuid"][0]] = (name, track.get("parent_uuid", [0])[0])
            return
        number = packet["trusted_packet_sequence_id"][0]
        flags = packet.get("sequence_flags", [0])[0]
        if flags & CLEARED:
            clocks = [dict(fields(value)) for tag, value in fields(packet["clock_snapshot"][0]) if tag == 1]
            defaults = dict(fields(packet["trace_packet_defaults"][0]))
            assert [clock[1] for clock in clocks] == [6, 64] and clocks[1][3] == 1 and defaults[58] == 64
            track = dict(fields(defaults[11]))[EVENT["track_uuid"]]
            self._sequences[number] = {"now": clocks[0][2], "names": {}, "open": [], "thread": Thread(track)}
            self.threads[track] = self._sequences[number]["thread"]
            return
        event = message(packet["track_event"][0], EVENT)
        if event["type"][0] == COUNTER:
            points = self.counters.setdefault(self.tracks[event["track_uuid"][0]][0], [])
            if points and points[-1][0] > packet["timestamp"][0]:
                self._faults.append("a counter goes back in time")
            points.append((packet["timestamp"][0], event["counter_value"][0]))
            return
        assert flags & NEEDS_NAMES
        self._event(self._sequences[number], packet, event)

    def _places(self, names, frames):
        for frame in (message(data, FRAME) for data in frames):
            mapping = names["mappings", frame["mapping_id"][0]]
            name = names["function_names", frame["function_name_id"][0]]
            if name in self.places:
                self._faults.append(f"{name} is told twice")
            self.places[name] = ("/" + names["mapping_paths", mapping[7]],
                                 names.get(("build_ids", mapping.get(2))), frame["rel_pc"][0])

    def _event(self, sequence, packet, event):
        for data in packet.get("interned_data", []):
            for kind, entries in message(data, INTERNED).items():
                for entry in map(dict, map(fields, entries)):
                    if (kind, entry[1]) in sequence["names"]:
                        self._faults.append(f"{entry} has a name already")
                    sequence["names"][kind, entry[1]] = entry[2].decode() if kind not in ("frames", "mappings") else entry
            self._places(sequence["names"], message(data, INTERNED).get("frames", []))
        sequence["now"] += packet["timestamp"][0]
        thread = sequence["thread"]
        thread.events += 1
        names = sequence["names"]
        arguments = {}
        for data in event.get("debug_annotations", []):
            one = message(data, ANNOTATION)
            text = one.get("string_value_iid")
            value = names["debug_annotation_string_values", text[0]] if text else one["uint_value"][0]
            arguments[names["debug_annotation_names", one["name_iid"][0]]] = value
        if event["type"][0] == END:
            if not sequence["open"]:
                self._faults.append("an end without a beginning")
            else:
                span = sequence["open"].pop()
                span.end = sequence["now"]
                span.arguments |= arguments
            return
        span = Span(names["event_names", event["name_iid"][0]],
                    names["event_categories", event["category_iids"][0]], sequence["now"], arguments, thread.track,
                    len(sequence["open"]), arrows_out=event.get("flow_ids", []),
                    arrows_in=event.get("terminating_flow_ids", []))
        if event["type"][0] == INSTANT:
            thread.instants.append(span)
        else:
            thread.spans.append(span)
            sequence["open"].append(span)
