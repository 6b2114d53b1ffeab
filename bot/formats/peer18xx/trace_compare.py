"""Comparing our game with a recorded trace of 18xx.games, state by state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.engine import Owner
from bot.engine.play import Game
from bot.engine.state import OperatingRoundMemory, StockTurnMemory, TurnMemory

from .file_format import InvalidLog
from .game_end import ROUNDS
from .replay import LogReplay
from .snapshots import Tree, snapshot


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
    """Each recorded action with the whole state after it. The first line holds the state before any action.

    :raises InvalidLog: a whole state that the trace gives now and then is not what the changes lead to, or a line is
    not valid.
    """
    iterator = iter(lines)
    try:
        state: Tree = merge({}, next(iterator)["initial"])
        for line in iterator:
            merge(state, line.get("d") or {})
            # A merge patch cannot say that a key is there and null; a whole state can.
            if line.get("full") is not None and merge({}, line["full"]) != state:
                raise InvalidLog(f"the trace contradicts itself at action {line.get('i')}")
            yield line, state
    except (KeyError, StopIteration, TypeError, AttributeError) as error:
        raise InvalidLog("the trace has another form than expected") from error


class Comparison:
    """A replay and a trace followed together.

    If nothing is left to decide, our game ends a turn immediately that theirs ends with a pass. Such a state
    is compared as it was before our game went on.
    """

    def __init__(self, replay: LogReplay) -> None:
        self.replay = replay
        self.replay.keeps_before = True
        self.compared = 0

    def run(self, lines: Iterable[Mapping[str, Any]]) -> int:
        """Follow both to the end. Returns the number of states compared.

        :raises Divergence: a state differs.
        :raises InvalidLog: the trace does not belong to the file.
        """
        recorded = states(lines)
        for step in self.replay.steps():
            line, expected = next(recorded, (None, {}))
            if line is None or line.get("id") != step.raw.get("id"):
                raise InvalidLog(f"the trace does not belong to the file: action {step.number} differs")
            if self.replay.ended_by_hand:
                expected = {**expected, "finished": False, "end_reason": None}
            try:
                self._compare(line, expected)
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise InvalidLog(f"the trace cannot be read at action {step.number}: {error!r}") from error
        if next(recorded, None) is not None:
            raise InvalidLog("the trace does not belong to the file: it is longer")
        return self.compared

    def _compare(self, line: Mapping[str, Any], expected: Tree) -> None:
        replay = self.replay
        is_ahead = replay.game.state.finished and not expected.get("finished")
        stands = not is_ahead and catch_up(replay, expected["round"])
        game = replay.game if stands or replay.ended_by_hand else self._position_before_automatic_steps()
        found = difference(position_tree(replay, game), expected)
        if found and is_ahead:
            ended = position_tree(replay, replay.game) | {"finished": False, "end_reason": None}
            found = difference(ended, expected)
        if found:
            path, wanted, actual = found
            raise replay.divergence(f"{path} after action id {line['id']}", wanted, actual)
        self.compared += 1

    def _position_before_automatic_steps(self) -> Game:
        game = Game.decode(self.replay.game.title, self.replay.before_last)
        action = self.replay.taken[-1]
        game.step_for(action).apply(game, action)
        return game


def compare(replay: LogReplay, lines: Iterable[Mapping[str, Any]]) -> int:
    """Follow the file and the trace together. Returns the number of states compared.

    :raises Divergence: a state differs.
    :raises InvalidLog: the trace does not belong to the file, or contradicts itself.
    """
    return Comparison(replay).run(lines)


def position_tree(replay: LogReplay, game: Game) -> Tree:
    """The position in the words of the trace, trains by the numbers that they have in the file."""
    found = snapshot(game, replay.names, replay.dialect)
    for company in found["corps"].values():
        company["train_ids"] = sorted(replay.trains.peer_number(number) for number in company["train_ids"])
    return found


# -- where both stand ---------------------------------------------------------------------------------


def catch_up(replay: LogReplay, recorded: Mapping[str, Any]) -> bool:
    """Pass where the file's game has gone on automatically. False where ours has gone further than the file's."""
    while not replay.game.state.finished:
        if _is_ahead(replay, recorded):
            return False
        if not isinstance(replay.game.frame.memory, TurnMemory | StockTurnMemory) or _stands_at(replay, recorded):
            return True
        replay.pass_once()
    return True


def _moment(kind: str, number: int, part: int) -> tuple[int, int, int]:
    kinds = list(ROUNDS.values())
    return (0, 0, 0) if kind == kinds[0] else (number, kinds.index(kind), part)


def _recorded_moment(recorded: Mapping[str, Any], ours: tuple[int, int, int]) -> tuple[int, int, int]:
    """The moment of the file's game; a round of a kind that we do not distinguish counts as the present round."""
    kind = ROUNDS.get(str(recorded["name"]))
    if kind is None:
        return ours
    return _moment(kind, int(recorded["turn"]), int(recorded["num"]) if kind == "operating" else 1)


def _is_ahead(replay: LogReplay, recorded: Mapping[str, Any]) -> bool:
    game, now = replay.game, replay.game.state.round
    ours = _moment(now.kind, now.number, now.part)
    theirs = _recorded_moment(recorded, ours)
    if ours != theirs:
        return ours > theirs
    done = next((f.memory.done for f in game.state.flow if isinstance(f.memory, OperatingRoundMemory)), [])
    operator = str(recorded.get("operator"))
    if operator in done[:-1]:
        return True
    return operator == game.frame.entity and game.frame.at > _place_of(replay, recorded, game.frame.at)


def _place_of(replay: LogReplay, recorded: Mapping[str, Any], otherwise: int) -> int:
    names = [getattr(step, "name", "") for step in replay.game.procedure.steps]
    there = replay.dialect.steps.get(str(recorded.get("step")))
    return names.index(there) if there in names else otherwise


def _stands_at(replay: LogReplay, recorded: Mapping[str, Any]) -> bool:
    game, now = replay.game, replay.game.state.round
    ours = _moment(now.kind, now.number, now.part)
    if ours != _recorded_moment(recorded, ours):
        return False
    entity = str(recorded.get("operator") or recorded.get("entity"))
    if replay.seats.get(entity, Owner(entity)) != game.frame.entity:
        return False
    return game.frame.at >= _place_of(replay, recorded, 0)


# -- differences --------------------------------------------------------------------------------------


def difference(ours: Tree, expected: Tree) -> tuple[str, Any, Any] | None:
    """The first difference (path, expected, ours) in what we know, or None."""
    return _first_difference(ours, normalise(expected, ours), "")


def normalise(expected: Tree, ours: Tree) -> Tree:
    """The trace's state cut down to our keys, with our way of writing what is absent or has an order of no meaning.

    Privates that are closed here are left out: 18xx.games keeps some of them for a right that they leave behind.
    """
    cut: Tree = {key: expected.get(key, default_like(ours[key])) for key in ours}
    open_privates = ours["companies"]
    values = {name: record.get("value") or 0 for name, record in expected["companies"].items()}
    cut["players"] = {
        player: _normalise_player(record, ours["players"].get(player, {}), open_privates, values)
        for player, record in expected["players"].items()
    }
    cut["corps"] = {
        company: _normalise_company(record, ours["corps"].get(company, {}), open_privates)
        for company, record in expected["corps"].items()
    }
    counts = dict(ours["depot"]["upcoming"])
    cut["depot"] = {
        "upcoming": [
            [f, counts.get(f, 0) if n == "inf" else n] for f, n in (expected.get("depot") or {}).get("upcoming") or []
        ],
        "discarded": sorted((expected.get("depot") or {}).get("discarded") or []),
    }
    cut["companies"] = {
        name: {"owner": str(record["owner"])} if record.get("owner") and not record.get("closed") else {}
        for name, record in expected["companies"].items()
        if name in open_privates
    }
    flags = expected.get("flags") or {}
    cut["flags"] = {name: flags.get(name, default_like(value)) for name, value in ours.get("flags", {}).items()}
    return cut


def default_like(value: Any) -> Any:
    """The meaning of an absent key of a trace, where ours has this value."""
    return None if value is None else type(value)()


def _normalise_player(record: Tree, ours: Tree, open_privates: Tree, values: Mapping[str, int]) -> Tree:
    owned = record.get("companies") or []
    return {
        **{key: record.get(key, default_like(value)) for key, value in ours.items()},
        "cash": record["cash"],
        "certs": record["certs"],
        "shares": record.get("shares") or {},
        "companies": sorted(name for name in owned if name in open_privates),
        "value": record["value"] - sum(values[name] for name in owned),
    }


def _normalise_company(record: Tree, ours: Tree, privates: Tree) -> Tree:
    cut = {key: record.get(key, default_like(value)) for key, value in ours.items()}
    for key in ("trains", "train_ids"):
        cut[key] = sorted(record.get(key) or [])
    cut["companies"] = sorted(name for name in record.get("companies") or [] if name in privates)
    cut["tokens"] = sorted(token.rsplit(":", 1)[0] for token in record.get("tokens") or [])
    return cut


def _first_difference(ours: Any, expected: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(ours, dict) and isinstance(expected, dict):
        for key in sorted({*ours, *expected}):
            found = _first_difference(ours.get(key), expected.get(key), f"{path}.{key}" if path else str(key))
            if found:
                return found
        return None
    return None if ours == expected else (path, expected, ours)
