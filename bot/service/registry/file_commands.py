"""Commands that bring games in and out, and links to the board page."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from bot.engine.message import Message, literal, msg
from bot.engine.notation.messages import question
from bot.i18n import tr
from bot.service.features.board_links import hook_parts
from bot.service.imports.file_io import encode_game_file, read_file, write_18xx
from bot.store import LinkKind, LinkRecord

from .command import (
    Absence,
    Choice,
    Door,
    GameFile,
    NamedFile,
    Number,
    Reply,
    Request,
    Spelling,
    Words,
    command,
    parameter,
)
from .completion import ENTRY, log_entries

MOST_NOTES = 5
"""Maximum number of notes about an imported file that are named."""

KINDS = {
    LinkKind.LOOK: "look link",
    LinkKind.PLAY: "play link",
    LinkKind.MAIL: "link in mails",
    LinkKind.PROGRAM: "program's token",
    LinkKind.HOOK: "webhook",
    LinkKind.PUSH: "notices to a browser",
    LinkKind.CALENDAR: "calendar of deadlines",
}
FORM = Choice({"own": "for Signalbox", "18xx": "for 18xx.games"}, {"18xx.games": "18xx", "signalbox": "own"})


@command(
    "export",
    "The game as a JSON file, for Signalbox or for 18xx.games",
    right="export",
    form=parameter(FORM, "For Signalbox or for 18xx.games"),
    file=parameter(Words(200), "The file to write (default: a new file)"),
    example="export game.json 18xx",
)
async def export_game(request: Request, form: str = "own", file: str = "") -> Reply:
    path, _, last = file.rpartition(" ")
    if path and last in ("18xx", "own"):
        file, form = path.strip(), last
    game_id = await request.game_id()
    table = await request.tables.desk.table(game_id)
    request.tables.desk.check(table, await request.asker(game_id), "export")
    course = await request.tables.queries.game_file(game_id)
    content, objection = encode_game_file(course), None
    if form == "18xx":
        content, objection = await request.run_in_turn(write_18xx, course)
    is_named = bool(file) and request.door is Door.TERMINAL
    name = file if is_named else f"game-{game_id}.json"
    written = NamedFile(name, content, tr("Game {number} as JSON", game_id), is_named)
    return Reply([msg("Game {number}.", game_id), *([objection] if objection else [])], files=[written])


@command(
    "game import",
    "Continue a game from a JSON file of Signalbox or 18xx.games",
    words=("import",),
    changes=True,
    is_public=True,
    file=parameter(GameFile(), "Exported from Signalbox, or a game's JSON from 18xx.games"),
    example="import game.json",
)
async def import_game(request: Request, file: bytes) -> Reply:
    """All seats are the importer's until they give them away."""
    place = await request.place_for_new()
    found = await request.run_in_turn(read_file, file)
    game_id = await request.tables.transfer.import_game(found.course, request.person, place=place)
    where = await request.describe(place)
    lines = [msg("Game {number} continues after {moves} move(s).", game_id, len(found.course.moves))]
    if request.door is Door.DISCORD:
        give = request.spell("moderate replace")
        lines.append(msg("All seats are yours; give them away with {command}. {where}", give, literal(where)))
    lines += [msg("Note: {note}.", msg(note)) for note in found.notes[:MOST_NOTES]]
    _, position = await request.tables.desk.require_started(game_id)
    return Reply([*lines, question(position)], opened=game_id)


@command(
    "game clone",
    "A copy of this game to play with, from now or from a log entry",
    right="copy",
    words=("clone",),
    changes=True,
    record=parameter(
        Number(0, 999_999), "The log entry after which the copy begins (default: the last)", log_entries, ENTRY
    ),
    example="clone 12",
)
async def clone_game(request: Request, record: int | None = None) -> Reply:
    game_id = await request.game_id()
    place = await request.place_for_new()
    copied = await request.clone(game_id, record, place)
    where = await request.describe(place)
    text = "Game {game} is a copy of game {number}; every seat is yours. {where}"
    _, position = await request.tables.desk.require_started(copied)
    return Reply([msg(text, copied, game_id, literal(where)), question(position)], opened=copied)


# -- the board page -----------------------------------------------------------------------------------


@command(
    "board link",
    "A look link: anyone can watch this game in a browser",
    right="link",
    words=(Spelling("board", door=Door.MAIL),),
    changes=True,
    is_public=True,
)
async def make_look_link(request: Request) -> Reply:
    return Reply([msg("The board:"), await request.board_link(LinkKind.LOOK)])


@command(
    "board mine",
    "Your play link: see and make your moves in a browser",
    right="key",
    changes=True,
    absent={Door.MAIL: Absence.SECRET, Door.PAGE: Absence.SHOWN},
)
async def make_play_link(request: Request) -> Reply:
    told = msg("This is a play link of yours; keep it secret. Your other links stay valid.")
    return Reply([told, await request.board_link(LinkKind.PLAY)])


@command(
    "board token",
    "A token with which a program of yours plays for you",
    right="key",
    changes=True,
    absent={Door.MAIL: Absence.SECRET, Door.PAGE: Absence.LINK},
)
async def make_token(request: Request) -> Reply:
    told = msg(
        "The address of the API for programs, with your token behind the #. Keep it secret; it is never shown again. "
        "{list} lists it, {withdraw} ends it.",
        request.spell("board links"),
        request.spell("board withdraw"),
    )
    return Reply([told, await request.board_link(LinkKind.PROGRAM)])


@command(
    "board hook",
    "Call an address of yours whenever this game moves on (webhook)",
    right="key",
    changes=True,
    absent={Door.MAIL: Absence.SECRET, Door.PAGE: Absence.LINK},
    address=parameter(Words(500), "An https address of yours"),
    example="board hook https://example.org/signalbox",
)
async def make_hook(request: Request, address: str) -> Reply:
    secret = await request.add_hook(address.strip())
    told = msg(
        "From now on this address is called. Calls are signed as standardwebhooks.com describes, with this secret:"
    )
    return Reply([told, secret])


@command(
    "board calendar",
    "An address for your calendar program: when your time runs out, in all your games",
    right="key",
    words=("board kalender",),
    changes=True,
    absent={Door.MAIL: Absence.SECRET},
)
async def make_calendar(request: Request) -> Reply:
    told = msg(
        "Subscribe to this address in your calendar program; it shows your games that have a clock. Keep it secret. "
        "{withdraw} ends it.",
        request.spell("board withdraw"),
    )
    return Reply([told, await request.board_link(LinkKind.CALENDAR)])


@command("board links", "Your links to this game, and when each was last used", right="link")
async def list_links(request: Request) -> Reply:
    game_id = await request.game_id()
    found = await request.tables.links.links_of(game_id, await request.asker(game_id))
    lines = [link_line(request, number, link) for number, link in enumerate(found, start=1)]
    return Reply(lines or [msg("You have no link to this game.")])


def link_line(request: Request, number: int, link: LinkRecord) -> Message:
    kind = msg(KINDS[link.kind])
    if link.kind == LinkKind.HOOK:
        kind = msg("webhook to {host}", literal(urlsplit(hook_parts(link)[1]).hostname or ""))
    return use_line(request, number, link, kind)


def use_line(request: Request, number: int, link: LinkRecord, kind: Message) -> Message:
    """When a link of that kind was made and last used."""
    made, used = (request.moment(datetime.fromtimestamp(at or 0, UTC)) for at in (link.made_at, link.used_at))
    if link.used_at is None:
        return msg("{number}. {kind}, made {made}, not used yet", number, kind, literal(made))
    return msg("{number}. {kind}, made {made}, last used {used}", number, kind, literal(made), literal(used))


@command(
    "board withdraw",
    "End your links to this game, or one of them; the moderator ends all look links",
    right="link",
    words=("board zurückziehen",),
    changes=True,
    number=parameter(Number(1, 99), "The link's number in the list of your links (default: all)"),
)
async def withdraw_links(request: Request, number: int | None = None) -> Reply:
    game_id = await request.game_id()
    asker = await request.asker(game_id)
    if number is not None:
        await request.tables.links.withdraw_one(game_id, asker, number)
    ended = 1 if number is not None else await request.tables.links.withdraw(game_id, asker)
    return Reply([msg("Links withdrawn: {ended}.", ended)])
