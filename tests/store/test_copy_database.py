"""All rows into another database: from a file to a server and back, or from either to its own kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.service.game_service import GameService
from bot.store import NoteRecord, Server, Store, StoreDamaged, StoreNotEmpty
from bot.store.schema import metadata
from tests.service.test_damaged_rows import PERSON, play_a_game
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import cluster, execute

TABLES = [table.name for table in metadata.sorted_tables]


@pytest.fixture
async def played(tmp_path: Path) -> Path:
    """A file with something in every table."""
    path = tmp_path / "played" / "signalbox.db"
    await play_a_game(path)
    return path


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgres)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | Server]:
    """A database without tables."""
    if request.param == "file":
        yield tmp_path / "target.db"
        return
    server = cluster().fresh(None)
    yield server
    cluster().drop(server)


async def carried(source: Path | Server, target: Path | Server) -> list[tuple[int, int]]:
    """Carry, and return what the bar was told."""
    told: list[tuple[int, int]] = []
    here, there = await Store.open(source), await Store.open(target)
    try:
        await here.copy_to(there, lambda total, done: told.append((total, done)))
    finally:
        await here.close()
        await there.close()
    return told


FIGURES = (
    "INSERT INTO results VALUES (1, 1, 'toy', 1.0, 2.0, 3, 4, 1, 1)",
    "INSERT INTO standings VALUES (1, 2, 1, 50, 0, '[]', '[]', '[]', 0.5, 25.0, 8.0, NULL, NULL)",
    "INSERT INTO departures VALUES (1, 'discord:2')",
    "INSERT INTO openings VALUES (1, 'everybody', '', 'Come', 0, 1.0)",
    "INSERT INTO sharing VALUES ('7', 1.0)",
    "INSERT INTO wishes VALUES ('discord:2', 'toy', '', 1.0)",
    "INSERT INTO volunteers VALUES ('discord:2', 'toy', 1.0)",
    "INSERT INTO offers VALUES (1, 2, 1.0)",
    "INSERT INTO calls VALUES (1, '" + "0" * 64 + "', 1, 1, 'turn', 0, 2, 1.0, 1.0, 0)",
    "INSERT INTO keys VALUES ('push', 'a key')",
    "INSERT INTO seasons VALUES (1, '7', '8', 'S', 'toy', 3, 2, 24.0, 'null', 0, 'en', 'discord:2', 9, 'running', 1, 1.0, 2.0)",
    "INSERT INTO entrants VALUES (1, 'discord:2', 'Bob', 1.0, NULL)",
    "INSERT INTO draws VALUES (1, 1, 1, 'discord:2', 1)",
    "INSERT INTO bans VALUES ('" + "0" * 64 + "', 1.0, '')",
    "INSERT INTO follows VALUES ('discord:2', 'game', '1', '', '3', 1.0, 2.0, 'round')",
    "INSERT INTO server_pages VALUES ('7', 'Club', 1.0)",
    "INSERT INTO blocks VALUES ('discord:2', 'discord:3')",
)
"""Rows of tables in which a game that is played has none."""


def rows(place: Path | Server) -> dict[str, list[object]]:
    """Every row of every table."""
    return {name: sorted(execute(place, f"SELECT * FROM {name}"), key=repr) for name in TABLES}


async def test_every_row_is_carried_there_and_back(
    played: Path, target: Path | Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.backends.copy_database.PART", 3)
    execute(played, *FIGURES)
    told = await carried(played, target)
    total = sum(len(found) for found in rows(played).values())
    assert told[-1] == (total, total) and [done for _, done in told] == sorted(done for _, done in told)
    assert rows(target) == rows(played) and all(rows(target).values())
    await carried(target, tmp_path / "back.db")
    assert rows(tmp_path / "back.db") == rows(played)


async def test_the_game_goes_on_there_with_numbers_of_its_own(played: Path, target: Path | Server) -> None:
    await carried(played, target)
    store = await Store.open(target)
    tables = GameService(store, TITLES)
    last = execute(target, "SELECT max(id) FROM outbox")[0][0]
    await tables.moves.submit(1, "discord:2", "bid P1 6")
    assert execute(target, "SELECT min(id) FROM outbox WHERE posted_at IS NULL AND kind = 'board'")[0][0] > 0
    assert execute(target, "SELECT max(id) FROM outbox")[0][0] > last
    assert await tables.lobby.create("toy", PERSON, [(PERSON, "Ann"), ("discord:2", "Bob")]) == 2
    assert (await tables.doctor.examine(1)).is_healthy
    await store.close()


async def test_nothing_is_carried_onto_something(played: Path, target: Path | Server) -> None:
    await carried(played, target)
    before = rows(target)
    with pytest.raises(StoreNotEmpty, match="needs an empty database"):
        await carried(played, target)
    assert rows(target) == before


@pytest.mark.parametrize("target", [pytest.param("server", marks=pytest.mark.postgres)], indirect=True)
@pytest.mark.parametrize(
    "damage",
    ["UPDATE moves SET parent = 'x' WHERE number = 3", "UPDATE games SET seed = 'x'", "UPDATE moves SET text = x'ff'"],
)
async def test_a_row_that_a_server_cannot_keep_is_named_and_nothing_is_carried(
    played: Path, target: Server, damage: str
) -> None:
    execute(played, damage)
    with pytest.raises(StoreDamaged, match=r"cannot store a row of (moves|games); run: signalbox doctor"):
        await carried(played, target)
    assert not any(rows(target).values())


@pytest.mark.parametrize("target", [pytest.param("server", marks=pytest.mark.postgres)], indirect=True)
async def test_a_row_that_is_another_one_there_is_noticed(played: Path, target: Server) -> None:
    await (await Store.open(target)).close()
    execute(
        target,
        "CREATE FUNCTION change() RETURNS trigger AS $$BEGIN NEW.text = upper(NEW.text); RETURN NEW; END$$ LANGUAGE plpgsql",
        "CREATE TRIGGER changes BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION change()",
    )
    with pytest.raises(StoreDamaged, match="The rows of notes are not the same"):
        await carried(played, target)
    assert not any(rows(target).values())


@pytest.mark.parametrize("target", [pytest.param("server", marks=pytest.mark.postgres)], indirect=True)
async def test_a_text_with_nul_is_carried_without_it(played: Path, target: Server) -> None:
    store = await Store.open(played)
    await store.links.set_notes(NoteRecord(1, PERSON, "a\0b"))
    await store.close()
    await carried(played, target)
    assert ("a\0b",) in execute(played, "SELECT text FROM notes")
    assert ("ab",) in execute(target, "SELECT text FROM notes")
