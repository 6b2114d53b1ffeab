"""The requests of a letter, done through the tables: moves in its first lines, or commands. A refusal changes nothing
and is answered with its reason and what would be legal."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.engine import GameId, PersonId
from bot.engine.message import Message, msg
from bot.engine.refusals import AmbiguousMove, IllegalMove, ParseError, Rejected, StalePosition
from bot.i18n import tr, tr_error
from bot.service.game_service import GameService
from bot.service.parser.german import GERMAN_COMMANDS, UMLAUTS
from bot.store import MailKind, MailRecord

from . import read_commands, write_commands
from .incoming_mail import IncomingMail, words_of
from .letters.reply_tokens import DAY, ReplyToken
from .mail_lines import LIST_MARK
from .strip_quotes import ReplyText
from .write_commands import MailRequest

MOST_COMMANDS = 12

TOKENS_KEPT = timedelta(days=90)
"""For this long an answer to a mail is proof enough for commands about a whole person."""

SEALED_ALONE = (
    "Did you write this? Then reply with the line below to confirm it.",
    "Senders can be forged; only a reply proves that this address is yours. Nothing has been done yet.",
)


@dataclass(frozen=True)
class MailAnswer:
    """The answer to a letter, about that game (None: about none). `kind` data adds everything that is stored about
    its sender; silent answers are not sent. `has_moved` says that moves were made.
    """

    lines: Sequence[Message | str]
    game: GameId | None
    kind: MailKind = MailKind.ANSWER
    is_silent: bool = False
    has_moved: bool = False


class MailCommandHandler:
    """Obeys letters. `pages` is the address of the board pages, empty where none are served."""

    def __init__(self, tables: GameService, pages: str, own_address: str) -> None:
        self.tables, self.pages, self.own_address = tables, pages, own_address

    async def handle(
        self, letter: IncomingMail, person: PersonId, game_id: GameId | None, version: int | None, noted: MailRecord
    ) -> MailAnswer:
        """Obey a letter. `noted` is its row: with an `id` it was begun before, and its commands may have been done.

        :raises StoreError: the database did not take it; nothing has changed.
        """
        order = MailRequest(self.tables, person, game_id, version, noted, self.pages, self.own_address)
        words = words_of(letter)
        try:
            if letter.is_encrypted:
                raise ParseError("I cannot read encrypted mail. Please send it unencrypted; a signature is fine.")
            if letter.is_too_long:
                raise ParseError(
                    "That is too long; write moves or commands in the first lines, and nothing else above them."
                )
            if not words.lines:
                raise ParseError("Your mail has no text of its own above the quote.")
            return await self._do(
                order, words, is_sealed=letter.token is not None and await self._is_recent(order, letter.token)
            )
        except ParseError as refusal:
            # It may be the answer of a program, which would be answered for ever.
            is_known = not await self.tables.mail.may_explain(person, letter.text_key)
            return MailAnswer(refusal_lines(refusal), order.game, is_silent=is_known)
        except Rejected as refusal:
            return MailAnswer(refusal_lines(refusal), order.game)

    async def _is_recent(self, order: MailRequest, token: ReplyToken) -> bool:
        """Whether the mail that is answered is recent: the finder of an old mail does not decide about its
        receiver's account.
        """
        now, written_at = self.tables.desk.now(), token.version * DAY
        if token.game:
            since = await self.tables.queries.moves_after(token.game, token.version)
            written_at = since[0].made_at if since else now
        return now - written_at < TOKENS_KEPT.total_seconds()

    async def _do(self, order: MailRequest, words: ReplyText, is_sealed: bool) -> MailAnswer:
        """Make the moves, all or none, or obey one command that changes something; and answer all read commands.
        `is_sealed` says that the letter answers a mail of the bot; otherwise the answer asks for that where it is
        needed.
        """
        is_played = bool(order.game) and await order.has_begun()
        read = [(line, command_of(line)) for line in words.lines]
        moves = [line for line, command in read if not is_command(*command, is_played)]
        sure = [line for line, command in read[: words.sure] if not is_command(*command, is_played)]
        commands = [command for _, command in read if is_command(*command, is_played)]
        changing = [(word, rest) for word, rest in commands if word in write_commands.ACTS]
        if len(commands) > MOST_COMMANDS:
            raise IllegalMove("A mail can hold {limit} commands.", "", MOST_COMMANDS)
        if len(changing) + bool(moves) > 1:
            raise IllegalMove("One mail may hold moves, or one command that changes something. Nothing was done.")
        if not is_sealed and any(word in write_commands.SEALED for word, _ in changing):
            return MailAnswer([*map(msg, SEALED_ALONE), " ".join(changing[0]).strip()], order.game)
        answer: list[Message | str] = []
        kind, is_silent = MailKind.ANSWER, False
        left = list(words.left)
        if moves:
            try:
                answer += await write_commands.move(order, join_moves(moves))
            except ParseError:
                # Text that reads like a sentence below all sure moves may be a sentence.
                if not sure or sure == moves:
                    raise
                answer += await write_commands.move(order, join_moves(sure))
                left = [*moves[len(sure) :], *left]
        for word, rest in changing:
            answer += await write_commands.ACTS[word](order, rest)
            kind, is_silent = (MailKind.DATA, False) if word == "privacy" else (kind, word == "forget")
        for word, rest in commands:
            if word in read_commands.LOOKS:
                answer += await _run_read_command(read_commands.LOOKS[word], order, rest)
        if left:
            answer += [msg("Not read as moves:"), *left]
        return MailAnswer(answer, None if kind == MailKind.DATA else order.game, kind, is_silent, has_moved=bool(moves))


def join_moves(moves: Sequence[str]) -> str:
    """Lines of moves as one message. A list's bullet before a line is dropped."""
    return "; ".join(LIST_MARK.sub("", move).rstrip(";, ") for move in moves)


async def _run_read_command(
    look: Callable[[MailRequest, str], Awaitable[list[Message | str]]], order: MailRequest, rest: str
) -> list[Message | str]:
    """The requested view; where it is not available, the reason, since earlier commands have been done."""
    try:
        return await look(order, rest)
    except Rejected as refusal:
        return refusal_lines(refusal)


KNOWN = {*write_commands.ACTS, *read_commands.LOOKS}
INVITED = re.compile(r"\d{1,9} [\w-]{16,} \S.*")


def is_command(word: str, rest: str, is_played: bool) -> bool:
    """Whether a line with that first word is a command. In a game in play companies are started too, and joined:
    there only an invitation to another game is a command.
    """
    if is_played and word in ("start", "join"):
        return word == "join" and INVITED.fullmatch(rest) is not None
    return word in KNOWN


def command_of(line: str) -> tuple[str, str]:
    """The first word of a line, in English and lower case, and the rest."""
    word, _, rest = line.strip().lstrip("/").partition(" ")
    word = word.rstrip(":").lower().translate(UMLAUTS).lower()
    word = GERMAN_COMMANDS.get(word, GERMAN_BY_MAIL.get(word, word))
    return word, rest.strip()


GERMAN_BY_MAIL = {
    "beitreten": "join",
    "beginnen": "start",
    "einladen": "invite",
    "verlassen": "leave",
    "stopp": "stop",
    "abbestellen": "stop",
    "unsubscribe": "stop",
    "abstimmen": "vote",
    "ratschlag": "advice",
}


def refusal_lines(refusal: Rejected) -> list[Message | str]:
    lines: list[Message | str] = [tr_error(refusal), tr("Nothing was done.")]
    if refusal.instead and not isinstance(refusal, StalePosition):
        lines.append(tr("Choose one:" if isinstance(refusal, AmbiguousMove) else "Legal would be:"))
        lines += refusal.instead
    return lines
