"""A Jupyter kernel that runs on Vicino.

What only this needs of Python's library is imported where it is needed: `import vicino` is to be quick.
"""
import os
import sys

FILE = "kernel.json"


def _folder(user, prefix, sys_prefix):
    if sum((user, prefix is not None, sys_prefix)) > 1:
        raise ValueError("only one of user, prefix and sys_prefix can be given")
    if prefix is not None:
        return os.path.join(os.path.abspath(prefix), "share", "jupyter", "kernels")
    if sys_prefix or (not user and sys.prefix != sys.base_prefix):
        return os.path.join(sys.prefix, "share", "jupyter", "kernels")
    data = os.environ.get("JUPYTER_DATA_DIR") or os.path.join(
        os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share"), "jupyter")
    return os.path.join(data, "kernels")


def kernel(name="vicino", display_name="Python (Vicino)", user=False, prefix=None, sys_prefix=False, remove=False):
    """Installs a kernel that runs this interpreter on Vicino, and returns its folder.

    It goes to the virtual environment that this interpreter belongs to (`sys_prefix`), to the folder `prefix`, or to the
    user's own data (`user`), which is the default outside of virtual environments. Jupyter need not be installed for
    that; what the kernel itself needs is the package ipykernel, in this environment. `remove` removes it.
    """
    import json
    import re
    import shutil

    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name):  # what Jupyter takes, but no '..'
        raise ValueError("name=%r: letters, digits, '-', '_' and, not at first, '.' are accepted" % name)
    folder = os.path.join(_folder(user, prefix, sys_prefix), name.lower())
    if remove:
        shutil.rmtree(folder)
        return folder
    os.makedirs(folder, exist_ok=True)
    specification = {
        "argv": [sys.executable, "-m", "vicino", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": display_name,
        "language": "python",
        "metadata": {"debugger": True},
    }
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as file:
        json.dump(specification, file, indent=1)
        file.write("\n")
    return folder


def main():
    import argparse
    import importlib.util

    parser = argparse.ArgumentParser(prog="vicino-kernel", description="Installs a Jupyter kernel that runs on Vicino.")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for this user (the default outside of a virtual environment)")
    place.add_argument("--sys-prefix", action="store_true", help="in this environment (the default in a virtual one)")
    place.add_argument("--prefix", metavar="FOLDER", help="below this folder")
    parser.add_argument("--name", default="vicino", help="the kernel's name (%(default)s)")
    parser.add_argument("--display-name", default="Python (Vicino)", metavar="TEXT", help="what Jupyter shows (%(default)s)")
    parser.add_argument("--remove", action="store_true", help="removes the kernel")
    try:
        options = vars(parser.parse_args())
        folder = kernel(**options)
    except (OSError, ValueError) as error:
        sys.exit("vicino-kernel: %s" % error)
    print(("removed " if options["remove"] else "installed ") + folder)
    if not options["remove"] and importlib.util.find_spec("ipykernel") is None:
        print("the kernel needs the package ipykernel, which this environment does not have", file=sys.stderr)


if __name__ == "__main__":
    main()
