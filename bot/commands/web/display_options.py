"""How whoever looks wants a board drawn: with the map of the beginning, with companies in the colours of their directors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from bot.engine.ids import CompanyId, PlayerId
from bot.engine.play.game import Game
from bot.render.shapes.colours import RIMS, readable_on
from bot.render.shapes.hex_view import TokenDrawing, faces_of

COLOURS = ("#0061a8", "#d55e00", "#00795a", "#f0e442", "#b0437f", "#7cc4f0", "#5b4a9c", "#8a6a3c")
"""Of players, in the order of their seats; the rims of their tokens are different too."""


@dataclass(frozen=True)
class DisplayOptions:
    """`start`: the map as it was before the first move. `players`: companies in the colours of who directs them."""

    start: bool = False
    players: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> DisplayOptions:
        """What an address asks for: `?start=yes&players=yes`."""
        return cls(query.get("start") == "yes", query.get("players") == "yes")

    def named(self) -> Iterator[str]:
        """The names of what is wished."""
        return (name for name in ("start", "players") if getattr(self, name))

    def there(self, at: int | None = None) -> str:
        """The address of the same page after a record, or now."""
        return "?" + urlencode({**({} if at is None else {"at": at}), **dict.fromkeys(self.named(), "yes")})

    def faces(self, game: Game) -> Mapping[CompanyId, TokenDrawing]:
        """How companies' tokens look: those without a director are white where players' colours are wished."""
        own = faces_of(game.title)
        if not self.players:
            return own
        players: dict[PlayerId | None, TokenDrawing] = {player: face_of(game, player) for player in game.state.order}
        nobodys = TokenDrawing("", "#ffffff", "#000000")
        looks = {company: players.get(game.decider(company), nobodys) for company in own}
        return {
            company: TokenDrawing(own[company].sign, look.colour, look.text_colour, look.rim)
            for company, look in looks.items()
        }


def face_of(game: Game, player: PlayerId) -> TokenDrawing:
    """A player's colour, on a token with the beginning of his name."""
    number = int(player[1:]) - 1
    colour = COLOURS[number % len(COLOURS)]
    return TokenDrawing(game.state.name(player)[:1].upper(), colour, readable_on(colour), number % len(RIMS))
