"""The PettingZoo environment in `examples/`: whole games by its own logic, and PettingZoo's own test where it is installed."""

from __future__ import annotations

import random
import runpy
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.families import few

ENV = Path(__file__).resolve().parents[1] / "examples" / "aec_env.py"
HAS_PACKAGES = find_spec("pettingzoo") is not None and find_spec("gymnasium") is not None


def new_env(title: str, **facts: Any) -> Any:
    return runpy.run_path(str(ENV))["SignalboxEnv"](title, **facts)


@pytest.mark.parametrize(
    ("title", "longest"), few([("1889", 150), ("1889", 5000), ("1830", 5000), ("1848", 5000), ("18BF", 300)], 0)
)
def test_a_game_ends_with_rewards_that_cancel_out(title: str, longest: int) -> None:
    env, chance, rewards = new_env(title, longest=longest), random.Random(7), {}
    env.reset(seed=7)
    steps = 0
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            rewards[agent] = env._cumulative_rewards[agent]
            env.step(None)
            continue
        mask = env.observe(agent)["action_mask"]
        assert mask.sum() == len(env.infos[agent]["moves"]) > 0
        assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != agent)
        env.step(chance.randrange(int(mask.sum())))
        steps += 1
    assert set(rewards) == set(env.possible_agents) and abs(sum(rewards.values())) < 1e-6
    assert env.game.state.finished or steps == env.longest


def test_a_long_game_is_cut_off_and_a_wrong_action_refused() -> None:
    env = new_env("1889", players=2, longest=3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="the actions are 0 to"):
        env.step(511)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(0)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    with pytest.raises(ValueError, match="only action is None"):
        env.step(0)
    with pytest.raises(ValueError, match="is for 2 to 6 players"):
        new_env("1889", players=9)


def test_the_same_seed_is_the_same_game() -> None:
    games = [new_env("1889") for _ in range(2)]
    for env in games:
        env.reset(seed=5)
        for _ in range(20):
            env.step(len(env.legal) // 2)
    assert games[0].game.encode() == games[1].game.encode() and games[0].render() == games[1].render()


def test_pettingzoos_own_test() -> None:
    if not HAS_PACKAGES:
        warnings.warn("pettingzoo is not installed: its own test of examples/aec_env.py was NOT run", stacklevel=1)
        pytest.skip("pettingzoo and gymnasium are not installed")
    from pettingzoo.test import api_test  # type: ignore[import-not-found]

    api_test(new_env("1889", longest=60), num_cycles=200)
