"""`python -m bot` and the command `signalbox`."""

from __future__ import annotations

import sys


def main() -> None:
    from .cli.main import main as run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
