"""Moves by choices: every legal move can be reached, and nothing else; the words that people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import CompanyId, Owner, as_company, seat
from bot.engine.notation.fields import TYPES
from bot.engine.notation.text import SHARED, format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.play.title import Procedure
from bot.engine.refusals import IllegalMove, Rejected, StalePosition
from bot.engine.state.actions import Action, LayTile, Pass, RunRoutes
from bot.i18n import tr
from bot.service.parser import menus
from bot.service.parser.moves import parse_moves, suggest
from bot.service.parser.suggestions import BEST, each_once, help_lines
from bot.service.registry.command import Door
from bot.service.registry.help import move_help
from bot.titles.registry import TITLES
from tests.families import few
from tests.service.test_parser import at_track
from tests.service.toy_title import TOY, Raise

MOVES = 240


def reached(game: Game, kind: str, path: tuple[int, ...] = ()) -> Iterator[Action]:
    """Every move at the end of some path."""
    found = menus.menu(game, game.players_to_act(), kind, path)
    if found.action is not None:
        yield found.action
        return
    assert (len(found.choices) > 1 or found.sums) and found.question.endswith("?")
    assert all(0 < len(choice.label) <= 100 and len(choice.note) <= 100 for choice in found.choices)
    for number in range(len(found.choices)):
        yield from reached(game, kind, (*path, number))


@pytest.mark.parametrize("title", few(TITLES, 1, 3, 6))
def test_the_choices_lead_to_every_legal_move_and_to_no_other(title: str) -> None:
    table = RandomGame(TITLES[title], max(TITLES[title].players.start, 3), 5, is_audited=False)
    for number, game in enumerate(table.moves()):
        if number > MOVES or game.state.finished:
            break
        if number % 11:
            continue
        seats = game.players_to_act()
        legal = [a for a in game.legal_actions() if not isinstance(a, RunRoutes) and game.controller_of(a.by) in seats]
        found: list[Action] = []
        ways = menus.ways(game, seats, has_little_room=number % 2 == 0)
        assert len(ways) <= menus.MOST_SHOWN
        composed = {kind.__name__ for kind in game.title.composers}
        legal = [action for action in legal if type(action).__name__ not in composed]
        for way in ways:
            if way.kind in composed:
                continue
            if way.kind:
                found += reached(game, way.kind)
            elif way.text != BEST:
                found += parse_moves(game, way.text, seats)[-1:]
        assert set(found) == set(each_once(game, legal)), game.frame


def test_where_there_is_little_room_prices_of_companies_leave_it_to_other_kinds_of_move() -> None:
    """18GB: eight companies at two prices stood below the question, and the shares that one may buy did not."""
    for game in RandomGame(TITLES["18GB"], 3, 5, is_audited=False).moves():
        pars = [way.label for way in menus.ways(game, game.players_to_act()) if way.label.startswith("par ")]
        if len(pars) > 2 and len({label.split()[1] for label in pars}) < len(pars):
            break
    labels = [way.label for way in menus.ways(game, game.players_to_act(), has_little_room=True)]
    assert "par …" in labels and not set(pars) & set(labels)
    auction = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    seats = auction.players_to_act()
    assert menus.ways(auction, seats, has_little_room=True) == menus.ways(auction, seats), "each is another private"


def test_others_have_no_choices() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    asked = game.players_to_act()
    others = [player.id for player in game.state.players if player.id not in asked]
    assert menus.ways(game, others) == []
    with pytest.raises(StalePosition):
        menus.menu(game, others, "BuyPrivate")


def test_a_wrong_path_is_refused() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    for path in ((99,), (0, 0, 0), (-1,)):
        with pytest.raises(StalePosition):
            menus.menu(game, game.players_to_act(), "ReducePrice", path)
    with pytest.raises(StalePosition):
        menus.menu(game, game.players_to_act(), "LayTile")


def test_a_sum_that_is_not_listed_is_checked_by_the_rules() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    for text in ("@1 buy P1 for 30", "@2 buy P2 for 70", "@3 buy P3 for 110", "@1 buy P4 for 170", "@2 buy P5 for 170"):
        game.apply(parse_action(game.title, text))
    game.apply(parse_action(game.title, "@3 buy P6 for 230"))
    by_company = menus.menu(game, game.players_to_act(), "Par")
    prices = menus.menu(game, game.players_to_act(), "Par", (len(by_company.choices) - 1,))
    assert prices.field == "price" and prices.sums == (70, 100)
    assert format_action(menus.with_sum(game, prices, 90)).endswith(" 90")
    with pytest.raises(IllegalMove):
        menus.with_sum(game, prices, 95)


def test_a_tile_that_lies_alike_is_counted_and_asked_about_once() -> None:
    game = at_track()
    seats = game.players_to_act()
    tiles = menus.menu(game, seats, "LayTile")
    assert tiles.field == "tile"
    notes = {choice.label: choice.note for choice in tiles.choices}
    assert notes["57"].endswith(", 1 rotation") and notes["5"].endswith(", 3 rotations")
    only = menus.menu(game, seats, "LayTile", (list(notes).index("57"),))
    assert only.action and format_action(only.action) == "VR lay 57 H11 1"


def test_the_way_so_far_is_shown_as_text() -> None:
    table = RandomGame(TITLES["1848"], 4, 3, is_audited=False)
    for game in table.moves():
        if any(isinstance(action, LayTile) for action in menus.legal_for(game, game.players_to_act())):
            first = menus.menu(game, game.players_to_act(), "LayTile")
            if first.field == "hex":
                assert menus.text_command(game, first) == "lay …"
                then = menus.menu(game, game.players_to_act(), "LayTile", (0,))
                assert menus.text_command(game, then).startswith(("lay ", first.choices[0].label))
                return


class Tax(Action, frozen=True, tag="tax"):
    """A move of a stranger's title: declared by its fields, and nothing else."""

    company: CompanyId
    payer: Annotated[Owner, replace(TYPES[Owner], prompt="Who pays?")]
    amount: Annotated[int, "sum"]


class Levy(Raise):
    name = "levy a tax"
    verbs: tuple[type[Action], ...] = (Tax, Pass)

    def options(self, game: Game) -> Iterator[Action]:
        by = game.frame.entity or Owner("")
        payers = [player.id for player in game.state.players]
        yield from (Tax(by, as_company(Owner(sign)), payer, 30) for sign in ("VR", "QR") for payer in payers)
        yield Pass(by)

    def check(self, game: Game, action: Any) -> None:
        if isinstance(action, Tax) and action not in self.options(game):
            raise IllegalMove("No such tax.")

    def apply(self, game: Game, action: Any) -> None:
        game.next_step()


def test_a_new_action_is_understood_by_its_fields() -> None:
    plans = {**TOY.plans, "turn": Procedure("turn", (Levy(),))}
    game = Game.new(replace(TOY, plans=plans), ["Ann", "Bob", "Cid"])
    (asked,) = game.players_to_act()
    for typed in ("tax VR Bob 30", "TAX the £30 of Bob, company vr", "tax Bob VR 30"):
        assert parse_moves(game, typed) == [Tax(asked, as_company(Owner("VR")), seat(2), 30)]
    assert parse_moves(game, "tax QR Cid") == [Tax(asked, as_company(Owner("QR")), seat(3), 30)], "the only such tax"
    refusals = {
        "tax": "tax needs a company, an owner and a price",
        "tax VX Bob 30": "There is no company VX",
        "tax VR": "tax VR: tax needs",
        "tax Bob 30": "Which company? There are several possibilities.",
    }
    for typed, reason in refusals.items():
        with pytest.raises(Rejected) as refusal:
            parse_moves(game, typed)
        assert reason in refusal.value.sentence
    assert suggest(game, "tax q") == ["tax QR Ann 30", "tax QR Bob 30", "tax QR Cid 30"]
    assert "To levy a tax:" in help_lines(game)
    assert "tax needs a company, an owner and a price." in map(tr, move_help(game, "tax", Door.MAIL))
    companies = menus.menu(game, [asked], "Tax")
    payers = menus.menu(game, [asked], "Tax", (0,))
    assert (companies.question, payers.question) == ("Which company?", "Who pays?")
    assert [choice.label for choice in payers.choices] == ["Ann", "Bob", "Cid"]
    assert menus.menu(game, [asked], "Tax", (1, 2)).action == Tax(asked, as_company(Owner("QR")), seat(3), 30)


POSTED = (
    "Acquire Answer AskForShare AssignFerry AssignTrain Bid BuyPrivate BuyShares BuyTrain ChooseDirector ClaimTargets "
    "ClosePrivate Contribute Convert DeclareBankruptcy Decline DiscardTrain Dividend Done Exchange FloatCompany FormSystem "
    "FundLobby GiveUpStation IncreaseShares IssueShares KeepStations LayFurka LayTile Merge Neglect Offer OverPay Par Pass "
    "PayCosts PlaceToken RedeemShares ReducePrice ReduceShares Repay ReturnToken RunRoutes SellShares TakeEva TakeLoan "
    "TakeLots TakeOver UseCousin Withdraw"
)
"""The names of moves in the buttons that 0.1.0 posted."""


def test_posted_menus_keep_the_names_of_their_moves() -> None:
    kinds = {kind for title in TITLES.values() for kind in (*title.composers, *title.verbs, *SHARED)}
    assert {menus.menu_name(kind) for kind in kinds} >= set(POSTED.split())
