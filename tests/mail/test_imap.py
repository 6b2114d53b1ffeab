"""A mailbox whose server says more than it is asked, or never ends."""

from __future__ import annotations

import asyncio
import re
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
from imapclient.exceptions import IMAPClientAbortError

from bot.commands.mail.imap import MOST_LISTED, MOST_SAID, RANGE, UNREACHABLE, BoundedImapClient, Mailbox
from bot.commands.mail.letters.limits import MOST_READ
from bot.commands.mail.service import run_detached

Talk = Callable[[socket.socket, bytes], None]
"""What a server does when it is asked something, by its connection and the command's tag."""


@contextmanager
def mailbox(talk: Talk, hear: Callable[[bytes], None] = len) -> Iterator[Mailbox]:
    """A mailbox that is open at a server which hears every command and says this to it."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"* PREAUTH ready\r\n")
            for line in connection.makefile("rb"):
                if b"CAPABILITY" in line:
                    connection.sendall(b"* CAPABILITY IMAP4rev1 IDLE\r\n%b OK done\r\n" % line.split(b" ", 1)[0])
                else:
                    hear(line)
                    talk(connection, line.split(b" ", 1)[0])

    Thread(target=serve, daemon=True).start()
    client = BoundedImapClient("127.0.0.1", listening.getsockname()[1], ssl=False, timeout=10)
    client._imap.state = "SELECTED"
    try:
        yield Mailbox(client, 60, True)
    finally:
        with suppress(*UNREACHABLE):
            client.shutdown()
        listening.close()


def test_of_an_endless_letter_the_beginning_is_kept_and_the_next_is_read() -> None:
    size = 64 * 1024 * 1024

    def talk(connection: socket.socket, tag: bytes) -> None:
        connection.sendall(b"* 1 FETCH (UID 7 BODY[]<0> {%d}\r\nbuy P1\n" % size)
        for _ in range(size // 2**20):
            connection.sendall(b"x" * (2**20 - (7 if _ == 0 else 0)))
        connection.sendall(b")\r\n%b OK done\r\n" % tag)

    with mailbox(talk) as box:
        tracemalloc.start()
        try:
            found = box.read(7)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert found.startswith(b"buy P1\n") and len(found) == MOST_READ
        assert peak < 16 * 2**20
        assert box.read(7) == found, "the connection goes on"


def says(*pieces: bytes, is_endless: bool = False) -> Talk:
    def talk(connection: socket.socket, tag: bytes) -> None:
        for piece in pieces:
            connection.sendall(piece)
        while is_endless:
            connection.sendall(pieces[-1] * 1000)

    return talk


ENDLESS = {
    "lines": says(b"* 1 EXISTS\r\n", is_endless=True),
    "letters": says(b"* 1 FETCH (UID 8 BODY[] {200000}\r\n" + b"x" * 200_000 + b")\r\n", is_endless=True),
    "a length that no letter has": says(b"* 1 FETCH (UID 7 BODY[]<0> {99999999999}\r\n"),
    "digits": says(b"* 1 FETCH (UID 7 BODY[]<0> {" + b"9" * 5000 + b"}\r\n"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_server_that_says_too_much_is_left(name: str) -> None:
    with mailbox(ENDLESS[name]) as box, pytest.raises(IMAPClientAbortError, match="says too much"):
        box.read(7)


def test_what_a_server_says_is_counted_anew_for_each_question() -> None:
    line = b"* OK " + b"x" * 10_000 + b"\r\n"

    def talk(connection: socket.socket, tag: bytes) -> None:
        connection.sendall(line * (MOST_SAID // len(line) // 2) + b"* SEARCH 3 1\r\n%b OK done\r\n" % tag)

    with mailbox(talk) as box:
        assert [box.list_unread() for _ in range(4)] == [[1, 3]] * 4


def test_waiting_ends_where_a_server_tells_without_end() -> None:
    with mailbox(says(b"+ idling\r\n", b"* 1 RECENT_NOT\r\n", is_endless=True)) as box, pytest.raises(UNREACHABLE):
        box.wait(lambda: False)


async def test_what_a_mailbox_does_not_do_in_time_is_given_up() -> None:
    with pytest.raises(TimeoutError):
        await run_detached(time.sleep, 5, seconds=0.05)
    assert await run_detached(lambda: 3) == 3
    await asyncio.sleep(0)


def test_a_list_of_unread_letters_that_is_longer_than_a_line_may_be_is_asked_for_in_ranges() -> None:
    asked: list[bytes] = []
    unread = range(10**9, 10**9 + 150_000)

    def talk(connection: socket.socket, tag: bytes) -> None:
        found = re.search(rb"UID (\d+):(\d+|\*) UNSEEN", asked[-1])
        assert found is not None
        end = unread.stop if found[2] == b"*" else int(found[2]) + 1
        numbers = range(max(int(found[1]), unread.start), min(end, unread.stop))
        connection.sendall(b"* SEARCH %b\r\n%b OK done\r\n" % (b" ".join(b"%d" % one for one in numbers), tag))

    with mailbox(talk, asked.append) as box:
        box.first, box.next_uid = unread.start - 2 * RANGE, unread.stop
        assert box.list_unread() == [*unread[:MOST_LISTED]] and len(asked) == 4
        assert box.list_unread() == [*unread[:MOST_LISTED]] and len(asked) == 6, (
            "below them nothing is looked for again"
        )
        unread = range(unread.stop, unread.stop + 3)
        assert box.list_unread() == [*unread] and box.list_unread() == [*unread]
        assert asked[-1].endswith(b":* UNSEEN\r\n")


def test_what_the_server_says_of_headers_is_taken_as_it_comes() -> None:
    said = b"* 1 FETCH (UID 7 BODY[HEADER.FIELDS (FROM TO)]<0> {10}\r\nFrom: a@b\n)\r\n* 2 FETCH (UID 8 BODY[] 5)\r\n"

    def talk(connection: socket.socket, tag: bytes) -> None:
        connection.sendall(b"%b%b OK done\r\n" % (said, tag))

    with mailbox(talk) as box:
        assert box.heads([7, 8, 9]) == {7: b"From: a@b\n", 8: b""}
