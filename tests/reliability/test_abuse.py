"""People who mean no good: forged buttons, other people's seats, names that ping, more than one may ask."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from benchmarks.load import cpu_seconds
from bot.commands.discord.slash import lobby
from tests.discord_double.double import Double
from tests.discord_double.user import ScriptedUser
from tests.reliability.forged_clicks import forged_ids, send
from tests.reliability.table import Table

IN_SUITE, IN_SOAK = 60, 5_000


def state(table: Table) -> list[object]:
    """What must not change."""
    return [table.rows(f"SELECT * FROM {name}") for name in ("games", "seats", "moves", "orders", "questions")]


async def test_nobody_acts_for_another_seat_by_whatever_button(table: Table) -> None:
    await table.open()
    _, bob, cid = table.people
    dora = table.double.dora
    await table.double.idle()
    (ping,) = table.pings()
    before = state(table)
    wrong = []
    forged = {
        "mv:1:0:@1 buy P1 for 30": "That is Ann's move|You have no seat",
        "mv:1:0:@2 buy P1 for 30": "turn|That is Bob's move|You have no seat",
        "gd:1:0:buy::0": "not your turn",
        "gs:1:0:buy::0": "not your turn",
        "sum:1:0:par:": "no longer works",
        "lobby:1:start": "begun",
        "lobby:1:join": "begun",
        "lobby:1:leave": "begun|You have no seat",
        "op:1:0": "begun",
        "rw:1:0:0": "moderator",
        "qa:1:yes": "no such vote|answered",
        "if:1:0:commit": "not a move you can make now",
        "mv:2:0:pass": "no game 2",
        "mv:99999999999999999999:0:pass": "no longer works",
        "mv:1:1:": "no longer works",
        "lobby:1:end": "no longer works",
        "old:1:pass": "no longer works",
        "tu:1:0:0:!many": "no longer works",
        "tu:1:0:0:?G10:many": "no longer works",
        "tu:1:0:0:!999999999": "no longer works",
        "tu:1:0:0:nonsense": "no longer works",
        "tu:1:0:0:?G10:2": "Ann: buy a private",
    }
    for custom_id, answer in forged.items():
        for who in (bob, cid, dora):
            text = (await send(table.double, who, ping, custom_id)).text
            if not re.search(answer, text):
                wrong.append((custom_id, who.name, text))
    assert wrong == [], "\n".join(map(str, wrong))
    assert state(table) == before
    await table.moved(0)


async def forge(table: Table, seed: int, number: int) -> None:
    """Forged ids of all kinds, by players and a stranger: every one is answered, and the game can be played on."""
    await table.open()
    await table.double.idle()
    people = itertools.cycle((*table.people, table.double.dora))
    values = itertools.cycle(("0", "1", "24", "x", "9" * 12, "", "rules"))
    for custom_id, who, value in zip(itertools.islice(forged_ids(seed), number), people, values, strict=False):
        on = table.posts()[-1]
        reply = await send(table.double, who, on, custom_id, value)
        assert reply.interaction.answer
    if isinstance(table.place, Path):
        assert table.rows("PRAGMA integrity_check") == [("ok",)]
    status = await table.double.ann.slash("status", table.thread)
    assert status.text


async def test_forged_buttons_are_answered(table: Table) -> None:
    await forge(table, 1, IN_SUITE)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
async def test_forged_buttons_without_end(table: Table, record_property: pytest.RecordProperty, part: int) -> None:
    await forge(table, 2, 500)
    before, worked = table.bot.resident_mb(), cpu_seconds(table.bot.pid)
    people = itertools.cycle((*table.people, table.double.dora))
    for custom_id, who in zip(itertools.islice(forged_ids(10 + part), IN_SOAK), people, strict=False):
        await send(table.double, who, table.posts()[-1], custom_id)
    table.double.calls.clear()
    slowest = max(interaction.seconds for interaction in table.double.interactions.all)
    grown = table.bot.resident_mb() - before
    each = (cpu_seconds(table.bot.pid) - worked) / IN_SOAK
    figure = f"{IN_SOAK} forged buttons: {each * 1000:.1f} ms of work each, slowest answer {slowest:.3f} s"
    record_property("figure", f"{figure}, memory {grown:+.1f} MB")
    assert each < 0.05, figure
    assert grown < 30


async def test_names_and_texts_never_ping_anybody(double: Double, tmp_path: Path) -> None:
    table = Table(double, await double.launch(data=tmp_path / "data"), tmp_path / "data")
    ann, bob, cid = table.people
    cruel = f"@everyone <@{double.dora.id}> <@&{double.guild.id}> [x](a) **b** `c`"
    lobby = await ann.slash("game new", double.channel, title="1848")
    for who, name in ((bob, f"Bob <@{double.dora.id}>"), (cid, "@everyone @here Cid")):
        assert "is in game 1" in (await who.slash("game join", double.channel, name=name)).text
    assert "begun" in (await ann.slash("game start", double.channel, order="list")).text
    await table.wait(lambda: table.double.threads and table.pings(), "the first question")
    assert lobby.text
    for text in (cruel, f"buy {cruel}", f"Ann buy P1 {cruel}", "buy P1"):
        await ann.slash("move", table.thread, move=text)
    await ann.say(table.thread, f"buy {cruel}", mention_bot=True)
    await bob.slash("auto say", table.thread, order=f"pass {cruel}"[:100])
    await ann.slash("undo", table.thread)
    await double.idle()
    everything = [message for channel in double.world.channels.values() for message in channel.messages]
    bots = [message for message in everything if message.author is double.world.bot]
    assert any("everyone" in message.text for message in bots), "the words came through, harmless"
    assert [
        message.text for message in bots if message.pings_everyone or message.mentions_user(double.dora.account)
    ] == []
    asked = {user.id for message in bots for user in message.mentions}
    assert asked <= {person.id for person in table.people}
    names = [name for (name,) in table.rows("SELECT name FROM seats ORDER BY number")]
    assert not [name for name in names if set(name) & set("@<>*`")]


async def test_a_server_has_room_for_so_many_games(table: Table, double: Double) -> None:
    for _ in range(2):
        await double.ann.slash("game new", double.channel, title="1848")
    with_many = ",".join(f"({number})" for number in range(3, lobby.MOST_GAMES_PER_SERVER + 1))
    fields = "title, options, seed, status, moderator, pace_hours, version, created_at, updated_at, rules"
    table.write(
        f"WITH more(id) AS (VALUES {with_many}) INSERT INTO games ({fields}) "
        f"SELECT {fields.replace('moderator', repr('discord:0'))} FROM games, more WHERE games.id = 1",
        "INSERT INTO places (game, guild, channel) SELECT games.id, guild, '0' FROM games, places "
        "WHERE places.game = 1 AND games.id > 2",
    )

    async def refused(who: ScriptedUser) -> bool:
        return "open games, the limit" in (await who.slash("game new", double.channel, title="1848")).text

    assert await refused(double.ann)
    assert await refused(double.dora)
    _, elsewhere = double.add_guild("Another club")
    assert "Game" in (await double.bob.slash("game new", elsewhere, title="1848")).text
    table.write("UPDATE games SET status = 'finished' WHERE id = 100")
    assert not await refused(double.bob)
