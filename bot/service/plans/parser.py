"""Plans as people type them: `buy VR; if price NSW < 90: buy NSW else: pass until start, sale of mine`.

A plan is an optional turn (`VR:`), steps between semicolons, and bounds after the last. Steps that are moves are read by the
parser of messages, with its names and its German words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from bot.engine import HexId, IllegalMove, Owner, ParseError, PlayerId, Rejected, as_company, is_player
from bot.engine.notation import near_words
from bot.engine.notation.text import verb_of
from bot.engine.play import Game
from bot.engine.play.steps import best_set
from bot.service.parser.german import GERMAN_FACTS, GERMAN_PHRASES, GERMAN_WAKES
from bot.service.parser.moves import named_actor, passes_before, read_clause, verb_said
from bot.service.parser.vocabulary import needed_words, owner_named, printed_names, proper, with_seats, words_of

from .conditions import WAKE_WORDS, find_wakes, format_condition, has_come_true
from .deadline import end_of_day, read_day
from .decisions import ASKS, is_due
from .facts import FACTS, NONE, round_key
from .plan import IDLE, MINE, OFFERS, QUESTIONS, AutoReply, Bids, Buy, Case, Do, Fact, Plan, RunBest, Stay, Step, When
from .premove import as_if_turn, relied_on

LONGEST = 500
MOST_STEPS = 30
SIGHT_SECONDS = 5.0

EXAMPLES = (
    "pass until start, sale of mine",
    "buy VR; buy NSW; pass",
    "buy VR to 60 max 100; pass until start",
    "if price NSW < 90: buy NSW else: pass",
    "bid P4 up to 200, P5 up to 175 at most 1",
    "VR: run best from 120; pay; pass every turn until phase",
    "VR: lay 57 H11 1; run best; pay",
    "VR: lay 57 H11 1; run best; pay until near",
    "pass for 2 turns unless cash VR < 200",
    "buy VR to 50 spend at most 400 leave 100",
    "pass",
    "pass until sale start",
    "pass all until phase trains",
    "run VR pay",
    "run VR withhold track ask until trains price",
    "refuse",
    "agree from 300",
    "agree up to 150",
    "agree undo",
)
"""Every kind of plan as it may be typed."""

BOUND = re.compile(r"\s+(?=(?:until|unless|spend at most|leave|every (?:turn|round)|ask)\b)", re.IGNORECASE)
CONDITION = re.compile(r"(.+?)\s*(<=|>=|!=|<|>|=)\s*(.+)")
CASE = re.compile(r"if\s+(.+?)\s*:\s*(.+?)(?:\s+else\s*:?\s*(.+))?", re.IGNORECASE | re.DOTALL)
LOT = re.compile(r"(\S+)\s+up\s+to\s+(\d{1,6})", re.IGNORECASE)
NEAR = ("near", "nahe", "nachbarn")
"""The word for changes on the hexes of a planned turn and beside them."""

BEST = {"best", "beste", "besten", "the", "my", "routes", "route", "trains", "from", "ab"}


@dataclass
class _Bounds:
    wake: tuple[When, ...] = ()
    asks: tuple[str, ...] = ()
    budget: int = 0
    keep: int = 0
    rounds: str = "this"
    day: date | None = None
    is_near: bool = False


def read_plan(game: Game, player: PlayerId, text: str, now: datetime | None = None) -> Plan:
    """The plan that this player typed, at a moment in their time zone; without one no plan can count until a day.

    :raises ParseError: it is not a plan.
    :raises IllegalMove: it makes no sense.
    """
    if len(text) > LONGEST:
        raise ParseError("A plan can have at most {limit} characters.", "", LONGEST)
    turn, said = named_turn(game, _in_english(text))
    clauses = [clause.strip() for clause in re.split(r"[;\n]", said) if clause.strip()]
    if not clauses:
        raise ParseError("What should the bot do for you?", instead=EXAMPLES)
    if len(clauses) > MOST_STEPS:
        raise ParseError("A plan can have at most {limit} steps.", "", MOST_STEPS)
    last, *bounds = BOUND.split(f" {clauses[-1]}")
    clauses[-1] = last.strip()
    reader = _Reader(game, player, turn, now)
    plan = reader.company_order(clauses, bounds) or reader.plan(clauses, bounds)
    check_plan(game, player, plan)
    return plan


def named_turn(game: Game, text: str) -> tuple[str, str]:
    """The owner for whose turns a plan is, named before a colon, and the rest; empty where none is named.

    :raises ParseError: nobody has that name.
    """
    found = re.match(r"\s*([^\s:;]+)\s*:(?!\d)(.*)", text, re.DOTALL)
    if found is None:
        return "", text
    if found[1].lower() == IDLE:
        return IDLE, found[2]
    name = proper(printed_names(game), found[1])
    owner = name if name in game.state.companies else owner_named(game, found[1])
    if owner is None:
        raise ParseError(
            "There is no player or company {name}{suggestions}.",
            "",
            found[1][:20],
            near_words(name, game.state.companies),
        )
    return owner, found[2]


def check_plan(game: Game, player: PlayerId, plan: Plan) -> None:
    """Refuse a plan that makes no sense.

    :raises IllegalMove: with the reason.
    """
    if plan.turn in game.state.companies and game.controller_of(Owner(plan.turn)) != player:
        raise IllegalMove("You do not run {company}.", "", plan.turn)
    if is_player(Owner(plan.turn)) and plan.turn != player:
        raise IllegalMove("You can only plan for your own seat.")
    true = next((when for when in plan.wake if has_come_true(game, player, when)), None)
    if true is not None:
        raise IllegalMove("That is already true: {condition}.", "", format_condition(true))
    for step in plan.steps:
        if isinstance(step, Buy) and not 0 < step.percent <= 100:
            raise IllegalMove("A percentage is between 1 and 100.")
        if isinstance(step, Bids):
            _check_bids(game, step)


def _check_bids(game: Game, step: Bids) -> None:
    lots = [*game.state.privates, *game.state.companies, *game.title.trains]
    wrong = next((lot for lot in (*step.most, *step.lower) if lot not in lots), None)
    if wrong is not None:
        raise IllegalMove("There is no {lot} to bid for{suggestions}.", "", wrong[:20], near_words(wrong, lots))
    if any(most <= 0 for most in step.most.values()):
        raise IllegalMove("A maximum must be above 0.")


def _in_english(text: str) -> str:
    for german, english in GERMAN_PHRASES.items():
        text = re.sub(rf"(?<!\w)(?:{german})(?!\w)", english, text, flags=re.IGNORECASE)
    return text.replace("%", " ").strip()


def _number_after(words: Sequence[str], *keys: str) -> int | None:
    for at, word in enumerate(words[:-1]):
        if word.lower() in keys and words[at + 1].isdecimal():
            return int(words[at + 1][:9])
    return None


def _asks_in(words: Sequence[str]) -> tuple[str, ...]:
    """The decisions before the word `ask`: `track ask`."""
    asks = (before.replace("run", "routes") for before, word in pairwise(words) if word == "ask")
    return tuple(word for word in asks if word in ASKS)


class _Reader:
    """Reads the parts of one plan; `turn` is the owner named before it."""

    def __init__(self, game: Game, player: PlayerId, turn: str, now: datetime | None = None) -> None:
        self.game, self.player, self.turn, self.now = game, player, turn, now
        self.names = printed_names(game)
        is_later = turn in game.state.companies and not is_due(game, player, turn)
        ahead = as_if_turn(game, as_company(turn)) if is_later else None
        self.position = ahead or game.copy()
        """Where the moves of the plan are read: as if the turn had come."""
        self.is_for_all = False

    def plan(self, clauses: Sequence[str], bounds: Sequence[str]) -> Plan:
        steps: list[Step] = []
        for number, clause in enumerate(clauses, 1):
            self._add(steps, self.step(clause, number == len(clauses)))
        turn = self._turn_of(steps)
        found = self.bounds(bounds)
        is_bid = all(isinstance(step, Bids) for step in steps)
        if turn == IDLE and not all(isinstance(step, Stay) for step in steps):
            raise ParseError("An idle plan can only pass, for example: idle: pass until start.")
        is_all = self.is_for_all or found.rounds == "all" or is_bid or turn in (IDLE, OFFERS, *QUESTIONS)
        is_in_round = (
            self.game.state.round.kind != "operating" if turn == self.player else is_due(self.game, self.player, turn)
        )
        return Plan(
            turn,
            tuple(steps),
            self._wake_of(found, turn, steps, self._hexes(clauses), is_all),
            "all" if is_all else "this",
            round_key(self.game) if is_in_round else "",
            tuple(steps) if is_all and turn in self.game.state.companies else (),
            found.asks,
            found.budget,
            found.keep,
            until=str(found.day or ""),
            expires=end_of_day(found.day, self.now) if found.day and self.now else 0.0,
        )

    def _wake_of(
        self, found: _Bounds, turn: str, steps: Sequence[Step], hexes: Sequence[str], is_all: bool
    ) -> tuple[When, ...]:
        """The events that end a plan: those named, else what a planned turn relies on, or who runs what is bought."""
        if found.is_near:
            return found.wake + relied_on(self.game, turn, steps, self._with_neighbours(hexes))
        if found.wake:
            return found.wake
        if turn in self.game.state.companies and not is_all:
            return relied_on(self.game, turn, steps, hexes)
        return tuple(When(Fact("president", one.company), "changes") for one in steps if isinstance(one, Buy))

    def _with_neighbours(self, hexes: Sequence[str]) -> list[str]:
        """Hexes and those beside them.

        :raises ParseError: there are none.
        """
        if not hexes:
            raise ParseError("near needs a tile or token in the plan, for example: VR: lay 57 H11 1 until near.")
        beside = self.game.board_rules.map.neighbours
        return [*hexes, *(str(other) for name in hexes for other in beside.get(HexId(name), ()) if other)]

    def _hexes(self, clauses: Sequence[str]) -> list[str]:
        """The hexes that moves name."""
        spaces = self.game.board_rules.map.hexes
        return [word for clause in clauses for word in words_of(self.game, clause) if word in spaces]

    def company_order(self, clauses: Sequence[str], bounds: Sequence[str]) -> Plan | None:
        """`run VR withhold track ask until trains price`: a whole turn of a company in the short form, each turn anew."""
        words = [proper(self.names, word) for word in clauses[0].replace(",", " ").split()]
        if len(clauses) > 1 or len(words) < 2 or words[0].lower() not in ("run", "operate"):
            return None
        company = next((word for word in words if word in self.game.state.companies), None)
        if company is None:
            return None
        lowered = [*(word.lower() for word in words), *" ".join(bounds).lower().replace(",", " ").split()]
        asks = _asks_in(lowered)
        revenue = "" if "dividend" in asks else next((w for w in ("withhold", "half", "pay") if w in lowered), "pay")
        guards: Sequence[str] = ("trains", "route")
        if "until" in lowered:
            guards = [word.replace("routes", "route") for word in lowered[lowered.index("until") + 1 :]]
        wake = self._guards(company, guards)
        has_trains = "route" in guards and self.game.state.trains_of(Owner(company))
        least = best_set(self.game, as_company(company), SIGHT_SECONDS).revenue if has_trains else 0
        steps = (RunBest(revenue, least), Stay())
        return Plan(company, steps, wake, "all", "", steps, asks)

    def _guards(self, company: str, guards: Sequence[str]) -> tuple[When, ...]:
        """The events that end the short form; `route` is not an event, but the least that it earns."""
        wakes = {
            **{word: find_wakes(word) for word in WAKE_WORDS},
            "trains": (*find_wakes("phase"), *find_wakes("trains")),
            "price": find_wakes("fall", (company,)),
            "route": (),
            "or": (),
        }
        wrong = next((word for word in guards if word not in wakes), None)
        if wrong is not None:
            raise ParseError("There is no event {name}{suggestions}.", "", wrong[:20], near_words(wrong, wakes))
        return tuple(when for word in guards for when in wakes[word])

    def _turn_of(self, steps: Sequence[Step]) -> str:
        replies = [step for step in steps if isinstance(step, AutoReply)]
        if replies:
            if len(steps) > 1:
                raise ParseError("An answer to offers is a plan of its own, without other steps.")
            return replies[0].about or OFFERS
        if self.turn or not any(isinstance(step, RunBest) for step in steps):
            return self.turn or self.player
        own = [name for name in self.game.state.companies if self.game.controller_of(name) == self.player]
        if self.game.frame.entity in own:
            return str(self.game.frame.entity)
        if len(own) != 1:
            raise ParseError("Which company should the bot run?", instead=("VR: run best; pay",))
        return own[0]

    # -- steps ----------------------------------------------------------------------------------------

    def _add(self, steps: list[Step], step: Step) -> None:
        """Add a step; what is to be done at once is one step: bids for several lots, a run and the use of its revenue."""
        last = steps[-1] if steps else None
        if isinstance(step, Bids) and isinstance(last, Bids):
            most = {**last.most, **step.most}
            steps[-1] = Bids(most, last.wins or step.wins, (*last.lower, *step.lower))
        elif isinstance(step, RunBest) and isinstance(last, RunBest) and not last.revenue:
            steps[-1] = RunBest(step.revenue, last.least)
        else:
            steps.append(step)

    def step(self, clause: str, is_last: bool) -> Step:
        case = CASE.fullmatch(clause)
        if case is not None:
            when = tuple(self.condition(part) for part in re.split(r"\s+and\s+", case[1]))
            then, other = self.step(case[2], is_last), self.step(case[3], is_last) if case[3] else None
            if isinstance(then, Case | AutoReply) or isinstance(other, Case | AutoReply):
                raise ParseError("After a condition only a move can follow.")
            return Case(when, then, other)
        words = words_of(self.game, clause)
        by, rest = named_actor(self.game, words) if words else (None, words)
        if not rest:
            raise ParseError("What should the bot do for you?", instead=EXAMPLES)
        verb, rest = verb_said(self.game, rest)
        found = self._short(verb, clause, rest, is_last)
        if found is not None:
            return found
        return self._move(clause, by, verb, words)

    def _short(self, verb: str, clause: str, rest: Sequence[str], is_last: bool) -> Step | None:
        """The step that a verb of the language means; None for a move."""
        lowered = [word.lower() for word in rest]
        if verb in ("agree", "refuse"):
            about = next((word for word in lowered if word in QUESTIONS), "")
            most = _number_after(lowered, "to")
            return AutoReply(verb == "agree", _number_after(lowered, "from") or 0, about, most or 0)
        if verb == "bid" and (lots := LOT.findall(clause)):
            most_of = {proper(self.names, lot.strip(",")): int(most) for lot, most in lots}
            return Bids(most_of, _number_after(lowered, "most") or 0)
        if verb in ("reduce", "lower") and rest:
            return Bids({}, 0, tuple(proper(self.names, word) for word in rest))
        if verb == "pass":
            return self._stay(lowered, is_last)
        if verb == "buy" and {"to", "max"} & {*lowered}:
            return self._buy(rest, lowered)
        return self._run(verb, rest, lowered)

    def _run(self, verb: str, rest: Sequence[str], lowered: Sequence[str]) -> Step | None:
        """The best routes, or the use of their revenue; None for a move."""
        if verb == "run" and all(word in BEST or word.isdecimal() for word in lowered):
            return RunBest("", _number_after(lowered, "from", "ab") or 0)
        if verb in ("pay", "withhold", "half") and not needed_words(self.game.title, verb, rest):
            return RunBest(verb)
        return None

    def _stay(self, lowered: Sequence[str], is_last: bool) -> Step:
        turns = _number_after(lowered, "for")
        known = {"all", "for", "turns", "turn", "my", "the", "this", "round", str(turns)}
        strange = next((word for word in lowered if word not in known), None)
        if strange is not None:
            raise ParseError("{word} cannot follow a pass; for example: pass until start.", "", strange[:20])
        self.is_for_all = self.is_for_all or "all" in lowered
        return Stay(turns or (0 if is_last else 1))

    def _buy(self, rest: Sequence[str], lowered: Sequence[str]) -> Step:
        company = next((name for word in rest if (name := proper(self.names, word)) in self.game.state.companies), None)
        if company is None:
            raise ParseError("Shares of which company?", instead=("buy VR to 60",))
        limit = self.game.title.rules.holding_limit(self.game, as_company(company))
        percent = _number_after(lowered, "to")
        source = next((place for place in ("pool", "ipo") if place in lowered), "")
        return Buy(company, limit if percent is None else percent, _number_after(lowered, "max", "at") or 0, source)

    def _move(self, clause: str, by: Owner | None, verb: str, words: Sequence[str]) -> Do:
        """A step that is a move, if it can be read at all.

        :raises ParseError: no verb reads it, or a name is wrong.
        """
        is_known = any(verb in verb_of(kind).words for kind in self.game.title.verbs)
        try:
            action = read_clause(self.position, clause, (self.player,))
            for move in (*passes_before(self.position, action), action):
                self.position.apply(move)
        except ParseError:
            raise
        except Rejected:
            # It is for later.
            if not is_known:
                raise
        if by is not None and self.game.controller_of(by) not in (None, self.player):
            raise IllegalMove("You do not decide for {owner}.", "", by)
        return Do(with_seats(self.game, clause))

    # -- bounds ---------------------------------------------------------------------------------------

    def bounds(self, texts: Sequence[str]) -> _Bounds:
        found = _Bounds()
        for text in texts:
            words = text.split()
            word, rest = words[0].lower(), text.partition(" ")[2]
            if word in ("until", "unless"):
                for part in re.split(r",|\s+or\s+", rest):
                    self._add_wake(found, part)
            elif word == "every":
                found.rounds = "all"
            elif word == "ask":
                found.asks += tuple(self._asks(rest))
            else:
                sum_ = next((int(digits[:9]) for digits in re.findall(r"\d+", text)), 0)
                if not sum_:
                    raise ParseError("{bound} needs a sum, for example: spend at most 400, leave 100.", "", word)
                if word == "spend":
                    found.budget = sum_
                else:
                    found.keep = sum_
        return found

    def _asks(self, text: str) -> Iterator[str]:
        for word in text.replace(",", " ").lower().split():
            if word not in ASKS:
                raise ParseError("There is no event {name}{suggestions}.", "", word[:20], near_words(word, ASKS))
            yield word

    def _add_wake(self, found: _Bounds, part: str) -> None:
        """Add an event, a condition, a day, or `near`."""
        day = read_day(part, self.now) if self.now else None
        if day is not None:
            found.day = min(day, found.day or day)
        elif part.strip().lower() in NEAR:
            found.is_near = True
        elif CONDITION.fullmatch(part.strip()):
            found.wake += (self.condition(part),)
        else:
            found.wake += tuple(self.wakes(part))

    def wakes(self, part: str) -> Iterator[When]:
        """The events of some words, such as `sale of mine`."""
        names, words = list[str](), list[str]()
        for word in part.split():
            small = GERMAN_WAKES.get(word.lower(), word.lower())
            name = proper(self.names, word)
            if name in self.game.state.companies:
                names.append(name)
            elif small in ("mine", "my"):
                names.append(MINE)
            elif small in WAKE_WORDS:
                words.append(small)
            elif small not in ("of", "on", "a", "the", "wake", "until"):
                raise ParseError("There is no event {name}{suggestions}.", "", word[:20], near_words(small, WAKE_WORDS))
        for word in dict.fromkeys(words):
            yield from find_wakes(word, tuple(names))

    def condition(self, text: str) -> When:
        """`price VR < 80`, `cash >= 540`, `owner P4 != Bob`.

        :raises ParseError: there is no such fact, or a name or number is missing.
        """
        found = CONDITION.fullmatch(text.strip())
        if found is None:
            raise ParseError("A condition is a fact, a sign and a value, for example: price VR < 80.")
        left, sign, right = found[1].strip(), found[2], found[3].strip()
        fact = self._fact(left)
        if FACTS[fact.what].is_number:
            digits = re.search(r"\d+", right)
            if digits is None:
                raise ParseError("{fact} is compared with a number, for example: price VR < 80.", "", fact.what)
            return When(fact, sign, int(digits[0][:9]))
        if sign not in ("=", "!="):
            raise ParseError("{fact} is compared with = or !=, for example: phase = 3.", "", fact.what)
        owner = owner_named(self.game, right)
        value = self.player if right.lower() in ("me", "ich") else owner or proper(self.names, right)
        return When(fact, sign, NONE if right.lower() in (NONE, "keine", "keiner") else str(value))

    def _fact(self, left: str) -> Fact:
        """The fact on the left of a condition: its words, then names.

        :raises ParseError: there is no such fact, or a name is missing.
        """
        names = {**GERMAN_FACTS, **{what: what for what in FACTS}}
        said = max((name for name in names if re.match(rf"{name}(?!\w)", left.lower())), key=len, default="")
        if not said or names[said] == "hex":
            known = [what for what in FACTS if what != "hex"]
            raise ParseError("There is no fact {name}; you can use: {facts}.", "", left[:20], ", ".join(known))
        what, of, whom = names[said], "", ""
        about = FACTS[what].about
        for word in left[len(said) :].split():
            name, owner = proper(self.names, word), owner_named(self.game, word)
            is_holder = owner is not None and is_player(owner) and name not in self.game.state.companies
            if is_holder and about != "owner":
                whom = str(owner)
            elif word.lower() in ("me", "mine"):
                whom = self.player
            elif word.lower() not in ("of", "by"):
                of = str(owner or name)
        self._check_named(what, about, of)
        return Fact(what, of or (self.turn if about == "company" else ""), whom)

    def _check_named(self, what: str, about: str, of: str) -> None:
        state = self.game.state
        known: dict[str, Sequence[str]] = {
            "company": [*state.companies],
            "private": [*state.privates],
            "owner": [*state.order, *state.companies, ""],
            "": [""],
        }
        if about == "company" and not of and self.turn in state.companies:
            return
        if of not in known[about]:
            raise ParseError(
                "{fact} needs a name after it, for example: price VR < 80{suggestions}.",
                "",
                what,
                near_words(of, [name for name in known[about] if name]),
            )
