"""Commands that show how a game goes, or went, and the games that somebody plays."""

from __future__ import annotations

from bot.engine import IllegalMove, Owner, PlayerId, literal, msg
from bot.engine.games.company_ledger import build_ledger
from bot.engine.notation.messages import question
from bot.i18n import tr
from bot.render.picture_kinds import HistoryOf
from bot.service.features.review import curve_lines, point_lines, review_head
from bot.service.parser.vocabulary import player_named
from bot.service.views.ledger_text import ledger_messages
from bot.service.views.position_text import require_company
from bot.service.views.report import log_lines, report_text
from bot.threads import run_in_thread

from .command import (
    Choice,
    Door,
    NamedFile,
    Number,
    Reply,
    Request,
    Words,
    command,
    parameter,
)
from .completion import owners, players, playing_companies

MOST_GAMES = 15

CHARTS = {
    "worth": "net worth of the players",
    "income": "income of the players",
    "prices": "share prices",
}


@command(
    "log",
    "Recent events: the latest, since your last turn, about a company, or by a player",
    right="look",
    since=parameter(
        Choice({"turn": "since my last turn", "all": "the whole game, as a file"}),
        "Since your last turn, or everything as a file",
    ),
    about=parameter(Words(32), "A company or a player", owners),
    records=parameter(Number(1, 99_999), "Maximum number of entries", shown="NUMBER"),
    example="log 40",
)
async def show_log(request: Request, since: str = "", about: str = "", records: int = 20) -> Reply:
    queries, number = request.tables.queries, (await request.table()).record.id
    if since == "turn":
        return Reply(log_lines(await queries.log_since_last_turn(number, request.person), about) or [tr("Nothing.")])
    lines = log_lines(await queries.log_since(number), about)
    if since == "all":
        text = "\n".join(lines).encode()
        head = msg("Game {number}, {lines} log entries.", number, len(lines))
        return Reply([head], files=[NamedFile(f"log-{number}.txt", text, tr("The log"))])
    return Reply(lines[-records:] or [tr("Nothing.")], is_latest_last=True)


@command(
    "chart",
    "Net worth, income or share prices over the game",
    right="look",
    kind=parameter(Choice(CHARTS), "Picture to draw"),
    example="chart prices",
)
async def show_chart(request: Request, kind: str = "worth") -> Reply:
    course = await request.tables.queries.game_file((await request.table()).record.id)
    return Reply(pictures=[HistoryOf(course, kind)])


@command(
    "ledger",
    "The companies by operating round: revenue, price, treasury, trains",
    right="look",
    words=("hauptbuch",),
    company=parameter(Words(20), "Its abbreviation (default: all companies)", playing_companies),
    example="ledger VR",
)
async def show_ledger(request: Request, company: str = "") -> Reply:
    game = await request.position()
    chosen = require_company(game, company) if company else None
    course = await request.tables.queries.game_file(await request.game_id())
    lines = ledger_messages(game, await run_in_thread(build_ledger, game.title, course), chosen)
    return Reply(lines or [msg("No company has run yet.")], long="ledger.txt")


@command("timelapse", "The board growing round by round, animated", right="look")
async def show_timelapse(request: Request) -> Reply:
    course = await request.tables.queries.game_file((await request.table()).record.id)
    if len(course.moves) < 2:
        raise IllegalMove("There is nothing to see yet.")
    return Reply(pictures=[HistoryOf(course, "timelapse")])


@command("report", "Current standings or final ranking, with a chart", right="look")
async def show_report(request: Request) -> Reply:
    game = await request.position()
    course = await request.tables.queries.game_file(await request.game_id())
    asked = [] if game.state.finished else [question(game)]
    verdict = await request.tables.clocks.verdict(await request.table())
    return Reply([report_text(game, verdict), *asked], [HistoryOf(course, "worth")])


@command(
    "review",
    "Chances of winning in a finished game, and the turns that changed them",
    right="look",
    player=parameter(Words(64), "Only the turns that changed this player's chance", players),
    example="review Ann",
)
async def review_game(request: Request, player: str = "") -> Reply:
    game = await request.position()
    if not game.state.finished:
        raise IllegalMove("A game can be reviewed when it has ended.")
    seat = player_named(game, player) if player else PlayerId(Owner(""))
    if seat is None:
        raise IllegalMove("Nobody called {player} plays here.", "", player)
    course = await request.tables.queries.game_file(await request.game_id())
    found = await request.tables.computers.review(course, seat)
    names = {held.id: held.name for held in game.state.players}
    lines = [review_head(game.title, found), *curve_lines(names, found.curve), "", *point_lines(names, found.points)]
    return Reply(lines, [HistoryOf(course, "chances")], long="review.txt")


@command(
    "why",
    "The latest moves of computer players, with reasons",
    right="look",
    lines=parameter(Number(1, 999), "Maximum number of lines", shown="NUMBER"),
    example="why 40",
)
async def show_reasons(request: Request, lines: int = 20) -> Reply:
    found = await request.tables.computers.why((await request.table()).record.id)
    return Reply(found[-lines:] or [msg("No computer player has moved lately.")], is_latest_last=True)


@command(
    "advice",
    "The move a strong computer player would make in your place (only in games against computers)",
    right="advice",
)
async def give_advice(request: Request) -> Reply:
    task = await request.tables.lessons.task(await request.table())
    if task is not None and task.line:
        return Reply([msg("The lesson wants: {line}", literal(task.line))])
    return Reply([await request.tables.computers.advise(await request.game_id(), request.person)])


@command("games", "Your games, and where it is your turn")
async def list_games(request: Request) -> Reply:
    lines = []
    found = await request.tables.queries.games_of(request.person, with_finished=request.door is Door.TERMINAL)
    for status in sorted(found, key=lambda status: status.record.id)[-MOST_GAMES:]:
        record = status.record
        names = ", ".join(seat.name for seat in status.seats)
        since = tr(" Asked {when}.", request.moment(status.waiting[0].since)) if status.waiting else ""
        has_others = len({seat.person for seat in status.seats}) > 1
        mark = tr("Your turn. ") if has_others and status.waits_for(request.person) else ""
        asked = tr(status.question or "in the lobby")
        where = await request.place_words(record.id)
        here = request.mark(record.id)
        lines.append(f"{here}{record.id}: {record.title} ({names}), {tr(record.status)}. {mark}{asked}{since}{where}")
    none = msg("You are in no game. To open one: {command}.", request.first_game())
    return Reply(lines or [none])
