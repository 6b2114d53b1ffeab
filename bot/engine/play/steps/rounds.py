"""What rounds of all titles have in common: stock rounds, sets of operating rounds, companies in turn, the end of the game."""

from __future__ import annotations

from collections.abc import Callable

from bot.engine import CompanyId, PlayerId, Text, is_player
from bot.engine.play import AutomaticStep, Game
from bot.engine.play.holdings import sort_by_price, step_up
from bot.engine.play.holdings.market import move
from bot.engine.state import (
    AuctionMemory,
    Company,
    GameEnded,
    GameEndTriggered,
    OperatingRoundMemory,
    Round,
    RoundBegan,
    StockRoundMemory,
    TurnBegan,
    TurnMemory,
)

from .stock import current_stock_round

FIRST = ("set-up", "auction")
"""What comes before the first stock round."""


def player_after(game: Game, player: PlayerId) -> PlayerId:
    order = game.state.order
    return order[(order.index(player) + 1) % len(order)]


def jump_to(place: int) -> AutomaticStep:
    """A deed: play goes on at that place of the plan, as rounds follow each other in a circle."""

    def deed(game: Game) -> None:
        game.frame.at = place

    return deed


def begin_auction(game: Game) -> None:
    """A deed: the first player begins the auction that comes before the first stock round."""
    game.push("auction", game.state.order[0], AuctionMemory())


# -- stock rounds -------------------------------------------------------------------------------------


def open_stock_round(game: Game) -> None:
    """A deed: a stock round begins; the players follow in the order of play as it is."""
    current = game.state.round
    number = 1 if current.kind in FIRST else current.number + 1
    game.state.round = Round("stock", number)
    game.emit(RoundBegan("stock", number, 1, 1))
    game.push("stock round", None, StockRoundMemory())


def begin_stock_round(game: Game) -> None:
    """A deed: the holder of the priority card begins a stock round, the others follow clockwise."""
    state = game.state
    start = state.order.index(state.priority)
    state.order = state.order[start:] + state.order[:start]
    open_stock_round(game)


def pass_priority(game: Game) -> None:
    """At the end of a stock round the player after the last to act gets the priority card."""
    last = current_stock_round(game).last_to_act
    if last is not None:
        game.state.priority = player_after(game, last)


def is_sold_out(company: Company) -> bool:
    """Whether players hold all shares of a company with a price."""
    return company.position is not None and all(is_player(certificate.owner) for certificate in company.certificates)


def raise_sold_out(game: Game, but: CompanyId | None = None) -> None:
    """The markers of sold-out companies, but that one's, rise by a row, in operating order."""
    companies = game.state.companies
    for company in sort_by_price(game, [one.id for one in companies.values() if one.id != but and is_sold_out(one)]):
        move(game, company, step_up(game.title.market, companies[company].position or (0, 0)))


def end_stock_round(game: Game) -> None:
    """A deed: sold-out companies rise; the player after the last to act gets the priority card."""
    raise_sold_out(game)
    pass_priority(game)


# -- operating rounds ---------------------------------------------------------------------------------


def begin_operating_set(game: Game) -> None:
    """A deed: as many operating rounds follow as the phase says now."""
    rounds = game.title.phase(game.state.phase).operating_rounds
    game.state.round = Round("operating", game.state.round.number, 0, rounds)


def begin_turn(game: Game) -> None:
    game.emit(TurnBegan(game.company_in_turn))


def begin_next_of_set(game: Game) -> bool:
    """The next operating round of the set begins, if one is left; after it the step that called is asked again. Returns
    whether one was left."""
    current = game.state.round
    if current.part >= current.of:
        return False
    game.frame.at -= 1
    current.kind = "operating"
    current.part += 1
    game.emit(RoundBegan(current.kind, current.number, current.part, current.of))
    game.push("operating round", None, OperatingRoundMemory())
    return True


def next_operating_round(game: Game) -> None:
    """A deed: the next operating round of the set; after the last one the game ends, if its end has been triggered."""
    if not begin_next_of_set(game):
        end_if_triggered(game)


def operating_round(game: Game) -> OperatingRoundMemory:
    """Who has had a turn in the round on top; errors as of `Game.memory`."""
    return game.memory(OperatingRoundMemory)


def is_in_play(game: Game, company: Company) -> bool:
    return company.floated and not company.closed


def waiting_companies(game: Game, operates: Callable[[Game, Company], bool] = is_in_play) -> list[CompanyId]:
    """The companies that have not had their turn in the round on top, in operating order."""
    done = operating_round(game).done
    return sort_by_price(
        game, [one.id for one in game.state.companies.values() if one.id not in done and operates(game, one)]
    )


def next_company(operates: Callable[[Game, Company], bool] = is_in_play) -> AutomaticStep:
    """A deed: the next company in operating order, among those that operate, has its turn."""

    def deed(game: Game) -> None:
        for company in waiting_companies(game, operates)[:1]:
            begin_company_turn(game, company)

    return deed


def begin_company_turn(game: Game, company: CompanyId, plan: str = "company turn") -> None:
    """The company has its turn by that plan; then the step that called is asked again."""
    operating_round(game).done.append(company)
    game.frame.at -= 1
    game.push(plan, company, TurnMemory())


def is_in_turn(game: Game) -> bool:
    return any(isinstance(frame.memory, TurnMemory) for frame in game.state.flow)


# -- the end ------------------------------------------------------------------------------------------


def trigger_end(game: Game, reason: str, when: str = "after this set of operating rounds") -> None:
    """The game will end for this reason, unless that is certain already."""
    if not game.state.ending:
        game.state.ending = reason
        game.emit(GameEndTriggered(reason, when))


def end_if_triggered(game: Game) -> None:
    """A deed: the game ends here, if its end has been triggered."""
    if game.state.ending:
        end_game(game)


def end_game(game: Game, reason: Text = "") -> None:
    """The game is over, for this reason or for the one already known; players are ranked by their worth."""
    state = game.state
    state.finished, state.ending = True, reason or state.ending
    worth = game.title.rules.worth
    scores = sorted(((seat.id, worth(game, seat.id)) for seat in state.players), key=lambda entry: -entry[1])
    game.emit(GameEnded(state.ending, tuple(scores)))
