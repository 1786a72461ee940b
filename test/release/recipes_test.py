"""The recipes of packaging/, as far as they can be tried without their tools: their readers take them, and what they
make of an installed tree works.

    recipes_test.py BUILD

The readers come from PyPI, into a virtual environment below BUILD.
"""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
BUILD = pathlib.Path(sys.argv.pop()).resolve()
READERS = ("jinja2==3.1.6", "pyyaml==6.0.3", "easybuild-framework==5.4.1", "easybuild-easyblocks==5.4.1",
           "dockerfile-parse==2.0.1", "spython==0.3.14")
VERSION = re.search(r'define VICINO_VERSION "([^"]+)"', (ROOT / "include/vicino/version.h").read_text())[1]
SKIPPED = 77

CONDA = """
import json, sys, jinja2, yaml
text = open(sys.argv[1], encoding="utf-8").read()
print(json.dumps(yaml.safe_load(jinja2.Template(text, undefined=jinja2.StrictUndefined).render(environ={}))))
"""
EASYBUILD = """
import json, sys
from easybuild.tools.options import set_up_configuration
set_up_configuration(args=["--prefix", sys.argv[2], "--allow-use-as-root-and-accept-consequences",
                          "--fetch"], silent=True)  # with this, no command of environment modules is asked for
from easybuild.framework.easyconfig.easyconfig import EasyConfig
read = EasyConfig(sys.argv[1], validate=True)
print(json.dumps({name: read[name] for name in ("name", "version", "sources", "sanity_check_paths", "modextrapaths")}))
"""
DOCKER = """
import json, sys, dockerfile_parse
print(json.dumps(dockerfile_parse.DockerfileParser(sys.argv[1]).structure))
"""
APPTAINER = """
import sys
from spython.main.parse.parsers import get_parser
recipe = get_parser("singularity")(sys.argv[1]).parse()
stage = next(iter(recipe.values()))
print(stage.fromHeader, stage.cmd or stage.entrypoint)
"""
# Each name is asked for by a library of its own, as in an environment of many packages.
PROGRAM = """
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads += 1;
  const char* (*version)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "vicino_version");
  char line[512];
  FILE* maps = fopen("/proc/self/maps", "r");
  int images = 0;
  while (fgets(line, sizeof line, maps))
    if (strstr(line, " r-xp ") && (strstr(line, "gomp") || strstr(line, "omp") || strstr(line, "vicino/"))) ++images;
  printf("%d %s %d\\n", threads, version ? version() : "none", images);
}
"""


def run(*command, **settings):
    done = subprocess.run([str(word) for word in command], text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, **settings})
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


def readers():
    """Python with what reads recipes."""
    place = BUILD / "test/release/readers"
    stamp = place / "what"
    if not stamp.is_file() or stamp.read_text() != " ".join(READERS):
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        done = subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *READERS],
                              check=False, capture_output=True, text=True)
        if done.returncode:
            print(f"PyPI has none of the readers for us: {done.stderr.strip().splitlines()[-1]}")
            sys.exit(SKIPPED)
        stamp.write_text(" ".join(READERS))
    return place / "bin/python"


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        cls.python = readers()
        cls.tree = cls.work / "tree"
        run("cmake", "--install", BUILD, "--prefix", cls.tree)
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            os.environ.pop(name, None)

    def read(self, program, *words):
        return run(self.python, "-c", program, *words)

    def is_of_the_tree(self, name):
        self.assertTrue((self.tree / name).exists(), name)

    def test_conda(self):
        recipe = json.loads(self.read(CONDA, PACKAGING / "conda/meta.yaml"))
        self.assertEqual(recipe["package"]["version"], VERSION)
        outputs = {output["name"]: output for output in recipe["outputs"]}
        self.assertEqual(list(outputs), ["libvicino", "llvm-openmp", "_openmp_mutex"])
        self.assertRegex(outputs["_openmp_mutex"]["build"]["string"], r"_llvm$")
        self.assertRegex(recipe["source"]["url"], rf"^file:///.*/vicino-{VERSION}-linux-x86_64\.tar\.xz$")
        prefix = self.work / "conda"
        prefix.mkdir()
        for output in outputs.values():
            script = PACKAGING / "conda" / output["script"]
            subprocess.run([script], check=True, cwd=self.tree, env={**os.environ, "PREFIX": str(prefix)})
        self.runs_in_one_environment(prefix)

    def runs_in_one_environment(self, prefix):
        source = self.work / "program.c"
        source.write_text("#include <string.h>\n" + PROGRAM)
        real = {(prefix / "lib" / name).resolve() for name in ("libgomp.so.1", "libomp.so", "libiomp5.so", "libvicino.so.0")}
        self.assertEqual(real, {(prefix / "lib/vicino/replace/libgomp.so.1").resolve()})
        for compiler in ("gcc-12", "clang-19"):
            program, code, names = self.work / compiler, self.work / "program.o", self.work / "names.c"
            run(compiler, "-fopenmp", "-c", source, "-o", code)
            # The program is linked with libraries that have the names alone, so that all three are written into it.
            asked = re.findall(r"\b(?:GOMP|omp|__kmpc)_\w+", run("nm", "-u", code))
            names.write_text("".join(f"void {name}(void) {{}}\n" for name in asked))
            needed = [self.work / name for name in ("libomp.so", "libiomp5.so", "libgomp.so.1")]
            for file in needed:
                run("gcc-12", "-w", "-shared", f"-Wl,-soname,{file.name}", names, "-o", file)
            run("gcc-12", code, "-Wl,--no-as-needed", *needed, f"-Wl,-rpath,{prefix}/lib", "-o", program)
            threads, version, images = run(program).split()
            self.assertEqual((threads, images), ("2", "1"), f"{compiler}: {version}")
            self.assertTrue(version.startswith(VERSION), version)

    def test_spack(self):
        """The file runs with stand-ins for Spack's names; another name ends it."""
        source = (PACKAGING / "spack/packages/vicino/package.py").read_text()
        recorded = {"version": [], "depends_on": [], "variant": [], "conflicts": [], "license": [], "generator": []}

        class CMakePackage:
            prefix = types.SimpleNamespace(lib=str(self.tree / "lib"))

            def define(self, name, value):
                return name, value

        scope = {"CMakePackage": CMakePackage, "__name__": "package"}
        for name in recorded:
            scope[name] = lambda *words, _name=name, **more: recorded[_name].append((words, more))
        tree = ast.parse(source)
        tree.body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "spack.package")]
        exec(compile(tree, "package.py", "exec"), scope)  # pylint: disable=exec-used
        self.assertIn(VERSION, [words[0] for words, _ in recorded["version"]])
        package = scope["Vicino"]()
        known = " ".join(path.read_text() for path in (ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")))
        for name, value in package.cmake_args():
            self.assertTrue(re.search(rf"option\({name}\b", known), name)
            self.assertIs(value, False)
        paths = []
        package.setup_run_environment(types.SimpleNamespace(prepend_path=lambda *words: paths.append(words)))
        self.assertEqual([name for name, _ in paths], ["LD_PRELOAD", "LD_LIBRARY_PATH"])
        for _, path in paths:
            self.assertTrue(pathlib.Path(path).exists(), path)
        self.assertIn("namespace:", (PACKAGING / "spack/repo.yaml").read_text())

    def test_easybuild(self):
        recipe = json.loads(self.read(EASYBUILD, PACKAGING / f"easybuild/vicino-{VERSION}.eb", self.work).splitlines()[-1])
        self.assertEqual((recipe["name"], recipe["version"]), ("vicino", VERSION))
        self.assertRegex(json.dumps(recipe["sources"]), rf"vicino-{VERSION}-linux-(x86_64|aarch64)\.tar\.xz")
        for names in recipe["sanity_check_paths"].values():
            for name in names:
                self.is_of_the_tree(name)
        for path in recipe["modextrapaths"].values():
            self.is_of_the_tree(path["paths"] if isinstance(path, dict) else path)

    def test_docker(self):
        steps = json.loads(self.read(DOCKER, PACKAGING / "docker/Dockerfile"))
        steps = [step for step in steps if step["instruction"] != "COMMENT"]
        known = {"FROM", "ARG", "ADD", "RUN", "COPY", "ENV", "ENTRYPOINT", "CMD"}
        self.assertLessEqual({step["instruction"] for step in steps}, known)
        values = dict(step["value"].split("=") for step in steps if step["instruction"] == "ARG")
        self.assertEqual(values["VERSION"], VERSION)
        added = next(step["value"] for step in steps if step["instruction"] == "ADD").split()[0]
        for name, value in values.items():
            added = added.replace(f"${{{name}}}", value)
        self.assertEqual(added, f"vicino-{VERSION}-linux-x86_64.tar.xz")
        for step in steps:
            if step["instruction"] in ("ENTRYPOINT", "CMD"):
                json.loads(step["value"])

    def test_apptainer(self):
        recipe = PACKAGING / "apptainer/vicino.def"
        self.assertIn("debian:12-slim", self.read(APPTAINER, recipe))
        sections = dict(re.findall(r"^%(\w+)\n((?:    .*\n|\n)+)", recipe.read_text(), re.MULTILINE))
        self.assertEqual(set(sections), {"arguments", "setup", "environment", "runscript", "test"})
        self.assertEqual(sections["arguments"].strip(), f"VERSION={VERSION}")
        folder, root = self.work / "apptainer", self.work / "rootfs"
        name = f"vicino-{VERSION}-linux-{os.uname().machine}"
        (folder / "dist").mkdir(parents=True)
        run("tar", "-C", self.tree.parent, "--transform", f"s,^tree,{name},", "-cJf", folder / f"dist/{name}.tar.xz", "tree/bin")
        setup = "set -eu\n" + sections["setup"].replace("{{ VERSION }}", VERSION)
        subprocess.run(["sh", "-c", setup], check=True, cwd=folder, env={**os.environ, "APPTAINER_ROOTFS": str(root)})
        self.assertTrue((root / "opt/vicino/bin/vicino").exists())
        for section in ("environment", "runscript", "test"):
            subprocess.run(["sh", "-n"], input=sections[section], text=True, check=True)

    def test_each_says_what_was_tried(self):
        for name in ("conda/meta.yaml", "spack/packages/vicino/package.py", f"easybuild/vicino-{VERSION}.eb",
                     "docker/Dockerfile", "apptainer/vicino.def"):
            self.assertRegex((PACKAGING / name).read_text(), r"\A# Not (built|installed)\b.* here")


if __name__ == "__main__":
    unittest.main()
