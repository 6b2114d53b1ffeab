"""Commands that show the position."""

from __future__ import annotations

from bot.engine import HexId, IllegalMove, msg, seat_number
from bot.engine.notation import near_words, question
from bot.engine.play.game import Game
from bot.i18n import tr
from bot.render.picture_kinds import PictureOf
from bot.service.parser.vocabulary import player_named, strip_accents, towns
from bot.service.views import position_text
from bot.service.views.clock_text import times_line
from bot.service.views.routes import routes_with_picture
from bot.service.views.turn_text import since_text, table_text, turn_text
from bot.threads import run_in_thread

from .command import Absence, Door, FollowUp, Number, Reply, Request, Spelling, TurnNews, Words, command, parameter
from .completion import ENTRY, components, log_entries, map_parts, players, playing_companies, tile_names


@command("status", "The position in words, for screen readers too", right="look")
async def show_status(request: Request) -> Reply:
    game_id = await request.game_id()
    matters = await request.tables.votes.open_matters(game_id)
    times = await request.tables.clocks.seat_times(await request.tables.desk.table(game_id))
    shown = [times_line(times)] if times else []
    return Reply([position_text.status_text(await request.position()), *shown, *matters])


@command(
    "turn",
    "Your decision, your cash, and what happened since your last turn",
    right="look",
    absent={Door.PAGE: Absence.SHOWN},
)
async def show_turn(request: Request) -> Reply:
    table, game = await request.require_started()
    if game.state.finished:
        return Reply([tr(question(game))])
    last = await request.tables.queries.last_moves(table.record.id, request.person)
    asked = [player for player in game.players_to_act() if player in last]
    newest = max(last.values(), default=table.record.version)
    log = await request.tables.queries.log_since(table.record.id, min([newest, *(last[one] for one in asked)]))
    lines = [table_text(game, asked or game.players_to_act())] if len(asked) != 1 else []
    for player in asked:
        lines += table.tr_lines(await request.tables.clocks.own_lines(table, seat_number(player)))
        since = [entry for entry in log if entry.record.number > last[player]]
        lines.append((since_text if len(asked) > 1 else turn_text)(game, player, since))
    since = [entry for entry in log if entry.record.number > newest]
    lines += await request.tables.lessons.task_lines(table)
    return Reply([line.replace("/log", request.spell("log")) for line in lines if line], subject=TurnNews(table, since))


@command(
    "map",
    "The whole map, or around hexes or a company's tokens",
    right="look",
    around=parameter(Words(100), "Hexes (G10 H11) or a company (VR)", map_parts),
    example="map G10",
)
async def show_map(request: Request, around: str = "") -> Reply:
    game = await request.position()
    if around.lower() in ("words", "worte"):
        return Reply([position_text.map_text(game)])
    spaces = hexes_named(game, around) if around else []
    words = position_text.map_text(game, spaces or None)
    return Reply([words], [PictureOf(game, "crop" if around else "map", " ".join(spaces))], caption=question(game))


def hexes_named(game: Game, text: str) -> list[HexId]:
    """The named hexes, or the hexes with a company's tokens (or its home).

    :raises IllegalMove: there is no such hex or company.
    """
    known = {hex_id.lower(): hex_id for hex_id in game.board_rules.map.hexes} | dict(towns(game.board_rules))
    words = [text.lower()] if strip_accents(text.lower()) in known else text.replace(",", " ").split()
    if all(strip_accents(word.lower()) in known for word in words):
        return [known[strip_accents(word.lower())] for word in words]
    if position_text.find_company(game, text) is None:
        wrong = next(word for word in words if strip_accents(word.lower()) not in known)
        names = [*dict.fromkeys(known.values()), *game.title.companies]
        raise IllegalMove("There is no hex or company {name}{suggestions}.", "", wrong, near_words(wrong, names))
    company = position_text.require_company(game, text)
    tokens = list(dict.fromkeys(hex_id for hex_id, _ in game.state.board.cities_of(company)))
    spaces = tokens or list(game.title.companies[company].home)
    if not spaces:
        raise IllegalMove("{company} has no place on the map.", "", company)
    return spaces


@command(
    "history",
    "The board after an earlier log entry; the game stays as it is",
    right="look",
    absent={Door.PAGE: Absence.SHOWN},
    record=parameter(Number(0, 999_999), "The log entry; by default the entry before the last", log_entries, ENTRY),
    example="history 12",
)
async def show_history(request: Request, record: int | None = None) -> Reply:
    table, _ = await request.require_started()
    last = table.record.version
    number = max(last - 1, 0) if record is None else record
    if number > last:
        raise IllegalMove("This game has log entries 0 to {last}.", "", last)
    then = await request.tables.queries.position_at(table.record.id, number)
    line = msg("After log entry {number} of {last}: {event}", number, last, question(then))
    around = [(msg("Back"), number - 1), (msg("Forward"), number + 1)]
    steps = [FollowUp(label, "history", {"record": to}) for label, to in around if 0 <= to <= last]
    return Reply([line], [PictureOf(then, "map"), PictureOf(then, "market")], follow_ups=steps)


@command("market", "The stock market, players and companies", right="look")
async def show_market(request: Request) -> Reply:
    game = await request.position()
    return Reply([position_text.market_text(game)], [PictureOf(game, "market")], caption=question(game))


@command(
    "routes",
    "The best routes of a company, with proof",
    right="look",
    company=parameter(Words(20), "Its abbreviation (default: the operating company)", playing_companies),
    example="routes VR",
)
async def show_routes(request: Request, company: str = "") -> Reply:
    game = await request.position()
    operating = game.frame.entity if game.state.flow else None
    if not company and operating not in game.state.companies:
        raise IllegalMove("No company is operating now; name a company.")
    found = position_text.require_company(game, company or str(operating))
    text, shown = await run_in_thread(routes_with_picture, game.copy(), found)
    has_trains = bool(game.state.trains_of(found))
    return Reply([text], [PictureOf(game, "routes", shown)] if has_trains else [])


@command(
    "company",
    "A company, private or train: what it is, has and does",
    right="look",
    words=(
        "private",
        "train",
        "cousin",
        "minor",
        Spelling("ferry", may_be_move=True),
    ),
    name=parameter(Words(20), "Its abbreviation: VR, P1, 3+", components),
    example="company VR",
)
async def show_component(request: Request, name: str) -> Reply:
    game = await request.position()
    company = position_text.find_company(game, name)
    text = position_text.thing_text(game, name)
    if company not in game.state.companies:
        return Reply([text])
    return Reply([text], [PictureOf(game, "company", company)])


@command(
    "player",
    "A player: cash, shares, privates, net worth",
    right="look",
    name=parameter(Words(32), "A player's name or seat (default: you)", players),
    example="player Ann",
)
async def show_player(request: Request, name: str = "") -> Reply:
    table, game = await request.require_started()
    wanted = player_named(game, name) if name else next(iter(table.seats_of(request.person)), None)
    if wanted is None:
        if not name:
            raise IllegalMove("You have no seat here.")
        names = ", ".join(player.name for player in game.state.players)
        raise IllegalMove("There is no player {name}; the players are: {names}.", "", name, names)
    text = position_text.player_text(game, name or game.state.name(wanted))
    return Reply([text], [PictureOf(game, "player", wanted)])


@command("trains", "Trains left, with prices and what rusts them", right="look")
async def show_trains(request: Request) -> Reply:
    return Reply([position_text.trains_text(await request.position())])


@command(
    "tiles",
    "Tiles left: all, or by colour and number",
    right="look",
    which=parameter(Words(100), "Colours or numbers, e.g. green or 14 15", tile_names),
    example="tiles green",
)
async def show_tiles(request: Request, which: str = "") -> Reply:
    game = await request.position()
    return Reply([position_text.tiles_text(game, which)], [PictureOf(game, "tiles", which)])


@command(
    "board words",
    "The board in words, hex by hex, for screen readers",
    right="look",
    words=(Spelling("board", door=Door.TERMINAL),),
)
async def show_board_in_words(request: Request) -> Reply:
    game = await request.position()
    parts = [position_text.status_text(game), position_text.market_text(game), position_text.map_text(game)]
    return Reply(["\n\n".join(parts)], long="board.txt")
