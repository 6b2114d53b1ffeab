"""Companies: launching, growing to ten shares, insolvency, receivership, removal (18GB, differences from 1830)."""

from __future__ import annotations

from bot.engine import BANK, DEPOT, IPO, POOL, REMOVED, CompanyId, Message, Owner, PlayerId, is_player, join_and, msg
from bot.engine.notation import format_president, format_train
from bot.engine.play import Game, holder_of_presidency
from bot.engine.play.holdings import (
    buy_from_depot,
    has_phase_begun,
    pay,
    president_of,
    price_of,
    remove_marker,
    share_unit,
    step_left,
    step_right,
    trains_for_sale,
)
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import best_set, float_company, has_any_route, operating_turn, record_run, withhold
from bot.engine.state import Certificate, Event, PresidentChanged, Train

from .components import MARKET, SMALLER_LIMIT_UNTIL
from .interpretations import interpretation_flags
from .state import is_small, title_state

WITHHELD = "withheld"
"""The note in a turn's memory that the company had to keep its run's revenue."""


class SolvencyChanged(Event, frozen=True, tag="SolvencyChanged"):
    """A company leases trains from now on, or no more."""

    company: CompanyId
    is_solvent: bool


def format_solvency(game: Game, event: SolvencyChanged) -> Message:
    template = "{company} is insolvent without a train: it leases the bank's cheapest train, withholds its revenue and builds nothing."
    return msg("{company} is no longer insolvent." if event.is_solvent else template, event.company)


def acting_president(game: Game, owner: Owner) -> PlayerId | None:
    """The company's president. For companies in receivership on 18xx.games the first player runs the trains."""
    president = holder_of_presidency(game, owner)
    company = game.state.companies.get(CompanyId(owner))
    if president is None and company and company.floated and interpretation_flags(game).first_player_runs_receivership:
        return game.state.order[0]
    return president


def is_in_receivership(game: Game, company: CompanyId) -> bool:
    """Whether a launched company has no president."""
    record = game.state.companies[company]
    return record.floated and not record.closed and president_of(record) is None


def format_director(game: Game, event: PresidentChanged) -> Message:
    if event.president is not None or not game.company(event.company).floated:
        return format_president(game, event)
    return msg(
        "{company} has no president now: it runs automatically, withholds its revenue and builds nothing.",
        event.company,
    )


def is_insolvent(game: Game, company: CompanyId) -> bool:
    """Whether the company leases."""
    return company in title_state(game).insolvent


def train_limit(game: Game, company: CompanyId) -> int:
    """The phase's limit, less one for a 5-share company until the first 4X."""
    limit = game.title.phase(game.state.phase).train_limit
    return limit - int(is_small(game, company) and not has_phase_begun(game, SMALLER_LIMIT_UNTIL))


# -- launching ----------------------------------------------------------------------------------------


def float_threshold(game: Game) -> int:
    """Percent that must be sold: 40 in the yellow phase, 60 from the green phase on."""
    return 60 if has_phase_begun(game, "3+1") else 40


def launch_if_sold(game: Game, company_id: CompanyId) -> None:
    """A company begins with its whole capital; the unsold shares of a 10-share company go to the pool."""
    company = game.company(company_id)
    if company.floated or 100 - company.percent_held_by(IPO) < float_threshold(game):
        return
    price = price_of(game, company_id) if interpretation_flags(game).capital_by_present_price else company.par or 0
    float_company(game, company_id, price * 100 // share_unit(company))
    if not is_small(game, company_id):
        company.move_certificates([one for one in company.certificates if one.owner == IPO], POOL)


# -- ten shares ---------------------------------------------------------------------------------------


def convert(game: Game, company_id: CompanyId, steps: int) -> None:
    """Old shares become 10% each, five new shares are issued; a launched company gets five times the new price, after a
    fall by `steps`, and its new shares are in the pool.
    """
    company = game.company(company_id)
    noun = game.title.companies[company_id]
    new = noun.grown[len(company.certificates) :]
    owners = [*(one.owner for one in company.certificates), *(POOL if company.floated else IPO for _ in new)]
    company.certificates = [Certificate(percent, owner) for percent, owner in zip(noun.grown, owners, strict=True)]
    company.tokens_left += noun.more_tokens
    drop_price(game, company_id, steps)
    capital = price_of(game, company_id) * len(new) if company.floated else 0
    pay(game, BANK, company_id, capital, "capital")
    if capital:
        template = "{company} becomes a 10-share company and gets £{capital} for five new shares, which go to the pool."
        game.log(template, company_id, capital)
    else:
        game.log("{company} becomes a 10-share company.", company_id)
    holders = dict.fromkeys(one.owner for one in company.certificates if is_player(one.owner))
    if holders:
        held = join_and(msg("{owner} {percent}%", owner, company.percent_held_by(owner)) for owner in holders)
        game.log("A share of {company} is 10% now: {held}.", company_id, held)


def drop_price(game: Game, company_id: CompanyId, steps: int) -> None:
    position = game.company(company_id).position
    if position is not None:
        for _ in range(steps):
            position = step_left(MARKET, position)
        move(game, company_id, position)


def convert_unstarted(game: Game) -> None:
    """From the brown phase on unlaunched companies have ten shares."""
    for company in game.state.companies.values():
        if not company.floated and not company.closed and is_small(game, company.id):
            convert(game, company.id, 0)


def remove_unstarted(game: Game) -> None:
    """In the gray phase unlaunched companies leave the game, each with a 6X train; their home tokens remain."""
    for company in list(game.state.companies.values()):
        if company.floated or company.closed:
            continue
        card = next((card for card in reversed(game.state.trains) if (card.family, card.owner) == ("6X", DEPOT)), None)
        if card is not None:
            game.state.move_train(card, REMOVED)
        remove_marker(game, company.id)
        company.closed = True
        company.move_certificates(company.certificates, IPO)
        if card is None:
            game.log("{company} never floated and leaves the game; its home token remains.", company.id)
        else:
            template = "{company} never floated and leaves the game with {train}; its home token remains."
            game.log(template, company.id, format_train(card.kind))


# -- trains for those who have none -------------------------------------------------------------------


def prices_of_bank(game: Game) -> list[int]:
    """Cheapest first."""
    return sorted(game.title.trains[card.family].price for card in trains_for_sale(game))


def trains_run_by(game: Game, company: CompanyId) -> list[Train]:
    """Its own trains; an insolvent company leases the cheapest train of the bank."""
    if not is_insolvent(game, company):
        return game.state.trains_of(company)
    leased = min(trains_for_sale(game), key=lambda card: game.title.trains[card.family].price, default=None)
    return [] if leased is None else [leased]


def can_pay_cheapest(game: Game, company: CompanyId) -> bool:
    prices = prices_of_bank(game)
    return bool(prices) and game.state.cash[company] >= prices[0]


def become_insolvent(game: Game, company: CompanyId) -> None:
    if not is_insolvent(game, company):
        title_state(game).insolvent.append(company)
        game.emit(SolvencyChanged(company, False))


def become_solvent(game: Game, company: CompanyId) -> None:
    if is_insolvent(game, company):
        title_state(game).insolvent.remove(company)
        game.emit(SolvencyChanged(company, True))


def settle_solvency(game: Game) -> None:
    """A company without a train is insolvent at the end of its turn; a company with a train is not."""
    company = game.company_in_turn
    if game.state.trains_of(company):
        become_solvent(game, company)
    else:
        become_insolvent(game, company)


def declare_insolvency(game: Game) -> None:
    """Before running, a company without president and train becomes insolvent immediately.

    On 18xx.games only if it has a route and cannot pay for a train; a leasing company leases until it has a train
    (in version 1 of the rules a company that could pay was no longer insolvent).
    """
    company = game.company_in_turn
    now = interpretation_flags(game)
    if now.receivership_leases_in_need and can_pay_cheapest(game, company):
        if now.money_makes_solvent:
            become_solvent(game, company)
        return
    is_bound = is_in_receivership(game, company) and not game.state.trains_of(company)
    if is_bound and (not now.receivership_leases_in_need or has_any_route(game, company)):
        become_insolvent(game, company)


# -- without a president ------------------------------------------------------------------------------


def run_without_president(game: Game) -> None:
    """A company in receivership automatically runs for the highest revenue."""
    company = game.company_in_turn
    if not is_in_receivership(game, company) or interpretation_flags(game).first_player_runs_receivership:
        return
    if trains_run_by(game, company) and has_any_route(game, company):
        record_run(game, company, best_set(game, company))


def withhold_if_forced(game: Game) -> None:
    """Insolvent companies and companies in receivership withhold their revenue."""
    company = game.company_in_turn
    revenue = operating_turn(game).revenue
    if revenue and (is_insolvent(game, company) or is_in_receivership(game, company)):
        withhold(game, company, revenue)
        operating_turn(game).revenue = 0
        operating_turn(game).used.append(WITHHELD)


def buy_without_president(game: Game) -> None:
    """A trainless company in receivership buys the most expensive train that it can pay for, after conversion if
    necessary.

    Nobody decides about its trains: the next step of the plan is skipped. 18xx.games does so only after a run with a
    leased train, else a player buys for it.
    """
    company = game.company_in_turn
    if not is_in_receivership(game, company):
        return
    has_train = bool(game.state.trains_of(company))
    if (
        interpretation_flags(game).receivership_buys_after_lease
        and not has_train
        and WITHHELD not in operating_turn(game).used
    ):
        return
    game.frame.at += 1
    if has_train:
        return
    if is_small(game, company) and not can_pay_cheapest(game, company) and trains_for_sale(game):
        convert(game, company, 3)
    most = game.state.cash[company] - interpretation_flags(game).receivership_keeps_a_pound
    kinds = [game.title.trains[card.family] for card in trains_for_sale(game)]
    payable = [kind for kind in kinds if kind.price <= most]
    if payable:
        kind = max(payable, key=lambda kind: kind.price)
        buy_from_depot(game, company, kind.name, kind.price, BANK)


def discard_without_president(game: Game) -> None:
    """If no player can choose, the oldest trains above the limit are discarded."""
    for company in game.state.companies.values():
        if is_in_receivership(game, company.id):
            excess = len(game.state.trains_of(company.id)) - train_limit(game, company.id)
            for train in game.state.trains_of(company.id)[: max(0, excess)]:
                game.state.move_train(train, REMOVED)


# -- price --------------------------------------------------------------------------------------------


def on_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right, two, three or four for twice, three or four times the price; one to the left for nothing."""
    company = game.company(company_id)
    company.operated = True
    if not paid:
        drop_price(game, company_id, 1)
        return
    position = company.position or (0, 0)
    for _ in range(max(1, min(4, paid // price_of(game, company_id)))):
        position = step_right(MARKET, position)
    move(game, company_id, position)
