"""Lobby: seats, names, who may start."""

from __future__ import annotations

import pytest

from bot.engine.refusals import IllegalMove
from bot.service.game_service import GameService
from bot.service.registry.help import introduction
from bot.service.sessions.name_likeness import likeness
from bot.service.sessions.names import LONGEST_NAME, build_seats, clean_name, deal_seats, free_name, guest_name
from bot.store import Store, StoreError
from bot.store.games import GameRepository
from bot.titles.registry import TITLES as REAL
from tests.service.conftest import ANN, BOB, CID, EVE, there
from tests.service.toy_title import TITLES, TOY


async def test_a_lobby_fills_and_starts(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")])
    await tables.lobby.join(game, there(BOB), "Bob")
    table = await tables.lobby.join(game, there(CID), "Cid")
    assert [(seat.number, seat.name) for seat in table.seats] == [(1, "Ann"), (2, "Bob"), (3, "Cid")]
    table = await tables.lobby.leave(game, BOB)
    assert [(seat.number, seat.name) for seat in table.seats] == [(1, "Ann"), (2, "Cid")]
    played = await tables.lobby.start(game, ANN, "list")
    assert played.version == 0
    assert str(played.question).startswith("Ann: raise the total")
    assert (await tables.desk.table(game)).record.status == "running"


async def test_seats_by_lot_depend_on_the_seed_alone(tables: GameService) -> None:
    orders = set()
    for seed in (1, 2, 3, 4, 5, 1):
        game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], seed=seed)
        await tables.lobby.start(game, ANN)
        table = await tables.desk.table(game)
        assert table.game is not None
        assert [seat.name for seat in table.seats] == [player.name for player in table.game.state.players]
        orders.add((seed, tuple(seat.person for seat in table.seats)))
    assert len(orders) == 5
    assert len({order for _, order in orders}) > 1


async def test_one_person_holds_several_seats(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (ANN, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    await tables.moves.submit(game, ANN, "pass")
    played = await tables.moves.submit(game, ANN, "bid P1 3")
    assert played.version == 2
    assert [record.seat for record in await tables.desk.store.moves.list_of(game)] == [None, 1, 2]


@pytest.mark.parametrize("name", ["bob", "BOB ", "VR", "pass", "57", "p4", "3+", "best", "  ", "🚂", "H11", "42"])
async def test_a_name_that_could_be_misread_is_refused(tables: GameService, name: str) -> None:
    game = await tables.lobby.create("toy", ANN, [(BOB, "Bob")])
    with pytest.raises(IllegalMove):
        await tables.lobby.join(game, there(ANN), name)
    assert len((await tables.desk.table(game)).seats) == 1


@pytest.mark.parametrize(
    "name",
    [
        *("\u0410nn", "\u0391nn", "\ua4eenn", "\uff21nn", "\U0001d400nn", "A\u0578n", "An\u0578"),
        *("Ann\u3164", "\u115fAnn", "A\u200bnn", "\u202eAnn", "Ann.", "Ann\u02bc", "A-nn"),
    ],
)
async def test_who_looks_like_another_at_the_table_is_refused(tables: GameService, name: str) -> None:
    game = await tables.lobby.create("toy", BOB, [(BOB, "Ann"), (CID, "Ian")])
    with pytest.raises(IllegalMove, match="already a player called Ann"):
        await tables.lobby.join(game, there(ANN), name)
    for alike in ("lan", "1an", "\u0406an"):
        with pytest.raises(IllegalMove, match="already a player called Ian"):
            await tables.lobby.join(game, there(ANN), alike)


@pytest.mark.parametrize("name", ["\u3164", "р\u0430ss", "\u041211"])
async def test_names_that_show_nothing_or_read_as_moves_are_refused(tables: GameService, name: str) -> None:
    game = await tables.lobby.create("toy", BOB, [(BOB, "Bob")])
    with pytest.raises(IllegalMove):
        await tables.lobby.join(game, there(ANN), name)


def test_names_that_differ_to_readers_stay_apart() -> None:
    names = ["Ann", "Anne", "\u00c1nn", "Ann 2", "Анна", "Άννα", "안나", "アン", "Lia", "Ali", "All", "Al"]
    for some in (names[:4], names[4:8]):
        assert [seat.name for seat in build_seats(TOY, [(ANN, name) for name in some])] == some
    assert len({likeness(name) for name in names}) == len(names)
    assert clean_name("Jose\u0301") == "Jos\u00e9", "an accent that was typed after its letter stays"


def test_a_sitter_or_newcomer_by_the_name_of_a_player_has_a_number() -> None:
    seats = build_seats(TOY, [(ANN, "Ann"), (BOB, "Bob")])
    assert guest_name("\u0410nn", CID, seats) == "\u0410nn 2"
    assert guest_name("Ann", ANN, seats) == "Ann"


def test_names_are_cleaned() -> None:
    assert clean_name("  Ann\n  Marie @everyone\u202e ") == "Ann Marie everyone"
    assert clean_name("Zoë-Łucja O'Neil 3.") == "Zoë-Łucja O'Neil 3."
    assert len(clean_name("x" * 100)) == 32


def test_dealing_keeps_everybody() -> None:
    seats = build_seats(TOY, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    for seed in range(50):
        order = deal_seats(seats, seed)
        assert sorted(seat.person for seat in order) == [ANN, BOB, CID]
        assert [seat.number for seat in order] == [1, 2, 3]


async def test_who_may_do_what_in_a_lobby(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")])
    with pytest.raises(IllegalMove, match="2 to 4 players"):
        await tables.lobby.start(game, ANN)
    for person, name in ((BOB, "Bob"), (CID, "Cid"), (EVE, "Eve")):
        await tables.lobby.join(game, there(person), name)
    with pytest.raises(IllegalMove, match="seats are taken"):
        await tables.lobby.join(game, there("discord:5"), "Fay")
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.lobby.start(game, BOB)
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.lobby.leave(game, "discord:5")
    with pytest.raises(IllegalMove, match="has not begun"):
        await tables.moves.submit(game, ANN, "pass")
    await tables.lobby.start(game, ANN)
    with pytest.raises(IllegalMove, match="has begun"):
        await tables.lobby.join(game, there(EVE), "Fay")
    with pytest.raises(IllegalMove, match="has begun"):
        await tables.lobby.start(game, ANN)


@pytest.mark.parametrize(
    ("what", "match"),
    [
        ({"title_name": "1899"}, "There is no title 1899"),
        ({"pace": "sleepy"}, "Paces: "),
        ({"options": {"colour": "red"}}, "no option colour"),
        ({"people": [(ANN, "Ann"), (BOB, "ann")]}, "already a player called (Ann|ann)"),
        ({"people": [(ANN, f"P {number}") for number in range(9)]}, "at most 4 players"),
    ],
)
async def test_a_game_that_cannot_be_made(tables: GameService, what: dict[str, object], match: str) -> None:
    arguments: dict[str, object] = {"title_name": "toy", "moderator": ANN, **what}
    with pytest.raises(IllegalMove, match=match):
        await tables.lobby.create(**arguments)  # type: ignore[arg-type]
    assert await tables.desk.store.games.list_all() == []


async def test_a_game_that_does_not_exist(tables: GameService) -> None:
    with pytest.raises(IllegalMove, match="There is no game 99"):
        await tables.moves.submit(99, ANN, "pass")


async def test_a_seat_that_could_not_be_saved_is_not_taken(
    tables: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")])

    async def fail(*args: object) -> None:
        raise StoreError("no")

    monkeypatch.setattr(GameRepository, "set_seats", fail)
    with pytest.raises(StoreError):
        await tables.lobby.join(game, there(BOB), "Bob")
    monkeypatch.undo()
    assert len((await tables.desk.table(game)).seats) == 1
    assert len((await GameService(tables.desk.store, TITLES).desk.table(game)).seats) == 1


async def test_nobody_opens_games_without_end(tables: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.features.lobby.MOST_GAMES_PER_PERSON", 2)
    await tables.lobby.create("toy", ANN, [(ANN, "Ann")])
    await tables.lobby.create("toy", ANN)
    with pytest.raises(IllegalMove, match="You are in 2 games; the limit is 2"):
        await tables.lobby.create("toy", ANN)
    await tables.lobby.create("toy", BOB)


async def test_a_title_that_is_not_offered_begins_no_new_game_and_goes_on_in_old_games(store: Store) -> None:
    before = GameService(store, REAL)
    running = await before.lobby.create("1830", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await before.lobby.start(running, ANN, "list")
    tables = GameService(store, REAL, offered=["1848", "18GB"])
    assert tables.desk.offered == ["1848", "18GB"]
    with pytest.raises(IllegalMove, match=r"New games of 1830 cannot be opened here\. Available: 1848, 18GB\."):
        await tables.lobby.create("1830", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.create("18GB", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    assert (await tables.moves.submit(running, ANN, "buy SV")).version == 1
    text = "\n".join(map(str, introduction(tables.desk.offered)))
    assert "Titles: 1848, 18GB" in text and "1830" not in text


def test_a_number_makes_a_name_another_also_where_it_is_as_long_as_a_name_may_be() -> None:
    longest = "n" * LONGEST_NAME
    first, second = free_name(longest, []), free_name(longest, [longest.upper()])
    assert (first, second) == (longest, f"{'n' * (LONGEST_NAME - 2)} 2")
    assert free_name(longest, [longest, second]) == f"{'n' * (LONGEST_NAME - 2)} 3"
    assert free_name("Computer", ["Computer", "computer 2"]) == "Computer 3"
    assert free_name(f"{'n' * (LONGEST_NAME - 3)} xy", [f"{'n' * (LONGEST_NAME - 3)} xy"])[-3:] == "n 2"
