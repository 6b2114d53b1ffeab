"""Takeovers and liquidations (1820 §8.4, §8.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, IPO, CompanyId, IllegalMove, NotYourTurn, PlayerId, Text, as_company, is_permitted, msg
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import pay, sort_by_price
from bot.engine.play.steps import operating_round, operating_turn
from bot.engine.state import Action, Answer, Company, Pass, TurnMemory
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import Acquire, Decline, Offer
from bot.titles.t1820.auctions import current_auction
from bot.titles.t1820.components import BID_STEP, LOAN, TAKEOVER_PREMIUM
from bot.titles.t1820.events import CompanyAcquired
from bot.titles.t1820.state import OpenCry, title_state

from .bids import AUCTION, bidders_of, capacity
from .issue import check_issue, issue_shares
from .liquidation import liquidate, next_liquidation
from .transfer import transfer_assets

ACQUIRED = "acquired"


# -- offers (§8.4.1) ----------------------------------------------------------------------------------


def forcing_bid(game: Game, company: Company) -> int:
    """The price after the takeover premium's spaces, times every share in play (§8.4.2)."""
    return companies.price_after(company, TAKEOVER_PREMIUM[title_state(game).column]) * companies.shares_in_play(
        company
    )


def check_offer(game: Game, by: CompanyId, lot: CompanyId) -> None:
    memory = title_state(game)
    company = game.state.companies.get(lot)
    if company is None or not companies.is_public(company) or companies.is_in_liquidation(company):
        raise IllegalMove("{lot} is not a public company, or it is in liquidation.", "1820 §8.4.1", lot)
    if lot in memory.offered:
        raise IllegalMove("{lot} has been offered in this round.", "1820 §8.4.1", lot)
    if by == lot:
        return
    if lot in memory.reduced or lot in memory.acquirers:
        raise IllegalMove("{lot} has reduced its share-count or acquired a company in this round.", "1820 §8.4.1", lot)
    able = capacity(game, game.company(by))
    least = -(-companies.minimum_bid(game, company) // BID_STEP) * BID_STEP
    if able < least:
        raise IllegalMove(
            "The minimum bid for {lot} is £{least} and {by} can pay £{able}.", "1820 §8.4.1", lot, least, by, able
        )


def offer_company(game: Game, by: CompanyId, lot: CompanyId) -> None:
    """Open the auction; for a company that offers itself the bank makes the first bid, which is forcing."""
    memory, company = title_state(game), game.company(lot)
    memory.offered.append(lot)
    least = companies.minimum_bid(game, company)
    auction = OpenCry("takeover", [lot], least=least, forcing=forcing_bid(game, company), offered_by=by)
    if by == lot:
        auction.best = least if memory.is_victoria_dead else least // 2
        auction.forcing = auction.best
    AUCTION.begin(game, "takeover", auction)


@dataclass(frozen=True)
class MakeOffers:
    """A company offers itself or others, one at a time, until it has acquired a company, is gone, or passes (§8.1)."""

    name: str = "offer a company for takeover"
    verbs: tuple[type[Action], ...] = (Offer, Pass)

    def opens(self, game: Game) -> bool:
        company = game.company(game.company_in_turn)
        has_acquired = ACQUIRED in operating_turn(game).used
        if not companies.is_public(company) or companies.is_in_liquidation(company) or has_acquired:
            return False
        return any(isinstance(option, Offer) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        by = game.company_in_turn
        yield Pass(by)
        for company in companies.public_companies(game):
            if is_permitted(check_offer, game, by, company.id):
                yield Offer(by, company.id)

    def check(self, game: Game, action: Offer | Pass) -> None:
        if isinstance(action, Offer):
            check_offer(game, CompanyId(action.by), action.company)

    def apply(self, game: Game, action: Offer | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        offer_company(game, CompanyId(action.by), action.company)


def next_offer(game: Game) -> None:
    """Public companies in reverse operating order; a cousin's company offers itself (§8.1, §14.1). Companies of a
    cousin who goes bankrupt meanwhile are liquidated first (§10.3).
    """
    if title_state(game).to_liquidate:
        next_liquidation(game)
        return
    memory = operating_round(game)
    waiting = [
        company.id
        for company in companies.public_companies(game)
        if company.id not in memory.done and not companies.is_in_liquidation(company)
    ]
    if not waiting:
        return
    game.frame.at -= 1
    company_id = sort_by_price(game, waiting)[-1]
    memory.done.append(company_id)
    if companies.director_of(game, company_id) in game.state.order:
        game.push("offer turn", company_id, TurnMemory())
    elif company_id not in title_state(game).offered:
        offer_company(game, company_id, company_id)


# -- after the auction (§8.4.3) -----------------------------------------------------------------------


def end_takeover(game: Game) -> None:
    """No bid: the takeover fails. The bank's bid: liquidation. A bid below the forcing bid: the director decides."""
    auction = current_auction(game)
    lot = as_company(auction.lots[0])
    if auction.bidder is None:
        title_state(game).auction = None
        if auction.best:
            liquidate(game, lot, None, auction.best)
        else:
            log_failed_takeover(game, lot, "nobody bid")
        return
    game.push("acquire", None, asked=[auction.bidder])
    director = companies.director_player(game, lot)
    if auction.best < auction.forcing and director is not None:
        game.push("accept", lot, asked=[director])


def log_failed_takeover(game: Game, lot: CompanyId, why: str) -> None:
    game.log("{company} is not taken over: {why}.", lot, msg(why))


@dataclass(frozen=True)
class AcceptBid:
    """The director of the offered company accepts or declines a bid below the forcing bid."""

    name: str = "accept the bid or refuse it"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def prompt(self, game: Game) -> Text:
        auction = current_auction(game)
        by = game.state.name(auction.bidder) if auction.bidder else msg("the bank")
        return msg("let {entity} go to {by} for £{best}? Agree or refuse", game.actor_in_turn, by, auction.best)

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(game.frame.asked[0], agree) for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("The director of the company decides.", "1820 §8.4.2")

    def apply(self, game: Game, action: Answer) -> None:
        lot = game.company_in_turn
        game.frame.asked = []
        game.log("{by} agrees." if action.agree else "{by} refuses.", action.by)
        if not action.agree:
            title_state(game).auction = None
            game.pop("acquire")
            log_failed_takeover(game, lot, "its director declined the bid")


@dataclass(frozen=True)
class ChooseAcquirer:
    """The winner names the company that buys, with the loans and shares that pay for it; or declines (§10.4)."""

    name: str = "choose the acquiring company"
    verbs: tuple[type[Action], ...] = (Acquire, Decline)

    def opens(self, game: Game) -> bool:
        return title_state(game).auction is not None

    def prompt(self, game: Game) -> Text:
        auction = current_auction(game)
        return msg("choose the company that acquires {lots} for £{best}, or decline", auction.lots[0], auction.best)

    def options(self, game: Game) -> Iterator[Action]:
        """Each company with the fewest shares, and the fewest loans, that suffice; decline."""
        auction = current_auction(game)
        winner = PlayerId(game.frame.asked[0])
        for company in bidders_of(game, winner, as_company(auction.lots[0])):
            yield from filter_allowed(self, game, self._ways(game, company, auction.best))
        yield Decline(winner)

    def _ways(self, game: Game, company: Company, amount: int) -> Iterator[Acquire]:
        lack = max(0, amount - companies.cash_of(game, company.id))
        money = companies.price(game, company.id)
        most = company.count_of(IPO) if money and not companies.is_private(company) else 0
        for shares in range(most + 1):
            yield Acquire(company.id, companies.loans_for(lack - shares * money), shares)

    def check(self, game: Game, action: Acquire | Decline) -> None:
        """Refuse another player's company, and money that is missing or not needed."""
        auction = current_auction(game)
        winner = PlayerId(game.frame.asked[0])
        if isinstance(action, Decline):
            if action.by != winner:
                raise NotYourTurn("The winner of the auction decides.", "1820 §10.4")
            return
        company = game.state.companies.get(CompanyId(action.by))
        if company is None or company not in bidders_of(game, winner, as_company(auction.lots[0])):
            raise IllegalMove("{by} cannot take {lots} over.", "1820 §8.4.3", action.by, auction.lots[0])
        _check_payment(game, company, action)
        for loans, shares in ((action.loans - 1, action.shares), (action.loans, action.shares - 1)):
            fewer = Acquire(action.by, loans, shares)
            if loans >= 0 and shares >= 0 and is_permitted(_check_payment, game, company, fewer):
                raise IllegalMove("Take only the loans and issue only the shares you need.", "1820 §8.4.3")

    def apply(self, game: Game, action: Acquire | Decline) -> None:
        """A winner who declines is barred and the auction begins again."""
        auction, memory = current_auction(game), title_state(game)
        lot = as_company(auction.lots[0])
        game.next_step()
        if isinstance(action, Decline):
            again = OpenCry(
                auction.kind,
                auction.lots,
                least=auction.least,
                forcing=auction.forcing,
                offered_by=auction.offered_by,
                barred=[*auction.barred, PlayerId(action.by)],
            )
            again.best = memory.payment if auction.kind == "liquidation" else self._bank_bid(game, auction)
            AUCTION.begin(game, "takeover", again)
            return
        memory.auction = None
        company_id = CompanyId(action.by)
        if action.shares:
            issue_shares(game, company_id, action.shares)
        companies.take_loans(game, company_id, action.loans)
        memory.acquirers.append(company_id)
        for frame in game.state.flow:
            if frame.plan == "offer turn" and frame.entity == company_id and isinstance(frame.memory, TurnMemory):
                frame.memory.used.append(ACQUIRED)
        if auction.kind == "liquidation":
            liquidate(game, lot, company_id, auction.best)
        else:
            take_over(game, lot, company_id, auction.best)

    def _bank_bid(self, game: Game, auction: OpenCry) -> int:
        if auction.offered_by != auction.lots[0]:
            return 0
        return auction.least if title_state(game).is_victoria_dead else auction.least // 2


def take_over(game: Game, lot: CompanyId, buyer: CompanyId, amount: int) -> None:
    """Players and cousins are paid for their shares; the rest of the bid is lost; everything moves over (§8.4.3)."""
    company = game.company(lot)
    each = amount // companies.shares_in_play(company)
    payer = companies.treasury_owner(game, buyer)
    left = amount
    for owner in companies.share_owners(game, company):
        part = each * company.count_of(owner)
        pay(game, payer, owner, part, f"shares of {lot}")
        left -= part
    pay(game, payer, BANK, left, f"takeover of {lot}")
    game.emit(CompanyAcquired(lot, buyer, amount, each))
    transfer_assets(game, lot, buyer)


def _check_payment(game: Game, company: Company, action: Acquire) -> None:
    if companies.is_private(company) and (action.loans or action.shares):
        raise IllegalMove("A private company has neither loans nor shares to issue.", "1820 §8.4.3")
    if action.shares:
        check_issue(game, company.id, action.shares)
        if action.loans > companies.loans_to_take(company, action.shares):
            raise IllegalMove(
                "{company} cannot take {loans} loan(s) after that issue.", "1820 §17.2", company.id, action.loans
            )
    elif action.loans:
        companies.check_loan(game, company.id, action.loans)
    best = current_auction(game).best
    total = (
        companies.cash_of(game, company.id) + action.shares * companies.price(game, company.id) + action.loans * LOAN
    )
    if total < best:
        raise IllegalMove("{company} would have £{total} of £{best}.", "1820 §8.4.3", company.id, total, best)
