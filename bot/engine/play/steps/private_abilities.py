"""Powers of privates beside the ordinary: lays on hexes that are not reached, exchange for a share, the first price of
a company that comes with a private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import (
    BANK,
    IPO,
    POOL,
    CompanyId,
    HexId,
    IllegalMove,
    Owner,
    PlayerId,
    PrivateId,
    TileId,
    TrackSections,
    is_player,
)
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import Position, check_cash, ordinary_certificates, pay, settle_presidency, share_unit
from bot.engine.play.holdings.certificates import transfer
from bot.engine.state import Action, Exchange, LayTile, Par, SharesBought, TileLay

from .dividends import operating_turn
from .privates import close_private
from .stock import start_company
from .track import lay_tile


@dataclass(frozen=True)
class LayTileAbility:
    """With its private a company lays one of these tiles on a hex, once, even out of its reach.

    `may_lay(game, company)` raises the refusal against doing it now; `cost(game, action)` is its cost; with `is_extra` the
    lay does not count among those of the turn; `then(game, company)` follows it.
    """

    private: PrivateId
    hex: HexId
    tiles: frozenset[TileId]
    section: TrackSections
    cost: Callable[[Game, LayTile], int]
    may_lay: Callable[[Game, CompanyId], None] = lambda game, company: None
    is_extra: bool = False
    then: Callable[[Game, CompanyId], None] = lambda game, company: None
    name: str = "lay a tile by a private"
    verbs: tuple[type[Action], ...] = (LayTile,)

    opens = has_options

    def _is_owned(self, game: Game, company: CompanyId) -> bool:
        private = game.private(self.private)
        return private.owner == company and not private.closed and not private.ability_used

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        if not self._is_owned(game, company):
            return
        for tile in sorted(self.tiles):
            turned = game.board_rules.fitting_rotations(game.state.board, tile, self.hex)
            lays = (LayTile(company, tile, self.hex, rotation, self.private) for rotation in turned)
            yield from filter_allowed(self, game, lays)

    def check(self, game: Game, action: LayTile) -> None:
        company, land = CompanyId(action.by), game.board_rules
        if action.using != self.private:
            raise IllegalMove("{company} can now lay track only by using a private.", self.section.kind, company)
        if action.hex != self.hex or action.tile not in self.tiles:
            tiles = ", ".join(sorted(self.tiles))
            raise IllegalMove(
                "{private} can only lay {tiles} on {hex}.", self.section.kind, self.private, tiles, self.hex
            )
        if not self._is_owned(game, company):
            raise IllegalMove(
                "{private} does not belong to {company}, or its tile lay is used up.",
                self.section.kind,
                self.private,
                company,
            )
        self.may_lay(game, company)
        colours = game.title.phase(game.state.phase).colours
        land.check_tile(game, action.tile, action.hex, colours, self.section)
        land.check_rotation(game, action.tile, action.hex, action.rotation, self.section)
        check_cash(game, company, self.cost(game, action), self.section.cost)

    def apply(self, game: Game, action: LayTile) -> None:
        company, cost = CompanyId(action.by), self.cost(game, action)
        pay(game, company, BANK, cost, "terrain")
        game.private(self.private).ability_used = True
        lay_tile(game, company, action.tile, action.hex, action.rotation, cost)
        if not self.is_extra:
            operating_turn(game).lays.append(TileLay(action.hex, action.tile, False))
        self.then(game, company)


def give_share(game: Game, player: PlayerId, company: CompanyId, source: Owner = IPO) -> None:
    """Give a share for nothing from the initial offering or the pool."""
    percent = transfer(game, company, source, player, 1)
    game.emit(SharesBought(player, company, source, percent, 0))
    settle_presidency(game, company)


@dataclass(frozen=True)
class ExchangeForShare:
    """The player who owns a private gives it up for a share of a company, in turn or not.

    `is_unlimited(game, company)` whether holdings have no limit; `after_purchase(game, company)` follows.
    """

    private: PrivateId
    company: CompanyId
    section: str
    is_unlimited: Callable[[Game, CompanyId], bool]
    after_purchase: Callable[[Game, CompanyId], None]
    name: str = "exchange a private"
    verbs: tuple[type[Action], ...] = (Exchange,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        owner = game.private(self.private).owner
        if owner is not None:
            yield from filter_allowed(self, game, (Exchange(owner, self.private, source) for source in (IPO, POOL)))

    def check(self, game: Game, action: Exchange) -> None:
        """Only its owner, a player below the limit of holdings, for a share that is there."""
        private, company = game.private(self.private), game.company(self.company)
        if action.private != self.private or private.closed:
            raise IllegalMove("{private} cannot be exchanged.", self.section, action.private)
        if private.owner != action.by or not is_player(action.by):
            raise IllegalMove("Only the player who owns {private} can exchange it.", self.section, self.private)
        if action.source not in (IPO, POOL) or not ordinary_certificates(company, action.source):
            raise IllegalMove("There is no such share of {company}.", self.section, company.id)
        most = game.title.rules.holding_limit(game, company.id)
        if company.percent_held_by(action.by) + share_unit(company) > most and not self.is_unlimited(game, company.id):
            raise IllegalMove("No player may hold more than {most}% of {company}.", self.section, most, company.id)

    def apply(self, game: Game, action: Exchange) -> None:
        close_private(game, game.private(self.private))
        give_share(game, PlayerId(action.by), self.company, action.source)
        self.after_purchase(game, self.company)


@dataclass(frozen=True)
class SetParPrice:
    """The player who got a company's president's certificate with a private sets its par price; `then(game, company)` follows."""

    name: str
    company: CompanyId
    cells: Callable[[Game, CompanyId], list[Position]]
    section: str
    then: Callable[[Game, CompanyId], None] = lambda game, company: None
    verbs: tuple[type[Action], ...] = (Par,)

    def opens(self, game: Game) -> bool:
        return game.company(self.company).par is None

    def options(self, game: Game) -> Iterator[Action]:
        cells = self.cells(game, self.company)
        return (Par(game.actor_in_turn, self.company, game.title.market.price(cell)) for cell in cells)

    def check(self, game: Game, action: Par) -> None:
        prices = [option.price for option in self.options(game) if isinstance(option, Par)]
        if action.company != self.company or action.price not in prices:
            said = ", ".join(map(str, prices))
            raise IllegalMove(
                "{company} must start now; possible par prices: {prices}.", self.section, self.company, said
            )

    def apply(self, game: Game, action: Par) -> None:
        start_company(game, PlayerId(action.by), self.company, action.price, self.cells(game, self.company), None)
        self.then(game, self.company)
