"""Small built positions of 1820."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.engine.ids import BANK, DEPOT, POOL, REMOVED, HexId, Owner, PlayerId, TileId, as_company, as_private, seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.engine.state.actions import Action
from bot.engine.state.board import PlacedTile
from bot.engine.state.state import (
    Company,
    Frame,
    OperatingRoundMemory,
    Private,
    Round,
    StockRoundMemory,
    StockTurnMemory,
    TurnMemory,
)
from bot.titles.registry import TITLES
from bot.titles.t1820.companies import resize, sort_director_first
from bot.titles.t1820.components import COLOUR_OF, COUSINS, MARKET, PHASE_OF_COLUMN
from bot.titles.t1820.state import State1820, title_state
from tests.rearrangement import rearrange
from tests.titles.positions import as_player, refusal, set_cash, settled

TITLE = TITLES["1820"]
ANN, BOB, CID = (seat(number) for number in (1, 2, 3))
NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve")
PLACES = {"track": 1, "station": 2, "early": 3, "cousins": 4, "run": 5, "dividend": 6, "maintenance": 8}
PLACES |= {"trains": 9, "interest": 11, "repay": 12}


def new_game(players: int = 3, cousins: Sequence[str] = (), **options: str) -> Game:
    """A game in seating order with exactly these cousins, all the first player's."""
    game = Game.new(TITLE, NAMES[:players], options, 1)
    state = game.state
    state.order = [player.id for player in state.players]
    for cousin in list(state.privates):
        state.cash[BANK] += state.cash.pop(cousin)
    state.privates = {}
    for name in cousins:
        cousin = as_private(name)
        state.privates[cousin] = Private(cousin, COUSINS[cousin].price, ANN)
        state.cash[cousin] = 0
    for player in state.order:
        set_cash(game, player, 1000)
    game.events = []
    return game


def memory(game: Game) -> State1820:
    """The title's own record."""
    return title_state(game)


def company(game: Game, name: str = "LSR") -> Company:
    """A company's record."""
    return game.company(Owner(name))


def price(game: Game, name: str = "LSR") -> int:
    """A company's price."""
    return MARKET.price(company(game, name).position or (0, 0))


def column(money: int) -> int:
    """The market column of a price."""
    return next(index for index, cell in enumerate(MARKET.rows[0]) if cell and cell.price == money)


def floated(
    game: Game,
    name: str = "LSR",
    shares: int = 5,
    held: dict[str, int] | None = None,
    pool: int = 0,
    at: int = 65,
    money: int = 500,
    loans: int = 0,
    stations: int = 1,
    director: str = "",
) -> Company:
    """A company floated in an earlier stock round; the first holder directs it. One share: a private company."""
    record = company(game, name)
    held = {"@1": 1 if shares == 1 else 2} if held is None else held
    owners = {Owner(owner): number for owner, number in held.items()}
    resize(record, shares, {**owners, POOL: pool})
    record.floated, record.par, record.loans = True, at if shares > 1 else None, loans
    record.tokens_left = (0,) * stations
    title_state(game).floated_in[record.id] = 0
    if owners:
        title_state(game).directors[record.id] = Owner(director) if director else next(iter(owners))
    sort_director_first(game, record)
    if shares > 1:
        place_marker(game, record.id, (0, column(at)))
        set_cash(game, name, money)
    else:
        title_state(game).private_track.append(record.id)
    return record


def lay(game: Game, hex_id: str, tile: str, rotation: int = 0) -> None:
    """A tile on the map."""
    game.state.board.tiles[HexId(hex_id)] = PlacedTile(TileId(tile), rotation)
    game.board_changed()


def give_trains(game: Game, name: str, *kinds: str) -> None:
    """Cards of the supply for a company or player."""
    for kind in kinds:
        card = next(train for train in game.state.trains if train.kind == kind and train.owner == DEPOT)
        rearrange(game, card, owner=Owner(name))


def reach_phase(game: Game, name: str) -> None:
    """Empty the supply of everything older, move the marker to the phase's first column."""
    phases = [phase.name for phase in TITLE.phases]
    for train in game.state.trains:
        if phases.index(COLOUR_OF[train.kind]) < phases.index(name) and train.owner == DEPOT:
            rearrange(game, train, owner=REMOVED)
    game.state.phase = name
    title_state(game).column = PHASE_OF_COLUMN.index(name)


def stock_turn(game: Game, player: str = "@1", number: int = 2, resolved: bool = False) -> Game:
    """A player's turn in a stock round."""
    state = game.state
    state.round = Round("stock", number)
    title_state(game).is_resolved, title_state(game).actor = resolved, None
    turns = state.order.index(as_player(player)) + 1
    state.flow = [
        Frame("game", None, 1),
        Frame("stock round", None, 3, memory=StockRoundMemory(turns=turns)),
        Frame("stock turn", Owner(player), 0, [as_player(player)], StockTurnMemory()),
    ]
    return settled(game)


def in_turn(game: Game, name: str = "LSR", step: str = "track", trains: Sequence[str] = ()) -> Game:
    """A company's operating turn at a step."""
    give_trains(game, name, *trains)
    state = game.state
    state.round = Round("operating", 2, 1, 2)
    director = PlayerId(title_state(game).directors[as_company(name)])
    done = [one.id for one in state.companies.values()]
    state.flow = [
        Frame("game", None, 2),
        Frame("operating round", None, 0, memory=OperatingRoundMemory(done)),
        Frame("company turn", Owner(name), PLACES[step], [director], TurnMemory()),
    ]
    return settled(game)


def issue_round(game: Game, at: int = 0) -> Game:
    """An issue and takeover round at a place of its plan: 0 discard, 1 reduce and issue, 2 liquidations, 3 offers."""
    game.state.round = Round("issue", 2, 1, 2)
    game.state.flow = [Frame("game", None, 3), Frame("issue round", None, at, memory=OperatingRoundMemory())]
    return settled(game)


def action(text: str) -> Action:
    """A move from its text."""
    return parse_action(TITLE, text)


def refused(game: Game, text: str, words: str, section: str) -> None:
    """The move is refused for this reason, and changes nothing."""
    found = refusal(game, text)
    assert re.search(words, found.sentence), found.sentence
    assert found.rule == f"1820 {section}"
