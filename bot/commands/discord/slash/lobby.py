"""Opening, joining, leaving and starting games; the moderator's acts."""

from __future__ import annotations

import logging
import re
from functools import partial
from typing import Any

import discord
import msgspec
from discord import app_commands

from bot.commands.discord.interactions.client import Interaction
from bot.commands.discord.interactions.failure_kinds import UNKNOWN_MESSAGE, brief
from bot.commands.discord.interactions.forums import Forum, check_tags, forum_of, missing_tags_text
from bot.commands.discord.interactions.game_channels import (
    CARD,
    asker_of,
    current_game,
    describe_place,
    place_for_new,
    with_unarchived_thread,
)
from bot.commands.discord.interactions.lobbies import LobbyButton, lobby_text, lobby_view
from bot.commands.discord.interactions.responses import (
    display_name,
    edit,
    escape,
    is_ephemeral,
    person_of,
    respond,
    values_of,
)
from bot.engine import NO_GAME, GameId
from bot.engine.message import msg
from bot.engine.refusals import IllegalMove
from bot.i18n import current_language, tr, use_language
from bot.service.game_service import GameSession
from bot.service.sessions.clocks import PACES
from bot.store import NO_THREAD_YET, GameRecord, Place, PostRecord
from bot.titles.registry import NAMES, TITLES

log = logging.getLogger(__name__)

TITLE_CHOICES = [app_commands.Choice(name=name, value=number) for number, name in NAMES.items()]
PACE_CHOICES = [
    app_commands.Choice(name=app_commands.locale_str(str(pace), said=pace), value=name)
    for name, hours in PACES.items()
    for pace in [msg("{name}: {hours} waking hours a turn", name, f"{hours:g}")]
]
ORDER_CHOICES = [
    app_commands.Choice(name="random seats", value="lot"),
    app_commands.Choice(name="seats in the order of joining", value="list"),
]

MOST_MENUS = 5
MOST_GAMES_PER_SERVER = 500
"""Games that are not over; Discord itself takes 1000 open threads."""

game_group = app_commands.Group(name="game", description="Open, join and run games", guild_only=True)


async def find_lobby(interaction: Interaction, number: int | None) -> GameId:
    """The lobby of that number, by default this channel's.

    :raises IllegalMove: there is none here, or several.
    """
    if number is not None:
        return GameId(number)
    return await interaction.client.tables.places.lobby_at(str(interaction.channel_id))


# -- the lobby ----------------------------------------------------------------------------------------


@game_group.command(name="new", description="Open a lobby in this channel")
@app_commands.describe(
    title="Which game",
    pace="How long a turn may take",
    options="For example: rules=18xx.games",
    seats="How many seats each other player may take; by default 1",
    forum="The forum in which to post the game; by default the forum where you type this",
)
@app_commands.choices(title=TITLE_CHOICES, pace=PACE_CHOICES)
async def new(
    interaction: Interaction,
    title: str,
    pace: str = "normal",
    options: app_commands.Range[str, 0, 200] = "",
    seats: app_commands.Range[int, 1, 7] = 1,
    forum: app_commands.Transform[discord.ForumChannel, Forum] | None = None,
) -> None:
    """A lobby with its creator in the first seat: a message here, or a post in a forum."""
    forum = forum or forum_of(interaction.client, interaction.channel_id or 0)
    async with respond(interaction, private=forum is not None):
        tables = interaction.client.tables
        await check_room(interaction)
        if forum is not None:
            check_forum(forum, interaction.user, title)
        person, name = person_of(interaction.user), interaction.user.display_name
        home = Place(NO_GAME, str(interaction.guild_id), str(interaction.channel_id))
        if forum is not None:
            home = Place(NO_GAME, str(forum.guild.id), str(forum.id), trouble=NO_THREAD_YET)
        game = await tables.lobby.create(
            title, person, [(person, name)], parse_options(title, options), None, pace, seats, home
        )
        await tables.languages.set_game_language(game, person, current_language())
        if forum is not None:
            where = await describe_place(interaction.client, msgspec.structs.replace(home, game=game))
            await tables.desk.notify(game)
            await edit(interaction, " ".join(filter(None, [f"{where}.", missing_tags_text(forum, TITLES[title])])))
            return
        card = await edit(
            interaction,
            lobby_text(await tables.desk.table(game), TITLES[title]),
            view=lobby_view(game, TITLES[title]),
        )
        if card is not None:
            await keep_card(interaction, game, card)


def check_forum(forum: discord.ForumChannel, user: discord.User | discord.Member, title: str) -> None:
    """Refuse a post that the user or I may not make there.

    :raises IllegalMove: with the reason.
    """
    if not isinstance(user, discord.Member) or not forum.permissions_for(user).send_messages:
        raise IllegalMove("You may not write in {forum}, so you cannot open a game there.", "", forum.mention)
    if not forum.permissions_for(forum.guild.me).send_messages:
        raise IllegalMove("I may not create posts in {forum}: I need *Create Posts* there.", "", forum.mention)
    check_tags(forum, TITLES[title])


async def check_room(interaction: Interaction) -> None:
    """Refuse another game where there are very many.

    :raises IllegalMove: the server is full.
    """
    found = await interaction.client.tables.places.count_games_in(str(interaction.guild_id))
    if found >= MOST_GAMES_PER_SERVER:
        raise IllegalMove("This server has {found} open games, the limit. Please end a game first.", "", found)


def parse_options(title: str, text: str) -> dict[str, str]:
    """Options as typed: `rules=18xx.games, order=elephant`; a choice without a name where only one option has it.

    :raises IllegalMove: a choice that no option has.
    """
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, choice = (word.strip() for word in part.partition("="))
        if not sign:
            owners = [option.name for option in TITLES[title].options if name in option.choices]
            if len(owners) != 1:
                known = ", ".join(f"{o.name}={c}" for o in TITLES[title].options for c in o.choices)
                raise IllegalMove(
                    "There is no option {name}. You can choose: {known}.", "", name, known or msg("nothing")
                )
            name, choice = owners[0], name
        chosen[name] = choice
    return chosen


@new.autocomplete("options")
async def complete_options(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    title = TITLES.get(str(getattr(interaction.namespace, "title", "")))
    before, sign, last = typed.rpartition(",")
    head = f"{before}, " if sign else ""
    found = [
        (f"{head}{option.name}={choice}", explanation)
        for option in (title.options if title else ())
        for choice, explanation in option.choices.items()
        if last.strip().lower() in f"{option.name}={choice}".lower()
    ]
    return [
        app_commands.Choice(name=f"{value}: {explanation}"[:100], value=value)
        for value, explanation in found
        if len(value) <= 100
    ][:25]


async def press_lobby(pressed: LobbyButton, interaction: discord.Interaction[Any]) -> None:
    async with respond(interaction):
        if pressed.verb == "options":
            await show_options(interaction, pressed.game)
        elif pressed.verb == "start":
            await start(interaction, pressed.game, "lot")
        elif pressed.verb == "computer":
            await add_computer(interaction, pressed.game)
        elif pressed.verb == "join":
            await join(interaction, pressed.game, interaction.user.display_name)
        else:
            await leave(interaction, pressed.game)


class OptionMenu(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"op:(?P<game>\d{1,9}):(?P<place>\d{1,9})"):
    def __init__(self, game_id: GameId, place: int, record: GameRecord | None = None) -> None:
        self.game, self.place = game_id, place
        option = TITLES[record.title].options[place] if record else None
        choices = [
            discord.SelectOption(
                label=choice[:100],
                value=choice[:100],
                description=tr(explanation)[:100],
                default=record is not None and option is not None and record.options.get(option.name) == choice,
            )
            for choice, explanation in (option.choices.items() if option else ())
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"op:{game_id}:{place}",
                placeholder=tr(option.explanation[:1].upper() + option.explanation[1:])[:150] if option else None,
                options=choices[:25] or [discord.SelectOption(label="-")],
            )
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str]
    ) -> OptionMenu:
        return cls(GameId(int(match["game"])), int(match["place"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        choice = next(iter(values_of(interaction)), "")
        async with respond(interaction, is_update=is_ephemeral(interaction)):
            tables = interaction.client.tables
            options = TITLES[(await tables.desk.table(self.game)).record.title].options
            if self.place >= len(options):
                raise IllegalMove("There is no such option.")
            asker = await asker_of(interaction, self.game)
            await tables.lobby.choose_option(self.game, asker, options[self.place].name, choice)
            await show_options(interaction, self.game)


async def show_options(interaction: Interaction, game_id: GameId) -> None:
    """Show the options that can be chosen before the game begins, to the player who opened it."""
    tables = interaction.client.tables
    table = await tables.lobby.require_lobby(game_id)
    tables.desk.check(table, await asker_of(interaction, game_id), "options")
    view = discord.ui.View(timeout=None)
    for place, _ in enumerate(TITLES[table.record.title].options[:MOST_MENUS]):
        view.add_item(OptionMenu(game_id, place, table.record))
    await edit(interaction, lobby_text(table, TITLES[table.record.title]), view=view)


async def join(interaction: Interaction, game_id: GameId, name: str, invitation: str = "") -> None:
    table = await interaction.client.tables.lobby.join(game_id, await asker_of(interaction, game_id), name, invitation)
    await refresh_lobby(interaction, table)
    await edit(interaction, tr("{name} is in game {game}.", escape(table.seats[-1].name), game_id))


async def add_computer(interaction: Interaction, game_id: GameId) -> None:
    table = await interaction.client.tables.lobby.add_computer(game_id, await asker_of(interaction, game_id))
    await refresh_lobby(interaction, table)
    await edit(interaction, tr("{name} is in game {game}.", escape(table.seats[-1].name), game_id))


async def leave(interaction: Interaction, game_id: GameId) -> None:
    table = await interaction.client.tables.lobby.leave(game_id, person_of(interaction.user))
    await refresh_lobby(interaction, table)
    await edit(interaction, tr("You have left game {game}.", game_id))


async def keep_card(interaction: Interaction, game_id: GameId, message: discord.Message) -> PostRecord:
    """Remember the lobby's message: it describes the table for ever."""
    tables = interaction.client.tables
    row = PostRecord(game_id, CARD, str(message.id), str(message.channel.id), "", tables.desk.now(), 0)
    await tables.outbox.set_post(row)
    return row


async def refresh_lobby(interaction: Interaction, table: GameSession) -> None:
    """Update the lobby's message; for an older lobby without a saved message, that of the pressed button."""
    game = table.record.id
    row = (await interaction.client.tables.outbox.posts(game)).get(CARD)
    if row is None and interaction.message is not None:
        row = await keep_card(interaction, game, interaction.message)
    if row is None or row.message is None:
        return
    title = TITLES[table.record.title]
    with use_language(table.record.language):
        text, view = lobby_text(table, title), lobby_view(game, title)
    card = interaction.client.get_partial_messageable(int(row.channel)).get_partial_message(int(row.message))
    try:
        await with_unarchived_thread(interaction.client, row.channel, partial(card.edit, content=text, view=view))
    except discord.HTTPException as error:
        # The request is saved, even if the message cannot show it.
        log.info("the lobby's message stays as it is (%s)", brief(error), extra={"game": game})
        if error.code == UNKNOWN_MESSAGE:
            await interaction.client.tables.outbox.drop_post(row)


async def start(interaction: Interaction, game_id: GameId, order: str) -> None:
    """Begin: create the thread; the outbox posts the first board and the first question."""
    tables = interaction.client.tables
    asker = await asker_of(interaction, game_id)
    tables.desk.check(await tables.lobby.require_lobby(game_id), asker, "start")
    lobby = await tables.places.place(game_id) or Place(game_id, str(interaction.guild_id), str(interaction.channel_id))
    place = lobby if lobby.thread else await place_for_new(interaction.client, lobby.guild, lobby.channel, game_id)
    await tables.lobby.start(game_id, asker, order, place)
    await edit(
        interaction, tr("Game {game} has begun in {place}.", game_id, await describe_place(interaction.client, place))
    )


@game_group.command(name="join", description="Take a seat in the lobby of this channel")
@app_commands.describe(
    game="Number of the game; by default this channel's game",
    name="Your name at the table; give several names for several seats",
    invitation="The code that the opener gave you, if the lobby is in another server",
)
async def join_command(
    interaction: Interaction,
    game: int | None = None,
    name: app_commands.Range[str, 1, 32] = "",
    invitation: app_commands.Range[str, 0, 64] = "",
) -> None:
    """A second seat under another name makes a hot seat."""
    async with respond(interaction):
        name = name or interaction.user.display_name
        await join(interaction, await find_lobby(interaction, game), name, invitation)


@game_group.command(name="invite", description="Invite people from other servers to your lobby: a code for /game join")
@app_commands.describe(game="Number of the game; by default this channel's game")
async def invite_command(interaction: Interaction, game: int | None = None) -> None:
    async with respond(interaction):
        game_id = await find_lobby(interaction, game)
        code = await interaction.client.tables.lobby.invite(game_id, await asker_of(interaction, game_id))
        await edit(
            interaction,
            tr(
                "Anyone with this code can join from any server I am in, until the game begins or you make a new "
                "code: `/game join game:{game} invitation:{code}`",
                game_id,
                code,
            ),
        )


@game_group.command(name="leave", description="Give up your seats in the lobby")
@app_commands.describe(game="Number of the game; by default this channel's game")
async def leave_command(interaction: Interaction, game: int | None = None) -> None:
    async with respond(interaction):
        await leave(interaction, await find_lobby(interaction, game))


@game_group.command(name="start", description="Start the game (for its opener)")
@app_commands.describe(game="Number of the game; by default this channel's game", order="How seats are assigned")
@app_commands.choices(order=ORDER_CHOICES)
async def start_command(interaction: Interaction, game: int | None = None, order: str = "lot") -> None:
    async with respond(interaction):
        await start(interaction, await find_lobby(interaction, game), order)


@game_group.command(name="quiet", description="Hours without reminders of this game")
@app_commands.describe(
    zone="Your time zone, e.g. Europe/Berlin", begin="First quiet hour, 0-23", end="First waking hour, 0-23"
)
async def quiet(
    interaction: Interaction, zone: str, begin: app_commands.Range[int, 0, 23], end: app_commands.Range[int, 0, 23]
) -> None:
    """Quiet hours in this game only."""
    async with respond(interaction):
        await interaction.client.tables.reminders.set_quiet_hours(
            await current_game(interaction), person_of(interaction.user), zone, begin, end
        )
        await edit(interaction, tr("You will get no reminders from {begin}:00 to {end}:00 ({zone}).", begin, end, zone))


@game_group.command(name="sitter", description="Let someone also move for your seat, for some days (0: stop)")
@app_commands.describe(member="Who sits in for you", days="For how many days; 0 ends it")
async def sitter(interaction: Interaction, member: discord.Member, days: app_commands.Range[int, 0, 60]) -> None:
    async with respond(interaction):
        tables, game = interaction.client.tables, await current_game(interaction)
        table = await tables.desk.table(game)
        tables.desk.check(table, person_of(interaction.user), "own")
        own = [record.number for record in table.seats if record.person == person_of(interaction.user)]
        for number in own:
            await tables.moderation.set_sitter(
                game, person_of(interaction.user), number, person_of(member), member.display_name, days
            )
        await edit(
            interaction,
            tr("{name} moves for you for {days} days.", display_name(member.display_name), days)
            if days
            else "You no longer have a sitter.",
        )
