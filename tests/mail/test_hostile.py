"""Letters that nobody should send: forged, old, endless, automatic, broken. None changes anything, and none is answered that
could come from a program or from somebody else."""

from __future__ import annotations

import contextlib
import logging
import time
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis.strategies import from_regex

from bot.addresses import is_address
from bot.commands.mail.compose import MailDraft, Section, to_mime
from bot.commands.mail.gateway import OF_A_DOMAIN_AT_ONCE, STRANGERS_AT_ONCE
from bot.commands.mail.incoming_mail import Ignored, read_letter
from bot.commands.mail.letters.limits import MOST_READ
from bot.commands.mail.letters.sender_verdicts import SenderVerdict
from bot.commands.mail.signatures import AddressSigner, ReplyToken, with_token
from bot.commands.mail.smtp import PermanentFailure, TemporaryFailure
from bot.engine.message import msg
from bot.engine.refusals import IllegalMove
from bot.ops.logs import Redaction
from bot.ops.rate_limit import RateLimiter
from bot.service.features.failures import TRIES
from bot.service.features.mail import MOST_OF_A_MAILBOX
from bot.store import PersonRecord
from tests.families import few, in_two_lengths
from tests.mail.conftest import ANN, BOB, CID, OWN, Post, letter, words
from tests.mail.test_by_mail import person_of, version

EVE = "eve@evil.example"
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def sent_nothing(post: Post) -> bool:
    """Whether nothing waits to be sent to anybody."""
    return not await post.post()


# -- who has written --------------------------------------------------------------------------------------


async def test_a_token_is_good_for_its_owner_alone(post: Post) -> None:
    game = await post.game()
    token = post.reply_to(ANN)
    assert await post.write("buy P1", EVE, token) == "ignored"
    assert await post.write("buy P1", BOB, token) == "ignored"
    assert await version(post, game) == 0
    (mail,) = await post.post()
    assert mail["To"] == ANN and "also" in words(mail), "its owner alone hears of both letters, once"


async def test_a_sender_without_his_token_moves_nothing(post: Post) -> None:
    game = await post.game()
    assert await post.write("buy P1", ANN, OWN) in ("welcomed", "ignored")
    guessed = with_token(OWN, ReplyToken(game, 0, "a" * 26))
    assert await post.write("buy P1", ANN, guessed) == "ignored"
    assert await version(post, game) == 0
    changed = with_token(OWN, ReplyToken(game, 0, "b" + post.reply_to(ANN)[-40:][:25]))
    assert await post.write("buy P1", ANN, changed) == "ignored"


async def test_a_token_says_for_which_game_and_position_it_was_written(post: Post) -> None:
    game = await post.game()
    person = await person_of(post, ANN)
    keys = AddressSigner.load_or_create(post.folder)
    good = keys.token(person, ANN, game, 0)
    assert keys.verify(good, person, ANN)
    for other in (ReplyToken(game + 1, 0, good.seal), ReplyToken(game, 1, good.seal), ReplyToken(0, 0, good.seal)):
        assert not keys.verify(other, person, ANN)
        assert await post.write("buy P1", ANN, with_token(OWN, other)) == "ignored"
    assert not keys.verify(good, await person_of(post, BOB), BOB)
    assert not keys.verify(good, person, BOB), "who has another address by now answers no mail to the old one"
    assert not AddressSigner(b"another secret").verify(good, person, ANN)
    assert await version(post, game) == 0


async def test_an_old_answer_makes_no_move(post: Post) -> None:
    game = await post.game()
    old = post.reply_to(ANN)
    assert "Ann buys P1" in await post.ask("buy P1")
    await post.ask("undo")
    assert await version(post, game) == 2
    told = await post.ask("buy P1", ANN, old)
    assert "The game has moved on since then" in told and await version(post, game) == 2


async def test_what_the_mail_server_says_of_a_sender_counts_and_what_others_say_does_not(post: Post) -> None:
    game = await post.game()
    forged = "mx.club.example; dmarc=fail header.from=home.example"
    assert await post.write("buy P1", Authentication_Results=forged) == "ignored"
    assert await version(post, game) == 0
    strange = "mx.evil.example; dmarc=pass header.from=far.example"
    assert await post.write("hello", "dan@far.example", OWN, Authentication_Results=strange) == "welcomed"
    good = "mx.club.example; spf=pass smtp.mailfrom=eli@far.example; dkim=none"
    assert await post.write("games", "eli@far.example", OWN, Authentication_Results=good) == "answered"
    bad = "mx.club.example; spf=pass smtp.mailfrom=evil.example; dkim=pass header.d=notfar.example"
    assert await post.write("games", "fay@far.example", OWN, Authentication_Results=bad) == "welcomed"
    mails = {mail["To"]: words(mail) for mail in await post.post()}
    assert "You are in no game." in mails["eli@far.example"] and "Was it you?" in mails["fay@far.example"]


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (["mx.club.example; dmarc=pass"], SenderVerdict.TRUE),
        (["mx.club.example; spf=none", "mx.club.example; dmarc=pass"], SenderVerdict.UNKNOWN),
        (["mx.club.example; spf=none (dmarc=pass) smtp.mailfrom=ann@home.example"], SenderVerdict.UNKNOWN),
        (["mx.club.example.evil.example; dmarc=pass"], SenderVerdict.UNKNOWN),
        (["mx.club.example; dmarc=none; spf=pass smtp.mailfrom=ann@home.example"], SenderVerdict.UNKNOWN),
        (["mx.evil.example; dmarc=pass", "mx.club.example; dmarc=pass"], SenderVerdict.UNKNOWN),
        (["mx.club.example dmarc=pass"], SenderVerdict.UNKNOWN),
        (["mx.club.example 1; dmarc=pass"], SenderVerdict.TRUE),
    ],
)
def test_of_what_mail_servers_say_only_the_believed_ones_own_words_count(
    results: list[str], verdict: SenderVerdict
) -> None:
    raw = "".join(f"Authentication-Results: {one}\n" for one in results) + f"From: {ANN}\nTo: {OWN}\n\nhello"
    assert read_letter(raw.encode(), OWN, "mx.club.example").verdict is verdict


FORGED = (
    'spf=pass smtp.mailfrom="dmarc=pass@evil.example"',
    'spf=pass smtp.mailfrom="dmarc=pass"@evil.example; dmarc=none',
    "spf=pass smtp.mailfrom=dmarc=pass@evil.example",
    'spf=pass smtp.helo="dmarc=pass" smtp.mailfrom=eve@evil.example',
    "spf=pass smtp.helo=home.example",
    'auth=pass smtp.auth="dmarc=pass"@evil.example',
    'dkim=pass header.i="dmarc=pass"@evil.example header.d=evil.example',
    'dkim=pass header.i="x header.d=home.example"@evil.example',
    "dkim=pass header.d=evil.example header.i=@home.example",
    "dkim=pass header.d=nothome.example",
    'spf=pass (evil.example: domain of "dmarc=pass"@evil.example designates 192.0.2.1) smtp.mailfrom=eve@evil.example',
    'spf=pass (google.com: domain of "a); dmarc=pass (b"@evil.example designates 192.0.2.1 as permitted sender)'
    ' smtp.mailfrom="a); dmarc=pass (b"@evil.example',
    "spf=pass (a (dmarc=pass; dmarc=pass) b) smtp.mailfrom=eve@evil.example",
    'spf=pass smtp.mailfrom="x; dmarc=pass header.from=home.example; a=b"@evil.example',
    "spf=pass smtp.mailfrom=x; dmarc=pass header.from=home.example; y@evil.example",
    "spf=pass smtp.mailfrom=x; spf=pass smtp.mailfrom=ann@home.example smtp.x=y@evil.example",
    'spf=pass smtp.mailfrom="ann@home.example"@evil.example',
    "spf=pass smtp.mailfrom=ann@home.example @evil.example",
    'spf=pass smtp.mailfrom="@home.example',
    "spf=pass smtp.mailfrom=eve@evil.example smtp.mailfrom=ann@home.example",
    "dmarc=pass header.from=evil.example header.from=home.example",
    "spf=pass smtp.mailfrom=ann@home.example (",
    "dmarc=pass header.from=evil.example",
    "dmarc=pass header.from=home.example; dmarc=pass header.from=evil.example",
    'none reason="dmarc=pass"',
    "none; dmarc=pass",
    "x-dmarc=pass",
    "dmarc=passed",
    '"dmarc=pass"',
    "; " * 4000 + "dmarc=pass",
    "(" * 4000 + "dmarc=pass",
    "x=y " * 2000 + "; dmarc=pass",
)
HONEST = {
    "Gmail": "dkim=pass header.i=@home.example header.s=20230601 header.b=abcd; spf=pass (google.com: domain of"
    " ann@home.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@home.example; dmarc=pass (p=NONE"
    " sp=QUARANTINE dis=NONE) header.from=home.example; dara=pass header.i=@home.example",
    "Outlook": "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=home.example; dkim=pass (signature was verified)"
    " header.d=home.example;dmarc=pass action=none header.from=home.example;compauth=pass reason=100",
    "rspamd": '\r\n\tdkim=pass header.d=home.example header.s=s header.b="ab/cd+=";\r\n\tspf=pass (mx.club.example:'
    " domain of ann@home.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@home.example;\r\n"
    "\tdmarc=pass (policy=reject) header.from=home.example",
    "OpenDMARC": "dmarc=pass (p=none dis=none) header.from=home.example",
    "opendkim": "dkim=pass (2048-bit key; unprotected) header.d=home.example header.i=@home.example header.a=rsa-sha256"
    " header.s=s header.b=AbC=; dkim-atps=neutral",
    "two signatures": 'dkim=fail reason="bad (signature" header.d=list.example; dkim=pass header.d=home.example',
    "policyd-spf": "spf=pass (mailfrom) smtp.mailfrom=home.example (client-ip=192.0.2.1; helo=mx.home.example)",
    "blanks": "spf = pass (one (in another)) smtp.mailfrom = ann@home.example;",
}


def verdict(results: str) -> SenderVerdict:
    """What a letter of Ann's comes to with that header of the believed server."""
    raw = f"From: {ANN}\r\nTo: {OWN}\r\nAuthentication-Results: mx.club.example; {results}\r\n\r\nhello"
    return read_letter(raw.encode(), OWN, "mx.club.example").verdict


@pytest.mark.parametrize("results", FORGED)
def test_no_word_of_the_sender_is_a_result(results: str) -> None:
    assert verdict(results) is SenderVerdict.UNKNOWN
    assert verdict(f"{results}; dmarc=fail header.from=home.example") is not SenderVerdict.TRUE


@pytest.mark.parametrize("server", HONEST)
def test_what_servers_really_write_is_believed(server: str) -> None:
    assert verdict(HONEST[server]) is SenderVerdict.TRUE


@pytest.mark.parametrize(
    "text", few(["forget me", "privacy", "stop", "reminders", "away 60", "quiet UTC 0 23", "language de"], 0, 4)
)
async def test_what_is_about_a_whole_person_is_done_by_an_answer_alone(post: Post, text: str) -> None:
    await post.come(ANN)
    await post.ask("turns")
    before = await post.tables.mail.person(await person_of(post, ANN))
    told = await post.ask(text, ANN, OWN, Authentication_Results="mx.club.example; dmarc=pass")
    assert "Nothing has been done yet." in told and text in told.splitlines()
    assert await post.tables.mail.person(before.person) == before
    assert await post.write(text) == "answered"
    mails = await post.post()
    assert bool(mails) == (text != "forget me")
    is_data = bool(mails) and bool(list(mails[0].iter_attachments()))
    assert is_data or await post.tables.mail.person(before.person) != before


async def test_nobody_is_taken_for_a_person_who_named_their_address(post: Post) -> None:
    assert await post.tables.mail.request_confirmation(ANN, "discord:7") is not None
    await post.post()
    told = await post.ask("new 1848 Ann", ANN, OWN, Authentication_Results="mx.club.example; dmarc=pass")
    assert "Game 1: 1848 Australia, 3 to 6 players." in told
    (table,) = await post.tables.desk.store.games.list_all()
    assert table.moderator != "discord:7" and (await post.tables.mail.person("discord:7")).address == ""


async def test_who_is_vouched_for_still_moves_only_by_answering(post: Post) -> None:
    game = await post.game()
    good = "mx.club.example; dmarc=pass"
    assert "To move, reply to a mail" in await post.ask("buy P1", ANN, OWN, Authentication_Results=good)
    assert await version(post, game) == 0


async def test_a_stranger_is_written_to_once_a_day_and_forgotten_in_a_week(post: Post) -> None:
    assert await post.write("new 1848 Eve", EVE, OWN) == "welcomed"
    assert len(await post.post()) == 1
    assert [await post.write("hello", EVE, OWN) for _ in range(3)] == ["ignored"] * 3
    assert await sent_nothing(post)
    post.clock.advance(days=8)
    await post.tables.mail.prune()
    assert await post.tables.mail.people_at(EVE) == []
    assert await post.tables.desk.store.games.list_all() == []


async def test_a_player_is_not_written_to_for_each_letter_that_seems_theirs(post: Post) -> None:
    await post.come(ANN)
    await post.ask("help")
    for hours, expected in ((1, [ANN]), (1, []), (1, []), (24, [ANN]), (24, []), (24, [ANN])):
        post.clock.advance(hours=hours)
        await post.write("hello", ANN, OWN)
        assert [mail["To"] for mail in await post.post()] == expected


async def test_a_mailbox_that_never_answers_is_asked_more_and_more_seldom(post: Post) -> None:
    asked = []
    for day in range(33):
        for address in ("eve@evil.example", "e.ve@evil.example", "eve+2@evil.example"):
            await post.write("hello", address, OWN)
        asked += [day] * len(await post.post())
        post.clock.advance(days=1)
        await post.tables.mail.prune()
    assert asked == [0, 1, 3, 7, 15, 31]
    await post.write("hello", "eve@good.example", OWN)
    await post.post()
    for expected in ([], ["eve@good.example"]):
        assert [mail["To"] for mail in await post.post()] == expected
        post.clock.advance(days=60)
        await post.write("hello", "eve@good.example", OWN)


async def test_whoever_forges_many_senders_has_the_bot_write_to_few_and_keeps_out_nobody_else(post: Post) -> None:
    vouched = {"Authentication_Results": "mx.club.example; dmarc=pass"}
    for number in range(OF_A_DOMAIN_AT_ONCE + 5):
        await post.write("hello", f"somebody{number}@mail{number}.evil.example", OWN)
    assert len(await post.post()) == OF_A_DOMAIN_AT_ONCE
    assert [await post.write("hello", BOB, OWN) for _ in range(25)] == ["welcomed"] + ["ignored"] * 24
    assert [mail["To"] for mail in await post.post()] == [BOB]
    for number in range(STRANGERS_AT_ONCE - OF_A_DOMAIN_AT_ONCE + 5):
        await post.write("hello", f"somebody@far{number}.example", OWN)
    assert len(await post.post()) == STRANGERS_AT_ONCE - OF_A_DOMAIN_AT_ONCE - 1
    assert await post.write("hello", CID, OWN) == "ignored"
    assert "You are in no game" in await post.ask("games", CID, OWN, **vouched)
    assert "Was it you?" not in await post.ask("games", BOB)
    post.clock.advance(days=1)
    assert "Was it you?" in await post.ask("hello", BOB, OWN), "a player is no stranger"


async def test_a_flood_from_one_domain_keeps_out_nobody_else_of_its_country(post: Post) -> None:
    for number in range(OF_A_DOMAIN_AT_ONCE + 5):
        await post.write("hello", f"somebody@mail{number}.evil.co.uk", OWN)
    assert len(await post.post()) == OF_A_DOMAIN_AT_ONCE
    assert await post.write("hello", "dora@good.co.uk", OWN) == "welcomed"


VOUCHED = {"Authentication_Results": "mx.club.example; dmarc=pass"}


async def test_whoever_has_a_mailbox_with_many_addresses_keeps_nobody_else_of_its_provider_out(post: Post) -> None:
    written = [
        await post.write("games", f"{name}+{number}@gmail.com", OWN, **VOUCHED)
        for number in range(OF_A_DOMAIN_AT_ONCE)
        for name in ("eve", "e.ve")
    ]
    assert written == ["answered"] * MOST_OF_A_MAILBOX + ["ignored"] * (len(written) - MOST_OF_A_MAILBOX)
    await post.post()
    assert "You are in no game" in await post.ask("games", "dora@gmail.com", OWN, **VOUCHED)
    assert "You are in no game" in await post.ask("games", "eve+1@gmail.com", OWN, **VOUCHED), "who is known stays"


@pytest.mark.parametrize(
    ("addresses", "answered"),
    [
        (("eve+1@evil.example", "eve+2@evil.example", "eve@evil.example"), 2),
        (("eve@one.example", "e.ve@one.example", "eve@two.example"), 3),
    ],
)
async def test_the_answers_of_a_day_and_the_letters_of_a_minute_are_counted_by_mailbox(
    post: Post, monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...], answered: int
) -> None:
    for module in ("bot.service.features.mail", "bot.commands.mail.gateway"):
        monkeypatch.setattr(f"{module}.MOST_WITHOUT_MOVES", 2)
    for address in addresses:
        await post.write("games", address, OWN, **VOUCHED)
    assert len(await post.post()) == answered
    monkeypatch.setattr(post.office, "doorman", RateLimiter(1, 2))
    written = [await post.write("games", address, OWN, **VOUCHED) for address in addresses]
    assert written.count("answered") == answered


async def test_a_flood_of_tokens_of_others_keeps_no_other_address_of_a_player_out(post: Post) -> None:
    await post.come(ANN)
    await post.ask(f"also {ALIAS}")
    for number in range(OF_A_DOMAIN_AT_ONCE + 5):
        await post.write("help", f"eve{number}@{ALIAS.partition('@')[2]}", with_token(OWN, ReplyToken(0, 1, "a" * 26)))
    assert await post.write("help", ALIAS, post.reply_to(ANN)) == "answered"


async def test_a_typo_does_not_lose_a_proven_address(post: Post) -> None:
    await post.come(ANN)
    await post.ask("digest")
    person, typo = await person_of(post, ANN), "amn@home.example"
    for returned in (True, False):
        assert await post.tables.mail.request_confirmation(typo, person) is not None
        (mail,) = await post.post()
        assert mail["To"] == typo and "Was it you?" in words(mail)
        assert "You are in no game" in await post.ask("games"), "the old one is good until the new one is proven"
        if returned:
            assert await post.office.receive(report(str(mail["Message-ID"]), GONE.replace(CID, typo))) == "came back"
        else:
            post.clock.advance(days=8)
            await post.tables.mail.prune()
        record = await post.tables.mail.person(person)
        assert (record.address, record.mail, record.asked, record.returned_at) == (ANN, "digest", "", None)
        post.clock.advance(days=1)
    old = post.reply_to(ANN)
    assert await post.tables.mail.request_confirmation(BOB, person) is not None
    await post.post()
    assert "You are in no game" in await post.ask("games", BOB)
    record = await post.tables.mail.person(person)
    assert (record.address, record.mail, record.asked) == (BOB, "digest", "")
    assert await post.write("games", ANN, old) == "ignored"


async def test_a_game_is_nobodys_who_was_not_invited(post: Post) -> None:
    game = await post.game()
    await post.come(EVE)
    for line in (f"join {game} guessed-guessed-gu Eve", "status", "start", "games"):
        told = await post.ask(line, EVE)
        assert "Bank" not in told and "Ann" not in told, line
    token = AddressSigner.load_or_create(post.folder).token(await person_of(post, EVE), EVE, game, 0)
    for line in ("status", "log", "map", "help", "try buy P1", "board", "buy P1", "undo", "auto pass", "invite"):
        told = await post.ask(line, EVE, with_token(OWN, token))
        assert "Bank £" not in told and "£840" not in told and "Melbourne" not in told, line
    assert await version(post, game) == 0


# -- what a letter may hold -------------------------------------------------------------------------------


FINAL = f"Final-Recipient: rfc822; {CID}\r\n"
GONE = f"{FINAL}Action: failed\r\nStatus: 5.1.1\r\n"


def report(message: str, receivers: str = GONE, kind: str = "delivery-status") -> bytes:
    """What a mailer tells of our mail, and of its `receivers`."""
    of_each = f"--b\r\nContent-Type: message/{kind}\r\n\r\nReporting-MTA: dns; far.example\r\n\r\n{receivers}\r\n"
    return (
        "From: MAILER-DAEMON@far.example\r\nTo: games@club.example\r\nSubject: report\r\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain\r\n\r\nbuy P1\r\n{of_each if receivers else ''}"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {message}\r\nSubject: x\r\n--b--\r\n"
    ).encode()


OF_PROGRAMS = [
    {"Auto_Submitted": "auto-replied"},
    {"Auto_Submitted": "auto-generated; owner"},
    {"Precedence": "bulk"},
    {"Precedence": "auto_reply"},
    {"Precedence": "Junk (away)"},
    {"Preference": "auto_reply"},
    {"X_Autoreply": "yes"},
    {"X_Autorespond": "yes"},
    {"X_Mail_Autoreply": "yes"},
    {"X_Loop": OWN},
    {"sender": "no-reply@home.example"},
    {"Return_Path": "<>"},
]
"""Headers of letters that no person has written."""


async def test_programs_are_never_answered(post: Post) -> None:
    game = await post.game()
    for headers in OF_PROGRAMS:
        assert await post.write("buy P1", **headers) == "ignored", headers
        assert await version(post, game) == 0 and await sent_nothing(post), headers
    assert await post.write("buy P1") == "answered", "nothing but the headers has kept it away"


async def test_members_of_a_mailing_list_are_not_written_to(post: Post) -> None:
    for headers in ({"List_Id": "<club.lists.example>"}, {"List_Post": "<mailto:club@lists.example>"}):
        assert await post.write("hello", "dora@far.example", OWN, **headers) == "ignored"
    assert await sent_nothing(post)
    assert await post.write("hello", "dora@far.example", OWN, List_Unsubscribe="<https://far.example>") == "welcomed"


async def test_answers_go_to_the_sender_alone(post: Post) -> None:
    await post.game()
    third = {"Reply_To": "cleo@third.example", "Sender": "cleo@third.example", "Return_Path": "<cleo@third.example>"}
    third |= {"Disposition_Notification_To": "cleo@third.example", "Errors_To": "cleo@third.example"}
    await post.write("buy P1", **third)
    await post.write("status", BOB, OWN, Cc="cleo@third.example", **third)
    await post.write("hello", "dora@far.example", OWN, **third)
    told = await post.post()
    assert {mail["To"] for mail in told} >= {ANN, "dora@far.example"}
    assert not any("third.example" in f"{mail['To']} {mail['Cc']} {mail['Bcc']} {mail['Reply-To']}" for mail in told)


OF_GATEWAYS = [
    {"Feedback_ID": "i12345678:Fastmail"},
    {"X_Loop": "gateway@home.example"},
    {"List_Id": "<club.lists.example>", "Precedence": "list", "List_Unsubscribe": "<mailto:leave@lists.example>"},
    {"X_Auto_Response_Suppress": "All"},
    {"Auto_Submitted": "no (somebody wrote it)"},
    {"X_Autoreply": "no"},
]
"""Headers that letters of people have too."""


async def test_what_gateways_and_mail_services_put_on_a_letter_stops_no_move(post: Post) -> None:
    game = await post.game()
    for number, headers in enumerate(OF_GATEWAYS, 1):
        sender = (CID, ANN, BOB)[number % 3]
        assert await post.write(f"buy P{number}", sender, **headers) == "answered", headers
        assert await version(post, game) == number, headers
        await post.post()


@pytest.mark.parametrize(
    ("sender", "name", "address"),
    [
        ("ann@home.example <ann@home.example>", "ann@home.example", ANN),
        ("Example, Ann <ann@home.example>", "Example, Ann", ANN),
        ('"Example, Ann" <ann@home.example>', "Example, Ann", ANN),
        ('"bob@work.example" <ann@home.example>', "bob@work.example", ANN),
        ("=?utf-8?q?Anna_M=C3=BCller?= <Ann@Home.example>", "Anna Müller", ANN),
        ("ann@home.example (Ann)", "Ann", ANN),
    ],
)
def test_senders_are_read_as_programs_write_them(sender: str, name: str, address: str) -> None:
    found = read_letter(f"From: {sender}\nTo: {OWN}\n\nhello".encode(), OWN)
    assert (found.name, found.sender) == (name, address)


@pytest.mark.parametrize(
    "sender",
    [
        f"{ANN}, Bob <bob@work.example>",
        f"Ann <{ANN}>, Bob <bob@work.example>",
        f"Ann <{ANN}> <bob@work.example>",
        "Ann <ann@home.example, bob@work.example>",
        "Ann <>",
        "Ann <ann@home.example@evil.example>",
        "<" * 5000 + ANN,
    ],
)
def test_what_names_several_senders_or_none_is_nobodys(sender: str) -> None:
    with pytest.raises(Ignored, match="sender"):
        read_letter(f"From: {sender}\nTo: {OWN}\n\nhello".encode(), OWN)


@pytest.mark.parametrize(
    ("headers", "body", "line"),
    [
        ("text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable ", b"buy=20P1", "buy P1"),
        ("text/plain\nContent-Transfer-Encoding: \t Quoted-PRINTABLE (x)", b"buy=20P1", "buy P1"),
        ("text/plain\nContent-Transfer-Encoding: base64; x", b"YnV5IFAx", "buy P1"),
        ("text/plain\nContent-Transfer-Encoding: base64", b"buy P1; pass!", "buy P1; pass!"),
        ("text/plain; charset=x-none", "kaufe für".encode(), "kaufe für"),
        ("text/plain; charset=us-ascii", "kaufe für".encode(), "kaufe für"),
        ("text/plain; charset=utf-8", "kaufe für".encode("cp1252"), "kaufe für"),
        ("text/plain; charset=utf-16", "buy P1".encode("utf-16"), "buy P1"),
        ("text/plain; charset=punycode", b"buy P1-", "buy P1-"),
    ],
)
def test_bytes_are_read_whatever_the_headers_say_of_them(headers: str, body: bytes, line: str) -> None:
    raw = f"From: {ANN}\nTo: {OWN}\nContent-Type: {headers}\n\n".encode() + body
    assert read_letter(raw, OWN).lines == (line,)


AWAY = {
    "Automatic reply: Game 1: 1848": "I am back on Monday.",
    "Out of Office: Game 1": "",
    "Automatische Antwort: Spiel 1": "Ich bin am 30.11. zurück.",
    "AW: Abwesenheitsnotiz": "Guten Tag",
    "Réponse automatique : Game 1": "Bonjour",
    "Respuesta automática: x": "Hola",
    "Risposta automatica: x": "Salve",
    "Automatisch antwoord: x": "Hallo",
    "Autosvar: x": "Hej",
    "Fraværsmelding: x": "Hei",
    "Automaattinen vastaus: x": "Hei",
    "Autoodpowiedź: x": "Witam",
    "Automatická odpověď: x": "Dobrý den",
    "Resposta automática: x": "Olá",
    "Автоматический ответ: x": "Здравствуйте",
    "自動応答: x": "x",
    "Re: Game 1": "I am currently out of the office with limited access to email.",
    "Re: Game 2": "Vielen Dank. Ich bin bis 30.11. nicht im Büro.",
    "Re: Game 3": "Bonjour,\n\nje suis absente du bureau.",
}


async def test_notes_of_absence_are_left_alone_even_where_no_header_says_so(post: Post) -> None:
    await post.game()
    for subject, text in AWAY.items():
        assert await post.write(text, Subject=subject) == "ignored", subject
    assert await sent_nothing(post)
    assert "Nothing was done" not in await post.ask("away 7", Subject="Vacation"), (
        "a command is obeyed whatever the subject"
    )


async def test_a_program_that_answers_without_saying_so_is_answered_twice_a_day(post: Post) -> None:
    game = await post.game()
    text = "We have received your message and shall answer soon."
    assert [await post.write(text) for _ in range(5)] == ["answered"] * 5
    assert len([mail for mail in await post.post() if mail["To"] == ANN]) <= 2
    assert "no move called" in await post.ask("byu P1"), "another text is answered"
    post.clock.advance(days=1)
    assert "Nothing was done" in await post.ask(text)
    assert "Ann buys P1" in await post.ask("buy P1") and await version(post, game) == 1


@pytest.mark.parametrize(
    "text", few(["Your ticket has the number {}.", "New ticket {} has been opened", "help", "stop {}"], 0)
)
async def test_no_exchange_of_mails_with_a_program_lasts(
    post: Post, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 8
    for module in ("bot.service.features.mail", "bot.commands.mail.gateway"):
        monkeypatch.setattr(f"{module}.MOST_WITHOUT_MOVES", most)
    game = await post.game()
    post.clock.advance(days=1)
    told = [await post.ask(text.format(number)) for number in range(most)]
    silence = [f"answer {most} within a day" in one for one in told]
    assert silence[-1] and not any(silence[:-1])
    assert await post.write(text.format("last")) == "answered" and await sent_nothing(post)
    assert "Ann buys P1" in await post.ask("buy P1") and await version(post, game) == 1
    post.clock.advance(days=1)
    assert "within a day" not in await post.ask(text.format("new"))


async def test_an_old_mail_proves_too_little_for_what_is_about_a_whole_person(post: Post) -> None:
    game = await post.game()
    of_game = post.reply_to(ANN)
    await post.ask("buy P1")
    await post.ask("games", ANN, OWN, Authentication_Results="mx.club.example; dmarc=pass")
    of_none = post.reply_to(ANN)
    assert ReplyToken.read(of_none.partition("+")[2].partition("@")[0]).game == 0 != game  # type: ignore[union-attr]
    post.clock.advance(days=91)
    for token in (of_game, of_none):
        assert "Nothing has been done yet." in await post.ask("forget me", ANN, token)
    assert "only get answers" in await post.ask("stop", BOB), "nothing has happened since"
    assert await post.write("forget me") == "answered" and await post.tables.mail.people_at(ANN) == []


async def test_what_is_left_out_below_moves_is_named_in_the_answer(post: Post) -> None:
    game = await post.game()
    told = await post.ask("Sorry to keep you all waiting:\nbuy P1\n\nPass the salt, Bob!\n\nLG Ann")
    assert "Ann buys P1" in told and await version(post, game) == 1
    assert "Not read as moves:\r\nPass the salt, Bob!\r\nSorry to keep you all waiting:" in told
    await post.ask("undo")
    for text, line in (
        ("buy P1\n\nbyu P2\n\nLG Ann", "byu P2"),
        ("buy P1\n\nbuy P2\nfrom pool", "from pool"),
        ("buy P1\n\npass me the salt", "pass me the salt"),
        ("buy P1\nI think that is best.", "I think that is best"),
    ):
        told = await post.ask(text)
        assert "Nothing was done" in told and line in told, "all of them are made, or none"
    assert await version(post, game) == 2


async def test_moves_in_wide_letters_are_read(post: Post) -> None:
    game = await post.game()
    assert "Ann buys P1" in await post.ask("こんにちは。\n\nｂｕｙ　Ｐ１")
    assert await version(post, game) == 1


@pytest.mark.parametrize(
    "kind",
    few(['multipart/encrypted; boundary="b"', "application/pkcs7-mime; smime-type=enveloped-data", "text/plain"], 0),
)
async def test_who_encrypts_is_told_that_it_cannot_be_read(post: Post, kind: str) -> None:
    await post.game()
    raw = f"From: {ANN}\nTo: {post.reply_to(ANN)}\nMessage-ID: <x@y>\nContent-Type: {kind}\n\n-----BEGIN PGP MESSAGE-----\n\nhQ\n"
    assert await post.office.receive(raw.encode()) == "answered"
    assert "cannot read encrypted mail" in words((await post.post())[0])


async def test_the_bot_does_not_answer_itself_nor_a_mailer(post: Post) -> None:
    for sender in (OWN, f"Bot <{OWN}>", with_token(OWN, ReplyToken(1, 0, "a" * 26)), "MAILER-DAEMON@far.example"):
        assert await post.office.receive(letter("hello", sender, OWN)) == "ignored"
    assert read_letter(letter("hello", "ga.mes@club.example"), OWN).sender == "ga.mes@club.example"
    with pytest.raises(Ignored, match="itself"):
        read_letter(letter("hello", "ga.mes@gmail.com", "games+x@gmail.com"), "games@gmail.com")
    assert await post.office.receive(bytes(to_mime(draft(), OWN, ANN, post.clock()))) == "ignored"
    assert await sent_nothing(post)


def draft(subject: str = "Game 1: 1848") -> MailDraft:
    """A mail of the bot."""
    token = ReplyToken(1, 0, "a" * 26)
    return MailDraft("key", subject, "A title", [Section("", ("Words",))], token, token, "thread")


async def mails_to_cid(post: Post) -> list[str]:
    """The Message-IDs of four mails to Cid, each sent a day after the one before; answers, which are sent whatever happens."""
    await post.game()
    found = []
    for _ in range(4):
        post.clock.advance(days=1)
        await post.ask("status", CID)
        found.append(str(post.outbox.mails[-1]["Message-ID"]))
    return found


async def sent_to_cid(post: Post) -> bool:
    """Whether Cid is sent what the table is told."""
    await post.tables.mail._tell_table(1, msg("The game is over."))
    return CID in {mail["To"] for mail in await post.post()}


async def test_who_cannot_be_reached_is_written_to_no_more_until_they_write(post: Post) -> None:
    mails = await mails_to_cid(post)
    assert await post.office.receive(report("<not-ours@far.example>")) == "ignored"
    for message in [*mails[:2], *mails[:2]]:
        await post.office.receive(report(message))
        assert (await post.tables.mail.person(await person_of(post, CID))).returned_at is None
    assert await post.office.receive(report(mails[3])) == "came back"
    assert {mail["To"] for mail in await post.post()} == {ANN, BOB}, "the table hears of it"
    assert "Mail to Cid bounces." in post.last(BOB)
    assert await post.office.receive(report(mails[2])) == "came back"
    assert await sent_nothing(post) and not await sent_to_cid(post), "of that it hears once"
    assert not await post.tables.mail.is_reminded(await person_of(post, CID)), "Discord reminds them again"
    assert "it is sent again" in await post.ask("status", CID)
    assert await sent_to_cid(post)
    theirs = [mail for mail in post.outbox.mails if mail["To"] == CID][-1]
    assert await post.office.receive(report(str(theirs["Message-ID"]))) == "came back"
    assert await sent_to_cid(post), "what came back before counts no more"


async def test_only_our_own_mails_come_back(post: Post) -> None:
    await post.game()
    seen = []
    for _ in range(3):
        post.clock.advance(days=1)
        assert [await post.write("?!", CID) for _ in range(3)] == ["answered"] * 3
        seen.append(f"<{post.count}@home.example>")
        await post.post()
    for message in seen:
        assert await post.office.receive(report(message)) == "ignored", "it is a letter, which others may have seen"
    assert await sent_to_cid(post)


async def test_many_that_come_back_within_a_day_are_not_enough(post: Post) -> None:
    await post.game()
    for _ in range(5):
        await post.ask("status", CID)
    for mail in [mail for mail in post.outbox.mails if mail["To"] == CID][-5:]:
        assert await post.office.receive(report(str(mail["Message-ID"]))) == "came back"
    assert await sent_to_cid(post)


HARMLESS = [
    ("", "delivery-status"),
    (FINAL, "delivery-status"),
    (f"{FINAL}Action: failed\r\n", "delivery-status"),
    (f"{FINAL}Action: failed\r\nStatus: 5.2.2\r\n", "delivery-status"),
    (f"{FINAL}Action: failed\r\nStatus: 5.2.2 (mailbox full)\r\n", "delivery-status"),
    (f"{FINAL}Action: failed\r\nStatus: 4.4.7\r\n", "delivery-status"),
    (f"{FINAL}Action: delayed\r\nStatus: 5.1.1\r\n", "delivery-status"),
    (f"{FINAL}Action: relayed\r\nStatus: 2.0.0\r\n", "delivery-status"),
    (GONE.replace(CID, "other@far.example"), "delivery-status"),
    (f"{GONE.replace(CID, 'other@far.example')}Original-Recipient: rfc822; {CID}\r\n", "delivery-status"),
    (f"{FINAL}Disposition: manual-action/MDN-sent-manually; displayed\r\n", "disposition-notification"),
    (f"{GONE}Disposition: automatic-action/MDN-sent-automatically; deleted\r\n", "disposition-notification"),
    (f"Feedback-Type: abuse\r\nOriginal-Rcpt-To: {CID}\r\n", "feedback-report"),
]
"""Reports of which none says that the address is gone: the fields about a receiver, and the kind of the report."""


async def test_what_is_late_full_read_or_of_somebody_else_has_no_effect(post: Post) -> None:
    mails = await mails_to_cid(post)
    for receivers, kind in HARMLESS:
        for message in mails:
            assert await post.office.receive(report(message, receivers, kind)) == "ignored", (receivers, kind)
        assert await sent_to_cid(post), (receivers, kind)


async def test_an_absence_note_with_the_mail_attached_has_no_effect(post: Post) -> None:
    for message in await mails_to_cid(post):
        away = EmailMessage()
        away["From"], away["To"], away["Return-Path"] = CID, OWN, "<>"
        away.set_content("I am away.")
        inner = EmailMessage()
        inner["Message-ID"] = message
        away.add_attachment(inner)
        assert await post.office.receive(bytes(away)) == "ignored"
    assert await sent_to_cid(post)


async def test_an_address_from_which_nobody_has_answered_is_forgotten_when_a_mail_comes_back(post: Post) -> None:
    await post.tables.mail.request_confirmation(CID, "discord:7")
    (mail,) = await post.post()
    assert await post.office.receive(report(str(mail["Message-ID"]))) == "came back"
    assert await post.tables.mail.people_at(CID) == []


# -- other addresses of a person ----------------------------------------------------------------------------

ALIAS = "ann+games@home.example"


async def test_an_answer_from_another_address_moves_nothing_and_the_known_one_hears_of_it_once(post: Post) -> None:
    game = await post.game()
    token = post.reply_to(ANN)
    assert await post.write("buy P1", ALIAS, token) == await post.write("buy P1", ALIAS, token) == "ignored"
    (mail,) = await post.post()
    assert mail["To"] == ANN and "Nothing was done." in words(mail) and f"also {ALIAS}" in words(mail)
    assert await version(post, game) == 0
    assert "Nothing has been done yet." in await post.ask(
        f"also {EVE}", ANN, OWN, Authentication_Results="mx.club.example; dmarc=pass"
    )
    assert ALIAS in await post.ask(f"also {ALIAS}", ANN, str(mail["Reply-To"]))
    assert await post.write("buy P1", ALIAS, token) == "answered"
    assert await version(post, game) == 1 and ALIAS not in {mail["To"] for mail in await post.post()}
    assert await post.write("buy P2", ALIAS, post.reply_to(BOB)) == "ignored", "it is good for one person's mails"
    assert "Only replies from your first address count now" in await post.ask("also none", ANN)
    assert await post.write("status", ALIAS, token) == "ignored"
    for number in range(3):
        await post.ask(f"also ann{number}@home.example", ANN)
    assert "3 other addresses" in await post.ask("also ann3@home.example", ANN)


async def test_ten_megabytes_are_read_up_to_a_bound(post: Post) -> None:
    game = await post.game()
    assert "too long" in await post.ask("buy P1\n" + "x" * 10_000_000)
    assert await version(post, game) == 0
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = ANN, post.reply_to(ANN), "<big@far.example>"
    mail.set_content("buy P1\n")
    mail.add_attachment(b"\0" * 10_000_000, "application", "zip", filename="bomb.zip")
    assert len(bytes(mail)) > 10 * MOST_READ
    behind = b"\n--b\nContent-Type: text/plain\n\nbuy P1\n--b--\n"
    head = b'From: ann@home.example\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: image/png\n\n'
    assert read_letter(head + b"x" * 1000 + behind, OWN).lines == ("buy P1",)
    assert read_letter(head + b"x" * MOST_READ + behind, OWN).lines == ()
    assert await post.office.receive(bytes(mail)) == "answered"
    assert await version(post, game) == 1


async def test_attachments_are_not_read(post: Post) -> None:
    game = await post.game()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = ANN, post.reply_to(ANN), "<file@far.example>"
    mail.set_content("status")
    mail.add_attachment("buy P1", filename="moves.txt")
    assert await post.office.receive(bytes(mail)) == "answered"
    empty = EmailMessage()
    empty["From"], empty["To"], empty["Message-ID"] = ANN, post.reply_to(ANN), "<file2@far.example>"
    empty.set_content("\n")
    empty.add_attachment("buy P1", filename="moves.txt")
    assert read_letter(bytes(empty), OWN).lines == ()
    assert await post.office.receive(bytes(empty)) == "answered"
    assert await version(post, game) == 0


def nested(depth: int) -> bytes:
    """Parts in parts."""
    head = b"From: ann@home.example\r\nTo: games@club.example\r\n"
    return head + b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(depth)
    )


BROKEN = {
    "nothing": b"",
    "noise": bytes(range(256)) * 500,
    "parts in parts": nested(3000),
    "many parts": b'From: ann@home.example\nContent-Type: multipart/mixed; boundary="b"\n\n'
    + b"--b\nContent-Type: image/png\n\nx\n" * 5000,
    "many headers": b"From: ann@home.example\n" + b"X: y\n" * 5000 + b"\nbuy P1",
    "no sender": b"To: games@club.example\n\nbuy P1",
    "two senders": b"From: ann@home.example, bob@work.example\n\nbuy P1",
    "two lines of senders": b"From: ann@home.example\nFrom: bob@work.example\n\nbuy P1",
    "a sender with a break": b"From: =?utf-8?q?ann=40home.example=0d=0aBcc:_x=40y.example?= <a b@c>\n\nbuy P1",
    "no such charset": b"From: a@b\nContent-Type: text/plain; charset=x-none\nContent-Transfer-Encoding: base64\n\n!!!!",
    "an endless header": b"From: " + b"(" * 100_000 + b"\n\nbuy P1",
    "an endless address": b"From: " + b"a" * 100_000 + b"@b.example\n\nhello",
}


@pytest.mark.parametrize("name", BROKEN)
async def test_broken_letters_are_left_alone(post: Post, name: str) -> None:
    try:
        found = read_letter(BROKEN[name], OWN)
    except Ignored:
        assert await post.office.receive(BROKEN[name]) == "ignored"
    else:
        assert found.token is None
        assert await post.office.receive(BROKEN[name]) in ("ignored", "welcomed")
    assert all("\n" not in str(mail["To"]) for mail in await post.post())


@pytest.mark.parametrize("bound", ["headers", "parts"])
def test_more_than_anybody_writes_is_not_looked_at(bound: str) -> None:
    with pytest.raises(Ignored, match=f"too many {bound}"):
        read_letter(BROKEN[f"many {bound}"], OWN)


@pytest.mark.parametrize("name", ["two senders", "two lines of senders"])
def test_a_letter_of_several_senders_is_nobodys(name: str) -> None:
    with pytest.raises(Ignored, match="exactly one sender"):
        read_letter(BROKEN[name], OWN)


def test_what_is_read_of_a_letter_is_plain() -> None:
    head = f"From: {ANN}\nTo: {OWN}\nSubject: =?utf-8?q?a=0d=0aBcc:=07x?=\n"
    found = read_letter(f"{head}Content-Type: text/plain; format=flowed\n\nrun \nbest\n".encode(), OWN)
    assert found.subject == "a Bcc: x" and found.lines == ("run best",)


def test_our_own_mails_say_that_a_program_wrote_them_and_hold_no_foreign_markup(post: Post) -> None:
    token, evil = ReplyToken(1, 0, "a" * 26), "<script>x</script>"
    blocks = [Section(evil, (evil, f"https://x/{evil}", f"{evil} games+1@club.example")), Section("", (evil,), "list")]
    for is_answer, expected in ((False, "auto-generated"), (True, "auto-replied")):
        drafted = MailDraft(
            "key", "s", evil, [*blocks, Section("", (evil,), "moves")], token, token, is_answer=is_answer
        )
        mail = to_mime(drafted, OWN, ANN, post.clock())
        assert mail["Auto-Submitted"] == expected
        html = mail.get_body(("html",))
        assert html is not None and "<script" not in html.get_content()


async def test_nothing_that_people_write_gets_into_headers(post: Post) -> None:
    await post.come(ANN)
    told = await post.ask("new 1848 Ann\r\nBcc: eve@evil.example", Subject="stop =?utf-8?q?=0d=0aBcc:x=40y?=")
    mail = post.outbox.mails[-1]
    assert mail["Bcc"] is None and "eve" not in str(mail.items()) and "Nothing was done" in told
    for subject in ("a\nBcc: eve@evil.example", "a\r\n\r\nbody"):
        with pytest.raises(ValueError, match=r"newline|linefeed|header"):
            to_mime(draft(subject), OWN, ANN, post.clock())


@pytest.mark.parametrize(
    "message",
    [
        "<=?utf-8?q?x=0D=0ABcc:_eve@evil.example?=@a>",
        "<=?utf-8?q?=0D=0A=0D=0Abody?=>",
        "<=?a?q?=0A?==?a?q?=0A?=>",
        "<=?utf-7?q?+2AA-?=>",
        f"<{'a' * 200}@b>",
    ],
)
async def test_the_name_of_a_letter_is_no_header_of_its_answer(post: Post, message: str) -> None:
    await post.come(ANN)
    await post.ask("help")
    expected = sorted({*post.outbox.mails[-1].keys()} - {"In-Reply-To"})
    raw = letter("help", to=post.reply_to(ANN)).replace(b"\n", f"\nMessage-ID: {message}\n".encode(), 1)
    assert await post.office.receive(raw) == "answered"
    (mail,) = await post.post()
    assert sorted(mail.keys()) == expected and "new 1848" in words(mail)
    # Newer Pythons encode the break again; where it would be written as it is, the mail is refused.
    subject = "=?utf-8?q?x=0D=0ABcc:_eve@evil.example?="
    with contextlib.suppress(ValueError):
        made = to_mime(draft(subject), OWN, ANN, post.clock())
        assert "Bcc" not in message_from_bytes(made.as_bytes())


@pytest.mark.parametrize("header", ["From: =?utf-8?b?A?= <ann@home.example>", f"Subject: =?utf-8?b?A?=\nFrom: {ANN}"])
def test_an_encoded_word_that_is_none_stands_as_it_is(header: str) -> None:
    found = read_letter(f"{header}\nTo: {OWN}\n\nbuy P1\n".encode(), OWN)
    assert found.lines == ("buy P1",) and "=?utf-8?b?A?=" in (found.name, found.subject)


async def test_names_and_words_are_text_on_the_page(post: Post) -> None:
    await post.come(ANN)
    await post.ask("<script>alert(1)</script>")
    html = post.outbox.mails[-1].get_body(("html",))
    assert html is not None and "<script" not in html.get_content()


async def test_too_many_words_or_commands_are_refused_whole(post: Post) -> None:
    game = await post.game()
    for text in ("buy P1\n" * 300, "buy P1; " * 2000, "status\n" * 20 + "buy P1"):
        told = await post.ask(text)
        assert "too long" in told or "can hold 12 commands" in told
    assert await version(post, game) == 0


UNWRITABLE = (
    "dan.@docomo.example",
    "a..b@far.example",
    ".a@far.example",
    "a@-far.example",
    "=?utf-8?q?a?=@far.example",
)


@pytest.mark.parametrize("address", UNWRITABLE)
async def test_an_address_that_cannot_be_written_to_is_refused_at_the_door(post: Post, address: str) -> None:
    with pytest.raises(IllegalMove, match="Mail cannot be sent"):
        await post.tables.mail.request_confirmation(address, "discord:7")
    assert await post.office.receive(f"From: {address}\nTo: {OWN}\n\nhello".encode()) == "ignored"
    assert await post.tables.mail.readers() == [] and await sent_nothing(post)


def an_address_that_is_taken_can_be_written_to(address: str) -> None:
    if is_address(address):
        mail = message_from_bytes(bytes(to_mime(draft(), OWN, address, NOON)), policy=default)
        assert mail["To"].addresses[0].addr_spec == address


test_an_address_that_is_taken_can_be_written_to, test_many_addresses_that_are_taken_can_be_written_to = in_two_lengths(
    an_address_that_is_taken_can_be_written_to,
    50,
    200,
    from_regex(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,20}@[a-z0-9-]{1,9}\.[a-z0-9.-]{1,9}", fullmatch=True),
)


# -- servers and logs ---------------------------------------------------------------------------------------


async def test_a_mail_that_is_refused_for_good_is_not_tried_again_and_holds_nobody_up(post: Post) -> None:
    await post.game()
    await post.write("buy P1")
    post.outbox.refuses = [PermanentFailure("550")]
    assert len(await post.post()) == 1
    assert await sent_nothing(post)


async def test_a_mail_that_is_not_taken_now_is_sent_later_and_holds_nobody_up(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.game()
    await post.write("buy P1")
    post.outbox.refuses = [TemporaryFailure("452")]
    assert [mail["To"] for mail in await post.post()] == [BOB]
    assert await post.post() == [], "its time has not come"
    later = time.monotonic() + 3600
    monkeypatch.setattr("bot.commands.mail.sender.monotonic", lambda: later)
    assert [mail["To"] for mail in await post.post()] == [ANN]


async def test_a_mail_that_is_never_taken_is_given_up_after_days(post: Post) -> None:
    await post.game()
    await post.write("buy P1")
    post.clock.advance(days=6)
    post.outbox.refuses = [TemporaryFailure("452"), TemporaryFailure("452")]
    assert await post.post() == [] and await post.tables.mail.waiting_mails() == []


async def test_a_mail_that_cannot_be_built_holds_nobody_up_and_is_set_aside(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, now = await post.game(), [time.monotonic()]
    monkeypatch.setattr("bot.commands.mail.sender.monotonic", lambda: now[0])
    draft_of = post.office.sender.writer.draft

    async def broken(person: PersonRecord, *rest: Any, **more: Any) -> MailDraft | None:
        if person.address == BOB:
            raise KeyError("broken")
        return await draft_of(person, *rest, **more)

    monkeypatch.setattr(post.office.sender.writer, "draft", broken)
    await post.write("buy P1")
    for _ in range(TRIES):
        await post.ask("status")
        now[0] += 5000
    (failure,) = await post.tables.failures.list_set_aside()
    assert (failure.queue, failure.game, failure.error) == ("mail", game, "it cannot be built (KeyError)")
    assert "could not be written" in post.last(CID)
    for _ in range(TRIES + 1):
        now[0] += 50_000
        assert await post.post() == [], "the table hears of it once"
    monkeypatch.setattr(post.office.sender.writer, "draft", draft_of)
    assert "Bank" in await post.ask("status", BOB), "what was not built holds up nothing"


async def test_what_could_not_be_built_once_is_sent_later(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.game()
    later = time.monotonic() + 3600
    await post.write("buy P1")
    with monkeypatch.context() as patch:
        patch.setattr("bot.commands.mail.sender.to_mime", None)
        assert await post.post() == []
    monkeypatch.setattr("bot.commands.mail.sender.monotonic", lambda: later)
    assert {mail["To"] for mail in await post.post()} == {ANN, BOB}
    assert await post.tables.desk.store.failures.list_all() == []


async def test_an_address_of_an_earlier_release_that_cannot_be_written_to_holds_nobody_up(post: Post) -> None:
    await post.game()
    bob = await post.tables.mail.person(await person_of(post, BOB))
    bob.address = UNWRITABLE[0]
    await post.tables.desk.store.people.save(bob)
    assert "Ann buys P1" in await post.ask("buy P1")


async def test_a_mail_on_which_the_server_hangs_up_holds_nobody_up(post: Post) -> None:
    await post.game()
    await post.write("buy P1")
    post.outbox.refuses = [ConnectionResetError()]
    with pytest.raises(ConnectionResetError):
        await post.post()
    assert [mail["To"] for mail in await post.post()] == [BOB]


async def test_where_no_mail_waits_nobody_is_looked_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.game()
    asked: list[str] = []
    monkeypatch.setattr(post.tables.mail, "waiting_mails", lambda *rest: asked.append("mails"))
    monkeypatch.setattr(post.tables.mail, "readers", lambda: asked.append("people"))
    assert await post.tables.mail.receivers() == [] and await sent_nothing(post) and asked == []
    monkeypatch.undo()
    await post.write("buy P1")
    assert {one.address for one in await post.tables.mail.receivers()} == {ANN, BOB}


async def test_mails_that_wait_for_their_hour_hold_nobody_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.features.mail.MOST_WAITING", 1)
    await post.game()
    await post.ask("quiet UTC 11 14", BOB)
    await post.write("buy P1")
    await post.write("status", CID)
    assert {mail["To"] for mail in await post.post()} == {ANN, CID}


async def test_no_address_is_in_the_log(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await post.game()
    await post.write("buy P1")
    await post.write("buy P1", EVE, post.reply_to(ANN))
    await post.write("nonsense", BOB)
    post.outbox.refuses = [PermanentFailure("550")]
    await post.post()
    ours = "\n".join(str(vars(record)) for record in caplog.records if record.name.startswith("signalbox"))
    assert ours and "@" not in ours
    assert Redaction([])("to ann.b+c@home.example: 550") == "to [hidden]: 550"
    assert Redaction([])("@2 buys P1 @ 30") == "@2 buys P1 @ 30"
