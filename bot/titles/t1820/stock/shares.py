"""Buying and selling shares, with everything that hangs on it (1820 §6.5.2.3, §6.5.2.4, §13.4, §14.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import BANK, IPO, POOL, CompanyId, Owner, is_player
from bot.engine.message import Text, either, said
from bot.engine.play.game import Game
from bot.engine.play.holdings.money import pay
from bot.engine.refusals import IllegalMove, permits
from bot.engine.state.actions import Action
from bot.engine.state.events import SharesBought, SharesSold
from bot.engine.state.state import Company
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import ChooseDirector
from bot.titles.t1820.components import BRITISH_RAIL, MOST_HELD, VIGNOLES
from bot.titles.t1820.state import special

# -- selling (§6.5.2.3) -------------------------------------------------------------------------------


def check_sale(game: Game, seller: Owner, company_id: CompanyId, shares: int, protected: CompanyId | None) -> None:
    """Raise the refusal against a sale to the pool. Control of the `protected` company may not change by it."""
    company = known_company(game, company_id)
    memory, in_stock_round = special(game), game.state.round.kind == "stock"
    held = company.count_of(seller)
    if not 1 <= shares <= held:
        sentence = "{seller} holds {held} share(s) of {company}, not {shares}."
        raise IllegalMove(sentence, "1820 §6.5.2.3", game.state.name(seller), held, company_id, shares)
    if company.position is None:
        raise IllegalMove("{company} is private; it has no shares to sell.", "1820 §13.2", company_id)
    if companies.in_liquidation(company):
        raise IllegalMove("{company} is in liquidation; its shares cannot be sold.", "1820 §10.7", company_id)
    if in_stock_round and memory.floated_in.get(company_id) == game.state.round.number:
        raise IllegalMove("{company} was floated in this stock round.", "1820 §6.5.2.3", company_id)
    if in_stock_round and memory.enlarged_in.get(company_id) == game.state.round.number:
        raise IllegalMove("{company} has increased its share count this stock round.", "1820 §6.5.2.3", company_id)
    if held == shares and companies.share_owners(game, company) == [seller]:
        raise IllegalMove("At least one player or cousin must keep a share of {company}.", "1820 §6.5.2.3", company_id)
    is_director = companies.director_of(game, company_id) == seller and company_id == protected
    if is_director and companies.heirs(game, company, seller, held - shares) != [seller]:
        raise IllegalMove("This sale may not change the control of {company}.", "1820 §7.2.7", company_id)


def most_to_sell(game: Game, seller: Owner, company_id: CompanyId, protected: CompanyId | None = None) -> int:
    """How many shares of the company the owner could sell now."""
    for shares in range(game.company(company_id).count_of(seller), 0, -1):
        try:
            check_sale(game, seller, company_id, shares, protected)
        except IllegalMove:
            continue
        return shares
    return 0


def sell(game: Game, seller: Owner, company_id: CompanyId, shares: int) -> None:
    """To the pool at the present price; the price does not move, the charter may."""
    company = game.company(company_id)
    money = companies.price(game, company_id) * shares
    companies.give(game, company, seller, POOL, shares)
    pay(game, BANK, seller, money, f"shares of {company_id}")
    game.happened(SharesSold(seller, company_id, shares * (100 // companies.size(company)), money))
    if game.state.round.kind == "stock":
        special(game).sold.setdefault(seller, []).append(company_id)
    after_loss(game, company, seller)


def after_loss(game: Game, company: Company, seller: Owner) -> None:
    """Somebody has fewer shares than before: a director may have to hand the charter on."""
    if companies.director_of(game, company.id) != seller:
        return
    candidates = companies.heirs(game, company, seller, company.count_of(seller))
    companies.set_director(game, company, candidates[0] if candidates else None)
    chooser = companies.player_of(game, seller)
    if len(candidates) > 1 and chooser is not None:
        game.push("choose director", company.id, asked=[chooser])


# -- buying (§6.5.2.4) --------------------------------------------------------------------------------


def check_purchase(
    game: Game, buyer: Owner, company_id: CompanyId, source: Owner, shares: int = 1, money: int | None = None
) -> None:
    """Raise the refusal against buying shares one by one from the treasury (`ipo`), the pool or an owner."""
    company = known_company(game, company_id)
    check_room(game, buyer, company, shares)
    if source == buyer or company.count_of(source) < shares:
        places: dict[Owner, Text] = {IPO: said("{company}'s treasury", company_id), POOL: said("the pool")}
        where = places.get(source, game.state.name(source))
        raise IllegalMove(
            "There is no such share of {company} to buy from {holder}.", "1820 §6.5.2.4", company_id, where
        )
    cost = companies.price(game, company_id) * shares
    cash = game.state.cash[buyer] if money is None else money
    if cost > cash:
        raise IllegalMove("That costs £{cost}; {buyer} has £{cash}.", "1820 §6.5.1", cost, game.state.name(buyer), cash)


def check_room(game: Game, buyer: Owner, company: Company, shares: int) -> None:
    """Raise the refusal against this buyer holding more of the company."""
    if company.position is None:
        raise IllegalMove("{company} has no shares for sale.", "1820 §6.5.2.4", company.id)
    if companies.in_liquidation(company):
        raise IllegalMove("{company} is in liquidation; its shares cannot be bought.", "1820 §10.7", company.id)
    if company.id in special(game).sold.get(buyer, []):
        raise IllegalMove(
            "{buyer} sold {company} in this stock round.", "1820 §6.5.2.4", game.state.name(buyer), company.id
        )
    check_holding(game, buyer, company.id, company.held_by(buyer), shares, companies.size(company))


def can_take(game: Game, buyer: Owner, company: Company) -> bool:
    """Whether the buyer may hold one share more of the company and has its price, wherever the share lies."""
    has_room = permits(check_room, game, buyer, company, 1)
    return has_room and companies.price(game, company.id) <= game.state.cash[buyer]


def most_to_hold(percent: int, count: int) -> int:
    """How many of a company's `count` shares somebody may buy who holds so much: until he holds 60%; the last may go
    beyond it."""
    return max(0, -((percent - MOST_HELD) // (100 // count)))


def check_holding(game: Game, buyer: Owner, company: CompanyId, percent: int, shares: int, count: int) -> None:
    """Raise the refusal against buying when 60% is held; the last share may go beyond it."""
    if shares > most_to_hold(percent, count):
        sentence = "Holders of {limit}% of {company} may not buy more of it ({buyer})."
        raise IllegalMove(sentence, "1820 §6.5.2.4", MOST_HELD, company, game.state.name(buyer))


def buy(game: Game, buyer: Owner, company_id: CompanyId, source: Owner, shares: int = 1) -> None:
    """Shares and money change hands: the treasury, the bank or the former owner is paid."""
    company = game.company(company_id)
    money = companies.price(game, company_id) * shares
    payee = {IPO: company_id, POOL: BANK}.get(source, source)
    companies.give(game, company, source, buyer, shares)
    pay(game, buyer, payee, money, f"shares of {company_id}")
    game.happened(SharesBought(buyer, company_id, source, shares * (100 // companies.size(company)), money))
    if source not in (IPO, POOL):
        after_loss(game, company, source)
    if company_id != BRITISH_RAIL:
        companies.after_purchase(game, company, buyer)
    if buyer == VIGNOLES:
        halve_fee(game, company_id)


def halve_fee(game: Game, company_id: CompanyId) -> None:
    """Vignoles holds a share of a company that paid a distance fee in this stock round (§14.3.1)."""
    fee = special(game).fees.pop(company_id, 0)
    director = companies.director_of(game, company_id)
    if fee and director is not None:
        pay(game, BANK, director, fee // 2, "half of the distance fee")
        pay(game, BANK, VIGNOLES, fee // 2, "half of the distance fee")
        game.tell(
            "Vignoles brings {director} £{amount} of {company}'s distance fee back.", director, fee // 2, company_id
        )


def known_company(game: Game, company_id: CompanyId) -> Company:
    """The record of a company in play.

    :raises IllegalMove: it is not in play.
    """
    company = game.state.companies.get(company_id)
    if company is None or not companies.is_in_play(company):
        raise IllegalMove("Company {company} is not in play.", "", company_id)
    return company


# -- choosing among cousins (§13.4) -------------------------------------------------------------------


@dataclass(frozen=True)
class ChooseCousin:
    """The seller names which of the tied cousins directs the company now."""

    name: str = "choose the director"
    verbs: tuple[type[Action], ...] = (ChooseDirector,)

    def opens(self, game: Game) -> bool:
        """Until a choice was made, while there is one: cousins may have closed meanwhile."""
        return bool(game.frame.asked) and len(self._tied(game, game.company(game.company_in_turn))) > 1

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company(game.company_in_turn)
        for cousin in self._tied(game, company):
            yield ChooseDirector(game.frame.asked[0], company.id, cousin)  # type: ignore[arg-type]

    def _tied(self, game: Game, company: Company) -> list[Owner]:
        most = max((company.count_of(owner) for owner in companies.share_owners(game, company)), default=0)
        return [
            owner
            for owner in companies.share_owners(game, company)
            if not is_player(owner) and company.count_of(owner) == most
        ]

    def check(self, game: Game, action: ChooseDirector) -> None:
        """One of them, and of no other company."""
        company = game.company(game.company_in_turn)
        if action.company != company.id or action.cousin not in self._tied(game, company):
            names = either(self._tied(game, company))
            raise IllegalMove("The director of {company} can be {players}.", "1820 §13.4", company.id, names)

    def apply(self, game: Game, action: ChooseDirector) -> None:
        game.frame.asked = []
        companies.set_director(game, game.company(action.company), action.cousin)
        game.next_step()
