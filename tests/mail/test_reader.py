"""Letters that were made to be slow, large or endless: what is done about them is bounded, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Sequence
from typing import Any

import pytest

from bot.commands.mail import reader as reading
from bot.commands.mail.gateway import Envelope, MailGateway
from bot.commands.mail.imap import Mailbox
from bot.commands.mail.incoming_mail import read_letter
from bot.commands.mail.letters.limits import BREAK, MOST_COSTLY, SPAN, read_bounded_letter, sender_of
from bot.commands.mail.reader import READERS, MailReader, ParsedMail
from bot.commands.mail.service import MOST_IN_HAND, MOST_OF_A_DOMAIN, MailService
from bot.commands.mail.signatures import ReplyToken, with_token
from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.service.features.failures import TRIES
from bot.store import StoreDamaged
from tests.families import few
from tests.mail.conftest import ANN, BOB, IDLE, OWN, PaintsNothing, Post, letter, settings

EVE = "eve@evil.example"
HEAD = b"From: ann@home.example\r\nTo: games@club.example\r\n"
PARTS = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'


def nested(depth: int) -> bytes:
    """Parts in parts."""
    return b"".join(b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n) for n in range(depth))


TOO_MUCH = {
    "64 KB of semicolons": (b'Content-Type: text/plain; x="' + b";" * 64_000, "headers are too long"),
    "250 KB of semicolons": (b'Content-Type: text/plain; x="' + b";" * 250_000, "headers are too long"),
    "semicolons in a part": (PARTS + b'--b\r\nContent-Type: image/png; x="' + b";" * 64_000, "header of a part"),
    "semicolons in a part of old lines": (PARTS + b'--b\rContent-Type: image/png; x="' + b";" * 64_000, "header of a"),
    "a folded field of a part": (PARTS + b"--b\r\ncontent-TYPE : a/b;" + b"\r\n\tx=y;" * 9_000, "header of a part"),
    "900 nested multiparts": (nested(900), "too many parts"),
    "20 nested multiparts": (nested(20), "too many parts"),
    "5000 parts": (PARTS + b"--b\r\n\r\nx\r\n" * 5000, "too many parts"),
    "one folded header": (b"X: a\r\n" + b" a\r\n" * 60_000, "headers are too long"),
    "pieces of a parameter": (
        b"Content-Type: text/plain;" + b"".join(b"\r\n x*%d*=utf-8''a;" % n for n in range(20_000)),
        "headers are too long",
    ),
}

SLOW = {
    "semicolons": b'Content-Type: text/plain; x="' + b";" * 4000,
    "semicolons in parts": PARTS + (b'--b\r\nContent-Type: image/png; x="' + b";" * 4000 + b"\r\n\r\nx\r\n") * 55,
    "results": b"Authentication-Results: mx.club.example;" + b" a=b ((" * 4000,
    "folding": b"X: a\r\n" + b" a\r\n" * 7500,
    "pieces of a parameter": b"Content-Type: text/plain;" + b"".join(b" x*%d*=utf-8''a;" % n for n in range(200)),
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 2200,
    "one encoded word": b"Subject: =?utf-8?b?" + b"QUFB" * 7000 + b"?=",
    "a list of addresses": b"From: " + b"a@b," * 7000,
    "comments": b"From: " + b"(" * 30_000,
    "quotation marks": b"From: " + b'"' * 30_001,
    "groups": b"From: " + b"a:;" * 10_000,
    "parts in parts": nested(15) + b"x\n" * 100_000,
    "letters in letters": b"Content-Type: message/rfc822\r\n\r\n" * 5000,
    "reports": b"Content-Type: message/delivery-status\r\n\r\n" + b"A: b\r\n\r\n" * 30_000,
    "a page": b"Content-Type: text/html\r\n\r\n" + b"<div><!--</a &#" * 15_000,
    "a strange alphabet": b"Content-Type: text/plain; charset=punycode\r\n\r\na-" + b"z" * 60_000,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_no_person_writes_is_counted_and_not_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.mail.incoming_mail.message_from_bytes", None)
    raw, why = TOO_MUCH[name]
    found = ParsedMail()
    found = reading.msgspec.msgpack.decode(reading.read_sync(HEAD + raw + b"\r\n\r\nbuy P1", OWN, ""), type=ParsedMail)
    assert found.ignored is not None and why in found.ignored


@pytest.mark.parametrize("name", SLOW)
async def test_what_is_within_the_bounds_is_read_within_the_limits(name: str) -> None:
    raw = (HEAD if b"From:" not in SLOW[name] else b"To: games@club.example\r\n") + SLOW[name] + b"\r\n\r\nbuy P1"
    found = await MailReader(OWN, "mx.club.example", IDLE).read(raw)
    assert found.ignored is None or "too long to be read" not in found.ignored
    assert found.seconds < reading.SECONDS


def test_all_that_is_bounded_is_looked_at_as_it_was() -> None:
    raw = HEAD + PARTS + b"--b\r\nContent-Type: image/png\r\n\r\nx\r\n--b\r\n\r\nbuy P1\r\n--b--\r\n"
    assert read_bounded_letter(raw)[0] == BREAK.sub(b"\n", raw) and read_letter(raw, OWN).lines == ("buy P1",)


@pytest.mark.parametrize(
    ("line", "sender"),
    [
        ("From: ann@home.example", ANN),
        ("from : Ann <ANN@home.example>", ANN),
        ('From: "bob@work.example"\r\n <ann@home.example>', ANN),
        ("Subject: From: bob@work.example\r\nFrom: ann@home.example", ANN),
        ("Subject: none", ""),
    ],
)
def test_whose_turn_it_is_is_seen_at_a_glance(line: str, sender: str) -> None:
    assert sender_of(f"To: {OWN}\r\n{line}\r\n\r\nhello".encode()) == sender


# -- in processes -----------------------------------------------------------------------------------------


def read_marked(raw: bytes, *rest: str) -> bytes:
    """As `read_sync`, but for letters that say what shall happen."""
    if b"sleep" in raw:
        time.sleep(60)
    if b"die" in raw:
        os._exit(1)
    with reading.time_limit(0.2):
        while b"work" in raw:
            pass
        hoard = [b"x" * 2**20 for _ in range(1000 if b"hoard" in raw else 0)]
        big = reading.read_sync(raw, *rest)
        return big + b"x" * (reading.LARGEST if b"much" in raw else len(hoard))


@pytest.mark.parametrize(
    ("text", "why"),
    few(
        [
            ("sleep", "too long to be read"),
            ("work", "too long to be read"),
            ("hoard", "too much memory"),
            ("die", "died"),
            ("much", "too much was read"),
        ],
        1,
        3,
    ),
)
async def test_a_letter_that_needs_more_than_any_may_is_left_alone(
    text: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.mail.reader.read_sync", read_marked)
    monkeypatch.setattr("bot.commands.mail.reader.LONGEST", 60.0 if text != "sleep" else 2.0)
    reader = MailReader(OWN, "")
    try:
        found = await reader.read(letter(text))
        assert found.ignored is not None and why in found.ignored and found.letter is None
        monkeypatch.setattr("bot.commands.mail.reader.LONGEST", 60.0)
        after = await reader.read(letter("buy P1"))
        assert after.letter is not None and after.letter.lines == ("buy P1",)
    finally:
        reader.close()


class Box:
    """A mailbox in memory, with letters by number; `broken` are such as its server does not hand out."""

    def __init__(self, *letters: bytes) -> None:
        self.letters = dict(enumerate(letters, 1))
        self.broken: set[int] = set()
        self.error: Exception = OSError("broken")
        self.marked: list[int] = []
        self.fetched: list[int] = []
        self.looks, self.headless = 0, False

    def list_unread(self) -> list[int]:
        """Those that were not marked."""
        return [number for number in self.letters if number not in self.marked]

    def heads(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Their headers."""
        self.looks += 1
        if self.headless:
            raise self.error
        return {number: self.letters[number].partition(b"\n\n")[0] for number in numbers}

    def read(self, number: int, most: int) -> bytes:
        """One of them."""
        self.fetched.append(number)
        if number in self.broken:
            raise self.error
        return self.letters[number]

    def mark(self, number: int) -> None:
        """It has been dealt with."""
        self.marked.append(number)


class Later:
    """The machine's steady clock, so many `seconds` later than it is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds, clock = 0.0, time.monotonic
        monkeypatch.setattr("time.monotonic", lambda: clock() + self.seconds)


def service_of(post: Post) -> MailService:
    """The service of that post office."""
    chosen = Settings.from_env({"SIGNALBOX_DATA": str(post.folder)})
    object.__setattr__(chosen, "mail", settings())
    service = MailService(post.tables, chosen, PaintsNothing(), RateLimiter(0))  # type: ignore[arg-type]
    service.office = post.office
    return service


async def take_all(service: MailService, box: Any) -> None:
    """Deal with everything that can be dealt with now."""
    mailbox: Mailbox = box
    await service.receive_all(mailbox)


class Held:
    """A reader that keeps letters which say so until they are let go."""

    def __init__(self, office: MailGateway, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.held, self._read = asyncio.Event(), 0, office.reader._read
        monkeypatch.setattr(office.reader, "_read", self.read)

    async def read(self, raw: bytes, is_fresh: bool) -> ParsedMail | None:
        """Read it when it is time."""
        if b"sleep" in raw:
            self.held += 1
            await self.go.wait()
        return await self._read(raw, is_fresh)


async def test_a_letter_that_is_being_read_delays_nobody_else(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.game()
    held = Held(post.office, monkeypatch)
    box = Box(letter("sleep", EVE), letter("hello", EVE), letter("hello", "cid@far.example"))
    taking = asyncio.create_task(take_all(service_of(post), box))
    while not box.marked:
        await asyncio.sleep(0.05)
    assert box.marked == [3] and held.held == 1
    box.letters[4] = letter("hello", BOB)
    while 4 not in box.marked:
        await asyncio.sleep(0.05)
    held.go.set()
    await taking
    assert box.marked == [3, 4, 1, 2], "whatever comes meanwhile is taken too"


async def test_who_answers_waits_for_no_flood_of_strangers(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.game()
    held = Held(post.office, monkeypatch)
    flood = [letter("sleep", f"eve{number}@evil{number}.example") for number in range(40)]
    forged = letter("sleep", BOB, with_token(OWN, ReplyToken(1, 1, "a" * 26)))
    box = Box(letter("sleep", ANN), forged, *flood, letter("status", ANN, post.reply_to(ANN)))
    taking = asyncio.create_task(take_all(service_of(post), box))
    while not box.marked:
        await asyncio.sleep(0.05)
    assert box.marked == [43] and held.held == READERS
    assert len(box.fetched) == MOST_IN_HAND + 1, "the others were not fetched"
    box.letters[44] = letter("status", BOB, post.reply_to(BOB))
    while 44 not in box.marked:
        await asyncio.sleep(0.05)
    held.go.set()
    await taking
    assert box.list_unread() == []


async def test_of_a_flood_of_one_sender_one_letter_is_fetched_at_a_time(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.mail.service.MOST_LOOKED_AT", 20)
    held = Held(post.office, monkeypatch)
    box = Box(*[letter("sleep", EVE) for number in range(50)], letter("hello", ANN))
    taking = asyncio.create_task(take_all(service_of(post), box))
    while not box.marked:
        await asyncio.sleep(0.05)
    assert box.marked == [51] and sorted(box.fetched) == [1, 51] and box.looks == 3
    held.go.set()
    await taking
    assert box.list_unread() == []


async def test_a_flood_of_many_addresses_of_one_mailbox_or_domain_leaves_room_for_others(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(post.office, monkeypatch)
    flood = [letter("sleep", f"eve+{number}@provider.example") for number in range(10)]
    flood += [letter("sleep", f"eve{number}@mail{number}.evil.co.uk") for number in range(10)]
    box = Box(*flood, letter("hello", "dora@provider.example"), letter("hello", "cid@far.co.uk"))
    taking = asyncio.create_task(take_all(service_of(post), box))
    while held.held < READERS:
        await asyncio.sleep(0.05)
    assert sorted(box.fetched) == [1, *range(11, 11 + MOST_OF_A_DOMAIN), 21, 22]
    held.go.set()
    await taking
    assert box.list_unread() == []


async def test_who_answers_from_another_address_waits_for_no_flood_of_strangers(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.come(ANN)
    await post.ask("also ann@else.example")
    held = Held(post.office, monkeypatch)
    flood = [letter("sleep", f"eve{number}@evil{number}.example") for number in range(40)]
    box = Box(*flood, letter("games", "ann@else.example", post.reply_to(ANN)))
    taking = asyncio.create_task(take_all(service_of(post), box))
    while held.held < READERS or not box.marked:
        await asyncio.sleep(0.05)
    assert box.marked == [41]
    held.go.set()
    await taking


async def test_letters_whose_headers_are_not_handed_out_are_read_by_themselves(post: Post) -> None:
    box, service = Box(letter("hello", EVE), letter("hello", ANN)), service_of(post)
    box.headless = True
    with pytest.raises(OSError, match="broken"):
        await take_all(service, box)
    await take_all(service, box)
    assert box.list_unread() == []


async def test_whose_letters_take_long_waits_and_nobody_else(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.mail.letters.limits.COSTLY", 0.0)
    clock = Later(monkeypatch)
    slow = [letter(f"hello {n}", f"eve+{n}@evil.example", f"any{n}@club.example") for n in range(MOST_COSTLY + 2)]
    box = Box(*slow, letter("hello", ANN))
    service = service_of(post)
    await take_all(service, box)
    assert box.list_unread() == [MOST_COSTLY + 1, MOST_COSTLY + 2]
    await take_all(service, box)
    assert len(box.list_unread()) == 2
    clock.seconds += SPAN + 1
    await take_all(service, box)
    assert box.list_unread() == []


async def test_who_answers_does_not_wait_for_slow_letters_in_their_name(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.game()
    monkeypatch.setattr("bot.commands.mail.letters.limits.COSTLY", 0.0)
    forged = [letter(f"hello {number}", ANN) for number in range(MOST_COSTLY + 1)]
    box = Box(*forged, letter("status", ANN, post.reply_to(ANN)))
    await take_all(service_of(post), box)
    assert box.list_unread() == [MOST_COSTLY + 1]


async def test_a_letter_that_cannot_be_dealt_with_holds_nobody_up_and_is_set_aside(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.game()
    clock, taken = Later(monkeypatch), post.office.receive

    async def take(raw: bytes, envelope: Envelope) -> str:
        if b"broken" in raw:
            raise StoreDamaged("a row")
        return await taken(raw, envelope)

    monkeypatch.setattr(post.office, "receive", take)
    box, service = Box(letter("broken", EVE), letter("status", ANN, post.reply_to(ANN))), service_of(post)
    for _ in range(TRIES):
        assert 1 not in box.marked
        await take_all(service, box)
        await take_all(service, box)
        assert 2 in box.marked
        clock.seconds += 20_000
    assert box.list_unread() == []
    (failure,) = await post.tables.failures.list_set_aside()
    assert failure.queue == "letter" and "StoreDamaged" in failure.error


@pytest.mark.parametrize(
    "error", few([OSError("broken"), AttributeError("broken: what IMAPClient makes of some answers")], 1)
)
async def test_a_letter_that_the_server_does_not_hand_out_holds_nobody_up(
    post: Post, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    await post.game()
    clock = Later(monkeypatch)
    box, service = Box(letter("hello", EVE), letter("status", ANN, post.reply_to(ANN))), service_of(post)
    box.broken, box.error = {1}, error
    for _ in range(TRIES):
        with pytest.raises(type(error), match="broken"):
            await take_all(service, box)
        await take_all(service, box)
        assert 2 in box.marked
        clock.seconds += 20_000
    assert box.list_unread() == [] and len(await post.tables.failures.list_set_aside()) == 1
    assert not re.search("@", str(await post.tables.failures.list_set_aside()))
