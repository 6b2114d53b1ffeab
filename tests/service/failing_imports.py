"""What a porter's process may meet with; here, so that it finds it by its name."""

from __future__ import annotations

import os
import signal
import time
from typing import NoReturn

from bot.engine.refusals import IllegalMove
from bot.service.imports.file_io import read_file
from bot.service.imports.formats import ImportedGame


def begin_and_wait(path: str) -> None:
    """Write this process's number there, and never end."""
    with open(f"{path}.part", "w") as file:
        file.write(str(os.getpid()))
    os.replace(f"{path}.part", path)
    while True:
        time.sleep(3600)


def die() -> NoReturn:
    """As by a fault in a library, or the kernel when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def work() -> None:
    """Without end."""
    while True:
        pass


def refuse(letters: int) -> NoReturn:
    """With a sentence of so many letters."""
    raise IllegalMove("x" * letters, "1848 §1")


def go_deeper() -> None:
    """Without end."""
    go_deeper()


def read_or_stay(content: bytes) -> ImportedGame:
    """In place of the function that reads files: one that holds nothing but a path is never done with."""
    if content.startswith(b"/"):
        begin_and_wait(content.decode())
    return read_file(content)
