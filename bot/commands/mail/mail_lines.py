"""A line of a letter, and what it shows of itself: whether it is quoted, is of a mail's head, may begin a move."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

from bot.engine.notation.text import BY_WORD
from bot.service.parser.german import GERMAN_COMMANDS, GERMAN_VERBS, UMLAUTS
from bot.service.parser.vocabulary import ALIASES, CHATTY, DETAILS
from bot.service.registry.command import Door
from bot.service.registry.command_line import spellings

from .phrases import LABEL, ORIGINAL, PRODUCT, SENT, SIGN_OFF
from .quote_marker import NAME, markers

LONGEST = 4000
"""Maximum number of characters that somebody writes."""

LOOKED_AT = 300
"""Characters of a line that are enough to classify it."""

QUOTED = (">", "|", "＞", "\u203a")
RULE = re.compile(
    r"[-_=+*~#.·•\u2010-\u2015\u2212\u2500-\u257f\u25ac](?: ?[-_=+*~#.·•\u2010-\u2015\u2212\u2500-\u257f\u25ac])+"
)
ORNAMENT = re.compile(r"[.·•+*]{1,2}|\.\.\.")
FRAMED = re.compile(
    r"(?:[-_=~#\u2010-\u2015\u2212\u2500-\u257f]{2,}|\*{3,}) ?\S.*?(?:[-_=~#\u2010-\u2015\u2500-\u257f]{2,}|\*{3,})|[-_=]{4,} ?\S.*"
)
PAGE = re.compile(r"https?://|mailto:|www\.|<#", re.I)
MAIL_ADDRESS = re.compile(r"\w[\"']?@[\w-]{1,63}\.\w")
COLONS = (":", "：", "﹕", "︰")
HEADER = re.compile(r"\*{0,2}([^\W\d_][^:：*]{0,24}?)\s?\*{0,2}\s?[:：]\*{0,2}\s?(.*)")
DAY = re.compile(r"(?<!\d)\d{1,4}\. ?\d{1,2}\. ?\d{2,4}(?!\d)|(?<!\d)\d{1,4}([-/])\d{1,2}\1\d{1,4}(?!\d)")
NUMBER = re.compile(r"\d+")
CLOCK = re.compile(r"(?<![\w:])\d{1,2}:\d\d(?!\d)")
THING = re.compile(r"\b(?:[A-Z]{1,4}\d{1,2}|\d{1,2}[A-Z]\d?)\b")
STOPS = tuple(".!?。！？")
LIST_MARK = re.compile(r"^(?:[-*•]|\d{1,2}[.)]) ?(?=[^\W\d_])")

UNSURE = {
    "no",
    "yes",
    "ok",
    "okay",
    "ja",
    "nein",
    "keep",
    "hold",
    "end",
    "finish",
    "take",
    "start",
    "use",
    "ask",
    "close",
}
"""Words that begin moves and as many sentences; below the first paragraph they are not enough to begin anything."""

FIRST_WORDS = frozenset(text.split()[0] for text in spellings(Door.MAIL))
GERMAN_WORDS = frozenset(german for german, english in GERMAN_COMMANDS.items() if english in FIRST_WORDS)
COMMANDS = FIRST_WORDS | GERMAN_WORDS
"""First words of commands."""

ALONE = {"?", "help"} | {
    text
    for text, (command, way) in spellings(Door.MAIL).items()
    if " " not in text and (way.rest or not any(one.name != "game" for one in command.parameters))
}
"""Commands after which mostly nothing stands: more words are rather a sentence."""

VERBS = frozenset({*BY_WORD, *ALIASES, *CHATTY, *CHATTY.values(), *GERMAN_VERBS})

CLEAR = VERBS - UNSURE


def letter_deletions(word: str) -> set[str]:
    """The words with one letter of this word left out."""
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


LONGER = [verb for verb in VERBS if len(verb) > 2]
SHORTENED = frozenset(short for verb in LONGER for short in letter_deletions(verb))
SWAPPED = frozenset(
    f"{verb[:at]}{verb[at + 1]}{verb[at]}{verb[at + 2 :]}" for verb in LONGER for at in range(len(verb) - 1)
)
LONG_WORD = 5
"""Number of letters from which on a word is unlikely to be another word with a wrong letter."""

SENTENCE = 4
"""Number of words from which on a line is a sentence."""

MOST_NAMES = 3
"""Maximum number of words of a person's signature."""


def is_near_verb(word: str) -> bool:
    """Whether it is a verb, or a verb with a letter too few, too many, swapped with the next, or (in long words)
    wrong.
    """
    if word in VERBS or word in SHORTENED or word in SWAPPED:
        return True
    short = letter_deletions(word)
    return not VERBS.isdisjoint(short) or (len(word) >= LONG_WORD and not SHORTENED.isdisjoint(short))


@dataclass
class MailLine:
    """A line in plain letters, with its features."""

    text: str
    own: tuple[str, str] = ("", "")
    """The bot's address: the part before its `@`, and the part from it on."""

    @cached_property
    def head(self) -> str:
        return self.text[:LOOKED_AT]

    @cached_property
    def is_quoted(self) -> bool:
        return self.text.startswith(QUOTED)

    @cached_property
    def is_ruled_off(self) -> bool:
        """Whether it is a rule across the page, with or without text in it, or the bot's own marker."""
        if RULE.fullmatch(self.head) and not ORNAMENT.fullmatch(self.head):
            return True
        return FRAMED.fullmatch(self.head) is not None or any(told in self.head.lower() for told in markers())

    @cached_property
    def has_page(self) -> bool:
        return PAGE.search(self.head) is not None

    @cached_property
    def has_place(self) -> bool:
        return self.has_page or MAIL_ADDRESS.search(self.head) is not None

    @cached_property
    def has_name(self) -> bool:
        """Whether it contains the bot's name or address."""
        head = self.head.lower()
        return NAME.lower() in head or (self.own[1] in head and self.own[0] in head and bool(self.own[0]))

    @cached_property
    def has_date(self) -> bool:
        if DAY.search(self.head):
            return True
        numbers = NUMBER.findall(self.head)
        has_year = any(len(number) == 4 and 2000 <= int(number) < 2100 for number in numbers)
        return len(numbers) > 1 and (has_year or (len(numbers) > 2 and CLOCK.search(self.head) is not None))

    @cached_property
    def is_of_mail(self) -> bool:
        """Whether it contains what no move does: a date, an address, the bot's name."""
        return self.has_place or self.has_name or self.has_date

    @cached_property
    def is_by_program(self) -> bool:
        if ORIGINAL.match(self.head):
            return True
        return not self.begins_move and bool(SENT.match(self.head) or PRODUCT.search(self.head))

    @cached_property
    def ends_with_colon(self) -> bool:
        return self.text.endswith(COLONS)

    @cached_property
    def is_header(self) -> bool:
        """Whether it is like `From: somebody`, and no move."""
        found = HEADER.fullmatch(self.head)
        return found is not None and not self.begins_move and not VERBS.intersection(first_words(found[2])[:1])

    @cached_property
    def is_known_header(self) -> bool:
        found = HEADER.fullmatch(self.head)
        return self.is_header and found is not None and LABEL.fullmatch(found[1].strip()) is not None

    @cached_property
    def has_words(self) -> bool:
        return self.text == "?" or any(letter.isalnum() for letter in self.head)

    @cached_property
    def words(self) -> list[str]:
        return first_words(self.text)

    @cached_property
    def holds_verb(self) -> bool:
        """Whether it contains a verb of moves that may be meant as such; also in another form: `If Bob passes`."""
        said = (word.strip(",.:;!?*").lower().translate(UMLAUTS) for word in self.head.split())
        return any(word[: len(word) - more] in CLEAR for word in said if len(word) > 2 for more in range(3))

    @cached_property
    def begins_move(self) -> bool:
        """Whether it begins with a verb, or with a name and a verb."""
        return bool(self.words) and (self.words[0] in VERBS or self.is_of_actor)

    @cached_property
    def is_of_actor(self) -> bool:
        return self.has_actor and self.words[1] in VERBS

    @cached_property
    def has_actor(self) -> bool:
        """Whether more follows a word that may be an actor: `VR`, `Ann:`, `@1`."""
        actor = self.head.split(" ", 1)[0]
        return len(self.words) > 1 and (actor.endswith(":") or actor.isupper() or actor[:1] == "@")

    @cached_property
    def has_sign(self) -> bool:
        """Whether a number or a word in capitals follows the first word, as in moves."""
        return re.search(r"\d|\b[A-Z]{2,}\b", self.head.partition(" ")[2]) is not None

    @cached_property
    def has_thing(self) -> bool:
        """Whether it names something of a game: `H9`, `P1`, `3T`."""
        return THING.search(self.head) is not None

    @cached_property
    def is_chatty(self) -> bool:
        """Whether it begins as moves and sentences do, and contains nothing that moves are about."""
        return bool(self.words) and self.words[0] in UNSURE and not self.has_sign

    @cached_property
    def is_short(self) -> bool:
        return self.head.count(" ") + 1 < SENTENCE

    @cached_property
    def is_sentence(self) -> bool:
        """Whether it reads like a sentence to people, though it may begin as moves do."""
        return not (self.has_sign or self.has_thing or self.is_short) and self.text.endswith(STOPS)

    @cached_property
    def is_full_name(self) -> bool:
        """Whether it is written like a person's names, and contains nothing of a move."""
        words = self.text.strip("-~ .,!").split()
        is_written_so = 2 <= len(words) <= MOST_NAMES and all(word.isalpha() and word.istitle() for word in words)
        return is_written_so and not (self.holds_verb or self.is_like_move)

    def is_sign_off(self, names: Set[str]) -> bool:
        """Whether it is a closing phrase, or one of these names, also with other names before or behind it."""
        text = self.text.strip("-~ .,!")
        is_name = text.lower() in names or (self.is_full_name and not names.isdisjoint(text.lower().split()))
        return (is_name or SIGN_OFF.match(self.head) is not None) and (not self.begins_move or self.is_chatty)

    @cached_property
    def may_begin_move(self) -> bool:
        """Whether a line below the first paragraph may be a move or a command."""
        if self.is_chatty or not self.words:
            return False
        word, rest = self.words[0], self.text.lstrip("/").partition(" ")[2]
        if word not in COMMANDS:
            return self.begins_move
        if GERMAN_COMMANDS.get(word, word) in ALONE:
            return not rest
        if word == "also" and not MAIL_ADDRESS.search(rest[:LOOKED_AT]):
            return rest == "none"
        return (" " not in rest or re.search(r"[\d=]", rest) is not None) and not self.text.endswith((".", "!", ","))

    @cached_property
    def likely_verb(self) -> str:
        """The word that is a verb, or nearly: the first, or the word behind an actor; empty where neither is. A
        two-letter word counts only before something that moves are about: `rn best`, but not `Un abrazo`.
        """
        for number, word in enumerate(self.words[: 1 + self.has_actor]):
            if is_near_verb(word) and (
                len(word) > 2 or self.has_sign or DETAILS.intersection(self.words[number + 1 :])
            ):
                return word
        return ""

    @cached_property
    def is_like_move(self) -> bool:
        """Whether it may be meant as a move or a command, mistyped."""
        return (
            bool(self.words)
            and (self.has_thing or self.words[0] in COMMANDS or self.likely_verb != "")
            and not (self.is_of_mail or self.is_quoted or self.is_ruled_off or self.is_by_program)
        )

    @cached_property
    def is_meant(self) -> bool:
        """Whether it is probably a move, even mistyped, and not a sentence to people."""
        if not self.is_like_move or self.is_chatty or self.is_known_header or self.words[0] in COMMANDS:
            return False
        count, word = self.head.count(" ") + 1, self.likely_verb
        if word:
            is_long = len(word) >= LONG_WORD or word in VERBS
            return self.has_thing or self.is_short or (is_long and not self.is_sentence)
        begins_so = THING.match(self.head) is not None or self.head[0].isdigit()
        return self.has_thing and (begins_so or self.holds_verb or count <= SENTENCE)


def first_words(text: str) -> list[str]:
    """The first three words of a line, in plain lower case; a list's bullet before them is dropped."""
    text = LIST_MARK.sub("", text[:60])
    return [word.strip(",.:;!*").lower().translate(UMLAUTS).lower() for word in text.lstrip("/").split()[:3]]


def plain_line(line: str) -> str:
    """A line with plain blanks and quotation marks, as in moves; invisible characters are removed."""
    line = line[: 2 * LONGEST].translate(PLAIN)
    return " ".join("".join(letter for letter in line if letter.isprintable() or letter == "\t").split())


PLAIN = str.maketrans(
    {
        "\xa0": " ",
        "\u2007": " ",
        "\u202f": " ",
        "\u3000": " ",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u2013": "-",
        "\u2014": "--",
        "\u200b": None,
        "\u2060": None,
        "\ufeff": None,
    }
)
