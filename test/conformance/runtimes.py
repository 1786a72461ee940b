"""runtimes.py: puts a runtime under test in place of the one that a program was built for."""
import subprocess
from pathlib import Path

import tiers

NAMES = ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so")
# The file, and the compiler that knows where it is.
INSTALLED = {"libgomp": ("libgomp.so.1", "gcc-12"), "libomp": ("libomp.so.5", "clang-19")}


def installed(name: str, programs_by: str) -> Path:
    """A compiler's own runtime is of that compiler's version."""
    file, compiler = INSTALLED[name]
    if programs_by.partition("-")[0] == compiler.partition("-")[0]:
        compiler = programs_by
    found = subprocess.run([compiler, f"-print-file-name={file}"], check=True,
                           capture_output=True, text=True).stdout.strip()
    return Path(found).resolve(strict=True)


def build_nothing(folder: Path) -> Path:
    """The negative control: has every symbol, returns 0 from each function and runs no region."""
    rows = tiers.read_symbols(tiers.MANIFEST)
    names = {row.name for row in rows if row.kind == "func"}
    source, library = folder / "nothing.c", folder / "nothing.so"
    source.write_text("".join(f"long {name}(void) {{ return 0; }}\n" for name in sorted(names)))
    version_map = f"-Wl,--version-script={tiers.ABI / 'vicino.map'}"
    subprocess.run(["gcc-12", "-w", "-fno-builtin", "-shared", "-fPIC", version_map, source, "-o",
                    library], check=True)
    return library


def replacement_folder(library: Path, folder: Path) -> Path:
    """A folder with the library under the names that programs ask for, for LD_LIBRARY_PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(library)
    return folder


def environment(runtime: str, programs_by: str, library: Path | None, folder: Path) -> dict[str, str]:
    """The variables that put the runtime in place."""
    if runtime == "vicino":
        if library is None:
            raise SystemExit("runtime vicino: say which file with --library")
        file = library.resolve(strict=True)
    elif runtime == "nothing":
        file = build_nothing(folder)
    else:
        file = installed(runtime, programs_by)
    return {"LD_LIBRARY_PATH": str(replacement_folder(file, folder / "replacement"))}
