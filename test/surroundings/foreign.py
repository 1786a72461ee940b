"""Makes a second OpenMP runtime for a process, like those in Python wheels: libgomp under another name."""
import pathlib
import shutil
import subprocess

# The two names have equal lengths, because the name is in a table of strings inside the file.
NAME, OTHER_NAME = b"libgomp.so.1\0", b"libgomp-1.so\0"


def make_library(folder):
    """A copy of gcc's libgomp under a name that no replacement folder has."""
    own = subprocess.run(["gcc-12", "-print-file-name=libgomp.so.1"], text=True, capture_output=True,
                         check=True).stdout.strip()
    image = pathlib.Path(own).read_bytes()
    if NAME not in image:
        raise RuntimeError(f"{own} does not hold its own name")
    library = folder / OTHER_NAME[:-1].decode()
    library.write_bytes(image.replace(NAME, OTHER_NAME))
    return library


def link_plugin(source, copy, *flags):
    """`source` as a shared library that needs the copy and finds it beside itself."""
    library, unit = copy.parent / f"{source.stem}.so", copy.parent / "plugin.o"
    subprocess.run(["gcc-12", "-O2", "-fopenmp", "-fPIC", "-c", source, "-o", unit], check=True)
    subprocess.run(["gcc-12", "-shared", unit, copy, f"-Wl,-rpath,{copy.parent}", *flags, "-o", library],
                   check=True)
    return library


def link_program(source, folder):
    """`source` built by gcc against such a copy. The program finds it by DT_RPATH, which comes before
    LD_LIBRARY_PATH."""
    library, unit, program = make_library(folder), folder / "unit.o", folder / source.stem
    compiler = shutil.which("gcc-12")
    subprocess.run([compiler, "-O2", "-fopenmp", "-c", source, "-o", unit], check=True)
    subprocess.run([compiler, unit, library, f"-Wl,-rpath,{folder},--disable-new-dtags", "-pthread",
                    "-o", program], check=True)
    return program
