"""A company's turn that is put together in the sandbox, where nobody else sees it, and made as a whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import discord

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.persistent_items import PersistentItem, Select, view_of
from bot.commands.discord.interactions.responses import (
    edit,
    escape,
    form_fields,
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
from bot.threads import run_in_thread

from .game_buttons import answer_move, preview_pictures, show_turn
from .move_buttons import CompanyTurnButton
from .move_menus import FORM, LONGEST_WRITTEN
from .replies import show_reply
from .request import DiscordRequest

MOST_LAYS, MOST_SPACES = 10, 25
"""Maximum number of tiles shown at once, and of hexes in a menu."""

MOST_BESIDE, MOST_OTHERS = 5, 15
"""Maximum number of other moves with a button, beside tiles and without them."""


# -- a company's turn -----------------------------------------------------------------------------------


class HexMenu(PersistentItem, form=r"ts:{game}:{version}:{made:\d{1,3}}"):
    spaces: Sequence[tuple[str, str]]

    def build(self) -> Select:
        options = [discord.SelectOption(label=name[:100], value=space) for space, name in self.spaces[:MOST_SPACES]]
        return Select(placeholder=tr("Tiles on which hex?"), options=options)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            found = await interaction.client.tables.sandbox.add(self.game, person_of(interaction.user))
            await show_company_turn(interaction, self.game, found, next(iter(values_of(interaction)), ""))


async def edit_company_turn(interaction: Interaction, pressed: CompanyTurnButton) -> None:
    """Open a company's turn, add to it, remove the last move, or make it."""
    tables, person, what = interaction.client.tables, person_of(interaction.user), pressed.what
    if what == "write":
        await set_user_language(interaction)
        name = FORM.format(**vars(pressed) | {"what": "turn", "kind": "turn", "path": (pressed.made,)})
        form = discord.ui.Modal(title=tr("Moves in words")[:45], custom_id=name, timeout=900)
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


async def on_turn_form(interaction: Interaction, form: Mapping[str, Any]) -> None:
    values = [part.get("value", "") for part in form_fields(interaction.data)]
    async with respond(interaction, is_update=is_ephemeral(interaction)):
        typed = (values[0] if values else "").strip()
        found = await interaction.client.tables.sandbox.add(form["game"], person_of(interaction.user), typed)
        await show_company_turn(interaction, form["game"], found)


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
    place, items = (game_id, version, made), list[PersistentItem]()
    tiles, rest, passes = await run_in_thread(next_options, after.copy(), seats, company) if goes_on else ([], [], 0)
    on_space = [tile for tile in tiles if not space or str(getattr(tile.action, "hex", "")) == space]
    shown = on_space[page * MOST_LAYS : (page + 1) * MOST_LAYS]
    for number, tile in enumerate(shown, page * MOST_LAYS + 1):
        items.append(CompanyTurnButton(*place, f"+{tile.moves}", label=str(number)))
    spaces = list(dict.fromkeys(str(getattr(tile.action, "hex", "")) for tile in tiles))
    if len(tiles) > MOST_LAYS and len(spaces) > 1:
        named = [(one, hex_name(after, HexId(Owner(one)))) for one in spaces]
        items.append(HexMenu(*place, spaces=named))
    beside = rest[: MOST_BESIDE if tiles else MOST_OTHERS]
    others_beside = [CompanyTurnButton(*place, f"+{one.moves}", label=one.label) for one in beside]
    items += [button for button in others_beside if button.fits]
    if made:
        items.append(CompanyTurnButton(*place, "!", label=tr("Confirm")))
        if passes:
            items.append(CompanyTurnButton(*place, f"!{passes}", label=tr("Confirm and end the turn")))
    if space or page:
        items.append(CompanyTurnButton(*place, f"?{space}:{page - 1}" if page else "?:0", label=tr("Back")))
    elif made:
        items.append(CompanyTurnButton(*place, "<", label=tr("Back")))
    if (page + 1) * MOST_LAYS < len(on_space):
        items.append(CompanyTurnButton(*place, f"?{space}:{page + 1}", label=tr("more …")))
    if goes_on:
        items.append(CompanyTurnButton(*place, "write", label=tr("write it …")))
    told = await run_in_thread(lambda: [note(after.copy(), one) for one in (*shown, *beside)])
    notes, others = told[: len(shown)], told[len(shown) :]
    lines = [
        tr("The turn of {company}; only you see it until you confirm:", company),
        *(f"- {escape(line)}" for line in preview.lines),
        *([escape(found.lost)] if found.lost else []),
        tr("Then: {question}", escape(tr(preview.question))),
        *([escape(words)] if shown and (words := how_it_goes(after, after.step)) else []),
        *(
            f"`{number}` {tile.label}{f': {escape(said)}' if said else ''}"
            for number, (tile, said) in enumerate(zip(shown, notes, strict=True), page * MOST_LAYS + 1)
        ),
        *(f"`{one.label}` {escape(said)}" for one, said in zip(beside, others, strict=True) if said),
    ]
    await edit(interaction, "\n".join(lines), await turn_pictures(interaction, found, shown, page), view_of(items))


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
