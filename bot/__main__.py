"""`python -m bot` and the command `signalbox`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from .cli.main import main as run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
