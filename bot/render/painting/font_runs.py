"""Letters as fonts have them: Cairo takes one font for a text, and draws a box for what that one lacks. Here a text becomes pieces
of one font each, in the order in which they stand in the picture."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

import cairocffi

FALLBACK = "WenQuanYi Micro Hei"
"""Has the Chinese, Japanese and Korean letters."""

UNKNOWN = "\N{REPLACEMENT CHARACTER}"

NAMED = re.compile(r"(?:LETTER|SYLLABLE|CHARACTER|SIGN) (?:SMALL |CAPITAL )?([A-Z])")
"""How Unicode calls most letters: `DEVANAGARI LETTER RA` sounds as its name begins."""

FORMS = ("isolated", "final", "initial", "medial")


class Piece(NamedTuple):
    family: str
    text: str


@lru_cache(5000)
def pieces(text: str, family: str, bold: bool) -> tuple[Piece, ...]:
    """The text as it stands from left to right, each letter in this font or in the fallback font. In place of a letter
    that neither has stands the Latin letter with which its name begins, so that a name is still told from others, and
    as long."""
    if text.isascii():
        return (Piece(family, text),)
    letters = [_piece(letter, family, bold) for letter in from_left_to_right(text)]
    return tuple(
        Piece(font, "".join(piece.text for piece in same))
        for font, same in groupby(letters, lambda piece: piece.family)
    )


def _piece(letter: str, family: str, bold: bool) -> Piece:
    for font in (family, FALLBACK):
        if has_glyph(font, bold, letter):
            return Piece(font, letter)
    called = NAMED.search(unicodedata.name(letter, ""))
    return Piece(family, called[1] if called else UNKNOWN)


@lru_cache(5000)
def has_glyph(family: str, bold: bool, letter: str) -> bool:
    weight = cairocffi.FONT_WEIGHT_BOLD if bold else cairocffi.FONT_WEIGHT_NORMAL
    face = cairocffi.ToyFontFace(family, cairocffi.FONT_SLANT_NORMAL, weight)
    font = cairocffi.ScaledFont(face, cairocffi.Matrix(xx=10, yy=10))
    return all(number for number, _, _ in font.text_to_glyphs(0, 0, letter, with_clusters=False))


MARKS = dict.fromkeys(range(0x2066, 0x206A))
"""Marks that set words apart; they have no glyph."""

# -- letters that go from right to left ---------------------------------------------------------------


def from_left_to_right(text: str) -> str:
    """The text with stretches of Hebrew and Arabic turned around, and Arabic letters joined to each other."""
    shaped = join_letters(text.translate(MARKS))
    sides = [unicodedata.bidirectional(letter) in ("R", "AL") for letter in shaped]
    # Signs between two words of such a script belong to it.
    for place, letter in enumerate(shaped):
        if not letter.isalnum() and 0 < place < len(shaped) - 1:
            sides[place] = sides[place - 1] and any(sides[place + 1 : place + 2])
    found = []
    for is_turned, same in groupby(zip(sides, shaped, strict=True), lambda one: one[0]):
        stretch = "".join(letter for _, letter in same)
        found.append(stretch[::-1] if is_turned else stretch)
    return "".join(found)


def join_letters(text: str) -> str:
    """Arabic letters in their contextual forms."""
    forms = arabic_forms()
    found = []
    for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        own = forms.get(letter, {})
        follows = "initial" in forms.get(before, {}) and "final" in own
        goes_on = "initial" in own and "final" in forms.get(after, {})
        found.append(own.get(FORMS[follows + 2 * goes_on], letter))
    return "".join(found)


@cache
def arabic_forms() -> dict[str, dict[str, str]]:
    """From Unicode's own table."""
    found: dict[str, dict[str, str]] = {}
    for number in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEF5)):
        match unicodedata.decomposition(chr(number)).split():
            case form, letter:
                found.setdefault(chr(int(letter, 16)), {})[form.strip("<>")] = chr(number)
    return found
