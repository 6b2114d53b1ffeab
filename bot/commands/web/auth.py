"""Links as addresses and cookies: what a browser brings, and who it is by that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from aiohttp import web

from bot.engine.ids import PlayerId, seat
from bot.engine.refusals import IllegalMove
from bot.service.features.board_links import NOT_GOOD, look_address, play_address
from bot.service.game_service import GameService
from bot.service.sessions.session_manager import GameSession
from bot.store import LinkRecord

from .coalesce import SingleFlight
from .security import Address, SecurityMiddleware

MOST_SEATS = 12
"""So many personal links to one game a browser may hold."""

MOST_HELD = 100
"""So many links, those it was given last, are looked at to list a browser's games."""

NOT_HELD = "This browser holds no link to that game. Ask for a personal one: /board mine."


@dataclass(frozen=True)
class Viewer:
    """Somebody looks at a game: by which links, and as whom he plays (nobody, by a link to look)."""

    table: GameSession
    links: tuple[LinkRecord, ...]

    @property
    def game(self) -> int:
        """The game's number."""
        return self.table.record.id

    @property
    def persons(self) -> tuple[str, ...]:
        """As whom he plays; nobody any more in a game that is over."""
        is_over = self.table.record.status == "finished"
        return () if is_over else tuple(dict.fromkeys(link.person for link in self.links if link.is_personal))

    @property
    def holder(self) -> str:
        """Whose link it is: what is asked by all links of a person waits in one line."""
        return self.links[0].person

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """For whom he moves."""
        own = {player for person in self.persons for player in self.table.seats_of(person)}
        return tuple(held for record in self.table.seats if (held := seat(record.number)) in own)

    def person(self, mark: str) -> str:
        """The one of his persons that the page knows by this mark (`mark_of`); without one his only one.

        :raises IllegalMove: he plays nobody, several, or somebody else.
        """
        found = [one for one in self.persons if mark == mark_of(one)] if mark else self.persons
        if len(found) != 1:
            raise IllegalMove(NOT_HELD)
        return found[0]

    @property
    def digests(self) -> frozenset[str]:
        """Of the links by which he looks."""
        return frozenset(link.digest for link in self.links)

    def actor(self, players: Iterable[PlayerId | None]) -> str:
        """As whom he moves for one of these players: the first of his persons that does, else the first.

        :raises IllegalMove: he plays nobody.
        """
        if not self.persons:
            raise IllegalMove("This link is only for watching. Get a play link with: /board mine.")
        wanted = set(players)
        return next((one for one in self.persons if wanted & set(self.table.seats_of(one))), self.persons[0])


class Authenticator:
    """The ways to a game: by a token in the address, or by what the browser holds for it."""

    def __init__(self, tables: GameService, guard: SecurityMiddleware) -> None:
        self.guard = guard
        self.opened = SingleFlight(tables.links.opened, guard.turnstile)
        self.all_opened = SingleFlight(tables.links.all_opened, guard.turnstile)

    @property
    def address(self) -> Address:
        """Where the pages are."""
        return self.guard.address

    def look_address(self, token: str) -> str:
        """Where a link to look leads."""
        return look_address(self.address.origin, token)

    def play_address(self, token: str) -> str:
        """Where a personal link leads."""
        return play_address(self.address.origin, token)

    async def by_token(self, token: str, is_personal: bool = False) -> Viewer:
        """Whoever comes with a token, to look or, with one that `is_personal`, to play.

        :raises IllegalMove: it opens nothing, or something else.
        """
        try:
            link, table = await self.opened.of(token)
            if link.is_personal != is_personal:
                raise IllegalMove(NOT_GOOD)
        except IllegalMove:
            self.guard.missed()
            raise
        return Viewer(table, (link,))

    async def by_cookies(self, request: web.Request, game: int) -> Viewer:
        """Whoever has brought personal links to this game into his browser.

        :raises IllegalMove: none of them is good.
        """
        found: list[LinkRecord] = []
        table: GameSession | None = None
        for token in self._held(request, self.cookie_name(game, ""))[-MOST_SEATS:]:
            try:
                link, there = await self.opened.of(token)
            except IllegalMove:
                continue
            if link.game == game and link.is_personal:
                found.append(link)
                table = there
        if table is None:
            raise IllegalMove(NOT_HELD)
        return Viewer(table, tuple(found))

    async def tables_in(self, request: web.Request) -> list[GameSession]:
        """The games for which a browser holds links, the newest first. All of them are looked at together."""
        found = await self.all_opened.of(frozenset(self._held(request, self._prefix)[-MOST_HELD:]))
        tables = {link.game: table for link, table in found if link.is_personal}
        return [tables[game] for game in sorted(tables, reverse=True)]

    def _held(self, request: web.Request, prefix: str) -> list[str]:
        """The tokens in the browser's cookies that are called so; what it was given last is sent at the end."""
        return [value for name, value in request.cookies.items() if name.startswith(prefix)]

    def hand_over(self, response: web.StreamResponse, token: str, link: LinkRecord, now: float) -> None:
        """Give the browser a personal link to keep, in place of the one of that kind that the same person had. No script
        reads it, no other site makes it be sent."""
        response.set_cookie(
            self.cookie_name(link.game, sha256(f"{link.person} {link.kind}".encode()).hexdigest()[:8]),
            token,
            max_age=int(link.until - now),
            path="/",
            secure=self.address.is_secure,
            httponly=True,
            samesite="Strict",
        )

    def cookie_name(self, game: int, which: str) -> str:
        """Of the link to a game."""
        return f"{self._prefix}{game}-{which}"

    @property
    def _prefix(self) -> str:
        """What all cookies begin with. By https the browser itself sees to it that no other host has set one."""
        return f"{'__Host-' if self.address.is_secure else ''}board-"


def mark_of(person: str) -> str:
    """What tells a person on the page from others who play in the same browser."""
    return sha256(person.encode()).hexdigest()[:8]
