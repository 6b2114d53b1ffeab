"""Questions to the table that the rules of the game do not ask: undo across players, ending, replacing silent players,
and how to deal with a late player: pass for them, or fine them. Nothing of that ever happens automatically.

Everybody concerned is asked at once, in any order. Players with a standing answer are not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec

from bot.engine import (
    NOBODY,
    FormerPlayer,
    GameId,
    IllegalMove,
    Message,
    PersonId,
    PlayerId,
    SeatNumber,
    join_and,
    literal,
    msg,
    seat,
)
from bot.engine.games.corrections import FIRST_WORD
from bot.engine.notation import money, question
from bot.engine.play import Game
from bot.engine.state import Action, Answer, Done, Pass
from bot.i18n import tr, tr_lines
from bot.service.plans.plan import QUESTIONS, AutoReply
from bot.service.sessions import (
    DEFAULT_STRENGTH,
    Actor,
    GameSession,
    MadeMove,
    SessionManager,
    add_waking,
    as_actor,
    computer_person,
    guest_name,
    is_away,
    is_computer,
    waiting_since,
)
from bot.service.views.clock_text import describe_clock
from bot.store import (
    AnswerRecord,
    Ballot,
    ClockAllowance,
    GameStatus,
    MoveKind,
    Notice,
    NoticeKind,
    PollKind,
    PollOutcome,
    QuestionRecord,
    SeatRecord,
    StoreDamaged,
)

from .mail import UNREACHED, Mail
from .moderation import Moderation, check_allowance
from .moves import Moves
from .plans.executor import PlanExecutor
from .plans.records import plan_of

MODERATOR_DAYS = 14
"""Days after which a table may elect another moderator, if the moderator has done nothing there."""

SILENT_DAYS = 7
"""Days after which the others may vote to give a seat to somebody else."""

MOVED_ON = "the game has moved on"

NEEDED: dict[str, dict[str, type]] = {
    PollKind.END: {},
    PollKind.UNDO: {"number": int},
    PollKind.REPLACE: {"seat": int, "newcomer": str, "name": str},
    PollKind.COMPUTER: {"seat": int},
    PollKind.SKIP: {"seat": int},
    PollKind.FINE: {"seat": int, "amount": int},
    PollKind.CLOCK: {"clock": dict},
    PollKind.MODERATOR: {"seat": int},
}

BY_MAJORITY = (PollKind.REPLACE, PollKind.COMPUTER, PollKind.SKIP, PollKind.MODERATOR)
"""Questions that more than half of those asked decide; all others need all of them."""


@dataclass(frozen=True)
class Poll:
    record: QuestionRecord
    prompt: Message
    names: Mapping[PlayerId, str]
    asked: tuple[SeatRecord, ...]
    agreed: tuple[str, ...]
    refused: tuple[str, ...]
    waiting: tuple[str, ...]

    @property
    def text(self) -> str:
        return tr_lines([self.prompt], self.names)[0]

    @property
    def is_open(self) -> bool:
        return self.record.closed_at is None

    @property
    def waits_for(self) -> list[PersonId]:
        return list(dict.fromkeys(one.person for one in self.asked if one.name in self.waiting))

    @property
    def is_refused(self) -> bool:
        return self.record.outcome == PollOutcome.REFUSED and self.record.kind not in BY_MAJORITY

    @property
    def line(self) -> str:
        if self.record.closed_at is not None:
            if self.record.outcome == PollOutcome.AGREED:
                return tr("The table has agreed." if self.record.kind in BY_MAJORITY else "All agreed.")
            why = msg("{refused} refused", join_and(self.refused)) if self.is_refused else msg(self.record.outcome)
            return tr("Not done: {why}.", why)
        agreed = [tr("{agreed} agreed.", join_and(self.agreed))] if self.agreed else []
        return " ".join([tr("Waiting for {waiting}.", join_and(self.waiting)), *agreed])


class Votes:
    def __init__(
        self, desk: SessionManager, plans: PlanExecutor, play: Moves, moderation: Moderation, mail: Mail
    ) -> None:
        self.desk, self.plans, self.play, self.moderation, self.mail = desk, plans, play, moderation, mail

    async def start_poll(
        self, game_id: GameId, asker: Actor | PersonId, kind: str, data: Mapping[str, Any] | None = None
    ) -> Poll:
        """Put a question to the table. `undo` takes the `number` of the record to go back to, `replace` a `seat`, a
        `newcomer` and their `name`, `skip` a `seat`, `fine` a `seat` and an `amount`. A question that concerns
        nobody else is carried out at once.

        :raises IllegalMove: it makes no sense, or somebody has asked the same already.
        """
        async with self.desk.change(game_id):
            table, _ = await self.desk.require_started(game_id)
            person = as_actor(asker).person
            if not await self._is_volunteer(table, person, kind, data or {}):
                self.desk.check(table, asker, "ask")
            if table.record.status == GameStatus.PAUSED:
                raise IllegalMove("The moderator has paused this game.")
            checked = await self._check_data(table, person, kind, dict(data or {}))
            for other in await self.desk.store.questions.list_open(game_id):
                if other.kind == kind and not is_past(table, other):
                    raise IllegalMove("That vote is already open.")
                if is_past(table, other):
                    await self.desk.store.questions.close(other.id, self.desk.now(), MOVED_ON)
            record = QuestionRecord(game_id, kind, person, checked, table.record.version, self.desk.now())
            poll = await self._settle(table, record, await self._standing_answers(table, record))
        return poll

    async def _is_volunteer(self, table: GameSession, person: PersonId, kind: str, data: Mapping[str, Any]) -> bool:
        """Whether somebody asks for a seat of their own that is offered now."""
        if kind != PollKind.REPLACE or not person or data.get("newcomer") != person:
            return False
        offers = await self.desk.store.substitutes.offers_of(table.record.id)
        return any(one.seat == data.get("seat") for one in offers)

    async def close_polls_about(self, newcomer: PersonId) -> None:
        """End every question whether this person is to have a seat."""
        for record in await self.desk.store.questions.list_open_of(PollKind.REPLACE):
            if record.data.get("newcomer") == newcomer:
                await self.desk.store.questions.close(record.id, self.desk.now(), MOVED_ON)

    async def answer_poll(self, number: int, person: PersonId, is_agreed: bool) -> Poll:
        """Answer a question for all of a person's seats; the deciding answer carries it out.

        :raises IllegalMove: there is no such question, it is closed, or others are asked.
        """
        record = await self.desk.store.questions.find(number)
        if record is None:
            raise IllegalMove("There is no such vote.")
        async with self.desk.change(record.game):
            record = await self.desk.store.questions.find(number) or record
            table, _ = await self.desk.require_started(record.game)
            self.desk.check(table, person, "answer")
            if record.closed_at is not None:
                raise IllegalMove("That vote is over: {result}", "", (await self.poll(table, record)).line)
            own = [one for one in await self._concerned_seats(table, record) if one.person == person]
            if not own:
                raise IllegalMove("You have no vote here.")
            answers = [AnswerRecord(number, one.number, is_agreed, self.desk.now()) for one in own]
            poll = await self._settle(table, record, answers)
        return poll

    async def polls(self, game_id: GameId) -> list[Poll]:
        table, _ = await self.desk.require_started(game_id)
        found = [one for one in await self.desk.store.questions.list_open(game_id) if is_question(one.kind, one.data)]
        return [await self.poll(table, record) for record in found if not is_past(table, record)]

    async def open_matters(self, game_id: GameId) -> list[str]:
        """The news for the table beside the position, in the reader's language: open votes with the players who have
        not answered, and players whom no mail reaches.
        """
        table = await self.desk.table(game_id)
        if table.game is None or table.record.status == GameStatus.FINISHED:
            return []
        votes = [f"{poll.text} {poll.line}" for poll in await self.polls(game_id)]
        unreached = [msg(UNREACHED, seat(one.number)) for one in table.seats if await self.mail.is_lost(one.person)]
        return [*votes, *tr_lines(unreached, table.names)]

    async def find_poll(self, game_id: GameId, number: int) -> Poll | None:
        """A question as it stands, which is over where the game has moved on; None where there is no such question."""
        # The question and the game are of the same moment.
        async with self.desk.lock(game_id):
            record = await self.desk.store.questions.find(number)
            if record is None:
                return None
            table = await self.desk.table(game_id)
            if record.closed_at is None and is_past(table, record):
                record = msgspec.structs.replace(record, closed_at=self.desk.now(), outcome=MOVED_ON)
            return await self.poll(table, record)

    async def poll(self, table: GameSession, record: QuestionRecord, new: Sequence[AnswerRecord] = ()) -> Poll:
        """The question with its saved answers and these `new` answers."""
        asked = await self._concerned_seats(table, record)
        saved = await self.desk.store.questions.answers(record.id)
        answers = {answer.seat: answer.agree for answer in (*saved, *new)}
        agreed = tuple(one.name for one in asked if answers.get(one.number) is True)
        refused = tuple(one.name for one in asked if answers.get(one.number) is False)
        waiting = tuple(one.name for one in asked if one.number not in answers)
        return Poll(record, self._question_message(table, record), table.names, tuple(asked), agreed, refused, waiting)

    # -- kinds --------------------------------------------------------------------------------------

    async def _check_data(
        self, table: GameSession, person: PersonId, kind: str, data: dict[str, Any]
    ) -> dict[str, Any]:
        """The question's data, checked.

        :raises IllegalMove: it makes no sense.
        """
        if kind == PollKind.END:
            if table.record.status == GameStatus.FINISHED:
                raise IllegalMove("This game is over.")
            return {}
        if kind == PollKind.UNDO:
            return await self._check_undo(table, data)
        if kind == PollKind.CLOCK:
            return check_new_clock(table, data)
        if kind == PollKind.MODERATOR:
            return await self._check_election(table, data)
        if kind in (PollKind.REPLACE, PollKind.COMPUTER):
            return await self._check_seat(table, kind, data)
        if kind in (PollKind.SKIP, PollKind.FINE):
            return await self._check_late_data(table, kind, data)
        raise IllegalMove("Questions to the table: {questions}.", "", ", ".join(QUESTIONS))

    async def _check_undo(self, table: GameSession, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a question about going back, checked.

        :raises IllegalMove: there is no such log entry, or it was taken back.
        """
        number = data.get("number")
        if not table.record.version:
            raise IllegalMove("There is nothing to take back.")
        if not isinstance(number, int) or number not in range(table.record.version):
            raise IllegalMove("You can go back to log entries 0 to {last}.", "", table.record.version - 1)
        line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version)
        if number not in line:
            raise IllegalMove("Log entry {number} was itself taken back.", "", number)
        return {"number": number}

    async def _check_seat(self, table: GameSession, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a question about who sits in a seat, checked.

        :raises IllegalMove: there is no such seat, or its player has not kept the table waiting.
        """
        held = table.find_seat(data.get("seat"))
        if held is None:
            raise IllegalMove("There is no such seat.")
        offers = await self.desk.store.substitutes.offers_of(table.record.id)
        since = await self._waiting_since(held)
        is_silent = since is not None and self.desk.clock() - since >= timedelta(days=SILENT_DAYS)
        if held.person and not is_silent and all(one.seat != held.number for one in offers):
            raise IllegalMove(
                (
                    "{player} has not kept the table waiting for {days} days; only the moderator or {owner} can "
                    "give the seat away."
                ),
                "",
                held.name,
                SILENT_DAYS,
                held.name,
            )
        if kind == PollKind.COMPUTER:
            return {"seat": held.number}
        newcomer = PersonId(str(data.get("newcomer", "")))
        name = guest_name(str(data.get("name", "")), newcomer, [one for one in table.seats if one is not held])
        await self.desk.check_ban_among_strangers(table.record.id, newcomer, literal(name))
        return {"seat": held.number, "holder": held.person, "newcomer": newcomer, "name": name}

    async def _check_election(self, table: GameSession, data: dict[str, Any]) -> dict[str, Any]:
        """The data of an election, checked.

        :raises IllegalMove: nobody who plays is named, or the moderator has not vanished.
        """
        held = table.find_seat(data.get("seat"))
        if held is None or not held.person or is_computer(held.person) or held.person == table.record.moderator:
            raise IllegalMove("Name another player of this game.")
        last = await self.desk.store.moves.last_act_of(table.record.id, table.record.moderator)
        since = table.record.created_at if last is None else last
        if self.desk.now() - since < timedelta(days=MODERATOR_DAYS).total_seconds():
            raise IllegalMove("The moderator was here less than {days} days ago.", "", MODERATOR_DAYS)
        return {"seat": held.number}

    async def _check_late_data(self, table: GameSession, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of a question about a late player, checked.

        :raises IllegalMove: it makes no sense.
        """
        held = await self._require_late_seat(table, data.get("seat"))
        if table.game is None:
            raise IllegalMove("This game has not begun yet.")
        if kind == PollKind.SKIP:
            default_action(table.game, seat(held.number), held.name)
            return {"seat": held.number}
        amount, cash = data.get("amount"), table.game.state.cash[seat(held.number)]
        if not isinstance(amount, int) or not 1 <= amount <= cash:
            raise IllegalMove(
                "A fine can be 1 to {cash}, all the cash of {player}.", "", money(table.game, cash), held.name
            )
        return {"seat": held.number, "amount": amount}

    async def _require_late_seat(self, table: GameSession, number: object) -> SeatRecord:
        """The seat, if it has kept the table waiting for longer than the pace allows; holidays and quiet hours are free.

        :raises IllegalMove: it has not.
        """
        held = table.find_seat(number)
        if held is None:
            raise IllegalMove("There is no such seat.")
        since = await self._waiting_since(held)
        pace, now = table.record.pace_hours, self.desk.clock()
        if since is None or is_away(held, now) or now < add_waking(since, pace, held):
            raise IllegalMove(
                "{name} is not late: a turn may take {pace} waking hours, and holidays do not count.",
                "",
                held.name,
                f"{pace:g}",
            )
        return held

    async def _waiting_since(self, held: SeatRecord) -> datetime | None:
        running = [clock for clock in await self.desk.store.clocks.list_of(held.game) if clock.seat == held.number]
        return waiting_since(running[0], self.desk.clock()) if running else None

    async def _concerned_seats(self, table: GameSession, record: QuestionRecord) -> list[SeatRecord]:
        """The seats that a question concerns: for an undo, everybody who has moved since or has had a plan
        disclosed; for other questions, everybody except the asker.

        :raises StoreDamaged: it is not valid.
        """
        if not is_question(record.kind, record.data):
            raise StoreDamaged("The saved data of game {game} is damaged (vote); run: signalbox doctor.", record.game)
        others = [
            one for one in table.seats if one.person and one.person != record.person and not is_computer(one.person)
        ]
        if "seat" in record.data:
            return [one for one in others if one.number != record.data["seat"]]
        if record.kind == PollKind.UNDO:
            line = await self.desk.store.moves.branch_numbers(record.game, record.number)
            since = await self.desk.store.moves.list_of(record.game, record.data["number"])
            moved = {move.seat for move in since if move.number in line and move.kind == MoveKind.MOVE}
            moved |= {answer.seat for answer in await self.desk.store.questions.answers(record.id)}
            moved |= await self._shown_seats(table, record)
            return [one for one in others if one.number in moved]
        return others

    async def _shown_seats(self, table: GameSession, record: QuestionRecord) -> set[SeatNumber]:
        """The seats whose plans were disclosed in what an open question would take back."""
        if record.kind != PollKind.UNDO or record.number != table.record.version:
            return set()
        return {order.seat for order in await self.plans.disclosed_plans(table, record.data["number"], record.person)}

    def _question_message(self, table: GameSession, record: QuestionRecord) -> Message:
        """The question, with the present names."""
        who, data = table.name_of(record.person), record.data
        if record.kind == PollKind.UNDO:
            return msg("{name} asks to go back to move {number}.", who, data["number"])
        if record.kind == PollKind.END:
            return msg("{name} asks to end the game now.", who)
        if record.kind == PollKind.CLOCK:
            return msg("{name} asks to change the clock. {clock}", who, describe_clock(allowance_of(data)))
        silent = seat(data["seat"])
        if record.kind == PollKind.SKIP:
            return msg("{name} asks to pass for {player}, who is late.", who, silent)
        if record.kind == PollKind.FINE:
            fine = money(table.game, data["amount"]) if table.game else data["amount"]
            return msg("{name} asks to fine {player} {amount} for being late.", who, silent, fine)
        if record.kind == PollKind.MODERATOR:
            return msg("{name} asks to make {player} the moderator.", who, silent)
        if record.kind == PollKind.COMPUTER:
            return msg("{name} asks to let a computer player move for {player} until they return.", who, silent)
        newcomer = FormerPlayer(data["newcomer"], data["name"])
        if record.person == data["newcomer"]:
            return msg("{newcomer} would take over the seat of {player}.", newcomer, silent)
        return msg("{name} asks to give the seat of {player} to {newcomer}.", who, silent, newcomer)

    async def _standing_answers(self, table: GameSession, record: QuestionRecord) -> list[AnswerRecord]:
        concerned = {one.number for one in await self._concerned_seats(table, record)}
        # Consent to every undo does not include consent to show the effect of a plan.
        guarded = await self._shown_seats(table, record)
        return [
            AnswerRecord(record.id, kept.seat, step.agree, self.desk.now())
            for kept in await self.plans.standing_plans(table)
            for step in plan_of(kept).steps
            if isinstance(step, AutoReply)
            and step.about == record.kind
            and kept.seat in (concerned - guarded if step.agree else concerned)
        ]

    async def _settle(self, table: GameSession, record: QuestionRecord, new: Sequence[AnswerRecord]) -> Poll:
        """Save a question with new answers, and in the same transaction what the table has decided by them; returns it
        as it is then: still open, refused, or done.

        :raises Rejected: the decision cannot be carried out; nothing is saved.
        """
        poll = await self.poll(table, record, new)
        if is_past(table, record):
            outcome = MOVED_ON
        elif record.kind in BY_MAJORITY:
            half = len(poll.asked) / 2
            outcome = (
                PollOutcome.AGREED
                if len(poll.agreed) > half
                else PollOutcome.REFUSED
                if len(poll.refused) >= half
                else ""
            )
        else:
            outcome = PollOutcome.REFUSED if poll.refused else "" if poll.waiting else PollOutcome.AGREED
        now = self.desk.now()
        is_put = not (record.id or outcome)
        kind, lines = (NoticeKind.QUESTION, poll.waits_for) if is_put else (NoticeKind.VOTED, [])
        if outcome:
            record = msgspec.structs.replace(record, closed_at=now, outcome=outcome)
        # Like the question, the notice belongs to the position that was asked about.
        ballot = Ballot(record, new, Notice(record.game, record.number, kind, list(lines), now))
        if outcome == PollOutcome.AGREED:
            await self._carry_out(table, record, poll, ballot)
        else:
            record.id = await self.desk.store.questions.save(ballot)
        return replace(poll, record=record)

    async def _carry_out(self, table: GameSession, record: QuestionRecord, poll: Poll, ballot: Ballot) -> None:
        current, person = table.game, record.person
        held = table.find_seat(record.data.get("seat"))
        if record.kind == PollKind.UNDO:
            number = record.data["number"]
            line = consent_message(msg("{name} goes back to move {number}", table.name_of(person), number), poll)
            await self.play.restore_position(table, number, MoveKind.UNDO, person, line, ballot)
        elif record.kind == PollKind.REPLACE and held is not None:
            await self.moderation.assign_seat(table, held, person, record.data["newcomer"], record.data["name"], ballot)
        elif current is not None and held is not None:
            await self._decide_on_seat(table, current, held, record, poll, ballot)
        elif record.kind == PollKind.END and current is not None:
            line = consent_message(msg("{name} ends the game", table.name_of(person)), poll)
            await self.moderation.append_record(
                table, current, MoveKind.END, person, line, GameStatus.FINISHED, cause=ballot
            )
        elif record.kind == PollKind.CLOCK and current is not None:
            allowance = allowance_of(record.data)
            check_allowance(table, allowance)
            line = msg(
                "{act} {clock}", consent_message(msg("The table changes the clock"), poll), describe_clock(allowance)
            )
            await self.moderation.save_clock(table, current, person, line, allowance, ballot)

    async def _decide_on_seat(
        self,
        table: GameSession,
        current: Game,
        held: SeatRecord,
        record: QuestionRecord,
        poll: Poll,
        ballot: Ballot,
    ) -> None:
        """Carry out what the table has decided on a seat of a running game."""
        person = record.person
        if record.kind == PollKind.SKIP:
            player = seat(held.number)
            action = default_action(current, player, held.name)
            line = consent_message(msg("The table passes for {player}, who is late", player), poll)

            def apply_default() -> tuple[Game, list[MadeMove]]:
                after, made = self.play.simulate(table, current, [action], as_actor(person), as_moderator=True)
                made[0].record.lines[0] = line
                # The table has made it: the player who asked the table may not take it back without the table.
                made[0].record.person = NOBODY
                return after, made

            await self.play.apply_and_save(table, current, apply_default, cause=ballot)
        elif record.kind == PollKind.FINE:
            player, amount = seat(held.number), record.data["amount"]
            left = max(0, current.state.cash[player] - amount)
            fined = msg("{player} pays a fine of {amount} for being late", player, money(current, amount))
            exact = f"{FIRST_WORD} cash {player} {left}"
            await self.moderation.save_correction(table, current, exact, person, consent_message(fined, poll), ballot)
        elif record.kind == PollKind.COMPUTER:
            what = msg("A computer player moves for {player} until they return", seat(held.number))
            seats, status = with_computer_sitter(table.seats, held.number), table.record.status
            await self.moderation.append_record(
                table, current, MoveKind.SITTER, person, consent_message(what, poll), status, seats, cause=ballot
            )
        elif record.kind == PollKind.MODERATOR:
            line = consent_message(msg("{player} is the moderator now", seat(held.number)), poll)
            await self.moderation.save_moderator(table, current, person, held.person, line, ballot)


def is_past(table: GameSession, record: QuestionRecord) -> bool:
    """Whether the game has moved on since a question. Who is to have a seat that nobody holds, or that a computer player minds, is
    asked while others go on.
    """
    held = table.find_seat(record.data.get("seat"))
    if record.kind != PollKind.REPLACE or held is None or (held.person and not is_computer(held.sitter)):
        return record.number != table.record.version
    return table.record.status == GameStatus.FINISHED or held.person != record.data.get("holder", held.person)


def consent_message(what: Message, poll: Poll) -> Message:
    """The sentence of the table's decision, with those who agreed."""
    agreed = [seat(one.number) for one in poll.asked if one.name in poll.agreed]
    return msg("{what}; {players} agreed.", what, join_and(agreed)) if agreed else msg("{what}.", what)


def with_computer_sitter(seats: Sequence[SeatRecord], number: int) -> list[SeatRecord]:
    return [
        msgspec.structs.replace(held, sitter=computer_person(DEFAULT_STRENGTH), sitter_until=None)
        if held.number == number
        else held
        for held in seats
    ]


def is_question(kind: str, data: Mapping[str, Any]) -> bool:
    needed = NEEDED.get(kind)
    return needed is not None and all(type(data.get(name)) is what for name, what in needed.items())


def check_new_clock(table: GameSession, data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a question about another clock, checked.

    :raises IllegalMove: the table may not have it.
    """
    allowance = allowance_of(data)
    check_allowance(table, allowance)
    return {"clock": data.get("clock") or {}}


def allowance_of(data: Mapping[str, Any]) -> ClockAllowance | None:
    """The clock that a question is about; None where it is to go.

    :raises IllegalMove: it cannot be read.
    """
    try:
        return msgspec.convert(data["clock"], ClockAllowance) if data.get("clock") else None
    except msgspec.ValidationError as error:
        raise IllegalMove("The numbers of that clock are not possible.") from error


def default_action(game: Game, player: PlayerId, name: str) -> Action:
    """The move of a player who does nothing: pass, be done, or refuse.

    :raises IllegalMove: something else must be decided.
    """
    for step in game.open_steps():
        for action in step.options(game):
            is_idle = isinstance(action, Pass | Done) or (isinstance(action, Answer) and not action.agree)
            if is_idle and game.controller_of(action.by) == player:
                return action
    raise IllegalMove(
        "{player} cannot pass now: {status} Give the seat to a sitter or to another player.", "", name, question(game)
    )
