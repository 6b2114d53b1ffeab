"""A company's turn that is put together in the sandbox, where nobody else sees it, and made as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import discord

from bot.commands.discord.interactions import (
    Interaction,
    PersistentItem,
    Select,
    edit,
    escape,
    form_fields,
    is_ephemeral,
    person_of,
    respond,
    set_user_language,
    values_of,
    view_of,
)
from bot.engine import CompanyId, GameId, HexId, Owner, PlayerId, StalePosition
from bot.engine.notation import format_action, hex_name
from bot.engine.play.game import Game
from bot.i18n import tr, tr_error
from bot.render.painting.picture import Picture
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
    tiles, rest, passes = await run_in_thread(next_options, after.copy(), seats, company) if goes_on else ([], [], 0)
    shown = TurnPage(tiles, rest, passes, space, page)
    items = turn_buttons(after, shown, (game_id, version, made), goes_on)
    text = await run_in_thread(lambda: "\n".join(turn_lines(company, found, shown)))
    await edit(interaction, text, await turn_pictures(interaction, found, shown.lays, page), view_of(items))


class TurnPage(NamedTuple):
    """The possible next moves of a company: its tile lays, all others, and the number of passes that would end its turn.
    `page`, counted from 0, is the shown part of the lays on `space` (empty: on all hexes)."""

    tiles: list[NextStep]
    rest: list[NextStep]
    passes: int
    space: str
    page: int

    @property
    def on_space(self) -> list[NextStep]:
        return [tile for tile in self.tiles if not self.space or hex_of(tile) == self.space]

    @property
    def first(self) -> int:
        """The number of the first lay that is shown, counted from 1."""
        return self.page * MOST_LAYS + 1

    @property
    def lays(self) -> list[NextStep]:
        return self.on_space[self.page * MOST_LAYS : (self.page + 1) * MOST_LAYS]

    @property
    def others(self) -> list[NextStep]:
        return self.rest[: MOST_BESIDE if self.tiles else MOST_OTHERS]


def hex_of(tile: NextStep) -> str:
    return str(getattr(tile.action, "hex", ""))


def turn_buttons(after: Game, shown: TurnPage, place: tuple[GameId, int, int], goes_on: bool) -> list[PersistentItem]:
    """The buttons below a company's turn. `place` is the game, the version of it that the user sees, and how many moves of
    the turn are made; with `goes_on` the company has moves left."""
    made, page, space = place[2], shown.page, shown.space
    items: list[PersistentItem] = [
        CompanyTurnButton(*place, f"+{tile.moves}", label=str(number))
        for number, tile in enumerate(shown.lays, shown.first)
    ]
    spaces = list(dict.fromkeys(map(hex_of, shown.tiles)))
    if len(shown.tiles) > MOST_LAYS and len(spaces) > 1:
        items.append(HexMenu(*place, spaces=[(one, hex_name(after, HexId(Owner(one)))) for one in spaces]))
    others_beside = [CompanyTurnButton(*place, f"+{one.moves}", label=one.label) for one in shown.others]
    items += [button for button in others_beside if button.fits]
    if made:
        items.append(CompanyTurnButton(*place, "!", label=tr("Confirm")))
        if shown.passes:
            items.append(CompanyTurnButton(*place, f"!{shown.passes}", label=tr("Confirm and end the turn")))
    if space or page:
        items.append(CompanyTurnButton(*place, f"?{space}:{page - 1}" if page else "?:0", label=tr("Back")))
    elif made:
        items.append(CompanyTurnButton(*place, "<", label=tr("Back")))
    if (page + 1) * MOST_LAYS < len(shown.on_space):
        items.append(CompanyTurnButton(*place, f"?{space}:{page + 1}", label=tr("more …")))
    if goes_on:
        items.append(CompanyTurnButton(*place, "write", label=tr("write it …")))
    return items


def turn_lines(company: CompanyId, found: SandboxState, shown: TurnPage) -> Iterator[str]:
    """A company's turn in words: its moves so far, the question after them, and the possible next moves with notes."""
    preview, after = found.preview, found.preview.game
    yield tr("The turn of {company}; only you see it until you confirm:", company)
    yield from (f"- {escape(line)}" for line in preview.lines)
    if found.lost:
        yield escape(found.lost)
    yield tr("Then: {question}", escape(tr(preview.question)))
    if shown.lays and (words := how_it_goes(after, after.step)):
        yield escape(words)
    for number, tile in enumerate(shown.lays, shown.first):
        said = note(after.copy(), tile)
        yield f"`{number}` {tile.label}{f': {escape(said)}' if said else ''}"
    for one in shown.others:
        if said := note(after.copy(), one):
            yield f"`{one.label}` {escape(said)}"


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
    return await interaction.client.studio.try_picture(found.preview.game, "choices", (), "\n".join(texts))
