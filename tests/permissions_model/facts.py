"""What the database says of games, as the model compares it before and after an act."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.store import Server
from tests.permissions_model.rights_page import Game, Seat
from tests.store.postgres_cluster import execute, one_moment

Key = tuple[int, str, Any]
"""Of which game, what kind of fact, which one."""

GAMES = "SELECT id, status, moderator, seats_each, version, title, options, pace_hours, language, rules, invitation, clock FROM games"
SEATS = (
    "SELECT game, number, person, name, sitter, sitter_until, zone, quiet_from, quiet_to, muted, away_until FROM seats"
)
OTHERS = {
    "move": "SELECT game, number, parent, kind, person, text, seat, auto FROM moves",
    "clock": "SELECT game, seat, since, due_at FROM clocks",
    "order": "SELECT game, id, seat, data, ended FROM orders",
    "question": "SELECT game, id, kind, person, data, closed_at, outcome, number FROM questions",
    "link": "SELECT game, digest, person, kind FROM (SELECT * FROM links WHERE until > {now}) AS valid",
    "note": "SELECT game, person, text FROM notes",
    "opening": "SELECT game, '', reach, level, note, vouched FROM openings",
    "sandbox": "SELECT game, person, texts FROM sandboxes",
}
ANSWERS = "SELECT questions.game, question, seat, agree FROM answers JOIN questions ON questions.id = question"


@dataclass(frozen=True)
class Facts:
    """All games after the first `since` of the database, and every fact about them."""

    games: dict[int, Game]
    all: dict[Key, Any]

    def of(self, game_id: int, kind: str) -> dict[Any, Any]:
        """The facts of one kind about a game."""
        return {key[2]: value for key, value in self.all.items() if key[:2] == (game_id, kind)}


def read_facts(place: Path | Server, since: int) -> Facts:
    """The present facts about games with greater numbers, all of one moment."""
    with one_moment(place) as found:

        def rows(query: str, column: str = "game") -> list[Any]:
            return found(f"{query} WHERE {column} > ?", since)

        facts: dict[Key, Any] = {}
        for kind, query in OTHERS.items():
            facts |= {(game, kind, key): tuple(rest) for game, key, *rest in rows(query.format(now=time.time()))}
        facts |= {(g, "answer", (q, seat)): agree for g, q, seat, agree in rows(ANSWERS, "questions.game")}
        seats: dict[int, list[Seat]] = {}
        for game, number, person, name, sitter, until, *habits in rows(SEATS):
            facts[game, "seat", number] = (person, name)
            is_sitting = bool(sitter) and until is not None and until > time.time()
            facts[game, "sitter", number] = (sitter, until) if is_sitting else ("", None)
            facts[game, "habits", number] = tuple(habits)
            seats.setdefault(game, []).append(Seat(number, person, sitter if is_sitting else "", name))
        places = {row[0]: row[1:] for row in rows("SELECT game, guild, channel, thread FROM places")}
        games = {}
        reaches = dict(rows("SELECT game, reach FROM openings"))
        banned = frozenset(digest for (digest,) in found("SELECT digest FROM bans WHERE since > ?", 0))
        for number, status, opener, each, version, title, *rest in rows(GAMES, "id"):
            guild, channel, thread = (int(part or 0) for part in places.get(number, ("0", "0", "0")))
            sitting = tuple(sorted(seats.get(number, ()), key=lambda seat: seat.number))
            games[number] = Game(
                number,
                status,
                opener,
                sitting,
                guild,
                channel,
                thread,
                each,
                version,
                reaches.get(number, ""),
                banned,
                title,
            )
            facts |= {(number, "status", ""): status, (number, "opener", ""): opener, (number, "each", ""): each}
            kinds = ("options", "pace", "language", "rules", "invitation", "allowance")
            facts |= {(number, kind, ""): value for kind, value in zip(kinds, rest, strict=True)}
            facts[number, "place", ""] = places.get(number)
        return Facts(games, facts)


def last_game(place: Path | Server) -> int:
    """The greatest number of a game."""
    return int(execute(place, "SELECT coalesce(max(id), 0) FROM games")[0][0])


def rewrite(place: Path | Server, statement: str, *values: Any) -> None:
    """Change the database behind the bot's back: time that goes by."""
    execute(place, statement, values=values)
