"""The engine of a checkout of 18xx.games, run by our own driver."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from bot.titles.registry import title_folders, title_from_peer

DRIVER = Path(__file__).with_name("driver.rb")

PEERS = {title: place.record.peer for title, place in title_folders().items() if place.record.peer is not None}
"""The titles that are played there too."""

Answer = dict[str, Any]


def flags_of(file: Mapping[str, Any]) -> Mapping[str, str]:
    """Where the engine there keeps what its file's title has beyond others, by the names in our traces."""
    peer = PEERS.get(title_from_peer(file["title"])[0])
    return peer.flags if peer is not None else {}


class PeerFailed(Exception):
    """The driver has ended."""


class Peer:
    """One process that plays one game after another."""

    def __init__(self, checkout: Path) -> None:
        folders = [one.folder for peer in PEERS.values() for one in (peer, *peer.variants.values())]
        self._process = subprocess.Popen(
            ["ruby", str(DRIVER), str(checkout), *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RUBY_YJIT_ENABLE": "1"},
        )

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()

    def begin(self, file: Mapping[str, Any]) -> Answer:
        """Begin the game of a file, without its actions."""
        return self._ask({"begin": {**file, "actions": []}, "flags": flags_of(file)})

    def take(self, actions: Sequence[Mapping[str, Any]]) -> Answer:
        """Take these actions, each checked by every rule there; the answer has the `position`, in the words of the traces."""
        return self._ask({"take": actions})

    def load(self, file: Mapping[str, Any]) -> Answer:
        """Load a whole file, as the site does."""
        return self._ask({"load": file, "flags": flags_of(file)})

    def _ask(self, command: Mapping[str, Any]) -> Answer:
        if self._process.stdin is None or self._process.stdout is None:
            raise PeerFailed("the driver has no pipes")
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise PeerFailed(f"the driver ended with {self._process.wait()}")
        answer: Answer = json.loads(line)
        return answer
