"""The position in words: the same facts as the state, in a fixed order."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from bot.engine.ids import BANK, HexId
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.refusals import IllegalMove
from bot.i18n import use_language
from bot.service.views import position_text
from bot.service.views.routes import routes_text
from bot.titles.registry import TITLES
from bot.titles.t1844.state import title_state
from tests.titles import builders_1820, builders_1844
from tests.titles.positions import set_cash

TITLE = TITLES["1848"]


@cache
def new() -> Game:
    return Game.new(TITLE, ["Ann", "Bob", "Cid"], seed=1)


@cache
def late() -> Game:
    """A position with track, trains and privates in companies' hands."""
    game, chance = Game.new(TITLE, ["Ann", "Bob", "Cid", "Dan"], seed=6), Random(6)
    while game.state.moves < 200 or not game.state.board.tiles:
        legal = game.legal_actions()
        kind = chance.choice(list(dict.fromkeys(type(action) for action in legal)))
        game.apply(chance.choice([action for action in legal if type(action) is kind]))
    return game


def test_status_names_everything() -> None:
    text = position_text.status_text(late())
    assert text.startswith(
        f"1848 Australia: {position_text.round_and_phase(late())!s}\n{position_text.question(late())!s}\n"
    )
    assert f"Bank £{late().state.cash[BANK]}; trains left: " in text
    for player in late().state.players:
        assert f"{player.name}" in text and f"£{late().state.cash[player.id]}, " in text
    for company in late().state.companies.values():
        assert (f"\n{company.id}" in text) == (company.par is not None)


def test_a_bank_that_has_broken_has_no_debts() -> None:
    game = new().copy()
    game.state.cash[BANK] = -3309
    assert "Bank broken; trains left" in position_text.status_text(game)


def test_status_at_the_start() -> None:
    text = position_text.status_text(new())
    assert "Ann (priority): £840, 0/20 certificates, net worth £840; owns nothing yet" in text
    assert "Privates for sale: P1 £30, P2 £70, P3 £110, P4 £170, P5 £170, P6 £230" in text
    assert "trains left: 6 x 2, 5 x 3" in text


def test_texts_are_the_same_for_the_same_state() -> None:
    again = Game.decode(TITLE, late().encode())
    for write in (
        position_text.status_text,
        position_text.map_text,
        position_text.market_text,
        position_text.tiles_text,
        position_text.trains_text,
    ):
        assert write(again) == write(late())


def test_tiles_that_are_left_by_colour_and_number() -> None:
    assert position_text.tiles_text(new()).startswith("yellow: 1x1 2x1 ")
    assert position_text.tiles_text(new(), "gray, 57") == "yellow: 57x3\ngray: 240x2 915x1"
    with use_language("de"):
        assert position_text.tiles_text(new(), "grün").startswith("grün: 14x")
    with pytest.raises(IllegalMove, match="There are no tiles violet"):
        position_text.tiles_text(new(), "violet")
    # 1844 draws a mountain with its marker as a tile, which nobody finds on a tile sheet.
    mountains = Game.new(TITLES["1844"], ["Ann", "Bob", "Cid"])
    assert "XM1x" in position_text.tiles_text(mountains) and "-XM1" not in position_text.tiles_text(mountains)


def test_the_map_in_words() -> None:
    lines = dict(line.split(": ", 1) for line in position_text.map_text(new()).splitlines())
    assert lines["H11 Melbourne"] == "white; city (reserved for VR); marked K later"
    assert (
        lines["D1 Perth"]
        == "red; track to C2, D3, E2; city 20 (reserved for WA); worth yellow 20, green 40, brown 60, gray 80; marked K"
    )
    assert lines["G16 Wollongong"] == "white; city (1 free); mountain £50; change of gauge towards H15"
    assert lines["C18"] == "white; town; town; mountain £50; change of gauge towards D17, D19"


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("1848", "B19 Brisbane: white; city (reserved for QR); marked K later"),
        ("1848", "C6: white; change of gauge towards C8"),
        ("18GB", "J13 Middlesbrough: white; city (NER); mountain £50 towards J15"),
        (
            "18GB",
            "G0 Fort William: red; track to G2; off the board 10; worth yellow 10, blue 20, gray 30; marked north",
        ),
        (
            "1844",
            "C8 Belfort: red; track to D7, C10; off the board 10; worth yellow 10, green 30, brown 50, gray 70; marked W, +50",
        ),
        (
            "1844",
            "D15 Aarau: yellow; track to C14, D17; city 10 (reserved for STB); city 10 (1 free); river sfr 20; target of NOB",
        ),
        ("1844", "C16: white; river sfr 20"),
        ("18BF", "C5 Dumbarton: white; town; water £80 towards D4; track must point towards D6"),
        ("1820", "K19: white; barrier £80 towards L18"),
    ],
)
def test_the_map_in_words_tells_what_the_picture_shows(title: str, line: str) -> None:
    game = Game.new(TITLES[title], ["Ann", "Bob", "Cid"], seed=1)
    assert line in position_text.map_text(game).splitlines()


def test_what_lies_on_a_space_and_whose_target_it_still_is_are_in_its_words() -> None:
    game = builders_1844.new_game()
    builders_1844.mountain(game, "B1", "@1", "G14", "XM1")
    title_state(game).waiting.remove("NOB")
    assert position_text.hex_line(game, HexId("G14")).endswith(
        "terminus 10; worth yellow 10, green 20, brown 50, gray 80; here B1"
    )
    assert "target" not in position_text.hex_line(game, HexId("D15"))


def test_laid_tiles_are_in_the_map() -> None:
    text = position_text.map_text(late())
    assert late().state.board.tiles
    for hex_id, laid in late().state.board.tiles.items():
        line = next(line for line in text.splitlines() if line.startswith(hex_id))
        assert f"tile {laid.tile}, rotation {laid.rotation}; track to " in line
    hex_id = next(iter(late().state.board.tiles))
    assert position_text.map_text(late(), [hex_id]) == position_text.hex_line(late(), hex_id)


def test_the_market_shows_every_marker_once() -> None:
    text = position_text.market_text(late())
    for company in late().state.companies.values():
        assert sum(company.id in cell.split() for cell in text.replace("[", " ").replace("]", " ").split("\n")[:7]) == (
            company.position is not None
        )
    assert "starting price: £70, £80, £90, £100" in text
    assert position_text.market_text(new()).splitlines()[0].split()[:3] == ["0", "70", "80"]


def test_a_companys_charter() -> None:
    text = position_text.company_text(late(), "vr")
    assert text.startswith("Victorian Railway\nVR")
    assert "home H11" in text
    assert position_text.company_text(late(), "victorian railway") == text


def test_a_players_sheet() -> None:
    player = late().state.players[1]
    text = position_text.player_text(late(), player.name.upper())
    assert position_text.player_text(late(), "2") == position_text.player_text(late(), "@2") == text
    for company in late().state.companies.values():
        if company.percent_held_by(player.id):
            role = ", director" if president_of(company) == player.id else ""
            assert f"\n  {company.id} {company.percent_held_by(player.id)}%{role}, price £" in text


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(IllegalMove, match="There is no player Anne; perhaps Ann; at this table: Ann, Bob, Cid"):
        position_text.player_text(new(), "Anne")
    with pytest.raises(IllegalMove, match="There is no company WR; perhaps"):
        position_text.company_text(new(), "WR")


def test_trains_with_their_prices() -> None:
    lines = position_text.trains_text(new()).splitlines()
    assert lines[0] == "2 £100, 2+ £120: 6 left (for sale now); rust with the first 4"
    assert any(line.startswith("8 £800, D £1100: 8 left") for line in lines)


def test_routes_of_a_company_without_trains() -> None:
    assert routes_text(new(), "VR").startswith("VR: £0")


def test_1820_shows_cousins_among_the_holders_the_present_price_of_stations_and_all_certificates() -> None:
    game = builders_1820.new_game(cousins=["VF"])
    builders_1820.floated(game, "LSR", held={"@1": 2, "VF": 1}, stations=2)
    set_cash(game, "VF", 30)
    text = position_text.company_text(game, "LSR")
    assert "held by Ann 40%, VF 20%" in text and "next tokens cost £40, £40" in text
    builders_1820.reach_phase(game, "green")
    assert "next tokens cost £100, £100" in position_text.company_text(game, "LSR")
    assert "Ann: £1000, 2 certificates, net worth £1130; LSR 40%*, VF" in position_text.status_text(game)
    assert "VF Vulcan Foundry (Ann): £30, LSR 20%" in position_text.status_text(game)
    assert "VF Vulcan Foundry; one more city on a train's route" in position_text.player_text(game, "Ann")
