"""Every command of the mail door, typed once; what comes with an answer; a game brought by an attachment."""

from __future__ import annotations

import json
import time
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from bot.commands.mail.handler import MailAnswer, MailCommandHandler
from bot.commands.mail.incoming_mail import IncomingMail, cut_json, read_letter
from bot.commands.mail.letters.limits import MOST_ENCODED, MOST_WITH_FILE
from bot.commands.mail.letters.reply_tokens import ReplyToken
from bot.commands.mail.letters.sender_verdicts import SenderVerdict
from bot.commands.mail.request import MailDoor
from bot.commands.mail.strip_quotes import ReplyText
from bot.engine import GameId, PersonId
from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file
from bot.service.registry.command import Door
from bot.service.registry.commands import COMMANDS
from bot.store import GameStatus, MailRecord, PersonRecord, Store
from bot.titles.registry import TITLES
from bot.untrusted_input import LARGEST_FILE
from tests.mail.conftest import ANN, BOB, OWN, Post, words
from tests.service.conftest import Clock

LINES = {
    "game new": "new 1848 Ann rules=rulebook",
    "game join": "join 2 Ann",
    "game leave": "leave 2",
    "game invite": "invite 2",
    "game options": "options 2",
    "game option": "option rules=rulebook",
    "game rating": "game rating unrated",
    "game watch": "game watch on",
    "game open": "game open everybody",
    "game computer": "computer steady",
    "game start": "start 2 list",
    "move": "buy P1",
    "undo": "undo",
    "redo": "redo",
    "help": "help lay",
    "try": "try buy P2",
    "whatif move": "whatif buy P2",
    "whatif show": "whatif show",
    "whatif back": "whatif back",
    "whatif drop": "whatif drop",
    "whatif plan": "whatif plan",
    "whatif make": "whatif make",
    "status": "status",
    "turn": "turn",
    "map": "map G10",
    "market": "market",
    "routes": "routes VR",
    "company": "company VR",
    "player": "player Ann",
    "trains": "trains",
    "tiles": "tiles green",
    "board words": "board words",
    "log": "log all",
    "chart": "chart prices",
    "timelapse": "timelapse",
    "report": "report",
    "review": "review",
    "results": "results",
    "record": "record",
    "privacy record": "privacy record tables",
    "history": "history 0",
    "substitute on": "substitute on 1848",
    "substitute list": "substitute",
    "substitute brief": "brief",
    "substitute take": "substitute take 2",
    "tables list": "tables 1848",
    "tables watch": "tables watch",
    "follow game": "follow game 2",
    "follow person": "follow person Cid",
    "follow season": "follow season 2",
    "follow list": "follow",
    "follow stop": "follow stop 1",
    "privacy followers": "privacy followers tables",
    "tables tell": "tables tell 1848",
    "tables block": "tables block Cid",
    "rematch": "rematch",
    "season leave": "season leave 2",
    "season list": "seasons",
    "season show": "season 2",
    "puzzle": "puzzle answer",
    "lesson": "lesson hint",
    "why": "why",
    "advice": "advice",
    "games": "games",
    "plan": "auto bid P4 up to 200",
    "auto list": "auto list",
    "auto drop": "auto drop 1",
    "vote undo": "vote undo",
    "vote end": "vote end",
    "vote computer": "vote computer 2",
    "vote clock": "vote clock weekly",
    "vote moderator": "vote moderator 2",
    "vote skip": "vote skip 2",
    "vote fine": "vote fine 2 50",
    "vote replace": "vote replace 2 Cid",
    "vote list": "votes",
    "vote yes": "vote yes",
    "vote no": "vote no",
    "say": "say See you tomorrow",
    "talk": "talk",
    "moderate rewind": "rewind 1",
    "moderate act": "moderate act buy P2",
    "moderate status": "moderate pause",
    "moderate rules": "moderate rules",
    "moderate cash": "moderate cash Ann 150 counted wrong",
    "moderate token": "moderate token put VR G10 forgotten",
    "moderate pace": "moderate pace fast",
    "game clock": "clock daily answer=20m",
    "moderate sitter": "moderate sitter 2 Cid 7",
    "game sitter": "game sitter bob 7",
    "moderate replace": "moderate replace 3 Cid",
    "export": "export",
    "game import": "import",
    "game clone": "clone",
    "board link": "board",
    "ledger": "ledger",
    "board links": "board links",
    "board withdraw": "board withdraw",
    "clock snooze": "snooze 24",
    "clock mute": "mute",
    "clock away": "away 7",
    "clock quiet": "quiet Europe/Berlin 22 8",
    "game quiet": "game quiet Europe/Berlin 22 8",
    "clock times": "times",
    "clock budget": "clock",
    "mail send": "digest",
    "mail also": "also none",
    "mail address": "mail address ann@new.example",
    "mail forget": "mail forget",
    "language mine": "language en",
    "language game": "language game de",
    "moderate handover": "moderate handover Bob",
    "privacy export": "privacy",
    "privacy erase": "forget me",
}
"""A line for each command, in an order in which they can be typed."""

REFUSED = {
    "vote replace": "Bob is not silent",
    "whatif make": "its moves are Bob's",
    "whatif plan": "Bob has no company",
    "timelapse": "too few moves were made",
    "advice": "nobody plays against a computer",
    "season leave": "there is no season",
    "season show": "there is no season",
    "follow person": "Cid does not allow it",
    "follow season": "there is no season",
    "review": "the game goes on",
    "vote computer": "Bob is not silent",
    "vote skip": "Bob is not slow",
    "vote fine": "Bob is not slow",
    "vote yes": "Ann has asked, and is not asked",
    "vote no": "Ann has asked, and is not asked",
    "moderate rules": "the rules are the newest",
    "game import": "the attachment is no game",
    "vote moderator": "the moderator was here lately",
    "substitute take": "no seat is offered",
    "rematch": "the game goes on",
    "lesson": "no lesson is open",
    "puzzle": "no puzzle is open",
}


IN_LOBBY = {
    "game open",
    "game rating",
    "game watch",
    "game new",
    "game join",
    "game leave",
    "game invite",
    "game options",
    "game option",
    "game computer",
    "game start",
}


def written(line: str, file: bytes = b"") -> IncomingMail:
    """A letter of one line, in answer to a recent mail."""
    token, said = ReplyToken(0, 10**6, ""), ReplyText((line,), 1)
    return IncomingMail(ANN, "Ann", token, "", said, "key", "", SenderVerdict.TRUE, text_key=line, file=file)


async def test_every_command_of_mail_is_answered(store: Store, clock: Clock) -> None:
    tables = GameService(store, TITLES, clock)
    ann = await tables.mail.request_confirmation(ANN, is_vouched_for=True)
    assert ann is not None
    seats = [(ann.person, "Ann"), ("mail:b", "Bob"), ("mail:c", "Cid")]
    game = await tables.lobby.create("1848", ann.person, seats, {}, 1)
    await tables.lobby.start(game, ann.person, "list")
    lobby = await tables.lobby.create("1848", ann.person, [("mail:b", "Bob"), ("mail:c", "Cid")], {}, 1)
    handler = MailCommandHandler(MailDoor(tables, "https://board.club.example", OWN))
    file = b"{}"
    refused = {}
    assert set(LINES) == {one.name for one in COMMANDS.values() if one.is_at(Door.MAIL) and not one.form_of}
    await tables.mail.confirm_address(ann.person, ANN)
    for name, line in LINES.items():
        answer = await said(handler, ann, lobby if name in IN_LOBBY else game, written(line, file))
        assert answer.lines or answer.is_silent or answer.attached, name
        if "Nothing was done." in map(str, answer.lines):
            refused[name] = answer.lines[0]
    assert set(refused) == {*REFUSED}, refused


async def test_results_by_mail_are_those_of_own_games(store: Store, clock: Clock) -> None:
    tables = GameService(store, TITLES, clock)
    ann = PersonRecord(PersonId("mail:a"))
    for person, name in (("mail:a", "Ann"), ("mail:x", "Xaver")):
        seats = [(PersonId(person), name), (PersonId("mail:b"), "Bob"), (PersonId("mail:c"), "Cid")]
        game = await tables.lobby.create("1848", PersonId(person), seats, {}, 1)
        await tables.lobby.start(game, PersonId(person), "list")
        await tables.moderation.set_status(game, PersonId(person), GameStatus.FINISHED, "enough")
    handler = MailCommandHandler(MailDoor(tables, "", OWN))
    told = "\n".join(map(str, (await said(handler, ann, game, written("results"))).lines))
    assert "Ann" in told and "Xaver" not in told


async def said(handler: MailCommandHandler, person: PersonRecord, game: GameId, letter: IncomingMail) -> MailAnswer:
    """The answer to somebody who has seen the present position."""
    version = (await handler.tables.desk.table(game)).record.version
    return await handler.handle(letter, person, game, version, MailRecord("key", person.person, "letter", 0.0, game))


async def test_pictures_and_files_come_with_the_answer(post: Post) -> None:
    await post.game()
    await post.write("buy P1")
    await post.post()
    await post.write("player Bob\nchart worth\nexport\nlog all", BOB)
    (mail,) = [one for one in await post.post() if one["To"] == BOB]
    pictures = [part.get_filename() for part in mail.walk() if part.get_content_maintype() == "image"]
    assert pictures == ["map.png", "market.png", "player.png", "worth.png"]
    files = {part.get_filename(): part for part in mail.iter_attachments()}
    assert json.loads(files["game-1.json"].get_content())["title"] == "1848"
    assert "Ann buys P1" in str(files["log-1.txt"].get_content())


def with_file(content: bytes, text: str = "import", to: str = OWN) -> bytes:
    """A letter with a file of JSON."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = ANN, to, f"<{len(content)}@home.example>"
    mail.set_content(text)
    mail.add_attachment(content, "application", "json", filename="game.json")
    return bytes(mail)


async def test_a_game_comes_by_an_attachment(post: Post) -> None:
    game = await post.game()
    await post.ask("buy P1")
    course = await post.tables.queries.game_file(GameId(game))
    assert await post.office.receive(with_file(encode_game_file(course), to=post.reply_to(ANN))) == "answered"
    await post.post()
    assert "Game 2 continues after 1 move." in post.last(ANN)
    assert "Attach a game's JSON to your mail" in await post.ask("import")


def with_text(text: str, encoding: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = ANN, OWN, "<pasted@home.example>"
    mail.set_content(text, cte=encoding)
    return bytes(mail)


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
def test_a_game_comes_in_the_text(encoding: str) -> None:
    game = {"moves": ["@1 buy {P1", 'he said "x}"'], "title": "1848"}
    for text in (json.dumps(game), json.dumps(game, indent=1), json.dumps(game).replace("buy {P1", "buy\n{P1")):
        letter = read_letter(with_text(f"import\n{text}\nregards\n", encoding), OWN)
        assert json.loads(letter.file) == game and letter.lines[0] == "import" and len(letter.lines) < 3


def test_a_long_pasted_game_is_read_whole_and_a_hostile_one_soon() -> None:
    content = json.dumps({"moves": "x" * 200_000})
    letter = read_letter(with_text(f"import\n{content}\n", "base64"), OWN)
    assert letter.file.decode() == content and letter.lines == ("import",)
    begun = time.process_time()
    for piece in ('\\"', '"', "{", '{"'):
        assert cut_json("{" + piece * 200_000)[1] == ""
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("size", [1000, MOST_ENCODED, LARGEST_FILE // 2])
def test_an_attachment_of_any_size_up_to_the_limit_is_read(size: int) -> None:
    content = json.dumps({"moves": "x" * size}).encode()
    letter = read_letter(with_file(content, "import\n"), OWN)
    assert letter.file == content and letter.lines == ("import",)


def test_an_attachment_is_bounded() -> None:
    content = json.dumps({"moves": "x" * (LARGEST_FILE + 10)}).encode()
    raw = with_file(content)
    assert len(read_letter(raw, OWN).file) == LARGEST_FILE + 1
    assert len(read_letter(raw * 2, OWN).file) <= LARGEST_FILE + 1 and len(raw * 2) > MOST_WITH_FILE


async def test_a_player_moves_to_another_address_by_mail(post: Post) -> None:
    await post.game()
    assert "A mail is on its way to that address." in await post.ask("mail address ann@new.example")
    moved = "ann@new.example"
    welcome = next(mail for mail in post.outbox.mails if mail["To"] == moved)
    await post.write("yes", moved, str(welcome["Reply-To"]))
    await post.post()
    assert [one.person for one in await post.tables.mail.people_at(ANN)] == []
    assert (await post.tables.mail.people_at(moved))[0].address == moved


async def test_seats_are_given_away_by_mail_once_even_after_an_interruption(post: Post) -> None:
    game = GameId(await post.game())
    ann, bob = [(await post.tables.mail.people_at(one))[0].person for one in (ANN, BOB)]
    assert "Bob moves for you for 7 days." in await post.ask(f"game sitter {BOB} 7")
    person = await post.tables.mail.person(ann)
    handler, row = post.office.handler, MailRecord("key", ann, "letter", post.tables.desk.now(), game, id=1)
    for line in ("moderate sitter 3 Bob 7", "moderate replace 3 cid", "moderate handover Bob"):
        await handler.handle(written(line), person, game, 0, replace(row, id=0))
        done = (await post.tables.desk.table(game)).record.version
        again = await handler.handle(written(line), person, game, 0, row)
        assert [str(one) for one in again.lines] == ["That has been done."], line
        assert (await post.tables.desk.table(game)).record.version == done
    table = await post.tables.desk.table(game)
    assert table.record.moderator == bob and table.seats[0].sitter == bob
    assert "You are the moderator of game 1 now." in words(
        next(mail for mail in reversed(await post.post()) if mail["To"] == BOB)
    )
