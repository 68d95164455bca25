"""Decodes a trace with the schema that Perfetto publishes and checks the rules of its packets.

Prints as JSON what the test compares with what the trace itself says.
"""

import collections
import json
import sys
import zlib

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema


def packets(path):
    with open(path, "rb") as file:
        trace = schema.Trace.FromString(file.read())
    for packet in trace.packet:
        if packet.HasField("compressed_packets"):
            yield from schema.Trace.FromString(zlib.decompress(packet.compressed_packets)).packet
        else:
            yield packet


def no_unknown_fields(message):
    assert not len(UnknownFieldSet(message)), f"unknown fields in {message}"
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else [value]:
                no_unknown_fields(inner)


class Interned:
    FIELDS = ("event_categories", "event_names", "debug_annotation_names", "debug_annotation_string_values")

    def __init__(self):
        self.known = {field: {} for field in self.FIELDS}

    def define(self, data):
        for field in self.FIELDS:
            for entry in getattr(data, field):
                assert entry.iid > 0 and entry.iid not in self.known[field]
                self.known[field][entry.iid] = entry.str.decode() if hasattr(entry, "str") else entry.name

    def value(self, annotation):
        which = annotation.WhichOneof("value")
        if which == "string_value_iid":
            return self.known["debug_annotation_string_values"][annotation.string_value_iid]
        if which is not None:
            return getattr(annotation, which)
        if annotation.array_values:
            return [self.value(element) for element in annotation.array_values]
        return self.values(annotation.dict_entries)

    def values(self, annotations):
        return {self.known["debug_annotation_names"][one.name_iid]: self.value(one) for one in annotations}


def main(path):
    interned, tracks, now, cleared = Interned(), {}, None, False
    open_slices, ends_of_flows = collections.defaultdict(list), collections.Counter()
    slices, kinds, results = collections.Counter(), collections.Counter(), collections.Counter()
    paths, counters, zero_waits = collections.defaultdict(list), {}, 0
    default_track = None
    for packet in packets(path):
        no_unknown_fields(packet)
        assert packet.trusted_packet_sequence_id == 1
        if packet.sequence_flags & schema.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED:
            assert not cleared
            cleared, default_track = True, packet.trace_packet_defaults.track_event_defaults.track_uuid
            own, primary = packet.clock_snapshot.clocks
            assert packet.trace_packet_defaults.timestamp_clock_id == own.clock_id and 64 <= own.clock_id < 128
            assert own.is_incremental and primary.clock_id == packet.clock_snapshot.primary_trace_clock
            now = own.timestamp
        interned.define(packet.interned_data)
        if packet.HasField("track_descriptor"):
            assert packet.track_descriptor.uuid not in tracks
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if not packet.HasField("track_event"):
            continue
        assert packet.sequence_flags & schema.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
        now += packet.timestamp
        event = packet.track_event
        uuid = event.track_uuid if event.HasField("track_uuid") else default_track
        track = tracks[uuid]
        for iid in event.category_iids:
            assert iid in interned.known["event_categories"]
        name = interned.known["event_names"][event.name_iid] if event.HasField("name_iid") else event.name
        values = interned.values(event.debug_annotations)
        flows = [*event.flow_ids, *event.terminating_flow_ids]
        ends_of_flows.update(flows)
        for flow in flows:
            paths[flow].append("frame" if name.startswith("frame ") else name)
        for annotations in (values, values.get("result", {})):
            zero_waits += annotations.get("wait_ns") == 0
        kinds[schema.TrackEvent.Type.Name(event.type)] += 1
        if event.type == schema.TrackEvent.TYPE_SLICE_BEGIN:
            assert name
            open_slices[uuid].append(name)
            if track.HasField("thread"):
                slices[name] += 1
        elif event.type == schema.TrackEvent.TYPE_SLICE_END:
            name = open_slices[uuid].pop()
            if track.HasField("thread") and "hr" in values.get("result", {}):
                results[name, values["result"]["hr"]] += 1
        elif event.type == schema.TrackEvent.TYPE_COUNTER:
            assert event.HasField("counter_value")
            counters[track.name] = schema.CounterDescriptor.Unit.Name(track.counter.unit)
    assert all(ends >= 2 for ends in ends_of_flows.values())
    print(json.dumps({
        "slices": slices,
        "results": {" ".join(key): count for key, count in results.items()},
        "kinds": kinds,
        "open": sum(len(names) for names in open_slices.values()),
        "flows": len(ends_of_flows),
        "paths": collections.Counter(" > ".join(path) for path in paths.values()),
        "counters": counters,
        "zero_waits": zero_waits,
        "labels": [list(track.process.process_labels) for track in tracks.values() if track.HasField("process")],
        "processes": [track.process.process_name for track in tracks.values() if track.HasField("process")],
    }))


main(sys.argv[1])
