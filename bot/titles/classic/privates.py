"""Privates: what comes with them, hexes that they block, what they pay, when they close, exchanges, lays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.engine import (
    CompanyId,
    HexId,
    IllegalMove,
    Owner,
    PlayerId,
    PrivateId,
    SeededRandom,
    TileId,
    TokenSections,
    TrackSections,
    as_company,
    as_private,
    is_permitted,
    is_player,
    same_ref,
)
from bot.engine.play import Game, Step
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import (
    BuyPrivateFromPlayer,
    BuyPrivates,
    ExchangeForShare,
    LaySecondTile,
    LayTileAbility,
    LayTrack,
    PlaceTokens,
    SetParPrice,
    Waterfall,
    close_private,
    count_lay,
    default_par_cells,
    give_share,
    owning_company,
    printed_cost,
)
from bot.engine.state import (
    LayTile,
    PlaceToken,
    PresidentChanged,
    Private,
    PrivateBought,
    StockTurnMemory,
    TileLaid,
    TrainBought,
    TurnMemory,
)

from .family import Classic, classic
from .powers import Discount, ExchangeFor, Income, Lay, LayBy, LayPair, Presidency, RouteBonus, Share
from .stock import check_excess, float_if_sold, is_unlimited
from .tiles_of_turn import check_tile_of_turn


def build_auction(values: Classic) -> Waterfall:
    return Waterfall(
        values.raises_by,
        values.section,
        give_what_it_brings,
        values.all_passed,
        bids_in=values.bids_in,
        binds_highest=values.binds_highest,
    )


def give_what_it_brings(game: Game, private: Private) -> None:
    """Shares come at once; the buyer of a president's certificate sets the company's price immediately."""
    player = PlayerId(private.owner or Owner(""))
    for power in classic(game).powers.get(private.id, ()):
        if isinstance(power, Share):
            give_share(game, player, as_company(power.company))
        if isinstance(power, Presidency):
            game.push("first price", player)


def company_brought(game: Game, power: Presidency) -> CompanyId:
    """The company whose president's certificate comes with the private."""
    companies = list(game.title.companies)
    drawn = companies[SeededRandom(game.state.seed).random_bits() % len(companies)]
    return as_company(power.company) if power.company else drawn


def build_first_prices(values: Classic) -> list[SetParPrice]:
    return [
        SetParPrice(
            power.decision,
            partial(company_brought, power=power),
            default_par_cells,
            values.section,
            is_due=partial(has_bought, private=sign),
        )
        for sign, power in values.privates_with(Presidency)
    ]


def has_bought(game: Game, private: PrivateId) -> bool:
    """Whether the private is that of the player who is asked: a box may have several that bring a presidency."""
    record = game.state.privates.get(private)
    return record is not None and record.owner == game.frame.entity


def income_of(game: Game, private: PrivateId) -> int:
    """The printed income, or one that came with a later phase."""
    grown = [power for power in classic(game).powers.get(private, ()) if isinstance(power, Income)]
    amounts = [power.amount for power in grown if has_phase_begun(game, power.phase)]
    return (amounts or [game.title.privates[private].income])[-1]


def close_on_train(game: Game, event: TrainBought) -> None:
    """A private that brought a presidency closes with the company's first train."""
    for sign, power in classic(game).privates_with(Presidency):
        if event.company == company_brought(game, power):
            close_private(game, game.private(sign))


def check_kept(game: Game, hex_id: HexId) -> None:
    """Refuse building on the hex of a private owned by a player."""
    for sign in game.board_rules.map.hexes[hex_id].privates:
        private = game.state.privates.get(as_private(sign))
        if private and private.owner is not None and is_player(private.owner) and not private.closed:
            sentence = "{hex} is blocked by {private} while a player owns it."
            raise IllegalMove(sentence, classic(game).section, hex_id, private.id)


def check_buy_privates(game: Game, company: CompanyId) -> None:
    """Until the privates close."""
    begins, ends = classic(game).sold_in
    if not has_phase_begun(game, begins) or has_phase_begun(game, ends):
        sentence = "Companies buy privates once the first {begins}-train has been bought."
        raise IllegalMove(sentence, classic(game).section, begins)


def can_buy(game: Game, company: CompanyId, private: Private) -> bool:
    """Whether the company could buy the private of a player now, for the least price."""
    span = game.title.privates[private.id].price_range
    if span is None or private.owner is None or not is_player(private.owner):
        return False
    return span[0] <= game.state.cash[company] and is_permitted(check_buy_privates, game, company)


def build_private_purchases(values: Classic) -> BuyPrivates:
    return BuyPrivates(check_buy_privates, values.section, from_anyone=lambda game: True)


def check_trade(game: Game, private: PrivateId) -> None:
    """Refuse a sale to another player before the value says so, of a private that is kept, and by a player above a limit,
    who sells shares first.
    """
    values = classic(game)
    if game.title.privates[private].price_range is None or private in values.not_traded(game):
        raise IllegalMove("{private} is not sold.", values.section, private)
    first = values.trades_from or 1
    if game.state.round.number < first:
        if first == 2:
            raise IllegalMove("Privates can be traded only after the first stock round.", values.section)
        raise IllegalMove("Privates can be traded from stock round {number} on.", values.section, first)
    check_excess(game, game.player_in_turn)


def build_trades(values: Classic) -> tuple[Step, ...]:
    return () if values.trades_from is None else (BuyPrivateFromPlayer(check_trade, values.section),)


def build_exchanges(values: Classic) -> list[ExchangeForShare]:
    return [
        ExchangeForShare(sign, as_company(power.company), values.section, is_unlimited, float_if_sold, power.sources)
        for sign, power in values.privates_with(ExchangeFor)
    ]


# -- bonuses of routes --------------------------------------------------------------------------------------


def end_route_bonus(game: Game, event: PresidentChanged) -> None:
    """A reaction: another president of a company ends bonuses that are for one president."""
    for private, power in _kept_bonuses(game, event.company):
        if power.for_one_president:
            private.ability_used = True
            game.board_changed()
            game.log("{company} loses the bonus {name}.", event.company, power.name)


def route_bonuses(game: Game, company: CompanyId) -> list[RouteBonus]:
    """The bonuses that the company's routes earn now."""
    kept = _kept_bonuses(game, company)
    return [power for _, power in kept if not power.until or not has_phase_begun(game, power.until)]


def _kept_bonuses(game: Game, company: CompanyId) -> Iterator[tuple[Private, RouteBonus]]:
    """The bonuses that the company has not lost, each with its private."""
    for sign, power in classic(game).privates_with(RouteBonus):
        private = game.state.privates.get(sign)
        if private is not None and private.owner == company and not private.ability_used:
            yield private, power


# -- lays that need not be reached ------------------------------------------------------------------------


def build_lays(values: Classic, *by: LayBy) -> list[LayTileAbility]:
    return [_build_lay(values, sign, power) for sign, power in values.privates_with(Lay) if power.by in by]


def _build_lay(values: Classic, private: PrivateId, power: Lay) -> LayTileAbility:
    users = {LayBy.PLAYER: player_with_a_lay, LayBy.SELLER: lambda game, private: game.frame.entity}
    is_tile_of_turn = power.by is LayBy.COMPANY_AS_ITS_TILE

    def check_lay(game: Game, action: LayTile) -> None:
        """Refuse the lay when the turn's tile may not be laid, if it counts as that tile."""
        is_in_track = isinstance(game.step, LayTrack)
        if is_tile_of_turn and not (is_in_track and is_permitted(check_tile_of_turn, game, action)):
            sentence = "{private}'s tile is the company's tile for this turn; lay it in the track step."
            raise IllegalMove(sentence, values.section, private)
        if power.by is LayBy.COMPANY_WITH_ITS_TRACK and not is_in_track:
            raise IllegalMove("{private}'s tile is laid in the track step.", values.section, private)

    def follow_up(game: Game, action: LayTile) -> None:
        if is_tile_of_turn:
            count_lay(game, action)
        if power.token is not None:
            game.push(power.token.plan, action.by)

    return LayTileAbility(
        private,
        tuple(map(HexId, power.hexes.split())),
        frozenset(map(TileId, power.tiles.split())),
        same_ref(TrackSections, values.section),
        (lambda game, action: 0) if power.is_free else printed_cost,
        users.get(power.by, owning_company),
        check_lay,
        follow_up,
    )


def player_with_a_lay(game: Game, private: Private) -> Owner | None:
    """The player who owns the private: in a stock round, and in a company's track step, before it has acted or while it
    is their own.
    """
    if private.owner is None or not is_player(private.owner):
        return None
    if isinstance(game.frame.memory, StockTurnMemory):
        return private.owner
    return private.owner if isinstance(game.frame.memory, TurnMemory) and isinstance(game.step, LayTrack) else None


def offer_lay_to_seller(game: Game, event: PrivateBought) -> None:
    """A reaction: a player who has sold a private to a company lays its tile at once."""
    for sign, power in classic(game).privates_with(Lay):
        if sign == event.private and power.by is LayBy.SELLER and event.by in game.state.companies:
            game.push("seller-lay", event.seller)


def discount_of(game: Game, company: Owner, hex_id: HexId) -> int:
    """The sum that the company's privates take off the cost of the hex."""
    terrains = game.board_rules.map.hexes[hex_id].terrains
    owned = [private.id for private in game.state.privates_of(company)]
    discounts = classic(game).privates_with(Discount)
    return sum(power.amount for sign, power in discounts if sign in owned and terrains == (power.terrain,))


def cost_of_lay(game: Game, action: LayTile) -> int:
    """The printed cost, less what the company's privates take off a hex that is bare."""
    cost = printed_cost(game, action)
    if not cost or action.hex in game.state.board.tiles:
        return cost
    return max(0, cost - discount_of(game, action.by, action.hex))


def build_pairs(values: Classic) -> list[tuple[LayTileAbility, LaySecondTile, str]]:
    """The lays of two joined tiles: the first, the second, and the plan of the second."""
    sections, found = same_ref(TrackSections, values.section), []
    for sign, power in values.privates_with(LayPair):
        hexes, tiles = tuple(map(HexId, power.hexes.split())), frozenset(map(TileId, power.tiles.split()))
        second = LaySecondTile(sign, hexes, tiles, sections)
        check, begin = partial(check_pair, second=second), partial(begin_second, plan=power.plan)
        first = LayTileAbility(sign, hexes, tiles, sections, printed_cost, owning_company, check, begin)
        found.append((first, second, power.plan))
    return found


def check_pair(game: Game, action: LayTile, second: LaySecondTile) -> None:
    """Refuse the first tile outside the track step, and a tile that no second tile could join."""
    if not isinstance(game.step, LayTrack):
        sentence = "{private}'s tiles are laid in the track step."
        raise IllegalMove(sentence, classic(game).section, second.private)
    second.check_can_follow(game, action)


def begin_second(game: Game, action: LayTile, plan: str) -> None:
    game.push(plan, action.by)


def end_pair(game: Game, event: TileLaid) -> None:
    """A reaction: any tile on one of its hexes ends a private's lay of two tiles."""
    for sign, power in classic(game).privates_with(LayPair):
        if event.hex in power.hexes.split():
            game.private(sign).ability_used = True


# -- the token after a lay ----------------------------------------------------------------------------------


def build_token_step(values: Classic, power: Lay, decision: str) -> PlaceTokens:
    """A token on the hex of the lay, free of charge, and only there."""
    hex_id = HexId(power.hexes)

    def price(game: Game, action: PlaceToken) -> int:
        if action.hex != hex_id:
            raise IllegalMove("The token must be placed on {hex} now or not at all.", values.section, hex_id)
        return 0

    def places(game: Game, company: CompanyId) -> Iterator[PlaceToken]:
        yield PlaceToken(company, hex_id)

    return PlaceTokens(same_ref(TokenSections, values.section), decision, price=price, more=places)
