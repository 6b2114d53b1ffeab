"""What lies on the map: tokens in cities and beside them, reservations, carrying over, encoding."""

import msgspec

from bot.engine.board.tile_notation import parse_tile
from bot.engine.board.upgrades import city_successors
from bot.engine.state.board import Board, PlacedTile


def test_tokens_stand_in_cities_in_the_order_of_placing():
    board = Board()
    board.place_token("F17", 1, "NSW")
    board.place_token("F17", 1, "VR")
    assert board.tokens_in("F17", 1) == ["NSW", "VR"]
    assert board.tokens_in("F17", 0) == board.tokens_in("F17", 2) == board.tokens_in("H11", 0) == []
    assert board.has_token("F17", "VR") and not board.has_token("F17", "QR")
    assert list(board.cities_of("VR")) == [("F17", 1)]


def test_placing_a_token_uses_up_the_companys_reservation():
    board = Board()
    board.reserve("F17", 0, "NSW")
    board.reserve("F17", 0, "VR")
    board.place_token("F17", 0, "NSW")
    assert board.reservations_in("F17", 0) == ["VR"]


def test_a_token_beyond_the_slots_lies_at_the_edge_until_the_city_grows():
    """1848 §5.3.6."""
    board = Board()
    for company in ("NSW", "COM"):
        board.place_token("F17", 0, company)
    small, large = (
        parse_tile("5 yellow x1 city:20 | 0-c0 1-c0"),
        parse_tile("15 green x1 city:30/2 | 0-c0 1-c0 2-c0 3-c0"),
    )
    assert board.tokens_in("F17", 0)[: small.cities[0].slots] == ["NSW"]
    assert board.tokens_in("F17", 0)[: large.cities[0].slots] == ["NSW", "COM"]


def test_tokens_and_reservations_follow_their_cities():
    board = Board()
    board.place_token("B17", 0, "QR")
    board.reserve("B17", 1, "COM")
    old = parse_tile("59 green x1 city:40 city:40 | 0-c0 2-c1")
    new = parse_tile("67 brown x1 city:50 city:50 | 2-c0 c0-5 0-c1 c1-3")
    board.rearrange("B17", city_successors(old, new))
    assert board.tokens["B17"] == [[], ["QR"]]
    assert board.reservations_in("B17", 0) == ["COM"]


def test_two_cities_that_become_one_hold_both_tokens():
    """18GB: green OO tiles become one brown city."""
    board = Board()
    board.place_token("I6", 1, "NBR")
    board.place_token("I6", 0, "CR")
    old = parse_tile("G21 green x2 city:30 city:30 | 0-c0 c0-3 2-c1 c1-4")
    new = parse_tile("G30 brown x7 city:50/2 | 0-c0 1-c0 2-c0 3-c0 4-c0")
    board.rearrange("I6", city_successors(old, new))
    assert board.tokens["I6"] == [["CR", "NBR"]]


def test_a_company_takes_over_anothers_tokens():
    board = Board()
    board.place_token("A1", 0, "V1")
    board.place_token("A3", 0, "AB")
    board.replace_tokens("V1", "SBB")
    assert board.tokens == {"A1": [["SBB"]], "A3": [["AB"]]}


def test_a_board_reads_back():
    board = Board({"H11": PlacedTile("57", 2)})
    board.place_token("H11", 0, "VR")
    board.reserve("F17", 0, "NSW")
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board


def test_boards_share_nothing():
    one, other = Board(), Board()
    one.place_token("H11", 0, "VR")
    one.reserve("F17", 0, "NSW")
    assert other == Board()
