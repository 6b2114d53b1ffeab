"""Names that look alike: letters of other scripts that look like Latin letters, and signs that are not seen.

The letters are those of Unicode's table of confusables (UTS #39) in scripts that common fonts draw; what only NFKC changes is not
among them.
"""

from __future__ import annotations

from unicodedata import normalize

SHAPES = {
    **{"A": "ΑАᎪꓮ", "B": "ꞴΒВᏴꓐ", "C": "ⲤСᏟꓚ", "D": "Ꭰꓓ", "E": "ΕЕᎬꓰ", "F": "ꞘϜꓝ", "G": "ԌᏀᏳꓖ", "H": "ΗⲎНᎻꓧ"},
    **{"I": "ΙⲒІӀꓲ", "J": "ꞲͿЈᎫꓙ", "K": "ΚⲔКᏦꓗ", "L": "ⳐᏞꓡ", "M": "ΜϺⲘМᎷꓟ", "N": "ΝⲚꓠ", "O": "ΟⲞОՕꓳ", "P": "ΡⲢРᏢꓑ"},
    **{"R": "ƦᎡᏒꓣ", "S": "ЅՏᏕᏚꓢ", "T": "ΤⲦТᎢꓔ", "U": "Սꓴ", "V": "ѴᏙꓦ", "W": "ԜᎳᏔꓪ", "X": "ΧⲬХꓫ", "Y": "ΥⲨУҮᎩᎽꓬ"},
    **{"Z": "ΖᏃꓜ", "a": "ɑαа", "b": "ƄЬᏏ", "c": "ᴄⲥсꮯ", "d": "ԁᏧꓒ", "e": "ꬲеҽ", "f": "ꬵꞙẝք", "g": "ɡᶃƍց"},
    **{"h": "һհᏂ", "i": "ıɪɩιіꙇꭵᎥ", "j": "ϳј", "l": "ӏǀƖן", "n": "ոռ", "o": "ᴏᴑꬽοσⲟоօס", "p": "ρⲣр", "q": "ԛգզ"},
    **{"r": "ꭇꭈᴦⲅгꮁ", "s": "ꜱƽѕꮪ", "u": "ꞟᴜꭎꭒʋυս", "v": "ᴠνѵꮩ", "w": "ɯᴡѡԝաꮃ", "x": "х", "y": "ɣᶌʏỿꭚγуү", "z": "ᴢꮓ"},
}
LATIN = str.maketrans({letter: latin for latin, letters in SHAPES.items() for letter in letters})

DRAWN_ALIKE = str.maketrans(
    {"I": "l", "1": "l", "0": "O", "m": "rn", **{sign: "" for sign in map(chr, range(0x2B0, 0x300))}}
)
"""Letters and digits that some fonts draw alike, and letters that are drawn as punctuation or accents."""

UNSEEN = "\u115f\u1160"
"""Letters by Unicode's word that fill a place and show nothing; NFKC makes the others of these."""


def seen_letters(text: str) -> str:
    """The text with each letter in its usual form, without letters that show nothing."""
    return "".join(letter for letter in normalize("NFKC", text) if letter not in UNSEEN)


def latin_form(name: str) -> str:
    """The name in small letters, with Latin letters for those that look like them."""
    return name.translate(LATIN).casefold()


def likeness(name: str) -> str:
    """The same for names that a reader may take for each other."""
    shapes = seen_letters(name).translate(LATIN).translate(DRAWN_ALIKE)
    return "".join(letter for letter in shapes.casefold() if letter.isalnum())
