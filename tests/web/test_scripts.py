"""The page's scripts: the map's calculation in the browser, and types where a compiler is at hand."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from bot.commands.web.response_cache import STATIC, asset

from .chromium import ABSENT, PHONE, chromium, opened

OWN = ("net", "geometry", "map", "pencil", "history", "act", "keys", "notes", "push", "main")
FLAGS = "--noEmit --allowJs --checkJs --strict --target es2022 --module es2022 --moduleResolution node --lib es2022,dom,dom.iterable"


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_the_map_goes_where_the_hexes_are(look: str) -> None:
    call = "import('{0}').then(map => {1})"
    pane, near = "{width: 390, height: 400}", "{x: -5, y: -5, width: 10, height: 11}"
    far = "{x: 150, y: 90, width: 10, height: 11}"
    async with opened(look, viewport=PHONE) as it:

        async def found(expression: str) -> object:
            return await it.page.evaluate(call.format(asset("geometry.js"), expression))

        one = await found(f"map.view([{near}], {pane})")
        assert one == {"scale": 13, "at": {"x": 0, "y": 0.5}}
        # Two that are far from each other do not fit at a size that can be read: one of them is shown.
        two = await found(f"map.view([{near}, {far}], {pane})")
        assert isinstance(two, dict) and two["scale"] == 8 and two["at"] in ({"x": 0, "y": 0.5}, {"x": 155, "y": 95.5})
        # Nothing beside the map is shown.
        assert await found(f"map.shift({{x: 190, y: 0}}, 2, {pane})") == {"x": -97.5, "y": 0}
        # But for what stands over the head and the foot of the map.
        assert await found(f"map.shift({{x: 0, y: 300}}, 2, {pane}, 50)") == {"x": 0, "y": -125}
        assert await found("[12, 9, 7, 5].map(map.label)") == [12, 9, 9, 0]
        places = "[{x: 10, y: 0}, {x: 20, y: 0}, {x: 0, y: 10}]"
        assert await found(f"map.neighbour({{x: 0, y: 0}}, {places}, 'ArrowRight')") == 0
        assert await found(f"map.neighbour({{x: 0, y: 0}}, {places}, 'ArrowUp')") == -1


@pytest.mark.browser
@pytest.mark.skipif(shutil.which("tsc") is None, reason="LOUD: no tsc here, the scripts' types were not checked")
def test_scripts_have_types() -> None:
    command = ["tsc", *FLAGS.split(), *(str(STATIC / f"{name}.js") for name in OWN)]
    checked = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert checked.returncode == 0, checked.stdout
