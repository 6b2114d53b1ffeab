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
    Ballot,
    CallRecord,
    Commit,
    DepartureRecord,
    DrawRecord,
    EntrantRecord,
    FollowKind,
    FollowRecord,
    GameRecord,
    GivenOrder,
    LedgerRecord,
    LinkKind,
    LinkRecord,
    LobbyScope,
    MailRecord,
    MoveRecord,
    NoteRecord,
    Notice,
    OfferRecord,
    OpeningRecord,
    OrderRecord,
    PersonRecord,
    Place,
    PollKind,
    PostRecord,
    QuestionRecord,
    ResultRecord,
    SandboxRecord,
    SeasonRecord,
    SeasonStatus,
    SeatRecord,
    ServerPageRecord,
    StandingRecord,
    Store,
    TableLevel,
    TalkRecord,
    WaitRecord,
    WishRecord,
)
from bot.store.repository import Repository
from bot.store.schema import metadata
from tests.blank_database import write_blank
from tests.store.statements import spelt_for_a_file

SELDOM = {
    "clocks.shift": "when the machine's clock has been set",
    "ledger.last_pulse": "it has one row",
    "failures.list_all": "all are wanted, and few rows fail",
    "failures.count_set_aside": "all are wanted, and few rows fail",
    "failures.forget_old": "few rows fail",
    "posts.games_with_remains": "once an hour",
    "results.drop_stale": "once in a sweep, and when somebody asks for results",
    "results.list_unrated": "once in a sweep, and when somebody asks for results",
    "substitutes.candidates": "once in a sweep",
    "calls.drop_old": "once an hour",
    "people.list_public": "on public pages, not in play; some milliseconds for ten thousand people",
    "openings.list_pages": "on public pages, and servers are few",
    "bans.among": "it looks whether there is a row, and reads one",
    "bans.list_all": "by the operator, and bans are few",
    "questions.list_open_of": "by the operator, when a person is banned",
    "seasons.list_due": "once in a sweep, and seasons are few",
}
"""What may go through a table, and why."""

GAME = GameRecord(0, "1848", {}, 7, "lobby", "p", 24.0, 0, 1.0, 1.0)
CLOCK = WaitRecord(1, 1, 1.0, 1.0)
NOTICE = Notice(1, 0, "turn", [], 1.0, 1)
ENTRY = LedgerRecord(1, "wait", "wait 1", 1.0, 1)
LINK = LinkRecord("0" * 64, 1, "p", "look", 1.0, 2.0)
MAIL = MailRecord("key", "p", "told", 1.0, 1)
ORDER = OrderRecord(1, 1, {}, 1.0, 0, None, msg("no"), 1)
POST = PostRecord(1, "card", "5", "6", "n", 1.0, 0)
RESULT = ResultRecord(1, 9, "1848", 1.0, 2.0, 3, 9, True, True)
STANDING = StandingRecord(1, 1, 1, 100, False, [], [], [])
SEASON = SeasonRecord(
    1, "5", "6", "Cup", "1848", 3, 2, 24.0, None, False, "en", "p", 7, SeasonStatus.SIGN_UP, 0, 1.0, 2.0
)
CALL = CallRecord("0" * 64, 1, 1, "turn", 1, 1.0, 2.0)
FOLLOW = FollowRecord("p", FollowKind.GAME, "1", "", "1", 1.0, 2.0)
OPENING = OpeningRecord(1, LobbyScope.EVERYBODY, TableLevel.ANY, "", False, 1.0)
WISH = WishRecord("p", "1848", "5", 1.0)
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
    plan_states=[ORDER],
    cause=GivenOrder(ORDER, [1]),
    rules=2,
    waits={1: 9.0},
    entries=[ENTRY],
    place=Place(1, "1", "2", "3"),
)

ASKED: dict[str, Callable[[Store], Awaitable[object]]] = {
    "games.add": lambda store: store.games.add(GAME, [SeatRecord(0, 1, "p", "Ann")], Place(0, "1", "2"), [NOTICE]),
    "games.change": lambda store: store.games.change(1, version=9),
    "moves.commit": lambda store: store.moves.commit(CHANGE),
    "moves.add_played_game": lambda store: store.moves.add_played_game(GAME, [], Commit(0, 0, [], b"{}", 1.0)),
    "games.find": lambda store: store.games.find(1),
    "games.find_with_seats": lambda store: store.games.find_with_seats(1),
    "games.list_with_seats": lambda store: store.games.list_with_seats([1, 2]),
    "games.list_all": lambda store: store.games.list_all("running"),
    "games.list_of": lambda store: store.games.list_of("p"),
    "games.count_in": lambda store: store.games.count_in("1"),
    "games.seats": lambda store: store.games.seats(1),
    "games.set_seats": lambda store: store.games.set_seats(1, [SeatRecord(1, 1, "p", "Ann")]),
    "games.set_place": lambda store: store.games.set_place(Place(1, "1", "2", "3"), [NOTICE]),
    "games.place": lambda store: store.games.place(1),
    "games.places_under_way": lambda store: store.games.places_under_way(),
    "games.list_at": lambda store: store.games.list_at("3"),
    "games.places_below": lambda store: store.games.places_below("2"),
    "moves.list_of": lambda store: store.moves.list_of(1, 0, 5),
    "moves.last_move_for": lambda store: store.moves.last_move_for(1, 1),
    "moves.branch": lambda store: store.moves.branch(1, 10, 5),
    "moves.branch_numbers": lambda store: store.moves.branch_numbers(1, 0),
    "moves.nearest_snapshot": lambda store: store.moves.nearest_snapshot(1, 10),
    "moves.full_branch": lambda store: store.moves.full_branch(1, 10),
    "moves.rules_moves": lambda store: store.moves.rules_moves(1),
    "moves.snapshots": lambda store: store.moves.snapshots(1),
    "moves.put_snapshots": lambda store: store.moves.put_snapshots(1, {3: b"{}"}, [4]),
    "moves.prune_snapshots": lambda store: store.moves.prune_snapshots(0.0, 9.0),
    "moves.snapshot": lambda store: store.moves.snapshot(1, 10),
    "clocks.list_of": lambda store: store.clocks.list_of(1),
    "clocks.list_due": lambda store: store.clocks.list_due(9.0),
    "clocks.list_running": lambda store: store.clocks.list_running(),
    "clocks.shift": lambda store: store.clocks.shift(0.0, 1.0, 5.0),
    "clocks.change": lambda store: store.clocks.change(CLOCK),
    "clocks.change_all": lambda store: store.clocks.change_all([CLOCK]),
    "clocks.record_reminder": lambda store: store.clocks.record_reminder(CLOCK, CLOCK, NOTICE),
    "moves.clock_moves": lambda store: store.moves.clock_moves(1),
    "ledger.list_of": lambda store: store.ledger.list_of(1),
    "ledger.add": lambda store: store.ledger.add([ENTRY], [NOTICE]),
    "ledger.end_holidays": lambda store: store.ledger.end_holidays(1, [1, 2], 9.0),
    "ledger.games_under_way": lambda store: store.ledger.games_under_way(),
    "ledger.last_pulse": lambda store: store.ledger.last_pulse(),
    "ledger.note_pulse": lambda store: store.ledger.note_pulse(9.0),
    "outbox.list_waiting": lambda store: store.outbox.list_waiting(5, [7]),
    "outbox.unposted_numbers": lambda store: store.outbox.unposted_numbers([1]),
    "outbox.state": lambda store: store.outbox.state(),
    "outbox.supersede": lambda store: store.outbox.supersede(9.0),
    "outbox.prune": lambda store: store.outbox.prune(9.0, 5),
    "outbox.mark_all_posted": lambda store: store.outbox.mark_all_posted([1], 9.0, "5"),
    "orders.list_of": lambda store: store.orders.list_of(1),
    "orders.drop": lambda store: store.orders.drop(1, [1], 1),
    "orders.end": lambda store: store.orders.end([ORDER], [NOTICE]),
    "orders.sandbox": lambda store: store.orders.sandbox(1, "p"),
    "orders.set_sandbox": lambda store: store.orders.set_sandbox(SandboxRecord(1, "p", 0, ["pass"])),
    "drop a sandbox": lambda store: store.orders.set_sandbox(SandboxRecord(1, "p", 0, [])),
    "questions.list_open": lambda store: store.questions.list_open(1),
    "questions.find": lambda store: store.questions.find(1),
    "questions.save": lambda store: store.questions.save(
        Ballot(
            QuestionRecord(1, "poll", "p", {}, 0, 1.0),
            [AnswerRecord(0, 1, True, 1.0)],
            Notice(1, 0, "question", [], 1.0),
        )
    ),
    "questions.close": lambda store: store.questions.close(1, 9.0, "agreed"),
    "questions.answers": lambda store: store.questions.answers(1),
    "people.find": lambda store: store.people.find("p"),
    "people.save": lambda store: store.people.save(PersonRecord("p", address="a@b.example", mail="turns")),
    "posts.list_of": lambda store: store.posts.list_of(1),
    "posts.games_with_remains": lambda store: store.posts.games_with_remains(9.0),
    "posts.begin": lambda store: store.posts.begin(POST, POST),
    "posts.save": lambda store: store.posts.save(POST),
    "posts.move": lambda store: store.posts.move("card", POST),
    "posts.drop": lambda store: store.posts.drop(1, "card"),
    "seasons.add": lambda store: store.seasons.add(SEASON),
    "seasons.find": lambda store: store.seasons.find(1),
    "seasons.list_of": lambda store: store.seasons.list_of("5", "p", 5),
    "seasons.count_open": lambda store: store.seasons.count_open("5"),
    "seasons.list_due": lambda store: store.seasons.list_due(9.0),
    "seasons.enter": lambda store: store.seasons.enter(EntrantRecord(1, "p", "Ann", 1.0)),
    "seasons.leave": lambda store: store.seasons.leave(1, "p", 9.0),
    "seasons.entrants_of": lambda store: store.seasons.entrants_of(1),
    "seasons.draws_of": lambda store: store.seasons.draws_of(1),
    "seasons.draws_to_begin": lambda store: store.seasons.draws_to_begin(SEASON),
    "seasons.begin_round": lambda store: store.seasons.begin_round(SEASON, [DrawRecord(1, 1, 1, "p")], []),
    "seasons.sit_out": lambda store: store.seasons.sit_out(1, 1, 1),
    "seasons.add_game": lambda store: store.seasons.add_game(
        1, (1, 1), GAME, [SeatRecord(0, 1, "p", "Ann")], Place(0, "1", "2"), NOTICE
    ),
    "seasons.set_status": lambda store: store.seasons.set_status(SEASON, SeasonStatus.FINISHED),
    "results.list_among": lambda store: store.results.list_among([1, 2]),
    "calls.list_due": lambda store: store.calls.list_due(9.0, 5),
    "calls.begin": lambda store: store.calls.begin(1, 9.0),
    "calls.key": lambda store: store.calls.key("push", lambda: "a key"),
    "calls.postpone": lambda store: store.calls.postpone("l", 9.0),
    "calls.end": lambda store: store.calls.end(1),
    "calls.drop_old": lambda store: store.calls.drop_old(9.0),
    "calls.add": lambda store: store.calls.add(CALL),
    "bans.add": lambda store: store.bans.add("p", 1.0),
    "bans.lift": lambda store: store.bans.lift("p"),
    "bans.has": lambda store: store.bans.has("p"),
    "bans.among": lambda store: store.bans.among(["p"]),
    "bans.list_all": lambda store: store.bans.list_all(),
    "questions.list_open_of": lambda store: store.questions.list_open_of(PollKind.REPLACE),
    "bans.is_among_strangers": lambda store: store.bans.is_among_strangers(1),
    "follows.add": lambda store: store.follows.add(FOLLOW),
    "follows.drop": lambda store: store.follows.drop(FOLLOW),
    "follows.drop_followers": lambda store: store.follows.drop_followers("p"),
    "follows.list_of": lambda store: store.follows.list_of("p"),
    "follows.count_followers": lambda store: store.follows.count_followers("p"),
    "follows.people_due": lambda store: store.follows.people_due(9.0, 5),
    "follows.postpone": lambda store: store.follows.postpone("p", 9.0),
    "follows.save_told": lambda store: store.follows.save_told("p", [FOLLOW]),
    "follows.list_watchable": lambda store: store.follows.list_watchable(5),
    "games.places_in": lambda store: store.games.places_in("1"),
    "games.change_door": lambda store: store.games.change_door(Place(1, "1", "2", "3"), None, [NOTICE]),
    "links.list_of_person": lambda store: store.links.list_of_person("p", LinkKind.PLAY),
    "openings.set_page": lambda store: store.openings.set_page("1", ServerPageRecord("1", "Club", 1.0)),
    "openings.list_pages": lambda store: store.openings.list_pages(),
    "people.list_public": lambda store: store.people.list_public(),
    "links.withdraw_digest": lambda store: store.links.withdraw_digest("0" * 64),
    "links.put": lambda store: store.links.put(LINK),
    "links.find": lambda store: store.links.find(LINK.digest),
    "links.list_by": lambda store: store.links.list_by([LINK.digest, "1" * 64]),
    "links.list_to": lambda store: store.links.list_to(1),
    "links.use": lambda store: store.links.use(LINK.digest, 9.0),
    "links.withdraw": lambda store: store.links.withdraw(1, "p", "look"),
    "links.drop_old": lambda store: store.links.drop_old(9.0),
    "links.notes": lambda store: store.links.notes(1, "p"),
    "links.set_notes": lambda store: store.links.set_notes(NoteRecord(1, "p", "x")),
    "mail.people_at": lambda store: store.mail.people_at("a@b.example"),
    "mail.readers": lambda store: store.mail.readers(),
    "mail.people_with_alias": lambda store: store.mail.people_with_alias("a@b.example"),
    "mail.addresses_at": lambda store: store.mail.addresses_at("b.example"),
    "mail.receivers": lambda store: store.mail.receivers(),
    "mail.drop_strangers": lambda store: store.mail.drop_strangers(9.0),
    "talk.add": lambda store: store.talk.add(TalkRecord(1, "p", [], 1.0), NOTICE),
    "talk.list_of": lambda store: store.talk.list_of(1, 5),
    "talk.count_since": lambda store: store.talk.count_since("p", 9.0),
    "mail.begin_letter": lambda store: store.mail.begin_letter(MAIL),
    "mail.save_letter": lambda store: store.mail.save_letter(MAIL),
    "mail.forget_letter": lambda store: store.mail.forget_letter("k"),
    "mail.add": lambda store: store.mail.add(MAIL),
    "mail.list_waiting": lambda store: store.mail.list_waiting(5, [7]),
    "outbox.list_by": lambda store: store.outbox.list_by([1]),
    "mail.begin_sending": lambda store: store.mail.begin_sending([1]),
    "mail.mark_sent": lambda store: store.mail.mark_sent([1], 9.0, "<x>"),
    "mail.find_sent_as": lambda store: store.mail.find_sent_as("<x>"),
    "mail.mark_returned": lambda store: store.mail.mark_returned("<x>"),
    "mail.returns": lambda store: store.mail.returns("p"),
    "mail.forget_returns": lambda store: store.mail.forget_returns("p"),
    "mail.drop_old": lambda store: store.mail.drop_old(9.0),
    "failures.note": lambda store: store.failures.note("mail", "7", "no", 9.0),
    "failures.set_aside": lambda store: store.failures.set_aside("mail", "7", 9.0),
    "failures.mark_reported": lambda store: store.failures.mark_reported("mail", "7", 9.0),
    "failures.forget": lambda store: store.failures.forget("mail", "7"),
    "failures.forget_old": lambda store: store.failures.forget_old(9.0),
    "failures.list_all": lambda store: store.failures.list_all(),
    "failures.count_set_aside": lambda store: store.failures.count_set_aside(),
    "moves.last_act_of": lambda store: store.moves.last_act_of(1, "p"),
    "outbox.add": lambda store: store.outbox.add([NOTICE]),
    "results.list_due": lambda store: store.results.list_due(1, [1]),
    "results.count_due": lambda store: store.results.count_due(),
    "results.drop_stale": lambda store: store.results.drop_stale(),
    "results.drop_all": lambda store: store.results.drop_all(),
    "results.save": lambda store: store.results.save(RESULT, [STANDING], [DepartureRecord(1, "q")]),
    "results.list_unrated": lambda store: store.results.list_unrated(5),
    "results.newest_rating": lambda store: store.results.newest_rating("p", "1848", RESULT),
    "results.save_ratings": lambda store: store.results.save_ratings([STANDING]),
    "results.list_of": lambda store: store.results.list_of("5", "p", "1848", 5),
    "results.count_left": lambda store: store.results.count_left("p"),
    "openings.find": lambda store: store.openings.find(1),
    "openings.save": lambda store: store.openings.save(OPENING, [WISH], [NOTICE]),
    "openings.close": lambda store: store.openings.close(1),
    "openings.count_of": lambda store: store.openings.count_of("p", 1.0),
    "openings.count_lobbies_with": lambda store: store.openings.count_lobbies_with("p"),
    "openings.admits": lambda store: store.openings.admits(1, "5", 1.0),
    "openings.list_for": lambda store: store.openings.list_for("5", 1.0),
    "openings.set_sharing": lambda store: store.openings.set_sharing("5", 1.0),
    "openings.shares": lambda store: store.openings.shares("5"),
    "openings.add_wish": lambda store: store.openings.add_wish(WISH),
    "openings.drop_wishes": lambda store: store.openings.drop_wishes("p"),
    "openings.wishes_of": lambda store: store.openings.wishes_of("p"),
    "openings.wishes_for": lambda store: store.openings.wishes_for("1848"),
    "openings.set_block": lambda store: store.openings.set_block("p", "q", True),
    "openings.apart_from": lambda store: store.openings.apart_from("p"),
    "substitutes.set_titles": lambda store: store.substitutes.set_titles("p", ["1848"], 1.0),
    "substitutes.titles_of": lambda store: store.substitutes.titles_of("p"),
    "substitutes.list_for": lambda store: store.substitutes.list_for("1848"),
    "substitutes.candidates": lambda store: store.substitutes.candidates(1.0),
    "substitutes.offers_of": lambda store: store.substitutes.offers_of(1),
    "substitutes.list_offered": lambda store: store.substitutes.list_offered(["1848"], 5),
    "substitutes.set_offers": lambda store: store.substitutes.set_offers(1, [OfferRecord(1, 2, 1.0)], [NOTICE]),
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
    path = tmp_path / "signalbox.db"
    write_blank(path)
    store = await Store.open(path)
    repositories = {name: type(kept) for name, kept in vars(store).items() if isinstance(kept, Repository)}
    for name in ("privacy", "rows"):
        del repositories[name]
    known = {f"{name}.{asked}" for name, kind in repositories.items() for asked in public(kind)}
    assert known == {name for name in ASKED if " " not in name}
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
