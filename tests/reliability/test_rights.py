"""Nobody ever gains what docs/reference/security.md does not give: random people try random things in several servers, while roles
are given and taken, and people come and go. The model is written from the page (rights_model.py), the judge compares
what the database says before and after (rights_judge.py), and what was shown."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from discord import Client, Intents
from discord.app_commands import CommandTree, Group
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from bot.commands.discord.bot import add_commands
from bot.store import Server
from tests.discord_double.model import Channel, walk_components
from tests.permissions_model.actions import (
    ALONE,
    BY_NUMBER,
    CHANCES,
    COMMANDS,
    DEEDS,
    DIRECTLY,
    FORGED,
    FORGED_FORMS,
    LEFT_OUT,
    MODERATION,
    OWN_TYPING,
    PRIVATE,
    Turn,
    filled,
    game_of,
)
from tests.permissions_model.board_page import CHANGES as PAGE_CHANGES
from tests.permissions_model.board_page import (
    NOBODY,
    WAYS,
    Asked,
    act_of,
    answered_wrongly,
    asked_with,
    body_of,
    chosen_of,
    fetched,
    links_in,
    read_paths,
)
from tests.permissions_model.oracle import wrongs
from tests.permissions_model.rights_page import RIGHTS, Act, Game, people_of
from tests.permissions_model.state import CHANNELS, PEOPLE, Answer, House, act_at
from tests.permissions_model.trials import Judged
from tests.permissions_model.witness import posted

STEPS, EXAMPLES_IN_SUITE, EXAMPLES_IN_SOAK, EXAMPLES_OF_A_PART = 50, 14, 210, 30
MOST_UNTRIED = 10
"""Of the rights, and of the parts of the board page, a part of the campaign may miss so many; together the parts try all both ways."""

WHO = st.sampled_from(
    [*PEOPLE, *(2 * ["the opener", "whoever is asked", "a moderator"]), "a player", "a player", "a sitter"]
)
WHERE = st.sampled_from([*(6 * ["its place"]), "its channel", *CHANNELS, "a thread", "directly"])
GAME, OTHER = st.integers(0, 5), st.sampled_from(PEOPLE)


class Trials(Judged):
    """People who try things."""

    # -- what people try ------------------------------------------------------------------------------

    @initialize()
    def games_are_opened(self) -> None:
        """A game in a thread, one in a channel where threads may not be opened, a lobby."""
        self.house.run(self._open_games())

    async def _open_games(self) -> None:
        for opener, channel, *others in (("Ann", "club", "Bob", "Cid"), ("Dora", "third", "Fay"), ("Eve", "club")):
            place = self.club.channels[channel]
            await self.club.slash(opener, "game new", place, title="18GB", seats=2)
            number = max(self.club.facts().games)
            for who in others:
                await self.club.slash(who, "game join", place, game=number, name=f"{who}At{number}x")
            if others:
                begun = await self.club.slash(opener, "game start", place, game=number, order="list")
                assert "has begun" in begun.text
                begun_at = self.club.threads()[-1] if channel == "club" else place
                for who in (opener, *others):
                    await self._given_link(who, begun_at)
        self.club.facts()
        self.club.posted()

    async def _given_link(self, who: str, place: Channel) -> None:
        """Everybody has a personal link, and one to look."""
        for command in ("board mine", "board link"):
            answer = await self.club.slash(who, command, place)
            self.club.links += links_in(answer.text, self.club.facts())

    @rule(deed=st.sampled_from(DEEDS), who=WHO, where=WHERE, game_id=GAME, other=OTHER, n=st.integers(0, 60))
    def somebody(self, deed: str, who: str, where: str, game_id: int, other: str, n: int) -> None:
        """Somebody tries something somewhere; or, where the deed is none of his, something happens to him."""
        if deed in CHANCES:
            self._happens(deed, other, n)
            if deed == "links":
                self._browse(self._turn(who, where, game_id, other, n), is_given=False)
            return
        where = "its place" if where == "directly" and deed not in DIRECTLY else where
        # A game is there already.
        where = list(CHANNELS)[n % len(CHANNELS)] if (deed, where) == ("moderate here", "its place") else where
        turn = self._turn(who, where, game_id, other, n)
        kind, _, what = deed.partition(" ")
        if deed in COMMANDS:
            self._command(turn, deed)
        elif deed == "moderates once":
            self._moderate_once(turn)
        elif deed == "is kept out":
            self._is_kept_out(turn)
        elif deed in BY_NUMBER:
            self._name_game(turn, deed)
        elif deed in ALONE:
            self._ask_of_himself(turn, deed)
        elif kind == "types":
            self._type(turn, what)
        elif kind == "forges":
            self._forge(turn, what)
        else:
            {
                "joins": self._join,
                "joins often": self._join_often,
                "joins by code": self._join_by_code,
                "moves": self._move,
                "peeps": self._peep,
                "sits too long": self._sit_too_long,
                "asks the table": self._ask_the_table,
                "says": self._say,
                "presses": self._press,
                "browses": self._browse,
                "sends to the page": self._send_to_page,
                "sends": self._send,
            }[deed](turn)

    def _command(self, turn: Turn, command: str) -> None:
        """A command about the game that is played where it is typed."""
        right, options = COMMANDS[command]
        given = options(turn)
        named = self.club.key(turn.other) if "member" in given else ""
        act = act_at(self.club, turn.facts, right, turn.who, turn.channel, named=named)
        shown = {name: getattr(value, "name", value) for name, value in given.items()}
        self._try(turn, act, f"{command} {shown}", self.club.slash(turn.who, command, turn.channel, **given))

    def _moderate_once(self, turn: Turn) -> None:
        """Somebody has a role for one act, in his own favour, and tries the same without it."""
        command = list(MODERATION)[turn.n % len(MODERATION)]
        for what in ("give_role", "take_role"):
            server = next((name for name, guild in self.club.servers.items() if guild is turn.channel.guild), "club")
            self._happens_to(what, turn.who, server)
            facts = self.club.facts()
            self._command(replace(turn, facts=facts, game=facts.games[turn.game.number], other=turn.who), command)

    def _name_game(self, turn: Turn, command: str) -> None:
        """A command with the number of a game, from anywhere."""
        right, options = BY_NUMBER[command]
        act = act_at(self.club, turn.facts, right, turn.who, turn.channel, turn.game)
        doing = self.club.slash(turn.who, command, turn.channel, game=turn.game.number, **options(turn))
        self._try(turn, act, command, doing)

    def _ask_of_himself(self, turn: Turn, command: str) -> None:
        """His own games, his data, new games."""
        right, options = ALONE[command]
        about = tuple(turn.facts.games) if right == "remind" else ()
        act = Act(right, self.club.key(turn.who), self.club.spot(turn.channel), about)
        self._try(turn, act, command, self.club.slash(turn.who, command, turn.channel, **options(turn)), is_own=True)

    def _join(self, turn: Turn) -> None:
        """Taking a seat: without an invitation, with the newest, an older one, or one of another game."""
        own = self.club.codes.get(turn.game.number, [])
        every = [code for codes in self.club.codes.values() for code in codes]
        self._join_with(turn, ("", own[-1] if own else "", every[turn.n % len(every)] if every else "")[turn.n % 3])

    def _join_with(self, turn: Turn, code: str) -> None:
        own = self.club.codes.get(turn.game.number, [])
        is_invited = bool(own) and code == own[-1]
        act = act_at(self.club, turn.facts, "join", turn.who, turn.channel, turn.game, is_invited=is_invited)
        options = {"game": turn.game.number, "name": turn.name, **({"invitation": code} if code else {})}
        self._try(turn, act, f"game join {options}", self.club.slash(turn.who, "game join", turn.channel, **options))

    def _join_often(self, turn: Turn) -> None:
        """Taking more seats in a lobby than anybody may have."""
        for _ in range(3):
            self._join(self._at_lobby(turn))

    def _join_by_code(self, turn: Turn) -> None:
        """The opener of a lobby invites twice; somebody elsewhere tries the older code, a guess and the newer one."""
        at_home = self._at_lobby(turn)
        opener = self._actor("the opener", at_home.game, at_home.facts)
        for _ in range(2):
            self._name_game(self._at_lobby(replace(turn, who=opener)), "game invite")
        codes = self.club.codes.get(at_home.game.number, [])
        for code in (*codes[-2:-1], "guess", *codes[-1:]):
            for channel in self._elsewhere(turn.who, at_home.game):
                self._join_with(replace(self._at_lobby(turn), channel=channel), code)

    def _is_kept_out(self, turn: Turn) -> None:
        """Banned people try to open a lobby, to join one, and to be brought to strangers; an opener to let others come to them."""
        opener = self.club.name(self._at_lobby(turn).game.opener) or "Ann"
        inside = {self.club.name(person) for person in people_of(turn.game)}
        stranger = next(name for name in PEOPLE if name not in {opener, turn.who, *inside})
        for banned, who, deed in (
            (opener, opener, "game open"),
            ("", opener, "game open"),
            (stranger, stranger, "join"),
        ):
            self._happens_to("ban" if banned else "lift", banned or opener, "club")
            now = self._at_lobby(replace(turn, who=who, n=0))
            now = replace(now, channel=self._channel("its place", now.game, who, 0))
            if deed == "join":
                self._join_with(now, (self.club.codes.get(now.game.number) or [""])[-1])
            else:
                self._name_game(now, deed)
        self._happens_to("strangers", stranger, "club")
        for deed in ("moderate replace", "moderate sitter", "moderate handover"):
            facts = self.club.facts()
            game = facts.games[turn.game.number]
            who = self.club.name(game.opener) or "Ann"
            place = self._channel("its place", game, who, 0)
            self._command(Turn(self.club, facts, who, place, game, stranger, 1), deed)
        self._happens_to("lift", stranger, "club")

    def _elsewhere(self, who: str, game: Game) -> list[Channel]:
        """A channel of another server that somebody can read, if there is one."""
        account, channels = self.club.people[who].account, self.club.channels.values()
        return [one for one in channels if one.guild and one.guild.id != game.server and one.is_open_to(account)][:1]

    def _at_lobby(self, turn: Turn) -> Turn:
        """The same in a lobby, if there is one."""
        facts = self.club.facts()
        game = next((game for game in facts.games.values() if game.status == "lobby"), facts.games[turn.game.number])
        return replace(turn, facts=facts, game=game, channel=self._channel("its place", game, turn.who, 0))

    def _sit_too_long(self, turn: Turn) -> None:
        """Somebody sits in for whoever is asked, and moves when his days are over."""
        game, opener = turn.game, self._actor("the opener", turn.game, turn.facts)
        asked = next(iter(turn.facts.of(game.number, "clock")), 1)
        n = {1: 3, 2: 1, 3: 2}.get(asked, 1)
        for_opener = replace(turn, who=opener, channel=self._channel("its place", game, opener, 0), other=turn.who, n=n)
        self._command(for_opener, "moderate sitter")
        self._command(replace(turn, facts=self.club.facts()), list(PRIVATE)[turn.n % len(PRIVATE)])
        self._command(replace(turn, facts=self.club.facts()), "board mine")
        self._happens_to("days", turn.who, "club")
        facts = self.club.facts()
        self._move(replace(turn, facts=facts, game=facts.games[game.number]))
        self._browse(replace(turn, facts=facts), is_given=False)

    def _ask_the_table(self, turn: Turn) -> None:
        """A player asks whether the game shall end; everybody answers, seated or not."""
        seated = [name for seat in turn.game.seats if (name := self.club.name(seat.person))]  # the others are computers
        for who in seated[:1]:
            place = self._channel("its place", turn.game, who, 0)
            self._command(replace(turn, who=who, channel=place), "vote end")
        for number, who in enumerate(PEOPLE):
            facts = self.club.facts()
            if (game := facts.games.get(turn.game.number)) is not None:
                place = self._channel("its place", game, who, 0)
                now = replace(turn, who=who, channel=place, facts=facts, game=game)
                self._forge(now, "qa:{question}:no" if number % 2 else "qa:{question}:yes")

    def _offered(self, turn: Turn) -> str:
        _, offered = self.house.run(self.club.complete(turn.who, "move", turn.channel, "move"))
        return str(offered[turn.n % len(offered)]) if offered else f"bid LB {40 + 5 * (turn.n % 9)}"

    def _move(self, turn: Turn) -> None:
        """A move that is offered to him, else any."""
        text = self._offered(turn)
        act = act_at(self.club, turn.facts, "move", turn.who, turn.channel)
        self._try(turn, act, f"move {text}", self.club.slash(turn.who, "move", turn.channel, move=text))

    def _say(self, turn: Turn) -> None:
        """The same in words."""
        text = self._offered(turn)
        act = act_at(self.club, turn.facts, "move", turn.who, turn.channel)
        doing = self.club.say(turn.who, turn.channel, text, bool(act.about))
        self._try(turn, act, f"says {text}", doing)

    def _type(self, turn: Turn, what: str) -> None:
        """Completions of the game that is played there, and of one's own games."""
        command, _, option = what.rpartition(" ")
        is_own = (command, option) in OWN_TYPING
        act = act_at(self.club, turn.facts, "look", turn.who, turn.channel)
        act = replace(act, about=()) if is_own else act
        answer = self._try(turn, act, f"types {what}", self._completed(turn, command, option), is_own)
        if answer is not None and is_own:
            offered = {int(line.split(":")[0]) for line in answer.text.splitlines()}
            foreign = [number for number in offered if act.person not in self.club.known.get(number, ())]
            assert not foreign, f"{turn.who} is offered the games {foreign}"
        elif answer is not None and not act.about:
            assert not answer.text, f"there is no game, but {answer.text}"

    async def _completed(self, turn: Turn, command: str, option: str) -> Answer:
        answer, _ = await self.club.complete(turn.who, command, turn.channel, option)
        return answer

    def _forge(self, turn: Turn, shape: str) -> None:
        """A button, menu or form that was never made, on a message that stands there."""
        custom_id = filled(shape, turn)
        if shape in FORGED_FORMS:
            doing = self.club.forge_form(turn.who, turn.channel, custom_id, *FORGED_FORMS[shape])
        else:
            doing = self.club.forge(turn.who, turn.channel, custom_id, "18xx.games" if shape.startswith("op") else "0")
        self._component(turn, custom_id, f"forges {custom_id}", doing)

    def _peep(self, turn: Turn) -> None:
        """A stranger looks at a game through a button that stands elsewhere."""
        known = self.club.known[turn.game.number]
        for who in [name for name in PEOPLE if self.club.key(name) not in known][:1]:
            for channel in self._elsewhere(who, turn.game):
                self._forge(replace(turn, who=who, channel=channel), FORGED[1 + turn.n % 3])

    def _links(self, turn: Turn, is_given: bool = True) -> Iterator[tuple[Turn, Asked]]:
        """Somebody is given a link, or withdraws his; then links of all kinds are used, rightly and wrongly."""
        command = ("board mine", "board link", "board mine", "board withdraw")[turn.n % 4]
        if is_given:
            self._command(turn, command)
        for number, (link, way) in enumerate(product(chosen_of(self.club.links, turn.n), WAYS), turn.n):
            facts = self.club.facts()
            now = replace(turn, facts=facts, game=facts.games[turn.game.number], n=number)
            yield now, asked_with(link, way, facts, now.game)

    def _browse(self, turn: Turn, is_given: bool = True) -> None:
        """Somebody opens a page, or asks what the page asks; whatever he is answered, nothing changes."""
        for now, asked in self._links(turn, is_given):
            for path, needs_seat in read_paths(asked, now.n):
                self._page(now, asked, Act("look", "", NOBODY, ()), path, None, needs_seat)

    def _send_to_page(self, turn: Turn) -> None:
        """Somebody moves, takes back, keeps notes by the page."""
        for now, asked in self._links(turn):
            what = list(PAGE_CHANGES)[now.n % len(PAGE_CHANGES)]
            act = act_of(asked, PAGE_CHANGES[what], now.facts)
            self._page(now, asked, act, what, body_of(what, asked, now.n, turn.secret_sum()), True)

    def _page(
        self, turn: Turn, asked: Asked, act: Act, path: str, body: dict[str, object] | None, needs_seat: bool
    ) -> None:
        status, text = self.house.run(fetched(asked, path, body))
        self.story.append(f"{asked.root}{path} {body or ''} by {asked.held} => {status} {' '.join(text.split())[:150]}")
        self.house.pages[re.split("[?/]", path)[0], status == 200] += 1
        found = answered_wrongly(asked, turn.facts, path, status, text, needs_seat, self.club)
        after = self.club.facts()
        self._left_a_thread_that_is_gone(turn.facts, after)
        found += wrongs(act, turn.facts, after, self.club.rolls())
        found += posted(self.club, (turn.facts, after))
        assert not found, "\n".join(["", *self.story, "", *found])

    def _send(self, turn: Turn) -> None:
        """A form that he opened at some time."""
        forms = self.club.forms.get(turn.who, [])
        if forms:
            form = forms[turn.n % len(forms)]
            custom_id = str(form.modal["custom_id"])
            self._component(turn, custom_id, f"sends {custom_id}", self.club.submit(turn.who, form, "bid LB 45"))

    def _press(self, turn: Turn) -> None:
        """A button or menu of a message that he sees, however old."""
        public = [message for message in turn.channel.messages[-6:] if message.components]
        used = [
            (message, part)
            for message in [*self.club.panels.get(turn.who, []), *public]
            for part in walk_components(message.components)
            if part["type"] in (2, 3) and part.get("custom_id") and not part.get("disabled")
        ]
        if not used:
            return
        message, part = used[-1 - turn.n % len(used)]
        custom_id = str(part["custom_id"])
        if game_of(custom_id, turn.facts) is not None:
            value = part["options"][turn.n % len(part["options"])]["value"] if part["type"] == 3 else None
            doing = self.club.press(turn.who, message, custom_id, value)
            self._component(replace(turn, channel=message.channel), custom_id, f"presses {custom_id}", doing)

    def teardown(self) -> None:
        """Banned people are kept out; whoever plays moves, takes back, keeps notes by the page; at last the time of all links to look is
        over."""
        self._is_kept_out(self._turn("the opener", "its place", 0, "Ann", 0))
        if self.club.links:
            for n in range(len(PAGE_CHANGES)):
                self._send_to_page(self._turn("whoever is asked", "its place", 0, "Ann", n))
            self._happens_to("links", "Ann", "club")
            self._browse(self._turn("Ann", "its place", 0, "Ann", 0), is_given=False)


Tried = Counter[tuple[str, bool]]
"""How often each was there, or was answered, and was not."""


def try_everything(
    folder: Path, database: Path | Server, examples: int, part: int | None = None
) -> tuple[Tried, Tried]:
    """So many examples of so many steps, with one bot, others in each part of a campaign; returns rights, and parts of the board page."""
    with asyncio.Runner() as runner:
        house = House(runner, folder, database)

        def trials() -> Trials:
            return Trials(house)

        try:
            run_state_machine_as_test(
                trials if part is None else seed(part)(trials),
                settings=settings(
                    max_examples=examples,
                    stateful_step_count=STEPS,
                    deadline=None,
                    derandomize=True,
                    database=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(house.double.close())
    return house.tried, house.pages


def test_every_command_is_tried() -> None:
    tree = CommandTree(Client(intents=Intents.none()))
    add_commands(tree)
    every = {command.qualified_name for command in tree.walk_commands() if not isinstance(command, Group)}
    assert every == {*COMMANDS, *BY_NUMBER, *ALONE, *LEFT_OUT, "move", "game join"}


@pytest.mark.whole
def test_nobody_gains_what_the_page_does_not_give(tmp_path: Path, place: Path | Server) -> None:
    tried, pages = try_everything(tmp_path, place, EXAMPLES_IN_SUITE)
    assert sum(tried[right, True] for right in RIGHTS) > 100 and sum(tried[right, False] for right in RIGHTS) > 50
    for kind in ((True, True), (True, False), (False, True), (False, False)):
        assert sum(times for (path, given), times in pages.items() if (path in PAGE_CHANGES, given) == kind) > 5, kind


@pytest.mark.soak
@pytest.mark.parametrize("part", range(EXAMPLES_IN_SOAK // EXAMPLES_OF_A_PART))
def test_nobody_gains_it_in_ten_thousand_steps(
    tmp_path: Path, place: Path | Server, part: int, record_property: pytest.RecordProperty
) -> None:
    tried, pages = try_everything(tmp_path, place, EXAMPLES_OF_A_PART, part)
    untried = {(what, given) for what, _ in pages for given in (True, False) if not pages[what, given]}
    # A pass that can be tried and a train that runs belong to positions to which these steps need not come.
    untried -= {("try", True), ("tapped", True)}
    used = [right for right in RIGHTS if right not in ("succeed", "unlink", "note", "mail")]
    unused = [right for right in used if not tried[right, True] or not tried[right, False]]
    record_property("figure", f"part {part}: not tried both ways: {sorted(untried)}, {unused}")
    assert len(untried) <= MOST_UNTRIED and len(unused) <= MOST_UNTRIED, (untried, unused)
