"""The page in a real browser where one player's move needs the word of others: mergers of 18BF, companies of 1820 that
several float. Everybody sits at a page of his own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.commands.web.server import BoardServer
from bot.engine.games.game_record import GameRecordFile
from bot.engine.ids import CompanyId, Owner, PlayerId
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.service.game_service import GameService
from bot.titles.registry import TITLES
from bot.titles.t1820.actions import FloatCompany, FundLobby

from .chromium import ABSENT, PHONE, Opened, chromium, opened

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium() is None, reason=ABSENT)]

FIVE = ("Ann", "Bob", "Cid", "Dora", "Eva")
RECORD = Path(__file__).parent.parent / "commands" / "18bf_five_players.txt"
MERGER = 435
"""After so many moves of the record Bob's NU may merge with ML, whose director is Eva."""


async def seated(tables: GameService, title: str, names: Sequence[str], moves: Sequence[str], seed: int) -> int:
    """A game that these moves led to, with everybody in his own seat."""
    people = {name: f"web:{name}" for name in names}
    return await tables.transfer.import_game(
        GameRecordFile(title, tuple(names), tuple(moves), seed=seed), "web:Ann", people
    )


async def at_his_page(tables: GameService, board: BoardServer, game_id: int, name: str) -> str:
    """Where somebody plays."""
    return board.doors.play_address(await tables.links.make(game_id, f"web:{name}", "play"))


async def choose(it: Opened, label: str) -> None:
    """Press the button that begins with these words, as soon as it is there."""
    button = it.page.locator("#act button:not([data-copy])", has_text=label).first
    await button.wait_for()
    await button.click()


async def tick(it: Opened, *labels: str) -> None:
    """Choose several at once."""
    await it.page.locator("[data-several]").wait_for()
    for label in labels:
        await it.page.locator("[data-several] label", has_text=label).first.click()
    await it.page.locator("[data-several] button").click()


async def do(it: Opened, *others: Opened) -> None:
    """Make the move that stands there; all who play are asked anew."""
    before = int(await it.page.evaluate("document.getElementById('top').dataset.version"))
    await it.page.locator(".do").click()
    for each in (it, *others):
        await each.until(f"document.querySelector('#turn[data-version=\"{before + 1}\"]')")


async def is_asked(it: Opened) -> bool:
    """Whether the page asks him."""
    return await it.page.locator("#turn").get_attribute("data-asked") == "yes"


async def propose(it: Opened, into: str, director: Opened) -> None:
    """NU merges with ML, the only company that it can be connected with, so that none is asked for."""
    await choose(it, "merge")
    await it.until("document.getElementById('act').innerText.includes('What do NU and ML become?')")
    await choose(it, into)
    await do(it, director)
    assert await is_asked(director)


async def test_a_merger_is_refused_proposed_again_and_withdrawn(tables: GameService, board: BoardServer) -> None:
    game = await seated(tables, "18BF", FIVE, RECORD.read_text().splitlines()[:MERGER], 305)
    async with opened(await at_his_page(tables, board, game, "Bob")) as bob:
        eva = await bob.beside(await at_his_page(tables, board, game, "Eva"), viewport=PHONE, has_touch=True)
        looks = await bob.beside(board.doors.look_address(await tables.links.make(game, "web:Cid")))
        await propose(bob, "LSW", eva)
        await looks.until("document.getElementById('question').innerText.includes('NU and ML become LSW')")
        assert await looks.page.locator("#act button").count() == 0
        await choose(eva, "refuse")
        await do(eva, bob)
        assert await is_asked(bob) and not await is_asked(eva)
        await propose(bob, "MR", eva)
        # Out of turn, before anybody has answered.
        await choose(bob, "withdraw")
        await do(bob, eva)
        assert await is_asked(bob) and not await is_asked(eva)
        assert await eva.page.locator("#act button", has_text="agree").count() == 0
        await looks.until("document.querySelector('.log').innerText.includes('withdraws')")
        told = await looks.text(".log")
        assert all(
            words in told
            for words in ("Bob proposes that NU and ML become LSW.", "Eva does not agree; LSW is not formed.")
        ), told
        assert bob.said == eva.said == looks.said == []


async def test_directors_are_asked_at_once_and_their_system_is_formed(tables: GameService, board: BoardServer) -> None:
    game = await seated(tables, "18BF", FIVE, RECORD.read_text().splitlines(), 305)
    async with opened(await at_his_page(tables, board, game, "Ann")) as ann:
        dora, eva = [await ann.beside(await at_his_page(tables, board, game, name)) for name in ("Dora", "Eva")]
        await choose(ann, "form")
        await tick(ann, "LBSC", "LYR", "NBR")
        await choose(ann, "GCR")
        await do(ann, eva, dora)
        assert await is_asked(eva) and await is_asked(dora) and not await is_asked(ann)
        await choose(eva, "agree")
        assert "GCR" in await eva.text("#question")
        await do(eva, dora)
        assert await is_asked(dora) and not await is_asked(eva)
        await choose(dora, "agree")
        await do(dora, ann, eva)
        for each in (ann, dora, eva):
            await each.until(
                "document.querySelector('[data-company=GCR]') && !document.querySelector('[data-company=NBR]')"
            )
        assert (await tables.desk.require_started(game))[1].company(CompanyId(Owner("GCR"))).position is not None
        assert ann.said == dora.said == eva.said == []


def with_a_lobby() -> tuple[list[str], str]:
    """The moves of a game of 1820 that lead to a lobby, and who resolves it."""
    game, moves = Game.new(TITLES["1820"], FIVE[:3], {}, 7), list[str]()

    def take(what: str, player: str) -> None:
        moves.append(f"{player} {what}")
        game.apply(parse_action(game.title, moves[-1]))

    while not any(isinstance(action, FundLobby) for action in game.legal_actions()):
        take("pass", game.players_to_act()[0])
    lobbyist = game.players_to_act()[0]
    take("fund 90", lobbyist)
    while not any(isinstance(action, FloatCompany) for action in game.legal_actions()):
        take("pass", game.players_to_act()[0])
    return moves, game.state.name(PlayerId(Owner(lobbyist)))


async def test_a_company_is_floated_by_two_who_agree(tables: GameService, board: BoardServer) -> None:
    moves, lobbyist = with_a_lobby()
    game = await seated(tables, "1820", FIVE[:3], moves, 7)
    partner = next(name for name in FIVE[:3] if name != lobbyist)
    async with opened(await at_his_page(tables, board, game, lobbyist), viewport=PHONE, has_touch=True) as it:
        other = await it.beside(await at_his_page(tables, board, game, partner))
        await choose(it, "float")
        for answer in ("LSR", "£55"):
            await choose(it, answer)
        # Where the answers are spaces they are marked on the map, and can be tapped there.
        await it.until("document.getElementById('at-M15').classList.contains('legal')")
        await it.page.locator("#at-M15").tap()
        await choose(it, "no second station")
        await tick(it, lobbyist, partner)
        for _ in (lobbyist, partner):
            await choose(it, "2 shares")
        assert "LSR" in await it.text(".trial")
        await do(it, other)
        assert await is_asked(other) and not await is_asked(it)
        await choose(other, "agree")
        await do(other, it)
        for each in (it, other):
            await each.until("document.querySelector('[data-company=LSR]')")
        held = (await tables.desk.require_started(game))[1].company(CompanyId(Owner("LSR")))
        assert held.position is not None and it.said == other.said == []
