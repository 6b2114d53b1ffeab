"""The moves that could be typed now: suggestions while typing, help, and legal moves instead of a refused move."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import TypeVar

import msgspec

from bot.engine import CompanyId, Message, Owner, PlayerId, Rejected, TileId, msg
from bot.engine.notation.fields import closest_names
from bot.engine.notation.messages import money, question
from bot.engine.notation.text import SHARED, format_action, verb_of
from bot.engine.play import Game, Step
from bot.engine.play.move_builder import first_built_move
from bot.engine.state.actions import Action, Bid, BuyPrivate, BuyTrain, LayTile, Par, Pass, RunRoutes
from bot.i18n import tr, tr_error

from .components_info import leads
from .gains import gain_note, run_gains
from .german import UMLAUTS
from .preview import about, exits_of, outcome
from .vocabulary import ALIASES, default_actor, owner_named, verb_of_word, with_names, without_colons

INTRODUCTION = """Signalbox plays 18xx by the rules: it takes moves, or refuses them and says why.
Begin: new {title} Ann Bob Cid, or with another title instead of {title}.
Move: type it (buy P1), take it from help, or press a button; several with ;
Look: status, map, market, routes. Explain: private P1, company VR, train 2.
Take back: undo. Try first: try buy P1; whatif. Let it play for you: auto.
Guide: docs/guide/players.md."""

Some = TypeVar("Some", bound=Action)

BEST = "run best"
PAY_BEST = "run best; pay"
NOTE = "  — "
ALL_OR_NONE = "separate them with ; or write one per line. All of them are made, or none."
EXAMPLES, MOST_LOTS, MOST_LIKE = 6, 10, 3
"""Maximum number of examples of each kind of move, of lots with one bid each, and of moves like a refused move."""
MOST_PASSES = 4

DETAILS = frozenset({"tile", "rotation", "price", "runs"})
"""Fields in which moves about the same thing may differ."""

STEPS = (1, 5, 10)
"""Steps by which sums go up in one title or another."""

SPREAD: dict[type[Action], int] = {LayTile: 2, Bid: 2}
"""Moves whose examples cover different things first: hexes, lots. The thing is this many words from the end."""


def short_text(game: Game, action: Action, actor: Owner | None = None) -> str:
    """The action as players type it: players by name, without the actor where that goes without saying.

    `actor` saves finding out who that is (`default_actor`).
    """
    text = format_action(action)
    actor = default_actor(game) if actor is None else actor
    return with_names(game, text.split(" ", 1)[1] if action.by == actor else text)


def legal_options(game: Game, seats: Collection[PlayerId] | None = None) -> dict[str, Action | None]:
    """All legal moves as players type them, or those of some seats; `run best` stands for the routes, which are not
    searched for here.
    """
    return dict(option for step in game.open_steps() for option in _options(game, step, seats))


def legal_texts(game: Game, seats: Collection[PlayerId] | None = None) -> list[str]:
    return list(legal_options(game, seats))


def _options(game: Game, step: Step, seats: Collection[PlayerId] | None = None) -> Iterator[tuple[str, Action | None]]:
    """Text and action of every option of a step; routes are not searched for."""
    if RunRoutes in step.verbs:
        if seats is None or not set(seats).isdisjoint(game.players_to_act()):
            yield BEST, None
        return
    actor, reader = default_actor(game), only_reader(game, seats)
    for action in step.options(game):
        if seats is None or game.controller_of(action.by) in seats:
            yield short_text(game, action, reader if action.by == reader else actor), action


def only_reader(game: Game, seats: Collection[PlayerId] | None) -> PlayerId | None:
    """The reader's seat if it is their only one and is asked: they need not type their own name."""
    return next(iter(seats)) if seats is not None and len(seats) == 1 and {*seats} <= {*game.players_to_act()} else None


def near(game: Game, clause: str) -> tuple[str, ...]:
    """Legal moves whose text looks like the clause, the most alike first."""
    actions = legal_options(game)
    return _unlike(game, actions, closest_names(clause, actions, len(actions), 0.5))


def near_verb(game: Game, clause: str, seats: Collection[PlayerId] | None = None) -> tuple[str, ...]:
    """Legal moves (of these seats) with the same verb as the clause, the most alike first; failing those, such
    moves as are legal after passing, moves about the same thing, or any legal moves.
    """
    words = without_colons(clause.lower()).split()
    verb = next((word for word in words if not owner_named(game, word)), "")
    verb = verb_of_word(game.title, verb.translate(UMLAUTS))
    actions = legal_options(game, seats)
    if not with_verb(actions, verb):
        actions |= {text: action for step in game.open_steps() for text, action in _built_moves(game, step, seats)}
    if legal := with_verb(actions, verb):
        alike = closest_names(clause, legal, len(legal), 0.0)
        alike.sort(key=lambda text: -places_named(game, actions[text], words))
        return _unlike(game, actions, alike)
    if later := after_passes(game, verb, seats):
        return tuple(closest_names(clause, later, MOST_LIKE, 0.0))
    # For lots that are sold by auction, say how to bid.
    things = {str(sign).lower() for sign in (*game.title.privates, *game.title.companies)} & {*words}
    about = [text for text in actions if things & {*text.lower().split()}]
    return tuple((closest_names(clause, about, len(about), 0.0) or list(actions))[:MOST_LIKE])


def places_named(game: Game, action: Action | None, words: Collection[str]) -> int:
    """How well a lay agrees with the hexes among these small words: its own counts more than those it leads to."""
    if not isinstance(action, LayTile):
        return 0
    return 6 * (action.hex.lower() in words) + sum(hex_id.lower() in words for hex_id in exits_of(game, action))


def fitting_tiles(game: Game, words: Iterable[str]) -> Iterator[Message]:
    """Which tiles can be laid now on the first hex among these words."""
    lays = [action for action in different(game, legal_options(game)).values() if isinstance(action, LayTile)]
    for hex_id in [word for word in words if word in game.board_rules.map.hexes][:1]:
        by_track: dict[Hashable, TileId] = {}
        for action in lays:
            if action.hex == hex_id:
                by_track.setdefault(game.board_rules.tiles[action.tile].rotate(action.rotation).shape, action.tile)
        tiles = dict.fromkeys(by_track.values())
        towns = [tile for tile in tiles if any(node.kind == "town" for node in game.board_rules.tiles[tile].nodes)]
        if tiles:
            sentence = (
                "Only tiles with a town fit on {hex}: {tiles}."
                if len(towns) == len(tiles)
                else "Tiles that fit on {hex}: {tiles}."
            )
            yield msg(sentence, hex_id, ", ".join(tiles))


def with_notes(game: Game, texts: Sequence[str]) -> list[str]:
    """These moves; lays with where they lead and what they cost."""
    moves = legal_options(game)
    return [
        annotated_moves([(text, moves[text])], game)[0] if isinstance(moves.get(text), LayTile) else text
        for text in texts
    ]


def _unlike(game: Game, actions: Mapping[str, Action | None], texts: Iterable[str]) -> tuple[str, ...]:
    """The first of these moves, without repeats of the same track."""
    return tuple(different(game, {text: actions[text] for text in texts}))[:MOST_LIKE]


def with_verb(texts: Iterable[str], verb: str) -> list[str]:
    """Those with this verb, even after a player's name."""
    return [text for text in texts if verb in text.split()[:2]]


def after_passes(game: Game, verb: str, seats: Collection[PlayerId] | None = None) -> list[str]:
    """The moves with this verb that are legal later in the turn, after as few passes as possible: `pass; buy 2 for
    100`.
    """
    for number, trial in passed_by(game):
        if texts := with_verb(legal_texts(trial, seats), verb):
            return ["; ".join([*["pass"] * number, text]) for text in texts]
    return []


def passed_by(game: Game) -> Iterator[tuple[int, Game]]:
    """The turn after one pass, after two …, as long as it lasts. The yielded position is always the same object."""
    if game.frame.entity is None:
        return
    trial, turn, skip = game.copy(), whose_turn(game), Pass(game.frame.entity)
    for number in range(1, MOST_PASSES + 1):
        if not trial.allows(skip):
            return
        trial.apply(skip)
        if trial.state.finished or whose_turn(trial) != turn:
            return
        yield number, trial


def whose_turn(game: Game) -> tuple[int, str, Owner | None]:
    return len(game.state.flow), game.frame.plan, game.frame.entity


# -- while typing -------------------------------------------------------------------------------------


def suggest_clause(game: Game, typed: str, seats: Collection[PlayerId] | None = None) -> list[str]:
    """Legal moves that begin with the typed text of one clause, then those that contain it."""
    words = without_colons(typed.lower()).split()
    actor = owner_named(game, words[0]) if words and words[0] not in ALIASES else None
    if actor is not None:
        words = words[1:]
    if words:
        words[0] = verb_of_word(game.title, words[0].translate(UMLAUTS))
    wanted = " ".join(words) + (" " if len(words) > 1 and typed.endswith(" ") else "")
    texts = legal_texts(game, seats)
    if actor is not None and actor != default_actor(game):
        wanted = f"{game.state.name(actor).lower()} {wanted}"
    begins = [text for text in texts if text.lower().startswith(wanted)]
    contains = [text for text in texts if text not in begins and wanted.strip() in text.lower()]
    return begins + contains


# -- help ---------------------------------------------------------------------------------------------


def help_lines(
    game: Game, seats: Collection[PlayerId] | None = None, with_words: bool = True, wanted: Action | None = None
) -> list[str]:
    """The legal moves now, for all or some seats, step by step, with lines that can be pasted; `with_words` adds
    how the step goes on, where a title explains it. Moves like a `wanted` one come first.
    """
    if game.state.finished:
        return [tr("The game is over.")]
    every = [(step, _examples(game, step, seats, wanted)) for step in game.open_steps()]
    # Moves that are asked for come first, then optional moves, then moves of others; among them the shortest texts: of
    # a long list the beginning is read.
    every = [(step, shown) for step, shown in every if shown]
    every.sort(key=lambda one: (one[0] in game.procedure.unasked, one[0] in game.procedure.anytime, len(one[1])))
    every.sort(key=lambda one: wanted is None or type(wanted) not in one[0].verbs)
    told, lines = set[str](), list[str]()
    for step, shown in every:
        # A decision may be taken within another.
        if not told.issuperset(shown):
            lines += _step_lines(game, step, shown, with_words)
        told.update(shown)
    return lines


def _step_lines(game: Game, step: Step, shown: Sequence[str], with_words: bool) -> Iterator[str]:
    is_open = any(may_be_written(kind) for kind in step.verbs)
    is_closed = not is_open and all(line.partition(NOTE)[0].split()[-1] == "pass" for line in shown)
    yield tr("You cannot {decision} now, only:" if is_closed else "To {name}:", msg(step.name))
    if with_words and (words := how_it_goes(game, step)):
        yield f"  {words}"
    if with_words and (reason := why_no_pass(game, step)):
        yield f"  {reason}"
    yield from (f"    {one}" for one in shown)


def how_it_goes(game: Game, step: Step | None) -> str:
    """A title's explanation of a decision; empty where it is plain."""
    return tr(game.title.words.steps.get(step.name, "")) if step is not None else ""


def why_no_pass(game: Game, step: Step) -> str:
    """Why the company in turn may not pass on this question, where others may; empty where it may, or nobody may."""
    by = game.frame.entity
    if by not in game.state.companies or step is not game.step or Pass not in step.verbs:
        return ""
    if any(isinstance(option, Pass) for option in step.options(game)):
        return ""
    try:
        step.check(game, Pass(by))
    except Rejected as refusal:
        return tr("Passing is not possible: {reason}", tr_error(refusal))
    return ""


def may_be_written(kind: type[Action]) -> bool:
    """Whether moves of this kind beyond those listed differ in more than a sum."""
    return kind.is_sampled and kind not in SHARED


def _examples(
    game: Game, step: Step, seats: Collection[PlayerId] | None = None, wanted: Action | None = None
) -> list[str]:
    actions = different(game, dict([*_built_moves(game, step, seats), *_options(game, step, seats)]))
    gains = run_gains(game, actions.values())
    if gains:
        actions = dict(sorted(actions.items(), key=lambda option: by_gain(gains, option[1])))
    if wanted is not None:
        actions = dict(sorted(actions.items(), key=lambda option: not is_like(option[1], wanted)))
    by_kind: dict[type[Action], list[str]] = {}
    for text, action in actions.items():
        by_kind.setdefault(RunRoutes if action is None else type(action), []).append(text)
    kinds = sorted(by_kind, key=lambda kind: (kind is not type(wanted), kind is Pass))
    return [line for kind in kinds for line in _examples_of(game, kind, by_kind[kind], actions, gains)]


def _examples_of(
    game: Game,
    kind: type[Action],
    texts: Sequence[str],
    actions: Mapping[str, Action | None],
    gains: Mapping[Action, int],
) -> Iterator[str]:
    """Some moves of a kind, and in words what else there is of it."""
    texts, at_prices = once_a_company(actions, texts if kind in SHARED else varied_first(texts))
    lots = len({without_sum(actions[text]) for text in texts}) if kind is Bid else 0
    most = max(EXAMPLES, min(lots, MOST_LOTS))
    shown = _spread(texts, most, SPREAD[kind], game.title.privates) if kind in SPREAD else texts[:most]
    shown = texts if len(texts) == len(shown) + 1 else shown
    yield from annotated_moves([(text, actions[text]) for text in shown], game, gains)
    yield from at_prices
    if kind in (BuyPrivate, BuyTrain) and has_free_price([actions[text] for text in texts]):
        yield tr("... or for any price between")
    if may_be_higher(game, kind, [actions[text] for text in texts]):
        yield tr("... or any higher sum")
        every, seen = ({without_sum(actions[text]) for text in some} for some in (texts, shown))
        shown = texts if every == seen else shown
    if len(texts) > len(shown):
        yield tr("... and {number} more like these", len(texts) - len(shown))


def is_like(action: Action | None, wanted: Action) -> bool:
    """Whether a move is about the same thing: the hex of a lay, the kind of a train and its seller."""
    fields = set(wanted.__struct_fields__) - DETAILS
    return type(action) is type(wanted) and all(getattr(action, name) == getattr(wanted, name) for name in fields)


def once_a_company(actions: Mapping[str, Action | None], texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """These moves, one for each company that is started; and a line with the other possible starting prices, if
    any.
    """
    shown, prices, begun = list[str](), set[int](), set[CompanyId]()
    for text in texts:
        action = actions[text]
        if not isinstance(action, Par) or action.company not in begun:
            shown.append(text)
        else:
            prices.add(action.price)
        if isinstance(action, Par):
            begun.add(action.company)
    sums = ", ".join(map(str, sorted(prices, reverse=True)))
    return shown, [tr("... or at {prices}", sums)] if prices else []


def varied_first(texts: Sequence[str]) -> list[str]:
    """These moves, first those that differ in more than their last word: the partner of a merger, rather than its
    result.
    """
    firsts: dict[str, str] = {}
    for text in texts:
        firsts.setdefault(text.rpartition(" ")[0], text)
    return [*firsts.values(), *(text for text in texts if text not in firsts.values())]


def sum_field(kind: type[Action]) -> str:
    """The field of a kind that holds a sum of money which players may choose; empty if none does."""
    found = (gap.name for gap in verb_of(kind).gaps if gap.type.name == "sum")
    return next(found, "") if kind.is_sampled else ""


def without_sum(action: Action | None) -> Action | None:
    field = sum_field(type(action)) if action is not None else ""
    return msgspec.structs.replace(action, **{field: 0}) if action is not None and field else action


def may_be_higher(game: Game, kind: type[Action], actions: Iterable[Action | None]) -> bool:
    """Whether more can be bid or paid for something than the listed sums; purchases have prices at both ends, and
    composed moves have the market's.
    """
    field = sum_field(kind)
    if not field or kind in (BuyPrivate, BuyTrain) or (kind in game.title.composers and field == "price"):
        return False
    rising = sorted(
        (action for action in actions if action is not None), key=lambda action: int(getattr(action, field))
    )
    highest = {without_sum(action): action for action in rising}.values()
    raised = (
        msgspec.structs.replace(action, **{field: getattr(action, field) + step})
        for action in highest
        for step in STEPS
    )
    return any(game.allows(action) for action in raised)


def has_free_price(actions: Iterable[Action | None]) -> bool:
    """Whether some of these purchases differ only in their price: the listed prices stand for all between."""
    every = [
        msgspec.structs.replace(action, price=0) for action in actions if isinstance(action, BuyPrivate | BuyTrain)
    ]
    return len(set(every)) < len(every)


def _built_moves(game: Game, step: Step, seats: Collection[PlayerId] | None) -> Iterator[tuple[str, Action]]:
    listed = {type(action) for _, action in _options(game, step)} if step.verbs else set()
    reader = only_reader(game, seats)
    for kind in (kind for kind in step.verbs if kind in game.title.composers and kind not in listed):
        for player in game.players_to_act():
            action = (
                first_built_move(game.title.composers[kind], game, player) if seats is None or player in seats else None
            )
            if action is not None:
                yield short_text(game, action, reader if action.by == reader else None), action
                break


def moves_called(game: Game, verb: str, most: int) -> tuple[list[str], int]:
    """Some legal moves with this verb with their cost and meaning, and the number of further moves."""
    steps = game.open_steps()
    options = (option for step in steps for option in (*_built_moves(game, step, None), *_options(game, step)))
    every = different(game, dict(options))
    gains = run_gains(game, map(every.get, with_verb(every, verb)))
    texts, at_prices = once_a_company(
        every, sorted(with_verb(every, verb), key=lambda text: by_gain(gains, every[text]))
    )
    place = max(
        (place for kind, place in SPREAD.items() if any(isinstance(every[text], kind) for text in texts)), default=0
    )
    shown = _spread(texts, most, place, game.title.privates) if place else texts[:most]
    return [*annotated_moves([(text, every[text]) for text in shown], game, gains), *at_prices], len(texts) - len(shown)


def by_gain(gains: Mapping[Action, int], action: Action | None) -> tuple[bool, int]:
    """Sorts moves by what they add to the best run, those of which it is not known last."""
    gain = gains.get(action) if action is not None else None
    return gain is None, -(gain or 0)


def different(game: Game, actions: Mapping[str, Action | None]) -> dict[str, Action | None]:
    found: dict[Hashable, str] = {}
    for text, action in actions.items():
        found.setdefault(track_of(game, action) or text, text)
    return {text: actions[text] for text in found.values()}


def each_once(game: Game, actions: Iterable[Some]) -> list[Some]:
    found: dict[Hashable, Some] = {}
    for action in actions:
        found.setdefault(track_of(game, action) or action, action)
    return list(found.values())


def track_of(game: Game, action: Action | None) -> Hashable:
    """The track of a lay, however the tile is turned; None for other moves."""
    if not isinstance(action, LayTile):
        return None
    return (
        action.by,
        action.tile,
        action.hex,
        action.using,
        game.board_rules.tiles[action.tile].rotate(action.rotation).shape,
    )


def annotated_moves(
    moves: Sequence[tuple[str, Action | None]], game: Game, gains: Mapping[Action, int] = MappingProxyType({})
) -> list[str]:
    """Moves with notes; a lot is described once, the gain and the cost of each move are given."""
    lines, before = [], ""
    for text, action in moves:
        lot, follows = (about(game, action), outcome(game, action)) if action is not None else ("", best_revenue(game))
        gain = gain_note(game, gains[action]) if action is not None and action in gains else ""
        said = " ".join(filter(None, [lot if lot != before else "", follows, gain]))
        lines.append(f"{text}{NOTE}{said}" if said else text)
        before = lot
    return lines


def best_revenue(game: Game) -> str:
    """The revenue of the best routes of the company in turn, which are searched for."""
    # Requests for other moves do not wait until the search is loaded.
    from bot.engine.play.steps.routes import best_set

    found = best_set(game, game.company_in_turn, clock=time.monotonic)
    return tr("It earns {money}.", money(game, found.revenue))


def _spread(texts: list[str], number: int, place: int, privates: Collection[str]) -> list[str]:
    """Moves about as many different things as possible, privates and others, in their order; the thing is `place`
    words from the end.
    """
    about: dict[str, list[str]] = {}
    for text in texts:
        about.setdefault(text.split(" with ")[0].split()[-place], []).append(text)
    kinds = ([group for name, group in about.items() if (name in privates) == is_one] for is_one in (True, False))
    groups = [group for pair in zip_longest(*kinds) for group in pair if group]
    rounds = (group[turn] for turn in range(len(texts)) for group in groups if turn < len(group))
    chosen = {text for _, text in zip(range(number), rounds, strict=False)}
    return [text for text in texts if text in chosen]


def asked_seats(game: Game, own: Collection[PlayerId]) -> Collection[PlayerId] | None:
    """The reader's seats where one of them is asked; else None, for all seats."""
    return None if set(own).isdisjoint(game.players_to_act()) else own


def help_text(game: Game, own: Collection[PlayerId] = ()) -> str:
    """The question and the legal moves: those of the reader's `own` seats where one of them is asked."""
    if game.state.finished:
        return tr("The game is over.")
    seats = asked_seats(game, own)
    example = tr("Several moves at once: {example}", _several(game, seats))
    return "\n".join([tr(question(game)), *leads(game), *help_lines(game, seats), example])


def _several(game: Game, seats: Collection[PlayerId] | None) -> str:
    """Two moves in a line, the first a lay, of these seats or of all."""
    lays = (action for step in game.open_steps() if LayTile in step.verbs for action in step.options(game))
    own = (action for action in lays if seats is None or game.controller_of(action.by) in seats)
    lay = next((action for action in own if isinstance(action, LayTile)), None)
    if lay is None:
        return tr(ALL_OR_NONE)
    trial = game.copy()
    trial.apply(lay)
    best = [PAY_BEST] if RunRoutes in trial.open_verbs() else legal_texts(trial, seats)
    after = [text for text in best if text != "pass"]
    same = trial.state.flow and trial.frame.entity == game.frame.entity
    return "; ".join([short_text(game, lay), *after[:1]]) if same else short_text(game, lay)
