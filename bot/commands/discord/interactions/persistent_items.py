"""Buttons and menus that survive a restart: all they need stands in their custom ids, whose forms they declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, ClassVar, Self

import discord

from bot.engine import GameId
from bot.i18n import tr

from .responses import is_ephemeral

Button = discord.ui.Button[Any]
Select = discord.ui.Select[Any]

LONGEST_ID = 100
"""Discord's maximum number of characters of a custom id."""

MOST_LABEL = 80

NUMBER, PATH = r"\d{1,9}", r"[\d.]*"

MENU_PATH = rf"{{game}}:{{version}}:{{kind:\w+}}:{{path:{PATH}}}"
"""A place in the menus of a kind of move: the numbers of the answers so far."""


class IdForm:
    """The form of a custom id, for example `au:{game}:{verb:pass|wake}:{order}`: a part is a number, or text that matches
    the expression after its name. A `PATH` is a tuple of numbers.
    """

    def __init__(self, form: str) -> None:
        found = list(Formatter().parse(form))
        self.parts = {name: pattern or NUMBER for _, name, pattern, _ in found if name}
        self._text = "".join(f"{literal}{{{name}}}" if name else literal for literal, name, _, _ in found)
        self.template = re.compile(
            self._text.format(**{name: f"(?P<{name}>{self.parts[name]})" for name in self.parts})
        )

    def format(self, **parts: Any) -> str:
        written = {
            name: ".".join(map(str, part)) if self.parts.get(name) == PATH else part for name, part in parts.items()
        }
        return self._text.format(**written)

    def parse(self, match: re.Match[str]) -> dict[str, Any]:
        return {name: decode(pattern, match[name]) for name, pattern in self.parts.items()}


def decode(pattern: str, text: str) -> int | str | tuple[int, ...]:
    if pattern == PATH:
        return tuple(int(number) for number in text.split(".") if number)
    return int(text) if pattern.startswith(r"\d") else text


class PersistentItem(discord.ui.DynamicItem[Any], template=re.compile("(?!)")):
    """A button or menu: made from the parts of its id, in their order, and by name from what only its look needs.

    A kind of them declares the form of its id, its label where that never changes, and the command that it runs, in which
    its attributes may stand (`{0.verb}`). With `is_update` the answer replaces the private message in which the item stands.
    """

    id_form: ClassVar[IdForm]
    runs: ClassVar[str]
    is_update: ClassVar[bool]

    game: GameId
    version: int
    number: int
    verb: str
    kind: str
    path: tuple[int, ...]
    made: int
    label: str
    style = discord.ButtonStyle.secondary

    def __init_subclass__(cls, form: str, command: str = "", is_update: bool = False) -> None:
        cls.id_form, cls.runs, cls.is_update = IdForm(form), command, is_update
        super().__init_subclass__(template=cls.id_form.template)

    def __init__(self, *parts: Any, **look: Any) -> None:
        vars(self).update(zip(self.id_form.parts, parts, strict=False), **look)
        item = self.build()
        item.custom_id = self.id_form.format(**{name: getattr(self, name) for name in self.id_form.parts})
        super().__init__(item)

    def build(self) -> Button | Select:
        """Discord's item, still without its id."""
        return Button(label=tr(self.label)[:MOST_LABEL], style=self.style)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> Self:
        """The pressed item, which keeps its look."""
        pressed = cls.__new__(cls)
        vars(pressed).update(cls.id_form.parse(match))
        super(PersistentItem, pressed).__init__(item)
        return pressed

    @property
    def fits(self) -> bool:
        """Whether Discord takes its id."""
        return len(self.custom_id) <= LONGEST_ID

    def values(self) -> Mapping[str, Any]:
        """The values of the command's parameters."""
        return {}

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Run the command; where the id names a version, only while the game stands there."""
        await interaction.client.run_command(
            interaction,
            self.runs.format(self),
            self.values(),
            getattr(self, "game", None),
            getattr(self, "version", None),
            is_update=self.is_update and is_ephemeral(interaction),
        )


def view_of(items: Iterable[discord.ui.Item[Any]]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view
