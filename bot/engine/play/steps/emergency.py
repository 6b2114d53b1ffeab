"""Money that must be found: shares sold for it, what presidents add of their own, bankruptcy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner, PlayerId, StockSections, Text, is_permitted, msg, require
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import (
    choose_certificates,
    ordinary_certificates,
    pay,
    president_of,
    price_of,
    share_unit,
    sort_by_price,
)
from bot.engine.state import Action, Company, Contributed, DeclareBankruptcy, SellShares, WentBankrupt

from .rounds import end_game
from .stock import check_sale, possible_sales, sell


@dataclass(frozen=True, kw_only=True)
class EmergencySaleRules:
    """How shares are sold by who needs money.

    `lower_price_after_sale(game, company, percent)` moves the price, `sale_price(game, company)` is what a share brings;
    `may_dethrone(game, company)` whether such a sale may change who directs that company; `sold(game)` lists whose shares
    have been sold for the same need, where those of one company are sold together. `section` is quoted for that and for
    what is not needed, `sections` for what is never sold.
    """

    section: str
    sections: StockSections
    lower_price_after_sale: Callable[[Game, CompanyId, int], None]
    sale_price: Callable[[Game, CompanyId], int] = price_of
    may_dethrone: Callable[[Game, CompanyId], bool] = lambda game, company: False
    sold: Callable[[Game], list[CompanyId]] = lambda game: []

    def list_sales(self, game: Game, seller: PlayerId) -> Iterator[SellShares]:
        for company in game.state.companies.values():
            if not company.closed:
                yield from possible_sales(company, seller)

    def check(self, game: Game, seller: PlayerId, sale: SellShares) -> None:
        if sale.company not in game.state.companies or game.company(sale.company).closed:
            raise IllegalMove("Company {company} is not in play.", "", sale.company)
        if sale.company in self.sold(game):
            sentence = "You have already sold {company} for this train; sell all shares of a company together."
            raise IllegalMove(sentence, self.section, sale.company)
        may_dethrone = self.may_dethrone(game, sale.company)
        check_sale(game, seller, sale.company, sale.shares, self.sections, may_dethrone, sale.doubles)

    def execute_sale(self, game: Game, seller: PlayerId, sale: SellShares) -> None:
        percent = sell(game, seller, sale.company, sale.shares, sale.doubles, self.sale_price(game, sale.company))
        self.sold(game).append(sale.company)
        self.lower_price_after_sale(game, sale.company, percent)

    def proceeds(self, game: Game, sale: SellShares) -> int:
        return sale.shares * self.sale_price(game, sale.company)

    def largest_sales(self, game: Game, seller: PlayerId) -> list[SellShares]:
        found: dict[CompanyId, SellShares] = {}
        for sale in self.list_sales(game, seller):
            if not takes_singles_first(game.company(sale.company), seller, sale) or not price_of(game, sale.company):
                continue
            if is_permitted(self.check, game, seller, sale):
                found[sale.company] = max(found.get(sale.company, sale), sale, key=lambda one: one.shares)
        return list(found.values())


def takes_singles_first(company: Company, player: PlayerId, sale: SellShares) -> bool:
    """Whether a sale takes double certificates only after all single certificates."""
    unit, own = share_unit(company), ordinary_certificates(company, player)
    found = choose_certificates(own, unit, sale.shares, sale.doubles) or ()
    singles = sum(certificate.percent == unit for certificate in found)
    return singles in (len(found), sum(certificate.percent == unit for certificate in own))


@dataclass(frozen=True, kw_only=True)
class EmergencyShareSale:
    """The player who decides for the owner in turn sells their own shares, no more than are needed.

    A company in turn names the shares: `FNM sell 2 MOB`. `lacking(game, owner)` is the money that is still lacking, or
    raises the refusal where none is.
    """

    name: str
    sales: EmergencySaleRules
    lacking: Callable[[Game, Owner], int]
    verbs: tuple[type[Action], ...] = (SellShares,)

    opens = has_options

    def prompt(self, game: Game) -> Text:
        owner = game.actor_in_turn
        lacking = game.title.money(self.lacking(game, owner))
        return msg("{what} ({owner} lacks {lacking})", msg(self.name), game.state.name(owner), lacking)

    def options(self, game: Game) -> Iterator[Action]:
        owner = game.actor_in_turn
        seller = game.controller_of(owner)
        if seller is None or not is_permitted(self.lacking, game, owner):
            return
        possible = self.sales.list_sales(game, seller)
        yield from filter_allowed(
            self, game, (SellShares(owner, one.company, one.shares, one.doubles) for one in possible)
        )

    def check(self, game: Game, action: SellShares) -> None:
        """One share fewer would not be enough."""
        lacking = self.lacking(game, action.by)
        self.sales.check(game, paying_president(game, action.by), action)
        if (action.shares - 1) * self.sales.sale_price(game, action.company) >= lacking:
            raise IllegalMove("Selling fewer shares is enough.", self.sales.section)

    def apply(self, game: Game, action: SellShares) -> None:
        self.sales.execute_sale(game, paying_president(game, action.by), action)


def paying_president(game: Game, owner: Owner) -> PlayerId:
    """:raises ValueError: nobody decides for the owner."""
    return require(game.controller_of(owner), f"nobody decides for {owner}")


def add_president_cash(game: Game, company: CompanyId, price: int) -> int:
    """Let the president add what the company lacks to pay the price. Returns what is still lacking."""
    president = president_of(game.company(company))
    shortage = max(0, price - game.state.cash[company])
    own = min(shortage, game.state.cash[president]) if president else 0
    if own and president:
        game.emit(Contributed(president, company, own))
        pay(game, president, company, own, "train")
    return shortage - own


@dataclass(frozen=True, kw_only=True)
class GoBankrupt:
    """A president who cannot pay for the train that the company must own, even after selling everything, gives up: the game
    ends.

    `price(game, company)` is the train's price, or raises the refusal where none must be bought; `is_shown(game,
    company)` whether giving up is listed among the moves.
    """

    sales: EmergencySaleRules
    price: Callable[[Game, CompanyId], int]
    is_shown: Callable[[Game, CompanyId], bool] = lambda game, company: True
    name: str = "go bankrupt"
    verbs: tuple[type[Action], ...] = (DeclareBankruptcy,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        if self.is_shown(game, game.company_in_turn):
            yield from filter_allowed(self, game, [DeclareBankruptcy(game.actor_in_turn)])

    def check(self, game: Game, action: DeclareBankruptcy) -> None:
        company = CompanyId(action.by)
        price, president = self.price(game, company), game.controller_of(company)
        if president is None or game.state.cash[company] >= price:
            raise IllegalMove("{company} is not forced to buy a train it cannot afford.", self.sales.section, company)
        sellable = sum(self.sales.proceeds(game, sale) for sale in self.sales.largest_sales(game, president))
        worth = game.state.cash[company] + game.state.cash[president] + sellable
        if worth >= price:
            sentence = "{company} and its {word} can raise {worth}; a train costs {price}."
            word, money = msg(game.title.director_word), game.title.money
            raise IllegalMove(sentence, self.sales.section, company, word, money(worth), money(price))

    def apply(self, game: Game, action: DeclareBankruptcy) -> None:
        """Everything that can be sold is sold, the highest price first; the money goes to the bank."""
        president = paying_president(game, action.by)
        held = [one.id for one in game.state.companies.values() if one.percent_held_by(president) and one.position]
        for company in sort_by_price(game, held):
            for sale in self.sales.largest_sales(game, president):
                if sale.company == company:
                    self.sales.execute_sale(game, president, sale)
        pay(game, president, BANK, game.state.cash[president], "bankruptcy")
        game.emit(WentBankrupt(president))


def end_by_bankruptcy(game: Game, event: WentBankrupt) -> None:
    end_game(game, msg("{player} is bankrupt", event.player))
