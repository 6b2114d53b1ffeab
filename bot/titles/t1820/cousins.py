"""The powers that cousins grant to the public companies whose shares they hold, and how they close (1820 §14)."""

from __future__ import annotations

from bot.engine import BANK, CompanyId, PrivateId
from bot.engine.play import Game
from bot.engine.play.holdings import pay, sort_by_price
from bot.engine.play.steps import close_private
from bot.engine.state import PhaseBegan

from .companies import director_of, is_public, price, put_into_liquidation
from .state import title_state
from .stock.shares import sell


def investment(game: Game, cousin: PrivateId, company: CompanyId) -> int:
    """The number of shares of a public company that the cousin holds; 0 if the cousin is not in the game."""
    record = game.state.privates.get(cousin)
    if record is None or record.closed or record.owner is None or not is_public(game.company(company)):
        return 0
    return game.company(company).count_of(cousin)


def has_ability(game: Game, cousin: PrivateId, company: CompanyId) -> bool:
    return investment(game, cousin, company) > 0


def times_used(game: Game, cousin: PrivateId, company: CompanyId) -> int:
    return title_state(game).uses.get(f"{cousin} {company}", 0)


def count_use(game: Game, cousin: PrivateId, company: CompanyId) -> None:
    title_state(game).uses[f"{cousin} {company}"] = times_used(game, cousin, company) + 1


def close_cousins(game: Game, event: PhaseBegan) -> None:
    """In the red phase cousins sell everything; half of what they have goes to their player (§14.1). A company without
    a director then goes into liquidation, as after a cousin's bankruptcy (§10.3).
    """
    if event.phase != "red":
        return
    state = game.state
    for cousin in list(state.privates.values()):
        if cousin.closed or cousin.owner is None:
            continue
        held = [one.id for one in state.companies.values() if one.count_of(cousin.id) and one.position is not None]
        for company_id in sort_by_price(game, held):
            company = game.company(company_id)
            if price(game, company_id):
                sell(game, cousin.id, company_id, company.count_of(cousin.id))
            if is_public(company) and director_of(game, company_id) is None:
                put_into_liquidation(game, company_id, "nobody directs it")
        money = state.cash[cousin.id]
        pay(game, cousin.id, cousin.owner, -(-money // 2), f"half of {cousin.id}'s treasury")
        pay(game, cousin.id, BANK, state.cash[cousin.id], f"treasury of {cousin.id}")
        close_private(game, cousin)
