"""Runs a client's work with the module `vicino`, and prints what it says then, as one line of JSON.

    on_wheel.py NAME [import|threadpoolctl]    `import`: vicino is the first import
"""

import sys

if sys.argv[2:] == ["import"]:
    import vicino
import importlib
import json
import pathlib

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "catalog"))


def runtimes():
    import threadpoolctl
    return sorted([one["filepath"], one["num_threads"]] for one in threadpoolctl.threadpool_info()
                  if one["user_api"] == "openmp")


def main(name, *how):
    print("\n".join(importlib.import_module(f"{name}_client").work()))
    import vicino
    found = vicino.info()
    if how == ("threadpoolctl",):
        found["threadpoolctl"] = runtimes()
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
