"""The map in characters for a terminal."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine import HexId, as_company
from bot.engine.play.game import Game
from bot.engine.state.actions import LayTile
from bot.render.scenes.character_map import MapCell, character_map
from bot.render.shapes import TILE
from bot.titles.registry import TITLES


def new_game(name: str) -> Game:
    return Game.new(TITLES[name], ["Ann", "Bob", "Cid", "Dan"], seed=4)


def operating(name: str) -> Game:
    """A game in which a company may lay track."""
    game, chance = new_game(name), Random(4)
    while game.frame.entity not in game.state.companies or not any(
        isinstance(action, LayTile) for action in game.legal_actions()
    ):
        game.apply(chance.choice(game.legal_actions()))
    return game


def texts(lines: list[list[MapCell]]) -> list[str]:
    return ["".join(cell.character for cell in cells) for cells in lines]


def cells_of(lines: list[list[MapCell]], hex_id: HexId) -> list[MapCell]:
    """The cells in which the name of a hex stands."""
    for cells in lines:
        at = "".join(cell.character for cell in cells).find(hex_id)
        if at >= 0:
            return cells[at : at + len(hex_id)]
    raise AssertionError(f"{hex_id} is not on the map")


@pytest.mark.parametrize("name", TITLES)
def test_it_fits_and_names_every_hex_where_something_may_be_laid(name: str) -> None:
    game = new_game(name)
    lines = character_map(game, 80)
    assert max(map(len, lines)) <= 80 and len({len(cells) for cells in lines}) == 1
    said = "\n".join(texts(character_map(game, 120)))
    missing = [
        hex_id for hex_id, space in game.board_rules.map.hexes.items() if space.is_buildable and hex_id not in said
    ]
    # Stops of a crowded hex may stand on its name.
    assert len(missing) <= len(game.board_rules.map.hexes) // 12, missing


def test_hexes_have_their_colour_values_free_slots_and_homes() -> None:
    lines = character_map(new_game("1848"), 80)
    said = "\n".join(texts(lines))
    assert {cell.ground for cell in cells_of(lines, HexId("A4"))} == {TILE["red"]}
    assert {cell.ground for cell in cells_of(lines, HexId("B9"))} == {TILE["white"]}
    assert "○wa" in said and "∴40" in said and "▲50" in said and "40" in said


def test_a_token_has_its_companys_colour_and_a_laid_tile_its_own() -> None:
    game = operating("1889")
    company = as_company(str(game.frame.entity))
    look = game.title.companies[company]
    before = character_map(game, 80)
    tokens = [cell for cells in before for cell in cells if cell.ground == look.colour]
    assert "".join(cell.character for cell in tokens) == company
    lay = next(action for action in game.legal_actions() if isinstance(action, LayTile))
    game.apply(lay)
    after = character_map(game, 80)
    assert {cell.ground for cell in cells_of(after, lay.hex)} == {TILE["yellow"]}
    dots = [sum(cell.character > "⠀" for cells in lines for cell in cells) for lines in (before, after)]
    assert dots[1] > dots[0], "its track is drawn"


def test_where_track_can_be_laid_the_names_are_bold() -> None:
    game = operating("1889")
    lays = {action.hex for action in game.legal_actions() if isinstance(action, LayTile)}
    lines = character_map(game, 80, lays)
    for hex_id, space in game.board_rules.map.hexes.items():
        if space.is_buildable:
            assert {cell.is_strong for cell in cells_of(lines, hex_id)} == {hex_id in lays}, hex_id


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("columns", [30, 60, 79, 80, 100])
def test_a_map_that_is_cut_is_as_wide_as_the_window_at_most_and_shows_what_is_asked(name: str, columns: int) -> None:
    game = new_game(name)
    hexes = [hex_id for hex_id, space in game.board_rules.map.hexes.items() if space.is_buildable]
    for asked in (hexes[0], hexes[-1]):
        lines = character_map(game, columns, (), [asked], is_cut=True)
        assert max(map(len, lines)) <= columns and cells_of(lines, asked)
    assert max(map(len, character_map(game, columns, [hexes[0]], is_cut=True))) <= columns


def test_around_a_hex_are_the_hexes_two_steps_from_it() -> None:
    said = "\n".join(texts(character_map(new_game("1889"), 80, (), [HexId("J5")])))
    assert all(hex_id in said for hex_id in ("J5", "K4", "J1", "H3", "J9"))
    assert "G4" not in said and "J11" not in said
