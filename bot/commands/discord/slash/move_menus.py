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
    edit,
    escape,
    is_ephemeral,
    person_of,
    refusal_text,
    respond,
    set_user_language,
    values_of,
)
from bot.engine import GameId, PlayerId
from bot.engine.notation.messages import money, question
from bot.engine.notation.text import format_action, verb_of
from bot.engine.play.game import Game
from bot.engine.play.move_builder import encode_answer
from bot.engine.refusals import IllegalMove, NotYourTurn, ParseError, Rejected, StalePosition
from bot.engine.state.actions import LayTile, PlaceToken
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.parser import menus
from bot.service.parser.choice_hints import value_of
from bot.service.parser.menus import Menu
from bot.service.parser.moves import read
from bot.service.parser.preview import cost_lines
from bot.service.parser.suggestions import may_be_written, short_text
from bot.service.sessions.session_manager import MOVED_ON

from .game_buttons import answer_move, show_turn
from .move_buttons import LONGEST_ID, GuideButton, MoveButton, format_path, parse_path

log = logging.getLogger(__name__)

ROW = 25
"""Discord's maximum number of options in a menu; it shows four menus above a row of buttons."""

PAGE = 4 * ROW
MOST_DRAWN = 12
FORM = re.compile(r"(?P<what>sum|move|turn):(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)")
LONGEST_WRITTEN = 300


async def open_menu(pressed: GuideButton, interaction: Interaction) -> None:
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        await show_menu_or_turn(interaction, pressed.game, pressed.version, pressed.kind, pressed.path, pressed.page)


class GuideMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"gs:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*):(?P<first>\d{1,9})",
):
    """Up to 25 values of a field."""

    def __init__(self, game_id: GameId, version: int, found: Menu, first: int) -> None:
        self.game, self.version, self.kind, self.path = game_id, version, found.kind, found.path
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
                custom_id=f"gs:{game_id}:{version}:{found.kind}:{format_path(found.path)}:{first}",
                placeholder=asked[:150],
                options=options,
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> GuideMenu:
        """The menu that was used; its options are not needed any more."""
        found = Menu(match["kind"], parse_path(match["path"]), "", "?", (), (menus.MenuOption("-"),), ())
        return cls(GameId(int(match["game"])), int(match["version"]), found, 0)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, *chosen[:1]))


class MultiSelectMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"gx:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Up to 25 values, of which several are chosen at once."""

    def __init__(self, game_id: GameId, version: int, found: Menu) -> None:
        self.game, self.version, self.kind, self.path = game_id, version, found.kind, found.path
        options = [
            discord.SelectOption(label=choice.label[:100], value=str(number), description=choice.note[:100] or None)
            for number, choice in list(enumerate(found.choices))[:ROW]
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"gx:{game_id}:{version}:{found.kind}:{format_path(found.path)}",
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
        found = Menu(match["kind"], parse_path(match["path"]), "", "?", (), (menus.MenuOption("-"),), ())
        return cls(GameId(int(match["game"])), int(match["version"]), found)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        answer = encode_answer([number for number in chosen if number < ROW])
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, answer))


class ConfirmMoveButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gp:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Makes the chosen move, where its text is too long for a button's id."""

    def __init__(self, game_id: GameId, version: int, kind: str, path: tuple[int, ...], label: str = "") -> None:
        self.game, self.version, self.kind, self.path = game_id, version, kind, path
        super().__init__(
            discord.ui.Button(
                label=label[:80] or "…",
                style=discord.ButtonStyle.success,
                custom_id=f"gp:{game_id}:{version}:{kind}:{format_path(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> ConfirmMoveButton:
        return cls(GameId(int(match["game"])), int(match["version"]), match["kind"], parse_path(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            try:
                _, position, seats = await own_position(interaction, self.game, self.version)
                found = await asyncio.to_thread(menus.menu, position.copy(), seats, self.kind, self.path)
                if found.action is None:
                    raise StalePosition(MOVED_ON)
                text = format_action(found.action)
                played = await interaction.client.tables.moves.submit(
                    self.game, person_of(interaction.user), text, self.version
                )
            except StalePosition as refusal:
                await show_turn(interaction, self.game, tr_error(refusal))
            else:
                await answer_move(interaction, played)


class AmountButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gm:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    def __init__(self, game_id: GameId, version: int, kind: str, path: tuple[int, ...]) -> None:
        self.game = game_id
        self.id_of_form = f"sum:{game_id}:{version}:{kind}:{format_path(path)}"
        super().__init__(
            discord.ui.Button(
                label=tr("another amount …"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"gm:{game_id}:{version}:{kind}:{format_path(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> AmountButton:
        return cls(GameId(int(match["game"])), int(match["version"]), match["kind"], parse_path(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form, which only the first response to an interaction can do."""
        await set_user_language(interaction)
        form = discord.ui.Modal(title=tr("How much?"), custom_id=self.id_of_form, timeout=900)
        form.add_item(
            discord.ui.TextInput(label=tr("Amount"), custom_id="sum", max_length=9, placeholder=tr("a whole number"))
        )
        await interaction.response.send_modal(form)


class FreeTextButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"gw:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<kind>\w+):(?P<path>[\d.]*)",
):
    """Opens a form with a move of this kind as text to edit: for kinds with too many moves to list."""

    def __init__(self, game_id: GameId, version: int, kind: str, path: tuple[int, ...]) -> None:
        self.game, self.version, self.kind, self.path = game_id, version, kind, path
        super().__init__(
            discord.ui.Button(
                label=tr("write it …"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"gw:{game_id}:{version}:{kind}:{format_path(path)}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> FreeTextButton:
        return cls(GameId(int(match["game"])), int(match["version"]), match["kind"], parse_path(match["path"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form, which only the first response can do; so a refusal is a first response, too."""
        await set_user_language(interaction)
        try:
            _, position, seats = await own_position(interaction, self.game, self.version)
            found = await asyncio.to_thread(menus.menu, position.copy(), seats, self.kind, self.path)
        except Rejected as refusal:
            await interaction.response.send_message(tr(refusal_text(refusal)), ephemeral=True)
            return
        form = discord.ui.Modal(
            title=tr("The move in words")[:45],
            custom_id=f"move:{self.game}:{self.version}:{self.kind}:{format_path(self.path)}",
            timeout=900,
        )
        text = await asyncio.to_thread(menus.example, position.copy(), found, seats)
        needs = verb_of(found.verb).needs
        form.add_item(
            discord.ui.TextInput(
                label=tr(needs or "Move")[:45], custom_id="move", max_length=LONGEST_WRITTEN, default=text
            )
        )
        await interaction.response.send_modal(form)


async def on_form(interaction: Interaction, found: re.Match[str]) -> None:
    """Handle a submitted form, which another process may have opened."""
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    typed = (values[0] if values else "").strip()
    game, version = GameId(int(found["game"])), int(found["version"])
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        _, position, seats = await own_position(interaction, game, version)
        asked = await asyncio.to_thread(menus.menu, position.copy(), seats, found["kind"], parse_path(found["path"]))
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
    """All fields of a submitted form, at any depth."""
    if isinstance(part, list):
        return [field for one in part for field in form_fields(one)]
    if not isinstance(part, dict):
        return []
    if "value" in part:
        return [part]
    return form_fields(part.get("components")) + form_fields(part.get("component"))


# -- showing ------------------------------------------------------------------------------------------


async def own_position(interaction: Interaction, game_id: GameId, version: int) -> tuple[GameId, Game, list[PlayerId]]:
    """The position of the panel, and the user's seats in it.

    :raises StalePosition: the game has moved on.
    :raises NotYourTurn: the user is not asked.
    """
    table, position = await interaction.client.tables.moves.require_running(game_id)
    seats = table.seats_of(person_of(interaction.user))
    if not set(seats) & set(position.players_to_act()) and not menus.legal_for(position, seats):
        raise NotYourTurn("It is not your turn. {status}", "", question(position))
    if version != table.record.version:
        raise StalePosition(MOVED_ON)
    return game_id, position, seats


async def show_menu_or_turn(
    interaction: Interaction, game_id: GameId, version: int, kind: str, path: tuple[int, ...] = (), page: int = 0
) -> None:
    """Show the menu; where the game has moved on, the present question."""
    try:
        await show_menu(interaction, game_id, version, kind, path, page)
    except StalePosition as refusal:
        await show_turn(interaction, game_id, tr_error(refusal))


async def show_menu(
    interaction: Interaction, game_id: GameId, version: int, kind: str, path: tuple[int, ...] = (), page: int = 0
) -> None:
    """Ask for the next field, or show the effect of the whole move.

    :raises Rejected: the position has changed, or is not the user's.
    """
    client = interaction.client
    _, position, seats = await own_position(interaction, game_id, version)
    found = await asyncio.to_thread(menus.menu, position.copy(), seats, kind, path)
    if found.action is not None:
        await show_confirmation(interaction, game_id, version, found, found.action)
        return
    if len(f"gs:{game_id}:{version}:{kind}:{format_path(path)}:{len(found.choices)}") > LONGEST_ID:
        raise IllegalMove("That is too much for a menu; write it after /move.")
    first = page * PAGE
    view = discord.ui.View(timeout=None)
    if found.is_several:
        view.add_item(MultiSelectMenu(game_id, version, found))
        if found.least == 0:
            view.add_item(GuideButton(game_id, version, kind, (*path, 0), 0, tr("none")))
    else:
        for begin in range(first, min(first + PAGE, len(found.choices)), ROW):
            view.add_item(GuideMenu(game_id, version, found, begin))
    if found.sums is not None:
        view.add_item(AmountButton(game_id, version, kind, path))
    if may_be_written(found.verb):
        view.add_item(FreeTextButton(game_id, version, kind, path))
    if path:
        view.add_item(GuideButton(game_id, version, kind, path[:-1], 0, tr("back")))
    if first:
        view.add_item(GuideButton(game_id, version, kind, path, page - 1, tr("earlier")))
    if first + PAGE < len(found.choices):
        view.add_item(GuideButton(game_id, version, kind, path, page + 1, tr("more …")))
    told = [escape(found.question)]
    if found.sums is not None:
        told.append(tr("Usual amounts: {low} to {high}.", *(money(position, amount) for amount in found.sums)))
    text = f"{' '.join(told)}\n`{menus.text_command(position, found)}`"
    await edit(interaction, text, await choice_pictures(client, position, found), view)


async def choice_pictures(client: GameClient, position: Game, found: Menu) -> list[Picture]:
    """A picture of the choices; nothing where a picture would not help or is not available."""
    spaces = list(dict.fromkeys(str(space) for action in found.left for space in menus.hexes_of(position, action)))
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
        texts = [format_action(action) for action in reversed(firsts.values())]
        return [await client.studio.picture(position, "choices", (), "\n".join(texts[:MOST_DRAWN]))]
    except (PictureFailed, Rejected) as trouble:
        log.warning("no picture of the choices: %s", trouble)
        return []


async def show_confirmation(interaction: Interaction, game_id: GameId, version: int, found: Menu, action: Any) -> None:
    client = interaction.client
    _, position, _ = await own_position(interaction, game_id, version)
    text = format_action(action)
    tried = await client.tables.sandbox.preview(game_id, person_of(interaction.user), [action])
    view = discord.ui.View(timeout=None)
    short = short_text(position, action)
    is_short = len(f"mv:{game_id}:{version}:{text}") <= LONGEST_ID
    is_chosen = (
        found.action is not None and len(f"gp:{game_id}:{version}:{found.kind}:{format_path(found.path)}") <= LONGEST_ID
    )
    if is_short:
        view.add_item(MoveButton(game_id, version, text, tr("Do it: {move}", short)))
    elif is_chosen:
        view.add_item(ConfirmMoveButton(game_id, version, found.kind, found.path, tr("Do it: {move}", short)))
    if found.path:
        view.add_item(GuideButton(game_id, version, found.kind, found.path[:-1], 0, tr("back")))
    pictures: list[Picture] = []
    spaces = [str(space) for space in menus.hexes_of(position, action)]
    if spaces:
        try:
            pictures = [await client.studio.picture(tried.game, "crop", spaces)]
        except (PictureFailed, Rejected) as trouble:
            log.warning("no preview: %s", trouble, extra={"game": game_id})
    costs = await asyncio.to_thread(cost_lines, position.copy(), action, tried.lines)
    lines = [tr("`{move}` would do this:", short), *(f"- {escape(line)}" for line in (*tried.lines, *costs))]
    lines.append(tr("Then: {question}", escape(tr(tried.question))))
    if not (is_short or is_chosen):
        lines.append(tr("It is too long for a button: copy it to /move."))
    await edit(interaction, "\n".join(lines), pictures, view)
