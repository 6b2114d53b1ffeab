"""The needs of pictures of a title beyond its rules: colours, signs, boxes printed beside the map, markers.

Plain data and a few functions of the game; how it is drawn is decided in `bot.render`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.engine import CompanyId, HexId, Text
from bot.engine.state import PlacedTile

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True)
class Marker:
    """A marker on a hex beside tiles and tokens: a few letters in a box.

    With `company` it has the colour of that company's tokens, otherwise `colour`.
    """

    hex: HexId
    text: str
    company: CompanyId | None = None
    colour: str = "#ffffff"


@dataclass(frozen=True)
class SideBox:
    """A box printed beside the map: a name and its values, one a tile colour (`Node.colours`) or one for all."""

    name: str
    values: tuple[int, ...]
    colours: tuple[str, ...] = ()


@dataclass(frozen=True)
class SideTable:
    """A table printed on the board, with a marker on one of its columns.

    `heads` names the columns, `tints` gives each a tile colour or `""`; every row has its name first, then one cell a
    column; `told` says in words what each column means.
    """

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    tints: tuple[str, ...] = ()
    marker: int | None = None
    told: tuple[Text, ...] = ()


@dataclass(frozen=True)
class TokenStyle:
    """A token with two halves: the upper colour is the company's own. Empty: no second half, no stripes."""

    lower: str = ""
    upper_stripe: str = ""
    lower_stripe: str = ""


@dataclass(frozen=True)
class BoardStyle:
    """How a title's board looks.

    `zones` gives the letters of market zones a tile colour or `#rrggbb`; `insets` names spaces that are drawn again,
    larger, beside the map; `notes` are boxes beside it; `faces` tokens with more than one colour. Functions of the
    game: `marks` on hexes, `beneath` tiles under the track of a hex (tunnels), `spent` companies whose printed
    destination counts no more, `charts` below the market, `lines` of text below it (who waits in which lobby),
    `token_price` the present price of a token for which the charter names this price.
    """

    zones: Mapping[str, str] = field(default_factory=dict)
    insets: Sequence[HexId] = ()
    notes: Sequence[SideBox] = ()
    faces: Mapping[CompanyId, TokenStyle] = field(default_factory=dict)
    marks: Callable[[Game], Iterable[Marker]] = lambda game: ()
    beneath: Callable[[Game], Mapping[HexId, Sequence[PlacedTile]]] = lambda game: {}
    spent: Callable[[Game], Iterable[CompanyId]] = lambda game: ()
    charts: Callable[[Game], Iterable[SideTable]] = lambda game: ()
    lines: Callable[[Game], Iterable[Text]] = lambda game: ()
    token_price: Callable[[Game, int], int] = lambda game, printed: printed

    def describe_charts(self, game: Game) -> Iterator[Text]:
        """The charts below the market in words: the column of the marker."""
        for chart in self.charts(game):
            if chart.marker is not None and chart.marker < len(chart.told):
                yield chart.told[chart.marker]
