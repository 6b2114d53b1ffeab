"""No order to pass acts after what it was to be woken by: in random games, held against the moves themselves."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import RECKLESS, draw_action
from bot.engine.chance import SeededRandom
from bot.engine.ids import PlayerId, is_player, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game, options_for_chance
from bot.engine.state.actions import Action, Par, SellShares
from bot.service.features.plans.executor import fly
from bot.service.features.plans.records import plan_data
from bot.service.plans import Plan, Stay, find_wakes
from bot.service.sessions.session_manager import GameSession, MadeMove
from bot.store import GameRecord, MoveRecord, OrderRecord, SeatRecord
from bot.titles.registry import TITLES
from tests.families import few
from tests.service.conftest import ANN

MOVES = 400
SEATS = [SeatRecord(1, number, ANN, f"Player {number}") for number in (1, 2, 3)]


class PassingTable:
    """Three players of a random game who have all that they may have passed for them, until a sale or a start."""

    def __init__(self, title: str, seed: int) -> None:
        self.title = TITLES[title]
        self.record = GameRecord(1, title, {}, 1, "running", ANN, 24, 0, 0, 0)
        names = [held.name for held in SEATS]
        self.game = Game.new(self.title, names, options_for_chance(self.title, {}), seed)
        self.chance = SeededRandom(seed)
        self.plans: list[OrderRecord] = []
        self.acts = 0
        self.since: dict[int, list[str]] = {}
        """What has happened that was to wake, by order."""

    def play(self) -> None:
        """The game's beginning."""
        while self.record.version < MOVES and not self.game.state.finished:
            player = self.game.players_to_act()[0]
            self.give(player)
            action = draw_action(self.title, self.game.legal_actions(), RECKLESS, self.chance)
            before = self.game.copy()
            decider = self.game.controller_of(action.by) or player
            self.game.apply(action)
            record = self.kept(action, decider)
            table = GameSession(self.record, SEATS, before)
            flight = fly(table, self.game, self.plans, [MadeMove(record, action)], {}, 0.0)
            self.look(record, decider)
            ended = {state.plan for state in flight.states if state.ended is not None}
            for act in flight.records:
                if act.person:
                    self.acts += 1
                    guilty = [order for order in self.plans if order.seat == act.seat and self.since[order.plan]]
                    assert not guilty, f"{act.text} after {self.since[guilty[0].plan]}"
                self.look(act, seat(act.seat or 0))
            self.plans = [order for order in self.plans if order.plan not in ended]
            self.record.version += 1 + len(flight.records)

    def give(self, player: PlayerId) -> None:
        """An order for everybody who is not asked and has none, now and then."""
        for held in SEATS:
            has_one = any(order.seat == held.number for order in self.plans)
            if seat(held.number) != player and not has_one and self.chance.randrange(2):
                wakes = (*find_wakes("sale"), *find_wakes("start"))
                kept = plan_data(Plan(seat(held.number), (Stay(),), wakes, "all"))
                order = OrderRecord(1, held.number, kept, 0, self.record.version, plan=len(self.since) + 1)
                self.plans.append(order)
                self.since[order.plan] = []

    def kept(self, action: Action, player: PlayerId) -> MoveRecord:
        """The record of a move."""
        number = self.record.version + 1
        return MoveRecord(1, number, number - 1, "move", ANN, format_action(action), [], 0, int(player[1:]))

    def look(self, record: MoveRecord, player: PlayerId) -> None:
        """Whom a move was to wake."""
        action = parse_action(self.title, record.text)
        wakes = isinstance(action, Par) or (isinstance(action, SellShares) and is_player(action.by))
        for order in self.plans:
            if wakes and seat(order.seat) != player:
                self.since[order.plan].append(record.text)


@pytest.mark.parametrize(
    ("title", "seed"),
    few([*(("1830", seed) for seed in (1, 3, 4, 5, 9, 10)), ("1848", 1), ("18GB", 1), ("1844", 1), ("1820", 9)], 6, 8),
)
def test_no_order_acts_against_its_wake_words(title: str, seed: int) -> None:
    table = PassingTable(title, seed)
    table.play()
    assert table.acts
