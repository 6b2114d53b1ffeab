"""What people were shown, held against what the model lets them see: names tell of their game, sums of their order."""

from __future__ import annotations

from collections.abc import Iterator

from tests.discord_double.model import Channel
from tests.permissions_model.facts import Facts
from tests.permissions_model.rights_page import Act, granted, has, parts
from tests.permissions_model.state import MARK, SECRET, Answer, Club


def shown(club: Club, act: Act, before: Facts, after: Facts, answer: Answer, is_own: bool) -> Iterator[str]:
    """What somebody was shown though it is not for him. `is_own`: he asked for what concerns himself."""
    rolls, look = club.rolls(), Act("look", act.person, act.spot, act.about)
    for mark in sorted(set(MARK.findall(answer.text)) & set(club.marks)):
        if not any(sees(club, act, number, (before, after), is_own) for number in club.marks[mark]):
            yield f"he is shown {mark}"
    for secret in SECRET.findall(answer.text):
        if club.secrets.get(secret, act.person) != act.person:
            yield f"he is shown the order of {club.name(club.secrets[secret])}"
    for number, codes in club.codes.items():
        if any(code in answer.text for code in codes) and act.person != before.games[number].opener:
            yield f"he is shown the invitation to game {number}"
    may_have_files = is_own or granted(look, before.games, rolls) or granted(act, before.games, rolls)
    if answer.files and not may_have_files:
        yield f"he is sent {answer.files} files"


def sees(club: Club, act: Act, number: int, moments: tuple[Facts, Facts], is_own: bool) -> bool:
    """Whether somebody may be told of a game: he may look at it, or was at its table and asks what concerns himself."""
    if is_own and act.person in club.known.get(number, ()):
        return True
    games = [facts.games[number] for facts in moments if number in facts.games]
    return any(has("look", parts(game, act.person, act.spot, club.rolls())) for game in games)


def posted(club: Club, moments: tuple[Facts, Facts]) -> Iterator[str]:
    """What was posted for all that is not for all who read it there."""
    for message in club.posted():
        readers = {f"discord:{user.id}" for user in message.channel.recipients} - {
            f"discord:{club.double.world.bot.id}"
        }
        if any(readers != {club.secrets[secret]} for secret in SECRET.findall(message.text) if secret in club.secrets):
            yield f"an order is posted: {message.text}"
        for mark in set(MARK.findall(message.text)) & set(club.marks):
            if not any(is_told(club, message.channel, number, moments) for number in club.marks[mark]):
                yield f"{mark} is told in {message.channel.name}: {message.text[:200]}"


def is_told(club: Club, channel: Channel, number: int, moments: tuple[Facts, Facts]) -> bool:
    """Whether a game may be told of in a channel: it is, or was, played there; letters are judged by their answer."""
    games = [facts.games[number] for facts in moments if number in facts.games]
    is_home = any(channel.id in (game.thread, game.channel) for game in games)
    return channel.guild is None or is_home or number in club.places_of(channel.id)
