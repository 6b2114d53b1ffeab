"""What people type, read against a position: forgiving words in, exact actions out.

`lay 57 H11 to G10; run best; pay` becomes three actions. Clauses are separated by `;` or line ends; each is read
against the position after the ones before it. Who acts may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from bot.engine.actions import Action, BuyTrain, LayTile, RunRoutes, SellShares
from bot.engine.game import Game
from bot.engine.ids import CompanyId, HexId, Owner, TileId, is_player
from bot.engine.refusals import Ambiguous, NotAllowed, Refusal, Unreadable
from bot.engine.steps.routes import best_run
from bot.engine.text import FORMS, action_of, text_of

LONGEST_MESSAGE = 2000
MOST_CLAUSES = 20
SUGGESTION_LENGTH = 100

ALIASES = {
    "build": "lay",
    "upgrade": "lay",
    "track": "lay",
    "tile": "lay",
    "station": "token",
    "place": "token",
    "payout": "pay",
    "dividend": "pay",
    "hold": "withhold",
    "retain": "withhold",
    "keep": "withhold",
    "skip": "pass",
    "no": "pass",
    "borrow": "loan",
    "start": "par",
    "purchase": "buy",
    "lower": "reduce",
    "scrap": "discard",
    "auto": "run best",
    "yes": "agree",
    "accept": "agree",
    "decline": "refuse",
}
"""Other words for verbs; the first word of a clause only."""

ODD = re.compile(r"[^\w\s.;:,+=>@£$/%'()&-]")


def read(game: Game, text: str) -> list[Action]:
    """All actions of a message, in order.

    :raises Unreadable: a clause cannot be read; the sentence names it.
    :raises Ambiguous: a clause could mean several things.
    :raises Refusal: a clause before the last one is not allowed, so that the next cannot be read.
    """
    clauses = split(text)
    trial = game.copy() if len(clauses) > 1 else game
    actions: list[Action] = []
    for number, clause in enumerate(clauses):
        action = read_clause(trial, clause)
        actions.append(action)
        if number < len(clauses) - 1:
            try:
                trial.apply(action)
            except Refusal as refusal:
                raise type(refusal)(f"{clause}: {refusal.sentence}", refusal.rule, refusal.instead) from refusal
    return actions


def split(text: str) -> list[str]:
    """The clauses of a message.

    :raises Unreadable: nothing in it, too much of it, or letters that no move has.
    """
    if len(text) > LONGEST_MESSAGE:
        raise Unreadable(f"A message has at most {LONGEST_MESSAGE} characters; this one has {len(text)}.")
    odd = ODD.search(text)
    if odd:
        raise Unreadable(f"No move has the character {odd[0]!r} in it.")
    clauses = [clause.strip() for clause in re.split(r"[;\n]", text) if clause.strip()]
    if not clauses:
        raise Unreadable("There is no move in that. Type help to see what is possible.")
    if len(clauses) > MOST_CLAUSES:
        raise Unreadable(f"A message has at most {MOST_CLAUSES} clauses; this one has {len(clauses)}.")
    return clauses


def read_clause(game: Game, clause: str) -> Action:
    """One action.

    :raises Unreadable: with the nearest spellings.
    :raises Ambiguous: with the possible meanings.
    """
    words = _words(game, clause)
    by, rest = _actor(game, words)
    if not rest:
        raise Unreadable(f"{clause}: what shall {game.state.name(by)} do?")
    verb = rest[0].lower()
    rest = [*ALIASES.get(verb, verb).split(), *rest[1:]]
    if rest[0] not in FORMS:
        raise _unknown(game, clause, rest[0])
    shortcut = SHORTCUTS.get(rest[0])
    found = shortcut(game, by, rest[1:]) if shortcut else None
    if found is not None:
        return found
    try:
        return action_of(game.title, " ".join([by, *_proper(game, rest)]))
    except Unreadable as refusal:
        raise Unreadable(f"{clause}: {refusal.sentence}", instead=near(game, clause)) from refusal


# -- words --------------------------------------------------------------------------------------------


def _words(game: Game, clause: str) -> list[str]:
    """The clause's words; a player's name of several words becomes his seat, currency signs and colons go."""
    for seat in game.state.players:
        if " " in seat.name:
            clause = re.sub(rf"(?<!\w){re.escape(seat.name)}(?!\w)", seat.id, clause, flags=re.IGNORECASE)
    return [word for word in re.sub(r"[£$,]", " ", clause.replace(":", " ")).split() if word]


def _actor(game: Game, words: list[str]) -> tuple[Owner, list[str]]:
    """Who acts: named first, or whoever is in turn."""
    first = owner_named(game, words[0])
    if first is not None and (len(words) == 1 or words[0].lower() not in FORMS):
        return first, words[1:]
    if game.state.finished:
        raise NotAllowed("The game is over.")
    return default_actor(game), words


def default_actor(game: Game) -> Owner:
    """Who acts when nobody is named: the one actor of the legal moves, else whoever the frame belongs to."""
    actors = list(dict.fromkeys(action.by for action in game.legal()))
    entity = game.frame.entity
    if entity is not None and (entity in actors or not actors):
        return entity
    return actors[0] if actors else Owner("")


def owner_named(game: Game, word: str) -> Owner | None:
    """The company, private or player of that name, whatever the case of its letters."""
    lowered = word.lower()
    for seat in game.state.players:
        if lowered in (seat.id.lower(), seat.name.lower()):
            return seat.id
    return next((company for company in game.state.companies if company.lower() == lowered), None)


def _proper(game: Game, words: list[str]) -> list[str]:
    """Names in their printed spelling; the verb and details stay small."""
    title = game.title
    printed: dict[str, str] = {}
    for names in (title.companies, title.privates, title.trains, title.land.map.hexes, title.land.tiles):
        printed.update({str(known).lower(): str(known) for known in names})
    printed.update({str(seat.name).lower(): str(seat.id) for seat in game.state.players})
    found = []
    for word in words:
        head, dot, tail = word.partition(".")
        found.append(printed.get(word.lower()) or f"{printed.get(head.lower(), head)}{dot}{tail}")
    return [words[0].lower(), *(word.lower() if word.lower() in DETAILS else word for word in found[1:])]


DETAILS = {"from", "for", "with", "trade", "nothing", "to", "best", "pool", "ipo", "bank", "depot"}


def _unknown(game: Game, clause: str, verb: str) -> Unreadable:
    close = get_close_matches(verb, [*FORMS, *ALIASES], n=3, cutoff=0.6)
    hint = f" Did you mean {' or '.join(close)}?" if close else " Type help to see what is possible."
    return Unreadable(f"{clause}: there is no move called {verb}.{hint}", instead=near(game, clause))


def near(game: Game, clause: str) -> tuple[str, ...]:
    """Legal moves whose text looks like the clause."""
    texts = {short_text(game, action).lower(): short_text(game, action) for action in game.legal()}
    return tuple(texts[match] for match in get_close_matches(clause.lower(), list(texts), n=3, cutoff=0.5))


def short_text(game: Game, action: Action) -> str:
    """The action as one would type it: without the actor where that is whoever is in turn."""
    text = text_of(action)
    if not game.state.finished and action.by == default_actor(game):
        return text.split(" ", 1)[1]
    if is_player(action.by):
        return text
    return text


# -- shortcuts ----------------------------------------------------------------------------------------


def _lay(game: Game, by: Owner, words: list[str]) -> Action | None:
    """`lay 57 H11 to G10`, or without a rotation where only one is legal."""
    proper = _proper(game, ["lay", *words])[1:]
    using = None
    if "with" in proper:
        place = proper.index("with")
        using, proper = proper[place + 1 :], proper[:place]
    if len(proper) == 3 and proper[2].isdecimal():
        return None
    if len(proper) < 2 or proper[0] not in game.title.land.tiles or proper[1] not in game.title.land.map.hexes:
        return None
    tile, hex_id = TileId(proper[0]), HexId(proper[1])
    private = next((name for name in game.state.privates if using and name == using[0]), None)
    options = [LayTile(by, tile, hex_id, rotation, private) for rotation in range(6)]
    if len(proper) == 4 and proper[2] == "to":
        options = [option for option in options if _points_to(game, option, HexId(proper[3]))]
    elif len(proper) != 2:
        return None
    return _one_of(game, options, f"tile {tile} on {hex_id}")


def _points_to(game: Game, action: LayTile, target: HexId) -> bool:
    exits = game.title.land.tiles[action.tile].rotated(action.rotation).exits
    return any(game.title.land.map.beside[action.hex][edge] == target for edge in exits)


def _one_of(game: Game, options: list[LayTile], what: str) -> Action:
    """The only legal one of several actions.

    :raises Ambiguous: several are legal.
    :raises NotAllowed: none is; the refusal is the first one's.
    """
    legal, refusal = [], None
    for option in options:
        try:
            game.check(option)
        except Refusal as found:
            refusal = refusal or found
        else:
            legal.append(option)
    shapes = {game.title.land.tiles[option.tile].rotated(option.rotation).exits: option for option in reversed(legal)}
    if len(shapes) == 1:
        return next(iter(shapes.values()))
    if not legal:
        raise refusal or NotAllowed(f"Turned so, {what} is not possible.")
    texts = tuple(short_text(game, option) for option in legal)
    raise Ambiguous(f"There are {len(legal)} ways to lay {what}; say which rotation.", instead=texts)


def _run(game: Game, by: Owner, words: list[str]) -> Action | None:
    """`run` and `run best` take the best routes that the search finds."""
    if words and words[0].lower() not in ("best", "routes", "trains"):
        return None
    if by not in game.state.companies:
        raise NotAllowed("Companies run trains.")
    best: RunRoutes = best_run(game, CompanyId(by))
    return best


def _buy(game: Game, by: Owner, words: list[str]) -> Action | None:
    """`buy 3` for its price, `buy train 3`, `buy P4` for its price at auction."""
    words = [word for word in words if word.lower() not in ("a", "train", "share", "of", "private")]
    proper = _proper(game, ["buy", *words])[1:]
    if not proper:
        return None
    kind = game.title.trains.get(proper[0])
    if kind is not None and "for" not in proper:
        return _train_at_its_price(game, by, proper)
    private = next((private for name, private in game.state.privates.items() if name == proper[0]), None)
    if private is not None and "for" not in proper:
        price = proper[1] if len(proper) == 2 else str(private.price)
        return action_of(game.title, f"{by} buy {private.id} for {price}")
    if proper[0].isdecimal() and len(proper) > 1 and proper[0] == "1" and proper[1] in game.title.companies:
        proper = proper[1:]
    return action_of(game.title, " ".join([by, "buy", *proper]))


def _train_at_its_price(game: Game, by: Owner, words: list[str]) -> Action:
    """The cheapest legal purchase of that train with the details given."""
    kind = game.title.trains[words[0]]
    rest = words[1:]
    wanted = dict(zip(rest[::2], rest[1::2], strict=False))
    for action in game.legal():
        if not isinstance(action, BuyTrain) or action.by != by or action.kind != kind.name:
            continue
        details = {"from": action.source, "trade": action.trade_in, "with": action.using}
        if wanted.get("from", "depot") in (action.source, "bank") and all(
            details.get(key) == value for key, value in wanted.items() if key != "from"
        ):
            return action
    extra = " ".join(rest)
    return action_of(game.title, f"{by} buy {kind.name} {_before_price(extra)} for {kind.price}".replace("  ", " "))


def _before_price(extra: str) -> str:
    return extra if extra.startswith("from") else ""


def _sell(game: Game, by: Owner, words: list[str]) -> Action | None:
    """`sell 2 QR`, `sell QR 2`, `sell QR`."""
    proper = [word for word in _proper(game, ["sell", *words])[1:] if word.lower() not in ("shares", "share", "of")]
    numbers = [word for word in proper if word.isdecimal()]
    names = [word for word in proper if word in game.title.companies]
    if len(names) != 1 or len(numbers) > 1 or len(names) + len(numbers) != len(proper):
        return None
    return SellShares(by, CompanyId(Owner(names[0])), int(numbers[0]) if numbers else 1)


def _par(game: Game, by: Owner, words: list[str]) -> Action | None:
    """`par VR 90`, `par VR at 90`."""
    proper = [word for word in _proper(game, ["par", *words])[1:] if word.lower() not in ("at", "for")]
    return action_of(game.title, " ".join([by, "par", *proper])) if len(proper) == 2 else None


SHORTCUTS: dict[str, Callable[[Game, Owner, list[str]], Action | None]] = {
    "lay": _lay,
    "run": _run,
    "buy": _buy,
    "sell": _sell,
    "par": _par,
}


# -- help ---------------------------------------------------------------------------------------------


def suggest(game: Game, prefix: str, limit: int = 25) -> list[str]:
    """Legal moves that begin with or contain what has been typed, each short enough for a choice."""
    typed = " ".join(prefix.lower().split())
    texts = [short_text(game, action) for action in game.legal()]
    texts += ["run best"] if any(isinstance(action, RunRoutes) for action in game.legal()) else []
    texts = [text for text in dict.fromkeys(texts) if len(text) <= SUGGESTION_LENGTH]
    begins = [text for text in texts if text.lower().startswith(typed)]
    return (begins + [text for text in texts if text not in begins and typed in text.lower()])[:limit]


def help_lines(game: Game, examples: int = 6) -> list[str]:
    """What is legal now, step by step, with lines that can be pasted."""
    if game.state.finished:
        return ["The game is over."]
    lines = []
    for step in game.open_steps():
        texts = list(dict.fromkeys(_help_text(game, action) for action in step.options(game)))
        more = f"   ... and {len(texts) - examples} more" if len(texts) > examples else ""
        lines.append(f"To {step.name}:")
        lines += [f"    {text}" for text in texts[:examples]]
        if more:
            lines.append(more)
    return lines


def _help_text(game: Game, action: Action) -> str:
    if isinstance(action, RunRoutes):
        return "run best"
    return short_text(game, action)
