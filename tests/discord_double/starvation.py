"""How long processes have waited for a processor: what a busy machine takes from a bot is not the bot's fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

PROC = Path("/proc")

Waits = Mapping[str, float]
"""By thread, the seconds for which it could have run and had no processor."""


def waits_of(processes: Iterable[int], proc: Path = PROC) -> Waits:
    """Of all threads of these processes, as the kernel counts them; nothing where it does not."""
    found: dict[str, float] = {}
    for process in processes:
        for file in (proc / str(process) / "task").glob("*/schedstat"):
            try:
                found[file.parent.name] = int(file.read_text().split()[1]) / 1e9
            except (OSError, ProcessLookupError):
                # It has ended meanwhile.
                continue
    return found


def seconds_between(before: Waits, after: Waits) -> float:
    """How long they have waited in between, all together."""
    return sum(max(waited - before.get(thread, 0.0), 0.0) for thread, waited in after.items())
