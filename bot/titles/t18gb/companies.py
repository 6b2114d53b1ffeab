"""Companies: launching, growing to ten shares, insolvency, receivership, removal (18GB, differences from 1830)."""

from __future__ import annotations

from bot.engine.ids import BANK, DEPOT, IPO, POOL, REMOVED, CompanyId, Owner, PlayerId, is_player
from bot.engine.message import Message, said, together
from bot.engine.notation.messages import a_train, president_said
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of, smallest
from bot.engine.play.holdings.market import left, move, price_of, right, take_off
from bot.engine.play.holdings.money import pay
from bot.engine.play.holdings.trains import buy_from_depot, for_sale, has_begun
from bot.engine.play.steps.dividends import operating_turn, withhold
from bot.engine.play.steps.routes import best_set, can_run, ran
from bot.engine.play.steps.stock import float_company
from bot.engine.play.title import holder_of_presidency
from bot.engine.state.events import Event, PresidentChanged
from bot.engine.state.state import Certificate, Train

from .components import MARKET, SMALLER_LIMIT_UNTIL
from .interpretations import readings
from .state import is_small, special

WITHHELD = "withheld"
"""What a turn remembers of a run whose revenue the company had to keep."""


class SolvencyChanged(Event, frozen=True, tag="SolvencyChanged"):
    """A company leases trains from now on, or no more."""

    company: CompanyId
    is_solvent: bool


def solvency_said(game: Game, event: SolvencyChanged) -> Message:
    """What a company that leases does, or that it leases no more."""
    template = "{company} is insolvent without a train: it leases the bank's cheapest train, withholds its revenue and builds nothing."
    return said("{company} is no longer insolvent." if event.is_solvent else template, event.company)


def directed(game: Game, owner: Owner) -> PlayerId | None:
    """The company's president. Of those in receivership 18xx.games lets anybody run the trains: here the first player."""
    president = holder_of_presidency(game, owner)
    company = game.state.companies.get(CompanyId(owner))
    if president is None and company and company.floated and readings(game).first_player_runs_receivership:
        return game.state.order[0]
    return president


def in_receivership(game: Game, company: CompanyId) -> bool:
    """Whether a launched company has no president."""
    record = game.company(company)
    return record.floated and not record.closed and president_of(record) is None


def director_said(game: Game, event: PresidentChanged) -> Message:
    """Who directs a company now; of one that nobody directs what becomes of it."""
    if event.president is not None or not game.company(event.company).floated:
        return president_said(game, event)
    return said(
        "{company} has no president now: it runs automatically, withholds its revenue and builds nothing.",
        event.company,
    )


def is_insolvent(game: Game, company: CompanyId) -> bool:
    """Whether the company leases."""
    return company in special(game).insolvent


def train_limit(game: Game, company: CompanyId) -> int:
    """That of the phase, one less for a 5-share company until the first 4X."""
    limit = game.title.phase(game.state.phase).train_limit
    return limit - int(is_small(game, company) and not has_begun(game, SMALLER_LIMIT_UNTIL))


# -- launching ----------------------------------------------------------------------------------------


def float_threshold(game: Game) -> int:
    """Percent that must be sold: 40 in the yellow phase, 60 from the green one on."""
    return 60 if has_begun(game, "3+1") else 40


def launch_if_sold(game: Game, company_id: CompanyId) -> None:
    """A company begins with its whole capital; the unsold shares of a 10-share company go to the pool."""
    company = game.company(company_id)
    if company.floated or 100 - company.held_by(IPO) < float_threshold(game):
        return
    price = price_of(game, company_id) if readings(game).capital_by_present_price else company.par or 0
    float_company(game, company_id, price * 100 // smallest(company))
    if not is_small(game, company_id):
        for certificate in company.certificates:
            if certificate.owner == IPO:
                certificate.owner = POOL


# -- ten shares ---------------------------------------------------------------------------------------


def convert(game: Game, company_id: CompanyId, steps: int) -> None:
    """Old shares become 10% each, five new ones are issued; a launched company gets five times the new price, after a fall
    by `steps`, and its new shares lie in the pool."""
    company = game.company(company_id)
    noun = game.title.companies[company_id]
    for certificate, percent in zip(company.certificates, noun.grown, strict=False):
        certificate.percent = percent
    new = noun.grown[len(company.certificates) :]
    company.certificates += [Certificate(percent, POOL if company.floated else IPO) for percent in new]
    company.tokens_left += noun.more_tokens
    fall(game, company_id, steps)
    capital = price_of(game, company_id) * len(new) if company.floated else 0
    pay(game, BANK, company_id, capital, "capital")
    if capital:
        template = "{company} becomes a 10-share company and gets £{capital} for five new shares, which go to the pool."
        game.tell(template, company_id, capital)
    else:
        game.tell("{company} becomes a 10-share company.", company_id)
    holders = dict.fromkeys(one.owner for one in company.certificates if is_player(one.owner))
    if holders:
        held = together(said("{owner} {percent}%", owner, company.held_by(owner)) for owner in holders)
        game.tell("A share of {company} is 10% now: {held}.", company_id, held)


def fall(game: Game, company_id: CompanyId, steps: int) -> None:
    """The price goes so many spaces to the left."""
    position = game.company(company_id).position
    if position is not None:
        for _ in range(steps):
            position = left(MARKET, position)
        move(game, company_id, position)


def convert_unstarted(game: Game) -> None:
    """From the brown phase on companies that have not been launched have ten shares."""
    for company in game.state.companies.values():
        if not company.floated and not company.closed and is_small(game, company.id):
            convert(game, company.id, 0)


def remove_unstarted(game: Game) -> None:
    """In the gray phase companies that have not been launched leave the game, each with a 6X train; their home tokens
    remain."""
    for company in list(game.state.companies.values()):
        if company.floated or company.closed:
            continue
        card = next((card for card in reversed(game.state.trains) if (card.family, card.owner) == ("6X", DEPOT)), None)
        if card is not None:
            card.owner = REMOVED
        take_off(game, company.id)
        company.closed = True
        for certificate in company.certificates:
            certificate.owner = IPO
        if card is None:
            game.tell("{company} never floated and leaves the game; its home token remains.", company.id)
        else:
            template = "{company} never floated and leaves the game with {train}; its home token remains."
            game.tell(template, company.id, a_train(card.kind))


# -- trains for those who have none -------------------------------------------------------------------


def prices_of_bank(game: Game) -> list[int]:
    """What the bank's trains cost now, cheapest first."""
    return sorted(game.title.trains[card.family].price for card in for_sale(game))


def cheapest(game: Game) -> Train | None:
    """The cheapest train that can be bought from the bank."""
    return min(for_sale(game), key=lambda card: game.title.trains[card.family].price, default=None)


def runs_with(game: Game, company: CompanyId) -> list[Train]:
    """Its own trains; an insolvent company leases the cheapest one of the bank."""
    if not is_insolvent(game, company):
        return game.state.trains_of(company)
    leased = cheapest(game)
    return [] if leased is None else [leased]


def can_pay_cheapest(game: Game, company: CompanyId) -> bool:
    """Whether the company could buy the cheapest train of the bank."""
    prices = prices_of_bank(game)
    return bool(prices) and game.state.cash[company] >= prices[0]


def become_insolvent(game: Game, company: CompanyId) -> None:
    """The company leases from now on."""
    if not is_insolvent(game, company):
        special(game).insolvent.append(company)
        game.happened(SolvencyChanged(company, False))


def become_solvent(game: Game, company: CompanyId) -> None:
    """The company leases no more."""
    if is_insolvent(game, company):
        special(game).insolvent.remove(company)
        game.happened(SolvencyChanged(company, True))


def settle_solvency(game: Game) -> None:
    """A company without a train is insolvent at the end of its turn, with one it is not."""
    company = game.company_in_turn
    if game.state.trains_of(company):
        become_solvent(game, company)
    else:
        become_insolvent(game, company)


def declare_insolvency(game: Game) -> None:
    """Before running: without a president a company without a train is insolvent at once.

    By 18xx.games only if it has a route and cannot pay for a train; who leases already leases on until it has one (in version 1
    of the rules whoever can pay was not insolvent any more).
    """
    company = game.company_in_turn
    now = readings(game)
    if now.receivership_leases_in_need and can_pay_cheapest(game, company):
        if now.money_makes_solvent:
            become_solvent(game, company)
        return
    is_bound = in_receivership(game, company) and not game.state.trains_of(company)
    if is_bound and (not now.receivership_leases_in_need or can_run(game, company)):
        become_insolvent(game, company)


# -- without a president ------------------------------------------------------------------------------


def run_without_president(game: Game) -> None:
    """A company in receivership runs for the highest revenue by itself."""
    company = game.company_in_turn
    if not in_receivership(game, company) or readings(game).first_player_runs_receivership:
        return
    if runs_with(game, company) and can_run(game, company):
        ran(game, company, best_set(game, company))


def withhold_where_bound(game: Game) -> None:
    """Insolvent companies and those in receivership keep what they earn."""
    company = game.company_in_turn
    revenue = operating_turn(game).revenue
    if revenue and (is_insolvent(game, company) or in_receivership(game, company)):
        withhold(game, company, revenue)
        operating_turn(game).revenue = 0
        operating_turn(game).used.append(WITHHELD)


def buy_without_president(game: Game) -> None:
    """A trainless company in receivership buys the dearest train that it can pay, after conversion if it must.

    Nobody is asked about its trains: the next step of the plan is left out. 18xx.games does so only after a run with a
    leased train, else somebody buys for it.
    """
    company = game.company_in_turn
    if not in_receivership(game, company):
        return
    has_train = bool(game.state.trains_of(company))
    if readings(game).receivership_buys_after_lease and not has_train and WITHHELD not in operating_turn(game).used:
        return
    game.frame.at += 1
    if has_train:
        return
    if is_small(game, company) and not can_pay_cheapest(game, company) and for_sale(game):
        convert(game, company, 3)
    most = game.state.cash[company] - readings(game).receivership_keeps_a_pound
    kinds = [game.title.trains[card.family] for card in for_sale(game)]
    payable = [kind for kind in kinds if kind.price <= most]
    if payable:
        kind = max(payable, key=lambda kind: kind.price)
        buy_from_depot(game, company, kind.name, kind.price, BANK)


def discard_without_president(game: Game) -> None:
    """Where nobody can choose, the oldest trains above the limit go."""
    for company in game.state.companies.values():
        if in_receivership(game, company.id):
            excess = len(game.state.trains_of(company.id)) - train_limit(game, company.id)
            for train in game.state.trains_of(company.id)[: max(0, excess)]:
                train.owner = REMOVED


# -- price --------------------------------------------------------------------------------------------


def after_dividend(game: Game, company_id: CompanyId, paid: int) -> None:
    """One space to the right, two, three or four for twice, three or four times the price; one to the left for nothing."""
    company = game.company(company_id)
    company.operated = True
    if not paid:
        fall(game, company_id, 1)
        return
    position = company.position or (0, 0)
    for _ in range(max(1, min(4, paid // price_of(game, company_id)))):
        position = right(MARKET, position)
    move(game, company_id, position)
