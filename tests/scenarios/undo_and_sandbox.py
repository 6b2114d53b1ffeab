"""What people do beside moving: try, think on in a sandbox, give standing orders, take back, ask each other.

At one place of a game they go through all of it, and stand where they stood before: nothing of it may leave a trace in the
game, nor be seen by whom it does not concern.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from bot.engine.ids import PlayerId
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Action, Pass, RunRoutes
from bot.service.parser.menus import legal_for
from bot.service.plans.decisions import Act, evaluate
from bot.service.plans.parser import read_plan
from tests.discord_double.user import ScriptedUser
from tests.scenarios.scripted_game import PATIENCE, ScriptedTable

MOST_TRIED = 40
"""So many moves are looked at for one after which somebody else could pass."""

ORDER = "pass"


@dataclass(frozen=True)
class Place:
    """A place where one player moves and the next one's order to pass is all that happens then."""

    first: PlayerId
    move: Action
    second: PlayerId
    passing: Action


def place_for_it(game: Game) -> Place | None:
    """Such a place, if the game stands at one."""
    if game.state.finished or len(game.players_to_act()) != 1:
        return None
    first = game.players_to_act()[0]
    for move in islice(legal_for(game, [first]), MOST_TRIED):
        after = game.copy()
        if isinstance(move, RunRoutes | Pass):
            continue
        after.apply(move)
        asked = after.players_to_act()
        if len(asked) != 1 or asked[0] == first or after.state.finished:
            continue
        try:
            decision = evaluate(after, asked[0], read_plan(game, asked[0], ORDER))
        except Rejected:
            continue
        if isinstance(decision, Act):
            last = after.copy()
            last.apply(decision.action)
            if not last.state.finished and last.players_to_act() != asked:
                return Place(first, move, asked[0], decision.action)
    return None


async def think_twice(table: ScriptedTable) -> None:
    """All of it, at the first place that fits."""
    await table.play(until=place_for_it)
    found = place_for_it(table.game)
    assert found is not None, "the game came to no place for second thoughts"
    one, two = table.person(found.first), table.person(found.second)
    stranger = next(person for person in table.people if person not in (one, two))
    words = table.words(found.move)
    await look_ahead(table, found, one, stranger)
    await order_in_secret(table, two, stranger)
    await make_from_sandbox(table, one, words, [found.move, found.passing])
    await ask_to_take_back(table, found, one, two, "reacted to that")
    await drop_order(table, two)
    await move_twice(table, found, one, two)
    await ask_to_take_back(table, found, one, two, "has moved since")


async def look_ahead(table: ScriptedTable, found: Place, one: ScriptedUser, stranger: ScriptedUser) -> None:
    """`/try` and `/whatif` show what would happen, to whoever asks alone, and change nothing."""
    words = table.words(found.move)
    tried = await one.slash("try", table.thread, move=words, wait=PATIENCE)
    assert tried.ephemeral and "would do this" in tried.text and "Then:" in tried.text, tried.text
    shown = await stranger.slash("whatif move", table.thread, move=format_action(found.move), wait=PATIENCE)
    assert shown.ephemeral and "In your sandbox" in shown.text, shown.text
    assert "Make these moves" not in [button.label for button in shown.buttons], "a move of somebody else's"
    assert "empty" in (await one.slash("whatif show", table.thread, wait=PATIENCE)).text
    assert not table.rows()
    table.used["try"] += 1


async def order_in_secret(table: ScriptedTable, two: ScriptedUser, stranger: ScriptedUser) -> None:
    """A standing order is shown to its owner alone."""
    given = await two.slash("auto pass", table.thread, wait=PATIENCE)
    assert given.ephemeral and "visible only to you" in given.text, given.text
    other = await stranger.slash("auto list", table.thread, wait=PATIENCE)
    assert "no plans" in other.text, other.text
    assert not table.posts_since() and not table.rows()


async def make_from_sandbox(table: ScriptedTable, one: ScriptedUser, words: str, moves: list[Action]) -> None:
    """A move out of one's sandbox; the other one's order passes at once, and nobody is asked in between."""
    panel = await one.slash("whatif move", table.thread, move=words, wait=PATIENCE)
    before = set(table.game.players_to_act())
    await table.use(one, panel.message, "Make these moves")
    await table.double.until(lambda: len(table.rows()) >= len(moves), PATIENCE, f"{moves} made")
    assert table.rows() == [format_action(move) for move in moves]
    after = table.game.copy()
    for move in moves:
        after.apply(move)
    table.past(len(moves))
    await table.told(set(after.players_to_act()) - before, after)
    table.used["sandbox"] += 1
    table.used["autopilot"] += 1


def asked_again(table: ScriptedTable, found: Place) -> set[PlayerId]:
    """Who is asked when both moves have been taken back, and was not asked before: nobody where it is the same one."""
    after = table.game.copy()
    for move in (found.move, found.passing):
        after.apply(move)
    return {found.first} - set(after.players_to_act())


async def drop_order(table: ScriptedTable, two: ScriptedUser) -> None:
    """What the order did has been taken back: it is over, and is dropped."""
    listed = await two.slash("auto list", table.thread, wait=PATIENCE)
    assert "Pass" in listed.text and "Over:" in listed.text, listed.text
    assert "1 dropped" in (await two.slash("auto drop", table.thread, wait=PATIENCE)).text


async def move_twice(table: ScriptedTable, found: Place, one: ScriptedUser, two: ScriptedUser) -> None:
    """The same two moves again, by hand."""
    game = table.game.copy()
    for person, move in ((one, found.move), (two, found.passing)):
        before = set(game.players_to_act())
        game.apply(move)
        await person.slash("move", table.thread, move=format_action(move), wait=PATIENCE)
        assert table.rows() == [format_action(move)]
        table.past(1)
        await table.told(set(game.players_to_act()) - before, game)


async def ask_to_take_back(table: ScriptedTable, found: Place, one: ScriptedUser, two: ScriptedUser, why: str) -> None:
    """Somebody has moved since, or their order has: they are asked, agree, and everybody stands where they stood."""
    refused = await one.slash("undo", table.thread, wait=PATIENCE)
    assert why in refused.text, refused.text
    asked = await table.use(one, refused.message, "Ask the others")
    assert f"Waiting for {two.name}." in asked.text, asked.text
    await table.double.until(lambda: len(table.posts_since()) == 1, PATIENCE, "the question")
    (question,) = table.posts_since()
    assert [user.name for user in question.mentions] == [two.name] and not table.rows()
    table.heard()
    await two.click(question, "Agree", wait=PATIENCE)
    await table.double.until(lambda: len(table.rows()) == 1, PATIENCE, "what was agreed")
    table.past(1)
    await table.told(asked_again(table, found))
    table.used["vote"] += 1
