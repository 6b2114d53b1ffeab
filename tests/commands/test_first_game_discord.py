"""docs/tutorial/first-game-discord.md is what newcomers see in Discord who press buttons alone: their taps are made again, and what they
see is compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.discord_table import Table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import SELECTS, Button, PostedMessage, walk_components
from tests.discord_double.user import ScriptedUser
from tests.reliability.table import BLANK_BOT

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "first-game-discord.md"
TAP = re.compile(r"^\w+: \[(.+)\]$", re.M)
A_ROW = 5


class Seen:
    """What the people at a table see and do, as a page tells it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lines: list[str] = []
        self.told: set[tuple[int, str]] = set()

    def plain(self, text: str) -> list[str]:
        """A message's text with names in place of mentions."""
        for person in self.table.people:
            text = text.replace(person.mention, f"@{person.name}")
        text = re.sub(r"<#\d+>", f"#{self.table.thread.name}", text) if self.table.double.threads else text
        return re.sub(r"<t:\d+:R>", "just now", text).replace("\\", "").splitlines()

    def show(self, heading: str, message: PostedMessage) -> None:
        """Add a message."""
        pictures = [f"({file.filename})" for file in message.attachments]
        menus = [
            f"[{part.get('placeholder') or 'choose'}: {', '.join(option['label'] for option in part['options'])}]"
            for part in walk_components(message.components)
            if part["type"] in SELECTS
        ]
        below = [" ".join(map(labelled, message.buttons[n : n + A_ROW])) for n in range(0, len(message.buttons), A_ROW)]
        every = [*self.plain(message.text), *pictures, *menus, *below]
        self.lines += [heading, *(f"  {line}".rstrip() for line in every), ""]

    async def wait(self) -> None:
        """Until everything is posted, and one is asked; then add what is new: a record when it begins and when it is closed,
        and the question."""
        table = self.table
        await table.settled()
        for record in table.boards():
            heading = "A record begins:" if record.buttons else "The record is closed:"
            if (record.id, heading) not in self.told:
                self.told.add((record.id, heading))
                self.show(heading, record)
        asked, ping = table.turn()
        self.show(f"To {asked.name}:", ping)

    async def tap(self, person: ScriptedUser, labels: Sequence[str]) -> None:
        """Press these one after another, the first below the question, and add what only this player sees."""
        source, reply = self.table.turn()[1], None
        for label in labels:
            self.lines += [f"{person.name}: [{label}]", ""]
            if reply is None:
                reply = await person.click(source, label)
            elif label in [button.label for button in reply.buttons]:
                reply = await self.table.use(person, reply, label=label)
            else:
                reply = await self.table.use(person, reply, label)
            self.show(f"{person.name} alone sees:", reply.message)


def labelled(button: Button) -> str:
    """A button as it looks."""
    return f"[{button.label}]"


async def played(double: Double, data: Path, turns: Sequence[Sequence[str]]) -> list[str]:
    """The lines of what is seen where these taps are made, a turn's together."""
    table = Table(double, await double.launch(BLANK_BOT, data=data))
    await table.open()
    seen = Seen(table)
    await seen.wait()
    for labels in turns:
        before = table.asked_at()
        await seen.tap(table.turn()[0], labels)
        await table.wait(lambda before=before: table.asked_at() > before, "another question")
        await seen.wait()
    return [line for line in seen.lines if line]


@pytest.mark.whole
async def test_the_transcript_is_what_players_see(double: Double, tmp_path: Path) -> None:
    page = "".join(block.partition("\n")[2] for block in PAGE.read_text(encoding="utf-8").split("```")[1::2])
    turns = [TAP.findall(turn) for turn in re.split(r"^To \w+:$", page, flags=re.M)]
    seen = await played(double, tmp_path, [taps for taps in turns if taps])
    assert seen == [line for line in page.splitlines() if line]
