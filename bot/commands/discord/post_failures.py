"""What could not be told of a game, while the rest of it was."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import discord

from bot.engine.message import Message, said
from bot.engine.refusals import Rejected
from bot.store import Notice, StoreDamaged

from .interactions.failure_kinds import FailureKind, brief, verdict_on
from .message_slots import RetryLater

log = logging.getLogger(__name__)

UNSOUND = (StoreDamaged, Rejected, ArithmeticError, LookupError, TypeError, ValueError)
"""What something that is to be told may raise while it is made. It will not be better soon."""


def refusal(error: BaseException) -> Message:
    """Why Discord does not take something, by its number."""
    return said("Discord refuses it ({code})", brief(error))


class PostRefused(Exception):
    """Discord does not take what these `notices` say in any form, or it cannot be made."""

    def __init__(self, notices: Sequence[Notice], reason: Message) -> None:
        super().__init__(str(reason))
        self.notices, self.reason = notices, reason


class PostFailures:
    """Collects what goes wrong with single messages of a game; what concerns all of them is raised on."""

    def __init__(self, game: int) -> None:
        self.game = game
        self._late: RetryLater | None = None
        self.refused: list[Notice] = []
        self._reason: Message | None = None

    @contextmanager
    def kept(self, notices: Sequence[Notice]) -> Iterator[None]:
        """Do something for these notices; what goes wrong with them alone is kept.

        :raises discord.HTTPException: it concerns the place, or Discord does not work.
        """
        try:
            yield
        except RetryLater as late:
            self._late = late
        except (discord.HTTPException, TimeoutError) as error:
            verdict = verdict_on(error)
            if verdict is FailureKind.LATER:
                self._late = RetryLater(brief(error))
            elif verdict is FailureKind.REFUSED:
                self._refuse(notices, refusal(error))
            else:
                raise
        except UNSOUND as error:
            log.exception("cannot be posted", extra={"game": self.game})
            self._refuse(notices, said("it could not be built ({error})", type(error).__name__))

    def _refuse(self, notices: Sequence[Notice], reason: Message) -> None:
        self.refused += [notice for notice in notices if notice not in self.refused]
        self._reason = self._reason or reason

    def check(self) -> None:
        """Say what went wrong.

        :raises PostRefused: something is not taken.
        :raises Later: something cannot be done now.
        """
        if self._reason is not None:
            raise PostRefused(self.refused, self._reason)
        if self._late is not None:
            raise self._late
