"""Acts of the moderator, and of players with their seats. Each act is in the log with a name."""

from __future__ import annotations

from collections.abc import Sequence

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
    StalePosition,
    join_and,
    join_or,
    literal,
    msg,
    parse_names,
    seat,
)
from bot.engine.games.corrections import FIRST_WORD, apply_correction
from bot.engine.notation import question
from bot.engine.play import Game
from bot.service.parser.vocabulary import printed_names, proper
from bot.service.sessions import (
    LONGEST_SITTING,
    MOVED_ON,
    PACES,
    Actor,
    GameSession,
    MadeMove,
    MoveResult,
    SessionManager,
    as_actor,
    first_grants,
    guest_name,
    holiday_grants,
    is_computer,
    numbered_name,
    rename,
    scaled_budget,
    seat_name,
)
from bot.service.views.clock_text import describe_clock
from bot.store import (
    Cause,
    ClockAllowance,
    GameStatus,
    LeftSeat,
    MoveKind,
    Penalty,
    SeatRecord,
)

from .board_links import LIFETIMES, PERSONAL
from .moves import Moves

LONGEST_REASON = 200

LEAVES = "{players} leaves the game; the moderator can give the seat to another player (replace)."

VERBS = {
    GameStatus.PAUSED: (MoveKind.PAUSE, "{name} pauses the game"),
    GameStatus.RUNNING: (MoveKind.RESUME, "{name} resumes the game"),
    GameStatus.FINISHED: (MoveKind.END, "{name} ends the game"),
}
"""By the new status: the kind of the record and what the log says."""


PASSES = {"forced": False, "hand": True}
"""The values of `set_passes`: whether everybody is asked even where nothing else is possible."""

PASSES_SAID = {
    "forced": "The bot makes forced passes automatically.",
    "hand": "Players pass manually, even when it is their only move.",
}

PICTURES = {"changed": False, "both": True}
"""The values of `set_pictures`: whether records show map and market every time."""

PICTURES_SAID = {
    "changed": "Each log message shows what changed: the map, the market, or both.",
    "both": "Each log message shows both map and market.",
}


class Moderation:
    def __init__(self, desk: SessionManager, play: Moves) -> None:
        self.desk, self.play = desk, play

    async def rewind(
        self, game_id: GameId, asker: Actor | PersonId, number: int, version: int | None = None
    ) -> MoveResult:
        """Go back to the position after a record, even a record that was taken back before.

        `version` is the position that the moderator saw; an older version is refused.

        :raises Rejected: not the moderator, or no such record.
        """
        async with self.desk.change(game_id):
            table, _ = await self.desk.require_started(game_id)
            who = self.desk.check(table, asker, "rewind")
            if version is not None and version != table.record.version:
                raise StalePosition(MOVED_ON)
            if number not in range(table.record.version + 1):
                raise IllegalMove("This game has log entries 0 to {last}.", "", table.record.version)
            played = await self.play.restore_position(
                table, number, MoveKind.REWIND, who, rewind_message(table, who, number)
            )
        return played

    async def set_status(
        self, game_id: GameId, asker: Actor | PersonId, status: GameStatus, reason: str = ""
    ) -> MoveResult:
        """Pause (`paused`), resume (`running`) or end (`finished`) a game.

        :raises IllegalMove: not the moderator, an unknown status, or the game is there already.
        """
        if status not in VERBS:
            raise IllegalMove("A game can be running, paused or finished.")
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            who = self.desk.check(table, asker, "status")
            if status == table.record.status:
                raise IllegalMove("This game is already {status}.", "", msg(status))
            if current.state.finished:
                raise IllegalMove("This game has ended by the rules; it can be rewound.")
            if status == GameStatus.PAUSED and table.record.status == GameStatus.FINISHED:
                raise IllegalMove("This game has been ended; resume it first.")
            kind, what = VERBS[status]
            named = msg(what, table.name_of(who))
            line = msg("{act}: {reason}", named, parse_names(reason, table.names)) if reason else msg("{act}.", named)
            if status == GameStatus.RUNNING:
                record = table.next_record(kind, who.person, line, self.desk.now())
                await self.play.apply_and_save(table, current, lambda: (current.copy(), [MadeMove(record)]))
            else:
                await self.append_record(table, current, kind, who.person, line, status)
        return MoveResult(game_id, table.record.version + 1, (), table.tr_lines([line]), question(current))

    async def replace(
        self, game_id: GameId, asker: Actor | PersonId, number: SeatNumber, newcomer: PersonId, name: str
    ) -> GameSession:
        """Give a seat to somebody else, as its holder or the moderator; the player's name follows.

        :raises IllegalMove: neither of them, no such seat, or a name that cannot be used.
        """
        async with self.desk.change(game_id):
            table = await self.desk.table(game_id)
            old = require_seat(table, number)
            who = self.desk.check(table, asker, right_over(old, asker, "replace"))
            noted = await self.assign_seat(table, old, who.person, newcomer, name)
        return noted

    async def assign_seat(
        self,
        table: GameSession,
        old: SeatRecord,
        person: PersonId,
        newcomer: PersonId,
        name: str,
        cause: Cause | None = None,
    ) -> GameSession:
        """Put a newcomer into a seat; `person` is the person who acts.

        :raises IllegalMove: the name cannot be used.
        """
        game, number = table.record.id, old.number
        others = [record for record in table.seats if record.number != number]
        name = numbered_name(name, newcomer, others)
        name = seat_name(self.desk.title(table.record.title), name, [record.name for record in others])
        await self.desk.check_ban_among_strangers(game, newcomer, literal(name))
        new = SeatRecord(game, number, newcomer, name)
        seats = table.with_seat(new)
        if table.game is None:
            await self.desk.store.games.set_seats(game, seats)
            return GameSession(table.record, seats, None)
        # Both as they are called now: the seat is a third person's when the new holder is followed in turn.
        line = (
            msg("{name} has seat {seat} now.", FormerPlayer(newcomer, name), number)
            if name == old.name
            else msg("{name} takes over from {old}.", FormerPlayer(newcomer, name), FormerPlayer(old.person, old.name))
        )
        left = [LeftSeat(number, old.person, PERSONAL)]
        return await self.append_record(
            table, table.game, MoveKind.REPLACE, person, line, table.record.status, seats, left, cause
        )

    async def set_sitter(
        self, game_id: GameId, asker: Actor | PersonId, number: SeatNumber, sitter: PersonId, name: str, days: float
    ) -> GameSession:
        """Let somebody else move for a seat too, for this number of days; none ends it.

        :raises IllegalMove: neither the seat's holder nor the moderator, no such seat, or too long.
        """
        if not 0 <= days <= LONGEST_SITTING.days:
            raise IllegalMove(
                "A sitter can stay up to {days} days; for longer, replace the player.", "", LONGEST_SITTING.days
            )
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            held = require_seat(table, number)
            who = self.desk.check(table, asker, right_over(held, asker, "sitter"))
            if days:
                name = guest_name(name, sitter, table.seats)
                await self.desk.check_ban_among_strangers(game_id, sitter, literal(name))
            until = self.desk.now() + days * 86400 if days else None
            kept = msgspec.structs.replace(held, sitter=sitter if days else "", sitter_until=until)
            seats = table.with_seat(kept)
            line = msg("{player} no longer has a sitter.", seat(number))
            if days:
                guest = FormerPlayer(sitter, name)
                line = msg("{guest} sits in for {player} for {days} days.", guest, seat(number), f"{days:g}")
            noted = await self.append_record(
                table, current, MoveKind.SITTER, who.person, line, table.record.status, seats
            )
        return noted

    async def set_clock(self, game_id: GameId, asker: Actor | PersonId, allowance: ClockAllowance | None) -> Message:
        """Give a game another clock, in its lobby or while it is played; None takes it away. Returns what the log says.

        :raises IllegalMove: not the moderator, or this penalty can no longer be chosen.
        """
        async with self.desk.lock(game_id):
            table = await self.desk.table(game_id)
            who = self.desk.check(table, asker, "clock")
            check_allowance(table, allowance)
            if allowance == table.record.clock:
                return describe_clock(allowance)
            if table.game is None:
                await self.desk.store.games.change(game_id, clock=msgspec.json.encode(allowance).decode())
                return describe_clock(allowance)
            line = msg("{name} sets the clock. {clock}", table.name_of(who), describe_clock(allowance))
            await self.save_clock(table, table.game, who.person, line, allowance)
        await self.desk.notify(game_id)
        return line

    async def save_clock(
        self,
        table: GameSession,
        current: Game,
        person: PersonId,
        line: Message,
        allowance: ClockAllowance | None,
        cause: Cause | None = None,
    ) -> None:
        """Save another clock with what the log says of it; budgets go on in the proportion of their limits."""
        record, new, now = table.record, table.record.version + 1, self.desk.now()
        budgets: dict[SeatNumber, float] = {}
        if allowance is not None:
            old = await self.desk.budgets(table)
            budgets = {
                held.number: scaled_budget(old[held.number].left, record.clock, allowance)
                if record.clock is not None
                else float(allowance.game)
                for held in table.seats
            }
        asked = current.players_to_act()
        entries = first_grants(record.id, budgets, new, now)
        if allowance is not None and record.clock is None:
            known = await self.desk.store.ledger.list_of(record.id)
            entries += holiday_grants(record.id, allowance, known, table.seats, new, self.desk.clock())
        await self.desk.save(
            table,
            current.copy(),
            [table.next_record(MoveKind.CLOCK, person, line, now)],
            asked,
            status=record.status,
            # Every wait begins anew, so that each counts by one clock.
            acted=asked,
            cause=cause,
            entries=entries,
            columns={"clock": msgspec.json.encode(allowance).decode()},
        )

    # -- corrections --------------------------------------------------------------------------------

    async def correct(self, game_id: GameId, asker: Actor | PersonId, text: str, reason: str) -> MoveResult:
        """Correct money or tokens (`cash Ann 150`, `token VR H11.0`, `no-token VR H11.0`). The log says who and why.

        :raises Rejected: not the moderator, no reason, unreadable, or the books would not balance.
        """
        reason = " ".join(reason.split())[:LONGEST_REASON]
        if not reason:
            raise IllegalMove("A correction needs a reason.")
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            who = self.desk.check(table, asker, "correct")
            exact = exact_correction(current, text)
            what = apply_correction(current.copy(), exact)
            line = msg(
                "{name} corrects: {what} ({reason}).", table.name_of(asker), what, parse_names(reason, table.names)
            )
            played = await self.save_correction(table, current, exact, who.person, line)
        return played

    async def save_correction(
        self,
        table: GameSession,
        current: Game,
        exact: str,
        person: PersonId,
        line: Message,
        cause: Cause | None = None,
    ) -> MoveResult:
        """Make a correction and save it with what the log says of it.

        :raises IllegalMove: the books would not balance.
        """
        after = current.copy()
        apply_correction(after, exact)
        broken = after.audit()
        if broken:
            raise IllegalMove("That correction would break the game's accounts: {error}.", "", broken[0])
        record = table.next_record(MoveKind.CORRECT, person, line, self.desk.now(), exact)
        woken = await self.play.plans.after_event(table, current, after, record.number)
        await self.desk.save(
            table,
            after,
            [record],
            current.players_to_act(),
            status=table.record.status,
            told=woken.notices,
            plan_states=woken.states,
            cause=cause,
        )
        return MoveResult(table.record.id, record.number, (exact,), table.tr_lines([line]), question(after))

    async def leave_seat(self, game_id: GameId, person: PersonId) -> GameSession:
        """Give up one's seats in a game that has begun. The game waits until the moderator has found somebody.

        :raises IllegalMove: it has not begun, or the person has no seat.
        """
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            self.desk.check(table, person, "own")
            own = [held.number for held in table.held_by(person)]
            seats = [
                SeatRecord(
                    game_id, record.number, NOBODY, record.name, sitter=record.sitter, sitter_until=record.sitter_until
                )
                if record.person == person
                else record
                for record in table.seats
            ]
            left = [LeftSeat(number, person, tuple(LIFETIMES)) for number in own]
            line = msg(LEAVES, join_and(seat(number) for number in own))
            noted = await self.append_record(
                table, current, MoveKind.LEAVE, person, line, table.record.status, seats, left
            )
        return noted

    async def end_sitting(self, game_id: GameId, person: PersonId) -> None:
        """Let somebody move for nobody else in a game any more."""
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            kept = [one for one in table.seats if one.sitter == person]
            seats = [
                msgspec.structs.replace(one, sitter="", sitter_until=None) if one in kept else one
                for one in table.seats
            ]
            line = msg("{player} no longer has a sitter.", join_and(seat(one.number) for one in kept))
            await self.append_record(table, current, MoveKind.SITTER, person, line, table.record.status, seats)

    async def transfer_moderation(self, game_id: GameId, asker: Actor | PersonId, moderator: PersonId) -> None:
        """Make somebody else the moderator. A person who moderates only by their role can do so only for another
        player: what the role gives them must end with it.

        :raises IllegalMove: not the moderator, by their role not for that person, or that person is the moderator.
        """
        async with self.desk.lock(game_id):
            table = await self.desk.table(game_id)
            who = self.desk.check(table, asker, "handover")
            if moderator == table.record.moderator:
                raise IllegalMove("That person is the moderator already.")
            is_player = moderator != who.person and moderator in [record.person for record in table.seats]
            if who.person != table.record.moderator and not is_player:
                raise IllegalMove("A moderator by role can only make another player the moderator.")
            name = next((literal(one.name) for one in table.seats if one.person == moderator), msg("That person"))
            await self.desk.check_ban_among_strangers(game_id, moderator, name)
            await self.desk.store.games.change(game_id, moderator=moderator)

    async def save_moderator(
        self, table: GameSession, current: Game, person: PersonId, moderator: PersonId, line: Message, cause: Cause
    ) -> None:
        """Save that the table has elected another moderator, with what the log says of it."""
        await self.desk.save(
            table,
            current.copy(),
            [table.next_record(MoveKind.ELECT, person, line, self.desk.now())],
            current.players_to_act(),
            status=table.record.status,
            cause=cause,
            columns={"moderator": moderator},
        )

    async def set_pace(self, game_id: GameId, asker: Actor | PersonId, pace: str) -> None:
        """Change how long a turn may take; clocks that run are not touched until the next move, or
        the next look at all of them.

        :raises IllegalMove: not the moderator, or an unknown pace.
        """
        if pace not in PACES:
            raise IllegalMove("Paces: {paces}.", "", ", ".join(PACES))
        await self._set(game_id, asker, pace_hours=PACES[pace])

    async def set_passes(self, game_id: GameId, asker: Actor | PersonId, passes: str) -> None:
        """Choose whether forced passes are made automatically (`forced`) or by hand.

        :raises IllegalMove: not the moderator, or another word.
        """
        if passes not in PASSES:
            raise IllegalMove("Choose how forced passes are made: {choices}.", "", join_or(PASSES))
        await self._set(game_id, asker, asks_always=int(PASSES[passes]))

    async def set_pictures(self, game_id: GameId, asker: Actor | PersonId, pictures: str) -> None:
        """Choose whether records show what has `changed`, or `both` map and market every time.

        :raises IllegalMove: not the moderator, or another word.
        """
        if pictures not in PICTURES:
            raise IllegalMove("Picture settings: {settings}.", "", join_or(PICTURES))
        await self._set(game_id, asker, shows_both=int(PICTURES[pictures]))

    async def _set(self, game_id: GameId, asker: Actor | PersonId, **columns: float) -> None:
        async with self.desk.lock(game_id):
            self.desk.check(await self.desk.table(game_id), asker, "pace")
            await self.desk.store.games.change(game_id, **columns)

    async def append_record(
        self,
        table: GameSession,
        current: Game,
        kind: MoveKind,
        person: PersonId,
        line: Message,
        status: GameStatus,
        seats: Sequence[SeatRecord] | None = None,
        left: Sequence[LeftSeat] = (),
        cause: Cause | None = None,
    ) -> GameSession:
        """Save a record that leaves the position as it is, except for the players' names; returns the table after it."""
        after = current.copy()
        sitting = table.seats if seats is None else list(seats)
        rename(after, sitting)
        record = table.next_record(kind, person, line, self.desk.now())
        was_running = table.record.status == GameStatus.RUNNING
        changed = reassigned_seats(table.seats, sitting)
        before = [player for player in current.players_to_act() if player not in changed] if was_running else []
        return await self.desk.save(
            table, after, [record], before, status=status, acted=changed, seats=seats, left=left, cause=cause
        )


def require_seat(table: GameSession, number: SeatNumber) -> SeatRecord:
    """:raises IllegalMove: there is no such seat."""
    held = table.find_seat(number)
    if held is None:
        raise IllegalMove("There is no seat {number}.", "", number)
    return held


def check_allowance(table: GameSession, allowance: ClockAllowance | None) -> None:
    """Check that a table may play by this clock.

    :raises IllegalMove: it is over; or a player may lose, and not everybody took a seat knowing that.
    """
    if table.record.status == GameStatus.FINISHED:
        raise IllegalMove("This game is over.")
    if allowance is None or allowance.penalty != Penalty.LOSS:
        return
    was_known = table.record.clock is not None and table.record.clock.penalty == Penalty.LOSS
    others = [one for one in table.seats if one.person != table.record.moderator and not is_computer(one.person)]
    if not was_known and (others or table.game is not None):
        raise IllegalMove(
            "Losing on time can only be chosen before anyone else has joined: players agree to it by joining."
        )


def rewind_message(table: GameSession, who: Actor | PersonId, number: int) -> Message:
    return msg("{name} goes back to move {number}.", table.name_of(who), number)


def right_over(held: SeatRecord, asker: Actor | PersonId, wanted: str) -> str:
    """The right that is needed over a seat: none over one's own seat."""
    return "own" if held.person == as_actor(asker).person else wanted


def exact_correction(current: Game, text: str) -> str:
    """The exact form of a correction that people type: names of players become seats, a hex its first city."""
    names = printed_names(current)
    words = [proper(names, word.lstrip(current.title.currency) or word) for word in text.split()]
    if words and words[0].lower() == FIRST_WORD:
        words = words[1:]
    if len(words) == 3 and words[0].endswith("token") and "." not in words[2]:
        words[2] = f"{words[2]}.0"
    return " ".join([FIRST_WORD, *words])[:LONGEST_REASON]


def reassigned_seats(before: Sequence[SeatRecord], after: Sequence[SeatRecord]) -> list[PlayerId]:
    holders = {record.number: record.person for record in before}
    return [seat(record.number) for record in after if holders[record.number] != record.person]
