"""Standing orders at work: given, shown only to their owner, carried out in the same transaction as the move before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

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
    is_player,
    msg,
    names_to_seats,
    seat,
    seat_number,
)
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.engine.state import Answer, Bid
from bot.i18n import tr
from bot.service.parser.vocabulary import with_names
from bot.service.plans.plan import AutoReply
from bot.service.sessions import GameSession, MadeMove, SessionManager
from bot.service.sessions.session_manager import log
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.store import GameStatus, GivenOrder, MoveKind, MoveRecord, Notice, NoticeKind, OrderRecord
from bot.threads import run_in_thread

from .decisions import HAS_MOVED, OrderAct, OrderEnd, OrderWait, decide, woken
from .disclosure import answered_at, disclosed
from .forced_passes import FORCED, forced_pass
from .orders import Baseline, Order, PassUntil, data_of, described, is_order, order_of, seen_now
from .parser import read_order

MOST_ACTS = 400
"""Maximum number of moves that the standing orders of a table make at a stretch."""

MOST_ORDERS = 20

SHOWN = msg(
    "Moves that this order made or skipped have been undone, so others may know of it now. Give it again if you still want it."
)
"""The reason when an order ends for good because moves that disclosed it are taken back."""


@dataclass
class ExecutionResult:
    records: list[MoveRecord] = field(default_factory=list)
    ended: list[OrderRecord] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True)
class ShownOrder:
    """An order as its owner sees it. `now` is what it would do at once, empty when it would do nothing."""

    record: OrderRecord
    text: str
    now: str
    is_over: bool


class OrderExecutor:
    """Standing orders. People get only their own."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def standing_orders(self, table: GameSession) -> list[OrderRecord]:
        if table.is_without_orders:
            return []
        orders = await self._orders(table.record.id)
        if any(order.ended is not None for order in orders):
            line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version)
            orders = [order for order in orders if order.ended is None or order.ended not in line]
        holders = {record.number for record in table.seats if record.person}
        return [msgspec.structs.replace(order, ended=None, reason=msg("")) for order in orders if order.seat in holders]

    async def disclosed_orders(self, table: GameSession, number: int, person: PersonId) -> list[OrderRecord]:
        """The orders disclosed since a record to which this person would go back."""
        game, current = table.record.id, table.game
        orders = [] if table.is_without_orders else await self._orders(game)
        if not orders or current is None:
            return []
        stays = await self.desk.store.moves.branch_numbers(game, number)
        gone = await self.desk.store.moves.branch_numbers(game, table.record.version) - stays
        since = await self.desk.store.moves.list_of(game, min(gone) - 1) if gone else []
        undone = [record for record in since if record.number in gone]
        own = [held.number for held in table.seats if held.person == person]
        replies = [
            order.number for order in orders if isinstance(one := order_of(order.data), AutoReply) and not one.about
        ]
        answered = {one for one in answered_at(current, stays, undone) if one >= min(replies)} if replies else ()
        offers = {one: (await self.desk.position(table.record, one, table.seats)).copy() for one in answered}
        return await run_in_thread(lambda: list(disclosed(current.copy(), orders, stays, undone, person, own, offers)))

    async def _orders(self, game_id: GameId) -> list[OrderRecord]:
        """An order that cannot be read is left out, so that it does not hold the table up."""
        found = await self.desk.store.orders.list_of(game_id)
        for order in found:
            if not is_order(order.data):
                log.error("standing order %s cannot be read; run: signalbox doctor", order.id, extra={"game": game_id})
        return [order for order in found if is_order(order.data)]

    async def last_bidders(self, table: GameSession, orders: Sequence[OrderRecord]) -> dict[Owner, PlayerId]:
        """The last bidder on every lot, since the oldest order that needs it."""
        since = [order.number for order in orders if order.data.get("type") == "bid"]
        if not since:
            return {}
        line = await self.desk.store.moves.branch_numbers(table.record.id, table.record.version)
        moves = await self.desk.store.moves.list_of(table.record.id, min(since))
        found: dict[Owner, PlayerId] = {}
        for move in moves:
            if move.kind == MoveKind.MOVE and move.number in line:
                action = parse_action(self.desk.edition(table.record.title, table.record.rules), move.text)
                if isinstance(action, Bid):
                    found[action.lot] = PlayerId(action.by)
        return found

    def own_seats(self, table: GameSession, person: PersonId) -> list[PlayerId]:
        """The seats whose orders a person may give: their own, not those they sit for.

        :raises IllegalMove: they have none.
        """
        self.desk.check(table, person, "order")
        return [seat(record.number) for record in table.seats if record.person == person]

    async def give_order(
        self, game_id: GameId, person: PersonId, said: str | Order, player: PlayerId | None = None
    ) -> ShownOrder:
        """Save an order for a person's seat, in place of an older order about the same; it acts at once where it can.

        :raises Rejected: it cannot be read, or makes no sense.
        """
        async with self.desk.lock(game_id):
            table, current = await self.desk.require_started(game_id)
            own = self.own_seats(table, person)
            mover = player if player in own else next((one for one in own if one in current.players_to_act()), own[0])
            order = await run_in_thread(read_order, current.copy(), mover, said) if isinstance(said, str) else said
            every = await self.standing_orders(table)
            standing = [one for one in every if seat(one.seat) == mover]
            replaced = [old.id for old in standing if subject(order_of(old.data)) == subject(order)]
            if len(standing) - len(replaced) >= MOST_ORDERS:
                raise IllegalMove("You have {limit} standing orders, the limit; drop some first.", "", MOST_ORDERS)
            record = OrderRecord(game_id, seat_number(mover), data_of(order), self.desk.now(), table.record.version)
            shown = await run_in_thread(self._shown, current, record, {})
            others = [one for one in every if one.id not in replaced]
            await self._act(table, current, [*others, record], GivenOrder(record, replaced))
        await self.desk.notify(game_id)
        return shown

    async def own_orders(self, game_id: GameId, person: PersonId) -> list[ShownOrder]:
        """A person's own orders in a game: those that stand, and those that have ended since their last move.

        :raises IllegalMove: they have no seat.
        """
        table, current = await self.desk.require_started(game_id)
        own = self.own_seats(table, person)
        standing = {order.id: order for order in await self.standing_orders(table)}
        every = [standing.get(order.id, order) for order in await self._orders(game_id)]
        bidders = await self.last_bidders(table, list(standing.values()))
        mine = [order for order in every if seat(order.seat) in own]
        return [await run_in_thread(self._shown, current, order, bidders) for order in mine]

    def _shown(self, current: Game, record: OrderRecord, bidders: dict[Owner, PlayerId]) -> ShownOrder:
        order, player = order_of(record.data), seat(record.seat)
        text = tr(described(current, order))
        if record.ended is not None:
            return ShownOrder(record, text, tr(record.reason, names=current.state.names), True)
        now = ""
        if player in current.players_to_act():
            decision = decide(current.copy(), player, order, own_bids(current, bidders, player))
            now = (
                with_names(current, format_action(decision.action).split(" ", 1)[1])
                if isinstance(decision, OrderAct)
                else ""
            )
            now = tr(decision.reason) if isinstance(decision, OrderEnd) else now
        return ShownOrder(record, text, now, False)

    async def cancel_orders(self, game_id: GameId, person: PersonId, order: int | None = None) -> int:
        """Delete one of a person's orders, or all of them; returns how many there were.

        :raises IllegalMove: they have no seat.
        """
        async with self.desk.lock(game_id):
            table = await self.desk.table(game_id)
            return await self.desk.store.orders.drop(
                game_id, [seat_number(one) for one in self.own_seats(table, person)], order
            )

    async def _act(self, table: GameSession, current: Game, orders: Sequence[OrderRecord], given: GivenOrder) -> None:
        """Save a new order, the last of these, with all that the orders do on the present position now."""
        after, flight, now = current.copy(), ExecutionResult(), self.desk.now()
        if table.record.status == GameStatus.RUNNING:
            bidders = await self.last_bidders(table, orders)
            flight = await run_in_thread(fly, table, after, orders, [], bidders, now)
        # It may be over at once; no other order is without a number.
        over = next((order for order in flight.ended if not order.id), given.order)
        ended, given = [order for order in flight.ended if order.id], replace(given, order=over)
        if not flight.records:
            await self.desk.store.orders.end(ended, flight.notices, given)
            return
        await self.desk.save(
            table,
            after,
            flight.records,
            current.players_to_act(),
            status=GameStatus.RUNNING,
            acted={seat(record.seat) for record in flight.records if record.seat},
            told=flight.notices,
            ended=ended,
            cause=given,
        )


def subject(order: Order) -> tuple[str, str]:
    """The subject of an order: a seat has one order on each."""
    return type(order).__name__, getattr(order, "company", getattr(order, "lot", getattr(order, "about", "")))


def fly(
    table: GameSession,
    after: Game,
    orders: Sequence[OrderRecord],
    before: Sequence[MadeMove],
    bidders: dict[Owner, PlayerId],
    now: float,
) -> ExecutionResult:
    """Let orders act on a position, which is changed, and make forced passes, until somebody has to decide for
    themselves.

    `before` are the earlier records of the same transaction; an order to pass ends where its owner has moved by hand in
    them, and with any move, of these or of orders, that was to wake its owner. A forced pass is nobody's move:
    its record names no person.
    """
    flight = ExecutionResult()
    standing = list(orders)
    number = table.record.version + len(before)
    for order in list(standing):
        if isinstance(order_of(order.data), PassUntil) and any(moved_himself(order, move) for move in before):
            standing.remove(order)
            flight.ended.append(msgspec.structs.replace(order, ended=number, reason=msg(HAS_MOVED)))
    watched = any(isinstance(kept, PassUntil) and kept.wake for kept in (order_of(order.data) for order in standing))
    trial = table.game.copy() if watched and before and table.game is not None else None
    for record, made in before:
        remember_bid(bidders, made)
        if trial is not None and made is not None:
            seen, trial.is_redoing = seen_now(trial), True
            trial.apply(made)
            wake_up(standing, seen, trial, record.number, flight, now)
    while len(flight.records) < MOST_ACTS and not after.state.finished:
        found = next_act(after, standing, bidders, flight, number, now)
        forced = forced_pass(after) if found is None and not table.record.asks_always else None
        if found is not None:
            acting_seat, action, template = found[0].seat, found[1].action, "{line} (standing order)"
            person = next(record.person for record in table.seats if record.number == acting_seat)
        elif forced is not None:
            acting_seat, action, template, person = seat_number(after.players_to_act()[0]), forced, FORCED, NOBODY
        else:
            return flight
        number += 1
        earlier = seen_now(after) if watched else None
        lines = apply_and_narrate(after, action)
        remember_bid(bidders, action)
        if earlier is not None:
            wake_up(standing, earlier, after, number, flight, now)
        lines[0] = msg(template, lines[0])
        flight.records.append(
            MoveRecord(
                table.record.id,
                number,
                number - 1,
                MoveKind.MOVE,
                person,
                format_action(action),
                lines,
                now,
                acting_seat,
                True,
            )
        )
    return flight


def wake_up(
    standing: list[OrderRecord], seen: Baseline, after: Game, number: int, flight: ExecutionResult, now: float
) -> None:
    """End orders to pass that the move of record `number` was to wake, and notify their owners at once; `seen` is
    the situation before it.
    """
    for order in list(standing):
        kept = order_of(order.data)
        reason = woken(seen, after, seat(order.seat), kept) if isinstance(kept, PassUntil) else None
        if reason is not None:
            standing.remove(order)
            flight.ended.append(msgspec.structs.replace(order, ended=number, reason=reason))
            flight.notices.append(told_ended(after, order, number, reason, now))


def end_disclosed_orders(game: Game, orders: Iterable[OrderRecord], number: int, now: float) -> ExecutionResult:
    """Orders disclosed by what is taken back by record `number`: they end, and no other undo brings them back."""
    flight = ExecutionResult()
    for order in orders:
        flight.ended.append(msgspec.structs.replace(order, ended=0, reason=SHOWN))
        flight.notices.append(told_ended(game, order, number, SHOWN, now))
    return flight


def told_ended(game: Game, order: OrderRecord, number: int, reason: Message, now: float) -> Notice:
    """The notice about an order that is over, for its owner only."""
    text = msg("Your standing order has ended: {order} {reason}", described(game, order_of(order.data)), reason)
    return Notice(order.game, number, NoticeKind.PRIVATE, [text], now, order.seat)


def is_passing(order: OrderRecord) -> bool:
    """Whether an order passes: it comes after all orders that do something."""
    return isinstance(order_of(order.data), PassUntil)


def own_bids(game: Game, bidders: dict[Owner, PlayerId], player: PlayerId) -> list[Owner]:
    """The lots on which the player's bid is the last and has not been given back."""
    stands = game.title.bidder
    return [
        lot for lot, bidder in bidders.items() if bidder == player and (stands is None or stands(game, lot) == player)
    ]


def moved_himself(order: OrderRecord, move: MadeMove) -> bool:
    """Whether the order's seat made a move for itself, not for a company, and not by an order; an answer to
    somebody else's proposal does not count.
    """
    record, action = move
    if record.seat != order.seat or record.auto or action is None or not is_player(action.by):
        return False
    return not isinstance(action, Answer)


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
) -> tuple[OrderRecord, OrderAct] | None:
    """The first order that acts for a player who is asked; orders that end on the way are taken out and noted."""
    for player in after.players_to_act():
        mine = own_bids(after, bidders, player)
        for order in sorted((one for one in standing if seat(one.seat) == player), key=is_passing):
            decision = decided(after, player, order, mine)
            if isinstance(decision, OrderWait):
                continue
            if isinstance(decision, OrderAct):
                return order, decision
            standing.remove(order)
            flight.ended.append(msgspec.structs.replace(order, ended=number, reason=msg(decision.reason)))
            flight.notices.append(told_ended(after, order, number, msg(decision.reason), now))
    return None


def decided(
    after: Game, player: PlayerId, order: OrderRecord, own_bids: Iterable[Owner]
) -> OrderAct | OrderWait | OrderEnd:
    """The decision of an order; a move that the rules or the books refuse ends it, and harms nobody else's move."""
    try:
        decision = decide(after, player, order_of(order.data), list(own_bids))
        if isinstance(decision, OrderAct):
            trial = after.copy()
            trial.apply(decision.action)
            if trial.audit():
                return OrderEnd(msg("It would have triggered a bug in the program."))
        return decision
    except Rejected as refusal:
        # A refusal may name players, who are kept by their seats.
        return OrderEnd(names_to_seats(refusal.sentence_with_rule, after.state.names))
