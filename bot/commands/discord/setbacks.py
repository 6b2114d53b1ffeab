"""What could not be told of a game, while the rest of it was."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import discord

from bot.engine.refusals import Refusal
from bot.engine.said import Said, said
from bot.store import Notice, StoreDamaged

from .interactions.verdicts import Verdict, brief, verdict_on
from .slots import Later

log = logging.getLogger(__name__)

UNSOUND = (StoreDamaged, Refusal, ArithmeticError, LookupError, TypeError, ValueError)
"""What something that is to be told may raise while it is made. It will not be better soon."""


def refusal(error: discord.HTTPException) -> Said:
    """Why Discord does not take something, by its number."""
    return said("Discord refuses it ({code})", brief(error))


class Refused(Exception):
    """Discord does not take what these `notices` say in any form, or it cannot be made."""

    def __init__(self, notices: Sequence[Notice], reason: Said) -> None:
        super().__init__(str(reason))
        self.notices, self.reason = notices, reason


class Setbacks:
    """Collects what goes wrong with single messages of a game; what concerns all of them is raised on."""

    def __init__(self, game: int) -> None:
        self.game = game
        self._late: Later | None = None
        self.refused: list[Notice] = []
        self._reason: Said | None = None

    @contextmanager
    def kept(self, notices: Sequence[Notice]) -> Iterator[None]:
        """Do something for these notices; what goes wrong with them alone is kept.

        :raises discord.HTTPException: it concerns the place, or Discord does not work.
        """
        try:
            yield
        except Later as late:
            self._late = late
        except discord.HTTPException as error:
            verdict = verdict_on(error)
            if verdict is Verdict.LATER:
                self._late = Later(brief(error))
            elif verdict is Verdict.REFUSED:
                self._refuse(notices, refusal(error))
            else:
                raise
        except UNSOUND as error:
            log.exception("cannot be posted", extra={"game": self.game})
            self._refuse(notices, said("it cannot be made ({error})", type(error).__name__))

    def _refuse(self, notices: Sequence[Notice], reason: Said) -> None:
        self.refused += [notice for notice in notices if notice not in self.refused]
        self._reason = self._reason or reason

    def check(self) -> None:
        """Say what went wrong.

        :raises Refused: something is not taken.
        :raises Later: something cannot be done now.
        """
        if self._reason is not None:
            raise Refused(self.refused, self._reason)
        if self._late is not None:
            raise self._late
