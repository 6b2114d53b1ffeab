"""A move chosen by menus: kind, then one field after another with pictures, then what it would do, then the move.

Everything stands in the ids of buttons and menus, so that a restart in the middle costs nothing.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import discord

from bot.commands.discord.interactions.client import GameClient, Interaction
from bot.commands.discord.interactions.responses import (
    answering,
    edit,
    is_panel,
    person_of,
    plain,
    refusal_text,
    speak_to,
    values_of,
)
from bot.engine.ids import PlayerId
from bot.engine.notation.messages import money, question
from bot.engine.notation.text import text_of, verb_of
from bot.engine.play.game import Game
from bot.engine.play.move_builder import together
from bot.engine.refusals import IllegalMove, NotYourTurn, ParseError, Rejected, StalePosition
from bot.engine.state.actions import LayTile, PlaceToken
from bot.i18n import refused, say
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.parser import menus
from bot.service.parser.choice_hints import value_of
from bot.service.parser.menus import Menu
from bot.service.parser.moves import read
from bot.service.parser.preview import paid
from bot.service.parser.suggestions import may_be_written, short_text
from bot.service.sessions.session_manager import MOVED_ON

from .game_buttons import answer_move, show_turn
from .move_buttons import LONGEST_ID, GuideButton, MoveButton, dotted, path_of

log = logging.getLogger(__name__)

ROW = 25
"""Discord shows so many options in a menu, and four menus above a row of buttons."""

PAGE = 4 * ROW
MOST_DRAWN = 12
FORM = re.compile(r"(?P<what>sum|move|turn):(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)")
LONGEST_WRITTEN = 300


async def open_menu(pressed: GuideButton, interaction: Interaction) -> None:
    """Ask the next question."""
    async with answering(interaction, is_update=is_panel(interaction)):
        await show_menu_or_turn(interaction, pressed.game, pressed.version, pressed.kind, pressed.path, pressed.page)


class GuideMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"gs:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*):(?P<first>\d{1,9})",
):
    """Up to 25 values of a field."""

    def __init__(self, game: int, version: int, found: Menu, first: int) -> None:
        self.game, self.version, self.kind, self.path = game, version, found.kind, found.path
        options = [
            discord.SelectOption(label=choice.label[:100], value=str(number), description=choice.note[:100] or None)
            for number, choice in list(enumerate(found.choices))[first : first + ROW]
        ]
        asked = (
            found.question
            if len(found.choices) <= ROW
            else f"{found.question} {options[0].label} … {options[-1].label}"
        )
        super().__init__(
            discord.ui.Select(
                custom_id=f"gs:{game}:{version}:{found.kind}:{dotted(found.path)}:{first}",
                placeholder=asked[:150],
                options=options,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> GuideMenu:
        """The menu that was used; its options are not needed any more."""
        found = Menu(match["kind"], path_of(match["path"]), "", "?", (), (menus.MenuOption("-"),), ())
        return cls(int(match["game"]), int(match["version"]), found, 0)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Take the value and ask what comes next."""
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        async with answering(interaction, is_update=is_panel(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, *chosen[:1]))


class MultiSelectMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"gx:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Values of which several are chosen at once: up to 25."""

    def __init__(self, game: int, version: int, found: Menu) -> None:
        self.game, self.version, self.kind, self.path = game, version, found.kind, found.path
        options = [
            discord.SelectOption(label=choice.label[:100], value=str(number), description=choice.note[:100] or None)
            for number, choice in list(enumerate(found.choices))[:ROW]
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"gx:{game}:{version}:{found.kind}:{dotted(found.path)}",
                placeholder=found.question[:150],
                options=options,
                min_values=max(1, found.least),
                max_values=min(found.most, len(options)),
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> MultiSelectMenu:
        """The menu that was used; its options are not needed any more."""
        found = Menu(match["kind"], path_of(match["path"]), "", "?", (), (menus.MenuOption("-"),), ())
        return cls(int(match["game"]), int(match["version"]), found)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Take the values and ask what comes next."""
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        answer = together([number for number in chosen if number < ROW])
        async with answering(interaction, is_update=is_panel(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, answer))


class ConfirmMoveButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gp:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Makes the move to which the choices lead, where its text is too long for the id of a button."""

    def __init__(self, game: int, version: int, kind: str, path: tuple[int, ...], label: str = "") -> None:
        self.game, self.version, self.kind, self.path = game, version, kind, path
        super().__init__(
            discord.ui.Button(
                label=label[:80] or "…",
                style=discord.ButtonStyle.success,
                custom_id=f"gp:{game}:{version}:{kind}:{dotted(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> ConfirmMoveButton:
        """The button that was pressed."""
        return cls(int(match["game"]), int(match["version"]), match["kind"], path_of(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Make the move on the position that the button was made for."""
        async with answering(interaction, is_update=is_panel(interaction)):
            try:
                _, position, seats = await own_position(interaction, self.game, self.version)
                found = await asyncio.to_thread(menus.menu, position.copy(), seats, self.kind, self.path)
                if found.action is None:
                    raise StalePosition(MOVED_ON)
                text = text_of(found.action)
                played = await interaction.client.tables.play.play(
                    self.game, person_of(interaction.user), text, self.version
                )
            except StalePosition as refusal:
                await show_turn(interaction, self.game, refused(refusal))
            else:
                await answer_move(interaction, played)


class AmountButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gm:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Opens a form for a sum of money."""

    def __init__(self, game: int, version: int, kind: str, path: tuple[int, ...]) -> None:
        self.game = game
        self.id_of_form = f"sum:{game}:{version}:{kind}:{dotted(path)}"
        super().__init__(
            discord.ui.Button(
                label=say("another amount …"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"gm:{game}:{version}:{kind}:{dotted(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> AmountButton:
        """The button that was pressed."""
        return cls(int(match["game"]), int(match["version"]), match["kind"], path_of(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form: only a first answer can."""
        await speak_to(interaction)
        form = discord.ui.Modal(title=say("How much?"), custom_id=self.id_of_form, timeout=900)
        form.add_item(
            discord.ui.TextInput(label=say("Amount"), custom_id="sum", max_length=9, placeholder=say("a whole number"))
        )
        await interaction.response.send_modal(form)


class FreeTextButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gw:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Opens a form with a move of this kind in words, to be changed: for moves that are too many to be listed."""

    def __init__(self, game: int, version: int, kind: str, path: tuple[int, ...]) -> None:
        self.game, self.version, self.kind, self.path = game, version, kind, path
        super().__init__(
            discord.ui.Button(
                label=say("write it …"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"gw:{game}:{version}:{kind}:{dotted(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> FreeTextButton:
        """The button that was pressed."""
        return cls(int(match["game"]), int(match["version"]), match["kind"], path_of(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form: only a first answer can, so that a refusal is one, too."""
        await speak_to(interaction)
        try:
            _, position, seats = await own_position(interaction, self.game, self.version)
            found = await asyncio.to_thread(menus.menu, position.copy(), seats, self.kind, self.path)
        except Rejected as refusal:
            await interaction.response.send_message(say(refusal_text(refusal)), ephemeral=True)
            return
        form = discord.ui.Modal(
            title=say("The move in words")[:45],
            custom_id=f"move:{self.game}:{self.version}:{self.kind}:{dotted(self.path)}",
            timeout=900,
        )
        text = await asyncio.to_thread(menus.example, position.copy(), found, seats)
        needs = verb_of(found.verb).needs
        form.add_item(
            discord.ui.TextInput(
                label=say(needs or "Move")[:45], custom_id="move", max_length=LONGEST_WRITTEN, default=text
            )
        )
        await interaction.response.send_modal(form)


async def form_entered(interaction: Interaction, found: re.Match[str]) -> None:
    """A form came back, perhaps to another process than the one that opened it."""
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    typed = (values[0] if values else "").strip()
    game, version = int(found["game"]), int(found["version"])
    async with answering(interaction, is_update=is_panel(interaction)):
        _, position, seats = await own_position(interaction, game, version)
        asked = await asyncio.to_thread(menus.menu, position.copy(), seats, found["kind"], path_of(found["path"]))
        if found["what"] == "move":
            actions = await asyncio.to_thread(read, position.copy(), typed, seats)
            if len(actions) != 1:
                raise ParseError("Please enter one move; /move takes several.")
            await show_confirmation(interaction, game, version, asked, actions[0])
            return
        typed = typed.lstrip(position.title.currency)
        if not typed.isdecimal():
            raise ParseError("An amount is a whole number, for example 175.")
        if asked.sums is None:
            raise StalePosition(MOVED_ON)
        if not asked.left:
            await show_menu_or_turn(interaction, game, version, asked.kind, (*asked.path, int(typed)))
            return
        await show_confirmation(interaction, game, version, asked, menus.with_sum(position, asked, int(typed)))


def form_fields(part: Any) -> list[dict[str, Any]]:
    """All fields of a submitted form, whatever they are wrapped in."""
    if isinstance(part, list):
        return [field for one in part for field in form_fields(one)]
    if not isinstance(part, dict):
        return []
    if "value" in part:
        return [part]
    return form_fields(part.get("components")) + form_fields(part.get("component"))


# -- showing ------------------------------------------------------------------------------------------


async def own_position(interaction: Interaction, game: int, version: int) -> tuple[int, Game, list[PlayerId]]:
    """The position that the panel is about, and the user's seats in it.

    :raises StalePosition: the game has moved on.
    :raises NotYourTurn: the user is not asked.
    """
    table, position = await interaction.client.tables.play.running(game)
    seats = table.seats_of(person_of(interaction.user))
    if not set(seats) & set(position.asked()) and not menus.legal_for(position, seats):
        raise NotYourTurn("It is not your turn. {status}", "", question(position))
    if version != table.record.version:
        raise StalePosition(MOVED_ON)
    return game, position, seats


async def show_menu_or_turn(
    interaction: Interaction, game: int, version: int, kind: str, path: tuple[int, ...] = (), page: int = 0
) -> None:
    """The menu; where the game has moved on, what is asked now."""
    try:
        await show_menu(interaction, game, version, kind, path, page)
    except StalePosition as refusal:
        await show_turn(interaction, game, refused(refusal))


async def show_menu(
    interaction: Interaction, game: int, version: int, kind: str, path: tuple[int, ...] = (), page: int = 0
) -> None:
    """Ask the next field, or show what the whole move would do.

    :raises Rejected: the position has changed, or is not the user's.
    """
    client = interaction.client
    _, position, seats = await own_position(interaction, game, version)
    found = await asyncio.to_thread(menus.menu, position.copy(), seats, kind, path)
    if found.action is not None:
        await show_confirmation(interaction, game, version, found, found.action)
        return
    if len(f"gs:{game}:{version}:{kind}:{dotted(path)}:{len(found.choices)}") > LONGEST_ID:
        raise IllegalMove("That is too much for a menu; write it after /move.")
    first = page * PAGE
    view = discord.ui.View(timeout=None)
    if found.is_several:
        view.add_item(MultiSelectMenu(game, version, found))
        if found.least == 0:
            view.add_item(GuideButton(game, version, kind, (*path, 0), 0, say("none")))
    else:
        for begin in range(first, min(first + PAGE, len(found.choices)), ROW):
            view.add_item(GuideMenu(game, version, found, begin))
    if found.sums is not None:
        view.add_item(AmountButton(game, version, kind, path))
    if may_be_written(found.verb):
        view.add_item(FreeTextButton(game, version, kind, path))
    if path:
        view.add_item(GuideButton(game, version, kind, path[:-1], 0, say("back")))
    if first:
        view.add_item(GuideButton(game, version, kind, path, page - 1, say("earlier")))
    if first + PAGE < len(found.choices):
        view.add_item(GuideButton(game, version, kind, path, page + 1, say("more …")))
    told = [plain(found.question)]
    if found.sums is not None:
        told.append(say("Usual amounts: {low} to {high}.", *(money(position, amount) for amount in found.sums)))
    text = f"{' '.join(told)}\n`{menus.text_command(position, found)}`"
    await edit(interaction, text, await drawn(client, position, found), view)


async def drawn(client: GameClient, position: Game, found: Menu) -> list[Picture]:
    """What there is to choose, as a picture; nothing where a picture would not help or cannot be had."""
    spaces = list(dict.fromkeys(str(space) for action in found.left for space in menus.spaces_of(position, action)))
    spaces = spaces or [str(space) for space in found.spaces]
    if not spaces:
        return []
    try:
        if found.tiles:
            return [await client.studio.picture(position, "tiles", (), " ".join(found.tiles))]
        if not found.left:
            return [await client.studio.picture(position, "crop", (), " ".join(spaces))]
        if found.field in ("by", "hex") or not isinstance(found.left[0], LayTile | PlaceToken):
            return [await client.studio.picture(position, "crop", spaces)]
        firsts = {value_of(action, found.field or "hex"): action for action in reversed(found.left)}
        texts = [text_of(action) for action in reversed(firsts.values())]
        return [await client.studio.picture(position, "choices", (), "\n".join(texts[:MOST_DRAWN]))]
    except (PictureFailed, Rejected) as trouble:
        log.warning("no picture of the choices: %s", trouble)
        return []


async def show_confirmation(interaction: Interaction, game: int, version: int, found: Menu, action: Any) -> None:
    """What the move would do, with a button that makes it."""
    client = interaction.client
    _, position, _ = await own_position(interaction, game, version)
    text = text_of(action)
    tried = await client.tables.sandbox.preview(game, person_of(interaction.user), [action])
    view = discord.ui.View(timeout=None)
    short = short_text(position, action)
    is_short = len(f"mv:{game}:{version}:{text}") <= LONGEST_ID
    is_chosen = found.action is not None and len(f"gp:{game}:{version}:{found.kind}:{dotted(found.path)}") <= LONGEST_ID
    if is_short:
        view.add_item(MoveButton(game, version, text, say("Do it: {move}", short)))
    elif is_chosen:
        view.add_item(ConfirmMoveButton(game, version, found.kind, found.path, say("Do it: {move}", short)))
    if found.path:
        view.add_item(GuideButton(game, version, found.kind, found.path[:-1], 0, say("back")))
    pictures: list[Picture] = []
    spaces = [str(space) for space in menus.spaces_of(position, action)]
    if spaces:
        try:
            pictures = [await client.studio.picture(tried.game, "crop", spaces)]
        except (PictureFailed, Rejected) as trouble:
            log.warning("no preview: %s", trouble, extra={"game": game})
    costs = await asyncio.to_thread(paid, position.copy(), action, tried.lines)
    lines = [say("`{move}` would do this:", short), *(f"- {plain(line)}" for line in (*tried.lines, *costs))]
    lines.append(say("Then: {question}", plain(say(tried.question))))
    if not (is_short or is_chosen):
        lines.append(say("It is too long for a button: copy it to /move."))
    await edit(interaction, "\n".join(lines), pictures, view)
