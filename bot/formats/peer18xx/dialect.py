"""The parts of one title's logs that differ from the common forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bot.engine import HexId, Owner, PlayerId
from bot.engine.play import VARIANT, Game
from bot.engine.state import Action, Event, Pass, SellShares

from . import action_translation
from .certificate_ids import ShareNumbers
from .file_format import Log, RawAction
from .questions import PeerQuestion

if TYPE_CHECKING:
    from .replay import LogReplay


READING = ("rules", "18xx.games")
"""The option, and its choice, by which games are played as on 18xx.games."""


class Dialect:
    """How one title's logs are read and written; what it does not say is as in most titles. `steps` gives our name for
    steps of theirs; `given` the certificates that come with privates; `parts` the numbers that the file gives to the
    stops of a tile or space, where they are not 0, 1, 2 …; `prints` the numbers of spaces among those of one print;
    `unasked` the kinds of actions that are taken out of turn; `optional_rules` the options that stand for an optional
    rule of theirs; `passes_twice` says that a company passes twice in a turn there at most, after track and tokens and
    after trains; `aside` the actions for which nobody is asked there, though the player may take them in their turn;
    `private_names` what it calls privates that have another sign here; `questions` what a company is asked there in its turn, in order; `effects_only` the actions of which only what
    happens by them is written."""

    steps: Mapping[str, str] = {}
    given: frozenset[str] = frozenset()
    parts: Mapping[str, tuple[int, ...]] = {}
    prints: Mapping[str, int] = {}
    out_of_turn_kinds: frozenset[str] = frozenset()
    optional_rules: Mapping[str, Mapping[str, str]] = {}
    passes_twice: bool = False
    optional_actions: frozenset[type[Action]] = frozenset()
    questions: tuple[PeerQuestion, ...] = ()
    effects_only: frozenset[type[Action]] = frozenset()
    private_names: Mapping[str, str] = {}

    def is_silent(self, raw: RawAction) -> bool:
        return False

    def is_part(self, replay: LogReplay, raw: RawAction) -> bool:
        """Whether the action is part of a later action, with which it is read."""
        return False

    def company_pass(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """Our action for a company's pass outside an operating turn, where it answers a question of its own."""
        return None

    def out_of_turn_action(self, replay: LogReplay, raw: RawAction) -> Action | None:
        """The action of the player or company in turn here for an action that the file records out of turn."""
        return None

    def complete(self, game: Game, names: Mapping[PlayerId, str], state: dict[str, Any]) -> None:
        """Change a state in the words of the traces where this title has more or other things to say."""

    def translate(self, replay: LogReplay, raw: RawAction) -> Action:
        """Our action.

        :raises InvalidLog: the title knows no such action.
        """
        match raw["entity_type"]:
            case "player":
                return self.player_action(replay, raw)
            case "company":
                return self.private_action(replay, raw)
        return self.company_action(replay, raw)

    def player_action(self, replay: LogReplay, raw: RawAction) -> Action:
        return action_translation.player_action(replay, raw)

    def private_action(self, replay: LogReplay, raw: RawAction) -> Action:
        return action_translation.private_action(replay, raw)

    def company_action(self, replay: LogReplay, raw: RawAction) -> Action:
        return action_translation.company_action(replay, raw)

    def write(self, game: Game, action: Action, raw: dict[str, Any], shares: ShareNumbers) -> None:
        """Change the written form of an action, not yet made, where 18xx.games writes it in a way of its own. `shares` knows
        who holds which certificate there."""

    def preceding(self, game: Game, action: Action) -> Iterable[Mapping[str, Any]]:
        """The records that come before an action that takes several steps there."""
        return ()

    def proposal(self, game: Game) -> Action | None:
        """The action that waits for the consent of others."""
        return game.state.offer

    def unasked_answer(self, game: Game) -> RawAction | None:
        """The answer that 18xx.games records at a point of the game that is passed over here."""
        return None

    def print_number(self, game: Game, hex_id: HexId) -> int:
        """The number of a hex's print among identical prints."""
        return self.prints.get(hex_id, 0)

    def peer_waits(self, game: Game) -> bool:
        """Whether 18xx.games waits for the player whose stock turn is open: it passes for players who can do nothing."""
        return can_do_something(game, self.optional_actions)

    def extra_log_entry(self, game: Game, event: Event) -> RawAction | None:
        return None

    def follow_shares(self, game: Game, shares: ShareNumbers) -> None:
        """Follow certificates that were given to owners in an order of the title's own by the last move."""

    def seller(self, game: Game, action: SellShares) -> Owner:
        """The seller recorded there: the player whose shares they are."""
        return game.controller_of(action.by) or action.by


def rename_privates(raw: RawAction, names: Mapping[str, str]) -> RawAction:
    """The action, and those that it brings, with the privates under these names; what is no action stays, to be refused."""
    changed = dict(raw)
    if raw.get("entity_type") == "company" and "entity" in raw:
        changed["entity"] = names.get(str(raw["entity"]), raw["entity"])
    if "company" in raw:
        changed["company"] = names.get(str(raw["company"]), raw["company"])
    if isinstance(more := raw.get("auto_actions"), list):
        changed["auto_actions"] = [rename_privates(one, names) if isinstance(one, dict) else one for one in more]
    return changed


def options_of(dialect: Dialect, log: Log) -> Mapping[str, str]:
    """The options under which 18xx.games played: its own reading of the rules, its variant and its optional rules."""
    chosen = dict([READING]) | ({VARIANT: log.variant} if log.variant else {})
    for rule in log.optional_rules:
        chosen |= dialect.optional_rules.get(rule, {})
    return chosen


def missing_rules(dialect: Dialect, log: Log) -> list[str]:
    """A sentence for each optional rule of the file that is not played here."""
    missing = [rule for rule in log.optional_rules if rule not in dialect.optional_rules]
    return [
        f"the optional rule {rule} of 18xx.games is not known here; the game is followed without it" for rule in missing
    ]


@contextmanager
def by_their_rules(game: Game) -> Iterator[None]:
    """Meanwhile the game is read as 18xx.games reads it: what a company or player is asked there depends on its rules. Nothing
    found out then is kept."""
    options, cache, (name, choice) = game.state.options, game.cache, READING
    if options.get(name, choice) != choice:
        game.state.options, game.cache = {**options, name: choice}, {}
    try:
        yield
    finally:
        game.state.options, game.cache = options, cache


def can_do_something(game: Game, aside: frozenset[type[Action]] = frozenset()) -> bool:
    """Whether the player or company in turn can do anything but pass, apart from the actions in `aside`."""
    steps = [step for step in game.open_steps() if step not in game.procedure.unasked and not aside & {*step.verbs}]
    return any(not isinstance(action, Pass) for step in steps for action in step.options(game))
