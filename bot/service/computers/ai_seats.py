"""Computer players take their turns: thought out in a helper process while the table is free, saved a stretch at a time.

Their moves are automatic, as those of plans: undoing the move before takes them back too.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bot.ai.title_parameters import STRENGTHS
from bot.engine import (
    CompanyId,
    GameId,
    IllegalMove,
    Message,
    PersonId,
    PlayerId,
    is_player,
    join_values,
    literal,
    msg,
    seat,
)
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, Title
from bot.engine.state import Answer, Bid, BuyPrivate, BuyShares, ReducePrice, SellShares
from bot.process_pool import create_pool, kill_pool, run
from bot.service.features.moves import Moves, check_invariants
from bot.service.sessions import (
    DEFAULT_STRENGTH,
    TEACHER,
    GameSession,
    MadeMove,
    SessionManager,
    acting_computer,
    computer_person,
    is_computer,
    is_lesson,
    log,
)
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import GameStatus, MoveKind, MoveRecord
from bot.threads import run_in_thread

from .ai_request import LastPurchases, ReviewRequest, ThinkRequest

if TYPE_CHECKING:
    from bot.ai.review import Review

NICENESS = 5
"""People's moves come first."""

LONGEST = 120.0
"""Seconds after which a stretch is given up; the next move of anybody begins it again."""

REMEMBERED = 60
"""Number of past records in which refusals are remembered and reasons are shown."""

LONG_REMEMBERED = 240
"""Number of past records in which the beginning of the stock round and the purchases of the last are looked for."""

ADVISER = "club"

MOST_POINTS = 8
"""Maximum number of turns that a review tells of."""

Found = TypeVar("Found")
Thought = TypeVar("Thought")


class AiSeats:
    """Callers wait for a computer player with `wait_idle`; without a helper process (`begin`) a thread thinks."""

    def __init__(self, desk: SessionManager, play: Moves) -> None:
        self.desk, self.play = desk, play
        self._pool: ProcessPoolExecutor | None = None
        self._working: dict[GameId, asyncio.Task[None]] = {}
        desk.listeners.append(self.listen)

    def begin(self) -> None:
        self._pool = create_pool(niceness=NICENESS)

    def close(self) -> None:
        for task in self._working.values():
            task.cancel()
        if self._pool is not None:
            kill_pool(self._pool)
            self._pool = None

    async def listen(self, game_id: GameId, saved: GameSession | None = None) -> None:
        """Somebody has moved: it may be a computer player's turn now."""
        is_for_people = saved is not None and not is_computer_asked(saved) and not is_lesson(saved.seats)
        if game_id in self._working or is_for_people or not await self.desk.is_local(game_id):
            return
        if await self._is_due(await self.desk.table(game_id)):
            task = self._working[game_id] = asyncio.create_task(
                self._play_on(game_id), name=f"computer players of game {game_id}"
            )
            task.add_done_callback(lambda done: self._working.pop(game_id, None))

    async def wake(self) -> None:
        """After a start: play on wherever it is a computer player's turn."""
        for person in (TEACHER, *map(computer_person, STRENGTHS)):
            for record in await self.desk.store.games.list_of(person):
                try:
                    await self.listen(record.id)
                except Exception:
                    # One game that cannot be opened keeps no computer player from another.
                    log.exception("computer players cannot go on", extra={"game": record.id})

    async def _is_due(self, table: GameSession) -> bool:
        """Whether a computer player is asked, or a lesson makes the next moves."""
        if table.record.status != GameStatus.RUNNING:
            return False
        course = await self.play.lessons.find_course(table)
        if course is not None and (course.due or not course.is_over):
            return bool(course.due)
        return is_computer_asked(table)

    def is_at_work(self, game_id: GameId) -> bool:
        return game_id in self._working

    async def wait_idle(self, game_id: GameId) -> None:
        """Wait until it is no computer player's turn in the game, or none can move."""
        if (task := self._working.get(game_id)) is not None:
            await asyncio.wait({task})

    async def _play_on(self, game_id: GameId) -> None:
        try:
            while await self._stretch(game_id):
                pass
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("a computer player's process was given up: %s", type(error).__name__, extra={"game": game_id})
            if self._pool is not None:
                kill_pool(self._pool)
                self.begin()
        except Exception:
            log.exception("a computer player could not move", extra={"game": game_id})

    async def _stretch(self, game_id: GameId) -> bool:
        """Play one stretch; returns whether there may be more to do."""
        table, current = await self.desk.require_started(game_id)
        if not await self._is_due(table):
            return False
        from .ai_process import stretch

        strengths = {
            seat(held.number): strength_of(acting_computer(held)) for held in table.seats if acting_computer(held)
        }
        course = await self.play.lessons.find_course(table)
        if course is not None and course.due:
            moves: list[tuple[str, Message | None]] = [(text, None) for text in course.due]
        else:
            moves = await self._think(stretch, await self._think_request(table, current, strengths))
        async with self.desk.lock(game_id):
            now, current = await self.desk.require_started(game_id)
            if now.record.version != table.record.version or now.record.status != GameStatus.RUNNING:
                return True
            await self.play.apply_and_save(now, current, partial(self._apply_chosen, now, current, moves))
        await self.desk.notify(game_id)
        return True

    async def _think(self, function: Callable[[Thought], Found], thought: Thought) -> Found:
        if self._pool is None:
            return await run_in_thread(function, thought)
        return await run(self._pool, function, thought, seconds=LONGEST)

    async def _think_request(self, table: GameSession, current: Game, strengths: dict[PlayerId, str]) -> ThinkRequest:
        record = table.record
        if not strengths:
            return ThinkRequest(record.title, record.rules, current.encode(), strengths, record.id, {})
        is_stock = current.state.round.kind == "stock"
        most = LONG_REMEMBERED if is_stock else REMEMBERED
        line = await self.desk.store.moves.branch(record.id, record.version, most)
        began = await self._round_beginning(table, current, line) if is_stock else b""
        last = await self._last_purchases(table, current, line) if is_stock else None
        ruled_out = self._ruled_out(current, line[:REMEMBERED])
        return ThinkRequest(record.title, record.rules, current.encode(), strengths, record.id, ruled_out, began, last)

    async def _last_purchases(
        self, table: GameSession, current: Game, line: Sequence[MoveRecord]
    ) -> LastPurchases | None:
        """Purchases of the last stock round, since which a company has moved."""
        bought, has_company_moved, number = defaultdict[PlayerId, list[CompanyId]](list), False, -1
        for move in line:
            action = parse_action(current.title, move.text) if move.kind == MoveKind.MOVE else None
            if action is not None and not is_player(action.by):
                if bought:
                    break
                has_company_moved = True
            elif has_company_moved and isinstance(action, BuyShares):
                bought[PlayerId(action.by)].append(action.company)
                number = max(number, move.number)
        if not bought:
            return None
        position = await self.desk.position(table.record, number)
        return LastPurchases({player: tuple(some) for player, some in bought.items()}, position.encode())

    async def _round_beginning(self, table: GameSession, current: Game, line: Sequence[MoveRecord]) -> bytes:
        """The position when the present stock round began, or after the latest correction in it; empty if that is too long ago."""
        before = next((move.number for move in line if not is_stock_move(current.title, move)), None)
        return b"" if before is None else (await self.desk.position(table.record, before)).encode()

    def _ruled_out(self, current: Game, line: Sequence[MoveRecord]) -> dict[PlayerId, tuple[str, ...]]:
        """Proposals that were refused lately, by the proposers' seats, and sales of what each has bought since a
        company moved last: that is since the stock round began.
        """
        refused, bought = defaultdict[PlayerId, list[str]](list), defaultdict[PlayerId, list[str]](list)
        proposal: MoveRecord | None = None
        for move in reversed(line):
            action = parse_action(current.title, move.text) if move.kind == MoveKind.MOVE else None
            if isinstance(action, Answer):
                if not action.agree and proposal is not None and proposal.seat:
                    refused[seat(proposal.seat)].append(proposal.text)
            elif action is not None:
                proposal = move
                if not is_player(action.by):
                    bought.clear()
                elif isinstance(action, BuyShares):
                    sale = SellShares(action.by, action.company, action.shares)
                    bought[PlayerId(action.by)].append(format_action(sale))
        return {player: (*refused[player], *bought[player]) for player in {*refused, *bought}}

    def _apply_chosen(
        self, table: GameSession, current: Game, moves: Sequence[tuple[str, Message | None]]
    ) -> tuple[Game, list[MadeMove]]:
        made: list[MadeMove] = []
        after, now = current.copy(), self.desk.now()
        # The helper has searched for these runs; they are not searched for again.
        after.is_redoing = True
        for text, reason in moves:
            action = parse_action(after.title, text)
            player = after.controller_of(action.by)
            held = next(held for held in table.seats if seat(held.number) == player)
            # The reason stands under the move, before what the move sets off.
            first, *set_off = apply_and_narrate(after, action)
            lines = [first, *([join_values("", ["(", reason, ")"])] if reason is not None else []), *set_off]
            check_invariants(after, action, table.record.id)
            number = table.record.version + len(made) + 1
            person = acting_computer(held) or TEACHER
            record = table.move_record(number, person, text, lines, now, held.number, is_automatic=True)
            made.append(MadeMove(record, action))
        after.is_redoing = False
        return after, made

    async def choose_moves(self, game_id: GameId, strengths: dict[PlayerId, str]) -> list[str]:
        """The moves of computer players of these strengths for seats, as texts, until it is somebody else's turn."""
        from .ai_process import stretch

        table, current = await self.desk.require_started(game_id)
        return [text for text, _ in await self._think(stretch, await self._think_request(table, current, strengths))]

    async def choose_move(self, table: GameSession, current: Game, player: PlayerId) -> str:
        """A computer player's move for a seat, as text."""
        from .ai_process import advice

        return (await self._think(advice, await self._think_request(table, current, {player: DEFAULT_STRENGTH})))[0]

    # -- explaining ---------------------------------------------------------------------------------

    async def advise(self, game_id: GameId, person: PersonId) -> str:
        """A strong player's move for the seat in turn, and the reason; only where nobody but this person plays.

        :raises IllegalMove: others play too, or it is not their turn.
        """
        table, current = await self.desk.require_started(game_id)
        self.desk.check(table, person, "advice")
        if any(held.person not in ("", person) and not is_computer(held.person) for held in table.seats):
            raise IllegalMove("Advice is only available in games of one person against computer players.")
        player = next((player for player in current.players_to_act() if player in table.seats_of(person)), None)
        if player is None:
            raise IllegalMove("It is not your turn.")
        from .ai_process import advice

        text, reason = await self._think(advice, await self._think_request(table, current, {player: ADVISER}))
        move = literal(text.split(" ", 1)[1] if text.startswith("@") else text)
        return " ".join(table.tr_lines([msg("{move}.", move), *([reason] if reason is not None else [])]))

    async def review(self, course: GameRecordFile, seat: PlayerId, most: int = MOST_POINTS) -> Review:
        """A finished game looked at again, for all seats or one (empty: all)."""
        from .ai_process import review

        return await self._think(review, ReviewRequest(course, seat, most))

    async def why(self, game_id: GameId) -> list[str]:
        """The latest moves of computer players, with their reasons.

        :raises IllegalMove: the game has not begun.
        """
        table, _ = await self.desk.require_started(game_id)
        line = await self.desk.store.moves.branch(game_id, table.record.version, REMEMBERED)
        return [*table.tr_lines(one for move in reversed(line) if is_computer(move.person) for one in move.lines)]


def is_stock_move(title: Title, move: MoveRecord) -> bool:
    """Whether the record is a move of a player that may belong to a stock round."""
    if move.kind != MoveKind.MOVE:
        return False
    action = parse_action(title, move.text)
    return is_player(action.by) and not isinstance(action, Bid | BuyPrivate | ReducePrice)


def is_computer_asked(table: GameSession) -> bool:
    if table.record.status != GameStatus.RUNNING or table.game is None:
        return False
    asked = table.game.players_to_act()
    return any(acting_computer(held) and seat(held.number) in asked for held in table.seats)


def strength_of(person: PersonId) -> str:
    """The strength of a computer player; after a lesson its others play as most do."""
    return DEFAULT_STRENGTH if person == TEACHER else person.partition(":")[2]
