"""Links as addresses and cookies: what a browser brings, and who it is by that."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256

from aiohttp import web

from bot.engine import GameId, IllegalMove, PersonId, PlayerId, seat
from bot.service.features.board_links import INVALID_LINK, link_address
from bot.service.game_service import GameService
from bot.service.sessions import GameSession
from bot.store import GameStatus, LinkKind, LinkRecord

from .coalesce import SingleFlight
from .security import Address, SecurityMiddleware

MOST_SEATS = 12
"""Maximum number of play links to one game in a browser."""

MOST_HELD = 100
"""Maximum number of links, the newest first, that are checked to list a browser's games."""

NOT_HELD = "This browser has no link to that game. Ask for a personal link: /board mine."


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks at a game: their links, and the persons they play as (none, with a look link)."""

    table: GameSession
    links: tuple[LinkRecord, ...]

    @property
    def game(self) -> GameId:
        return self.table.record.id

    @property
    def persons(self) -> tuple[PersonId, ...]:
        """The persons they play as; none in a finished game."""
        is_over = self.table.record.status == GameStatus.FINISHED
        return () if is_over else tuple(dict.fromkeys(link.person for link in self.links if link.is_personal))

    @property
    def holder(self) -> str:
        """The person behind the link: requests by all links of a person wait in one queue."""
        return self.links[0].person

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        own = {player for person in self.persons for player in self.table.seats_of(person)}
        return tuple(held for record in self.table.seats if (held := seat(record.number)) in own)

    def person(self, mark: str) -> PersonId:
        """The person with this mark on the page (`mark_of`); without a mark the only person.

        :raises IllegalMove: they play nobody, several, or somebody else.
        """
        return find_marked(self.persons, mark)

    @property
    def digests(self) -> frozenset[str]:
        return frozenset(link.digest for link in self.links)

    def actor(self, players: Iterable[PlayerId | None]) -> PersonId:
        """The person who moves for one of these players: the first of the viewer's persons that does, else the
        first.

        :raises IllegalMove: they play nobody.
        """
        if not self.persons:
            raise IllegalMove("This link is only for watching. Get a play link with: /board mine.")
        wanted = set(players)
        return next((one for one in self.persons if wanted & set(self.table.seats_of(one))), self.persons[0])


@dataclass(frozen=True)
class LinkHolder:
    """A browser with the play links that it holds, the newest game first."""

    held: tuple[tuple[LinkRecord, GameSession], ...]
    table: None = None

    @property
    def persons(self) -> tuple[PersonId, ...]:
        return tuple(dict.fromkeys(link.person for link, _ in self.held))

    @property
    def games(self) -> frozenset[GameId]:
        return frozenset(link.game for link, _ in self.held)

    @property
    def digests(self) -> frozenset[str]:
        return frozenset(link.digest for link, _ in self.held)

    def person(self, mark: str) -> PersonId:
        """As a viewer's.

        :raises IllegalMove: they are nobody, several, or somebody else.
        """
        return find_marked(self.persons, mark)

    def actor(self, players: Iterable[PlayerId | None]) -> PersonId:
        """The person of the newest game: here no player is asked."""
        return self.persons[0]


class Authenticator:
    def __init__(self, tables: GameService, guard: SecurityMiddleware) -> None:
        self.guard = guard
        self.opened = SingleFlight(tables.links.open_link, guard.turnstile)
        self.all_opened = SingleFlight(tables.links.open_links, guard.turnstile)

    @property
    def address(self) -> Address:
        return self.guard.address

    def look_address(self, token: str) -> str:
        return link_address(self.address.origin, LinkKind.LOOK, token)

    def play_address(self, token: str) -> str:
        return link_address(self.address.origin, LinkKind.PLAY, token)

    async def by_token(self, token: str, *kinds: LinkKind) -> Viewer:
        """The viewer with this token of one of these kinds.

        :raises IllegalMove: it opens nothing, or something else.
        """
        try:
            link, table = await self.opened.get(token)
            if link.kind not in kinds:
                raise IllegalMove(INVALID_LINK)
        except IllegalMove:
            self.guard.count_wrong_token()
            raise
        return Viewer(table, (link,))

    async def by_cookies(self, request: web.Request, game_id: GameId) -> Viewer:
        """The viewer by the play links to this game in the browser's cookies.

        :raises IllegalMove: none of them is good.
        """
        found: list[LinkRecord] = []
        table: GameSession | None = None
        for token in self._tokens_in_cookies(request, self.cookie_name(game_id, ""))[-MOST_SEATS:]:
            try:
                link, there = await self.opened.get(token)
            except IllegalMove:
                continue
            if link.game == game_id and link.opens_page:
                found.append(link)
                table = there
        if table is None:
            raise IllegalMove(NOT_HELD)
        return Viewer(table, tuple(found))

    async def holder_of(self, request: web.Request) -> LinkHolder:
        """The browser's play links. All of them are read together."""
        found = await self.all_opened.get(frozenset(self._tokens_in_cookies(request, self._prefix)[-MOST_HELD:]))
        held = [(link, table) for link, table in found if link.opens_page]
        return LinkHolder(tuple(sorted(held, key=lambda one: one[0].game, reverse=True)))

    def _tokens_in_cookies(self, request: web.Request, prefix: str) -> list[str]:
        """The tokens in the browser's cookies with that prefix; the newest is sent last."""
        return [value for name, value in request.cookies.items() if name.startswith(prefix)]

    def hand_over(self, response: web.StreamResponse, token: str, link: LinkRecord, now: float) -> None:
        """Give the browser a play link to keep, instead of the person's earlier link of that kind. No script can
        read it, no other site can cause it to be sent.
        """
        response.set_cookie(
            self.cookie_name(link.game, sha256(f"{link.person} {link.kind}".encode()).hexdigest()[:8]),
            token,
            max_age=int(link.until - now),
            path="/",
            secure=self.address.is_secure,
            httponly=True,
            samesite="Strict",
        )

    def cookie_name(self, game_id: GameId, which: str) -> str:
        return f"{self._prefix}{game_id}-{which}"

    @property
    def _prefix(self) -> str:
        """Prefix of all cookies. With https the browser ensures that no other host has set them."""
        return f"{'__Host-' if self.address.is_secure else ''}board-"


def find_marked(persons: Collection[PersonId], mark: str) -> PersonId:
    """The person with this mark among these, without a mark the only person.

    :raises IllegalMove: there is none, or there are several.
    """
    found = [one for one in persons if not mark or mark == mark_of(one)]
    if len(found) != 1:
        raise IllegalMove(NOT_HELD)
    return found[0]


def mark_of(person: PersonId) -> str:
    """Distinguishes a person on the page from others who play in the same browser."""
    return sha256(person.encode()).hexdigest()[:8]
