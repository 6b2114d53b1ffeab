"""Commands by which the table decides: votes, and the moderator's acts."""

from __future__ import annotations

from bot.engine import GameId, IllegalMove, SeatNumber, Text, literal, msg
from bot.engine.notation.messages import question
from bot.i18n import tr_lines
from bot.render.picture_kinds import PictureOf
from bot.service.features.moderation import PASSES_SAID, PICTURES_SAID
from bot.service.features.talk import LONGEST_TALK
from bot.service.features.votes import Poll
from bot.store import GameStatus, PollKind

from .command import (
    DISCORD_ONLY,
    Absence,
    Choice,
    Door,
    Flag,
    FollowUp,
    Member,
    Number,
    Person,
    Polls,
    Reply,
    Request,
    SeatOf,
    Spelling,
    Words,
    command,
    parameter,
)
from .completion import ENTRY, any_moves, cities, log_entries, own_games, owners, playing_companies, seats
from .lobby_commands import PACE

SILENT_SEAT = parameter(SeatOf(), "The silent player's seat", seats)
SLOW_SEAT = parameter(SeatOf(), "The player who is too slow", seats)
REASON = parameter(Words(200), "Why")
MOST_TAKEN_BACK = 8


# -- votes --------------------------------------------------------------------------------------------


async def start_poll(request: Request, kind: str, **data: object) -> Reply:
    game_id = await request.game_id()
    asker = await request.asker(game_id)
    return polls_reply(request, [await request.tables.votes.start_poll(game_id, asker, kind, data)])


def polls_reply(request: Request, polls: list[Poll]) -> Reply:
    """Votes, with the answers that the person who asks can give."""
    lines = [f"{poll.text} {poll.line}" for poll in polls]
    follow_ups = [
        FollowUp(label, f"vote {answer}", {"vote": poll.record.id})
        for poll in polls
        if poll.record.closed_at is None and request.person in [held.person for held in poll.asked]
        for answer, label in (("yes", msg("Agree")), ("no", msg("Refuse")))
    ]
    return Reply(lines or [msg("There is no open vote.")], follow_ups=follow_ups, subject=Polls(polls))


@command(
    "vote undo",
    "Go back to a log entry (default: to before your last move), if everyone who has moved since agrees",
    right="ask",
    changes=True,
    record=parameter(Number(0, 999_999), "The log entry after which the game continues", log_entries, ENTRY),
    example="vote undo 12",
)
async def vote_undo(request: Request, record: int | None = None) -> Reply:
    if record is None:
        record = await request.tables.moves.version_before_last_move(await request.game_id(), request.person)
    if record is None:
        raise IllegalMove("There is nothing to take back.")
    return await start_poll(request, PollKind.UNDO, number=record)


@command("vote end", "End the game now, if all agree", right="ask", changes=True)
async def vote_end(request: Request) -> Reply:
    return await start_poll(request, PollKind.END)


@command(
    "vote replace",
    "Give away the seat of a player who has been silent for a week",
    right="ask",
    changes=True,
    seat=SILENT_SEAT,
    member=parameter(Member(), "Who takes it over"),
    example="vote replace 2 Zoe",
)
async def vote_replace(request: Request, seat: int, member: Person) -> Reply:
    return await start_poll(request, PollKind.REPLACE, seat=seat, newcomer=member.person, name=member.name)


@command(
    "vote computer",
    "Let a computer play for a player silent for a week, until they return",
    right="ask",
    changes=True,
    seat=SILENT_SEAT,
    example="vote computer 2",
)
async def vote_computer(request: Request, seat: int) -> Reply:
    return await start_poll(request, PollKind.COMPUTER, seat=seat)


@command(
    "vote moderator",
    "Elect another moderator, if the moderator has done nothing for two weeks",
    right="ask",
    changes=True,
    seat=parameter(SeatOf(), "The player to be the moderator", seats),
    example="vote moderator 2",
)
async def vote_moderator(request: Request, seat: int) -> Reply:
    return await start_poll(request, PollKind.MODERATOR, seat=seat)


@command(
    "vote skip",
    "Pass for a player who is slower than the pace allows, if most agree",
    right="ask",
    changes=True,
    seat=SLOW_SEAT,
    example="vote skip 2",
)
async def vote_skip(request: Request, seat: int) -> Reply:
    return await start_poll(request, PollKind.SKIP, seat=seat)


@command(
    "vote fine",
    "Fine a player who is slower than the pace allows, if all others agree",
    right="ask",
    changes=True,
    seat=SLOW_SEAT,
    amount=parameter(Number(1, 999_999), "The amount to pay to the bank"),
    example="vote fine 2 50",
)
async def vote_fine(request: Request, seat: int, amount: int) -> Reply:
    return await start_poll(request, PollKind.FINE, seat=seat, amount=amount)


@command(
    "vote list",
    "Open votes at this table",
    right="look",
    words=(
        "vote",
        "votes",
    ),
)
async def list_votes(request: Request) -> Reply:
    return polls_reply(request, list(await request.tables.votes.polls((await request.table()).record.id)))


VOTE = parameter(Number(1, 999_999_999), "The number of the vote, if there are several")


@command("vote yes", "Vote yes in an open vote", right="answer", changes=True, words=("vote ja",), vote=VOTE)
async def vote_yes(request: Request, vote: int | None = None) -> Reply:
    return await answer_poll(request, vote, True)


@command("vote no", "Vote no in an open vote", right="answer", changes=True, words=("vote nein",), vote=VOTE)
async def vote_no(request: Request, vote: int | None = None) -> Reply:
    return await answer_poll(request, vote, False)


async def answer_poll(request: Request, vote: int | None, agrees: bool) -> Reply:
    if vote is None:
        polls = await request.tables.votes.polls(await request.game_id())
        if not polls:
            raise IllegalMove("There is no open vote.")
        if len(polls) > 1:
            open_votes = "; ".join(f"{poll.record.id}: {poll.text}" for poll in polls)
            raise IllegalMove("Which vote? Add its number. {votes}", "", literal(open_votes))
        vote = polls[0].record.id
    return polls_reply(request, [await request.tables.votes.answer_poll(vote, request.person, agrees)])


# -- talk ---------------------------------------------------------------------------------------------


@command(
    "say",
    "A message to all players of this game",
    right="talk",
    absent={Door.DISCORD: Absence.CHANNEL},
    changes=True,
    text=parameter(Words(LONGEST_TALK), "Your message to the table"),
    example="say See you tomorrow",
)
async def say(request: Request, text: str) -> Reply:
    game_id = await request.game_id()
    said = await request.tables.talk.say(game_id, await request.asker(game_id), text)
    return Reply(tr_lines([said], (await request.tables.desk.table(game_id)).names))


@command(
    "talk",
    "The latest messages of the players to each other",
    right="look",
    or_else=dict.fromkeys((Door.TERMINAL, Door.PAGE), "say"),
    absent={Door.DISCORD: Absence.CHANNEL},
    messages=parameter(Number(1, 100), "Maximum number of messages", shown="NUMBER"),
    example="talk 50",
)
async def show_talk(request: Request, messages: int = 20) -> Reply:
    game_id = await request.game_id()
    found = await request.tables.talk.latest(game_id, await request.asker(game_id), messages)
    return Reply(found or [msg("Nobody has said anything yet.")], is_latest_last=True)


# -- the moderator ------------------------------------------------------------------------------------


@command(
    "moderate rewind",
    "Show the position after a log entry, and go back to it",
    right="rewind",
    changes=True,
    words=("rewind",),
    record=parameter(Number(0, 999_999), "The log entry after which the game continues", log_entries, ENTRY),
    sure=parameter(Flag(), "Go back immediately, without a preview"),
    example="rewind 12",
)
async def rewind(request: Request, record: int, sure: bool = False) -> Reply:
    game_id = await request.game_id()
    table, _ = await request.tables.desk.require_started(game_id)
    asker = await request.asker(game_id)
    request.tables.desk.check(table, asker, "rewind")
    if sure or request.door is Door.TERMINAL:
        played = await request.tables.moderation.rewind(game_id, asker, record, request.version)
        return Reply([*played.lines, played.question], subject=played)
    if record > table.record.version:
        raise IllegalMove("This game has log entries 0 to {last}.", "", table.record.version)
    then = await request.tables.queries.position_at(game_id, record)
    undone = [entry for entry in await request.tables.queries.log_since(game_id, record) if not entry.is_undone]
    lines: list[Text] = [
        msg("After log entry {number}: {event}", record, question(then)),
        msg("This would take back {number} log entries:", len(undone)),
        *(line for entry in undone[-MOST_TAKEN_BACK:] for line in entry.tr_lines[:2]),
    ]
    again = FollowUp(msg("Go back to {number}", record), "moderate rewind", {"record": record, "sure": True})
    return Reply(lines, [PictureOf(then, "map"), PictureOf(then, "market")], follow_ups=[again])


@command(
    "moderate act",
    "Make a move for another player; the log says so",
    right="act",
    changes=True,
    move=parameter(Words(4000), "Moves for any seat; separate them with semicolons", any_moves),
    example="moderate act pass",
)
async def act(request: Request, move: str) -> Reply:
    game_id = await request.game_id()
    played = await request.tables.moves.submit(game_id, await request.asker(game_id), move, request.version, True)
    return Reply([*played.lines, played.question], subject=None)


@command(
    "moderate status",
    "Pause, resume or end the game",
    right="status",
    changes=True,
    words=("moderate",),
    status=parameter(
        Choice(
            {"paused": "pause", "running": "resume", "finished": "end"},
            {"pause": "paused", "resume": "running", "end": "finished"},
        ),
        "New state of the game",
    ),
    reason=REASON,
    example="moderate pause",
)
async def set_status(request: Request, status: str, reason: str = "") -> Reply:
    game_id = await request.game_id()
    changed = await request.tables.moderation.set_status(
        game_id, await request.asker(game_id), GameStatus(status), reason
    )
    return Reply(changed.lines)


@command(
    "moderate rules",
    "Move a game from older rules to the newest rules",
    right="rules",
    changes=True,
    agree=parameter(Flag(), "Even if the game so far would have gone differently"),
)
async def upgrade_rules(request: Request, agree: bool = False) -> Reply:
    game_id = await request.game_id()
    played = await request.tables.rules_upgrade.upgrade_rules(game_id, await request.asker(game_id), agree)
    return Reply([*played.lines, played.question])


@command(
    "moderate replace",
    "Give a seat to another player",
    right="replace",
    changes=True,
    seat=parameter(SeatOf(), "The seat to give away", seats),
    member=parameter(Member(), "Who takes it over"),
    example="moderate replace 2 Zoe",
)
async def replace(request: Request, seat: int, member: Person) -> Reply:
    game_id = await request.game_id()
    asker = await request.asker(game_id)
    table = await request.tables.moderation.replace(game_id, asker, SeatNumber(seat), member.person, member.name)
    return Reply([msg("{name} has seat {seat} now.", literal(table.seats[seat - 1].name), seat)])


@command(
    "moderate cash",
    "Correct someone's cash; the log says who and why",
    right="correct",
    changes=True,
    words=("moderate correct cash",),
    owner=parameter(Words(32), "A player's name or a company's abbreviation", owners),
    amount=parameter(Number(0, 999_999), "The new amount"),
    reason=REASON,
    example="moderate cash Ann 150 counted wrong",
)
async def correct_cash(request: Request, owner: str, amount: int, reason: str) -> Reply:
    return await correct(request, f"cash {owner} {amount}", reason)


@command(
    "moderate token",
    "Place or remove a token; the log says who and why",
    right="correct",
    changes=True,
    words=("moderate correct",),
    what=parameter(
        Choice({"token": "put", "no-token": "remove"}, {"put": "token", "remove": "no-token"}), "Place or remove it"
    ),
    company=parameter(Words(20), "Whose token", playing_companies),
    space=parameter(Words(10), "For example G10, or G10.1 for its second city", cities),
    reason=REASON,
    example="moderate token put VR G10 forgotten",
)
async def correct_token(request: Request, what: str, company: str, space: str, reason: str) -> Reply:
    return await correct(request, f"{what} {company} {space}", reason)


async def correct(request: Request, text: str, reason: str) -> Reply:
    game_id = await request.game_id()
    played = await request.tables.moderation.correct(game_id, await request.asker(game_id), text, reason)
    return Reply([*played.lines, played.question])


@command(
    "moderate sitter",
    "Let someone else move for a seat too, for some days (0: stop)",
    right="sitter",
    changes=True,
    seat=parameter(SeatOf(), "The seat", seats),
    member=parameter(Member(), "Who sits in for it"),
    days=parameter(Number(0, 60), "For how many days; 0 ends it"),
    example="moderate sitter 2 Zoe 7",
)
async def set_sitter(request: Request, seat: int, member: Person, days: int) -> Reply:
    game_id = await request.game_id()
    asker = await request.asker(game_id)
    await request.tables.moderation.set_sitter(game_id, asker, SeatNumber(seat), member.person, member.name, days)
    return Reply([msg("{name} moves for seat {seat} for {days} days.", literal(member.name), seat, days)])


@command(
    "game sitter",
    "Let someone also move for your seat, for some days (0: stop)",
    right="own",
    changes=True,
    member=parameter(Member(), "Who sits in for you"),
    days=parameter(Number(0, 60), "For how many days; 0 ends it"),
    example="game sitter Zoe 7",
)
async def set_own_sitter(request: Request, member: Person, days: int) -> Reply:
    game_id = await request.game_id()
    table = await request.tables.desk.table(game_id)
    request.tables.desk.check(table, request.person, "own")
    for held in table.seats:
        if held.person == request.person:
            await request.tables.moderation.set_sitter(
                game_id, request.person, held.number, member.person, member.name, days
            )
    if not days:
        return Reply([msg("You no longer have a sitter.")])
    return Reply([msg("{name} moves for you for {days} days.", literal(member.name), days)])


@command(
    "moderate pace",
    "How long a turn may take, who makes forced passes, which pictures are posted",
    right="pace",
    changes=True,
    words=(
        Spelling("moderate passes", first="passes"),
        Spelling("moderate pictures", first="pictures"),
    ),
    pace=parameter(PACE, "How long a turn may take"),
    passes=parameter(
        Choice({"forced": "the bot makes forced passes", "hand": "players pass manually"}), "Who makes forced passes"
    ),
    pictures=parameter(
        Choice({"changed": "what has changed", "both": "map and market every time"}), "Pictures in each log message"
    ),
    example="moderate pace fast",
)
async def set_pace(request: Request, pace: str = "", passes: str = "", pictures: str = "") -> Reply:
    moderation, game_id = request.tables.moderation, await request.game_id()
    asker = await request.asker(game_id)
    lines = []
    if pace or not (passes or pictures):
        await moderation.set_pace(game_id, asker, pace)
        lines.append(msg("The pace is {pace} from the next move on.", msg(pace)))
    if passes:
        await moderation.set_passes(game_id, asker, passes)
        lines.append(msg(PASSES_SAID[passes]))
    if pictures:
        await moderation.set_pictures(game_id, asker, pictures)
        lines.append(msg(PICTURES_SAID[pictures]))
    return Reply(lines)


@command(
    "moderate handover",
    "Make someone else the moderator",
    right="handover",
    changes=True,
    member=parameter(Member(), "Who looks after the game from now on"),
    example="moderate handover Zoe",
)
async def hand_over(request: Request, member: Person) -> Reply:
    game_id, tables = await request.game_id(), request.tables
    await tables.moderation.transfer_moderation(game_id, await request.asker(game_id), member.person)
    line = msg("You are the moderator of game {game} now.", game_id)
    await tables.mail.enqueue(member.person, game_id, f"handover-{game_id}-{tables.desk.now()}", [line])
    return Reply([msg("{name} is the moderator now.", literal(member.name))])


@command(
    "moderate here",
    "Continue a game in this channel; its old channel gets a note",
    right="place",
    changes=True,
    absent=DISCORD_ONLY,
    game=parameter(Number(1, 999_999_999), "Number of the game", own_games),
)
async def move_here(request: Request, game: int) -> Reply:
    await request.move_here(GameId(game))
    return Reply([msg("Game {game} continues here.", game)])
