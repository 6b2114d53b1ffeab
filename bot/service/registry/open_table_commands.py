"""Commands to find a table, and to have others find one's own."""

from __future__ import annotations

from bot.engine.message import literal, msg
from bot.i18n import LANGUAGES
from bot.service.features.open_tables import LEVELS, LONGEST_NOTE, TableFilter
from bot.service.sessions.reminder_times import PACES
from bot.store import LobbyScope, TableLevel
from bot.titles.registry import NAMES

from .command import (
    DISCORD_ONLY,
    Choice,
    Flag,
    FollowUp,
    Member,
    Number,
    Person,
    Reply,
    Request,
    Words,
    command,
    parameter,
)
from .lobby_commands import GAME, TITLE

REACHES = {
    "server": "only people on this server",
    "shared": "also people on the servers that share their tables",
    "everybody": "everybody, everywhere",
}
LEVEL = Choice({level.value: LEVELS[level] for level in TableLevel if level})
NO_TITLE = "none"
SHARING = {"on": "this server shares its tables", "off": "this server shares no tables"}
PAGES = {"on": "this server has a public page", "off": "this server has no public page"}
NAMELESS = "A player's name stands there only if they allow it: `privacy record public`."
MOST_SHOWN = 15


@command(
    "tables list",
    "Tables that you can join, here and from elsewhere",
    words=("tables",),
    title=parameter(TITLE, "Only this title"),
    players=parameter(Number(2, 8), "Only for this number of players"),
    pace=parameter(Choice(dict.fromkeys(PACES, "")), "Only this pace"),
    language=parameter(Choice(dict(LANGUAGES)), "Only in this language"),
    level=parameter(LEVEL, "Only for players like you"),
    awake=parameter(Number(1, 24), "Minimum number of waking hours a day shared with the opener"),
    example="tables 1848",
)
async def list_tables(
    request: Request,
    title: str = "",
    players: int | None = None,
    pace: str = "",
    language: str = "",
    level: str = "",
    awake: int | None = None,
) -> Reply:
    wanted = TableFilter(title, players, pace, language, level, awake)
    found = await request.tables.open_tables.list_for(request.person, request.guild(), wanted)
    if not found:
        tell = request.spell("tables tell", title=title or next(iter(NAMES)))
        return Reply([msg("No such table is open. Hear of the next: {command}.", tell)])
    follow_ups = [
        FollowUp(msg("Join {game}", one.game_id), "game join", {"game": one.game_id}) for one in found[:MOST_SHOWN]
    ]
    lines = [one.line for one in found[:MOST_SHOWN]]
    return Reply([msg("Open tables:"), *lines], follow_ups=follow_ups[:5])


@command(
    "tables tell",
    "Hear once, by mail or message, when a table for a title opens",
    changes=True,
    is_sealed=True,
    title=parameter(Choice({**dict(NAMES.items()), NO_TITLE: "no titles any more"}), "Which title; none turns all off"),
    example="tables tell 1848",
)
async def tell_of_tables(request: Request, title: str) -> Reply:
    if title == NO_TITLE:
        await request.tables.open_tables.drop_wishes(request.person)
        return Reply([msg("You will not hear of new tables.")])
    await request.tables.open_tables.wish(request.person, title, request.guild())
    return Reply([msg("You will hear of the next table for {title} that you can join.", NAMES[title])])


@command(
    "tables share",
    "Share this server's tables with all servers that share theirs (for its managers)",
    changes=True,
    absent=DISCORD_ONLY,
    choice=parameter(Choice(SHARING), "Share them, or stop sharing"),
)
async def share_tables(request: Request, choice: str) -> Reply:
    request.check_server_manager()
    await request.tables.open_tables.set_sharing(request.guild(), choice == "on")
    return Reply([msg(SHARING[choice])])


@command(
    "tables page",
    "Show this server's results and seasons on a public page (for its managers)",
    changes=True,
    absent=DISCORD_ONLY,
    choice=parameter(Choice(PAGES), "Whether it has a page"),
    name=parameter(Words(60, is_rest=True), "The server's name on the page"),
)
async def set_server_page(request: Request, choice: str, name: str = "") -> Reply:
    request.check_server_manager()
    if choice == "off":
        await request.tables.public_pages.drop_server(request.guild())
        return Reply([msg("This server has no public page any more.")])
    called = await request.tables.public_pages.show_server(request.guild(), name)
    return Reply(
        [msg("Anybody can see this server's results and seasons, as “{name}”.", literal(called)), msg(NAMELESS)]
    )


@command(
    "tables block",
    "Avoid a person at open tables: neither of you can join the other's lobbies",
    changes=True,
    is_sealed=True,
    member=parameter(Member(), "The person to avoid"),
    off=parameter(Flag(), "Let them meet you again"),
    example="tables block Zoe",
)
async def block_person(request: Request, member: Person, off: bool = False) -> Reply:
    left = await request.tables.open_tables.set_block(request.person, member.person, not off)
    if off:
        return Reply([msg("{name} may join your lobbies again.", literal(member.name))])
    lines = [msg("You and {name} will no longer meet in lobbies.", literal(member.name))]
    return Reply([*lines, *(msg("They have lost their seat in game {game}.", game) for game in left)])


@command(
    "game open",
    "Open your lobby to other servers or to everybody",
    right="open",
    changes=True,
    reach=parameter(Choice(REACHES), "To whom"),
    level=parameter(LEVEL, "For which players"),
    note=parameter(Words(LONGEST_NOTE, is_rest=True), "A note, shown elsewhere once a moderator here vouches for it"),
    game=GAME,
    example="game open everybody",
)
async def open_to_others(
    request: Request, reach: str, level: str = "", note: str = "", game: int | None = None
) -> Reply:
    game_id = await request.lobby_id(game)
    asker = await request.asker(game_id)
    await request.tables.open_tables.open(game_id, asker, LobbyScope(reach), TableLevel(level), note)
    lines = [msg("Game {game} is open: {reach}.", game_id, msg(REACHES[reach]))]
    if reach != LobbyScope.SERVER:
        lines.append(
            msg("Others see title, players, pace, clock, language and your waking hours in UTC, but nobody's name.")
        )
    if note:
        vouch = request.spell("moderate vouch", game=game_id)
        lines.append(
            msg("Your note is shown elsewhere once a moderator of this server has vouched for it: {command}", vouch)
        )
    return Reply(lines)


@command(
    "moderate vouch",
    "Let a lobby's note be shown on other servers",
    right="vouch",
    changes=True,
    absent=DISCORD_ONLY,
    game=GAME,
)
async def vouch(request: Request, game: int | None = None) -> Reply:
    game_id = await request.lobby_id(game)
    note = await request.tables.open_tables.vouch(game_id, await request.asker(game_id))
    return Reply([msg("Others may read: {note}", literal(note))])
