"""Five people at 18BF in Discord's double: the first auctions, and directors who are asked all at once for a system.

The record beside this file is a random game of five that comes to a merger round of phase 6. Its moves are imported for
the short tests; in the soak the people make all of them.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from bot.engine.games.game_record import build_game_record
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.service.imports.file_io import encode_game_file
from bot.titles.registry import TITLES
from tests.commands.discord_table import Table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.user import ScriptedUser

TITLE = TITLES["18BF"]
SEED = 305
RECORD = (Path(__file__).parent / "18bf_five_players.txt").read_text().splitlines()
SYSTEM = "GNR form GCR with LBSC LYR NBR"
"""What ends the record: Ann's GNR, a company of Eva's and two of Dora's."""


@pytest_asyncio.fixture
async def table(double: Double, tmp_path: Path) -> AsyncIterator[Table]:
    """Five people and a running bot."""
    people = (double.ann, double.bob, double.cid, double.dora, double.add_user("Eva"))
    yield Table(double, await double.launch(data=tmp_path), people)


async def bring(table: Table, moves: Sequence[str]) -> Game:
    """The record's game after these moves, with everybody in his seat; all pass by hand, as in the record."""
    game = Game.new(TITLE, ("Ann", "Bob", "Cid", "Dora", "Eva"), {}, SEED)
    for text in moves:
        game.apply(parse_action(TITLE, text))
    first, *others = table.people
    file = encode_game_file(build_game_record(game, moves))
    reply = await first.slash("game import", table.double.channel, file=("game.json", file))
    assert "continues after" in reply.text, reply.text
    await table.wait(lambda: table.double.threads and table.pings() and table.boards(), "the first question and record")
    for seat, person in enumerate(others, 2):
        assert "has seat" in (await first.slash("moderate replace", table.thread, seat=seat, member=person)).text
    assert "pass manually" in (await first.slash("moderate pace", table.thread, passes="hand")).text
    return game


def person_of(table: Table, seat: str) -> ScriptedUser:
    """Who sits there."""
    return table.people[int(seat[1:]) - 1]


async def make(table: Table, game: Game, text: str) -> None:
    """Whoever decides about it makes the move."""
    action = parse_action(TITLE, text)
    decider = game.controller_of(action.by)
    assert decider is not None
    person = person_of(table, decider)
    words = text.split(" ", 1)[1] if action.by == decider else text
    boards = table.told()
    await person.slash("move", table.thread, move=words)
    game.apply(action)
    await table.wait(lambda: table.told() > boards, f"the board after {text}")


def test_the_record_leads_to_a_system_by_the_rules_of_today() -> None:
    game = Game.new(TITLE, ("Ann", "Bob", "Cid", "Dora", "Eva"), {}, SEED)
    for text in (*RECORD, SYSTEM):
        game.apply(parse_action(TITLE, text))
    assert game.players_to_act() == ("@5", "@4")


@pytest.mark.whole
async def test_9_4_the_first_auctions_are_bid_for_around_the_table(table: Table) -> None:
    ann, bob, cid, dora, eva = table.people
    await table.open("18BF")
    found = re.search(
        r"Private railways, in order: (P\d+) from £(\d+), (P\d+) from", (await ann.slash("status", table.thread)).text
    )
    assert found
    first, lowest, second = found[1], int(found[2]), found[3]
    assert "§9.2" in (await ann.slash("move", table.thread, move=f"bid {second} 100")).text
    for person, text, way in (
        (ann, f"bid {first} {lowest}", "slash"),
        (bob, f"bid {first} {lowest + 5}", "say"),
        (cid, "pass", "slash"),
        (dora, "pass", "say"),
        (eva, f"bid {first} {lowest + 25}", "slash"),
        (ann, "pass", "say"),
        (bob, "pass", "slash"),
    ):
        assert table.turn()[0] is person
        await table.move(text, way)
    assert table.turn()[0] is ann
    assert f"{first}" in (await eva.slash("player", table.thread, name="Eva")).text


@pytest.mark.soak
async def test_12_6_all_directors_are_asked_at_once_and_the_system_is_formed(table: Table) -> None:
    game = await bring(table, RECORD)
    await make(table, game, SYSTEM)
    assert sorted(game.players_to_act()) == ["@4", "@5"]
    concerned = [table.people[3].mention, table.people[4].mention]
    await table.wait(
        lambda: all(any(one in post.text for post in table.pings()) for one in concerned), "both questions at once"
    )
    await make(table, game, "@5 agree")
    await make(table, game, "@4 agree")
    shown = await table.people[1].slash("company", table.thread, name="GCR")
    assert "GCR" in shown.text
    assert game.company(TITLE.companies["GCR"].id).position is not None


@pytest.mark.soak
async def test_five_people_play_from_the_first_auction_to_a_system(table: Table) -> None:
    game = await bring(table, ())
    for text in (*RECORD, SYSTEM, "@5 agree", "@4 agree"):
        await make(table, game, text)
    assert game.company(TITLE.companies["GCR"].id).position is not None
