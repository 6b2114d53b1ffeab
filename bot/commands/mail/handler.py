"""The requests of a letter, done by the commands of all doors: moves in its first lines, or commands. A refusal changes nothing
and is answered with its reason and what would be legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.engine import GameId, IllegalMove, Message, ParseError, Rejected, StalePosition, msg
from bot.engine.play import Game
from bot.engine.refusals import AmbiguousMove
from bot.i18n import tr, tr_error
from bot.service.registry.command import Door, GameFile, Reply
from bot.service.registry.command_line import Line, find_line, values_of
from bot.service.registry.commands import COMMANDS
from bot.service.registry.lobby_commands import invite
from bot.store import MailRecord, PersonRecord

from .incoming_mail import IncomingMail, words_of
from .letters.reply_tokens import DAY, ReplyToken
from .mail_lines import LIST_MARK
from .request import MailDoor, MailRequest, run_once
from .strip_quotes import ReplyText

MOST_COMMANDS = 12

TOKENS_KEPT = timedelta(days=90)
"""For this long an answer to a mail is proof enough for commands about a whole person: a mail server that vouches for a
sender can be deceived."""

SEALED_ALONE = (
    "Did you write this? Then reply with the line below to confirm it.",
    "Senders can be forged; only a reply proves that this address is yours. Nothing has been done yet.",
)

FOLLOWED_BY = {"game new": invite}
"""The follow-up of a command: here nobody sees the lobby."""


@dataclass
class MailAnswer:
    """The answer to a letter, about that game (None: about none). Pictures and files of the commands `attached` come
    with it. Silent answers are not sent. `has_moved` says that moves were made.
    """

    lines: Sequence[Message | str]
    game: GameId | None
    attached: list[str] = field(default_factory=list)
    is_silent: bool = False
    has_moved: bool = False


class MailCommandHandler:
    """Obeys letters."""

    def __init__(self, door: MailDoor) -> None:
        self.door, self.tables = door, door.tables

    async def handle(
        self, letter: IncomingMail, person: PersonRecord, game_id: GameId | None, version: int | None, noted: MailRecord
    ) -> MailAnswer:
        """Obey a letter. `noted` is its row: with an `id` it was begun before, and its commands may have been done.

        :raises StoreError: the database did not take it; nothing has changed.
        """
        begun_at = noted.made_at if noted.id else None
        request = MailRequest(self.door, person, game_id, version, begun_at, letter.file)
        words = words_of(letter)
        try:
            if letter.is_encrypted:
                raise ParseError("I cannot read encrypted mail. Please send it unencrypted; a signature is fine.")
            if letter.is_too_long:
                raise ParseError(
                    "That is too long; write moves or commands in the first lines, and nothing else above them."
                )
            if not words.lines:
                raise ParseError("Your mail has no text above or below the quoted mail.")
            is_sealed = letter.token is not None and await self._is_recent(letter.token)
            return await self._do(request, words, is_sealed)
        except ParseError as refusal:
            # It may be the answer of a program, which would be answered for ever.
            is_known = not await self.tables.mail.may_explain(person.person, letter.text_key)
            left = () if words.lines else words.left
            return MailAnswer([*refusal_lines(refusal), *_left_out(left)], request.game, is_silent=is_known)
        except Rejected as refusal:
            return MailAnswer(refusal_lines(refusal), request.game)

    async def _is_recent(self, token: ReplyToken) -> bool:
        """Whether the mail that is answered is recent: the finder of an old mail does not decide about its
        receiver's account.
        """
        now, written_at = self.tables.desk.now(), token.version * DAY
        if token.game:
            since = await self.tables.queries.moves_after(token.game, token.version)
            written_at = since[0].made_at if since else now
        return now - written_at < TOKENS_KEPT.total_seconds()

    async def _do(self, request: MailRequest, words: ReplyText, is_sealed: bool) -> MailAnswer:
        """Make the moves, all or none, or obey one command that changes something; and answer all other commands.
        `is_sealed` says that the letter answers a mail of the bot; otherwise the answer asks for that where it is
        needed.
        """
        game = (await self.tables.desk.table(request.game)).game if request.game else None
        read = [read_line(line, game) for line in words.lines]
        moves = [line for line in read if isinstance(line, str)]
        sure = [line for line in read[: words.sure] if isinstance(line, str)]
        commands = [line for line in read if isinstance(line, Line)]
        changing = [line for line in commands if line.command.changes]
        if len(commands) > MOST_COMMANDS:
            raise IllegalMove("A mail can hold {limit} commands.", "", MOST_COMMANDS)
        if len(changing) + bool(moves) > 1:
            raise IllegalMove("One mail may hold moves, or one command that changes something. Nothing was done.")
        if not is_sealed and any(line.command.is_sealed for line in commands):
            asked = [text for text, line in zip(words.lines, read, strict=True) if line in commands]
            return MailAnswer([*map(msg, SEALED_ALONE), *asked], request.game)
        answer = MailAnswer([], request.game, has_moved=bool(moves))
        lines, taken = await move_surely(request, moves, sure) if moves else ([], 0)
        left = [*moves[taken:], *words.left]
        lines += await self._run(request, changing, commands, answer)
        return replace(answer, lines=[*lines, *_left_out(left)], game=request.game)

    async def _run(
        self, request: MailRequest, changing: Sequence[Line], commands: Sequence[Line], answer: MailAnswer
    ) -> list[Message | str]:
        """Run a letter's commands, those that change something first; the lines of their replies."""
        lines: list[Message | str] = []
        for line in [*changing, *(one for one in commands if one not in changing)]:
            try:
                reply = await run_line(line, request)
            except Rejected as refusal:
                if line in changing:
                    raise
                reply = Reply(refusal=refusal)
            lines += lines_of(reply, request)
            if reply.pictures or reply.files:
                answer.attached.append(f"{line.command.name} {line.rest}".strip())
            if reply.is_last:
                answer.is_silent = True
                break
        return lines


def _left_out(left: Sequence[str]) -> list[Message | str]:
    """Lines of an answer that name what was not read; empty where there is nothing."""
    return [msg("Not read as moves:"), *left] if left else []


def read_line(text: str, game: Game | None) -> Line | str:
    """A line's command, or the moves in it. `game` is the position; None in a lobby."""
    line = find_line(text, Door.MAIL, game, is_lobby=game is None)
    return text if line is None else line.rest if line.command.name == "move" else line


async def move(request: MailRequest, moves: Sequence[str]) -> Sequence[Message | str]:
    """Make moves on the position that the writer saw, all or none."""
    if request.version is None:
        raise IllegalMove("To move, reply to a mail about the game; this shows which position you saw.")
    return lines_of(await run_once(COMMANDS["move"], request, {"move": join_moves(moves)}), request)


async def move_surely(
    request: MailRequest, moves: Sequence[str], sure: Sequence[str]
) -> tuple[list[Message | str], int]:
    """Make moves, of which those in `sure` are no sentences; the lines of the answer, and how many of the moves are made."""
    try:
        return [*await move(request, moves)], len(moves)
    except ParseError:
        # Text that reads like a sentence below all sure moves may be a sentence.
        if not sure or sure == moves:
            raise
        return [*await move(request, sure)], len(sure)


async def run_line(line: Line, request: MailRequest) -> Reply:
    """Run a line's command.

    :raises Rejected: it is refused, or does not fit.
    """
    if not line.rest and any(isinstance(one.kind, GameFile) for one in line.command.parameters):
        line = replace(line, rest="file")
    reply = await run_once(line.command, request, await values_of(line, request))
    request.game = reply.opened or request.game
    if (following := FOLLOWED_BY.get(line.command.name)) is not None:
        after = await following(request)
        reply = replace(reply, lines=[*reply.lines, *after.lines], follow_ups=())
    return reply


def join_moves(moves: Sequence[str]) -> str:
    """Lines of moves as one message. A list's bullet before a line is dropped."""
    return "; ".join(LIST_MARK.sub("", move).rstrip(";, ") for move in moves)


def lines_of(reply: Reply, request: MailRequest) -> list[Message | str]:
    """A reply as the lines of a mail; commands that may follow are lines to type."""
    lines: list[Message | str] = [] if reply.refusal is None else refusal_lines(reply.refusal)
    for line in reply.lines:
        lines += [line] if isinstance(line, Message) else [part for part in line.split("\n") if part.strip()]
    for one in reply.follow_ups:
        lines.append(f"{tr(one.label)}: {request.spell(one.command, **one.values)}")
    return lines


def refusal_lines(refusal: Rejected) -> list[Message | str]:
    lines: list[Message | str] = [tr_error(refusal), tr("Nothing was done.")]
    if refusal.instead and not isinstance(refusal, StalePosition):
        lines.append(tr("Choose one:" if isinstance(refusal, AmbiguousMove) else "Legal moves, for example:"))
        lines += refusal.instead
    return lines
