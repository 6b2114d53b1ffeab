"""What was done for a game."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.care.findings import Report


@dataclass(frozen=True)
class Repair:
    """What was done for a game, in words, and how it is now."""

    done: tuple[str, ...]
    report: Report

    def lines(self) -> list[str]:
        """For the operator: what was mended, what is still wrong, what could not be looked at."""
        report = self.report
        whose = f"game {report.game}" if report.game else "no game"
        found = [f"{whose}: mended: {what}" for what in self.done]
        found += [f"{whose}: {fault}" for fault in report.faults]
        if report.begun:
            found.append(f"{whose}: replayed from record {report.begun} on; this release lacks the rules before")
        return found
