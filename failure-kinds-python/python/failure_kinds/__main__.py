"""The command ``failure-kinds``: the same program as the native one."""

import os
import signal
import sys

from . import _native


def main() -> int:
    """Run the command with the arguments of this process and return its exit code."""
    # The program handles signals by itself. A closed pipe is an error of writing to both.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main([os.fsencode(argument) for argument in sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
