"""Clocks of games: what everybody has left, warnings, and what happens at zero."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from bot.engine import NOBODY, GameId, IllegalMove, Message, PersonId, PlayerId, SeatNumber, msg, seat
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.state import Action
from bot.service.sessions import (
    Budget,
    GameSession,
    LedgerLine,
    MadeMove,
    SessionManager,
    as_actor,
    crossed_limits,
    fine_due,
    from_timestamp,
    ledger_lines,
    log,
    next_limit,
    wait_entry,
)
from bot.service.views.clock_text import SeatTime, own_time_lines, seat_times, warning_message
from bot.service.views.report import Verdict
from bot.store import (
    ClockAllowance,
    EntryKind,
    GameStatus,
    LedgerRecord,
    MoveKind,
    Notice,
    NoticeKind,
    Penalty,
    SeatRecord,
)
from bot.threads import run_in_thread

from .moves import Moves
from .votes import default_action, with_computer_sitter

GRACE = 3.0
"""Seconds after zero until something happens in a game without quiet hours: an answer may be on its way."""

ACTING = (Penalty.PASS, Penalty.MINDER, Penalty.LOSS)
"""Penalties that do something to the game; the others only count."""

LOST = "lost"
"""The text of the record by which a seat has lost; the seat follows."""

MoveChooser = Callable[[GameSession, Game, PlayerId], Awaitable[str]]
"""Chooses a move for a seat, as a computer player would."""


class GameClocks:
    def __init__(self, desk: SessionManager, play: Moves, choose: MoveChooser) -> None:
        self.desk, self.play, self.choose = desk, play, choose

    # -- looking ------------------------------------------------------------------------------------

    async def seat_times(self, table: GameSession) -> list[SeatTime]:
        """Everybody's time; empty in a game without a clock, or where it has not begun."""
        allowance, budgets = table.record.clock, await self.desk.budgets(table)
        if allowance is None or not budgets:
            return []
        return seat_times(allowance, budgets, table.seats, self.desk.now())

    async def own_lines(self, table: GameSession, number: SeatNumber) -> list[Message]:
        """Sentences about the time of a seat that is asked; nothing in a game without a clock."""
        allowance = table.record.clock
        budget = (await self.desk.budgets(table)).get(number)
        if allowance is None or budget is None or not budget.is_running:
            return []
        return own_time_lines(allowance, budget)

    async def budget_of(self, table: GameSession, number: SeatNumber) -> Budget | None:
        return (await self.desk.budgets(table)).get(number)

    async def ledgers(self, game_id: GameId, person: PersonId) -> list[tuple[SeatRecord, list[LedgerLine]]]:
        """A person's own ledgers in a game with a clock, for each of their seats.

        :raises IllegalMove: the game has no clock or has not begun, or they have no seat.
        """
        table, _ = await self.desk.require_started(game_id)
        self.desk.check(table, person, "own")
        allowance = self._require_clock(table)
        entries = await self.desk.store.ledger.list_of(game_id)
        clocks = await self.desk.store.clocks.list_of(game_id) if table.record.status == GameStatus.RUNNING else []
        now, found = self.desk.now(), []
        for held in table.seats:
            if held.person == person:
                running = [clock for clock in clocks if clock.seat == held.number]
                waits = [wait_entry(one, from_timestamp(self.desk.counted_until(one, now))) for one in running]
                found.append((held, ledger_lines(allowance, entries, held.number, next(iter(waits), None))))
        return found

    def _require_clock(self, table: GameSession) -> ClockAllowance:
        if table.record.clock is None:
            raise IllegalMove("This game has no clock.")
        return table.record.clock

    async def verdict(self, table: GameSession) -> Verdict:
        """The effect of the clock on the ranking: fines, and players who have lost by time."""
        allowance = table.record.clock
        if allowance is None or table.game is None:
            return Verdict()
        due = {seat(number): fine_due(allowance, one) for number, one in (await self.desk.budgets(table)).items()}
        fines = {player: fine for player, fine in due.items() if fine}
        return Verdict(fines, frozenset(map(seat, await self._lost_seats(table))))

    async def _lost_seats(self, table: GameSession) -> set[SeatNumber]:
        """The seats that have lost by time, as far as that was not taken back."""
        made = await self.desk.store.moves.clock_moves(table.record.id)
        marks = [move for move in made if move.text.startswith(LOST)]
        if not marks:
            return set()
        line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version)
        return {SeatNumber(int(move.text.split()[1])) for move in marks if move.number in line}

    # -- at zero ------------------------------------------------------------------------------------

    async def settle(self, game_id: GameId) -> datetime | None:
        """Warn players whose time runs short, or do what is to be done to a player whose time is up. Returns when to look
        again; None where nothing runs, or no move can be chosen.
        """
        async with self.desk.lock(game_id):
            table = await self.desk.table(game_id)
            allowance, current = table.record.clock, table.game
            if allowance is None or current is None or table.record.status != GameStatus.RUNNING:
                return None
            running = [one for one in (await self.desk.budgets(table)).values() if one.is_running]
            late = next((one for one in running if self._is_late(allowance, one)), None)
            if late is None:
                is_changed = await self._warn(table, allowance, running)
            else:
                is_changed = await self._penalise(table, current, allowance, late.seat)
        if is_changed:
            await self.desk.notify(game_id)
        if late is None:
            return min((at for one in running if (at := self._next_look(allowance, one))), default=None)
        if is_changed or await self._move_for(table, current, late.seat):
            return self.desk.clock()
        return None

    def _is_late(self, allowance: ClockAllowance, budget: Budget) -> bool:
        if allowance.penalty not in ACTING or budget.is_quiet:
            return False
        return budget.left <= (0 if allowance.waking else -GRACE)

    def _next_look(self, allowance: ClockAllowance, budget: Budget) -> datetime | None:
        """When something is next to be said or done about a running budget."""
        grace = 0.0 if allowance.waking else GRACE
        return next_limit(allowance, budget, grace if allowance.penalty in ACTING else None)

    async def _warn(self, table: GameSession, allowance: ClockAllowance, running: Sequence[Budget]) -> bool:
        """Warn each player once for each limit that their time has come below while they are asked."""
        due = {
            f"{EntryKind.WARNED} {budget.number} {limit}": budget
            for budget in running
            if budget.left > 0
            for limit in crossed_limits(allowance, budget)
        }
        if not due:
            return False
        game_id, now = table.record.id, self.desk.now()
        known = {(one.seat, one.topic) for one in await self.desk.store.ledger.list_of(game_id)}
        fresh = [(topic, budget) for topic, budget in due.items() if (budget.seat, topic) not in known]
        entries = [
            LedgerRecord(game_id, EntryKind.WARNED, topic, now, budget.seat, budget.number) for topic, budget in fresh
        ]
        told = {budget.seat: budget for _, budget in fresh}
        notices = [
            Notice(game_id, table.record.version, NoticeKind.PRIVATE, [warning_message(allowance, budget)], now, number)
            for number, budget in told.items()
        ]
        if entries:
            await self.desk.store.ledger.add(entries, notices)
        return bool(notices)

    async def _penalise(self, table: GameSession, current: Game, allowance: ClockAllowance, number: SeatNumber) -> bool:
        """Do what is to be done to a seat whose time is up; False where a move is still to be chosen, as a computer player
        chooses one.
        """
        if allowance.penalty == Penalty.PASS:
            action = await run_in_thread(harmless_default, current, seat(number), table.names[seat(number)])
            if action is not None:
                await self._make(table, current, action, msg("The time of {player} is up", seat(number)))
            return action is not None
        has_lost = allowance.penalty == Penalty.LOSS and number not in await self._lost_seats(table)
        line = msg("The time of {player} is up: a computer player moves for them until they return.", seat(number))
        if has_lost:
            line = msg(
                "The time of {player} is up: they are ranked last, and a computer player moves for them.", seat(number)
            )
        kind, text = (MoveKind.CLOCK, f"{LOST} {number}") if has_lost else (MoveKind.SITTER, "")
        record = table.next_record(kind, NOBODY, line, self.desk.now(), text)
        await self.desk.save(
            table,
            current.copy(),
            [record],
            current.players_to_act(),
            status=GameStatus.RUNNING,
            seats=with_computer_sitter(table.seats, number),
            told=[Notice(table.record.id, record.number, NoticeKind.PRIVATE, [line], record.made_at, number)],
        )
        log.info("a time budget is used up", extra={"game": table.record.id, "penalty": str(allowance.penalty)})
        return True

    async def _move_for(self, table: GameSession, current: Game, number: SeatNumber) -> bool:
        """Make the move that a computer player chooses for a seat, unless somebody has moved meanwhile; False where none can
        be chosen.
        """
        game_id = table.record.id
        try:
            text = await self.choose(table, current, seat(number))
        except Exception:
            log.exception("no move can be chosen for a player whose time is up", extra={"game": game_id})
            return False
        async with self.desk.change(game_id):
            now = await self.desk.table(game_id)
            if now.game is not None and now.record == table.record:
                action = parse_action(current.title, text)
                line = msg("The time of {player} is up, and a computer player chooses", seat(number))
                await self._make(now, now.game, action, line)
        return True

    async def _make(self, table: GameSession, current: Game, action: Action, why: Message) -> None:
        def apply_default() -> tuple[Game, list[MadeMove]]:
            after, made = self.play.simulate(table, current, [action], as_actor(NOBODY), as_moderator=True)
            record = made[0].record
            # In place of the line that the moderator acts for somebody, and of what they do.
            record.lines[:2] = [msg("{why}: {what}", why, record.lines[1])]
            return after, made

        await self.play.apply_and_save(table, current, apply_default)


def harmless_default(game: Game, player: PlayerId, name: str) -> Action | None:
    """The move of a player who does nothing, unless it must not be or does harm: a company closes or gets another
    director, or the game ends.
    """
    try:
        action = default_action(game, player, name)
    except IllegalMove:
        return None
    after = game.copy()
    after.apply(action)
    if after.state.finished:
        return None
    for company in game.state.companies.values():
        was, now = game.controller_of(company.id), after.controller_of(company.id)
        if after.state.companies[company.id].closed != company.closed or (was == player and now != player):
            return None
    return action
