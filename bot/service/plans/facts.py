"""The open facts that a plan may ask for: a closed table. Secrets have no name in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import DEPOT, HexId, Owner, PlayerId, as_company
from bot.engine.play import Game
from bot.engine.play.holdings import president_of, price_of, share_unit
from bot.engine.state import Company

from .plan import ALL, MINE, OTHERS, Fact

FactValue = int | str | None
"""None where there is no such thing: an unstarted company has no price."""

NONE = "none"


@dataclass(frozen=True)
class FactKind:
    """`about` says what `Fact.of` names: company, private, hex, owner, or nothing; `value` gets what it names, and whose
    holding is meant.
    """

    value: Callable[[Game, str, PlayerId], FactValue]
    about: str = ""
    is_number: bool = True


def round_key(game: Game) -> str:
    now = game.state.round
    return f"{now.kind} {now.number}.{now.part}"


def open_company(game: Game, name: str) -> Company | None:
    company = game.state.companies.get(as_company(name))
    return None if company is None or company.closed else company


def _of_company(value: Callable[[Game, Company, PlayerId], FactValue], missing: FactValue = None) -> FactKind:
    def find(game: Game, name: str, whom: PlayerId) -> FactValue:
        company = open_company(game, name)
        return missing if company is None else value(game, company, whom)

    return FactKind(find, "company")


def count_of_shares(company: Company, owner: Owner) -> int:
    """In shares, not percent: a share may become worth another percentage without anybody buying or selling."""
    return company.percent_held_by(owner) // share_unit(company)


def lead(game: Game, company: Company, player: PlayerId) -> int:
    """The number of shares by which the player is ahead of every other player; negative behind."""
    others = [count_of_shares(company, other) for other in game.state.order if other != player]
    return count_of_shares(company, player) - max(others, default=0)


def trains_of(game: Game, name: str, whom: PlayerId) -> FactValue:
    return "+".join(sorted(train.kind for train in game.state.trains_of(Owner(name)))) or NONE


def next_train(game: Game, name: str, whom: PlayerId) -> FactValue:
    return next((train.kind for train in game.state.trains if train.owner == DEPOT), NONE)


def cash_of(game: Game, name: str, whom: PlayerId) -> FactValue:
    return game.state.cash.get(Owner(name or whom))


def owner_of(game: Game, name: str, whom: PlayerId) -> FactValue:
    private = next((one for one in game.state.privates.values() if one.id == name), None)
    return None if private is None else NONE if private.closed else private.owner or NONE


def contents_of(game: Game, name: str, whom: PlayerId) -> FactValue:
    """A hex's tile and tokens, but those of `whom`, in letters that are only compared."""
    board, space = game.state.board, HexId(name)
    placed = board.tiles.get(space)
    tile = f"{placed.tile} {placed.rotation}" if placed else ""
    return f"{tile} {'/'.join(','.join(token for token in city if str(token) != whom) for city in board.tokens.get(space, []))}"


FACTS = {
    "round": FactKind(lambda game, _, __: round_key(game), is_number=False),
    "phase": FactKind(lambda game, _, __: game.state.phase, is_number=False),
    "started": _of_company(lambda _, company, __: int(company.position is not None), 0),
    "bank trains": FactKind(lambda game, _, __: sum(train.owner == DEPOT for train in game.state.trains)),
    "next train": FactKind(next_train, is_number=False),
    "trains": FactKind(trains_of, "company", is_number=False),
    "price": _of_company(lambda game, company, _: price_of(game, company.id) if company.position is not None else None),
    "cash": FactKind(cash_of, "owner"),
    "owner": FactKind(owner_of, "private", is_number=False),
    "president": FactKind(
        lambda game, name, _: None if (one := open_company(game, name)) is None else president_of(one) or NONE,
        "company",
        is_number=False,
    ),
    "held": _of_company(lambda _, company, whom: company.percent_held_by(whom), 0),
    "shares": _of_company(lambda _, company, whom: count_of_shares(company, whom), 0),
    "share size": _of_company(lambda _, company, __: share_unit(company)),
    "lead": _of_company(lead),
    "hex": FactKind(contents_of, "hex", is_number=False),
}
"""Every fact that a condition may name."""

OF_COMPANY_ALONE = {"started", "president", "held", "shares", "share size"}
"""The facts that stay as they are while nothing of the company itself changes."""


LABELS = {
    "round": "the round",
    "phase": "the phase",
    "started": "the start",
    "bank trains": "the number of trains in the bank",
    "next train": "the next train",
    "trains": "the trains",
    "price": "the price",
    "cash": "the cash",
    "owner": "the owner",
    "president": "the president",
    "held": "the percentage",
    "shares": "the number of shares",
    "share size": "the size of a share",
    "lead": "the lead",
    "hex": "the hex",
}
"""Each of `FACTS` in a sentence."""


def value_of(game: Game, player: PlayerId, fact: Fact) -> FactValue:
    """:raises KeyError: there is no such fact."""
    return FACTS[fact.what].value(game, fact.of, PlayerId(Owner(fact.whom or player)))


def single_facts(before: Game, after: Game, player: PlayerId, fact: Fact) -> Iterator[Fact]:
    """The facts of single companies and players that a fact of `ALL`, `MINE` or `OTHERS` stands for."""
    whom = [other for other in after.state.order if other != player] if fact.whom == OTHERS else [fact.whom]
    for company in [fact.of] if fact.of not in (ALL, MINE) else _companies(before, after, player, fact):
        for owner in whom:
            yield Fact(fact.what, company, owner)


def _companies(before: Game, after: Game, player: PlayerId, fact: Fact) -> Iterator[str]:
    for company in after.state.companies.values():
        if company.closed:
            continue
        then = open_company(before, company.id)
        if fact.what in OF_COMPANY_ALONE and then == company:
            continue
        if fact.what == "lead":
            if then is not None and president_of(then) == player:
                yield company.id
        elif fact.of == ALL or any(one is not None and one.percent_held_by(player) for one in (then, company)):
            yield company.id
