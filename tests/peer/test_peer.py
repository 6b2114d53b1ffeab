"""A few games beside the engine of 18xx.games: `make peer` plays hundreds. `PEER` names a checkout of it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.bench.calls import count_calls
from bot.cli.worker import known_job_types
from bot.engine.play.game import Game
from bot.formats.peer18xx.file_format import read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.formats.peer18xx.trace_compare import compare
from bot.jobs.job_types import JobFailed
from bot.titles.registry import TITLES, title_from_peer
from tests.peer import campaign as campaigns
from tests.peer.campaign import Campaign, Order, Outcome, Table, rules_of, why_not
from tests.peer.engine import Peer
from tests.peer.explained import reason_of
from tests.peer.games import Differs, play_beside, replay_beside
from tests.peer.speed import Measured, table

REAL = (
    ("1848", "1848_game_end_bank"),
    ("1844", "160062"),
    ("18GB", "18gb-6p"),
    ("1830", "1830_game_end_bank"),
    ("1830", "26855"),
    ("1830", "29133"),
    ("1867", "21268"),
    ("1867", "hs_ahjzadkh_19792"),
    ("1867", "nationalization_cash"),
    ("1861", "167259"),
    ("1861", "29683"),
    ("1861", "bank_breaks_then_final_phase"),
)


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    """The engine there."""
    reason = why_not(os.environ.get("PEER", ""))
    if reason:
        pytest.skip(f"LOUD: {reason}; nothing was compared with 18xx.games")
    with Peer(Path(os.environ["PEER"])) as found:
        yield found


@pytest.mark.peer
@pytest.mark.parametrize(
    ("title", "players", "seed"),
    [("1848", 3, 2), ("1844", 3, 4), ("18GB", 3, 3), ("1830", 3, 0), ("18Chesapeake", 2, 1), ("1867", 2, 4)],
)
def test_a_random_game_is_the_same_there(peer: Peer, title: str, players: int, seed: int) -> None:
    assert play_beside(peer, title, players, seed, Order(title, players, seed, "").options).texts[100:]


def real_game(title: str, name: str) -> dict[str, Any]:
    """A file that lies with that project's own tests."""
    path = Path(os.environ["PEER"]) / "public" / "fixtures" / title / f"{name}.json"
    file: dict[str, Any] = json.loads(path.read_bytes())
    return file


@pytest.mark.peer
@pytest.mark.parametrize(("title", "name"), REAL)
def test_a_real_game_that_was_played_here_again_is_the_same_there(peer: Peer, title: str, name: str) -> None:
    log = read_log(real_game(title, name))
    runner = LogReplay(TITLES[title], DIALECTS[title], log)
    runner.run()
    game = Game.new(TITLES[title], [name for _, name in log.players], runner.game.state.options, log.seed)
    replay_beside(peer, game, runner.moves).load()


@pytest.mark.peer
@pytest.mark.parametrize("name", [name for title, name in REAL if title == "1830"])
def test_every_state_of_a_real_game_is_equal(peer: Peer, name: str) -> None:
    """Of 1830 no traces are stored: the engine there tells each state."""
    file = real_game("1830", name)
    runner = LogReplay(TITLES["1830"], DIALECTS["1830"], read_log(file))
    assert compare(runner, traced(peer, file, runner.effective)) == len(runner.effective)
    runner.check_result()


def traced(peer: Peer, file: Mapping[str, Any], actions: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The states of a game there, each as a change of the one before."""
    assert peer.begin(file)["error"] is None
    before: dict[str, Any] = {}
    yield {"initial": before}
    for action in actions:
        answer = peer.take([action])
        assert answer["error"] is None, answer["error"]
        position = answer["position"]
        position["round"]["step"] = "".join(map(str.capitalize, (position["round"]["step"] or "").split("_")))
        yield {"id": action["id"], "d": changes(before, position)}
        before = position


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """A merge patch from one state to the next."""
    gone = dict.fromkeys(before.keys() - after.keys())
    return gone | {
        key: changes(before[key], value) if isinstance(value, dict) and isinstance(before.get(key), dict) else value
        for key, value in after.items()
        if before.get(key) != value
    }


@pytest.mark.peer
def test_all_real_games_there_of_titles_here_end_as_they_did(peer: Peer) -> None:
    folder, found = Path(os.environ["PEER"]) / "public" / "fixtures", Counter[str]()
    for path in sorted(folder.glob("*/*.json")):
        file = json.loads(path.read_bytes())
        if title_from_peer(file["title"])[0] in DIALECTS:
            log = read_log(file)
            LogReplay(TITLES[log.title], DIALECTS[log.title], log).run()
            found[file["title"]] += 1
    assert found["1889"] >= 4 and found["18Chesapeake"] >= 5 and found["18Chesapeake: Off the Rails"] >= 3


@pytest.mark.peer
def test_a_difference_is_found(peer: Peer) -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cat"], {"rules": "18xx.games"}, 1)
    with pytest.raises(Differs, match=r"move 2.*cash"):
        replay_beside(peer, game, ["@1 reduce P1", "correct cash @1 900"])


# -- the campaign itself, without that engine ---------------------------------------------------------


def test_results_of_other_rules_are_played_again(tmp_path: Path) -> None:
    table = Table("1848", 3, 2)
    campaign = Campaign([table], tmp_path / "results.jsonl")
    campaign.note(table, Outcome("1848", 3, 0, campaign.rules["1848"], 200))
    campaign.note(table, Outcome("1848", 3, 1, "older rules", 200))
    again = Table("1848", 3, 2)
    Campaign([again], tmp_path / "results.jsonl")
    assert (again.number("whole"), again.next_order()) == (1, Order("1848", 3, 1, campaign.rules["1848"]))


def test_a_mended_dialect_or_title_gives_its_games_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sign() -> str:
        rules_of.cache_clear()
        return rules_of("1848")

    before = sign()
    changes = {
        "formats/peer18xx/writer.py": True,
        "titles/t1848/peer18xx/dialect.py": True,
        "titles/t1848/title.toml": True,
    }
    changes |= {"titles/classic/rounds.py": True, "titles/t1844/title.toml": False, "titles/t1844/rounds.py": False}
    read = Path.read_bytes
    for name, counts in changes.items():
        with monkeypatch.context() as changed:
            changed.setattr(Path, "read_bytes", lambda path, name=name: read(path) + str(path).endswith(name) * b"#")
            assert (sign() != before) == counts, name
    assert sign() == before


def test_explained_games_are_replaced_by_others_and_differences_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table("1848", 3, 1)
    campaign = Campaign([table], tmp_path / "results.jsonl")
    campaign.note(table, Outcome("1848", 3, 0, campaign.rules["1848"], 0, "move 3: Timeout::Error"))
    assert table.next_order() == Order("1848", 3, 1, campaign.rules["1848"])
    assert campaign.report() is True
    phases = [phase.name for phase in TITLES["1848"].phases]
    campaign.note(table, Outcome("1848", 3, 2, campaign.rules["1848"], 9, "", {"phases": phases[:-1]}))
    assert f"phases 5 of 6 (never {phases[-1]}); trains 0 of 13" in campaign.exercised("1848")
    campaign.note(table, Outcome("1848", 3, 1, campaign.rules["1848"], 0, "cash: here 1, there 2"))
    assert campaign.report() is False
    said = capsys.readouterr().out
    assert "explained 1 times: the searches there" in said
    assert "DIFFERENT 1848 with 3, seed 1: cash: here 1, there 2" in said


async def test_games_are_played_until_enough_are_whole_whoever_plays_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Order] = []

    def play(order: Order) -> Outcome:
        played.append(order)
        return Outcome(
            order.title, order.players, order.seed, order.rules, 5, "" if order.seed % 2 else "Timeout::Error"
        )

    monkeypatch.setattr(campaigns, "PEER", replace(campaigns.PEER, function=play))
    tables = [Table("1848", 3, 2), Table("1848", 4, 1)]
    await Campaign(tables, tmp_path / "results.jsonl").run(jobs=0)
    assert [table.number("whole") for table in tables] == [2, 1] and not any(table.running for table in tables)
    assert [order.seed for order in played if order.players == 3] == [0, 1, 2, 3]
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == len(played) == 6


def test_a_worker_with_other_rules_or_without_the_engine_there_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Table("1848", 3, 1).next_order()
    assert order is not None and known_job_types("tests.peer.campaign")["peer"] is campaigns.PEER
    with pytest.raises(JobFailed, match="the rules of 1848 are others"):
        campaigns.one_game(replace(order, rules="older"))
    monkeypatch.setenv("PEER", str(tmp_path))
    with pytest.raises(JobFailed, match="no checkout"):
        campaigns.one_game(order)


def test_a_known_difference_has_its_reason_an_unknown_one_has_none() -> None:
    stuck = "refused there: No step found for action dividend at 1; there None is asked at None"
    assert reason_of("1848", stuck)
    assert reason_of("1848", "bank: here 1, there 2") is None
    assert reason_of("18GB", stuck.replace("dividend", "pass"))
    assert reason_of("18GB", "Blocking step Buy Trains cannot process action pass at 1; there LNWR is asked") is None


def test_without_a_checkout_it_says_so(tmp_path: Path) -> None:
    assert "PEER" in why_not("")
    assert "no checkout" in why_not(str(tmp_path))


@pytest.mark.peer
def test_an_action_of_the_slowest_game_takes_few_calls(peer: Peer) -> None:
    log = read_log(real_game("1830", "1830_game_end_bank"))
    LogReplay(TITLES["1830"], DIALECTS["1830"], log).run()  # what is kept for all games is found
    runner = LogReplay(TITLES["1830"], DIALECTS["1830"], log)
    calls, _ = count_calls(runner.run, with_builtins=False)
    assert calls / len(runner.effective) <= 340


def test_a_game_is_judged_by_the_middle_of_its_turns() -> None:
    game = Measured("1830", "29133", 334, [0.1, 0.1, 0.4, 0.1, 0.1], [0.19, 0.21, 0.8, 0.1, 0.9])
    assert [round(ratio, 2) for ratio in game.quartiles] == [1.9, 2.0, 2.1] and game.is_fast_enough
    slower = replace(game, theirs=[0.17, *game.theirs[1:2], 0.76, *game.theirs[3:]])
    assert not slower.is_fast_enough and replace(slower, name="1830_game_end_bank").is_fast_enough
    assert "| 1.90 | 1.70 to 2.10 | 2.0, missed |" in table([slower])
