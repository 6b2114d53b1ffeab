"""How SQLite finds what it is asked for: no statement that is made often goes through a whole table."""

from __future__ import annotations

import inspect
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.engine.message import msg
from bot.store import (
    AnswerRecord,
    ClockRecord,
    Commit,
    GameRecord,
    LinkRecord,
    MailRecord,
    MoveRecord,
    NoteRecord,
    Notice,
    OrderRecord,
    PersonRecord,
    Place,
    PostRecord,
    QuestionRecord,
    SandboxRecord,
    SeatRecord,
    Store,
    TalkRecord,
)
from bot.store.database import Database
from bot.store.privacy import PrivacyRepository
from bot.store.raw_rows import RawRows
from bot.store.schema import metadata
from tests.blank_database import write_blank
from tests.store.statements import spelt_for_a_file

SELDOM = {
    "shift_clocks": "when the machine's clock has been set",
    "failures": "all are wanted, and few rows fail",
    "count_set_aside": "all are wanted, and few rows fail",
    "forget_old_failures": "few rows fail",
}
"""What may go through a table, and why."""

GAME = GameRecord(0, "1848", {}, 7, "lobby", "p", 24.0, 0, 1.0, 1.0)
CLOCK = ClockRecord(1, 1, 1.0, 1.0)
NOTICE = Notice(1, 0, "turn", [], 1.0, 1)
LINK = LinkRecord("0" * 64, 1, "p", "look", 1.0, 2.0)
MAIL = MailRecord("key", "p", "told", 1.0, 1)
ORDER = OrderRecord(1, 1, {}, 1.0, 0, None, msg("no"), 1)
POST = PostRecord(1, "card", "5", "6", "n", 1.0, 0)
CHANGE = Commit(
    1,
    9,
    [MoveRecord(1, 10, 9, "move", "p", "pass", [], 1.0)],
    b"{}",
    1.0,
    status="running",
    clocks=[CLOCK],
    seats=[SeatRecord(1, 1, "p", "Ann")],
    notices=[NOTICE],
    ended=[ORDER],
    rules=2,
    place=Place(1, "1", "2", "3"),
)

ASKED: dict[str, Callable[[Store], Awaitable[object]]] = {
    "add_game": lambda store: store.add_game(GAME, [SeatRecord(0, 1, "p", "Ann")], Place(0, "1", "2"), [NOTICE]),
    "set_game": lambda store: store.set_game(1, version=9),
    "commit": lambda store: store.commit(CHANGE),
    "add_played_game": lambda store: store.add_played_game(GAME, [], Commit(0, 0, [], b"{}", 1.0)),
    "game": lambda store: store.game(1),
    "game_and_seats": lambda store: store.game_and_seats(1),
    "games_and_seats": lambda store: store.games_and_seats([1, 2]),
    "games": lambda store: store.games("running"),
    "games_of": lambda store: store.games_of("p"),
    "finished_games": lambda store: store.finished_games("", 5),
    "finished there": lambda store: store.finished_games("1", 5),
    "count_games_in": lambda store: store.count_games_in("1"),
    "seats": lambda store: store.seats(1),
    "set_seats": lambda store: store.set_seats(1, [SeatRecord(1, 1, "p", "Ann")]),
    "set_place": lambda store: store.set_place(Place(1, "1", "2", "3"), [NOTICE]),
    "place": lambda store: store.place(1),
    "places_under_way": lambda store: store.places_under_way(),
    "games_at": lambda store: store.games_at("3"),
    "games_below": lambda store: store.games_below("2"),
    "moves": lambda store: store.moves(1, 0, 5),
    "last_move_for": lambda store: store.last_move_for(1, 1),
    "branch": lambda store: store.branch(1, 10, 5),
    "branch_numbers": lambda store: store.branch_numbers(1, 0),
    "nearest_snapshot": lambda store: store.nearest_snapshot(1, 10),
    "full_branch": lambda store: store.full_branch(1, 10),
    "rules_moves": lambda store: store.rules_moves(1),
    "snapshots": lambda store: store.snapshots(1),
    "put_snapshots": lambda store: store.put_snapshots(1, {3: b"{}"}, [4]),
    "prune_snapshots": lambda store: store.prune_snapshots(0.0, 9.0),
    "snapshot": lambda store: store.snapshot(1, 10),
    "clocks": lambda store: store.clocks(1),
    "due_clocks": lambda store: store.due_clocks(9.0),
    "running_clocks": lambda store: store.running_clocks(),
    "shift_clocks": lambda store: store.shift_clocks(0.0, 1.0, 5.0),
    "set_clock": lambda store: store.set_clock(CLOCK),
    "set_clocks": lambda store: store.set_clocks([CLOCK]),
    "record_reminder": lambda store: store.record_reminder(CLOCK, CLOCK, NOTICE),
    "waiting_notices": lambda store: store.waiting_notices(5, [7]),
    "unposted_numbers": lambda store: store.unposted_numbers([1]),
    "outbox_state": lambda store: store.outbox_state(),
    "supersede": lambda store: store.supersede(9.0),
    "prune_outbox": lambda store: store.prune_outbox(9.0, 5),
    "begin_posting": lambda store: store.begin_posting([1], "n"),
    "mark_not_posted": lambda store: store.mark_not_posted([1]),
    "mark_all_posted": lambda store: store.mark_all_posted([1], 9.0, "5"),
    "orders": lambda store: store.orders(1),
    "add_order": lambda store: store.add_order(ORDER),
    "drop_orders": lambda store: store.drop_orders(1, [1], 1),
    "end_orders": lambda store: store.end_orders([ORDER], [NOTICE]),
    "sandbox": lambda store: store.sandbox(1, "p"),
    "set_sandbox": lambda store: store.set_sandbox(SandboxRecord(1, "p", 0, ["pass"])),
    "drop a sandbox": lambda store: store.set_sandbox(SandboxRecord(1, "p", 0, [])),
    "open_questions": lambda store: store.open_questions(1),
    "question": lambda store: store.question(1),
    "add_question": lambda store: store.add_question(QuestionRecord(1, "poll", "p", {}, 0, 1.0)),
    "close_question": lambda store: store.close_question(1, 9.0, "agreed"),
    "answers": lambda store: store.answers(1),
    "set_answer": lambda store: store.set_answer(AnswerRecord(1, 1, True, 1.0)),
    "person": lambda store: store.person("p"),
    "set_person": lambda store: store.set_person(PersonRecord("p", address="a@b.example", mail="turns")),
    "posts": lambda store: store.posts(1),
    "begin_post": lambda store: store.begin_post(POST, POST),
    "set_post": lambda store: store.set_post(POST),
    "move_post": lambda store: store.move_post("card", POST),
    "drop_post": lambda store: store.drop_post(1, "card"),
    "put_link": lambda store: store.put_link(LINK),
    "link": lambda store: store.link(LINK.digest),
    "links_by": lambda store: store.links_by([LINK.digest, "1" * 64]),
    "links_to": lambda store: store.links_to(1),
    "use_link": lambda store: store.use_link(LINK.digest, 9.0),
    "withdraw_links": lambda store: store.withdraw_links(1, "p", "look"),
    "drop_old_links": lambda store: store.drop_old_links(9.0),
    "notes": lambda store: store.notes(1, "p"),
    "set_notes": lambda store: store.set_notes(NoteRecord(1, "p", "x")),
    "people_at": lambda store: store.people_at("a@b.example"),
    "readers": lambda store: store.readers(),
    "receivers": lambda store: store.receivers(),
    "drop_strangers": lambda store: store.drop_strangers(9.0),
    "add_talk": lambda store: store.add_talk(TalkRecord(1, "p", [], 1.0), NOTICE),
    "talk": lambda store: store.talk(1, 5),
    "talk_since": lambda store: store.talk_since("p", 9.0),
    "begin_letter": lambda store: store.begin_letter(MAIL),
    "answer_letter": lambda store: store.answer_letter(MAIL),
    "forget_letter": lambda store: store.forget_letter("k"),
    "add_mail": lambda store: store.add_mail(MAIL),
    "waiting_mails": lambda store: store.waiting_mails(5, [7]),
    "notices_of": lambda store: store.notices_of([1]),
    "begin_sending": lambda store: store.begin_sending([1]),
    "mark_sent": lambda store: store.mark_sent([1], 9.0, "<x>"),
    "mail_sent_as": lambda store: store.mail_sent_as("<x>"),
    "mark_returned": lambda store: store.mark_returned("<x>"),
    "returned_mails": lambda store: store.returned_mails("p"),
    "forget_returns": lambda store: store.forget_returns("p"),
    "drop_old_mails": lambda store: store.drop_old_mails(9.0),
    "note_failure": lambda store: store.note_failure("mail", "7", "no", 9.0),
    "set_aside": lambda store: store.set_aside("mail", "7", 9.0),
    "mark_reported": lambda store: store.mark_reported("mail", "7", 9.0),
    "forget_failure": lambda store: store.forget_failure("mail", "7"),
    "forget_old_failures": lambda store: store.forget_old_failures(9.0),
    "failures": lambda store: store.failures(),
    "count_set_aside": lambda store: store.count_set_aside(),
}
"""Everything that the store is asked for, but for what the doctor asks and what people ask about their own data."""

WHOLE = re.compile(rf"SCAN ({'|'.join(metadata.tables)}|[a-z]+_\d)\b|SEARCH .* INTEGER PRIMARY KEY \(rowid<\?\)")
"""Whatever has a lower number than the newest row is all of them, too."""

NEWEST = "FROM outbox ORDER BY outbox.id DESC\n LIMIT"
"""That ends after so many rows, though it is called a scan."""


def read_whole(path: Path, statement: str) -> list[str]:
    """The tables through which SQLite goes from end to end for this statement, as it says."""
    if statement.split()[0] not in ("SELECT", "UPDATE", "DELETE", "INSERT", "WITH"):
        return []
    with closing(sqlite3.connect(path)) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", [None] * statement.count("?"))]
    return [line for line in plan if WHOLE.match(line) and not (line == "SCAN outbox" and NEWEST in statement)]


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, inspect.iscoroutinefunction) if not name.startswith("_")}


async def test_what_is_asked_often_is_found_by_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = public(PrivacyRepository) | public(RawRows) | public(Database)
    assert public(Store) - others == {name for name in ASKED if " " not in name}
    path = tmp_path / "signalbox.db"
    write_blank(path)
    store = await Store.open(path)
    whole: dict[str, list[str]] = {}
    for name, ask in ASKED.items():
        with monkeypatch.context() as patch:
            statements = spelt_for_a_file(patch)
            await ask(store)
        found = [line for one in statements for line in read_whole(path, one)]
        assert statements, name
        if found:
            whole[name] = found
    await store.close()
    assert set(whole) == set(SELDOM), whole
