"""Letters as they come in: bytes from anybody. Reading is bounded, automatic mail is left alone."""

from __future__ import annotations

import base64
import re
from codecs import lookup
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from hashlib import sha256

from bot.addresses import reader_of
from bot.untrusted_input import LARGEST_FILE

from .letters.delivery_reports import DeliveryReport, failed_recipients
from .letters.limits import LetterTooComplex, read_bounded_letter
from .letters.reply_tokens import ReplyToken, find_tokens
from .letters.sender_verdicts import SenderVerdict, verdict_of
from .phrases import ABSENT, AWAY
from .strip_quotes import Encrypted, ReplyText, TooLong, extract_reply, html_to_text

MOST_PARTS = 60
MOST_HEADERS = 200
LONGEST_TEXT = 64 * 1024

LONGEST_SENDER = 1000

RESPONDER = re.compile(
    r"X-(?:(?:Mail-|Amazon-)?Auto-?(?:Repl(?:y|ied)|Respond(?:er)?|Response|Generated)(?:-From)?|Vacation|Away|FC-MachineGenerated"
    r"|Out-Of-Office)",
    re.I,
)
"""Headers that only programs put on their answers. `X-Auto-Response-Suppress` is not among them: Outlook puts it on
people's letters.
"""

OF_LISTS = ("List-Id", "List-Post", "Mailing-List")
"""Headers of mailing lists (RFC 2919, RFC 2369): their members have not written to the bot."""

ENCIPHERED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
"""Kinds of letters that only a key opens (RFC 3156, RFC 8551)."""

UNREAL_CHARSETS = ("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined")
"""Python's charsets that no letter is written in; some take a long time."""

MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")


NOTE = 300
"""Characters at the beginning of a letter without moves that are searched for an absence note."""


class Ignored(Exception):
    """A letter that is ignored and never answered; the text says why, without any address."""


class Bounce(Ignored):
    def __init__(self, report: DeliveryReport) -> None:
        super().__init__("it tells of a mail that came back")
        self.report = report


@dataclass(frozen=True)
class IncomingMail:
    """A letter from a person. `key` identifies it, `text_key` its content; `words` is its text, empty where there is
    none, it is too long, or a key is needed. `file` is its first attachment of JSON.
    """

    sender: str
    name: str
    token: ReplyToken | None
    subject: str
    words: ReplyText
    key: str
    message: str
    verdict: SenderVerdict
    is_too_long: bool = False
    is_encrypted: bool = False
    text_key: str = ""
    file: bytes = b""

    @property
    def lines(self) -> tuple[str, ...]:
        return self.words.lines


def read_letter(raw: bytes, own_address: str, authority: str = "") -> IncomingMail:
    """The letter of a person.

    :raises Ignored: it is automatic, came back, has no sender or several, or cannot be read.
    """
    try:
        text, encoded = read_bounded_letter(raw)
        return _read(text, encoded, own_address, authority)
    except LetterTooComplex as unbounded:
        raise Ignored(str(unbounded)) from None
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError, MessageError) as error:
        # The library's own words for what no letter should hold.
        raise Ignored(f"it cannot be read ({type(error).__name__})") from error


def _read(raw: bytes, encoded: Sequence[bytes], own_address: str, authority: str) -> IncomingMail:
    message = message_from_bytes(raw)
    if len(message.keys()) > MOST_HEADERS:
        raise Ignored("it has too many headers")
    token = _token(message, own_address)
    _check_human(message, own_address, is_sealed=token is not None)
    name, sender = _sender(message)
    if reader_of(sender) == reader_of(own_address):
        raise Ignored("it is from the bot itself")
    named = MESSAGE_ID.search(str(message.get("Message-ID", "")))
    seen = f"{sender}\n{token}\n{named[0]}".encode() if named else raw
    subject = decode_words(str(message.get("Subject", "")))[:200]
    words, is_too_long, is_encrypted = ReplyText((), 0), False, False
    text = pasted = ""
    try:
        text, pasted = cut_json(text_of(message, encoded))
        text = text[:LONGEST_TEXT]
        words = extract_reply(text, own_address, name)
    except TooLong:
        is_too_long = True
    except Encrypted:
        is_encrypted = True
    if words.is_talk and (ABSENT.match(subject) or AWAY.search(text[:NOTE])):
        raise Ignored("it says that its writer is away")
    return IncomingMail(
        sender,
        name,
        token,
        subject,
        words,
        f"letter-{sha256(seen).hexdigest()}",
        named[0] if named else "",
        verdict_of([str(one) for one in message.get_all("Authentication-Results", [])], sender, authority),
        is_too_long,
        is_encrypted,
        sha256("\n".join(words.lines or [text]).encode(errors="replace")).hexdigest(),
        file_in(message, encoded) or pasted.encode(errors="replace"),
    )


def _sender(message: Message) -> tuple[str, str]:
    """Name and address of the sender, also where the name lacks its quotes: `Last, First <a@b>`, `a@b <a@b>` (RFC
    5322 §3.4).

    :raises Ignored: there is not exactly one sender, or the address is not valid.
    """
    values = [str(value) for value in message.get_all("From", [])]
    value = " ".join(values[0][:LONGEST_SENDER].split()) if len(values) == 1 else ""
    bare = re.sub(r'"[^"]*"', "", value)
    name, sign, rest = bare.partition("<")
    if sign and rest.endswith(">") and rest.count(">") == 1 and "<" not in rest and not ("," in name and "@" in name):
        name, sender = value[: value.rfind("<")].strip(' "'), rest[:-1].lower()
    else:
        senders = [one for one in getaddresses([value]) if one[1]]
        if len(senders) != 1:
            raise Ignored("it has not exactly one sender")
        name, sender = senders[0][0], senders[0][1].lower()
    if sender.count("@") != 1 or not sender.isascii() or not sender.isprintable() or re.search(r"[\s,;:<>]", sender):
        raise Ignored("its sender has no address")
    return decode_words(name), sender


def _check_human(message: Message, own_address: str, is_sealed: bool) -> None:
    """Refuse what a program has written: an answer would begin a loop (RFC 3834 §2). A header's value counts, not
    its presence: gateways and mail services put them on people's letters. A letter to a sealed address may have
    come through a mailing list.

    :raises Ignored: one has.
    """
    if message.get_content_type() == "multipart/report":
        is_of_delivery = str(message.get_param("report-type", "")).lower() == "delivery-status"
        failed = failed_recipients(parts_of(message)) if is_of_delivery else ()
        if not failed:
            raise Ignored("it tells of a mail that was read, is late or is not wanted")
        raise Bounce(DeliveryReport(_returned_message_id(message), failed))
    if str(message.get("Return-Path", "")).strip() == "<>":
        raise Ignored("a program wrote it, perhaps of a mail that came back (Return-Path)")
    if _header_value(message, "Auto-Submitted") not in ("", "no"):
        raise Ignored("it was written by a program (Auto-Submitted)")
    precedence = {_header_value(message, name) for name in ("Precedence", "X-Precedence", "Preference")}
    if precedence & {"bulk", "junk", "auto_reply", "auto-reply"} or ("list" in precedence and not is_sealed):
        raise Ignored("it was sent to many (Precedence)")
    if not is_sealed and any(_header_value(message, name) for name in OF_LISTS):
        raise Ignored("it was sent to a mailing list (List-Id, List-Post)")
    for header in message.keys()[:MOST_HEADERS]:
        if RESPONDER.fullmatch(header) and _header_value(message, header) not in ("no", "false", "0"):
            raise Ignored("it was written by a program that answers")
    if "autoresponder" in (_header_value(message, "Delivered-To"), _header_value(message, "X-Post-MessageClass")):
        raise Ignored("it was written by a program that answers")
    if any(own_address in str(value).lower() for value in message.get_all("X-Loop", [])):
        raise Ignored("it is a mail of the bot that came back (X-Loop)")
    local = str(message.get("From", "")).lower()
    if re.search(r"\b(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@", local):
        raise Ignored("nobody reads an answer to it")


def _header_value(message: Message, header: str) -> str:
    """A header's value in lower case, without comments and parameters; empty where there is none."""
    value = re.sub(r"\([^()]*\)", "", str(message.get(header, ""))[:200])
    return value.partition(";")[0].strip().lower()


def _returned_message_id(message: Message) -> str:
    """The Message-ID of the returned letter, empty where the report does not name it."""
    for part in parts_of(message):
        if part.get_content_type() in ("message/rfc822", "text/rfc822-headers"):
            inner = part.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else inner
            head = first.as_string() if isinstance(first, Message) else str(first)
            found = re.search(r"(?im)^Message-ID:\s*(<[!-;=?-~]{1,240}>)", head[:20_000])
            if found:
                return found[1]
    return ""


STOPPING = ("stop", "unsubscribe", "stopp", "abbestellen")


def words_of(letter: IncomingMail) -> ReplyText:
    """The words of a letter that are obeyed: its text; where there is none, a subject that ends mails."""
    is_subject = not letter.lines and letter.subject.strip().lower() in STOPPING
    return ReplyText((letter.subject,), 1) if is_subject else letter.words


def parts_of(message: Message) -> Iterator[Message]:
    """The parts of a letter.

    :raises Ignored: there are too many.
    """
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            raise Ignored("it has too many parts")
        yield part


def text_of(message: Message, encoded: Sequence[bytes] = ()) -> str:
    """The first plain text of a letter, up to the size of a file; where there is none, the text of its first HTML part.
    Attachments are no text. `encoded` are the long encoded parts, which the message lacks.

    :raises Encrypted: it is enciphered.
    """
    page = ""
    for part in parts_of(message):
        if part.get_content_type() in ENCIPHERED:
            raise Encrypted
        if part.is_multipart() or "attachment" in str(part.get("Content-Disposition", "")).lower():
            continue
        kind = part.get_content_type()
        if kind == "text/plain" and (text := _content(part, LARGEST_FILE, encoded)).strip():
            is_flowed = "flowed" in str(part.get_param("format", "")).lower()
            return unfold_text(text) if is_flowed else text
        if kind == "text/html" and not page:
            page = html_to_text(_content(part, LONGEST_TEXT))
    return page


NAMING = ("Content-Disposition", "Content-Type")
MOST_NAMES = 2000
"""Headers that may name a file, and how much of them is searched: taking them apart can last long."""


def file_in(message: Message, encoded: Sequence[bytes]) -> bytes:
    """The first attachment of JSON; empty where there is none. Of a file that is too large there is one byte too many.
    `encoded` are the long encoded parts, which the message lacks.
    """
    for part in parts_of(message):
        is_named = any(".json" in str(part.get(name, ""))[:MOST_NAMES].lower() for name in NAMING)
        is_json = is_named or part.get_content_type() == "application/json"
        if part.is_multipart() or not is_json:
            continue
        return _bytes_of(part, encoded)[: LARGEST_FILE + 1]
    return b""


def _bytes_of(part: Message, encoded: Sequence[bytes]) -> bytes:
    """The content of a part; `encoded` are the long encoded parts, which the message lacks."""
    payload = part.get_payload()
    if _header_value(part, "Content-Transfer-Encoding") == "base64" and isinstance(payload, str):
        start = payload.strip().encode(errors="replace")
        return base64.b64decode(next((one for one in encoded if start and one.startswith(start)), start) + b"===")
    raw = part.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


OPENING = re.compile(r"(?m)^[ \t]*\{")
JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}]', re.S)
"""A string, to its end or the text's, or a brace: a search takes time in proportion to the text."""


def cut_json(text: str) -> tuple[str, str]:
    """A text without the first object of JSON that begins a line, and the object: broken lines are joined, since mail
    programs break them within strings, too.
    """
    opening, depth = OPENING.search(text), 0
    for found in JSON_TOKEN.finditer(text, opening.start()) if opening else ():
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if opening and not depth:
            whole = text[opening.start() : found.end()]
            return text[: opening.start()] + text[found.end() :], whole.replace("\r", "").replace("\n", " ")
    return text, ""


def _content(part: Message, most: int, encoded: Sequence[bytes] = ()) -> str:
    """The text of a part, as far as its bytes can be decoded: the headers may describe them wrongly."""
    encoding = _header_value(part, "Content-Transfer-Encoding")
    plain = part.get_payload()
    if encoding == "base64" and isinstance(plain, str) and not re.fullmatch(r"[A-Za-z0-9+/=\s]*", plain[:LONGEST_TEXT]):
        encoding = "8bit"
    del part["Content-Transfer-Encoding"]
    part["Content-Transfer-Encoding"] = encoding
    raw = _bytes_of(part, encoded)[:most]
    for charset in (str(part.get_content_charset() or "utf-8"), "utf-8", "cp1252"):
        try:
            if lookup(charset).name not in UNREAL_CHARSETS:
                return raw.decode(charset)
        except (LookupError, ValueError):
            continue
    return raw.decode("latin-1")


def unfold_text(text: str) -> str:
    """Join the lines of a text that were broken (RFC 3676): a line that ends with a blank goes on."""
    lines: list[str] = []
    goes_on = False
    for line in text.splitlines():
        line = line.removeprefix(" ")
        if goes_on and lines and not line.startswith(">"):
            lines[-1] += line
        else:
            lines.append(line)
        goes_on = line.endswith(" ") and line != "-- "
    return "\n".join(lines)


def _token(message: Message, own_address: str) -> ReplyToken | None:
    for header in ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc"):
        for value in message.get_all(header, []):
            if tokens := find_tokens(str(value)[:4000], own_address):
                return tokens[0]
    return None


def strip_token(address: str) -> str:
    """An address without the part after a plus sign."""
    local, _, domain = address.partition("@")
    return f"{local.partition('+')[0]}@{domain}"


def decode_words(text: str) -> str:
    try:
        text = str(make_header(decode_header(text[:1000])))
    except (ValueError, LookupError, MessageError):
        text = text[:1000]
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
