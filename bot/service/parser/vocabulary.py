"""Words of a message: which letters a move may have, who is meant, names in their printed spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from bot.engine import HexId, Owner, ParseError, PlayerId, SeatNumber, msg, seat, without_isolates
from bot.engine.board.board_rules import BoardRules
from bot.engine.notation.fields import ARTICLES
from bot.engine.notation.text import SHARED, TITLES_KEPT, find_verbs, verb_of, verb_words
from bot.engine.play import Game, Title
from bot.i18n import current_language, tr

from .german import GERMAN_CHATTY, GERMAN_FILLERS, GERMAN_NAMES, GERMAN_VERBS, NOT_PLAIN, UMLAUTS

ALIASES = {
    "build": "lay",
    "upgrade": "lay",
    "track": "lay",
    "tile": "lay",
    "station": "token",
    "place": "token",
    "payout": "pay",
    "dividend": "pay",
    "dividends": "pay",
    "hold": "withhold",
    "retain": "withhold",
    "keep": "withhold",
    "skip": "pass",
    "no": "pass",
    "borrow": "loan",
    "start": "par",
    "auction": "bid",
    "purchase": "buy",
    "lower": "reduce",
    "scrap": "discard",
    "auto": "run",
    "yes": "agree",
    "accept": "agree",
    "decline": "refuse",
    **GERMAN_VERBS,
}
"""Other words for verbs, German verbs (in plain letters) too; the first word of a clause only."""

CHATTY = {
    "take": "loan",
    "end": "done",
    "finish": "done",
    "stop": "done",
    "ok": "agree",
    "okay": "agree",
    "reject": "refuse",
    "float": "par",
    "split": "half",
    "routes": "run",
    "lobby": "fund",
    **GERMAN_CHATTY,
}
"""Other words for verbs that also begin many a sentence which is no move."""

OTHERWISE = {"par": "float"}
"""Verbs that have another word in some titles: companies are started at a price, or floated by a lobby."""

DETAILS = {"from", "for", "with", "trade", "nothing", "to", "best", "pool", "ipo", "bank", "depot"}

FILLERS = {
    "buy": ["another", "more", "one", "next", "noch", "weitere", "weiteren", "nachste", "nachsten", "andere"],
    "lay": ["town", "ort"],
    "run": ["trains", "train", "the", "my", "route", "routes", "a"],
    "pay": ["pay", "dividend", "dividends", "out", "all", "full", "everything", "from", "aus"],
    "withhold": ["withhold", "dividend", "dividends", "all", "everything", "it"],
    "half": ["half", "pay", "dividend", "dividends"],
    "loan": ["a", "one", "loan"],
    "pass": ["my", "turn", "the"],
    "done": ["my", "turn", "the"],
}
"""Words that a verb does not need, besides those around its fields."""

SYNONYMS = {
    "on": ["auf"],
    "at": ["for", "zu"],
    "for": ["at", "für", "zu"],
    "into": ["to", "in", "zu"],
    "from": ["von", "aus"],
    "with": ["using", "mit"],
    "without": ["ohne"],
    "to": ["into", "towards", "toward", "nach", "richtung", "an", "in", "zu"],
    "trade": ["trading", "gegen"],
    "loans": ["kredite"],
    "shares": ["anteile"],
}
"""Other words for the keywords of a form, in German too; the first keyword that the form has is meant."""

TRADING = re.compile(r"\b(in )?exchange for\b|\b(trading|trade) in\b", re.IGNORECASE)

AMBIGUOUS = {*CHATTY, *GERMAN_FILLERS, *chain(*FILLERS.values())} | {
    word for verb in SHARED.values() for gap in verb.gaps for word in gap.type.fillers
}
"""Words that may be a player's name, but would be lost or misread in a move."""

TYPOGRAPHY = str.maketrans({"\u00a0": " ", "\u202f": " ", "\t": " ", "\r": " ", "’": "'", "–": "-", "—": "-", "→": ">"})
FITTING = re.compile(r"[ -~]")
SEAT = re.compile(r"(?<![\w@<])@\d\b")


def plain_letters(game: Game, clause: str) -> str:
    """The clause in plain letters: players' names become seats, the currency, mark-up and ornaments go.

    :raises ParseError: there are letters in it that no move has.
    """
    clause = with_seats(game, without_isolates(clause).translate(TYPOGRAPHY))
    sign = game.title.currency.strip()
    if sign.isalpha():
        clause = re.sub(rf"(?<![A-Za-z]){sign}(?![A-Za-z])", " ", clause)
    elif sign:
        clause = clause.replace(sign, " ")
    for german, english in NOT_PLAIN.items():
        clause = re.sub(rf"(?<!\w){german}(?!\w)", english, clause, flags=re.IGNORECASE)
    clause = re.sub(r"[£$€¥`*\"]", " ", clause.translate(UMLAUTS))
    odd = next((letter for letter in clause if not FITTING.match(letter)), None)
    if odd is not None:
        raise ParseError(unfitting(odd))
    return clause.strip().rstrip(".!?,").strip()


def strip_accents(text: str) -> str:
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text.replace("ß", "ss"))
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")


def unfitting(letter: str) -> str:
    name = unicodedata.name(letter, "").lower()
    if unicodedata.category(letter).startswith("C") or not letter.isprintable():
        what = name or f"U+{ord(letter):04X}"
        return tr("That contains an invisible character ({name}); please type the move again.", what)
    plain = unicodedata.normalize("NFKC", letter)
    if plain != letter and FITTING.fullmatch(plain):
        return tr(
            "Moves are written in plain letters and digits: {plain} instead of {letter} ({name}).", plain, letter, name
        )
    return tr("Moves cannot contain {letter} ({name}); use plain letters and digits.", letter, name or msg("no name"))


def with_seats(game: Game, clause: str) -> str:
    """The clause with seats in place of players' names that are not a plain single word."""
    for player in sorted(game.state.players, key=lambda player: -len(player.name)):
        if not re.fullmatch(r"[A-Za-z0-9_-]+", player.name):
            clause = re.sub(rf"(?<!\w){re.escape(player.name)}(?!\w)", player.id, clause, flags=re.IGNORECASE)
    return clause


def without_colons(text: str) -> str:
    """The text with spaces for colons, except those of `Ann:2`."""
    return re.sub(r":(?!\d)", " ", text)


def words_of(game: Game, clause: str) -> list[str]:
    """The clause's words: colons (but not those of `Ann:2`) and commas separate, `2 = H11 > G10` is one word,
    towns become hexes.

    :raises ParseError: there are letters in it that no move has.
    """
    clause = re.sub(r"\s*([=>])\s*", r"\1", without_colons(plain_letters(game, clause)).replace(",", " "))
    lowered = clause.lower()
    for name, (pattern, sign) in long_names(game.title, game.board_rules).items():
        if name in lowered:
            clause = pattern.sub(sign, clause)
            lowered = clause.lower()
    first, *rest = clause.split() or [""]
    return [first, *(GERMAN_NAMES.get(word.lower(), kind_of_train(word)) for word in rest)] if first else []


@lru_cache(maxsize=TITLES_KEPT)
def verb_vocabulary(title: Title) -> Mapping[str, tuple[Mapping[str, str], frozenset[str]]]:
    """The keywords of a verb's forms by all words for them, and the words that it does not need; by verb."""
    return {verb: keywords_and_fillers(title, verb) for verb in verb_words(title)}


def keywords_and_fillers(title: Title, verb: str) -> tuple[Mapping[str, str], frozenset[str]]:
    forms = find_verbs(title, verb)
    known = {keyword for form in forms for keyword in form.keywords} | ({"to"} if verb == "lay" else set())
    found = {keyword: keyword for keyword in known}
    around = {word for form in forms for gap in form.gaps for word in gap.type.fillers}
    for keyword, words in SYNONYMS.items():
        for word in {word.translate(UMLAUTS) for word in words} - (around - ARTICLES) if keyword in known else ():
            found.setdefault(word, keyword)
    needless = {*GERMAN_FILLERS, *FILLERS.get(verb, ()), *around} if around or verb in FILLERS else set()
    return found, frozenset(needless - found.keys())


def needed_words(title: Title, verb: str, words: Sequence[str]) -> list[str]:
    """The words after a verb without those that it does not need, and with the keywords of its forms."""
    keywords, fillers = verb_vocabulary(title)[verb]
    if "trade" in keywords and ("in" in words or "exchange" in words):
        words = TRADING.sub("trade", " ".join(words)).split()
    return [keywords.get(small, word) for word in words if (small := word.lower()) not in fillers]


def kind_of_train(word: str) -> str:
    """A train without the word for it: `2-train`, in German `2-Zug`, `2er` or `2er-Zug`; other words as they are."""
    found = re.fullmatch(r"(\d\S*?)(?:er)?-(?:train|zug)|(\d+)er", word, re.IGNORECASE)
    return found[1] or found[2] if found else word


def verb_of_word(title: Title, word: str) -> str:
    """The verb that a word means in a title; the word itself where it means none."""
    small, own = NOT_PLAIN.get(word.lower(), word.lower()), own_words(title)
    if small in own:
        return small
    meant = ALIASES.get(small, CHATTY.get(small, small))
    other = OTHERWISE.get(meant, "")
    return other if other in own else meant if meant in verb_words(title) else small


@lru_cache(maxsize=TITLES_KEPT)
def own_words(title: Title) -> frozenset[str]:
    return frozenset(word for kind in title.verbs for word in verb_of(kind).words)


def other_words(title: Title) -> dict[str, str]:
    """Other words for the verbs of a title that may have been mistyped; German words where German is read."""
    known = {**ALIASES, **GERMAN_CHATTY} if current_language() == "de" else ALIASES
    verbs, is_german = verb_words(title), current_language() == "de"
    return {word: verb for word, verb in known.items() if verb in verbs and (is_german or word not in GERMAN_VERBS)}


@lru_cache(maxsize=TITLES_KEPT)
def towns(rules: BoardRules) -> Mapping[str, HexId]:
    """Hexes by the name printed on them in small plain letters, where only one hex has it."""
    found: dict[str, list[HexId]] = {}
    for hex_id, space in rules.map.hexes.items():
        if space.name:
            found.setdefault(strip_accents(space.name.lower()), []).append(hex_id)
    return {name: spaces[0] for name, spaces in found.items() if len(spaces) == 1}


COMMON = re.compile(r"( government)?( railways?| company)+$")
"""Optional end of a company's name."""


@lru_cache(maxsize=TITLES_KEPT)
def signs_by_name(title: Title) -> Mapping[str, str]:
    """Companies and privates by their names in small plain letters: whole, without `Railway`, or by the first
    word, where that is unique.
    """
    found: dict[str, list[str]] = {}
    signs = {str(sign): noun.name for sign, noun in title.companies.items()}
    signs |= {str(sign): noun.name for sign, noun in title.privates.items()}
    for sign, printed in signs.items():
        name = strip_accents(printed.lower())
        for form in dict.fromkeys((name, COMMON.sub("", name), name.partition(" ")[0])):
            found.setdefault(form, []).append(sign)
    return {name: signs[0] for name, signs in found.items() if len(signs) == 1 and len(name) > 3}


@lru_cache(maxsize=TITLES_KEPT)
def long_names(title: Title, rules: BoardRules) -> Mapping[str, tuple[re.Pattern[str], str]]:
    """Names of more than one word, the longest first: the pattern that finds each in a clause, and its meaning."""
    names = {**towns(rules), **signs_by_name(title)}
    longest_first = sorted((name for name in names if not name.isalnum()), key=len, reverse=True)
    return {
        name: (re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE), names[name]) for name in longest_first
    }


# -- who ----------------------------------------------------------------------------------------------


def likely_actors(game: Game) -> list[Owner]:
    """The possible actors when nobody is named: the owner of the frame, or all who have a legal action."""
    if game.state.finished or not game.state.flow:
        return []
    entity = game.frame.entity
    if entity is not None and not game.frame.asked:
        return [entity]
    return list(dict.fromkeys(action.by for action in game.legal_actions()))


def default_actor(game: Game) -> Owner:
    """The actor when nobody is named: the only one, or the only one who is asked while somebody else may take
    their offer back; empty if that is not clear.
    """
    actors = likely_actors(game)
    asked = [actor for actor in actors if actor in game.frame.asked] if len(actors) > 1 else actors
    return asked[0] if len(asked) == 1 else Owner("")


def owner_named(game: Game, word: str) -> Owner | None:
    """The player, company or private of that name; case does not matter."""
    lowered = word.lower()
    for player in game.state.players:
        if lowered in (player.id.lower(), player.name.lower()):
            return player.id
    owner = owners_by_sign(game.title).get(lowered)
    return owner if owner in game.state.companies or owner in game.state.privates else None


@lru_cache(maxsize=TITLES_KEPT)
def owners_by_sign(title: Title) -> Mapping[str, Owner]:
    """Companies and privates by their signs in small letters."""
    return {owner.lower(): owner for owner in (*title.privates, *title.companies)}


def player_named(game: Game, word: str) -> PlayerId | None:
    lowered = without_isolates(word).strip().lower()
    return next((p.id for p in game.state.players if lowered in (p.name.lower(), p.id, p.id[1:])), None)


def with_names(game: Game, text: str) -> str:
    """A move's text with players' names in place of their seats; it can be typed like that.

    A player whose name is a filler word in moves, or another word for a verb, keeps the seat. A seat that does
    not exist stays as written.
    """
    names = game.state.names

    def name_at(found: re.Match[str]) -> str:
        name = names.get(seat(SeatNumber(int(found[0][1:]))), found[0])
        return found[0] if name.lower() in AMBIGUOUS else name

    return SEAT.sub(name_at, text)


# -- names --------------------------------------------------------------------------------------------


def printed_names(game: Game) -> dict[str, str]:
    """All names of the game by their small letters: printed names, players' names for their seats."""
    players = {player.name.lower(): player.id for player in game.state.players}
    return {**names_in_box(game.title, game.board_rules), **players, **{word: word for word in DETAILS}}


@lru_cache(maxsize=TITLES_KEPT)
def names_in_box(title: Title, rules: BoardRules) -> Mapping[str, str]:
    """The printed names, by their small letters."""
    names: dict[str, str] = {**signs_by_name(title), **towns(rules)}
    for known in (rules.map.hexes, rules.tiles, title.trains, title.privates, title.companies):
        names.update({str(name).lower(): str(name) for name in known})
    return names


def is_printed(game: Game, words: Iterable[str]) -> bool:
    """Whether the words that name something are spelled as it is printed."""
    names = names_in_box(game.title, game.board_rules)
    return all(proper(names, word) == word for word in words)


def proper(names: Mapping[str, str], word: str) -> str:
    """The word in its printed spelling: `g10.1` is `G10.1`, `2-0=h9.C0>h11.c0` is `2-0=H9.c0>H11.c0`."""
    lowered = word.lower()
    if lowered in names:
        return names[lowered]
    if ":" in word:
        head, _, number = word.partition(":")
        return f"{proper(names, head)}:{number}"
    if "=" in word:
        train, _, path = word.partition("=")
        return f"{proper(names, train)}={'>'.join(proper(names, space) for space in path.split('>'))}"
    head, dot, tail = lowered.partition(".")
    return f"{names.get(head, word.partition('.')[0])}{dot}{tail}"
