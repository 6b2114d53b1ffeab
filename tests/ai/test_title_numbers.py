"""Every title names its numbers for computer players."""

from __future__ import annotations

import pytest

from bot.ai.bid_scores import PREMIUM, lot_value
from bot.ai.company_forecast import Horizon, private_rounds
from bot.ai.places import place_values
from bot.ai.title_parameters import TRAITS, auction_reserve, usual_start
from bot.engine.ids import DEPOT
from bot.engine.play.game import Game, options_for_chance
from bot.titles.registry import TITLES


def new_game(title: str) -> Game:
    found = TITLES[title]
    return Game.new(found, list("ABCDEFG")[: found.players.stop - 1], options_for_chance(found, {}), 1)


@pytest.mark.parametrize("title", TITLES)
def test_a_title_names_its_numbers(title: str) -> None:
    game, numbers = new_game(title), TRAITS[title]
    assert {*numbers.paid} <= {*game.title.privates}, "prices of privates that there are"
    assert 0 <= auction_reserve(game) < game.state.cash[game.state.order[0]]
    assert not numbers.closes or numbers.closes in [phase.name for phase in game.title.phases]
    assert 20 <= usual_start(game) <= 300
    assert {*numbers.places} <= {*game.title.companies}
    homes = {company for company, noun in game.title.companies.items() if noun.home}
    assert all(place_values(game)[company] > 0 for company in homes)
    for private, noun in game.title.privates.items():
        extra = numbers.extras.get(private, 0)
        assert private in numbers.paid or lot_value(game, private) <= extra + max(PREMIUM, 1.05) * noun.price


def test_the_income_of_a_private_counts_until_it_closes() -> None:
    game = new_game("1830")
    seen = Horizon(20.0, frozenset())
    assert private_rounds(game, seen) == TRAITS["1830"].private
    assert private_rounds(game, Horizon(2.0, frozenset())) == 2
    game.state.trains = [card for card in game.state.trains if card.kind not in ("2", "3")]
    fours = sum(card.kind == "4" and card.owner == DEPOT for card in game.state.trains)
    assert private_rounds(game, seen) == pytest.approx(0.5 + fours / TRAITS["1830"].tempo)
