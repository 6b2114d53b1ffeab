"""Payments that must be made: shares are sold for them, players and cousins go bankrupt (1820 §10.2, §10.3, §17.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import BANK, POOL, CompanyId, Owner, PlayerId, is_player
from bot.engine.message import Text, joined, said
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import in_order
from bot.engine.play.holdings.money import pay
from bot.engine.play.steps.privates import close_private
from bot.engine.play.title import allowed
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, SellShares

from . import game_end
from .actions import Offer
from .companies import cash_of, director_of, give, is_private, is_public, move_price, player_of, put_into_liquidation
from .components import LOAN
from .state import special
from .stock.shares import after_loss, check_sale, most_to_sell, sell


def owe(game: Game, owner: Owner, amount: int, protected: CompanyId | None = None) -> None:
    """A required payment to the bank: at once as far as there is cash, the rest after selling shares."""
    memory = special(game)
    memory.debts[owner] = memory.debts.get(owner, 0) + amount
    if protected is not None:
        memory.protected[owner] = protected
    settle_debts(game)
    if memory.debts and not any(frame.plan == "debts" for frame in game.state.flow):
        game.push("debts")


def settle_debts(game: Game) -> None:
    """Whoever has the cash pays."""
    memory = special(game)
    for owner, amount in list(memory.debts.items()):
        if game.state.cash[owner] >= amount:
            pay(game, owner, BANK, amount, "a debt")
            del memory.debts[owner]
            memory.protected.pop(owner, None)


def owe_loans(game: Game, company_id: CompanyId, number: int) -> None:
    """Loans that must be repaid: from the treasury, then by the director; that costs a space (§17.3)."""
    company = game.company(company_id)
    director = director_of(game, company_id)
    if director is None or not number:
        return
    total = number * LOAN
    own = 0 if is_private(company) else min(total, cash_of(game, company_id))
    company.loans -= number
    pay(game, company_id, BANK, own, "repaid loans")
    move_price(game, company_id, number)
    if own < total:
        move_price(game, company_id, -1)
        owe(game, director, total - own, company_id)


def ruin(game: Game) -> None:
    """Who owes and has nothing to sell is bankrupt: for a player the game is over (§10.2), a cousin leaves (§10.3)."""
    memory = special(game)
    for owner in list(memory.debts):
        protected = memory.protected.get(owner)
        if any(most_to_sell(game, owner, company, protected) for company in game.state.companies):
            continue
        lacks = memory.debts[owner] - game.state.cash[owner]
        if is_player(owner):
            game.tell("{owner} lacks £{lacks}.", owner, lacks)
            memory.bankrupt.append(PlayerId(owner))
            game_end.finish(game, said("{player} is bankrupt", owner))
            return
        game.tell("{owner} lacks £{lacks} and is bankrupt.", owner, lacks)
        del memory.debts[owner]
        bury_cousin(game, owner)


def bury_cousin(game: Game, cousin: Owner) -> None:
    """Treasury to the bank, shares to the pool; companies that nobody directs go into liquidation (§10.3)."""
    state = game.state
    pay(game, cousin, BANK, state.cash[cousin], f"treasury of {cousin}")
    held = [company.id for company in state.companies.values() if company.count_of(cousin)]
    orphans = special(game).orphans
    for company_id in in_order(game, [one for one in held if state.companies[one].position is not None]):
        company = game.company(company_id)
        give(game, company, cousin, POOL, company.count_of(cousin))
        after_loss(game, company, cousin)
        if is_public(company) and director_of(game, company_id) is None:
            orphans.append(company_id)
    player = player_of(game, cousin)
    close_private(game, game.private(cousin))
    if len(orphans) > 1 and player is not None:
        game.push("orphans", None, asked=[player])
    for company_id in list(orphans) if len(orphans) == 1 else ():
        bury_company(game, company_id)


def bury_company(game: Game, company_id: CompanyId) -> None:
    """A company that a bankrupt cousin directed goes into liquidation, and is liquidated in the same round (§10.3)."""
    memory = special(game)
    memory.orphans.remove(company_id)
    put_into_liquidation(game, company_id, "its cousin is bankrupt")
    if game.state.round.kind == "issue":
        memory.to_liquidate.append(company_id)


@dataclass(frozen=True)
class OrderUndirectedCompanies:
    """The player of a bankrupt cousin says in which order several of its companies go into liquidation (§10.3)."""

    name: str = "name the company that is liquidated next"
    verbs: tuple[type[Action], ...] = (Offer,)

    def opens(self, game: Game) -> bool:
        return bool(special(game).orphans)

    def options(self, game: Game) -> Iterator[Action]:
        return (Offer(game.frame.asked[0], company) for company in special(game).orphans)

    def check(self, game: Game, action: Offer) -> None:
        if action.by != game.frame.asked[0] or action.company not in special(game).orphans:
            raise IllegalMove("The next is one of: {companies}.", "1820 §10.3", ", ".join(special(game).orphans))

    def apply(self, game: Game, action: Offer) -> None:
        """The last one needs no words."""
        bury_company(game, action.company)
        if len(special(game).orphans) == 1:
            bury_company(game, special(game).orphans[0])


def find_ruined(game: Game) -> None:
    """Whoever can pay has paid; whoever neither can nor has anything to sell is bankrupt."""
    settle_debts(game)
    ruin(game)


def ask_debtors(game: Game) -> None:
    """All players who owe, for themselves or for their cousins."""
    players = [player_of(game, owner) for owner in special(game).debts]
    game.frame.asked = list(dict.fromkeys(player for player in players if player is not None))


@dataclass(frozen=True)
class SellForDebts:
    """All who owe money sell shares of their choice, in any order, until they can pay. After each sale the bankrupt are
    looked for again."""

    name: str = "sell shares to pay"
    verbs: tuple[type[Action], ...] = (SellShares,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked) and not game.state.finished

    def asks(self, game: Game) -> Text:
        """Who lacks how much."""
        cash, debts = game.state.cash, special(game).debts
        lacks = (
            said("{owner} lacks £{sum}", game.state.name(owner), sum - cash[owner]) for owner, sum in debts.items()
        )
        return said("sell shares to pay ({lacking})", joined(", ", lacks))

    def options(self, game: Game) -> Iterator[Action]:
        """Every sale of everybody who owes."""
        for owner in special(game).debts:
            protected = special(game).protected.get(owner)
            for company in game.state.companies:
                for shares in range(1, most_to_sell(game, owner, company, protected) + 1):
                    yield from allowed(self, game, [SellShares(owner, company, shares)])

    def check(self, game: Game, action: SellShares) -> None:
        """Only who owes, and only what may be sold."""
        if action.by not in special(game).debts:
            raise IllegalMove("{by} owes nothing.", "1820 §10.2", game.state.name(action.by))
        check_sale(game, action.by, action.company, action.shares, special(game).protected.get(action.by))

    def apply(self, game: Game, action: SellShares) -> None:
        """Sell, and pay as soon as it is enough."""
        game.frame.at = 0
        owner, debt = action.by, special(game).debts[action.by]
        cash = game.state.cash[owner]
        sell(game, owner, action.company, action.shares)
        brought = game.state.cash[owner] - cash
        if cash + brought < debt:
            game.tell("{owner} still lacks £{lacks}.", owner, debt - cash - brought)
        elif brought < debt:
            template = "{owner} pays the £{debt} owed: £{brought} from the sale and £{rest} in hand."
            game.tell(template, owner, debt, brought, debt - brought)
        else:
            game.tell("{owner} pays the £{debt} owed out of the £{brought} from the sale.", owner, debt, brought)
