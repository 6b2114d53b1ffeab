"""A company's turn that is put together in the sandbox, where nobody else sees it, and made as a whole."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.responses import (
    edit,
    escape,
    is_ephemeral,
    person_of,
    respond,
    set_user_language,
    values_of,
)
from bot.engine import CompanyId, GameId, HexId, Owner, PlayerId
from bot.engine.notation.messages import hex_name
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected, StalePosition
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.features.sandbox import SandboxState
from bot.service.parser.company_turn_builder import NextStep, company_composing, lays, note, others, passes_to_end
from bot.service.parser.suggestions import how_it_goes
from bot.service.registry.commands import COMMANDS
from bot.service.registry.move_commands import sandbox_reply
from bot.service.views.log_sections import section_of

from .game_buttons import answer_move, preview_pictures, show_turn
from .move_buttons import LONGEST_ID, CompanyTurnButton
from .move_menus import LONGEST_WRITTEN, form_fields
from .replies import show_reply
from .request import DiscordRequest

MOST_LAYS, MOST_SPACES = 10, 25
"""Maximum number of tiles shown at once, and of hexes in a menu."""

MOST_BESIDE, MOST_OTHERS = 5, 15
"""Maximum number of other moves with a button, beside tiles and without them."""


# -- a company's turn -----------------------------------------------------------------------------------


class HexMenu(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=r"ts:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<made>\d{1,3})",
):
    def __init__(
        self, game_id: GameId, version: int, made: int, spaces: Sequence[tuple[str, str]] = (("-", "-"),)
    ) -> None:
        self.game, self.version, self.made = game_id, version, made
        options = [discord.SelectOption(label=name[:100], value=space) for space, name in spaces[:MOST_SPACES]]
        super().__init__(
            discord.ui.Select(
                custom_id=f"ts:{game_id}:{version}:{made}", placeholder=tr("Tiles on which hex?"), options=options
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> HexMenu:
        return cls(GameId(int(match["game"])), int(match["version"]), int(match["made"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            found = await interaction.client.tables.sandbox.add(self.game, person_of(interaction.user))
            await show_company_turn(interaction, self.game, found, next(iter(values_of(interaction)), ""))


async def edit_company_turn(pressed: CompanyTurnButton, interaction: Interaction) -> None:
    """Open a company's turn, add to it, remove the last move, or make it."""
    tables, person, what = interaction.client.tables, person_of(interaction.user), pressed.what
    if what == "write":
        await set_user_language(interaction)
        form = discord.ui.Modal(
            title=tr("Moves in words")[:45],
            custom_id=f"turn:{pressed.game}:{pressed.version}:turn:{pressed.made}",
            timeout=900,
        )
        form.add_item(discord.ui.TextInput(label=tr("Moves")[:45], custom_id="move", max_length=LONGEST_WRITTEN))
        await interaction.response.send_modal(form)
        return
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        found = await tables.sandbox.add(pressed.game, person)
        is_as_seen = pressed.made == len(found.preview.actions) and not found.lost
        if what[0] == "!" and is_as_seen:
            for _ in range(int(what[1:] or 0)):
                await tables.sandbox.add(pressed.game, person, "pass")
            try:
                played = await tables.sandbox.commit(pressed.game, person, pressed.version)
            except StalePosition as refusal:
                await show_turn(interaction, pressed.game, tr_error(refusal))
            else:
                await answer_move(interaction, played)
            return
        if what[0] == "+" and is_as_seen:
            found = await tables.sandbox.add(pressed.game, person, what[1:])
        elif what == "<" and is_as_seen:
            found = await tables.sandbox.undo(pressed.game, person)
        space, _, page = what[1:].partition(":") if what[0] == "?" else ("", "", "")
        await show_company_turn(interaction, pressed.game, found, space, int(page or 0))


async def on_turn_form(interaction: Interaction, form: re.Match[str]) -> None:
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    game = GameId(int(form["game"]))
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        typed = (values[0] if values else "").strip()
        found = await interaction.client.tables.sandbox.add(game, person_of(interaction.user), typed)
        await show_company_turn(interaction, game, found)


async def show_company_turn(
    interaction: Interaction, game_id: GameId, found: SandboxState, space: str = "", page: int = 0
) -> None:
    """Show a company's turn as composed so far: its effect, and the next possible moves.

    :raises IllegalMove: the user directs no company that is in turn.
    """
    table, current = await interaction.client.tables.moves.require_running(game_id)
    seats = table.seats_of(person_of(interaction.user))
    company = company_composing(current, seats)
    if company is None:
        await show_turn(interaction, game_id)
        return
    preview, version, made = found.preview, table.record.version, len(found.preview.actions)
    if found.own < made:
        request = DiscordRequest(interaction, game_id)
        await show_reply(request, COMMANDS["whatif show"], sandbox_reply(request, found))
        return
    after = preview.game
    goes_on = company_composing(after, seats) == company and section_of(after) == section_of(current)
    view = discord.ui.View(timeout=None)
    tiles, rest, passes = (
        await asyncio.to_thread(next_options, after.copy(), seats, company) if goes_on else ([], [], 0)
    )
    on_space = [tile for tile in tiles if not space or str(getattr(tile.action, "hex", "")) == space]
    shown = on_space[page * MOST_LAYS : (page + 1) * MOST_LAYS]
    for place, tile in enumerate(shown, 1):
        view.add_item(CompanyTurnButton(game_id, version, made, f"+{tile.moves}", str(page * MOST_LAYS + place)))
    spaces = list(dict.fromkeys(str(getattr(tile.action, "hex", "")) for tile in tiles))
    if len(tiles) > MOST_LAYS and len(spaces) > 1:
        named = [(one, hex_name(after, HexId(Owner(one)))) for one in spaces]
        view.add_item(HexMenu(game_id, version, made, named))
    beside = rest[: MOST_BESIDE if tiles else MOST_OTHERS]
    for one in beside:
        if len(f"tu:{game_id}:{version}:{made}:+{one.moves}") <= LONGEST_ID:
            view.add_item(CompanyTurnButton(game_id, version, made, f"+{one.moves}", one.label))
    if made:
        view.add_item(CompanyTurnButton(game_id, version, made, "!", tr("Confirm")))
        if passes:
            view.add_item(CompanyTurnButton(game_id, version, made, f"!{passes}", tr("Confirm and end the turn")))
    if space or page:
        view.add_item(CompanyTurnButton(game_id, version, made, f"?{space}:{page - 1}" if page else "?:0", tr("Back")))
    elif made:
        view.add_item(CompanyTurnButton(game_id, version, made, "<", tr("Back")))
    if (page + 1) * MOST_LAYS < len(on_space):
        view.add_item(CompanyTurnButton(game_id, version, made, f"?{space}:{page + 1}", tr("more …")))
    if goes_on:
        view.add_item(CompanyTurnButton(game_id, version, made, "write", tr("write it …")))
    told = await asyncio.to_thread(lambda: [note(after.copy(), one) for one in (*shown, *beside)])
    notes, others = told[: len(shown)], told[len(shown) :]
    lines = [
        tr("The turn of {company}; only you see it until you confirm:", company),
        *(f"- {escape(line)}" for line in preview.lines),
        *([escape(found.lost)] if found.lost else []),
        tr("Then: {question}", escape(tr(preview.question))),
        *([escape(words)] if shown and (words := how_it_goes(after, after.step)) else []),
        *(
            f"`{page * MOST_LAYS + place}` {tile.label}{f': {escape(said)}' if said else ''}"
            for place, (tile, said) in enumerate(zip(shown, notes, strict=True), 1)
        ),
        *(f"`{one.label}` {escape(said)}" for one, said in zip(beside, others, strict=True) if said),
    ]
    await edit(interaction, "\n".join(lines), await turn_pictures(interaction, found, shown, page), view)


def next_options(
    game: Game, seats: Collection[PlayerId], company: CompanyId
) -> tuple[list[NextStep], list[NextStep], int]:
    """The tile lays, all other possible next moves, and the number of passes that would end the turn."""
    return lays(game, seats), others(game, seats, company), passes_to_end(game, company)


async def turn_pictures(
    interaction: Interaction, found: SandboxState, tiles: Sequence[NextStep], page: int
) -> list[Picture]:
    """The tiles that can be laid, with their numbers; where there are none, the changed part of the board."""
    if not tiles:
        return await preview_pictures(interaction.client.studio, found.preview)
    texts = [
        f"{page * MOST_LAYS + place}\t{format_action(tile.action)}"
        for place, tile in enumerate(tiles, 1)
        if tile.action
    ]
    try:
        return [await interaction.client.studio.picture(found.preview.game, "choices", (), "\n".join(texts))]
    except (PictureFailed, Rejected):
        return []
