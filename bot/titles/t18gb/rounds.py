"""Set-up, rounds and the end of a game of 18GB (18GB, differences from 1830)."""

from __future__ import annotations

from bot.engine import DEPOT, CompanyId, PlayerId, SeededRandom, as_private
from bot.engine.play import Game
from bot.engine.play.holdings import price_of, set_up_cash, set_up_companies, set_up_trains
from bot.engine.play.holdings.trains import export
from bot.engine.play.steps import (
    begin_next_of_set,
    begin_operating_set,
    current_stock_round,
    current_stock_turn,
    end_game,
    is_in_turn,
    trigger_end,
)
from bot.engine.state import PhaseBegan, PresidentChanged, Private, Round, Train, TrainBought

from .companies import convert_unstarted, discard_without_president, launch_if_sold, remove_unstarted
from .components import COMPANIES, LNWR, MARKET, PRIVATES, TOKEN_PLACE, TRAINS
from .interpretations import interpretation_flags
from .state import scenario, title_state
from .track import place_homes

AFTER = "after this operating round"
TOP_PRICE = "a share price has reached £350"
LAST_TRAINS = 2
"""The number of trains left at the end of an operating round at which token placement ends."""


# -- set-up -------------------------------------------------------------------------------------------


def chosen_scenario(game: Game) -> str:
    players = len(game.state.players)
    choice = {2: "map", 4: "companies"}.get(players)
    return f"{players} {game.state.options[choice]}" if choice else str(players)


def set_up(game: Game) -> None:
    """Cash, companies, privates and trains of the scenario; home tokens; the random choices; the auction."""
    state = game.state
    title_state(game).scenario = chosen_scenario(game)
    found = scenario(game)
    state.scenario = found.land
    set_up_cash(game, 0, found.cash)
    # Drawn as 18xx.games draws: the same seed gives the same companies here.
    lots = SeededRandom(state.seed)
    joined = sorted(found.drawn, key=lambda sign: lots.random_bits())[:1]
    set_up_companies(game, (noun for noun in COMPANIES.values() if noun.id in (*found.companies.split(), *joined)))
    numbers = {company: lots.random_bits() for company in state.companies}
    waiting = [company for company in sorted(numbers, key=lambda company: numbers[company]) if company != LNWR]
    title_state(game).second_tier = waiting[: found.second_tier]
    privates = (PRIVATES[as_private(sign)] for sign in found.privates.split())
    state.privates = {noun.id: Private(noun.id, noun.price) for noun in privates}
    set_up_trains(game, {family: range(number) for family, number in zip(TRAINS, found.cards, strict=True)})
    place_homes(game)
    for private, hex_id in TOKEN_PLACE.items():
        if private in state.privates:
            state.board.reserve(hex_id, 0, private)
    state.round = Round("auction")
    game.push("game")


def order_by_cash(game: Game) -> None:
    """After the auction the player with the least cash goes first; among equals the player with more privates."""
    state = game.state
    state.order.sort(key=lambda player: (state.cash[player], -len(state.privates_of(player))))
    state.priority = state.order[0]


# -- stock rounds -------------------------------------------------------------------------------------


def end_stock_round(game: Game) -> None:
    """The order of passing is the new order."""
    state = game.state
    passed = current_stock_round(game).passed
    state.order = [*passed, *(player for player in state.order if player not in passed)]
    state.priority = state.order[0]


def after_purchase(game: Game, company_id: CompanyId) -> None:
    """A company begins when enough is sold; remember whether the purchase made the buyer its president."""
    if any(isinstance(event, PresidentChanged) and event.company == company_id for event in game.events):
        current_stock_turn(game).taken_over.append(company_id)
    launch_if_sold(game, company_id)


# -- operating rounds ---------------------------------------------------------------------------------


def next_operating_round(game: Game) -> None:
    """Two operating rounds between stock rounds."""
    if game.state.round.kind != "operating":
        begin_operating_set(game)
    if begin_next_of_set(game):
        title_state(game).train_bought = False


def end_operating_round(game: Game) -> None:
    """End the game, or export a train if none was sold, and apply the restrictions of the end."""
    waiting = depot_trains(game)
    if waiting and not game.state.ending and not title_state(game).train_bought:
        export(game, waiting[0])
    detect_game_end(game, None)
    if game.state.ending:
        end_game(game)
    elif len(depot_trains(game)) <= LAST_TRAINS and not title_state(game).last_trains:
        title_state(game).last_trains = True
        game.log("Two trains or fewer are left: no more tokens are placed.")


def depot_trains(game: Game) -> list[Train]:
    """The trains that the bank still has, in order."""
    return [card for card in game.state.trains if card.owner == DEPOT]


# -- reactions ----------------------------------------------------------------------------------------


def on_train_bought(game: Game, event: TrainBought) -> None:
    if event.source == DEPOT:
        title_state(game).train_bought = True


def on_phase_change(game: Game, event: PhaseBegan) -> None:
    """Reservations end with the blue phase, unstarted companies grow in the brown phase and leave in the gray phase;
    limits fall. After an export 18xx.games asks for excess trains in the next company's turn.
    """
    if event.phase == "4+2":
        for private, hex_id in TOKEN_PLACE.items():
            game.state.board.free(hex_id, private)
    if event.phase == "5+2":
        convert_unstarted(game)
    if event.phase == "6X":
        remove_unstarted(game)
    is_late = interpretation_flags(game).discards_in_turns_alone
    if not is_late:
        discard_without_president(game)
    if is_in_turn(game) or not is_late:
        game.push("discard")


def forget_routes(game: Game, event: object) -> None:
    """A company's possible runs depend on its director and on closed privates."""
    game.board_changed()


# -- the end ------------------------------------------------------------------------------------------


def detect_game_end(game: Game, event: object) -> None:
    """A price of £350 or more, or the last train sold or removed, ends the game after the operating round."""
    if any([c.position is not None and MARKET.is_in_zone(c.position, "e") for c in game.state.companies.values()]):
        trigger_end(game, TOP_PRICE, AFTER)
    elif not depot_trains(game):
        trigger_end(game, "all trains have been sold or removed", AFTER)


def net_worth(game: Game, player: PlayerId) -> int:
    """Cash, open privates at their price, shares; those of trainless companies at half."""
    state = game.state
    total = state.cash[player] + sum(PRIVATES[private.id].price for private in state.privates_of(player))
    for company in state.companies.values():
        price, has_train = price_of(game, company.id), bool(state.trains_of(company.id))
        unit = min([certificate.percent for certificate in company.certificates])
        for certificate in company.certificates:
            if certificate.owner == player:
                value = price * certificate.percent // unit
                total += value if has_train else value // 2
    return total
