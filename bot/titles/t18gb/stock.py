"""Stock rounds: who may start and buy what, two shares at a time, selling, conversion (18GB, differences from 1830)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import IPO, POOL, CompanyId, Owner, PlayerId, as_company
from bot.engine.message import said
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import (
    certificate_count,
    ordinary,
    president_of,
    shares_of_president,
    smallest,
    takes_presidency,
)
from bot.engine.play.holdings.market import price_of
from bot.engine.play.holdings.trains import for_sale, has_begun
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.play.steps.stock import buy, check_excess, note_deed, round_of, turn_of
from bot.engine.play.steps.trains import BuyTrains
from bot.engine.play.title import allowed, has_options
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, BuyShares, Pass
from bot.engine.state.events import PresidentChanged
from bot.engine.state.state import Company, StockTurnMemory, TurnMemory

from .actions import Convert
from .companies import can_pay_cheapest, convert, fall
from .components import LNWR, LONDON_AND_BIRMINGHAM, MARKET
from .interpretations import readings
from .state import is_small, lnwr_is_kept, special

SECTION = "18GB stock rounds"
CONVERSION = "18GB conversion"
MOST_FROM_IPO = 60
BOUGHT = "bought a share"
"""What a company's turn remembers of its president's purchase after a conversion in need."""


def share_price(game: Game, company: CompanyId, source: Owner) -> int:
    """Every share costs the present price, wherever it lies."""
    return price_of(game, company)


def sale_price(game: Game, company: CompanyId) -> int:
    """Half the price, rounded down, while the company has no train."""
    price = price_of(game, company)
    return price if game.state.trains_of(company) else price // 2


def may_buy(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> None:
    """Refuse what the tiers, the London & Birmingham, a conversion, or a first purchase in this turn forbid."""
    company, turn = game.company(company_id), turn_of(game)
    waits = company_id in special(game).second_tier and game.state.round.number == 1
    if company.par is None and waits and not readings(game).starts_second_tier_at_once:
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
    """On 18xx.games who buys the president's certificate out of the pool has money for all of it; he pays one share."""
    if not readings(game).pays_for_whole_certificate or not takes_presidency(company, player, source):
        return
    price = price_of(game, company.id) * shares_of_president(company)
    if game.state.cash[player] < price:
        word = said(game.title.director_word)
        sentence = "The {director}'s certificate costs {price}, which you do not have."
        raise IllegalMove(sentence, SECTION, word, game.title.money(price))


def check_marriage(game: Game, player: PlayerId, company_id: CompanyId) -> None:
    """Until LNWR is started, the owner of the London & Birmingham buys nothing else, and nobody else starts it."""
    keeper = lnwr_is_kept(game)
    if keeper is None or (keeper == player) == (company_id == LNWR):
        return
    if keeper == player:
        sentence = "The owner of {private} must start LNWR before buying anything else."
        raise IllegalMove(sentence, SECTION, LONDON_AND_BIRMINGHAM)
    sentence = "Only {player}, who owns {private}, may start LNWR."
    raise IllegalMove(sentence, SECTION, game.state.name(keeper), LONDON_AND_BIRMINGHAM)


def may_buy_second(game: Game, player: PlayerId, company_id: CompanyId) -> bool:
    """Whether a second share may be bought in this turn: the same company's, by its president with three shares or more,
    in the green area of the market. He was its president when the turn began and has not converted it: then one share is
    all he buys. Version 1 of the rules asked neither, 18xx.games does not ask whether he has converted."""
    turn = turn_of(game)
    if turn.bought != [company_id] or not may_add(game, player, company_id):
        return False
    now = readings(game)
    was_president = company_id not in turn.taken_over or now.new_presidents_buy_twice
    return was_president and (not turn.changed or now.converters_buy_twice)


def may_add(game: Game, player: PlayerId, company_id: CompanyId) -> bool:
    """Whether a player who has bought a share in his turn may add one: in the green area, with three shares or more."""
    company = game.company(company_id)
    return (
        president_of(company) == player
        and company.position is not None
        and MARKET.in_zone(company.position, "b")
        and company.held_by(player) > 2 * smallest(company)
    )


def goes_on(game: Game) -> bool:
    """Whether something can be bought after a first purchase or a conversion in this turn."""
    player, turn = game.player_in_turn, turn_of(game)
    if len(turn.bought) > 1 or (turn.bought and turn.changed and turn.bought != turn.changed):
        return False
    company_id = (turn.bought or turn.changed)[0]
    if turn.bought and not may_buy_second(game, player, company_id):
        return False
    if readings(game).asks_whoever_has_money:
        return could_pay(game, player, *([company_id] if turn.bought else ()))
    return any(can_buy(game, player, company_id, source) for source in (IPO, POOL))


def could_pay(game: Game, player: PlayerId, *asked: CompanyId) -> bool:
    """Whether 18xx.games asks a player since he has the money for some share of one of these companies, or of any at all,
    whether he may buy it or not. Of a president's certificate that lies alone in the pool the whole price counts, and one
    share must be held; not whether there is room for it."""
    sold = round_of(game).sold.get(player, []) if game.state.round.kind == "stock" else []
    companies = [game.company(one) for one in asked] or list(game.state.companies.values())
    return any(
        _could_pay(game, player, company, source)
        for company in companies
        if company.position is not None and company.id not in sold
        for source in (IPO, POOL)
    )


def _could_pay(game: Game, player: PlayerId, company: Company, source: Owner) -> bool:
    if ordinary(company, source):
        return has_means(game, player, company.id, source)
    if not takes_presidency(company, player, source) or company.count_of(player) != 1:
        return False
    whole = price_of(game, company.id) * shares_of_president(company)
    return game.state.cash[player] >= whole


def has_means(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> bool:
    """Whether there is a share, and the player has the money and the room for it: enough for 18xx.games to ask."""
    return (
        game.company(company_id).held_by(source) > 0
        and game.state.cash[player] >= price_of(game, company_id)
        and certificate_count(game, player) < game.title.rules.certificate_limit(game, player)
    )


def can_buy(game: Game, player: PlayerId, company_id: CompanyId, source: Owner) -> bool:
    """Whether the player may and can buy a share there."""
    company = game.company(company_id)
    keeper = lnwr_is_kept(game)
    return (
        bool(ordinary(company, source))
        and has_means(game, player, company_id, source)
        and (source == POOL or company.held_by(player) + smallest(company) <= MOST_FROM_IPO)
        and not (keeper == player and company_id != LNWR)
    )


def may_sell(game: Game, company_id: CompanyId) -> None:
    """Refuse a sale in the first stock round, after buying or converting, and a second sale of a company in a turn."""
    turn = turn_of(game)
    if game.state.round.number == 1 and not readings(game).sells_in_first_round:
        raise IllegalMove("Shares cannot be sold in the first stock round.", SECTION)
    if turn.bought or turn.changed:
        raise IllegalMove("Sell shares before buying or converting.", SECTION)
    if company_id in turn.sold:
        raise IllegalMove("All shares of {company} sold in one turn must be sold together.", SECTION, company_id)


def after_sale(game: Game, company_id: CompanyId, percent: int) -> None:
    """One space to the left a share; in the gray phase only when the president sells."""
    seller = game.player_in_turn
    company = game.company(company_id)
    if not game.state.trains_of(company_id):
        game.tell("{company} has no train: its shares sell for half their price.", company_id)
    was_president = president_of(company) == seller or any(
        isinstance(event, PresidentChanged) and event.company == company_id for event in game.events
    )
    if was_president or not has_begun(game, "6X"):
        fall(game, company_id, percent // smallest(company))


# -- conversion ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ConvertInStockRound:
    """Instead of selling and buying, the president of a 5-share company that has operated turns it into a 10-share one."""

    name: str = "convert a company"
    verbs: tuple[type[Action], ...] = (Convert,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        """Every company that can be converted."""
        player = game.in_turn
        for company in game.state.companies:
            yield from allowed(self, game, [Convert(player, company)])

    def check(self, game: Game, action: Convert) -> None:
        """Only one's own 5-share company that has operated, and as the first thing in a turn."""
        company = game.state.companies.get(action.company)
        turn = game.frame.memory
        if company is None or president_of(company) != game.frame.entity:
            raise IllegalMove(
                "You are not {director} of {company}.", CONVERSION, said(game.title.director_word), action.company
            )
        check_small(game, action.company)
        if not company.operated:
            raise IllegalMove("{company} has not operated yet.", CONVERSION, company.id)
        if not isinstance(turn, StockTurnMemory) or turn.sold or turn.bought or turn.changed:
            raise IllegalMove("You may convert a company only instead of selling and buying.", CONVERSION)
        if readings(game).sells_excess_first:
            check_excess(game)

    def apply(self, game: Game, action: Convert) -> None:
        """Two spaces down; the president may buy a share afterwards."""
        player = game.player_in_turn
        turn_of(game).changed.append(action.company)
        note_deed(game, player)
        convert(game, action.company, 2)


def check_small(game: Game, company: CompanyId) -> None:
    """Refuse to convert a company with ten shares."""
    if not is_small(game, company):
        raise IllegalMove("{company} has ten shares already.", CONVERSION, company)


@dataclass(frozen=True)
class ConvertInNeed:
    """A trainless 5-share company that cannot pay for any train converts: three spaces down."""

    name: str = "convert to raise money"
    verbs: tuple[type[Action], ...] = (Convert,)

    def opens(self, game: Game) -> bool:
        """While the company buys trains and has none."""
        return may_convert_in_need(game)

    def options(self, game: Game) -> Iterator[Action]:
        if may_convert_in_need(game):
            yield Convert(game.in_turn, game.company_in_turn)

    def check(self, game: Game, action: Convert) -> None:
        """Only itself, only without a train, only where no train can be paid."""
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
    """Whether the company in turn is at its trains, has five shares, no train, and too little for the cheapest one."""
    is_buying = isinstance(game.frame.memory, TurnMemory) and isinstance(game.step, BuyTrains)
    return is_buying and can_convert_in_need(game, game.company_in_turn)


def can_convert_in_need(game: Game, company: CompanyId) -> bool:
    """Five shares, no train, and too little for the cheapest one that the bank sells."""
    return (
        is_small(game, company)
        and not game.state.trains_of(company)
        and bool(for_sale(game))
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
    """The president of a company that converted in need buys one share of it, or not.

    By 18xx.games he buys two in the green area, and is asked as soon as he could pay for any share at all.
    """

    name: str = "buy a share after the conversion"
    verbs: tuple[type[Action], ...] = (BuyShares, Pass)

    def opens(self, game: Game) -> bool:
        """While there is a share that he can buy."""
        if readings(game).asks_whoever_has_money:
            return self._is_asked_there(game, game.player_in_turn)
        return any(isinstance(option, BuyShares) for option in self.options(game))

    def _is_asked_there(self, game: Game, player: PlayerId) -> bool:
        company = game.company(converted_company(game))
        if BOUGHT in operating_turn(game).used:
            return may_add(game, player, company.id) and could_pay(game, player, company.id)
        return could_pay(game, player)

    def options(self, game: Game) -> Iterator[Action]:
        """A share of the IPO or the pool."""
        player = game.player_in_turn
        company = converted_company(game)
        yield Pass(player)
        for source in (IPO, POOL):
            if can_buy(game, player, company, source):
                yield BuyShares(player, company, source)

    def check(self, game: Game, action: BuyShares | Pass) -> None:
        """Only that company, one share, within the limits."""
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
        """One share, and the turn goes on."""
        if isinstance(action, Pass):
            game.passed(action)
            return
        buy(game, PlayerId(action.by), action.company, action.source, price_of(game, action.company))
        is_first = BOUGHT not in operating_turn(game).used
        operating_turn(game).used.append(BOUGHT)
        if not (is_first and readings(game).buys_two_after_conversion):
            game.next_step()


def converted_company(game: Game) -> CompanyId:
    """The company whose turn lies below."""
    return as_company(game.state.flow[-2].entity or "")
