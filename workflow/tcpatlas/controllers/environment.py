"""A simulation in steps, for learners: reset() and step() as gymnasium's Env has them, without gymnasium."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tcpatlas.base.errors import AtlasError, EngineError
from tcpatlas.controllers.in_process import AGENT, Board, library, why, with_controllers

Observation = npt.NDArray[np.float64]
SEEN = ("delivered", "lost", "srtt_s", "min_rtt_s", "in_flight", "delivery_rate")
_SECOND = 10**12


class Environment:
    """One flow of a link, the first to begin, steered every `interval` seconds of simulated time.

    The action is a window (packets, at least 1), or (window, pacing rate in bytes/s; 0: not paced); it takes
    effect with the next acknowledgement. An observation has the numbers of `SEEN`: packets delivered and lost
    in this step, round-trip times (s, 0: none yet), packets in flight, the last delivery-rate sample
    (packets/s). The reward is delivered - 10 lost unless `reward` says otherwise. `truncated` is true at the
    point's end. The same point, seed and actions give the same numbers.
    """

    def __init__(
        self, point: Mapping[str, Any], *, interval: float = 0.01, group: str = "", reward: Any = None
    ) -> None:
        if not 0 < interval <= 3600:
            raise AtlasError(f"interval: {interval} is out of range; above 0, at most 3600 (seconds)")
        self._point = json.dumps(with_controllers(point, {group: AGENT})).encode()
        if "duration_s" not in point["stop"]:
            raise AtlasError("environment: stop must have a duration")
        self._interval = round(interval * _SECOND)
        self._end = round((point["stop"]["duration_s"] + point["stop"].get("warmup_s", 0)) * _SECOND)
        self._reward = reward or (lambda seen: float(seen[0] - 10 * seen[1]))
        self._library = library()
        self._run_until = self._library.packetsim_run_until
        self._session: int | None = None
        self._board: Board | None = None

    def reset(self, *, seed: int = 1, options: Any = None) -> tuple[Observation, dict[str, Any]]:
        """Begin again; returns the observation after the first interval, and {}."""
        self.close()
        self._session = self._library.packetsim_open(self._point, seed)
        if self._session is None:
            raise EngineError(why())
        self._now = self._delivered = self._lost = 0
        self._board = None
        return self._advance(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Set the window, run for an interval: observation, reward, terminated (never), truncated, {}."""
        if self._session is None:
            raise AtlasError("step: reset() comes first")
        window, pacing_rate = action if np.ndim(action) else (action, 0.0)
        if not (window >= 1 and pacing_rate >= 0):
            raise AtlasError(f"step: window {window}, pacing rate {pacing_rate}; at least 1 and 0")
        if self._board is not None:
            self._board.window, self._board.pacing_rate = window, pacing_rate
        seen = self._advance()
        return seen, self._reward(seen), False, self._now >= self._end, {}

    def measurements(self) -> Any:
        """Return the run so far, measured from the warm-up's end (`docs/formats.md`)."""
        if self._session is None:
            raise AtlasError("measurements: reset() comes first")
        return json.loads(self._library.packetsim_run(self._session))

    def close(self) -> None:
        """Free the simulation."""
        if self._session is not None:
            self._library.packetsim_close(self._session)
            self._session = None

    def __del__(self) -> None:
        if getattr(self, "_session", None) is not None:
            self.close()

    def _advance(self) -> Observation:
        self._now += self._interval
        if not self._run_until(self._session, self._now):
            raise EngineError(why())
        if self._board is None:
            flow = self._library.packetsim_flow(self._session, 0)
            if not flow:
                return np.zeros(len(SEEN))
            self._board = flow[0]
        board = self._board
        delivered, lost = board.delivered, board.lost
        seen = (
            delivered - self._delivered,
            lost - self._lost,
            board.srtt / _SECOND,
            board.min_rtt / _SECOND,
            board.in_flight,
            board.delivery_rate,
        )
        self._delivered, self._lost = delivered, lost
        return np.array(seen, dtype=np.float64)


class Environments:
    """Many links side by side, with the interface of gymnasium's vector environments.

    Observations have a row for each link, `step` takes an action for each. A link that is at its end begins
    again at the next step, whatever its action, from a seed of its own: the first ones are `seed`, `seed` + 1
    and so on, and each later one is higher by the number of links.
    """

    def __init__(self, points: Sequence[Mapping[str, Any]], **options: Any) -> None:
        self.each = [Environment(point, **options) for point in points]
        self._seeds: list[int] = []
        self._over = [False] * len(self.each)

    def reset(self, *, seed: int = 1, options: Any = None) -> tuple[Observation, dict[str, Any]]:
        """Begin all of them; returns the observations after the first interval, and {}."""
        self._seeds = [seed + number for number in range(len(self.each))]
        self._over = [False] * len(self.each)
        return np.stack([one.reset(seed=own)[0] for one, own in zip(self.each, self._seeds, strict=True)]), {}

    def step(self, actions: Any) -> tuple[Observation, Observation, Any, Any, dict[str, Any]]:
        """Run all of them for an interval: observations, rewards, terminated (never), truncated, {}."""
        if len(actions) != len(self.each):
            raise AtlasError(f"step: {len(actions)} actions for {len(self.each)} links")
        seen = np.zeros((len(self.each), len(SEEN)))
        rewards = np.zeros(len(self.each))
        for number, (one, action) in enumerate(zip(self.each, actions, strict=True)):
            if self._over[number]:
                self._seeds[number] += len(self.each)
                seen[number], _ = one.reset(seed=self._seeds[number])
                self._over[number] = False
            else:
                seen[number], rewards[number], _, self._over[number], _ = one.step(action)
        return seen, rewards, np.zeros(len(self.each), bool), np.array(self._over), {}

    def close(self) -> None:
        """Free the simulations."""
        for one in self.each:
            one.close()
