"""Whoever tries something is somebody, somewhere, about some game; what came of it is held against the model. What just
happens to people is here, too."""

from __future__ import annotations

import re
from collections.abc import Coroutine
from hashlib import sha256
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine

from tests.discord_double.model import Channel
from tests.permissions_model.actions import Turn, game_of, right_of
from tests.permissions_model.board_page import links_in
from tests.permissions_model.facts import Facts, rewrite
from tests.permissions_model.oracle import wrongs
from tests.permissions_model.rights_page import RIGHTS, Act, Game, granted, has, parts
from tests.permissions_model.state import SERVERS, Answer, Club, House
from tests.permissions_model.witness import posted, shown

WANTING = re.compile(
    "Only the moderator|You have no seat|not played here|another server|Only the opener|Only players of this game|"
    "nothing to take back here|No game is played|Another game was played|You may not write here|need the right to manage"
)
"""What is said for want of rights, and for nothing else."""
EIGHT_DAYS = 8 * 86400.0


class Judged(RuleBasedStateMachine):
    """Tries of people, each judged."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self.house = house
        self.club = Club.open(house.double, house.database)
        self.story: list[str] = []

    # -- what happens ---------------------------------------------------------------------------------

    def _happens(self, what: str, who: str, n: int) -> None:
        """Roles are given and taken, people leave and come back; sitters' days are over, turns take long, a thread goes."""
        self._happens_to(what, who, list(SERVERS)[n % len(SERVERS)])

    def _happens_to(self, what: str, who: str, server: str) -> None:
        self.story.append(f"{what} ({who}, {server})")
        if what == "days":
            rewrite(
                self.house.database,
                "UPDATE seats SET sitter_until = 1 WHERE game > ? AND sitter != ''",
                self.club.since,
            )
        elif what == "links":
            rewrite(
                self.house.database,
                "UPDATE links SET until = 1 WHERE game > ? AND used_at IS NULL AND kind = 'look'",
                self.club.since,
            )
        elif what == "late":
            rewrite(
                self.house.database,
                f"UPDATE clocks SET since = since - {EIGHT_DAYS} WHERE game > ?",
                self.club.since,
            )
        elif what == "ban":
            digest = sha256(self.club.key(who).encode()).hexdigest()
            rewrite(
                self.house.database, "INSERT INTO bans (digest, since) VALUES (?, 1) ON CONFLICT DO NOTHING", digest
            )
        elif what == "strangers":
            rewrite(
                self.house.database,
                "INSERT INTO openings (game, reach, level, note, vouched, opened_at)"
                " SELECT id, 'everybody', '', '', 0, 1 FROM games WHERE id > ? AND status != 'lobby' ON CONFLICT DO NOTHING",
                self.club.since,
            )
        elif what == "lift":
            rewrite(self.house.database, "DELETE FROM bans")
        elif what == "thread":
            if threads := self.club.threads():
                self.house.run(in_loop(self.house.double.delete_channel, threads[0]))
        else:
            self.house.run(in_loop(getattr(self.club, what), who, server))

    # -- how it is judged -----------------------------------------------------------------------------

    def _turn(self, who: str, where: str, game_id: int, other: str, n: int) -> Turn:
        facts = self.club.facts()
        meant = list(facts.games.values())[game_id % len(facts.games)]
        actor = self._actor(who, meant, facts)
        return Turn(self.club, facts, actor, self._channel(where, meant, actor, n), meant, other, n)

    def _actor(self, who: str, game: Game, facts: Facts) -> str:
        if who == "the opener":
            return self.club.name(game.opener) or "Ann"
        if who == "whoever is asked":
            asked = facts.of(game.number, "clock")
            return next((self.club.name(seat.person) for seat in game.seats if seat.number in asked), "") or "Bob"
        if who == "a player":
            return next((self.club.name(one.person) for one in game.seats if one.person != game.opener), "") or "Bob"
        if who == "a sitter":
            return next((self.club.name(seat.sitter) for seat in game.seats if seat.sitter), "") or self.club.was_sitter
        if who == "a moderator":
            roles = next((guild.moderators for guild in self.club.servers.values() if guild.id == game.server), set())
            return next((name for name, person in self.club.people.items() if person.id in roles), "Dora")
        return who

    def _channel(self, where: str, game: Game, who: str, n: int) -> Channel:
        """The channel that is meant; where he cannot read it, the first that he can."""
        person, threads = self.club.people[who], self.club.threads()
        named = {"directly": person.dm, "its place": self.club.place(game), **self.club.channels}
        named["its channel"] = self.house.double.world.channels.get(game.channel)
        named["a thread"] = threads[n % len(threads)] if threads else None
        open_to_him = [one for one in self.club.channels.values() if one.is_open_to(person.account)]
        found = named[where]
        if found is not None and found.is_open_to(person.account):
            return found
        return open_to_him[n % len(open_to_him)] if open_to_him else person.dm

    def _component(self, turn: Turn, custom_id: str, what: str, doing: Coroutine[Any, Any, Answer]) -> None:
        game = game_of(custom_id, turn.facts)
        spot = self.club.spot(turn.channel)
        act = Act(right_of(custom_id), self.club.key(turn.who), spot, (game.number,) if game else ())
        self._try(turn, act, what, doing)

    def _try(
        self, turn: Turn, act: Act, what: str, doing: Coroutine[Any, Any, Answer], is_own: bool = False
    ) -> Answer | None:
        """Do it, and judge."""
        where = f"{turn.channel.guild.name if turn.channel.guild else 'directly'}/{turn.channel.name}"
        self.story.append(f"{turn.who} in {where}, about {act.about or turn.game.number}: {what}")
        answer: Answer = self.house.run(doing)
        if not answer.was_sent:
            self.story[-1] += " (his client refuses)"
            return None
        self.story[-1] += f" => {' '.join(answer.text.split())[:150]}"
        self._check(act, turn.facts, answer, is_own)
        return answer

    def _check(self, act: Act, before: Facts, answer: Answer, is_own: bool) -> None:
        after = self.club.facts()
        self.club.links += links_in(answer.text, after)
        self._left_a_thread_that_is_gone(before, after)
        rolls = self.club.rolls()
        given = granted(act, before.games, rolls)
        if act.right in RIGHTS:
            self.house.tried[act.right, bool(given)] += 1
        found = wrongs(act, before, after, rolls)
        found += shown(self.club, act, before, after, answer, is_own)
        found += posted(self.club, (before, after))
        found += self._missing_word(before, after)
        if len(given) == len(act.about) == 1 and act.right != "answer" and self._is_plainly_his(act, given[0]):
            wanting = WANTING.search(answer.text)
            found += [f"he has the right to {act.right}: {answer.text}"] if wanting else []
        if act.right == "invite" and (code := re.search(r"invitation:([^`\s]+)", answer.text)):
            self.club.codes.setdefault(act.about[0], []).append(code[1])
        assert not found, "\n".join(["", *self.story, "", *found])

    def _left_a_thread_that_is_gone(self, before: Facts, after: Facts) -> None:
        """A game whose thread was deleted goes on in its channel as soon as the bot wants to post there: nobody's deed."""
        standing = {str(thread.id) for thread in self.club.threads()}
        for key, place in before.all.items():
            if key[1] == "place" and place and place[2] and place[2] not in standing:
                guild, channel, _ = place
                if after.all.get(key) == (guild, channel, None):
                    before.all[key] = (guild, channel, None)

    def _is_plainly_his(self, act: Act, game: Game) -> bool:
        if act.right == "place":
            return True
        return has(act.right, parts(game, act.person, act.spot, self.club.rolls(), act.is_invited))

    def _missing_word(self, before: Facts, after: Facts) -> list[str]:
        """A game that was brought elsewhere without a word at its old place."""
        found = []
        for number, game in before.games.items():
            old, new = self.club.place(game), after.games[number]
            if old is not None and game.spot not in (new.spot, new.channel):
                try:
                    # In whatever language: with the new place.
                    self.house.run(self.house.double.wait_message(old, str(new.spot)))
                except AssertionError:
                    found.append(f"game {number} has moved, and nobody was told")
        return found


async def in_loop(doing: Any, *values: Any) -> None:
    """Do it while the loop runs: the bot is told."""
    doing(*values)
