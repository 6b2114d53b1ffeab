"""Stock rounds: who may start and buy what, two shares at a time, selling, conversion (18GB, differences from 1830)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import IPO, POOL, CompanyId, IllegalMove, Owner, PlayerId, as_company, msg
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import (
    certificate_count,
    has_phase_begun,
    ordinary_certificates,
    president_of,
    price_of,
    share_unit,
    shares_of_president,
    trains_for_sale,
    would_take_presidency,
)
from bot.engine.play.steps import (
    BuyTrains,
    check_excess,
    current_stock_round,
    current_stock_turn,
    operating_turn,
    record_action,
)
from bot.engine.play.steps.stock import buy
from bot.engine.state import Action, BuyShares, Company, Pass, PresidentChanged, StockTurnMemory, TurnMemory

from .actions import Convert
from .companies import can_pay_cheapest, convert, drop_price
from .components import LNWR, LONDON_AND_BIRMINGHAM, MARKET
from .interpretations import interpretation_flags
from .state import is_small, lnwr_keeper, title_state

SECTION = "18GB stock rounds"
CONVERSION = "18GB conversion"
MOST_FROM_IPO = 60
BOUGHT = "bought a share"
"""The note in a company's turn of its president's purchase after a conversion in need."""


def share_price(game: Game, company: CompanyId, source: Owner) -> int:
    """Every share costs the current price, from any owner."""
    return price_of(game, company)


def sale_price(game: Game, company: CompanyId) -> int:
    """Half the price, rounded down, while the company has no train."""
    price = price_of(game, company)
    return price if game.state.trains_of(company) else price // 2


def check_buy(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> None:
    """Refuse purchases forbidden by the tiers, the London & Birmingham, a conversion, or a first purchase in this
    turn.
    """
    company, turn = game.company(company_id), current_stock_turn(game)
    waits = company_id in title_state(game).second_tier and game.state.round.number == 1
    if company.par is None and waits and not interpretation_flags(game).starts_second_tier_at_once:
        raise IllegalMove("{company} can be started from the second stock round on.", SECTION, company_id)
    check_marriage(game, player, company_id)
    if turn.changed and company_id not in turn.changed:
        sentence = "After converting {company} you may only buy a share of {same}."
        raise IllegalMove(sentence, CONVERSION, turn.changed[0], turn.changed[0])
    if turn.bought and not may_buy_second(game, player, company_id):
        raise IllegalMove(
            "In the green area you may buy a second share only if you were already president before the first.", SECTION
        )
    check_whole_certificate(game, player, company, source)


def check_whole_certificate(game: Game, player: PlayerId, company: Company, source: Owner) -> None:
    """On 18xx.games a buyer of the president's certificate from the pool needs money for all of it, but pays for one
    share.
    """
    if not interpretation_flags(game).pays_for_whole_certificate or not would_take_presidency(company, player, source):
        return
    price = price_of(game, company.id) * shares_of_president(company)
    if game.state.cash[player] < price:
        word = msg(game.title.director_word)
        raise IllegalMove(
            "The {director}'s certificate costs {price}, which you do not have.", SECTION, word, game.title.money(price)
        )


def check_marriage(game: Game, player: PlayerId, company_id: CompanyId) -> None:
    """Until LNWR is started, the owner of the London & Birmingham buys nothing else, and no other player starts it."""
    keeper = lnwr_keeper(game)
    if keeper is None or (keeper == player) == (company_id == LNWR):
        return
    if keeper == player:
        sentence = "The owner of {private} must start LNWR before buying anything else."
        raise IllegalMove(sentence, SECTION, LONDON_AND_BIRMINGHAM)
    sentence = "Only {player}, who owns {private}, may start LNWR."
    raise IllegalMove(sentence, SECTION, game.state.name(keeper), LONDON_AND_BIRMINGHAM)


def may_buy_second(game: Game, player: PlayerId, company_id: CompanyId) -> bool:
    """Whether a second share may be bought in this turn: the same company's, by its president with three shares or
    more, in the green area of the market. If the buyer became its president in this turn or has converted it, a
    single share is the limit. Version 1 of the rules ignored both, 18xx.games ignores conversion.
    """
    turn = current_stock_turn(game)
    if turn.bought != [company_id] or not may_add(game, player, company_id):
        return False
    now = interpretation_flags(game)
    was_president = company_id not in turn.taken_over or now.new_presidents_buy_twice
    return was_president and (not turn.changed or now.converters_buy_twice)


def may_add(game: Game, player: PlayerId, company_id: CompanyId) -> bool:
    """Whether a player who has bought a share in this turn may buy another: in the green area, with three shares or
    more.
    """
    company = game.company(company_id)
    return (
        president_of(company) == player
        and company.position is not None
        and MARKET.is_in_zone(company.position, "b")
        and company.percent_held_by(player) > 2 * share_unit(company)
    )


def can_continue(game: Game) -> bool:
    """Whether something can be bought after a first purchase or a conversion in this turn."""
    player, turn = game.player_in_turn, current_stock_turn(game)
    if len(turn.bought) > 1 or (turn.bought and turn.changed and turn.bought != turn.changed):
        return False
    company_id = (turn.bought or turn.changed)[0]
    if turn.bought and not may_buy_second(game, player, company_id):
        return False
    if interpretation_flags(game).asks_whoever_has_money:
        return could_pay(game, player, *([company_id] if turn.bought else ()))
    return any(can_buy(game, player, company_id, source) for source in (IPO, POOL))


def could_pay(game: Game, player: PlayerId, *asked: CompanyId) -> bool:
    """Whether 18xx.games asks a player because they have the money for a share of one of these companies, or of any
    company, legal or not. For a president's certificate that is the only certificate in the pool the whole price
    counts, and one share must be held; room for it does not count.
    """
    sold = current_stock_round(game).sold.get(player, []) if game.state.round.kind == "stock" else []
    companies = [game.company(one) for one in asked] or list(game.state.companies.values())
    return any(
        _could_pay(game, player, company, source)
        for company in companies
        if company.position is not None and company.id not in sold
        for source in (IPO, POOL)
    )


def _could_pay(game: Game, player: PlayerId, company: Company, source: Owner) -> bool:
    if ordinary_certificates(company, source):
        return has_means(game, player, company.id, source)
    if not would_take_presidency(company, player, source) or company.count_of(player) != 1:
        return False
    whole = price_of(game, company.id) * shares_of_president(company)
    return game.state.cash[player] >= whole


def has_means(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> bool:
    """Whether there is a share, and the player has the money and the room for it: enough for 18xx.games to ask."""
    return (
        game.company(company_id).percent_held_by(source) > 0
        and game.state.cash[player] >= price_of(game, company_id)
        and certificate_count(game, player) < game.title.rules.certificate_limit(game, player)
    )


def can_buy(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> bool:
    company = game.company(company_id)
    keeper = lnwr_keeper(game)
    return (
        bool(ordinary_certificates(company, source))
        and has_means(game, player, company_id, source)
        and (source == POOL or company.percent_held_by(player) + share_unit(company) <= MOST_FROM_IPO)
        and not (keeper == player and company_id != LNWR)
    )


def check_sell(game: Game, company_id: CompanyId) -> None:
    """Refuse a sale in the first stock round, after buying or converting, and a second sale of a company in a turn."""
    turn = current_stock_turn(game)
    if game.state.round.number == 1 and not interpretation_flags(game).sells_in_first_round:
        raise IllegalMove("Shares cannot be sold in the first stock round.", SECTION)
    if turn.bought or turn.changed:
        raise IllegalMove("Sell shares before buying or converting.", SECTION)
    if company_id in turn.sold:
        raise IllegalMove("All shares of {company} sold in one turn must be sold together.", SECTION, company_id)


def lower_price_after_sale(game: Game, company_id: CompanyId, percent: int) -> None:
    """One space to the left for each share; in the gray phase only when the president sells."""
    seller = game.player_in_turn
    company = game.company(company_id)
    if not game.state.trains_of(company_id):
        game.log("{company} has no train: its shares sell for half their price.", company_id)
    was_president = president_of(company) == seller or any(
        isinstance(event, PresidentChanged) and event.company == company_id for event in game.events
    )
    if was_president or not has_phase_begun(game, "6X"):
        drop_price(game, company_id, percent // share_unit(company))


# -- conversion ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ConvertInStockRound:
    """The president of a 5-share company that has operated converts it to ten shares, instead of selling and buying."""

    name: str = "convert a company"
    verbs: tuple[type[Action], ...] = (Convert,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        player = game.actor_in_turn
        for company in game.state.companies:
            yield from filter_allowed(self, game, [Convert(player, company)])

    def check(self, game: Game, action: Convert) -> None:
        """Only the president's own 5-share company that has operated, and as the first action in a turn."""
        company = game.state.companies.get(action.company)
        turn = game.frame.memory
        if company is None or president_of(company) != game.frame.entity:
            raise IllegalMove(
                "You are not {director} of {company}.", CONVERSION, msg(game.title.director_word), action.company
            )
        check_small(game, action.company)
        if not company.operated:
            raise IllegalMove("{company} has not operated yet.", CONVERSION, company.id)
        if not isinstance(turn, StockTurnMemory) or turn.sold or turn.bought or turn.changed:
            raise IllegalMove("You may convert a company only instead of selling and buying.", CONVERSION)
        if interpretation_flags(game).sells_excess_first:
            check_excess(game)

    def apply(self, game: Game, action: Convert) -> None:
        """Two spaces down; the president may buy a share afterwards."""
        player = game.player_in_turn
        current_stock_turn(game).changed.append(action.company)
        record_action(game, player)
        convert(game, action.company, 2)


def check_small(game: Game, company: CompanyId) -> None:
    if not is_small(game, company):
        raise IllegalMove("{company} has ten shares already.", CONVERSION, company)


@dataclass(frozen=True)
class ConvertInNeed:
    """A trainless 5-share company that cannot pay for any train converts: three spaces down."""

    name: str = "convert to raise money"
    verbs: tuple[type[Action], ...] = (Convert,)

    def opens(self, game: Game) -> bool:
        return may_convert_in_need(game)

    def options(self, game: Game) -> Iterator[Action]:
        if may_convert_in_need(game):
            yield Convert(game.actor_in_turn, game.company_in_turn)

    def check(self, game: Game, action: Convert) -> None:
        company = game.company_in_turn
        if action.company != company:
            raise IllegalMove("It is {company}'s turn, not {other}'s.", CONVERSION, company, action.company)
        check_small(game, company)
        if game.state.trains_of(company):
            raise IllegalMove("{company} has a train; it converts in a stock round only.", CONVERSION, company)
        if not may_convert_in_need(game):
            raise IllegalMove(
                "{company} can convert only when it buys trains and can pay for none.", CONVERSION, company
            )

    def apply(self, game: Game, action: Convert) -> None:
        """Five times the new price; the president is offered a share when the trains have been bought."""
        convert(game, action.company, 3)
        operating_turn(game).used.append("converted")


def may_convert_in_need(game: Game) -> bool:
    """As `can_convert_in_need`, while the company in turn is buying trains."""
    is_buying = isinstance(game.frame.memory, TurnMemory) and isinstance(game.step, BuyTrains)
    return is_buying and can_convert_in_need(game, game.company_in_turn)


def can_convert_in_need(game: Game, company: CompanyId) -> bool:
    """Five shares, no train, and too little for the cheapest train of the bank."""
    return (
        is_small(game, company)
        and not game.state.trains_of(company)
        and bool(trains_for_sale(game))
        and not can_pay_cheapest(game, company)
    )


def offer_share(game: Game) -> None:
    """After a conversion in need the president may buy a share, once the trains have been bought."""
    company_id = game.company_in_turn
    president = president_of(game.company(company_id))
    if "converted" in operating_turn(game).used and president is not None:
        game.push("share after conversion", president)


@dataclass(frozen=True)
class BuyConverted:
    """The president of a company that converted in need may buy one share of it.

    On 18xx.games the president buys two in the green area, and is asked if able to pay for any share at all.
    """

    name: str = "buy a share after the conversion"
    verbs: tuple[type[Action], ...] = (BuyShares, Pass)

    def opens(self, game: Game) -> bool:
        if interpretation_flags(game).asks_whoever_has_money:
            return self._is_asked_by_peer(game, game.player_in_turn)
        return any(isinstance(option, BuyShares) for option in self.options(game))

    def _is_asked_by_peer(self, game: Game, player: PlayerId) -> bool:
        company = game.company(converted_company(game))
        if BOUGHT in operating_turn(game).used:
            return may_add(game, player, company.id) and could_pay(game, player, company.id)
        return could_pay(game, player)

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        company = converted_company(game)
        yield Pass(player)
        for source in (IPO, POOL):
            if can_buy(game, player, company, source):
                yield BuyShares(player, company, source)

    def check(self, game: Game, action: BuyShares | Pass) -> None:
        if isinstance(action, Pass):
            return
        company = converted_company(game)
        if action.company != company:
            raise IllegalMove("Only a share of {company} can be bought now.", CONVERSION, company)
        if action.shares != 1 or not can_buy(game, PlayerId(action.by), company, action.source):
            raise IllegalMove(
                "You cannot buy that share of {company}: no share, no money or no room.", CONVERSION, company
            )

    def apply(self, game: Game, action: BuyShares | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        buy(game, PlayerId(action.by), action.company, action.source, price_of(game, action.company))
        is_first = BOUGHT not in operating_turn(game).used
        operating_turn(game).used.append(BOUGHT)
        if not (is_first and interpretation_flags(game).buys_two_after_conversion):
            game.next_step()


def converted_company(game: Game) -> CompanyId:
    """The company whose turn is below on the flow stack."""
    return as_company(game.state.flow[-2].entity or "")
