"""Making moves, and taking them back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

import msgspec

from bot.engine import (
    NOBODY,
    GameId,
    IllegalMove,
    Message,
    NotYourTurn,
    PersonId,
    PlayerId,
    Rejected,
    StalePosition,
    Value,
    join_and,
    literal,
    msg,
    seat,
)
from bot.engine.message import seats_to_names
from bot.engine.notation import format_action, parse_action, question, round_and_phase
from bot.engine.play import Game
from bot.engine.refusals import OffCourse
from bot.engine.state import Action
from bot.i18n import tr
from bot.metrics import MOVES
from bot.service.parser.moves import begins_move, check_in_its_time, parse_moves, would_be_legal
from bot.service.sessions import (
    CHANGES,
    MOVED_ON,
    Actor,
    GameSession,
    MadeMove,
    MoveResult,
    SessionManager,
    as_actor,
    check_right,
    is_computer,
    log,
)
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import Cause, GameStatus, MoveKind, MoveRecord, SeatRecord
from bot.threads import run_in_thread

from .lessons import Course, Lessons
from .plans.executor import ExecutionResult, PlanExecutor, end_disclosed_plans, fly
from .puzzles import PuzzleCourse

MOST_ANSWERS = 20
"""Number of answers by others that an open question to several players survives."""

LINE = 200
"""Number of records that `undo` looks back."""


class Moves:
    def __init__(self, desk: SessionManager, plans: PlanExecutor) -> None:
        self.desk, self.plans, self.lessons = desk, plans, Lessons(desk)

    async def submit(
        self,
        game_id: GameId,
        asker: Actor | PersonId,
        said: str | Sequence[Action],
        version: int | None = None,
        as_moderator: bool = False,
        cause: Cause | None = None,
    ) -> MoveResult:
        """Make the moves of a message (or these actions): all of them, saved in one transaction, or none.

        `version` is the position that the person saw; an older version is refused, unless the same question is
        still open to the same people and only others have answered since. A moderator may act for others.

        :raises Rejected: with the reason; nothing has changed.
        :raises StoreError: the database did not take it; nothing has changed.
        """
        async with self.desk.lock(game_id):
            table, current = await self.require_running(game_id)
            who = self.desk.check(table, asker, "act" if as_moderator else "move")
            if version is not None and not await self._is_still_asked(table, version, table.seats_of(who.person)):
                raise StalePosition(MOVED_ON)
            seats = None if as_moderator else end_substitution(table.seats, who.person)
            course = await self.lessons.find_course(table)
            tried = partial(self._simulate_or_suggest, table, current, said, who, as_moderator, course)
            saved, after, records = await self.apply_and_save(table, current, tried, seats, cause)
        await self.desk.notify(game_id, saved)
        texts = tuple(record.text for record in records)
        lines = table.tr_lines(line for record in records for line in record.lines)
        return MoveResult(game_id, records[-1].number, texts, lines, question(after))

    async def apply_and_save(
        self,
        table: GameSession,
        current: Game,
        make: Callable[[], tuple[Game, Sequence[MadeMove]]],
        seats: Sequence[SeatRecord] | None = None,
        cause: Cause | None = None,
    ) -> tuple[GameSession, Game, list[MoveRecord]]:
        """Make moves, let plans follow, and save all that; returns the table after it, its position and the records.
        `seats` are saved with them where they have changed.
        """
        plans = await self.plans.standing_plans(table)
        bidders = await self.plans.last_bidders(table, plans)

        def made_and_followed() -> tuple[Game, list[MoveRecord], ExecutionResult]:
            after, made = make()
            flight = fly(table, after, plans, made, bidders, self.desk.now())
            return after, [*(one.record for one in made), *flight.records], flight

        # In a thread: a route search must not keep the gateway from answering.
        after, records, flight = await run_in_thread(made_and_followed)
        acted = {seat(record.seat) for record in records if record.seat}
        saved = await self.desk.save(
            table,
            after,
            records,
            current.players_to_act() if table.record.status == GameStatus.RUNNING else (),
            status=GameStatus.RUNNING,
            acted=acted,
            seats=seats,
            told=flight.notices,
            plan_states=flight.states,
            cause=cause,
        )
        MOVES.labels(table.record.title).inc(sum(record.kind == MoveKind.MOVE for record in records))
        return saved, after, records

    async def _is_still_asked(self, table: GameSession, version: int, seats: Collection[PlayerId]) -> bool:
        """Whether the question to these seats at a version, and to others with them, is still open."""
        if version == table.record.version:
            return True
        line = await self.desk.store.moves.branch(table.record.id, table.record.version, MOST_ANSWERS)
        since = [record for record in reversed(line) if record.number > version]
        if not since or since[0].parent != version or any(record.kind != MoveKind.MOVE for record in since):
            return False
        then = await self.desk.position(table.record, version, table.seats)
        return await run_in_thread(is_question_still_open, then, [record.text for record in since], seats)

    async def submit_texts(self, game_id: GameId, person: PersonId, texts: Sequence[str]) -> MoveResult:
        """Make many moves in their exact text forms at once, saved in one transaction.

        :raises Rejected: one is not allowed; nothing has changed.
        """
        table, current = await self.require_running(game_id)
        if not texts:
            return MoveResult(game_id, table.record.version, (), (), question(current))
        return await self.submit(game_id, person, [parse_action(current.title, text) for text in texts])

    async def require_running(self, game_id: GameId) -> tuple[GameSession, Game]:
        """A table at which moves are made.

        :raises IllegalMove: it has not begun, is paused, or is over.
        """
        table, current = await self.desk.require_started(game_id)
        if table.record.status == GameStatus.PAUSED:
            raise IllegalMove("The moderator has paused this game.")
        if table.record.status == GameStatus.FINISHED:
            raise IllegalMove("This game is over.")
        return table, current

    def _simulate_or_suggest(
        self,
        table: GameSession,
        before: Game,
        said: str | Sequence[Action],
        who: Actor,
        as_moderator: bool,
        course: Course | PuzzleCourse | None,
    ) -> tuple[Game, list[MadeMove]]:
        """As `simulate`; a refusal calls players by their names, and offers those in turn legal alternatives."""
        try:
            return self.simulate(table, before, said, who, as_moderator, course)
        except Rejected as refusal:
            refusal.said = seats_to_names(refusal.said, before.state.names)
            seats = set(before.players_to_act() if as_moderator else table.seats_of(who.person)) & set(
                before.players_to_act()
            )
            is_about_move = not isinstance(refusal, NotYourTurn | StalePosition | OffCourse) and not refusal.instead
            words = said.replace(":", " ").split() if isinstance(said, str) else []
            if is_about_move and seats and words and begins_move(before, words[0]) and isinstance(said, str):
                refusal.instead = would_be_legal(before, said, seats=seats)
            raise

    def simulate(
        self,
        table: GameSession,
        before: Game,
        said: str | Sequence[Action],
        who: Actor,
        as_moderator: bool,
        course: Course | PuzzleCourse | None = None,
    ) -> tuple[Game, list[MadeMove]]:
        """`before` stays as it is; a `course` takes note of the moves, and may refuse them."""
        person = who.person
        seats = () if as_moderator else table.seats_of(person)
        actions = parse_moves(before, said, seats) if isinstance(said, str) else list(said)
        if not actions:
            raise IllegalMove("That contains no move.")
        after = before.copy()
        now = self.desk.now()
        records: list[MoveRecord] = []
        for action in actions:
            decider = after.controller_of(action.by)
            if not as_moderator:
                check_seat(table, after, action, decider, person)
            check_in_its_time(after, action)
            lines = apply_and_narrate(after, action)
            check_invariants(after, action, table.record.id)
            if course is not None and (told := course.follow(after, action)):
                lines.append(told)
            number = table.record.version + len(records) + 1
            number_of_seat = next((record.number for record in table.seats if seat(record.number) == decider), None)
            records.append(table.move_record(number, person, format_action(action), lines, now, number_of_seat))
        if line := deputy_message(table, who, records, as_moderator):
            records[0].lines.insert(0, line)
        return after, list(map(MadeMove, records, actions))

    # -- taking back --------------------------------------------------------------------------------

    async def undo(
        self, game_id: GameId, person: PersonId, moves: int | None = 1, version: int | None = None
    ) -> MoveResult:
        """Take back the person's last move, or several, or (None) all since somebody else moved.

        :raises Rejected: there are fewer, somebody else has moved, or their plans have shown themselves.
        """
        async with self.desk.change(game_id):
            table, _ = await self.desk.require_started(game_id)
            if version is not None and version != table.record.version:
                raise StalePosition(MOVED_ON)
            check_undo(table, person)
            line = await self.desk.store.moves.branch(game_id, table.record.version, LINE)
            own = own_moves(table, [move for move in line if move.kind in CHANGES], person, moves)
            course = await self.lessons.find_course(table)
            if course is not None and own[-1].parent < course.first:
                raise IllegalMove("There is nothing to take back.")
            shown = await self.plans.disclosed_plans(table, own[-1].parent, person)
            check_secrets(table, [order.seat for order in shown], person)
            later = sum(move.number > own[-1].parent and move.kind == MoveKind.MOVE for move in line) - len(own)
            told = undo_message(table, own, person, later)
            played = await self.restore_position(table, own[-1].parent, MoveKind.UNDO, person, told)
        return played

    async def undoable_move(self, game_id: GameId, person: PersonId) -> str:
        """The exact text of the move that an undo of this person would take back now; empty if it would be refused."""
        table, _ = await self.desk.require_started(game_id)
        line = await self.desk.store.moves.branch(game_id, table.record.version, LINE)
        try:
            check_undo(table, person)
            own = own_moves(table, [move for move in line if move.kind in CHANGES], person, 1)
        except Rejected:
            return ""
        return own[0].text

    async def redo(self, game_id: GameId, person: PersonId, version: int | None = None) -> MoveResult:
        """Restore what the person's last undo took back; several in turn restore several.

        :raises Rejected: they have taken nothing back, or something has happened since.
        """
        async with self.desk.change(game_id):
            table, _ = await self.desk.require_started(game_id)
            if version is not None and version != table.record.version:
                raise StalePosition(MOVED_ON)
            check_undo(table, person)
            line = await self.desk.store.moves.branch(game_id, table.record.version, 1)
            undone = line[0] if line else None
            if undone is not None and undone.kind == MoveKind.REDO:
                line = await self.desk.store.moves.branch(game_id, undone.parent, 1)
                undone = line[0] if line else None
            if undone is None or undone.kind != MoveKind.UNDO or undone.person != person:
                raise IllegalMove("There is nothing to redo: you have taken nothing back, or the game has moved on.")
            before = await self.desk.store.moves.branch(game_id, undone.number - 1, LINE)
            taken = [move for move in before if move.number > undone.parent]
            if any(is_by_person(move) and move.person != person for move in taken):
                raise IllegalMove(
                    "Others had moved too, and the table took their moves back with yours; make your moves again."
                )
            told = msg("{name} redoes the moves that were taken back.", table.name_of(person))
            played = await self.restore_position(table, undone.number - 1, MoveKind.REDO, person, told)
        return played

    async def version_before_last_move(self, game_id: GameId, person: PersonId) -> int | None:
        """The record before a person's last move that still stands; None when there is none to be seen."""
        table = await self.desk.table(game_id)
        line = await self.desk.store.moves.branch(game_id, table.record.version, LINE)
        return next(
            (one.parent for one in line if one.kind == MoveKind.MOVE and one.person == person and not one.auto), None
        )

    async def restore_position(
        self,
        table: GameSession,
        number: int,
        kind: MoveKind,
        asker: Actor | PersonId,
        line: Message,
        cause: Cause | None = None,
    ) -> MoveResult:
        """Go back to the position after a record. The records on the way stay in the log.

        Plans disclosed on the way end for good: their maxima may be known.
        """
        who = as_actor(asker)
        shown = await self.plans.disclosed_plans(table, number, who.person if kind == MoveKind.UNDO else NOBODY)
        after = await self.desk.position(table.record, number, table.seats)
        record = table.next_record(kind, who.person, line, self.desk.now(), parent=number)
        asked = table.game.players_to_act() if table.game else ()
        status = GameStatus.PAUSED if table.record.status == GameStatus.PAUSED else GameStatus.RUNNING
        over = end_disclosed_plans(after, shown, record.number, self.desk.now())
        await self.desk.save(
            table,
            after,
            [record],
            {*asked, *table.seats_of(who.person)},
            status=status,
            acted=after.players_to_act(),
            told=over.notices,
            plan_states=over.states,
            cause=cause,
        )
        told = [*table.tr_lines([line]), tr("Back in: {where}.", round_and_phase(after))]
        return MoveResult(table.record.id, record.number, (), tuple(told), question(after))


def undo_message(table: GameSession, moves: Sequence[MoveRecord], person: PersonId, later: int) -> Message:
    """The sentence for moves that are taken back, the last one first: the player and the moves, without the name
    again, and how many `later` moves of computer players and plans go with them.
    """
    made_for = {seat(move.seat) for move in moves if move.seat is not None}
    own = made_for & set(table.seats_of(person))
    who: Value = next(iter(own)) if len(made_for) == len(own) == 1 else table.name_of(person)
    texts = "; ".join(move.text.removeprefix(f"{who} ") for move in reversed(moves))
    if later > 0:
        return msg("{name} takes back: {moves}, and {number} later move(s)", who, literal(texts), later)
    return msg("{name} takes back: {moves}", who, literal(texts))


def end_substitution(seats: Sequence[SeatRecord], person: PersonId) -> list[SeatRecord] | None:
    """The seats without the computer player who has moved for this person; None if there was none."""
    if not any(held.person == person and is_computer(held.sitter) for held in seats):
        return None
    return [msgspec.structs.replace(held, sitter="") if held.person == person else held for held in seats]


def is_question_still_open(game: Game, texts: Sequence[str], seats: Collection[PlayerId]) -> bool:
    """Whether one question to several players stays open for one of these seats while moves are made. Changes `game`."""
    waiting = set(game.players_to_act()) & set(seats)
    here = phase_key(game)
    if len(game.players_to_act()) < 2 or not waiting:
        return False
    for text in texts:
        action = parse_action(game.title, text)
        if game.controller_of(action.by) in seats:
            return False
        game.apply(action)
        waiting &= set(game.players_to_act())
        if not waiting or phase_key(game) != here:
            return False
    return True


def phase_key(game: Game) -> tuple[object, ...]:
    """The round, and the frame on top."""
    now = game.state.round
    return now.kind, now.number, now.part, len(game.state.flow), game.frame.plan, game.frame.entity


def check_seat(table: GameSession, game: Game, action: Action, decider: PlayerId | None, person: PersonId) -> None:
    """Players act only for their own seats.

    :raises NotYourTurn: the seat is somebody else's.
    """
    if decider in table.seats_of(person):
        return
    if decider is None:
        raise IllegalMove("{by} has nothing to decide now. {game}", "", game.state.name(action.by), question(game))
    who = game.state.name(decider)
    if action.by != decider:
        raise NotYourTurn("{by} is played by {who}. {question}", "", action.by, who, question(game))
    raise NotYourTurn("That is {who}'s move. {question}", "", who, question(game))


def deputy_message(table: GameSession, who: Actor, records: Sequence[MoveRecord], as_moderator: bool) -> Message | None:
    """The log's sentence before moves that a moderator made for others, or a sitter made."""
    if as_moderator:
        players = dict.fromkeys(seat(move.seat) for move in records if move.seat)
        return msg("{name} acts for {players}.", table.name_of(who), join_and(players))
    sat_in = [seat(record.number) for record in table.seats if has_sitter_moved(record, who.person, records)]
    return msg("A sitter moves for {players}.", join_and(sat_in)) if sat_in else None


def has_sitter_moved(held: SeatRecord, person: PersonId, records: Sequence[MoveRecord]) -> bool:
    return held.sitter == person != held.person and any(record.seat == held.number for record in records)


def check_invariants(game: Game, action: Action, number: int) -> None:
    """Reject a move that breaks an invariant of positions.

    :raises IllegalMove: it does; the fault is the program's.
    """
    broken = game.audit()
    if broken:
        log.error("audit: %s after %s", "; ".join(broken), format_action(action), extra={"game": number})
        raise IllegalMove("That move triggers a bug in the program ({error}); nothing was saved.", "", broken[0])


def check_undo(table: GameSession, person: PersonId) -> None:
    """Check that this person may take something back now.

    :raises IllegalMove: the game rests, or is not theirs.
    """
    check_right(table.record, table.seats, person, "undo")
    if table.record.status == GameStatus.PAUSED:
        raise IllegalMove("The moderator has paused this game.")
    if table.record.status == GameStatus.FINISHED and table.game is not None and not table.game.state.finished:
        raise IllegalMove("The moderator has ended this game.")


def is_by_person(move: MoveRecord) -> bool:
    """Whether a move is a person's, made by them or by their plan."""
    return bool(move.person) and not is_computer(move.person)


def is_decided(move: MoveRecord) -> bool:
    """Whether the table or its moderator has decided this."""
    return move.kind == MoveKind.CORRECT or not (move.person or move.auto)


def check_secrets(table: GameSession, shown: Collection[int], person: PersonId) -> None:
    """Let nobody undo, without the table, moves that other people's plans have answered: repeated tries would
    find out how far they go.

    :raises IllegalMove: seats of others are among those whose plans have shown themselves.
    """
    others = [seat(held.number) for held in table.seats if held.number in shown and held.person != person]
    if others:
        raise IllegalMove(
            "A plan of {players} reacted to that. Going back needs their agreement (vote undo), to keep maximum bids secret.",
            "",
            table.tr_lines([join_and(others)])[0],
        )


def own_moves(table: GameSession, line: Sequence[MoveRecord], person: PersonId, wanted: int | None) -> list[MoveRecord]:
    """The last moves of this person on the line (newest first) that nobody else's move follows, nor anything that the table or its
    moderator has decided: corrections, and moves that were made for nobody.

    :raises IllegalMove: there are fewer than wanted.
    """
    if not line or wanted == 0:
        raise IllegalMove("There is nothing to take back.")
    own: list[MoveRecord] = []
    for move in line:
        if move.auto and move.person != person and not is_by_person(move):
            # Forced passes, and what computer players did, go with the move that let them.
            continue
        if move.person != person or is_decided(move) or (wanted is not None and len(own) == wanted):
            break
        own.append(move)
    if not own:
        raise refusal_to_go_back(table, line, person)
    if wanted is not None and len(own) < wanted:
        raise IllegalMove(
            "You can take back {number}; before that another player moved, or the game began.", "", len(own)
        )
    return own


def refusal_to_go_back(table: GameSession, line: Sequence[MoveRecord], person: PersonId) -> IllegalMove:
    """Why this person has nothing to take back on the line, which is not empty.

    :raises IllegalMove: seats of others are among those whose plans have shown themselves.
    """
    if is_decided(next((move for move in line if not move.auto), line[0])):
        return IllegalMove(
            "The table or its moderator has decided something since; only the moderator can go back further (rewind), or all who have moved since agree (undo for all)."
        )
    last = next((move for move in line if not move.auto or is_by_person(move)), line[0])
    if last.auto and last.seat is not None:
        check_secrets(table, [last.seat], person)
    return IllegalMove(
        (
            "{players} has moved since; only the moderator can go back further (rewind), or everyone who moved "
            "since agrees (undo for all)."
        ),
        "",
        table.tr_lines([msg("{name}", table.name_of(last.person))])[0],
    )
