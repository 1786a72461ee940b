"""`vicino graph`: its numbers, its options, what it refuses, and the pictures it draws."""

import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from command import VICINO, Case

SVG = "{http://www.w3.org/2000/svg}"
DIAMOND = "digraph { top [cost=2]; top -> left -> bottom; top -> right -> bottom; }\n"
# Rows 2 and 3 need row 1, and fill joins them: (3, 2) and (2, 3).
ARROW = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n"


def edges_of_cube(n, fill):
    return 3 * n * n * (n - 1) + (3 * n * (n - 1) ** 2 if fill else 0)


class Graph(Case):
    def file(self, name, text):
        path = self.work / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def numbers(self, *words, **options):
        done = self.run_vicino("graph", *words, "--json", "-", **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def text(self, *words, **options):
        done = self.run_vicino("graph", *words, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, *words, **options):
        done = self.run_vicino("graph", *words, **options)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr


class Numbers(Graph):
    def test_cubes_have_the_published_numbers_of_edges(self):
        for n, fill, edges in ((6, 2, 1600), (7, 2, 2700), (8, 2, 4214), (9, 2, 6208),
                               (100, 2, 10_761_498), (100, 0, 2_970_000), (100, 1, 5_910_300),
                               (5, 0, edges_of_cube(5, 0)), (5, 1, edges_of_cube(5, 1))):
            with self.subTest(n=n, fill=fill):
                told = self.numbers(f"cube:{n}", "--ilu", fill)
                self.assertEqual((told["tasks"], told["edges"]), (n**3, edges))

    def test_the_large_cube_is_coarsened_as_published(self):
        told = self.numbers("cube:100", "--coarsen", "CD(4)")
        self.assertEqual(told["coarse"]["aggregates"], 2500)
        self.assertEqual(told["coarse"]["tasks_of_aggregate"],
                         {"least": 400, "median": 400, "mean": 400, "largest": 400})

    def test_all_numbers_of_a_small_graph(self):
        file = self.file("d.dot", DIAMOND)
        self.assertEqual(self.numbers(file), {
            "schema": "vicino-graph-1", "input": file, "transposed": False, "tasks": 4, "edges": 4,
            "depth": 3, "widest_level": 2, "cost": 5, "critical_path": 4, "parallelism": 1.25})
        told = self.numbers(file, "--coarsen", "F(1)", "--nodes", 2)
        self.assertEqual(told["coarse"], {
            "string": "F(1)", "aggregates": 3, "edges": 2, "depth": 3, "widest_level": 1, "cost": 5,
            "critical_path": 5, "parallelism": 1,
            "tasks_of_aggregate": {"least": 1, "median": 1, "mean": 4 / 3, "largest": 2},
            "cost_of_aggregate": {"least": 1, "median": 2, "mean": 5 / 3, "largest": 2}})

    def test_a_grid_of_the_benchmark(self):
        told = self.numbers("spe10")
        self.assertEqual(told["tasks"], 60 * 220 * 85)
        self.assertEqual(told["edges"], 59 * 220 * 85 + 60 * 219 * 85 + 60 * 220 * 84)
        self.assertEqual(self.numbers("spe10:10")["tasks"], 6 * 22 * 9)

    def test_a_matrix_has_the_graph_of_its_factorisation(self):
        file = self.file("m.mtx", ARROW)
        told = self.numbers(file)
        self.assertEqual((told["ilu"], told["order"]), (0, "natural"))
        self.assertEqual((told["tasks"], told["edges"], told["depth"]), (3, 2, 2))
        told = self.numbers(file, "--ilu", 1)
        self.assertEqual((told["ilu"], told["edges"], told["depth"]), (1, 3, 3))

    def test_standard_input(self):
        told = self.numbers("-", "--format", "dot", input=DIAMOND)
        self.assertEqual((told["input"], told["tasks"]), ("-", 4))
        self.assertEqual(self.numbers("-", "--format", "mtx", input=ARROW)["tasks"], 3)

    def test_a_format_is_told_for_other_names(self):
        self.assertEqual(self.numbers(self.file("d.txt", DIAMOND), "--format", "dot")["tasks"], 4)
        self.assertEqual(self.numbers(self.file("d.gv", DIAMOND))["tasks"], 4)

    def test_transposed(self):
        tree = self.file("t.dot", "digraph { a -> {b c}; b -> d }")
        as_it_is, told = (self.numbers(tree, "--coarsen", "S", *more) for more in ((), ("--transpose",)))
        self.assertEqual((as_it_is["transposed"], told["transposed"]), (False, True))
        self.assertEqual((told["edges"], told["depth"]), (3, 3))
        dot = self.text(tree, "--transpose", "--dot", "-")
        self.assertIn('"b" -> "a";', dot)
        self.assertNotIn('"a" -> "b";', dot)

    def test_nested_dissection_of_a_grid_is_less_deep(self):
        natural, nd = (self.numbers("cube:12", "--order", order) for order in ("natural", "nd"))
        self.assertEqual((natural["order"], nd["order"]), ("natural", "nd"))
        self.assertEqual(natural["edges"], nd["edges"])
        self.assertLess(nd["depth"], natural["depth"])

    def test_metis_orders_or_is_missed(self):
        for words in (("cube:5", "--order", "metis"), (self.file("m.mtx", ARROW), "--order", "nd")):
            done = self.run_vicino("graph", *words, "--json", "-")
            if done.returncode == 0:
                self.assertEqual(json.loads(done.stdout)["order"], words[2])
            else:
                self.assertRegex(done.stderr, f"--order {words[2]}: .*Debian: libmetis")

    def test_nodes_share_each_depth(self):
        told = self.numbers("cube:10", "--nodes", 2)
        self.assertEqual(sum(node["tasks"] for node in told["nodes"]), 1000)
        self.assertEqual(len(told["nodes"]), 2)
        self.assertGreater(told["cut_edges"], 0)
        self.assertEqual(self.numbers("cube:10", "--nodes", 1)["cut_edges"], 0)
        # Four tasks side by side, two to a node; the edges to the last one are cut for those of the other node.
        fan = self.file("f.dot", "digraph { {a b c d} -> e }")
        told = self.numbers(fan, "--nodes", 2)
        self.assertEqual(sorted(node["tasks"] for node in told["nodes"]), [2, 3])
        self.assertEqual(told["cut_edges"], 2)

    def test_nodes_without_tasks_are_told(self):
        told = self.numbers(self.file("c.dot", "digraph { a -> b }"), "--nodes", 3)
        self.assertEqual(len(told["nodes"]), 3)
        self.assertEqual(sum(node["tasks"] for node in told["nodes"]), 2)

    def test_a_graph_may_be_empty(self):
        told = self.numbers("-", "--format", "dot", "--nodes", 2, "--coarsen", "CD(4)",
                            input="digraph {}")
        self.assertEqual((told["tasks"], told["depth"], told["parallelism"]), (0, 0, 0))
        self.assertEqual(told["nodes"], [{"tasks": 0, "cost": 0}] * 2)


class Text(Graph):
    def test_has_the_numbers(self):
        text = self.text("cube:10", "--ilu", 1, "--coarsen", "CD(4)", "--nodes", 2)
        self.assertEqual(text.splitlines()[0], "cube:10, ILU(1), order natural, coarsened by CD(4)")
        told = self.numbers("cube:10", "--ilu", 1, "--coarsen", "CD(4)", "--nodes", 2)
        coarse = told["coarse"]
        for name, key in (("edges", "edges"), ("depth", "depth"), ("widest level", "widest_level"),
                          ("cost", "cost"), ("critical path", "critical_path")):
            self.assertRegex(text, rf"\n{name} +{told[key]:.8g} +{coarse[key]:.8g}\n")
        self.assertRegex(text, rf"\nnumber +1000 +{coarse['aggregates']}\n")
        self.assertRegex(text, rf"\nparallelism +{told['parallelism']:.1f} +{coarse['parallelism']:.1f}\n")
        sizes = coarse["tasks_of_aggregate"]
        self.assertRegex(text, rf"\ntasks +{sizes['least']:.8g} +{sizes['median']:.8g} +"
                               rf"{sizes['mean']:.1f} +{sizes['largest']:.8g}\n")
        self.assertRegex(text, rf"\n1 +{told['nodes'][1]['tasks']} +")
        self.assertRegex(text, rf"\ncut edges +{told['cut_edges']} +[\d.]+ %\n$")

    def test_is_short_without_options(self):
        text = self.text("cube:3", "--transpose")
        self.assertEqual(text.splitlines()[0], "cube:3, ILU(0), order natural, transposed")
        self.assertEqual(len(text.splitlines()), 9)
        self.assertNotIn("aggregate", text)

    def test_stays_when_a_file_is_written(self):
        file = self.work / "numbers.json"
        self.assertEqual(self.text("cube:3", "--json", file), self.text("cube:3"))
        self.assertEqual(json.loads(file.read_text(encoding="utf-8"))["tasks"], 27)


class Pictures(Graph):
    def svg(self, *words, **options):
        return ElementTree.fromstring(self.text(*words, "--svg", "-", **options))

    def test_dot_is_read_back(self):
        source = self.file("s.dot", 'digraph { "a b" [cost=2.5]; "a b" -> "q\\"\\\\" -> {c 7}; c -> "<x>" }')
        for words in ((source,), ("cube:4", "--ilu", 1, "--transpose"), (source, "--coarsen", "SD(2)")):
            with self.subTest(words=words):
                first = self.work / "first.dot"
                told = self.numbers(*words)
                self.text(*words, "--dot", first)
                again = self.numbers(first)
                for key in ("tasks", "edges", "depth", "cost", "critical_path"):
                    self.assertEqual(again[key], told[key])
                plain = self.work / "plain.dot"
                self.text(first, "--dot", plain)
                last = self.text(plain, "--dot", "-")
                # Only the name of the digraph is another.
                self.assertEqual(last.splitlines()[1:], plain.read_text(encoding="utf-8").splitlines()[1:])

    def test_dot_has_a_cluster_for_each_aggregate(self):
        text = self.text("cube:3", "--coarsen", "C", "--dot", "-")
        self.assertEqual(re.findall(r"subgraph cluster_(\d+)", text), [str(i) for i in range(9)])
        colours = re.findall(r'fillcolor="(#[0-9a-f]{6})"', text)
        self.assertEqual((len(colours), len(set(colours))), (27, 9))
        self.assertNotIn("cluster", self.text("cube:3", "--dot", "-"))

    def test_svg_has_each_task_and_edge(self):
        picture = self.svg("cube:3", "--ilu", 1, "--coarsen", "CD(2)", "--nodes", 2)
        boxes = picture.findall(f"{SVG}g")
        self.assertEqual(len(boxes), 27)
        self.assertEqual(len(picture.findall(f"{SVG}path")), edges_of_cube(3, 1))
        self.assertRegex(boxes[5].find(f"{SVG}title").text, r"^task 5, cost 1, aggregate \d+, node [01]$")
        self.assertEqual(boxes[5].find(f"{SVG}text").text, "5")
        told = self.numbers("cube:3", "--ilu", 1, "--coarsen", "CD(2)")
        fills = {box.find(f"{SVG}rect").get("fill") for box in boxes}
        self.assertEqual(len(fills), told["coarse"]["aggregates"])

    def test_svg_has_depths_from_top_to_bottom(self):
        picture = self.svg("-", "--format", "dot", input=DIAMOND)
        height = {box.find(f"{SVG}text").text: float(box.find(f"{SVG}rect").get("y"))
                  for box in picture.findall(f"{SVG}g")}
        self.assertLess(height["top"], height["left"])
        self.assertEqual(height["left"], height["right"])
        self.assertLess(height["right"], height["bottom"])

    def test_svg_boxes_do_not_overlap(self):
        picture = self.svg("cube:5", "--ilu", 2, "--order", "nd")
        layers = {}
        for box in picture.findall(f"{SVG}g"):
            rect = box.find(f"{SVG}rect")
            left, width, y = (float(rect.get(key)) for key in ("x", "width", "y"))
            self.assertGreaterEqual(left, 0)
            self.assertLessEqual(left + width, float(picture.get("width")))
            layers.setdefault(y, []).append((left, left + width))
        for layer in layers.values():
            layer.sort()
            for (_, right), (left, _) in zip(layer, layer[1:]):
                self.assertLess(right, left)

    def test_svg_takes_any_name(self):
        picture = self.svg("-", "--format", "dot",
                           input='digraph { "<a> & \\"b\\" is a long name" -> "\x01\xe4" }')
        titles = [box.find(f"{SVG}title").text for box in picture.findall(f"{SVG}g")]
        self.assertEqual(titles[0], 'task 0: <a> & "b" is a long name, cost 1')
        self.assertEqual(len(self.svg("-", "--format", "dot", input="digraph {}").findall(f"{SVG}g")), 0)

    def test_large_graphs_are_not_drawn(self):
        for option in ("--dot", "--svg"):
            file = self.work / option
            self.assertIn(f"graph: {option}: the graph has 512 tasks and 1344 edges; graphs of up to "
                          "500 tasks and 2000 edges are drawn", self.refused("cube:8", option, file))
            self.assertIn("343 tasks and 2700 edges", self.refused("cube:7", "--ilu", 2, option, file))
            self.assertFalse(file.exists())
            self.assertEqual(self.run_vicino("graph", "cube:7", option, file).returncode, 0)


class Refused(Graph):
    def test_each_mistake_is_named_with_what_is_right(self):
        dot, matrix = self.file("d.dot", DIAMOND), self.file("m.mtx", ARROW)
        for words, text in (
                ((), "graph: no input is given; see vicino graph --help"),
                (("cube:3", "cube:4"), "graph: 'cube:4' is a second input; it takes one"),
                (("cube:0",), "'cube:0': N of cube:N must be a whole number from 1 to 800"),
                (("spe10:x",), "'spe10:x': N of spe10:N must be a whole number from 1 to 220"),
                (("cube",), "'cube' is not cube:N, spe10 or spe10:N, and no file that ends in one of "
                            ".mtx, .dot, .gv, .graph; --format tells the format of another file: mtx, dot, vicino"),
                (("-",), "--format must say what the standard input is: mtx, dot"),
                (("cube:3", "--format", "mtx"), "--format is for files; 'cube:3' is a grid"),
                ((matrix, "--format", "csv"), "--format: 'csv' is not one of mtx, dot"),
                (("/nope.mtx",), "/nope.mtx: No such file or directory"),
                (("/", "--format", "mtx"), "/: Is a directory"),
                (("cube:3", "--ilu", "-1"), "--ilu: '-1' is not a whole number from 0 to 100"),
                (("cube:3", "--ilu", "101"), "--ilu: '101' is not a whole number from 0 to 100"),
                (("cube:3", "--ilu", "1.5"), "--ilu: '1.5' is not a whole number from 0 to 100"),
                (("cube:3", "--ilu"), "--ilu takes a value"),
                (("cube:3", "--order", "amd"), "--order: 'amd' is not natural, nd or metis"),
                (("cube:3", "--nodes", "0"), "--nodes: '0' is not a whole number from 1 to 1024"),
                (("cube:3", "--coarsen", "CX"), "--coarsen: coarse string 'CX': at place 2, before 'X'"),
                (("cube:3", "--coarsen", "D(0)"), "there must be the number of tasks per aggregate"),
                ((dot, "--ilu", "0"), f"graph: --ilu is for matrices; '{dot}' is a task graph"),
                ((dot, "--order", "nd"), f"graph: --order is for matrices; '{dot}' is a task graph"),
                (("cube:3", "--json", "-", "--dot", "-"),
                 "only one of --dot, --svg and --json can be the standard output"),
                (("cube:3", "--json", "/nope/x.json"), "cannot write '/nope/x.json'"),
                (("cube:3", "--svg", "/nope/x.svg"), "cannot write '/nope/x.svg'"),
                (("cube:3", "--keep", "x"), "'--keep' is not an option of vicino graph"),
        ):
            with self.subTest(words=words):
                self.assertIn(text, self.refused(*words))

    def test_files_are_refused_with_file_and_line(self):
        head = "%%MatrixMarket matrix coordinate real general\n"
        for name, text, error in (
                ("a.mtx", head + "2 2 1\n3 1 1.0\n", "a.mtx:3: entry (3, 1) is outside of the matrix"),
                ("b.mtx", head + "2 3 1\n", "b.mtx:2: the matrix has 2 rows and 3 columns"),
                ("c.dot", "digraph {\n  a -- b\n}", "c.dot:2: '--' is an edge of an undirected graph"),
                ("d.dot", "digraph { a -> b -> a }",
                 "d.dot: tasks wait for each other in a circle: 'a' -> 'b' -> 'a'"),
                ("e.dot", "digraph {\n a [cost=x] }", "e.dot:2: the cost 'x' is not a number from 0 on")):
            with self.subTest(name=name):
                self.assertIn(f"{self.work}/{error}", self.refused(self.file(name, text)))
        self.assertIn("standard input:1: the file does not begin with '%%MatrixMarket'",
                      self.refused("-", "--format", "mtx", input="x"))

    def test_what_does_not_fit_into_memory(self):
        def run(*words):
            limited = ["sh", "-c", 'ulimit -v 2000000; exec "$@"', "sh", str(VICINO), *words]
            return subprocess.run(limited, capture_output=True, text=True, check=False, timeout=120)

        if run("--version").returncode != 0:
            self.skipTest("the program itself needs more memory, as with a sanitizer")
        done = run("graph", "cube:400")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("graph: there is not enough memory for 'cube:400'", done.stderr)


class OwnFormat(Graph):
    def test_what_is_saved_is_read_again(self):
        file = str(self.work / "cube.graph")
        before = self.numbers("cube:8", "--ilu", 1, "--coarsen", "CD(4)", "--nodes", 3, "--save", file)
        after = self.numbers(file)
        for told in (before, after):
            for key in ("input", "ilu", "order"):
                told.pop(key, None)
            self.assertEqual(told["coarse"].pop("string"), "CD(4)" if told is before else "file ")
        self.assertEqual(before, after)

    def test_aggregates_of_a_file_are_coarsened_further(self):
        file = str(self.work / "cube.graph")
        self.text("cube:8", "--coarsen", "C", "--save", file)
        self.assertEqual(self.numbers(file, "--coarsen", "D(4)")["coarse"]["aggregates"],
                         self.numbers("cube:8", "--coarsen", "CD(4)")["coarse"]["aggregates"])
        turned = self.numbers(file, "--transpose")
        self.assertEqual(turned["coarse"]["aggregates"], 64)

    def test_a_plain_graph_stays_plain(self):
        file = str(self.work / "cube.graph")
        self.text("cube:4", "--save", file)
        self.assertNotIn("coarse", self.numbers(file))

    def test_refusals(self):
        file = self.file("x.graph", "no graph")
        self.assertRegex(self.refused(file), "x.graph' is not a graph of Vicino's")
        self.assertRegex(self.refused("-", "--format", "vicino"), "from a file only")
        self.assertRegex(self.refused(file, "--ilu", 1), "x.graph' is")
        self.assertRegex(self.refused("cube:3", "--save", str(self.work / "none" / "x")), "none/x")


class Run(Graph):
    def setUp(self):
        super().setUp()
        self.env.pop("VICINO_LIBRARY")  # so that the real library is used

    TIME = r"\d+\.\d{3} ms \[\d+\.\d{3}, \d+\.\d{3}\]\n"

    def test_times_by_one_thread_and_by_several(self):
        said = self.text("cube:10", "--coarsen", "CD(2)", "--nodes", 2, "--run", 3)
        self.assertRegex(said, f"1 thread        {self.TIME}3 threads       {self.TIME}speed-up +[0-9.]+\n$")

    def test_automatic_tells_why(self):
        said = self.text("cube:10", "--coarsen", "automatic", "--run", 2)
        self.assertRegex(said, r"automatic, 2 threads: .*\n  one thread: \d+ us at the first run; managing: ")
        self.assertRegex(said, r"\n  D\(\d+\): ")

    def test_nothing_is_left_and_the_command_is_no_openmp_program(self):
        self.env.update(OMP_SCHEDULE="auto,1", VICINO_STATS="true")
        self.text("cube:3", "--json", "-")     # without --run nothing warns or counts
        self.text("cube:3", "--save", str(self.work / "c.graph"))
        self.env.pop("OMP_SCHEDULE"), self.env.pop("VICINO_STATS")
        self.text("cube:3", "--run", 2)
        self.assert_nothing_left()

    def test_it_follows_no_link_of_others(self):
        """A file in the temporary folder has no name that can be foretold."""
        target = self.work / "target"
        target.write_text("kept")
        started = self.start("graph", "cube:3", "--run", "2", env=self.env,
                             preexec_fn=lambda: (self.tmp / f"vicino-{os.getpid()}.graph").symlink_to(target))
        started.communicate(timeout=60)
        self.assertEqual((started.returncode, target.read_bytes()), (0, b"kept"))

    def test_a_library_that_is_not_there(self):
        self.env["VICINO_LIBRARY"] = "/nope.so"
        self.assertRegex(self.refused("cube:3", "--run", 2), "/nope.so")

    def test_a_graph_without_tasks(self):
        self.assertIn("speed-up", self.text(self.file("e.dot", "digraph {}"), "--run", 2))

    def test_refusals(self):
        self.assertRegex(self.refused("cube:3", "--coarsen", "automatic"), "give --run THREADS")
        self.assertRegex(self.refused("cube:3", "--run", 0), "'0'")
        self.assertRegex(self.refused("cube:3", "--run", 2, "--json", "-"), "standard output")


if __name__ == "__main__":
    unittest.main()
