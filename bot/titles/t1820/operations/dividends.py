"""Dividends and what they do to prices (1820 §7.2.4, §16.2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import IPO, POOL, CompanyId, IllegalMove, Owner
from bot.engine.play import Game
from bot.engine.play.steps import log_idle, operating_turn, pay_parts, withhold
from bot.engine.state import Action, Company, Dividend
from bot.titles.t1820.companies import is_private, move_price, option_value, price, share_owners, size
from bot.titles.t1820.components import WITHHELD_OPTION


def pay_shares(game: Game, company: Company, revenue: int) -> None:
    """Round owners' parts up and the pool's down; the treasury's shares get the rest."""
    count = size(company)
    amounts: list[tuple[Owner, int]] = [
        (owner, -(-revenue * company.count_of(owner) // count)) for owner in share_owners(game, company)
    ]
    in_pool = revenue * company.count_of(POOL) // count
    left = revenue - in_pool - sum(amount for _, amount in amounts)
    if company.count_of(IPO) and left > 0:
        amounts.append((company.id, left))
    pay_parts(game, company.id, revenue, amounts, revenue // count)


def steps_for(game: Game, company: CompanyId, paid: int, has_train: bool) -> int:
    """Market spaces for a total dividend: one, two, four times the price move up; less moves down."""
    money = price(game, company)
    if paid >= money:
        return 3 if paid >= 4 * money else 2 if paid >= 2 * money else 1
    return -1 if has_train else -2


@dataclass(frozen=True)
class PayOrWithhold:
    """The director of a public company decides; a private company always pays."""

    name: str = "pay or withhold"
    verbs: tuple[type[Action], ...] = (Dividend,)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        return bool(operating_turn(game).revenue) and not is_private(game.company(company))

    def options(self, game: Game) -> Iterator[Action]:
        owner = game.actor_in_turn
        yield Dividend(owner, "pay")
        yield Dividend(owner, "withhold")

    def check(self, game: Game, action: Dividend) -> None:
        """Half dividends are refused."""
        if action.kind not in ("pay", "withhold"):
            raise IllegalMove("The revenue is paid or withheld.", "1820 §7.2.4")

    def apply(self, game: Game, action: Dividend) -> None:
        game.next_step()
        divide(game, CompanyId(action.by), action.kind == "pay")


def divide(game: Game, company_id: CompanyId, is_paid: bool) -> None:
    """Pay out or withhold the revenue; a payout moves the price (§16.2.3), and by option nothing else does."""
    company, turn = game.company(company_id), operating_turn(game)
    revenue = turn.revenue or 0
    log_idle(game)
    turn.used.append("dividend")
    company.operated = True
    has_train = bool(game.state.trains_of(company_id))
    if is_paid and revenue:
        pay_shares(game, company, revenue)
    elif revenue:
        withhold(game, company_id, revenue)
    stays = bool(revenue) and not is_paid and option_value(game, WITHHELD_OPTION) == "stays"
    if not is_private(company) and not stays:
        move_price(game, company_id, steps_for(game, company_id, revenue if is_paid else 0, has_train))


def divide_without_choice(game: Game) -> None:
    """Private companies pay; a company that earned nothing falls (§7.2.4)."""
    company_id = game.company_in_turn
    turn = operating_turn(game)
    if "dividend" not in turn.used:
        divide(game, company_id, is_private(game.company(company_id)))
