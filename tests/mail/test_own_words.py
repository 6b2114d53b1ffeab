"""What is read of an answer is what its writer wrote, whatever his program puts below."""

from __future__ import annotations

import pytest

from bot.mail.own_words import TooLong, own_lines, plain_line, words_of_page
from bot.mail.reading import read_letter, unfolded
from tests.mail.conftest import OWN

MOVES = ["lay 57 H9 to H11; run best", "pay"]
WRITTEN = "\n".join(MOVES)

BELOW = {
    "nothing": "",
    "a quotation": "> buy P1\n> pass\n",
    "Gmail": "On Mon, 23 Nov 2026 at 08:12, Signalbox <games+3-17-abc@club.example> wrote:\n\n> buy P1\n",
    "Gmail, two lines": "On Mon, 23 Nov 2026 at 08:12, Signalbox\n<games+3-17-abc@club.example> wrote:\n\n> buy P1\n",
    "Gmail in German": "Am Mo., 23. Nov. 2026 um 08:12 Uhr schrieb Signalbox <\ngames+3-17-abc@club.example>:\n\n> buy P1\n",
    "Apple": "Sent from my iPhone\n\n> On 23 Nov 2026, at 08:12, Signalbox <games@club.example> wrote:\n> \n> pass\n",
    "Apple in German": "Von meinem iPhone gesendet\n\n> Am 23.11.2026 um 08:12 schrieb Signalbox <games@club.example>:\n",
    "Outlook": "From: Signalbox <games@club.example>\nSent: Monday\nTo: Ann\nSubject: Game 3\n\nbuy P1\n",
    "Outlook in German": "Von: Signalbox <games@club.example>\nGesendet: Montag\nAn: Ann\n\nbuy P1\n",
    "Outlook with a line": "________________________________\nFrom: Signalbox\n\nbuy P1\n",
    "an older one": "-----Original Message-----\nFrom: Signalbox\n\nbuy P1\n",
    "a signature": "-- \nAnn Example\nbuy P1\n",
    "a short one": "--\nAnn\n",
    "French": "Le lun. 23 nov. 2026 à 08:12, Signalbox <games@club.example> a écrit :\n\n> buy P1\n",
    "Android": "Gesendet mit der GMX Mail App für Android\n\nbuy P1",
}


@pytest.mark.parametrize("name", BELOW)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_stands_below_is_left_out(name: str, gap: str) -> None:
    assert own_lines(WRITTEN + gap + BELOW[name], OWN) == MOVES


def test_a_move_that_begins_like_an_introduction_is_one() -> None:
    lines = ["on H9 lay 57", "am Ende passe ich"]
    assert own_lines("\n".join(lines), OWN) == lines
    assert own_lines("> buy P1\nbuy P2", OWN) == [], "an answer below the quotation is not read"


def test_signs_that_programs_put_in_place_of_others_are_plain() -> None:
    assert plain_line("\ufeffbuy\u00a0P1 \u2013 \u201cx\u201d\u200b") == 'buy P1 - "x"'


def test_too_many_lines_are_refused_but_a_long_quotation_is_not() -> None:
    with pytest.raises(TooLong):
        own_lines("pass\n" * 60, OWN)
    assert own_lines("pass\n> x" + "\n> y" * 5000, OWN) == ["pass"]


def test_a_page_is_read_as_it_is_seen() -> None:
    gmail = (
        '<html><head><style>x{}</style></head><body><div dir="ltr">buy P1<div>pay &amp; go</div></div><br>'
        '<div class="gmail_quote"><div>On Monday wrote:</div><blockquote>buy P2</blockquote></div></body></html>'
    )
    assert own_lines(words_of_page(gmail), OWN) == ["buy P1", "pay & go"]
    outlook = "<body><p>buy P1</p><p>pay</p><hr><div id='divRplyFwdMsg'><b>From:</b> Signalbox<br>buy P2</div></body>"
    assert own_lines(words_of_page(outlook), OWN) == ["buy P1", "pay"]
    raw = b"From: a@b.example\nContent-Type: text/html; charset=utf-8\n\n" + gmail.encode()
    assert read_letter(raw, OWN).lines == ("buy P1", "pay & go")


def test_lines_that_were_broken_are_put_together_again() -> None:
    assert (
        unfolded("lay 57 H9 to H11; run \nbest; pay\npass\n-- \nAnn")
        == "lay 57 H9 to H11; run best; pay\npass\n-- \nAnn"
    )


def test_hostile_texts_are_read_in_one_go() -> None:
    for piece in ("On ", "Am schrieb ", "\n", "> ", "From: ", "-", "_", "<div>", "<!--", "&", "<![", "</"):
        try:
            own_lines(piece * (60_000 // len(piece)), OWN)
        except TooLong:
            continue
        words_of_page(piece * (200_000 // len(piece)))
