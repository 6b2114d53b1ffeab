"""The moderator's acts. Each is a record in the log, with a name; nothing is ever erased."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import app_commands

from bot.commands.discord.interactions import completion
from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.game_channels import asker_at_place, asker_in_channel, asker_of, current_game
from bot.commands.discord.interactions.responses import display_name, edit, escape, is_ephemeral, person_of, respond
from bot.engine import GameId
from bot.engine.message import msg
from bot.engine.notation.messages import question
from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.features.moderation import PASSES_SAID, PICTURES_SAID
from bot.service.sessions.rights import Actor
from bot.store import GameStatus, Place, StoreError

from .lobby import PACE_CHOICES
from .move_commands import move_choices, position

PICTURES_CHOICES = [
    app_commands.Choice(name="what has changed", value="changed"),
    app_commands.Choice(name="map and market every time", value="both"),
]
PASSES_CHOICES = [
    app_commands.Choice(name="the bot makes forced passes", value="forced"),
    app_commands.Choice(name="players pass manually", value="hand"),
]

moderate_group = app_commands.Group(name="moderate", description="For the moderator of a game", guild_only=True)


async def game_and_asker(interaction: Interaction) -> tuple[GameId, Actor]:
    """The game of this channel, and the user.

    :raises IllegalMove: there is none.
    """
    game = await current_game(interaction)
    return game, await asker_of(interaction, game)


class RewindButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"rw:(?P<game>\d{1,9}):(?P<version>\d{1,9}):(?P<number>\d{1,9})",
):
    def __init__(self, game_id: GameId, version: int, number: int) -> None:
        self.game, self.version, self.number = game_id, version, number
        super().__init__(
            discord.ui.Button(
                label=tr("Go back to {number}", number),
                style=discord.ButtonStyle.danger,
                custom_id=f"rw:{game_id}:{version}:{number}",
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> RewindButton:
        return cls(GameId(int(match["game"])), int(match["version"]), int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Rewind, unless somebody has moved since the preview."""
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            asker = await asker_of(interaction, self.game)
            played = await interaction.client.tables.moderation.rewind(self.game, asker, self.number, self.version)
            await edit(interaction, escape("\n".join([*played.lines, tr(played.question)])), view=discord.ui.View())


@moderate_group.command(name="rewind", description="Show the position after a log entry, and go back to it")
@app_commands.describe(record="The log entry after which the game continues")
async def rewind(interaction: Interaction, record: app_commands.Range[int, 0]) -> None:
    """Show a preview before rewinding."""
    async with respond(interaction):
        tables, number = interaction.client.tables, await current_game(interaction)
        table, _ = await tables.desk.require_started(number)
        tables.desk.check(table, await asker_of(interaction, number), "rewind")
        if record > table.record.version:
            raise IllegalMove("This game has log entries 0 to {last}.", "", table.record.version)
        then = await tables.queries.position_at(number, record)
        undone = [entry for entry in await tables.queries.log_since(number, record) if not entry.is_undone]
        lines = [
            tr("After log entry {number}: {event}", record, escape(tr(question(then)))),
            tr("This would take back {number} log entries:", len(undone)),
        ]
        lines += [f"- {escape(line)}" for entry in undone[-8:] for line in entry.tr_lines[:2]]
        view = discord.ui.View(timeout=None)
        view.add_item(RewindButton(number, table.record.version, record))
        pictures: list[Picture] = []
        for kind in ("map", "market"):
            try:
                pictures.append(await interaction.client.studio.picture(then, kind))
            except PictureFailed as failure:
                lines.append(tr(failure.said))
        await edit(interaction, "\n".join(lines), pictures, view)


@moderate_group.command(name="act", description="Make a move for another player; the log says so")
@app_commands.describe(move="What to do, for any seat; separate several moves with semicolons")
async def act(interaction: Interaction, move: str) -> None:
    async with respond(interaction):
        game, asker = await game_and_asker(interaction)
        played = await interaction.client.tables.moves.submit(game, asker, move, None, True)
        await edit(interaction, escape("\n".join([*played.lines, tr(played.question)])))


@act.autocomplete("move")
async def complete_act(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The legal moves of all players."""
    try:
        _, game = await position(interaction)
    except (Rejected, StoreError):
        return []
    return await move_choices(game, typed, None)


@moderate_group.command(name="status", description="Pause, resume or end the game")
@app_commands.describe(status="What happens to the game")
@app_commands.choices(
    status=[
        app_commands.Choice(name="pause", value=GameStatus.PAUSED),
        app_commands.Choice(name="resume", value=GameStatus.RUNNING),
        app_commands.Choice(name="end", value=GameStatus.FINISHED),
    ]
)
async def status(interaction: Interaction, status: str) -> None:
    async with respond(interaction):
        changed = await interaction.client.tables.moderation.set_status(
            *await game_and_asker(interaction), GameStatus(status)
        )
        await edit(interaction, escape("\n".join(changed.lines)))


@moderate_group.command(name="rules", description="Move a game from older rules to the newest rules")
@app_commands.describe(agree="Even if the game so far would have gone differently")
async def rules_command(interaction: Interaction, agree: bool = False) -> None:
    async with respond(interaction):
        played = await interaction.client.tables.rules_upgrade.upgrade_rules(*await game_and_asker(interaction), agree)
        await edit(interaction, escape("\n".join([*played.lines, tr(played.question)])))


@moderate_group.command(name="here", description="Continue a game in this channel; its old channel gets a note")
@app_commands.describe(game="Number of the game")
async def here_command(interaction: Interaction, game: app_commands.Range[int, 1]) -> None:
    """Move a game to this channel. The user needs the right at the old place and here."""
    async with respond(interaction):
        tables = interaction.client.tables
        channel, number = interaction.channel, str(interaction.channel_id)
        home, thread = (str(channel.parent_id), number) if isinstance(channel, discord.Thread) else (number, None)
        game_id = GameId(game)
        old = await tables.places.place(game_id)
        asker = await asker_at_place(interaction.client, interaction.user, old)
        # A post to the old place may be under way, or begin while this is saved: how it goes there is of no interest.
        patience, guild = interaction.client.patience, old.guild if old is not None else ""
        patience.hope(guild)
        await tables.places.move_place(
            asker, Place(game_id, str(interaction.guild_id), home, thread), asker_in_channel(interaction)
        )
        patience.hope(guild)
        patience.forget(game_id)
        await tables.desk.notify(game_id)
        await edit(interaction, tr("Game {game} continues here.", game_id))


@moderate_group.command(name="replace", description="Give a seat to another player")
@app_commands.describe(seat="The seat to give away", member="Who takes it over")
async def replace(interaction: Interaction, seat: app_commands.Range[int, 1, 7], member: discord.Member) -> None:
    async with respond(interaction):
        game, asker = await game_and_asker(interaction)
        table = await interaction.client.tables.moderation.replace(
            game, asker, seat, person_of(member), member.display_name
        )
        await edit(interaction, tr("{name} has seat {seat} now.", escape(table.seats[seat - 1].name), seat))


@moderate_group.command(name="cash", description="Correct someone's cash; the log says who and why")
@app_commands.describe(owner="A player's name or a company's abbreviation", amount="The new amount", reason="Why")
async def cash(
    interaction: Interaction,
    owner: app_commands.Range[str, 1, 32],
    amount: app_commands.Range[int, 0, 999999],
    reason: app_commands.Range[str, 1, 200],
) -> None:
    await correct(interaction, f"cash {owner} {amount}", reason)


@moderate_group.command(name="token", description="Place or remove a token; the log says who and why")
@app_commands.describe(
    what="Place or remove it",
    company="Whose token",
    space="For example G10, or G10.1 for its second city",
    reason="Why",
)
@app_commands.choices(
    what=[app_commands.Choice(name="put", value="token"), app_commands.Choice(name="remove", value="no-token")]
)
async def token(
    interaction: Interaction,
    what: str,
    company: app_commands.Range[str, 1, 20],
    space: app_commands.Range[str, 1, 10],
    reason: app_commands.Range[str, 1, 200],
) -> None:
    await correct(interaction, f"{what} {company} {space}", reason)


async def correct(interaction: Interaction, text: str, reason: str) -> None:
    async with respond(interaction):
        played = await interaction.client.tables.moderation.correct(*await game_and_asker(interaction), text, reason)
        await edit(interaction, escape("\n".join([*played.lines, tr(played.question)])))


@moderate_group.command(name="sitter", description="Let someone also move for a seat, for some days (0: stop)")
@app_commands.describe(seat="The seat", member="Who sits in for it", days="For how many days; 0 ends it")
async def sitter(
    interaction: Interaction,
    seat: app_commands.Range[int, 1, 7],
    member: discord.Member,
    days: app_commands.Range[int, 0, 60],
) -> None:
    async with respond(interaction):
        game, asker = await game_and_asker(interaction)
        await interaction.client.tables.moderation.set_sitter(
            game, asker, seat, person_of(member), member.display_name, days
        )
        await edit(
            interaction,
            tr("{name} moves for seat {seat} for {days} days.", display_name(member.display_name), seat, days),
        )


@moderate_group.command(name="pace", description="How long a turn may take")
@app_commands.describe(
    pace="How many waking hours a turn may take",
    passes="Who makes forced passes",
    pictures="Pictures in each log message",
)
@app_commands.choices(pace=PACE_CHOICES, passes=PASSES_CHOICES, pictures=PICTURES_CHOICES)
async def pace(interaction: Interaction, pace: str = "", passes: str = "", pictures: str = "") -> None:
    async with respond(interaction):
        moderation, (game, asker) = interaction.client.tables.moderation, await game_and_asker(interaction)
        if pace or not (passes or pictures):
            await moderation.set_pace(game, asker, pace)
        if passes:
            await moderation.set_passes(game, asker, passes)
        paced = [tr("The pace is {pace} from the next move on.", msg(pace))] if pace else []
        if pictures:
            await moderation.set_pictures(game, asker, pictures)
        told = [PASSES_SAID.get(passes, ""), PICTURES_SAID.get(pictures, "")]
        await edit(interaction, " ".join([*paced, *(tr(line) for line in told if line)]))


@moderate_group.command(name="handover", description="Make someone else the moderator")
@app_commands.describe(member="Who looks after the game from now on")
async def handover(interaction: Interaction, member: discord.Member) -> None:
    async with respond(interaction):
        await interaction.client.tables.moderation.transfer_moderation(
            *await game_and_asker(interaction), person_of(member)
        )
        await edit(interaction, tr("{name} is the moderator now.", display_name(member.display_name)))


rewind.autocomplete("record")(completion.records)
here_command.autocomplete("game")(completion.own_games)
_command: app_commands.Command[Any, ..., Any]
for _command in (replace, sitter):
    _command.autocomplete("seat")(completion.seats)
cash.autocomplete("owner")(completion.owners)
token.autocomplete("company")(completion.companies)
token.autocomplete("space")(completion.cities)
