"""1844 in German: what happens seldom is told without an English word."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from bot.engine.ids import TrainId
from bot.engine.message import msg
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Action, Answer, BuyPrivate, DeclareBankruptcy
from bot.engine.state.events import BidMade, Contributed, Event, Noted, TrainExported, WentBankrupt
from bot.i18n import tr, tr_error, use_language
from bot.service.views.position_text import company_text
from bot.titles.t1844 import events as facts
from bot.titles.t1844.actions import LayFurka, PayDebt, TakeEva
from bot.titles.t1844.state import title_state
from tests.message_helpers import told
from tests.rearrangement import rearrange
from tests.titles.builders_1844 import (
    ANN,
    BOB,
    TRAINS,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, give_train, lay, private, set_cash, token

ENGLISH = re.compile(
    r"\b(the|is|are|has|have|with|from|and|or|of|to|not|you|your|its|it|must|may|cannot|buy|buys|sells|pays|train|trains"
    r"|share|shares|company|companies|begins|pass|asked|tokens?|left|director|all|become|gets|owes|more|merge|into)\b"
)
RHB, GB, SBB, BLS, FNM = (company(name) for name in ("RhB", "GB", "SBB", "BLS", "FNM"))

HAPPENED: tuple[Event, ...] = (
    BidMade(ANN, private("P4"), 115),
    Noted(msg("Nobody wants {private}. The privates that are sold pay their owners.", "P2")),
    facts.TargetReached(RHB, 500),
    facts.TargetReached(GB, 180),
    Noted(
        msg(
            "{player} puts {private} on {hex}, worth {marker} by phase.", ANN, "B1", "Pilatus Bahn (G14)", "10/40/50/60"
        )
    ),
    Noted(msg("{company} builds a tunnel at {hex} with {private}.", GB, "Gotthard (H19)", "T2")),
    Noted(msg("The Furka-Oberalp line is laid; {owner} gets {payment}.", ANN, "sfr 80")),
    Noted(msg("{private} has been visited: it pays {income} a round from now on.", "T2", "sfr 10")),
    Noted(msg("All {kind} trains become {into} trains.", "4", "4H")),
    Noted(msg("The EVA is built: {player} may give this 5H to one of their companies.", BOB)),
    Noted(msg("{company} gets the EVA, a 5H train.", BLS)),
    facts.SbbFormed(((ANN, 40), (BOB, -30))),
    facts.SbbFormed(()),
    Noted(msg("The SBB takes a marker at {hex} back.", "Winterthur & Frauenfeld (C20)")),
    Noted(msg("{player} owes the bank {amount} more, {interest} of it interest.", ANN, "sfr 150", "sfr 50")),
    Noted(msg("{player} owes the bank {amount} more.", ANN, "sfr 30")),
    Noted(msg("{player}'s debt grows by {amount} of interest.", BOB, "sfr 75")),
    Noted(msg("{player} pays {amount} back.", BOB, "sfr 75")),
    Contributed(ANN, FNM, 120),
    WentBankrupt(ANN),
    TrainExported(TrainId("4-1"), "4"),
)


def is_german(tell: Callable[[], str]) -> bool:
    """Whether no English word is left in what is told in German, which is not the English itself."""
    english = tell()
    with use_language("de"):
        german = tell()
    return german != english and not ENGLISH.search(german)


@pytest.mark.parametrize("event", HAPPENED, ids=lambda event: type(event).__name__)
def test_what_happens_seldom_is_told_in_german(event: Event) -> None:
    english = told(new_game(), [event])
    with use_language("de"):
        german = told(new_game(), [event])
    assert german
    assert not any(line in english or ENGLISH.search(line) for line in german)


def seldom_asked() -> dict[str, Game]:
    """Positions with questions that are seldom asked."""
    offer = new_game(rules="18xx.games")
    sell_privates(offer, {"P4": "@2"})
    started(offer, "RhB", {"@1": 3})
    reach_phase(offer, "3")
    operating(offer, "RhB", step=TRAINS).apply(BuyPrivate(RHB, private("P4"), 90))
    eva = new_game()
    sell_privates(eva, {"P7": "@2"})
    started(eva, "STB", {"@2": 3}, director="@2")
    rearrange(eva, next(train for train in eva.state.trains if train.id == "5-1"), owner=BOB)
    operating(eva, "STB", step=TRAINS)
    eva.push("eva", BOB, asked=[BOB])
    eva.advance()
    poor = new_game(rules="18xx.games")
    started(poor, "FNM", {"@1": 3}, cash=0, position=(7, 0))
    set_cash(poor, "@1", 0)
    reach_phase(poor, "4")
    lay(poor, ("57", "L21", 0))
    operating(poor, "FNM", step=TRAINS)
    owing = new_game()
    title_state(owing).debts[ANN], title_state(owing).lent = 30, 30
    stock_round(owing)
    return {"private offer": offer, "eva": eva, "bankruptcy": poor, "debt": owing}


@pytest.mark.parametrize(("name", "game"), seldom_asked().items())
def test_what_is_asked_seldom_is_asked_in_german(name: str, game: Game) -> None:
    assert is_german(lambda: tr(question(game))), question(game)


@pytest.mark.parametrize(
    "action",
    [DeclareBankruptcy(BLS), LayFurka(BLS), TakeEva(BLS), PayDebt(ANN), Answer(ANN, True)],
    ids=lambda action: type(action).__name__,
)
def test_what_is_refused_seldom_is_refused_in_german(action: Action) -> None:
    game = new_game()
    started(game, "BLS", {"@1": 3})
    operating(game, "BLS", step=TRAINS)
    with pytest.raises(Rejected) as found:
        game.apply(action)
    assert is_german(lambda: tr_error(found.value)), str(found.value)


def test_a_company_with_many_trains_and_tokens_is_described_in_german() -> None:
    game = new_game()
    started(game, "SBB", {"@1": 2})
    for kind in ("4H", "5", "8E", "5H"):
        give_train(game, "SBB", kind)
    for hex_id in ("L21", "D13", "C12", "C24", "I6", "G18", "B19", "E18"):
        token(game, "SBB", hex_id)
    assert is_german(lambda: company_text(game, SBB)), company_text(game, SBB)
