"""Future trains: sold at the start of the first three stock rounds, assigned to companies later (1820 §6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import (
    BANK,
    DEPOT,
    REMOVED,
    IllegalMove,
    PlayerId,
    Text,
    is_player,
    join_and,
    join_or_chain,
    msg,
    require,
)
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import find_train, has_phase_begun, leave_depot, pay, trains_for_sale
from bot.engine.state import Action, Passed, Train
from bot.titles.t1820.actions import AssignTrain, Decline, TakeLots
from bot.titles.t1820.auctions import OpenCryAuction, current_auction
from bot.titles.t1820.companies import train_limit
from bot.titles.t1820.components import COLOUR_OF, FUTURE_TRAINS, INCOME, SMALLEST_BID
from bot.titles.t1820.consent import propose
from bot.titles.t1820.state import OpenCry, title_state

# -- selling them (§6.4.1, §6.4.2) --------------------------------------------------------------------


def begin_future_trains(game: Game) -> None:
    """The auction of the first three stock rounds, for the trains still in the supply."""
    kinds = FUTURE_TRAINS.get(game.state.round.number, ())
    missing = tuple(kind for kind in kinds if not supply_cards(game, kind))
    if missing:
        game.log("The supply has no {kinds} left, so none can be sold as a future train.", join_and(missing))
    if len(kinds) > len(missing):
        open_future_auction(game, [kind for kind in kinds if kind not in missing])


def open_future_auction(game: Game, kinds: list[str], barred: Sequence[PlayerId] = ()) -> None:
    """Open the auction to all players except those who declined these trains."""
    auction = OpenCry("future", kinds, least=SMALLEST_BID, barred=[*barred])
    FUTURE_AUCTION.begin(game, "future trains", auction)


def most_for_train(game: Game, player: PlayerId) -> int:
    """Cash; in the first stock round the rest of the next income (§6.4.2)."""
    if game.state.round.number == 1:
        return INCOME - title_state(game).deductions.get(player, 0)
    return game.state.cash[player]


FUTURE_AUCTION = OpenCryAuction(most_for_train, "1820 §6.4.2")


def end_future_auction(game: Game) -> None:
    """Without a bid the trains leave the game; else the winner takes one or both."""
    auction = current_auction(game)
    if auction.bidder is not None:
        game.push("take trains", auction.bidder)
        return
    for kind in auction.lots:
        for card in supply_cards(game, kind)[:1]:
            game.state.move_train(card, REMOVED)
    game.log("Nobody bids; future {kinds} trains leave the game.", join_and(auction.lots))
    title_state(game).auction = None


def supply_cards(game: Game, kind: str) -> list[Train]:
    """The cards of the kind in the supply, the next card first."""
    return [train for train in game.state.trains if train.kind == kind and train.owner == DEPOT]


@dataclass(frozen=True)
class TakeTrains:
    """The winner takes one or both trains for the winning bid each, or declines and is barred (§6.4.2, §10.4)."""

    name: str = "take trains"
    verbs: tuple[type[Action], ...] = (TakeLots, Decline)

    def opens(self, game: Game) -> bool:
        return title_state(game).auction is not None

    def prompt(self, game: Game) -> Text:
        auction = current_auction(game)
        each = "take {lots} for £{best} each, or decline"
        template = each if len(auction.lots) > 1 else "take {lots} for £{best}, or decline"
        return msg(template, join_or_chain(auction.lots), auction.best)

    def options(self, game: Game) -> Iterator[Action]:
        lots = current_auction(game).lots
        winner = game.actor_in_turn
        choices = [(kind,) for kind in lots] + ([tuple(lots)] if len(lots) > 1 else [])
        for kinds in choices:
            yield from filter_allowed(self, game, [TakeLots(winner, kinds)])
        yield Decline(winner)

    def check(self, game: Game, action: TakeLots | Decline) -> None:
        if isinstance(action, Decline):
            return
        auction = current_auction(game)
        if len(set(action.kinds)) < len(action.kinds) or not set(action.kinds) <= set(auction.lots):
            raise IllegalMove("The auction was about {lots}.", "1820 §6.4.2", join_and(auction.lots))
        missing = [kind for kind in action.kinds if not supply_cards(game, kind)]
        if missing:
            raise IllegalMove("The supply has no {missing} train left.", "1820 §6.4.1", missing[0])
        total = auction.best * len(action.kinds)
        if total > most_for_train(game, PlayerId(action.by)):
            raise IllegalMove(
                "{kinds} trains cost £{total}, which you cannot pay.", "1820 §6.4.2", len(action.kinds), total
            )

    def apply(self, game: Game, action: TakeLots | Decline) -> None:
        """The remaining trains are sold in a new auction."""
        auction, player = current_auction(game), PlayerId(action.by)
        title_state(game).auction = None
        game.next_step()
        if isinstance(action, Decline):
            game.emit(Passed(player, self.name))
            open_future_auction(game, auction.lots, [*auction.barred, player])
            return
        is_owed = game.state.round.number == 1
        for kind in action.kinds:
            if is_owed:
                deductions = title_state(game).deductions
                deductions[player] = deductions.get(player, 0) + auction.best
            else:
                pay(game, player, BANK, auction.best, f"future {kind} train")
            game.state.move_train(supply_cards(game, kind)[0], player)
            game.log(
                "{player} takes the future {kind} train for £{price}, to be paid from the next income."
                if is_owed
                else "{player} takes the future {kind} train for £{price}.",
                player,
                kind,
                auction.best,
            )
        left = [kind for kind in auction.lots if kind not in action.kinds]
        if left:
            open_future_auction(game, left)


# -- assigning them (§6.4.3) ---------------------------------------------------------------------------


@dataclass(frozen=True)
class AssignFutureTrain:
    """At any time of a company's turn it gets a future train, if holder and director agree."""

    name: str = "assign a future train"
    verbs: tuple[type[Action], ...] = (AssignTrain,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        for train in game.state.trains:
            if is_player(train.owner):
                yield from filter_allowed(self, game, [AssignTrain(company, train.kind, train.owner)])

    def check(self, game: Game, action: AssignTrain) -> None:
        is_held = is_player(action.holder) and find_train(game, action.holder, action.kind) is not None
        if action.by != game.frame.entity or not is_held:
            raise IllegalMove(
                "{holder} has no future {kind} train.", "1820 §6.4.3", game.state.name(action.holder), action.kind
            )
        is_offered = any(card.kind == action.kind for card in trains_for_sale(game))
        if not is_offered and not has_phase_begun(game, COLOUR_OF[action.kind]):
            raise IllegalMove("{kind} trains are not available yet.", "1820 §6.4.3", action.kind)

    def apply(self, game: Game, action: AssignTrain) -> None:
        propose(game, action, [action.holder])


def assign(game: Game, action: AssignTrain) -> None:
    """Give the train to the company; the first of its colour begins a phase; above the limit trains are discarded."""
    train = require(find_train(game, action.holder, action.kind), f"{action.holder} has no future {action.kind} train")
    game.state.move_train(train, action.by)
    game.log("{holder} assigns the future {kind} train to {company}.", action.holder, action.kind, action.by)
    leave_depot(game, train)
    game.board_changed()
    if len(game.state.trains_of(action.by)) > train_limit(game):
        game.push("discard")
