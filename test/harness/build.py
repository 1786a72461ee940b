"""Compiles feature programs, each again only when something that it is built from has changed."""
import fcntl
import hashlib
import os
import re
import subprocess
from pathlib import Path

from harness import compilers

COMMON = ["-O2", "-g1", "-fopenmp"]
INCLUDE = re.compile(r"""^\s*#?\s*include\s*["']([^"']+)["']""", re.MULTILINE)
LIBRARIES = ["-pthread", "-ldl", "-lm"]


class CompileError(Exception):
    pass


def available(compiler, source):
    return compilers.is_here(compiler, source.suffix)


def command_for(source, compiler, flags, shared):
    command = [*compilers.command(compiler, source.suffix), *COMMON]
    if compiler.startswith("flang"):  # it knows -g but not its levels
        command.remove("-g1")
    if shared:
        command += ["-shared", "-fPIC"]
    libraries = [f for f in flags if f.startswith("-l")]
    options = [f for f in flags if not f.startswith("-l")]
    return [*command, *options, str(source), *libraries, *LIBRARIES]


def sources_of(file, found=()):
    """Returns a file and the files that it includes in quotes, directly or through others."""
    found = dict.fromkeys((*found, file))
    for name in INCLUDE.findall(file.read_text()):
        included = (file.parent / name).resolve()
        if included.exists() and included not in found:
            found = sources_of(included, found)
    return found


def key_of(source, command):
    """A hash of all that the output depends on, except the compiler's own files."""
    digest = hashlib.sha256("\0".join(command).encode())  # this includes the flags
    folders = [Path(word[2:]) for word in command if word.startswith("-I")]
    headers = [file for folder in folders for file in sorted(folder.rglob("*.h*"))]
    archives = [Path(folder[2:]) / name[3:] for name in command if name.startswith("-l:")
                for folder in command if folder.startswith("-L")]
    for file in [*sources_of(source), *headers, *filter(Path.exists, archives)]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def build(source, compiler, flags, folder, shared=False):
    """Returns the path of the built file. Tests that share the file may run at the same time."""
    command = command_for(source, compiler, flags, shared)
    output = folder / f"{source.stem}-{compiler}-{key_of(source, command)}{'.so' if shared else ''}"
    if output.exists():
        return output
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{source.stem}-{compiler}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            compile_to(output, command, folder)
    return output


def compile_to(output, command, folder):
    partial = output.with_name(output.name + ".partial")
    # Fortran compilers write modules and temporary files to the working directory.
    try:
        done = subprocess.run([*command, "-o", str(partial)], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        raise CompileError(f"{command[0]} is not installed")
    if done.returncode:
        raise CompileError(" ".join(command) + "\n" + done.stdout)
    os.rename(partial, output)
