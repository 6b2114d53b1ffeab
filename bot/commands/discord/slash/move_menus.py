"""A move chosen by menus: kind, then one field after another with pictures, then what it would do, then the move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions import (
    MENU_PATH,
    GameClient,
    IdForm,
    Interaction,
    PersistentItem,
    Select,
    edit,
    escape,
    form_fields,
    is_ephemeral,
    person_of,
    refusal_text,
    respond,
    set_user_language,
    values_of,
    view_of,
)
from bot.engine import GameId, IllegalMove, NotYourTurn, ParseError, PlayerId, Rejected, StalePosition
from bot.engine.notation.messages import money, question
from bot.engine.notation.text import format_action, verb_of
from bot.engine.play.game import Game
from bot.engine.play.move_builder import encode_answer
from bot.engine.state.actions import LayTile, PlaceToken
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
from bot.service.parser import menus
from bot.service.parser.choice_hints import value_of
from bot.service.parser.menus import Menu
from bot.service.parser.moves import parse_moves
from bot.service.parser.preview import cost_lines
from bot.service.parser.suggestions import may_be_written, short_text
from bot.service.sessions.session_manager import MOVED_ON
from bot.threads import run_in_thread

from .game_buttons import answer_move, show_turn
from .move_buttons import GuideButton, MoveButton

ROW = 25
"""Discord's maximum number of options in a menu; it shows four menus above a row of buttons."""

PAGE = 4 * ROW
MOST_DRAWN = 12
FORM = IdForm(f"{{what:sum|move|turn}}:{MENU_PATH}")
LONGEST_WRITTEN = 300


async def open_menu(interaction: Interaction, pressed: GuideButton) -> None:
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        await show_menu_or_turn(interaction, pressed.game, pressed.version, pressed.kind, pressed.path, pressed.page)


def options_of(choices: Sequence[menus.MenuOption], first: int = 0) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=choice.label[:100], value=str(number), description=choice.note[:100] or None)
        for number, choice in list(enumerate(choices))[first : first + ROW]
    ]


class GuideMenu(PersistentItem, form=f"gs:{MENU_PATH}:{{first}}"):
    """Up to 25 values of a field."""

    first: int
    found: Menu

    def build(self) -> Select:
        options, asked = options_of(self.found.choices, self.first), self.found.question
        if len(self.found.choices) > ROW:
            asked = f"{asked} {options[0].label} … {options[-1].label}"
        return Select(placeholder=asked[:150], options=options)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, *chosen[:1]))


class MultiSelectMenu(PersistentItem, form=f"gx:{MENU_PATH}"):
    """Up to 25 values, of which several are chosen at once."""

    found: Menu

    def build(self) -> Select:
        options = options_of(self.found.choices)
        least, most = max(1, self.found.least), min(self.found.most, len(options))
        return Select(placeholder=self.found.question[:150], options=options, min_values=least, max_values=most)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        chosen = [int(value) for value in values_of(interaction) if value.isdecimal()]
        answer = encode_answer([number for number in chosen if number < ROW])
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            await show_menu_or_turn(interaction, self.game, self.version, self.kind, (*self.path, answer))


class ConfirmMoveButton(PersistentItem, form=f"gp:{MENU_PATH}"):
    """Makes the chosen move, where its text is too long for a button's id."""

    style = discord.ButtonStyle.success

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            try:
                _, position, seats = await own_position(interaction, self.game, self.version)
                found = await run_in_thread(menus.menu, position.copy(), seats, self.kind, self.path)
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


class AmountButton(PersistentItem, form=f"gm:{MENU_PATH}"):
    label = "another amount …"

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form, which only the first response to an interaction can do."""
        await set_user_language(interaction)
        name = FORM.format(**vars(self) | {"what": "sum"})
        form = discord.ui.Modal(title=tr("How much?"), custom_id=name, timeout=900)
        form.add_item(
            discord.ui.TextInput(label=tr("Amount"), custom_id="sum", max_length=9, placeholder=tr("a whole number"))
        )
        await interaction.response.send_modal(form)


class FreeTextButton(PersistentItem, form=f"gw:{MENU_PATH}"):
    """Opens a form with a move of this kind as text to edit: for kinds with too many moves to list."""

    label = "write it …"

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the form, which only the first response can do; so a refusal is a first response, too."""
        await set_user_language(interaction)
        try:
            _, position, seats = await own_position(interaction, self.game, self.version)
            found = await run_in_thread(menus.menu, position.copy(), seats, self.kind, self.path)
        except Rejected as refusal:
            await interaction.response.send_message(tr(refusal_text(refusal)), ephemeral=True)
            return
        name = FORM.format(**vars(self) | {"what": "move"})
        form = discord.ui.Modal(title=tr("The move in words")[:45], custom_id=name, timeout=900)
        text = await run_in_thread(menus.example, position.copy(), found, seats)
        needs = verb_of(found.verb).needs
        form.add_item(
            discord.ui.TextInput(
                label=tr(needs or "Move")[:45], custom_id="move", max_length=LONGEST_WRITTEN, default=text
            )
        )
        await interaction.response.send_modal(form)


async def on_form(interaction: Interaction, form: Mapping[str, Any]) -> None:
    """Handle a submitted form, which another process may have opened."""
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    typed = (values[0] if values else "").strip()
    game, version = form["game"], form["version"]
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        _, position, seats = await own_position(interaction, game, version)
        asked = await run_in_thread(menus.menu, position.copy(), seats, form["kind"], form["path"])
        if form["what"] == "move":
            actions = await run_in_thread(parse_moves, position.copy(), typed, seats)
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
    found = await run_in_thread(menus.menu, position.copy(), seats, kind, path)
    if found.action is not None:
        await show_confirmation(interaction, game_id, version, found, found.action)
        return
    first, place = page * PAGE, (game_id, version, kind)
    items: list[PersistentItem] = []
    if found.is_several:
        items.append(MultiSelectMenu(*place, path, found=found))
        if found.least == 0:
            items.append(GuideButton(*place, (*path, 0), 0, label=tr("none")))
    else:
        begins = range(first, min(first + PAGE, len(found.choices)), ROW)
        items += [GuideMenu(*place, path, begin, found=found) for begin in begins]
    if found.sums is not None:
        items.append(AmountButton(*place, path))
    if may_be_written(found.verb):
        items.append(FreeTextButton(*place, path))
    if path:
        items.append(GuideButton(*place, path[:-1], 0, label=tr("back")))
    if first:
        items.append(GuideButton(*place, path, page - 1, label=tr("earlier")))
    if first + PAGE < len(found.choices):
        items.append(GuideButton(*place, path, page + 1, label=tr("more …")))
    if not all(item.fits for item in items):
        raise IllegalMove("That is too much for a menu; write it after /move.")
    told = [escape(found.question)]
    if found.sums is not None:
        told.append(tr("Usual amounts: {low} to {high}.", *(money(position, amount) for amount in found.sums)))
    text = f"{' '.join(told)}\n`{menus.text_command(position, found)}`"
    await edit(interaction, text, await choice_pictures(client, position, found), view_of(items))


async def choice_pictures(client: GameClient, position: Game, found: Menu) -> list[Picture]:
    """A picture of the choices; nothing where a picture would not help or is not available."""
    spaces = list(dict.fromkeys(str(space) for action in found.left for space in menus.hexes_of(position, action)))
    spaces = spaces or [str(space) for space in found.spaces]
    if not spaces:
        return []
    if found.tiles:
        return await client.studio.try_picture(position, "tiles", (), " ".join(found.tiles))
    if not found.left:
        return await client.studio.try_picture(position, "crop", (), " ".join(spaces))
    if found.field in ("by", "hex") or not isinstance(found.left[0], LayTile | PlaceToken):
        return await client.studio.try_picture(position, "crop", spaces)
    firsts = {value_of(action, found.field or "hex"): action for action in reversed(found.left)}
    texts = [format_action(action) for action in reversed(firsts.values())]
    return await client.studio.try_picture(position, "choices", (), "\n".join(texts[:MOST_DRAWN]))


async def show_confirmation(interaction: Interaction, game_id: GameId, version: int, found: Menu, action: Any) -> None:
    client = interaction.client
    _, position, _ = await own_position(interaction, game_id, version)
    text = format_action(action)
    tried = await client.tables.sandbox.preview(game_id, person_of(interaction.user), [action])
    short, place = short_text(position, action), (game_id, version, found.kind)
    label = tr("Do it: {move}", short)
    ways: list[PersistentItem] = [MoveButton(game_id, version, text, label=label)]
    if found.action is not None:
        ways.append(ConfirmMoveButton(*place, found.path, label=label))
    items = [way for way in ways if way.fits][:1]
    is_too_long = not items
    if found.path:
        items.append(GuideButton(*place, found.path[:-1], 0, label=tr("back")))
    spaces = [str(space) for space in menus.hexes_of(position, action)]
    pictures = await client.studio.try_picture(tried.game, "crop", spaces) if spaces else []
    costs = await run_in_thread(cost_lines, position.copy(), action, tried.lines)
    lines = [tr("`{move}` would do this:", short), *(f"- {escape(line)}" for line in (*tried.lines, *costs))]
    lines.append(tr("Then: {question}", escape(tr(tried.question))))
    if is_too_long:
        lines.append(tr("It is too long for a button: copy it to /move."))
    await edit(interaction, "\n".join(lines), pictures, view_of(items))
