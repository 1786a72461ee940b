"""The trace's fields are those of Perfetto's own classes, and a trace is read by them as trace_file.py reads it.

The classes are those of PyPI's package `perfetto`.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import trace_file

PACKAGES = ("perfetto==0.16.0", "protobuf<7")
UNAVAILABLE = 77


def classes():
    folder = tempfile.mkdtemp()
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target",
                           folder, *PACKAGES], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"skipped: {PACKAGES} cannot be had: {done.stderr.strip()[-200:]}")
        sys.exit(UNAVAILABLE)
    sys.path.insert(0, folder)
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    return perfetto_trace_pb2, UnknownFieldSet


class Schema(unittest.TestCase):
    def test_numbers_of_fields(self):
        for ours, theirs in ((trace_file.PACKET, PROTO.TracePacket), (trace_file.EVENT, PROTO.TrackEvent),
                             (trace_file.TRACK, PROTO.TrackDescriptor), (trace_file.INTERNED, PROTO.InternedData),
                             (trace_file.ANNOTATION, PROTO.DebugAnnotation), (trace_file.FRAME, PROTO.Frame),
                             (trace_file.MAPPING, PROTO.Mapping)):
            numbers = {field.name: field.number for field in theirs.DESCRIPTOR.fields}
            for name, number in ours.items():
                with self.subTest(field=name):
                    self.assertEqual(number, numbers[name])

    def test_a_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program, file = (Path(folder) / name for name in ("a.c", "a", "a.pftrace"))
            source.write_text("""int main(void) { int s = 0;
            #pragma omp parallel for schedule(dynamic) reduction(+ : s)
              for (int i = 0; i < 100; ++i) s += i;
              return s != 4950; }""", encoding="utf-8")
            subprocess.run(["gcc-12", "-fopenmp", source, "-o", program], check=True)
            subprocess.run([VICINO, "run", f"--trace={file}", "--threads", "4", program], check=True)
            theirs = PROTO.Trace()
            theirs.ParseFromString(file.read_bytes())
            ours = trace_file.Trace.of(file)
        types = PROTO.TrackEvent
        count = {kind: sum(packet.track_event.type == kind for packet in theirs.packet)
                 for kind in (types.TYPE_SLICE_BEGIN, types.TYPE_SLICE_END, types.TYPE_INSTANT)}
        spans = sum(len(thread.spans) for thread in ours.threads.values())
        instants = sum(len(thread.instants) for thread in ours.threads.values())
        self.assertEqual([spans, spans, instants], list(count.values()))
        self.assertGreater(spans, 100)
        frames = [frame for packet in theirs.packet for frame in packet.interned_data.frames]
        self.assertEqual(sorted(frame.rel_pc for frame in frames), sorted(address for _, _, address in ours.places.values()))
        self.assertGreater(len(frames), 1)
        for packet in theirs.packet:
            self.assertEqual([len(FIELDS(packet)), len(FIELDS(packet.track_event))], [0, 0])


if __name__ == "__main__":
    VICINO = Path(sys.argv.pop()).resolve()
    PROTO, FIELDS = classes()
    unittest.main()
