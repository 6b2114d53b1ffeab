"""Moves: by slash command with completion, by text in the game's channel; taking back; looking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import current_game
from bot.commands.discord.interactions.responses import edit, escape, person_of, refusal_text, respond
from bot.engine import GameId, PlayerId
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.service.game_service import GameService
from bot.service.parser.components_info import company_words, component_note
from bot.service.parser.moves import suggest
from bot.service.parser.vocabulary import player_named
from bot.service.views import position_text
from bot.service.views.routes import routes_with_picture
from bot.store import Place, StoreDamaged, StoreError

from .game_buttons import answer_move, show_help
from .votes import AskUndoButton

log = logging.getLogger(__name__)

MOST_GAMES_SHOWN = 15


async def position(interaction: Interaction) -> tuple[GameId, Game]:
    """The current position of this channel's game.

    :raises IllegalMove: there is none, or it has not begun.
    """
    number = await current_game(interaction)
    table = await interaction.client.tables.desk.table(number)
    if table.game is None:
        raise IllegalMove("This game has not begun yet.")
    return number, table.game


# -- moves --------------------------------------------------------------------------------------------


@app_commands.command(name="move", description="Make one or several moves, e.g. lay 57 H9 to H11; run best; pay")
@app_commands.describe(move="What to do; separate several moves with semicolons")
@app_commands.guild_only()
async def move(interaction: Interaction, move: str) -> None:
    async with respond(interaction):
        played = await interaction.client.tables.moves.submit(
            await current_game(interaction), person_of(interaction.user), move
        )
        await answer_move(interaction, played)


@move.autocomplete("move")
async def complete_move(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """One's own legal moves. Earlier clauses are kept; completion is for the last clause."""
    tables = interaction.client.tables
    try:
        table, game = await tables.desk.require_started(await current_game(interaction))
    except (Rejected, StoreError):
        return []
    return await move_choices(game, typed, table.seats_of(person_of(interaction.user)))


async def move_choices(game: Game, typed: str, seats: Collection[PlayerId] | None) -> list[app_commands.Choice[str]]:
    """Legal moves of these seats (None: of all) as choices; listed in a thread, since some boards are large."""
    if seats is not None and not seats:
        return []
    found = await asyncio.to_thread(lambda: suggest(game.copy(), typed, seats=seats))
    return [app_commands.Choice(name=text, value=text) for text in found]


@app_commands.command(name="undo", description="Take back your last move, if nobody has moved since")
@app_commands.guild_only()
async def undo(interaction: Interaction) -> None:
    """Undo; where others have moved since, a button asks them."""
    async with respond(interaction):
        tables, game, person = interaction.client.tables, await current_game(interaction), person_of(interaction.user)
        try:
            played = await tables.moves.undo(game, person)
        except IllegalMove as refusal:
            number = await tables.moves.version_before_last_move(game, person)
            if number is None:
                raise
            view = discord.ui.View(timeout=None)
            view.add_item(AskUndoButton(game, number))
            await edit(interaction, refusal_text(refusal), view=view)
            return
        await answer_move(interaction, played)


INTRODUCTION = (
    "Signalbox plays 18xx by the rules and says why a move is illegal.\n"
    "Begin: `/game new`. Others press *Join*, the opener presses *Start*; computer players fill seats.\n"
    "Move: press a button, choose from `/move`, or write it and mention me; several with `;`\n"
    "Look: `/status`, `/map`, `/market`, `/routes`; `/company` explains companies, privates and "
    "trains.\n"
    "Take back: `/undo`. Try first: `/try`, `/whatif`. Standing orders: `/auto`. Quiet hours: `/clock "
    "quiet`.\n"
    "In a game `/help` lists your moves; `/games` lists your games."
)


@app_commands.command(name="help", description="Your possible moves, with examples to paste")
async def help_command(interaction: Interaction) -> None:
    """Show the legal moves; where no game is played, introduce the bot."""
    async with respond(interaction):
        try:
            number = await current_game(interaction)
            await interaction.client.tables.desk.require_started(number)
        except IllegalMove:
            await edit(interaction, tr(INTRODUCTION))
            return
        await show_help(interaction, number)


# -- looking ------------------------------------------------------------------------------------------


async def picture(interaction: Interaction, game: Game, kind: str, subject: str = "") -> Picture:
    return await interaction.client.studio.picture(game, kind, (), subject)


@app_commands.command(name="map", description="The whole map, or around hexes or a company's tokens")
@app_commands.describe(around="Hexes (G10 H11) or a company (VR)")
@app_commands.guild_only()
async def map_command(interaction: Interaction, around: str = "") -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        kind = "crop" if around else "map"
        await edit(interaction, escape(tr(question(game))), [await picture(interaction, game, kind, around)])


@app_commands.command(name="market", description="The stock market, players and companies")
@app_commands.guild_only()
async def market_command(interaction: Interaction) -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        await edit(interaction, escape(tr(question(game))), [await picture(interaction, game, "market")])


@app_commands.command(name="routes", description="The best routes of a company, with proof")
@app_commands.describe(company="Its abbreviation; by default the operating company")
@app_commands.guild_only()
async def routes_command(interaction: Interaction, company: app_commands.Range[str, 1, 20] = "") -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        if not company and (game.state.finished or game.frame.entity not in game.state.companies):
            raise IllegalMove("No company is operating now; name a company.")
        name = position_text.require_company(game, company or str(game.frame.entity))
        text, shown = await asyncio.to_thread(routes_with_picture, game.copy(), name)
        await edit(interaction, escape(text), [await picture(interaction, game, "routes", shown)])


@app_commands.command(name="status", description="The position in words, for screen readers too")
@app_commands.guild_only()
async def status_command(interaction: Interaction) -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        await edit(interaction, escape(position_text.status_text(game)))


@app_commands.command(name="company", description="A company, private or train: what it is, has and does")
@app_commands.describe(name="Its abbreviation: VR, P1, 3+")
@app_commands.guild_only()
async def company_command(interaction: Interaction, name: app_commands.Range[str, 1, 20]) -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        company = position_text.find_company(game, name)
        if company not in game.state.companies:
            await edit(interaction, escape(position_text.thing_text(game, name)))
            return
        shown = await picture(interaction, game, "company", company)
        await edit(interaction, escape(f"{shown.alt}\n{company_words(game, company)}"), [shown])


@app_commands.command(name="player", description="A player: cash, shares, privates, net worth")
@app_commands.describe(name="A player's name or seat; by default you")
@app_commands.guild_only()
async def player_command(interaction: Interaction, name: app_commands.Range[str, 0, 32] = "") -> None:
    async with respond(interaction):
        number, game = await position(interaction)
        own = (await interaction.client.tables.desk.table(number)).seats_of(person_of(interaction.user))
        wanted = player_named(game, name) if name else next(iter(own), None)
        if wanted is None:
            names = ", ".join(player.name for player in game.state.players)
            raise IllegalMove(
                tr("There is no player {name}; there are: {names}.", name, names) if name else "You have no seat here."
            )
        shown = await picture(interaction, game, "player", wanted)
        await edit(interaction, escape(shown.alt), [shown])


@company_command.autocomplete("name")
async def complete_component(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Companies, privates and trains, by abbreviation and name."""
    try:
        _, game = await position(interaction)
    except (Rejected, StoreError):
        return []
    signs = [*game.state.companies, *game.state.privates, *game.title.trains]
    named = [(str(sign), f"{sign}: {component_note(game, sign)}") for sign in signs]
    return [app_commands.Choice(name=f[:100], value=c) for c, f in named if typed.lower().strip() in f.lower()][:25]


@routes_command.autocomplete("company")
async def complete_company(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Companies in play, by abbreviation and name; those with a share price first."""
    try:
        _, game = await position(interaction)
    except (Rejected, StoreError):
        return []
    companies = sorted(game.state.companies.values(), key=lambda company: (company.closed, company.position is None))
    named = [(company.id, f"{company.id}: {game.title.companies[company.id].name}") for company in companies]
    return [app_commands.Choice(name=f[:100], value=c) for c, f in named if typed.lower().strip() in f.lower()][:25]


@player_command.autocomplete("name")
async def complete_player(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    try:
        _, game = await position(interaction)
    except (Rejected, StoreError):
        return []
    names = [player.name for player in game.state.players]
    return [app_commands.Choice(name=n[:100], value=n[:100]) for n in names if typed.lower().strip() in n.lower()][:25]


@map_command.autocomplete("around")
async def complete_map(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Companies with tokens, and hexes with names."""
    try:
        _, game = await position(interaction)
    except (Rejected, StoreError):
        return []
    named = [
        (str(c), f"{c}: {game.title.companies[c].name}")
        for c, r in game.state.companies.items()
        if r.position is not None
    ]
    named += [(h, f"{h}: {space.name}") for h, space in game.board_rules.map.hexes.items() if space.name]
    return [app_commands.Choice(name=f[:100], value=v) for v, f in named if typed.lower().strip() in f.lower()][:25]


@app_commands.command(name="games", description="Your games in every server")
async def games_command(interaction: Interaction) -> None:
    async with respond(interaction):
        tables, person = interaction.client.tables, person_of(interaction.user)
        lines = []
        for status in (await tables.queries.games_of(person))[:MOST_GAMES_SHOWN]:
            record, place = status.record, await place_of(tables, status.record.id)
            where = ""
            if place is not None and place.guild:
                where = f" https://discord.com/channels/{place.guild}/{place.spot}"
            since = (
                f" {tr('Asked {when}.', discord.utils.format_dt(status.waiting[0].since, 'R'))}"
                if status.waiting
                else ""
            )
            mark = tr("**Your turn.** ") if status.waits_for(person) else ""
            asked = escape(tr(status.question or "in the lobby"))
            lines.append(f"{record.id}: {record.title}, {tr(record.status)}. {mark}{asked}{since}{where}")
        await edit(interaction, "\n".join(lines) or "You are in no game. Open one with /game new.")


async def place_of(tables: GameService, game_id: GameId) -> Place | None:
    """The place of a game; None also where it cannot be read."""
    try:
        return await tables.places.place(game_id)
    except StoreDamaged:
        return None


COMMANDS: tuple[app_commands.Command[Any, ..., Any], ...] = (
    move,
    undo,
    help_command,
    map_command,
    market_command,
    routes_command,
    status_command,
    company_command,
    player_command,
    games_command,
)
