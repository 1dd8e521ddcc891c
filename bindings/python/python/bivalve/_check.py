"""The program `bivalve-check`, which verifies certificates."""

import signal
import sys

from bivalve import _native


def main() -> int:
    """Carries out the command line; returns the exit status."""
    # It is one call into the checker, which Ctrl-C shall end like any program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.check_command(sys.argv[1:])
