"""Matplotlib for pages with pictures, in a virtual environment of its own: nothing else needs it."""

import json
import subprocess

from programs import packages

# What pip chose for matplotlib; all of it, since pip is told to install nothing else.
PINS = ("matplotlib==3.11.2", "contourpy==1.3.3", "cycler==0.12.1", "fonttools==4.68.0", "kiwisolver==1.5.1",
        "numpy==2.4.6", "packaging==26.4", "pillow==13.0.0", "pyparsing==3.3.3", "python-dateutil==4.0.0",
        "tzdata==2026.6")
Unavailable = packages.Unavailable


def draw(build, script, picture, data):
    """Has the script draw the data, which it reads as JSON, into the file `picture`. May raise Unavailable."""
    python = packages.python_with(build / "pictures-venv", *PINS)
    subprocess.run([python, script, picture], input=json.dumps(data), text=True, check=True)
