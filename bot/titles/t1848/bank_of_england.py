"""The Bank of England: its dividend, loans, and companies in receivership (1848 §5.4-§5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import (
    BANK,
    DEPOT,
    POOL,
    REMOVED,
    CompanyId,
    IllegalMove,
    PlayerId,
    StockSections,
    is_permitted,
    is_player,
)
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import (
    has_phase_begun,
    pay,
    place_marker,
    president_of,
    remove_marker,
    share_unit,
    step_left,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.holdings.trains import export
from bot.engine.play.steps import (
    EmergencySaleRules,
    EmergencyShareSale,
    hand_over_assets,
    operating_turn,
    pay_parts,
)
from bot.engine.state import Action, Event, LoanTaken, Paid, Pass, TakeLoan, TrainExported

from . import components
from .interpretations import interpretation_flags
from .privates import close_privates
from .state import title_state
from .stock import lower_price_after_sale


class TakenOver(Event, frozen=True, tag="TakenOver"):
    """The Bank of England took a company over; `compensation` went to the other shareholders."""

    company: CompanyId
    compensation: tuple[tuple[PlayerId, int], ...]


# -- dividend -----------------------------------------------------------------------------------------


def pay_bank_dividend(game: Game) -> None:
    """The Bank of England operates before all companies: 10% of its income a share (§5.4.3, §5.5.7)."""
    colour = game.title.phase(game.state.phase).colours[-1]
    total = components.MINIMUM_BANK_DIVIDEND[colour] + sum(receivership_stations(game))
    bank = game.company(components.BANK_OF_ENGLAND)
    held = [(seat.id, bank.percent_held_by(seat.id)) for seat in game.state.players if bank.percent_held_by(seat.id)]
    if total:
        parts = [(player, total * percent // 100) for player, percent in held]
        pay_parts(game, components.BANK_OF_ENGLAND, total, parts, total // 10)


def receivership_stations(game: Game) -> list[int]:
    """The current value of each city under a token of the Bank of England, an entry for each token."""
    colours = game.title.phase(game.state.phase).colours
    values = []
    for hex_id, city in game.state.board.cities_of(components.BANK_OF_ENGLAND):
        tile = game.tile_at(hex_id)
        node = tile.cities[city]
        values.append(node.value_in((tile.colour,) if interpretation_flags(game).bank_earns_by_tiles else colours))
    return values


# -- loans --------------------------------------------------------------------------------------------


def loans_left(game: Game) -> int:
    return components.LOANS_IN_ALL - title_state(game).loans_given


def check_loan(game: Game, company: CompanyId) -> None:
    """Raise the refusal of a voluntary loan (§5.6.1, §5.6.3)."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Loans are available once the first 3/3+ train has been bought.", "1848 §5.6.1")
    if "loan" in operating_turn(game).used:
        raise IllegalMove("{company} has taken a loan in this operating round.", "1848 §5.6.3", company)
    if game.company(company).loans >= components.LOANS_PER_COMPANY:
        raise IllegalMove(
            "{company} has taken {limit} loans, the maximum.", "1848 §5.6.3", company, components.LOANS_PER_COMPANY
        )
    if not loans_left(game):
        raise IllegalMove("The Bank of England has given all {number} loans.", "1848 §5.6.1", components.LOANS_IN_ALL)


def take_loan(game: Game, company: CompanyId, spaces: int, is_forced: bool = False) -> None:
    """Take a loan: 100 from the Bank of England, its price one space up, the company's `spaces` to the left
    (§5.6.2).

    On 18xx.games a loan forced by a train does not count as the loan that a company may take in its turn.
    """
    title_state(game).loans_given += 1
    game.company(company).loans += 1
    if not (is_forced and interpretation_flags(game).forced_loans_are_extra):
        operating_turn(game).used.append("loan")
    pay(game, components.BANK_OF_ENGLAND, company, components.LOAN, "loan")
    game.emit(LoanTaken(company, components.LOAN))
    row, column = game.company(components.BANK_OF_ENGLAND).position or (components.BANK_ROW, 0)
    move(game, components.BANK_OF_ENGLAND, (row, column + 1))
    lower_price(game, company, spaces)


def lower_price(game: Game, company: CompanyId, spaces: int) -> None:
    """Move the marker to the left; in the hatched column the company is taken over immediately (§5.5.1)."""
    position = game.company(company).position or (0, 0)
    for _ in range(spaces):
        position = step_left(components.MARKET, position)
    move(game, company, position)
    if components.MARKET.is_in_zone(position, "c"):
        enter_receivership(game, company)


@dataclass(frozen=True)
class Loans:
    name: str = "take a loan"
    verbs: tuple[type[Action], ...] = (TakeLoan,)

    def opens(self, game: Game) -> bool:
        """Only while the loan is not the current decision itself."""
        return may_take_loan(game) and not isinstance(game.step, LastLoan)

    def options(self, game: Game) -> Iterator[Action]:
        if may_take_loan(game):
            yield TakeLoan(game.actor_in_turn)

    def check(self, game: Game, action: TakeLoan) -> None:
        check_loan(game, CompanyId(action.by))

    def apply(self, game: Game, action: TakeLoan) -> None:
        """Two spaces to the left."""
        take_loan(game, CompanyId(action.by), 2)


def check_borrow_for_train(game: Game, company: CompanyId, price: int) -> None:
    """On 18xx.games a company takes its turn's loan before loans for a train: refuse while it still can."""
    if interpretation_flags(game).turn_loan_comes_first and may_take_loan(game):
        raise IllegalMove("{company} takes its regular loan before others for a train.", "18xx.games", company)


def may_take_loan(game: Game) -> bool:
    return is_permitted(check_loan, game, game.company_in_turn)


@dataclass(frozen=True)
class LastLoan:
    """Offer a loan to a trainless company before it falls into the hatched column."""

    name: str = "take a loan before receivership"
    verbs: tuple[type[Action], ...] = (Pass, TakeLoan)

    def opens(self, game: Game) -> bool:
        """In the column next to receivership, without revenue, with a loan available."""
        company = game.company_in_turn
        position = game.company(company).position
        return position is not None and position[1] == 1 and not game.state.trains_of(company) and may_take_loan(game)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.actor_in_turn
        yield from filter_allowed(self, game, (TakeLoan(company), Pass(company)))

    def check(self, game: Game, action: TakeLoan | Pass) -> None:
        """As `check_loan`; on 18xx.games the loan must be taken."""
        if isinstance(action, TakeLoan):
            check_loan(game, CompanyId(action.by))
        elif interpretation_flags(game).must_take_last_loan:
            raise IllegalMove(
                "On 18xx.games a company takes its last loan before it can fall into receivership.",
                "1848 §5.6.1, 18xx.games",
            )

    def apply(self, game: Game, action: TakeLoan | Pass) -> None:
        if isinstance(action, TakeLoan):
            take_loan(game, CompanyId(action.by), 2)
        else:
            game.record_pass(action)


def borrow_for_train(game: Game, company: CompanyId, price: int) -> bool:
    """Take loans until the price is covered (§8.4). Return whether the company can still buy: it is not in
    receivership.

    The first loan of the turn costs two spaces, each further loan three (§5.6.2); 18xx.games takes three for each.
    """
    while game.state.cash[company] < price:
        if not loans_left(game):
            row, _ = game.company(company).position or (0, 0)
            move(game, company, (row, 0))
            enter_receivership(game, company)
            return False
        is_first = "loan" not in operating_turn(game).used and not interpretation_flags(game).forced_loans_cost_three
        take_loan(game, company, 2 if is_first else 3, is_forced=True)
        if game.company(company).closed:
            return False
    return True


# -- receivership -------------------------------------------------------------------------------------


def enter_receivership(game: Game, company_id: CompanyId) -> None:
    """The Bank of England takes the company over: tokens, compensation, limits, assets, trains (§5.5, §5.4.4)."""
    company = game.company(company_id)
    director = president_of(company)
    game.state.board.replace_tokens(company_id, components.BANK_OF_ENGLAND)
    game.board_changed()
    record = title_state(game)
    record.receiverships.append(company_id)
    cash = game.state.cash[company_id]
    compensation, borrowed = pay_compensation(game, company_id, director)
    if director is not None:
        record.lost[director] = record.lost.get(director, 0) + 1
    remove_assets(game, company_id)
    game.emit(TakenOver(company_id, compensation))
    log_compensation(game, company_id, director, cash, sum(amount for _, amount in compensation), borrowed)
    if any(frame.plan == "company turn" and frame.entity == company_id for frame in game.state.flow):
        game.pop("company turn")
    if len(record.receiverships) in (2, 5):
        remove_permanent_train(game)
    if director is not None and record.debts.get(director):
        game.push("sell for debt", director)


def log_compensation(
    game: Game, company_id: CompanyId, director: PlayerId | None, cash: int, compensation: int, borrowed: int
) -> None:
    if not compensation or director is None:
        return
    if cash >= compensation:
        game.log("{company} pays all of it.", company_id)
    else:
        game.log("{company} pays £{part} of it, {director} £{rest}.", company_id, cash, director, compensation - cash)
    if borrowed:
        game.log("{player} borrows £{amount} from the bank.", director, borrowed)


def pay_compensation(
    game: Game, company_id: CompanyId, director: PlayerId | None
) -> tuple[tuple[tuple[PlayerId, int], ...], int]:
    """Players other than the director get the initial price for each share, from the company, then from the director,
    who borrows the rest from the bank (§5.5.2, §5.5.3). Return the payments by player and the total amount borrowed.
    """
    company, owed = game.company(company_id), 0
    amounts = []
    for seat in game.state.players:
        shares = company.percent_held_by(seat.id) // share_unit(company)
        if seat.id == director or not shares:
            continue
        amount = shares * (company.par or 0)
        amounts.append((seat.id, amount))
        from_company = min(amount, game.state.cash[company_id])
        pay(game, company_id, seat.id, from_company, f"compensation for {company_id}")
        liable = director or BANK
        from_director = min(amount - from_company, game.state.cash[liable]) if director else 0
        pay(game, liable, seat.id, from_director, f"compensation for {company_id}")
        borrowed = amount - from_company - from_director
        if borrowed and director is not None:
            debts = title_state(game).debts
            debts[director] = debts.get(director, 0) + borrowed
            owed += borrowed
        pay(game, BANK, seat.id, borrowed, f"compensation for {company_id}")
    return tuple(amounts), owed


def remove_assets(game: Game, company_id: CompanyId) -> None:
    """Money goes to the bank; trains, privates, certificates and the marker leave the game (§5.5.5)."""
    company = game.company(company_id)
    hand_over_assets(game, company_id, BANK)
    company.move_certificates(company.certificates, REMOVED)
    remove_marker(game, company_id)
    company.closed = True
    company.floated = False


def remove_permanent_train(game: Game) -> None:
    """Remove the bank's cheapest permanent train; it counts as sold, even if others are sold first (§5.4.4).

    On 18xx.games this only begins the next phase: a 5/5+ removed before the first 4/4+ is sold only closes the
    privates.
    """
    for card in game.state.trains:
        if (
            card.owner == DEPOT
            and components.TRAINS[card.family].counts_for_limit
            and components.TRAINS[card.family].rusts_on is None
        ):
            if (
                interpretation_flags(game).removal_begins_next_phase_alone
                and card.family == "5"
                and not has_phase_begun(game, "4")
            ):
                game.state.move_train(card, REMOVED)
                game.emit(TrainExported(card.id, card.kind))
                close_privates(game)
            else:
                export(game, card)
            return


# -- debts --------------------------------------------------------------------------------------------


def repay(game: Game, payment: Paid) -> None:
    """A reaction: all money received by a player in debt goes to the bank first (§5.5.3)."""
    if not is_player(payment.payee):
        return
    player = PlayerId(payment.payee)
    debts = title_state(game).debts
    owed = debts.get(player, 0)
    amount = min(owed, game.state.cash[player])
    if not amount:
        return
    debts[player] = owed - amount
    if not debts[player]:
        del debts[player]
    pay(game, player, BANK, amount, "repayment")
    game.log("{player} pays back £{amount}.", player, amount)


DEBT_SECTIONS = StockSections(sell="1848 §12.4.1", pool="1848 §12.4.1", president="1848 §12.4.1")


SELL_FOR_DEBT = EmergencyShareSale(
    name="sell shares to pay the compensation",
    sales=EmergencySaleRules(
        section="1848 §5.5.3", sections=DEBT_SECTIONS, lower_price_after_sale=lower_price_after_sale
    ),
    lacking=lambda game, player: title_state(game).debts.get(PlayerId(player), 0),
)
"""A director who cannot pay the compensation sells shares; no director loses a company by it (§5.5.3)."""


def set_up_bank(game: Game) -> None:
    """Ten shares in the pool at £70 (§5.4.2)."""
    bank = game.company(components.BANK_OF_ENGLAND)
    bank.move_certificates(bank.certificates, POOL)
    bank.floated = True
    bank.par = components.MARKET.price((components.BANK_ROW, 0))
    place_marker(game, components.BANK_OF_ENGLAND, (components.BANK_ROW, 0))
