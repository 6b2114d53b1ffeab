"""Players of a random game who plan ahead now and then, held against the moves themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.ai.fuzzer import RECKLESS, draw_action
from bot.engine.chance import SeededRandom
from bot.engine.ids import Owner, PlayerId, is_player, seat
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game, options_for_chance
from bot.engine.play.holdings import price_of
from bot.engine.state.actions import Action, Bid, BuyPrivate, BuyShares, Done, Par, Pass, SellShares
from bot.service.plans import (
    IDLE,
    OFFERS,
    WAKE_WORDS,
    Act,
    AutoReply,
    Bids,
    Buy,
    Case,
    Decision,
    Do,
    Fact,
    Finish,
    Plan,
    RunBest,
    Stay,
    When,
    evaluate,
    find_wakes,
    woken,
)
from bot.titles.registry import TITLES

WAKES = (*find_wakes("sale"), *find_wakes("start"))


class Kept:
    """A plan in a random game, and the moves of others since it was given that were to wake."""

    def __init__(self, player: PlayerId, plan: Plan) -> None:
        self.player, self.plan = player, plan
        self.guilty: list[str] = []


class PlanningTable:
    """Players of a random game who plan ahead now and then, in all ways."""

    def __init__(self, title: str, seed: int, players: int = 3) -> None:
        self.title = TITLES[title]
        names = [f"Player {number}" for number in range(1, players + 1)]
        self.game = Game.new(self.title, names, options_for_chance(self.title, {}), seed)
        self.chance = SeededRandom(seed)
        self.kept: list[Kept] = []
        self.leads: dict[Owner, Owner] = {}
        self.acts: Counter[str] = Counter()
        self.moves = 0

    def play(self, moves: int) -> None:
        for _ in range(moves):
            if self.game.state.finished:
                return
            self.give()
            self.make(*self.next_move())
            self.moves += 1

    def next_move(self) -> tuple[Action, Kept | None]:
        for player in self.game.players_to_act():
            leads = [lot for lot, bidder in self.leads.items() if bidder == player]
            for kept in [one for one in self.kept if one.player == player]:
                decision = self.untouched(kept, leads)
                if isinstance(decision, Finish):
                    self.kept.remove(kept)
                elif isinstance(decision, Act):
                    self.check(kept, decision)
                    kept.plan = decision.plan
                    return decision.action, kept
        return draw_action(self.title, self.game.legal_actions(), RECKLESS, self.chance), None

    def untouched(self, kept: Kept, leads: Sequence[Owner]) -> Decision:
        """The decision, which changes nothing of the position."""
        before = self.game.encode()
        decision = evaluate(self.game, kept.player, kept.plan, leads)
        assert self.game.encode() == before
        return decision

    def check(self, kept: Kept, act: Act) -> None:
        """An act is legal, within its limits, and not after what was to wake."""
        assert not kept.guilty, f"{format_action(act.action)} after {kept.guilty[0]}"
        self.game.check(act.action)
        assert self.game.controller_of(act.action.by) == kept.player
        if kept.plan.turn == IDLE:
            self.acts["idle"] += 1
            assert all(isinstance(option, SellShares | Pass | Done) for option in self.game.legal_actions())
            assert isinstance(act.action, Pass | Done)
        step = kept.plan.steps[0] if kept.plan.steps else None
        if isinstance(step, Buy) and isinstance(act.action, BuyShares):
            assert act.action.company == step.company and price_of(self.game, act.action.company) <= step.most
        if isinstance(act.action, Bid | BuyPrivate) and isinstance(step, Bids):
            assert act.action.price <= step.most[getattr(act.action, "lot", "") or getattr(act.action, "private", "")]
        self.acts[type(step).__name__] += 1

    def make(self, action: Action, actor: Kept | None) -> None:
        before, decider = self.game.copy(), self.game.controller_of(action.by)
        self.game.apply(action)
        if isinstance(action, Bid):
            self.leads[action.lot] = action.by
        phase_began = before.state.phase != self.game.state.phase
        for kept in list(self.kept):
            if kept.player == decider:
                continue
            wakes = isinstance(action, Par) or (isinstance(action, SellShares) and is_player(action.by))
            if (wakes and {*WAKES} <= {*kept.plan.wake}) or (phase_began and WAKE_WORDS["phase"] in kept.plan.wake):
                kept.guilty.append(format_action(action))
            if woken(before, self.game, kept.player, kept.plan) is not None:
                self.kept.remove(kept)

    def give(self) -> None:
        """Drop a plan, or let one of the players have a new one, now and then."""
        if self.kept and not self.chance.randrange(8):
            self.kept.pop(self.chance.randrange(len(self.kept)))
        player = seat(self.chance.randrange(len(self.game.state.order)) + 1)
        if player in self.game.state.order and not self.chance.randrange(3):
            plans = list(self.plans(player))
            plan = plans[self.chance.randrange(len(plans))]
            self.kept = [one for one in self.kept if (one.player, one.plan.turn) != (player, plan.turn)]
            self.kept.append(Kept(player, plan))

    def plans(self, player: PlayerId) -> Iterator[Plan]:
        state = self.game.state
        yield Plan(player, (Stay(),), WAKES, "all")
        yield Plan(IDLE, (Stay(),), WAKES, "all")
        yield Plan(OFFERS, (AutoReply(False),), rounds="all")
        yield Plan(
            player, (Bids({lot: one.price + 20 for lot, one in state.privates.items()}, 1), Stay(2)), WAKES, "all"
        )
        for company in state.companies.values():
            if company.position is not None and not company.closed:
                buy = Buy(company.id, 40, price_of(self.game, company.id) + 5)
                yield Plan(player, (buy, Stay()), WAKES, "all")
                yield Plan(player, (Do(f"buy {company.id}"), Do(f"buy {company.id}"), Stay(1)), WAKES, keep=50)
            if self.game.controller_of(company.id) == player:
                steps = (RunBest("pay"), Stay())
                yield Plan(company.id, steps, find_wakes("phase"), "all", again=steps)
                case = Case((When(Fact("cash", company.id), ">=", 300),), RunBest("withhold"), RunBest("pay", 30))
                yield Plan(company.id, (case, Stay(1)), find_wakes("phase"))
