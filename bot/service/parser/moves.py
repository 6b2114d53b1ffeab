"""Texts of people, read against a position: forgiving words in, exact actions out.

`lay 57 H9 to H11; run best; pay` becomes actions. Clauses are separated by `;` or line ends; each is read against the
position after the previous clauses. Who acts may be left out, and so may passing on the way to what a clause says: `run
best` while a token could be placed means to place none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from bot.engine import Message, Owner, PlayerId, join_and, join_or, join_or_chain, msg
from bot.engine.notation.fields import closest_names
from bot.engine.notation.text import HALF_WRITTEN, find_verbs, parse_action, usage, verb_of, verb_words
from bot.engine.play.game import Game
from bot.engine.refusals import AmbiguousMove, IllegalMove, NotYourTurn, ParseError, Rejected
from bot.engine.state.actions import Action, Bid, BuyPrivate, Pass
from bot.i18n import tr

from .clause_parser import check_in_game, read_move, without_percent
from .components_info import lot_of
from .german import GERMAN_VERBS, UMLAUTS, written_words
from .preview import falls
from .suggestions import NOTE, fitting_tiles, legal_texts, near, near_verb, passed_by, short_text, suggest_clause
from .vocabulary import (
    is_printed,
    likely_actors,
    needed_words,
    other_words,
    own_words,
    owner_named,
    printed_names,
    proper,
    verb_of_word,
    with_names,
    words_of,
)

LONGEST_MESSAGE = 2000
MOST_CLAUSES = 20
CLAUSE_END = re.compile(r"[;；\n]")
SUGGESTION_LENGTH = 100


def parse_moves(game: Game, text: str, seats: Collection[PlayerId] = ()) -> list[Action]:
    """All actions of a message, in order, with the passes that it takes for granted.

    `seats` are those of the writer; they decide who is meant where several players are asked at once. An action
    on its own may still be refused by the rules.

    :raises ParseError: a clause cannot be read; the sentence names it.
    :raises AmbiguousMove: a clause could mean several things.
    :raises Rejected: one of several clauses is not allowed; the sentence names it.
    """
    clauses = split(text)
    trial = game
    actions: list[Action] = []
    for clause in clauses:
        try:
            action = read_clause(trial, clause, seats)
            found = [*passes_before(trial, action), action]
            check_skips(trial, found, clause)
            actions += found
            if len(clauses) > 1:
                trial = game.copy() if trial is game else trial
                for step in found:
                    check_in_its_time(trial, step)
                    trial.apply(step)
        except Rejected as refusal:
            raise type(refusal)(
                "{move}: {reason}", refusal.rule, excerpt(clause), refusal.said, instead=refusal.instead
            ) from refusal
    return actions


def excerpt(clause: str) -> str:
    return clause if len(clause) <= 60 else f"{clause[:57]}..."


def split(text: str) -> list[str]:
    """The clauses of a message; notes that help shows beside a move are left out.

    :raises ParseError: nothing in it, or too much of it.
    """
    if len(text) > LONGEST_MESSAGE:
        raise ParseError(
            "A message can have at most {limit} characters; this has {number}.", "", LONGEST_MESSAGE, len(text)
        )
    lines = "\n".join(line.partition(NOTE)[0] for line in text.split("\n"))
    clauses = [clause.strip() for clause in CLAUSE_END.split(lines) if clause.strip()]
    if not clauses:
        raise ParseError("That contains no move. Type help to see what is possible.")
    if len(clauses) > MOST_CLAUSES:
        raise ParseError(
            "A message can have at most {limit} clauses; this has {number}.", "", MOST_CLAUSES, len(clauses)
        )
    return clauses


def passes_before(game: Game, action: Action) -> list[Action]:
    """The passes in the same turn after which the action is legal; none when it is legal now, or never."""
    if game.allows(action) or action.by != game.frame.entity:
        return []
    found = next((number for number, trial in passed_by(game) if trial.allows(action)), 0)
    return [Pass(action.by)] * found


def check_in_its_time(game: Game, action: Action) -> None:
    """Refuse an action that comes later in the turn with the reason it would have then: "too early" says less.

    :raises Rejected: with that reason.
    """
    kind = type(action)
    if action.by != game.frame.entity or kind in game.open_verbs():
        return
    for _, trial in passed_by(game):
        if kind in trial.open_verbs():
            trial.check(action)
            return


def check_skips(game: Game, actions: Sequence[Action], clause: str) -> None:
    """Ask before skipping steps where that lowers a price; players who want it say so.

    :raises IllegalMove: with the skipped steps, and the line that skips them all the same.
    """
    trial, skipped, lost = game.copy() if len(actions) > 1 else game, list[str](), list[str]()
    for skip in actions[:-1]:
        skipped.append(trial.step.name if trial.step else "")
        lost += falls(trial, skip)
        trial.apply(skip)
    if lost:
        passes = "; ".join(["pass"] * len(skipped))
        raise IllegalMove(
            "That would skip: {skipped}. {lost} If you mean it, write every step.",
            "",
            join_and(map(msg, skipped)),
            " ".join(lost),
            instead=(f"{passes}; {clause}",),
        )


# -- one clause ---------------------------------------------------------------------------------------


def read_clause(game: Game, clause: str, seats: Collection[PlayerId] = ()) -> Action:
    """One action.

    :raises ParseError: with the nearest spellings.
    :raises AmbiguousMove: with the possible meanings.
    """
    if game.state.finished:
        raise IllegalMove("The game is over.")
    exact = exact_action(game, clause)
    if exact is not None:
        return exact
    words = words_of(game, clause)
    if not words:
        raise ParseError("That contains no move. Type help to see what is possible.")
    by, rest = named_actor(game, words)
    if not rest:
        raise ParseError(
            "What should {player} do?", "", game.state.name(by or Owner("")), instead=near_verb(game, clause)
        )
    if by is not None:
        return read_words(game, by, rest, clause)
    actors = likely_actors(game)
    own: list[Owner] = [actor for actor in actors if game.controller_of(actor) in seats]
    if not own and len(actors) > 1:
        # A person who is not asked speaks for themselves; the rules then refuse the move.
        own = list(seats)
    return only_one(game, own or actors, rest, clause)


def exact_action(game: Game, clause: str) -> Action | None:
    """The action of somebody at this table whose exact text is the clause."""
    words = clause.split()
    if not words or owner_named(game, words[0]) != words[0] or not is_printed(game, words):
        return None
    try:
        return parse_action(game.title, clause)
    except ParseError:
        return None


def named_actor(game: Game, words: list[str]) -> tuple[Owner | None, list[str]]:
    """The owner named first, if any, and the other words. A verb stays a verb, even if a player has that name; with another
    verb after it, it is a company of that name."""
    first, verbs = owner_named(game, words[0]), verb_words(game.title)
    if first is None:
        return None, words
    if verb_of_word(game.title, words[0]) in verbs:
        second = words[1] if len(words) > 1 else ""
        is_company = first in game.state.companies and verb_of_word(game.title, second) in verbs
        if not is_company and (not second or owner_named(game, second) is None):
            return None, words
    return first, words[1:]


def by_company_or_director(game: Game, by: Owner, words: list[str], clause: str) -> Action:
    """The clause's action by a company in turn; an action that only its director may take, such as closing a
    private of theirs, is the director's.
    """
    action, director = read_words(game, by, words, clause), game.controller_of(by)
    if director in (None, by) or game.allows(action):
        return action
    with suppress(Rejected):
        own = read_words(game, director, words, clause)
        return own if game.allows(own) else action
    return action


def only_one(game: Game, actors: list[Owner], words: list[str], clause: str) -> Action:
    """The clause's action by the only one of several actors who may make it; the actor in turn comes first.

    :raises AmbiguousMove: several may.
    :raises Rejected: nobody can.
    """
    if not actors:
        raise NotYourTurn("It is nobody's turn now.")
    if len(actors) == 1:
        return by_company_or_director(game, actors[0], words, clause)
    found, refusal = list[Action](), None
    for actor in actors:
        try:
            action = read_words(game, actor, words, clause)
            game.check(action)
            found.append(action)
        except Rejected as problem:
            refusal = refusal or problem
    in_turn = [action for action in found if action.by == game.frame.entity]
    if len(found) > 1 and not in_turn:
        texts = tuple(short_text(game, action) for action in found)
        who = join_or(game.state.name(action.by) for action in found)
        raise AmbiguousMove("Who? It could be {players}.", "", who, instead=texts)
    if not found:
        raise refusal or NotYourTurn("It is nobody's turn now.")
    chosen = (in_turn or found)[0]
    if chosen.by in game.state.privates and len(actors) > 1:
        raise AmbiguousMove(
            "Only {player} could do that; add the name.",
            "",
            chosen.by,
            instead=(short_text(game, chosen, Owner("")),),
        )
    return chosen


def read_words(game: Game, by: Owner, words: list[str], clause: str) -> Action:
    """The action of `by` that the words from the verb on say.

    :raises ParseError: none; the sentence says what is missing or unknown.
    """
    verb, rest = verb_said(game, words)
    names = printed_names(game)
    if verb not in verb_words(game.title):
        raise unknown(game, clause, words[0])
    rest = [proper(names, word) for word in needed_words(game.title, verb, rest)]
    for word in rest:
        # A space may be called like a private.
        if word not in game.board_rules.map.hexes:
            check_in_game(game, word)
    try:
        found = read_move(game, by, verb, without_percent(game, rest) if "%" in clause else rest)
    except ParseError as refusal:
        options = (() if verb == "lay" else near(game, clause)) or near_verb(game, clause)
        is_half = not rest or refusal.said.template == HALF_WRITTEN
        has_examples = not any(verb in text.split() for text in options)
        told = (
            [half_written(game, verb, has_examples), *not_yet(game, verb), *fitting_tiles(game, rest)]
            if is_half
            else [refusal.said]
        )
        sentence = with_names(game, " ".join(map(tr, told)))
        raise ParseError("{sentence}", "", sentence, instead=refusal.instead or options) from refusal
    check_time(game, found)
    return found


def check_time(game: Game, action: Action) -> None:
    """Say when a lot comes that cannot be had yet, by the rule that forbids it.

    :raises IllegalMove: it comes later.
    """
    sign = action.lot if isinstance(action, Bid) else action.private if isinstance(action, BuyPrivate) else None
    lot = lot_of(game, sign) if sign is not None else None
    if lot is None or not lot.later:
        return
    try:
        game.check(action)
    except Rejected as refusal:
        late = "{lot} is not for sale yet: it comes {time}."
        raise IllegalMove(late, refusal.rule, lot.sign, msg(lot.later)) from refusal


def half_written(game: Game, verb: str, has_examples: bool) -> Message:
    """The words that can follow the verb now: in the open steps, or where they do not know it, in any."""
    kinds = [kind for step in game.open_steps() for kind in step.verbs]
    verbs = [form for kind in kinds if verb in (form := verb_of(kind)).words]
    return usage(game.title, verbs or find_verbs(game.title, verb), verb, has_examples)


def not_yet(game: Game, verb: str) -> Iterator[Message]:
    """When moves with this verb are possible, if not in this turn."""
    kinds = [kind for kind in game.title.verbs if verb in verb_of(kind).words]
    positions = (game, *(trial for _, trial in passed_by(game)))
    if all(position.open_verbs().isdisjoint(kinds) for position in positions):
        yield game.when_possible(*kinds)


def begins_move(game: Game, word: str) -> bool:
    verb = verb_of_word(game.title, word.translate(UMLAUTS))
    return verb in verb_words(game.title) or owner_named(game, word) is not None


def verb_said(game: Game, words: list[str]) -> tuple[str, list[str]]:
    """The verb's canonical word, and the words after it."""
    known = verb_words(game.title)
    if verb_of_word(game.title, words[0]) not in known and GERMAN_VERBS.get(words[-1].lower()) in known:
        words = [words[-1], *words[:-1]]  # `K4 ausbauen`
    said, rest = words[0].lower(), words[1:]
    second = rest[0].lower() if rest else ""
    if said in ("dividend", "dividends", "pay") and second in ("withhold", "half", "none", "nothing", "out"):
        return {"half": "half", "out": "pay"}.get(second, "withhold"), rest[1:]
    return verb_of_word(game.title, said), rest


def unknown(game: Game, clause: str, verb: str) -> ParseError:
    """The refusal of a word that is no verb, with the legal moves that it may mean."""
    meant = verb_meant(game, verb)
    others = closest_names(verb, [*verb_words(game.title), *other_words(game.title)], 3, near_enough(verb))
    hint = (
        msg("; perhaps {names}", join_or_chain(written_words([meant] if meant else others)))
        if meant or others
        else msg("")
    )
    more = msg("" if hint.template else " Type help to see what is possible.")
    corrected = re.sub(re.escape(verb), meant, clause, count=1, flags=re.IGNORECASE) if meant else ""
    options = near_verb(game, corrected) if corrected else near(game, clause)
    typed = next((word for word in clause.split() if word.lower().translate(UMLAUTS) == verb.lower()), verb)
    return ParseError("There is no move called {verb}{hint}.{more}", "", excerpt(typed), hint, more, instead=options)


def verb_meant(game: Game, word: str) -> str:
    """The legal verb, or another word for it, that a mistyped word looks most like; empty where none does."""
    own = own_words(game.title)
    legal = {next((word for word in text.split()[:2] if word in own), "") for text in legal_texts(game)}
    known = [*legal, *verb_words(game.title), *other_words(game.title)]
    found = next(iter(closest_names(word.lower().translate(UMLAUTS), known, 1, near_enough(word))), "")
    return found if verb_of_word(game.title, found) in legal else ""


def near_enough(word: str) -> float:
    """The similarity that a mistyped verb must have: `bye` is near `buy`, `hello` is not near `sell`."""
    return 0.7 if len(word) > 4 else 0.6


# -- suggestions --------------------------------------------------------------------------------------


def suggest(game: Game, prefix: str, limit: int = 25, seats: Collection[PlayerId] | None = None) -> list[str]:
    """Legal moves that begin with or contain the typed text, each short enough for a choice.

    With `seats` only theirs. The last of several clauses is completed, against the position after the others.
    """
    if game.state.finished:
        return []
    head, sign, last = prefix.rpartition(";")
    try:
        trial = after(game, head) if sign and head.strip() else game
    except Rejected:
        return []
    start = f"{head.strip()}; " if sign and head.strip() else ""
    texts = [f"{start}{text}" for text in suggest_clause(trial, last, seats)]
    return [text for text in dict.fromkeys(texts) if len(text) <= SUGGESTION_LENGTH][:limit]


def after(game: Game, text: str) -> Game:
    """A copy of the game in which the moves of a message have been made.

    :raises Rejected: one of them cannot be.
    """
    trial = game.copy()
    for action in parse_moves(game, text):
        trial.apply(action)
    return trial


def would_be_legal(game: Game, text: str, seats: Collection[PlayerId] | None = None) -> tuple[str, ...]:
    """Some legal moves (of these seats) like the first clause of a message that is refused."""
    trial = game.copy()
    for clause in CLAUSE_END.split(text)[:MOST_CLAUSES]:
        like = excerpt(clause)
        try:
            action = read_clause(trial, clause)
            like = short_text(trial, action)
            for step in (*passes_before(trial, action), action):
                trial.apply(step)
        except Rejected:
            return () if trial.state.finished else near_verb(trial, like, seats)
    return ()
