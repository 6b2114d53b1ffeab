"""The ledger of companies by operating round, from a replay of a game's moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.engine import CompanyId, Owner
from bot.engine.play import Game, Title
from bot.engine.play.holdings import price_of
from bot.engine.state import DividendPaid, Event, Paid, RevenueWithheld

from .game_record import GameRecordFile
from .history import round_label, split_at_new_round

OPERATING = "operating"


@dataclass(frozen=True)
class CompanyRound:
    """A company in an operating round: the revenue that it `paid` out and `withheld` (None: it had no turn to do so), and its
    price, treasury and trains at the end of the round.
    """

    label: str
    paid: int | None
    withheld: int | None
    price: int | None
    treasury: int
    trains: tuple[str, ...]


Ledger = dict[CompanyId, list[CompanyRound]]


def build_ledger(title: Title, course: GameRecordFile) -> Ledger:
    """Replay the game; of the operating round under way as it stands now.

    :raises Rejected: a move is not legal by the rules that the course names.
    """
    found: Ledger = {}
    earned: list[Event] = []
    label, is_operating = "", False
    game: Game | None = None
    for game, events in course.positions(title):
        now = round_label(game)
        ended, begun = (events, []) if now == label else split_at_new_round(events)
        earned += ended
        if now != label:
            if is_operating:
                add_lines(found, label, game, earned, begun)
            earned = [*begun]
        label, is_operating = now, game.state.round.kind == OPERATING
    if game is not None and is_operating:
        add_lines(found, label, game, earned, ())
    return found


def add_lines(found: Ledger, label: str, game: Game, earned: Iterable[Event], later: Iterable[Event]) -> None:
    """A line for each company that has begun, and for those closed since they earned. Payments of the round that has begun since are `later`: they are taken off."""
    paid: dict[Owner, int] = {}
    withheld: dict[Owner, int] = {}
    for event in earned:
        if isinstance(event, DividendPaid):
            paid[event.company] = paid.get(event.company, 0) + event.revenue
        elif isinstance(event, RevenueWithheld):
            withheld[event.company] = withheld.get(event.company, 0) + event.revenue
    for company in game.state.companies.values():
        has_earned = company.id in paid or company.id in withheld
        if not has_earned and (company.closed or not (company.floated or company.position)):
            continue
        treasury = game.state.cash.get(company.id, 0) - sum(change_of(event, company.id) for event in later)
        trains = tuple(train.kind for train in game.state.trains_of(company.id))
        price = price_of(game, company.id) if company.position else None
        line = CompanyRound(label, paid.get(company.id), withheld.get(company.id), price, treasury, trains)
        found.setdefault(company.id, []).append(line)


def change_of(event: Event, owner: Owner) -> int:
    """The change of an owner's cash by an event."""
    if not isinstance(event, Paid):
        return 0
    return event.amount * ((event.payee == owner) - (event.payer == owner))
