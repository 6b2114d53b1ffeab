"""Our state in the words of the traces of 18xx.games: what is known of players, companies, market, map and trains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engine import BANK, DEPOT, IPO, POOL, CompanyId, Owner, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count, president_of, price_of

from .dialect import Dialect

Tree = dict[str, Any]


def snapshot(game: Game, names: Mapping[PlayerId, str], dialect: Dialect) -> Tree:
    """The state as a trace has it. `names` are the file's ids of the players."""
    state = game.state
    found: Tree = {
        "phase": state.phase,
        "bank": state.cash[BANK],
        "bank_broken": state.cash[BANK] <= 0,
        "finished": state.finished,
        "end_reason": None,
        "player_order": [names[player] for player in _order(game)],
        "players": {names[player.id]: _player(game, player.id) for player in state.players},
        "corps": {c: _company(game, c, names) for c in state.companies if not game.company(c).closed},
        "market": {cell: list(stack) for cell, stack in state.stacks.items()},
        "board": {hex_id: [laid.tile, laid.rotation] for hex_id, laid in state.board.tiles.items()},
        "reservations": _reservations(game),
        "depot": {"upcoming": _depot_trains(game), "discarded": _discarded_trains(game)},
        "companies": {p.id: _private(p.owner, names) for p in state.privates.values() if not p.closed},
    }
    dialect.complete(game, names, found)
    _rename_privates(found, dialect.private_names)
    return found


def _rename_privates(found: Tree, names: Mapping[str, str]) -> None:
    found["companies"] = {names.get(sign, sign): record for sign, record in found["companies"].items()}
    for owner in (*found["players"].values(), *found["corps"].values()) if names else ():
        owner["companies"] = sorted(names.get(sign, sign) for sign in owner["companies"])


def _order(game: Game) -> list[PlayerId]:
    """18xx.games changes the order, starting with the priority deal, as soon as a stock round is over, not when
    the next begins.
    """
    order, priority = game.state.order, game.state.priority
    begin = order.index(priority) if game.state.round.kind in ("operating", "merger") else 0
    return [*order[begin:], *order[:begin]]


def _player(game: Game, seat: PlayerId) -> Tree:
    held = {company.id: company.percent_held_by(seat) for company in game.state.companies.values()}
    return {
        "cash": game.state.cash[seat],
        "certs": certificate_count(game, seat),
        "shares": {company: percent for company, percent in held.items() if percent},
        "companies": sorted(private.id for private in game.state.privates_of(seat)),
        "value": game.title.rules.worth(game, seat),
    }


def _company(game: Game, company_id: CompanyId, names: Mapping[PlayerId, str]) -> Tree:
    company = game.company(company_id)
    president = president_of(company)
    found: Tree = {
        "cash": game.state.cash[company_id],
        "owner": names[president] if president else None,
        "ipoed": company.par is not None,
        "floated": company.floated,
        "operated": company.operated,
        "loans": company.loans,
        "ipo": company.percent_held_by(IPO),
        "pool": company.percent_held_by(POOL),
        "trains": sorted(train.kind for train in game.state.trains_of(company_id)),
        "train_ids": sorted(train.id for train in game.state.trains_of(company_id)),
        "tokens": sorted(f"{hex_id}:{city}" for hex_id, city in game.state.board.cities_of(company_id)),
        "tokens_left": list(company.tokens_left),
        "companies": sorted(private.id for private in game.state.privates_of(company_id)),
    }
    if company.position is not None:
        found["price"] = [price_of(game, company_id), *company.position]
        found["par"] = company.par
    return found


def _reservations(game: Game) -> Tree:
    found: Tree = {}
    for kept in game.state.board.reservations:
        found.setdefault(kept.hex, {}).setdefault(str(kept.city), []).append(kept.company)
    return found


def _depot_trains(game: Game) -> list[list[Any]]:
    counts: dict[str, int] = {}
    for train in game.state.trains:
        if train.owner == DEPOT:
            counts[train.family] = counts.get(train.family, 0) + 1
    return [[family, count] for family, count in counts.items()]


def _discarded_trains(game: Game) -> list[str]:
    return sorted(train.kind for train in game.state.trains if train.owner == POOL)


def _private(owner: Owner | None, names: Mapping[PlayerId, str]) -> Tree:
    return {} if owner is None else {"owner": names.get(PlayerId(owner), str(owner))}
