"""A short game in the terminal as a cast (asciicast v2): `make pictures` records it anew into `docs/images/terminal.cast`.

The real program plays in a terminal of its own, typed at a human pace; `asciinema play` shows the file.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "images" / "terminal.cast"
WIDTH, HEIGHT = 110, 32
LINES = (
    "new 1889 me computer computer --seed 4",
    "advice",
    "bid DR 65",
    "bid ER 40",
    "pass",
    "map",
    "quit",
)
TYPED = 0.06
"""Seconds for each letter."""

READ = 2.5
"""Seconds to read what was answered."""

LONGEST = 1.0
"""Seconds that a pause of the program may last in the recording."""

QUIET = 1.5
"""Seconds without output after which the program waits for a line."""

PATIENCE = 120.0


class Recording:
    """The events of a cast so far. The moments are those of a reader, not those of this machine."""

    def __init__(self) -> None:
        self.moment = 0.0
        self.events: list[tuple[float, str, str]] = []

    def add(self, text: str, pause: float) -> None:
        self.moment = round(self.moment + pause, 2)
        self.events.append((self.moment, "o", text))

    def write(self, file: Path) -> None:
        head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": "Signalbox: 1889 in a terminal"}
        lines = [head, *self.events]
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def chunks(main: int) -> Iterator[tuple[str, float]]:
    """The output of a terminal with the pause before each piece, until it is quiet or closed."""
    decoder, last, end = getincrementaldecoder("utf-8")("replace"), time.monotonic(), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not select.select([main], [], [], QUIET)[0]:
            return
        try:
            text = decoder.decode(os.read(main, 65536))
        except OSError:  # Linux says so when the program has ended.
            return
        now = time.monotonic()
        yield text, round(min(now - last, LONGEST), 1)
        last = now
    raise TimeoutError("The program does not wait for a line.")


def record(lines: Sequence[str]) -> Recording:
    """Play the lines in a terminal of that size, and record what it shows."""
    recording = Recording()
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    with tempfile.TemporaryDirectory() as data:
        environment = {
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SIGNALBOX_DATA": data,
            "SIGNALBOX_WEB": "0",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        command = [sys.executable, "-m", "bot", "run"]
        with subprocess.Popen(
            command, stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True
        ) as program:
            os.close(side)
            try:
                _type_lines(recording, main, lines)
            finally:
                program.terminate()
                os.close(main)
    return recording


def _type_lines(recording: Recording, main: int, lines: Sequence[str]) -> None:
    for text, pause in chunks(main):
        recording.add(text, pause)
    for line in lines:
        recording.add("", READ)
        for letter in line:
            os.write(main, letter.encode())
            for text, _ in _echo(main):
                recording.add(text, TYPED)
        os.write(main, b"\r")
        for text, pause in chunks(main):
            recording.add(text, pause)


def _echo(main: int) -> Iterator[tuple[str, float]]:
    """What the line looks like after a letter."""
    found = b""
    while select.select([main], [], [], 0.15)[0]:
        found += os.read(main, 65536)
    yield found.decode("utf-8", "replace"), 0.0


def main() -> int:
    recording = record(LINES)
    recording.write(FILE)
    print(f"{FILE.name}: {FILE.stat().st_size // 1024} KiB, {recording.moment:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
