"""Everything that people can try, with the right that each needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.discord_double.model import Channel
from tests.permissions_model.facts import Facts
from tests.permissions_model.rights_page import Game
from tests.permissions_model.state import FILE, Club

PACES, STATUSES, LANGUAGES = ("fast", "normal", "slow"), ("paused", "running", "finished"), ("en", "de")


@dataclass(frozen=True)
class Turn:
    """What is drawn for one try: who, where, about which game, whom it names, and a small number for the rest."""

    club: Club
    facts: Facts
    who: str
    channel: Channel
    game: Game
    other: str
    n: int

    @property
    def member(self) -> Any:
        """The person named."""
        return self.club.people[self.other]

    @property
    def seat(self) -> int:
        """A seat of the game, sometimes one that is not there."""
        return 1 + self.n % 3

    @property
    def record(self) -> int:
        """A record of the log, the latest first."""
        return max(0, self.game.version - self.n % 4)

    @property
    def name(self) -> str:
        """A name that tells of its game, another one for a second seat."""
        own = len(self.game.own_seats(self.club.key(self.who)))
        return f"{self.who}{'abcdefgh'[:own]}At{self.game.number}x"

    def secret_sum(self) -> int:
        """A sum that nobody else must ever see."""
        self.club.secret += 1
        return self.club.secret

    def secret_order(self) -> str:
        """A standing order with such a sum."""
        return f"bid {('LB', 'AF', 'GN')[self.n % 3]} up to {self.secret_sum()}"


Options = Callable[[Turn], Mapping[str, Any]]


def nothing(turn: Turn) -> Mapping[str, Any]:
    """A command without options."""
    return {}


LOOKS: dict[str, tuple[str, Options]] = {
    "status": ("look", nothing),
    "log": ("look", nothing),
    "history": ("look", nothing),
    "market": ("look", nothing),
    "ledger": ("look", nothing),
    "map": ("look", nothing),
    "help": ("look", nothing),
    "trains": ("look", nothing),
    "routes": ("look", lambda turn: {"company": "LNWR"}),
    "tiles": ("look", nothing),
    "board words": ("look", nothing),
    "report": ("look", nothing),
    "review": ("look", nothing),
    "why": ("look", nothing),
    "chart": ("look", nothing),
    "timelapse": ("look", nothing),
    "clock times": ("look", nothing),
    "clock budget": ("look", nothing),
    "vote list": ("look", nothing),
    "player": ("look", lambda turn: {"name": str(turn.seat)}),
    "company": ("look", lambda turn: {"name": "LB"}),
    "turn": ("look", nothing),
    "substitute brief": ("look", nothing),
    "try": ("look", lambda turn: {"move": "bid LB 40"}),
    "whatif move": ("look", lambda turn: {"move": "bid LB 40"}),
    "whatif show": ("look", nothing),
    "whatif back": ("look", nothing),
    "whatif drop": ("look", nothing),
    "export": ("export", lambda turn: {"form": ("own", "18xx")[turn.n % 2]}),
    "game clone": ("copy", nothing),
}

PRIVATE: dict[str, tuple[str, Options]] = {
    "undo": ("undo", nothing),
    "redo": ("undo", nothing),
    "whatif plan": ("order", nothing),
    "whatif make": ("move", nothing),
    "vote yes": ("answer", nothing),
    "vote no": ("answer", nothing),
    "board link": ("link", nothing),
    "board mine": ("key", nothing),
    "board calendar": ("key", nothing),
    "board links": ("link", nothing),
    "board withdraw": ("link", nothing),
    "plan": ("order", lambda turn: {"order": turn.secret_order()}),
    "auto say": ("order", lambda turn: {"order": turn.secret_order()}),
    "auto bid": ("order", lambda turn: {"lot": "LB", "most": turn.secret_sum()}),
    "auto buy": ("order", lambda turn: {"company": "LNWR"}),
    "auto pass": ("order", nothing),
    "auto run": ("order", lambda turn: {"company": "LNWR"}),
    "auto drop": ("order", nothing),
    "auto list": ("order", nothing),
    "clock snooze": ("remind", lambda turn: {"hours": 5 + turn.n % 9}),
    "clock mute": ("remind", lambda turn: {"muted": turn.n % 2 == 0}),
    "game quiet": ("remind", lambda turn: {"zone": "Europe/Berlin", "begin": turn.n % 6, "end": 8}),
    "game sitter": ("own", lambda turn: {"member": turn.member, "days": turn.n % 4}),
    "vote end": ("ask", nothing),
    "vote undo": ("ask", lambda turn: {"record": turn.record}),
    "vote replace": ("ask", lambda turn: {"seat": turn.seat, "member": turn.member}),
    "advice": ("advice", nothing),
    "vote computer": ("ask", lambda turn: {"seat": turn.seat}),
    "vote moderator": ("ask", lambda turn: {"seat": turn.seat}),
    "rematch": ("own", nothing),
    "vote skip": ("ask", lambda turn: {"seat": turn.seat}),
    "vote clock": ("ask", lambda turn: {"clock": "weekly"}),
    "vote fine": ("ask", lambda turn: {"seat": turn.seat, "amount": 1}),
}

MODERATION: dict[str, tuple[str, Options]] = {
    "moderate act": ("act", lambda turn: {"move": ("bid LB 40", "bid AF 30", "pass")[turn.n % 3]}),
    "moderate rewind": ("rewind", lambda turn: {"record": turn.record}),
    "moderate status": ("status", lambda turn: {"status": STATUSES[turn.n % 3]}),
    "moderate rules": ("rules", nothing),
    "moderate replace": ("replace", lambda turn: {"seat": turn.seat, "member": turn.member}),
    "moderate cash": (
        "correct",
        lambda turn: {"owner": str(turn.seat), "amount": 100 + turn.n % 9, "reason": "because"},
    ),
    "moderate token": (
        "correct",
        lambda turn: {"what": "token", "company": "LNWR", "space": "H11", "reason": "because"},
    ),
    "moderate sitter": ("sitter", lambda turn: {"seat": turn.seat, "member": turn.member, "days": turn.n % 4}),
    "moderate pace": ("pace", lambda turn: {"pace": PACES[turn.n % 3]}),
    "moderate handover": ("handover", lambda turn: {"member": turn.member}),
    "language game": ("language", lambda turn: {"language": LANGUAGES[turn.n % 2]}),
}

BY_NUMBER: dict[str, tuple[str, Options]] = {
    "game invite": ("invite", nothing),
    "game open": ("open", lambda turn: {"reach": ("everybody", "server")[turn.n % 2], "note": turn.name}),
    "moderate vouch": ("vouch", nothing),
    "game options": ("options", nothing),
    "game option": ("options", lambda turn: {"option": "rules=rulebook"}),
    "game computer": ("computer", lambda turn: {"strength": ("learner", "none")[turn.n % 2]}),
    "game leave": ("leave", nothing),
    "game rating": ("options", lambda turn: {"choice": ("rated", "unrated")[turn.n % 2]}),
    "game watch": ("options", lambda turn: {"choice": turn.n % 2 == 0}),
    "game clock": ("clock", lambda turn: {"clock": ("none", "weekly")[turn.n % 2]}),
    "game start": ("start", lambda turn: {"order": "list"}),
    "moderate here": ("place", nothing),
}
"""Commands that name their game, from wherever they are typed."""

ALONE: dict[str, tuple[str, Options]] = {
    "games": ("", nothing),
    "results": ("", nothing),
    "record": ("", nothing),
    "tables list": ("", nothing),
    "puzzle": ("new", nothing),
    "season open": ("", lambda turn: {"title": "18GB"}),
    "season enter": ("", lambda turn: {"season": 1 + turn.n % 3}),
    "season leave": ("", nothing),
    "season cancel": ("", nothing),
    "season list": ("", nothing),
    "season show": ("", lambda turn: {"season": 1 + turn.n % 3}),
    "substitute list": ("", nothing),
    "substitute on": ("", lambda turn: {"titles": "18GB"}),
    "tables watch": ("", nothing),
    "tables page": ("", lambda turn: {"choice": turn.n % 2 == 0, "name": "Club"}),
    "follow game": ("", lambda turn: {"game": turn.game.number}),
    "follow person": ("", lambda turn: {"member": turn.member}),
    "follow season": ("", lambda turn: {"season": 1 + turn.n % 3}),
    "follow list": ("", nothing),
    "follow stop": ("", lambda turn: {"number": 1 + turn.n % 3}),
    "privacy followers": ("", lambda turn: {"audience": ("nobody", "tables", "everybody")[turn.n % 3]}),
    "tables tell": ("", lambda turn: {"title": "18GB"}),
    "tables share": ("", lambda turn: {"choice": turn.n % 2 == 0}),
    "privacy record": ("", lambda turn: {"audience": ("nobody", "tables", "everybody")[turn.n % 3]}),
    "privacy export": ("", nothing),
    "language mine": ("", lambda turn: {"language": "en"}),
    "mail address": ("", lambda turn: {"address": "ann@home.example"}),
    "mail send": ("", lambda turn: {"what": "turns"}),
    "mail also": ("", lambda turn: {"address": "none"}),
    "mail forget": ("", nothing),
    "game new": ("new", lambda turn: {"title": "18GB", "seats": 1 + turn.n % 2}),
    "game import": ("import", lambda turn: {"file": ("game.json", FILE)}),
    "clock away": ("remind", lambda turn: {"days": turn.n % 4}),
    "clock quiet": ("remind", lambda turn: {"zone": "Europe/Paris", "begin": turn.n % 6, "end": 8}),
}
"""Commands about all games of whoever asks, or about none."""

LEFT_OUT = {"board hook", "board token", "lesson", "privacy erase", "substitute take", "tables block"} | {
    f"notify {name}" for name in ("add", "list", "test", "remove")
}
"""Takes a person out of all his games for good (tests/service/test_privacy.py); a volunteer asks for a seat that a table offers, and
people are kept apart, a lesson is one person's (tests/service/test_substitutes.py, tests/service/test_open_tables.py); programs have rights of their own
(tests/web/test_program_api.py, tests/web/test_hooks.py); notices go to addresses of one's own (tests/web/test_notices.py)."""

TYPING: tuple[tuple[str, str], ...] = (
    ("move", "move"),
    ("try", "move"),
    ("whatif move", "move"),
    ("moderate act", "move"),
    ("moderate replace", "seat"),
    ("moderate rewind", "record"),
    ("moderate cash", "owner"),
    ("moderate token", "company"),
    ("vote undo", "record"),
    ("game clone", "record"),
    ("player", "name"),
    ("company", "name"),
    ("map", "around"),
    ("log", "about"),
    ("tiles", "which"),
    ("plan", "order"),
    ("auto say", "order"),
    ("auto bid", "lot"),
    ("auto drop", "order"),
)
"""Completions that tell of the game that is played where somebody types."""

OWN_TYPING = (("moderate here", "game"), ("game start", "game"), ("game leave", "game"))
"""Completions that tell of one's own games."""

FORGED = (
    "mv:{game}:{version}:{move}",
    "look:{game}:market",
    "look:{game}:help",
    "look:{game}:news",
    "look:{game}:auto",
    "look:{game}:board",
    "lobby:{game}:join",
    "lobby:{game}:leave",
    "lobby:{game}:start",
    "lobby:{game}:options",
    "lobby:{game}:computer",
    "op:{game}:0",
    "gd:{game}:{version}:bid::0",
    "gs:{game}:{version}:bid::0",
    "gp:{game}:{version}:bid:0.0",
    "gm:{game}:{version}:bid:0",
    "gw:{game}:{version}:bid:",
    "if:{game}:{version}:commit",
    "if:{game}:{version}:drop",
    "vu:{game}:{record}",
    "sn:{game}",
    "rm:{game}",
    "rw:{game}:{version}:{record}",
    "au:{game}:pass:0",
    "au:{game}:drop:{order}",
    "qa:{question}:yes",
    "qa:{question}:no",
)
"""Buttons and menus that somebody may claim to have been shown."""

FORGED_FORMS = {"move:{game}:{version}:bid:": ("move", "bid LB 40"), "sum:{game}:{version}:bid:0": ("sum", "45")}
"""Forms, with the field and what is entered."""

CHANCES = ("give_role", "take_role", "leave", "come", "days", "late", "thread", "links", "ban", "lift")
COMMANDS = {**LOOKS, **PRIVATE, **MODERATION}
DEEDS = [
    *LOOKS,
    *(3 * [*PRIVATE]),
    *(5 * [*MODERATION]),
    *(5 * [*BY_NUMBER]),
    *(2 * [*ALONE]),
    *(f"types {command} {option}" for command, option in (*TYPING, *OWN_TYPING)),
    *(2 * [f"forges {shape}" for shape in (*FORGED, *FORGED_FORMS)]),
    *(20 * ["moves", "presses"]),
    *(7 * ["joins"]),
    *(5 * ["joins often", "joins by code"]),
    *(4 * ["says", "sends"]),
    *(7 * ["give_role"]),
    *(4 * ["leave", "come", "take_role", "days"]),
    *(4 * ["ban"]),
    *(2 * ["late", "lift"]),
    *(10 * ["moderate here"]),
    *(10 * ["moderates once"]),
    *(5 * ["is kept out"]),
    *(30 * ["browses", "sends to the page"]),
    *(10 * ["links"]),
    *(5 * ["peeps", "sits too long", "asks the table", "game clone", "export"]),
    "thread",
]
"""Everything that is tried or happens, as often as it is tried."""

DIRECTLY = ("games", "privacy export", *(deed for deed in DEEDS if deed.startswith("forges")))
"""What Discord lets be tried in a conversation with the bot."""

RIGHT_OF = {
    "mv": "move",
    "gd": "move",
    "gs": "move",
    "gx": "move",
    "gp": "move",
    "gm": "move",
    "gw": "move",
    "move": "move",
    "sum": "move",
    "look": "look",
    "op": "options",
    "un": "undo",
    "vu": "ask",
    "sn": "remind",
    "rm": "own",
    "rw": "rewind",
    "au": "order",
    "pd": "order",
    "pn": "order",
    "plan": "order",
    "qa": "answer",
}
"""What a component needs, by how its id begins."""


def right_of(custom_id: str) -> str:
    """The right that a component needs."""
    kind, _, *rest = custom_id.split(":")
    if kind == "lobby":
        return rest[0]
    if kind == "look":
        return {"auto": "order", "board": "link"}.get(rest[0], "look")
    if kind == "if":
        return "move" if rest[-1] == "commit" else "look"
    return RIGHT_OF[kind]


def game_of(custom_id: str, facts: Facts) -> Game | None:
    """The game that a component is about."""
    kind, number, *_ = custom_id.split(":")
    if kind == "qa":
        found = next((key[0] for key in facts.all if key[1:] == ("question", int(number))), None)
        return facts.games.get(found) if found is not None else None
    return facts.games.get(int(number))


def filled(shape: str, turn: Turn) -> str:
    """A forged id about a game."""
    numbers = {kind: [key[2] for key in turn.facts.all if key[:2] == (turn.game.number, kind)] for kind in KINDS}
    found = {kind: keys[turn.n % len(keys)] if keys else 1 for kind, keys in numbers.items()}
    move = ("bid LB 40", "@1 bid LB 40", "@2 bid AF 30", "pass")[turn.n % 4]
    return shape.format(game=turn.game.number, version=turn.game.version, record=turn.record, move=move, **found)


KINDS = ("order", "question")
