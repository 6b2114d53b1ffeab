"""The values in which titles of the family differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.engine import CompanyId, HexId, PrivateId, TileId
from bot.engine.board import BoardRules
from bot.engine.play import CompanySpec, Game, Option, PrivateSpec, family_getter
from bot.engine.play.holdings import MarketSpec, has_phase_begun
from bot.engine.play.steps import AutomaticLoans

from .components import INTEREST, LOAN, LOANS

GREAT_CITY = TileId("639")
Place = tuple[HexId, int]
"""A city: its hex and its number there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Merging:
    """A title's box and values.

    Gray tiles are laid from the phase `gray_from` on.

    `late_minors` enter with the first 3-train. `closed` hexes are built on from then on, and in the cities `kept`
    places stay free until then. Minors have `homes`, or their owners choose them. `first` is the minor that must be
    begun before all others, if any.

    `bonus` is paid to a train that counts its place and one of its capitals. `helped` are the hexes where a private
    earns its company 10 more.

    The `national` railway keeps one of its tokens for each hex of `promised`; it may begin with a token in the city
    `begins_at`, and the tile `great_city` brings it one. A company that it takes over falls `spaces_a_loan` for each
    loan left. With `operates` it has turns of its own and takes what those companies own; without, trains are exported
    after each operating round, and old trains are traded in for those of phase 8. With `hurries` the last set follows
    at once if phase 8 begins in the first round of a set.
    """

    id: str
    currency: str
    companies: Mapping[CompanyId, CompanySpec]
    privates: Mapping[PrivateId, PrivateSpec]
    land: BoardRules
    market: MarketSpec
    markets: Option
    late_minors: frozenset[CompanyId]
    bonus: tuple[HexId, frozenset[HexId]]
    helped: Mapping[PrivateId, frozenset[HexId]]
    national: CompanyId
    promised: tuple[HexId, ...]
    begins_at: Place | None
    great_city: TileId = GREAT_CITY
    gray_from: str = "7"
    closed: frozenset[HexId] = frozenset()
    kept: tuple[Place, ...] = ()
    first: CompanyId | None = None
    spaces_a_loan: int = 2
    operates: bool = False
    hurries: bool = False

    @cached_property
    def has_homes(self) -> bool:
        return any(noun.home for noun in self.companies.values() if noun.kind == "minor")

    def names_of(self, kind: str) -> list[CompanyId]:
        return [company for company, noun in self.companies.items() if noun.kind == kind]


merging = family_getter(Merging)
"""The values of the game's title."""


def kind_of(game: Game, company: CompanyId) -> str:
    """`minor`, `major` or `national`."""
    return game.title.companies[company].kind


def is_to_come(game: Game, company: CompanyId) -> bool:
    """Whether it is a minor that comes with the first 3-train, before that."""
    return company in merging(game).late_minors and not has_phase_begun(game, "3")


BORROWING = AutomaticLoans(LOAN, INTEREST, lambda game, company: LOANS[kind_of(game, company)])
