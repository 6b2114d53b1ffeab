"""The end of a file's game, and whether ours has come to the same position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .native_moves import is_ours
from .snapshots import snapshot

if TYPE_CHECKING:
    from .replay import LogReplay

ROUNDS = {"Auction": "auction", "Stock": "stock", "Operating": "operating"}
"""Our names for their kinds of rounds, in the order of play."""

Difference = tuple[str, Any, Any]
"""Name, value in the file, our value."""


def finish(replay: LogReplay) -> None:
    """Pass for those whose last passes the file took silently: to the end of a game that is over, else until the game
    stands where the file's does, or somebody has a choice. Actions that were exported here have every pass with them.
    """
    runs_out = replay.log.is_finished and not replay.ended_by_hand
    is_told = bool(replay.effective) and is_ours(replay, replay.effective[-1])
    while not is_told and replay.may_pass() and replay.is_passed_automatically():
        if not runs_out and next(position(replay), None) is None:
            return
        replay.pass_once()


def check(replay: LogReplay) -> None:
    """Compare our position with the end that the file records: totals, round, players in turn, reason of the end.

    :raises Divergence: something differs, or our game has not ended.
    """
    finish(replay)
    for what, expected, actual in (*outcome(replay), *position(replay)):
        raise replay.divergence(what, expected, actual)


def outcome(replay: LogReplay) -> Iterator[Difference]:
    log, state = replay.log, replay.game.state
    if not log.is_finished:
        return
    if not (state.finished or replay.ended_by_hand):
        yield "end of the game", "finished", f"{state.round.kind} round {state.round.number}.{state.round.part}"
    totals = {player: replay.game.title.rules.worth(replay.game, seat) for player, seat in replay.seats.items()}
    for player, expected in log.result.items():
        if totals.get(player) != expected:
            yield f"result of player {player}", expected, totals.get(player)
    reason = snapshot(replay.game, replay.names, replay.dialect)["end_reason"]
    if log.end_reason and state.finished and reason != log.end_reason:
        yield "reason of the end", log.end_reason, reason


def position(replay: LogReplay) -> Iterator[Difference]:
    """The number of the round is not compared once the game is over: older versions of their engine counted otherwise, and a
    stored game keeps their count.
    """
    log, is_ahead = replay.log, waits_for_the_last(replay)
    now = replay.round_before if is_ahead else replay.game.state.round
    kind = ROUNDS.get(log.round.partition(" ")[0])
    if kind is not None and kind != now.kind:
        yield "round", log.round, f"{now.kind} round"
    elif kind in ("stock", "operating") and not log.is_finished and log.turn not in (None, now.number):
        yield f"number of the {kind} round", log.turn, now.number
    asked = [replay.names[player] for player in replay.game.players_to_act()]
    if log.acting and asked and not set(asked) & set(log.acting) and not is_ahead:
        yield "player in turn", " or ".join(log.acting), " or ".join(asked)


def waits_for_the_last(replay: LogReplay) -> bool:
    """Whether the file still waits for the player who acted last, whose turn ended here because nothing was left
    to do.
    """
    if replay.raw.get("type") == "pass":
        return False
    asked = [replay.names[player] for player in replay.game.players_to_act()]
    last = replay.game.controller_of(replay.taken[-1].by) if replay.taken else None
    return last is not None and replay.names[last] in replay.log.acting and not set(asked) & set(replay.log.acting)
