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
    Text,
    TileId,
    TrackSections,
    is_player,
    msg,
)
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import Position, check_cash, ordinary_certificates, pay, settle_presidency, share_unit
from bot.engine.play.holdings.certificates import transfer
from bot.engine.state import Action, Exchange, LayTile, Par, Pass, PlaceToken, Private, SharesBought, TileLay

from .dividends import operating_turn
from .privates import close_private
from .stock import start_company
from .track import lay_tile


def owning_company(game: Game, private: Private) -> Owner | None:
    """The company in turn, if the private is its own."""
    company = game.frame.entity
    return company if company in game.state.companies and company == private.owner else None


def count_lay(game: Game, action: LayTile) -> None:
    """The lay is the company's lay of the turn."""
    operating_turn(game).lays.append(TileLay(action.hex, action.tile, False))


@dataclass(frozen=True)
class LayTileAbility:
    """With a private, one of these tiles is laid on one of these hexes, once, even out of reach.

    `user(game, private)` is the owner who may do it now, if there is any; `may_lay(game, action)` raises the refusal against
    a lay; `cost(game, action)` is its cost; `then(game, action)` follows it.
    """

    private: PrivateId
    hexes: tuple[HexId, ...]
    tiles: frozenset[TileId]
    section: TrackSections
    cost: Callable[[Game, LayTile], int]
    user: Callable[[Game, Private], Owner | None] = owning_company
    may_lay: Callable[[Game, LayTile], None] = lambda game, action: None
    then: Callable[[Game, LayTile], None] = lambda game, action: None
    name: str = "lay a tile using a private"
    verbs: tuple[type[Action], ...] = (LayTile,)

    opens = has_options

    def _user(self, game: Game) -> Owner | None:
        private = game.state.privates.get(self.private)
        return None if private is None or private.closed or private.ability_used else self.user(game, private)

    def options(self, game: Game) -> Iterator[Action]:
        user = self._user(game)
        for hex_id in self.hexes if user is not None else ():
            for tile in sorted(self.tiles):
                turned = game.board_rules.fitting_rotations(game.state.board, tile, hex_id)
                lays = (LayTile(user or Owner(""), tile, hex_id, rotation, self.private) for rotation in turned)
                yield from filter_allowed(self, game, lays)

    def check(self, game: Game, action: LayTile) -> None:
        land = game.board_rules
        if action.using != self.private:
            raise IllegalMove("{company} can now lay track only by using a private.", self.section.kind, action.by)
        if action.hex not in self.hexes or action.tile not in self.tiles:
            tiles, hexes = ", ".join(sorted(self.tiles)), ", ".join(self.hexes)
            raise IllegalMove("{private} can only lay {tiles} on {hex}.", self.section.kind, self.private, tiles, hexes)
        if self._user(game) != action.by:
            raise IllegalMove(
                "{private} does not belong to {company}, or its tile lay is used up.",
                self.section.kind,
                self.private,
                action.by,
            )
        self.may_lay(game, action)
        colours = game.title.phase(game.state.phase).colours
        land.check_tile(game, action.tile, action.hex, colours, self.section, private=self.private)
        land.check_rotation(game, action.tile, action.hex, action.rotation, self.section)
        check_cash(game, action.by, self.cost(game, action), self.section.cost)

    def apply(self, game: Game, action: LayTile) -> None:
        cost = self.cost(game, action)
        pay(game, action.by, BANK, cost, "terrain")
        game.private(self.private).ability_used = True
        lay_tile(game, action.by, action.tile, action.hex, action.rotation, cost)
        self.then(game, action)


@dataclass(frozen=True)
class LaySecondTile:
    """The company in turn lays the second of two tiles with a private, on the other of its two hexes, joined to the first."""

    private: PrivateId
    hexes: tuple[HexId, ...]
    tiles: frozenset[TileId]
    section: TrackSections
    name: str = "lay the second tile of a private"
    verbs: tuple[type[Action], ...] = (LayTile,)

    def opens(self, game: Game) -> bool:
        is_own = game.private(self.private).owner == game.actor_in_turn
        return is_own and sum(hex_id in game.state.board.tiles for hex_id in self.hexes) == 1

    def options(self, game: Game) -> Iterator[Action]:
        for hex_id in self.hexes:
            for tile in sorted(self.tiles) if hex_id not in game.state.board.tiles else ():
                turned = game.board_rules.fitting_rotations(game.state.board, tile, hex_id)
                lays = (LayTile(game.actor_in_turn, tile, hex_id, rotation, self.private) for rotation in turned)
                yield from filter_allowed(self, game, lays)

    def check(self, game: Game, action: LayTile) -> None:
        land = game.board_rules
        if action.using != self.private or action.hex not in self.hexes or action.tile not in self.tiles:
            raise IllegalMove("Lay the second tile of {private} now.", self.section.kind, self.private)
        if not self._exits_meet(game, action):
            raise IllegalMove("The two tiles of {private} must be joined.", self.section.reach, self.private)
        colours = game.title.phase(game.state.phase).colours
        land.check_tile(game, action.tile, action.hex, colours, self.section, private=self.private)
        land.check_rotation(game, action.tile, action.hex, action.rotation, self.section)

    def _exits_meet(self, game: Game, action: LayTile) -> bool:
        """Whether the tile leads to the other hex, where track leads to it."""
        land = game.board_rules
        (other,) = (hex_id for hex_id in self.hexes if hex_id != action.hex)
        edge = land.map.neighbours[action.hex].index(other)
        meets = land.map.neighbours[other].index(action.hex) in game.tile_at(other).exits
        return meets and edge in land.tiles[action.tile].rotate(action.rotation).exits

    def check_can_follow(self, game: Game, first: LayTile) -> None:
        """Refuse a first tile that does not lead to the other hex, and one that already has a tile beside it."""
        land = game.board_rules
        (other,) = (hex_id for hex_id in self.hexes if hex_id != first.hex)
        edge = land.map.neighbours[first.hex].index(other)
        is_free = not any(hex_id in game.state.board.tiles for hex_id in self.hexes)
        if not is_free or edge not in land.tiles[first.tile].rotate(first.rotation).exits:
            raise IllegalMove("The two tiles of {private} must be joined.", self.section.reach, self.private)

    def apply(self, game: Game, action: LayTile) -> None:
        lay_tile(game, action.by, action.tile, action.hex, action.rotation, 0)


@dataclass(frozen=True)
class LayTileOrPass:
    """The player or company in turn uses a private's lay now, or gives it up."""

    ability: LayTileAbility
    name: str = "lay a tile using a private or forgo it"
    verbs: tuple[type[Action], ...] = (LayTile, Pass)

    def prompt(self, game: Game) -> Text:
        return msg("lay a tile using {private}, or pass", self.ability.private)

    def opens(self, game: Game) -> bool:
        return self.ability.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.actor_in_turn)
        yield from self.ability.options(game)

    def check(self, game: Game, action: LayTile | Pass) -> None:
        if isinstance(action, LayTile):
            self.ability.check(game, action)

    def apply(self, game: Game, action: LayTile | Pass) -> None:
        if isinstance(action, LayTile):
            self.ability.apply(game, action)
        else:
            game.private(self.ability.private).ability_used = True
            game.record_pass(action)


@dataclass(frozen=True)
class PlaceMarker:
    """The company in turn that owns the private marks one of these hexes, once; `may_mark(game, action)` raises the refusal
    against a hex."""

    private: PrivateId
    hexes: tuple[HexId, ...]
    section: str
    may_mark: Callable[[Game, PlaceToken], None]
    name: str = "mark a hex using a private"
    verbs: tuple[type[Action], ...] = (PlaceToken,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        marks = (PlaceToken(game.actor_in_turn, hex_id, 0, self.private) for hex_id in self.hexes)
        yield from filter_allowed(self, game, marks)

    def check(self, game: Game, action: PlaceToken) -> None:
        private = game.state.privates.get(self.private)
        if action.using != self.private or action.hex not in self.hexes:
            sentence = "{private} marks one of these hexes: {hexes}."
            raise IllegalMove(sentence, self.section, self.private, ", ".join(self.hexes))
        if private is None or private.closed or private.ability_used or owning_company(game, private) != action.by:
            sentence = "{private} does not belong to {company}, or its marker is used up."
            raise IllegalMove(sentence, self.section, self.private, action.by)
        self.may_mark(game, action)

    def apply(self, game: Game, action: PlaceToken) -> None:
        private = game.private(self.private)
        private.ability_used, private.marked_hex = True, action.hex
        game.board_changed()
        game.log("{company} puts the marker of {private} on {hex}.", action.by, self.private, action.hex)


def give_share(game: Game, player: PlayerId, company: CompanyId, source: Owner = IPO) -> None:
    """Give a share for nothing from the initial offering or the pool."""
    percent = transfer(game, company, source, player, 1)
    game.emit(SharesBought(player, company, source, percent, 0))
    settle_presidency(game, company)


@dataclass(frozen=True)
class ExchangeForShare:
    """The player who owns a private gives it up for a share of a company, in turn or not.

    `is_unlimited(game, company)` whether holdings have no limit; `after_purchase(game, company)` follows; `sources` are
    where the share may come from.
    """

    private: PrivateId
    company: CompanyId
    section: str
    is_unlimited: Callable[[Game, CompanyId], bool]
    after_purchase: Callable[[Game, CompanyId], None]
    sources: tuple[Owner, ...] = (IPO, POOL)
    name: str = "exchange a private"
    verbs: tuple[type[Action], ...] = (Exchange,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        private = game.state.privates.get(self.private)
        if private is not None and private.owner is not None:
            exchanges = (Exchange(private.owner, self.private, source) for source in self.sources)
            yield from filter_allowed(self, game, exchanges)

    def check(self, game: Game, action: Exchange) -> None:
        """Only its owner, a player below the limit of holdings, for a share that is there."""
        private, company = game.state.privates.get(self.private), game.company(self.company)
        if action.private != self.private or private is None or private.closed:
            raise IllegalMove("{private} cannot be exchanged.", self.section, action.private)
        if private.owner != action.by or not is_player(action.by):
            raise IllegalMove("Only the player who owns {private} can exchange it.", self.section, self.private)
        if action.source not in self.sources or not ordinary_certificates(company, action.source):
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
    """The player who got the president's certificate of `company(game)` with a private sets its par price, if that `is_due`;
    `then(game, company)` follows."""

    name: str
    company: Callable[[Game], CompanyId]
    cells: Callable[[Game, CompanyId], list[Position]]
    section: str
    then: Callable[[Game, CompanyId], None] = lambda game, company: None
    is_due: Callable[[Game], bool] = lambda game: True
    verbs: tuple[type[Action], ...] = (Par,)

    def opens(self, game: Game) -> bool:
        return self.is_due(game) and game.company(self.company(game)).par is None

    def options(self, game: Game) -> Iterator[Action]:
        company = self.company(game)
        cells = self.cells(game, company)
        return (Par(game.actor_in_turn, company, game.title.market.price(cell)) for cell in cells)

    def check(self, game: Game, action: Par) -> None:
        prices = [option.price for option in self.options(game) if isinstance(option, Par)]
        if action.company != self.company(game) or action.price not in prices:
            said = ", ".join(map(str, prices))
            raise IllegalMove(
                "{company} must start now; possible par prices: {prices}.", self.section, self.company(game), said
            )

    def apply(self, game: Game, action: Par) -> None:
        company = self.company(game)
        start_company(game, PlayerId(action.by), company, action.price, self.cells(game, company), None)
        self.then(game, company)
