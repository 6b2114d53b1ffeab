"""Linear programmes in whole numbers: the one place that knows the solver (HiGHS)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Term = tuple[int, float]
"""A variable's number and its factor."""

FEASIBLE = 1e-6


@dataclass(frozen=True)
class Solution:
    """Values of the variables, none if none were found; what no values exceed; whether these are the best, or the solver
    knows that there are none worth enough.

    `prices` are what one more of each row's limit would be worth; only of a relaxed programme.
    """

    values: Sequence[float]
    bound: float
    is_best: bool
    prices: Sequence[float] = ()


class LinearProgram:
    """Maximise the worth of variables between 0 and their most, under rows that limit sums of them.

    Rows may be added after solving. `spent` are the seconds that the solver has worked.
    """

    def __init__(self) -> None:
        self.worth: list[float] = []
        self.most: list[float] = []
        self.rows: list[tuple[float, float, dict[int, float]]] = []
        self.spent = 0.0
        self._solver: _Solver | None = None

    def variable(self, worth: float = 0, most: float = 1) -> int:
        self.worth.append(worth)
        self.most.append(most)
        return len(self.worth) - 1

    def pay(self, variable: int, worth: float) -> None:
        self.worth[variable] += worth

    def add_upper_bound(self, most: float, terms: Iterable[Term]) -> None:
        self._row(float("-inf"), most, terms)

    def keep_above_zero(self, terms: Iterable[Term]) -> None:
        self._row(0, float("inf"), terms)

    def keep_at_zero(self, terms: Iterable[Term]) -> None:
        self._row(0, 0, terms)

    def _row(self, low: float, high: float, terms: Iterable[Term]) -> None:
        row: dict[int, float] = {}
        for variable, factor in terms:
            row[variable] = row.get(variable, 0) + factor
        self.rows.append((low, high, {variable: factor for variable, factor in row.items() if factor}))

    def solve_relaxed(self, seconds: float) -> Solution:
        """The best values if fractions were allowed."""
        return self._updated_solver().solve(self, False, 0, seconds)

    def solve_whole(self, gap: float, seconds: float, above: float) -> Solution:
        """The best whole values, or values that less than `gap` may be missing from. Only values worth more than
        `above` are looked for: if there are none the bound is `above`, and the values need not be good."""
        return self._updated_solver().solve(self, True, gap, seconds, above)

    def _updated_solver(self) -> _Solver:
        if self._solver is None:
            self._solver = _Solver(self)
        self._solver.add_rows(self)
        return self._solver


class _Solver:
    def __init__(self, linear: LinearProgram) -> None:
        import highspy
        import numpy

        self.highspy, self.numpy = highspy, numpy
        self.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in (("output_flag", False), ("threads", 1), ("random_seed", 1), ("mip_rel_gap", 0.0)):
            self.highs.setOptionValue(name, value)
        number = len(linear.worth)
        self.indices = numpy.arange(number, dtype=numpy.int32)
        self.highs.addVars(number, numpy.zeros(number), numpy.array(linear.most, dtype=float))
        self.highs.changeColsCost(number, self.indices, -numpy.array(linear.worth, dtype=float))
        self.rows = 0
        self.is_whole = False

    def add_rows(self, linear: LinearProgram) -> None:
        for low, high, row in linear.rows[self.rows :]:
            variables = self.numpy.array(list(row), dtype=self.numpy.int32)
            self.highs.addRow(low, high, len(row), variables, self.numpy.array(list(row.values()), dtype=float))
        self.rows = len(linear.rows)

    def solve(
        self, linear: LinearProgram, is_whole: bool, gap: float, seconds: float, above: float = float("-inf")
    ) -> Solution:
        if is_whole != self.is_whole:
            kinds = self.highspy.HighsVarType
            kind = kinds.kInteger if is_whole else kinds.kContinuous
            number = len(linear.worth)
            self.highs.changeColsIntegrality(number, self.indices, self.numpy.array([kind] * number))
            self.is_whole = is_whole
        self.highs.setOptionValue("mip_abs_gap", float(gap))
        self.highs.setOptionValue("objective_bound", -above)
        self.highs.setOptionValue("time_limit", float(self.highs.getRunTime() + max(0.0, seconds)))
        before = self.highs.getRunTime()
        self.highs.run()
        linear.spent += max(0.0, self.highs.getRunTime() - before)
        info = self.highs.getInfo()
        status, statuses = self.highs.getModelStatus(), self.highspy.HighsModelStatus
        is_best = status == statuses.kOptimal
        values = self.highs.getSolution().col_value if info.primal_solution_status == 2 else []
        if is_whole:
            is_nothing = status in (statuses.kInfeasible, statuses.kObjectiveBound)
            bound = above if is_nothing else max(above, -info.mip_dual_bound)
            return Solution(values, bound, is_best or is_nothing)
        prices = [-price for price in self.highs.getSolution().row_dual] if is_best else []
        return Solution(values, -info.objective_function_value if is_best else float("inf"), is_best, prices)
