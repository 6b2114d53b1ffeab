"""Moves that are tried and not made."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.engine import GameId, HexId, IllegalMove, Message, PersonId, PlayerId, Rejected
from bot.engine.notation import format_action, parse_action, question
from bot.engine.play import Game
from bot.engine.state import Action
from bot.i18n import tr, tr_lines
from bot.service.parser.menus import hexes_of
from bot.service.parser.moves import read
from bot.service.parser.vocabulary import with_names
from bot.service.sessions import GameSession, MoveResult, SessionManager
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import SandboxRecord
from bot.threads import run_in_thread

from .moves import Moves

MOST_TRIED = 100


@dataclass(frozen=True)
class MovePreview:
    """The effect of moves: the position after them (a copy), what happened in sentences, and the decisions that
    follow.
    """

    game: Game
    actions: tuple[Action, ...]
    lines: tuple[str, ...]
    question: Message

    @property
    def changed_hexes(self) -> list[HexId]:
        return list(dict.fromkeys(space for action in self.actions for space in hexes_of(self.game, action)))


@dataclass(frozen=True)
class SandboxState:
    """A person's sandbox: the effect of its moves now, how many of the first are the person's own, and the first
    move that is not possible any more, with the reason.
    """

    preview: MovePreview
    own: int
    lost: str = ""


class Sandbox:
    """Tries moves, in a message or over days; nobody else sees it."""

    def __init__(self, desk: SessionManager, play: Moves) -> None:
        self.desk, self.play = desk, play

    async def preview(self, game_id: GameId, person: PersonId, said: str | Sequence[Action]) -> MovePreview:
        """The effect of a message (or of these actions) now, for any seat in turn. Nothing is changed.

        :raises Rejected: a move is not legal.
        """
        table, current = await self.desk.require_started(game_id)
        return await run_in_thread(simulate, current, said, table.seats_of(person))

    # -- what if --------------------------------------------------------------------------------------

    async def add(self, game_id: GameId, person: PersonId, said: str = "") -> SandboxState:
        """Add the moves of a message to a person's sandbox, for any seats, and show where it stands.

        :raises Rejected: one of them is not legal there; the sandbox stays as it was.
        """
        async with self.desk.lock(game_id):
            table, current = await self.desk.require_started(game_id)
            found = await self._sandbox(table, current, person)
            if said.strip():
                more = await run_in_thread(simulate, found.preview.game, said, table.seats_of(person))
                joined = MovePreview(
                    more.game,
                    (*found.preview.actions, *more.actions),
                    (*found.preview.lines, *more.lines),
                    more.question,
                )
                if len(joined.actions) > MOST_TRIED:
                    raise IllegalMove("A sandbox holds {limit} moves; take some out first.", "", MOST_TRIED)
                found = SandboxState(
                    joined, count_own_moves(current, joined.actions, table.seats_of(person)), found.lost
                )
            await self._keep_sandbox(table, person, found.preview.actions)
        return found

    async def _sandbox(self, table: GameSession, current: Game, person: PersonId) -> SandboxState:
        kept = await self.desk.store.orders.sandbox(table.record.id, person)
        return await run_in_thread(replay_sandbox, current, kept.texts if kept else [], table.seats_of(person))

    async def _keep_sandbox(self, table: GameSession, person: PersonId, actions: Sequence[Action]) -> None:
        await self.desk.store.orders.set_sandbox(sandbox_of(table, person, actions))

    async def undo(self, game_id: GameId, person: PersonId, moves: int | None = 1) -> SandboxState:
        """None empties the sandbox."""
        async with self.desk.lock(game_id):
            table, current = await self.desk.require_started(game_id)
            found = await self._sandbox(table, current, person)
            left = found.preview.actions[: -moves if moves else 0]
            await self._keep_sandbox(table, person, left)
            return await self._sandbox(table, current, person)

    async def commit(self, game_id: GameId, person: PersonId, version: int | None = None) -> MoveResult:
        """Make the first moves of a person's sandbox that are their own; the others stay in it.

        :raises Rejected: there are none, or the rules forbid them now.
        """
        table, current = await self.play.require_running(game_id)
        found = await self._sandbox(table, current, person)
        if not found.own:
            raise IllegalMove("The first move of your sandbox is not a move you can make now.")
        own, left = found.preview.actions[: found.own], found.preview.actions[found.own :]
        return await self.play.submit(game_id, person, own, version, cause=sandbox_of(table, person, left))


def sandbox_of(table: GameSession, person: PersonId, actions: Sequence[Action]) -> SandboxRecord:
    return SandboxRecord(table.record.id, person, table.record.version, [format_action(action) for action in actions])


def count_own_moves(before: Game, actions: Sequence[Action], seats: Collection[PlayerId]) -> int:
    """How many of the first actions these seats decide."""
    trial = before.copy()
    for number, action in enumerate(actions):
        if trial.controller_of(action.by) not in seats:
            return number
        trial.apply(action)
    return len(actions)


def replay_sandbox(before: Game, texts: Sequence[str], seats: Collection[PlayerId]) -> SandboxState:
    """Moves in their exact text forms made on a copy, up to the first that is not legal any more."""
    after = before.copy()
    actions: list[Action] = []
    lines: list[Message] = []
    lost = ""
    for text in texts:
        try:
            action = parse_action(after.title, text)
            lines += apply_and_narrate(after, action)
        except Rejected as refusal:
            lost = tr("{text} is not possible any more: {refusal}", with_names(after, text), refusal.sentence_with_rule)
            break
        actions.append(action)
    preview = MovePreview(after, tuple(actions), tuple(tr_lines(lines, after.state.names)), question(after))
    return SandboxState(preview, count_own_moves(before, actions, seats), lost)


def simulate(before: Game, said: str | Sequence[Action], seats: Collection[PlayerId] = ()) -> MovePreview:
    """The moves made on a copy.

    :raises Rejected: one is not legal.
    """
    actions = read(before, said, seats) if isinstance(said, str) else list(said)
    if not actions:
        raise IllegalMove("That contains no move.")
    after = before.copy()
    lines: list[Message] = []
    for action in actions:
        lines += apply_and_narrate(after, action)
    return MovePreview(after, tuple(actions), tuple(tr_lines(lines, after.state.names)), question(after))
