"""`signalbox bench --compare`: two checkouts, measured in turns by their own programs."""

from __future__ import annotations

from pathlib import Path

from bot.bench.compare import compare

PROGRAM = """
import json, pathlib, sys
assert sys.argv[1:] == ["bench", "--quick", "--json"]
log = pathlib.Path(__file__).parents[2] / "order"
log.write_text((log.read_text() if log.exists() else "") + "{name} ")
print(json.dumps({{"titles": {{"1848": {{"actions_per_s": {speed}, "source": "x"}}}}, "save_ms": len(log.read_text()), {more}}}))
"""


def checkout(folder: Path, name: str, speed: int, more: str) -> Path:
    program = folder / name / "bot" / "__main__.py"
    program.parent.mkdir(parents=True)
    (program.parent / "__init__.py").touch()
    program.write_text(PROGRAM.format(name=name, speed=speed, more=more))
    return folder / name


def test_figures_that_both_have_are_set_side_by_side_the_best_of_turns(tmp_path: Path) -> None:
    old, new = checkout(tmp_path, "old", 100, '"gone": 1'), checkout(tmp_path, "new", 250, '"added": 1')
    lines = [line.split() for line in compare(old, new, turns=2).splitlines()[1:]]
    assert (tmp_path / "order").read_text() == "old new new old "
    assert lines == [["titles.1848.actions_per_s", "100", "250", "2.50"], ["save_ms", "4", "8", "0.50"]]
