"""The table of rights: as docs/reference/security.md shows it, and as it is asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.refusals import Rejected
from bot.service.game_service import GameService
from bot.service.sessions.rights import RIGHTS, Actor, Role, check_right, roles_of
from bot.store import GameRecord, SeatRecord
from tests.service.conftest import ANN, BOB, CID, EVE, Clock

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "security.md"
COLUMNS = (Role.MEMBER, Role.INVITED, Role.GUEST, Role.SEATED, Role.SITTER, Role.OPENER, Role.MODERATOR)

GAME = GameRecord(1, "toy", {}, 0, "running", ANN, 48, 0, 0, 0)
SEATS = [SeatRecord(1, 1, BOB, "Bob"), SeatRecord(1, 2, "", "Nobody", sitter=CID)]


def test_the_page_shows_the_table() -> None:
    rows = re.findall(r"^\| (\w+)\b[^|]*\|((?:[^|\n]*\|){7})$", PAGE.read_text(encoding="utf-8"), re.M)
    shown = {
        name: {part for part, cell in zip(COLUMNS, cells.split("|"), strict=False) if cell.strip() == "yes"}
        for name, cells in rows
        if name != "to"
    }
    assert shown == {name: set(right.parts) for name, right in RIGHTS.items()}


@pytest.mark.parametrize(
    ("asker", "parts"),
    [
        (Actor(EVE), set()),
        (Actor(EVE, is_there=True), {Role.MEMBER}),
        (Actor(EVE, is_there=True, manages=True), {Role.MEMBER, Role.MODERATOR}),
        (Actor(EVE, is_invited=True), {Role.INVITED}),
        (Actor(EVE, is_guest=True), {Role.GUEST}),
        (Actor(BOB), {Role.SEATED}),
        (Actor(CID), {Role.SITTER}),
        (Actor(ANN), {Role.OPENER}),
        (Actor(ANN, is_gone=True), set()),
        (Actor(""), set()),
    ],
)
def test_what_somebody_is(asker: Actor, parts: set[Role]) -> None:
    assert roles_of(GAME, SEATS, asker) == parts


@pytest.mark.parametrize("wanted", RIGHTS)
def test_a_right_is_for_those_of_its_row_alone(wanted: str) -> None:
    askers = {
        Role.MEMBER: Actor(EVE, is_there=True),
        Role.INVITED: Actor(EVE, is_invited=True),
        Role.GUEST: Actor(EVE, is_guest=True),
        Role.SEATED: Actor(BOB),
        Role.SITTER: Actor(CID),
        Role.OPENER: Actor(ANN),
        Role.MODERATOR: Actor(EVE, manages=True),
    }
    allowed = {part for part, asker in askers.items() if is_allowed(asker, wanted)}
    assert allowed == RIGHTS[wanted].parts and not is_allowed(Actor(EVE), wanted)


def is_allowed(asker: Actor, wanted: str) -> bool:
    try:
        check_right(GAME, SEATS, asker, wanted)
    except Rejected:
        return False
    return True


async def test_a_sitter_is_named_where_he_moves_for_another_not_where_he_moves_for_himself(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 1, BOB, "Bob", 3)
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    own = await tables.moves.submit(game_id, BOB, "Bob: bid P1 2")
    assert not any("sitter" in line for line in own.lines)
    await tables.moves.submit(game_id, CID, "bid P1 3")
    assert (await tables.moves.submit(game_id, BOB, "Ann: bid P1 4")).lines[0] == "A sitter moves for Ann."
