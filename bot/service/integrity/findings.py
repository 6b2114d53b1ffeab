"""The findings of the doctor: single faults, and a report on each game."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine import GameId
from bot.store import RowFix


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a game: `where` names the row, `what` says what is wrong with it.

    `number` is the record concerned, if any; `since` the last record before it whose position was compared and found
    equal. `cures` are the rows that set it right (none where nothing can), which `cured` tells in words.
    """

    where: str
    what: str
    number: int | None = None
    since: int = 0
    cures: tuple[RowFix, ...] = ()
    cured: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True)
class IntegrityReport:
    """The findings of the doctor in one game: its moves, and what is wrong, if anything.

    `begun` is the record with which the replay began: not the first one where the game has gone over to newer rules since,
    and this program lacks those before.
    """

    game: GameId
    moves: int
    faults: tuple[Problem, ...] = ()
    begun: int = 0

    @property
    def is_healthy(self) -> bool:
        return not self.faults

    @property
    def number(self) -> int | None:
        """The first wrong record, if the first fault is in a record."""
        return self.faults[0].number if self.faults else None

    @property
    def since(self) -> int:
        """The last record before it whose position was compared and found equal."""
        return self.faults[0].since if self.faults else 0

    @property
    def fault(self) -> str:
        return self.faults[0].what if self.faults else ""

    def __str__(self) -> str:
        whose = f"game {self.game}" if self.game else "no game"
        if self.is_healthy:
            return f"{whose}: {self.moves} moves, all well"
        return f"{whose}: {'; '.join(map(str, self.faults))}"


@dataclass(frozen=True)
class Repair:
    done: tuple[str, ...]
    report: IntegrityReport

    def lines(self) -> list[str]:
        """For the operator: what was repaired, what is still wrong, what could not be examined."""
        report = self.report
        whose = f"game {report.game}" if report.game else "no game"
        found = [f"{whose}: mended: {what}" for what in self.done]
        found += [f"{whose}: {fault}" for fault in report.faults]
        if report.begun:
            found.append(f"{whose}: replayed from record {report.begun} on; this release lacks the rules before")
        return found
