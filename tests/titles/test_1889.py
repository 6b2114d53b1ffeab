"""1889: what its values and its privates' powers do. The law is the title's page; no text of the printed rules is at hand."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.notation import parse_action
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set
from bot.engine.state.events import PhaseBegan
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.writer import LogWriter
from bot.titles.classic.rounds import on_phase_change
from tests.rearrangement import rearrange
from tests.titles import builders_classic as rb
from tests.titles.positions import act, cash, company, give_train, lay, private, refused, set_cash


def new_game(players: int = 4, **options: str) -> Game:
    return rb.new_game("1889", players, **options)


def first(game: Game, part: str) -> str:
    """The first lay offered that has these words."""
    return next(move for move in rb.offered(game, "lay") if part in move)


def in_turn(name: str = "SR", president: str = "@1", privates: dict[str, str] | None = None, **turn: object) -> Game:
    """A company of four shares of its president, in its turn."""
    game = new_game()
    rb.own(game, **(privates or {}))
    rb.started(game, name, {president: 3}, president)
    return rb.operating(game, name, **turn)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "money", "limit", "without"),
    [
        (2, 420, 25, {"SIR", "UTF"}),
        (3, 420, 19, {"UTF"}),
        (4, 420, 14, set()),
        (5, 390, 12, set()),
        (6, 390, 11, set()),
    ],
)
def test_the_box_is_used_by_the_number_of_players(players: int, money: int, limit: int, without: set[str]) -> None:
    game = new_game(players)
    assert cash(game, "@1") == money and cash(game, BANK) == 7000 - players * money
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit
    assert set(game.state.privates) == {"TE", "MF", "ER", "SMR", "DR", "SIR", "UTF"} - without


def test_beginners_get_a_private_by_lot_and_begin_with_the_stock_round() -> None:
    game = new_game(4, beginning="dealt")
    assert {record.owner for record in game.state.privates.values()} == set(game.state.order)
    assert set(game.state.privates) == {"DRb", "SIRb", "ERb", "SMRb"} and game.state.round.kind == "stock"
    assert cash(game, BANK) == 5570 and not game.tile_at(company("J9")).icons  # type: ignore[arg-type]
    assert "Beg6" in game.board_rules.tiles and "Beg6" not in game.title.land.tiles
    assert "LayTile(by='SR', tile='Beg6'" in str(parse_action(game.title, "SR lay Beg6 I2 0"))


def test_five_shares_float_and_homes_are_placed_when_an_operating_round_begins() -> None:
    game = new_game()
    rb.own(game)
    rb.stock_round(game, 1)
    set_cash(game, "@1", 500)
    act(game, "@1 par SR 65")
    for player in ("@2", "@3", "@4"):
        act(game, f"{player} buy SR")
    assert game.company(Owner("SR")).floated and cash(game, "SR") == 650
    assert not game.state.board.tokens.get(game.title.companies[company("SR")].home[0])
    rb.started(game, "AR", {"@1": 3}, floated=False, par=65)
    game.company(Owner("AR")).floated = True
    while game.state.round.kind == "stock":
        act(game, f"{game.player_in_turn} pass")
    assert game.company_in_turn == "SR"
    assert all(
        game.state.board.has_token(game.title.companies[sign].home[0], sign) for sign in map(company, ("SR", "AR"))
    )


def test_a_turn_sells_and_buys_or_buys_and_sells_in_blocks() -> None:
    def turn() -> Game:
        game = new_game()
        rb.started(game, "SR", {"@1": 2, "@2": 2, "@3": 1})
        rb.started(game, "IR", {"@1": 3, "@2": 2})
        return rb.stock_round(game)

    game = turn()
    act(game, "@1 sell 1 SR")
    assert "sell all shares of a company together" in refused(game, "@1 sell 1 SR")
    act(game, "@1 buy IR")
    assert game.player_in_turn == "@2", "who has sold before does not sell again"
    game = turn()
    act(game, "@1 buy IR", "@1 sell 1 SR")
    assert game.player_in_turn == "@1" and "already bought" in refused(game, "@1 buy IR")
    act(game, "@1 sell 2 IR")


def test_a_lay_brings_new_track_or_another_value() -> None:
    game = in_turn("IR", phase="3")
    lay(game, ("5", "E2", 0), ("9", "D3", 1))
    assert first(game, "24 D3") and not any("23 D3" in move for move in rb.offered(game, "lay"))
    game = in_turn("IR", phase="5")
    lay(game, ("15", "E2", 4))
    assert first(game, "448 E2"), "the same track, a city worth more"


def test_upgrades_of_kotohira_cost_80_each() -> None:
    game = in_turn(phase="5")
    lay(game, ("6", "I2", 4), ("438", "I4", 3))
    for tile in ("439", "492"):
        before = cash(game, "SR")
        act(game, first(game, f"{tile} I4"))
        assert before - cash(game, "SR") == 80
        game = rb.operating(game, "SR")
        game.state.phase = "5"


def test_takamatsu_is_closed_while_a_player_owns_its_private() -> None:
    game = in_turn("KO", privates={"TE": "@2"}, phase="3")
    assert "blocked by TE" in refused(game, "KO lay 440 K4 0")
    rb.own(game, TE="KO")
    act(game, "KO lay 440 K4 0")


@pytest.mark.parametrize(("owner", "is_before"), [("@1", True), ("@2", True), ("@1", False), ("@2", False)])
def test_the_ferry_lays_its_tile_in_own_track_steps_and_before_others_act(owner: str, is_before: bool) -> None:
    game = in_turn(privates={"MF": owner})
    town = company("J9")
    assert "437" not in game.board_rules.possible_upgrades(game.state.board, town)  # type: ignore[arg-type]
    if not is_before:
        act(game, "SR lay 6 I2 4")
    if not is_before:
        assert "does not belong" in refused(game, f"{owner} lay 437 J9 1 with MF")
        return
    act(game, first(game, f"{owner} lay 437 J9"))
    assert cash(game, owner) == 420 and "used up" in refused(game, f"{owner} lay 437 G10 1 with MF")
    assert rb.offered(game, "lay"), "the company still has its own lay"


def test_the_seller_of_ehime_lays_on_ohzu_at_once_or_never() -> None:
    for tile in ("15", None):
        game = in_turn(privates={"ER": "@1"}, phase="3")
        act(game, "SR buy ER for 40")
        assert game.player_in_turn == "@1" and cash(game, "@1") == 460
        act(game, first(game, "15 C4") if tile else "@1 pass")
        laid = game.state.board.tiles.get(company("C4"))  # type: ignore[call-overload]
        assert (laid.tile if laid else None) == tile and game.private(Owner("ER")).ability_used
        assert rb.offered(game, "lay"), "the company still has its own lay"


@pytest.mark.parametrize("is_laid", [True, False])
def test_the_seller_of_ehime_is_asked_on_18xx_games_even_without_a_tile_to_lay(is_laid: bool) -> None:
    game = in_turn(privates={"ER": "@1"}, phase="3")
    lay(game, *[("15", "C4", 2)] * is_laid)
    (raw,) = LogWriter(game, DIALECTS["1889"]).write_text("SR buy ER for 40")
    found = [(one["type"], one["entity"]) for one in raw.get("auto_actions", ())]
    assert found == [("pass", "ER")] * is_laid


def test_sumitomo_saves_mountains_but_not_those_with_a_river() -> None:
    costs = []
    for owner in ("@1", "SR"):
        game = in_turn("UR", privates={"SMR": "UR" if owner == "SR" else owner})
        before = cash(game, "UR")
        act(game, first(game, "A8"))
        costs.append(before - cash(game, "UR"))
    assert costs == [80, 0]
    assert game.board_rules.map.hexes[company("H5")].terrains == ("water", "mountain")  # type: ignore[index]


def test_dougo_is_exchanged_for_a_new_share_of_iyo_alone() -> None:
    game = in_turn("IR", privates={"DR": "@2"})
    rearrange(game, game.company(Owner("IR")).certificates[-1], owner=POOL)
    assert "no such share" in refused(game, "@2 exchange DR from pool")
    act(game, "@2 exchange DR")
    assert game.company(Owner("IR")).percent_held_by(Owner("@2")) == 10 and game.private(Owner("DR")).closed


@pytest.mark.parametrize(("owner", "income"), [("@1", 50), ("SR", 0)])
def test_a_players_ferry_to_uno_stays_and_pays_50(owner: str, income: int) -> None:
    game = in_turn(privates={"UTF": owner, "TE": "@2"})
    assert game.title.rules.income(game, private("UTF")) == 30
    game.state.phase = "5"
    on_phase_change(game, PhaseBegan("5"))
    assert game.private(Owner("TE")).closed and game.private(Owner("UTF")).closed == (owner == "SR")
    assert game.title.rules.income(game, private("UTF")) == 50


@pytest.mark.parametrize(("kind", "phase", "revenue"), [("2", "2", 50), ("5", "5", 80), ("D", "D", 120)])
def test_a_diesel_earns_more_off_the_board(kind: str, phase: str, revenue: int) -> None:
    """Matsuyama, 20, and Imabari: 30, 60, and 100 for a D alone."""
    game = in_turn("IR", trains=(kind,), step=rb.RUN, phase=phase)
    lay(game, ("5", "E2", 4))
    assert best_set(game, company("IR")).revenue == revenue


def test_a_president_in_need_pays_the_bank_alone_and_dethrones_nobody() -> None:
    game = in_turn("IR", step=rb.TRAINS)
    lay(game, ("5", "E2", 4))
    rb.started(game, "SR", {"@1": 1, "@2": 3})
    give_train(game, "SR", "2")
    set_cash(game, "IR", 10)
    set_cash(game, "@1", 0)
    assert {move.split()[-1] for move in rb.offered(game, "buy")} == {"1", "10"}, "another company's, with own money"
    sales = rb.offered(game, "sell")
    assert "IR sell 1 IR" in sales and not any("SR" in sale for sale in sales), sales
    act(game, "IR sell 1 IR")
    assert "from the bank" in refused(game, "IR buy 2 from SR for 10")
    act(game, "IR buy 2 for 80")
    assert game.company(Owner("IR")).percent_held_by(POOL) == 10


@pytest.mark.parametrize(("left", "is_broken"), [(25, False), (24, True)])
def test_the_bank_is_broken_when_it_owes(left: int, is_broken: bool) -> None:
    game = in_turn("IR", trains=("2",), step=rb.PAY, revenue=50)
    set_cash(game, BANK, left)
    game.state.money = sum(game.state.cash.values())
    act(game, "IR pay")
    assert cash(game, BANK) == left - 25 and bool(game.state.ending) == is_broken


def test_a_company_in_need_is_still_asked_for_a_train_on_18xx_games() -> None:
    game = in_turn("IR", step=rb.TRACK)
    lay(game, ("5", "E2", 4))
    set_cash(game, "IR", 10)
    set_cash(game, "@1", 500)
    rb.operating(game, "IR", step=rb.TRAINS)
    writer = LogWriter(game, DIALECTS["1889"])
    assert writer.turn.due_questions(game) == [] and not writer.turn.has_gone_on(game)
