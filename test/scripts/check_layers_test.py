"""check_layers.py must refuse each kind of broken tree and accept a sound one.

    check_layers_test.py CXX
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"
CXX = sys.argv.pop() if len(sys.argv) > 1 else "g++"

SOUND = {
    "README.md": "1. `base`: x\n2. `plat`: y\n3. `sync`: z\n",
    "base/text.hpp": "#pragma once\n#include <cstddef>\ninline std::size_t text() { return {}; }\n",
    "plat/plat.hpp": '#pragma once\n#include "plat/native/plat.hpp"\n',
    "plat/native/plat.hpp": "#pragma once\n#include <climits>\n",
    "sync/lock.hpp": '#pragma once\n#include "base/text.hpp"\n#include "plat/plat.hpp"\n',
}


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.src = Path(folder.name)
        for name, text in SOUND.items():
            self.write(name, text)

    def write(self, name, text):
        (self.src / name).parent.mkdir(parents=True, exist_ok=True)
        (self.src / name).write_text(text)

    def check(self, *compiler):
        run = subprocess.run([sys.executable, SCRIPT, "--src", self.src, *compiler],
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def compile(self):
        return self.check("--cache", self.src / "cache", "--compiler", CXX, "--", "-std=c++20", "-Werror")

    def build(self, name, text):
        """Makes an object of a source, as CMake would."""
        self.write(name, text)
        objects = self.src / "CMakeFiles"
        made = objects / "core.dir" / f"{name}.o"
        made.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([CXX, "-std=c++20", "-c", "-I", self.src, "-o", made, self.src / name], check=True)
        return lambda: self.check("--objects", objects)

    def refuses(self, name, text, message, check=None):
        self.write(name, text)
        code, out = (check or self.check)()
        self.assertEqual(code, 1, out)
        self.assertIn(message, out)
        self.assertIn("1 problems", out)

    def test_accepts_a_sound_tree_and_compiles_it_once(self):
        code, out = self.compile()
        self.assertEqual(code, 0, out)
        self.assertIn("4 headers compiled", out)
        self.assertIn("0 headers compiled", self.compile()[1])

    def test_refuses_a_header_that_brings_too_many(self):
        names = [f"base/part{i}.hpp" for i in range(44)]
        for name in names:
            self.write(name, "#pragma once\n")
        all_of_them = "#pragma once\n" + "".join(f'#include "{name}"\n' for name in names)
        self.write("base/all.hpp", all_of_them)
        self.assertEqual(self.check()[0], 0)
        self.refuses("base/all.hpp", all_of_them + '#include "base/text.hpp"\n',
                     "base/all.hpp: brings 45 headers with it, and may bring 44")

    def test_the_model_checkers_side_of_the_seam_is_not_counted(self):
        names = [f"plat/model/part{i}.hpp" for i in range(50)]
        for name in names:
            self.write(name, "#pragma once\n")
        self.write("plat/plat.hpp", "#pragma once\n" + "".join(f'#include "{name}"\n' for name in names))
        self.assertEqual(self.check()[0], 0)

    def test_refuses_a_circle_of_modules_across_layers(self):
        self.write("base/text.cpp", '#include "sync/lock.hpp"\n')  # which includes base/text.hpp
        code, out = self.check()
        self.assertEqual(code, 1, out)
        self.assertIn("these modules include each other in a circle: base/text, sync/lock", out)

    def test_refuses_a_circle_of_modules_of_a_layer_that_the_page_has_not(self):
        self.write("base/number.hpp", '#pragma once\n#include "base/text.hpp"\n')
        self.write("base/word.hpp", '#pragma once\n#include "base/number.hpp"\n')
        self.refuses("base/text.cpp", '#include "base/word.hpp"\n',
                     "3 modules of 'base' include each other in a circle, and 0 may: base/number, base/text, base/word")
        self.write("README.md", SOUND["README.md"] + "Largest circles: `plat` 0,\n`base` 3.\n")
        self.assertEqual(self.check()[0], 0)
        self.refuses("README.md", SOUND["README.md"] + "Largest circles: `base` 2.\n", "and 2 may")

    def test_the_page_says_of_no_larger_circle_than_there_is(self):
        self.refuses("README.md", SOUND["README.md"] + "Largest circles: `sync` 2.\n",
                     "the largest circle of 'sync' has 0 modules, so write 0 instead of 2")

    def test_accepts_that_a_layer_uses_and_instantiates_what_lower_ones_have(self):
        self.write("plat/plat.hpp", """#pragma once
            namespace vicino::plat {
            extern int ticks;
            int now();
            inline int seconds() { static int last = now(); return last; }
            template <class Number> Number soon(Number n) { return n + now(); }
            }""")
        self.build("plat/native/clock.cpp", """#include "plat/plat.hpp"
            int vicino::plat::ticks = 1;
            int vicino::plat::now() { return ticks; }""")
        check = self.build("sync/wait.cpp", """#include "plat/plat.hpp"
            namespace vicino::sync { int wait() { return plat::ticks + plat::seconds() + plat::soon(1l); } }""")
        self.assertEqual(check()[0], 0, check()[1])

    def test_refuses_a_definition_for_a_lower_layer(self):
        self.write("plat/plat.hpp", "#pragma once\nnamespace vicino::plat { int now(); extern int ticks; }\n")
        text = '#include "plat/plat.hpp"\n'
        function = "int vicino::plat::now() { return 1; }\n"
        self.refuses("sync/now.cpp", text + function, "sync/now.cpp: defines vicino::plat::now(), which is in the "
                     "namespace of the layer 'plat'", self.build("sync/now.cpp", text + function))
        variable = "int vicino::plat::ticks = 1;\n"
        self.refuses("sync/now.cpp", text + variable, "defines vicino::plat::ticks",
                     self.build("sync/now.cpp", text + variable))

    def test_refuses_the_use_of_a_function_of_a_higher_layer_that_the_lower_one_has_declared(self):
        text = "namespace vicino::sync { void wait(); }\nvoid early() { vicino::sync::wait(); }\n"
        self.refuses("plat/early.cpp", text, "plat/early.cpp: uses vicino::sync::wait() of the higher layer 'sync'",
                     self.build("plat/early.cpp", text))

    def test_looks_at_no_object_whose_source_is_gone_and_needs_some(self):
        check = self.build("plat/early.cpp", "int now() { return 1; }\n")
        self.assertEqual(check()[0], 0)
        (self.src / "plat/early.cpp").unlink()
        self.assertNotEqual(check()[0], 0)

    def test_recompiles_what_a_change_below_can_break(self):
        self.compile()
        self.write("plat/native/plat.hpp", "#pragma once\n")
        self.assertIn("3 headers compiled", self.compile()[1])

    def test_refuses_a_higher_layer(self):
        self.refuses("base/low.cpp", '#include "sync/lock.hpp"\n', "higher layer 'sync'")

    def test_refuses_an_unlisted_folder(self):
        self.refuses("misc/a.cpp", "\n", "folder 'misc'")

    def test_refuses_a_path_that_does_not_start_at_src(self):
        self.refuses("sync/lock.cpp", '#include "lock.hpp"\n', "is no file of src/")

    def test_refuses_one_side_of_the_seam(self):
        self.refuses("sync/lock.cpp", '#include "plat/native/plat.hpp"\n', "one side of the seam")

    def test_refuses_what_is_below_the_seam(self):
        self.refuses("sync/lock.cpp", "#include <atomic>\n", "below the seam")

    def test_refuses_a_header_that_needs_another_first(self):
        self.refuses("base/needy.hpp", "#pragma once\ninline std::size_t n;\n", "does not compile alone",
                     self.compile)
        self.assertEqual(self.compile()[0], 1, "a failure must not be remembered as sound")

    def test_refuses_a_header_without_a_guard(self):
        self.refuses("base/twice.hpp", "struct Twice {};\n", "does not compile alone", self.compile)


if __name__ == "__main__":
    unittest.main()
