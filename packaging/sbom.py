#!/usr/bin/env python3
"""sbom.py FILE... --output FILE: what is inside of the files that users get, as SPDX 2.3 in JSON.

FILES are tarballs and wheels of `make dist` and packages of `make deb`, whose names tell what built them. Named are the
files with their digests, and whose code is compiled into them, in the versions of the packages that were read for it:
headers of Debian's packages in all of them, the C++ library of PyPI's ziglang in the first two, GCC's in the others.
The same files give the same bytes: the time is SOURCE_DATE_EPOCH, or else the last commit's.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "packaging"), str(REPOSITORY / "packaging/python")]

import toolchain  # noqa: E402
import wheel  # noqa: E402

# Whose headers are compiled in: SPDX name, Debian package, license, home.
HEADERS = (
    ("fmt", "libfmt-dev", "MIT", "https://fmt.dev"),
    ("CLI11", "libcli11-dev", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11"),
    ("tomlplusplus", "libtomlplusplus-dev", "MIT", "https://marzer.github.io/tomlplusplus"),
    ("nlohmann-json", "nlohmann-json3-dev", "MIT", "https://json.nlohmann.me"),
    ("protozero", "libprotozero-dev", "BSD-2-Clause", "https://github.com/mapbox/protozero"),
)
# Whose libraries are the user's own, and asked for by one module or command each.
OPTIONAL = (("hwloc", "libhwloc-dev", "BSD-3-Clause", "https://www.open-mpi.org/projects/hwloc"),
            ("metis", "libmetis-dev", "Apache-2.0", "https://github.com/KarypisLab/METIS"))
GCC = (("libstdc++", "libstdc++-12-dev"), ("libgcc", "libgcc-12-dev"))
GCC_LICENSE = "GPL-3.0-or-later WITH GCC-exception-3.1"
LLVM_LICENSE = "Apache-2.0 WITH LLVM-exception"


def output(*command):
    done = subprocess.run([str(word) for word in command], check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"sbom.py: {' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout.strip()


def of_debian(package):
    return output("dpkg-query", "-W", "-f=${Version}", package)


def without_revision(version):
    """1:9.1.0+ds1-2 is 9.1.0."""
    return re.sub(r"([+~]ds.*|[+~]dfsg.*)$", "", version.split(":")[-1].rpartition("-")[0] or version)


def of_zig():
    """The version of LLVM whose C++ library zig brings."""
    told = output(toolchain.zig(REPOSITORY / "build/dist-tools"), "c++", "--version")
    return re.search(r"clang version (\S+)", told)[1]


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, license_, home, purl=None):
    found = {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": home,
             "licenseConcluded": license_, "licenseDeclared": license_, "copyrightText": "NOASSERTION",
             "filesAnalyzed": False}
    if purl:
        found["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": purl}]
    return found


def debian(name, source, license_, home):
    version = of_debian(source)
    return package(name, without_revision(version), license_, home, f"pkg:deb/debian/{source}@{version}")


def artefact(path, version):
    content = path.read_bytes()
    return {**package(path.name, version, "Apache-2.0", "NOASSERTION"), "packageFileName": path.name,
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}]}


def is_of_dist(path):
    if path.name.endswith((".tar.xz", ".whl")):
        return True
    if path.suffix == ".deb":
        return False
    sys.exit(f"sbom.py: '{path}' is no tarball, no wheel and no Debian package")


def inside(path, others):
    """(relationship, name of the other) of an artefact."""
    if path.suffix == ".deb" and not path.name.startswith(("libvicino0_", "vicino_")):
        return  # headers and links
    runtime = ["libc++"] if is_of_dist(path) else [name for name, _ in GCC]
    library_only = path.name.startswith("libvicino0_")
    for name in runtime:
        yield "STATIC_LINK", name
    for name, *_ in HEADERS:
        if not library_only or name == "tomlplusplus":
            yield "CONTAINS", name
    for name, *_ in OPTIONAL:
        if name in others:
            yield "OPTIONAL_DEPENDENCY_OF", name


def when():
    said = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", REPOSITORY, "log", "-1", "--format=%ct")
    return datetime.datetime.fromtimestamp(int(said), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def document(paths):
    number = wheel.version(REPOSITORY)
    others = {row[0]: debian(*row) for row in (*HEADERS, *OPTIONAL)}
    if any(is_of_dist(path) for path in paths):
        others["libc++"] = package("libc++", of_zig(), LLVM_LICENSE, "https://libcxx.llvm.org",
                                   "pkg:pypi/" + toolchain.ZIG.replace("==", "@"))
    if not all(is_of_dist(path) for path in paths):
        others |= {name: debian(name, source, GCC_LICENSE, "https://gcc.gnu.org") for name, source in GCC}
    artefacts = {path: artefact(path, number) for path in paths}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", made["SPDXID"]) for made in artefacts.values()]
    for path, made in artefacts.items():
        for kind, name in inside(path, others):
            ends = (made["SPDXID"], others[name]["SPDXID"])
            first, second = reversed(ends) if kind == "OPTIONAL_DEPENDENCY_OF" else ends
            relations.append((first, kind, second))
    digest = hashlib.sha256("".join(made["checksums"][0]["checksumValue"] for made in artefacts.values()).encode())
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"vicino-{number}",
        "documentNamespace": f"urn:vicino:sbom:{number}:{digest.hexdigest()}",
        "creationInfo": {"created": when(), "creators": ["Organization: Vicino maintainers", "Tool: packaging/sbom.py"]},
        "packages": [*artefacts.values(), *others.values()],
        "relationships": [{"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
                          for first, kind, second in relations],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--output", type=pathlib.Path, required=True, metavar="FILE")
    options = parser.parse_args()
    for path in options.files:
        if not path.is_file():
            parser.error(f"'{path}' is no file")
    options.output.write_text(json.dumps(document(sorted(options.files)), indent=1) + "\n")


if __name__ == "__main__":
    main()
