"""Substitutes: seats that nobody holds, or whose player is late beyond all patience, are offered to volunteers; the table agrees by
its votes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.engine import GameId, IllegalMove, Message, PersonId, SeatNumber, join_and, msg, seat
from bot.service.sessions import (
    Actor,
    GameSession,
    SessionManager,
    add_waking,
    is_away,
    is_computer,
    log,
    waiting_since,
)
from bot.store import (
    GameStatus,
    Notice,
    NoticeKind,
    OfferedGame,
    OfferRecord,
    PollKind,
    concerns_all,
)

from .mail import Mail
from .votes import Poll, Votes

PATIENCE = 3
"""A seat is offered when a turn has taken this many times what the pace allows."""

SHORTEST_PATIENCE = timedelta(hours=72)
"""Waking hours, however fast the table plays: nobody loses a seat over a weekend."""

MOST_CALLED = 10
MOST_TITLES = 30
MOST_LISTED = 15


class Substitutes:
    def __init__(self, desk: SessionManager, votes: Votes, mail: Mail) -> None:
        self.desk, self.votes, self.mail = desk, votes, mail

    # -- volunteers ---------------------------------------------------------------------------------

    async def volunteer(self, person: PersonId, titles: Sequence[str]) -> None:
        """Note for which titles a person takes over seats; none ends it.

        :raises IllegalMove: a title cannot be played, or there are too many.
        """
        if len(titles) > MOST_TITLES:
            raise IllegalMove("You can name up to {number} titles.", "", MOST_TITLES)
        for title in titles:
            self.desk.title(title)
        if titles:
            await self.desk.check_ban(person)
        await self.desk.store.substitutes.set_titles(person, list(dict.fromkeys(titles)), self.desk.now())

    async def offered_seats(self, person: PersonId) -> list[OfferedGame]:
        """The seats that are offered, of a volunteer's titles or of all."""
        titles = await self.desk.store.substitutes.titles_of(person)
        return await self.desk.store.substitutes.list_offered(titles, MOST_LISTED)

    async def take(self, game_id: GameId, asker: Actor | PersonId, name: str, number: int | None = None) -> Poll:
        """Ask the table for an offered seat, by default the first.

        :raises IllegalMove: no seat of that game is offered, or this person plays there or is kept apart from somebody.
        """
        person = asker if isinstance(asker, str) else asker.person
        offered = [one.seat for one in await self.desk.store.substitutes.offers_of(game_id)]
        wanted = next((one for one in offered if number in (None, one)), None)
        if wanted is None:
            raise IllegalMove("That seat is not on offer; see all seats on offer with /substitute list.")
        await self.desk.check_ban(person)
        table = await self.desk.table(game_id)
        if table.held_by(person):
            raise IllegalMove("You play in this game.")
        apart = await self.desk.store.openings.apart_from(person)
        if apart & {held.person for held in table.seats if held.number != wanted}:
            raise IllegalMove("You cannot join this game.")
        data = {"seat": int(wanted), "newcomer": person, "name": name}
        return await self.votes.start_poll(game_id, person, PollKind.REPLACE, data)

    # -- offering -----------------------------------------------------------------------------------

    async def sweep(self) -> int:
        """Offer seats that nobody holds or that are late, and withdraw offers of others; returns how many games changed."""
        before = self.desk.now() - SHORTEST_PATIENCE.total_seconds()
        number = 0
        for game_id in await self.desk.store.substitutes.candidates(before):
            try:
                number += await self.offer_seats(game_id)
            except Exception as error:
                if concerns_all(error):
                    raise
                # A game that cannot be opened holds up no other.
                log.warning("no seat is offered: %s", error, exc_info=error, extra={"game": game_id})
        return number

    async def offer_seats(self, game_id: GameId) -> bool:
        """Offer the seats of a game that may be taken over, and no others; returns whether that changed."""
        async with self.desk.lock(game_id):
            table = (await self.desk.tables([game_id])).get(game_id)
            if table is None:
                return False
            known = await self.desk.store.substitutes.offers_of(game_id)
            wanted = await self.free_seats(table)
            offered = [one for one in known if one.seat in wanted]
            new = [number for number in wanted if number not in [one.seat for one in known]]
            offered += [OfferRecord(game_id, number, self.desk.now()) for number in new]
            if offered == known:
                return False
            await self.desk.store.substitutes.set_offers(game_id, offered, await self._notices(table, new))
        await self.desk.notify(game_id)
        return True

    async def free_seats(self, table: GameSession) -> list[SeatNumber]:
        """The seats of a running game that a volunteer may take over."""
        if table.record.status != GameStatus.RUNNING:
            return []
        clocks = {clock.seat: clock for clock in await self.desk.store.clocks.list_of(table.record.id)}
        now, found = self.desk.clock(), []
        for held in table.seats:
            if not held.person or (is_computer(held.sitter) and not is_computer(held.person)):
                found.append(held.number)
            elif held.number in clocks and not is_computer(held.person) and not is_away(held, now):
                since = waiting_since(clocks[held.number], now)
                patience = max(table.record.pace_hours * PATIENCE, SHORTEST_PATIENCE / timedelta(hours=1))
                if now >= add_waking(since, patience, held):
                    found.append(held.number)
        return found

    async def _notices(self, table: GameSession, new: Sequence[SeatNumber]) -> list[Notice]:
        """News for the table and the volunteers of seats that are newly offered."""
        if not new:
            return []
        game_id, now = table.record.id, self.desk.now()
        free = join_and(seat(number) for number in new)
        told = msg(
            "{players}: the seat is now offered to volunteers; the table votes on them. Until then a computer player can move: vote computer.",
            free,
        )
        notices = [Notice(game_id, table.record.version, NoticeKind.TOLD, [told], now)]
        line = msg(
            "A seat in a game of {title} is free: game {game}. See /substitute list.",
            self.desk.title(table.record.title).name,
            game_id,
        )
        for person in await self._find_volunteers(table):
            key = f"seat-{game_id}-{new[0]}-{now:.0f}-{person}"
            notices += await self.mail.call(person, game_id, table.record.version, key, line)
        return notices

    async def _find_volunteers(self, table: GameSession) -> list[PersonId]:
        """The volunteers who may take over a seat there."""
        inside = {held.person for held in table.seats}
        found = []
        for one in await self.desk.store.substitutes.list_for(table.record.title):
            if one.person not in inside and not inside & await self.desk.store.openings.apart_from(one.person):
                found.append(one.person)
        return found[:MOST_CALLED]


def describe_offer(found: OfferedGame, title: str) -> Message:
    return msg("{game}: {title}, seat {seat}", found.offer.game, title, found.offer.seat)
