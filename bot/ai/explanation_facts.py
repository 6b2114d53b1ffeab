"""Why a company makes a move, in one sentence: what its trains, its revenue, its track and its tokens earn or prevent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.engine import DEPOT, CompanyId, HexId, Message, PlayerId, join_and, join_values, msg
from bot.engine.notation import hex_name, money
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains
from bot.engine.state import DividendPaid, Event, PhaseBegan, PlaceToken, Train, TrainsRusted

from .company_forecast import kinds_of, next_kind, outlook
from .intention import CompanyFacts, Intention
from .move_evaluator import ScoredMove
from .revenue_estimate import estimate_revenue, reach_upper_bound
from .title_parameters import parameters_of

MOST_NAMED = 3

SOON = 4
"""Older trains rust "soon" if at most this many trains are left to be sold before."""

Kind = TypeVar("Kind", bound=Event)


@dataclass(frozen=True)
class ExplanationFacts:
    """A move to explain: the positions before and after it, the seat that makes it, and what it has in mind: `begun` from the
    beginning of the stock round, and the facts of companies when it `bought` their shares.
    """

    game: Game
    after: Game
    seat: PlayerId
    best: ScoredMove
    begun: Intention = field(default_factory=Intention)
    bought: Mapping[CompanyId, CompanyFacts] = field(default_factory=dict)

    @property
    def move(self) -> Any:
        return self.best.action

    @property
    def company(self) -> CompanyId:
        return CompanyId(self.best.action.by)

    def event(self, kind: type[Kind]) -> Kind | None:
        return next((event for event in self.after.events if isinstance(event, kind)), None)

    def sum(self, amount: float) -> str:
        """Estimates are rounded to tens."""
        return money(self.game, int(amount) if isinstance(amount, int) else 10 * round(amount / 10))


Speaker = Callable[[ExplanationFacts], Message | None]


# -- trains ---------------------------------------------------------------------------------------


def rusts(seen: ExplanationFacts) -> Message | None:
    event = seen.event(TrainsRusted)
    owners = [] if event is None else [o for o in event.owners if seen.game.controller_of(o) not in (None, seen.seat)]
    if event is None or not owners:
        return None
    what, whose = join_and(event.kinds), join_and(owners)
    bare = [owner for owner in owners if not counted_trains(seen.after, owner)]
    if bare:
        return msg(
            "It rusts the {kinds} trains of {companies}; left without a train: {bare}.", what, whose, join_and(bare)
        )
    return msg("It rusts the {kinds} trains of {companies}.", what, whose)


def first_train(seen: ExplanationFacts) -> Message | None:
    if kinds_of(seen.game, seen.company) or not kinds_of(seen.after, seen.company):
        return None
    income = outlook(seen.after, seen.company).income
    if income:
        return msg("{company} had no train; with this train it runs for {amount}.", seen.company, seen.sum(income))
    return msg("{company} had no train; this train runs as soon as its track reaches a second stop.", seen.company)


def runs_more(seen: ExplanationFacts) -> Message | None:
    before, after = outlook(seen.game, seen.company).income, outlook(seen.after, seen.company).income
    if after <= before:
        return None
    return msg("{company} runs for {after} instead of {before}.", seen.company, seen.sum(after), seen.sum(before))


def until_rust(game: Game, companies: Iterable[CompanyId]) -> tuple[int, list[Train]]:
    """How many trains the bank still sells before the first of these companies' trains rust, and which do then."""
    depot = [card.family for card in game.state.trains if card.owner == DEPOT]
    cards = [card for company in companies for card in counted_trains(game, company)]
    rusty = [card for card in cards if game.title.trains[card.kind].rusts_on in depot]
    when = {card.id: depot.index(game.title.trains[card.kind].rusts_on or "") for card in rusty}
    first = min(when.values(), default=0)
    return first, [card for card in rusty if when[card.id] == first]


def rushes(seen: ExplanationFacts) -> Message | None:
    rivals = [
        one.id for one in seen.game.state.companies.values() if seen.game.controller_of(one.id) not in (None, seen.seat)
    ]
    number, cards = until_rust(seen.after, rivals)
    if seen.move.source != DEPOT or not cards or number > SOON:
        return None
    kinds = join_and(dict.fromkeys(card.kind for card in cards))
    whose = join_and(dict.fromkeys(card.owner for card in cards))
    if not number:
        return msg("The bank's next train rusts the {kinds} trains of {companies}.", kinds, whose)
    return msg("After {number} more trains from the bank the {kinds} trains of {companies} rust.", number, kinds, whose)


def begins(seen: ExplanationFacts) -> Message | None:
    event = seen.event(PhaseBegan)
    return None if event is None else msg("It starts phase {phase} before anyone else can.", event.phase)


def lasts(seen: ExplanationFacts) -> Message | None:
    kind = seen.game.title.trains[seen.move.kind]
    if kind.rusts_on is None:
        return msg("A {kind} train never rusts: {company} is provided for.", kind.name, seen.company)
    return msg(
        "The {kind} train runs for {company} until the first {next} train is sold.",
        kind.name,
        seen.company,
        kind.rusts_on,
    )


# -- revenue --------------------------------------------------------------------------------------


def keeps(seen: ExplanationFacts) -> Message | None:
    if seen.move.kind != "withhold" or seen.after.state.cash[seen.company] <= seen.game.state.cash[seen.company]:
        return None
    cash, kind = seen.after.state.cash[seen.company], next_kind(seen.game, 0)
    price, trains = seen.game.title.trains[kind].price, counted_trains(seen.game, seen.company)
    if cash < price:
        return msg(
            "{company} has {cash} towards a {kind} train at {price}.",
            seen.company,
            seen.sum(cash),
            kind,
            seen.sum(price),
        )
    if len(trains) < seen.game.title.rules.train_limit(seen.game, seen.company):
        return msg("With {cash}, {company} can buy a {kind} train immediately.", seen.sum(cash), seen.company, kind)
    kinds = join_and(dict.fromkeys(card.kind for card in trains))
    return msg(
        "{company} is at its train limit, with {cash} for when its {kinds} rust.",
        seen.company,
        seen.sum(cash),
        kinds,
    )


def pays_out(seen: ExplanationFacts) -> Message | None:
    event = seen.event(DividendPaid)
    if event is None:
        return None
    own = dict(event.amounts).get(seen.seat, 0)
    number, cards = until_rust(seen.game, [seen.company])
    what = (seen.seat, seen.sum(own), seen.company)
    if not kinds_of(seen.game, seen.company):
        return msg("{who} gets {amount} of it.", *what[:2])
    if not cards:
        return msg("{who} gets {amount}, and no train of {company} is going to rust.", *what)
    kinds = join_and(dict.fromkeys(card.kind for card in cards))
    if (
        number <= SOON
        and (cash := seen.game.state.cash[seen.company]) >= seen.game.title.trains[next_kind(seen.game, 0)].price
    ):
        template = "{who} gets {amount}; {company} has {cash} for the train after its {kinds}."
        return msg(template, *what, seen.sum(cash), kinds)
    if not number:
        template = "{who} gets {amount} before the bank's next train rusts the {kinds} of {company}."
        return msg(template, *what[:2], kinds, seen.company)
    template = "{who} gets {amount}; the {kinds} of {company} run while the bank has {number} more trains to sell."
    return msg(template, seen.seat, seen.sum(own), kinds, seen.company, number)


# -- track and tokens -----------------------------------------------------------------------------


def cuts_off(seen: ExplanationFacts) -> Message | None:
    if not isinstance(seen.move, PlaceToken):
        return None
    lost: dict[CompanyId, list[HexId]] = {}
    for company in seen.game.state.companies.values():
        if company.id != seen.company and counted_trains(seen.game, company.id):
            before, after = (reach_upper_bound(game, company.id).stops for game in (seen.game, seen.after))
            if gone := sorted({stop.hex for stop in before - after}):
                lost[company.id] = gone
    if not lost:
        return None
    most = max(lost, key=lambda one: len(lost[one]))
    return msg("It cuts {company} off from {places}.", most, places(seen, lost[most]))


def earns(seen: ExplanationFacts) -> Message | None:
    now = seen.best.gains[0]
    if now <= 0:
        return None
    kinds = kinds_of(seen.game, seen.company)
    if not kinds:
        template = "With its first train {company} can run for {amount} more."
        return msg(template, seen.company, seen.sum(now))
    income = estimate_revenue(seen.game, seen.company, kinds)
    if not income:
        return msg("With this tile {company} can run for {amount}.", seen.company, seen.sum(now))
    template = "{company} runs for {after} instead of {before}."
    return msg(template, seen.company, seen.sum(income + now), seen.sum(income))


def opens(seen: ExplanationFacts) -> Message | None:
    before = seen.game.board_rules.network(seen.game, seen.company).stops
    after = seen.after.board_rules.network(seen.after, seen.company).stops
    spaces = sorted({stop.hex for stop in after} - {stop.hex for stop in before})
    if not spaces:
        return None
    later, where = seen.best.gains[1], places(seen, spaces)
    if later > 0:
        template = "It connects {places} to {company}: a {kind} train would run for {amount} more."
        return msg(template, where, seen.company, parameters_of(seen.game).most, seen.sum(later))
    return msg("It connects {places} to {company}.", where, seen.company)


def will_earn(seen: ExplanationFacts) -> Message | None:
    later = seen.best.gains[1]
    if later <= 0:
        return None
    most = parameters_of(seen.game).most
    return msg("A {kind} train of {company} would run for {amount} more.", most, seen.company, seen.sum(later))


def stays(seen: ExplanationFacts) -> Message | None:
    where = hex_name(seen.game, seen.move.hex)
    if isinstance(seen.move, PlaceToken):
        return msg("It takes a token slot in {place} before others can.", where)
    land, board = seen.after.board_rules, seen.after.state.board
    near = [space for space in land.map.hexes if 0 < land.map.layout.distance(seen.move.hex, space) <= 3]
    reached = {stop.hex for stop in land.network(seen.after, seen.company).stops}
    ahead = [space for space in near if space not in reached and land.tile_at(board, space).nodes]
    if not ahead:
        return msg("It extends {company}'s track beyond {place}.", seen.company, where)
    nearest = min(ahead, key=lambda space: land.map.layout.distance(seen.move.hex, space))
    return msg("It brings {company} closer to {place}.", seen.company, hex_name(seen.game, nearest))


def places(seen: ExplanationFacts, spaces: Iterable[HexId]) -> Message:
    named = [hex_name(seen.game, space) for space in spaces]
    return join_and(named) if len(named) <= MOST_NAMED else join_values(", ", [*named[:MOST_NAMED], "…"])
