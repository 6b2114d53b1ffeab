"""The parts of a game's news that could not be posted, while the rest was."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import discord

from bot.engine import GameId, Message, Rejected, msg
from bot.store import Notice, StoreDamaged

from .interactions import UNDELIVERABLE, FailureKind, brief, failure_kind_of
from .message_slots import RetryLater
from .venues import Reader

log = logging.getLogger(__name__)

UNSOUND = (StoreDamaged, Rejected, ArithmeticError, LookupError, TypeError, ValueError)
"""Errors that making a message may raise. Waiting does not fix them."""


def is_refused(error: BaseException) -> bool:
    """Whether the recipient takes no direct messages."""
    return getattr(error, "code", 0) in UNDELIVERABLE


def refusal(error: BaseException) -> Message:
    """Why Discord refuses something, by its error code."""
    return msg("Discord refuses it ({code})", brief(error))


class PostRefused(Exception):
    """Discord takes these `notices` in no form, or they cannot be made."""

    def __init__(self, notices: Sequence[Notice], reason: Message) -> None:
        super().__init__(str(reason))
        self.notices, self.reason = notices, reason


class PostFailures:
    """Collects failures of single messages of a game; failures that concern all messages are raised."""

    def __init__(self, game_id: GameId) -> None:
        self.game = game_id
        self._late: RetryLater | None = None
        self.refused: list[Notice] = []
        self._reason: Message | None = None

    @contextmanager
    def collect(self, notices: Sequence[Notice], reader: Reader = None) -> Iterator[None]:
        """Do something for these notices; keep a failure that concerns only them. A `reader` who takes no direct
        messages does without.

        :raises discord.HTTPException: it concerns the place, or Discord does not work.
        """
        try:
            yield
        except RetryLater as late:
            self._late = late
        except (discord.HTTPException, TimeoutError) as error:
            verdict = failure_kind_of(error)
            if reader is not None and is_refused(error):
                log.info("a message to a player failed (%s)", brief(error), extra={"game": self.game})
            elif verdict is FailureKind.LATER:
                self._late = RetryLater(brief(error))
            elif verdict is FailureKind.REFUSED:
                self._refuse(notices, refusal(error))
            else:
                raise
        except UNSOUND as error:
            log.exception("cannot be posted", extra={"game": self.game})
            self._refuse(notices, msg("it could not be built ({error})", type(error).__name__))

    def _refuse(self, notices: Sequence[Notice], reason: Message) -> None:
        self.refused += [notice for notice in notices if notice not in self.refused]
        self._reason = self._reason or reason

    def check(self) -> None:
        """Raise the collected failures.

        :raises PostRefused: something is not taken.
        :raises RetryLater: something cannot be done now.
        """
        if self._reason is not None:
            raise PostRefused(self.refused, self._reason)
        if self._late is not None:
            raise self._late
