"""The registry of commands: declarations, typed lines, and every command run once at a table of 1848."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.ai.fuzzer import BUILDER, RandomGame
from bot.cli.commands import glossary, markdown
from bot.engine import NO_GAME, GameId, PersonId
from bot.engine.games.game_record import build_game_record
from bot.engine.refusals import IllegalMove, Rejected
from bot.i18n import LANGUAGES, tr, use_language
from bot.render.picture_kinds import HistoryOf
from bot.service.game_service import GameService, GameSession
from bot.service.registry.command import Absence, Choice, Command, Door, NamedFile, Person, Reply, TurnNews
from bot.service.registry.command_line import TypedRequest, find_line, typed_line, usage, values_of
from bot.service.registry.commands import COMMANDS
from bot.service.sessions.rights import RIGHTS
from bot.store import NO_THREAD_YET, GameStatus, PersonRecord, Place, Store
from bot.titles.registry import TITLES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "command-table.md"
GLOSSARY = PAGE.parents[1] / "glossary.md"
LONGEST_HELP = 100
"""Discord takes no longer descriptions."""

ME = PersonId("console")


class NamingRequest(TypedRequest):
    """Somebody who has every seat, at a door without anything of its own."""

    door = Door.TERMINAL
    game: GameId | None = None

    async def game_id(self) -> GameId:
        if self.game is None:
            raise IllegalMove("No game.")
        return self.game

    async def read_file(self, name: str) -> bytes:
        return b"{}"


class PlainRequest(NamingRequest):
    """As above, at a screen where everybody named is new."""

    async def find_person(self, name: str) -> Person:
        return Person(ME, name)


@pytest.fixture
async def request_(store: Store) -> PlainRequest:
    """At a game of 1848 that has begun."""
    asked = PlainRequest(GameService(store, TITLES), ME)
    reply = await run(asked, "new 1848 Ann Bob Cid")
    asked.game = reply.opened
    return asked


async def run(asked: PlainRequest, text: str, is_lobby: bool = False) -> Reply:
    line = find_line(text, asked.door, is_lobby=is_lobby)
    assert line is not None, text
    return await line.command.run(asked, **await values_of(line, asked))


# -- declarations -------------------------------------------------------------------------------------


def test_declarations_are_whole() -> None:
    for command in COMMANDS.values():
        assert not command.right or command.right in RIGHTS
        assert all(isinstance(reason, Absence) for reason in command.absent.values())
        assert len(command.absent) < len(Door), "some door has it"
        names = [one.name for one in command.parameters]
        assert len(set(names)) == len(names)
        for text in (command.help, *(one.help for one in command.parameters)):
            for language in LANGUAGES:
                with use_language(language):
                    assert 0 < len(tr(text)) <= LONGEST_HELP, text


@pytest.mark.parametrize("door", [Door.TERMINAL, Door.MAIL, Door.PAGE])
def test_what_a_command_is_called_means_it(door: Door) -> None:
    for command in COMMANDS.values():
        if command.is_at(door) and not command.form_of:
            needs_more = any(one.is_needed for one in command.parameters)
            found = find_line(f"{typed_line(command, {}, door)}{' X' * needs_more}", door)
            assert found is not None and found.command is command, command.name
            if command.example:
                found = find_line(command.example, door)
                assert found is not None and found.command is command, command.example


def test_a_form_fills_in_another_command() -> None:
    assert all(not command.form_of or command.form_of in COMMANDS for command in COMMANDS.values())
    line = find_line("auto bid P4 up to 200", Door.MAIL)
    assert line is not None and (line.command.name, line.rest) == ("plan", "bid P4 up to 200")


def test_the_page_shows_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == f"{markdown()}\n", "signalbox commands --markdown > the page"


def test_the_glossary_is_what_help_says() -> None:
    assert GLOSSARY.read_text(encoding="utf-8") == f"{glossary()}\n", "signalbox commands --glossary > the page"


# -- typed lines --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("snooze", "clock snooze", {}),
        ("snooze 12", "clock snooze", {"hours": 12}),
        ("log 40", "log", {"records": 40}),
        ("log Ann", "log", {"about": "Ann"}),
        ("log turn VR", "log", {"since": "turn", "about": "VR"}),
        ("moderate pause for a week", "moderate status", {"status": "paused", "reason": "for a week"}),
        ("moderate passes hand", "moderate pace", {"passes": "hand"}),
        ("moderate pace fast both", "moderate pace", {"pace": "fast", "pictures": "both"}),
        ("moderate correct cash Ann 150 a gift", "moderate cash", {"owner": "Ann", "amount": 150, "reason": "a gift"}),
        (
            "moderate correct no-token VR G10 a mistake",
            "moderate token",
            {"what": "no-token", "company": "VR", "space": "G10", "reason": "a mistake"},
        ),
        ("moderate rules agree", "moderate rules", {"agree": True}),
        ("moderate replace bob Zoe", "moderate replace", {"seat": 2, "member": Person(ME, "Zoe")}),
        ("vote fine 2 50", "vote fine", {"seat": 2, "amount": 50}),
        ("export game.json 18xx", "export", {"file": "game.json 18xx"}),
        ("Karte G10 H11", "map", {"around": "G10 H11"}),
        ("/whatif buy P1; buy P2", "whatif move", {"move": "buy P1; buy P2"}),
        ("quiet Europe/Berlin 22 8", "clock quiet", {"zone": "Europe/Berlin", "begin": 22, "end": 8}),
        ("new 1848 Ann 'Bob B' seed=7", "new", {"title": "1848", "players": "Ann 'Bob B' seed=7"}),
    ],
)
async def test_a_line_is_read(request_: PlainRequest, text: str, name: str, values: dict[str, Any]) -> None:
    line = find_line(text, Door.TERMINAL, is_lobby=False)
    assert line is not None and line.command.name == name
    assert await values_of(line, request_) == values


@pytest.mark.parametrize("title", TITLES)
async def test_every_title_is_read_in_small_and_capital_letters(request_: PlainRequest, title: str) -> None:
    for written in (title, title.lower(), title.upper()):
        line = find_line(f"new {written} Ann Bob", Door.TERMINAL, is_lobby=False)
        assert line is not None and (await values_of(line, request_))["title"] == title


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("snooze soon", "hours is a number from 1 to 336. For example: snooze 24."),
        ("snooze 999", "hours is a number from 1 to 336."),
        ("snooze 12 13", "13 is too much."),
        ("chart pie", "kind can be worth, income or prices."),
        ("vote fine 2", "The amount to pay to the bank? For example: vote fine 2 50."),
        ("vote skip Zoe", "There is no player or seat Zoe."),
        ("language xx", "language can be en, de or discord."),
        (f"player {'x' * 33}", "name can have up to 32 characters."),
    ],
)
async def test_a_line_that_does_not_fit_is_refused(request_: PlainRequest, text: str, refusal: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        await run(request_, text)
    assert refusal in str(refused.value)


async def test_somebody_is_named_by_their_seat_or_their_address(store: Store) -> None:
    tables = GameService(store, TITLES)
    ann, bob, zoe, eve = (PersonId(f"mail:{name}") for name in ("ann", "bob", "zoe", "eve"))
    game = await tables.lobby.create("1848", ann, [(ann, "Ann"), (bob, "Bob")])
    await tables.lobby.create("1848", bob, [(ann, "Ann"), (zoe, "bob")])
    await tables.lobby.create("1848", eve, [(eve, "Eve")])
    await store.people.save(PersonRecord(eve, address="eve@example.org", mail="turns"))
    await store.people.save(PersonRecord(zoe, asked="zoe@example.org", asked_at=0.0))
    asked = NamingRequest(tables, ann)
    with pytest.raises(IllegalMove, match="Several people in your games are called bob"):
        await asked.find_person("bob")
    asked.game = game
    assert await asked.find_person("BOB") == Person(bob, "Bob"), "of this game"
    assert await asked.find_person("Eve@Example.org") == Person(eve, "Eve")
    for unknown in ("Eve", "zoe@example.org", "nobody@example.org"):
        with pytest.raises(IllegalMove):
            await asked.find_person(unknown)


async def test_words_of_a_lobby_are_moves_in_a_game_but_for_invitations(request_: PlainRequest) -> None:
    assert find_line("start VR", Door.MAIL, is_lobby=False) is None
    assert find_line("start", Door.MAIL, is_lobby=True) is not None
    invited = find_line(f"join 3 {'c' * 22} Ann", Door.MAIL, is_lobby=False)
    assert invited is not None and invited.command.name == "game join"


async def test_who_leaves_a_game_that_has_begun_is_told_the_ways_out(request_: PlainRequest) -> None:
    assert find_line("leave it to me", Door.MAIL, is_lobby=False) is None
    told = await run(request_, "leave")
    assert "game sitter NAME 14" in str(told.lines[0]) and "moderate replace 1 NAME" in str(told.lines[0])
    game_id = await request_.game_id()
    assert all(held.person for held in (await request_.tables.desk.table(game_id)).seats), "nothing is done yet"
    await run(request_, request_.spell(told.follow_ups[0].command, **told.follow_ups[0].values))
    assert not any(held.person for held in (await request_.tables.desk.table(game_id)).seats)
    with pytest.raises(IllegalMove, match="no seat"):
        await run(request_, "leave")


def test_what_follows_decides_between_showing_and_doing() -> None:
    for text, name in (
        ("options", "game options"),
        ("options 3", "game options"),
        ("options rules=rulebook", "game option"),
        ("option rules=rulebook", "game option"),
        ("talk", "talk"),
        ("talk 5", "talk"),
        ("talk hello all", "say"),
    ):
        line = find_line(text, Door.PAGE)
        assert line is not None and line.command.name == name, text
    assert line.rest == "hello all"
    mailed = find_line("talk to you later", Door.MAIL)
    assert mailed is not None and mailed.command.name == "talk", "a farewell in a mail is not for the table"


def test_help_shows_the_better_words() -> None:
    shown = {name: usage(COMMANDS[name], Door.MAIL) for name in ("game option", "say", "privacy erase", "vote undo")}
    assert shown == {
        "game option": "options OPTION [GAME]",
        "say": "say TEXT",
        "privacy erase": "privacy erase forget me",
        "vote undo": "vote undo [ENTRY]",
    }
    assert usage(COMMANDS["new"], Door.TERMINAL) == "new TITLE [PLAYERS]"


async def test_new_without_players_opens_a_lobby(request_: PlainRequest) -> None:
    opened = (await run(request_, "new 1848")).opened
    assert opened is not None
    assert (await request_.tables.desk.table(opened)).record.status == GameStatus.LOBBY


async def test_a_lobby_of_a_channel_begins_in_a_thread_wherever_it_is_started(request_: PlainRequest) -> None:
    tables, people = request_.tables, [(ME, name) for name in ("Ann", "Bob", "Cid")]
    lobby = await tables.lobby.create("1848", ME, people, place=Place(NO_GAME, "10", "20"))
    await run(request_, f"start {lobby}", is_lobby=True)
    place = await tables.places.place(lobby)
    assert place is not None and place.trouble == NO_THREAD_YET


async def test_an_invitation_stands_before_a_name(request_: PlainRequest) -> None:
    await run(request_, "lobby 1848 Ann", is_lobby=True)
    code = await request_.tables.lobby.invite(GameId(2), ME)
    guest = PlainRequest(request_.tables, PersonId("mail:dan@example.org"))
    joined = await run(guest, f"join 2 {code} Dan", is_lobby=True)
    assert isinstance(joined.subject, GameSession) and [held.name for held in joined.subject.seats] == ["Ann", "Dan"]


def test_a_word_of_a_door_is_that_doors() -> None:
    for text, door, name in (
        ("board", Door.TERMINAL, "board words"),
        ("board", Door.MAIL, "board link"),
        ("new 1848 Ann", Door.TERMINAL, "new"),
        ("new 1848 Ann", Door.MAIL, "game new"),
        ("stop", Door.MAIL, "mail send"),
    ):
        line = find_line(text, door)
        assert line is not None and line.command.name == name
    assert find_line("stop", Door.TERMINAL) is None


# -- every command once -------------------------------------------------------------------------------

VALUES: dict[str, Any] = {
    "titles": "1848",
    "text": "See you",
    "about": "",
    "address": "ann@example.org",
    "amount": 5,
    "around": "VR",
    "begin": 22,
    "company": "VR",
    "confirm": "no",
    "days": 1,
    "end": 8,
    "file": b"{}",
    "game": 1,
    "lot": "P1",
    "member": Person(ME, "Zoe"),
    "most": 50,
    "move": "reduce P6",
    "name": "VR",
    "number": 1,
    "option": "rules=rulebook",
    "order": "pass",
    "owner": "Ann",
    "players": "Ann Bob Cid",
    "reason": "a trial",
    "record": 0,
    "seat": 2,
    "space": "G10",
    "zone": "Europe/Berlin",
}
MAY_REFUSE = frozenset(
    [
        "auto drop",
        "advice",
        "follow game",
        "follow person",
        "follow season",
        "follow stop",
        "game open",
        "game rating",
        "game watch",
        "moderate vouch",
        "substitute take",
        "rematch",
        "tables block",
        "vote moderator",
        "tables page",
        "tables share",
        "moderate handover",
        "moderate here",
        "moderate pace",
        "open",
        "moderate rules",
        "moderate token",
        "redo",
        "review",
        "season cancel",
        "season enter",
        "season leave",
        "season open",
        "season show",
        "timelapse",
        "undo",
        "vote clock",
        "vote undo",
        "vote yes",
        "vote no",
        "whatif make",
        "whatif plan",
        "game import",
        "board link",
        "notify add",
        "notify remove",
        "notify test",
        "board token",
        "board calendar",
        "board hook",
        "board mine",
        "mail send",
        "mail also",
        "privacy erase",
        "vote replace",
        "vote computer",
        "vote skip",
        "vote fine",
        "game leave",
        "game invite",
        "game options",
        "game option",
        "game computer",
        "game start",
        "game join",
        "auto bid",
        "auto run",
        "auto buy",
        "routes",
        "player",
    ]
)
"""Commands that have nothing to do at this table; their own tests show what they do."""


def value_for(command: Command, name: str) -> Any:
    kind = next(one.kind for one in command.parameters if one.name == name)
    return next(iter(kind.meanings)) if isinstance(kind, Choice) else VALUES[name]


async def test_every_command_answers(request_: PlainRequest) -> None:
    game = await request_.game_id()
    for command in COMMANDS.values():
        request_.game = game
        needed = [one.name for one in command.parameters if one.is_needed]
        try:
            reply = await command.run(request_, **{name: value_for(command, name) for name in needed})
        except Rejected as refusal:
            assert command.name in MAY_REFUSE, f"{command.name}: {refusal}"
            continue
        assert reply.lines or reply.pictures or reply.refusal, command.name
        assert all(isinstance(file, NamedFile) and file.content for file in reply.files)
        assert not any("{" in tr(line) for line in reply.lines), f"{command.name}: no gap is left open"


def test_usage_is_one_line() -> None:
    assert usage(COMMANDS["moderate pace"], Door.TERMINAL) == (
        "moderate pace [fast | normal | slow] [forced | hand] [changed | both]"
    )
    with use_language("de"):
        assert usage(COMMANDS["map"], Door.TERMINAL) == "karte [AROUND]"


# -- redo ---------------------------------------------------------------------------------------------


async def test_what_was_taken_back_is_made_again(request_: PlainRequest) -> None:
    for text in ("move buy P1", "move buy P2", "undo", "undo"):
        await run(request_, text)
    queries = request_.tables.queries
    assert not [entry for entry in await queries.log_since(await request_.game_id()) if entry.record.kind == "redo"]
    for bought in (["P1"], ["P1", "P2"]):
        await run(request_, "redo")
        game = await request_.position()
        assert [str(private.id) for private in game.state.privates.values() if private.owner] == bought
    with pytest.raises(IllegalMove, match="nothing to redo"):
        await run(request_, "redo")


async def test_after_another_move_nothing_is_made_again(request_: PlainRequest) -> None:
    for text in ("move buy P1", "undo", "move buy P2"):
        await run(request_, text)
    with pytest.raises(IllegalMove, match="nothing to redo"):
        await run(request_, "redo")


async def test_the_turn_reads_the_log_once_for_words_and_picture(
    request_: PlainRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    await run(request_, "move reduce P1")
    store, read = request_.tables.desk.store.moves, list[int]()
    original = store.list_of

    async def moves(game_id: GameId, after: int = -1) -> object:
        read.append(after)
        return await original(game_id, after)

    monkeypatch.setattr(store, "list_of", moves)
    reply = await run(request_, "turn")
    assert isinstance(reply.subject, TurnNews) and len(read) == 1
    assert not reply.subject.since, "this person has every seat, and made the last move"
    assert "Ann lowers P1 to £25" in "\n".join(map(str, reply.lines)), "who is asked now has not moved yet"


async def test_a_finished_game_is_reviewed_for_everybody_or_one_player(request_: PlainRequest) -> None:
    table = RandomGame(TITLES["1889"], 3, 3, wanted=BUILDER, is_audited=False)
    *_, last = table.moves()
    course = build_game_record(last, table.texts)
    names = dict(zip(course.players, ("Ann", "Bob", "Cid"), strict=True))
    course = msgspec.structs.replace(
        course, players=tuple(names.values()), result={names[one]: sum_ for one, sum_ in course.result.items()}
    )
    request_.game = await request_.tables.transfer.import_game(course, ME, dict.fromkeys(names.values(), ME))
    whole, own = await run(request_, "review"), await run(request_, "review Bob")
    lines = [*map(str, whole.lines)]
    assert lines[1].startswith("AR 1: Ann 33 %, Bob 33 %, Cid 33 %")
    assert any(line.startswith("Better than ") for line in lines)
    assert len(own.lines) < len(whole.lines)
    assert whole.pictures == [HistoryOf(await request_.tables.queries.game_file(request_.game), "chances")]
    with pytest.raises(IllegalMove, match="Nobody called Dora plays here"):
        await run(request_, "review Dora")
