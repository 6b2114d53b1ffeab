"""Buttons and menus that were posted go on for ever: the forms of their ids never change."""

from __future__ import annotations

import discord
import pytest

import bot.commands.discord.bot  # noqa: F401
from bot.commands.discord.interactions.lobbies import LobbyButton
from bot.commands.discord.interactions.persistent_items import PersistentItem
from bot.commands.discord.slash.command_buttons import (
    AskUndoButton,
    OrderButton,
    PlanButton,
    PlanDraftButton,
    QuestionButton,
    RematchButton,
    RewindButton,
    SandboxButton,
    SeasonButton,
    SnoozeButton,
    UndoButton,
)
from bot.commands.discord.slash.game_buttons import LookButton
from bot.commands.discord.slash.lobby import ClockMenu, OptionMenu
from bot.commands.discord.slash.move_buttons import CompanyTurnButton, GuideButton, MoveButton
from bot.commands.discord.slash.move_menus import (
    FORM,
    AmountButton,
    ConfirmMoveButton,
    FreeTextButton,
    GuideMenu,
    MultiSelectMenu,
)
from bot.commands.discord.slash.whatif import HexMenu

PLACE = {"game": 17, "version": 230, "kind": "BuyShare", "path": (3, 0, 21)}

IDS: dict[str, tuple[type[PersistentItem], dict[str, object]]] = {
    # Of release 0.1.0.
    "mv:17:230:@1 buy P1 for 90": (MoveButton, {"game": 17, "version": 230, "move": "@1 buy P1 for 90"}),
    "look:17:market": (LookButton, {"game": 17, "what": "market", "mark": ""}),
    "lobby:17:join": (LobbyButton, {"game": 17, "verb": "join"}),
    "sn:17": (SnoozeButton, {"game": 17}),
    "rm:17": (RematchButton, {"game": 17}),
    "se:3:enter": (SeasonButton, {"season": 3, "verb": "enter"}),
    "se:3:leave": (SeasonButton, {"season": 3, "verb": "leave"}),
    "gd:17:230:BuyShare:3.0.21:2": (GuideButton, PLACE | {"page": 2}),
    "gd:17:230:LayTile::0": (GuideButton, PLACE | {"kind": "LayTile", "path": (), "page": 0}),
    "gs:17:230:BuyShare:3.0.21:25": (GuideMenu, PLACE | {"first": 25}),
    "gx:17:230:BuyShare:3.0.21": (MultiSelectMenu, PLACE),
    "gp:17:230:BuyShare:3.0.21": (ConfirmMoveButton, PLACE),
    "gm:17:230:BuyShare:3.0.21": (AmountButton, PLACE),
    "gw:17:230:BuyShare:3.0.21": (FreeTextButton, PLACE),
    "op:17:1": (OptionMenu, {"game": 17, "place": 1}),
    "rw:17:230:12": (RewindButton, {"game": 17, "version": 230, "number": 12}),
    "au:17:drop:4": (OrderButton, {"game": 17, "verb": "drop", "order": 4}),
    "qa:8:yes": (QuestionButton, {"question": 8, "answer": "yes"}),
    "vu:17:12": (AskUndoButton, {"game": 17, "number": 12}),
    "if:17:230:commit": (SandboxButton, {"game": 17, "version": 230, "verb": "commit"}),
    # Of later releases.
    "pn:17:pass until start, sale of mine": (PlanButton, {"game": 17, "order": "pass until start, sale of mine"}),
    "pd:17:bid CS up to 45": (PlanDraftButton, {"game": 17, "order": "bid CS up to 45"}),
    "au:17:idle:0": (OrderButton, {"game": 17, "verb": "idle", "order": 0}),
    "un:17:230": (UndoButton, {"game": 17, "version": 230}),
    "look:17:turn:230": (LookButton, {"game": 17, "what": "turn", "mark": ":230"}),
    "lobby:17:computer": (LobbyButton, {"game": 17, "verb": "computer"}),
    "tu:17:230:1:+lay 57 H11 1": (CompanyTurnButton, {"game": 17, "version": 230, "made": 1, "what": "+lay 57 H11 1"}),
    "ck:17": (ClockMenu, {"game": 17}),
    "ts:17:230:1": (HexMenu, {"game": 17, "version": 230, "made": 1}),
}


@pytest.mark.parametrize("custom_id", IDS)
async def test_a_posted_id_is_made_and_read_as_ever(custom_id: str) -> None:
    kind, parts = IDS[custom_id]
    match = kind.id_form.template.fullmatch(custom_id)
    assert match is not None and kind.id_form.parse(match) == parts
    assert kind.id_form.format(**parts) == custom_id
    posted: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="Map", custom_id=custom_id)
    pressed = await kind.from_custom_id(None, posted, match)  # type: ignore[arg-type]
    assert {name: getattr(pressed, name) for name in parts} == parts and pressed.item is posted
    readers = [other for other in PersistentItem.__subclasses__() if other.id_form.template.fullmatch(custom_id)]
    assert readers == [kind]


def test_every_kind_has_an_id_above() -> None:
    assert {kind for kind, _ in IDS.values()} == set(PersistentItem.__subclasses__())


@pytest.mark.parametrize("custom_id", ["sum:17:230:BuyShare:3.0.21", "move:17:230:BuyShare:", "turn:17:230:turn:2"])
def test_forms_are_known_by_their_ids(custom_id: str) -> None:
    match = FORM.template.fullmatch(custom_id)
    assert match is not None and FORM.format(**FORM.parse(match)) == custom_id


def test_an_id_that_is_too_long_does_not_fit() -> None:
    assert MoveButton(17, 230, "x" * 90).fits and not MoveButton(17, 230, "x" * 91).fits
