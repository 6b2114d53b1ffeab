"""Links to the board page: who may have a link, what it opens, how it ends. And what players note there for
themselves."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping

from bot.engine import GameId, IllegalMove, PersonId
from bot.service.sessions import Actor, GameSession, SessionManager, as_actor
from bot.store import GameStatus, LinkKind, LinkRecord, NoteRecord

TOKEN_BYTES = 18
"""144 bits: more than anybody can guess."""

DAY = 86400.0
LIFETIMES = {LinkKind.LOOK: 366 * DAY, LinkKind.PLAY: 92 * DAY, LinkKind.MAIL: 92 * DAY}
PERSONAL = (LinkKind.PLAY, LinkKind.MAIL)
RENEWAL_TIME = 31 * DAY
"""A link in mails that is valid for less than this is replaced."""

LONGEST_NOTES = 20_000

INVALID_LINK = "This link is no longer valid: it was withdrawn or replaced, or it expired. Ask for a new link."


class BoardLinks:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def make(self, game_id: GameId, asker: Actor | PersonId, kind: LinkKind = LinkKind.LOOK) -> str:
        """Make a link to `look` at a game, or to `play` in it as the asker; returns its token, which cannot be shown
        again. The asker's earlier links of that kind stay good, for their other devices.

        :raises IllegalMove: they may not have a link, or there is no such game.
        """
        table = await self.desk.table(game_id)
        who = as_actor(asker)
        if kind == LinkKind.LOOK or not is_lobby_of(table, who.person):
            self.desk.check(table, who, "link" if kind == LinkKind.LOOK else "key")
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self.desk.now()
        await self.desk.store.links.drop_old(now)
        await self.desk.store.links.put(
            LinkRecord(digest_of(token), game_id, who.person, kind, now, now + LIFETIMES[kind])
        )
        return token

    async def mail_link_token(self, game_id: GameId, person: PersonId, token_of: Callable[[float], str]) -> str:
        """The token of the play link in somebody's mails: the same in all of them, until they withdraw it or its time
        is nearly over. `token_of` makes it from the moment at which the link was made: it is not stored.

        :raises IllegalMove: they have no seat, or there is no such game.
        """
        self.desk.check(await self.desk.table(game_id), person, "key")
        now = self.desk.now()
        for link in await self.desk.store.links.list_to(game_id):
            is_his = link.kind == LinkKind.MAIL and link.person == person and link.until - now > RENEWAL_TIME
            if is_his and digest_of(token_of(link.made_at)) == link.digest:
                return token_of(link.made_at)
        token = token_of(now)
        await self.desk.store.links.put(
            LinkRecord(digest_of(token), game_id, person, LinkKind.MAIL, now, now + LIFETIMES[LinkKind.MAIL])
        )
        return token

    async def open_link(self, token: str) -> tuple[LinkRecord, GameSession]:
        """The link of a token, with the game as it stands.

        :raises IllegalMove: nothing; a personal one of somebody who no longer plays opens nothing either.
        """
        record = await self.desk.store.links.find(digest_of(token)) if len(token) < 100 else None
        if record is None or record.until <= self.desk.now():
            raise IllegalMove(INVALID_LINK)
        table = await self.desk.table(record.game)
        if not self._is_valid(record, table):
            raise IllegalMove(INVALID_LINK)
        return record, table

    async def mark_used(self, record: LinkRecord) -> None:
        await self.desk.store.links.use(record.digest, self.desk.now())

    async def valid_digests(self, tables: Mapping[GameId, GameSession]) -> dict[GameId, frozenset[str]]:
        found: dict[GameId, set[str]] = {game: set() for game in tables}
        for link in await self.desk.store.links.list_to(*tables):
            if self._is_valid(link, tables[link.game]):
                found[link.game].add(link.digest)
        return {game: frozenset(digests) for game, digests in found.items()}

    async def open_links(self, tokens: frozenset[str]) -> list[tuple[LinkRecord, GameSession]]:
        """The valid links of these tokens, with the games but without their positions."""
        found = await self.desk.store.links.list_by([digest_of(token) for token in tokens])
        tables = await self.desk.tables({link.game for link in found})
        return [
            (link, tables[link.game])
            for link in found
            if link.game in tables and self._is_valid(link, tables[link.game])
        ]

    def _is_valid(self, link: LinkRecord, table: GameSession) -> bool:
        """A personal link of somebody who no longer plays is not valid."""
        may_play = bool(table.seats_of(link.person)) or is_lobby_of(table, link.person)
        return link.until > self.desk.now() and (not link.is_personal or may_play)

    async def withdraw(self, game_id: GameId, asker: Actor | PersonId) -> int:
        """End the asker's links to a game; with the right to do it for the whole table, every look link ends as well.
        Returns how many there were.

        :raises IllegalMove: they have no part in this game.
        """
        table = await self.desk.table(game_id)
        who = self.desk.check(table, asker, "link")
        ended = await self.desk.store.links.withdraw(game_id, who.person)
        try:
            self.desk.check(table, who, "unlink")
        except IllegalMove:
            return ended
        return ended + await self.desk.store.links.withdraw(game_id, None, "look")

    async def links_of(self, game_id: GameId, asker: Actor | PersonId) -> list[LinkRecord]:
        """The asker's links to a game that are good, the oldest of each kind first.

        :raises IllegalMove: they have no part in this game.
        """
        table = await self.desk.table(game_id)
        who = self.desk.check(table, asker, "link")
        found = await self.desk.store.links.list_to(game_id)
        return [link for link in found if link.person == who.person and self._is_valid(link, table)]

    async def withdraw_one(self, game_id: GameId, asker: Actor | PersonId, number: int) -> None:
        """End the link with this number in the list of the asker's links.

        :raises IllegalMove: there is none.
        """
        found = await self.links_of(game_id, asker)
        if not 0 < number <= len(found):
            raise IllegalMove("You have {limit} links to this game; there is no link {number}.", "", len(found), number)
        await self.desk.store.links.withdraw_digest(found[number - 1].digest)

    async def notes(self, game_id: GameId, person: PersonId) -> str:
        """A player's notes, which nobody else is ever shown.

        :raises IllegalMove: they have no seat.
        """
        self.desk.check(await self.desk.table(game_id), person, "note")
        return await self.desk.store.links.notes(game_id, person)

    async def save_notes(self, game_id: GameId, person: PersonId, text: str) -> None:
        """Keep a player's notes.

        :raises IllegalMove: they have no seat, or the notes are too long.
        """
        self.desk.check(await self.desk.table(game_id), person, "note")
        if len(text) > LONGEST_NOTES:
            raise IllegalMove("Notes can have up to {limit} characters.", "", LONGEST_NOTES)
        await self.desk.store.links.set_notes(NoteRecord(game_id, person, text))


def is_lobby_of(table: GameSession, person: PersonId) -> bool:
    """Whether the game is a lobby that this person opened: they have a play link to it even without a seat."""
    return table.record.status == GameStatus.LOBBY and table.record.moderator == person


def look_address(origin: str, token: str) -> str:
    return f"{origin}/b/{token}/"


def play_address(origin: str, token: str) -> str:
    """The part behind the # reaches no server, no log and no preview."""
    return f"{origin}/enter#{token}"


def digest_of(token: str) -> str:
    """Only this is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
