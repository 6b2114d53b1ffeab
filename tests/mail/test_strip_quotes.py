"""What is read of an answer is what its writer wrote, whatever their program puts around it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.mail.handler import join_moves
from bot.commands.mail.incoming_mail import read_letter, unfold_text
from bot.commands.mail.mail_lines import COMMANDS, VERBS, MailLine, is_near_verb
from bot.commands.mail.quote_marker import marker
from bot.commands.mail.strip_quotes import Encrypted, TooLong, extract_reply, html_to_text, plain_line, reply_lines
from bot.engine.notation.text import verb_words
from bot.i18n import LANGUAGES, use_language
from bot.service.registry.command import Door
from bot.service.registry.command_line import find_line
from bot.titles.registry import TITLES
from tests.mail.conftest import ANN, OWN

MOVES = ["lay 57 H9 to H11; run best", "pay"]
WRITTEN = "\n".join(MOVES)

ENDINGS = msgspec.json.decode((Path(__file__).parent / "endings.json").read_bytes())
"""What programs and people put below moves, by the program: `endings` even where no empty line is between, `talk` below an
empty line alone; `openings` stand above moves; `wrapped` are moves in lines that a program broke; `pages` and `bodies` are
whole letters, the latter written by somebody who did not know how they are read."""

WAYS = [["buy P1"], MOVES, ["kaufe P2"], ["- buy P1", "2. pass"], ["run best: pay"], ["CAR: run best", "57 H9"]]

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
    assert reply_lines(WRITTEN + gap + BELOW[name], OWN) == MOVES


def test_a_move_that_begins_like_an_introduction_is_one() -> None:
    lines = ["on H9 lay 57", "am Ende passe ich"]
    assert reply_lines("\n".join(lines), OWN) == lines
    assert reply_lines("> buy P1\nbuy P2", OWN) == [], "it may be a piece of the line above"


QUOTED = "On 23.11.26 08:12, Signalbox wrote:\n> === Please write your answer above this line ===\n>\n>     buy P1\n"
"""What a mail program puts above an answer that is written below."""


@pytest.mark.parametrize(
    ("above", "below", "moves"),
    [
        ("", "\nbuy P2\n", ["buy P2"]),
        ("", "\n\nHi,\n\nkaufe P2\npass\n\n-- \nAnn\nbuy P3", ["kaufe P2", "pass"]),
        ("", "\nbyu P2\n\nCheers, Ann\nbuy P3\n", ["byu P2"]),
        ("", "\nstatus\nSent from my phone\nbuy P3", ["status"]),
        ("Hi Bob, that was hard.\n\n", "\nbuy P2\n", ["buy P2"]),
        ("buy P4\n\n", "\nbuy P2\n", ["buy P4"]),
        ("byu P4\n\n", "\nbuy P2\n", ["byu P4"]),
        ("", "buy P2\n", []),
        ("", "\nThank you!\n", []),
        ("", "\nbuy P2\n> pass\n", []),
        ("", "\nOn Monday, Signalbox <games@club.example> wrote:\nbuy P2\n", []),
    ],
)
def test_an_answer_below_all_that_it_quotes_is_read(above: str, below: str, moves: list[str]) -> None:
    found = extract_reply(above + QUOTED + below, OWN, "Ann Example")
    assert [line for line in found.lines if line != "Hi Bob, that was hard."] == moves
    typed = {line for line in below.splitlines() if line.startswith("buy P2")}
    assert typed <= {*found.lines, *found.left} or "wrote:" in below, "what is not read is named"


def test_signs_that_programs_put_in_place_of_others_are_plain() -> None:
    assert plain_line("\ufeffbuy\u00a0P1 \u2013 \u201cx\u201d\u200b") == 'buy P1 - "x"'


def test_too_many_lines_are_refused_but_a_long_quotation_is_not() -> None:
    with pytest.raises(TooLong):
        reply_lines("pass\n" * 60, OWN)
    assert reply_lines("pass\n> x" + "\n> y" * 5000, OWN) == ["pass"]


def test_a_page_is_read_as_it_is_seen() -> None:
    gmail = (
        '<html><head><style>x{}</style></head><body><div dir="ltr">buy P1<div>pay &amp; go</div></div><br>'
        '<div class="gmail_quote"><div>On Monday wrote:</div><blockquote>buy P2</blockquote></div></body></html>'
    )
    assert reply_lines(html_to_text(gmail), OWN) == ["buy P1", "pay & go"]
    outlook = "<body><p>buy P1</p><p>pay</p><hr><div id='divRplyFwdMsg'><b>From:</b> Signalbox<br>buy P2</div></body>"
    assert reply_lines(html_to_text(outlook), OWN) == ["buy P1", "pay"]
    raw = b"From: a@b.example\nContent-Type: text/html; charset=utf-8\n\n" + gmail.encode()
    assert read_letter(raw, OWN).lines == ("buy P1", "pay & go")


def test_lines_that_were_broken_are_put_together_again() -> None:
    assert (
        unfold_text("lay 57 H9 to H11; run \nbest; pay\npass\n-- \nAnn")
        == "lay 57 H9 to H11; run best; pay\npass\n-- \nAnn"
    )


@pytest.mark.parametrize("moves", WAYS, ids=str)
def test_of_what_real_programs_put_below_nothing_is_read(moves: list[str]) -> None:
    written = "\n".join(moves)
    for name, ending in (ENDINGS["endings"] | ENDINGS["talk"]).items():
        assert reply_lines(f"{written}\n\n{ending}", OWN) == moves, name
    for name, ending in ENDINGS["endings"].items():
        assert reply_lines(f"{written}\n{ending}", OWN) == moves, name


def test_of_pages_of_real_programs_nothing_is_read_below() -> None:
    for name, page in ENDINGS["pages"].items():
        assert reply_lines(html_to_text(page), OWN) == ["buy P1", "pay"], name


def test_whole_letters_hold_their_moves_alone() -> None:
    for name, body in ENDINGS["bodies"].items():
        found = extract_reply(body["text"], OWN, "Ann Example")
        assert (list(found.lines), found.left) == (body["moves"], ()), name


@pytest.mark.parametrize("moves", [["buy P1"], ["VR: lay 57 H9", "57 H9"], ["kaufe P2"], ["ｐａｓｓ"]], ids=str)
def test_what_stands_above_moves_is_left_out_in_any_language(moves: list[str]) -> None:
    for name, opening in ENDINGS["openings"].items():
        for gap in ("\n", "\n\n"):
            found = extract_reply(opening + gap + "\n".join(moves), OWN)
            assert list(found.lines) == moves, name
            kept = [line for line in opening.splitlines() if len(line.split()) > 3 and line not in found.left]
            assert not kept, "what may say more than a greeting is named"


@pytest.mark.parametrize(
    "text",
    [
        "pas\n\nbuy P1",
        "Pas.\nbuy P1",
        "rn best\n\npay",
        "P1\n\npass",
        "57 H9\n\nrun best",
        "VR: ly 57 H9\n\nrun best",
        "wihthold all of the dividends\n\nbuy 3",
        "If Bob passes:\nbuy P1",
        "Now I pass,\n\nbuy P1",
        "take\n\nbuy 3",
        "lay 57 H9 to H11\n\nrun bset\n\npay",
        "lay 57 H9 to H11\n\nThat was hard.\n\nrn best",
        "run best\n\npya",
        "run best\n\nkeep\n\nbuy 3",
        "run best\n\npay\n\nbuy VR\nfrom pool",
        "run best\n\nbid P4\nfor 60",
        "pay\n\nsell 2\nQR\n\nCheers",
        "buy P1\n\nPass it on, Bob!\n\nbuy P2",
        "buy P1\nI think that is best for now.",
    ],
)
def test_a_line_that_may_be_a_move_never_vanishes(text: str) -> None:
    found = extract_reply(text, OWN)
    assert set(text.splitlines()) - {*found.lines} <= {"", "That was hard.", "Cheers"}
    assert found.sure == len(found.lines), "all of them are made, or none"


def test_a_mark_of_a_list_stands_before_a_line_only() -> None:
    run = "FT run 2-0=G16.c0>G14.c0"
    assert join_moves([f"1. {run}", "- FT pay", "2) pass", "run 3-B7 *C9"]) == f"{run}; FT pay; pass; run 3-B7 *C9"


def test_a_line_that_a_program_broke_is_one_move() -> None:
    for name, text in ENDINGS["wrapped"].items():
        for below in ("", "\nstatus", "\nCheers, Ann", "\n-- \nAnn"):
            whole = text.rpartition("\n\n")[2].replace("\n", " ")
            assert reply_lines(text + below, OWN)[-1 - ("status" in below)] == whole, name
    for line in ("pass", "status"):
        long = "lay 57 H9 to H11; token H11; run best; pay; buy 3 from CAR for 1; buy 3+"
        assert reply_lines(f"{long}\n{line}", OWN) == [long, line], "it begins another move, or a command"
    assert reply_lines("run best; pay\nfrom bank", OWN) == ["run best; pay", "from bank"], "there was room"


def test_sentences_below_moves_may_be_no_moves() -> None:
    for talk in ("Pass the salt, Bob!", "Run for your lives, everybody!", "Half of the table seems asleep."):
        found = extract_reply(f"buy P1\n\n{talk}", OWN)
        assert (found.lines, found.sure) == (("buy P1", talk), 1), "tried, and left out where it cannot be read"


@pytest.mark.shared
def test_endings_found_in_real_mails(shared: Path) -> None:
    folder = shared / "findings" / "mail-cases"
    for case in msgspec.json.decode((folder / "endings.json").read_bytes()):
        for gap in ("\n", "\n\n"):
            assert reply_lines(WRITTEN + gap + case["after_the_move"], OWN) == MOVES, case
    for path in folder.glob("mail_*.eml"):
        if "poison" not in path.name:
            found = read_letter(path.read_bytes(), OWN)
            assert (found.sender, found.lines) == (ANN, ("buy P1",)), path.name


WORDS = st.text(st.characters(categories=("L", "Zs"), include_characters=",.!'-"), max_size=60)


@given(st.lists(WORDS, max_size=5))
def test_whatever_is_chatted_below_moves_never_hides_them(chat: list[str]) -> None:
    lines = reply_lines(f"{WRITTEN}\n\n" + "\n".join(chat), OWN)
    assert lines[: len(MOVES)] == MOVES
    kept = [word for line in lines[len(MOVES) :] for word in MailLine(line).words]
    assert not kept or any(is_near_verb(word) or word in COMMANDS for word in kept)


@pytest.mark.parametrize(
    ("text", "lines", "left"),
    [
        ("buy P1\n\npass", ("buy P1", "pass"), ()),
        ("buy P1\n\nbyu P2", ("buy P1", "byu P2"), ()),
        ("buy P1\nbyu P2", ("buy P1", "byu P2"), ()),
        ("buy P1\n\nThat was hard.\n\npass", ("buy P1", "pass"), ()),
        ("buy P1\nCheers, Ann\npass\nOn 23/11/2026 8:12 Signalbox wrote:\nbuy P2", ("buy P1",), ("pass",)),
        ("buy P1\n> Your turn\nbuy P2\n> pass\nand so on\n-- \nbuy P3", ("buy P1",), ("buy P2",)),
        ("> Your turn\nbuy P2", (), ("buy P2",)),
        ("Hi Signalbox,\n\nbuy P1\n\nAnn", ("buy P1",), ()),
        ("buy P1\n\nStop it, Bob!", ("buy P1",), ("Stop it, Bob!",)),
        ("buy P1\n\nundo", ("buy P1", "undo"), ()),
        ("hello buy P1\npass", ("hello buy P1", "pass"), ()),
        ("buy P1\nThanks, pass", ("buy P1",), ("Thanks, pass",)),
        ("buy P1\nTill: 57 H9\nx", ("buy P1",), ("Till: 57 H9",)),
        ("buy P1\nlya 57 H9\nOn 23/11/2026 8:12 Signalbox wrote:\nx", ("buy P1", "lya 57 H9"), ()),
        ("buy P1\nOn Monday Ann wrote:\nbuy P2", ("buy P1",), ()),
        ("buy P1\nBR 57 H9", ("buy P1", "BR 57 H9"), ()),
        ("Hi,\n\nalso ann@work.example", ("also ann@work.example",), ()),
        ("buy P1\n\nAlso danke", ("buy P1",), ("Also danke",)),
        ("QR\n\nbuy P1", ("buy P1",), ("QR",)),
        (
            "buy P1\n\nBob, you should have bought P2 yourself :-)",
            ("buy P1",),
            ("Bob, you should have bought P2 yourself :-)",),
        ),
        ("status\n\nlog 20\n\nOk", ("status", "log 20"), ("Ok",)),
    ],
)
def test_what_is_left_out_and_may_be_a_move_is_kept_to_be_named(
    text: str, lines: tuple[str, ...], left: tuple[str, ...]
) -> None:
    found = extract_reply(text, OWN)
    assert (found.lines, found.left) == (lines, left)


def test_a_name_alone_is_a_sign_off_where_the_sender_has_it() -> None:
    assert reply_lines("buy P1\nAnn", OWN, "Ann Example") == ["buy P1"]
    assert reply_lines("buy P1\nAnn", OWN, "Bob") == ["buy P1", "Ann"]


def test_a_signature_may_hold_more_names_than_the_sender_does() -> None:
    address = "Pass Street 12\n80331 Town"
    for name, writer in (("Ann Example", "Ann"), ("Ann B Example", "Example"), ("Åsa Öberg", "Åsa")):
        found = extract_reply(f"buy P1\n\n{name}\n{address}", OWN, writer)
        assert (found.lines, found.left) == (("buy P1",), ("Pass Street 12",)), "a line that may be a move is named"
    for line in ("Ann Pass", "Ann Buys P2", "Ann 57 H9", "ann example", "Ann: Lay"):
        assert reply_lines(f"buy P1\n{line}\nbuy P2", OWN, "Ann")[-1] == "buy P2", line


def test_below_our_own_marker_nothing_is_read_in_any_language() -> None:
    for language in LANGUAGES:
        with use_language(language):
            for mark in ("", "> ", "  "):
                assert reply_lines(f"buy P1\nsomebody wrote:\n{mark}{marker()}\nbuy P2", OWN) == ["buy P1"]


def test_what_is_signed_in_the_letter_is_read_and_what_is_encrypted_is_not() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - buy P1\n- -- \nAnn\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n"
    assert reply_lines(signed, OWN) == ["- buy P1"]
    for text in ("", "\n"):
        with pytest.raises(Encrypted):
            reply_lines(f"{text}-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n", OWN)
    assert reply_lines("buy P1\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n", OWN) == ["buy P1"]


def test_nothing_in_a_game_is_called_as_a_letter_ends() -> None:
    for title in TITLES.values():
        for sign in (*title.companies, *title.privates, *title.trains, *title.plans):
            assert not MailLine(str(sign)).is_sign_off(()) and not MailLine(f"{sign} 57 H9").is_sign_off(()), sign


def test_every_command_and_verb_is_known_where_lines_are_told_apart() -> None:
    assert {line.partition(" ")[0] for line in TYPED_BEFORE} <= COMMANDS | VERBS
    assert {word for title in TITLES.values() for word in verb_words(title)} - VERBS <= {
        "eva",
        "furka",
        "ferry",
        "float",
    }


HOSTILE = ("a\n", "\n", "a\n\n", "On 1 2026 ", "Am schrieb ", "> ", ">\n", "From: ", "From: x\n", "-", "- ", "_", "-a-")
HOSTILE += (
    "a@",
    "@a-",
    "a: ",
    "1.",
    "1:00 ",
    "<div>",
    "<!--",
    "&",
    "<![",
    "</",
    "<p class=x>",
    "<div style='",
    "Sent ",
)


def work_on(text: str) -> int:
    """How many calls it takes to find somebody's own words in a text, and in a page."""
    count = 0

    def step(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(step)
    try:
        with suppress(TooLong, AssertionError):
            reply_lines(text, OWN)
        with suppress(AssertionError):
            html_to_text(text)
    finally:
        sys.setprofile(None)
    return count


def test_of_a_text_without_end_some_hundred_lines_are_looked_at() -> None:
    assert work_on("> a\nbuy P1\n\n" * 9000) < 1.2 * work_on("> a\nbuy P1\n\n" * 300)


@pytest.mark.parametrize("piece", HOSTILE)
def test_twice_the_text_is_no_more_than_twice_the_work(piece: str) -> None:
    once, twice = (work_on(piece * (size // len(piece))) for size in (16_000, 32_000))
    assert twice <= 2.2 * once + 2000


BANNERS = (
    "You don't often get email from ann@home.example. Learn why this is important"
    "<https://aka.ms/LearnAboutSenderIdentification>",
    "[You don't often get email from ann@home.example. Learn why this is important at"
    " https://aka.ms/LearnAboutSenderIdentification ]",
    "You don't often get email from ann@home.example. Learn why this is\nimportant<https://aka.ms/x>",
    "Some people who received this message don't often get email from ann@home.example. Learn why this is important<"
    "https://aka.ms/LearnAboutSenderIdentification>",
    "Sie erhalten nicht oft eine E-Mail von ann@home.example. Erfahren Sie, warum dies wichtig ist"
    "<https://aka.ms/LearnAboutSenderIdentification>",
    "Vous n'obtenez pas souvent d'e-mail à partir de ann@home.example. Pourquoi c'est important\n<https://aka.ms/x>",
)


@pytest.mark.parametrize("banner", BANNERS)
@pytest.mark.parametrize("space", ["\n", "\n\n", "\n\n\n"])
def test_what_the_receiving_server_writes_above_a_letter_is_left_out(banner: str, space: str) -> None:
    quoted = f"\n\nOn Mon, 1 Jun 2026 at 12:00 Signalbox <{OWN}> wrote:\n> buy P2\n"
    assert extract_reply(f"{banner}{space}buy P1\npass{quoted}", OWN, "Ann").lines == ("buy P1", "pass")
    assert extract_reply(f"\n{banner}{space}Hello all!\n\nbuy P1{quoted}", OWN, "Ann").lines == ("buy P1",)
    for nothing in (quoted, "\n> buy P2", f"\nFrom: Signalbox <{OWN}>\nSubject: Game 1\n\nbuy P2", ""):
        assert extract_reply(f"{banner}{space.strip()}{nothing}", OWN, "Ann").lines == ()


def test_a_letter_that_begins_like_a_banner_and_is_a_quotation_is_not_obeyed() -> None:
    for line in (f"Signalbox {OWN} https://board.example", "am 1.6.2026 schrieb ann@home.example https://x.example:"):
        assert extract_reply(f"{line}\nbuy P2", OWN, "Ann").lines == ()
    assert extract_reply("see https://board.example\nbuy P2", OWN, "Ann").lines == ()
    assert extract_reply("buy P1\nann@home.example https://x.example\npass", OWN, "Ann").lines == ("buy P1",)


TYPED_BEFORE = {
    "new 1848 Ann": "game new",
    "join 3 abcdefghijklmnopqr Ann": "game join",
    "leave": "game leave",
    "start list": "game start",
    "invite": "game invite",
    "option rules=rulebook": "game option",
    "options rules=rulebook": "game option",
    "computer none": "game computer",
    "vote yes": "vote yes",
    "vote nein 3": "vote no",
    "vote undo": "vote undo",
    "undo 3": "undo",
    "auto": "plan",
    "auto pass until sale": "plan",
    "auto drop 1": "auto drop",
    "snooze 24": "clock snooze",
    "mute off": "clock mute",
    "away 7": "clock away",
    "quiet Europe/Berlin 22 8": "clock quiet",
    "turns": "mail send",
    "digest": "mail send",
    "reminders": "mail send",
    "stop": "mail send",
    "language de": "language mine",
    "also none": "mail also",
    "privacy": "privacy export",
    "forget me": "privacy erase",
    "help": "help",
    "?": "help",
    "status": "status",
    "map": "map",
    "market": "market",
    "trains": "trains",
    "tiles": "tiles",
    "company VR": "company",
    "private P1": "company",
    "train 2": "company",
    "log 40": "log",
    "games": "games",
    "try buy P1": "try",
    "board": "board link",
    "board links": "board links",
    "board withdraw": "board withdraw",
    "board withdraw 2": "board withdraw",
    "board zurückziehen": "board withdraw",
    "beitreten 3 abcdefghijklmnopqr Ann": "game join",
    "beginnen": "game start",
    "einladen": "game invite",
    "verlassen": "game leave",
    "stopp": "mail send",
    "abbestellen": "mail send",
    "unsubscribe": "mail send",
    "abstimmen ja": "vote yes",
    "ratschlag": "advice",
    "karte": "map",
}
"""Lines that could be typed by mail when mail had commands of its own, and the commands that they are."""


def test_every_word_of_mail_is_still_a_command() -> None:
    found = {line: find_line(line, Door.MAIL) for line in TYPED_BEFORE}
    assert {line: one.command.name if one else None for line, one in found.items()} == TYPED_BEFORE
