"""What can be done now, as the page offers it: by kind and question as in Discord, or by a space of the map."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine.ids import HexId, PlayerId
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import running
from bot.engine.state.actions import LayTile, PlaceToken, RunRoutes
from bot.engine.state.board import PlacedTile
from bot.i18n import say
from bot.render.scenes.tiles import in_sheet_order
from bot.render.shapes.hex_view import view_of
from bot.service.features.sandbox import MovePreview
from bot.service.parser import menus
from bot.service.parser.preview import exits_note
from bot.service.parser.suggestions import each_once, short_text

from .board_svg import sheet_svg, space_svg, tile_svg
from .display_options import DisplayOptions
from .runs import RunView, routes_run, said_of, ways_svg


@dataclass(frozen=True)
class TileOption:
    """Something that can be laid or placed on a space: its exact text, what one would type, how it looks."""

    text: str
    typed: str
    note: str
    picture: Markup


@dataclass(frozen=True)
class DrawnHex:
    """A space as it would look."""

    hex: str
    svg: Markup


@dataclass(frozen=True)
class MovePreviewView:
    """What a move would do: in words, on the map."""

    text: str
    typed: str
    lines: tuple[str, ...]
    then: str
    spaces: tuple[DrawnHex, ...]
    ways: Markup
    routes: tuple[RunView, ...]


@dataclass(frozen=True)
class Turn:
    """What whoever sits there can do now: first choices, the spaces on which something can be laid or placed, the trains
    for which he may choose routes himself."""

    ways: tuple[menus.MenuEntry, ...]
    spaces: tuple[str, ...]
    company: str
    trains: tuple[tuple[str, str], ...]


def turn_of(game: Game, seats: Collection[PlayerId]) -> Turn:
    """The first choices of these seats."""
    legal = menus.legal_for(game, seats)
    spaces = tuple(dict.fromkeys(str(one.hex) for one in legal if isinstance(one, LayTile | PlaceToken)))
    runs = not set(game.asked()).isdisjoint(seats) and any(RunRoutes in step.verbs for step in game.open_steps())
    company = game.company_in_turn if runs else None
    trains = tuple((str(train.id), train.kind) for train in running(game, company)) if company else ()
    return Turn(tuple(menus.ways(game, seats)), spaces, str(company or ""), trains)


def offers_on(game: Game, seats: Collection[PlayerId], hex_id: HexId, wishes: DisplayOptions) -> list[TileOption]:
    """What these seats can lay or place on a space now."""
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
        found.append(TileOption(text_of(action), short_text(game, action), exits_note(game, action), picture))
    return found


def trial_of(before: Game, found: MovePreview, wishes: DisplayOptions) -> MovePreviewView:
    """What a preview shows."""
    view = view_of(found.game, wishes.faces(found.game))
    spaces = [DrawnHex(str(hex_id), Markup(space_svg(view, hex_id))) for hex_id in found.changed]
    runs = next((action for action in found.actions if isinstance(action, RunRoutes)), None)
    routes = routes_run(before, runs) if runs else []
    return MovePreviewView(
        "; ".join(text_of(action) for action in found.actions),
        "; ".join(short_text(before, action) for action in found.actions),
        tuple(found.lines),
        say(found.question),
        tuple(spaces),
        ways_svg(before, routes),
        said_of(before, routes),
    )


@dataclass(frozen=True)
class TileCount:
    """A tile of the manifest, and how many are left (None: any number)."""

    id: str
    left: int | None
    picture: Markup


def manifest(game: Game) -> list[TileCount]:
    """All tiles by colour."""
    tiles = in_sheet_order([tile for tile in game.land.tiles.values() if not tile.is_hidden])
    return [TileCount(tile.id, game.land.left(game, tile.id), Markup(sheet_svg(game, tile))) for tile in tiles]
