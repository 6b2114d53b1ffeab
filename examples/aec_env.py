"""Signalbox's games as a PettingZoo environment (AEC): `env = SignalboxEnv("1889", players=3)`. Needs the packages pettingzoo and
gymnasium; without them everything works but the spaces.

An action is the number of a move in the list of legal moves, which `infos[agent]["moves"]` tells as text; the mask in the
observation marks the numbers that exist. Where moves are put together step by step, the engine lists samples. An observation
is a few sums; `observe_state` gives the whole position for features of one's own. Rewards come at the end: the
share of worth above or below the average.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import Action
from bot.titles.registry import TITLES

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ImportError:
    AECEnv = object

MOST_MOVES = 512
"""Number of actions; of a longer list of legal moves a sample is offered, spread over it."""
SEEN = ("cash", "worth", "certificates", "is asked")
"""What is observed of each player, the observer first."""


class SignalboxEnv(AECEnv):  # type: ignore[misc]
    metadata = {"name": "signalbox_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(
        self, title: str = "1889", players: int = 3, longest: int = 5000, options: dict[str, str] | None = None
    ) -> None:
        """`options` are the title's; after `longest` moves a game is cut off."""
        self.title, self.longest, self.options = TITLES[title], longest, options or {}
        if players not in self.title.players:
            raise ValueError(f"{title} is for {self.title.players.start} to {self.title.players.stop - 1} players")
        self.possible_agents = [f"player_{number}" for number in range(1, players + 1)]

        if AECEnv is not object:
            shown = Box(-np.inf, np.inf, (players * len(SEEN),), np.float32)
            seen = Dict({"observation": shown, "action_mask": Box(0, 1, (MOST_MOVES,), np.int8)})
            self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
            self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(MOST_MOVES))

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        names = [agent.replace("_", " ") for agent in self.possible_agents]
        self.game = Game.new(self.title, names, self.options, seed or 0)
        self.agents = self.possible_agents[:]
        self.seats = {agent: f"@{number}" for number, agent in enumerate(self.agents, start=1)}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError("after the end the only action is None")
            self._remove(agent)
            return
        if action is None or not 0 <= action < len(self.legal):
            raise ValueError(f"the actions are 0 to {len(self.legal) - 1}")
        self.game.apply(self.legal[action])
        self._cumulative_rewards[agent] = 0.0
        if self.game.state.finished or self.game.state.moves >= self.longest:
            self._end()
        self._ask()

    def observe(self, agent: str) -> dict[str, Any]:
        first = self.possible_agents.index(agent)
        turned = self.possible_agents[first:] + self.possible_agents[:first]
        asked, worth, state = self.game.players_to_act(), self.title.rules.worth, self.game.state
        rows = [
            (state.cash[seat], worth(self.game, seat), self._certificates(seat), seat in asked)
            for seat in map(self.seats.__getitem__, turned)
        ]
        mask = np.zeros(MOST_MOVES, np.int8)
        if agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]:
            mask[: len(self.legal)] = 1
        return {"observation": np.array(rows, np.float32).ravel(), "action_mask": mask}

    def observe_state(self) -> Any:
        return self.game.state

    def render(self) -> str:
        return "\n".join(self.infos[self.agent_selection]["moves"])

    def close(self) -> None:
        """Nothing is open."""

    # -- inside ---------------------------------------------------------------------------------------

    def _certificates(self, seat: str) -> int:
        companies = self.game.state.companies.values()
        return sum(held.owner == seat for company in companies for held in company.certificates)

    def _player_of(self, action: Action) -> str | None:
        return self.game.controller_of(action.by)

    def _ask(self) -> None:
        """The next agent, with their moves; of several who are asked the first that has one."""
        legal: list[Action] = list(self.game.legal_actions()) if not any(self.terminations.values()) else []
        asked = [agent for agent in self.agents if self.seats[agent] in self.game.players_to_act()]
        by_seat = {agent: [one for one in legal if self._player_of(one) == self.seats[agent]] for agent in asked}
        self.agent_selection = next((agent for agent in asked if by_seat[agent]), self.agents[0])
        found = by_seat.get(self.agent_selection) or legal
        spread = -(-len(found) // MOST_MOVES) or 1
        self.legal = found[::spread]
        self.infos = {agent: {"moves": []} for agent in self.agents}
        self.infos[self.agent_selection]["moves"] = [format_action(one) for one in self.legal]

    def _end(self) -> None:
        worth = {agent: self.title.rules.worth(self.game, seat) for agent, seat in self.seats.items()}
        average = sum(worth.values()) / len(worth)
        self.rewards = {agent: one / average - 1 if average else 0.0 for agent, one in worth.items()}
        self._cumulative_rewards = dict(self.rewards)
        ended = self.terminations if self.game.state.finished else self.truncations
        ended.update(dict.fromkeys(ended, True))

    def _remove(self, agent: str) -> None:
        self.agents.remove(agent)
        for told in (self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            told.pop(agent, None)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]
