"""The possible moves, as the page offers them: by kind and question as in Discord, or by a hex of the map."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine import IPO, POOL, HexId, PlayerId
from bot.engine.notation import format_action, money, parse_action
from bot.engine.play import Game
from bot.engine.play.holdings import price_of
from bot.engine.play.steps import trains_to_run
from bot.engine.state import (
    Action,
    BuyShares,
    Dividend,
    Done,
    LayTile,
    Pass,
    PlacedTile,
    PlaceToken,
    RunRoutes,
    SellShares,
)
from bot.i18n import tr
from bot.render.scenes.tables import in_table_order
from bot.render.scenes.tiles import in_sheet_order
from bot.render.shapes.hex_view import view_of
from bot.service.features.sandbox import MovePreview
from bot.service.parser import menus
from bot.service.parser.preview import exits_note
from bot.service.parser.suggestions import BEST, PAY_BEST, each_once, short_text
from bot.service.views import position_text
from bot.service.views.consequences import best_run_note, consequences, gain_of, paid_run_note

from .board_svg import hex_svg, sheet_svg, tile_svg
from .display_options import DisplayOptions
from .runs import RunView, describe_routes, routes_of_move, routes_svg

SAFE = (Dividend, Pass, Done)
"""Moves that are made by one tap."""


@dataclass(frozen=True)
class TileOption:
    """A tile or token that can be put on a hex: its exact text, the text to type, its picture."""

    text: str
    typed: str
    note: str
    picture: Markup


@dataclass(frozen=True)
class DrawnHex:
    hex: str
    svg: Markup


@dataclass(frozen=True)
class MovePreviewView:
    text: str
    typed: str
    lines: tuple[str, ...]
    then: str
    spaces: tuple[DrawnHex, ...]
    ways: Markup
    routes: tuple[RunView, ...]
    gain: str


@dataclass(frozen=True)
class TurnChoice:
    """A first choice with its effect in a few words. A safe choice is made at once, since it can be undone."""

    label: str
    note: str
    text: str
    kind: str
    is_safe: bool
    company: str


@dataclass(frozen=True)
class StockRow:
    """A company in a stock round, with what the player asked can do with its shares."""

    company: str
    price: str
    unsold: int
    pool: int
    own: int
    director: str
    ways: tuple[TurnChoice, ...]


@dataclass(frozen=True)
class Turn:
    """The viewer's possible actions: first choices, those that other seats of theirs have out of turn, the hexes for
    tiles or tokens, the trains whose routes they may choose themselves.
    """

    ways: tuple[TurnChoice, ...]
    stock: tuple[StockRow, ...]
    aside: tuple[TurnChoice, ...]
    spaces: tuple[str, ...]
    company: str
    trains: tuple[tuple[str, str], ...]
    director: str


def turn_of(game: Game, seats: Collection[PlayerId]) -> Turn:
    legal = menus.legal_for(game, seats)
    spaces = tuple(dict.fromkeys(str(one.hex) for one in legal if isinstance(one, LayTile | PlaceToken)))
    runs = not set(game.players_to_act()).isdisjoint(seats) and RunRoutes in game.open_verbs()
    company = game.company_in_turn if runs else None
    trains = tuple((str(train.id), train.kind) for train in trains_to_run(game, company)) if company else ()
    asked, now, aside = set(game.players_to_act()), list[TurnChoice](), list[TurnChoice]()
    for entry in menus.ways(game, seats):
        action = parse_action(game.title, entry.text) if entry.text not in ("", BEST) else None
        is_late = action is not None and not asked.isdisjoint(seats) and game.controller_of(action.by) not in asked
        (aside if is_late else now).append(choice_of(game, entry, action))
        if entry.text == BEST and (note := paid_run_note(game)):
            now.append(TurnChoice(PAY_BEST, note, PAY_BEST, "", True, ""))
    stock = stock_rows(game, seats, now)
    others = tuple(way for way in now if not (stock and way.company))
    return Turn(
        others, stock, tuple(aside), spaces, str(company or ""), trains, tr(game.title.director_word.capitalize())
    )


def stock_rows(game: Game, seats: Collection[PlayerId], ways: Sequence[TurnChoice]) -> tuple[StockRow, ...]:
    """Every company that has begun, in a round where shares are traded by the player asked; first those with which
    they can do something.
    """
    player = next((one for one in game.players_to_act() if one in seats), None)
    if player is None or not any(way.company for way in ways):
        return ()
    rows = [
        StockRow(
            company.id,
            money(game, price_of(game, company.id)) if company.position else "–",
            company.percent_held_by(IPO),
            company.percent_held_by(POOL),
            company.percent_held_by(player),
            position_text.director_name(game, company) or "–",
            tuple(way for way in ways if way.company == company.id),
        )
        for company in in_table_order(game)
    ]
    return tuple(sorted(rows, key=lambda row: not row.ways))


def choice_of(game: Game, entry: menus.MenuEntry, action: Action | None) -> TurnChoice:
    is_run = entry.text == BEST
    note = best_run_note(game) if is_run else consequences(game, action) if action is not None else ""
    company = str(getattr(action, "company", "")) if isinstance(action, BuyShares | SellShares) else ""
    return TurnChoice(entry.label, note, entry.text, entry.kind, is_run or isinstance(action, SAFE), company)


def options_on(game: Game, seats: Collection[PlayerId], hex_id: HexId, wishes: DisplayOptions) -> list[TileOption]:
    legal = [one for one in menus.legal_for(game, seats) if isinstance(one, LayTile | PlaceToken) and one.hex == hex_id]
    view, plain = view_of(game, wishes.faces(game)), game.state.board.tiles.get(hex_id)
    found = []
    for action in each_once(game, legal):
        if isinstance(action, LayTile):
            game.state.board.tiles[hex_id] = PlacedTile(action.tile, action.rotation)
        picture = Markup(tile_svg(game, view, hex_id))
        if plain is None:
            game.state.board.tiles.pop(hex_id, None)
        else:
            game.state.board.tiles[hex_id] = plain
        found.append(TileOption(format_action(action), short_text(game, action), exits_note(game, action), picture))
    return found


def build_preview(before: Game, found: MovePreview, wishes: DisplayOptions) -> MovePreviewView:
    view = view_of(found.game, wishes.faces(found.game))
    spaces = [DrawnHex(str(hex_id), Markup(hex_svg(view, hex_id))) for hex_id in found.changed_hexes]
    runs = next((action for action in found.actions if isinstance(action, RunRoutes)), None)
    routes = routes_of_move(before, runs) if runs else []
    return MovePreviewView(
        "; ".join(format_action(action) for action in found.actions),
        "; ".join(short_text(before, action) for action in found.actions),
        tuple(found.lines),
        tr(found.question),
        tuple(spaces),
        routes_svg(before, routes),
        describe_routes(before, routes),
        gain_of(before, found.actions, found.game),
    )


@dataclass(frozen=True)
class TileCount:
    """A tile of the manifest, and how many are left (None: any number)."""

    id: str
    left: int | None
    picture: Markup


def manifest(game: Game) -> list[TileCount]:
    tiles = in_sheet_order([tile for tile in game.board_rules.tiles.values() if not tile.is_hidden])
    return [
        TileCount(tile.id, game.board_rules.tiles_left(game, tile.id), Markup(sheet_svg(game, tile))) for tile in tiles
    ]
