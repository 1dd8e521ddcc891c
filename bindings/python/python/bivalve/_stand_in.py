"""Runs a script in which another package's name means a module of this one."""

from __future__ import annotations

import os
import runpy
import sys
from typing import Callable


def run(module: str, install: Callable[[], None]) -> None:
    """The command line `python -m MODULE SCRIPT ARGUMENTS`."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: python -m {module} SCRIPT [ARGUMENTS]")
    install()
    del sys.argv[0]
    script = sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    runpy.run_path(script, run_name="__main__")
