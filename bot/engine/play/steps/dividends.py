"""The use of the revenue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner
from bot.engine.play import Game
from bot.engine.play.holdings import pay, president_of, share_unit
from bot.engine.state import Action, Dividend, DividendPaid, EarnedNothing, RevenueWithheld, TurnMemory


@dataclass(frozen=True)
class PayDividend:
    """Decide over the revenue: one of `kinds`.

    `after(game, company, paid)` moves the price, `paid` being the sum that went to the shares; `share_out(game,
    company, revenue)` gives the shares their parts; `paid(kind, revenue)` is the sum for the shares, the company keeps
    the rest.
    """

    after: Callable[[Game, CompanyId, int], None]
    section: str
    kinds: tuple[str, ...] = ("pay", "withhold")
    share_out: Callable[[Game, CompanyId, int], None] = lambda game, company, revenue: distribute(
        game, company, revenue
    )
    paid: Callable[[str, int], int] = lambda kind, revenue: 0 if kind == "withhold" else revenue
    name: str = "pay or withhold"
    verbs: tuple[type[Action], ...] = (Dividend,)

    def opens(self, game: Game) -> bool:
        return bool(operating_turn(game).revenue)

    def options(self, game: Game) -> Iterator[Action]:
        owner = game.actor_in_turn
        return (Dividend(owner, kind) for kind in self.kinds)  # type: ignore[arg-type]

    def check(self, game: Game, action: Dividend) -> None:
        if action.kind not in self.kinds:
            raise IllegalMove("Possible uses of the revenue: {kinds}.", self.section, ", ".join(self.kinds))

    def apply(self, game: Game, action: Dividend) -> None:
        company = CompanyId(action.by)
        revenue = operating_turn(game).revenue or 0
        paid = self.paid(action.kind, revenue)
        game.next_step()
        if paid < revenue:
            withhold(game, company, revenue - paid)
        if paid:
            self.share_out(game, company, paid)
        self.after(game, company, paid)

    def handle_no_revenue(self, game: Game) -> None:
        """An automatic step: the price of a company that earned nothing falls as if it withheld."""
        if not operating_turn(game).revenue:
            log_idle(game)
            self.after(game, game.company_in_turn, 0)


def operating_turn(game: Game) -> TurnMemory:
    return game.memory(TurnMemory)


def log_idle(game: Game) -> None:
    """Say that the company in turn earns nothing if no train ran."""
    if operating_turn(game).revenue is None:
        game.emit(EarnedNothing(game.company_in_turn))


def withhold(game: Game, company: CompanyId, revenue: int) -> None:
    pay(game, BANK, company, revenue, "revenue")
    game.emit(RevenueWithheld(company, revenue))


def split_earnings(game: Game, after: Callable[[Game, CompanyId, int], None]) -> None:
    """For a minor in turn: half to its owner, half to its treasury; then `after` moves the price, as of `PayDividend`."""
    company, revenue = game.company_in_turn, operating_turn(game).revenue or 0
    owner = president_of(game.company(company))
    half = revenue // 2 if owner is not None else 0
    if owner is None or not revenue:
        log_idle(game)
    else:
        pay(game, BANK, owner, half, f"earnings of {company}")
        pay(game, BANK, company, half, "earnings")
        game.emit(DividendPaid(company, half, half, ((owner, half),)))
        game.emit(RevenueWithheld(company, half))
    after(game, company, half)


def dividend_per_share(game: Game, company: CompanyId, revenue: int) -> int:
    """For the smallest share, rounded down."""
    return revenue * share_unit(game.company(company)) // 100


def whole_shares(revenue: int, percent: int, unit: int) -> int:
    """The part of `percent` of a company, whose smallest share is `unit` percent and gets whole money."""
    return revenue * unit // 100 * percent // unit


def distribute(
    game: Game,
    company: CompanyId,
    revenue: int,
    earns_for: Owner | None = None,
    part: Callable[[int, int, int], int] = whole_shares,
) -> None:
    """Every share held by a player earns its part, those with `earns_for` (pool, ipo) for the company; the bank keeps
    the rest. `part(revenue, percent, unit)` is the amount for that many percent."""
    record = game.company(company)
    holders: list[tuple[Owner, Owner]] = [(owner, owner) for owner in game.state.cash if owner.startswith("@")]
    if earns_for is not None:
        holders.append((earns_for, company))
    held = [(earner, percent) for holder, earner in holders if (percent := record.percent_held_by(holder))]
    pay_parts(
        game, company, revenue, [(earner, part(revenue, percent, share_unit(record))) for earner, percent in held]
    )


def pay_parts(
    game: Game,
    company: CompanyId,
    revenue: int,
    parts: Iterable[tuple[Owner, int]],
    each: int | None = None,
    and_half: bool = False,
) -> None:
    """Pay a dividend from the bank. `each` is the sum named for one share if not that of `dividend_per_share`; `and_half`
    adds half a coin to it.
    """
    amounts = tuple(parts)
    for owner, amount in amounts:
        pay(game, BANK, owner, amount, f"dividend of {company}")
    told = dividend_per_share(game, company, revenue) if each is None else each
    game.emit(DividendPaid(company, revenue, told, amounts, and_half))
