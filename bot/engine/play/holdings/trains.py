"""The depot: which trains are for sale, what buying the first of a family sets off, what rusts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bot.engine import DEPOT, REMOVED, CompanyId, Owner, TrainId, join_and, require
from bot.engine.state import PhaseBegan, Train, TrainBought, TrainExported, TrainsRusted

from .money import pay

if TYPE_CHECKING:
    from bot.engine.play import Game, TrainKind


def set_up_trains(game: Game, cards: Mapping[str, Iterable[int]]) -> None:
    """Put train cards into the depot; `cards` has the card numbers of each family."""
    for family, numbers in cards.items():
        game.state.trains += [Train(TrainId(f"{family}-{number}"), family, family, DEPOT) for number in numbers]


def trains_for_sale(game: Game) -> list[Train]:
    """The next card of every family that can be bought from the bank now.

    A family is for sale when all cards of the family before it are gone, or when its noun says that a phase has made it
    available beside the others.
    """
    cards: list[Train] = []
    seen: set[str] = set()
    in_line = True
    for card in game.state.trains:
        if card.owner != DEPOT or card.family in seen:
            continue
        seen.add(card.family)
        kind = game.title.trains[card.family]
        if kind.available_from is not None:
            if has_phase_begun(game, kind.available_from):
                cards.append(card)
        elif in_line:
            cards.append(card)
            in_line = False
    return cards


ENDLESS = 50
"""A family of this many cards is unlimited."""


def remaining_in_depot(game: Game) -> dict[str, str]:
    """The cards of each family that the bank has: a number, or `∞` where it never runs out."""
    cards = Counter(card.family for card in game.state.trains)
    left = Counter(card.family for card in game.state.trains if card.owner == DEPOT)
    kinds = game.title.trains
    return {
        family: "∞" if kinds[family].is_unlimited or cards[family] >= ENDLESS else str(left[family]) for family in left
    }


def has_phase_begun(game: Game, phase: str) -> bool:
    numbers = game.title.phase_numbers
    return numbers[game.state.phase] >= numbers[phase]


def card_sides(game: Game, family: str) -> list[TrainKind]:
    """The sides of a card: a train is bought as one of them (1848 §8.2.1)."""
    return [kind for kind in game.title.trains.values() if kind.family == family]


def find_train(game: Game, company: Owner, kind: str) -> Train | None:
    return next((train for train in game.state.trains if train.kind == kind and train.owner == company), None)


def counted_trains(game: Game, company: Owner) -> list[Train]:
    counted, kinds = [], game.title.trains
    for train in game.state.trains:
        if train.owner == company:
            kind = kinds[train.kind]
            if kind.counts_for_limit and not (kind.runs_once_more and is_obsolete(game, train)):
                counted.append(train)
    return counted


def is_obsolete(game: Game, train: Train) -> bool:
    """Whether the train only runs once more."""
    kind = game.title.trains[train.kind]
    return kind.runs_once_more and any(
        card.family == kind.rusts_on and card.owner != DEPOT for card in game.state.trains
    )


def buy_from_depot(
    game: Game,
    company: CompanyId,
    kind: str,
    price: int,
    payee: Owner,
    trade_in: str | None = None,
    traded_to: Owner = REMOVED,
) -> None:
    """Give the next card of the kind's family to the company, and let what follows happen. The train that it gives back
    goes to `traded_to`.

    :raises ValueError: the kind is not for sale.
    """
    family = game.title.trains[kind].family
    card = require(
        next((card for card in trains_for_sale(game) if card.family == family), None), f"no {kind} train for sale"
    )
    if trade_in is not None:
        given = require(find_train(game, company, trade_in), f"{company} has no {trade_in} train to give back")
        game.state.move_train(given, traded_to)
    pay(game, company, payee, price, f"{kind} train")
    card = game.state.move_train(card, company, kind)
    game.emit(TrainBought(company, card.id, kind, DEPOT, price, trade_in))
    leave_depot(game, card)


def export(game: Game, card: Train) -> None:
    """Take a card out of the depot for good; it counts as sold (1848 §5.4.4)."""
    game.state.move_train(card, REMOVED)
    game.emit(TrainExported(card.id, card.kind))
    leave_depot(game, card)


def leave_depot(game: Game, card: Train) -> None:
    """Rust what the first card of a family makes obsolete, and begin the phase that it brings.

    A family may leave before an earlier family is sold out (1848 §5.4.4); a phase never goes back.
    """
    rust(game, card.family)
    begun = next_phase(game, card.family)
    if begun is not None:
        game.state.phase = begun
        game.emit(PhaseBegan(begun))


def restock(game: Game, event: TrainBought | TrainExported) -> None:
    """A reaction: a new card replaces the last card of an unlimited family."""
    family = next(train.family for train in game.state.trains if train.id == event.train)
    cards = [train for train in game.state.trains if train.family == family]
    if game.title.trains[family].is_unlimited and not any(train.owner == DEPOT for train in cards):
        last = game.state.trains.index(cards[-1])
        game.state.trains.insert(last + 1, Train(TrainId(f"{family}-{len(cards)}"), family, family, DEPOT))


def next_phase(game: Game, family: str) -> str | None:
    begun = next((phase.name for phase in game.title.phases if phase.begins_on == family), None)
    return None if begun is None or has_phase_begun(game, begun) else begun


def rust(game: Game, family: str) -> None:
    """Remove all trains that the first sale of `family` rusts, but those of companies that run once more."""
    kinds = game.title.trains
    rusty = [one for one in game.state.trains if kinds[one.kind].rusts_on == family and one.owner != REMOVED]
    kept = [one for one in rusty if kinds[one.kind].runs_once_more and one.owner in game.state.companies]
    if kept:
        names = join_and(dict.fromkeys(one.kind for one in kept))
        game.log("The {kinds} trains that companies own are obsolete: each runs once more.", names)
    gone = [one for one in rusty if one not in kept]
    for train in gone:
        game.state.move_train(train, REMOVED)
    if gone:
        owners = dict.fromkeys(train.owner for train in gone if train.owner != DEPOT)
        game.emit(TrainsRusted(tuple(dict.fromkeys(train.kind for train in gone)), tuple(owners)))


def retire_obsolete_trains(game: Game) -> None:
    """An automatic step after the run: the obsolete trains of the company in turn leave the game."""
    company = game.company_in_turn
    gone = [train for train in game.state.trains_of(company) if is_obsolete(game, train)]
    for train in gone:
        game.state.move_train(train, REMOVED)
    if gone:
        names = join_and(dict.fromkeys(train.kind for train in gone))
        game.log("The obsolete {kinds} trains of {company} leave the game.", names, company)
