"""The ledger of companies agrees with what their last runs and the position say."""

from __future__ import annotations

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine import BANK, Owner
from bot.engine.games.company_ledger import CompanyRound, Ledger, add_lines, build_ledger
from bot.engine.games.game_record import GameRecordFile
from bot.engine.games.history import round_label
from bot.engine.play import Game, Title
from bot.engine.play.holdings import price_of
from bot.engine.state import Paid
from bot.i18n import tr, use_language
from bot.service.views.ledger_text import ledger_messages
from bot.titles.registry import TITLES
from tests.families import few


def played(title: Title, moves: int, rounds: int = 1) -> tuple[Game, GameRecordFile]:
    """A random game of at least that many moves and rounds, and its course."""
    random = RandomGame(title, title.players.start if title.players.start > 2 else 3, 7, is_audited=False)
    for game in random.moves():
        here = game.state.round
        if len(random.texts) >= moves and here.kind == "operating" and here.number >= rounds:
            break
    players = tuple(player.name for player in random.game.state.players)
    state = random.game.state
    return random.game, GameRecordFile(title.id, players, tuple(random.texts), dict(state.options), state.seed)


@pytest.mark.parametrize("title", few(list(TITLES), list(TITLES).index("1889")))
def test_it_agrees_with_the_runs_and_with_the_position(title: str) -> None:
    game, course = played(TITLES[title], 400, 4)
    ledger = build_ledger(TITLES[title], course)
    runs = {}
    for position, _ in course.positions(TITLES[title]):
        for company in position.state.companies.values():
            if company.last_run is not None:
                runs[company.id, f"OR {company.last_run.round}"] = company.last_run.revenue
    told = {
        (company, line.label): (line.paid or 0) + (line.withheld or 0)
        for company, lines in ledger.items()
        for line in lines
    }
    now = round_label(game)
    differing = {key: (told.get(key), revenue) for key, revenue in runs.items() if key[1] != now and revenue}
    assert len(differing) > 2 and all(
        sum_told is not None and abs(sum_told - revenue) <= revenue % 2 for sum_told, revenue in differing.values()
    ), differing
    for company, lines in ledger.items():
        held, last = game.company(company), lines[-1]
        if last.label == now:
            assert last.treasury == game.state.cash[company]
            assert last.trains == tuple(train.kind for train in game.state.trains_of(company))
            assert last.price == (price_of(game, company) if held.position else None)
        assert len({line.label for line in lines}) == len(lines)


def test_what_the_next_round_has_paid_is_not_in_the_treasury() -> None:
    game, _ = played(TITLES["1889"], 120)
    company = next(one for one in game.state.companies.values() if one.floated)
    found: Ledger = {}
    later = [Paid(BANK, company.id, 30, "income"), Paid(company.id, BANK, 5, "a fee"), Paid(BANK, Owner("@1"), 9, "x")]
    add_lines(found, "OR 1.1", game, [], later)
    assert found[company.id][0].treasury == game.state.cash[company.id] - 25


def test_what_it_says() -> None:
    game, _ = played(TITLES["1889"], 120)
    company = next(one for one in game.state.companies)
    ledger = {
        company: [CompanyRound("OR 2.1", 100, None, 90, 40, ("2", "3")), CompanyRound("OR 2.2", 30, 30, None, 0, ())]
    }
    assert [tr(one) for one in ledger_messages(game, ledger)] == [
        f"{company} OR 2.1: ¥100 paid; price ¥90, treasury ¥40, trains 2, 3",
        f"{company} OR 2.2: ¥60, ¥30 of it paid; price –, treasury ¥0, trains –",
    ]
    with use_language("de"):
        assert tr(ledger_messages(game, ledger)[0]).startswith(f"{company} BR 2.1: ¥100 ausgeschüttet; Kurs")
