"""The common parts of rounds in all titles: stock rounds, sets of operating rounds, companies in turn, the end of the
game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.engine import REMOVED, CompanyId, PlayerId, Text, is_player
from bot.engine.play import AutomaticStep, Game
from bot.engine.play.holdings import sort_by_price, step_up, trains_for_sale
from bot.engine.play.holdings.market import move
from bot.engine.play.holdings.trains import export
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


def player_after(game: Game, player: PlayerId) -> PlayerId:
    order = game.state.order
    return order[(order.index(player) + 1) % len(order)]


def jump_to(place: int) -> AutomaticStep:
    """An automatic step: play goes on at that place of the plan, since rounds repeat."""

    def deed(game: Game) -> None:
        game.frame.at = place

    return deed


def begin_auction(game: Game) -> None:
    """An automatic step: the first player begins the auction before the first stock round."""
    game.push("auction", game.state.order[0], AuctionMemory())


# -- stock rounds -------------------------------------------------------------------------------------


def open_stock_round(game: Game) -> None:
    """An automatic step: a stock round begins in the present order of play."""
    current = game.state.round
    number = 1 if current.kind in FIRST else current.number + 1
    game.state.round = Round("stock", number)
    game.emit(RoundBegan("stock", number, 1, 1))
    game.push("stock round", None, StockRoundMemory())


def begin_stock_round(game: Game) -> None:
    """An automatic step: the holder of the priority card begins a stock round, the others follow clockwise."""
    state = game.state
    start = state.order.index(state.priority)
    state.order = state.order[start:] + state.order[:start]
    open_stock_round(game)


def pass_priority(game: Game) -> None:
    """Give the priority card to the player after the last to act."""
    last = current_stock_round(game).last_to_act
    if last is not None:
        game.state.priority = player_after(game, last)


def is_sold_out(company: Company) -> bool:
    """Whether players have all certificates that are left in the game."""
    owners = {certificate.owner for certificate in company.certificates}
    return company.position is not None and all(map(is_player, owners - {REMOVED}))


def raise_sold_out(game: Game, but: CompanyId | None = None) -> None:
    """Raise the markers of sold-out companies except `but` by a row, in operating order."""
    companies = game.state.companies
    for company in sort_by_price(game, [one.id for one in companies.values() if one.id != but and is_sold_out(one)]):
        move(game, company, step_up(game.title.market, companies[company].position or (0, 0)))


def end_stock_round(game: Game) -> None:
    """An automatic step: sold-out companies rise; the player after the last to act gets the priority card."""
    raise_sold_out(game)
    pass_priority(game)


# -- operating rounds ---------------------------------------------------------------------------------


def begin_operating_set(game: Game) -> None:
    """An automatic step: the phase sets the number of operating rounds that follow."""
    rounds = game.title.phase(game.state.phase).operating_rounds
    game.state.round = Round("operating", game.state.round.number, 0, rounds)


def begin_turn(game: Game) -> None:
    game.emit(TurnBegan(game.company_in_turn))


def begin_next_of_set(game: Game) -> bool:
    """Begin the next operating round of the set and return True, if one is left; after it the calling step is asked again."""
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
    """An automatic step: the next operating round of the set; after the last the game ends, if its end was triggered."""
    if not begin_next_of_set(game):
        end_if_triggered(game)


def operating_round(game: Game) -> OperatingRoundMemory:
    """The memory of the operating round on top; errors as of `Game.memory`."""
    return game.memory(OperatingRoundMemory)


def is_in_play(game: Game, company: Company) -> bool:
    return company.floated and not company.closed


def waiting_companies(game: Game, operates: Callable[[Game, Company], bool] = is_in_play) -> list[CompanyId]:
    """The companies still to have their turn in the round on top, in operating order."""
    done = operating_round(game).done
    return sort_by_price(
        game, [one.id for one in game.state.companies.values() if one.id not in done and operates(game, one)]
    )


def next_company(operates: Callable[[Game, Company], bool] = is_in_play) -> AutomaticStep:
    """An automatic step: the next company in operating order, among those that operate, has its turn."""

    def deed(game: Game) -> None:
        for company in waiting_companies(game, operates)[:1]:
            begin_company_turn(game, company)

    return deed


def begin_company_turn(game: Game, company: CompanyId, plan: str = "company turn") -> None:
    """Begin the company's turn by that plan; then the calling step is asked again."""
    operating_round(game).done.append(company)
    game.frame.at -= 1
    game.push(plan, company, TurnMemory())


def export_next(game: Game) -> None:
    """The next train that is for sale leaves the game."""
    for card in trains_for_sale(game)[:1]:
        export(game, card)


def order_by_kinds(game: Game, kinds: Iterable[str]) -> list[CompanyId]:
    """The companies in play, those of the first kind before all others, each kind by falling price."""
    playing = [company.id for company in game.state.companies.values() if company.position is not None]
    named = game.title.companies
    return [one for kind in kinds for one in sort_by_price(game, [one for one in playing if named[one].kind == kind])]


def is_in_turn(game: Game) -> bool:
    return any(isinstance(frame.memory, TurnMemory) for frame in game.state.flow)


# -- the end ------------------------------------------------------------------------------------------


def trigger_end(game: Game, reason: str, when: str = "after this set of operating rounds") -> None:
    """The first reason stands."""
    if not game.state.ending:
        game.state.ending = reason
        game.emit(GameEndTriggered(reason, when))


def end_if_triggered(game: Game) -> None:
    if game.state.ending:
        end_game(game)


def end_game(game: Game, reason: Text = "") -> None:
    """End the game for this reason or for the reason already known; rank the players by their worth."""
    state = game.state
    state.finished, state.ending = True, reason or state.ending
    worth = game.title.rules.worth
    scores = sorted(((seat.id, worth(game, seat.id)) for seat in state.players), key=lambda entry: -entry[1])
    game.emit(GameEnded(state.ending, tuple(scores)))
