"""Coordinates, edges and distances on flat and pointy maps."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.board.hexes import Layout, letter_index, opposite
from bot.engine.ids import HexId

POINTY = Layout(is_flat=False, letter_is_x=False)
FLAT = Layout(is_flat=True, letter_is_x=True)


@pytest.mark.parametrize(("layout", "name", "place"), [(POINTY, "B5", (4, 1)), (FLAT, "F15", (5, 14))])
def test_a_name_gives_doubled_coordinates(layout, name, place):
    assert layout.coordinates(HexId(name)) == place


def name_at(layout, x, y):
    """The name of the space with these coordinates: the inverse of `place`."""
    letter, number = (x, y) if layout.letter_is_x else (y, x)
    return HexId(f"{letters_of(letter)}{number + 1}")


def letters_of(index):
    """The inverse of `letter_index`."""
    if index < 0:
        return chr(ord("a") - index - 1)
    letters = ""
    while index >= 0:
        letters = chr(ord("A") + index % 26) + letters
        index = index // 26 - 1
    return letters


@pytest.mark.parametrize(("letters", "index"), [("A", 0), ("Z", 25), ("AA", 26), ("a", -1), ("b", -2)])
def test_letters_count_from_A_and_small_ones_backwards(letters, index):
    assert letter_index(letters) == index


@given(st.sampled_from([POINTY, FLAT]), st.integers(-26, 800), st.integers(0, 99))
def test_names_and_places_go_together(layout, letter, number):
    place = (letter, number) if layout.letter_is_x else (number, letter)
    assert layout.coordinates(name_at(layout, *place)) == place
    assert letter_index(letters_of(letter)) == letter


@pytest.mark.parametrize("name", ["", "5B", "B", "B5x", "B-5"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(ValueError):
        POINTY.coordinates(HexId(name))


@pytest.mark.parametrize(
    ("layout", "name", "neighbours"),
    [(POINTY, "B5", "C4 B3 A4 A6 B7 C6"), (FLAT, "F15", "F17 E16 E14 F13 G14 G16")],
)
def test_edges_run_clockwise(layout, name, neighbours):
    x, y = layout.coordinates(HexId(name))
    assert [name_at(layout, x + dx, y + dy) for dx, dy in layout.offsets] == neighbours.split()


@pytest.mark.parametrize("layout", [POINTY, FLAT])
def test_crossing_an_edge_and_its_opposite_leads_back(layout):
    for edge in range(6):
        (x, y), (back_x, back_y) = layout.offsets[edge], layout.offsets[opposite(edge)]
        assert (x + back_x, y + back_y) == (0, 0)


@given(st.sampled_from([POINTY, FLAT]), st.lists(st.integers(0, 5), max_size=6))
def test_distance_is_the_shortest_walk(layout, walk):
    start = (12, 12)
    x = start[0] + sum(layout.offsets[edge][0] for edge in walk)
    y = start[1] + sum(layout.offsets[edge][1] for edge in walk)
    reached, steps = {start}, 0
    while (x, y) not in reached:
        reached |= {(a + dx, b + dy) for a, b in reached for dx, dy in layout.offsets}
        steps += 1
    assert layout.distance(name_at(layout, *start), name_at(layout, x, y)) == steps


@pytest.mark.shared
@pytest.mark.parametrize(("title", "layout"), [("1848", POINTY), ("18GB", FLAT), ("1844", POINTY), ("18BF", POINTY)])
def test_edges_and_places_are_those_of_the_facts(shared, title, layout):
    facts = json.loads((shared / "facts" / title / "map.json").read_text())
    assert {str(edge): list(offset) for edge, offset in enumerate(layout.offsets)} == facts["edges"]["offsets"]
    for plan in facts["layouts"]:
        assert all(layout.coordinates(space["hex"]) == (space["x"], space["y"]) for space in plan["hexes"])
