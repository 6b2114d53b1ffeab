"""The depot: which trains are for sale, what buying the first of a family sets off, what rusts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bot.engine import DEPOT, REMOVED, CompanyId, Owner, TrainId, require
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
        if train.owner == company and kinds[train.kind].counts_for_limit:
            counted.append(train)
    return counted


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


def next_phase(game: Game, family: str) -> str | None:
    begun = next((phase.name for phase in game.title.phases if phase.begins_on == family), None)
    return None if begun is None or has_phase_begun(game, begun) else begun


def rust(game: Game, family: str) -> None:
    """Remove all trains that the first sale of `family` makes obsolete."""
    obsolete = [
        train
        for train in game.state.trains
        if game.title.trains[train.kind].rusts_on == family and train.owner != REMOVED
    ]
    if not obsolete:
        return
    kinds = tuple(dict.fromkeys(train.kind for train in obsolete))
    owners = tuple(dict.fromkeys(train.owner for train in obsolete if train.owner != DEPOT))
    for train in obsolete:
        game.state.move_train(train, REMOVED)
    game.emit(TrainsRusted(kinds, owners))
