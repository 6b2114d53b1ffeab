"""Rounds of 1848: set-up, stock rounds, sets of operating rounds, the end of the game (1848 §2, §7, §12, §13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine.data.events import (
    CompanyFloated,
    Event,
    GameEndTriggered,
    PhaseBegan,
    PrivateClosed,
    RoundBegan,
    TileLaid,
    TokenPlaced,
    TrainBought,
    TurnBegan,
)
from bot.engine.data.state import (
    AuctionMemory,
    Certificate,
    Company,
    Private,
    Round,
    StockRoundMemory,
    Train,
    TurnMemory,
)
from bot.engine.holdings.market import Position, in_order, move, price_of, up
from bot.engine.holdings.money import deal_out, pay
from bot.engine.holdings.trains import has_begun
from bot.engine.ids import BANK, DEPOT, IPO, CompanyId, Owner, PlayerId, TrainId, is_player
from bot.engine.refusals import NotAllowed
from bot.engine.steps.dividends import operating_turn
from bot.engine.steps.rounds import begin_next_of_set, end_game, is_in_turn, operating_round
from bot.engine.steps.stock import round_of, turn_of
from bot.engine.steps.trains import ask_for_excess

from .bank_of_england import move_left, set_up_bank
from .box.nouns import (
    ADELAIDE,
    BANK_CASH,
    BANK_OF_ENGLAND,
    BANK_OF_ENGLAND_CASH,
    CENTRAL_AUSTRALIAN,
    COMMONWEALTH,
    COMPANIES,
    MARKET,
    NORTH_AUSTRALIAN,
    PRIVATES,
    STARTING_CASH,
    SYDNEY,
    TRAIN_CARDS,
    UNLIMITED_DIESELS,
)
from .box.readings import readings
from .privates import close_privates
from .special import special

if TYPE_CHECKING:
    from bot.engine.play.game import Game

BANK_BROKEN = "the bank has run out of money"
TOP_PRICE = "a share price has reached the top of the chart"
SIXTEEN_LOANS = "the Bank of England has given 16 loans"
FIVE_RECEIVERSHIPS = "five companies are in receivership"


class CitiesLinked(Event, frozen=True, tag=True):
    """A train of infinite range could now run from Sydney to Adelaide."""


# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    """Money, companies, privates, trains, reservations, and the auction (§2, §3)."""
    state = game.state
    deal_out(game, BANK_CASH, STARTING_CASH[len(state.players)])
    for noun in COMPANIES.values():
        certificates = [Certificate(percent, IPO) for percent in noun.certificates]
        state.companies[noun.id] = Company(noun.id, certificates, list(noun.tokens), has_president=noun.has_president)
        state.cash[noun.id] = 0
    state.cash[BANK_OF_ENGLAND] = BANK_OF_ENGLAND_CASH
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in PRIVATES.values()}
    for family, number in TRAIN_CARDS.items():
        count = UNLIMITED_DIESELS if family == "8" and readings(game).has_endless_diesels else number
        state.trains += [Train(TrainId(f"{family}-{index}"), family, family, DEPOT) for index in range(count)]
    set_up_bank(game)
    for noun in COMPANIES.values():
        if noun.kind == "railway" and noun.id != COMMONWEALTH:
            state.board.reserve(noun.home[0], 0, noun.id)
    state.round = Round("auction")
    game.push("game")


def begin_auction(game: Game) -> None:
    """The first player begins (§3.1.1)."""
    game.push("auction", game.state.order[0], AuctionMemory())


# -- stock rounds -------------------------------------------------------------------------------------


def begin_stock_round(game: Game) -> None:
    """The holder of the priority card begins, the others follow clockwise (§12.7)."""
    state = game.state
    number = state.round.number + 1 if state.round.kind == "operating" else 1
    state.round = Round("stock", number)
    start = state.order.index(state.priority)
    state.order = state.order[start:] + state.order[:start]
    game.happened(RoundBegan("stock", number, 1, 1))
    game.push("stock round", None, StockRoundMemory())


def end_stock_round(game: Game) -> None:
    """Sold-out companies rise; the player after the last to act gets the priority card (§12.6, §12.7)."""
    state = game.state
    sold_out = [
        company.id
        for company in state.companies.values()
        if company.position is not None
        and company.id != BANK_OF_ENGLAND
        and all(is_player(certificate.owner) for certificate in company.certificates)
    ]
    for company_id in in_order(game, sold_out):
        move(game, company_id, up(MARKET, state.companies[company_id].position or (0, 0)))
    last = round_of(game).last_to_act
    if last is not None:
        state.priority = state.order[(state.order.index(last) + 1) % len(state.order)]


def par_cells(game: Game, company: CompanyId) -> list[Position]:
    """The four starting prices; CAR starts by its private alone, at 100 (§5.2.1)."""
    if company in (BANK_OF_ENGLAND, CENTRAL_AUSTRALIAN):
        return []
    return MARKET.cells_in("p")


def may_sell(game: Game, company: CompanyId) -> None:
    """No sales of railways in the first stock round (§5.1.6); of the Bank of England at any time (§12.4.2)."""
    if company == BANK_OF_ENGLAND:
        return
    if game.state.round.number == 1:
        raise NotAllowed("No shares of railways are sold in the first stock round.", "1848 §5.1.6")
    if company in turn_of(game).sold and readings(game).sells_a_company_once_a_turn:
        raise NotAllowed(f"All shares of {company} to be sold in a turn are sold at once.", "18xx.games")


def share_price(game: Game, company: CompanyId, source: Owner) -> int:
    """New shares cost the initial price, others the present one (§5.1.3, §5.1.4, §5.4.2)."""
    return game.company(company).par or 0 if source == IPO else price_of(game, company)


def after_purchase(game: Game, company_id: CompanyId) -> None:
    """A company with 60% bought is launched (§5.2.2)."""
    launch(game, company_id)


def launch(game: Game, company_id: CompanyId) -> None:
    """Ten times the initial price as soon as 60% is bought; COM also needs its link or the first 6/6+ (§5.3.2)."""
    company = game.company(company_id)
    unsold = company.held_by(IPO)
    if company.floated or company.closed or company.par is None or 100 - unsold < 60:
        return
    if company_id == COMMONWEALTH and not may_launch(game) and not readings(game).com_gets_capital_at_60:
        return
    company.floated = True
    pay(game, BANK, company_id, 10 * company.par, "starting capital")
    game.happened(CompanyFloated(company_id, 10 * company.par))


# -- operating rounds ---------------------------------------------------------------------------------


def may_launch(game: Game) -> bool:
    """The link has been built, or the first 6/6+ has been bought (§5.3.2, §5.3.5)."""
    return special(game).is_linked or has_begun(game, "6")


def look_for_link(game: Game) -> bool:
    """Note the link between Sydney and Adelaide once it stands; tokens do not block it (§5.3.2). True when new."""
    record = special(game)
    if record.is_linked or not game.land.are_linked(game, SYDNEY, ADELAIDE):
        return False
    record.is_linked = True
    game.happened(CitiesLinked())
    return True


def begin_operating_set(game: Game) -> None:
    """After a stock round come one, two or three operating rounds, as the phase says now (§7.1)."""
    rounds = game.title.phase(game.state.phase).operating_rounds
    game.state.round = Round("operating", game.state.round.number, 0, rounds)


def next_operating_round(game: Game) -> None:
    """Privates pay, the Bank of England pays, companies follow; after the last round of a set the game may end (§7.2)."""
    current = game.state.round
    if current.part >= current.of:
        if game.state.ending:
            end_game(game)
        return
    begin_next_of_set(game)


def next_company(game: Game) -> None:
    """The highest priced company that has not had its turn (§7.2); COM is passed over while it waits (§5.3.3)."""
    memory = operating_round(game)
    waiting = [
        company.id
        for company in game.state.companies.values()
        if company.id not in memory.done
        and company.id != BANK_OF_ENGLAND
        and company.position is not None
        and (company.floated or company.id == COMMONWEALTH)
    ]
    if not waiting:
        return
    game.frame.at -= 1
    company_id = in_order(game, waiting)[0]
    memory.done.append(company_id)
    if game.company(company_id).floated and (company_id != COMMONWEALTH or may_launch(game)):
        game.push("company turn", company_id, TurnMemory())


def discard_after_the_last(game: Game) -> None:
    """Trains above a limit that the last company's receivership lowered are given up before the round ends, if so read."""
    if readings(game).discards_before_round_ends:
        ask_for_excess(game)


def begin_turn(game: Game) -> None:
    """The home token is free (§7.7.1)."""
    company_id = game.company_in_turn
    game.happened(TurnBegan(company_id))
    company = game.company(company_id)
    homes = COMPANIES[company_id].home
    if len(company.tokens_left) < len(COMPANIES[company_id].tokens):
        return
    for hex_id in homes:
        company.tokens_left.pop(0)
        game.state.board.place_token(hex_id, 0, company_id)
        game.happened(TokenPlaced(company_id, hex_id, 0, 0))
    game.board_changed()


def close_without_revenue(game: Game) -> None:
    """A company that earned nothing falls like one that withholds (§11.2)."""
    if not operating_turn(game).revenue:
        after_dividend(game, game.company_in_turn, 0)


def after_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right for a dividend, one to the left without (§11)."""
    game.company(company_id).operated = True
    if paid:
        row, column = game.company(company_id).position or (0, 0)
        if MARKET.cell((row, column + 1)) is not None:
            move(game, company_id, (row, column + 1))
        else:
            move(game, company_id, up(MARKET, (row, column)))
    else:
        move_left(game, company_id, 1)


def begin_again(game: Game) -> None:
    """A stock round follows each set of operating rounds (§7.1)."""
    game.frame.at = 1


# -- reactions ----------------------------------------------------------------------------------------


def on_train_bought(game: Game, event: TrainBought) -> None:
    """P6 closes when CAR buys a train (§4.7)."""
    private = game.private(NORTH_AUSTRALIAN)
    if event.company == CENTRAL_AUSTRALIAN and not private.closed:
        private.closed = True
        game.happened(PrivateClosed(private.id))


def on_phase(game: Game, event: PhaseBegan) -> None:
    """Privates close with the first 5/5+; COM may start with the first 6/6+; limits fall (§4.1, §5.3.5, §8.3.5).

    After a removal (§5.4.4) 18xx.games asks for trains to be given up in the next company's turn or stock round; and the
    Tasmania tile is laid there before any is given up.
    """
    asks_now = is_in_turn(game) or not readings(game).discards_in_turns_alone
    if asks_now and readings(game).lays_tasmania_before_discards:
        game.push("discard")
    if event.phase == "5":
        close_privates(game)
    if event.phase == "6":
        launch(game, COMMONWEALTH)
    if asks_now and not readings(game).lays_tasmania_before_discards:
        game.push("discard")


# -- the end ------------------------------------------------------------------------------------------


def watch_for_the_end(game: Game, event: object) -> None:
    """Any of the four conditions ends the game after the current, or the next, set of operating rounds (§13.1)."""
    state, met = game.state, special(game).ends_met
    met += [reason for reason in ends(game) if reason not in met]
    if met and not state.ending:
        state.ending = met[0]
        game.happened(GameEndTriggered(state.ending, "after this set of operating rounds"))


def ends(game: Game) -> Iterator[str]:
    """Which of the four conditions are met now (§13.1)."""
    state = game.state
    if state.cash[BANK] <= 0:
        yield BANK_BROKEN
    if any(
        company.position is not None and MARKET.in_zone(company.position, "e") and company.id != BANK_OF_ENGLAND
        for company in state.companies.values()
    ):
        yield TOP_PRICE
    if special(game).loans_given >= 16:
        yield SIXTEEN_LOANS
    if len(special(game).receiverships) >= 5:
        yield FIVE_RECEIVERSHIPS


def worth(game: Game, player: PlayerId) -> int:
    """The player's final total."""
    state = game.state
    shares = sum(price_of(game, company.id) * company.held_by(player) // 10 for company in state.companies.values())
    return state.cash[player] + shares - special(game).debts.get(player, 0)


def on_tile_laid(game: Game, event: TileLaid) -> None:
    """A new link from Sydney to Adelaide may launch COM (§5.3.2)."""
    if look_for_link(game):
        launch(game, COMMONWEALTH)
