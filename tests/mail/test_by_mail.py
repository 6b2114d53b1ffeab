"""A game by nothing but letters: opened, joined, played, looked at."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bot.commands.mail.compose import MailDraft, Section, to_mime
from bot.commands.mail.handler import MailAnswer
from bot.commands.mail.signatures import ReplyToken
from bot.engine import GameId, PersonId
from bot.engine.notation.text import verb_words
from bot.engine.play import Game
from bot.engine.refusals import IllegalMove
from bot.service.parser.vocabulary import ALIASES
from bot.service.registry.command import Door
from bot.service.registry.command_line import find_line
from bot.service.sessions.budgets import PRESETS
from bot.titles.registry import TITLES
from tests.families import few
from tests.mail.conftest import ANN, BOB, CID, OWN, Outbox, Post, letter, office_of, page, words


async def version(post: Post, game_id: int) -> int:
    """How many records the game has."""
    return (await post.tables.desk.table(game_id)).record.version


async def test_everybody_reads_that_the_game_begins_and_only_who_is_asked_what_he_can_do(post: Post) -> None:
    await post.game()
    for who in (ANN, BOB, CID):
        assert "1848 Australia begins." in post.last(who) and "You have £840" in post.last(who)
    assert "    buy P1 for 30  — Melbourne & Hobson's Bay" in post.last(ANN)
    assert "buy P1 for 30" not in post.last(BOB)
    mail = post.outbox.mails[-1]
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert [part["Content-ID"][1:-1] in page(mail) for part in pictures] == [True, True]
    assert 'alt="The map in words."' in page(mail) and "The market in words." in words(mail)


async def test_a_mail_says_how_much_time_is_left(post: Post) -> None:
    game = await post.game()
    assert "sets the clock. Clock daily" in await post.ask("game clock daily")
    await post.ask("buy P1")
    asked = post.last(BOB)
    assert "You have 5 d of waking time left." in asked
    assert "At zero a computer player moves for you until you return." in asked
    assert "Time: Ann 5 d · Bob 5 d · Cid 5 d" in asked
    assert "you begin with 5 d" in await post.ask("clock", BOB)
    assert (await post.tables.desk.table(game)).record.clock == PRESETS["daily"]


async def test_a_move_is_answered_and_the_next_player_is_asked_by_one_mail(post: Post) -> None:
    game = await post.game()
    told = await post.ask("buy P1\n\nOn Monday Signalbox <games@club.example> wrote:\n> buy P2\n")
    assert "Ann buys P1 Melbourne & Hobson's Bay Railway Company for £30." in told
    assert await version(post, game) == 1
    mails = [mail for mail in post.outbox.mails if mail["To"] == BOB]
    assert "- Ann buys P1" in words(mails[-1]) and "    buy P2 for 70" in words(mails[-1])
    assert await post.post() == [], "one mail a turn"


async def test_the_pictures_of_a_position_are_painted_once_for_everybody(post: Post) -> None:
    await post.game()
    studio = post.office.sender.writer.studio
    before = studio.painted  # type: ignore[attr-defined]
    await post.write("buy P1")
    assert len(await post.post()) == 2
    await post.ask("status", CID)
    assert studio.painted == before + 2  # type: ignore[attr-defined]


async def test_several_moves_are_made_all_or_none(post: Post) -> None:
    game = await post.game()
    refused = await post.ask("reduce P1; reduce P1\nbuy P1")
    assert "Nothing was done." in refused and await version(post, game) == 0
    assert "Nothing was done." in await post.ask("reduce P1\nbuy P9") and await version(post, game) == 0
    assert "Ann lowers" in await post.ask("reduce P1") or await version(post, game) == 1


async def test_a_refusal_names_the_reason_and_what_would_be_legal(post: Post) -> None:
    await post.game()
    refused = await post.ask("buy P9")
    assert "Nothing was done." in refused and "buy P1 for 30" in refused
    assert "Ann's move" in await post.ask("buy P2", BOB) or "Ann: buy a private" in post.last(BOB)


async def test_looks_are_answered_and_change_nothing(post: Post) -> None:
    game = await post.game()
    for command, expected in (
        ("status", "Bank £7480"),
        ("map", "H11"),
        ("market", "100"),
        ("private P1", "income £5"),
        ("log", "1848 Australia begins."),
        ("games", "1: 1848 (Ann, Bob, Cid), running. Your turn. Ann: buy a private"),
        ("try buy P1", "Then: Bob: buy a private"),
        ("help", "Several moves at once"),
        ("board", "https://board.club.example/b/"),
        ("auto", "You have no plans here."),
        ("karte", "H11"),
    ):
        assert expected in await post.ask(command), command
    assert await version(post, game) == 0


async def test_moves_and_looks_go_together_but_not_two_changes(post: Post) -> None:
    game = await post.game()
    told = await post.ask("buy P1\nprivate P2")
    assert "Ann buys P1" in told and "Oodnadatta Railway" in told
    told = await post.ask("undo\nsnooze 5")
    assert "One mail may hold moves, or one command" in told and await version(post, game) == 1
    assert "takes back" in await post.ask("undo") and await version(post, game) == 2


async def test_those_who_have_moved_since_are_asked_about_an_undo(post: Post) -> None:
    game = await post.game()
    assert "There is nothing to take back." in await post.ask("vote undo")
    await post.write("buy P1")
    await post.post()
    await post.write("buy P2", BOB)
    await post.post()
    assert "Waiting for Bob." in await post.ask("vote undo")
    await post.ask("vote yes", BOB)
    assert await version(post, game) == 3


async def test_standing_orders_snoozes_votes_and_habits(post: Post) -> None:
    game = await post.game()
    assert "1. " in await post.ask("auto bid P4 up to 200", BOB)
    assert "1 dropped." in await post.ask("auto drop", BOB)
    assert "no reminders for this game before 2026" in await post.ask("snooze 5")
    assert "hours is a number from 1 to 336. For example: snooze 24." in await post.ask("snooze forever")
    assert "from 22:00 to 8:00 (Europe/Berlin)" in await post.ask("quiet Europe/Berlin 22 8")
    assert "There is no time zone Moon" in await post.ask("quiet Moon 22 8")
    assert "There is no open vote." in await post.ask("vote yes")
    ann = (await post.tables.mail.people_at(ANN))[0].person
    await post.tables.votes.start_poll(game, ann, "end")
    mails = {mail["To"]: words(mail) for mail in await post.post()}
    assert set(mails) == {BOB, CID} and "Answer with: vote yes" in mails[BOB]
    await post.ask("vote yes", BOB)
    assert await post.write("vote yes", CID) == "answered"
    ended = {mail["To"]: words(mail) for mail in await post.post()}
    assert set(ended) == {ANN, BOB, CID} and all("The game is over." in text for text in ended.values())
    assert "final report" in ended[ANN] or "current standings" in ended[ANN]


async def test_everybody_is_written_to_in_his_language(post: Post) -> None:
    await post.game()
    assert "auf Deutsch" in await post.ask("language de", BOB)
    await post.write("buy P1")
    await post.post()
    assert "Ann kauft P1" in post.last(BOB) and "Antworte mit" in post.last(BOB)
    assert "language can be en, de" in await post.ask("language xx")
    assert "nicht" in await post.ask("buy P9", BOB)


async def test_what_one_is_sent_is_chosen(post: Post) -> None:
    await post.game()
    assert "you get reminders by mail, not here" in await post.ask("reminders", BOB)
    assert "only get answers" in await post.ask("stop", CID)
    await post.write("buy P1")
    assert [mail["To"] for mail in await post.post()] == [ANN]
    post.clock.advance(hours=25)
    await post.tables.reminders.sweep()
    mails = await post.post()
    assert [mail["To"] for mail in mails] == [BOB] and "been waiting for you for 25 hours" in words(mails[0])
    await post.ask("turns", CID)
    await post.write("buy P2", BOB)
    assert {mail["To"] for mail in await post.post()} == {BOB, CID}


async def test_an_empty_letter_with_the_subject_stop_ends_mails(post: Post) -> None:
    await post.game()
    unsubscribe = str(post.outbox.mails[-1]["List-Unsubscribe"])
    who = str(post.outbox.mails[-1]["To"])
    to = unsubscribe.removeprefix("<mailto:").partition("?")[0]
    assert "only get answers" in await post.ask("", who, to, Subject="stop")


async def test_a_digest_comes_once_a_day_and_names_where_to_answer(post: Post) -> None:
    await post.game()
    await post.ask("new 1848 Bob", BOB)
    await post.ask("digest", BOB)
    await post.write("buy P1")
    mails = {mail["To"]: words(mail) for mail in await post.post()}
    assert "Games waiting for you: 1" in mails[BOB] and "Bob: buy a private" in mails[BOB] and own_link(mails[BOB])
    await post.write("buy P2", BOB, to_in(post, mails[BOB]))
    await post.post()
    assert "Bob buys P2" in post.last(BOB)
    await post.write("buy P3", CID)
    await post.post()
    await post.write("buy P4", ANN)
    assert BOB not in {mail["To"] for mail in await post.post()}
    post.clock.advance(hours=25)
    assert [mail["To"] for mail in await post.post()] == [BOB]


async def test_a_digest_ends_with_the_news_of_what_somebody_follows(post: Post) -> None:
    await post.ask("new 1848 Bob", BOB)
    await post.ask("digest", BOB)
    (bob,) = await post.tables.mail.people_at(BOB)
    game = await post.tables.lobby.create("1848", "mail:x", [(PersonId(f"mail:{name}"), name) for name in "xyz"], {}, 1)
    await post.tables.lobby.choose_watching(game, "mail:x", True)
    await post.tables.lobby.start(game, "mail:x", "list")
    assert "You follow game" in await post.ask(f"follow game {game}", BOB)
    await post.tables.moves.submit(game, "mail:x", "buy P1")
    post.clock.advance(hours=25)
    assert await post.tables.followers.sweep() == 1
    (mail,) = await post.post()
    assert mail["To"] == BOB and mail["Subject"] == "News of what you follow"
    assert "1848 Australia: 1 entry in the log since then" in words(mail)
    assert (await post.tables.mail.person(bob.person)).written_at is not None, "it is the digest of the day"


def to_in(post: Post, text: str) -> str:
    """The address that a digest names."""
    return next(word.strip(".,") for word in text.split() if word.startswith("games+"))


async def test_in_quiet_hours_only_answers_are_sent(post: Post) -> None:
    await post.game()
    await post.ask("quiet UTC 11 14", BOB)
    await post.write("buy P1")
    assert [mail["To"] for mail in await post.post()] == [ANN]
    assert "Bank" in await post.ask("status", BOB)
    post.clock.advance(hours=3)
    assert await post.post() == [], "his turn was told with the answer"


def own_link(text: str) -> str:
    """The token of the link to play that a mail holds."""
    found = re.search(r"https://board\.club\.example/enter#(\S+)", text)
    return found[1] if found else ""


async def test_whoever_is_asked_is_sent_the_link_to_his_own_board_the_same_in_every_mail(post: Post) -> None:
    game, links = await post.game(), post.tables.links
    token = own_link(post.last(ANN))
    assert len(token) == 24 and own_link(post.last(BOB)) == ""
    record, _ = await links.open_link(token)
    assert (record.person, record.game, record.is_personal) == (await person_of(post, ANN), game, True)
    asking = [mail for mail in post.outbox.mails if mail["To"] == ANN][-1]
    assert f'<a href="https://board.club.example/enter#{token}"' in page(asking)
    elsewhere = await links.make(game, record.person, "play")
    assert own_link(await post.ask("status")) == token and (await links.open_link(elsewhere))[0].is_personal
    await post.write("buy P1")
    await post.post()
    assert own_link(post.last(BOB)) not in ("", token) and own_link(post.last(ANN)) == ""


async def test_a_link_in_mails_ends_when_it_is_withdrawn_or_too_old_and_the_next_mail_has_another(post: Post) -> None:
    await post.game()
    token = own_link(post.last(ANN))
    post.clock.advance(seconds=1)
    assert "Links withdrawn: 1." in await post.ask("board withdraw")
    second = own_link(await post.ask("status"))
    assert second not in ("", token)
    with pytest.raises(IllegalMove, match="no longer valid"):
        await post.tables.links.open_link(token)
    post.clock.advance(days=60)
    assert own_link(await post.ask("status")) == second
    post.clock.advance(days=2)
    third = own_link(await post.ask("status"))
    assert third not in ("", second) and (await post.tables.links.open_link(third))[0].is_personal


async def test_mails_lead_on_without_saying_things_twice(post: Post) -> None:
    game = await post.game()
    asking = [mail for mail in post.outbox.mails if mail["To"] == ANN][-1]
    assert "Reply with your move" in words(asking) and words(asking).count("Ann: buy a private or lower a price.") == 1
    welcome = words(next(mail for mail in post.outbox.mails if mail["To"] == ANN))
    assert "To open a game" in welcome and "-- " not in welcome, "who is new is told how to begin, and nothing else"
    await post.ask("digest", BOB)
    await post.write("buy P1")
    digest = next(mail for mail in await post.post() if mail["To"] == BOB)
    assert f'<a href="mailto:{to_in(post, words(digest))}"' in page(digest) and "waited" not in words(digest)
    await post.tables.moderation.set_status(game, await person_of(post, ANN), "finished", "enough")
    ended = next(mail for mail in await post.post() if mail["To"] == CID)
    assert words(ended).count("The game is over.") == 1
    told = await post.ask("new 1848 Ann")
    assert "Game 2: 1848 Australia, 3 to 6 players." in told and "Reply with your move" not in told
    found = re.search(r'<a href="([^"]*)[^>]*>([^<]*)<', page(post.outbox.mails[-1]))
    assert found is not None and found[2] == OWN
    assert found[1].startswith(f"mailto:{OWN}?subject=Signalbox&amp;body=join%20")


async def test_what_comes_of_a_letter_is_one_mail_with_its_answer(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    for who in (ANN, BOB, CID):
        await post.come(who)
    found = re.search(r"join \d+ \S+", await post.ask("new 1848 Ann"))
    assert found is not None
    for who, name in ((BOB, "Bob"), (CID, "Cid")):
        await post.ask(f"{found[0]} {name}", who)
    await post.post()
    obey, meanwhile = post.office.handler.handle, []

    async def interrupted(*rest: Any) -> MailAnswer:
        answer = await obey(*rest)
        meanwhile.extend(mail["To"] for mail in await post.post())
        return answer

    monkeypatch.setattr(post.office.handler, "handle", interrupted)
    told = await post.ask("start list")
    assert "Game 1 has begun." in told and "buy P1 for 30" in told and sorted(meanwhile) == [BOB, CID]


async def test_the_line_that_says_how_many_other_moves_there_are_is_no_move(post: Post) -> None:
    token = ReplyToken(1, 0, "a" * 26)
    draft = MailDraft("key", "s", "t", [Section("h", ("pass", "... and 2 more like these"), "moves")], token, token)
    mail = to_mime(draft, OWN, ANN, post.clock())
    assert "    pass\n... and 2 more" in words(mail) and ">pass</code>" in page(mail)
    assert "... and 2 more like these</span>" in page(mail)


async def test_a_reminder_that_nobody_waits_for_any_more_is_not_sent(post: Post) -> None:
    await post.game()
    post.clock.advance(hours=25)
    await post.tables.reminders.sweep()
    ann = (await post.tables.mail.people_at(ANN))[0].person
    await post.tables.moves.submit(1, ann, "buy P1")
    assert [mail["To"] for mail in await post.post()] == [BOB]


async def test_everything_that_is_kept_is_shown_and_can_be_forgotten(post: Post) -> None:
    game = await post.game()
    await post.write("privacy", BOB)
    (mail,) = await post.post()
    (attached,) = mail.iter_attachments()
    data, bob = json.loads(attached.get_content()), await person_of(post, BOB)
    assert data["people"][0]["address"] == BOB and data["mails"] and data["seats"]
    await post.write("forget me", BOB)
    await post.post()
    held = [seat.person for seat in (await post.tables.desk.table(game)).seats]
    assert held[1] == ""
    assert not await post.tables.mail.people_at(BOB) and await post.tables.mail.people_at(ANN)
    await post.tables.desk.store.close()
    file = post.folder / "signalbox.db"
    # A server has no file here.
    raw = file.read_bytes() if file.exists() else ANN.encode()
    assert BOB.encode() not in raw and bob.encode() not in raw and ANN.encode() in raw


async def test_no_command_is_the_beginning_of_a_move() -> None:
    for title in TITLES.values():
        verbs = {*verb_words(title), *ALIASES}
        game = Game.new(title, [f"P{n}" for n in range(title.players.start)], {}, 1)
        assert {verb for verb in verbs if find_line(f"{verb} X Y", Door.MAIL, game, is_lobby=False)} <= {"auto"}, (
            title.name
        )
    line = find_line("/Map: around H9", Door.MAIL)
    assert line is not None and (line.command.name, line.rest) == ("map", "around H9")
    assert not find_line("start VR 90", Door.MAIL, is_lobby=False) and find_line("start", Door.MAIL)
    assert not find_line("join LNWR", Door.MAIL, is_lobby=False)
    assert find_line("join 3 abcdefghijklmnopqr Ann", Door.MAIL, is_lobby=False)


async def test_what_somebody_says_is_written_to_all_others(post: Post) -> None:
    game = await post.game()
    assert await post.write("say See you  tomorrow") == "answered"
    mails = {mail["To"]: words(mail) for mail in await post.post()}
    assert set(mails) == {ANN, BOB, CID}
    assert all(text.count("Ann: See you tomorrow") == 1 for text in mails.values())
    assert "Ann: See you tomorrow" in await post.ask("talk", BOB)
    await post.tables.talk.say(GameId(game), await person_of(post, BOB), "Good luck")
    assert {mail["To"] for mail in await post.post()} == {ANN, CID}, "who said it knows it"


# -- exactly once -----------------------------------------------------------------------------------------


async def test_a_letter_that_comes_twice_is_obeyed_once(post: Post) -> None:
    game = await post.game()
    raw = letter("buy P1", ANN, post.reply_to(ANN), Message_ID="<a@b>")
    assert [await post.office.receive(raw), await post.office.receive(raw)] == ["answered", "known"]
    opening = letter("new 1848 Ann", ANN, post.reply_to(ANN), Message_ID="<c@d>")
    assert [await post.office.receive(opening), await post.office.receive(opening)] == ["answered", "known"]
    assert (await version(post, game), len(await post.tables.queries.games_of(await person_of(post, ANN)))) == (1, 2)


async def person_of(post: Post, address: str) -> str:
    """Whose address that is."""
    return (await post.tables.mail.people_at(address))[0].person


@pytest.mark.parametrize("text", few(["buy P1", "undo", "new 1848 Anna", "auto bid P4 up to 200", "say Hello"], 0, 2))
async def test_a_crash_after_the_move_makes_no_second_one(
    post: Post, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await post.game()
    if text == "undo":
        await post.ask("buy P1")
    raw = letter(text, ANN, post.reply_to(ANN), Message_ID="<a@b>")

    async def killed(*rest: object) -> None:
        raise KeyError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(post.tables.mail, "queue_answer", killed)
        with pytest.raises(KeyError):
            await post.office.receive(raw)
    before = await everything_done(post, game)
    assert await post.office.receive(raw) == "answered"
    assert await everything_done(post, game) == before
    await post.post()
    told = post.last(ANN)
    assert "Nothing was done." not in told


async def everything_done(post: Post, game_id: int) -> tuple[int, int, int, int]:
    """How many records, games, orders and messages there are."""
    ann = await person_of(post, ANN)
    return (
        await version(post, game_id),
        len(await post.tables.queries.games_of(ann)),
        len(await post.tables.plans.own_plans(game_id, ann)),
        len(await post.tables.talk.latest(GameId(game_id), ann, 9)),
    )


async def test_a_mail_that_is_sent_again_after_a_crash_is_the_same_mail(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.game()
    await post.write("buy P1")

    async def killed(*rest: object) -> None:
        raise KeyError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(post.tables.mail, "mark_sent", killed)
        with pytest.raises(KeyError):
            await post.post()
    first = post.outbox.mails[-1]
    again = Outbox()
    later = office_of(post.tables.desk.store, post.clock, post.folder, again)
    await later.sender.flush()
    assert first["Message-ID"] in {mail["Message-ID"] for mail in again.mails}
    assert len({mail["Message-ID"] for mail in again.mails}) == 2


async def test_a_turn_is_noted_with_the_move_in_one_transaction(post: Post) -> None:
    await post.game()
    await post.write("buy P1")
    waiting = await post.tables.mail.waiting_mails()
    assert [(mail.kind, mail.seat) for mail in waiting] == [("answer", None), ("turn", 2)]
    assert waiting[1].notice is not None


async def test_two_persons_of_one_address_are_not_mixed_up(post: Post) -> None:
    await post.come(ANN)
    await post.ask("games")
    assert await post.tables.mail.request_confirmation(ANN, "discord:7") is not None
    (mail,) = await post.post()
    told = await post.ask("yes", ANN, str(mail["Reply-To"]))
    assert "Someone already uses this address." in told
    assert OWN not in [person.address for person in await post.tables.mail.readers()]


async def test_a_turns_mail_ends_with_plans_to_send_back(post: Post) -> None:
    game = await post.game()
    for number, text in enumerate(("buy P1", "buy P2", "buy P3", "buy P4", "buy P5", "buy P6")):
        await post.write(text, (ANN, BOB, CID)[number % 3])
        await post.post()
    await post.write("par VR 90", ANN)
    await post.post()
    told = post.last(BOB)
    line = next((one.strip() for one in told.splitlines() if one.strip().startswith("plan pass until start")), told)
    assert "Pass until somebody starts a company or sells what I hold:" in told
    assert sum(one.strip().startswith("plan ") for one in told.splitlines()) == 2
    assert await post.write(line, BOB) == "answered"
    moves = [move.text for move in await post.tables.queries.branch_moves(game)]
    assert moves[-1] == "@2 pass", "it was given, and passes at once"
