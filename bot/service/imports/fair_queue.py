"""The order of work that is done piece by piece: a queue in which nobody waits for somebody who asks a lot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.engine import IllegalMove, PersonId

MOST_OF_PERSON, MOST_OF_SERVER, MOST = 2, 6, 16
"""Maximum number waiting or in turn: of one person (wherever they ask), of one server, of all."""

LONGEST_WAIT = 600.0
"""Seconds. Discord takes an answer for fifteen minutes."""

LEAVING = "The bot is restarting; please try again in a minute. Nothing was changed."


class ShuttingDown(IllegalMove):
    """The bot is about to end."""


@dataclass(eq=False)
class QueueTicket:
    """A place in the queue; `called` is done when its turn comes."""

    person: PersonId
    server: str
    called: asyncio.Future[None]


class FairQueue:
    """One turn at a time. Next is the person whose last turn, or whose server's last turn, whichever is later, was
    longest ago.
    """

    def __init__(self) -> None:
        self.is_closing = False
        self._waiting: list[QueueTicket] = []
        self._now: QueueTicket | None = None
        self._number = 0
        self._persons: dict[PersonId, int] = {}
        self._servers: dict[str, int] = {}

    @asynccontextmanager
    async def turn(self, person: PersonId, server: str) -> AsyncIterator[None]:
        """Wait for this person's turn, and have it.

        :raises IllegalMove: too many wait already, or it took too long until it was their turn.
        :raises ShuttingDown: the bot ends.
        """
        # At doors without servers, all people come from places of their own.
        server = server or person
        self._check_room(person, server)
        ticket = QueueTicket(person, server, asyncio.get_running_loop().create_future())
        self._waiting.append(ticket)
        self._call()
        try:
            await _wait_for_turn(ticket)
            yield
        finally:
            self._leave(ticket)

    def close(self) -> None:
        """Admit nobody any more, and send away those who wait."""
        self.is_closing = True
        for ticket in self._waiting:
            if not ticket.called.done():
                ticket.called.set_exception(ShuttingDown(LEAVING))

    def _check_room(self, person: PersonId, server: str) -> None:
        if self.is_closing:
            raise ShuttingDown(LEAVING)
        here = [*self._waiting, *([self._now] if self._now else [])]
        if sum(ticket.person == person for ticket in here) >= MOST_OF_PERSON:
            raise IllegalMove(
                "{number} of your files are already being read or waiting; please wait until one is finished.",
                "",
                MOST_OF_PERSON,
            )
        if sum(ticket.server == server for ticket in here) >= MOST_OF_SERVER:
            raise IllegalMove(
                "{number} files from this server are already being read or waiting; please try again in a minute.",
                "",
                MOST_OF_SERVER,
            )
        if len(here) >= MOST:
            raise IllegalMove(
                "{number} files are already being read or waiting; please try again in a few minutes.", "", MOST
            )

    def _leave(self, ticket: QueueTicket) -> None:
        if ticket is self._now:
            self._now = None
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        self._call()

    def _call(self) -> None:
        if self._now is not None or self.is_closing:
            return
        waiting = [ticket for ticket in self._waiting if not ticket.called.done()]
        if not waiting:
            self._persons.clear()
            self._servers.clear()
            return
        ticket = min(waiting, key=self._last_turn)
        self._waiting.remove(ticket)
        self._now = ticket
        self._number += 1
        self._persons[ticket.person] = self._servers[ticket.server] = self._number
        ticket.called.set_result(None)

    def _last_turn(self, ticket: QueueTicket) -> tuple[int, int]:
        """The number of the person's or their server's last turn, and of only the person's; 0 for none since the queue
        was empty.
        """
        his = self._persons.get(ticket.person, 0)
        return max(his, self._servers.get(ticket.server, 0)), his


async def _wait_for_turn(ticket: QueueTicket) -> None:
    """Wait until the ticket's turn comes.

    :raises IllegalMove: it takes too long.
    """
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            await ticket.called
    except TimeoutError as error:
        raise IllegalMove("Too many files are ahead of yours; please try again later. Nothing was changed.") from error
