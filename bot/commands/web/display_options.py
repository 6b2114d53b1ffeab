"""How a viewer wants a board drawn: with the map of the beginning, with companies in the colours of their directors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bot.engine import CompanyId, PlayerId, seat_number
from bot.engine.play import Game
from bot.render.shapes import RIMS, choose_text_colour
from bot.render.shapes.hex_view import TokenDrawing, faces_of

COLOURS = ("#0061a8", "#d55e00", "#00795a", "#f0e442", "#b0437f", "#7cc4f0", "#5b4a9c", "#8a6a3c")
"""Players' colours, in the order of their seats; the rims of their tokens differ too."""


@dataclass(frozen=True)
class DisplayOptions:
    """`start`: the map as it was before the first move. `players`: companies in the colours of their presidents."""

    start: bool = False
    players: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> DisplayOptions:
        """The options in an address: `?start=yes&players=yes`."""
        return cls(query.get("start") == "yes", query.get("players") == "yes")

    def enabled_names(self) -> Iterator[str]:
        return (name for name in ("start", "players") if getattr(self, name))

    def as_query(self, at: int | None = None) -> str:
        """The query of the same page after a log entry, or now."""
        return "?" + urlencode({**({} if at is None else {"at": at}), **dict.fromkeys(self.enabled_names(), "yes")})

    def faces(self, game: Game) -> Mapping[CompanyId, TokenDrawing]:
        """Companies' tokens: white without a president where players' colours are used."""
        own = faces_of(game.title)
        if not self.players:
            return own
        players: dict[PlayerId | None, TokenDrawing] = {player: face_of(game, player) for player in game.state.order}
        nobodys = TokenDrawing("", "#ffffff", "#000000")
        looks = {company: players.get(game.controller_of(company), nobodys) for company in own}
        return {
            company: TokenDrawing(own[company].sign, look.colour, look.text_colour, look.rim)
            for company, look in looks.items()
        }


def face_of(game: Game, player: PlayerId) -> TokenDrawing:
    """A player's colour, on a token with the beginning of their name."""
    number = seat_number(player) - 1
    colour = COLOURS[number % len(COLOURS)]
    return TokenDrawing(game.state.name(player)[:1].upper(), colour, choose_text_colour(colour), number % len(RIMS))
