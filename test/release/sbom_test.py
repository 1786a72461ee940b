"""packaging/sbom.py: what it writes is SPDX, and says what is inside.

    sbom_test.py BUILD

Files with the names of those that users get are made up; the versions are those of this machine's packages.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop()).resolve()
PACKAGE = "vicino_0.1.0-1_amd64.deb"
LIBRARY = "libvicino0_0.1.0-1_amd64.deb"
DEVELOPERS = "libvicino-dev_0.1.0-1_amd64.deb"
TOOLS = "spdx-tools==0.8.3"


def sbom(*words, **settings):
    return subprocess.run([sys.executable, ROOT / "packaging/sbom.py", *words], text=True, capture_output=True,
                          check=False, env={"PATH": "/usr/bin:/bin", **settings})


def validator():
    """The tool of SPDX's own authors, from PyPI; None where it cannot be had."""
    place = BUILD / "test/release/spdx"
    if not (place / "bin/pyspdxtools").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", TOOLS], check=False,
                       capture_output=True)
    return place / "bin/pyspdxtools" if (place / "bin/pyspdxtools").exists() else None


class Sbom(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.files = []
        for name in (PACKAGE, LIBRARY, DEVELOPERS):
            self.files.append(self.work / name)
            self.files[-1].write_text(name)
        self.output = self.work / "vicino.spdx.json"

    def told(self):
        done = sbom(*self.files, "--output", self.output, SOURCE_DATE_EPOCH="1800000000")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.output.read_text())

    def test_spdx_takes_it(self):
        tool = validator()
        if tool is None:
            self.skipTest(f"PyPI does not give {TOOLS}")
        self.told()
        done = subprocess.run([tool, "-i", self.output], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        broken = json.loads(self.output.read_text())
        broken["relationships"][0]["relatedSpdxElement"] = "SPDXRef-nobody"
        self.output.write_text(json.dumps(broken))
        self.assertNotEqual(subprocess.run([tool, "-i", self.output], capture_output=True, check=False).returncode, 0)

    def test_files_have_their_digests(self):
        packages = {package["name"]: package for package in self.told()["packages"]}
        for file in self.files:
            self.assertEqual(packages[file.name]["checksums"],
                             [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(file.read_bytes()).hexdigest()}])

    def test_what_is_inside_of_which(self):
        told = self.told()
        names = {package["SPDXID"]: package["name"] for package in told["packages"]}
        inside = {}
        for relation in told["relationships"]:
            if relation["relationshipType"] in ("CONTAINS", "STATIC_LINK"):
                first, second = (names[relation[end]] for end in ("spdxElementId", "relatedSpdxElement"))
                inside.setdefault(first, set()).add(second)
        self.assertEqual(inside, {
            LIBRARY: {"tomlplusplus", "libstdc++", "libgcc"},
            PACKAGE: {"tomlplusplus", "libstdc++", "libgcc", "fmt", "CLI11", "nlohmann-json"}})

    def test_versions_are_those_of_the_packages(self):
        versions = {package["name"]: package for package in self.told()["packages"]}
        for name, package in (("fmt", "libfmt-dev"), ("hwloc", "libhwloc-dev"), ("libstdc++", "libstdc++-12-dev")):
            whole = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True,
                                   text=True).stdout
            self.assertIn(whole, versions[name]["externalRefs"][0]["referenceLocator"])
            self.assertRegex(versions[name]["versionInfo"], r"^\d+(\.\d+)+$")
            self.assertIn(versions[name]["versionInfo"], whole)

    def test_the_same_files_give_the_same_bytes(self):
        self.told()
        first = self.output.read_bytes()
        self.files.reverse()
        self.told()
        self.assertEqual(self.output.read_bytes(), first)

    def test_another_file_is_refused(self):
        other = self.work / "vicino.zip"
        other.write_text("")
        done = sbom(other, "--output", self.output)
        self.assertEqual(done.returncode, 1)
        self.assertIn("vicino.zip' is no tarball, no wheel and no Debian package", done.stderr)


if __name__ == "__main__":
    unittest.main()
