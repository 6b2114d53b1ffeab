"""Buying and selling shares, with everything that hangs on it (1820 §6.5.2.3, §6.5.2.4, §13.4, §14.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, IPO, POOL, CompanyId, IllegalMove, Owner, Text, is_permitted, is_player, join_or, msg
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.state import Action, Company, SharesBought, SharesSold
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import ChooseDirector
from bot.titles.t1820.components import BRITISH_RAIL, MOST_HELD, VIGNOLES
from bot.titles.t1820.state import title_state

# -- selling (§6.5.2.3) -------------------------------------------------------------------------------


def check_sale(game: Game, seller: Owner, company_id: CompanyId, shares: int, protected: CompanyId | None) -> None:
    """Raise the refusal of a sale to the pool. It may not change control of the `protected` company."""
    company = known_company(game, company_id)
    memory, in_stock_round = title_state(game), game.state.round.kind == "stock"
    held = company.count_of(seller)
    if not 1 <= shares <= held:
        sentence = "{seller} holds {held} share(s) of {company}, not {shares}."
        raise IllegalMove(sentence, "1820 §6.5.2.3", game.state.name(seller), held, company_id, shares)
    if company.position is None:
        raise IllegalMove("{company} is private; it has no shares to sell.", "1820 §13.2", company_id)
    if companies.is_in_liquidation(company):
        raise IllegalMove("{company} is in liquidation; its shares cannot be sold.", "1820 §10.7", company_id)
    if in_stock_round and memory.floated_in.get(company_id) == game.state.round.number:
        raise IllegalMove("{company} was floated in this stock round.", "1820 §6.5.2.3", company_id)
    if in_stock_round and memory.enlarged_in.get(company_id) == game.state.round.number:
        raise IllegalMove("{company} has increased its share count this stock round.", "1820 §6.5.2.3", company_id)
    if held == shares and companies.share_owners(game, company) == [seller]:
        raise IllegalMove("At least one player or cousin must keep a share of {company}.", "1820 §6.5.2.3", company_id)
    is_director = companies.director_of(game, company_id) == seller and company_id == protected
    if is_director and companies.next_directors(game, company, seller, held - shares) != [seller]:
        raise IllegalMove("This sale must not change control of {company}.", "1820 §7.2.7", company_id)


def most_to_sell(game: Game, seller: Owner, company_id: CompanyId, protected: CompanyId | None = None) -> int:
    for shares in range(game.company(company_id).count_of(seller), 0, -1):
        try:
            check_sale(game, seller, company_id, shares, protected)
        except IllegalMove:
            continue
        return shares
    return 0


def sell(game: Game, seller: Owner, company_id: CompanyId, shares: int) -> None:
    """Sell to the pool at the current price; the price does not move, the charter may."""
    company = game.company(company_id)
    money = companies.price(game, company_id) * shares
    companies.transfer_shares(game, company, seller, POOL, shares)
    pay(game, BANK, seller, money, f"shares of {company_id}")
    game.emit(SharesSold(seller, company_id, shares * (100 // companies.size(company)), money))
    if game.state.round.kind == "stock":
        title_state(game).sold.setdefault(seller, []).append(company_id)
    after_loss(game, company, seller)


def after_loss(game: Game, company: Company, seller: Owner) -> None:
    """A seller with fewer shares than before may have to hand the charter on."""
    if companies.director_of(game, company.id) != seller:
        return
    candidates = companies.next_directors(game, company, seller, company.count_of(seller))
    companies.set_director(game, company, candidates[0] if candidates else None)
    chooser = companies.player_of(game, seller)
    if len(candidates) > 1 and chooser is not None:
        game.push("choose director", company.id, asked=[chooser])


# -- buying (§6.5.2.4) --------------------------------------------------------------------------------


def check_purchase(game: Game, buyer: Owner, company_id: CompanyId, source: Owner) -> None:
    """Raise the refusal of a purchase of a single share from the treasury (`ipo`), the pool or an owner."""
    company = known_company(game, company_id)
    check_room(game, buyer, company)
    if source == buyer or company.count_of(source) < 1:
        places: dict[Owner, Text] = {IPO: msg("{company}'s treasury", company_id), POOL: msg("the pool")}
        where = places.get(source, game.state.name(source))
        raise IllegalMove(
            "There is no such share of {company} to buy from {holder}.", "1820 §6.5.2.4", company_id, where
        )
    cost, cash = companies.price(game, company_id), game.state.cash[buyer]
    if cost > cash:
        raise IllegalMove("That costs £{cost}; {buyer} has £{cash}.", "1820 §6.5.1", cost, game.state.name(buyer), cash)


def check_room(game: Game, buyer: Owner, company: Company) -> None:
    """Raise the refusal of another share of the company for the buyer, from any owner."""
    if company.position is None:
        raise IllegalMove("{company} has no shares for sale.", "1820 §6.5.2.4", company.id)
    if companies.is_in_liquidation(company):
        raise IllegalMove("{company} is in liquidation; its shares cannot be bought.", "1820 §10.7", company.id)
    if company.id in title_state(game).sold.get(buyer, []):
        raise IllegalMove(
            "{buyer} sold {company} in this stock round.", "1820 §6.5.2.4", game.state.name(buyer), company.id
        )
    check_holding(game, buyer, company.id, company.percent_held_by(buyer), 1, companies.size(company))


def can_take(game: Game, buyer: Owner, company: Company) -> bool:
    """Whether the buyer may hold another share of the company and has its price, from any owner."""
    has_room = is_permitted(check_room, game, buyer, company)
    return has_room and companies.price(game, company.id) <= game.state.cash[buyer]


def most_to_hold(percent: int, count: int) -> int:
    """The number of a company's `count` shares that an owner of `percent` may buy: until 60% is reached; the last share
    may exceed it.
    """
    return max(0, -((percent - MOST_HELD) // (100 // count)))


def check_holding(game: Game, buyer: Owner, company: CompanyId, percent: int, shares: int, count: int) -> None:
    """Refuse a purchase when 60% is held; the last share may exceed it."""
    if shares > most_to_hold(percent, count):
        sentence = "Holders of {limit}% of {company} may not buy more of it ({buyer})."
        raise IllegalMove(sentence, "1820 §6.5.2.4", MOST_HELD, company, game.state.name(buyer))


def buy(game: Game, buyer: Owner, company_id: CompanyId, source: Owner, shares: int = 1) -> None:
    """Exchange shares and money: the treasury, the bank or the former owner is paid."""
    company = game.company(company_id)
    money = companies.price(game, company_id) * shares
    payee = {IPO: company_id, POOL: BANK}.get(source, source)
    companies.transfer_shares(game, company, source, buyer, shares)
    pay(game, buyer, payee, money, f"shares of {company_id}")
    game.emit(SharesBought(buyer, company_id, source, shares * (100 // companies.size(company)), money))
    if source not in (IPO, POOL):
        after_loss(game, company, source)
    if company_id != BRITISH_RAIL:
        companies.after_purchase(game, company, buyer)
    if buyer == VIGNOLES:
        halve_fee(game, company_id)


def halve_fee(game: Game, company_id: CompanyId) -> None:
    """If Vignoles holds a share, halve the distance fee that the company paid in this stock round (§14.3.1)."""
    fee = title_state(game).fees.pop(company_id, 0)
    director = companies.director_of(game, company_id)
    if fee and director is not None:
        pay(game, BANK, director, fee // 2, "half of the distance fee")
        pay(game, BANK, VIGNOLES, fee // 2, "half of the distance fee")
        game.log(
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
    name: str = "choose the director"
    verbs: tuple[type[Action], ...] = (ChooseDirector,)

    def opens(self, game: Game) -> bool:
        """Until a choice was made, while there is a choice: cousins may have closed meanwhile."""
        return bool(game.frame.asked) and len(self._tied_cousins(game, game.company(game.company_in_turn))) > 1

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company(game.company_in_turn)
        for cousin in self._tied_cousins(game, company):
            yield ChooseDirector(game.frame.asked[0], company.id, cousin)  # type: ignore[arg-type]

    def _tied_cousins(self, game: Game, company: Company) -> list[Owner]:
        most = max((company.count_of(owner) for owner in companies.share_owners(game, company)), default=0)
        return [
            owner
            for owner in companies.share_owners(game, company)
            if not is_player(owner) and company.count_of(owner) == most
        ]

    def check(self, game: Game, action: ChooseDirector) -> None:
        company = game.company(game.company_in_turn)
        if action.company != company.id or action.cousin not in self._tied_cousins(game, company):
            names = join_or(self._tied_cousins(game, company))
            raise IllegalMove("The director of {company} can be {players}.", "1820 §13.4", company.id, names)

    def apply(self, game: Game, action: ChooseDirector) -> None:
        game.frame.asked = []
        companies.set_director(game, game.company(action.company), action.cousin)
        game.next_step()
