"""A seat keeps what it has in mind for a stock round, unless something has happened that can be named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ai.fuzzer import BUILDER, RandomGame
from bot.ai.intention import (
    NOTHING_RECALLED,
    Intention,
    Recollection,
    company_facts,
    event_since,
    intention,
    share_in_the_end,
    worth_of_share,
)
from bot.ai.policy import Tabu, choose, evaluator_of, is_fickle, ranking
from bot.ai.title_parameters import CLUB, STRONG
from bot.engine.ids import CompanyId, PlayerId
from bot.engine.message import Message
from bot.engine.play.game import Game
from bot.engine.play.holdings import certificate_count
from bot.engine.state.actions import BuyShares, SellShares
from bot.titles.registry import TITLES
from tests.ai.recorded_openings import position as recorded

SALE = 42
"""Moves of the recorded opening after which a player may sell."""

SWAP = "A share of {better} is worth about"


@pytest.fixture(scope="module")
def late() -> Game:
    """A stock round of 1889 in which companies have trains."""
    table = RandomGame(TITLES["1889"], 3, 3, wanted=BUILDER, is_audited=False)
    return next(
        game.copy()
        for game in table.moves()
        if game.state.round.kind == "stock" and game.state.round.number > 2 and any(intention(game).worth.values())
    )


def test_an_intention_is_a_pure_function_of_the_position(late: Game) -> None:
    found = intention(late)
    assert found.worth and intention(late.copy()) == found
    for company, worth in found.worth.items():
        assert worth == pytest.approx(share_in_the_end(late, company))
        assert found.facts[company] == company_facts(late, company)


def test_a_share_keeps_its_worth_until_something_happens(late: Game) -> None:
    company = next(iter(intention(late).worth))
    begun = Intention({company: 123.0}, {company: company_facts(late, company)})
    assert worth_of_share(late, begun, company) == 123
    changed = Intention({company: 123.0}, {company: replace(begun.facts[company], price=7)})
    assert worth_of_share(late, changed, company) == pytest.approx(share_in_the_end(late, company))


def test_events_are_named(late: Game) -> None:
    company = next(company for company, facts in intention(late).facts.items() if facts.president)
    now = company_facts(late, company)
    assert event_since(late, now, company) is None
    assert event_since(late, replace(now, price=now.price - 1), company) is None, "a rise is no reason to sell"
    other = next(PlayerId(player) for player in late.state.order if player != now.president)
    for before, template in (
        (replace(now, price=now.price + 10), "{company} has fallen from {before} to {after}."),
        (replace(now, president=other), "{who} directs {company} now."),
        (replace(now, trains=(*now.trains, "2", "2")), "{company} has lost these trains: {kinds}."),
    ):
        told = event_since(late, before, company)
        assert told is not None and told.template == template


def bought_by(game: Game, company: CompanyId) -> Recollection:
    return Recollection(intention(game), {company: company_facts(game, company)})


def test_nothing_bought_lately_is_sold_without_an_event() -> None:
    game = recorded(SALE)
    player = game.players_to_act()[0]
    sale = next(one for one in game.legal_actions() if isinstance(one, SellShares))
    kept = evaluator_of(game, player, 1, CLUB, bought_by(game, sale.company))
    assert is_fickle(kept, sale) and not is_fickle(evaluator_of(game, player, 1, CLUB), sale)
    assert ranking(kept)[-1].action.company == sale.company  # type: ignore[attr-defined]
    fallen = replace(company_facts(game, sale.company), price=500)
    free = evaluator_of(game, player, 1, CLUB, Recollection(Intention(), {sale.company: fallen}))
    assert not is_fickle(free, sale)
    assert not STRONG.is_steadfast


def test_players_above_the_limit_may_sell_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(SALE)
    player = game.players_to_act()[0]
    sale = next(one for one in game.legal_actions() if isinstance(one, SellShares))
    judge = evaluator_of(game, player, 1, CLUB, bought_by(game, sale.company))
    monkeypatch.setattr("bot.ai.policy.certificate_count", lambda game, player: 99)
    assert certificate_count(game, player) < 99 and not is_fickle(judge, sale)


def test_purchases_are_remembered_for_two_stock_rounds() -> None:
    game = recorded(SALE)
    memory = Tabu(game, {})
    purchase = next(one for one in game.legal_actions() if isinstance(one, BuyShares))
    player = PlayerId(purchase.by)
    memory.note(game, purchase)
    assert memory.recollection(game, player).bought == {purchase.company: company_facts(game, purchase.company)}
    later = game.copy()
    later.state.round.number += 1
    assert purchase.company in memory.recollection(later, player).bought
    later.state.round.number += 1
    assert not memory.recollection(later, player).bought


def test_no_comparison_is_reversed_in_a_stock_round_without_an_event() -> None:
    """Also, nothing is sold that was bought in this stock round or the last one, unless it must be sold or trains will have to be
    paid for."""
    game = Game.new(TITLES["1889"], ["Ann", "Bob", "Cid"], {}, 5)
    memory, told, sales = Tabu(game, {}), 0, 0
    here, said = None, dict[tuple[PlayerId, CompanyId, CompanyId], Intention]()
    for _ in range(190):
        if game.state.finished:
            break
        player = game.players_to_act()[0]
        recalled = memory.recollection(game, player)
        if here != (game.state.round.kind, game.state.round.number):
            here, said = (game.state.round.kind, game.state.round.number), {}
        choice = choose(game, player, 5, CLUB, memory.of(game, player), recalled)
        if isinstance(choice.action, SellShares) and game.state.round.kind == "stock":
            sales += 1
            before = recalled.bought.get(choice.action.company)
            must_sell = certificate_count(game, player) > game.title.rules.certificate_limit(game, player)
            may_sell = must_sell or evaluator_of(game, player, 5, CLUB).payment_due > 0
            assert may_sell or before is None or event_since(game, before, choice.action.company)
        for better, worse in comparisons(choice.reason):
            told += 1
            now = Intention({}, {one: company_facts(game, one) for one in (better, worse)})
            if (player, worse, better) in said:
                assert now.facts != said[player, worse, better].facts, "the reverse is said after an event"
            said[player, better, worse] = now
        memory.note(game, choice.action)
        game.apply(choice.action)
    assert sales and NOTHING_RECALLED.bought == {}


def comparisons(reason: Message | None) -> list[tuple[CompanyId, CompanyId]]:
    """The companies of a sentence that calls the first better than the second."""
    if reason is None:
        return []
    parts = [reason, *(value for value in reason.values if isinstance(value, Message))]
    swaps = [part for part in parts if part.template.startswith(SWAP)]
    return [(CompanyId(str(part.values[0])), CompanyId(str(part.values[4]))) for part in swaps]
