"""Every route that the bot uses × what Discord can do to it: nobody waits without a prompt, nothing is doubled or lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord_double.calls import Call
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.used import IN_THE_MATRIX
from tests.reliability.matrix import FAULTS, SCENES, Game, slice_number
from tests.reliability.table import BLANK_BOT

ALLOWED = "unanswered|40[04] (10008|10062|10015|40060)|bot: ended by itself|log: .*(ERROR|Traceback|never awaited)"


async def opened(double: Double, data: Path, scene: str) -> Game:
    """A bot, and nothing played yet."""
    bot = await double.launch(BLANK_BOT, data=data, environment={"SIGNALBOX_DOUBLE_PATIENCE": "0.5"})
    game = Game(double, bot, data)
    if scene == "forum":
        game.forum = double.add_forum("18xx", "Playing", "1848")
    double.expect(ALLOWED, optional=True)
    return game


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("fault", FAULTS)
async def test_the_game_goes_on_when_the_fault_ends(double: Double, tmp_path: Path, fault: str, scene: str) -> None:
    game = await opened(double, tmp_path, scene)
    wrong = await game.play(scene, fault, list(SCENES[scene]))
    assert not wrong, "\n".join(wrong)


async def test_a_part_of_the_matrix(double: Double, tmp_path: Path) -> None:
    every = [(scene, cell, fault) for scene, cells in SCENES.items() for cell in cells for fault in FAULTS]
    scene, cell, fault = every[slice_number() % len(every)]
    game = await opened(double, tmp_path, scene)
    wrong = await game.play(scene, fault, [cell])
    assert not wrong, "\n".join(wrong)


def test_the_matrix_has_every_route_that_the_bot_uses() -> None:
    assert {cell.route for cells in SCENES.values() for cell in cells} == set(IN_THE_MATRIX)


async def test_a_route_that_the_matrix_does_not_have_is_told(tmp_path: Path) -> None:
    double = Double()
    await double.start()
    await double.launch(BLANK_BOT, data=tmp_path)
    double.calls.append(Call("GET", "/guilds/1/roles", {}, template="/guilds/{guild}/roles", status=200))
    with pytest.raises(AssertionError, match=r"does not have: GET /guilds/\{guild\}/roles"):
        await double.close()
