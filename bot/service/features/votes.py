"""Questions to the table that the rules of the game do not ask: undo across players, ending, replacing the silent, and
what it does about somebody who is late: pass for him, or fine him. Nothing of that ever happens by itself.

Everybody concerned is asked at once, in any order. Whoever has a standing answer is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import msgspec

from bot.engine.games.corrections import FIRST_WORD
from bot.engine.ids import PlayerId, seat
from bot.engine.message import FormerPlayer, Message, said, together
from bot.engine.notation.messages import money, question
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, Answer, Done, Pass
from bot.i18n import say, shown
from bot.service.sessions.clocks import add_waking, is_away, waits_since
from bot.service.sessions.computer_seats import USUAL, computer, is_computer
from bot.service.sessions.names import clean_name
from bot.service.sessions.rights import Actor, asking
from bot.service.sessions.session_manager import GameSession, SessionManager
from bot.store import AnswerRecord, MoveRecord, Notice, QuestionRecord, SeatRecord, StoreDamaged

from .moderation import Moderation
from .moves import Moves
from .standing_orders.executor import OrderExecutor
from .standing_orders.orders import QUESTIONS, AutoReply, order_of

SILENT_DAYS = 7
"""After so many days the others may vote to give a seat to somebody else."""

NEEDED: dict[str, dict[str, type]] = {
    "end": {},
    "undo": {"number": int},
    "replace": {"seat": int, "newcomer": str, "name": str},
    "computer": {"seat": int},
    "skip": {"seat": int},
    "fine": {"seat": int, "amount": int},
}
"""What the data of each kind of question hold."""

BY_MAJORITY = ("replace", "computer", "skip")
"""What more than half of those asked decide; all the rest needs all of them."""


@dataclass(frozen=True)
class Poll:
    """A question as it stands: what is asked, who is asked, who has agreed or refused, whom it waits for."""

    record: QuestionRecord
    told: Message
    names: Mapping[PlayerId, str]
    asked: tuple[SeatRecord, ...]
    agreed: tuple[str, ...]
    refused: tuple[str, ...]
    waiting: tuple[str, ...]

    @property
    def text(self) -> str:
        """What is asked."""
        return shown([self.told], self.names)[0]

    @property
    def is_refused(self) -> bool:
        """Whether somebody's refusal has ended it."""
        return self.record.outcome == "refused" and self.record.kind not in BY_MAJORITY

    @property
    def line(self) -> str:
        """How it stands, in one line."""
        if self.record.closed_at is not None:
            if self.record.outcome == "agreed":
                return say("The table has agreed." if self.record.kind in BY_MAJORITY else "All agreed.")
            why = said("{refused} refused", together(self.refused)) if self.is_refused else said(self.record.outcome)
            return say("Not done: {why}.", why)
        agreed = [say("{agreed} agreed.", together(self.agreed))] if self.agreed else []
        return " ".join([say("Waiting for {waiting}.", together(self.waiting)), *agreed])


class Votes:
    """Asking the table."""

    def __init__(self, desk: SessionManager, orders: OrderExecutor, play: Moves, moderation: Moderation) -> None:
        self.desk, self.orders, self.play, self.moderation = desk, orders, play, moderation

    async def ask_table(self, game: int, asker: Actor | str, kind: str, data: Mapping[str, Any] | None = None) -> Poll:
        """Put a question. `undo` takes the `number` of the record to go back to, `replace` a `seat`, a `newcomer` and
        his `name`, `skip` a `seat`, `fine` a `seat` and an `amount`. Where nobody else is concerned it is done at once.

        :raises IllegalMove: it makes no sense, or somebody has asked the same already.
        """
        async with self.desk.lock(game):
            table, _ = await self.desk.begun(game)
            person = self.desk.check(table, asker, "ask").person
            if table.record.status == "paused":
                raise IllegalMove("The moderator has paused this game.")
            checked = await self._checked(table, person, kind, dict(data or {}))
            for other in await self.desk.store.open_questions(game):
                if other.kind == kind and other.number == table.record.version:
                    raise IllegalMove("That vote is already open.")
                if other.number != table.record.version:
                    await self.desk.store.close_question(other.id, self.desk.now(), "the game has moved on")
            record = QuestionRecord(game, kind, person, checked, table.record.version, self.desk.now())
            record.id = await self.desk.store.add_question(record)
            await self._standing_answers(table, record)
            poll = await self._settled(table, record)
            if poll.record.closed_at is None:
                waiting = [one.person for one in poll.asked if one.name in poll.waiting]
                lines: list[Message | str] = [str(record.id), *waiting]
                await self.desk.store.end_orders(
                    [], [Notice(game, table.record.version, "question", lines, self.desk.now())]
                )
        await self.desk.tell(game)
        return poll

    async def answer_table(self, number: int, person: str, is_agreed: bool) -> Poll:
        """Answer a question for all one's seats; the answer that decides it has it done.

        :raises IllegalMove: there is no such question, it is closed, or others are asked.
        """
        record = await self.desk.store.question(number)
        if record is None:
            raise IllegalMove("There is no such vote.")
        async with self.desk.lock(record.game):
            record = await self.desk.store.question(number) or record
            table, _ = await self.desk.begun(record.game)
            self.desk.check(table, person, "answer")
            if record.closed_at is not None:
                raise IllegalMove("That vote is over: {result}", "", (await self.poll(table, record)).line)
            own = [one for one in await self._concerned(table, record) if one.person == person]
            if not own:
                raise IllegalMove("You have no vote here.")
            for one in own:
                await self.desk.store.set_answer(AnswerRecord(number, one.number, is_agreed, self.desk.now()))
            poll = await self._settled(table, record)
        await self.desk.tell(record.game)
        return poll

    async def polls(self, game: int) -> list[Poll]:
        """What the table is asked now."""
        table, _ = await self.desk.begun(game)
        found = [one for one in await self.desk.store.open_questions(game) if is_question(one.kind, one.data)]
        return [await self.poll(table, record) for record in found if record.number == table.record.version]

    async def open_poll(self, game: int, number: int) -> Poll | None:
        """How the question of that number stands; None where it is over."""
        record = await self.desk.store.question(number)
        if record is None or record.closed_at is not None:
            return None
        return await self.poll(await self.desk.table(game), record)

    async def poll(self, table: GameSession, record: QuestionRecord) -> Poll:
        """How a question stands."""
        asked = await self._concerned(table, record)
        answers = {answer.seat: answer.agree for answer in await self.desk.store.answers(record.id)}
        agreed = tuple(one.name for one in asked if answers.get(one.number) is True)
        refused = tuple(one.name for one in asked if answers.get(one.number) is False)
        waiting = tuple(one.name for one in asked if one.number not in answers)
        return Poll(record, self._asked(table, record), table.names, tuple(asked), agreed, refused, waiting)

    # -- kinds --------------------------------------------------------------------------------------

    async def _checked(self, table: GameSession, person: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The question's data, looked through.

        :raises IllegalMove: it makes no sense.
        """
        if kind == "end":
            if table.record.status == "finished":
                raise IllegalMove("This game is over.")
            return {}
        if kind == "undo":
            number = data.get("number")
            if not table.record.version:
                raise IllegalMove("There is nothing to take back.")
            if not isinstance(number, int) or number not in range(table.record.version):
                raise IllegalMove("You can go back to log entries 0 to {last}.", "", table.record.version - 1)
            line = await self.desk.store.line_numbers(table.record.id, table.record.version)
            if number not in line:
                raise IllegalMove("Log entry {number} was itself taken back.", "", number)
            return {"number": number}
        if kind in ("replace", "computer"):
            held = next((record for record in table.seats if record.number == data.get("seat")), None)
            if held is None:
                raise IllegalMove("There is no such seat.")
            since = await self._waits_since(held)
            if since is None or self.desk.clock() - since < timedelta(days=SILENT_DAYS):
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
            if kind == "computer":
                return {"seat": held.number}
            return {
                "seat": held.number,
                "newcomer": str(data.get("newcomer", "")),
                "name": clean_name(str(data.get("name", ""))),
            }
        if kind in ("skip", "fine"):
            held = await self._late(table, data.get("seat"))
            if table.game is None:
                raise IllegalMove("This game has not begun yet.")
            if kind == "skip":
                passing(table.game, seat(held.number), held.name)
                return {"seat": held.number}
            amount, cash = data.get("amount"), table.game.state.cash[seat(held.number)]
            if not isinstance(amount, int) or not 1 <= amount <= cash:
                raise IllegalMove(
                    "A fine is 1 to {cash}, the cash of {player}.", "", money(table.game, cash), held.name
                )
            return {"seat": held.number, "amount": amount}
        raise IllegalMove("Questions to the table: {questions}.", "", ", ".join(QUESTIONS))

    async def _late(self, table: GameSession, number: object) -> SeatRecord:
        """The seat, if it has kept the table waiting for longer than the pace allows; holidays and quiet hours are free.

        :raises IllegalMove: it has not.
        """
        held = next((record for record in table.seats if record.number == number), None)
        if held is None:
            raise IllegalMove("There is no such seat.")
        since = await self._waits_since(held)
        pace, now = table.record.pace_hours, self.desk.clock()
        if since is None or is_away(held, now) or now < add_waking(since, pace, held):
            raise IllegalMove(
                "{name} is not late: a turn may take {pace} waking hours, and holidays do not count.",
                "",
                held.name,
                f"{pace:g}",
            )
        return held

    async def _waits_since(self, held: SeatRecord) -> datetime | None:
        """Since when the table waits for a seat; None when it does not."""
        running = [clock for clock in await self.desk.store.clocks(held.game) if clock.seat == held.number]
        return waits_since(running[0], self.desk.clock()) if running else None

    async def _concerned(self, table: GameSession, record: QuestionRecord) -> list[SeatRecord]:
        """Whom a question concerns: of an undo whoever has moved since or has had a standing order that has shown itself, of the
        others everybody but the asker.

        :raises StoreDamaged: it is none.
        """
        if not is_question(record.kind, record.data):
            raise StoreDamaged("The saved data of game {game} is damaged (vote); run: signalbox doctor.", record.game)
        others = [
            one for one in table.seats if one.person and one.person != record.person and not is_computer(one.person)
        ]
        if "seat" in record.data:
            return [one for one in others if one.number != record.data["seat"]]
        if record.kind == "undo":
            line = await self.desk.store.line_numbers(record.game, record.number)
            since = await self.desk.store.moves(record.game, record.data["number"])
            moved = {move.seat for move in since if move.number in line and move.kind == "move"}
            moved |= {answer.seat for answer in await self.desk.store.answers(record.id)}
            moved |= await self._shown_seats(table, record)
            return [one for one in others if one.number in moved]
        return others

    async def _shown_seats(self, table: GameSession, record: QuestionRecord) -> set[int]:
        """Whose standing orders have shown themselves in what an open question would take back."""
        if record.kind != "undo" or record.number != table.record.version:
            return set()
        return {order.seat for order in await self.orders.disclosed_orders(table, record.data["number"], record.person)}

    def _asked(self, table: GameSession, record: QuestionRecord) -> Message:
        """What is asked, by the present names."""
        who, data = table.name_of(record.person), record.data
        if record.kind == "undo":
            return said("{name} asks to go back to move {number}.", who, data["number"])
        if record.kind == "end":
            return said("{name} asks to end the game now.", who)
        silent = seat(data["seat"])
        if record.kind == "skip":
            return said("{name} asks to pass for {player}, who is late.", who, silent)
        if record.kind == "fine":
            fine = money(table.game, data["amount"]) if table.game else data["amount"]
            return said("{name} asks to fine {player} {amount} for being late.", who, silent, fine)
        if record.kind == "computer":
            return said("{name} asks to let a computer player move for {player} until they return.", who, silent)
        newcomer = FormerPlayer(data["newcomer"], data["name"])
        return said("{name} asks to give the seat of {player} to {newcomer}.", who, silent, newcomer)

    async def _standing_answers(self, table: GameSession, record: QuestionRecord) -> None:
        """Answers that people have given in advance."""
        concerned = {one.number for one in await self._concerned(table, record)}
        # Who has agreed to undo whatever it be has not agreed to show what a standing order would do.
        guarded = await self._shown_seats(table, record)
        for order in await self.orders.standing_orders(table):
            given = order_of(order.data)
            if not isinstance(given, AutoReply) or given.about != record.kind:
                continue
            if order.seat in (concerned - guarded if given.agree else concerned):
                await self.desk.store.set_answer(AnswerRecord(record.id, order.seat, given.agree, self.desk.now()))

    async def _settled(self, table: GameSession, record: QuestionRecord) -> Poll:
        """The question after an answer: still open, refused, or done."""
        poll = await self.poll(table, record)
        if record.number != table.record.version:
            outcome = "the game has moved on"
        elif record.kind in BY_MAJORITY:
            half = len(poll.asked) / 2
            outcome = "agreed" if len(poll.agreed) > half else "refused" if len(poll.refused) >= half else ""
        else:
            outcome = "refused" if poll.refused else "" if poll.waiting else "agreed"
        if not outcome:
            return poll
        if outcome == "agreed":
            await self._carry_out(table, record, poll)
        record.closed_at, record.outcome = self.desk.now(), outcome
        await self.desk.store.close_question(record.id, self.desk.now(), outcome)
        return replace(poll, record=record)

    async def _carry_out(self, table: GameSession, record: QuestionRecord, poll: Poll) -> None:
        """Do what has been agreed."""
        current, person = table.game, record.person
        held = next((one for one in table.seats if one.number == record.data.get("seat")), None)
        if record.kind == "undo":
            number = record.data["number"]
            line = with_consent(said("{name} goes back to move {number}", table.name_of(person), number), poll)
            await self.play.go_to(table, number, "undo", person, line)
        elif record.kind == "end" and current is not None:
            line = with_consent(said("{name} ends the game", table.name_of(person)), poll)
            await self.moderation.note(table, current, "end", person, line, "finished")
        elif record.kind == "skip" and current is not None and held is not None:
            player = seat(held.number)
            action = passing(current, player, held.name)
            line = with_consent(said("The table passes for {player}, who is late", player), poll)

            def passed() -> tuple[Game, list[MoveRecord]]:
                after, records = self.play.tried(table, current, [action], asking(person), as_moderator=True)
                records[0].lines[0] = line
                # The table has made it: whoever has asked the table may not take it back alone.
                records[0].person = ""
                return after, records

            await self.play.save_moves(table, current, passed)
        elif record.kind == "fine" and current is not None and held is not None:
            player, amount = seat(held.number), record.data["amount"]
            left = max(0, current.state.cash[player] - amount)
            fined = said("{player} pays a fine of {amount} for being late", player, money(current, amount))
            exact = f"{FIRST_WORD} cash {player} {left}"
            await self.moderation.save_correction(table, current, exact, person, with_consent(fined, poll))
        elif record.kind == "computer" and current is not None and held is not None:
            what = said("A computer player moves for {player} until they return", seat(held.number))
            seats, status = minded(table.seats, held.number), table.record.status
            await self.moderation.note(table, current, "sitter", person, with_consent(what, poll), status, seats)
        elif record.kind == "replace" and held is not None:
            await self.moderation.seat_newcomer(table, held, person, record.data["newcomer"], record.data["name"])


def with_consent(what: Message, poll: Poll) -> Message:
    """The sentence of what the table has decided, with those who agreed."""
    agreed = [seat(one.number) for one in poll.asked if one.name in poll.agreed]
    return said("{what}; {players} agreed.", what, together(agreed)) if agreed else said("{what}.", what)


def minded(seats: Sequence[SeatRecord], number: int) -> list[SeatRecord]:
    """The seats, with a computer player who moves for this one."""
    return [
        msgspec.structs.replace(held, sitter=computer(USUAL), sitter_until=None) if held.number == number else held
        for held in seats
    ]


def is_question(kind: str, data: Mapping[str, Any]) -> bool:
    """Whether this can be a question that was kept."""
    needed = NEEDED.get(kind)
    return needed is not None and all(type(data.get(name)) is what for name, what in needed.items())


def passing(game: Game, player: PlayerId, name: str) -> Action:
    """What a player does who does nothing: pass, be done, or refuse.

    :raises IllegalMove: something else must be decided.
    """
    for step in game.open_steps():
        for action in step.options(game):
            is_idle = isinstance(action, Pass | Done) or (isinstance(action, Answer) and not action.agree)
            if is_idle and game.decider(action.by) == player:
                return action
    raise IllegalMove(
        "{player} cannot pass now: {status} Give the seat to a sitter or to another player.", "", name, question(game)
    )
