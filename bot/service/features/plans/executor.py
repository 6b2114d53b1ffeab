"""Plans at work: given, shown only to their owners, carried out in the same transaction as the move before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import msgspec

from bot.engine import (
    NOBODY,
    GameId,
    IllegalMove,
    Message,
    Owner,
    PersonId,
    PlayerId,
    Rejected,
    Text,
    as_company,
    is_player,
    msg,
    names_to_seats,
    seat,
    seat_number,
)
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.engine.state import Action, Answer, Bid
from bot.i18n import tr
from bot.service.parser.vocabulary import with_names
from bot.service.plans import Act, Bids, Buy, Finish, Plan, Wait, evaluate, woken
from bot.service.plans.decisions import DONE, HAS_MOVED, IS_EXPIRED, clock_of_routes, is_due, past_reason
from bot.service.plans.parser import check_plan, named_turn, read_plan
from bot.service.plans.plan import AWAKE, IDLE, QUESTIONS, AutoReply
from bot.service.plans.premove import as_if_turn, foresee
from bot.service.plans.sentences import format_plan, format_steps
from bot.service.sessions import GameSession, MadeMove, SessionManager, is_lesson
from bot.service.sessions.reminder_times import zone_of
from bot.service.sessions.session_manager import log
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import GameStatus, GivenOrder, MoveKind, MoveRecord, Notice, NoticeKind, OrderRecord
from bot.threads import run_in_thread

from .disclosure import answered_at, list_disclosed
from .forced_passes import FORCED, forced_pass
from .offers import PlanOffer, list_offers
from .records import is_plan, plan_data, plan_of

MOST_ACTS = 400
"""Maximum number of moves that the plans of a table make at a stretch."""

MOST_PLANS = 20

OFFER_LINE = 40
"""Number of records in which a player's last turn is looked for."""

PLANNED = "{line} (planned)"

SHOWN = msg(
    "Moves that this plan made or skipped have been undone, so others may know of it now. Give it again if you still want it."
)
"""The reason when a plan ends for good because moves that disclosed it are taken back."""


@dataclass
class ExecutionResult:
    """The moves of plans, new states of plans, and notices to their owners."""

    records: list[MoveRecord] = field(default_factory=list)
    states: list[OrderRecord] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class ShownPlan:
    """A plan as its owner sees it. `effect` says what it would do at once, or why it is over; empty when it would do nothing."""

    record: OrderRecord
    text: str
    effect: str
    is_over: bool
    later: str = ""
    """Its moves, were it the turn of its company now."""
    replaced: tuple[str, ...] = ()
    """The plans in whose place it comes, in words."""


class PlanExecutor:
    """People get only their own plans."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def standing_plans(self, table: GameSession) -> list[OrderRecord]:
        """The plans that stand, as they are now."""
        if table.is_without_orders:
            return []
        states = await self._states(table)
        holders = {record.number for record in table.seats if record.person}
        return [state for state in states if state.ended is None and state.seat in holders]

    async def _states(self, table: GameSession) -> list[OrderRecord]:
        """The state of every plan that counts in the present line of records, oldest plan first."""
        rows = await self._rows(table.record.id)
        first: dict[int, OrderRecord] = {}
        for row in rows:
            first.setdefault(row.plan, row)
        later = [row for row in rows if row is not first[row.plan]]
        line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version) if later else set()
        found = dict(first)
        for row in later:
            is_over_for_good = found[row.plan].ended == 0
            if (row.number in line and not is_over_for_good) or row.ended == 0:
                found[row.plan] = row
        return list(found.values())

    async def _rows(self, game_id: GameId) -> list[OrderRecord]:
        """A plan that cannot be read is left out, so that it does not hold the table up."""
        found = await self.desk.store.orders.list_of(game_id)
        for row in found:
            if not is_plan(row.data):
                log.error("plan %s cannot be read; run: signalbox doctor", row.id, extra={"game": game_id})
        return [row for row in found if is_plan(row.data)]

    async def disclosed_plans(self, table: GameSession, number: int, person: PersonId) -> list[OrderRecord]:
        """The plans disclosed since a record to which this person would go back."""
        game, current = table.record.id, table.game
        rows = [] if table.is_without_orders else await self._rows(game)
        if not rows or current is None:
            return []
        stays = await self.desk.store.moves.branch_numbers(game, number)
        gone = await self.desk.store.moves.branch_numbers(game, table.record.version) - stays
        since = await self.desk.store.moves.list_of(game, min(gone) - 1) if gone else []
        undone = [record for record in since if record.number in gone]
        own = [held.number for held in table.held_by(person)]
        replies = [row.number for row in rows if _is_reply(plan_of(row))]
        answered = {one for one in answered_at(current, stays, undone) if one >= min(replies)} if replies else ()
        offers = {one: (await self.desk.position(table.record, one, table.seats)).copy() for one in answered}
        return await run_in_thread(
            lambda: list(list_disclosed(current.copy(), rows, stays, undone, person, own, offers))
        )

    async def last_bidders(self, table: GameSession, plans: Sequence[OrderRecord]) -> dict[Owner, PlayerId]:
        """The last bidder on every lot, if a plan bids now."""
        is_auction = table.game is not None and Bid in table.game.open_verbs()
        if not is_auction or not any(_bids(plan_of(record)) for record in plans):
            return {}
        line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version)
        moves = await self.desk.store.moves.list_of(table.record.id, 0)
        found: dict[Owner, PlayerId] = {}
        for move in moves:
            if move.kind == MoveKind.MOVE and move.number in line:
                action = parse_action(self.desk.edition(table.record.title, table.record.rules), move.text)
                if isinstance(action, Bid):
                    found[action.lot] = PlayerId(action.by)
        return found

    async def offers(self, game_id: GameId, person: PersonId, asked: PlayerId | None = None) -> list[PlanOffer]:
        """Plans worth a tap for a person who waits for others, or for their seat that is `asked`; none where they have
        no seat, or all of them, or sit in for another: what is missing would tell what is planned.
        """
        table = await self.desk.table(game_id)
        own, game = [seat(held.number) for held in table.held_by(person)], table.game
        if game is None or table.record.status != GameStatus.RUNNING or len(own) in (0, len(table.seats)):
            return []
        if is_lesson(table.seats):
            return []
        player = asked or next((one for one in own if one not in game.players_to_act()), None)
        if player is None or player not in own:
            return []
        line = await self.desk.store.moves.branch(game_id, table.record.version, OFFER_LINE)
        turns = {plan_of(kept).turn for kept in await self.standing_plans(table) if seat(kept.seat) == player}
        return await run_in_thread(list_offers, game.copy(), player, turns, last_turn(game, player, line))

    def own_seats(self, table: GameSession, person: PersonId) -> list[PlayerId]:
        """The seats whose plans a person may give: their own, not those they sit for.

        :raises IllegalMove: they have none.
        """
        self.desk.check(table, person, "order")
        return [seat(held.number) for held in table.held_by(person)]

    async def give_plan(
        self, game_id: GameId, person: PersonId, said: str | Plan, player: PlayerId | None = None
    ) -> ShownPlan:
        """Save a plan for a person's seat, in place of an older plan for the same turn; it acts at once where it can.

        :raises Rejected: it cannot be read, or makes no sense.
        """
        async with self.desk.change(game_id):
            table, current = await self.desk.require_started(game_id)
            mover, plan = await self._read(table, current, person, said, player)
            every = await self.standing_plans(table)
            standing = [one for one in every if seat(one.seat) == mover]
            replaced = [old for old in standing if plan_of(old).turn == plan.turn]
            if len(standing) - len(replaced) >= MOST_PLANS:
                raise IllegalMove("You have {limit} plans, the limit; drop some first.", "", MOST_PLANS)
            older = [(old, with_older_bids(plan, plan_of(old))) for old in replaced]
            lost = [
                tr(format_steps(current, plan_of(old)), names=current.state.names) for old, one in older if one is plan
            ]
            plan = next((one for _, one in older if one is not plan), plan)
            number = max((row.plan for row in await self._rows(game_id)), default=0) + 1
            record = OrderRecord(
                game_id, seat_number(mover), plan_data(plan), self.desk.now(), table.record.version, plan=number
            )
            others = [one for one in every if one not in replaced]
            bidders = await self.last_bidders(table, [*others, record])
            shown = await run_in_thread(self._view_of, current, record, bidders)
            await self._act(table, current, [*others, record], GivenOrder(record, [old.plan for old in replaced]))
        return replace(shown, replaced=tuple(lost))

    async def preview_plan(self, game_id: GameId, person: PersonId, said: str) -> ShownPlan:
        """A plan as it would be kept, and what it would do now.

        :raises Rejected: it cannot be read, or makes no sense.
        """
        table, current = await self.desk.require_started(game_id)
        mover, plan = await self._read(table, current, person, said)
        record = OrderRecord(game_id, seat_number(mover), plan_data(plan), self.desk.now(), table.record.version)
        bidders = await self.last_bidders(table, [record])
        return await run_in_thread(self._view_of, current, record, bidders)

    async def _read(
        self, table: GameSession, current: Game, person: PersonId, said: str | Plan, player: PlayerId | None = None
    ) -> tuple[PlayerId, Plan]:
        """The seat for which a person plans, and the plan.

        :raises Rejected: it cannot be read, or makes no sense.
        """
        own = self.own_seats(table, person)
        if is_lesson(table.seats):
            raise IllegalMove("A lesson is played without plans.")
        mover = player if player in own else next((one for one in own if one in current.players_to_act()), own[0])
        if not isinstance(said, str):
            check_plan(current, mover, said)
            return mover, said
        mover, said = planner_of(current, own, mover, said)
        return mover, await run_in_thread(read_plan, current.copy(), mover, said, self._moment_of(table, mover))

    def _moment_of(self, table: GameSession, player: PlayerId) -> datetime:
        """Now, in the time zone of a player."""
        sleeper = next(record for record in table.seats if seat(record.number) == player)
        return datetime.fromtimestamp(self.desk.now(), zone_of(sleeper))

    async def own_plans(self, game_id: GameId, person: PersonId) -> list[ShownPlan]:
        """A person's own plans in a game: those that stand, and those that have ended and have no newer plan for
        the same turn.

        :raises IllegalMove: they have no seat.
        """
        table, current = await self.desk.require_started(game_id)
        own = self.own_seats(table, person)
        mine = [state for state in await self._states(table) if seat(state.seat) in own]
        newest = {(state.seat, plan_of(state).turn): state for state in mine}
        mine = [one for one in mine if one.ended is None or newest[one.seat, plan_of(one).turn] is one]
        bidders = await self.last_bidders(table, [state for state in mine if state.ended is None])
        return [await run_in_thread(self._view_of, current, state, bidders) for state in mine]

    def _view_of(self, current: Game, record: OrderRecord, bidders: dict[Owner, PlayerId]) -> ShownPlan:
        plan, player = plan_of(record), seat(record.seat)
        text = tr(format_plan(current, plan), names=current.state.names)
        text = text[:1].upper() + text[1:]
        if record.ended is not None:
            reason = tr(record.reason, names=current.state.names)
            return ShownPlan(record, text, tr("Over: {now}", reason), True)
        if is_expired(plan, self.desk.now()):
            return ShownPlan(record, text, tr("Over: {now}", tr(IS_EXPIRED)), True)
        effect = ""
        if plan.turn in current.state.companies and not is_due(current, player, plan.turn):
            return ShownPlan(record, text, "", False, self._later(current, player, plan))
        if player in current.players_to_act():
            decision = evaluate(current.copy(), player, plan, own_bids(current, bidders, player), clock_of_routes())
            if isinstance(decision, Act):
                move = with_names(current, format_action(decision.action).split(" ", 1)[1])
                effect = tr("Now it would: {now}", move)
            elif isinstance(decision, Finish):
                effect = tr("It would end now: {reason}", tr(decision.reason, names=current.state.names))
        return ShownPlan(record, text, effect, False)

    def _later(self, current: Game, player: PlayerId, plan: Plan) -> str:
        """The moves that a plan would make were it its company's turn now, and why no more."""
        position = as_if_turn(current, as_company(plan.turn))
        if position is None:
            return ""
        made, end = foresee(position, player, plan)
        parts = [with_names(current, format_action(action).split(" ", 1)[1]) for action in made]
        return "; ".join([*parts, *([tr(end.reason, names=current.state.names)] if end else [])])

    async def drop_plans(self, game_id: GameId, person: PersonId, plan: int | None = None) -> int:
        """Delete the plan of this number among a person's own, or all of them; returns how many there were.

        :raises IllegalMove: they have no seat.
        """
        async with self.desk.lock(game_id):
            table = await self.desk.table(game_id)
            own = [seat_number(one) for one in self.own_seats(table, person)]
            return await self.desk.store.orders.drop(game_id, own, plan)

    async def _act(self, table: GameSession, current: Game, plans: Sequence[OrderRecord], given: GivenOrder) -> None:
        """Save a new plan, the last of these, with all that the plans do on the present position now."""
        after, flight, now = current.copy(), ExecutionResult(), self.desk.now()
        if table.record.status == GameStatus.RUNNING:
            bidders = await self.last_bidders(table, plans)
            flight = await run_in_thread(fly, table, after, plans, [], bidders, now)
        if not flight.records:
            await self.desk.store.orders.end(flight.states, flight.notices, given)
            return
        await self.desk.save(
            table,
            after,
            flight.records,
            current.players_to_act(),
            status=GameStatus.RUNNING,
            acted={seat(record.seat) for record in flight.records if record.seat},
            told=flight.notices,
            plan_states=flight.states,
            cause=given,
        )

    async def after_event(self, table: GameSession, before: Game, after: Game, number: int) -> ExecutionResult:
        """The plans that a change by record `number`, which was no player's move, wakes their owners from."""
        flight = ExecutionResult()
        standing = await self.standing_plans(table)
        wake_up(standing, before, after, number, None, flight, self.desk.now())
        return flight


def last_turn(game: Game, player: PlayerId, line: Sequence[MoveRecord]) -> list[Action]:
    """The moves of a player's last turn, for one owner, oldest first; `line` are records, the newest first."""
    found: list[Action] = []
    for record in line:
        if record.kind != MoveKind.MOVE:
            continue
        if record.seat is None or seat(record.seat) != player:
            if found:
                break
            continue
        action = parse_action(game.title, record.text)
        if found and action.by != found[-1].by:
            break
        found.append(action)
    return found[::-1]


def _is_reply(plan: Plan) -> bool:
    return plan.turn not in QUESTIONS and any(isinstance(step, AutoReply) for step in plan.steps)


def _bids(plan: Plan) -> bool:
    return any(isinstance(step, Bids) for step in plan.steps)


def planner_of(game: Game, own: Sequence[PlayerId], mover: PlayerId, said: str) -> tuple[PlayerId, str]:
    """The seat for which a person plans who may have several, and the plan without its name: `Ann: pass`."""
    turn, rest = named_turn(game, said)
    if turn in own:
        return PlayerId(Owner(turn)), rest
    decider = game.controller_of(Owner(turn)) if turn in game.state.companies else None
    return (decider if decider is not None and decider in own else mover), said


def with_older_bids(plan: Plan, older: Plan) -> Plan:
    """A new plan to bid, with the lots of the plan to bid in whose place it comes."""
    if len(plan.steps) != 1 or len(older.steps) != 1:
        return plan
    new, old = plan.steps[0], older.steps[0]
    if not isinstance(new, Bids) or not isinstance(old, Bids):
        return plan
    merged = Bids({**old.most, **new.most}, new.wins or old.wins, new.lower or old.lower)
    return msgspec.structs.replace(plan, steps=(merged,))


def fly(
    table: GameSession,
    after: Game,
    plans: Sequence[OrderRecord],
    before: Sequence[MadeMove],
    bidders: dict[Owner, PlayerId],
    now: float,
) -> ExecutionResult:
    """Let plans act on a position, which is changed, and make forced passes, until somebody has to decide for
    themselves.

    `before` are the earlier records of the same transaction; a plan ends where its owner has moved by hand in them for
    the same turn, and with any move of somebody else, of these or of plans, that was to wake its owner. A forced pass is
    nobody's move: its record names no person.
    """
    flight = ExecutionResult()
    standing = list(plans)
    number = table.record.version + len(before)
    end_expired_plans(after, standing, number, flight, now)
    follow_moves(table, standing, before, bidders, flight, now)
    while len(flight.records) < MOST_ACTS and not after.state.finished:
        found = next_act(after, standing, bidders, flight, number, now)
        forced = forced_pass(after) if found is None and not table.record.asks_always else None
        if found is not None:
            acting_seat, action, template = found[0].seat, found[1].action, PLANNED
            person = next(record.person for record in table.seats if record.number == acting_seat)
        elif forced is not None:
            acting_seat, action, template, person = seat_number(after.players_to_act()[0]), forced, FORCED, NOBODY
        else:
            return flight
        number += 1
        earlier = after.copy() if standing else after
        lines = apply_and_narrate(after, action)
        remember_bid(bidders, action)
        if found is not None:
            note_progress(standing, found[0], found[1].plan, after, number, flight, now)
        if standing:
            wake_up(standing, earlier, after, number, acting_seat, flight, now)
        lines[0] = msg(template, lines[0])
        flight.records.append(
            table.move_record(number, person, format_action(action), lines, now, acting_seat, is_automatic=True)
        )
    return flight


def follow_moves(
    table: GameSession,
    standing: list[OrderRecord],
    before: Sequence[MadeMove],
    bidders: dict[Owner, PlayerId],
    flight: ExecutionResult,
    now: float,
) -> None:
    """End the plans whose owners are woken by moves, or have moved for the same turn themselves."""
    trial = table.game.copy() if standing and before and table.game is not None else None
    for record, made in before:
        remember_bid(bidders, made)
        if trial is not None and made is not None:
            earlier, trial.is_redoing = trial.copy(), True
            trial.apply(made)
            wake_up(standing, earlier, trial, record.number, record.seat, flight, now)
    number = table.record.version + len(before)
    for kept in list(standing):
        if any(ends_by(kept, move) for move in before):
            standing.remove(kept)
            flight.states.append(end_state(kept, number, msg(HAS_MOVED)))
        elif any(moves_for_itself(kept, move) for move in before) and plan_of(kept).turn == IDLE:
            set_awake(standing, kept, "", number, flight)


def is_expired(plan: Plan, now: float) -> bool:
    return bool(plan.expires) and plan.expires <= now


def end_expired_plans(
    after: Game, standing: list[OrderRecord], number: int, flight: ExecutionResult, now: float
) -> None:
    """End the plans whose last day is over."""
    for kept in [one for one in standing if is_expired(plan_of(one), now)]:
        standing.remove(kept)
        flight.states.append(end_state(kept, number, msg(IS_EXPIRED)))
        flight.notices.append(told_ended(after, kept, number, msg(IS_EXPIRED), now))


def note_progress(
    standing: list[OrderRecord],
    kept: OrderRecord,
    plan: Plan,
    after: Game,
    number: int,
    flight: ExecutionResult,
    now: float,
) -> None:
    """Keep what a plan has become by its act, record `number`; a plan that has done everything ends."""
    data = plan_data(plan)
    state = msgspec.structs.replace(kept, data=data, number=number)
    at = standing.index(kept)
    if not plan.steps and not plan.again and not _goes_on(after, state, plan):
        del standing[at]
        flight.states.append(end_state(state, number, msg(DONE)))
        flight.notices.append(told_ended(after, kept, number, msg(DONE), now))
    elif data != kept.data:
        standing[at] = state
        flight.states.append(state)


def _goes_on(after: Game, state: OrderRecord, plan: Plan) -> bool:
    """Whether a plan without steps still has its turn to end."""
    player = seat(state.seat)
    return player in after.players_to_act() and is_due(after, player, plan.turn)


def end_state(kept: OrderRecord, number: int, reason: Text) -> OrderRecord:
    """The state of a plan that is over by record `number`."""
    return msgspec.structs.replace(kept, number=number, ended=number, reason=msg(reason))


def wake_up(
    standing: list[OrderRecord],
    before: Game,
    after: Game,
    number: int,
    mover: int | None,
    flight: ExecutionResult,
    now: float,
) -> None:
    """End plans that the move of record `number` was to wake, and notify their owners at once; nobody is woken by the
    moves of their own seat, `mover`.
    """
    for kept in list(standing):
        plan = plan_of(kept)
        reason = woken(before, after, seat(kept.seat), plan) if kept.seat != mover else None
        if reason is not None and plan.turn == IDLE:
            set_awake(standing, kept, AWAKE, number, flight)
        elif reason is not None:
            standing.remove(kept)
            flight.states.append(end_state(kept, number, reason))
            flight.notices.append(told_ended(after, kept, number, reason, now))
        elif past := past_reason(after, plan):
            # Everybody sees that a round is over.
            standing.remove(kept)
            flight.states.append(end_state(kept, number, past))


def set_awake(standing: list[OrderRecord], kept: OrderRecord, at: str, number: int, flight: ExecutionResult) -> None:
    """Let an idle plan wait for its player's next move, or go on after it."""
    plan = plan_of(kept)
    if plan.at != at:
        state = msgspec.structs.replace(kept, data=plan_data(msgspec.structs.replace(plan, at=at)), number=number)
        standing[standing.index(kept)] = state
        flight.states.append(state)


def end_disclosed_plans(game: Game, plans: Iterable[OrderRecord], number: int, now: float) -> ExecutionResult:
    """Plans disclosed by what is taken back by record `number`: they end, and no other undo brings them back."""
    flight = ExecutionResult()
    for kept in plans:
        flight.states.append(msgspec.structs.replace(kept, number=number, ended=0, reason=SHOWN))
        flight.notices.append(told_ended(game, kept, number, SHOWN, now))
    return flight


def told_ended(game: Game, kept: OrderRecord, number: int, reason: Message, now: float) -> Notice:
    """The notice about a plan that is over, for its owner only."""
    told = format_steps(game, plan_of(kept))
    is_done = reason.template == DONE
    text = (
        msg("Your plan is done: {plan}.", told)
        if is_done
        else msg("Your plan has ended: {plan}. {reason}", told, reason)
    )
    return Notice(kept.game, number, NoticeKind.PRIVATE, [text], now, kept.seat)


def own_bids(game: Game, bidders: dict[Owner, PlayerId], player: PlayerId) -> list[Owner]:
    """The lots on which the player's bid is the last and has not been given back."""
    stands = game.title.bidder
    return [
        lot for lot, bidder in bidders.items() if bidder == player and (stands is None or stands(game, lot) == player)
    ]


def ends_by(kept: OrderRecord, move: MadeMove) -> bool:
    """Whether a plan ends with a move that its seat has made by hand for the same turn. Answers to somebody else's
    proposal do not count; nor does anything against a plan that only buys or bids, leaves decisions to its
    owner, or is for every turn of a company.
    """
    action, plan = move.action, plan_of(kept)
    if action is None or not moves_for_itself(kept, move):
        return False
    if plan.again or plan.asks or all(isinstance(step, Buy | Bids | AutoReply) for step in plan.steps):
        return False
    return action.by == plan.turn and (is_player(action.by) or not plan.again)


def moves_for_itself(kept: OrderRecord, move: MadeMove) -> bool:
    """Whether a move was made by hand for a plan's seat, not in answer to others."""
    record, action = move
    return record.seat == kept.seat and not record.auto and action is not None and not isinstance(action, Answer)


def remember_bid(bidders: dict[Owner, PlayerId], action: object) -> None:
    if isinstance(action, Bid):
        bidders[action.lot] = PlayerId(action.by)


def next_act(
    after: Game,
    standing: list[OrderRecord],
    bidders: dict[Owner, PlayerId],
    flight: ExecutionResult,
    number: int,
    now: float,
) -> tuple[OrderRecord, Act] | None:
    """The first plan that acts for a player who is asked; plans that end on the way are taken out and noted."""
    for player in after.players_to_act():
        mine = own_bids(after, bidders, player)
        own = [one for one in standing if seat(one.seat) == player]
        for kept in sorted(own, key=lambda one: plan_of(one).turn == IDLE):
            decision = find_decision(after, player, kept, mine)
            if isinstance(decision, Wait):
                continue
            if isinstance(decision, Act):
                return kept, decision
            standing.remove(kept)
            flight.states.append(end_state(kept, number, decision.reason))
            flight.notices.append(told_ended(after, kept, number, msg(decision.reason), now))
    return None


def find_decision(after: Game, player: PlayerId, kept: OrderRecord, leads: Iterable[Owner]) -> Act | Wait | Finish:
    """The decision of a plan; a move that the rules or the books refuse ends it, and harms nobody else's move."""
    try:
        decision = evaluate(after, player, plan_of(kept), list(leads), clock_of_routes())
        if isinstance(decision, Act):
            trial = after.copy()
            trial.apply(decision.action)
            if trial.audit():
                return Finish(msg("It would have triggered a bug in the program."))
        return decision
    except Rejected as refusal:
        # A refusal may name players, who are kept by their seats.
        return Finish(names_to_seats(refusal.sentence_with_rule, after.state.names))
