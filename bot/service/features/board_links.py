"""Links to the board page: who may have a link, what it opens, how it ends. And what players note there for
themselves."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Callable, Mapping

from bot.engine import GameId, IllegalMove, PersonId
from bot.service.sessions import Actor, GameSession, SessionManager, as_actor
from bot.store import CallRecord, GameStatus, LinkKind, LinkRecord, NoteRecord

TOKEN_BYTES = 18
"""144 bits: more than anybody can guess."""

DAY = 86400.0
LIFETIMES = {
    LinkKind.LOOK: 366 * DAY,
    LinkKind.PLAY: 92 * DAY,
    LinkKind.MAIL: 92 * DAY,
    LinkKind.PROGRAM: 366 * DAY,
    LinkKind.HOOK: 366 * DAY,
    LinkKind.PUSH: 366 * DAY,
    LinkKind.CALENDAR: 366 * DAY,
    LinkKind.NOTIFY: 10 * 366 * DAY,
}
PERSONAL = (LinkKind.PLAY, LinkKind.MAIL, LinkKind.PROGRAM, LinkKind.HOOK, LinkKind.PUSH, LinkKind.CALENDAR)
OF_GAME = tuple(kind for kind in LinkKind if kind != LinkKind.NOTIFY)
"""The kinds that end with their person's other links to the game."""
RENEWAL_TIME = 31 * DAY
"""A link in mails that is valid for less than this is replaced."""

SPACING_OF_USES = 3600.0
"""Seconds after which the use of a token is noted again."""

LONGEST_NOTES = 20_000

API = "/api/v1"
"""The path of the API for programs on the board page's server."""

CALENDAR = "/calendar"
"""The path of calendars there."""

INVALID_LINK = "This link is no longer valid: it was withdrawn or replaced, or it expired. Ask for a new link."


class BoardLinks:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def make(
        self, game_id: GameId, asker: Actor | PersonId, kind: LinkKind = LinkKind.LOOK, address: str = ""
    ) -> str:
        """Make a link to `look` at a game, or to `play` in it as the asker, or let a `program` do that; returns its token, which cannot be shown
        again. The asker's earlier links of that kind stay good, for their other devices. A `hook` has the
        `address` that is called; its token is the secret of its signatures.

        :raises IllegalMove: they may not have a link, or there is no such game.
        """
        table = await self.desk.table(game_id)
        who = as_actor(asker)
        if kind == LinkKind.LOOK or not is_lobby_of(table, who.person):
            self.desk.check(table, who, "link" if kind == LinkKind.LOOK else "key")
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self.desk.now()
        token = f"whsec_{b64encode(token.encode()).decode()}" if kind == LinkKind.HOOK else token
        target = f"{token} {address}" if kind == LinkKind.HOOK else ""
        await self.desk.store.links.drop_old(now)
        await self.put(token, game_id, who.person, kind, now, target)
        return token

    async def put(
        self, token: str, game_id: GameId, person: PersonId, kind: LinkKind, now: float, target: str = ""
    ) -> LinkRecord:
        """Save a link that begins now; of its token only the digest."""
        record = LinkRecord(digest_of(token), game_id, person, kind, now, now + LIFETIMES[kind], target=target)
        await self.desk.store.links.put(record)
        return record

    async def set_push(self, game_id: GameId, person: PersonId, endpoint: str, target: str) -> None:
        """Send notices about a game to a browser from now on, or no longer if `target` is empty.

        :raises IllegalMove: they have no seat.
        """
        self.desk.check(await self.desk.table(game_id), person, "key")
        for link in await self.push_links(game_id, person, endpoint):
            await self.desk.store.links.withdraw_digest(link.digest)
        if target:
            token = secrets.token_urlsafe(TOKEN_BYTES)
            await self.put(token, game_id, person, LinkKind.PUSH, self.desk.now(), target)

    async def push_links(self, game_id: GameId, person: PersonId, endpoint: str) -> list[LinkRecord]:
        """The links by which notices about a game go to this browser."""
        found = await self.desk.store.links.list_to(game_id)
        return [
            link
            for link in found
            if link.kind == LinkKind.PUSH and link.person == person and f'"{endpoint}"' in link.target
        ]

    async def find_called(self, call: CallRecord) -> tuple[LinkRecord, GameSession] | None:
        """An address, a browser or a service whose owner still has the right to hear of the call's game, with the game as it
        stands; None if there is none.
        """
        link = await self.desk.store.links.find(call.link)
        if link is None or link.kind not in (LinkKind.HOOK, LinkKind.PUSH, LinkKind.NOTIFY):
            return None
        table = await self.desk.table(call.game)
        return (link, table) if self._is_valid(link, table) else None

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
        await self.put(token, game_id, person, LinkKind.MAIL, now)
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

    async def mark_used(self, record: LinkRecord, spacing: float = 0.0) -> None:
        """Note that a link was used, unless that was noted within the last seconds of `spacing`."""
        if record.used_at is None or self.desk.now() - record.used_at >= spacing:
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
        ended = await self.desk.store.links.withdraw(game_id, who.person, *OF_GAME)
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
        own = [link for link in found if link.person == who.person and link.kind in OF_GAME]
        return [link for link in own if self._is_valid(link, table)]

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


def hook_parts(link: LinkRecord) -> tuple[str, str]:
    """The secret of a webhook's signatures, and its address."""
    secret, _, address = link.target.partition(" ")
    return secret, address


def link_address(origin: str, kind: LinkKind, token: str) -> str:
    """The address of a link, or that of the API with a program's token. The part behind the # reaches no server, no log
    and no preview.
    """
    if kind == LinkKind.LOOK:
        return f"{origin}/b/{token}/"
    if kind == LinkKind.CALENDAR:
        return f"{origin}{CALENDAR}/{token}.ics"
    return f"{origin}{API}#{token}" if kind == LinkKind.PROGRAM else f"{origin}/enter#{token}"


def digest_of(token: str) -> str:
    """Only this is stored of a token. One that a browser sends may hold bytes that are no text."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
