"""The questions of 18xx.games to a company of 18GB in its turn."""

from __future__ import annotations

from bot.engine import CompanyId, HexId, TokenSections, as_private, is_permitted
from bot.engine.play import Game
from bot.engine.play.holdings import card_sides, counted_trains, president_of, trains_for_sale
from bot.engine.play.steps import current_stock_turn, has_any_route, operating_turn, trains_to_run
from bot.engine.state import BuyTrain, LayTile, Private, RunRoutes, TileLaid, TileLay
from bot.formats.peer18xx.dialect import can_do_something
from bot.formats.peer18xx.questions import NO_RUN, PeerQuestion

from ..companies import WITHHELD, is_in_receivership, is_insolvent, train_limit
from ..components import EXTRA_LAY, SEVERN, TAFF_VALE
from ..privates import PRIVATE_TOKEN
from ..state import title_state
from ..stock import can_convert_in_need, could_pay
from ..track import LAYS

ARBROATH = as_private("AF")
LAY_HELPERS = (*EXTRA_LAY, TAFF_VALE)


def asks_to_build(game: Game, company: CompanyId) -> bool:
    """Whether it waits for a tile, also for a tile that a private of the president's may give later, or for a token."""
    if is_insolvent(game, company) or is_in_receivership(game, company):
        return False
    helpers = _helpers(game, company)
    if len(operating_turn(game).lays) < LAYS or ARBROATH in [private.id for private in helpers]:
        return True
    if not title_state(game).last_trains and _can_place_token(game, company):
        return True
    has_own_token = operating_turn(game).tokens_placed > 0 and PRIVATE_TOKEN not in operating_turn(game).used
    own = [(lay.hex, lay.tile) for lay in operating_turn(game).lays[-1:] if not _is_by_taff_vale(game, lay)]
    laid = any(isinstance(event, TileLaid) and (event.hex, event.tile) in own for event in game.events)
    is_last = has_own_token and laid
    return not is_last and any(private.closed for private in helpers)


def _is_by_taff_vale(game: Game, lay: TileLay) -> bool:
    """Whether the private laid it: one of the company's lays, but by another step there."""
    private = game.state.privates.get(TAFF_VALE)
    return lay.hex == SEVERN and private is not None and private.ability_used


def _helpers(game: Game, company: CompanyId) -> list[Private]:
    """The president's privates whose lays are unused. Arbroath & Forfar holds the step open also while it has not been
    closed; the others wait for that, and not after a lay of the company's own that follows its own token."""
    president = president_of(game.company(company))
    privates = [game.state.privates[sign] for sign in LAY_HELPERS if sign in game.state.privates]
    return [private for private in privates if private.owner == president and not private.ability_used]


def _can_place_token(game: Game, company: CompanyId) -> bool:
    record = game.company(company)
    if operating_turn(game).tokens_placed or not record.tokens_left:
        return False
    if record.tokens_left[0] > game.state.cash[company]:
        return False
    return any(
        _has_room(game, company, hex_id, city) for hex_id, city in game.board_rules.reached_cities(game, company)
    )


def _has_room(game: Game, company: CompanyId, hex_id: HexId, city: int) -> bool:
    return is_permitted(game.board_rules.check_city, game, company, hex_id, city, TokenSections())


def asks_for_nothing(game: Game, company: CompanyId) -> bool:
    """Whether it waits for the run of an insolvent company to which the bank has no train to lease any more."""
    return is_insolvent(game, company) and not trains_to_run(game, company) and has_any_route(game, company)


def asks_for_trains(game: Game, company: CompanyId) -> bool:
    """Whether some train could be paid, or the company can convert in need. Without a president it waits only for a
    company that has no train and has not run a leased train: else its own machinery buys."""
    if is_in_receivership(game, company) and (game.state.trains_of(company) or WITHHELD in operating_turn(game).used):
        return False
    has_room = len(counted_trains(game, company)) < train_limit(game, company)
    can_pay = has_room and game.state.cash[company] >= _lowest_price(game, company)
    return can_pay or can_convert_in_need(game, company)


def _lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest train of the bank; 1 if any other company has a train, regardless of its cost."""
    if any(train.owner in game.state.companies and train.owner != company for train in game.state.trains):
        return 1
    return min(
        (side.price for card in trains_for_sale(game) for side in card_sides(game, card.family)), default=1_000_000
    )


def asks_player(game: Game) -> bool:
    """Whether it waits for the player whose stock turn is open, even if only for shares that the player could pay
    for.
    """
    turn = current_stock_turn(game)
    if turn.bought or turn.changed or can_do_something(game):
        return True
    return could_pay(game, game.player_in_turn)


QUESTIONS = (
    PeerQuestion(LayTile, asks_to_build),
    PeerQuestion(RunRoutes, asks_for_nothing, NO_RUN),
    PeerQuestion(BuyTrain, asks_for_trains),
)
