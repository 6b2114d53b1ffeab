"""Links to the board page: who may have one, what it opens, how it ends. And what players note there for themselves."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping

from bot.engine.refusals import IllegalMove
from bot.service.sessions.rights import Actor
from bot.service.sessions.session_manager import GameSession, SessionManager
from bot.store import LinkRecord, NoteRecord

TOKEN_BYTES = 18
"""144 bits: more than anybody can guess."""

DAY = 86400.0
LIVES = {"look": 366 * DAY, "play": 92 * DAY, "mail": 92 * DAY}
PERSONAL = ("play", "mail")
RENEWED = 31 * DAY
"""A link in mails that is good for less than this has another one take its place."""

LONGEST_NOTES = 20_000

NOT_GOOD = "This link is no longer valid: it was withdrawn or replaced, or it expired. Ask for a new link."


class BoardLinks:
    """Making links, opening them, withdrawing them."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def make(self, game: int, asker: Actor | str, kind: str = "look") -> str:
        """A new link to `look` at a game, or to `play` in it as whoever asks; returns its token, which nobody can be told
        again. The one of that kind that he had is withdrawn.

        :raises IllegalMove: he may not have one, or there is no such game.
        """
        table = await self.desk.table(game)
        who = self.desk.check(table, asker, "link" if kind == "look" else "key")
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self.desk.now()
        await self.desk.store.drop_old_links(now)
        await self.desk.store.put_link(LinkRecord(digest_of(token), game, who.person, kind, now, now + LIVES[kind]))
        return token

    async def of_mails(self, game: int, person: str, token_of: Callable[[float], str]) -> str:
        """The token of the link to play that stands in somebody's mails: the same in all of them, until he withdraws it or
        its time is nearly over. `token_of` makes it anew of the moment at which the link was made: it is not kept.

        :raises IllegalMove: he has no seat, or there is no such game.
        """
        self.desk.check(await self.desk.table(game), person, "key")
        now = self.desk.now()
        for link in await self.desk.store.links_to(game):
            is_his = link.kind == "mail" and link.person == person and link.until - now > RENEWED
            if is_his and digest_of(token_of(link.made_at)) == link.digest:
                return token_of(link.made_at)
        token = token_of(now)
        await self.desk.store.put_link(LinkRecord(digest_of(token), game, person, "mail", now, now + LIVES["mail"]))
        return token

    async def opened(self, token: str) -> tuple[LinkRecord, GameSession]:
        """What a token opens, with the game as it stands.

        :raises IllegalMove: nothing; a personal one of somebody who plays no more opens nothing either.
        """
        record = await self.desk.store.link(digest_of(token)) if len(token) < 100 else None
        if record is None or record.until <= self.desk.now():
            raise IllegalMove(NOT_GOOD)
        table = await self.desk.table(record.game)
        if not self._is_good(record, table):
            raise IllegalMove(NOT_GOOD)
        return record, table

    async def used(self, record: LinkRecord) -> None:
        """Note that a personal link was brought into a browser."""
        await self.desk.store.use_link(record.digest, self.desk.now())

    async def good(self, tables: Mapping[int, GameSession]) -> dict[int, frozenset[str]]:
        """The digests of the links to these games that open something now, by the game's number."""
        found: dict[int, set[str]] = {game: set() for game in tables}
        for link in await self.desk.store.links_to(*tables):
            if self._is_good(link, tables[link.game]):
                found[link.game].add(link.digest)
        return {game: frozenset(digests) for game, digests in found.items()}

    async def all_opened(self, tokens: frozenset[str]) -> list[tuple[LinkRecord, GameSession]]:
        """What those of these tokens open that open something, with the games but without their positions."""
        found = await self.desk.store.links_by([digest_of(token) for token in tokens])
        tables = await self.desk.tables({link.game for link in found})
        return [
            (link, tables[link.game])
            for link in found
            if link.game in tables and self._is_good(link, tables[link.game])
        ]

    def _is_good(self, link: LinkRecord, table: GameSession) -> bool:
        """Whether a link opens something now: a personal link of somebody who plays no more does not."""
        return link.until > self.desk.now() and (not link.is_personal or bool(table.seats_of(link.person)))

    async def withdraw(self, game: int, asker: Actor | str) -> int:
        """End one's own links to a game; who may do it for the whole table ends every link to look at it as well.
        Returns how many there were.

        :raises IllegalMove: he is nothing to this game.
        """
        table = await self.desk.table(game)
        who = self.desk.check(table, asker, "link")
        ended = await self.desk.store.withdraw_links(game, who.person)
        try:
            self.desk.check(table, who, "unlink")
        except IllegalMove:
            return ended
        return ended + await self.desk.store.withdraw_links(game, None, "look")

    async def notes(self, game: int, person: str) -> str:
        """What a player has noted, which nobody else is ever shown.

        :raises IllegalMove: he has no seat.
        """
        self.desk.check(await self.desk.table(game), person, "note")
        return await self.desk.store.notes(game, person)

    async def take_notes(self, game: int, person: str, text: str) -> None:
        """Keep a player's notes.

        :raises IllegalMove: he has no seat, or they are too long.
        """
        self.desk.check(await self.desk.table(game), person, "note")
        if len(text) > LONGEST_NOTES:
            raise IllegalMove("Notes can have up to {limit} characters.", "", LONGEST_NOTES)
        await self.desk.store.set_notes(NoteRecord(game, person, text))


def look_address(origin: str, token: str) -> str:
    """Where a link to look leads."""
    return f"{origin}/b/{token}/"


def play_address(origin: str, token: str) -> str:
    """Where a personal link leads: what stands behind the sign reaches no server, no log and no preview."""
    return f"{origin}/enter#{token}"


def digest_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
