"""Comparing our game with a recorded trace of 18xx.games, state by state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..certificates import certificate_count
from ..game import Game
from ..ids import BANK, DEPOT, IPO, POOL, CompanyId, Owner, PlayerId
from ..market import price_of
from ..state import OperatingRoundMemory, StockTurnMemory, TurnMemory
from .replay import Divergence, Replay

Tree = dict[str, Any]


def merge(target: Tree, patch: Mapping[str, Any]) -> Tree:
    """A JSON merge patch (RFC 7386) applied in place."""
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        elif isinstance(value, Mapping):
            inner = target.get(key)
            target[key] = merge(inner if isinstance(inner, dict) else {}, value)
        else:
            target[key] = value
    return target


def states(lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Tree]]:
    """Each recorded action with the whole state after it. The first line holds the state before any action."""
    iterator = iter(lines)
    state: Tree = merge({}, next(iterator)["initial"])
    for line in iterator:
        merge(state, line.get("d") or {})
        yield line, state


def compare(replay: Replay, lines: Iterable[Mapping[str, Any]]) -> int:
    """Follow the file and the trace together. Returns the number of states compared.

    :raises Divergence: a state differs.
    """
    count = 0
    for step, (line, expected) in zip(replay.steps(), states(lines), strict=True):
        if replay.ended_by_hand:
            break
        if not _catch_up(replay, expected["round"]):
            continue
        found = difference(snapshot(replay), expected)
        if found:
            path, wanted, actual = found
            raise Divergence(step.number, line["id"], path, wanted, actual)
        count += 1
    return count


def _catch_up(replay: Replay, recorded: Mapping[str, Any]) -> bool:
    """Pass where the file's game has gone on by itself. False where ours has gone further than the file's."""
    while not replay.game.state.finished:
        if _is_ahead(replay, recorded):
            return False
        if not isinstance(replay.game.frame.memory, TurnMemory | StockTurnMemory) or _stands_at(replay, recorded):
            return True
        replay.pass_once()
    return True


ROUNDS = {"Auction": "auction", "Stock": "stock", "Operating": "operating"}


def _moment(kind: str, number: int, part: int) -> tuple[int, int, int]:
    """Rounds in the order of play."""
    kinds = list(ROUNDS.values())
    return (0, 0, 0) if kind == kinds[0] else (number, kinds.index(kind), part)


def _recorded_moment(recorded: Mapping[str, Any]) -> tuple[int, int, int]:
    kind = ROUNDS[str(recorded["name"])]
    return _moment(kind, int(recorded["turn"]), int(recorded["num"]) if kind == "operating" else 1)


def _is_ahead(replay: Replay, recorded: Mapping[str, Any]) -> bool:
    game, now = replay.game, replay.game.state.round
    ours = _moment(now.kind, now.number, now.part)
    if ours != _recorded_moment(recorded):
        return ours > _recorded_moment(recorded)
    done = next((f.memory.done for f in game.state.flow if isinstance(f.memory, OperatingRoundMemory)), [])
    return str(recorded.get("operator")) in done[:-1]


def _stands_at(replay: Replay, recorded: Mapping[str, Any]) -> bool:
    game, now = replay.game, replay.game.state.round
    if _moment(now.kind, now.number, now.part) != _recorded_moment(recorded):
        return False
    entity = str(recorded.get("operator") or recorded.get("entity"))
    if replay.seats.get(entity, Owner(entity)) != game.frame.entity:
        return False
    names = [getattr(step, "name", "") for step in game.plan.steps]
    there = replay.dialect.steps.get(str(recorded.get("step")))
    return there not in names or game.frame.at >= names.index(there)


def snapshot(replay: Replay) -> Tree:
    """Our state in the trace's words."""
    game = replay.game
    return {
        "phase": game.state.phase,
        "bank": game.state.cash[BANK],
        "players": {player: _player(replay, seat) for player, seat in replay.seats.items()},
        "corps": {c: _company(game, c) for c in game.state.companies if not game.company(c).closed},
        "market": {cell: list(stack) for cell, stack in game.state.stacks.items()},
        "board": {hex_id: [laid.tile, laid.rotation] for hex_id, laid in game.state.board.tiles.items()},
        "depot": {"upcoming": _upcoming(game)},
        "companies": {p.id: _private(replay, p.id) for p in game.state.privates.values() if not p.closed},
        **replay.dialect.more_of_the_state(replay),
    }


def _player(replay: Replay, seat: PlayerId) -> Tree:
    game = replay.game
    held = {c.id: c.held_by(seat) for c in game.state.companies.values()}
    return {
        "cash": game.state.cash[seat] - replay.dialect.debt(game, seat),
        "certs": certificate_count(game, seat),
        "shares": {company: percent for company, percent in held.items() if percent},
        "companies": sorted(private.id for private in game.state.privates_of(seat)),
    }


def _company(game: Game, company_id: CompanyId) -> Tree:
    company = game.company(company_id)
    tokens = sorted(f"{hex_id}:{city}" for hex_id, city in game.state.board.places_of(company_id))
    found: Tree = {
        "cash": game.state.cash[company_id],
        "ipo": company.held_by(IPO),
        "pool": company.held_by(POOL),
        "trains": sorted(train.kind for train in game.state.trains_of(company_id)),
        "train_ids": sorted(train.id for train in game.state.trains_of(company_id)),
        "tokens": tokens,
        "tokens_left": list(company.tokens_left),
        "companies": sorted(private.id for private in game.state.privates_of(company_id)),
    }
    if company.position is not None:
        found["price"] = [price_of(game, company_id), *company.position]
        found["par"] = company.par
    return found


def _upcoming(game: Game) -> list[list[Any]]:
    counts: dict[str, int] = {}
    for train in game.state.trains:
        if train.owner == DEPOT:
            counts[train.family] = counts.get(train.family, 0) + 1
    return [[family, count] for family, count in counts.items()]


def _private(replay: Replay, private_id: Owner) -> Tree:
    private = replay.game.private(private_id)
    if private.owner is None:
        return {}
    seats = {seat: player for player, seat in replay.seats.items()}
    return {"owner": seats.get(PlayerId(private.owner), str(private.owner))}


# -- differences --------------------------------------------------------------------------------------


def difference(ours: Tree, expected: Tree) -> tuple[str, Any, Any] | None:
    """The first difference (path, expected, ours) in what we know, or None."""
    normal = _normal(expected, ours)
    return _first_difference(ours, normal, "")


def _normal(expected: Tree, ours: Tree) -> Tree:
    """The trace's state cut down to our keys, with our way of writing what is absent or has an order of no meaning.

    Privates that are closed here are left out: 18xx.games keeps some of them for a right that they leave behind.
    """
    cut: Tree = {key: expected.get(key) for key in ours}
    cut["players"] = {
        player: {
            "cash": record["cash"],
            "certs": record["certs"],
            "shares": record.get("shares") or {},
            "companies": sorted(name for name in record.get("companies") or [] if name in ours["companies"]),
        }
        for player, record in expected["players"].items()
    }
    cut["corps"] = {
        company: _normal_company(record, ours["corps"].get(company, {}), ours["companies"])
        for company, record in expected["corps"].items()
    }
    cut["market"] = expected.get("market") or {}
    cut["board"] = expected.get("board") or {}
    counts = dict(ours["depot"]["upcoming"])
    cut["depot"] = {
        "upcoming": [[f, counts.get(f, 0) if n == "inf" else n] for f, n in expected["depot"].get("upcoming") or []]
    }
    cut["companies"] = {
        name: {"owner": str(record["owner"])} if record.get("owner") and not record.get("closed") else {}
        for name, record in expected["companies"].items()
        if name in ours["companies"]
    }
    return cut


def _normal_company(record: Tree, ours: Tree, privates: Tree) -> Tree:
    cut = {key: record.get(key) for key in ours}
    for key in ("trains", "train_ids"):
        cut[key] = sorted(record.get(key) or [])
    cut["companies"] = sorted(name for name in record.get("companies") or [] if name in privates)
    cut["tokens"] = sorted(token.rsplit(":", 1)[0] for token in record.get("tokens") or [])
    cut["tokens_left"] = record.get("tokens_left") or []
    return cut


def _first_difference(ours: Any, expected: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(ours, dict) and isinstance(expected, dict):
        for key in sorted({*ours, *expected}):
            found = _first_difference(ours.get(key), expected.get(key), f"{path}.{key}" if path else str(key))
            if found:
                return found
        return None
    return None if ours == expected else (path, expected, ours)
