"""Whoever is erased is in no file any more: not in the database, its log, copies made afterwards, pictures, or lines of the log."""

from __future__ import annotations

import io
import re
import sqlite3
import zlib
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from bot.commands.mail.smtp import PermanentFailure
from bot.engine import NO_GAME
from bot.ops.backups import Backups
from bot.ops.logs import set_up
from bot.service.features.mail import MOST_EXPLAINED
from bot.service.sessions.rights import Actor
from bot.store import Audience, MailKind, MailRecord, Place, Server, remove_pictures, write_file
from tests.mail.conftest import ANN, CID, OWN, PIXEL, Post
from tests.service.test_privacy import everything

NAME, ADDRESS, ALIAS = "Zacharias", "zach.arias@work.example", "Zach"
GUEST, DORA = "discord:987654321987654321", "discord:444444444444444444"
PACKED = re.compile(rb"\x78\x01")


def traces(folder: Path, words: list[str]) -> list[str]:
    """Where these words stand: in files as they are, and in whatever of them is compressed."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        raw = path.read_bytes()
        texts = [raw]
        for begin in PACKED.finditer(raw):
            try:
                texts.append(zlib.decompressobj().decompress(raw[begin.start() :]))
            except zlib.error:
                continue
        found += [f"{path.name}: {word}" for word in words if any(word.encode() in text for text in texts)]
    return found


async def busy(post: Post) -> tuple[int, str]:
    """A game that Zacharias has joined by mail and played, in which he was sat in for, sat in, was asked about and moderated,
    with notes, links, orders, mails that failed; returns it and his id."""
    tables = post.tables
    for who in (ANN, ADDRESS, CID):
        await post.come(who)
    found = re.search(r"join (\d+) (\S+) NAME", await post.ask("new 1848 Ann"))
    assert found is not None
    game = int(found[1])
    await post.write(f"join {game} {found[2]} {NAME}", ADDRESS)
    await post.write("leave", ADDRESS)
    await post.write(f"join {game} {found[2]} {NAME}", ADDRESS)
    await post.write(f"join {game} {found[2]} Cid", CID)
    await post.post()
    ann, zach, cid = [(await tables.mail.people_at(who))[0].person for who in (ANN, ADDRESS, CID)]
    assert await post.write("start list") == "answered"
    await post.post()
    await tables.moves.submit(game, ann, "buy P1")
    assert await post.write("buy P2", ADDRESS) == "answered"
    await post.post()
    for act in ("auto bid P4 up to 90", "quiet 22 8 Europe/Berlin", "away 3", "privacy"):
        await post.write(act, ADDRESS)
    post.outbox.refuses.append(PermanentFailure(f"550 no such user {ADDRESS}"))
    await post.post()
    await tables.links.save_notes(game, zach, f"{NAME} wants P4")
    for kind in ("look", "play"):
        await tables.links.make(game, Actor(zach, is_there=True), kind)
    await tables.moderation.set_sitter(game, zach, 2, DORA, "Dora", 5)
    await tables.moderation.set_sitter(game, cid, 3, zach, NAME, 5)
    await tables.moderation.transfer_moderation(game, ann, zach)
    await tables.moderation.set_status(game, zach, "paused")
    await tables.moderation.set_status(game, zach, "running")
    await tables.failures.note("mail", 7, "550 not taken", game)
    write_file(post.folder / "pictures" / f"game-{game}-market.png", PIXEL + NAME.encode())
    # Somebody has typed the same address at another door, and nobody has answered from it.
    await tables.mail.request_confirmation(ADDRESS, GUEST)
    return game, zach


def leave_remnants(path: Path) -> None:
    """What was deleted before, where SQLite does not overwrite it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        rows = [(number, f"discord:{number}", NAME * 50) for number in range(1, 40)]
        with connection:
            connection.executemany("INSERT INTO notes (game, person, text) VALUES (?, ?, ?)", rows)
        with connection:
            connection.execute("DELETE FROM notes WHERE text LIKE ?", [f"{NAME}{NAME}%"])
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


async def test_answers_about_no_game_that_wait_for_others_lose_the_name(post: Post, place: Path | Server) -> None:
    game = await post.game()
    ann, cid = [(await post.tables.mail.people_at(who))[0].person for who in (ANN, CID)]
    await post.tables.followers.choose_audience(cid, Audience.EVERYBODY)
    await post.tables.followers.follow_person(ann, cid, "Zacchaeus")
    season = await post.tables.seasons.open(
        *(DORA, Place(NO_GAME, "1", "10"), "1848", "Spring"), size=4, rounds=3, days=7, pace_hours=24.0, by_level=False
    )
    await post.tables.seasons.enter(season.id, cid, "Zachary", "1")
    await post.write("games", ANN, OWN, Authentication_Results="mx.club.example; dmarc=pass header.from=home.example")
    for number, text in enumerate(("In it: Zachary", "1. Zacchaeus", "Accidents: none")):
        mail = MailRecord(f"answer {number}", ann, MailKind.ANSWER, 1.0, lines=[text])
        await post.tables.desk.store.mail.add(mail)
    names = ("Cid", "Zachary", "Zacchaeus")
    assert all(name in everything(place) for name in names)
    await post.tables.privacy.forget_person(cid)
    left = everything(place)
    assert not [name for name in names if name in left]
    assert left.count("A message was deleted.") == 3 and "Accidents: none" in left, "a part of a word is no name"
    assert (await post.tables.doctor.examine(game)).is_healthy


async def test_an_answer_that_is_composed_during_an_erasure_is_not_kept(post: Post, place: Path | Server) -> None:
    await post.game()
    store = post.tables.desk.store.mail
    ann, cid = [(await post.tables.mail.people_at(who))[0].person for who in (ANN, CID)]
    begun = [MailRecord(f"letter {number}", ann, MailKind.LETTER, 1.0) for number in range(3)]
    for letter in begun:
        assert not (await store.begin_letter(letter)).id
    await store.save_letter(replace(begun[0], kind=MailKind.ANSWER, lines=["sent before"], sent_at=1.0))
    await post.tables.privacy.forget_person(cid)
    await store.save_letter(replace(begun[1], kind=MailKind.ANSWER, lines=["Cid, 3 games"], attached=["chart Cid"]))
    assert (await store.begin_letter(begun[2])).id, "after the end of the process it is obeyed once more"
    await store.save_letter(replace(begun[2], kind=MailKind.ANSWER, lines=["nobody's name"]))
    left = everything(place)
    assert "Cid" not in left and left.count("A message was deleted.") == 1
    assert "sent before" in left and "nobody's name" in left


async def test_an_answer_that_is_not_sent_is_not_kept(post: Post, place: Path | Server) -> None:
    await post.game()
    for _ in range(MOST_EXPLAINED + 1):
        await post.write("buy the moon, says Zacharias")
        await post.post()
    assert "the moon" not in everything(place)


async def test_nothing_of_an_erased_person_is_in_any_file(post: Post, place: Path | Server) -> None:
    (post.folder / "pictures").mkdir()
    log = io.StringIO()
    set_up("json", ["a password"], stream=log)
    game, zach = await busy(post)
    backups = Backups(place, post.folder / "backups")
    words = [NAME, ADDRESS, zach]
    if isinstance(place, Path):
        leave_remnants(place)
        stands = {line.split(":")[0] for line in traces(post.folder, words)}
        assert stands >= {"signalbox.db", "signalbox.db-wal", f"game-{game}-market.png"}
    post.tables.privacy.at_erasing.append(partial(remove_pictures, post.folder))
    await post.tables.privacy.forget_person(zach)
    if isinstance(place, Path):
        await backups.make(post.clock.time, is_proved=False)
    write_file(post.folder / "signalbox.log", log.getvalue().encode())
    assert not traces(post.folder, words)
    left = everything(place)
    assert not [word for word in words if word in left]
    assert (await post.tables.doctor.examine(game)).is_healthy
