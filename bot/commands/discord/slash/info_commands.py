"""Looking: log, trains, tiles, the board in words, charts, the report, the timelapse."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import current_game
from bot.commands.discord.interactions.responses import LONGEST, edit, escape, person_of, respond
from bot.engine.notation.messages import question
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.service.features.results import results_text
from bot.service.views import position_text
from bot.service.views.report import log_lines, report_text

from .move_commands import picture, position

CHART_CHOICES = [
    app_commands.Choice(name="net worth of the players", value="worth"),
    app_commands.Choice(name="income of the players", value="income"),
    app_commands.Choice(name="share prices", value="prices"),
]


def last_fitting_lines(lines: list[str], most: int = LONGEST) -> str:
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 1
        if size > most:
            break
        kept.insert(0, line)
    return "\n".join(kept)


async def say_or_send(interaction: Interaction, text: str, name: str) -> None:
    """Put the text in the answer, or send it as a file where it is too long."""
    if len(text) <= LONGEST:
        await edit(interaction, text)
    else:
        await edit(interaction, "It is long, so here it is as a file.", [Picture(name, text.encode(), name)])


@app_commands.command(name="log", description="What happened: last, since your turn, to a company, by a player")
@app_commands.describe(
    since="Since your last turn, or everything as a file",
    about="A company or a player",
    records="Maximum number of entries",
)
@app_commands.choices(
    since=[
        app_commands.Choice(name="since my last turn", value="turn"),
        app_commands.Choice(name="the whole game, as a file", value="all"),
    ]
)
@app_commands.guild_only()
async def log_command(
    interaction: Interaction,
    since: str = "",
    about: app_commands.Range[str, 1, 32] = "",
    records: app_commands.Range[int, 1, 100] = 15,
) -> None:
    async with respond(interaction):
        tables, number = interaction.client.tables, await current_game(interaction)
        if since == "turn":
            entries = await tables.queries.log_since_last_turn(number, person_of(interaction.user))
        else:
            entries = await tables.queries.log_since(number)
        lines = log_lines(entries, about)
        if since == "all":
            text = "\n".join(lines).encode()
            await edit(
                interaction,
                tr("Game {number}, {lines} log entries.", number, len(lines)),
                [Picture(f"log-{number}.txt", text, "The log")],
            )
            return
        shown = lines if since == "turn" else lines[-records:]
        await edit(interaction, escape(last_fitting_lines(shown)) or tr("Nothing."))


@app_commands.command(name="trains", description="Trains left, with prices and what rusts them")
@app_commands.guild_only()
async def trains_command(interaction: Interaction) -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        await edit(interaction, escape(position_text.trains_text(game)))


@app_commands.command(name="tiles", description="Tiles left, as a picture")
@app_commands.describe(which="Colours or numbers, e.g. green or 14 15")
@app_commands.guild_only()
async def tiles_command(interaction: Interaction, which: app_commands.Range[str, 1, 100] = "") -> None:
    async with respond(interaction):
        _, game = await position(interaction)
        shown = await picture(interaction, game, "tiles", which)
        await edit(interaction, position_text.tiles_text(game, which), [shown])


@app_commands.command(name="chart", description="Net worth, income or share prices over the game")
@app_commands.describe(kind="What to draw")
@app_commands.choices(kind=CHART_CHOICES)
@app_commands.guild_only()
async def chart_command(interaction: Interaction, kind: str = "worth") -> None:
    async with respond(interaction):
        course = await interaction.client.tables.queries.game_file(await current_game(interaction))
        await edit(interaction, "", [await interaction.client.studio.history_picture(kind, course)])


@app_commands.command(name="timelapse", description="The board growing round by round, animated")
@app_commands.guild_only()
async def timelapse_command(interaction: Interaction) -> None:
    async with respond(interaction):
        course = await interaction.client.tables.queries.game_file(await current_game(interaction))
        if len(course.moves) < 2:
            raise IllegalMove("There is nothing to see yet.")
        await edit(interaction, "", [await interaction.client.studio.history_picture("timelapse", course)])


@app_commands.command(name="report", description="Current standings or final ranking, with a chart")
@app_commands.guild_only()
async def report_command(interaction: Interaction) -> None:
    async with respond(interaction):
        number, game = await position(interaction)
        shown = await interaction.client.studio.history_picture(
            "worth", await interaction.client.tables.queries.game_file(number)
        )
        asked = "" if game.state.finished else f"\n{escape(tr(question(game)))}"
        await edit(interaction, f"{escape(report_text(game))}{asked}", [shown])


@app_commands.command(name="why", description="What computer players did last, and why")
@app_commands.guild_only()
async def why_command(interaction: Interaction) -> None:
    async with respond(interaction):
        lines = await interaction.client.tables.computers.why(await current_game(interaction))
        await edit(
            interaction, last_fitting_lines([escape(line) for line in lines]) or "No computer player has moved lately."
        )


@app_commands.command(
    name="advice", description="What a strong computer player would do in your place; in games against it"
)
@app_commands.guild_only()
async def advice_command(interaction: Interaction) -> None:
    async with respond(interaction):
        game = await current_game(interaction)
        said = await interaction.client.tables.computers.advise(game, person_of(interaction.user))
        await edit(interaction, escape(said))


log_command.autocomplete("about")(completion.owners)
tiles_command.autocomplete("which")(completion.tiles)


@app_commands.command(name="results", description="Finished games of this server, and each player's record")
@app_commands.guild_only()
async def results_command(interaction: Interaction) -> None:
    async with respond(interaction):
        found = await interaction.client.tables.results.finished_games(str(interaction.guild_id))
        await say_or_send(interaction, results_text(found), "results.txt")


LOOKING: tuple[app_commands.Command[Any, ..., Any], ...] = (
    log_command,
    trains_command,
    tiles_command,
    chart_command,
    timelapse_command,
    report_command,
    results_command,
    why_command,
    advice_command,
)
