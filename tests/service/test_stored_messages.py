"""What is kept of a sentence: its template and seats; names and language come when somebody reads it."""

from __future__ import annotations

from pathlib import Path

from bot.engine.ids import seat
from bot.engine.message import FormerPlayer, Message, join_and, join_values, msg, parse_names
from bot.i18n import tr_lines, use_language
from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import Server
from tests.service.conftest import ANN, BOB, CID, EVE
from tests.store.postgres_cluster import execute

NAMES = {seat(1): "Ann", seat(2): "Bob", seat(12): "Zoe"}


def kept(place: Path | Server) -> str:
    """All sentences that the database holds, with the reasons of orders."""
    columns = (("moves", "lines"), ("outbox", "lines"), ("orders", "reason"), ("questions", "data || outcome"))
    rows = [row for table, what in columns for row in execute(place, f"SELECT {what} FROM {table}")]
    return "\n".join(text for (text,) in rows)


async def log(tables: GameService, game_id: int) -> list[str]:
    """The log as it is read now."""
    return [line for entry in await tables.queries.log_since(game_id) for line in entry.tr_lines]


def test_a_sentence_is_shown_with_present_names_in_the_readers_language() -> None:
    sentence = msg(
        "{by} buys {percent}% of {company} from {source} for {price}.", "@12", 20, "VR", msg("the pool"), "£90"
    )
    assert tr_lines([sentence], NAMES) == ["Zoe buys 20% of VR from the pool for £90."]
    with use_language("de"):
        assert tr_lines([sentence], NAMES) == ["Zoe kauft 20% VR von dem Pool für £90."]
    assert str(sentence) == "@12 buys 20% of VR from the pool for £90."


def test_a_capital_stands_at_the_beginning_and_a_gap_is_no_template() -> None:
    guest = FormerPlayer("discord:9", "{by} Eve")
    assert tr_lines([msg("{by} and {other}.", guest, "@1")], NAMES) == ["{by} Eve and Ann."]
    assert tr_lines([msg("the end.")], {}) == ["The end."]


def test_what_no_catalogue_has_is_read_in_english_and_a_lacking_value_is_seen() -> None:
    with use_language("de"):
        assert tr_lines([msg("Nobody wrote {this} before."), Message("{1} {2}", ("@2",))], NAMES) == [
            "Nobody wrote {this} before.",
            "Bob {2}",
        ]


def test_lists_are_said() -> None:
    assert [str(join_and(["a", "b", "c"][:number])) for number in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert str(join_values(", ", [])) == ""


def test_names_in_a_finished_text_become_seats() -> None:
    text = parse_names("Bobby asked Bob (not Zoe), {x}.", NAMES)
    assert ("@2" in text.values, "@12" in text.values, "Bob" in text.values) == (True, True, False)
    assert tr_lines([text], {**NAMES, seat(2): "Robert"}) == ["Bobby asked Robert (not Zoe), {x}."]


async def test_no_name_of_a_player_is_kept_in_a_sentence(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 3")
    await tables.moves.submit(game_id, BOB, "bid P1 2")
    await tables.moderation.set_status(game_id, ANN, "paused", "Bob is away; Cid knows")
    await tables.moderation.set_status(game_id, ANN, "running")
    await tables.moderation.correct(game_id, ANN, "cash Bob 3", "Ann and Cid saw it")
    poll = await tables.votes.start_poll(game_id, BOB, "end")
    await tables.votes.answer_poll(poll.record.id, CID, False)
    sentences = kept(place)
    assert not [name for name in ("Ann", "Bob", "Cid") if name in sentences]
    assert "Ann pauses the game: Bob is away; Cid knows" in await log(tables, game_id)


async def test_a_new_name_is_seen_in_old_lines(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass")
    before = await log(tables, game_id)
    assert before[-1].startswith("Ann passes")
    await tables.moderation.replace(game_id, ANN, 1, ANN, "Joanna")
    assert [line.replace("Ann", "Joanna") for line in before] == (await log(tables, game_id))[: len(before)]
    assert (await log(tables, game_id))[-1] == "Joanna takes over from Ann."


async def test_nobody_takes_over_from_somebody_of_his_name(tables: GameService, game_id: int) -> None:
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Bob")
    assert (await log(tables, game_id))[-1] == "Bob has seat 2 now."


async def test_whoever_is_followed_in_his_turn_is_still_named(
    tables: GameService, game_id: int, place: Path | Server
) -> None:
    """`Zoe takes over from Bob` was read as `Bob takes over from Bob` once the seat was given back."""
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Zoe")
    await tables.moderation.replace(game_id, ANN, 2, BOB, "Bob")
    assert (await log(tables, game_id))[-2:] == ["Zoe takes over from Bob.", "Bob takes over from Zoe."]
    await tables.privacy.forget_person(EVE)
    assert (await log(tables, game_id))[-2:] == ["Somebody takes over from Bob.", "Bob takes over from somebody."]


async def test_whoever_had_no_seat_is_forgotten_too(tables: GameService, game_id: int, place: Path | Server) -> None:
    """A sitter's and a moderator's name stayed in the lines of moves."""
    await tables.moderation.set_sitter(game_id, ANN, 1, EVE, "Evelyn", 3)
    judge = Actor("discord:667", "Judith", is_there=True, manages=True)
    await tables.moderation.set_status(game_id, judge, "paused")
    await tables.moderation.set_status(game_id, judge, "running")
    assert (await log(tables, game_id))[-3:] == [
        "Evelyn sits in for Ann for 3 days.",
        "Judith pauses the game.",
        "Judith resumes the game.",
    ]
    await tables.privacy.forget_person(EVE)
    await tables.privacy.forget_person(judge.person)
    left = kept(place)
    assert not [text for text in ("Evelyn", "Judith", EVE, judge.person) if text in left]
    assert (await log(tables, game_id))[-3:] == [
        "Somebody sits in for Ann for 3 days.",
        "Somebody pauses the game.",
        "Somebody resumes the game.",
    ]
