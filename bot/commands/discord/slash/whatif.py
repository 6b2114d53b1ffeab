"""Trying moves that nobody else sees: once (`/try`), in a sandbox that stays (`/whatif`), or as a company's turn that is put
together there and made as a whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import here
from bot.commands.discord.interactions.responses import answering, edit, is_panel, person_of, plain, speak_to, values_of
from bot.engine.ids import CompanyId, HexId, Owner, PlayerId
from bot.engine.notation.messages import named_space
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected, StalePosition
from bot.i18n import refused, say
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.features.sandbox import MovePreview, SandboxState
from bot.service.parser.company_turn_builder import NextStep, company_composing, lays, note, others, passes_to_end
from bot.service.parser.suggestions import how_it_goes
from bot.service.views.log_sections import stretch_of
from bot.store import StoreError

from .game_buttons import answer_move, show_turn
from .move_buttons import LONGEST_ID, CompanyTurnButton
from .move_commands import completed
from .move_menus import LONGEST_WRITTEN, form_fields

MOST_LAYS, MOST_SPACES = 10, 25
"""So many tiles are shown at once, and so many spaces in a menu."""

MOST_BESIDE, MOST_OTHERS = 5, 15
"""So many other moves have a button beside tiles, and alone."""

whatif_group = app_commands.Group(name="whatif", description="A private sandbox of the position", guild_only=True)


class SandboxButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"if:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<verb>commit|back|drop)",
):
    """Makes the sandbox's moves, takes the last one out of it, or empties it."""

    LABELS = {"commit": "Make these moves", "back": "Take back the last move", "drop": "Discard the moves"}

    def __init__(self, game: int, version: int, verb: str) -> None:
        self.game, self.version, self.verb = game, version, verb
        style = discord.ButtonStyle.success if verb == "commit" else discord.ButtonStyle.secondary
        super().__init__(
            discord.ui.Button(label=say(self.LABELS[verb]), style=style, custom_id=f"if:{game}:{version}:{verb}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> SandboxButton:
        """The button that was pressed."""
        return cls(int(match["game"]), int(match["version"]), match["verb"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        tables = interaction.client.tables
        person = person_of(interaction.user)
        async with answering(interaction, is_update=is_panel(interaction)):
            if self.verb == "commit":
                await answer_move(interaction, await tables.sandbox.what_if_commit(self.game, person, self.version))
                return
            found = await tables.sandbox.what_if_back(self.game, person, 1 if self.verb == "back" else None)
            await show_sandbox(interaction, self.game, found)


async def show_sandbox(interaction: Interaction, game: int, found: SandboxState) -> None:
    """What the sandbox's moves would do, with a picture, and what can be done with them."""
    table = await interaction.client.tables.desk.table(game)
    view = discord.ui.View(timeout=None)
    if found.own:
        view.add_item(SandboxButton(game, table.record.version, "commit"))
    if found.preview.actions:
        view.add_item(SandboxButton(game, table.record.version, "back"))
        view.add_item(SandboxButton(game, table.record.version, "drop"))
    lines = [f"- {plain(line)}" for line in found.preview.lines]
    empty = "Your sandbox is empty; make moves in it with `/whatif move`."
    head = say("In your private sandbox:" if lines else empty)
    tail = [plain(found.lost)] if found.lost else []
    await edit(
        interaction,
        "\n".join([head, *lines, *tail, say("Then: {question}", plain(say(found.preview.question)))]),
        await pictures(interaction, found.preview),
        view,
    )


async def pictures(interaction: Interaction, preview: MovePreview) -> list[Picture]:
    """The part of the board that would change; nothing where nothing would, or it cannot be painted."""
    if not preview.changed:
        return []
    try:
        return [
            await interaction.client.studio.picture(preview.game, "crop", [str(space) for space in preview.changed])
        ]
    except (PictureFailed, Rejected):
        return []


# -- a company's turn -----------------------------------------------------------------------------------


class HexMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"ts:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<made>\d{1,3})",
):
    """The spaces on which tiles can be laid."""

    def __init__(self, game: int, version: int, made: int, spaces: Sequence[tuple[str, str]] = (("-", "-"),)) -> None:
        self.game, self.version, self.made = game, version, made
        options = [discord.SelectOption(label=name[:100], value=space) for space, name in spaces[:MOST_SPACES]]
        super().__init__(
            discord.ui.Select(
                custom_id=f"ts:{game}:{version}:{made}", placeholder=say("Tiles on which hex?"), options=options
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> HexMenu:
        """The menu that was used; its options are not needed any more."""
        return cls(int(match["game"]), int(match["version"]), int(match["made"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the tiles for that space."""
        async with answering(interaction, is_update=is_panel(interaction)):
            found = await interaction.client.tables.sandbox.what_if(self.game, person_of(interaction.user))
            await show_composed(interaction, self.game, found, next(iter(values_of(interaction)), ""))


async def compose_turn(pressed: CompanyTurnButton, interaction: Interaction) -> None:
    """Open a company's turn, add to it, take the last move out of it, or make it."""
    tables, person, what = interaction.client.tables, person_of(interaction.user), pressed.what
    if what == "write":
        await speak_to(interaction)
        form = discord.ui.Modal(
            title=say("Moves in words")[:45],
            custom_id=f"turn:{pressed.game}:{pressed.version}:turn:{pressed.made}",
            timeout=900,
        )
        form.add_item(discord.ui.TextInput(label=say("Moves")[:45], custom_id="move", max_length=LONGEST_WRITTEN))
        await interaction.response.send_modal(form)
        return
    async with answering(interaction, is_update=is_panel(interaction)):
        found = await tables.sandbox.what_if(pressed.game, person)
        is_as_seen = pressed.made == len(found.preview.actions) and not found.lost
        if what[0] == "!" and is_as_seen:
            for _ in range(int(what[1:] or 0)):
                await tables.sandbox.what_if(pressed.game, person, "pass")
            try:
                played = await tables.sandbox.what_if_commit(pressed.game, person, pressed.version)
            except StalePosition as refusal:
                await show_turn(interaction, pressed.game, refused(refusal))
            else:
                await answer_move(interaction, played)
            return
        if what[0] == "+" and is_as_seen:
            found = await tables.sandbox.what_if(pressed.game, person, what[1:])
        elif what == "<" and is_as_seen:
            found = await tables.sandbox.what_if_back(pressed.game, person)
        space, _, page = what[1:].partition(":") if what[0] == "?" else ("", "", "")
        await show_composed(interaction, pressed.game, found, space, int(page or 0))


async def turn_written(interaction: Interaction, form: re.Match[str]) -> None:
    """Moves were written in the form: they are added to the turn."""
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    game = int(form["game"])
    async with answering(interaction, is_update=is_panel(interaction)):
        typed = (values[0] if values else "").strip()
        found = await interaction.client.tables.sandbox.what_if(game, person_of(interaction.user), typed)
        await show_composed(interaction, game, found)


async def show_composed(
    interaction: Interaction, number: int, found: SandboxState, space: str = "", page: int = 0
) -> None:
    """A company's turn as far as it has been put together: what it does, and what can come next.

    :raises IllegalMove: the user directs no company that is in turn.
    """
    table, current = await interaction.client.tables.play.running(number)
    seats = table.seats_of(person_of(interaction.user))
    company = company_composing(current, seats)
    if company is None:
        await show_turn(interaction, number)
        return
    preview, version, made = found.preview, table.record.version, len(found.preview.actions)
    if found.own < made:
        await show_sandbox(interaction, number, found)
        return
    after = preview.game
    goes_on = company_composing(after, seats) == company and stretch_of(after) == stretch_of(current)
    view = discord.ui.View(timeout=None)
    tiles, rest, passes = await asyncio.to_thread(following, after.copy(), seats, company) if goes_on else ([], [], 0)
    on_space = [tile for tile in tiles if not space or str(getattr(tile.action, "hex", "")) == space]
    shown = on_space[page * MOST_LAYS : (page + 1) * MOST_LAYS]
    for place, tile in enumerate(shown, 1):
        view.add_item(CompanyTurnButton(number, version, made, f"+{tile.moves}", str(page * MOST_LAYS + place)))
    spaces = list(dict.fromkeys(str(getattr(tile.action, "hex", "")) for tile in tiles))
    if len(tiles) > MOST_LAYS and len(spaces) > 1:
        named = [(one, named_space(after, HexId(Owner(one)))) for one in spaces]
        view.add_item(HexMenu(number, version, made, named))
    beside = rest[: MOST_BESIDE if tiles else MOST_OTHERS]
    for one in beside:
        if len(f"tu:{number}:{version}:{made}:+{one.moves}") <= LONGEST_ID:
            view.add_item(CompanyTurnButton(number, version, made, f"+{one.moves}", one.label))
    if made:
        view.add_item(CompanyTurnButton(number, version, made, "!", say("Confirm")))
        if passes:
            view.add_item(CompanyTurnButton(number, version, made, f"!{passes}", say("Confirm and end the turn")))
    if space or page:
        view.add_item(CompanyTurnButton(number, version, made, f"?{space}:{page - 1}" if page else "?:0", say("Back")))
    elif made:
        view.add_item(CompanyTurnButton(number, version, made, "<", say("Back")))
    if (page + 1) * MOST_LAYS < len(on_space):
        view.add_item(CompanyTurnButton(number, version, made, f"?{space}:{page + 1}", say("more …")))
    if goes_on:
        view.add_item(CompanyTurnButton(number, version, made, "write", say("write it …")))
    told = await asyncio.to_thread(lambda: [note(after.copy(), one) for one in (*shown, *beside)])
    notes, others = told[: len(shown)], told[len(shown) :]
    lines = [
        say("The turn of {company}; only you see it until you confirm:", company),
        *(f"- {plain(line)}" for line in preview.lines),
        *([plain(found.lost)] if found.lost else []),
        say("Then: {question}", plain(say(preview.question))),
        *([plain(words)] if shown and (words := how_it_goes(after, after.step)) else []),
        *(
            f"`{page * MOST_LAYS + place}` {tile.label}{f': {plain(said)}' if said else ''}"
            for place, (tile, said) in enumerate(zip(shown, notes, strict=True), 1)
        ),
        *(f"`{one.label}` {plain(said)}" for one, said in zip(beside, others, strict=True) if said),
    ]
    await edit(interaction, "\n".join(lines), await turn_pictures(interaction, found, shown, page), view)


def following(
    game: Game, seats: Collection[PlayerId], company: CompanyId
) -> tuple[list[NextStep], list[NextStep], int]:
    """The tiles, all other moves that can come next, and how many passes would end the turn."""
    return lays(game, seats), others(game, seats, company), passes_to_end(game, company)


async def turn_pictures(
    interaction: Interaction, found: SandboxState, tiles: Sequence[NextStep], page: int
) -> list[Picture]:
    """The tiles that can be laid, with their numbers; where there are none, what would have changed."""
    if not tiles:
        return await pictures(interaction, found.preview)
    texts = [
        f"{page * MOST_LAYS + place}\t{text_of(tile.action)}" for place, tile in enumerate(tiles, 1) if tile.action
    ]
    try:
        return [await interaction.client.studio.picture(found.preview.game, "choices", (), "\n".join(texts))]
    except (PictureFailed, Rejected):
        return []


# -- commands -----------------------------------------------------------------------------------------


@app_commands.command(name="try", description="What moves would do, without making them; only you see it")
@app_commands.describe(move="One or several moves, for any seat")
@app_commands.guild_only()
async def try_command(interaction: Interaction, move: str) -> None:
    """A preview."""
    async with answering(interaction):
        tried = await interaction.client.tables.sandbox.preview(
            await here(interaction), person_of(interaction.user), move
        )
        lines = [
            say("That would do this:"),
            *(f"- {plain(line)}" for line in tried.lines),
            say("Then: {question}", plain(say(tried.question))),
        ]
        await edit(interaction, "\n".join(lines), await pictures(interaction, tried))


@whatif_group.command(name="move", description="Make moves in your sandbox, for any seat")
@app_commands.describe(move="One or several moves, for any seat")
async def whatif_move(interaction: Interaction, move: str) -> None:
    """Add moves."""
    async with answering(interaction):
        game = await here(interaction)
        found = await interaction.client.tables.sandbox.what_if(game, person_of(interaction.user), move)
        await show_sandbox(interaction, game, found)


@whatif_move.autocomplete("move")
async def complete_whatif(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Legal moves in one's own sandbox."""
    try:
        found = await interaction.client.tables.sandbox.what_if(await here(interaction), person_of(interaction.user))
    except (Rejected, StoreError):
        return []
    return await completed(found.preview.game, typed, None)


@try_command.autocomplete("move")
async def complete_try(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Legal moves."""
    try:
        _, game = await interaction.client.tables.desk.begun(await here(interaction))
    except (Rejected, StoreError):
        return []
    return await completed(game, typed, None)


@whatif_group.command(name="show", description="Your sandbox, on the present position")
async def whatif_show(interaction: Interaction) -> None:
    """Look."""
    async with answering(interaction):
        game = await here(interaction)
        await show_sandbox(
            interaction, game, await interaction.client.tables.sandbox.what_if(game, person_of(interaction.user))
        )
