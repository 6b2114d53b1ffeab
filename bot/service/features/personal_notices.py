"""Notices to services that people name: for one person, in all their games, by `notice_services`."""

from __future__ import annotations

import secrets

from bot.engine import GameId, IllegalMove, PersonId
from bot.service.sessions import SessionManager
from bot.store import CallRecord, LinkKind, LinkRecord, NoticeKind

from .board_links import TOKEN_BYTES, BoardLinks
from .notice_services import find_service

MOST_SERVICES = 8
"""Maximum number of services of a person."""
OF_TEST = 0
"""The notice of which a test tells: none; those in the outbox begin with 1."""


class PersonalNotices:
    def __init__(self, desk: SessionManager, links: BoardLinks) -> None:
        self.desk, self.links = desk, links

    async def list_of(self, person: PersonId) -> list[LinkRecord]:
        return await self.desk.store.links.list_of_person(person, LinkKind.NOTIFY)

    async def add(self, person: PersonId, address: str) -> LinkRecord:
        """Send a person's notices to this address too, from now on.

        :raises IllegalMove: it is of no service that is listed, they have it or too many, or they play nowhere.
        """
        find_service(address)
        known = await self.list_of(person)
        if any(link.target == address for link in known):
            raise IllegalMove("Your notices already go there.")
        if len(known) >= MOST_SERVICES:
            raise IllegalMove("Your notices can go to up to {limit} services; remove one first.", "", MOST_SERVICES)
        game_id, token = await self._require_game(person), secrets.token_urlsafe(TOKEN_BYTES)
        return await self.links.put(token, game_id, person, LinkKind.NOTIFY, self.desk.now(), address)

    async def remove(self, person: PersonId, number: int) -> LinkRecord:
        """Send nothing more to the service with this number in the person's list, not even what is due.

        :raises IllegalMove: there is none.
        """
        found = await self._require(person, number)
        await self.desk.store.links.withdraw_digest(found.digest)
        return found

    async def test(self, person: PersonId, number: int) -> LinkRecord:
        """Send a notice that says only that it arrives.

        :raises IllegalMove: there is no such service, or they play nowhere.
        """
        found, now = await self._require(person, number), self.desk.now()
        game_id = await self._require_game(person)
        await self.desk.store.calls.add(CallRecord(found.digest, OF_TEST, game_id, NoticeKind.TOLD, 0, now, now))
        await self.desk.notify(game_id)
        return found

    async def _require(self, person: PersonId, number: int) -> LinkRecord:
        found = await self.list_of(person)
        if not 0 < number <= len(found):
            raise IllegalMove(
                "Your notices go to {limit} services; there is no number {number}.", "", len(found), number
            )
        return found[number - 1]

    async def _require_game(self, person: PersonId) -> GameId:
        """The newest game in which the person plays."""
        numbers = [record.id for record in await self.desk.store.games.list_of(person)]
        tables = await self.desk.tables(numbers)
        found = [number for number in numbers if number in tables and tables[number].seats_of(person)]
        if not found:
            raise IllegalMove("You have no seat in a game yet.")
        return found[0]
