"""Moves that are tried and not made."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

from bot.engine import GameId, HexId, IllegalMove, Message, Owner, PersonId, PlayerId, Rejected, as_company
from bot.engine.message import seats_to_names
from bot.engine.notation import format_action, parse_action, question
from bot.engine.play import Game
from bot.engine.state import Action
from bot.i18n import tr, tr_lines
from bot.service.parser.menus import hexes_of
from bot.service.parser.moves import parse_moves
from bot.service.parser.vocabulary import printed_names, proper, with_names
from bot.service.plans import Plan
from bot.service.plans.premove import as_if_turn, plan_of_turn
from bot.service.sessions import GameSession, MoveResult, SessionManager
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import SandboxRecord
from bot.threads import run_in_thread

from .moves import Moves
from .plans.executor import ShownPlan

MOST_TRIED = 100

AS_IF = "ahead:"
"""Before the company, in the place of a first move: the sandbox begins as if it were its turn."""


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
    turn: str = ""
    """The company whose turn to come is tried, as if it were now; empty for moves from the present position on."""


class Sandbox:
    """Tries moves, in a message or over days; nobody else sees it."""

    def __init__(self, desk: SessionManager, play: Moves) -> None:
        self.desk, self.play = desk, play
        self._locks = WeakValueDictionary[tuple[GameId, PersonId], asyncio.Lock]()

    def _lock(self, game_id: GameId, person: PersonId) -> asyncio.Lock:
        """The lock of a person's sandbox. The game's lock would keep the table's moves waiting for what somebody tries."""
        return self._locks.setdefault((game_id, person), asyncio.Lock())

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
        async with self._lock(game_id, person):
            table, current = await self.desk.require_started(game_id)
            found = await self._sandbox(table, current, person)
            company = company_to_come(current, said, table.seats_of(person))
            if company:
                found = await run_in_thread(replay_sandbox, current, [f"{AS_IF}{company}"], table.seats_of(person))
            elif said.strip():
                more = await run_in_thread(simulate, found.preview.game, said, table.seats_of(person))
                joined = MovePreview(
                    more.game,
                    (*found.preview.actions, *more.actions),
                    (*found.preview.lines, *more.lines),
                    more.question,
                )
                if len(joined.actions) > MOST_TRIED:
                    raise IllegalMove("A sandbox holds {limit} moves; take some out first.", "", MOST_TRIED)
                own = 0 if found.turn else count_own_moves(current, joined.actions, table.seats_of(person))
                found = SandboxState(joined, own, found.lost, found.turn)
            await self._keep_sandbox(table, person, found.preview.actions, found.turn)
        return found

    async def _sandbox(self, table: GameSession, current: Game, person: PersonId) -> SandboxState:
        kept = await self.desk.store.orders.sandbox(table.record.id, person)
        return await run_in_thread(replay_sandbox, current, kept.texts if kept else [], table.seats_of(person))

    async def _keep_sandbox(
        self, table: GameSession, person: PersonId, actions: Sequence[Action], turn: str = ""
    ) -> None:
        await self.desk.store.orders.set_sandbox(sandbox_of(table, person, actions, turn))

    async def undo(self, game_id: GameId, person: PersonId, moves: int | None = 1) -> SandboxState:
        """None empties the sandbox."""
        async with self._lock(game_id, person):
            table, current = await self.desk.require_started(game_id)
            found = await self._sandbox(table, current, person)
            left = found.preview.actions[: -moves if moves else 0]
            await self._keep_sandbox(table, person, left, found.turn if moves and found.preview.actions else "")
            return await self._sandbox(table, current, person)

    async def plan(self, game_id: GameId, person: PersonId) -> ShownPlan:
        """Make the moves of one's company in one's sandbox a plan for its next turn, and empty the sandbox.

        :raises Rejected: there are none.
        """
        table, current = await self.desk.require_started(game_id)
        found = await self._sandbox(table, current, person)
        seats = table.seats_of(person)
        plan, player = await run_in_thread(plan_of_sandbox, current, found, seats)
        shown = await self.play.plans.give_plan(game_id, person, plan, player)
        await self.undo(game_id, person, None)
        return shown

    async def commit(self, game_id: GameId, person: PersonId, version: int | None = None) -> MoveResult:
        """Make the first moves of a person's sandbox that are their own; the others stay in it.

        :raises Rejected: there are none, or the rules forbid them now.
        """
        async with self._lock(game_id, person):
            table, current = await self.play.require_running(game_id)
            found = await self._sandbox(table, current, person)
            if not found.own:
                raise IllegalMove("The first move of your sandbox is not a move you can make now.")
            own, left = found.preview.actions[: found.own], found.preview.actions[found.own :]
            return await self.play.submit(game_id, person, own, version, cause=sandbox_of(table, person, left))


def sandbox_of(table: GameSession, person: PersonId, actions: Sequence[Action], turn: str = "") -> SandboxRecord:
    texts = [*([f"{AS_IF}{turn}"] if turn else []), *(format_action(action) for action in actions)]
    return SandboxRecord(table.record.id, person, table.record.version, texts)


def company_to_come(game: Game, said: str, seats: Collection[PlayerId]) -> str:
    """The company of these seats that is named and nothing else, if it is not its turn; empty for all other words."""
    name = proper(printed_names(game), said.strip().rstrip(":"))
    is_own = name in game.state.companies and game.controller_of(Owner(name)) in seats
    return name if is_own and game.frame.entity != name else ""


def plan_of_sandbox(current: Game, found: SandboxState, seats: Collection[PlayerId]) -> tuple[Plan, PlayerId]:
    """The plan of a company's moves in a sandbox, and the seat that decides for it.

    :raises IllegalMove: it holds none.
    """
    position = as_if_turn(current, as_company(found.turn)) if found.turn else current.copy()
    actions = list(found.preview.actions)
    while position is not None and actions:
        company, player = actions[0].by, position.controller_of(actions[0].by)
        if company in position.state.companies and player in seats and player is not None:
            own = next(number for number, one in enumerate([*actions, None]) if one is None or one.by != company)
            return plan_of_turn(position, company, actions[:own]), player
        position.apply(actions.pop(0))
    raise IllegalMove("Your sandbox has no turn of any of your companies.")


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
    turn = texts[0].removeprefix(AS_IF) if texts and texts[0].startswith(AS_IF) else ""
    ahead = as_if_turn(before, as_company(turn)) if turn else before.copy()
    after, actions, lines, lost = ahead or before.copy(), list[Action](), list[Message](), ""
    if ahead is None:
        turn, texts, lost = "", [], tr("{company} cannot have a turn now.", turn)
    for text in texts[1:] if turn else texts:
        try:
            action = parse_action(after.title, text)
            lines += apply_and_narrate(after, action)
        except Rejected as refusal:
            lost = tr(
                "{text} is not possible any more: {refusal}",
                with_names(after, text),
                seats_to_names(refusal.sentence_with_rule, after.state.names),
            )
            break
        actions.append(action)
    preview = MovePreview(after, tuple(actions), tuple(tr_lines(lines, after.state.names)), question(after))
    return SandboxState(preview, 0 if turn else count_own_moves(before, actions, seats), lost, turn)


def simulate(before: Game, said: str | Sequence[Action], seats: Collection[PlayerId] = ()) -> MovePreview:
    """The moves made on a copy.

    :raises Rejected: one is not legal.
    """
    actions = parse_moves(before, said, seats) if isinstance(said, str) else list(said)
    if not actions:
        raise IllegalMove("That contains no move.")
    after = before.copy()
    lines: list[Message] = []
    for action in actions:
        lines += apply_and_narrate(after, action)
    return MovePreview(after, tuple(actions), tuple(tr_lines(lines, after.state.names)), question(after))
