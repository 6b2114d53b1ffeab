"""Every command of the registry that Discord has, used once by the people of a small table."""

from __future__ import annotations

from bot.commands.discord.slash.command_tree import EVERYWHERE
from bot.service.registry.command import Door
from bot.service.registry.commands import COMMANDS
from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double

LOBBY = (
    ("ann", "game new", {"title": "1848"}, "Game 1: 1848"),
    ("ann", "game options", {}, "In: Ann"),
    ("ann", "game option", {"option": "rules=18xx.games"}, "rules: 18xx.games"),
    ("ann", "game computer", {"strength": "learner"}, "is in game 1"),
    ("ann", "game computer", {"strength": "none"}, "no computer player"),
    ("ann", "game rating", {"choice": "unrated"}, "changes no rating"),
    ("ann", "game open", {"reach": "everybody", "note": "come"}, "Game 1 is open"),
    ("ann", "moderate vouch", {}, "Others may read: come"),
    ("bob", "tables list", {}, "1 of 3 to 6 players"),
    ("bob", "tables tell", {"title": "1848"}, "next table for 1848"),
    ("ann", "tables share", {"choice": True}, "shares its tables"),
    ("ann", "season open", {"title": "1848", "size": 3, "name": "Spring"}, "Season 1, Spring: 1848 Aus"),
    ("bob", "season enter", {}, "Bob is in season Spring"),
    ("bob", "season list", {}, "sign-up, 1 in it"),
    ("cid", "season show", {"season": 1}, "In it: Bob"),
    ("cid", "follow season", {"season": 1}, "You follow season Spring"),
    ("bob", "season leave", {}, "You have left season Spring"),
    ("ann", "season cancel", {}, "Season Spring is cancelled"),
    ("ann", "tables page", {"choice": True, "name": "Our Club"}, "as “Our Club”"),
    ("bob", "tables watch", {}, "No running game lets others follow"),
    ("ann", "game watch", {"choice": True}, "anybody may follow the game"),
    ("ann", "privacy followers", {"audience": "everybody"}, "everybody can follow you"),
    ("bob", "follow person", {"member": "ann"}, "You follow Ann"),
    ("bob", "follow game", {"game": 1}, "cannot be followed"),
    ("bob", "follow list", {}, "1. Ann"),
    ("bob", "follow stop", {"number": 1}, "You no longer follow Ann"),
    ("bob", "tables block", {"member": "dora", "off": True}, "may join your lobbies"),
    ("ann", "game invite", {}, "`/game join game:1 invitation:"),
    ("bob", "game join", {}, "Bob is in game 1"),
    ("cid", "game join", {"game": 1}, "Cid is in game 1"),
    ("dora", "game join", {}, "Dora is in game 1"),
    ("dora", "game leave", {}, "left game 1"),
    ("ann", "game start", {"order": "list"}, "has begun in <#"),
)
GAME = (
    ("ann", "try", {"move": "buy P1"}, "Ann buys P1"),
    ("ann", "whatif move", {"move": "buy P1; Bob buy P2"}, "Bob buys P2"),
    ("ann", "whatif back", {}, "Ann buys P1"),
    ("ann", "whatif show", {}, "Ann buys P1"),
    ("ann", "whatif plan", {}, "no turn of any of your companies"),
    ("ann", "whatif make", {}, "Ann buys P1"),
    ("ann", "whatif drop", {}, "is empty"),
    ("ann", "undo", {}, "Ann: buy a private"),
    ("ann", "redo", {}, "Ann redoes"),
    ("bob", "turn", {}, "You have £"),
    ("bob", "move", {"move": "buy P2"}, "Bob buys P2"),
    ("cid", "help", {}, "buy P3"),
    ("cid", "help", {"about": "vote fine"}, "Fine a player"),
    ("ann", "status", {}, "Cid"),
    ("ann", "map", {"around": "G10"}, "Cid: buy a private"),
    ("ann", "market", {}, "Cid: buy a private"),
    ("ann", "routes", {"company": "VR"}, "VR"),
    ("ann", "company", {"name": "VR"}, "home H11 (Melbourne)"),
    ("ann", "player", {}, "Ann"),
    ("ann", "trains", {}, "for sale now"),
    ("ann", "tiles", {}, "yellow"),
    ("ann", "board words", {}, "as a file"),
    ("ann", "log", {}, "Bob buys P2"),
    ("ann", "chart", {}, ""),
    ("ann", "timelapse", {}, ""),
    ("ann", "report", {}, "current standings"),
    ("ann", "review", {}, "when it has ended"),
    ("ann", "results", {}, "No game has finished yet"),
    ("ann", "record", {}, "No game has been finished"),
    ("ann", "privacy record", {"audience": "tables"}, "the people in your games"),
    ("ann", "rematch", {}, "not over yet"),
    ("dora", "substitute on", {"titles": "1848"}, "when a seat is free"),
    ("dora", "substitute list", {}, "No seat is offered"),
    ("dora", "substitute take", {"game": 1}, "not on offer"),
    ("ann", "substitute brief", {}, "Game 1: 1848"),
    ("ann", "why", {}, "No computer player"),
    ("ann", "advice", {}, "only available in games of one person"),
    ("ann", "games", {}, "1848"),
    ("ann", "plan", {"order": "agree undo"}, "Noted, visible only to you"),
    ("ann", "auto say", {"order": "agree undo"}, "Noted, visible only to you"),
    ("ann", "auto pass", {"every_round": True}, "Noted"),
    ("ann", "auto buy", {"company": "VR"}, "Noted"),
    ("ann", "auto bid", {"lot": "P4", "most": 200}, "Noted"),
    ("ann", "auto run", {"company": "VR"}, "You do not run VR"),
    ("ann", "auto list", {}, "1. Always agree"),
    ("ann", "auto drop", {}, "dropped."),
    ("ann", "clock snooze", {}, "no reminders for this game before <t:"),
    ("ann", "clock mute", {"muted": True}, "No more reminders"),
    ("ann", "clock away", {"days": 2}, "Away until <t:"),
    ("ann", "clock quiet", {"zone": "Europe/Berlin", "begin": 22, "end": 7}, "in 1 game"),
    ("ann", "game quiet", {"zone": "Europe/Berlin", "begin": 23, "end": 7}, "from 23:00"),
    ("ann", "clock times", {}, "Ann: 1 turns"),
    ("ann", "clock budget", {}, "This game has no clock"),
    ("bob", "vote clock", {"clock": "weekly"}, "asks to change the clock"),
    ("ann", "game clock", {"clock": "daily", "numbers": "answer=20m"}, "sets the clock. Clock own"),
    ("ann", "clock budget", {}, "you begin with 5 d"),
    ("ann", "mail address", {"address": "ann@example.org"}, "sends no mail"),
    ("ann", "mail send", {"what": "digest"}, "sends no mail"),
    ("ann", "mail also", {"address": "none"}, "sends no mail"),
    ("ann", "notify add", {"address": "ntfy://trains"}, "calls no addresses"),
    ("ann", "notify list", {}, "go to no service"),
    ("ann", "notify test", {}, "there is no number 1"),
    ("ann", "notify remove", {"number": 1}, "there is no number 1"),
    ("ann", "mail forget", {}, "sends no mail"),
    ("dora", "lesson", {"part": "hint"}, "no lesson open"),
    ("ann", "history", {"record": 1}, "After log entry 1 of"),
    ("dora", "puzzle", {"which": "answer"}, "is no puzzle"),
    ("ann", "language mine", {"language": "en"}, "English"),
    ("ann", "language game", {"language": "en"}, "English"),
    ("ann", "board link", {}, "shows no boards"),
    ("ann", "board mine", {}, "shows no boards"),
    ("ann", "board links", {}, "no link to this game"),
    ("ann", "ledger", {}, "No company has run yet"),
    ("ann", "board token", {}, "shows no boards"),
    ("ann", "board calendar", {}, "shows no boards"),
    ("ann", "board hook", {"address": "https://example.org/"}, "shows no boards"),
    ("ann", "board withdraw", {}, "Links withdrawn: 0"),
    ("ann", "export", {}, "Game 1."),
    ("ann", "game clone", {}, "is a copy of game 1"),
    ("ann", "game import", {"file": ("game.json", b"{}")}, "That file"),
    ("ann", "game sitter", {"member": "dora", "days": 1}, "Dora moves for you"),
    ("ann", "vote undo", {"record": 1}, "Waiting for Bob"),
    ("bob", "vote list", {}, "Waiting for Bob"),
    ("bob", "vote no", {}, "Bob refused"),
    ("ann", "vote end", {}, "Waiting for Bob and Cid"),
    ("bob", "vote yes", {}, "Bob agreed"),
    ("ann", "vote replace", {"seat": 2, "member": "dora"}, "7 days"),
    ("ann", "vote computer", {"seat": 2}, "7 days"),
    ("ann", "vote moderator", {"seat": 2}, "less than 14 days"),
    ("ann", "vote skip", {"seat": 3}, "not late"),
    ("ann", "vote fine", {"seat": 3, "amount": 5}, "48 waking hours"),
    ("ann", "moderate act", {"move": "buy P3"}, "Cid buys P3"),
    ("ann", "moderate rewind", {"record": 2, "sure": True}, "goes back to move 2"),
    ("ann", "moderate cash", {"owner": "Bob", "amount": 50, "reason": "a trial"}, "£50"),
    (
        "ann",
        "moderate token",
        {"what": "token", "company": "VR", "space": "G10", "reason": "a trial"},
        "VR has a token",
    ),
    ("ann", "moderate rules", {}, "already uses the newest"),
    ("ann", "moderate pace", {"pace": "slow", "pictures": "both"}, "pace is slow"),
    ("ann", "moderate replace", {"seat": 3, "member": "dora"}, "Dora has seat 3"),
    ("ann", "moderate sitter", {"seat": 2, "member": "dora", "days": 1}, "Dora moves for seat 2"),
    ("ann", "moderate here", {"game": 1}, ""),
    ("ann", "game leave", {}, "Name a sitter for some days (/game sitter member:NAME days:14)"),
    ("ann", "moderate status", {"status": "paused"}, "Ann pauses the game"),
    ("ann", "moderate handover", {"member": "bob"}, "Bob is the moderator"),
    ("cid", "privacy export", {}, "everything Signalbox stores about you"),
    ("cid", "privacy erase", {"confirm": "forget me"}, "Your data has been erased"),
)


def test_no_command_is_left_out() -> None:
    used = {command for _, command, *_ in (*LOBBY, *GAME)}
    assert used == {command.name for command in COMMANDS.values() if command.is_at(Door.DISCORD)}


async def use_all(table: Table, is_direct: bool = False) -> None:
    """Use every command; with `is_direct`, those about the game in direct messages where they are offered there."""
    people = {person.name.lower(): person for person in (*table.people, table.double.dora)}
    wrong: list[tuple[str, str]] = []
    for part in (LOBBY, GAME):
        for name, command, options, piece in part:
            values = {key: people.get(value, value) if key == "member" else value for key, value in options.items()}
            writes_directly = (
                is_direct and part is GAME and command.partition(" ")[0] in EVERYWHERE and "member" not in values
            )
            channel = table.double.channel if part is LOBBY else people[name].dm if writes_directly else table.thread
            reply = await people[name].slash(command, channel, **values)
            if piece not in reply.text or "Something went wrong" in reply.text:
                wrong.append((command, reply.text))
            if reply.ephemeral == COMMANDS[command].is_public:
                wrong.append((command, f"only for {name}: {reply.ephemeral}"))
            if is_direct and command == "export":
                # From here on Ann has several games.
                break
        if part is LOBBY:
            await table.wait(lambda: table.double.threads and table.pings() and table.boards(), "the first question")
    assert not wrong, "\n".join(map(str, wrong))


async def test_every_command_does_what_it_says(table: Table) -> None:
    await use_all(table)


async def test_commands_in_direct_messages_mean_ones_own_game(table: Table) -> None:
    await use_all(table, is_direct=True)
