"""The board pages as all kinds of people ask them: by links that are good, withdrawn, over, another game's, made up, or by
none; held against the same model."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from aiohttp import ClientSession, DummyCookieJar

from bot.titles.registry import TITLES
from tests.permissions_model.facts import Facts
from tests.permissions_model.rights_page import UNDER_WAY, Act, Game, Spot
from tests.permissions_model.state import MARK, SECRET, Club

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/(?:b/|enter#)([\w-]{20,})")
READS = ("", "board", "board?at=0", "log", "tiles", "stream", "last/{company}", "space/{hex}?version={version}")
READS_OF_LOBBY = ("", "board", "stream")
PLAYS = (
    "turn",
    "notes",
    "plans?order=pass",
    "try?version={version}&move=pass",
    "menu?version={version}&kind=Bid",
    "tapped?version={version}&train=x:H11,H12",
)
"""What only whoever plays may ask. Some of it is refused for other reasons than want of rights."""

CHANGES = {"move": "move", "undo": "undo", "notes": "note"}
"""What is sent, and the right that it needs."""

WAYS = ("as it is meant", "as the other kind", "to another game", "by none", "made up")
REFUSED = (403, 404, 429)
NOBODY = Spot(0, 0)
"""From where a page is asked: from no channel at all."""


@dataclass(frozen=True)
class Held:
    """A link that somebody was given once, whatever has become of it."""

    address: str
    token: str
    game: int
    person: str
    kind: str

    def is_good(self, facts: Facts) -> bool:
        """Whether it stands in the database, its time is not over, and a personal one has its seat or its lobby."""
        if (self.person, self.kind) != facts.of(self.game, "link").get(digest_of(self.token)):
            return False
        game = facts.games[self.game]
        is_lobby_of = game.status == "lobby" and game.opener == self.person
        return self.kind == "look" or bool(game.seats_of(self.person)) or is_lobby_of


@dataclass(frozen=True)
class Asked:
    """One request: whereto, with which cookie, by whom and to which game as far as it is good."""

    address: str
    root: str
    cookies: dict[str, str]
    held: Held | None
    game: Game

    def may_look(self, facts: Facts, path: str) -> bool:
        """Whether the page shows itself: of a lobby only who is in."""
        has_begun = self.game.status in (*UNDER_WAY, "finished")
        is_there = has_begun or path.partition("?")[0] in READS_OF_LOBBY
        return self.held is not None and is_there and self.held.is_good(facts)

    def may_play(self, facts: Facts) -> bool:
        """Whether it plays, too."""
        return self.held is not None and self.held.kind == "play" and self.is_open and self.held.is_good(facts)

    @property
    def is_open(self) -> bool:
        """Whether the game is not over."""
        return self.game.status in UNDER_WAY


def digest_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def links_in(text: str, facts: Facts) -> list[Held]:
    """The links that somebody was shown."""
    known = {key[2]: (key[0], *row) for key, row in facts.all.items() if key[1] == "link"}
    return [
        Held(address, token, *known[digest_of(token)])
        for address, token in LINK.findall(text)
        if digest_of(token) in known
    ]


def chosen_of(links: list[Held], n: int) -> list[Held]:
    """Of each kind the newest and any other."""
    kinds = [[link for link in links if link.kind == kind] for kind in ("look", "play")]
    return [link for found in kinds if found for link in (found[-1], found[n % len(found)])]


def asked_with(link: Held, way: str, facts: Facts, game: Game) -> Asked:
    """A link, used rightly or wrongly."""
    by_link, by_cookie = f"/b/{link.token}/", {f"board-{link.game}-x": link.token}
    own = facts.games[link.game]
    if way == "as it is meant" and link.kind == "look":
        return Asked(link.address, by_link, {}, link, own)
    if way == "as it is meant":
        return Asked(link.address, f"/g/{link.game}/", by_cookie, link, own)
    if way == "as the other kind" and link.kind == "play":
        return Asked(link.address, by_link, {}, None, own)
    if way == "as the other kind":
        return Asked(link.address, f"/g/{link.game}/", by_cookie, None, own)
    if way == "to another game" and game.number != link.game:
        return Asked(link.address, f"/g/{game.number}/", {f"board-{game.number}-x": link.token}, None, game)
    if way == "by none":
        return Asked(link.address, f"/g/{game.number}/", {}, None, game)
    return Asked(link.address, f"/b/{'a' * len(link.token)}/", {}, None, game)


async def fetched(asked: Asked, path: str, body: dict[str, object] | None = None) -> tuple[int, str]:
    """What is answered; of a stream the first that it says."""
    headers = {"X-Signalbox": "1", "Origin": asked.address}
    async with ClientSession(asked.address, cookie_jar=DummyCookieJar(), cookies=asked.cookies) as session:
        headers |= {"Cookie": "; ".join(f"{name}={value}" for name, value in asked.cookies.items())}
        method = "GET" if body is None else "POST"
        async with session.request(method, asked.root + path, headers=headers, json=body) as answer:
            if path == "stream" and answer.status == 200:
                return 200, (await answer.content.readline()).decode()
            return answer.status, await answer.text()


def read_paths(asked: Asked, n: int) -> list[tuple[str, bool]]:
    """What is asked for: two things for everybody, and one that only whoever plays may have."""
    shapes = [(READS[n % len(READS)], False), (READS[(n + 3) % len(READS)], False), (PLAYS[n % len(PLAYS)], True)]
    # A puzzle may be of any title, so each game is asked for a hex and a company of its own.
    title = TITLES[asked.game.title]
    named = {"hex": next(iter(title.land.map.hexes)), "company": next(iter(title.companies))}
    return [(shape.format(version=asked.game.version, **named), needs_seat) for shape, needs_seat in shapes]


def act_of(asked: Asked, right: str, facts: Facts) -> Act:
    """The same as the model knows it: whoever only looks, or does not, can do it in no game."""
    person = asked.held.person if asked.held else ""
    return Act(right, person, NOBODY, (asked.game.number,) if asked.may_play(facts) else ())


def body_of(what: str, asked: Asked, n: int, secret: int) -> dict[str, object]:
    """What is sent."""
    move = ("pass", "bid LB 40", "@1 bid LB 45", "@2 bid AF 30")[n % 4]
    more = {"move": {"move": move}, "undo": {}, "notes": {"text": f"bid up to {secret}"}}[what]
    return {"version": asked.game.version, **more}


def answered_wrongly(
    asked: Asked, facts: Facts, path: str, status: int, text: str, needs_seat: bool, club: Club
) -> list[str]:
    """What an answer gives that the model does not, or refuses though it does."""
    may = asked.may_play(facts) if needs_seat else asked.may_look(facts, path)
    found = []
    if not may and status not in REFUSED:
        found.append(f"answered with {status}")
    if may and not needs_seat and status != 200:
        found.append(f"he may look, and is answered with {status}: {text[:200]}")
    person = asked.held.person if asked.held else ""
    for secret in SECRET.findall(text):
        if club.secrets.get(secret, person) != person:
            found.append(f"he is shown what {club.name(club.secrets[secret])} keeps to himself")
    for mark in set(MARK.findall(text)) & set(club.marks):
        if not asked.may_look(facts, path) or asked.game.number not in club.marks[mark]:
            found.append(f"he is shown {mark}")
    return found
