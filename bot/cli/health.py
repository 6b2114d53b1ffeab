"""The command that a container's health check runs."""

from __future__ import annotations

import argparse
import sys
import urllib.error
import urllib.request

from .main import settings

PATIENCE = 5.0


def health(arguments: argparse.Namespace) -> int:
    """Exit 0 when the bot on this machine is well (with `--ready`: and connected), 1 when not."""
    port = settings().port
    if not port:
        print("signalbox: SIGNALBOX_PORT is not set, so that nobody can ask", file=sys.stderr)
        return 1
    address = f"http://127.0.0.1:{port}/{'ready' if arguments.ready else 'health'}"
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            print(answer.read().decode())
            return 0
    except urllib.error.HTTPError as error:
        print(error.read().decode(errors="replace"))
        return 1
    except OSError as error:
        print(f"signalbox: the bot does not answer: {error}", file=sys.stderr)
        return 1
