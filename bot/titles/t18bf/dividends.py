"""The use of earnings: minors halve them, publics and systems pay all, half or nothing (18BF §10.7)."""

from __future__ import annotations

from functools import partial

from bot.engine import IPO, CompanyId
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, price_of
from bot.engine.play.steps import distribute, dividend_per_share, split_earnings

from .company_closure import fall, rise
from .state import kind_of


def split_minor_earnings(game: Game) -> None:
    """Half to the owner, half to the treasury; one space right, or left without earnings."""
    split_earnings(game, lambda game, company, half: (rise if half else fall)(game, company))


def sum_paid(kind: str, revenue: int) -> int:
    """Full earnings, nothing, or half rounded up to the next multiple of £10."""
    if kind == "half":
        return -(-revenue // 20) * 10
    return revenue if kind == "pay" else 0


share_out = partial(distribute, earns_for=IPO)
"""Pay players, and the company for its treasury's shares; the pool's part is lost."""


def on_dividend(game: Game, company: CompanyId, paid: int) -> None:
    """Left if nothing was paid; right if ten dividends reach the price; systems twice in phase 8 for twice the price."""
    if not paid:
        fall(game, company)
        return
    price, yielded = price_of(game, company), 10 * dividend_per_share(game, company, paid)
    if kind_of(company) == "system" and has_phase_begun(game, "8") and yielded >= 2 * price:
        rise(game, company, 2)
    elif yielded >= price:
        rise(game, company)
