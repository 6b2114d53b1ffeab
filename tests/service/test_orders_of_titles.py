"""Standing orders in steps that only some titles have."""

from __future__ import annotations

from collections.abc import Callable

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import CompanyId, Owner
from bot.engine.message import msg
from bot.engine.play.game import Game
from bot.service.plans import Bids, Finish, Plan, RunBest, Stay, Wait, evaluate
from bot.titles.registry import TITLES

MOST_MOVES = 150


def come_to(title: str, is_there: Callable[[Game], bool]) -> Game:
    """A random game of three where this is so."""
    for seed in range(20):
        played = RandomGame(TITLES[title], 3, seed, is_audited=False)
        for number, game in enumerate(played.moves()):
            if is_there(game):
                return game
            if number > MOST_MOVES:
                break
    raise AssertionError("No random game comes there.")


def owned(game: Game) -> list[CompanyId]:
    """Companies of the player in turn."""
    return [company for company in game.state.companies if game.controller_of(company) == game.players_to_act()[0]]


def test_an_order_for_a_company_has_nothing_to_say_to_an_offer_for_its_train() -> None:
    game = come_to("18BF", lambda game: game.frame.plan == "train offer")
    seller = game.frame.entity
    assert seller is not None
    assert evaluate(game, game.players_to_act()[0], Plan(seller, (RunBest(), Stay()))) == Wait()


def test_an_order_to_bid_for_a_company_ends_when_it_is_won() -> None:
    game = come_to("18BF", lambda game: game.frame.plan == "stock turn" and bool(owned(game)))
    company = owned(game)[0]
    player = game.players_to_act()[0]
    decision = evaluate(game, player, Plan(player, (Bids({company: 500}),)), [Owner(company)])
    assert decision == Finish(msg("{lot} is yours.", company))
