"""Rounds of 1848: set-up, stock rounds, sets of operating rounds, the end of the game (1848 §2, §7, §12, §13)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import BANK, IPO, CompanyId, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import (
    has_phase_begun,
    set_up_cash,
    set_up_companies,
    set_up_trains,
    step_right,
    value_of_shares,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import (
    ask_for_excess,
    begin_company_turn,
    close_private,
    float_company,
    is_in_turn,
    operating_round,
    pass_priority,
    put_token,
    raise_sold_out,
    trigger_end,
    waiting_companies,
)
from bot.engine.state import Company, Event, PhaseBegan, Private, Round, TileLaid, TrainBought, TurnBegan

from . import components
from .bank_of_england import lower_price, set_up_bank
from .interpretations import interpretation_flags
from .privates import close_privates
from .state import title_state

BANK_BROKEN = "the bank has run out of money"
TOP_PRICE = "a share price has reached the top of the chart"
SIXTEEN_LOANS = "the Bank of England has given 16 loans"
FIVE_RECEIVERSHIPS = "five companies are in receivership"


class CitiesLinked(Event, frozen=True, tag="CitiesLinked"):
    """A train of infinite range could now run from Sydney to Adelaide."""


# -- set-up -------------------------------------------------------------------------------------------


def set_up(game: Game) -> None:
    """§2, §3"""
    state = game.state
    set_up_cash(game, components.BANK_CASH, components.STARTING_CASH[len(state.players)])
    set_up_companies(game, components.COMPANIES.values())
    state.cash[components.BANK_OF_ENGLAND] = components.BANK_OF_ENGLAND_CASH
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in components.PRIVATES.values()}
    cards = components.TRAIN_CARDS | (
        {"8": components.UNLIMITED_DIESELS} if interpretation_flags(game).has_endless_diesels else {}
    )
    set_up_trains(game, {family: range(number) for family, number in cards.items()})
    set_up_bank(game)
    for noun in components.COMPANIES.values():
        if noun.kind == "railway" and noun.id != components.COMMONWEALTH:
            state.board.reserve(noun.home[0], 0, noun.id)
    state.round = Round("auction")
    game.push("game")


# -- stock rounds -------------------------------------------------------------------------------------


def end_stock_round(game: Game) -> None:
    """Sold-out railways rise; the player after the last to act gets the priority card (§12.6, §12.7)."""
    raise_sold_out(game, but=components.BANK_OF_ENGLAND)
    pass_priority(game)


def launch(game: Game, company_id: CompanyId) -> None:
    """Pay ten times the initial price once 60% is bought; COM also needs its link or the first 6/6+ (§5.3.2)."""
    company = game.company(company_id)
    unsold = company.percent_held_by(IPO)
    if company.floated or company.closed or company.par is None or 100 - unsold < 60:
        return
    if (
        company_id == components.COMMONWEALTH
        and not may_launch(game)
        and not interpretation_flags(game).com_gets_capital_at_60
    ):
        return
    float_company(game, company_id, 10 * company.par)


# -- operating rounds ---------------------------------------------------------------------------------


def may_launch(game: Game) -> bool:
    """The link has been built, or the first 6/6+ has been bought (§5.3.2, §5.3.5)."""
    return title_state(game).is_linked or has_phase_begun(game, "6")


def look_for_link(game: Game) -> bool:
    """Note the link between Sydney and Adelaide once built; tokens do not block it (§5.3.2). Return whether it is
    new.
    """
    record = title_state(game)
    if record.is_linked or not game.board_rules.are_linked(game, components.SYDNEY, components.ADELAIDE):
        return False
    record.is_linked = True
    game.emit(CitiesLinked())
    return True


def next_company(game: Game) -> None:
    """The highest priced railway that has not had its turn (§7.2); COM is skipped while it waits (§5.3.3)."""
    for company_id in waiting_companies(game, operates):
        if game.company(company_id).floated and (company_id != components.COMMONWEALTH or may_launch(game)):
            begin_company_turn(game, company_id)
            return
        operating_round(game).done.append(company_id)


def operates(game: Game, company: Company) -> bool:
    """Whether a company is launched, or is the COM, which may wait for its launch."""
    is_started = company.position is not None and company.id != components.BANK_OF_ENGLAND
    return is_started and (company.floated or company.id == components.COMMONWEALTH)


def discard_after_the_last(game: Game) -> None:
    """Under that reading, excess trains after the last company's receivership are given up before the round ends."""
    if interpretation_flags(game).discards_before_round_ends:
        ask_for_excess(game)


def begin_turn(game: Game) -> None:
    """The home token is free (§7.7.1)."""
    company = game.company(game.company_in_turn)
    game.emit(TurnBegan(company.id))
    if len(company.tokens_left) < len(components.COMPANIES[company.id].tokens):
        return
    for hex_id in components.COMPANIES[company.id].home:
        put_token(game, company.id, hex_id, 0)


def on_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right for a dividend, one to the left without (§11)."""
    game.company(company_id).operated = True
    if paid:
        move(game, company_id, step_right(components.MARKET, game.company(company_id).position or (0, 0)))
    else:
        lower_price(game, company_id, 1)


# -- reactions ----------------------------------------------------------------------------------------


def on_train_bought(game: Game, event: TrainBought) -> None:
    """P6 closes when CAR buys a train (§4.7)."""
    if event.company == components.CENTRAL_AUSTRALIAN:
        close_private(game, game.private(components.NORTH_AUSTRALIAN))


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Privates close with the first 5/5+; COM may start with the first 6/6+; limits fall (§4.1, §5.3.5, §8.3.5).

    After a removal (§5.4.4) 18xx.games asks for excess trains in the next company's turn or stock round; and the
    Tasmania tile is laid there before any train is given up.
    """
    asks_now = is_in_turn(game) or not interpretation_flags(game).discards_in_turns_alone
    if asks_now and interpretation_flags(game).lays_tasmania_before_discards:
        game.push("discard")
    if event.phase == "5":
        close_privates(game)
    if event.phase == "6":
        launch(game, components.COMMONWEALTH)
    if asks_now and not interpretation_flags(game).lays_tasmania_before_discards:
        game.push("discard")


# -- the end ------------------------------------------------------------------------------------------


def detect_game_end(game: Game, event: object) -> None:
    """Any of the four conditions ends the game after the current, or the next, set of operating rounds (§13.1)."""
    met = title_state(game).ends_met
    met += [reason for reason in end_conditions(game) if reason not in met]
    if met:
        trigger_end(game, met[0])


def end_conditions(game: Game) -> Iterator[str]:
    """The conditions, of four, that are met now (§13.1)."""
    state = game.state
    if is_broken(game):
        yield BANK_BROKEN
    if any(
        company.position is not None
        and components.MARKET.is_in_zone(company.position, "e")
        and company.id != components.BANK_OF_ENGLAND
        for company in state.companies.values()
    ):
        yield TOP_PRICE
    if title_state(game).loans_given >= 16:
        yield SIXTEEN_LOANS
    if len(title_state(game).receiverships) >= 5:
        yield FIVE_RECEIVERSHIPS


def is_broken(game: Game) -> bool:
    """Whether the bank has run out of money (§13.1). On 18xx.games its loans to debtors (§5.5.3) are not subtracted."""
    money = game.state.cash[BANK]
    return (
        money + sum(title_state(game).debts.values()) < 0
        if interpretation_flags(game).ends_when_bank_owes
        else money <= 0
    )


def net_worth(game: Game, player: PlayerId) -> int:
    return game.state.cash[player] + value_of_shares(game, player) - title_state(game).debts.get(player, 0)


def on_tile_laid(game: Game, event: TileLaid) -> None:
    """A new link from Sydney to Adelaide may launch COM (§5.3.2)."""
    if look_for_link(game):
        launch(game, components.COMMONWEALTH)
