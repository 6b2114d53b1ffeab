"""A game played here and there, move by move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from bot.ai.coverage import Coverage
from bot.ai.fuzzer import SURVEYOR, RandomGame
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.state import Noted
from bot.engine.state.actions import Pass
from bot.engine.state.state import StockTurnMemory
from bot.formats.peer18xx.export import file_of
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.snapshots import snapshot
from bot.formats.peer18xx.trace_compare import difference
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.registry import TITLES
from tests.peer.engine import Answer, Peer

COAST_TO_COAST = (" + e-w", " + n-s")
THEIRS = {"rules": "18xx.games"}
TURNS = 5
"""Every fifth game is the surveyor's: its companies come to the last trains, which other random games seldom buy."""


class Differs(Exception):
    """Both engines differ: at which move, in what, and how."""


def is_behind(writer: LogWriter) -> bool:
    """Whether our game waits for somebody who can only pass, and whom 18xx.games has passed over."""
    if writer.game.state.finished or not writer.game.state.flow:
        return False
    in_stock_turn = isinstance(writer.game.frame.memory, StockTurnMemory)
    return not writer.dialect.peer_waits(writer.game) if in_stock_turn else writer.turn.has_gone_on(writer.game)


@dataclass
class Beside:
    """A game here with the same game there beside it. `written` are the actions so far, `texts` our moves,
    `before` tells of the last one, `coverage` what they exercised."""

    peer: Peer
    game: Game
    texts: list[str] = field(default_factory=list)
    written: list[dict[str, Any]] = field(default_factory=list)
    before: str = ""
    coverage: Coverage = field(default_factory=Coverage)

    def __post_init__(self) -> None:
        self.dialect = DIALECTS[self.game.title.id]
        self.writer = LogWriter(self.game, self.dialect)
        self.names = {player.id: str(number) for number, player in enumerate(self.game.state.players)}
        self.peer.begin(self.file())

    def file(self) -> dict[str, Any]:
        """What is exported of the game so far."""
        return file_of(self.game, self.dialect, self.written)

    def move(self, text: str) -> None:
        """Make one move in both, and compare the whole positions.

        :raises Differs: it is refused there, or leads to another position.
        """
        step = self.game.step
        raws = self.writer.write_text(text)
        self.texts.append(text)
        self.coverage.note(self.game, text)
        self.written += raws
        answer = self.peer.take([unpaid(raw) for raw in raws])
        before, self.before = self.before, f"{text} (at {step.name if step else ''})"
        where = f"move {len(self.texts)}, {self.before}"
        if answer["error"]:
            reason = f"action {answer['taken'] + 1} refused there: {answer['error']}"
            raise Differs(f"{where}: {reason}; {said(answer)}; before: {before}; written: {brief(raws)}")
        ours = snapshot(self.game, self.names, self.dialect)
        for company in ours["corps"].values():
            company["train_ids"] = sorted(map(self.writer.trains.peer_number, company["train_ids"]))
        found = difference(ours, answer["position"])
        if found and not self.writer.held and not is_behind(self.writer):
            path, theirs, ours = found
            asked = self.game.step.name if self.game.step else "nothing"
            raise Differs(
                f"{where}: {path}: here {ours}, there {theirs}; {said(answer)}; here {asked}; before: {before};"
                f" written: {brief(raws)}{noted(self.game)}"
            )

    def load(self) -> None:
        """Load the whole file there, and compare the ends.

        :raises Differs: it is not loaded, or ends otherwise.
        """
        file = self.file()
        loaded = self.peer.load(file)
        theirs = {str(player): total for player, total in (loaded.get("result") or {}).items()}
        if loaded["error"] or theirs != file["result"]:
            raise Differs(f"the whole file: {loaded['error']}: here {file['result']}, there {theirs}")


def play_beside(peer: Peer, title_id: str, players: int, seed: int, options: Mapping[str, str]) -> Beside:
    """A whole random game by 18xx.games' rules, beside the same game there. Who can only pass does so at once, as at our tables, before anybody acts out of turn.

    :raises Differs: the first difference.
    """
    wanted = SURVEYOR if seed % TURNS == TURNS - 1 else None
    table = RandomGame(TITLES[title_id], players, seed, {**options, **THEIRS}, wanted, is_audited=False)
    beside = Beside(peer, table.game)
    while not table.game.state.finished:
        listed = table.game.legal_actions() if is_behind(beside.writer) else []
        passing = (option for option in listed if isinstance(option, Pass))
        beside.move(format_action(next(passing, None) or table.choice()))
    beside.load()
    return beside


def replay_beside(peer: Peer, game: Game, moves: Iterable[str]) -> Beside:
    """The recorded moves of a game, here and there.

    :raises Differs: the first difference.
    """
    beside = Beside(peer, game)
    for text in moves:
        beside.move(text)
    return beside


def unpaid(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The action without revenues: its routes are reckoned there. With a bonus from coast to coast that engine can do so
    in a browser alone."""
    copy = deepcopy(dict(raw))
    routes = copy.get("routes", ())
    if not any(bonus in route["revenue_str"] for route in routes for bonus in COAST_TO_COAST):
        for route in routes:
            for key in ("revenue", "revenue_str", "hexes"):
                route.pop(key)
    return copy


def noted(game: Game) -> str:
    """What only our log tells of the last move: why it went as it did."""
    return "".join(f"; noted: {event.sentence.template}" for event in game.events if isinstance(event, Noted))


def said(answer: Answer) -> str:
    """Who is asked for what there."""
    return (
        f"there {answer.get('entity')} is asked at {answer.get('step')}: {', '.join(map(str, answer.get('asked', ())))}"
    )


def brief(raws: list[dict[str, Any]]) -> str:
    """What was written, in short."""
    return "; ".join(" ".join(f"{key}={value}" for key, value in raw.items() if key != "signalbox") for raw in raws)[
        :600
    ]
