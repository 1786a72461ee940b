"""`vicino topo --svg`: the drawing of each recorded machine is what `vicino topo --json` tells of it."""

import json
import math
import unittest
from pathlib import Path
from xml.etree import ElementTree

from command import Case

SVG = "{http://www.w3.org/2000/svg}"
MACHINES = sorted((Path(__file__).resolve().parents[1] / "machines").glob("*.xml"))


class Box:
    def __init__(self, group, around):
        rect = group.find(SVG + "rect")
        self.kind, self.title, self.around = rect.get("class"), group.findtext(SVG + "title"), around
        self.left, self.top = float(rect.get("x")), float(rect.get("y"))
        self.right, self.bottom = self.left + float(rect.get("width")), self.top + float(rect.get("height"))
        self.boxes, self.threads = [], []
        for child in group.findall(SVG + "g"):
            if child.find(SVG + "rect") is not None:
                self.boxes.append(Box(child, self))
            else:
                circle, text = child.find(SVG + "circle"), child.findtext(SVG + "text")
                self.threads.append((int(text), *(float(circle.get(name)) for name in ("cx", "cy", "r"))))

    def all(self):
        yield self
        for box in self.boxes:
            yield from box.all()

    def holds(self, left, top, right, bottom):
        return self.left < left and self.top < top and right < self.right and bottom < self.bottom

    def is_apart_from(self, left, top, right, bottom):
        return right < self.left or self.right < left or bottom < self.top or self.bottom < top

    def cpus(self):
        return sorted(int(box.title.split()[1]) for box in self.all() if box.kind == "cpu")


class Drawing(Case):
    def draw(self, *words, **variables):
        done = self.run_vicino("topo", "--svg", "-", *map(str, words), env=self.env | variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        root = ElementTree.fromstring(done.stdout)
        self.assertNotRegex(done.stdout.replace(SVG[1:-1], ""), r"https?:|href|url\(|<script")  # it needs no other file
        self.assertIn("prefers-color-scheme: dark", root.findtext(SVG + "style"))
        self.assertTrue(root.findtext(SVG + "title"))
        groups = root.findall(SVG + "g")
        self.assertEqual(len(groups), 1)
        machine = Box(groups[0], None)
        self.assertLess(machine.right, float(root.get("width")))
        self.assertLess(machine.bottom, float(root.get("height")))
        return machine

    def told(self, *words, **variables):
        return json.loads(self.run_vicino("topo", "--json", *map(str, words), env=self.env | variables).stdout)

    def check_layout(self, machine):
        """A box is inside of the one around it and apart from the others there; circles touch nothing."""
        for box in machine.all():
            parts = [(each.left, each.top, each.right, each.bottom) for each in box.boxes]
            parts += [(x - r, y - r, x + r, y + r) for _, x, y, r in box.threads]
            for i, part in enumerate(parts):
                self.assertTrue(box.holds(*part), (box.title, part))
                for other in box.boxes[:i]:
                    self.assertTrue(other.is_apart_from(*part), (other.title, part))
            for i, (_, x, y, r) in enumerate(box.threads):
                for _, other_x, other_y, _ in box.threads[:i]:
                    self.assertGreater(math.hypot(x - other_x, y - other_y), 2 * r)

    def test_each_recorded_machine(self):
        for file in MACHINES:
            with self.subTest(machine=file.stem):
                machine, told = self.draw("--machine", file), self.told("--machine", file)
                self.check_layout(machine)
                boxes = list(machine.all())
                for level, kind in (("thread", "cpu"), ("node", "node"), ("package", "package"),
                                    ("cache group", "cache-group")):
                    self.assertEqual(sum(box.kind == kind for box in boxes), told["counts"][level], level)
                self.assertEqual(machine.cpus(), sorted(set(machine.cpus())))
                threads = sorted(thread[0] for box in boxes for thread in box.threads)
                self.assertEqual(threads, list(range(told["default_team_size"])))

    def test_threads_are_near_their_data_if_nothing_binds_them(self):
        for name, kind, per in (("plain-2x4", "node", 4), ("epyc-7713-64", "cache-group", 8),
                                ("single-core", "cpu", 1), ("hybrid-4p8e", "cache-group", 16)):
            with self.subTest(machine=name):
                machine = self.draw("--machine", MACHINES[0].parent / f"{name}.xml")
                for box in machine.all():
                    if box.threads:
                        self.assertEqual(len(box.threads), per)
                        # Boxes of the same CPUs are drawn inside of each other.
                        self.assertIn(kind, [each.kind for each in self.like(box)])

    @staticmethod
    def like(box):
        while box is not None:
            yield box
            box = box.around if box.around is not None and box.around.cpus() == box.cpus() else None

    def test_threads_are_on_their_places_if_they_are_bound(self):
        file = MACHINES[0].parent / "xeon-8160-2x24.xml"
        machine = self.draw("--machine", file, OMP_PROC_BIND="close", OMP_PLACES="cores")
        self.check_layout(machine)
        cores = [box for box in machine.all() if box.kind == "core"]
        self.assertEqual([len(box.threads) for box in cores], [2] * 48)
        machine = self.draw("--machine", file, OMP_PROC_BIND="spread", OMP_PLACES="threads")
        self.check_layout(machine)
        self.assertEqual([len(box.threads) for box in machine.all() if box.kind == "cpu"], [1] * 96)
        machine = self.draw("--machine", file, OMP_PROC_BIND="false")
        self.assertEqual(len(machine.threads), 96)

    def test_this_machine(self):
        machine = self.draw()
        self.check_layout(machine)
        self.assertEqual(len(machine.cpus()), self.told()["counts"]["thread"])

    def test_a_file(self):
        file = self.work / "machine.svg"
        done = self.run_vicino("topo", "--svg", str(file))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        ElementTree.parse(file)

    def test_mistakes(self):
        for words, texts in ((("--svg", "/nope/x.svg"), ("cannot write '/nope/x.svg'",)),
                             (("--svg", "x", "--json"), ("--svg and --json are given",)),
                             (("--svg", "x", "--priorities"), ("--svg and --priorities",)),
                             (("--svg",), ("--svg takes a value",))):
            with self.subTest(words=words):
                done = self.run_vicino("topo", *words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                for text in texts:
                    self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
